/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening, closing, identity, memory and registers.
 */
#include "host/kd_device.h"

#include "spec/generated/kt_mx.h"
#include "spec/generated/kt_tinytpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_BYTE = 0xc5, DEFAULT_MEMORY = 64 << 20 };

enum kt_status kd_memory_size(uint32_t addr_bits, uint64_t asked, uint64_t *bytes,
                              struct kt_msg *msg)
{
  const uint64_t most = UINT64_C(1) << addr_bits;
  *bytes = asked != 0 ? asked : (most < DEFAULT_MEMORY ? most : DEFAULT_MEMORY);
  if (*bytes <= most && *bytes >= 4096 && *bytes % 64 == 0) return KT_OK;
  kt_msg_set(msg,
             "%" PRIu64 " bytes of device memory: want a multiple of 64 from 4096 to %" PRIu64
             " (ADDR_BITS = %" PRIu32 ")",
             *bytes, most, addr_bits);
  return KT_ERANGE;
}

/* ---- memory and registers --------------------------------------------------------------------- */

static enum kt_status in_memory(struct ktpu_device *d, uint64_t addr, uint64_t bytes)
{
  if (addr <= d->link.memory && bytes <= d->link.memory - addr) return KT_OK;
  kt_msg_set(&d->msg,
             "%" PRIu64 " bytes at 0x%" PRIx64 " lie outside the device's memory of %" PRIu64
             " bytes",
             bytes, addr, d->link.memory);
  return KT_ERANGE;
}

enum kt_status kd_write(struct ktpu_device *d, uint64_t addr, const void *data, size_t bytes)
{
  const enum kt_status st = in_memory(d, addr, bytes);
  if (st != KT_OK || bytes == 0) return st;
  d->stats.bytes_written += bytes;
  return d->link.ops->mem_write(d->link.ctx, addr, data, bytes, &d->msg);
}

enum kt_status kd_read(struct ktpu_device *d, uint64_t addr, void *data, size_t bytes)
{
  const enum kt_status st = in_memory(d, addr, bytes);
  if (st != KT_OK || bytes == 0) return st;
  d->stats.bytes_read += bytes;
  return d->link.ops->mem_read(d->link.ctx, addr, data, bytes, &d->msg);
}

enum kt_status kd_reg_write(struct ktpu_device *d, uint32_t offset, uint32_t value)
{
  return d->link.ops->reg_write(d->link.ctx, offset, value, &d->msg);
}

enum kt_status kd_reg_read(struct ktpu_device *d, uint32_t offset, uint32_t *value)
{
  return d->link.ops->reg_read(d->link.ctx, offset, value, &d->msg);
}

/* The guards of a block: before the user's bytes, and from their end to the block's. */
static enum kt_status write_guards(struct ktpu_device *d, const struct kd_block *b)
{
  uint8_t pattern[2 * KD_GUARD];
  const uint64_t end = b->user + b->user_bytes;
  memset(pattern, GUARD_BYTE, sizeof pattern);
  const enum kt_status st = kd_write(d, b->first, pattern, (size_t)(b->user - b->first));
  return st != KT_OK ? st : kd_write(d, end, pattern, (size_t)(b->first + b->bytes - end));
}

static enum kt_status check_guard(struct ktpu_device *d, uint64_t addr, uint64_t bytes,
                                  uint64_t user)
{
  uint8_t found[2 * KD_GUARD];
  const enum kt_status st = kd_read(d, addr, found, (size_t)bytes);
  if (st != KT_OK) return st;
  for (uint64_t i = 0; i < bytes; i++) {
    if (found[i] == GUARD_BYTE) continue;
    kt_msg_set(&d->msg,
               "the guard of the memory at 0x%" PRIx64 " was overwritten at 0x%" PRIx64
               " (0x%02x)",
               user, addr + i, found[i]);
    return KT_EIO;
  }
  return KT_OK;
}

enum kt_status kd_alloc(struct ktpu_device *d, uint64_t bytes, uint64_t *addr)
{
  enum kt_status st = kd_heap_alloc(&d->heap, bytes, addr, &d->msg);
  if (st != KT_OK || d->heap.guard == 0) return st;
  st = write_guards(d, kd_heap_find(&d->heap, *addr));
  if (st != KT_OK) kd_heap_free(&d->heap, *addr);
  return st;
}

enum kt_status kd_free(struct ktpu_device *d, uint64_t addr)
{
  const struct kd_block *b = kd_heap_find(&d->heap, addr);
  if (b == NULL) {
    kt_msg_set(&d->msg, "nothing is allocated at 0x%" PRIx64, addr);
    return KT_EINVAL;
  }
  enum kt_status st = KT_OK;
  if (d->heap.guard != 0) {
    const uint64_t end = b->user + b->user_bytes;
    st = check_guard(d, b->first, b->user - b->first, addr);
    if (st == KT_OK) st = check_guard(d, end, b->first + b->bytes - end, addr);
  }
  kd_heap_free(&d->heap, addr);
  return st;
}

