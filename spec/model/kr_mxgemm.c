/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands, the plain tile and the ways out; the fast tile is in kr_mxfast.c.
 */
#include "spec/model/kr_mxgemm.h"

#include <stdlib.h>

/* ---- Operands --------------------------------------------------------------------------------- */

enum kt_status kr_mx_pack(size_t lanes, size_t k, const uint16_t *x, size_t lane_step,
                          size_t k_step, struct kr_mx_operand *out, struct kr_mx_events *ev)
{
  if (lanes == 0 || k == 0) return KT_EINVAL;
  const size_t blocks = (k - 1) / KR_MX_BLOCK + 1;
  struct kr_mx_block *block = calloc(lanes, blocks * sizeof *block);
  if (block == NULL) return KT_ENOMEM;

  for (size_t lane = 0; lane < lanes; lane++) {
    for (size_t b = 0; b < blocks; b++) {
      const size_t first = b * KR_MX_BLOCK;
      const size_t n = k - first < KR_MX_BLOCK ? k - first : KR_MX_BLOCK;
      struct kr_mx_block *to = &block[lane * blocks + b];
      kr_mx_quantise(x + lane * lane_step + first * k_step, k_step, n, to);
      if (ev != NULL && to->scale == KR_MX_POISON) ev->poisoned++;
    }
  }
  *out = (struct kr_mx_operand){.lanes = lanes, .blocks = blocks, .block = block};
  return KT_OK;
}

void kr_mx_free(struct kr_mx_operand *op)
{
  free(op->block);
  *op = (struct kr_mx_operand){0};
}

/* ---- One element after the other -------------------------------------------------------------- */

/* Blocks first .. last - 1 of one element of the tile. */
static uint32_t accumulate(struct kr_fp22 *f, const struct kr_mx_block *a,
                           const struct kr_mx_block *b, size_t first, size_t last)
{
  uint32_t acc = kr_fp22_scale(f, kr_mx_dot(&a[first], &b[first]), a[first].scale, b[first].scale);
  for (size_t k = first + 1; k < last; k++) {
    const uint32_t v = kr_fp22_scale(f, kr_mx_dot(&a[k], &b[k]), a[k].scale, b[k].scale);
    acc = kr_fp22_add(f, acc, v);
  }
  return acc;
}

static uint32_t element(struct kr_fp22 *f, const struct kr_mx_block *a, const struct kr_mx_block *b,
                        size_t blocks, size_t part)
{
  uint32_t sum = accumulate(f, a, b, 0, part < blocks ? part : blocks);
  for (size_t first = part; first < blocks; first += part) {
    const size_t last = blocks - first < part ? blocks : first + part;
    sum = kr_fp22_add(f, sum, accumulate(f, a, b, first, last));
  }
  return sum;
}

enum kt_status kr_mx_tile_plain(const struct kr_mx_operand *a, const struct kr_mx_operand *b,
                                size_t sk, unsigned mw, uint32_t *tile, struct kr_mx_events *ev)
{
  if (a->blocks != b->blocks || sk == 0 || mw < KR_FP22_MW_MIN || mw > KR_FP22_MW_MAX)
    return KT_EINVAL;
  const size_t part = (a->blocks - 1) / sk + 1;

  for (size_t i = 0; i < a->lanes; i++) {
    for (size_t j = 0; j < b->lanes; j++) {
      struct kr_fp22 f = {.mw = mw, .overflow = false};
      tile[i * b->lanes + j] = element(&f, &a->block[i * a->blocks], &b->block[j * b->blocks],
                                       a->blocks, part);
      if (ev != NULL && f.overflow) ev->overflow++;
    }
  }
  return KT_OK;
}

/* ---- Ways out --------------------------------------------------------------------------------- */

void kr_mx_out_f16(const uint32_t *tile, size_t count, unsigned mw, uint16_t *out,
                   struct kr_mx_events *ev)
{
  for (size_t i = 0; i < count; i++) {
    struct kr_rounded why;
    out[i] = kr_fp22_to_f16(mw, tile[i], &why);
    if (ev == NULL) continue;
    ev->nan += kr_fp22_is_nan(mw, tile[i]);
    ev->clamped += why.overflow;
    ev->flushed += why.flush;
  }
}

void kr_mx_out_f32(const uint32_t *tile, size_t count, unsigned mw, uint32_t *out,
                   struct kr_mx_events *ev)
{
  for (size_t i = 0; i < count; i++) {
    out[i] = kr_fp22_to_f32(mw, tile[i]);
    if (ev != NULL) ev->nan += kr_fp22_is_nan(mw, tile[i]);
  }
}
