/* SPDX-License-Identifier: Apache-2.0
 *
 * The static checks of docs/mx-machine.md, before a program leaves the compiler.
 */
#include "compiler/bytes/kc_mx_bytes.h"

static struct kc_mx_finding found(uint32_t code, uint32_t field, uint32_t arg)
{
  return (struct kc_mx_finding){code, field, arg};
}

/* `blocks` times `groups` entries from offset, in one bank. */
struct span {
  uint32_t offset_field, pitch_field;
  uint32_t offset, groups, blocks, pitch;
};

static uint32_t last_of(const struct span *s)
{
  return s->offset + (s->blocks - 1) * s->pitch + s->groups - 1;
}

static bool pitch_wrong(const struct span *s)
{
  return s->blocks > 1 && s->pitch < s->groups;
}

static struct span fill_span(const struct kt_mx_flit *f)
{
  return (struct span){
      .offset_field = KT_MX_FIELD_FILL_OFFSET,
      .pitch_field = KT_MX_FIELD_FILL_PITCH,
      .offset = kt_mx_get(f, KT_MX_FIELD_FILL_OFFSET),
      .groups = kt_mx_get(f, KT_MX_FIELD_FILL_GROUPS),
      .blocks = kt_mx_get(f, KT_MX_FIELD_FILL_BLOCKS),
      .pitch = kt_mx_get(f, KT_MX_FIELD_FILL_PITCH),
  };
}

static struct span gemm_span(const struct kt_mx_flit *f, bool b)
{
  return (struct span){
      .offset_field = b ? KT_MX_FIELD_GEMM_B_OFFSET : KT_MX_FIELD_GEMM_A_OFFSET,
      .pitch_field = b ? KT_MX_FIELD_GEMM_B_PITCH : KT_MX_FIELD_GEMM_A_PITCH,
      .offset = kt_mx_get(f, b ? KT_MX_FIELD_GEMM_B_OFFSET : KT_MX_FIELD_GEMM_A_OFFSET),
      .groups = kt_mx_get(f, b ? KT_MX_FIELD_GEMM_GN : KT_MX_FIELD_GEMM_GM),
      .blocks = kt_mx_get(f, KT_MX_FIELD_GEMM_NK),
      .pitch = kt_mx_get(f, b ? KT_MX_FIELD_GEMM_B_PITCH : KT_MX_FIELD_GEMM_A_PITCH),
  };
}

/* All pitches first, then all spans. */
static struct kc_mx_finding check_spans(const struct kt_mx_params *p, const struct span *s, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (pitch_wrong(&s[i])) return found(KT_MX_FAULT_PITCH, s[i].pitch_field, s[i].pitch);
  for (size_t i = 0; i < n; i++)
    if (last_of(&s[i]) >= p->l1_entries / 2)
      return found(KT_MX_FAULT_L1_SPAN, s[i].offset_field, last_of(&s[i]));
  return found(0, 0, 0);
}

static struct kc_mx_finding check_tile(const struct kt_mx_params *p, uint32_t field, uint32_t first,
                                       uint32_t words)
{
  return first + words > p->tiles ? found(KT_MX_FAULT_TILE_SPAN, field, first + words - 1)
                                  : found(0, 0, 0);
}

static struct kc_mx_finding check_gemm(const struct kt_mx_params *p, const struct kt_mx_flit *f)
{
  const struct span s[2] = {gemm_span(f, false), gemm_span(f, true)};
  const struct kc_mx_finding wrong = check_spans(p, s, 2);

  if (wrong.code != 0) return wrong;
  return check_tile(p, KT_MX_FIELD_GEMM_TILE, kt_mx_get(f, KT_MX_FIELD_GEMM_TILE),
                    s[0].groups * s[1].groups);
}

static struct kc_mx_finding check_drain(const struct kt_mx_params *p, const struct kt_mx_flit *f)
{
  if (kt_mx_get(f, KT_MX_FIELD_DRAIN_FUSED) != 0) return found(0, 0, 0);
  return check_tile(p, KT_MX_FIELD_DRAIN_TILE, kt_mx_get(f, KT_MX_FIELD_DRAIN_TILE),
                    kt_mx_get(f, KT_MX_FIELD_DRAIN_ROWS) *
                        kt_mx_get(f, KT_MX_FIELD_DRAIN_COLUMNS));
}

static struct kc_mx_finding check_quantise(const struct kt_mx_flit *f)
{
  const uint32_t pitch = kt_mx_get(f, KT_MX_FIELD_QUANTISE_PITCH);
  const bool wrong = kt_mx_get(f, KT_MX_FIELD_QUANTISE_GROUPS) > 1 &&
                     pitch < kt_mx_get(f, KT_MX_FIELD_QUANTISE_BLOCKS);
  return wrong ? found(KT_MX_FAULT_PITCH, KT_MX_FIELD_QUANTISE_PITCH, pitch) : found(0, 0, 0);
}

static struct kc_mx_finding check_bits(const struct kt_mx_insn *in, const struct kt_mx_flit *f)
{
  for (uint32_t i = 0; i < in->n_fields; i++) {
    const uint32_t v = kt_mx_get(f, in->first + i);
    const struct kt_mx_field *field = &in->field[i];
    const bool fits = v >= field->min && v <= field->max && v % field->multiple == 0;
    if (!fits) return found(KT_MX_FAULT_FIELD, in->first + i, v);
  }
  for (uint32_t i = 0; i < KT_MX_FLIT_WORDS; i++)
    if ((f->word[i] | in->used[i]) != in->used[i]) return found(KT_MX_FAULT_RESERVED, 0, i);
  return found(0, 0, 0);
}

struct kc_mx_finding kc_mx_check(const struct kt_mx_params *p, const struct kt_mx_flit *f)
{
  const struct kt_mx_insn *in = kt_mx_find(f->word[0] & 0xff);

  if (in == NULL) return found(KT_MX_FAULT_OPCODE, 0, f->word[0] & 0xff);
  const struct kc_mx_finding wrong = check_bits(in, f);
  if (wrong.code != 0) return wrong;
  const struct span fill = fill_span(f);
  switch (in->opcode) {
  case KT_MX_OP_FILL: return check_spans(p, &fill, 1);
  case KT_MX_OP_GEMM: return check_gemm(p, f);
  case KT_MX_OP_QUANTISE: return check_quantise(f);
  default: return check_drain(p, f);
  }
}
