/* SPDX-License-Identifier: Apache-2.0
 *
 * The public calls: take the lock, do the step, give the lock back.
 */
#include "host/kd_board.h"
#include "host/kd_device.h"

#include "spec/generated/kt_mx.h"
#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_isa.h"

#include <stdio.h>
#include <string.h>

static void begin(struct ktpu_device *d)
{
  pthread_mutex_lock(&d->lock);
}

static enum ktpu_status end(struct ktpu_device *d, enum kt_status st)
{
  pthread_mutex_unlock(&d->lock);
  return (enum ktpu_status)st;
}

void ktpu_message(struct ktpu_device *device, struct ktpu_message *message)
{
  if (device == NULL || message == NULL) return;
  begin(device);
  snprintf(message->text, sizeof message->text, "%s", device->msg.text);
  (void)end(device, KT_OK);
}

static void describe_board(const struct kd_board *b, struct ktpu_info *info)
{
  if (b == NULL) return;
  snprintf(info->board, sizeof info->board, "%s%s", b->simulation != NULL ? "virtual-" : "",
           b->type->name);
  snprintf(info->serial, sizeof info->serial, "%s", b->serial);
  info->part = b->identity.part;
  info->build_id = b->identity.build_id;
  info->clock_hz = b->identity.clock_hz;
}

static void describe_mx(const struct kt_mx_params *p, struct ktpu_info *info)
{
  snprintf(info->engine, sizeof info->engine, "mxfp7");
  snprintf(info->config, sizeof info->config, "%s", p->config);
  kt_mx_params_canonical(p, info->parameters, sizeof info->parameters);
  info->spec_version = KT_MX_VERSION;
  info->config_hash = kt_mx_params_hash(p);
  info->peak = KT_MX_LANES * KT_MX_LANES * p->kslice;
  info->bus_bits = 8 * KT_MX_BEAT_BYTES;
  info->kslice = p->kslice;
  info->packed = p->packed;
  info->acc_mw = p->acc_mw;
  info->l1_entries = p->l1_entries;
  info->tiles = p->tiles;
  info->ififo = p->ififo;
  info->staging = p->staging;
  info->commands = p->commands;
  info->outstanding = p->outstanding;
  info->addr_bits = p->addr_bits;
}

static void describe_int8(const struct kt_params *p, struct ktpu_info *info)
{
  snprintf(info->engine, sizeof info->engine, "int8");
  snprintf(info->config, sizeof info->config, "%s", p->config);
  info->peak = p->t * p->t;
  kt_params_canonical(p, info->parameters, sizeof info->parameters);
  info->spec_version = KT_SPEC_VERSION;
  info->config_hash = kt_params_hash(p);
  info->t = p->t;
  info->maxdim = p->maxdim;
  info->bus_bits = p->bus_bits;
  info->spad_rows = p->spad_rows;
  info->nvr = p->nvr;
  info->nar = p->nar;
  info->imem_size = p->imem_size;
  info->qd = p->qd;
  info->outstanding = p->outstanding;
  info->addr_bits = p->addr_bits;
  info->contracts = p->contracts;
  info->strides = p->strides;
  info->counters = p->counters;
  info->serial_shift = p->serial_shift;
}

enum ktpu_status ktpu_info(struct ktpu_device *device, struct ktpu_info *info)
{
  if (device == NULL || info == NULL) return KTPU_EINVAL;
  begin(device);
  memset(info, 0, sizeof *info);
  snprintf(info->name, sizeof info->name, "%s", device->name);
  if (device->link.is_mx)
    describe_mx(&device->link.mx, info);
  else
    describe_int8(&device->link.params, info);
  info->memory = device->link.memory;
  describe_board(device->link.board, info);
  info->has_clock = device->link.ops->clock != NULL;
  return end(device, KT_OK);
}

