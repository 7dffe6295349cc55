/* SPDX-License-Identifier: Apache-2.0
 *
 * The USB devices that the stand-in shows: the board's FTDI chip, and others that options add. Only
 * the board's chip has something behind one of its channels.
 */
#ifndef KS_DEVICE_H
#define KS_DEVICE_H

#include "cosim/board/ks_port.h"

#include <libusb-1.0/libusb.h>

#define KS_DEVICES 4u
#define KS_PORTS 2u
#define KS_EEPROM_BYTES 256u
#define KS_ENDPOINTS 4u /* in and out of each channel */

/* What a device is made from. */
struct ks_device_kind {
  const char *manufacturer, *product, *serial; /* serial NULL: none */
  uint16_t vid, pid, bcd;                      /* bcd 0x0700 FT2232H, 0x0900 FT232H */
  uint8_t channels;                            /* 0: no FTDI chip */
  uint32_t room;                               /* bytes of a buffer */
};

struct ks_transfer; /* ks_usb.h */

struct ks_endpoint {
  struct ks_transfer *head; /* in the order they were submitted */
  uint64_t last_done;       /* when its last transfer ended */
};

struct ks_interface {
  libusb_device_handle *owner;
  bool kernel_driver; /* the serial driver of the system has it */
};

struct libusb_device {
  unsigned refs;
  unsigned index;
  bool present;
  struct ks_device_kind kind;
  char product[64], serial[64];
  uint8_t eeprom[KS_EEPROM_BYTES];
  struct ks_port port[KS_PORTS];
  struct ks_endpoint endpoint[KS_ENDPOINTS]; /* 2 * channel + (1: in) */
  struct ks_interface interface[KS_PORTS];
  uint64_t control_done; /* when the last control transfer ended */
};

/* Powers a device up: its chip takes channel modes from the EEPROM. */
void ks_device_power(libusb_device *dev, bool high_speed);

/* The image that the makers' tool writes: channel `fifo` (0 is A) is a 245 FIFO; -1: all are UARTs.
 */
void ks_eeprom_make(uint8_t *eeprom, const struct ks_device_kind *kind, int fifo);
void ks_eeprom_blank(uint8_t *eeprom);

/* A vendor request: bytes of the answer, or -1 for a stall. `channel` is what the index names. */
int ks_device_vendor(libusb_device *dev, uint8_t request, uint16_t value, uint16_t index,
                     uint8_t *data, uint16_t length);

/* Standard requests: bytes, or -1. */
int ks_device_string(const libusb_device *dev, uint8_t index, char *text, int room);
void ks_device_descriptor(const libusb_device *dev, struct libusb_device_descriptor *desc);
struct libusb_config_descriptor *ks_device_config(const libusb_device *dev, bool high_speed);

#endif
