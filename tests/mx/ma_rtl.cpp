// SPDX-License-Identifier: Apache-2.0
// The Verilated memory agent behind the C functions of ma_rtl.h.
#include "tests/mx/ma_rtl.h"

#include "Vktpu_mem_agent.h"
#include "verilated.h"

static Vktpu_mem_agent *agent;
static uint8_t size_pin = 5, burst_pin = 1;

extern "C" void ma_open(struct ks_pins *pins, unsigned seed)
{
  VerilatedContext *context = new VerilatedContext;
  context->randReset(2);
  context->randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
  agent = new Vktpu_mem_agent(context);
  *pins = ks_pins();
  pins->bus_bytes = 32;
  ks_axi &m = pins->mem;
  m.awaddr = &agent->m_axi_awaddr;
  m.awlen = &agent->m_axi_awlen;
  m.awvalid = &agent->m_axi_awvalid;
  m.awready = &agent->m_axi_awready;
  m.awsize = m.arsize = &size_pin;
  m.awburst = m.arburst = &burst_pin;
  m.wdata = &agent->m_axi_wdata;
  m.wstrb = &agent->m_axi_wstrb;
  m.wlast = &agent->m_axi_wlast;
  m.wvalid = &agent->m_axi_wvalid;
  m.wready = &agent->m_axi_wready;
  m.bresp = &agent->m_axi_bresp;
  m.bvalid = &agent->m_axi_bvalid;
  m.bready = &agent->m_axi_bready;
  m.araddr = &agent->m_axi_araddr;
  m.arlen = &agent->m_axi_arlen;
  m.arvalid = &agent->m_axi_arvalid;
  m.arready = &agent->m_axi_arready;
  m.rdata = &agent->m_axi_rdata;
  m.rresp = &agent->m_axi_rresp;
  m.rlast = &agent->m_axi_rlast;
  m.rvalid = &agent->m_axi_rvalid;
  m.rready = &agent->m_axi_rready;
}

static void drive(const struct ma_in *in)
{
  agent->rst_i = in->rst;
  agent->clear_i = in->clear;
  agent->stop_i = in->stop;
  agent->memory_end_i = in->memory_end;
  agent->fill_valid_i = in->fill_valid;
  agent->fill_instr_i = in->fill_instr;
  agent->aw_valid_i = in->aw_valid;
  agent->aw_addr_i = in->aw_addr;
  agent->aw_beats_i = in->aw_beats;
  agent->aw_instr_i = in->aw_instr;
  agent->w_valid_i = in->w_valid;
  agent->w_strobe_i = in->w_strobe;
  for (unsigned i = 0; i < 8; i++) {
    agent->fill_insn_i[i] = in->fill_insn[i];
    agent->w_data_i[i] = in->w_data[i];
  }
}

static void see_word(struct ma_out *out)
{
  out->l1_side = agent->l1_side_o != 0;
  out->l1_entry = static_cast<uint16_t>(agent->l1_entry_o);
  out->l1_lane = static_cast<uint8_t>(agent->l1_lane_o);
  out->l1_code = static_cast<uint8_t>(agent->l1_code_o);
  for (unsigned i = 0; i < 32; i++) {
    uint64_t two = agent->l1_q_o[7 * i / 32];
    if (7 * i / 32 < 6) two |= static_cast<uint64_t>(agent->l1_q_o[7 * i / 32 + 1]) << 32;
    const unsigned q = static_cast<unsigned>(two >> 7 * i % 32) & 127;
    out->l1_q[i] = static_cast<int8_t>(q < 64 ? static_cast<int>(q) : static_cast<int>(q) - 128);
  }
}

extern "C" void ma_settle(const struct ma_in *in, struct ma_out *out)
{
  drive(in);
  agent->clk_i = 0;
  agent->eval();
  out->fill_ready = agent->fill_ready_o != 0;
  out->aw_ready = agent->aw_ready_o != 0;
  out->w_ready = agent->w_ready_o != 0;
  out->b_valid = agent->b_valid_o != 0;
  out->l1_valid = agent->l1_valid_o != 0;
  if (out->l1_valid) see_word(out);
  out->fault = agent->fault_valid_o != 0;
  out->fault_code = static_cast<uint8_t>(agent->fault_code_o);
  out->fault_arg = agent->fault_arg_o;
  out->fault_instr = static_cast<uint16_t>(agent->fault_instr_o);
  out->idle = agent->idle_o != 0;
  out->progress = agent->progress_o != 0;
  out->poisoned = agent->ev_poisoned_o != 0;
  out->waiting_read = agent->waiting_read_o != 0;
  out->waiting_write = agent->waiting_write_o != 0;
}

extern "C" void ma_clock(void)
{
  agent->clk_i = 1;
  agent->eval();
}
