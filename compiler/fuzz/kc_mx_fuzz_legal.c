/* SPDX-License-Identifier: Apache-2.0
 *
 * Legal programs. The generator keeps what the machine keeps: which entries are named, which tile
 * words are begun, which DRAINs wait.
 */
#include "compiler/fuzz/kc_mx_fuzz.h"

#include <string.h>

enum { SIDES = 2, BANKS = 2, BANK = 256, WORDS = 512, TRIES = 40 };

struct waiting {
  bool fused;
  uint32_t left, tile, words;
};

struct gen {
  const struct kt_mx_params *p;
  struct kc_rng *rng;
  struct kc_mx_fuzz *out;
  bool named[SIDES][BANKS][BANK];
  bool begun[WORDS];
  struct waiting wait[2];
  uint32_t n_wait;
  bool after; /* the wait has been: inputs may be what was drained */
  enum kt_status st;
};

static uint32_t pick(struct gen *g, uint32_t low, uint32_t high)
{
  return kc_rng_range(g->rng, low, high);
}

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static void put(struct gen *g, const struct kc_mx_op *op)
{
  if (g->st == KT_OK) g->st = kc_mx_put(&g->out->stream, op);
}

/* A size that is often small and sometimes all. */
static uint32_t size(struct gen *g, uint32_t most)
{
  const uint32_t top = kc_rng_percent(g->rng, 10) ? most : least(most, 6);
  return pick(g, 1, top);
}

/* ---- FILL -------------------------------------------------------------------------------------- */

/* groups x blocks entries of a bank from offset on, pitch apart. */
struct span {
  uint32_t offset, groups, blocks, pitch;
};

static struct span pick_span(struct gen *g)
{
  const uint32_t bank = g->p->l1_entries / 2;
  struct span s;
  s.groups = size(g, bank);
  s.blocks = size(g, bank / s.groups);
  s.pitch = s.blocks == 1 ? pick(g, 1, 256)
                          : pick(g, s.groups, (bank - s.groups) / (s.blocks - 1));
  const uint32_t extent = (s.blocks - 1) * s.pitch + s.groups;
  s.offset = pick(g, 0, bank - extent);
  return s;
}

/* A stride such that n of them stay below room. */
static uint32_t pick_stride(struct gen *g, uint32_t n, uint32_t room)
{
  return n == 0 ? pick(g, 0, 64) * 32 : pick(g, 0, least(room / n / 32, 24)) * 32;
}

static void add_fill(struct gen *g)
{
  const struct span s = pick_span(g);
  struct kc_mx_op op = {.opcode = KT_MX_OP_FILL};
  struct kc_mx_fill *f = &op.as.fill;
  const uint32_t end = g->after ? g->out->middle : g->out->inputs;
  uint32_t room = end - KT_MX_HALF_ENTRY_BYTES - 64;

  f->side = pick(g, 0, 1);
  f->preq = pick(g, 0, 1);
  f->order = pick(g, 0, 1);
  f->layout = pick(g, 0, 1);
  f->bank = pick(g, 0, 1);
  f->offset = s.offset;
  f->groups = s.groups;
  f->blocks = s.blocks;
  f->pitch = s.pitch;
  f->lane_stride = pick_stride(g, 4, room / 2);
  room -= 4 * least(f->lane_stride, room / 4);
  f->group_stride = pick_stride(g, s.groups, room / 2);
  f->block_stride = pick_stride(g, s.blocks, room / 2);
  room -= least(room, s.groups * f->group_stride + s.blocks * f->block_stride);
  f->addr = pick(g, 0, room / 32) * 32;
  f->real_lanes = kc_rng_percent(g->rng, 60) ? 1024 : pick(g, 1, 4 * s.groups);
  f->real_depth = kc_rng_percent(g->rng, 60) ? 8192 : pick(g, 1, 32 * s.blocks);
  for (uint32_t k = 0; k < s.blocks; k++)
    memset(&g->named[f->side][f->bank][s.offset + k * s.pitch], 1, s.groups);
  put(g, &op);
  g->out->fills++;
}

/* ---- GEMM -------------------------------------------------------------------------------------- */

