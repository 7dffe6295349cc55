/* SPDX-License-Identifier: Apache-2.0
 *
 * Integer numerics of the int8 core, one named function a rule. Integers only; all arithmetic that
 * may leave the range of int32 is done in unsigned, so nothing here is undefined for any input.
 */
#ifndef KR_NUM_H
#define KR_NUM_H

#include <stdbool.h>
#include <stdint.h>

/* The int32 whose two's-complement pattern is u. */
static inline int32_t kr_i32(uint32_t u)
{
  return u <= (uint32_t)INT32_MAX ? (int32_t)u : -1 - (int32_t)~u;
}

/* a + b modulo 2^32, two's complement. */
static inline int32_t kr_add_wrap(int32_t a, int32_t b)
{
  return kr_i32((uint32_t)a + (uint32_t)b);
}

/* 1 if the exact a + b is outside int32, else 0: both signs equal and the sum's sign different. */
static inline uint32_t kr_add_wraps(int32_t a, int32_t b)
{
  uint32_t ua = (uint32_t)a, ub = (uint32_t)b, sum = ua + ub;
  return (~(ua ^ ub) & (ua ^ sum)) >> 31;
}

/* x limited to -128..127. */
static inline int8_t kr_sat_i8(int32_t x)
{
  return (int8_t)(x > INT8_MAX ? INT8_MAX : x < INT8_MIN ? INT8_MIN : x);
}

/* True if kr_sat_i8 changes x. */
static inline bool kr_sat_i8_changes(int32_t x)
{
  return x > INT8_MAX || x < INT8_MIN;
}

/* x / 2^shift, the exact quotient rounded once to the nearest integer, ties to even.
 * shift 0..31 (only the low five bits are looked at). */
static inline int32_t kr_rne_shift(int32_t x, unsigned shift)
{
  unsigned s = shift & 31u;
  uint32_t u = (uint32_t)x, sign = 0u - (u >> 31);
  uint32_t floor = ((u ^ sign) >> s) ^ sign; /* arithmetic shift: rounds towards minus infinity */
  uint32_t rest = u & (((uint32_t)1 << s) - 1u);
  uint32_t half = s == 0 ? 1u : (uint32_t)1 << (s - 1);
  uint32_t up = rest > half || (rest == half && (floor & 1u) != 0) ? 1u : 0u;
  return kr_i32(floor + up);
}

#endif
