/* SPDX-License-Identifier: Apache-2.0
 *
 * The cluster's Verilog, alone, against the reference: random legal programs under random timing, and
 * how many cycles things take.
 */
#include "tests/mx/cl_check.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

static struct cl_program program;
static struct cl_want want;

/* ---- Random programs -------------------------------------------------------------------------- */

static void add(struct cl_result *sum, const struct cl_result *r)
{
  sum->cycles += r->cycles;
  sum->beats += r->beats;
  sum->fill_waits += r->fill_waits;
  sum->early += r->early;
  sum->clamped += r->clamped;
  sum->flushed += r->flushed;
  sum->nan += r->nan;
  sum->drains += r->drains;
  for (unsigned i = 0; i < 8; i++) sum->state[i] += r->state[i];
}

static void tell(const char *name, unsigned count, const struct cl_result *s)
{
  printf("cluster %s: %u programs, %llu cycles, %llu beats of %llu DRAINs compared\n  FILLs waited %llu cycles, "
         "%llu went early; clamped %llu, flushed %llu, NaN %llu\n ",
         name, count, (unsigned long long)s->cycles, (unsigned long long)s->beats,
         (unsigned long long)s->drains, (unsigned long long)s->fill_waits, (unsigned long long)s->early,
         (unsigned long long)s->clamped, (unsigned long long)s->flushed, (unsigned long long)s->nan);
  for (unsigned i = 0; i < kt_mx_n_sweep_states; i++)
    printf(" %s %llu", kt_mx_sweep_state[i].name, (unsigned long long)s->state[i]);
  printf("\n");
}

/* `never`: states (bits) that this build is not in, or hardly. */
static void random_programs(unsigned which, unsigned count, unsigned never)
{
  const struct cl_build *build = cl_builds[which];
  struct cl_bench *b = cl_bench_new(build);
  struct cl_result sum = {.faulted = false};

  cl_want_new(&want);
  for (uint32_t seed = 1; seed <= count; seed++) {
    struct cl_gen g;
    struct cl_result r;
    const struct cl_timing t = cl_random_timing(seed);
    cl_gen_begin(&g, &program, build->l1_entries, build->tiles, 1000 * which + seed);
    cl_gen_program(&g, 10 + seed % 40, 800);
    cl_check_run(b, build, &program, &t, &want, &r);
    add(&sum, &r);
  }
  tell(build->name, count, &sum);
  cr_assert(all(gt(u64, sum.beats, 4000), gt(u64, sum.drains, count), gt(u64, sum.fill_waits, 1000),
                gt(u64, sum.early, 0), gt(u64, sum.clamped, 0), gt(u64, sum.flushed, 0),
                gt(u64, sum.nan, 0)));
  for (unsigned i = 0; i < 8; i++)
    cr_assert(sum.state[i] > 0 || (never >> i & 1) != 0, "the sweep was never in state %s", kt_mx_sweep_state[i].name);
  cl_bench_free(b);
}

Test(mx_cluster, random_programs_slices_of_32, .timeout = 300)
{
  random_programs(0, 120, 1 << KT_MX_SWEEP_SLICE | 1 << KT_MX_SWEEP_START);
}

Test(mx_cluster, random_programs_slices_of_32_packed, .timeout = 300)
{
  random_programs(1, 120, 1 << KT_MX_SWEEP_SLICE | 1 << KT_MX_SWEEP_START);
}

Test(mx_cluster, random_programs_slices_of_16, .timeout = 300)
{
  random_programs(2, 200, 0);
}

Test(mx_cluster, random_programs_slices_of_8, .timeout = 300)
{
  random_programs(3, 60, 1 << KT_MX_SWEEP_START);
}

Test(mx_cluster, random_programs_slices_of_4, .timeout = 300)
{
  random_programs(4, 100, 1 << KT_MX_SWEEP_REUSE | 1 << KT_MX_SWEEP_OUTPUT);
}

/* ---- Addresses ---------------------------------------------------------------------------------- */

static struct kt_mx_flit *gemm(struct cl_gen *g, unsigned gm, unsigned gn, unsigned nk)
{
  struct kt_mx_flit *f = cl_gen_append(g, KT_MX_OP_GEMM);

