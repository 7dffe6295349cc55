/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilog of the MXFP7 engine's arithmetic against the reference model, bit for bit.
 */
#include "spec/model/kr_fp22.h"
#include "spec/model/kr_mxfp7.h"
#include "tests/mx/mx_rtl.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEGATIVE = 0x8000, QUEUE = 64 };

static uint32_t random32(void)
{
  return (uint32_t)rand() << 16 ^ (uint32_t)rand();
}

/* ---- Quantiser -------------------------------------------------------------------------------- */

/* Blocks under way, oldest first. */
struct stream {
  struct kr_mx_block want[QUEUE];
  unsigned head, tail;
  unsigned long compared;
};

static void check_out(struct stream *s, const struct mx_out *out)
{
  if (!out->valid) return;
  const struct kr_mx_block *want = &s->want[s->head % QUEUE];
  cr_assert(ne(uint, s->head, s->tail), "a beat came that nobody sent");
  cr_assert(eq(u8, out->code, want->scale));
  for (int i = 0; i < 16; i++) {
    const int q = want->q[i + (out->second ? 16 : 0)];
    cr_assert(out->q[i] == q, "block %lu, beat %d, element %d: %d, want %d, code %u", s->compared / 32,
              out->second, i, out->q[i], q, want->scale);
  }
  s->compared += 16;
  if (out->second) s->head++;
}

/* Sends a block; up to `gap` idle clocks before each beat. */
static void send_block(struct stream *s, const uint16_t x[32], int gap)
{
  struct mx_out out;
  kr_mx_quantise(x, 1, 32, &s->want[s->tail % QUEUE]);
  for (int beat = 0; beat < 2; beat++) {
    for (int idle = gap > 0 ? rand() % (gap + 1) : 0; idle > 0; idle--) {
      mx_beat(false, x, &out);
      check_out(s, &out);
    }
    mx_beat(true, x + 16 * beat, &out);
    if (beat == 1) s->tail++;
    check_out(s, &out);
  }
}

static void drain(struct stream *s)
{
  struct mx_out out;
  const uint16_t none[16] = {0};
  for (int i = 0; i < 16; i++) {
    mx_beat(false, none, &out);
    check_out(s, &out);
  }
  cr_assert(eq(uint, s->head, s->tail), "a block did not come out");
}

/* Every binary16 under every code that its block can have: one element is the peak that makes the
 * code, thirty-one take all magnitudes up to it. */
Test(mx_rtl, quantiser_every_number_under_every_code, .timeout = 300)
{
  struct stream s = {.head = 0};
  mx_reset();
  for (unsigned peak = 1; peak <= 0x7bff; peak++) {
    if (peak != 0x7bff && kr_mx_code((uint16_t)peak) == kr_mx_code((uint16_t)(peak + 1))) continue;
    for (unsigned x = 0; x <= peak; x += 31) {
      uint16_t block[32];
      for (unsigned i = 0; i < 31; i++)
        block[i] = (uint16_t)((x + i <= peak ? x + i : peak) | ((x + i) * 2654435761u >> 16 & NEGATIVE));
      block[31] = (uint16_t)(peak | (x & 1) << 15);
      send_block(&s, block, 0);
    }
  }
  drain(&s);
  printf("quantiser: %lu elements compared\n", s.compared);
  cr_assert(gt(ulong, s.compared, 3500000));
}

Test(mx_rtl, quantiser_blocks_at_random_with_gaps, .timeout = 120)
{
  struct stream s = {.head = 0};
  unsigned poisoned = 0, empty = 0;
  mx_reset();
  srand(3);
  for (unsigned n = 0; n < 20000; n++) {
    uint16_t x[32];
    const unsigned top = (unsigned)rand() % 0x7c00 + 1;
    for (int i = 0; i < 32; i++)
      x[i] = (uint16_t)((unsigned)rand() % top | ((unsigned)rand() & 1) << 15);
    if (n % 50 == 0) x[rand() % 32] = (uint16_t)(0x7c00 | (n & 1023) | (n & 1) << 15);
    if (n % 70 == 1) memset(x, 0, sizeof x);
    if (n % 70 == 2) for (int i = 0; i < 32; i++) x[i] = NEGATIVE;
    send_block(&s, x, (int)(n % 4));
    poisoned += s.want[(s.tail - 1) % QUEUE].scale == KR_MX_POISON;
    empty += s.want[(s.tail - 1) % QUEUE].scale == 0;
  }
  drain(&s);
  cr_assert(all(eq(ulong, s.compared, 640000), eq(uint, poisoned, 400), gt(uint, empty, 500)));
}

