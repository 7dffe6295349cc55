/* SPDX-License-Identifier: Apache-2.0
 *
 * Violations of opcodes, row and trip counts, address terms and the loop stack.
 */
#include "compiler/fuzz/kc_plant.h"

#include "spec/generated/kt_tinytpu.h"

static void bad_nr(struct kc_plant *pl, uint32_t op, uint32_t nr)
{
  kc_plant_add(pl, kc_plant_plain(op, nr));
  kc_plant_fault(pl, KT_FAULT_NR, 0, nr);
}

/* a: loops open around it. */
static void trip_zero(struct kc_plant *pl, uint32_t open, uint32_t b)
{
  (void)b;
  for (uint32_t i = 0; i < open; i++)
    kc_plant_loop(pl, 2);
  kc_plant_loop(pl, 0);
  kc_plant_fault(pl, KT_FAULT_TRIP, 0, 0);
  uint32_t offender = pl->n - 1;
  for (uint32_t i = 0; i <= open; i++)
    kc_plant_endloop(pl);
  pl->offender = offender;
}

static void loop_too_long(struct kc_plant *pl, uint32_t trip, uint32_t b)
{
  (void)b;
  kc_plant_loop(pl, trip);
  kc_plant_fault(pl, KT_FAULT_NR, 0, trip);
}

/* Some term, its target not 0. Level 0 is open where a loop is. */
static struct kt_term some_term(struct kc_plant *pl)
{
  return (struct kt_term){(uint16_t)kc_rng_range(pl->rng, 1, 15),
                          (uint16_t)kc_rng_range(pl->rng, 0, 7),
                          (uint16_t)kc_rng_range(pl->rng, 0, 4095)};
}

static void bad_opcode(struct kc_plant *pl, uint32_t op, uint32_t with_term)
{
  struct kt_insn insn = {.op = (uint16_t)op, .nr = (uint16_t)kc_rng_range(pl->rng, 0, 255)};
  for (int i = 0; i < 4; i++)
    insn.f[i] = (uint16_t)kc_rng_range(pl->rng, 0, 4095);
  if (with_term) insn.term[kc_rng_range(pl->rng, 0, KT_AGU_TERMS - 1)] = some_term(pl);
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_OPCODE, 0, op);
}

static uint32_t term_bits(struct kt_term term)
{
  return (uint32_t)term.target << KT_TERM_TARGET_LSB | (uint32_t)term.level << KT_TERM_LEVEL_LSB |
         (uint32_t)term.stride << KT_TERM_STRIDE_LSB;
}

/* A term with target 0 is ignored, whatever else it holds. */
static void garbage_before(struct kc_plant *pl, struct kt_insn *insn, uint32_t slot)
{
  for (uint32_t i = 0; i < slot; i++) {
    insn->term[i].level = (uint16_t)kc_rng_range(pl->rng, 0, 7);
    insn->term[i].stride = (uint16_t)kc_rng_range(pl->rng, 0, 4095);
  }
}

static void term_forbidden(struct kc_plant *pl, uint32_t op, uint32_t slot)
{
  struct kt_insn insn = {.op = (uint16_t)op, .nr = 2};
  insn.term[slot] = some_term(pl);
  garbage_before(pl, &insn, slot);
  if (op == KT_OP_ENDLOOP) kc_plant_loop(pl, 2);
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_TERM_FORBIDDEN, slot, term_bits(insn.term[slot]));
}

/* The newest instruction gets a term, which it must not have. */
static void forbid_term(struct kc_plant *pl, uint32_t slot)
{
  struct kt_insn *insn = &pl->insn[pl->n - 1];
  insn->term[slot] = some_term(pl);
  kc_plant_fault(pl, KT_FAULT_TERM_FORBIDDEN, slot, term_bits(insn->term[slot]));
}

static void term_target(struct kc_plant *pl, uint32_t target, uint32_t slot)
{
  struct kt_insn insn = kc_plant_plain(KT_OP_VLD, 1);
  insn.term[slot] = some_term(pl);
  insn.term[slot].target = (uint16_t)target;
  garbage_before(pl, &insn, slot);
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_TERM_TARGET, slot, target);
}

static void term_level(struct kc_plant *pl, uint32_t level, uint32_t open)
{
  struct kt_insn insn = kc_plant_plain(KT_OP_VLD, 1);
  uint32_t slot = kc_rng_range(pl->rng, 0, KT_AGU_TERMS - 1);
  insn.term[slot] = (struct kt_term){(uint16_t)kc_rng_range(pl->rng, 1, 4), (uint16_t)level, 0};
  garbage_before(pl, &insn, slot);
  for (uint32_t i = 0; i < open; i++)
    kc_plant_loop(pl, 2);
  kc_plant_add(pl, insn);
  kc_plant_fault(pl, KT_FAULT_TERM_LEVEL, slot, level);
  uint32_t offender = pl->n - 1;
  for (uint32_t i = 0; i < open; i++)
    kc_plant_endloop(pl);
  pl->offender = offender;
}

/* A loop that has ended is not open any more. */
static void term_level_closed(struct kc_plant *pl, uint32_t a, uint32_t b)
{
  (void)a;
  (void)b;
  kc_plant_loop(pl, 2);
  kc_plant_endloop(pl);
  term_level(pl, 0, 0);
}

