/* SPDX-License-Identifier: Apache-2.0
 *
 * Starting a list, waiting for its end, reading what the machine says about it; reset; the cache of
 * programs on the device.
 */
#include "host/kd_device.h"

#include "spec/generated/kt_tinytpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A wait is cut into pieces of cycles, short ones first; so many of the longest without a completed
 * descriptor end it. Between pieces the status tells whether waiting makes sense. */
enum { FIRST_PIECE = 1 << 14, LAST_PIECE = 1 << 24, IDLE_PIECES = 256 };

enum {
  BUSY = 1 << KT_STATUS_BUSY_LSB,
  DONE = 1 << KT_STATUS_DONE_LSB,
  FAULT = 1 << KT_STATUS_FAULT_LSB,
  REFUSED = 1 << KT_STATUS_REFUSED_LSB,
  RESETTING = 1 << KT_STATUS_RESETTING_LSB,
  STUCK = 1 << KT_STATUS_STUCK_LSB,
};

/* ---- waiting ---------------------------------------------------------------------------------- */

static enum kt_status report_progress(struct ktpu_device *d, uint32_t done, uint32_t count)
{
  uint32_t lo = 0, hi = 0;
  if (d->progress == NULL) return KT_OK;
  enum kt_status st = kd_reg_read(d, KT_REG_CYCLES_HI, &hi);
  if (st == KT_OK) st = kd_reg_read(d, KT_REG_CYCLES_LO, &lo);
  if (st != KT_OK) return st;
  if (d->progress(d->progress_context, done, count, (uint64_t)hi << 32 | lo) == 0) return KT_OK;
  kt_msg_set(&d->msg, "the caller stopped waiting");
  return KT_ETIMEDOUT;
}

/* One piece of a wait; KT_ETIMEDOUT when the machine is still busy after it. */
static enum kt_status wait_piece(struct ktpu_device *d, uint64_t cycles)
{
  if (d->sample == NULL) return d->link.ops->wait_idle(d->link.ctx, cycles, &d->msg);
  enum kt_status st = KT_ETIMEDOUT;
  for (uint64_t at = 0; st == KT_ETIMEDOUT && at < cycles; at += d->sample_period) {
    st = d->link.ops->wait_idle(d->link.ctx, d->sample_period, &d->msg);
    d->sample(d->sample_context, d);
  }
  return st;
}

/* KT_EFAULT when memory left an access unanswered: the machine waits for rst_i. */
static enum kt_status check_stuck(struct ktpu_device *d)
{
  uint32_t status;
  const enum kt_status st = kd_reg_read(d, KT_REG_STATUS, &status);
  if (st != KT_OK || !(status & STUCK)) return st;
  kt_msg_set(&d->msg, "the memory never answered: only a hard reset recovers");
  return KT_EFAULT;
}

enum kt_status kd_wait(struct ktpu_device *d, uint32_t count)
{
  uint32_t last = 0;
  uint64_t piece = FIRST_PIECE;
  for (unsigned idle = 0; idle < IDLE_PIECES;) {
    uint32_t done;
    enum kt_status st = wait_piece(d, piece);
    if (st != KT_ETIMEDOUT) return st;
    st = check_stuck(d);
    if (st == KT_OK) st = kd_reg_read(d, KT_REG_DESC_DONE, &done);
    if (st == KT_OK) st = report_progress(d, done, count);
    if (st != KT_OK) return st;
    idle = done == last && piece == LAST_PIECE ? idle + 1 : 0;
    last = done;
    if (piece < LAST_PIECE) piece *= 2;
  }
  kt_msg_set(&d->msg, "descriptor %" PRIu32 " was not completed in %u pieces of %d cycles", last,
             (unsigned)IDLE_PIECES, (int)LAST_PIECE);
  return KT_ETIMEDOUT;
}

/* ---- results ---------------------------------------------------------------------------------- */

struct read_item {
  uint32_t offset;
  uint32_t *to;
};

static enum kt_status read_all(struct ktpu_device *d, const struct read_item *items, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const enum kt_status st = kd_reg_read(d, items[i].offset, items[i].to);
    if (st != KT_OK) return st;
  }
  return KT_OK;
}

