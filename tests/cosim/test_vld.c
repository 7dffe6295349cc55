/* SPDX-License-Identifier: Apache-2.0
 *
 * A vld beside the instructions that meet its rows while it is under way: an mm that reads what it has
 * just moved, loads of the rows that it reads or writes before and behind it, and another vld. Each at
 * every distance of rows, on every build and kind of memory; lint/removed-checks.txt names the lines of
 * the Verilog without which one of these programs goes wrong (make mutate-checks tries them).
 */
#include "compiler/bytes/kc_asm.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/cosim_bench.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 2000, MOST_ROWS = 16 };

struct setting {
  char build[BENCH_NAME];
  uint32_t latency;
  bool stalls;
};

static struct criterion_test_params settings(void)
{
  static const struct {
    uint32_t latency;
    bool stalls;
  } memory[] = {{0, false}, {7, false}, {64, false}, {2, true}};
  enum { KINDS = sizeof memory / sizeof memory[0] };
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  struct setting *s = cr_malloc(n * KINDS * sizeof *s);
  for (size_t i = 0; i < n * KINDS; i++) {
    memcpy(s[i].build, names[i / KINDS], BENCH_NAME);
    s[i].latency = memory[i % KINDS].latency;
    s[i].stalls = memory[i % KINDS].stalls;
  }
  return cr_make_param_array(struct setting, s, n * KINDS, NULL);
}

/* vr 0..31 from A, spad 0..31 from B, and last what a vld reads: it waits, and what comes behind it
 * arrives right behind its rows. */
#define LOADED                                                                                     \
  "dma_ld mode=2 dram_row0=0 col_block=0 dst_row0=0 nr=16\n"                                       \
  "dma_ld mode=2 dram_row0=0 col_block=1 dst_row0=16 nr=16\n"                                      \
  "dma_ld mode=1 dram_row0=0 col_block=1 dst_row0=16 nr=16\n"                                      \
  "dma_ld mode=1 dram_row0=0 col_block=0 dst_row0=0 nr=16\n"
/* Until they are there. */
#define SETTLED "loop wait 100\nnop\nnop\nnop\nnop\nendloop wait\n"
/* What vr's first 32 rows hold, multiplied and retired to C. */
#define SHOWN                                                                                      \
  "mm vr_a=0 ar0=0 acc=0 spad_w=0 nr=16\nmm vr_a=16 ar0=16 acc=0 spad_w=0 nr=16\n"                 \
  "mvout ar0=0 dram_row0=0 col_block=0 nr=16\nmvout ar0=16 dram_row0=0 col_block=1 nr=16\n"

/* Keeps an mvout as far from the last row written as the rules want. */
#define APART "mm vr_a=28 ar0=28 acc=0 spad_w=0 nr=4\n"

/* %1$u: rows of the vld; %2$u: a row's distance from its first; %3$u: rows from there to its end; %4$u,
 * %5$u: that row in vr and in spad. */
