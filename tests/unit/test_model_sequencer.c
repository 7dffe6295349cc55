/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops, address terms, statistics and trace of spec/model/kr_int8.c.
 */
#include "support/model_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define SMALL "int8,T=4,MAXDIM=16"
#define COUNT(a) (sizeof(a) / sizeof(a)[0])
/* Sixteen rows of ar, all written. */
#define ROWS_OF_AR LD(A_VR, 0, 0, 0, 16), LD(B_SPAD, 0, 0, 0, 4), MM(0, 0, 0, 0, 16)
enum { AFTER_ROWS = 3, SEEN_MAX = 64 };

struct seen {
  struct kr_trace_row row[SEEN_MAX];
  size_t n;
};

static void keep(void *ctx, const struct kr_trace_row *row)
{
  struct seen *s = ctx;
  if (s->n < SEEN_MAX) s->row[s->n] = *row;
  s->n++;
}

static void run_traced(struct model_bench *b, struct seen *s, const struct kt_insn *in, size_t n)
{
  s->n = 0;
  mb_open(b, SMALL);
  mb_program(b, 0, in, n);
  kr_int8_set_trace(b->m, keep, s);
  cr_assert(eq(int, mb_run(b), KT_OK), "%s", b->msg.text);
  cr_assert(eq(u32, b->r.fault.code, 0), "%s", mb_fault_text(&b->r.fault).s);
}

static void expect_c_rows(const struct seen *s, const uint32_t *want, size_t n)
{
  cr_assert(eq(sz, s->n, n));
  for (size_t i = 0; i < n; i++) cr_assert(eq(u32, s->row[i].c_row, want[i]), "row %zu", i);
}

Test(model_sequencer, a_loop_runs_its_trip_count_and_leaves, .timeout = 5)
{
  static const struct kt_insn prog[] = {ROWS_OF_AR, LOOP(3), MVOUT(0, 2, 0, 1, TERMS({2, 0, 3})),
                                        ENDLOOP(), MVOUT(0, 15, 0, 1)};
  static const uint32_t want[] = {2, 5, 8, 15};
  struct model_bench b;
  struct seen s;

  run_traced(&b, &s, prog, COUNT(prog));
  expect_c_rows(&s, want, COUNT(want));
  cr_assert(eq(u64, b.r.issues, 3 + 1 + 3 * 2 + 1));
  cr_assert(eq(u64, b.r.op_issues[KT_OP_ENDLOOP], 3));
  mb_close(&b);
}

Test(model_sequencer, trip_one_runs_once_and_127_runs_127_times, .timeout = 5)
{
  static const struct kt_insn once[] = {ROWS_OF_AR, LOOP(1), MVOUT(0, 0, 0, 1), ENDLOOP()};
  static const struct kt_insn most[] = {ROWS_OF_AR, LOOP(127), MVOUT(0, 0, 0, 1), ENDLOOP()};
  struct model_bench b;
  struct seen s;

  run_traced(&b, &s, once, COUNT(once));
  cr_assert(eq(sz, s.n, 1));
  mb_close(&b);
  run_traced(&b, &s, most, COUNT(most));
  cr_assert(eq(sz, s.n, 127));
  mb_close(&b);
}

Test(model_sequencer, three_terms_add_up_on_one_field, .timeout = 5)
{
  static const struct kt_insn prog[] = {ROWS_OF_AR,
                                        LOOP(2),
                                        LOOP(2),
                                        LOOP(2),
                                        MVOUT(0, 1, 0, 1, TERMS({2, 0, 8}, {2, 1, 4}, {2, 2, 1})),
                                        ENDLOOP(),
                                        ENDLOOP(),
                                        ENDLOOP()};
  static const uint32_t want[] = {1, 2, 5, 6, 9, 10, 13, 14};
  struct model_bench b;
  struct seen s;

  run_traced(&b, &s, prog, COUNT(prog));
  expect_c_rows(&s, want, COUNT(want));
  mb_close(&b);
}

Test(model_sequencer, two_terms_may_use_one_level, .timeout = 5)
{
  static const struct kt_insn prog[] = {
      ROWS_OF_AR, LOOP(4), MVOUT(0, 0, 0, 1, TERMS({2, 0, 1}, {0, 7, 4095}, {2, 0, 2})), ENDLOOP()};
  static const uint32_t want[] = {0, 3, 6, 9};
  struct model_bench b;
  struct seen s;

  run_traced(&b, &s, prog, COUNT(prog));
  expect_c_rows(&s, want, COUNT(want));
  mb_close(&b);
}

