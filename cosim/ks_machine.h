/* SPDX-License-Identifier: Apache-2.0
 *
 * One machine with its memory and its two host ports, stepped a clock cycle at a time. Every cycle:
 * the harness drives its outputs from its own state, the machine settles, both sides' handshakes
 * are sampled, the clock rises. A transaction starts at a cycle boundary and ends at one, so the
 * number of cycles that a list of transactions takes does not depend on the host's speed.
 */
#ifndef KS_MACHINE_H
#define KS_MACHINE_H

#include "cosim/ks_dram.h"
#include "cosim/ks_pins.h"
#include "cosim/ks_rules.h"

#include <stdbool.h>
#include <stdint.h>

enum { KS_PORT_LIMIT = 1 << 20, KS_RESET_CYCLES = 16 };

/* An AXI4-Lite access in progress. */
struct ks_reg_port {
  bool active, write, addr_done, data_done;
  uint16_t addr;
  uint32_t data;
  uint8_t resp;
};

/* A transfer of bytes through the host's AXI4 port, one burst at a time. */
struct ks_host_port {
  bool active, write, addr_done, data_done;
  uint64_t addr, left;   /* bytes that remain, from the burst in progress on */
  uint8_t *data;         /* next byte to send or to fill */
  uint64_t burst_addr;   /* aligned */
  uint32_t beats, beat;  /* of the burst in progress */
  uint32_t burst_bytes;
  uint8_t resp;          /* worst of all */
};

struct ks_machine {
  struct ks_model model;
  struct ks_dram dram;
  struct ks_rules rules;
  struct ks_reg_port reg;
  struct ks_host_port host;
  uint64_t cycle;             /* clock cycles so far */

  bool started;               /* a start was accepted and busy_o has not fallen since */
  uint64_t start_cycle;       /* in which the later of AW and W of the start was accepted */
  uint64_t busy_cycles;       /* since the start */
  uint64_t pin_cycles;        /* of the last run, once busy_o fell */
  uint64_t last_write;        /* from the start to the last accepted B */
};

void ks_machine_init(struct ks_machine *m, const struct ks_model *model, uint8_t *image,
                     uint64_t size);

/* rst_i for `cycles`, 0 for the default. */
void ks_machine_reset(struct ks_machine *m, uint64_t cycles);

void ks_machine_reg_begin(struct ks_machine *m, bool write, uint32_t addr, uint32_t data);
void ks_machine_host_begin(struct ks_machine *m, bool write, uint64_t addr, uint8_t *data,
                           uint64_t len);

/* Steps until no port transfer is active, at most max cycles; false when some still is. */
bool ks_machine_run_ports(struct ks_machine *m, uint64_t max);

/* Steps while the machine is busy, at most max cycles; false when it still is. */
bool ks_machine_run_busy(struct ks_machine *m, uint64_t max);
void ks_machine_run_idle(struct ks_machine *m, uint64_t cycles);

bool ks_machine_busy(const struct ks_machine *m);

#endif
