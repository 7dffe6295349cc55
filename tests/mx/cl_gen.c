/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/mx/cl_gen.h"

#include <stdlib.h>
#include <string.h>

void cl_gen_begin(struct cl_gen *g, struct cl_program *p, unsigned l1_entries, unsigned tiles,
                  uint32_t seed)
{
  memset(g, 0, sizeof *g);
  memset(p, 0, sizeof *p);
  g->p = p;
  g->bank = l1_entries / 2;
  g->tiles = tiles;
  g->random = seed;
  p->salt = cl_hash(seed, 99);
}

uint32_t cl_gen_random(struct cl_gen *g, uint32_t below)
{
  return cl_hash(g->random++, 5) % below;
}

static uint32_t between(struct cl_gen *g, uint32_t low, uint32_t high)
{
  return low + cl_gen_random(g, high - low + 1);
}

static unsigned lesser(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

struct kt_mx_flit *cl_gen_append(struct cl_gen *g, uint32_t opcode)
{
  struct cl_program *p = g->p;

  if (p->n == CL_MAX_INSNS) abort();
  p->insn[p->n].word[0] = opcode;
  p->last[p->n] = cl_gen_random(g, 5) == 0;
  return &p->insn[p->n++];
}

void cl_gen_fill(struct cl_gen *g, unsigned side, unsigned bank, unsigned offset, unsigned groups,
                 unsigned blocks, unsigned pitch)
{
  struct kt_mx_flit *f = cl_gen_append(g, KT_MX_OP_FILL);

  kt_mx_set(f, KT_MX_FIELD_FILL_SIDE, side);
  kt_mx_set(f, KT_MX_FIELD_FILL_PREQ, cl_gen_random(g, 2));
  kt_mx_set(f, KT_MX_FIELD_FILL_ORDER, cl_gen_random(g, 2));
  kt_mx_set(f, KT_MX_FIELD_FILL_BANK, bank);
  kt_mx_set(f, KT_MX_FIELD_FILL_OFFSET, offset);
  kt_mx_set(f, KT_MX_FIELD_FILL_ADDR, 32 * cl_gen_random(g, 1000));
  kt_mx_set(f, KT_MX_FIELD_FILL_GROUPS, groups);
  kt_mx_set(f, KT_MX_FIELD_FILL_BLOCKS, blocks);
  kt_mx_set(f, KT_MX_FIELD_FILL_REAL_LANES, 1024);
  kt_mx_set(f, KT_MX_FIELD_FILL_REAL_DEPTH, 8192);
  kt_mx_set(f, KT_MX_FIELD_FILL_PITCH, pitch);
  for (unsigned k = 0; k < blocks; k++)
    for (unsigned i = 0; i < groups; i++) g->filled[side][256 * bank + offset + k * pitch + i] = true;
}

void cl_gen_drain(struct cl_gen *g, bool fused, unsigned rows, unsigned columns, unsigned tile)
{
  struct kt_mx_flit *f = cl_gen_append(g, KT_MX_OP_DRAIN);
  const unsigned wide = cl_gen_random(g, 3) == 0;
  const uint32_t stride = columns * (wide ? 64 : 32) + 32 * cl_gen_random(g, 3);

  kt_mx_set(f, KT_MX_FIELD_DRAIN_DTYPE, wide);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_FUSED, fused);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_ADDR, g->addr);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_ROWS, rows);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_COLUMNS, columns);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_STRIDE, stride);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_TILE, tile);
  g->addr += rows * stride;
  if (fused || g->n_armed > 0)
    g->armed[g->n_armed++] = (struct cl_armed){fused, rows * columns, tile, tile + rows * columns - 1};
}

static uint32_t wanted(const struct cl_gen *g)
{
  uint32_t sum = 0;
  for (unsigned i = 0; i < g->n_armed; i++) sum += g->armed[i].fused ? g->armed[i].left : 0;
  return sum;
}

static void leave(struct cl_gen *g)
{
  g->n_armed--;
  memmove(&g->armed[0], &g->armed[1], sizeof g->armed - sizeof g->armed[0]);
}

static void emit(struct cl_gen *g, uint32_t count)
{
  while (count > 0) {
    struct cl_armed *a = &g->armed[0];
    const uint32_t n = a->left < count ? a->left : count;
    a->left -= n;
    count -= n;
    if (a->left == 0) leave(g);
    while (g->n_armed > 0 && !g->armed[0].fused) leave(g);
  }
}

static void arm(struct cl_gen *g)
{
  cl_gen_drain(g, true, between(g, 1, 6), cl_gen_random(g, 4) == 0 ? 1 : between(g, 1, 20), 0);
}

/* Reads words that have been written, if there are enough of them from a random one on. */
static void plain(struct cl_gen *g)
{
  const unsigned tile = cl_gen_random(g, cl_gen_random(g, 2) == 0 ? 8 : g->tiles);
  unsigned count = 0;

  while (tile + count < g->tiles && g->written[tile + count] && count < 40) count++;
  if (count == 0) return;
  const unsigned rows = between(g, 1, count < 5 ? count : 5);
  cl_gen_drain(g, false, rows, between(g, 1, count / rows), tile);
}

