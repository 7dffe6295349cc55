/* SPDX-License-Identifier: Apache-2.0 */
#include "support/cosim_bench.h"

#include "host/kd_variant.h"
#include "spec/generated/kt_tinytpu.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- builds, seeds, noise --------------------------------------------------------------------- */

/* build/tests/cosim/test_x -> build/sim */
const char *bench_sim_dir(void)
{
  static char dir[4096];
  if (dir[0] != '\0') return dir;
  const ssize_t n = readlink("/proc/self/exe", dir, sizeof dir - 16);
  cr_assert(n > 0);
  dir[n] = '\0';
  for (int i = 0; i < 3; i++) *strrchr(dir, '/') = '\0';
  strcat(dir, "/sim");
  return dir;
}

static size_t split_names(char *text, char names[BENCH_BUILDS][BENCH_NAME])
{
  size_t n = 0;
  for (char *save = NULL, *at = strtok_r(text, " \n", &save); at != NULL && n < BENCH_BUILDS;
       at = strtok_r(NULL, " \n", &save))
    snprintf(names[n++], BENCH_NAME, "%s", at);
  return n;
}

size_t bench_list(char names[BENCH_BUILDS][BENCH_NAME], const char *variable, const char *file)
{
  char text[BENCH_BUILDS * BENCH_NAME] = "", path[4200];
  const char *env = getenv(variable);
  if (env != NULL) {
    snprintf(text, sizeof text, "%s", env);
    return split_names(text, names);
  }
  snprintf(path, sizeof path, "%s/%s", bench_sim_dir(), file);
  FILE *f = fopen(path, "r");
  if (f == NULL) { /* no assertion: a test's parameters are made outside of every test */
    fprintf(stderr, "%s is missing: make build-cosim\n", path);
    exit(2);
  }
  const size_t n = fread(text, 1, sizeof text - 1, f);
  text[n] = '\0';
  fclose(f);
  return split_names(text, names);
}

size_t bench_builds(char names[BENCH_BUILDS][BENCH_NAME])
{
  return bench_list(names, "KTPU_TEST_SIM", "tested");
}

uint64_t bench_seed(void)
{
  const char *env = getenv("SEED");
  return env != NULL ? strtoull(env, NULL, 0) : 1;
}

bool bench_full(void)
{
  return getenv("KTPU_FULL") != NULL;
}

