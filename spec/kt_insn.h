/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction words and descriptors as values: packing and unpacking over the full bit range, no
 * checks. */
#ifndef KT_SPEC_KT_INSN_H
#define KT_SPEC_KT_INSN_H

#include <stdint.h>

#include "spec/generated/kt_tinytpu.h"

/* One address term; target 0 = unused, 1..4 = f0..f3. */
struct kt_term {
  uint16_t target, level, stride;
};

/* One instruction, every field as encoded. */
struct kt_insn {
  uint16_t op, nr, f[4];
  struct kt_term term[KT_AGU_TERMS];
};

/* A descriptor's meaning; reserved words are 0. Flag values past their bits are cut. */
struct kt_desc {
  uint32_t prog, prog_words, a, b, c, stride_a, stride_b, stride_c;
  uint32_t form, shift, cont, fence;
};

/* A descriptor as it lies in memory (little-endian words). */
struct kt_desc_words {
  uint32_t w[KT_DESC_WORDS];
};

/* Values past a field's width are cut to it; bits without a meaning become 0. */
void kt_insn_pack(const struct kt_insn *in, uint64_t w[KT_IWORDS]);
void kt_insn_unpack(const uint64_t w[KT_IWORDS], struct kt_insn *out);

void kt_desc_pack(const struct kt_desc *d, uint32_t w[KT_DESC_WORDS]);
void kt_desc_unpack(const uint32_t w[KT_DESC_WORDS], struct kt_desc *d);

#endif
