/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening an FTDI chip for a board: the one that is meant, its mode, and leaving it as it was.
 */
#include "host/kd_ftdi.h"

#include "spec/generated/kt_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LATENCY_MS = 2,      /* only a safety net: replies end with the event character, or SIWU */
  CONTROL_MS = 1000,   /* libftdi's waits */
  ALL_PINS = 0xff,
  READ_TRIES = 3
};

static const uint64_t settle_ns = 10 * KD_NS_PER_MS;
static const uint64_t break_ns = KD_NS_PER_MS; /* a board wants 200 us at least */

struct chip {
  const struct kd_usb *usb;
  struct ftdi_context *ftdi;
  struct kd_ftdi_io *io;
  bool fifo;
  bool opened, latency_known;
  unsigned char latency; /* as it was found */
};

/* ---- choosing --------------------------------------------------------------------------------- */

struct list_text {
  char text[300];
  size_t used;
};

static void list_device(struct list_text *l, const struct kd_ftdi_device *d, const char *why)
{
  const size_t room = sizeof l->text - l->used;
  const int n = snprintf(l->text + l->used, room, "%sbus %u device %u, %s, serial \"%s\"%s%s",
                         l->used == 0 ? "" : "; ", d->bus, d->address,
                         d->product[0] != '\0' ? d->product : kd_ftdi_chip(d->release), d->serial,
                         why != NULL ? ": " : "", why != NULL ? why : "");
  if (n > 0) l->used += (size_t)n < room ? (size_t)n : room - 1;
}

static enum kt_status none_found(const struct kd_ftdi_bus *bus, const struct kd_ftdi_want *want,
                                 struct kt_msg *msg)
{
  struct list_text others = {.text = "no FTDI chip is connected"};
  char why[160];
  for (size_t i = 0; i < bus->n; i++) {
    kd_ftdi_matches(want, &bus->list[i], why, sizeof why);
    list_device(&others, &bus->list[i], why);
  }
  kt_msg_set(msg, "no %s found (USB %04x:%04x%s%s%s%s): %s", want->board->name, want->board->vid,
             want->board->pid, want->board->product != NULL ? ", product " : "",
             want->board->product != NULL ? want->board->product : "",
             want->serial[0] != '\0' ? ", serial " : "", want->serial, others.text);
  return KT_ENODEV;
}

/* Chips whose strings could be read go before those that may be anything: of these the first is
 * taken, and opening it says what is wrong. */
static enum kt_status choose(const struct kd_ftdi_bus *bus, const struct kd_ftdi_want *want,
                             size_t *chosen, struct kt_msg *msg)
{
  struct list_text all = {.used = 0};
  char why[160];
  size_t n = 0, unread = bus->n;
  for (size_t i = 0; i < bus->n; i++) {
    if (!kd_ftdi_matches(want, &bus->list[i], why, sizeof why)) continue;
    if (bus->list[i].code != 0) {
      unread = i < unread ? i : unread;
      continue;
    }
    *chosen = i;
    list_device(&all, &bus->list[i], NULL);
    n++;
  }
  if (n == 1) return KT_OK;
  if (n == 0 && unread == bus->n) return none_found(bus, want, msg);
  if (n == 0) {
    *chosen = unread;
    return KT_OK;
  }
  kt_msg_set(msg, "%zu devices match %s, choose by serial=: %s", n, want->board->name, all.text);
  return KT_EINVAL;
}

/* ---- opening ---------------------------------------------------------------------------------- */

/* libftdi says only that it failed: the same step once more, with libusb's own code. */
static int why_not(const struct kd_usb *usb, libusb_device *dev, int interface)
{
  libusb_device_handle *h = NULL;
  int code = usb->libusb_open(dev, &h);
  if (code != 0) return code;
  usb->libusb_set_auto_detach_kernel_driver(h, 1); /* as libftdi does */
  code = usb->libusb_claim_interface(h, interface);
  if (code == 0) usb->libusb_release_interface(h, interface);
  usb->libusb_close(h);
  return code;
}

static enum kt_status open_usb(struct chip *c, libusb_device *dev, char interface,
                               struct kt_msg *msg)
{
  c->ftdi->usb_read_timeout = c->ftdi->usb_write_timeout = CONTROL_MS;
  c->ftdi->module_detach_mode = AUTO_DETACH_REATACH_SIO_MODULE;
  if (c->usb->ftdi_set_interface(c->ftdi, interface == 'A' ? INTERFACE_A : INTERFACE_B) != 0)
    return KT_EINVAL;
  const int failed = c->usb->ftdi_usb_open_dev(c->ftdi, dev);
  if (failed == 0) {
    c->opened = true;
    return KT_OK;
  }
  const int code = why_not(c->usb, dev, c->ftdi->interface);
  return kd_ftdi_lost(code != 0 ? code : LIBUSB_ERROR_TIMEOUT, "opening", msg);
}

