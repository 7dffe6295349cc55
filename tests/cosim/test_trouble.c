/* SPDX-License-Identifier: Apache-2.0
 *
 * Random descriptor lists that end badly: a fault in the middle, a reset at any cycle, an impatient
 * watchdog, error responses anywhere. What may be compared is, and the next list must run as if nothing
 * had been.
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

enum { FAULTS = 24, FAULTS_FULL = 400, RESETS = 16, RESETS_FULL = 200, LONG_LIST = 1000 };

struct setting {
  char build[BENCH_NAME];
  uint32_t latency;
  bool stalls;
};

static struct criterion_test_params settings(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  struct setting *s = cr_malloc(n * 2 * sizeof *s);
  for (size_t i = 0; i < 2 * n; i++) {
    memcpy(s[i].build, names[i / 2], BENCH_NAME);
    s[i].latency = i % 2 != 0 ? 3 : 30;
    s[i].stalls = i % 2 != 0;
  }
  return cr_make_param_array(struct setting, s, 2 * n, NULL);
}

static uint64_t begin(struct world *w, const struct setting *s)
{
  const uint64_t seed = bench_seed() * 1000003 + s->latency;
  world_open(w, s->build, s->latency, s->stalls, seed);
  world_fill_pool(w);
  return seed;
}

/* A whole list, equal on both. */
static void good_list(struct world *w, const struct setting *s, uint64_t seed, unsigned i,
                      const char *after)
{
  struct ktpu_result r;
  char text[600];
  world_new_list(w, 1 + world_draw(w, 4));
  world_run(w, &r, text, sizeof text);
  cr_assert(text[0] == '\0' && r.fault.code == 0, "%s stalls %d seed %" PRIu64 " %u, after %s: %s",
            s->build, s->stalls, seed, i, after, text[0] != '\0' ? text : r.fault.text);
}

static void submit(struct world *w, const struct ks_slot *t)
{
  uint32_t ticket;
  struct kt_msg msg = {{0}};
  struct ks_client *c = kd_sim_client(w->pair.sim->link.ctx);
  cr_assert(ks_client_submit(c, t, &ticket, &msg) == KT_OK, "%s", msg.text);
}

static uint32_t reg(struct world *w, uint32_t offset)
{
  uint32_t value = 0;
  cr_assert(ktpu_register_read(w->pair.sim, offset, &value) == KTPU_OK);
  return value;
}

/* ---- a fault in the middle -------------------------------------------------------------------- */

ParameterizedTestParameters(cosim_trouble, a_fault_in_a_list_is_the_models)
{
  return settings();
}

/* Everything before the fault is in memory, nothing after it. */
ParameterizedTest(struct setting *s, cosim_trouble, a_fault_in_a_list_is_the_models,
                  .timeout = 600)
{
  const unsigned lists = bench_full() ? FAULTS_FULL : FAULTS;
  struct world w;
  struct ktpu_result r;
  char text[600];
  const uint64_t seed = begin(&w, s);
  for (unsigned i = 0; i < lists; i++) {
    const size_t kind = world_draw(&w, (uint32_t)kc_fuzz_kinds());
    const uint32_t free_before = w.free;
    const size_t pool_before = w.n_pool;
    struct kc_fuzz_case c;
    struct kt_msg msg = {{0}};
    const enum kt_status st = kc_fuzz_illegal(&w.pair.p, bench_next(&w.rng), kind, &c, &msg);
    if (st == KT_EUNSUPPORTED) continue; /* as in test_programs */
    cr_assert(st == KT_OK, "%s", msg.text);
    if (w.pair.p.contracts == 0 &&
        (c.fault.code == KT_FAULT_UNWRITTEN || c.fault.code == KT_FAULT_AR_DISTANCE)) {
      kc_chain_free(&c.chain); /* unspecified there */
      continue;
    }
    const struct world_chain borrowed = w.pool[WORLD_POOL - 1];
    w.n_pool = WORLD_POOL - 1; /* above the others' programs in memory, for this list only */
    world_add_chain(&w, c.chain.program, c.chain.n);
    cr_assert(w.n_pool == WORLD_POOL, "no room for a program");
    const struct world_chain bad = w.pool[WORLD_POOL - 1];
    w.pool[WORLD_POOL - 1] = borrowed;
    w.n_pool = pool_before;
    world_new_list(&w, world_draw(&w, 6));
    world_append(&w, &bad);
    world_append(&w, &w.pool[world_draw(&w, (uint32_t)pool_before)]);
    w.free = free_before;
    world_run(&w, &r, text, sizeof text);
    cr_assert(text[0] == '\0', "%s stalls %d seed %" PRIu64 " list %u, %s: %s", s->build, s->stalls,
              seed, i, c.rule, text);
    cr_assert(r.fault.code == c.fault.code, "%s: %s", c.rule, r.fault.text);
    good_list(&w, s, seed, i, c.rule);
    kc_chain_free(&c.chain);
  }
  world_close(&w);
}

