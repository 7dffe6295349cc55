/* SPDX-License-Identifier: Apache-2.0
 *
 * L1 GEMM programs of the int8 core: C = A * B, A m x k, B k x n, at the descriptor's bases.
 *
 * What every program here expects of memory (docs/programs.md has a picture):
 *   B   rows k .. ceil(k / T) * T - 1 are zero
 *   A   at least 4 rows and ceil(k / T) * T columns can be read; what lies past m or k does not matter
 *   C   ceil(n / T) * T columns of m rows are written
 */
#ifndef KC_GEMM_H
#define KC_GEMM_H

#include "compiler/bytes/kc_program.h"

/* The plain GEMM, the reference's layout: A k-tile i in vr from row i * MAXDIM, B column j in spad
 * from row j * MAXDIM, the result in ar from row KC_AR_C. 1 <= m, k, n <= MAXDIM. */
struct kc_shape {
  uint32_t m, k, n;
  bool relu;
};

enum { KC_A_VR = 0, KC_B_SP = 0, KC_AR_C = 0 };

/* First row of the second result region: MAXDIM + 1. */
uint32_t kc_ar_p(const struct kt_params *p);

/* The same program three times: from the loop-nest generator (at most 14 instructions), typed by
 * hand, and unrolled to absolute addresses. B's load is split in two where one instruction cannot
 * carry its rows (MAXDIM above 127). KT_ELIMIT names the limit that refuses a shape and by how much
 * (spec/kt_actions.h, kt_gemm_limits); the flat one may need a longer IMEM_SIZE than the build has,
 * which only the checker refuses. The caller frees *out. */
enum kt_status kc_gemm_program(const struct kt_params *p, const struct kc_shape *shape,
                               struct kc_program *out, struct kt_msg *msg);
enum kt_status kc_gemm_handwritten(const struct kt_params *p, const struct kc_shape *shape,
                                   struct kc_program *out, struct kt_msg *msg);
enum kt_status kc_gemm_flat(const struct kt_params *p, const struct kc_shape *shape,
                            struct kc_program *out, struct kt_msg *msg);

/* The fast GEMM, or one link of a chain over K of it.
 *   cb_a, cb_b, cb_c  column block at which A, B and C begin, in packed words of T elements
 *   first   overwrite ar (otherwise go on with what the previous program of the chain left)
 *   last    retire to C (otherwise leave the sums in ar)
 *   relu    max(x, 0) before retiring; only with last
 * A whole product (first and last) streams its columns through ar; a link keeps all of them there,
 * so n is then limited to kc_slab_columns(p, m) * T. Links of one chain must agree in m and n. */
struct kc_slab {
  uint32_t m, k, n;
  uint32_t cb_a, cb_b, cb_c;
  bool first, last, relu;
};

/* Columns of T elements that a link of a chain can keep in ar for m rows: 4, 2 or 1. */
uint32_t kc_slab_columns(const struct kt_params *p, uint32_t m);

/* Columns that one whole product can have before a header count overflows, at most MAXDIM / T. */
uint32_t kc_slab_columns_whole(const struct kt_params *p, uint32_t m, uint32_t k, bool relu);

/* The tile of M and of K that a plan takes: MAXDIM where one instruction can carry that many rows,
 * else the largest divisor of MAXDIM that it can. (One program by itself can have m up to
 * min(MAXDIM, 127) and k up to MAXDIM.) */
uint32_t kc_slab_rows(const struct kt_params *p);

/* KT_ELIMIT: past what one program holds; msg names the limit and by how much. */
enum kt_status kc_gemm_slab(const struct kt_params *p, const struct kc_slab *slab,
                            struct kc_program *out, struct kt_msg *msg);

#endif
