// SPDX-License-Identifier: Apache-2.0
// The UART's Verilog behind the virtual chip: a board that sends back what it receives.
#include "board/board_bench.h"

#include <criterion/criterion.h>
#include <string.h>

#define FT2232H 0x6010

static struct board_bench bench;
static struct ftdi_context *ftdi;

static void open_board(void)
{
  board_bench_load(&bench, "echo");
  ftdi = board_bench_open(&bench, FT2232H, INTERFACE_B);
}

static void close_board(void)
{
  board_bench_close(&bench, ftdi);
}

TestSuite(uart, .init = open_board, .fini = close_board, .timeout = 60);

/* Bytes of 4000 that did not come back as they went. */
static unsigned around(void)
{
  static uint8_t sent[4000], got[4000];
  for (unsigned i = 0; i < sizeof sent; i++) sent[i] = (uint8_t)(i * 31 + (i >> 8));
  cr_assert(bench.ftdi_tcioflush(ftdi) == 0);
  cr_assert(bench.ftdi_write_data(ftdi, sent, sizeof sent) == sizeof sent);
  int n = board_bench_read(&bench, ftdi, got, sizeof got, 100);
  cr_assert(n >= 0);
  unsigned wrong = (unsigned)(4000 - n);
  for (int i = 0; i < n; i++) wrong += got[i] != sent[i];
  return wrong;
}

Test(uart, rate_may_be_two_percent_off)
{
  static const char *const off[] = {"0", "20000", "-20000", "10000", "-10000"};
  for (unsigned i = 0; i < 5; i++) {
    board_bench_set(&bench, "baud-ppm", off[i]);
    unsigned wrong = around();
    cr_expect(wrong == 0, "%s ppm: %u wrong", off[i], wrong);
  }
  cr_expect(board_bench_count(&bench, "framing") == 0);
}

Test(uart, wrong_rate_is_seen)
{
  cr_assert(bench.ftdi_set_baudrate(ftdi, 2000000) == 0);
  cr_expect(around() > 1000);
  cr_expect(board_bench_count(&bench, "framing") > 0);
  cr_assert(bench.ftdi_set_baudrate(ftdi, 3000000) == 0);
  bench.api->sleep_ns(20000000);
  cr_expect(around() == 0, "and all is well again at the right one");
}

/* A glitch shorter than a clock is never taken for a bit. */
Test(uart, glitches_do_no_harm)
{
  board_bench_set(&bench, "glitch-ppm", "200000");
  board_bench_set(&bench, "glitch-ns", "40");
  unsigned wrong = around();
  cr_expect(board_bench_count(&bench, "glitches") > 500);
  cr_expect(wrong == 0, "%u wrong", wrong);
  board_bench_set(&bench, "glitch-ns", "160");
  cr_expect(around() > 0, "half a bit is not a glitch any more");
}

Test(uart, same_seed_same_cycles)
{
  static uint64_t cycles[2];
  for (unsigned i = 0; i < 2; i++) {
    board_bench_set(&bench, "plug", "0");
    board_bench_set(&bench, "plug", "1");
    bench.ftdi_free(ftdi);
    ftdi = board_bench_open(&bench, FT2232H, INTERFACE_B);
    uint64_t begin = bench.api->now_ns();
    cr_assert(around() == 0);
    cycles[i] = bench.api->cycles();
    cr_expect(bench.api->now_ns() - begin < 40000000);
  }
  cr_expect(cycles[0] == cycles[1] && cycles[0] > 4000 * 80, "%llu, %llu",
            (unsigned long long)cycles[0], (unsigned long long)cycles[1]);
}
