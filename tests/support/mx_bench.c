/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/mx_bench.h"

#include "compiler/fuzz/kc_rng.h"
#include "spec/model/kr_mxentry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 96, NOISE = 0xa5 /* what memory holds besides operands */ };

/* ---- Operands ---------------------------------------------------------------------------------- */

static uint16_t random_half(struct kc_rng *rng, unsigned percent_special)
{
  static const uint16_t special[] = {0x7c00, 0xfc00, 0x7e01, 0x7bff, 0xfbff, 0x0001, 0x83ff, 0x0000,
                                     0x8000, 0x6400};
  if (kc_rng_percent(rng, percent_special)) return special[kc_rng_range(rng, 0, 9)];
  return (uint16_t)(kc_rng_range(rng, 0, 1) << 15 | kc_rng_range(rng, 11, 18) << 10 |
                    kc_rng_range(rng, 0, 1023));
}

static void put_half(uint8_t *at, uint16_t x)
{
  at[0] = (uint8_t)x;
  at[1] = (uint8_t)(x >> 8);
}

/* Where element (lane, k) of a binary16 operand lies. */
static uint64_t place(const struct kc_mx_operand *o, uint32_t lane, uint32_t k)
{
  if (o->form == KC_MX_ROWS) return o->addr + (uint64_t)lane * o->stride + 2 * (uint64_t)k;
  return o->addr + (uint64_t)(lane / 4) * o->stride + k / 4 * 32 + (lane % 4 * 4 + k % 4) * 2;
}

static struct kr_mx_operand make_operand(struct mx_bench *b, struct kc_rng *rng,
                                         const struct kc_mx_operand *o, uint32_t lanes)
{
  const uint32_t k = b->c.k;
  struct kr_mx_operand packed;
  uint16_t *x = malloc((size_t)lanes * k * sizeof *x);
  cr_assert(x != NULL);
  for (size_t i = 0; i < (size_t)lanes * k; i++) x[i] = random_half(rng, b->c.percent_special);
  cr_assert(eq(int, kr_mx_pack(lanes, k, x, k, 1, &packed, &b->events), KT_OK));
  if (o->form == KC_MX_ENTRIES) {
    kr_mx_entries(&packed, b->memory + o->addr);
  } else {
    for (uint32_t l = 0; l < lanes; l++)
      for (uint32_t i = 0; i < k; i++) put_half(b->memory + place(o, l, i), x[(size_t)l * k + i]);
  }
  free(x);
  return packed;
}

static uint64_t put_range(uint64_t *end, uint64_t bytes)
{
  const uint64_t at = *end + GAP;
  *end = (at + bytes + 31) / 32 * 32;
  return at;
}

struct mx_bench mx_bench_new(const struct mx_case *c, uint64_t seed)
{
  struct mx_bench b = {.c = *c};
  struct kc_rng rng = kc_rng_seed(seed);
  struct kt_msg msg = {{0}};
  struct kc_mx_task *t = &b.task;
  uint64_t end = 0;

  cr_assert(eq(int, kt_mx_params_parse(&b.p, c->params, &msg), KT_OK), "%s", msg.text);
  *t = (struct kc_mx_task){.m = c->m, .k = c->k, .n = c->n, .sk = 1, .a.form = c->a, .b.form = c->b,
                           .c_f32 = c->f32};
  t->a.addr = (uint32_t)put_range(&end, kc_mx_operand_bytes(c->a, c->m, c->k, &t->a.stride));
  t->b.addr = (uint32_t)put_range(&end, kc_mx_operand_bytes(c->b, c->n, c->k, &t->b.stride));
  t->c_addr = (uint32_t)put_range(&end, kc_mx_c_bytes(c->m, c->n, c->f32, &t->c_stride));
  b.c_end = end;
  b.memory_bytes = end + GAP;
  b.memory = malloc(b.memory_bytes);
  cr_assert(b.memory != NULL);
  memset(b.memory, NOISE, b.memory_bytes);
  b.a = make_operand(&b, &rng, &t->a, c->m);
  b.b = make_operand(&b, &rng, &t->b, c->n);
  b.machine = kr_mxmach_new(&b.p);
  cr_assert(b.machine != NULL);
  cr_assert(eq(int, kr_mxmach_memory(b.machine, b.memory, b.memory_bytes), KT_OK));
  kr_mxmach_write(b.machine, KT_MX_REG_MEMORY_BYTES, (uint32_t)b.memory_bytes, NULL);
  return b;
}

void mx_bench_free(struct mx_bench *b)
{
  kr_mxmach_free(b->machine);
  kr_mx_free(&b->a);
  kr_mx_free(&b->b);
  kc_mx_program_free(&b->program);
  free(b->memory);
}

/* ---- Running ----------------------------------------------------------------------------------- */

