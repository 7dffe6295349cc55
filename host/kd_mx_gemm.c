/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu_mx_gemm: layout, plan, rounds, result. What does not fit device memory is cut along M and N;
 * K is never cut, since sums do not leave the accumulator before they are complete. A pre-quantised
 * operand is uploaded in binary16 and converted by the machine itself before the run that counts.
 */
#include "host/kd_mx.h"

#include "compiler/schedule/kc_mx_quantise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PADDING = 0xa5 };

/* A part of C: rows m0 .. m0 + m - 1, columns n0 .. n0 + n - 1. */
struct part {
  uint32_t m0, m, n0, n;
};

struct buffer {
  uint64_t addr, bytes;
  uint32_t stride;
  bool held;
};

struct job {
  struct ktpu_device *d;
  struct ktpu_mx_gemm g; /* with the leading dimensions filled in */
  enum kc_mx_form form;
  struct buffer a, b, c, raw; /* raw: an operand before it is quantised */
  struct ktpu_mx_result *r;
};

static enum kt_status check(struct ktpu_device *d, const struct ktpu_mx_gemm *g)
{
  if (g->m == 0 || g->k == 0 || g->n == 0) {
    kt_msg_set(&d->msg, "a shape of %" PRIu32 "x%" PRIu32 "x%" PRIu32 ": every extent is at least 1",
               g->m, g->k, g->n);
    return KT_EINVAL;
  }
  if (g->a == NULL || g->b == NULL || g->c == NULL || g->lda < g->k || g->ldb < g->n ||
      g->ldc < g->n) {
    kt_msg_set(&d->msg, "a matrix is missing, or its leading dimension is too small");
    return KT_EINVAL;
  }
  if (g->out != KTPU_MX_F16 && g->out != KTPU_MX_F32) {
    kt_msg_set(&d->msg, "output form %d: want binary16 (0) or binary32 (1)", (int)g->out);
    return KT_EINVAL;
  }
  return KT_OK;
}

/* ---- how much fits ----------------------------------------------------------------------------- */

static uint64_t need(const struct job *j, uint32_t m, uint32_t n)
{
  const struct kd_heap *h = &j->d->heap;
  uint32_t stride;
  const uint64_t a = kd_heap_cost(h, kc_mx_operand_bytes(j->form, m, j->g.k, &stride));
  const uint64_t b = kd_heap_cost(h, kc_mx_operand_bytes(j->form, n, j->g.k, &stride));
  const uint64_t c = kd_heap_cost(h, kc_mx_c_bytes(m, n, j->g.out == KTPU_MX_F32, &stride));
  const uint64_t raw = j->form == KC_MX_ROWS
                           ? 0
                           : kd_heap_cost(h, kc_mx_operand_bytes(KC_MX_ROWS, m > n ? m : n, j->g.k,
                                                                 &stride));
  return a + b + (c > raw ? c : raw); /* C comes when the raw operands have gone */
}

static uint32_t half(uint32_t extent)
{
  return (extent / 2 + KT_MX_LANES - 1) / KT_MX_LANES * KT_MX_LANES;
}

/* The largest part, by halving the longer side, that memory holds. */
static enum kt_status part_size(const struct job *j, uint32_t *m, uint32_t *n)
{
  const uint64_t room = j->d->heap.size - j->d->heap.used;
  *m = j->g.m;
  *n = j->g.n;
  while (need(j, *m, *n) > room && (*m > KT_MX_LANES || *n > KT_MX_LANES)) {
    if (*n >= *m)
      *n = half(*n);
    else
      *m = half(*m);
  }
  if (need(j, *m, *n) <= room) return KT_OK;
  kt_msg_set(&j->d->msg,
             "K = %" PRIu32 ": %d rows of A and %d columns of B take %" PRIu64
             " bytes of device memory, %" PRIu64 " are free",
             j->g.k, (int)KT_MX_LANES, (int)KT_MX_LANES, need(j, *m, *n), room);
  return KT_ELIMIT;
}

