/* SPDX-License-Identifier: Apache-2.0
 *
 * Violations of resolved fields: the encoding's range, legal values, memory bounds.
 */
#include "compiler/fuzz/kc_plant.h"

#include "spec/generated/kt_tinytpu.h"

enum { HOST_ROWS = 3 }; /* rows of A, B and C, beside KT_MEM_* */

/* Names a field of an opcode in the table of kinds. */
#define AT(op, field) ((uint32_t)(op) << 4 | (field))
static uint32_t op_of(uint32_t at) { return at >> 4; }
static uint32_t field_of(uint32_t at) { return at & 15; }

static void range(struct kc_plant *pl, uint32_t at, uint32_t value)
{
  struct kt_insn insn = kc_plant_plain(op_of(at), 1);
  insn.f[field_of(at)] = (uint16_t)value;
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_FIELD_RANGE, field_of(at), value);
}

/* Legal for the first iterations, past the range in iteration `turn`. vld may copy anything. */
static void range_in_loop(struct kc_plant *pl, uint32_t field, uint32_t stride)
{
  struct kt_insn insn = kc_plant_plain(KT_OP_VLD, 1);
  uint32_t turn = 3;
  uint32_t base = KT_FIELD_MAX - 2 * stride; /* legal at 2, not at 3 */
  insn.f[field] = (uint16_t)base;
  insn.term[1] = (struct kt_term){(uint16_t)(field + 1), 0, (uint16_t)stride};
  kc_plant_loop(pl, 6);
  kc_plant_add(pl, insn);
  kc_plant_endloop(pl);
  pl->offender = 1;
  kc_plant_fault(pl, KT_FAULT_FIELD_RANGE, field, base + turn * stride);
}

/* The sum of three terms needs more than the field's own bits. */
static void range_of_sum(struct kc_plant *pl, uint32_t field, uint32_t b)
{
  (void)b;
  struct kt_insn insn = kc_plant_plain(KT_OP_VLD, 1);
  for (uint32_t i = 0; i < KT_AGU_TERMS; i++)
    insn.term[i] = (struct kt_term){(uint16_t)(field + 1), 0, 4095};
  kc_plant_loop(pl, 2);
  kc_plant_add(pl, insn);
  kc_plant_endloop(pl);
  pl->offender = 1;
  kc_plant_fault(pl, KT_FAULT_FIELD_RANGE, field, 3 * 4095);
}

static void mode(struct kc_plant *pl, uint32_t value, uint32_t b)
{
  (void)b;
  struct kt_insn insn = kc_plant_plain(KT_OP_DMA_LD, 1);
  insn.f[0] = (uint16_t)value;
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_MODE, 0, value);
}

static void mode_in_loop(struct kc_plant *pl, uint32_t a, uint32_t b)
{
  (void)a;
  (void)b;
  struct kt_insn insn = kc_plant_plain(KT_OP_DMA_LD, 2);
  insn.term[0] = (struct kt_term){1, 0, 1};
  kc_plant_loop(pl, 5);
  kc_plant_add(pl, insn);
  kc_plant_endloop(pl);
  pl->offender = 1;
  kc_plant_fault(pl, KT_FAULT_MODE, 0, 4);
}

static void acc(struct kc_plant *pl, uint32_t value, uint32_t b)
{
  (void)b;
  struct kt_insn insn = kc_plant_plain(KT_OP_MM, 1);
  insn.f[2] = (uint16_t)value;
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_ACC, 2, value);
}

/* From base 0 by stride 1 acc lasts two trips. */
static void acc_in_loop(struct kc_plant *pl, uint32_t a, uint32_t b)
{
  (void)a;
  (void)b;
  struct kt_insn weights = kc_plant_plain(KT_OP_DMA_LD, pl->p->t);
  struct kt_insn rows = kc_plant_plain(KT_OP_DMA_LD, 4);
  struct kt_insn mm = kc_plant_plain(KT_OP_MM, 4);
  rows.f[0] = 1u << KT_MODE_VR_BIT;
  mm.term[2] = (struct kt_term){3, 0, 1};
  kc_plant_add(pl, weights);
  kc_plant_add(pl, rows);
  kc_plant_loop(pl, 4);
  kc_plant_add(pl, mm);
  kc_plant_endloop(pl);
  pl->offender = 3;
  kc_plant_fault(pl, KT_FAULT_ACC, 2, 2);
}

