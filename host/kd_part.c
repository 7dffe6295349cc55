/* SPDX-License-Identifier: Apache-2.0
 *
 * One part of a GEMM: plan, layout, descriptors, run, result.
 */
#include "host/kd_gemm.h"

#include "compiler/schedule/kc_gemm_plan.h"
#include "host/kd_layout.h"
#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_insn.h"
#include "spec/model/kr_int8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 0x5a };

/* Everything that one part holds while it runs. */
struct run {
  struct ktpu_device *d;
  const struct kt_params *p;
  const struct ktpu_gemm *g;
  const struct kd_part *part;
  struct kc_plan plan;
  struct kd_layout a, b, c;
  uint64_t a_addr, b_addr, c_addr, list_addr;
  bool a_held, b_held, c_held, list_held;
  uint64_t *programs; /* address of each of plan.programs */
  uint8_t *image;     /* the largest buffer */
};

static uint64_t up(uint64_t n, uint64_t to)
{
  return (n + to - 1) / to * to;
}

static uint32_t least(uint32_t x, uint32_t y)
{
  return x < y ? x : y;
}

/* ---- how large a part may be ------------------------------------------------------------------ */

static uint32_t element_of(const struct ktpu_gemm *g)
{
  return g->form == KTPU_INT32 ? 4 : 1;
}

/* Descriptors of a part, not less than the plan will have. */
static uint64_t most_steps(const struct kt_params *p, const struct kd_part *part)
{
  const uint32_t rows = kc_slab_rows(p);
  const uint32_t m = least(part->m, rows), k = least(part->k, rows);
  uint32_t columns = part->k > rows ? kc_slab_columns(p, m)
                                    : kc_slab_columns_whole(p, m, k, true);
  if (columns == 0) columns = 1;
  const uint64_t tiles = up(part->m, rows) / rows * (up(part->n, p->t) / p->t / columns + 1 +
                                                     part->n / p->maxdim);
  return tiles * (up(part->k, rows) / rows);
}

uint64_t kd_part_need(const struct ktpu_device *d, const struct ktpu_gemm *g,
                      const struct kd_part *part)
{
  enum { PROGRAMS = 24 }; /* distinct ones, and then some */
  const struct kt_params *p = &d->link.params;
  const uint32_t rows = kc_slab_rows(p);
  struct kd_layout l;
  uint64_t sum = PROGRAMS * kd_heap_cost(&d->heap, 8 * (uint64_t)p->imem_size);
  kd_layout_choose(p, part->m, part->k, 1, rows, rows, &l);
  sum += kd_heap_cost(&d->heap, l.bytes);
  kd_layout_choose(p, part->k, part->n, 1, rows, p->maxdim, &l);
  sum += kd_heap_cost(&d->heap, l.bytes);
  kd_layout_choose(p, part->m, part->n, element_of(g), rows, p->maxdim, &l);
  sum += kd_heap_cost(&d->heap, l.bytes);
  return sum + kd_heap_cost(&d->heap, KT_DESC_BYTES * most_steps(p, part));
}

static void halve(uint32_t *extent, uint32_t unit)
{
  const uint64_t units = (*extent + (uint64_t)unit - 1) / unit;
  *extent = (uint32_t)((units + 1) / 2 * unit);
}

enum kt_status kd_part_size(const struct ktpu_device *d, const struct ktpu_gemm *g, uint64_t room,
                            struct kd_part *part, struct kt_msg *msg)
{
  const struct kt_params *p = &d->link.params;
  const uint32_t rows = kc_slab_rows(p);
  *part = (struct kd_part){.m = g->m, .k = g->k, .n = g->n};
  while (kd_part_need(d, g, part) > room) {
    uint32_t *wider = part->m > part->n ? &part->m : &part->n;
    if (*wider > p->maxdim)
      halve(wider, *wider == part->m ? rows : p->maxdim);
    else if (part->k > rows)
      halve(&part->k, rows);
    else if (*wider > p->t)
      halve(wider, p->t);
    else {
      kt_msg_set(msg, "device memory is short: %" PRIu64 " bytes are free, one tile needs %" PRIu64,
                 room, kd_part_need(d, g, part));
      return KT_ENOMEM;
    }
  }
  return KT_OK;
}

