/* SPDX-License-Identifier: Apache-2.0
 *
 * C = A * B of any shape: cuts it into parts that fit the device's memory, lays each out, turns the
 * compiler's plan into descriptors, runs the list and takes C apart again.
 */
#ifndef KD_GEMM_H
#define KD_GEMM_H

#include "host/kd_device.h"

#include <stdbool.h>

/* Which instruction wrote an element of C, and what it belongs to. */
struct kd_origin {
  uint32_t row, col;              /* asked for */
  bool found;
  uint32_t program;               /* number of the start, from 0 */
  uint32_t descriptor, instruction;
  uint64_t issue;                 /* among the descriptor's dispatched instructions */
  uint32_t tile_m, tile_n;        /* first row and column of the tile */
  uint32_t tile_rows, tile_cols;
};

/* As ktpu_gemm. origin, when not NULL, is filled from the model's trace: ref: devices only. */
enum kt_status kd_gemm(struct ktpu_device *d, const struct ktpu_gemm *g, struct ktpu_result *r,
                       struct kd_origin *origin);

/* As ktpu_gemm, with origin. */
enum ktpu_status kd_gemm_locate(struct ktpu_device *d, const struct ktpu_gemm *g,
                                struct kd_origin *origin);

/* Rows, columns and depth of one part of the whole; k0 == 0 and k == K unless memory is that small. */
struct kd_part {
  uint32_t m0, m, k0, k, n0, n;
};

/* The largest parts that fit `room` bytes: *part has m, k, n. KT_ENOMEM if not even one tile does. */
enum kt_status kd_part_size(const struct ktpu_device *d, const struct ktpu_gemm *g, uint64_t room,
                            struct kd_part *part, struct kt_msg *msg);

/* Bytes that a part takes from the device's memory, programs and descriptors included. */
uint64_t kd_part_need(const struct ktpu_device *d, const struct ktpu_gemm *g,
                      const struct kd_part *part);

/* Runs one part; c receives it (g->form, ldc elements from row to row). */
enum kt_status kd_part_run(struct ktpu_device *d, const struct ktpu_gemm *g,
                           const struct kd_part *part, void *c, size_t ldc,
                           struct ktpu_result *r, struct kd_origin *origin);

#endif
