/* SPDX-License-Identifier: Apache-2.0 */
#include "examples/digits/digits_data.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXEL_MAX = 16, NPY_PREFIX = 10, NPY_HEADER_MAX = 512, JSON_MAX = 4096 };

/* What a data file must be: the .npy type and shape as NumPy writes them, and the bytes of an
 * element. */
struct array {
  const char *name;
  const char *descr;
  const char *shape;
  size_t bytes;
  void *to;
};

static enum kt_status fail(enum kt_status st, struct kt_msg *msg, const char *path, const char *why)
{
  kt_msg_set(msg, "%s: %s", path, why);
  return st;
}

/* Reads the header of a version 1 .npy file; true if it names exactly this type and shape. */
static bool npy_header_is(FILE *f, const struct array *a)
{
  unsigned char prefix[NPY_PREFIX];
  if (fread(prefix, 1, sizeof prefix, f) != sizeof prefix) return false;
  if (memcmp(prefix, "\x93NUMPY\x01\x00", 8) != 0) return false;

  size_t length = prefix[8] + 256u * prefix[9];
  char header[NPY_HEADER_MAX + 1];
  if (length > NPY_HEADER_MAX || fread(header, 1, length, f) != length) return false;
  header[length] = '\0';

  char want[NPY_HEADER_MAX];
  snprintf(want, sizeof want, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", a->descr,
           a->shape);
  return strncmp(header, want, strlen(want)) == 0;
}

static enum kt_status read_array(const struct array *a, const char *dir, struct kt_msg *msg)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.npy", dir, a->name);
  FILE *f = fopen(path, "rb");
  if (f == NULL) return fail(KT_EIO, msg, path, "cannot be opened");

  enum kt_status st = KT_OK;
  if (!npy_header_is(f, a))
    st = fail(KT_EPARSE, msg, path, "is not the array that data/README.md states");
  else if (fread(a->to, 1, a->bytes, f) != a->bytes)
    st = fail(KT_EIO, msg, path, "is short");
  else if (fgetc(f) != EOF)
    st = fail(KT_EPARSE, msg, path, "is longer than its header says");
  fclose(f);
  return st;
}

static enum kt_status read_text(const char *path, char text[JSON_MAX], struct kt_msg *msg)
{
  FILE *f = fopen(path, "rb");
  if (f == NULL) return fail(KT_EIO, msg, path, "cannot be opened");
  size_t n = fread(text, 1, JSON_MAX - 1, f);
  text[n] = '\0';
  fclose(f);
  return KT_OK;
}

/* An integer member of lo..hi. */
static bool get_int(const cJSON *object, const char *key, int lo, int hi, int *out)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!cJSON_IsNumber(item) || item->valuedouble != item->valueint) return false;
  *out = item->valueint;
  return *out >= lo && *out <= hi;
}

static enum kt_status read_facts(struct digits_data *data, const char *dir, struct kt_msg *msg)
{
  char path[4096], text[JSON_MAX];
  snprintf(path, sizeof path, "%s/network.json", dir);
  enum kt_status st = read_text(path, text, msg);
  if (st != KT_OK) return st;

  cJSON *facts = cJSON_Parse(text);
  int train, c1, c2, shift;
  bool good = get_int(facts, "train_images", 1, DIGITS_IMAGES - 1, &train) &&
              get_int(facts, "constant1", 1, INT8_MAX, &c1) &&
              get_int(facts, "constant2", 1, INT8_MAX, &c2) &&
              get_int(facts, "shift", 0, 31, &shift);
  cJSON_Delete(facts);
  if (!good) return fail(KT_EPARSE, msg, path, "lacks a fact or has one out of range");

  data->train_images = (uint32_t)train;
  data->int8.constant1 = (int8_t)c1;
  data->int8.constant2 = (int8_t)c2;
  data->int8.shift = (unsigned)shift;
  return KT_OK;
}

static enum kt_status check_values(const struct digits_data *data, struct kt_msg *msg)
{
  for (int i = 0; i < DIGITS_IMAGES; i++) {
    if (data->labels[i] >= DIGITS_CLASSES)
      return fail(KT_EPARSE, msg, "labels.npy", "has a label > 9");
    for (int k = 0; k < DIGITS_PIXELS; k++)
      if (data->pixels[i][k] > PIXEL_MAX)
        return fail(KT_EPARSE, msg, "images.npy", "has a pixel > 16");
  }
  return KT_OK;
}

enum kt_status digits_load(struct digits_data *data, const char *dir, struct kt_msg *msg)
{
  const struct array arrays[] = {
      {"images", "|u1", "1797, 64", sizeof data->pixels, data->pixels},
      {"labels", "|u1", "1797,", sizeof data->labels, data->labels},
      {"w1_int8", "|i1", "65, 32", sizeof data->int8.w1, data->int8.w1},
      {"w2_int8", "|i1", "33, 10", sizeof data->int8.w2, data->int8.w2},
      {"w1_double", "<f8", "65, 32", sizeof data->real.w1, data->real.w1},
      {"w2_double", "<f8", "33, 10", sizeof data->real.w2, data->real.w2},
  };
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    enum kt_status st = read_array(&arrays[i], dir, msg);
    if (st != KT_OK) return st;
  }
  enum kt_status st = read_facts(data, dir, msg);
  return st == KT_OK ? check_values(data, msg) : st;
}
