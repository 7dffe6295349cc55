/* SPDX-License-Identifier: Apache-2.0
 *
 * One direction of the wire between chip and board, and what goes wrong on it: bytes dropped,
 * doubled, changed or held up, at chosen places or at random from a seed.
 */
#ifndef KS_LANE_H
#define KS_LANE_H

#include "cosim/board/ks_port.h"

enum ks_fault_kind { KS_FAULT_DROP, KS_FAULT_DUP, KS_FAULT_FLIP, KS_FAULT_DELAY, KS_FAULT_KINDS };

#define KS_LANE_PLANNED 64u

struct ks_fault {
  uint64_t position; /* byte of the lane, from power-up */
  enum ks_fault_kind kind;
  uint8_t mask;      /* KS_FAULT_FLIP: bits to change */
  uint64_t delay_ps; /* KS_FAULT_DELAY */
};

struct ks_lane {
  uint64_t position; /* bytes that have entered */
  struct ks_fault planned[KS_LANE_PLANNED];
  unsigned n_planned;
  uint32_t ppm[KS_FAULT_KINDS]; /* random faults a million bytes */
  uint64_t rng;
  uint64_t delay_ps; /* of random delays */

  uint64_t hold_until; /* a delay is running until then */
  struct ks_ring held; /* bytes behind it; of the out lane at most the one */
  uint64_t done[KS_FAULT_KINDS];
};

void ks_lane_init(struct ks_lane *lane, uint64_t seed);
void ks_lane_seed(struct ks_lane *lane, uint64_t seed);

/* A fault at the `offset`th byte from now. False: too many. */
bool ks_lane_plan(struct ks_lane *lane, const struct ks_fault *fault, uint64_t offset);

/* Takes the next byte for the board out of the chip. False: none now; *wake, where it is not NULL,
 * says when to ask again at the latest (UINT64_MAX: when the chip has got more). */
bool ks_lane_out(struct ks_lane *lane, struct ks_port *p, uint64_t now, uint8_t *byte,
                 uint64_t *wake);

/* A byte from the board for the chip. Errors are bits of enum ks_line_status. */
void ks_lane_in(struct ks_lane *lane, struct ks_port *p, uint64_t now, uint8_t byte,
                uint8_t errors);

/* Lets go what was held up; false while something is still held. */
bool ks_lane_release(struct ks_lane *lane, struct ks_port *p, uint64_t now);

/* A number that the seed decides. */
uint64_t ks_random(uint64_t *state);

#endif
