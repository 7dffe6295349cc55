/* SPDX-License-Identifier: Apache-2.0
 *
 * Registers, memory and echo over the link, and what its refusals mean.
 */
#include "host/kd_link.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024 }; /* bursts that are made ready at a time */

/* ---- sentences -------------------------------------------------------------------------------- */

struct meaning {
  enum kt_status status;
  const char *text;
};

static const struct meaning meanings[] = {
    [KT_LINK_STATUS_BUSY] = {KT_EBUSY, "the core is running"},
    [KT_LINK_STATUS_BUS_TIMEOUT] = {KT_ETIMEDOUT, "the board's bus does not answer (bus timeout)"},
    [KT_LINK_STATUS_BUS_ERROR] = {KT_EIO, "the board's bus answered with an error"},
    [KT_LINK_STATUS_BAD_TYPE] = {KT_EMISMATCH, "the board does not know this type of request"},
    [KT_LINK_STATUS_BAD_LENGTH] = {KT_EMISMATCH, "the board does not take this length"},
    [KT_LINK_STATUS_BAD_ADDRESS] = {KT_ERANGE, "the board has nothing at this address"},
};

static const char *what(uint8_t type)
{
  switch (type) {
  case KT_LINK_TYPE_READ: return "reading a register";
  case KT_LINK_TYPE_WRITE: return "writing a register";
  case KT_LINK_TYPE_BURST_READ: return "reading memory";
  case KT_LINK_TYPE_BURST_WRITE: return "writing memory";
  case KT_LINK_TYPE_STATUS: return "asking for the state";
  default: return "echo";
  }
}

enum kt_status kd_link_judge(const struct kd_request *r, struct kt_msg *msg)
{
  if (r->status == KT_LINK_STATUS_OK) return KT_OK;
  if (r->status >= sizeof meanings / sizeof meanings[0]) {
    kt_msg_set(msg, "%s at 0x%" PRIx32 ": the board answers status %u, which means nothing",
               what(r->type), r->address, r->status);
    return KT_EIO;
  }
  kt_msg_set(msg, "%s at 0x%" PRIx32 " (%u bytes): %s", what(r->type), r->address, r->length,
             meanings[r->status].text);
  return meanings[r->status].status;
}

static enum kt_status judge_all(const struct kd_request *r, size_t n, struct kt_msg *msg)
{
  for (size_t i = 0; i < n; i++) {
    const enum kt_status st = kd_link_judge(&r[i], msg);
    if (st != KT_OK) return st;
  }
  return KT_OK;
}

/* ---- registers -------------------------------------------------------------------------------- */

enum kt_status kd_link_read_many(struct kd_link *l, const uint32_t *addresses, uint32_t *values,
                                 size_t n, struct kt_msg *msg)
{
  enum { MOST = 32 };
  uint8_t replies[MOST][4];
  struct kd_request requests[MOST];
  for (size_t at = 0; at < n; at += MOST) {
    const size_t count = n - at < MOST ? n - at : MOST;
    for (size_t i = 0; i < count; i++)
      requests[i] = (struct kd_request){
          .type = KT_LINK_TYPE_READ, .address = addresses[at + i], .length = 4, .reply = replies[i]};
    enum kt_status st = kd_link_run(l, requests, count, msg);
    if (st == KT_OK) st = judge_all(requests, count, msg);
    if (st != KT_OK) return st;
    for (size_t i = 0; i < count; i++)
      values[at + i] = kd_get32(replies[i]);
  }
  return KT_OK;
}

enum kt_status kd_link_read(struct kd_link *l, uint32_t address, uint32_t *value,
                            struct kt_msg *msg)
{
  return kd_link_read_many(l, &address, value, 1, msg);
}

enum kt_status kd_link_write(struct kd_link *l, uint32_t address, uint32_t value,
                             struct kt_msg *msg)
{
  uint8_t data[4];
  struct kd_request r = {.type = KT_LINK_TYPE_WRITE, .address = address, .length = 4, .data = data};
  kd_put32(data, value);
  const enum kt_status st = kd_link_run(l, &r, 1, msg);
  return st == KT_OK ? kd_link_judge(&r, msg) : st;
}

