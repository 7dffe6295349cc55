/* SPDX-License-Identifier: Apache-2.0
 *
 * Violations of the contracts: rows that nothing wrote, accumulator reads too close to the write.
 */
#include "compiler/fuzz/kc_plant.h"

#include "spec/generated/kt_tinytpu.h"

/* Every block here makes its own operands: weights in spad row 0.., activations in vr row 0..3. */
enum { ROWS = 4 };

static void load(struct kc_plant *pl, uint32_t memory, uint32_t row, uint32_t nr)
{
  struct kt_insn insn = kc_plant_plain(KT_OP_DMA_LD, nr);
  insn.f[0] = memory == KT_MEM_VR ? 1u << KT_MODE_VR_BIT : 0;
  insn.f[0] |= (uint16_t)(kc_rng_range(pl->rng, 0, 1) << KT_MODE_B_BIT);
  insn.f[3] = (uint16_t)row;
  kc_plant_add(pl, insn);
}

static void multiply(struct kc_plant *pl, uint32_t ar0, uint32_t nr)
{
  struct kt_insn insn = kc_plant_plain(KT_OP_MM, nr);
  insn.f[1] = (uint16_t)ar0;
  kc_plant_add(pl, insn);
}

static void operands(struct kc_plant *pl)
{
  load(pl, KT_MEM_SPAD, 0, pl->p->t);
  load(pl, KT_MEM_VR, 0, ROWS);
}

/* ---- unwritten rows ---- */

static void spad_unwritten(struct kc_plant *pl, uint32_t written, uint32_t b)
{
  (void)b;
  uint32_t t = pl->p->t;
  uint32_t row = kc_plant_fresh(pl, KT_MEM_SPAD, t);
  struct kt_insn mm = kc_plant_plain(KT_OP_MM, ROWS);
  uint32_t there = written == 0 ? 0 : t - written; /* rows that are written, from the first */
  if (there > 0) load(pl, KT_MEM_SPAD, row, there);
  load(pl, KT_MEM_VR, 0, ROWS);
  mm.f[3] = (uint16_t)row;
  kc_plant_add(pl, mm);
  kc_plant_fault(pl, KT_FAULT_UNWRITTEN, KT_MEM_SPAD, row + there);
}

static void vr_unwritten(struct kc_plant *pl, uint32_t written, uint32_t b)
{
  (void)b;
  uint32_t row = kc_plant_fresh(pl, KT_MEM_VR, ROWS);
  struct kt_insn mm = kc_plant_plain(KT_OP_MM, ROWS);
  load(pl, KT_MEM_SPAD, 0, pl->p->t);
  if (written > 0) load(pl, KT_MEM_VR, row, written);
  mm.f[0] = (uint16_t)row;
  kc_plant_add(pl, mm);
  kc_plant_fault(pl, KT_FAULT_UNWRITTEN, KT_MEM_VR, row + written);
}

/* The copy of an unwritten row is unwritten, even over a row that was written. */
static void copy_unwritten(struct kc_plant *pl, uint32_t a, uint32_t b)
{
  (void)a;
  (void)b;
  struct kt_insn vld = kc_plant_plain(KT_OP_VLD, 2);
  operands(pl);
  vld.f[0] = 1;
  vld.f[1] = (uint16_t)kc_plant_fresh(pl, KT_MEM_SPAD, 2);
  kc_plant_add(pl, vld);
  multiply(pl, 0, ROWS);
  kc_plant_fault(pl, KT_FAULT_UNWRITTEN, KT_MEM_VR, 1);
}

static void mm_base_unwritten(struct kc_plant *pl, uint32_t a, uint32_t b)
{
  (void)a;
  (void)b;
  uint32_t row = kc_plant_fresh(pl, KT_MEM_AR, ROWS);
  struct kt_insn mm = kc_plant_plain(KT_OP_MM, ROWS);
  operands(pl);
  mm.f[1] = (uint16_t)row;
  mm.f[2] = 1;
  kc_plant_add(pl, mm);
  kc_plant_fault(pl, KT_FAULT_UNWRITTEN, KT_MEM_AR, row);
}

