/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast GEMM. Loads stand right before the mm that needs them, so that mm chases them row by
 * row; while queues are not full, dispatch runs ahead and the loads with it. The first columns walk
 * k together, because A arrives with them; later columns find A in vr and walk k one column at a
 * time. A column leaves beside the overwriting mm of a later one, which does not read ar.
 */
#include "compiler/unit/kc_gemm.h"
#include "compiler/unit/kc_nest.h"

#include "spec/generated/kt_tinytpu.h"

#include <stdio.h>

enum { LINK_COLUMNS = 4 }; /* most columns that a link of a chain unrolls */

struct build {
  const struct kt_params *p;
  const struct kc_slab *s;
  struct kc_nest *nest;
  uint32_t kt, nt; /* tiles */
  uint32_t rows;   /* ar rows of a column: m, at least AR_RAW_DIST */
};

/* A loop or none: an index that is base, or base + step * iv. */
struct walk {
  struct kc_iv iv; /* id 0: no loop */
  uint32_t at;     /* the index where iv is 0 */
  uint32_t step;
};

static const struct walk no_walk = {{0}, 0, 0};

static uint32_t ceil_div(uint32_t a, uint32_t b)
{
  return a / b + (a % b != 0);
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static uint32_t ar_rows(uint32_t m)
{
  return m < KT_AR_RAW_DIST ? KT_AR_RAW_DIST : m;
}

uint32_t kc_slab_rows(const struct kt_params *p)
{
  uint32_t rows = p->maxdim;
  for (uint32_t parts = 2; rows > KT_NR_MAX; parts++)
    if (p->maxdim % (parts * p->t) == 0) rows = p->maxdim / parts;
  return rows;
}

uint32_t kc_slab_columns(const struct kt_params *p, uint32_t m)
{
  uint32_t fit = p->nar / ar_rows(m);
  uint32_t columns = LINK_COLUMNS;
  while (columns > fit || columns > p->maxdim / p->t)
    columns /= 2;
  return columns;
}

uint32_t kc_slab_columns_whole(const struct kt_params *p, uint32_t m, uint32_t k, bool relu)
{
  uint32_t kt = ceil_div(k, p->t);
  uint32_t rows = ar_rows(m);
  uint32_t accu = rows * kt + m + (relu ? rows : 0); /* a column's steps, unit by unit */
  uint32_t spm = p->t * kt + (p->t + 1) * kt;
  uint32_t vru = rows * kt;
  uint32_t load = p->t * kt;

  uint32_t columns = min_u32(KT_COUNT_MAX / accu, KT_COUNT_MAX / spm);
  columns = min_u32(columns, (KT_COUNT_MAX - rows * kt) / vru);
  columns = min_u32(columns, (KT_COUNT_MAX - rows * kt) / load);
  return min_u32(columns, p->maxdim / p->t);
}

/* ---- operands ---- */

static struct kc_ref walked(struct kc_ref ref, const struct walk *w, uint32_t stride)
{
  ref.base += w->at * stride;
  if (w->iv.id != 0) ref = kc_at(ref, w->iv, w->step * stride);
  return ref;
}

static struct kc_ref vr_tile(const struct build *b, const struct walk *k)
{
  return walked(kc_ref(0), k, b->p->maxdim);
}

static struct kc_ref spad_tile(const struct build *b, const struct walk *n, const struct walk *k)
{
  return walked(walked(kc_ref(0), n, b->p->maxdim), k, b->p->t);
}

static void load_a(const struct build *b, const struct walk *k)
{
  kc_load_vr(b->nest, KC_A, kc_ref(0), walked(kc_ref(b->s->cb_a), k, 1), vr_tile(b, k), b->rows);
}

/* The T rows of B that one mm needs. */
static void load_b_tile(const struct build *b, const struct walk *n, const struct walk *k)
{
  kc_load_spad(b->nest, KC_B, walked(kc_ref(0), k, b->p->t), walked(kc_ref(b->s->cb_b), n, 1),
               spad_tile(b, n, k), b->p->t);
}

/* All rows of a column of B, in as few loads as nr allows. */
static void load_b_column(const struct build *b, const struct walk *n)
{
  uint32_t left = b->kt * b->p->t;
  uint32_t most = KT_NR_MAX / b->p->t * b->p->t;
  for (uint32_t row = 0; left > 0;) {
    uint32_t nr = min_u32(left, most);
    struct walk k = {{0}, row / b->p->t, 0};
    kc_load_spad(b->nest, KC_B, kc_ref(row), walked(kc_ref(b->s->cb_b), n, 1),
                 spad_tile(b, n, &k), nr);
    row += nr;
    left -= nr;
  }
}

static void mm(const struct build *b, const struct walk *n, const struct walk *k, uint32_t region,
               bool acc)
{
  kc_mm(b->nest, vr_tile(b, k), kc_ref(region * b->rows), acc, spad_tile(b, n, k), b->rows);
}

static void mvout(const struct build *b, const struct walk *n, uint32_t region)
{
  kc_mvout(b->nest, kc_ref(region * b->rows), kc_ref(0), walked(kc_ref(b->s->cb_c), n, 1),
           b->s->m);
}

static void relu(const struct build *b, uint32_t region)
{
  struct kc_ref row = kc_ref(region * b->rows);
  if (b->s->relu) kc_vrelu(b->nest, row, row, b->rows);
}

/* ---- the first columns, k outermost ---- */

static void group_step(const struct build *b, uint32_t columns, const struct walk *k, bool acc)
{
  for (uint32_t j = 0; j < columns; j++) {
    struct walk n = {{0}, j, 0};
    load_b_tile(b, &n, k);
    if (j == 0) load_a(b, k);
    mm(b, &n, k, j, acc);
  }
}

static void group(const struct build *b, uint32_t columns)
{
  uint32_t done = 0;
  if (b->s->first) {
    group_step(b, columns, &no_walk, false);
    done = 1;
  }
  uint32_t left = b->kt - done;
  struct walk k = {{0}, done, 1};
  if (left == 1) group_step(b, columns, &k, true);
  if (left > 1) {
    k.iv = kc_nest_loop(b->nest, "k", left);
    group_step(b, columns, &k, true);
    kc_nest_end(b->nest, k.iv);
  }
  for (uint32_t j = 0; j < columns && b->s->last; j++)
    relu(b, j);
}

/* ---- later columns of a whole product, one at a time ---- */

static void accumulate_rest(const struct build *b, const struct walk *n, uint32_t region)
{
  uint32_t left = b->kt - 1;
  struct walk k = {{0}, 1, 1};
  if (left > 3) { /* a loop is three instructions */
    k.iv = kc_nest_loop(b->nest, "k", left);
    mm(b, n, &k, region, true);
    kc_nest_end(b->nest, k.iv);
    return;
  }
  for (; k.at <= left; k.at++)
    mm(b, n, &k, region, true);
}

/* Column n into its region; the column `lag` before it leaves meanwhile. */
static void column(const struct build *b, const struct walk *n, uint32_t region, uint32_t lag)
{
  struct walk leaving = *n;
  leaving.at -= lag;

  load_b_column(b, n);
  mvout(b, &leaving, lag == 2 ? region : 1 - region);
  mm(b, n, &no_walk, region, false);
  accumulate_rest(b, n, region);
  relu(b, region);
}

static void columns(const struct build *b, uint32_t begun)
{
  uint32_t n = begun;
  uint32_t pairs = (b->nt - begun) / 2;

  if (pairs >= 2) {
    struct walk w = {kc_nest_loop(b->nest, "n", pairs), n, 2};
    for (uint32_t half = 0; half < 2; half++, w.at++)
      column(b, &w, w.at % 2, begun);
    kc_nest_end(b->nest, w.iv);
    n += 2 * pairs;
  }
  for (; n < b->nt; n++) {
    struct walk w = {{0}, n, 0};
    column(b, &w, n % 2, begun);
  }
}

/* A alone outruns the first column's loads only where a second column gives mm more to do. */
static uint32_t first_columns(const struct build *b)
{
  if (!b->s->first || !b->s->last) return b->nt;
  if (b->nt == 1 || b->kt * b->p->t < b->rows) return 1;
  return b->kt < 4 ? 1 : 2;
}

static void generate(const struct build *b)
{
  uint32_t begun = first_columns(b);
  group(b, begun);
  if (begun < b->nt) columns(b, begun);
  if (!b->s->last) return;

  uint32_t waiting = b->s->first ? begun : b->nt;
  for (uint32_t n = b->nt - waiting; n < b->nt; n++) {
    struct walk w = {{0}, n, 0};
    mvout(b, &w, waiting == b->nt ? n : n % 2);
  }
}

/* ---- limits ---- */

struct limit {
  const char *what;
  uint32_t value;
  const char *name;
  uint32_t most;
};

static enum kt_status check_limits(const struct build *b, struct kt_msg *msg)
{
  const struct kc_slab *s = b->s;
  const struct kt_params *p = b->p;
  uint32_t wpr = p->maxdim / p->t;
  bool whole = s->first && s->last;
  const struct limit limits[] = {
      {"m", s->m, "rows of one load and of A", kc_slab_rows(p)},
      {"k", s->k, "MAXDIM", p->maxdim},
      {"n", s->n, "MAXDIM", p->maxdim},
      {"column blocks of A", s->cb_a + b->kt, "WPR", wpr},
      {"column blocks of B", s->cb_b + b->nt, "WPR", wpr},
      {"column blocks of C", s->cb_c + b->nt, "WPR", wpr},
      {"columns kept in ar", whole ? 1 : b->nt, "NAR / rows of a column, at most 4",
       kc_slab_columns(p, s->m)},
  };

  if (s->m == 0 || s->k == 0 || s->n == 0) {
    kt_msg_set(msg, "shape %ux%ux%u: every extent is at least 1", s->m, s->k, s->n);
    return KT_EINVAL;
  }
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    const struct limit *l = &limits[i];
    if (l->value <= l->most) continue;
    kt_msg_set(msg, "%s = %u is past the limit %u (%s) by %u", l->what, l->value, l->most, l->name,
               l->value - l->most);
    return KT_ELIMIT;
  }
  return KT_OK;
}

static enum kt_status check_length(const struct kt_params *p, struct kc_program *out,
                                   struct kt_msg *msg)
{
  if (out->n_words <= p->imem_size) return KT_OK;
  kt_msg_set(msg, "the program's %zu words are past the limit %u (IMEM_SIZE) by %zu", out->n_words,
             p->imem_size, out->n_words - p->imem_size);
  kc_program_free(out);
  return KT_ELIMIT;
}

enum kt_status kc_gemm_slab(const struct kt_params *p, const struct kc_slab *slab,
                            struct kc_program *out, struct kt_msg *msg)
{
  struct build b = {.p = p, .s = slab, .rows = ar_rows(slab->m)};
  b.kt = ceil_div(slab->k, p->t);
  b.nt = ceil_div(slab->n, p->t);

  *out = (struct kc_program){NULL, 0};
  enum kt_status st = check_limits(&b, msg);
  if (st != KT_OK) return st;

  b.nest = kc_nest_new();
  generate(&b);
  st = kc_nest_finish(b.nest, p, out, msg);
  if (st == KT_OK) st = check_length(p, out, msg);
  return st;
}
