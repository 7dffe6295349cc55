/* SPDX-License-Identifier: Apache-2.0
 *
 * L0 of the int8 core: a program as the core reads it, 64-bit words, the header first. Sequencing
 * (expand), the header's counts and the program checker.
 */
#ifndef KC_PROGRAM_H
#define KC_PROGRAM_H

#include "spec/kt_insn.h"
#include "spec/kt_params.h"
#include "spec/kt_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n_words = 8 + 2 * instructions. The owner calls kc_program_free. */
struct kc_program {
  uint64_t *words;
  size_t n_words;
};

void kc_program_free(struct kc_program *program); /* leaves it empty; an empty one is allowed */

/* Appends one instruction; an empty program first gets a header of zeros. KT_ENOMEM. */
enum kt_status kc_program_add(struct kc_program *program, const struct kt_insn *insn);

/* Instructions of a program of n_words words; 0 where it is too short to hold one. */
size_t kc_program_instructions(size_t n_words);

/* One dynamic issue of anything but loop and endloop: fields resolved as the sequencer does, base
 * plus the sum of the terms, without wrap. */
struct kc_issue {
  uint32_t instr; /* static index */
  uint16_t op;
  uint16_t nr;
  uint32_t f[4];
};

/* Dynamic instructions (loop and endloop included) that expand, the header builder and the checker
 * follow before they give up with KT_ELIMIT. */
enum { KC_DYNAMIC_MAX = 1 << 24 };

/* Runs the control flow and hands back every issue, in program order. The caller frees *issues.
 * An endloop with no loop open, a loop past the loop stack, and a loop left open at the end are
 * KT_EINVAL; nothing else is checked. */
enum kt_status kc_expand(const uint64_t *words, size_t n_words, struct kc_issue **issues,
                         size_t *count, struct kt_msg *msg);

/* Computes the header of words[8..] and writes words[0..7]. KT_ELIMIT where a count does not fit
 * 15 bits, KT_EINVAL as kc_expand. The header is not touched on failure. */
enum kt_status kc_build_header(const struct kt_params *p, uint64_t *words, size_t n_words,
                               struct kt_msg *msg);

/* Header slots as numbers, and back. A value past 16 bits is cut. */
void kc_header_unpack(const uint64_t words[], uint32_t slots[]);
void kc_header_pack(const uint32_t slots[], uint64_t words[]);

/* Counts what the issues deliver, by slot, saturated to 65535. Status as kc_expand; slots then holds
 * the counts up to the mistake. */
enum kt_status kc_header_count(const struct kt_params *p, const uint64_t *words, size_t n_words,
                               uint32_t slots[], struct kt_msg *msg);

/* ---- checker ---- */

enum { KC_MEMORY_ROWS = 2048 };

/* What a chain of programs has written so far. Carried from one check to the next while the
 * descriptors say `continue`; kc_check_begin starts a chain. About 36 KiB: not for a small stack. */
struct kc_check_ctx {
  bool spad[KC_MEMORY_ROWS];
  bool vr[KC_MEMORY_ROWS];
  bool ar[KC_MEMORY_ROWS];
  uint64_t ar_step[KC_MEMORY_ROWS]; /* accu step of the row's last write */
  uint64_t step;                    /* accu steps so far */
};

void kc_check_begin(struct kc_check_ctx *chain);

/* The fault that the hardware reports for a program, code 0 = none. A build with CONTRACTS = 0 does
 * not find UNWRITTEN and AR_DISTANCE; the checker refuses such a program for every build. */
struct kc_fault {
  uint32_t code, sub, arg, instr;
};

/* Checks a program in the order of docs/int8-interface.md. KT_OK: legal. KT_EFAULT: *fault (may be
 * NULL) is what hardware reports and msg says it in words. KT_ELIMIT: legal for hardware but past
 * what the tools accept (a header count of more than 15 bits, KC_DYNAMIC_MAX). chain is NULL for a
 * program by itself, else the state that the programs before it left; it is advanced by a legal
 * program and is undefined after a refusal. */
enum kt_status kc_check_fault(const struct kt_params *p, const uint64_t *words, size_t n_words,
                              struct kc_check_ctx *chain, struct kc_fault *fault,
                              struct kt_msg *msg);

enum kt_status kc_check_program(const struct kt_params *p, const uint64_t *words, size_t n_words,
                                struct kc_check_ctx *chain, struct kt_msg *msg);

#endif
