/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run without arguments: finds the one board that is connected and lets it prove itself.
 */
#include "host/tools/run.h"

#include <stdio.h>

static const char elsewhere[] =
    "The same on the virtual board, the board's own Verilog behind the real libftdi:\n"
    "  make build/board/icebreaker/libusb-1.0.so.0\n"
    "  ktpu-run gemm --shape 16x16x16 --compare --device ftdi:virtual-icebreaker\n";

static enum run_exit nothing_there(const struct ktpu_message *m, enum ktpu_status st)
{
  fprintf(stderr, "ktpu-run: %s\n", m->text[0] != '\0' ? m->text : ktpu_strerror(st));
  if (st != KTPU_ENODEV) return RUN_DEVICE;
  fputs("Looked for a board of fpga/ on USB: an FTDI chip (0403:6010, 6011, 6014) that may be one; "
        "ktpu-info --list says why each was not chosen.\n",
        stderr);
  fputs(elsewhere, stderr);
  return RUN_NO_BOARD;
}

enum run_exit run_first(void)
{
  struct run_options o = {.mode = RUN_GEMM, .device = "ftdi:", .engine = "int8", .seed = 1,
                          .has_shape = true, .m = 16, .k = 16, .n = 16, .compare = true};
  struct ktpu_device *d;
  struct ktpu_message m = {{0}};
  struct ktpu_info info;
  enum ktpu_status st = ktpu_open(o.device, NULL, &d, &m);
  if (st != KTPU_OK) return nothing_there(&m, st);
  run_tell(&m);
  st = ktpu_info(d, &info);
  ktpu_close(d);
  if (st != KTPU_OK) return RUN_DEVICE;
  printf("board %s, serial %s, %.1f MHz\n", info.board, info.serial[0] != '\0' ? info.serial : "none",
         info.clock_hz / 1e6);
  return run_gemm(&o);
}
