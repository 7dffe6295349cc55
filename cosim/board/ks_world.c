// SPDX-License-Identifier: Apache-2.0
// The stand-in's time, and what is plugged in.
#include "cosim/board/ks_options.h"
#include "cosim/board/ks_usb.h"

#include "spec/generated/kt_boards.h"
#include "spec/generated/kt_link.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define STARTED_PS (200u * KS_PS_PER_US) /* a board has its PLL and its reset behind it */

struct ks_world ks_world;

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct ks_device_kind ft2232h = {"FTDI", "Dual RS232-HS", "KT0001", 0x0403,
                                              0x6010, 0x0700,          2,        4096};
static const struct ks_device_kind ft232h = {
    "FTDI", "Single RS232-HS", "KT0001", 0x0403, 0x6014, 0x0900, 1, 1024};

/* The one of spec/boards.json, NULL for the loop. */
static const struct kt_board *described(void)
{
  for (size_t i = 0; i < kt_n_boards; i++)
    if (strcmp(kt_boards[i].name, KS_BOARD) == 0) return &kt_boards[i];
  return NULL;
}

static void set_product(libusb_device *dev, const char *product)
{
  size_t n = strlen(product);
  if (n >= sizeof dev->product) n = sizeof dev->product - 1;
  memcpy(dev->product, product, n);
  dev->product[n] = '\0';
  dev->kind.product = dev->product;
}

static void make_board(struct ks_world *w)
{
  const struct kt_board *board = described();
  libusb_device *dev = &w->device[0];
  dev->kind = ft2232h;
  if (board != NULL) {
    if (strcmp(board->chip, "FT232H") == 0) dev->kind = ft232h;
    dev->kind.vid = board->vid;
    dev->kind.pid = board->pid;
    if (board->product != NULL) set_product(dev, board->product);
    w->port = board->interface == 'B' ? 1 : 0;
    w->fifo = board->phy == KT_LINK_PHY_FT245;
  } else {
    w->port = 1;
  }
  if (strcmp(KS_BOARD, "icebreaker") == 0) {
    set_product(dev, "iCEBreaker V1.0e");
    dev->kind.manufacturer = "1BitSquared";
    dev->kind.serial = "ibKT0001";
  }
  ks_eeprom_make(dev->eeprom, &dev->kind, w->fifo ? (int)w->port : -1);
}

static void power_board(struct ks_world *w)
{
  libusb_device *dev = &w->device[0];
  struct ks_wire_options kept = {0};
  bool again = w->wire != NULL;
  if (again) {
    kept = w->wire->options;
    ks_wire_close(w->wire);
  }
  ks_device_power(dev, w->faults.full_speed == 0);
  dev->present = true;
  for (unsigned i = 0; i < dev->kind.channels; i++) dev->interface[i].kernel_driver = true;
  w->wire = ks_wire_open(&dev->port[w->port], w->seed);
  if (again) w->wire->options = kept;
  ks_wire_start(w->wire, w->now);
  w->now += STARTED_PS;
  ks_wire_run(w->wire, w->now);
  w->slot = w->now;
}

static void make_world(void)
{
  struct ks_world *w = &ks_world;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attr);
  pthread_mutexattr_destroy(&attr);

  for (unsigned i = 0; i < KS_DEVICES; i++) w->device[i].index = i;
  w->completed_end = &w->completed;
  w->seed = 1;
  w->faults = (struct ks_usb_faults){.permission = 1,
                                     .kill_out = UINT64_MAX,
                                     .kill_in = UINT64_MAX,
                                     .unplug_out = UINT64_MAX,
                                     .unplug_in = UINT64_MAX};
  make_board(w);
  ks_options_before_power(getenv("KS_BOARD_OPTIONS"));
  power_board(w);
  ks_options_after_power(getenv("KS_BOARD_OPTIONS"));
}

void ks_enter(void)
{
  pthread_once(&once, make_world);
  pthread_mutex_lock(&lock);
}

void ks_leave(void)
{
  pthread_mutex_unlock(&lock);
}

bool ks_reachable(const libusb_device *dev)
{
  return dev->present && !ks_world.dead;
}

static void abort_all(void)
{
  for (unsigned d = 0; d < KS_DEVICES; d++)
    for (unsigned e = 0; e < KS_ENDPOINTS; e++)
      ks_endpoint_abort(&ks_world.device[d].endpoint[e], LIBUSB_TRANSFER_NO_DEVICE);
}

void ks_world_unplug(void)
{
  ks_world.device[0].present = false;
  abort_all();
}

void ks_world_plug(void)
{
  struct ks_world *w = &ks_world;
  w->faults.unplug_at_us = 0;
  for (unsigned i = 0; i < KS_PORTS; i++) w->device[0].interface[i].owner = NULL;
  power_board(w);
}

void ks_world_kill(void)
{
  ks_world.dead = true;
  abort_all();
}

void ks_world_revive(void)
{
  for (unsigned d = 0; d < KS_DEVICES; d++)
    for (unsigned i = 0; i < KS_PORTS; i++) ks_world.device[d].interface[i].owner = NULL;
  ks_world.faults.kill_out = UINT64_MAX;
  ks_world.faults.kill_in = UINT64_MAX;
  ks_world.dead = false;
}

static void time_outs(struct ks_world *w)
{
  for (unsigned d = 0; d < KS_DEVICES; d++)
    for (unsigned e = 0; e < KS_ENDPOINTS; e++) {
      struct ks_transfer *t = w->device[d].endpoint[e].head;
      while (t != NULL) {
        struct ks_transfer *next = t->next;
        if (w->now >= t->deadline) ks_transfer_end(t, LIBUSB_TRANSFER_TIMED_OUT);
        t = next;
      }
    }
}

static void to(struct ks_world *w, uint64_t when)
{
  w->now = when;
  if (w->device[0].present) ks_wire_run(w->wire, when);
  for (unsigned d = 1; d < KS_DEVICES; d++) /* nothing is behind the others */
    for (unsigned i = 0; i < KS_PORTS; i++) ks_ring_clear(&w->device[d].port[i].out);
  ks_ring_clear(&w->device[0].port[1 - w->port].out);
  if (w->faults.unplug_at_us != 0 && w->device[0].present &&
      w->now >= w->faults.unplug_at_us * KS_PS_PER_US)
    ks_world_unplug();
}

/* How long a packet keeps the bus; a full one takes a thirteenth of a microframe. */
static uint64_t packet_ps(int bytes)
{
  if (bytes < 0) return KS_POLL_PS;
  return KS_MICROFRAME_PS * (KS_OVERHEAD_BYTES + (uint64_t)bytes) /
         (13 * (KS_OVERHEAD_BYTES + 512));
}

void ks_world_step(uint64_t until)
{
  struct ks_world *w = &ks_world;
  if (w->slot > until) {
    to(w, until);
    return;
  }
  to(w, w->slot);
  w->slot += packet_ps(w->queued > 0 ? ks_slot() : -1);
  time_outs(w);
}

void ks_world_run(uint64_t until)
{
  struct ks_world *w = &ks_world;
  while (w->now < until) {
    if (w->queued > 0 || w->faults.unplug_at_us != 0) {
      ks_world_step(until);
      continue;
    }
    to(w, until);
    w->slot = until;
  }
}
