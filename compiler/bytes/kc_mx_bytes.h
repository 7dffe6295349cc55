/* SPDX-License-Identifier: Apache-2.0
 *
 * L0 of the MXFP7 machine: flits, commands, and the rounds into which a program is cut.
 *
 * A round is one go: the host writes its flits to the staging RAM from 0 and its commands to the
 * command RAM from 0 (docs/mx-machine.md, Dispatch and commands), then CONTROL. Nothing on chip
 * survives a round, so a round fills all that it reads.
 */
#ifndef KC_MX_BYTES_H
#define KC_MX_BYTES_H

#include "spec/kt_mx.h"
#include "spec/kt_mx_params.h"
#include "spec/kt_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kc_mx_command {
  uint32_t word[KT_MX_COMMAND_WORDS];
};

struct kc_mx_round {
  struct kt_mx_flit *flits;
  size_t n_flits;
  struct kc_mx_command *commands;
  size_t n_commands;
};

struct kc_mx_program {
  struct kc_mx_round *rounds;
  size_t n_rounds;
};

/* A kick of a round: instructions first .. first + count - 1 of its flits. wait: only after every
 * instruction of the kicks before it has completed (a FILL that reads what a DRAIN before it
 * writes). */
struct kc_mx_kick {
  uint32_t first, count;
  bool wait;
};

/* The most instructions that a round of one kick holds; 0: not even one. */
uint32_t kc_mx_round_room(const struct kt_mx_params *p);

/* Appends a round: the flits (copied) and the commands that set the node's credit once, kick each
 * part (registers that keep their value are not written again), wait where asked and end with
 * DONE 0. KT_ELIMIT when staging RAM, command RAM or credit does not hold it, and which; KT_EINVAL for a
 * kick of nothing or outside the flits. */
enum kt_status kc_mx_round_add(struct kc_mx_program *program, const struct kt_mx_params *p,
                               const struct kt_mx_flit *flits, size_t n_flits,
                               const struct kc_mx_kick *kicks, size_t n_kicks, struct kt_msg *msg);
void kc_mx_program_free(struct kc_mx_program *program); /* leaves an empty program */

/* The first check of docs/mx-machine.md that the instruction fails: code KT_MX_FAULT_*, 0 = none. */
struct kc_mx_finding {
  uint32_t code, field, arg;
};
struct kc_mx_finding kc_mx_check(const struct kt_mx_params *p, const struct kt_mx_flit *flit);

/* One instruction as text, "FILL SIDE=0 PREQ=1 ...": every field of its table. What is no
 * instruction, or has bits that no field owns, is ".flit" and eight words. No line end. */
enum { KC_MX_TEXT_MAX = 512 };
void kc_mx_text(const struct kt_mx_flit *flit, char text[KC_MX_TEXT_MAX]);

/* A line each. Caller frees *text. */
enum kt_status kc_mx_dis(const struct kt_mx_flit *flits, size_t n, char **text);

/* Commands as text, a line each. Caller frees *text. */
enum kt_status kc_mx_dis_commands(const struct kc_mx_command *commands, size_t n, char **text);

#endif
