/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAIN: sub-tiles of the result on their way to memory. At most two wait; the one in front is always
 * a fused one, for a plain one in front writes at once.
 */
#include "spec/model/kr_mxmach_state.h"

#include "spec/model/kr_fp22.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SINGLE = 1 /* DTYPE: binary32 */ };

static uint32_t count(const struct kr_mx_pending *d)
{
  return d->rows * d->columns;
}

static uint32_t beats(const struct kr_mx_pending *d)
{
  return d->dtype == SINGLE ? 2 : 1;
}

/* Address of sub-tile i. */
static uint64_t place(const struct kr_mx_pending *d, uint32_t i)
{
  return d->addr + (uint64_t)(i / d->columns) * d->stride +
         (uint64_t)(i % d->columns) * beats(d) * KT_MX_BEAT_BYTES;
}

/* ---- Formats ---------------------------------------------------------------------------------- */

static uint32_t word_of(double x, unsigned mw)
{
  uint64_t u;

  if (isnan(x)) return kr_fp22_nan(mw);
  if (x == 0) return 0;
  memcpy(&u, &x, sizeof u);
  const uint32_t e = (uint32_t)((u >> 52) & 2047) - 1023 + KR_FP22_BIAS;
  const uint32_t man = (uint32_t)(u >> (52 - mw)) & ((UINT32_C(1) << mw) - 1);
  return (uint32_t)(u >> 63) << (mw + 7) | e << mw | man;
}

static void put(uint8_t *to, uint32_t value, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> (8 * i));
}

static void convert(struct kr_mxmach *m, uint32_t dtype, const double word[KR_MX_ELEMENTS],
                    uint8_t bytes[2 * KT_MX_BEAT_BYTES])
{
  const unsigned mw = m->p.acc_mw;

  for (unsigned i = 0; i < KR_MX_ELEMENTS; i++) {
    const uint32_t x = word_of(word[i], mw);
    struct kr_rounded why = {false, false};
    m->total.nan += kr_fp22_is_nan(mw, x);
    if (dtype == SINGLE)
      put(bytes + 4 * i, kr_fp22_to_f32(mw, x), 4);
    else
      put(bytes + 2 * i, kr_fp22_to_f16(mw, x, &why), 2);
    m->total.clamped += why.overflow;
    m->total.flushed += why.flush;
  }
}

/* ---- Writing ---------------------------------------------------------------------------------- */

/* The next sub-tile. False after a fault or a refusal. */
static bool write_one(struct kr_mxmach *m, struct kr_mx_pending *d,
                      const double word[KR_MX_ELEMENTS])
{
  const uint64_t addr = place(d, d->next);
  uint8_t bytes[2 * KT_MX_BEAT_BYTES];

  convert(m, d->dtype, word, bytes);
  for (uint32_t b = 0; b < beats(d); b++) {
    uint8_t *to = kr_mx_word(m, addr + b * KT_MX_BEAT_BYTES, true, d->instr);
    if (to == NULL) return false;
    memcpy(to, bytes + b * KT_MX_BEAT_BYTES, KT_MX_BEAT_BYTES);
    m->total.write_beats++;
  }
  d->next++;
  return true;
}

static void retire_front(struct kr_mxmach *m)
{
  const bool last = m->drain[0].last;

  free(m->drain[0].words);
  m->drain[0] = m->drain[1];
  m->drains--;
  kr_mx_complete(m, last);
}

/* A plain DRAIN in front writes all it has. */
static void serve_plain(struct kr_mxmach *m)
{
  struct kr_mx_pending *d = &m->drain[0];

  while (d->next < count(d))
    if (!write_one(m, d, d->words[d->next])) return;
  retire_front(m);
}

void kr_mx_emit(struct kr_mxmach *m, const double word[KR_MX_ELEMENTS])
{
  struct kr_mx_pending *d = &m->drain[0];

  if (m->fault.code != 0 || m->refused) return;
  assert(m->drains > 0 && d->fused);
  if (!write_one(m, d, word) || d->next < count(d)) return;
  retire_front(m);
  if (m->drains > 0 && !m->drain[0].fused) serve_plain(m);
}

