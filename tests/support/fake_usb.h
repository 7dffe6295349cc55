/* SPDX-License-Identifier: Apache-2.0
 *
 * A USB library as a table of functions, with FTDI chips on its bus and one board (support/fake_link.h)
 * behind whichever chip is open. It fails as it is told to, in the fake boards' time: a request that
 * nobody answers takes its time-out, waiting takes what there is to wait for.
 */
#ifndef FAKE_USB_H
#define FAKE_USB_H

#include "host/kd_usb.h"
#include "support/fake_link.h"

#include <stdbool.h>

enum { FAKE_CHIPS = 4, FAKE_TRANSFERS = 64 };

struct fake_chip {
  uint16_t vid, pid, release;
  const char *product, *serial;
  int open_code, claim_code; /* libusb's; 0: works */
  int port_type[2];          /* libftdi's CHANNEL_IS_*, by interface */
  bool eeprom_blank;
  bool gone;                 /* unplugged */
  /* what the chip holds; as it was found until a host changes it */
  unsigned char latency, bitmode, event_char;
  bool event_on, kernel_driver;
};

struct fake_usb {
  struct fake_chip chips[FAKE_CHIPS];
  size_t n;
  struct fake_link *link;
  uint64_t out_bytes, in_bytes;        /* to and from the board so far */
  uint64_t unplug_after_out, unplug_after_in; /* of these; UINT64_MAX: never */
  unsigned answered;                   /* control requests */
  unsigned deaf_after, gone_after;     /* of these: nothing is answered any more; unplugged */
  bool keeps_transfers;                /* a cancelled transfer never ends */
  bool takes_nothing;                  /* the chip's buffer is full, and stays so */
  bool starts;                         /* false: libusb does not */
  unsigned opened, claimed;            /* handles and interfaces held now */
  unsigned allocated;                  /* transfers not freed */
  unsigned requests[2];                /* control requests to each interface */
  struct libusb_transfer *queue[FAKE_TRANSFERS];
  bool cancelled[FAKE_TRANSFERS];
  size_t queued;
};

extern struct fake_usb fake_usb; /* the one; a test is a process */

/* An empty bus and a board that is `board`'s, with the parameters that it is built with. */
const struct kd_usb *fake_usb_start(const char *board);

/* Puts a chip on the bus as `board` has it, with that serial number. */
struct fake_chip *fake_usb_plug(const char *board, const char *serial);

void fake_usb_end(void);

#endif
