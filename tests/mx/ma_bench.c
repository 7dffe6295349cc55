/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/mx/ma_bench.h"

#include "spec/model/kr_mxfp7.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

struct ma_bench ma;

/* ---- The bench's clock ------------------------------------------------------------------------ */

static void check_word(struct queue *q)
{
  const struct word *w = &q->word[q->head++ % WORDS];
  for (int i = 0; i < 32; i++)
    cr_assert(ma.out.l1_q[i] == w->q[i], "word %lu entry %u lane %u element %d: %d, want %d", ma.compared,
              w->entry, w->lane, i, ma.out.l1_q[i], w->q[i]);
  cr_assert(eq(u8, ma.out.l1_code, w->code));
  ma.compared++;
  ma.last_word = ma.cycle;
}

static bool heads(const struct queue *q)
{
  const struct word *w = &q->word[q->head % WORDS];
  return q->head != q->tail && w->side == ma.out.l1_side && w->entry == ma.out.l1_entry &&
         w->lane == ma.out.l1_lane;
}

/* Bursts whose last beat has been taken, in this cycle or before. */
static unsigned written(void)
{
  const bool now = ma.in.w_valid && ma.out.w_ready && ma.w_beat + 1 == ma.write[ma.next_w].beats;
  return ma.next_w + now;
}

static void see(void)
{
  ma.poisoned += ma.out.poisoned;
  ma.answers += ma.out.b_valid;
  cr_assert(ma.answers <= written(), "cycle %lu: an answer before the data", (unsigned long)ma.cycle);
  if (ma.out.fault) {
    ma.faults++;
    ma.fault_code = ma.out.fault_code;
    ma.fault_arg = ma.out.fault_arg;
    ma.fault_instr = ma.out.fault_instr;
  }
  if (!ma.out.l1_valid) return;
  if (heads(&ma.quantised))
    check_word(&ma.quantised);
  else if (heads(&ma.direct))
    check_word(&ma.direct);
  else
    cr_assert(false, "cycle %lu: side %d entry %u lane %u was not due", (unsigned long)ma.cycle,
              ma.out.l1_side, ma.out.l1_entry, ma.out.l1_lane);
}

void ma_tick(void)
{
  ks_dram_drive(&ma.dram, ma.cycle);
  ma_settle(&ma.in, &ma.out);
  ks_rules_sample(&ma.rules, ma.cycle);
  see();
  ks_dram_sample(&ma.dram, ma.cycle);
  ma_clock();
  ma.cycle++;
}

void ma_start(unsigned seed, uint32_t latency, uint64_t stalls)
{
  struct ks_config config = {.latency = latency, .stall_seed = stalls};
  memset(&ma, 0, sizeof ma);
  srand(seed);
  ma_open(&ma.pins, seed);
  for (unsigned i = 0; i < SIZE; i++) ma.image[i] = (uint8_t)(rand() >> 4);
  ks_dram_init(&ma.dram, &ma.pins, ma.image, SIZE);
  ks_dram_configure(&ma.dram, &config);
  ks_rules_init(&ma.rules, &ma.pins);
  ma.preq_bank = seed % 2 != 0;
  ma.in.memory_end = SIZE;
  ma.in.rst = true;
  for (int i = 0; i < 8; i++) {
    ks_dram_drive(&ma.dram, ma.cycle);
    ma_settle(&ma.in, &ma.out);
    ma_clock();
  }
  ma.in.rst = false;
  memcpy(ma.shadow, ma.image, SIZE);
}

/* ---- FILLs ------------------------------------------------------------------------------------ */

static uint32_t field(const struct kt_mx_flit *f, uint32_t number)
{
  return kt_mx_get(f, number);
}

static uint16_t half_at(uint64_t addr)
{
  return (uint16_t)(ma.image[addr] | ma.image[addr + 1] << 8);
}

static void want_preq(const struct kt_mx_flit *f, uint64_t addr, struct word *w, unsigned lane)
{
  uint32_t beat[8];
  memcpy(beat, ma.image + addr + BEAT * lane, BEAT);
  for (unsigned i = 0; i < 32; i++) {
    const uint64_t two = beat[7 * i / 32] | (uint64_t)beat[7 * i / 32 + 1] << 32;
    const unsigned q = (unsigned)(two >> 7 * i % 32) & 127;
    w->q[i] = (int8_t)(q < 64 ? (int)q : (int)q - 128);
  }
  w->code = (uint8_t)beat[7];
  ma.beats++;
  (void)f;
}

