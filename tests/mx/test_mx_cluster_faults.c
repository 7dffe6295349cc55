/* SPDX-License-Identifier: Apache-2.0
 *
 * Every fault of docs/mx-machine.md that a cluster finds: code, field, argument and instruction; that all
 * ends quiet; and that the next program runs as on a fresh machine, in as many cycles.
 */
#include "tests/mx/cl_check.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

static struct cl_program program, good;
static struct cl_want want;
static unsigned faults;

struct rig {
  const struct cl_build *build;
  struct cl_bench *bench;
  uint64_t good_cycles; /* of the good program, on a fresh machine */
};

static struct rig rig_new(unsigned which)
{
  struct rig r = {.build = cl_builds[which], .bench = cl_bench_new(cl_builds[which])};
  struct cl_gen g;
  struct cl_result got;

  cl_want_new(&want);
  cl_gen_begin(&g, &good, r.build->l1_entries, r.build->tiles, 5);
  cl_gen_program(&g, 12, 200);
  cl_check_run(r.bench, r.build, &good, &cl_prompt, &want, &got);
  r.good_cycles = got.cycles;
  return r;
}

/* A block of two groups of each operand, and a GEMM that emits four sub-tiles to an armed DRAIN. */
static void begin(struct cl_gen *g, const struct rig *r, uint32_t seed)
{
  cl_gen_begin(g, &program, r->build->l1_entries, r->build->tiles, seed);
}

static struct kt_mx_flit *fill(struct cl_gen *g, unsigned side, unsigned offset, unsigned groups,
                               unsigned blocks)
{
  cl_gen_fill(g, side, 0, offset, groups, blocks, groups);
  return &program.insn[program.n - 1];
}

static struct kt_mx_flit *gemm(struct cl_gen *g, unsigned gm, unsigned gn, unsigned nk)
{
  struct kt_mx_flit *f = cl_gen_append(g, KT_MX_OP_GEMM);

  kt_mx_set(f, KT_MX_FIELD_GEMM_GM, gm);
  kt_mx_set(f, KT_MX_FIELD_GEMM_GN, gn);
  kt_mx_set(f, KT_MX_FIELD_GEMM_NK, nk);
  kt_mx_set(f, KT_MX_FIELD_GEMM_A_PITCH, gm);
  kt_mx_set(f, KT_MX_FIELD_GEMM_B_PITCH, gn);
  return f;
}

static struct kt_mx_flit *drain(struct cl_gen *g, bool fused, unsigned rows, unsigned columns,
                                unsigned tile)
{
  struct kt_mx_flit *f = cl_gen_append(g, KT_MX_OP_DRAIN);

  kt_mx_set(f, KT_MX_FIELD_DRAIN_FUSED, fused);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_ADDR, 64 * g->addr++);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_ROWS, rows);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_COLUMNS, columns);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_STRIDE, 32 * columns);
  kt_mx_set(f, KT_MX_FIELD_DRAIN_TILE, tile);
  return f;
}

/* The program faults at instruction `at` with this; what stands before is done or begun, the rest is
 * skipped; afterwards the good program runs as ever. */
static void check_fault(const struct rig *r, size_t at, unsigned code, unsigned field, uint32_t arg)
{
  struct cl_program before = program;
  struct cl_result got;
  struct cl_timing t = cl_random_timing(faults++);

  t.quiet = 70; /* as long as zeroing takes: cycles are compared */
  before.n = at;
  cl_reference(&before, r->build->acc_mw, &want);
  cl_bench_run(r->bench, &program, &want, &t, 0, &got);
  cr_assert(eq(str, got.trouble, ""), "%s, fault %u, field %u: %s", r->build->name, code, field,
            got.trouble);
  cr_assert(got.faulted && got.fault.code == code && got.fault.field == field &&
                got.fault.arg == arg && got.fault.instr == at,
            "%s: fault %u, field %u, argument 0x%x, instruction %u; want %u, %u, 0x%x, %zu",
            r->build->name, got.fault.code, got.fault.field, got.fault.arg, got.fault.instr, code,
            field, arg, at);
  cl_check_run(r->bench, r->build, &good, &cl_prompt, &want, &got);
  cr_assert(eq(u64, got.cycles, r->good_cycles), "%s after fault %u", r->build->name, code);
}

/* The program does not fault. */
static void check_legal(const struct rig *r)
{
  struct cl_result got;

  cl_check_run(r->bench, r->build, &program, &cl_prompt, &want, &got);
}

