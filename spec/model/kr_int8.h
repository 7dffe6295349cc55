/* SPDX-License-Identifier: Apache-2.0
 *
 * The int8 core's reference model, the referee: executes a descriptor list at the level of the
 * instruction set, bit for bit and fault for fault as docs/int8-interface.md says, with no notion
 * of time. Written from that page and the specification, never from the Verilog.
 *
 * A model is a plain value of its parameters: no global state, two models run in two threads.
 */
#ifndef KR_INT8_H
#define KR_INT8_H

#include "spec/kt_insn.h"
#include "spec/kt_params.h"
#include "spec/kt_status.h"

#include <stddef.h>
#include <stdint.h>

struct kr_int8;

/* Device memory: byte addresses 0 .. size-1. The caller owns bytes; a run writes C only. */
struct kr_mem {
  uint8_t *bytes;
  uint64_t size;
};

/* As the FAULT* registers show it; code 0 = none. */
struct kr_fault {
  uint32_t code, sub, arg, instr, desc;
};

enum { KR_OPCODES = 1 << KT_W0_OP_BITS };

struct kr_result {
  struct kr_fault fault;     /* what the hardware must report */
  struct kr_fault violation; /* first contract violation (UNWRITTEN, AR_DISTANCE), whether the build
                                checks contracts or not; code 0 = none. Where the build does not,
                                the run goes on and the values touched are unspecified. */
  uint64_t event_sat;  /* lanes saturated by mvout, all T lanes; the register stops at 2^32 - 1,
                          this does not */
  uint64_t event_wrap; /* lanes written to ar by vadd, vaddrelu or an accumulating mm whose
                          exact sum left int32, all T lanes; likewise */
  uint64_t macs;       /* nr * T * T an mm */
  uint64_t issues;     /* instructions dispatched without fault, loop, endloop, nop too */
  uint64_t op_issues[KR_OPCODES]; /* the same by opcode */
  uint64_t unit_steps[KT_UNITS];  /* steps by KT_UNIT_*, the specification's count */
  uint64_t row_writes;            /* rows that mvout wrote to C */
  uint32_t desc_done;             /* descriptors completed */
};

/* A mvout row, told right after its bytes were written. */
struct kr_trace_row {
  uint32_t desc;    /* index in the list */
  uint32_t instr;   /* static index of the mvout */
  uint64_t issue;   /* its number among the descriptor's dispatched instructions, from 0 */
  uint32_t ar_row;  /* accumulator row that leaves */
  uint32_t c_row;   /* row r of C */
  uint32_t c_block; /* column block c of C */
  uint32_t form;    /* KT_FORM_* */
  uint32_t shift;   /* 0..31 */
  uint64_t c_addr;  /* byte address of lane 0 */
  uint32_t c_bytes; /* bytes written: T, or 4 * T in the int32 form */
};
typedef void kr_trace_fn(void *ctx, const struct kr_trace_row *row);

/* A model of the build p (copied). On-chip memories start zeroed; the core never clears them, and
 * no result of a program that keeps its contracts depends on them (kr_int8_scramble shows it).
 * NULL where p is not legal or memory is short. */
struct kr_int8 *kr_int8_new(const struct kt_params *p);
void kr_int8_free(struct kr_int8 *m); /* NULL is allowed */

/* Fills spad, vr and ar with noise drawn from seed. */
void kr_int8_scramble(struct kr_int8 *m, uint64_t seed);

/* fn (NULL: none) is called for every mvout row of later runs. */
void kr_int8_set_trace(struct kr_int8 *m, kr_trace_fn *fn, void *ctx);

/* Later runs give up with KT_ELIMIT after this many issues; 0 (the default) never does. */
void kr_int8_set_issue_limit(struct kr_int8 *m, uint64_t limit);

/* One start: count > 0 runs the list at list_addr, count == 0 the register descriptor *reg (else
 * unused, may be NULL). Contents of spad, vr and ar stay from run to run.
 *
 * KT_OK       ran to the end, or to the fault that the hardware must give (r->fault)
 * KT_EFAULT   refused, what the hardware does then is not defined (msg names descriptor,
 *             instruction and address): within a descriptor C overlaps bytes that it reads from A,
 *             B or its program; or a descriptor reads A or B where an earlier one of the list
 *             wrote C, with no fence on the reader or between; or a program or descriptor of the
 *             list lies where an earlier descriptor wrote C (a fence orders A and B only)
 * KT_ELIMIT   the issue limit
 * KT_EINVAL, KT_ENOMEM
 * r is filled as far as the run came; msg may be NULL. */
enum kt_status kr_int8_run(struct kr_int8 *m, struct kr_mem *mem, uint32_t list_addr,
                           uint32_t count, const struct kt_desc_words *reg, struct kr_result *r,
                           struct kt_msg *msg);

/* One row of an on-chip memory, T lanes; NULL past its depth. Valid until the next call. */
const int8_t *kr_int8_spad(const struct kr_int8 *m, uint32_t row);
const int8_t *kr_int8_vr(const struct kr_int8 *m, uint32_t row);
const int32_t *kr_int8_ar(const struct kr_int8 *m, uint32_t row);

#endif
