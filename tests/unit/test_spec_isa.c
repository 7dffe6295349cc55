/* SPDX-License-Identifier: Apache-2.0 */
/* The facts of the instruction set, stated here from its documentation and never from the JSON:
   a wrong fact in spec/tinytpu.json is generated faithfully everywhere but here. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "spec/kt_actions.h"
#include "spec/kt_isa.h"

/* Compares made lines with stated ones, one by one, and their number. */
#define LINES_MATCH(want, n_made, line)                                                            \
  do {                                                                                             \
    cr_assert(eq(sz, (n_made), sizeof(want) / sizeof((want)[0])));                                 \
    for (size_t i_ = 0; i_ < (n_made); i_++)                                                       \
      cr_assert(eq(str, (char *)(line)(i_), (char *)(want)[i_]), "line %zu", i_);                  \
  } while (0)

static char buffer[256];

static const char *or_dash(const char *s)
{
  return s == NULL ? "-" : s;
}

static const char *items_text(const struct kt_linear *l)
{
  static char text[64];

  if (l->fixed == 0 && l->t == 0 && l->nr == 1) return "nr";
  if (l->fixed == 0 && l->t == 1 && l->nr == 0) return "T";
  if (l->fixed == 1 && l->t == 1 && l->nr == 0) return "T + 1";
  snprintf(text, sizeof text, l->t == 0 && l->nr == 0 ? "%u" : "%u and more", l->fixed);
  return text;
}

static const char *action_line(size_t i)
{
  static const char *const kinds[] = {"read", "write", "compute", "emit", "receive"};
  const struct kt_action *a = &kt_isa.action[i];
  const struct kt_opcode *op = &kt_isa.opcode[a->opcode];

  snprintf(buffer, sizeof buffer, "%s|%s|%s|%s|%s|%s|%s|%s", op->name, kt_isa.unit[a->unit].name,
           kt_isa.unit[a->unit].port[a->port].name, kinds[a->kind], or_dash(a->state),
           a->base < 0 ? "-" : op->operand[a->base].name, items_text(&a->items),
           or_dash(a->cond.text));
  return buffer;
}

Test(spec_isa, actions_are_the_documented_ones, .timeout = 5)
{
  static const char *const want[] = {
      "dma_ld|dma_ld|dram.read|read|A|dram_row0|nr|(mode & 1) == 0",
      "dma_ld|dma_ld|dram.read|read|B|dram_row0|nr|(mode & 1) == 1",
      "dma_ld|dma_ld|mux|compute|select|-|nr|-",
      "dma_ld|dma_ld|dma2sp|emit|-|-|nr|(mode & 2) == 0",
      "dma_ld|dma_ld|dma2vr|emit|-|-|nr|(mode & 2) == 2",
      "dma_ld|spm|dma2sp|receive|-|-|nr|(mode & 2) == 0",
      "dma_ld|spm|spad.write|write|spad|dst_row0|nr|(mode & 2) == 0",
      "dma_ld|vru|dma2vr|receive|-|-|nr|(mode & 2) == 2",
      "dma_ld|vru|vr.write|write|vr|dst_row0|nr|(mode & 2) == 2",
      "vld|spm|spad.read|read|spad|spad0|nr|-",
      "vld|spm|sp2vr|emit|-|-|nr|-",
      "vld|vru|sp2vr|receive|-|-|nr|-",
      "vld|vru|vr.write|write|vr|vr0|nr|-",
      "mm|spm|spad.read|read|spad|spad_w|T|-",
      "mm|spm|wcol|emit|-|-|T + 1|-",
      "mm|array|wcol|receive|-|-|T + 1|-",
      "mm|array|instructions|emit|-|-|1|-",
      "mm|vru|vr.read|read|vr|vr_a|nr|-",
      "mm|vru|acol|emit|-|-|nr|-",
      "mm|array|acol|receive|-|-|nr|-",
      "mm|array|mac|compute|matmul|-|nr|-",
      "mm|array|cw|emit|-|-|nr|-",
      "mm|accu|cw|receive|-|-|nr|-",
      "mm|accu|ar.read|read|ar|ar0|nr|acc == 1",
      "mm|accu|alu|compute|acc_add|-|nr|-",
      "mm|accu|ar.write|write|ar|ar0|nr|-",
      "vadd|accu|ar.read|read|ar|ar_s1|nr|-",
      "vadd|accu|ar.read|read|ar|ar_s2|nr|-",
      "vadd|accu|alu|compute|add|-|nr|-",
      "vadd|accu|ar.write|write|ar|ar_d|nr|-",
      "vrelu|accu|ar.read|read|ar|ar_s|nr|-",
      "vrelu|accu|alu|compute|max0|-|nr|-",
      "vrelu|accu|ar.write|write|ar|ar_d|nr|-",
      "mvout|accu|ar.read|read|ar|ar0|nr|-",
      "mvout|accu|alu|compute|to_operand|-|nr|-",
      "mvout|accu|ac2sp|emit|-|-|nr|-",
      "mvout|dma_st|ac2sp|receive|-|-|nr|-",
      "mvout|dma_st|dram.write|write|C|dram_row0|nr|-",
      "loop|sequencer|fetch|compute|push_loop|-|1|-",
      "endloop|sequencer|fetch|compute|pop_loop|-|1|-",
      "vaddrelu|accu|ar.read|read|ar|ar_s1|nr|-",
      "vaddrelu|accu|ar.read|read|ar|ar_s2|nr|-",
      "vaddrelu|accu|alu|compute|add|-|nr|-",
      "vaddrelu|accu|alu|compute|max0|-|nr|-",
      "vaddrelu|accu|ar.write|write|ar|ar_d|nr|-",
  };

  LINES_MATCH(want, kt_isa.n_actions, action_line);
}

