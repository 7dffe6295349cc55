/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of docs/isa.md: encoding, opcodes, actions, units, costs, rewrites. */
#include <string.h>

#include "spec/gen/kg_page.h"
#include "spec/kt_derive.h"

void kg_page_word0(struct kg *g, FILE *f)
{
  fputs("| field | bits | width | values | AGU target | role |\n|---|---|---|---|---|---|\n", f);
  for (size_t i = 0; i < g->isa.n_word0; i++) {
    const struct kt_field *w = &g->isa.word0[i];
    fprintf(f, "| %s | %u:%u | %u | 0..%u | %s | %s |\n", w->name, w->lsb + w->bits - 1, w->lsb,
            w->bits, w->max, w->target < 0 ? "–" : kg_text(g, "%d", w->target),
            kg_cell(g, w->role));
  }
}

void kg_page_term(struct kg *g, FILE *f)
{
  fprintf(f, "Word 1 holds %u terms of %u bits, term i from bit %u * i.\n\n", g->isa.n_terms,
          g->isa.term_bits, g->isa.term_bits);
  fputs("| subfield | bits of the term | width | values | role |\n|---|---|---|---|---|\n", f);
  for (size_t i = 0; i < g->isa.n_term; i++) {
    const struct kt_field *t = &g->isa.term[i];
    fprintf(f, "| %s | %u:%u | %u | 0..%u | %s |\n", t->name, t->lsb + t->bits - 1, t->lsb, t->bits,
            t->max, kg_cell(g, t->role));
  }
}

static const char *operand_text(struct kg *g, const struct kt_operand *o)
{
  const char *values = "";

  if (o->kind == KT_OPERAND_SELECT) values = kg_text(g, " (0..%u)", o->legal[o->n_legal - 1]);
  if (o->kind == KT_OPERAND_BELOW) values = kg_text(g, " (below %s)", o->limit.text);
  return kg_text(g, "f%u = %s%s: %s", o->field, o->name, values, kg_cell(g, o->role));
}

void kg_page_opcodes(struct kg *g, FILE *f)
{
  static const char *const uses[] = {"–", "rows", "trip count"};

  fputs("| value | name | does | operands | nr | units |\n|---|---|---|---|---|---|\n", f);
  for (uint32_t i = 0; i < g->isa.n_opcodes; i++) {
    const struct kt_opcode *op = &g->isa.opcode[i];
    fprintf(f, "| %u | %s | %s | ", op->value, op->name, kg_cell(g, op->does));
    for (size_t o = 0; o < op->n_operands; o++)
      fprintf(f, "%s%s", o > 0 ? "<br>" : "", operand_text(g, &op->operand[o]));
    fprintf(f, "%s | %s | %s |\n", op->n_operands == 0 ? "–" : "", uses[op->nr],
            kg_unit_names(g, kt_opcode_units(&g->isa, i)));
  }
}

void kg_page_actions(struct kg *g, FILE *f)
{
  static const char *const kinds[] = {"read", "write", "compute", "emit", "receive"};

  fputs("| opcode | unit | port | kind | state | base | items | only if "
        "|\n|---|---|---|---|---|---|---|---|\n",
        f);
  for (size_t i = 0; i < g->isa.n_actions; i++) {
    const struct kt_action *a = &g->isa.action[i];
    const struct kt_opcode *op = &g->isa.opcode[a->opcode];
    fprintf(f, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", op->name, g->isa.unit[a->unit].name,
            g->isa.unit[a->unit].port[a->port].name, kinds[a->kind], kg_cell(g, a->state),
            a->base < 0 ? "–" : op->operand[a->base].name, kg_linear_text(g, &a->items),
            kg_cell(g, a->cond.text));
  }
}

