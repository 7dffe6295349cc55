/* SPDX-License-Identifier: Apache-2.0
 *
 * Every instruction fault of docs/int8-interface.md at its edge, and which of two comes first.
 */
#include "support/model_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

/* Every depth different, contracts off so that reads of unwritten rows pass. */
#define BUILD "int8,T=4,MAXDIM=16,SPAD=80,NVR=96,NAR=100,CONTRACTS=0"
enum { SPAD = 80, NVR = 96, NAR = 100, MAXDIM = 16, WPR = 4, CASE_INSNS = 12 };
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* Runs n instructions under a header that fits; expects the fault (code 0: none). */
static void expect(const char *params, const struct kt_insn *in, size_t n,
                   const struct kr_fault *want, const char *what)
{
  struct model_bench b;

  mb_open(&b, params);
  mb_program(&b, 0, in, n);
  cr_assert(eq(int, mb_run(&b), KT_OK), "%s: %s", what, b.msg.text);
  cr_assert(eq(str, mb_fault_text(&b.r.fault).s, mb_fault_text(want).s), "%s", what);
  cr_assert(eq(u32, b.r.desc_done, want->code == 0), "%s", what);
  mb_close(&b);
}

struct fault_case {
  const char *what;
  size_t n;
  struct kt_insn in[CASE_INSNS];
  struct kr_fault want;
};

static void expect_all(const char *params, const struct fault_case *c, size_t n)
{
  for (size_t i = 0; i < n; i++) expect(params, c[i].in, c[i].n, &c[i].want, c[i].what);
}

/* ---- Opcode, rows, trip ---------------------------------------------------------------------- */

Test(model_faults, opcodes_2_and_11_to_63_are_illegal, .timeout = 10)
{
  for (uint16_t op = 0; op < 64; op++) {
    /* nothing is left open or closed too often, whatever the opcode */
    const struct kt_insn in[] = {LOOP(1), ENDLOOP(), NOP(), {.op = op, .nr = 1}};
    const struct kr_fault illegal = {KT_FAULT_OPCODE, 0, op, 3, 0};
    const struct kr_fault open = {KT_FAULT_LOOP_OPEN, 0, 1, 4, 0};
    const struct kr_fault under = {KT_FAULT_LOOP_UNDERFLOW, 0, 0, 3, 0};
    const struct kr_fault none = {0};
    const struct kr_fault *want = op == 2 || op > 10    ? &illegal
                                  : op == KT_OP_LOOP    ? &open
                                  : op == KT_OP_ENDLOOP ? &under
                                                        : &none;
    expect(BUILD, in, COUNT(in), want, "opcode");
  }
}

Test(model_faults, data_operations_take_1_to_127_rows, .timeout = 10)
{
  static const uint16_t ops[] = {KT_OP_DMA_LD, KT_OP_VLD,   KT_OP_MM,      KT_OP_VADD,
                                 KT_OP_VRELU,  KT_OP_MVOUT, KT_OP_VADDRELU};
  static const uint16_t bad[] = {0, 128, 129, 255};

  for (size_t i = 0; i < COUNT(ops); i++) {
    for (size_t j = 0; j < COUNT(bad); j++) {
      const struct kt_insn in[] = {NOP(), {.op = ops[i], .nr = bad[j]}};
      const struct kr_fault want = {KT_FAULT_NR, 0, bad[j], 1, 0};
      expect(BUILD, in, 2, &want, "rows");
    }
    /* 127 is a row count like any other: what refuses it is the memory, if that is too small */
    const struct kt_insn most[] = {{.op = ops[i], .nr = 127}};
    const bool c_bound = ops[i] == KT_OP_DMA_LD || ops[i] == KT_OP_MVOUT;
    const struct kr_fault past = {KT_FAULT_FIELD_MEMORY, 1, 126, 0, 0}, none = {0};
    expect("int8,T=4,MAXDIM=16,SPAD=128,NVR=128,NAR=128,CONTRACTS=0", most, 1,
           c_bound ? &past : &none, "127 rows");
  }
}

