/* SPDX-License-Identifier: Apache-2.0
 *
 * Hazards really happen: random programs on the machine with counters around it
 * (tests/cosim/ktpu_top_monitor.v). Every kind of pair in flight, and every check that keeps a row
 * back, must have come up at every kind of memory, or the campaign proves nothing about them.
 *
 * What the design rules out, and is therefore not counted:
 *   spad write after write: only loads write spad, and they do so in program order, one word at a
 *     time from the R channel. Two loads are never under way to it in another order.
 *   ar write after write: every write to ar belongs to a slot of the one in-order issue point, and all
 *     slots reach ar after the same delay. No second unit writes it.
 *   read after write and write after read between instructions of one queue: the issue point
 *     takes them in order; what the delay behind it leaves of ar is counted as "just written".
 */
#include "compiler/fuzz/kc_fuzz.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/cosim_bench.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAINS = 160, CHAINS_FULL = 1000, SMALLEST_MORE = 6, COUNTS = 20, COUNT_BASE = 0x800 };

/* In the monitor's order, by the core: the common one and the smallest. NULL: not counted. */
static const char *const COUNT_NAMES[2][COUNTS] = {
    {"spad read after write", "spad write after read", "vr read after write", "vr write after read",
     "vr write after write", "ar read after write", "ar write after read",
     "vr read by an mm after a vld's write", "held: vr row of the head",
     "held: spad rows of the head", "held: ar row that the head writes", "held: word for spad",
     "held: word for vr", "held: ar row of an mvout", "held: ar row of the head, just written",
     "held: ar row of an mvout, just written", "held: what follows a vld",
     "held: word for vr, by a vld", "held: word for spad, by a vld", NULL},
    {"vr row of an mm that a vld writes", "word for a vr row that a vld has to write",
     "word for a spad row that a vld has to read", NULL, NULL, NULL, NULL, NULL,
     "held: mm by a load", "held: mm by a vld's last row", "held: vld by a load",
     "held: word for vr, by a vld", "held: word for spad, by a vld", "held: word for vr, by an mm",
     "held: word for spad, by an mm", "held: head, by rows of an mvout",
     "held: head, rows just written", "held: mvout, a row of the head",
     "held: mvout, a row just written", "held: mvout, what waits behind the head"}};

#define SMALLEST "T4-MAXDIM16-BUS64-QD2-CONTRACTS0-STRIDES0-SERIAL_SHIFT1"

struct setting {
  char build[BENCH_NAME];
  uint32_t latency;
  bool stalls;
};

static struct criterion_test_params settings(void)
{
  static const struct setting all[] = {
      {"T4-MAXDIM64-BUS64", 0, false},   {"T4-MAXDIM64-BUS64", 7, false},
      {"T4-MAXDIM64-BUS64", 200, false}, {"T4-MAXDIM64-BUS64", 3, true},
      {"T8-MAXDIM64-BUS64", 0, false},   {"T8-MAXDIM64-BUS64", 7, false},
      {"T8-MAXDIM64-BUS64", 200, false}, {"T8-MAXDIM64-BUS64", 3, true},
      {SMALLEST, 0, false},              {SMALLEST, 7, false},
      {SMALLEST, 200, false},            {SMALLEST, 3, true}};
  const size_t n = sizeof all / sizeof all[0];
  struct setting *s = cr_malloc(sizeof all);
  memcpy(s, all, sizeof all);
  return cr_make_param_array(struct setting, s, n, NULL);
}