void kg_page_units(struct kg *g, FILE *f)
{
  fputs("| unit | number | ports (items a step where more than one) | II | elastic | gets "
        "instructions from |\n|---|---|---|---|---|---|\n",
        f);
  for (size_t i = 0; i < g->isa.n_units; i++) {
    const struct kt_unit *u = &g->isa.unit[i];
    fprintf(f, "| %s | %zu | ", u->name, i);
    for (size_t p = 0; p < u->n_ports; p++) {
      fprintf(f, "%s%s", p > 0 ? ", " : "", u->port[p].name);
      if (u->port[p].copies > 1) fprintf(f, " x%u", u->port[p].copies);
    }
    fprintf(f, " | %u | %s | %s |\n", u->ii, u->elastic ? "yes" : "no",
            u->fed_by < 0 ? "program memory" : g->isa.unit[u->fed_by].name);
  }
}

static struct kt_linear larger(struct kt_linear a, struct kt_linear b, uint32_t t)
{
  return a.fixed + a.t * t >= b.fixed + b.t * t ? a : b;
}

/* Fields under which the unit takes part in the opcode; all such fields give the same cost. False:
 * it takes no part. */
static bool taking_part(const struct kt_isa *isa, uint32_t opcode, uint32_t unit,
                        uint32_t field[KT_ISA_FIELDS])
{
  memset(field, 0, KT_ISA_FIELDS * sizeof field[0]);
  for (size_t i = 0; i < isa->n_actions; i++) {
    const struct kt_action *a = &isa->action[i];
    if (a->opcode != opcode || a->unit != unit) continue;
    field[a->cond.field] = a->cond.value;
    return true;
  }
  return false;
}

/* Fixed part of a unit's cost as text in T: the port that binds at T = 4 (fixed items never depend
 * on conditions). */
static struct kt_linear fixed_part(const struct kt_isa *isa, uint32_t opcode, uint32_t unit)
{
  struct kt_linear best = {0, 0, 0};

  for (uint32_t p = 0; p < isa->unit[unit].n_ports; p++) {
    struct kt_linear sum = {0, 0, 0};
    for (size_t i = 0; i < isa->n_actions; i++) {
      const struct kt_action *a = &isa->action[i];
      if (a->opcode != opcode || a->unit != unit || a->port != p) continue;
      sum.fixed += a->items.fixed;
      sum.t += a->items.t;
    }
    best = larger(best, sum, 4);
  }
  return best;
}

const char *kg_cost_text(struct kg *g, uint32_t opcode, uint32_t unit)
{
  uint32_t field[KT_ISA_FIELDS];

  if (!taking_part(&g->isa, opcode, unit, field)) return "";
  struct kt_linear total = fixed_part(&g->isa, opcode, unit);
  total.nr = kt_unit_cost(&g->isa, opcode, unit, field, 4).per_row;
  return kg_linear_text(g, &total);
}

void kg_page_costs(struct kg *g, FILE *f)
{
  uint32_t field[KT_ISA_FIELDS];

  fputs("| opcode | unit | steps an issue | at T = 4, nr = 8 |\n|---|---|---|---|\n", f);
  for (uint32_t i = 0; i < g->isa.n_opcodes; i++)
    for (uint32_t u = 0; u < g->isa.n_units; u++) {
      if (!taking_part(&g->isa, i, u, field)) continue;
      struct kt_cost c = kt_unit_cost(&g->isa, i, u, field, 4);
      fprintf(f, "| %s | %s | %s | %u |\n", g->isa.opcode[i].name, g->isa.unit[u].name,
              kg_cost_text(g, i, u), c.fixed + 8 * c.per_row);
    }
}

void kg_page_rewrites(struct kg *g, FILE *f)
{
  fputs("| opcode | unit | nr becomes |\n|---|---|---|\n", f);
  for (uint32_t i = 0; i < g->isa.n_opcodes; i++)
    for (uint32_t u = 0; u < g->isa.n_units; u++) {
      struct kt_cost to;
      if (kt_rewrite(&g->isa, i, u, 4, &to))
        fprintf(f, "| %s | %s | %s |\n", g->isa.opcode[i].name, g->isa.unit[u].name,
                kg_cost_text(g, i, u));
    }
}

