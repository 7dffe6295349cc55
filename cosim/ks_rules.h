/* SPDX-License-Identifier: Apache-2.0
 *
 * Watches m_axi for breaches of the AXI rules by the machine: a valid that drops or a payload that
 * changes before it is accepted, a burst past a 4 KiB boundary, an unaligned address, a size or
 * burst type other than full width and INCR, a misplaced wlast, data without an address at the end.
 */
#ifndef KS_RULES_H
#define KS_RULES_H

#include "cosim/ks_pins.h"
#include "cosim/ks_shm.h"

#include <stdbool.h>
#include <stdint.h>

enum { KS_RULE_BURSTS = 1024 }; /* a power of two */

/* A channel whose valid was high and not accepted: this must be repeated. */
struct ks_held_addr {
  bool held;
  uint32_t addr;
  uint8_t len;
};

struct ks_rules {
  const struct ks_axi *pins;
  uint32_t bus_bytes;
  struct ks_held_addr ar, aw;
  bool w_held;
  uint8_t w_last;
  uint8_t w_data[32], w_strobe[4];
  uint8_t lens[KS_RULE_BURSTS];   /* awlen of accepted addresses */
  uint32_t beats[KS_RULE_BURSTS]; /* up to and with wlast, of complete bursts */
  uint32_t aw_in, last_in, aw_out; /* addresses, complete bursts, pairs compared */
  uint32_t beat;                   /* of the burst that receives data now */
  uint64_t violations;
  char first[KS_TEXT];
};

void ks_rules_init(struct ks_rules *r, const struct ks_pins *pins);
void ks_rules_reset(struct ks_rules *r);

/* After the machine has settled, before the clock edge. */
void ks_rules_sample(struct ks_rules *r, uint64_t now);

/* When the machine says that it is idle: every address must have had its data. */
void ks_rules_idle(struct ks_rules *r, uint64_t now);

#endif
