/* SPDX-License-Identifier: Apache-2.0
 *
 * Planting one violation in a legal program: shared by the kc_plant_*.c files and kc_fuzz_illegal.c.
 */
#ifndef KC_PLANT_H
#define KC_PLANT_H

#include "compiler/fuzz/kc_fuzz.h"
#include "compiler/fuzz/kc_rng.h"

enum { KC_PLANT_MAX = 14 }; /* instructions of a planted block */

/* A block of instructions, the last one executed being the offender. */
struct kc_plant {
  const struct kt_params *p;
  struct kc_rng *rng;
  const struct kc_check_ctx *before; /* what is written where the block goes */
  struct kt_insn insn[KC_PLANT_MAX];
  uint32_t n;
  bool at_end;            /* goes behind the program's last instruction, not somewhere in it */
  bool end_fault;         /* found at the end of the program: instr = its number of instructions */
  uint32_t offender;      /* index in insn */
  struct kc_fault fault;  /* without instr */
  bool impossible;        /* this build cannot break it this way */
};

/* a and b come from the table of kinds. */
typedef void kc_plant_fn(struct kc_plant *pl, uint32_t a, uint32_t b);

/* The same for violations of a whole program: changes the words and gives the whole fault. */
typedef enum kt_status kc_spoil_fn(const struct kt_params *p, struct kc_rng *rng,
                                   struct kc_program *program, struct kc_fault *fault, uint32_t a,
                                   uint32_t b);

struct kc_kind {
  const char *name;
  kc_plant_fn *plant; /* one of the two */
  kc_spoil_fn *spoil;
  uint32_t a, b;
};

/* Tables end with name NULL. */
extern const struct kc_kind kc_kinds_control[]; /* opcodes, nr, loops, terms */
extern const struct kc_kind kc_kinds_fields[];  /* ranges, selects, memory bounds */
extern const struct kc_kind kc_kinds_contents[]; /* unwritten rows, accumulator distance */
extern const struct kc_kind kc_kinds_program[]; /* length and header */

/* Adds to the block; the last one added is the offender until told otherwise. */
void kc_plant_add(struct kc_plant *pl, struct kt_insn insn);
void kc_plant_loop(struct kc_plant *pl, uint32_t trip);
void kc_plant_endloop(struct kc_plant *pl);

void kc_plant_fault(struct kc_plant *pl, uint32_t code, uint32_t sub, uint32_t arg);

/* A data instruction with nr rows and all fields 0: legal but for the contracts. */
struct kt_insn kc_plant_plain(uint32_t op, uint32_t nr);

/* First of n rows of a memory (KT_MEM_*) that nothing has written; impossible is set if none. */
uint32_t kc_plant_fresh(struct kc_plant *pl, uint32_t memory, uint32_t n);

/* Rows of a memory (KT_MEM_*). */
uint32_t kc_plant_depth(const struct kt_params *p, uint32_t memory);

#endif
