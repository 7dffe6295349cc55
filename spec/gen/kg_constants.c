/* SPDX-License-Identifier: Apache-2.0 */
/* The one list of constants that C and Verilog share: names, widths and values, in order. */
#include <string.h>

#include "spec/gen/kg.h"

enum { BITS_INT = 0, BITS_OP = 6, BITS_FAULT = 8, BITS_SMALL = 4, BITS_ENUM = 3, BITS_ADDR = 12 };

static void put(struct kg *g, kg_const_fn emit, void *ctx, uint32_t bits, uint64_t value,
                const char *prefix, const char *name, const char *suffix)
{
  emit(ctx, NULL, kg_text(g, "KT_%s%s%s", prefix, kg_upper(g, name), suffix), bits, value);
}

static void place(struct kg *g, kg_const_fn emit, void *ctx, const char *prefix, const char *name,
                  uint32_t lsb, uint32_t bits)
{
  put(g, emit, ctx, BITS_INT, lsb, prefix, name, "_LSB");
  put(g, emit, ctx, BITS_INT, bits, prefix, name, "_BITS");
}

static void encoding(struct kg *g, kg_const_fn emit, void *ctx)
{
  emit(ctx, "identity and encoding", NULL, 0, 0);
  put(g, emit, ctx, 32, g->magic, "", "MAGIC", "");
  put(g, emit, ctx, 32, g->isa.version, "", "SPEC_VERSION", "");
  put(g, emit, ctx, BITS_INT, g->iwords, "", "IWORDS", "");
  put(g, emit, ctx, BITS_INT, g->word_bits, "", "WORD_BITS", "");
  for (size_t i = 0; i < g->isa.n_word0; i++)
    place(g, emit, ctx, "W0_", g->isa.word0[i].name, g->isa.word0[i].lsb, g->isa.word0[i].bits);
  put(g, emit, ctx, BITS_INT, g->isa.n_terms, "", "AGU_TERMS", "");
  put(g, emit, ctx, BITS_INT, g->isa.term_bits, "", "TERM_BITS", "");
  for (size_t i = 0; i < g->isa.n_term; i++)
    place(g, emit, ctx, "TERM_", g->isa.term[i].name, g->isa.term[i].lsb, g->isa.term[i].bits);
  put(g, emit, ctx, 4, g->isa.term[0].max, "", "TARGET_MAX", "");
  put(g, emit, ctx, BITS_INT, g->isa.loop_depth, "", "LOOP_DEPTH", "");
  put(g, emit, ctx, BITS_INT, g->min_trip, "LOOP_", "MIN_TRIP", "");
  put(g, emit, ctx, g->isa.word0[1].bits, g->isa.field_max, "", "FIELD_MAX", "");
  put(g, emit, ctx, 8, g->isa.nr_max, "", "NR_MAX", "");
  put(g, emit, ctx, 16, g->isa.count_max, "", "COUNT_MAX", "");
  put(g, emit, ctx, BITS_INT, g->isa.ar_raw_dist, "", "AR_RAW_DIST", "");
}

static const struct kt_operand *operand_at(const struct kt_opcode *op, uint32_t field)
{
  for (size_t i = 0; i < op->n_operands; i++)
    if (op->operand[i].field == field) return &op->operand[i];
  return NULL;
}

/* Sets of opcodes as 64-bit masks: bit v for opcode value v. */
static void opcode_sets(struct kg *g, kg_const_fn emit, void *ctx)
{
  uint64_t legal = 0, rows = 0, uses[KT_ISA_FIELDS] = {0};

  for (size_t i = 0; i < g->isa.n_opcodes; i++) {
    const struct kt_opcode *op = &g->isa.opcode[i];
    uint64_t bit = UINT64_C(1) << op->value;
    if (!op->retired) legal |= bit;
    if (op->nr == KT_NR_ROWS) rows |= bit;
    for (uint32_t f = 0; f < KT_ISA_FIELDS; f++)
      if (operand_at(op, f) != NULL) uses[f] |= bit;
  }
  emit(ctx, "sets of opcodes: bit v for value v", NULL, 0, 0);
  put(g, emit, ctx, 64, legal, "OPS_", "LEGAL", "");
  put(g, emit, ctx, 64, rows, "OPS_", "ROWS", "");
  for (uint32_t f = 0; f < KT_ISA_FIELDS; f++)
    put(g, emit, ctx, 64, uses[f], "OPS_USE_F", kg_text(g, "%u", f), "");
}

