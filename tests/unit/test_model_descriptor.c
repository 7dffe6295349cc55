/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptor checks of docs/int8-interface.md: each at its edge, and their order.
 */
#include "support/model_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define BUILD "int8,T=4,MAXDIM=16" /* bus of 8 bytes, 104 words of program */
#define COUNT(a) (sizeof(a) / sizeof(a)[0])
enum { EDITS = 4 };

/* Words of a good descriptor that a case replaces; word 0 with value 0 is no edit. */
struct edit {
  uint32_t word, value;
};

struct desc_case {
  const char *params;
  struct edit edit[EDITS];
  struct kr_fault want;
};

static const struct kt_insn nop[] = {NOP()};

static void expect(const struct desc_case *c)
{
  struct model_bench b;
  struct kt_desc_words w;

  mb_open(&b, c->params);
  mb_program(&b, 0, nop, 1);
  kt_desc_pack(&b.desc[0], w.w);
  for (size_t i = 0; i < EDITS; i++)
    if (c->edit[i].word != 0 || c->edit[i].value != 0) w.w[c->edit[i].word] = c->edit[i].value;
  cr_assert(eq(int, mb_run_words(&b, &w), KT_OK));
  cr_assert(eq(str, mb_fault_text(&b.r.fault).s, mb_fault_text(&c->want).s), "word %lu = 0x%lx",
            (unsigned long)c->edit[0].word, (unsigned long)c->edit[0].value);
  cr_assert(eq(u64, b.r.issues, c->want.code == 0));
  mb_close(&b);
}

static const struct desc_case words_of_program[] = {
    {BUILD, {{1, 8}}, {17, 0, 8, 0, 0}},
    {BUILD, {{1, 9}}, {17, 0, 9, 0, 0}},
    {BUILD, {{1, 11}}, {17, 0, 11, 0, 0}},
    {BUILD, {{1, 1}}, {17, 0, 1, 0, 0}},
    {BUILD, {{1, 105}}, {17, 0, 105, 0, 0}},
    {BUILD, {{1, 106}}, {17, 0, 106, 0, 0}},
    {BUILD, {{1, UINT32_MAX - 1}}, {17, 0, UINT32_MAX - 1, 0, 0}},
    {BUILD, {{1, 6}}, {17, 0, 6, 0, 0}},
};

Test(model_descriptor, program_words_are_8_and_2_an_instruction, .timeout = 10)
{
  for (size_t i = 0; i < COUNT(words_of_program); i++) expect(&words_of_program[i]);
}

Test(model_descriptor, program_of_no_words_is_refused_and_one_of_all_words_runs, .timeout = 5)
{
  static const struct kr_fault want = {KT_FAULT_N_INSTR, 0, 0, 0, 0};
  struct kt_insn most[48] = {NOP()};
  struct kt_desc_words w;
  struct model_bench b;

  mb_open(&b, BUILD);
  kt_desc_pack(&b.desc[0], w.w);
  cr_assert(eq(int, mb_run_words(&b, &w), KT_OK));
  cr_assert(eq(str, mb_fault_text(&b.r.fault).s, mb_fault_text(&want).s));
  mb_program(&b, 0, most, 48);
  cr_assert(eq(int, mb_run(&b), KT_OK));
  cr_assert(all(eq(u32, b.r.fault.code, 0), eq(u64, b.r.issues, 48)));
  mb_close(&b);
}

static const struct desc_case alignment[] = {
    {BUILD, {{0, MB_PROG + 4}}, {20, 0, MB_PROG + 4, 0, 0}},
    {BUILD, {{0, MB_PROG + 1}}, {20, 0, MB_PROG + 1, 0, 0}},
    {BUILD, {{2, MB_A + 4}}, {20, 2, MB_A + 4, 0, 0}},
    {BUILD, {{2, MB_A + 8}}, {0}},
    {BUILD, {{3, MB_B + 4}}, {20, 3, MB_B + 4, 0, 0}},
    {BUILD, {{4, MB_C + 12}}, {20, 4, MB_C + 12, 0, 0}},
    {BUILD ",BUS=256", {{4, MB_C + 16}}, {20, 4, MB_C + 16, 0, 0}},
    {BUILD ",BUS=256", {{4, MB_C + 32}}, {0}},
    {BUILD ",BUS=128", {{3, MB_B + 8}}, {20, 3, MB_B + 8, 0, 0}},
    {BUILD, {{5, 4}}, {0}},
    {BUILD, {{5, 6}}, {20, 5, 6, 0, 0}},
    {BUILD, {{6, 1}}, {20, 6, 1, 0, 0}},
    {BUILD, {{7, 20}}, {0}},
    {BUILD, {{7, 22}}, {20, 7, 22, 0, 0}},
    {BUILD, {{7, 20}, {8, 2}}, {20, 7, 20, 0, 0}}, /* 4 * T in the int32 form */
    {BUILD, {{7, 32}, {8, 2}}, {0}},
    {BUILD, {{5, 20}, {8, 2}}, {0}}, /* A and B stay at T */
    {"int8,T=8,MAXDIM=16", {{6, 4}}, {20, 6, 4, 0, 0}},
    {"int8,T=8,MAXDIM=16", {{6, 24}}, {0}},
};

