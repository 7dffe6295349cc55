/* SPDX-License-Identifier: Apache-2.0
 *
 * L2 of the MXFP7 machine: an operand in binary16 rows becomes MXFP7 entries, on the machine, once a
 * tensor.
 */
#ifndef KC_MX_QUANTISE_H
#define KC_MX_QUANTISE_H

#include "compiler/schedule/kc_mx_plan.h"

struct kc_mx_conversion {
  uint32_t lanes, k;
  struct kc_mx_operand from; /* KC_MX_ROWS */
  struct kc_mx_operand to;   /* KC_MX_ENTRIES; stride a multiple of 128, must not lie over from */
};

/* As many QUANTISE instructions and rounds as it takes. Caller frees with kc_mx_program_free, also
 * after a failure. KT_EINVAL: no lanes or no k, other forms, strides too small or off their multiples. */
enum kt_status kc_mx_quantise_emit(const struct kt_mx_params *p, const struct kc_mx_conversion *c,
                                   struct kc_mx_program *program, struct kt_msg *msg);

#endif
