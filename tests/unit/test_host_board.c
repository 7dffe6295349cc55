/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening and using a board over a USB library that fails on demand: each failure has its own status
 * and a sentence that tells it apart, comes within a bounded time, and leaves nothing behind.
 */
#include "host/kd_board.h"
#include "support/fake_usb.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ICE "icebreaker"
#define FIFO "ecp5-ft245"
#define OPEN_NS (10 * KD_NS_PER_S) /* opening ends by then, whatever happens */

static const struct kd_usb *usb;
static struct kt_msg msg;

static void no_builds(void)
{
  setenv("KTPU_FPGA_DIR", "/nonexistent", 1);
}

TestSuite(host_board, .init = no_builds, .timeout = 60);

static enum kt_status try_open(const char *name, struct kd_board **b)
{
  struct kd_board_want want;
  const uint64_t from = fake_clock.now_ns();
  *b = NULL;
  msg.text[0] = '\0';
  enum kt_status st = kd_board_parse(name, &want, &msg);
  if (st == KT_OK) st = kd_board_open_on(usb, &want, b, &msg);
  cr_assert(le(u64, fake_clock.now_ns() - from, OPEN_NS), "%s: %s", name, msg.text);
  return st;
}

/* What is held of the USB library: nothing while no board is open. */
static void nothing_held(void)
{
  cr_assert(eq(uint, fake_usb.opened, 0), "%s", msg.text);
  cr_assert(eq(uint, fake_usb.claimed, 0), "%s", msg.text);
  cr_assert(eq(uint, fake_usb.allocated, 0), "%s", msg.text);
}

static void says(const char *words)
{
  cr_assert(strstr(msg.text, words) != NULL, "want '%s' in: %s", words, msg.text);
}

static void refused(const char *name, enum kt_status want, const char *words)
{
  struct kd_board *b;
  const enum kt_status st = try_open(name, &b);
  cr_assert(eq(int, st, want), "%s: %s: %s", name, kt_status_text(st), msg.text);
  cr_assert(b == NULL);
  says(words);
  nothing_held();
}

static struct kd_board *opened(const char *name)
{
  struct kd_board *b;
  const enum kt_status st = try_open(name, &b);
  cr_assert(eq(int, st, KT_OK), "%s: %s: %s", name, kt_status_text(st), msg.text);
  return b;
}

static void around(struct kd_board *b, size_t n)
{
  uint8_t data[4096], back[4096];
  for (size_t i = 0; i < n; i++)
    data[i] = (uint8_t)(i * 37 % 251);
  cr_assert(eq(int, kd_link_mem_write(&b->link, 9, data, n, &msg), KT_OK), "%s", msg.text);
  cr_assert(eq(int, kd_link_mem_read(&b->link, 9, back, n, &msg), KT_OK), "%s", msg.text);
  cr_assert(eq(int, memcmp(data, back, n), 0));
}

static void works(const char *name)
{
  struct kd_board *b = opened(name);
  around(b, 4096);
  kd_board_close(b);
  nothing_held();
}

/* ---- which chip ------------------------------------------------------------------------------- */

Test(host_board, no_device)
{
  usb = fake_usb_start(ICE);
  refused(ICE, KT_ENODEV, "no icebreaker found (USB 0403:6010, product iCEBreaker)");
  says("no FTDI chip is connected");
  refused(ICE ",serial=AB12", KT_ENODEV, "serial AB12");
  fake_usb_plug("ecp5-evn", "E1");
  fake_usb_plug(FIFO, "F1")->product = "USB <-> Serial";
  refused(ICE, KT_ENODEV, "serial \"E1\": its product string \"Lattice ECP5\" is that of ecp5-evn");
  says("serial \"F1\": its IDs 0403:6014 are not the board's");
  fake_usb_end();
}

Test(host_board, no_board_at_all)
{
  usb = fake_usb_start(ICE);
  refused("", KT_ENODEV, "no board is connected: looked for icebreaker (0403:6010 iCEBreaker)");
  says("USB has no FTDI chip");
  fake_usb.starts = false;
  refused(ICE, KT_ENODEV, "libusb does not start");
  fake_usb_end();
}

