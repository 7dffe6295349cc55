/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fake_usb.h"

#include "host/kd_ftdi.h"
#include "spec/kt_params.h"

#include <stdlib.h>
#include <string.h>

enum { PACKET = 512, STATUS = 2, FOUND_LATENCY = 16 };

struct fake_usb fake_usb;

/* libftdi and libusb know a chip by a pointer; here it is the same one for device and handle. */
static struct fake_chip *chip_of(const void *opaque)
{
  return (struct fake_chip *)(uintptr_t)opaque;
}

static struct fake_chip *chip_in(const struct ftdi_context *ftdi)
{
  return chip_of(ftdi->usb_dev);
}

/* ---- the bus ---------------------------------------------------------------------------------- */

static ssize_t get_device_list(libusb_context *ctx, libusb_device ***list)
{
  ssize_t n = 0;
  (void)ctx;
  *list = calloc(FAKE_CHIPS + 1, sizeof **list);
  for (size_t i = 0; i < fake_usb.n; i++)
    if (!fake_usb.chips[i].gone) (*list)[n++] = (libusb_device *)&fake_usb.chips[i];
  return n;
}

static void free_device_list(libusb_device **list, int unref)
{
  (void)unref;
  free(list);
}

static int get_device_descriptor(libusb_device *dev, struct libusb_device_descriptor *d)
{
  const struct fake_chip *c = chip_of(dev);
  *d = (struct libusb_device_descriptor){.idVendor = c->vid, .idProduct = c->pid,
                                         .bcdDevice = c->release, .iManufacturer = 1,
                                         .iProduct = 2, .iSerialNumber = 3};
  return 0;
}

static uint8_t get_bus_number(libusb_device *dev)
{
  (void)dev;
  return 1;
}

static uint8_t get_device_address(libusb_device *dev)
{
  return (uint8_t)(chip_of(dev) - fake_usb.chips + 5);
}

static int usb_open(libusb_device *dev, libusb_device_handle **h)
{
  const struct fake_chip *c = chip_of(dev);
  if (c->gone) return LIBUSB_ERROR_NO_DEVICE;
  if (c->open_code != 0) return c->open_code;
  *h = (libusb_device_handle *)dev;
  fake_usb.opened++;
  return 0;
}

static void usb_close(libusb_device_handle *h)
{
  (void)h;
  fake_usb.opened--;
}

static int set_auto_detach(libusb_device_handle *h, int on)
{
  (void)h;
  (void)on;
  return 0;
}

static int claim(libusb_device_handle *h, int interface)
{
  struct fake_chip *c = chip_of(h);
  (void)interface;
  if (c->gone) return LIBUSB_ERROR_NO_DEVICE;
  if (c->claim_code != 0) return c->claim_code;
  c->kernel_driver = false;
  fake_usb.claimed++;
  return 0;
}

static int release(libusb_device_handle *h, int interface)
{
  (void)interface;
  chip_of(h)->kernel_driver = true;
  fake_usb.claimed--;
  return 0;
}

/* ---- control requests ------------------------------------------------------------------------- */

/* A chip that is deaf lets the time-out run. */
static int answer(struct fake_chip *c, uint64_t timeout_ms)
{
  if (fake_usb.answered >= fake_usb.gone_after) c->gone = true;
  if (c->gone) return LIBUSB_ERROR_NO_DEVICE;
  if (fake_usb.answered >= fake_usb.deaf_after) {
    fake_clock.sleep_ns(timeout_ms * KD_NS_PER_MS);
    return LIBUSB_ERROR_TIMEOUT;
  }
  fake_usb.answered++;
  fake_clock.sleep_ns(100 * KD_NS_PER_US);
  return 0;
}

static int get_string(libusb_device_handle *h, uint8_t index, unsigned char *to, int room)
{
  struct fake_chip *c = chip_of(h);
  const char *text = index == 1 ? "FTDI" : (index == 2 ? c->product : c->serial);
  const int code = answer(c, 1000);
  if (code != 0) return code;
  int n = 0;
  for (; text[n] != '\0' && n + 1 < room; n++)
    to[n] = (unsigned char)text[n];
  to[n] = '\0';
  return n;
}