static enum kt_status read_stalls(struct ktpu_device *d, struct ktpu_result *r)
{
  if (!d->link.params.counters) return KT_OK;
  for (uint32_t u = 0; u < KT_UNITS; u++) {
    for (uint32_t s = 0; s < KT_STATES; s++) {
      uint32_t v;
      const enum kt_status st = kd_reg_read(d, KT_REG_COUNT + KT_COUNT_UNIT_STRIDE * u + 4 * s, &v);
      if (st != KT_OK) return st;
      r->stalls[u][s] += v;
    }
  }
  return KT_OK;
}

static enum kt_status read_fault(struct ktpu_device *d, struct ktpu_fault *f)
{
  uint32_t word;
  const struct read_item items[] = {
      {KT_REG_FAULT, &word},
      {KT_REG_FAULT_ARG, &f->argument},
      {KT_REG_FAULT_INSTR, &f->instruction},
      {KT_REG_FAULT_DESC, &f->descriptor},
  };
  const enum kt_status st = read_all(d, items, sizeof items / sizeof items[0]);
  if (st != KT_OK) return st;
  f->code = (word >> KT_FAULT_CODE_LSB) & 0xff;
  f->sub = (word >> KT_FAULT_SUB_LSB) & 0xff;
  kd_fault_text(f);
  return KT_OK;
}

/* Adds one start's figures to the result. */
static enum kt_status collect(struct ktpu_device *d, struct ktpu_result *r, uint32_t *status)
{
  uint32_t lo, hi, done, sat, wrap;
  const struct read_item items[] = {
      {KT_REG_STATUS, status},   {KT_REG_CYCLES_LO, &lo}, {KT_REG_CYCLES_HI, &hi},
      {KT_REG_DESC_DONE, &done}, {KT_REG_EVENT_SAT, &sat}, {KT_REG_EVENT_WRAP, &wrap},
  };
  enum kt_status st = read_all(d, items, sizeof items / sizeof items[0]);
  if (st == KT_OK) st = read_stalls(d, r);
  if (st != KT_OK) return st;
  const uint64_t cycles = (uint64_t)hi << 32 | lo;
  r->cycles += cycles;
  r->descriptors += done;
  r->saturations += sat;
  r->wraps += wrap;
  d->stats.cycles += cycles;
  return d->link.ops->check_run != NULL ? d->link.ops->check_run(d->link.ctx, cycles, &d->msg)
                                        : KT_OK;
}

static enum kt_status judge(struct ktpu_device *d, uint32_t status, struct ktpu_result *r)
{
  if (status & REFUSED) {
    kt_msg_set(&d->msg, "the machine refused the start: it was busy");
    return KT_EBUSY;
  }
  if (status & FAULT) {
    const enum kt_status st = read_fault(d, &r->fault);
    if (st != KT_OK) return st;
    d->stats.faults++;
    kt_msg_set(&d->msg, "%s", r->fault.text);
    return KT_EFAULT;
  }
  if ((status & DONE) && !(status & BUSY)) return KT_OK;
  kt_msg_set(&d->msg, "the machine is neither busy nor done: status 0x%" PRIx32, status);
  return KT_EIO;
}

/* The fault that stopped a machine whose memory does not answer. */
static enum kt_status stuck(struct ktpu_device *d, struct ktpu_result *r)
{
  const enum kt_status st = read_fault(d, &r->fault);
  if (st != KT_OK) return st;
  d->stats.faults++;
  kt_msg_set(&d->msg, "%s; the memory never answered: only a hard reset recovers", r->fault.text);
  return KT_EFAULT;
}

enum kt_status kd_check_int8(struct ktpu_device *d)
{
  if (!d->link.is_mx) return KT_OK;
  kt_msg_set(&d->msg, "%s has no int8 core: open ref:int8 or sim:int8", d->name);
  return KT_EUNSUPPORTED;
}

