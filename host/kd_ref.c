/* SPDX-License-Identifier: Apache-2.0
 *
 * The ref: transport: the reference model behind the machine's registers. A start runs to its end
 * at once; there is no clock, so cycles and counters are 0.
 */
#include "host/kd_ops.h"

#include "spec/generated/kt_tinytpu.h"
#include "spec/model/kr_int8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct ref {
  struct kt_params params;
  struct kr_int8 *model;
  struct kr_mem mem;
  uint32_t list_addr, list_count, watchdog;
  struct kt_desc_words desc;
  uint32_t status;
  struct kr_result result;
};

static uint32_t features(const struct kt_params *p)
{
  return p->strides << KT_FEATURES_STRIDES_LSB | p->contracts << KT_FEATURES_CONTRACTS_LSB |
         p->counters << KT_FEATURES_COUNTERS_LSB | p->serial_shift << KT_FEATURES_SERIAL_SHIFT_LSB;
}

static uint32_t identity(const struct kt_params *p, uint32_t offset)
{
  switch (offset) {
  case KT_REG_MAGIC: return KT_MAGIC;
  case KT_REG_SPEC_VERSION: return KT_SPEC_VERSION;
  case KT_REG_CONFIG_HASH: return kt_params_hash(p);
  case KT_REG_FEATURES: return features(p);
  case KT_REG_PARAM0:
    return p->t << KT_PARAM0_T_LSB | p->maxdim << KT_PARAM0_MAXDIM_LSB |
           p->bus_bits / 8 << KT_PARAM0_BUS_BYTES_LSB;
  case KT_REG_PARAM1:
    return p->spad_rows << KT_PARAM1_SPAD_ROWS_LSB | p->nvr << KT_PARAM1_NVR_LSB;
  case KT_REG_PARAM2:
    return p->nar << KT_PARAM2_NAR_LSB | p->imem_size << KT_PARAM2_IMEM_SIZE_LSB;
  case KT_REG_PARAM3:
    return p->qd << KT_PARAM3_QD_LSB | p->outstanding << KT_PARAM3_OUTSTANDING_LSB |
           p->addr_bits << KT_PARAM3_ADDR_BITS_LSB;
  default: return 0;
  }
}

