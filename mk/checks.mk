# SPDX-License-Identifier: Apache-2.0
# Everything that judges a change: lint, tests, sanitizers, mutation, area.

.PHONY: lint lint-rtl lint-style lint-docs lint-headers
lint: lint-rtl lint-headers lint-style lint-docs ## Verilator, Icarus and Yosys on all RTL; style, docs and header gates

# ---- RTL, three tools, every build -----------------------------------------------------------

RTL_TOPS ?= $(filter ktpu_top ktpu_int8,$(basename $(notdir $(RTL_INT8))))
# $(call params_of,NAME): a command that prints a build's parameters as libktpu spells them.
params_of = $(if $(filter T%,$(1)),$(BUILD)/bin/ktpu-info --params-of $(1),echo $(1))
LINT_STAMPS := $(foreach t,$(RTL_TOPS),$(foreach b,$(KT_TESTED) $(KT_CONFIGS),$(BUILD)/lint/$(t)/$(b).ok))

# The MXFP7 machine: its defaults (sim1) and the smallest build.
LINT_MX_sim1 := -
LINT_MX_least := -GKSLICE=4 -GPACKED=1 -GACC_MW=10 -GL1_ENTRIES=16 -GTILES=16 -GIFIFO=8 -GSTAGING=64 -GCOMMANDS=32 \
  -GOUTSTANDING=8 -GADDR_BITS=18
LINT_MX_STAMPS := $(BUILD)/lint/ktpu_mx_top/sim1.ok $(BUILD)/lint/ktpu_mx_top/least.ok

$(LINT_MX_STAMPS): $(BUILD)/lint/ktpu_mx_top/%.ok: $(RTL_MXM) $(RTL_HEADERS) tools/lint_rtl.sh $(wildcard lint/*) \
  | setup-rtl setup-synth
	@RTL_INCLUDES="$(RTL_INCLUDES)" tools/lint_rtl.sh ktpu_mx_top "$(LINT_MX_$*)" $(@D)/$* $(RTL_MXM)
	@touch $@

# The link alone with its own parameters, and each board's top with its config's.
LINT_BOARDS := ktpu_link/defaults ktpu_icebreaker/ice40 ktpu_ecp5_evn/ecp5-int8 \
  ktpu_ecp5_ft245/ecp5-int8 ktpu_ecpix5/ecp5-int8
LINT_BOARD_STAMPS := $(LINT_BOARDS:%=$(BUILD)/lint-boards/%.ok)
RTL_BOARD_TOPS := $(filter-out fpga/harness/%,$(sort $(wildcard fpga/*/*.v)))

lint-rtl: $(LINT_STAMPS) $(LINT_MX_STAMPS) $(LINT_BOARD_STAMPS)
	@printf 'lint: %d readings of the RTL by three tools are clean\n' $(words $^)