/* ---- identity --------------------------------------------------------------------------------- */

static enum kt_status same_value(struct ktpu_device *d, const char *what, uint32_t offset,
                                 uint32_t want)
{
  uint32_t got;
  const enum kt_status st = kd_reg_read(d, offset, &got);
  if (st != KT_OK || got == want) return st;
  kt_msg_set(&d->msg, "%s: %s is 0x%08" PRIx32 ", the driver wants 0x%08" PRIx32, d->name, what,
             got, want);
  return KT_EMISMATCH;
}

enum kt_status kd_check_identity(struct ktpu_device *d)
{
  const bool mx = d->link.is_mx;
  enum kt_status st = same_value(d, "the magic number", KT_REG_MAGIC, KT_MAGIC);
  if (st == KT_OK)
    st = same_value(d, "the specification's version", KT_REG_SPEC_VERSION,
                    mx ? KT_MX_VERSION : KT_SPEC_VERSION);
  if (st == KT_OK && mx) st = same_value(d, "the engine", KT_MX_REG_ENGINE, KT_MX_ENGINE);
  if (st == KT_OK)
    st = same_value(d, "the parameters' hash", KT_REG_CONFIG_HASH,
                    mx ? kt_mx_params_hash(&d->link.mx) : kt_params_hash(&d->link.params));
  return st;
}

/* ---- opening and closing ---------------------------------------------------------------------- */

static enum kt_status open_transport(struct ktpu_device *d)
{
  if (strncmp(d->name, "ref:", 4) == 0)
    return kd_ref_open(d->name + 4, &d->options, &d->link, &d->msg);
  if (strncmp(d->name, "sim:", 4) == 0)
    return kd_sim_open(d->name + 4, &d->options, &d->link, &d->msg);
  if (strncmp(d->name, "ftdi:", 5) == 0)
    return kd_ftdi_transport_open(d->name + 5, &d->link, &d->msg);
  kt_msg_set(&d->msg, "'%s' is no device: want ref:CONFIG, sim:CONFIG, sim:@NAME or ftdi:BOARD", d->name);
  return KT_ENODEV;
}

/* Everything in memory at a value of its own, so that nothing may depend on it being zero. */
static enum kt_status fill_with_noise(struct ktpu_device *d)
{
  enum { CHUNK = 1 << 16 };
  uint64_t x = d->options.noise_seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
  uint64_t *noise = malloc(CHUNK);
  enum kt_status st = noise == NULL ? KT_ENOMEM : KT_OK;
  for (uint64_t at = 0; st == KT_OK && at < d->link.memory; at += CHUNK) {
    for (size_t i = 0; i < CHUNK / sizeof *noise; i++) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      noise[i] = x;
    }
    const uint64_t left = d->link.memory - at;
    st = kd_write(d, at, noise, left < CHUNK ? (size_t)left : CHUNK);
  }
  free(noise);
  return st;
}

static enum kt_status prepare(struct ktpu_device *d)
{
  enum kt_status st = kd_check_identity(d);
  kd_heap_init(&d->heap, d->link.memory, d->options.no_guards ? 0 : KD_GUARD);
  if (st == KT_OK && d->options.noise_seed != 0) st = fill_with_noise(d);
  d->stats = (struct ktpu_stats){.memory = d->link.memory};
  return st;
}

static void close_device(struct ktpu_device *d)
{
  kd_empty_cache(d);
  if (d->link.ops != NULL) d->link.ops->close(d->link.ctx);
  kd_heap_clear(&d->heap);
  pthread_mutex_destroy(&d->lock);
  free(d);
}

enum ktpu_status ktpu_open(const char *name, const struct ktpu_options *options,
                           struct ktpu_device **device, struct ktpu_message *message)
{
  if (message != NULL) message->text[0] = '\0';
  if (device == NULL) return KTPU_EINVAL;
  *device = NULL;
  if (name == NULL || strlen(name) >= sizeof((struct ktpu_device *)0)->name) return KTPU_EINVAL;
  struct ktpu_device *d = calloc(1, sizeof *d);
  if (d == NULL) return KTPU_ENOMEM;
  if (pthread_mutex_init(&d->lock, NULL) != 0) {
    free(d);
    return KTPU_ENOMEM;
  }
  snprintf(d->name, sizeof d->name, "%s", name);
  if (options != NULL) d->options = *options;
  enum kt_status st = open_transport(d);
  if (st == KT_OK) st = prepare(d);
  d->options.wave = d->options.sim_dir = NULL; /* the caller's; not needed any more */
  if (message != NULL) snprintf(message->text, sizeof message->text, "%s", d->msg.text);
  if (st != KT_OK) {
    close_device(d);
    return (enum ktpu_status)st;
  }
  d->msg.text[0] = '\0';
  *device = d;
  return KTPU_OK;
}

void ktpu_close(struct ktpu_device *device)
{
  if (device != NULL) close_device(device);
}
