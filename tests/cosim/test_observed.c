/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be seen of a machine besides its results: counters that cover the work done, cycles that
 * do not get worse, and faults of rules that only an unusual program meets.
 */
#include "compiler/bytes/kc_asm.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/cosim_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct criterion_test_params builds_as_params(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  char *params = cr_malloc(n * BENCH_NAME);
  memcpy(params, names, n * BENCH_NAME);
  return cr_make_param_array(char[BENCH_NAME], params, n, NULL);
}

/* ---- counters --------------------------------------------------------------------------------- */

ParameterizedTestParameters(cosim_observed, busy_cycles_cover_the_work)
{
  return builds_as_params();
}

/* A unit moves at most one row a cycle through a port, so it is busy for at least the rows that its
 * busiest port moves; the array is busy once for each row that it multiplies. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_observed, busy_cycles_cover_the_work,
                  .timeout = 120)
{
  struct bench_pair pair;
  struct ktpu_result r;
  int8_t out[16 * 16];
  bench_open(&pair, *build, NULL);
  if (pair.p.counters == 0) {
    bench_close(&pair);
    return;
  }
  const struct bench_gemm g = {16, 16, 16, KTPU_INT8, 0, false};
  cr_assert(eq(int, (int)bench_gemm_on(pair.sim, &g, BENCH_RANDOM, 1, out, &r), KTPU_OK));
  const uint64_t t = pair.p.t, columns = 16 / t, tiles = columns * columns;
  const uint64_t loaded = 16 * columns; /* words of A, and of B */
  const uint64_t least[KTPU_UNITS] = {
      [KT_UNIT_SEQUENCER] = 1,
      [KT_UNIT_DMA_LD] = pair.p.bus_bits > 8 * t ? loaded : 2 * loaded,
      [KT_UNIT_SPM] = tiles * t > loaded ? tiles * t : loaded,
      [KT_UNIT_VRU] = 16 * tiles > loaded ? 16 * tiles : loaded,
      [KT_UNIT_ARRAY] = 16 * tiles,
      [KT_UNIT_ACCU] = 16 * tiles,
      [KT_UNIT_DMA_ST] = 16 * columns,
  };
  for (size_t u = 0; u < KTPU_UNITS; u++)
    cr_expect(r.stalls[u][KT_STATE_BUSY] >= least[u],
              "%s: unit %zu was busy for %" PRIu64 " cycles, its work takes %" PRIu64, *build, u,
              r.stalls[u][KT_STATE_BUSY], least[u]);
  cr_expect(r.stalls[KT_UNIT_ARRAY][KT_STATE_BUSY] == 16 * tiles, "%s: %" PRIu64, *build,
            r.stalls[KT_UNIT_ARRAY][KT_STATE_BUSY]);
  bench_close(&pair);
}

/* ---- cycles ----------------------------------------------------------------------------------- */

/* The most cycles that a shape may take at latency 0, T = 4, MAXDIM = 16. */
static const struct {
  uint32_t m, k, n, bus64, bus256;
} limits[] = {{4, 4, 4, 40, 36},
              {8, 8, 8, 90, 75},
              {12, 12, 12, 180, 166},
              {16, 16, 8, 206, 191},
              {16, 16, 16, 342, 323}};

ParameterizedTestParameters(cosim_observed, small_shapes_keep_their_cycles)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_observed, small_shapes_keep_their_cycles,
                  .timeout = 120)
{
  struct bench_pair pair;
  struct ktpu_result r;
  int8_t out[16 * 16];
  bench_open(&pair, *build, NULL);
  const struct kt_params *p = &pair.p;
  const bool applies = p->t == 4 && p->maxdim == 16 && p->contracts != 0 && p->strides != 0 &&
                       p->serial_shift == 0;
  for (size_t i = 0; applies && i < sizeof limits / sizeof limits[0]; i++) {
    const struct bench_gemm g = {limits[i].m, limits[i].k, limits[i].n, KTPU_INT8, 0, false};
    const uint32_t most = p->bus_bits == 256 ? limits[i].bus256 : limits[i].bus64;
    cr_assert(eq(int, (int)bench_gemm_on(pair.sim, &g, BENCH_RANDOM, 1, out, &r), KTPU_OK));
    cr_expect(r.cycles <= most, "%s: %ux%ux%u takes %" PRIu64 " cycles, at most %u wanted", *build,
              g.m, g.k, g.n, r.cycles, most);
  }
  bench_close(&pair);
}

