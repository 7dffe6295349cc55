// SPDX-License-Identifier: Apache-2.0
// A short campaign of single wire faults (the long one: make link-faults), and a wire that stays
// bad.
#include "board/board_link.h"
#include "board/link_campaign.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { FAULTS = 504 }; /* all types, directions and kinds nine times */

TestSuite(faults, .timeout = 240);

static void repaired(const char *board)
{
  struct campaign c;
  const char *seed = getenv("SEED");
  struct kd_board *b = board_link_open(board);
  enum kt_status st =
      campaign_begin(&c, &b->link, b->simulation, seed != NULL ? strtoull(seed, NULL, 10) : 1);
  cr_assert(st == KT_OK, "%s", c.why);
  for (uint64_t i = 0; i < FAULTS; i++) cr_assert(campaign_fault(&c, i), "%s", c.why);
  cr_expect(campaign_check(&c), "%s", c.why);
  cr_expect(campaign_covered(&c), "%s", c.why);
  campaign_end(&c);
  kd_board_close(b);
}

Test(faults, every_single_one_is_repaired_uart)
{
  repaired("virtual-link-uart");
}

Test(faults, every_single_one_is_repaired_ft245)
{
  repaired("virtual-link-ft245");
}

/* A wire that is good again within the bound is survived, one that is not is given up in time. */
static void bad_for(const char *board, bool back)
{
  struct kt_msg msg = {{0}};
  uint32_t value = 0;
  struct kd_board *b = board_link_open(board);
  cr_assert(kd_link_write(&b->link, KT_LINK_REG_SCRATCH, 0x1234567, &msg) == KT_OK);
  /* one delay holds up everything behind it */
  board_link_set(b->simulation, "fault", back ? "in:delay@0/60000" : "in:delay@0/60000000");
  uint64_t begin = b->clock->now_ns();
  enum kt_status st = kd_link_read(&b->link, KT_LINK_REG_SCRATCH, &value, &msg);
  uint64_t ns = b->clock->now_ns() - begin;
  cr_expect(ns <= kd_link_bound_ns(&b->link), "%llu ns", (unsigned long long)ns);
  cr_expect(st == (back ? KT_OK : KT_EPEER), "%s: %s", kt_status_text(st), msg.text);
  if (back) cr_expect(value == 0x1234567);
  kd_board_close(b);
}

Test(faults, link_dead_only_when_the_wire_stays_bad)
{
  bad_for("virtual-link-uart", true);
  bad_for("virtual-link-uart", false);
}
