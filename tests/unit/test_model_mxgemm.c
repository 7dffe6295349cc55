/* SPDX-License-Identifier: Apache-2.0
 *
 * The tensor-level reference of an MXFP7 GEMM: by hand, and its fast form against its plain one. The
 * arithmetic itself is tried in test_model_mxfp7.c and test_model_fp22.c.
 */
#include "spec/model/kr_mxgemm.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

enum { ONE = 0x3c00, TWO = 0x4000, MINUS_ONE = 0xbc00, MAX_M = 24, MAX_N = 150, MAX_K = 700 };

struct pair {
  struct kr_mx_operand a, b;
};

/* Row-major A and B packed along K. */
static struct pair pack(size_t m, size_t k, size_t n, const uint16_t *a, const uint16_t *b,
                        struct kr_mx_events *ev)
{
  struct pair p;
  cr_assert(eq(int, kr_mx_pack(m, k, a, k, 1, &p.a, ev), KT_OK));
  cr_assert(eq(int, kr_mx_pack(n, k, b, 1, n, &p.b, ev), KT_OK));
  return p;
}

static void drop(struct pair *p)
{
  kr_mx_free(&p->a);
  kr_mx_free(&p->b);
}

/* ---- By hand --------------------------------------------------------------------------------- */

/* 1 quantises to 57 at scale 9/512: 57 * 57 * 81 / 2^18 = 1.00391..., FP22 keeps 15 bits of
 * 263169 = 0b1000000010000000001: the last four go, 263168 / 2^18. */
Test(model_mxgemm, one_times_one_by_hand, .timeout = 5)
{
  const uint16_t one = ONE;
  uint32_t tile, single;
  uint16_t half;
  struct pair p = pack(1, 1, 1, &one, &one, NULL);
  cr_assert(eq(int, kr_mx_tile(&p.a, &p.b, 1, 14, 1, &tile, NULL), KT_OK));
  cr_assert(eq(u32, tile, 63u << 14 | (263168u - 262144u) >> 4));
  kr_mx_out_f16(&tile, 1, 14, &half, NULL);
  kr_mx_out_f32(&tile, 1, 14, &single, NULL);
  cr_assert(eq(u16, half, ONE + 4));
  cr_assert(eq(u32, single, 0x3f808000));
  drop(&p);
}

/* 64 along K: the second block is the first one's negative, so the sum is +0. */
Test(model_mxgemm, opposite_blocks_cancel_to_plus_zero, .timeout = 5)
{
  uint16_t a[64], b[64];
  uint32_t tile;
  for (int i = 0; i < 64; i++) {
    a[i] = i < 32 ? ONE : MINUS_ONE;
    b[i] = TWO;
  }
  struct pair p = pack(1, 64, 1, a, b, NULL);
  kr_mx_tile(&p.a, &p.b, 1, 14, 1, &tile, NULL);
  cr_assert(eq(u32, tile, 0));
  kr_mx_tile(&p.a, &p.b, 2, 14, 1, &tile, NULL);
  cr_assert(eq(u32, tile, 0));
  drop(&p);
}

/* One Inf in A poisons one block, hence its whole row of C, and nothing else. */
Test(model_mxgemm, a_poisoned_block_makes_its_row_nan_and_counts, .timeout = 5)
{
  uint16_t a[2 * 40], b[40 * 3], out[6];
  uint32_t tile[6];
  struct kr_mx_events ev = {0};
  for (int i = 0; i < 80; i++) a[i] = ONE;
  for (int i = 0; i < 120; i++) b[i] = ONE;
  a[40 + 35] = KR_F16_INF;
  struct pair p = pack(2, 40, 3, a, b, &ev);
  kr_mx_tile(&p.a, &p.b, 1, 14, 1, tile, &ev);
  kr_mx_out_f16(tile, 6, 14, out, &ev);
  for (int j = 0; j < 3; j++) cr_assert(all(ne(u16, out[j], KR_F16_NAN), eq(u16, out[3 + j], KR_F16_NAN)));
  cr_assert(all(eq(u64, ev.poisoned, 1), eq(u64, ev.nan, 3), eq(u64, ev.clamped, 0)));
  drop(&p);
}

Test(model_mxgemm, results_past_65504_clamp_and_count, .timeout = 5)
{
  const uint16_t big = 0x7bff, small = 0x0001;
  uint32_t tile;
  uint16_t out;
  struct kr_mx_events ev = {0};
  struct pair p = pack(1, 1, 1, &big, &big, NULL);
  kr_mx_tile(&p.a, &p.b, 1, 14, 1, &tile, &ev);
  kr_mx_out_f16(&tile, 1, 14, &out, &ev);
  cr_assert(all(eq(u16, out, 0x7bff), eq(u64, ev.clamped, 1), eq(u64, ev.overflow, 0)));
  drop(&p);
  p = pack(1, 1, 1, &small, &big, NULL); /* 2^-24 quantises to 0 */
  kr_mx_tile(&p.a, &p.b, 1, 14, 1, &tile, &ev);
  cr_assert(eq(u32, tile, 0));
  drop(&p);
}

