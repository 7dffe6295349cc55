/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction checks 1 to 5 of docs/int8-interface.md, in its order, and the resolution of address
 * terms.
 */
#include "spec/model/kr_state.h"

/* What an opcode takes a field for: a value from a small set, or the first of some rows. */
enum use {
  UNUSED,
  MODE,
  ACC,
  COL_BLOCK,
  DRAM,    /* nr rows of A, B or C */
  LOAD_TO, /* nr rows of spad or vr, as the mode says */
  SPAD,    /* nr rows */
  WEIGHTS, /* T rows of spad */
  VR,      /* nr rows */
  AR       /* nr rows */
};

static const uint8_t uses[KT_OP_VADDRELU + 1][4] = {
    [KT_OP_DMA_LD] = {MODE, DRAM, COL_BLOCK, LOAD_TO},
    [KT_OP_VLD] = {VR, SPAD},
    [KT_OP_MM] = {VR, AR, ACC, WEIGHTS},
    [KT_OP_VADD] = {AR, AR, AR},
    [KT_OP_VRELU] = {AR, AR},
    [KT_OP_MVOUT] = {AR, DRAM, COL_BLOCK},
    [KT_OP_VADDRELU] = {AR, AR, AR},
};

static bool is_control(uint32_t op)
{
  return op == KT_OP_NOP || op == KT_OP_LOOP || op == KT_OP_ENDLOOP;
}

static bool fault_here(struct kr_run *run, uint32_t code, uint32_t sub, uint32_t arg)
{
  return kr_fault(run, code, sub, arg, run->pc);
}

static bool check_opcode(struct kr_run *run)
{
  uint32_t op = run->in.op;

  if (op <= KT_OP_VADDRELU && op != KT_OP_DMA_ST) return true;
  return fault_here(run, KT_FAULT_OPCODE, 0, op);
}

static bool check_nr(struct kr_run *run)
{
  uint32_t op = run->in.op, nr = run->in.nr;

  if (op == KT_OP_NOP || op == KT_OP_ENDLOOP) return true;
  if (op == KT_OP_LOOP && nr == 0) return fault_here(run, KT_FAULT_TRIP, 0, 0);
  if (nr == 0 || nr > KT_NR_MAX) return fault_here(run, KT_FAULT_NR, 0, nr);
  return true;
}

static bool check_terms(struct kr_run *run)
{
  bool control = is_control(run->in.op);

  for (uint32_t i = 0; i < KT_AGU_TERMS; i++) {
    const struct kt_term *term = &run->in.term[i];
    if (term->target == 0) continue;
    if (control) {
      uint64_t bits = run->w1 >> (i * KT_TERM_BITS) & (((uint64_t)1 << KT_TERM_BITS) - 1);
      return fault_here(run, KT_FAULT_TERM_FORBIDDEN, i, (uint32_t)bits);
    }
    if (term->target > KT_TARGET_MAX) return fault_here(run, KT_FAULT_TERM_TARGET, i, term->target);
    if (term->level >= run->depth) return fault_here(run, KT_FAULT_TERM_LEVEL, i, term->level);
  }
  return true;
}

static bool check_loop_stack(struct kr_run *run)
{
  if (run->in.op == KT_OP_LOOP && run->depth == KT_LOOP_DEPTH)
    return fault_here(run, KT_FAULT_LOOP_OVERFLOW, 0, run->depth);
  if (run->in.op == KT_OP_ENDLOOP && run->depth == 0)
    return fault_here(run, KT_FAULT_LOOP_UNDERFLOW, 0, 0);
  return true;
}

/* field += iv * stride for each term in use; at most 4095 + 3 * 126 * 4095, no wrap. */
static void resolve(struct kr_run *run)
{
  for (uint32_t f = 0; f < 4; f++) run->f[f] = run->in.f[f];
  for (uint32_t i = 0; i < KT_AGU_TERMS; i++) {
    const struct kt_term *term = &run->in.term[i];
    if (term->target != 0) run->f[term->target - 1] += run->loops[term->level].iv * term->stride;
  }
}

static bool check_value(struct kr_run *run, uint32_t field, uint32_t code, uint32_t limit)
{
  if (run->f[field] < limit) return true;
  return fault_here(run, code, code == KT_FAULT_MODE ? 0 : 2, run->f[field]);
}

static bool check_rows(struct kr_run *run, uint32_t field, uint32_t rows, uint32_t depth)
{
  uint32_t last = run->f[field] + rows - 1;

  if (last < depth) return true;
  return fault_here(run, KT_FAULT_FIELD_MEMORY, field, last);
}

static bool check_use(struct kr_run *run, uint32_t field)
{
  const struct kt_params *p = &run->m->p;
  uint32_t nr = run->in.nr;

  switch ((enum use)uses[run->in.op][field]) {
  case UNUSED:
    return true;
  case MODE:
    return check_value(run, field, KT_FAULT_MODE, 4);
  case ACC:
    return check_value(run, field, KT_FAULT_ACC, 2);
  case COL_BLOCK:
    return check_value(run, field, KT_FAULT_COL_BLOCK, run->m->wpr);
  case DRAM:
    return check_rows(run, field, nr, p->maxdim);
  case LOAD_TO:
    return check_rows(run, field, nr,
                      run->f[KT_F_DMA_LD_MODE] >> KT_MODE_VR_BIT & 1 ? p->nvr : p->spad_rows);
  case SPAD:
    return check_rows(run, field, nr, p->spad_rows);
  case WEIGHTS:
    return check_rows(run, field, p->t, p->spad_rows);
  case VR:
    return check_rows(run, field, nr, p->nvr);
  case AR:
    return check_rows(run, field, nr, p->nar);
  }
  return true;
}

static bool check_fields(struct kr_run *run)
{
  for (uint32_t field = 0; field < 4; field++) {
    if (run->f[field] > KT_FIELD_MAX)
      return fault_here(run, KT_FAULT_FIELD_RANGE, field, run->f[field]);
    if (!check_use(run, field)) return false;
  }
  return true;
}

bool kr_check_insn(struct kr_run *run)
{
  if (!(check_opcode(run) && check_nr(run) && check_terms(run) && check_loop_stack(run)))
    return false;
  if (is_control(run->in.op)) return true;
  resolve(run);
  return check_fields(run);
}
