# SPDX-License-Identifier: Apache-2.0
# The virtual boards: a stand-in libusb-1.0 a board, with the Verilated board in it.
#
# build/board/<board>/libusb-1.0.so.0; the boards are those of spec/boards.json, "echo", and "loop", a
# chip whose transmit pin is wired to its receive pin.

BOARD_DIR := $(BUILD)/board
# Where libktpu looks for them.
export KTPU_BOARD_DIR := $(abspath $(BOARD_DIR))

BOARD_COMMON := $(addprefix cosim/board/,ks_board.c ks_device.c ks_lane.c ks_libusb.c \
  ks_libusb_transfer.c ks_options.c ks_port.c ks_slot.c ks_world.c) spec/generated/kt_boards.c
BOARD_UART := cosim/board/ks_uart.c
BOARD_FT245 := cosim/board/ks_ft245.c
BOARD_CFLAGS = $(CFLAGS) -fPIC
BOARD_LINK := -shared -Wl,-soname,libusb-1.0.so.0 -Wl,--version-script=cosim/board/ks_board.map \
  -Wl,-z,defs
# $(call board_objs,FOLDER,SOURCES)
board_objs = $(patsubst %.c,$(1)/%.o,$(2))

# ---- The boards: <b>_PHY, <b>_TOP (the wrapper's module, which shows the pins and whether the board
# rests), <b>_RTL (with the wrapper's file), and <b>_CONFIG where there is a core. Where they differ from
# the usual: <b>_NAME (in spec/boards.json), <b>_AT (the folder), <b>_VFLAGS, <b>_OPT.
LINK_RTL := rtl/link
# All that a board may be made of, but its own top.
RTL_ROUND := $(RTL_LINK) $(RTL_PHY) $(RTL_MEM)
RTL_LINK_ONLY := $(patsubst rtl/link/%,$(LINK_RTL)/%,$(filter-out %/ktpu_system.v,$(RTL_ROUND))) $(filter rtl/common/%,$(RTL_INT8))
RTL_BOARD := $(RTL_INT8) $(RTL_ROUND)

echo_PHY := UART
echo_TOP := ktpu_board_echo
echo_RTL := cosim/board/ktpu_board_echo.v $(RTL_PHY)

icebreaker_PHY := UART
icebreaker_TOP := ktpu_board_icebreaker
icebreaker_RTL := cosim/board/ktpu_board_icebreaker.v $(RTL_BOARD) $(addprefix fpga/icebreaker/,ktpu_icebreaker.v ktpu_pll_icebreaker.v)
icebreaker_CONFIG := ice40

link-uart_PHY := UART
link-uart_TOP := ktpu_board_link_uart
link-uart_RTL := cosim/board/ktpu_board_link_uart.v cosim/board/ktpu_board_link_core.v $(RTL_LINK_ONLY)

link-ft245_PHY := FT245
link-ft245_TOP := ktpu_board_link_ft245
link-ft245_RTL := cosim/board/ktpu_board_link_ft245.v cosim/board/ktpu_board_link_core.v $(RTL_LINK_ONLY)

ecp5-ft245_PHY := FT245
ecp5-ft245_TOP := ktpu_board_ecp5_ft245
ecp5-ft245_RTL := cosim/board/ktpu_board_ecp5_ft245.v $(RTL_BOARD) fpga/ecp5-evn/ktpu_ecp5_ft245.v
ecp5-ft245_CONFIG := ecp5-int8

BOARDS := echo icebreaker link-uart link-ft245 ecp5-ft245

VBOARD_FLAGS := --cc -O3 --x-assign fast --x-initial unique --noassert --threads 1 \
  -Wno-lint -Wno-style -Wno-TIMESCALEMOD --prefix Vboard -CFLAGS -fPIC
VBOARD_OBJS := Vboard__ALL.a verilated.o verilated_threads.o
BOARD_VINC = -isystem $$(verilator --getenv VERILATOR_ROOT)/include \
  -isystem $$(verilator --getenv VERILATOR_ROOT)/include/vltstd

# $(call board_name,BOARD), $(call board_at,BOARD)
board_name = $(if $($(1)_NAME),$($(1)_NAME),$(1))
board_at = $(if $($(1)_AT),$($(1)_AT),$(BOARD_DIR)/$(1))

define board_object_rule
$(call board_at,$(1))/%.o: %.c cosim/board/files.mk | setup-c
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(CC) $$(BOARD_CFLAGS) -DKS_BOARD='"$(call board_name,$(1))"' -MMD -MP -c $$< -o $$@
endef
$(eval $(call board_object_rule,loop))
-include $(shell find $(BOARD_DIR) -name '*.d' -not -path '*/verilated/*' 2>/dev/null)