/* value 0 stands for the first illegal one. */
static void col_block(struct kc_plant *pl, uint32_t op, uint32_t value)
{
  uint32_t wpr = pl->p->maxdim / pl->p->t;
  struct kt_insn insn = kc_plant_plain(op, 1);
  uint32_t col = value == 0 ? wpr : value;
  insn.f[2] = (uint16_t)col;
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_COL_BLOCK, 2, col);
}

static void col_block_in_loop(struct kc_plant *pl, uint32_t a, uint32_t b)
{
  (void)a;
  (void)b;
  uint32_t wpr = pl->p->maxdim / pl->p->t;
  struct kt_insn insn = kc_plant_plain(KT_OP_DMA_LD, 1);
  insn.f[2] = (uint16_t)(wpr - 1);
  insn.term[0] = (struct kt_term){3, 1, 1};
  kc_plant_loop(pl, 2);
  kc_plant_loop(pl, 3);
  kc_plant_add(pl, insn);
  kc_plant_endloop(pl);
  kc_plant_endloop(pl);
  pl->offender = 2;
  kc_plant_fault(pl, KT_FAULT_COL_BLOCK, 2, wpr);
}

static uint32_t depth_of(const struct kc_plant *pl, uint32_t memory)
{
  return memory == HOST_ROWS ? pl->p->maxdim : kc_plant_depth(pl->p, memory);
}

static uint32_t rows_of(const struct kc_plant *pl, uint32_t at, uint32_t nr)
{
  return at == AT(KT_OP_MM, 3) ? pl->p->t : nr;
}

static struct kt_insn bounded(uint32_t at, uint32_t memory, uint32_t nr)
{
  struct kt_insn insn = kc_plant_plain(op_of(at), nr);
  if (at == AT(KT_OP_DMA_LD, 3) && memory == KT_MEM_VR) insn.f[0] = 1u << KT_MODE_VR_BIT;
  return insn;
}

/* One row too far. */
static void memory_edge(struct kc_plant *pl, uint32_t at, uint32_t memory)
{
  uint32_t nr = kc_rng_range(pl->rng, 2, 4);
  uint32_t depth = depth_of(pl, memory);
  struct kt_insn insn = bounded(at, memory, nr);
  insn.f[field_of(at)] = (uint16_t)(depth - rows_of(pl, at, nr) + 1);
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_FIELD_MEMORY, field_of(at), depth);
}

/* The largest value that the encoding admits. */
static void memory_far(struct kc_plant *pl, uint32_t at, uint32_t memory)
{
  uint32_t nr = kc_rng_range(pl->rng, 2, 4);
  struct kt_insn insn = bounded(at, memory, nr);
  insn.f[field_of(at)] = KT_FIELD_MAX;
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_FIELD_MEMORY, field_of(at),
                 KT_FIELD_MAX + rows_of(pl, at, nr) - 1);
}

static void memory_in_loop(struct kc_plant *pl, uint32_t at, uint32_t memory)
{
  uint32_t depth = depth_of(pl, memory);
  struct kt_insn insn = bounded(at, memory, 2);
  if (depth > KT_FIELD_MAX) pl->impossible = true; /* the range check comes first */
  insn.f[field_of(at)] = (uint16_t)(depth - 6);
  insn.term[2] = (struct kt_term){(uint16_t)(field_of(at) + 1), 0, 2};
  kc_plant_loop(pl, 9);
  kc_plant_add(pl, insn);
  kc_plant_endloop(pl);
  pl->offender = 1;
  kc_plant_fault(pl, KT_FAULT_FIELD_MEMORY, field_of(at), depth + 1);
}

#define RANGE_OF(name, op)                                  \
  {name " f0 = 2048", range, NULL, AT(op, 0), 2048},        \
      {name " f1 = 2048", range, NULL, AT(op, 1), 2048},    \
      {name " f2 = 2048", range, NULL, AT(op, 2), 2048},    \
      {name " f3 = 4095", range, NULL, AT(op, 3), 4095}
