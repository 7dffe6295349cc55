/* SPDX-License-Identifier: Apache-2.0
 *
 * The program checker: every rule once broken and once met at its edge.
 */
#include "compiler/bytes/kc_asm.h"
#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_isa.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* T = 4, WPR = 4, spad and vr 64 rows, ar 128 */
static const char BUILD[] = "int8,MAXDIM=16";

#define LOADS                                                 \
  "dma_ld mode=1 dram_row0=0 col_block=0 dst_row0=0 nr=16\n" \
  "dma_ld mode=2 dram_row0=0 col_block=0 dst_row0=0 nr=16\n"
/* instructions 0 .. 2; ar rows 0 .. 15 are written, row 0 sixteen steps ago */
#define READY LOADS "mm vr_a=0 ar0=0 acc=0 spad_w=0 nr=16\n"

struct rule {
  const char *broken; /* text of a program that breaks the rule ... */
  uint32_t code, sub, arg, instr;
  const char *says; /* ... part of the message ... */
  const char *met;  /* ... and one that just meets it */
};

static const struct rule rules[] = {
    {".insn 2 0", KT_FAULT_OPCODE, 0, 2, 0, "retired", "nop"},
    {"nop\n.insn 0x3f 0", KT_FAULT_OPCODE, 0, 63, 1, "opcode 63 does not exist (limit 10)", "nop"},
    {".insn 11 0", KT_FAULT_OPCODE, 0, 11, 0, "instruction 0: opcode 11",
     READY "vaddrelu ar_d=0 ar_s1=0 ar_s2=4 nr=1"},
    {"loop n 0\nendloop n", KT_FAULT_TRIP, 0, 0, 0, "trip count 0", "loop n 1\nendloop n"},
    {"loop n 128\nendloop n", KT_FAULT_NR, 0, 128, 0, "nr = 128 is past its limit 127",
     "loop n 127\nendloop n"},
    {"dma_ld mode=1 dram_row0=0 col_block=0 dst_row0=0 nr=0", KT_FAULT_NR, 0, 0, 0, "nr = 0",
     "dma_ld mode=1 dram_row0=0 col_block=0 dst_row0=0 nr=1"},
    {READY "vrelu ar_d=0 ar_s=0 nr=128", KT_FAULT_NR, 0, 128, 3, "(vrelu): nr = 128",
     READY "vrelu ar_d=0 ar_s=0 nr=16"},
    {"nop\n.insn 0 0x1", KT_FAULT_TERM_FORBIDDEN, 0, 1, 1, "nop takes no terms",
     "nop\n.insn 0 0x7fff0"},
    {"loop n 1\n.insn 9 0x3", KT_FAULT_TERM_FORBIDDEN, 0, 0x3, 1, "endloop takes no terms",
     "loop n 1\n.insn 9 0x1fffc3fff87fff0"},
    {".insn 0x40000000000008 0x80000", KT_FAULT_TERM_FORBIDDEN, 1, 1, 0,
     "address term 1", "loop n 1\nendloop n"},
    {"loop n 1\n.insn 0x40000000000003 0x5\nendloop n", KT_FAULT_TERM_TARGET, 0, 5, 1,
     "target 5 is no field (limit 4)", "loop n 1\n.insn 0x40000000000003 0x4\nendloop n"},
    {"loop n 1\n.insn 0x40000000000003 0x11\nendloop n", KT_FAULT_TERM_LEVEL, 0, 1, 1,
     "loop level 1 is not open (1 open)",
     "loop m 1\nloop n 1\n.insn 0x40000000000003 0x11\nendloop n\nendloop m"},
    {"loop n 1\nendloop n\n.insn 0x40000000000003 0x4000000000", KT_FAULT_TERM_LEVEL, 2, 0, 2,
     "(0 open)", "loop n 1\n.insn 0x40000000000003 0x4000000000\nendloop n"},
    {"loop a 1\nloop b 1\nloop c 1\nloop d 1\nloop e 1\nendloop e\nendloop d\nendloop c\nendloop b\n"
     "endloop a",
     KT_FAULT_LOOP_OVERFLOW, 0, 4, 4, "4 loops are open already (limit 4)",
     "loop a 1\nloop b 1\nloop c 1\nloop d 1\nendloop d\nendloop c\nendloop b\nendloop a"},
    {".insn 9 0", KT_FAULT_LOOP_UNDERFLOW, 0, 0, 0, "no loop is open", "loop n 2\nendloop n"},
    {"nop\nloop n 2", KT_FAULT_LOOP_OPEN, 0, 1, 2, "1 loop(s) are open", "nop\nloop n 2\nendloop n"},
    {"vld vr0=0 spad0=2048 nr=1", KT_FAULT_FIELD_RANGE, 1, 2048, 0,
     "AGU-resolved f1 spad0 = 2048 is outside 0..2047", "vld vr0=0 spad0=63 nr=1"},
    {"loop n 3\n.insn 0x5ff80000000003 0x84\nendloop n", KT_FAULT_FIELD_RANGE, 3, 2048, 1,
     "AGU-resolved f3 = 2048", "loop n 2\n.insn 0x5ff80000000003 0x84\nendloop n"},
    {"dma_ld mode=4 dram_row0=0 col_block=0 dst_row0=0 nr=1", KT_FAULT_MODE, 0, 4, 0,
     "mode = 4 is past its limit 3", "dma_ld mode=3 dram_row0=0 col_block=0 dst_row0=0 nr=1"},
    {LOADS "mm vr_a=0 ar0=0 acc=2 spad_w=0 nr=4", KT_FAULT_ACC, 2, 2, 2, "acc = 2 is past its limit 1",
     READY "mm vr_a=0 ar0=0 acc=1 spad_w=0 nr=4"},
    {LOADS "loop k 3\nmm vr_a=0 ar0=0 acc=0+k*1 spad_w=0 nr=4\nendloop k", KT_FAULT_ACC, 2, 2, 3,
     "acc = 2", LOADS "loop k 2\nmm vr_a=0 ar0=0 acc=0+k*1 spad_w=0 nr=4\nendloop k"},
    {"dma_ld mode=1 dram_row0=0 col_block=4 dst_row0=0 nr=1", KT_FAULT_COL_BLOCK, 2, 4, 0,
     "col_block = 4 is past its limit 3", "dma_ld mode=1 dram_row0=0 col_block=3 dst_row0=0 nr=1"},
    {READY "mvout ar0=0 dram_row0=0 col_block=4 nr=1", KT_FAULT_COL_BLOCK, 2, 4, 3, "col_block = 4",
     READY "mvout ar0=0 dram_row0=0 col_block=3 nr=1"},
    {"dma_ld mode=0 dram_row0=13 col_block=0 dst_row0=0 nr=4", KT_FAULT_FIELD_MEMORY, 1, 16, 0,
     "dram_row0 = 13 reaches row 16, past the end of A (limit 15)",
     "dma_ld mode=0 dram_row0=12 col_block=0 dst_row0=0 nr=4"},
    {"dma_ld mode=1 dram_row0=16 col_block=0 dst_row0=0 nr=1", KT_FAULT_FIELD_MEMORY, 1, 16, 0,
     "past the end of B", "dma_ld mode=1 dram_row0=15 col_block=0 dst_row0=0 nr=1"},
    {"dma_ld mode=1 dram_row0=0 col_block=0 dst_row0=61 nr=4", KT_FAULT_FIELD_MEMORY, 3, 64, 0,
     "past the end of spad (limit 63)", "dma_ld mode=1 dram_row0=0 col_block=0 dst_row0=60 nr=4"},
    {"dma_ld mode=2 dram_row0=0 col_block=0 dst_row0=61 nr=4", KT_FAULT_FIELD_MEMORY, 3, 64, 0,
     "past the end of vr", "dma_ld mode=2 dram_row0=0 col_block=0 dst_row0=60 nr=4"},
    {"vld vr0=62 spad0=0 nr=3", KT_FAULT_FIELD_MEMORY, 0, 64, 0, "past the end of vr",
     "vld vr0=61 spad0=61 nr=3"},
    {LOADS "mm vr_a=0 ar0=0 acc=0 spad_w=61 nr=1", KT_FAULT_FIELD_MEMORY, 3, 64, 2,
     "past the end of spad", LOADS "mm vr_a=0 ar0=0 acc=0 spad_w=12 nr=1"},
    {LOADS "mm vr_a=0 ar0=127 acc=0 spad_w=0 nr=2", KT_FAULT_FIELD_MEMORY, 1, 128, 2,
     "past the end of ar (limit 127)", LOADS "mm vr_a=0 ar0=126 acc=0 spad_w=0 nr=2"},
    {READY "mvout ar0=0 dram_row0=15 col_block=0 nr=2", KT_FAULT_FIELD_MEMORY, 1, 16, 3,
     "past the end of C", READY "mvout ar0=0 dram_row0=14 col_block=0 nr=2"},
    {LOADS "mm vr_a=0 ar0=0 acc=0 spad_w=13 nr=1", KT_FAULT_UNWRITTEN, KT_MEM_SPAD, 16, 2,
     "spad_w reads spad row 16, which nothing in this chain has written",
     LOADS "mm vr_a=0 ar0=0 acc=0 spad_w=12 nr=1"},
    {LOADS "mm vr_a=13 ar0=0 acc=0 spad_w=0 nr=4", KT_FAULT_UNWRITTEN, KT_MEM_VR, 16, 2,
     "vr row 16", LOADS "mm vr_a=12 ar0=0 acc=0 spad_w=0 nr=4"},
    {LOADS "mm vr_a=0 ar0=0 acc=1 spad_w=0 nr=1", KT_FAULT_UNWRITTEN, KT_MEM_AR, 0, 2, "ar row 0",
     READY "mm vr_a=0 ar0=0 acc=1 spad_w=0 nr=1"},
    {LOADS "vld vr0=0 spad0=15 nr=2\nmm vr_a=0 ar0=0 acc=0 spad_w=0 nr=2", KT_FAULT_UNWRITTEN,
     KT_MEM_VR, 1, 3, "vr row 1", LOADS "vld vr0=0 spad0=15 nr=2\nmm vr_a=0 ar0=0 acc=0 spad_w=0 nr=1"},
    {READY "vadd ar_d=40 ar_s1=0 ar_s2=16 nr=1", KT_FAULT_UNWRITTEN, KT_MEM_AR, 16, 3, "ar_s2",
     READY "vadd ar_d=40 ar_s1=0 ar_s2=11 nr=1"},
    /* row i reads what row i - 16 of the same instruction wrote */
    {READY "vrelu ar_d=17 ar_s=0 nr=17", KT_FAULT_UNWRITTEN, KT_MEM_AR, 16, 3, "ar_s",
     READY "vrelu ar_d=16 ar_s=0 nr=17"},
    {READY "mvout ar0=13 dram_row0=0 col_block=0 nr=1", KT_FAULT_AR_DISTANCE, 0, 13, 3,
     "ar row 13 only 3 accu step(s) after it was written (limit 4)",
     READY "mvout ar0=12 dram_row0=0 col_block=0 nr=1"},
    {READY "vrelu ar_d=30 ar_s=13 nr=1", KT_FAULT_AR_DISTANCE, 1, 13, 3, "ar_s",
     READY "vrelu ar_d=30 ar_s=12 nr=1"},
    {READY "vadd ar_d=30 ar_s1=13 ar_s2=0 nr=1", KT_FAULT_AR_DISTANCE, 1, 13, 3, "ar_s1",
     READY "vadd ar_d=30 ar_s1=12 ar_s2=0 nr=1"},
    {READY "vadd ar_d=30 ar_s1=0 ar_s2=14 nr=1", KT_FAULT_AR_DISTANCE, 2, 14, 3, "ar_s2",
     READY "vadd ar_d=30 ar_s1=0 ar_s2=13 nr=1"},
    {READY "mm vr_a=0 ar0=13 acc=1 spad_w=0 nr=1", KT_FAULT_AR_DISTANCE, 0, 13, 3, "ar0",
     READY "mm vr_a=0 ar0=12 acc=1 spad_w=0 nr=1"},
    {READY "vrelu ar_d=3 ar_s=0 nr=8", KT_FAULT_AR_DISTANCE, 1, 3, 3, "ar row 3 only 3",
     READY "vrelu ar_d=4 ar_s=0 nr=8"},
    {READY "vadd ar_d=2 ar_s1=0 ar_s2=8 nr=4", KT_FAULT_AR_DISTANCE, 1, 2, 3, "ar row 2 only 3",
     READY "vadd ar_d=3 ar_s1=0 ar_s2=8 nr=4"},
    {READY "vadd ar_d=1 ar_s1=8 ar_s2=0 nr=4", KT_FAULT_AR_DISTANCE, 2, 1, 3, "ar row 1 only 2",
     READY "vadd ar_d=2 ar_s1=8 ar_s2=0 nr=4"},
    {"", KT_FAULT_N_INSTR, 0, 8, 0, "a program of 8 words", "nop"},
    {"nop\n.header n_instr=2", KT_FAULT_HEADER, KT_HDR_N_INSTR, 2 << 16 | 1, 1,
     "header n_instr promises 2, the instructions deliver 1", "nop\n.header n_instr=1"},
    {READY ".header accu_iterations=15", KT_FAULT_HEADER, KT_HDR_ACCU_ITERATIONS, 15 << 16 | 16, 3,
     "header accu_iterations promises 15", READY ".header accu_iterations=16"},
    {READY ".header a_span=17\n.header b_span=17", KT_FAULT_HEADER, KT_HDR_A_SPAN, 17 << 16 | 16, 3,
     "header a_span", READY ".header a_span=16\n.header b_span=16"},
    {"nop\n.header_word 3 0x10000", KT_FAULT_HEADER, KT_HDR_UNUSED, 3, 1,
     "header word 3 = 0x0000000000010000", "nop\n.header_word 3 0"},
};
enum { RULES = sizeof rules / sizeof rules[0] };

