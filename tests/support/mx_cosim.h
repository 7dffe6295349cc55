/* SPDX-License-Identifier: Apache-2.0
 *
 * What the co-simulation tests of the MXFP7 machine share: the builds that they run on, a simulated
 * machine with its model beside it, GEMMs against the numerics, and single rounds on both.
 */
#ifndef MX_COSIM_H
#define MX_COSIM_H

#include "host/kd_mx.h"
#include "support/cosim_bench.h"

/* Simulator variants to test: $KTPU_TEST_MX, else the list that make wrote. */
size_t mx_cosim_builds(char names[BENCH_BUILDS][BENCH_NAME]);

struct mx_pair {
  struct ktpu_device *sim, *ref;
  struct kt_mx_params p;
};

/* options may be NULL. Fails the test when a device does not open. */
void mx_cosim_open(struct mx_pair *pair, const char *build, const struct ktpu_options *options);
void mx_cosim_close(struct mx_pair *pair);

struct mx_problem {
  uint32_t m, k, n;
  enum ktpu_mx_out out;
  bool prequantised;
};

enum mx_fill {
  MX_RANDOM,   /* magnitudes of 2^-7 to 2 */
  MX_ANY,      /* any binary16 but Inf and NaN */
  MX_SPECIALS, /* any binary16 at all, some blocks poisoned */
  MX_LARGEST   /* +-65504: clamps on the way out */
};

/* One GEMM on both and by the numerics alone: every bit of C, raw totals, instructions and steps.
 * text is empty when all agree. Returns the cycles of the simulated machine. */
uint64_t mx_cosim_gemm(struct mx_pair *pair, const struct mx_problem *g, enum mx_fill fill,
                       uint64_t seed, char *text, size_t n);

/* What a run left behind, apart from memory. */
struct mx_outcome {
  uint32_t status, fault, arg, instr, command, code, completed;
  uint32_t raw[5];
};

/* Runs a round on a device. A fault is an outcome, not an error. */
void mx_cosim_round(struct ktpu_device *d, const struct kc_mx_round *round, struct mx_outcome *o);

/* As text, for a message; static memory. */
const char *mx_outcome_text(const struct mx_outcome *o);

#endif