Test(spec_isa, conditions_test_the_field_that_they_name, .timeout = 5)
{
  for (size_t i = 0; i < kt_isa.n_actions; i++) {
    const struct kt_action *a = &kt_isa.action[i];
    if (a->cond.text == NULL) {
      cr_assert(eq(u32, a->cond.mask, 0));
    } else if (strcmp(a->cond.text, "acc == 1") == 0) {
      cr_assert(eq(u32, a->cond.field, 2));
      cr_assert(eq(u32, a->cond.mask, UINT32_MAX));
      cr_assert(eq(u32, a->cond.value, 1));
    } else {
      cr_assert(eq(u32, a->cond.field, 0));
      cr_assert(eq(u32, a->cond.mask, (uint32_t)(a->cond.text[8] - '0')), "%s", a->cond.text);
      cr_assert(eq(u32, a->cond.value, (uint32_t)(a->cond.text[14] - '0')), "%s", a->cond.text);
    }
  }
}

static const char *unit_line(size_t i)
{
  const struct kt_unit *u = &kt_isa.unit[i];
  size_t n = (size_t)snprintf(buffer, sizeof buffer, "%s:", u->name);

  for (size_t p = 0; p < u->n_ports; p++) {
    n += (size_t)snprintf(buffer + n, sizeof buffer - n, " %s", u->port[p].name);
    if (u->port[p].copies != 1)
      n += (size_t)snprintf(buffer + n, sizeof buffer - n, "x%u", u->port[p].copies);
  }
  snprintf(buffer + n, sizeof buffer - n, " II %u%s", u->ii, u->elastic ? " elastic" : "");
  return buffer;
}

Test(spec_isa, units_have_the_documented_ports, .timeout = 5)
{
  static const char *const want[] = {
      "sequencer: fetch dispatchx5 II 1 elastic",
      "dma_ld: dram.read mux dma2sp dma2vr II 1 elastic",
      "spm: spad.read spad.write dma2sp sp2vr wcol II 1 elastic",
      "vru: vr.read vr.write acol sp2vr dma2vr II 1 elastic",
      "array: wcol acol instructions mac cw II 1 elastic",
      "accu: cw ar.read ar.write alux2 ac2sp II 1 elastic",
      "dma_st: ac2sp dram.write II 1 elastic",
  };

  LINES_MATCH(want, kt_isa.n_units, unit_line);
}

