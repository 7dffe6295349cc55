/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes to and from an FTDI chip through libusb's asynchronous requests: reads are kept queued, so
 * that the chip can always deliver, and writes are queued too, so that the bus does not rest between
 * them. Every wait ends; what is cancelled is waited for.
 */
#include "host/kd_ftdi.h"

#include <stdlib.h>
#include <string.h>

/* A read carries one packet: it ends with that packet, full or not. */
enum { READS = 32, WRITES = 8, PACKET_MAX = 512, WRITE_MAX = 4096, STATUS_BYTES = 2 };

enum phase { IDLE, QUEUED, DONE };

struct slot {
  struct libusb_transfer *t;
  enum phase phase;
  int *event;
};

struct read_slot {
  struct slot s;
  uint8_t bytes[PACKET_MAX];
};

struct write_slot {
  struct slot s;
  uint8_t bytes[WRITE_MAX];
};

struct kd_ftdi_io {
  const struct kd_usb *usb;
  struct ftdi_context *ftdi;
  struct read_slot reads[READS];
  struct write_slot writes[WRITES];
  size_t oldest;  /* read that ends next */
  size_t used;    /* of its bytes, by the reader */
  int event;      /* something has ended since the last wait */
  int failed;     /* libusb code that ended the whole, 0: none */
};

enum kt_status kd_ftdi_lost(int code, const char *doing, struct kt_msg *msg)
{
  switch (code) {
  case LIBUSB_ERROR_NO_DEVICE:
    kt_msg_set(msg, "the board was unplugged (%s)", doing);
    return KT_EPEER;
  case LIBUSB_ERROR_ACCESS:
    kt_msg_set(msg,
               "no permission to use the board's USB chip (%s): copy host/udev/70-ktpu.rules to "
               "/etc/udev/rules.d, run 'udevadm control --reload' and plug it in again", doing);
    return KT_EACCES;
  case LIBUSB_ERROR_BUSY:
    kt_msg_set(msg, "the board's USB chip is in use by another program (%s)", doing);
    return KT_EBUSY;
  case LIBUSB_ERROR_TIMEOUT:
    kt_msg_set(msg, "the board's USB chip does not answer (%s): plug it in again", doing);
    return KT_EIO;
  default:
    kt_msg_set(msg, "USB failed: libusb code %d (%s)", code, doing);
    return KT_EIO;
  }
}

/* ---- requests --------------------------------------------------------------------------------- */

static void LIBUSB_CALL ended(struct libusb_transfer *t)
{
  struct slot *s = t->user_data;
  s->phase = DONE;
  *s->event = 1;
}

static int code_of(const struct libusb_transfer *t)
{
  switch (t->status) {
  case LIBUSB_TRANSFER_COMPLETED:
  case LIBUSB_TRANSFER_CANCELLED: return 0;
  case LIBUSB_TRANSFER_TIMED_OUT: return LIBUSB_ERROR_TIMEOUT;
  case LIBUSB_TRANSFER_STALL: return LIBUSB_ERROR_PIPE;
  case LIBUSB_TRANSFER_NO_DEVICE: return LIBUSB_ERROR_NO_DEVICE;
  case LIBUSB_TRANSFER_OVERFLOW: return LIBUSB_ERROR_OVERFLOW;
  case LIBUSB_TRANSFER_ERROR: return LIBUSB_ERROR_IO;
  }
  return LIBUSB_ERROR_OTHER;
}

static void submit(struct kd_ftdi_io *io, struct slot *s)
{
  const int code = io->usb->libusb_submit_transfer(s->t);
  s->phase = code == 0 ? QUEUED : IDLE;
  if (code != 0 && io->failed == 0) io->failed = code;
}

