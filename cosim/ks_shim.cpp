// SPDX-License-Identifier: Apache-2.0
// The Verilated model's pins and clock for the C harness: nothing else is C++.
#include "cosim/ks_shim.h"

#include "Vktpu_top.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

#include <cstdio>
#include <memory>

namespace {

struct Machine {
  VerilatedContext context;
  std::unique_ptr<Vktpu_top> top;
#if VM_TRACE
  std::unique_ptr<VerilatedFstC> wave;
#endif
};

Machine *machine; // one a process: Verilator's $finish is a process's affair too

template <typename Signal> void *bytes_of(Signal &signal)
{
  return &signal;
}

/* The machine's inputs are in registers (cosim/ktpu_sim_top.v), so its clock rises when the harness
 * has driven them: while the harness's own clock is low. The falling edge changes nothing. */
uint8_t harness_clock;

void eval(void *ctx)
{
  Vktpu_top *top = static_cast<Vktpu_top *>(ctx);
  top->clk_i = !harness_clock;
  top->eval();
}

#if VM_TRACE
void dump(void *, uint64_t time)
{
  machine->wave->dump(time);
}
#endif

#define AXI_PORT(axi, prefix)                                                                     \
  do {                                                                                            \
    (axi).awaddr = &top->prefix##awaddr;                                                          \
    (axi).awlen = &top->prefix##awlen;                                                            \
    (axi).awvalid = &top->prefix##awvalid;                                                        \
    (axi).awready = &top->prefix##awready;                                                        \
    (axi).wdata = bytes_of(top->prefix##wdata);                                                   \
    (axi).wstrb = bytes_of(top->prefix##wstrb);                                                   \
    (axi).wlast = &top->prefix##wlast;                                                            \
    (axi).wvalid = &top->prefix##wvalid;                                                          \
    (axi).wready = &top->prefix##wready;                                                          \
    (axi).bresp = &top->prefix##bresp;                                                            \
    (axi).bvalid = &top->prefix##bvalid;                                                          \
    (axi).bready = &top->prefix##bready;                                                          \
    (axi).araddr = &top->prefix##araddr;                                                          \
    (axi).arlen = &top->prefix##arlen;                                                            \
    (axi).arvalid = &top->prefix##arvalid;                                                        \
    (axi).arready = &top->prefix##arready;                                                        \
    (axi).rdata = bytes_of(top->prefix##rdata);                                                   \
    (axi).rresp = &top->prefix##rresp;                                                            \
    (axi).rlast = &top->prefix##rlast;                                                            \
    (axi).rvalid = &top->prefix##rvalid;                                                          \
    (axi).rready = &top->prefix##rready;                                                          \
  } while (0)

void bind_control(ks_axil &ctl, Vktpu_top *top)
{
  ctl.awaddr = &top->s_axil_awaddr;
  ctl.awvalid = &top->s_axil_awvalid;
  ctl.awready = &top->s_axil_awready;
  ctl.wdata = &top->s_axil_wdata;
  ctl.wstrb = &top->s_axil_wstrb;
  ctl.wvalid = &top->s_axil_wvalid;
  ctl.wready = &top->s_axil_wready;
  ctl.bresp = &top->s_axil_bresp;
  ctl.bvalid = &top->s_axil_bvalid;
  ctl.bready = &top->s_axil_bready;
  ctl.araddr = &top->s_axil_araddr;
  ctl.arvalid = &top->s_axil_arvalid;
  ctl.arready = &top->s_axil_arready;
  ctl.rdata = &top->s_axil_rdata;
  ctl.rresp = &top->s_axil_rresp;
  ctl.rvalid = &top->s_axil_rvalid;
  ctl.rready = &top->s_axil_rready;
}

void bind_pins(ks_pins &pins, Vktpu_top *top)
{
  pins.clk = &harness_clock;
  pins.rst = &top->rst_i;
  pins.busy = &top->busy_o;
  pins.done = &top->done_o;
  pins.bus_bytes = sizeof top->m_axi_rdata;
  bind_control(pins.ctl, top);
  AXI_PORT(pins.host, s_axi_);
  AXI_PORT(pins.mem, m_axi_);
  pins.mem.awsize = &top->m_axi_awsize;
  pins.mem.awburst = &top->m_axi_awburst;
  pins.mem.arsize = &top->m_axi_arsize;
  pins.mem.arburst = &top->m_axi_arburst;
}

} // namespace

extern "C" int ks_shim_open(ks_model *model, uint32_t seed, const char *wave)
{
#if !VM_TRACE
  if (wave != nullptr) return -1;
#endif
  machine = new Machine;
  machine->context.randReset(2); // every register starts at a value of its own
  machine->context.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  machine->context.traceEverOn(wave != nullptr);
  machine->top = std::make_unique<Vktpu_top>(&machine->context);
  *model = ks_model();
  bind_pins(model->pins, machine->top.get());
  model->eval = eval;
  model->ctx = machine->top.get();
#if VM_TRACE
  if (wave != nullptr) {
    machine->wave = std::make_unique<VerilatedFstC>();
    machine->top->trace(machine->wave.get(), 99);
    machine->wave->open(wave);
    model->dump = dump;
  }
#endif
  return 0;
}

extern "C" void ks_shim_close(ks_model *model)
{
  machine->top->final();
#if VM_TRACE
  if (machine->wave) machine->wave->close();
#endif
  delete machine;
  machine = nullptr;
  *model = ks_model();
}

extern "C" const char *ks_shim_params(void)
{
  return KS_PARAMS;
}
