/* SPDX-License-Identifier: Apache-2.0
 *
 * Violations of a whole program: its length, its header.
 */
#include "compiler/fuzz/kc_plant.h"

#include "spec/generated/kt_tinytpu.h"

#include <stdlib.h>

/* n: new length in words. A build without strides gives 1 as the argument (the interface page). */
static enum kt_status set_length(const struct kt_params *p, struct kc_program *program,
                                 struct kc_fault *fault, size_t n)
{
  uint64_t *words = realloc(program->words, (n > 0 ? n : 1) * sizeof *words);
  if (words == NULL) return KT_ENOMEM;
  for (size_t i = program->n_words; i < n; i++)
    words[i] = 0; /* a nop */
  program->words = words;
  program->n_words = n;
  *fault = (struct kc_fault){KT_FAULT_N_INSTR, 0, p->strides != 0 ? (uint32_t)n : 1, 0};
  return KT_OK;
}

static enum kt_status fixed_length(const struct kt_params *p, struct kc_rng *rng,
                                   struct kc_program *program, struct kc_fault *fault, uint32_t a,
                                   uint32_t b)
{
  (void)rng;
  (void)b;
  return set_length(p, program, fault, a);
}

static enum kt_status odd_length(const struct kt_params *p, struct kc_rng *rng,
                                 struct kc_program *program, struct kc_fault *fault, uint32_t a,
                                 uint32_t b)
{
  (void)rng;
  (void)b;
  return set_length(p, program, fault, program->n_words - a);
}

static enum kt_status past_imem(const struct kt_params *p, struct kc_rng *rng,
                                struct kc_program *program, struct kc_fault *fault, uint32_t a,
                                uint32_t b)
{
  (void)rng;
  (void)b;
  return set_length(p, program, fault, p->imem_size + a);
}

/* a: slot; b: 0 one more, 1 one less (or 65535), 2 nothing (or 1). */
static enum kt_status promise(const struct kt_params *p, struct kc_rng *rng,
                              struct kc_program *program, struct kc_fault *fault, uint32_t a,
                              uint32_t b)
{
  uint32_t slots[KT_HDR_COUNT];
  (void)p;
  (void)rng;

  kc_header_unpack(program->words, slots);
  uint32_t found = slots[a];
  if (b == 0) slots[a] = found + 1;
  if (b == 1) slots[a] = found > 0 ? found - 1 : 65535;
  if (b == 2) slots[a] = found > 0 ? 0 : 1;
  kc_header_pack(slots, program->words);
  *fault = (struct kc_fault){KT_FAULT_HEADER, a, slots[a] << 16 | found,
                             (uint32_t)kc_program_instructions(program->n_words)};
  return KT_OK;
}

/* a: header word, b: its lowest bit without a meaning. */
static enum kt_status stray_bit(const struct kt_params *p, struct kc_rng *rng,
                                struct kc_program *program, struct kc_fault *fault, uint32_t a,
                                uint32_t b)
{
  (void)p;
  program->words[a] |= UINT64_C(1) << kc_rng_range(rng, b, 63);
  *fault = (struct kc_fault){KT_FAULT_HEADER, KT_HDR_UNUSED, a,
                             (uint32_t)kc_program_instructions(program->n_words)};
  return KT_OK;
}

#define PROMISE(name, slot)                             \
  {"header " name " + 1", NULL, promise, slot, 0},      \
      {"header " name " - 1", NULL, promise, slot, 1},  \
      {"header " name " nothing", NULL, promise, slot, 2}

const struct kc_kind kc_kinds_program[] = {
    {"no words", NULL, fixed_length, 0, 0},
    {"a header alone", NULL, fixed_length, 8, 0},
    {"half an instruction", NULL, fixed_length, 9, 0},
    {"a word is missing", NULL, odd_length, 1, 0},
    {"one word past IMEM_SIZE", NULL, past_imem, 1, 0},
    {"an instruction past IMEM_SIZE", NULL, past_imem, 2, 0},
    PROMISE("n_instr", KT_HDR_N_INSTR),
    PROMISE("dma_ld_rows", KT_HDR_DMA_LD_ROWS),
    PROMISE("spm_rows", KT_HDR_SPM_ROWS),
    PROMISE("vru_words", KT_HDR_VRU_WORDS),
    PROMISE("mm_count", KT_HDR_MM_COUNT),
    PROMISE("mm_rows", KT_HDR_MM_ROWS),
    PROMISE("accu_iterations", KT_HDR_ACCU_ITERATIONS),
    PROMISE("dma_st_rows", KT_HDR_DMA_ST_ROWS),
    PROMISE("a_span", KT_HDR_A_SPAN),
    PROMISE("b_span", KT_HDR_B_SPAN),
    {"stray bit in header word 0", NULL, stray_bit, 0, 16},
    {"stray bit in header word 1", NULL, stray_bit, 1, 16},
    {"stray bit in header word 2", NULL, stray_bit, 2, 16},
    {"stray bit in header word 3", NULL, stray_bit, 3, 16},
    {"stray bit in header word 4", NULL, stray_bit, 4, 32},
    {"stray bit in header word 5", NULL, stray_bit, 5, 16},
    {"stray bit in header word 6", NULL, stray_bit, 6, 16},
    {"stray bit in header word 7", NULL, stray_bit, 7, 32},
    {NULL, NULL, NULL, 0, 0},
};
