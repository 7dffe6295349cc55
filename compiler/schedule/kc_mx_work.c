/* SPDX-License-Identifier: Apache-2.0
 *
 * The GEMMs of a tile.
 *
 * A tile runs chunk after chunk of K. The last chunk is cut by rows: a cut runs all its blocks, then the next
 * begins, so that sub-tiles leave in portions while other rows are still multiplied, and a queue in
 * front of memory stays short. The first tile of a round takes its first blocks one at a time: its
 * products begin with little more than one block of B, and fetching catches up in the order of need.
 */
#include "compiler/schedule/kc_mx_work.h"

#include <stdlib.h>

enum {
  PORTION = 64,      /* sub-tiles of a cut */
  PORTION_WIDE = 32, /* the same in binary32, which leave at half the speed */
  FINE = 8,          /* blocks of K that a round's first tile takes one by one */
  REUSE = 5          /* steps before a tile word may be added to again */
};

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

struct kc_mx_panel kc_mx_panel_of(const struct kc_mx_setup *s, unsigned side, uint32_t i)
{
  const uint32_t panels = side == KC_MX_A ? s->tiling.tiles_m : s->tiling.tiles_n;
  const uint32_t all = s->extent.groups[side];
  const uint32_t small = all / panels, large = all % panels; /* so many are one larger */
  return (struct kc_mx_panel){.first = i * small + least(i, large),
                              .groups = small + (i < large ? 1 : 0)};
}

/* The larger chunks come last: the last one is what is cut by rows. */
struct kc_mx_chunk kc_mx_chunk_of(const struct kc_mx_setup *s, uint32_t i)
{
  const struct kc_mx_extent *e = &s->extent;
  const uint32_t size = e->blocks / e->chunks, small = e->chunks - e->blocks % e->chunks;
  return (struct kc_mx_chunk){.first = i * size + (i > small ? i - small : 0),
                              .blocks = size + (i >= small ? 1 : 0)};
}

/* Rows of a cut of the last chunk. */
static uint32_t cut_rows(uint32_t gm, uint32_t gn, uint32_t blocks, bool wide)
{
  const uint32_t enough = (REUSE - 1) / gn + 1;
  const uint32_t rows = (wide ? PORTION_WIDE : PORTION) / gn;
  if (blocks == 1) return gm;
  return least(gm, rows > enough ? rows : enough);
}

/* Blocks of the next GEMM of a round's first tile: one, until fetching is ahead; what emits has two. */
static uint32_t fine_blocks(const struct kc_mx_setup *s, const struct kc_mx_chunk *c, uint32_t block)
{
  const uint32_t at = c->first + block, left = c->blocks - block;
  if (at >= FINE || (left <= 2 && at > 0 && at + left == s->extent.blocks)) return left;
  return 1;
}

struct tile {
  const struct kc_mx_setup *s;
  struct kc_mx_item common;
  uint32_t gm, gn;
  struct kc_mx_items *list;
  uint32_t items;
  enum kt_status st;
};

static void add(struct tile *t, struct kc_mx_item item)
{
  struct kc_mx_items *list = t->list;

  item.first_of_tile = t->items == 0;
  t->items++;
  if (list == NULL || t->st != KT_OK) return;
  if (list->n == list->room) {
    const size_t room = list->room == 0 ? 64 : 2 * list->room;
    struct kc_mx_item *more = realloc(list->item, room * sizeof *more);
    if (more == NULL) {
      t->st = KT_ENOMEM;
      return;
    }
    list->item = more;
    list->room = room;
  }
  list->item[list->n++] = item;
}

/* Blocks block .. block + nk - 1 of a chunk, all rows or cut. */
static void add_blocks(struct tile *t, uint32_t chunk, uint32_t block, uint32_t nk)
{
  const bool emit = chunk + 1 == t->s->extent.chunks &&
                    block + nk == kc_mx_chunk_of(t->s, chunk).blocks;
  const uint32_t rows = emit ? cut_rows(t->gm, t->gn, nk, t->s->t->c_f32) : t->gm;

  for (uint32_t row = 0; row < t->gm; row += rows) {
    struct kc_mx_item item = t->common;
    item.chunk = chunk;
    item.block = block;
    item.nk = nk;
    item.row = row;
    item.rows = least(rows, t->gm - row);
    item.acc = chunk > 0 || block > 0;
    item.emit = emit;
    item.drain = emit && row == 0;
    add(t, item);
  }
}

static void panels_of(const struct kc_mx_setup *s, uint64_t tile, uint32_t panel[KC_MX_SIDES])
{
  const uint32_t inner = s->tiling.along_n ? s->tiling.tiles_n : s->tiling.tiles_m;
  const unsigned in = s->tiling.along_n ? KC_MX_B : KC_MX_A;
  panel[in] = (uint32_t)(tile % inner);
  panel[1 - in] = (uint32_t)(tile / inner);
}

uint32_t kc_mx_tile_items(const struct kc_mx_setup *s, uint64_t tile, bool fine,
                          struct kc_mx_items *list, uint32_t *fills, enum kt_status *st)
{
  struct tile t = {.s = s, .list = list, .st = KT_OK};

  panels_of(s, tile, t.common.panel);
  t.gm = kc_mx_panel_of(s, KC_MX_A, t.common.panel[KC_MX_A]).groups;
  t.gn = kc_mx_panel_of(s, KC_MX_B, t.common.panel[KC_MX_B]).groups;
  *fills = fine ? 1 : 0; /* the first block of A comes in two parts */
  for (uint32_t chunk = 0; chunk < s->extent.chunks; chunk++) {
    const struct kc_mx_chunk c = kc_mx_chunk_of(s, chunk);
    uint32_t nk;
    for (uint32_t block = 0; block < c.blocks; block += nk) {
      nk = fine ? fine_blocks(s, &c, block) : c.blocks;
      add_blocks(&t, chunk, block, nk);
      *fills += KC_MX_SIDES;
    }
  }
  if (t.st != KT_OK) *st = t.st;
  return t.items;
}
