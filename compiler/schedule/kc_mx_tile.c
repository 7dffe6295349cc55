/* SPDX-License-Identifier: Apache-2.0
 *
 * The tile. Candidates are ranked by what they cost, the larger of the array's budget and the read
 * channel's with what stays resident counted; among equals by the tile's intensity 2 gm gn / (gm +
 * gn), then by blocks of K a slot, squareness, and the larger gn. Edges are exact (a smaller tile costs
 * nothing but its intensity), so that no candidate pads more than another and all sizes are tried,
 * not only powers of two; the problem is shared evenly. docs/decisions has what was measured.
 */
#include "compiler/schedule/kc_mx_work.h"

#include <inttypes.h>

enum { ROUNDING = 4096 };

struct candidate {
  struct kc_mx_tiling tiling;
  uint64_t cost;      /* 64: the array alone decides */
  uint64_t intensity; /* of a tile, times ROUNDING */
};

static uint32_t ceil_div(uint32_t a, uint32_t b)
{
  return (a - 1) / b + 1;
}

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
  return a > b ? a - b : b - a;
}

struct kc_mx_extent kc_mx_extent_of(const struct kc_mx_task *t, uint32_t nk)
{
  struct kc_mx_extent e = {.groups = {ceil_div(t->m, KT_MX_LANES), ceil_div(t->n, KT_MX_LANES)},
                           .blocks = ceil_div(t->k, KT_MX_BLOCK)};
  e.chunks = ceil_div(e.blocks, nk);
  return e;
}

/* Blocks of K a slot: as many as leave so many slots a bank on both sides, if that is any, evenly
 * shared. */
static uint32_t blocks_of(uint32_t bank, uint32_t slots, uint32_t gm, uint32_t gn, uint32_t blocks)
{
  const uint32_t larger = gm > gn ? gm : gn;
  const uint32_t most = bank / (larger * slots);
  const uint32_t nk = least(most > 0 ? most : 1, blocks);
  return ceil_div(blocks, ceil_div(blocks, nk));
}

/* Entries of a side that are fetched. Its panels are used one after the other (outer), each by all
 * panels of the other side, or in turn again and again (inner). */
static uint64_t fetched(uint32_t bank, const struct kc_mx_extent *e, unsigned side, uint32_t size,
                        uint32_t nk, uint32_t panels, uint32_t others, bool outer)
{
  const uint64_t all = (uint64_t)e->groups[side] * e->blocks;
  const uint64_t slots = 2 * (uint64_t)(bank / (size * nk));
  const uint64_t wanted = outer ? e->chunks : (uint64_t)e->chunks * panels;
  return wanted <= slots ? all : all * others;
}

static uint64_t fetched_both(uint32_t bank, const struct kc_mx_extent *e,
                             const struct kc_mx_tiling *t, bool along_n)
{
  return fetched(bank, e, KC_MX_A, t->gm, t->nk, t->tiles_m, t->tiles_n, along_n) +
         fetched(bank, e, KC_MX_B, t->gn, t->nk, t->tiles_n, t->tiles_m, !along_n);
}

/* Cycles by the larger of two budgets, the array's and the read channel's, and a little of the other,
 * in 64ths of the array's: what is close together counts as equal. */
static uint64_t cost_of(const struct kc_mx_task *t, const struct kc_mx_extent *e, uint64_t entries)
{
  const uint64_t steps = (uint64_t)e->groups[KC_MX_A] * e->groups[KC_MX_B] * e->blocks;
  const uint64_t beats = entries * (t->a.form == KC_MX_ENTRIES ? 4 : 8);
  const uint64_t more = steps > beats ? steps : beats, less = steps > beats ? beats : steps;
  return (more * 64 + less) / steps;
}