/* ---- operands and result ----------------------------------------------------------------------- */

static enum kt_status hold(struct job *j, struct buffer *b, uint64_t bytes)
{
  const enum kt_status st = kd_alloc(j->d, bytes, &b->addr);
  b->bytes = bytes;
  b->held = st == KT_OK;
  return st;
}

static enum kt_status upload_rows(struct job *j, struct buffer *to,
                                  const struct kd_mx_lanes *lanes)
{
  enum kt_status st =
      hold(j, to, kc_mx_operand_bytes(KC_MX_ROWS, lanes->lanes, lanes->k, &to->stride));
  if (st != KT_OK) return st;
  uint8_t *image = malloc(to->bytes);
  if (image == NULL) return KT_ENOMEM;
  memset(image, j->d->options.noise_seed != 0 ? PADDING : 0, to->bytes);
  kd_mx_pack(lanes, to->stride, image);
  st = kd_write(j->d, to->addr, image, to->bytes);
  free(image);
  return st;
}

/* The machine converts it; what that takes is told apart from the run. */
static enum kt_status quantise(struct job *j, const struct buffer *to,
                               const struct kd_mx_lanes *lanes)
{
  const struct kc_mx_conversion c = {
      .lanes = lanes->lanes,
      .k = lanes->k,
      .from = {KC_MX_ROWS, (uint32_t)j->raw.addr, j->raw.stride},
      .to = {KC_MX_ENTRIES, (uint32_t)to->addr, to->stride},
  };
  struct kc_mx_program program = {0};
  struct ktpu_mx_result r = {0};
  enum kt_status st = kc_mx_quantise_emit(&j->d->link.mx, &c, &program, &j->d->msg);
  for (size_t i = 0; st == KT_OK && i < program.n_rounds; i++)
    st = kd_mx_run(j->d, &program.rounds[i], &r);
  kc_mx_program_free(&program);
  j->r->quantise_cycles += r.cycles;
  if (st == KT_EFAULT) j->r->fault = r.fault;
  return st;
}

static enum kt_status upload_entries(struct job *j, struct buffer *to,
                                     const struct kd_mx_lanes *lanes)
{
  enum kt_status st =
      hold(j, to, kc_mx_operand_bytes(KC_MX_ENTRIES, lanes->lanes, lanes->k, &to->stride));
  if (st == KT_OK) st = upload_rows(j, &j->raw, lanes);
  if (st == KT_OK) st = quantise(j, to, lanes);
  if (j->raw.held) {
    const enum kt_status freed = kd_free(j->d, j->raw.addr);
    if (st == KT_OK) st = freed;
    j->raw.held = false;
  }
  return st;
}

static enum kt_status upload(struct job *j, struct buffer *to, const struct kd_mx_lanes *lanes)
{
  return j->form == KC_MX_ENTRIES ? upload_entries(j, to, lanes) : upload_rows(j, to, lanes);
}

static enum kt_status place(struct job *j, const struct part *p)
{
  const struct ktpu_mx_gemm *g = &j->g;
  const struct kd_mx_lanes a = {g->a + p->m0 * g->lda, g->lda, 1, p->m, g->k};
  const struct kd_mx_lanes b = {g->b + p->n0, 1, g->ldb, p->n, g->k};
  enum kt_status st = upload(j, &j->a, &a);
  if (st == KT_OK) st = upload(j, &j->b, &b);
  if (st == KT_OK)
    st = hold(j, &j->c, kc_mx_c_bytes(p->m, p->n, g->out == KTPU_MX_F32, &j->c.stride));
  return st;
}

