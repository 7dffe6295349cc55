/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the instruction set as the constant tables of struct kt_isa, and the configs. */
#include <inttypes.h>
#include <string.h>

#include "spec/gen/kg.h"

static const char *const tok_names[KT_TOK_KINDS] = {
    "KT_TOK_NUMBER", "KT_TOK_SYMBOL", "KT_TOK_ADD", "KT_TOK_SUB", "KT_TOK_MUL",    "KT_TOK_DIV",
    "KT_TOK_MOD",    "KT_TOK_POW",    "KT_TOK_MAX", "KT_TOK_MIN", "KT_TOK_CEILDIV"};

static void text(FILE *f, const char *s)
{
  if (s == NULL)
    fputs("NULL", f);
  else
    fprintf(f, "\"%s\"", s);
}

/* An expression as a compound literal: static storage at file scope. */
static void expr(FILE *f, const struct kt_expr *e)
{
  if (e->n == 0) {
    fputs("{ NULL, NULL, 0 }", f);
    return;
  }
  fprintf(f, "{ \"%s\", (const struct kt_tok[]){ ", e->text);
  for (size_t i = 0; i < e->n; i++)
    fprintf(f, "{ %s, %" PRId64 " }%s", tok_names[e->tok[i].kind], e->tok[i].value,
            i + 1 < e->n ? ", " : "");
  fprintf(f, " }, %zu }", e->n);
}

static void fields(FILE *f, const char *name, const struct kt_field *t, size_t n)
{
  fprintf(f, "static const struct kt_field %s[] = {\n", name);
  for (size_t i = 0; i < n; i++)
    fprintf(f, "  { \"%s\", \"%s\", %u, %u, %u, %d },\n", t[i].name, t[i].role, t[i].lsb, t[i].bits,
            t[i].max, t[i].target);
  fputs("};\n\n", f);
}

static void units(const struct kt_isa *isa, FILE *f)
{
  static const char *const roles[] = {"KT_PORT_CONTROL", "KT_PORT_MEMORY", "KT_PORT_COMPUTE",
                                      "KT_PORT_STREAM"};

  fputs("static const struct kt_unit units[] = {\n", f);
  for (size_t i = 0; i < isa->n_units; i++) {
    const struct kt_unit *u = &isa->unit[i];
    fprintf(f, "  { \"%s\", %d, %u, %s, {\n", u->name, u->fed_by, u->ii,
            u->elastic ? "true" : "false");
    for (size_t p = 0; p < u->n_ports; p++)
      fprintf(f, "    { \"%s\", %s, %u },\n", u->port[p].name, roles[u->port[p].role],
              u->port[p].copies);
    fprintf(f, "  }, %zu },\n", u->n_ports);
  }
  fputs("};\n\n", f);
}

static void memories(const struct kt_isa *isa, FILE *f)
{
  static const char *const host[] = {"KT_HOST_NONE", "KT_HOST_WRITES", "KT_HOST_READS"};

  fputs("static const struct kt_memory memories[] = {\n", f);
  for (size_t i = 0; i < isa->n_memories; i++) {
    const struct kt_memory *m = &isa->memory[i];
    fprintf(f, "  { \"%s\", ", m->name);
    text(f, m->port);
    fprintf(f, ", %d, %d,\n    ", m->code, m->owner);
    expr(f, &m->depth);
    fputs(",\n    ", f);
    expr(f, &m->row_bits);
    fputs(",\n    ", f);
    expr(f, &m->rows);
    fprintf(f, ", %s },\n", host[m->host]);
  }
  fputs("};\n\n", f);
}

static void operand(FILE *f, const struct kt_operand *o)
{
  static const char *const kinds[] = {"KT_OPERAND_SELECT", "KT_OPERAND_BELOW", "KT_OPERAND_ROW"};

  fprintf(f, "    { \"%s\", \"%s\", %u, %s, { ", o->name, o->role, o->field, kinds[o->kind]);
  for (size_t i = 0; i < o->n_legal; i++) fprintf(f, "%u, ", o->legal[i]);
  fprintf(f, "%s}, %zu, ", o->n_legal == 0 ? "0 " : "", o->n_legal);
  expr(f, &o->limit);
  fprintf(f, ", %u },\n", o->fault);
}

static void opcodes(const struct kt_isa *isa, FILE *f)
{
  static const char *const uses[] = {"KT_NR_NONE", "KT_NR_ROWS", "KT_NR_TRIP"};

  fputs("static const struct kt_opcode opcodes[] = {\n", f);
  for (size_t i = 0; i < isa->n_opcodes; i++) {
    const struct kt_opcode *op = &isa->opcode[i];
    fprintf(f, "  { \"%s\", \"%s\", %u, %s, %s, {\n", op->name, op->does, op->value, uses[op->nr],
            op->retired ? "true" : "false");
    for (size_t o = 0; o < op->n_operands; o++) operand(f, &op->operand[o]);
    if (op->n_operands == 0)
      fputs("    { NULL, NULL, 0, KT_OPERAND_ROW, { 0 }, 0, { NULL, NULL, 0 }, 0 },\n", f);
    fprintf(f, "  }, %zu },\n", op->n_operands);
  }
  fputs("};\n\n", f);
}

