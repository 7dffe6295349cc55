# SPDX-License-Identifier: Apache-2.0
# The arithmetic of the MXFP7 engine, Verilated, against the reference model.
#
# $(call mx_opt,FLAG,OTHERS): how the C++ of a model is optimised; MX_OPT= (as make mutate-mx sets it) is for
# models that hardly run.
MX_OPT ?=
mx_opt = OPT_FAST=$(or $(MX_OPT),$(1)) $(if $(MX_OPT),OPT_SLOW=-O0 OPT_GLOBAL=-O0,$(2))
MX_DIR := $(BUILD)/mx
MX_RTL := $(RTL_MX) tests/mx/ktpu_mx_bench.v

$(MX_DIR)/Vktpu_mx_bench__ALL.a: $(MX_RTL) tests/mx/files.mk | setup-rtl
	@mkdir -p $(@D)
	@echo "verilator ktpu_mx_bench"
	@verilator --cc -O3 --x-assign fast --noassert -Wno-lint -Wno-style $(RTL_INCLUDES) --top-module ktpu_mx_bench \
	  --Mdir $(@D) $(MX_RTL)
	@$(MAKE) -C $(@D) -f Vktpu_mx_bench.mk $(call mx_opt,-O2) $(@F) verilated.o verilated_threads.o > $(@D)/compile.log 2>&1 || \
	  { cat $(@D)/compile.log; exit 1; }

$(MX_DIR)/mx_rtl.o: tests/mx/mx_rtl.cpp tests/mx/mx_rtl.h $(MX_DIR)/Vktpu_mx_bench__ALL.a
	@$(CXX) -std=c++17 -O2 -Wall -Wextra -Werror -I. -I$(MX_DIR) -isystem $$(verilator --getenv VERILATOR_ROOT)/include \
	  -isystem $$(verilator --getenv VERILATOR_ROOT)/include/vltstd -c $< -o $@

$(BUILD)/tests/mx/test_mx_rtl: $(BUILD)/obj/tests/mx/test_mx_rtl.o $(MX_DIR)/mx_rtl.o $(LIB)
	@mkdir -p $(@D)
	@echo "LD    $@"
	@$(CXX) -o $@ $(filter %.o,$^) $(MX_DIR)/Vktpu_mx_bench__ALL.a $(MX_DIR)/verilated.o $(MX_DIR)/verilated_threads.o \
	  $(LIB) $(KT_LDLIBS) $(TEST_LDLIBS)

# The cluster alone, a Verilated model a build: KSLICE PACKED ACC_MW L1_ENTRIES TILES.
CL_BUILDS := 0 1 2 3 4
CL_PARAMS_0 := 32 0 14 512 512
CL_PARAMS_1 := 32 1 10 64 64
CL_PARAMS_2 := 16 1 14 16 16
CL_PARAMS_3 := 8 0 10 128 256
CL_PARAMS_4 := 4 1 18 32 32
CL_NAMES := KSLICE PACKED ACC_MW L1_ENTRIES TILES
CL_RTL := $(RTL_MX) $(RTL_CLUSTER) rtl/common/ktpu_fifo.v rtl/common/ktpu_ram_sdp.v
CL_LIBS := $(foreach b,$(CL_BUILDS),$(BUILD)/mx/cl$(b)/Vcl$(b)__ALL.a)
CL_OBJS := $(foreach b,$(CL_BUILDS),$(BUILD)/mx/cl$(b)/cl_rtl.o)
cl_settings = $(foreach n,1 2 3 4 5,$(1)$(word $(n),$(CL_NAMES))=$(word $(n),$(CL_PARAMS_$(2))))

define cluster_build
$(BUILD)/mx/cl$(1)/Vcl$(1)__ALL.a: $(CL_RTL) $(RTL_HEADERS) tests/mx/files.mk | setup-rtl
	@mkdir -p $$(@D)
	@echo "verilator ktpu_cluster $(call cl_settings,,$(1))"
	@verilator --cc -O3 --x-assign unique --x-initial unique --noassert -Wno-lint -Wno-style $(RTL_INCLUDES) \
	  --top-module ktpu_cluster --prefix Vcl$(1) $(call cl_settings,-G,$(1)) --Mdir $$(@D) $(CL_RTL)
	@$$(MAKE) -C $$(@D) -f Vcl$(1).mk $(call mx_opt,-O1) $$(@F) verilated.o verilated_threads.o > $$(@D)/compile.log 2>&1 || \
	  { cat $$(@D)/compile.log; exit 1; }

$(BUILD)/mx/cl$(1)/cl_rtl.o: tests/mx/cl_rtl.cpp tests/mx/cl_rtl.h $(BUILD)/mx/cl$(1)/Vcl$(1)__ALL.a
	@$$(CXX) -std=c++17 -O2 -Wall -Wextra -Werror -I. -I$$(@D) -isystem $$$$(verilator --getenv VERILATOR_ROOT)/include \
	  -isystem $$$$(verilator --getenv VERILATOR_ROOT)/include/vltstd -DCL_MODEL=Vcl$(1) -DCL_BUILD=cl_build_$(1) \
	  $(call cl_settings,-DCL_,$(1)) -c $$< -o $$@
