/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor-level reference of an int8 GEMM on the core: a plain loop over M, K, N that knows nothing
 * of programs, tiles or memories, so that it checks kr_int8 and the RTL alike.
 * Matrices are row-major; lda, ldb, ldc are elements from row to row.
 */
#ifndef KR_GEMM_H
#define KR_GEMM_H

#include "spec/kt_status.h"

#include <stddef.h>
#include <stdint.h>

/* Counted over real output elements, once each. */
struct kr_events {
  uint64_t sat;  /* elements that left int8 on the way out */
  uint64_t wrap; /* accumulate additions whose exact sum left int32 */
};

/* acc[i * n + j] = sum of a[i][k] * b[k][j] in int32, two's-complement wrap-around. The value does
 * not depend on how K is cut; the wrap events do: t contraction indices are summed first (cannot
 * leave int32), then added to what was there, in ascending k, as a T = t array does.
 * m, k, n >= 1; lda >= k, ldb >= n; 1 <= t <= 1024. ev may be NULL, else ev->wrap is added to.
 * KT_EINVAL otherwise. */
enum kt_status kr_gemm_i8(size_t m, size_t k, size_t n, const int8_t *a, size_t lda,
                          const int8_t *b, size_t ldb, uint32_t t, int32_t *acc,
                          struct kr_events *ev);

/* max(x, 0) on each of count elements. */
void kr_relu_i32(int32_t *acc, size_t count);

/* out[i * ldc + j] = saturate(RNE(acc[i * n + j] / 2^shift)); shift 0 is plain saturation.
 * ev may be NULL, else ev->sat is added to. KT_EINVAL if shift > 31 or ldc < n. */
enum kt_status kr_out_i8(size_t m, size_t n, const int32_t *acc, uint32_t shift, int8_t *out,
                         size_t ldc, struct kr_events *ev);

#endif
