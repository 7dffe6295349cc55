/* SPDX-License-Identifier: Apache-2.0
 *
 * The checker's working state, shared by kc_check.c and kc_contract.c and nobody else.
 */
#ifndef KC_CHECK_H
#define KC_CHECK_H

#include "compiler/bytes/kc_op.h"
#include "compiler/bytes/kc_seq.h"

enum { KC_MEMORIES = 16 };

struct kc_check {
  const struct kt_params *p;
  int64_t env[KT_PARAMS_ENV_MAX];
  int64_t rows[KC_MEMORIES]; /* by index in kt_isa.memory */
  struct kc_check_ctx *chain;
  struct kc_seq seq;
  struct kt_insn insn;        /* the instruction at seq.pc ... */
  struct kc_issue issue;      /* ... resolved */
  const struct kt_opcode *op; /* its opcode; NULL before it is known and at the end */
  struct kc_fault fault;
  struct kt_msg *msg;
};

/* Records the fault at seq.pc and its text; always KT_EFAULT. */
__attribute__((format(printf, 5, 6))) enum kt_status kc_refuse(struct kc_check *c, uint32_t code,
                                                               uint32_t sub, uint32_t arg,
                                                               const char *fmt, ...);

/* UNWRITTEN and AR_DISTANCE of the issue's reads. */
enum kt_status kc_check_reads(struct kc_check *c);

/* Notes what the issue writes, and its accu steps. */
void kc_note_writes(struct kc_check *c);

/* KT_ELIMIT with the text for a header count past 15 bits. */
enum kt_status kc_count_too_large(uint32_t slot, uint64_t count, struct kt_msg *msg);

#endif