static const struct fault_case loops[] = {
    {"trip 0", 3, {NOP(), LOOP(0), ENDLOOP()}, {KT_FAULT_TRIP, 0, 0, 1, 0}},
    {"trip 1", 2, {LOOP(1), ENDLOOP()}, {0}},
    {"trip 127", 2, {LOOP(127), ENDLOOP()}, {0}},
    {"trip 128", 2, {LOOP(128), ENDLOOP()}, {KT_FAULT_NR, 0, 128, 0, 0}},
    {"trip 255", 2, {LOOP(255), ENDLOOP()}, {KT_FAULT_NR, 0, 255, 0, 0}},
    {"4 open",
     8,
     {LOOP(1), LOOP(1), LOOP(1), LOOP(1), ENDLOOP(), ENDLOOP(), ENDLOOP(), ENDLOOP()},
     {0}},
    {"5 open",
     6,
     {LOOP(1), LOOP(1), LOOP(1), LOOP(1), NOP(), LOOP(1)},
     {KT_FAULT_LOOP_OVERFLOW, 0, 4, 5, 0}},
    {"none open", 1, {ENDLOOP()}, {KT_FAULT_LOOP_UNDERFLOW, 0, 0, 0, 0}},
    {"one end too many", 3, {LOOP(2), ENDLOOP(), ENDLOOP()}, {KT_FAULT_LOOP_UNDERFLOW, 0, 0, 2, 0}},
    {"1 left open", 2, {LOOP(3), NOP()}, {KT_FAULT_LOOP_OPEN, 0, 1, 2, 0}},
    {"2 left open", 4, {LOOP(2), LOOP(1), LOOP(1), ENDLOOP()}, {KT_FAULT_LOOP_OPEN, 0, 2, 4, 0}},
    {"4 left open", 4, {LOOP(1), LOOP(1), LOOP(1), LOOP(1)}, {KT_FAULT_LOOP_OPEN, 0, 4, 4, 0}},
};

Test(model_faults, loops_at_their_edges, .timeout = 10)
{
  expect_all(BUILD, loops, COUNT(loops));
}

/* ---- Terms ----------------------------------------------------------------------------------- */

static const struct fault_case terms[] = {
    {"on nop", 1, {NOP(TERMS({1, 5, 100}))}, {KT_FAULT_TERM_FORBIDDEN, 0, 12881, 0, 0}},
    {"on loop",
     2,
     {LOOP(1), LOOP(1, TERMS({0}, {4, 0, 1}))},
     {KT_FAULT_TERM_FORBIDDEN, 1, 132, 1, 0}},
    {"on endloop",
     2,
     {LOOP(1), ENDLOOP(TERMS({0, 7, 9}, {0}, {15, 7, 4095}))},
     {KT_FAULT_TERM_FORBIDDEN, 2, 524287, 1, 0}},
    {"target 4", 3, {LOOP(1), VADD(0, 0, 0, 1, TERMS({4, 0, 1})), ENDLOOP()}, {0}},
    {"target 5",
     2,
     {LOOP(1), VADD(0, 0, 0, 1, TERMS({5, 0, 1}))},
     {KT_FAULT_TERM_TARGET, 0, 5, 1, 0}},
    {"target 15",
     2,
     {LOOP(1), VADD(0, 0, 0, 1, TERMS({1, 0, 0}, {0}, {15, 0, 0}))},
     {KT_FAULT_TERM_TARGET, 2, 15, 1, 0}},
    {"level 0, none open",
     1,
     {VADD(0, 0, 0, 1, TERMS({1, 0, 0}))},
     {KT_FAULT_TERM_LEVEL, 0, 0, 0, 0}},
    {"level 0, one open", 3, {LOOP(1), VADD(0, 0, 0, 1, TERMS({1, 0, 0})), ENDLOOP()}, {0}},
    {"level 1, one open",
     2,
     {LOOP(1), VADD(0, 0, 0, 1, TERMS({0}, {1, 1, 0}))},
     {KT_FAULT_TERM_LEVEL, 1, 1, 1, 0}},
    {"level 0, closed again",
     3,
     {LOOP(1), ENDLOOP(), MM(0, 0, 0, 0, 1, TERMS({1, 0, 0}))},
     {KT_FAULT_TERM_LEVEL, 0, 0, 2, 0}},
    {"level 3, four open",
     9,
     {LOOP(1), LOOP(1), LOOP(1), LOOP(1), VLD(0, 0, 1, TERMS({1, 3, 1})), ENDLOOP(), ENDLOOP(),
      ENDLOOP(), ENDLOOP()},
     {0}},
    {"level 4, four open",
     5,
     {LOOP(1), LOOP(1), LOOP(1), LOOP(1), VLD(0, 0, 1, TERMS({1, 4, 1}))},
     {KT_FAULT_TERM_LEVEL, 0, 4, 4, 0}},
    {"level 7",
     5,
     {LOOP(1), LOOP(1), LOOP(1), LOOP(1), VLD(0, 0, 1, TERMS({1, 7, 1}))},
     {KT_FAULT_TERM_LEVEL, 0, 7, 4, 0}},
    {"target 0 ignores the rest", 1, {VADD(0, 0, 0, 1, TERMS({0, 7, 4095}, {0, 4, 1}))}, {0}},
};

