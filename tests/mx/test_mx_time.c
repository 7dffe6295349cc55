/* SPDX-License-Identifier: Apache-2.0
 *
 * What the timed model says a GEMM takes, against the cycles that the hardware takes.
 */
#include "compiler/fuzz/kc_rng.h"
#include "tests/mx/mm_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void setup(void)
{
  mm_open(5);
}

TestSuite(mx_time, .init = setup, .timeout = 300);

static struct mm_run both(const struct mx_case *c, uint32_t latency, struct kc_mx_time *time)
{
  const struct ks_config config = {.latency = latency};
  const struct mm_run run = mm_gemm(c, 4, &config);
  struct mx_bench b = mx_bench_new(c, 4);
  struct kc_mx_plan plan;

  cr_assert(eq(int, kc_mx_plan(&b.p, &b.task, &plan, NULL), KT_OK));
  cr_assert(eq(int, kc_mx_plan_time(&b.p, &plan, latency, time), KT_OK));
  printf("time: %ux%ux%u forms %d %d %s latency %u: %lu cycles, modelled %+.2f %%\n", c->m, c->k, c->n, (int)c->a,
         (int)c->b, c->f32 ? "f32" : "f16", latency, (unsigned long)run.cycles,
         100.0 * ((double)time->cycles / (double)run.cycles - 1));
  kc_mx_plan_free(&plan);
  mx_bench_free(&b);
  return run;
}

/* Five per cent, and a few cycles for what is over at once. */
static void known(const struct mx_case *c, uint32_t latency)
{
  struct kc_mx_time time;
  const struct mm_run run = both(c, latency, &time);
  const double off = fabs((double)time.cycles - (double)run.cycles);
  cr_expect(off <= 0.05 * (double)run.cycles + 5, "%ux%ux%u latency %u: %lu cycles, modelled %lu", c->m, c->k, c->n,
            latency, (unsigned long)run.cycles, (unsigned long)time.cycles);
  cr_expect(eq(ulong, run.steps, time.steps));
  cr_expect(eq(ulong, run.read_beats, time.read_beats));
  cr_expect(eq(ulong, run.write_beats, time.write_beats));
}

Test(mx_time, the_named_shapes_take_what_is_modelled)
{
  static const uint32_t shape[][3] = {{64, 64, 64}, {256, 256, 256}, {300, 300, 300}, {77, 2048, 64}, {1, 1024, 2048},
                                      {2048, 512, 1}, {16, 16, 16}, {128, 32, 128}, {1, 1, 1}, {4, 8192, 4}};
  for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
    for (int f = 0; f < 4; f++) {
      struct mx_case c = {.params = "sim1", .m = shape[i][0], .k = shape[i][1], .n = shape[i][2], .f32 = f / 2};
      c.a = c.b = f % 2 ? KC_MX_ENTRIES : KC_MX_ROWS;
      known(&c, 0);
      known(&c, 50);
    }
  }
}

/* None of these was used to fit the delays. */
Test(mx_time, random_shapes_take_what_is_modelled)
{
  static const uint32_t latency[] = {0, 50, 200};
  const char *given = getenv("SEED");
  const uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : 1;
  struct kc_rng rng = kc_rng_seed(seed);

  printf("seed %lu\n", (unsigned long)seed);
  for (int i = 0; i < 30; i++) {
    const uint32_t top = i % 3 == 0 ? 400 : 150;
    const struct mx_case c = {.params = "sim1",
                              .m = kc_rng_range(&rng, 1, top), .k = kc_rng_range(&rng, 1, 4 * top),
                              .n = kc_rng_range(&rng, 1, top), .a = (enum kc_mx_form)kc_rng_range(&rng, 0, 2),
                              .b = (enum kc_mx_form)kc_rng_range(&rng, 0, 2), .f32 = kc_rng_percent(&rng, 30)};
    known(&c, latency[i / 3 % 3]);
  }
}
