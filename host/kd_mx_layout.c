/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices as they lie in the memory of an MXFP7 machine (docs/mx-machine.md, Memory formats).
 * Everything there is little-endian.
 */
#include "host/kd_mx.h"

#include "spec/model/kr_mxgemm.h"

#include <string.h>

static void put16(uint8_t *to, uint16_t v)
{
  to[0] = (uint8_t)v;
  to[1] = (uint8_t)(v >> 8);
}

static void pack_rows(const struct kd_mx_lanes *l, uint32_t stride, uint8_t *image)
{
  for (uint32_t lane = 0; lane < l->lanes; lane++)
    for (uint32_t k = 0; k < l->k; k++)
      put16(image + (size_t)lane * stride + 2 * (size_t)k,
            l->x[lane * l->lane_step + k * l->k_step]);
}

/* A lane's block: 32 elements of 7 bits from bit 0, the scale code in bits 231..224. */
static void put_block(uint8_t *beat, const struct kr_mx_block *b)
{
  memset(beat, 0, KT_MX_BEAT_BYTES);
  for (unsigned i = 0; i < KT_MX_BLOCK; i++) {
    const unsigned at = 7 * i, bits = ((unsigned)b->q[i] & 0x7f) << at % 8;
    beat[at / 8] |= (uint8_t)bits;
    beat[at / 8 + 1] |= (uint8_t)(bits >> 8);
  }
  beat[28] = b->scale;
}

static enum kt_status pack_entries(const struct kd_mx_lanes *l, uint32_t stride, uint8_t *image)
{
  static const struct kr_mx_block zero;
  struct kr_mx_operand op;
  const enum kt_status st = kr_mx_pack(l->lanes, l->k, l->x, l->lane_step, l->k_step, &op, NULL);
  const size_t groups = (l->lanes + KT_MX_LANES - 1) / KT_MX_LANES;
  if (st != KT_OK) return st;
  for (size_t lane = 0; lane < groups * KT_MX_LANES; lane++)
    for (size_t b = 0; b < op.blocks; b++)
      put_block(image + lane / KT_MX_LANES * stride + b * KT_MX_ENTRY_BYTES +
                    lane % KT_MX_LANES * KT_MX_BEAT_BYTES,
                lane < op.lanes ? &op.block[lane * op.blocks + b] : &zero);
  kr_mx_free(&op);
  return KT_OK;
}

enum kt_status kd_mx_pack(const struct kd_mx_lanes *lanes, enum kc_mx_form form, uint32_t stride,
                          uint8_t *image)
{
  if (form == KC_MX_ENTRIES) return pack_entries(lanes, stride, image);
  pack_rows(lanes, stride, image);
  return KT_OK;
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
