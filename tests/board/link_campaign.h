/* SPDX-License-Identifier: Apache-2.0
 *
 * Single faults on the wire between host and board, one a request, and what must hold after each:
 * the caller sees success and the right data. After all of them device memory is what was written,
 * and the device has counted the starts that were asked for.
 */
#ifndef LINK_CAMPAIGN_H
#define LINK_CAMPAIGN_H

#include "cosim/board/ks_board.h"
#include "host/kd_link.h"

#include <stdio.h>

enum campaign_kind { CAMPAIGN_DROP, CAMPAIGN_DUP, CAMPAIGN_FLIP, CAMPAIGN_DELAY, CAMPAIGN_KINDS };
enum { CAMPAIGN_TYPES = 8, CAMPAIGN_LANES = 2 };

struct campaign {
  struct kd_link *link;
  const struct ks_board_api *board;
  uint64_t random;
  uint32_t memory_bytes;
  uint8_t *image;      /* what the device's memory must hold */
  uint32_t scratch[4]; /* what the scratch registers must hold */
  uint64_t starts;     /* asked for; modulo 65536 in the device */
  uint32_t base;       /* the device's count before */

  uint64_t applied[CAMPAIGN_KINDS], effective[CAMPAIGN_KINDS]; /* faults; with something repaired */
  uint64_t of_type[CAMPAIGN_TYPES][CAMPAIGN_LANES];
  uint64_t missed; /* the place was past the end of the frame */
  uint64_t worst_ns;
  char why[512]; /* the first failure, empty: none */
};

/* `link` has a session; the board's memory is written once, so that its contents are known. */
enum kt_status campaign_begin(struct campaign *c, struct kd_link *link,
                              const struct ks_board_api *board, uint64_t seed);

/* One fault and its request. False: c->why says what went wrong. */
bool campaign_fault(struct campaign *c, uint64_t number);

/* All of device memory, scratch registers and starts. False: c->why. */
bool campaign_check(struct campaign *c);

/* Every kind had an effect, every type was hit in each direction. False: c->why. */
bool campaign_covered(struct campaign *c);

void campaign_print(const struct campaign *c, FILE *to);
void campaign_end(struct campaign *c);

#endif