/* ---- Dot product ------------------------------------------------------------------------------ */

static void check_dot(const struct kr_mx_block *a0, const struct kr_mx_block *a1,
                      const struct kr_mx_block *b)
{
  int32_t sum0[MX_DOTS], sum1[MX_DOTS];
  const int32_t want0 = kr_mx_dot(a0, b), want1 = kr_mx_dot(a1, b);
  mx_dot(a0->q, a1->q, b->q, sum0, sum1);
  for (unsigned i = 0; i < MX_DOTS; i++)
    cr_assert(sum0[i] == want0 && sum1[i] == want1, "slice %u packed %u: %d, %d, want %d, %d",
              32u >> i % 4, i / 4, sum0[i], sum1[i], want0, want1);
}

static void fill_block(struct kr_mx_block *b, int even, int odd)
{
  for (int i = 0; i < 32; i++) b->q[i] = (int16_t)(i % 2 == 0 ? even : odd);
}

Test(mx_rtl, dot_extremes_by_every_slice_and_variant, .timeout = 60)
{
  static const int ends[] = {-64, 63, 0, -1, 1};
  struct kr_mx_block a0, a1, b;
  unsigned compared = 0;
  mx_reset();
  for (int i = 0; i < 5 * 5 * 5 * 5; i++) {
    fill_block(&a0, ends[i % 5], ends[i / 5 % 5]);
    fill_block(&a1, ends[i / 25 % 5], ends[i % 5]);
    for (int j = 0; j < 25; j++) {
      fill_block(&b, ends[j % 5], ends[j / 5]);
      check_dot(&a0, &a1, &b);
      compared++;
    }
  }
  cr_assert(eq(uint, compared, 15625));
}

Test(mx_rtl, dot_at_random, .timeout = 60)
{
  struct kr_mx_block x[3];
  mx_reset();
  srand(4);
  for (int n = 0; n < 10000; n++) {
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 32; i++) x[j].q[i] = (int16_t)(rand() % 128 - 64);
    check_dot(&x[0], &x[1], &x[2]);
  }
}

/* ---- Scale ------------------------------------------------------------------------------------ */

static void check_scale(int32_t part, uint8_t ca, uint8_t cb)
{
  static const unsigned widths[] = MX_WIDTHS;
  uint32_t v[MX_SCALES];
  mx_scale(part, ca, cb, v);
  for (unsigned i = 0; i < MX_SCALES; i++) {
    struct kr_fp22 f = {.mw = widths[i], .overflow = false};
    const uint32_t want = kr_fp22_scale(&f, part, ca, cb);
    cr_assert(v[i] == want, "mw %u: %d at codes %u, %u: 0x%06x, want 0x%06x", widths[i], part, ca, cb,
              v[i], want);
  }
}

Test(mx_rtl, scaling_every_power_of_two_and_at_random, .timeout = 120)
{
  mx_reset();
  srand(6);
  for (unsigned ca = 0; ca < 256; ca++)
    for (unsigned bit = 0; bit < 18; bit++)
      for (int off = -1; off <= 1; off++) {
        check_scale((1 << bit) + (bit < 17 ? off : 0), (uint8_t)ca, (uint8_t)(rand() & 255));
        if (bit < 17) check_scale(-(1 << bit) + off, (uint8_t)ca, (uint8_t)(rand() & 255));
      }
  for (int i = 0; i < 300000; i++)
    check_scale(rand() % 260097 - 129024, (uint8_t)(rand() & 255), (uint8_t)(rand() & 255));
}

/* ---- Addition --------------------------------------------------------------------------------- */

/* The operands of the sums under way: the pipeline gives a sum after three clocks, the last of
 * which is the call that brings it. */
struct adds {
  uint32_t x[3], y[3];
  unsigned long sent, compared;
};

