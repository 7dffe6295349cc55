/* SPDX-License-Identifier: Apache-2.0
 *
 * GEMMs on the Verilated MXFP7 machine, on every tested build, on three sides: the Verilog, the
 * machine model that executes the same bytes, the numerics alone.
 */
#include "support/mx_cosim.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static struct criterion_test_params builds_as_params(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = mx_cosim_builds(names);
  char *params = cr_malloc(n * BENCH_NAME);
  memcpy(params, names, n * BENCH_NAME);
  return cr_make_param_array(char[BENCH_NAME], params, n, NULL);
}

static uint64_t check(struct mx_pair *pair, const char *build, const struct mx_problem *g,
                      enum mx_fill fill, uint64_t seed)
{
  char text[600];
  const uint64_t cycles = mx_cosim_gemm(pair, g, fill, seed, text, sizeof text);
  cr_assert(text[0] == '\0',
            "%s: %" PRIu32 "x%" PRIu32 "x%" PRIu32 " out %d prequantised %d fill %d seed %" PRIu64
            ": %s", build, g->m, g->k, g->n, (int)g->out, g->prequantised, (int)fill, seed, text);
  return cycles;
}

static void check_forms(struct mx_pair *pair, const char *build, uint32_t m, uint32_t k,
                        uint32_t n, enum mx_fill fill, uint64_t seed)
{
  for (unsigned form = 0; form < 4; form++) {
    const struct mx_problem g = {m, k, n, form & 1 ? KTPU_MX_F32 : KTPU_MX_F16, form >> 1 != 0};
    check(pair, build, &g, fill, seed + form);
  }
}

ParameterizedTestParameters(cosim_mx, every_shape_is_equal_on_three_sides)
{
  return builds_as_params();
}

/* Ones, primes, non-multiples of 4 and 32, tall, wide, deep, and around the tile's size. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx, every_shape_is_equal_on_three_sides,
                  .timeout = 600)
{
  static const uint32_t shapes[][3] = {
      {1, 1, 1},    {1, 32, 4},  {4, 32, 4},    {4, 33, 4},   {5, 31, 3},   {2, 64, 9},
      {13, 97, 11}, {16, 64, 16}, {63, 65, 67}, {64, 64, 64}, {65, 64, 63}, {1, 500, 1},
      {100, 1, 1},  {1, 1, 100}, {3, 300, 129}, {130, 40, 7}, {17, 129, 31},
  };
  const struct ktpu_options noise = {.noise_seed = bench_seed()};
  struct mx_pair pair;
  mx_cosim_open(&pair, *build, &noise);
  for (size_t i = 0; i < COUNT(shapes); i++)
    check_forms(&pair, *build, shapes[i][0], shapes[i][1], shapes[i][2], MX_RANDOM,
                bench_seed() + 10 * i);
  mx_cosim_close(&pair);
}

ParameterizedTestParameters(cosim_mx, any_operand_is_equal_and_events_are_counted)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx, any_operand_is_equal_and_events_are_counted,
                  .timeout = 300)
{
  static const enum mx_fill fills[] = {MX_ANY, MX_SPECIALS, MX_LARGEST};
  struct mx_pair pair;
  mx_cosim_open(&pair, *build, NULL);
  for (size_t f = 0; f < COUNT(fills); f++) {
    check_forms(&pair, *build, 21, 100, 22, fills[f], bench_seed() + f);
    check_forms(&pair, *build, 4, 32, 4, fills[f], bench_seed() + f);
  }
  mx_cosim_close(&pair);
}

ParameterizedTestParameters(cosim_mx, timing_changes_no_bit)
{
  return builds_as_params();
}

/* Latencies, bandwidth, random stalls on every channel; the result and the raw totals stay. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx, timing_changes_no_bit, .timeout = 600)
{
  static const struct ktpu_options timings[] = {
      {.latency = 0},
      {.latency = 7},
      {.latency = 50},
      {.latency = 200},
      {.latency = 3, .bandwidth = 100},
      {.latency = 20, .stall_seed = 5, .power_seed = 9, .noise_seed = 3},
      {.latency = 0, .stall_seed = 77, .power_seed = 1234, .noise_seed = 8},
  };
  uint64_t slowest = 0, fastest = UINT64_MAX;
  for (size_t i = 0; i < COUNT(timings); i++) {
    struct mx_pair pair;
    mx_cosim_open(&pair, *build, &timings[i]);
    for (unsigned form = 0; form < 4; form++) {
      const struct mx_problem g = {45, 200, 52, form & 1 ? KTPU_MX_F32 : KTPU_MX_F16,
                                   form >> 1 != 0};
      const uint64_t cycles = check(&pair, *build, &g, MX_RANDOM, bench_seed() + form);
      if (cycles > slowest) slowest = cycles;
      if (cycles < fastest) fastest = cycles;
    }
    mx_cosim_close(&pair);
  }
  cr_assert(slowest > fastest && fastest > 0, "the timings made no difference");
}

/* The same run twice takes the same cycles. */
Test(cosim_mx, a_run_is_reproducible_to_the_cycle, .timeout = 60)
{
  char names[BENCH_BUILDS][BENCH_NAME];
  const struct ktpu_options stalls = {.latency = 9, .stall_seed = 3};
  const struct mx_problem g = {30, 70, 50, KTPU_MX_F16, false};
  uint64_t cycles[2];
  cr_assert_gt(mx_cosim_builds(names), 0);
  for (unsigned i = 0; i < 2; i++) {
    struct mx_pair pair;
    mx_cosim_open(&pair, names[0], &stalls);
    cycles[i] = check(&pair, names[0], &g, MX_RANDOM, 4);
    mx_cosim_close(&pair);
  }
  cr_assert_eq(cycles[0], cycles[1]);
}
