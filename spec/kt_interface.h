/* SPDX-License-Identifier: Apache-2.0 */
/* The control port as tables: registers, order of the descriptor's and the instructions' checks,
   numerics. Constants for code are in spec/generated/kt_tinytpu.h; these are for programs that list
   or explain. */
#ifndef KT_SPEC_KT_INTERFACE_H
#define KT_SPEC_KT_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KT_REG_FIELDS_MAX = 8 };

struct kt_reg_field {
  const char *name;
  uint32_t lsb, bits;
};

struct kt_reg_def {
  const char *name, *access, *role; /* access: "R", "W", "RW" */
  uint32_t offset, count, reset;    /* bytes from the window's base; count words of 4 bytes */
  struct kt_reg_field field[KT_REG_FIELDS_MAX];
  size_t n_fields;
};

/* One check of a descriptor: fault code and the word that it looks at (-1: none). */
struct kt_desc_check {
  uint32_t fault;
  int word;
};

struct kt_numerics {
  uint32_t operand_bits, acc_bits, product_bits, shift_max;
  const char *accumulate_overflow, *accumulate_order, *vadd_overflow, *output_overflow,
      *output_rounding, *shift_rounding;
  bool relu_exact;
};

extern const struct kt_reg_def kt_registers[];
extern const size_t kt_n_registers;
extern const struct kt_desc_check kt_desc_checks[]; /* in order */
extern const size_t kt_n_desc_checks;
extern const uint32_t
    kt_instr_checks[]; /* fault codes in the order in which an instruction is checked */
extern const size_t kt_n_instr_checks;
extern const uint32_t kt_end_checks[]; /* likewise after the last instruction */
extern const size_t kt_n_end_checks;
extern const uint32_t kt_copying_opcodes[]; /* opcodes that move unwritten rows without fault */
extern const size_t kt_n_copying_opcodes;
extern const struct kt_numerics kt_numerics;

#endif
