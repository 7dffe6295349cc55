# SPDX-License-Identifier: Apache-2.0
# The specification: its library part, and the generator, which is built without the library.

KT_GENERATED += spec/generated/kt_tinytpu.h spec/generated/kt_insn_pack.c spec/generated/kt_isa_tables.c \
  spec/generated/kt_configs.c spec/generated/kt_interface.c rtl/generated/ktpu_tinytpu.vh docs/isa.md \
  spec/generated/kt_link.h spec/generated/kt_boards.h spec/generated/kt_boards.c rtl/generated/ktpu_link.vh docs/link.md \
  spec/generated/kt_mx.h spec/generated/kt_mx_tables.c rtl/generated/ktpu_mx.vh rtl/generated/ktpu_mx_checks.vh docs/mx-isa.md

KT_SRCS += spec/kt_status.c spec/kt_expr.c spec/kt_derive.c spec/kt_legal.c spec/kt_params.c spec/kt_actions.c spec/kt_limits.c \
  spec/generated/kt_insn_pack.c spec/generated/kt_isa_tables.c spec/generated/kt_configs.c spec/generated/kt_interface.c spec/generated/kt_boards.c \
  spec/kt_mx.c spec/kt_mx_params.c spec/generated/kt_mx_tables.c

KT_PROGRAMS += ktpu-params
ktpu-params_SRCS := spec/tools/ktpu_params.c

KT_GEN := $(BUILD)/bin/kt-gen
KT_GEN_SRCS := $(sort $(wildcard spec/gen/*.c)) spec/kt_expr.c spec/kt_status.c spec/kt_derive.c spec/kt_legal.c
KT_GEN_OBJS := $(KT_GEN_SRCS:%.c=$(BUILD)/obj/%.o)
-include $(KT_GEN_OBJS:.o=.d)

$(KT_GEN): $(KT_GEN_OBJS)
	@mkdir -p $(@D)
	$(CC) $(OPT) $(SANFLAGS) -o $@ $(KT_GEN_OBJS) -lcjson

.PHONY: gen-spec gen-check-spec
gen: gen-spec
gen-check: gen-check-spec

gen-spec: $(KT_GEN)
	$(KT_GEN) --write

gen-check-spec: $(KT_GEN)
	$(KT_GEN) --check

# Its tests run the generator itself.
$(BUILD)/tests/unit/test_spec_gen: $(KT_GEN)
