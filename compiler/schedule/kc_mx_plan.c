/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan: checks, tile, rounds.
 */
#include "compiler/schedule/kc_mx_plan.h"

#include "compiler/schedule/kc_mx_work.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Extents in memory ------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t x, uint64_t to)
{
  return (x + to - 1) / to * to;
}

uint64_t kc_mx_operand_bytes(enum kc_mx_form form, uint32_t lanes, uint32_t k, uint32_t *stride)
{
  const uint64_t groups = round_up(lanes, KT_MX_LANES) / KT_MX_LANES;
  uint64_t bytes = 0, count = groups;

  switch (form) {
  case KC_MX_ROWS:
    bytes = round_up(2 * (uint64_t)k, KT_MX_BEAT_BYTES);
    count = lanes;
    break;
  case KC_MX_SUBTILES: bytes = round_up(k, 4) / 4 * KT_MX_BEAT_BYTES; break;
  case KC_MX_ENTRIES: bytes = round_up(k, KT_MX_BLOCK) / KT_MX_BLOCK * KT_MX_ENTRY_BYTES; break;
  }
  *stride = (uint32_t)bytes;
  return bytes * count;
}

uint64_t kc_mx_c_bytes(uint32_t m, uint32_t n, bool f32, uint32_t *stride)
{
  const uint64_t row = round_up(n, KT_MX_LANES) / KT_MX_LANES * KT_MX_BEAT_BYTES * (f32 ? 2 : 1);
  *stride = (uint32_t)row;
  return round_up(m, KT_MX_LANES) / KT_MX_LANES * row;
}

/* First byte and past the last. */
struct range {
  uint64_t first, end;
};

static struct range range_of(uint32_t addr, uint32_t stride, uint64_t rows, uint64_t row_bytes)
{
  return (struct range){addr, addr + (rows - 1) * stride + row_bytes};
}

static struct range operand_range(const struct kc_mx_operand *o, uint32_t lanes, uint32_t k)
{
  uint32_t least;
  const uint64_t rows =
      o->form == KC_MX_ROWS ? lanes : round_up(lanes, KT_MX_LANES) / KT_MX_LANES;
  kc_mx_operand_bytes(o->form, 1, k, &least);
  return range_of(o->addr, o->stride, rows, least);
}

static struct range c_range(const struct kc_mx_task *t)
{
  uint32_t least;
  kc_mx_c_bytes(1, t->n, t->c_f32, &least);
  return range_of(t->c_addr, t->c_stride, round_up(t->m, KT_MX_LANES) / KT_MX_LANES, least);
}

/* ---- Checks ------------------------------------------------------------------------------------ */

static enum kt_status check_extents(const struct kc_mx_task *t, struct kt_msg *msg)
{
  if (t->m == 0 || t->k == 0 || t->n == 0) {
    kt_msg_set(msg, "M, K and N must be at least 1: %" PRIu32 "x%" PRIu32 "x%" PRIu32, t->m, t->k, t->n);
    return KT_EINVAL;
  }
  if (t->sk != 1) {
    kt_msg_set(msg, "SK = %" PRIu32 ": K in parts needs clusters that sum each other's tiles, and this machine has one",
               t->sk);
    return t->sk == 0 ? KT_EINVAL : KT_EUNSUPPORTED;
  }
  return KT_OK;
}

static enum kt_status check_place(const char *name, uint32_t addr, uint32_t stride,
                                  uint32_t least, const struct range *r,
                                  const struct kt_mx_params *p, struct kt_msg *msg)
{
  if (addr % KT_MX_BEAT_BYTES != 0 || stride % KT_MX_BEAT_BYTES != 0 || stride < least) {
    kt_msg_set(msg, "%s at 0x%" PRIx32 ", stride %" PRIu32 ": multiples of %d, the stride at least %" PRIu32,
               name, addr, stride, KT_MX_BEAT_BYTES, least);
    return KT_EINVAL;
  }
  if (r->end > UINT64_C(1) << p->addr_bits) {
    kt_msg_set(msg, "%s ends at 0x%" PRIx64 ", past the %" PRIu32 " bits of an address", name, r->end,
               p->addr_bits);
    return KT_ELIMIT;
  }
  return KT_OK;
}

static bool meet(const struct range *a, const struct range *b)
{
  return a->first < b->end && b->first < a->end;
}