  kt_mx_set(f, KT_MX_FIELD_GEMM_GM, gm);
  kt_mx_set(f, KT_MX_FIELD_GEMM_GN, gn);
  kt_mx_set(f, KT_MX_FIELD_GEMM_NK, nk);
  kt_mx_set(f, KT_MX_FIELD_GEMM_A_PITCH, gm);
  kt_mx_set(f, KT_MX_FIELD_GEMM_B_PITCH, gn);
  return f;
}

static struct kt_mx_flit *drain(struct cl_gen *g, unsigned dtype, unsigned rows, unsigned columns)
{
  cl_gen_drain(g, true, rows, columns, 0);
  struct kt_mx_flit *f = &program.insn[program.n - 1];
  kt_mx_set(f, KT_MX_FIELD_DRAIN_DTYPE, dtype);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_STRIDE, columns * (dtype != 0 ? 64 : 32));
  return f;
}

/* Rows and bursts that end past 4 GiB, once and again, do not come back to 0. */
Test(mx_cluster, addresses_do_not_wrap, .timeout = 60)
{
  static const uint32_t starts[] = {0xffffff80u, 0xfffffe00u, 0x80000000u, 0xffffffe0u};
  static const uint32_t strides[] = {160, 320, 0xfffffc00u, 0x80000000u, 0xffffffe0u};
  struct cl_bench *b = cl_bench_new(cl_builds[1]);
  uint64_t beats = 0;

  cl_want_new(&want);
  for (uint32_t i = 0; i < 4 * 5 * 2; i++) {
    struct cl_gen g;
    struct cl_result r;
    cl_gen_begin(&g, &program, 64, 64, i);
    cl_gen_fill(&g, 0, 0, 0, 4, 1, 4);
    cl_gen_fill(&g, 1, 0, 0, 15, 1, 15);
    struct kt_mx_flit *f = drain(&g, i % 2, 5, 12);
    kt_mx_set(f, KT_MX_FIELD_DRAIN_ADDR, starts[i / 2 % 4]);
    kt_mx_set(f, KT_MX_FIELD_DRAIN_STRIDE, strides[i / 8]);
    f = gemm(&g, 4, 15, 1);
    kt_mx_set(f, KT_MX_FIELD_GEMM_EMIT, 1);
    cl_check_run(b, cl_builds[1], &program, &cl_prompt, &want, &r);
    for (size_t n = 0; n < want.n; n++) beats += want.beat[n].addr >> 32 != 0;
  }
  cr_assert(gt(u64, beats, 1000));
  cl_bench_free(b);
}

/* ---- Plain DRAINs ------------------------------------------------------------------------------- */

/* A plain DRAIN reads what the GEMM in front of it has written and the GEMM behind it overwrites. */
Test(mx_cluster, a_gemm_waits_for_the_drain_that_reads_its_words, .timeout = 60)
{
  cl_want_new(&want);
  for (unsigned i = 0; i < CL_BUILDS; i++) {
    struct cl_bench *b = cl_bench_new(cl_builds[i]);
    for (uint32_t seed = 0; seed < 20; seed++) {
      const struct cl_timing t = seed == 0 ? cl_prompt : cl_random_timing(seed);
      struct cl_gen g;
      struct cl_result r;
      cl_gen_begin(&g, &program, cl_builds[i]->l1_entries, cl_builds[i]->tiles, seed);
      cl_gen_fill(&g, 0, 0, 0, 2, 4, 2);
      cl_gen_fill(&g, 1, 0, 0, 2, 4, 2);
      for (unsigned n = 0; n < 4; n++) {
        struct kt_mx_flit *f = gemm(&g, 2, 2, 1);
        kt_mx_set(f, KT_MX_FIELD_GEMM_A_OFFSET, 2 * n);
        kt_mx_set(f, KT_MX_FIELD_GEMM_TILE, n % 2);
        cl_gen_drain(&g, false, 1, 3 + n % 2, n % 2);
      }
      cl_check_run(b, cl_builds[i], &program, &t, &want, &r);
      cr_assert(all(gt(u64, r.state[KT_MX_SWEEP_START], 0), eq(u64, r.drains, 4)));
    }
    cl_bench_free(b);
  }
}

/* ---- How long things take ---------------------------------------------------------------------- */

