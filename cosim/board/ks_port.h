/* SPDX-License-Identifier: Apache-2.0
 *
 * One channel of an FTDI chip: the two buffers, what the vendor requests have set, and the rules by
 * which data leaves for the host. "out" is from host to board, "in" from board to host.
 */
#ifndef KS_PORT_H
#define KS_PORT_H

#include "cosim/board/ks_ring.h"

#include <stddef.h>
#include <stdint.h>

#define KS_PS_PER_NS 1000u
#define KS_PS_PER_US 1000000u
#define KS_PS_PER_MS 1000000000u

/* Vendor requests (bRequest). */
enum ks_request {
  KS_REQ_RESET = 0x00,
  KS_REQ_MODEM_CTRL = 0x01,
  KS_REQ_FLOW_CTRL = 0x02,
  KS_REQ_BAUD = 0x03,
  KS_REQ_DATA = 0x04,
  KS_REQ_MODEM_STATUS = 0x05,
  KS_REQ_EVENT_CHAR = 0x06,
  KS_REQ_ERROR_CHAR = 0x07,
  KS_REQ_SET_LATENCY = 0x09,
  KS_REQ_GET_LATENCY = 0x0a,
  KS_REQ_BITMODE = 0x0b,
  KS_REQ_READ_PINS = 0x0c,
  KS_REQ_READ_EEPROM = 0x90,
  KS_REQ_WRITE_EEPROM = 0x91,
  KS_REQ_ERASE_EEPROM = 0x92
};

/* Bits of the second status byte. */
enum ks_line_status {
  KS_LINE_OVERRUN = 0x02,
  KS_LINE_PARITY = 0x04,
  KS_LINE_FRAMING = 0x08,
  KS_LINE_BREAK = 0x10,
  KS_LINE_EMPTY = 0x60 /* transmitter holding register and transmitter */
};

enum ks_bitmode { KS_BITMODE_RESET = 0x00, KS_BITMODE_MPSSE = 0x02, KS_BITMODE_SYNCFF = 0x40 };

struct ks_port {
  struct ks_ring out, in;
  uint32_t packet; /* bytes of a USB packet, its two status bytes included */
  bool fifo;       /* EEPROM: 245 FIFO instead of UART */
  bool high_speed; /* chip with the 12 MHz baud clock */

  uint64_t bit_ps; /* one bit time as the divisor sets it */
  uint8_t data_bits, parity, stop_bits;
  bool break_on;
  uint8_t bitmode, bitmask;
  uint8_t latency_ms;
  uint8_t event_char, error_char;
  bool event_on, error_on;
  uint16_t flow_ctrl;
  uint8_t modem; /* DTR, RTS */

  uint8_t line_status; /* sticky until a packet has told it */
  uint64_t flush_to;   /* position in `in` up to which nothing waits for the latency timer */
  uint64_t last_in_ps; /* when the last packet left */
  uint64_t overruns, framing, flushes, requests;
};

void ks_port_init(struct ks_port *p, uint32_t room, uint32_t packet, bool high_speed, bool fifo);

/* A vendor request to this channel. Returns the bytes of the answer (0 for an out request), or -1:
 * the chip stalls. */
int ks_port_request(struct ks_port *p, uint8_t request, uint16_t value, uint16_t index,
                    uint8_t *data, uint16_t length);

/* The packet that the chip gives when the host polls at `now`: its length with status bytes, or -1
 * when it has nothing to say yet. `data` has room for a packet. */
int ks_port_in_packet(struct ks_port *p, uint64_t now, uint8_t *data);

/* A packet from the host: false when the buffer has no room for all of it. */
bool ks_port_out_packet(struct ks_port *p, const uint8_t *data, uint32_t bytes);

/* The board's side. Errors are bits of enum ks_line_status. */
void ks_port_receive(struct ks_port *p, uint8_t byte, uint8_t errors);
void ks_port_send_immediate(struct ks_port *p); /* SIWU# */

/* The pins are those of a UART: neither FIFO nor one of the bit modes. */
bool ks_port_is_uart(const struct ks_port *p);

/* One bit in ps of a divisor as the request carries it, 0 where the chip cannot. */
uint64_t ks_port_bit_ps(uint16_t value, uint16_t index, bool high_speed);

#endif
