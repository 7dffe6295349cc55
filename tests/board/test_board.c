// SPDX-License-Identifier: Apache-2.0
// Whole boards: memory of every size, echo, GEMMs, and a wire that is now and then bad.
#include "board/board_link.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(board, .timeout = 300);

static int command(const char *format, const char *what, const char *device)
{
  char line[512];
  snprintf(line, sizeof line, format, what, device);
  return system(line);
}

#define GEMM "build/bin/ktpu-run gemm --shape %s --device ftdi:virtual-%s --compare > /dev/null"

Test(board, gemm_on_the_icebreaker)
{
  static const char *const shapes[] = {"16x16x16", "1x1x1", "5x7x11", "20x17x33"};
  for (unsigned i = 0; i < 4; i++)
    cr_expect(command(GEMM, shapes[i], "icebreaker") == 0, "%s", shapes[i]);
}

Test(board, gemm_on_the_ecp5)
{
  cr_expect(command(GEMM, "16x16x16", "ecp5-ft245") == 0);
  cr_expect(command(GEMM, "70x65x66", "ecp5-ft245") == 0);
}

/* More images than memory holds at once: every logit as the reference model has it. */
Test(board, digits_in_two_uploads)
{
  cr_expect(system("build/bin/ktpu-digits --device ftdi:virtual-icebreaker --images 500 | "
                   "grep -q '2 uploads'") == 0);
  cr_expect(system("build/bin/ktpu-digits --device ftdi:virtual-icebreaker --images 40 "
                   "> /dev/null") == 0);
}

/* One byte in 5,000 is hit, in each direction, by every kind of fault: nothing is seen of it. */
Test(board, gemm_over_a_bad_wire)
{
  setenv("KS_BOARD_OPTIONS",
         "out-drop-ppm=50,out-dup-ppm=50,out-flip-ppm=50,out-delay-ppm=50,"
         "in-drop-ppm=50,in-dup-ppm=50,in-flip-ppm=50,in-delay-ppm=50",
         1);
  cr_expect(command(GEMM, "16x16x16", "icebreaker") == 0);
  cr_expect(command(GEMM, "40x40x40", "ecp5-ft245") == 0);
}

/* The chip's clock 2 % off, and glitches on the line. */
Test(board, gemm_at_the_edge_of_the_rate)
{
  setenv("KS_BOARD_OPTIONS", "baud-ppm=20000,glitch-ppm=5000,glitch-ns=40", 1);
  cr_expect(command(GEMM, "16x16x16", "icebreaker") == 0);
  setenv("KS_BOARD_OPTIONS", "baud-ppm=-20000,glitch-ppm=5000,glitch-ns=40", 1);
  cr_expect(command(GEMM, "16x16x16", "icebreaker") == 0);
}

/* The same calls give the same bytes and cycles, faults included. */
Test(board, same_seed_same_cycles)
{
  setenv("KS_BOARD_OPTIONS", "seed=7,out-flip-ppm=500,in-drop-ppm=500", 1);
  cr_expect(
      system("for i in 1 2; do build/bin/ktpu-run gemm --shape 16x16x16 "
             "--device ftdi:virtual-icebreaker --json - | grep -c '\"simulated_cycles\":.[1-9]' "
             "> /dev/null || exit 1; done") == 0);
  cr_expect(
      system("r() { build/bin/ktpu-run gemm --shape 16x16x16 --device ftdi:virtual-icebreaker "
             "--json - | grep simulated_cycles; }; test \"$(r)\" = \"$(r)\"") == 0);
}

/* The last two take seconds each: make test-full only. */
Test(board, memory_comes_back_over_the_uart)
{
  static const size_t sizes[] = {1,   62,  63,  64,   65,    510,   511,
                                 512, 513, 4096, 65537, 65535, 65536};
  const unsigned n = sizeof sizes / sizeof sizes[0] - (getenv("KTPU_FULL") != NULL ? 0 : 2);
  struct kd_board *b = board_link_open("virtual-icebreaker");
  for (unsigned i = 0; i < n; i++)
    board_link_around(b, 13 * i, sizes[i]);
  cr_expect(b->link.counts.resent == 0);
  kd_board_close(b);
}

Test(board, memory_comes_back_over_the_ft245)
{
  static const size_t sizes[] = {1,   62,  63,   64,    65,    510,   511,
                                 512, 513, 4096, 65535, 65536, 65537, 262100};
  struct kd_board *b = board_link_open("virtual-ecp5-ft245");
  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    board_link_around(b, 3 * (i % 10), sizes[i]);
  cr_expect(b->link.counts.resent == 0);
  cr_expect(board_link_count(b->simulation, "violations") == 0);
  kd_board_close(b);
}

static void echo(struct kd_board *b, size_t bytes)
{
  struct kt_msg msg = {{0}};
  uint8_t *data = malloc(bytes), *back = calloc(1, bytes);
  board_link_fill(data, bytes, 9);
  cr_assert(kd_link_echo(&b->link, data, back, bytes, &msg) == KT_OK, "%s", msg.text);
  cr_expect(memcmp(data, back, bytes) == 0);
  free(data);
  free(back);
}

Test(board, echo_over_the_uart)
{
  struct kd_board *b = board_link_open("virtual-icebreaker");
  echo(b, 32768);
  kd_board_close(b);
}

/* 1 MiB, RXF# and TXE# dropping at random clocks and CLKOUT stopping now and then. */
Test(board, echo_over_the_ft245)
{
  struct kd_board *b = board_link_open("virtual-link-ft245");
  board_link_set(b->simulation, "rxf-drop-ppm", "20000");
  board_link_set(b->simulation, "txe-drop-ppm", "20000");
  echo(b, 1 << 20);
  cr_expect(b->link.counts.resent == 0, "flow control loses nothing");
  cr_expect(board_link_count(b->simulation, "violations") == 0);
  board_link_set(b->simulation, "clkout-stop-ppm", "20");
  echo(b, 1 << 17);
  cr_expect(board_link_count(b->simulation, "clkout-stops") > 0);
  kd_board_close(b);
}
