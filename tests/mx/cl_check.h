/* SPDX-License-Identifier: Apache-2.0
 *
 * What the cluster's tests share: builds, timings, a run that must equal the reference.
 */
#ifndef CL_CHECK_H
#define CL_CHECK_H

#include "tests/mx/cl_gen.h"
#include "tests/mx/cl_run.h"

enum { CL_BUILDS = 5 };
extern const struct cl_build *const cl_builds[CL_BUILDS];

/* Nobody stalls; every side stalls at random. */
extern const struct cl_timing cl_prompt;
struct cl_timing cl_random_timing(uint32_t seed);

/* The beats are the caller's to free. */
void cl_want_new(struct cl_want *want);

/* Runs the program and fails the test on anything that differs from the reference. */
void cl_check_run(struct cl_bench *b, const struct cl_build *build, const struct cl_program *p,
                  const struct cl_timing *t, struct cl_want *want, struct cl_result *r);

#endif