/* ---- What an instruction says ----------------------------------------------------------------- */

/* A legal instruction of each kind, which the caller changes. */
static struct kt_mx_flit *quantise(struct cl_gen *g)
{
  struct kt_mx_flit *f = cl_gen_append(g, KT_MX_OP_QUANTISE);
  static const uint32_t ones[] = {KT_MX_FIELD_QUANTISE_PITCH, KT_MX_FIELD_QUANTISE_GROUPS,
                                  KT_MX_FIELD_QUANTISE_BLOCKS, KT_MX_FIELD_QUANTISE_REAL_LANES,
                                  KT_MX_FIELD_QUANTISE_REAL_DEPTH};
  for (size_t i = 0; i < sizeof ones / sizeof ones[0]; i++) kt_mx_set(f, ones[i], 1);
  return f;
}

static struct kt_mx_flit *legal(struct cl_gen *g, uint32_t opcode)
{
  if (opcode == KT_MX_OP_QUANTISE) return quantise(g);
  if (opcode == KT_MX_OP_FILL) return fill(g, 1, 1, 2, 2);
  if (opcode == KT_MX_OP_GEMM) return gemm(g, 2, 2, 1);
  return drain(g, true, 1, 1, 0);
}

static void prefix(struct cl_gen *g, const struct rig *r)
{
  begin(g, r, ++faults);
  fill(g, 0, 0, 2, 2);
  fill(g, 1, 0, 2, 2);
  drain(g, true, 2, 2, 0);
  kt_mx_set(gemm(g, 2, 2, 2), KT_MX_FIELD_GEMM_EMIT, 1);
}

static void suffix(struct cl_gen *g)
{
  fill(g, 0, 0, 2, 2);
  drain(g, true, 1, 1, 0);
  gemm(g, 2, 2, 1);
  drain(g, false, 1, 1, 0);
}

static void refuse_field(const struct rig *r, const struct kt_mx_insn *in, uint32_t i, uint32_t value)
{
  struct cl_gen g;

  prefix(&g, r);
  kt_mx_set(legal(&g, in->opcode), in->first + i, value);
  suffix(&g);
  check_fault(r, 4, KT_MX_FAULT_FIELD, in->first + i, value);
}

Test(mx_cluster_faults, every_field_beyond_its_limits, .timeout = 300)
{
  const struct rig r = rig_new(0);
  unsigned tried = 0;

  for (size_t k = 0; k < kt_mx_n_insns; k++)
    for (uint32_t i = 0; i < kt_mx_insn[k].n_fields; i++) {
      const struct kt_mx_field *f = &kt_mx_insn[k].field[i];
      const uint32_t most = f->bits == 32 ? UINT32_MAX : (UINT32_C(1) << f->bits) - 1;
      if (f->min > 0) refuse_field(&r, &kt_mx_insn[k], i, f->min - 1), tried++;
      if (f->max < most) refuse_field(&r, &kt_mx_insn[k], i, f->max + 1), tried++;
      if (f->max < most) refuse_field(&r, &kt_mx_insn[k], i, most), tried++;
      for (uint32_t bit = 1; bit < f->multiple; bit *= 2)
        refuse_field(&r, &kt_mx_insn[k], i, 64 * f->multiple + bit), tried++;
    }
  cr_assert(gt(uint, tried, 50));
}

Test(mx_cluster_faults, every_reserved_bit_and_opcode, .timeout = 300)
{
  const struct rig r = rig_new(1);
  struct cl_gen g;

  for (size_t k = 0; k < kt_mx_n_insns; k++)
    for (uint32_t bit = 0; bit < 256; bit++) {
      if ((kt_mx_insn[k].used[bit / 32] >> bit % 32 & 1) != 0) continue;
      prefix(&g, &r);
      legal(&g, kt_mx_insn[k].opcode)->word[bit / 32] |= UINT32_C(1) << bit % 32;
      suffix(&g);
      check_fault(&r, 4, KT_MX_FAULT_RESERVED, 0, bit / 32);
    }
  for (uint32_t opcode = 0; opcode < 256; opcode++) {
    if (kt_mx_find(opcode) != NULL) continue;
    prefix(&g, &r);
    cl_gen_append(&g, opcode)->word[3] = ~UINT32_C(0);
    suffix(&g);
    check_fault(&r, 4, KT_MX_FAULT_OPCODE, 0, opcode);
  }
}