static uint32_t saturated(uint64_t count)
{
  return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

static uint32_t outcome(const struct ref *r, uint32_t offset)
{
  const struct kr_fault *f = &r->result.fault;
  switch (offset) {
  case KT_REG_FAULT: return f->code << KT_FAULT_CODE_LSB | f->sub << KT_FAULT_SUB_LSB;
  case KT_REG_FAULT_ARG: return f->arg;
  case KT_REG_FAULT_INSTR: return f->instr;
  case KT_REG_FAULT_DESC: return f->desc;
  case KT_REG_DESC_DONE: return r->result.desc_done;
  case KT_REG_EVENT_SAT: return saturated(r->result.event_sat);
  case KT_REG_EVENT_WRAP: return saturated(r->result.event_wrap);
  default: return identity(&r->params, offset);
  }
}

static enum kt_status reg_read(void *ctx, uint32_t offset, uint32_t *value, struct kt_msg *msg)
{
  const struct ref *r = ctx;
  (void)msg;
  switch (offset) {
  case KT_REG_STATUS: *value = r->status; break;
  case KT_REG_LIST_ADDR: *value = r->list_addr; break;
  case KT_REG_LIST_COUNT: *value = r->list_count; break;
  case KT_REG_WATCHDOG: *value = r->watchdog; break;
  default:
    *value = offset >= KT_REG_DESC && offset < KT_REG_DESC + KT_DESC_BYTES
                 ? r->desc.w[(offset - KT_REG_DESC) / 4]
                 : outcome(r, offset);
    break;
  }
  return KT_OK;
}

static enum kt_status start(struct ref *r, struct kt_msg *msg)
{
  memset(&r->result, 0, sizeof r->result);
  const enum kt_status st = kr_int8_run(r->model, &r->mem, r->list_addr, r->list_count, &r->desc,
                                        &r->result, msg);
  r->status = 1u << KT_STATUS_DONE_LSB;
  if (r->result.fault.code != 0) r->status |= 1u << KT_STATUS_FAULT_LSB;
  return st == KT_EFAULT ? KT_EINVAL : st; /* what hardware would do is not defined */
}

static enum kt_status reg_write(void *ctx, uint32_t offset, uint32_t value, struct kt_msg *msg)
{
  struct ref *r = ctx;
  switch (offset) {
  case KT_REG_CONTROL:
    return value >> KT_CONTROL_START_LSB & 1 ? start(r, msg) : KT_OK;
  case KT_REG_LIST_ADDR: r->list_addr = value; break;
  case KT_REG_LIST_COUNT: r->list_count = value; break;
  case KT_REG_WATCHDOG: r->watchdog = value; break;
  default:
    if (offset >= KT_REG_DESC && offset < KT_REG_DESC + KT_DESC_BYTES)
      r->desc.w[(offset - KT_REG_DESC) / 4] = value;
    break;
  }
  return KT_OK;
}

static enum kt_status mem_read(void *ctx, uint64_t addr, void *data, size_t bytes,
                               struct kt_msg *msg)
{
  const struct ref *r = ctx;
  (void)msg;
  memcpy(data, r->mem.bytes + addr, bytes);
  return KT_OK;
}

static enum kt_status mem_write(void *ctx, uint64_t addr, const void *data, size_t bytes,
                                struct kt_msg *msg)
{
  const struct ref *r = ctx;
  (void)msg;
  memcpy(r->mem.bytes + addr, data, bytes);
  return KT_OK;
}

static enum kt_status wait_idle(void *ctx, uint64_t max_cycles, struct kt_msg *msg)
{
  (void)ctx;
  (void)max_cycles;
  (void)msg;
  return KT_OK;
}

static enum kt_status hard_reset(void *ctx, struct kt_msg *msg)
{
  struct ref *r = ctx;
  (void)msg;
  r->status = r->list_addr = r->list_count = 0;
  r->watchdog = KT_REG_WATCHDOG_RESET;
  memset(&r->desc, 0, sizeof r->desc);
  memset(&r->result, 0, sizeof r->result);
  return KT_OK;
}

static void close_ref(void *ctx)
{
  struct ref *r = ctx;
  kr_int8_free(r->model);
  free(r->mem.bytes);
  free(r);
}

static const struct kd_ops ref_ops = {
    .reg_read = reg_read,
    .reg_write = reg_write,
    .mem_read = mem_read,
    .mem_write = mem_write,
    .wait_idle = wait_idle,
    .hard_reset = hard_reset,
    .close = close_ref,
};

/* The model inside a device that kd_ref_open made: for traces. */
struct kr_int8 *kd_ref_model(void *ctx)
{
  return ((struct ref *)ctx)->model;
}

enum kt_status kd_ref_open(const char *spec, const struct ktpu_options *options,
                           struct kd_transport *t, struct kt_msg *msg)
{
  struct kt_params p;
  uint64_t memory;
  if (kt_mx_params_is(spec)) return kd_mx_ref_open(spec, options, t, msg);
  enum kt_status st = kt_params_parse(&p, spec, msg);
  if (st == KT_OK) st = kd_memory_size(p.addr_bits, options->memory, &memory, msg);
  if (st != KT_OK) return st;
  struct ref *r = calloc(1, sizeof *r);
  if (r == NULL) return KT_ENOMEM;
  r->params = p;
  r->model = kr_int8_new(&p);
  r->mem = (struct kr_mem){.bytes = calloc(1, memory), .size = memory};
  if (r->model == NULL || r->mem.bytes == NULL) {
    close_ref(r);
    kt_msg_set(msg, "no memory for a model with %" PRIu64 " bytes", memory);
    return KT_ENOMEM;
  }
  if (options->power_seed != 0) kr_int8_scramble(r->model, options->power_seed);
  (void)hard_reset(r, msg);
  *t = (struct kd_transport){.ops = &ref_ops, .ctx = r, .params = p, .memory = memory};
  return KT_OK;
}
