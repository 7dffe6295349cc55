/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the encoding, loop stack, units, and opcodes with their actions. */
#include <string.h>

#include "spec/gen/kg.h"

static uint32_t spare_max(const struct kg *g, uint32_t bits)
{
  return bits <= g->isa.spare_bits ? 0 : (UINT32_C(1) << (bits - g->isa.spare_bits)) - 1;
}

static void word0(struct kg *g, const cJSON *enc)
{
  size_t n;
  const cJSON *list = kg_array(g, enc, "encoding", "word0", 8, &n), *item;
  struct kt_field *field = kg_alloc(g, n, sizeof *field), *f = field;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "encoding.word0", "name lsb bits target role");
    f->name = kg_str(g, item, "encoding.word0", "name");
    f->lsb = kg_uint(g, item, f->name, "lsb", 63);
    f->bits = kg_uint(g, item, f->name, "bits", 16);
    f->target = kg_uint_or_null(g, item, f->name, "target", 15);
    f->role = kg_str(g, item, f->name, "role");
    f->max = spare_max(g, f->bits);
    f++;
  }
  g->isa.word0 = field;
  g->isa.n_word0 = n;
}

static void term(struct kg *g, const cJSON *enc)
{
  size_t n;
  const cJSON *list = kg_array(g, enc, "encoding", "term", 8, &n), *item;
  struct kt_field *field = kg_alloc(g, n, sizeof *field), *f = field;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "encoding.term", "name lsb bits max spare role");
    f->name = kg_str(g, item, "encoding.term", "name");
    f->lsb = kg_uint(g, item, f->name, "lsb", 63);
    f->bits = kg_uint(g, item, f->name, "bits", 16);
    f->max = kg_uint(g, item, f->name, "max", 65535);
    f->role = kg_str(g, item, f->name, "role");
    f->target = -1;
    if (!kg_bool(g, item, f->name, "spare"))
      kg_fail(g, f->name, "\"spare\" is false: every field keeps a spare bit");
    if (f->max > spare_max(g, f->bits))
      kg_fail(g, f->name, "max %u needs more than %u bits with its spare bit", f->max, f->bits);
    f++;
  }
  g->isa.term = field;
  g->isa.n_term = n;
}

static void encoding(struct kg *g, const cJSON *root)
{
  const cJSON *enc = kg_obj(g, root, "top level", "encoding");

  kg_keys(g, enc, "encoding", "words word_bits spare_bits word0 terms term_bits term");
  g->iwords = kg_uint(g, enc, "encoding", "words", 4);
  g->word_bits = kg_uint(g, enc, "encoding", "word_bits", 64);
  g->isa.spare_bits = kg_uint(g, enc, "encoding", "spare_bits", 1);
  g->isa.n_terms = kg_uint(g, enc, "encoding", "terms", 8);
  g->isa.term_bits = kg_uint(g, enc, "encoding", "term_bits", 64);
  word0(g, enc);
  term(g, enc);
  for (size_t i = 0; i < g->isa.n_word0; i++) {
    if (strcmp(g->isa.word0[i].name, "f0") == 0) g->isa.field_max = g->isa.word0[i].max;
    if (strcmp(g->isa.word0[i].name, "nr") == 0) g->isa.nr_max = g->isa.word0[i].max;
  }
  const cJSON *loop = kg_obj(g, root, "top level", "loop");
  kg_keys(g, loop, "loop", "depth min_trip");
  g->isa.loop_depth = kg_uint(g, loop, "loop", "depth", 8);
  g->min_trip = kg_uint(g, loop, "loop", "min_trip", 127);
}

static int one_of(struct kg *g, const char *where, const char *text, const char *const *names,
                  int n)
{
  for (int i = 0; i < n; i++)
    if (strcmp(text, names[i]) == 0) return i;
  kg_fail(g, where, "unknown word \"%s\"", text);
  return 0;
}

static void ports(struct kg *g, const cJSON *item, struct kt_unit *u)
{
  static const char *const roles[] = {"control", "memory", "compute", "stream"};
  const cJSON *list = kg_array(g, item, u->name, "ports", KT_ISA_PORTS, &u->n_ports), *entry;
  struct kt_port *p = u->port;

  cJSON_ArrayForEach(entry, list)
  {
    kg_keys(g, entry, u->name, "name role copies");
    p->name = kg_str(g, entry, u->name, "name");
    p->role = (enum kt_port_role)one_of(g, p->name, kg_str(g, entry, p->name, "role"), roles, 4);
    p->copies = kg_uint(g, entry, p->name, "copies", 16);
    if (p->copies == 0) kg_fail(g, u->name, "port %s has no copy", p->name);
    p++;
  }
}

static void units(struct kg *g, const cJSON *root)
{
  size_t n;
  const cJSON *list = kg_array(g, root, "top level", "units", 16, &n), *item;
  struct kt_unit *unit = kg_alloc(g, n, sizeof *unit), *u = unit;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "units", "name fed_by ii elastic ports");
    u->name = kg_str(g, item, "units", "name");
    u->ii = kg_uint(g, item, u->name, "ii", 16);
    u->elastic = kg_bool(g, item, u->name, "elastic");
    if (u->ii == 0) kg_fail(g, u->name, "\"ii\" must be at least 1");
    ports(g, item, u++);
  }
  g->isa.unit = unit;
  g->isa.n_units = n;
  u = unit;
  cJSON_ArrayForEach(item, list)
  {
    const char *from = kg_str_or_null(g, item, u->name, "fed_by");
    u->fed_by = from == NULL ? -1 : kg_find_unit(g, from);
    if (from != NULL && u->fed_by < 0) kg_fail(g, u->name, "fed by unknown unit \"%s\"", from);
    u++;
  }
}

void kg_load_isa(struct kg *g, const cJSON *root)
{
  encoding(g, root);
  units(g, root);
}
