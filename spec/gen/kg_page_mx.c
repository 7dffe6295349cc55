/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of docs/mx-isa.md. */
#include "spec/gen/kg_mx.h"
#include "spec/gen/kg_page.h"

static void insn_rows(struct kg *g, FILE *f, const struct kg_mx_insn *in)
{
  fprintf(f, "**%s**, opcode %u: %s.\n\n", in->name, in->opcode, in->role);
  fputs("| field | number | word | bits | legal | role |\n|---|---|---|---|---|---|\n", f);
  for (size_t k = 0; k < in->n_fields; k++) {
    const struct kg_mx_field *e = &in->field[k];
    fprintf(f, "| %s | %u | %u | %u..%u | ", e->name, e->number, e->word, e->lsb + e->bits - 1,
            e->lsb);
    fprintf(f, "%u to %u", e->min, e->max);
    if (e->multiple > 1) fprintf(f, ", multiples of %u", e->multiple);
    fprintf(f, " | %s |\n", kg_cell(g, e->role));
  }
}

static void instructions(struct kg *g, FILE *f)
{
  for (size_t i = 0; i < g->mx->n_insns; i++) {
    if (i > 0) fputs("\n", f);
    insn_rows(g, f, &g->mx->insn[i]);
  }
}

static void rows(struct kg *g, FILE *f, const char *what, const struct kg_named *t, size_t n)
{
  fprintf(f, "| %s | value | role |\n|---|---|---|\n", what);
  for (size_t i = 0; i < n; i++)
    fprintf(f, "| %s | %u | %s |\n", t[i].name, t[i].value, kg_cell(g, t[i].role));
}

static void commands(struct kg *g, FILE *f)
{
  rows(g, f, "command", g->mx->command, g->mx->n_commands);
}

static void faults(struct kg *g, FILE *f)
{
  rows(g, f, "fault", g->mx->fault, g->mx->n_faults);
}

static void waiting(struct kg *g, FILE *f)
{
  rows(g, f, "who waits", g->mx->waiting, g->mx->n_waiting);
}

static void states(struct kg *g, FILE *f)
{
  rows(g, f, "state", g->mx->state, g->mx->n_states);
}

static void registers(struct kg *g, FILE *f)
{
  kg_page_register_rows(g, f, g->mx->reg, g->mx->n_regs, 0);
}

static void parameters(struct kg *g, FILE *f)
{
  fputs("| parameter | default | legal | role |\n|---|---|---|---|\n", f);
  for (size_t i = 0; i < g->mx->n_params; i++) {
    const struct kg_mx_param *p = &g->mx->param[i];
    fprintf(f, "| %s | %u |", p->name, p->value);
    for (size_t k = 0; k < p->n_legal; k++) fprintf(f, "%s %u", k > 0 ? "," : "", p->legal[k]);
    fprintf(f, " | %s |\n", kg_cell(g, p->role));
  }
}

static void configs(struct kg *g, FILE *f)
{
  fputs("| config | machine | parameters that differ |\n|---|---|---|\n", f);
  for (size_t c = 0; c < g->mx->n_configs; c++) {
    const struct kg_mx_config *m = &g->mx->config[c];
    fprintf(f, "| %s | %s |", m->name, kg_cell(g, m->role));
    for (size_t i = 0; i < g->mx->n_params; i++)
      if (m->given[i]) fprintf(f, " %s=%u", g->mx->param[i].name, m->value[i]);
    fputs(" |\n", f);
  }
}

void kg_emit_mx_page(struct kg *g, FILE *f)
{
  static const struct kg_block blocks[] = {
      {"instructions", instructions}, {"commands", commands},     {"faults", faults},
      {"waiting", waiting},           {"registers", registers},   {"states", states},
      {"parameters", parameters},     {"configs", configs},
  };

  kg_emit_page(g, f, "docs/mx-isa.md", blocks, sizeof blocks / sizeof blocks[0]);
}
