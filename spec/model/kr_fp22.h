/* SPDX-License-Identifier: Apache-2.0
 *
 * FP22, the matmul accumulator: S1 E7 M<mw>, bias 63, mw 10..18 (14 ships). E = 0 is +0, E = 127 is
 * NaN, there is no infinity: a finite result past the largest number becomes that number and counts.
 * Integers alone; written from the numerics page.
 */
#ifndef KR_FP22_H
#define KR_FP22_H

#include "spec/model/kr_f16.h"

#include <stdint.h>

enum {
  KR_FP22_MW = 14,
  KR_FP22_MW_MIN = 10,
  KR_FP22_MW_MAX = 18,
  KR_FP22_BIAS = 63,
  KR_FP22_EMAX = 126
};

/* The mantissa width, and what has happened: *overflow is set, never cleared. */
struct kr_fp22 {
  unsigned mw;
  bool overflow;
};

/* The canonical NaN of a width. */
uint32_t kr_fp22_nan(unsigned mw);
bool kr_fp22_is_nan(unsigned mw, uint32_t x);

/* RNE of an exact value no smaller than the smallest normal, or zero. */
uint32_t kr_fp22_round(struct kr_fp22 *f, const struct kr_real *r);

/* part * (8 + Ma) * (8 + Mb) * 2^(Ea + Eb - 46), rounded; NaN when either scale code is poison. */
uint32_t kr_fp22_scale(struct kr_fp22 *f, int32_t part, uint8_t scale_a, uint8_t scale_b);

/* RNE(x + y); NaN is absorbing. Words with E = 0 or 127 count as +0 or NaN whatever S and M are. */
uint32_t kr_fp22_add(struct kr_fp22 *f, uint32_t x, uint32_t y);

/* The value; KR_NAN or KR_FINITE. Exact. */
enum kr_class kr_fp22_decode(unsigned mw, uint32_t x, struct kr_real *r);

/* RNE to binary16, finite values past 65504 clamp (overflow); NaN is 0x7e00. *why may be NULL. */
uint16_t kr_fp22_to_f16(unsigned mw, uint32_t x, struct kr_rounded *why);

/* Exact; NaN is 0x7fc00000. */
uint32_t kr_fp22_to_f32(unsigned mw, uint32_t x);

#endif