uint64_t bench_next(struct bench_rng *r)
{
  uint64_t z = (r->x += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

void bench_noise(struct bench_rng *r, void *to, size_t bytes)
{
  uint8_t *at = to;
  for (size_t i = 0; i < bytes; i++) at[i] = (uint8_t)(bench_next(r) >> 24);
}

/* ---- devices ---------------------------------------------------------------------------------- */

static struct ktpu_device *open_device(const char *kind, const char *build,
                                       const struct ktpu_options *options)
{
  char params[KD_VARIANT_MAX], name[KD_VARIANT_MAX + 8];
  struct ktpu_options o = options != NULL ? *options : (struct ktpu_options){0};
  struct ktpu_device *d = NULL;
  struct ktpu_message m;
  struct kt_msg msg = {{0}};
  struct kt_params p;

  cr_assert(kd_variant_params(build, params, sizeof params, &msg) == KT_OK, "%s", msg.text);
  snprintf(name, sizeof name, "%s:%s", kind, params);
  if (o.sim_dir == NULL) o.sim_dir = bench_sim_dir();
  cr_assert(kt_params_parse(&p, params, &msg) == KT_OK, "%s", msg.text);
  if (o.memory == 0) o.memory = UINT64_C(1) << (p.addr_bits < 20 ? p.addr_bits : 20);
  const enum ktpu_status st = ktpu_open(name, &o, &d, &m);
  cr_assert(st == KTPU_OK, "%s: %s: %s", name, ktpu_strerror(st), m.text);
  return d;
}

struct ktpu_device *bench_open_sim(const char *build, const struct ktpu_options *options)
{
  return open_device("sim", build, options);
}

void bench_open(struct bench_pair *pair, const char *build, const struct ktpu_options *options)
{
  pair->sim = open_device("sim", build, options);
  pair->ref = open_device("ref", build, options);
  pair->p = pair->sim->link.params;
}

void bench_close(struct bench_pair *pair)
{
  ktpu_close(pair->sim);
  ktpu_close(pair->ref);
}

void bench_clear(struct ktpu_device *d)
{
  kd_empty_cache(d);
  while (d->heap.blocks != NULL) kd_heap_free(&d->heap, d->heap.blocks->user);
}

/* ---- lists ------------------------------------------------------------------------------------ */

size_t bench_c_bytes(const struct kt_params *p)
{
  return (size_t)4 * p->maxdim * p->maxdim;
}

static enum kt_status put(struct ktpu_device *d, const void *data, size_t bytes, uint64_t *addr)
{
  const enum kt_status st = kd_alloc(d, bytes, addr);
  return st != KT_OK ? st : kd_write(d, *addr, data, bytes);
}

static void describe(const struct bench_step *s, const struct bench_places *at, size_t i,
                     uint8_t bytes[KT_DESC_BYTES])
{
  uint32_t w[KT_DESC_WORDS];
  const struct kt_desc desc = {
      .prog = (uint32_t)at->program[i],
      .prog_words = (uint32_t)(s->prog_words != 0 ? s->prog_words : s->n_words),
      .a = (uint32_t)at->a,
      .b = (uint32_t)at->b,
      .c = (uint32_t)at->c,
      .form = s->form,
      .shift = s->shift,
      .cont = s->cont,
      .fence = s->fence,
  };
  kt_desc_pack(&desc, w);
  if (s->raw != NULL) memcpy(w, s->raw, sizeof w);
  for (size_t j = 0; j < KT_DESC_BYTES; j++) bytes[j] = (uint8_t)(w[j / 4] >> (8 * (j % 4)));
}

enum ktpu_status bench_put(struct ktpu_device *d, const struct bench_list *l,
                           struct bench_places *at)
{
  const size_t operand = (size_t)d->link.params.maxdim * d->link.params.maxdim;
  uint8_t bytes[BENCH_STEPS * KT_DESC_BYTES];
  enum kt_status st = put(d, l->a, operand, &at->a);
  if (st == KT_OK) st = put(d, l->b, operand, &at->b);
  if (st == KT_OK) st = put(d, l->c, bench_c_bytes(&d->link.params), &at->c);
  for (size_t i = 0; st == KT_OK && i < l->n; i++) {
    const struct bench_step *s = &l->step[i]; /* a program may be empty, to be refused */
    st = s->n_words != 0 ? put(d, s->words, 8 * s->n_words, &at->program[i])
                         : kd_alloc(d, 8, &at->program[i]);
    describe(&l->step[i], at, i, bytes + i * KT_DESC_BYTES);
  }
  if (st == KT_OK) st = put(d, bytes, l->n * KT_DESC_BYTES, &at->list);
  return (enum ktpu_status)st;
}

static enum kt_status start(struct ktpu_device *d, const struct bench_list *l,
                            const struct bench_places *at, struct ktpu_result *result)
{
  uint8_t bytes[KT_DESC_BYTES];
  memset(result, 0, sizeof *result);
  if (l->n > 1 || l->as_list) return kd_run(d, (uint32_t)at->list, (uint32_t)l->n, result);
  describe(&l->step[0], at, 0, bytes);
  for (uint32_t i = 0; i < KT_DESC_BYTES; i += 4) {
    const enum kt_status st =
        kd_reg_write(d, KT_REG_DESC + i,
                     bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 |
                         (uint32_t)bytes[i + 3] << 24);
    if (st != KT_OK) return st;
  }
  return kd_run(d, 0, 0, result);
}

enum ktpu_status bench_run(struct ktpu_device *d, const struct bench_list *l,
                           struct ktpu_result *result)
{
  struct bench_places at;
  bench_clear(d);
  enum kt_status st = (enum kt_status)bench_put(d, l, &at);
  if (st == KT_OK) st = start(d, l, &at, result);
  if (st == KT_OK || st == KT_EFAULT) {
    enum kt_status got = kd_read(d, at.c, l->c, bench_c_bytes(&d->link.params));
    if (got == KT_OK) got = kd_free(d, at.c); /* looks at the guards on both sides */
    if (got != KT_OK) st = got;
  }
  bench_clear(d);
  return (enum ktpu_status)st;
}

void bench_difference(const struct ktpu_result *got, const struct ktpu_result *want, char *text,
                      size_t n)
{
  const struct ktpu_fault *g = &got->fault, *w = &want->fault;
  text[0] = '\0';
  if (g->code != w->code || g->sub != w->sub || g->argument != w->argument ||
      g->instruction != w->instruction || g->descriptor != w->descriptor)
    snprintf(text, n, "fault %s, want %s", g->code ? g->text : "none", w->code ? w->text : "none");
  else if (got->descriptors != want->descriptors)
    snprintf(text, n, "%" PRIu64 " descriptors, want %" PRIu64, got->descriptors,
             want->descriptors);
  else if (g->code == 0 && got->saturations != want->saturations)
    snprintf(text, n, "%" PRIu64 " saturations, want %" PRIu64, got->saturations,
             want->saturations);
  else if (g->code == 0 && got->wraps != want->wraps)
    snprintf(text, n, "%" PRIu64 " wraps, want %" PRIu64, got->wraps, want->wraps);
}

/* ---- GEMMs ------------------------------------------------------------------------------------ */

static void fill_operand(enum bench_fill fill, struct bench_rng *r, int8_t *to, size_t n)
{
  switch (fill) {
  case BENCH_RANDOM: bench_noise(r, to, n); break;
  case BENCH_MAX: memset(to, 127, n); break;
  case BENCH_MIN: memset(to, -128, n); break;
  case BENCH_ALTERNATING:
    for (size_t i = 0; i < n; i++) to[i] = i % 2 ? -128 : 127;
    break;
  }
}

enum ktpu_status bench_gemm_on(struct ktpu_device *d, const struct bench_gemm *g,
                               enum bench_fill fill, uint64_t seed, void *out,
                               struct ktpu_result *result)
{
  struct bench_rng r = {seed};
  int8_t *a = malloc((size_t)g->m * g->k), *b = malloc((size_t)g->k * g->n);
  cr_assert(a != NULL && b != NULL);
  fill_operand(fill, &r, a, (size_t)g->m * g->k);
  fill_operand(fill, &r, b, (size_t)g->k * g->n);
  const struct ktpu_gemm job = {.m = g->m,
                                .k = g->k,
                                .n = g->n,
                                .a = a,
                                .b = b,
                                .c = out,
                                .form = g->form,
                                .shift = g->shift,
                                .relu = g->relu};
  const enum ktpu_status st = ktpu_gemm(d, &job, result);
  free(a);
  free(b);
  return st;
}

static void say(struct ktpu_device *d, enum ktpu_status st, char *text, size_t n)
{
  struct ktpu_message m;
  ktpu_message(d, &m);
  snprintf(text, n, "%s: %s: %s", d->name, ktpu_strerror(st), m.text);
}

uint64_t bench_gemm_equal(struct bench_pair *pair, const struct bench_gemm *g,
                          enum bench_fill fill, uint64_t seed, char *text, size_t n)
{
  const size_t bytes = (size_t)g->m * g->n * (g->form == KTPU_INT32 ? 4 : 1);
  uint8_t *got = calloc(1, bytes), *want = calloc(1, bytes);
  struct ktpu_result r = {0}, rr = {0};
  text[0] = '\0';
  const enum ktpu_status s1 = bench_gemm_on(pair->sim, g, fill, seed, got, &r);
  const enum ktpu_status s2 = bench_gemm_on(pair->ref, g, fill, seed, want, &rr);
  size_t at = 0;
  while (at < bytes && got[at] == want[at]) at++;
  if (s1 != KTPU_OK)
    say(pair->sim, s1, text, n);
  else if (s2 != KTPU_OK)
    say(pair->ref, s2, text, n);
  else if (at != bytes)
    snprintf(text, n, "byte %zu is %u, want %u", at, got[at], want[at]);
  else
    bench_difference(&r, &rr, text, n);
  free(got);
  free(want);
  return r.cycles;
}
