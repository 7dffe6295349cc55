/* SPDX-License-Identifier: Apache-2.0
 *
 * The kept GEMM programs: word for word, issue by issue, and on the model against a triple loop.
 */
#include "compiler/unit/kc_gemm.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/compiler_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static const struct kc_shape shapes[] = {
    {4, 4, 4, false}, {8, 8, 8, false}, {12, 12, 12, false}, {16, 16, 8, false}, {16, 16, 16, false}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

typedef enum kt_status maker(const struct kt_params *, const struct kc_shape *, struct kc_program *,
                             struct kt_msg *);

static struct kc_program make(const struct kt_params *p, maker *fn, struct kc_shape s)
{
  struct kc_program program;
  struct kt_msg msg = {""};
  cr_assert(eq(int, fn(p, &s, &program, &msg), KT_OK), "%ux%ux%u: %s", s.m, s.k, s.n, msg.text);
  return program;
}

Test(compiler_gemm, generated_equals_handwritten_word_for_word, .timeout = 10)
{
  static const char *const builds[] = {"int8", "int8,MAXDIM=16", "int8,T=8", "int8,T=8,MAXDIM=128"};
  for (size_t b = 0; b < 4; b++) {
    struct kt_params p = cb_build(builds[b]);
    for (size_t i = 0; i < 2 * SHAPES; i++) {
      struct kc_shape s = shapes[i / 2];
      s.relu = i % 2;
      struct kc_program g = make(&p, kc_gemm_program, s);
      struct kc_program h = make(&p, kc_gemm_handwritten, s);
      cr_assert(eq(sz, g.n_words, h.n_words));
      for (size_t w = 0; w < g.n_words; w++)
        cr_assert(eq(u64, g.words[w], h.words[w]), "word %zu", w);
      cr_expect(le(sz, kc_program_instructions(g.n_words), 14));
      kc_program_free(&g);
      kc_program_free(&h);
    }
  }
}

/* The same issues in the same order, every resolved field included. */
Test(compiler_gemm, generated_equals_flat_issue_by_issue, .timeout = 10)
{
  struct kt_params p = cb_build("int8");
  for (size_t i = 0; i < 2 * SHAPES; i++) {
    struct kc_shape s = shapes[i / 2];
    s.relu = i % 2;
    struct kc_program g = make(&p, kc_gemm_program, s);
    struct kc_program f = make(&p, kc_gemm_flat, s);
    struct kc_issue *a, *b;
    size_t na, nb;
    cr_assert(eq(int, kc_expand(g.words, g.n_words, &a, &na, NULL), KT_OK));
    cr_assert(eq(int, kc_expand(f.words, f.n_words, &b, &nb, NULL), KT_OK));
    cr_assert(eq(sz, na, nb));
    for (size_t j = 0; j < na; j++) {
      cr_assert(all(eq(uint, a[j].op, b[j].op), eq(uint, a[j].nr, b[j].nr)), "issue %zu", j);
      cr_assert(eq(int, memcmp(a[j].f, b[j].f, sizeof a[j].f), 0), "issue %zu", j);
    }
    for (size_t w = 1; w < KT_NHDR; w++) /* all counts but the static one */
      cr_assert(eq(u64, g.words[w], f.words[w]));
    free(a);
    free(b);
    kc_program_free(&g);
    kc_program_free(&f);
  }
}

Test(compiler_gemm, kept_programs_compute_the_product, .timeout = 60)
{
  static const char *const builds[] = {"int8,IMEM=120", "int8,MAXDIM=16,IMEM=120", "int8,T=8"};
  static maker *const makers[] = {kc_gemm_program, kc_gemm_handwritten, kc_gemm_flat};
  static const uint32_t forms[] = {KT_FORM_INT8, KT_FORM_INT32};
  uint64_t compared = 0, unsaturated = 0;
  for (size_t run = 0; run < 3u * SHAPES * 2 * 2 * 3; run++) {
    struct kt_params p = cb_build(builds[run % 3]);
    struct kc_shape s = shapes[run / 3 % SHAPES];
    s.relu = run / 3 / SHAPES % 2;
    struct gemm_case g = {s.m, s.k, s.n, forms[run / 3 / SHAPES / 2 % 2], 0, s.relu};
    struct kc_program program = make(&p, makers[run / 3 / SHAPES / 4], s);
    struct gemm_bench gb;
    struct kt_msg msg = {""};

    cr_assert(eq(int, kc_check_program(&p, program.words, program.n_words, NULL, &msg), KT_OK), "%s",
              msg.text);
    cb_open(&gb, &p, &g, run + 1);
    cb_run_program(&gb, &program);
    compared += gb.compared;
    unsaturated += gb.unsaturated;
    cb_close(&gb);
    kc_program_free(&program);
  }
  cr_assert(gt(u64, compared, 10000));
  cr_assert(gt(u64, 4 * unsaturated, compared)); /* int8 hides low bits, int32 does not */
}