static struct kt_params build(void)
{
  struct kt_params p;
  cr_assert(eq(int, kt_params_parse(&p, BUILD, NULL), KT_OK));
  return p;
}

static struct kc_program unchecked(const struct kt_params *p, const char *text)
{
  struct kc_asm_opts opts = {.no_check = true};
  struct kc_program program;
  struct kt_msg msg = {""};
  enum kt_status st = kc_assemble(p, "rule", text, &opts, &program, &msg);
  cr_assert(eq(int, st, KT_OK), "%s\n%s", text, msg.text);
  return program;
}

Test(compiler_check, every_rule_refuses_with_code_argument_and_text, .timeout = 20)
{
  struct kt_params p = build();
  for (size_t i = 0; i < RULES; i++) {
    const struct rule *r = &rules[i];
    struct kc_program program = unchecked(&p, r->broken);
    struct kc_fault f = {0};
    struct kt_msg msg = {""};
    enum kt_status st = kc_check_fault(&p, program.words, program.n_words, NULL, &f, &msg);

    cr_expect(eq(int, st, KT_EFAULT), "%s", r->broken);
    cr_expect(all(eq(u32, f.code, r->code), eq(u32, f.sub, r->sub), eq(u32, f.arg, r->arg),
                  eq(u32, f.instr, r->instr)),
              "%s\ngave code %u sub %u arg %u instr %u", r->broken, f.code, f.sub, f.arg, f.instr);
    cr_expect(strstr(msg.text, r->says) != NULL, "%s\nsays: %s", r->broken, msg.text);
    kc_program_free(&program);
  }
}

