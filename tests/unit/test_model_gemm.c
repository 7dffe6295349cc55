/* SPDX-License-Identifier: Apache-2.0
 *
 * The tensor-level reference of spec/model/kr_gemm.c by hand, and programs on the model against it.
 */
#include "spec/model/kr_gemm.h"
#include "support/model_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* ---- By hand --------------------------------------------------------------------------------- */

Test(model_gemm, product_by_hand_with_strides, .timeout = 5)
{
  static const int8_t a[2 * 4] = {1, 2, 3, 99, -4, 5, -128, 99};
  static const int8_t b[3 * 3] = {7, -1, 99, 0, 127, 99, 2, -128, 99};
  static const int32_t want[4] = {13, -131, -284, 17023};
  int32_t acc[4];
  struct kr_events ev = {0};

  cr_assert(eq(int, kr_gemm_i8(2, 3, 2, a, 4, b, 3, 4, acc, &ev), KT_OK));
  for (int i = 0; i < 4; i++) cr_assert(eq(i32, acc[i], want[i]));
  cr_assert(eq(u64, ev.wrap, 0));
}

/* 131,072 products of 2^14 are 2^31: one more than fits. Each block adds 2^16. */
Test(model_gemm, wraps_at_two_to_the_31_and_counts_once, .timeout = 20)
{
  const size_t k = 131072;
  int8_t *a = malloc(k), *b = malloc(k);
  int32_t acc;
  struct kr_events ev = {0};

  memset(a, -128, k);
  memset(b, -128, k);
  cr_assert(eq(int, kr_gemm_i8(1, k - 4, 1, a, k, b, 1, 4, &acc, &ev), KT_OK));
  cr_assert(all(eq(i32, acc, INT32_MAX - 65535), eq(u64, ev.wrap, 0)));
  cr_assert(eq(int, kr_gemm_i8(1, k, 1, a, k, b, 1, 4, &acc, &ev), KT_OK));
  cr_assert(all(eq(i32, acc, INT32_MIN), eq(u64, ev.wrap, 1)));
  memset(b, 127, k); /* -2^31 needs a little more */
  cr_assert(eq(int, kr_gemm_i8(1, k, 1, a, k, b, 1, 8, &acc, &ev), KT_OK));
  cr_assert(all(eq(i32, acc, -16256 * 131072), eq(u64, ev.wrap, 1)));
  free(a);
  free(b);
}

Test(model_gemm, the_k_blocks_decide_the_events_not_the_value, .timeout = 20)
{
  const size_t k = 200000;
  int8_t *a = malloc(k), *b = malloc(k);
  int32_t acc[2];
  struct kr_events ev[2] = {{0}, {0}};

  memset(a, -128, k);
  for (size_t i = 0; i < k; i++) b[i] = i >= 131068 && i % 8 >= 4 ? 127 : -128; /* to and fro */
  cr_assert(eq(int, kr_gemm_i8(1, k, 1, a, k, b, 1, 4, &acc[0], &ev[0]), KT_OK));
  cr_assert(eq(int, kr_gemm_i8(1, k, 1, a, k, b, 1, 8, &acc[1], &ev[1]), KT_OK));
  cr_assert(eq(i32, acc[0], acc[1]));
  cr_assert(gt(u64, ev[0].wrap, ev[1].wrap + 5));
  free(a);
  free(b);
}

Test(model_gemm, relu_and_output_by_hand, .timeout = 5)
{
  int32_t acc[6] = {5, -3, 1000, INT32_MIN, 10, -1000};
  int8_t out[2 * 4];
  struct kr_events ev = {0};
  static const int8_t plain[8] = {5, -3, 127, 0x55, -128, 10, -128, 0x55};
  static const int8_t shifted[8] = {1, 0, 127, 0x55, 0, 2, 0, 0x55}; /* 5/4, 250, 10/4 to even */

  memset(out, 0x55, sizeof out);
  cr_assert(eq(int, kr_out_i8(2, 3, acc, 0, out, 4, &ev), KT_OK));
  cr_assert(eq(int, memcmp(out, plain, 8), 0));
  cr_assert(eq(u64, ev.sat, 3));
  kr_relu_i32(acc, 6);
  cr_assert(all(eq(i32, acc[1], 0), eq(i32, acc[2], 1000), eq(i32, acc[3], 0)));
  cr_assert(eq(int, kr_out_i8(2, 3, acc, 2, out, 4, &ev), KT_OK));
  cr_assert(eq(int, memcmp(out, shifted, 8), 0));
  cr_assert(eq(u64, ev.sat, 4));
}

