# SPDX-License-Identifier: Apache-2.0
# Bitstreams: one board at a time, BOARD= one of spec/boards.json (or a core of fpga/harness/boards.json,
# which can be built and swept but not loaded). Everything is written to build/fpga/<board>.

BOARD ?= icebreaker
SEEDS ?= 10
FPGA_OUT = $(BUILD)/fpga/$(BOARD)
FPGA_BOARDS := icebreaker ecp5-evn ecp5-ft245 ecpix5
FPGA_MEASURED := core-ice40 core-ecp5

# The ECP5 tools are not in Debian: pinned versions from PyPI, in a virtual environment.
ECP5_VENV := $(BUILD)/ecp5-tools
ECP5_TOOLS := $(ECP5_VENV)/installed

$(ECP5_TOOLS): fpga/requirements.txt | setup-ecp5
	@printf 'fpga: installing the ECP5 tools of %s into %s\n' $< $(ECP5_VENV)
	@$(PYTHON) -m venv --clear $(ECP5_VENV)
	@$(ECP5_VENV)/bin/pip install -q --disable-pip-version-check --no-deps -r $<
	@touch $@

# What a board's build needs installed: iCE40 tools are packages, ECP5's are the environment above.
fpga_tools = $(if $(filter ice%,$(1))$(filter core-ice40,$(1)),setup-synth,$(ECP5_TOOLS))
# Lists given to the Python tools last, because they end in the include options.
FPGA_INPUTS = --board $(BOARD) --params $(BUILD)/bin/ktpu-params --out $(FPGA_OUT) --venv $(ECP5_VENV) \
  $(if $(CLOCK),--clock $(CLOCK)) --rtl $(RTL_INT8) $(RTL_LINK) $(RTL_PHY) $(RTL_MEM) -- $(RTL_INCLUDES)
FPGA_READY = $(BUILD)/bin/ktpu-params $(call fpga_tools,$(BOARD))

.PHONY: fpga fpga-build fpga-load fpga-sweep setup-ecp5 setup-plot setup-load
setup-ecp5:
	@tools/setup.sh ecp5
setup-plot:
	@tools/setup.sh plot
setup-load:
	@tools/setup.sh load

fpga: fpga-build ## bitstream of a board, checked, and loaded if one is connected: BOARD= [CLOCK=MHz] [SEED=] [LOAD=0]
	@$(if $(filter 0,$(LOAD))$(filter core-%,$(BOARD)),true,$(PYTHON) tools/fpga_load.py --board $(BOARD) --out $(FPGA_OUT) \
	  --if-connected $(if $(SERIAL),--serial $(SERIAL)) $(if $(CABLE),--cable $(CABLE)))
fpga-build: $(FPGA_READY)
	@$(PYTHON) tools/fpga_build.py --seed $(SEED) $(FPGA_INPUTS)
fpga-load: $(if $(filter icebreaker,$(BOARD)),,setup-load) ## put the bitstream into the one such board that is connected: BOARD= [SERIAL=] [CABLE=]
	@$(if $(filter 0,$(LOAD)),echo 'fpga-load: LOAD=0: nothing is loaded',$(PYTHON) tools/fpga_load.py --board $(BOARD) --out $(FPGA_OUT) \
	  $(if $(SERIAL),--serial $(SERIAL)) $(if $(CABLE),--cable $(CABLE)))
fpga-sweep: $(FPGA_READY) | setup-plot ## Fmax over placement seeds, table and plot; goes on where it was interrupted: BOARD= SEEDS=n [JOBS=n] [JUDGE=1: fail where fpga/plan.json's clock is missed]
	@$(PYTHON) tools/fpga_sweep.py --seeds $(SEEDS) --first $(SEED) $(if $(filter-out file,$(origin JOBS)),--jobs $(JOBS)) \
	  $(if $(filter 1,$(JUDGE)),--judge) $(FPGA_INPUTS)
.PHONY: fpga-table
fpga-table: ## area and clock of every board and core built or swept here, as a table [WRITE=1: into docs/fpga.md]
	@$(PYTHON) tools/fpga_table.py --build $(BUILD)/fpga $(if $(WRITE),--write docs/fpga.md)
