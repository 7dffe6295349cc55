/* SPDX-License-Identifier: Apache-2.0 */
/* Reads registers, descriptor, faults with their check order, and numerics. */
#include <string.h>

#include "spec/gen/kg.h"

static struct kg_bits *bit_fields(struct kg *g, const cJSON *list, const char *where, size_t n,
                                  const char *keys)
{
  struct kg_bits *bits = kg_alloc(g, n, sizeof *bits), *b = bits;
  const cJSON *item;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, where, keys);
    b->name = kg_str(g, item, where, "name");
    b->lsb = kg_uint(g, item, where, "lsb", 31);
    b->bits = kg_uint(g, item, where, "bits", 32);
    b->role = kg_str_or_null(g, item, where, "role");
    b++;
  }
  return bits;
}

struct kg_reg *kg_load_registers(struct kg *g, const cJSON *root, size_t *n)
{
  const cJSON *list = kg_array(g, root, "top level", "registers", 64, n), *item;
  struct kg_reg *reg = kg_alloc(g, *n, sizeof *reg), *r = reg;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "registers", "name offset count access role ?reset ?fields");
    r->name = kg_str(g, item, "registers", "name");
    r->offset = kg_hex(g, item, r->name, "offset");
    r->count = kg_uint(g, item, r->name, "count", 1024);
    r->access = kg_str(g, item, r->name, "access");
    r->role = kg_str(g, item, r->name, "role");
    r->has_reset = cJSON_HasObjectItem(item, "reset");
    if (r->has_reset) r->reset = kg_uint(g, item, r->name, "reset", UINT32_MAX);
    if (cJSON_HasObjectItem(item, "fields")) {
      const cJSON *fields = kg_array(g, item, r->name, "fields", 32, &r->n_fields);
      r->field = bit_fields(g, fields, r->name, r->n_fields, "name lsb bits");
    }
    r++;
  }
  return reg;
}

struct kg_named *kg_load_named(struct kg *g, const cJSON *list, const char *where,
                               const char *value_key, size_t n)
{
  struct kg_named *table = kg_alloc(g, n, sizeof *table), *t = table;
  const cJSON *item;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, where, kg_text(g, "name %s role", value_key));
    t->name = kg_str(g, item, where, "name");
    t->value = kg_uint(g, item, where, value_key, 255);
    t->role = kg_str(g, item, where, "role");
    t++;
  }
  return table;
}

static void descriptor(struct kg *g, const cJSON *root)
{
  const cJSON *d = kg_obj(g, root, "top level", "descriptor"), *list;

  kg_keys(g, d, "descriptor", "bytes words flags forms stride_max");
  g->desc_bytes = kg_uint(g, d, "descriptor", "bytes", 4096);
  g->stride_max = kg_uint(g, d, "descriptor", "stride_max", INT32_MAX);
  list = kg_array(g, d, "descriptor", "words", 64, &g->n_desc_words);
  g->desc_word = kg_load_named(g, list, "descriptor.words", "word", g->n_desc_words);
  list = kg_array(g, d, "descriptor", "flags", 32, &g->n_flags);
  g->flag = bit_fields(g, list, "descriptor.flags", g->n_flags, "name lsb bits role");
  list = kg_array(g, d, "descriptor", "forms", 8, &g->n_forms);
  g->form = kg_load_named(g, list, "descriptor.forms", "value", g->n_forms);
}

static void faults(struct kg *g, const cJSON *root)
{
  size_t n;
  const cJSON *list = kg_array(g, root, "top level", "faults", 64, &n), *item;
  struct kt_fault_def *fault = kg_alloc(g, n, sizeof *fault), *f = fault;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "faults", "name code found sub arg");
    f->name = kg_str(g, item, "faults", "name");
    f->code = kg_uint(g, item, f->name, "code", 255);
    f->found = kg_str(g, item, f->name, "found");
    f->sub = kg_str(g, item, f->name, "sub");
    f->arg = kg_str(g, item, f->name, "arg");
    f++;
  }
  g->isa.fault = fault;
  g->isa.n_faults = n;
}

static int need_fault(struct kg *g, const char *where, const char *name)
{
  int f = name == NULL ? -1 : kg_find_fault(g, name);

  if (f < 0) kg_fail(g, where, "unknown fault \"%s\"", name == NULL ? "" : name);
  return f < 0 ? 0 : f;
}

