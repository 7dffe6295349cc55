/* SPDX-License-Identifier: Apache-2.0
 *
 * FP22 by integers.
 */
#include "spec/model/kr_fp22.h"

#include "spec/model/kr_mxfp7.h"

#include <assert.h>
#include <stdlib.h>

enum { GUARD = 3 /* bits below the last place while two numbers are added */ };

static uint32_t exponent(unsigned mw, uint32_t x)
{
  return (x >> mw) & 127u;
}

uint32_t kr_fp22_nan(unsigned mw)
{
  return (UINT32_C(127) << mw) | (UINT32_C(1) << (mw - 1));
}

bool kr_fp22_is_nan(unsigned mw, uint32_t x)
{
  return exponent(mw, x) == 127;
}

enum kr_class kr_fp22_decode(unsigned mw, uint32_t x, struct kr_real *r)
{
  const uint32_t e = exponent(mw, x);
  const uint32_t one = UINT32_C(1) << mw;

  r->negative = e != 0 && ((x >> (mw + 7)) & 1) != 0;
  r->sig = e == 0 ? 0 : one | (x & (one - 1));
  r->exp = (int)e - KR_FP22_BIAS - (int)mw;
  return e == 127 ? KR_NAN : KR_FINITE;
}

/* ---- Rounding --------------------------------------------------------------------------------- */

uint32_t kr_fp22_round(struct kr_fp22 *f, const struct kr_real *r)
{
  if (r->sig == 0) return 0;
  const int mw = (int)f->mw;
  const int drop = 63 - __builtin_clzll(r->sig) - mw;
  const uint64_t sig =
      drop >= 0 ? kr_rne_shift(r->sig, (unsigned)drop) : r->sig << (unsigned)-drop;
  const int e = r->exp + drop + mw + KR_FP22_BIAS;
  assert(e >= 1 && "a block product or a sum of them cannot be so small");

  /* sig is 2^mw .. 2^(mw+1): its carry is the next exponent. */
  int64_t word = ((int64_t)(e - 1) << mw) + (int64_t)sig;
  const int64_t most = ((int64_t)(KR_FP22_EMAX + 1) << mw) - 1;
  if (word > most) {
    f->overflow = true;
    word = most;
  }
  return (uint32_t)word | ((r->negative ? UINT32_C(1) : 0) << (mw + 7));
}

uint32_t kr_fp22_scale(struct kr_fp22 *f, int32_t part, uint8_t scale_a, uint8_t scale_b)
{
  if (scale_a == KR_MX_POISON || scale_b == KR_MX_POISON) return kr_fp22_nan(f->mw);
  const struct kr_real v = {
      .negative = part < 0,
      .sig = (uint64_t)labs(part) * (8u + (scale_a & 7u)) * (8u + (scale_b & 7u)),
      .exp = (scale_a >> 3) + (scale_b >> 3) - 46,
  };
  return kr_fp22_round(f, &v);
}

/* ---- Addition --------------------------------------------------------------------------------- */

/* sig / 2^n with every bit that is lost kept as the last bit (von Neumann's jamming): with GUARD
 * bits below the last place the sum rounds as the exact one would. */
static int64_t shift_jam(uint64_t sig, unsigned n)
{
  if (n == 0) return (int64_t)sig;
  if (n > 62) return sig != 0 ? 1 : 0;
  return (int64_t)((sig >> n) | ((sig & ((UINT64_C(1) << n) - 1)) != 0 ? 1u : 0u));
}

uint32_t kr_fp22_add(struct kr_fp22 *f, uint32_t x, uint32_t y)
{
  struct kr_real a, b;
  const enum kr_class ca = kr_fp22_decode(f->mw, x, &a);
  const enum kr_class cb = kr_fp22_decode(f->mw, y, &b);
  if (ca == KR_NAN || cb == KR_NAN) return kr_fp22_nan(f->mw);

  const int top = a.exp > b.exp ? a.exp : b.exp;
  int64_t sa = shift_jam(a.sig << GUARD, (unsigned)(top - a.exp));
  int64_t sb = shift_jam(b.sig << GUARD, (unsigned)(top - b.exp));
  if (a.negative) sa = -sa;
  if (b.negative) sb = -sb;
  const int64_t s = sa + sb;
  const struct kr_real sum = {.negative = s < 0, .sig = (uint64_t)llabs(s), .exp = top - GUARD};
  return kr_fp22_round(f, &sum);
}

/* ---- Leaving the accumulator ------------------------------------------------------------------ */

uint16_t kr_fp22_to_f16(unsigned mw, uint32_t x, struct kr_rounded *why)
{
  struct kr_real r;
  if (kr_fp22_decode(mw, x, &r) == KR_FINITE) return kr_f16_round(&r, why);
  if (why != NULL) *why = (struct kr_rounded){false, false};
  return KR_F16_NAN;
}

uint32_t kr_fp22_to_f32(unsigned mw, uint32_t x)
{
  const uint32_t e = exponent(mw, x);
  const uint32_t man = x & ((UINT32_C(1) << mw) - 1);
  const uint32_t sign = (x >> (mw + 7)) & 1;

  if (e == 127) return UINT32_C(0x7fc00000);
  if (e == 0) return 0;
  return (sign << 31) | ((e - KR_FP22_BIAS + 127u) << 23) | (man << (23 - mw));
}
