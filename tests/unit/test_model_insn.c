/* SPDX-License-Identifier: Apache-2.0
 *
 * What each instruction computes in spec/model/kr_int8.c, against numbers worked by hand.
 */
#include "support/model_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define SMALL "int8,T=4,MAXDIM=16"
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const struct kr_fault none = {0};

static void expect_clean(const struct model_bench *b, enum kt_status st)
{
  cr_assert(eq(int, st, KT_OK), "%s", b->msg.text);
  cr_assert(eq(str, mb_fault_text(&b->r.fault).s, mb_fault_text(&none).s));
  cr_assert(eq(u32, b->r.violation.code, 0));
}

/* A is all a; B's first four rows are the columns given. */
static void uniform(struct model_bench *b, int a, const int column[4])
{
  for (uint32_t r = 0; r < 4; r++) {
    for (uint32_t c = 0; c < 4; c++) {
      mb_put(b, MB_A, r, c, a);
      mb_put(b, MB_B, r, c, column[c]);
    }
  }
}

static void expect_ar(const struct model_bench *b, uint32_t row, const int32_t want[4])
{
  const int32_t *got = kr_int8_ar(b->m, row);

  for (int j = 0; j < 4; j++)
    cr_assert(eq(i32, got[j], want[j]), "ar row %lu lane %d", (unsigned long)row, j);
}

/* ---- mm -------------------------------------------------------------------------------------- */

Test(model_insn, mm_multiplies_and_accumulates, .timeout = 5)
{
  static const struct kt_insn prog[] = {
      LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 4), MM(0, 8, 0, 0, 4),
      MM(0, 8, 1, 0, 4),    MM(0, 20, 0, 0, 4),     MVOUT(20, 0, 0, 4),
  };
  struct model_bench b;

  mb_open(&b, SMALL);
  for (uint32_t i = 0; i < 4; i++) {
    mb_put(&b, MB_A, 0, i, (int)i + 1); /* 1 2 3 4 */
    mb_put(&b, MB_A, 1, i, -1);
    mb_put(&b, MB_A, 2, i, i == 2 ? -128 : 0);
    for (uint32_t j = 0; j < 4; j++) mb_put(&b, MB_B, i, j, 10 * (int)i + (int)j);
  }
  mb_program(&b, 0, prog, COUNT(prog));
  expect_clean(&b, mb_run(&b));
  expect_ar(&b, 20, (const int32_t[]){200, 210, 220, 230});
  expect_ar(&b, 21, (const int32_t[]){-60, -64, -68, -72});
  expect_ar(&b, 22, (const int32_t[]){-2560, -2688, -2816, -2944});
  expect_ar(&b, 23, (const int32_t[]){0, 0, 0, 0});
  expect_ar(&b, 8, (const int32_t[]){400, 420, 440, 460});
  expect_ar(&b, 9, (const int32_t[]){-120, -128, -136, -144});
  cr_assert(eq(u64, b.r.macs, 3 * 4 * 16));
  cr_assert(eq(u64, b.r.event_wrap, 0));
  mb_close(&b);
}

Test(model_insn, full_scale_products_are_exact, .timeout = 5)
{
  static const struct kt_insn prog[] = {LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 4),
                                        MM(0, 0, 0, 0, 4)};
  struct model_bench b;

  mb_open(&b, SMALL);
  uniform(&b, -128, (const int[]){-128, 127, -1, 0});
  mb_program(&b, 0, prog, COUNT(prog));
  expect_clean(&b, mb_run(&b));
  expect_ar(&b, 3, (const int32_t[]){65536, -65024, 512, 0});
  mb_close(&b);
}

/* ---- Wrap-around ----------------------------------------------------------------------------- */

/* 127 * {127, -128, 1, 0} * 4, doubled 15 times, is just inside int32; once more wraps two lanes.
 */
#define NEAR_THE_EDGE                                                                              \
  LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 4), MM(0, 0, 0, 0, 4), LOOP(15), VADD(0, 0, 0, 4),     \
      ENDLOOP()
