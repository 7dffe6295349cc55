/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_link.h"

#include <inttypes.h>
#include <string.h>

/* What computer, USB and device may take for an answer besides the bytes' time on the wire. */
static const uint64_t patience_ns = 20 * KD_NS_PER_MS;

/* A call's work: requests [base, next) are under way. */
struct window {
  struct kd_link *l;
  struct kd_request *requests;
  size_t n, base, next;
  size_t nudged; /* the request that a gap has had sent again already, n: none */
  bool progress; /* since the last look */
};

static uint64_t no_answer_ns(const struct kd_link *l)
{
  const uint64_t bytes = (uint64_t)l->window * (l->payload + 2 * KT_LINK_HEADER_BYTES);
  return patience_ns + 2 * bytes * l->ns_per_byte;
}

uint64_t kd_link_bound_ns(const struct kd_link *l)
{
  return 2 * KD_LINK_TRIES * no_answer_ns(l); /* each try may wait to write, then to read */
}

void kd_link_init(struct kd_link *l, struct kd_pipe pipe, const struct kd_clock *clock,
                  uint64_t ns_per_byte, uint64_t seed)
{
  *l = (struct kd_link){
      .pipe = pipe,
      .clock = clock,
      .ns_per_byte = ns_per_byte,
      .random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1,
      .window = 1,
      .payload = 4,
  };
}

/* ---- sending ---------------------------------------------------------------------------------- */

static size_t encode(const struct window *w, size_t i, uint8_t *wire)
{
  const struct kd_request *r = &w->requests[i];
  struct kd_frame f = {
      .type = r->type,
      .session = w->l->session,
      .sequence = (uint8_t)(w->l->sequence + (i - w->base)),
      .address = r->address,
      .length = r->length,
      .payload = r->data,
  };
  f.payload_bytes = kd_frame_payload_due(&f);
  return kd_frame_encode(&f, wire);
}

/* Sends what has no answer of requests [first, last), behind a delimiter if the line was at rest or
 * may hold rubbish. */
static enum kt_status send(struct window *w, size_t first, size_t last, bool fresh,
                           struct kt_msg *msg)
{
  uint8_t wire[1 + KT_LINK_MAX_WINDOW * KT_LINK_MAX_ENCODED];
  struct kd_link *l = w->l;
  size_t used = 0;
  if (fresh) wire[used++] = 0;
  for (size_t i = first; i < last; i++) {
    if (w->requests[i].answered) continue;
    used += encode(w, i, wire + used);
    l->counts.sent++;
  }
  const uint64_t deadline = l->clock->now_ns() + no_answer_ns(l);
  const enum kt_status st = l->pipe.ops->write(l->pipe.ctx, wire, used, deadline, msg);
  return st == KT_ETIMEDOUT ? KT_OK : st; /* as if the wire had lost it */
}

/* Fills the window, in batches of at least half of it: fewer USB packets. */
static enum kt_status send_new(struct window *w, struct kt_msg *msg)
{
  const size_t under_way = w->next - w->base, left = w->n - w->next;
  size_t room = w->l->window - under_way;
  if (left == 0 || (under_way != 0 && 2 * room < w->l->window && room < left)) return KT_OK;
  if (room > left) room = left;
  const size_t first = w->next;
  w->next += room;
  return send(w, first, w->next, under_way == 0, msg);
}

static enum kt_status send_again(struct window *w, size_t last, struct kt_msg *msg)
{
  const uint64_t before = w->l->counts.sent;
  const enum kt_status st = send(w, w->base, last, true, msg);
  w->l->counts.resent += w->l->counts.sent - before;
  return st;
}

/* ---- receiving -------------------------------------------------------------------------------- */

static bool answers(const struct kd_frame *f, const struct kd_request *r)
{
  return f->type == (r->type | KT_LINK_REPLY) && f->address == r->address &&
         f->length == r->length;
}

static void take_reply(struct window *w, const struct kd_frame *f)
{
  struct kd_link *l = w->l;
  if (f->session != l->session) {
    l->counts.foreign++;
    return;
  }
  const size_t i = w->base + (uint8_t)(f->sequence - l->sequence);
  if (i >= w->next || w->requests[i].answered || !answers(f, &w->requests[i])) {
    l->counts.stale++;
    return;
  }
  struct kd_request *r = &w->requests[i];
  r->answered = true;
  r->status = f->status;
  if (f->payload_bytes != 0) memcpy(r->reply, f->payload, f->payload_bytes);
  l->counts.answered++;
  if (f->status == KT_LINK_STATUS_BUSY) l->counts.busy++;
  w->progress = true;
  while (w->base < w->next && w->requests[w->base].answered) {
    w->base++;
    l->sequence++;
  }
}

/* Waits for bytes, takes all that have come. KT_ETIMEDOUT: none. */
static enum kt_status receive(struct window *w, uint64_t deadline, struct kt_msg *msg)
{
  uint8_t bytes[4096];
  size_t got = 0;
  struct kd_link *l = w->l;
  const enum kt_status st =
      l->pipe.ops->read(l->pipe.ctx, bytes, sizeof bytes, &got, deadline, msg);
  for (size_t i = 0; i < got; i++) {
    struct kd_frame f;
    enum kd_frame_fault fault;
    if (!kd_receiver_take(&l->receiver, bytes[i], &f, &fault)) continue;
    l->counts.faults[fault]++;
    if (fault == KD_FRAME_GOOD) take_reply(w, &f);
  }
  return st;
}

/* ---- the window ------------------------------------------------------------------------------- */

