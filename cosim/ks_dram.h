/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated memory behind m_axi: accepts one AR and one AW a cycle, moves one R and one W beat a
 * cycle without gaps between bursts; first R and B come latency + 1 cycles after the handshake
 * (of the last W beat for B). A write becomes visible with its B, not earlier, so that a machine
 * which reads too early gets the old bytes. Optional: bandwidth limit, seeded random stalls on all
 * five channels, injected error responses and silence. Addresses past the size answer DECERR.
 *
 * All its outputs depend on its state alone, never on the machine's outputs of the same cycle.
 */
#ifndef KS_DRAM_H
#define KS_DRAM_H

#include "cosim/ks_pins.h"
#include "cosim/ks_shm.h"

#include <stdbool.h>
#include <stdint.h>

enum { KS_BURSTS = 512, KS_BEATS = 2048, KS_BEAT_MAX = 32 }; /* powers of two; bytes a beat */

enum ks_channel { KS_AR, KS_R, KS_AW, KS_W, KS_B };

struct ks_burst {
  uint64_t ready; /* the cycle in which its first R, or its B, may be driven */
  uint32_t addr;
  uint32_t beats; /* left to move */
};

struct ks_beat {
  uint8_t data[KS_BEAT_MAX];
  uint32_t strobe, last;
};

struct ks_stall {
  uint32_t left, on;     /* cycles left in this state; on: the channel is stopped */
  uint32_t go_mask, stop_mask;
};

struct ks_dram {
  const struct ks_axi *pins;
  uint8_t *image;
  uint64_t size;
  uint32_t bus_bytes;

  struct ks_config config;
  bool faulty; /* some fault window is set */

  struct ks_burst reads[KS_BURSTS];
  uint32_t reads_in, reads_out;
  bool r_driven;

  struct ks_burst writes[KS_BURSTS]; /* accepted AWs; beats counted down as W arrives */
  uint32_t aw_in, w_burst, b_out;    /* accepted, receiving data, answered */
  struct ks_beat beats[KS_BEATS];
  uint32_t beats_in, beats_taken, beats_out;
  bool b_driven;

  struct ks_stall stall[KS_CHANNELS];
  uint64_t rng;
  uint32_t r_credit, w_credit;

  uint64_t read_beats, write_beats, last_b; /* last_b: cycle of the last accepted B */
  uint64_t stall_events[KS_CHANNELS];
};

void ks_dram_init(struct ks_dram *d, const struct ks_pins *pins, uint8_t *image, uint64_t size);
void ks_dram_configure(struct ks_dram *d, const struct ks_config *config);

/* Forgets all that is in flight; the image stays. */
void ks_dram_reset(struct ks_dram *d);

/* Each cycle: drive before the machine settles, sample after. `now` counts cycles. */
void ks_dram_drive(struct ks_dram *d, uint64_t now);
void ks_dram_sample(struct ks_dram *d, uint64_t now);

/* Whether nothing is in flight. */
bool ks_dram_idle(const struct ks_dram *d);

#endif
