/* SPDX-License-Identifier: Apache-2.0
 *
 * The header's promises: checked after the last instruction, slot by slot.
 */
#include "support/model_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define SMALL "int8,T=4,MAXDIM=16"
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* Every count of this program is different from every other. */
static const struct kt_insn prog[] = {LD(A_VR, 2, 0, 0, 9),
                                      LD(B_SPAD, 1, 0, 0, 7),
                                      VLD(9, 0, 3),
                                      MM(0, 0, 0, 0, 12),
                                      VADD(12, 0, 0, 5),
                                      VRELU(20, 0, 2),
                                      LOOP(2),
                                      MVOUT(0, 0, 0, 6, TERMS({1, 0, 1})),
                                      ENDLOOP(),
                                      MM(0, 30, 0, 0, 4)};
enum { N = COUNT(prog) };

struct promise {
  uint32_t slot, word, lsb;
  uint32_t right; /* by hand */
};

static const struct promise promises[] = {
    {0, 0, 0, 10},                         /* n_instr */
    {1, 1, 0, 9 + 7},                      /* dma_ld_rows */
    {2, 2, 0, 7 + 3 + 5 + 5},              /* spm_rows: T + 1 an mm */
    {3, 3, 0, 9 + 3 + 12 + 4},             /* vru_words */
    {4, 4, 0, 2},                          /* mm_count */
    {5, 4, 16, 12 + 4},                    /* mm_rows */
    {6, 5, 0, 12 + 2 * 5 + 2 + 2 * 6 + 4}, /* accu_iterations */
    {7, 6, 0, 2 * 6},                      /* dma_st_rows */
    {8, 7, 0, 2 + 9},                      /* a_span */
    {9, 7, 16, 1 + 7},                     /* b_span */
};

static void open_right(struct model_bench *b)
{
  mb_open(b, SMALL);
  mb_program(b, 0, prog, N);
  for (uint32_t w = 0; w < 8; w++) mb_set_word(b, 0, w, 0);
  for (size_t i = 0; i < COUNT(promises); i++)
    mb_set_word(b, 0, promises[i].word,
                mb_word(b, 0, promises[i].word) | (uint64_t)promises[i].right << promises[i].lsb);
}

static void put(struct model_bench *b, const struct promise *p, uint32_t value)
{
  uint64_t mask = (uint64_t)0xFFFF << p->lsb;
  mb_set_word(b, 0, p->word, (mb_word(b, 0, p->word) & ~mask) | (uint64_t)value << p->lsb);
}

static void expect(struct model_bench *b, struct kr_fault want, const char *what)
{
  cr_assert(eq(int, mb_run(b), KT_OK));
  cr_assert(eq(str, mb_fault_text(&b->r.fault).s, mb_fault_text(&want).s), "%s", what);
}

Test(model_header, a_right_header_passes, .timeout = 5)
{
  struct model_bench b;

  open_right(&b);
  expect(&b, (struct kr_fault){0}, "right");
  cr_assert(eq(u32, b.r.desc_done, 1));
  mb_close(&b);
}

Test(model_header, each_slot_is_compared_both_ways, .timeout = 10)
{
  for (size_t i = 0; i < COUNT(promises); i++) {
    const struct promise *p = &promises[i];
    const uint32_t wrong[] = {p->right - 1, p->right + 1, 0, 0xFFFF};
    for (size_t k = 0; k < COUNT(wrong); k++) {
      struct model_bench b;
      open_right(&b);
      put(&b, p, wrong[k]);
      expect(&b, (struct kr_fault){KT_FAULT_HEADER, p->slot, wrong[k] << 16 | p->right, N, 0},
             "slot");
      cr_assert(eq(u32, b.r.desc_done, 0));
      cr_assert(eq(u64, b.r.row_writes, 12)); /* all instructions complete */
      mb_close(&b);
    }
  }
}

Test(model_header, the_lowest_wrong_slot_is_reported, .timeout = 10)
{
  for (size_t i = 0; i + 1 < COUNT(promises); i++) {
    struct model_bench b;
    open_right(&b);
    for (size_t k = i; k < COUNT(promises); k++) put(&b, &promises[k], promises[k].right + 1);
    mb_set_word(&b, 0, 1, mb_word(&b, 0, 1) | (uint64_t)1 << 40);
    uint32_t right = promises[i].right;
    expect(&b,
           (struct kr_fault){KT_FAULT_HEADER, promises[i].slot, (right + 1) << 16 | right, N, 0},
           "lowest");
    mb_close(&b);
  }
}