/* Ends when a request has ended, or at the deadline; a deadline in the past takes one look. */
static void wait_event(struct kd_ftdi_io *io, uint64_t deadline_ns)
{
  const uint64_t now = io->usb->clock->now_ns();
  const uint64_t left = deadline_ns > now ? deadline_ns - now : 0;
  struct timeval tv = {.tv_sec = (time_t)(left / KD_NS_PER_S),
                       .tv_usec = (suseconds_t)(left % KD_NS_PER_S / KD_NS_PER_US)};
  if (left != 0 && tv.tv_sec == 0 && tv.tv_usec == 0) tv.tv_usec = 1;
  io->event = 0;
  const int code =
      io->usb->libusb_handle_events_timeout_completed(io->ftdi->usb_ctx, &tv, &io->event);
  if (code != 0 && code != LIBUSB_ERROR_INTERRUPTED && code != LIBUSB_ERROR_TIMEOUT &&
      io->failed == 0)
    io->failed = code;
}

static enum kt_status failure(const struct kd_ftdi_io *io, const char *doing, struct kt_msg *msg)
{
  return io->failed == 0 ? KT_OK : kd_ftdi_lost(io->failed, doing, msg);
}

/* ---- writing ---------------------------------------------------------------------------------- */

static struct write_slot *free_write(struct kd_ftdi_io *io)
{
  struct write_slot *found = NULL;
  for (size_t i = 0; i < WRITES; i++) {
    struct slot *s = &io->writes[i].s;
    if (s->phase == DONE) {
      if (io->failed == 0) io->failed = code_of(s->t);
      s->phase = IDLE;
    }
    if (s->phase == IDLE && found == NULL) found = &io->writes[i];
  }
  return found;
}

enum kt_status kd_ftdi_io_write(struct kd_ftdi_io *io, const uint8_t *bytes, size_t n,
                                uint64_t deadline_ns, struct kt_msg *msg)
{
  for (size_t at = 0; at < n;) {
    struct write_slot *w = free_write(io);
    const enum kt_status st = failure(io, "writing", msg);
    if (st != KT_OK) return st;
    if (w == NULL) {
      if (io->usb->clock->now_ns() >= deadline_ns) return KT_ETIMEDOUT;
      wait_event(io, deadline_ns);
      continue;
    }
    const size_t part = n - at < WRITE_MAX ? n - at : WRITE_MAX;
    memcpy(w->bytes, bytes + at, part);
    w->s.t->length = (int)part;
    submit(io, &w->s);
    at += part;
  }
  return failure(io, "writing", msg);
}

/* ---- reading ---------------------------------------------------------------------------------- */

/* Moves what the oldest read brought; queues it again when it is used up. */
static size_t take_oldest(struct kd_ftdi_io *io, uint8_t *bytes, size_t room)
{
  struct read_slot *r = &io->reads[io->oldest];
  const int code = code_of(r->s.t);
  if (code != 0) {
    if (io->failed == 0) io->failed = code;
    return 0;
  }
  const size_t have = r->s.t->actual_length > STATUS_BYTES
                          ? (size_t)r->s.t->actual_length - STATUS_BYTES : 0;
  const size_t left = have - io->used, n = left < room ? left : room;
  memcpy(bytes, r->bytes + STATUS_BYTES + io->used, n);
  io->used += n;
  if (io->used != have) return n;
  io->used = 0;
  io->oldest = (io->oldest + 1) % READS;
  submit(io, &r->s);
  return n;
}

enum kt_status kd_ftdi_io_read(struct kd_ftdi_io *io, uint8_t *bytes, size_t room, size_t *got,
                               uint64_t deadline_ns, struct kt_msg *msg)
{
  bool looked = false;
  *got = 0;
  for (;;) {
    while (*got < room && io->failed == 0 && io->reads[io->oldest].s.phase == DONE)
      *got += take_oldest(io, bytes + *got, room - *got);
    if (*got != 0) return KT_OK;
    const enum kt_status st = failure(io, "reading", msg);
    if (st != KT_OK) return st;
    if (looked && io->usb->clock->now_ns() >= deadline_ns) return KT_ETIMEDOUT;
    wait_event(io, deadline_ns);
    looked = true;
  }
}

/* ---- the whole -------------------------------------------------------------------------------- */