Test(model_gemm, shapes_and_strides_are_checked, .timeout = 5)
{
  int8_t x[4] = {0};
  int32_t acc[4];

  cr_assert(eq(int, kr_gemm_i8(0, 1, 1, x, 1, x, 1, 4, acc, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_gemm_i8(1, 0, 1, x, 1, x, 1, 4, acc, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_gemm_i8(1, 1, 0, x, 1, x, 1, 4, acc, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_gemm_i8(1, 2, 1, x, 1, x, 1, 4, acc, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_gemm_i8(1, 1, 2, x, 1, x, 1, 4, acc, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_gemm_i8(1, 1, 1, x, 1, x, 1, 0, acc, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_gemm_i8(1, 1, 1, x, 1, x, 1, 1024, acc, NULL), KT_OK));
  cr_assert(eq(int, kr_gemm_i8(1, 1, 1, x, 1, x, 1, 1025, acc, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_out_i8(1, 1, acc, 31, x, 1, NULL), KT_OK));
  cr_assert(eq(int, kr_out_i8(1, 1, acc, 32, x, 1, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_out_i8(1, 2, acc, 0, x, 1, NULL), KT_EINVAL));
}

/* ---- Programs -------------------------------------------------------------------------------- */

struct shape {
  uint32_t t, m, k, n;
  uint32_t form, shift;
  bool relu;
};

static const struct shape shapes[] = {
    {4, 4, 4, 4, KT_FORM_INT32, 0, false},         {4, 8, 8, 8, KT_FORM_INT8, 0, true},
    {4, 12, 12, 12, KT_FORM_INT8, 0, false},       {4, 16, 16, 8, KT_FORM_INT8_SHIFT, 6, false},
    {4, 16, 16, 16, KT_FORM_INT32, 0, true},       {4, 5, 1, 3, KT_FORM_INT32, 0, false},
    {4, 7, 13, 11, KT_FORM_INT8_SHIFT, 5, true},   {8, 16, 16, 16, KT_FORM_INT8_SHIFT, 7, false},
    {8, 8, 8, 16, KT_FORM_INT32, 0, false},        {8, 13, 9, 15, KT_FORM_INT8, 0, false},
    {16, 16, 16, 16, KT_FORM_INT32, 0, true},      {16, 11, 15, 1, KT_FORM_INT8_SHIFT, 31, false},
    {4, 16, 16, 16, KT_FORM_INT8_SHIFT, 8, false},
};

static uint32_t next(uint32_t *state)
{
  return (*state = *state * 1664525u + 1013904223u) >> 16;
}

/* The looped program: first k block overwrites, the others accumulate. */
static size_t write_program(const struct shape *s, struct kt_insn *in)
{
  uint16_t t = (uint16_t)s->t, m = (uint16_t)s->m, k = (uint16_t)s->k;
  uint16_t kt = (uint16_t)((k + t - 1) / t), nt = (uint16_t)((s->n + t - 1) / t), n = 0;
  uint16_t kp = (uint16_t)(kt * t);

  in[n++] = (struct kt_insn)LOOP(kt);
  in[n++] = (struct kt_insn)LD(A_VR, 0, 0, 0, m, TERMS({3, 0, 1}, {4, 0, m}));
  in[n++] = (struct kt_insn)ENDLOOP();
  in[n++] = (struct kt_insn)LOOP(nt);
  in[n++] = (struct kt_insn)LD(B_SPAD, 0, 0, 0, kp, TERMS({3, 0, 1}));
  in[n++] = (struct kt_insn)MM(0, 0, 0, 0, m);
  if (kt > 1) {
    in[n++] = (struct kt_insn)LOOP((uint16_t)(kt - 1));
    in[n++] = (struct kt_insn)MM(m, 0, 1, t, m, TERMS({1, 1, m}, {4, 1, t}));
    in[n++] = (struct kt_insn)ENDLOOP();
  }
  if (s->relu) in[n++] = (struct kt_insn)VRELU(64, 0, m);
  in[n++] = (struct kt_insn)MVOUT((uint16_t)(s->relu ? 64 : 0), 0, 0, m, TERMS({3, 0, 1}));
  in[n++] = (struct kt_insn)ENDLOOP();
  return n;
}

/* Garbage everywhere, B's rows past K zero. */
static void fill(struct model_bench *b, const struct shape *s, uint32_t seed)
{
  uint32_t kp = (s->k + s->t - 1) / s->t * s->t;

  for (uint32_t i = MB_A; i < MB_MEM; i++) b->mem.bytes[i] = (uint8_t)next(&seed);
  for (uint32_t r = s->k; r < kp; r++) memset(b->mem.bytes + MB_B + 16 * r, 0, 16);
}

static void compare(const struct model_bench *b, const struct shape *s, const int32_t *acc,
                    struct kr_events *ev)
{
  int8_t out[16 * 16];

  cr_assert(eq(int, kr_out_i8(s->m, s->n, acc, s->shift, out, s->n, ev), KT_OK));
  for (uint32_t i = 0; i < s->m; i++) {
    for (uint32_t j = 0; j < s->n; j++) {
      int32_t want = s->form == KT_FORM_INT32 ? acc[i * s->n + j] : out[i * s->n + j];
      int32_t got =
          s->form == KT_FORM_INT32 ? mb_get_i32(b, MB_C + 64 * i + 4 * j) : mb_get(b, MB_C, i, j);
      cr_assert(eq(i32, got, want), "%lux%lux%lu row %lu column %lu", (unsigned long)s->m,
                (unsigned long)s->k, (unsigned long)s->n, (unsigned long)i, (unsigned long)j);
    }
  }
}

/* Nothing but C's rows, columns rounded up to T, may differ from before. */
static void expect_untouched(const struct model_bench *b, const struct shape *s,
                             const uint8_t *before)
{
  uint32_t np = (s->n + s->t - 1) / s->t * s->t, size = s->form == KT_FORM_INT32 ? 4 : 1;

  for (uint32_t i = 0; i < MB_MEM; i++) {
    uint32_t row = i < MB_C ? UINT32_MAX : (i - MB_C) / (16 * size), col = (i - MB_C) % (16 * size);
    if (i >= MB_C && row < s->m && col < np * size) continue;
    if (b->mem.bytes[i] != before[i])
      cr_assert(eq(u8, b->mem.bytes[i], before[i]), "0x%lx", (unsigned long)i);
  }
}

static void run_shape(const struct shape *s, uint32_t seed)
{
  struct model_bench b;
  struct kt_insn in[MB_MAX_INSNS];
  struct kr_events ev = {0};
  int32_t acc[16 * 16];
  char params[64];
  uint8_t *before = malloc(MB_MEM);

  snprintf(params, sizeof params, "int8,T=%lu,MAXDIM=16", (unsigned long)s->t);
  mb_open(&b, params);
  kr_int8_scramble(b.m, seed);
  fill(&b, s, seed);
  b.desc[0].form = s->form;
  b.desc[0].shift = s->shift;
  mb_program(&b, 0, in, write_program(s, in));
  memcpy(before, b.mem.bytes, MB_MEM);
  cr_assert(eq(int, mb_run(&b), KT_OK), "%s", b.msg.text);
  cr_assert(eq(u32, b.r.fault.code, 0), "%s", mb_fault_text(&b.r.fault).s);
  const int8_t *a = (const int8_t *)before + MB_A, *bb = (const int8_t *)before + MB_B;
  cr_assert(eq(int, kr_gemm_i8(s->m, s->k, s->n, a, 16, bb, 16, s->t, acc, &ev), KT_OK));
  if (s->relu) kr_relu_i32(acc, s->m * s->n);
  compare(&b, s, acc, &ev);
  expect_untouched(&b, s, before);
  if (s->form != KT_FORM_INT32 && s->n % s->t == 0) cr_assert(eq(u64, b.r.event_sat, ev.sat));
  free(before);
  mb_close(&b);
}

Test(model_gemm, programs_equal_the_tensor_reference, .timeout = 30)
{
  const char *text = getenv("SEED");
  uint32_t seed = text == NULL ? 1 : (uint32_t)strtoul(text, NULL, 10);

  printf("seed %lu\n", (unsigned long)seed);
  for (size_t i = 0; i < COUNT(shapes); i++)
    for (uint32_t round = 0; round < 5; round++) run_shape(&shapes[i], seed + round);
}
