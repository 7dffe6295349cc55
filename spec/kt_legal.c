/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an opcode's composition of actions is legal on its units. */
#include <string.h>

#include "spec/kt_derive.h"

struct judge {
  const struct kt_isa *isa;
  uint32_t opcode;
  struct kt_msg *m;
};

static const char *op_name(const struct judge *j)
{
  return j->isa->opcode[j->opcode].name;
}

static bool role_suits(const struct kt_action *a, enum kt_port_role role)
{
  switch (a->kind) {
  case KT_ACTION_READ:
  case KT_ACTION_WRITE:
    return role == KT_PORT_MEMORY;
  case KT_ACTION_COMPUTE:
    return role == KT_PORT_COMPUTE || role == KT_PORT_CONTROL;
  case KT_ACTION_EMIT:
    return role == KT_PORT_STREAM || role == KT_PORT_CONTROL;
  case KT_ACTION_RECEIVE:
    return role == KT_PORT_STREAM;
  }
  return false;
}

/* A memory is reached by its owner's port "<prefix>.read" or "<prefix>.write" alone. */
static bool memory_suits(const struct judge *j, const struct kt_action *a, const char *port)
{
  const struct kt_memory *m = &j->isa->memory[a->memory];
  const char *suffix = a->kind == KT_ACTION_READ ? ".read" : ".write";

  if (m->owner != (int)a->unit || m->port == NULL) return false;
  size_t n = strlen(m->port);
  return strncmp(port, m->port, n) == 0 && strcmp(port + n, suffix) == 0;
}

static enum kt_status action_legal(const struct judge *j, const struct kt_action *a)
{
  if (a->unit >= j->isa->n_units || a->port >= j->isa->unit[a->unit].n_ports) {
    kt_msg_set(j->m, "%s: an action names a port that does not exist", op_name(j));
    return KT_EINVAL;
  }
  const struct kt_unit *u = &j->isa->unit[a->unit];
  const struct kt_port *p = &u->port[a->port];
  bool access = a->kind == KT_ACTION_READ || a->kind == KT_ACTION_WRITE;
  if (!role_suits(a, p->role)) {
    kt_msg_set(j->m, "%s: port %s of %s cannot do that kind of action", op_name(j), p->name,
               u->name);
    return KT_EINVAL;
  }
  if (access && !memory_suits(j, a, p->name)) {
    kt_msg_set(j->m, "%s: %s is not reached by port %s of %s", op_name(j), a->state, p->name,
               u->name);
    return KT_EINVAL;
  }
  if (a->items.fixed == 0 && a->items.t == 0 && a->items.nr == 0) {
    kt_msg_set(j->m, "%s: port %s of %s moves no item", op_name(j), p->name, u->name);
    return KT_EINVAL;
  }
  return KT_OK;
}

static bool same_flow(const struct kt_action *a, const struct kt_action *b)
{
  return a->items.fixed == b->items.fixed && a->items.t == b->items.t &&
         a->items.nr == b->items.nr && a->cond.mask == b->cond.mask &&
         a->cond.value == b->cond.value && a->cond.field == b->cond.field;
}

/* Ends of the stream of action a in other units that agree with it. */
static unsigned other_ends(const struct judge *j, const struct kt_action *a, const char *port)
{
  enum kt_action_kind want = a->kind == KT_ACTION_EMIT ? KT_ACTION_RECEIVE : KT_ACTION_EMIT;
  unsigned n = 0;

  for (size_t i = 0; i < j->isa->n_actions; i++) {
    const struct kt_action *b = &j->isa->action[i];
    if (b->opcode != j->opcode || b->kind != want || b->unit == a->unit) continue;
    if (strcmp(j->isa->unit[b->unit].port[b->port].name, port) == 0 && same_flow(a, b)) n++;
  }
  return n;
}

static enum kt_status stream_legal(const struct judge *j, const struct kt_action *a)
{
  const struct kt_port *p = &j->isa->unit[a->unit].port[a->port];

  if (p->role != KT_PORT_STREAM || other_ends(j, a, p->name) == 1) return KT_OK;
  kt_msg_set(j->m, "%s: stream %s of %s has no other end with the same items and condition",
             op_name(j), p->name, j->isa->unit[a->unit].name);
  return KT_EINVAL;
}