static struct slot *slot_of(struct kd_ftdi_io *io, size_t i)
{
  return i < READS ? &io->reads[i].s : &io->writes[i - READS].s;
}

static bool any_queued(struct kd_ftdi_io *io, size_t from, size_t to)
{
  for (size_t i = from; i < to; i++)
    if (slot_of(io, i)->phase == QUEUED) return true;
  return false;
}

/* Cancels and waits until all have ended; false if some never do. */
static bool cancel(struct kd_ftdi_io *io, size_t from, size_t to)
{
  const uint64_t deadline = io->usb->clock->now_ns() + KD_NS_PER_S;
  for (size_t i = from; i < to; i++)
    if (slot_of(io, i)->phase == QUEUED) io->usb->libusb_cancel_transfer(slot_of(io, i)->t);
  while (any_queued(io, from, to)) {
    if (io->usb->clock->now_ns() >= deadline) return false;
    wait_event(io, deadline);
  }
  return true;
}

enum kt_status kd_ftdi_io_flush(struct kd_ftdi_io *io, struct kt_msg *msg)
{
  uint8_t dropped[PACKET_MAX];
  size_t got = 0;
  if (!cancel(io, READS, READS + WRITES)) {
    kt_msg_set(msg, "a USB request cannot be taken back: plug the board in again");
    return KT_EIO;
  }
  free_write(io);
  const bool flushed = io->usb->ftdi_tcioflush(io->ftdi) == 0;
  for (unsigned i = 0; i < 2 * READS; i++) { /* what was on its way when the chip was flushed */
    const enum kt_status st = kd_ftdi_io_read(io, dropped, sizeof dropped, &got, 0, msg);
    if (st == KT_ETIMEDOUT && io->failed == 0) break;
    if (st != KT_OK) return st;
  }
  return flushed ? KT_OK : kd_ftdi_lost(LIBUSB_ERROR_TIMEOUT, "flushing", msg);
}

static bool make_slot(struct kd_ftdi_io *io, struct slot *s, int endpoint, uint8_t *bytes, int n)
{
  s->t = io->usb->libusb_alloc_transfer(0);
  s->event = &io->event;
  if (s->t == NULL) return false;
  libusb_fill_bulk_transfer(s->t, io->ftdi->usb_dev, (unsigned char)endpoint, bytes, n, ended, s,
                            0);
  return true;
}

enum kt_status kd_ftdi_io_open(const struct kd_usb *usb, struct ftdi_context *ftdi,
                               struct kd_ftdi_io **io, struct kt_msg *msg)
{
  struct kd_ftdi_io *x = calloc(1, sizeof *x);
  bool good = x != NULL;
  *io = x;
  if (x == NULL) return KT_ENOMEM;
  x->usb = usb;
  x->ftdi = ftdi;
  const int packet = ftdi->max_packet_size != 0 && ftdi->max_packet_size < PACKET_MAX
                         ? (int)ftdi->max_packet_size : PACKET_MAX;
  for (size_t i = 0; i < READS; i++) /* libftdi names endpoints as the chip sees them */
    good = good && make_slot(x, &x->reads[i].s, ftdi->out_ep, x->reads[i].bytes, packet);
  for (size_t i = 0; i < WRITES; i++)
    good = good && make_slot(x, &x->writes[i].s, ftdi->in_ep, x->writes[i].bytes, WRITE_MAX);
  for (size_t i = 0; good && i < READS; i++)
    submit(x, &x->reads[i].s);
  const enum kt_status st = good ? failure(x, "opening", msg) : KT_ENOMEM;
  if (st == KT_OK) return KT_OK;
  kd_ftdi_io_close(x);
  *io = NULL;
  return st;
}

void kd_ftdi_io_close(struct kd_ftdi_io *io)
{
  if (io == NULL) return;
  if (!cancel(io, 0, READS + WRITES)) return; /* the bus may still write there: not to be freed */
  for (size_t i = 0; i < READS + WRITES; i++)
    if (slot_of(io, i)->t != NULL) io->usb->libusb_free_transfer(slot_of(io, i)->t);
  free(io);
}
