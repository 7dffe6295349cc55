/* SPDX-License-Identifier: Apache-2.0
 *
 * The planner: capacities kept, every element of C once, errors with a sentence, and the modelled
 * cycles that the hardware's targets rest on.
 */
#include "compiler/schedule/kc_mx_plan.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static struct kt_mx_params params(const char *text)
{
  struct kt_mx_params p;
  struct kt_msg msg = {{0}};
  cr_assert(eq(int, kt_mx_params_parse(&p, text, &msg), KT_OK), "%s", msg.text);
  return p;
}

static struct kc_mx_task task(uint32_t m, uint32_t k, uint32_t n, enum kc_mx_form form, bool f32)
{
  struct kc_mx_task t = {.m = m, .k = k, .n = n, .sk = 1, .c_f32 = f32};
  t.a.form = t.b.form = form;
  t.b.addr = (uint32_t)kc_mx_operand_bytes(form, m, k, &t.a.stride);
  t.c_addr = t.b.addr + (uint32_t)kc_mx_operand_bytes(form, n, k, &t.b.stride);
  kc_mx_c_bytes(m, n, f32, &t.c_stride);
  return t;
}

/* ---- Grid -------------------------------------------------------------------------------------- */

static void count_subtiles(const struct kc_mx_task *t, const struct kc_mx_plan *plan, uint8_t *seen)
{
  for (size_t r = 0; r < plan->n_rounds; r++) {
    for (size_t i = 0; i < plan->rounds[r].n; i++) {
      const struct kc_mx_op *op = &plan->rounds[r].ops[i];
      if (op->opcode != KT_MX_OP_DRAIN) continue;
      const struct kc_mx_drain *d = &op->as.drain;
      for (uint32_t at = 0; at < d->rows * d->columns; at++) {
        const uint32_t addr = d->addr + at / d->columns * d->stride + at % d->columns * (d->dtype ? 64 : 32);
        seen[(addr - t->c_addr) / (d->dtype ? 64 : 32)]++;
      }
    }
  }
}

Test(mx_plan, every_sub_tile_of_c_is_written_exactly_once, .timeout = 20)
{
  static const uint32_t shape[][3] = {{1, 1, 1},     {64, 64, 64},  {300, 300, 300},
                                      {77, 2048, 64}, {1, 64, 4099}, {2050, 40, 9}};
  static const char *const machine[] = {"sim1", "sim1,STAGING=64,TILES=16,L1_ENTRIES=16"};
  for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
    for (size_t j = 0; j < 4; j++) {
      const struct kt_mx_params p = params(machine[j % 2]);
      const struct kc_mx_task t = task(shape[i][0], shape[i][1], shape[i][2], KC_MX_ENTRIES, j / 2 != 0);
      struct kc_mx_plan plan;
      if (kc_mx_plan(&p, &t, &plan, NULL) == KT_ELIMIT) {
        kc_mx_plan_free(&plan);
        cr_assert(eq(u32, t.k, 2048));
        continue;
      }
      const size_t n = ((size_t)t.m + 3) / 4 * ((t.n + 3) / 4);
      uint8_t *seen = calloc(n, 1);
      count_subtiles(&t, &plan, seen);
      for (size_t s = 0; s < n; s++) cr_assert(eq(u8, seen[s], 1), "sub-tile %zu", s);
      free(seen);
      kc_mx_plan_free(&plan);
    }
  }
}

/* ---- Tiles by section 2.1 ---------------------------------------------------------------------- */

static struct kc_mx_tiling tiling(const char *machine, uint32_t m, uint32_t k, uint32_t n)
{
  const struct kt_mx_params p = params(machine);
  const struct kc_mx_task t = task(m, k, n, KC_MX_ENTRIES, false);
  struct kc_mx_tiling tile;
  struct kt_msg msg = {{0}};
  cr_assert(eq(int, kc_mx_tile_choose(&p, &t, &tile, &msg), KT_OK), "%s", msg.text);
  cr_assert(le(u32, tile.gm * tile.gn, p.tiles));
  cr_assert(le(u32, tile.gm * tile.nk, p.l1_entries / 2));
  cr_assert(le(u32, tile.gn * tile.nk, p.l1_entries / 2));
  return tile;
}

