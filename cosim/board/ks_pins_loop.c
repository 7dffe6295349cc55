// SPDX-License-Identifier: Apache-2.0
// No board: the chip's transmit pin wired to its receive pin.
#include "cosim/board/ks_pins_uart.h"

static uint8_t clk, rx, tx = 1;

static void eval(void *ctx)
{
  (void)ctx;
  tx = rx;
}

static bool idle(void *ctx)
{
  (void)ctx;
  return true;
}

void ks_pins_uart_open(struct ks_pins_uart *pins, uint64_t seed)
{
  (void)seed;
  *pins = (struct ks_pins_uart){48000000, &clk, &rx, &tx, eval, idle, 0};
}

void ks_pins_uart_close(struct ks_pins_uart *pins)
{
  (void)pins;
}
