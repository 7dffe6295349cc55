// SPDX-License-Identifier: Apache-2.0
// The virtual chip, seen through the real libftdi: its transmit pin is wired to its receive pin.
#include "board/board_bench.h"

#include <criterion/criterion.h>
#include <string.h>

#define FT2232H 0x6010

static struct board_bench bench;
static struct ftdi_context *ftdi;

static void load(void)
{
  board_bench_load(&bench, "loop");
}

static void open_chip(void)
{
  load();
  ftdi = board_bench_open(&bench, FT2232H, INTERFACE_B);
}

static void close_chip(void)
{
  board_bench_close(&bench, ftdi);
}

TestSuite(chip, .init = open_chip, .fini = close_chip, .timeout = 60);
TestSuite(plug, .init = load, .timeout = 60);

static void fill(uint8_t *data, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++) data[i] = (uint8_t)(i * 7 + (i >> 8) + 1);
}

/* Writes and reads back; says what did not come. */
static unsigned around(unsigned bytes)
{
  static uint8_t sent[8192], got[8192];
  fill(sent, bytes);
  memset(got, 0, sizeof got);
  cr_assert(bench.ftdi_write_data(ftdi, sent, (int)bytes) == (int)bytes);
  int n = board_bench_read(&bench, ftdi, got, (int)bytes, 200);
  cr_assert(n >= 0);
  unsigned wrong = bytes - (unsigned)n;
  for (int i = 0; i < n; i++) wrong += got[i] != sent[i];
  return wrong;
}

Test(chip, bytes_come_around)
{
  static const unsigned sizes[] = {1, 2, 61, 62, 63, 64, 509, 510, 511, 512, 513, 1020, 1021, 4000};
  for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    cr_expect(around(sizes[i]) == 0, "%u bytes", sizes[i]);
  cr_expect(board_bench_count(&bench, "overruns") == 0);
  cr_expect(board_bench_count(&bench, "framing") == 0);
}

Test(chip, bits_take_the_time_of_the_divisor)
{
  cr_expect(board_bench_count(&bench, "bit-ps") == 333333);
  uint8_t data[1000];
  fill(data, sizeof data);
  uint64_t begin = bench.api->now_ns();
  cr_assert(bench.ftdi_write_data(ftdi, data, sizeof data) == sizeof data);
  cr_assert(board_bench_read(&bench, ftdi, data, sizeof data, 200) == sizeof data);
  uint64_t ns = bench.api->now_ns() - begin;
  cr_expect(ns > 1000 * 3333 && ns < 1000 * 3333 + 20000000, "%llu ns", (unsigned long long)ns);

  static const struct {
    int baud;
    uint64_t bit_ps;
  } rates[] = {{115200, 8680556},
               {9600, 104166667},
               {12000000, 83333},
               {2000000, 500000},
               {300, 3333333333}};
  for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++) {
    cr_assert(bench.ftdi_set_baudrate(ftdi, rates[i].baud) == 0);
    uint64_t bit = board_bench_count(&bench, "bit-ps");
    double off = (double)bit / (double)rates[i].bit_ps - 1;
    cr_expect(off > -0.005 && off < 0.005, "%d baud: %llu ps", rates[i].baud,
              (unsigned long long)bit);
  }
}

/* A byte leaves by itself when the latency timer says so, at once when it is the event character.
 */
Test(chip, event_character_does_not_wait)
{
  uint8_t byte = 0x55;
  cr_assert(bench.ftdi_set_latency_timer(ftdi, 100) == 0);
  cr_assert(bench.ftdi_write_data(ftdi, &byte, 1) == 1);
  uint64_t begin = bench.api->now_ns();
  cr_assert(board_bench_read(&bench, ftdi, &byte, 1, 300) == 1);
  uint64_t waited = bench.api->now_ns() - begin;
  cr_expect(waited > 50000000 && waited < 101000000, "%llu", (unsigned long long)waited);

  byte = 0;
  cr_assert(bench.ftdi_write_data(ftdi, &byte, 1) == 1);
  begin = bench.api->now_ns();
  cr_assert(board_bench_read(&bench, ftdi, &byte, 1, 300) == 1);
  waited = bench.api->now_ns() - begin;
  cr_expect(waited < 300000, "%llu", (unsigned long long)waited);
  unsigned char latency = 0;
  cr_assert(bench.ftdi_get_latency_timer(ftdi, &latency) == 0);
  cr_expect(latency == 100);
}

