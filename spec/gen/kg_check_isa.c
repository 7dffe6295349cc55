/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of units, memories, header slots and faults. */
#include <string.h>

#include "spec/gen/kg.h"
#include "spec/kt_derive.h"

static void unit(struct kg *g, size_t i, uint32_t *roots, uint32_t *dispatched)
{
  const struct kt_unit *u = &g->isa.unit[i];

  for (size_t k = 0; k < i; k++)
    if (strcmp(u->name, g->isa.unit[k].name) == 0) kg_fail(g, u->name, "unit is defined twice");
  for (size_t p = 0; p < u->n_ports; p++)
    if (kg_find_port(u, u->port[p].name) != (int)p)
      kg_fail(g, u->name, "port %s is defined twice", u->port[p].name);
  if (u->fed_by < 0) ++*roots;
  if (kt_unit_dispatched(&g->isa, (uint32_t)i)) {
    ++*dispatched;
    if (kg_find_port(u, "instructions") >= 0)
      kg_fail(g, u->name,
              "a unit with an instructions port is fed by a neighbour, not by the sequencer");
  } else if (u->fed_by >= 0 && kg_find_port(u, "instructions") < 0) {
    kg_fail(g, u->name, "a unit that a neighbour feeds needs an instructions port");
  }
}

static void units(struct kg *g)
{
  uint32_t roots = 0, dispatched = 0, served = 0;

  if (g->isa.n_units > 8) kg_fail(g, "units", "unit numbers have 3 bits");
  for (size_t i = 0; i < g->isa.n_units; i++) unit(g, i, &roots, &dispatched);
  for (size_t i = 0; i < g->isa.n_units; i++) {
    const struct kt_unit *u = &g->isa.unit[i];
    int p = kg_find_port(u, "dispatch");
    if (p >= 0 && u->fed_by < 0) served = u->port[p].copies;
    if (p >= 0 && u->fed_by >= 0) kg_fail(g, u->name, "only the sequencer dispatches");
  }
  if (roots != 1) kg_fail(g, "units", "exactly one unit must be fed by none");
  if (served != dispatched)
    kg_fail(g, "units", "the sequencer feeds %u units but its dispatch port serves %u", dispatched,
            served);
}

/* Every stream port has its name at exactly one other unit. */
static void streams(struct kg *g)
{
  for (size_t i = 0; i < g->isa.n_units; i++)
    for (size_t p = 0; p < g->isa.unit[i].n_ports; p++) {
      const struct kt_port *port = &g->isa.unit[i].port[p];
      unsigned ends = 0;
      for (size_t k = 0; k < g->isa.n_units; k++)
        if (k != i && kg_find_port(&g->isa.unit[k], port->name) >= 0) ends++;
      if (port->role == KT_PORT_STREAM && ends != 1)
        kg_fail(g, g->isa.unit[i].name, "stream %s has %u other ends", port->name, ends);
      if (port->role == KT_PORT_CONTROL && ends != 0)
        kg_fail(g, g->isa.unit[i].name, "control port %s exists elsewhere too", port->name);
    }
}

static bool memory_port(const struct kg *g, const struct kt_unit *u, const char *port)
{
  for (size_t i = 0; i < g->isa.n_memories; i++) {
    const struct kt_memory *m = &g->isa.memory[i];
    if (m->port == NULL || &g->isa.unit[m->owner] != u) continue;
    size_t n = strlen(m->port);
    if (strncmp(port, m->port, n) == 0 &&
        (strcmp(port + n, ".read") == 0 || strcmp(port + n, ".write") == 0))
      return true;
  }
  return false;
}

static bool accessed(const struct kg *g, size_t memory, enum kt_action_kind kind)
{
  for (size_t i = 0; i < g->isa.n_actions; i++)
    if (g->isa.action[i].kind == kind && g->isa.action[i].memory == (int)memory) return true;
  return false;
}

static void memory(struct kg *g, size_t i)
{
  const struct kt_memory *m = &g->isa.memory[i];
  bool read = accessed(g, i, KT_ACTION_READ), written = accessed(g, i, KT_ACTION_WRITE);

  for (size_t k = 0; k < i; k++) {
    if (strcmp(m->name, g->isa.memory[k].name) == 0) kg_fail(g, m->name, "memory is defined twice");
    if (m->code >= 0 && m->code == g->isa.memory[k].code)
      kg_fail(g, m->name, "code %d is taken", m->code);
  }
  if ((m->code >= 0) != (read && written))
    kg_fail(g, m->name, "a memory has a code exactly when programs read and write it");
  if (m->code >= (int)g->isa.n_memories || m->code > 3)
    kg_fail(g, m->name, "code %d is too large", m->code);
  if (m->host == KT_HOST_WRITES && (written || (!read && m->port != NULL)))
    kg_fail(g, m->name, "what the host writes, programs only read");
  if (m->host == KT_HOST_READS && (read || !written))
    kg_fail(g, m->name, "what the host reads, programs only write");
  if (m->host == KT_HOST_NONE && !(read && written))
    kg_fail(g, m->name, "nobody writes it, or nobody reads it");
  if (m->port == NULL && g->isa.unit[m->owner].fed_by >= 0)
    kg_fail(g, m->name, "only the sequencer's program memory needs no port");
}

static void memories(struct kg *g)
{
  for (size_t i = 0; i < g->isa.n_memories; i++) memory(g, i);
  for (size_t i = 0; i < g->isa.n_units; i++)
    for (size_t p = 0; p < g->isa.unit[i].n_ports; p++) {
      const struct kt_port *port = &g->isa.unit[i].port[p];
      if ((port->role == KT_PORT_MEMORY) != memory_port(g, &g->isa.unit[i], port->name))
        kg_fail(g, g->isa.unit[i].name, "port %s and the memories of the unit do not agree",
                port->name);
    }
}

