/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices as they lie in the memory of an MXFP7 machine (docs/mx-machine.md, Memory formats).
 * Everything there is little-endian.
 */
#include "host/kd_mx.h"

static void put16(uint8_t *to, uint16_t v)
{
  to[0] = (uint8_t)v;
  to[1] = (uint8_t)(v >> 8);
}

void kd_mx_pack(const struct kd_mx_lanes *l, uint32_t stride, uint8_t *image)
{
  for (uint32_t lane = 0; lane < l->lanes; lane++)
    for (uint32_t k = 0; k < l->k; k++)
      put16(image + (size_t)lane * stride + 2 * (size_t)k,
            l->x[lane * l->lane_step + k * l->k_step]);
}

void kd_mx_unpack(const uint8_t *image, uint32_t stride, uint32_t m, uint32_t n,
                  enum ktpu_mx_out out, void *c, size_t ldc)
{
  const size_t element = out == KTPU_MX_F32 ? 4 : 2, tile = element * KT_MX_LANES * KT_MX_LANES;
  for (uint32_t i = 0; i < m; i++)
    for (uint32_t j = 0; j < n; j++) {
      const uint8_t *at = image + (size_t)(i / 4) * stride + j / 4 * tile +
                          element * (4 * (i % 4) + j % 4);
      const uint16_t low = (uint16_t)(at[0] | at[1] << 8);
      if (out == KTPU_MX_F32)
        ((uint32_t *)c)[i * ldc + j] = low | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
      else
        ((uint16_t *)c)[i * ldc + j] = low;
    }
}
