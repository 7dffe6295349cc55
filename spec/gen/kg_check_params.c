/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of parameters with their defaults and configs, of the GEMM's counts against the ceilings,
 * of numerics. */
#include <inttypes.h>
#include <string.h>

#include "spec/gen/kg.h"
#include "spec/kt_derive.h"

bool kg_env(struct kg *g, const struct kg_config *config, int64_t env[KG_MAX_SYMBOLS])
{
  memset(env, 0, KG_MAX_SYMBOLS * sizeof env[0]);
  for (size_t i = 0; i < g->isa.n_params; i++) {
    kt_env_constants(&g->isa, env);
    if (config != NULL && config->given[i])
      env[i] = config->value[i];
    else if (!kt_expr_eval(&g->isa.param[i].def, env, &env[i]))
      return false;
  }
  return kt_env_constants(&g->isa, env);
}

static void legal(struct kg *g, const char *where, const int64_t *env)
{
  for (size_t i = 0; i < g->isa.n_params; i++) {
    const struct kt_param_def *p = &g->isa.param[i];
    bool listed = p->n_values == 0;
    for (size_t v = 0; v < p->n_values; v++) listed = listed || p->values[v] == env[i];
    if (!listed || env[i] < p->min || env[i] > p->max)
      kg_fail(g, where, "%s = %" PRId64 " is not legal", p->name, env[i]);
  }
  for (size_t i = 0; i < g->isa.n_constraints; i++) {
    const struct kt_constraint *c = &g->isa.constraint[i];
    int64_t left, right;
    if (!kt_expr_eval(&c->left, env, &left) || !kt_expr_eval(&c->right, env, &right))
      kg_fail(g, where, "constraint %s cannot be computed", c->name);
    else if (!kt_cmp_holds(left, c->op, right))
      kg_fail(g, where, "constraint %s is broken: %" PRId64 " %s %" PRId64, c->name, left,
              kt_cmp_text(c->op), right);
  }
}

static void builds(struct kg *g)
{
  int64_t env[KG_MAX_SYMBOLS];

  if (!kg_env(g, NULL, env))
    kg_fail(g, "parameters", "a default cannot be computed");
  else
    legal(g, "defaults", env);
  for (size_t i = 0; i < g->n_configs; i++) {
    g->file = kg_text(g, "spec/configs/%s.json", g->config[i].name);
    if (!kg_env(g, &g->config[i], env))
      kg_fail(g, "parameters", "a default cannot be computed");
    else
      legal(g, "parameters", env);
  }
  g->file = "spec/tinytpu.json";
}

/* Parameters are unique as symbols are; aliases, constraints and limits are held to it here. */
static void names(struct kg *g)
{
  for (size_t i = 0; i < g->isa.n_params; i++)
    for (size_t k = 0; k < g->isa.n_params; k++)
      if (g->isa.param[i].alias != NULL &&
          (strcmp(g->isa.param[i].alias, g->isa.param[k].name) == 0 ||
           (k < i && g->isa.param[k].alias != NULL &&
            strcmp(g->isa.param[i].alias, g->isa.param[k].alias) == 0)))
        kg_fail(g, g->isa.param[i].name, "alias %s is taken", g->isa.param[i].alias);
  for (size_t i = 0; i < g->isa.n_constraints; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(g->isa.constraint[i].name, g->isa.constraint[k].name) == 0)
        kg_fail(g, g->isa.constraint[i].name, "constraint is defined twice");
  for (size_t i = 0; i < g->isa.n_limits; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(g->isa.limit[i].name, g->isa.limit[k].name) == 0)
        kg_fail(g, g->isa.limit[i].name, "limit is defined twice");
}

/* A ceiling that restates a header count must agree with the count that the GEMM's actions make. */
static void ceiling_agrees(struct kg *g, const struct kt_ceiling *c, uint32_t t, uint32_t maxdim)
{
  uint64_t *slot = kg_alloc(g, g->isa.n_slots, sizeof *slot);
  int64_t env[KG_MAX_SYMBOLS], left;

  if (!kg_env(g, NULL, env)) return;
  env[g->isa.sym_t] = t;
  env[g->isa.sym_maxdim] = maxdim;
  if (!kt_env_constants(&g->isa, env) || !kt_env_shape(&g->isa, env, maxdim, maxdim, maxdim) ||
      !kt_expr_eval(&c->left, env, &left) || !kt_gemm_counts(&g->isa, env, slot))
    kg_fail(g, c->name, "cannot be computed at T=%u MAXDIM=%u", t, maxdim);
  else if ((uint64_t)left != slot[c->slot])
    kg_fail(g, c->name, "says %" PRId64 " at T=%u MAXDIM=%u, the actions make %" PRIu64, left, t,
            maxdim, slot[c->slot]);
}

static void ceilings(struct kg *g)
{
  for (size_t i = 0; i < g->isa.n_ceilings; i++) {
    const struct kt_ceiling *c = &g->isa.ceiling[i];
    if (c->slot >= 0)
      for (uint32_t t = 4; t <= 16; t *= 2)
        for (uint32_t n = 1; n <= 4 && g->n_errors == 0; n++) ceiling_agrees(g, c, t, n * n * t);
    if (kt_ceiling_maxdim(&g->isa, (uint32_t)i, 4) == 0)
      kg_fail(g, c->name, "allows no MAXDIM at T=4");
  }
}

static bool one_of(const char *s, const char *a, const char *b)
{
  return strcmp(s, a) == 0 || strcmp(s, b) == 0;
}

static void row_bits(struct kg *g, const char *memory, uint32_t lane_bits)
{
  int m = kg_find_memory(g, memory);
  int64_t env[KG_MAX_SYMBOLS], bits;

  if (m < 0 || !kg_env(g, NULL, env) || !kt_expr_eval(&g->isa.memory[m].row_bits, env, &bits))
    return;
  if (bits != (int64_t)lane_bits * env[g->isa.sym_t])
    kg_fail(g, memory, "row width and numerics do not agree");
}

static void numerics(struct kg *g)
{
  const struct kg_numerics *n = &g->num;

  if (!n->operand_signed || !n->acc_signed)
    kg_fail(g, "numerics", "operands and accumulators are signed");
  if (n->product_bits != 2 * n->operand_bits)
    kg_fail(g, "numerics", "an exact product has twice the operand's bits");
  if (n->acc_bits < n->product_bits)
    kg_fail(g, "numerics", "an accumulator holds at least a product");
  if (!one_of(n->accumulate_overflow, "wrap", "saturate") ||
      !one_of(n->vadd_overflow, "wrap", "saturate") ||
      !one_of(n->output_overflow, "wrap", "saturate"))
    kg_fail(g, "numerics", "overflow must be \"wrap\" or \"saturate\"");
  if (strcmp(n->vadd_overflow, n->accumulate_overflow) != 0)
    kg_fail(g, "numerics", "ar has one overflow rule");
  if (!one_of(n->output_rounding, "none", "nearest even") ||
      !one_of(n->shift_rounding, "none", "nearest even"))
    kg_fail(g, "numerics", "rounding must be \"none\" or \"nearest even\"");
  row_bits(g, "spad", n->operand_bits);
  row_bits(g, "vr", n->operand_bits);
  row_bits(g, "ar", n->acc_bits);
}

void kg_check_params(struct kg *g)
{
  names(g);
  builds(g);
  if (g->n_errors == 0) ceilings(g);
  numerics(g);
}
