/* SPDX-License-Identifier: Apache-2.0
 *
 * The GEMMs of a tile.
 *
 * A tile runs chunk after chunk of K. The last chunk is cut by rows: a cut runs all its blocks, then the next
 * begins, so that sub-tiles leave in portions while other rows are still multiplied, and a queue in
 * front of memory stays short. The first tile of a round takes 1, 1, 2, 4, ... blocks at a time: its
 * first products need little more than one block of B.
 */
#include "compiler/schedule/kc_mx_work.h"

#include <stdlib.h>

enum {
  PORTION = 64, /* sub-tiles of a cut */
  REUSE = 5     /* steps before a tile word may be added to again */
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

static uint32_t blocks_in(const struct kc_mx_setup *s, uint32_t chunk)
{
  return least(s->tiling.nk, s->extent.blocks - chunk * s->tiling.nk);
}

/* Rows of a cut of the last chunk. */
static uint32_t cut_rows(uint32_t gm, uint32_t gn, uint32_t blocks)
{
  const uint32_t enough = (REUSE - 1) / gn + 1;
  const uint32_t rows = PORTION / gn;
  if (blocks == 1) return gm;
  return least(gm, rows > enough ? rows : enough);
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
  const bool emit = chunk + 1 == t->s->extent.chunks && block + nk == blocks_in(t->s, chunk);
  const uint32_t rows = emit ? cut_rows(t->gm, t->gn, nk) : t->gm;

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
    const uint32_t blocks = blocks_in(s, chunk);
    uint32_t nk = fine && chunk == 0 ? 1 : blocks;
    for (uint32_t block = 0; block < blocks; block += nk) {
      if (block > 0) nk = least(block, blocks - block); /* 1, 1, 2, 4, ... */
      add_blocks(&t, chunk, block, nk);
      *fills += KC_MX_SIDES;
    }
  }
  if (t.st != KT_OK) *st = t.st;
  return t.items;
}
