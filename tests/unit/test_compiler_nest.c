/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop-nest generator: what it derives, what it refuses; the test programs made with it, on
 * the model.
 */
#include "compiler/unit/kc_nest.h"
#include "compiler/unit/kc_testprog.h"
#include "compiler/bytes/kc_asm.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/compiler_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- What it derives --------------------------------------------------------------------------- */

Test(compiler_nest, levels_and_terms_follow_the_handles, .timeout = 5)
{
  struct kt_params p = cb_build("int8");
  struct kc_nest *nest = kc_nest_new();
  struct kc_program program, text;
  struct kt_msg msg = {""};

  kc_load_spad(nest, KC_B, kc_ref(0), kc_ref(1), kc_ref(0), 64);
  kc_load_vr(nest, KC_A, kc_ref(0), kc_ref(0), kc_ref(0), 64);
  struct kc_iv n = kc_nest_loop(nest, "n", 3);
  struct kc_iv k = kc_nest_loop(nest, "k", 2);
  kc_mm(nest, kc_at(kc_ref(1), k, 4), kc_ref(9), false, kc_at(kc_at(kc_ref(2), k, 8), n, 4), 5);
  kc_nest_end(nest, k);
  kc_vld(nest, kc_at(kc_ref(0), n, 7), kc_ref(3), 2);
  kc_nest_end(nest, n);
  cr_assert(eq(int, kc_nest_finish(nest, &p, &program, &msg), KT_OK), "%s", msg.text);

  static const char want[] = "dma_ld mode=1 dram_row0=0 col_block=1 dst_row0=0 nr=64\n"
                             "dma_ld mode=2 dram_row0=0 col_block=0 dst_row0=0 nr=64\n"
                             "loop a 3\nloop b 2\n"
                             "mm vr_a=1+b*4 ar0=9 acc=0 spad_w=2+b*8+a*4 nr=5\n"
                             "endloop b\nvld vr0=0+a*7 spad0=3 nr=2\nendloop a\n";
  cr_assert(eq(int, kc_assemble(&p, "want", want, NULL, &text, &msg), KT_OK), "%s", msg.text);
  cr_assert(eq(sz, program.n_words, text.n_words));
  for (size_t i = 0; i < text.n_words; i++)
    cr_assert(eq(u64, program.words[i], text.words[i]), "word %zu", i);
  kc_program_free(&program);
  kc_program_free(&text);
}

/* ---- What it refuses ----------------------------------------------------------------------------- */

typedef void spoil_fn(struct kc_nest *nest);

static void too_deep(struct kc_nest *nest)
{
  kc_nest_loop(nest, "n", 1);
  kc_nest_loop(nest, "k", 1);
  kc_nest_loop(nest, "m", 1);
  kc_nest_loop(nest, "j", 1);
  kc_nest_loop(nest, "i", 1);
}

static void outside_its_loop(struct kc_nest *nest)
{
  struct kc_iv n = kc_nest_loop(nest, "n", 2);
  kc_nest_end(nest, n);
  kc_vld(nest, kc_at(kc_ref(0), n, 1), kc_ref(0), 1);
}

/* Another loop at the same level is another loop. */
static void stale_handle(struct kc_nest *nest)
{
  struct kc_iv n = kc_nest_loop(nest, "n", 2);
  kc_nest_end(nest, n);
  struct kc_iv k = kc_nest_loop(nest, "k", 2);
  kc_vld(nest, kc_at(kc_ref(0), n, 1), kc_ref(0), 1);
  kc_nest_end(nest, k);
}

static void no_handle(struct kc_nest *nest)
{
  kc_nest_loop(nest, "n", 2);
  kc_vld(nest, kc_at(kc_ref(0), (struct kc_iv){0}, 1), kc_ref(0), 1);
}

static void four_terms(struct kc_nest *nest)
{
  struct kc_iv n = kc_nest_loop(nest, "n", 2);
  struct kc_ref two = kc_at(kc_at(kc_ref(0), n, 1), n, 2);
  kc_vld(nest, two, two, 1);
  kc_nest_end(nest, n);
}

static void ten_terms(struct kc_nest *nest)
{
  struct kc_iv n = kc_nest_loop(nest, "n", 2);
  struct kc_ref ref = kc_ref(0);
  for (int i = 0; i < 10; i++)
    ref = kc_at(ref, n, 1);
  kc_vld(nest, ref, kc_ref(0), 1);
}

