/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of registers, counters and descriptor words. */
#include <string.h>

#include "spec/gen/kg.h"

static void reg_params(struct kg *g, const struct kg_reg *r)
{
  for (size_t f = 0; f < r->n_fields; f++)
    for (size_t p = 0; p < g->isa.n_params; p++)
      if (strcmp(r->field[f].name, g->isa.param[p].name) == 0 &&
          g->isa.param[p].max >> r->field[f].bits != 0)
        kg_fail(g, r->name, "parameter %s does not fit %u bits", r->field[f].name,
                r->field[f].bits);
}

void kg_check_registers(struct kg *g, const struct kg_reg *reg, size_t n)
{
  uint32_t end = 0;

  for (size_t i = 0; i < n; i++) {
    const struct kg_reg *r = &reg[i];
    if (r->offset % 4 != 0) kg_fail(g, r->name, "offset 0x%03X is not a multiple of 4", r->offset);
    if (r->offset < end)
      kg_fail(g, r->name, "offset 0x%03X lies inside an earlier register", r->offset);
    if (r->count == 0) kg_fail(g, r->name, "count must be at least 1");
    end = r->offset + 4 * r->count;
    if (end > 4096) kg_fail(g, r->name, "lies past the 4 KiB window");
    for (size_t k = 0; k < i; k++)
      if (strcmp(r->name, reg[k].name) == 0) kg_fail(g, r->name, "register is defined twice");
    if (strcmp(r->access, "R") != 0 && strcmp(r->access, "W") != 0 && strcmp(r->access, "RW") != 0)
      kg_fail(g, r->name, "access must be R, W or RW");
    if (r->has_reset && strcmp(r->access, "RW") != 0)
      kg_fail(g, r->name, "only a register that is written has a reset value");
    kg_check_bits(g, r->name, r->field, r->n_fields, 32);
    reg_params(g, r);
  }
}

static const struct kg_reg *find_reg(struct kg *g, const char *name)
{
  for (size_t i = 0; i < g->n_regs; i++)
    if (strcmp(g->reg[i].name, name) == 0) return &g->reg[i];
  kg_fail(g, "registers", "register %s is missing", name);
  return NULL;
}

static void counters(struct kg *g)
{
  const struct kg_reg *r = find_reg(g, "COUNT");

  if (g->n_states == 0 || 4 * g->n_states > g->counter_stride)
    kg_fail(g, "counter_states", "%zu states do not fit a stride of %u bytes", g->n_states,
            g->counter_stride);
  if (r != NULL && r->count * 4 != g->isa.n_units * g->counter_stride)
    kg_fail(g, "COUNT", "must hold %zu units of %u bytes", g->isa.n_units, g->counter_stride);
  for (size_t i = 0; i < g->n_states; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(g->state[i], g->state[k]) == 0)
        kg_fail(g, "counter_states", "%s is defined twice", g->state[i]);
}

static void forms(struct kg *g)
{
  for (size_t i = 0; i < g->n_forms; i++) {
    if (g->form[i].value != i)
      kg_fail(g, g->form[i].name, "value must be %zu: forms follow the list", i);
    for (size_t k = 0; k < i; k++)
      if (strcmp(g->form[i].name, g->form[k].name) == 0)
        kg_fail(g, g->form[i].name, "form is defined twice");
  }
  for (size_t i = 0; i < g->n_flags; i++) {
    uint32_t room = (UINT32_C(1) << g->flag[i].bits) - 1;
    if (strcmp(g->flag[i].name, "FORM") == 0 && g->n_forms - 1 > room)
      kg_fail(g, "FORM", "forms do not fit");
    if (strcmp(g->flag[i].name, "SHIFT") == 0 && g->num.shift_max != room)
      kg_fail(g, "SHIFT", "numerics allow shifts to %u, the flag holds %u", g->num.shift_max, room);
  }
}

static void descriptor(struct kg *g)
{
  const struct kg_reg *r = find_reg(g, "DESC");

  if (g->desc_bytes == 0 || (g->desc_bytes & (g->desc_bytes - 1)) != 0)
    kg_fail(g, "descriptor", "bytes must be a power of two");
  if (r != NULL && r->count * 4 != g->desc_bytes)
    kg_fail(g, "DESC", "must hold a descriptor of %u bytes", g->desc_bytes);
  if (g->n_desc_words == 0 || strcmp(g->desc_word[g->n_desc_words - 1].name, "FLAGS") != 0)
    kg_fail(g, "descriptor.words", "FLAGS must be the last word with a meaning");
  if (4 * g->n_desc_words > g->desc_bytes) kg_fail(g, "descriptor.words", "do not fit");
  for (size_t i = 0; i < g->n_desc_words; i++) {
    if (g->desc_word[i].value != i)
      kg_fail(g, g->desc_word[i].name, "word must be %zu: words follow the list", i);
    for (size_t k = 0; k < i; k++)
      if (strcmp(g->desc_word[i].name, g->desc_word[k].name) == 0)
        kg_fail(g, g->desc_word[i].name, "word is defined twice");
  }
  kg_check_bits(g, "descriptor.flags", g->flag, g->n_flags, 32);
  forms(g);
  if (g->stride_max == 0 || (g->stride_max & (g->stride_max + 1)) != 0)
    kg_fail(g, "descriptor", "stride_max must be one less than a power of two");
}

void kg_check_regs(struct kg *g)
{
  kg_check_registers(g, g->reg, g->n_regs);
  counters(g);
  descriptor(g);
}
