/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run gemm on a machine of MXFP7 clusters. A verdict has three sides: the device, the machine
 * model that executes the same bytes, and the GEMM computed from operands and numerics alone.
 */
#ifndef RUN_MX_H
#define RUN_MX_H

#include "host/tools/run.h"

/* Two forms at most: the one asked for, and with --compare the other one. */
enum { RUN_MX_FORMS = 2 };

struct run_mx_report {
  char shape[48];
  uint32_t m, k, n;
  struct ktpu_info info;
  enum ktpu_mx_out forms[RUN_MX_FORMS];
  unsigned n_forms;
  struct ktpu_mx_result result[RUN_MX_FORMS];
  struct ktpu_mx_events events; /* real elements and blocks, once each: the tensor's, with --compare */
  uint64_t modelled;            /* cycles of the first form; 0: no figure */
  uint64_t compared, mismatches; /* elements, all forms, against the tensor-level reference */
  uint64_t machine_mismatches;   /* the same against the machine model */
  bool raw_differ;               /* hardware totals against the machine model's */
  const char *verdict;
  double wall_s, reference_s;
  uint64_t simulated_cycles;
  struct kt_msg message;
};

enum run_exit run_mx_gemm(const struct run_options *o);

void run_mx_print(const struct run_options *o, const struct run_mx_report *r);
bool run_mx_write_json(const struct run_options *o, const struct run_mx_report *r);

#endif
