/* SPDX-License-Identifier: Apache-2.0
 *
 * Tiling of a GEMM into programs.
 */
#include "compiler/schedule/kc_gemm_plan.h"

#include "spec/generated/kt_tinytpu.h"

#include <stdlib.h>

struct planner {
  const struct kt_params *p;
  uint32_t m, k, n;
  bool relu;
  uint32_t align;   /* bytes of a bus beat */
  uint32_t c_bytes; /* bytes of an element of C */
  struct kc_plan *plan;
  size_t room; /* steps allocated */
  struct kt_msg *msg;
};

void kc_plan_free(struct kc_plan *plan)
{
  for (size_t i = 0; i < plan->n_programs; i++)
    kc_program_free(&plan->programs[i]);
  free(plan->programs);
  free(plan->slabs);
  free(plan->steps);
  *plan = (struct kc_plan){0};
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static bool same_slab(const struct kc_slab *a, const struct kc_slab *b)
{
  return a->m == b->m && a->k == b->k && a->n == b->n && a->cb_a == b->cb_a && a->cb_b == b->cb_b &&
         a->cb_c == b->cb_c && a->first == b->first && a->last == b->last && a->relu == b->relu;
}

static enum kt_status add_program(struct planner *pl, const struct kc_slab *slab)
{
  struct kc_plan *plan = pl->plan;
  size_t n = plan->n_programs;

  struct kc_program *programs = realloc(plan->programs, (n + 1) * sizeof *programs);
  if (programs == NULL) return KT_ENOMEM;
  plan->programs = programs;
  struct kc_slab *slabs = realloc(plan->slabs, (n + 1) * sizeof *slabs);
  if (slabs == NULL) return KT_ENOMEM;
  plan->slabs = slabs;

  enum kt_status st = kc_gemm_slab(pl->p, slab, &programs[n], pl->msg);
  if (st != KT_OK) return st;
  slabs[n] = *slab;
  plan->n_programs++;
  return KT_OK;
}

static enum kt_status find_program(struct planner *pl, const struct kc_slab *slab, uint32_t *index)
{
  size_t i = 0;
  while (i < pl->plan->n_programs && !same_slab(&pl->plan->slabs[i], slab))
    i++;
  *index = (uint32_t)i;
  return i < pl->plan->n_programs ? KT_OK : add_program(pl, slab);
}

static enum kt_status add_step(struct planner *pl, const struct kc_step *step)
{
  struct kc_plan *plan = pl->plan;
  if (plan->n_steps == KC_PLAN_STEPS_MAX) {
    kt_msg_set(pl->msg, "the product takes more than %d programs in a row", KC_PLAN_STEPS_MAX);
    return KT_ELIMIT;
  }
  if (plan->n_steps == pl->room) {
    size_t room = pl->room == 0 ? 16 : 2 * pl->room;
    struct kc_step *grown = realloc(plan->steps, room * sizeof *grown);
    if (grown == NULL) return KT_ENOMEM;
    plan->steps = grown;
    pl->room = room;
  }
  plan->steps[plan->n_steps++] = *step;
  return KT_OK;
}

/* Column blocks between the last bus-aligned element before `at` within its block, and `at`. */
static uint32_t blocks_past_beat(const struct planner *pl, uint32_t at, uint32_t bytes)
{
  uint32_t offset = at % pl->plan->block_n * bytes;
  return offset % pl->align / (pl->p->t * bytes);
}

static enum kt_status plan_step(struct planner *pl, struct kc_step step)
{
  step.k = min_u32(pl->plan->block_k, pl->k - step.k0);
  step.first = step.k0 == 0;
  step.last = step.k0 + step.k == pl->k;
  step.cb_a = blocks_past_beat(pl, step.k0, 1);
  step.cb_b = blocks_past_beat(pl, step.n0, 1);
  step.cb_c = blocks_past_beat(pl, step.n0, pl->c_bytes);

  struct kc_slab slab = {.m = step.m, .k = step.k, .n = step.n,
                         .cb_a = step.cb_a, .cb_b = step.cb_b, .cb_c = step.last ? step.cb_c : 0,
                         .first = step.first, .last = step.last, .relu = step.last && pl->relu};
  enum kt_status st = find_program(pl, &slab, &step.program);
  if (st == KT_OK) st = add_step(pl, &step);
  return st;
}

/* Columns (elements) of one step at m rows. */
static uint32_t step_columns(const struct planner *pl, uint32_t m)
{
  if (pl->k > pl->plan->block_k) return kc_slab_columns(pl->p, m) * pl->p->t;
  return kc_slab_columns_whole(pl->p, m, pl->k, pl->relu) * pl->p->t;
}

static enum kt_status plan_rows(struct planner *pl, uint32_t m0)
{
  struct kc_step step = {.m0 = m0, .m = min_u32(pl->plan->block_m, pl->m - m0)};
  uint32_t wide = step_columns(pl, step.m);
  enum kt_status st = KT_OK;

  for (uint32_t n0 = 0; n0 < pl->n && st == KT_OK; n0 += step.n) {
    uint32_t block_left = pl->plan->block_n - n0 % pl->plan->block_n;
    step.n0 = n0;
    step.n = min_u32(min_u32(wide, block_left), pl->n - n0);
    for (step.k0 = 0; step.k0 < pl->k && st == KT_OK; step.k0 += pl->plan->block_k)
      st = plan_step(pl, step);
  }
  return st;
}

static enum kt_status check_request(uint32_t m, uint32_t k, uint32_t n, uint32_t form,
                                    uint32_t shift, struct kt_msg *msg)
{
  if (m == 0 || k == 0 || n == 0) {
    kt_msg_set(msg, "shape %ux%ux%u: every extent is at least 1", m, k, n);
    return KT_EINVAL;
  }
  if (m > INT32_MAX || k > INT32_MAX || n > INT32_MAX) {
    kt_msg_set(msg, "shape %ux%ux%u: an extent is past %d", m, k, n, INT32_MAX);
    return KT_ELIMIT;
  }
  if (form > KT_FORM_INT32 || shift > 31 || (shift != 0 && form != KT_FORM_INT8_SHIFT)) {
    kt_msg_set(msg, "output form %u with shift %u does not exist", form, shift);
    return KT_EINVAL;
  }
  return KT_OK;
}

enum kt_status kc_gemm_plan(const struct kt_params *p, uint32_t m, uint32_t k, uint32_t n,
                            uint32_t form, uint32_t shift, bool relu, struct kc_plan *plan,
                            struct kt_msg *msg)
{
  struct planner pl = {.p = p, .m = m, .k = k, .n = n, .relu = relu, .plan = plan, .msg = msg};

  *plan = (struct kc_plan){0};
  enum kt_status st = check_request(m, k, n, form, shift, msg);
  if (st == KT_OK) st = kt_params_check(p, msg);
  if (st != KT_OK) return st;

  pl.align = p->bus_bits / 8;
  pl.c_bytes = form == KT_FORM_INT32 ? 4 : 1;
  plan->block_m = kc_slab_rows(p);
  plan->block_k = kc_slab_rows(p);
  plan->block_n = p->maxdim;
  for (uint32_t m0 = 0; m0 < m && st == KT_OK; m0 += plan->block_m)
    st = plan_rows(&pl, m0);
  if (st != KT_OK) kc_plan_free(plan);
  return st;
}
