# SPDX-License-Identifier: Apache-2.0
# The one Makefile. Every folder lists its own sources in files.mk; all output is under build/.
#
# A folder's files.mk appends to:
#   KT_SRCS          library sources, archived into $(BUILD)/lib/libktpu.a
#   KT_PROGRAMS      names of programs; <name>_SRCS is the file with main (others may follow),
#                    <name>_LIBS what it links besides the library
#   RTL_INT8         synthesizable Verilog of the core, in any order; RTL_LINK, RTL_PHY and RTL_MEM are
#                    what a board has round it: these are the only lists of RTL files
#   KT_GENERATED     files that `make gen` writes
# and may add recipes or prerequisites to the targets declared below.

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/bash

BUILD   ?= build
CC      := gcc
AR      := ar
PYTHON  := python3
PREFIX  ?= /usr/local
SEED    ?= 1

# Commands are shown as one word and a file; V=1 shows them whole.
Q := $(if $(filter 1,$(V)),,@)
say = @printf '%-5s %s\n' $(1) $(2)

KT_SRCS :=
KT_PROGRAMS :=
KT_GENERATED :=
RTL_INT8 :=
RTL_LINK :=
RTL_PHY :=
RTL_MEM :=
RTL_MX :=
RTL_CLUSTER :=
RTL_AGENT :=
RTL_CTRL :=
RTL_MX_TOP :=
RTL_INCLUDES := -Irtl/generated -Irtl/common -Irtl/link
RTL_HEADERS := $(wildcard rtl/*/*.vh)

KT_STD   := -std=c11 -D_POSIX_C_SOURCE=200809L
KT_WARN  := -Wall -Wextra -Werror -Wshadow -Wswitch-enum -Wvla -fno-common
KT_STRICT := -Wconversion -Wstrict-prototypes -Wmissing-prototypes
KT_INC   := -I. -Ihost/include
OPT      ?= -O2 -g
CFLAGS   = $(KT_STD) $(KT_WARN) $(KT_STRICT) $(KT_INC) $(OPT) $(SANFLAGS)
TEST_CFLAGS = $(KT_STD) $(KT_WARN) $(KT_INC) -Itests $(OPT) $(SANFLAGS)
KT_LDLIBS := -lcjson -lz -lpthread -lrt -lm
TEST_LDLIBS := -lcriterion

LIB := $(BUILD)/lib/libktpu.a

# Where libktpu looks for the simulators.
export KTPU_SIM_DIR := $(abspath $(BUILD)/sim)
# Where it looks for the bitstream that was built last.
export KTPU_FPGA_DIR := $(abspath $(BUILD)/fpga)

include mk/builds.mk
# The Verilog's lists come first: other folders name them in prerequisites.
FILES_MK := $(sort $(wildcard */files.mk */*/files.mk))
include $(filter rtl/%,$(FILES_MK))
# All of the MXFP7 machine.
RTL_MXM := rtl/common/ktpu_fifo.v rtl/common/ktpu_ram_sdp.v rtl/top/ktpu_axi_arb.v $(RTL_MX) $(RTL_CLUSTER) \
  $(RTL_AGENT) $(RTL_CTRL) $(RTL_MX_TOP)
include $(filter-out rtl/%,$(FILES_MK))
RTL_ALL := $(RTL_INT8) $(RTL_LINK) $(RTL_PHY) $(RTL_MEM) $(RTL_MX) $(RTL_CLUSTER) $(RTL_AGENT) $(RTL_CTRL) $(RTL_MX_TOP)

KT_OBJS := $(KT_SRCS:%.c=$(BUILD)/obj/%.o)
PROGRAMS := $(KT_PROGRAMS:%=$(BUILD)/bin/%)
UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/unit/test_*.c)))
COSIM_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/cosim/test_*.c)))
SUPPORT_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard tests/support/*.c)))

$(BUILD)/obj/%.o: %.c | setup-c
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/obj/tests/%.o: tests/%.c | setup-test
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(TEST_CFLAGS) -MMD -MP -c $< -o $@

$(LIB): $(KT_OBJS) $(FILES_MK)
	@mkdir -p $(@D)
	@rm -f $@.$$PPID
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@.$$PPID $(KT_OBJS) && mv $@.$$PPID $@

define program_rule
$(BUILD)/bin/$(1): $$($(1)_SRCS:%.c=$(BUILD)/obj/%.o) $(LIB)
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)
	$(Q)$(CC) $$(OPT) $$(SANFLAGS) -o $$@ $$(filter %.o,$$^) $(LIB) $$($(1)_LIBS) $$(KT_LDLIBS)
endef
$(foreach p,$(KT_PROGRAMS),$(eval $(call program_rule,$(p))))

$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(SUPPORT_OBJS) $(LIB)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(OPT) $(SANFLAGS) -o $@ $(filter %.o,$^) $(LIB) $(KT_LDLIBS) $(TEST_LDLIBS)

ALL_OBJS := $(KT_OBJS) $(SUPPORT_OBJS) \
  $(foreach p,$(KT_PROGRAMS),$($(p)_SRCS:%.c=$(BUILD)/obj/%.o)) \
  $(patsubst $(BUILD)/tests/%,$(BUILD)/obj/tests/%.o,$(UNIT_TESTS) $(COSIM_TESTS))
-include $(ALL_OBJS:.o=.d)

include mk/rtl.mk mk/fpga.mk mk/netlist.mk mk/checks.mk mk/mutate-mx.mk

# ---- What people call ------------------------------------------------------------------------

.PHONY: help
help: ## this list
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST) | sort -u

.PHONY: setup setup-c setup-test setup-rtl setup-synth
setup: ## install every package that any target needs, or say how
	@tools/setup.sh all
setup-c:
	@tools/setup.sh c
setup-test:
	@tools/setup.sh c test
setup-rtl:
	@tools/setup.sh c rtl
setup-synth:
	@tools/setup.sh synth

.PHONY: all
all: $(PROGRAMS) ## build the library and every program

.PHONY: gen gen-check
gen: ## write all that is generated from spec/ (C and Verilog headers, tables in docs)
gen-check: ## fail if anything generated from spec/ is stale

.PHONY: cosim
cosim: ## run a GEMM on the Verilog and on the model: SHAPE=MxKxN [ENGINE=int8|mxfp7|all CONFIG= T= MAXDIM= BUS= LATENCY= SEED= JSON= WAVE=1 PREQUANTISED=1 OUT=]

# libktpu for other programs, and the command-line programs. DESTDIR is for packagers.
INSTALLED := $(filter $(BUILD)/bin/ktpu-%,$(PROGRAMS))
define PKG_CONFIG
prefix=$(PREFIX)
Name: libktpu
Description: driver, compiler and reference model of the ktpu matrix processor
Version: 0.1.0
Cflags: -I$${prefix}/include
Libs: -L$${prefix}/lib -lktpu $(KT_LDLIBS)
endef
export PKG_CONFIG

.PHONY: install
install: $(LIB) $(INSTALLED) ## put library, header and programs under PREFIX (/usr/local) [DESTDIR=]
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 755 $(INSTALLED) $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(LIB) $(DESTDIR)$(PREFIX)/lib
	install -m 644 host/include/ktpu.h $(DESTDIR)$(PREFIX)/include
	@printf '%s\n' "$$PKG_CONFIG" > $(DESTDIR)$(PREFIX)/lib/pkgconfig/ktpu.pc

.PHONY: clean
clean: ## remove build/
	rm -rf build