/* libftdi says only that it failed. */
static int control(const struct ftdi_context *ftdi)
{
  fake_usb.requests[ftdi->interface]++;
  return answer(chip_in(ftdi), (uint64_t)ftdi->usb_read_timeout) == 0 ? 0 : -1;
}

static struct ftdi_context *new_context(void)
{
  struct ftdi_context *ftdi = fake_usb.starts ? calloc(1, sizeof *ftdi) : NULL;
  if (ftdi != NULL) ftdi->usb_read_timeout = ftdi->usb_write_timeout = 5000;
  return ftdi;
}

static void free_context(struct ftdi_context *ftdi)
{
  free(ftdi);
}

static int set_interface(struct ftdi_context *ftdi, enum ftdi_interface interface)
{
  const bool b = interface == INTERFACE_B;
  ftdi->interface = b;
  ftdi->index = b ? 2 : 1;
  ftdi->in_ep = b ? 0x04 : 0x02;
  ftdi->out_ep = b ? 0x83 : 0x81;
  return 0;
}

static int open_dev(struct ftdi_context *ftdi, libusb_device *dev)
{
  if (usb_open(dev, &ftdi->usb_dev) != 0) return -4;
  if (claim(ftdi->usb_dev, ftdi->interface) != 0) {
    usb_close(ftdi->usb_dev);
    ftdi->usb_dev = NULL;
    return -5;
  }
  ftdi->max_packet_size = PACKET;
  return 0;
}

static int close_dev(struct ftdi_context *ftdi)
{
  release(ftdi->usb_dev, ftdi->interface);
  usb_close(ftdi->usb_dev);
  ftdi->usb_dev = NULL;
  return 0;
}

static int reset(struct ftdi_context *ftdi)
{
  return control(ftdi);
}

static int set_bitmode(struct ftdi_context *ftdi, unsigned char mask, unsigned char mode)
{
  const int code = control(ftdi);
  (void)mask;
  if (code == 0) chip_in(ftdi)->bitmode = mode;
  return code;
}

static int set_baudrate(struct ftdi_context *ftdi, int baud)
{
  (void)baud;
  return control(ftdi);
}

static int set_line_property2(struct ftdi_context *ftdi, enum ftdi_bits_type bits,
                              enum ftdi_stopbits_type stop, enum ftdi_parity_type parity,
                              enum ftdi_break_type brk)
{
  const struct kd_pipe pipe = fake_link_pipe(fake_usb.link);
  const int code = control(ftdi);
  (void)bits;
  (void)stop;
  (void)parity;
  if (code == 0 && brk == BREAK_ON) pipe.ops->send_break(pipe.ctx, NULL);
  return code;
}

static int set_flow(struct ftdi_context *ftdi, int flow)
{
  (void)flow;
  return control(ftdi);
}

static int set_latency(struct ftdi_context *ftdi, unsigned char ms)
{
  const int code = control(ftdi);
  if (code == 0) chip_in(ftdi)->latency = ms;
  return code;
}

static int get_latency(struct ftdi_context *ftdi, unsigned char *ms)
{
  const int code = control(ftdi);
  if (code == 0) *ms = chip_in(ftdi)->latency;
  return code;
}

static int set_event(struct ftdi_context *ftdi, unsigned char c, unsigned char on)
{
  const int code = control(ftdi);
  if (code == 0) chip_in(ftdi)->event_char = c;
  if (code == 0) chip_in(ftdi)->event_on = on != 0;
  return code;
}

static int flush(struct ftdi_context *ftdi)
{
  const struct kd_pipe pipe = fake_link_pipe(fake_usb.link);
  const int code = control(ftdi);
  if (code == 0) pipe.ops->flush(pipe.ctx, NULL);
  return code;
}

static void set_usbdev(struct ftdi_context *ftdi, libusb_device_handle *h)
{
  ftdi->usb_dev = h;
}

/* The first word, all that is asked for. */
static int read_eeprom_location(struct ftdi_context *ftdi, int at, unsigned short *word)
{
  const struct fake_chip *c = chip_in(ftdi);
  const uint8_t bytes[2] = {(uint8_t)c->port_type[0], (uint8_t)c->port_type[1]};
  const int code = control(ftdi);
  (void)at;
  if (code == 0) memcpy(word, bytes, sizeof *word);
  if (code == 0 && c->eeprom_blank) *word = 0xffff;
  return code;
}

