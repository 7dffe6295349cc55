/* SPDX-License-Identifier: Apache-2.0 */
/* What the tables of spec/mx.json must satisfy. */
#include <string.h>

#include "spec/gen/kg_mx.h"

static bool is_legal(const struct kg_mx_param *p, uint32_t v)
{
  for (size_t i = 0; i < p->n_legal; i++)
    if (p->legal[i] == v) return true;
  return false;
}

static void parameters(struct kg *g)
{
  const struct kg_mx *m = g->mx;

  for (size_t i = 0; i < m->n_params; i++) {
    if (!is_legal(&m->param[i], m->param[i].value))
      kg_fail(g, m->param[i].name, "the default %u is not legal", m->param[i].value);
    for (size_t k = 0; k < i; k++)
      if (strcmp(m->param[i].name, m->param[k].name) == 0)
        kg_fail(g, m->param[i].name, "is defined twice");
  }
  for (size_t c = 0; c < m->n_configs; c++)
    for (size_t i = 0; i < m->n_params; i++)
      if (m->config[c].given[i] && !is_legal(&m->param[i], m->config[c].value[i]))
        kg_fail(g, m->config[c].name, "%s = %u is not legal", m->param[i].name,
                m->config[c].value[i]);
}

static void limits(struct kg *g, const struct kg_mx_field *f)
{
  uint32_t all = f->bits == 32 ? UINT32_MAX : (UINT32_C(1) << f->bits) - 1;

  if (f->bits == 0 || f->lsb + f->bits > 32) {
    kg_fail(g, f->name, "bits %u to %u do not fit a word", f->lsb, f->lsb + f->bits - 1);
    return;
  }
  if (f->min > f->max || f->max > all)
    kg_fail(g, f->name, "%u..%u is no range of %u bits", f->min, f->max, f->bits);
  if (f->multiple == 0 || (f->multiple & (f->multiple - 1)) != 0)
    kg_fail(g, f->name, "multiple %u is no power of two", f->multiple);
}

/* Each bit of a flit belongs to at most one field; bits 7..0 of word 0 are the opcode. */
static void instruction(struct kg *g, struct kg_mx_insn *in)
{
  in->used[0] = 0xff;
  for (size_t i = 0; i < in->n_fields; i++) {
    const struct kg_mx_field *f = &in->field[i];
    size_t before = g->n_errors;
    limits(g, f);
    if (g->n_errors > before) continue;
    uint32_t all = f->bits == 32 ? UINT32_MAX : ((UINT32_C(1) << f->bits) - 1) << f->lsb;
    if ((in->used[f->word] & all) != 0)
      kg_fail(g, in->name, "%s lies over another field", f->name);
    in->used[f->word] |= all;
    for (size_t k = 0; k < i; k++)
      if (strcmp(in->field[k].name, f->name) == 0) kg_fail(g, in->name, "%s twice", f->name);
  }
}

static void distinct(struct kg *g, const char *where, const struct kg_named *t, size_t n,
                     uint32_t max)
{
  for (size_t i = 0; i < n; i++) {
    if (t[i].value > max) kg_fail(g, where, "%s: %u is above %u", t[i].name, t[i].value, max);
    for (size_t k = 0; k < i; k++)
      if (t[k].value == t[i].value || strcmp(t[k].name, t[i].name) == 0)
        kg_fail(g, where, "%s and %s are the same", t[k].name, t[i].name);
  }
}

static void sizes(struct kg *g)
{
  const struct kg_mx *m = g->mx;

  if (m->flit_words != KG_MX_WORDS || m->flit_words * 4 != m->beat_bytes)
    kg_fail(g, "flit_words", "an instruction is a beat of %u words", KG_MX_WORDS);
  if (m->entry_bytes != m->lanes * m->beat_bytes)
    kg_fail(g, "entry_bytes", "an entry is a beat a lane: %u", m->lanes * m->beat_bytes);
  if (m->block * 7 + 8 > m->beat_bytes * 8)
    kg_fail(g, "block", "%u elements and a scale code do not fit a beat", m->block);
  if (m->half_entry_bytes != m->lanes * m->block * 2)
    kg_fail(g, "half_entry_bytes", "must be %u", m->lanes * m->block * 2);
}

void kg_check_mx(struct kg *g)
{
  struct kg_mx *m = g->mx;

  g->file = "spec/mx.json";
  sizes(g);
  parameters(g);
  for (size_t i = 0; i < m->n_insns; i++) {
    instruction(g, &m->insn[i]);
    for (size_t k = 0; k < i; k++)
      if (m->insn[k].opcode == m->insn[i].opcode)
        kg_fail(g, m->insn[i].name, "has the opcode of %s", m->insn[k].name);
  }
  distinct(g, "commands", m->command, m->n_commands, 255);
  distinct(g, "faults", m->fault, m->n_faults, 255);
  distinct(g, "waiting", m->waiting, m->n_waiting, 31);
  distinct(g, "sweep_states", m->state, m->n_states, 7);
  kg_check_registers(g, m->reg, m->n_regs);
}