/* A later request was answered: the replies before it are lost, and are asked for again, once. */
static enum kt_status close_gap(struct window *w, struct kt_msg *msg)
{
  size_t last = w->next;
  while (last > w->base && !w->requests[last - 1].answered) last--;
  if (last == w->base || w->nudged == w->base) return KT_OK;
  w->nudged = w->base;
  w->l->counts.gaps++;
  return send_again(w, last, msg);
}

static enum kt_status dead(struct kd_link *l, struct kt_msg *msg)
{
  kt_msg_set(msg,
             "the link is dead: %d times in a row nothing came back (%" PRIu64
             " ms each); is the right bitstream loaded, and the board powered?",
             (int)KD_LINK_TRIES, no_answer_ns(l) / KD_NS_PER_MS);
  l->session = 0;
  return KT_EPEER;
}

/* Until the next reply, or a failure of the pipe. */
static enum kt_status await_reply(struct window *w, struct kt_msg *msg)
{
  struct kd_link *l = w->l;
  for (unsigned tries = 0; tries < KD_LINK_TRIES; tries++) {
    const uint64_t deadline = l->clock->now_ns() + no_answer_ns(l);
    enum kt_status st = KT_OK;
    if (tries != 0) {
      l->counts.timeouts++;
      st = send_again(w, w->next, msg);
    }
    while (st == KT_OK) {
      st = receive(w, deadline, msg);
      if (w->progress) return KT_OK;
      if (st == KT_OK && l->clock->now_ns() >= deadline) st = KT_ETIMEDOUT; /* rubbish only */
    }
    if (st != KT_ETIMEDOUT) return st;
  }
  return dead(l, msg);
}

static enum kt_status run_window(struct window *w, struct kt_msg *msg)
{
  while (w->base < w->n) {
    enum kt_status st = send_new(w, msg);
    w->progress = false;
    if (st == KT_OK) st = await_reply(w, msg);
    if (st == KT_OK) st = close_gap(w, msg);
    if (st != KT_OK) return st;
  }
  return KT_OK;
}

enum kt_status kd_link_run(struct kd_link *l, struct kd_request *requests, size_t n,
                           struct kt_msg *msg)
{
  struct window w = {.l = l, .requests = requests, .n = n, .nudged = n};
  if (l->session == 0) {
    kt_msg_set(msg, "the link is dead: the device must be opened again");
    return KT_EPEER;
  }
  for (size_t i = 0; i < n; i++)
    requests[i].answered = false;
  return run_window(&w, msg);
}

/* ---- sessions --------------------------------------------------------------------------------- */

static uint16_t new_session(struct kd_link *l)
{
  uint16_t session = l->session;
  while (session == 0 || session == l->session) {
    l->random ^= l->random << 13;
    l->random ^= l->random >> 7;
    l->random ^= l->random << 17;
    session = (uint16_t)(l->random >> 24);
  }
  return session;
}

/* One attempt, with a session of its own: its reply is no other attempt's. */
static enum kt_status begin_session(struct kd_link *l, struct kt_msg *msg)
{
  struct kd_request reset = {.type = KT_LINK_TYPE_RESET_LINK};
  struct window w = {.l = l, .requests = &reset, .n = 1, .nudged = 1};
  l->session = new_session(l);
  l->sequence = 0;
  enum kt_status st = send_new(&w, msg);
  const uint64_t deadline = l->clock->now_ns() + no_answer_ns(l);
  while (st == KT_OK && !w.progress) {
    st = receive(&w, deadline, msg);
    if (st == KT_OK && !w.progress && l->clock->now_ns() >= deadline) st = KT_ETIMEDOUT;
  }
  l->sequence = 0;
  if (st != KT_OK || reset.status == KT_LINK_STATUS_OK) return st;
  kt_msg_set(msg, "the board refuses a new session: status %u", reset.status);
  return KT_EIO;
}

static enum kt_status read_limits(struct kd_link *l, struct kt_msg *msg)
{
  uint32_t limits;
  const enum kt_status st = kd_link_read(l, KT_LINK_REG_LIMITS, &limits, msg);
  if (st != KT_OK) return st;
  const uint32_t window = (limits >> KT_LINK_LIMITS_WINDOW_LSB) & 0xff;
  const uint32_t payload = (limits >> KT_LINK_LIMITS_PAYLOAD_LSB) & 0xffff;
  if (window < 1 || window > KT_LINK_MAX_WINDOW || payload < 4 || payload > KT_LINK_MAX_PAYLOAD) {
    kt_msg_set(msg, "the board says window %" PRIu32 " and payload %" PRIu32
               ": no build of this link", window, payload);
    return KT_EMISMATCH;
  }
  l->window = window;
  l->payload = payload;
  return KT_OK;
}

enum kt_status kd_link_start(struct kd_link *l, struct kt_msg *msg)
{
  const struct kd_pipe_ops *ops = l->pipe.ops;
  l->window = 1;
  l->receiver.n = 0;
  l->receiver.too_long = false;
  enum kt_status st = ops->send_break != NULL ? ops->send_break(l->pipe.ctx, msg) : KT_OK;
  if (st == KT_OK) st = ops->flush(l->pipe.ctx, msg);
  if (st == KT_OK) st = KT_ETIMEDOUT;
  for (unsigned i = 0; st == KT_ETIMEDOUT && i < KD_LINK_TRIES; i++)
    st = begin_session(l, msg);
  if (st == KT_ETIMEDOUT) return dead(l, msg);
  return st == KT_OK ? read_limits(l, msg) : st;
}
