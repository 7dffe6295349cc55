// SPDX-License-Identifier: Apache-2.0
#include "cosim/board/ks_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places in the EEPROM, as libftdi reads them. */
enum {
  EE_CHANNEL_A = 0x00,
  EE_VID = 0x02,
  EE_PID = 0x04,
  EE_BCD = 0x06,
  EE_CONFIG = 0x08,
  EE_POWER = 0x09,
  EE_FLAGS = 0x0a,
  EE_STRINGS = 0x0e, /* place and length of manufacturer, product and serial number */
  EE_CHIP = 0x18,
  EE_TEXT_2232H = 0x9a,
  EE_TEXT_232H = 0xa0,
  EE_SUM = 0xfe
};
#define MODE_MASK_2232H 0x07u
#define MODE_MASK_232H 0x0fu
#define MODE_FIFO 0x01u

static void put16(uint8_t *at, uint16_t value)
{
  at[0] = (uint8_t)value;
  at[1] = (uint8_t)(value >> 8);
}

static uint16_t checksum(const uint8_t *eeprom)
{
  uint16_t sum = 0xaaaa;
  for (unsigned i = 0; i < EE_SUM; i += 2) {
    sum = (uint16_t)(sum ^ (eeprom[i] | eeprom[i + 1] << 8));
    sum = (uint16_t)(sum << 1 | sum >> 15);
  }
  return sum;
}

void ks_eeprom_blank(uint8_t *eeprom)
{
  memset(eeprom, 0xff, KS_EEPROM_BYTES);
}

static unsigned put_text(uint8_t *eeprom, unsigned which, unsigned at, const char *text)
{
  size_t length = text != NULL ? strlen(text) : 0;
  if (at + 2 + 2 * length > EE_SUM) length = 0;
  eeprom[EE_STRINGS + 2 * which] = (uint8_t)at;
  eeprom[EE_STRINGS + 2 * which + 1] = (uint8_t)(2 + 2 * length);
  eeprom[at++] = (uint8_t)(2 + 2 * length);
  eeprom[at++] = LIBUSB_DT_STRING;
  for (size_t i = 0; i < length; i++) {
    eeprom[at++] = (uint8_t)text[i];
    eeprom[at++] = 0;
  }
  return at;
}

void ks_eeprom_make(uint8_t *eeprom, const struct ks_device_kind *kind, int fifo)
{
  memset(eeprom, 0, KS_EEPROM_BYTES);
  if (fifo >= 0) eeprom[EE_CHANNEL_A + fifo] = MODE_FIFO;
  put16(&eeprom[EE_VID], kind->vid);
  put16(&eeprom[EE_PID], kind->pid);
  put16(&eeprom[EE_BCD], kind->bcd);
  eeprom[EE_CONFIG] = 0x80;
  eeprom[EE_POWER] = 50;
  eeprom[EE_FLAGS] = kind->serial != NULL ? 0x08 : 0;
  eeprom[EE_CHIP] = 0x56;
  unsigned at = kind->channels == 2 ? EE_TEXT_2232H : EE_TEXT_232H;
  at = put_text(eeprom, 0, at, kind->manufacturer);
  at = put_text(eeprom, 1, at, kind->product);
  put_text(eeprom, 2, at, kind->serial);
  put16(&eeprom[EE_SUM], checksum(eeprom));
}

static bool eeprom_good(const libusb_device *dev)
{
  const uint8_t *e = dev->eeprom;
  return (uint16_t)(e[EE_SUM] | e[EE_SUM + 1] << 8) == checksum(e);
}

void ks_device_power(libusb_device *dev, bool high_speed)
{
  unsigned mask = dev->kind.channels == 2 ? MODE_MASK_2232H : MODE_MASK_232H;
  for (unsigned i = 0; i < dev->kind.channels; i++) {
    bool fifo = eeprom_good(dev) && (dev->eeprom[EE_CHANNEL_A + i] & mask) == MODE_FIFO;
    ks_port_init(&dev->port[i], dev->kind.room, high_speed ? 512 : 64, true, fifo);
  }
}