Test(host_board, the_one_that_is_connected)
{
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1");
  struct kd_board *b = opened("");
  cr_assert(eq(str, (char *)b->type->name, ICE));
  cr_assert(eq(str, b->serial, "I1"));
  kd_board_close(b);
  fake_usb_plug("ecp5-evn", "E1");
  refused("", KT_EINVAL, "ftdi:icebreaker,serial=I1");
  says("ftdi:ecp5-evn,serial=E1");
  fake_usb_end();
}

Test(host_board, two_that_match)
{
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "FIRST001");
  fake_usb_plug(ICE, "SECOND02");
  refused(ICE, KT_EINVAL, "2 devices match icebreaker, choose by serial=");
  says("serial \"FIRST001\"");
  says("serial \"SECOND02\"");
  struct kd_board *b = opened(ICE ",serial=SECOND02");
  cr_assert(eq(str, b->serial, "SECOND02"));
  around(b, 100);
  kd_board_close(b);
  refused(ICE ",serial=THIRD", KT_ENODEV, "is not the one asked for");
  fake_usb_end();
}

Test(host_board, names_that_mean_nothing)
{
  usb = fake_usb_start(ICE);
  refused("icebreaker2", KT_ENODEV, "want icebreaker, ecp5-evn, ecp5-ft245, ecpix5");
  refused("link-uart", KT_ENODEV, "virtual-link-uart"); /* exists in simulation only */
  refused(ICE ",serial=", KT_EPARSE, "want serial=TEXT");
  refused(ICE ",interface=C", KT_EPARSE, "interface=A or B");
  refused(ICE ",build=xyz", KT_EPARSE, "build=HEX or build=any");
  refused(ICE ",speed=9", KT_EPARSE, "'speed=9'");
  fake_usb_plug(FIFO, "F1");
  refused(FIFO ",interface=B", KT_EINVAL, "on interface A only");
  fake_usb_end();
}

/* A chip that cannot be read may be anything: what can be read goes first, even beside it. */
Test(host_board, chips_of_others_do_not_count)
{
  usb = fake_usb_start(ICE);
  struct fake_chip *other = fake_usb_plug("ecp5-evn", "E1");
  other->open_code = LIBUSB_ERROR_ACCESS;
  refused("", KT_EACCES, "host/udev/70-ktpu.rules");
  refused(ICE, KT_EACCES, "host/udev/70-ktpu.rules");
  fake_usb_plug(ICE, "I1");
  works("");
  works(ICE);
  works(ICE ",serial=I1");
  fake_usb_end();
}

/* The port's type tells a FIFO module from a board whose chip has no name either. */
Test(host_board, an_ft2232h_is_what_its_ports_are)
{
  usb = fake_usb_start(FIFO);
  struct fake_chip *c = fake_usb_plug(FIFO, "M1");
  c->pid = 0x6010;
  c->release = 0x0700;
  works("");
  works(FIFO);
  c->port_type[0] = CHANNEL_IS_UART;
  refused("", KT_EMISMATCH, "the name asks for part 4 (ecpix5)");
  refused(FIFO, KT_EUNSUPPORTED, "port A of the board's FT2232H is set to UART");
  c->port_type[0] = c->port_type[1] = CHANNEL_IS_CPU;
  refused("", KT_EINVAL, "name it: ftdi:ecp5-ft245,serial=M1, ftdi:ecpix5,serial=M1");
  fake_usb_end();
}

Test(host_board, the_list_says_why)
{
  struct kd_ftdi_device *list;
  struct kd_ftdi_want want = {.board = &kt_boards[KT_PART_ECP5_EVN - 1]};
  char why[160];
  size_t n;
  usb = fake_usb_start("ecp5-evn");
  fake_usb_plug("ecp5-evn", "E1")->port_type[1] = CHANNEL_IS_FIFO; /* as it leaves the factory */
  fake_usb_plug("ecp5-evn", "E2")->eeprom_blank = true;
  fake_usb_plug("ecp5-evn", "E3")->open_code = LIBUSB_ERROR_ACCESS;
  cr_assert(eq(int, kd_ftdi_scan(usb, &list, &n, &msg), KT_OK));
  cr_assert(eq(sz, n, 3));
  cr_assert(kd_ftdi_matches(&want, &list[0], why, sizeof why));
  cr_assert(eq(str, why, "IDs and product string fit, but its EEPROM sets port B to 245 FIFO, not UART"));
  cr_assert(kd_ftdi_matches(&want, &list[1], why, sizeof why));
  cr_assert(eq(str, why, "IDs and product string fit"));
  cr_assert(kd_ftdi_matches(&want, &list[2], why, sizeof why));
  cr_assert(strstr(why, "no permission") != NULL, "%s", why);
  free(list);
  nothing_held();
  fake_usb_end();
}