Test(chip, wrong_baud_has_framing_errors)
{
  board_bench_set(&bench, "baud-ppm", "20000");
  cr_expect(around(500) == 0, "the loop is as wrong in both directions");
  uint8_t data[64];
  memset(data, 0, sizeof data);
  cr_assert(bench.ftdi_set_line_property2(ftdi, BITS_8, STOP_BIT_1, NONE, BREAK_ON) == 0);
  bench.api->sleep_ns(300000);
  cr_assert(bench.ftdi_set_line_property2(ftdi, BITS_8, STOP_BIT_1, NONE, BREAK_OFF) == 0);
  bench.api->sleep_ns(300000);
  cr_expect(board_bench_count(&bench, "framing") > 0,
            "a BREAK looks like a frame without a stop bit");
}

Test(chip, a_full_buffer_loses_bytes)
{
  uint8_t data[4096];
  fill(data, sizeof data);
  cr_assert(bench.ftdi_write_data(ftdi, data, sizeof data) == sizeof data);
  cr_assert(bench.ftdi_write_data(ftdi, data, sizeof data) == sizeof data);
  bench.api->sleep_ns(40000000);
  cr_expect(board_bench_count(&bench, "overruns") == 4096);
  unsigned short status = 0;
  cr_assert(bench.ftdi_poll_modem_status(ftdi, &status) == 0);
  cr_expect((status >> 8 & 2) != 0, "overrun is told: %04x", status);
  cr_assert(bench.ftdi_tcioflush(ftdi) == 0);
  cr_expect(board_bench_read(&bench, ftdi, data, 1, 50) == 0);
}

/* Every fault at a chosen place, in each direction, and its count. */
Test(chip, wire_faults)
{
  static const struct {
    const char *fault, *count;
    uint8_t want[5];
    int n;
  } cases[] = {
      {"out:drop@1", "out-drop", {1, 3, 0}, 3},
      {"out:dup@1", "out-dup", {1, 2, 2, 3, 0}, 5},
      {"out:flip@1/f0", "out-flip", {1, 0xf2, 3, 0}, 4},
      {"out:delay@1/900", "out-delay", {1, 2, 3, 0}, 4},
      {"in:drop@1", "in-drop", {1, 3, 0}, 3},
      {"in:dup@1", "in-dup", {1, 2, 2, 3, 0}, 5},
      {"in:flip@1/f0", "in-flip", {1, 0xf2, 3, 0}, 4},
      {"in:delay@1/900", "in-delay", {1, 2, 3, 0}, 4},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t data[5] = {1, 2, 3, 0};
    board_bench_set(&bench, "fault", cases[i].fault);
    uint64_t begin = bench.api->now_ns();
    cr_assert(bench.ftdi_write_data(ftdi, data, 4) == 4);
    int n = board_bench_read(&bench, ftdi, data, cases[i].n, 100);
    cr_expect(n == cases[i].n && memcmp(data, cases[i].want, (size_t)n) == 0, "%s", cases[i].fault);
    cr_expect(board_bench_count(&bench, cases[i].count) == 1, "%s", cases[i].fault);
    bool late = bench.api->now_ns() - begin > 900000;
    cr_expect(late == (strstr(cases[i].fault, "delay") != NULL), "%s", cases[i].fault);
  }
  cr_expect(board_bench_count(&bench, "planned") == 0);
}

Test(chip, random_faults_follow_the_seed)
{
  unsigned wrong[3];
  board_bench_set(&bench, "out-flip-ppm", "20000");
  static const char *const seeds[] = {"5", "6", "5"};
  for (unsigned i = 0; i < 3; i++) {
    board_bench_set(&bench, "seed", seeds[i]);
    wrong[i] = around(4000);
  }
  cr_expect(wrong[0] > 40 && wrong[0] < 120, "%u", wrong[0]);
  cr_expect(wrong[0] == wrong[2]);
  cr_expect(wrong[0] != wrong[1]);
}

