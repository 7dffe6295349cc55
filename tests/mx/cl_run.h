/* SPDX-License-Identifier: Apache-2.0
 *
 * Plays a program on a Verilated cluster between an endpoint and an agent that stall at random, and
 * compares what leaves with the reference while it leaves.
 */
#ifndef CL_RUN_H
#define CL_RUN_H

#include "tests/mx/cl_ref.h"
#include "tests/mx/cl_rtl.h"

/* Out of 64 cycles, in how many each side stalls; cycles until a FILL's first word and until an
 * answer. */
struct cl_timing {
  uint32_t seed;
  unsigned insn, fill, word, aw, w, latency;
  unsigned quiet; /* idle cycles after the run */
};

struct cl_fault {
  unsigned code, field, instr;
  uint32_t arg;
};

struct cl_result {
  bool faulted;
  struct cl_fault fault;
  uint64_t cycles, beats, words, completed, drains;
  uint64_t state[8];     /* cycles by what the sweep did */
  uint64_t before[8], within[8]; /* those before the first step, before the last */
  uint64_t fill_waits;   /* cycles in which a FILL waited */
  uint64_t early;        /* FILLs that the agent had before their walk ended */
  uint64_t first_word, last_word, first_step, last_step, first_beat, last_beat; /* cycles */
  uint64_t overflow, clamped, flushed, nan, steps;
  char trouble[256];     /* the first thing that was wrong, or empty */
};

struct cl_bench;
struct cl_bench *cl_bench_new(const struct cl_build *build);
void cl_bench_free(struct cl_bench *b);

/* clear, the program from its first instruction to its last completion, quiet. want: what it writes,
 * or the part of it that comes before its fault. stop_at: a fault elsewhere in that cycle (0: none). */
void cl_bench_run(struct cl_bench *b, const struct cl_program *p, const struct cl_want *want,
                  const struct cl_timing *t, uint64_t stop_at, struct cl_result *r);

#endif
