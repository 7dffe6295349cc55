/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of docs/isa.md: parameters, constants, constraints, configs, limits, ceilings, numerics.
 */
#include <inttypes.h>

#include "spec/gen/kg_page.h"
#include "spec/kt_derive.h"

void kg_page_parameters(struct kg *g, FILE *f)
{
  fputs("| parameter | alias | default | legal | role |\n|---|---|---|---|---|\n", f);
  for (size_t i = 0; i < g->isa.n_params; i++) {
    const struct kt_param_def *p = &g->isa.param[i];
    fprintf(f, "| %s | %s | %s | ", p->name, kg_cell(g, p->alias), p->def.text);
    for (size_t v = 0; v < p->n_values; v++)
      fprintf(f, "%s%" PRId64, v > 0 ? ", " : "", p->values[v]);
    if (p->n_values == 0) fprintf(f, "%" PRId64 "..%" PRId64, p->min, p->max);
    fprintf(f, " | %s |\n", kg_cell(g, p->role));
  }
}

void kg_page_constants(struct kg *g, FILE *f)
{
  fputs("| constant | value | role |\n|---|---|---|\n", f);
  for (size_t i = 0; i < g->isa.n_constants; i++)
    fprintf(f, "| %s | %s | %s |\n", g->isa.constant[i].name, g->isa.constant[i].value.text,
            kg_cell(g, g->isa.constant[i].role));
}

void kg_page_constraints(struct kg *g, FILE *f)
{
  fputs("| constraint | must hold | because |\n|---|---|---|\n", f);
  for (size_t i = 0; i < g->isa.n_constraints; i++) {
    const struct kt_constraint *c = &g->isa.constraint[i];
    fprintf(f, "| %s | %s %s %s | %s |\n", c->name, c->left.text, kt_cmp_text(c->op), c->right.text,
            kg_cell(g, c->why));
  }
}

void kg_page_configs(struct kg *g, FILE *f)
{
  int64_t env[KG_MAX_SYMBOLS];

  fputs("| config |", f);
  for (size_t p = 0; p < g->isa.n_params; p++) fprintf(f, " %s |", g->isa.param[p].name);
  fputs("\n|---|", f);
  for (size_t p = 0; p < g->isa.n_params; p++) fputs("---|", f);
  fputc('\n', f);
  for (size_t i = 0; i < g->n_configs; i++) {
    kg_env(g, &g->config[i], env);
    fprintf(f, "| %s |", g->config[i].name);
    for (size_t p = 0; p < g->isa.n_params; p++) fprintf(f, " %" PRId64 " |", env[p]);
    fputc('\n', f);
  }
}

void kg_page_limits(struct kg *g, FILE *f)
{
  fputs("| limit | at most | of | stands in for |\n|---|---|---|---|\n", f);
  for (size_t i = 0; i < g->isa.n_limits; i++) {
    const struct kt_limit *l = &g->isa.limit[i];
    fprintf(f, "| %s | %s <= %s | %s | %s |\n", l->name, l->left.text, l->right.text,
            kg_cell(g, l->what),
            l->alternative_to < 0 ? "–" : g->isa.limit[l->alternative_to].name);
  }
  for (size_t i = 0; i < g->isa.n_slots; i++)
    if (g->isa.slot[i].kind != KT_SLOT_STATIC)
      fprintf(f, "| %s | count of the issues below <= %u | header count | – |\n",
              g->isa.slot[i].name, g->isa.count_max);
  fputs("\n| issue | times | nr | what |\n|---|---|---|---|\n", f);
  for (size_t i = 0; i < g->isa.n_gemm; i++)
    fprintf(f, "| %s | %s | %s | %s |\n", g->isa.opcode[g->isa.gemm[i].opcode].name,
            g->isa.gemm[i].times.text, g->isa.gemm[i].nr.text, kg_cell(g, g->isa.gemm[i].what));
}

void kg_page_ceilings(struct kg *g, FILE *f)
{
  fputs("| ceiling | at T=4 | at T=8 | must hold | question | refused by "
        "|\n|---|---|---|---|---|---|\n",
        f);
  for (uint32_t i = 0; i < g->isa.n_ceilings; i++) {
    const struct kt_ceiling *c = &g->isa.ceiling[i];
    fprintf(f, "| %s | %u | %u | %s <= %s | %s | %s |\n", c->name, kt_ceiling_maxdim(&g->isa, i, 4),
            kt_ceiling_maxdim(&g->isa, i, 8), c->left.text, c->right.text, kg_cell(g, c->question),
            kg_cell(g, c->refused_by));
  }
}

static int64_t lowest(uint32_t bits)
{
  return -((int64_t)1 << (bits - 1));
}

void kg_page_numerics(struct kg *g, FILE *f)
{
  const struct kg_numerics *n = &g->num;

  fputs("| stage | rule |\n|---|---|\n", f);
  fprintf(f, "| operand | %u-bit signed integer, %" PRId64 "..%" PRId64 " |\n", n->operand_bits,
          lowest(n->operand_bits), -1 - lowest(n->operand_bits));
  fprintf(f, "| accumulator | %u-bit signed integer, %" PRId64 "..%" PRId64 " |\n", n->acc_bits,
          lowest(n->acc_bits), -1 - lowest(n->acc_bits));
  fprintf(f, "| product | exact in %u bits |\n", n->product_bits);
  fprintf(f, "| accumulation | overflow: %s; order: %s |\n", n->accumulate_overflow,
          n->accumulate_order);
  fprintf(f, "| vadd | overflow: %s |\n", n->vadd_overflow);
  fprintf(f, "| vrelu | max(x, 0), %s |\n", n->relu_exact ? "exact" : "rounded");
  fprintf(f, "| mvout, int8 | overflow: %s; rounding: %s |\n", n->output_overflow,
          n->output_rounding);
  fprintf(f, "| mvout, int8 after a shift of 0..%u | rounding: %s; then overflow: %s |\n",
          n->shift_max, n->shift_rounding, n->output_overflow);
  fputs("| mvout, int32 | as it stands |\n", f);
}
