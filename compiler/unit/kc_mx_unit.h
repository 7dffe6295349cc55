/* SPDX-License-Identifier: Apache-2.0
 *
 * L1 of the MXFP7 machine: instructions as values, and streams of them. Fields are those of
 * docs/mx-isa.md.
 */
#ifndef KC_MX_UNIT_H
#define KC_MX_UNIT_H

#include "compiler/bytes/kc_mx_bytes.h"

struct kc_mx_fill {
  uint32_t side, preq, order, layout, bank, offset;
  uint32_t addr, groups, blocks, group_stride, block_stride, lane_stride;
  uint32_t real_lanes, real_depth, pitch;
};

struct kc_mx_gemm {
  uint32_t acc, emit, a_bank, b_bank, a_offset, b_offset;
  uint32_t gm, gn, nk, tile, a_pitch, b_pitch;
};

struct kc_mx_drain {
  uint32_t dtype, fused, addr, rows, columns, stride, tile;
};

struct kc_mx_quantise {
  uint32_t layout, pitch, addr, groups, blocks, group_stride, block_stride, lane_stride;
  uint32_t real_lanes, real_depth, to;
};

struct kc_mx_op {
  uint32_t opcode; /* KT_MX_OP_* */
  union {
    struct kc_mx_quantise quantise;
    struct kc_mx_fill fill;
    struct kc_mx_gemm gemm;
    struct kc_mx_drain drain;
  } as;
};

/* Starts zeroed; the caller frees with kc_mx_stream_free. */
struct kc_mx_stream {
  struct kc_mx_op *ops;
  size_t n, room;
};

/* Appends. KT_ENOMEM. */
enum kt_status kc_mx_put(struct kc_mx_stream *s, const struct kc_mx_op *op);
void kc_mx_stream_free(struct kc_mx_stream *s);

/* An instruction's flit, and back; bits without a field are lost. KT_EINVAL: no such opcode. */
enum kt_status kc_mx_pack(const struct kc_mx_op *op, struct kt_mx_flit *flit);
enum kt_status kc_mx_unpack(const struct kt_mx_flit *flit, struct kc_mx_op *op);

/* The stream as one round of one kick, appended to the program. Every instruction has passed
 * kc_mx_check; KT_ERANGE names the first that does not, KT_ELIMIT what does not fit. */
enum kt_status kc_mx_stream_round(const struct kc_mx_stream *s, const struct kt_mx_params *p,
                                  struct kc_mx_program *program, struct kt_msg *msg);

/* A line an instruction. Caller frees *text. */
enum kt_status kc_mx_stream_text(const struct kc_mx_stream *s, char **text);

#endif