/* ---- resets ----------------------------------------------------------------------------------- */

static void start(struct world *w)
{
  const struct ks_slot t[] = {
      {.op = KS_OP_REG_WRITE, .addr = KT_REG_LIST_ADDR, .value = WORLD_LIST},
      {.op = KS_OP_REG_WRITE, .addr = KT_REG_LIST_COUNT, .value = (uint32_t)w->n},
      {.op = KS_OP_REG_WRITE, .addr = KT_REG_CONTROL, .value = 1u << KT_CONTROL_START_LSB}};
  world_put(w, w->pair.sim);
  for (size_t i = 0; i < 3; i++) submit(w, &t[i]);
}

ParameterizedTestParameters(cosim_trouble, a_reset_at_any_cycle_of_a_list_is_forgotten)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_trouble, a_reset_at_any_cycle_of_a_list_is_forgotten,
                  .timeout = 600)
{
  const unsigned resets = bench_full() ? RESETS_FULL : RESETS;
  struct world w;
  const uint64_t seed = begin(&w, s);
  for (unsigned i = 0; i < resets; i++) {
    const bool soft = i % 4 != 3;
    const struct ks_slot idle = {.op = KS_OP_IDLE, .len = world_draw(&w, i % 2 != 0 ? 200 : 4000)};
    world_new_list(&w, 12);
    start(&w);
    submit(&w, &idle);
    cr_assert(ktpu_reset(w.pair.sim, soft ? KTPU_RESET_SOFT : KTPU_RESET_HARD) == KTPU_OK,
              "%s stalls %d seed %" PRIu64 " reset %u", s->build, s->stalls, seed, i);
    cr_assert((reg(&w, KT_REG_STATUS) & 1u << KT_STATUS_BUSY_LSB) == 0);
    good_list(&w, s, seed, i, soft ? "a soft reset" : "a reset");
  }
  world_close(&w);
}

/* ---- watchdog --------------------------------------------------------------------------------- */

ParameterizedTestParameters(cosim_trouble, an_impatient_watchdog_is_survived)
{
  return settings();
}

/* Limits around what memory takes: either the list runs, or NO_PROGRESS; if memory then takes longer
 * than the limit for what it owes, the machine says stuck, and a reset ends that. */
ParameterizedTest(struct setting *s, cosim_trouble, an_impatient_watchdog_is_survived,
                  .timeout = 600)
{
  const unsigned lists = bench_full() ? RESETS_FULL : RESETS;
  unsigned faults = 0;
  struct world w;
  const uint64_t seed = begin(&w, s);
  for (unsigned i = 0; i < lists; i++) {
    const uint32_t limit = i < 3 ? i : world_draw(&w, 60);
    struct ktpu_result r = {0};
    world_new_list(&w, 6);
    world_put(&w, w.pair.sim);
    cr_assert(ktpu_register_write(w.pair.sim, KT_REG_WATCHDOG, limit) == KTPU_OK);
    const enum ktpu_status st = ktpu_run(w.pair.sim, WORLD_LIST, (uint32_t)w.n, &r);
    cr_assert(st == KTPU_OK || (st == KTPU_EFAULT && r.fault.code == KT_FAULT_NO_PROGRESS),
              "%s seed %" PRIu64 " limit %" PRIu32 ": %s: %s", s->build, seed, limit,
              ktpu_strerror(st), r.fault.text);
    cr_assert(st == KTPU_OK || r.fault.argument == (limit != 0 ? limit : 1),
              "%s limit %" PRIu32 ": %s", s->build, limit, r.fault.text);
    faults += st != KTPU_OK;
    if ((reg(&w, KT_REG_STATUS) & 1u << KT_STATUS_STUCK_LSB) != 0)
      cr_assert(ktpu_reset(w.pair.sim, KTPU_RESET_HARD) == KTPU_OK);
    cr_assert(ktpu_register_write(w.pair.sim, KT_REG_WATCHDOG, KT_REG_WATCHDOG_RESET) == KTPU_OK);
    good_list(&w, s, seed, i, "the watchdog");
  }
  cr_assert(faults > 0);
  world_close(&w);
}

