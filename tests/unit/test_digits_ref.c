/* SPDX-License-Identifier: Apache-2.0 */
/* The digits example's own reference, against hand-worked numbers and the accuracy its README
 * states. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "examples/digits/digits_data.h"

#define DATA "examples/digits/data"

struct round_case {
  int32_t acc;
  unsigned shift;
  int8_t want;
};

ParameterizedTestParameters(digits_ref, shift_rounds_once_ties_to_even_then_saturates)
{
  static struct round_case cases[] = {
      {5, 0, 5},           {127, 0, 127},       {128, 0, 127},       {-128, 0, -128},
      {-129, 0, -128},     {1, 1, 0},           {3, 1, 2},           {5, 1, 2},
      {-1, 1, 0},          {-3, 1, -2},         {-5, 1, -2},         {7, 2, 2},
      {6, 2, 2},           {10, 2, 2},          {11, 2, 3},          {-6, 2, -2},
      {-7, 2, -2},         {-10, 2, -2},        {-11, 2, -3},        {16319, 7, 127},
      {16320, 7, 127},     {-16448, 7, -128},   {INT32_MAX, 31, 1},  {INT32_MIN, 31, -1},
      {1073741824, 31, 0}, {1073741825, 31, 1}, {INT32_MAX, 0, 127}, {INT32_MIN, 0, -128},
  };
  return cr_make_param_array(struct round_case, cases, sizeof cases / sizeof cases[0]);
}

ParameterizedTest(struct round_case *c, digits_ref, shift_rounds_once_ties_to_even_then_saturates,
                  .timeout = 5)
{
  int8_t got = digits_round_shift(c->acc, c->shift);
  cr_assert(eq(i8, got, c->want), "acc=%d shift=%u", c->acc, c->shift);
}

/* Two pixels, two hidden units, worked by hand:
 * hidden 0: 10*3 + 16*(-2) + 64*5 = 318, / 4 = 79.5 -> 80; hidden 1: 10*(-7) + 64*1 = -6 -> relu 0.
 * logit 2: 80*4 + 0*9 + 8*(-3) = 296; logit 9: 80*(-1) + 8*2 = -64; all others 0. */
Test(digits_ref, int8_network_gives_the_hand_worked_logits, .timeout = 5)
{
  struct digits_int8 net = {.constant1 = 64, .constant2 = 8, .shift = 2};
  net.w1[0][0] = 3;
  net.w1[63][0] = -2;
  net.w1[64][0] = 5;
  net.w1[0][1] = -7;
  net.w1[64][1] = 1;
  net.w2[0][2] = 4;
  net.w2[1][2] = 9;
  net.w2[32][2] = -3;
  net.w2[0][9] = -1;
  net.w2[32][9] = 2;
  uint8_t pixels[DIGITS_PIXELS] = {[0] = 10, [63] = 16};

  int8_t hidden[DIGITS_HIDDEN];
  digits_hidden_int8(&net, pixels, hidden);
  int32_t logits[DIGITS_CLASSES];
  digits_logits_int8(&net, pixels, logits);

  cr_expect(eq(i8, hidden[0], 80));
  cr_expect(eq(i8, hidden[1], 0));
  for (int n = 0; n < DIGITS_CLASSES; n++)
    cr_expect(eq(i32, logits[n], n == 2 ? 296 : n == 9 ? -64 : 0), "logit %d", n);
  cr_expect(eq(uint, digits_class_int8(logits), 2));
}

/* hidden 0: 10*0.5 - 16*0.25 + 1 = 2; hidden 1: -5 -> 0; logit 4: 2*1.5 + 0.25; logit 5: 0.125. */
Test(digits_ref, double_network_gives_the_hand_worked_logits, .timeout = 5)
{
  static struct digits_double net;
  net.w1[0][0] = 0.5;
  net.w1[63][0] = -0.25;
  net.w1[64][0] = 1;
  net.w1[0][1] = -0.5;
  net.w2[0][4] = 1.5;
  net.w2[1][5] = 7;
  net.w2[32][4] = 0.25;
  net.w2[32][5] = 0.125;
  uint8_t pixels[DIGITS_PIXELS] = {[0] = 10, [63] = 16};

  double logits[DIGITS_CLASSES];
  digits_logits_double(&net, pixels, logits);
  for (int n = 0; n < DIGITS_CLASSES; n++)
    cr_expect(logits[n] == (n == 4 ? 3.25 : n == 5 ? 0.125 : 0), "logit %d = %g", n, logits[n]);
  cr_expect(eq(uint, digits_class_double(logits), 4));
}

