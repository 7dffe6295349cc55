// SPDX-License-Identifier: Apache-2.0
// A 245 synchronous FIFO bus. At every rising edge of CLKOUT the chip first samples what the board
// drives, then the board sees the chip's pins as they were before the edge: a path through the
// board without a register comes one clock too late, as it would on the wires.
#include "cosim/board/ks_pins_ft245.h"
#include "cosim/board/ks_wire.h"

#include <string.h>

#define CLKOUT_HZ 60000000u
#define CLKOUT_START_PS (20u * KS_PS_PER_US) /* from the mode request to the first edge */
#define FRESH_EDGES 4u                       /* by which a board's asynchronous reset is over */
#define QUIET_CYCLES 64u

struct clock {
  uint64_t next, period, period_rest, rest, hz;
};

struct pins_seen {
  uint8_t rd_n, wr_n, oe_n, siwu_n, data, drives;
};

struct bus {
  struct ks_wire wire;
  struct ks_pins_ft245 pins;
  struct clock core, clkout;
  bool running;      /* CLKOUT */
  uint64_t start_at; /* 0: not in the mode */
  bool have, driving;
  uint8_t byte; /* next for the board */
  uint8_t siwu_n;
  uint32_t fresh;                /* edges for which the board's pins mean nothing yet */
  uint32_t rxf_pause, txe_pause; /* clocks */
  uint32_t quiet;
};

static struct bus board;

static void clock_set(struct clock *c, uint64_t hz)
{
  c->hz = hz;
  c->period = 1000000000000u / hz;
  c->period_rest = 1000000000000u % hz;
}

static void clock_step(struct clock *c)
{
  c->next += c->period;
  c->rest += c->period_rest;
  if (c->rest < c->hz) return;
  c->rest -= c->hz;
  c->next++;
}

static void pulse(struct bus *b, uint8_t *clk)
{
  *clk = 1;
  b->pins.eval(b->pins.ctx);
  *clk = 0;
  b->pins.eval(b->pins.ctx);
}

static struct pins_seen sample(const struct ks_pins_ft245 *p)
{
  return (struct pins_seen){*p->rd_n,   *p->wr_n,       *p->oe_n,
                            *p->siwu_n, *p->board_data, *p->board_drives};
}

static bool chance(struct bus *b, uint32_t ppm)
{
  return ppm != 0 && ks_random(&b->wire.rng) % 1000000u < ppm;
}

/* RXF# and TXE# as the options let them drop. */
static void flow(struct bus *b)
{
  const struct ks_wire_options *o = &b->wire.options;
  if (b->rxf_pause > 0)
    b->rxf_pause--;
  else if (chance(b, o->rxf_drop_ppm))
    b->rxf_pause = 1 + (uint32_t)(ks_random(&b->wire.rng) % 40u);
  if (b->txe_pause > 0)
    b->txe_pause--;
  else if (chance(b, o->txe_drop_ppm))
    b->txe_pause = 1 + (uint32_t)(ks_random(&b->wire.rng) % 40u);
}

/* The chip's pins from what it holds now. */
static void present(struct bus *b)
{
  struct ks_wire *w = &b->wire;
  if (!b->have) b->have = ks_lane_out(&w->out, w->port, w->now, &b->byte, NULL);
  flow(b);
  *b->pins.rxf_n = !b->have || b->rxf_pause > 0;
  *b->pins.txe_n = ks_ring_free(&w->port->in) == 0 || b->txe_pause > 0;
  *b->pins.chip_drives = b->driving;
  *b->pins.chip_data = b->have ? b->byte : (uint8_t)ks_random(&w->rng);
}

/* What the chip does at an edge at which it saw `seen` and showed its pins. */
static void chip_edge(struct bus *b, struct pins_seen seen)
{
  struct ks_wire *w = &b->wire;
  bool read = seen.rd_n == 0, write = seen.wr_n == 0;
  if (b->fresh > 0) {
    b->fresh--;
    return;
  }
  if (read && !b->driving) w->violations++;                  /* OE# a clock before RD# */
  if (b->driving && (write || seen.drives)) w->violations++; /* both drive the bus */
  if (read && *b->pins.rxf_n == 0) {
    b->have = false;
    b->quiet = 0;
  }
  if (write && *b->pins.txe_n == 0) {
    ks_lane_in(&w->in, w->port, w->now, seen.data, 0);
    b->quiet = 0;
  }
  if (seen.siwu_n == 0 && b->siwu_n != 0) ks_port_send_immediate(w->port);
  b->siwu_n = seen.siwu_n;
  b->driving = seen.oe_n == 0;
}