static const int edge_columns[4] = {127, -128, 1, 0};

Test(model_insn, vadd_wraps_in_both_signs_and_counts, .timeout = 5)
{
  static const struct kt_insn prog[] = {NEAR_THE_EDGE, VADD(4, 0, 0, 4)};
  struct model_bench b;

  mb_open(&b, SMALL);
  uniform(&b, 127, edge_columns);
  mb_program(&b, 0, prog, COUNT(prog));
  expect_clean(&b, mb_run(&b));
  for (uint32_t r = 0; r < 4; r++) {
    expect_ar(&b, r, (const int32_t[]){2114060288, -2130706432, 16646144, 0});
    expect_ar(&b, 4 + r, (const int32_t[]){-66846720, 33554432, 33292288, 0});
  }
  cr_assert(eq(u64, b.r.event_wrap, 8));
  mb_close(&b);
}

Test(model_insn, vaddrelu_counts_the_addition_and_clears_what_wrapped_negative, .timeout = 5)
{
  static const struct kt_insn prog[] = {NEAR_THE_EDGE, VADDRELU(4, 0, 0, 4)};
  struct model_bench b;

  mb_open(&b, SMALL);
  uniform(&b, 127, edge_columns);
  mb_program(&b, 0, prog, COUNT(prog));
  expect_clean(&b, mb_run(&b));
  expect_ar(&b, 6, (const int32_t[]){0, 33554432, 33292288, 0});
  cr_assert(eq(u64, b.r.event_wrap, 8));
  mb_close(&b);
}

/* 635 more products: lane 0 passes 2^31 at the 519th, lane 1 -2^31 at the 259th, each once a row.
 */
Test(model_insn, accumulating_mm_wraps_and_counts, .timeout = 5)
{
  static const struct kt_insn prog[] = {NEAR_THE_EDGE,     LOOP(127), LOOP(5),
                                        MM(0, 0, 1, 0, 4), ENDLOOP(), ENDLOOP()};
  struct model_bench b;

  mb_open(&b, SMALL);
  uniform(&b, 127, edge_columns);
  mb_program(&b, 0, prog, COUNT(prog));
  expect_clean(&b, mb_run(&b));
  expect_ar(&b, 0, (const int32_t[]){-2139939348, 2122970624, 16968724, 0});
  cr_assert(eq(u64, b.r.event_wrap, 8));
  mb_close(&b);
}

/* ---- Vector ops ------------------------------------------------------------------------------ */

Test(model_insn, vector_operations_by_hand, .timeout = 5)
{
  /* last rows first: what one writes past its end stays visible */
  static const struct kt_insn prog[] = {
      LD(A_VR, 0, 0, 0, 4),  LD(B_SPAD, 0, 0, 0, 4), MM(0, 0, 0, 0, 4), MM(0, 4, 0, 0, 4),
      VADDRELU(16, 0, 4, 4), VADD(12, 0, 4, 4),      VRELU(8, 0, 4)};
  struct model_bench b;

  mb_open(&b, SMALL);
  uniform(&b, 5, (const int[]){7, -7, 0, -1});
  mb_program(&b, 0, prog, COUNT(prog));
  expect_clean(&b, mb_run(&b));
  expect_ar(&b, 0, (const int32_t[]){140, -140, 0, -20});
  expect_ar(&b, 11, (const int32_t[]){140, 0, 0, 0});
  expect_ar(&b, 15, (const int32_t[]){280, -280, 0, -40});
  expect_ar(&b, 12, (const int32_t[]){280, -280, 0, -40});
  expect_ar(&b, 16, (const int32_t[]){280, 0, 0, 0});
  expect_ar(&b, 19, (const int32_t[]){280, 0, 0, 0});
  expect_ar(&b, 20, (const int32_t[]){0, 0, 0, 0});
  mb_close(&b);
}

