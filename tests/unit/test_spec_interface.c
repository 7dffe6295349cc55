/* SPDX-License-Identifier: Apache-2.0 */
/* The control port's numbers, stated here from docs/int8-interface.md and never from the JSON. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_interface.h"
#include "spec/kt_isa.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static char buffer[256];

static const char *register_line(const struct kt_reg_def *r)
{
  size_t n = (size_t)snprintf(buffer, sizeof buffer, "0x%03X %s %s", r->offset, r->name, r->access);

  if (r->count != 1) n += (size_t)snprintf(buffer + n, sizeof buffer - n, " x%u", r->count);
  if (r->reset != 0) n += (size_t)snprintf(buffer + n, sizeof buffer - n, " reset %u", r->reset);
  for (size_t i = 0; i < r->n_fields; i++)
    n +=
        (size_t)snprintf(buffer + n, sizeof buffer - n, " [%u:%u]%s",
                         r->field[i].lsb + r->field[i].bits - 1, r->field[i].lsb, r->field[i].name);
  return buffer;
}

Test(spec_interface, registers_are_the_documented_ones, .timeout = 5)
{
  static const char *const want[] = {
      "0x000 MAGIC R",
      "0x004 SPEC_VERSION R",
      "0x008 CONFIG_HASH R",
      "0x00C FEATURES R [0:0]STRIDES [1:1]CONTRACTS [2:2]COUNTERS [3:3]SERIAL_SHIFT",
      "0x010 PARAM0 R [7:0]T [19:8]MAXDIM [31:20]BUS_BYTES",
      "0x014 PARAM1 R [15:0]SPAD_ROWS [31:16]NVR",
      "0x018 PARAM2 R [15:0]NAR [31:16]IMEM_SIZE",
      "0x01C PARAM3 R [7:0]QD [15:8]OUTSTANDING [23:16]ADDR_BITS",
      "0x020 CONTROL W [0:0]START [1:1]RESET",
      "0x024 STATUS R [0:0]BUSY [1:1]DONE [2:2]FAULT [3:3]REFUSED [4:4]RESETTING [5:5]STUCK",
      "0x028 LIST_ADDR RW",
      "0x02C LIST_COUNT RW",
      "0x030 WATCHDOG RW reset 65536",
      "0x040 DESC RW x16",
      "0x080 FAULT R [7:0]CODE [15:8]SUB",
      "0x084 FAULT_ARG R",
      "0x088 FAULT_INSTR R",
      "0x08C FAULT_DESC R",
      "0x090 CYCLES_LO R",
      "0x094 CYCLES_HI R",
      "0x098 DESC_DONE R",
      "0x09C EVENT_SAT R",
      "0x0A0 EVENT_WRAP R",
      "0x100 COUNT R x56",
  };

  cr_assert(eq(sz, kt_n_registers, COUNT(want)));
  for (size_t i = 0; i < kt_n_registers; i++)
    cr_assert(eq(str, (char *)register_line(&kt_registers[i]), (char *)want[i]));
}

static const char *fault_line(const struct kt_fault_def *f)
{
  snprintf(buffer, sizeof buffer, "%u %s %s %s; %s", f->code, f->name, f->found, f->sub, f->arg);
  return buffer;
}

Test(spec_interface, faults_are_the_documented_ones, .timeout = 5)
{
  static const char *const want[] = {
      "1 OPCODE instruction 0; opcode",
      "2 NR instruction 0; nr",
      "3 TRIP instruction 0; 0",
      "4 TERM_FORBIDDEN instruction term; the term's bits",
      "5 TERM_TARGET instruction term; target",
      "6 TERM_LEVEL instruction term; level",
      "7 LOOP_OVERFLOW instruction 0; loops open",
      "8 LOOP_UNDERFLOW instruction 0; 0",
      "9 LOOP_OPEN end 0; loops open",
      "10 FIELD_RANGE instruction field; resolved value",
      "11 MODE instruction 0; value",
      "12 ACC instruction 2; value",
      "13 COL_BLOCK instruction 2; value",
      "14 FIELD_MEMORY instruction field; last row touched",
      "15 UNWRITTEN instruction memory; first unwritten row",
      "16 AR_DISTANCE instruction field; first row read too early",
      "17 N_INSTR descriptor 0; PROG_WORDS",
      "18 HEADER end slot; promised << 16 | found",
      "19 DESCRIPTOR descriptor word; the word's value",
      "20 ALIGNMENT descriptor word, 16 = list address; the value",
      "21 CONTINUE descriptor 0; 0",
      "22 AXI_READ memory response; 0 descriptor, 1 program, 2 operand",
      "23 AXI_WRITE memory response; 0",
      "24 NO_PROGRESS memory units that wait, a bit each; watchdog limit",
  };

  cr_assert(eq(sz, kt_isa.n_faults, COUNT(want)));
  for (size_t i = 0; i < kt_isa.n_faults; i++)
    cr_assert(eq(str, (char *)fault_line(&kt_isa.fault[i]), (char *)want[i]));
}

Test(spec_interface, instructions_are_checked_in_the_documented_order, .timeout = 5)
{
  static const uint32_t want[] = {1, 3, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16};

  cr_assert(eq(sz, kt_n_instr_checks, COUNT(want)));
  for (size_t i = 0; i < COUNT(want); i++)
    cr_assert(eq(u32, kt_instr_checks[i], want[i]), "check %zu", i);
  cr_assert(eq(sz, kt_n_end_checks, 2));
  cr_assert(eq(u32, kt_end_checks[0], 9));
  cr_assert(eq(u32, kt_end_checks[1], 18));
}

Test(spec_interface, descriptors_are_checked_in_the_documented_order, .timeout = 5)
{
  static const struct kt_desc_check want[] = {
      {17, 1}, {20, 0}, {19, 0}, {20, 2}, {19, 2}, {20, 3}, {19, 3}, {20, 4}, {19, 4},
      {19, 5}, {20, 5}, {19, 6}, {20, 6}, {19, 7}, {20, 7}, {19, 8}, {21, -1},
  };

  cr_assert(eq(sz, kt_n_desc_checks, COUNT(want)));
  for (size_t i = 0; i < COUNT(want); i++) {
    cr_assert(eq(u32, kt_desc_checks[i].fault, want[i].fault), "check %zu", i);
    cr_assert(eq(int, kt_desc_checks[i].word, want[i].word), "check %zu", i);
  }
}

Test(spec_interface, constants_have_the_documented_values, .timeout = 5)
{
  static const struct {
    const char *name;
    uint32_t is, want;
  } c[] = {
      {"magic is KTPU, little-endian", KT_MAGIC,
       'K' << 24 >> 24 | 'T' << 8 | 'P' << 16 | 'U' << 24},
      {"version", KT_SPEC_VERSION, 1},
      {"desc bytes", KT_DESC_BYTES, 64},
      {"desc words", KT_DESC_WORDS, 16},
      {"PROG", KT_DESC_PROG, 0},
      {"PROG_WORDS", KT_DESC_PROG_WORDS, 1},
      {"A", KT_DESC_A, 2},
      {"B", KT_DESC_B, 3},
      {"C", KT_DESC_C, 4},
      {"STRIDE_A", KT_DESC_STRIDE_A, 5},
      {"STRIDE_B", KT_DESC_STRIDE_B, 6},
      {"STRIDE_C", KT_DESC_STRIDE_C, 7},
      {"FLAGS", KT_DESC_FLAGS, 8},
      {"first reserved word", KT_DESC_RESERVED, 9},
      {"form at", KT_FLAG_FORM_LSB, 0},
      {"form bits", KT_FLAG_FORM_BITS, 2},
      {"shift at", KT_FLAG_SHIFT_LSB, 8},
      {"shift bits", KT_FLAG_SHIFT_BITS, 5},
      {"continue at", KT_FLAG_CONTINUE_LSB, 16},
      {"continue bits", KT_FLAG_CONTINUE_BITS, 1},
      {"fence at", KT_FLAG_FENCE_LSB, 17},
      {"fence bits", KT_FLAG_FENCE_BITS, 1},
      {"int8", KT_FORM_INT8, 0},
      {"int8 shifted", KT_FORM_INT8_SHIFT, 1},
      {"int32", KT_FORM_INT32, 2},
      {"largest stride", KT_STRIDE_MAX, 65535},
      {"largest shift", KT_SHIFT_MAX, 31},
      {"a unit's counters", KT_COUNT_UNIT_STRIDE, 32},
      {"states", KT_STATES, 6},
      {"busy", KT_STATE_BUSY, 0},
      {"no instruction", KT_STATE_NO_INSTRUCTION, 1},
      {"waiting operand", KT_STATE_WAIT_OPERAND, 2},
      {"waiting port", KT_STATE_WAIT_PORT, 3},
      {"waiting downstream", KT_STATE_WAIT_DOWNSTREAM, 4},
      {"waiting memory", KT_STATE_WAIT_MEMORY, 5},
      {"header bits without a meaning", KT_HDR_UNUSED, 10},
  };

  for (size_t i = 0; i < COUNT(c); i++) cr_assert(eq(u32, c[i].is, c[i].want), "%s", c[i].name);
}

Test(spec_interface, numerics_are_the_documented_ones, .timeout = 5)
{
  const struct kt_numerics *n = &kt_numerics;

  cr_assert(eq(u32, n->operand_bits, 8));
  cr_assert(eq(u32, n->acc_bits, 32));
  cr_assert(eq(u32, n->product_bits, 16));
  cr_assert(eq(u32, n->shift_max, 31));
  cr_assert(eq(str, (char *)n->accumulate_overflow, "wrap"));
  cr_assert(eq(str, (char *)n->accumulate_order,
               "ascending contraction index, then the accumulate term"));
  cr_assert(eq(str, (char *)n->vadd_overflow, "wrap"));
  cr_assert(eq(str, (char *)n->output_overflow, "saturate"));
  cr_assert(eq(str, (char *)n->output_rounding, "none"));
  cr_assert(eq(str, (char *)n->shift_rounding, "nearest even"));
  cr_assert(n->relu_exact);
  cr_assert(eq(sz, kt_n_copying_opcodes, 1));
  cr_assert(eq(u32, kt_copying_opcodes[0], KT_OP_VLD));
}

/* The page that explains the control port carries these numbers by hand: each must be on the line
 * of its name. */
static bool page_has(FILE *page, const char *number, const char *name)
{
  char line[1024];

  rewind(page);
  while (fgets(line, sizeof line, page) != NULL)
    if (line[0] == '|' && strstr(line, number) != NULL && strstr(line, name) != NULL) return true;
  return false;
}

Test(spec_interface, the_hand_written_page_has_the_same_numbers, .timeout = 5)
{
  char number[32], name[64];
  FILE *page = fopen("docs/int8-interface.md", "r");

  cr_assert(ne(ptr, page, NULL), "tests run in the repository's root");
  for (size_t i = 0; i < kt_n_registers; i++) {
    snprintf(number, sizeof number, "0x%03X", kt_registers[i].offset);
    snprintf(name, sizeof name, "%s", kt_registers[i].name);
    cr_assert(page_has(page, number, name), "%s at %s", name, number);
  }
  for (size_t i = 0; i < kt_isa.n_faults; i++) {
    snprintf(number, sizeof number, "| %u |", kt_isa.fault[i].code);
    snprintf(name, sizeof name, "| %s |", kt_isa.fault[i].name);
    cr_assert(page_has(page, number, name), "%s", name);
  }
  fclose(page);
}
