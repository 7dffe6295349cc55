/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the MXFP7 machine's constants for C and Verilog, and its tables. */
#include "spec/gen/kg_mx.h"

enum { BITS_INT = 0, BITS_CODE = 8, BITS_STATE = 3, BITS_ADDR = 12 };

static void put(struct kg *g, kg_const_fn emit, void *ctx, uint32_t bits, uint64_t value,
                const char *group, const char *name, const char *suffix)
{
  emit(ctx, NULL, kg_text(g, "KT_MX_%s%s%s", group, name, suffix), bits, value);
}

static void sizes(struct kg *g, kg_const_fn emit, void *ctx)
{
  const struct kg_mx *m = g->mx;

  emit(ctx, "identity and sizes", NULL, 0, 0);
  put(g, emit, ctx, 32, g->magic, "", "MAGIC", "");
  put(g, emit, ctx, BITS_INT, m->version, "", "VERSION", "");
  put(g, emit, ctx, 32, UINT32_C(0x80000000) + m->engine, "", "ENGINE", "");
  put(g, emit, ctx, BITS_INT, m->block, "", "BLOCK", "");
  put(g, emit, ctx, BITS_INT, m->lanes, "", "LANES", "");
  put(g, emit, ctx, BITS_INT, m->beat_bytes, "", "BEAT", "_BYTES");
  put(g, emit, ctx, BITS_INT, m->entry_bytes, "", "ENTRY", "_BYTES");
  put(g, emit, ctx, BITS_INT, m->half_entry_bytes, "", "HALF_ENTRY", "_BYTES");
  put(g, emit, ctx, BITS_INT, m->flit_words, "", "FLIT", "_WORDS");
  put(g, emit, ctx, BITS_INT, m->command_words, "", "COMMAND", "_WORDS");
  put(g, emit, ctx, BITS_INT, m->write_burst, "", "WRITE_BURST", "");
  put(g, emit, ctx, BITS_INT, m->n_params, "", "N_PARAMS", "");
}

static void place(struct kg *g, kg_const_fn emit, void *ctx, const char *insn,
                  const struct kg_mx_field *f)
{
  const char *group = kg_text(g, "%s_", insn);

  put(g, emit, ctx, BITS_INT, f->word, group, f->name, "_WORD");
  put(g, emit, ctx, BITS_INT, f->lsb, group, f->name, "_LSB");
  put(g, emit, ctx, BITS_INT, f->bits, group, f->name, "_BITS");
  put(g, emit, ctx, BITS_INT, 32 * f->word + f->lsb, group, f->name, "_AT");
}

static void instructions(struct kg *g, kg_const_fn emit, void *ctx)
{
  const struct kg_mx *m = g->mx;

  emit(ctx, "opcodes: bits 7..0 of an instruction", NULL, 0, 0);
  for (size_t i = 0; i < m->n_insns; i++)
    put(g, emit, ctx, BITS_CODE, m->insn[i].opcode, "OP_", m->insn[i].name, "");
  emit(ctx, "fields: word, lowest bit in it, bits, lowest bit in the flit", NULL, 0, 0);
  for (size_t i = 0; i < m->n_insns; i++)
    for (size_t k = 0; k < m->insn[i].n_fields; k++)
      place(g, emit, ctx, m->insn[i].name, &m->insn[i].field[k]);
  emit(ctx, "numbers of the fields in FAULT", NULL, 0, 0);
  for (size_t i = 0; i < m->n_insns; i++)
    for (size_t k = 0; k < m->insn[i].n_fields; k++)
      put(g, emit, ctx, BITS_CODE, m->insn[i].field[k].number,
          kg_text(g, "FIELD_%s_", m->insn[i].name), m->insn[i].field[k].name, "");
}

static void codes(struct kg *g, kg_const_fn emit, void *ctx, const char *section,
                  const char *group, uint32_t bits, const struct kg_named *t, size_t n)
{
  emit(ctx, section, NULL, 0, 0);
  for (size_t i = 0; i < n; i++) put(g, emit, ctx, bits, t[i].value, group, t[i].name, "");
}

static void constants(struct kg *g, kg_const_fn emit, void *ctx)
{
  const struct kg_mx *m = g->mx;

  sizes(g, emit, ctx);
  instructions(g, emit, ctx);
  codes(g, emit, ctx, "commands", "CMD_", BITS_CODE, m->command, m->n_commands);
  codes(g, emit, ctx, "faults", "FAULT_", BITS_CODE, m->fault, m->n_faults);
  codes(g, emit, ctx, "bits of NO_PROGRESS's argument", "WAIT_", BITS_INT, m->waiting,
        m->n_waiting);
  codes(g, emit, ctx, "what the sweep does in a cycle", "SWEEP_", BITS_STATE, m->state,
        m->n_states);
  emit(ctx, "registers", NULL, 0, 0);
  for (size_t i = 0; i < m->n_regs; i++)
    put(g, emit, ctx, BITS_ADDR, m->reg[i].offset, "REG_", m->reg[i].name, "");
}

