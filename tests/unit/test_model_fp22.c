/* SPDX-License-Identifier: Apache-2.0
 *
 * FP22 against MPFR: a correctly rounded number of mw + 1 bits is what mpfr_add and mpfr_set give at
 * that precision. Nothing here goes through binary64.
 */
#include "spec/model/kr_fp22.h"
#include "spec/model/kr_mxfp7.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Oracle ----------------------------------------------------------------------------------- */

/* A word of width mw as an MPFR number; the caller knows that it is finite. */
static void set_word(mpfr_t to, unsigned mw, uint32_t x)
{
  const int e = (int)((x >> mw) & 127);
  const unsigned long sig = (1ul << mw) | (x & ((1ul << mw) - 1));
  mpfr_set_ui_2exp(to, e == 0 ? 0 : sig, e - 63 - (int)mw, MPFR_RNDN);
  if (((x >> (mw + 7)) & 1) != 0) mpfr_neg(to, to, MPFR_RNDN);
}

/* The word of a number that already has mw + 1 bits. *overflow as the page says. */
static uint32_t get_word(mpfr_t from, unsigned mw, bool *overflow)
{
  *overflow = false;
  if (mpfr_zero_p(from)) return 0;
  const uint32_t sign = mpfr_signbit(from) ? 1u << (mw + 7) : 0;
  const long e = mpfr_get_exp(from) - 1 + 63;
  if (e > 126) {
    *overflow = true;
    return sign | ((127u << mw) - 1);
  }
  mpfr_mul_2si(from, from, (long)mw - (e - 63), MPFR_RNDN);
  const unsigned long sig = labs(mpfr_get_si(from, MPFR_RNDN));
  return sign | ((uint32_t)e << mw) | (uint32_t)(sig - (1ul << mw));
}

struct tally {
  unsigned long compared, ties, carries, cancelled, overflows, nans;
};

/* What happened in a + b = exact -> rounded, by the numbers. */
static void tally_sum(struct tally *t, mpfr_t a, mpfr_t b, mpfr_t exact, mpfr_t rounded,
                      unsigned mw)
{
  mpfr_t gap, place;
  if (mpfr_zero_p(a) || mpfr_zero_p(b)) return;
  if (mpfr_zero_p(exact)) {
    t->cancelled++;
    return;
  }
  mpfr_inits2(300, gap, place, NULL);
  const long top = mpfr_get_exp(exact);
  const long in = mpfr_get_exp(a) > mpfr_get_exp(b) ? mpfr_get_exp(a) : mpfr_get_exp(b);
  mpfr_set_ui_2exp(place, 1, top - (long)mw - 2, MPFR_RNDN); /* half a last place */
  mpfr_sub(gap, exact, rounded, MPFR_RNDN);
  t->ties += mpfr_cmpabs(gap, place) == 0;
  t->carries += mpfr_get_exp(rounded) > top;
  t->cancelled += top < in - 1;
  mpfr_clears(gap, place, NULL);
}

static void check_add(struct tally *t, unsigned mw, uint32_t x, uint32_t y)
{
  mpfr_t a, b, exact, sum;
  bool overflow;
  struct kr_fp22 f = {.mw = mw, .overflow = false};

  mpfr_inits2(300, a, b, exact, NULL);
  mpfr_init2(sum, mw + 1);
  set_word(a, mw, x);
  set_word(b, mw, y);
  mpfr_add(exact, a, b, MPFR_RNDN);
  mpfr_add(sum, a, b, MPFR_RNDN);
  if (t != NULL) tally_sum(t, a, b, exact, sum, mw);
  const uint32_t want = get_word(sum, mw, &overflow);
  const uint32_t got = kr_fp22_add(&f, x, y);
  if (got != want || f.overflow != overflow)
    cr_fatal("mw %u: 0x%06x + 0x%06x gave 0x%06x, want 0x%06x", mw, x, y, got, want);
  if (t != NULL) {
    t->compared++;
    t->overflows += overflow;
  }
  mpfr_clears(a, b, exact, sum, NULL);
}

static uint32_t word(unsigned mw, unsigned negative, unsigned e, uint32_t m)
{
  return (uint32_t)negative << (mw + 7) | (uint32_t)e << mw | m;
}

static uint32_t random32(void)
{
  return (uint32_t)rand() << 16 ^ (uint32_t)rand();
}

/* ---- Addition --------------------------------------------------------------------------------- */

