/* SPDX-License-Identifier: Apache-2.0
 *
 * A second reading of docs/mx-machine.md for legal programs: instruction after instruction, product after
 * product in the order of the sweep, FP22 words by integers. It shares no code with the machine model
 * but the formats' own functions (kr_fp22, kr_mxfp7), which have tests of their own.
 */
#ifndef TESTS_SUPPORT_MX_ORACLE_H
#define TESTS_SUPPORT_MX_ORACLE_H

#include "compiler/unit/kc_mx_unit.h"

#include <stdint.h>

struct mx_oracle_totals {
  uint32_t steps, read_beats, write_beats, overflow, clamped, flushed, nan, poisoned;
};

/* Runs the stream on memory. */
struct mx_oracle_totals mx_oracle(const struct kt_mx_params *p, const struct kc_mx_stream *s,
                                  uint8_t *memory);

#endif