endef
$(foreach b,$(CL_BUILDS),$(eval $(call cluster_build,$(b))))

CL_PARTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard tests/mx/cl_*.c)))
-include $(CL_PARTS:.o=.d) $(BUILD)/obj/tests/mx/test_mx_cluster.d $(BUILD)/obj/tests/mx/test_mx_cluster_faults.d
CL_TESTS := $(BUILD)/tests/mx/test_mx_cluster $(BUILD)/tests/mx/test_mx_cluster_faults
$(CL_TESTS): $(BUILD)/tests/mx/%: $(BUILD)/obj/tests/mx/%.o $(CL_PARTS) $(CL_OBJS) $(LIB)
	@mkdir -p $(@D)
	@echo "LD    $@"
	@$(CXX) -o $@ $(filter %.o,$^) $(CL_LIBS) $(BUILD)/mx/cl0/verilated.o $(BUILD)/mx/cl0/verilated_threads.o \
	  $(LIB) $(KT_LDLIBS) $(TEST_LDLIBS)

build-cosim: $(BUILD)/tests/mx/test_mx_rtl $(CL_TESTS)
.PHONY: test-mx test-mx-cluster
test-mx: $(BUILD)/tests/mx/test_mx_rtl test-mx-cluster ## the MXFP7 engine's Verilog against the model
	@$<
test-mx-cluster: $(CL_TESTS) ## its cluster alone
	@set -e; for t in $^; do $$t; done

# The memory agent in front of the harness's simulated memory.
MA_DIR := $(BUILD)/mx-agent
MA_RTL := $(RTL_AGENT) $(RTL_MX) rtl/common/ktpu_fifo.v

$(MA_DIR)/Vktpu_mem_agent__ALL.a: $(MA_RTL) $(RTL_HEADERS) tests/mx/files.mk | setup-rtl
	@mkdir -p $(@D)
	@echo "verilator ktpu_mem_agent"
	@verilator --cc -O3 --x-assign fast --x-initial unique --assert -Wno-lint -Wno-style $(RTL_INCLUDES) \
	  --top-module ktpu_mem_agent --Mdir $(@D) $(MA_RTL)
	@$(MAKE) -C $(@D) -f Vktpu_mem_agent.mk $(call mx_opt,-O2) $(@F) verilated.o verilated_threads.o > $(@D)/compile.log 2>&1 || \
	  { cat $(@D)/compile.log; exit 1; }

$(MA_DIR)/ma_rtl.o: tests/mx/ma_rtl.cpp tests/mx/ma_rtl.h $(MA_DIR)/Vktpu_mem_agent__ALL.a
	@$(CXX) -std=c++17 -O2 -Wall -Wextra -Werror -I. -I$(MA_DIR) -isystem $$(verilator --getenv VERILATOR_ROOT)/include \
	  -isystem $$(verilator --getenv VERILATOR_ROOT)/include/vltstd -c $< -o $@

$(BUILD)/tests/mx/test_mx_agent: $(BUILD)/obj/tests/mx/test_mx_agent.o $(BUILD)/obj/tests/mx/ma_bench.o $(MA_DIR)/ma_rtl.o $(LIB)
	@mkdir -p $(@D)
	@echo "LD    $@"
	@$(CXX) -o $@ $(filter %.o,$^) $(MA_DIR)/Vktpu_mem_agent__ALL.a $(MA_DIR)/verilated.o $(MA_DIR)/verilated_threads.o \
	  $(LIB) $(KT_LDLIBS) $(TEST_LDLIBS)

build-cosim: $(BUILD)/tests/mx/test_mx_agent

# The control side of the machine around a stand-in for the cluster.
MC_DIR := $(BUILD)/mx-ctrl
MC_RTL := $(RTL_CTRL) $(RTL_AGENT) $(RTL_MX) rtl/common/ktpu_fifo.v rtl/common/ktpu_ram_sdp.v rtl/top/ktpu_axi_arb.v \
  rtl/top/ktpu_mx_top.v cosim/ktpu_sim_mx.v tests/mx/ktpu_cluster_fake.v
MC_PARAMS := -GSTAGING=64 -GCOMMANDS=32 -GIFIFO=8 -GOUTSTANDING=8 "-GCONFIG_HASH=32'h12345678"

$(MC_DIR)/Vktpu_top__ALL.a: $(MC_RTL) $(RTL_HEADERS) tests/mx/files.mk | setup-rtl
	@mkdir -p $(@D)
	@echo "verilator ktpu_mx_top around ktpu_cluster_fake"
	@verilator --cc -O3 --x-assign fast --x-initial unique --assert -Wno-lint -Wno-style --prefix Vktpu_top \
	  $(RTL_INCLUDES) --top-module ktpu_sim_top $(MC_PARAMS) --Mdir $(@D) $(MC_RTL)
	@$(MAKE) -C $(@D) -f Vktpu_top.mk $(call mx_opt,-O2) $(@F) verilated.o verilated_threads.o > $(@D)/compile.log 2>&1 || \
	  { cat $(@D)/compile.log; exit 1; }

