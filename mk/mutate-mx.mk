# SPDX-License-Identifier: Apache-2.0
# Mutation of the MXFP7 machine's Verilog (tools/mutate_rtl.py), and the tests that its mutants meet.

MX_MUTANT_FILES := $(RTL_MX) $(RTL_CLUSTER) $(RTL_AGENT) $(RTL_CTRL) $(RTL_MX_TOP)
# The bench that knows a file best comes first: arithmetic, agent, control; the cluster's files meet whole programs
# on the small build of the machine.
MX_FIRST := --first '/ktpu_mx_(code|quotient|quant|dot)\.v|/ktpu_fp22=make fast-mx-arithmetic' \
  --first '/ktpu_mem_agent_store=make fast-mx-cosim' --first 'rtl/mem/=make fast-mx-agent' \
  --first 'rtl/ctrl/|rtl/top/=make fast-mx-ctrl'
MX_STEPS := programs arithmetic agent ctrl cosim machine cluster

.PHONY: mutate-mx $(MX_STEPS:%=fast-mx-%)
mutate: mutate-mx
mutate-mx: $(MX_STEPS:%=fast-mx-%) ## break the MXFP7 machine's Verilog: do the tests notice? [SEED= N= JOBS= AGAIN=]
	@MX_OPT=-O1 SIM_OPT=-O1 nice -n 10 $(PYTHON) tools/mutate_rtl.py --seed $(SEED) --count $(N) --jobs $(JOBS) \
	  --out $(BUILD)/mutate-mx $(if $(AGAIN),--again $(AGAIN)) $(MX_FIRST) $(MX_STEPS:%=--step 'make fast-mx-%') \
	  $(MX_MUTANT_FILES)

MX_TESTS_programs   := test_mx_programs_small
MX_TESTS_arithmetic := test_mx_rtl
MX_TESTS_agent      := test_mx_agent
MX_TESTS_ctrl       := test_mx_ctrl test_mx_stop
MX_TESTS_cluster    := test_mx_cluster test_mx_cluster_faults
MX_TESTS_machine    := test_mx_programs test_mx_machine test_mx_time

define fast_mx
fast-mx-$(1): $(BUILD)/fast/mx-$(1).ok
$(BUILD)/fast/mx-$(1).ok: $(MX_TESTS_$(1):%=$(BUILD)/tests/mx/%)
	@mkdir -p $$(@D)
	@for t in $$^; do $$$$t --fail-fast || exit 1; done
	@touch $$@
endef
$(foreach s,programs arithmetic agent ctrl cluster machine,$(eval $(call fast_mx,$(s))))

# Over the simulator's process, as ktpu-run does: small capacities, which force rounds.
MX_FAST_SIM := $(lastword $(KT_MX_TESTED))
MX_FAST_COSIM := $(patsubst %,$(BUILD)/tests/cosim/test_mx%,_quantise _faults) $(BUILD)/tests/cosim/test_mx
fast-mx-cosim: $(BUILD)/fast/mx-cosim.ok
$(BUILD)/fast/mx-cosim.ok: $(SIM_DIR)/$(MX_FAST_SIM)/ktpu-sim $(MX_FAST_COSIM)
	@mkdir -p $(@D)
	@for t in $(MX_FAST_COSIM); do KTPU_TEST_MX=$(MX_FAST_SIM) $$t --fail-fast || exit 1; done
	@touch $@