static enum kt_status fetch(struct job *j, const struct part *p)
{
  const struct ktpu_mx_gemm *g = &j->g;
  const size_t at = p->m0 * g->ldc + p->n0;
  uint8_t *image = malloc(j->c.bytes);
  if (image == NULL) return KT_ENOMEM;
  const enum kt_status st = kd_read(j->d, j->c.addr, image, j->c.bytes);
  if (st == KT_OK)
    kd_mx_unpack(image, j->c.stride, p->m, p->n, g->out,
                 g->out == KTPU_MX_F32 ? (void *)((uint32_t *)g->c + at)
                                       : (void *)((uint16_t *)g->c + at),
                 g->ldc);
  free(image);
  return st;
}

/* A guard that was overwritten is an error of its own, after a run that went well. */
static enum kt_status release(struct job *j, enum kt_status st)
{
  struct buffer *all[] = {&j->a, &j->b, &j->c};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    struct kt_msg kept = j->d->msg;
    const enum kt_status freed = all[i]->held ? kd_free(j->d, all[i]->addr) : KT_OK;
    all[i]->held = false;
    if (st == KT_OK)
      st = freed;
    else
      j->d->msg = kept;
  }
  return st;
}

/* ---- running ----------------------------------------------------------------------------------- */

static enum kt_status run_rounds(struct job *j, const struct part *p)
{
  const struct kc_mx_task task = {
      .m = p->m,
      .k = j->g.k,
      .n = p->n,
      .sk = j->g.sk == 0 ? 1 : j->g.sk,
      .a = {j->form, (uint32_t)j->a.addr, j->a.stride},
      .b = {j->form, (uint32_t)j->b.addr, j->b.stride},
      .c_addr = (uint32_t)j->c.addr,
      .c_stride = j->c.stride,
      .c_f32 = j->g.out == KTPU_MX_F32,
  };
  struct kc_mx_program program = {0};
  enum kt_status st = kc_mx_emit(&j->d->link.mx, &task, &program, &j->d->msg);
  for (size_t i = 0; st == KT_OK && i < program.n_rounds; i++)
    st = kd_mx_run(j->d, &program.rounds[i], j->r);
  kc_mx_program_free(&program);
  return st;
}

static enum kt_status run_part(struct job *j, const struct part *p)
{
  enum kt_status st = place(j, p);
  if (st == KT_OK) st = run_rounds(j, p);
  if (st == KT_OK) st = fetch(j, p);
  return release(j, st);
}

enum kt_status kd_mx_gemm(struct ktpu_device *d, const struct ktpu_mx_gemm *g,
                          struct ktpu_mx_result *r)
{
  struct job j = {.d = d, .g = *g, .r = r};
  uint32_t m = 0, n = 0;
  if (j.g.lda == 0) j.g.lda = g->k;
  if (j.g.ldb == 0) j.g.ldb = g->n;
  if (j.g.ldc == 0) j.g.ldc = g->n;
  j.form = g->prequantised ? KC_MX_ENTRIES : KC_MX_ROWS;
  enum kt_status st = kd_mx_check(d);
  if (st == KT_OK) st = check(d, &j.g);
  if (st == KT_OK) st = part_size(&j, &m, &n);
  if (st != KT_OK) return st;
  for (uint32_t m0 = 0; st == KT_OK && m0 < g->m; m0 += m)
    for (uint32_t n0 = 0; st == KT_OK && n0 < g->n; n0 += n) {
      const struct part p = {m0, g->m - m0 < m ? g->m - m0 : m, n0, g->n - n0 < n ? g->n - n0 : n};
      st = run_part(&j, &p);
    }
  return st;
}

enum ktpu_status ktpu_mx_gemm(struct ktpu_device *device, const struct ktpu_mx_gemm *gemm,
                              struct ktpu_mx_result *result)
{
  if (device == NULL || gemm == NULL || result == NULL) return KTPU_EINVAL;
  pthread_mutex_lock(&device->lock);
  memset(result, 0, sizeof *result);
  const enum kt_status st = kd_mx_gemm(device, gemm, result);
  pthread_mutex_unlock(&device->lock);
  return (enum ktpu_status)st;
}
