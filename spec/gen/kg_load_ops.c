/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the opcodes: operands and actions. */
#include <string.h>

#include "spec/gen/kg.h"

static void legal_values(struct kg *g, const cJSON *item, struct kt_operand *o)
{
  size_t n;
  const cJSON *list = kg_array(g, item, o->name, "legal", KT_ISA_LEGAL, &n), *v;

  cJSON_ArrayForEach(v, list)
  {
    if (!cJSON_IsNumber(v) || v->valuedouble < 0 || v->valuedouble > g->isa.field_max)
      kg_fail(g, o->name, "legal values must be numbers of 0 to %u", g->isa.field_max);
    else
      o->legal[o->n_legal++] = (uint32_t)v->valuedouble;
  }
  if (n == 0) kg_fail(g, o->name, "has no legal value");
  for (size_t i = 1; i < o->n_legal; i++)
    if (o->legal[i] != o->legal[i - 1] + 1) kg_fail(g, o->name, "legal values must ascend by 1");
  if (o->n_legal > 0 && o->legal[0] != 0) kg_fail(g, o->name, "legal values must start at 0");
}

static void value_fault(struct kg *g, const cJSON *item, struct kt_operand *o)
{
  const char *name = kg_str(g, item, o->name, "fault");
  int fault = kg_find_fault(g, name);

  if (fault < 0)
    kg_fail(g, o->name, "unknown fault \"%s\"", name);
  else
    o->fault = g->isa.fault[fault].code;
}

static void operand(struct kg *g, const cJSON *item, struct kt_operand *o, const char *op)
{
  const char *kind = kg_str(g, item, op, "kind");

  o->name = kg_str(g, item, op, "name");
  o->role = kg_str(g, item, o->name, "role");
  o->field = kg_uint(g, item, o->name, "field", KT_ISA_FIELDS - 1);
  if (strcmp(kind, "select") == 0) {
    kg_keys(g, item, o->name, "name field kind legal fault role");
    o->kind = KT_OPERAND_SELECT;
    legal_values(g, item, o);
    value_fault(g, item, o);
  } else if (strcmp(kind, "below") == 0) {
    kg_keys(g, item, o->name, "name field kind limit fault role");
    o->kind = KT_OPERAND_BELOW;
    o->limit = kg_expr(g, o->name, kg_str(g, item, o->name, "limit"));
    value_fault(g, item, o);
  } else if (strcmp(kind, "row") == 0) {
    kg_keys(g, item, o->name, "name field kind role");
    o->kind = KT_OPERAND_ROW;
  } else {
    kg_fail(g, o->name, "unknown kind \"%s\"", kind);
  }
}

static void opcode(struct kg *g, const cJSON *item, struct kt_opcode *op)
{
  const cJSON *entry;

  kg_keys(g, item, "opcodes", "name value nr retired does operands actions");
  op->name = kg_str(g, item, "opcodes", "name");
  op->does = kg_str(g, item, op->name, "does");
  op->value = kg_uint(g, item, op->name, "value", 63);
  op->retired = kg_bool(g, item, op->name, "retired");
  const char *nr = kg_str(g, item, op->name, "nr");
  if (strcmp(nr, "rows") == 0)
    op->nr = KT_NR_ROWS;
  else if (strcmp(nr, "trip") == 0)
    op->nr = KT_NR_TRIP;
  else if (strcmp(nr, "none") == 0)
    op->nr = KT_NR_NONE;
  else
    kg_fail(g, op->name, "unknown use of nr \"%s\"", nr);
  const cJSON *list = kg_array(g, item, op->name, "operands", KT_ISA_FIELDS, &op->n_operands);
  struct kt_operand *o = op->operand;
  cJSON_ArrayForEach(entry, list) operand(g, entry, o++, op->name);
}

static enum kt_action_kind action_kind(struct kg *g, const char *where, const char *text)
{
  static const char *const names[] = {"read", "write", "compute", "emit", "receive"};

  for (int i = 0; i < 5; i++)
    if (strcmp(text, names[i]) == 0) return (enum kt_action_kind)i;
  kg_fail(g, where, "unknown kind of action \"%s\"", text);
  return KT_ACTION_COMPUTE;
}

static void access(struct kg *g, const cJSON *item, struct kt_action *a, const struct kt_opcode *op)
{
  const char *base = kg_str(g, item, op->name, "base");

  a->memory = kg_find_memory(g, a->state);
  a->base = kg_find_operand(op, base);
  if (a->memory < 0) kg_fail(g, op->name, "unknown memory \"%s\"", a->state);
  if (a->base < 0) kg_fail(g, op->name, "base \"%s\" is no operand", base);
}

