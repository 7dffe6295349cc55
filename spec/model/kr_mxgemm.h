/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor-level reference of an MXFP7 GEMM: A, B, the split of K and the numerics page alone. It
 * knows no tile, no cluster and no program, so it judges all of them.
 *
 * C = A B, A is m x k, B is k x n, binary16, row-major. Blocks of 32 along K are quantised, their
 * products accumulated in FP22 in ascending k: tile = RNE(v) first, RNE(tile + RNE(v)) after. With
 * sk > 1, part p holds blocks p*s .. (p+1)*s - 1, s = ceil(blocks / sk), and the parts are summed
 * ((P0 + P1) + P2) + ..., each sum rounded.
 */
#ifndef KR_MXGEMM_H
#define KR_MXGEMM_H

#include "spec/kt_status.h"
#include "spec/model/kr_fp22.h"
#include "spec/model/kr_mxfp7.h"

#include <stddef.h>
#include <stdint.h>

/* `lanes` rows of A, or columns of B, in blocks along K; block (lane, b) is at lane * blocks + b. */
struct kr_mx_operand {
  size_t lanes;
  size_t blocks;
  struct kr_mx_block *block;
};

/* Counted over real output elements and distinct operand blocks, once each. */
struct kr_mx_events {
  uint64_t poisoned; /* operand blocks that hold an Inf or a NaN */
  uint64_t nan;      /* output elements that are NaN */
  uint64_t overflow; /* output elements with a sum past FP22's largest number */
  uint64_t clamped;  /* output elements past 65504 on their way to binary16 */
  uint64_t flushed;  /* nonzero output elements that became 0 in binary16 */
};

/* Quantises `lanes` x `k` elements: element (lane, i) is x[lane * lane_step + i * k_step]. Caller
 * frees with kr_mx_free. KT_EINVAL for an empty operand, KT_ENOMEM. ev (may be NULL) counts poisoned
 * blocks. */
enum kt_status kr_mx_pack(size_t lanes, size_t k, const uint16_t *x, size_t lane_step,
                          size_t k_step, struct kr_mx_operand *out, struct kr_mx_events *ev);
void kr_mx_free(struct kr_mx_operand *op);

/* tile[i * n + j], FP22 words of width mw, of a (m lanes) and b (n lanes, as many blocks).
 * 1 <= sk; parts that would be empty do not exist. `threads` >= 1 share the rows; the result does not
 * depend on it. KT_EINVAL when the operands do not fit together or mw is not 10..18. */
enum kt_status kr_mx_tile(const struct kr_mx_operand *a, const struct kr_mx_operand *b, size_t sk,
                          unsigned mw, unsigned threads, uint32_t *tile, struct kr_mx_events *ev);

/* The same by integers, one element after the other: what kr_mx_tile is checked against. */
enum kt_status kr_mx_tile_plain(const struct kr_mx_operand *a, const struct kr_mx_operand *b,
                                size_t sk, unsigned mw, uint32_t *tile, struct kr_mx_events *ev);

/* The tile as binary16 or as binary32, count elements. */
void kr_mx_out_f16(const uint32_t *tile, size_t count, unsigned mw, uint16_t *out,
                   struct kr_mx_events *ev);
void kr_mx_out_f32(const uint32_t *tile, size_t count, unsigned mw, uint32_t *out,
                   struct kr_mx_events *ev);

#endif