Test(model_faults, terms_at_their_edges, .timeout = 10)
{
  expect_all(BUILD, terms, COUNT(terms));
}

/* ---- Fields ---------------------------------------------------------------------------------- */

struct edge {
  uint16_t op, field, rows;
  uint32_t limit; /* first value refused; for rows: depth of the memory */
  uint32_t span;  /* rows touched; 0: a value, not a row */
  uint32_t code;
  uint16_t mode;
};

static const struct edge edges[] = {
    {KT_OP_DMA_LD, 0, 1, 4, 0, KT_FAULT_MODE, 0},
    {KT_OP_DMA_LD, 1, 1, MAXDIM, 1, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_DMA_LD, 1, 7, MAXDIM, 7, KT_FAULT_FIELD_MEMORY, 3},
    {KT_OP_DMA_LD, 2, 1, WPR, 0, KT_FAULT_COL_BLOCK, 1},
    {KT_OP_DMA_LD, 3, 5, SPAD, 5, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_DMA_LD, 3, 5, SPAD, 5, KT_FAULT_FIELD_MEMORY, 1},
    {KT_OP_DMA_LD, 3, 5, NVR, 5, KT_FAULT_FIELD_MEMORY, 2},
    {KT_OP_DMA_LD, 3, 5, NVR, 5, KT_FAULT_FIELD_MEMORY, 3},
    {KT_OP_VLD, 0, 3, NVR, 3, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_VLD, 1, 3, SPAD, 3, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_MM, 0, 9, NVR, 9, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_MM, 1, 9, NAR, 9, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_MM, 2, 9, 2, 0, KT_FAULT_ACC, 0},
    {KT_OP_MM, 3, 9, SPAD, 4, KT_FAULT_FIELD_MEMORY, 0}, /* T weight rows, whatever nr is */
    {KT_OP_MM, 3, 1, SPAD, 4, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_VADD, 0, 6, NAR, 6, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_VADD, 1, 6, NAR, 6, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_VADD, 2, 6, NAR, 6, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_VRELU, 0, 6, NAR, 6, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_VRELU, 1, 6, NAR, 6, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_MVOUT, 0, 6, NAR, 6, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_MVOUT, 1, 6, MAXDIM, 6, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_MVOUT, 2, 6, WPR, 0, KT_FAULT_COL_BLOCK, 0},
    {KT_OP_VADDRELU, 0, 6, NAR, 6, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_VADDRELU, 1, 6, NAR, 6, KT_FAULT_FIELD_MEMORY, 0},
    {KT_OP_VADDRELU, 2, 6, NAR, 6, KT_FAULT_FIELD_MEMORY, 0},
};

static uint32_t sub_of(const struct edge *e)
{
  if (e->code == KT_FAULT_MODE) return 0;
  return e->code == KT_FAULT_FIELD_MEMORY ? e->field : 2;
}

