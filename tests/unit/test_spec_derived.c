/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from the actions, against the worked facts of the instruction set's documentation.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/kt_actions.h"
#include "spec/kt_insn.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct kt_params parsed(const char *text)
{
  struct kt_params p;
  struct kt_msg m = {""};

  cr_assert(eq(int, kt_params_parse(&p, text, &m), KT_OK), "%s: %s", text, m.text);
  return p;
}

static uint32_t index_of(uint32_t op)
{
  return (uint32_t)(kt_opcode(op) - kt_isa.opcode);
}

struct steps_case {
  uint32_t op, mode, t, nr;
  uint32_t want[KT_UNITS]; /* sequencer dma_ld spm vru array accu dma_st */
};

Test(spec_derived, steps_of_every_unit_are_the_documented_ones, .timeout = 5)
{
  static const struct steps_case cases[] = {
      {KT_OP_DMA_LD, 0, 4, 8, {0, 8, 8, 0, 0, 0, 0}},
      {KT_OP_DMA_LD, 1, 4, 8, {0, 8, 8, 0, 0, 0, 0}},
      {KT_OP_DMA_LD, 2, 4, 8, {0, 8, 0, 8, 0, 0, 0}},
      {KT_OP_DMA_LD, 3, 8, 5, {0, 5, 0, 5, 0, 0, 0}},
      {KT_OP_VLD, 0, 4, 8, {0, 0, 8, 8, 0, 0, 0}},
      {KT_OP_MM, 0, 4, 8, {0, 0, 5, 8, 13, 8, 0}},
      {KT_OP_MM, 0, 8, 127, {0, 0, 9, 127, 136, 127, 0}},
      {KT_OP_MM, 0, 16, 1, {0, 0, 17, 1, 18, 1, 0}},
      {KT_OP_VADD, 0, 4, 8, {0, 0, 0, 0, 0, 16, 0}},
      {KT_OP_VRELU, 0, 4, 8, {0, 0, 0, 0, 0, 8, 0}},
      {KT_OP_MVOUT, 0, 4, 8, {0, 0, 0, 0, 0, 8, 8}},
      {KT_OP_LOOP, 0, 4, 8, {1, 0, 0, 0, 0, 0, 0}},
      {KT_OP_ENDLOOP, 0, 4, 8, {1, 0, 0, 0, 0, 0, 0}},
      {KT_OP_VADDRELU, 0, 4, 8, {0, 0, 0, 0, 0, 16, 0}},
      {KT_OP_NOP, 0, 4, 8, {0, 0, 0, 0, 0, 0, 0}},
      {KT_OP_DMA_ST, 0, 4, 8, {0, 0, 0, 0, 0, 0, 0}},
      {63, 0, 4, 8, {0, 0, 0, 0, 0, 0, 0}},
  };

  for (size_t i = 0; i < COUNT(cases); i++) {
    const struct steps_case *c = &cases[i];
    for (uint32_t u = 0; u < KT_UNITS; u++) {
      uint32_t f[4] = {c->mode, 0, 0, 0};
      cr_assert(eq(u32, kt_steps(c->op, u, c->nr, f, c->t), c->want[u]),
                "op %u mode %u T %u unit %s", c->op, c->mode, c->t, kt_unit_name(u));
    }
  }
}

Test(spec_derived, an_accumulating_mm_costs_what_an_overwriting_one_does, .timeout = 5)
{
  for (uint32_t u = 0; u < KT_UNITS; u++) {
    uint32_t first[4] = {0, 0, 0, 0}, later[4] = {0, 0, 1, 0};
    cr_assert(eq(u32, kt_steps(KT_OP_MM, u, 9, first, 4), kt_steps(KT_OP_MM, u, 9, later, 4)));
  }
}

Test(spec_derived, only_an_accumulating_mm_reads_ar, .timeout = 5)
{
  uint32_t f[4] = {1, 1, 0, 1};
  int port = 0;

  while (strcmp(kt_isa.unit[KT_UNIT_ACCU].port[port].name, "ar.read") != 0) port++;
  cr_assert(eq(
      u32, kt_port_items(&kt_isa, index_of(KT_OP_MM), KT_UNIT_ACCU, (uint32_t)port, f, 4).per_row,
      0));
  f[2] = 1;
  cr_assert(eq(
      u32, kt_port_items(&kt_isa, index_of(KT_OP_MM), KT_UNIT_ACCU, (uint32_t)port, f, 4).per_row,
      1));
}

