// SPDX-License-Identifier: Apache-2.0
#include "cosim/board/ks_port.h"

#include <string.h>

#define BAUD_DEFAULT_PS 104166667u /* 9600 */

void ks_port_init(struct ks_port *p, uint32_t room, uint32_t packet, bool high_speed, bool fifo)
{
  memset(p, 0, sizeof *p);
  p->out.room = room;
  p->in.room = room;
  p->packet = packet;
  p->high_speed = high_speed;
  p->fifo = fifo;
  p->bit_ps = BAUD_DEFAULT_PS;
  p->data_bits = 8;
  p->latency_ms = 16;
  p->event_char = 0x0d;
}

bool ks_port_is_uart(const struct ks_port *p)
{
  return !p->fifo && p->bitmode == KS_BITMODE_RESET;
}

uint64_t ks_port_bit_ps(uint16_t value, uint16_t index, bool high_speed)
{
  static const uint8_t eighths_of[8] = {0, 4, 2, 1, 3, 5, 6, 7};
  uint32_t encoded = value | (uint32_t)(index & 0xff00u) << 8;
  bool fast = high_speed && (encoded & 0x20000u) != 0;
  uint32_t whole = encoded & 0x3fffu;
  uint32_t eighths = eighths_of[(encoded >> 14) & 7u];

  if (whole == 0 && eighths == 0)
    whole = 1;
  else if (whole == 1 && eighths == 0)
    eighths = 4; /* 1.5 */
  else if (whole < 2)
    return 0;

  uint64_t clock_hz = fast ? 12000000u : 3000000u;
  return (1000000000000u * (uint64_t)(8 * whole + eighths) + 4 * clock_hz) / (8 * clock_hz);
}

static void reset(struct ks_port *p, uint16_t what)
{
  p->flushes++;
  if (what != 2) ks_ring_clear(&p->out);
  if (what != 1) {
    ks_ring_clear(&p->in);
    p->flush_to = p->in.head;
  }
  if (what != 0) return;
  p->flow_ctrl = 0;
  p->event_char = 0x0d;
  p->event_on = false;
  p->modem = 0;
  p->line_status = 0;
}

static void set_data(struct ks_port *p, uint16_t value)
{
  p->data_bits = (uint8_t)(value & 0xffu);
  p->parity = (uint8_t)((value >> 8) & 7u);
  p->stop_bits = (uint8_t)((value >> 11) & 3u);
  p->break_on = (value & 0x4000u) != 0;
}

static void set_modem(struct ks_port *p, uint16_t value)
{
  uint8_t mask = (uint8_t)(value >> 8);
  p->modem = (uint8_t)((p->modem & ~mask) | (value & mask & 3u));
}

static void set_bitmode(struct ks_port *p, uint16_t value)
{
  p->bitmask = (uint8_t)value;
  p->bitmode = (uint8_t)(value >> 8);
}

static void set_char(uint8_t *c, bool *on, uint16_t value)
{
  *c = (uint8_t)value;
  *on = (value & 0x100u) != 0;
}

static void status_bytes(const struct ks_port *p, uint8_t *data)
{
  data[0] = p->packet == 512 ? 0x02 : 0x01;
  data[1] = (uint8_t)(p->line_status | (ks_ring_count(&p->out) == 0 ? KS_LINE_EMPTY : 0));
}

static int answer(const struct ks_port *p, uint8_t request, uint8_t *data, uint16_t length)
{
  if (length < 1) return -1;
  switch (request) {
  case KS_REQ_MODEM_STATUS:
    if (length < 2) return -1;
    status_bytes(p, data);
    return 2;
  case KS_REQ_GET_LATENCY:
    data[0] = p->latency_ms;
    return 1;
  case KS_REQ_READ_PINS:
    data[0] = 0xff;
    return 1;
  default:
    return -1;
  }
}

int ks_port_request(struct ks_port *p, uint8_t request, uint16_t value, uint16_t index,
                    uint8_t *data, uint16_t length)
{
  uint64_t bit;
  p->requests++;
  switch (request) {
  case KS_REQ_RESET:
    if (value > 2) return -1;
    reset(p, value);
    return 0;
  case KS_REQ_MODEM_CTRL:
    set_modem(p, value);
    return 0;
  case KS_REQ_FLOW_CTRL:
    p->flow_ctrl = index & 0xff00u;
    return 0;
  case KS_REQ_BAUD:
    bit = ks_port_bit_ps(value, index, p->high_speed);
    if (bit == 0) return -1;
    p->bit_ps = bit;
    return 0;
  case KS_REQ_DATA:
    set_data(p, value);
    return 0;
  case KS_REQ_EVENT_CHAR:
    set_char(&p->event_char, &p->event_on, value);
    return 0;
  case KS_REQ_ERROR_CHAR:
    set_char(&p->error_char, &p->error_on, value);
    return 0;
  case KS_REQ_SET_LATENCY:
    if (value < 1 || value > 255) return -1;
    p->latency_ms = (uint8_t)value;
    return 0;
  case KS_REQ_BITMODE:
    set_bitmode(p, value);
    return 0;
  default:
    return answer(p, request, data, length);
  }
}

int ks_port_in_packet(struct ks_port *p, uint64_t now, uint8_t *data)
{
  uint32_t payload = p->packet - 2;
  uint32_t count = ks_ring_count(&p->in);
  bool flush = p->flush_to > p->in.head;
  bool expired = now - p->last_in_ps >= (uint64_t)p->latency_ms * KS_PS_PER_MS;

  if (count < payload && !flush && !expired) return -1;
  if (count > payload) count = payload;
  status_bytes(p, data);
  p->line_status = 0;
  for (uint32_t i = 0; i < count; i++) ks_ring_take(&p->in, &data[2 + i]);
  p->last_in_ps = now;
  return (int)(2 + count);
}

bool ks_port_out_packet(struct ks_port *p, const uint8_t *data, uint32_t bytes)
{
  if (ks_ring_free(&p->out) < bytes) return false;
  for (uint32_t i = 0; i < bytes; i++) ks_ring_put(&p->out, data[i]);
  return true;
}

void ks_port_send_immediate(struct ks_port *p)
{
  p->flush_to = p->in.tail;
}

void ks_port_receive(struct ks_port *p, uint8_t byte, uint8_t errors)
{
  if ((errors & KS_LINE_FRAMING) != 0) {
    p->framing++;
    if (p->error_on) byte = p->error_char;
  }
  p->line_status |= errors;
  if (!ks_ring_put(&p->in, byte)) {
    p->overruns++;
    p->line_status |= KS_LINE_OVERRUN;
    return;
  }
  if (p->event_on && byte == p->event_char) ks_port_send_immediate(p);
}
