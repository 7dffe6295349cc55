/* SPDX-License-Identifier: Apache-2.0 */
#include "compiler/schedule/kc_mx_quantise.h"

enum { MOST = 256 /* groups and blocks of one instruction */ };

static uint32_t up(uint32_t n, uint32_t to)
{
  return n / to + (n % to != 0);
}

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static enum kt_status check(const struct kc_mx_conversion *c, struct kt_msg *msg)
{
  const uint64_t row = (uint64_t)up(c->k, 16) * KT_MX_BEAT_BYTES;
  const uint64_t entries = (uint64_t)up(c->k, KT_MX_BLOCK) * KT_MX_ENTRY_BYTES;

  if (c->lanes > 0 && c->k > 0 && c->from.form == KC_MX_ROWS && c->to.form == KC_MX_ENTRIES &&
      c->from.addr % KT_MX_BEAT_BYTES == 0 && c->from.stride % KT_MX_BEAT_BYTES == 0 &&
      c->to.addr % KT_MX_BEAT_BYTES == 0 && c->to.stride % KT_MX_ENTRY_BYTES == 0 &&
      c->from.stride >= row && c->to.stride >= entries && c->to.stride / KT_MX_ENTRY_BYTES <= 65535)
    return KT_OK;
  kt_msg_set(msg, "%u lanes of %u cannot be quantised from strides of %u bytes to %u", c->lanes, c->k,
             c->from.stride, c->to.stride);
  return KT_EINVAL;
}

static struct kc_mx_op piece(const struct kc_mx_conversion *c, uint32_t g, uint32_t b)
{
  return (struct kc_mx_op){
      .opcode = KT_MX_OP_QUANTISE,
      .as.quantise = {.pitch = c->to.stride / KT_MX_ENTRY_BYTES,
                      .addr = c->from.addr + g * KT_MX_LANES * c->from.stride + b * 64,
                      .groups = least(up(c->lanes, KT_MX_LANES) - g, MOST),
                      .blocks = least(up(c->k, KT_MX_BLOCK) - b, MOST),
                      .group_stride = KT_MX_LANES * c->from.stride,
                      .block_stride = 64,
                      .lane_stride = c->from.stride,
                      .real_lanes = least(c->lanes - g * KT_MX_LANES, MOST * KT_MX_LANES),
                      .real_depth = least(c->k - b * KT_MX_BLOCK, MOST * KT_MX_BLOCK),
                      .to = c->to.addr + g * c->to.stride + b * KT_MX_ENTRY_BYTES}};
}

/* The stream as a round once it is full, or at the end. */
static enum kt_status flush(struct kc_mx_stream *s, const struct kt_mx_params *p, uint32_t room,
                            struct kc_mx_program *program, struct kt_msg *msg)
{
  if (s->n < room || s->n == 0) return KT_OK;
  const enum kt_status st = kc_mx_stream_round(s, p, program, msg);
  s->n = 0;
  return st;
}

enum kt_status kc_mx_quantise_emit(const struct kt_mx_params *p, const struct kc_mx_conversion *c,
                                   struct kc_mx_program *program, struct kt_msg *msg)
{
  struct kc_mx_stream s = {0};
  enum kt_status st = check(c, msg);

  *program = (struct kc_mx_program){0};
  for (uint32_t g = 0; st == KT_OK && g < up(c->lanes, KT_MX_LANES); g += MOST)
    for (uint32_t b = 0; st == KT_OK && b < up(c->k, KT_MX_BLOCK); b += MOST) {
      const struct kc_mx_op op = piece(c, g, b);
      st = kc_mx_put(&s, &op);
      if (st == KT_OK) st = flush(&s, p, kc_mx_round_room(p), program, msg);
    }
  if (st == KT_OK) st = flush(&s, p, 1, program, msg);
  kc_mx_stream_free(&s);
  return st;
}