/* ---- error responses -------------------------------------------------------------------------- */

static void inject(struct world *w, uint64_t first, enum ks_fault_kind kind)
{
  struct ks_client *client = kd_sim_client(w->pair.sim->link.ctx);
  struct ks_shm *shm = ks_client_shm(client);
  struct ks_slot t = {.op = KS_OP_CONFIG};
  struct kt_msg msg = {{0}};
  memset(shm->config.faults, 0, sizeof shm->config.faults);
  shm->config.faults[0] = (struct ks_fault_window){
      .first = first, .last = first + 63, .kind = kind, .reads = 1, .writes = 1};
  cr_assert(ks_client_do(client, &t, &msg) == KT_OK, "%s", msg.text);
}

/* Whether the fault is one that an error at the address may give. */
static bool fits(const struct ktpu_fault *f, uint64_t at, enum ks_fault_kind kind)
{
  const uint32_t resp = kind == KS_FAULT_SLVERR ? 2 : 3;
  const uint32_t who = at < WORLD_PROGRAMS ? 0 : at < WORLD_OPERANDS ? 1 : 2;
  if (f->sub != resp || f->instruction != 0) return false;
  if (f->code == KT_FAULT_AXI_WRITE) return at >= WORLD_RESULTS && f->argument == 0;
  return f->code == KT_FAULT_AXI_READ && f->argument == who;
}

static uint64_t some_place(struct world *w)
{
  const uint32_t desc = KT_DESC_BYTES * world_draw(w, (uint32_t)w->n);
  const struct world_chain *c = &w->pool[world_draw(w, (uint32_t)w->n_pool)];
  switch (world_draw(w, 4)) {
  case 0: return WORLD_LIST + desc;
  case 1: return c->at[0] + 8u * world_draw(w, c->words[0]);
  case 2: return WORLD_OPERANDS + 64 * world_draw(w, WORLD_HALF / 64);
  default: return WORLD_RESULTS + 64 * world_draw(w, 2 * WORLD_HALF / 64);
  }
}

ParameterizedTestParameters(cosim_trouble, an_error_response_anywhere_is_survived)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_trouble, an_error_response_anywhere_is_survived,
                  .timeout = 600)
{
  const unsigned lists = bench_full() ? FAULTS_FULL : FAULTS;
  unsigned faults = 0;
  struct world w;
  const uint64_t seed = begin(&w, s);
  for (unsigned i = 0; i < lists; i++) {
    struct ktpu_result r = {0};
    world_new_list(&w, 16);
    const uint64_t at = some_place(&w);
    const enum ks_fault_kind kind = i % 2 != 0 ? KS_FAULT_SLVERR : KS_FAULT_DECERR;
    world_put(&w, w.pair.sim);
    inject(&w, at, kind);
    const enum ktpu_status st = ktpu_run(w.pair.sim, WORLD_LIST, (uint32_t)w.n, &r);
    inject(&w, 0, KS_FAULT_NONE);
    cr_assert(st == KTPU_OK || (st == KTPU_EFAULT && fits(&r.fault, at, kind)),
              "%s stalls %d seed %" PRIu64 " list %u, error at 0x%" PRIx64 ": %s: %s", s->build,
              s->stalls, seed, i, at, ktpu_strerror(st), r.fault.text);
    faults += st != KTPU_OK;
    good_list(&w, s, seed, i, "an error response");
  }
  cr_assert(faults > lists / 8, "%u of %u lists faulted", faults, lists);
  world_close(&w);
}

/* ---- length ----------------------------------------------------------------------------------- */

ParameterizedTestParameters(cosim_trouble, a_list_of_a_thousand_descriptors_runs)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_trouble, a_list_of_a_thousand_descriptors_runs,
                  .timeout = 600)
{
  struct world w;
  struct ktpu_result r;
  char text[600];
  const uint64_t seed = begin(&w, s);
  world_new_list(&w, LONG_LIST);
  world_run(&w, &r, text, sizeof text);
  cr_assert(text[0] == '\0', "%s seed %" PRIu64 ": %s", s->build, seed, text);
  cr_assert(r.descriptors == w.n && w.n >= LONG_LIST);
  world_close(&w);
}
