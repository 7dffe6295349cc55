/* SPDX-License-Identifier: Apache-2.0
 *
 * kr-accuracy: what an MXFP7 matmul loses against binary64, beside other block formats.
 *
 * usage: kr-accuracy [--json] [--seed N] [--rows R] [--threads T]
 * C = A B, A R x K, B K x R, operands rounded to binary16 first (that is the input, not an error).
 * An error is |c - c64| / (largest |c64| of the row); p50, p99 and max over all elements. "format"
 * quantises the operands and sums in binary64; "machine" is the model to the bit, FP22 sums and
 * binary16 out. Other formats: operands only, sums in binary64.
 * Exit code: 0 done, 1 no memory, 2 wrong use.
 */
#include "spec/model/kr_blockfmt.h"
#include "spec/model/kr_mxgemm.h"

#include <argp.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
  bool json;
  uint64_t seed;
  size_t rows;
  unsigned threads;
};

static const size_t depths[] = {64, 256, 1024, 4096, 8192};

enum { DEPTHS = sizeof depths / sizeof depths[0] };

/* ---- Operands --------------------------------------------------------------------------------- */

/* splitmix64: the same numbers on every machine. */
static double uniform(uint64_t *state)
{
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
  const double radius = sqrt(-2 * log(uniform(state)));
  return radius * cos(6.283185307179586 * uniform(state));
}

/* Fills lanes x k (a lane is a row of A or a column of B). */
typedef void (*distribution)(uint64_t *state, size_t lanes, size_t k, bool weights, double *x);

static void fill_normal(uint64_t *state, size_t lanes, size_t k, bool weights, double *x)
{
  (void)weights;
  for (size_t i = 0; i < lanes * k; i++) x[i] = normal(state);
}

/* Every lane is 0.8 of one common vector and 0.6 of its own: sums grow with K, not with its root. */
static void fill_correlated(uint64_t *state, size_t lanes, size_t k, bool weights, double *x)
{
  (void)weights;
  uint64_t common = 12345; /* the same vector for A and for B */
  for (size_t j = 0; j < k; j++) {
    const double shared = normal(&common);
    for (size_t i = 0; i < lanes; i++) x[i * k + j] = 0.8 * shared + 0.6 * normal(state);
  }
}

/* Layer-like: weights normal with a spread of 0.02; activations half-normal after a relu, one
 * channel in 100 twenty times larger. */
static void fill_layer(uint64_t *state, size_t lanes, size_t k, bool weights, double *x)
{
  for (size_t j = 0; j < k; j++) {
    const double gain = weights ? 0.02 : uniform(state) < 0.01 ? 20 : 1;
    for (size_t i = 0; i < lanes; i++) {
      const double v = gain * normal(state);
      x[i * k + j] = weights || v > 0 ? v : 0;
    }
  }
}

static const struct {
  const char *name;
  distribution fill;
} distributions[] = {
    {"normal", fill_normal}, {"correlated", fill_correlated}, {"layer-like", fill_layer}};

enum { DISTRIBUTIONS = sizeof distributions / sizeof distributions[0] };

/* ---- Products and errors ---------------------------------------------------------------------- */

struct problem {
  size_t rows, k;
  double *a, *b;            /* rows x k each, along K; exact binary16 values */
  double *qa, *qb;          /* the same in a block format */
  double *want, *got, *err; /* rows x rows */
};

struct errors {
  double p50, p99, max;
};

static void multiply(const struct problem *p, const double *a, const double *b, double *c)
{
  for (size_t i = 0; i < p->rows; i++)
    for (size_t j = 0; j < p->rows; j++) {
      double sum = 0;
      for (size_t k = 0; k < p->k; k++) sum += a[i * p->k + k] * b[j * p->k + k];
      c[i * p->rows + j] = sum;
    }
}

