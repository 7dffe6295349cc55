/* SPDX-License-Identifier: Apache-2.0
 *
 * binary16 and binary32 by integers.
 */
#include "spec/model/kr_f16.h"

#include <stddef.h>

/* ---- Rounding --------------------------------------------------------------------------------- */

uint64_t kr_rne_div(uint64_t num, uint64_t den)
{
  const uint64_t q = num / den;
  const uint64_t twice = (num % den) << 1;
  return q + (twice > den || (twice == den && (q & 1) != 0) ? 1 : 0);
}

uint64_t kr_rne_shift(uint64_t sig, unsigned drop)
{
  if (drop == 0) return sig;
  if (drop > 64) return 0;
  const uint64_t half = UINT64_C(1) << (drop - 1);
  const uint64_t kept = drop == 64 ? 0 : sig >> drop;
  const uint64_t rest = drop == 64 ? sig : sig & ((half << 1) - 1);
  return kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
}

/* ---- Decoding --------------------------------------------------------------------------------- */

/* An IEEE number of `man` mantissa bits and `bits` exponent bits. */
static enum kr_class decode(uint32_t x, unsigned man, unsigned bits, struct kr_real *r)
{
  const uint32_t top = (UINT32_C(1) << bits) - 1;
  const uint32_t e = (x >> man) & top;
  const uint32_t m = x & ((UINT32_C(1) << man) - 1);
  const int bias = (int)(top >> 1);

  if (e == top) return m == 0 ? KR_INFINITE : KR_NAN;
  r->negative = ((x >> (man + bits)) & 1) != 0;
  r->sig = e == 0 ? m : m | (UINT32_C(1) << man);
  r->exp = (e == 0 ? 1 : (int)e) - bias - (int)man;
  return KR_FINITE;
}

enum kr_class kr_f16_decode(uint16_t x, struct kr_real *r)
{
  return decode(x, 10, 5, r);
}

enum kr_class kr_f32_decode(uint32_t x, struct kr_real *r)
{
  return decode(x, 23, 8, r);
}

/* ---- To binary16 ------------------------------------------------------------------------------ */

enum { F16_MAN = 10, F16_LOWEST = -24 /* exponent of the last place of a subnormal */ };

/* The exponent of the last place that r has as a binary16 number before rounding. */
static int f16_last_place(const struct kr_real *r)
{
  const int top = r->exp + 63 - __builtin_clzll(r->sig);
  return top - F16_MAN > F16_LOWEST ? top - F16_MAN : F16_LOWEST;
}

uint16_t kr_f16_round(const struct kr_real *r, struct kr_rounded *why)
{
  struct kr_rounded w = {false, false};
  uint64_t code = 0;

  if (r->sig != 0) {
    const int last = f16_last_place(r);
    /* A carry out of the significand is the next exponent: the code is a plain sum. */
    const uint64_t sig = last >= r->exp ? kr_rne_shift(r->sig, (unsigned)(last - r->exp))
                                        : r->sig << (r->exp - last);
    code = last > 16 ? UINT64_C(0x7fff) : ((uint64_t)(last - F16_LOWEST) << F16_MAN) + sig;
    w.flush = code == 0;
    w.overflow = code > KR_F16_MAX;
    if (w.overflow) code = KR_F16_MAX;
  }
  if (why != NULL) *why = w;
  return (uint16_t)(code | (r->negative ? KR_F16_SIGN : 0));
}

uint16_t kr_f16_from_f32(uint32_t x, struct kr_rounded *why)
{
  struct kr_real r;
  const uint32_t sign = x >> 31 << 15;
  const enum kr_class class = kr_f32_decode(x, &r);
  if (class == KR_FINITE) return kr_f16_round(&r, why);
  if (why != NULL) *why = (struct kr_rounded){false, false};
  return class == KR_NAN ? KR_F16_NAN : (uint16_t)(sign | KR_F16_INF);
}
