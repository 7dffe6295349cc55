/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a stream of instructions takes: a model in cycles, for choosing between schedules and for
 * the figure that a run shows as "modelled". It knows one beat a cycle each way, the order of reads,
 * which entry a step waits for, which instruction waits for which, and fixed delays between the
 * machine's parts; no arithmetic and no faults. The stream must be legal.
 */
#ifndef KC_MX_TIME_H
#define KC_MX_TIME_H

#include "compiler/unit/kc_mx_unit.h"

struct kc_mx_time {
  uint64_t cycles; /* go to done */
  uint64_t steps, read_beats, write_beats;
  uint64_t sweep[8]; /* cycles by KT_MX_SWEEP_* */
};

/* latency: cycles that memory adds to a read and to a write. KT_ENOMEM, KT_EINVAL (a stream that
 * stops for ever), KT_EUNSUPPORTED (a QUANTISE). */
enum kt_status kc_mx_time(const struct kt_mx_params *p, const struct kc_mx_stream *s,
                          uint32_t latency, struct kc_mx_time *out);

#endif