Test(model_descriptor, addresses_and_strides_are_aligned, .timeout = 10)
{
  for (size_t i = 0; i < COUNT(alignment); i++) expect(&alignment[i]);
}

static const struct desc_case values[] = {
    {BUILD, {{5, 65532}}, {0}},
    {BUILD, {{5, 65536}}, {19, 5, 65536, 0, 0}},
    {BUILD, {{6, 65536 + 4}}, {19, 6, 65540, 0, 0}},
    {BUILD, {{7, UINT32_MAX}}, {19, 7, UINT32_MAX, 0, 0}},
    {BUILD, {{6, 65535}}, {20, 6, 65535, 0, 0}},
    /* Without strides even the default's own value is refused, and the argument is 1. */
    {BUILD ",STRIDES=0", {{5, 16}}, {19, 5, 1, 0, 0}},
    {BUILD ",STRIDES=0", {{6, 1}}, {19, 6, 1, 0, 0}},
    {BUILD ",STRIDES=0", {{7, 16}}, {19, 7, 1, 0, 0}},
    {BUILD ",STRIDES=0", {{2, MB_A + 8}}, {0}},
    {BUILD, {{8, 3}}, {19, 8, 3, 0, 0}},
    {BUILD, {{8, 1}}, {0}},
    {BUILD, {{8, 2}}, {0}},
    {BUILD, {{8, 0x1F01}}, {0}},
    {BUILD, {{8, 0x0100}}, {19, 8, 0x0100, 0, 0}},
    {BUILD, {{8, 0x1F02}}, {19, 8, 0x1F02, 0, 0}},
    {BUILD, {{8, 0x1003}}, {19, 8, 0x1003, 0, 0}},
    {BUILD, {{8, 0x4}}, {19, 8, 0x4, 0, 0}},
    {BUILD, {{8, 0x80}}, {19, 8, 0x80, 0, 0}},
    {BUILD, {{8, 0x2001}}, {19, 8, 0x2001, 0, 0}}, /* shift 32 does not fit */
    {BUILD, {{8, 0x8000}}, {19, 8, 0x8000, 0, 0}},
    {BUILD, {{8, 0x20000}}, {0}}, /* fence */
    {BUILD, {{8, 0x40000}}, {19, 8, 0x40000, 0, 0}},
    {BUILD, {{8, 0x80000000}}, {19, 8, 0x80000000, 0, 0}},
    {BUILD, {{9, 1}}, {19, 9, 1, 0, 0}},
    {BUILD, {{12, 0x80000000}}, {19, 12, 0x80000000, 0, 0}},
    {BUILD, {{15, 2}}, {19, 15, 2, 0, 0}},
    {BUILD, {{8, 0x10000}}, {21, 0, 0, 0, 0}}, /* continue, first */
};

Test(model_descriptor, values_are_legal, .timeout = 10)
{
  for (size_t i = 0; i < COUNT(values); i++) expect(&values[i]);
}

static const struct desc_case order[] = {
    {BUILD, {{1, 9}, {0, 1}, {8, 3}}, {17, 0, 9, 0, 0}},
    {BUILD, {{0, 4}, {2, 4}}, {20, 0, 4, 0, 0}},
    {BUILD, {{2, 4}, {3, 4}, {4, 4}}, {20, 2, 4, 0, 0}},
    {BUILD, {{3, 4}, {4, 4}, {5, 1}}, {20, 3, 4, 0, 0}},
    {BUILD, {{4, 4}, {5, 65537}}, {20, 4, 4, 0, 0}},
    {BUILD, {{5, 65537}, {6, 1}}, {19, 5, 65537, 0, 0}},
    {BUILD, {{5, 1}, {6, 65536}}, {20, 5, 1, 0, 0}}, /* word by word */
    {BUILD, {{6, 65536}, {7, 1}}, {19, 6, 65536, 0, 0}},
    {BUILD, {{6, 1}, {7, 65536}}, {20, 6, 1, 0, 0}},
    {BUILD, {{7, 1}, {8, 3}}, {20, 7, 1, 0, 0}},
    {BUILD, {{7, 8}, {8, 0x82}}, {20, 7, 8, 0, 0}}, /* form 2, whatever else is wrong with FLAGS */
    {BUILD, {{7, 4}, {8, 3}}, {19, 8, 3, 0, 0}},    /* form 3 aligns C like int8 */
    {BUILD, {{8, 3}, {9, 1}}, {19, 8, 3, 0, 0}},
    {BUILD, {{9, 1}, {10, 2}}, {19, 9, 1, 0, 0}},
    {BUILD, {{8, 0x10000}, {15, 1}}, {19, 15, 1, 0, 0}},
    {BUILD, {{8, 0x10003}}, {19, 8, 0x10003, 0, 0}},
};

Test(model_descriptor, the_earlier_check_wins, .timeout = 10)
{
  for (size_t i = 0; i < COUNT(order); i++) expect(&order[i]);
}

/* Checks come before the program is looked at. */
Test(model_descriptor, checks_come_before_the_program, .timeout = 5)
{
  static const struct desc_case c = {BUILD, {{0, 0xFFFFFFF8}, {15, 1}}, {19, 15, 1, 0, 0}};
  static const struct desc_case outside = {BUILD, {{0, 0xFFFFFFF8}}, {22, 3, 1, 0, 0}};

  expect(&c);
  expect(&outside);
}
