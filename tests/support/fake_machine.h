/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine in C behind the pins of ktpu_top, for tests of the harness: it passes the host's port on
 * to its memory port, has a few registers, and is busy for as many cycles as LIST_ADDR says after a
 * start; in the last of them it may write a word.
 */
#ifndef FAKE_MACHINE_H
#define FAKE_MACHINE_H

#include "cosim/ks_pins.h"

#include <stdbool.h>
#include <stdint.h>

enum { FAKE_BUS = 32 };

struct fake_port {
  uint32_t awaddr, araddr;
  uint8_t awlen, awvalid, awready, awsize, awburst, wlast, wvalid, wready, bresp, bvalid, bready;
  uint8_t arlen, arvalid, arready, arsize, arburst, rresp, rlast, rvalid, rready;
  uint8_t wdata[FAKE_BUS], wstrb[4], rdata[FAKE_BUS];
};

struct fake_machine {
  struct fake_port host, mem;
  uint8_t clk, rst, busy, done, was_clk;
  uint16_t awaddr, araddr;
  uint8_t awvalid, awready, wstrb, wvalid, wready, bresp, bvalid, bready;
  uint8_t arvalid, arready, rresp, rvalid, rready;
  uint32_t wdata, rdata;
  uint32_t regs[64];
  uint32_t left;     /* busy cycles that remain */
  bool wrong_count;  /* CYCLES says one more than it was busy for */
  bool unaligned;    /* reads of the host go out at an address that no bus width divides */
  uint64_t edges;
};

/* Binds the pins; bus_bytes is 8, 16 or 32. The model refers to *m. */
void fake_machine_init(struct fake_machine *m, struct ks_model *model, uint32_t bus_bytes);

#endif
