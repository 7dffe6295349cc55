/* SPDX-License-Identifier: Apache-2.0
 *
 * A board in C behind a pipe: the device's side of the link as docs/link.md has it, over a wire that
 * drops, doubles and flips bytes, in a time of its own. For tests of the host's side.
 */
#ifndef FAKE_LINK_H
#define FAKE_LINK_H

#include "host/kd_clock.h"
#include "host/kd_frame.h"
#include "host/kd_pipe.h"

enum { FAKE_MEMORY = 1 << 17, FAKE_REGS = 0x1100 / 4, FAKE_QUEUE = 1 << 16 };

enum fake_fault { FAKE_DROP, FAKE_DOUBLE, FAKE_FLIP };

/* One direction of the wire. */
struct fake_lane {
  uint64_t position;          /* bytes that have entered */
  uint64_t at;                /* one fault there; UINT64_MAX: none */
  enum fake_fault kind;
  uint8_t mask;
  uint32_t ppm;               /* random faults of every kind */
  uint64_t rng;
  uint64_t cut_after;         /* nothing passes from here on; UINT64_MAX: never */
  uint64_t done;              /* faults that happened */
};

struct fake_link {
  struct fake_lane to_device, to_host;
  struct kd_receiver receiver;
  uint16_t session; /* 0: none */
  uint8_t expected;
  uint32_t window, payload;
  uint8_t stored[256]; /* status by number */
  uint8_t memory[FAKE_MEMORY];
  uint32_t regs[FAKE_REGS];
  unsigned busy_polls;      /* state requests until the core stops; UINT32_MAX: never */
  bool wedged;              /* a reset does not stop it either */
  uint8_t refuse;           /* status of every memory request, when not 0 */
  bool ignores_duplicates;  /* a broken device: executes them again */
  uint64_t writes;          /* bursts and registers written */
  uint64_t starts;          /* CONTROL bit 0 written */
  uint64_t resets, foreign; /* sessions begun; frames of others */
  bool breaks_seen;
  unsigned most_under_way;  /* requests in one call of the pipe */
  uint8_t queue[FAKE_QUEUE]; /* for the host */
  size_t head, tail;
};

/* Time of all fake boards; read and sleep advance it. */
extern const struct kd_clock fake_clock;

void fake_link_init(struct fake_link *f, uint32_t window, uint32_t payload);
struct kd_pipe fake_link_pipe(struct fake_link *f);

/* Bytes that the host finds before any others still to come. */
void fake_link_inject(struct fake_link *f, const uint8_t *bytes, size_t n);

#endif