static bool all_named(const struct gen *g, uint32_t side, uint32_t bank, const struct span *s)
{
  for (uint32_t k = 0; k < s->blocks; k++)
    for (uint32_t i = 0; i < s->groups; i++)
      if (!g->named[side][bank][s->offset + k * s->pitch + i]) return false;
  return true;
}

/* A random named entry, grown while what it grows by is named. False: none found. */
static bool grow(struct gen *g, uint32_t side, uint32_t blocks, uint32_t *bank, struct span *s)
{
  const uint32_t entries = g->p->l1_entries / 2;
  for (int i = 0; i < TRIES; i++) {
    *bank = pick(g, 0, 1);
    *s = (struct span){pick(g, 0, entries - 1), 1, 1, 1};
    if (!all_named(g, side, *bank, s)) continue;
    const uint32_t want = size(g, entries);
    for (uint32_t n = 2; n <= want && s->offset + n <= entries; n++) {
      s->groups = n;
      if (all_named(g, side, *bank, s)) continue;
      s->groups = n - 1;
      break;
    }
    s->blocks = blocks;
    s->pitch = pick(g, s->groups, least(s->groups + 3, 256));
    if (s->offset + (blocks - 1) * s->pitch + s->groups <= entries && all_named(g, side, *bank, s))
      return true;
  }
  return false;
}

static bool all_begun(const struct gen *g, uint32_t first, uint32_t words)
{
  for (uint32_t i = 0; i < words; i++)
    if (!g->begun[first + i]) return false;
  return true;
}

/* A plain DRAIN behind a fused one has yet to read one of the words. */
static bool held(const struct gen *g, uint32_t first, uint32_t words)
{
  const struct waiting *w = &g->wait[1];
  return g->n_wait == 2 && !w->fused && first < w->tile + w->words && w->tile < first + words;
}

static uint32_t awaited(const struct gen *g)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < g->n_wait; i++) n += g->wait[i].fused ? g->wait[i].left : 0;
  return n;
}

/* words sub-tiles leave. */
static void emit(struct gen *g, uint32_t words)
{
  while (words > 0) {
    const uint32_t n = least(words, g->wait[0].left);
    if (n < g->wait[0].left) g->out->spans++;
    g->wait[0].left -= n;
    words -= n;
    while (g->n_wait > 0 && (g->wait[0].left == 0 || !g->wait[0].fused)) {
      g->wait[0] = g->wait[1];
      g->n_wait--;
    }
  }
}

/* must: it emits, no more than what is awaited. */
static bool add_gemm(struct gen *g, bool must)
{
  const uint32_t blocks = kc_rng_percent(g->rng, 50) ? 1 : pick(g, 2, 5);
  struct kc_mx_op op = {.opcode = KT_MX_OP_GEMM};
  struct kc_mx_gemm *m = &op.as.gemm;
  struct span a, b;

  if (!grow(g, 0, blocks, &m->a_bank, &a) || !grow(g, 1, blocks, &m->b_bank, &b)) return false;
  b.groups = least(b.groups, g->p->tiles);
  a.groups = least(a.groups, g->p->tiles / b.groups);
  const uint32_t most = awaited(g);
  m->emit = must || (most > 0 && kc_rng_percent(g->rng, 50));
  if (m->emit) {
    b.groups = least(b.groups, most);
    a.groups = least(a.groups, most / b.groups);
  }
  const uint32_t words = a.groups * b.groups;
  m->tile = pick(g, 0, g->p->tiles - words);
  if (held(g, m->tile, words)) return false;
  m->acc = all_begun(g, m->tile, words) && kc_rng_percent(g->rng, 70);
  m->gm = a.groups;
  m->gn = b.groups;
  m->nk = blocks;
  m->a_offset = a.offset;
  m->a_pitch = a.pitch;
  m->b_offset = b.offset;
  m->b_pitch = b.pitch;
  put(g, &op);
  memset(&g->begun[m->tile], 1, words);
  if (m->emit) emit(g, words);
  g->out->gemms++;
  return true;
}

/* ---- DRAIN ------------------------------------------------------------------------------------- */

