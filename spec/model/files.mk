# SPDX-License-Identifier: Apache-2.0
# Reference model of the int8 core, and its speed measurement.
KT_SRCS += \
  spec/model/kr_check.c \
  spec/model/kr_contract.c \
  spec/model/kr_desc.c \
  spec/model/kr_exec.c \
  spec/model/kr_gemm.c \
  spec/model/kr_header.c \
  spec/model/kr_int8.c \
  spec/model/kr_mm.c \
  spec/model/kr_shadow.c
KT_SRCS += spec/model/kr_f16.c spec/model/kr_mxfp7.c spec/model/kr_fp22.c spec/model/kr_mxgemm.c spec/model/kr_mxfast.c \
  spec/model/kr_blockfmt.c
# The MXFP7 machine.
KT_SRCS += spec/model/kr_mxentry.c spec/model/kr_mxmach.c spec/model/kr_mxmach_check.c spec/model/kr_mxmach_fill.c \
  spec/model/kr_mxmach_gemm.c spec/model/kr_mxmach_drain.c spec/model/kr_mxmach_engine.c
KT_PROGRAMS += kr-bench
kr-bench_SRCS := spec/model/kr_bench.c
KT_PROGRAMS += kr-accuracy
kr-accuracy_SRCS := spec/model/kr_accuracy.c

.PHONY: accuracy
accuracy: $(BUILD)/bin/kr-accuracy ## what MXFP7 loses against binary64, beside other block formats [JSON=FILE] [WRITE=1: into docs/number-formats.md]
	@$< $(if $(JSON),--json > $(JSON))
	@$(if $(WRITE),$< | $(PYTHON) tools/page_block.py docs/number-formats.md accuracy)

# The oracle of these tests.
$(BUILD)/tests/unit/test_model_fp22: TEST_LDLIBS += -lmpfr -lgmp
