/* SPDX-License-Identifier: Apache-2.0
 *
 * Work counts of a program, and their comparison with its header after the last instruction.
 */
#include "spec/model/kr_state.h"

static void add_steps(struct kr_run *run, uint32_t unit, uint64_t steps)
{
  run->counts.steps[unit] += steps;
  run->r->unit_steps[unit] += steps;
}

static void count_dma_ld(struct kr_run *run)
{
  uint32_t mode = run->f[KT_F_DMA_LD_MODE];
  bool b = mode >> KT_MODE_B_BIT & 1, to_vr = mode >> KT_MODE_VR_BIT & 1;
  uint32_t *span = b ? &run->counts.b_span : &run->counts.a_span;
  uint32_t reach = run->f[KT_F_DMA_LD_DRAM_ROW0] + run->in.nr;

  add_steps(run, KT_UNIT_DMA_LD, run->in.nr);
  add_steps(run, to_vr ? KT_UNIT_VRU : KT_UNIT_SPM, run->in.nr);
  if (reach > *span) *span = reach;
}

static void count_mm(struct kr_run *run)
{
  uint32_t nr = run->in.nr, t = run->m->p.t;

  add_steps(run, KT_UNIT_SPM, t + 1); /* a header word, then T weight rows */
  add_steps(run, KT_UNIT_VRU, nr);
  add_steps(run, KT_UNIT_ARRAY, t + 1 + nr);
  run->counts.mm_count++;
  run->counts.mm_rows += nr;
}

void kr_count_issue(struct kr_run *run)
{
  uint32_t op = run->in.op, nr = run->in.nr;

  run->desc_issues++;
  run->r->issues++;
  run->r->op_issues[op]++;
  switch (op) {
  case KT_OP_LOOP:
  case KT_OP_ENDLOOP:
    add_steps(run, KT_UNIT_SEQUENCER, 1);
    break;
  case KT_OP_DMA_LD:
    count_dma_ld(run);
    break;
  case KT_OP_MM:
    count_mm(run);
    break;
  case KT_OP_VLD:
    add_steps(run, KT_UNIT_SPM, nr);
    add_steps(run, KT_UNIT_VRU, nr);
    break;
  case KT_OP_MVOUT:
    add_steps(run, KT_UNIT_DMA_ST, nr);
    break;
  default:
    break;
  }
  add_steps(run, KT_UNIT_ACCU, (uint64_t)nr * kr_accu_steps_per_row(op));
}

static uint32_t saturated(uint64_t x)
{
  return x > 0xFFFF ? 0xFFFF : (uint32_t)x;
}

struct slot {
  uint32_t number, word, lsb;
  uint64_t found;
};

static bool check_slot(struct kr_run *run, const struct slot *s)
{
  uint32_t promised = (uint32_t)(run->m->imem[s->word] >> s->lsb & 0xFFFF);

  if (promised == s->found) return true;
  return kr_fault(run, KT_FAULT_HEADER, s->number, promised << 16 | saturated(s->found),
                  run->n_instr);
}

/* Header bits without a meaning must be 0. */
static bool check_unused(struct kr_run *run)
{
  for (uint32_t word = 0; word < KT_NHDR; word++) {
    uint32_t used = word == KT_HDR_MM_ROWS_WORD || word == KT_HDR_B_SPAN_WORD ? 32 : 16;
    if (run->m->imem[word] >> used != 0)
      return kr_fault(run, KT_FAULT_HEADER, KT_HDR_UNUSED, word, run->n_instr);
  }
  return true;
}

static bool check_header(struct kr_run *run)
{
  const struct kr_counts *c = &run->counts;
#define SLOT(name, count)                                                                          \
  {                                                                                                \
    KT_HDR_##name, KT_HDR_##name##_WORD, KT_HDR_##name##_LSB, count                                \
  }
  const struct slot slots[] = {
      SLOT(N_INSTR, run->n_instr),
      SLOT(DMA_LD_ROWS, c->steps[KT_UNIT_DMA_LD]),
      SLOT(SPM_ROWS, c->steps[KT_UNIT_SPM]),
      SLOT(VRU_WORDS, c->steps[KT_UNIT_VRU]),
      SLOT(MM_COUNT, c->mm_count),
      SLOT(MM_ROWS, c->mm_rows),
      SLOT(ACCU_ITERATIONS, c->steps[KT_UNIT_ACCU]),
      SLOT(DMA_ST_ROWS, c->steps[KT_UNIT_DMA_ST]),
      SLOT(A_SPAN, c->a_span),
      SLOT(B_SPAN, c->b_span),
  };
#undef SLOT

  for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
    if (!check_slot(run, &slots[i])) return false;
  return check_unused(run);
}

bool kr_check_end(struct kr_run *run)
{
  if (run->depth != 0) return kr_fault(run, KT_FAULT_LOOP_OPEN, 0, run->depth, run->n_instr);
  return check_header(run);
}
