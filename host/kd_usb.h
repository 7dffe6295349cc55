/* SPDX-License-Identifier: Apache-2.0
 *
 * The USB library as a table: the real one, a virtual board's stand-in below the real libftdi, or a
 * test's own. Loaded when the first board is opened, so that a program needs no libftdi to run on ref:
 * and sim: devices.
 */
#ifndef KD_USB_H
#define KD_USB_H

#include "cosim/board/ks_board.h"
#include "host/kd_clock.h"
#include "spec/kt_status.h"

#include <libftdi1/ftdi.h>
#include <libusb-1.0/libusb.h>

#define KD_USB_FUNCTIONS(X)                                                                        \
  X(ftdi_new) X(ftdi_free) X(ftdi_set_interface) X(ftdi_usb_open_dev) X(ftdi_usb_close)            \
  X(ftdi_usb_reset) X(ftdi_set_bitmode) X(ftdi_set_baudrate) X(ftdi_set_line_property2)            \
  X(ftdi_setflowctrl) X(ftdi_set_latency_timer) X(ftdi_get_latency_timer) X(ftdi_set_event_char)   \
  X(ftdi_tcioflush) X(ftdi_set_usbdev) X(ftdi_read_eeprom_location) X(libusb_get_device_list)      \
  X(libusb_free_device_list) X(libusb_get_device_descriptor) X(libusb_get_bus_number)              \
  X(libusb_get_device_address) X(libusb_open) X(libusb_close)                                      \
  X(libusb_get_string_descriptor_ascii) X(libusb_claim_interface)                                  \
  X(libusb_set_auto_detach_kernel_driver) X(libusb_release_interface) X(libusb_alloc_transfer)     \
  X(libusb_free_transfer) X(libusb_submit_transfer) X(libusb_cancel_transfer)                      \
  X(libusb_handle_events_timeout_completed)

struct kd_usb {
#define KD_USB_MEMBER(name) __typeof__(name) *name;
  KD_USB_FUNCTIONS(KD_USB_MEMBER)
#undef KD_USB_MEMBER
  const struct kd_clock *clock;
  const struct ks_board_api *board; /* NULL: real USB */
};

/* NULL as board: the computer's own USB; else the virtual board of that name. A process has one USB:
 * whatever is asked for after the first is refused, unless it is the same. It stays loaded. */
enum kt_status kd_usb_load(const char *board, const struct kd_usb **usb, struct kt_msg *msg);

#endif