static struct candidate candidate_of(const struct kt_mx_params *p, const struct kc_mx_task *t,
                                     uint32_t slots, uint32_t gm, uint32_t gn)
{
  const uint32_t bank = p->l1_entries / 2;
  struct kc_mx_extent e = kc_mx_extent_of(t, 1);
  struct candidate c = {.tiling = {.tiles_m = ceil_div(e.groups[KC_MX_A], gm),
                                   .tiles_n = ceil_div(e.groups[KC_MX_B], gn)}};
  struct kc_mx_tiling *g = &c.tiling;

  g->gm = ceil_div(e.groups[KC_MX_A], g->tiles_m);
  g->gn = ceil_div(e.groups[KC_MX_B], g->tiles_n);
  g->nk = blocks_of(bank, slots, g->gm, g->gn, e.blocks);
  e = kc_mx_extent_of(t, g->nk);
  const uint64_t by_n = fetched_both(bank, &e, g, true), by_m = fetched_both(bank, &e, g, false);
  g->along_n = by_n < by_m;
  c.cost = cost_of(t, &e, g->along_n ? by_n : by_m);
  c.intensity = (uint64_t)ROUNDING * 2 * g->gm * g->gn / (g->gm + g->gn);
  return c;
}

static bool better(const struct candidate *a, const struct candidate *b)
{
  const struct kc_mx_tiling *x = &a->tiling, *y = &b->tiling;
  if (a->cost != b->cost) return a->cost < b->cost;
  if (a->intensity != b->intensity) return a->intensity > b->intensity;
  if (x->nk != y->nk) return x->nk > y->nk;
  if (apart(x->gm, x->gn) != apart(y->gm, y->gn)) return apart(x->gm, x->gn) < apart(y->gm, y->gn);
  return x->gn > y->gn;
}

/* A tile alone must fit one round. */
static bool fits(const struct kt_mx_params *p, const struct kc_mx_task *t,
                 const struct kc_mx_tiling *tiling)
{
  const struct kc_mx_setup s = {p, t, *tiling, kc_mx_extent_of(t, tiling->nk)};
  enum kt_status st = KT_OK;
  uint32_t fills;
  const uint32_t items = kc_mx_tile_items(&s, 0, true, NULL, &fills, &st);
  return items + fills + 1 <= kc_mx_round_room(p);
}

bool kc_mx_tile_smaller(const struct kt_mx_params *p, const struct kc_mx_task *t,
                        const struct kc_mx_tiling *of, uint32_t a, uint32_t b,
                        struct kc_mx_tiling *tiling)
{
  const struct kc_mx_extent e = kc_mx_extent_of(t, 1);
  const uint32_t tiles_m = least(of->tiles_m * a, e.groups[KC_MX_A]);
  const uint32_t tiles_n = least(of->tiles_n * b, e.groups[KC_MX_B]);

  *tiling = candidate_of(p, t, 2, ceil_div(e.groups[KC_MX_A], tiles_m),
                         ceil_div(e.groups[KC_MX_B], tiles_n)).tiling;
  return fits(p, t, tiling);
}

static struct candidate best_of(const struct kt_mx_params *p, const struct kc_mx_task *t,
                                uint32_t slots)
{
  const struct kc_mx_extent e = kc_mx_extent_of(t, 1);
  const uint32_t bank = p->l1_entries / 2;
  struct candidate best = {.cost = UINT64_MAX};

  for (uint32_t gm = 1; gm <= least(least(bank, p->tiles), e.groups[KC_MX_A]); gm++) {
    for (uint32_t gn = 1; gn <= least(least(bank, p->tiles / gm), e.groups[KC_MX_B]); gn++) {
      const struct candidate c = candidate_of(p, t, slots, gm, gn);
      if (better(&c, &best) && fits(p, t, &c.tiling)) best = c;
    }
  }
  return best;
}

enum kt_status kc_mx_tile_choose(const struct kt_mx_params *p, const struct kc_mx_task *t,
                                 struct kc_mx_tiling *tiling, struct kt_msg *msg)
{
  /* Two slots a bank: one is read while one comes. Only a long K in a short staging RAM needs one. */
  struct candidate best = best_of(p, t, 2);
  if (best.cost == UINT64_MAX) best = best_of(p, t, 1);

  *tiling = best.tiling;
  if (best.cost != UINT64_MAX) return KT_OK;
  kt_msg_set(msg, "K = %" PRIu32 " needs more instructions a tile than the staging RAM's %" PRIu32, t->k,
             p->staging);
  return KT_ELIMIT;
}