static const char *opcode_line(size_t i)
{
  static const char *const uses[] = {"none", "rows", "trip"};
  const struct kt_opcode *op = &kt_isa.opcode[i];
  size_t n = (size_t)snprintf(buffer, sizeof buffer, "%u %s nr=%s%s", op->value, op->name,
                              uses[op->nr], op->retired ? " retired" : "");

  for (size_t o = 0; o < op->n_operands; o++) {
    const struct kt_operand *x = &op->operand[o];
    n += (size_t)snprintf(buffer + n, sizeof buffer - n, " f%u=%s", x->field, x->name);
    if (x->kind == KT_OPERAND_SELECT)
      n += (size_t)snprintf(buffer + n, sizeof buffer - n, "[%u of 0..%u]", (unsigned)x->n_legal,
                            x->legal[x->n_legal - 1]);
    if (x->kind == KT_OPERAND_BELOW)
      n += (size_t)snprintf(buffer + n, sizeof buffer - n, "[below %s]", x->limit.text);
  }
  return buffer;
}

Test(spec_isa, opcodes_and_operands_are_the_documented_ones, .timeout = 5)
{
  static const char *const want[] = {
      "0 nop nr=none",
      "1 dma_ld nr=rows f0=mode[4 of 0..3] f1=dram_row0 f2=col_block[below WPR] f3=dst_row0",
      "2 dma_st nr=none retired",
      "3 vld nr=rows f0=vr0 f1=spad0",
      "4 mm nr=rows f0=vr_a f1=ar0 f2=acc[2 of 0..1] f3=spad_w",
      "5 vadd nr=rows f0=ar_d f1=ar_s1 f2=ar_s2",
      "6 vrelu nr=rows f0=ar_d f1=ar_s",
      "7 mvout nr=rows f0=ar0 f1=dram_row0 f2=col_block[below WPR]",
      "8 loop nr=trip",
      "9 endloop nr=none",
      "10 vaddrelu nr=rows f0=ar_d f1=ar_s1 f2=ar_s2",
  };

  LINES_MATCH(want, kt_isa.n_opcodes, opcode_line);
  cr_assert(eq(u32, kt_operand(KT_OP_DMA_LD, 0)->fault, KT_FAULT_MODE));
  cr_assert(eq(u32, kt_operand(KT_OP_MM, 2)->fault, KT_FAULT_ACC));
  cr_assert(eq(u32, kt_operand(KT_OP_MVOUT, 2)->fault, KT_FAULT_COL_BLOCK));
}

static const char *slot_line(size_t i)
{
  static const char *const kinds[] = {"static", "steps", "items", "span"};
  const struct kt_slot *s = &kt_isa.slot[i];

  snprintf(buffer, sizeof buffer, "imem[%u] [%u:%u] %s = %s %s%s%s for %s", s->word, s->lsb,
           s->lsb + s->bits, s->name, kinds[s->kind], s->unit < 0 ? "" : kt_isa.unit[s->unit].name,
           s->port < 0 ? "" : kt_isa.unit[s->unit].port[s->port].name,
           s->memory < 0 ? "" : kt_isa.memory[s->memory].name, kt_isa.unit[s->consumer].name);
  return buffer;
}

Test(spec_isa, header_words_are_the_documented_ones, .timeout = 5)
{
  static const char *const want[] = {
      "imem[0] [0:16] n_instr = static  for sequencer",
      "imem[1] [0:16] dma_ld_rows = steps dma_ld for dma_ld",
      "imem[2] [0:16] spm_rows = steps spm for spm",
      "imem[3] [0:16] vru_words = steps vru for vru",
      "imem[4] [0:16] mm_count = items arrayinstructions for array",
      "imem[4] [16:32] mm_rows = items arraymac for array",
      "imem[5] [0:16] accu_iterations = steps accu for accu",
      "imem[6] [0:16] dma_st_rows = steps dma_st for dma_st",
      "imem[7] [0:16] a_span = span A for dma_ld",
      "imem[7] [16:32] b_span = span B for dma_ld",
  };

  LINES_MATCH(want, kt_isa.n_slots, slot_line);
  cr_assert(eq(u32, kt_isa.header_words, 8));
  cr_assert(eq(u32, kt_isa.count_max, 32767));
}

