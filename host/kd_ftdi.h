/* SPDX-License-Identifier: Apache-2.0
 *
 * FTDI chips: which are there, which one is meant, and a pipe to it through a UART or a synchronous
 * FIFO. Failures are sentences that say what to do (docs/host.md).
 */
#ifndef KD_FTDI_H
#define KD_FTDI_H

#include "host/kd_pipe.h"
#include "host/kd_usb.h"
#include "spec/generated/kt_boards.h"

#include <stdbool.h>

/* Which chip is meant. */
struct kd_ftdi_want {
  const struct kt_board *board;
  char interface;   /* 'A' or 'B'; 0: the board's own */
  char serial[64];  /* "": any */
};

/* What the EEPROM makes of ports A and B from power-up on: CHANNEL_IS_* of libftdi; -1: not known, or
 * no such port. Blank, it makes UARTs of them. */
struct kd_ftdi_ports {
  int type[2];
  bool blank;
};

/* A chip on the bus. */
struct kd_ftdi_device {
  uint16_t vid, pid, release; /* release: bcdDevice, says which chip */
  uint8_t bus, address;
  char product[64], serial[64]; /* "" where there is none, or it could not be read */
  int code;                     /* libusb's, why not; 0: read */
  struct kd_ftdi_ports ports;   /* after kd_ftdi_scan */
};

/* All FTDI chips with their ports, to be freed; none is KT_OK with *n = 0. No interface is claimed. */
enum kt_status kd_ftdi_scan(const struct kd_usb *usb, struct kd_ftdi_device **list, size_t *n,
                            struct kt_msg *msg);

/* Whether a chip may be the one; `why` says why or why not. */
bool kd_ftdi_matches(const struct kd_ftdi_want *want, const struct kd_ftdi_device *dev, char *why,
                     size_t n);

/* 'A' or 'B': the one asked for, or the board's own. */
char kd_ftdi_interface(const struct kd_ftdi_want *want);

/* What the board needs its port to be, CHANNEL_IS_*; and its name. */
int kd_ftdi_port_needed(const struct kt_board *board);
const char *kd_ftdi_port_name(int type);

/* Whether the chip's port is what the board needs, as far as that is known. */
bool kd_ftdi_port_fits(const struct kd_ftdi_want *want, const struct kd_ftdi_device *dev);

/* "FT2232H", from the release number; "FTDI chip" when unknown. */
const char *kd_ftdi_chip(uint16_t release);

/* Opens the one chip that matches, in the board's mode, at rest. *serial (64 bytes, may be NULL) gets
 * its serial number. The chip is left as it was found if this fails, and on close. */
enum kt_status kd_ftdi_open(const struct kd_usb *usb, const struct kd_ftdi_want *want,
                            struct kd_pipe *pipe, char *serial, struct kt_msg *msg);

/* ---- inside ------------------------------------------------------------------------------------ */

/* The bus as it is now: a libftdi context, not opened, and its FTDI chips. */
struct kd_ftdi_bus {
  const struct kd_usb *usb;
  struct ftdi_context *ftdi;
  libusb_device **devices;
  struct kd_ftdi_device *list;
  libusb_device **from; /* of list */
  size_t n;
};
enum kt_status kd_ftdi_bus_open(const struct kd_usb *usb, struct kd_ftdi_bus *bus,
                                struct kt_msg *msg);
void kd_ftdi_bus_close(struct kd_ftdi_bus *bus);

/* Of the chip that ftdi has; libftdi's code when it fails, and then *ports is as before. */
int kd_ftdi_read_ports(const struct kd_usb *usb, struct ftdi_context *ftdi, uint16_t release,
                       struct kd_ftdi_ports *ports);

struct kd_ftdi_io;

/* The queued transfers of an open chip. Ends with kd_ftdi_io_close, which keeps no request behind. */
enum kt_status kd_ftdi_io_open(const struct kd_usb *usb, struct ftdi_context *ftdi,
                               struct kd_ftdi_io **io, struct kt_msg *msg);
void kd_ftdi_io_close(struct kd_ftdi_io *io);
enum kt_status kd_ftdi_io_write(struct kd_ftdi_io *io, const uint8_t *bytes, size_t n,
                                uint64_t deadline_ns, struct kt_msg *msg);
enum kt_status kd_ftdi_io_read(struct kd_ftdi_io *io, uint8_t *bytes, size_t room, size_t *got,
                               uint64_t deadline_ns, struct kt_msg *msg);

/* Takes back what has not been sent, drops what has come. */
enum kt_status kd_ftdi_io_flush(struct kd_ftdi_io *io, struct kt_msg *msg);

/* A libusb code that a request ended with. */
enum kt_status kd_ftdi_lost(int code, const char *doing, struct kt_msg *msg);

#endif