/* `count` GEMMs of 20 sub-tiles each, emitted; operands are one block of 4 and of 5 groups. */
static void emitting_gemms(struct cl_gen *g, unsigned count, unsigned dtype)
{
  cl_gen_begin(g, &program, 512, 512, 1);
  cl_gen_fill(g, 0, 0, 0, 4, 1, 4);
  cl_gen_fill(g, 1, 0, 0, 5, 1, 5);
  drain(g, dtype, 2 * count, 10);
  for (unsigned i = 0; i < count; i++) {
    struct kt_mx_flit *f = gemm(g, 4, 5, 1);
    kt_mx_set(f, KT_MX_FIELD_GEMM_EMIT, 1);
    kt_mx_set(f, KT_MX_FIELD_GEMM_TILE, 20 * (i % 20));
  }
}

/* Once the operands are there every cycle is a step, across GEMMs; the results of the last one have
 * left within the length of the pipeline. */
Test(mx_cluster, emitting_gemms_follow_each_other_without_a_bubble, .timeout = 60)
{
  struct cl_bench *b = cl_bench_new(cl_builds[0]);
  struct cl_gen g;
  struct cl_result r;

  cl_want_new(&want);
  emitting_gemms(&g, 20, 0);
  cl_check_run(b, cl_builds[0], &program, &cl_prompt, &want, &r);
  printf("20 GEMMs of 20 steps: first word in cycle %llu, steps in %llu..%llu, beats in %llu..%llu, over in %llu\n",
         (unsigned long long)r.first_word, (unsigned long long)r.first_step,
         (unsigned long long)r.last_step, (unsigned long long)r.first_beat,
         (unsigned long long)r.last_beat, (unsigned long long)r.cycles);
  cr_assert(all(eq(u64, r.steps, 400), eq(u64, r.within[KT_MX_SWEEP_STEP], 399)));
  cr_assert(eq(u64, r.last_step - r.first_step, 399 + r.within[KT_MX_SWEEP_OPERAND_B]));
  cr_assert(le(u64, r.within[KT_MX_SWEEP_OPERAND_B], 16)); /* until the last of five entries is there */
  cr_assert(all(le(u64, r.first_word, 7), le(u64, r.last_beat, r.last_step + 13),
                le(u64, r.cycles, r.last_step + 16)));
  cl_bench_free(b);
}

/* Two beats a sub-tile: the memory's port is the limit, and it is never idle. */
Test(mx_cluster, binary32_leaves_at_a_beat_a_cycle, .timeout = 60)
{
  struct cl_bench *b = cl_bench_new(cl_builds[0]);
  struct cl_gen g;
  struct cl_result r;

  cl_want_new(&want);
  emitting_gemms(&g, 20, 1);
  cl_check_run(b, cl_builds[0], &program, &cl_prompt, &want, &r);
  cr_assert(all(eq(u64, r.beats, 800), gt(u64, r.state[KT_MX_SWEEP_OUTPUT], 300),
                lt(u64, r.last_beat - r.first_beat, 800 + 20)));
  cl_bench_free(b);
}

/* A step every 32 / KSLICE cycles in every build. */
Test(mx_cluster, slices_follow_each_other_without_a_bubble, .timeout = 60)
{
  cl_want_new(&want);
  for (unsigned i = 0; i < CL_BUILDS; i++) {
    struct cl_bench *b = cl_bench_new(cl_builds[i]);
    const unsigned slices = 32 / cl_builds[i]->kslice;
    struct cl_gen g;
    struct cl_result r;
    cl_gen_begin(&g, &program, cl_builds[i]->l1_entries, cl_builds[i]->tiles, 1);
    cl_gen_fill(&g, 0, 0, 0, 2, 4, 2);
    cl_gen_fill(&g, 1, 0, 0, 2, 4, 2);
    for (unsigned n = 0; n < 10; n++) {
      gemm(&g, 2, 2, 4);
      kt_mx_set(&program.insn[program.n - 1], KT_MX_FIELD_GEMM_TILE, 4 * (n % 2));
    }
    cl_check_run(b, cl_builds[i], &program, &cl_prompt, &want, &r);
    /* four words come again every four steps, which is one cycle early at one step a cycle */
    cr_assert(eq(u64, r.within[KT_MX_SWEEP_REUSE], slices == 1 ? 30 : 0));
    cr_assert(eq(u64, r.within[KT_MX_SWEEP_STEP] + r.within[KT_MX_SWEEP_SLICE], 159 * slices));
    cr_assert(eq(u64, r.last_step - r.first_step,
                 159 * slices + r.within[KT_MX_SWEEP_REUSE] + r.within[KT_MX_SWEEP_OPERAND_B]),
              "%s", cl_builds[i]->name);
    cl_bench_free(b);
  }
}