Test(spec_derived, units_of_an_opcode_follow_from_its_actions, .timeout = 5)
{
  enum { SEQ = 1, LD = 2, SPM = 4, VRU = 8, ARRAY = 16, ACCU = 32, ST = 64 };
  static const uint32_t want[] = {
      0,   LD | SPM | VRU, 0, SPM | VRU, SPM | ARRAY | VRU | ACCU, ACCU, ACCU, ACCU | ST, SEQ, SEQ,
      ACCU};

  for (uint32_t op = 0; op < COUNT(want); op++)
    cr_assert(eq(u32, kt_opcode_units(&kt_isa, index_of(op)), want[op]), "%s", kt_opcode(op)->name);
}

Test(spec_derived, only_mm_and_the_additions_are_rewritten, .timeout = 5)
{
  unsigned found = 0;

  for (uint32_t op = 0; op <= KT_OP_VADDRELU; op++)
    for (uint32_t u = 0; u < KT_UNITS; u++) {
      struct kt_cost to;
      if (!kt_rewrite(&kt_isa, index_of(op), u, 8, &to)) continue;
      found++;
      bool mm = op == KT_OP_MM && u == KT_UNIT_SPM && to.fixed == 9 && to.per_row == 0;
      bool additions = (op == KT_OP_VADD || op == KT_OP_VADDRELU) && u == KT_UNIT_ACCU &&
                       to.fixed == 0 && to.per_row == 2;
      cr_assert(mm || additions, "%s on %s", kt_opcode(op)->name, kt_unit_name(u));
      cr_assert(le(u32, to.fixed + to.per_row * KT_NR_MAX, (1u << KT_W0_NR_BITS) - 1));
    }
  cr_assert(eq(u32, found, 3));
}

Test(spec_derived, the_sequencer_dispatches_to_five_units, .timeout = 5)
{
  for (uint32_t u = 0; u < KT_UNITS; u++)
    cr_assert(eq(int, kt_unit_dispatched(&kt_isa, u), u != KT_UNIT_SEQUENCER && u != KT_UNIT_ARRAY),
              "%s", kt_unit_name(u));
  cr_assert(eq(int, kt_isa.unit[KT_UNIT_ARRAY].fed_by, KT_UNIT_SPM));
}

static const char *access_text(const char *memory, bool writes)
{
  static char text[512];
  struct kt_access a[8];
  size_t n = kt_memory_access(memory, writes, a, 8), used = 0;

  text[0] = '\0';
  for (size_t i = 0; i < n; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s%s", i > 0 ? "; " : "",
                             kt_opcode(a[i].op)->name, a[i].purpose == NULL ? "" : " ",
                             a[i].purpose == NULL ? "" : a[i].purpose,
                             a[i].condition == NULL ? "" : a[i].condition);
  return text;
}

Test(spec_derived, readers_and_writers_of_each_memory_follow_from_the_actions, .timeout = 5)
{
  static const struct {
    const char *memory, *writers, *readers;
  } want[] = {
      {"spad", "dma_ld(mode & 2) == 0", "vld the row to copy; mm weights"},
      {"vr", "dma_ld(mode & 2) == 2; vld", "mm activations"},
      {"ar", "mm; vadd; vrelu; vaddrelu",
       "mm the base to add toacc == 1; vadd a source; vrelu a source; mvout the value to retire; "
       "vaddrelu a source"},
      {"A", "", "dma_ld(mode & 1) == 0"},
      {"B", "", "dma_ld(mode & 1) == 1"},
      {"C", "mvout", ""},
      {"imem", "", ""},
  };

  for (size_t i = 0; i < COUNT(want); i++) {
    cr_assert(eq(str, (char *)access_text(want[i].memory, true), (char *)want[i].writers), "%s",
              want[i].memory);
    cr_assert(eq(str, (char *)access_text(want[i].memory, false), (char *)want[i].readers), "%s",
              want[i].memory);
  }
}