static void trip_zero(struct kc_nest *nest) { kc_nest_loop(nest, "n", 0); }
static void trip_128(struct kc_nest *nest) { kc_nest_loop(nest, "n", 128); }
static void never_closed(struct kc_nest *nest) { kc_nest_loop(nest, "n", 2); }
static void nothing(struct kc_nest *nest) { (void)nest; }

static void crossed(struct kc_nest *nest)
{
  struct kc_iv n = kc_nest_loop(nest, "n", 2);
  kc_nest_loop(nest, "k", 2);
  kc_nest_end(nest, n);
}

static void closed_twice(struct kc_nest *nest)
{
  struct kc_iv n = kc_nest_loop(nest, "n", 2);
  kc_nest_end(nest, n);
  kc_nest_end(nest, n);
}

static void nr_zero(struct kc_nest *nest) { kc_vld(nest, kc_ref(0), kc_ref(0), 0); }
static void nr_128(struct kc_nest *nest) { kc_vld(nest, kc_ref(0), kc_ref(0), 128); }
static void base_2048(struct kc_nest *nest) { kc_vld(nest, kc_ref(0), kc_ref(2048), 1); }

static void stride_2048(struct kc_nest *nest)
{
  struct kc_iv n = kc_nest_loop(nest, "n", 2);
  kc_vld(nest, kc_at(kc_ref(0), n, 2048), kc_ref(0), 1);
}

/* The first mistake is the one told. */
static void two_mistakes(struct kc_nest *nest)
{
  kc_nest_loop(nest, "n", 0);
  kc_vld(nest, kc_ref(0), kc_ref(0), 0);
}

Test(compiler_nest, mistakes_are_refused_where_they_are_written, .timeout = 5)
{
  static const struct {
    spoil_fn *fn;
    const char *says;
  } refused[] = {
      {too_deep, "the nest is n > k > m > j > i: 5 loops deep (limit 4)"},
      {outside_its_loop, "f0: the induction variable is used outside its own loop"},
      {stale_handle, "outside its own loop"},
      {no_handle, "outside its own loop"},
      {four_terms, "4 address terms, an instruction carries 3"},
      {ten_terms, "10 address terms, an instruction carries 3"},
      {trip_zero, "loop n: trip count 0 is outside 1..127"},
      {trip_128, "loop n: trip count 128 is outside 1..127"},
      {never_closed, "loop n is never closed"},
      {crossed, "the innermost open loop is k"},
      {closed_twice, "no loop is open"},
      {nr_zero, "nr = 0 is outside 1..127"},
      {nr_128, "nr = 128 is outside 1..127"},
      {base_2048, "f1: base 2048 is past its limit 2047"},
      {stride_2048, "f0: stride 2048 is past its limit 2047"},
      {nothing, "a program of no instructions"},
      {two_mistakes, "trip count 0"},
  };
  struct kt_params p = cb_build("int8");
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    struct kc_nest *nest = kc_nest_new();
    struct kc_program program;
    struct kt_msg msg = {""};
    refused[i].fn(nest);
    cr_expect(eq(int, kc_nest_finish(nest, &p, &program, &msg), KT_EINVAL), "case %zu", i);
    cr_expect(strstr(msg.text, refused[i].says) != NULL, "case %zu says: %s", i, msg.text);
    cr_expect(eq(ptr, program.words, NULL));
  }
}

Test(compiler_nest, four_loops_and_three_terms_are_fine, .timeout = 5)
{
  struct kt_params p = cb_build("int8");
  struct kc_nest *nest = kc_nest_new();
  struct kc_program program;
  struct kc_iv iv[4];
  static const char *const names[4] = {"a", "b", "c", "d"};

  for (int i = 0; i < 4; i++)
    iv[i] = kc_nest_loop(nest, names[i], 127 - 126 * (i > 0));
  kc_vld(nest, kc_at(kc_at(kc_at(kc_ref(2047 - 127), iv[0], 1), iv[3], 2047), iv[1], 1), kc_ref(0), 127);
  for (int i = 3; i >= 0; i--)
    kc_nest_end(nest, iv[i]);
  cr_assert(eq(int, kc_nest_finish(nest, &p, &program, NULL), KT_OK));
  kc_program_free(&program);
}

