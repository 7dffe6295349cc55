# SPDX-License-Identifier: Apache-2.0
# Netlists under the virtual boards: what yosys made of a board, cell by cell, behind the same chip and
# wire as its RTL. build/netlist/<board>/libusb-1.0.so.0 stands where build/board/<board>'s does, and
# build/netlist-mutant/<board>'s has one LUT inverted.

NETLIST_BOARDS := icebreaker ecp5-ft245
NETLIST_CELLS_icebreaker := tests/netlist/ice40_cells.v
NETLIST_CELLS_ecp5-ft245 := tests/netlist/ecp5_cells.v
# Nothing starts at a value of the tool's choice: an x is drawn from the seed.
NETLIST_VFLAGS := --x-assign unique

# $(call netlist_rule,BOARD,FOLDER,OPTIONS OF fpga_netlist.py)
define netlist_rule
$(1)-$(2)_NAME := $(1)
$(1)-$(2)_AT := $(BUILD)/$(2)/$(1)
$(1)-$(2)_PHY := $($(1)_PHY)
$(1)-$(2)_TOP := ktpu_netlist_$(subst -,_,$(1))
$(1)-$(2)_RTL := tests/netlist/ktpu_netlist_$(subst -,_,$(1)).v $(NETLIST_CELLS_$(1)) \
  $(BUILD)/$(2)/$(1)/netlist.v $(BUILD)/$(2)/$(1)/cells.v
$(1)-$(2)_VFLAGS := $(NETLIST_VFLAGS)
$(1)-$(2)_OPT := -O1
$$(eval $$(call board_rule,$(1)-$(2)))

$(BUILD)/$(2)/$(1)/cells.v: $(BUILD)/$(2)/$(1)/netlist.v ;
$(BUILD)/$(2)/$(1)/netlist.v: override BOARD := $(1)
$(BUILD)/$(2)/$(1)/netlist.v: $(NETLIST_CELLS_$(1)) FORCE | $(BUILD)/bin/ktpu-params $(call fpga_tools,$(1))
	@$$(PYTHON) tools/fpga_netlist.py --to $$(@D) --models $$< $(3) $$(FPGA_INPUTS)
endef
$(foreach b,$(NETLIST_BOARDS),$(eval $(call netlist_rule,$(b),netlist,)))
$(foreach b,$(NETLIST_BOARDS),$(eval $(call netlist_rule,$(b),netlist-mutant,--invert $(SEED))))

NETLIST_RUN = $(PYTHON) tests/netlist/run_netlist.py --board $(BOARD) --run $(BUILD)/bin/ktpu-run
# $(call netlist_of,FOLDER): the virtual board that is asked for; FOLDER board has the RTL's.
netlist_of = $(if $(filter $(BOARD),$(NETLIST_BOARDS)),$(BUILD)/$(1)/$(BOARD)/libusb-1.0.so.0,netlist-no-board)

.PHONY: netlist netlist-mutant netlist-no-board
netlist: $(call netlist_of,netlist) $(call netlist_of,board) $(BUILD)/bin/ktpu-run $(BUILD)/tests/board/test_board ## a board's netlist, cell by cell, against RTL and reference model: BOARD=icebreaker|ecp5-ft245
	@$(NETLIST_RUN) --rtl $(BOARD_DIR) --netlist $(BUILD)/netlist --test $(BUILD)/tests/board/test_board
netlist-mutant: $(call netlist_of,netlist-mutant) $(BUILD)/bin/ktpu-run ## one LUT of the netlist inverted: the comparison must notice: BOARD= SEED=
	@$(NETLIST_RUN) --netlist $(BUILD)/netlist-mutant --noticed
netlist-no-board:
	@echo 'netlist: no board "$(BOARD)": want BOARD= one of $(NETLIST_BOARDS)' >&2; exit 2