/* Every pair of words whose exponents lie in a window wider than all alignments that matter. */
static void exhaust(unsigned mw, unsigned window)
{
  struct tally t = {0};
  const unsigned count = 2u * window << mw;
  for (unsigned i = 0; i <= count; i++) {
    for (unsigned j = 0; j <= count; j++) {
      const uint32_t x = i == count ? 0 : word(mw, i & 1, 60 + (i >> 1) % window, (i >> 1) / window);
      const uint32_t y = j == count ? 0 : word(mw, j & 1, 60 + (j >> 1) % window, (j >> 1) / window);
      check_add(&t, mw, x, y);
    }
  }
  printf("mw %u: %lu sums, %lu ties, %lu carries, %lu cancellations\n", mw, t.compared, t.ties,
         t.carries, t.cancelled);
  cr_assert(all(eq(ulong, t.compared, (count + 1ul) * (count + 1)), gt(ulong, t.ties, 0),
                gt(ulong, t.carries, 0), gt(ulong, t.cancelled, 0)));
}

Test(model_fp22, every_sum_at_mantissa_3, .timeout = 120)
{
  exhaust(3, 8);
}

Test(model_fp22, every_sum_at_mantissa_4, .timeout = 300)
{
  exhaust(4, 9);
}

/* Each distance of the exponents, with the mantissas where rounding turns. */
Test(model_fp22, alignment_sweep_at_every_width, .timeout = 120)
{
  struct tally t = {0};
  for (unsigned mw = KR_FP22_MW_MIN; mw <= KR_FP22_MW_MAX; mw++) {
    const uint32_t top = (1u << mw) - 1, half = 1u << (mw - 1);
    const uint32_t m[] = {0, 1, 2, 3, half - 1, half, half + 1, top - 1, top};
    for (unsigned distance = 0; distance < 2 * mw + 6; distance++)
      for (unsigned i = 0; i < 9 * 9 * 4; i++)
        check_add(&t, mw, word(mw, i & 1, 80, m[(i >> 2) % 9]),
                  word(mw, (i >> 1) & 1, 80 - distance, m[(i >> 2) / 9]));
  }
  cr_assert(all(gt(ulong, t.compared, 90000), gt(ulong, t.ties, 100), gt(ulong, t.carries, 100),
                gt(ulong, t.cancelled, 100)));
}

/* Exponents close together, so that the sums meet; a sixth of the pairs at full range. */
Test(model_fp22, random_sums, .timeout = 300)
{
  struct tally t = {0};
  const unsigned mw = KR_FP22_MW;
  srand(7);
  for (unsigned i = 0; i < 400000; i++) {
    const unsigned span = i % 6 == 0 ? 87 : 18;
    const unsigned ex = 40 + (unsigned)rand() % span, ey = 40 + (unsigned)rand() % span;
    check_add(&t, mw, word(mw, random32() & 1, ex, random32() & 0x3fff),
              word(mw, random32() & 1, ey, random32() & 0x3fff));
  }
  printf("mw %u: %lu sums, %lu ties, %lu carries, %lu cancellations\n", mw, t.compared, t.ties,
         t.carries, t.cancelled);
  cr_assert(all(gt(ulong, t.ties, 100), gt(ulong, t.carries, 0), gt(ulong, t.cancelled, 1000)));
}

Test(model_fp22, sums_past_the_largest_number_stay_there_and_count, .timeout = 5)
{
  struct tally t = {0};
  const uint32_t most = word(14, 0, 126, 0x3fff);
  for (unsigned e = 100; e <= 126; e++) {
    check_add(&t, 14, most, word(14, 0, e, 0));
    check_add(&t, 14, word(14, 1, 126, 0x3fff), word(14, 1, e, 0x1234));
    check_add(&t, 14, most, word(14, 1, e, 0));
  }
  cr_assert(all(gt(ulong, t.overflows, 10), lt(ulong, t.overflows, t.compared)));
}

Test(model_fp22, nan_is_absorbing_and_odd_words_count_as_zero_or_nan, .timeout = 5)
{
  struct kr_fp22 f = {.mw = 14, .overflow = false};
  const uint32_t one = word(14, 0, 63, 0);
  cr_assert(eq(u32, kr_fp22_nan(14), 0x1fe000));
  cr_assert(eq(u32, kr_fp22_add(&f, one, word(14, 1, 127, 5)), 0x1fe000));
  cr_assert(eq(u32, kr_fp22_add(&f, word(14, 0, 127, 0), one), 0x1fe000));
  cr_assert(eq(u32, kr_fp22_add(&f, one, word(14, 1, 0, 77)), one));
  cr_assert(eq(u32, kr_fp22_add(&f, one, word(14, 1, 63, 0)), 0));
  cr_assert(not(f.overflow));
}

/* ---- A block's product ------------------------------------------------------------------------ */

