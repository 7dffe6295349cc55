/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_gemm.h"

#include "spec/model/kr_gemm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where K itself is cut, parts leave as int32 and are summed and finished here. */
struct whole {
  struct ktpu_device *d;
  struct ktpu_gemm g; /* with the leading dimensions filled in */
  struct kd_part size;
  int32_t *sums, *part_sums; /* size.m x size.n each; NULL unless K is cut */
  struct ktpu_result *r;
  struct kd_origin *origin;
};

static enum kt_status check(struct ktpu_device *d, const struct ktpu_gemm *g)
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
  if ((g->form != KTPU_INT8 && g->form != KTPU_INT32) || g->shift > 31 ||
      (g->form == KTPU_INT32 && g->shift != 0)) {
    kt_msg_set(&d->msg, "form %d with shift %" PRIu32 ": int8 takes a shift of 0..31, int32 none",
               (int)g->form, g->shift);
    return KT_EINVAL;
  }
  return KT_OK;
}

static void *c_at(const struct ktpu_gemm *g, uint32_t row, uint32_t col)
{
  const size_t at = row * g->ldc + col;
  return g->form == KTPU_INT32 ? (void *)((int32_t *)g->c + at) : (void *)((int8_t *)g->c + at);
}

static enum kt_status finish(struct whole *w, const struct kd_part *part)
{
  struct kr_events events = {0};
  const size_t count = (size_t)part->m * part->n;
  if (w->g.relu) kr_relu_i32(w->sums, count);
  if (w->g.form == KTPU_INT32) {
    for (uint32_t r = 0; r < part->m; r++)
      memcpy(c_at(&w->g, part->m0 + r, part->n0), w->sums + (size_t)r * part->n,
             part->n * sizeof *w->sums);
    return KT_OK;
  }
  const enum kt_status st =
      kr_out_i8(part->m, part->n, w->sums, w->g.shift, c_at(&w->g, part->m0, part->n0), w->g.ldc,
                &events);
  w->r->saturations += events.sat;
  return st;
}

/* One part of M and N whose K is cut. */
static enum kt_status run_cut(struct whole *w, const struct kd_part *tile)
{
  struct ktpu_gemm g = w->g;
  const size_t count = (size_t)tile->m * tile->n;
  g.form = KTPU_INT32;
  g.shift = 0;
  g.relu = 0;
  memset(w->sums, 0, count * sizeof *w->sums);
  for (uint32_t k0 = 0; k0 < g.k; k0 += w->size.k) {
    struct kd_part part = *tile;
    part.k0 = k0;
    part.k = g.k - k0 < w->size.k ? g.k - k0 : w->size.k;
    const enum kt_status st =
        kd_part_run(w->d, &g, &part, w->part_sums, part.n, w->r, w->origin);
    if (st != KT_OK) return st;
    for (size_t i = 0; i < count; i++) /* wraps as the accumulator does */
      w->sums[i] = (int32_t)((uint32_t)w->sums[i] + (uint32_t)w->part_sums[i]);
  }
  return finish(w, tile);
}

static enum kt_status run_tiles(struct whole *w)
{
  const struct ktpu_gemm *g = &w->g;
  for (uint32_t m0 = 0; m0 < g->m; m0 += w->size.m) {
    for (uint32_t n0 = 0; n0 < g->n; n0 += w->size.n) {
      const struct kd_part part = {.m0 = m0,
                                   .m = g->m - m0 < w->size.m ? g->m - m0 : w->size.m,
                                   .k = g->k,
                                   .n0 = n0,
                                   .n = g->n - n0 < w->size.n ? g->n - n0 : w->size.n};
      const enum kt_status st =
          w->sums != NULL
              ? run_cut(w, &part)
              : kd_part_run(w->d, g, &part, c_at(g, m0, n0), g->ldc, w->r, w->origin);
      if (st != KT_OK) return st;
    }
  }
  return KT_OK;
}

static uint64_t room(struct ktpu_device *d)
{
  uint64_t cached = 0;
  for (const struct kd_cached *c = d->cache; c != NULL; c = c->next)
    cached += kd_heap_cost(&d->heap, c->n_words * 8);
  return d->heap.size - (d->heap.used - cached); /* the cache is emptied if it must be */
}

enum kt_status kd_gemm(struct ktpu_device *d, const struct ktpu_gemm *g, struct ktpu_result *r,
                       struct kd_origin *origin)
{
  struct whole w = {.d = d, .g = *g, .r = r, .origin = origin};
  if (w.g.lda == 0) w.g.lda = g->k;
  if (w.g.ldb == 0) w.g.ldb = g->n;
  if (w.g.ldc == 0) w.g.ldc = g->n;
  enum kt_status st = kd_check_int8(d);
  if (st == KT_OK) st = check(d, &w.g);
  if (st == KT_OK) st = kd_part_size(d, &w.g, room(d), &w.size, &d->msg);
  if (st != KT_OK) return st;
  if (kd_heap_largest(&d->heap) < kd_part_need(d, &w.g, &w.size)) kd_empty_cache(d);
  if (w.size.k < w.g.k) {
    const size_t count = (size_t)w.size.m * w.size.n;
    w.sums = malloc(count * sizeof *w.sums);
    w.part_sums = malloc(count * sizeof *w.part_sums);
    if (w.sums == NULL || w.part_sums == NULL) st = KT_ENOMEM;
  }
  if (st == KT_OK) st = run_tiles(&w);
  free(w.sums);
  free(w.part_sums);
  return st;
}

enum ktpu_status ktpu_gemm(struct ktpu_device *device, const struct ktpu_gemm *gemm,
                           struct ktpu_result *result)
{
  if (device == NULL || gemm == NULL || result == NULL) return KTPU_EINVAL;
  pthread_mutex_lock(&device->lock);
  memset(result, 0, sizeof *result);
  const enum kt_status st = kd_gemm(device, gemm, result, NULL);
  pthread_mutex_unlock(&device->lock);
  return (enum ktpu_status)st;
}

enum ktpu_status kd_gemm_locate(struct ktpu_device *d, const struct ktpu_gemm *g,
                                struct kd_origin *origin)
{
  struct ktpu_result result = {0};
  pthread_mutex_lock(&d->lock);
  const enum kt_status st =
      strncmp(d->name, "ref:", 4) == 0 ? kd_gemm(d, g, &result, origin) : KT_EUNSUPPORTED;
  pthread_mutex_unlock(&d->lock);
  return (enum ktpu_status)st;
}
