/* SPDX-License-Identifier: Apache-2.0
 *
 * Block formats, value by value.
 */
#include "spec/model/kr_blockfmt.h"

#include <math.h>

enum { BLOCK = 32 };

/* A format's element: a float of `man` stored mantissa bits whose largest number is `most` and whose
 * smallest normal exponent is `emin`; man = 0 and emin = 0 with `step` for integers. */
struct format {
  const char *name;
  const char *bits;
  double (*scale)(const struct format *f, double peak);
  int man;     /* stored mantissa bits; -1: whole numbers */
  int emax;    /* exponent of the largest number */
  int emin;    /* exponent of the smallest normal number */
  double most; /* the largest number */
};

/* MXFP7: E5M3, the smallest (8 + M) * 2^(E - 23) with 63 * scale >= peak. */
static double scale_e5m3(const struct format *f, double peak)
{
  int e = -23;
  if (peak > 63 * ldexp(8, -23)) {
    frexp(peak / (63.0 * 16), &e); /* 2^(e-1) <= peak / 1008 < 2^e */
    for (int m = 8; m < 16; m++)
      if (f->most * ldexp(m, e) >= peak) return ldexp(m, e);
  }
  return f->most * ldexp(8, e) >= peak ? ldexp(8, e) : ldexp(8, e + 1);
}

/* The smallest power of two that reaches. */
static double scale_covering(const struct format *f, double peak)
{
  int e;
  const double fraction = frexp(peak / f->most, &e);
  return peak == 0 ? 1 : ldexp(1, fraction == 0.5 ? e - 1 : e);
}

/* OCP: the peak's exponent less the largest exponent of the element; what does not fit clamps. */
static double scale_ocp(const struct format *f, double peak)
{
  return peak == 0 ? 1 : ldexp(1, ilogb(peak) - f->emax);
}

static const struct format formats[] = {
    {"MXFP7, the format alone", "7.25", scale_e5m3, -1, 5, 0, 63},
    {"int7, E8M0 scale", "7.25", scale_covering, -1, 5, 0, 63},
    {"MXFP8 E4M3", "8.25", scale_ocp, 3, 8, -6, 448},
    {"MXFP8 E5M2", "8.25", scale_ocp, 2, 15, -14, 57344},
    {"MXFP6 E2M3", "6.25", scale_ocp, 3, 2, 0, 7.5},
    {"MXFP6 E3M2", "6.25", scale_ocp, 2, 4, -2, 28},
};

unsigned kr_blockfmt_count(void)
{
  return sizeof formats / sizeof formats[0];
}

const char *kr_blockfmt_name(unsigned format)
{
  return formats[format].name;
}

const char *kr_blockfmt_bits(unsigned format)
{
  return formats[format].bits;
}

/* x to the element's nearest number, ties to even; the default rounding mode does that. */
static double element(const struct format *f, double x)
{
  double step = 1;
  if (f->man >= 0 && x != 0) {
    const int e = ilogb(x) > f->emin ? ilogb(x) : f->emin;
    step = ldexp(1, e - f->man);
  }
  const double y = nearbyint(x / step) * step;
  return fabs(y) > f->most ? copysign(f->most, y) : y;
}

static void round_block(const struct format *f, size_t n, const double *from, double *to)
{
  double peak = 0;
  for (size_t i = 0; i < n; i++) peak = fmax(peak, fabs(from[i]));
  const double scale = f->scale(f, peak);
  for (size_t i = 0; i < n; i++) to[i] = element(f, from[i] / scale) * scale;
}

void kr_blockfmt_round(unsigned format, size_t lanes, size_t k, const double *from, double *to)
{
  for (size_t lane = 0; lane < lanes; lane++)
    for (size_t b = 0; b < k; b += BLOCK)
      round_block(&formats[format], k - b < BLOCK ? k - b : BLOCK, from + lane * k + b,
                  to + lane * k + b);
}
