/* SPDX-License-Identifier: Apache-2.0
 *
 * The program checker: the sequencer's own checks, in its order. The contracts of memory contents
 * are in kc_contract.c.
 */
#include "compiler/bytes/kc_check.h"

#include "spec/generated/kt_tinytpu.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kc_check_begin(struct kc_check_ctx *chain)
{
  memset(chain, 0, sizeof *chain);
}

enum kt_status kc_refuse(struct kc_check *c, uint32_t code, uint32_t sub, uint32_t arg,
                         const char *fmt, ...)
{
  char text[400];
  va_list ap;

  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);

  uint32_t at = (uint32_t)c->seq.pc;
  if (c->op != NULL) {
    kt_msg_set(c->msg, "instruction %u (%s): %s", at, c->op->name, text);
  } else {
    kt_msg_set(c->msg, "%s", text);
  }
  c->fault = (struct kc_fault){.code = code, .sub = sub, .arg = arg, .instr = at};
  return KT_EFAULT;
}

static enum kt_status check_opcode(struct kc_check *c)
{
  c->op = kt_opcode(c->insn.op);
  if (c->op != NULL && !c->op->retired) return KT_OK;

  const struct kt_opcode *found = c->op;
  c->op = NULL;
  if (found == NULL)
    return kc_refuse(c, KT_FAULT_OPCODE, 0, c->insn.op,
                     "instruction %zu: opcode %u does not exist (limit %u)", c->seq.pc, c->insn.op,
                     kt_isa.opcode[kt_isa.n_opcodes - 1].value);
  return kc_refuse(c, KT_FAULT_OPCODE, 0, c->insn.op, "instruction %zu: opcode %u, %s: %s",
                   c->seq.pc, c->insn.op, found->name, found->does);
}

static enum kt_status check_nr(struct kc_check *c)
{
  uint32_t nr = c->insn.nr;
  if (c->op->nr == KT_NR_NONE) return KT_OK;
  if (nr == 0 && c->op->nr == KT_NR_TRIP)
    return kc_refuse(c, KT_FAULT_TRIP, 0, 0, "trip count 0: a loop runs at least %d time",
                     KT_LOOP_MIN_TRIP);
  if (nr == 0) return kc_refuse(c, KT_FAULT_NR, 0, 0, "nr = 0: at least 1 row must move");
  if (nr > KT_NR_MAX)
    return kc_refuse(c, KT_FAULT_NR, 0, nr, "nr = %u is past its limit %d", nr, KT_NR_MAX);
  return KT_OK;
}

static uint32_t term_bits(const struct kc_check *c, uint32_t i)
{
  uint64_t word = c->seq.words[KT_NHDR + KT_IWORDS * c->seq.pc + 1];
  return (uint32_t)(word >> (KT_TERM_BITS * i)) & ((1u << KT_TERM_BITS) - 1);
}

static enum kt_status check_term(struct kc_check *c, uint32_t i)
{
  const struct kt_term *term = &c->insn.term[i];
  if (term->target == 0) return KT_OK;
  if (c->op->nr != KT_NR_ROWS)
    return kc_refuse(c, KT_FAULT_TERM_FORBIDDEN, i, term_bits(c, i),
                     "address term %u (target %u) is not allowed here: %s takes no terms", i,
                     term->target, c->op->name);
  if (term->target > KT_ISA_FIELDS)
    return kc_refuse(c, KT_FAULT_TERM_TARGET, i, term->target,
                     "address term %u: target %u is no field (limit %d)", i, term->target,
                     KT_ISA_FIELDS);
  if (term->level >= c->seq.depth)
    return kc_refuse(c, KT_FAULT_TERM_LEVEL, i, term->level,
                     "address term %u: loop level %u is not open (%u open)", i, term->level,
                     c->seq.depth);
  return KT_OK;
}

static enum kt_status check_terms(struct kc_check *c)
{
  for (uint32_t i = 0; i < KT_AGU_TERMS; i++) {
    enum kt_status st = check_term(c, i);
    if (st != KT_OK) return st;
  }
  return KT_OK;
}