static void actions(const struct kt_isa *isa, FILE *f)
{
  static const char *const kinds[] = {"KT_ACTION_READ", "KT_ACTION_WRITE", "KT_ACTION_COMPUTE",
                                      "KT_ACTION_EMIT", "KT_ACTION_RECEIVE"};

  fputs("static const struct kt_action actions[] = {\n", f);
  for (size_t i = 0; i < isa->n_actions; i++) {
    const struct kt_action *a = &isa->action[i];
    fprintf(f, "  { %u, %u, %u, %s, %d, ", a->opcode, a->unit, a->port, kinds[a->kind], a->memory);
    text(f, a->state);
    fprintf(f, ", %d, { %u, %u, %u }, { %u, 0x%Xu, %u, ", a->base, a->items.fixed, a->items.t,
            a->items.nr, a->cond.field, a->cond.mask, a->cond.value);
    text(f, a->cond.text);
    fputs(" }, ", f);
    text(f, a->purpose);
    fputs(" },\n", f);
  }
  fputs("};\n\n", f);
}

static void slots(const struct kt_isa *isa, FILE *f)
{
  static const char *const kinds[] = {"KT_SLOT_STATIC", "KT_SLOT_STEPS", "KT_SLOT_ITEMS",
                                      "KT_SLOT_SPAN"};

  fputs("static const struct kt_slot slots[] = {\n", f);
  for (size_t i = 0; i < isa->n_slots; i++) {
    const struct kt_slot *s = &isa->slot[i];
    fprintf(f, "  { \"%s\", %u, %u, %u, %s, %d, %d, %d, %d },\n", s->name, s->word, s->lsb, s->bits,
            kinds[s->kind], s->unit, s->port, s->memory, s->consumer);
  }
  fputs("};\n\n", f);
}

static void faults(const struct kt_isa *isa, FILE *f)
{
  fputs("static const struct kt_fault_def faults[] = {\n", f);
  for (size_t i = 0; i < isa->n_faults; i++) {
    const struct kt_fault_def *d = &isa->fault[i];
    fprintf(f, "  { \"%s\", \"%s\", \"%s\", \"%s\", %u },\n", d->name, d->found, d->sub, d->arg,
            d->code);
  }
  fputs("};\n\n", f);
}

static void params(struct kg *g, FILE *f)
{
  const struct kt_isa *isa = &g->isa;

  fputs("static const struct kt_param_def params[] = {\n", f);
  for (size_t i = 0; i < isa->n_params; i++) {
    const struct kt_param_def *p = &isa->param[i];
    char *member = kg_strdup(g, p->name);
    for (char *c = member; *c != '\0'; c++)
      if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
    fprintf(f, "  { \"%s\", ", p->name);
    text(f, p->alias);
    fprintf(f, ", \"%s\",\n    offsetof(struct kt_params, %s), ", p->role, member);
    expr(f, &p->def);
    fprintf(f, ",\n    %" PRId64 ", %" PRId64 ", { ", p->min, p->max);
    for (size_t v = 0; v < p->n_values; v++) fprintf(f, "%" PRId64 ", ", p->values[v]);
    fprintf(f, "%s}, %zu },\n", p->n_values == 0 ? "0 " : "", p->n_values);
  }
  fputs("};\n\n", f);
}

static void symbols(FILE *f, const char *name, const struct kt_symbol *s, size_t n)
{
  fprintf(f, "static const struct kt_symbol %s[] = {\n", name);
  for (size_t i = 0; i < n; i++) {
    fprintf(f, "  { \"%s\", \"%s\", %u, ", s[i].name, s[i].role, s[i].index);
    expr(f, &s[i].value);
    fputs(" },\n", f);
  }
  fputs("};\n\n", f);
}

static void two_sided(FILE *f, const struct kt_expr *left, const struct kt_expr *right)
{
  fputs("    ", f);
  expr(f, left);
  fputs(",\n    ", f);
  expr(f, right);
}

static void constraints(const struct kt_isa *isa, FILE *f)
{
  static const char *const cmp[] = {"KT_CMP_LE", "KT_CMP_GE", "KT_CMP_EQ"};

  fputs("static const struct kt_constraint constraints[] = {\n", f);
  for (size_t i = 0; i < isa->n_constraints; i++) {
    const struct kt_constraint *c = &isa->constraint[i];
    fprintf(f, "  { \"%s\", \"%s\",\n", c->name, c->why);
    two_sided(f, &c->left, &c->right);
    fprintf(f, ", %s },\n", cmp[c->op]);
  }
  fputs("};\n\n", f);
}

