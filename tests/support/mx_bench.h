/* SPDX-License-Identifier: Apache-2.0
 *
 * A GEMM of the MXFP7 machine, from operands to judged result: operands in memory in any form, the
 * emitter's rounds on the machine model, and C against the tensor-level reference.
 */
#ifndef TESTS_SUPPORT_MX_BENCH_H
#define TESTS_SUPPORT_MX_BENCH_H

#include "compiler/schedule/kc_mx_plan.h"
#include "spec/model/kr_mxgemm.h"
#include "spec/model/kr_mxmach.h"

#include <stdbool.h>
#include <stdint.h>

struct mx_case {
  char params[96]; /* "sim1,STAGING=64"; no pointer: parameters of a test are copied between processes */
  uint32_t m, k, n;
  enum kc_mx_form a, b;
  bool f32;
  unsigned percent_special; /* of the elements: Inf, NaN, large, subnormal */
};

struct mx_bench {
  struct mx_case c;
  struct kt_mx_params p;
  uint8_t *memory;
  uint64_t memory_bytes;
  struct kc_mx_task task;
  struct kr_mx_operand a, b; /* what the machine should see */
  struct kr_mxmach *machine;
  struct kc_mx_program program;
  struct kr_mx_events events; /* of the reference */
  uint64_t c_end;
};

/* Operands from a seed; asserts where something cannot be made. */
struct mx_bench mx_bench_new(const struct mx_case *c, uint64_t seed);
void mx_bench_free(struct mx_bench *b);

/* Stages a round and runs it. What the write of go said. */
enum kt_status mx_bench_round(struct kr_mxmach *m, const struct kc_mx_round *r, struct kt_msg *msg);

/* Emits, runs every round, compares every byte of memory: C with the reference, the rest with what it was. Asserts. */
void mx_bench_run(struct mx_bench *b);

#endif
