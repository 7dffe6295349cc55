/* SPDX-License-Identifier: Apache-2.0
 *
 * How a matrix lies in device memory: row-major with a stride where the build and the alignment
 * allow it, else cut into blocks, each at its own address with rows MAXDIM elements apart.
 * docs/programs.md says what the programs expect of the padding.
 */
#ifndef KD_LAYOUT_H
#define KD_LAYOUT_H

#include "spec/kt_params.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kd_layout {
  uint32_t rows, cols, element; /* elements; bytes of one */
  uint32_t rows_kept;           /* rows that the buffer has, padding included */
  uint32_t cols_kept;           /* columns that the machine may write or must find: up to a T */
  bool blocked;
  uint64_t pitch; /* bytes from row to row, of a block or of the whole */
  uint32_t block_rows, block_cols;
  uint64_t block_bytes;
  uint64_t bytes; /* of the buffer */
};

void kd_layout_choose(const struct kt_params *p, uint32_t rows, uint32_t cols, uint32_t element,
                      uint32_t block_rows, uint32_t block_cols, struct kd_layout *l);

/* Byte offset of an element; col may be a padding column. */
uint64_t kd_layout_offset(const struct kd_layout *l, uint32_t row, uint32_t col);

/* What a descriptor's STRIDE word must be. */
uint32_t kd_layout_stride(const struct kt_params *p, const struct kd_layout *l);

/* Copies between the caller's matrix (ld elements from row to row) and an image of the buffer. */
void kd_layout_pack(const struct kd_layout *l, const void *matrix, size_t ld, uint8_t *image);
void kd_layout_unpack(const struct kd_layout *l, const uint8_t *image, void *matrix, size_t ld);

/* Zeroes the rows past the matrix's last, up to a multiple of t. */
void kd_layout_zero_rows(const struct kd_layout *l, uint32_t t, uint8_t *image);

/* Offset of the first byte that is not `byte` outside rows x cols_kept, or `bytes` if none. */
uint64_t kd_layout_check(const struct kd_layout *l, const uint8_t *image, uint8_t byte);

#endif
