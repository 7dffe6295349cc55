/* SPDX-License-Identifier: Apache-2.0
 *
 * GEMM: the sweep. FP22 values are kept as binary64 numbers of the same value; why that is exact is
 * said in kr_mxfast.c. A row of the tile at a time, blocks of K inside: the order in which a word's
 * own sums are taken is that of the sweep, and no word depends on another.
 */
#include "spec/model/kr_mxmach_state.h"

#include "spec/model/kr_fp22.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 64 /* elements of a row worked on together */ };

struct gemm {
  uint32_t acc, emit, gm, gn, nk, tile;
  uint32_t a, b; /* numbers of the first entries */
  uint32_t a_pitch, b_pitch;
};

static struct gemm decode(const struct kt_mx_flit *f)
{
  return (struct gemm){
      .acc = kt_mx_get(f, KT_MX_FIELD_GEMM_ACC),
      .emit = kt_mx_get(f, KT_MX_FIELD_GEMM_EMIT),
      .gm = kt_mx_get(f, KT_MX_FIELD_GEMM_GM),
      .gn = kt_mx_get(f, KT_MX_FIELD_GEMM_GN),
      .nk = kt_mx_get(f, KT_MX_FIELD_GEMM_NK),
      .tile = kt_mx_get(f, KT_MX_FIELD_GEMM_TILE),
      .a = kt_mx_get(f, KT_MX_FIELD_GEMM_A_BANK) * KR_MX_BANK +
           kt_mx_get(f, KT_MX_FIELD_GEMM_A_OFFSET),
      .b = kt_mx_get(f, KT_MX_FIELD_GEMM_B_BANK) * KR_MX_BANK +
           kt_mx_get(f, KT_MX_FIELD_GEMM_B_OFFSET),
      .a_pitch = kt_mx_get(f, KT_MX_FIELD_GEMM_A_PITCH),
      .b_pitch = kt_mx_get(f, KT_MX_FIELD_GEMM_B_PITCH),
  };
}

/* ---- What it must find ------------------------------------------------------------------------ */

/* The step's operands and its tile word are there. */
static bool step_ok(struct kr_mxmach *m, const struct gemm *d, uint32_t k, uint32_t g, uint32_t h,
                    uint32_t instr)
{
  const uint32_t a = d->a + k * d->a_pitch + g, b = d->b + k * d->b_pitch + h;
  const uint32_t word = d->tile + g * d->gn + h;

  if (!m->named[0][a])
    kr_mx_fault_set(m, KT_MX_FAULT_L1_EMPTY, KT_MX_FIELD_GEMM_A_OFFSET, KR_MX_NODE, a, instr);
  else if (!m->named[1][b])
    kr_mx_fault_set(m, KT_MX_FAULT_L1_EMPTY, KT_MX_FIELD_GEMM_B_OFFSET, KR_MX_NODE, b, instr);
  else if (d->acc && k == 0 && !m->begun[word])
    kr_mx_fault_set(m, KT_MX_FAULT_TILE_EMPTY, KT_MX_FIELD_GEMM_TILE, KR_MX_NODE, word, instr);
  else
    return true;
  return false;
}

/* In the order of the sweep. */
static bool operands_ok(struct kr_mxmach *m, const struct gemm *d, uint32_t instr)
{
  if (d->emit && d->gm * d->gn > kr_mx_awaited(m)) {
    kr_mx_fault_set(m, KT_MX_FAULT_NOT_ARMED, 0, KR_MX_NODE, 0, instr);
    return false;
  }
  for (uint32_t k = 0; k < d->nk; k++)
    for (uint32_t g = 0; g < d->gm; g++)
      for (uint32_t h = 0; h < d->gn; h++)
        if (!step_ok(m, d, k, g, h, instr)) return false;
  return true;
}

/* ---- Arithmetic ------------------------------------------------------------------------------- */

static inline uint64_t bits_of(double x)
{
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static inline double of_bits(uint64_t u)
{
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

/* RNE to 53 - drop significant bits. */
static inline double round_to(double x, unsigned drop)
{
  const uint64_t u = bits_of(x);
  const uint64_t half = (UINT64_C(1) << (drop - 1)) - 1;
  return of_bits((u + half + ((u >> drop) & 1)) & ~((UINT64_C(1) << drop) - 1));
}

struct rounding {
  unsigned drop;
  double most; /* FP22's largest number */
};

static struct rounding rounding_of(unsigned mw)
{
  return (struct rounding){52 - mw, ldexp(2.0 - ldexp(1.0, -(int)mw),
                                          KR_FP22_EMAX - KR_FP22_BIAS)};
}

/* n elements of a row: acc += all blocks of a, b. */
static void sum_blocks(struct kr_mxmach *m, const struct gemm *d, const struct rounding *r,
                       uint32_t row, uint32_t column, uint32_t n, double *acc)
{
  double v[COLUMNS];

  for (uint32_t k = 0; k < d->nk; k++) {
    const uint32_t a = (d->a + k * d->a_pitch) * KT_MX_LANES + row;
    const uint32_t b = (d->b + k * d->b_pitch) * KT_MX_LANES + column;
    const struct kr_mx_block *block = &m->block[0][a];
    const double scale = m->scale[0][a];
    for (uint32_t j = 0; j < n; j++)
      v[j] = kr_mx_dot(block, &m->block[1][b + j]) * (scale * m->scale[1][b + j]);
    for (uint32_t j = 0; j < n; j++) {
      acc[j] = round_to(acc[j] + round_to(v[j], r->drop), r->drop);
      if (fabs(acc[j]) > r->most) {
        acc[j] = copysign(r->most, acc[j]);
        m->total.overflow++;
      }
    }
  }
}

static double *element(struct kr_mxmach *m, const struct gemm *d, uint32_t row, uint32_t column)
{
  const uint32_t word = d->tile + row / KT_MX_LANES * d->gn + column / KT_MX_LANES;
  return &m->tile[word][row % KT_MX_LANES * KT_MX_LANES + column % KT_MX_LANES];
}

static void sum_row(struct kr_mxmach *m, const struct gemm *d, const struct rounding *r,
                    uint32_t row)
{
  const uint32_t columns = d->gn * KT_MX_LANES;
  double acc[COLUMNS];

  for (uint32_t column = 0; column < columns; column += COLUMNS) {
    const uint32_t n = columns - column < COLUMNS ? columns - column : COLUMNS;
    for (uint32_t j = 0; j < n; j++) acc[j] = d->acc ? *element(m, d, row, column + j) : 0;
    sum_blocks(m, d, r, row, column, n, acc);
    for (uint32_t j = 0; j < n; j++) *element(m, d, row, column + j) = acc[j];
  }
}

void kr_mx_gemm(struct kr_mxmach *m, const struct kt_mx_flit *f, uint32_t instr)
{
  const struct gemm d = decode(f);
  const struct rounding r = rounding_of(m->p.acc_mw);
  const uint32_t words = d.gm * d.gn;

  if (!operands_ok(m, &d, instr)) return;
  for (uint32_t row = 0; row < d.gm * KT_MX_LANES; row++) sum_row(m, &d, &r, row);
  for (uint32_t w = 0; w < words; w++) m->begun[d.tile + w] = true;
  m->total.steps += words * d.nk;
  for (uint32_t w = 0; d.emit && w < words; w++) kr_mx_emit(m, m->tile[d.tile + w]);
}
