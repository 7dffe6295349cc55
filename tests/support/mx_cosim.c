/* SPDX-License-Identifier: Apache-2.0 */
#include "support/mx_cosim.h"

#include "host/kd_variant.h"
#include "spec/model/kr_mxgemm.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t mx_cosim_builds(char names[BENCH_BUILDS][BENCH_NAME])
{
  return bench_list(names, "KTPU_TEST_MX", "tested-mx");
}

void mx_cosim_open(struct mx_pair *pair, const char *build, const struct ktpu_options *options)
{
  char params[KD_VARIANT_MAX], name[KD_VARIANT_MAX + 8];
  struct ktpu_options o = options == NULL ? (struct ktpu_options){0} : *options;
  struct ktpu_message m;
  struct kt_msg msg;
  if (o.memory == 0) o.memory = 4 << 20;
  o.sim_dir = bench_sim_dir();
  cr_assert_eq(kd_variant_params(build, params, sizeof params, &msg), KT_OK, "%s", msg.text);
  snprintf(name, sizeof name, "sim:%s", params);
  cr_assert_eq(ktpu_open(name, &o, &pair->sim, &m), KTPU_OK, "%s", m.text);
  memcpy(name, "ref:", 4);
  cr_assert_eq(ktpu_open(name, &o, &pair->ref, &m), KTPU_OK, "%s", m.text);
  pair->p = pair->sim->link.mx;
}

void mx_cosim_close(struct mx_pair *pair)
{
  ktpu_close(pair->sim);
  ktpu_close(pair->ref);
}

/* ---- a GEMM ----------------------------------------------------------------------------------- */

static uint16_t element(struct bench_rng *r, enum mx_fill fill)
{
  const uint32_t v = (uint32_t)bench_next(r);
  switch (fill) {
  case MX_RANDOM: return (uint16_t)((v & 0x83ff) | (8 + (v >> 16) % 8) << 10);
  case MX_ANY: return (uint16_t)((v & 0x83ff) | (v >> 16) % 31 << 10);
  case MX_SPECIALS:
    return (v >> 16) % 97 == 0 ? (uint16_t)(v & 0x8000 ? 0xfc00 : 0x7e01)
                               : (uint16_t)((v & 0x83ff) | (v >> 16) % 31 << 10);
  case MX_LARGEST: return (uint16_t)(v & 0x8000 ? 0xfbff : 0x7bff);
  }
  return 0;
}

static uint16_t *operand(struct bench_rng *r, size_t count, enum mx_fill fill)
{
  uint16_t *x = malloc(count * sizeof *x);
  for (size_t i = 0; i < count; i++) x[i] = element(r, fill);
  return x;
}

static void numerics(const struct mx_problem *g, unsigned mw, const uint16_t *a, const uint16_t *b,
                     void *c)
{
  struct kr_mx_operand pa, pb;
  struct kr_mx_events e = {0};
  const size_t count = (size_t)g->m * g->n;
  uint32_t *tile = malloc(count * sizeof *tile);
  cr_assert_eq(kr_mx_pack(g->m, g->k, a, g->k, 1, &pa, &e), KT_OK);
  cr_assert_eq(kr_mx_pack(g->n, g->k, b, 1, g->n, &pb, &e), KT_OK);
  cr_assert_eq(kr_mx_tile(&pa, &pb, 1, mw, 1, tile, &e), KT_OK);
  if (g->out == KTPU_MX_F32)
    kr_mx_out_f32(tile, count, mw, c, &e);
  else
    kr_mx_out_f16(tile, count, mw, c, &e);
  kr_mx_free(&pa);
  kr_mx_free(&pb);
  free(tile);
}

static void compare(const struct mx_problem *g, const void *got, const void *want,
                    const char *who, char *text, size_t n)
{
  const size_t bytes = g->out == KTPU_MX_F32 ? 4 : 2;
  for (size_t i = 0; i < (size_t)g->m * g->n && text[0] == '\0'; i++) {
    uint32_t x = 0, y = 0;
    memcpy(&x, (const uint8_t *)got + i * bytes, bytes);
    memcpy(&y, (const uint8_t *)want + i * bytes, bytes);
    if (x != y)
      snprintf(text, n, "C[%zu][%zu] is 0x%" PRIx32 ", %s 0x%" PRIx32, i / g->n, i % g->n, x, who,
               y);
  }
}

