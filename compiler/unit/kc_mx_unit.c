/* SPDX-License-Identifier: Apache-2.0
 *
 * Typed instructions of the MXFP7 machine to flits and back. Each type has one table that pairs its
 * members with field numbers; both directions read it.
 */
#include "compiler/unit/kc_mx_unit.h"

#include <inttypes.h>
#include <stdlib.h>

struct member {
  size_t offset; /* in struct kc_mx_op */
  uint32_t field;
};

#define FILL(member, name) {offsetof(struct kc_mx_op, as.fill.member), KT_MX_FIELD_FILL_##name}
#define GEMM(member, name) {offsetof(struct kc_mx_op, as.gemm.member), KT_MX_FIELD_GEMM_##name}
#define DRAIN(member, name) {offsetof(struct kc_mx_op, as.drain.member), KT_MX_FIELD_DRAIN_##name}

static const struct member fill[] = {
    FILL(side, SIDE), FILL(preq, PREQ), FILL(order, ORDER), FILL(layout, LAYOUT), FILL(bank, BANK),
    FILL(offset, OFFSET), FILL(addr, ADDR), FILL(groups, GROUPS), FILL(blocks, BLOCKS),
    FILL(group_stride, GROUP_STRIDE), FILL(block_stride, BLOCK_STRIDE),
    FILL(lane_stride, LANE_STRIDE), FILL(real_lanes, REAL_LANES), FILL(real_depth, REAL_DEPTH),
    FILL(pitch, PITCH),
};

static const struct member gemm[] = {
    GEMM(acc, ACC), GEMM(emit, EMIT), GEMM(a_bank, A_BANK), GEMM(b_bank, B_BANK),
    GEMM(a_offset, A_OFFSET), GEMM(b_offset, B_OFFSET), GEMM(gm, GM), GEMM(gn, GN), GEMM(nk, NK),
    GEMM(tile, TILE), GEMM(a_pitch, A_PITCH), GEMM(b_pitch, B_PITCH),
};

#define QUANTISE(member, name)                                                                     \
  {offsetof(struct kc_mx_op, as.quantise.member), KT_MX_FIELD_QUANTISE_##name}

static const struct member quantise[] = {
    QUANTISE(layout, LAYOUT), QUANTISE(pitch, PITCH), QUANTISE(addr, ADDR),
    QUANTISE(groups, GROUPS), QUANTISE(blocks, BLOCKS), QUANTISE(group_stride, GROUP_STRIDE),
    QUANTISE(block_stride, BLOCK_STRIDE), QUANTISE(lane_stride, LANE_STRIDE),
    QUANTISE(real_lanes, REAL_LANES), QUANTISE(real_depth, REAL_DEPTH), QUANTISE(to, TO),
};

static const struct member drain[] = {
    DRAIN(dtype, DTYPE), DRAIN(fused, FUSED), DRAIN(addr, ADDR), DRAIN(rows, ROWS),
    DRAIN(columns, COLUMNS), DRAIN(stride, STRIDE), DRAIN(tile, TILE),
};

struct members {
  const struct member *member;
  size_t n;
};

static struct members members_of(uint32_t opcode)
{
  switch (opcode) {
  case KT_MX_OP_FILL: return (struct members){fill, sizeof fill / sizeof fill[0]};
  case KT_MX_OP_GEMM: return (struct members){gemm, sizeof gemm / sizeof gemm[0]};
  case KT_MX_OP_DRAIN: return (struct members){drain, sizeof drain / sizeof drain[0]};
  case KT_MX_OP_QUANTISE:
    return (struct members){quantise, sizeof quantise / sizeof quantise[0]};
  default: return (struct members){NULL, 0};
  }
}

/* A member's place in an op that is read. */
static uint32_t value_of(const struct kc_mx_op *op, const struct member *m)
{
  return *(const uint32_t *)((const char *)op + m->offset);
}

enum kt_status kc_mx_pack(const struct kc_mx_op *op, struct kt_mx_flit *flit)
{
  const struct members all = members_of(op->opcode);

  *flit = (struct kt_mx_flit){{op->opcode}};
  for (size_t i = 0; i < all.n; i++)
    kt_mx_set(flit, all.member[i].field, value_of(op, &all.member[i]));
  return all.n > 0 ? KT_OK : KT_EINVAL;
}

enum kt_status kc_mx_unpack(const struct kt_mx_flit *flit, struct kc_mx_op *op)
{
  const struct members all = members_of(flit->word[0] & 0xff);

  *op = (struct kc_mx_op){.opcode = flit->word[0] & 0xff};
  for (size_t i = 0; i < all.n; i++)
    *(uint32_t *)((char *)op + all.member[i].offset) = kt_mx_get(flit, all.member[i].field);
  return all.n > 0 ? KT_OK : KT_EINVAL;
}

/* ---- Streams ---------------------------------------------------------------------------------- */

enum kt_status kc_mx_put(struct kc_mx_stream *s, const struct kc_mx_op *op)
{
  if (s->n == s->room) {
    const size_t room = s->room == 0 ? 64 : 2 * s->room;
    struct kc_mx_op *more = realloc(s->ops, room * sizeof *more);
    if (more == NULL) return KT_ENOMEM;
    s->ops = more;
    s->room = room;
  }
  s->ops[s->n++] = *op;
  return KT_OK;
}

void kc_mx_stream_free(struct kc_mx_stream *s)
{
  free(s->ops);
  *s = (struct kc_mx_stream){0};
}

static enum kt_status pack_all(const struct kc_mx_stream *s, const struct kt_mx_params *p,
                               struct kt_mx_flit *flits, struct kt_msg *msg)
{
  for (size_t i = 0; i < s->n; i++) {
    char text[KC_MX_TEXT_MAX];
    kc_mx_pack(&s->ops[i], &flits[i]);
    const struct kc_mx_finding wrong = kc_mx_check(p, &flits[i]);
    if (wrong.code == 0) continue;
    const struct kt_mx_field *field = kt_mx_field(wrong.field, NULL);
    kc_mx_text(&flits[i], text);
    kt_msg_set(msg, "instruction %zu (%s): fault %" PRIu32 ", %s, %" PRIu32, i, text, wrong.code,
               field == NULL ? "?" : field->name, wrong.arg);
    return KT_ERANGE;
  }
  return KT_OK;
}

enum kt_status kc_mx_stream_round(const struct kc_mx_stream *s, const struct kt_mx_params *p,
                                  struct kc_mx_program *program, struct kt_msg *msg)
{
  const struct kc_mx_kick kick = {.first = 0, .count = (uint32_t)s->n, .wait = false};
  struct kt_mx_flit *flits = malloc((s->n + 1) * sizeof *flits);

  if (flits == NULL) return KT_ENOMEM;
  enum kt_status st = pack_all(s, p, flits, msg);
  if (st == KT_OK) st = kc_mx_round_add(program, p, flits, s->n, &kick, 1, msg);
  free(flits);
  return st;
}

enum kt_status kc_mx_stream_text(const struct kc_mx_stream *s, char **text)
{
  struct kt_mx_flit *flits = malloc((s->n + 1) * sizeof *flits);

  *text = NULL;
  if (flits == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < s->n; i++) kc_mx_pack(&s->ops[i], &flits[i]);
  const enum kt_status st = kc_mx_dis(flits, s->n, text);
  free(flits);
  return st;
}
