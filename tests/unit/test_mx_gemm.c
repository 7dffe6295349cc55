/* SPDX-License-Identifier: Apache-2.0
 *
 * The emitter's bytes on the machine model against the tensor-level reference, which sees neither:
 * shapes, forms of operands and result, and machines so small that everything is cut.
 */
#include "compiler/fuzz/kc_rng.h"
#include "tests/support/mx_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const enum kc_mx_form ROWS = KC_MX_ROWS, TILES = KC_MX_SUBTILES, ENTRIES = KC_MX_ENTRIES;

static void run(const struct mx_case *c, uint64_t seed, size_t *rounds)
{
  struct mx_bench b = mx_bench_new(c, seed);
  mx_bench_run(&b);
  if (rounds != NULL) *rounds = b.program.n_rounds;
  mx_bench_free(&b);
}

static struct mx_case make(const char *params, uint32_t m, uint32_t k, uint32_t n, enum kc_mx_form a,
                           enum kc_mx_form b, bool f32, unsigned percent)
{
  struct mx_case c = {.m = m, .k = k, .n = n, .a = a, .b = b, .f32 = f32, .percent_special = percent};
  snprintf(c.params, sizeof c.params, "%s", params);
  return c;
}

/* ---- Shapes ------------------------------------------------------------------------------------ */

static const uint32_t extents[] = {1, 3, 4, 5, 17, 31, 32, 33, 64, 67};
enum { EXTENTS = sizeof extents / sizeof extents[0] };

static void all_shapes(enum kc_mx_form a, enum kc_mx_form b, bool f32)
{
  for (size_t m = 0; m < EXTENTS; m++) {
    for (size_t k = 0; k < EXTENTS; k++) {
      for (size_t n = 0; n < EXTENTS; n++) {
        const struct mx_case c = make("sim1", extents[m], extents[k], extents[n], a, b, f32, 1);
        run(&c, m * 100 + k * 10 + n, NULL);
      }
    }
  }
}

Test(mx_gemm, every_shape_of_rows_is_the_references, .timeout = 60)
{
  all_shapes(ROWS, ROWS, false);
}

Test(mx_gemm, every_shape_of_entries_is_the_references, .timeout = 60)
{
  all_shapes(ENTRIES, ENTRIES, true);
}

Test(mx_gemm, every_shape_of_sub_tiles_is_the_references, .timeout = 60)
{
  all_shapes(TILES, ROWS, false);
}

/* Past one tile, one bank, one chunk in each direction; limits and their neighbours. */
Test(mx_gemm, larger_shapes_are_the_references, .timeout = 120)
{
  static const uint32_t shape[][3] = {
      {64, 64, 64},   {127, 96, 130},  {300, 300, 300}, {77, 2048, 64}, {1, 4096, 1024}, {1024, 4096, 1},
      {1, 8193, 1},   {1021, 32, 4},   {4, 32, 1021},   {1028, 33, 8},  {8, 33, 1028},   {128, 8160, 5},
      {256, 256, 256}};
  for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
    for (int f = 0; f < 2; f++) {
      const struct mx_case c = make("sim1", shape[i][0], shape[i][1], shape[i][2], f ? ENTRIES : ROWS,
                                    f ? ROWS : ENTRIES, f != 0, 0);
      run(&c, i, NULL);
    }
  }
}

/* ---- Small machines ---------------------------------------------------------------------------- */

#define TINY "sim1,L1_ENTRIES=16,TILES=16,STAGING=64,COMMANDS=32,IFIFO=8"

Test(mx_gemm, small_machines_cut_rounds_and_change_nothing, .timeout = 60)
{
  static const char *const machine[] = {TINY, "sim1,STAGING=64,COMMANDS=32", "sim1,L1_ENTRIES=32,STAGING=64",
                                        "sim1,TILES=32,STAGING=128", "sim1,KSLICE=4,ACC_MW=10,TILES=64",
                                        "sim1,ACC_MW=18,L1_ENTRIES=64"};
  size_t most = 0;
  for (size_t i = 0; i < sizeof machine / sizeof machine[0]; i++) {
    for (int f = 0; f < 2; f++) {
      size_t rounds;
      const struct mx_case c = make(machine[i], 75, 300, 101, f ? ENTRIES : ROWS, ROWS, f != 0, 1);
      run(&c, i, &rounds);
      if (rounds > most) most = rounds;
    }
  }
  cr_assert(gt(sz, most, 3), "no machine cut its rounds");
}

/* The longest K that a tile of one sub-tile still reaches in 64 instructions, and one block more. */
Test(mx_gemm, the_longest_k_of_a_small_machine_is_a_limit_with_a_name, .timeout = 60)
{
  struct kt_mx_params p;
  struct kc_mx_plan plan;
  struct kt_msg msg = {{0}};
  uint32_t longest = 0;

  cr_assert(eq(int, kt_mx_params_parse(&p, TINY, &msg), KT_OK));
  for (uint32_t blocks = 1; blocks < 400; blocks++) {
    struct kc_mx_task t = {.m = 3, .k = blocks * 32, .n = 3, .sk = 1};
    t.a.form = t.b.form = KC_MX_ENTRIES;
    t.b.addr = (uint32_t)kc_mx_operand_bytes(KC_MX_ENTRIES, 3, t.k, &t.a.stride);
    t.c_addr = t.b.addr + (uint32_t)kc_mx_operand_bytes(KC_MX_ENTRIES, 3, t.k, &t.b.stride);
    kc_mx_c_bytes(3, 3, false, &t.c_stride);
    const enum kt_status st = kc_mx_plan(&p, &t, &plan, &msg);
    kc_mx_plan_free(&plan);
    if (st != KT_OK) {
      cr_assert(eq(int, st, KT_ELIMIT));
      cr_assert(strstr(msg.text, "staging") != NULL, "%s", msg.text);
      break;
    }
    longest = blocks;
  }
  cr_assert(gt(u32, longest, 100));
  cr_assert(lt(u32, longest, 399));
  const struct mx_case c = make(TINY, 3, longest * 32, 3, ENTRIES, ENTRIES, false, 0);
  run(&c, 1, NULL);
}

/* ---- Random ------------------------------------------------------------------------------------ */

static uint32_t random_extent(struct kc_rng *rng)
{
  return kc_rng_range(rng, 1, kc_rng_percent(rng, 30) ? 220 : 40);
}

Test(mx_gemm, random_machines_and_shapes_are_the_references, .timeout = 120)
{
  static const uint32_t entries[] = {16, 32, 64, 512}, tiles[] = {16, 64, 512}, staging[] = {64, 256, 2048};
  const char *given = getenv("SEED");
  const uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : 1;
  struct kc_rng rng = kc_rng_seed(seed);

  for (int i = 0; i < 150; i++) {
    struct mx_case c = make("", random_extent(&rng), random_extent(&rng), random_extent(&rng),
                            (enum kc_mx_form)kc_rng_range(&rng, 0, 2), (enum kc_mx_form)kc_rng_range(&rng, 0, 2),
                            kc_rng_percent(&rng, 50), kc_rng_range(&rng, 0, 3));
    snprintf(c.params, sizeof c.params, "sim1,L1_ENTRIES=%u,TILES=%u,STAGING=%u,ACC_MW=%u",
             entries[kc_rng_range(&rng, 0, 3)], tiles[kc_rng_range(&rng, 0, 2)],
             staging[kc_rng_range(&rng, 0, 2)], kc_rng_range(&rng, 10, 18));
    run(&c, seed + (uint64_t)i, NULL);
  }
}
