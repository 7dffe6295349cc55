// SPDX-License-Identifier: Apache-2.0
// A UART: bit times from the divisor that the host sent, frames of 1 start, 8 data and 1 stop bit.
#include "cosim/board/ks_pins_uart.h"
#include "cosim/board/ks_wire.h"

#include <string.h>

#define QUIET_CYCLES 64u /* line and board at rest before time is skipped */

struct sender {
  uint64_t next; /* when the line changes; UINT64_MAX: nothing to send */
  uint32_t bits; /* what is left of the frame, the next one lowest, with a 1 above the last */
  uint8_t level;
  uint64_t glitch_at, glitch_end;
};

struct receiver {
  uint64_t next; /* when to sample */
  unsigned bit;  /* 0: waiting for a start bit; 1: in it; 2..9 data; 10 stop */
  uint8_t byte;
};

struct uart {
  struct ks_wire wire;
  struct ks_pins_uart pins;
  struct sender send;
  struct receiver receive;
  uint64_t period, period_rest, rest; /* of the board's clock: ps, and parts of clock_hz of a ps */
  uint32_t quiet;
};

static struct uart board;

static uint64_t bit_time(const struct ks_wire *w)
{
  int64_t bit = (int64_t)w->port->bit_ps;
  return (uint64_t)(bit + bit * w->options.baud_ppm / 1000000);
}

static void plan_glitch(struct uart *u, uint64_t now, uint64_t bit)
{
  struct ks_wire *w = &u->wire;
  if (w->options.glitch_ppm == 0) return;
  if (ks_random(&w->rng) % 1000000u >= w->options.glitch_ppm) return;
  u->send.glitch_at = now + ks_random(&w->rng) % (10 * bit);
  u->send.glitch_end = u->send.glitch_at + (uint64_t)w->options.glitch_ns * KS_PS_PER_NS;
  w->glitches++;
}

/* The frame is over: the next byte's start bit, or the idle line. */
static void next_byte(struct uart *u, uint64_t now)
{
  struct sender *s = &u->send;
  uint8_t byte;
  s->bits = 0;
  s->level = u->wire.port->break_on ? 0 : 1;
  if (u->wire.port->break_on) {
    s->next = UINT64_MAX;
    return;
  }
  if (!ks_lane_out(&u->wire.out, u->wire.port, now, &byte, &s->next)) return;
  uint64_t bit = bit_time(&u->wire);
  s->level = 0;
  s->bits = byte | 0x300u;
  s->next = now + bit;
  plan_glitch(u, now, bit);
}

static void send_step(struct uart *u)
{
  struct sender *s = &u->send;
  if (s->bits <= 1) {
    next_byte(u, s->next);
    return;
  }
  s->level = s->bits & 1u;
  s->bits >>= 1;
  s->next += bit_time(&u->wire);
}

static void receive_step(struct uart *u, uint64_t now, uint8_t line)
{
  struct receiver *r = &u->receive;
  uint64_t bit = bit_time(&u->wire);
  if (r->bit == 0) {
    r->bit = 1;
    r->byte = 0;
    r->next = now + bit / 2;
    return;
  }
  r->next += bit;
  if (r->bit == 1 && line != 0) {
    r->bit = 0; /* too short for a start bit */
    return;
  }
  if (r->bit >= 2 && r->bit <= 9) r->byte = (uint8_t)(r->byte >> 1 | (line != 0 ? 0x80u : 0));
  if (r->bit++ < 10) return;
  r->bit = 0;
  if (!ks_port_is_uart(u->wire.port)) return;
  ks_lane_in(&u->wire.in, u->wire.port, now, r->byte, line != 0 ? 0 : KS_LINE_FRAMING);
}

static void cycle(struct uart *u)
{
  struct ks_wire *w = &u->wire;
  const struct ks_pins_uart *pins = &u->pins;
  uint64_t now = w->now;

  if (now >= u->send.next) send_step(u);
  uint8_t level = u->send.level;
  if (now >= u->send.glitch_at && now < u->send.glitch_end) level ^= 1u;
  *pins->rx = level;
  *pins->clk = 1;
  pins->eval(pins->ctx);
  *pins->clk = 0;
  pins->eval(pins->ctx);

  uint8_t line = *pins->tx;
  bool receiving = u->receive.bit != 0;
  if (receiving ? now >= u->receive.next : line == 0) receive_step(u, now, line);
  bool busy = receiving || line == 0 || level == 0 || u->send.bits != 0;
  u->quiet = busy || !pins->idle(pins->ctx) ? 0 : u->quiet + 1;

  w->cycles++;
  w->now += u->period;
  u->rest += u->period_rest;
  if (u->rest >= pins->clock_hz) {
    u->rest -= pins->clock_hz;
    w->now++;
  }
}

/* Takes up what has changed in the chip since the last run. */
static void look(struct uart *u, uint64_t now)
{
  struct sender *s = &u->send;
  uint8_t before = s->level;
  if (s->bits != 0) return;                     /* in a frame */
  if (before == 0 && !u->wire.port->break_on) { /* a BREAK ends: the line is high for a bit */
    s->level = 1;
    s->next = now + bit_time(&u->wire);
  } else if (s->next == UINT64_MAX || now >= s->next) {
    next_byte(u, now);
  }
  if (s->level != before) u->quiet = 0;
}

static void skip(struct uart *u, uint64_t to)
{
  u->wire.skipped += (to - u->wire.now) / u->period;
  u->wire.now = to;
}

void ks_wire_run(struct ks_wire *wire, uint64_t until)
{
  struct uart *u = &board;
  (void)wire;
  ks_lane_release(&u->wire.in, u->wire.port, u->wire.now);
  if (!ks_port_is_uart(u->wire.port)) ks_ring_clear(&u->wire.port->out); /* commands, or lost */
  look(u, u->wire.now);
  while (u->wire.now < until) {
    if (u->quiet >= QUIET_CYCLES && u->send.bits == 0 && u->send.next > u->wire.now) {
      skip(u, until < u->send.next ? until : u->send.next);
      continue;
    }
    cycle(u);
  }
}

struct ks_wire *ks_wire_open(struct ks_port *port, uint64_t seed)
{
  struct uart *u = &board;
  memset(u, 0, sizeof *u);
  u->wire.port = port;
  u->wire.rng = seed;
  ks_lane_init(&u->wire.out, seed * 2 + 1);
  ks_lane_init(&u->wire.in, seed * 2 + 2);
  u->wire.options.glitch_ns = 20;
  u->send.level = 1;
  u->send.next = UINT64_MAX;
  ks_pins_uart_open(&u->pins, seed);
  u->period = 1000000000000u / u->pins.clock_hz;
  u->period_rest = 1000000000000u % u->pins.clock_hz;
  return &u->wire;
}

void ks_wire_start(struct ks_wire *wire, uint64_t now)
{
  wire->now = now;
}

void ks_wire_close(struct ks_wire *wire)
{
  (void)wire;
  ks_pins_uart_close(&board.pins);
}
