/* SPDX-License-Identifier: Apache-2.0
 *
 * The block formats that MXFP7 is compared with: by hand, and MXFP7's own against the quantiser.
 */
#include "spec/model/kr_blockfmt.h"
#include "spec/model/kr_f16.h"
#include "spec/model/kr_mxfp7.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned named(const char *name)
{
  for (unsigned f = 0; f < kr_blockfmt_count(); f++)
    if (strcmp(kr_blockfmt_name(f), name) == 0) return f;
  cr_fatal("no format is called %s", name);
  return 0;
}

static void check(const char *name, size_t n, const double *from, const double *want)
{
  double to[32];
  kr_blockfmt_round(named(name), 1, n, from, to);
  for (size_t i = 0; i < n; i++)
    cr_assert(to[i] == want[i], "%s: %g became %g, want %g", name, from[i], to[i], want[i]);
}

/* Peak 448: scale 1. 17 lies between 16 and 18: a tie, to even; 460 would need scale 1 and clamps. */
Test(model_blockfmt, e4m3_by_hand, .timeout = 5)
{
  const double from[] = {460, 17, 19, 0.001953125, 0.0009765625, -3.3};
  const double want[] = {448, 16, 20, 0.001953125, 0, -3.25};
  check("MXFP8 E4M3", 6, from, want);
}

Test(model_blockfmt, e5m2_by_hand, .timeout = 5)
{
  const double from[] = {57344, 4.5, 5.5, -0x1p-17, 0x1p-16};
  const double want[] = {57344, 4, 6, 0, 0x1p-16};
  check("MXFP8 E5M2", 5, from, want);
}

Test(model_blockfmt, the_six_bit_formats_by_hand, .timeout = 5)
{
  const double from2[] = {7.5, 7.3, 0.0625, 0.19, -1.06};
  const double want2[] = {7.5, 7.5, 0, 0.25, -1};
  const double from3[] = {28, 13, 0.03125, -0.1};
  const double want3[] = {28, 12, 0, -0.125};
  check("MXFP6 E2M3", 5, from2, want2);
  check("MXFP6 E3M2", 4, from3, want3);
}

/* 63.5 needs scale 2; a peak of 31.5 takes one half. */
Test(model_blockfmt, int7_by_hand, .timeout = 5)
{
  const double wide[] = {63.5, 1, 3, -5}, wide_want[] = {64, 0, 4, -4};
  const double narrow[] = {31.5, 0.25, 0.75}, narrow_want[] = {31.5, 0, 1};
  check("int7, E8M0 scale", 4, wide, wide_want);
  check("int7, E8M0 scale", 3, narrow, narrow_want);
}

static double value(uint16_t h)
{
  struct kr_real r = {false, 0, 0};
  kr_f16_decode(h, &r);
  return (r.negative ? -1 : 1) * ldexp((double)r.sig, r.exp);
}

/* Two ways to the same block: these binary64 operations and the model's integers. */
Test(model_blockfmt, mxfp7_is_what_the_quantiser_gives, .timeout = 60)
{
  unsigned long compared = 0;
  srand(31);
  for (unsigned i = 0; i < 40000; i++) {
    uint16_t x[32];
    double from[32], to[32];
    struct kr_mx_block b;
    const unsigned peak = (unsigned)rand() % 31744; /* any finite magnitude, subnormals too */
    for (int j = 0; j < 32; j++) {
      x[j] = (uint16_t)((unsigned)rand() % (peak + 1) | ((unsigned)rand() & 1) << 15);
      from[j] = value(x[j]);
    }
    kr_mx_quantise(x, 1, 32, &b);
    kr_blockfmt_round(named("MXFP7, the format alone"), 1, 32, from, to);
    const double scale = ldexp(8 + b.scale % 8, b.scale / 8 - 23);
    for (int j = 0; j < 32; j++) {
      cr_assert(to[j] == b.q[j] * scale, "block %u element %d: %g, quantiser %g", i, j, to[j],
                b.q[j] * scale);
      compared++;
    }
  }
  cr_assert(eq(ulong, compared, 40000ul * 32));
}