/* a: opcode, b: field of the source that is not written. */
static void ar_unwritten(struct kc_plant *pl, uint32_t op, uint32_t field)
{
  uint32_t row = kc_plant_fresh(pl, KT_MEM_AR, 3 + ROWS) + ROWS;
  uint32_t written = row - ROWS;
  struct kt_insn insn = kc_plant_plain(op, 3);
  if (op != KT_OP_MVOUT) { /* the other source is written, long enough ago */
    operands(pl);
    multiply(pl, written, ROWS);
    multiply(pl, written, ROWS);
    multiply(pl, written, 1);
    insn.f[field == 1 ? 2 : 1] = (uint16_t)(written + 1);
  }
  if (op == KT_OP_VRELU) insn.f[2] = 0;
  insn.f[0] = (uint16_t)written;
  insn.f[field] = (uint16_t)row;
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_UNWRITTEN, KT_MEM_AR, row);
}

/* The rows before the unwritten one are too fresh as well; unwritten is looked for first. */
static void mvout_past_written(struct kc_plant *pl, uint32_t a, uint32_t b)
{
  (void)a;
  (void)b;
  uint32_t row = kc_plant_fresh(pl, KT_MEM_AR, 3);
  struct kt_insn mvout = kc_plant_plain(KT_OP_MVOUT, 3);
  operands(pl);
  multiply(pl, row, 2);
  mvout.f[0] = (uint16_t)row;
  kc_plant_add(pl, mvout);
  kc_plant_fault(pl, KT_FAULT_UNWRITTEN, KT_MEM_AR, row + 2);
}

/* ---- accumulator distance ---- */

/* Rows 0..7 of ar are written at least AR_RAW_DIST steps ago; then row 8 onwards, `fresh` rows. */
static void old_and_fresh(struct kc_plant *pl, uint32_t fresh)
{
  operands(pl);
  multiply(pl, 0, ROWS);
  multiply(pl, 4, ROWS);
  multiply(pl, 12, ROWS);
  multiply(pl, 8, fresh);
}

/* One row is read `distance` steps after its write: 1 .. 3. */
static void mm_too_close(struct kc_plant *pl, uint32_t distance, uint32_t b)
{
  (void)b;
  struct kt_insn mm = kc_plant_plain(KT_OP_MM, 1);
  old_and_fresh(pl, distance);
  mm.f[1] = 8;
  mm.f[2] = 1;
  kc_plant_add(pl, mm);
  kc_plant_fault(pl, KT_FAULT_AR_DISTANCE, 0, 8);
}

static void mvout_too_close(struct kc_plant *pl, uint32_t distance, uint32_t b)
{
  (void)b;
  struct kt_insn mvout = kc_plant_plain(KT_OP_MVOUT, 1);
  old_and_fresh(pl, distance);
  mvout.f[0] = 8;
  kc_plant_add(pl, mvout);
  kc_plant_fault(pl, KT_FAULT_AR_DISTANCE, 0, 8);
}

static void vrelu_too_close(struct kc_plant *pl, uint32_t distance, uint32_t b)
{
  (void)b;
  struct kt_insn vrelu = kc_plant_plain(KT_OP_VRELU, 1);
  old_and_fresh(pl, distance);
  vrelu.f[1] = 8;
  kc_plant_add(pl, vrelu);
  kc_plant_fault(pl, KT_FAULT_AR_DISTANCE, 1, 8);
}

/* The second source is read a step after the first. */
static void vadd_too_close(struct kc_plant *pl, uint32_t op, uint32_t field)
{
  struct kt_insn vadd = kc_plant_plain(op, 1);
  uint32_t distance = field == 1 ? 3 : 2; /* of s1 */
  old_and_fresh(pl, distance);
  vadd.f[0] = 4;
  vadd.f[field] = 8;
  kc_plant_add(pl, vadd);
  kc_plant_fault(pl, KT_FAULT_AR_DISTANCE, field, 8);
}