/* Demand on the ports of one unit under one setting of the fields. An elastic unit spends steps on
   contention; an inelastic one runs a row a step and can wait for nothing. */
static enum kt_status unit_legal(const struct judge *j, uint32_t unit,
                                 const uint32_t field[KT_ISA_FIELDS])
{
  const struct kt_unit *u = &j->isa->unit[unit];
  bool fixed = false, rows = false;

  if (u->elastic) return KT_OK;
  for (uint32_t p = 0; p < u->n_ports; p++) {
    struct kt_cost items = kt_port_items(j->isa, j->opcode, unit, p, field, j->isa->ar_raw_dist);
    fixed = fixed || items.fixed > 0;
    rows = rows || items.per_row > 0;
    if (items.per_row > u->port[p].copies) {
      kt_msg_set(j->m, "%s: %s is inelastic and port %s is asked for %u items a row, it gives %u",
                 op_name(j), u->name, u->port[p].name, items.per_row, u->port[p].copies);
      return KT_EINVAL;
    }
  }
  if (fixed && rows) {
    kt_msg_set(j->m, "%s: %s is inelastic and has work before its first row", op_name(j), u->name);
    return KT_EINVAL;
  }
  return KT_OK;
}

/* Every unit that takes part is handed its instructions by one that takes part, or by the
   sequencer, whose dispatch port serves so many at once. */
static enum kt_status feeding_legal(const struct judge *j)
{
  uint32_t units = kt_opcode_units(j->isa, j->opcode), served = 0, can = 0;

  for (uint32_t u = 0; u < j->isa->n_units; u++) {
    const struct kt_unit *unit = &j->isa->unit[u];
    if (unit->fed_by < 0)
      for (size_t p = 0; p < unit->n_ports; p++)
        if (strcmp(unit->port[p].name, "dispatch") == 0) can = unit->port[p].copies;
    if ((units >> u & 1) == 0 || unit->fed_by < 0) continue;
    if (kt_unit_dispatched(j->isa, u)) {
      served++;
    } else if ((units >> unit->fed_by & 1) == 0) {
      kt_msg_set(j->m, "%s: %s gets no instruction, %s takes no part", op_name(j), unit->name,
                 j->isa->unit[unit->fed_by].name);
      return KT_EINVAL;
    }
  }
  if (served <= can) return KT_OK;
  kt_msg_set(j->m, "%s: %u units to dispatch to at once, the sequencer serves %u", op_name(j),
             served, can);
  return KT_EINVAL;
}

/* Calls unit_legal under every legal setting of the operands with listed values. */
static enum kt_status every_setting(const struct judge *j)
{
  const struct kt_opcode *op = &j->isa->opcode[j->opcode];
  uint32_t combinations = 1;

  for (size_t o = 0; o < op->n_operands; o++)
    if (op->operand[o].n_legal > 0) combinations *= (uint32_t)op->operand[o].n_legal;
  for (uint32_t c = 0; c < combinations; c++) {
    uint32_t field[KT_ISA_FIELDS] = {0}, rest = c;
    for (size_t o = 0; o < op->n_operands; o++) {
      if (op->operand[o].n_legal == 0) continue;
      field[op->operand[o].field] = op->operand[o].legal[rest % op->operand[o].n_legal];
      rest /= (uint32_t)op->operand[o].n_legal;
    }
    for (uint32_t u = 0; u < j->isa->n_units; u++) {
      enum kt_status st = unit_legal(j, u, field);
      if (st != KT_OK) return st;
    }
  }
  return KT_OK;
}

enum kt_status kt_opcode_legal(const struct kt_isa *isa, uint32_t opcode, struct kt_msg *m)
{
  struct judge j = {isa, opcode, m};

  for (size_t i = 0; i < isa->n_actions; i++) {
    if (isa->action[i].opcode != opcode) continue;
    enum kt_status st = action_legal(&j, &isa->action[i]);
    if (st != KT_OK) return st;
  }
  for (size_t i = 0; i < isa->n_actions; i++) {
    if (isa->action[i].opcode != opcode) continue;
    enum kt_status st = stream_legal(&j, &isa->action[i]);
    if (st != KT_OK) return st;
  }
  enum kt_status st = feeding_legal(&j);
  return st == KT_OK ? every_setting(&j) : st;
}