/* Bit of a mode operand that chooses a memory: one for each action whose condition is that the bit
 * is set. */
static void mode_bits(struct kg *g, kg_const_fn emit, void *ctx)
{
  for (size_t i = 0; i < g->isa.n_actions; i++) {
    const struct kt_action *a = &g->isa.action[i];
    const struct kt_cond *c = &a->cond;
    uint32_t bit = 0;
    if (a->memory < 0 || c->mask == 0 || c->mask == UINT32_MAX || c->value != c->mask) continue;
    while ((c->mask >> bit) > 1) bit++;
    put(g, emit, ctx, BITS_INT, bit, "MODE_", g->isa.memory[a->memory].name, "_BIT");
  }
}

static void opcodes(struct kg *g, kg_const_fn emit, void *ctx)
{
  emit(ctx, "opcodes", NULL, 0, 0);
  for (size_t i = 0; i < g->isa.n_opcodes; i++)
    put(g, emit, ctx, BITS_OP, g->isa.opcode[i].value, "OP_", g->isa.opcode[i].name, "");
  opcode_sets(g, emit, ctx);
  emit(ctx, "operands: the field that holds each", NULL, 0, 0);
  for (size_t i = 0; i < g->isa.n_opcodes; i++)
    for (size_t o = 0; o < g->isa.opcode[i].n_operands; o++)
      put(g, emit, ctx, BITS_INT, g->isa.opcode[i].operand[o].field,
          kg_text(g, "F_%s_", kg_upper(g, g->isa.opcode[i].name)), g->isa.opcode[i].operand[o].name,
          "");
  mode_bits(g, emit, ctx);
}

static void header(struct kg *g, kg_const_fn emit, void *ctx)
{
  emit(ctx, "program header: slot numbers and places", NULL, 0, 0);
  put(g, emit, ctx, BITS_INT, g->isa.header_words, "", "NHDR", "");
  put(g, emit, ctx, BITS_INT, g->isa.n_slots, "HDR_", "COUNT", "");
  for (size_t i = 0; i < g->isa.n_slots; i++)
    put(g, emit, ctx, BITS_SMALL, i, "HDR_", g->isa.slot[i].name, "");
  put(g, emit, ctx, BITS_SMALL, g->isa.n_slots, "HDR_", "UNUSED",
      ""); /* header bits without a meaning */
  for (size_t i = 0; i < g->isa.n_slots; i++) {
    put(g, emit, ctx, BITS_INT, g->isa.slot[i].word, "HDR_", g->isa.slot[i].name, "_WORD");
    place(g, emit, ctx, "HDR_", g->isa.slot[i].name, g->isa.slot[i].lsb, g->isa.slot[i].bits);
  }
}

static void units(struct kg *g, kg_const_fn emit, void *ctx)
{
  emit(ctx, "units, states, memories", NULL, 0, 0);
  put(g, emit, ctx, BITS_INT, g->isa.n_units, "", "UNITS", "");
  for (size_t i = 0; i < g->isa.n_units; i++)
    put(g, emit, ctx, BITS_ENUM, i, "UNIT_", g->isa.unit[i].name, "");
  put(g, emit, ctx, BITS_INT, g->n_states, "", "STATES", "");
  for (size_t i = 0; i < g->n_states; i++)
    put(g, emit, ctx, BITS_ENUM, i, "STATE_", g->state[i], "");
  for (size_t i = 0; i < g->isa.n_memories; i++)
    if (g->isa.memory[i].code >= 0)
      put(g, emit, ctx, BITS_ENUM - 1, (uint64_t)g->isa.memory[i].code, "MEM_",
          g->isa.memory[i].name, "");
}

