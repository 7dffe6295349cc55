/* SPDX-License-Identifier: Apache-2.0
 *
 * The MXFP7 quantiser and the block dot product, against exact integers. A finite binary16 is a
 * whole number of 2^-24, and so is twice the scale of every code: all of it fits 64 bits.
 */
#include "spec/model/kr_f16.h"
#include "spec/model/kr_mxfp7.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

enum { NEGATIVE = 0x8000, ONE = 0x3c00, LARGEST = 0x7bff, NAN16 = 0x7e01 };

/* |x| in units of 2^-24. */
static uint64_t value(uint16_t x)
{
  const unsigned e = (x >> 10) & 31, m = x & 1023;
  return e == 0 ? m : (uint64_t)(m | 1024) << (e - 1);
}

/* scale(code) in units of 2^-24 */
static uint64_t unit(unsigned code)
{
  return (uint64_t)(8 + code % 8) << (code / 8 + 1);
}

/* ---- By hand --------------------------------------------------------------------------------- */

/* 1.0: 63 * scale >= 1 needs scale >= 2^-6 * 64/63: (8 + M) * 2^(E-23) with E = 14 is (8 + M) / 512,
 * 63 * 8 / 512 = 0.98 is too small, 63 * 9 / 512 = 1.1 is enough. 1 / (9 / 512) = 56.9. */
Test(model_mxfp7, one_by_hand, .timeout = 5)
{
  cr_assert(eq(u8, kr_mx_code(ONE), 14 * 8 + 1));
  cr_assert(eq(u64, kr_mx_quotient(ONE, 14 * 8 + 1), 57));
}

/* 63 * 2^-20 is exactly 63 * scale(0); the next number needs code 1; half of the scale is a tie. */
Test(model_mxfp7, the_smallest_code_by_hand, .timeout = 5)
{
  cr_assert(eq(u8, kr_mx_code(63 * 16), 0));
  cr_assert(eq(u8, kr_mx_code(63 * 16 + 1), 1));
  cr_assert(eq(u64, kr_mx_quotient(8, 0), 0));  /* 8 * 2^-24 = scale(0) / 2: to even */
  cr_assert(eq(u64, kr_mx_quotient(24, 0), 2)); /* one and a half: to even */
  cr_assert(eq(u64, kr_mx_quotient(9, 0), 1));
}

Test(model_mxfp7, the_largest_number_needs_code_241, .timeout = 5)
{
  cr_assert(eq(u8, kr_mx_code(LARGEST), 30 * 8 + 1));
}

/* ---- Every number ---------------------------------------------------------------------------- */

Test(model_mxfp7, the_code_is_the_smallest_that_covers_every_binary16, .timeout = 60)
{
  unsigned compared = 0;
  for (unsigned x = 0; x <= LARGEST; x++) {
    const unsigned code = kr_mx_code((uint16_t)x);
    cr_assert(le(uint, code, 241));
    cr_assert(63 * unit(code) >= value((uint16_t)x), "0x%04x, code %u", x, code);
    cr_assert(code == 0 || 63 * unit(code - 1) < value((uint16_t)x), "0x%04x, code %u", x, code);
    cr_assert(eq(u8, kr_mx_code((uint16_t)(x | NEGATIVE)), (uint8_t)code));
    compared++;
  }
  cr_assert(eq(uint, compared, 31744));
}