/* ---- Test programs on the model ------------------------------------------------------------------ */

/* A product's worth of memory without comparison: the caller looks at C. */
static void run(struct gemm_bench *gb, const struct kc_program *program, struct kr_result *r)
{
  struct kt_desc_words words;
  struct kt_msg msg = {""};
  struct kt_desc d = {.prog = gb->prog, .prog_words = (uint32_t)program->n_words,
                      .a = gb->a, .b = gb->b, .c = gb->c, .form = gb->g.form};
  kt_desc_pack(&d, words.w);
  for (size_t i = 0; i < 8 * program->n_words; i++)
    gb->mem.bytes[gb->prog + i] = (uint8_t)(program->words[i / 8] >> (8 * (i % 8)));
  cr_assert(eq(int, kr_int8_run(gb->model, &gb->mem, 0, 0, &words, r, &msg), KT_OK), "%s", msg.text);
}

static void open_square(struct gemm_bench *gb, const char *build, uint32_t form)
{
  struct kt_params p = cb_build(build);
  struct gemm_case g = {p.maxdim, p.maxdim, p.maxdim, form, 0, false};
  cb_open(gb, &p, &g, 42);
}

/* sum over k < kn of A[r][k] * B[k][c]; A and B are MAXDIM wide, as the bench lays them out. */
static int32_t dot(const struct gemm_bench *gb, uint32_t r, uint32_t c, uint32_t kn)
{
  int32_t sum = 0;
  for (uint32_t k = 0; k < kn; k++)
    sum += cb_a(gb, r, k) * cb_b(gb, k, c);
  return sum;
}

static const char *const small_builds[] = {"int8,MAXDIM=16", "int8,T=8", "int8,T=16,MAXDIM=64"};

Test(compiler_nest, vadd_program_doubles_and_clamps, .timeout = 20)
{
  static const struct kc_shape shapes[] = {{1, 1, 0, false}, {7, 9, 0, true}, {16, 16, 0, false},
                                           {16, 16, 0, true}};
  for (size_t run_no = 0; run_no < 12; run_no++) {
    struct kc_shape s = shapes[run_no % 4];
    struct gemm_bench gb;
    struct kc_program program;
    struct kr_result r;
    open_square(&gb, small_builds[run_no / 4], KT_FORM_INT32);
    cr_assert(eq(int, kc_vadd_program(&gb.p, &s, &program, NULL), KT_OK));
    cr_assert(eq(int, kc_check_program(&gb.p, program.words, program.n_words, NULL, NULL), KT_OK));
    run(&gb, &program, &r);
    cr_assert(eq(u32, r.fault.code, 0));
    uint32_t kn = (s.k + gb.p.t - 1) / gb.p.t * gb.p.t; /* B's rows past k are not zero here */
    for (uint32_t row = 0; row < s.m; row++)
      for (uint32_t c = 0; c < gb.p.t; c++) {
        int32_t twice = 2 * dot(&gb, row, c, kn);
        cr_assert(eq(i32, cb_c(&gb, row, c), twice > 0 ? twice : 0));
      }
    kc_program_free(&program);
    cb_close(&gb);
  }
}

static int32_t clamp(int32_t x) { return x > 0 ? x : 0; }

Test(compiler_nest, vector_program_leaves_what_its_header_says, .timeout = 20)
{
  for (size_t b = 0; b < 3; b++) {
    struct gemm_bench gb;
    struct kc_program program;
    struct kr_result r;
    open_square(&gb, small_builds[b], KT_FORM_INT32);
    cr_assert(eq(int, kc_vector_program(&gb.p, &program, NULL), KT_OK));
    cr_assert(eq(int, kc_check_program(&gb.p, program.words, program.n_words, NULL, NULL), KT_OK));
    run(&gb, &program, &r);
    cr_assert(eq(u32, r.fault.code, 0));
    uint32_t t = gb.p.t, wpr = gb.p.maxdim / t;
    for (uint32_t row = 0; row < 4; row++)
      for (uint32_t c = 0; c < t; c++) {
        int32_t x = dot(&gb, row, c, t);
        const int32_t want[5] = {x, clamp(x), 2 * x, 2 * x + clamp(x), clamp(2 * x)};
        for (uint32_t block = 0; block < 5 && block < wpr; block++)
          cr_assert(eq(i32, cb_c(&gb, row, block * t + c), want[block]), "block %u", block);
      }
    kc_program_free(&program);
    cb_close(&gb);
  }
}