/* Row j of the vadd reads what row j - 3 of it wrote: 3, 3, 3 then doubled every three rows. */
Test(model_insn, vadd_rows_read_what_earlier_rows_wrote, .timeout = 5)
{
  static const struct kt_insn prog[] = {LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 4),
                                        MM(0, 0, 0, 0, 4), VADD(3, 0, 0, 9)};
  static const int32_t want[12] = {3, 3, 3, 6, 6, 6, 12, 12, 12, 24, 24, 24};
  struct model_bench b;

  mb_open(&b, SMALL);
  for (uint32_t r = 0; r < 4; r++) mb_put(&b, MB_A, r, 0, 3);
  mb_put(&b, MB_B, 0, 0, 1);
  mb_program(&b, 0, prog, COUNT(prog));
  expect_clean(&b, mb_run(&b));
  for (uint32_t r = 0; r < 12; r++) expect_ar(&b, r, (const int32_t[]){want[r], 0, 0, 0});
  mb_close(&b);
}

/* ---- Loads, copies, strides ------------------------------------------------------------------ */

static void number_matrices(struct model_bench *b)
{
  for (uint32_t i = 0; i < 256; i++) {
    b->mem.bytes[MB_A + i] = (uint8_t)i;
    b->mem.bytes[MB_B + i] = (uint8_t)(255 - i);
  }
}

static void expect_lanes(const int8_t *got, uint32_t first, int step, const char *what)
{
  for (uint32_t j = 0; j < 4; j++)
    cr_assert(eq(int, (uint8_t)got[j], (int)(first + (uint32_t)(step * (int)j)) & 255),
              "%s lane %lu", what, (unsigned long)j);
}

Test(model_insn, dma_ld_takes_the_matrix_and_the_memory_that_its_mode_names, .timeout = 5)
{
  static const struct kt_insn prog[] = {
      LD(A_SPAD, 3, 1, 10, 2), LD(B_SPAD, 0, 0, 20, 1), LD(A_VR, 15, 3, 30, 1),
      LD(B_VR, 7, 2, 40, 2),   VLD(50, 11, 1),
  };
  struct model_bench b;

  mb_open(&b, SMALL);
  number_matrices(&b);
  mb_program(&b, 0, prog, COUNT(prog));
  expect_clean(&b, mb_run(&b));
  expect_lanes(kr_int8_spad(b.m, 10), 3 * 16 + 4, 1, "A row 3 block 1");
  expect_lanes(kr_int8_spad(b.m, 11), 4 * 16 + 4, 1, "A row 4 block 1");
  expect_lanes(kr_int8_spad(b.m, 20), 255, -1, "B row 0 block 0");
  expect_lanes(kr_int8_vr(b.m, 30), 15 * 16 + 12, 1, "A row 15 block 3");
  expect_lanes(kr_int8_vr(b.m, 40), 255 - (7 * 16 + 8), -1, "B row 7 block 2");
  expect_lanes(kr_int8_vr(b.m, 41), 255 - (8 * 16 + 8), -1, "B row 8 block 2");
  expect_lanes(kr_int8_vr(b.m, 50), 4 * 16 + 4, 1, "copy of spad row 11");
  mb_close(&b);
}

Test(model_insn, strides_are_bytes_from_row_to_row, .timeout = 5)
{
  static const struct kt_insn prog[] = {LD(A_VR, 0, 1, 0, 3), LD(B_SPAD, 0, 0, 0, 4),
                                        MM(0, 0, 0, 0, 4), MVOUT(0, 0, 2, 4)};
  struct model_bench b;

  mb_open(&b, SMALL ",CONTRACTS=0"); /* vr row 3 stays unwritten, and zero */
  b.desc[0].stride_a = 8;
  b.desc[0].stride_b = 4;
  b.desc[0].stride_c = 28;
  number_matrices(&b);
  for (uint32_t i = 0; i < 16; i++) b.mem.bytes[MB_B + i] = i % 5 == 0; /* identity, dense */
  mb_program(&b, 0, prog, COUNT(prog));
  cr_assert(eq(int, mb_run(&b), KT_OK));
  cr_assert(eq(u32, b.r.fault.code, 0));
  for (uint32_t r = 0; r < 3; r++)
    for (uint32_t j = 0; j < 4; j++)
      cr_assert(eq(int, b.mem.bytes[MB_C + 28 * r + 8 + j], (int)(8 * r + 4 + j)));
  cr_assert(eq(int, b.mem.bytes[MB_C + 28 * 3 + 8], 0));
  cr_assert(eq(int, b.mem.bytes[MB_C + 7], 0xC5));
  cr_assert(eq(int, b.mem.bytes[MB_C + 12], 0xC5));
  mb_close(&b);
}