/* Checks adder `which` only: a word means something in one width at a time. */
static void check_add(struct adds *s, unsigned which, uint32_t x, uint32_t y)
{
  static const unsigned widths[] = MX_ADD_WIDTHS;
  struct mx_sum got;
  s->x[s->sent % 3] = x;
  s->y[s->sent % 3] = y;
  mx_add(x, y, &got);
  if (++s->sent < 3) return;
  struct kr_fp22 f = {.mw = widths[which], .overflow = false};
  const uint32_t ox = s->x[s->sent % 3], oy = s->y[s->sent % 3];
  const uint32_t want = kr_fp22_add(&f, ox, oy);
  cr_assert(got.word[which] == want && got.overflow[which] == f.overflow,
            "mw %u: 0x%06x + 0x%06x: 0x%06x, want 0x%06x", widths[which], ox, oy, got.word[which],
            want);
  s->compared++;
}

static void exhaust(unsigned which, unsigned mw, unsigned window)
{
  struct adds s = {.sent = 0};
  const unsigned count = 2u * window << mw;
  mx_reset();
  for (unsigned i = 0; i < count; i++)
    for (unsigned j = 0; j < count; j++)
      check_add(&s, which, (i & 1) << (mw + 7) | (60 + (i >> 1) % window) << mw | (i >> 1) / window,
                (j & 1) << (mw + 7) | (60 + (j >> 1) % window) << mw | (j >> 1) / window);
  cr_assert(eq(ulong, s.compared, (unsigned long)count * count - 2));
}

Test(mx_rtl, every_sum_at_mantissa_3_and_4, .timeout = 120)
{
  exhaust(0, 3, 10);
  exhaust(1, 4, 10);
}

static void sweep(unsigned which, unsigned mw)
{
  struct adds s = {.sent = 0};
  const uint32_t top = (1u << mw) - 1, half = 1u << (mw - 1);
  const uint32_t m[] = {0, 1, 2, 3, half - 1, half, half + 1, top - 1, top};
  mx_reset();
  for (unsigned apart = 0; apart < 60; apart++)
    for (unsigned i = 0; i < 9 * 9 * 4; i++) {
      const uint32_t x = (i & 1) << (mw + 7) | 80u << mw | m[(i >> 2) % 9];
      const uint32_t y = (i >> 1 & 1) << (mw + 7) | (80u - apart) << mw | m[(i >> 2) / 9];
      check_add(&s, which, x, y);
      check_add(&s, which, y, x);
    }
  cr_assert(gt(ulong, s.compared, 38000));
}

Test(mx_rtl, sums_at_every_alignment, .timeout = 120)
{
  sweep(2, 10);
  sweep(3, 14);
  sweep(4, 18);
}

Test(mx_rtl, sums_at_random_with_zeros_nans_and_overflows, .timeout = 120)
{
  struct adds s = {.sent = 0};
  mx_reset();
  srand(8);
  for (unsigned i = 0; i < 2000000; i++) {
    const unsigned span = i % 6 == 0 ? 87 : 18, base = i % 7 == 0 ? 109 : 40;
    unsigned e[2];
    for (int k = 0; k < 2; k++) {
      e[k] = base + (unsigned)rand() % (base == 109 ? 18 : span);
      if (rand() % 64 == 0) e[k] = 0;
      if (rand() % 256 == 0) e[k] = 127;
    }
    check_add(&s, 3, (random32() & 1) << 21 | e[0] << 14 | (random32() & 0x3fff),
              (random32() & 1) << 21 | e[1] << 14 | (random32() & 0x3fff));
  }
  cr_assert(eq(ulong, s.compared, 1999998));
}

/* ---- To binary16 ------------------------------------------------------------------------------ */

static void halves(unsigned which, unsigned mw, uint32_t step)
{
  uint32_t line[2] = {0};
  unsigned long compared = 0;
  mx_reset();
  for (uint32_t x = 0, n = 0; x < UINT32_C(1) << (mw + 8); x += step, n++) {
    struct mx_half got;
    struct kr_rounded why;
    line[n % 2] = x;
    mx_half(x, &got);
    if (n < 1) continue;
    const uint32_t old = line[(n + 1) % 2];
    const uint16_t want = kr_fp22_to_f16(mw, old, &why);
    cr_assert(got.half[which] == want && got.clamped[which] == why.overflow &&
                  got.flushed[which] == why.flush,
              "mw %u: 0x%06x: 0x%04x, want 0x%04x", mw, old, got.half[which], want);
    compared++;
  }
  cr_assert(gt(ulong, compared, 200000));
}

Test(mx_rtl, every_word_to_binary16, .timeout = 120)
{
  halves(0, 10, 1);
  halves(1, 14, 1);
  halves(2, 18, 17);
}