Test(compiler_check, every_rule_accepts_its_edge, .timeout = 20)
{
  struct kt_params p = build();
  for (size_t i = 0; i < RULES; i++) {
    struct kc_program program = unchecked(&p, rules[i].met);
    struct kc_fault f = {.code = 99};
    struct kt_msg msg = {""};
    enum kt_status st = kc_check_fault(&p, program.words, program.n_words, NULL, &f, &msg);

    cr_expect(eq(int, st, KT_OK), "%s\nrefused: %s", rules[i].met, msg.text);
    cr_expect(eq(u32, f.code, 0));
    kc_program_free(&program);
  }
}

/* A table that forgot a rule would test nothing about it. */
Test(compiler_check, the_table_has_every_program_fault, .timeout = 5)
{
  for (uint32_t code = KT_FAULT_OPCODE; code <= KT_FAULT_HEADER; code++) {
    size_t i = 0;
    while (i < RULES && rules[i].code != code)
      i++;
    cr_expect(lt(sz, i, RULES), "no rule ends in fault %u", code);
  }
}

/* The rule that comes first in docs/int8-interface.md wins where two are broken. */
Test(compiler_check, rules_are_tried_in_the_documented_order, .timeout = 5)
{
  static const struct {
    const char *text;
    uint32_t code, sub;
  } order[] = {
      {".insn 0xb 0x1", KT_FAULT_OPCODE, 0},                      /* before terms */
      {".insn 3 0x5", KT_FAULT_NR, 0},                            /* nr before terms */
      {".insn 0x40000000000003 0x280005", KT_FAULT_TERM_TARGET, 0}, /* term 0 before term 1 */
      {".insn 0x40000000000003 0x71", KT_FAULT_TERM_LEVEL, 0},
      {".insn 0x60000000000009 0", KT_FAULT_LOOP_UNDERFLOW, 0},   /* endloop ignores nr and fields */
      {"dma_ld mode=5 dram_row0=2048 col_block=9 dst_row0=0 nr=1", KT_FAULT_MODE, 0},
      {"dma_ld mode=0 dram_row0=99 col_block=9 dst_row0=4095 nr=1", KT_FAULT_FIELD_MEMORY, 1},
      {"dma_ld mode=0 dram_row0=0 col_block=9 dst_row0=4095 nr=1", KT_FAULT_COL_BLOCK, 2},
      {LOADS "mm vr_a=20 ar0=0 acc=1 spad_w=60 nr=1", KT_FAULT_UNWRITTEN, KT_MEM_VR},
      {LOADS "mm vr_a=0 ar0=0 acc=1 spad_w=60 nr=1", KT_FAULT_UNWRITTEN, KT_MEM_AR},
      {READY "mm vr_a=0 ar0=13 acc=1 spad_w=60 nr=1", KT_FAULT_AR_DISTANCE, 0},
      {READY "vadd ar_d=0 ar_s1=15 ar_s2=99 nr=1", KT_FAULT_AR_DISTANCE, 1},
      {READY "mvout ar0=14 dram_row0=0 col_block=0 nr=3", KT_FAULT_UNWRITTEN, KT_MEM_AR},
      {"loop n 2\n.header n_instr=5", KT_FAULT_LOOP_OPEN, 0},
      {"nop\n.header spm_rows=1\n.header b_span=1", KT_FAULT_HEADER, KT_HDR_SPM_ROWS},
      {"nop\n.header_word 0 0x10001\n.header b_span=1", KT_FAULT_HEADER, KT_HDR_B_SPAN},
  };
  struct kt_params p = build();
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    struct kc_program program = unchecked(&p, order[i].text);
    struct kc_fault f = {0};
    struct kt_msg msg = {""};
    kc_check_fault(&p, program.words, program.n_words, NULL, &f, &msg);
    cr_expect(all(eq(u32, f.code, order[i].code), eq(u32, f.sub, order[i].sub)),
              "%s\ngave %u.%u: %s", order[i].text, f.code, f.sub, msg.text);
    kc_program_free(&program);
  }
}