Test(plug, errors_on_demand)
{
  struct ftdi_context *c = bench.ftdi_new();
  board_bench_set(&bench, "permission", "0");
  cr_expect(bench.ftdi_usb_open(c, 0x0403, FT2232H) == -4);
  board_bench_set(&bench, "permission", "1");
  board_bench_set(&bench, "in-use", "1");
  cr_expect(bench.ftdi_usb_open(c, 0x0403, FT2232H) == -5);
  board_bench_set(&bench, "in-use", "0");
  board_bench_set(&bench, "stall", "1");
  cr_expect(bench.ftdi_usb_open(c, 0x0403, FT2232H) == -6);
  board_bench_set(&bench, "plug", "0");
  cr_expect(bench.ftdi_usb_open(c, 0x0403, FT2232H) == -3);
  board_bench_set(&bench, "plug", "1");
  cr_assert(bench.ftdi_usb_open(c, 0x0403, FT2232H) == 0);
  uint8_t byte = 0;
  board_bench_set(&bench, "deaf", "1");
  cr_expect(bench.ftdi_read_data(c, &byte, 1) == -7, "LIBUSB_ERROR_TIMEOUT");
  board_bench_set(&bench, "deaf", "0");
  board_bench_set(&bench, "plug", "0");
  cr_expect(bench.ftdi_read_data(c, &byte, 1) == -4, "LIBUSB_ERROR_NO_DEVICE");
  bench.ftdi_free(c);
}

/* The host's process dies after a number of bytes; the next one finds chip and board as they were.
 */
Test(plug, killed_host)
{
  struct ftdi_context *c = board_bench_open(&bench, FT2232H, INTERFACE_B);
  uint8_t data[100];
  fill(data, sizeof data);
  board_bench_set(&bench, "kill-after-out", "40");
  cr_expect(bench.ftdi_write_data(c, data, sizeof data) < 0);
  bench.ftdi_free(c);
  bench.api->sleep_ns(1000000);
  cr_expect(board_bench_count(&bench, "out-bytes") == 40);
  board_bench_set(&bench, "kill", "0");
  c = board_bench_open(&bench, FT2232H, INTERFACE_B);
  cr_expect(board_bench_read(&bench, c, data, 100, 100) == 0, "the reset at open flushes");
  board_bench_close(&bench, c);
}

Test(plug, kernel_driver_comes_back)
{
  cr_expect(board_bench_count(&bench, "kernel-driver") == 1);
  struct ftdi_context *c = bench.ftdi_new();
  c->module_detach_mode = AUTO_DETACH_REATACH_SIO_MODULE;
  cr_assert(bench.ftdi_set_interface(c, INTERFACE_B) == 0);
  cr_assert(bench.ftdi_usb_open(c, 0x0403, FT2232H) == 0);
  cr_expect(board_bench_count(&bench, "kernel-driver") == 0);
  cr_assert(bench.ftdi_usb_close(c) == 0);
  cr_expect(board_bench_count(&bench, "kernel-driver") == 1);
  bench.ftdi_free(c);
}

Test(plug, devices_and_strings)
{
  struct ftdi_device_list *list = NULL;
  struct ftdi_context *c = bench.ftdi_new();
  board_bench_set(&bench, "product", "Some board");
  board_bench_set(&bench, "serial", "S1");
  board_bench_set(&bench, "extra", "twin");
  board_bench_set(&bench, "extra", "foreign");
  cr_assert(bench.ftdi_usb_find_all(c, &list, 0x0403, FT2232H) == 2);
  char maker[32], product[32], serial[32];
  cr_assert(bench.ftdi_usb_get_strings2(c, list->dev, maker, 32, product, 32, serial, 32) == 0);
  cr_expect_str_eq(product, "Some board");
  cr_expect_str_eq(serial, "S1");
  bench.ftdi_list_free(&list);
  cr_expect(bench.ftdi_usb_open_desc(c, 0x0403, FT2232H, NULL, "KTTWIN1") == 0);
  cr_expect(bench.ftdi_usb_close(c) == 0);
  bench.ftdi_free(c);
}

Test(plug, eeprom_as_libftdi_reads_it)
{
  static const struct {
    const char *image;
    int type;
  } images[] = {{"uart", CHANNEL_IS_UART}, {"fifo", CHANNEL_IS_FIFO}};
  for (unsigned i = 0; i < 2; i++) {
    int type = -1, vid = 0;
    board_bench_set(&bench, "eeprom", images[i].image);
    struct ftdi_context *c = board_bench_open(&bench, FT2232H, INTERFACE_B);
    cr_assert(bench.ftdi_read_eeprom(c) == 0);
    cr_assert(bench.ftdi_eeprom_decode(c, 0) == 0, "%s", bench.ftdi_get_error_string(c));
    cr_assert(bench.ftdi_get_eeprom_value(c, CHANNEL_B_TYPE, &type) == 0);
    cr_assert(bench.ftdi_get_eeprom_value(c, VENDOR_ID, &vid) == 0);
    cr_expect(type == images[i].type && vid == 0x0403);
    board_bench_close(&bench, c);
  }
}
