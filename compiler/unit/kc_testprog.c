/* SPDX-License-Identifier: Apache-2.0
 *
 * Test programs from the loop-nest generator.
 */
#include "compiler/unit/kc_testprog.h"
#include "compiler/unit/kc_nest.h"

#include "spec/generated/kt_tinytpu.h"

enum { ROWS = KT_AR_RAW_DIST };

static enum kt_status refuse(const char *what, uint32_t value, uint32_t low, uint32_t high,
                             struct kt_msg *msg)
{
  kt_msg_set(msg, "%s = %u is outside %u..%u", what, value, low, high);
  return KT_ELIMIT;
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* ar rows AR_C .. : A * B's first column, K in `kt` tiles. */
static void first_column(struct kc_nest *nest, const struct kt_params *p, uint32_t rows,
                         uint32_t kt)
{
  struct kc_iv k = kc_nest_loop(nest, "k", kt);
  kc_load_vr(nest, KC_A, kc_ref(0), kc_at(kc_ref(0), k, 1), kc_at(kc_ref(KC_A_VR), k, p->maxdim),
             rows);
  kc_load_spad(nest, KC_B, kc_at(kc_ref(0), k, p->t), kc_ref(0), kc_at(kc_ref(KC_B_SP), k, p->t),
               p->t);
  kc_nest_end(nest, k);

  kc_mm(nest, kc_ref(KC_A_VR), kc_ref(KC_AR_C), false, kc_ref(KC_B_SP), rows);
  if (kt == 1) return;
  k = kc_nest_loop(nest, "k", kt - 1);
  kc_mm(nest, kc_at(kc_ref(KC_A_VR + p->maxdim), k, p->maxdim), kc_ref(KC_AR_C), true,
        kc_at(kc_ref(KC_B_SP + p->t), k, p->t), rows);
  kc_nest_end(nest, k);
}

enum kt_status kc_vadd_program(const struct kt_params *p, const struct kc_shape *shape,
                               struct kc_program *out, struct kt_msg *msg)
{
  uint32_t most = min_u32(p->maxdim, KT_NR_MAX);
  *out = (struct kc_program){NULL, 0};
  if (shape->m < 1 || shape->m > most) return refuse("m", shape->m, 1, most, msg);
  if (shape->k < 1 || shape->k > p->maxdim) return refuse("k", shape->k, 1, p->maxdim, msg);

  uint32_t rows = shape->m < ROWS ? ROWS : shape->m;
  struct kc_ref sum = kc_ref(kc_ar_p(p));
  struct kc_nest *nest = kc_nest_new();
  first_column(nest, p, rows, (shape->k + p->t - 1) / p->t);
  if (shape->relu) {
    kc_vaddrelu(nest, sum, kc_ref(KC_AR_C), kc_ref(KC_AR_C), rows);
  } else {
    kc_vadd(nest, sum, kc_ref(KC_AR_C), kc_ref(KC_AR_C), rows);
    kc_vrelu(nest, sum, sum, rows);
  }
  kc_mvout(nest, sum, kc_ref(0), kc_ref(0), shape->m);
  return kc_nest_finish(nest, p, out, msg);
}

/* Loads by every mode; afterwards A is in vr rows 0.., B in spad rows 0... */
static void load_all_ways(struct kc_nest *nest, const struct kt_params *p)
{
  uint32_t t = p->t;
  struct kc_ref aside = kc_ref(p->maxdim); /* rows that only pass through */

  kc_load_vr(nest, KC_B, kc_ref(0), kc_ref(1), kc_ref(0), ROWS);
  kc_load_spad(nest, KC_A, kc_ref(0), kc_ref(0), aside, ROWS);
  kc_vld(nest, kc_ref(0), aside, ROWS); /* A, over what came from B */
  kc_load_spad(nest, KC_B, kc_ref(0), kc_ref(0), kc_ref(0), t);
  kc_load_vr(nest, KC_A, kc_ref(0), kc_ref(1), aside, ROWS);
}

enum kt_status kc_vector_program(const struct kt_params *p, struct kc_program *out,
                                 struct kt_msg *msg)
{
  *out = (struct kc_program){NULL, 0};
  if (p->maxdim < 2 * p->t) return refuse("MAXDIM", p->maxdim, 2 * p->t, 2048, msg);

  struct kc_ref product = kc_ref(KC_AR_C);
  struct kc_ref clamped = kc_ref(KC_AR_C + ROWS);
  struct kc_ref twice = kc_ref(kc_ar_p(p));
  struct kc_ref sum = kc_ref(KC_AR_C + 1 + ROWS); /* overlaps what it replaces */
  uint32_t wpr = p->maxdim / p->t;
  struct kc_nest *nest = kc_nest_new();

  load_all_ways(nest, p);
  kc_mm(nest, kc_ref(0), product, false, kc_ref(0), ROWS);
  kc_vrelu(nest, clamped, product, ROWS);
  kc_vadd(nest, twice, product, product, ROWS);
  kc_mvout(nest, product, kc_ref(0), kc_ref(0), ROWS);
  kc_mvout(nest, clamped, kc_ref(0), kc_ref(1), ROWS);
  if (wpr > 2) kc_mvout(nest, twice, kc_ref(0), kc_ref(2), ROWS);
  kc_vadd(nest, clamped, twice, clamped, ROWS);
  if (wpr > 3) kc_mvout(nest, clamped, kc_ref(0), kc_ref(3), ROWS);
  kc_vaddrelu(nest, sum, product, product, ROWS);
  if (wpr > 4) kc_mvout(nest, sum, kc_ref(0), kc_ref(4), ROWS);
  return kc_nest_finish(nest, p, out, msg);
}

enum kt_status kc_ar_distance_program(const struct kt_params *p, uint32_t d,
                                      struct kc_program *out, struct kt_msg *msg)
{
  uint32_t most = min_u32(p->maxdim, KT_NR_MAX);
  *out = (struct kc_program){NULL, 0};
  if (d < 1 || d > most) return refuse("distance", d, 1, most, msg);

  struct kc_nest *nest = kc_nest_new();
  first_column(nest, p, d, 1);
  kc_vrelu(nest, kc_ref(KC_AR_C), kc_ref(KC_AR_C), d);
  kc_mvout(nest, kc_ref(KC_AR_C), kc_ref(0), kc_ref(0), d);
  return kc_nest_finish(nest, p, out, msg);
}

enum kt_status kc_doubling_program(const struct kt_params *p, struct kc_program *out,
                                   struct kc_doubling *layout, struct kt_msg *msg)
{
  struct kc_doubling d = {.down = min_u32(p->maxdim / ROWS, 8)};
  d.across = min_u32(p->maxdim / p->t, 32 / d.down);
  d.step = (31 + d.down * d.across - 1) / (d.down * d.across);

  struct kc_ref rows = kc_ref(KC_AR_C);
  struct kc_nest *nest = kc_nest_new();
  first_column(nest, p, ROWS, 1);
  struct kc_iv c = kc_nest_loop(nest, "c", d.across);
  struct kc_iv r = kc_nest_loop(nest, "r", d.down);
  kc_mvout(nest, rows, kc_at(kc_ref(0), r, ROWS), kc_at(kc_ref(0), c, 1), ROWS);
  struct kc_iv s = kc_nest_loop(nest, "s", d.step);
  kc_vadd(nest, rows, rows, rows, ROWS);
  kc_nest_end(nest, s);
  kc_nest_end(nest, r);
  kc_nest_end(nest, c);
  *layout = d;
  return kc_nest_finish(nest, p, out, msg);
}