/* ---- Chains ---------------------------------------------------------------------------------- */

Test(compiler_check, a_chain_counts_as_one_program_for_the_contracts, .timeout = 5)
{
  struct kt_params p = build();
  struct kc_program first = unchecked(&p, READY);
  struct kc_program next = unchecked(&p, "mm vr_a=0 ar0=0 acc=1 spad_w=0 nr=4\n");
  struct kc_program early = unchecked(&p, "mvout ar0=13 dram_row0=0 col_block=0 nr=1\n");
  struct kc_check_ctx *chain = calloc(1, sizeof *chain);
  struct kc_fault f;

  cr_assert(eq(int, kc_check_fault(&p, next.words, next.n_words, NULL, &f, NULL), KT_EFAULT));
  cr_assert(eq(u32, f.code, KT_FAULT_UNWRITTEN));
  kc_check_begin(chain);
  cr_assert(eq(int, kc_check_program(&p, first.words, first.n_words, chain, NULL), KT_OK));
  cr_assert(eq(int, kc_check_program(&p, next.words, next.n_words, chain, NULL), KT_OK));

  /* the distance runs on across programs: row 13 was written 3 steps before the end of the first */
  kc_check_begin(chain);
  cr_assert(eq(int, kc_check_program(&p, first.words, first.n_words, chain, NULL), KT_OK));
  cr_assert(eq(int, kc_check_fault(&p, early.words, early.n_words, chain, &f, NULL), KT_EFAULT));
  cr_assert(all(eq(u32, f.code, KT_FAULT_AR_DISTANCE), eq(u32, f.arg, 13), eq(u32, f.instr, 0)));
  kc_program_free(&first);
  kc_program_free(&next);
  kc_program_free(&early);
  free(chain);
}