static void add(struct kt_counts *c, uint32_t op, uint32_t nr, uint32_t f0, uint32_t f1,
                uint32_t f2, uint32_t f3)
{
  uint32_t f[4] = {f0, f1, f2, f3};

  kt_counts_add(c, op, nr, f);
}

Test(spec_derived, header_counts_are_the_sums_of_steps, .timeout = 5)
{
  static const uint64_t want[KT_HDR_COUNT] = {
      9, 4 + 5 + 3, 5 + 4 + 2 * 5, 4 + 3 + 4 + 6 + 7, 2, 13, 13 + 6 + 5 + 10 + 12,
      5, 11 + 4,    20 + 5};
  static const uint64_t words[KT_NHDR] = {9, 12, 19, 24, 2 | 13 << 16, 46, 5, 15 | 25 << 16};
  struct kt_counts c;
  struct kt_msg m = {""};
  uint64_t header[KT_NHDR];

  kt_counts_init(&c, 4, 9);
  add(&c, KT_OP_DMA_LD, 4, 2, 11, 0, 0); /* A rows 11..14 to vr */
  add(&c, KT_OP_DMA_LD, 5, 1, 20, 0, 0); /* B rows 20..24 to spad */
  add(&c, KT_OP_DMA_LD, 3, 2, 0, 0, 0);
  add(&c, KT_OP_VLD, 4, 0, 0, 0, 0);
  add(&c, KT_OP_LOOP, 9, 0, 0, 0, 0);
  add(&c, KT_OP_MM, 6, 0, 0, 0, 0);
  add(&c, KT_OP_MM, 7, 0, 0, 1, 0);
  add(&c, KT_OP_ENDLOOP, 0, 0, 0, 0, 0);
  add(&c, KT_OP_VRELU, 6, 0, 0, 0, 0);
  add(&c, KT_OP_VADD, 5, 0, 0, 0, 0);
  add(&c, KT_OP_VADDRELU, 6, 0, 0, 0, 0);
  add(&c, KT_OP_MVOUT, 5, 0, 3, 0, 0);
  add(&c, 63, 5, 0, 3, 0, 0);
  /* accu: 13 of mm, 6 vrelu, 10 vadd, 12 vaddrelu, 5 mvout */
  for (size_t i = 0; i < KT_HDR_COUNT; i++)
    cr_assert(eq(u64, c.slot[i], want[i]), "slot %s", kt_isa.slot[i].name);
  cr_assert(eq(int, kt_counts_header(&c, header, &m), KT_OK));
  for (size_t i = 0; i < KT_NHDR; i++) cr_assert(eq(u64, header[i], words[i]), "word %zu", i);
}

Test(spec_derived, a_count_past_fifteen_bits_is_refused_by_name, .timeout = 5)
{
  struct kt_counts c;
  struct kt_msg m = {""};
  uint64_t header[KT_NHDR];

  kt_counts_init(&c, 4, 1);
  c.slot[KT_HDR_ACCU_ITERATIONS] = 32767;
  cr_assert(eq(int, kt_counts_header(&c, header, &m), KT_OK));
  c.slot[KT_HDR_ACCU_ITERATIONS] = 32768;
  cr_assert(eq(int, kt_counts_header(&c, header, &m), KT_ELIMIT));
  cr_assert(eq(str, m.text, "header count accu_iterations = 32768 does not fit: at most 32767"));
}

struct bound_case {
  uint32_t op, field, mode;
  const char *memory; /* NULL: no row operand */
  uint32_t rows, depth;
};