$(BOARD_DIR)/loop/libusb-1.0.so.0: $(call board_objs,$(BOARD_DIR)/loop,$(BOARD_COMMON) $(BOARD_UART) cosim/board/ks_pins_loop.c) \
    cosim/board/ks_board.map
	$(call say,LD,$@)
	$(Q)$(CC) $(BOARD_LINK) $(SANFLAGS) -o $@ $(filter %.o,$^) -lpthread

# A board's parameters, as the wrapper gives them to the board's top.
BOARD_BUILD_ID := 32'h56424F44
define board_rule
$(board_object_rule)
$(call board_at,$(1))/ks_board_parameters.vh: FORCE | $(BUILD)/bin/ktpu-params
	@mkdir -p $$(@D)
	@cosim/board/parameters.sh $(BUILD)/bin/ktpu-params "$(BOARD_BUILD_ID)" $($(1)_CONFIG) > $$@.new && \
	if cmp -s $$@.new $$@; then rm $$@.new; else mv $$@.new $$@; fi

$(call board_at,$(1))/verilated/Vboard__ALL.a: $$($(1)_RTL) $$(RTL_HEADERS) \
    $(call board_at,$(1))/ks_board_parameters.vh cosim/board/files.mk | setup-rtl
	@echo "verilator $(1)"
	@mkdir -p $$(@D)
	@verilator $$(VBOARD_FLAGS) $$($(1)_VFLAGS) $$(RTL_INCLUDES) -I$(call board_at,$(1)) --top-module $$($(1)_TOP) --Mdir $$(@D) \
	  $$(filter %.v,$$^)
	@$$(MAKE) -C $$(@D) -f Vboard.mk OPT_FAST=$(if $($(1)_OPT),$($(1)_OPT),-O2) OPT_SLOW=-O0 OPT_GLOBAL=-O2 $$(VBOARD_OBJS) \
	  > $$(@D)/compile.log 2>&1 || { cat $$(@D)/compile.log; exit 1; }

$(call board_at,$(1))/ks_pins.o: cosim/board/ks_pins_$(if $(filter UART,$($(1)_PHY)),uart,ft245).cpp \
    $(call board_at,$(1))/verilated/Vboard__ALL.a
	@echo "CXX   $$@"
	@$$(CXX) -std=c++17 -O2 -fPIC -Wall -Wextra -Werror -I. -I$$(@D)/verilated -DKS_BOARD='"$(call board_name,$(1))"' \
	  $$(BOARD_VINC) -c $$< -o $$@

$(call board_at,$(1))/libusb-1.0.so.0: $(call board_objs,$(call board_at,$(1)),$(BOARD_COMMON) $(BOARD_$($(1)_PHY))) \
    $(call board_at,$(1))/ks_pins.o cosim/board/ks_board.map
	@echo "LD    $$@"
	@$$(CXX) $$(BOARD_LINK) -o $$@ $$(filter %.o,$$^) $$(VBOARD_OBJS:%=$$(@D)/verilated/%) -lpthread
endef
$(foreach b,$(BOARDS),$(eval $(call board_rule,$(b))))

# ---- Tests: no library that they link needs libusb, so that the stand-in can be loaded first -------
BOARD_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/board/test_*.c)))
BOARD_BENCH_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(filter-out tests/board/test_% tests/board/link_faults.c,$(wildcard tests/board/*.c))))
$(BOARD_TESTS): $(BOARD_BENCH_OBJS)
-include $(BOARD_TESTS:$(BUILD)/%=$(BUILD)/obj/%.d) $(BOARD_BENCH_OBJS:.o=.d)

# The campaign of wire faults.
$(BUILD)/tests/board/link_faults: $(BUILD)/obj/tests/board/link_faults.o $(BUILD)/obj/tests/board/link_campaign.o $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(OPT) $(SANFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(KT_LDLIBS)

LINK_ONLY := link-uart link-ft245
LINK_FAULTS = $(if $(findstring command,$(origin N)),$(N),10000)
.PHONY: link-faults
link-faults: $(BUILD)/tests/board/link_faults $(LINK_ONLY:%=$(BOARD_DIR)/%/libusb-1.0.so.0) ## 10,000 single wire faults on the link-only boards [N=] [SEED=]
	@for b in $(LINK_ONLY); do $< virtual-$$b $(LINK_FAULTS) $(SEED) || exit 1; done

.PHONY: link-mutants
link-mutants: $(BUILD)/tests/board/link_faults ## the campaign fails without check sum, duplicate check or answers to retries
	@tests/board/link_mutants.sh $(BUILD) $<

BOARDS_TESTED := loop $(BOARDS)
.PHONY: boards test-board
boards: $(BOARDS_TESTED:%=$(BOARD_DIR)/%/libusb-1.0.so.0)
test-board: boards $(BOARD_TESTS) $(BUILD)/bin/ktpu-run $(BUILD)/bin/ktpu-info $(BUILD)/bin/ktpu-digits ## the virtual boards: chip, link, every host error, GEMM, a low fault rate
	@for t in $(BOARD_TESTS); do echo "RUN   $$t"; $$t || exit 1; done