/* Lane `lane` of entry (g, k) at addr: what the quantiser makes of what is real. */
static void want_half(const struct kt_mx_flit *f, uint64_t addr, struct word *w, unsigned g, unsigned k)
{
  const bool tiles = field(f, KT_MX_FIELD_FILL_LAYOUT) != 0;
  const unsigned real_lanes = field(f, KT_MX_FIELD_FILL_REAL_LANES);
  const unsigned real_depth = field(f, KT_MX_FIELD_FILL_REAL_DEPTH);
  uint16_t x[32] = {0};
  struct kr_mx_block block;
  for (unsigned i = 0; i < 32; i++) {
    const bool real = 4 * g + w->lane < real_lanes && 32 * k + i < real_depth;
    const uint64_t at = tiles ? addr + i / 4 * BEAT + 8 * w->lane + 2 * (i % 4)
                              : addr + (uint64_t)w->lane * field(f, KT_MX_FIELD_FILL_LANE_STRIDE) + 2 * i;
    if (real) x[i] = half_at(at);
    if (tiles ? w->lane == 0 && i % 4 == 0 && real : i % 16 == 0 && real) ma.beats++;
  }
  kr_mx_quantise(x, 1, 32, &block);
  for (unsigned i = 0; i < 32; i++) w->q[i] = (int8_t)block.q[i];
  w->code = block.scale;
}

static void want_entry(const struct kt_mx_flit *f, unsigned g, unsigned k)
{
  const bool preq = field(f, KT_MX_FIELD_FILL_PREQ) != 0;
  const uint64_t addr = field(f, KT_MX_FIELD_FILL_ADDR) + (uint64_t)g * field(f, KT_MX_FIELD_FILL_GROUP_STRIDE) +
                        (uint64_t)k * field(f, KT_MX_FIELD_FILL_BLOCK_STRIDE);
  struct queue *q = preq ? &ma.direct : &ma.quantised;
  for (uint8_t lane = 0; lane < 4; lane++) {
    struct word *w = &q->word[q->tail++ % WORDS];
    w->side = field(f, KT_MX_FIELD_FILL_SIDE) != 0;
    w->entry = (uint16_t)(field(f, KT_MX_FIELD_FILL_BANK) << 8 |
                          (field(f, KT_MX_FIELD_FILL_OFFSET) + k * field(f, KT_MX_FIELD_FILL_PITCH) + g));
    w->lane = lane;
    if (preq)
      want_preq(f, addr, w, lane);
    else
      want_half(f, addr, w, g, k);
    ma.want_poisoned += w->code == KR_MX_POISON;
  }
}

static void want(const struct kt_mx_flit *f)
{
  const unsigned groups = field(f, KT_MX_FIELD_FILL_GROUPS), blocks = field(f, KT_MX_FIELD_FILL_BLOCKS);
  if (field(f, KT_MX_FIELD_FILL_ORDER) == 0)
    for (unsigned k = 0; k < blocks; k++)
      for (unsigned g = 0; g < groups; g++) want_entry(f, g, k);
  else
    for (unsigned g = 0; g < groups; g++)
      for (unsigned k = 0; k < blocks; k++) want_entry(f, g, k);
}

void ma_add_fill(const struct kt_mx_flit *f)
{
  ma.fill[ma.n_fills++] = *f;
  want(f);
}

void ma_drive_fill(void)
{
  if (ma.in.fill_valid && ma.out.fill_ready) ma.in.fill_valid = false, ma.next_fill++;
  if (ma.in.fill_valid || ma.next_fill == ma.n_fills) return;
  if (ma.gap != 0 && (unsigned)rand() % (ma.gap + 1) != 0) return;
  ma.in.fill_valid = true;
  ma.in.fill_instr = (uint16_t)ma.next_fill;
  memcpy(ma.in.fill_insn, ma.fill[ma.next_fill].word, sizeof ma.in.fill_insn);
}

uint32_t ma_below(uint32_t n)
{
  return (uint32_t)rand() % n;
}

