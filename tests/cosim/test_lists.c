/* SPDX-License-Identifier: Apache-2.0
 *
 * Random descriptor lists on the machine and the model, all of memory compared.
 */
#include "compiler/fuzz/kc_fuzz.h"
#include "cosim/ks_client.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/world.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTS = 24, LISTS_FULL = 400, LAYER_LISTS = 6 };

struct setting {
  char build[BENCH_NAME];
  uint32_t latency;
  bool stalls;
};

static struct criterion_test_params settings(void)
{
  static const struct {
    uint32_t latency;
    bool stalls;
  } memory[] = {{0, false}, {7, false}, {200, false}, {2, true}};
  enum { KINDS = sizeof memory / sizeof memory[0] };
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  struct setting *s = cr_malloc(n * KINDS * sizeof *s);
  for (size_t i = 0; i < n * KINDS; i++) {
    memcpy(s[i].build, names[i / KINDS], BENCH_NAME);
    s[i].latency = memory[i % KINDS].latency;
    s[i].stalls = memory[i % KINDS].stalls;
  }
  return cr_make_param_array(struct setting, s, n * KINDS, NULL);
}

static uint64_t seed_of(const struct setting *s)
{
  return bench_seed() * 1000003 + s->latency * 17 + s->stalls;
}

#define CHECK_TEXT(s, seed, i, text)                                                               \
  cr_assert((text)[0] == '\0', "%s latency %" PRIu32 " stalls %d seed %" PRIu64 " list %u: %s",    \
            (s)->build, (s)->latency, (s)->stalls, (seed), (i), (text))

ParameterizedTestParameters(cosim_lists, random_lists_equal_the_model)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_lists, random_lists_equal_the_model, .timeout = 900)
{
  const uint64_t seed = seed_of(s);
  const unsigned lists = bench_full() ? LISTS_FULL : LISTS;
  struct world w;
  struct ktpu_result r;
  char text[600];
  world_open(&w, s->build, s->latency, s->stalls, seed);
  world_fill_pool(&w);
  for (unsigned i = 0; i < lists; i++) {
    world_new_list(&w, 1 + world_draw(&w, 24));
    world_run(&w, &r, text, sizeof text);
    CHECK_TEXT(s, seed, i, text);
  }
  world_close(&w);
}

/* Rows of a matrix that one instruction takes. */
static uint32_t rows_at_once(const struct kt_params *p)
{
  return p->maxdim < KT_NR_MAX ? p->maxdim : KT_NR_MAX;
}

ParameterizedTestParameters(cosim_lists, a_fence_lets_a_layer_read_the_one_before)
{
  return settings();
}

/* Products of products: each descriptor's A and B are what the one before has just written. */
ParameterizedTest(struct setting *s, cosim_lists, a_fence_lets_a_layer_read_the_one_before,
                  .timeout = 300)
{
  const uint64_t seed = seed_of(s);
  struct world w;
  struct ktpu_result r;
  char text[600];
  world_open(&w, s->build, s->latency, s->stalls, seed);
  w.layers = true;
  const uint32_t t = w.pair.p.t, most = rows_at_once(&w.pair.p);
  world_add_product(&w, most, t, most, false);
  world_add_product(&w, most < 5 ? most : 5, most < 3 * t ? most : 3 * t,
                    most < 2 * t ? most : 2 * t, false);
  world_add_product(&w, 1, 1, 1, false);
  for (unsigned i = 0; i < LAYER_LISTS; i++) {
    world_new_list(&w, 12);
    world_run(&w, &r, text, sizeof text);
    CHECK_TEXT(s, seed, i, text);
    cr_assert(r.fault.code == 0);
  }
  world_close(&w);
}

/* ---- C where an earlier descriptor's loads may still be waiting -------------------------------- */

static void add(struct world *w, const struct kt_insn *insn, size_t n)
{
  struct kc_program p = {NULL, 0};
  struct kt_msg msg = {{0}};
  for (size_t i = 0; i < n; i++) cr_assert(kc_program_add(&p, &insn[i]) == KT_OK);
  cr_assert(kc_build_header(&w->pair.p, p.words, p.n_words, &msg) == KT_OK, "%s", msg.text);
  world_add_chain(w, &p, 1);
  kc_program_free(&p);
}

/* A chain: a product into ar; after a wait in which the rest of the list is prepared, a long load
 * of x; the product leaves to the load's last rows; what was loaded there is multiplied. */
