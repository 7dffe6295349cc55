/* SPDX-License-Identifier: Apache-2.0
 *
 * The header: what a program promises each unit, counted from the actions of its issues.
 */
#include "compiler/bytes/kc_check.h"

#include "spec/generated/kt_tinytpu.h"

#include <string.h>

enum { SLOT_MAX = 65535 }; /* a slot is 16 bits wide; counts saturate there, as in hardware */

void kc_header_unpack(const uint64_t words[], uint32_t slots[])
{
  for (size_t i = 0; i < kt_isa.n_slots; i++) {
    const struct kt_slot *slot = &kt_isa.slot[i];
    slots[i] = (uint32_t)(words[slot->word] >> slot->lsb) & ((1u << slot->bits) - 1);
  }
}

void kc_header_pack(const uint32_t slots[], uint64_t words[])
{
  memset(words, 0, KT_NHDR * sizeof *words);
  for (size_t i = 0; i < kt_isa.n_slots; i++) {
    const struct kt_slot *slot = &kt_isa.slot[i];
    words[slot->word] |= (uint64_t)(slots[i] & ((1u << slot->bits) - 1)) << slot->lsb;
  }
}

enum kt_status kc_count_too_large(uint32_t slot, uint64_t count, struct kt_msg *msg)
{
  kt_msg_set(msg, "header count %s = %llu does not fit 15 bits (limit %d)", kt_isa.slot[slot].name,
             (unsigned long long)count, KT_COUNT_MAX);
  return KT_ELIMIT;
}

struct counter {
  const struct kt_params *p;
  uint64_t count[KT_HDR_COUNT];
};

/* Items on one port of a unit in one issue, the part without nr and the part a row. */
struct items {
  uint32_t fixed, per_row;
};

static struct items port_items(const struct kt_opcode *op, const uint32_t f[4], uint32_t unit,
                               uint32_t port, uint32_t t)
{
  struct items sum = {0, 0};
  size_t first;
  size_t n = kc_op_actions(op, &first);

  for (size_t i = first; i < first + n; i++) {
    const struct kt_action *action = &kt_isa.action[i];
    if (action->unit != unit || action->port != port || !kc_op_happens(action, f)) continue;
    sum.fixed += kc_op_items(action, t, 0);
    sum.per_row += action->items.nr;
  }
  return sum;
}

static uint32_t ceil_div(uint32_t a, uint32_t b)
{
  return (a + b - 1) / b;
}

/* The unit's busiest port: fixed items first, then the rows, ports side by side in each part. */
static uint64_t unit_steps(const struct kt_opcode *op, const struct kc_issue *issue, uint32_t unit,
                           uint32_t t)
{
  uint32_t fixed = 0;
  uint32_t per_row = 0;

  for (uint32_t port = 0; port < kt_isa.unit[unit].n_ports; port++) {
    uint32_t copies = kt_isa.unit[unit].port[port].copies;
    struct items items = port_items(op, issue->f, unit, port, t);
    uint32_t port_fixed = ceil_div(items.fixed, copies);
    uint32_t port_rows = ceil_div(items.per_row, copies);
    if (port_fixed > fixed) fixed = port_fixed;
    if (port_rows > per_row) per_row = port_rows;
  }
  return fixed + (uint64_t)per_row * issue->nr;
}

/* One past the last row of the host memory that the issue reads; 0 where it does not. */
static uint64_t span(const struct kt_opcode *op, const struct kc_issue *issue, int memory,
                     uint32_t t)
{
  size_t first;
  size_t n = kc_op_actions(op, &first);
  uint64_t end = 0;

  for (size_t i = first; i < first + n; i++) {
    const struct kt_action *action = &kt_isa.action[i];
    if (action->memory != memory || action->base < 0 || !kc_op_happens(action, issue->f)) continue;
    uint64_t last = issue->f[op->operand[action->base].field];
    last += kc_op_items(action, t, issue->nr);
    if (last > end) end = last;
  }
  return end;
}

static void count_slot(struct counter *c, size_t i, const struct kt_opcode *op,
                       const struct kc_issue *issue)
{
  const struct kt_slot *slot = &kt_isa.slot[i];
  uint64_t value = 0;

  switch (slot->kind) {
  case KT_SLOT_STATIC: return;
  case KT_SLOT_STEPS: value = unit_steps(op, issue, (uint32_t)slot->unit, c->p->t); break;
  case KT_SLOT_ITEMS: {
    struct items items = port_items(op, issue->f, (uint32_t)slot->unit, (uint32_t)slot->port,
                                    c->p->t);
    value = items.fixed + (uint64_t)items.per_row * issue->nr;
    break;
  }
  case KT_SLOT_SPAN:
    value = span(op, issue, slot->memory, c->p->t);
    if (value > c->count[i]) c->count[i] = value;
    return;
  }
  c->count[i] += value;
}

static enum kt_status count_all(struct counter *c, const uint64_t *words, size_t n_words,
                                struct kt_msg *msg)
{
  struct kc_seq seq;
  struct kt_insn insn;
  struct kc_issue issue;
  enum kt_status st = KT_OK;

  kc_seq_start(&seq, words, n_words);
  c->count[KT_HDR_N_INSTR] = seq.n_instr;
  while (st == KT_OK && kc_seq_peek(&seq, &insn, &issue)) {
    const struct kt_opcode *op = kc_op_find(insn.op);
    for (size_t i = 0; i < kt_isa.n_slots && op != NULL && op->nr == KT_NR_ROWS; i++)
      count_slot(c, i, op, &issue);
    st = kc_seq_step(&seq, &insn, msg);
  }
  if (st == KT_OK && seq.depth > 0) {
    kt_msg_set(msg, "%u loop(s) are open at the end of the program", seq.depth);
    st = KT_EINVAL;
  }
  return st;
}

enum kt_status kc_header_count(const struct kt_params *p, const uint64_t *words, size_t n_words,
                               uint32_t slots[], struct kt_msg *msg)
{
  struct counter c = {.p = p};
  enum kt_status st = count_all(&c, words, n_words, msg);
  for (size_t i = 0; i < kt_isa.n_slots; i++)
    slots[i] = c.count[i] > SLOT_MAX ? SLOT_MAX : (uint32_t)c.count[i];
  return st;
}

enum kt_status kc_build_header(const struct kt_params *p, uint64_t *words, size_t n_words,
                               struct kt_msg *msg)
{
  struct counter c = {.p = p};
  uint32_t slots[KT_HDR_COUNT];

  enum kt_status st = count_all(&c, words, n_words, msg);
  if (st != KT_OK) return st;
  for (uint32_t i = 0; i < kt_isa.n_slots; i++) {
    if (c.count[i] > KT_COUNT_MAX) return kc_count_too_large(i, c.count[i], msg);
    slots[i] = (uint32_t)c.count[i];
  }
  kc_header_pack(slots, words);
  return KT_OK;
}
