/* SPDX-License-Identifier: Apache-2.0
 *
 * Instruction check 6: no read of an unwritten row, no accumulator row read fewer than
 * KT_AR_RAW_DIST accu steps after its write. Both are judged in program order over the chain, rows
 * that the instruction itself writes before it reads them included.
 */
#include "spec/model/kr_state.h"

#include <string.h>

/* An operand read row by row. */
struct operand {
  uint32_t memory; /* KT_MEM_* */
  uint32_t field;  /* as AR_DISTANCE reports it */
  uint32_t row0, rows;
  uint32_t step; /* accu step of row 0's read, from the instruction's first */
};

/* The ar rows that the same instruction writes: row i at the last step of its row. */
struct target {
  uint32_t row0, steps_per_row;
  bool writes;
};

uint32_t kr_accu_steps_per_row(uint32_t op)
{
  switch (op) {
  case KT_OP_MM:
  case KT_OP_VRELU:
  case KT_OP_MVOUT:
    return 1;
  case KT_OP_VADD:
  case KT_OP_VADDRELU:
    return 2;
  default:
    return 0;
  }
}

static bool violated(struct kr_run *run, uint32_t code, uint32_t sub, uint32_t row)
{
  if (run->r->violation.code == 0)
    run->r->violation = (struct kr_fault){code, sub, row, run->pc, run->desc_index};
  if (!run->m->p.contracts) return true;
  return kr_fault(run, code, sub, row, run->pc);
}

/* Step of the last write of the row that is read as row number i; 0 = none. */
static uint64_t written_at(const struct kr_run *run, const struct target *t, uint32_t row,
                           uint32_t i)
{
  const struct kr_int8 *m = run->m;

  if (t->writes && row >= t->row0 && row - t->row0 < i)
    return m->accu_step + (uint64_t)(row - t->row0 + 1) * t->steps_per_row;
  return m->ar_step[row];
}

static bool check_ar(struct kr_run *run, const struct operand *o, const struct target *t)
{
  for (uint32_t i = 0; i < o->rows; i++)
    if (written_at(run, t, o->row0 + i, i) == 0)
      return violated(run, KT_FAULT_UNWRITTEN, KT_MEM_AR, o->row0 + i);
  for (uint32_t i = 0; i < o->rows; i++) {
    uint64_t read_at = run->m->accu_step + 1 + o->step + (uint64_t)i * t->steps_per_row;
    if (read_at - written_at(run, t, o->row0 + i, i) < KT_AR_RAW_DIST)
      return violated(run, KT_FAULT_AR_DISTANCE, o->field, o->row0 + i);
  }
  return true;
}

static bool check_bytes(struct kr_run *run, const uint8_t *written, const struct operand *o)
{
  const uint8_t *hole = memchr(written + o->row0, 0, o->rows);

  if (hole == NULL) return true;
  return violated(run, KT_FAULT_UNWRITTEN, o->memory, (uint32_t)(hole - written));
}

static bool check_mm(struct kr_run *run, const struct target *none)
{
  const struct operand a = {KT_MEM_VR, 0, run->f[KT_F_MM_VR_A], run->in.nr, 0};
  const struct operand c = {KT_MEM_AR, 0, run->f[KT_F_MM_AR0], run->in.nr, 0};
  const struct operand w = {KT_MEM_SPAD, 0, run->f[KT_F_MM_SPAD_W], run->m->p.t, 0};

  return check_bytes(run, run->m->vr_written, &a) &&
         (run->f[KT_F_MM_ACC] == 0 || check_ar(run, &c, none)) &&
         check_bytes(run, run->m->spad_written, &w);
}

static bool check_vadd(struct kr_run *run, const struct target *t)
{
  const struct operand s1 = {KT_MEM_AR, KT_F_VADD_AR_S1, run->f[KT_F_VADD_AR_S1], run->in.nr, 0};
  const struct operand s2 = {KT_MEM_AR, KT_F_VADD_AR_S2, run->f[KT_F_VADD_AR_S2], run->in.nr, 1};

  return check_ar(run, &s1, t) && check_ar(run, &s2, t);
}

static bool check_vrelu(struct kr_run *run, const struct target *t)
{
  const struct operand s = {KT_MEM_AR, KT_F_VRELU_AR_S, run->f[KT_F_VRELU_AR_S], run->in.nr, 0};

  return check_ar(run, &s, t);
}

static bool check_mvout(struct kr_run *run, const struct target *none)
{
  const struct operand s = {KT_MEM_AR, 0, run->f[KT_F_MVOUT_AR0], run->in.nr, 0};

  return check_ar(run, &s, none);
}

bool kr_check_contracts(struct kr_run *run)
{
  uint32_t op = run->in.op;
  const struct target t = {run->f[KT_F_VADD_AR_D], kr_accu_steps_per_row(op), true};
  const struct target none = {0, 1, false};

  if (run->r->violation.code != 0) return true; /* only the first counts */
  switch (op) {
  case KT_OP_MM:
    return check_mm(run, &none);
  case KT_OP_VADD:
  case KT_OP_VADDRELU:
    return check_vadd(run, &t);
  case KT_OP_VRELU:
    return check_vrelu(run, &t);
  case KT_OP_MVOUT:
    return check_mvout(run, &none);
  default:
    return true;
  }
}