static enum kt_status check_loop_stack(struct kc_check *c)
{
  if (c->insn.op == KT_OP_LOOP && c->seq.depth == KT_LOOP_DEPTH)
    return kc_refuse(c, KT_FAULT_LOOP_OVERFLOW, 0, c->seq.depth,
                     "%u loops are open already (limit %d)", c->seq.depth, KT_LOOP_DEPTH);
  if (c->insn.op == KT_OP_ENDLOOP && c->seq.depth == 0)
    return kc_refuse(c, KT_FAULT_LOOP_UNDERFLOW, 0, 0, "no loop is open");
  return KT_OK;
}

static bool is_legal(const struct kt_operand *operand, uint32_t value)
{
  for (size_t i = 0; i < operand->n_legal; i++)
    if (operand->legal[i] == value) return true;
  return false;
}

static enum kt_status check_select(struct kc_check *c, const struct kt_operand *operand)
{
  uint32_t value = c->issue.f[operand->field];
  if (is_legal(operand, value)) return KT_OK;
  return kc_refuse(c, operand->fault, operand->field, value, "%s = %u is past its limit %u",
                   operand->name, value, operand->legal[operand->n_legal - 1]);
}

static enum kt_status check_below(struct kc_check *c, const struct kt_operand *operand)
{
  int64_t limit = 0;
  uint32_t value = c->issue.f[operand->field];
  if (!kt_expr_eval(&operand->limit, c->env, &limit)) return KT_EINVAL;
  if (value < limit) return KT_OK;
  return kc_refuse(c, operand->fault, operand->field, value, "%s = %u is past its limit %lld",
                   operand->name, value, (long long)limit - 1);
}

static enum kt_status check_row(struct kc_check *c, const struct kt_operand *operand)
{
  const uint32_t *f = c->issue.f;
  const struct kt_action *action = kc_op_access(c->op, operand, KT_ACTION_READ, f);
  if (action == NULL) action = kc_op_access(c->op, operand, KT_ACTION_WRITE, f);
  if (action == NULL) return KT_OK; /* mm's ar0 always has one; a new opcode may not */

  int64_t last = (int64_t)f[operand->field] + kc_op_items(action, c->p->t, c->insn.nr) - 1;
  int64_t rows = c->rows[action->memory];
  if (last < rows) return KT_OK;
  return kc_refuse(c, KT_FAULT_FIELD_MEMORY, operand->field, (uint32_t)last,
                   "%s = %u reaches row %lld, past the end of %s (limit %lld)", operand->name,
                   f[operand->field], (long long)last, kt_isa.memory[action->memory].name,
                   (long long)rows - 1);
}

static enum kt_status check_field(struct kc_check *c, uint32_t field)
{
  uint32_t value = c->issue.f[field];
  const struct kt_operand *operand = kt_operand(c->op->value, field);

  if (value > KT_FIELD_MAX)
    return kc_refuse(c, KT_FAULT_FIELD_RANGE, field, value,
                     "AGU-resolved f%u%s%s = %u is outside 0..%d", field, operand ? " " : "",
                     operand ? operand->name : "", value, KT_FIELD_MAX);
  if (operand == NULL) return KT_OK;
  switch (operand->kind) {
  case KT_OPERAND_SELECT: return check_select(c, operand);
  case KT_OPERAND_BELOW: return check_below(c, operand);
  case KT_OPERAND_ROW: return check_row(c, operand);
  }
  return KT_EINVAL;
}

static enum kt_status check_instruction(struct kc_check *c)
{
  enum kt_status st = check_opcode(c);
  if (st == KT_OK) st = check_nr(c);
  if (st == KT_OK) st = check_terms(c);
  if (st == KT_OK) st = check_loop_stack(c);
  if (st != KT_OK || c->op->nr != KT_NR_ROWS) return st;

  for (uint32_t field = 0; field < KT_ISA_FIELDS && st == KT_OK; field++)
    st = check_field(c, field);
  if (st == KT_OK) st = kc_check_reads(c);
  if (st == KT_OK) kc_note_writes(c);
  return st;
}

