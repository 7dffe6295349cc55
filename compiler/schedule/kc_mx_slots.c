/* SPDX-License-Identifier: Apache-2.0
 *
 * Which chunk lies where in L1, and when it is fetched.
 *
 * A side's L1 is slots of one chunk each. Items are walked in order; a chunk that is not there takes
 * an empty slot, else one whose reader is long enough ago for the FILL to run ahead, of those the one
 * whose next use is farthest (Belady): so what a round reads again stays, as far as L1 goes, and
 * streaming still has slots to turn over.
 *
 * A FILL stands as early as it cannot hold up the sequence: behind the item after the slot's last
 * reader (by then the reader has read), and not before the memory agent, which lets no FILL wait, is
 * done with the one before. When that is follows from a rough clock: a step a cycle, a beat a cycle,
 * an item ends no sooner than its operands have come.
 */
#include "compiler/schedule/kc_mx_work.h"

#include <stdlib.h>
#include <string.h>

enum { NEVER = UINT32_MAX, LEAD = 128 /* steps of lead besides the fetch itself */ };

struct slot {
  bool full;
  uint32_t panel, chunk, blocks; /* blocks filled */
  uint32_t last_reader, next_use; /* items */
};

struct placer {
  const struct kc_mx_setup *s;
  const struct kc_mx_items *items;
  struct kc_mx_loads *loads;
  struct slot *slot[KC_MX_SIDES];
  uint32_t *next_use;  /* [2 * item + side] */
  uint64_t *steps;     /* [item]: steps of the items before it */
  uint64_t *start;     /* [item]: the clock when it starts */
  uint64_t fetched;    /* the clock when all FILLs so far have come */
  uint32_t before_min; /* FILLs stay in order */
  enum kt_status st;
};

uint32_t kc_mx_slots(const struct kc_mx_setup *s, unsigned side)
{
  const uint32_t size = (side == KC_MX_A ? s->tiling.gm : s->tiling.gn) * s->tiling.nk;
  return 2 * (s->p->l1_entries / 2 / size);
}

void kc_mx_slot_place(const struct kc_mx_setup *s, unsigned side, uint32_t slot, uint32_t *bank,
                      uint32_t *offset)
{
  const uint32_t size = (side == KC_MX_A ? s->tiling.gm : s->tiling.gn) * s->tiling.nk;
  *bank = slot % 2;
  *offset = slot / 2 * size;
}

/* ---- What is known before: next uses and steps ------------------------------------------------- */

static size_t key_of(const struct kc_mx_setup *s, const struct kc_mx_item *item, unsigned side)
{
  return (size_t)item->panel[side] * s->extent.chunks + item->chunk;
}

static enum kt_status find_next_uses(struct placer *p, unsigned side)
{
  const uint32_t panels = side == KC_MX_A ? p->s->tiling.tiles_m : p->s->tiling.tiles_n;
  const size_t keys = (size_t)panels * p->s->extent.chunks;
  uint32_t *seen = malloc(keys * sizeof *seen);

  if (seen == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < keys; i++) seen[i] = NEVER;
  for (size_t i = p->items->n; i-- > 0;) {
    const size_t key = key_of(p->s, &p->items->item[i], side);
    p->next_use[2 * i + side] = seen[key];
    seen[key] = (uint32_t)i;
  }
  free(seen);
  return KT_OK;
}

static uint32_t groups_of(const struct placer *p, const struct kc_mx_item *item, unsigned side)
{
  return kc_mx_panel_of(p->s, side, item->panel[side]).groups;
}

static void count_steps(struct placer *p)
{
  p->steps[0] = 0;
  for (size_t i = 0; i < p->items->n; i++) {
    const struct kc_mx_item *item = &p->items->item[i];
    p->steps[i + 1] = p->steps[i] + (uint64_t)item->rows * groups_of(p, item, KC_MX_B) * item->nk;
  }
}

/* ---- Slots ------------------------------------------------------------------------------------ */

static uint32_t beats_an_entry(const struct placer *p, unsigned side)
{
  const struct kc_mx_operand *o = side == KC_MX_A ? &p->s->t->a : &p->s->t->b;
  return o->form == KC_MX_ENTRIES ? 4 : 8;
}

/* The first item in front of which the slot can be filled without a wait. */
static uint32_t free_before(const struct slot *slot)
{
  return slot->full ? slot->last_reader + 2 : 0;
}

static uint64_t fetch_steps(const struct placer *p, uint32_t i, unsigned side)
{
  const struct kc_mx_item *item = &p->items->item[i];
  return (uint64_t)groups_of(p, item, side) * item->nk * beats_an_entry(p, side);
}

/* Whether slot a is the better one to give up for item i. */
static bool rather(const struct placer *p, uint32_t i, unsigned side, const struct slot *a,
                   const struct slot *b)
{
  if (a->full != b->full) return !a->full;
  const uint64_t need = fetch_steps(p, i, side);
  const bool early_a = free_before(a) < i && p->steps[i] - p->steps[free_before(a)] >= need;
  const bool early_b = free_before(b) < i && p->steps[i] - p->steps[free_before(b)] >= need;
  if (early_a != early_b) return early_a;
  if (early_a && a->next_use != b->next_use) return a->next_use > b->next_use;
  return a->last_reader < b->last_reader;
}

static uint32_t find_slot(struct placer *p, uint32_t i, unsigned side, bool *there)
{
  const struct kc_mx_item *item = &p->items->item[i];
  const uint32_t n = kc_mx_slots(p->s, side);
  const struct slot *slot = p->slot[side];
  uint32_t best = 0;

  *there = true;
  for (uint32_t j = 0; j < n; j++)
    if (slot[j].full && slot[j].panel == item->panel[side] && slot[j].chunk == item->chunk) return j;
  *there = false;
  for (uint32_t j = 1; j < n; j++)
    if (rather(p, i, side, &slot[j], &slot[best])) best = j;
  return best;
}

