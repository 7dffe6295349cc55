/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of docs/isa.md: registers, descriptor, faults, order of checks. */
#include "spec/gen/kg_page.h"

void kg_page_register_rows(struct kg *g, FILE *f, const struct kg_reg *reg, size_t n,
                           uint32_t base)
{
  fputs("| offset | name | access | reset | fields | role |\n|---|---|---|---|---|---|\n", f);
  for (size_t i = 0; i < n; i++) {
    const struct kg_reg *r = &reg[i];
    fprintf(f, "| 0x%03X", base + r->offset);
    if (r->count > 1) fprintf(f, "..0x%03X", base + r->offset + 4 * (r->count - 1));
    fprintf(f, " | %s | %s | %s | ", r->name, r->access,
            r->has_reset ? kg_text(g, "%u", r->reset) : "–");
    for (size_t k = 0; k < r->n_fields; k++) {
      const struct kg_bits *b = &r->field[k];
      if (b->bits == 1)
        fprintf(f, "%s[%u] %s", k > 0 ? ", " : "", b->lsb, b->name);
      else
        fprintf(f, "%s[%u:%u] %s", k > 0 ? ", " : "", b->lsb + b->bits - 1, b->lsb, b->name);
    }
    fprintf(f, "%s | %s |\n", r->n_fields == 0 ? "–" : "", kg_cell(g, r->role));
  }
}

void kg_page_registers(struct kg *g, FILE *f)
{
  kg_page_register_rows(g, f, g->reg, g->n_regs, 0);
  fputs("\n| state | number |\n|---|---|\n", f);
  for (size_t i = 0; i < g->n_states; i++) fprintf(f, "| %s | %zu |\n", g->state[i], i);
}

void kg_page_descriptor(struct kg *g, FILE *f)
{
  fprintf(f, "%u bytes, %u little-endian words.\n\n| word | name | role |\n|---|---|---|\n",
          g->desc_bytes, g->desc_bytes / 4);
  for (size_t i = 0; i < g->n_desc_words; i++)
    fprintf(f, "| %u | %s | %s |\n", g->desc_word[i].value, g->desc_word[i].name,
            kg_cell(g, g->desc_word[i].role));
  fprintf(f, "| %zu..%u | reserved | must be 0 |\n", g->n_desc_words, g->desc_bytes / 4 - 1);
  fputs("\n| bits of FLAGS | name | role |\n|---|---|---|\n", f);
  for (size_t i = 0; i < g->n_flags; i++)
    fprintf(f, "| %u:%u | %s | %s |\n", g->flag[i].lsb + g->flag[i].bits - 1, g->flag[i].lsb,
            g->flag[i].name, kg_cell(g, g->flag[i].role));
  fputs("\n| output form | value | role |\n|---|---|---|\n", f);
  for (size_t i = 0; i < g->n_forms; i++)
    fprintf(f, "| %s | %u | %s |\n", g->form[i].name, g->form[i].value,
            kg_cell(g, g->form[i].role));
  fprintf(f, "\nStrides are at most %u.\n", g->stride_max);
}

void kg_page_faults(struct kg *g, FILE *f)
{
  fputs("| code | name | found at | sub | argument |\n|---|---|---|---|---|\n", f);
  for (size_t i = 0; i < g->isa.n_faults; i++) {
    const struct kt_fault_def *d = &g->isa.fault[i];
    fprintf(f, "| %u | %s | %s | %s | %s |\n", d->code, d->name, d->found, kg_cell(g, d->sub),
            kg_cell(g, d->arg));
  }
}

static void order(struct kg *g, FILE *f, const char *what, const int *list, size_t n)
{
  fprintf(f, "* %s: ", what);
  for (size_t i = 0; i < n; i++) fprintf(f, "%s%s", i > 0 ? ", " : "", g->isa.fault[list[i]].name);
  fputs(".\n", f);
}

void kg_page_order(struct kg *g, FILE *f)
{
  fputs("* A descriptor: ", f);
  for (size_t i = 0; i < g->n_desc_order; i++) {
    const struct kg_desc_check *c = &g->desc_order[i];
    fprintf(f, "%s%s", i > 0 ? ", " : "", g->isa.fault[c->fault].name);
    if (c->word >= 0) fprintf(f, " of %s", g->desc_word[c->word].name);
  }
  fputs(".\n", f);
  order(g, f, "An instruction", g->instr_order, g->n_instr_order);
  order(g, f, "After the last instruction", g->end_order, g->n_end_order);
}
