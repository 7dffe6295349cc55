# SPDX-License-Identifier: Apache-2.0
# Self-checking Verilog benches (Icarus): every tests/rtl/tb_*.v is found, none is listed.

RTL_BENCHES := $(patsubst tests/rtl/%.v,$(BUILD)/tests/rtl/%.vvp,$(sort $(wildcard tests/rtl/tb_*.v)))
RTL_SUPPORT := $(filter-out tests/rtl/tb_%,$(wildcard tests/rtl/*.v))

$(BUILD)/tests/rtl/%.vvp: tests/rtl/%.v $(RTL_INT8) $(RTL_HEADERS) $(wildcard tests/rtl/*.vh) $(RTL_SUPPORT) | setup-rtl
	@mkdir -p $(@D)
	$(call say,IV,$@)
	$(Q)iverilog -g2005 -Wall -Wno-timescale $(RTL_INCLUDES) -Itests/rtl -s $* -o $@ \
	  $< $(RTL_SUPPORT) $(RTL_INT8)
