/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast GEMM and the plan of any shape: every element once, legal programs, bit-exact on the model.
 */
#include "compiler/schedule/kc_gemm_plan.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/compiler_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void plan_and_run(const char *build, const struct gemm_case *g, uint64_t seed,
                         uint64_t *compared)
{
  struct kt_params p = cb_build(build);
  struct gemm_bench gb;
  struct kc_plan plan;
  struct kt_msg msg = {""};
  enum kt_status st = kc_gemm_plan(&p, g->m, g->k, g->n, g->form, g->shift, g->relu, &plan, &msg);

  cr_assert(eq(int, st, KT_OK), "%s %ux%ux%u: %s", build, g->m, g->k, g->n, msg.text);
  cb_open(&gb, &p, g, seed);
  cb_run_plan(&gb, &plan);
  *compared += gb.compared;
  cb_close(&gb);
  kc_plan_free(&plan);
}

/* ---- One program ------------------------------------------------------------------------------ */

/* Shapes of a whole product at every branch of the generator: one column and more, one k-tile and
 * more, few rows and many, an odd and an even number of columns in loops. */
static const uint32_t single[][3] = {
    {1, 1, 1},    {1, 64, 64},  {2, 5, 9},    {3, 4, 4},    {4, 4, 4},    {5, 7, 3},   {8, 8, 8},
    {12, 12, 12}, {16, 16, 8},  {16, 16, 16}, {16, 17, 20}, {47, 64, 63}, {48, 8, 8},  {48, 9, 64},
    {49, 61, 59}, {50, 4, 64},  {63, 33, 5},  {63, 33, 9},  {64, 64, 1},  {64, 1, 64}, {64, 64, 4},
    {64, 64, 8},  {64, 64, 12}, {64, 64, 16}, {64, 64, 63}, {64, 64, 64}, {7, 64, 33}, {31, 20, 28}};

Test(compiler_plan, single_programs_on_the_model, .timeout = 120)
{
  static const char *const builds[] = {"int8", "int8,T=8", "int8,T=8,BUS=256"};
  uint64_t compared = 0;
  for (size_t b = 0; b < 3; b++)
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
      for (uint32_t relu = 0; relu < 2; relu++) {
        struct gemm_case g = {single[i][0], single[i][1], single[i][2], KT_FORM_INT32, 0, relu};
        plan_and_run(builds[b], &g, i, &compared);
      }
  cr_assert(gt(u64, compared, 100000));
}

Test(compiler_plan, the_five_small_shapes_at_maxdim_16, .timeout = 60)
{
  static const char *const builds[] = {"int8,MAXDIM=16", "int8,MAXDIM=16,BUS=256", "ice40"};
  static const uint32_t shapes[][3] = {{4, 4, 4}, {8, 8, 8}, {12, 12, 12}, {16, 16, 8}, {16, 16, 16}};
  static const uint32_t forms[] = {KT_FORM_INT8, KT_FORM_INT8_SHIFT, KT_FORM_INT32};
  uint64_t compared = 0;
  for (size_t run = 0; run < 3u * 5 * 3 * 2; run++) {
    const uint32_t *s = shapes[run / 3 % 5];
    uint32_t form = forms[run / 15 % 3];
    struct gemm_case g = {s[0], s[1], s[2], form, form == KT_FORM_INT8_SHIFT ? 7 : 0, run / 45 % 2};
    plan_and_run(builds[run % 3], &g, run, &compared);
  }
  cr_assert(gt(u64, compared, 1000));
}

/* ---- Chains ----------------------------------------------------------------------------------- */