/* libftdi says only that a request failed: whether the chip is still there says why. */
static enum kt_status control(const struct chip *c, int result, const char *doing,
                              struct kt_msg *msg)
{
  unsigned char text[8];
  if (result == 0) return KT_OK;
  const bool gone = c->usb->libusb_get_string_descriptor_ascii(c->ftdi->usb_dev, 1, text,
                                                               sizeof text) ==
                    LIBUSB_ERROR_NO_DEVICE;
  return kd_ftdi_lost(gone ? LIBUSB_ERROR_NO_DEVICE : LIBUSB_ERROR_TIMEOUT, doing, msg);
}

/* Whatever mode another program left it in (MPSSE, bit-bang, FIFO), it is a plain port after this. */
static enum kt_status to_plain_port(struct chip *c, struct kt_msg *msg)
{
  enum kt_status st = control(c, c->usb->ftdi_usb_reset(c->ftdi), "resetting the chip", msg);
  if (st == KT_OK)
    st = control(c, c->usb->ftdi_set_bitmode(c->ftdi, 0, BITMODE_RESET), "leaving its mode", msg);
  if (st == KT_OK) st = control(c, c->usb->ftdi_tcioflush(c->ftdi), "flushing", msg);
  if (st != KT_OK) return st;
  c->latency_known = c->usb->ftdi_get_latency_timer(c->ftdi, &c->latency) == 0;
  return control(c, c->usb->ftdi_set_latency_timer(c->ftdi, LATENCY_MS), "the latency timer", msg);
}

/* ---- EEPROM ----------------------------------------------------------------------------------- */

/* What the port is from power-up on; where a UART is wanted, it need not be known. */
static enum kt_status check_eeprom(struct chip *c, const struct kt_board *board, char interface,
                                   uint16_t release, struct kt_msg *msg)
{
  struct kd_ftdi_ports ports = {.type = {CHANNEL_IS_UART, CHANNEL_IS_UART}};
  const int want = kd_ftdi_port_needed(board);
  int failed = 1;
  for (unsigned i = 0; failed != 0 && i < READ_TRIES; i++)
    failed = kd_ftdi_read_ports(c->usb, c->ftdi, release, &ports);
  if (failed != 0 && c->fifo) return control(c, failed, "reading the EEPROM", msg);
  const int type = ports.type[interface == 'B'];
  if (type == want) return KT_OK;
  kt_msg_set(msg,
             "EEPROM not in %s mode: port %c of the board's %s is set to %s%s; set its port type with "
             "ftdi_eeprom, then plug it in again (%s: docs/%s)",
             c->fifo ? "245" : "UART", interface, kd_ftdi_chip(release), kd_ftdi_port_name(type),
             ports.blank ? " (the EEPROM is blank)" : "", board->name,
             c->fifo ? "ft245-module.md" : "ecp5.md");
  return KT_EUNSUPPORTED;
}

/* ---- modes ------------------------------------------------------------------------------------ */

static enum kt_status to_uart(struct chip *c, const struct kt_board *board, struct kt_msg *msg)
{
  const struct kd_usb *u = c->usb;
  enum kt_status st = control(c, u->ftdi_setflowctrl(c->ftdi, SIO_DISABLE_FLOW_CTRL), "flow control",
                              msg);
  if (st == KT_OK)
    st = control(c, u->ftdi_set_line_property2(c->ftdi, BITS_8, STOP_BIT_1, NONE, BREAK_OFF),
                 "line properties", msg);
  if (st == KT_OK)
    st = control(c, u->ftdi_set_baudrate(c->ftdi, (int)board->baud), "the baud rate", msg);
  if (st == KT_OK) /* a delimiter sends the packet off: no reply waits for the latency timer */
    st = control(c, u->ftdi_set_event_char(c->ftdi, 0, 1), "the event character", msg);
  return st;
}

static enum kt_status to_fifo(struct chip *c, struct kt_msg *msg)
{
  const struct kd_usb *u = c->usb;
  enum kt_status st = control(c, u->ftdi_set_event_char(c->ftdi, 0, 0), "the event character", msg);
  u->clock->sleep_ns(settle_ns);
  if (st == KT_OK)
    st = control(c, u->ftdi_set_bitmode(c->ftdi, ALL_PINS, BITMODE_SYNCFF), "FIFO mode", msg);
  if (st == KT_OK)
    st = control(c, u->ftdi_setflowctrl(c->ftdi, SIO_RTS_CTS_HS), "flow control", msg);
  return st;
}