/* ---- Output forms ---------------------------------------------------------------------------- */

/* After uniform(): four rows of 4 * a * column in ar. */
#define PRODUCT LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 4), MM(0, 0, 0, 0, 4)

struct form_case {
  uint32_t form, shift;
  int a;
  int column[4];
  int want[4];
  uint64_t sat; /* of one row */
};

static const struct form_case forms[] = {
    /* ar holds 4 * a * column */
    {KT_FORM_INT8, 0, 1, {31, 32, -32, -33}, {124, 127, -128, -128}, 2},
    {KT_FORM_INT8, 0, 127, {127, -128, 0, 1}, {127, -128, 0, 127}, 3},
    {KT_FORM_INT8_SHIFT, 0, 1, {31, 32, -32, -33}, {124, 127, -128, -128}, 2},
    {KT_FORM_INT8_SHIFT, 3, 1, {1, 3, -1, -3}, {0, 2, 0, -2}, 0}, /* 4/8 12/8: ties */
    {KT_FORM_INT8_SHIFT, 2, 1, {127, -128, 1, 0}, {127, -128, 1, 0}, 0},
    {KT_FORM_INT8_SHIFT, 1, 1, {63, 64, -64, -65}, {126, 127, -128, -128}, 2},
    {KT_FORM_INT8_SHIFT, 9, 127, {127, -128, 2, -1}, {126, -127, 2, -1}, 0}, /* 126.008 -127 1.98 */
    {KT_FORM_INT8_SHIFT, 31, 127, {127, -128, 0, 1}, {0, 0, 0, 0}, 0},
};

Test(model_insn, int8_forms_round_then_saturate, .timeout = 10)
{
  static const struct kt_insn prog[] = {PRODUCT, MVOUT(0, 2, 1, 4)};

  for (size_t i = 0; i < COUNT(forms); i++) {
    const struct form_case *f = &forms[i];
    struct model_bench b;
    mb_open(&b, SMALL);
    uniform(&b, f->a, f->column);
    b.desc[0].form = f->form;
    b.desc[0].shift = f->shift;
    mb_program(&b, 0, prog, COUNT(prog));
    expect_clean(&b, mb_run(&b));
    for (uint32_t r = 2; r < 6; r++)
      for (uint32_t j = 0; j < 4; j++)
        cr_assert(eq(int, mb_get(&b, MB_C, r, 4 + j), f->want[j]), "case %zu lane %lu", i,
                  (unsigned long)j);
    cr_assert(eq(u64, b.r.event_sat, 4 * f->sat), "case %zu", i);
    cr_assert(eq(u64, b.r.row_writes, 4));
    mb_close(&b);
  }
}

