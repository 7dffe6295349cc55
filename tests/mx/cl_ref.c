/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/mx/cl_ref.h"

#include "spec/model/kr_fp22.h"

#include <stdlib.h>
#include <string.h>

uint32_t cl_hash(uint32_t a, uint32_t b)
{
  uint32_t x = a * UINT32_C(0x9e3779b1) ^ (b + UINT32_C(0x7f4a7c15)) * UINT32_C(0x85ebca6b);
  x ^= x >> 15;
  x *= UINT32_C(0x2c1b3c6d);
  x ^= x >> 12;
  x *= UINT32_C(0x297a2d39);
  return x ^ x >> 15;
}

void cl_entry(uint32_t salt, size_t insn, unsigned g, unsigned k, unsigned lane,
              struct kr_mx_block *b)
{
  const uint32_t seed = cl_hash(salt + (uint32_t)insn, g << 20 | k << 8 | lane);
  const unsigned kind = seed % 64;

  /* most scales of a program lie together: high, low (what is 0 in binary16) or between */
  b->scale = (uint8_t)((salt % 4 == 0 ? 0 : salt % 4 == 1 ? 150 : 80) + seed / 64 % 40);
  if (kind < 2) b->scale = (uint8_t)(cl_hash(seed, 77) % 248);
  for (unsigned i = 0; i < KR_MX_BLOCK; i++) {
    const uint32_t x = cl_hash(seed, i / 4) >> 8 * (i % 4);
    b->q[i] = (int16_t)((int)(x & 127) - 64);
    if (kind == 7) b->q[i] = -64;
    if (kind == 8) b->q[i] = (int16_t)(x & 1);
    if (kind == 9) b->q[i] = 0;
  }
  if (kind == 10 && seed / 4096 % 4 == 0) {
    b->scale = KR_MX_POISON;
    memset(b->q, 0, sizeof b->q);
  }
}

struct drain {
  size_t insn; /* in the program */
  uint32_t done; /* sub-tiles so far */
};

struct cluster {
  const struct cl_program *p;
  struct cl_want *want;
  struct kr_mx_block l1[2][512][4];
  uint32_t tile[512][16];
  unsigned mw;
  struct drain queue[CL_MAX_INSNS];
  size_t head, tail;
};

static uint32_t get(const struct cluster *c, size_t insn, uint32_t field)
{
  return kt_mx_get(&c->p->insn[insn], field);
}

/* A sub-tile leaves for the DRAIN at the head of the queue. */
static void leave(struct cluster *c, const uint32_t tile[16])
{
  struct drain *d = &c->queue[c->head];
  const uint32_t columns = get(c, d->insn, KT_MX_FIELD_DRAIN_COLUMNS);
  const bool wide = get(c, d->insn, KT_MX_FIELD_DRAIN_DTYPE) != 0;
  const uint32_t row = d->done / columns, column = d->done % columns;
  const uint64_t addr = get(c, d->insn, KT_MX_FIELD_DRAIN_ADDR) +
                        (uint64_t)row * get(c, d->insn, KT_MX_FIELD_DRAIN_STRIDE) +
                        column * (wide ? 64 : 32);
  struct cl_beat *b = &c->want->beat[c->want->n];

  memset(b, 0, 2 * sizeof *b);
  for (unsigned i = 0; i < 16; i++) {
    struct kr_rounded why = {false, false};
    if (wide) {
      b[i / 8].word[i % 8] = kr_fp22_to_f32(c->mw, tile[i]);
    } else {
      b->word[i / 2] |= (uint32_t)kr_fp22_to_f16(c->mw, tile[i], &why) << 16 * (i % 2);
      c->want->clamped += why.overflow;
      c->want->flushed += why.flush;
    }
    c->want->nan += kr_fp22_is_nan(c->mw, tile[i]);
  }
  b[0].addr = addr;
  if (wide) b[1].addr = addr + 32;
  c->want->n += wide ? 2 : 1;
  if (++d->done == columns * get(c, d->insn, KT_MX_FIELD_DRAIN_ROWS)) c->head++;
}

/* Plain DRAINs at the head take what they read. What they read cannot have changed since: a GEMM
 * that writes it waits for them. */
