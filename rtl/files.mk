# SPDX-License-Identifier: Apache-2.0
# The only list of RTL files: lint, simulation, synthesis and mutation all read it.
RTL_INT8 := \
  rtl/common/ktpu_stream_chk.v \
  rtl/common/ktpu_axi_chk.v \
  rtl/common/ktpu_fifo.v \
  rtl/common/ktpu_fifo_bypass.v \
  rtl/common/ktpu_skid.v \
  rtl/common/ktpu_queue.v \
  rtl/common/ktpu_ram_sdp.v \
  rtl/common/ktpu_mul8x2.v \
  rtl/common/ktpu_mac8x2.v \
  rtl/int8/ktpu_int8_rowaddr.v \
  rtl/int8/ktpu_int8_ld.v \
  rtl/int8/ktpu_int8_ex.v \
  rtl/int8/ktpu_int8_hazard.v \
  rtl/int8/ktpu_int8_ld_small.v \
  rtl/int8/ktpu_int8_ex_small.v \
  rtl/int8/ktpu_int8_out_small.v \
  rtl/int8/ktpu_int8_st_small.v \
  rtl/int8/ktpu_int8_back_small.v \
  rtl/int8/ktpu_int8_pe_row.v \
  rtl/int8/ktpu_int8_array.v \
  rtl/int8/ktpu_int8_accu.v \
  rtl/int8/ktpu_int8_shift.v \
  rtl/int8/ktpu_int8_shift_serial.v \
  rtl/int8/ktpu_int8_out.v \
  rtl/int8/ktpu_int8_write.v \
  rtl/int8/ktpu_int8_st.v \
  rtl/int8/ktpu_int8_read.v \
  rtl/int8/ktpu_int8_fetch_instr.v \
  rtl/int8/ktpu_int8_early.v \
  rtl/int8/ktpu_int8_agu.v \
  rtl/int8/ktpu_int8_fields.v \
  rtl/int8/ktpu_int8_header.v \
  rtl/int8/ktpu_int8_field.v \
  rtl/int8/ktpu_int8_seq_small.v \
  rtl/int8/ktpu_int8_contracts.v \
  rtl/int8/ktpu_int8_held.v \
  rtl/int8/ktpu_int8_seq.v \
  rtl/int8/ktpu_int8_prog.v \
  rtl/int8/ktpu_int8_prog_small.v \
  rtl/int8/ktpu_int8_desc.v \
  rtl/int8/ktpu_int8_desc_small.v \
  rtl/int8/ktpu_int8_list.v \
  rtl/int8/ktpu_int8_run.v \
  rtl/int8/ktpu_int8_axil_write.v \
  rtl/int8/ktpu_int8_ctrl.v \
  rtl/int8/ktpu_int8_counters.v \
  rtl/int8/ktpu_int8_port.v \
  rtl/int8/ktpu_int8_states.v \
  rtl/int8/ktpu_int8_events.v \
  rtl/int8/ktpu_int8_front.v \
  rtl/int8/ktpu_int8.v \
  rtl/top/ktpu_axi_arb.v \
  rtl/top/ktpu_top.v
RTL_TOP := ktpu_top

# The device's end of the link.
RTL_LINK := \
  rtl/link/ktpu_link_cobs.v \
  rtl/link/ktpu_link_crc.v \
  rtl/link/ktpu_link_rx.v \
  rtl/link/ktpu_link_fetch.v \
  rtl/link/ktpu_link_judge.v \
  rtl/link/ktpu_link_exec.v \
  rtl/link/ktpu_link_build.v \
  rtl/link/ktpu_link_tx.v \
  rtl/link/ktpu_link_regs.v \
  rtl/link/ktpu_link_axil.v \
  rtl/link/ktpu_link_axi.v \
  rtl/link/ktpu_link_axi_small.v \
  rtl/link/ktpu_link.v

# Between a board's USB chip and the link.
RTL_PHY := \
  rtl/link/ktpu_uart_rx.v \
  rtl/link/ktpu_uart_tx.v \
  rtl/link/ktpu_uart.v \
  rtl/link/ktpu_async_fifo.v \
  rtl/link/ktpu_pin_in.v \
  rtl/link/ktpu_pin_out.v \
  rtl/link/ktpu_ft245_pins.v \
  rtl/link/ktpu_ft245.v

# Memories, and what all boards have in common.
RTL_MEM := \
  rtl/common/ktpu_slice.v \
  rtl/mem/ktpu_spram16k.v \
  rtl/mem/ktpu_mem_address.v \
  rtl/mem/ktpu_mem_spram.v \
  rtl/mem/ktpu_mem_bram.v \
  rtl/board/ktpu_pin_bus.v \
  rtl/board/ktpu_pll_ecp5.v \
  rtl/board/ktpu_reset.v \
  rtl/board/ktpu_system.v

# The memory agent of the MXFP7 machine (with RTL_MX's quantiser and rtl/common/ktpu_fifo.v).
RTL_AGENT := \
  rtl/mem/ktpu_mem_agent_ask.v \
  rtl/mem/ktpu_mem_agent_turn.v \
  rtl/mem/ktpu_mem_agent_take.v \
  rtl/mem/ktpu_mem_agent_write.v \
  rtl/mem/ktpu_mem_agent_store.v \
  rtl/mem/ktpu_mem_agent.v

# Control of the MXFP7 machine, and the machine's top; RTL_MXM, in the Makefile, is all of it.
RTL_CTRL := \
  rtl/ctrl/ktpu_endpoint.v \
  rtl/ctrl/ktpu_mx_dispatch.v \
  rtl/ctrl/ktpu_mx_command.v \
  rtl/ctrl/ktpu_mx_run.v \
  rtl/ctrl/ktpu_mx_counters.v \
  rtl/ctrl/ktpu_mx_ctrl.v
RTL_MX_TOP := rtl/top/ktpu_mx_top.v
