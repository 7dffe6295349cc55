/* SPDX-License-Identifier: Apache-2.0
 *
 * An MXFP7 entry as memory holds it: 4 lanes of 32 elements along K in 128 bytes (docs/mx-machine.md,
 * Memory formats).
 */
#ifndef KR_MXENTRY_H
#define KR_MXENTRY_H

#include "spec/generated/kt_mx.h"
#include "spec/model/kr_mxgemm.h"

/* One lane of an entry: a beat. */
void kr_mx_beat_pack(const struct kr_mx_block *b, uint8_t beat[KT_MX_BEAT_BYTES]);
void kr_mx_beat_unpack(const uint8_t beat[KT_MX_BEAT_BYTES], struct kr_mx_block *b);

/* A whole operand: entry (g, k) at (g * blocks + k) * 128; lanes that are missing in the last group
 * are zero blocks. bytes holds ceil(lanes / 4) * blocks entries. */
void kr_mx_entries(const struct kr_mx_operand *op, uint8_t *bytes);

#endif
