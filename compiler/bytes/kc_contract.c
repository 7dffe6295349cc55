/* SPDX-License-Identifier: Apache-2.0
 *
 * The contracts of memory contents: write before read, and the accumulator's read-after-write
 * distance, over what a chain of programs has written.
 */
#include "compiler/bytes/kc_check.h"

#include "spec/generated/kt_tinytpu.h"

/* How one issue uses ar, row by row: row i reads source s at step per_row * i + s and writes at
 * step per_row * i + per_row - 1. */
struct ar_use {
  uint32_t per_row;
  bool writes;
  uint32_t dst; /* first row written */
};

static bool is_ar(const struct kt_action *action)
{
  return action->memory >= 0 && kt_isa.memory[action->memory].code == KT_MEM_AR;
}

static struct ar_use find_ar_use(const struct kc_check *c)
{
  struct ar_use use = {0, false, 0};
  size_t first;
  size_t n = kc_op_actions(c->op, &first);
  uint32_t reads = 0;
  bool used = false;

  for (size_t i = first; i < first + n; i++) {
    const struct kt_action *action = &kt_isa.action[i];
    if (!is_ar(action) || !kt_cond_holds(&action->cond, c->issue.f)) continue;
    used = true;
    if (action->kind == KT_ACTION_READ) reads++;
    if (action->kind != KT_ACTION_WRITE) continue;
    use.writes = true;
    use.dst = c->issue.f[c->op->operand[action->base].field];
  }
  if (used) use.per_row = reads > 1 ? reads : 1;
  return use;
}

/* The step of the latest write of ar row `row` before row i of this issue reads it; false if
 * nothing wrote it. */
static bool last_write(const struct kc_check *c, const struct ar_use *use, uint32_t row, uint32_t i,
                       uint64_t *step)
{
  if (use->writes && row >= use->dst && row - use->dst < i) {
    uint32_t writer = row - use->dst;
    *step = c->chain->step + (uint64_t)use->per_row * writer + use->per_row - 1;
    return true;
  }
  *step = c->chain->ar_step[row];
  return c->chain->ar[row];
}

static enum kt_status unwritten(struct kc_check *c, const struct kt_operand *operand, int memory,
                                uint32_t row)
{
  const struct kt_memory *mem = &kt_isa.memory[memory];
  return kc_refuse(c, KT_FAULT_UNWRITTEN, (uint32_t)mem->code, row,
                   "%s reads %s row %u, which nothing in this chain has written", operand->name,
                   mem->name, row);
}

static enum kt_status check_ar_read(struct kc_check *c, const struct kt_operand *operand,
                                    const struct kt_action *action, uint32_t source)
{
  struct ar_use use = find_ar_use(c);
  uint32_t base = c->issue.f[operand->field];
  uint64_t wrote;

  for (uint32_t i = 0; i < c->insn.nr; i++)
    if (!last_write(c, &use, base + i, i, &wrote))
      return unwritten(c, operand, action->memory, base + i);

  for (uint32_t i = 0; i < c->insn.nr; i++) {
    uint64_t reads = c->chain->step + (uint64_t)use.per_row * i + source;
    last_write(c, &use, base + i, i, &wrote);
    if (reads - wrote >= KT_AR_RAW_DIST) continue;
    uint32_t sub = c->insn.op == KT_OP_MM ? 0 : operand->field;
    return kc_refuse(c, KT_FAULT_AR_DISTANCE, sub, base + i,
                     "%s reads ar row %u only %u accu step(s) after it was written (limit %d)",
                     operand->name, base + i, (unsigned)(reads - wrote), KT_AR_RAW_DIST);
  }
  return KT_OK;
}

static enum kt_status check_operand_read(struct kc_check *c, const struct kt_operand *operand,
                                         const struct kt_action *action)
{
  const bool *written = kt_isa.memory[action->memory].code == KT_MEM_VR ? c->chain->vr
                                                                       : c->chain->spad;
  uint32_t base = c->issue.f[operand->field];
  uint32_t rows = kc_op_items(action, c->p->t, c->insn.nr);

  for (uint32_t row = base; row < base + rows; row++)
    if (!written[row]) return unwritten(c, operand, action->memory, row);
  return KT_OK;
}

enum kt_status kc_check_reads(struct kc_check *c)
{
  uint32_t ar_source = 0;
  if (c->insn.op == KT_OP_VLD) return KT_OK; /* a copy: the copy of an unwritten row is unwritten */

  for (uint32_t field = 0; field < KT_ISA_FIELDS; field++) {
    const struct kt_operand *operand = kt_operand(c->op->value, field);
    if (operand == NULL) continue;
    const struct kt_action *action = kc_op_access(c->op, operand, KT_ACTION_READ, c->issue.f);
    if (action == NULL || kt_isa.memory[action->memory].code < 0) continue;

    enum kt_status st = is_ar(action) ? check_ar_read(c, operand, action, ar_source++)
                                      : check_operand_read(c, operand, action);
    if (st != KT_OK) return st;
  }
  return KT_OK;
}

static void note_ar_writes(struct kc_check *c, uint32_t base)
{
  struct ar_use use = find_ar_use(c);
  for (uint32_t i = 0; i < c->insn.nr; i++) {
    c->chain->ar[base + i] = true;
    c->chain->ar_step[base + i] = c->chain->step + (uint64_t)use.per_row * i + use.per_row - 1;
  }
}

static void note_write(struct kc_check *c, const struct kt_action *action)
{
  uint32_t base = c->issue.f[c->op->operand[action->base].field];
  int code = kt_isa.memory[action->memory].code;

  if (code == KT_MEM_AR) note_ar_writes(c, base);
  for (uint32_t i = 0; i < c->insn.nr && code != KT_MEM_AR; i++) {
    bool written = true;
    if (c->insn.op == KT_OP_VLD) written = c->chain->spad[c->issue.f[1] + i];
    if (code == KT_MEM_SPAD) c->chain->spad[base + i] = written;
    if (code == KT_MEM_VR) c->chain->vr[base + i] = written;
  }
}

void kc_note_writes(struct kc_check *c)
{
  size_t first;
  size_t n = kc_op_actions(c->op, &first);

  for (size_t i = first; i < first + n; i++) {
    const struct kt_action *action = &kt_isa.action[i];
    if (action->kind != KT_ACTION_WRITE || kt_isa.memory[action->memory].code < 0) continue;
    if (kt_cond_holds(&action->cond, c->issue.f)) note_write(c, action);
  }
  c->chain->step += (uint64_t)find_ar_use(c).per_row * c->insn.nr;
}
