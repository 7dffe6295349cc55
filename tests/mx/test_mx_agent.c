/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory agent in front of the harness's simulated memory: what FILLs bring to L1 against the
 * reference quantiser, beats read against what is real, write bursts against a shadow of memory.
 */
#include "tests/mx/ma_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long run_random(unsigned seed, uint32_t latency, uint64_t stalls, unsigned most)
{
  struct kt_mx_flit f;
  ma_start(seed, latency, stalls);
  ma.gap = seed % 3 == 0 ? 20 : 0;
  for (unsigned i = 0; i < FILLS; i++) {
    ma_random_fill(&f, most);
    ma_add_fill(&f);
  }
  ma_finish(40);
  ma_check_fills();
  return ma.compared;
}

Test(mx_agent, random_fills_bring_what_the_reference_quantises, .timeout = 120)
{
  unsigned long compared = 0;
  for (unsigned seed = 1; seed <= 24; seed++)
    compared += run_random(seed, seed % 4 * 17, seed % 2 ? seed : 0, seed % 5 == 0 ? 200 : 24);
  printf("agent: %lu words compared\n", compared);
  cr_assert(gt(ulong, compared, 50000));
}

/* ---- Rate ------------------------------------------------------------------------------------- */

enum kind { PREQ, ROWS, TILES };

/* One FILL of 64 entries in a layout that a GEMM uses; returns cycles from the FILL to its last word. */
static unsigned fill_cycles(enum kind kind, uint32_t latency, unsigned fills)
{
  struct kt_mx_flit f = {.word = {KT_MX_OP_FILL}};
  ma_start(7, latency, 0);
  kt_mx_set(&f, KT_MX_FIELD_FILL_PREQ, kind == PREQ);
  kt_mx_set(&f, KT_MX_FIELD_FILL_LAYOUT, kind == TILES);
  kt_mx_set(&f, KT_MX_FIELD_FILL_GROUPS, 8);
  kt_mx_set(&f, KT_MX_FIELD_FILL_BLOCKS, 8);
  kt_mx_set(&f, KT_MX_FIELD_FILL_PITCH, 8);
  kt_mx_set(&f, KT_MX_FIELD_FILL_GROUP_STRIDE, kind == PREQ ? 1024 : kind == ROWS ? 4 * 512 : 2048);
  kt_mx_set(&f, KT_MX_FIELD_FILL_BLOCK_STRIDE, kind == PREQ ? 128 : kind == ROWS ? 64 : 256);
  kt_mx_set(&f, KT_MX_FIELD_FILL_LANE_STRIDE, 512);
  kt_mx_set(&f, KT_MX_FIELD_FILL_REAL_LANES, 32);
  kt_mx_set(&f, KT_MX_FIELD_FILL_REAL_DEPTH, 256);
  for (unsigned i = 0; i < fills; i++) ma_add_fill(&f);
  ma_tick();
  const uint64_t from = ma.cycle;
  ma_finish(0);
  ma_check_fills();
  return (unsigned)(ma.last_word - from + 1);
}

Test(mx_agent, one_beat_a_cycle_in_every_layout, .timeout = 60)
{
  static const unsigned beats[] = {256, 512, 512}, overhead[] = {5, 12, 22};
  for (unsigned kind = PREQ; kind <= TILES; kind++)
    for (uint32_t latency = 0; latency <= 50; latency += 50) {
      const unsigned n = fill_cycles((enum kind)kind, latency, 4);
      printf("agent: kind %u latency %u: %u cycles for %u beats\n", kind, latency, n, 4 * beats[kind]);
      cr_assert(le(uint, n, 4 * beats[kind] + overhead[kind] + latency));
    }
}

