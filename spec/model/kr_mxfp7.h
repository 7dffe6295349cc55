/* SPDX-License-Identifier: Apache-2.0
 *
 * MXFP7, the matmul operand: 32 signed 7-bit integers that share an 8-bit scale code {E[4:0],
 * M[2:0]}; element i is q[i] * (8 + M) * 2^(E - 23). Written from the numerics page alone.
 */
#ifndef KR_MXFP7_H
#define KR_MXFP7_H

#include "spec/kt_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  KR_MX_BLOCK = 32,     /* consecutive elements along K that share a scale */
  KR_MX_PEAK = 63,      /* the largest magnitude that the quantiser emits */
  KR_MX_POISON = 0xff,  /* the scale code of a block that held an Inf or a NaN; all q are 0 */
  KR_MX_CODES = 248     /* codes below this one are enough for any binary16 */
};

/* q as 16-bit integers: what the dot product reads fastest. -64..63. */
struct kr_mx_block {
  int16_t q[KR_MX_BLOCK];
  uint8_t scale;
};

/* RNE(|x| / scale(code)) of a finite binary16 x, not clamped; code < KR_MX_POISON. */
uint64_t kr_mx_quotient(uint16_t x, uint8_t code);

/* The smallest code with 63 * scale(code) >= |x|, x finite. */
uint8_t kr_mx_code(uint16_t x);

/* Quantises x[0], x[stride], ... x[(n - 1) * stride], n <= 32; what is missing counts as +0. */
void kr_mx_quantise(const uint16_t *x, size_t stride, size_t n, struct kr_mx_block *b);

/* The exact sum of 32 products; fits 19 bits signed. */
int32_t kr_mx_dot(const struct kr_mx_block *a, const struct kr_mx_block *b);

#endif