/* ---- opening ---------------------------------------------------------------------------------- */

Test(host_board, no_permission)
{
  usb = fake_usb_start(ICE);
  struct fake_chip *c = fake_usb_plug(ICE, "I1");
  c->open_code = LIBUSB_ERROR_ACCESS;
  refused(ICE, KT_EACCES, "no permission");
  says("host/udev/70-ktpu.rules");
  says("udevadm control --reload");
  c->open_code = 0;
  works(ICE);
  fake_usb_end();
}

Test(host_board, in_use)
{
  usb = fake_usb_start(ICE);
  struct fake_chip *c = fake_usb_plug(ICE, "I1");
  c->claim_code = LIBUSB_ERROR_BUSY;
  refused(ICE, KT_EBUSY, "in use by another program");
  c->claim_code = 0;
  works(ICE);
  fake_usb_end();
}

Test(host_board, another_failure_of_usb)
{
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1")->claim_code = LIBUSB_ERROR_OVERFLOW;
  refused(ICE, KT_EIO, "libusb code -8 (opening)");
  fake_usb_end();
}

/* Unplugged before any request that opening makes, or deaf from it on. */
static void fails_at_any_request(const char *board, bool gone)
{
  usb = fake_usb_start(board);
  struct fake_chip *c = fake_usb_plug(board, "I1");
  unsigned failures = 0;
  for (unsigned at = 1;; at++) {
    struct kd_board *b;
    unsigned *limit = gone ? &fake_usb.gone_after : &fake_usb.deaf_after;
    fake_usb.answered = 0;
    *limit = at;
    const enum kt_status st = try_open(board, &b);
    const unsigned made = fake_usb.answered;
    *limit = UINT32_MAX;
    kd_board_close(b);
    c->gone = false;
    nothing_held();
    if (st == KT_OK && made < at) break;
    if (st == KT_OK) continue; /* a request that it can do without */
    cr_assert(eq(int, st, gone ? KT_EPEER : KT_EIO), "%u: %s", at, msg.text);
    says(gone ? "unplugged" : "does not answer");
    failures++;
  }
  cr_assert(ge(uint, failures, 8));
  works(board);
  fake_usb_end();
}

Test(host_board, unplugged_while_opening)
{
  fails_at_any_request(ICE, true);
}

Test(host_board, unplugged_while_opening_a_fifo)
{
  fails_at_any_request(FIFO, true);
}

Test(host_board, deaf_while_opening)
{
  fails_at_any_request(ICE, false);
}

Test(host_board, deaf_while_opening_a_fifo)
{
  fails_at_any_request(FIFO, false);
}

Test(host_board, eeprom_not_in_245_mode)
{
  usb = fake_usb_start(FIFO);
  struct fake_chip *c = fake_usb_plug(FIFO, "F1");
  c->port_type[0] = CHANNEL_IS_UART;
  refused(FIFO, KT_EUNSUPPORTED, "EEPROM not in 245 mode: port A of the board's FT232H is set to UART");
  says("docs/ft245-module.md");
  c->eeprom_blank = true;
  refused(FIFO, KT_EUNSUPPORTED, "the EEPROM is blank");
  c->eeprom_blank = false;
  c->port_type[0] = CHANNEL_IS_FIFO;
  works(FIFO);
  fake_usb_end();
}

/* As the evaluation board leaves the factory. */
Test(host_board, eeprom_not_in_uart_mode)
{
  usb = fake_usb_start("ecp5-evn");
  fake_usb_plug("ecp5-evn", "E1")->port_type[1] = CHANNEL_IS_FIFO;
  refused("ecp5-evn", KT_EUNSUPPORTED, "EEPROM not in UART mode: port B");
  says("is set to 245 FIFO");
  says("docs/ecp5.md");
  fake_usb_end();
}

