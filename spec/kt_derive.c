/* SPDX-License-Identifier: Apache-2.0 */
/* Facts derived from the actions: costs, rewrites, spans, header counts. */
#include "spec/kt_derive.h"

bool kt_cond_holds(const struct kt_cond *c, const uint32_t field[KT_ISA_FIELDS])
{
  return (field[c->field] & c->mask) == c->value;
}

struct kt_cost kt_port_items(const struct kt_isa *isa, uint32_t opcode, uint32_t unit,
                             uint32_t port, const uint32_t field[KT_ISA_FIELDS], uint32_t t)
{
  struct kt_cost items = {0, 0};

  for (size_t i = 0; i < isa->n_actions; i++) {
    const struct kt_action *a = &isa->action[i];
    if (a->opcode != opcode || a->unit != unit || a->port != port ||
        !kt_cond_holds(&a->cond, field))
      continue;
    items.fixed += a->items.fixed + a->items.t * t;
    items.per_row += a->items.nr;
  }
  return items;
}

static uint32_t share(uint32_t items, uint32_t copies)
{
  return (items + copies - 1) / copies;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

struct kt_cost kt_unit_cost(const struct kt_isa *isa, uint32_t opcode, uint32_t unit,
                            const uint32_t field[KT_ISA_FIELDS], uint32_t t)
{
  const struct kt_unit *u = &isa->unit[unit];
  struct kt_cost cost = {0, 0};

  for (uint32_t p = 0; p < u->n_ports; p++) {
    struct kt_cost items = kt_port_items(isa, opcode, unit, p, field, t);
    cost.fixed = larger(cost.fixed, u->ii * share(items.fixed, u->port[p].copies));
    cost.per_row = larger(cost.per_row, u->ii * share(items.per_row, u->port[p].copies));
  }
  return cost;
}

uint32_t kt_opcode_units(const struct kt_isa *isa, uint32_t opcode)
{
  uint32_t units = 0;

  for (size_t i = 0; i < isa->n_actions; i++)
    if (isa->action[i].opcode == opcode) units |= UINT32_C(1) << isa->action[i].unit;
  return units;
}

bool kt_unit_dispatched(const struct kt_isa *isa, uint32_t unit)
{
  int from = isa->unit[unit].fed_by;

  return from >= 0 && isa->unit[from].fed_by < 0;
}

/* Conditions choose units and memories, never how much work a unit that takes part has: the first
   fields under which the unit takes part tell its cost. */
bool kt_rewrite(const struct kt_isa *isa, uint32_t opcode, uint32_t unit, uint32_t t,
                struct kt_cost *to)
{
  if (!kt_unit_dispatched(isa, unit)) return false;
  for (size_t i = 0; i < isa->n_actions; i++) {
    const struct kt_action *a = &isa->action[i];
    uint32_t field[KT_ISA_FIELDS] = {0};
    if (a->opcode != opcode || a->unit != unit) continue;
    field[a->cond.field] = a->cond.value;
    *to = kt_unit_cost(isa, opcode, unit, field, t);
    return to->fixed != 0 || to->per_row != 1;
  }
  return false;
}

bool kt_operand_span(const struct kt_isa *isa, uint32_t opcode, uint32_t operand,
                     const uint32_t field[KT_ISA_FIELDS], uint32_t t, uint32_t nr, uint32_t *memory,
                     uint32_t *rows)
{
  bool any = false;

  for (size_t i = 0; i < isa->n_actions; i++) {
    const struct kt_action *a = &isa->action[i];
    if (a->opcode != opcode || a->base != (int)operand || !kt_cond_holds(&a->cond, field)) continue;
    *memory = (uint32_t)a->memory;
    *rows = a->items.fixed + a->items.t * t + a->items.nr * nr;
    any = true;
  }
  return any;
}

static uint64_t span(const struct kt_isa *isa, const struct kt_slot *s, uint32_t opcode,
                     uint32_t nr, const uint32_t field[KT_ISA_FIELDS], uint32_t t)
{
  uint64_t end = 0;

  for (size_t i = 0; i < isa->n_actions; i++) {
    const struct kt_action *a = &isa->action[i];
    if (a->opcode != opcode || a->memory != s->memory || a->kind != KT_ACTION_READ ||
        !kt_cond_holds(&a->cond, field))
      continue;
    uint64_t base = field[isa->opcode[opcode].operand[a->base].field];
    uint64_t last = base + a->items.fixed + (uint64_t)a->items.t * t + (uint64_t)a->items.nr * nr;
    if (last > end) end = last;
  }
  return end;
}

void kt_slots_add(const struct kt_isa *isa, uint64_t *slot, uint32_t opcode, uint32_t nr,
                  const uint32_t field[KT_ISA_FIELDS], uint32_t t, uint64_t times)
{
  for (size_t i = 0; i < isa->n_slots; i++) {
    const struct kt_slot *s = &isa->slot[i];
    struct kt_cost c = {0, 0};
    if (s->kind == KT_SLOT_SPAN) {
      uint64_t end = times == 0 ? 0 : span(isa, s, opcode, nr, field, t);
      if (end > slot[i]) slot[i] = end;
      continue;
    }
    if (s->kind == KT_SLOT_STEPS) c = kt_unit_cost(isa, opcode, (uint32_t)s->unit, field, t);
    if (s->kind == KT_SLOT_ITEMS)
      c = kt_port_items(isa, opcode, (uint32_t)s->unit, (uint32_t)s->port, field, t);
    slot[i] += times * (c.fixed + (uint64_t)c.per_row * nr);
  }
}

bool kt_env_constants(const struct kt_isa *isa, int64_t *env)
{
  bool ok = true;

  for (size_t i = 0; i < isa->n_constants; i++)
    if (!kt_expr_eval(&isa->constant[i].value, env, &env[isa->constant[i].index])) ok = false;
  return ok;
}

bool kt_env_shape(const struct kt_isa *isa, int64_t *env, uint32_t m, uint32_t k, uint32_t n)
{
  bool ok = true;

  env[isa->sym_m] = m;
  env[isa->sym_k] = k;
  env[isa->sym_n] = n;
  for (size_t i = 0; i < isa->n_shape; i++)
    if (!kt_expr_eval(&isa->shape[i].value, env, &env[isa->shape[i].index])) ok = false;
  return ok;
}

uint32_t kt_ceiling_maxdim(const struct kt_isa *isa, uint32_t ceiling, uint32_t t)
{
  const struct kt_ceiling *c = &isa->ceiling[ceiling];
  int64_t env[64] = {0}, left, right;
  uint32_t best = 0;

  if (isa->n_symbols > sizeof env / sizeof env[0] || t == 0) return 0;
  for (uint32_t maxdim = t; maxdim <= 4096; maxdim += t) {
    env[isa->sym_t] = t;
    env[isa->sym_maxdim] = maxdim;
    if (!kt_env_constants(isa, env) || !kt_expr_eval(&c->left, env, &left) ||
        !kt_expr_eval(&c->right, env, &right))
      break;
    if (left > right) break;
    best = maxdim;
  }
  return best;
}

bool kt_gemm_counts(const struct kt_isa *isa, const int64_t *env, uint64_t *slot)
{
  int64_t times, nr;

  for (size_t i = 0; i < isa->n_slots; i++) slot[i] = 0;
  for (size_t i = 0; i < isa->n_gemm; i++) {
    const struct kt_gemm_issue *g = &isa->gemm[i];
    if (!kt_expr_eval(&g->times, env, &times) || !kt_expr_eval(&g->nr, env, &nr) || times < 0 ||
        nr < 0)
      return false;
    kt_slots_add(isa, slot, g->opcode, (uint32_t)nr, g->field, (uint32_t)env[isa->sym_t],
                 (uint64_t)times);
  }
  return true;
}
