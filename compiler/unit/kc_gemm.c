/* SPDX-License-Identifier: Apache-2.0
 *
 * The plain GEMM, three times: from the nest, by hand, and flat.
 */
#include "compiler/unit/kc_gemm.h"
#include "compiler/unit/kc_nest.h"

#include "spec/kt_actions.h"

#include <string.h>

uint32_t kc_ar_p(const struct kt_params *p)
{
  return p->maxdim + 1;
}

/* Extents in rows and tiles. Fewer rows than AR_RAW_DIST would break the accumulator distance; the
 * rows past m lie in A's padding and never leave. */
struct tiles {
  uint32_t rows, k_rows, kt, nt;
  uint32_t load[2]; /* rows of B's loads; the second is 0 unless one cannot carry them all */
};

static struct tiles tiles_of(const struct kt_params *p, const struct kc_shape *s)
{
  struct tiles t;
  t.kt = (s->k + p->t - 1) / p->t;
  t.nt = (s->n + p->t - 1) / p->t;
  t.k_rows = t.kt * p->t;
  t.rows = s->m < KT_AR_RAW_DIST ? KT_AR_RAW_DIST : s->m;
  t.load[0] = t.k_rows > KT_NR_MAX ? (t.kt + 1) / 2 * p->t : t.k_rows;
  t.load[1] = t.k_rows - t.load[0];
  return t;
}

/* The first limit that the shape passes, those included that only a split load relieves. */
static enum kt_status refuse(const struct kc_shape *s, const struct kt_gemm_limits *limits,
                             struct kt_msg *msg)
{
  for (size_t i = 0; i < limits->n; i++) {
    const struct kt_gemm_limit *l = &limits->limit[i];
    bool relieved = strcmp(l->name, "operand_load") == 0;
    if (l->over == 0 || relieved) continue;
    kt_msg_set(msg, "%ux%ux%u does not fit one program: %s (%s) = %llu is past the limit %llu by %llu",
               s->m, s->k, s->n, l->name, l->what, (unsigned long long)l->value,
               (unsigned long long)l->limit, (unsigned long long)l->over);
    return KT_ELIMIT;
  }
  return KT_OK;
}

static enum kt_status check_shape(const struct kt_params *p, const struct kc_shape *s,
                                  struct kt_msg *msg)
{
  struct kt_gemm_limits limits;
  struct tiles t = tiles_of(p, s);

  if (s->m == 0 || s->k == 0 || s->n == 0) {
    kt_msg_set(msg, "shape %ux%ux%u: every extent is at least 1", s->m, s->k, s->n);
    return KT_EINVAL;
  }
  enum kt_status st = kt_gemm_limits(p, t.rows, t.k_rows, s->n, &limits, msg);
  if (st != KT_OK || limits.fits || limits.fits_split) return st;
  return refuse(s, &limits, msg);
}

/* ---- from the loop-nest generator ---- */

static void nest_loads(struct kc_nest *nest, const struct kt_params *p, const struct tiles *t)
{
  struct kc_iv k = kc_nest_loop(nest, "k", t->kt);
  kc_load_vr(nest, KC_A, kc_ref(0), kc_at(kc_ref(0), k, 1), kc_at(kc_ref(KC_A_VR), k, p->maxdim),
             t->rows);
  kc_nest_end(nest, k);

  struct kc_iv n = kc_nest_loop(nest, "n", t->nt);
  for (uint32_t part = 0, row = 0; part < 2 && t->load[part] > 0; row += t->load[part++])
    kc_load_spad(nest, KC_B, kc_ref(row), kc_at(kc_ref(0), n, 1),
                 kc_at(kc_ref(KC_B_SP + row), n, p->maxdim), t->load[part]);
  kc_nest_end(nest, n);
}

static void nest_column(struct kc_nest *nest, const struct kt_params *p, const struct tiles *t,
                        struct kc_iv n)
{
  struct kc_ref weights = kc_at(kc_ref(KC_B_SP), n, p->maxdim);
  kc_mm(nest, kc_ref(KC_A_VR), kc_ref(KC_AR_C), false, weights, t->rows);
  if (t->kt == 1) return;

  struct kc_iv k = kc_nest_loop(nest, "k", t->kt - 1);
  weights.base += p->t;
  kc_mm(nest, kc_at(kc_ref(KC_A_VR + p->maxdim), k, p->maxdim), kc_ref(KC_AR_C), true,
        kc_at(weights, k, p->t), t->rows);
  kc_nest_end(nest, k);
}

enum kt_status kc_gemm_program(const struct kt_params *p, const struct kc_shape *shape,
                               struct kc_program *out, struct kt_msg *msg)
{
  *out = (struct kc_program){NULL, 0};
  enum kt_status st = check_shape(p, shape, msg);
  if (st != KT_OK) return st;

  struct tiles t = tiles_of(p, shape);
  struct kc_nest *nest = kc_nest_new();
  nest_loads(nest, p, &t);
  struct kc_iv n = kc_nest_loop(nest, "n", t.nt);
  nest_column(nest, p, &t, n);
  if (shape->relu) kc_vrelu(nest, kc_ref(KC_AR_C), kc_ref(KC_AR_C), t.rows);
  kc_mvout(nest, kc_ref(KC_AR_C), kc_ref(0), kc_at(kc_ref(0), n, 1), shape->m);
  kc_nest_end(nest, n);
  return kc_nest_finish(nest, p, out, msg);
}

/* ---- typed by hand, encoded fields and levels ---- */

struct typist {
  struct kc_program *program;
  enum kt_status st;
};

static void type(struct typist *ty, struct kt_insn insn)
{
  if (ty->st == KT_OK) ty->st = kc_program_add(ty->program, &insn);
}

