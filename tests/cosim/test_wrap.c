/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrap-around really happens: rows of ar are doubled past 2^31 in both signs on the machine and on the
 * model. Every stage that leaves is what multiplying by a power of two modulo 2^32 gives, the lanes
 * that wrapped are counted right, and over the run every bit of every lane has gone up and down.
 */
#include "compiler/unit/kc_testprog.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/cosim_bench.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, LANES = 16, BITS = 32, RUNS = 8 };

static struct criterion_test_params builds_as_params(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  char *params = cr_malloc(n * BENCH_NAME);
  memcpy(params, names, n * BENCH_NAME);
  return cr_make_param_array(char[BENCH_NAME], params, n, NULL);
}

/* What ar's rows held, from one stage that left to the next, over all runs. */
struct history {
  uint32_t ar[ROWS][LANES];
  bool known[ROWS][LANES];
  uint32_t up[LANES][BITS], down[LANES][BITS];
};

static void next_value(struct history *h, uint32_t row, uint32_t lane, uint32_t value)
{
  const uint32_t was = h->ar[row][lane];
  for (uint32_t b = 0; b < BITS && h->known[row][lane]; b++) {
    h->up[lane][b] += ~was >> b & value >> b & 1;
    h->down[lane][b] += was >> b & ~value >> b & 1;
  }
  h->ar[row][lane] = value;
  h->known[row][lane] = true;
}

/* All of one build. */
struct scene {
  struct bench_pair pair;
  struct kc_program program;
  struct kc_doubling layout;
  struct history history;
  int8_t *a, *b;
  uint8_t *got, *want;
  size_t bytes;
  uint64_t wraps_up, wraps_down; /* lanes that passed 2^31 - 1, and -2^31, over all runs */
};

static void scene_begin(struct scene *x, const char *build)
{
  const struct ktpu_options o = {.latency = 3, .stall_seed = bench_seed(), .back_door = 1};
  struct kt_msg msg = {{0}};
  *x = (struct scene){.wraps_up = 0};
  bench_open(&x->pair, build, &o);
  const size_t operand = (size_t)x->pair.p.maxdim * x->pair.p.maxdim;
  cr_assert(kc_doubling_program(&x->pair.p, &x->program, &x->layout, &msg) == KT_OK, "%s",
            msg.text);
  x->bytes = bench_c_bytes(&x->pair.p);
  x->a = malloc(operand);
  x->b = malloc(operand);
  x->got = malloc(x->bytes);
  x->want = malloc(x->bytes);
  cr_assert(x->a != NULL && x->b != NULL && x->got != NULL && x->want != NULL);
}

static void scene_end(struct scene *x)
{
  kc_program_free(&x->program);
  free(x->a);
  free(x->b);
  free(x->got);
  free(x->want);
  bench_close(&x->pair);
}

/* An element of A * B, by hand. */
static uint32_t product(const struct scene *x, uint32_t row, uint32_t lane)
{
  int32_t sum = 0;
  for (uint32_t k = 0; k < x->pair.p.t; k++)
    sum += x->a[row * x->pair.p.maxdim + k] * x->b[k * x->pair.p.maxdim + lane];
  return (uint32_t)sum;
}

static uint32_t element(const struct scene *x, uint32_t stage, uint32_t row, uint32_t lane)
{
  const uint32_t column = stage / x->layout.down * x->pair.p.t + lane;
  const size_t at = 4 * ((stage % x->layout.down * ROWS + row) * (size_t)x->pair.p.maxdim + column);
  return x->got[at] | (uint32_t)x->got[at + 1] << 8 | (uint32_t)x->got[at + 2] << 16 |
         (uint32_t)x->got[at + 3] << 24;
}

/* Checks all stages of one run and returns how many lanes must have wrapped. */
static uint64_t check_stages(struct scene *x, const char *build)
{
  const uint64_t before = x->wraps_up + x->wraps_down;
  const uint32_t stages = x->layout.down * x->layout.across;
  for (uint32_t row = 0; row < ROWS; row++) {
    for (uint32_t lane = 0; lane < x->pair.p.t; lane++) {
      uint32_t v = product(x, row, lane);
      for (uint32_t stage = 0; stage < stages; stage++) {
        const uint32_t got = element(x, stage, row, lane);
        cr_assert(got == v, "%s: stage %u, row %u, lane %u is 0x%08x, want 0x%08x", build, stage,
                  row, lane, got, v);
        next_value(&x->history, row, lane, got);
        for (uint32_t i = 0; i < x->layout.step; i++, v <<= 1) {
          x->wraps_up += v >> 30 == 1;   /* 01..: more than 2^31 - 1 when doubled */
          x->wraps_down += v >> 30 == 2; /* 10..: less than -2^31 */
        }
      }
    }
  }
  return x->wraps_up + x->wraps_down - before;
}

static void one_run(struct scene *x, const char *build, struct bench_rng *rng)
{
  const size_t operand = (size_t)x->pair.p.maxdim * x->pair.p.maxdim;
  struct bench_list l = {.step = {{.words = x->program.words,
                                   .n_words = x->program.n_words,
                                   .form = KT_FORM_INT32}},
                         .n = 1,
                         .a = x->a,
                         .b = x->b};
  struct ktpu_result r, want;
  char text[400];
  bench_noise(rng, x->a, operand);
  bench_noise(rng, x->b, operand);
  memset(x->got, 0x5a, x->bytes);
  memset(x->want, 0x5a, x->bytes);
  l.c = x->got;
  cr_assert(bench_run(x->pair.sim, &l, &r) == KTPU_OK, "%s", build);
  l.c = x->want;
  cr_assert(bench_run(x->pair.ref, &l, &want) == KTPU_OK, "%s", build);
  bench_difference(&r, &want, text, sizeof text);
  cr_assert(text[0] == '\0', "%s: %s", build, text);
  cr_assert(memcmp(x->got, x->want, x->bytes) == 0, "%s: C differs", build);
  const uint64_t wraps = check_stages(x, build);
  cr_assert(r.wraps == wraps, "%s: %" PRIu64 " wraps counted, want %" PRIu64, build, r.wraps,
            wraps);
}

ParameterizedTestParameters(cosim_wrap, sums_wrap_in_both_signs_and_every_bit_toggles)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_wrap,
                  sums_wrap_in_both_signs_and_every_bit_toggles, .timeout = 120)
{
  struct bench_rng rng = {bench_seed()};
  struct scene *x = malloc(sizeof *x);
  uint64_t toggles = 0;
  cr_assert(x != NULL);
  scene_begin(x, *build);
  for (uint32_t i = 0; i < RUNS; i++) one_run(x, *build, &rng);
  for (uint32_t lane = 0; lane < x->pair.p.t; lane++) {
    for (uint32_t b = 0; b < BITS; b++) {
      const uint32_t up = x->history.up[lane][b], down = x->history.down[lane][b];
      cr_expect(up > 0 && down > 0, "%s seed %" PRIu64 ": bit %u of lane %u went up %u times, down %u",
                *build, bench_seed(), b, lane, up, down);
      toggles += up + down;
    }
  }
  cr_expect(x->wraps_up > 0 && x->wraps_down > 0);
  printf("%s seed %" PRIu64 ": %" PRIu64 " lanes wrapped upwards, %" PRIu64 " downwards, %" PRIu64
         " toggles of %u bits\n", *build, bench_seed(), x->wraps_up, x->wraps_down, toggles,
         x->pair.p.t * BITS);
  scene_end(x);
  free(x);
}
