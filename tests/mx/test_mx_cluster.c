/* SPDX-License-Identifier: Apache-2.0
 *
 * The cluster's Verilog, alone, against the reference: random legal programs under random timing, every
 * fault of docs/mx-machine.md, and how many cycles things take.
 */
#include "tests/mx/cl_gen.h"
#include "tests/mx/cl_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>

static const struct cl_build *const builds[] = {&cl_build_0, &cl_build_1, &cl_build_2, &cl_build_3,
                                                &cl_build_4};
enum { BUILDS = sizeof builds / sizeof builds[0] };

static struct cl_program program;
static struct cl_want want;

static void want_new(void)
{
  want.beat = malloc(CL_MAX_BEATS * sizeof *want.beat);
  cr_assert(ne(ptr, want.beat, NULL));
}

static const struct cl_timing prompt = {.seed = 1};

static struct cl_timing random_timing(uint32_t seed)
{
  const struct cl_timing t = {
      .seed = seed,
      .insn = cl_hash(seed, 11) % 3 == 0 ? 0 : cl_hash(seed, 12) % 60,
      .fill = cl_hash(seed, 13) % 3 == 0 ? 0 : cl_hash(seed, 14) % 60,
      .word = cl_hash(seed, 15) % 3 == 0 ? 0 : cl_hash(seed, 16) % 62,
      .aw = cl_hash(seed, 17) % 3 == 0 ? 0 : cl_hash(seed, 18) % 62,
      .w = cl_hash(seed, 19) % 3 == 0 ? 0 : cl_hash(seed, 20) % 62,
      .latency = cl_hash(seed, 21) % 3 == 0 ? cl_hash(seed, 22) % 80 : 0,
  };
  return t;
}

/* Runs the program and fails on anything that differs from the reference. */
static void check_run(struct cl_bench *b, const struct cl_build *build, const struct cl_timing *t,
                      struct cl_result *r)
{
  cl_reference(&program, build->acc_mw, &want);
  cl_bench_run(b, &program, &want, t, 0, r);
  cr_assert(eq(str, r->trouble, ""), "%s, seed %u: %s", build->name, t->seed, r->trouble);
  cr_assert(not(r->faulted), "%s, seed %u: fault %u, field %u, argument %u, instruction %u", build->name,
            t->seed, r->fault.code, r->fault.field, r->fault.arg, r->fault.instr);
  cr_assert(all(eq(u64, r->steps, want.steps), eq(u64, r->overflow, want.overflow),
                eq(u64, r->clamped, want.clamped), eq(u64, r->flushed, want.flushed),
                eq(u64, r->nan, want.nan)), "%s, seed %u", build->name, t->seed);
}

static void random_programs(unsigned which, unsigned count)
{
  const struct cl_build *build = builds[which];
  struct cl_bench *b = cl_bench_new(build);
  struct cl_result sum = {.faulted = false};

  want_new();
  for (uint32_t seed = 1; seed <= count; seed++) {
    struct cl_gen g;
    struct cl_result r;
    const struct cl_timing t = random_timing(seed);
    cl_gen_begin(&g, &program, build->l1_entries, build->tiles, 1000 * which + seed);
    cl_gen_program(&g, 10 + seed % 40, 800);
    check_run(b, build, &t, &r);
    sum.cycles += r.cycles;
    sum.beats += r.beats;
    sum.fill_waits += r.fill_waits;
    sum.early += r.early;
    sum.overflow += r.overflow;
    sum.clamped += r.clamped;
    sum.flushed += r.flushed;
    sum.nan += r.nan;
    sum.drains += r.drains;
    for (unsigned i = 0; i < 8; i++) sum.state[i] += r.state[i];
  }
  printf("cluster %s: %u programs, %llu cycles, %llu beats compared; FILLs waited %llu, early %llu;\n"
         "  step %llu slice %llu A %llu B %llu reuse %llu output %llu start %llu; overflow %llu clamped %llu "
         "flushed %llu nan %llu\n",
         build->name, count, (unsigned long long)sum.cycles, (unsigned long long)sum.beats,
         (unsigned long long)sum.fill_waits, (unsigned long long)sum.early,
         (unsigned long long)sum.state[0], (unsigned long long)sum.state[1],
         (unsigned long long)sum.state[3], (unsigned long long)sum.state[4],
         (unsigned long long)sum.state[5], (unsigned long long)sum.state[6],
         (unsigned long long)sum.state[7], (unsigned long long)sum.overflow,
         (unsigned long long)sum.clamped, (unsigned long long)sum.flushed, (unsigned long long)sum.nan);
  cl_bench_free(b);
}

Test(mx_cluster, random_programs_slices_of_32, .timeout = 300) { random_programs(0, 100); }
Test(mx_cluster, random_programs_slices_of_32_packed, .timeout = 300) { random_programs(1, 100); }
Test(mx_cluster, random_programs_slices_of_16, .timeout = 300) { random_programs(2, 100); }
Test(mx_cluster, random_programs_slices_of_8, .timeout = 300) { random_programs(3, 100); }
Test(mx_cluster, random_programs_slices_of_4, .timeout = 300) { random_programs(4, 100); }

/* ---- How long things take ---------------------------------------------------------------------- */

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

/* GEMMs of 20 sub-tiles, emitted as binary16, one after the other: every cycle is a step, and the
 * last one's results follow within the length of the pipeline. */
Test(mx_cluster, gemms_follow_each_other_without_a_bubble, .timeout = 60)
{
  struct cl_bench *b = cl_bench_new(builds[0]);
  struct cl_gen g;
  struct cl_result r;

  want_new();
  cl_gen_begin(&g, &program, 512, 512, 1);
  cl_gen_fill(&g, 0, 0, 0, 4, 4, 4);
  cl_gen_fill(&g, 1, 0, 0, 5, 4, 5);
  cl_gen_drain(&g, true, 20, 10, 0);
  kt_mx_set(&program.insn[2], KT_MX_FIELD_DRAIN_STRIDE, 320);
  kt_mx_set(&program.insn[2], KT_MX_FIELD_DRAIN_DTYPE, 0);
  for (unsigned i = 0; i < 10; i++) {
    struct kt_mx_flit *f = gemm(&g, 4, 5, 1);
    kt_mx_set(f, KT_MX_FIELD_GEMM_EMIT, 1);
    kt_mx_set(f, KT_MX_FIELD_GEMM_TILE, 20 * i);
  }
  check_run(b, builds[0], &prompt, &r);
  printf("10 GEMMs of 20 steps: %llu cycles, of them %llu steps, %llu for operands, %llu output, %llu start\n",
         (unsigned long long)r.cycles, (unsigned long long)r.state[KT_MX_SWEEP_STEP],
         (unsigned long long)(r.state[3] + r.state[4]), (unsigned long long)r.state[6],
         (unsigned long long)r.state[7]);
  for (unsigned i = 0; i < 8; i++) printf("  state %u: %llu\n", i, (unsigned long long)r.state[i]);
  cl_bench_free(b);
}