/* One chain on both, equal in C and events. */
static void one_chain(struct bench_pair *pair, const struct setting *s, uint64_t seed)
{
  struct bench_rng rng = {seed};
  const size_t bytes = bench_c_bytes(&pair->p);
  const size_t operand = (size_t)pair->p.maxdim * pair->p.maxdim;
  uint8_t *got = malloc(bytes), *want = malloc(bytes);
  int8_t *a = malloc(operand), *b = malloc(operand);
  struct kc_chain chain;
  struct kt_msg msg = {{0}};
  struct ktpu_result r, rr;
  char text[400];

  bench_noise(&rng, a, operand);
  bench_noise(&rng, b, operand);
  bench_noise(&rng, got, bytes);
  memcpy(want, got, bytes);
  /* the smallest core has one instruction behind the head: pairs are rare there unless rows are few
   * and loads many */
  static const struct kc_fuzz_opts dense = {.window_min = 14, .window_max = 28, .mvout = 6, .move = 50};
  const bool small = strcmp(s->build, SMALLEST) == 0 && seed % 4 != 0;
  cr_assert(kc_fuzz_legal(&pair->p, seed, small ? &dense : NULL, &chain, &msg) == KT_OK, "%s", msg.text);
  struct bench_list l = {.n = chain.n, .a = a, .b = b, .c = got};
  const uint32_t form = seed % 4 == 0 ? KT_FORM_INT8 : KT_FORM_INT32; /* int32 shows every bit */
  for (size_t i = 0; i < chain.n; i++)
    l.step[i] = (struct bench_step){.words = chain.program[i].words,
                                    .n_words = chain.program[i].n_words,
                                    .cont = i != 0,
                                    .form = form};
  const enum ktpu_status st = bench_run(pair->sim, &l, &r);
  l.c = want;
  cr_assert(st == KTPU_OK && bench_run(pair->ref, &l, &rr) == KTPU_OK, "%s seed %" PRIu64 ": %s",
            s->build, seed, ktpu_strerror(st));
  bench_difference(&r, &rr, text, sizeof text);
  cr_assert(text[0] == '\0', "%s seed %" PRIu64 ": %s", s->build, seed, text);
  cr_assert(memcmp(got, want, bytes) == 0, "%s latency %" PRIu32 " stalls %d seed %" PRIu64
            ": C differs", s->build, s->latency, s->stalls, seed);
  kc_chain_free(&chain);
  free(got);
  free(want);
  free(a);
  free(b);
}

ParameterizedTestParameters(cosim_hazards, every_kind_comes_up_in_random_programs)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_hazards, every_kind_comes_up_in_random_programs,
                  .timeout = 900)
{
  const uint64_t seed = bench_seed() * 1000003 + s->latency * 17 + s->stalls;
  const unsigned chains = (bench_full() ? CHAINS_FULL : CHAINS) *
                          (strcmp(s->build, SMALLEST) == 0 ? SMALLEST_MORE : 1);
  char dir[4200];
  snprintf(dir, sizeof dir, "%s/monitor", bench_sim_dir());
  const struct ktpu_options o = {.latency = s->latency,
                                 .stall_seed = s->stalls ? seed : 0,
                                 .power_seed = (uint32_t)seed,
                                 .back_door = 1,
                                 .memory = 1 << 17,
                                 .sim_dir = dir};
  struct bench_pair pair;
  bench_open(&pair, s->build, &o);
  for (unsigned i = 0; i < chains; i++) one_chain(&pair, s, seed + i);

  printf("%s latency %" PRIu32 "%s seed %" PRIu64 ", %u chains:\n", s->build, s->latency,
         s->stalls ? " and stalls" : "", seed, chains);
  for (uint32_t i = 0; i < COUNTS; i++) {
    const char *name = COUNT_NAMES[strcmp(s->build, SMALLEST) == 0][i];
    uint32_t count = 0;
    if (name == NULL) continue;
    cr_assert(ktpu_register_read(pair.sim, COUNT_BASE + 4 * i, &count) == KTPU_OK);
    printf("  %8" PRIu32 " %s\n", count, name);
    cr_expect(count > 0, "%s latency %" PRIu32 " stalls %d: no %s", s->build, s->latency, s->stalls,
              name);
  }
  bench_close(&pair);
}