/* ---- buffers ---------------------------------------------------------------------------------- */

static void fill(const struct run *x, uint64_t bytes)
{
  uint64_t s = x->d->options.noise_seed;
  if (s == 0) {
    memset(x->image, 0, bytes);
    return;
  }
  s = s * UINT64_C(0x9e3779b97f4a7c15) | 1;
  for (uint64_t i = 0; i < bytes; i++) {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    x->image[i] = (uint8_t)(s >> 32);
  }
}

static enum kt_status upload_a(struct run *x)
{
  const struct ktpu_gemm *g = x->g;
  fill(x, x->a.bytes);
  kd_layout_pack(&x->a, g->a + x->part->m0 * g->lda + x->part->k0, g->lda, x->image);
  return kd_write(x->d, x->a_addr, x->image, x->a.bytes);
}

static enum kt_status upload_b(struct run *x)
{
  const struct ktpu_gemm *g = x->g;
  fill(x, x->b.bytes);
  kd_layout_zero_rows(&x->b, x->p->t, x->image);
  kd_layout_pack(&x->b, g->b + x->part->k0 * g->ldb + x->part->n0, g->ldb, x->image);
  return kd_write(x->d, x->b_addr, x->image, x->b.bytes);
}

static enum kt_status upload_canaries(struct run *x)
{
  if (x->d->options.no_guards) return KT_OK;
  memset(x->image, CANARY, x->c.bytes);
  return kd_write(x->d, x->c_addr, x->image, x->c.bytes);
}

static enum kt_status hold(struct run *x, uint64_t bytes, uint64_t *addr, bool *held)
{
  const enum kt_status st = kd_alloc(x->d, bytes, addr);
  *held = st == KT_OK;
  return st;
}

static enum kt_status hold_buffers(struct run *x)
{
  enum kt_status st = hold(x, x->a.bytes, &x->a_addr, &x->a_held);
  if (st == KT_OK) st = hold(x, x->b.bytes, &x->b_addr, &x->b_held);
  if (st == KT_OK) st = hold(x, x->c.bytes, &x->c_addr, &x->c_held);
  if (st == KT_OK)
    st = hold(x, KT_DESC_BYTES * (uint64_t)x->plan.n_steps, &x->list_addr, &x->list_held);
  return st;
}

static enum kt_status release(struct run *x, enum kt_status st)
{
  const uint64_t addrs[] = {x->a_addr, x->b_addr, x->c_addr, x->list_addr};
  const bool held[] = {x->a_held, x->b_held, x->c_held, x->list_held};
  for (size_t i = 0; i < sizeof held / sizeof held[0]; i++) {
    if (!held[i]) continue;
    if (st == KT_OK)
      st = kd_free(x->d, addrs[i]);
    else
      kd_heap_free(&x->d->heap, addrs[i]); /* the first failure is the one to tell */
  }
  kc_plan_free(&x->plan);
  free(x->programs);
  free(x->image);
  return st;
}

/* ---- plan and descriptors --------------------------------------------------------------------- */

static uint32_t form_of(const struct ktpu_gemm *g)
{
  if (g->form == KTPU_INT32) return KT_FORM_INT32;
  return g->shift != 0 ? KT_FORM_INT8_SHIFT : KT_FORM_INT8;
}

