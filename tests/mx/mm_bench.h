/* SPDX-License-Identifier: Apache-2.0
 *
 * A GEMM on the Verilated MXFP7 machine, beside the machine model and the tensor-level reference:
 * the emitter's bytes go through the host's registers, memory is the harness's.
 */
#ifndef MM_BENCH_H
#define MM_BENCH_H

#include "cosim/ks_machine.h"
#include "tests/support/mx_bench.h"

/* Of all rounds of a run. */
struct mm_run {
  uint64_t cycles, steps, read_beats, write_beats, sweep[8];
  double seconds; /* from go to done */
};

/* The one machine of the process. */
extern struct ks_machine mm_machine;
void mm_open(uint32_t seed);

uint32_t mm_read(uint32_t reg);
void mm_write(uint32_t reg, uint32_t value);

/* Stages a round; waits for the end of a run, STATUS; both with go between them. */
void mm_stage(const struct kc_mx_round *r);
uint32_t mm_wait(void);
uint32_t mm_round(const struct kc_mx_round *r);

/* Memory of so many bytes under the given timing. */
void mm_memory(uint8_t *image, uint64_t bytes, const struct ks_config *config);

/* Runs the case on reference, model and hardware; compares every byte of memory and the totals that the
 * model predicts. */
struct mm_run mm_gemm(const struct mx_case *c, uint64_t seed, const struct ks_config *config);

#endif