/* MPSSE, bit-bang and the FIFO are all left for what the board needs. */
Test(host_board, left_in_another_mode)
{
  static const unsigned char modes[] = {BITMODE_BITBANG, BITMODE_MPSSE, BITMODE_SYNCFF};
  for (size_t i = 0; i < sizeof modes; i++) {
    usb = fake_usb_start(ICE);
    struct fake_chip *c = fake_usb_plug(ICE, "I1");
    c->bitmode = modes[i];
    struct kd_board *b = opened(ICE);
    cr_assert(eq(int, c->bitmode, BITMODE_RESET));
    around(b, 300);
    kd_board_close(b);
    fake_usb_end();
  }
  usb = fake_usb_start(FIFO);
  struct fake_chip *c = fake_usb_plug(FIFO, "F1");
  c->bitmode = BITMODE_MPSSE;
  struct kd_board *b = opened(FIFO);
  cr_assert(eq(int, c->bitmode, BITMODE_SYNCFF));
  around(b, 300);
  kd_board_close(b);
  cr_assert(eq(int, c->bitmode, BITMODE_RESET));
  fake_usb_end();
}

Test(host_board, the_chip_is_given_back_as_it_was)
{
  usb = fake_usb_start(ICE);
  struct fake_chip *c = fake_usb_plug(ICE, "I1");
  c->latency = 77;
  struct kd_board *b = opened(ICE);
  cr_assert(le(int, c->latency, 2));
  cr_assert(c->event_on && c->event_char == 0);
  cr_assert(not(c->kernel_driver));
  kd_board_close(b);
  cr_assert(eq(int, c->latency, 77));
  cr_assert(not(c->event_on));
  cr_assert(c->kernel_driver);
  cr_assert(eq(uint, fake_usb.requests[0], 0), "channel A is flash and reset");
  fake_usb_end();
}

/* ---- which bitstream -------------------------------------------------------------------------- */

Test(host_board, wrong_bitstream_by_build)
{
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1");
  refused(ICE ",build=12345678", KT_EMISMATCH, "wrong bitstream: the board has build b0a4d001");
  says("the name asks for 12345678");
  says("make fpga-load BOARD=icebreaker");
  works(ICE ",build=b0a4d001");
  fake_usb_end();
}

/* What `make fpga` has built last is what must be there. */
Test(host_board, wrong_bitstream_by_report)
{
  char dir[] = "/tmp/ktpu-board-XXXXXX", path[64];
  cr_assert(mkdtemp(dir) != NULL);
  setenv("KTPU_FPGA_DIR", dir, 1);
  snprintf(path, sizeof path, "%s/%s", dir, ICE);
  cr_assert(eq(int, mkdir(path, 0700), 0));
  snprintf(path, sizeof path, "%s/%s/report.json", dir, ICE);
  FILE *f = fopen(path, "w");
  fputs("{\"build_id\": \"0badcafe\"}\n", f);
  fclose(f);
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1");
  refused(ICE, KT_EMISMATCH, "the board has build b0a4d001, the last one built is 0badcafe");
  says("build=any");
  works(ICE ",build=any");
  fake_usb.link->regs[KT_LINK_REG_BUILD_ID / 4] = 0x0badcafe;
  works(ICE);
  fake_usb_end();
  unlink(path);
  *strrchr(path, '/') = '\0';
  rmdir(path);
  rmdir(dir);
}

Test(host_board, wrong_bitstream_by_parameters)
{
  char had[16];
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1");
  snprintf(had, sizeof had, "0x%08" PRIx32, fake_usb.link->regs[KT_LINK_REG_CONFIG_HASH / 4]);
  fake_usb.link->regs[KT_LINK_REG_CONFIG_HASH / 4] = 0x1234;
  refused(ICE, KT_EMISMATCH, "wrong bitstream: its core has the parameters' hash 0x00001234");
  says(had);
  fake_usb.link->regs[KT_LINK_REG_LINK_VERSION / 4] = 99;
  refused(ICE, KT_EMISMATCH, "version 99");
  fake_usb_end();
}