/* Two things are wrong: the page's order decides. */
Test(mx_cluster_faults, the_first_check_that_fails_is_named, .timeout = 60)
{
  const struct rig r = rig_new(0);
  struct cl_gen g;

  begin(&g, &r, 1);
  struct kt_mx_flit *f = gemm(&g, 300, 0, 0);
  f->word[7] = 1;
  check_fault(&r, 0, KT_MX_FAULT_FIELD, KT_MX_FIELD_GEMM_GM, 300);
  begin(&g, &r, 2);
  f = gemm(&g, 200, 200, 2);
  kt_mx_set(f, KT_MX_FIELD_GEMM_A_PITCH, 1);
  f->word[7] = 1;
  check_fault(&r, 0, KT_MX_FAULT_RESERVED, 0, 7);
  f->word[7] = 0;
  check_fault(&r, 0, KT_MX_FAULT_PITCH, KT_MX_FIELD_GEMM_A_PITCH, 1);
  kt_mx_set(f, KT_MX_FIELD_GEMM_A_PITCH, 200);
  kt_mx_set(f, KT_MX_FIELD_GEMM_B_PITCH, 199);
  check_fault(&r, 0, KT_MX_FAULT_PITCH, KT_MX_FIELD_GEMM_B_PITCH, 199);
  kt_mx_set(f, KT_MX_FIELD_GEMM_B_PITCH, 200);
  check_fault(&r, 0, KT_MX_FAULT_L1_SPAN, KT_MX_FIELD_GEMM_A_OFFSET, 399);
  kt_mx_set(f, KT_MX_FIELD_GEMM_GM, 128);
  kt_mx_set(f, KT_MX_FIELD_GEMM_A_PITCH, 128);
  check_fault(&r, 0, KT_MX_FAULT_L1_SPAN, KT_MX_FIELD_GEMM_B_OFFSET, 399);
  kt_mx_set(f, KT_MX_FIELD_GEMM_NK, 1);
  check_fault(&r, 0, KT_MX_FAULT_TILE_SPAN, KT_MX_FIELD_GEMM_TILE, 128 * 200 - 1);
}

/* ---- Capacities at the limit and past it ------------------------------------------------------- */

Test(mx_cluster_faults, fills_end_with_their_bank, .timeout = 120)
{
  for (unsigned which = 0; which < CL_BUILDS; which++) {
    const struct rig r = rig_new(which);
    const unsigned bank = r.build->l1_entries / 2;
    struct cl_gen g;
    for (unsigned over = 0; over < 3; over++) {
      begin(&g, &r, over);
      kt_mx_set(fill(&g, 0, bank - 5 + over, 2, 2), KT_MX_FIELD_FILL_PITCH, 2);
      suffix(&g);
      program.n = 1;
      if (over < 2) check_legal(&r);
      else check_fault(&r, 0, KT_MX_FAULT_L1_SPAN, KT_MX_FIELD_FILL_OFFSET, bank);
    }
    begin(&g, &r, 9);
    struct kt_mx_flit *f = fill(&g, 1, 0, 1, 2);
    kt_mx_set(f, KT_MX_FIELD_FILL_PITCH, bank - 1);
    check_legal(&r);
    kt_mx_set(f, KT_MX_FIELD_FILL_PITCH, bank);
    check_fault(&r, 0, KT_MX_FAULT_L1_SPAN, KT_MX_FIELD_FILL_OFFSET, bank);
    kt_mx_set(f, KT_MX_FIELD_FILL_GROUPS, 256);
    kt_mx_set(f, KT_MX_FIELD_FILL_BLOCKS, 256);
    kt_mx_set(f, KT_MX_FIELD_FILL_PITCH, 256);
    kt_mx_set(f, KT_MX_FIELD_FILL_OFFSET, 255);
    check_fault(&r, 0, KT_MX_FAULT_L1_SPAN, KT_MX_FIELD_FILL_OFFSET, 255 + 255 * 256 + 255);
    cl_bench_free(r.bench);
  }
}