enum kt_status kd_link_state(struct kd_link *l, struct kd_link_state *s, struct kt_msg *msg)
{
  uint8_t b[KT_LINK_STATE_BYTES];
  struct kd_request r = {.type = KT_LINK_TYPE_STATUS, .length = KT_LINK_STATE_BYTES, .reply = b};
  enum kt_status st = kd_link_run(l, &r, 1, msg);
  if (st == KT_OK) st = kd_link_judge(&r, msg);
  if (st != KT_OK) return st;
  *s = (struct kd_link_state){.flags = b[KT_LINK_STATE_AT_FLAGS],
                              .expected = b[KT_LINK_STATE_AT_EXPECTED],
                              .event = kd_get32(b + KT_LINK_STATE_AT_EVENT)};
  return KT_OK;
}

/* ---- memory ----------------------------------------------------------------------------------- */

static enum kt_status wait_until_idle(struct kd_link *l, uint64_t deadline, struct kt_msg *msg)
{
  for (;;) {
    struct kd_link_state s;
    const enum kt_status st = kd_link_state(l, &s, msg);
    if (st != KT_OK || !(s.flags & 1)) return st;
    if (l->clock->now_ns() >= deadline) break;
    l->clock->sleep_ns(KD_NS_PER_MS);
  }
  kt_msg_set(msg, "the core is still running after %" PRIu64 " s: its memory cannot be reached",
             KD_LINK_BUSY_NS / KD_NS_PER_S);
  return KT_EBUSY;
}

static size_t keep_busy(struct kd_request *r, size_t n)
{
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (r[i].status == KT_LINK_STATUS_BUSY) r[kept++] = r[i];
  return kept;
}

static enum kt_status run_bursts(struct kd_link *l, struct kd_request *r, size_t n,
                                 struct kt_msg *msg)
{
  const uint64_t deadline = l->clock->now_ns() + KD_LINK_BUSY_NS;
  for (;;) {
    enum kt_status st = kd_link_run(l, r, n, msg);
    for (size_t i = 0; st == KT_OK && i < n; i++)
      if (r[i].status != KT_LINK_STATUS_BUSY) st = kd_link_judge(&r[i], msg);
    if (st != KT_OK) return st;
    n = keep_busy(r, n);
    if (n == 0) return KT_OK;
    st = wait_until_idle(l, deadline, msg);
    if (st != KT_OK) return st;
  }
}

/* The next burst ends at a multiple of the payload, or with the data. */
static uint16_t burst_length(const struct kd_link *l, uint32_t address, size_t left)
{
  const size_t most = l->payload - address % l->payload;
  return (uint16_t)(left < most ? left : most);
}

static enum kt_status transfer(struct kd_link *l, const struct kd_request *form, size_t bytes,
                               struct kt_msg *msg)
{
  struct kd_request *r = malloc(BATCH * sizeof *r);
  enum kt_status st = r == NULL ? KT_ENOMEM : KT_OK;
  for (size_t at = 0; st == KT_OK && at < bytes;) {
    size_t n = 0;
    while (n < BATCH && at < bytes) {
      r[n] = *form;
      r[n].address = form->type == KT_LINK_TYPE_ECHO ? 0 : form->address + (uint32_t)at;
      r[n].length = burst_length(l, form->address + (uint32_t)at, bytes - at);
      if (form->data != NULL) r[n].data = form->data + at;
      if (form->reply != NULL) r[n].reply = form->reply + at;
      at += r[n++].length;
    }
    st = run_bursts(l, r, n, msg);
  }
  free(r);
  return st;
}

enum kt_status kd_link_mem_read(struct kd_link *l, uint32_t address, void *data, size_t bytes,
                                struct kt_msg *msg)
{
  const struct kd_request form = {
      .type = KT_LINK_TYPE_BURST_READ, .address = address, .reply = data};
  return transfer(l, &form, bytes, msg);
}

enum kt_status kd_link_mem_write(struct kd_link *l, uint32_t address, const void *data,
                                 size_t bytes, struct kt_msg *msg)
{
  const struct kd_request form = {
      .type = KT_LINK_TYPE_BURST_WRITE, .address = address, .data = data};
  return transfer(l, &form, bytes, msg);
}

enum kt_status kd_link_echo(struct kd_link *l, const uint8_t *data, uint8_t *back, size_t bytes,
                            struct kt_msg *msg)
{
  const struct kd_request form = {.type = KT_LINK_TYPE_ECHO, .data = data, .reply = back};
  return transfer(l, &form, bytes, msg);
}
