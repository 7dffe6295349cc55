/* SPDX-License-Identifier: Apache-2.0
 *
 * What the compiler asks the instruction-set tables: an opcode's operands, and which memory an
 * operand names in one issue. Nothing here knows an opcode by itself.
 */
#ifndef KC_OP_H
#define KC_OP_H

#include "compiler/bytes/kc_program.h"
#include "spec/kt_isa.h"

/* NULL for a number that no opcode has. Retired ones are found. */
const struct kt_opcode *kc_op_find(uint32_t value);
const struct kt_opcode *kc_op_named(const char *name, size_t length);

/* The operand in field 0..3, NULL where the opcode does not use it. */
const struct kt_operand *kc_op_operand(const struct kt_opcode *op, uint32_t field);

/* Actions of an opcode: kt_isa.action[*first .. first + result). */
size_t kc_op_actions(const struct kt_opcode *op, size_t *first);

/* Whether the action takes place in this issue. */
bool kc_op_happens(const struct kt_action *action, const uint32_t f[4]);

/* The first action of the kind in this issue whose base is the operand, NULL if none. */
const struct kt_action *kc_op_access(const struct kt_opcode *op, const struct kt_operand *operand,
                                     enum kt_action_kind kind, const uint32_t f[4]);

/* Items of an action in an issue of nr rows. */
uint32_t kc_op_items(const struct kt_action *action, uint32_t t, uint32_t nr);

#endif