enum kt_status mx_bench_round(struct kr_mxmach *m, const struct kc_mx_round *r, struct kt_msg *msg)
{
  kr_mxmach_write(m, KT_MX_REG_STAGE_INDEX, 0, NULL);
  for (size_t i = 0; i < r->n_flits; i++)
    for (size_t w = 0; w < KT_MX_FLIT_WORDS; w++)
      kr_mxmach_write(m, KT_MX_REG_STAGE_DATA, r->flits[i].word[w], NULL);
  kr_mxmach_write(m, KT_MX_REG_COMMAND_INDEX, 0, NULL);
  for (size_t i = 0; i < r->n_commands; i++)
    for (size_t w = 0; w < KT_MX_COMMAND_WORDS; w++)
      kr_mxmach_write(m, KT_MX_REG_COMMAND_DATA, r->commands[i].word[w], NULL);
  return kr_mxmach_write(m, KT_MX_REG_CONTROL, 1, msg);
}

/* What memory should hold: NULL where it may hold anything (C past M and N). */
static void put_expected(const struct mx_bench *b, const uint32_t *tile, uint8_t *want, uint8_t *care)
{
  const struct kc_mx_task *t = &b->task;
  const uint32_t size = b->c.f32 ? 4 : 2;

  for (uint64_t i = t->c_addr; i < b->c_end; i++) care[i] = 0;
  for (uint32_t r = 0; r < t->m; r++) {
    for (uint32_t c = 0; c < t->n; c++) {
      const uint64_t at = t->c_addr + (uint64_t)(r / 4) * t->c_stride + c / 4 * 16 * size +
                          (r % 4 * 4 + c % 4) * size;
      const uint32_t x = tile[(size_t)r * t->n + c];
      uint32_t bits = 0;
      uint16_t half = 0;
      if (b->c.f32) kr_mx_out_f32(&x, 1, b->p.acc_mw, &bits, NULL);
      else kr_mx_out_f16(&x, 1, b->p.acc_mw, &half, NULL);
      if (!b->c.f32) bits = half;
      for (uint32_t i = 0; i < size; i++) {
        want[at + i] = (uint8_t)(bits >> (8 * i));
        care[at + i] = 1;
      }
    }
  }
}

static void compare(const struct mx_bench *b, const uint8_t *want, const uint8_t *care)
{
  uint64_t compared = 0;
  for (uint64_t i = 0; i < b->memory_bytes; i++) {
    if (!care[i]) continue;
    compared++;
    cr_assert(b->memory[i] == want[i], "%s %ux%ux%u: byte 0x%llx (C at 0x%x) is 0x%02x, not 0x%02x",
              b->c.params, b->c.m, b->c.k, b->c.n, (unsigned long long)i, b->task.c_addr,
              b->memory[i], want[i]);
  }
  cr_assert(ge(u64, compared, (uint64_t)b->c.m * b->c.n * 2));
}

static void judge(const struct mx_bench *b, const uint8_t *before)
{
  uint32_t *tile = malloc((size_t)b->c.m * b->c.n * sizeof *tile);
  uint8_t *want = malloc(b->memory_bytes), *care = malloc(b->memory_bytes);
  cr_assert(tile != NULL && want != NULL && care != NULL);
  memcpy(want, before, b->memory_bytes);
  memset(care, 1, b->memory_bytes);
  cr_assert(eq(int, kr_mx_tile(&b->a, &b->b, 1, b->p.acc_mw, 1, tile, NULL), KT_OK));
  put_expected(b, tile, want, care);
  compare(b, want, care);
  free(tile);
  free(want);
  free(care);
}

void mx_bench_run(struct mx_bench *b)
{
  struct kt_msg msg = {{0}};
  uint8_t *before = malloc(b->memory_bytes);

  cr_assert(before != NULL);
  memcpy(before, b->memory, b->memory_bytes);
  cr_assert(eq(int, kc_mx_emit(&b->p, &b->task, &b->program, &msg), KT_OK), "%s %ux%ux%u: %s",
            b->c.params, b->c.m, b->c.k, b->c.n, msg.text);
  cr_assert(gt(sz, b->program.n_rounds, 0));
  for (size_t i = 0; i < b->program.n_rounds; i++) {
    cr_assert(eq(int, mx_bench_round(b->machine, &b->program.rounds[i], &msg), KT_OK), "%s", msg.text);
    cr_assert(eq(u32, kr_mxmach_read(b->machine, KT_MX_REG_FAULT), 0),
              "%s %ux%ux%u round %zu: fault 0x%x arg 0x%x instruction %u", b->c.params, b->c.m, b->c.k,
              b->c.n, i, kr_mxmach_read(b->machine, KT_MX_REG_FAULT),
              kr_mxmach_read(b->machine, KT_MX_REG_FAULT_ARG),
              kr_mxmach_read(b->machine, KT_MX_REG_FAULT_INSTR));
  }
  judge(b, before);
  free(before);
}