/* ---- Lengths and counts ---------------------------------------------------------------------- */

Test(compiler_check, lengths_at_the_edge_of_the_program_memory, .timeout = 5)
{
  struct kt_params p = build();
  uint64_t *words = calloc(p.imem_size + 2, sizeof *words);
  struct kc_fault f;

  words[0] = (p.imem_size - KT_NHDR) / KT_IWORDS;
  cr_assert(eq(int, kc_check_fault(&p, words, p.imem_size, NULL, &f, NULL), KT_OK));
  for (size_t n = 0; n <= p.imem_size + 2u; n++) {
    if (n >= 10 && n % 2 == 0 && n <= p.imem_size) continue;
    cr_expect(eq(int, kc_check_fault(&p, words, n, NULL, &f, NULL), KT_EFAULT));
    cr_expect(all(eq(u32, f.code, KT_FAULT_N_INSTR), eq(u32, f.arg, (uint32_t)n)));
  }
  free(words);
}

/* 32,560 accu steps fit; 32,768 are one too many. */
Test(compiler_check, a_count_past_15_bits_is_refused, .timeout = 20)
{
  struct kt_params p = build();
  struct kc_program fits = unchecked(
      &p, READY "loop a 127\nloop b 8\nvrelu ar_d=32 ar_s=0 nr=16\nvrelu ar_d=32 ar_s=0 nr=16\n"
                "endloop b\nendloop a\nvrelu ar_d=40 ar_s=0 nr=16\n");
  struct kc_program over = unchecked(
      &p, READY "loop a 127\nloop b 8\nvrelu ar_d=32 ar_s=0 nr=16\nvrelu ar_d=32 ar_s=0 nr=16\n"
                "endloop b\nendloop a\nloop c 15\nvrelu ar_d=40 ar_s=0 nr=16\nendloop c\n");
  struct kt_msg msg = {""};

  cr_assert(eq(int, kc_check_program(&p, fits.words, fits.n_words, NULL, &msg), KT_OK), "%s",
            msg.text);
  cr_assert(eq(int, kc_build_header(&p, over.words, over.n_words, &msg), KT_ELIMIT));
  cr_assert(eq(str, msg.text, "header count accu_iterations = 32768 does not fit 15 bits (limit 32767)"));
  cr_assert(eq(int, kc_check_program(&p, over.words, over.n_words, NULL, &msg), KT_ELIMIT));
  kc_program_free(&fits);
  kc_program_free(&over);
}

