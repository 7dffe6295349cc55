/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the stand-in: the host controller and its time. The bus carries one packet at a time, of
 * any endpoint that can move one: 13 of 512 bytes in a microframe of 125 us, more of shorter ones.
 * All state is one process's, below one lock.
 */
#ifndef KS_USB_H
#define KS_USB_H

#include "cosim/board/ks_device.h"
#include "cosim/board/ks_wire.h"

#include <libusb-1.0/libusb.h>

#define KS_MICROFRAME_PS (125u * KS_PS_PER_US)
#define KS_OVERHEAD_BYTES 55u /* of a bulk packet of 512 bytes: 13 of them fill a microframe */
#define KS_POLL_PS (2u * KS_PS_PER_US) /* between two looks at endpoints that have nothing */
#define KS_GAP_PS                                                                                  \
  (100u * KS_PS_PER_US) /* from the end of a transfer to a start with none queued                  \
                         */

struct libusb_context {
  unsigned refs;
};

struct libusb_device_handle {
  libusb_device *dev;
  bool auto_detach;
};

/* A libusb_transfer and what the controller knows of it. */
struct ks_transfer {
  struct ks_transfer *next;     /* in its endpoint's queue, or among the completed */
  struct ks_endpoint *endpoint; /* NULL: not queued */
  struct ks_port *port;
  uint64_t start, deadline;
  bool cancelled;
  struct libusb_transfer user;
};

/* What goes wrong on demand, and what was seen. */
struct ks_usb_faults {
  uint32_t permission;            /* 1: may be opened */
  uint32_t in_use;                /* 1: another program has claimed it */
  uint32_t stall;                 /* so many control transfers stall */
  uint32_t deaf;                  /* 1: the chip answers nothing: time-outs */
  uint32_t full_speed;            /* 1: 64-byte packets */
  uint64_t unplug_at_us;          /* 0: never */
  uint64_t kill_out, kill_in;     /* bytes until the host dies; UINT64_MAX: never */
  uint64_t unplug_out, unplug_in; /* bytes until the cable comes out */
};

struct ks_usb_counts {
  uint64_t control, packets_out, packets_in, bytes_out, bytes_in, empty_in, transfers;
};

struct ks_world {
  uint64_t now;  /* ps */
  uint64_t slot; /* when the bus is free for the next packet */
  libusb_device device[KS_DEVICES];
  struct ks_wire *wire;
  unsigned port; /* the board's channel of device 0 */
  bool fifo;     /* what the board needs in the EEPROM */
  bool dead;     /* the host's process was killed */
  uint64_t seed;
  unsigned turn; /* endpoint that is asked first */
  unsigned queued;
  struct ks_transfer *completed, **completed_end;
  struct ks_usb_faults faults;
  struct ks_usb_counts counts;
};

extern struct ks_world ks_world;

/* Takes the lock; the first time makes the world. Recursive: callbacks come below it. */
void ks_enter(void);
void ks_leave(void);

/* Time. ks_world_step goes to the next slot or `until`, whichever comes first. */
void ks_world_step(uint64_t until);
void ks_world_run(uint64_t until);

/* Is the device there for its host? */
bool ks_reachable(const libusb_device *dev);

/* Cable out, cable in with a board that starts anew; the host's process dies, the next one comes.
 */
void ks_world_unplug(void);
void ks_world_plug(void);
void ks_world_kill(void);
void ks_world_revive(void);

/* Ends a transfer. */
void ks_transfer_end(struct ks_transfer *t, enum libusb_transfer_status status);
void ks_endpoint_abort(struct ks_endpoint *ep, enum libusb_transfer_status status);

/* Moves at most one packet: its bytes, or -1. */
int ks_slot(void);

#endif
