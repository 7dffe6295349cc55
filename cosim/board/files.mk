# SPDX-License-Identifier: Apache-2.0
# The virtual boards: a stand-in libusb-1.0 a board, with the Verilated board in it.
#
# build/board/<board>/libusb-1.0.so.0; the boards are those of spec/boards.json, and "loop", a chip
# whose transmit pin is wired to its receive pin.

BOARD_DIR := $(BUILD)/board
# Where libktpu looks for them.
export KTPU_BOARD_DIR := $(abspath $(BOARD_DIR))

BOARD_COMMON := $(addprefix cosim/board/,ks_board.c ks_device.c ks_lane.c ks_libusb.c \
  ks_libusb_transfer.c ks_options.c ks_port.c ks_slot.c ks_world.c) spec/generated/kt_boards.c
BOARD_UART := cosim/board/ks_uart.c
BOARD_FT245 := cosim/board/ks_ft245.c
BOARD_CFLAGS = $(CFLAGS) -fPIC $(shell pkg-config --cflags libusb-1.0)
BOARD_LINK := -shared -Wl,-soname,libusb-1.0.so.0 -Wl,--version-script=cosim/board/ks_board.map \
  -Wl,-z,defs
# $(call board_objs,BOARD,SOURCES)
board_objs = $(patsubst %.c,$(BOARD_DIR)/$(1)/%.o,$(2))
board_name = $(firstword $(subst /, ,$(patsubst $(BOARD_DIR)/%,%,$(1))))

$(BOARD_DIR)/loop/libusb-1.0.so.0: $(call board_objs,loop,$(BOARD_COMMON) $(BOARD_UART) cosim/board/ks_pins_loop.c)
	$(call say,LD,$@)
	$(Q)$(CC) $(BOARD_LINK) $(SANFLAGS) -o $@ $(filter %.o,$^) -lpthread

define board_object_rule
$(BOARD_DIR)/$(1)/%.o: %.c cosim/board/files.mk | setup-c
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(Q)$$(CC) $$(BOARD_CFLAGS) -DKS_BOARD='"$(1)"' -MMD -MP -c $$< -o $$@
endef
$(foreach b,loop,$(eval $(call board_object_rule,$(b))))
-include $(shell find $(BOARD_DIR) -name '*.d' 2>/dev/null)

# ---- Tests: no library that they link needs libusb, so that the stand-in can be loaded first -------
BOARD_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/board/test_*.c)))
BOARD_BENCH_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(filter-out tests/board/test_%,$(wildcard tests/board/*.c))))
$(BUILD)/obj/tests/board/%.o: TEST_CFLAGS += $(shell pkg-config --cflags libftdi1 libusb-1.0)
$(BOARD_TESTS): $(BOARD_BENCH_OBJS)
-include $(BOARD_TESTS:$(BUILD)/%=$(BUILD)/obj/%.d) $(BOARD_BENCH_OBJS:.o=.d)

BOARDS_TESTED := loop
.PHONY: boards test-board
boards: $(BOARDS_TESTED:%=$(BOARD_DIR)/%/libusb-1.0.so.0)
test-board: boards $(BOARD_TESTS) ## the virtual boards: chip, link, every host error, GEMM, a low fault rate
	@for t in $(BOARD_TESTS); do echo "RUN   $$t"; $$t || exit 1; done
