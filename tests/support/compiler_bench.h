/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the compiler's GEMMs on the reference model and compares them with a plain triple loop.
 */
#ifndef COMPILER_BENCH_H
#define COMPILER_BENCH_H

#include "compiler/schedule/kc_gemm_plan.h"
#include "spec/model/kr_int8.h"

struct gemm_case {
  uint32_t m, k, n;
  uint32_t form, shift;
  bool relu;
};

/* Matrices where a plan's steps expect them: row major where the build allows it, else blocked.
 * Padding holds noise, B's rows past K zeros, C is surrounded by a pattern. */
struct gemm_bench {
  struct kt_params p;
  struct gemm_case g;
  struct kr_int8 *model;
  struct kr_mem mem;
  bool blocked;
  uint32_t c_bytes;
  uint32_t list, prog, a, b, c, end; /* regions */
  uint64_t compared;
  uint64_t unsaturated; /* of them, those that did not leave int8 */
};

/* Aborts the test where the build text is not legal. */
struct kt_params cb_build(const char *text);

void cb_open(struct gemm_bench *gb, const struct kt_params *p, const struct gemm_case *g,
             uint64_t seed);
void cb_close(struct gemm_bench *gb);

/* Checks every program of the plan as a chain, runs all steps as one list, compares every element
 * of C and the bytes around it. Fails the test on a difference. */
void cb_run_plan(struct gemm_bench *gb, const struct kc_plan *plan);

/* One program for the whole product, through the register descriptor. */
void cb_run_program(struct gemm_bench *gb, const struct kc_program *program);

/* Element of A, B (as stored) and of C as int32; C's form decides its width. */
int cb_a(const struct gemm_bench *gb, uint32_t r, uint32_t c);
int cb_b(const struct gemm_bench *gb, uint32_t r, uint32_t c);
int32_t cb_c(const struct gemm_bench *gb, uint32_t r, uint32_t c);

#endif
