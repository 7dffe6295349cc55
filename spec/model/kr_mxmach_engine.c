/* SPDX-License-Identifier: Apache-2.0
 *
 * Command engine, dispatch and the node's sequence: what happens between go and done.
 */
#include "spec/model/kr_mxmach_state.h"

#include <string.h>

enum {
  STATUS_BUSY = 1,
  REG_BASE = KT_MX_REG_NODE,
  REG_LENGTH = KT_MX_REG_NODE + 4,
  REG_CREDIT = KT_MX_REG_NODE + 8,
  REG_KICK = KT_MX_REG_NODE + 12
};

static bool stopped(const struct kr_mxmach *m)
{
  return m->fault.code != 0 || m->refused;
}

static void engine_fault(struct kr_mxmach *m, uint32_t code, uint32_t arg)
{
  kr_mx_fault_set(m, code, 0, KR_MX_ENGINE, arg, 0);
}

/* ---- The node --------------------------------------------------------------------------------- */

void kr_mx_complete(struct kr_mxmach *m, bool last)
{
  m->total.completed++;
  if (!last) m->credit++;
}

static void execute(struct kr_mxmach *m, const struct kt_mx_flit *f, uint32_t instr, bool last)
{
  const uint32_t opcode = f->word[0] & 0xff;

  if (opcode == KT_MX_OP_DRAIN && kr_mx_insn_ok(m, f, instr)) {
    kr_mx_drain(m, f, instr, last);
    return;
  }
  if (opcode != KT_MX_OP_DRAIN && kr_mx_insn_ok(m, f, instr)) {
    if (opcode == KT_MX_OP_FILL) kr_mx_fill(m, f, instr);
    else if (opcode == KT_MX_OP_QUANTISE) kr_mx_quantise_memory(m, f, instr);
    else kr_mx_gemm(m, f, instr);
  }
  kr_mx_complete(m, last);
}

enum step { RAN, IDLE, STUCK };

/* The kick's next instruction. After a fault it completes without effect. */
static enum step step(struct kr_mxmach *m)
{
  if (m->kick_next == m->kick_end) return IDLE;
  if (m->credit == 0) return STUCK;
  const struct kt_mx_flit *f = &m->staging[m->kick_next];
  const bool last = m->kick_next + 1 == m->kick_end;

  if (!stopped(m) && kr_mx_blocked(m, f)) return STUCK;
  m->kick_next++;
  m->credit--;
  if (stopped(m)) kr_mx_complete(m, last);
  else execute(m, f, m->total.sent, last);
  m->total.sent++;
  return RAN;
}

static enum step run_kick(struct kr_mxmach *m)
{
  enum step s;
  while ((s = step(m)) == RAN) {
  }
  return s;
}

/* Nothing will ever move again: what the watchdog finds. */
static void no_progress(struct kr_mxmach *m)
{
  uint32_t who = 1u << KT_MX_WAIT_COMMANDS;

  if (m->kick_next != m->kick_end) {
    const struct kt_mx_flit *f = &m->staging[m->kick_next];
    if (m->credit == 0) who |= 1u << KT_MX_WAIT_DISPATCH;
    else if ((f->word[0] & 0xff) == KT_MX_OP_GEMM) who |= 1u << KT_MX_WAIT_GEMM;
  }
  if (m->drains > 0) who |= 1u << KT_MX_WAIT_DRAIN;
  engine_fault(m, KT_MX_FAULT_NO_PROGRESS, who);
}

/* ---- Commands --------------------------------------------------------------------------------- */

static void kick(struct kr_mxmach *m)
{
  if (run_kick(m) == STUCK) no_progress(m);
  if (stopped(m)) return;
  if (m->length == 0 || (uint64_t)m->base + m->length > m->p.staging) {
    engine_fault(m, KT_MX_FAULT_STAGED, m->base + m->length);
    return;
  }
  m->kick_next = m->base;
  m->kick_end = m->base + m->length;
  m->kicked += m->length;
}

static void write_register(struct kr_mxmach *m, uint32_t reg, uint32_t value)
{
  switch (reg) {
  case REG_BASE: m->base = value; break;
  case REG_LENGTH: m->length = value; break;
  case REG_CREDIT:
    if (value > m->p.ififo) engine_fault(m, KT_MX_FAULT_CREDIT, value);
    else m->credit = value;
    break;
  case REG_KICK: kick(m); break;
  default: engine_fault(m, KT_MX_FAULT_REGISTER, reg); break;
  }
}

/* Where no smaller count would have satisfied the POLL, every instruction kicked so far has completed:
 * now the program knows that all is written. */
static void all_known(struct kr_mxmach *m, uint32_t mask, uint32_t want)
{
  for (uint32_t n = 0; n < m->kicked; n++)
    if ((n & mask) == want) return;
  memset(m->unwritten, 0, (size_t)(m->mem_size / KT_MX_BEAT_BYTES / 8 + 1));
}

static void poll(struct kr_mxmach *m, uint32_t reg, uint32_t mask, uint32_t want)
{
  const bool counts = reg == KT_MX_REG_COMPLETED || reg == KT_MX_REG_NODE_COMPLETED;

  if (!counts && reg != KT_MX_REG_STATUS) {
    engine_fault(m, KT_MX_FAULT_REGISTER, reg);
    return;
  }
  while (((counts ? m->total.completed : (uint32_t)STATUS_BUSY) & mask) != want) {
    if (step(m) != RAN) no_progress(m);
    if (stopped(m)) return;
  }
  if (counts) all_known(m, mask, want);
}

static void done(struct kr_mxmach *m, uint32_t code)
{
  const enum step s = run_kick(m);

  if (stopped(m)) return;
  m->done_code = code;
  if (s == STUCK) no_progress(m);
  else if (m->drains > 0) engine_fault(m, KT_MX_FAULT_UNDRAINED, kr_mx_awaited(m));
}

/* One command. False: it was the last. */
static bool command(struct kr_mxmach *m, const uint32_t w[KT_MX_COMMAND_WORDS])
{
  switch (w[0]) {
  case KT_MX_CMD_WRITE: write_register(m, w[1], w[2]); break;
  case KT_MX_CMD_POLL: poll(m, w[1], w[2], w[3]); break;
  case KT_MX_CMD_DONE: done(m, w[1]); return false;
  default: engine_fault(m, KT_MX_FAULT_COMMAND, w[0]); break;
  }
  return !stopped(m);
}

static void begin(struct kr_mxmach *m)
{
  kr_mx_drains_drop(m);
  memset(m->named, 0, sizeof m->named);
  memset(m->begun, 0, sizeof m->begun);
  memset(m->unwritten, 0, (size_t)(m->mem_size / KT_MX_BEAT_BYTES / 8 + 1));
  m->fault = (struct kr_mx_fault_now){0};
  m->total = (struct kr_mx_totals){0};
  m->refused = false;
  m->credit = m->done_code = m->command = m->kicked = 0;
  m->kick_next = m->kick_end = 0;
}

void kr_mx_run(struct kr_mxmach *m)
{
  begin(m);
  while (m->command < m->p.commands && command(m, m->commands[m->command])) m->command++;
  if (m->command == m->p.commands) engine_fault(m, KT_MX_FAULT_COMMAND, 0);
  if (!m->refused) run_kick(m);
  kr_mx_drains_drop(m);
}
