// SPDX-License-Identifier: Apache-2.0
// The Verilated board's pins for the C harness.
#include "cosim/board/ks_pins_uart.h"

extern "C" {
#include "spec/generated/kt_boards.h"
}

#include "Vboard.h"
#include "verilated.h"

#include <cstring>
#include <memory>

namespace {

struct Machine {
  VerilatedContext context;
  std::unique_ptr<Vboard> top;
};

std::unique_ptr<Machine> machine; // one a process

void eval(void *ctx)
{
  static_cast<Vboard *>(ctx)->eval();
}

bool idle(void *ctx)
{
  return static_cast<Vboard *>(ctx)->idle_o != 0;
}

uint64_t clock_hz()
{
  for (size_t i = 0; i < kt_n_boards; i++)
    if (std::strcmp(kt_boards[i].name, KS_BOARD) == 0) return kt_boards[i].clock_hz;
  return 24000000;
}

} // namespace

extern "C" void ks_pins_uart_open(ks_pins_uart *pins, uint64_t seed)
{
  machine = std::make_unique<Machine>();
  machine->context.randReset(2); // every register starts at a value of its own
  machine->context.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  machine->top = std::make_unique<Vboard>(&machine->context);
  Vboard *top = machine->top.get();
  top->rx_i = 1;
  *pins = ks_pins_uart{clock_hz(), &top->clk_i, &top->rx_i, &top->tx_o, eval, idle, top};
}

extern "C" void ks_pins_uart_close(ks_pins_uart *pins)
{
  machine->top->final();
  machine.reset();
  *pins = ks_pins_uart();
}
