/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/mx/cl_check.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

const struct cl_build *const cl_builds[CL_BUILDS] = {&cl_build_0, &cl_build_1, &cl_build_2,
                                                     &cl_build_3, &cl_build_4};

const struct cl_timing cl_prompt = {.seed = 1, .quiet = 70};

/* 0 in one case of three, else below limit. */
static unsigned draw(uint32_t seed, uint32_t which, unsigned limit)
{
  return cl_hash(seed, 2 * which) % 3 == 0 ? 0 : cl_hash(seed, 2 * which + 1) % limit;
}

struct cl_timing cl_random_timing(uint32_t seed)
{
  const struct cl_timing t = {
      .seed = seed,
      .insn = draw(seed, 1, 60),
      .fill = draw(seed, 2, 60),
      .word = draw(seed, 3, 62),
      .aw = draw(seed, 4, 62),
      .w = draw(seed, 5, 62),
      .latency = draw(seed, 6, 80),
      .quiet = draw(seed, 7, 12),
  };
  return t;
}

void cl_want_new(struct cl_want *want)
{
  want->beat = malloc(CL_MAX_BEATS * sizeof *want->beat);
  cr_assert(ne(ptr, want->beat, NULL));
}

void cl_check_run(struct cl_bench *b, const struct cl_build *build, const struct cl_program *p,
                  const struct cl_timing *t, struct cl_want *want, struct cl_result *r)
{
  cl_reference(p, build->acc_mw, want);
  cl_bench_run(b, p, want, t, 0, r);
  cr_assert(eq(str, r->trouble, ""), "%s, seed %u: %s", build->name, t->seed, r->trouble);
  cr_assert(not(r->faulted), "%s, seed %u: fault %u, field %u, argument %u, instruction %u",
            build->name, t->seed, r->fault.code, r->fault.field, r->fault.arg, r->fault.instr);
  cr_assert(all(eq(u64, r->steps, want->steps), eq(u64, r->overflow, want->overflow),
                eq(u64, r->clamped, want->clamped), eq(u64, r->flushed, want->flushed),
                eq(u64, r->nan, want->nan)),
            "%s, seed %u", build->name, t->seed);
}
