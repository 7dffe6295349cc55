/* SPDX-License-Identifier: Apache-2.0 */
/* Reads parameters, constants, memories, header slots, constraints, GEMM limits and ceilings.
   Symbols are numbered here: parameters, facts of the encoding, constants, then M, K, N and what
   follows from them. */
#include <ctype.h>
#include <string.h>

#include "spec/gen/kg.h"

static uint32_t add_symbol(struct kg *g, const char *where, const char *name)
{
  for (size_t i = 0; i < g->isa.n_symbols; i++)
    if (strcmp(g->symbol[i], name) == 0) kg_fail(g, where, "\"%s\" is defined twice", name);
  if (g->isa.n_symbols == KG_MAX_SYMBOLS) {
    kg_fail(g, where, "more than %d symbols", KG_MAX_SYMBOLS);
    return 0;
  }
  g->symbol[g->isa.n_symbols] = name;
  return (uint32_t)g->isa.n_symbols++;
}

static void param_values(struct kg *g, const cJSON *item, struct kt_param_def *p)
{
  size_t n;

  if (cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(item, "values"))) return;
  const cJSON *list = kg_array(g, item, p->name, "values", KT_ISA_LEGAL, &n), *v;
  cJSON_ArrayForEach(v, list)
  {
    if (!cJSON_IsNumber(v) || v->valuedouble < (double)p->min || v->valuedouble > (double)p->max)
      kg_fail(g, p->name, "values must lie within min and max");
    else
      p->values[p->n_values++] = (int64_t)v->valuedouble;
  }
}

static void parameters(struct kg *g, const cJSON *root)
{
  size_t n;
  const cJSON *list = kg_array(g, root, "top level", "parameters", KG_MAX_PARAMS, &n), *item;
  struct kt_param_def *param = kg_alloc(g, n, sizeof *param), *p = param;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "parameters", "name alias default min max values role");
    p->name = kg_str(g, item, "parameters", "name");
    p->alias = kg_str_or_null(g, item, p->name, "alias");
    p->role = kg_str(g, item, p->name, "role");
    p->min = kg_uint(g, item, p->name, "min", INT32_MAX);
    p->max = kg_uint(g, item, p->name, "max", INT32_MAX);
    if (p->min > p->max) kg_fail(g, p->name, "min is above max");
    param_values(g, item, p);
    add_symbol(g, "parameters", p->name);
    p++;
  }
  g->isa.param = param;
  g->isa.n_params = n;
}

/* Facts of the encoding as symbols with a fixed value. */
static struct kt_symbol *fixed_fact(struct kg *g, struct kt_symbol *s, const char *name,
                                    const char *role, uint32_t value)
{
  s->name = name;
  s->role = role;
  s->index = add_symbol(g, "encoding", name);
  s->value = kg_expr(g, name, kg_text(g, "%u", value));
  return s + 1;
}

static void constants(struct kg *g, const cJSON *root)
{
  size_t n;
  const cJSON *list = kg_array(g, root, "top level", "constants", 16, &n), *item;
  struct kt_symbol *symbol = kg_alloc(g, n + 6, sizeof *symbol), *s = symbol;

  s = fixed_fact(g, s, "NHDR", "header words", g->isa.header_words);
  s = fixed_fact(g, s, "IWORDS", "words an instruction", g->iwords);
  s = fixed_fact(g, s, "FIELD_MAX", "largest resolved field", g->isa.field_max);
  s = fixed_fact(g, s, "NR_MAX", "largest nr", g->isa.nr_max);
  s = fixed_fact(g, s, "COUNT_MAX", "largest header count", g->isa.count_max);
  s = fixed_fact(g, s, "AR_RAW_DIST", "accumulator read-after-write distance in steps",
                 g->isa.ar_raw_dist);
  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "constants", "name value role");
    s->name = kg_str(g, item, "constants", "name");
    s->role = kg_str(g, item, s->name, "role");
    s->value = kg_expr(g, s->name, kg_str(g, item, s->name, "value"));
    s->index = add_symbol(g, "constants", s->name);
    s++;
  }
  g->isa.constant = symbol;
  g->isa.n_constants = (size_t)(s - symbol);
}

/* Defaults may name constants, so they are read after them. A default may not depend on its own
 * parameter. */
static void defaults(struct kg *g, const cJSON *root)
{
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "parameters"), *item;
  struct kt_param_def *p = kg_alloc(g, g->isa.n_params, sizeof *p);

  memcpy(p, g->isa.param, g->isa.n_params * sizeof *p);
  g->isa.param = p;
  cJSON_ArrayForEach(item, list)
  {
    p->def = kg_expr(g, p->name, kg_str(g, item, p->name, "default"));
    p++;
  }
}

