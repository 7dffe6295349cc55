# SPDX-License-Identifier: Apache-2.0
# Self-checking Verilog benches (Icarus): every tests/rtl/tb_*.v is found, none is listed.

RTL_BENCHES := $(patsubst tests/rtl/%.v,$(BUILD)/tests/rtl/%.vvp,$(sort $(wildcard tests/rtl/tb_*.v)))
# Where Yosys keeps its models of FPGA cells: one bench simulates one of them.
YOSYS_SHARE = $(abspath $(dir $(shell command -v yosys))/../share/yosys)
RTL_SUPPORT := $(filter-out tests/rtl/tb_%,$(wildcard tests/rtl/*.v))

# A MULT18X18D has a hundred pins that are left open on purpose.
IVERILOG_tb_ktpu_mul8x2_ecp5 := -Wno-portbind

$(BUILD)/tests/rtl/%.vvp: tests/rtl/%.v $(RTL_ALL) $(RTL_HEADERS) $(wildcard tests/rtl/*.vh) $(RTL_SUPPORT) tests/netlist/ecp5_cells.v | setup-rtl setup-synth
	@mkdir -p $(@D)
	$(call say,IV,$@)
	$(Q)iverilog -g2005 -Wall -Wno-timescale $(IVERILOG_$*) $(RTL_INCLUDES) -Itests/rtl -I$(YOSYS_SHARE) -s $* -o $@ \
	  $< $(RTL_SUPPORT) $(RTL_ALL)