enum ktpu_status ktpu_alloc(struct ktpu_device *device, uint64_t bytes, uint32_t *address)
{
  uint64_t addr = 0;
  if (device == NULL || address == NULL) return KTPU_EINVAL;
  begin(device);
  enum kt_status st = kd_alloc(device, bytes, &addr);
  if (st == KT_ENOMEM && device->cache != NULL) { /* programs kept for later make room */
    kd_empty_cache(device);
    st = kd_alloc(device, bytes, &addr);
  }
  *address = (uint32_t)addr;
  return end(device, st);
}

enum ktpu_status ktpu_free(struct ktpu_device *device, uint32_t address)
{
  if (device == NULL) return KTPU_EINVAL;
  begin(device);
  return end(device, kd_free(device, address));
}

enum ktpu_status ktpu_write(struct ktpu_device *device, uint64_t address, const void *data,
                            size_t bytes)
{
  if (device == NULL || (data == NULL && bytes != 0)) return KTPU_EINVAL;
  begin(device);
  return end(device, kd_write(device, address, data, bytes));
}

enum ktpu_status ktpu_read(struct ktpu_device *device, uint64_t address, void *data, size_t bytes)
{
  if (device == NULL || (data == NULL && bytes != 0)) return KTPU_EINVAL;
  begin(device);
  return end(device, kd_read(device, address, data, bytes));
}

enum ktpu_status ktpu_register_write(struct ktpu_device *device, uint32_t offset, uint32_t value)
{
  if (device == NULL) return KTPU_EINVAL;
  begin(device);
  return end(device, kd_reg_write(device, offset, value));
}

enum ktpu_status ktpu_register_read(struct ktpu_device *device, uint32_t offset, uint32_t *value)
{
  if (device == NULL || value == NULL) return KTPU_EINVAL;
  begin(device);
  return end(device, kd_reg_read(device, offset, value));
}

enum ktpu_status ktpu_sync(struct ktpu_device *device)
{
  if (device == NULL) return KTPU_EINVAL;
  begin(device);
  return end(device, kd_wait(device, 0));
}

enum ktpu_status ktpu_empty_cache(struct ktpu_device *device)
{
  if (device == NULL) return KTPU_EINVAL;
  begin(device);
  kd_empty_cache(device);
  return end(device, KT_OK);
}

enum ktpu_status ktpu_stats(struct ktpu_device *device, struct ktpu_stats *stats)
{
  if (device == NULL || stats == NULL) return KTPU_EINVAL;
  begin(device);
  *stats = device->stats;
  stats->allocated = device->heap.used;
  stats->peak = device->heap.peak;
  stats->allocations = device->heap.count;
  for (const struct kd_cached *c = device->cache; c != NULL; c = c->next) {
    stats->cached_programs++;
    stats->cached_bytes += 8 * c->n_words;
  }
  if (device->link.ops->clock != NULL)
    stats->simulated_cycles = device->link.ops->clock(device->link.ctx);
  return end(device, KT_OK);
}

enum ktpu_status ktpu_set_progress(struct ktpu_device *device, ktpu_progress call, void *context)
{
  if (device == NULL) return KTPU_EINVAL;
  begin(device);
  device->progress = call;
  device->progress_context = context;
  return end(device, KT_OK);
}

enum ktpu_status ktpu_run(struct ktpu_device *device, uint32_t list, uint32_t count,
                          struct ktpu_result *result)
{
  if (device == NULL || result == NULL) return KTPU_EINVAL;
  begin(device);
  memset(result, 0, sizeof *result);
  return end(device, kd_run(device, list, count, result));
}

const char *ktpu_unit_name(unsigned unit)
{
  return unit < kt_isa.n_units ? kt_isa.unit[unit].name : NULL;
}

const char *ktpu_state_name(unsigned state)
{
  static const char *const names[KTPU_STATES] = {"busy", "no_instruction", "operand",
                                                 "port", "downstream",     "memory"};
  return state < KTPU_STATES ? names[state] : NULL;
}