Test(model_faults, every_used_field_at_its_limit, .timeout = 20)
{
  static const struct kr_fault none = {0};

  for (size_t i = 0; i < COUNT(edges); i++) {
    const struct edge *e = &edges[i];
    for (int past = -2; past <= 1; past++) {
      uint32_t first = e->span == 0 ? e->limit : e->limit - e->span + 1; /* first value refused */
      struct kt_insn in = {.op = e->op, .nr = e->rows};
      if (e->op == KT_OP_DMA_LD) in.f[0] = e->mode;
      in.f[e->field] = (uint16_t)((int)first + past);
      const struct kr_fault fault = {e->code, sub_of(e), e->limit + (uint32_t)(past < 0 ? 0 : past),
                                     0, 0};
      expect(BUILD, &in, 1, past < 0 ? &none : &fault, "field at its limit");
    }
  }
}

Test(model_faults, every_field_of_every_data_operation_stops_at_2047, .timeout = 20)
{
  static const uint16_t ops[] = {KT_OP_DMA_LD, KT_OP_VLD,   KT_OP_MM,      KT_OP_VADD,
                                 KT_OP_VRELU,  KT_OP_MVOUT, KT_OP_VADDRELU};
  static const struct kr_fault none = {0};
  size_t unused = 0;

  for (size_t i = 0; i < COUNT(ops); i++) {
    for (uint16_t field = 0; field < 4; field++) {
      bool used = false;
      for (size_t k = 0; k < COUNT(edges); k++)
        used = used || (edges[k].op == ops[i] && edges[k].field == field);
      for (uint16_t value = 2048; value <= 4095; value = (uint16_t)(value * 2 - 1)) {
        struct kt_insn in = {.op = ops[i], .nr = 1};
        in.f[field] = value;
        const struct kr_fault range = {KT_FAULT_FIELD_RANGE, field, value, 0, 0};
        expect(BUILD, &in, 1, &range, "past 2047");
      }
      struct kt_insn at = {.op = ops[i], .nr = 1};
      at.f[field] = 2047;
      if (!used) expect(BUILD, &at, 1, &none, "2047 in a field without use");
      unused += !used;
    }
  }
  cr_assert(eq(sz, unused, 2 + 0 + 1 + 2 + 1 + 1));
}

static const struct fault_case sums[] = {
    {"2047 + 1 in an unused field, second trip",
     3,
     {LOOP(2), VRELU(0, 0, 1, .f[3] = 2047, TERMS({4, 0, 1})), ENDLOOP()},
     {KT_FAULT_FIELD_RANGE, 3, 2048, 1, 0}},
    {"2046 + 1 in an unused field",
     3,
     {LOOP(2), VRELU(0, 0, 1, .f[3] = 2046, TERMS({4, 0, 1})), ENDLOOP()},
     {0}},
    {"the largest sum there is",
     3,
     {LOOP(127), VLD(0, 0, 1, .f[2] = 2047, TERMS({3, 0, 4095}, {3, 0, 4095}, {3, 0, 4095})),
      ENDLOOP()},
     {KT_FAULT_FIELD_RANGE, 2, 2047 + 3 * 4095, 1, 0}},
    {"acc driven by a loop: two trips",
     3,
     {LOOP(2), MM(0, 0, 0, 0, 4, TERMS({3, 0, 1})), ENDLOOP()},
     {0}},
    {"acc driven by a loop: the third",
     3,
     {LOOP(3), MM(0, 0, 0, 0, 4, TERMS({3, 0, 1})), ENDLOOP()},
     {KT_FAULT_ACC, 2, 2, 1, 0}},
    {"the last row of the last trip",
     3,
     {LOOP(11), VADD(0, 0, 0, 10, TERMS({2, 0, 10})), ENDLOOP()},
     {KT_FAULT_FIELD_MEMORY, 1, 109, 1, 0}},
};

Test(model_faults, resolved_fields_are_what_counts, .timeout = 10)
{
  expect_all(BUILD, sums, COUNT(sums));
}

/* ---- Order: two violations in one instruction, the earlier rule wins ---------------------------
 */

#define BAD_TERM TERMS({5, 7, 1})