Test(digits_ref, the_lowest_of_equal_logits_is_the_class, .timeout = 5)
{
  int32_t i[DIGITS_CLASSES] = {-1, -5, 7, 0, 7, 7};
  double d[DIGITS_CLASSES] = {-1, -5, 0, 0.5, -2, 0.5};
  cr_expect(eq(uint, digits_class_int8(i), 2));
  cr_expect(eq(uint, digits_class_double(d), 3));
}

Test(digits_ref, committed_network_reaches_the_stated_accuracy, .timeout = 20)
{
  struct digits_data *data = calloc(1, sizeof *data);
  struct kt_msg msg = {""};
  cr_assert(eq(int, digits_load(data, DATA, &msg), KT_OK), "%s", msg.text);
  cr_assert(eq(u32, data->train_images, 898));

  unsigned right_int8 = 0, right_double = 0;
  for (uint32_t i = data->train_images; i < DIGITS_IMAGES; i++) {
    int32_t q[DIGITS_CLASSES];
    double d[DIGITS_CLASSES];
    digits_logits_int8(&data->int8, data->pixels[i], q);
    digits_logits_double(&data->real, data->pixels[i], d);
    right_int8 += digits_class_int8(q) == data->labels[i];
    right_double += digits_class_double(d) == data->labels[i];
  }
  cr_expect(eq(uint, right_int8, 849));
  cr_expect(eq(uint, right_double, 848));
  free(data);
}

Test(digits_ref, load_names_a_missing_file, .timeout = 5)
{
  struct digits_data *data = calloc(1, sizeof *data);
  struct kt_msg msg = {""};
  cr_expect(eq(int, digits_load(data, "tests/unit", &msg), KT_EIO));
  cr_expect(strstr(msg.text, "images.npy") != NULL, "%s", msg.text);
  free(data);
}

/* Writes a copy of a data file whose byte at offset is replaced, or which is cut or one byte
 * longer. */
static void spoil(const char *dir, const char *name, long offset, int byte, long grow)
{
  char path[300];
  static char bytes[200000];
  snprintf(path, sizeof path, DATA "/%s", name);
  FILE *f = fopen(path, "rb");
  cr_assert(f != NULL);
  size_t n = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  if (offset >= 0) bytes[offset] = (char)byte;

  snprintf(path, sizeof path, "%s/%s", dir, name);
  unlink(path);
  f = fopen(path, "wb");
  cr_assert(f != NULL);
  fwrite(bytes, 1, n + (size_t)grow, f);
  fclose(f);
}

struct spoil_case {
  const char *name;
  long offset;
  int byte;
  long grow;
  enum kt_status want;
};

/* A .npy header begins with the type at byte 21 and its shape at byte 61; data begin at byte 128.
 */
static const struct spoil_case spoils[] = {
    {"images.npy", -1, 0, -1, KT_EPARSE},    {"images.npy", -1, 0, 1, KT_EPARSE},
    {"images.npy", 128, 17, 0, KT_EPARSE},   {"images.npy", 128, -1, 0, KT_EPARSE},
    {"labels.npy", 128, 10, 0, KT_EPARSE},   {"labels.npy", 0, 'x', 0, KT_EPARSE},
    {"w1.npy", 22, 'u', 0, KT_EUNSUPPORTED}, {"network.json", 0, '[', 0, KT_EPARSE},
    {"network.json", 19, '-', 0, KT_EPARSE}, {"double.json", 0, '[', 0, KT_EPARSE},
    {"double.json", 2, 'v', 0, KT_EPARSE},   {"double.json", 10, ']', 0, KT_EPARSE},
};

Test(digits_ref, load_refuses_a_file_that_is_not_as_stated, .timeout = 20)
{
  static const char *const names[] = {"images.npy", "labels.npy",   "w1.npy",
                                      "w2.npy",     "network.json", "double.json"};
  const size_t n_names = sizeof names / sizeof names[0];
  char dir[] = "/tmp/ktpu-digits-XXXXXX";
  cr_assert(mkdtemp(dir) != NULL);
  struct digits_data *data = calloc(1, sizeof *data);

  for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
    const struct spoil_case *c = &spoils[i];
    for (size_t j = 0; j < n_names; j++) spoil(dir, names[j], -1, 0, 0);
    cr_expect(eq(int, digits_load(data, dir, NULL), KT_OK));
    spoil(dir, c->name, c->offset, c->byte, c->grow);
    cr_expect(eq(int, digits_load(data, dir, NULL), c->want), "case %zu: %s", i, c->name);
  }

  free(data);
  for (size_t j = 0; j < n_names; j++) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, names[j]);
    unlink(path);
  }
  rmdir(dir);
}