Test(spec_derived, the_rows_an_operand_touches_follow_from_the_actions, .timeout = 5)
{
  struct kt_params p = parsed("MAXDIM=16,SPAD=100,NVR=200,NAR=300");
  static const struct bound_case cases[] = {
      {KT_OP_DMA_LD, 0, 0, NULL, 0, 0},     {KT_OP_DMA_LD, 1, 0, "A", 7, 16},
      {KT_OP_DMA_LD, 1, 1, "B", 7, 16},     {KT_OP_DMA_LD, 2, 0, NULL, 0, 0},
      {KT_OP_DMA_LD, 3, 1, "spad", 7, 100}, {KT_OP_DMA_LD, 3, 2, "vr", 7, 200},
      {KT_OP_VLD, 0, 0, "vr", 7, 200},      {KT_OP_VLD, 1, 0, "spad", 7, 100},
      {KT_OP_VLD, 2, 0, NULL, 0, 0},        {KT_OP_MM, 0, 0, "vr", 7, 200},
      {KT_OP_MM, 1, 0, "ar", 7, 300},       {KT_OP_MM, 2, 0, NULL, 0, 0},
      {KT_OP_MM, 3, 0, "spad", 4, 100},     {KT_OP_VADD, 0, 0, "ar", 7, 300},
      {KT_OP_VADD, 2, 0, "ar", 7, 300},     {KT_OP_VRELU, 1, 0, "ar", 7, 300},
      {KT_OP_MVOUT, 0, 0, "ar", 7, 300},    {KT_OP_MVOUT, 1, 0, "C", 7, 16},
      {KT_OP_MVOUT, 2, 0, NULL, 0, 0},      {KT_OP_LOOP, 0, 0, NULL, 0, 0},
  };

  for (size_t i = 0; i < COUNT(cases); i++) {
    uint32_t f[4] = {cases[i].mode, 0, 0, 0};
    struct kt_bound b = {NULL, -1, 0, 0};
    bool any = kt_operand_bound(&p, cases[i].op, cases[i].field, 7, f, &b);
    cr_assert(eq(int, any, cases[i].memory != NULL), "case %zu", i);
    if (!any) continue;
    cr_assert(eq(str, (char *)b.memory, (char *)cases[i].memory), "case %zu", i);
    cr_assert(eq(u32, b.rows, cases[i].rows), "case %zu", i);
    cr_assert(eq(u32, b.depth, cases[i].depth), "case %zu", i);
  }
}

Test(spec_derived, maxdim_ceilings_are_88_76_at_4_and_128_120_at_8, .timeout = 5)
{
  cr_assert(eq(u32, kt_maxdim_ceiling("addressing", 4), 88));
  cr_assert(eq(u32, kt_maxdim_ceiling("cubic_header", 4), 76));
  cr_assert(eq(u32, kt_maxdim_ceiling("addressing", 8), 128));
  cr_assert(eq(u32, kt_maxdim_ceiling("cubic_header", 8), 120));
  cr_assert(eq(u32, kt_maxdim_ceiling("nope", 8), 0));
  cr_assert(eq(u32, kt_maxdim_ceiling("addressing", 0), 0));
  cr_assert(eq(u32, (uint32_t)kt_isa.n_ceilings, 2));
}

/* By arithmetic of our own: the value holds and the next multiple of T does not. */
Test(spec_derived, ceilings_are_the_last_multiple_that_holds, .timeout = 5)
{
  for (uint64_t t = 4; t <= 16; t *= 2) {
    uint64_t a = kt_maxdim_ceiling("addressing", (uint32_t)t),
             b = kt_maxdim_ceiling("cubic_header", (uint32_t)t);
    cr_assert(a / t * a <= 2048 && (a + t) / t * (a + t) > 2048);
    cr_assert(b * b * b / (t * t) + b * b / t <= 32767);
    b += t;
    cr_assert(b * b * b / (t * t) + b * b / t > 32767);
  }
}

static struct kt_gemm_limits limits_of(const struct kt_params *p, uint32_t m, uint32_t k,
                                       uint32_t n)
{
  struct kt_gemm_limits l;
  struct kt_msg msg = {""};

  cr_assert(eq(int, kt_gemm_limits(p, m, k, n, &l, &msg), KT_OK), "%s", msg.text);
  return l;
}

Test(spec_derived, splitting_the_load_of_B_admits_32_and_64_rows_at_128, .timeout = 5)
{
  struct kt_params p = parsed("T=8,MAXDIM=128");

  for (uint32_t m = 32; m <= 64; m *= 2) {
    struct kt_gemm_limits l = limits_of(&p, m, 128, 128);
    cr_assert(not(l.fits));
    cr_assert(l.fits_split);
    cr_assert(eq(u64, kt_gemm_limit(&l, "operand_load")->over, 1));
    cr_assert(eq(u64, kt_gemm_limit(&l, "split_operand_load")->over, 0));
    for (size_t i = 0; i < l.n; i++)
      cr_assert(l.limit[i].over == 0 || strcmp(l.limit[i].name, "operand_load") == 0, "%s",
                l.limit[i].name);
  }
}