Test(mx_plan, the_tile_is_the_most_intense_that_fits, .timeout = 10)
{
  struct kc_mx_tiling t = tiling("sim1", 256, 256, 256); /* 64 groups in three: 22, 21, 21 */
  cr_assert(eq(u32, t.gm, 22));
  cr_assert(eq(u32, t.gn, 22));
  cr_assert(eq(u32, t.nk, 4));
  t = tiling("sim1", 4096, 4096, 4096); /* no residency helps: squarest product up to 512 */
  cr_assert(ge(u32, t.gm * t.gn, 480));
  cr_assert(ge(u32, 2 * t.gm * t.gn / (t.gm + t.gn), 21));
  t = tiling("sim1,TILES=16,L1_ENTRIES=16", 512, 512, 512);
  cr_assert(eq(u32, t.gm, 4));
  cr_assert(eq(u32, t.gn, 4));
  cr_assert(eq(u32, t.nk, 1));
  t = tiling("sim1", 1, 4096, 4096);
  cr_assert(eq(u32, t.gm, 1));
  cr_assert(ge(u32, t.gn, 128));
}

/* ---- Errors ------------------------------------------------------------------------------------ */

static void refused(struct kc_mx_task t, enum kt_status want, const char *word)
{
  const struct kt_mx_params p = params("sim1,ADDR_BITS=20");
  struct kc_mx_plan plan;
  struct kt_msg msg = {{0}};
  cr_assert(eq(int, kc_mx_plan(&p, &t, &plan, &msg), want), "%s: %s", word, msg.text);
  cr_assert(strstr(msg.text, word) != NULL, "%s: %s", word, msg.text);
  kc_mx_plan_free(&plan);
}

Test(mx_plan, what_cannot_be_planned_is_refused_with_a_sentence, .timeout = 10)
{
  const struct kc_mx_task good = task(8, 64, 8, KC_MX_ROWS, false);
  struct kc_mx_task t = good;
  t.m = 0;
  refused(t, KT_EINVAL, "at least 1");
  t = good;
  t.sk = 2;
  refused(t, KT_EUNSUPPORTED, "SK = 2");
  t = good;
  t.a.addr += 16;
  refused(t, KT_EINVAL, "A at");
  t = good;
  t.b.stride -= 32;
  refused(t, KT_EINVAL, "B at");
  t = good;
  t.c_stride = 32;
  refused(t, KT_EINVAL, "C at");
  t = good;
  t.c_addr = (1 << 20) - 96; /* C has 128 bytes */
  refused(t, KT_ELIMIT, "past the 20 bits");
  t = good;
  t.c_addr = t.b.addr;
  refused(t, KT_EINVAL, "overlaps B");
  t = good;
  t.c_addr = t.a.addr + 32;
  refused(t, KT_EINVAL, "overlaps A");
}

Test(mx_plan, c_may_end_where_addresses_end, .timeout = 10)
{
  const struct kt_mx_params p = params("sim1,ADDR_BITS=20");
  struct kc_mx_task t = task(8, 64, 8, KC_MX_ROWS, false);
  struct kc_mx_plan plan;
  t.c_addr = (1 << 20) - 128;
  cr_assert(eq(int, kc_mx_plan(&p, &t, &plan, NULL), KT_OK));
  kc_mx_plan_free(&plan);
}

/* ---- Modelled cycles --------------------------------------------------------------------------- */

struct goal {
  uint32_t m, k, n;
  enum kc_mx_form form;
  double percent;  /* of 512 MAC a cycle; 0: none */
  double overhead; /* times the largest budget; 0: none */
};

static double most(double a, double b)
{
  return a > b ? a : b;
}

