// SPDX-License-Identifier: Apache-2.0
// What goes wrong between a program and its board, on demand: each has its own status and a
// sentence that tells it apart.
#include "board/board_link.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UART "virtual-icebreaker"
#define FIFO "virtual-ecp5-ft245"

TestSuite(trouble, .timeout = 120);

static const struct ks_board_api *uart(void)
{
  return board_link_api("icebreaker");
}

Test(trouble, no_device)
{
  board_link_set(uart(), "plug", "0");
  board_link_set(uart(), "extra", "ftdi");
  board_link_refused(UART, KT_ENODEV, "no icebreaker found");
}

Test(trouble, no_permission)
{
  board_link_set(uart(), "permission", "0");
  board_link_refused(UART, KT_EACCES, "70-ktpu.rules");
}

Test(trouble, in_use)
{
  board_link_set(uart(), "in-use", "1");
  board_link_refused(UART, KT_EBUSY, "in use");
}

Test(trouble, two_that_match)
{
  board_link_set(uart(), "extra", "twin");
  board_link_refused(UART, KT_EINVAL, "KTTWIN1");
  struct kd_board *b = board_link_open(UART ",serial=ibKT0001");
  board_link_around(b, 0, 100);
  kd_board_close(b);
}

Test(trouble, chip_does_not_answer)
{
  board_link_set(uart(), "deaf", "1");
  uint64_t begin = uart()->now_ns();
  board_link_refused(UART, KT_EIO, "");
  cr_expect(uart()->now_ns() - begin < UINT64_C(60000000000));
}

Test(trouble, wrong_baud)
{
  board_link_set(uart(), "baud-ppm", "200000");
  uint64_t begin = uart()->now_ns();
  board_link_refused(UART, KT_EPEER, "link is dead");
  cr_expect(uart()->now_ns() - begin < UINT64_C(5000000000), "in bounded time");
  board_link_set(uart(), "baud-ppm", "0");
  struct kd_board *b = board_link_open(UART);
  board_link_around(b, 0, 100);
  kd_board_close(b);
}

Test(trouble, other_channel_is_left_alone)
{
  struct kd_board *b = board_link_open(UART);
  board_link_around(b, 0, 100);
  kd_board_close(b);
  cr_expect(board_link_count(uart(), "other-requests") == 0, "channel A is flash and reset");
  cr_expect(board_link_count(uart(), "latency-ms") == 16, "as it was found");
  cr_expect(board_link_count(uart(), "kernel-driver") == 1, "given back");
  cr_expect(board_link_count(uart(), "queued") == 0);
}

/* Unplugged in the middle of a transfer, in each direction; then plugged in again. */
static void unplugged(const char *when)
{
  struct kt_msg msg = {{0}};
  static uint8_t data[2000];
  struct kd_board *b = board_link_open(UART);
  board_link_set(b->simulation, when, "700");
  enum kt_status st = kd_link_mem_write(&b->link, 0, data, sizeof data, &msg);
  if (st == KT_OK) st = kd_link_mem_read(&b->link, 0, data, sizeof data, &msg);
  cr_expect(st == KT_EPEER, "%s: %s", kt_status_text(st), msg.text);
  cr_expect(strstr(msg.text, "unplugged") != NULL, "%s", msg.text);
  kd_board_close(b);
  board_link_refused(UART, KT_ENODEV, "no icebreaker found");
  board_link_set(uart(), "plug", "1");
  b = board_link_open(UART);
  board_link_around(b, 0, 100);
  kd_board_close(b);
}

Test(trouble, unplugged_while_writing)
{
  unplugged("unplug-after-out");
}

Test(trouble, unplugged_while_reading)
{
  unplugged("unplug-after-in");
}

Test(trouble, dead_wire)
{
  struct kt_msg msg = {{0}};
  uint32_t value;
  struct kd_board *b = board_link_open(UART);
  board_link_set(b->simulation, "in-drop-ppm", "1000000");
  uint64_t begin = b->clock->now_ns();
  enum kt_status st = kd_link_read(&b->link, KT_LINK_REG_SCRATCH, &value, &msg);
  cr_expect(st == KT_EPEER, "%s: %s", kt_status_text(st), msg.text);
  uint64_t ns = b->clock->now_ns() - begin;
  cr_expect(ns <= kd_link_bound_ns(&b->link), "%llu ns", (unsigned long long)ns);
  cr_expect(strstr(msg.text, "link is dead") != NULL, "%s", msg.text);
  kd_board_close(b);
}

