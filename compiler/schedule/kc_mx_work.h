/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the MXFP7 planner: from a tiling to one round's instructions.
 *
 * A round computes whole tiles. Its GEMMs are listed first (kc_mx_work.c): items in order, each naming
 * the chunk of A and of B that it reads. Then chunks get slots of L1 and FILLs get their places
 * among the items (kc_mx_slots.c). Then all is written out (kc_mx_emit.c).
 */
#ifndef KC_MX_WORK_H
#define KC_MX_WORK_H

#include "compiler/schedule/kc_mx_plan.h"

enum { KC_MX_A = 0, KC_MX_B = 1, KC_MX_SIDES = 2 };

/* The problem in groups and blocks. */
struct kc_mx_extent {
  uint32_t groups[KC_MX_SIDES];
  uint32_t blocks; /* of K */
  uint32_t chunks; /* of K */
};

struct kc_mx_setup {
  const struct kt_mx_params *p;
  const struct kc_mx_task *t;
  struct kc_mx_tiling tiling;
  struct kc_mx_extent extent;
};

struct kc_mx_extent kc_mx_extent_of(const struct kc_mx_task *t, uint32_t nk);

/* Panel i of a side: its share of the groups, as even as can be. */
struct kc_mx_panel {
  uint32_t first, groups;
};
struct kc_mx_panel kc_mx_panel_of(const struct kc_mx_setup *s, unsigned side, uint32_t i);

/* Chunk i of K, at most nk blocks. */
struct kc_mx_chunk {
  uint32_t first, blocks;
};
struct kc_mx_chunk kc_mx_chunk_of(const struct kc_mx_setup *s, uint32_t i);

/* One GEMM of a tile. */
struct kc_mx_item {
  uint32_t panel[KC_MX_SIDES];
  uint32_t chunk;        /* of K */
  uint32_t block, nk;    /* within the chunk */
  uint32_t row, rows;    /* groups of A within its panel */
  bool first_of_tile, acc, emit;
  bool drain; /* the tile's DRAIN stands before it */
};

struct kc_mx_items {
  struct kc_mx_item *item;
  size_t n, room;
};

/* Appends the items of tile number `tile` (in the tiling's order). fine: the first of a round, whose
 * operands are not there yet: a few blocks of K at a time. Without list: only counts. Returns items;
 * *fills: the most FILLs that they need. */
uint32_t kc_mx_tile_items(const struct kc_mx_setup *s, uint64_t tile, bool fine,
                          struct kc_mx_items *list, uint32_t *fills, enum kt_status *st);

/* The tiling of smaller tiles: tiles_m times a, tiles_n times b (less where there are not so many groups).
 * False: a tile does not fit a round. */
bool kc_mx_tile_smaller(const struct kt_mx_params *p, const struct kc_mx_task *t,
                        const struct kc_mx_tiling *of, uint32_t a, uint32_t b,
                        struct kc_mx_tiling *tiling);

/* One FILL: some groups and blocks of a chunk, into a slot, in front of item `before`. */
struct kc_mx_load {
  uint32_t side, panel, chunk, slot;
  uint32_t group, groups, block, blocks; /* within the chunk */
  uint32_t before;
};

struct kc_mx_loads {
  struct kc_mx_load *load;
  size_t n, room;
};

/* Slots of a side and where slot i lies. */
uint32_t kc_mx_slots(const struct kc_mx_setup *s, unsigned side);
void kc_mx_slot_place(const struct kc_mx_setup *s, unsigned side, uint32_t slot, uint32_t *bank,
                      uint32_t *offset);

/* Chooses slots: slot_of[2 * i + side] for item i, and the FILLs in order. */
enum kt_status kc_mx_place(const struct kc_mx_setup *s, const struct kc_mx_items *items,
                           struct kc_mx_loads *loads, uint32_t *slot_of);

/* Everything as instructions. */
enum kt_status kc_mx_write(const struct kc_mx_setup *s, const struct kc_mx_items *items,
                           const struct kc_mx_loads *loads, const uint32_t *slot_of,
                           struct kc_mx_stream *out);

#endif