/* ---- the pipe --------------------------------------------------------------------------------- */

static enum kt_status chip_write(void *ctx, const uint8_t *bytes, size_t n, uint64_t deadline_ns,
                                 struct kt_msg *msg)
{
  return kd_ftdi_io_write(((struct chip *)ctx)->io, bytes, n, deadline_ns, msg);
}

static enum kt_status chip_read(void *ctx, uint8_t *bytes, size_t room, size_t *got,
                                uint64_t deadline_ns, struct kt_msg *msg)
{
  return kd_ftdi_io_read(((struct chip *)ctx)->io, bytes, room, got, deadline_ns, msg);
}

static enum kt_status chip_flush(void *ctx, struct kt_msg *msg)
{
  return kd_ftdi_io_flush(((struct chip *)ctx)->io, msg);
}

static enum kt_status chip_break(void *ctx, struct kt_msg *msg)
{
  struct chip *c = ctx;
  const struct kd_usb *u = c->usb;
  enum kt_status st =
      control(c, u->ftdi_set_line_property2(c->ftdi, BITS_8, STOP_BIT_1, NONE, BREAK_ON), "BREAK", msg);
  u->clock->sleep_ns(break_ns);
  const int off = u->ftdi_set_line_property2(c->ftdi, BITS_8, STOP_BIT_1, NONE, BREAK_OFF);
  if (st == KT_OK) st = control(c, off, "the end of BREAK", msg);
  u->clock->sleep_ns(break_ns);
  return st;
}

static void chip_close(void *ctx)
{
  struct chip *c = ctx;
  if (c->io != NULL) kd_ftdi_io_close(c->io);
  if (c->opened) {
    c->usb->ftdi_set_event_char(c->ftdi, 0, 0);
    if (c->latency_known) c->usb->ftdi_set_latency_timer(c->ftdi, c->latency);
    if (c->fifo) c->usb->ftdi_set_bitmode(c->ftdi, 0, BITMODE_RESET);
    c->usb->ftdi_usb_close(c->ftdi); /* the kernel's driver gets it back */
  }
  if (c->ftdi != NULL) c->usb->ftdi_free(c->ftdi);
  free(c);
}

static const struct kd_pipe_ops uart_ops = {chip_write, chip_read, chip_flush, chip_break,
                                            chip_close};
static const struct kd_pipe_ops fifo_ops = {chip_write, chip_read, chip_flush, NULL, chip_close};

static enum kt_status set_up(struct chip *c, const struct kd_ftdi_bus *bus, size_t at,
                             const struct kt_board *board, char interface, struct kt_msg *msg)
{
  enum kt_status st = open_usb(c, bus->from[at], interface, msg);
  if (st == KT_OK) st = to_plain_port(c, msg);
  if (st == KT_OK) st = check_eeprom(c, board, interface, bus->list[at].release, msg);
  if (st == KT_OK) st = c->fifo ? to_fifo(c, msg) : to_uart(c, board, msg);
  if (st == KT_OK) st = kd_ftdi_io_open(c->usb, c->ftdi, &c->io, msg);
  return st;
}

enum kt_status kd_ftdi_open(const struct kd_usb *usb, const struct kd_ftdi_want *want,
                            struct kd_pipe *pipe, char *serial, struct kt_msg *msg)
{
  struct kd_ftdi_bus bus;
  size_t i = 0;
  const char interface = kd_ftdi_interface(want);
  const bool fifo = want->board->phy == KT_LINK_PHY_FT245;
  if (fifo && interface != 'A') {
    kt_msg_set(msg, "the synchronous FIFO exists on interface A only");
    return KT_EINVAL;
  }
  struct chip *c = calloc(1, sizeof *c);
  if (c == NULL) return KT_ENOMEM;
  *c = (struct chip){.usb = usb, .fifo = fifo};
  enum kt_status st = kd_ftdi_bus_open(usb, &bus, msg);
  if (st == KT_OK) st = choose(&bus, want, &i, msg);
  if (st == KT_OK) {
    c->ftdi = bus.ftdi;
    bus.ftdi = NULL;
    st = set_up(c, &bus, i, want->board, interface, msg);
    if (serial != NULL) snprintf(serial, sizeof bus.list[i].serial, "%s", bus.list[i].serial);
  }
  kd_ftdi_bus_close(&bus);
  if (st != KT_OK) {
    chip_close(c);
    return st;
  }
  *pipe = (struct kd_pipe){fifo ? &fifo_ops : &uart_ops, c};
  return KT_OK;
}