static const struct {
  const char *rule, *text;
} PROGRAMS[] = {
    {"an mm reads rows that a vld has just moved",
     LOADED SETTLED "vld vr0=8 spad0=%1$u nr=%1$u\n"
     "mm vr_a=%4$u ar0=0 acc=0 spad_w=0 nr=%3$u\n" APART
     "mvout ar0=0 dram_row0=0 col_block=0 nr=%3$u\n"},
    {"a load of rows that the vld before it writes",
     LOADED "vld vr0=8 spad0=4 nr=%1$u\n"
     "dma_ld mode=3 dram_row0=0 col_block=0 dst_row0=%4$u nr=%1$u\n" SHOWN},
    {"a load of one row that the vld before it writes, with room in between",
     LOADED SETTLED "vld vr0=8 spad0=4 nr=%1$u\n"
     "dma_ld mode=3 dram_row0=0 col_block=0 dst_row0=%4$u nr=1\n" SHOWN},
    {"a load of rows that the vld before it reads",
     LOADED "vld vr0=8 spad0=4 nr=%1$u\n"
     "dma_ld mode=0 dram_row0=0 col_block=0 dst_row0=%5$u nr=%1$u\n" SHOWN},
    {"a vld of rows that a load before it writes, in spad",
     LOADED SETTLED "dma_ld mode=0 dram_row0=0 col_block=0 dst_row0=%5$u nr=%1$u\n"
     "vld vr0=8 spad0=4 nr=%1$u\n" SHOWN},
    {"a vld over rows that a load before it writes, in vr",
     LOADED SETTLED "dma_ld mode=3 dram_row0=0 col_block=0 dst_row0=%4$u nr=%1$u\n"
     "vld vr0=8 spad0=4 nr=%1$u\n" SHOWN},
    {"a vld over rows that the mm before it reads",
     LOADED SETTLED "mm vr_a=8 ar0=16 acc=0 spad_w=0 nr=%1$u\nvld vr0=%4$u spad0=4 nr=%1$u\n"
     "mm vr_a=8 ar0=0 acc=0 spad_w=0 nr=%1$u\n" APART "mvout ar0=0 dram_row0=0 col_block=0 nr=%1$u\n"
     "mvout ar0=16 dram_row0=0 col_block=1 nr=%1$u\n"},
    {"a vld behind a vld of the same rows, and an mm",
     LOADED SETTLED "vld vr0=8 spad0=4 nr=%1$u\nvld vr0=%4$u spad0=8 nr=%1$u\n" SHOWN},
};

static void one_program(struct bench_pair *pair, const struct setting *s, size_t i, uint32_t rows,
                        uint32_t away)
{
  char text[TEXT], what[400];
  struct kc_program prog;
  struct kt_msg msg = {{0}};
  struct ktpu_result r, want;
  struct bench_rng rng = {i * 1000 + rows * 32 + away};
  const size_t operand = (size_t)pair->p.maxdim * pair->p.maxdim, bytes = bench_c_bytes(&pair->p);
  int8_t *a = malloc(operand), *b = malloc(operand);
  uint8_t *got = calloc(bytes, 1), *ref = calloc(bytes, 1);
  bench_noise(&rng, a, operand);
  bench_noise(&rng, b, operand);
  snprintf(text, sizeof text, PROGRAMS[i].text, rows, away, rows - away, 8 + away, 4 + away);
  cr_assert(kc_assemble(&pair->p, PROGRAMS[i].rule, text, NULL, &prog, &msg) == KT_OK, "%s", msg.text);
  struct bench_list l = {.step = {{.words = prog.words, .n_words = prog.n_words,
                                   .form = KT_FORM_INT32}},
                         .n = 1, .a = a, .b = b, .c = got};
  cr_assert(bench_run(pair->sim, &l, &r) == KTPU_OK, "%s: %s", PROGRAMS[i].rule, r.fault.text);
  l.c = ref;
  cr_assert(bench_run(pair->ref, &l, &want) == KTPU_OK);
  bench_difference(&r, &want, what, sizeof what);
  cr_assert(what[0] == '\0' && memcmp(got, ref, bytes) == 0,
            "%s latency %" PRIu32 " stalls %d: %s: %u rows, %u on: C differs %s", s->build, s->latency,
            s->stalls, PROGRAMS[i].rule, rows, away, what);
  kc_program_free(&prog);
  free(a);
  free(b);
  free(got);
  free(ref);
}

ParameterizedTestParameters(cosim_vld, its_rows_meet_others_at_every_distance)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_vld, its_rows_meet_others_at_every_distance,
                  .timeout = 120)
{
  static const uint32_t rows[] = {1, 2, 3, 4, 7, MOST_ROWS - 4};
  const struct ktpu_options o = {.latency = s->latency,
                                 .stall_seed = s->stalls ? bench_seed() : 0,
                                 .back_door = 1};
  struct bench_pair pair;
  bench_open(&pair, s->build, &o);
  const bool fit = pair.p.maxdim / pair.p.t >= 2; /* the programs load from two column blocks */
  for (size_t i = 0; fit && i < sizeof PROGRAMS / sizeof PROGRAMS[0]; i++)
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
      for (uint32_t away = 0; away < rows[k]; away++) one_program(&pair, s, i, rows[k], away);
  bench_close(&pair);
}
