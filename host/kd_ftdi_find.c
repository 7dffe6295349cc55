/* SPDX-License-Identifier: Apache-2.0
 *
 * Which FTDI chips are on the bus, and which of them may be a board.
 */
#include "host/kd_ftdi.h"

#include "spec/generated/kt_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FTDI_VID = 0x0403, FT232H_RELEASE = 0x0900, PORT_TYPE = 7 };

static const struct {
  uint16_t release;
  const char *name;
} chips[] = {
    {0x0500, "FT2232C"}, {0x0600, "FT232R"}, {0x0700, "FT2232H"},
    {0x0800, "FT4232H"}, {0x0900, "FT232H"}, {0x1000, "FT230X"},
};

static const uint16_t pids[] = {0x6001, 0x6010, 0x6011, 0x6014, 0x6015};

const char *kd_ftdi_chip(uint16_t release)
{
  for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
    if (chips[i].release == release) return chips[i].name;
  return "FTDI chip";
}

static bool is_ftdi(const struct libusb_device_descriptor *d)
{
  for (size_t i = 0; i < sizeof pids / sizeof pids[0]; i++)
    if (d->idVendor == FTDI_VID && d->idProduct == pids[i]) return true;
  return false;
}

static int read_string(const struct kd_usb *usb, libusb_device_handle *h, uint8_t index, char *to,
                       int room)
{
  if (index == 0) return 0;
  const int n = usb->libusb_get_string_descriptor_ascii(h, index, (unsigned char *)to, room);
  if (n < 0) to[0] = '\0';
  for (char *c = to; *c != '\0'; c++)
    if (*c < ' ' || *c > '~') *c = '?';
  return n < 0 ? n : 0;
}

static void describe(const struct kd_usb *usb, libusb_device *dev,
                     const struct libusb_device_descriptor *d, struct kd_ftdi_device *to)
{
  libusb_device_handle *h = NULL;
  *to = (struct kd_ftdi_device){
      .vid = d->idVendor,
      .pid = d->idProduct,
      .release = d->bcdDevice,
      .bus = usb->libusb_get_bus_number(dev),
      .address = usb->libusb_get_device_address(dev),
      .ports = {.type = {-1, -1}},
  };
  to->code = usb->libusb_open(dev, &h);
  if (to->code != 0) return;
  to->code = read_string(usb, h, d->iProduct, to->product, sizeof to->product);
  const int code = read_string(usb, h, d->iSerialNumber, to->serial, sizeof to->serial);
  if (to->code == 0) to->code = code;
  usb->libusb_close(h);
}

/* Looks at every device of a list; from[i] is where list[i] came from. */
static size_t describe_all(const struct kd_usb *usb, libusb_device **devices, size_t n,
                           struct kd_ftdi_device *list, libusb_device **from)
{
  size_t found = 0;
  for (size_t i = 0; i < n; i++) {
    struct libusb_device_descriptor d;
    if (usb->libusb_get_device_descriptor(devices[i], &d) != 0 || !is_ftdi(&d)) continue;
    describe(usb, devices[i], &d, &list[found]);
    from[found++] = devices[i];
  }
  return found;
}

enum kt_status kd_ftdi_bus_open(const struct kd_usb *usb, struct kd_ftdi_bus *bus,
                                struct kt_msg *msg)
{
  *bus = (struct kd_ftdi_bus){.usb = usb, .ftdi = usb->ftdi_new()};
  if (bus->ftdi == NULL) {
    kt_msg_set(msg, "USB is not available: libusb does not start");
    return KT_ENODEV;
  }
  const ssize_t n = usb->libusb_get_device_list(bus->ftdi->usb_ctx, &bus->devices);
  if (n < 0) {
    const enum kt_status st = kd_ftdi_lost((int)n, "listing devices", msg);
    bus->devices = NULL;
    kd_ftdi_bus_close(bus);
    return st;
  }
  bus->list = calloc((size_t)n + 1, sizeof *bus->list);
  bus->from = calloc((size_t)n + 1, sizeof *bus->from);
  if (bus->list == NULL || bus->from == NULL) {
    kd_ftdi_bus_close(bus);
    return KT_ENOMEM;
  }
  bus->n = describe_all(usb, bus->devices, (size_t)n, bus->list, bus->from);
  return KT_OK;
}

void kd_ftdi_bus_close(struct kd_ftdi_bus *bus)
{
  if (bus->devices != NULL) bus->usb->libusb_free_device_list(bus->devices, 1);
  if (bus->ftdi != NULL) bus->usb->ftdi_free(bus->ftdi);
  free(bus->list);
  free(bus->from);
  *bus = (struct kd_ftdi_bus){0};
}

/* The EEPROM's first word has both: A's in the low byte, B's in the high one. libftdi's own decoder
 * reads all of it, and prints where it is blank. */
int kd_ftdi_read_ports(const struct kd_usb *usb, struct ftdi_context *ftdi, uint16_t release,
                       struct kd_ftdi_ports *ports)
{
  unsigned short word;
  uint8_t bytes[sizeof word];
  const int failed = usb->ftdi_read_eeprom_location(ftdi, 0, &word);
  if (failed != 0) return failed;
  memcpy(bytes, &word, sizeof word);
  ports->blank = word == 0xffff;
  for (size_t k = 0; k < 2; k++)
    ports->type[k] = ports->blank ? CHANNEL_IS_UART : bytes[k] & PORT_TYPE;
  if (release == FT232H_RELEASE) ports->type[1] = -1;
  return 0;
}