static enum kt_status check(const struct kt_mx_params *p, const struct kc_mx_task *t,
                            struct kt_msg *msg)
{
  uint32_t least_a, least_b, least_c;
  enum kt_status st = check_extents(t, msg);
  if (st != KT_OK) return st;
  const struct range a = operand_range(&t->a, t->m, t->k), b = operand_range(&t->b, t->n, t->k);
  const struct range c = c_range(t);

  kc_mx_operand_bytes(t->a.form, 1, t->k, &least_a);
  kc_mx_operand_bytes(t->b.form, 1, t->k, &least_b);
  kc_mx_c_bytes(1, t->n, t->c_f32, &least_c);
  st = check_place("A", t->a.addr, t->a.stride, least_a, &a, p, msg);
  if (st == KT_OK) st = check_place("B", t->b.addr, t->b.stride, least_b, &b, p, msg);
  if (st == KT_OK) st = check_place("C", t->c_addr, t->c_stride, least_c, &c, p, msg);
  if (st == KT_OK && (meet(&a, &c) || meet(&b, &c))) {
    kt_msg_set(msg, "C overlaps %s", meet(&a, &c) ? "A" : "B");
    st = KT_EINVAL;
  }
  return st;
}

/* ---- Rounds ------------------------------------------------------------------------------------ */

/* The items of as many tiles from *tile on as one round holds. */
static enum kt_status take_tiles(const struct kc_mx_setup *s, uint64_t *tile,
                                 struct kc_mx_items *items)
{
  const uint64_t tiles = (uint64_t)s->tiling.tiles_m * s->tiling.tiles_n;
  const uint64_t room = kc_mx_round_room(s->p);
  enum kt_status st = KT_OK;
  uint64_t used = 0;

  for (uint64_t first = *tile; *tile < tiles && st == KT_OK; (*tile)++) {
    uint32_t fills;
    const uint32_t n = kc_mx_tile_items(s, *tile, *tile == first, NULL, &fills, &st);
    used += n + fills + 1;
    if (used > room) break;
    kc_mx_tile_items(s, *tile, *tile == first, items, &fills, &st);
  }
  return st;
}

static enum kt_status make_round(const struct kc_mx_setup *s, uint64_t *tile,
                                 struct kc_mx_stream *out)
{
  struct kc_mx_items items = {0};
  struct kc_mx_loads loads = {0};
  uint32_t *slot_of = NULL;
  enum kt_status st = take_tiles(s, tile, &items);

  if (st == KT_OK) {
    slot_of = malloc(2 * items.n * sizeof *slot_of);
    st = slot_of == NULL ? KT_ENOMEM : kc_mx_place(s, &items, &loads, slot_of);
  }
  if (st == KT_OK) st = kc_mx_write(s, &items, &loads, slot_of, out);
  free(items.item);
  free(loads.load);
  free(slot_of);
  return st;
}

static enum kt_status add_round(struct kc_mx_plan *plan)
{
  struct kc_mx_stream *more = realloc(plan->rounds, (plan->n_rounds + 1) * sizeof *more);
  if (more == NULL) return KT_ENOMEM;
  plan->rounds = more;
  plan->rounds[plan->n_rounds++] = (struct kc_mx_stream){0};
  return KT_OK;
}

/* Rounds for plan->tiling. */
static enum kt_status make_rounds(const struct kt_mx_params *p, const struct kc_mx_task *t,
                                  struct kc_mx_plan *plan)
{
  const struct kc_mx_setup s = {p, t, plan->tiling, kc_mx_extent_of(t, plan->tiling.nk)};
  const uint64_t tiles = (uint64_t)s.tiling.tiles_m * s.tiling.tiles_n;
  enum kt_status st = KT_OK;

  for (uint64_t tile = 0; tile < tiles && st == KT_OK;) {
    st = add_round(plan);
    if (st == KT_OK) st = make_round(&s, &tile, &plan->rounds[plan->n_rounds - 1]);
  }
  return st;
}

/* ---- Small problems ---------------------------------------------------------------------------- */

/* A small problem is over before the ranking's argument, operands fetched a MAC, says much: how soon
 * the first sub-tile can be multiplied and the last one leave decides. The timed model knows, with a
 * fast memory and a slow one; a smaller tile reads more and must gain a percent. */
enum { SMALL = 1 << 15 /* steps */, SHARES = 3 /* 1, 2, 4 */, SLOW = 50 /* cycles */, GAIN = 101 };

