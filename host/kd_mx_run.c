/* SPDX-License-Identifier: Apache-2.0
 *
 * One go of an MXFP7 machine: instructions and commands go in, the run ends, its figures come out.
 */
#include "host/kd_mx.h"

#include "spec/generated/kt_tinytpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* STATUS and CONTROL are the int8 core's. */
enum {
  GO = 1 << KT_CONTROL_START_LSB,
  BUSY = 1 << KT_STATUS_BUSY_LSB,
  DONE = 1 << KT_STATUS_DONE_LSB,
  FAULT = 1 << KT_STATUS_FAULT_LSB,
  REFUSED = 1 << KT_STATUS_REFUSED_LSB,
};

enum { ENGINE_NODE = 255 };

enum kt_status kd_mx_check(struct ktpu_device *d)
{
  if (d->link.is_mx) return KT_OK;
  kt_msg_set(&d->msg, "%s has no MXFP7 cluster: open ref:sim1 or sim:sim1", d->name);
  return KT_EUNSUPPORTED;
}

const char *ktpu_mx_sweep_name(unsigned state)
{
  for (size_t i = 0; i < kt_mx_n_sweep_states; i++)
    if (kt_mx_sweep_state[i].value == state) return kt_mx_sweep_state[i].name;
  return NULL;
}

/* ---- staging ---------------------------------------------------------------------------------- */

static enum kt_status capacity(struct ktpu_device *d, const char *what, size_t n, uint32_t most)
{
  if (n <= most) return KT_OK;
  kt_msg_set(&d->msg, "%zu %s are more than the machine's %" PRIu32, n, what, most);
  return KT_ELIMIT;
}

static enum kt_status stage(struct ktpu_device *d, const struct kc_mx_round *r)
{
  enum kt_status st = capacity(d, "instructions", r->n_flits, d->link.mx.staging);
  if (st == KT_OK) st = capacity(d, "commands", r->n_commands, d->link.mx.commands);
  if (st == KT_OK) st = kd_reg_write(d, KT_MX_REG_STAGE_INDEX, 0);
  for (size_t i = 0; st == KT_OK && i < r->n_flits * KT_MX_FLIT_WORDS; i++)
    st = kd_reg_write(d, KT_MX_REG_STAGE_DATA,
                      r->flits[i / KT_MX_FLIT_WORDS].word[i % KT_MX_FLIT_WORDS]);
  if (st == KT_OK) st = kd_reg_write(d, KT_MX_REG_COMMAND_INDEX, 0);
  for (size_t i = 0; st == KT_OK && i < r->n_commands * KT_MX_COMMAND_WORDS; i++)
    st = kd_reg_write(d, KT_MX_REG_COMMAND_DATA,
                      r->commands[i / KT_MX_COMMAND_WORDS].word[i % KT_MX_COMMAND_WORDS]);
  return st;
}

/* ---- results ---------------------------------------------------------------------------------- */

static enum kt_status add_counter(struct ktpu_device *d, uint32_t offset, uint64_t *to)
{
  uint32_t v;
  const enum kt_status st = kd_reg_read(d, offset, &v);
  if (st == KT_OK) *to += v;
  return st;
}

static enum kt_status add_counters(struct ktpu_device *d, struct ktpu_mx_result *r)
{
  const struct {
    uint32_t offset;
    uint64_t *to;
  } items[] = {
      {KT_MX_REG_INSTRUCTIONS, &r->instructions}, {KT_MX_REG_RAW_OVERFLOW, &r->raw.overflow},
      {KT_MX_REG_RAW_CLAMPED, &r->raw.clamped},   {KT_MX_REG_RAW_FLUSHED, &r->raw.flushed},
      {KT_MX_REG_RAW_NAN, &r->raw.nan},           {KT_MX_REG_RAW_POISONED, &r->raw.poisoned},
      {KT_MX_REG_READ_BEATS, &r->read_beats},     {KT_MX_REG_WRITE_BEATS, &r->write_beats},
      {KT_MX_REG_STEPS, &r->steps},
  };
  enum kt_status st = KT_OK;
  for (size_t i = 0; st == KT_OK && i < sizeof items / sizeof items[0]; i++)
    st = add_counter(d, items[i].offset, items[i].to);
  for (uint32_t i = 0; st == KT_OK && i < KTPU_MX_SWEEP_STATES; i++)
    st = add_counter(d, KT_MX_REG_SWEEP + 4 * i, &r->sweep[i]);
  return st;
}

