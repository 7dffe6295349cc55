// SPDX-License-Identifier: Apache-2.0
// The campaign of single wire faults on a link-only board: link_faults [BOARD [N [SEED]]].
// Exit code 0: all were repaired; 1: one was not; 2: it could not begin.
#include "board/link_campaign.h"
#include "host/kd_board.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum { CHECK_EVERY = 500 }; /* faults between two looks at all of memory */

static double wall_s(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run(struct campaign *c, uint64_t n)
{
  for (uint64_t i = 0; i < n; i++) {
    if (!campaign_fault(c, i)) return false;
    if ((i + 1) % CHECK_EVERY == 0 && !campaign_check(c)) return false;
  }
  return campaign_check(c) && campaign_covered(c);
}

int main(int argc, char **argv)
{
  const char *board = argc > 1 ? argv[1] : "virtual-link-uart";
  const uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000;
  const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
  struct kd_board *b = NULL;
  struct campaign c;
  struct kt_msg msg = {{0}};
  const double begin = wall_s();

  if (kd_board_open(board, &b, &msg) != KT_OK) {
    fprintf(stderr, "%s: %s\n", board, msg.text);
    return 2;
  }
  if (campaign_begin(&c, &b->link, b->simulation, seed) != KT_OK) {
    fprintf(stderr, "%s: %s\n", board, c.why);
    return 2;
  }
  const bool good = run(&c, n);
  printf("%s: %" PRIu64 " faults asked for, seed %" PRIu64 ", %.1f s, %.2f s of board time\n",
         board, n, seed, wall_s() - begin, (double)b->clock->now_ns() / 1e9);
  campaign_print(&c, stdout);
  printf(good ? "  all repaired; memory and %" PRIu64 " starts are as they should be\n"
              : "  FAILED after %" PRIu64 " starts: ",
         c.starts);
  if (!good) printf("%s\n", c.why);
  campaign_end(&c);
  kd_board_close(b);
  return good ? 0 : 1;
}
