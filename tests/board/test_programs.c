// SPDX-License-Identifier: Apache-2.0
// The programs that the owner of a board uses: what they print and exit with. LD_LIBRARY_PATH puts a
// stand-in libusb where the computer's own would be, so that it is the USB that they look at.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define INFO "build/bin/ktpu-info "
#define RUN "build/bin/ktpu-run "
#define GEMM RUN "gemm --shape 16x16x16 --compare -d ftdi:virtual-icebreaker"

TestSuite(programs, .timeout = 120);

static char said[8192];

/* The exit code of a command on a USB with an iCEBreaker of these options; `said` is what it printed. */
static int on_usb(const char *options, const char *command)
{
  char line[512];
  const char *dir = getenv("KTPU_BOARD_DIR");
  snprintf(line, sizeof line, "LD_LIBRARY_PATH=%s/icebreaker KS_BOARD_OPTIONS=%s %s 2>&1",
           dir != NULL ? dir : "build/board", options, command);
  FILE *p = popen(line, "r");
  cr_assert(p != NULL);
  said[fread(said, 1, sizeof said - 1, p)] = '\0';
  const int status = pclose(p);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void has(const char *words)
{
  cr_expect(strstr(said, words) != NULL, "want '%s' in: %s", words, said);
}

Test(programs, without_arguments_and_without_a_board)
{
  cr_expect(on_usb("plug=0", RUN) == 6, "%s", said);
  has("no board is connected: looked for icebreaker (0403:6010 iCEBreaker)");
  has("ktpu-run gemm --shape 16x16x16 --compare --device ftdi:virtual-icebreaker");
}

Test(programs, without_arguments_and_without_permission)
{
  cr_expect(on_usb("permission=0", RUN) == 4, "%s", said);
  has("70-ktpu.rules");
}

Test(programs, without_arguments_and_with_two_boards)
{
  cr_expect(on_usb("extra=twin", RUN) == 4, "%s", said);
  has("ftdi:icebreaker,serial=ibKT0001");
  has("ftdi:icebreaker,serial=KTTWIN1");
}

Test(programs, the_list)
{
  cr_expect(on_usb("extra=ftdi", INFO "--list") == 0, "%s", said);
  has("0403:6010 at bus 1 address 4: FT2232H, product 'iCEBreaker V1.0e', serial 'ibKT0001'");
  has("EEPROM: port A UART, port B UART");
  has("icebreaker   yes IDs and product string fit");
  has("product string \"Dual RS232-HS\" does not begin with \"iCEBreaker\"");
  cr_expect(on_usb("plug=0", INFO "--list") == 0);
  has("no FTDI chip (0403:*) is connected");
  cr_expect(on_usb("plug=0", INFO "--list --json") == 0);
  cr_expect(strcmp(said, "[]\n") == 0, "%s", said);
}

Test(programs, the_link_test)
{
  cr_expect(on_usb("seed=1", INFO "ftdi:virtual-link-ft245 --link-test 1") == 0, "%s", said);
  has("1048576 bytes there and back, 0 damaged");
  has(" 0 sent again");
  cr_expect(on_usb("in-drop-ppm=20", INFO "-d ftdi:virtual-link-ft245 --link-test 1") == 0, "%s",
            said);
  has(" 0 damaged");
  cr_expect(strstr(said, " 0 sent again") == NULL, "%s", said);
  cr_expect(strstr(said, "by the host: 0 crc, 0 long, 0 short") == NULL, "%s", said);
  cr_expect(on_usb("seed=1", INFO "ref:int8 --link-test 1") == 2, "%s", said);
}

Test(programs, what_a_board_is)
{
  cr_expect(on_usb("seed=1", INFO "ftdi:virtual-icebreaker") == 0, "%s", said);
  has("board         virtual-icebreaker, serial ibKT0001, bitstream 0x56424f44, 24.0 MHz");
  cr_expect(on_usb("seed=1", INFO "ftdi:virtual-icebreaker,build=1") == 4, "%s", said);
  has("wrong bitstream: the board has build 56424f44, the name asks for 00000001");
}

/* At bytes of the opening, of an upload, and of the results. */
Test(programs, unplugged_in_the_middle)
{
  static const char *const options[] = {"unplug-after-out=1", "unplug-after-in=30",
                                        "unplug-after-out=900", "unplug-after-in=1500"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    cr_expect(on_usb(options[i], GEMM) == 4, "%s: %s", options[i], said);
    has("the board was unplugged");
  }
}

Test(programs, a_wire_that_is_cut)
{
  cr_expect(on_usb("in-drop-ppm=1000000", GEMM) == 4, "%s", said);
  has("the link is dead: 10 times in a row nothing came back");
}