static enum kt_status check_size(struct kc_check *c, size_t n_words)
{
  size_t least = KT_NHDR + KT_IWORDS;
  if (n_words >= least && (n_words - KT_NHDR) % KT_IWORDS == 0 && n_words <= c->p->imem_size)
    return KT_OK;
  return kc_refuse(c, KT_FAULT_N_INSTR, 0, (uint32_t)n_words,
                   "a program of %zu words: it must be %d + %d * instructions, at least %zu and at "
                   "most IMEM_SIZE = %u",
                   n_words, KT_NHDR, KT_IWORDS, least, c->p->imem_size);
}

static enum kt_status check_slots(struct kc_check *c, const uint32_t *promised,
                                  const uint32_t *found)
{
  for (uint32_t i = 0; i < kt_isa.n_slots; i++) {
    if (promised[i] == found[i]) continue;
    return kc_refuse(c, KT_FAULT_HEADER, i, promised[i] << 16 | found[i],
                     "header %s promises %u, the instructions deliver %u", kt_isa.slot[i].name,
                     promised[i], found[i]);
  }
  return KT_OK;
}

static enum kt_status check_header(struct kc_check *c, size_t n_words)
{
  uint32_t promised[KT_HDR_COUNT];
  uint32_t found[KT_HDR_COUNT];
  uint64_t meant[KT_NHDR];

  kc_header_unpack(c->seq.words, promised);
  enum kt_status st = kc_header_count(c->p, c->seq.words, n_words, found, c->msg);
  if (st == KT_OK) st = check_slots(c, promised, found);
  if (st != KT_OK) return st;

  kc_header_pack(promised, meant);
  for (uint32_t i = 0; i < KT_NHDR; i++) {
    if (meant[i] == c->seq.words[i]) continue;
    return kc_refuse(c, KT_FAULT_HEADER, KT_HDR_COUNT, i,
                     "header word %u = 0x%016llx: bits without a meaning are not 0", i,
                     (unsigned long long)c->seq.words[i]);
  }
  for (uint32_t i = 0; i < kt_isa.n_slots; i++) {
    if (found[i] <= KT_COUNT_MAX) continue;
    return kc_count_too_large(i, found[i], c->msg);
  }
  return KT_OK;
}

static enum kt_status check_all(struct kc_check *c, size_t n_words)
{
  enum kt_status st = check_size(c, n_words);
  if (st != KT_OK) return st;

  while (kc_seq_peek(&c->seq, &c->insn, &c->issue)) {
    st = check_instruction(c);
    if (st == KT_OK) st = kc_seq_step(&c->seq, &c->insn, c->msg);
    if (st != KT_OK) return st;
  }
  c->op = NULL;
  if (c->seq.depth > 0)
    return kc_refuse(c, KT_FAULT_LOOP_OPEN, 0, c->seq.depth,
                     "%u loop(s) are open at the end of the program", c->seq.depth);
  return check_header(c, n_words);
}

static enum kt_status prepare(struct kc_check *c, const struct kt_params *p, const uint64_t *words,
                              size_t n_words)
{
  enum kt_status st = kt_params_check(p, c->msg);
  if (st != KT_OK) return st;
  if (!kt_params_env(p, c->env)) return KT_EINVAL;

  c->p = p;
  kc_seq_start(&c->seq, words, n_words);
  for (size_t i = 0; i < kt_isa.n_memories && i < KC_MEMORIES; i++)
    if (!kt_expr_eval(&kt_isa.memory[i].rows, c->env, &c->rows[i])) return KT_EINVAL;
  return KT_OK;
}

enum kt_status kc_check_fault(const struct kt_params *p, const uint64_t *words, size_t n_words,
                              struct kc_check_ctx *chain, struct kc_fault *fault,
                              struct kt_msg *msg)
{
  struct kc_check c = {.msg = msg};
  struct kc_check_ctx *own = NULL;

  if (chain == NULL) {
    own = calloc(1, sizeof *own);
    if (own == NULL) return KT_ENOMEM;
    chain = own;
  }
  c.chain = chain;
  enum kt_status st = prepare(&c, p, words, n_words);
  if (st == KT_OK) st = check_all(&c, n_words);
  if (fault != NULL) *fault = c.fault;
  free(own);
  return st;
}

enum kt_status kc_check_program(const struct kt_params *p, const uint64_t *words, size_t n_words,
                                struct kc_check_ctx *chain, struct kt_msg *msg)
{
  return kc_check_fault(p, words, n_words, chain, NULL, msg);
}
