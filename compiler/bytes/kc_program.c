/* SPDX-License-Identifier: Apache-2.0
 *
 * The program as a growing array of words.
 */
#include "compiler/bytes/kc_program.h"

#include "spec/generated/kt_tinytpu.h"

#include <stdlib.h>
#include <string.h>

void kc_program_free(struct kc_program *program)
{
  free(program->words);
  program->words = NULL;
  program->n_words = 0;
}

size_t kc_program_instructions(size_t n_words)
{
  return n_words < KT_NHDR ? 0 : (n_words - KT_NHDR) / KT_IWORDS;
}

enum kt_status kc_program_add(struct kc_program *program, const struct kt_insn *insn)
{
  size_t old = program->n_words == 0 ? KT_NHDR : program->n_words;
  uint64_t *grown = realloc(program->words, (old + KT_IWORDS) * sizeof *grown);
  if (grown == NULL) return KT_ENOMEM;

  if (program->n_words == 0) memset(grown, 0, KT_NHDR * sizeof *grown);
  kt_insn_pack(insn, grown + old);
  program->words = grown;
  program->n_words = old + KT_IWORDS;
  return KT_OK;
}