Test(host_board, wrong_part)
{
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1");
  fake_usb.link->regs[KT_LINK_REG_PART / 4] = 4;
  refused(ICE, KT_EMISMATCH, "wrong part: the bitstream is for part 4 (ecpix5)");
  says("the name asks for part 1 (icebreaker)");
  fake_usb.link->regs[KT_LINK_REG_PART / 4] = 200;
  refused(ICE, KT_EMISMATCH, "part 200 (no board that is known)");
  fake_usb_end();
}

/* ---- a core that an earlier host left running ------------------------------------------------- */

Test(host_board, a_core_that_stops_by_itself_is_waited_for)
{
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1");
  fake_usb.link->busy_polls = 100;
  struct kd_board *b = opened(ICE);
  cr_assert(eq(str, msg.text, ""), "nothing to tell: %s", msg.text);
  around(b, 100);
  kd_board_close(b);
  fake_usb_end();
}

Test(host_board, a_core_that_does_not_stop_is_reset_and_it_is_said)
{
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1");
  fake_usb.link->busy_polls = UINT32_MAX;
  struct kd_board *b = opened(ICE);
  says("still busy with an earlier program's work after 500 ms: it was reset");
  around(b, 100);
  kd_board_close(b);
  fake_usb.link->busy_polls = UINT32_MAX;
  fake_usb.link->wedged = true;
  refused(ICE, KT_EBUSY, "a reset does not stop it");
  fake_usb_end();
}

/* ---- in use ----------------------------------------------------------------------------------- */

enum { N = 300 };

/* A register, a burst there and a burst back: requests of every kind. */
static enum kt_status use(struct kd_board *b)
{
  static uint8_t data[N];
  uint32_t value;
  enum kt_status st = kd_link_write(&b->link, KT_LINK_REG_SCRATCH, 7, &msg);
  if (st == KT_OK) st = kd_link_read(&b->link, KT_LINK_REG_SCRATCH, &value, &msg);
  if (st == KT_OK) st = kd_link_mem_write(&b->link, 5, data, N, &msg);
  if (st == KT_OK) st = kd_link_mem_read(&b->link, 5, data, N, &msg);
  return st;
}

/* Bytes that `use` moves in a direction. */
static uint64_t bytes_of_use(const char *board, bool out)
{
  const uint64_t *count = out ? &fake_usb.out_bytes : &fake_usb.in_bytes;
  struct kd_board *b = opened(board);
  const uint64_t from = *count;
  cr_assert(eq(int, use(b), KT_OK), "%s", msg.text);
  kd_board_close(b);
  return *count - from;
}

static void unplugged_at_any_byte(const char *board, bool out)
{
  usb = fake_usb_start(board);
  struct fake_chip *c = fake_usb_plug(board, "I1");
  const uint64_t bytes = bytes_of_use(board, out);
  cr_assert(gt(u64, bytes, N));
  for (uint64_t at = 0; at < bytes; at++) {
    struct kd_board *b = opened(board);
    uint64_t *limit = out ? &fake_usb.unplug_after_out : &fake_usb.unplug_after_in;
    *limit = (out ? fake_usb.out_bytes : fake_usb.in_bytes) + at;
    const uint64_t from = fake_clock.now_ns();
    const enum kt_status st = use(b);
    cr_assert(eq(int, st, KT_EPEER), "byte %d: %s", (int)at, msg.text);
    says("the board was unplugged");
    kd_board_close(b);
    cr_assert(le(u64, fake_clock.now_ns() - from, KD_NS_PER_S), "byte %d", (int)at);
    *limit = UINT64_MAX;
    nothing_held();
    refused(board, KT_ENODEV, "found");
    c->gone = false; /* plugged in again; the board has kept its session */
  }
  works(board);
  fake_usb_end();
}

Test(host_board, unplugged_at_any_byte_out)
{
  unplugged_at_any_byte(ICE, true);
}

Test(host_board, unplugged_at_any_byte_in)
{
  unplugged_at_any_byte(ICE, false);
}

Test(host_board, unplugged_at_any_byte_out_of_a_fifo)
{
  unplugged_at_any_byte(FIFO, true);
}