Test(spec_derived, a_cube_of_128_is_over_by_1_and_by_2049_even_when_split, .timeout = 5)
{
  struct kt_params p = parsed("T=8,MAXDIM=128");
  struct kt_gemm_limits l = limits_of(&p, 128, 128, 128);

  cr_assert(not(l.fits));
  cr_assert(not(l.fits_split));
  cr_assert(eq(u64, kt_gemm_limit(&l, "operand_load")->over, 1));
  cr_assert(eq(u64, kt_gemm_limit(&l, "split_operand_load")->over, 1));
  cr_assert(eq(u64, kt_gemm_limit(&l, "accu_iterations")->over, 2049));
}

struct limit_case {
  const char *name;
  uint64_t value, limit;
  const char *instead_of;
};

/* T = 4: K = 18 is 5 slabs, N = 26 is 7 columns. */
Test(spec_derived, every_limit_of_a_gemm_is_counted_as_by_hand, .timeout = 5)
{
  struct kt_params p = parsed("SPAD=1600,NVR=1500,NAR=200");
  struct kt_gemm_limits l = limits_of(&p, 12, 18, 26);
  static const struct limit_case want[] = {
      {"m", 12, 64, NULL},
      {"k", 18, 64, NULL},
      {"n", 26, 64, NULL},
      {"operand_load", 18, 127, NULL},
      {"split_operand_load", 12, 127, "operand_load"},
      {"vr_rows", 4 * 64 + 12, 1500, NULL},
      {"spad_rows", 6 * 64 + 18, 1600, NULL},
      {"ar_rows", 12, 200, NULL},
      {"dma_ld_rows", 5 * 12 + 7 * 18, 32767, NULL},
      {"spm_rows", 7 * 18 + 35 * 5, 32767, NULL},
      {"vru_words", 5 * 12 + 35 * 12, 32767, NULL},
      {"mm_count", 35, 32767, NULL},
      {"mm_rows", 35 * 12, 32767, NULL},
      {"accu_iterations", 35 * 12 + 7 * 12, 32767, NULL},
      {"dma_st_rows", 7 * 12, 32767, NULL},
      {"a_span", 12, 32767, NULL},
      {"b_span", 18, 32767, NULL},
  };

  cr_assert(l.fits && l.fits_split);
  cr_assert(eq(sz, l.n, COUNT(want)));
  for (size_t i = 0; i < COUNT(want); i++) {
    cr_assert(eq(str, (char *)l.limit[i].name, (char *)want[i].name));
    cr_assert(eq(u64, l.limit[i].value, want[i].value), "%s", want[i].name);
    cr_assert(eq(u64, l.limit[i].limit, want[i].limit), "%s", want[i].name);
    cr_assert(eq(int, l.limit[i].is_alternative, want[i].instead_of != NULL), "%s", want[i].name);
    if (want[i].instead_of != NULL)
      cr_assert(eq(str, (char *)l.limit[i].instead_of, (char *)want[i].instead_of));
  }
  cr_assert(eq(ptr, (void *)kt_gemm_limit(&l, "nope"), NULL));
}

Test(spec_derived, the_plain_gemm_loads_A_into_vr_B_into_spad_and_overwrites_first, .timeout = 5)
{
  static const struct {
    uint32_t op, f0, f2;
  } want[] = {{KT_OP_DMA_LD, 2, 0},
              {KT_OP_DMA_LD, 1, 0},
              {KT_OP_MM, 0, 0},
              {KT_OP_MM, 0, 1},
              {KT_OP_MVOUT, 0, 0}};

  cr_assert(eq(sz, kt_isa.n_gemm, COUNT(want)));
  for (size_t i = 0; i < COUNT(want); i++) {
    cr_assert(eq(u32, kt_isa.opcode[kt_isa.gemm[i].opcode].value, want[i].op));
    cr_assert(eq(u32, kt_isa.gemm[i].field[0], want[i].f0));
    cr_assert(eq(u32, kt_isa.gemm[i].field[2], want[i].f2));
  }
}

