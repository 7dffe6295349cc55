/* SPDX-License-Identifier: Apache-2.0
 *
 * The header: what a program promises each unit, counted from the actions of its issues.
 */
#include "compiler/bytes/kc_check.h"

#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_actions.h"

#include <string.h>

enum { SLOT_MAX = 65535 }; /* a slot is 16 bits wide; counts saturate there, as in hardware */

void kc_header_unpack(const uint64_t words[], uint32_t slots[])
{
  for (size_t i = 0; i < kt_isa.n_slots; i++) {
    const struct kt_slot *slot = &kt_isa.slot[i];
    slots[i] = (uint32_t)(words[slot->word] >> slot->lsb) & ((1u << slot->bits) - 1);
  }
}

void kc_header_pack(const uint32_t slots[], uint64_t words[])
{
  memset(words, 0, KT_NHDR * sizeof *words);
  for (size_t i = 0; i < kt_isa.n_slots; i++) {
    const struct kt_slot *slot = &kt_isa.slot[i];
    words[slot->word] |= (uint64_t)(slots[i] & ((1u << slot->bits) - 1)) << slot->lsb;
  }
}

enum kt_status kc_count_too_large(uint32_t slot, uint64_t count, struct kt_msg *msg)
{
  kt_msg_set(msg, "header count %s = %llu does not fit 15 bits (limit %d)", kt_isa.slot[slot].name,
             (unsigned long long)count, KT_COUNT_MAX);
  return KT_ELIMIT;
}

static enum kt_status count_all(const struct kt_params *p, struct kt_counts *c,
                                const uint64_t *words, size_t n_words, struct kt_msg *msg)
{
  struct kc_seq seq;
  struct kt_insn insn;
  struct kc_issue issue;
  enum kt_status st = KT_OK;

  kc_seq_start(&seq, words, n_words);
  kt_counts_init(c, p->t, (uint32_t)seq.n_instr);
  while (st == KT_OK && kc_seq_peek(&seq, &insn, &issue)) {
    kt_counts_add(c, issue.op, issue.nr, issue.f);
    st = kc_seq_step(&seq, &insn, msg);
  }
  if (st == KT_OK && seq.depth > 0) {
    kt_msg_set(msg, "%u loop(s) are open at the end of the program", seq.depth);
    st = KT_EINVAL;
  }
  return st;
}

enum kt_status kc_header_count(const struct kt_params *p, const uint64_t *words, size_t n_words,
                               uint32_t slots[], struct kt_msg *msg)
{
  struct kt_counts c;
  enum kt_status st = count_all(p, &c, words, n_words, msg);
  for (size_t i = 0; i < kt_isa.n_slots; i++)
    slots[i] = c.slot[i] > SLOT_MAX ? SLOT_MAX : (uint32_t)c.slot[i];
  return st;
}

enum kt_status kc_build_header(const struct kt_params *p, uint64_t *words, size_t n_words,
                               struct kt_msg *msg)
{
  struct kt_counts c;
  uint32_t slots[KT_HDR_COUNT];

  enum kt_status st = count_all(p, &c, words, n_words, msg);
  if (st != KT_OK) return st;
  for (uint32_t i = 0; i < kt_isa.n_slots; i++) {
    if (c.slot[i] > KT_COUNT_MAX) return kc_count_too_large(i, c.slot[i], msg);
    slots[i] = (uint32_t)c.slot[i];
  }
  kc_header_pack(slots, words);
  return KT_OK;
}