static void plain(struct cluster *c)
{
  while (c->head < c->tail && get(c, c->queue[c->head].insn, KT_MX_FIELD_DRAIN_FUSED) == 0) {
    const size_t head = c->head;
    const uint32_t word =
        get(c, c->queue[head].insn, KT_MX_FIELD_DRAIN_TILE) + c->queue[head].done;
    leave(c, c->tile[word]);
  }
}

static void fill(struct cluster *c, size_t i)
{
  const uint32_t groups = get(c, i, KT_MX_FIELD_FILL_GROUPS);
  const uint32_t blocks = get(c, i, KT_MX_FIELD_FILL_BLOCKS);
  const uint32_t first =
      256 * get(c, i, KT_MX_FIELD_FILL_BANK) + get(c, i, KT_MX_FIELD_FILL_OFFSET);

  for (uint32_t k = 0; k < blocks; k++)
    for (uint32_t g = 0; g < groups; g++)
      for (unsigned lane = 0; lane < 4; lane++)
        cl_entry(c->p->salt, i, g, k, lane,
                 &c->l1[get(c, i, KT_MX_FIELD_FILL_SIDE)]
                       [first + k * get(c, i, KT_MX_FIELD_FILL_PITCH) + g][lane]);
}

static void step(struct cluster *c, const struct kr_mx_block a[4], const struct kr_mx_block b[4],
                 bool load, uint32_t tile[16])
{
  for (unsigned i = 0; i < 16; i++) {
    struct kr_fp22 f = {.mw = c->mw, .overflow = false};
    const struct kr_mx_block *x = &a[i / 4], *y = &b[i % 4];
    const uint32_t v = kr_fp22_scale(&f, kr_mx_dot(x, y), x->scale, y->scale);
    tile[i] = load ? v : kr_fp22_add(&f, tile[i], v);
    c->want->overflow += f.overflow;
  }
  c->want->steps++;
}

static void gemm(struct cluster *c, size_t i)
{
  const uint32_t gm = get(c, i, KT_MX_FIELD_GEMM_GM), gn = get(c, i, KT_MX_FIELD_GEMM_GN);
  const uint32_t nk = get(c, i, KT_MX_FIELD_GEMM_NK);
  const uint32_t a = 256 * get(c, i, KT_MX_FIELD_GEMM_A_BANK) + get(c, i, KT_MX_FIELD_GEMM_A_OFFSET);
  const uint32_t b = 256 * get(c, i, KT_MX_FIELD_GEMM_B_BANK) + get(c, i, KT_MX_FIELD_GEMM_B_OFFSET);

  for (uint32_t k = 0; k < nk; k++)
    for (uint32_t g = 0; g < gm; g++)
      for (uint32_t h = 0; h < gn; h++) {
        uint32_t *tile = c->tile[get(c, i, KT_MX_FIELD_GEMM_TILE) + g * gn + h];
        step(c, c->l1[0][a + k * get(c, i, KT_MX_FIELD_GEMM_A_PITCH) + g],
             c->l1[1][b + k * get(c, i, KT_MX_FIELD_GEMM_B_PITCH) + h],
             k == 0 && get(c, i, KT_MX_FIELD_GEMM_ACC) == 0, tile);
        if (k == nk - 1 && get(c, i, KT_MX_FIELD_GEMM_EMIT) != 0) {
          plain(c);
          leave(c, tile);
        }
      }
}

void cl_reference(const struct cl_program *p, unsigned mw, struct cl_want *want)
{
  struct cluster *c = calloc(1, sizeof *c);

  if (c == NULL) abort();
  c->p = p;
  c->want = want;
  c->mw = mw;
  want->n = 0;
  want->steps = want->overflow = want->clamped = want->flushed = want->nan = 0;
  for (size_t i = 0; i < p->n; i++) {
    switch (p->insn[i].word[0] & 255) {
    case KT_MX_OP_FILL:
      fill(c, i);
      break;
    case KT_MX_OP_GEMM:
      gemm(c, i);
      break;
    default:
      c->queue[c->tail++] = (struct drain){i, 0};
    }
    plain(c);
  }
  free(c);
}