/* ---- transfers -------------------------------------------------------------------------------- */

static struct libusb_transfer *alloc_transfer(int packets)
{
  (void)packets;
  fake_usb.allocated++;
  return calloc(1, sizeof(struct libusb_transfer));
}

static void free_transfer(struct libusb_transfer *t)
{
  fake_usb.allocated--;
  free(t);
}

static int submit(struct libusb_transfer *t)
{
  if (chip_of(t->dev_handle)->gone) return LIBUSB_ERROR_NO_DEVICE;
  if (fake_usb.queued == FAKE_TRANSFERS) return LIBUSB_ERROR_NO_MEM;
  fake_usb.cancelled[fake_usb.queued] = false;
  fake_usb.queue[fake_usb.queued++] = t;
  return 0;
}

static int cancel(struct libusb_transfer *t)
{
  for (size_t i = 0; i < fake_usb.queued; i++)
    if (fake_usb.queue[i] == t) fake_usb.cancelled[i] = true;
  return 0;
}

static void finish(size_t at, enum libusb_transfer_status status, int bytes)
{
  struct libusb_transfer *t = fake_usb.queue[at];
  fake_usb.queued--;
  for (size_t i = at; i < fake_usb.queued; i++) {
    fake_usb.queue[i] = fake_usb.queue[i + 1];
    fake_usb.cancelled[i] = fake_usb.cancelled[i + 1];
  }
  t->status = status;
  t->actual_length = bytes;
  t->callback(t);
}

/* To the board, byte after byte: the cable may come out behind any of them. */
static void carry_out(size_t at)
{
  struct libusb_transfer *t = fake_usb.queue[at];
  const struct kd_pipe pipe = fake_link_pipe(fake_usb.link);
  for (int i = 0; i < t->length; i++) {
    if (fake_usb.out_bytes++ >= fake_usb.unplug_after_out) chip_of(t->dev_handle)->gone = true;
    if (chip_of(t->dev_handle)->gone) return;
    pipe.ops->write(pipe.ctx, t->buffer + i, 1, UINT64_MAX, NULL);
  }
  finish(at, LIBUSB_TRANSFER_COMPLETED, t->length);
}

/* A packet from the board; with nothing to say only its status bytes, if `empty` is allowed. */
static bool carry_in(size_t at, bool empty)
{
  struct libusb_transfer *t = fake_usb.queue[at];
  const struct kd_pipe pipe = fake_link_pipe(fake_usb.link);
  size_t got = 0;
  pipe.ops->read(pipe.ctx, t->buffer + STATUS, (size_t)t->length - STATUS, &got, 0, NULL);
  if (got == 0 && !empty) return false;
  fake_usb.in_bytes += got;
  if (got != 0 && fake_usb.in_bytes > fake_usb.unplug_after_in) {
    chip_of(t->dev_handle)->gone = true;
    return true;
  }
  t->buffer[0] = 0x01;
  t->buffer[1] = 0x60;
  finish(at, LIBUSB_TRANSFER_COMPLETED, (int)got + STATUS);
  return true;
}

/* The first transfer that can end does; false: none can. */
static bool carry(bool empty)
{
  for (size_t i = 0; i < fake_usb.queued; i++) {
    struct libusb_transfer *t = fake_usb.queue[i];
    if (chip_of(t->dev_handle)->gone) {
      finish(i, LIBUSB_TRANSFER_NO_DEVICE, 0);
      return true;
    }
    if (fake_usb.cancelled[i]) {
      if (fake_usb.keeps_transfers) continue;
      finish(i, LIBUSB_TRANSFER_CANCELLED, 0);
      return true;
    }
    if (!(t->endpoint & LIBUSB_ENDPOINT_IN)) {
      if (fake_usb.takes_nothing) continue;
      carry_out(i);
      return true;
    }
    if (carry_in(i, empty)) return true;
  }
  return false;
}

