/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast GEMM. Loads stand right before the mm that needs them, so that mm chases them row by
 * row; while queues are not full, dispatch runs ahead and the loads with it. The first columns walk
 * k together, because A arrives with them; later columns find A in vr and walk k one at a time.
 * Results leave beside the overwriting mm of a later part, which does not read ar.
 */
#include "compiler/unit/kc_gemm.h"
#include "compiler/unit/kc_nest.h"

#include "spec/generated/kt_tinytpu.h"


enum {
  LINK_COLUMNS = 4,  /* most columns that a link of a chain unrolls */
  SHORT_COLUMN = 16, /* rows of B that are loaded at once even where a tile would do */
  HALVES_ROWS = 48   /* rows from which halves pay: the sequencer takes some 20 cycles an mm */
};

/* Rows of the product, and of a column's ar region. */
struct part {
  uint32_t row, rows;
};

struct build {
  const struct kt_params *p;
  const struct kc_slab *s;
  struct kc_nest *nest;
  uint32_t kt, nt; /* tiles */
  uint32_t rows;   /* ar rows of a column: m, at least AR_RAW_DIST */
  struct part all; /* all of them */
};

/* The first columns, column j in region j of ar. */
struct group {
  uint32_t columns;
  struct part part;
  bool load_b; /* otherwise B is in spad already */
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

static struct kc_ref vr_tile(const struct build *b, const struct walk *k, struct part part)
{
  return walked(kc_ref(part.row), k, b->p->maxdim);
}

static struct kc_ref spad_tile(const struct build *b, const struct walk *n, const struct walk *k)
{
  return walked(walked(kc_ref(0), n, b->p->maxdim), k, b->p->t);
}

static struct kc_ref ar_rows_of(const struct build *b, uint32_t region, struct part part)
{
  return kc_ref(region * b->rows + part.row);
}

static void load_a(const struct build *b, const struct walk *k, struct part part)
{
  kc_load_vr(b->nest, KC_A, kc_ref(part.row), walked(kc_ref(b->s->cb_a), k, 1),
             vr_tile(b, k, part), part.rows);
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
               struct part part, bool acc)
{
  kc_mm(b->nest, vr_tile(b, k, part), ar_rows_of(b, region, part), acc, spad_tile(b, n, k),
        part.rows);
}

/* Rows past m were only there to keep the accumulator distance. */
static void mvout(const struct build *b, const struct walk *n, uint32_t region, struct part part)
{
  kc_mvout(b->nest, ar_rows_of(b, region, part), kc_ref(part.row),
           walked(kc_ref(b->s->cb_c), n, 1), min_u32(part.rows, b->s->m - part.row));
}

static void relu(const struct build *b, uint32_t region, struct part part)
{
  struct kc_ref row = ar_rows_of(b, region, part);
  if (b->s->relu) kc_vrelu(b->nest, row, row, part.rows);
}

/* ---- columns side by side, k outermost: A arrives with them ---- */

/* A short column of B in one load: fewer instructions, and the first mm starts hardly later. */
static bool b_is_short(const struct build *b)
{
  return b->kt * b->p->t <= SHORT_COLUMN;
}

static void group_b(const struct build *b, const struct walk *n, const struct walk *k)
{
  if (!b_is_short(b)) load_b_tile(b, n, k);
  else if (k->iv.id == 0 && k->at == 0) load_b_column(b, n);
}

static void group_step(const struct build *b, const struct group *g, const struct walk *k, bool acc)
{
  for (uint32_t j = 0; j < g->columns; j++) {
    struct walk n = {{0}, j, 0};
    if (g->load_b) group_b(b, &n, k);
    if (j == 0) load_a(b, k, g->part);
    mm(b, &n, k, j, g->part, acc);
  }
}

static void group(const struct build *b, const struct group *g)
{
  bool peel = b->s->first || (g->load_b && b_is_short(b)); /* the first step differs */
  struct walk k = {{0}, peel ? 1 : 0, 1};
  uint32_t left = b->kt - k.at;

  if (peel) group_step(b, g, &no_walk, !b->s->first);
  if (left == 1) group_step(b, g, &k, true);
  if (left > 1) {
    k.iv = kc_nest_loop(b->nest, "k", left);
    group_step(b, g, &k, true);
    kc_nest_end(b->nest, k.iv);
  }
  for (uint32_t j = 0; j < g->columns && b->s->last; j++)
    relu(b, j, g->part);
}

static void group_mvout(const struct build *b, const struct group *g)
{
  for (uint32_t j = 0; j < g->columns; j++) {
    struct walk n = {{0}, j, 0};
    mvout(b, &n, j, g->part);
  }
}

/* ---- one column, k innermost: A is in vr ---- */

static void sweep_k(const struct build *b, const struct walk *n, uint32_t region, struct part part)
{
  uint32_t left = b->kt - 1;
  struct walk k = {{0}, 1, 1};

  mm(b, n, &no_walk, region, part, false);
  if (left == 1) mm(b, n, &k, region, part, true);
  if (left > 1) {
    k.iv = kc_nest_loop(b->nest, "k", left);
    mm(b, n, &k, region, part, true);
    kc_nest_end(b->nest, k.iv);
  }
  relu(b, region, part);
}

/* ---- a whole product of few rows: columns in two regions in turn ---- */

/* Column n; the one before it leaves meanwhile. */
static void column(const struct build *b, const struct walk *n)
{
  struct walk leaving = *n;
  leaving.at--;

  load_b_column(b, n);
  mvout(b, &leaving, leaving.at % 2, b->all);
  sweep_k(b, n, n->at % 2, b->all);
}

static void by_columns(const struct build *b)
{
  const struct group first = {.columns = 1, .part = b->all, .load_b = true};
  uint32_t pairs = (b->nt - 1) / 2;
  struct walk n = {{0}, 1, 0};

  group(b, &first);
  if (pairs >= 2) {
    struct walk w = {kc_nest_loop(b->nest, "n", pairs), 1, 2};
    for (; w.at <= 2; w.at++)
      column(b, &w);
    kc_nest_end(b->nest, w.iv);
    n.at += 2 * pairs;
  }
  for (; n.at < b->nt; n.at++)
    column(b, &n);
  n.at = b->nt - 1;
  mvout(b, &n, n.at % 2, b->all);
}

/* ---- a whole product of many rows: in two halves ----
 * Two half columns side by side give mm as much to do as the loads of A and B take, and only as
 * much waits to leave at the end as the first of them hold: each half leaves beside the next. */

static void column_in_halves(const struct build *b, const struct walk *n, const struct part half[2])
{
  load_b_column(b, n);
  for (uint32_t i = 0; i < 2; i++) {
    sweep_k(b, n, 0, half[i]);
    mvout(b, n, 0, half[i]);
  }
}

static void by_halves(const struct build *b)
{
  uint32_t h = (b->rows + 1) / 2;
  const struct part half[2] = {{0, h}, {h, b->rows - h}};
  const struct group upper = {.columns = 2, .part = half[0], .load_b = true};
  const struct group lower = {.columns = 2, .part = half[1], .load_b = false};
  uint32_t left = b->nt - 2;
  struct walk n = {{0}, 2, 1};

  group(b, &upper);
  group_mvout(b, &upper);
  group(b, &lower);
  group_mvout(b, &lower);
  if (left > 1) n.iv = kc_nest_loop(b->nest, "n", left);
  if (left > 0) column_in_halves(b, &n, half);
  if (left > 1) kc_nest_end(b->nest, n.iv);
}

static void link_of_chain(const struct build *b)
{
  const struct group all = {.columns = b->nt, .part = b->all, .load_b = true};
  group(b, &all);
  if (b->s->last) group_mvout(b, &all);
}

static void generate(const struct build *b)
{
  bool whole = b->s->first && b->s->last;
  if (!whole) link_of_chain(b);
  else if (b->rows >= HALVES_ROWS && b->nt >= 2 && b->kt >= 2) by_halves(b);
  else by_columns(b);
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
      {"m", s->m, "MAXDIM", p->maxdim},
      {"m", s->m, "rows of one instruction", KT_NR_MAX},
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
  b.all = (struct part){0, b.rows};

  *out = (struct kc_program){NULL, 0};
  enum kt_status st = check_limits(&b, msg);
  if (st != KT_OK) return st;

  b.nest = kc_nest_new();
  generate(&b);
  st = kc_nest_finish(b.nest, p, out, msg);
  if (st == KT_OK) st = check_length(p, out, msg);
  return st;
}