static uint64_t steps_of(const struct kc_mx_task *t)
{
  const struct kc_mx_extent e = kc_mx_extent_of(t, 1);
  return (uint64_t)e.groups[KC_MX_A] * e.groups[KC_MX_B] * e.blocks;
}

/* Cycles with a fast memory and a slow one. */
static enum kt_status both_cycles(const struct kt_mx_params *p, const struct kc_mx_plan *plan,
                                  uint64_t *cycles)
{
  struct kc_mx_time fast, slow;
  enum kt_status st = kc_mx_plan_time(p, plan, 0, &fast);
  if (st == KT_OK) st = kc_mx_plan_time(p, plan, SLOW, &slow);
  if (st == KT_OK) *cycles = fast.cycles + slow.cycles;
  return st;
}

/* Keeps the plan that takes fewer cycles. */
static enum kt_status try_smaller(const struct kt_mx_params *p, const struct kc_mx_task *t,
                                  const struct kc_mx_tiling *ranked, uint32_t a, uint32_t b,
                                  struct kc_mx_plan *best, uint64_t *cycles)
{
  struct kc_mx_plan plan = {0};
  uint64_t needs = 0;

  if (!kc_mx_tile_smaller(p, t, ranked, a, b, &plan.tiling)) return KT_OK;
  enum kt_status st = make_rounds(p, t, &plan);
  if (st == KT_OK) st = both_cycles(p, &plan, &needs);
  if (st == KT_OK && needs * GAIN < *cycles * 100 && plan.n_rounds <= best->n_rounds) {
    const struct kc_mx_plan worse = *best;
    *cycles = needs;
    *best = plan;
    plan = worse;
  }
  kc_mx_plan_free(&plan);
  return st;
}

static enum kt_status choose_small(const struct kt_mx_params *p, const struct kc_mx_task *t,
                                   struct kc_mx_plan *plan)
{
  const struct kc_mx_tiling ranked = plan->tiling;
  uint64_t cycles = 0;
  enum kt_status st = both_cycles(p, plan, &cycles);

  for (uint32_t i = 1; i < SHARES * SHARES && st == KT_OK; i++)
    st = try_smaller(p, t, &ranked, 1u << (i / SHARES), 1u << (i % SHARES), plan, &cycles);
  return st;
}

enum kt_status kc_mx_plan(const struct kt_mx_params *p, const struct kc_mx_task *t,
                          struct kc_mx_plan *plan, struct kt_msg *msg)
{
  *plan = (struct kc_mx_plan){0};
  enum kt_status st = check(p, t, msg);
  if (st == KT_OK) st = kc_mx_tile_choose(p, t, &plan->tiling, msg);
  if (st != KT_OK) return st;
  st = make_rounds(p, t, plan);
  if (st == KT_OK && steps_of(t) <= SMALL) st = choose_small(p, t, plan);
  if (st == KT_ENOMEM) kt_msg_set(msg, "no memory for a plan");
  return st;
}

void kc_mx_plan_free(struct kc_mx_plan *plan)
{
  for (size_t i = 0; i < plan->n_rounds; i++) kc_mx_stream_free(&plan->rounds[i]);
  free(plan->rounds);
  *plan = (struct kc_mx_plan){0};
}

enum kt_status kc_mx_emit(const struct kt_mx_params *p, const struct kc_mx_task *t,
                          struct kc_mx_program *program, struct kt_msg *msg)
{
  struct kc_mx_plan plan;
  enum kt_status st = kc_mx_plan(p, t, &plan, msg);

  *program = (struct kc_mx_program){0};
  for (size_t i = 0; i < plan.n_rounds && st == KT_OK; i++)
    st = kc_mx_stream_round(&plan.rounds[i], p, program, msg);
  kc_mx_plan_free(&plan);
  return st;
}

enum kt_status kc_mx_plan_time(const struct kt_mx_params *p, const struct kc_mx_plan *plan,
                               uint32_t latency, struct kc_mx_time *out)
{
  enum kt_status st = KT_OK;

  *out = (struct kc_mx_time){0};
  for (size_t i = 0; i < plan->n_rounds && st == KT_OK; i++) {
    struct kc_mx_time one;
    st = kc_mx_time(p, &plan->rounds[i], latency, &one);
    out->cycles += one.cycles;
    out->steps += one.steps;
    out->read_beats += one.read_beats;
    out->write_beats += one.write_beats;
    for (size_t j = 0; j < sizeof out->sweep / sizeof out->sweep[0]; j++) out->sweep[j] += one.sweep[j];
  }
  return st;
}
