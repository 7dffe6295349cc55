// SPDX-License-Identifier: Apache-2.0
// The Verilated board's pins for the C harness.
#include "cosim/board/ks_pins_ft245.h"

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
  return 90000000;
}

} // namespace

extern "C" void ks_pins_ft245_open(ks_pins_ft245 *pins, uint64_t seed)
{
  machine = std::make_unique<Machine>();
  machine->context.randReset(2); // every register starts at a value of its own
  machine->context.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  machine->top = std::make_unique<Vboard>(&machine->context);
  Vboard *top = machine->top.get();
  *pins = ks_pins_ft245();
  pins->clock_hz = clock_hz();
  pins->clk = &top->clk_i;
  pins->clkout = &top->clkout_i;
  pins->rxf_n = &top->rxf_n_i;
  pins->txe_n = &top->txe_n_i;
  pins->chip_data = &top->chip_data_i;
  pins->chip_drives = &top->chip_drives_i;
  pins->rd_n = &top->rd_n_o;
  pins->wr_n = &top->wr_n_o;
  pins->oe_n = &top->oe_n_o;
  pins->siwu_n = &top->siwu_n_o;
  pins->board_data = &top->board_data_o;
  pins->board_drives = &top->board_drives_o;
  pins->eval = eval;
  pins->idle = idle;
  pins->ctx = top;
}

extern "C" void ks_pins_ft245_close(ks_pins_ft245 *pins)
{
  machine->top->final();
  machine.reset();
  *pins = ks_pins_ft245();
}
