/* SPDX-License-Identifier: Apache-2.0
 *
 * GEMMs on the Verilated machine against the reference model, on every tested build: shapes,
 * operands at full scale, and what must not change a result.
 */
#include "support/cosim_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static struct criterion_test_params builds_as_params(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  char *params = cr_malloc(n * BENCH_NAME);
  memcpy(params, names, n * BENCH_NAME);
  return cr_make_param_array(char[BENCH_NAME], params, n, NULL);
}

static void check(struct bench_pair *pair, const char *build, const struct bench_gemm *g,
                  enum bench_fill fill, uint64_t seed)
{
  char text[600];
  bench_gemm_equal(pair, g, fill, seed, text, sizeof text);
  cr_assert(text[0] == '\0',
            "%s: %" PRIu32 "x%" PRIu32 "x%" PRIu32 " form %d shift %" PRIu32 " relu %d seed %" PRIu64
            ": %s",
            build, g->m, g->k, g->n, (int)g->form, g->shift, g->relu, seed, text);
}

/* int8 hides wrong low bits, so each shape runs in all three forms; relu on one of them. */
static void check_forms(struct bench_pair *pair, const char *build, uint32_t m, uint32_t k,
                        uint32_t n, uint64_t seed)
{
  const struct bench_gemm forms[] = {
      {m, k, n, KTPU_INT32, 0, false},
      {m, k, n, KTPU_INT8, 0, false},
      {m, k, n, KTPU_INT8, 9, true},
  };
  for (size_t i = 0; i < COUNT(forms); i++) check(pair, build, &forms[i], BENCH_RANDOM, seed);
}

ParameterizedTestParameters(cosim_gemm, every_shape_equals_the_model)
{
  return builds_as_params();
}

/* Ones, primes, non-multiples, tall, wide, and MAXDIM - 1, MAXDIM, MAXDIM + 1 in each extent. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_gemm, every_shape_equals_the_model,
                  .timeout = 300)
{
  struct bench_pair pair;
  const uint64_t seed = bench_seed();
  const struct ktpu_options noise = {.noise_seed = seed};
  bench_open(&pair, *build, &noise);
  const uint32_t d = pair.p.maxdim, t = pair.p.t;
  const uint32_t shapes[][3] = {
      {1, 1, 1},         {1, 2, 3},         {t, t, t},         {t + 1, t + 1, t + 1},
      {5, 7, 3},         {13, 11, 17},      {31, 37, 29},      {1, d, 1},
      {d, 1, d},         {d - 1, d - 1, d - 1},                {d, d, d},
      {d + 1, d, d},     {d, d + 1, d},     {d, d, d + 1},     {d + 1, d + 1, d + 1},
      {3, 2 * d + 1, 5}, {2 * d + 3, 3, 2}, {2, 3, 2 * d + 3}, {1, 3 * d, 2 * d + 1},
      {97, 5, 1},        {1, 5, 97},        {2, 127, 3},
  };
  for (size_t i = 0; i < COUNT(shapes); i++)
    check_forms(&pair, *build, shapes[i][0], shapes[i][1], shapes[i][2], seed + i);
  bench_close(&pair);
}

ParameterizedTestParameters(cosim_gemm, every_depth_equals_the_model)
{
  return builds_as_params();
}

/* K from 1 to 1,000: every one in the long campaign, else a seventh of them and all up to 40. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_gemm, every_depth_equals_the_model,
                  .timeout = 600)
{
  struct bench_pair pair;
  const uint64_t seed = bench_seed();
  bench_open(&pair, *build, NULL);
  for (uint32_t k = 1; k <= 1000; k += bench_full() || k < 40 ? 1 : 23) {
    const struct bench_gemm g = {1 + k % 5, k, 1 + k % 7, k % 3 ? KTPU_INT32 : KTPU_INT8, 0, false};
    check(&pair, *build, &g, BENCH_RANDOM, seed + k);
  }
  bench_close(&pair);
}

ParameterizedTestParameters(cosim_gemm, full_scale_operands_equal_the_model)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_gemm, full_scale_operands_equal_the_model,
                  .timeout = 120)
{
  struct bench_pair pair;
  bench_open(&pair, *build, NULL);
  const uint32_t d = pair.p.maxdim;
  for (enum bench_fill fill = BENCH_MAX; fill <= BENCH_ALTERNATING; fill++) {
    const struct bench_gemm forms[] = {
        {9, d + 5, 11, KTPU_INT32, 0, false},
        {9, d + 5, 11, KTPU_INT8, 0, true},
        {9, d + 5, 11, KTPU_INT8, 14, false},
        {9, d + 5, 11, KTPU_INT8, 31, false},
    };
    for (size_t i = 0; i < COUNT(forms); i++) check(&pair, *build, &forms[i], fill, 1);
  }
  bench_close(&pair);
}

/* ---- what must not change a result ------------------------------------------------------------ */

