/* SPDX-License-Identifier: Apache-2.0 */
/* The digits network as a descriptor list on the reference model, against plain C. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <stdlib.h>
#include <string.h>

#include "examples/digits/digits_list.h"

#define DATA "examples/digits/data"

typedef int32_t logits_row[DIGITS_CLASSES];

static struct digits_data *load(void)
{
  struct digits_data *data = calloc(1, sizeof *data);
  struct kt_msg msg = {""};
  cr_assert(data != NULL);
  cr_assert(eq(int, digits_load(data, DATA, &msg), KT_OK), "%s", msg.text);
  return data;
}

static struct ktpu_device *open_device(const char *name, const struct ktpu_options *options)
{
  struct ktpu_device *device;
  struct ktpu_message why = {""};
  cr_assert(eq(int, ktpu_open(name, options, &device, &why), KTPU_OK), "%s: %s", name, why.text);
  return device;
}

static unsigned differing(const struct digits_data *data, uint32_t first, uint32_t count,
                          logits_row *got)
{
  unsigned wrong = 0;
  for (uint32_t i = 0; i < count; i++) {
    logits_row want;
    digits_logits_int8(&data->int8, data->pixels[first + i], want);
    for (int n = 0; n < DIGITS_CLASSES; n++) wrong += want[n] != got[i][n];
  }
  return wrong;
}

struct build_case {
  char device[64];
  uint32_t first, images, batches, descriptors;
};

/* 899 images are 14 batches of 64 and one of 3. A chain keeps 2 columns of T in ar for 64 rows and
 * 4 for 3 rows: 2 slabs of K a chain, so at T=4 14 * 8 + 4 descriptors for 32 columns; at T=8 14 *
 * 4 + 2; at T=16 14 * 2 + 2. Layer 2 is one descriptor a batch where MAXDIM holds K = 33. */
ParameterizedTestParameters(digits_list, logits_are_those_of_plain_c_on_every_build)
{
  static struct build_case cases[] = {
      {"ref:int8", 898, 899, 15, 14 * 8 + 4 + 15},
      {"ref:int8,T=8", 898, 899, 15, 14 * 4 + 2 + 15},
      {"ref:int8,T=16,BUS=128", 898, 899, 15, 14 * 2 + 2 + 15},
      {"ref:int8,BUS=256", 898, 899, 15, 14 * 8 + 4 + 15},
      {"ref:int8,STRIDES=0", 898, 899, 15, 14 * 8 + 4 + 15},
      {"ref:ecp5-int8", 898, 899, 15, 14 * 4 + 2 + 15},
      {"ref:int8", 0, 1, 1, 4 + 1},
      {"ref:int8", 1796, 1, 1, 4 + 1},
      {"ref:int8", 5, 64, 1, 8 + 1},
      {"ref:int8", 5, 65, 2, 8 + 4 + 2},
      /* MAXDIM=16: 5 slabs of K=65, 4 columns a chain: 10 a batch, and 3 slabs of K=33 */
      {"ref:ice40", 898, 100, 7, 7 * (10 + 3)},
      {"ref:int8,MAXDIM=16,BUS=256", 898, 100, 7, 7 * (10 + 3)},
  };
  return cr_make_param_array(struct build_case, cases, sizeof cases / sizeof cases[0]);
}

ParameterizedTest(struct build_case *c, digits_list, logits_are_those_of_plain_c_on_every_build,
                  .timeout = 60)
{
  struct digits_data *data = load();
  struct ktpu_device *device = open_device(c->device, NULL);
  logits_row *logits = calloc(c->images, sizeof *logits);
  struct digits_run run;
  struct kt_msg msg = {""};

  enum kt_status st = digits_run(device, data, c->first, c->images, logits, &run, &msg);
  cr_assert(eq(int, st, KT_OK), "%s, %u images: %s", c->device, c->images, msg.text);
  cr_expect(eq(uint, differing(data, c->first, c->images, logits), 0), "%s, %u images", c->device,
            c->images);
  cr_expect(eq(u32, run.batches, c->batches), "%s", c->device);
  cr_expect(eq(u32, run.descriptors, c->descriptors), "%s", c->device);
  cr_expect(eq(u64, run.result.descriptors, c->descriptors), "%s", c->device);

  struct ktpu_stats stats;
  cr_assert(eq(int, ktpu_stats(device, &stats), KTPU_OK));
  cr_expect(eq(u64, stats.starts, 1), "one list, one start");
  cr_expect(eq(u64, stats.allocated, 0), "everything is freed");
  free(logits);
  ktpu_close(device);
  free(data);
}

Test(digits_list, images_past_the_data_are_refused, .timeout = 10)
{
  struct digits_data *data = load();
  struct ktpu_device *device = open_device("ref:int8", NULL);
  logits_row logits[1];
  struct digits_run run;
  cr_expect(eq(int, digits_run(device, data, 0, 0, logits, &run, NULL), KT_EINVAL));
  cr_expect(eq(int, digits_run(device, data, DIGITS_IMAGES, 1, logits, &run, NULL), KT_EINVAL));
  cr_expect(eq(int, digits_run(device, data, DIGITS_IMAGES - 1, 2, logits, &run, NULL), KT_EINVAL));
  ktpu_close(device);
  free(data);
}

Test(digits_list, too_many_images_for_the_memory_are_refused_and_leave_nothing, .timeout = 10)
{
  struct digits_data *data = load();
  struct ktpu_options options = {.memory = 102400};
  struct ktpu_device *device = open_device("ref:int8", &options);
  logits_row *logits = calloc(899, sizeof *logits);
  struct digits_run run;
  struct kt_msg msg = {""};

  cr_expect(eq(int, digits_run(device, data, 898, 899, logits, &run, &msg), KT_ENOMEM));
  cr_expect(msg.text[0] != '\0');
  struct ktpu_stats stats;
  cr_assert(eq(int, ktpu_stats(device, &stats), KTPU_OK));
  cr_expect(eq(u64, stats.allocated, 0));
  cr_expect(eq(int, digits_run(device, data, 898, 100, logits, &run, &msg), KT_OK), "%s", msg.text);
  cr_expect(eq(uint, differing(data, 898, 100, logits), 0));
  free(logits);
  ktpu_close(device);
  free(data);
}

/* Were the biases, the constants or the relu lost, these would still be the plain network's. */
Test(digits_list, logits_follow_the_weights_the_constants_and_the_shift, .timeout = 20)
{
  struct digits_data *data = load();
  struct ktpu_device *device = open_device("ref:int8", NULL);
  logits_row logits[70];
  struct digits_run run;

  data->int8.shift = 3; /* the hidden layer saturates now */
  data->int8.constant1 = 127;
  data->int8.constant2 = 1;
  memset(data->int8.w1[DIGITS_PIXELS], -128, sizeof data->int8.w1[0] / 2);
  data->int8.w2[DIGITS_HIDDEN][9] = 127;
  cr_assert(eq(int, digits_run(device, data, 0, 70, logits, &run, NULL), KT_OK));
  cr_expect(eq(uint, differing(data, 0, 70, logits), 0));
  cr_expect(run.result.saturations > 0);
  ktpu_close(device);
  free(data);
}
