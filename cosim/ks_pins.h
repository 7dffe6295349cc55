/* SPDX-License-Identifier: Apache-2.0
 *
 * The pins of ktpu_top as the harness sees them: pointers into the Verilated model, so that a cycle
 * copies nothing but data beats. Data and strobes are little-endian bytes.
 */
#ifndef KS_PINS_H
#define KS_PINS_H

#include <stdint.h>

/* An AXI4 port without IDs. `size` and `burst` exist on the machine's master port only. */
struct ks_axi {
  uint32_t *awaddr;
  uint8_t *awlen, *awvalid, *awready;
  uint8_t *awsize, *awburst;
  void *wdata, *wstrb;
  uint8_t *wlast, *wvalid, *wready;
  uint8_t *bresp, *bvalid, *bready;
  uint32_t *araddr;
  uint8_t *arlen, *arvalid, *arready;
  uint8_t *arsize, *arburst;
  void *rdata;
  uint8_t *rresp, *rlast, *rvalid, *rready;
};

struct ks_axil {
  uint16_t *awaddr;
  uint8_t *awvalid, *awready;
  uint32_t *wdata;
  uint8_t *wstrb, *wvalid, *wready;
  uint8_t *bresp, *bvalid, *bready;
  uint16_t *araddr;
  uint8_t *arvalid, *arready;
  uint32_t *rdata;
  uint8_t *rresp, *rvalid, *rready;
};

struct ks_pins {
  uint8_t *clk, *rst, *busy, *done;
  struct ks_axil ctl;  /* s_axil_* */
  struct ks_axi host;  /* s_axi_* */
  struct ks_axi mem;   /* m_axi_* */
  uint32_t bus_bytes;
};

/* A machine behind the pins. `eval` settles all logic after the harness changed inputs or clock;
 * `dump` writes one time step of the waveform and may be NULL. */
struct ks_model {
  struct ks_pins pins;
  void (*eval)(void *ctx);
  void (*dump)(void *ctx, uint64_t time);
  void *ctx;
};

#endif
