// SPDX-License-Identifier: Apache-2.0
// How fast the links are, in simulated time, from call to return.
#include "board/board_link.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

TestSuite(rate, .timeout = 240);

#define UART_BYTES_A_SECOND 300000.0
#define FIFO_BYTES_A_SECOND 32000000.0

static double seconds(const struct kd_board *b, uint64_t begin)
{
  return (double)(b->clock->now_ns() - begin) / 1e9;
}

/* Bytes a second of a write in pieces, and of a read. */
static double write_rate(struct kd_board *b, size_t bytes, size_t piece)
{
  struct kt_msg msg = {{0}};
  uint8_t *data = malloc(bytes);
  board_link_fill(data, bytes, 1);
  uint64_t begin = b->clock->now_ns();
  for (size_t at = 0; at < bytes; at += piece)
    cr_assert(kd_link_mem_write(&b->link, (uint32_t)at, data + at, piece, &msg) == KT_OK, "%s",
              msg.text);
  double s = seconds(b, begin);
  free(data);
  return (double)bytes / s;
}

static double read_rate(struct kd_board *b, size_t bytes, size_t piece)
{
  struct kt_msg msg = {{0}};
  uint8_t *data = malloc(bytes);
  uint64_t begin = b->clock->now_ns();
  for (size_t at = 0; at < bytes; at += piece)
    cr_assert(kd_link_mem_read(&b->link, (uint32_t)at, data + at, piece, &msg) == KT_OK, "%s",
              msg.text);
  double s = seconds(b, begin);
  free(data);
  return (double)bytes / s;
}

static void at_least(double rate, double want, const char *what)
{
  printf("      %-34s %9.1f kB/s\n", what, rate / 1e3);
  cr_expect(rate >= want, "%s: %.1f kB/s, want %.1f", what, rate / 1e3, want / 1e3);
}

Test(rate, uart)
{
  struct kd_board *b = board_link_open("virtual-icebreaker");
  at_least(write_rate(b, 65536, 4096), 0.90 * UART_BYTES_A_SECOND, "UART, 64 KiB written by 4 KiB");
  at_least(read_rate(b, 65536, 4096), 0.90 * UART_BYTES_A_SECOND, "UART, 64 KiB read by 4 KiB");
  b->clock->sleep_ns(5000000);
  at_least(write_rate(b, 4096, 4096), 0.85 * UART_BYTES_A_SECOND,
           "UART, one burst of 4 KiB written");
  b->clock->sleep_ns(5000000);
  at_least(read_rate(b, 4096, 4096), 0.85 * UART_BYTES_A_SECOND, "UART, one burst of 4 KiB read");
  kd_board_close(b);
}

Test(rate, ft245)
{
  struct kd_board *b = board_link_open("virtual-ecp5-ft245");
  at_least(write_rate(b, 262144, 262144), FIFO_BYTES_A_SECOND, "FT245, 256 KiB written");
  at_least(read_rate(b, 262144, 262144), FIFO_BYTES_A_SECOND, "FT245, 256 KiB read");
  cr_expect(board_link_count(b->simulation, "violations") == 0);
  kd_board_close(b);
}

/* A register read takes under a millisecond whatever the latency timer says. */
static void register_read(const char *board)
{
  struct kd_board *b = board_link_open(board);
  struct kt_msg msg = {{0}};
  uint64_t worst = 0;
  for (unsigned ms = 1; ms <= 255; ms++) {
    char text[8];
    uint32_t value = 0;
    snprintf(text, sizeof text, "%u", ms);
    board_link_set(b->simulation, "latency-ms", text);
    b->clock->sleep_ns(1234567); /* somewhere in the timer's period */
    uint64_t begin = b->clock->now_ns();
    cr_assert(kd_link_read(&b->link, KT_LINK_REG_LINK_MAGIC, &value, &msg) == KT_OK, "%s",
              msg.text);
    uint64_t ns = b->clock->now_ns() - begin;
    cr_expect(value == KT_LINK_MAGIC);
    if (ns > worst) worst = ns;
  }
  printf("      %-34s %9.1f us at worst\n", board, (double)worst / 1e3);
  cr_expect(worst < 1000000, "%s: %.1f us", board, (double)worst / 1e3);
  kd_board_close(b);
}

Test(rate, register_read_uart)
{
  register_read("virtual-icebreaker");
}

Test(rate, register_read_ft245)
{
  register_read("virtual-ecp5-ft245");
}