Test(compiler_nest, ar_distance_program_sits_on_the_contract, .timeout = 20)
{
  for (uint32_t d = 1; d <= 6; d++) {
    struct gemm_bench gb;
    struct kc_program program;
    struct kc_fault fault;
    struct kr_result r;
    open_square(&gb, "int8,MAXDIM=16", KT_FORM_INT32);
    cr_assert(eq(int, kc_ar_distance_program(&gb.p, d, &program, NULL), KT_OK));
    enum kt_status st = kc_check_fault(&gb.p, program.words, program.n_words, NULL, &fault, NULL);
    run(&gb, &program, &r);
    cr_expect(eq(int, st, d < KT_AR_RAW_DIST ? KT_EFAULT : KT_OK));
    cr_expect(eq(u32, fault.code, d < KT_AR_RAW_DIST ? KT_FAULT_AR_DISTANCE : 0));
    cr_expect(all(eq(u32, r.fault.code, fault.code), eq(u32, r.fault.arg, fault.arg),
                  eq(u32, r.fault.instr, fault.instr)));
    for (uint32_t row = 0; row < d && st == KT_OK; row++)
      cr_expect(eq(i32, cb_c(&gb, row, 0), clamp(dot(&gb, row, 0, 4))));
    kc_program_free(&program);
    cb_close(&gb);
  }
}

/* Row 0 of A * B is odd in every lane, row 1 even; open_square's matrices are MAXDIM wide. */
static void set_parities(struct gemm_bench *gb)
{
  uint8_t *a = gb->mem.bytes + gb->a, *b = gb->mem.bytes + gb->b;
  for (uint32_t k = 0; k < gb->p.t; k++) {
    a[k] = (uint8_t)(k == 0 ? 127 : a[k] & ~1u);
    a[gb->p.maxdim + k] &= (uint8_t)~1u;
    b[k] |= 1;
  }
}

/* Both signs pass 2^31, and no bit of any lane stays what it was. */
Test(compiler_nest, doubling_program_wraps_in_both_signs, .timeout = 20)
{
  for (size_t b = 0; b < 3; b++) {
    struct gemm_bench gb;
    struct kc_program program;
    struct kc_doubling layout;
    struct kr_result r;
    uint32_t ones[16] = {0}, zeros[16] = {0};
    int up = 0, down = 0;
    open_square(&gb, small_builds[b], KT_FORM_INT32);
    set_parities(&gb);
    cr_assert(eq(int, kc_doubling_program(&gb.p, &program, &layout, NULL), KT_OK));
    cr_assert(eq(int, kc_check_program(&gb.p, program.words, program.n_words, NULL, NULL), KT_OK));
    run(&gb, &program, &r);
    cr_assert(eq(u32, r.fault.code, 0));
    for (uint32_t s = 0; s < layout.down * layout.across; s++)
      for (uint32_t row = 0; row < 4; row++)
        for (uint32_t c = 0; c < gb.p.t; c++) {
          int32_t x = dot(&gb, row, c, gb.p.t);
          uint32_t want = (uint32_t)((uint64_t)(int64_t)x << (s * layout.step));
          uint32_t got = (uint32_t)cb_c(&gb, s % layout.down * 4 + row, s / layout.down * gb.p.t + c);
          cr_assert(eq(u32, got, want), "stage %u", s);
          ones[c] |= got;
          zeros[c] |= ~got;
          int64_t exact = (int64_t)((uint64_t)(int64_t)x << (s * layout.step));
          up += exact > INT32_MAX;
          down += exact < INT32_MIN;
        }
    for (uint32_t c = 0; c < gb.p.t; c++)
      cr_assert(all(eq(u32, ones[c], UINT32_MAX), eq(u32, zeros[c], UINT32_MAX)), "lane %u", c);
    cr_assert(all(gt(int, up, 0), gt(int, down, 0)));
    cr_assert(gt(u64, r.event_wrap, 0));
    kc_program_free(&program);
    cb_close(&gb);
  }
}
