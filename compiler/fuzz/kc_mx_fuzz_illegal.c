/* SPDX-License-Identifier: Apache-2.0
 *
 * Illegal instructions: a legal one, broken in one place. What fault that is follows from how it was
 * broken, not from a checker.
 */
#include "compiler/fuzz/kc_mx_fuzz.h"

struct gen {
  const struct kt_mx_params *p;
  struct kc_rng *rng;
  struct kt_mx_flit *flit;
  struct kc_mx_finding *want;
};

static uint32_t pick(struct gen *g, uint32_t low, uint32_t high)
{
  return kc_rng_range(g->rng, low, high);
}

static void found(struct gen *g, uint32_t code, uint32_t field, uint32_t arg)
{
  *g->want = (struct kc_mx_finding){code, field, arg};
}

/* ---- Legal to begin with: 2 x 2 entries or words, anywhere ---------------------------------------- */

static void legal_fill(struct gen *g)
{
  const struct kc_mx_op op = {
      .opcode = KT_MX_OP_FILL,
      .as.fill = {.side = pick(g, 0, 1), .preq = pick(g, 0, 1), .order = pick(g, 0, 1),
                  .layout = pick(g, 0, 1), .bank = pick(g, 0, 1), .offset = pick(g, 0, 1), .addr = 0,
                  .groups = 2, .blocks = 2, .group_stride = 128, .block_stride = 256,
                  .lane_stride = 64, .real_lanes = pick(g, 1, 1024), .real_depth = pick(g, 1, 8192),
                  .pitch = pick(g, 2, 4)}};
  kc_mx_pack(&op, g->flit);
}

static void legal_gemm(struct gen *g)
{
  const struct kc_mx_op op = {
      .opcode = KT_MX_OP_GEMM,
      .as.gemm = {.acc = pick(g, 0, 1), .emit = pick(g, 0, 1), .a_bank = pick(g, 0, 1),
                  .b_bank = pick(g, 0, 1), .a_offset = pick(g, 0, 1), .b_offset = pick(g, 0, 1),
                  .gm = 2, .gn = 2, .nk = 2, .tile = pick(g, 0, g->p->tiles - 4), .a_pitch = pick(g, 2, 4),
                  .b_pitch = pick(g, 2, 4)}};
  kc_mx_pack(&op, g->flit);
}

static void legal_drain(struct gen *g)
{
  const struct kc_mx_op op = {
      .opcode = KT_MX_OP_DRAIN,
      .as.drain = {.dtype = pick(g, 0, 1), .fused = pick(g, 0, 1), .addr = 32, .rows = 2,
                   .columns = 2, .stride = 128, .tile = pick(g, 0, g->p->tiles - 4)}};
  kc_mx_pack(&op, g->flit);
}

static void legal_quantise(struct gen *g)
{
  const struct kc_mx_op op = {
      .opcode = KT_MX_OP_QUANTISE,
      .as.quantise = {.layout = pick(g, 0, 1), .pitch = pick(g, 2, 5), .addr = 0, .groups = 2,
                      .blocks = 2, .group_stride = 256, .block_stride = 64, .lane_stride = 64,
                      .real_lanes = pick(g, 1, 1024), .real_depth = pick(g, 1, 8192), .to = 4096}};
  kc_mx_pack(&op, g->flit);
}

/* ---- One thing broken ---------------------------------------------------------------------------- */

static void break_opcode(struct gen *g)
{
  uint32_t opcode = pick(g, 0, 255);
  while (kt_mx_find(opcode) != NULL) opcode = pick(g, 0, 255);
  g->flit->word[0] = (g->flit->word[0] & ~UINT32_C(0xff)) | opcode;
  found(g, KT_MX_FAULT_OPCODE, 0, opcode);
}

static uint32_t most_of(const struct kt_mx_field *f)
{
  return f->bits == 32 ? UINT32_MAX : (UINT32_C(1) << f->bits) - 1;
}

/* A value that the field can hold and must not; false: it has none. */
static bool bad_value(struct gen *g, const struct kt_mx_field *f, uint32_t *value)
{
  const bool below = f->min > 0, above = f->max < most_of(f);
  const uint32_t way = pick(g, 0, 2);
  if (way == 0 && below) *value = pick(g, 0, f->min - 1);
  else if (way == 1 && above) *value = kc_rng_percent(g->rng, 50) ? f->max + 1 : pick(g, f->max + 1, most_of(f));
  else if (way == 2 && f->multiple > 1)
    *value = pick(g, f->min, f->max / f->multiple) * f->multiple + pick(g, 1, f->multiple - 1);
  else return false;
  return true;
}