static enum kt_status refuse_several(const struct run *x)
{
  const struct kc_slab whole = {.m = x->g->m,
                                .k = x->g->k,
                                .n = x->g->n,
                                .first = true,
                                .last = true,
                                .relu = x->g->relu != 0};
  struct kc_program unused = {0};
  const enum kt_status st = kc_gemm_slab(x->p, &whole, &unused, &x->d->msg);
  kc_program_free(&unused);
  if (st != KT_OK) return st;
  kt_msg_set(&x->d->msg, "the shape takes %zu programs", x->plan.n_steps);
  return KT_ELIMIT;
}

static enum kt_status make_plan(struct run *x)
{
  const struct kd_part *q = x->part;
  enum kt_status st = kc_gemm_plan(x->p, q->m, q->k, q->n, form_of(x->g), x->g->shift,
                                   x->g->relu != 0, &x->plan, &x->d->msg);
  if (st != KT_OK) return st;
  if (x->g->single_program && x->plan.n_steps > 1) return refuse_several(x);
  const uint32_t bm = x->plan.block_m, bk = x->plan.block_k, bn = x->plan.block_n;
  kd_layout_choose(x->p, q->m, q->k, 1, bm, bk, &x->a);
  kd_layout_choose(x->p, q->k, q->n, 1, bk, bn, &x->b);
  kd_layout_choose(x->p, q->m, q->n, element_of(x->g), bm, bn, &x->c);
  uint64_t most = x->a.bytes > x->b.bytes ? x->a.bytes : x->b.bytes;
  if (x->c.bytes > most) most = x->c.bytes;
  x->image = malloc(most);
  x->programs = calloc(x->plan.n_programs, sizeof *x->programs);
  return x->image != NULL && x->programs != NULL ? KT_OK : KT_ENOMEM;
}

static enum kt_status load_programs(struct run *x)
{
  for (size_t i = 0; i < x->plan.n_programs; i++) {
    const struct kc_program *program = &x->plan.programs[i];
    const enum kt_status st = kd_program(x->d, program->words, program->n_words, &x->programs[i]);
    if (st != KT_OK) return st;
  }
  return KT_OK;
}

static void describe(const struct run *x, const struct kc_step *s, uint32_t words[KT_DESC_WORDS])
{
  const uint32_t t = x->p->t;
  const struct kt_desc desc = {
      .prog = (uint32_t)x->programs[s->program],
      .prog_words = (uint32_t)x->plan.programs[s->program].n_words,
      .a = (uint32_t)(x->a_addr + kd_layout_offset(&x->a, s->m0, s->k0 - t * s->cb_a)),
      .b = (uint32_t)(x->b_addr + kd_layout_offset(&x->b, s->k0, s->n0 - t * s->cb_b)),
      .c = (uint32_t)(x->c_addr + kd_layout_offset(&x->c, s->m0, s->n0 - t * s->cb_c)),
      .stride_a = kd_layout_stride(x->p, &x->a),
      .stride_b = kd_layout_stride(x->p, &x->b),
      .stride_c = kd_layout_stride(x->p, &x->c),
      .form = form_of(x->g),
      .shift = x->g->shift,
      .cont = !s->first,
  };
  kt_desc_pack(&desc, words);
}

static enum kt_status upload_list(struct run *x)
{
  uint8_t *bytes = malloc(x->plan.n_steps * KT_DESC_BYTES);
  if (bytes == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < x->plan.n_steps; i++) {
    uint32_t w[KT_DESC_WORDS];
    describe(x, &x->plan.steps[i], w);
    for (size_t j = 0; j < KT_DESC_BYTES; j++)
      bytes[i * KT_DESC_BYTES + j] = (uint8_t)(w[j / 4] >> (8 * (j % 4)));
  }
  const enum kt_status st =
      kd_write(x->d, x->list_addr, bytes, x->plan.n_steps * KT_DESC_BYTES);
  free(bytes);
  return st;
}

