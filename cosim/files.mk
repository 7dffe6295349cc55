# SPDX-License-Identifier: Apache-2.0
# The co-simulation: harness code, one Verilated simulator a variant, the cosim target.
#
# A variant is a directory of build/sim, named after the parameters that make it, such as
# T4-MAXDIM64-BUS64 (ktpu-info --variant prints it); -FST at the end is the build that can write a
# waveform; the same names under build/sim/monitor are builds with tests/cosim/ktpu_top_monitor.v
# around the machine, which counts hazards. A name that begins with the config of an MXFP7 machine,
# such as sim1-KSLICE8, is one of those. ktpu-params turns the parameters into Verilator's flags,
# so no list is kept here.

KT_SRCS += cosim/ks_shm.c cosim/ks_wait.c cosim/ks_link.c cosim/ks_dram.c cosim/ks_rules.c \
  cosim/ks_machine.c cosim/ks_server.c cosim/ks_client.c

CXX := g++
SIM_DIR := $(BUILD)/sim
SIM_OBJS := $(BUILD)/obj/cosim/ks_sim_main.o
SIM_TOOLS := $(BUILD)/bin/ktpu-info $(BUILD)/bin/ktpu-params
SIM_RTL := $(RTL_INT8) $(wildcard rtl/*/*.vh)
SIM_LDLIBS := -lcjson -lz -lpthread -lrt -lm
VERILATOR_FLAGS := --cc -O3 --x-assign fast --x-initial unique --noassert --threads 1 \
  -Wno-lint -Wno-style --prefix Vktpu_top
SIM_OPT ?= -O2
SIM_TOP := cosim/ktpu_sim_top.v
SIM_MONITOR := tests/cosim/ktpu_top_monitor.v
# $(call sim_monitor,STEM): the monitor's file, where the build is one with it
sim_monitor = $(if $(filter monitor/%,$(1)),$(SIM_MONITOR))
VERILATED = $(addprefix $(1)/,verilated.o verilated_threads.o $(if $(findstring -FST,$(1)),verilated_fst_c.o))

comma := ,
CONFIG ?= int8
# What the command line says about the build, as libktpu spells it.
SIM_PARAMS = $(CONFIG)$(if $(T),$(comma)T=$(T))$(if $(MAXDIM),$(comma)MAXDIM=$(MAXDIM))$(if $(BUS),$(comma)BUS=$(BUS))$(if $(PARAMS),$(comma)$(PARAMS))

.PHONY: FORCE
FORCE:

# The flags change with the parameters' defaults too, hence the comparison.
$(SIM_DIR)/%/flags: FORCE | $(SIM_TOOLS)
	@mkdir -p $(@D)
	@p=$$($(BUILD)/bin/ktpu-info --params-of $(notdir $*)) && \
	{ $(BUILD)/bin/ktpu-params -f verilator "$$p" && \
	  echo "-DKS_PARAMS='\"$$($(BUILD)/bin/ktpu-info --canonical $$p)\"'"; } > $@.new && \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Only what Verilator wrote differently takes the place of the old, so that an edit that does not reach a
# build (of a comment, or of a module that it does not have) compiles nothing.
$(SIM_DIR)/%/verilated: $(SIM_DIR)/%/flags $(SIM_RTL) $(SIM_TOP) $(SIM_MONITOR) cosim/files.mk | setup-rtl
	@echo "verilator $*"
	@rm -rf $(@D)/new
	@verilator $(VERILATOR_FLAGS) $(if $(findstring -FST,$*),--trace-fst) $(RTL_INCLUDES) \
	  --top-module ktpu_sim_top $(if $(call sim_monitor,$*),-DKTPU_SIM_MACHINE=ktpu_top_monitor) \
	  $$(sed -n 1p $<) --Mdir $(@D)/new $(SIM_TOP) $(call sim_monitor,$*) $(RTL_INT8)
	@cd $(@D) && for f in $$(ls | grep "^Vktpu_top.*\.\(cpp\|h\)$$" | grep -v __ALL); do [ -e new/$$f ] || rm -f $$f; done; \
	  for f in new/*.cpp new/*.h new/*.mk; do cmp -s $$f $${f#new/} || mv $$f .; done; rm -rf new
	@$(call sim_compile,$*)
	@touch $@
$(SIM_DIR)/%/Vktpu_top__ALL.a: $(SIM_DIR)/%/verilated ;

# $(call sim_compile,STEM): the C++ that Verilator wrote
sim_compile = $(MAKE) -C $(@D) -f Vktpu_top.mk OPT_FAST="$(SIM_OPT)" OPT_SLOW=-O1 OPT_GLOBAL=-O2 \
  Vktpu_top__ALL.a $(notdir $(call VERILATED,$(1))) > $(@D)/compile.log 2>&1 || { cat $(@D)/compile.log; exit 1; }

# The same for the MXFP7 machine, whose top has the same pins.
SIM_MX_TOP := cosim/ktpu_sim_mx.v
$(SIM_DIR)/sim%/Vktpu_top__ALL.a: $(SIM_DIR)/sim%/flags $(RTL_MXM) $(wildcard rtl/*/*.vh) $(SIM_MX_TOP) cosim/files.mk | setup-rtl
	@echo "verilator sim$*"
	@verilator $(VERILATOR_FLAGS) $(if $(findstring -FST,$*),--trace-fst) $(RTL_INCLUDES) \
	  --top-module ktpu_sim_top $$(sed -n 1p $<) --Mdir $(@D) $(SIM_MX_TOP) $(RTL_MXM)
	@$(call sim_compile,$*)