/* ---- Fast against plain ----------------------------------------------------------------------- */

/* Exponents in a window of `span`, a tenth zeros; where `wild`, an Inf or a NaN now and then. */
static void fill(uint16_t *x, size_t count, unsigned span, bool wild)
{
  for (size_t i = 0; i < count; i++) {
    const unsigned e = 15 - span / 2 + (unsigned)rand() % span;
    x[i] = (uint16_t)((unsigned)(rand() & 1) << 15 | e << 10 | (unsigned)(rand() & 1023));
    if (rand() % 10 == 0) x[i] = 0;
    if (wild && rand() % 500 == 0) x[i] = KR_F16_INF;
  }
}

struct shape {
  size_t m, k, n, sk;
  unsigned span, mw, threads;
  bool wild;
};

static size_t check_shape(const struct shape *s)
{
  static uint16_t a[MAX_M * MAX_K], b[MAX_K * MAX_N];
  static uint32_t fast[MAX_M * MAX_N], plain[MAX_M * MAX_N];
  fill(a, s->m * s->k, s->span, s->wild);
  fill(b, s->k * s->n, s->span, s->wild);
  struct pair p = pack(s->m, s->k, s->n, a, b, NULL);
  cr_assert(eq(int, kr_mx_tile(&p.a, &p.b, s->sk, s->mw, s->threads, fast, NULL), KT_OK));
  cr_assert(eq(int, kr_mx_tile_plain(&p.a, &p.b, s->sk, s->mw, plain, NULL), KT_OK));
  for (size_t i = 0; i < s->m * s->n; i++)
    if (fast[i] != plain[i])
      cr_fatal("%zux%zux%zu sk %zu mw %u element %zu: 0x%06x, plain 0x%06x", s->m, s->k, s->n,
               s->sk, s->mw, i, fast[i], plain[i]);
  drop(&p);
  return s->m * s->n;
}

Test(model_mxgemm, fast_equals_plain_for_any_shape_split_width_and_threads, .timeout = 120)
{
  size_t compared = 0;
  srand(17);
  for (unsigned i = 0; i < 400; i++) {
    const struct shape s = {
        .m = 1 + (size_t)rand() % MAX_M, .k = 1 + (size_t)rand() % MAX_K,
        .n = 1 + (size_t)rand() % MAX_N, .sk = 1 + (size_t)rand() % 9,
        .span = 1 + (unsigned)rand() % 30, .mw = 10 + i % 9, .threads = 1 + i % 3,
        .wild = i % 4 == 0};
    compared += check_shape(&s);
  }
  cr_assert(gt(sz, compared, 100000));
}

/* The split changes the order of roundings: were SK ignored, this would not be seen. */
Test(model_mxgemm, the_split_of_k_changes_bits, .timeout = 20)
{
  static uint16_t a[MAX_K], b[MAX_K * MAX_N];
  static uint32_t one[MAX_N], four[MAX_N];
  srand(23);
  fill(a, MAX_K, 6, false);
  fill(b, MAX_K * MAX_N, 6, false);
  struct pair p = pack(1, MAX_K, MAX_N, a, b, NULL);
  kr_mx_tile(&p.a, &p.b, 1, 14, 1, one, NULL);
  kr_mx_tile(&p.a, &p.b, 4, 14, 1, four, NULL);
  cr_assert(ne(int, memcmp(one, four, sizeof one), 0));
  drop(&p);
}

Test(model_mxgemm, what_does_not_fit_together_is_refused, .timeout = 5)
{
  const uint16_t x[64] = {ONE};
  uint32_t tile;
  struct kr_mx_operand a, b;
  cr_assert(eq(int, kr_mx_pack(0, 1, x, 1, 1, &a, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_mx_pack(1, 0, x, 1, 1, &a, NULL), KT_EINVAL));
  kr_mx_pack(1, 32, x, 32, 1, &a, NULL);
  kr_mx_pack(1, 33, x, 33, 1, &b, NULL);
  cr_assert(eq(int, kr_mx_tile(&a, &b, 1, 14, 1, &tile, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_mx_tile(&a, &a, 0, 14, 1, &tile, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_mx_tile(&a, &a, 1, 9, 1, &tile, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_mx_tile(&a, &a, 1, 19, 1, &tile, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_mx_tile(&a, &a, 1, 14, 0, &tile, NULL), KT_EINVAL));
  kr_mx_free(&a);
  kr_mx_free(&b);
}
