/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the instruction word: places, the spare-bit rule, targets and levels. */
#include <string.h>

#include "spec/gen/kg.h"

void kg_check_bits(struct kg *g, const char *where, const struct kg_bits *b, size_t n,
                   uint32_t word_bits)
{
  for (size_t i = 0; i < n; i++) {
    if (b[i].bits == 0 || b[i].lsb + b[i].bits > word_bits)
      kg_fail(g, where, "%s: bits %u to %u do not fit a word of %u", b[i].name, b[i].lsb,
              b[i].lsb + b[i].bits - 1, word_bits);
    for (size_t k = 0; k < i; k++) {
      if (strcmp(b[i].name, b[k].name) == 0) kg_fail(g, where, "%s is defined twice", b[i].name);
      if (b[i].lsb < b[k].lsb + b[k].bits && b[k].lsb < b[i].lsb + b[i].bits)
        kg_fail(g, where, "%s overlaps %s", b[i].name, b[k].name);
    }
  }
}

static void places(struct kg *g, const char *where, const struct kt_field *f, size_t n,
                   uint32_t word_bits)
{
  struct kg_bits *b = kg_alloc(g, n, sizeof *b);

  for (size_t i = 0; i < n; i++) b[i] = (struct kg_bits){f[i].name, NULL, f[i].lsb, f[i].bits};
  kg_check_bits(g, where, b, n, word_bits);
}

/* The C structures name these members, in this order. */
static void names(struct kg *g, const char *where, const struct kt_field *f, size_t n,
                  const char *const *want, size_t n_want)
{
  bool same = n == n_want;

  for (size_t i = 0; same && i < n; i++) same = strcmp(f[i].name, want[i]) == 0;
  if (!same)
    kg_fail(g, where, "must hold exactly the fields that struct kt_insn has, in its order");
}

static uint32_t needed_bits(uint32_t max)
{
  uint32_t bits = 0;

  while (bits < 32 && max >> bits != 0) bits++;
  return bits;
}

static void word0(struct kg *g)
{
  static const char *const want[] = {"op", "f0", "f1", "f2", "f3", "nr"};
  int target = 1;

  names(g, "encoding.word0", g->isa.word0, g->isa.n_word0, want, 6);
  places(g, "encoding.word0", g->isa.word0, g->isa.n_word0, g->word_bits);
  for (size_t i = 0; i < g->isa.n_word0; i++) {
    const struct kt_field *f = &g->isa.word0[i];
    if (f->name[0] != 'f') {
      if (f->target >= 0) kg_fail(g, f->name, "only operand fields are targets of address terms");
      continue;
    }
    if (f->target != target++)
      kg_fail(g, f->name, "target must be %d: targets follow the fields", target - 1);
    if (f->max != g->isa.field_max) kg_fail(g, f->name, "operand fields must be of one width");
  }
}

static void term(struct kg *g)
{
  static const char *const want[] = {"target", "level", "stride"};

  names(g, "encoding.term", g->isa.term, g->isa.n_term, want, 3);
  places(g, "encoding.term", g->isa.term, g->isa.n_term, g->isa.term_bits);
  if (g->n_errors > 0) return;
  if (g->isa.n_terms == 0 || g->isa.n_terms * g->isa.term_bits > g->word_bits)
    kg_fail(g, "encoding", "%u terms of %u bits do not fit a word of %u", g->isa.n_terms,
            g->isa.term_bits, g->word_bits);
  for (size_t i = 0; i < g->isa.n_term; i++) {
    const struct kt_field *f = &g->isa.term[i];
    if (f->bits != needed_bits(f->max) + g->isa.spare_bits)
      kg_fail(g, f->name, "values to %u take %u bits and a spare one, not %u", f->max,
              needed_bits(f->max), f->bits);
  }
  uint32_t used = 0;
  for (size_t i = 0; i < g->isa.n_term; i++) used += g->isa.term[i].bits;
  if (used != g->isa.term_bits)
    kg_fail(g, "encoding", "a term has %u bits, its fields %u", g->isa.term_bits, used);
  if (g->isa.term[0].max != KT_ISA_FIELDS)
    kg_fail(g, "target", "max must be %d, the last operand field", KT_ISA_FIELDS);
  if (g->isa.term[1].max + 1 != g->isa.loop_depth)
    kg_fail(g, "level", "max must be the loop depth less 1");
  if (g->isa.term[2].max != g->isa.field_max)
    kg_fail(g, "stride", "max must be the largest field value");
}

void kg_check(struct kg *g)
{
  if (g->iwords != 2 || g->word_bits != 64)
    kg_fail(g, "encoding", "an instruction is two words of 64 bits");
  if (g->isa.spare_bits != 1) kg_fail(g, "encoding", "every field keeps one spare bit");
  if (g->min_trip != 1)
    kg_fail(g, "loop", "a do-while loop runs at least once: min_trip must be 1");
  if (g->isa.version == 0) kg_fail(g, "top level", "version must be at least 1");
  if (strcmp(g->name, "tinytpu") != 0)
    kg_fail(g, "top level", "name must be \"tinytpu\", the prefix of build identities");
  word0(g);
  term(g);
  if (g->n_errors == 0) kg_check_isa(g);
  if (g->n_errors == 0) kg_check_opcodes(g);
  if (g->n_errors == 0) kg_check_params(g);
  if (g->n_errors == 0) kg_check_regs(g);
}