/* What ktpu-info --list reads without claiming anything. */
static void port_is(int want)
{
  struct kt_msg msg = {{0}};
  const struct kd_usb *usb;
  struct kd_ftdi_device *list;
  size_t n;
  cr_assert(kd_usb_load("ecp5-ft245", &usb, &msg) == KT_OK, "%s", msg.text);
  cr_assert(kd_ftdi_scan(usb, &list, &n, &msg) == KT_OK, "%s", msg.text);
  cr_assert(n == 1);
  cr_expect(list[0].ports.type[0] == want, "%d", list[0].ports.type[0]);
  cr_expect(list[0].ports.type[1] == -1, "an FT232H has one port");
  free(list);
}

Test(trouble, eeprom_in_the_wrong_mode)
{
  const struct ks_board_api *api = board_link_api("ecp5-ft245");
  board_link_set(api, "eeprom", "uart");
  port_is(CHANNEL_IS_UART);
  board_link_refused(FIFO, KT_EUNSUPPORTED, "EEPROM");
  board_link_set(api, "eeprom", "fifo");
  port_is(CHANNEL_IS_FIFO);
  board_link_set(api, "eeprom", "blank");
  port_is(CHANNEL_IS_UART);
  board_link_refused(FIFO, KT_EUNSUPPORTED, "EEPROM");
  board_link_set(api, "eeprom", "fifo");
  struct kd_board *b = board_link_open(FIFO);
  board_link_around(b, 0, 5000);
  kd_board_close(b);
  cr_expect(board_link_count(api, "bitmode") == 0, "reset on close");
}

Test(trouble, eeprom_of_a_uart_in_the_wrong_mode)
{
  board_link_set(uart(), "eeprom", "fifo");
  board_link_refused(UART, KT_EUNSUPPORTED, "EEPROM");
}

Test(trouble, chip_left_in_another_mode)
{
  board_link_set(uart(), "bitmode", "2");
  struct kd_board *b = board_link_open(UART);
  board_link_around(b, 0, 100);
  kd_board_close(b);
}

Test(trouble, full_speed_usb)
{
  setenv("KS_BOARD_OPTIONS", "speed=full", 1);
  struct kd_board *b = board_link_open(UART);
  board_link_around(b, 0, 3000);
  kd_board_close(b);
}

/* ---- a host that dies ---------------------------------------------------------------------------
 */

/* The host dies at byte `at` of a write and read; the next one finds a device that works, and takes
 * none of the dead one's replies. */
static void killed(const struct ks_board_api *api, const char *board, const char *when, unsigned at)
{
  char text[16];
  struct kt_msg msg = {{0}};
  static uint8_t data[600], back[600];
  struct kd_board *b = board_link_open(board);
  board_link_fill(data, sizeof data, at);
  snprintf(text, sizeof text, "%u", at);
  board_link_set(api, when, text);
  enum kt_status st = kd_link_mem_write(&b->link, 64, data, sizeof data, &msg);
  if (st == KT_OK) st = kd_link_mem_read(&b->link, 64, back, sizeof back, &msg);
  kd_board_close(b);
  api->set_option("kill", "0");
  if (st == KT_OK) cr_assert(memcmp(data, back, sizeof data) == 0);

  b = board_link_open(board);
  board_link_fill(data, sizeof data, ~at);
  cr_assert(kd_link_mem_write(&b->link, 64, data, sizeof data, &msg) == KT_OK, "%u: %s", at,
            msg.text);
  cr_assert(kd_link_mem_read(&b->link, 64, back, sizeof back, &msg) == KT_OK, "%u: %s", at,
            msg.text);
  cr_expect(memcmp(data, back, sizeof data) == 0, "%s %u: stale data", when, at);
  kd_board_close(b);
}

/* The write and read are about 715 bytes each way: every one of them by make test-full, the first
 * frame's and samples of the rest on every change. */
static void killed_anywhere(const char *board, const char *name)
{
  const struct ks_board_api *api = board_link_api(board);
  const unsigned step = getenv("KTPU_FULL") != NULL ? 1 : 11;
  for (unsigned at = 1; at < 720; at += at < 40 ? 1 : step) {
    killed(api, name, "kill-after-out", at);
    killed(api, name, "kill-after-in", at);
  }
}

Test(trouble, killed_at_any_byte_uart, .timeout = 800)
{
  killed_anywhere("link-uart", "virtual-link-uart");
}

Test(trouble, killed_at_any_byte_ft245, .timeout = 800)
{
  killed_anywhere("link-ft245", "virtual-link-ft245");
}
