/* SPDX-License-Identifier: Apache-2.0
 *
 * NumPy .npy files of int8, int32, float16 and float32 matrices (docs/decisions/npy.md says why there is a reader
 * here). Reads versions 1 to 3, C order, one or two dimensions; writes version 1.
 */
#ifndef KD_NPY_H
#define KD_NPY_H

#include "spec/kt_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Row-major. A one-dimensional file of n elements is read as 1 x n. */
struct kd_array {
  uint32_t rows, cols;
  uint32_t element; /* bytes: 1 = int8, 2 = binary16, 4 = int32 or binary32 */
  bool is_float;
  void *data;       /* malloc'ed; kd_array_free */
};

void kd_array_free(struct kd_array *a); /* leaves it empty; an empty one is allowed */

/* Parses a whole file in memory. KT_EPARSE says what is wrong, KT_EUNSUPPORTED which dtype, order or
 * number of dimensions it has. *a is empty after a failure. */
enum kt_status kd_npy_parse(const uint8_t *bytes, size_t n, struct kd_array *a,
                            struct kt_msg *msg);

/* The same from and to a path; KT_EIO with the system's reason. Messages begin with the path. */
enum kt_status kd_npy_read(const char *path, struct kd_array *a, struct kt_msg *msg);
enum kt_status kd_npy_write(const char *path, const struct kd_array *a, struct kt_msg *msg);

/* A whole file, malloc'ed. KT_EIO names the path. */
enum kt_status kd_file_read(const char *path, uint8_t **bytes, size_t *n, struct kt_msg *msg);

#endif
