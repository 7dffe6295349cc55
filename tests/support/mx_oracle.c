/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/mx_oracle.h"

#include "spec/model/kr_fp22.h"
#include "spec/model/kr_mxfp7.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct out {
  const struct kc_mx_drain *d;
  uint32_t done;
  uint32_t *words; /* a plain one's, read when it came */
};

struct oracle {
  const struct kt_mx_params *p;
  uint8_t *memory;
  struct kr_mx_block l1[2][2][256][4]; /* side, bank, entry, lane */
  uint32_t tile[512][4][4];
  struct out queue[64]; /* DRAINs in program order, first served first */
  size_t head, tail;
  struct mx_oracle_totals t;
};

/* ---- FILL -------------------------------------------------------------------------------------- */

static uint32_t half_at(const struct oracle *o, uint64_t at)
{
  return o->memory[at] | (uint32_t)o->memory[at + 1] << 8;
}

/* Bit by bit: element i is bits 7i+6..7i of the beat. */
static void read_entry(struct oracle *o, uint64_t addr, struct kr_mx_block *lane)
{
  for (int l = 0; l < 4; l++) {
    const uint8_t *beat = o->memory + addr + 32 * l;
    for (int i = 0; i < 32; i++) {
      int q = 0;
      for (int b = 0; b < 7; b++) q |= (beat[(7 * i + b) / 8] >> ((7 * i + b) % 8) & 1) << b;
      lane[l].q[i] = (int16_t)(q >= 64 ? q - 128 : q);
    }
    lane[l].scale = beat[28];
    o->t.read_beats++;
  }
}

static void read_halves(struct oracle *o, const struct kc_mx_fill *f, uint64_t addr, uint32_t g,
                        uint32_t k, struct kr_mx_block *lane)
{
  bool beat[4][8] = {{false}};
  for (uint32_t l = 0; l < 4; l++) {
    uint16_t x[32] = {0};
    for (uint32_t i = 0; i < 32; i++) {
      if (4 * g + l >= f->real_lanes || 32 * k + i >= f->real_depth) continue;
      x[i] = (uint16_t)(f->layout ? half_at(o, addr + i / 4 * 32 + (4 * l + i % 4) * 2)
                                  : half_at(o, addr + (uint64_t)l * f->lane_stride + 2 * i));
      beat[f->layout ? 0 : l][f->layout ? i / 4 : i / 16] = true;
    }
    kr_mx_quantise(x, 1, 32, &lane[l]);
  }
  for (int l = 0; l < 4; l++)
    for (int b = 0; b < 8; b++) o->t.read_beats += beat[l][b];
}

static void fill(struct oracle *o, const struct kc_mx_fill *f)
{
  for (uint32_t g = 0; g < f->groups; g++) {
    for (uint32_t k = 0; k < f->blocks; k++) {
      const uint64_t addr = f->addr + (uint64_t)g * f->group_stride + (uint64_t)k * f->block_stride;
      struct kr_mx_block *lane = o->l1[f->side][f->bank][f->offset + k * f->pitch + g];
      if (f->preq) read_entry(o, addr, lane);
      else read_halves(o, f, addr, g, k, lane);
      for (int l = 0; l < 4; l++) o->t.poisoned += lane[l].scale == 0xff;
    }
  }
}

/* ---- DRAIN ------------------------------------------------------------------------------------- */

static void write_subtile(struct oracle *o, struct out *q, const uint32_t word[16])
{
  const struct kc_mx_drain *d = q->d;
  const uint32_t r = q->done / d->columns, c = q->done % d->columns;
  uint8_t *at = o->memory + d->addr + (uint64_t)r * d->stride + c * (d->dtype ? 64u : 32u);
  for (int i = 0; i < 16; i++) {
    struct kr_rounded why = {false, false};
    const uint32_t x = d->dtype ? kr_fp22_to_f32(o->p->acc_mw, word[i])
                                : kr_fp22_to_f16(o->p->acc_mw, word[i], &why);
    const int size = d->dtype ? 4 : 2;
    for (int b = 0; b < size; b++) at[size * i + b] = (uint8_t)(x >> (8 * b));
    o->t.clamped += why.overflow;
    o->t.flushed += why.flush;
    o->t.nan += kr_fp22_is_nan(o->p->acc_mw, word[i]);
  }
  o->t.write_beats += d->dtype ? 2 : 1;
  q->done++;
}

/* What stands in front and has all it needs leaves. */
static void serve(struct oracle *o)
{
  while (o->head < o->tail) {
    struct out *q = &o->queue[o->head % 64];
    const uint32_t all = q->d->rows * q->d->columns;
    while (q->words != NULL && q->done < all) write_subtile(o, q, &q->words[16 * q->done]);
    if (q->done < all) return;
    free(q->words);
    o->head++;
  }
}

static void drain(struct oracle *o, const struct kc_mx_drain *d)
{
  const uint32_t all = d->rows * d->columns;
  struct out q = {.d = d};
  cr_assert(o->tail - o->head < 64);
  if (!d->fused) {
    q.words = malloc(all * sizeof o->tile[0]);
    cr_assert(q.words != NULL);
    memcpy(q.words, o->tile[d->tile], all * sizeof o->tile[0]);
  }
  o->queue[o->tail++ % 64] = q;
  serve(o);
}

/* ---- GEMM -------------------------------------------------------------------------------------- */

static void step(struct oracle *o, const struct kc_mx_gemm *m, uint32_t k, uint32_t g, uint32_t h)
{
  const struct kr_mx_block *a = o->l1[0][m->a_bank][m->a_offset + k * m->a_pitch + g];
  const struct kr_mx_block *b = o->l1[1][m->b_bank][m->b_offset + k * m->b_pitch + h];
  uint32_t(*word)[4] = o->tile[m->tile + g * m->gn + h];
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      struct kr_fp22 f = {.mw = o->p->acc_mw, .overflow = false};
      int32_t part = 0;
      for (int e = 0; e < 32; e++) part += (int32_t)a[i].q[e] * b[j].q[e];
      const uint32_t v = kr_fp22_scale(&f, part, a[i].scale, b[j].scale);
      word[i][j] = k == 0 && !m->acc ? v : kr_fp22_add(&f, word[i][j], v);
      o->t.overflow += f.overflow;
    }
  }
  o->t.steps++;
  if (!m->emit || k + 1 < m->nk) return;
  write_subtile(o, &o->queue[o->head % 64], &word[0][0]);
  serve(o);
}

struct mx_oracle_totals mx_oracle(const struct kt_mx_params *p, const struct kc_mx_stream *s,
                                  uint8_t *memory)
{
  struct oracle *o = calloc(1, sizeof *o);
  cr_assert(o != NULL);
  o->p = p;
  o->memory = memory;
  for (size_t i = 0; i < s->n; i++) {
    const struct kc_mx_op *op = &s->ops[i];
    if (op->opcode == KT_MX_OP_FILL) fill(o, &op->as.fill);
    if (op->opcode == KT_MX_OP_DRAIN) drain(o, &op->as.drain);
    if (op->opcode != KT_MX_OP_GEMM) continue;
    const struct kc_mx_gemm *m = &op->as.gemm;
    for (uint32_t k = 0; k < m->nk; k++)
      for (uint32_t g = 0; g < m->gm; g++)
        for (uint32_t h = 0; h < m->gn; h++) step(o, m, k, g, h);
  }
  const struct mx_oracle_totals t = o->t;
  cr_assert(o->head == o->tail);
  free(o);
  return t;
}
