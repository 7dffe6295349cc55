/* SPDX-License-Identifier: Apache-2.0
 *
 * L2 of the int8 core: any M x K x N as a list of programs, tiled over M and N and chained over K.
 *
 * How a step becomes a descriptor
 *   PROG, PROG_WORDS  programs[step.program]
 *   A, B, C           the address of the element that the program's column block 0, row 0 stands for:
 *                       A (m0, k0 - T * cb_a)   B (k0, n0 - T * cb_b)   C (m0, n0 - T * cb_c)
 *   STRIDE_*          whatever the buffers have (0 for MAXDIM elements)
 *   continue          !first
 *   FORM, SHIFT       as given to kc_gemm_plan
 * m0 and k0 are multiples of plan.block_m and plan.block_k, and a step's columns lie within one
 * block of plan.block_n columns, counted from 0. So two layouts work:
 *   row major   the whole matrix with any stride that is a multiple of T and of the bus width; needs
 *               block_k and block_n (for C times the element's size) to be multiples of the bus width
 *   blocked     each block at its own bus-aligned address, rows MAXDIM elements apart (stride 0)
 * The cb_* fields keep the addresses bus-aligned in both. Buffers: docs/programs.md.
 */
#ifndef KC_GEMM_PLAN_H
#define KC_GEMM_PLAN_H

#include "compiler/unit/kc_gemm.h"

/* The part of the product that one descriptor computes: C (m0.., n0..) += A (m0.., k0..) * B (k0.., n0..)
 * of m x k x n. The steps of one output tile stand together, k0 ascending, first .. last. */
struct kc_step {
  uint32_t m0, m, k0, k, n0, n;
  uint32_t cb_a, cb_b, cb_c;
  bool first, last;
  uint32_t program; /* index in programs */
};

struct kc_plan {
  uint32_t block_m, block_k, block_n; /* block_m, block_k <= MAXDIM, block_n = MAXDIM */
  struct kc_step *steps;
  size_t n_steps;
  struct kc_program *programs; /* distinct, checked by the caller if at all */
  struct kc_slab *slabs;       /* slabs[i] describes programs[i] */
  size_t n_programs;
};

enum { KC_PLAN_STEPS_MAX = 1 << 24 };

/* form: KT_FORM_*; shift only matters to the descriptor. KT_EINVAL: an extent of 0, form > 2,
 * shift > 31 or a shift without form INT8_SHIFT. KT_ELIMIT: more than KC_PLAN_STEPS_MAX steps, or a
 * program past IMEM_SIZE. The caller calls kc_plan_free (also allowed after a failure). */
enum kt_status kc_gemm_plan(const struct kt_params *p, uint32_t m, uint32_t k, uint32_t n,
                            uint32_t form, uint32_t shift, bool relu, struct kc_plan *plan,
                            struct kt_msg *msg);
void kc_plan_free(struct kc_plan *plan);

#endif
