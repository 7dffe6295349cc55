/* SPDX-License-Identifier: Apache-2.0 */
/* Derived facts over the built-in tables, by opcode value. */
#include "spec/kt_actions.h"

#include <string.h>

static int opcode_index(uint32_t op)
{
  for (size_t i = 0; i < kt_isa.n_opcodes; i++)
    if (kt_isa.opcode[i].value == op) return (int)i;
  return -1;
}

const struct kt_opcode *kt_opcode(uint32_t op)
{
  int i = opcode_index(op);

  return i < 0 ? NULL : &kt_isa.opcode[i];
}

const struct kt_opcode *kt_opcode_by_name(const char *name)
{
  for (size_t i = 0; i < kt_isa.n_opcodes; i++)
    if (strcmp(kt_isa.opcode[i].name, name) == 0) return &kt_isa.opcode[i];
  return NULL;
}

const struct kt_operand *kt_operand(uint32_t op, uint32_t field)
{
  const struct kt_opcode *o = kt_opcode(op);

  for (size_t i = 0; o != NULL && i < o->n_operands; i++)
    if (o->operand[i].field == field) return &o->operand[i];
  return NULL;
}

const struct kt_fault_def *kt_fault(uint32_t code)
{
  for (size_t i = 0; i < kt_isa.n_faults; i++)
    if (kt_isa.fault[i].code == code) return &kt_isa.fault[i];
  return NULL;
}

const char *kt_fault_name(uint32_t code)
{
  const struct kt_fault_def *f = kt_fault(code);

  return f == NULL ? "?" : f->name;
}

const char *kt_unit_name(uint32_t unit)
{
  return unit < kt_isa.n_units ? kt_isa.unit[unit].name : "?";
}

uint32_t kt_steps(uint32_t op, uint32_t unit, uint32_t nr, const uint32_t field[4], uint32_t t)
{
  int i = opcode_index(op);

  if (i < 0 || unit >= kt_isa.n_units) return 0;
  struct kt_cost c = kt_unit_cost(&kt_isa, (uint32_t)i, unit, field, t);
  return c.fixed + c.per_row * nr;
}

void kt_counts_init(struct kt_counts *c, uint32_t t, uint32_t n_instr)
{
  memset(c, 0, sizeof *c);
  c->t = t;
  c->slot[KT_HDR_N_INSTR] = n_instr;
}

void kt_counts_add(struct kt_counts *c, uint32_t op, uint32_t nr, const uint32_t field[4])
{
  int i = opcode_index(op);

  if (i >= 0) kt_slots_add(&kt_isa, c->slot, (uint32_t)i, nr, field, c->t, 1);
}

enum kt_status kt_counts_header(const struct kt_counts *c, uint64_t header[KT_NHDR],
                                struct kt_msg *m)
{
  memset(header, 0, KT_NHDR * sizeof header[0]);
  for (size_t i = 0; i < kt_isa.n_slots; i++) {
    const struct kt_slot *s = &kt_isa.slot[i];
    if (c->slot[i] > kt_isa.count_max) {
      kt_msg_set(m, "header count %s = %llu does not fit: at most %u", s->name,
                 (unsigned long long)c->slot[i], kt_isa.count_max);
      return KT_ELIMIT;
    }
    header[s->word] |= c->slot[i] << s->lsb;
  }
  return KT_OK;
}

bool kt_operand_bound(const struct kt_params *p, uint32_t op, uint32_t field, uint32_t nr,
                      const uint32_t f[4], struct kt_bound *out)
{
  int i = opcode_index(op);
  const struct kt_operand *o = kt_operand(op, field);
  int64_t env[KT_PARAMS_ENV_MAX], depth;
  uint32_t memory;

  if (o == NULL || o->kind != KT_OPERAND_ROW || !kt_params_env(p, env)) return false;
  uint32_t index = (uint32_t)(o - kt_isa.opcode[i].operand);
  if (!kt_operand_span(&kt_isa, (uint32_t)i, index, f, p->t, nr, &memory, &out->rows)) return false;
  if (!kt_expr_eval(&kt_isa.memory[memory].rows, env, &depth)) return false;
  out->memory = kt_isa.memory[memory].name;
  out->code = kt_isa.memory[memory].code;
  out->depth = (uint32_t)depth;
  return true;
}

uint32_t kt_field_limit(const struct kt_params *p, uint32_t op, uint32_t field)
{
  const struct kt_operand *o = kt_operand(op, field);
  int64_t env[KT_PARAMS_ENV_MAX], limit;

  if (o != NULL && o->kind == KT_OPERAND_SELECT) return o->legal[o->n_legal - 1];
  if (o == NULL || o->kind != KT_OPERAND_BELOW) return kt_isa.field_max;
  if (!kt_params_env(p, env) || !kt_expr_eval(&o->limit, env, &limit) || limit < 1) return 0;
  return (uint32_t)(limit - 1);
}

uint32_t kt_agu_legal_trip(const struct kt_params *p, uint32_t op, uint32_t field, uint32_t base,
                           uint32_t stride)
{
  uint32_t limit = kt_field_limit(p, op, field);

  if (base > limit) return 0;
  return stride == 0 ? UINT32_MAX : (limit - base) / stride + 1;
}

uint32_t kt_terms_used(const uint64_t w[KT_IWORDS])
{
  uint32_t n = 0;

  for (uint32_t i = 0; i < kt_isa.n_terms; i++) {
    uint64_t term = w[1] >> (i * kt_isa.term_bits);
    if ((term >> KT_TERM_TARGET_LSB & ((1u << KT_TERM_TARGET_BITS) - 1)) != 0) n++;
  }
  return n;
}

uint32_t kt_maxdim_ceiling(const char *name, uint32_t t)
{
  for (uint32_t i = 0; i < kt_isa.n_ceilings; i++)
    if (strcmp(kt_isa.ceiling[i].name, name) == 0) return kt_ceiling_maxdim(&kt_isa, i, t);
  return 0;
}

size_t kt_memory_access(const char *memory, bool writes, struct kt_access *out, size_t max)
{
  enum kt_action_kind want = writes ? KT_ACTION_WRITE : KT_ACTION_READ;
  size_t n = 0;

  for (size_t i = 0; i < kt_isa.n_actions; i++) {
    const struct kt_action *a = &kt_isa.action[i];
    if (a->kind != want || strcmp(kt_isa.memory[a->memory].name, memory) != 0) continue;
    struct kt_access access = {kt_isa.opcode[a->opcode].value, a->cond.text, a->purpose};
    if (n > 0 && n <= max && out[n - 1].op == access.op && out[n - 1].condition == access.condition)
      continue;
    if (n < max) out[n] = access;
    n++;
  }
  return n < max ? n : max;
}
