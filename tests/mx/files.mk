# SPDX-License-Identifier: Apache-2.0
# The arithmetic of the MXFP7 engine, Verilated, against the reference model.
MX_DIR := $(BUILD)/mx
MX_RTL := $(RTL_MX) tests/mx/ktpu_mx_bench.v

$(MX_DIR)/Vktpu_mx_bench__ALL.a: $(MX_RTL) tests/mx/files.mk | setup-rtl
	@mkdir -p $(@D)
	@echo "verilator ktpu_mx_bench"
	@verilator --cc -O3 --x-assign fast --noassert -Wno-lint -Wno-style $(RTL_INCLUDES) --top-module ktpu_mx_bench \
	  --Mdir $(@D) $(MX_RTL)
	@$(MAKE) -C $(@D) -f Vktpu_mx_bench.mk OPT_FAST=-O2 $(@F) verilated.o verilated_threads.o > $(@D)/compile.log 2>&1 || \
	  { cat $(@D)/compile.log; exit 1; }

$(MX_DIR)/mx_rtl.o: tests/mx/mx_rtl.cpp tests/mx/mx_rtl.h $(MX_DIR)/Vktpu_mx_bench__ALL.a
	@$(CXX) -std=c++17 -O2 -Wall -Wextra -Werror -I. -I$(MX_DIR) -isystem $$(verilator --getenv VERILATOR_ROOT)/include \
	  -isystem $$(verilator --getenv VERILATOR_ROOT)/include/vltstd -c $< -o $@

$(BUILD)/tests/mx/test_mx_rtl: $(BUILD)/obj/tests/mx/test_mx_rtl.o $(MX_DIR)/mx_rtl.o $(LIB)
	@mkdir -p $(@D)
	@echo "LD    $@"
	@$(CXX) -o $@ $(filter %.o,$^) $(MX_DIR)/Vktpu_mx_bench__ALL.a $(MX_DIR)/verilated.o $(MX_DIR)/verilated_threads.o \
	  $(LIB) $(KT_LDLIBS) $(TEST_LDLIBS)

build-cosim: $(BUILD)/tests/mx/test_mx_rtl
.PHONY: test-mx
test-mx: $(BUILD)/tests/mx/test_mx_rtl ## the MXFP7 engine's Verilog against the model
	@$<