/* A row reads what an earlier row of the same instruction wrote. ahead: rows between them. */
static void within_one(struct kc_plant *pl, uint32_t op, uint32_t ahead)
{
  struct kt_insn insn = kc_plant_plain(op, 4);
  old_and_fresh(pl, ROWS);
  insn.f[0] = (uint16_t)ahead;
  insn.f[1] = 0;
  if (op != KT_OP_VRELU) insn.f[2] = 4;
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_AR_DISTANCE, 1, ahead);
}

/* The same through the second source of vadd, which reads a step later. */
static void within_one_second(struct kc_plant *pl, uint32_t op, uint32_t b)
{
  (void)b;
  struct kt_insn insn = kc_plant_plain(op, 4);
  old_and_fresh(pl, ROWS);
  insn.f[0] = 1;
  insn.f[1] = 4;
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_AR_DISTANCE, 2, 1);
}

const struct kc_kind kc_kinds_contents[] = {
    {"mm reads unwritten weights", spad_unwritten, NULL, 0, 0},
    {"the last weight row is unwritten", spad_unwritten, NULL, 1, 0},
    {"two weight rows are unwritten", spad_unwritten, NULL, 2, 0},
    {"mm reads unwritten activations", vr_unwritten, NULL, 0, 0},
    {"the last activation row is unwritten", vr_unwritten, NULL, 3, 0},
    {"mm reads a copy of an unwritten row", copy_unwritten, NULL, 0, 0},
    {"mm accumulates onto unwritten rows", mm_base_unwritten, NULL, 0, 0},
    {"vadd s1 unwritten", ar_unwritten, NULL, KT_OP_VADD, 1},
    {"vadd s2 unwritten", ar_unwritten, NULL, KT_OP_VADD, 2},
    {"vaddrelu s1 unwritten", ar_unwritten, NULL, KT_OP_VADDRELU, 1},
    {"vaddrelu s2 unwritten", ar_unwritten, NULL, KT_OP_VADDRELU, 2},
    {"vrelu s unwritten", ar_unwritten, NULL, KT_OP_VRELU, 1},
    {"mvout unwritten", ar_unwritten, NULL, KT_OP_MVOUT, 0},
    {"mvout past what is written", mvout_past_written, NULL, 0, 0},
    {"mm accumulates at distance 1", mm_too_close, NULL, 1, 0},
    {"mm accumulates at distance 3", mm_too_close, NULL, 3, 0},
    {"mvout at distance 2", mvout_too_close, NULL, 2, 0},
    {"mvout at distance 3", mvout_too_close, NULL, 3, 0},
    {"vrelu at distance 1", vrelu_too_close, NULL, 1, 0},
    {"vrelu at distance 3", vrelu_too_close, NULL, 3, 0},
    {"vadd s1 at distance 3", vadd_too_close, NULL, KT_OP_VADD, 1},
    {"vadd s2 at distance 3", vadd_too_close, NULL, KT_OP_VADD, 2},
    {"vaddrelu s1 at distance 3", vadd_too_close, NULL, KT_OP_VADDRELU, 1},
    {"vaddrelu s2 at distance 3", vadd_too_close, NULL, KT_OP_VADDRELU, 2},
    {"vadd reads its own row", within_one, NULL, KT_OP_VADD, 1},
    {"vadd reads its own row but one", within_one, NULL, KT_OP_VADD, 2},
    {"vaddrelu reads its own row", within_one, NULL, KT_OP_VADDRELU, 1},
    {"vrelu reads its own row", within_one, NULL, KT_OP_VRELU, 1},
    {"vrelu reads its own row but two", within_one, NULL, KT_OP_VRELU, 3},
    {"vadd s2 reads its own row", within_one_second, NULL, KT_OP_VADD, 0},
    {NULL, NULL, NULL, 0, 0},
};