static void check_scale(unsigned mw, int32_t part, uint8_t sa, uint8_t sb)
{
  mpfr_t exact, v;
  bool overflow;
  struct kr_fp22 f = {.mw = mw, .overflow = false};
  mpfr_init2(exact, 100);
  mpfr_init2(v, mw + 1);
  mpfr_set_si(exact, part, MPFR_RNDN);
  mpfr_mul_ui(exact, exact, 8 + sa % 8u, MPFR_RNDN);
  mpfr_mul_ui(exact, exact, 8 + sb % 8u, MPFR_RNDN);
  mpfr_mul_2si(exact, exact, sa / 8 + sb / 8 - 46, MPFR_RNDN);
  mpfr_set(v, exact, MPFR_RNDN);
  const uint32_t want = get_word(v, mw, &overflow);
  const uint32_t got = kr_fp22_scale(&f, part, sa, sb);
  if (got != want || f.overflow)
    cr_fatal("mw %u: %d at codes %u, %u gave 0x%06x, want 0x%06x", mw, part, sa, sb, got, want);
  mpfr_clears(exact, v, NULL);
}

Test(model_fp22, block_products_at_every_width, .timeout = 60)
{
  static const int32_t ends[] = {0, 1, -1, 131072, -129024, 127008, 65535, -65537};
  srand(11);
  for (unsigned mw = KR_FP22_MW_MIN; mw <= KR_FP22_MW_MAX; mw++) {
    for (unsigned i = 0; i < 8 * 255; i++)
      check_scale(mw, ends[i % 8], (uint8_t)(i / 8), (uint8_t)(rand() % 255));
    for (unsigned i = 0; i < 20000; i++)
      check_scale(mw, rand() % 260097 - 129024, (uint8_t)(rand() % 255), (uint8_t)(rand() % 255));
  }
}

Test(model_fp22, a_poisoned_block_gives_nan, .timeout = 5)
{
  struct kr_fp22 f = {.mw = 14, .overflow = false};
  cr_assert(eq(u32, kr_fp22_scale(&f, 0, 0xff, 3), 0x1fe000));
  cr_assert(eq(u32, kr_fp22_scale(&f, 0, 3, 0xff), 0x1fe000));
}

/* ---- Ways out --------------------------------------------------------------------------------- */

/* binary16 by MPFR: eleven bits, the exponents of binary16, subnormals. */
static uint16_t f16_of(mpfr_t x, bool *overflow)
{
  mpfr_t h;
  mpfr_init2(h, 11);
  mpfr_set_emin(-23);
  mpfr_set_emax(100);
  int inexact = mpfr_check_range(h, mpfr_set(h, x, MPFR_RNDN), MPFR_RNDN);
  if (!mpfr_zero_p(h)) inexact = mpfr_subnormalize(h, inexact, MPFR_RNDN);
  (void)inexact;
  *overflow = mpfr_cmpabs(x, h) != 0 ? mpfr_get_exp(h) > 16 : mpfr_get_exp(x) > 16;
  const uint16_t sign = mpfr_signbit(h) ? 0x8000 : 0;
  uint16_t code = 0x7bff;
  if (mpfr_zero_p(h)) {
    *overflow = false;
    code = 0;
  } else if (!*overflow) {
    const long e = mpfr_get_exp(h) - 1;
    const long last = e < -14 ? -24 : e - 10;
    mpfr_set_emin(MPFR_EMIN_DEFAULT);
    mpfr_mul_2si(h, h, -last, MPFR_RNDN);
    code = (uint16_t)(((last + 24) << 10) + labs(mpfr_get_si(h, MPFR_RNDN)));
  }
  mpfr_set_emin(MPFR_EMIN_DEFAULT);
  mpfr_set_emax(MPFR_EMAX_DEFAULT);
  mpfr_clear(h);
  return sign | code;
}

/* Every word of 14 mantissa bits whose value binary16 can tell from 0 and from its largest. */
Test(model_fp22, every_word_to_binary16, .timeout = 120)
{
  unsigned long clamped = 0, flushed = 0, subnormal = 0;
  mpfr_t x;
  mpfr_init2(x, 30);
  for (uint32_t w = word(14, 0, 63 - 27, 0); w < word(14, 0, 63 + 18, 0); w++) {
    const uint32_t signed_w = w | (w * 2654435761u >> 31) << 21;
    struct kr_rounded why;
    bool overflow;
    set_word(x, 14, signed_w);
    const uint16_t want = f16_of(x, &overflow);
    const uint16_t got = kr_fp22_to_f16(14, signed_w, &why);
    if (got != want || why.overflow != overflow || why.flush != ((want & 0x7fff) == 0))
      cr_fatal("0x%06x gave 0x%04x, want 0x%04x", signed_w, got, want);
    clamped += why.overflow;
    flushed += why.flush;
    subnormal += (got & 0x7c00) == 0;
  }
  mpfr_clear(x);
  cr_assert(all(gt(ulong, clamped, 1000), gt(ulong, flushed, 1000), gt(ulong, subnormal, 1000)));
}

