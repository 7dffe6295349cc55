/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/model/kr_gemm.h"
#include "spec/model/kr_num.h"

#include <stdlib.h>

enum { T_LIMIT = 1024 };

/* sum[j] = sum over k of a[k] * b[k * ldb + j], at most T_LIMIT products of 2^14: exact. */
static void block_products(size_t n, size_t k, const int8_t *a, const int8_t *b, size_t ldb,
                           int32_t *sum)
{
  for (size_t j = 0; j < n; j++) sum[j] = 0;
  for (size_t kk = 0; kk < k; kk++)
    for (size_t j = 0; j < n; j++) sum[j] += (int32_t)a[kk] * b[kk * ldb + j];
}

static uint64_t add_block(size_t n, const int32_t *sum, int32_t *acc)
{
  uint64_t wrapped = 0;

  for (size_t j = 0; j < n; j++) {
    wrapped += kr_add_wraps(acc[j], sum[j]);
    acc[j] = kr_add_wrap(acc[j], sum[j]);
  }
  return wrapped;
}

enum kt_status kr_gemm_i8(size_t m, size_t k, size_t n, const int8_t *a, size_t lda,
                          const int8_t *b, size_t ldb, uint32_t t, int32_t *acc,
                          struct kr_events *ev)
{
  int32_t *sum;
  uint64_t wrapped = 0;

  if (m == 0 || k == 0 || n == 0 || lda < k || ldb < n || t == 0 || t > T_LIMIT) return KT_EINVAL;
  sum = malloc(n * sizeof *sum);
  if (sum == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < m; i++) {
    int32_t *row = acc + i * n;
    block_products(n, k < t ? k : t, a + i * lda, b, ldb, row);
    for (size_t k0 = t; k0 < k; k0 += t) {
      block_products(n, k - k0 < t ? k - k0 : t, a + i * lda + k0, b + k0 * ldb, ldb, sum);
      wrapped += add_block(n, sum, row);
    }
  }
  free(sum);
  if (ev != NULL) ev->wrap += wrapped;
  return KT_OK;
}

void kr_relu_i32(int32_t *acc, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (acc[i] < 0) acc[i] = 0;
}

enum kt_status kr_out_i8(size_t m, size_t n, const int32_t *acc, uint32_t shift, int8_t *out,
                         size_t ldc, struct kr_events *ev)
{
  uint64_t changed = 0;

  if (shift > 31 || ldc < n) return KT_EINVAL;
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < n; j++) {
      int32_t x = kr_rne_shift(acc[i * n + j], shift);
      out[i * ldc + j] = kr_sat_i8(x);
      changed += kr_sat_i8_changes(x) ? 1 : 0;
    }
  }
  if (ev != NULL) ev->sat += changed;
  return KT_OK;
}
