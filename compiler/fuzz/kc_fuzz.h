/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs from a seed: legal ones, chains of them, and illegal ones with the fault that
 * they must end in. The same seed and build give the same programs everywhere.
 */
#ifndef KC_FUZZ_H
#define KC_FUZZ_H

#include "compiler/bytes/kc_program.h"

enum { KC_FUZZ_CHAIN = 3 };

/* Programs for consecutive descriptors; all but the first `continue`. */
struct kc_chain {
  struct kc_program program[KC_FUZZ_CHAIN];
  size_t n;
};

void kc_chain_free(struct kc_chain *chain);

/* 0 means the default, in brackets. */
struct kc_fuzz_opts {
  uint32_t chain_max;    /* programs in a chain, 1 .. 3 [3] */
  uint32_t window_min;   /* rows of each memory that a chain touches [8] ... */
  uint32_t window_max;   /* ... [28]; widened to T + 2 where T is larger */
  uint32_t instructions; /* static instructions of a program, about [what IMEM_SIZE holds, less 12] */
  uint32_t mvout;        /* percent of data instructions that are mid-program mvouts [25] */
  uint32_t move;         /* percent of the others that are drawn from vld and dma_ld alone [none] */
};

/* A legal chain: every opcode, loops up to the stack's depth with address terms on any field, rows
 * from one window a memory so that hazards are dense. The last program retires what ar holds.
 * opts may be NULL. Data memory is the caller's: A and B of MAXDIM rows are read anywhere, C of
 * MAXDIM rows is written anywhere. KT_ENOMEM; KT_ELIMIT where a memory is smaller than a window. */
enum kt_status kc_fuzz_legal(const struct kt_params *p, uint64_t seed,
                             const struct kc_fuzz_opts *opts, struct kc_chain *out,
                             struct kt_msg *msg);

/* An illegal chain: legal but for one violation, planted in chain.program[at]. */
struct kc_fuzz_case {
  struct kc_chain chain;
  size_t at;             /* descriptor that faults */
  struct kc_fault fault; /* as FAULT, FAULT_ARG and FAULT_INSTR show it */
  const char *rule;      /* name of the violation */
};

/* Number of distinct violations of programs; kind is 0 .. that - 1. Fault codes OPCODE .. HEADER. */
size_t kc_fuzz_kinds(void);
const char *kc_fuzz_kind_name(size_t kind);

/* The caller calls kc_chain_free on out->chain. The chain's n_words go into PROG_WORDS as they are
 * (the N_INSTR kinds have illegal lengths). */
enum kt_status kc_fuzz_illegal(const struct kt_params *p, uint64_t seed, size_t kind,
                               struct kc_fuzz_case *out, struct kt_msg *msg);

/* Violations of a descriptor: DESCRIPTOR, ALIGNMENT, N_INSTR and CONTINUE. Breaks one word of a
 * legal one, which the CONTINUE kind takes for the first of its list, and gives the fault. False where
 * the build cannot break it this way (a stride where it has none); *d is then unchanged. */
size_t kc_fuzz_desc_kinds(void);
const char *kc_fuzz_desc_kind_name(size_t kind);
bool kc_fuzz_desc(const struct kt_params *p, size_t kind, struct kt_desc_words *d,
                  struct kc_fault *fault);

#endif
