/* SPDX-License-Identifier: Apache-2.0
 *
 * The sequencer's control flow and address generation, one instruction at a time. Checks nothing
 * but the loop stack; the checker looks at each instruction before it steps.
 */
#ifndef KC_SEQ_H
#define KC_SEQ_H

#include "compiler/bytes/kc_program.h"

struct kc_seq {
  const uint64_t *words; /* the program, header first */
  size_t n_instr;
  size_t pc; /* static index; n_instr at the end */
  uint32_t depth;
  size_t body[4]; /* first instruction of each open loop's body */
  uint32_t iv[4];
  uint32_t trip[4];
  uint64_t executed;
};

void kc_seq_start(struct kc_seq *seq, const uint64_t *words, size_t n_words);

/* The instruction at pc and its resolved form. False at the end of the program. */
bool kc_seq_peek(const struct kc_seq *seq, struct kt_insn *insn, struct kc_issue *issue);

/* Moves past the instruction that kc_seq_peek gave. KT_EINVAL: the loop stack over- or underflows
 * (state unchanged); KT_ELIMIT: KC_DYNAMIC_MAX. */
enum kt_status kc_seq_step(struct kc_seq *seq, const struct kt_insn *insn, struct kt_msg *msg);

#endif
