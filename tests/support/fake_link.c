/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fake_link.h"

#include "spec/generated/kt_tinytpu.h"

#include <string.h>

static uint64_t now;

static uint64_t now_ns(void)
{
  return now;
}

static void sleep_ns(uint64_t ns)
{
  now += ns;
}

const struct kd_clock fake_clock = {now_ns, sleep_ns};

/* ---- the wire --------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *s)
{
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return *s >> 11;
}

/* What becomes of one byte: 0, 1 or 2 of them. */
static unsigned pass(struct fake_lane *l, uint8_t *byte)
{
  const uint64_t position = l->position++;
  enum fake_fault kind = l->kind;
  uint8_t mask = l->mask;
  if (position >= l->cut_after) return 0;
  if (position != l->at) {
    if (l->ppm == 0 || next_random(&l->rng) % 1000000 >= l->ppm) return 1;
    kind = (enum fake_fault)(next_random(&l->rng) % 3);
    mask = (uint8_t)(1 << next_random(&l->rng) % 8);
  }
  l->done++;
  if (kind == FAKE_FLIP) *byte ^= mask;
  return kind == FAKE_DROP ? 0 : (kind == FAKE_DOUBLE ? 2 : 1);
}

static void to_host(struct fake_link *f, uint8_t byte)
{
  for (unsigned n = pass(&f->to_host, &byte); n != 0; n--)
    f->queue[f->tail++ % FAKE_QUEUE] = byte;
}

void fake_link_inject(struct fake_link *f, const uint8_t *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    f->queue[f->tail++ % FAKE_QUEUE] = bytes[i];
}

/* ---- the device ------------------------------------------------------------------------------- */

static void reply(struct fake_link *f, const struct kd_frame *q, uint8_t status,
                  const uint8_t *payload)
{
  uint8_t wire[KT_LINK_MAX_ENCODED];
  struct kd_frame r = *q;
  r.type |= KT_LINK_REPLY;
  r.status = status;
  r.payload = payload;
  r.payload_bytes = kd_frame_payload_due(&r);
  const size_t n = kd_frame_encode(&r, wire);
  to_host(f, 0);
  for (size_t i = 0; i < n; i++)
    to_host(f, wire[i]);
}

static uint8_t check(const struct fake_link *f, const struct kd_frame *q)
{
  const bool burst = q->type == KT_LINK_TYPE_BURST_READ || q->type == KT_LINK_TYPE_BURST_WRITE;
  if (q->type < KT_LINK_TYPE_READ || q->type > KT_LINK_TYPE_RESET_LINK)
    return KT_LINK_STATUS_BAD_TYPE;
  if (q->length > f->payload || (burst && q->length == 0)) return KT_LINK_STATUS_BAD_LENGTH;
  if (burst && (q->address > FAKE_MEMORY || q->length > FAKE_MEMORY - q->address))
    return KT_LINK_STATUS_BAD_ADDRESS;
  if (q->type <= KT_LINK_TYPE_WRITE && (q->address % 4 != 0 || q->address / 4 >= FAKE_REGS))
    return KT_LINK_STATUS_BAD_ADDRESS;
  if (burst && f->refuse != 0) return f->refuse;
  return burst && f->busy_polls != 0 ? KT_LINK_STATUS_BUSY : KT_LINK_STATUS_OK;
}

static void write_register(struct fake_link *f, uint32_t address, uint32_t value)
{
  f->writes++;
  if (address == KT_REG_CONTROL && (value & 1) != 0) f->starts++;
  if (address == KT_REG_CONTROL && (value & 2) != 0 && !f->wedged) f->busy_polls = 0;
  f->regs[address / 4] = value;
}

static void read_into(struct fake_link *f, const struct kd_frame *q, uint8_t *data)
{
  switch (q->type) {
  case KT_LINK_TYPE_READ: kd_put32(data, f->regs[q->address / 4]); break;
  case KT_LINK_TYPE_BURST_READ: memcpy(data, f->memory + q->address, q->length); break;
  case KT_LINK_TYPE_ECHO: memcpy(data, q->payload, q->length); break;
  default: /* KT_LINK_TYPE_STATUS */
    memset(data, 0, KT_LINK_STATE_BYTES);
    data[KT_LINK_STATE_AT_FLAGS] = f->busy_polls != 0;
    data[KT_LINK_STATE_AT_EXPECTED] = f->expected;
    data[KT_LINK_STATE_AT_WINDOW] = (uint8_t)f->window;
    data[KT_LINK_STATE_AT_EVENT] = f->busy_polls != 0;
    if (f->busy_polls != 0 && f->busy_polls != UINT32_MAX) f->busy_polls--;
    break;
  }
}