static int ascending(const void *x, const void *y)
{
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static struct errors errors_of(const struct problem *p)
{
  const size_t n = p->rows, count = n * n;
  for (size_t i = 0; i < n; i++) {
    double top = 0;
    for (size_t j = 0; j < n; j++) top = fmax(top, fabs(p->want[i * n + j]));
    for (size_t j = 0; j < n; j++)
      p->err[i * n + j] = fabs(p->got[i * n + j] - p->want[i * n + j]) / top;
  }
  qsort(p->err, count, sizeof *p->err, ascending);
  return (struct errors){p->err[count / 2], p->err[count * 99 / 100], p->err[count - 1]};
}

/* ---- The machine ------------------------------------------------------------------------------ */

static uint16_t half_of(double x)
{
  const float f = (float)x;
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return kr_f16_from_f32(u, NULL);
}

static double value_of_half(uint16_t h)
{
  struct kr_real r = {false, 0, 0};
  kr_f16_decode(h, &r);
  return (r.negative ? -1 : 1) * ldexp((double)r.sig, r.exp);
}

/* p->got from the model, binary16 out. */
static enum kt_status machine(const struct problem *p, unsigned threads)
{
  const size_t n = p->rows, count = n * p->k;
  uint16_t *halves = malloc(2 * count * sizeof *halves), *out = malloc(n * n * sizeof *out);
  uint32_t *tile = malloc(n * n * sizeof *tile);
  struct kr_mx_operand a = {0}, b = {0};
  enum kt_status st = halves == NULL || out == NULL || tile == NULL ? KT_ENOMEM : KT_OK;

  for (size_t i = 0; st == KT_OK && i < count; i++) {
    halves[i] = half_of(p->a[i]);
    halves[count + i] = half_of(p->b[i]);
  }
  if (st == KT_OK) st = kr_mx_pack(n, p->k, halves, p->k, 1, &a, NULL);
  if (st == KT_OK) st = kr_mx_pack(n, p->k, halves + count, p->k, 1, &b, NULL);
  if (st == KT_OK) st = kr_mx_tile(&a, &b, 1, KR_FP22_MW, threads, tile, NULL);
  if (st == KT_OK) {
    kr_mx_out_f16(tile, n * n, KR_FP22_MW, out, NULL);
    for (size_t i = 0; i < n * n; i++) p->got[i] = value_of_half(out[i]);
  }
  kr_mx_free(&a);
  kr_mx_free(&b);
  free(halves);
  free(out);
  free(tile);
  return st;
}

/* ---- The table -------------------------------------------------------------------------------- */

static void print_errors(const struct options *o, const char *dist, size_t k, const char *format,
                         const char *bits, struct errors e, bool *first)
{
  if (o->json) {
    printf("%s\n  {\"operands\": \"%s\", \"k\": %zu, \"format\": \"%s\", \"bits\": %s, \"p50\": %.3e, "
           "\"p99\": %.3e, \"max\": %.3e}",
           *first ? "" : ",", dist, k, format, bits, e.p50, e.p99, e.max);
  } else {
    printf("| %s | %zu | %s | %s | %.2e | %.2e | %.2e |\n", dist, k, format, bits, e.p50, e.p99,
           e.max);
  }
  *first = false;
}

static enum kt_status one_problem(const struct options *o, unsigned d, struct problem *p,
                                  bool *first)
{
  uint64_t state = o->seed * 1000 + d * 100 + p->k;
  distributions[d].fill(&state, p->rows, p->k, false, p->a);
  distributions[d].fill(&state, p->rows, p->k, true, p->b);
  for (size_t i = 0; i < p->rows * p->k; i++) {
    p->a[i] = value_of_half(half_of(p->a[i]));
    p->b[i] = value_of_half(half_of(p->b[i]));
  }
  multiply(p, p->a, p->b, p->want);

  const enum kt_status st = machine(p, o->threads);
  if (st != KT_OK) return st;
  print_errors(o, distributions[d].name, p->k, "MXFP7, the machine", "7.25", errors_of(p), first);
  for (unsigned f = 0; f < kr_blockfmt_count(); f++) {
    kr_blockfmt_round(f, p->rows, p->k, p->a, p->qa);
    kr_blockfmt_round(f, p->rows, p->k, p->b, p->qb);
    multiply(p, p->qa, p->qb, p->got);
    print_errors(o, distributions[d].name, p->k, kr_blockfmt_name(f), kr_blockfmt_bits(f),
                 errors_of(p), first);
  }
  return KT_OK;
}

static enum kt_status all_problems(const struct options *o)
{
  const size_t n = o->rows, deepest = depths[DEPTHS - 1];
  double *all = malloc((4 * n * deepest + 3 * n * n) * sizeof *all);
  bool first = true;
  enum kt_status st = KT_OK;
  if (all == NULL) return KT_ENOMEM;

  for (unsigned d = 0; d < DISTRIBUTIONS; d++) {
    for (unsigned i = 0; i < DEPTHS && st == KT_OK; i++) {
      double *results = all + 4 * n * deepest;
      struct problem p = {.rows = n, .k = depths[i], .a = all, .b = all + n * deepest,
                          .qa = all + 2 * n * deepest, .qb = all + 3 * n * deepest,
                          .want = results, .got = results + n * n, .err = results + 2 * n * n};
      st = one_problem(o, d, &p, &first);
    }
  }
  free(all);
  return st;
}

/* ---- Command line ----------------------------------------------------------------------------- */

static const struct argp_option argp_options[] = {
    {"json", 'j', 0, 0, "one JSON list instead of the table", 0},
    {"seed", 's', "N", 0, "seed of the operands (1)", 0},
    {"rows", 'r', "R", 0, "rows of A and columns of B, 2 to 1024 (64)", 0},
    {"threads", 't', "T", 0, "threads of the model, 1 to 64 (1)", 0},
    {0}};

static unsigned long number(const char *text, unsigned long least, unsigned long most,
                            struct argp_state *state)
{
  char *end;
  const unsigned long v = strtoul(text, &end, 0);
  if (end == text || *end != '\0' || v < least || v > most)
    argp_error(state, "%s: want a number from %lu to %lu", text, least, most);
  return v;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct options *o = state->input;
  switch (key) {
    case 'j': o->json = true; return 0;
    case 's': o->seed = number(arg, 0, 1000000, state); return 0;
    case 'r': o->rows = number(arg, 2, 1024, state); return 0;
    case 't': o->threads = (unsigned)number(arg, 1, 64, state); return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument %s", arg); return 0;
    default: return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv)
{
  struct options o = {.json = false, .seed = 1, .rows = 64, .threads = 1};
  const struct argp argp = {argp_options, parse, NULL,
                            "What an MXFP7 matmul loses against binary64.", NULL, NULL, NULL};
  argp_err_exit_status = 2;
  if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0) return 2;

  if (o.json)
    printf("[");
  else
    printf("| operands | K | format | bits an element | p50 | p99 | max |\n"
           "|---|---|---|---|---|---|---|\n");
  if (all_problems(&o) != KT_OK) {
    fprintf(stderr, "kr-accuracy: out of memory\n");
    return 1;
  }
  if (o.json) printf("\n]\n");
  return 0;
}