$(SIM_DIR)/%/ktpu-sim: $(SIM_DIR)/%/Vktpu_top__ALL.a cosim/ks_shim.cpp cosim/ks_shim.h cosim/ks_pins.h \
    $(SIM_OBJS) $(LIB)
	@eval "$(CXX) -std=c++17 -O2 -Wall -Wextra -Werror -I. -I$(@D) \
	  -DVM_TRACE=$(if $(findstring -FST,$*),1,0) $$(sed -n 2p $(@D)/flags) \
	  -isystem $$(verilator --getenv VERILATOR_ROOT)/include \
	  -isystem $$(verilator --getenv VERILATOR_ROOT)/include/vltstd -c cosim/ks_shim.cpp -o $(@D)/ks_shim.o"
	@echo "LD    $@"
	@$(CXX) -o $@ $(@D)/ks_shim.o $(SIM_OBJS) $(@D)/Vktpu_top__ALL.a $(call VERILATED,$(@D)) $(LIB) $(SIM_LDLIBS)

.PHONY: sim
sim: $(SIM_TOOLS) ## build one simulator: CONFIG= T= MAXDIM= BUS= PARAMS=NAME=VALUE,.. [WAVE=1]
	@v=$$($(BUILD)/bin/ktpu-info --variant '$(SIM_PARAMS)') && \
	$(MAKE) $(SIM_DIR)/$$v$(if $(filter 1,$(WAVE)),-FST)/ktpu-sim

# The simulators that the tests use, and the list that tells the tests so.
SIM_TESTED := $(KT_TESTED:%=$(SIM_DIR)/%/ktpu-sim) $(KT_MONITORED:%=$(SIM_DIR)/monitor/%/ktpu-sim)
$(SIM_DIR)/tested: $(SIM_TESTED)
	@mkdir -p $(@D)
	@echo $(KT_TESTED) > $@
$(SIM_DIR)/tested-mx: $(KT_MX_TESTED:%=$(SIM_DIR)/%/ktpu-sim)
	@echo $(KT_MX_TESTED) > $@
build-cosim: $(SIM_DIR)/tested $(SIM_DIR)/tested-mx $(BUILD)/bin/ktpu-run

# ENGINE: int8, mxfp7 (config sim1 unless CONFIG says otherwise) or all, which runs both; then CONFIG
# is the int8 one's, and JSON=x.json is int8's, x-mxfp7.json the other's.
ENGINE ?= int8
SHAPE ?= 64x64x64
ifeq ($(ENGINE),mxfp7)
cosim sim: CONFIG = $(if $(filter command line environment,$(origin CONFIG)),$(CONFIG),sim1)
endif
COSIM_FLAGS = --shape $(SHAPE) --seed $(SEED) --compare $(if $(LATENCY),--latency $(LATENCY)) \
  $(if $(filter 1,$(PREQUANTISED)),--prequantised) $(if $(OUT),--out $(OUT)) \
  $(if $(filter 1,$(WAVE)),--wave $(BUILD)/cosim.fst)
ifeq ($(ENGINE),all)
cosim: cosim-int8
	@$(MAKE) cosim ENGINE=mxfp7 CONFIG=sim1 PARAMS= T= MAXDIM= BUS= OUT= \
	  JSON=$(if $(JSON),$(JSON:.json=-mxfp7.json))
.PHONY: cosim-int8
cosim-int8:
	@$(MAKE) cosim ENGINE=int8 PREQUANTISED=
else
cosim: sim $(BUILD)/bin/ktpu-run
	@$(BUILD)/bin/ktpu-run gemm $(COSIM_FLAGS) --engine $(ENGINE) --device 'sim:$(SIM_PARAMS)' \
	  $(if $(JSON),--json $(JSON))
endif