Test(compiler_check, a_program_that_hardly_ends_is_refused, .timeout = 30)
{
  struct kt_params p = build();
  struct kc_program slow = unchecked(&p, "loop a 127\nloop b 127\nloop c 127\nloop d 127\nnop\n"
                                         "endloop d\nendloop c\nendloop b\nendloop a\n");
  struct kt_msg msg = {""};
  cr_assert(eq(int, kc_check_program(&p, slow.words, slow.n_words, NULL, &msg), KT_ELIMIT));
  cr_assert(strstr(msg.text, "16777216") != NULL, "%s", msg.text);
  kc_program_free(&slow);
}

/* The reference's worked counts: mm spends T + 1 steps in spm, vadd two a row in accu. */
Test(compiler_check, header_counts_of_a_program_by_hand, .timeout = 5)
{
  struct kt_params p = build();
  struct kc_program program =
      unchecked(&p, "dma_ld mode=0 dram_row0=3 col_block=0 dst_row0=0 nr=5\n" LOADS
                    "loop n 3\nmm vr_a=0 ar0=0 acc=0 spad_w=0 nr=8\nendloop n\n"
                    "vld vr0=20 spad0=2 nr=7\nvadd ar_d=20 ar_s1=0 ar_s2=0 nr=2\n"
                    "vrelu ar_d=30 ar_s=0 nr=3\nmvout ar0=0 dram_row0=0 col_block=0 nr=4\n"
                    "vaddrelu ar_d=20 ar_s1=0 ar_s2=0 nr=1\n");
  static const uint32_t want[KT_HDR_COUNT] = {
      11,                           /* n_instr */
      5 + 16 + 16,                  /* dma_ld_rows */
      5 + 16 + 3 * 5 + 7,           /* spm_rows */
      16 + 3 * 8 + 7,               /* vru_words */
      3,                            /* mm_count */
      3 * 8,                        /* mm_rows */
      3 * 8 + 2 * 2 + 3 + 4 + 2,    /* accu_iterations */
      4,                            /* dma_st_rows */
      16,                           /* a_span */
      16,                           /* b_span */
  };
  uint32_t found[KT_HDR_COUNT];

  kc_header_unpack(program.words, found);
  for (size_t i = 0; i < KT_HDR_COUNT; i++)
    cr_expect(eq(u32, found[i], want[i]), "%s", kt_isa.slot[i].name);
  kc_program_free(&program);
}