/* binary16 and MXFP7 in turn: the words of one kind do not hold up those of the other. */
Test(mx_agent, kinds_in_turn_cost_nothing, .timeout = 60)
{
  struct kt_mx_flit f = {.word = {KT_MX_OP_FILL}};
  ma_start(7, 0, 0);
  kt_mx_set(&f, KT_MX_FIELD_FILL_GROUPS, 4);
  kt_mx_set(&f, KT_MX_FIELD_FILL_BLOCKS, 1);
  kt_mx_set(&f, KT_MX_FIELD_FILL_PITCH, 4);
  kt_mx_set(&f, KT_MX_FIELD_FILL_GROUP_STRIDE, 1024);
  kt_mx_set(&f, KT_MX_FIELD_FILL_LANE_STRIDE, 256);
  kt_mx_set(&f, KT_MX_FIELD_FILL_REAL_LANES, 16);
  kt_mx_set(&f, KT_MX_FIELD_FILL_REAL_DEPTH, 32);
  for (unsigned i = 0; i < 32; i++) {
    kt_mx_set(&f, KT_MX_FIELD_FILL_PREQ, i % 2);
    ma_add_fill(&f);
  }
  ma_tick();
  const uint64_t from = ma.cycle;
  ma_finish(0);
  ma_check_fills();
  const unsigned n = (unsigned)(ma.last_word - from + 1);
  printf("agent: kinds in turn: %u cycles for %lu beats\n", n, ma.beats);
  cr_assert(le(ulong, n, ma.beats + 12));
}

/* ---- Writes ----------------------------------------------------------------------------------- */

Test(mx_agent, write_bursts_of_every_length_at_every_edge, .timeout = 120)
{
  for (unsigned seed = 1; seed <= 20; seed++) {
    ma_start(seed, seed % 3 * 30, seed % 2 ? seed : 0);
    for (unsigned i = 0; i < FILLS; i++) {
      const unsigned beats = 1 + ma_below(8);
      ma_add_write(4096 + 8192 * i - (ma_below(2) ? BEAT * ma_below(9) : 2048), beats);
    }
    ma_finish_writes(seed % 4);
    cr_assert(all(eq(ulong, ma.answers, FILLS), eq(ulong, ma.faults, 0), eq(ulong, ma.rules.violations, 0)), "%s",
              ma.rules.first);
    cr_assert(memcmp(ma.image, ma.shadow, SIZE) == 0);
    cr_assert(gt(ulong, ma.dram.write_beats, FILLS));
  }
}

/* An aw a cycle, a beat a cycle. */
Test(mx_agent, writes_pass_at_a_beat_a_cycle, .timeout = 60)
{
  ma_start(3, 0, 0);
  for (unsigned i = 0; i < FILLS; i++) ma_add_write(8192 + 512 * i, 8);
  const uint64_t from = ma.cycle;
  ma_finish_writes(0);
  const unsigned long cycles = ma.dram.last_b - from, beats = ma.dram.write_beats;
  printf("agent: %lu cycles for %lu write beats\n", cycles, beats);
  cr_assert(all(eq(ulong, beats, 8 * FILLS), le(ulong, cycles, 8 * FILLS + 6)));
}

/* ---- Faults ----------------------------------------------------------------------------------- */

static void expect_fault(unsigned code, uint32_t arg, unsigned instr)
{
  cr_assert(all(eq(ulong, ma.faults, 1), eq(uint, ma.fault_code, code), eq(uint, ma.fault_arg, arg),
                eq(uint, ma.fault_instr, instr)),
            "faults %lu code %u arg 0x%x instr %u", ma.faults, ma.fault_code, ma.fault_arg, ma.fault_instr);
  cr_assert(all(eq(ulong, ma.rules.violations, 0), ma.out.idle));
}

/* After a fault and a clear the next FILL comes out right. */
static void recovers(void)
{
  struct kt_mx_flit f;
  ma.in.clear = true;
  ma_tick();
  ma.in.clear = false;
  ma.n_fills = ma.next_fill = 0;
  ma.quantised.head = ma.quantised.tail = ma.direct.head = ma.direct.tail = 0;
  ma.faults = ma.poisoned = ma.want_poisoned = ma.beats = 0;
  ma.dram.read_beats = 0;
  ma.in.memory_end = SIZE;
  ma.in.stop = false;
  for (int i = 0; i < 8; i++) {
    ma_random_fill(&f, 24);
    ma_add_fill(&f);
  }
  ma_finish(40);
  ma_check_fills();
}

