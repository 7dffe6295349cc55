/* SPDX-License-Identifier: Apache-2.0
 *
 * Look-ups in the instruction-set tables.
 */
#include "compiler/bytes/kc_op.h"

#include <string.h>

const struct kt_opcode *kc_op_named(const char *name, size_t length)
{
  for (size_t i = 0; i < kt_isa.n_opcodes; i++) {
    const struct kt_opcode *op = &kt_isa.opcode[i];
    if (strlen(op->name) == length && memcmp(op->name, name, length) == 0) return op;
  }
  return NULL;
}

size_t kc_op_actions(const struct kt_opcode *op, size_t *first)
{
  uint32_t index = (uint32_t)(op - kt_isa.opcode);
  size_t begin = 0;
  while (begin < kt_isa.n_actions && kt_isa.action[begin].opcode != index)
    begin++;
  size_t end = begin;
  while (end < kt_isa.n_actions && kt_isa.action[end].opcode == index)
    end++;
  *first = begin;
  return end - begin;
}

const struct kt_action *kc_op_access(const struct kt_opcode *op, const struct kt_operand *operand,
                                     enum kt_action_kind kind, const uint32_t f[4])
{
  size_t first;
  size_t n = kc_op_actions(op, &first);
  for (size_t i = first; i < first + n; i++) {
    const struct kt_action *action = &kt_isa.action[i];
    if (action->kind != kind || action->base < 0) continue;
    if (&op->operand[action->base] == operand && kt_cond_holds(&action->cond, f)) return action;
  }
  return NULL;
}

uint32_t kc_op_items(const struct kt_action *action, uint32_t t, uint32_t nr)
{
  return action->items.fixed + action->items.t * t + action->items.nr * nr;
}