/* 28 instructions fit the default program memory of 48, the reference's own of 24 they do not. */
Test(compiler_gemm, flat_16_needs_more_than_the_references_program_memory, .timeout = 5)
{
  struct kt_params p = cb_build("int8,IMEM=56");
  struct kc_program f = make(&p, kc_gemm_flat, shapes[4]);
  struct kc_fault fault;
  cr_assert(eq(sz, kc_program_instructions(f.n_words), 28));
  cr_assert(eq(int, kc_check_fault(&p, f.words, f.n_words, NULL, &fault, NULL), KT_EFAULT));
  cr_assert(all(eq(u32, fault.code, KT_FAULT_N_INSTR), eq(u32, fault.arg, 64)));
  kc_program_free(&f);
}

/* Few rows would break the accumulator distance; padding rows keep it. */
Test(compiler_gemm, odd_shapes_compute_the_product, .timeout = 60)
{
  static const struct kc_shape odd[] = {{1, 1, 1, false},  {1, 9, 5, true},   {2, 16, 3, false},
                                        {3, 64, 64, true}, {63, 61, 59, false}, {64, 64, 64, true},
                                        {5, 64, 1, false}, {64, 1, 64, false}};
  struct kt_params p = cb_build("int8");
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    struct gemm_case g = {odd[i].m, odd[i].k, odd[i].n, KT_FORM_INT32, 0, odd[i].relu};
    struct kc_program program = make(&p, kc_gemm_program, odd[i]);
    struct gemm_bench gb;
    cr_assert(eq(int, kc_check_program(&p, program.words, program.n_words, NULL, NULL), KT_OK));
    cb_open(&gb, &p, &g, i);
    cb_run_program(&gb, &program);
    cb_close(&gb);
    kc_program_free(&program);
  }
}

/* The reference: at T = 8, MAXDIM = 128 both shapes are one over, and fit once B's load is split. */
Test(compiler_gemm, a_split_load_of_b_fits_what_one_load_cannot, .timeout = 60)
{
  static const struct kc_shape wide[] = {{32, 128, 128, false}, {64, 128, 128, true}};
  struct kt_params p = cb_build("int8,T=8,MAXDIM=128");
  for (size_t i = 0; i < 2; i++) {
    struct gemm_case g = {wide[i].m, wide[i].k, wide[i].n, KT_FORM_INT32, 0, wide[i].relu};
    struct kc_program program = make(&p, kc_gemm_program, wide[i]);
    struct kc_program hand = make(&p, kc_gemm_handwritten, wide[i]);
    struct gemm_bench gb;
    cr_assert(eq(sz, program.n_words, hand.n_words));
    cr_assert(eq(int, memcmp(program.words, hand.words, 8 * hand.n_words), 0));
    cb_open(&gb, &p, &g, i);
    cb_run_program(&gb, &program);
    cb_close(&gb);
    kc_program_free(&program);
    kc_program_free(&hand);
  }
}

Test(compiler_gemm, shapes_past_one_program_are_refused_by_name, .timeout = 10)
{
  static const struct {
    const char *build;
    struct kc_shape s;
    const char *says;
  } refused[] = {
      {"int8", {65, 64, 64, false}, "m (rows of A in one program) = 65 is past the limit 64 by 1"},
      {"int8", {64, 66, 64, false}, "is past the limit 64 by 4"}, /* whole tiles */
      {"int8", {64, 64, 67, false}, "n (columns of B in one program) = 67 is past the limit 64 by 3"},
      {"int8,MAXDIM=80", {80, 80, 80, false}, "is past the limit 32767 by"},
      {"int8,T=8,MAXDIM=128", {128, 128, 128, false}, "= 128 is past the limit 127 by 1"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    struct kt_params p = cb_build(refused[i].build);
    static maker *const makers[] = {kc_gemm_program, kc_gemm_handwritten, kc_gemm_flat};
    for (size_t j = 0; j < 3; j++) {
      struct kc_program program;
      struct kt_msg msg = {""};
      cr_expect(eq(int, makers[j](&p, &refused[i].s, &program, &msg), KT_ELIMIT));
      cr_expect(strstr(msg.text, refused[i].says) != NULL, "%s", msg.text);
      cr_expect(eq(ptr, program.words, NULL));
    }
  }
  struct kt_params p = cb_build("int8");
  struct kc_shape none = {4, 0, 4, false};
  struct kc_program program;
  cr_assert(eq(int, kc_gemm_program(&p, &none, &program, NULL), KT_EINVAL));
}
