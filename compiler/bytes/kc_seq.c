/* SPDX-License-Identifier: Apache-2.0
 *
 * The sequencer's control flow and address generation, and expand on top of it.
 */
#include "compiler/bytes/kc_seq.h"

#include "spec/generated/kt_tinytpu.h"

#include <stdlib.h>

void kc_seq_start(struct kc_seq *seq, const uint64_t *words, size_t n_words)
{
  *seq = (struct kc_seq){.words = words, .n_instr = kc_program_instructions(n_words)};
}

static void resolve(const struct kc_seq *seq, const struct kt_insn *insn, uint32_t f[4])
{
  for (int i = 0; i < 4; i++)
    f[i] = insn->f[i];
  for (int i = 0; i < KT_AGU_TERMS; i++) {
    const struct kt_term *term = &insn->term[i];
    if (term->target < 1 || term->target > 4 || term->level >= seq->depth) continue;
    f[term->target - 1] += seq->iv[term->level] * term->stride;
  }
}

bool kc_seq_peek(const struct kc_seq *seq, struct kt_insn *insn, struct kc_issue *issue)
{
  if (seq->pc >= seq->n_instr) return false;

  kt_insn_unpack(seq->words + KT_NHDR + KT_IWORDS * seq->pc, insn);
  issue->instr = (uint32_t)seq->pc;
  issue->op = insn->op;
  issue->nr = insn->nr;
  resolve(seq, insn, issue->f);
  return true;
}

static enum kt_status push(struct kc_seq *seq, uint32_t trip, struct kt_msg *msg)
{
  if (seq->depth == KT_LOOP_DEPTH) {
    kt_msg_set(msg, "instruction %zu (loop): %d loops are open already (limit %d)", seq->pc,
               KT_LOOP_DEPTH, KT_LOOP_DEPTH);
    return KT_EINVAL;
  }
  seq->pc++;
  seq->body[seq->depth] = seq->pc;
  seq->iv[seq->depth] = 0;
  seq->trip[seq->depth] = trip;
  seq->depth++;
  return KT_OK;
}

static enum kt_status branch_or_pop(struct kc_seq *seq, struct kt_msg *msg)
{
  if (seq->depth == 0) {
    kt_msg_set(msg, "instruction %zu (endloop): no loop is open", seq->pc);
    return KT_EINVAL;
  }
  uint32_t top = seq->depth - 1;
  seq->iv[top]++;
  if (seq->iv[top] < seq->trip[top]) {
    seq->pc = seq->body[top];
  } else {
    seq->depth = top;
    seq->pc++;
  }
  return KT_OK;
}

enum kt_status kc_seq_step(struct kc_seq *seq, const struct kt_insn *insn, struct kt_msg *msg)
{
  if (++seq->executed > KC_DYNAMIC_MAX) {
    kt_msg_set(msg, "the program runs more than %d instructions, loops included",
               (int)KC_DYNAMIC_MAX);
    return KT_ELIMIT;
  }
  if (insn->op == KT_OP_LOOP) return push(seq, insn->nr, msg);
  if (insn->op == KT_OP_ENDLOOP) return branch_or_pop(seq, msg);
  seq->pc++;
  return KT_OK;
}

struct issue_list {
  struct kc_issue *items;
  size_t count, room;
};

static enum kt_status append(struct issue_list *list, const struct kc_issue *issue)
{
  if (list->count == list->room) {
    size_t room = list->room == 0 ? 64 : 2 * list->room;
    struct kc_issue *grown = realloc(list->items, room * sizeof *grown);
    if (grown == NULL) return KT_ENOMEM;
    list->items = grown;
    list->room = room;
  }
  list->items[list->count++] = *issue;
  return KT_OK;
}

static enum kt_status expand_all(struct kc_seq *seq, struct issue_list *list, struct kt_msg *msg)
{
  struct kt_insn insn;
  struct kc_issue issue;

  while (kc_seq_peek(seq, &insn, &issue)) {
    enum kt_status st = KT_OK;
    if (insn.op != KT_OP_LOOP && insn.op != KT_OP_ENDLOOP) st = append(list, &issue);
    if (st == KT_OK) st = kc_seq_step(seq, &insn, msg);
    if (st != KT_OK) return st;
  }
  if (seq->depth == 0) return KT_OK;
  kt_msg_set(msg, "%u loop(s) are open at the end of the program", (unsigned)seq->depth);
  return KT_EINVAL;
}

enum kt_status kc_expand(const uint64_t *words, size_t n_words, struct kc_issue **issues,
                         size_t *count, struct kt_msg *msg)
{
  struct kc_seq seq;
  struct issue_list list = {NULL, 0, 0};

  kc_seq_start(&seq, words, n_words);
  enum kt_status st = expand_all(&seq, &list, msg);
  if (st != KT_OK) {
    free(list.items);
    return st;
  }
  *issues = list.items;
  *count = list.count;
  return KT_OK;
}
