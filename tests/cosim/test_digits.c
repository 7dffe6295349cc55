/* SPDX-License-Identifier: Apache-2.0 */
/* The whole test part of the digits on the Verilog: its logits, the reference model's and plain
 * C's. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/digits/digits_list.h"

#define DATA "examples/digits/data"

enum { MEMORY = 512 * 1024 }; /* the example needs 180,000 bytes */

typedef int32_t logits_row[DIGITS_CLASSES];

struct sim_case {
  char build[48]; /* after "sim:" and "ref:" */
  uint32_t latency;
  uint64_t stall_seed;
  uint32_t images;
};

ParameterizedTestParameters(digits, verilog_model_and_plain_c_give_the_same_logits)
{
  static struct sim_case cases[] = {
      {"int8", 0, 0, 899},
      {"int8,T=8", 16, 0, 899},
      {"int8", 7, 20261130, 131},
  };
  return cr_make_param_array(struct sim_case, cases, sizeof cases / sizeof cases[0]);
}

static void classify(const char *kind, const struct sim_case *c, const struct digits_data *data,
                     logits_row *logits, struct digits_run *run)
{
  char name[64];
  snprintf(name, sizeof name, "%s:%s", kind, c->build);
  /* All of memory begins as noise. */
  struct ktpu_options options = {.memory = MEMORY, .power_seed = 1, .noise_seed = 2};
  options.latency = c->latency;
  options.stall_seed = c->stall_seed;
  struct ktpu_device *device;
  struct ktpu_message why = {""};
  cr_assert(eq(int, ktpu_open(name, &options, &device, &why), KTPU_OK), "%s: %s", name, why.text);

  struct kt_msg msg = {""};
  enum kt_status st = digits_run(device, data, data->train_images, c->images, logits, run, &msg);
  ktpu_close(device);
  cr_assert(eq(int, st, KT_OK), "%s: %s", name, msg.text);
}

ParameterizedTest(struct sim_case *c, digits, verilog_model_and_plain_c_give_the_same_logits,
                  .timeout = 300)
{
  struct digits_data *data = calloc(1, sizeof *data);
  cr_assert(eq(int, digits_load(data, DATA, NULL), KT_OK));
  logits_row *rtl = calloc(c->images, sizeof *rtl);
  logits_row *model = calloc(c->images, sizeof *model);
  struct digits_run on_rtl, on_model;
  classify("sim", c, data, rtl, &on_rtl);
  classify("ref", c, data, model, &on_model);

  unsigned compared = 0, right = 0;
  for (uint32_t i = 0; i < c->images; i++) {
    logits_row plain;
    digits_logits_int8(&data->int8, data->pixels[data->train_images + i], plain);
    for (int n = 0; n < DIGITS_CLASSES; n++, compared++) {
      cr_expect(eq(i32, rtl[i][n], plain[n]), "%s: image %u, logit %d", c->build, i, n);
      cr_expect(eq(i32, model[i][n], plain[n]), "%s: image %u, logit %d", c->build, i, n);
    }
    right += digits_class_int8(rtl[i]) == data->labels[data->train_images + i];
  }
  cr_expect(eq(uint, compared, c->images * DIGITS_CLASSES));
  if (c->images == 899) cr_expect(eq(uint, right, 849));
  cr_expect(eq(u64, on_rtl.result.saturations, on_model.result.saturations));
  cr_expect(eq(u64, on_rtl.result.wraps, on_model.result.wraps));
  cr_expect(eq(u64, on_rtl.result.descriptors, on_model.result.descriptors));
  cr_expect(on_rtl.result.cycles > 0);
  free(rtl);
  free(model);
  free(data);
}
