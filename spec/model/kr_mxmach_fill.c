/* SPDX-License-Identifier: Apache-2.0
 *
 * FILL: entries of an operand from memory into L1, quantised on the way where memory holds binary16.
 * QUANTISE: the same conversion, back to memory.
 */
#include "spec/model/kr_mxmach_state.h"

#include "spec/model/kr_mxentry.h"

#include <math.h>
#include <string.h>

enum { HALVES = 16 /* binary16 numbers in a beat */, SUBTILE = 4 /* its rows and columns */ };

struct fill {
  uint32_t side, preq, layout, instr;
  uint32_t groups, blocks;
  uint64_t addr, group_stride, block_stride, lane_stride;
  uint32_t real_lanes, real_depth;
  uint32_t first, pitch; /* number of the first entry */
};

/* The beat at addr as the agent reads it: NULL after a fault or a refusal. */
static const uint8_t *read_beat(struct kr_mxmach *m, const struct fill *f, uint64_t addr)
{
  const uint8_t *beat = kr_mx_word(m, addr, false, f->instr);
  const uint64_t word = addr / KT_MX_BEAT_BYTES;

  if (beat == NULL) return NULL;
  if ((m->unwritten[word / 8] >> (word % 8) & 1) != 0) {
    kr_mx_refuse(m, "instruction %u reads address 0x%llx, which a DRAIN of this run writes that no "
                 "POLL has waited for, or which it writes itself", f->instr, (unsigned long long)addr);
    return NULL;
  }
  m->total.read_beats++;
  return beat;
}

static void read_halves(const uint8_t *beat, uint16_t half[HALVES])
{
  for (unsigned i = 0; i < HALVES; i++)
    half[i] = (uint16_t)(beat[2 * i] | (unsigned)beat[2 * i + 1] << 8);
}

static double scale_of(uint8_t code)
{
  return code == KR_MX_POISON ? NAN : ldexp(8.0 + (code & 7), (code >> 3) - 23);
}

/* Elements of the block that exist. */
static uint32_t depth_of(const struct fill *f, uint32_t k)
{
  const uint32_t first = k * KR_MX_BLOCK;
  if (first >= f->real_depth) return 0;
  return f->real_depth - first < KR_MX_BLOCK ? f->real_depth - first : KR_MX_BLOCK;
}

static bool fetch_entry(struct kr_mxmach *m, const struct fill *f, uint64_t addr,
                        struct kr_mx_block out[KT_MX_LANES])
{
  for (uint32_t l = 0; l < KT_MX_LANES; l++) {
    const uint8_t *beat = read_beat(m, f, addr + l * KT_MX_BEAT_BYTES);
    if (beat == NULL) return false;
    kr_mx_beat_unpack(beat, &out[l]);
  }
  return true;
}

static bool fetch_rows(struct kr_mxmach *m, const struct fill *f, uint64_t addr, uint32_t lanes,
                       uint32_t depth, uint16_t x[KT_MX_LANES][KR_MX_BLOCK])
{
  for (uint32_t l = 0; l < lanes; l++) {
    for (uint32_t i = 0; i < depth; i += HALVES) {
      const uint8_t *beat = read_beat(m, f, addr + l * f->lane_stride + 2 * i);
      if (beat == NULL) return false;
      read_halves(beat, &x[l][i]);
    }
  }
  return true;
}

static bool fetch_subtiles(struct kr_mxmach *m, const struct fill *f, uint64_t addr,
                           uint32_t depth, uint16_t x[KT_MX_LANES][KR_MX_BLOCK])
{
  for (uint32_t j = 0; j * SUBTILE < depth; j++) {
    uint16_t half[HALVES];
    const uint8_t *beat = read_beat(m, f, addr + j * KT_MX_BEAT_BYTES);
    if (beat == NULL) return false;
    read_halves(beat, half);
    for (uint32_t l = 0; l < KT_MX_LANES; l++)
      memcpy(&x[l][j * SUBTILE], &half[l * SUBTILE], SUBTILE * sizeof half[0]);
  }
  return true;
}

