/* SPDX-License-Identifier: Apache-2.0
 *
 * The quantiser and the block dot product.
 */
#include "spec/model/kr_mxfp7.h"

#include "spec/model/kr_f16.h"

#include <string.h>

/* scale(code) = scale_sig * 2^scale_exp */
static uint64_t scale_sig(uint8_t code)
{
  return 8u + (code & 7u);
}

static int scale_exp(uint8_t code)
{
  return (code >> 3) - 23;
}

uint64_t kr_mx_quotient(uint16_t x, uint8_t code)
{
  struct kr_real r = {false, 0, 0};
  kr_f16_decode(x, &r);
  const int shift = r.exp - scale_exp(code); /* -32..28: neither side leaves 64 bits */
  return shift >= 0 ? kr_rne_div(r.sig << shift, scale_sig(code))
                    : kr_rne_div(r.sig, scale_sig(code) << -shift);
}

/* 63 * scale(code) >= |r| */
static bool covers(uint8_t code, const struct kr_real *r)
{
  const uint64_t limit = KR_MX_PEAK * scale_sig(code);
  const int shift = scale_exp(code) - r->exp;
  return shift >= 0 ? limit << shift >= r->sig : limit >= r->sig << -shift;
}

uint8_t kr_mx_code(uint16_t x)
{
  struct kr_real r = {false, 0, 0};
  uint8_t code = 0;
  kr_f16_decode(x, &r);
  while (!covers(code, &r)) code++;
  return code;
}

void kr_mx_quantise(const uint16_t *x, size_t stride, size_t n, struct kr_mx_block *b)
{
  uint16_t peak = 0; /* magnitudes of binary16 sort as integers */

  memset(b, 0, sizeof *b);
  for (size_t i = 0; i < n; i++) {
    const uint16_t magnitude = x[i * stride] & 0x7fff;
    if (magnitude > peak) peak = magnitude;
  }
  if (peak >= KR_F16_INF) {
    b->scale = KR_MX_POISON;
    return;
  }
  b->scale = kr_mx_code(peak);
  for (size_t i = 0; i < n; i++) {
    const int16_t q = (int16_t)kr_mx_quotient(x[i * stride], b->scale);
    b->q[i] = (x[i * stride] & KR_F16_SIGN) != 0 ? (int16_t)-q : q;
  }
}

int32_t kr_mx_dot(const struct kr_mx_block *a, const struct kr_mx_block *b)
{
  int32_t sum = 0;
  for (int i = 0; i < KR_MX_BLOCK; i++) sum += (int32_t)a->q[i] * b->q[i];
  return sum;
}