Test(mx_cluster_faults, tiles_end_with_the_tile, .timeout = 120)
{
  for (unsigned which = 0; which < CL_BUILDS; which++) {
    const struct rig r = rig_new(which);
    const unsigned tiles = r.build->tiles;
    struct cl_gen g;
    for (unsigned over = 0; over < 3; over++) {
      begin(&g, &r, over);
      fill(&g, 0, 0, 2, 1);
      fill(&g, 1, 0, 2, 1);
      kt_mx_set(gemm(&g, 2, 2, 1), KT_MX_FIELD_GEMM_TILE, tiles - 4);
      if (over < 2) kt_mx_set(gemm(&g, 2, 2, 1), KT_MX_FIELD_GEMM_TILE, tiles - 5 + over);
      drain(&g, false, 2, 2, tiles - 5 + (over == 0 ? 1 : over));
      if (over < 2) check_legal(&r);
      else check_fault(&r, 3, KT_MX_FAULT_TILE_SPAN, KT_MX_FIELD_DRAIN_TILE, tiles);
    }
    begin(&g, &r, 9);
    fill(&g, 0, 0, 2, 1);
    fill(&g, 1, 0, 2, 1);
    kt_mx_set(gemm(&g, 2, 2, 1), KT_MX_FIELD_GEMM_TILE, tiles - 3);
    check_fault(&r, 2, KT_MX_FAULT_TILE_SPAN, KT_MX_FIELD_GEMM_TILE, tiles);
    begin(&g, &r, 10);
    drain(&g, false, 512, 512, 511);
    check_fault(&r, 0, KT_MX_FAULT_TILE_SPAN, KT_MX_FIELD_DRAIN_TILE, 511 + 512 * 512 - 1);
    cl_bench_free(r.bench);
  }
}

/* ---- What a program does ---------------------------------------------------------------------- */

/* Entries of an earlier run are there, but count as unwritten. */
Test(mx_cluster_faults, entries_and_words_of_this_run_only, .timeout = 120)
{
  for (unsigned which = 0; which < CL_BUILDS; which++) {
    const struct rig r = rig_new(which);
    const unsigned bank = r.build->l1_entries / 2;
    struct cl_gen g;
    for (unsigned side = 0; side < 2; side++) {
      begin(&g, &r, side);
      for (unsigned i = 0; i < 4; i++) cl_gen_fill(&g, i / 2, i % 2, 0, bank, 1, 1);
      check_legal(&r);
      begin(&g, &r, side + 2);
      fill(&g, side, 0, 2, 3);
      fill(&g, !side, 0, 2, 2);
      gemm(&g, 2, 2, 3);
      suffix(&g);
      check_fault(&r, 2, KT_MX_FAULT_L1_EMPTY, side == 0 ? KT_MX_FIELD_GEMM_B_OFFSET : KT_MX_FIELD_GEMM_A_OFFSET, 4);
      begin(&g, &r, side + 4);
      fill(&g, 0, 0, 2, 1);
      fill(&g, 1, 0, 2, 1);
      kt_mx_set(gemm(&g, 2, 2, 1), side == 0 ? KT_MX_FIELD_GEMM_A_BANK : KT_MX_FIELD_GEMM_B_BANK, 1);
      suffix(&g);
      check_fault(&r, 2, KT_MX_FAULT_L1_EMPTY, side == 0 ? KT_MX_FIELD_GEMM_A_OFFSET : KT_MX_FIELD_GEMM_B_OFFSET, 256);
    }
    begin(&g, &r, 6);
    fill(&g, 0, 0, 2, 1);
    fill(&g, 1, 0, 2, 1);
    kt_mx_set(gemm(&g, 1, 2, 1), KT_MX_FIELD_GEMM_TILE, 4);
    struct kt_mx_flit *f = gemm(&g, 2, 2, 1);
    kt_mx_set(f, KT_MX_FIELD_GEMM_TILE, 4);
    kt_mx_set(f, KT_MX_FIELD_GEMM_ACC, 1);
    suffix(&g);
    check_fault(&r, 3, KT_MX_FAULT_TILE_EMPTY, KT_MX_FIELD_GEMM_TILE, 6);
    begin(&g, &r, 7);
    fill(&g, 0, 0, 2, 1);
    fill(&g, 1, 0, 2, 1);
    kt_mx_set(gemm(&g, 1, 2, 1), KT_MX_FIELD_GEMM_TILE, 4);
    drain(&g, false, 1, 3, 4);
    suffix(&g);
    program.n = 5;
    check_fault(&r, 3, KT_MX_FAULT_TILE_EMPTY, KT_MX_FIELD_DRAIN_TILE, 6);
    cl_bench_free(r.bench);
  }
}