/* The four lanes of entry (g, k). */
static bool fetch(struct kr_mxmach *m, const struct fill *f, uint32_t g, uint32_t k,
                  struct kr_mx_block out[KT_MX_LANES])
{
  const uint64_t addr = f->addr + g * f->group_stride + k * f->block_stride;
  const uint32_t first = g * KT_MX_LANES, depth = depth_of(f, k);
  const uint32_t lanes = first >= f->real_lanes                ? 0
                         : f->real_lanes - first < KT_MX_LANES ? f->real_lanes - first
                                                               : KT_MX_LANES;
  uint16_t x[KT_MX_LANES][KR_MX_BLOCK];

  if (f->preq) return fetch_entry(m, f, addr, out);
  const bool ok = f->layout == 0 ? fetch_rows(m, f, addr, lanes, depth, x)
                                 : lanes == 0 || fetch_subtiles(m, f, addr, depth, x);
  if (!ok) return false;
  for (uint32_t l = 0; l < KT_MX_LANES; l++)
    kr_mx_quantise(x[l], 1, l < lanes ? depth : 0, &out[l]);
  return true;
}

static bool place(struct kr_mxmach *m, const struct fill *f, uint32_t g, uint32_t k)
{
  const uint32_t entry = f->first + k * f->pitch + g;
  struct kr_mx_block *to = &m->block[f->side][entry * KT_MX_LANES];

  if (!fetch(m, f, g, k, to)) return false;
  for (uint32_t l = 0; l < KT_MX_LANES; l++) {
    m->scale[f->side][entry * KT_MX_LANES + l] = scale_of(to[l].scale);
    m->total.poisoned += to[l].scale == KR_MX_POISON;
  }
  m->named[f->side][entry] = true;
  return true;
}

static struct fill decode(const struct kt_mx_flit *f, uint32_t instr)
{
  return (struct fill){
      .side = kt_mx_get(f, KT_MX_FIELD_FILL_SIDE),
      .preq = kt_mx_get(f, KT_MX_FIELD_FILL_PREQ),
      .layout = kt_mx_get(f, KT_MX_FIELD_FILL_LAYOUT),
      .instr = instr,
      .groups = kt_mx_get(f, KT_MX_FIELD_FILL_GROUPS),
      .blocks = kt_mx_get(f, KT_MX_FIELD_FILL_BLOCKS),
      .addr = kt_mx_get(f, KT_MX_FIELD_FILL_ADDR),
      .group_stride = kt_mx_get(f, KT_MX_FIELD_FILL_GROUP_STRIDE),
      .block_stride = kt_mx_get(f, KT_MX_FIELD_FILL_BLOCK_STRIDE),
      .lane_stride = kt_mx_get(f, KT_MX_FIELD_FILL_LANE_STRIDE),
      .real_lanes = kt_mx_get(f, KT_MX_FIELD_FILL_REAL_LANES),
      .real_depth = kt_mx_get(f, KT_MX_FIELD_FILL_REAL_DEPTH),
      .first = kt_mx_get(f, KT_MX_FIELD_FILL_BANK) * KR_MX_BANK +
               kt_mx_get(f, KT_MX_FIELD_FILL_OFFSET),
      .pitch = kt_mx_get(f, KT_MX_FIELD_FILL_PITCH),
  };
}

void kr_mx_fill(struct kr_mxmach *m, const struct kt_mx_flit *flit, uint32_t instr)
{
  const struct fill f = decode(flit, instr);
  const bool blocks_inside = kt_mx_get(flit, KT_MX_FIELD_FILL_ORDER) != 0;
  const uint32_t inner = blocks_inside ? f.blocks : f.groups;

  for (uint32_t i = 0; i < f.groups * f.blocks; i++) {
    const uint32_t in = i % inner, out = i / inner;
    if (!place(m, &f, blocks_inside ? out : in, blocks_inside ? in : out)) return;
  }
}

