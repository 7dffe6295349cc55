/* SPDX-License-Identifier: Apache-2.0
 *
 * Small programs that exercise what a GEMM leaves alone. The caller frees *out.
 */
#ifndef KC_TESTPROG_H
#define KC_TESTPROG_H

#include "compiler/unit/kc_gemm.h"

/* relu(2 * (A * B)) of the first T columns: A shape.m x shape.k; shape.n is not used. The doubling
 * is a vadd into the second result region, the clamp a vrelu there, or one vaddrelu if
 * shape.relu is set. */
enum kt_status kc_vadd_program(const struct kt_params *p, const struct kc_shape *shape,
                               struct kc_program *out, struct kt_msg *msg);

/* Varies what a GEMM holds constant: all four load modes, vld, separate accumulator regions, both
 * sums. 4 rows; C's column blocks 0 .. 4, as far as WPR allows, get A*B, its relu, 2*A*B, the sum
 * of that and the relu, and the clamp of A*B + A*B, where A is A's first T columns and B is B's first T
 * rows and columns. T <= MAXDIM / 2 reaches every mode; MAXDIM >= 2 * T is required (KT_ELIMIT). */
enum kt_status kc_vector_program(const struct kt_params *p, struct kc_program *out,
                                 struct kt_msg *msg);

/* mm writes d rows of ar and a vrelu then reads the first of them: exactly d accu steps between
 * (1 .. MAXDIM, at most 127). Legal from AR_RAW_DIST on. C gets relu(A * B) of d rows, T columns, K = T. */
enum kt_status kc_ar_distance_program(const struct kt_params *p, uint32_t d,
                                      struct kc_program *out, struct kt_msg *msg);

/* Doubles the 4 rows of A * B (K = T, T columns) by vadd until every bit of a lane has moved past
 * bit 31 (every bit toggles if A * B has odd and even, positive and negative elements in the lane):
 * stage s of C holds (A * B) << (s * step), wrapped; meant for the int32 form. Stage s is in
 * rows 4 * (s % down) .. of column block s / down. */
struct kc_doubling {
  uint32_t down, across; /* stages a column block, column blocks */
  uint32_t step;         /* doublings between stages */
};
enum kt_status kc_doubling_program(const struct kt_params *p, struct kc_program *out,
                                   struct kc_doubling *layout, struct kt_msg *msg);

#endif