static void action(struct kg *g, const cJSON *item, struct kt_action *a, size_t op_index)
{
  const struct kt_opcode *op = &g->isa.opcode[op_index];
  const char *unit = kg_str(g, item, op->name, "unit"), *port = kg_str(g, item, op->name, "port");
  int u = kg_find_unit(g, unit);

  a->opcode = (uint32_t)op_index;
  a->kind = action_kind(g, op->name, kg_str(g, item, op->name, "kind"));
  a->memory = a->base = -1;
  if (a->kind == KT_ACTION_READ || a->kind == KT_ACTION_WRITE) {
    kg_keys(g, item, op->name, "unit port kind state base items ?if ?purpose");
    a->state = kg_str(g, item, op->name, "state");
    access(g, item, a, op);
  } else if (a->kind == KT_ACTION_COMPUTE) {
    kg_keys(g, item, op->name, "unit port kind state items ?if");
    a->state = kg_str(g, item, op->name, "state");
  } else {
    kg_keys(g, item, op->name, "unit port kind items ?if");
  }
  if (u < 0) {
    kg_fail(g, op->name, "unknown unit \"%s\"", unit);
    return;
  }
  int p = kg_find_port(&g->isa.unit[u], port);
  if (p < 0) kg_fail(g, op->name, "unit %s has no port \"%s\"", unit, port);
  a->unit = (uint32_t)u;
  a->port = p < 0 ? 0 : (uint32_t)p;
  a->items = kg_linear(g, op->name, kg_str(g, item, op->name, "items"));
  a->cond = kg_cond(g, op->name, kg_str_or_null(g, item, op->name, "if"), op);
  a->purpose = kg_str_or_null(g, item, op->name, "purpose");
}

static void actions(struct kg *g, const cJSON *list)
{
  const cJSON *item, *entry;
  size_t total = 0, op = 0, n;

  cJSON_ArrayForEach(item, list)
  {
    kg_array(g, item, g->isa.opcode[op].name, "actions", 32, &n);
    total += n;
    op++;
  }
  struct kt_action *action_table = kg_alloc(g, total, sizeof *action_table), *a = action_table;
  op = 0;
  cJSON_ArrayForEach(item, list)
  {
    const cJSON *acts = kg_array(g, item, g->isa.opcode[op].name, "actions", 32, &n);
    cJSON_ArrayForEach(entry, acts) action(g, entry, a++, op);
    op++;
  }
  g->isa.action = action_table;
  g->isa.n_actions = total;
}

static void gemm_issue(struct kg *g, const cJSON *item, struct kt_gemm_issue *is)
{
  const cJSON *v;

  kg_keys(g, item, "gemm.issues", "op fields times nr what");
  const char *name = kg_str(g, item, "gemm.issues", "op");
  int op = kg_find_opcode(g, name);
  is->what = kg_str(g, item, "gemm.issues", "what");
  is->times = kg_expr(g, "gemm.issues", kg_str(g, item, "gemm.issues", "times"));
  is->nr = kg_expr(g, "gemm.issues", kg_str(g, item, "gemm.issues", "nr"));
  if (op < 0) {
    kg_fail(g, "gemm.issues", "unknown opcode \"%s\"", name);
    return;
  }
  is->opcode = (uint32_t)op;
  const cJSON *fields = kg_obj(g, item, "gemm.issues", "fields");
  cJSON_ArrayForEach(v, fields)
  {
    int o = kg_find_operand(&g->isa.opcode[op], v->string);
    if (o < 0)
      kg_fail(g, "gemm.issues", "%s has no operand \"%s\"", name, v->string);
    else
      is->field[g->isa.opcode[op].operand[o].field] =
          kg_uint(g, fields, name, v->string, g->isa.field_max);
  }
}

/* After faults (operands name them) and before anything that names an opcode. */
void kg_load_opcodes(struct kg *g, const cJSON *root)
{
  size_t n;
  const cJSON *list = kg_array(g, root, "top level", "opcodes", 32, &n), *item;
  struct kt_opcode *ops = kg_alloc(g, n, sizeof *ops), *op = ops;

  cJSON_ArrayForEach(item, list) opcode(g, item, op++);
  g->isa.opcode = ops;
  g->isa.n_opcodes = n;
  if (g->n_errors == 0) actions(g, list);

  const cJSON *gemm = kg_obj(g, root, "top level", "gemm");
  const cJSON *issues = kg_array(g, gemm, "gemm", "issues", 16, &n);
  struct kt_gemm_issue *issue = kg_alloc(g, n, sizeof *issue), *is = issue;
  cJSON_ArrayForEach(item, issues) gemm_issue(g, item, is++);
  g->isa.gemm = issue;
  g->isa.n_gemm = n;

  const cJSON *con = kg_obj(g, root, "top level", "contracts");
  const cJSON *copies = kg_array(g, con, "contracts", "copies", 8, &n);
  g->copies = kg_alloc(g, n, sizeof *g->copies);
  cJSON_ArrayForEach(item, copies)
  {
    int o = cJSON_IsString(item) ? kg_find_opcode(g, item->valuestring) : -1;
    if (o < 0) kg_fail(g, "contracts.copies", "must name opcodes");
    g->copies[g->n_copies++] = o;
  }
}