static const char *slot_text(struct kg *g, const struct kt_slot *s)
{
  switch (s->kind) {
  case KT_SLOT_STATIC:
    return "instructions in the program";
  case KT_SLOT_STEPS:
    return kg_text(g, "steps of %s", g->isa.unit[s->unit].name);
  case KT_SLOT_ITEMS:
    return kg_text(g, "items at port %s of %s", g->isa.unit[s->unit].port[s->port].name,
                   g->isa.unit[s->unit].name);
  case KT_SLOT_SPAN:
    return kg_text(g, "largest row of %s that is read, plus 1", g->isa.memory[s->memory].name);
  }
  return "";
}

void kg_page_header(struct kg *g, FILE *f)
{
  fprintf(f, "%u words; a count is at most %u.\n\n", g->isa.header_words, g->isa.count_max);
  fputs("| slot | word | bits | name | counts | for |\n|---|---|---|---|---|---|\n", f);
  for (size_t i = 0; i < g->isa.n_slots; i++) {
    const struct kt_slot *s = &g->isa.slot[i];
    fprintf(f, "| %zu | %u | %u:%u | %s | %s | %s |\n", i, s->word, s->lsb + s->bits - 1, s->lsb,
            s->name, slot_text(g, s), g->isa.unit[s->consumer].name);
  }
}

static const char *accesses(struct kg *g, int memory, enum kt_action_kind kind)
{
  const struct kt_action *last = NULL;
  const char *s = "";

  for (size_t i = 0; i < g->isa.n_actions; i++) {
    const struct kt_action *a = &g->isa.action[i];
    if (a->kind != kind || a->memory != memory ||
        (last != NULL && last->opcode == a->opcode && last->cond.mask == a->cond.mask))
      continue;
    const char *one = g->isa.opcode[a->opcode].name;
    if (a->purpose != NULL) one = kg_text(g, "%s (%s)", one, a->purpose);
    if (a->cond.text != NULL) one = kg_text(g, "%s [%s]", one, a->cond.text);
    s = s[0] == '\0' ? one : kg_text(g, "%s, %s", s, one);
    last = a;
  }
  return s;
}

void kg_page_memories(struct kg *g, FILE *f)
{
  fputs("| memory | number | owner | depth | bits a row | written by | read by "
        "|\n|---|---|---|---|---|---|---|\n",
        f);
  for (int i = 0; i < (int)g->isa.n_memories; i++) {
    const struct kt_memory *m = &g->isa.memory[i];
    const char *writers = accesses(g, i, KT_ACTION_WRITE),
               *readers = accesses(g, i, KT_ACTION_READ);
    if (m->host == KT_HOST_WRITES) writers = "the host";
    if (m->host == KT_HOST_READS) readers = "the host";
    if (m->port == NULL) readers = g->isa.unit[m->owner].name;
    fprintf(f, "| %s | %s | %s | %s | %s | %s | %s |\n", m->name,
            m->code < 0 ? "–" : kg_text(g, "%d", m->code), g->isa.unit[m->owner].name,
            m->depth.text, m->row_bits.text, writers, readers);
  }
}

void kg_page_contracts(struct kg *g, FILE *f)
{
  fprintf(f,
          "* Accumulator read-after-write distance: %u steps of accu.\n* Copies without use (may "
          "move unwritten rows): ",
          g->isa.ar_raw_dist);
  for (size_t i = 0; i < g->n_copies; i++)
    fprintf(f, "%s%s", i > 0 ? ", " : "", g->isa.opcode[g->copies[i]].name);
  fprintf(f,
          ".\n* Loop levels: %u; smallest trip count: %u.\n* A resolved field is at most %u, a row "
          "count 1..%u.\n",
          g->isa.loop_depth, g->min_trip, g->isa.field_max, g->isa.nr_max);
}