#define BOUND_OF(name, op, field, memory)                                  \
  {name " one row past the end", memory_edge, NULL, AT(op, field), memory}, \
      {name " = 2047", memory_far, NULL, AT(op, field), memory}

const struct kc_kind kc_kinds_fields[] = {
    RANGE_OF("dma_ld", KT_OP_DMA_LD),
    RANGE_OF("vld", KT_OP_VLD),
    RANGE_OF("mm", KT_OP_MM),
    RANGE_OF("vadd", KT_OP_VADD),
    RANGE_OF("vrelu", KT_OP_VRELU),
    RANGE_OF("mvout", KT_OP_MVOUT),
    RANGE_OF("vaddrelu", KT_OP_VADDRELU),
    {"unused f2 past 2047 in a loop", range_in_loop, NULL, 2, 1},
    {"unused f3 past 2047 in a loop", range_in_loop, NULL, 3, 1000},
    {"sum of three terms past 12 bits", range_of_sum, NULL, 3, 0},
    {"mode 4", mode, NULL, 4, 0},
    {"mode 7", mode, NULL, 7, 0},
    {"mode 2047", mode, NULL, 2047, 0},
    {"mode 4 in a loop", mode_in_loop, NULL, 0, 0},
    {"acc 2", acc, NULL, 2, 0},
    {"acc 2047", acc, NULL, 2047, 0},
    {"acc 2 in a loop", acc_in_loop, NULL, 0, 0},
    {"dma_ld col_block = WPR", col_block, NULL, KT_OP_DMA_LD, 0},
    {"dma_ld col_block = 2047", col_block, NULL, KT_OP_DMA_LD, 2047},
    {"mvout col_block = WPR", col_block, NULL, KT_OP_MVOUT, 0},
    {"mvout col_block = 2047", col_block, NULL, KT_OP_MVOUT, 2047},
    {"col_block = WPR in a loop", col_block_in_loop, NULL, 0, 0},
    BOUND_OF("dma_ld dram_row0", KT_OP_DMA_LD, 1, HOST_ROWS),
    BOUND_OF("dma_ld spad row", KT_OP_DMA_LD, 3, KT_MEM_SPAD),
    BOUND_OF("dma_ld vr row", KT_OP_DMA_LD, 3, KT_MEM_VR),
    BOUND_OF("vld vr0", KT_OP_VLD, 0, KT_MEM_VR),
    BOUND_OF("vld spad0", KT_OP_VLD, 1, KT_MEM_SPAD),
    BOUND_OF("mm vr_a", KT_OP_MM, 0, KT_MEM_VR),
    BOUND_OF("mm ar0", KT_OP_MM, 1, KT_MEM_AR),
    BOUND_OF("mm spad_w", KT_OP_MM, 3, KT_MEM_SPAD),
    BOUND_OF("vadd ar_d", KT_OP_VADD, 0, KT_MEM_AR),
    BOUND_OF("vadd ar_s1", KT_OP_VADD, 1, KT_MEM_AR),
    BOUND_OF("vadd ar_s2", KT_OP_VADD, 2, KT_MEM_AR),
    BOUND_OF("vrelu ar_d", KT_OP_VRELU, 0, KT_MEM_AR),
    BOUND_OF("vrelu ar_s", KT_OP_VRELU, 1, KT_MEM_AR),
    BOUND_OF("mvout ar0", KT_OP_MVOUT, 0, KT_MEM_AR),
    BOUND_OF("mvout dram_row0", KT_OP_MVOUT, 1, HOST_ROWS),
    BOUND_OF("vaddrelu ar_d", KT_OP_VADDRELU, 0, KT_MEM_AR),
    BOUND_OF("vaddrelu ar_s1", KT_OP_VADDRELU, 1, KT_MEM_AR),
    BOUND_OF("vaddrelu ar_s2", KT_OP_VADDRELU, 2, KT_MEM_AR),
    {"vld spad0 past the end in a loop", memory_in_loop, NULL, AT(KT_OP_VLD, 1), KT_MEM_SPAD},
    {NULL, NULL, NULL, 0, 0},
};