/* ---- QUANTISE --------------------------------------------------------------------------------- */

static uint64_t target(const struct kt_mx_flit *f, uint32_t g, uint32_t k)
{
  return kt_mx_get(f, KT_MX_FIELD_QUANTISE_TO) +
         ((uint64_t)g * kt_mx_get(f, KT_MX_FIELD_QUANTISE_PITCH) + k) * KT_MX_ENTRY_BYTES;
}

static bool store(struct kr_mxmach *m, uint64_t addr, const struct kr_mx_block block[KT_MX_LANES],
                  uint32_t instr)
{
  for (uint32_t l = 0; l < KT_MX_LANES; l++) {
    uint8_t *to = kr_mx_word(m, addr + l * KT_MX_BEAT_BYTES, true, instr);
    if (to == NULL) return false;
    kr_mx_beat_pack(&block[l], to);
    m->total.write_beats++;
    m->total.poisoned += block[l].scale == KR_MX_POISON;
  }
  return true;
}

static void mark_targets(struct kr_mxmach *m, const struct kt_mx_flit *flit, const struct fill *f)
{
  for (uint32_t g = 0; g < f->groups; g++)
    for (uint32_t i = 0; i < f->blocks * KT_MX_LANES; i++) {
      const uint64_t word = target(flit, g, 0) / KT_MX_BEAT_BYTES + i;
      if (word < m->mem_size / KT_MX_BEAT_BYTES)
        m->unwritten[word / 8] = (uint8_t)(m->unwritten[word / 8] | 1u << (word % 8));
    }
}

static struct fill decode_quantise(const struct kt_mx_flit *f, uint32_t instr)
{
  return (struct fill){
      .layout = kt_mx_get(f, KT_MX_FIELD_QUANTISE_LAYOUT),
      .instr = instr,
      .groups = kt_mx_get(f, KT_MX_FIELD_QUANTISE_GROUPS),
      .blocks = kt_mx_get(f, KT_MX_FIELD_QUANTISE_BLOCKS),
      .addr = kt_mx_get(f, KT_MX_FIELD_QUANTISE_ADDR),
      .group_stride = kt_mx_get(f, KT_MX_FIELD_QUANTISE_GROUP_STRIDE),
      .block_stride = kt_mx_get(f, KT_MX_FIELD_QUANTISE_BLOCK_STRIDE),
      .lane_stride = kt_mx_get(f, KT_MX_FIELD_QUANTISE_LANE_STRIDE),
      .real_lanes = kt_mx_get(f, KT_MX_FIELD_QUANTISE_REAL_LANES),
      .real_depth = kt_mx_get(f, KT_MX_FIELD_QUANTISE_REAL_DEPTH),
  };
}

/* Every DRAIN before it has completed when it starts, so all that they wrote may be read. */
void kr_mx_quantise_memory(struct kr_mxmach *m, const struct kt_mx_flit *flit, uint32_t instr)
{
  const struct fill f = decode_quantise(flit, instr);
  const size_t marks = (size_t)(m->mem_size / KT_MX_BEAT_BYTES / 8 + 1);
  struct kr_mx_block block[KT_MX_LANES];

  if (m->drains > 0) {
    kr_mx_fault_set(m, KT_MX_FAULT_UNDRAINED, 0, KR_MX_NODE, kr_mx_awaited(m), instr);
    return;
  }
  memset(m->unwritten, 0, marks);
  mark_targets(m, flit, &f);
  for (uint32_t i = 0; i < f.groups * f.blocks; i++) {
    const uint32_t g = i / f.blocks, k = i % f.blocks;
    if (!fetch(m, &f, g, k, block) || !store(m, target(flit, g, k), block, instr)) return;
  }
  memset(m->unwritten, 0, marks);
}