static void registers(struct kg *g, kg_const_fn emit, void *ctx)
{
  emit(ctx, "control registers: byte offsets and fields", NULL, 0, 0);
  for (size_t i = 0; i < g->n_regs; i++) {
    const struct kg_reg *r = &g->reg[i];
    put(g, emit, ctx, BITS_ADDR, r->offset, "REG_", r->name, "");
    if (r->count > 1) put(g, emit, ctx, BITS_INT, r->count, "REG_", r->name, "_N");
    if (r->has_reset) put(g, emit, ctx, 32, r->reset, "REG_", r->name, "_RESET");
    for (size_t f = 0; f < r->n_fields; f++)
      place(g, emit, ctx, kg_text(g, "%s_", r->name), r->field[f].name, r->field[f].lsb,
            r->field[f].bits);
  }
  put(g, emit, ctx, BITS_INT, g->counter_stride, "COUNT_", "UNIT_STRIDE", "");
}

static void descriptor(struct kg *g, kg_const_fn emit, void *ctx)
{
  emit(ctx, "descriptors: word numbers, flags, output forms", NULL, 0, 0);
  put(g, emit, ctx, BITS_INT, g->desc_bytes, "DESC_", "BYTES", "");
  put(g, emit, ctx, BITS_INT, g->desc_bytes / 4, "DESC_", "WORDS", "");
  for (size_t i = 0; i < g->n_desc_words; i++)
    put(g, emit, ctx, BITS_SMALL, g->desc_word[i].value, "DESC_", g->desc_word[i].name, "");
  put(g, emit, ctx, BITS_SMALL, g->n_desc_words, "DESC_", "RESERVED", "");
  for (size_t i = 0; i < g->n_flags; i++)
    place(g, emit, ctx, "FLAG_", g->flag[i].name, g->flag[i].lsb, g->flag[i].bits);
  for (size_t i = 0; i < g->n_forms; i++)
    put(g, emit, ctx, 2, g->form[i].value, "FORM_", g->form[i].name, "");
  put(g, emit, ctx, 32, g->stride_max, "", "STRIDE_MAX", "");
  put(g, emit, ctx, BITS_INT, g->num.shift_max, "", "SHIFT_MAX", "");
}

static void faults(struct kg *g, kg_const_fn emit, void *ctx)
{
  emit(ctx, "fault codes", NULL, 0, 0);
  put(g, emit, ctx, BITS_FAULT, 0, "FAULT_", "NONE", "");
  for (size_t i = 0; i < g->isa.n_faults; i++)
    put(g, emit, ctx, BITS_FAULT, g->isa.fault[i].code, "FAULT_", g->isa.fault[i].name, "");
}

static void numerics(struct kg *g, kg_const_fn emit, void *ctx)
{
  emit(ctx, "numerics", NULL, 0, 0);
  put(g, emit, ctx, BITS_INT, g->num.operand_bits, "", "OPERAND_BITS", "");
  put(g, emit, ctx, BITS_INT, g->num.acc_bits, "", "ACC_BITS", "");
  put(g, emit, ctx, BITS_INT, g->num.product_bits, "", "PRODUCT_BITS", "");
}

void kg_constants(struct kg *g, kg_const_fn emit, void *ctx)
{
  encoding(g, emit, ctx);
  opcodes(g, emit, ctx);
  header(g, emit, ctx);
  units(g, emit, ctx);
  registers(g, emit, ctx);
  descriptor(g, emit, ctx);
  faults(g, emit, ctx);
  numerics(g, emit, ctx);
}
