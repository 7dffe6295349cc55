/* SPDX-License-Identifier: Apache-2.0
 *
 * Not a cycle more, and not one less without anybody knowing: what each tested build takes for products
 * and random programs, and what every unit did meanwhile, is kept in tests/golden/cycles. A change that
 * moves a cycle on purpose writes them anew (make cycles) and shows them in its diff.
 */
#include "compiler/fuzz/kc_fuzz.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/cosim_bench.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 16, PROGRAMS = 40 };

static struct criterion_test_params builds_as_params(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  char *params = cr_malloc(n * BENCH_NAME);
  memcpy(params, names, n * BENCH_NAME);
  return cr_make_param_array(char[BENCH_NAME], params, n, NULL);
}

/* Lines that were measured. */
struct lines {
  char text[TEXT];
  size_t n;
};

__attribute__((format(printf, 2, 3))) static void add(struct lines *to, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(to->text + to->n, TEXT - to->n, format, args);
  va_end(args);
  cr_assert(n > 0 && to->n + (size_t)n < TEXT);
  to->n += (size_t)n;
}

/* A memory's timing, and what to call it. */
static const struct memory {
  const char *name;
  struct ktpu_options o;
} MEMORIES[] = {
    {"latency 0", {.latency = 0}},
    {"latency 7", {.latency = 7}},
    {"latency 64", {.latency = 64}},
    {"stalls, latency 3", {.latency = 3, .stall_seed = 5}},
};

static const struct bench_gemm PRODUCTS[] = {
    {4, 4, 4, KTPU_INT8, 0, false},    {8, 8, 8, KTPU_INT32, 0, false},
    {16, 16, 16, KTPU_INT8, 0, true},  {16, 16, 8, KTPU_INT8, 9, false},
    {23, 75, 21, KTPU_INT32, 0, true}, {3, 130, 70, KTPU_INT8, 7, false},
};

/* Cycles of each unit in each state. */
static void add_units(struct lines *to, const char *what, const struct kt_params *p,
                      const uint64_t stalls[KTPU_UNITS][KTPU_STATES])
{
  for (unsigned u = 0; p->counters != 0 && u < KTPU_UNITS; u++) {
    add(to, "%s, %s:", what, ktpu_unit_name(u));
    for (unsigned s = 0; s < KTPU_STATES; s++) add(to, " %" PRIu64, stalls[u][s]);
    add(to, "\n");
  }
}

static void add_product(struct lines *to, struct bench_pair *pair, const struct memory *m,
                        const struct bench_gemm *g)
{
  struct ktpu_result r;
  char what[200];
  uint8_t *out = calloc((size_t)g->m * g->n, 4);
  cr_assert(bench_gemm_on(pair->sim, g, BENCH_RANDOM, 1, out, &r) == KTPU_OK);
  snprintf(what, sizeof what, "%s, %ux%ux%u %s shift %u", m->name, g->m, g->k, g->n,
           g->form == KTPU_INT8 ? "int8" : "int32", g->shift);
  add(to, "%s: %" PRIu64 "\n", what, r.cycles);
  add_units(to, what, &pair->p, r.stalls);
  free(out);
}

/* One random chain's cycles are added to the sums. */
static void run_programs(struct bench_pair *pair, uint64_t seed, struct ktpu_result *sum)
{
  const size_t operand = (size_t)pair->p.maxdim * pair->p.maxdim;
  int8_t *ab = calloc(operand, 1);
  uint8_t *c = calloc(bench_c_bytes(&pair->p), 1);
  struct kc_chain chain;
  struct kt_msg msg = {{0}};
  struct ktpu_result r;
  cr_assert(kc_fuzz_legal(&pair->p, seed, NULL, &chain, &msg) == KT_OK, "%s", msg.text);
  struct bench_list l = {.n = chain.n, .a = ab, .b = ab, .c = c, .as_list = seed % 2 != 0};
  for (size_t i = 0; i < chain.n; i++)
    l.step[i] = (struct bench_step){.words = chain.program[i].words,
                                    .n_words = chain.program[i].n_words,
                                    .cont = i != 0,
                                    .fence = seed % 8 == 0,
                                    .form = (uint32_t)(seed % 3)};
  cr_assert(bench_run(pair->sim, &l, &r) == KTPU_OK);
  sum->cycles += r.cycles;
  for (unsigned i = 0; i < KTPU_UNITS * KTPU_STATES; i++)
    sum->stalls[i / KTPU_STATES][i % KTPU_STATES] += r.stalls[i / KTPU_STATES][i % KTPU_STATES];
  kc_chain_free(&chain);
  free(ab);
  free(c);
}

static void measure(struct lines *to, const char *build, const struct memory *m)
{
  struct bench_pair pair;
  struct ktpu_result sum = {0};
  struct ktpu_options o = m->o;
  o.back_door = 1;
  bench_open(&pair, build, &o);
  for (size_t i = 0; i < sizeof PRODUCTS / sizeof PRODUCTS[0]; i++)
    add_product(to, &pair, m, &PRODUCTS[i]);
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) run_programs(&pair, seed, &sum);
  add(to, "%s, %d random programs: %" PRIu64 "\n", m->name, PROGRAMS, sum.cycles);
  add_units(to, m->name, &pair.p, sum.stalls);
  bench_close(&pair);
}

/* The file of a build: what address bits it has changes no cycle. */
static void file_of(const char *build, char *path, size_t n)
{
  const char *bits = strstr(build, "-ADDR_BITS");
  const int length = bits != NULL ? (int)(bits - build) : (int)strlen(build);
  snprintf(path, n, "%s/../../tests/golden/cycles/%.*s.txt", bench_sim_dir(), length, build);
}

static void compare(const char *build, const char *path, char *got)
{
  static char want[TEXT];
  char *at = want;
  FILE *f = fopen(path, "r");
  cr_assert_not_null(f, "%s: make cycles writes it", path);
  want[fread(want, 1, TEXT - 1, f)] = '\0';
  fclose(f);
  for (char *line = got, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    char *want_end = strchr(at, '\n');
    cr_assert_not_null(want_end, "%s: a line more than in %s (make cycles)", build, path);
    *end = *want_end = '\0';
    cr_assert(strcmp(line, at) == 0, "%s:\n  %s\nwas\n  %s\nIf it is meant: make cycles", build, line,
              at);
    at = want_end + 1;
  }
  cr_assert(*at == '\0' && at != want, "%s: lines less than in %s (make cycles)", build, path);
}

ParameterizedTestParameters(cosim_cycles, every_cycle_is_accounted_for)
{
  return builds_as_params();
}

/* With KTPU_CYCLES_WRITE what is measured is written, not compared. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_cycles, every_cycle_is_accounted_for,
                  .timeout = 300)
{
  static struct lines got;
  char path[4300];
  file_of(*build, path, sizeof path);
  for (size_t i = 0; i < sizeof MEMORIES / sizeof MEMORIES[0]; i++)
    measure(&got, *build, &MEMORIES[i]);
  if (getenv("KTPU_CYCLES_WRITE") == NULL) {
    compare(*build, path, got.text);
    return;
  }
  FILE *f = fopen(path, "w");
  cr_assert_not_null(f, "%s", path);
  cr_assert(fwrite(got.text, 1, got.n, f) == got.n && fclose(f) == 0);
}
