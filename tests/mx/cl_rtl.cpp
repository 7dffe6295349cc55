// SPDX-License-Identifier: Apache-2.0
// One Verilated cluster behind the functions of cl_rtl.h. CL_MODEL is its class, CL_BUILD the name of
// its table; CL_KSLICE and so on are its parameters.
#include "tests/mx/cl_rtl.h"

#define CL_TEXT(x) CL_TEXT_(x)
#define CL_TEXT_(x) #x
#define CL_HEADER_(x) CL_TEXT(x.h)
#include CL_HEADER_(CL_MODEL)

static void *make()
{
  return new CL_MODEL;
}

static void destroy(void *model)
{
  delete static_cast<CL_MODEL *>(model);
}

static void put(CL_MODEL *m, const struct cl_in *in)
{
  m->rst_i = in->rst;
  m->clear_i = in->clear;
  m->stop_i = in->stop;
  m->insn_valid_i = in->insn_valid;
  m->insn_last_i = in->insn_last;
  for (int i = 0; i < 8; i++) m->insn_i[i] = in->insn[i];
  m->fill_ready_i = in->fill_ready;
  m->l1_valid_i = in->l1_valid;
  m->l1_side_i = in->l1_side;
  m->l1_entry_i = in->l1_entry;
  m->l1_lane_i = in->l1_lane;
  m->l1_code_i = in->l1_code;
  for (int i = 0; i < 7; i++) m->l1_q_i[i] = in->l1_q[i];
  m->aw_ready_i = in->aw_ready;
  m->w_ready_i = in->w_ready;
  m->b_valid_i = in->b_valid;
}

static void get(const CL_MODEL *m, struct cl_out *out)
{
  out->insn_ready = m->insn_ready_o;
  out->accept_done = m->accept_done_o;
  out->done_drain = m->done_drain_o;
  out->done_drain_last = m->done_drain_last_o;
  out->fault = m->fault_valid_o;
  out->code = m->fault_code_o;
  out->field = m->fault_field_o;
  out->arg = m->fault_arg_o;
  out->fault_instr = m->fault_instr_o;
  out->fill_valid = m->fill_valid_o;
  out->fill_instr = m->fill_instr_o;
  out->aw_valid = m->aw_valid_o;
  out->aw_addr = m->aw_addr_o;
  out->aw_beats = m->aw_beats_o;
  out->aw_instr = m->aw_instr_o;
  out->w_valid = m->w_valid_o;
  out->w_strobe = m->w_strobe_o;
  for (int i = 0; i < 8; i++) {
    out->fill_insn[i] = m->fill_insn_o[i];
    out->w_data[i] = m->w_data_o[i];
  }
  out->idle = m->idle_o;
  out->undrained = m->undrained_o;
  out->waiting = m->waiting_o;
  out->progress = m->progress_o;
  out->state = m->sweep_state_o;
  out->step = m->step_o;
  out->overflow = m->ev_overflow_o;
  out->clamped = m->ev_clamped_o;
  out->flushed = m->ev_flushed_o;
  out->nan = m->ev_nan_o;
}

static void look(void *model, const struct cl_in *in, struct cl_out *out)
{
  CL_MODEL *m = static_cast<CL_MODEL *>(model);
  put(m, in);
  m->clk_i = 0;
  m->eval();
  get(m, out);
}

static void rise(void *model)
{
  CL_MODEL *m = static_cast<CL_MODEL *>(model);
  m->clk_i = 1;
  m->eval();
}

extern "C" const struct cl_build CL_BUILD;
const struct cl_build CL_BUILD = {
    "KSLICE=" CL_TEXT(CL_KSLICE) " PACKED=" CL_TEXT(CL_PACKED) " ACC_MW=" CL_TEXT(CL_ACC_MW),
    CL_KSLICE, CL_PACKED, CL_ACC_MW, CL_L1_ENTRIES, CL_TILES, make, destroy, look, rise};