static void preq_fill(struct kt_mx_flit *f, uint32_t addr, unsigned groups, uint32_t stride)
{
  *f = (struct kt_mx_flit){.word = {KT_MX_OP_FILL}};
  kt_mx_set(f, KT_MX_FIELD_FILL_PREQ, 1);
  kt_mx_set(f, KT_MX_FIELD_FILL_ADDR, addr);
  kt_mx_set(f, KT_MX_FIELD_FILL_GROUPS, groups);
  kt_mx_set(f, KT_MX_FIELD_FILL_BLOCKS, 1);
  kt_mx_set(f, KT_MX_FIELD_FILL_GROUP_STRIDE, stride);
  kt_mx_set(f, KT_MX_FIELD_FILL_PITCH, groups);
  kt_mx_set(f, KT_MX_FIELD_FILL_REAL_LANES, 4);
  kt_mx_set(f, KT_MX_FIELD_FILL_REAL_DEPTH, 32);
}

static const uint32_t ends[] = {0x8000, 0x8020, 0x8040, 0x8041, 0x8060, 0x8080, 0x8fff};

/* A FILL of MXFP7 entries whose third lies across the end of memory, at every place of the end. */
Test(mx_agent, reads_past_the_end_of_memory, .timeout = 60)
{
  struct kt_mx_flit f;
  for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
    for (unsigned run = 0; run < 2; run++) {
      ma_start(i + 1, run ? 20 : 0, run);
      const uint32_t stride = run ? 128 : 0x1000;
      ma.in.memory_end = ends[i];
      preq_fill(&f, 0x1000, 2, 128);
      ma_add_fill(&f);
      preq_fill(&f, 0x8000 - 2 * stride, 40, stride);
      ma_add_fill(&f);
      ma_finish(100);
      const uint32_t past = (ends[i] + 31) & ~UINT32_C(31);
      expect_fault(KT_MX_FAULT_MEMORY, run == 1 || past < 0x8080 ? past : 0x9000, 1);
      recovers();
    }
}

Test(mx_agent, addresses_past_32_bits_do_not_wrap, .timeout = 60)
{
  struct kt_mx_flit f;
  ma_start(5, 0, 0);
  preq_fill(&f, 0x1000, 3, 0xffffffe0);
  ma.in.memory_end = UINT64_C(1) << 32;
  ma.fill[ma.n_fills++] = f;
  preq_fill(&f, 0x1000, 1, 0); /* of its first entry words may come, until the fault is found */
  ma_add_fill(&f);
  ma.n_fills--;
  ma_finish(100);
  expect_fault(KT_MX_FAULT_MEMORY, 0x00000fe0, 0);
}

Test(mx_agent, writes_past_the_end_of_memory_write_nothing_and_are_answered, .timeout = 60)
{
  for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
    ma_start(i + 1, i % 2 * 20, i % 2);
    ma.in.memory_end = ends[i];
    ma_add_write(0x1000, 8);
    ma_add_write(0x2fe0, 8);
    ma_add_write(0x8000 - BEAT, 8);
    ma_add_write(0x3000, 3);
    ma_add_write(0x8000 - 8 * BEAT, 8);
    ma_add_write(UINT64_C(1) << 32, 2);
    ma_finish_writes(i % 3);
    if (ends[i] == 0x8fff)
      expect_fault(KT_MX_FAULT_MEMORY, 0, 105);
    else
      expect_fault(KT_MX_FAULT_MEMORY, (ends[i] + 31) & ~UINT32_C(31), 102);
    cr_assert(all(eq(ulong, ma.answers, 6), eq(int, memcmp(ma.image, ma.shadow, SIZE), 0)));
    recovers();
  }
}

static void window(uint64_t first, uint32_t kind, bool reads)
{
  struct ks_config config = ma.dram.config;
  config.faults[0] = (struct ks_fault_window){
      .first = first, .last = first, .kind = kind, .reads = reads, .writes = !reads};
  ks_dram_configure(&ma.dram, &config);
}

