/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of opcodes: values, operands, conditions, and the legality of their actions. */
#include <stdlib.h>
#include <string.h>

#include "spec/gen/kg.h"
#include "spec/kt_derive.h"

static bool is_base(const struct kg *g, uint32_t opcode, int operand)
{
  for (size_t i = 0; i < g->isa.n_actions; i++)
    if (g->isa.action[i].opcode == opcode && g->isa.action[i].base == operand) return true;
  return false;
}

static bool is_tested(const struct kg *g, uint32_t opcode, uint32_t field)
{
  for (size_t i = 0; i < g->isa.n_actions; i++) {
    const struct kt_action *a = &g->isa.action[i];
    if (a->opcode == opcode && a->cond.mask != 0 && a->cond.field == field) return true;
  }
  return false;
}

static bool reaches_host_memory(const struct kg *g, uint32_t opcode)
{
  for (size_t i = 0; i < g->isa.n_actions; i++) {
    const struct kt_action *a = &g->isa.action[i];
    if (a->opcode == opcode && a->memory >= 0 && g->isa.memory[a->memory].host != KT_HOST_NONE)
      return true;
  }
  return false;
}

/* The fault of a restricted operand is named after it and gives its field. */
static void value_fault(struct kg *g, const struct kt_operand *o)
{
  const struct kt_fault_def *f = &g->isa.fault[o->fault - 1];

  if (strcmp(f->name, kg_upper(g, o->name)) != 0)
    kg_fail(g, o->name, "its fault must be %s", kg_upper(g, o->name));
  if (strcmp(f->sub, kg_text(g, "%u", o->field)) != 0)
    kg_fail(g, o->name, "fault %s must give field %u", f->name, o->field);
}

static void operand(struct kg *g, uint32_t opcode, int index)
{
  const struct kt_opcode *op = &g->isa.opcode[opcode];
  const struct kt_operand *o = &op->operand[index];

  for (int k = 0; k < index; k++)
    if (strcmp(o->name, op->operand[k].name) == 0)
      kg_fail(g, op->name, "operand %s is defined twice", o->name);
  if (o->field != (uint32_t)index)
    kg_fail(g, op->name, "operand %s must sit in field %d: operands follow the fields", o->name,
            index);
  if ((o->kind == KT_OPERAND_ROW) != is_base(g, opcode, index))
    kg_fail(g, op->name, "operand %s: row operands, and only they, are bases of reads and writes",
            o->name);
  if ((o->kind == KT_OPERAND_SELECT) != is_tested(g, opcode, o->field))
    kg_fail(g, op->name,
            "operand %s: operands with listed values, and only they, decide conditions", o->name);
  if (o->kind == KT_OPERAND_BELOW && !reaches_host_memory(g, opcode))
    kg_fail(g, op->name, "operand %s: no matrix is reached", o->name);
  if (o->kind != KT_OPERAND_ROW) value_fault(g, o);
}

/* A condition must hold for one legal value and fail for another; every bit of the legal values
 * must matter. */
static void conditions(struct kg *g, uint32_t opcode)
{
  const struct kt_opcode *op = &g->isa.opcode[opcode];

  for (size_t o = 0; o < op->n_operands; o++) {
    const struct kt_operand *sel = &op->operand[o];
    uint32_t bits = 0;
    if (sel->n_legal == 0) continue;
    for (size_t i = 0; i < g->isa.n_actions; i++) {
      const struct kt_action *a = &g->isa.action[i];
      size_t holds = 0;
      if (a->opcode != opcode || a->cond.mask == 0 || a->cond.field != sel->field) continue;
      for (size_t v = 0; v < sel->n_legal; v++)
        holds += (sel->legal[v] & a->cond.mask) == a->cond.value;
      if (holds == 0 || holds == sel->n_legal)
        kg_fail(g, op->name, "condition \"%s\" never changes", a->cond.text);
      bits |= a->cond.mask == UINT32_MAX ? a->cond.value : a->cond.mask;
    }
    if (sel->legal[sel->n_legal - 1] != bits)
      kg_fail(g, op->name, "operand %s: legal values and conditions do not agree", sel->name);
  }
}

static void rows(struct kg *g, uint32_t opcode)
{
  const struct kt_opcode *op = &g->isa.opcode[opcode];
  bool any = false;

  for (size_t i = 0; i < g->isa.n_actions; i++)
    if (g->isa.action[i].opcode == opcode && g->isa.action[i].items.nr > 0) any = true;
  if (any != (op->nr == KT_NR_ROWS))
    kg_fail(g, op->name, "nr counts rows exactly where actions move rows");
}

/* A rewritten nr travels in the nr field, all of whose bits are free for it. */
static void rewrites(struct kg *g, uint32_t opcode)
{
  uint32_t room = (UINT32_C(1) << g->isa.word0[5].bits) - 1;

  for (uint32_t u = 0; u < g->isa.n_units; u++) {
    struct kt_cost to;
    if (!kt_rewrite(&g->isa, opcode, u, 16, &to)) continue;
    if (to.fixed > 0 && to.per_row > 0)
      kg_fail(g, g->isa.opcode[opcode].name, "%s would need a sum as its row count",
              g->isa.unit[u].name);
    if (to.fixed + to.per_row * g->isa.nr_max > room)
      kg_fail(g, g->isa.opcode[opcode].name, "rewritten nr for %s does not fit the field",
              g->isa.unit[u].name);
  }
}

static void opcode(struct kg *g, uint32_t i)
{
  const struct kt_opcode *op = &g->isa.opcode[i];
  struct kt_msg m = {""};

  for (uint32_t k = 0; k < i; k++) {
    if (strcmp(op->name, g->isa.opcode[k].name) == 0)
      kg_fail(g, op->name, "opcode is defined twice");
    if (op->value == g->isa.opcode[k].value)
      kg_fail(g, op->name, "value %u is %s's", op->value, g->isa.opcode[k].name);
  }
  if (op->value > g->isa.word0[0].max)
    kg_fail(g, op->name, "value %u is above %u", op->value, g->isa.word0[0].max);
  if (op->retired && (op->n_operands > 0 || kt_opcode_units(&g->isa, i) != 0))
    kg_fail(g, op->name, "a retired opcode does nothing");
  for (size_t o = 0; o < op->n_operands; o++) operand(g, i, (int)o);
  conditions(g, i);
  rows(g, i);
  rewrites(g, i);
  if (kt_opcode_legal(&g->isa, i, &m) != KT_OK) kg_fail(g, "actions", "%s", m.text);
}

/* An opcode that copies writes a row without using what it read: reads and writes only, no compute.
 */
static void copies(struct kg *g)
{
  for (size_t c = 0; c < g->n_copies; c++) {
    bool reads = false, writes = false, computes = false;
    for (size_t i = 0; i < g->isa.n_actions; i++) {
      const struct kt_action *a = &g->isa.action[i];
      if (a->opcode != (uint32_t)g->copies[c]) continue;
      reads = reads || (a->kind == KT_ACTION_READ && g->isa.memory[a->memory].code >= 0);
      writes = writes || (a->kind == KT_ACTION_WRITE && g->isa.memory[a->memory].code >= 0);
      computes = computes || a->kind == KT_ACTION_COMPUTE;
    }
    if (!reads || !writes || computes)
      kg_fail(g, "contracts.copies", "%s is no pure copy", g->isa.opcode[g->copies[c]].name);
  }
}

void kg_check_opcodes(struct kg *g)
{
  for (uint32_t i = 0; i < g->isa.n_opcodes; i++) opcode(g, i);
  copies(g);
}
