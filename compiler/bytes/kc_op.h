/* SPDX-License-Identifier: Apache-2.0
 *
 * What the compiler asks the instruction-set tables beyond spec/kt_actions.h: which memory an operand
 * names in one issue. Nothing here knows an opcode by itself.
 */
#ifndef KC_OP_H
#define KC_OP_H

#include "compiler/bytes/kc_program.h"
#include "spec/kt_actions.h"

/* NULL if no opcode has the name. */
const struct kt_opcode *kc_op_named(const char *name, size_t length);

/* Actions of an opcode: kt_isa.action[*first .. first + result). */
size_t kc_op_actions(const struct kt_opcode *op, size_t *first);

/* The first action of the kind in this issue whose base is the operand, NULL if none. */
const struct kt_action *kc_op_access(const struct kt_opcode *op, const struct kt_operand *operand,
                                     enum kt_action_kind kind, const uint32_t f[4]);

/* Items of an action in an issue of nr rows. */
uint32_t kc_op_items(const struct kt_action *action, uint32_t t, uint32_t nr);

#endif