/* ---- expand ---------------------------------------------------------------------------------- */

Test(compiler_check, expand_resolves_terms_in_nested_loops, .timeout = 5)
{
  struct kt_params p = build();
  struct kc_program program =
      unchecked(&p, "loop n 2\nnop\nloop k 3\nvld vr0=1+n*10+k*2 spad0=7+k*1 nr=2\nendloop k\nendloop n\n");
  struct kc_issue *issues;
  size_t count;

  cr_assert(eq(int, kc_expand(program.words, program.n_words, &issues, &count, NULL), KT_OK));
  cr_assert(eq(sz, count, 8));
  for (size_t i = 0; i < count; i++) {
    uint32_t n = (uint32_t)i / 4, k = (uint32_t)i % 4 - 1;
    if (i % 4 == 0) {
      cr_expect(all(eq(uint, issues[i].op, KT_OP_NOP), eq(u32, issues[i].instr, 1)));
      continue;
    }
    cr_expect(all(eq(uint, issues[i].op, KT_OP_VLD), eq(uint, issues[i].nr, 2),
                  eq(u32, issues[i].f[0], 1 + 10 * n + 2 * k), eq(u32, issues[i].f[1], 7 + k),
                  eq(u32, issues[i].instr, 3)));
  }
  free(issues);
  kc_program_free(&program);
}

Test(compiler_check, expand_refuses_what_it_cannot_follow, .timeout = 5)
{
  static const char *const texts[] = {".insn 9 0", "loop n 2\nnop",
                                      "loop a 1\nloop b 1\nloop c 1\nloop d 1\nloop e 1"};
  struct kt_params p = build();
  for (size_t i = 0; i < 3; i++) {
    struct kc_program program = unchecked(&p, texts[i]);
    struct kc_issue *issues = NULL;
    size_t count;
    cr_expect(eq(int, kc_expand(program.words, program.n_words, &issues, &count, NULL), KT_EINVAL),
              "%s", texts[i]);
    kc_program_free(&program);
  }
}