Test(compiler_plan, chains_over_k_on_the_model, .timeout = 240)
{
  static const struct {
    const char *build;
    uint32_t m, k, n;
  } chains[] = {
      {"int8", 64, 65, 8},         {"int8", 1, 1000, 1},      {"int8", 3, 129, 17},
      {"int8", 65, 128, 9},        {"int8", 64, 192, 64},     {"int8", 34, 66, 30},
      {"int8", 70, 130, 70},       {"int8,BUS=256", 64, 100, 72}, {"int8,BUS=256", 20, 70, 40},
      {"int8,MAXDIM=16", 17, 33, 18}, {"int8,MAXDIM=16,BUS=256", 33, 50, 37},
      {"int8,T=8", 65, 200, 72},   {"int8,T=8,BUS=256", 40, 70, 100},
      {"int8,T=16,MAXDIM=128", 130, 140, 50}, {"int8,T=8,MAXDIM=128", 70, 130, 140},
      {"ice40", 20, 40, 20},       {"ecp5-int8", 66, 70, 20}};
  static const uint32_t forms[] = {KT_FORM_INT8_SHIFT, KT_FORM_INT32};
  uint64_t compared = 0;
  for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
    for (uint32_t f = 0; f < 2; f++) {
      struct gemm_case g = {chains[i].m, chains[i].k, chains[i].n, forms[f], f == 0 ? 9 : 0, i % 2};
      plan_and_run(chains[i].build, &g, i + 1, &compared);
    }
  cr_assert(gt(u64, compared, 40000));
}

/* Every K, so that every tail of a tile, a block and a chain is met. */
Test(compiler_plan, every_k_up_to_two_blocks, .timeout = 240)
{
  uint64_t compared = 0;
  for (uint32_t k = 1; k <= 34; k++) {
    struct gemm_case g = {5, k, 6, KT_FORM_INT32, 0, false};
    plan_and_run("int8,MAXDIM=16", &g, k, &compared);
    plan_and_run("int8,T=8,MAXDIM=16", &g, k, &compared);
  }
  cr_assert(eq(u64, compared, 34 * 2 * 30));
}

/* ---- What a plan promises ---------------------------------------------------------------------- */

static void covers_once(const struct kt_params *p, uint32_t m, uint32_t k, uint32_t n)
{
  struct kc_plan plan;
  cr_assert(eq(int, kc_gemm_plan(p, m, k, n, KT_FORM_INT8, 0, false, &plan, NULL), KT_OK));
  uint32_t *depth = calloc((size_t)m * n, sizeof *depth); /* K summed so far */
  bool *done = calloc((size_t)m * n, sizeof *done);

  for (size_t i = 0; i < plan.n_steps; i++) {
    const struct kc_step *s = &plan.steps[i];
    cr_assert(eq(int, s->first, s->k0 == 0));
    if (!s->first) cr_assert(all(eq(u32, s->m0, s[-1].m0), eq(u32, s->n0, s[-1].n0)));
    for (uint32_t r = s->m0; r < s->m0 + s->m; r++)
      for (uint32_t c = s->n0; c < s->n0 + s->n; c++) {
        size_t at = (size_t)r * n + c;
        cr_assert(eq(u32, depth[at], s->k0));
        cr_assert(not(done[at]));
        depth[at] += s->k;
        done[at] = s->last;
      }
  }
  for (size_t i = 0; i < (size_t)m * n; i++)
    cr_assert(all(eq(u32, depth[i], k), done[i]), "element %zu", i);
  free(depth);
  free(done);
  kc_plan_free(&plan);
}

Test(compiler_plan, every_element_gets_all_of_k_once_and_in_order, .timeout = 60)
{
  static const uint32_t shapes[][3] = {{1, 1, 1},    {64, 64, 64},  {65, 64, 64},   {64, 65, 64},
                                       {64, 64, 65}, {200, 70, 90}, {130, 129, 131}, {7, 1000, 13}};
  static const char *const builds[] = {"int8", "int8,T=8", "int8,MAXDIM=88", "int8,T=16,MAXDIM=176"};
  for (size_t b = 0; b < 4; b++) {
    struct kt_params p = cb_build(builds[b]);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
      covers_once(&p, shapes[i][0], shapes[i][1], shapes[i][2]);
  }
}