static const char *memory_line(size_t i)
{
  static const char *const host[] = {"", " host writes", " host reads"};
  const struct kt_memory *m = &kt_isa.memory[i];

  snprintf(buffer, sizeof buffer, "%s %d of %s: %s x %s, rows %s%s", m->name, m->code,
           kt_isa.unit[m->owner].name, m->depth.text, m->row_bits.text, m->rows.text,
           host[m->host]);
  return buffer;
}

Test(spec_isa, memory_map_is_the_documented_one, .timeout = 5)
{
  static const char *const want[] = {
      "spad 0 of spm: SPAD_ROWS x T * 8, rows SPAD_ROWS",
      "vr 1 of vru: NVR x T * 8, rows NVR",
      "ar 2 of accu: NAR x T * 32, rows NAR",
      "imem -1 of sequencer: IMEM_SIZE x 64, rows IMEM_SIZE host writes",
      "A -1 of dma_ld: MAXDIM * MAXDIM x 8, rows MAXDIM host writes",
      "B -1 of dma_ld: MAXDIM * MAXDIM x 8, rows MAXDIM host writes",
      "C -1 of dma_st: MAXDIM * MAXDIM x 8, rows MAXDIM host reads",
  };

  LINES_MATCH(want, kt_isa.n_memories, memory_line);
}

static const char *word0_line(size_t i)
{
  const struct kt_field *f = &kt_isa.word0[i];

  snprintf(buffer, sizeof buffer, "%s [%u:%u] %u 0..%u target %d", f->name, f->lsb,
           f->lsb + f->bits, f->bits, f->max, f->target);
  return buffer;
}

static const char *term_line(size_t i)
{
  const struct kt_field *f = &kt_isa.term[i];

  snprintf(buffer, sizeof buffer, "%s [%u:%u] %u 0..%u", f->name, f->lsb, f->lsb + f->bits, f->bits,
           f->max);
  return buffer;
}

Test(spec_isa, instruction_words_are_laid_out_as_documented, .timeout = 5)
{
  static const char *const word0[] = {
      "op [0:6] 6 0..31 target -1",     "f0 [6:18] 12 0..2047 target 1",
      "f1 [18:30] 12 0..2047 target 2", "f2 [30:42] 12 0..2047 target 3",
      "f3 [42:54] 12 0..2047 target 4", "nr [54:62] 8 0..127 target -1",
  };
  static const char *const term[] = {"target [0:4] 4 0..4", "level [4:7] 3 0..3",
                                     "stride [7:19] 12 0..2047"};

  LINES_MATCH(word0, kt_isa.n_word0, word0_line);
  LINES_MATCH(term, kt_isa.n_term, term_line);
  cr_assert(eq(u32, kt_isa.n_terms, 3));
  cr_assert(eq(u32, kt_isa.term_bits, 19));
  cr_assert(eq(u32, kt_isa.loop_depth, 4));
  cr_assert(eq(u32, kt_isa.ar_raw_dist, 4));
  cr_assert(eq(u32, kt_isa.spare_bits, 1));
  cr_assert(eq(u32, kt_isa.version, 1));
}

/* Every field keeps exactly one bit more than its value range needs. */
Test(spec_isa, every_field_keeps_a_spare_bit, .timeout = 5)
{
  for (size_t i = 0; i < kt_isa.n_word0; i++)
    cr_assert(eq(u32, kt_isa.word0[i].max, (1u << (kt_isa.word0[i].bits - 1)) - 1), "%s",
              kt_isa.word0[i].name);
  for (size_t i = 0; i < kt_isa.n_term; i++) {
    uint32_t usable = (1u << (kt_isa.term[i].bits - 1)) - 1;
    cr_assert(le(u32, kt_isa.term[i].max, usable), "%s", kt_isa.term[i].name);
    cr_assert(gt(u32, kt_isa.term[i].max, usable / 2), "%s has bits to spare", kt_isa.term[i].name);
  }
}