Test(model_fp22, ends_of_the_range_to_binary16, .timeout = 5)
{
  struct kr_rounded why;
  cr_assert(eq(u16, kr_fp22_to_f16(14, 0, &why), 0));
  cr_assert(not(why.flush));
  cr_assert(eq(u16, kr_fp22_to_f16(14, word(14, 1, 1, 0), &why), 0x8000));
  cr_assert(why.flush);
  cr_assert(eq(u16, kr_fp22_to_f16(14, word(14, 1, 126, 1), &why), 0xfbff));
  cr_assert(why.overflow);
  cr_assert(eq(u16, kr_fp22_to_f16(14, kr_fp22_nan(14), &why), 0x7e00));
  cr_assert(eq(u16, kr_fp22_to_f16(14, word(14, 1, 0, 77), &why), 0)); /* there is one zero */
}

Test(model_fp22, every_width_to_binary32_exactly, .timeout = 60)
{
  mpfr_t x, y;
  mpfr_inits2(60, x, y, NULL);
  srand(3);
  for (unsigned mw = KR_FP22_MW_MIN; mw <= KR_FP22_MW_MAX; mw++) {
    for (unsigned i = 0; i < 20000; i++) {
      const uint32_t w = word(mw, i & 1, 1 + i % 126, random32() & ((1u << mw) - 1));
      const uint32_t f = kr_fp22_to_f32(mw, w);
      set_word(x, mw, w);
      mpfr_set_si_2exp(y, (long)((f & 0x7fffff) | 0x800000), (long)((f >> 23) & 255) - 150, MPFR_RNDN);
      if (f >> 31) mpfr_neg(y, y, MPFR_RNDN);
      cr_assert(mpfr_equal_p(x, y), "mw %u: 0x%06x gave 0x%08x", mw, w, f);
    }
    cr_assert(eq(u32, kr_fp22_to_f32(mw, kr_fp22_nan(mw)), 0x7fc00000));
    cr_assert(eq(u32, kr_fp22_to_f32(mw, 0), 0));
  }
  mpfr_clears(x, y, NULL);
}

Test(model_fp22, binary32_to_binary16, .timeout = 60)
{
  unsigned long clamped = 0, flushed = 0;
  mpfr_t x;
  mpfr_init2(x, 24);
  srand(13);
  for (unsigned i = 0; i < 600000; i++) {
    const uint32_t e = 95 + i % 55;
    const uint32_t m = i % 3 == 0 ? (random32() & 0x7ff) << 12 : random32() & 0x7fffff;
    const uint32_t f = (i & 1) << 31 | e << 23 | m;
    struct kr_rounded why;
    bool overflow;
    mpfr_set_ui_2exp(x, m | 0x800000, (long)e - 150, MPFR_RNDN);
    if (i & 1) mpfr_neg(x, x, MPFR_RNDN);
    const uint16_t want = f16_of(x, &overflow);
    const uint16_t got = kr_f16_from_f32(f, &why);
    if (got != want || why.overflow != overflow || why.flush != ((want & 0x7fff) == 0))
      cr_fatal("0x%08x gave 0x%04x, want 0x%04x", f, got, want);
    clamped += why.overflow;
    flushed += why.flush;
  }
  mpfr_clear(x);
  cr_assert(all(gt(ulong, clamped, 1000), gt(ulong, flushed, 1000)));
}

Test(model_fp22, binary32_specials_to_binary16, .timeout = 5)
{
  struct kr_rounded why;
  cr_assert(eq(u16, kr_f16_from_f32(0x80000000, &why), 0x8000));
  cr_assert(not(why.flush));
  cr_assert(eq(u16, kr_f16_from_f32(0x00000001, &why), 0)); /* binary32's smallest subnormal */
  cr_assert(why.flush);
  cr_assert(eq(u16, kr_f16_from_f32(0x7f800000, &why), 0x7c00));
  cr_assert(eq(u16, kr_f16_from_f32(0xff800000, &why), 0xfc00));
  cr_assert(eq(u16, kr_f16_from_f32(0xff812345, &why), 0x7e00));
  cr_assert(not(why.overflow));
}
