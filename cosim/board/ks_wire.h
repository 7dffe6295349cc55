/* SPDX-License-Identifier: Apache-2.0
 *
 * What lies between a chip's channel and the board's logic, and the board's clock: a UART, a 245
 * FIFO bus, or a loop without a board. One of them is linked into a stand-in.
 */
#ifndef KS_WIRE_H
#define KS_WIRE_H

#include "cosim/board/ks_lane.h"

#include <stdbool.h>
#include <stdint.h>

/* What the options of the same names set. */
struct ks_wire_options {
  int32_t baud_ppm;      /* the chip's bit time is this much longer */
  uint32_t glitch_ppm;   /* glitches a million bytes, host to board */
  uint32_t glitch_ns;    /* their length */
  uint32_t rxf_drop_ppm; /* 245: chances a million clocks that RXF# goes high for a while */
  uint32_t txe_drop_ppm;
  uint32_t clkout_stop_ppm;
};

struct ks_wire {
  struct ks_port *port;
  struct ks_lane out, in;
  struct ks_wire_options options;
  uint64_t rng;
  uint64_t now; /* everything before has happened */
  uint64_t cycles, skipped;
  uint64_t glitches, violations, stops;
};

/* Powers the board up. One a process. */
struct ks_wire *ks_wire_open(struct ks_port *port, uint64_t seed);

/* The first run begins at `now`. */
void ks_wire_start(struct ks_wire *wire, uint64_t now);

/* Lets the board run until `until`, picoseconds since power-up. */
void ks_wire_run(struct ks_wire *wire, uint64_t until);

void ks_wire_close(struct ks_wire *wire);

#endif