/* ---- rules that only an unusual program meets --------------------------------------------------- */

/* Programs that work in place on rows that nothing wrote, or on some that something did. */
static const struct {
  const char *text;
  uint32_t sub, row, instr;
} in_place[] = {
    {"vrelu ar_d=8 ar_s=8 nr=4\n", KT_MEM_AR, 8, 0},
    {"vadd ar_d=8 ar_s1=8 ar_s2=8 nr=1\n", KT_MEM_AR, 8, 0},
    {"vadd ar_d=9 ar_s1=8 ar_s2=8 nr=4\n", KT_MEM_AR, 8, 0},
    {"vaddrelu ar_d=7 ar_s1=8 ar_s2=8 nr=4\n", KT_MEM_AR, 8, 0},
    {"dma_ld mode=1 dram_row0=0 col_block=0 dst_row0=0 nr=16\n"
     "dma_ld mode=2 dram_row0=0 col_block=0 dst_row0=0 nr=4\n"
     "mm vr_a=0 ar0=0 acc=0 spad_w=0 nr=4\n"
     "vrelu ar_d=1 ar_s=1 nr=4\n", KT_MEM_AR, 4, 3},
};

ParameterizedTestParameters(cosim_observed, work_in_place_on_unwritten_rows_is_a_fault)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_observed,
                  work_in_place_on_unwritten_rows_is_a_fault, .timeout = 120)
{
  struct bench_pair pair;
  bench_open(&pair, *build, NULL);
  const size_t operand = (size_t)pair.p.maxdim * pair.p.maxdim;
  int8_t *ab = calloc(operand, 1);
  uint8_t *c = calloc(bench_c_bytes(&pair.p), 1);
  for (size_t i = 0; pair.p.contracts != 0 && i < sizeof in_place / sizeof in_place[0]; i++) {
    const struct kc_asm_opts opts = {.no_check = true};
    struct kc_program prog;
    struct kt_msg msg = {{0}};
    struct ktpu_result r;
    cr_assert(kc_assemble(&pair.p, "in place", in_place[i].text, &opts, &prog, &msg) == KT_OK, "%s",
              msg.text);
    const struct bench_list l = {
        .step = {{.words = prog.words, .n_words = prog.n_words}}, .n = 1, .a = ab, .b = ab, .c = c};
    cr_assert(eq(int, (int)bench_run(pair.sim, &l, &r), KTPU_EFAULT), "%s: program %zu", *build, i);
    cr_expect(r.fault.code == KT_FAULT_UNWRITTEN && r.fault.sub == in_place[i].sub &&
                  r.fault.argument == in_place[i].row && r.fault.instruction == in_place[i].instr,
              "%s: program %zu: %s", *build, i, r.fault.text);
    kc_program_free(&prog);
  }
  free(ab);
  free(c);
  bench_close(&pair);
}

ParameterizedTestParameters(cosim_observed, an_unaligned_list_is_a_fault)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_observed, an_unaligned_list_is_a_fault,
                  .timeout = 120)
{
  struct bench_pair pair;
  struct ktpu_result r;
  bench_open(&pair, *build, NULL);
  for (uint32_t offset = 1; offset < pair.p.bus_bits / 8; offset *= 2) {
    cr_assert(eq(int, (int)ktpu_run(pair.sim, 0x400 + offset, 1, &r), KTPU_EFAULT), "%s: %u", *build,
              offset);
    cr_expect(r.fault.code == KT_FAULT_ALIGNMENT && r.fault.sub == 16, "%s: %s", *build,
              r.fault.text);
    cr_expect(pair.p.strides == 0 || r.fault.argument == 0x400 + offset, "%s: %s", *build,
              r.fault.text);
  }
  bench_close(&pair);
}