static void late_load(struct world *w, uint32_t x)
{
  const uint32_t rows = w->pair.p.maxdim < 60 ? w->pair.p.maxdim : 60;
  const struct kt_insn product[] = {{.op = KT_OP_DMA_LD, .nr = 8, .f = {2, 0, 0, 0}},
                                    {.op = KT_OP_DMA_LD, .nr = 16, .f = {1, 0, 0, 0}},
                                    {.op = KT_OP_MM, .nr = 8, .f = {0, 0, 0, 0}}};
  const struct kt_insn load[] = {{.op = KT_OP_LOOP, .nr = 127},
                                 {.op = KT_OP_NOP},
                                 {.op = KT_OP_NOP},
                                 {.op = KT_OP_NOP},
                                 {.op = KT_OP_NOP},
                                 {.op = KT_OP_ENDLOOP},
                                 {.op = KT_OP_DMA_LD, .nr = (uint16_t)rows, .f = {2, 0, 0, 0}}};
  const struct kt_insn leave[] = {
      {.op = KT_OP_MVOUT, .nr = 4, .f = {0, (uint16_t)(rows - 4), 0, 0}}};
  const struct kt_insn use[] = {{.op = KT_OP_MM, .nr = 4, .f = {(uint16_t)(rows - 4), 16, 0, 0}},
                                {.op = KT_OP_MVOUT, .nr = 4, .f = {16, 0, 0, 0}}};
  const uint32_t a[] = {WORLD_OPERANDS, x, WORLD_OPERANDS, WORLD_OPERANDS};
  const uint32_t c[] = {WORLD_RESULTS, WORLD_RESULTS, x, WORLD_RESULTS};
  add(w, product, 3);
  add(w, load, 7);
  add(w, leave, 1);
  add(w, use, 2);
  for (uint32_t i = 0; i < 4; i++) {
    const struct kt_desc d = {.prog = w->pool[i].at[0],
                              .prog_words = w->pool[i].words[0],
                              .a = a[i],
                              .b = WORLD_OPERANDS,
                              .c = c[i],
                              .form = i == 3 ? KT_FORM_INT32 : KT_FORM_INT8,
                              .cont = i != 0,
                              .fence = i == 2};
    world_add_descriptor(w, &d);
  }
}

ParameterizedTestParameters(cosim_lists, a_fence_lets_c_lie_where_loads_were_waiting)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_lists, a_fence_lets_c_lie_where_loads_were_waiting,
                  .timeout = 60)
{
  struct world w;
  struct ktpu_result r;
  char text[600];
  world_open(&w, s->build, s->latency, s->stalls, seed_of(s));
  late_load(&w, WORLD_OPERANDS + WORLD_HALF / 2);
  world_run(&w, &r, text, sizeof text);
  CHECK_TEXT(s, seed_of(s), 0u, text);
  cr_assert(r.fault.code == 0, "%s: %s", s->build, r.fault.text);
  world_close(&w);
}

/* ---- more writes than may be under way ---------------------------------------------------------- */

/* mvouts of `rows` rows in all, at most `most` each, to column block 0. */
static void add_mvouts(struct kc_program *p, uint32_t most, uint32_t rows)
{
  for (uint32_t n = 0; rows != 0; rows -= n) {
    n = rows < most ? rows : most;
    cr_assert(kc_program_add(p, &(struct kt_insn){.op = KT_OP_MVOUT, .nr = (uint16_t)n}) == KT_OK);
  }
}

/* With all but one of the writes under way that may be, an int32 row that crosses 4 KiB goes out beat
 * by beat, and many rows follow before memory answers the first. */
ParameterizedTestParameters(cosim_lists, a_row_across_4_kib_does_not_lift_the_limit_of_writes)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_lists,
                  a_row_across_4_kib_does_not_lift_the_limit_of_writes, .timeout = 60)
{
  struct kc_program p = {NULL, 0};
  struct kt_msg msg = {{0}};
  struct world w;
  struct ktpu_result r;
  char text[600];
  world_open(&w, s->build, s->latency == 0 ? 1500 : s->latency, s->stalls, seed_of(s));
  const struct kt_params *k = &w.pair.p;
  const uint16_t rows = (uint16_t)rows_at_once(k), cb = k->maxdim > k->t ? 1 : 0;
  const struct kt_insn before[] = {{.op = KT_OP_DMA_LD, .nr = rows, .f = {2, 0, 0, 0}},
                                   {.op = KT_OP_DMA_LD, .nr = (uint16_t)k->t, .f = {1, 0, 0, 0}},
                                   {.op = KT_OP_MM, .nr = rows, .f = {0, 0, 0, 0}}};
  const struct kt_insn crosses = {.op = KT_OP_MVOUT, .nr = 1, .f = {0, 15, cb, 0}};
  const uint32_t limit = 2 * k->outstanding, bus = k->bus_bits / 8;
  for (size_t i = 0; i < 3; i++) cr_assert(kc_program_add(&p, &before[i]) == KT_OK);
  add_mvouts(&p, rows, limit - 1);
  cr_assert(kc_program_add(&p, &crosses) == KT_OK);
  add_mvouts(&p, rows, limit + 32);
  cr_assert(kc_build_header(k, p.words, p.n_words, &msg) == KT_OK, "%s", msg.text);
  world_add_chain(&w, &p, 1);
  kc_program_free(&p);
  const struct kt_desc d = {.prog = w.pool[0].at[0],
                            .prog_words = w.pool[0].words[0],
                            .a = WORLD_OPERANDS,
                            .b = WORLD_OPERANDS,
                            .c = (WORLD_RESULTS + 0x8000 - k->bus_bits / 8 - 4 * k->t * cb -
                                  15 * 4 * k->maxdim) / bus * bus,
                            .form = KT_FORM_INT32};
  world_add_descriptor(&w, &d);
  world_run(&w, &r, text, sizeof text);
  CHECK_TEXT(s, seed_of(s), 0u, text);
  cr_assert(r.fault.code == 0, "%s: %s", s->build, r.fault.text);
  world_close(&w);
}