static const struct fault_case order[] = {
    {"opcode, then nr, terms, fields",
     1,
     {{.op = 11, .nr = 0, .f = {4095, 4095, 4095, 4095}, BAD_TERM}},
     {KT_FAULT_OPCODE, 0, 11, 0, 0}},
    {"the retired opcode, then nr", 1, {{.op = 2, .nr = 0}}, {KT_FAULT_OPCODE, 0, 2, 0, 0}},
    {"nr, then terms", 1, {VADD(0, 0, 0, 0, BAD_TERM)}, {KT_FAULT_NR, 0, 0, 0, 0}},
    {"nr, then fields", 1, {VADD(4095, 0, 0, 128)}, {KT_FAULT_NR, 0, 128, 0, 0}},
    {"trip, then term", 1, {LOOP(0, BAD_TERM)}, {KT_FAULT_TRIP, 0, 0, 0, 0}},
    {"loop's nr, then term", 1, {LOOP(128, BAD_TERM)}, {KT_FAULT_NR, 0, 128, 0, 0}},
    {"trip, then overflow",
     5,
     {LOOP(1), LOOP(1), LOOP(1), LOOP(1), LOOP(0)},
     {KT_FAULT_TRIP, 0, 0, 4, 0}},
    {"forbidden term, then overflow",
     5,
     {LOOP(1), LOOP(1), LOOP(1), LOOP(1), LOOP(1, TERMS({1, 0, 0}))},
     {KT_FAULT_TERM_FORBIDDEN, 0, 1, 4, 0}},
    {"forbidden term, then underflow",
     1,
     {ENDLOOP(TERMS({0}, {1, 0, 0}))},
     {KT_FAULT_TERM_FORBIDDEN, 1, 1, 0, 0}},
    {"forbidden, whatever target and level",
     1,
     {NOP(BAD_TERM)},
     {KT_FAULT_TERM_FORBIDDEN, 0, 245, 0, 0}},
    {"target, then level of the same term",
     1,
     {VADD(0, 0, 0, 1, BAD_TERM)},
     {KT_FAULT_TERM_TARGET, 0, 5, 0, 0}},
    {"level of term 0, then target of term 1",
     1,
     {VADD(0, 0, 0, 1, TERMS({1, 0, 0}, {5, 0, 0}))},
     {KT_FAULT_TERM_LEVEL, 0, 0, 0, 0}},
    {"target of term 1, then level of term 2",
     2,
     {LOOP(1), VADD(0, 0, 0, 1, TERMS({1, 0, 0}, {9, 0, 0}, {1, 1, 0}))},
     {KT_FAULT_TERM_TARGET, 1, 9, 1, 0}},
    {"term, then fields",
     1,
     {VADD(4095, 0, 0, 1, TERMS({1, 1, 0}))},
     {KT_FAULT_TERM_LEVEL, 0, 1, 0, 0}},
    {"range before mode", 1, {LD(2048, 0, 0, 0, 1)}, {KT_FAULT_FIELD_RANGE, 0, 2048, 0, 0}},
    {"range before memory", 1, {VLD(0, 2048, 1)}, {KT_FAULT_FIELD_RANGE, 1, 2048, 0, 0}},
    {"range before acc", 1, {MM(0, 0, 2048, 0, 1)}, {KT_FAULT_FIELD_RANGE, 2, 2048, 0, 0}},
    {"range before block", 1, {MVOUT(0, 0, 2048, 1)}, {KT_FAULT_FIELD_RANGE, 2, 2048, 0, 0}},
    {"mode, then dram_row0", 1, {LD(4, 4095, 0, 0, 1)}, {KT_FAULT_MODE, 0, 4, 0, 0}},
    {"dram_row0, then block", 1, {LD(0, 16, 4, 0, 1)}, {KT_FAULT_FIELD_MEMORY, 1, 16, 0, 0}},
    {"block, then destination", 1, {LD(0, 0, 4, 2048, 1)}, {KT_FAULT_COL_BLOCK, 2, 4, 0, 0}},
    {"f0's memory, then f1's range",
     1,
     {VADD(100, 2048, 0, 1)},
     {KT_FAULT_FIELD_MEMORY, 0, 100, 0, 0}},
    {"f1's memory, then f2's", 1, {VADD(0, 100, 101, 1)}, {KT_FAULT_FIELD_MEMORY, 1, 100, 0, 0}},
    {"ar0, then acc", 1, {MM(0, 100, 2, 0, 1)}, {KT_FAULT_FIELD_MEMORY, 1, 100, 0, 0}},
    {"acc, then weights", 1, {MM(0, 0, 2, 2048, 1)}, {KT_FAULT_ACC, 2, 2, 0, 0}},
    {"f2, not used, then f3",
     1,
     {VRELU(0, 0, 1, .f[2] = 2049, .f[3] = 2050)},
     {KT_FAULT_FIELD_RANGE, 2, 2049, 0, 0}},
    {"f1's memory, then f3, not used",
     1,
     {VRELU(0, 100, 1, .f[3] = 2050)},
     {KT_FAULT_FIELD_MEMORY, 1, 100, 0, 0}},
    {"the first instruction of two",
     2,
     {VLD(96, 0, 1), {.op = 11}},
     {KT_FAULT_FIELD_MEMORY, 0, 96, 0, 0}},
    {"fields on loops are ignored", 2, {LOOP(1, .f = {4095, 4095, 4095, 4095}), ENDLOOP()}, {0}},
};