static void execute(struct fake_link *f, const struct kd_frame *q, bool again)
{
  uint8_t data[KT_LINK_MAX_PAYLOAD];
  const bool writes = q->type == KT_LINK_TYPE_WRITE || q->type == KT_LINK_TYPE_BURST_WRITE;
  if (again && writes && !f->ignores_duplicates) {
    reply(f, q, f->stored[q->sequence], NULL);
    return;
  }
  const uint8_t status = check(f, q);
  f->stored[q->sequence] = status;
  if (status == KT_LINK_STATUS_OK && q->type == KT_LINK_TYPE_WRITE)
    write_register(f, q->address, kd_get32(q->payload));
  if (status == KT_LINK_STATUS_OK && q->type == KT_LINK_TYPE_BURST_WRITE) {
    memcpy(f->memory + q->address, q->payload, q->length);
    f->writes++;
  }
  if (status == KT_LINK_STATUS_OK && !writes) read_into(f, q, data);
  reply(f, q, status, data);
}

static void take(struct fake_link *f, const struct kd_frame *q)
{
  if (q->type == KT_LINK_TYPE_RESET_LINK) {
    f->session = q->session;
    f->expected = 0;
    f->resets++;
    reply(f, q, KT_LINK_STATUS_OK, NULL);
    return;
  }
  if (f->session == 0 || q->session != f->session) {
    f->foreign++;
    return;
  }
  const uint8_t behind = (uint8_t)(f->expected - q->sequence);
  if (behind != 0 && behind > f->window) return;
  if (behind == 0) f->expected++;
  execute(f, q, behind != 0);
}

/* ---- the pipe --------------------------------------------------------------------------------- */

static enum kt_status fake_write(void *ctx, const uint8_t *bytes, size_t n, uint64_t deadline_ns,
                                 struct kt_msg *msg)
{
  struct fake_link *f = ctx;
  unsigned frames = 0;
  (void)deadline_ns;
  (void)msg;
  for (size_t i = 0; i < n; i++) {
    uint8_t byte = bytes[i];
    for (unsigned copies = pass(&f->to_device, &byte); copies != 0; copies--) {
      struct kd_frame q;
      enum kd_frame_fault fault;
      if (!kd_receiver_take(&f->receiver, byte, &q, &fault) || fault != KD_FRAME_GOOD) continue;
      frames++;
      take(f, &q);
    }
  }
  if (frames > f->most_under_way) f->most_under_way = frames;
  return KT_OK;
}

static enum kt_status fake_read(void *ctx, uint8_t *bytes, size_t room, size_t *got,
                                uint64_t deadline_ns, struct kt_msg *msg)
{
  struct fake_link *f = ctx;
  (void)msg;
  *got = 0;
  now += 10 * KD_NS_PER_US;
  while (*got < room && f->head != f->tail)
    bytes[(*got)++] = f->queue[f->head++ % FAKE_QUEUE];
  if (*got != 0) return KT_OK;
  if (now < deadline_ns) now = deadline_ns;
  return KT_ETIMEDOUT;
}

static enum kt_status fake_flush(void *ctx, struct kt_msg *msg)
{
  struct fake_link *f = ctx;
  (void)msg;
  f->head = f->tail;
  return KT_OK;
}

static enum kt_status fake_break(void *ctx, struct kt_msg *msg)
{
  struct fake_link *f = ctx;
  (void)msg;
  f->breaks_seen = true;
  f->receiver.n = 0;
  f->receiver.too_long = false;
  return KT_OK;
}

static void fake_close(void *ctx)
{
  (void)ctx;
}

static const struct kd_pipe_ops ops = {fake_write, fake_read, fake_flush, fake_break, fake_close};

struct kd_pipe fake_link_pipe(struct fake_link *f)
{
  return (struct kd_pipe){&ops, f};
}

void fake_link_init(struct fake_link *f, uint32_t window, uint32_t payload)
{
  memset(f, 0, sizeof *f);
  f->window = window;
  f->payload = payload;
  f->to_device.at = f->to_host.at = UINT64_MAX;
  f->to_device.cut_after = f->to_host.cut_after = UINT64_MAX;
  f->to_device.rng = 0x1234567;
  f->to_host.rng = 0x7654321;
  f->regs[KT_LINK_REG_LINK_MAGIC / 4] = KT_LINK_MAGIC;
  f->regs[KT_LINK_REG_LINK_VERSION / 4] = KT_LINK_VERSION;
  f->regs[KT_LINK_REG_LIMITS / 4] = window << KT_LINK_LIMITS_WINDOW_LSB |
                                    payload << KT_LINK_LIMITS_PAYLOAD_LSB |
                                    KT_LINK_PHY_UART << KT_LINK_LIMITS_PHY_LSB;
  f->regs[KT_LINK_REG_MEMORY_BYTES / 4] = FAKE_MEMORY;
  f->regs[KT_LINK_REG_CLOCK_HZ / 4] = 24000000;
}
