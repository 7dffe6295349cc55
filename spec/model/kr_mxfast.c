/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile, fast: FP22 words travel as binary64 numbers of the same value and every rounding is an
 * integer operation on their bits, so that the compiler can put several elements into one register.
 *
 * Why binary64 is exact here. A block product has at most 18 + 8 significant bits. A sum of two FP22
 * numbers (mw + 1 bits each) is exact in 53 bits while their exponents differ by no more than
 * 52 - mw; past that the smaller one is below 2^-33 of the larger one's last place, so the sum rounded
 * to 53 bits lies on the same side of every tie of mw + 1 bits as the exact sum, and rounds to the
 * same number. tests/unit/test_model_mxgemm.c compares all of it with the plain tile.
 */
#include "spec/model/kr_mxgemm.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 64 /* elements of a row worked on together */, MAX_THREADS = 64 };

/* Sums of fewer blocks than this cannot pass FP22's largest number: a product of two blocks is below
 * 2^41 and 2^63 / 2^41 = 2^22. Longer ones take the plain way, which watches for it. */
static const size_t SAFE_BLOCKS = (size_t)1 << 21;

struct job {
  const struct kr_mx_operand *a, *b;
  size_t part;
  unsigned mw;
  uint32_t *tile;
  size_t first_row, last_row;
};

/* ---- Numbers as bits -------------------------------------------------------------------------- */

static inline uint64_t bits_of(double x)
{
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static inline double of_bits(uint64_t u)
{
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

/* RNE to mw + 1 significant bits; the carry runs into the exponent as it should. */
static inline double round_to(double x, unsigned drop)
{
  const uint64_t u = bits_of(x);
  const uint64_t half = (UINT64_C(1) << (drop - 1)) - 1;
  return of_bits((u + half + ((u >> drop) & 1)) & ~((UINT64_C(1) << drop) - 1));
}

/* scale(code); NaN for poison, which every later operation keeps. */
static double scale_value(uint8_t code)
{
  return code == KR_MX_POISON ? NAN : ldexp(8.0 + (code & 7), (code >> 3) - 23);
}

static uint32_t word_of(double x, unsigned mw)
{
  const uint64_t u = bits_of(x);
  if (x != x) return kr_fp22_nan(mw);
  if (x == 0) return 0;
  const uint32_t e = (uint32_t)((u >> 52) & 2047) - 1023 + KR_FP22_BIAS;
  const uint32_t man = (uint32_t)(u >> (52 - mw)) & ((UINT32_C(1) << mw) - 1);
  return (uint32_t)(u >> 63) << (mw + 7) | e << mw | man;
}

/* ---- One row, COLUMNS elements at a time ------------------------------------------------------ */

/* acc[j] = blocks first .. last - 1 of row a and of the n columns at b. */
static void sum_blocks(const struct kr_mx_block *a, const struct kr_mx_block *b, size_t blocks,
                       size_t first, size_t last, size_t n, unsigned drop, double *acc)
{
  double v[COLUMNS];

  for (size_t j = 0; j < n; j++) acc[j] = 0;
  for (size_t k = first; k < last; k++) {
    const double scale = scale_value(a[k].scale);
    for (size_t j = 0; j < n; j++) {
      const struct kr_mx_block *col = &b[j * blocks + k];
      v[j] = kr_mx_dot(&a[k], col) * (scale * scale_value(col->scale));
    }
    for (size_t j = 0; j < n; j++)
      acc[j] = round_to(acc[j] + round_to(v[j], drop), drop);
  }
}

static void do_columns(const struct job *w, size_t row, size_t column, size_t n)
{
  const size_t blocks = w->a->blocks;
  const struct kr_mx_block *a = &w->a->block[row * blocks];
  const struct kr_mx_block *b = &w->b->block[column * blocks];
  const unsigned drop = 52 - w->mw;
  double sum[COLUMNS], more[COLUMNS];

  sum_blocks(a, b, blocks, 0, w->part < blocks ? w->part : blocks, n, drop, sum);
  for (size_t first = w->part; first < blocks; first += w->part) {
    const size_t last = blocks - first < w->part ? blocks : first + w->part;
    sum_blocks(a, b, blocks, first, last, n, drop, more);
    for (size_t j = 0; j < n; j++) sum[j] = round_to(sum[j] + more[j], drop);
  }
  for (size_t j = 0; j < n; j++) w->tile[row * w->b->lanes + column + j] = word_of(sum[j], w->mw);
}

static void *do_rows(void *context)
{
  const struct job *w = context;
  const size_t n = w->b->lanes;

  for (size_t column = 0; column < n; column += COLUMNS)
    for (size_t row = w->first_row; row < w->last_row; row++)
      do_columns(w, row, column, n - column < COLUMNS ? n - column : COLUMNS);
  return NULL;
}

/* ---- Threads ---------------------------------------------------------------------------------- */

/* A thread that cannot be started is no error: its rows are done here. */
static void share_rows(const struct job *whole, unsigned threads)
{
  const size_t rows = whole->a->lanes;
  struct job job[MAX_THREADS];
  pthread_t id[MAX_THREADS];
  bool started[MAX_THREADS] = {false};

  for (unsigned t = 0; t < threads; t++) {
    job[t] = *whole;
    job[t].first_row = rows * t / threads;
    job[t].last_row = rows * (t + 1) / threads;
    if (t + 1 < threads) started[t] = pthread_create(&id[t], NULL, do_rows, &job[t]) == 0;
    if (!started[t]) do_rows(&job[t]);
  }
  for (unsigned t = 0; t < threads; t++)
    if (started[t]) pthread_join(id[t], NULL);
}

enum kt_status kr_mx_tile(const struct kr_mx_operand *a, const struct kr_mx_operand *b, size_t sk,
                          unsigned mw, unsigned threads, uint32_t *tile, struct kr_mx_events *ev)
{
  if (a->blocks != b->blocks || sk == 0 || threads == 0 || mw < KR_FP22_MW_MIN ||
      mw > KR_FP22_MW_MAX)
    return KT_EINVAL;
  if (a->blocks > SAFE_BLOCKS) return kr_mx_tile_plain(a, b, sk, mw, tile, ev);
  const struct job whole = {
      .a = a, .b = b, .part = (a->blocks - 1) / sk + 1, .mw = mw, .tile = tile,
      .first_row = 0, .last_row = a->lanes};
  share_rows(&whole, threads < MAX_THREADS ? threads : MAX_THREADS);
  return KT_OK;
}