/* with_term: which comes before the count of loops. */
static void loop_overflow(struct kc_plant *pl, uint32_t with_term, uint32_t slot)
{
  for (uint32_t i = 0; i <= KT_LOOP_DEPTH; i++)
    kc_plant_loop(pl, 1 + i % 2);
  kc_plant_fault(pl, KT_FAULT_LOOP_OVERFLOW, 0, KT_LOOP_DEPTH);
  if (with_term) forbid_term(pl, slot);
  uint32_t offender = pl->n - 1;
  for (uint32_t i = 0; i <= KT_LOOP_DEPTH; i++)
    kc_plant_endloop(pl);
  pl->offender = offender;
}

/* balanced: loops before it. with_term: which comes before the count of loops. */
static void loop_underflow(struct kc_plant *pl, uint32_t balanced, uint32_t with_term)
{
  for (uint32_t i = 0; i < balanced; i++)
    kc_plant_loop(pl, 2);
  for (uint32_t i = 0; i <= balanced; i++)
    kc_plant_endloop(pl);
  kc_plant_fault(pl, KT_FAULT_LOOP_UNDERFLOW, 0, 0);
  if (with_term) forbid_term(pl, 1);
}

static void loop_open(struct kc_plant *pl, uint32_t open, uint32_t b)
{
  (void)b;
  for (uint32_t i = 0; i < open; i++)
    kc_plant_loop(pl, kc_rng_range(pl->rng, 1, 127));
  kc_plant_add(pl, (struct kt_insn){.op = KT_OP_NOP});
  pl->at_end = true;
  pl->end_fault = true;
  kc_plant_fault(pl, KT_FAULT_LOOP_OPEN, 0, open);
}

#define NR_OF(name, op) \
  {"nr 0 on " name, bad_nr, NULL, op, 0}, {"nr 128 on " name, bad_nr, NULL, op, 128}, \
      {"nr 255 on " name, bad_nr, NULL, op, 255}
#define FORBIDDEN(name, op) \
  {"term 0 on " name, term_forbidden, NULL, op, 0}, {"term 1 on " name, term_forbidden, NULL, op, 1}, \
      {"term 2 on " name, term_forbidden, NULL, op, 2}

const struct kc_kind kc_kinds_control[] = {
    {"retired opcode 2", bad_opcode, NULL, KT_OP_DMA_ST, 0},
    {"opcode 11", bad_opcode, NULL, 11, 0},
    {"opcode 31", bad_opcode, NULL, 31, 0},
    {"opcode 32", bad_opcode, NULL, 32, 0},
    {"opcode 63", bad_opcode, NULL, 63, 0},
    {"opcode of a loop and 16", bad_opcode, NULL, KT_OP_LOOP + 16, 0},
    {"opcode of an endloop and 32", bad_opcode, NULL, KT_OP_ENDLOOP + 32, 0},
    {"opcode 63 with a term", bad_opcode, NULL, 63, 1},
    NR_OF("dma_ld", KT_OP_DMA_LD),
    NR_OF("vld", KT_OP_VLD),
    NR_OF("mm", KT_OP_MM),
    NR_OF("vadd", KT_OP_VADD),
    NR_OF("vrelu", KT_OP_VRELU),
    NR_OF("mvout", KT_OP_MVOUT),
    NR_OF("vaddrelu", KT_OP_VADDRELU),
    {"trip 0", trip_zero, NULL, 0, 0},
    {"trip 0 in two loops", trip_zero, NULL, 2, 0},
    {"trip 128", loop_too_long, NULL, 128, 0},
    {"trip 255", loop_too_long, NULL, 255, 0},
    FORBIDDEN("loop", KT_OP_LOOP),
    FORBIDDEN("endloop", KT_OP_ENDLOOP),
    FORBIDDEN("nop", KT_OP_NOP),
    {"target 5", term_target, NULL, 5, 0},
    {"target 6 in term 1", term_target, NULL, 6, 1},
    {"target 8 in term 2", term_target, NULL, 8, 2},
    {"target 15", term_target, NULL, 15, 0},
    {"level 0, no loop", term_level, NULL, 0, 0},
    {"level 0, loop closed", term_level_closed, NULL, 0, 0},
    {"level 1 of one", term_level, NULL, 1, 1},
    {"level 3 of three", term_level, NULL, 3, 3},
    {"level 4 of four", term_level, NULL, 4, 4},
    {"level 7 of four", term_level, NULL, 7, 4},
    {"five loops", loop_overflow, NULL, 0, 0},
    {"five loops, the last with term 2", loop_overflow, NULL, 1, 2},
    {"endloop first", loop_underflow, NULL, 0, 0},
    {"endloop first, with a term", loop_underflow, NULL, 0, 1},
    {"endloop after a loop", loop_underflow, NULL, 1, 0},
    {"endloop after a nest", loop_underflow, NULL, 4, 0},
    {"one loop open at the end", loop_open, NULL, 1, 0},
    {"two loops open at the end", loop_open, NULL, 2, 0},
    {"four loops open at the end", loop_open, NULL, 4, 0},
    {NULL, NULL, NULL, 0, 0},
};