Test(spec_derived, shapes_past_maxdim_or_of_no_size_are_refused, .timeout = 5)
{
  struct kt_params p = parsed("int8");
  struct kt_gemm_limits l;
  struct kt_msg m = {""};

  l = limits_of(&p, 64, 64, 64);
  cr_assert(l.fits);
  l = limits_of(&p, 65, 64, 64);
  cr_assert(eq(u64, kt_gemm_limit(&l, "m")->over, 1));
  cr_assert(not(l.fits));
  l = limits_of(&p, 64, 70, 64);
  cr_assert(eq(u64, kt_gemm_limit(&l, "k")->over, 6));
  l = limits_of(&p, 64, 64, 1000);
  cr_assert(eq(u64, kt_gemm_limit(&l, "n")->over, 936));
  cr_assert(eq(int, kt_gemm_limits(&p, 0, 1, 1, &l, &m), KT_ERANGE));
  cr_assert(eq(int, kt_gemm_limits(&p, 1, 0, 1, &l, &m), KT_ERANGE));
  cr_assert(eq(int, kt_gemm_limits(&p, 1, 1, 0, &l, NULL), KT_ERANGE));
  cr_assert(eq(int, kt_gemm_limits(&p, UINT32_MAX, 1, 1, &l, &m), KT_ERANGE));
}

Test(spec_derived, acc_driven_from_0_by_1_lasts_two_trips, .timeout = 5)
{
  struct kt_params p = parsed("ice40");

  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_MM, 2, 0, 1), 2));
  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_MM, 2, 1, 1), 1));
  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_MM, 2, 0, 2), 1));
  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_MM, 2, 2, 1), 0));
  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_MM, 2, 3, 1), 0));
  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_MM, 2, 1, 0), UINT32_MAX));
  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_DMA_LD, 0, 0, 1), 4)); /* modes 0..3 */
  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_DMA_LD, 2, 0, 1), 4)); /* WPR = 4 */
  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_MM, 0, 0, 512), 4));   /* 0, 512, 1024, 1536 */
  cr_assert(eq(u32, kt_agu_legal_trip(&p, KT_OP_MM, 0, 2047, 1), 1));
}

Test(spec_derived, terms_spent_are_those_with_a_target, .timeout = 5)
{
  /* The accumulating mm of the looped GEMM: activations follow k; weights follow n and k. */
  struct kt_insn in = {
      .op = KT_OP_MM, .nr = 16, .f = {16, 0, 1, 4}, .term = {{1, 1, 16}, {4, 0, 16}, {4, 1, 4}}};
  uint64_t w[KT_IWORDS];

  kt_insn_pack(&in, w);
  cr_assert(eq(u32, kt_terms_used(w), KT_AGU_TERMS));
  in.term[1].target = 0;
  kt_insn_pack(&in, w);
  cr_assert(eq(u32, kt_terms_used(w), 2));
  memset(in.term, 0, sizeof in.term);
  kt_insn_pack(&in, w);
  cr_assert(eq(u32, kt_terms_used(w), 0));
}

Test(spec_derived, every_operand_field_is_a_target, .timeout = 5)
{
  for (size_t i = 0; i < kt_isa.n_opcodes; i++)
    for (size_t o = 0; o < kt_isa.opcode[i].n_operands; o++) {
      uint32_t field = kt_isa.opcode[i].operand[o].field;
      cr_assert(eq(int, kt_isa.word0[1 + field].target, (int)field + 1));
    }
}

/* A copy of the tables that a test may break. Criterion runs each test in its own process. */
static struct kt_unit units[KT_UNITS];
static struct kt_action actions[64];
static struct kt_isa broken;

static void copy_tables(void)
{
  memcpy(units, kt_isa.unit, sizeof units);
  cr_assert(le(sz, kt_isa.n_actions, COUNT(actions)));
  memcpy(actions, kt_isa.action, kt_isa.n_actions * sizeof actions[0]);
  broken = kt_isa;
  broken.unit = units;
  broken.action = actions;
}

static size_t find_action(uint32_t op, uint32_t unit, const char *port)
{
  for (size_t i = 0; i < kt_isa.n_actions; i++)
    if (actions[i].opcode == index_of(op) && actions[i].unit == unit &&
        strcmp(units[unit].port[actions[i].port].name, port) == 0)
      return i;
  cr_assert(false, "no such action");
  return 0;
}

static void expect_legal(uint32_t op)
{
  struct kt_msg m = {""};

  cr_assert(eq(int, kt_opcode_legal(&broken, index_of(op), &m), KT_OK), "%s", m.text);
}