Test(model_sequencer, four_levels_nest_and_a_level_restarts_at_zero, .timeout = 5)
{
  static const struct kt_insn prog[] = {
      ROWS_OF_AR, LOOP(2),   LOOP(1),
      LOOP(1),    LOOP(3),   MVOUT(0, 0, 0, 1, TERMS({2, 3, 1}, {2, 0, 8}, {1, 3, 2})),
      ENDLOOP(),  ENDLOOP(), ENDLOOP(),
      ENDLOOP()};
  static const uint32_t want[] = {0, 1, 2, 8, 9, 10}, want_ar[] = {0, 2, 4, 0, 2, 4};
  struct model_bench b;
  struct seen s;

  run_traced(&b, &s, prog, COUNT(prog));
  expect_c_rows(&s, want, COUNT(want));
  for (size_t i = 0; i < 6; i++) cr_assert(eq(u32, s.row[i].ar_row, want_ar[i]));
  mb_close(&b);
}

/* After an inner loop closed, its level belongs to the next loop opened there. */
Test(model_sequencer, a_closed_level_is_reused_from_zero, .timeout = 5)
{
  static const struct kt_insn prog[] = {ROWS_OF_AR,
                                        LOOP(2),
                                        LOOP(2),
                                        MVOUT(0, 0, 0, 1, TERMS({2, 1, 1})),
                                        ENDLOOP(),
                                        LOOP(2),
                                        MVOUT(0, 4, 0, 1, TERMS({2, 1, 1}, {2, 0, 4})),
                                        ENDLOOP(),
                                        ENDLOOP()};
  static const uint32_t want[] = {0, 1, 4, 5, 0, 1, 8, 9};
  struct model_bench b;
  struct seen s;

  run_traced(&b, &s, prog, COUNT(prog));
  expect_c_rows(&s, want, COUNT(want));
  mb_close(&b);
}

Test(model_sequencer, every_field_is_a_target, .timeout = 5)
{
  static const struct kt_insn prog[] = {LOOP(2), /* mode 0 then 2: A to spad, then A to vr */
                                        LD(0, 0, 0, 0, 4, TERMS({1, 0, 2}, {3, 0, 1}, {4, 0, 8})),
                                        ENDLOOP()};
  struct model_bench b;

  mb_open(&b, SMALL);
  for (uint32_t i = 0; i < 16; i++) mb_put(&b, MB_A, 0, i, (int)i + 1);
  mb_program(&b, 0, prog, COUNT(prog));
  mb_set_word(&b, 0, 2, 4); /* the first goes to spad, the second to vr */
  mb_set_word(&b, 0, 3, 4);
  cr_assert(eq(int, mb_run(&b), KT_OK));
  cr_assert(eq(u32, b.r.fault.code, 0), "%s", mb_fault_text(&b.r.fault).s);
  cr_assert(eq(int, kr_int8_spad(b.m, 0)[0], 1));
  cr_assert(eq(int, kr_int8_vr(b.m, 8)[0], 5));
  cr_assert(eq(int, kr_int8_vr(b.m, 0)[0], 0));
  mb_close(&b);
}

Test(model_sequencer, control_instructions_ignore_what_they_do_not_use, .timeout = 5)
{
  static const struct kt_insn prog[] = {
      {.op = KT_OP_NOP, .nr = 255, .f = {4095, 4095, 4095, 4095}, TERMS({0, 7, 4095}, {0, 1, 1})},
      LOOP(1, .f = {4095, 1, 2, 3}, TERMS({0, 7, 4095})),
      ENDLOOP(.nr = 200, .f = {4095, 4095, 4095, 4095}, TERMS({0, 6, 1}, {0, 6, 1}, {0, 6, 1})),
      {.op = KT_OP_NOP}};
  struct model_bench b;
  struct seen s;

  run_traced(&b, &s, prog, COUNT(prog));
  cr_assert(eq(u64, b.r.issues, 4));
  cr_assert(eq(u32, b.r.desc_done, 1));
  mb_close(&b);
}

