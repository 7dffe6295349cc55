/* SPDX-License-Identifier: Apache-2.0
 *
 * spec/model/kr_num.h against oracles in 64-bit integers that share no expression with it.
 */
#include "spec/model/kr_num.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* Nearest integer to x / 2^s, ties to even, by comparing distances to the two neighbours. */
static int64_t rne_oracle(int64_t x, unsigned s)
{
  int64_t unit = (int64_t)1 << s, below = x / unit, left, right;

  if (x < 0 && below * unit != x) below--;
  left = x - below * unit;
  right = unit - left;
  if (left != right) return left < right ? below : below + 1;
  return below % 2 == 0 ? below : below + 1;
}

Test(model_num, rne_shift_is_exact_for_every_small_value_and_shift, .timeout = 30)
{
  size_t compared = 0, ties = 0;

  for (unsigned s = 0; s <= 31; s++) {
    for (int32_t x = -5000; x <= 5000; x++) {
      cr_assert(eq(i64, kr_rne_shift(x, s), rne_oracle(x, s)), "x=%d s=%u", (int)x, s);
      ties += s > 0 && ((int64_t)x - ((int64_t)1 << (s - 1))) % ((int64_t)1 << s) == 0;
      compared++;
    }
  }
  cr_assert(eq(sz, compared, 32 * 10001));
  cr_assert(gt(sz, ties, 9000));
}

Test(model_num, rne_shift_is_exact_around_every_tie_and_at_both_ends, .timeout = 30)
{
  size_t compared = 0;

  for (unsigned s = 0; s <= 31; s++) {
    for (int64_t k = -9; k <= 9; k++) {
      for (int64_t d = -2; d <= 2; d++) {
        const int64_t around[] = {k * ((int64_t)1 << s) / 2 + d, INT32_MIN + k + 9,
                                  INT32_MAX - k - 9};
        for (size_t i = 0; i < 3; i++) {
          if (around[i] < INT32_MIN || around[i] > INT32_MAX) continue;
          cr_assert(eq(i64, kr_rne_shift((int32_t)around[i], s), rne_oracle(around[i], s)),
                    "x=%lld s=%u", (long long)around[i], s);
          compared++;
        }
      }
    }
  }
  cr_assert(gt(sz, compared, 5000));
}

struct rne_case {
  int32_t x;
  unsigned shift;
  int32_t want;
};

static const struct rne_case by_hand[] = {
    {5, 1, 2},
    {7, 1, 4},
    {-5, 1, -2},
    {-7, 1, -4},
    {1, 1, 0},
    {-1, 1, 0},
    {3, 1, 2},
    {6, 2, 2},
    {10, 2, 2},
    {-6, 2, -2},
    {-10, 2, -2},
    {11, 2, 3},
    {-11, 2, -3},
    {0, 31, 0},
    {INT32_MAX, 31, 1},
    {INT32_MIN, 31, -1},
    {1 << 30, 31, 0},
    {-(1 << 30), 31, 0},
    {(1 << 30) + 1, 31, 1},
    {-(1 << 30) - 1, 31, -1},
    {INT32_MIN, 0, INT32_MIN},
    {INT32_MAX, 0, INT32_MAX},
    {INT32_MAX, 1, 1 << 30},
    {INT32_MIN, 1, -(1 << 30)},
};

Test(model_num, rne_shift_by_hand, .timeout = 5)
{
  for (size_t i = 0; i < sizeof by_hand / sizeof by_hand[0]; i++)
    cr_assert(eq(i32, kr_rne_shift(by_hand[i].x, by_hand[i].shift), by_hand[i].want), "x=%d s=%u",
              (int)by_hand[i].x, by_hand[i].shift);
}

Test(model_num, saturation_starts_one_past_each_end, .timeout = 5)
{
  static const struct {
    int32_t x;
    int want;
  } cases[] = {
      {0, 0},       {126, 126},   {127, 127},   {128, 127},       {129, 127},
      {-127, -127}, {-128, -128}, {-129, -128}, {INT32_MAX, 127}, {INT32_MIN, -128},
      {255, 127},   {256, 127},   {-256, -128}, {65536 + 5, 127}, {-65536 - 5, -128},
  };

  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    cr_assert(eq(int, kr_sat_i8(cases[i].x), cases[i].want), "x=%d", (int)cases[i].x);
    cr_assert(eq(int, kr_sat_i8_changes(cases[i].x), cases[i].x != cases[i].want), "x=%d",
              (int)cases[i].x);
  }
}

Test(model_num, addition_wraps_as_64_bit_arithmetic_says, .timeout = 5)
{
  static const int32_t edge[] = {INT32_MIN,  INT32_MIN + 1,  -1,           0,
                                 1,          INT32_MAX - 1,  INT32_MAX,    1 << 30,
                                 -(1 << 30), -(1 << 30) - 1, (1 << 30) + 1};
  size_t n = sizeof edge / sizeof edge[0], up = 0, down = 0;

  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      int64_t exact = (int64_t)edge[i] + edge[j], wrapped = exact;
      if (exact > INT32_MAX) wrapped -= (int64_t)1 << 32;
      if (exact < INT32_MIN) wrapped += (int64_t)1 << 32;
      up += exact > INT32_MAX;
      down += exact < INT32_MIN;
      cr_assert(eq(i64, kr_add_wrap(edge[i], edge[j]), wrapped), "%d + %d", (int)edge[i],
                (int)edge[j]);
      cr_assert(eq(int, (int)kr_add_wraps(edge[i], edge[j]), wrapped != exact), "%d + %d",
                (int)edge[i], (int)edge[j]);
    }
  }
  cr_assert(gt(sz, up, 5));
  cr_assert(gt(sz, down, 5));
}