/* A list of one descriptor runs from the registers: no list fetch, as the published figures. */
static enum kt_status start(struct run *x, struct ktpu_result *r)
{
  if (x->plan.n_steps > 1)
    return kd_run(x->d, (uint32_t)x->list_addr, (uint32_t)x->plan.n_steps, r);
  uint32_t w[KT_DESC_WORDS];
  describe(x, &x->plan.steps[0], w);
  for (uint32_t i = 0; i < KT_DESC_WORDS; i++) {
    const enum kt_status st = kd_reg_write(x->d, KT_REG_DESC + 4 * i, w[i]);
    if (st != KT_OK) return st;
  }
  return kd_run(x->d, 0, 0, r);
}

/* ---- where an element came from --------------------------------------------------------------- */

struct watch {
  struct kd_origin *origin;
  uint64_t addr;
};

static void watch_row(void *ctx, const struct kr_trace_row *row)
{
  const struct watch *w = ctx;
  if (w->addr < row->c_addr || w->addr >= row->c_addr + row->c_bytes) return;
  w->origin->found = true;
  w->origin->descriptor = row->desc;
  w->origin->instruction = row->instr;
  w->origin->issue = row->issue;
}

static bool holds(const struct kd_part *part, const struct kd_origin *o)
{
  return o->row >= part->m0 && o->row - part->m0 < part->m && o->col >= part->n0 &&
         o->col - part->n0 < part->n && part->k0 == 0;
}

static enum kt_status watched_start(struct run *x, struct ktpu_result *r, struct kd_origin *o)
{
  struct watch w = {.origin = o};
  struct kr_int8 *model = kd_ref_model(x->d->link.ctx);
  w.addr = x->c_addr + kd_layout_offset(&x->c, o->row - x->part->m0, o->col - x->part->n0);
  kr_int8_set_trace(model, watch_row, &w);
  const enum kt_status st = start(x, r);
  kr_int8_set_trace(model, NULL, NULL);
  if (st != KT_OK || !o->found || o->descriptor >= x->plan.n_steps) return st;
  const struct kc_step *s = &x->plan.steps[o->descriptor];
  o->program = r->programs - 1;
  o->tile_m = x->part->m0 + s->m0;
  o->tile_n = x->part->n0 + s->n0;
  o->tile_rows = s->m;
  o->tile_cols = s->n;
  return st;
}

/* ---- a part ----------------------------------------------------------------------------------- */

static enum kt_status take_result(struct run *x, void *c, size_t ldc)
{
  const enum kt_status st = kd_read(x->d, x->c_addr, x->image, x->c.bytes);
  if (st != KT_OK) return st;
  if (!x->d->options.no_guards) {
    const uint64_t at = kd_layout_check(&x->c, x->image, CANARY);
    if (at != x->c.bytes) {
      kt_msg_set(&x->d->msg, "the machine wrote outside C: offset %" PRIu64 " of its buffer of %"
                 PRIu64 " bytes holds 0x%02x", at, x->c.bytes, x->image[at]);
      return KT_EIO;
    }
  }
  kd_layout_unpack(&x->c, x->image, c, ldc);
  return KT_OK;
}

enum kt_status kd_part_run(struct ktpu_device *d, const struct ktpu_gemm *g,
                           const struct kd_part *part, void *c, size_t ldc,
                           struct ktpu_result *r, struct kd_origin *origin)
{
  struct run x = {.d = d, .p = &d->link.params, .g = g, .part = part};
  enum kt_status st = make_plan(&x);
  if (st == KT_OK) st = hold_buffers(&x);
  if (st == KT_OK) st = load_programs(&x);
  if (st == KT_OK) st = upload_a(&x);
  if (st == KT_OK) st = upload_b(&x);
  if (st == KT_OK) st = upload_canaries(&x);
  if (st == KT_OK && x.plan.n_steps > 1) st = upload_list(&x);
  if (st == KT_OK)
    st = origin != NULL && holds(part, origin) ? watched_start(&x, r, origin) : start(&x, r);
  if (st == KT_OK) st = take_result(&x, c, ldc);
  return release(&x, st);
}
