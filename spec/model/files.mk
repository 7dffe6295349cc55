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
KT_SRCS += spec/model/kr_f16.c spec/model/kr_mxfp7.c spec/model/kr_fp22.c spec/model/kr_mxgemm.c spec/model/kr_mxfast.c
KT_PROGRAMS += kr-bench
kr-bench_SRCS := spec/model/kr_bench.c

# The oracle of these tests.
$(BUILD)/tests/unit/test_model_fp22: TEST_LDLIBS += -lmpfr -lgmp
