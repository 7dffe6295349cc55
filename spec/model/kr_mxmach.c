/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine model: its registers and RAMs. What go does is in kr_mxmach_engine.c.
 */
#include "spec/model/kr_mxmach.h"

#include "spec/model/kr_mxmach_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  GO = 1 << 0,
  SOFT_RESET = 1 << 1,
  DONE = 1 << 1,  /* STATUS */
  FAULT = 1 << 2, /* STATUS */
  WATCHDOG_AFTER_RESET = 65536
};

struct kr_mxmach *kr_mxmach_new(const struct kt_mx_params *p)
{
  struct kr_mxmach *m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->p = *p;
  m->staging = calloc(p->staging, sizeof *m->staging);
  m->commands = calloc(p->commands, sizeof *m->commands);
  m->unwritten = calloc(1, 1);
  if (m->staging == NULL || m->commands == NULL || m->unwritten == NULL) {
    kr_mxmach_free(m);
    return NULL;
  }
  kr_mxmach_reset(m);
  return m;
}

void kr_mxmach_free(struct kr_mxmach *m)
{
  if (m == NULL) return;
  kr_mx_drains_drop(m);
  free(m->staging);
  free(m->commands);
  free(m->unwritten);
  free(m);
}

enum kt_status kr_mxmach_memory(struct kr_mxmach *m, uint8_t *bytes, uint64_t size)
{
  if (bytes == NULL || size % KT_MX_BEAT_BYTES != 0 || size > UINT64_C(1) << 32) return KT_EINVAL;
  uint8_t *unwritten = calloc(1, (size_t)(size / KT_MX_BEAT_BYTES / 8 + 1));
  if (unwritten == NULL) return KT_ENOMEM;
  free(m->unwritten);
  m->unwritten = unwritten;
  m->mem = bytes;
  m->mem_size = size;
  return KT_OK;
}

void kr_mxmach_reset(struct kr_mxmach *m)
{
  m->stage_index = m->command_index = 0;
  m->watchdog = WATCHDOG_AFTER_RESET;
  m->memory_bytes = UINT32_MAX;
  m->base = m->length = m->credit = 0;
  m->status = m->done_code = 0;
  m->fault = (struct kr_mx_fault_now){0};
  m->total = (struct kr_mx_totals){0};
}

/* ---- Reading ---------------------------------------------------------------------------------- */

static uint32_t identity(const struct kr_mxmach *m, uint32_t offset)
{
  const struct kt_mx_params *p = &m->p;
  switch (offset) {
  case KT_MX_REG_MAGIC: return KT_MX_MAGIC;
  case KT_MX_REG_SPEC_VERSION: return KT_MX_VERSION;
  case KT_MX_REG_CONFIG_HASH: return kt_mx_params_hash(p);
  case KT_MX_REG_ENGINE: return KT_MX_ENGINE;
  case KT_MX_REG_PARAM0: return 1 | p->kslice << 8 | p->acc_mw << 16 | p->ififo << 24;
  case KT_MX_REG_PARAM1: return p->l1_entries | p->tiles << 16;
  case KT_MX_REG_PARAM2: return p->staging | p->commands << 16;
  case KT_MX_REG_PARAM3: return p->outstanding | p->addr_bits << 8 | p->packed << 16;
  default: return 0;
  }
}

static uint32_t outcome(const struct kr_mxmach *m, uint32_t offset)
{
  const struct kr_mx_fault_now *f = &m->fault;
  const struct kr_mx_totals *t = &m->total;
  switch (offset) {
  case KT_MX_REG_FAULT: return f->code | f->field << 8 | f->node << 16;
  case KT_MX_REG_FAULT_ARG: return f->arg;
  case KT_MX_REG_FAULT_INSTR: return f->instr;
  case KT_MX_REG_FAULT_COMMAND: return f->command;
  case KT_MX_REG_DONE_CODE: return m->done_code;
  case KT_MX_REG_COMPLETED:
  case KT_MX_REG_NODE_COMPLETED: return t->completed;
  case KT_MX_REG_RAW_OVERFLOW: return t->overflow;
  case KT_MX_REG_RAW_CLAMPED: return t->clamped;
  case KT_MX_REG_RAW_FLUSHED: return t->flushed;
  case KT_MX_REG_RAW_NAN: return t->nan;
  case KT_MX_REG_RAW_POISONED: return t->poisoned;
  case KT_MX_REG_READ_BEATS: return t->read_beats;
  case KT_MX_REG_WRITE_BEATS: return t->write_beats;
  case KT_MX_REG_STEPS: return t->steps;
  case KT_MX_REG_INSTRUCTIONS: return t->sent;
  default: return identity(m, offset);
  }
}