static void slot_source(struct kg *g, const struct kt_slot *s)
{
  const struct kt_unit *consumer = &g->isa.unit[s->consumer];

  if (s->kind == KT_SLOT_STATIC && consumer->fed_by >= 0)
    kg_fail(g, s->name, "the sequencer consumes the static count");
  if (s->kind == KT_SLOT_STEPS &&
      (s->consumer != s->unit || !kt_unit_dispatched(&g->isa, (uint32_t)s->unit)))
    kg_fail(g, s->name, "steps are promised to the dispatched unit that spends them");
  if (s->kind == KT_SLOT_ITEMS &&
      (s->consumer != s->unit || kt_unit_dispatched(&g->isa, (uint32_t)s->unit)))
    kg_fail(g, s->name, "items are promised to a unit that the sequencer does not feed");
  if (s->kind == KT_SLOT_SPAN && (g->isa.memory[s->memory].owner != s->consumer ||
                                  g->isa.memory[s->memory].host != KT_HOST_WRITES))
    kg_fail(g, s->name, "spans are promised of what the host writes, to the unit that reads it");
}

static unsigned slots_of(const struct kg *g, enum kt_slot_kind kind, int unit_index,
                         int memory_index)
{
  unsigned n = 0;

  for (size_t i = 0; i < g->isa.n_slots; i++) {
    const struct kt_slot *s = &g->isa.slot[i];
    if (s->kind == kind && s->unit == unit_index && s->memory == memory_index) n++;
  }
  return n;
}

static void header(struct kg *g)
{
  struct kg_bits *b = kg_alloc(g, g->isa.n_slots, sizeof *b);

  if (g->isa.n_slots > 15) kg_fail(g, "header", "slot numbers have 4 bits");
  for (size_t i = 0; i < g->isa.n_slots; i++) {
    const struct kt_slot *s = &g->isa.slot[i];
    size_t n = 0;
    if (s->word >= g->isa.header_words)
      kg_fail(g, s->name, "word %u is outside a header of %u", s->word, g->isa.header_words);
    for (size_t k = 0; k < g->isa.n_slots; k++)
      if (g->isa.slot[k].word == s->word)
        b[n++] =
            (struct kg_bits){g->isa.slot[k].name, NULL, g->isa.slot[k].lsb, g->isa.slot[k].bits};
    kg_check_bits(g, "header", b, n, g->word_bits);
    if (i > 0 && 64 * s->word + s->lsb < 64 * g->isa.slot[i - 1].word + g->isa.slot[i - 1].lsb)
      kg_fail(g, s->name, "slots must ascend");
    slot_source(g, s);
  }
  if (slots_of(g, KT_SLOT_STATIC, -1, -1) != 1) kg_fail(g, "header", "needs one static count");
  for (int u = 0; u < (int)g->isa.n_units; u++)
    if (kt_unit_dispatched(&g->isa, (uint32_t)u) && slots_of(g, KT_SLOT_STEPS, u, -1) != 1)
      kg_fail(g, "header", "unit %s needs one count of its steps", g->isa.unit[u].name);
  for (int m = 0; m < (int)g->isa.n_memories; m++)
    if (g->isa.memory[m].host == KT_HOST_WRITES && g->isa.memory[m].port != NULL &&
        slots_of(g, KT_SLOT_SPAN, -1, m) != 1)
      kg_fail(g, "header", "matrix %s needs one span", g->isa.memory[m].name);
}

static unsigned count_in(const int *list, size_t n, int fault)
{
  unsigned found = 0;

  for (size_t i = 0; i < n; i++) found += list[i] == fault;
  return found;
}

/* Each fault stands in the check order of where it is found, once; descriptor checks may repeat a
 * fault for other words. */
static void fault_order(struct kg *g, int f)
{
  const struct kt_fault_def *d = &g->isa.fault[f];
  unsigned instr = count_in(g->instr_order, g->n_instr_order, f),
           end = count_in(g->end_order, g->n_end_order, f), desc = 0;

  for (size_t i = 0; i < g->n_desc_order; i++) desc += g->desc_order[i].fault == f;
  if (instr != (strcmp(d->found, "instruction") == 0))
    kg_fail(g, d->name, "check order of instructions does not hold it once");
  if (end != (strcmp(d->found, "end") == 0))
    kg_fail(g, d->name, "check order of the end does not hold it once");
  if ((desc > 0) != (strcmp(d->found, "descriptor") == 0))
    kg_fail(g, d->name, "check order of descriptors does not fit it");
}

static void faults(struct kg *g)
{
  static const char *const found[] = {"instruction", "end", "descriptor", "memory"};

  for (size_t i = 0; i < g->isa.n_faults; i++) {
    const struct kt_fault_def *d = &g->isa.fault[i];
    bool known = false;
    for (size_t k = 0; k < 4; k++) known = known || strcmp(d->found, found[k]) == 0;
    if (!known) kg_fail(g, d->name, "\"%s\" is no place to be found at", d->found);
    if (d->code != i + 1) kg_fail(g, d->name, "code must be %zu: codes follow the list", i + 1);
    if (kg_find_fault(g, d->name) != (int)i) kg_fail(g, d->name, "fault is defined twice");
    fault_order(g, (int)i);
  }
}

void kg_check_isa(struct kg *g)
{
  units(g);
  streams(g);
  memories(g);
  if (g->n_errors == 0) header(g);
  faults(g);
}