/* `first` and `second` sub-tiles are armed; two GEMMs of 4 emit. */
static void check_armed(const struct rig *r, unsigned first, unsigned second, size_t at)
{
  struct cl_gen g;

  begin(&g, r, first);
  fill(&g, 0, 0, 2, 1);
  fill(&g, 1, 0, 2, 1);
  if (first > 0) drain(&g, true, first, 1, 0);
  if (second > 0) drain(&g, true, 1, second, 0);
  kt_mx_set(gemm(&g, 2, 2, 1), KT_MX_FIELD_GEMM_EMIT, 1);
  kt_mx_set(gemm(&g, 2, 2, 1), KT_MX_FIELD_GEMM_EMIT, 1);
  if (at == 0) {
    check_legal(r);
  } else {
    suffix(&g);
    check_fault(r, at, KT_MX_FAULT_NOT_ARMED, 0, 0);
  }
}

Test(mx_cluster_faults, emitted_subtiles_need_their_drains, .timeout = 120)
{
  for (unsigned which = 0; which < CL_BUILDS; which++) {
    const struct rig r = rig_new(which);
    check_armed(&r, 0, 0, 2);
    check_armed(&r, 3, 0, 3);
    check_armed(&r, 2, 1, 4);
    check_armed(&r, 4, 0, 4);
    check_armed(&r, 7, 0, 4);
    check_armed(&r, 4, 3, 5);
    check_armed(&r, 2, 5, 5);
    check_armed(&r, 8, 0, 0);
    check_armed(&r, 3, 5, 0);
    cl_bench_free(r.bench);
  }
}

/* ---- A fault elsewhere ------------------------------------------------------------------------ */

/* stop_i in any cycle of any program: everything completes, what has left is right, and the next
 * program is as ever. */
Test(mx_cluster_faults, stopped_at_any_time, .timeout = 300)
{
  uint64_t cut = 0, beats = 0;

  for (unsigned which = 0; which < CL_BUILDS; which++) {
    const struct rig r = rig_new(which);
    for (uint32_t seed = 1; seed <= 150; seed++) {
      struct cl_timing t = cl_random_timing(seed);
      struct cl_result whole, got;
      struct cl_gen g;
      t.quiet = 70;
      cl_gen_begin(&g, &program, r.build->l1_entries, r.build->tiles, 7000 + seed);
      cl_gen_program(&g, 12, 100);
      cl_check_run(r.bench, r.build, &program, &t, &want, &whole);
      cl_bench_run(r.bench, &program, &want, &t, 1 + cl_hash(seed, 3) % whole.cycles, &got);
      cr_assert(eq(str, got.trouble, ""), "%s, seed %u: %s", r.build->name, seed, got.trouble);
      cr_assert(not(got.faulted));
      cut += got.beats < whole.beats;
      beats += got.beats;
      cl_check_run(r.bench, r.build, &good, &cl_prompt, &want, &got);
      cr_assert(eq(u64, got.cycles, r.good_cycles), "%s, seed %u", r.build->name, seed);
    }
    cl_bench_free(r.bench);
  }
  printf("stopped: %llu runs before their last beat, %llu beats compared\n", (unsigned long long)cut,
         (unsigned long long)beats);
  cr_assert(all(gt(u64, cut, 200), gt(u64, beats, 1000)));
}

/* Runs that follow each other before the flags of the last one have been zeroed. */
Test(mx_cluster_faults, clear_in_quick_succession, .timeout = 60)
{
  const struct cl_timing quick = {.seed = 3};

  for (unsigned n = 0; n < 20 * CL_BUILDS; n++) {
    static struct rig r;
    struct cl_gen g;
    struct cl_result got;
    const unsigned i = n % 20;
    if (i == 0) r = rig_new(n / 20);
    begin(&g, &r, i);
    fill(&g, 0, 0, 2, 1);
    fill(&g, 1, 0, i % 3 == 2 ? 1 : 2, 1);
    gemm(&g, 2, 2, 1);
    cl_reference(&program, r.build->acc_mw, &want);
    cl_bench_run(r.bench, &program, &want, &quick, 0, &got);
    cr_assert(eq(str, got.trouble, ""), "%s", got.trouble);
    cr_assert(eq(int, got.faulted, i % 3 == 2));
    if (got.faulted) cr_assert(all(eq(uint, got.fault.code, KT_MX_FAULT_L1_EMPTY), eq(u32, got.fault.arg, 1)));
  }
}
