/* SPDX-License-Identifier: Apache-2.0 */
/* Writes registers, orders of checks and numerics as the tables of spec/kt_interface.h. */
#include "spec/gen/kg.h"

static void registers(struct kg *g, FILE *f)
{
  fputs("const struct kt_reg_def kt_registers[] = {\n", f);
  for (size_t i = 0; i < g->n_regs; i++) {
    const struct kg_reg *r = &g->reg[i];
    fprintf(f, "  { \"%s\", \"%s\", \"%s\", 0x%03X, %u, %uu, {\n", r->name, r->access, r->role,
            r->offset, r->count, r->reset);
    for (size_t k = 0; k < r->n_fields; k++)
      fprintf(f, "    { \"%s\", %u, %u },\n", r->field[k].name, r->field[k].lsb, r->field[k].bits);
    if (r->n_fields == 0) fputs("    { NULL, 0, 0 },\n", f);
    fprintf(f, "  }, %zu },\n", r->n_fields);
  }
  fprintf(f, "};\nconst size_t kt_n_registers = %zu;\n\n", g->n_regs);
}

static void codes(struct kg *g, FILE *f, const char *name, const int *order, size_t n)
{
  fprintf(f, "const uint32_t kt_%s[] = {", name);
  for (size_t i = 0; i < n; i++) fprintf(f, " %u,", g->isa.fault[order[i]].code);
  fprintf(f, " };\nconst size_t kt_n_%s = %zu;\n\n", name, n);
}

static void orders(struct kg *g, FILE *f)
{
  fputs("const struct kt_desc_check kt_desc_checks[] = {\n", f);
  for (size_t i = 0; i < g->n_desc_order; i++)
    fprintf(f, "  { %u, %d },\n", g->isa.fault[g->desc_order[i].fault].code, g->desc_order[i].word);
  fprintf(f, "};\nconst size_t kt_n_desc_checks = %zu;\n\n", g->n_desc_order);
  codes(g, f, "instr_checks", g->instr_order, g->n_instr_order);
  codes(g, f, "end_checks", g->end_order, g->n_end_order);
  fputs("const uint32_t kt_copying_opcodes[] = {", f);
  for (size_t i = 0; i < g->n_copies; i++) fprintf(f, " %u,", g->isa.opcode[g->copies[i]].value);
  fprintf(f, "%s };\nconst size_t kt_n_copying_opcodes = %zu;\n\n", g->n_copies == 0 ? " 0" : "",
          g->n_copies);
}

void kg_emit_interface(struct kg *g, FILE *f)
{
  const struct kg_numerics *n = &g->num;

  fputs("/* Generated from spec/tinytpu.json by kt-gen: do not edit. */\n"
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Registers, orders of checks and numerics as tables. */\n#include "
        "\"spec/kt_interface.h\"\n\n",
        f);
  registers(g, f);
  orders(g, f);
  fprintf(f,
          "const struct kt_numerics kt_numerics = {\n  %u, %u, %u, %u, \"%s\",\n  \"%s\",\n  "
          "\"%s\", \"%s\", \"%s\", \"%s\", %s,\n};\n",
          n->operand_bits, n->acc_bits, n->product_bits, n->shift_max, n->accumulate_overflow,
          n->accumulate_order, n->vadd_overflow, n->output_overflow, n->output_rounding,
          n->shift_rounding, n->relu_exact ? "true" : "false");
}
