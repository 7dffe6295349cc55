/* SPDX-License-Identifier: Apache-2.0
 *
 * L2 of the MXFP7 machine: C = A B of any size as rounds for one cluster.
 *
 * A is m x k, B is k x n and lies in memory as its transpose: both operands are lanes (rows of A,
 * columns of B) of k elements. C leaves as 4 x 4 sub-tiles, row-major in themselves, sub-tile
 * (g, h) = rows 4g.. and columns 4h.. at c_addr + g * c_stride + h * (32 or 64 bytes); what lies past
 * m and n in the last ones is the product of +0 lanes.
 */
#ifndef KC_MX_PLAN_H
#define KC_MX_PLAN_H

#include "compiler/unit/kc_mx_time.h"

enum kc_mx_form {
  KC_MX_ROWS,     /* binary16, lane l at addr + l * stride */
  KC_MX_SUBTILES, /* binary16 sub-tiles as a C leaves: group g at addr + g * stride */
  KC_MX_ENTRIES   /* MXFP7 entries, entry (g, block) at addr + g * stride + block * 128 */
};

/* addr and stride are multiples of 32. A row is read in beats of 32 bytes, a SUBTILES group in
 * sub-tiles of 32 bytes: what lies past k there does not matter, but must be memory. */
struct kc_mx_operand {
  enum kc_mx_form form;
  uint32_t addr, stride;
};

struct kc_mx_task {
  uint32_t m, k, n;
  uint32_t sk; /* parts of K that are summed: 1 */
  struct kc_mx_operand a, b;
  uint32_t c_addr, c_stride; /* multiples of 32 */
  bool c_f32;                /* binary32 instead of binary16 */
};

/* Bytes that an operand of so many lanes x k takes at the smallest stride, and that stride; likewise C. */
uint64_t kc_mx_operand_bytes(enum kc_mx_form form, uint32_t lanes, uint32_t k, uint32_t *stride);
uint64_t kc_mx_c_bytes(uint32_t m, uint32_t n, bool f32, uint32_t *stride);

/* The tile: gm x gn sub-tiles at most (edges are smaller, evenly), operands in L1 in slots of nk
 * blocks; tiles_m x tiles_n of them cover C, along_n: consecutive tiles share rows of A. */
struct kc_mx_tiling {
  uint32_t gm, gn, nk, tiles_m, tiles_n;
  bool along_n;
};
enum kt_status kc_mx_tile_choose(const struct kt_mx_params *p, const struct kc_mx_task *t,
                                 struct kc_mx_tiling *tiling, struct kt_msg *msg);

/* The whole task as streams, one a round. Caller frees with kc_mx_plan_free, also after a failure. */
struct kc_mx_plan {
  struct kc_mx_tiling tiling;
  struct kc_mx_stream *rounds;
  size_t n_rounds;
};
/* KT_EUNSUPPORTED: sk > 1 (needs peers). KT_ELIMIT: K or an address is more than the machine holds;
 * KT_EINVAL: an extent of 0, an address or stride that is no multiple of 32, operands that overlap
 * C. */
enum kt_status kc_mx_plan(const struct kt_mx_params *p, const struct kc_mx_task *t,
                          struct kc_mx_plan *plan, struct kt_msg *msg);
void kc_mx_plan_free(struct kc_mx_plan *plan);

/* Plan and bytes in one: what a driver uploads, round after round. Caller frees with
 * kc_mx_program_free, also after a failure. */
enum kt_status kc_mx_emit(const struct kt_mx_params *p, const struct kc_mx_task *t,
                          struct kc_mx_program *program, struct kt_msg *msg);

/* Modelled cycles of all rounds, the gaps between rounds not counted. */
enum kt_status kc_mx_plan_time(const struct kt_mx_params *p, const struct kc_mx_plan *plan,
                               uint32_t latency, struct kc_mx_time *out);

#endif