$(BUILD)/lint/%.ok: $(RTL_INT8) $(RTL_HEADERS) tools/lint_rtl.sh $(wildcard lint/*) \
  | $(BUILD)/bin/ktpu-params $(BUILD)/bin/ktpu-info setup-rtl setup-synth
	@KTPU_PARAMS=$(BUILD)/bin/ktpu-params RTL_INCLUDES="$(RTL_INCLUDES)" tools/lint_rtl.sh \
	  $(patsubst %/,%,$(dir $*)) "$$($(call params_of,$(notdir $*)))" $(@D)/$(notdir $*) $(RTL_INT8)
	@touch $@

$(BUILD)/lint-boards/%.ok: $(RTL_ALL) $(RTL_BOARD_TOPS) $(RTL_HEADERS) tools/lint_rtl.sh $(wildcard lint/*) \
  | $(BUILD)/bin/ktpu-params setup-rtl setup-synth
	@KTPU_PARAMS=$(BUILD)/bin/ktpu-params RTL_INCLUDES="$(RTL_INCLUDES)" tools/lint_rtl.sh \
	  $(patsubst %/,%,$(dir $*)) $(patsubst defaults,-,$(notdir $*)) $(@D)/$(notdir $*) $(RTL_ALL) $(RTL_BOARD_TOPS)
	@touch $@

# ---- Headers compile alone -------------------------------------------------------------------

HEADERS := $(sort $(wildcard spec/*.h spec/*/*.h compiler/*/*.h host/*.h host/*/*.h cosim/*.h cosim/*/*.h tests/support/*.h))
HEADER_STAMPS := $(HEADERS:%=$(BUILD)/headers/%.ok)

lint-headers: $(HEADER_STAMPS)
	@printf 'lint: %d headers compile alone\n' $(words $(HEADER_STAMPS))

$(BUILD)/headers/%.ok: % | setup-test
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $< | $(CC) $(CFLAGS) -Itests -x c -fsyntax-only \
	  -MMD -MP -MT $@ -MF $(@:.ok=.d) -
	@touch $@
-include $(HEADER_STAMPS:.ok=.d)

# ---- Style and docs --------------------------------------------------------------------------

lint-style: | setup-c
	@$(PYTHON) tools/style_gate.py --rtl-list $(RTL_ALL)
lint-docs: | setup-c
	@$(PYTHON) tools/docs_gate.py

# ---- Tests -----------------------------------------------------------------------------------

RUN_TESTS := $(PYTHON) tools/run_tests.py --build $(BUILD) --seed $(SEED)

.PHONY: build-units build-benches build-cosim build-boards
build-units: $(UNIT_TESTS)
build-benches: $(RTL_BENCHES)
build-cosim: $(COSIM_TESTS)
build-boards: boards $(BOARD_TESTS) $(BUILD)/bin/ktpu-run $(BUILD)/bin/ktpu-info $(BUILD)/bin/ktpu-digits

# ---- Cycles that the tested builds take, kept in tests/golden/cycles ----

.PHONY: cycles
cycles: $(KT_TESTED:%=$(SIM_DIR)/%/ktpu-sim) $(BUILD)/tests/cosim/test_cycles ## measure anew what test_cycles compares with: cycles of every tested build, and what its units did
	@v=$$(for c in $(KT_FORMS); do echo $$c; done; for c in $(KT_CONFIGS); do $(BUILD)/bin/ktpu-info --variant $$c; done) && \
	for s in $$v; do $(MAKE) $(SIM_DIR)/$$s/ktpu-sim || exit 1; done && \
	KTPU_CYCLES_WRITE=1 KTPU_TEST_SIM="$(KT_TESTED) $$(echo $$v)" $(BUILD)/tests/cosim/test_cycles

# ---- A build of the hardware, tried: every test of one build's results and behaviour ----

TRIED := $(KT_CONFIGS:%=try-%) $(KT_FORMS:%=try-%) $(KT_OTHER:%=try-%)
ONE_BUILD_TESTS := observed wrap vld gemm machine programs
MANY_LISTS_TESTS := lists trouble
# Matrices of 4 rows hold none of the programs that the other tests are written with; those of 176 are
# too large for the memory that lists are drawn in.
TINY_BUILD_TESTS := wrap gemm machine programs

# The tests of lists need more memory than the smallest builds can address: they run on a build that
# differs in that alone.
.PHONY: $(TRIED)
$(TRIED): try-%: $(BUILD)/lint/ktpu_top/%.ok $(BUILD)/bin/ktpu-info \
  $(ONE_BUILD_TESTS:%=$(BUILD)/tests/cosim/test_%) $(BUILD)/tests/cosim/test_cycles $(MANY_LISTS_TESTS:%=$(BUILD)/tests/cosim/test_%)
	@p=$$($(call params_of,$*)) && v=$$($(BUILD)/bin/ktpu-info --variant "$$p") && r=$$v && \
	case $$v in *ADDR_BITS1*) r=$$($(BUILD)/bin/ktpu-info --variant "$$p,ADDR_BITS=20");; esac && \
	$(MAKE) $(BUILD)/sim/$$v/ktpu-sim && $(MAKE) $(BUILD)/sim/$$r/ktpu-sim && \
	export KTPU_TEST_SIM=$$v && for t in $(if $(findstring -MAXDIM4-,$*),$(TINY_BUILD_TESTS),$(ONE_BUILD_TESTS)) $(if $(filter $*,$(KT_CONFIGS) $(KT_FORMS)),cycles); do $(BUILD)/tests/cosim/test_$$t || exit 1; done && \
	export KTPU_TEST_SIM=$$r && for t in $(if $(findstring -MAXDIM4-,$*)$(findstring -MAXDIM176-,$*),,$(MANY_LISTS_TESTS)); do $(BUILD)/tests/cosim/test_$$t || exit 1; done

.PHONY: test test-c test-rtl test-cosim test-full
test: setup-test setup-rtl setup-synth ## every test of every change: C units, RTL benches, co-simulation, virtual boards, a bitstream, lint, gen-check
	@$(RUN_TESTS) --builds '$(KT_CONFIGS) $(KT_FORMS)' fpga gen lint unit rtl cosim builds board
test-c: setup-test ## unit tests of the C code
	@$(RUN_TESTS) unit
test-rtl: setup-rtl setup-synth ## self-checking Verilog benches
	@$(RUN_TESTS) rtl
test-cosim: setup-test setup-rtl ## the Verilog against the model
	@$(RUN_TESTS) cosim
test-full: setup-test setup-rtl setup-synth ## test, and the long campaigns, proofs, netlists, ECP5 bitstreams and every legal build
	@$(RUN_TESTS) --full --builds '$(KT_CONFIGS) $(KT_FORMS) $(KT_OTHER)' fpga gen lint unit rtl cosim builds board faults formal netlist \
	  --fpga fpga-build,BOARD=icebreaker fpga-build,BOARD=ecp5-ft245 fpga-build,BOARD=ecp5-evn fpga-build,BOARD=ecpix5 \
	  fpga-sweep,BOARD=icebreaker,SEEDS=20,JUDGE=1

.PHONY: check
check: test ## everything that a change must pass

# ---- Sanitizers ------------------------------------------------------------------------------

SAN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: sanitize
sanitize: setup-test ## unit tests once more, under the address and undefined-behaviour sanitizers
	@LSAN_OPTIONS=suppressions=$(abspath lint/lsan.supp):print_suppressions=0 \
	$(MAKE) BUILD=build/sanitize OPT="-O1 -g" SANFLAGS="$(SAN)" test-c

# ---- Area and speed on the smallest FPGA -----------------------------------------------------

SYNTH_SEEDS ?= 3
RTL_SYNTH_DEFINES := KTPU_ICE40
RTL_SYNTH := $(filter-out %/ktpu_top.v %/ktpu_axi_arb.v %_chk.v,$(RTL_INT8))

SYNTH = $(PYTHON) tools/synth_report.py --params $(BUILD)/bin/ktpu-params --seeds $(SYNTH_SEEDS) \
  $(RTL_SYNTH_DEFINES:%=--define %) --out $(BUILD)/synth

.PHONY: synth-report synth-modules
synth-report: $(BUILD)/bin/ktpu-params | setup-synth ## logic cells, block RAMs, multipliers and Fmax on the iCE40UP5K [WRITE=1]
	@$(SYNTH) $(if $(WRITE),--write docs/performance.md) --rtl $(RTL_SYNTH) -- $(RTL_INCLUDES)
synth-modules: $(BUILD)/bin/ktpu-params | setup-synth ## where the area of that build is: cells of each module
	@$(SYNTH) --modules --rtl $(RTL_SYNTH) -- $(RTL_INCLUDES)

# ---- Measurements ----------------------------------------------------------------------------

BENCH_BUILDS := T4-MAXDIM16-BUS64 T4-MAXDIM16-BUS256 T4-MAXDIM64-BUS64 T8-MAXDIM64-BUS64

.PHONY: bench-int8 bench-model
bench-int8: $(BUILD)/bin/ktpu-run $(BENCH_BUILDS:%=$(BUILD)/sim/%/ktpu-sim) ## cycles against targets and published figures [JSON=FILE] [WRITE=1: into docs/performance.md]
	@$(PYTHON) tools/bench_int8.py --run $(BUILD)/bin/ktpu-run $(if $(JSON),--json $(JSON)) \
	  $(if $(ONLY),--only $(ONLY)) $(if $(WRITE),--write docs/performance.md)
.PHONY: bench-mx
bench-mx: $(BUILD)/bin/ktpu-run $(BUILD)/sim/sim1/ktpu-sim ## the MXFP7 machine's cycles against targets and published figures [JSON=FILE] [ONLY=table] [WRITE=1: into docs/mx-performance.md]
	@$(PYTHON) tools/bench_mx.py --run $(BUILD)/bin/ktpu-run $(if $(JSON),--json $(JSON)) \
	  $(if $(ONLY),--only $(ONLY)) $(if $(WRITE),--write docs/mx-performance.md)
.PHONY: mx-picture
mx-picture: $(BUILD)/bin/ktpu-run $(BUILD)/sim/sim1/ktpu-sim | setup-plot ## draw a measured run of the MXFP7 machine into docs/img/mx-run.svg
	@$(BUILD)/bin/ktpu-run gemm --engine mxfp7 --shape 256x256x256 --prequantised --trace $(BUILD)/mx-trace.json
	@$(PYTHON) tools/plot_mx.py $(BUILD)/mx-trace.json docs/img/mx-run.svg "256x256x256, pre-quantised"
bench-model: $(BUILD)/bin/kr-bench ## speed of the reference model, MMAC/s on one core [WRITE=1]
	@$(PYTHON) tools/bench_model.py --run $(BUILD)/bin/kr-bench $(if $(WRITE),--write docs/performance.md)

# ---- Mutation --------------------------------------------------------------------------------

N ?= 48
MUTANT_FILES := $(filter-out %_chk.v,$(RTL_INT8))

.PHONY: mutate mutate-rtl mutate-checks mutate-spec
JOBS ?= 2
mutate: mutate-rtl mutate-spec ## break the Verilog, then the specification, N times by SEED: do the tests notice? [SEED= N= JOBS= AGAIN=mutate.json]
# What is compiled this often need not be fast.
mutate-rtl mutate-checks: export SIM_OPT = -O1
mutate-rtl: fast-cosim fast-small fast-builds fast-benches fast-formal
	@nice -n 5 $(PYTHON) tools/mutate_rtl.py --seed $(SEED) --count $(N) --jobs $(JOBS) --out $(BUILD)/mutate \
	  $(if $(AGAIN),--again $(AGAIN)) --first '_small|_serial=make fast-small' --step 'make fast-cosim' \
	  --step 'make fast-small' --step 'make fast-builds' --step 'make fast-benches' --step 'make fast-formal' \
	  $(MUTANT_FILES)
mutate-checks: fast-cosim fast-small ## remove the checks of lint/removed-checks.txt, one at a time: each must be noticed
	@nice -n 5 $(PYTHON) tools/mutate_rtl.py --jobs $(JOBS) --out $(BUILD)/mutate-checks \
	  --planted lint/removed-checks.txt --first '_small|_serial=make fast-small' --step 'make fast-cosim' \
	  --step 'make fast-small'
mutate-spec: build-units fast-spec
	@nice -n 5 $(PYTHON) tools/mutate_spec.py --seed $(SEED) --count $(N) --jobs $(JOBS) --out $(BUILD)/mutate-spec \
	  $(if $(AGAIN),--again $(AGAIN)) --step "make gen" --step "make fast-spec" --step "make test-c"

# The tests of the specification alone, linked with nothing that has to be compiled besides.
SPEC_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter spec/%,$(KT_SRCS)))
SPEC_TESTS := $(patsubst tests/unit/%.c,$(BUILD)/fast/spec/%,$(sort $(wildcard tests/unit/test_spec_*.c)))

.PHONY: fast-spec
fast-spec: $(SPEC_TESTS:%=%.ok)
$(BUILD)/fast/spec/%.ok: $(BUILD)/fast/spec/%
	@$< > $(@:.ok=.log) 2>&1 || { tail -20 $(@:.ok=.log); exit 1; }
	@touch $@
$(BUILD)/fast/spec/test_spec_gen: $(KT_GEN)
$(BUILD)/fast/spec/%: $(BUILD)/obj/tests/unit/%.o $(SPEC_OBJS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OPT) $(SANFLAGS) -o $@ $(filter %.o,$^) $(KT_LDLIBS) $(TEST_LDLIBS)

# The tests that a mutant meets, fastest first; they serve for a quick look at a change as well. A build's
# tests run again only if its simulator or a test came out different.
FAST_TESTS := observed wrap vld gemm machine cycles lists trouble programs
FAST_BUILD := T4-MAXDIM16-BUS64
FAST_SMALL := $(lastword $(KT_FORMS))
FAST_BUILDS := $(firstword $(KT_FORMS)) T4-MAXDIM16-BUS256-ADDR_BITS24 T8-MAXDIM64-BUS64 T16-MAXDIM64-BUS128
FAST_BENCHES := $(foreach b,int8 int8_counters int8_ctrl axi_arb fifo ram_sdp mul8x2 mul8x2_ecp5 mac8x2 top,$(BUILD)/fast/tb_ktpu_$(b).ok)
FAST_PROOFS := $(filter-out link% async%,$(FORMAL_PROOFS))

.PHONY: fast-cosim fast-small fast-builds fast-benches fast-formal
fast-cosim: $(BUILD)/fast/$(FAST_BUILD).ok
fast-small: $(BUILD)/fast/$(FAST_SMALL).ok
fast-builds: $(FAST_BUILDS:%=$(BUILD)/fast/%.ok) $(BUILD)/fast/hazards.ok
fast-benches: $(FAST_BENCHES)
fast-formal: $(FAST_PROOFS:%=$(BUILD)/formal/%.ok)

$(BUILD)/fast/tb_%.ok: $(BUILD)/tests/rtl/tb_%.vvp
	@mkdir -p $(@D)
	@vvp -n $< +seed=$(SEED) > $(@:.ok=.log) 2>&1; tail -1 $(@:.ok=.log)
	@grep -q '^PASS' $(@:.ok=.log) && ! grep -qE '^(FAIL|CHECK)' $(@:.ok=.log)
	@touch $@
$(BUILD)/fast/%.ok: $(SIM_DIR)/%/ktpu-sim $(FAST_TESTS:%=$(BUILD)/tests/cosim/test_%)
	@mkdir -p $(@D)
	@for t in $(FAST_TESTS); do \
	  KTPU_TEST_SIM=$* $(BUILD)/tests/cosim/test_$$t --fail-fast || exit 1; done
	@touch $@
$(BUILD)/fast/hazards.ok: $(KT_MONITORED:%=$(SIM_DIR)/monitor/%/ktpu-sim) $(BUILD)/tests/cosim/test_hazards
	@mkdir -p $(@D)
	@$(BUILD)/tests/cosim/test_hazards --fail-fast > $(@:.ok=.log) 2>&1 || { tail -20 $(@:.ok=.log); exit 1; }
	@touch $@