static int eeprom_request(libusb_device *dev, uint8_t request, uint16_t value, uint16_t index,
                          uint8_t *data, uint16_t length)
{
  if (request == KS_REQ_ERASE_EEPROM) {
    ks_eeprom_blank(dev->eeprom);
    return 0;
  }
  if (index >= KS_EEPROM_BYTES / 2) return -1;
  uint8_t *word = &dev->eeprom[2 * index];
  if (request == KS_REQ_WRITE_EEPROM) {
    put16(word, value);
    return 0;
  }
  if (length < 2) return -1;
  memcpy(data, word, 2);
  return 2;
}

int ks_device_vendor(libusb_device *dev, uint8_t request, uint16_t value, uint16_t index,
                     uint8_t *data, uint16_t length)
{
  if (dev->kind.channels == 0) return -1;
  if (request >= KS_REQ_READ_EEPROM)
    return eeprom_request(dev, request, value, index, data, length);
  unsigned channel = index & 0xffu; /* 1 is A; chips of one channel take 0 too */
  if (channel == 0) channel = 1;
  if (channel > dev->kind.channels) return -1;
  return ks_port_request(&dev->port[channel - 1], request, value, index, data, length);
}

int ks_device_string(const libusb_device *dev, uint8_t index, char *text, int room)
{
  const char *const strings[] = {dev->kind.manufacturer, dev->kind.product, dev->kind.serial};
  if (index < 1 || index > 3 || strings[index - 1] == NULL || room < 1) return -1;
  snprintf(text, (size_t)room, "%s", strings[index - 1]);
  return (int)strlen(text);
}

void ks_device_descriptor(const libusb_device *dev, struct libusb_device_descriptor *desc)
{
  *desc = (struct libusb_device_descriptor){
      .bLength = LIBUSB_DT_DEVICE_SIZE,
      .bDescriptorType = LIBUSB_DT_DEVICE,
      .bcdUSB = 0x0200,
      .bMaxPacketSize0 = 64,
      .idVendor = dev->kind.vid,
      .idProduct = dev->kind.pid,
      .bcdDevice = dev->kind.bcd,
      .iManufacturer = 1,
      .iProduct = 2,
      .iSerialNumber = dev->kind.serial != NULL ? 3 : 0,
      .bNumConfigurations = 1,
  };
}

/* One piece of memory that libusb_free_config_descriptor gives back. */
struct config {
  struct libusb_config_descriptor head;
  struct libusb_interface interface[KS_PORTS];
  struct libusb_interface_descriptor alt[KS_PORTS];
  struct libusb_endpoint_descriptor endpoint[KS_PORTS][2];
};

static void fill_interface(struct config *c, unsigned i, uint16_t packet)
{
  for (unsigned e = 0; e < 2; e++)
    c->endpoint[i][e] = (struct libusb_endpoint_descriptor){
        .bLength = LIBUSB_DT_ENDPOINT_SIZE,
        .bDescriptorType = LIBUSB_DT_ENDPOINT,
        .bEndpointAddress = (uint8_t)(e == 0 ? 0x81 + 2 * i : 0x02 + 2 * i),
        .bmAttributes = LIBUSB_TRANSFER_TYPE_BULK,
        .wMaxPacketSize = packet,
    };
  c->alt[i] = (struct libusb_interface_descriptor){
      .bLength = LIBUSB_DT_INTERFACE_SIZE,
      .bDescriptorType = LIBUSB_DT_INTERFACE,
      .bInterfaceNumber = (uint8_t)i,
      .bNumEndpoints = 2,
      .bInterfaceClass = LIBUSB_CLASS_VENDOR_SPEC,
      .bInterfaceSubClass = 0xff,
      .bInterfaceProtocol = 0xff,
      .endpoint = c->endpoint[i],
  };
  c->interface[i] = (struct libusb_interface){&c->alt[i], 1};
}

struct libusb_config_descriptor *ks_device_config(const libusb_device *dev, bool high_speed)
{
  struct config *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  for (unsigned i = 0; i < dev->kind.channels; i++) fill_interface(c, i, high_speed ? 512 : 64);
  c->head = (struct libusb_config_descriptor){
      .bLength = LIBUSB_DT_CONFIG_SIZE,
      .bDescriptorType = LIBUSB_DT_CONFIG,
      .wTotalLength = (uint16_t)(LIBUSB_DT_CONFIG_SIZE + 23 * dev->kind.channels),
      .bNumInterfaces = dev->kind.channels,
      .bConfigurationValue = 1,
      .bmAttributes = 0x80,
      .MaxPower = 50,
      .interface = c->interface,
  };
  return &c->head;
}