Test(model_faults, the_earlier_rule_wins, .timeout = 10)
{
  expect_all(BUILD, order, COUNT(order));
}

Test(model_faults, memory_bounds_come_before_contracts, .timeout = 5)
{
  static const struct fault_case cases[] = {
      {"unwritten ar, then C's rows",
       1,
       {MVOUT(0, 16, 0, 1)},
       {KT_FAULT_FIELD_MEMORY, 1, 16, 0, 0}},
      {"unwritten ar, then block", 1, {MVOUT(0, 0, 4, 1)}, {KT_FAULT_COL_BLOCK, 2, 4, 0, 0}},
      {"unwritten vr, then acc", 1, {MM(0, 0, 2, 0, 1)}, {KT_FAULT_ACC, 2, 2, 0, 0}},
  };
  expect_all("int8,T=4,MAXDIM=16", cases, COUNT(cases));
}

/* ---- Precision ------------------------------------------------------------------------------- */

/* The second trip's dma_ld leaves A; everything before it counts, nothing after. */
Test(model_faults, what_came_before_is_complete_and_nothing_else_happens, .timeout = 5)
{
  static const struct kt_insn in[] = {LD(A_VR, 0, 0, 0, 4),
                                      LD(B_SPAD, 0, 0, 0, 4),
                                      MM(0, 0, 0, 0, 4),
                                      LOOP(2),
                                      LD(A_VR, 12, 0, 0, 4, TERMS({2, 0, 1})),
                                      MVOUT(0, 0, 0, 2, TERMS({3, 0, 1})),
                                      ENDLOOP(),
                                      MVOUT(0, 8, 0, 4)};
  static const struct kr_fault want = {KT_FAULT_FIELD_MEMORY, 1, 16, 4, 0};
  struct model_bench b;

  mb_open(&b, "int8,T=4,MAXDIM=16");
  memset(b.mem.bytes + MB_A, 100, 256);
  memset(b.mem.bytes + MB_B, 100, 256);
  mb_program(&b, 0, in, COUNT(in));
  cr_assert(eq(int, mb_run(&b), KT_OK));
  cr_assert(eq(str, mb_fault_text(&b.r.fault).s, mb_fault_text(&want).s));
  cr_assert(eq(u64, b.r.event_sat, 8));
  cr_assert(eq(u64, b.r.row_writes, 2));
  cr_assert(eq(u64, b.r.issues, 7));
  cr_assert(eq(u32, b.r.desc_done, 0));
  for (uint32_t r = 0; r < 2; r++)
    for (uint32_t j = 0; j < 4; j++) {
      cr_assert(eq(int, mb_get(&b, MB_C, r, j), 127));
      b.mem.bytes[MB_C + 16 * r + j] = 0xC5;
    }
  cr_assert(mb_c_untouched(&b));
  mb_close(&b);
}
