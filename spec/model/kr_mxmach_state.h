/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the machine model: its state, and what its parts ask of each other.
 */
#ifndef KR_MXMACH_STATE_H
#define KR_MXMACH_STATE_H

#include "spec/kt_mx.h"
#include "spec/kt_mx_params.h"
#include "spec/kt_status.h"
#include "spec/model/kr_mxfp7.h"

#include <stdbool.h>
#include <stdint.h>

enum {
  KR_MX_SIDES = 2,
  KR_MX_ENTRIES_MAX = 512, /* a side; entry e of bank b is number b * 256 + e */
  KR_MX_BANK = 256,
  KR_MX_TILES_MAX = 512,
  KR_MX_ELEMENTS = 16, /* of a sub-tile, row-major */
  KR_MX_DRAINS = 2,    /* DRAINs that a node holds */
  KR_MX_NODE = 0,
  KR_MX_ENGINE = 255 /* who faulted: the command engine */
};

struct kr_mx_fault_now {
  uint32_t code, field, node, arg, instr, command;
};

struct kr_mx_pending {
  bool fused, last; /* last of its kick: its completion returns no credit */
  uint32_t dtype, addr, rows, columns, stride, tile;
  uint32_t next;  /* sub-tiles written */
  uint32_t instr; /* its number */
  /* A plain one behind a fused one: the words as they were when it came (nobody may write them
   * until it has read them). */
  double (*words)[KR_MX_ELEMENTS];
};

struct kr_mx_totals {
  uint32_t overflow, clamped, flushed, nan, poisoned, read_beats, write_beats, steps, sent,
      completed;
};

struct kr_mxmach {
  struct kt_mx_params p;
  uint8_t *mem;
  uint64_t mem_size;
  uint8_t *unwritten; /* a bit a word of 32 bytes: a DRAIN of this run has yet to write it, as far as
                         the program can know */

  struct kt_mx_flit *staging;
  uint32_t (*commands)[KT_MX_COMMAND_WORDS];
  uint32_t stage_index, command_index, watchdog, memory_bytes;
  uint32_t base, length, credit;
  uint32_t status, done_code;
  struct kr_mx_fault_now fault; /* code 0 = none */
  struct kr_mx_totals total;

  /* the run */
  struct kt_msg *msg;
  bool refused;       /* what the hardware does is not defined; msg says why */
  uint32_t command;   /* where the engine stands */
  uint32_t kick_next, kick_end; /* what is still to be sent of the kick under way */
  uint32_t kicked;    /* instructions of all kicks */
  struct kr_mx_pending drain[KR_MX_DRAINS];
  uint32_t drains;

  /* on chip; blocks of entry e are at 4 * e */
  struct kr_mx_block block[KR_MX_SIDES][KR_MX_ENTRIES_MAX * KT_MX_LANES];
  double scale[KR_MX_SIDES][KR_MX_ENTRIES_MAX * KT_MX_LANES];
  bool named[KR_MX_SIDES][KR_MX_ENTRIES_MAX];
  double tile[KR_MX_TILES_MAX][KR_MX_ELEMENTS]; /* FP22 values as numbers */
  bool begun[KR_MX_TILES_MAX];
};

/* Keeps the first. instr: its number since go. */
void kr_mx_fault_set(struct kr_mxmach *m, uint32_t code, uint32_t field, uint32_t node,
                     uint32_t arg, uint32_t instr);

/* Refuses the program. */
__attribute__((format(printf, 2, 3))) void kr_mx_refuse(struct kr_mxmach *m, const char *fmt, ...);

/* The static checks, in the page's order: false and a fault where one fails. */
bool kr_mx_insn_ok(struct kr_mxmach *m, const struct kt_mx_flit *f, uint32_t instr);

/* A word of 32 bytes at addr, for `what`: NULL after a fault or a refusal. */
uint8_t *kr_mx_word(struct kr_mxmach *m, uint64_t addr, bool write, uint32_t instr);

void kr_mx_fill(struct kr_mxmach *m, const struct kt_mx_flit *f, uint32_t instr);
void kr_mx_quantise_memory(struct kr_mxmach *m, const struct kt_mx_flit *f, uint32_t instr);
void kr_mx_gemm(struct kr_mxmach *m, const struct kt_mx_flit *f, uint32_t instr);
void kr_mx_drain(struct kr_mxmach *m, const struct kt_mx_flit *f, uint32_t instr, bool last);

/* Whether the instruction, which is legal, cannot start before a later one has run, which is never:
 * a DRAIN without room, a GEMM that writes words which a DRAIN has yet to read. */
bool kr_mx_blocked(const struct kr_mxmach *m, const struct kt_mx_flit *f);

/* A GEMM's sub-tile leaves for the fused DRAIN in front. */
void kr_mx_emit(struct kr_mxmach *m, const double word[KR_MX_ELEMENTS]);

/* Sub-tiles that fused DRAINs wait for. */
uint32_t kr_mx_awaited(const struct kr_mxmach *m);

/* Drops the DRAINs that wait. */
void kr_mx_drains_drop(struct kr_mxmach *m);

/* Counts a completion and returns its credit. */
void kr_mx_complete(struct kr_mxmach *m, bool last);

/* From the accepted go to done. */
void kr_mx_run(struct kr_mxmach *m);

#endif