static void gemm(const struct kt_isa *isa, FILE *f)
{
  fputs("static const struct kt_limit limits[] = {\n", f);
  for (size_t i = 0; i < isa->n_limits; i++) {
    fprintf(f, "  { \"%s\", \"%s\",\n", isa->limit[i].name, isa->limit[i].what);
    two_sided(f, &isa->limit[i].left, &isa->limit[i].right);
    fprintf(f, ", %d },\n", isa->limit[i].alternative_to);
  }
  fputs("};\n\nstatic const struct kt_gemm_issue gemm[] = {\n", f);
  for (size_t i = 0; i < isa->n_gemm; i++) {
    const struct kt_gemm_issue *g = &isa->gemm[i];
    fprintf(f, "  { %u, { %u, %u, %u, %u },\n", g->opcode, g->field[0], g->field[1], g->field[2],
            g->field[3]);
    two_sided(f, &g->times, &g->nr);
    fprintf(f, ", \"%s\" },\n", g->what);
  }
  fputs("};\n\nstatic const struct kt_ceiling ceilings[] = {\n", f);
  for (size_t i = 0; i < isa->n_ceilings; i++) {
    const struct kt_ceiling *c = &isa->ceiling[i];
    fprintf(f, "  { \"%s\", \"%s\", \"%s\",\n", c->name, c->question, c->refused_by);
    two_sided(f, &c->left, &c->right);
    fprintf(f, ", %d },\n", c->slot);
  }
  fputs("};\n\n", f);
}

static void table_of_tables(const struct kt_isa *isa, FILE *f)
{
  fprintf(f, "const struct kt_isa kt_isa = {\n  %u, %u, %u, %u, %u, %u, %u, %u, %u, %u,\n",
          isa->version, isa->spare_bits, isa->n_terms, isa->term_bits, isa->header_words,
          isa->count_max, isa->field_max, isa->nr_max, isa->ar_raw_dist, isa->loop_depth);
  fprintf(f,
          "  word0, term, %zu, %zu,\n  units, %zu,\n  memories, %zu,\n  opcodes, %zu,\n  actions, "
          "%zu,\n  slots, %zu,\n",
          isa->n_word0, isa->n_term, isa->n_units, isa->n_memories, isa->n_opcodes, isa->n_actions,
          isa->n_slots);
  fprintf(f, "  params, %zu,\n  %zu,\n  constants, %zu,\n  shape, %zu,\n  %u, %u, %u, %u, %u,\n",
          isa->n_params, isa->n_symbols, isa->n_constants, isa->n_shape, isa->sym_m, isa->sym_k,
          isa->sym_n, isa->sym_t, isa->sym_maxdim);
  fprintf(
      f,
      "  constraints, %zu,\n  limits, %zu,\n  gemm, %zu,\n  ceilings, %zu,\n  faults, %zu,\n};\n",
      isa->n_constraints, isa->n_limits, isa->n_gemm, isa->n_ceilings, isa->n_faults);
}

void kg_emit_tables(struct kg *g, FILE *f)
{
  const struct kt_isa *isa = &g->isa;

  fputs("/* Generated from spec/tinytpu.json by kt-gen: do not edit. */\n"
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* The instruction set as tables: assembler and disassembler, derived facts and parameter "
        "checks read these. */\n"
        "#include \"spec/kt_isa.h\"\n#include \"spec/kt_params.h\"\n\n",
        f);
  fields(f, "word0", isa->word0, isa->n_word0);
  fields(f, "term", isa->term, isa->n_term);
  units(isa, f);
  memories(isa, f);
  opcodes(isa, f);
  actions(isa, f);
  slots(isa, f);
  params(g, f);
  symbols(f, "constants", isa->constant, isa->n_constants);
  symbols(f, "shape", isa->shape, isa->n_shape);
  constraints(isa, f);
  gemm(isa, f);
  faults(isa, f);
  table_of_tables(isa, f);
}

void kg_emit_configs(struct kg *g, FILE *f)
{
  fputs("/* Generated from spec/configs by kt-gen: do not edit. */\n"
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* The built-in configs: what each gives; parameters not named take their defaults. */\n"
        "#include \"spec/kt_config.h\"\n\n",
        f);
  for (size_t i = 0; i < g->n_configs; i++) {
    fprintf(f, "static const struct kt_setting settings_%zu[] = {\n", i);
    for (size_t p = 0; p < g->isa.n_params; p++)
      if (g->config[i].given[p])
        fprintf(f, "  { \"%s\", %" PRId64 " },\n", g->isa.param[p].name, g->config[i].value[p]);
    fputs("  { NULL, 0 },\n};\n\n", f);
  }
  fputs("const struct kt_config kt_configs[] = {\n", f);
  for (size_t i = 0; i < g->n_configs; i++)
    fprintf(f, "  { \"%s\", \"%s\", settings_%zu },\n", g->config[i].name, g->config[i].role, i);
  fputs("  { NULL, NULL, NULL },\n};\n", f);
}