static bool begun_run(struct gen *g, uint32_t *first, uint32_t *words)
{
  for (int i = 0; i < TRIES; i++) {
    *first = pick(g, 0, g->p->tiles - 1);
    /* never all of the tile: a GEMM must find words that no DRAIN holds */
    const uint32_t want = size(g, least(g->p->tiles - *first, g->p->tiles / 2));
    for (*words = 0; *words < want && g->begun[*first + *words]; (*words)++) {
    }
    if (*words > 0) return true;
  }
  return false;
}

static void place_drain(struct gen *g, struct kc_mx_drain *d)
{
  const uint32_t start = g->after ? g->out->middle : g->out->inputs;
  const uint32_t end = g->after ? g->out->memory_bytes : g->out->middle;
  const uint32_t row = d->columns * (d->dtype ? 64 : 32), room = end - start;

  if (row * d->rows > room) {
    d->columns = d->rows = 1;
    d->stride = 0;
  } else {
    d->stride = row;
    const uint32_t spare = room - row * d->rows;
    d->stride += pick(g, 0, least(spare / d->rows / 32, 9)) * 32;
  }
  const uint32_t used = (d->rows - 1) * d->stride + row;
  d->addr = start + (used >= room ? 0 : pick(g, 0, (room - used) / 32) * 32);
}

static bool add_drain(struct gen *g)
{
  struct kc_mx_op op = {.opcode = KT_MX_OP_DRAIN};
  struct kc_mx_drain *d = &op.as.drain;
  uint32_t words = size(g, 40);

  if (g->n_wait == 2) return false;
  d->dtype = pick(g, 0, 1);
  d->fused = pick(g, 0, 1);
  if (!d->fused && !begun_run(g, &d->tile, &words)) return false;
  d->columns = pick(g, 1, words);
  d->rows = words / d->columns;
  place_drain(g, d);
  words = d->rows * d->columns;
  if (d->fused || g->n_wait > 0)
    g->wait[g->n_wait++] = (struct waiting){d->fused != 0, words, d->tile, words};
  if (!d->fused && g->n_wait > 0) g->out->plain_behind_fused++;
  put(g, &op);
  g->out->drains++;
  g->out->fused += d->fused;
  return true;
}

/* ---- Programs ---------------------------------------------------------------------------------- */

/* Emits until no DRAIN waits. */
static void settle(struct gen *g)
{
  while (g->n_wait > 0 && g->st == KT_OK)
    if (!add_gemm(g, true) && kc_rng_percent(g->rng, 30)) add_fill(g);
}

static void add_some(struct gen *g, uint32_t length)
{
  const size_t end = g->out->stream.n + length;
  add_fill(g);
  while (g->out->stream.n < end && g->st == KT_OK) {
    const uint32_t what = pick(g, 0, 99);
    if (what < 30) add_fill(g);
    else if (what < 75) add_gemm(g, false);
    else add_drain(g);
  }
  settle(g);
}

/* The instructions since `from` as one or two kicks. */
static void add_kicks(struct gen *g, uint32_t from, bool wait)
{
  const uint32_t n = (uint32_t)g->out->stream.n - from;
  const uint32_t first = n > 1 && kc_rng_percent(g->rng, 50) ? pick(g, 1, n - 1) : n;
  g->out->kick[g->out->n_kicks++] = (struct kc_mx_kick){from, first, wait};
  if (first < n) g->out->kick[g->out->n_kicks++] = (struct kc_mx_kick){from + first, n - first, false};
}

enum kt_status kc_mx_fuzz_legal(const struct kt_mx_params *p, struct kc_rng *rng, uint32_t length,
                                uint32_t memory_bytes, struct kc_mx_fuzz *out)
{
  struct gen g = {.p = p, .rng = rng, .out = out, .st = KT_OK};

  *out = (struct kc_mx_fuzz){.memory_bytes = memory_bytes,
                             .inputs = memory_bytes / 2 / 32 * 32,
                             .middle = memory_bytes / 4 * 3 / 32 * 32};
  add_some(&g, length / 2 + 1);
  add_kicks(&g, 0, false);
  if (kc_rng_percent(rng, 70)) {
    const uint32_t from = (uint32_t)out->stream.n;
    g.after = true;
    out->waits++;
    add_some(&g, length / 2 + 1);
    add_kicks(&g, from, true);
  }
  return g.st;
}