/* Whether one operand's entries are all there. */
static bool there(const struct cl_gen *g, unsigned side, unsigned first, unsigned groups,
                  unsigned blocks, unsigned pitch)
{
  for (unsigned k = 0; k < blocks; k++)
    for (unsigned i = 0; i < groups; i++)
      if (!g->filled[side][first + k * pitch + i]) return false;
  return true;
}

struct operand {
  unsigned bank, offset, groups, pitch;
};

static struct operand place(struct cl_gen *g, unsigned side, unsigned groups, unsigned blocks)
{
  struct operand o = {cl_gen_random(g, 2), 0, groups, groups};

  if (blocks > 1) {
    const unsigned most = (g->bank - groups) / (blocks - 1);
    o.pitch = cl_gen_random(g, 2) == 0 ? groups : between(g, groups, most < 256 ? most : 256);
  } else {
    o.pitch = between(g, 1, 256);
  }
  const unsigned span = (blocks - 1) * o.pitch + groups;
  o.offset = blocks == 1 && span > g->bank ? 0 : cl_gen_random(g, g->bank - span + 1);
  const unsigned first = 256 * o.bank + o.offset;
  if (there(g, side, first, groups, blocks, o.pitch) && cl_gen_random(g, 3) != 0) return o;
  if (cl_gen_random(g, 4) == 0) /* a FILL of entries that the next one names too, and nobody reads between */
    cl_gen_fill(g, side, o.bank, o.offset, groups, 1, groups);
  const unsigned cut = between(g, 1, blocks);
  cl_gen_fill(g, side, o.bank, o.offset, groups, cut, cut == 1 ? between(g, 1, 256) : o.pitch);
  if (cut < blocks)
    cl_gen_fill(g, side, o.bank, o.offset + cut * o.pitch, groups, blocks - cut, o.pitch);
  return o;
}

static bool begun(const struct cl_gen *g, unsigned tile, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    if (!g->written[tile + i]) return false;
  return true;
}

/* A plain DRAIN behind a fused one reads these words later: writing them would wait for itself. */
static bool still_read(const struct cl_gen *g, unsigned tile, unsigned count)
{
  for (unsigned i = 0; i < g->n_armed; i++)
    if (!g->armed[i].fused && g->armed[i].from < tile + count && g->armed[i].to >= tile) return true;
  return false;
}

static void set_operands(struct kt_mx_flit *f, const struct operand *a, const struct operand *b)
{
  kt_mx_set(f, KT_MX_FIELD_GEMM_A_BANK, a->bank);
  kt_mx_set(f, KT_MX_FIELD_GEMM_B_BANK, b->bank);
  kt_mx_set(f, KT_MX_FIELD_GEMM_A_OFFSET, a->offset);
  kt_mx_set(f, KT_MX_FIELD_GEMM_B_OFFSET, b->offset);
  kt_mx_set(f, KT_MX_FIELD_GEMM_GM, a->groups);
  kt_mx_set(f, KT_MX_FIELD_GEMM_GN, b->groups);
  kt_mx_set(f, KT_MX_FIELD_GEMM_A_PITCH, a->pitch);
  kt_mx_set(f, KT_MX_FIELD_GEMM_B_PITCH, b->pitch);
}

void cl_gen_gemm(struct cl_gen *g, unsigned steps, bool must_emit)
{
  const unsigned limit = must_emit ? lesser(g->tiles, wanted(g)) : g->tiles;
  const unsigned gm = between(g, 1, lesser(lesser(g->bank, 12), limit));
  const unsigned gn = between(g, 1, lesser(lesser(g->bank, 24), limit / gm));
  const unsigned most = lesser(g->bank / (gm > gn ? gm : gn), 1 + steps / (gm * gn));
  const unsigned nk = between(g, 1, lesser(most, 10));
  const unsigned places = g->tiles - gm * gn + 1; /* near the others, half of the time */
  const unsigned tile = cl_gen_random(g, cl_gen_random(g, 2) == 0 ? lesser(places, 8) : places);
  const bool emits = must_emit || (wanted(g) >= gm * gn && cl_gen_random(g, 2) == 0);

  if (still_read(g, tile, gm * gn)) return;
  const struct operand a = place(g, 0, gm, nk), b = place(g, 1, gn, nk);
  struct kt_mx_flit *f = cl_gen_append(g, KT_MX_OP_GEMM);
  set_operands(f, &a, &b);
  kt_mx_set(f, KT_MX_FIELD_GEMM_ACC, begun(g, tile, gm * gn) && cl_gen_random(g, 2) == 0);
  kt_mx_set(f, KT_MX_FIELD_GEMM_EMIT, emits);
  kt_mx_set(f, KT_MX_FIELD_GEMM_NK, nk);
  kt_mx_set(f, KT_MX_FIELD_GEMM_TILE, tile);
  for (unsigned i = 0; i < gm * gn; i++) g->written[tile + i] = true;
  if (emits) emit(g, gm * gn);
}

void cl_gen_program(struct cl_gen *g, size_t n, unsigned steps)
{
  while (g->p->n < n) {
    const uint32_t kind = cl_gen_random(g, 8);
    if (kind == 0 && g->n_armed < CL_MAX_QUEUE) plain(g);
    else if (kind <= 2 && g->n_armed < CL_MAX_QUEUE) arm(g);
    else cl_gen_gemm(g, cl_gen_random(g, 4) == 0 ? steps : steps / 8, false);
  }
  while (wanted(g) > 0) cl_gen_gemm(g, steps / 8, true);
}