enum kt_status kd_run(struct ktpu_device *d, uint32_t list, uint32_t count,
                      struct ktpu_result *result)
{
  uint32_t status = 0;
  enum kt_status st = kd_check_int8(d);
  if (st == KT_OK) st = kd_reg_write(d, KT_REG_LIST_ADDR, list);
  if (st == KT_OK) st = kd_reg_write(d, KT_REG_LIST_COUNT, count);
  if (st == KT_OK) st = kd_reg_write(d, KT_REG_CONTROL, 1 << KT_CONTROL_START_LSB);
  if (st != KT_OK) return st;
  d->stats.starts++;
  result->programs++;
  st = kd_wait(d, count);
  if (st == KT_EFAULT) return stuck(d, result);
  if (st == KT_OK) st = collect(d, result, &status);
  return st == KT_OK ? judge(d, status, result) : st;
}

/* ---- reset ------------------------------------------------------------------------------------ */

static enum kt_status soft_reset(struct ktpu_device *d)
{
  uint32_t bound, status;
  enum kt_status st = kd_reg_read(d, KT_REG_WATCHDOG, &bound);
  if (st == KT_OK) st = kd_reg_write(d, KT_REG_CONTROL, 1 << KT_CONTROL_RESET_LSB);
  if (st != KT_OK) return st;
  for (uint64_t polls = 0; polls < (uint64_t)bound + 4096; polls++) {
    st = kd_reg_read(d, KT_REG_STATUS, &status);
    if (st != KT_OK) return st;
    if (status & STUCK) break;
    if (!(status & RESETTING)) return KT_OK;
  }
  kt_msg_set(&d->msg, "the soft reset does not end: the memory never answered; "
                      "only a hard reset recovers");
  return KT_ETIMEDOUT;
}

static enum kt_status hard_reset(struct ktpu_device *d)
{
  if (d->link.ops->hard_reset != NULL) return d->link.ops->hard_reset(d->link.ctx, &d->msg);
  kt_msg_set(&d->msg, "%s has no reset pin that the host can reach", d->name);
  return KT_EUNSUPPORTED;
}

enum ktpu_status ktpu_reset(struct ktpu_device *device, enum ktpu_reset kind)
{
  if (device == NULL) return KTPU_EINVAL;
  pthread_mutex_lock(&device->lock);
  const enum kt_status st = kind == KTPU_RESET_HARD ? hard_reset(device) : soft_reset(device);
  pthread_mutex_unlock(&device->lock);
  return (enum ktpu_status)st;
}

/* ---- programs on the device ------------------------------------------------------------------- */

static enum kt_status add_program(struct ktpu_device *d, const uint64_t *words, size_t n_words,
                                  uint64_t *addr)
{
  struct kd_cached *c = calloc(1, sizeof *c);
  uint64_t *copy = malloc(n_words * sizeof *copy);
  enum kt_status st = c == NULL || copy == NULL ? KT_ENOMEM : KT_OK;
  if (st == KT_OK) st = kd_alloc(d, n_words * sizeof *words, addr);
  if (st == KT_OK) {
    st = kd_write(d, *addr, words, n_words * sizeof *words);
    if (st != KT_OK) kd_heap_free(&d->heap, *addr);
  }
  if (st != KT_OK) {
    free(c);
    free(copy);
    return st;
  }
  memcpy(copy, words, n_words * sizeof *copy);
  *c = (struct kd_cached){.words = copy, .n_words = n_words, .addr = *addr, .next = d->cache};
  d->cache = c;
  return KT_OK;
}

enum kt_status kd_program(struct ktpu_device *d, const uint64_t *words, size_t n_words,
                          uint64_t *addr)
{
  for (const struct kd_cached *c = d->cache; c != NULL; c = c->next) {
    if (c->n_words != n_words || memcmp(c->words, words, n_words * sizeof *words) != 0) continue;
    *addr = c->addr;
    return KT_OK;
  }
  return add_program(d, words, n_words, addr);
}

void kd_empty_cache(struct ktpu_device *d)
{
  while (d->cache != NULL) {
    struct kd_cached *next = d->cache->next;
    kd_heap_free(&d->heap, d->cache->addr);
    free(d->cache->words);
    free(d->cache);
    d->cache = next;
  }
}
