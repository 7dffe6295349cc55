/* SPDX-License-Identifier: Apache-2.0
 *
 * mm's arithmetic. The inner loops run over lanes and weight rows of a constant T so that the
 * compiler unrolls and vectorises them.
 */
#include "spec/model/kr_num.h"
#include "spec/model/kr_state.h"

enum { T_LIMIT = 64 };

#define KR_INLINE static inline __attribute__((always_inline))

/* sum[j] = sum over i, ascending, of a[i] * w[i * t + j]. At most T_LIMIT products of 2^14: exact.
 */
KR_INLINE void dot_row(uint32_t t, const int8_t *a, const int16_t *w, int32_t *sum)
{
  for (uint32_t j = 0; j < t; j++) sum[j] = 0;
  for (uint32_t i = 0; i < t; i++)
    for (uint32_t j = 0; j < t; j++) sum[j] += (int32_t)a[i] * w[i * t + j];
}

/* c[j] += sum[j] with wrap-around; returns the lanes that wrapped. */
KR_INLINE uint32_t accumulate_row(uint32_t t, const int32_t *sum, int32_t *c)
{
  uint32_t wrapped = 0;

  for (uint32_t j = 0; j < t; j++) {
    wrapped += kr_add_wraps(c[j], sum[j]);
    c[j] = kr_add_wrap(c[j], sum[j]);
  }
  return wrapped;
}

KR_INLINE uint64_t mm_rows(uint32_t t, uint32_t nr, const int8_t *a, const int8_t *b, int32_t *c,
                           bool acc)
{
  int16_t w[T_LIMIT * T_LIMIT];
  int32_t sum[T_LIMIT];
  uint64_t wrapped = 0;

  for (uint32_t i = 0; i < t * t; i++) w[i] = b[i];
  for (uint32_t r = 0; r < nr; r++, a += t, c += t) {
    dot_row(t, a, w, sum);
    if (acc) {
      wrapped += accumulate_row(t, sum, c);
    } else {
      for (uint32_t j = 0; j < t; j++) c[j] = sum[j];
    }
  }
  return wrapped;
}

uint64_t kr_mm(struct kr_int8 *m, uint32_t nr, uint32_t vr_a, uint32_t ar0, bool acc,
               uint32_t spad_w)
{
  uint32_t t = m->p.t;
  const int8_t *a = m->vr + (size_t)vr_a * t, *b = m->spad + (size_t)spad_w * t;
  int32_t *c = m->ar + (size_t)ar0 * t;

  switch (t) {
  case 4:
    return mm_rows(4, nr, a, b, c, acc);
  case 8:
    return mm_rows(8, nr, a, b, c, acc);
  case 16:
    return mm_rows(16, nr, a, b, c, acc);
  default:
    return mm_rows(t, nr, a, b, c, acc);
  }
}