static int *fault_list(struct kg *g, const cJSON *obj, const char *key, size_t *n)
{
  const cJSON *list = kg_array(g, obj, "check_order", key, 64, n), *item;
  int *order = kg_alloc(g, *n, sizeof *order), *o = order;

  cJSON_ArrayForEach(item, list) *o++ =
      need_fault(g, key, cJSON_IsString(item) ? item->valuestring : NULL);
  return order;
}

static void check_order(struct kg *g, const cJSON *root)
{
  const cJSON *obj = kg_obj(g, root, "top level", "check_order"), *item;

  kg_keys(g, obj, "check_order", "instruction end descriptor");
  g->instr_order = fault_list(g, obj, "instruction", &g->n_instr_order);
  g->end_order = fault_list(g, obj, "end", &g->n_end_order);
  const cJSON *list = kg_array(g, obj, "check_order", "descriptor", 64, &g->n_desc_order);
  struct kg_desc_check *c = g->desc_order = kg_alloc(g, g->n_desc_order, sizeof *c);
  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "check_order.descriptor", "fault word");
    const char *word = kg_str_or_null(g, item, "check_order.descriptor", "word");
    c->fault =
        need_fault(g, "check_order.descriptor", kg_str(g, item, "check_order.descriptor", "fault"));
    c->word = word == NULL ? -1 : kg_find_desc_word(g, word);
    if (word != NULL && c->word < 0)
      kg_fail(g, "check_order.descriptor", "unknown word \"%s\"", word);
    c++;
  }
}

static void number_format(struct kg *g, const cJSON *num, const char *key, uint32_t *bits,
                          bool *is_signed)
{
  const cJSON *f = kg_obj(g, num, "numerics", key);

  kg_keys(g, f, key, "bits signed");
  *bits = kg_uint(g, f, key, "bits", 64);
  *is_signed = kg_bool(g, f, key, "signed");
}

static void numerics(struct kg *g, const cJSON *root)
{
  const cJSON *num = kg_obj(g, root, "top level", "numerics"), *stage;

  kg_keys(g, num, "numerics", "operand accumulator product_bits accumulate output vadd vrelu");
  number_format(g, num, "operand", &g->num.operand_bits, &g->num.operand_signed);
  number_format(g, num, "accumulator", &g->num.acc_bits, &g->num.acc_signed);
  g->num.product_bits = kg_uint(g, num, "numerics", "product_bits", 64);
  stage = kg_obj(g, num, "numerics", "accumulate");
  kg_keys(g, stage, "numerics.accumulate", "overflow order");
  g->num.accumulate_overflow = kg_str(g, stage, "numerics.accumulate", "overflow");
  g->num.accumulate_order = kg_str(g, stage, "numerics.accumulate", "order");
  stage = kg_obj(g, num, "numerics", "output");
  kg_keys(g, stage, "numerics.output", "overflow rounding shift_rounding shift_max");
  g->num.output_overflow = kg_str(g, stage, "numerics.output", "overflow");
  g->num.output_rounding = kg_str(g, stage, "numerics.output", "rounding");
  g->num.shift_rounding = kg_str(g, stage, "numerics.output", "shift_rounding");
  g->num.shift_max = kg_uint(g, stage, "numerics.output", "shift_max", 63);
  stage = kg_obj(g, num, "numerics", "vadd");
  kg_keys(g, stage, "numerics.vadd", "overflow");
  g->num.vadd_overflow = kg_str(g, stage, "numerics.vadd", "overflow");
  stage = kg_obj(g, num, "numerics", "vrelu");
  kg_keys(g, stage, "numerics.vrelu", "exact");
  g->num.relu_exact = kg_bool(g, stage, "numerics.vrelu", "exact");
}

static void states(struct kg *g, const cJSON *root)
{
  const cJSON *list = kg_array(g, root, "top level", "counter_states", 8, &g->n_states), *item;

  g->state = kg_alloc(g, g->n_states, sizeof *g->state);
  g->counter_stride = kg_uint(g, root, "top level", "counter_unit_stride", 4096);
  size_t i = 0;
  cJSON_ArrayForEach(item, list)
  {
    if (!cJSON_IsString(item)) kg_fail(g, "counter_states", "must be strings");
    g->state[i++] = kg_strdup(g, cJSON_IsString(item) ? item->valuestring : "");
  }
}

void kg_load_regs(struct kg *g, const cJSON *root)
{
  g->reg = kg_load_registers(g, root, &g->n_regs);
  states(g, root);
  descriptor(g, root);
  faults(g, root);
  if (g->n_errors == 0) check_order(g, root);
  numerics(g, root);
}