void ma_random_fill(struct kt_mx_flit *f, unsigned most)
{
  static const uint32_t near[] = {128, 256, 64, 4096, 4064, 160};
  const unsigned groups = 1 + ma_below(most), blocks = 1 + ma_below(most / groups);
  const bool preq = ma_below(3) == 0;
  memset(f, 0, sizeof *f);
  f->word[0] = KT_MX_OP_FILL;
  kt_mx_set(f, KT_MX_FIELD_FILL_SIDE, ma_below(2));
  kt_mx_set(f, KT_MX_FIELD_FILL_PREQ, preq);
  kt_mx_set(f, KT_MX_FIELD_FILL_ORDER, ma_below(2));
  kt_mx_set(f, KT_MX_FIELD_FILL_LAYOUT, ma_below(2));
  kt_mx_set(f, KT_MX_FIELD_FILL_BANK, preq == ma.preq_bank); /* so that the two kinds' words differ */
  kt_mx_set(f, KT_MX_FIELD_FILL_GROUPS, groups);
  kt_mx_set(f, KT_MX_FIELD_FILL_BLOCKS, blocks);
  const uint32_t pitch = groups + (groups * blocks < 64 ? ma_below(3) : 0);
  kt_mx_set(f, KT_MX_FIELD_FILL_PITCH, pitch);
  kt_mx_set(f, KT_MX_FIELD_FILL_OFFSET, ma_below(257 - ((blocks - 1) * pitch + groups)));
  kt_mx_set(f, KT_MX_FIELD_FILL_GROUP_STRIDE, ma_below(2) ? near[ma_below(6)] : ma_below(9600 / most) * BEAT);
  kt_mx_set(f, KT_MX_FIELD_FILL_BLOCK_STRIDE, ma_below(2) ? near[ma_below(6)] : ma_below(9600 / most) * BEAT);
  kt_mx_set(f, KT_MX_FIELD_FILL_LANE_STRIDE, ma_below(2) ? near[ma_below(6)] : ma_below(400) * BEAT);
  kt_mx_set(f, KT_MX_FIELD_FILL_REAL_LANES, ma_below(3) ? 4 * groups : 1 + ma_below(4 * groups + 4));
  kt_mx_set(f, KT_MX_FIELD_FILL_REAL_DEPTH, ma_below(3) ? 32 * blocks : 1 + ma_below(32 * blocks + 4));
  const uint32_t edge = 4096 * ma_below(40) + 4096 - BEAT * ma_below(8);
  kt_mx_set(f, KT_MX_FIELD_FILL_ADDR, ma_below(2) ? edge : ma_below(3000) * BEAT);
}

void ma_finish(unsigned spare)
{
  for (unsigned long n = 0; n < LIMIT && (ma.next_fill != ma.n_fills || !ma.out.idle); n++) {
    ma_drive_fill();
    ma_tick();
  }
  for (unsigned n = 0; n < spare; n++) ma_tick();
}

void ma_check_fills(void)
{
  cr_assert(eq(uint, ma.next_fill, ma.n_fills));
  cr_assert(all(eq(uint, ma.quantised.head, ma.quantised.tail), eq(uint, ma.direct.head, ma.direct.tail)));
  cr_assert(all(eq(ulong, ma.dram.read_beats, ma.beats), eq(ulong, ma.poisoned, ma.want_poisoned)));
  cr_assert(all(eq(ulong, ma.faults, 0), eq(ulong, ma.rules.violations, 0)), "%s", ma.rules.first);
}

/* ---- Writes ----------------------------------------------------------------------------------- */

void ma_drive_write(unsigned gap)
{
  if (ma.in.aw_valid && ma.out.aw_ready) ma.in.aw_valid = false, ma.next_aw++;
  if (ma.in.w_valid && ma.out.w_ready) {
    ma.in.w_valid = false;
    if (++ma.w_beat == ma.write[ma.next_w].beats) ma.w_beat = 0, ma.next_w++;
  }
  if (!ma.in.aw_valid && ma.next_aw < ma.n_writes && ma_below(gap + 1) == 0) {
    ma.in.aw_valid = true;
    ma.in.aw_addr = ma.write[ma.next_aw].addr;
    ma.in.aw_beats = (uint8_t)ma.write[ma.next_aw].beats;
    ma.in.aw_instr = (uint16_t)(100 + ma.next_aw);
  }
  if (ma.in.w_valid || ma.next_w == ma.n_writes || ma_below(gap + 1) != 0) return;
  const uint64_t addr = ma.write[ma.next_w].addr + BEAT * ma.w_beat;
  const bool inside = ma.write[ma.next_w].addr + BEAT * (ma.write[ma.next_w].beats - 1) < ma.in.memory_end;
  ma.in.w_valid = true;
  ma.in.w_strobe = ma_below(8) != 0;
  for (int i = 0; i < 8; i++) ma.in.w_data[i] = (uint32_t)rand();
  if (inside && ma.in.w_strobe) memcpy(ma.shadow + addr, ma.in.w_data, BEAT);
}

void ma_finish_writes(unsigned gap)
{
  for (unsigned n = 0; n < LIMIT && (ma.next_w != ma.n_writes || ma.next_aw != ma.n_writes || !ma.out.idle); n++) {
    ma_drive_fill();
    ma_drive_write(gap);
    ma_tick();
  }
  for (int n = 0; n < 80; n++) {
    ma_drive_fill();
    ma_tick();
  }
  cr_assert(all(eq(uint, ma.next_aw, ma.n_writes), eq(uint, ma.next_w, ma.n_writes)));
}

void ma_add_write(uint64_t addr, unsigned beats)
{
  ma.write[ma.n_writes++] = (struct burst){addr, beats};
}
