/* SPDX-License-Identifier: Apache-2.0
 *
 * binary16 and binary32 at the machine's edges, by integers alone. IEEE 754; subnormals are decoded
 * and produced, never flushed. Rounding is to nearest, ties to even, of the exact value, once.
 */
#ifndef KR_F16_H
#define KR_F16_H

#include <stdbool.h>
#include <stdint.h>

enum {
  KR_F16_NAN = 0x7e00,
  KR_F16_INF = 0x7c00,
  KR_F16_MAX = 0x7bff, /* 65504 */
  KR_F16_SIGN = 0x8000
};

/* A finite number: (-1)^negative * sig * 2^exp; sig = 0 is zero, whatever exp. */
struct kr_real {
  bool negative;
  uint64_t sig;
  int exp;
};

enum kr_class { KR_FINITE, KR_INFINITE, KR_NAN };

/* What a rounding did besides rounding. */
struct kr_rounded {
  bool overflow; /* the rounded value with an unbounded exponent exceeds the largest number */
  bool flush;    /* a nonzero value became zero */
};

/* The class of x; *r is set when it is finite. Exact. */
enum kr_class kr_f16_decode(uint16_t x, struct kr_real *r);
enum kr_class kr_f32_decode(uint32_t x, struct kr_real *r);

/* RNE to binary16; past 65504 the largest number with the sign (and overflow), never Inf. *why may
 * be NULL. */
uint16_t kr_f16_round(const struct kr_real *r, struct kr_rounded *why);

/* RNE of a binary32; Inf and NaN pass (NaN as 0x7e00). What is past 65504 clamps and sets
 * why->overflow: the caller decides whether that is an error. */
uint16_t kr_f16_from_f32(uint32_t x, struct kr_rounded *why);

/* sig / 2^drop to nearest, ties to even; any drop >= 0. */
uint64_t kr_rne_shift(uint64_t sig, unsigned drop);

/* num / den to nearest, ties to even; den > 0, num < 2^63. */
uint64_t kr_rne_div(uint64_t num, uint64_t den);

#endif
