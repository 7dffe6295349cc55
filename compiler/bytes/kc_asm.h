/* SPDX-License-Identifier: Apache-2.0
 *
 * The text form of a program (docs/programs.md has the grammar) and back.
 */
#ifndef KC_ASM_H
#define KC_ASM_H

#include "compiler/bytes/kc_program.h"

struct kc_asm_opts {
  bool no_check;              /* accept whatever can be encoded */
  struct kc_check_ctx *chain; /* what earlier programs of the chain left; NULL: nothing */
};

/* text is a C string; name stands for it in messages. KT_EPARSE: msg is
 * "name:line:col: error: text", the source line and a caret. opts may be NULL. The caller frees
 * *out, which is empty on failure. */
enum kt_status kc_assemble(const struct kt_params *p, const char *name, const char *text,
                           const struct kc_asm_opts *opts, struct kc_program *out,
                           struct kt_msg *msg);

/* *text gets a C string that kc_assemble turns into exactly these words (with no_check where they
 * are not legal); the caller frees it. An instruction that the named form cannot express, bit for
 * bit, is written as .insn. KT_EINVAL where n_words is not 8 + 2 * instructions. */
enum kt_status kc_disassemble(const struct kt_params *p, const uint64_t *words, size_t n_words,
                              char **text, struct kt_msg *msg);

#endif
