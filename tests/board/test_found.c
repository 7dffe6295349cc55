// SPDX-License-Identifier: Apache-2.0
// What a host finds on a board that another one has had: a core that is still busy, another board's
// bitstream behind the right chip.
#include "board/board_link.h"

#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_insn.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(found, .timeout = 300);

enum { LEVELS = 4, TRIPS = 127, INSTRUCTIONS = 2 * LEVELS + 1 };

static void put64(uint8_t *to, uint64_t w)
{
  for (int i = 0; i < 8; i++) to[i] = (uint8_t)(w >> (8 * i));
}

/* Four loops in each other, 127 times each: 260 million turns, ten seconds and more. */
static size_t long_program(uint8_t *to)
{
  memset(to, 0, 8 * KT_NHDR);
  for (int i = 0; i < INSTRUCTIONS; i++) {
    uint64_t w[KT_IWORDS];
    struct kt_insn in = {.op = i < LEVELS ? KT_OP_LOOP : i == LEVELS ? KT_OP_NOP : KT_OP_ENDLOOP,
                         .nr = i < LEVELS ? TRIPS : 0};
    kt_insn_pack(&in, w);
    for (int k = 0; k < KT_IWORDS; k++) put64(to + 8 * (KT_NHDR + KT_IWORDS * i + k), w[k]);
  }
  return KT_NHDR + KT_IWORDS * INSTRUCTIONS;
}

/* Starts it and goes away. */
static void leave_busy(const char *board)
{
  uint8_t program[8 * (KT_NHDR + KT_IWORDS * INSTRUCTIONS)];
  uint32_t w[KT_DESC_WORDS];
  struct kt_msg msg = {{0}};
  struct kd_board *b = board_link_open(board);
  const size_t words = long_program(program);
  const struct kt_desc desc = {.prog = 0, .prog_words = (uint32_t)words, .c = 4096};
  cr_assert(kd_link_mem_write(&b->link, 0, program, sizeof program, &msg) == KT_OK, "%s", msg.text);
  kt_desc_pack(&desc, w);
  for (uint32_t i = 0; i < KT_DESC_WORDS; i++)
    cr_assert(kd_link_write(&b->link, KT_REG_DESC + 4 * i, w[i], &msg) == KT_OK, "%s", msg.text);
  cr_assert(kd_link_write(&b->link, KT_REG_CONTROL, 1 << KT_CONTROL_START_LSB, &msg) == KT_OK, "%s",
            msg.text);
  kd_board_close(b);
}

/* The next host resets the core, says so, and works. */
Test(found, core_left_busy_is_reset_and_said)
{
  struct kd_board *b = NULL;
  struct kt_msg msg = {{0}};
  leave_busy("virtual-icebreaker");
  cr_assert(kd_board_open("virtual-icebreaker", &b, &msg) == KT_OK, "%s", msg.text);
  cr_expect(strstr(msg.text, "it was reset") != NULL, "\"%s\"", msg.text);
  board_link_around(b, 0, 300);
  kd_board_close(b);

  msg.text[0] = '\0';
  cr_assert(kd_board_open("virtual-icebreaker", &b, &msg) == KT_OK, "%s", msg.text);
  cr_expect(msg.text[0] == '\0', "nothing to tell, but it says \"%s\"", msg.text);
  kd_board_close(b);
}

/* A chip with the icebreaker's IDs and product string, and link-uart's bitstream behind it: the
 * identity register decides, and the error names both. */
Test(found, another_boards_bitstream_is_named)
{
  char dir[] = "/tmp/ktpu-found-XXXXXX", link[128], to[1024];
  const char *boards = getenv("KTPU_BOARD_DIR");
  cr_assert(mkdtemp(dir) != NULL);
  snprintf(link, sizeof link, "%s/icebreaker", dir);
  cr_assert(boards != NULL, "make sets KTPU_BOARD_DIR");
  snprintf(to, sizeof to, "%s/link-uart", boards);
  cr_assert(symlink(to, link) == 0);
  setenv("KTPU_BOARD_DIR", dir, 1);
  setenv("KS_BOARD_OPTIONS", "product=iCEBreaker V1.0e", 1);
  board_link_refused("virtual-icebreaker", KT_EMISMATCH, "part 5 (link-uart)");
  board_link_refused("virtual-icebreaker", KT_EMISMATCH, "part 1 (icebreaker)");
  unlink(link);
  rmdir(dir);
}