static void memories(struct kg *g, const cJSON *root)
{
  size_t n;
  const cJSON *list = kg_array(g, root, "top level", "memories", 16, &n), *item;
  struct kt_memory *memory = kg_alloc(g, n, sizeof *memory), *m = memory;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "memories", "name code owner port depth row_bits rows host");
    m->name = kg_str(g, item, "memories", "name");
    m->code = kg_uint_or_null(g, item, m->name, "code", 255);
    const char *owner = kg_str(g, item, m->name, "owner"),
               *host = kg_str_or_null(g, item, m->name, "host");
    m->owner = kg_find_unit(g, owner);
    if (m->owner < 0) kg_fail(g, m->name, "unknown owner \"%s\"", owner);
    m->port = kg_str_or_null(g, item, m->name, "port");
    m->depth = kg_expr(g, m->name, kg_str(g, item, m->name, "depth"));
    m->row_bits = kg_expr(g, m->name, kg_str(g, item, m->name, "row_bits"));
    m->rows = kg_expr(g, m->name, kg_str(g, item, m->name, "rows"));
    m->host = host == NULL                  ? KT_HOST_NONE
              : strcmp(host, "writes") == 0 ? KT_HOST_WRITES
                                            : KT_HOST_READS;
    if (m->host == KT_HOST_READS && strcmp(host, "reads") != 0)
      kg_fail(g, m->name, "unknown host access \"%s\"", host);
    m++;
  }
  g->isa.memory = memory;
  g->isa.n_memories = n;
}

static int need_unit(struct kg *g, const cJSON *item, const char *where, const char *key)
{
  const char *name = kg_str(g, item, where, key);
  int u = kg_find_unit(g, name);

  if (u < 0) kg_fail(g, where, "unknown unit \"%s\"", name);
  return u < 0 ? 0 : u;
}

static void slot_source(struct kg *g, const cJSON *item, struct kt_slot *s)
{
  const char *counts = kg_str(g, item, s->name, "counts");

  if (strcmp(counts, "static") == 0) {
    kg_keys(g, item, s->name, "name word lsb counts consumer");
    s->kind = KT_SLOT_STATIC;
  } else if (strcmp(counts, "steps") == 0) {
    kg_keys(g, item, s->name, "name word lsb counts unit consumer");
    s->kind = KT_SLOT_STEPS;
    s->unit = need_unit(g, item, s->name, "unit");
  } else if (strcmp(counts, "items") == 0) {
    kg_keys(g, item, s->name, "name word lsb counts unit port consumer");
    s->kind = KT_SLOT_ITEMS;
    s->unit = need_unit(g, item, s->name, "unit");
    s->port = kg_find_port(&g->isa.unit[s->unit], kg_str(g, item, s->name, "port"));
    if (s->port < 0) kg_fail(g, s->name, "unknown port");
  } else if (strcmp(counts, "span") == 0) {
    kg_keys(g, item, s->name, "name word lsb counts state consumer");
    s->kind = KT_SLOT_SPAN;
    s->memory = kg_find_memory(g, kg_str(g, item, s->name, "state"));
    if (s->memory < 0) kg_fail(g, s->name, "unknown memory");
  } else {
    kg_fail(g, s->name, "unknown way to count \"%s\"", counts);
  }
}

/* The header's size, which parameters may name. */
static void header_size(struct kg *g, const cJSON *hdr)
{
  kg_keys(g, hdr, "header", "words count_bits slots");
  g->isa.header_words = kg_uint(g, hdr, "header", "words", 64);
  uint32_t bits = kg_uint(g, hdr, "header", "count_bits", 31);
  g->isa.count_max = bits < 2 ? 0 : (UINT32_C(1) << (bits - g->isa.spare_bits)) - 1;
}

static void header_slots(struct kg *g, const cJSON *hdr)
{
  size_t n;
  uint32_t bits = kg_uint(g, hdr, "header", "count_bits", 31);
  const cJSON *item;
  const cJSON *list = kg_array(g, hdr, "header", "slots", 32, &n);
  struct kt_slot *slot = kg_alloc(g, n, sizeof *slot), *s = slot;
  cJSON_ArrayForEach(item, list)
  {
    s->name = kg_str(g, item, "header.slots", "name");
    s->unit = s->port = s->memory = -1;
    s->word = kg_uint(g, item, s->name, "word", 63);
    s->lsb = kg_uint(g, item, s->name, "lsb", 63);
    s->bits = bits;
    slot_source(g, item, s);
    s->consumer = need_unit(g, item, s->name, "consumer");
    s++;
  }
  g->isa.slot = slot;
  g->isa.n_slots = n;
}

static void constraints(struct kg *g, const cJSON *root)
{
  size_t n;
  const cJSON *list = kg_array(g, root, "top level", "constraints", 64, &n), *item;
  struct kt_constraint *con = kg_alloc(g, n, sizeof *con), *c = con;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "constraints", "name left op right why");
    c->name = kg_str(g, item, "constraints", "name");
    c->left = kg_expr(g, c->name, kg_str(g, item, c->name, "left"));
    c->right = kg_expr(g, c->name, kg_str(g, item, c->name, "right"));
    c->why = kg_str(g, item, c->name, "why");
    const char *op = kg_str(g, item, c->name, "op");
    if (strcmp(op, "<=") == 0)
      c->op = KT_CMP_LE;
    else if (strcmp(op, ">=") == 0)
      c->op = KT_CMP_GE;
    else if (strcmp(op, "==") == 0)
      c->op = KT_CMP_EQ;
    else
      kg_fail(g, c->name, "unknown comparison \"%s\"", op);
    c++;
  }
  g->isa.constraint = con;
  g->isa.n_constraints = n;
}