$(MC_DIR)/ks_shim.o: cosim/ks_shim.cpp cosim/ks_shim.h cosim/ks_pins.h $(MC_DIR)/Vktpu_top__ALL.a
	@$(CXX) -std=c++17 -O2 -Wall -Wextra -Werror -I. -I$(MC_DIR) -DVM_TRACE=0 '-DKS_PARAMS="mx"' \
	  -isystem $$(verilator --getenv VERILATOR_ROOT)/include \
	  -isystem $$(verilator --getenv VERILATOR_ROOT)/include/vltstd -c $< -o $@

MC_TESTS := $(BUILD)/tests/mx/test_mx_ctrl $(BUILD)/tests/mx/test_mx_stop
$(MC_TESTS): $(BUILD)/tests/mx/%: $(BUILD)/obj/tests/mx/%.o $(BUILD)/obj/tests/mx/mc_bench.o $(MC_DIR)/ks_shim.o $(LIB)
	@mkdir -p $(@D)
	@echo "LD    $@"
	@$(CXX) -o $@ $(filter %.o,$^) $(MC_DIR)/Vktpu_top__ALL.a $(MC_DIR)/verilated.o $(MC_DIR)/verilated_threads.o \
	  $(LIB) $(KT_LDLIBS) $(TEST_LDLIBS)

build-cosim: $(MC_TESTS)

# The whole machine, in two builds: sim1, and one in which everything is short. $(1) is its folder's name, $(2) its
# parameters; programs are linked with it.
MM_PARAMS_sim1 := sim1
MM_PARAMS_small := sim1,KSLICE=4,PACKED=1,ACC_MW=10,L1_ENTRIES=32,TILES=32,IFIFO=8,STAGING=256,COMMANDS=32,OUTSTANDING=8
mm_flags = $(patsubst %,-G%,$(filter-out sim1,$(subst $(comma), ,$(MM_PARAMS_$(1)))))

define mm_build
$(BUILD)/mx-$(1)/Vktpu_top__ALL.a: $(RTL_MXM) $(RTL_HEADERS) cosim/ktpu_sim_mx.v tests/mx/files.mk | setup-rtl
	@mkdir -p $$(@D)
	@echo "verilator ktpu_mx_top, $(1)"
	@verilator --cc -O3 --x-assign fast --x-initial unique --noassert -Wno-lint -Wno-style --prefix Vktpu_top \
	  $(if $(WAVE),--trace-fst) $(RTL_INCLUDES) --top-module ktpu_sim_top $(call mm_flags,$(1)) --Mdir $$(@D) $(RTL_MXM) \
	  cosim/ktpu_sim_mx.v
	@$$(MAKE) -C $$(@D) -f Vktpu_top.mk $(call mx_opt,-O2,OPT_SLOW=-O1 OPT_GLOBAL=-O2) $$(@F) verilated.o verilated_threads.o \
	  $(if $(WAVE),verilated_fst_c.o) > $$(@D)/compile.log 2>&1 || { cat $$(@D)/compile.log; exit 1; }

$(BUILD)/mx-$(1)/ks_shim.o: cosim/ks_shim.cpp cosim/ks_shim.h cosim/ks_pins.h $(BUILD)/mx-$(1)/Vktpu_top__ALL.a
	@$$(CXX) -std=c++17 -O2 -Wall -Wextra -Werror -I. -I$$(@D) -DVM_TRACE=$(if $(WAVE),1,0) \
	  '-DKS_PARAMS="$(MM_PARAMS_$(1))"' -isystem $$$$(verilator --getenv VERILATOR_ROOT)/include \
	  -isystem $$$$(verilator --getenv VERILATOR_ROOT)/include/vltstd -c $$< -o $$@
endef
$(eval $(call mm_build,sim1))
$(eval $(call mm_build,small))

# Each is linked with the build that its name ends in, sim1 where it ends in none.
mm_of = $(if $(filter %_small,$(1)),small,sim1)
define mm_test
$(BUILD)/tests/mx/$(1): $(BUILD)/obj/tests/mx/$(1).o $(BUILD)/obj/tests/mx/mm_bench.o \
    $(BUILD)/obj/tests/support/mx_bench.o $(BUILD)/mx-$(call mm_of,$(1))/ks_shim.o $(LIB)
	@mkdir -p $$(@D)
	@echo "LD    $$@"
	@$$(CXX) -o $$@ $$(filter %.o,$$^) $$(patsubst %,$(BUILD)/mx-$(call mm_of,$(1))/%,Vktpu_top__ALL.a verilated.o \
	  verilated_threads.o $(if $(WAVE),verilated_fst_c.o)) $(LIB) $(KT_LDLIBS) $(TEST_LDLIBS) -lz
build-cosim: $(BUILD)/tests/mx/$(1)
endef
$(foreach t,test_mx_machine test_mx_time test_mx_programs test_mx_programs_small,$(eval $(call mm_test,$(t))))