static struct kc_mx_time modelled(const struct goal *g, uint32_t latency, size_t *rounds)
{
  const struct kt_mx_params p = params("sim1");
  const struct kc_mx_task t = task(g->m, g->k, g->n, g->form, false);
  struct kc_mx_plan plan;
  struct kc_mx_time time;
  cr_assert(eq(int, kc_mx_plan(&p, &t, &plan, NULL), KT_OK));
  cr_assert(eq(int, kc_mx_plan_time(&p, &plan, latency, &time), KT_OK));
  *rounds = plan.n_rounds;
  kc_mx_plan_free(&plan);
  return time;
}

Test(mx_plan, the_modelled_cycles_leave_room_to_the_targets, .timeout = 60)
{
  static const struct goal goals[] = {
      {64, 64, 64, KC_MX_ENTRIES, 80, 0},      {64, 64, 64, KC_MX_ROWS, 66, 0},
      {256, 256, 256, KC_MX_ENTRIES, 99, 0},   {256, 256, 256, KC_MX_ROWS, 98.4, 0},
      {256, 256, 1024, KC_MX_ENTRIES, 99.5, 0}, {300, 300, 300, KC_MX_ENTRIES, 0, 1.08},
      {300, 300, 300, KC_MX_ROWS, 0, 1.08},    {77, 2048, 64, KC_MX_ENTRIES, 0, 1.08},
      {77, 2048, 64, KC_MX_ROWS, 0, 1.08},     {1, 4096, 4096, KC_MX_ENTRIES, 0, 1.02},
      {1, 4096, 4096, KC_MX_ROWS, 0, 1.02}};
  for (size_t i = 0; i < sizeof goals / sizeof goals[0]; i++) {
    const struct goal *g = &goals[i];
    size_t rounds;
    const struct kc_mx_time time = modelled(g, 0, &rounds);
    const double macs = (double)g->m * g->k * g->n / 512, cycles = (double)time.cycles;
    const double budget = most(macs, most((double)time.read_beats, (double)time.write_beats));
    cr_expect(eq(sz, rounds, 1));
    cr_expect(100 * macs / cycles >= g->percent, "%ux%ux%u: %.1f %%, wanted %.1f", g->m, g->k, g->n,
              100 * macs / cycles, g->percent);
    cr_expect(g->overhead == 0 || cycles <= g->overhead * budget, "%ux%ux%u: %.3f of %.0f", g->m, g->k, g->n,
              cycles / budget, budget);
  }
}

Test(mx_plan, fifty_cycles_of_latency_cost_the_cubes_little, .timeout = 60)
{
  const struct goal cube[2] = {{256, 256, 256, KC_MX_ENTRIES, 0, 0}, {256, 256, 256, KC_MX_ROWS, 0, 0}};
  for (size_t i = 0; i < 2; i++) {
    size_t rounds;
    const double fast = (double)modelled(&cube[i], 0, &rounds).cycles;
    const double slow = (double)modelled(&cube[i], 50, &rounds).cycles;
    cr_assert(lt(dbl, 32768 / fast - 32768 / slow, 0.010));
  }
}

/* A step is a step: the model counts what a stream holds, whatever the latency. */
Test(mx_plan, the_timed_model_counts_every_step_and_beat, .timeout = 20)
{
  const struct goal g = {72, 100, 40, KC_MX_ROWS, 0, 0};
  size_t rounds;
  const struct kc_mx_time a = modelled(&g, 0, &rounds), b = modelled(&g, 77, &rounds);
  cr_assert(eq(u64, a.steps, 18 * 10 * 4));
  cr_assert(eq(u64, a.write_beats, 18 * 10));
  cr_assert(eq(u64, b.steps, a.steps));
  cr_assert(eq(u64, b.read_beats, a.read_beats));
  cr_assert(gt(u64, b.cycles, a.cycles));
  uint64_t sum = 0;
  for (size_t i = 0; i < 8; i++) sum += a.sweep[i];
  cr_assert(eq(u64, sum, a.cycles));
}