/* q is RNE(x / u) exactly when |x - q u| <= u / 2, and q is even where that is an equality. */
Test(model_mxfp7, every_quotient_is_the_nearest_ties_to_even, .timeout = 120)
{
  unsigned long compared = 0, ties = 0;
  for (unsigned code = 0; code < KR_MX_POISON; code++) {
    const uint64_t u = unit(code);
    for (unsigned x = 0; x <= LARGEST; x++) {
      const uint64_t q = kr_mx_quotient((uint16_t)x, (uint8_t)code);
      const uint64_t v = value((uint16_t)x);
      const uint64_t twice = 2 * (v > q * u ? v - q * u : q * u - v);
      if (twice > u || (twice == u && q % 2 != 0)) cr_fatal("0x%04x / code %u gave %lu", x, code, q);
      ties += twice == u;
      compared++;
    }
  }
  cr_assert(eq(ulong, compared, 255ul * 31744));
  cr_assert(gt(ulong, ties, 10000));
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void check_block(const uint16_t *x)
{
  struct kr_mx_block b;
  uint16_t peak = 0;
  for (int i = 0; i < 32; i++) peak = value(x[i]) > value(peak) ? (uint16_t)(x[i] & 0x7fff) : peak;
  kr_mx_quantise(x, 1, 32, &b);
  cr_assert(eq(u8, b.scale, kr_mx_code(peak)));
  for (int i = 0; i < 32; i++) {
    const int q = (int)kr_mx_quotient(x[i], b.scale);
    cr_assert(le(int, q, 63));
    cr_assert(eq(int, b.q[i], (x[i] & NEGATIVE) != 0 ? -q : q));
  }
}

/* The peak at each code's boundary and at its neighbours, everything else at random below it. */
Test(model_mxfp7, blocks_with_peaks_on_every_code_boundary, .timeout = 60)
{
  unsigned boundaries = 0;
  srand(5);
  for (unsigned x = 1; x < LARGEST; x++) {
    if (kr_mx_code((uint16_t)x) == kr_mx_code((uint16_t)(x + 1))) continue;
    boundaries++;
    for (int off = -1; off <= 2; off++) {
      const unsigned peak = x + (unsigned)off <= LARGEST ? x + (unsigned)off : LARGEST;
      uint16_t block[32];
      for (int i = 0; i < 32; i++)
        block[i] = (uint16_t)((unsigned)rand() % (peak + 1) | (rand() % 2 ? NEGATIVE : 0u));
      block[rand() % 32] = (uint16_t)(peak | (rand() % 2 ? NEGATIVE : 0u));
      check_block(block);
    }
  }
  cr_assert(eq(uint, boundaries, 241));
}

Test(model_mxfp7, zeros_of_both_signs_and_subnormals, .timeout = 5)
{
  uint16_t x[32] = {0};
  struct kr_mx_block b;
  for (int i = 0; i < 32; i += 2) x[i] = NEGATIVE;
  kr_mx_quantise(x, 1, 32, &b);
  cr_assert(eq(u8, b.scale, 0));
  for (int i = 0; i < 32; i++) cr_assert(eq(int, b.q[i], 0));
  for (int i = 0; i < 32; i++) x[i] = (uint16_t)(i * 33 | (i % 2 ? NEGATIVE : 0));
  check_block(x);
}

static void check_poison(uint16_t bad)
{
  for (int at = 0; at < 32; at++) {
    uint16_t x[32];
    struct kr_mx_block b;
    for (int i = 0; i < 32; i++) x[i] = (uint16_t)(ONE + i);
    x[at] = bad;
    kr_mx_quantise(x, 1, 32, &b);
    cr_assert(eq(u8, b.scale, KR_MX_POISON));
    for (int i = 0; i < 32; i++) cr_assert(eq(int, b.q[i], 0));
  }
}

Test(model_mxfp7, an_inf_or_a_nan_anywhere_poisons_the_block, .timeout = 5)
{
  check_poison(KR_F16_INF);
  check_poison(KR_F16_INF | NEGATIVE);
  check_poison(NAN16);
  check_poison(NAN16 | NEGATIVE);
}

/* What lies past n, or between strided elements, is not looked at. */
Test(model_mxfp7, short_and_strided_blocks_count_the_rest_as_zero, .timeout = 5)
{
  uint16_t x[3 * 32];
  struct kr_mx_block b;
  for (int i = 0; i < 3 * 32; i++) x[i] = i % 3 == 0 && i < 15 ? ONE : NAN16;
  kr_mx_quantise(x, 3, 5, &b);
  cr_assert(eq(u8, b.scale, 14 * 8 + 1));
  for (int i = 0; i < 32; i++) cr_assert(eq(int, b.q[i], i < 5 ? 57 : 0));
}

/* ---- The dot product -------------------------------------------------------------------------- */

static int32_t dot_of(int a0, int a1, int b0, int b1)
{
  struct kr_mx_block a = {.scale = 0}, b = {.scale = 0};
  for (int i = 0; i < 32; i++) {
    a.q[i] = (int16_t)(i % 2 == 0 ? a0 : a1);
    b.q[i] = (int16_t)(i % 2 == 0 ? b0 : b1);
  }
  return kr_mx_dot(&a, &b);
}

Test(model_mxfp7, dot_products_at_the_extremes, .timeout = 5)
{
  cr_assert(eq(i32, dot_of(-64, -64, -64, -64), 131072)); /* 2^17: nineteen bits with the sign */
  cr_assert(eq(i32, dot_of(-64, -64, 63, 63), -129024));
  cr_assert(eq(i32, dot_of(63, 63, 63, 63), 127008));
  cr_assert(eq(i32, dot_of(63, -64, 63, -64), 16 * (3969 + 4096)));
  cr_assert(eq(i32, dot_of(63, -64, -64, 63), -32 * 4032));
  cr_assert(eq(i32, dot_of(1, -1, 63, 63), 0));
}
