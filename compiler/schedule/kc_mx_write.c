/* SPDX-License-Identifier: Apache-2.0
 *
 * Items and FILLs as instructions.
 */
#include "compiler/schedule/kc_mx_work.h"

enum { MOST_LANES = 1024, MOST_DEPTH = 8192 /* REAL_LANES, REAL_DEPTH */ };

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* Bytes from a block, a group and a lane to the next. */
struct strides {
  uint32_t block, group, lane;
};

static struct strides strides_of(const struct kc_mx_operand *o)
{
  switch (o->form) {
  case KC_MX_ENTRIES: return (struct strides){KT_MX_ENTRY_BYTES, o->stride, 0};
  case KC_MX_SUBTILES: return (struct strides){KT_MX_HALF_ENTRY_BYTES, o->stride, 0};
  case KC_MX_ROWS: break;
  }
  return (struct strides){KT_MX_BLOCK * 2, o->stride * KT_MX_LANES, o->stride};
}

static struct kc_mx_op fill_op(const struct kc_mx_setup *s, const struct kc_mx_load *l)
{
  const struct kc_mx_operand *o = l->side == KC_MX_A ? &s->t->a : &s->t->b;
  const struct strides by = strides_of(o);
  const struct kc_mx_panel panel = kc_mx_panel_of(s, l->side, l->panel);
  const uint32_t group = panel.first + l->group, block = kc_mx_chunk_of(s, l->chunk).first + l->block;
  const uint32_t lanes = (l->side == KC_MX_A ? s->t->m : s->t->n) - group * KT_MX_LANES;
  const uint32_t depth = s->t->k - block * KT_MX_BLOCK;
  uint32_t bank, offset;

  kc_mx_slot_place(s, l->side, l->slot, &bank, &offset);
  return (struct kc_mx_op){
      .opcode = KT_MX_OP_FILL,
      .as.fill = {.side = l->side, .preq = o->form == KC_MX_ENTRIES, .order = 0,
                  .layout = o->form == KC_MX_SUBTILES, .bank = bank,
                  .offset = offset + l->block * panel.groups + l->group,
                  .addr = o->addr + group * by.group + block * by.block,
                  .groups = l->groups, .blocks = l->blocks, .group_stride = by.group,
                  .block_stride = by.block, .lane_stride = by.lane,
                  .real_lanes = least(lanes, MOST_LANES), .real_depth = least(depth, MOST_DEPTH),
                  .pitch = panel.groups}};
}

static struct kc_mx_op gemm_op(const struct kc_mx_setup *s, const struct kc_mx_item *item,
                               const uint32_t slot[KC_MX_SIDES])
{
  const struct kc_mx_panel a = kc_mx_panel_of(s, KC_MX_A, item->panel[KC_MX_A]);
  const struct kc_mx_panel b = kc_mx_panel_of(s, KC_MX_B, item->panel[KC_MX_B]);
  struct kc_mx_gemm g = {.acc = item->acc, .emit = item->emit, .gm = item->rows, .gn = b.groups,
                         .nk = item->nk, .tile = item->row * b.groups, .a_pitch = a.groups,
                         .b_pitch = b.groups};

  kc_mx_slot_place(s, KC_MX_A, slot[KC_MX_A], &g.a_bank, &g.a_offset);
  kc_mx_slot_place(s, KC_MX_B, slot[KC_MX_B], &g.b_bank, &g.b_offset);
  g.a_offset += item->block * a.groups + item->row;
  g.b_offset += item->block * b.groups;
  return (struct kc_mx_op){.opcode = KT_MX_OP_GEMM, .as.gemm = g};
}

/* Where rows lie one behind the other they are one long row: longer bursts. */
static struct kc_mx_op drain_op(const struct kc_mx_setup *s, const struct kc_mx_item *item)
{
  const struct kc_mx_panel a = kc_mx_panel_of(s, KC_MX_A, item->panel[KC_MX_A]);
  const struct kc_mx_panel b = kc_mx_panel_of(s, KC_MX_B, item->panel[KC_MX_B]);
  const uint32_t bytes = KT_MX_BEAT_BYTES * (s->t->c_f32 ? 2u : 1u);
  const bool one_row = b.groups * bytes == s->t->c_stride;

  return (struct kc_mx_op){
      .opcode = KT_MX_OP_DRAIN,
      .as.drain = {.dtype = s->t->c_f32, .fused = 1,
                   .addr = s->t->c_addr + a.first * s->t->c_stride + b.first * bytes,
                   .rows = one_row ? 1 : a.groups,
                   .columns = one_row ? a.groups * b.groups : b.groups,
                   .stride = s->t->c_stride, .tile = 0}};
}

enum kt_status kc_mx_write(const struct kc_mx_setup *s, const struct kc_mx_items *items,
                           const struct kc_mx_loads *loads, const uint32_t *slot_of,
                           struct kc_mx_stream *out)
{
  enum kt_status st = KT_OK;
  size_t l = 0;

  for (uint32_t i = 0; i < items->n && st == KT_OK; i++) {
    const struct kc_mx_item *item = &items->item[i];
    for (; l < loads->n && loads->load[l].before <= i && st == KT_OK; l++) {
      const struct kc_mx_op op = fill_op(s, &loads->load[l]);
      st = kc_mx_put(out, &op);
    }
    if (item->drain && st == KT_OK) {
      const struct kc_mx_op op = drain_op(s, item);
      st = kc_mx_put(out, &op);
    }
    const struct kc_mx_op op = gemm_op(s, item, &slot_of[2 * i]);
    if (st == KT_OK) st = kc_mx_put(out, &op);
  }
  return st;
}