#define LOOP(trip) type(ty, (struct kt_insn){.op = KT_OP_LOOP, .nr = (uint16_t)(trip)})
#define ENDLOOP() type(ty, (struct kt_insn){.op = KT_OP_ENDLOOP})

enum { F0 = 1, F1, F2, F3 }; /* address-term targets */

static void type_loads(struct typist *ty, const struct kt_params *p, const struct tiles *t)
{
  uint16_t maxdim = (uint16_t)p->maxdim;

  LOOP(t->kt);
  type(ty, (struct kt_insn){.op = KT_OP_DMA_LD, .nr = (uint16_t)t->rows, .f = {2, 0, 0, 0},
                            .term = {{F2, 0, 1}, {F3, 0, maxdim}}});
  ENDLOOP();
  LOOP(t->nt);
  type(ty, (struct kt_insn){.op = KT_OP_DMA_LD, .nr = (uint16_t)t->load[0], .f = {1, 0, 0, 0},
                            .term = {{F2, 0, 1}, {F3, 0, maxdim}}});
  uint16_t row = (uint16_t)t->load[0];
  if (t->load[1] > 0)
    type(ty, (struct kt_insn){.op = KT_OP_DMA_LD, .nr = (uint16_t)t->load[1], .f = {1, row, 0, row},
                              .term = {{F2, 0, 1}, {F3, 0, maxdim}}});
  ENDLOOP();
}

static void type_column(struct typist *ty, const struct kt_params *p, const struct tiles *t,
                        bool relu, uint32_t m)
{
  uint16_t maxdim = (uint16_t)p->maxdim;
  uint16_t lanes = (uint16_t)p->t;
  uint16_t rows = (uint16_t)t->rows;

  type(ty, (struct kt_insn){.op = KT_OP_MM, .nr = rows, .f = {0, 0, 0, 0},
                            .term = {{F3, 0, maxdim}}});
  if (t->kt > 1) {
    LOOP(t->kt - 1);
    type(ty, (struct kt_insn){.op = KT_OP_MM, .nr = rows, .f = {maxdim, 0, 1, lanes},
                              .term = {{F0, 1, maxdim}, {F3, 0, maxdim}, {F3, 1, lanes}}});
    ENDLOOP();
  }
  if (relu) type(ty, (struct kt_insn){.op = KT_OP_VRELU, .nr = rows});
  type(ty, (struct kt_insn){.op = KT_OP_MVOUT, .nr = (uint16_t)m, .term = {{F2, 0, 1}}});
}

static enum kt_status finish(struct typist *ty, const struct kt_params *p, struct kt_msg *msg)
{
  if (ty->st == KT_OK)
    ty->st = kc_build_header(p, ty->program->words, ty->program->n_words, msg);
  if (ty->st != KT_OK) kc_program_free(ty->program);
  return ty->st;
}

enum kt_status kc_gemm_handwritten(const struct kt_params *p, const struct kc_shape *shape,
                                   struct kc_program *out, struct kt_msg *msg)
{
  struct typist typist = {.program = out, .st = KT_OK};
  struct typist *ty = &typist;

  *out = (struct kc_program){NULL, 0};
  enum kt_status st = check_shape(p, shape, msg);
  if (st != KT_OK) return st;
  struct tiles t = tiles_of(p, shape);
  type_loads(ty, p, &t);
  LOOP(t.nt);
  type_column(ty, p, &t, shape->relu, shape->m);
  ENDLOOP();
  return finish(ty, p, msg);
}

/* ---- unrolled, absolute addresses ---- */

static void flat_column(struct typist *ty, const struct kt_params *p, const struct tiles *t,
                        uint32_t n, bool relu, uint32_t m)
{
  uint16_t rows = (uint16_t)t->rows;
  for (uint32_t k = 0; k < t->kt; k++)
    type(ty, (struct kt_insn){.op = KT_OP_MM, .nr = rows,
                              .f = {(uint16_t)(k * p->maxdim), 0, k > 0,
                                    (uint16_t)(n * p->maxdim + k * p->t)}});
  if (relu) type(ty, (struct kt_insn){.op = KT_OP_VRELU, .nr = rows});
  type(ty, (struct kt_insn){.op = KT_OP_MVOUT, .nr = (uint16_t)m, .f = {0, 0, (uint16_t)n, 0}});
}

enum kt_status kc_gemm_flat(const struct kt_params *p, const struct kc_shape *shape,
                            struct kc_program *out, struct kt_msg *msg)
{
  struct typist ty = {.program = out, .st = KT_OK};

  *out = (struct kc_program){NULL, 0};
  enum kt_status st = check_shape(p, shape, msg);
  if (st != KT_OK) return st;
  struct tiles t = tiles_of(p, shape);
  for (uint32_t k = 0; k < t.kt; k++)
    type(&ty, (struct kt_insn){.op = KT_OP_DMA_LD, .nr = (uint16_t)t.rows,
                               .f = {2, 0, (uint16_t)k, (uint16_t)(k * p->maxdim)}});
  for (uint32_t n = 0; n < t.nt; n++)
    for (uint32_t part = 0, row = 0; part < 2 && t.load[part] > 0; row += t.load[part++])
      type(&ty, (struct kt_insn){.op = KT_OP_DMA_LD, .nr = (uint16_t)t.load[part],
                                 .f = {1, (uint16_t)row, (uint16_t)n,
                                       (uint16_t)(n * p->maxdim + row)}});
  for (uint32_t n = 0; n < t.nt; n++)
    flat_column(&ty, p, &t, n, shape->relu, shape->m);
  return finish(&ty, p, msg);
}