static int handle_events(libusb_context *ctx, struct timeval *tv, int *completed)
{
  const uint64_t latency = 2 * KD_NS_PER_MS;
  uint64_t left = (uint64_t)tv->tv_sec * KD_NS_PER_S + (uint64_t)tv->tv_usec * KD_NS_PER_US;
  (void)ctx;
  fake_clock.sleep_ns(KD_NS_PER_US);
  while (*completed == 0 && carry(false)) {
  }
  if (*completed == 0 && left != 0) { /* the latency timer: an empty packet, or nothing */
    fake_clock.sleep_ns(left < latency ? left : latency);
    carry(left >= latency);
  }
  return 0;
}

/* ---- putting it together ---------------------------------------------------------------------- */

static const struct kd_usb table = {
    .ftdi_new = new_context,
    .ftdi_free = free_context,
    .ftdi_set_interface = set_interface,
    .ftdi_usb_open_dev = open_dev,
    .ftdi_usb_close = close_dev,
    .ftdi_usb_reset = reset,
    .ftdi_set_bitmode = set_bitmode,
    .ftdi_set_baudrate = set_baudrate,
    .ftdi_set_line_property2 = set_line_property2,
    .ftdi_setflowctrl = set_flow,
    .ftdi_set_latency_timer = set_latency,
    .ftdi_get_latency_timer = get_latency,
    .ftdi_set_event_char = set_event,
    .ftdi_tcioflush = flush,
    .ftdi_set_usbdev = set_usbdev,
    .ftdi_read_eeprom_location = read_eeprom_location,
    .libusb_get_device_list = get_device_list,
    .libusb_free_device_list = free_device_list,
    .libusb_get_device_descriptor = get_device_descriptor,
    .libusb_get_bus_number = get_bus_number,
    .libusb_get_device_address = get_device_address,
    .libusb_open = usb_open,
    .libusb_close = usb_close,
    .libusb_get_string_descriptor_ascii = get_string,
    .libusb_claim_interface = claim,
    .libusb_set_auto_detach_kernel_driver = set_auto_detach,
    .libusb_release_interface = release,
    .libusb_alloc_transfer = alloc_transfer,
    .libusb_free_transfer = free_transfer,
    .libusb_submit_transfer = submit,
    .libusb_cancel_transfer = cancel,
    .libusb_handle_events_timeout_completed = handle_events,
    .clock = &fake_clock,
};

static const struct kt_board *board_named(const char *name)
{
  for (size_t i = 0; i < kt_n_boards; i++)
    if (strcmp(kt_boards[i].name, name) == 0) return &kt_boards[i];
  abort();
}

const struct kd_usb *fake_usb_start(const char *board)
{
  const struct kt_board *b = board_named(board);
  struct kt_params p;
  fake_usb = (struct fake_usb){.starts = true, .deaf_after = UINT32_MAX, .gone_after = UINT32_MAX,
                               .unplug_after_out = UINT64_MAX, .unplug_after_in = UINT64_MAX};
  fake_usb.link = malloc(sizeof *fake_usb.link);
  fake_link_init(fake_usb.link, b->window, b->payload);
  if (kt_params_parse(&p, b->config, NULL) != KT_OK) abort();
  fake_usb.link->regs[KT_LINK_REG_CONFIG_HASH / 4] = kt_params_hash(&p);
  fake_usb.link->regs[KT_LINK_REG_BUILD_ID / 4] = 0xB0A4D001;
  fake_usb.link->regs[KT_LINK_REG_PART / 4] = b->part;
  return &table;
}

struct fake_chip *fake_usb_plug(const char *board, const char *serial)
{
  const struct kt_board *b = board_named(board);
  struct fake_chip *c = &fake_usb.chips[fake_usb.n++];
  const bool fifo = b->phy == KT_LINK_PHY_FT245;
  *c = (struct fake_chip){.vid = b->vid, .pid = b->pid, .release = fifo ? 0x0900 : 0x0700,
                          .product = b->product != NULL ? b->product : "module",
                          .serial = serial, .latency = FOUND_LATENCY, .kernel_driver = true};
  c->port_type[0] = fifo ? CHANNEL_IS_FIFO : CHANNEL_IS_UART;
  c->port_type[1] = CHANNEL_IS_UART;
  return c;
}

void fake_usb_end(void)
{
  free(fake_usb.link);
  fake_usb.link = NULL;
}