static void expect_illegal(uint32_t op, const char *says)
{
  struct kt_msg m = {""};

  cr_assert(eq(int, kt_opcode_legal(&broken, index_of(op), &m), KT_EINVAL));
  cr_assert(eq(str, m.text, (char *)says));
}

Test(spec_legal, the_documented_compositions_are_legal, .timeout = 5)
{
  copy_tables();
  for (uint32_t op = 0; op <= KT_OP_VADDRELU; op++) expect_legal(op);
}

Test(spec_legal, two_reads_a_row_need_an_elastic_unit, .timeout = 5)
{
  copy_tables();
  units[KT_UNIT_ACCU].elastic = false;
  expect_illegal(KT_OP_VADD,
                 "vadd: accu is inelastic and port ar.read is asked for 2 items a row, it gives 1");
  expect_legal(KT_OP_VRELU); /* one read a row */
  expect_legal(KT_OP_MVOUT);
  expect_legal(KT_OP_MM);
  units[KT_UNIT_ACCU].port[1].copies = 2;
  expect_legal(KT_OP_VADD);
  expect_legal(KT_OP_VADDRELU); /* its two alu operations have two copies */
  units[KT_UNIT_ACCU].port[3].copies = 1;
  expect_illegal(KT_OP_VADDRELU,
                 "vaddrelu: accu is inelastic and port alu is asked for 2 items a row, it gives 1");
}

Test(spec_legal, work_before_the_first_row_needs_an_elastic_unit, .timeout = 5)
{
  copy_tables();
  units[KT_UNIT_ARRAY].elastic = false;
  expect_illegal(KT_OP_MM, "mm: array is inelastic and has work before its first row");
}

Test(spec_legal, copies_of_a_port_and_the_interval_set_the_rate, .timeout = 5)
{
  uint32_t f[4] = {0};

  copy_tables();
  units[KT_UNIT_ACCU].port[1].copies = 2;
  cr_assert(eq(u32, kt_unit_cost(&broken, index_of(KT_OP_VADD), KT_UNIT_ACCU, f, 4).per_row, 1));
  cr_assert(
      eq(u32, kt_unit_cost(&broken, index_of(KT_OP_VADDRELU), KT_UNIT_ACCU, f, 4).per_row, 1));
  units[KT_UNIT_ACCU].port[3].copies = 1;
  cr_assert(
      eq(u32, kt_unit_cost(&broken, index_of(KT_OP_VADDRELU), KT_UNIT_ACCU, f, 4).per_row, 2));
  units[KT_UNIT_ACCU].ii = 3;
  cr_assert(
      eq(u32, kt_unit_cost(&broken, index_of(KT_OP_VADDRELU), KT_UNIT_ACCU, f, 4).per_row, 6));
}

Test(spec_legal, half_a_step_is_a_step, .timeout = 5)
{
  uint32_t f[4] = {0};

  copy_tables();
  units[KT_UNIT_SEQUENCER].port[0].copies = 2;
  cr_assert(eq(u32, kt_unit_cost(&broken, index_of(KT_OP_LOOP), KT_UNIT_SEQUENCER, f, 4).fixed, 1));
}

Test(spec_legal, work_beside_the_rows_calls_for_a_rewrite, .timeout = 5)
{
  struct kt_cost to;

  copy_tables();
  cr_assert(not(kt_rewrite(&broken, index_of(KT_OP_MVOUT), KT_UNIT_DMA_ST, 4, &to)));
  actions[find_action(KT_OP_MVOUT, KT_UNIT_DMA_ST, "dram.write")].items.fixed = 1;
  cr_assert(kt_rewrite(&broken, index_of(KT_OP_MVOUT), KT_UNIT_DMA_ST, 4, &to));
  cr_assert(eq(u32, to.fixed, 1));
  cr_assert(eq(u32, to.per_row, 1));
}

Test(spec_legal, a_span_is_of_what_is_read, .timeout = 5)
{
  uint64_t slot[KT_HDR_COUNT] = {0};
  uint32_t f[4] = {0, 9, 0, 0};

  copy_tables();
  actions[find_action(KT_OP_MVOUT, KT_UNIT_DMA_ST, "dram.write")].memory = 4; /* A */
  kt_slots_add(&broken, slot, index_of(KT_OP_MVOUT), 4, f, 4, 1);
  cr_assert(eq(u64, slot[KT_HDR_A_SPAN], 0));
  cr_assert(eq(u64, slot[KT_HDR_DMA_ST_ROWS], 4));
}