/* A chain of full tiles needs three programs and a product within one block needs one. */
Test(compiler_plan, as_few_distinct_programs_as_the_shape_has, .timeout = 20)
{
  static const struct {
    const char *build;
    uint32_t m, k, n;
    size_t programs, steps;
  } plans[] = {{"int8", 64, 64, 64, 1, 1},     {"int8", 512, 512, 512, 3, 4096},
               {"int8", 128, 128, 128, 2, 64}, {"int8,T=8", 512, 512, 512, 3, 2048},
               {"int8", 100, 64, 64, 2, 2},    {"int8,BUS=256", 64, 128, 64, 8, 16}};
  for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
    struct kt_params p = cb_build(plans[i].build);
    struct kc_plan plan;
    cr_assert(eq(int, kc_gemm_plan(&p, plans[i].m, plans[i].k, plans[i].n, KT_FORM_INT8, 0, false,
                                   &plan, NULL), KT_OK));
    cr_expect(all(eq(sz, plan.n_programs, plans[i].programs), eq(sz, plan.n_steps, plans[i].steps)),
              "%s %ux%ux%u: %zu programs, %zu steps", plans[i].build, plans[i].m, plans[i].k,
              plans[i].n, plan.n_programs, plan.n_steps);
    kc_plan_free(&plan);
  }
}

/* The link of a chain is short, so that its fetch hides behind the one before. */
Test(compiler_plan, links_of_a_chain_take_at_most_20_instructions, .timeout = 20)
{
  struct kt_params p = cb_build("int8");
  for (uint32_t i = 0; i < 6; i++) {
    struct kc_slab slab = {.m = 64, .k = 64, .n = 8, .first = i % 3 == 0, .last = i % 3 == 2,
                           .relu = i == 5};
    struct kc_program program;
    cr_assert(eq(int, kc_gemm_slab(&p, &slab, &program, NULL), KT_OK));
    cr_expect(le(sz, kc_program_instructions(program.n_words), 20));
    kc_program_free(&program);
  }
}

/* Every whole product fits the default program memory, whatever its shape. */
Test(compiler_plan, whole_products_fit_48_instructions, .timeout = 60)
{
  static const char *const builds[] = {"int8", "int8,T=8", "int8,T=16,MAXDIM=128", "int8,MAXDIM=16"};
  for (size_t b = 0; b < 4; b++) {
    struct kt_params p = cb_build(builds[b]);
    for (uint32_t m = 1; m <= kc_slab_rows(&p); m += 5)
      for (uint32_t k = 1; k <= p.maxdim; k += 3)
        for (uint32_t n = 1; n <= p.maxdim; n += 3) {
          struct kc_slab slab = {.m = m, .k = k, .n = n, .first = true, .last = true, .relu = true};
          struct kc_program program;
          struct kt_msg msg = {""};
          cr_assert(eq(int, kc_gemm_slab(&p, &slab, &program, &msg), KT_OK), "%ux%ux%u: %s", m, k, n,
                    msg.text);
          kc_program_free(&program);
        }
  }
}

/* ---- Limits ------------------------------------------------------------------------------------ */