Test(model_insn, int32_form_leaves_all_bits_lowest_byte_first, .timeout = 5)
{
  static const struct kt_insn prog[] = {PRODUCT, MVOUT(0, 1, 3, 4)};
  static const uint8_t row[16] = {0x04, 0xFC, 0, 0, 0x00, 0x02, 0xFF, 0xFF,
                                  0,    0,    0, 0, 0x04, 0xFE, 0xFF, 0xFF};
  struct model_bench b;

  mb_open(&b, SMALL);
  uniform(&b, 127, (const int[]){127, -128, 0, -1}); /* 64516, -65024, 0, -508 */
  b.desc[0].form = KT_FORM_INT32;
  mb_program(&b, 0, prog, COUNT(prog));
  expect_clean(&b, mb_run(&b));
  for (uint32_t r = 1; r < 5; r++) /* row stride 4 * MAXDIM, block 3 at 4 * T * 3 */
    cr_assert(eq(int, memcmp(b.mem.bytes + MB_C + 64 * r + 48, row, 16), 0), "row %lu",
              (unsigned long)r);
  cr_assert(eq(int, b.mem.bytes[MB_C + 64 + 47], 0xC5));
  cr_assert(eq(int, b.mem.bytes[MB_C + 64 * 5], 0xC5));
  cr_assert(eq(u64, b.r.event_sat, 0));
  mb_close(&b);
}

/* ---- Independence of what was there ---------------------------------------------------------- */

Test(model_insn, no_result_depends_on_initial_contents, .timeout = 5)
{
  static const struct kt_insn prog[] = {PRODUCT, VADD(8, 0, 0, 4), VLD(4, 0, 4), MVOUT(8, 0, 0, 4)};
  uint8_t first[64];

  for (uint64_t seed = 0; seed < 3; seed++) {
    struct model_bench b;
    mb_open(&b, SMALL);
    if (seed > 0) kr_int8_scramble(b.m, seed);
    if (seed > 0) cr_assert(ne(int, memcmp(kr_int8_ar(b.m, 100), (int32_t[4]){0}, 16), 0));
    uniform(&b, 3, (const int[]){1, -2, 3, -4});
    mb_program(&b, 0, prog, COUNT(prog));
    expect_clean(&b, mb_run(&b));
    if (seed == 0) memcpy(first, b.mem.bytes + MB_C, sizeof first);
    cr_assert(eq(int, memcmp(first, b.mem.bytes + MB_C, sizeof first), 0), "seed %d", (int)seed);
    cr_assert(eq(int, mb_get(&b, MB_C, 0, 1), -48));
    mb_close(&b);
  }
}

/* Every row of every memory changes, and differently with another seed. */
Test(model_insn, scramble_leaves_no_row_as_it_was, .timeout = 5)
{
  struct model_bench a, b;

  mb_open(&a, SMALL);
  mb_open(&b, SMALL);
  kr_int8_scramble(a.m, 1);
  kr_int8_scramble(b.m, 2);
  for (uint32_t r = 0; r < a.p.nar; r++) {
    cr_assert(ne(i32, kr_int8_ar(a.m, r)[0], 0));
    cr_assert(ne(i32, kr_int8_ar(a.m, r)[3], kr_int8_ar(b.m, r)[3]));
  }
  for (uint32_t r = 0; r < a.p.nvr; r++)
    cr_assert(ne(int, memcmp(kr_int8_vr(a.m, r), kr_int8_vr(b.m, r), 4), 0));
  for (uint32_t r = 0; r < a.p.spad_rows; r++)
    cr_assert(ne(int, memcmp(kr_int8_spad(a.m, r), kr_int8_spad(b.m, r), 4), 0));
  mb_close(&a);
  mb_close(&b);
}

Test(model_insn, contents_stay_from_run_to_run, .timeout = 5)
{
  static const struct kt_insn load[] = {PRODUCT}, out[] = {MVOUT(0, 0, 0, 4)};
  struct model_bench b;

  mb_open(&b, SMALL ",CONTRACTS=0");
  uniform(&b, 3, (const int[]){1, -2, 3, -4});
  mb_program(&b, 0, load, COUNT(load));
  expect_clean(&b, mb_run(&b));
  mb_program(&b, 0, out, COUNT(out));
  cr_assert(eq(int, mb_run(&b), KT_OK));
  cr_assert(eq(int, mb_get(&b, MB_C, 3, 2), 36));
  cr_assert(eq(u32, b.r.violation.code, KT_FAULT_UNWRITTEN));
  mb_close(&b);
}