static void find_ports(const struct kd_ftdi_bus *bus, size_t i)
{
  struct kd_ftdi_device *dev = &bus->list[i];
  libusb_device_handle *h = NULL;
  if (dev->code != 0 || bus->usb->libusb_open(bus->from[i], &h) != 0) return;
  bus->usb->ftdi_set_usbdev(bus->ftdi, h);
  kd_ftdi_read_ports(bus->usb, bus->ftdi, dev->release, &dev->ports);
  bus->usb->ftdi_set_usbdev(bus->ftdi, NULL);
  bus->usb->libusb_close(h);
}

enum kt_status kd_ftdi_scan(const struct kd_usb *usb, struct kd_ftdi_device **list, size_t *n,
                            struct kt_msg *msg)
{
  struct kd_ftdi_bus bus;
  *list = NULL;
  *n = 0;
  const enum kt_status st = kd_ftdi_bus_open(usb, &bus, msg);
  if (st != KT_OK) return st;
  for (size_t i = 0; i < bus.n; i++)
    find_ports(&bus, i);
  *list = bus.list;
  *n = bus.n;
  bus.list = NULL;
  kd_ftdi_bus_close(&bus);
  return KT_OK;
}

/* ---- matching --------------------------------------------------------------------------------- */

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

/* The board whose product string this is, if it is one's. */
static const struct kt_board *owner(const struct kd_ftdi_device *dev)
{
  for (size_t i = 0; i < kt_n_boards; i++)
    if (kt_boards[i].product != NULL && begins(dev->product, kt_boards[i].product))
      return &kt_boards[i];
  return NULL;
}

static bool ids_match(const struct kt_board *b, const struct kd_ftdi_device *dev)
{
  return dev->vid == b->vid &&
         (dev->pid == b->pid || (b->pid_other != 0 && dev->pid == b->pid_other));
}

static bool product_matches(const struct kt_board *b, const struct kd_ftdi_device *dev)
{
  if (b->product != NULL) return begins(dev->product, b->product);
  return owner(dev) == NULL; /* another board's product string rules it out */
}

int kd_ftdi_port_needed(const struct kt_board *board)
{
  return board->phy == KT_LINK_PHY_FT245 ? CHANNEL_IS_FIFO : CHANNEL_IS_UART;
}

const char *kd_ftdi_port_name(int type)
{
  switch (type) {
  case CHANNEL_IS_UART: return "UART";
  case CHANNEL_IS_FIFO: return "245 FIFO";
  case CHANNEL_IS_OPTO: return "fast opto-isolated";
  case CHANNEL_IS_CPU: return "CPU FIFO";
  case CHANNEL_IS_FT1284: return "FT1284";
  default: return "unknown";
  }
}

char kd_ftdi_interface(const struct kd_ftdi_want *want)
{
  return want->interface != 0 ? want->interface : want->board->interface;
}

bool kd_ftdi_port_fits(const struct kd_ftdi_want *want, const struct kd_ftdi_device *dev)
{
  const int type = dev->ports.type[kd_ftdi_interface(want) == 'B'];
  return type == -1 || type == kd_ftdi_port_needed(want->board);
}

/* Why a chip fits, and what it still needs. */
static void praise(const struct kd_ftdi_want *want, const struct kd_ftdi_device *dev, char *why,
                   size_t n)
{
  const char port = kd_ftdi_interface(want);
  const char *what = want->board->product != NULL ? "IDs and product string fit" : "its IDs fit";
  if (kd_ftdi_port_fits(want, dev))
    snprintf(why, n, "%s", what);
  else
    snprintf(why, n, "%s, but its EEPROM sets port %c to %s, not %s", what, port,
             kd_ftdi_port_name(dev->ports.type[port == 'B']),
             kd_ftdi_port_name(kd_ftdi_port_needed(want->board)));
}

bool kd_ftdi_matches(const struct kd_ftdi_want *want, const struct kd_ftdi_device *dev, char *why,
                     size_t n)
{
  const struct kt_board *b = want->board;
  if (!ids_match(b, dev)) {
    snprintf(why, n, "its IDs %04x:%04x are not the board's", dev->vid, dev->pid);
    return false;
  }
  if (dev->code != 0) { /* it may be the one: opening it says what is wrong */
    if (dev->code == LIBUSB_ERROR_ACCESS)
      snprintf(why, n, "its IDs fit; no permission to read its strings (host/udev/70-ktpu.rules)");
    else
      snprintf(why, n, "its IDs fit; its strings cannot be read (libusb code %d)", dev->code);
    return true;
  }
  if (!product_matches(b, dev)) {
    const struct kt_board *other = owner(dev);
    if (other != NULL)
      snprintf(why, n, "its product string \"%s\" is that of %s", dev->product, other->name);
    else
      snprintf(why, n, "its product string \"%s\" does not begin with \"%s\"", dev->product,
               b->product);
    return false;
  }
  if (want->serial[0] != '\0' && strcmp(want->serial, dev->serial) != 0) {
    snprintf(why, n, "its serial number \"%s\" is not the one asked for", dev->serial);
    return false;
  }
  praise(want, dev, why, n);
  return true;
}