Test(compiler_plan, slabs_past_a_limit_are_refused_by_name, .timeout = 10)
{
  static const struct {
    struct kc_slab s;
    enum kt_status st;
    const char *says;
  } refused[] = {
      {{.m = 65, .k = 1, .n = 1, .first = true, .last = true}, KT_ELIMIT,
       "m = 65 is past the limit 64 (MAXDIM) by 1"},
      {{.m = 1, .k = 67, .n = 1, .first = true, .last = true}, KT_ELIMIT,
       "k = 67 is past the limit 64 (MAXDIM) by 3"},
      {{.m = 1, .k = 1, .n = 70, .first = true, .last = true}, KT_ELIMIT,
       "n = 70 is past the limit 64 (MAXDIM) by 6"},
      {{.m = 64, .k = 64, .n = 9, .first = true}, KT_ELIMIT,
       "columns kept in ar = 3 is past the limit 2 (NAR / rows of a column, at most 4) by 1"},
      {{.m = 4, .k = 4, .n = 4, .cb_a = 16, .first = true, .last = true}, KT_ELIMIT,
       "column blocks of A = 17 is past the limit 16 (WPR) by 1"},
      {{.m = 4, .k = 4, .n = 8, .cb_b = 15, .first = true, .last = true}, KT_ELIMIT,
       "column blocks of B = 17"},
      {{.m = 4, .k = 4, .n = 4, .cb_c = 20, .first = true, .last = true}, KT_ELIMIT,
       "column blocks of C = 21"},
      {{.m = 0, .k = 4, .n = 4, .first = true, .last = true}, KT_EINVAL, "at least 1"},
  };
  struct kt_params p = cb_build("int8");
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    struct kc_program program;
    struct kt_msg msg = {""};
    cr_expect(eq(int, kc_gemm_slab(&p, &refused[i].s, &program, &msg), refused[i].st));
    cr_expect(strstr(msg.text, refused[i].says) != NULL, "%s", msg.text);
    cr_expect(eq(ptr, program.words, NULL));
  }
  /* the limits themselves are met */
  struct kc_slab edge = {.m = 64, .k = 64, .n = 8, .cb_b = 14, .first = true};
  struct kc_program program;
  cr_assert(eq(int, kc_gemm_slab(&p, &edge, &program, NULL), KT_OK));
  kc_program_free(&program);
}

Test(compiler_plan, a_short_program_memory_is_named, .timeout = 10)
{
  struct kt_params p = cb_build("int8,IMEM=40");
  struct kc_slab slab = {.m = 64, .k = 64, .n = 64, .first = true, .last = true};
  struct kc_program program;
  struct kt_msg msg = {""};
  cr_assert(eq(int, kc_gemm_slab(&p, &slab, &program, &msg), KT_ELIMIT));
  cr_assert(strstr(msg.text, "past the limit 40 (IMEM_SIZE)") != NULL, "%s", msg.text);
  cr_assert(eq(ptr, program.words, NULL));
}

/* At MAXDIM = 88 a cubic product promises accu more than 15 bits: the plan takes fewer columns. */
Test(compiler_plan, whole_products_keep_header_counts_in_15_bits, .timeout = 60)
{
  struct kt_params p = cb_build("int8,MAXDIM=88");
  struct kc_plan plan;
  uint32_t columns = kc_slab_columns_whole(&p, 88, 88, true);
  struct kc_slab most = {.m = 88, .k = 88, .n = columns * 4, .first = true, .last = true, .relu = true};
  struct kc_program program;

  cr_assert(lt(u32, columns, 22));
  cr_assert(eq(int, kc_gemm_slab(&p, &most, &program, NULL), KT_OK));
  kc_program_free(&program);
  most.n += 4;
  cr_assert(eq(int, kc_gemm_slab(&p, &most, &program, NULL), KT_ELIMIT));
  cr_assert(eq(int, kc_gemm_plan(&p, 88, 88, 88, KT_FORM_INT8, 0, true, &plan, NULL), KT_OK));
  cr_assert(eq(sz, plan.n_steps, 2));
  kc_plan_free(&plan);
}

Test(compiler_plan, requests_without_meaning_are_refused, .timeout = 10)
{
  static const struct {
    uint32_t m, k, n, form, shift;
    enum kt_status st;
  } bad[] = {{0, 1, 1, 0, 0, KT_EINVAL}, {1, 0, 1, 0, 0, KT_EINVAL},  {1, 1, 0, 0, 0, KT_EINVAL},
             {1, 1, 1, 3, 0, KT_EINVAL}, {1, 1, 1, 0, 1, KT_EINVAL},  {1, 1, 1, 2, 1, KT_EINVAL},
             {1, 1, 1, 1, 32, KT_EINVAL}, {0x80000000u, 1, 1, 0, 0, KT_ELIMIT}};
  struct kt_params p = cb_build("int8");
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    struct kc_plan plan;
    cr_expect(eq(int, kc_gemm_plan(&p, bad[i].m, bad[i].k, bad[i].n, bad[i].form, bad[i].shift, false,
                                   &plan, NULL), bad[i].st), "case %zu", i);
    kc_plan_free(&plan);
  }
}