Test(host_board, unplugged_at_any_byte_in_of_a_fifo)
{
  unplugged_at_any_byte(FIFO, false);
}

Test(host_board, the_link_dies_in_use)
{
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1");
  struct kd_board *b = opened(ICE);
  fake_usb.link->to_host.cut_after = fake_usb.link->to_host.position;
  const uint64_t from = fake_clock.now_ns();
  cr_assert(eq(int, use(b), KT_EPEER));
  says("the link is dead: 10 times in a row nothing came back");
  says("is the right bitstream loaded, and the board powered?");
  cr_assert(le(u64, fake_clock.now_ns() - from, kd_link_bound_ns(&b->link)));
  cr_assert(eq(int, use(b), KT_EPEER));
  says("must be opened again");
  kd_board_close(b);
  refused(ICE, KT_EPEER, "the link is dead");
  fake_usb.link->to_host.cut_after = UINT64_MAX;
  works(ICE);
  fake_usb_end();
}

/* FIFO without a clock, for one: nothing leaves, and what waits is taken back. */
Test(host_board, a_chip_that_takes_nothing_is_given_up)
{
  static uint8_t data[65536];
  usb = fake_usb_start(FIFO);
  fake_usb_plug(FIFO, "I1");
  struct kd_board *b = opened(FIFO);
  fake_usb.takes_nothing = true;
  const uint64_t from = fake_clock.now_ns();
  cr_assert(eq(int, kd_link_mem_write(&b->link, 0, data, sizeof data, &msg), KT_EPEER));
  says("the link is dead");
  cr_assert(le(u64, fake_clock.now_ns() - from, kd_link_bound_ns(&b->link)));
  kd_board_close(b);
  nothing_held();
  refused(FIFO, KT_EPEER, "the link is dead");
  fake_usb.takes_nothing = false;
  works(FIFO);
  fake_usb_end();
}

/* A request that libusb does not give back even when it is cancelled. */
Test(host_board, requests_that_never_end_are_given_up)
{
  usb = fake_usb_start(ICE);
  fake_usb_plug(ICE, "I1");
  struct kd_board *b = opened(ICE);
  fake_usb.keeps_transfers = true;
  const uint64_t from = fake_clock.now_ns();
  kd_board_close(b); /* what the bus may still write to is not freed */
  cr_assert(le(u64, fake_clock.now_ns() - from, 2 * KD_NS_PER_S));
  cr_assert(gt(uint, fake_usb.allocated, 0));
  fake_usb_end();
}

Test(host_board, memory_of_every_size_and_echo)
{
  static const size_t sizes[] = {1, 62, 63, 64, 65, 510, 511, 512, 513, 4096, 65535, 65536, 65537};
  static uint8_t data[65537], back[65537];
  for (unsigned k = 0; k < 2; k++) {
    const char *board = k == 0 ? ICE : FIFO;
    usb = fake_usb_start(board);
    fake_usb_plug(board, "I1");
    struct kd_board *b = opened(board);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      for (size_t j = 0; j < sizes[i]; j++)
        data[j] = (uint8_t)(j * j >> 3);
      cr_assert(eq(int, kd_link_mem_write(&b->link, 3, data, sizes[i], &msg), KT_OK));
      cr_assert(eq(int, kd_link_mem_read(&b->link, 3, back, sizes[i], &msg), KT_OK));
      cr_assert(eq(int, memcmp(data, back, sizes[i]), 0), "%zu bytes", sizes[i]);
      cr_assert(eq(int, kd_link_echo(&b->link, data, back, sizes[i], &msg), KT_OK));
      cr_assert(eq(int, memcmp(data, back, sizes[i]), 0), "echo of %zu bytes", sizes[i]);
    }
    cr_assert(eq(u64, b->link.counts.resent, 0));
    kd_board_close(b);
    fake_usb_end();
  }
}

/* ---- loading ---------------------------------------------------------------------------------- */

Test(host_board, a_virtual_board_that_has_not_been_built)
{
  struct kd_board *b;
  setenv("KTPU_BOARD_DIR", "/nonexistent", 1);
  cr_assert(eq(int, kd_board_open("virtual-icebreaker", &b, &msg), KT_ENODEV));
  says("the virtual board icebreaker has not been built: make boards");
}