Test(spec_isa, generated_constants_have_the_documented_values, .timeout = 5)
{
  static const struct {
    const char *name;
    uint32_t is, want;
  } c[] = {
      {"op nop", KT_OP_NOP, 0},
      {"op dma_ld", KT_OP_DMA_LD, 1},
      {"op dma_st", KT_OP_DMA_ST, 2},
      {"op vld", KT_OP_VLD, 3},
      {"op mm", KT_OP_MM, 4},
      {"op vadd", KT_OP_VADD, 5},
      {"op vrelu", KT_OP_VRELU, 6},
      {"op mvout", KT_OP_MVOUT, 7},
      {"op loop", KT_OP_LOOP, 8},
      {"op endloop", KT_OP_ENDLOOP, 9},
      {"op vaddrelu", KT_OP_VADDRELU, 10},
      {"words", KT_IWORDS, 2},
      {"terms", KT_AGU_TERMS, 3},
      {"term bits", KT_TERM_BITS, 19},
      {"depth", KT_LOOP_DEPTH, 4},
      {"field max", KT_FIELD_MAX, 2047},
      {"nr max", KT_NR_MAX, 127},
      {"count max", KT_COUNT_MAX, 32767},
      {"distance", KT_AR_RAW_DIST, 4},
      {"header", KT_NHDR, 8},
      {"slots", KT_HDR_COUNT, 10},
      {"target max", KT_TARGET_MAX, 4},
      {"min trip", KT_LOOP_MIN_TRIP, 1},
      {"mode B", KT_MODE_B_BIT, 0},
      {"mode vr", KT_MODE_VR_BIT, 1},
      {"spad", KT_MEM_SPAD, 0},
      {"vr", KT_MEM_VR, 1},
      {"ar", KT_MEM_AR, 2},
      {"operand", KT_OPERAND_BITS, 8},
      {"acc", KT_ACC_BITS, 32},
      {"product", KT_PRODUCT_BITS, 16},
      {"sequencer", KT_UNIT_SEQUENCER, 0},
      {"unit dma_ld", KT_UNIT_DMA_LD, 1},
      {"spm", KT_UNIT_SPM, 2},
      {"vru", KT_UNIT_VRU, 3},
      {"array", KT_UNIT_ARRAY, 4},
      {"accu", KT_UNIT_ACCU, 5},
      {"dma_st", KT_UNIT_DMA_ST, 6},
      {"word bits", KT_WORD_BITS, 64},
  };

  for (size_t i = 0; i < sizeof c / sizeof c[0]; i++)
    cr_assert(eq(u32, c[i].is, c[i].want), "%s", c[i].name);
}

Test(spec_isa, opcode_sets_follow_the_table, .timeout = 5)
{
  cr_assert(eq(u64, KT_OPS_LEGAL, 0x7FB)); /* 0..10 without 2 */
  cr_assert(eq(u64, KT_OPS_ROWS, 0x4FA));  /* dma_ld vld mm vadd vrelu mvout vaddrelu */
  cr_assert(eq(u64, KT_OPS_USE_F0, 0x4FA));
  cr_assert(eq(u64, KT_OPS_USE_F1, 0x4FA));
  cr_assert(eq(u64, KT_OPS_USE_F2, 0x4B2)); /* without vld and vrelu */
  cr_assert(eq(u64, KT_OPS_USE_F3, 0x012)); /* dma_ld, mm */
}

Test(spec_isa, look_ups_find_what_exists_and_nothing_else, .timeout = 5)
{
  cr_assert(eq(str, (char *)kt_opcode(7)->name, "mvout"));
  cr_assert(eq(ptr, (void *)kt_opcode(11), NULL));
  cr_assert(eq(u32, kt_opcode_by_name("vaddrelu")->value, 10));
  cr_assert(eq(ptr, (void *)kt_opcode_by_name("matmul"), NULL));
  cr_assert(eq(ptr, (void *)kt_operand(KT_OP_VLD, 2), NULL));
  cr_assert(eq(ptr, (void *)kt_operand(63, 0), NULL));
  cr_assert(eq(str, (char *)kt_unit_name(4), "array"));
  cr_assert(eq(str, (char *)kt_unit_name(7), "?"));
  cr_assert(eq(str, (char *)kt_fault_name(18), "HEADER"));
  cr_assert(eq(str, (char *)kt_fault_name(0), "?"));
  cr_assert(eq(str, (char *)kt_fault_name(25), "?"));
}