Test(mx_agent, error_responses_name_their_instruction, .timeout = 60)
{
  struct kt_mx_flit f;
  struct ks_config none;
  for (unsigned i = 0; i < 6; i++) {
    ma_start(i + 1, i * 9, 0);
    none = ma.dram.config;
    for (unsigned n = 0; n < 4; n++) {
      preq_fill(&f, 0x1000 * (n + 1), 4, 128);
      kt_mx_set(&f, KT_MX_FIELD_FILL_PREQ, i % 2);
      kt_mx_set(&f, KT_MX_FIELD_FILL_LANE_STRIDE, 64);
      kt_mx_set(&f, KT_MX_FIELD_FILL_REAL_LANES, 16);
      ma_add_fill(&f);
    }
    window(0x3000 + BEAT * i, i < 3 ? KS_FAULT_SLVERR : KS_FAULT_DECERR, true);
    ma_finish(100);
    expect_fault(KT_MX_FAULT_AXI_READ, i < 3 ? 2 : 3, 2);
    ks_dram_configure(&ma.dram, &none);
    recovers();
  }
  for (unsigned i = 0; i < 4; i++) {
    ma_start(i + 1, i * 9, 0);
    for (unsigned n = 0; n < 5; n++) ma_add_write(0x2000 * (n + 1) - 4 * BEAT, 8);
    window(0x6000 - 4 * BEAT * (i & 1) + 32, KS_FAULT_SLVERR, false);
    ma_finish_writes(0);
    expect_fault(KT_MX_FAULT_AXI_WRITE, 2, 102);
    cr_assert(eq(ulong, ma.answers, 5));
  }
}

/* A stop at any cycle of a run of FILLs and writes: bursts are finished, then quiet; a clear, then right. */
Test(mx_agent, stops_at_any_cycle_and_begins_anew, .timeout = 120)
{
  struct kt_mx_flit f;
  for (unsigned at = 1; at < 240; at += 3) {
    ma_start(at, at % 3 * 12, at % 2 ? at : 0);
    for (int i = 0; i < 12; i++) {
      ma_random_fill(&f, 12);
      ma_add_fill(&f);
    }
    for (unsigned i = 0; i < 8; i++) ma_add_write(SIZE - 8192 + 320 * i, 1 + ma_below(8));
    for (unsigned n = 0; n < at; n++) {
      ma_drive_fill();
      ma_drive_write(1);
      ma_tick();
    }
    const uint32_t asked = ma.dram.reads_in;
    const unsigned long words = ma.compared;
    ma.in.stop = true;
    ma_finish_writes(1);
    ma_finish(0);
    cr_assert(all(ma.out.idle, eq(ulong, ma.faults, 0), eq(ulong, ma.rules.violations, 0), eq(ulong, ma.answers, 8)));
    /* an address that was offered is taken; no word comes */
    cr_assert(all(le(u32, ma.dram.reads_in, asked + 1), eq(ulong, ma.compared, words)));
    cr_assert(ks_dram_idle(&ma.dram));
    recovers();
  }
}

/* Sub-tiles that still turn when the run has ended do not reach into the next one, however soon it begins. */
Test(mx_agent, a_clear_forgets_what_is_on_its_way, .timeout = 60)
{
  struct kt_mx_flit f;
  for (unsigned at = 1; at < 80; at++) {
    ma_start(at, 0, 0);
    preq_fill(&f, 0x1000, 4, 256);
    kt_mx_set(&f, KT_MX_FIELD_FILL_PREQ, 0);
    kt_mx_set(&f, KT_MX_FIELD_FILL_LAYOUT, 1);
    kt_mx_set(&f, KT_MX_FIELD_FILL_REAL_LANES, 16);
    kt_mx_set(&f, KT_MX_FIELD_FILL_REAL_DEPTH, 32);
    ma_add_fill(&f);
    for (unsigned n = 0; n < at; n++) {
      ma_drive_fill();
      ma_tick();
    }
    ma.in.stop = true;
    ma_tick();
    ma_finish(at % 3);
    cr_assert(ma.out.idle);
    recovers();
  }
}