static enum kt_status collect(struct ktpu_device *d, struct ktpu_mx_result *r)
{
  uint32_t lo = 0, hi = 0;
  enum kt_status st = kd_reg_read(d, KT_MX_REG_CYCLES_LO, &lo);
  if (st == KT_OK) st = kd_reg_read(d, KT_MX_REG_CYCLES_HI, &hi);
  if (st == KT_OK) st = add_counters(d, r);
  if (st != KT_OK) return st;
  const uint64_t cycles = (uint64_t)hi << 32 | lo;
  r->cycles += cycles;
  d->stats.cycles += cycles;
  return d->link.ops->check_run != NULL ? d->link.ops->check_run(d->link.ctx, cycles, &d->msg)
                                        : KT_OK;
}

/* ---- faults ----------------------------------------------------------------------------------- */

static void waiting_text(uint32_t mask, char *text, size_t n)
{
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < kt_mx_n_waiting && used < n; i++)
    if (mask >> kt_mx_waiting[i].value & 1)
      used += (size_t)snprintf(text + used, n - used, "%s%s", used > 0 ? ", " : "",
                               kt_mx_waiting[i].role);
}

void kd_mx_fault_text(struct ktpu_mx_fault *f)
{
  const struct kt_mx_insn *insn = NULL;
  const struct kt_mx_field *field = kt_mx_field(f->field, &insn);
  const char *name = "unknown fault", *role = "";
  char where[64], more[160] = "";
  for (size_t i = 0; i < kt_mx_n_faults; i++)
    if (kt_mx_fault[i].value == f->code) {
      name = kt_mx_fault[i].name;
      role = kt_mx_fault[i].role;
    }
  if (f->node == ENGINE_NODE)
    snprintf(where, sizeof where, "command engine, command %" PRIu32, f->command);
  else
    snprintf(where, sizeof where, "node %" PRIu32 ", instruction %" PRIu32, f->node,
             f->instruction);
  if (f->code == KT_MX_FAULT_FIELD && field != NULL)
    snprintf(more, sizeof more, " (%s %s, legal: %" PRIu32 " to %" PRIu32 ", multiples of %" PRIu32
             ")", insn->name, field->name, field->min, field->max, field->multiple);
  else if (f->code == KT_MX_FAULT_NO_PROGRESS)
    waiting_text(f->argument, more, sizeof more);
  snprintf(f->text, sizeof f->text, "%s: %s: %s; argument %" PRIu32 " (0x%" PRIx32 ")%s%s", where,
           name, role, f->argument, f->argument, more[0] != '\0' && more[0] != ' ' ? ": " : "", more);
}

static enum kt_status read_fault(struct ktpu_device *d, struct ktpu_mx_fault *f)
{
  uint32_t word;
  enum kt_status st = kd_reg_read(d, KT_MX_REG_FAULT, &word);
  if (st == KT_OK) st = kd_reg_read(d, KT_MX_REG_FAULT_ARG, &f->argument);
  if (st == KT_OK) st = kd_reg_read(d, KT_MX_REG_FAULT_INSTR, &f->instruction);
  if (st == KT_OK) st = kd_reg_read(d, KT_MX_REG_FAULT_COMMAND, &f->command);
  if (st != KT_OK) return st;
  f->code = word & 0xff;
  f->field = word >> 8 & 0xff;
  f->node = word >> 16 & 0xff;
  kd_mx_fault_text(f);
  d->stats.faults++;
  kt_msg_set(&d->msg, "%s", f->text);
  return KT_EFAULT;
}

static enum kt_status judge(struct ktpu_device *d, struct ktpu_mx_result *r)
{
  uint32_t status;
  const enum kt_status st = kd_reg_read(d, KT_MX_REG_STATUS, &status);
  if (st != KT_OK) return st;
  if (status & REFUSED) {
    kt_msg_set(&d->msg, "the machine refused go: it was busy");
    return KT_EBUSY;
  }
  if (status & FAULT) return read_fault(d, &r->fault);
  if ((status & DONE) && !(status & BUSY)) return KT_OK;
  kt_msg_set(&d->msg, "the machine is neither busy nor done: status 0x%" PRIx32, status);
  return KT_EIO;
}

enum kt_status kd_mx_run(struct ktpu_device *d, const struct kc_mx_round *round,
                         struct ktpu_mx_result *r)
{
  const uint32_t end = d->link.memory > UINT32_MAX ? UINT32_MAX : (uint32_t)d->link.memory;
  enum kt_status st = kd_mx_check(d);
  if (st == KT_OK) st = kd_reg_write(d, KT_MX_REG_MEMORY_BYTES, end);
  if (st == KT_OK) st = stage(d, round);
  if (st == KT_OK) st = kd_reg_write(d, KT_MX_REG_CONTROL, GO);
  if (st != KT_OK) return st;
  d->stats.starts++;
  r->programs++;
  st = kd_wait(d, 0);
  if (st == KT_OK) st = collect(d, r);
  return st == KT_OK ? judge(d, r) : st;
}
