/* SPDX-License-Identifier: Apache-2.0
 *
 * The MXFP7 machine inside the library: one run, and matrices in its memory. Called with the
 * device's lock held.
 */
#ifndef KD_MX_H
#define KD_MX_H

#include "compiler/bytes/kc_mx_bytes.h"
#include "compiler/schedule/kc_mx_plan.h"
#include "host/kd_device.h"

/* Stages a round, starts it, waits for its end and adds its figures to *r. KT_EFAULT: r->fault. */
enum kt_status kd_mx_run(struct ktpu_device *d, const struct kc_mx_round *round,
                         struct ktpu_mx_result *r);

/* The fault's sentence. */
void kd_mx_fault_text(struct ktpu_mx_fault *fault);

/* KT_EUNSUPPORTED, in words, unless the device is a machine of MXFP7 clusters. */
enum kt_status kd_mx_check(struct ktpu_device *d);

/* As ktpu_mx_gemm. */
enum kt_status kd_mx_gemm(struct ktpu_device *d, const struct ktpu_mx_gemm *g,
                          struct ktpu_mx_result *r);

/* A matrix's lanes (rows of A, columns of B): element k of lane l is x[l * lane_step + k * k_step]. */
struct kd_mx_lanes {
  const uint16_t *x;
  size_t lane_step, k_step;
  uint32_t lanes, k;
};

/* Writes `lanes` as binary16 rows, as they lie in device memory, to image (kc_mx_operand_bytes of
 * them, zeros or whatever padding shall hold). */
void kd_mx_pack(const struct kd_mx_lanes *lanes, uint32_t stride, uint8_t *image);

/* C's elements, m x n, out of its image of 4 x 4 sub-tiles. */
void kd_mx_unpack(const uint8_t *image, uint32_t stride, uint32_t m, uint32_t n,
                  enum ktpu_mx_out out, void *c, size_t ldc);

#endif
