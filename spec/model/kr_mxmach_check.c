/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks of an instruction in the order of docs/mx-machine.md.
 */
#include "spec/model/kr_mxmach_state.h"

struct finding {
  uint32_t code, field, arg;
};

static const struct finding fine = {0, 0, 0};

static struct finding check_fields(const struct kt_mx_insn *in, const struct kt_mx_flit *f)
{
  for (uint32_t i = 0; i < in->n_fields; i++) {
    const struct kt_mx_field *field = &in->field[i];
    const uint32_t value = kt_mx_get(f, in->first + i);
    if (value < field->min || value > field->max || value % field->multiple != 0)
      return (struct finding){KT_MX_FAULT_FIELD, in->first + i, value};
  }
  return fine;
}

static struct finding check_reserved(const struct kt_mx_insn *in, const struct kt_mx_flit *f)
{
  for (uint32_t i = 0; i < KT_MX_FLIT_WORDS; i++)
    if ((f->word[i] & ~in->used[i]) != 0) return (struct finding){KT_MX_FAULT_RESERVED, 0, i};
  return fine;
}

/* blocks columns of groups entries, pitch apart (QUANTISE: groups rows of blocks). */
static struct finding check_pitch(uint32_t field, uint32_t groups, uint32_t blocks, uint32_t pitch)
{
  if (blocks > 1 && pitch < groups) return (struct finding){KT_MX_FAULT_PITCH, field, pitch};
  return fine;
}

static struct finding check_span(const struct kr_mxmach *m, uint32_t field, uint32_t offset,
                                 uint32_t groups, uint32_t blocks, uint32_t pitch)
{
  const uint32_t last = offset + (blocks - 1) * pitch + groups - 1;
  if (last >= m->p.l1_entries / 2) return (struct finding){KT_MX_FAULT_L1_SPAN, field, last};
  return fine;
}

static struct finding check_tile(const struct kr_mxmach *m, uint32_t field, uint32_t tile,
                                 uint32_t words)
{
  const uint32_t last = tile + words - 1;
  if (last >= m->p.tiles) return (struct finding){KT_MX_FAULT_TILE_SPAN, field, last};
  return fine;
}

static struct finding check_fill(const struct kr_mxmach *m, const struct kt_mx_flit *f)
{
  const uint32_t groups = kt_mx_get(f, KT_MX_FIELD_FILL_GROUPS);
  const uint32_t blocks = kt_mx_get(f, KT_MX_FIELD_FILL_BLOCKS);
  const uint32_t pitch = kt_mx_get(f, KT_MX_FIELD_FILL_PITCH);
  const struct finding wrong = check_pitch(KT_MX_FIELD_FILL_PITCH, groups, blocks, pitch);

  if (wrong.code != 0) return wrong;
  return check_span(m, KT_MX_FIELD_FILL_OFFSET, kt_mx_get(f, KT_MX_FIELD_FILL_OFFSET), groups,
                    blocks, pitch);
}

static struct finding check_gemm(const struct kr_mxmach *m, const struct kt_mx_flit *f)
{
  const uint32_t gm = kt_mx_get(f, KT_MX_FIELD_GEMM_GM), gn = kt_mx_get(f, KT_MX_FIELD_GEMM_GN);
  const uint32_t nk = kt_mx_get(f, KT_MX_FIELD_GEMM_NK);
  const uint32_t a_pitch = kt_mx_get(f, KT_MX_FIELD_GEMM_A_PITCH);
  const uint32_t b_pitch = kt_mx_get(f, KT_MX_FIELD_GEMM_B_PITCH);

  struct finding wrong = check_pitch(KT_MX_FIELD_GEMM_A_PITCH, gm, nk, a_pitch);
  if (wrong.code == 0) wrong = check_pitch(KT_MX_FIELD_GEMM_B_PITCH, gn, nk, b_pitch);
  if (wrong.code == 0)
    wrong = check_span(m, KT_MX_FIELD_GEMM_A_OFFSET, kt_mx_get(f, KT_MX_FIELD_GEMM_A_OFFSET), gm, nk,
                       a_pitch);
  if (wrong.code == 0)
    wrong = check_span(m, KT_MX_FIELD_GEMM_B_OFFSET, kt_mx_get(f, KT_MX_FIELD_GEMM_B_OFFSET), gn, nk,
                       b_pitch);
  if (wrong.code == 0)
    wrong = check_tile(m, KT_MX_FIELD_GEMM_TILE, kt_mx_get(f, KT_MX_FIELD_GEMM_TILE), gm * gn);
  return wrong;
}

static struct finding check_quantise(const struct kt_mx_flit *f)
{
  return check_pitch(KT_MX_FIELD_QUANTISE_PITCH, kt_mx_get(f, KT_MX_FIELD_QUANTISE_BLOCKS),
                     kt_mx_get(f, KT_MX_FIELD_QUANTISE_GROUPS),
                     kt_mx_get(f, KT_MX_FIELD_QUANTISE_PITCH));
}

static struct finding check_drain(const struct kr_mxmach *m, const struct kt_mx_flit *f)
{
  if (kt_mx_get(f, KT_MX_FIELD_DRAIN_FUSED) != 0) return fine;
  return check_tile(m, KT_MX_FIELD_DRAIN_TILE, kt_mx_get(f, KT_MX_FIELD_DRAIN_TILE),
                    kt_mx_get(f, KT_MX_FIELD_DRAIN_ROWS) *
                        kt_mx_get(f, KT_MX_FIELD_DRAIN_COLUMNS));
}

static struct finding check(const struct kr_mxmach *m, const struct kt_mx_flit *f)
{
  const uint32_t opcode = f->word[0] & 0xff;
  const struct kt_mx_insn *in = kt_mx_find(opcode);

  if (in == NULL) return (struct finding){KT_MX_FAULT_OPCODE, 0, opcode};
  struct finding wrong = check_fields(in, f);
  if (wrong.code == 0) wrong = check_reserved(in, f);
  if (wrong.code != 0) return wrong;
  if (opcode == KT_MX_OP_FILL) return check_fill(m, f);
  if (opcode == KT_MX_OP_GEMM) return check_gemm(m, f);
  if (opcode == KT_MX_OP_QUANTISE) return check_quantise(f);
  return check_drain(m, f);
}

bool kr_mx_insn_ok(struct kr_mxmach *m, const struct kt_mx_flit *f, uint32_t instr)
{
  const struct finding wrong = check(m, f);
  if (wrong.code == 0) return true;
  kr_mx_fault_set(m, wrong.code, wrong.field, KR_MX_NODE, wrong.arg, instr);
  return false;
}