/* ---- FILLs ------------------------------------------------------------------------------------ */

static void add_load(struct placer *p, struct kc_mx_load load)
{
  struct kc_mx_loads *l = p->loads;
  const uint64_t asked = load.before > 0 ? p->start[load.before - 1] : 0;
  const uint64_t from = p->fetched > asked ? p->fetched : asked;

  if (p->st != KT_OK) return;
  p->fetched = from + (uint64_t)load.groups * load.blocks * beats_an_entry(p, load.side);
  if (l->n == l->room) {
    const size_t room = l->room == 0 ? 64 : 2 * l->room;
    struct kc_mx_load *more = realloc(l->load, room * sizeof *more);
    if (more == NULL) {
      p->st = KT_ENOMEM;
      return;
    }
    l->load = more;
    l->room = room;
  }
  l->load[l->n++] = load;
}

/* Where a FILL for item i goes, that may stand from item `earliest` on. */
static uint32_t before_of(struct placer *p, uint32_t i, uint32_t earliest, uint64_t fetch)
{
  uint32_t at = i;
  if (earliest == 0) earliest = 1; /* the first GEMM stands behind its own FILLs alone */
  while (at > earliest && at > p->before_min && p->steps[i] - p->steps[at] < 2 * fetch + LEAD) at--;
  while (at < i && p->start[at - 1] < p->fetched) at++;
  p->before_min = at;
  return at;
}

struct need {
  struct kc_mx_load load;
  uint32_t earliest;
  bool any;
};

/* What item i needs of a side and L1 does not hold; the slot is the item's from now on. */
static struct need need_of(struct placer *p, uint32_t i, unsigned side, uint32_t *slot_of)
{
  const struct kc_mx_item *item = &p->items->item[i];
  bool there;
  const uint32_t at = find_slot(p, i, side, &there);
  struct slot *slot = &p->slot[side][at];
  const uint32_t earliest = there ? 0 : free_before(slot);

  if (!there)
    *slot = (struct slot){.full = true, .panel = item->panel[side], .chunk = item->chunk};
  const uint32_t end = item->block + item->nk;
  const struct need need = {
      .load = {.side = side, .panel = item->panel[side], .chunk = item->chunk, .slot = at,
               .group = 0, .groups = groups_of(p, item, side), .block = slot->blocks,
               .blocks = end > slot->blocks ? end - slot->blocks : 0},
      .earliest = earliest,
      .any = end > slot->blocks,
  };
  if (need.any) slot->blocks = end;
  slot->last_reader = i;
  slot->next_use = p->next_use[2 * i + side];
  *slot_of = at;
  return need;
}

/* The first GEMM of a round begins with one row: its entry of A first, then B, then the rest of A. */
static void add_first(struct placer *p, const struct need *a, const struct need *b)
{
  struct kc_mx_load one = a->load, rest = a->load;
  one.groups = 1;
  rest.group = 1;
  rest.groups = a->load.groups - 1;
  add_load(p, one);
  add_load(p, b->load);
  if (rest.groups > 0) add_load(p, rest);
}

/* FILLs of item i, and the clock of the next. B first: a row of products needs all of it. */
static void place_item(struct placer *p, uint32_t i, uint32_t *slot_of)
{
  struct need need[KC_MX_SIDES];
  uint64_t fetch = 0;

  for (unsigned side = 0; side < KC_MX_SIDES; side++) {
    need[side] = need_of(p, i, side, &slot_of[2 * i + side]);
    if (need[side].any) fetch += fetch_steps(p, i, side);
  }
  if (i == 0) add_first(p, &need[KC_MX_A], &need[KC_MX_B]);
  for (unsigned side = KC_MX_SIDES; i > 0 && side-- > 0;) {
    if (!need[side].any) continue;
    need[side].load.before = before_of(p, i, need[side].earliest, fetch);
    add_load(p, need[side].load);
  }
  const uint64_t end = p->start[i] + p->steps[i + 1] - p->steps[i];
  p->start[i + 1] = fetch > 0 && p->fetched > end ? p->fetched : end;
}

enum kt_status kc_mx_place(const struct kc_mx_setup *s, const struct kc_mx_items *items,
                           struct kc_mx_loads *loads, uint32_t *slot_of)
{
  struct placer p = {.s = s, .items = items, .loads = loads, .st = KT_OK};
  const size_t n = items->n;

  p.next_use = malloc(2 * n * sizeof *p.next_use);
  p.steps = malloc((n + 1) * sizeof *p.steps);
  p.start = calloc(n + 1, sizeof *p.start);
  for (unsigned side = 0; side < KC_MX_SIDES; side++)
    p.slot[side] = calloc(kc_mx_slots(s, side), sizeof *p.slot[side]);
  if (p.next_use == NULL || p.steps == NULL || p.start == NULL || p.slot[KC_MX_A] == NULL ||
      p.slot[KC_MX_B] == NULL)
    p.st = KT_ENOMEM;
  for (unsigned side = 0; side < KC_MX_SIDES && p.st == KT_OK; side++)
    p.st = find_next_uses(&p, side);
  if (p.st == KT_OK) {
    count_steps(&p);
    for (uint32_t i = 0; i < n; i++) place_item(&p, i, slot_of);
  }
  free(p.next_use);
  free(p.steps);
  free(p.start);
  free(p.slot[KC_MX_A]);
  free(p.slot[KC_MX_B]);
  return p.st;
}