Test(model_sequencer, trace_names_what_produced_each_row, .timeout = 5)
{
  static const struct kt_insn first[] = {ROWS_OF_AR, MVOUT(3, 4, 2, 2)};
  static const struct kt_insn second[] = {ROWS_OF_AR, LOOP(2), MVOUT(8, 1, 1, 1), ENDLOOP()};
  struct model_bench b;
  struct seen s = {.n = 0};

  mb_open(&b, SMALL);
  mb_program(&b, 0, first, COUNT(first));
  mb_program(&b, 1, second, COUNT(second));
  b.desc[0].form = KT_FORM_INT32;
  b.desc[1].form = KT_FORM_INT8_SHIFT;
  b.desc[1].shift = 7;
  b.desc[1].c = MB_C + 0x1000;
  b.desc[1].stride_c = 20;
  kr_int8_set_trace(b.m, keep, &s);
  cr_assert(eq(int, mb_run_list(&b, 2), KT_OK), "%s", b.msg.text);
  cr_assert(eq(u32, b.r.fault.code, 0));
  static const struct kr_trace_row want[] = {
      {0, 3, 3, 3, 4, 2, KT_FORM_INT32, 0, MB_C + 64 * 4 + 32, 16},
      {0, 3, 3, 4, 5, 2, KT_FORM_INT32, 0, MB_C + 64 * 5 + 32, 16},
      {1, 4, 4, 8, 1, 1, KT_FORM_INT8_SHIFT, 7, MB_C + 0x1000 + 24, 4},
      {1, 4, 6, 8, 1, 1, KT_FORM_INT8_SHIFT, 7, MB_C + 0x1000 + 24, 4},
  };
  cr_assert(eq(sz, s.n, COUNT(want)));
  for (size_t i = 0; i < COUNT(want); i++) {
    const struct kr_trace_row *g = &s.row[i], *w = &want[i];
    cr_assert(all(eq(u32, g->desc, w->desc), eq(u32, g->instr, w->instr),
                  eq(u64, g->issue, w->issue), eq(u32, g->ar_row, w->ar_row),
                  eq(u32, g->c_row, w->c_row), eq(u32, g->c_block, w->c_block),
                  eq(u32, g->form, w->form), eq(u32, g->shift, w->shift),
                  eq(u64, g->c_addr, w->c_addr), eq(u32, g->c_bytes, w->c_bytes)),
              "row %zu", i);
  }
  mb_close(&b);
}

/* The specification's worked costs: mm 13 in the array at T=4, nr=8; T + 1 in spm; vadd 2 a row. */
Test(model_sequencer, statistics_follow_the_worked_costs, .timeout = 5)
{
  static const struct kt_insn prog[] = {LD(A_VR, 0, 0, 0, 8),
                                        LD(B_SPAD, 0, 0, 0, 4),
                                        VLD(8, 0, 3),
                                        MM(0, 0, 0, 0, 8),
                                        VADD(8, 0, 0, 5),
                                        VADDRELU(16, 0, 0, 2),
                                        VRELU(24, 0, 3),
                                        MVOUT(0, 0, 0, 7),
                                        LOOP(2),
                                        ENDLOOP()};
  static const uint64_t want[KT_UNITS] = {3, 12, 4 + 3 + 5, 8 + 3 + 8, 13, 8 + 10 + 4 + 3 + 7, 7};
  struct model_bench b;
  struct seen s;

  run_traced(&b, &s, prog, COUNT(prog));
  for (size_t u = 0; u < KT_UNITS; u++)
    cr_assert(eq(u64, b.r.unit_steps[u], want[u]), "unit %zu", u);
  cr_assert(eq(u64, b.r.op_issues[KT_OP_DMA_LD], 2));
  cr_assert(eq(u64, b.r.op_issues[KT_OP_MM], 1));
  cr_assert(eq(u64, b.r.op_issues[KT_OP_ENDLOOP], 2));
  cr_assert(eq(u64, b.r.macs, 8 * 16));
  cr_assert(eq(u64, b.r.issues, 11));
  mb_close(&b);
}

Test(model_sequencer, the_issue_limit_ends_a_long_run, .timeout = 5)
{
  static const struct kt_insn prog[] = {LOOP(127), LOOP(127), LOOP(127), LOOP(127), NOP(),
                                        ENDLOOP(), ENDLOOP(), ENDLOOP(), ENDLOOP()};
  struct model_bench b;

  mb_open(&b, SMALL);
  b.desc[0].prog_words = 8 + 2 * COUNT(prog);
  for (size_t i = 0; i < COUNT(prog); i++) {
    uint64_t w[2];
    kt_insn_pack(&prog[i], w);
    mb_set_word(&b, 0, (uint32_t)(8 + 2 * i), w[0]);
  }
  kr_int8_set_issue_limit(b.m, 1000);
  cr_assert(eq(int, mb_run(&b), KT_ELIMIT));
  cr_assert(eq(u64, b.r.issues, 1000));
  mb_close(&b);
}