uint32_t kr_mx_awaited(const struct kr_mxmach *m)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->drains; i++)
    if (m->drain[i].fused) n += count(&m->drain[i]) - m->drain[i].next;
  return n;
}

void kr_mx_drains_drop(struct kr_mxmach *m)
{
  for (uint32_t i = 0; i < m->drains; i++) free(m->drain[i].words);
  m->drains = 0;
}

/* ---- Accepting -------------------------------------------------------------------------------- */

static bool overlap(uint32_t a, uint32_t na, uint32_t b, uint32_t nb)
{
  return a < b + nb && b < a + na;
}

bool kr_mx_blocked(const struct kr_mxmach *m, const struct kt_mx_flit *f)
{
  const uint32_t opcode = f->word[0] & 0xff;

  if (opcode == KT_MX_OP_DRAIN) return m->drains == KR_MX_DRAINS;
  if (opcode != KT_MX_OP_GEMM || m->drains < KR_MX_DRAINS || m->drain[1].fused) return false;
  return overlap(kt_mx_get(f, KT_MX_FIELD_GEMM_TILE),
                 kt_mx_get(f, KT_MX_FIELD_GEMM_GM) * kt_mx_get(f, KT_MX_FIELD_GEMM_GN),
                 m->drain[1].tile, count(&m->drain[1]));
}

/* Every word that it will write counts as unwritten until a POLL. */
static void mark(struct kr_mxmach *m, const struct kr_mx_pending *d)
{
  for (uint32_t i = 0; i < count(d); i++) {
    for (uint32_t b = 0; b < beats(d); b++) {
      const uint64_t word = place(d, i) / KT_MX_BEAT_BYTES + b;
      if (word < m->mem_size / KT_MX_BEAT_BYTES)
        m->unwritten[word / 8] = (uint8_t)(m->unwritten[word / 8] | 1u << (word % 8));
    }
  }
}

/* Copies the words that a plain DRAIN reads. False after a fault. */
static bool take_words(struct kr_mxmach *m, struct kr_mx_pending *d)
{
  for (uint32_t i = 0; i < count(d); i++) {
    if (m->begun[d->tile + i]) continue;
    kr_mx_fault_set(m, KT_MX_FAULT_TILE_EMPTY, KT_MX_FIELD_DRAIN_TILE, KR_MX_NODE, d->tile + i,
                    d->instr);
    return false;
  }
  d->words = malloc(count(d) * sizeof *d->words);
  if (d->words == NULL) {
    kr_mx_refuse(m, "no memory for a DRAIN's words");
    return false;
  }
  memcpy(d->words, m->tile[d->tile], count(d) * sizeof *d->words);
  return true;
}

void kr_mx_drain(struct kr_mxmach *m, const struct kt_mx_flit *f, uint32_t instr, bool last)
{
  struct kr_mx_pending d = {
      .fused = kt_mx_get(f, KT_MX_FIELD_DRAIN_FUSED) != 0,
      .last = last,
      .dtype = kt_mx_get(f, KT_MX_FIELD_DRAIN_DTYPE),
      .addr = kt_mx_get(f, KT_MX_FIELD_DRAIN_ADDR),
      .rows = kt_mx_get(f, KT_MX_FIELD_DRAIN_ROWS),
      .columns = kt_mx_get(f, KT_MX_FIELD_DRAIN_COLUMNS),
      .stride = kt_mx_get(f, KT_MX_FIELD_DRAIN_STRIDE),
      .tile = kt_mx_get(f, KT_MX_FIELD_DRAIN_TILE),
      .instr = instr,
  };
  if (!d.fused && !take_words(m, &d)) {
    kr_mx_complete(m, last);
    return;
  }
  mark(m, &d);
  m->drain[m->drains++] = d;
  if (m->drains == 1 && !d.fused) serve_plain(m);
}
