// SPDX-License-Identifier: Apache-2.0
// One slot of the bus: the packet that moves, and the ends of transfers.
#include "cosim/board/ks_usb.h"

#include <string.h>

void ks_transfer_end(struct ks_transfer *t, enum libusb_transfer_status status)
{
  struct ks_endpoint *ep = t->endpoint;
  if (ep == NULL) return;
  struct ks_transfer **at = &ep->head;
  while (*at != t) at = &(*at)->next;
  *at = t->next;

  t->user.status = status;
  t->endpoint = NULL;
  t->next = NULL;
  ep->last_done = ks_world.now;
  *ks_world.completed_end = t;
  ks_world.completed_end = &t->next;
  ks_world.queued--;
  ks_world.counts.transfers++;
}

void ks_endpoint_abort(struct ks_endpoint *ep, enum libusb_transfer_status status)
{
  while (ep->head != NULL) ks_transfer_end(ep->head, status);
}

/* Bytes of a packet that still count before the host dies or the cable comes out. */
static uint32_t allowed(uint64_t *kill, uint64_t *unplug, uint32_t bytes)
{
  uint64_t n = bytes;
  if (*kill < n) n = *kill;
  if (*unplug < n) n = *unplug;
  if (*kill != UINT64_MAX) *kill -= n;
  if (*unplug != UINT64_MAX) *unplug -= n;
  return (uint32_t)n;
}

/* True: the host is gone, and with it all transfers. */
static bool gone(uint64_t *kill, uint64_t *unplug)
{
  if (*kill != 0 && *unplug != 0) return false;
  if (*kill == 0)
    ks_world_kill();
  else
    ks_world_unplug();
  *kill = UINT64_MAX;
  *unplug = UINT64_MAX;
  return true;
}

static bool move_out(struct ks_transfer *t)
{
  struct ks_usb_faults *f = &ks_world.faults;
  uint32_t left = (uint32_t)(t->user.length - t->user.actual_length);
  uint32_t bytes = left < t->port->packet ? left : t->port->packet;
  if (ks_ring_free(&t->port->out) < bytes) return false;

  bytes = allowed(&f->kill_out, &f->unplug_out, bytes);
  ks_port_out_packet(t->port, t->user.buffer + t->user.actual_length, bytes);
  t->user.actual_length += (int)bytes;
  ks_world.counts.packets_out++;
  ks_world.counts.bytes_out += bytes;
  if (gone(&f->kill_out, &f->unplug_out)) return true;
  if (t->user.actual_length == t->user.length) ks_transfer_end(t, LIBUSB_TRANSFER_COMPLETED);
  return true;
}

static bool move_in(struct ks_transfer *t)
{
  struct ks_usb_faults *f = &ks_world.faults;
  uint8_t packet[512];
  int bytes = ks_port_in_packet(t->port, ks_world.now, packet);
  if (bytes < 0) return false;
  int room = t->user.length - t->user.actual_length;
  if (bytes > room) {
    ks_transfer_end(t, LIBUSB_TRANSFER_OVERFLOW);
    return true;
  }
  memcpy(t->user.buffer + t->user.actual_length, packet, (size_t)bytes);
  t->user.actual_length += bytes;
  ks_world.counts.packets_in++;
  ks_world.counts.bytes_in += (uint64_t)bytes - 2;
  if (bytes == 2) ks_world.counts.empty_in++;
  allowed(&f->kill_in, &f->unplug_in, (uint32_t)bytes - 2);
  if (gone(&f->kill_in, &f->unplug_in)) return true;
  if (bytes < (int)t->port->packet || bytes == room) ks_transfer_end(t, LIBUSB_TRANSFER_COMPLETED);
  return true;
}

/* Bytes of the packet that moved, or -1. */
static int move(struct ks_endpoint *ep)
{
  struct ks_transfer *t = ep->head;
  if (t == NULL || ks_world.now < t->start || ks_world.faults.deaf != 0) return -1;
  const int before = t->user.actual_length;
  bool in = (t->user.endpoint & LIBUSB_ENDPOINT_IN) != 0;
  bool moved = in ? move_in(t) : move_out(t);
  return moved ? t->user.actual_length - before : -1;
}

int ks_slot(void)
{
  struct ks_world *w = &ks_world;
  for (unsigned i = 0; i < KS_DEVICES * KS_ENDPOINTS; i++) {
    unsigned n = (w->turn + i) % (KS_DEVICES * KS_ENDPOINTS);
    int bytes = move(&w->device[n / KS_ENDPOINTS].endpoint[n % KS_ENDPOINTS]);
    if (bytes < 0) continue;
    w->turn = n + 1;
    return bytes;
  }
  return -1;
}