static void shape_symbols(struct kg *g, const cJSON *gemm)
{
  size_t n;

  g->isa.sym_m = add_symbol(g, "gemm", "M");
  g->isa.sym_k = add_symbol(g, "gemm", "K");
  g->isa.sym_n = add_symbol(g, "gemm", "N");
  const cJSON *list = kg_array(g, gemm, "gemm", "symbols", 8, &n), *item;
  struct kt_symbol *shape = kg_alloc(g, n, sizeof *shape), *s = shape;
  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "gemm.symbols", "name value");
    s->name = kg_str(g, item, "gemm.symbols", "name");
    s->role = "";
    s->value = kg_expr(g, s->name, kg_str(g, item, s->name, "value"));
    s->index = add_symbol(g, "gemm.symbols", s->name);
    s++;
  }
  g->isa.shape = shape;
  g->isa.n_shape = n;
}

static void limits(struct kg *g, const cJSON *gemm)
{
  size_t n;
  const cJSON *list = kg_array(g, gemm, "gemm", "limits", 32, &n), *item;
  struct kt_limit *limit = kg_alloc(g, n, sizeof *limit), *l = limit;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "gemm.limits", "name left right alternative_to what");
    l->name = kg_str(g, item, "gemm.limits", "name");
    l->left = kg_expr(g, l->name, kg_str(g, item, l->name, "left"));
    l->right = kg_expr(g, l->name, kg_str(g, item, l->name, "right"));
    l->what = kg_str(g, item, l->name, "what");
    const char *of = kg_str_or_null(g, item, l->name, "alternative_to");
    l->alternative_to = -1;
    for (int i = 0; of != NULL && i < (int)(l - limit); i++)
      if (strcmp(limit[i].name, of) == 0) l->alternative_to = i;
    if (of != NULL && l->alternative_to < 0)
      kg_fail(g, l->name, "alternative to unknown limit \"%s\"", of);
    l++;
  }
  g->isa.limit = limit;
  g->isa.n_limits = n;
}

static int find_slot(const struct kg *g, const char *name)
{
  for (size_t i = 0; i < g->isa.n_slots; i++)
    if (strcmp(g->isa.slot[i].name, name) == 0) return (int)i;
  return -1;
}

static void ceilings(struct kg *g, const cJSON *root)
{
  size_t n;
  const cJSON *list = kg_array(g, root, "top level", "ceilings", 8, &n), *item;
  struct kt_ceiling *ceiling = kg_alloc(g, n, sizeof *ceiling), *c = ceiling;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "ceilings", "name left right counts question refused_by");
    c->name = kg_str(g, item, "ceilings", "name");
    c->left = kg_expr(g, c->name, kg_str(g, item, c->name, "left"));
    c->right = kg_expr(g, c->name, kg_str(g, item, c->name, "right"));
    c->question = kg_str(g, item, c->name, "question");
    c->refused_by = kg_str(g, item, c->name, "refused_by");
    const char *counts = kg_str_or_null(g, item, c->name, "counts");
    c->slot = counts == NULL ? -1 : find_slot(g, counts);
    if (counts != NULL && c->slot < 0)
      kg_fail(g, c->name, "counts unknown header slot \"%s\"", counts);
    c++;
  }
  g->isa.ceiling = ceiling;
  g->isa.n_ceilings = n;
}

static void find_symbol(struct kg *g, const char *name, uint32_t *index)
{
  for (size_t i = 0; i < g->isa.n_symbols; i++)
    if (strcmp(g->symbol[i], name) == 0) {
      *index = (uint32_t)i;
      return;
    }
  kg_fail(g, "parameters", "\"%s\" is missing", name);
}

void kg_load_params(struct kg *g, const cJSON *root)
{
  const cJSON *con = kg_obj(g, root, "top level", "contracts");
  const cJSON *gemm = kg_obj(g, root, "top level", "gemm");
  const cJSON *hdr = kg_obj(g, root, "top level", "header");

  kg_keys(g, con, "contracts", "ar_raw_dist copies");
  kg_keys(g, gemm, "gemm", "symbols issues limits");
  g->isa.ar_raw_dist = kg_uint(g, con, "contracts", "ar_raw_dist", 64);
  header_size(g, hdr);
  parameters(g, root);
  constants(g, root);
  defaults(g, root);
  find_symbol(g, "T", &g->isa.sym_t);
  find_symbol(g, "MAXDIM", &g->isa.sym_maxdim);
  memories(g, root);
  header_slots(g, hdr);
  constraints(g, root);
  shape_symbols(g, gemm);
  limits(g, gemm);
  ceilings(g, root);
}