static uint64_t result_of(const char *build, const struct ktpu_options *o,
                          const struct bench_gemm *g, uint8_t *out)
{
  struct ktpu_result r;
  struct ktpu_device *d = bench_open_sim(build, o);
  const enum ktpu_status st = bench_gemm_on(d, g, BENCH_RANDOM, 5, out, &r);
  struct ktpu_message m;
  ktpu_message(d, &m);
  cr_assert(st == KTPU_OK, "%s: %s", build, m.text);
  ktpu_close(d);
  return r.cycles;
}

ParameterizedTestParameters(cosim_gemm, memory_timing_changes_no_result)
{
  return builds_as_params();
}

/* Latency, bandwidth and stalls on all five channels; the same again takes the same cycles. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_gemm, memory_timing_changes_no_result,
                  .timeout = 300)
{
  static const struct ktpu_options plain;
  static const struct ktpu_options slow[] = {
      {.latency = 1},
      {.latency = 7},
      {.latency = 64},
      {.latency = 200},
      {.bandwidth = 64},
      {.stall_seed = 1},
      {.stall_seed = 2, .latency = 3},
      {.stall_seed = 3, .latency = 17},
      {.stall_seed = 4, .bandwidth = 100, .latency = 140},
  };
  const struct bench_gemm g = {23, 75, 21, KTPU_INT32, 0, false};
  const size_t bytes = 4 * (size_t)g.m * g.n;
  uint8_t *want = calloc(1, bytes), *got = calloc(1, bytes);
  const uint64_t fastest = result_of(*build, &plain, &g, want);
  for (size_t i = 0; i < COUNT(slow); i++) {
    const uint64_t cycles = result_of(*build, &slow[i], &g, got);
    cr_assert(memcmp(got, want, bytes) == 0, "%s: memory %zu changed the result", *build, i);
    cr_assert(cycles > fastest, "%s: memory %zu: %" PRIu64 " cycles, %" PRIu64 " without", *build,
              i, cycles, fastest);
    const uint64_t again = result_of(*build, &slow[i], &g, got);
    cr_assert(again == cycles, "%s: memory %zu: %" PRIu64 " cycles, then %" PRIu64, *build, i,
              cycles, again);
  }
  free(want);
  free(got);
}

ParameterizedTestParameters(cosim_gemm, power_up_and_unwritten_memory_change_nothing)
{
  return builds_as_params();
}

/* Registers' first values, noise in memory and in all padding; not even a cycle may differ. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_gemm,
                  power_up_and_unwritten_memory_change_nothing, .timeout = 120)
{
  const struct bench_gemm g = {7, 70, 9, KTPU_INT32, 0, false};
  const size_t bytes = 4 * (size_t)g.m * g.n;
  uint8_t *want = calloc(1, bytes), *got = calloc(1, bytes);
  const struct ktpu_options plain = {.power_seed = 1};
  const uint64_t cycles = result_of(*build, &plain, &g, want);
  for (uint32_t seed = 2; seed < 6; seed++) {
    const struct ktpu_options o = {.power_seed = 77 * seed, .noise_seed = seed};
    const uint64_t other = result_of(*build, &o, &g, got);
    cr_assert(memcmp(got, want, bytes) == 0, "%s: seed %" PRIu32 " changed the result", *build,
              seed);
    cr_assert(other == cycles, "%s: seed %" PRIu32 ": %" PRIu64 " cycles, want %" PRIu64, *build,
              seed, other, cycles);
  }
  free(want);
  free(got);
}

/* All builds agree with each other, whatever their T, MAXDIM and bus width. */
Test(cosim_gemm, all_builds_give_the_same_result, .timeout = 120)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  const struct bench_gemm g = {37, 85, 41, KTPU_INT8, 8, false};
  const size_t bytes = (size_t)g.m * g.n;
  uint8_t *want = calloc(1, bytes), *got = calloc(1, bytes);
  const struct ktpu_options plain = {0};
  result_of(names[0], &plain, &g, want);
  for (size_t i = 1; i < n; i++) {
    result_of(names[i], &plain, &g, got);
    cr_assert(memcmp(got, want, bytes) == 0, "%s and %s differ", names[0], names[i]);
  }
  free(want);
  free(got);
}

/* A shape past the device's memory takes several programs and is right all the same. */
ParameterizedTestParameters(cosim_gemm, small_memory_splits_the_work)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_gemm, small_memory_splits_the_work,
                  .timeout = 120)
{
  struct bench_pair pair;
  const struct ktpu_options small = {.memory = 48 << 10};
  struct ktpu_result r;
  const struct bench_gemm g = {70, 600, 50, KTPU_INT8, 10, true};
  uint8_t *out = calloc(1, (size_t)g.m * g.n);
  bench_open(&pair, *build, &small);
  check(&pair, *build, &g, BENCH_RANDOM, 3);
  cr_assert(eq(int, (int)bench_gemm_on(pair.sim, &g, BENCH_RANDOM, 3, out, &r), KTPU_OK));
  cr_assert(gt(u32, r.programs, 1));
  free(out);
  bench_close(&pair);
}