uint64_t mx_cosim_gemm(struct mx_pair *pair, const struct mx_problem *g, enum mx_fill fill,
                       uint64_t seed, char *text, size_t n)
{
  struct bench_rng r = {seed};
  struct ktpu_mx_result got, model;
  const size_t count = (size_t)g->m * g->n;
  uint16_t *a = operand(&r, (size_t)g->m * g->k, fill);
  uint16_t *b = operand(&r, (size_t)g->k * g->n, fill);
  void *c = malloc(4 * count), *want = malloc(4 * count);
  struct ktpu_message m;
  struct ktpu_mx_gemm call = {.m = g->m, .k = g->k, .n = g->n, .a = a, .b = b, .c = c,
                              .out = g->out, .prequantised = g->prequantised};
  text[0] = '\0';
  if (ktpu_mx_gemm(pair->sim, &call, &got) != KTPU_OK) {
    ktpu_message(pair->sim, &m);
    snprintf(text, n, "%s", m.text);
  }
  numerics(g, pair->p.acc_mw, a, b, want);
  compare(g, c, want, "the numerics give", text, n);
  call.c = want;
  if (text[0] == '\0' && ktpu_mx_gemm(pair->ref, &call, &model) != KTPU_OK) {
    ktpu_message(pair->ref, &m);
    snprintf(text, n, "model: %s", m.text);
  }
  compare(g, c, want, "the machine model has", text, n);
  if (text[0] == '\0' && (memcmp(&got.raw, &model.raw, sizeof got.raw) != 0 ||
                          got.steps != model.steps || got.instructions != model.instructions))
    snprintf(text, n, "totals differ: steps %" PRIu64 "/%" PRIu64 ", poisoned %" PRIu64 "/%" PRIu64
             ", clamped %" PRIu64 "/%" PRIu64 ", flushed %" PRIu64 "/%" PRIu64 ", NaN %" PRIu64
             "/%" PRIu64 ", overflow %" PRIu64 "/%" PRIu64, got.steps, model.steps,
             got.raw.poisoned, model.raw.poisoned, got.raw.clamped, model.raw.clamped,
             got.raw.flushed, model.raw.flushed, got.raw.nan, model.raw.nan, got.raw.overflow,
             model.raw.overflow);
  free(a);
  free(b);
  free(c);
  free(want);
  return got.cycles;
}

/* ---- a round ---------------------------------------------------------------------------------- */

void mx_cosim_round(struct ktpu_device *d, const struct kc_mx_round *round, struct mx_outcome *o)
{
  struct ktpu_mx_result r = {0};
  const struct {
    uint32_t offset;
    uint32_t *to;
  } items[] = {
      {KT_MX_REG_STATUS, &o->status},         {KT_MX_REG_FAULT, &o->fault},
      {KT_MX_REG_FAULT_ARG, &o->arg},         {KT_MX_REG_FAULT_INSTR, &o->instr},
      {KT_MX_REG_FAULT_COMMAND, &o->command}, {KT_MX_REG_DONE_CODE, &o->code},
      {KT_MX_REG_COMPLETED, &o->completed},   {KT_MX_REG_RAW_OVERFLOW, &o->raw[0]},
      {KT_MX_REG_RAW_CLAMPED, &o->raw[1]},    {KT_MX_REG_RAW_FLUSHED, &o->raw[2]},
      {KT_MX_REG_RAW_NAN, &o->raw[3]},        {KT_MX_REG_RAW_POISONED, &o->raw[4]},
  };
  pthread_mutex_lock(&d->lock);
  const enum kt_status st = kd_mx_run(d, round, &r);
  cr_assert(st == KT_OK || st == KT_EFAULT, "%s: %s", d->name, d->msg.text);
  for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
    cr_assert_eq(kd_reg_read(d, items[i].offset, items[i].to), KT_OK);
  pthread_mutex_unlock(&d->lock);
}

const char *mx_outcome_text(const struct mx_outcome *o)
{
  static char text[2][240];
  static unsigned at;
  at ^= 1;
  snprintf(text[at], sizeof text[at],
           "status 0x%" PRIx32 " fault 0x%" PRIx32 " argument 0x%" PRIx32 " instruction %" PRIu32
           " command %" PRIu32 " code %" PRIu32 " completed %" PRIu32
           " raw %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32,
           o->status, o->fault, o->arg, o->instr, o->command, o->code, o->completed, o->raw[0],
           o->raw[1], o->raw[2], o->raw[3], o->raw[4]);
  return text[at];
}