static void break_field(struct gen *g)
{
  const struct kt_mx_insn *in = kt_mx_find(g->flit->word[0] & 0xff);
  for (;;) {
    const uint32_t i = pick(g, 0, (uint32_t)in->n_fields - 1);
    uint32_t value;
    if (!bad_value(g, &in->field[i], &value)) continue;
    kt_mx_set(g->flit, in->first + i, value);
    found(g, KT_MX_FAULT_FIELD, in->first + i, value);
    return;
  }
}

static void break_reserved(struct gen *g)
{
  const struct kt_mx_insn *in = kt_mx_find(g->flit->word[0] & 0xff);
  uint32_t word, bit;
  do {
    word = pick(g, 0, KT_MX_FLIT_WORDS - 1);
    bit = UINT32_C(1) << pick(g, 0, 31);
  } while ((in->used[word] & bit) != 0);
  g->flit->word[word] |= bit;
  found(g, KT_MX_FAULT_RESERVED, 0, word);
}

/* 2 x 2 entries of a side: their pitch too small, or the last one just past the bank or further. */
static void break_span(struct gen *g, uint32_t offset, uint32_t pitch)
{
  const uint32_t bank = g->p->l1_entries / 2;
  if (kc_rng_percent(g->rng, 30)) {
    kt_mx_set(g->flit, pitch, 1);
    found(g, KT_MX_FAULT_PITCH, pitch, 1);
    return;
  }
  const uint32_t by = pick(g, 0, 3), at = kt_mx_get(g->flit, pitch);
  const uint32_t first = bank + by - at - 1;
  if (kc_rng_percent(g->rng, 50) && first <= 255) {
    kt_mx_set(g->flit, offset, first);
    found(g, KT_MX_FAULT_L1_SPAN, offset, bank + by);
  } else {
    kt_mx_set(g->flit, pitch, bank);
    found(g, KT_MX_FAULT_L1_SPAN, offset, kt_mx_get(g->flit, offset) + bank + 1);
  }
}

static void break_tile(struct gen *g, uint32_t tile)
{
  const uint32_t by = pick(g, 0, 2);
  kt_mx_set(g->flit, tile, g->p->tiles - 3 + by);
  found(g, KT_MX_FAULT_TILE_SPAN, tile, g->p->tiles + by);
}

static void break_span_or_tile(struct gen *g)
{
  const bool b = kc_rng_percent(g->rng, 50);
  switch (g->flit->word[0] & 0xff) {
  case KT_MX_OP_FILL: break_span(g, KT_MX_FIELD_FILL_OFFSET, KT_MX_FIELD_FILL_PITCH); break;
  case KT_MX_OP_GEMM:
    if (kc_rng_percent(g->rng, 30)) break_tile(g, KT_MX_FIELD_GEMM_TILE);
    else if (b) break_span(g, KT_MX_FIELD_GEMM_B_OFFSET, KT_MX_FIELD_GEMM_B_PITCH);
    else break_span(g, KT_MX_FIELD_GEMM_A_OFFSET, KT_MX_FIELD_GEMM_A_PITCH);
    break;
  case KT_MX_OP_QUANTISE:
    kt_mx_set(g->flit, KT_MX_FIELD_QUANTISE_PITCH, 1);
    found(g, KT_MX_FAULT_PITCH, KT_MX_FIELD_QUANTISE_PITCH, 1);
    break;
  default:
    kt_mx_set(g->flit, KT_MX_FIELD_DRAIN_FUSED, 0);
    break_tile(g, KT_MX_FIELD_DRAIN_TILE);
    break;
  }
}

void kc_mx_fuzz_illegal(const struct kt_mx_params *p, struct kc_rng *rng, struct kt_mx_flit *flit,
                        struct kc_mx_finding *want)
{
  struct gen g = {p, rng, flit, want};
  const uint32_t what = pick(&g, 0, 99);

  switch (pick(&g, 0, 3)) {
  case 0: legal_fill(&g); break;
  case 1: legal_gemm(&g); break;
  case 2: legal_quantise(&g); break;
  default: legal_drain(&g); break;
  }
  if (what < 5) break_opcode(&g);
  else if (what < 50) break_field(&g);
  else if (what < 65) break_reserved(&g);
  else break_span_or_tile(&g);
}
