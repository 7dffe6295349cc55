# SPDX-License-Identifier: Apache-2.0
# The compiler of the int8 core: bytes (L0), unit programs (L1), schedule (L2), test programs.

KT_SRCS += compiler/bytes/kc_program.c compiler/bytes/kc_op.c compiler/bytes/kc_seq.c \
  compiler/bytes/kc_header.c compiler/bytes/kc_check.c compiler/bytes/kc_contract.c \
  compiler/bytes/kc_lex.c compiler/bytes/kc_asm.c compiler/bytes/kc_dis.c compiler/bytes/kc_file.c \
  compiler/unit/kc_nest.c compiler/unit/kc_gemm.c compiler/unit/kc_slab.c compiler/unit/kc_testprog.c \
  compiler/schedule/kc_gemm_plan.c \
  compiler/fuzz/kc_rng.c compiler/fuzz/kc_fuzz_legal.c compiler/fuzz/kc_fuzz_illegal.c \
  compiler/fuzz/kc_fuzz_desc.c compiler/fuzz/kc_plant_control.c compiler/fuzz/kc_plant_fields.c \
  compiler/fuzz/kc_plant_contents.c compiler/fuzz/kc_plant_program.c

# The MXFP7 machine.
KT_SRCS += compiler/bytes/kc_mx_check.c compiler/bytes/kc_mx_round.c compiler/bytes/kc_mx_dis.c \
  compiler/unit/kc_mx_unit.c compiler/unit/kc_mx_time.c compiler/schedule/kc_mx_tile.c compiler/schedule/kc_mx_work.c \
  compiler/schedule/kc_mx_slots.c compiler/schedule/kc_mx_write.c compiler/schedule/kc_mx_plan.c compiler/schedule/kc_mx_quantise.c \
  compiler/fuzz/kc_mx_fuzz_legal.c compiler/fuzz/kc_mx_fuzz_illegal.c

KT_PROGRAMS += ktpu-as ktpu-dis
ktpu-as_SRCS := compiler/tools/ktpu_as.c
ktpu-dis_SRCS := compiler/tools/ktpu_dis.c