void kg_emit_mx_header(struct kg *g, FILE *f)
{
  static const struct kg_opening opening = {
      "/* Generated from spec/mx.json by kt-gen: do not edit. */\n"
      "/* SPDX-License-Identifier: Apache-2.0 */\n"
      "/* Constants of the MXFP7 machine (docs/mx-machine.md); rtl/generated/ktpu_mx.vh has the "
      "same names and values. */\n",
      "KT_SPEC_GENERATED_KT_MX_H"};

  kg_emit_c(g, f, &opening, constants);
}

void kg_emit_mx_verilog(struct kg *g, FILE *f)
{
  kg_emit_v(g, f,
            "// Generated from spec/mx.json by kt-gen: do not edit.\n"
            "// SPDX-License-Identifier: Apache-2.0\n"
            "// Constants of the MXFP7 machine, included inside modules: no include guard on "
            "purpose. spec/generated/kt_mx.h has\n"
            "// the same names and values. A module uses few of them: lint waives unused "
            "parameters of this file alone.\n",
            constants);
}

static void field_tables(FILE *f, const struct kg_mx *m)
{
  for (size_t i = 0; i < m->n_insns; i++) {
    fprintf(f, "static const struct kt_mx_field fields_%u[] = {\n", m->insn[i].opcode);
    for (size_t k = 0; k < m->insn[i].n_fields; k++) {
      const struct kg_mx_field *e = &m->insn[i].field[k];
      fprintf(f, "  { \"%s\", \"%s\", %u, %u, %u, %uu, %uu, %u },\n", e->name, e->role, e->word,
              e->lsb, e->bits, e->min, e->max, e->multiple);
    }
    fputs("};\n", f);
  }
}

static void insn_table(FILE *f, const struct kg_mx *m)
{
  fputs("\nconst struct kt_mx_insn kt_mx_insn[] = {\n", f);
  for (size_t i = 0; i < m->n_insns; i++) {
    const struct kg_mx_insn *in = &m->insn[i];
    fprintf(f, "  { \"%s\", \"%s\", %u, %u, fields_%u, %zu, { ", in->name, in->role, in->opcode,
            in->n_fields == 0 ? 0 : in->field[0].number, in->opcode, in->n_fields);
    for (size_t w = 0; w < KG_MX_WORDS; w++) fprintf(f, "0x%08Xu%s", in->used[w], w < 7 ? ", " : "");
    fputs(" } },\n", f);
  }
  fprintf(f, "};\nconst size_t kt_mx_n_insns = %zu;\n\n", m->n_insns);
}

static void param_tables(FILE *f, const struct kg_mx *m)
{
  for (size_t i = 0; i < m->n_params; i++) {
    fprintf(f, "static const uint32_t legal_%zu[] = {", i);
    for (size_t k = 0; k < m->param[i].n_legal; k++)
      fprintf(f, "%s%u", k > 0 ? ", " : " ", m->param[i].legal[k]);
    fputs(" };\n", f);
  }
  fputs("\nconst struct kt_mx_param kt_mx_param[] = {\n", f);
  for (size_t i = 0; i < m->n_params; i++)
    fprintf(f, "  { \"%s\", \"%s\", %u, legal_%zu, %zu },\n", m->param[i].name, m->param[i].role,
            m->param[i].value, i, m->param[i].n_legal);
  fprintf(f, "};\nconst size_t kt_mx_n_params = %zu;\n\n", m->n_params);
}

static void name_table(FILE *f, const char *table, const char *count, const struct kg_named *t,
                       size_t n)
{
  fprintf(f, "const struct kt_mx_name %s[] = {\n", table);
  for (size_t i = 0; i < n; i++)
    fprintf(f, "  { \"%s\", \"%s\", %u },\n", t[i].name, t[i].role, t[i].value);
  fprintf(f, "};\nconst size_t %s = %zu;\n\n", count, n);
}

static void config_tables(FILE *f, const struct kg_mx *m)
{
  for (size_t c = 0; c < m->n_configs; c++) {
    fprintf(f, "static const struct kt_mx_setting settings_%zu[] = {\n", c);
    for (size_t i = 0; i < m->n_params; i++)
      if (m->config[c].given[i])
        fprintf(f, "  { \"%s\", %u },\n", m->param[i].name, m->config[c].value[i]);
    fputs("  { NULL, 0 },\n};\n", f);
  }
  fputs("\nconst struct kt_mx_config kt_mx_configs[] = {\n", f);
  for (size_t c = 0; c < m->n_configs; c++)
    fprintf(f, "  { \"%s\", \"%s\", settings_%zu },\n", m->config[c].name, m->config[c].role, c);
  fputs("  { NULL, NULL, NULL },\n};\n", f);
}

void kg_emit_mx_tables(struct kg *g, FILE *f)
{
  const struct kg_mx *m = g->mx;

  fputs("/* Generated from spec/mx.json and spec/configs by kt-gen: do not edit. */\n"
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Instructions, parameters, codes and configs of the MXFP7 machine. */\n"
        "#include \"spec/kt_mx.h\"\n\n",
        f);
  field_tables(f, m);
  insn_table(f, m);
  param_tables(f, m);
  name_table(f, "kt_mx_fault", "kt_mx_n_faults", m->fault, m->n_faults);
  name_table(f, "kt_mx_waiting", "kt_mx_n_waiting", m->waiting, m->n_waiting);
  name_table(f, "kt_mx_sweep_state", "kt_mx_n_sweep_states", m->state, m->n_states);
  config_tables(f, m);
}