Test(model_header, bits_without_a_meaning_are_zero, .timeout = 10)
{
  static const struct {
    uint32_t word, lsb;
  } stray[] = {{0, 16}, {0, 63}, {1, 16}, {1, 47}, {2, 16}, {3, 31},
               {4, 32}, {4, 63}, {5, 16}, {6, 16}, {7, 32}, {7, 63}};

  for (size_t i = 0; i < COUNT(stray); i++) {
    struct model_bench b;
    open_right(&b);
    mb_set_word(&b, 0, stray[i].word, mb_word(&b, 0, stray[i].word) | (uint64_t)1 << stray[i].lsb);
    if (stray[i].word < 6) mb_set_word(&b, 0, 7, mb_word(&b, 0, 7) | (uint64_t)1 << 50);
    expect(&b, (struct kr_fault){KT_FAULT_HEADER, 10, stray[i].word, N, 0}, "stray bit");
    mb_close(&b);
  }
}

Test(model_header, unused_bits_of_the_instruction_words_do_not_matter, .timeout = 5)
{
  struct model_bench b;

  open_right(&b);
  for (uint32_t i = 0; i < N; i++) {
    mb_set_word(&b, 0, 8 + 2 * i, mb_word(&b, 0, 8 + 2 * i) | (uint64_t)3 << 62);
    mb_set_word(&b, 0, 9 + 2 * i, mb_word(&b, 0, 9 + 2 * i) | (uint64_t)0x7F << 57);
  }
  expect(&b, (struct kr_fault){0}, "unused bits");
  mb_close(&b);
}

Test(model_header, an_open_loop_comes_before_the_header, .timeout = 5)
{
  static const struct kt_insn open[] = {LOOP(1), NOP()};
  struct model_bench b;

  mb_open(&b, SMALL);
  mb_program(&b, 0, open, 2);
  mb_set_word(&b, 0, 0, 77);
  expect(&b, (struct kr_fault){KT_FAULT_LOOP_OPEN, 0, 1, 2, 0}, "open");
  mb_close(&b);
}

Test(model_header, a_fault_in_an_instruction_comes_before_the_header, .timeout = 5)
{
  static const struct kt_insn bad[] = {NOP(), {.op = 12}};
  struct model_bench b;

  mb_open(&b, SMALL);
  mb_program(&b, 0, bad, 2);
  mb_set_word(&b, 0, 0, 77);
  expect(&b, (struct kr_fault){KT_FAULT_OPCODE, 0, 12, 1, 0}, "opcode");
  mb_close(&b);
}

/* 127 * 127 * 5 = 80,645 rows: more than a promise can name, shown as 65,535. */
Test(model_header, a_count_past_16_bits_never_matches, .timeout = 10)
{
  static const struct kt_insn many[] = {LOOP(127), LOOP(5), VLD(0, 0, 127), ENDLOOP(), ENDLOOP()};
  struct model_bench b;

  mb_open(&b, "int8,T=4,MAXDIM=16,SPAD=128,NVR=128");
  mb_program(&b, 0, many, COUNT(many));
  mb_set_word(&b, 0, 2, 65535);
  mb_set_word(&b, 0, 3, 65535);
  expect(&b, (struct kr_fault){KT_FAULT_HEADER, 2, 0xFFFFFFFF, COUNT(many), 0}, "past 16 bits");
  mb_set_word(&b, 0, 2, 80645 - 65536);
  expect(&b, (struct kr_fault){KT_FAULT_HEADER, 2, 15109u << 16 | 65535u, COUNT(many), 0},
         "modulo 2^16");
  mb_close(&b);
}

Test(model_header, counts_start_again_with_each_program_of_a_chain, .timeout = 5)
{
  static const struct kt_insn next[] = {MVOUT(0, 0, 0, 6), LD(B_SPAD, 0, 0, 0, 3)};
  struct model_bench b;

  open_right(&b);
  mb_program(&b, 1, next, COUNT(next));
  b.desc[1].cont = 1;
  cr_assert(eq(int, mb_run_list(&b, 2), KT_OK));
  cr_assert(eq(u32, b.r.fault.code, 0), "%s", mb_fault_text(&b.r.fault).s);
  cr_assert(eq(u32, b.r.desc_done, 2));
  mb_set_word(&b, 1, 7, 3); /* 3 rows of B, not of A */
  cr_assert(eq(int, mb_run_list(&b, 2), KT_OK));
  const struct kr_fault want = {KT_FAULT_HEADER, 8, 3 << 16, 2, 1};
  cr_assert(eq(str, mb_fault_text(&b.r.fault).s, mb_fault_text(&want).s));
  mb_close(&b);
}