uint32_t kr_mxmach_read(const struct kr_mxmach *m, uint32_t offset)
{
  switch (offset) {
  case KT_MX_REG_STATUS: return m->status;
  case KT_MX_REG_STAGE_INDEX: return m->stage_index;
  case KT_MX_REG_WATCHDOG: return m->watchdog;
  case KT_MX_REG_COMMAND_INDEX: return m->command_index;
  case KT_MX_REG_MEMORY_BYTES: return m->memory_bytes;
  case KT_MX_REG_NODE: return m->base;
  case KT_MX_REG_NODE + 4: return m->length;
  case KT_MX_REG_NODE + 8: return m->credit;
  default: return outcome(m, offset);
  }
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static void stage(struct kr_mxmach *m, uint32_t value)
{
  const uint32_t i = m->stage_index++;
  if (i / KT_MX_FLIT_WORDS < m->p.staging)
    m->staging[i / KT_MX_FLIT_WORDS].word[i % KT_MX_FLIT_WORDS] = value;
}

static void command(struct kr_mxmach *m, uint32_t value)
{
  const uint32_t i = m->command_index++;
  if (i / KT_MX_COMMAND_WORDS < m->p.commands)
    m->commands[i / KT_MX_COMMAND_WORDS][i % KT_MX_COMMAND_WORDS] = value;
}

static enum kt_status control(struct kr_mxmach *m, uint32_t value, struct kt_msg *msg)
{
  if ((value & SOFT_RESET) != 0) {
    kr_mxmach_reset(m);
    return KT_OK;
  }
  if ((value & GO) == 0) return KT_OK;
  m->msg = msg;
  kr_mx_run(m);
  m->msg = NULL;
  m->status = m->refused ? 0 : DONE | (m->fault.code != 0 ? FAULT : 0);
  return m->refused ? KT_EFAULT : KT_OK;
}

enum kt_status kr_mxmach_write(struct kr_mxmach *m, uint32_t offset, uint32_t value,
                               struct kt_msg *msg)
{
  switch (offset) {
  case KT_MX_REG_CONTROL: return control(m, value, msg);
  case KT_MX_REG_STAGE_INDEX: m->stage_index = value; break;
  case KT_MX_REG_STAGE_DATA: stage(m, value); break;
  case KT_MX_REG_COMMAND_INDEX: m->command_index = value; break;
  case KT_MX_REG_COMMAND_DATA: command(m, value); break;
  case KT_MX_REG_WATCHDOG: m->watchdog = value; break;
  case KT_MX_REG_MEMORY_BYTES: m->memory_bytes = value; break;
  case KT_MX_REG_NODE: m->base = value; break;
  case KT_MX_REG_NODE + 4: m->length = value; break;
  default: break;
  }
  return KT_OK;
}

/* ---- What the parts share --------------------------------------------------------------------- */

void kr_mx_fault_set(struct kr_mxmach *m, uint32_t code, uint32_t field, uint32_t node,
                     uint32_t arg, uint32_t instr)
{
  if (m->fault.code != 0) return;
  m->fault = (struct kr_mx_fault_now){.code = code, .field = field, .node = node, .arg = arg,
                                      .instr = instr, .command = m->command};
}

void kr_mx_refuse(struct kr_mxmach *m, const char *fmt, ...)
{
  char text[sizeof m->msg->text];
  va_list ap;

  if (m->refused) return;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  m->refused = true;
  kt_msg_set(m->msg, "%s", text);
}

uint8_t *kr_mx_word(struct kr_mxmach *m, uint64_t addr, bool write, uint32_t instr)
{
  const char *verb = write ? "writes" : "reads";

  if (addr >= m->memory_bytes) {
    kr_mx_fault_set(m, KT_MX_FAULT_MEMORY, 0, KR_MX_NODE, (uint32_t)addr, instr);
    return NULL;
  }
  if (addr >= m->mem_size) {
    kr_mx_refuse(m, "instruction %u %s address 0x%llx, memory ends at 0x%llx and MEMORY_BYTES allows it",
                 instr, verb, (unsigned long long)addr, (unsigned long long)m->mem_size);
    return NULL;
  }
  return m->mem + addr;
}
