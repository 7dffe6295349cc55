/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole MXFP7 machine, sim1: what the emitter makes of a GEMM, bit for bit on reference, model
 * and hardware, under every timing of memory.
 */
#include "tests/mx/mm_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>

static void setup(void)
{
  mm_open(3);
}

TestSuite(mx_machine, .init = setup, .timeout = 300);

static struct mx_case gemm(uint32_t m, uint32_t k, uint32_t n, enum kc_mx_form a, enum kc_mx_form b, bool f32,
                           unsigned percent)
{
  return (struct mx_case){.params = "sim1", .m = m, .k = k, .n = n, .a = a, .b = b, .f32 = f32,
                          .percent_special = percent};
}

Test(mx_machine, small_shapes_in_every_form)
{
  static const uint32_t extents[] = {1, 5, 33, 64};
  const struct ks_config config = {.latency = 0};
  for (unsigned i = 0; i < 4 * 4 * 4; i++)
    for (unsigned form = 0; form < 9; form++) {
      const struct mx_case c = gemm(extents[i % 4], extents[i / 4 % 4], extents[i / 16], (enum kc_mx_form)(form % 3),
                                    (enum kc_mx_form)(form / 3), (i + form) % 2 != 0, 1);
      mm_gemm(&c, i * 9 + form, &config);
    }
}

Test(mx_machine, random_shapes_under_random_timing)
{
  for (unsigned seed = 1; seed <= 60; seed++) {
    srand(seed);
    const struct ks_config config = {.latency = (uint32_t)(rand() % 60), .stall_seed = seed % 3 ? seed : 0};
    const struct mx_case c = gemm(1 + (uint32_t)rand() % 140, 1 + (uint32_t)rand() % 300, 1 + (uint32_t)rand() % 140,
                                  (enum kc_mx_form)(rand() % 3), (enum kc_mx_form)(rand() % 3), rand() % 2 != 0, 1);
    mm_gemm(&c, seed, &config);
  }
}

/* ---- Rates ------------------------------------------------------------------------------------- */

/* Steps as a share of cycles: the array's, in hundredths of a per cent. */
static unsigned measure(uint32_t m, uint32_t k, uint32_t n, enum kc_mx_form form, uint32_t latency)
{
  const struct ks_config config = {.latency = latency};
  const struct mx_case c = gemm(m, k, n, form, form, false, 0);
  const struct mm_run r = mm_gemm(&c, 9, &config);
  const unsigned share = (unsigned)((uint64_t)m * k * n / 512 * 10000 / r.cycles);
  printf("machine: %ux%ux%u form %d latency %u: %lu cycles, %u.%02u %% (wait A %lu B %lu reuse %lu output %lu start %lu"
         " idle %lu), %.0f kcycles/s\n", m, k, n, (int)form, latency, (unsigned long)r.cycles, share / 100, share % 100,
         (unsigned long)r.sweep[KT_MX_SWEEP_OPERAND_A], (unsigned long)r.sweep[KT_MX_SWEEP_OPERAND_B],
         (unsigned long)r.sweep[KT_MX_SWEEP_REUSE], (unsigned long)r.sweep[KT_MX_SWEEP_OUTPUT],
         (unsigned long)r.sweep[KT_MX_SWEEP_START], (unsigned long)r.sweep[KT_MX_SWEEP_IDLE],
         r.seconds > 0 ? (double)r.cycles / r.seconds / 1000 : 0);
  return share;
}

Test(mx_machine, cubes_reach_their_rates)
{
  cr_assert(ge(uint, measure(64, 64, 64, KC_MX_ENTRIES, 0), 7500));
  cr_assert(ge(uint, measure(64, 64, 64, KC_MX_ROWS, 0), 6000));
  cr_assert(ge(uint, measure(256, 256, 256, KC_MX_ENTRIES, 0), 9800));
  cr_assert(ge(uint, measure(256, 256, 256, KC_MX_ROWS, 0), 9700));
  cr_assert(ge(uint, measure(256, 256, 256, KC_MX_ENTRIES, 50), 9650));
  cr_assert(ge(uint, measure(256, 256, 256, KC_MX_ROWS, 50), 9550));
}
