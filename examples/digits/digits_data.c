/* SPDX-License-Identifier: Apache-2.0 */
#include "examples/digits/digits_data.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/kd_npy.h"

enum { PIXEL_MAX = 16, PATH_BYTES = 4096 };

/* An int8 array of the data directory: its name, its shape, where it goes, its values' range. */
struct array {
  const char *name;
  uint32_t rows, cols;
  void *to;
  int lowest, highest;
};

static enum kt_status refuse(struct kt_msg *msg, const char *dir, const char *name, const char *why)
{
  kt_msg_set(msg, "%s/%s: %s", dir, name, why);
  return KT_EPARSE;
}

static bool within(const int8_t *values, size_t n, int lowest, int highest)
{
  for (size_t i = 0; i < n; i++)
    if (values[i] < lowest || values[i] > highest) return false;
  return true;
}

static enum kt_status read_array(const struct array *a, const char *dir, struct kt_msg *msg)
{
  char path[PATH_BYTES];
  struct kd_array got;
  const size_t n = (size_t)a->rows * a->cols;
  snprintf(path, sizeof path, "%s/%s", dir, a->name);
  enum kt_status st = kd_npy_read(path, &got, msg);
  if (st != KT_OK) return st;

  if (got.element != 1 || got.rows != a->rows || got.cols != a->cols)
    st = refuse(msg, dir, a->name, "is not the array that README.md states");
  else if (!within(got.data, n, a->lowest, a->highest))
    st = refuse(msg, dir, a->name, "has a value out of range");
  else
    memcpy(a->to, got.data, n);
  kd_array_free(&got);
  return st;
}

/* A whole JSON file; the caller deletes it. */
static enum kt_status read_json(const char *dir, const char *name, cJSON **json, struct kt_msg *msg)
{
  char path[PATH_BYTES];
  uint8_t *text;
  size_t n;
  snprintf(path, sizeof path, "%s/%s", dir, name);
  enum kt_status st = kd_file_read(path, &text, &n, msg);
  if (st != KT_OK) return st;

  *json = cJSON_ParseWithLength((const char *)text, n);
  free(text);
  return *json != NULL ? KT_OK : refuse(msg, dir, name, "is not JSON");
}

/* An integer member of lowest..highest. */
static bool get_int(const cJSON *object, const char *key, int lowest, int highest, int *out)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsNumber(item) || item->valuedouble != item->valueint) return false;
  *out = item->valueint;
  return *out >= lowest && *out <= highest;
}

static enum kt_status read_facts(struct digits_data *data, const char *dir, struct kt_msg *msg)
{
  static const char *const name = "network.json";
  cJSON *facts;
  enum kt_status st = read_json(dir, name, &facts, msg);
  if (st != KT_OK) return st;

  int train, c1, c2, shift;
  const bool good = get_int(facts, "train_images", 1, DIGITS_IMAGES - 1, &train) &&
                    get_int(facts, "constant1", 1, INT8_MAX, &c1) &&
                    get_int(facts, "constant2", 1, INT8_MAX, &c2) &&
                    get_int(facts, "shift", 0, 31, &shift);
  cJSON_Delete(facts);
  if (!good) return refuse(msg, dir, name, "lacks a fact or has one out of range");

  data->train_images = (uint32_t)train;
  data->int8.constant1 = (int8_t)c1;
  data->int8.constant2 = (int8_t)c2;
  data->int8.shift = (unsigned)shift;
  return KT_OK;
}

/* A list of exactly `rows` lists of exactly `cols` numbers. */
static bool get_matrix(const cJSON *matrix, int rows, int cols, double *to)
{
  if (!cJSON_IsArray(matrix) || cJSON_GetArraySize(matrix) != rows) return false;
  const cJSON *row, *item;
  cJSON_ArrayForEach(row, matrix)
  {
    if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != cols) return false;
    cJSON_ArrayForEach(item, row)
    {
      if (!cJSON_IsNumber(item)) return false;
      *to++ = item->valuedouble;
    }
  }
  return true;
}

static enum kt_status read_double(struct digits_double *net, const char *dir, struct kt_msg *msg)
{
  static const char *const name = "double.json";
  cJSON *json;
  enum kt_status st = read_json(dir, name, &json, msg);
  if (st != KT_OK) return st;

  const cJSON *w1 = cJSON_GetObjectItemCaseSensitive(json, "w1");
  const cJSON *w2 = cJSON_GetObjectItemCaseSensitive(json, "w2");
  const bool good = get_matrix(w1, DIGITS_K1, DIGITS_HIDDEN, &net->w1[0][0]) &&
                    get_matrix(w2, DIGITS_K2, DIGITS_CLASSES, &net->w2[0][0]);
  cJSON_Delete(json);
  return good ? KT_OK : refuse(msg, dir, name, "does not hold the matrices that README.md states");
}

enum kt_status digits_load(struct digits_data *data, const char *dir, struct kt_msg *msg)
{
  const struct array arrays[] = {
      {"images.npy", DIGITS_IMAGES, DIGITS_PIXELS, data->pixels, 0, PIXEL_MAX},
      {"labels.npy", 1, DIGITS_IMAGES, data->labels, 0, DIGITS_CLASSES - 1},
      {"w1.npy", DIGITS_K1, DIGITS_HIDDEN, data->int8.w1, INT8_MIN, INT8_MAX},
      {"w2.npy", DIGITS_K2, DIGITS_CLASSES, data->int8.w2, INT8_MIN, INT8_MAX},
  };
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    enum kt_status st = read_array(&arrays[i], dir, msg);
    if (st != KT_OK) return st;
  }
  enum kt_status st = read_facts(data, dir, msg);
  return st == KT_OK ? read_double(&data->real, dir, msg) : st;
}