static void stop_by_chance(struct bus *b)
{
  if (!chance(b, b->wire.options.clkout_stop_ppm)) return;
  b->wire.stops++;
  b->clkout.next += (1 + ks_random(&b->wire.rng) % 50u) * KS_PS_PER_US;
}

static void clkout_edge(struct bus *b)
{
  struct pins_seen seen = sample(&b->pins);
  present(b);
  pulse(b, b->pins.clkout);
  chip_edge(b, seen);
  clock_step(&b->clkout);
  stop_by_chance(b);
}

/* Starts and stops CLKOUT with the chip's mode. */
static void look(struct bus *b)
{
  const struct ks_port *p = b->wire.port;
  bool wanted = p->fifo && p->bitmode == KS_BITMODE_SYNCFF;
  if (!wanted) {
    b->running = false;
    b->start_at = 0;
    b->have = false;
    b->driving = false;
    *b->pins.rxf_n = 1;
    *b->pins.txe_n = 1;
    *b->pins.chip_drives = 0;
    return;
  }
  if (b->start_at == 0) {
    b->start_at = b->wire.now + CLKOUT_START_PS;
    b->clkout.next = b->start_at;
    b->running = true;
    b->fresh = FRESH_EDGES;
    b->quiet = 0;
  }
}

/* How far nothing can happen: `until`, or the end of a delay; now: something can. */
static uint64_t resting_until(const struct bus *b, uint64_t until)
{
  const struct ks_lane *out = &b->wire.out;
  const uint64_t now = b->wire.now;
  bool waiting = ks_ring_count(&b->wire.port->out) != 0 || ks_ring_count(&out->held) != 0;
  if (b->quiet < QUIET_CYCLES || b->have) return now;
  if (!b->running) return until;
  if (b->clkout.next > now + b->clkout.period) return now; /* stopped: it starts again */
  if (!waiting) return until;
  return out->hold_until < until ? out->hold_until : until;
}

static void skip(struct bus *b, uint64_t to)
{
  b->wire.skipped += (to - b->wire.now) / b->core.period;
  b->core.next = to;
  if (b->running) b->clkout.next = to;
}

/* Before the first edges of CLKOUT the board's pins may be at any level: they ask for nothing. */
static bool pins_rest(const struct bus *b)
{
  const struct ks_pins_ft245 *p = &b->pins;
  return !b->running || (*p->rd_n != 0 && *p->wr_n != 0 && *p->siwu_n != 0);
}

static void core_edge(struct bus *b)
{
  pulse(b, b->pins.clk);
  clock_step(&b->core);
  b->wire.cycles++;
  b->quiet = pins_rest(b) && b->pins.idle(b->pins.ctx) ? b->quiet + 1 : 0;
}

void ks_wire_run(struct ks_wire *wire, uint64_t until)
{
  struct bus *b = &board;
  (void)wire;
  ks_lane_release(&b->wire.in, b->wire.port, b->wire.now);
  look(b);
  for (;;) {
    bool io = b->running && b->clkout.next <= b->core.next;
    uint64_t next = io ? b->clkout.next : b->core.next;
    if (next >= until) break;
    b->wire.now = next;
    uint64_t rest = io ? next : resting_until(b, until);
    if (rest > next) {
      skip(b, rest);
      continue;
    }
    if (io)
      clkout_edge(b);
    else
      core_edge(b);
  }
  b->wire.now = until;
}

struct ks_wire *ks_wire_open(struct ks_port *port, uint64_t seed)
{
  struct bus *b = &board;
  memset(b, 0, sizeof *b);
  b->wire.port = port;
  b->wire.rng = seed;
  b->siwu_n = 1;
  ks_lane_init(&b->wire.out, seed * 2 + 1);
  ks_lane_init(&b->wire.in, seed * 2 + 2);
  ks_pins_ft245_open(&b->pins, seed);
  clock_set(&b->core, b->pins.clock_hz);
  clock_set(&b->clkout, CLKOUT_HZ);
  look(b);
  return &b->wire;
}

void ks_wire_start(struct ks_wire *wire, uint64_t now)
{
  wire->now = now;
  board.core.next = now;
}

void ks_wire_close(struct ks_wire *wire)
{
  (void)wire;
  ks_pins_ft245_close(&board.pins);
}