Test(spec_legal, a_port_that_does_not_exist_is_refused, .timeout = 5)
{
  copy_tables();
  actions[find_action(KT_OP_MM, KT_UNIT_ARRAY, "mac")].port = KT_ISA_PORTS;
  expect_illegal(KT_OP_MM, "mm: an action names a port that does not exist");
}

Test(spec_legal, a_stream_needs_an_equal_other_end, .timeout = 5)
{
  copy_tables();
  actions[find_action(KT_OP_MM, KT_UNIT_SPM, "wcol")].items.fixed = 0;
  expect_illegal(KT_OP_MM,
                 "mm: stream wcol of spm has no other end with the same items and condition");
  copy_tables();
  actions[find_action(KT_OP_DMA_LD, KT_UNIT_VRU, "dma2vr")].cond.value = 0;
  expect_illegal(
      KT_OP_DMA_LD,
      "dma_ld: stream dma2vr of dma_ld has no other end with the same items and condition");
}

Test(spec_legal, a_stream_ends_in_another_unit_with_as_many_items_a_row, .timeout = 5)
{
  copy_tables();
  size_t i = find_action(KT_OP_VLD, KT_UNIT_VRU, "sp2vr");
  actions[i].unit = KT_UNIT_SPM;
  actions[i].port = 3; /* spm's own sp2vr */
  expect_illegal(KT_OP_VLD,
                 "vld: stream sp2vr of spm has no other end with the same items and condition");
  copy_tables();
  actions[find_action(KT_OP_MM, KT_UNIT_ARRAY, "acol")].items.nr = 2;
  expect_illegal(KT_OP_MM,
                 "mm: stream acol of vru has no other end with the same items and condition");
}

Test(spec_legal, a_memory_is_reached_through_its_owner_alone, .timeout = 5)
{
  copy_tables();
  actions[find_action(KT_OP_MVOUT, KT_UNIT_ACCU, "ar.read")].memory = 0;
  actions[find_action(KT_OP_MVOUT, KT_UNIT_ACCU, "ar.read")].state = "spad";
  expect_illegal(KT_OP_MVOUT, "mvout: spad is not reached by port ar.read of accu");
  copy_tables();
  actions[find_action(KT_OP_MVOUT, KT_UNIT_DMA_ST, "dram.write")].memory = 4;
  actions[find_action(KT_OP_MVOUT, KT_UNIT_DMA_ST, "dram.write")].state = "A";
  expect_illegal(KT_OP_MVOUT, "mvout: A is not reached by port dram.write of dma_st");
  copy_tables();
  actions[find_action(KT_OP_VRELU, KT_UNIT_ACCU, "ar.write")].kind = KT_ACTION_READ;
  expect_illegal(KT_OP_VRELU, "vrelu: ar is not reached by port ar.write of accu");
}

Test(spec_legal, a_port_does_only_its_kind_of_action, .timeout = 5)
{
  copy_tables();
  actions[find_action(KT_OP_MM, KT_UNIT_ARRAY, "mac")].kind = KT_ACTION_EMIT;
  expect_illegal(KT_OP_MM, "mm: port mac of array cannot do that kind of action");
  copy_tables();
  actions[find_action(KT_OP_MVOUT, KT_UNIT_ACCU, "alu")].items.nr = 0;
  expect_illegal(KT_OP_MVOUT, "mvout: port alu of accu moves no item");
}

Test(spec_legal, every_unit_must_be_fed, .timeout = 5)
{
  copy_tables();
  units[KT_UNIT_SEQUENCER].port[1].copies = 2;
  expect_illegal(KT_OP_MM, "mm: 3 units to dispatch to at once, the sequencer serves 2");
  expect_legal(KT_OP_VLD);
  copy_tables();
  units[KT_UNIT_ARRAY].fed_by = KT_UNIT_DMA_LD;
  expect_illegal(KT_OP_MM, "mm: array gets no instruction, dma_ld takes no part");
}
