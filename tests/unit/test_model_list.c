/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptor lists: order, continue, accesses outside memory, and the refusal of overlaps that no
 * fence covers.
 */
#include "support/model_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define SMALL "int8,T=4,MAXDIM=16"
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const struct kr_fault none = {0};

/* Four rows: C block 0 of rows 0..3 = A times B. */
static const struct kt_insn gemm[] = {LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 4),
                                      MM(0, 0, 0, 0, 4), MVOUT(0, 0, 0, 4)};

static void fill(struct model_bench *b, uint32_t base, int diagonal)
{
  for (uint32_t i = 0; i < 4; i++) mb_put(b, base, i, i, diagonal);
}

/* n descriptors that all run gemm, C of each apart. */
static void open_list(struct model_bench *b, uint32_t n)
{
  mb_open(b, SMALL);
  fill(b, MB_A, 3);
  fill(b, MB_B, 5);
  for (uint32_t i = 0; i < n; i++) {
    mb_program(b, i, gemm, COUNT(gemm));
    b->desc[i].c = MB_C + 0x1000 * i;
  }
}

static void expect_fault(const struct model_bench *b, enum kt_status st, struct kr_fault want)
{
  cr_assert(eq(int, st, KT_OK), "%s", b->msg.text);
  cr_assert(eq(str, mb_fault_text(&b->r.fault).s, mb_fault_text(&want).s));
}

/* ---- Order ----------------------------------------------------------------------------------- */

Test(model_list, descriptors_run_in_order, .timeout = 5)
{
  struct model_bench b;

  open_list(&b, 3);
  expect_fault(&b, mb_run_list(&b, 3), none);
  cr_assert(eq(u32, b.r.desc_done, 3));
  cr_assert(eq(u64, b.r.issues, 12));
  for (uint32_t d = 0; d < 3; d++) cr_assert(eq(int, mb_get(&b, MB_C + 0x1000 * d, 2, 2), 15));
  mb_close(&b);
}

Test(model_list, a_fault_drops_the_rest_and_names_its_descriptor, .timeout = 5)
{
  struct model_bench b;

  open_list(&b, 3);
  mb_set_word(&b, 1, 0, 9);
  b.desc[2].c = MB_C + 3; /* not looked at any more */
  expect_fault(&b, mb_run_list(&b, 3), (struct kr_fault){KT_FAULT_HEADER, 0, 9 << 16 | 4, 4, 1});
  cr_assert(eq(u32, b.r.desc_done, 1));
  cr_assert(eq(int, mb_get(&b, MB_C + 0x1000, 0, 0), 15));
  cr_assert(eq(int, b.mem.bytes[MB_C + 0x2000], 0xC5));
  mb_close(&b);
}

Test(model_list, a_bad_descriptor_faults_when_it_is_its_turn, .timeout = 5)
{
  struct model_bench b;

  open_list(&b, 4);
  b.desc[2].c = MB_C + 4;
  expect_fault(&b, mb_run_list(&b, 4), (struct kr_fault){KT_FAULT_ALIGNMENT, 4, MB_C + 4, 0, 2});
  cr_assert(eq(u32, b.r.desc_done, 2));
  cr_assert(eq(u64, b.r.row_writes, 8)); /* the fourth does not run */
  mb_close(&b);
}

Test(model_list, the_list_address_is_aligned_to_the_bus, .timeout = 5)
{
  struct model_bench b;

  open_list(&b, 1);
  cr_assert(eq(int, mb_run_list(&b, 1), KT_OK));
  enum kt_status st = kr_int8_run(b.m, &b.mem, 4, 1, NULL, &b.r, &b.msg);
  expect_fault(&b, st, (struct kr_fault){KT_FAULT_ALIGNMENT, 16, 4, 0, 0});
  st = kr_int8_run(b.m, &b.mem, 0xFFFFFFFF, 1, NULL, &b.r, &b.msg); /* before the access */
  expect_fault(&b, st, (struct kr_fault){KT_FAULT_ALIGNMENT, 16, 0xFFFFFFFF, 0, 0});
  memmove(b.mem.bytes + 8, b.mem.bytes, 64);
  st = kr_int8_run(b.m, &b.mem, 8, 1, NULL, &b.r, &b.msg);
  expect_fault(&b, st, none);
  mb_close(&b);
}

Test(model_list, without_a_list_its_address_does_not_matter, .timeout = 5)
{
  struct model_bench b;
  struct kt_desc_words w;

  open_list(&b, 1);
  kt_desc_pack(&b.desc[0], w.w);
  expect_fault(&b, kr_int8_run(b.m, &b.mem, 0xFFFFFFFF, 0, &w, &b.r, &b.msg), none);
  cr_assert(eq(u32, b.r.desc_done, 1));
  mb_close(&b);
}

/* ---- Continue -------------------------------------------------------------------------------- */

Test(model_list, continue_faults_first_in_a_list_and_after_a_run, .timeout = 5)
{
  struct model_bench b;

  open_list(&b, 2);
  expect_fault(&b, mb_run(&b), none);
  b.desc[0].cont = 1;
  expect_fault(&b, mb_run(&b), (struct kr_fault){KT_FAULT_CONTINUE, 0, 0, 0, 0});
  expect_fault(&b, mb_run_list(&b, 2), (struct kr_fault){KT_FAULT_CONTINUE, 0, 0, 0, 0});
  b.desc[0].cont = 0;
  b.desc[1].cont = 1;
  expect_fault(&b, mb_run_list(&b, 2), none);
  mb_close(&b);
}

/* K = 3 slabs of 4: overwrite, accumulate, accumulate and retire. */
Test(model_list, a_chain_accumulates_over_slabs, .timeout = 5)
{
  static const struct kt_insn first[] = {LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 4),
                                         MM(0, 0, 0, 0, 4)};
  static const struct kt_insn next[] = {LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 4),
                                        MM(0, 0, 1, 0, 4)};
  static const struct kt_insn last[] = {LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 4),
                                        MM(0, 0, 1, 0, 4), MVOUT(0, 0, 0, 4)};
  struct model_bench b;

  mb_open(&b, SMALL);
  for (int i = 0; i < 3; i++) {
    fill(&b, MB_A + 0x200 * (uint32_t)i, i + 1);
    fill(&b, MB_B + 0x200 * (uint32_t)i, 7);
    b.desc[i].a = MB_A + 0x200 * (uint32_t)i;
    b.desc[i].b = MB_B + 0x200 * (uint32_t)i;
    b.desc[i].cont = i > 0;
  }
  mb_program(&b, 0, first, COUNT(first));
  mb_program(&b, 1, next, COUNT(next));
  mb_program(&b, 2, last, COUNT(last));
  expect_fault(&b, mb_run_list(&b, 3), none);
  for (uint32_t i = 0; i < 4; i++) {
    cr_assert(eq(int, mb_get(&b, MB_C, i, i), 42));
    cr_assert(eq(int, mb_get(&b, MB_C, i, (i + 1) % 4), 0));
  }
  mb_close(&b);
}

/* ---- Outside memory -------------------------------------------------------------------------- */

Test(model_list, reads_and_writes_past_memory_answer_decerr, .timeout = 5)
{
  struct model_bench b;

  open_list(&b, 1);
  b.mem.size = MB_C + 3 * 16 + 4; /* C's last byte is the memory's last */
  expect_fault(&b, mb_run(&b), none);
  b.mem.size--;
  expect_fault(&b, mb_run(&b), (struct kr_fault){KT_FAULT_AXI_WRITE, 3, 0, 0, 0});
  cr_assert(eq(u64, b.r.row_writes, 3));
  b.mem.size = MB_B + 3 * 16 + 3;
  expect_fault(&b, mb_run(&b), (struct kr_fault){KT_FAULT_AXI_READ, 3, 2, 0, 0});
  b.mem.size = MB_PROG + 8 * b.desc[0].prog_words - 1;
  expect_fault(&b, mb_run(&b), (struct kr_fault){KT_FAULT_AXI_READ, 3, 1, 0, 0});
  b.mem.size = MB_MEM;
  b.desc[0].a = 0xFFFFFFF8; /* the address does not wrap */
  expect_fault(&b, mb_run(&b), (struct kr_fault){KT_FAULT_AXI_READ, 3, 2, 0, 0});
  mb_close(&b);
}

Test(model_list, a_list_past_memory_faults_at_the_descriptor_outside, .timeout = 5)
{
  struct model_bench b;

  open_list(&b, 2);
  cr_assert(eq(int, mb_run_list(&b, 2), KT_OK));
  memmove(b.mem.bytes + MB_MEM - 64, b.mem.bytes + MB_LIST, 64);
  enum kt_status st = kr_int8_run(b.m, &b.mem, MB_MEM - 64, 2, NULL, &b.r, &b.msg);
  expect_fault(&b, st, (struct kr_fault){KT_FAULT_AXI_READ, 3, 0, 0, 1});
  cr_assert(eq(u32, b.r.desc_done, 1));
  st = kr_int8_run(b.m, &b.mem, MB_MEM - 64, UINT32_MAX, NULL, &b.r, &b.msg);
  expect_fault(&b, st, (struct kr_fault){KT_FAULT_AXI_READ, 3, 0, 0, 1});
  mb_close(&b);
}

/* ---- Overlaps -------------------------------------------------------------------------------- */

struct overlap {
  const char *what;
  uint32_t n; /* descriptors that run gemm */
  uint32_t a[4], b[4], c[4];
  uint32_t stride_a, stride_c;
  uint32_t fences;     /* bit d: descriptor d */
  const char *refused; /* part of the message; NULL: runs */
};

static const struct overlap overlaps[] = {
    {"apart", 1, {MB_A}, {MB_B}, {MB_C}, 0, 0, 0, NULL},
    {"C on A", 1, {MB_C}, {MB_B}, {MB_C}, 0, 0, 0, "descriptor 0, instruction 3"},
    {"C on B", 1, {MB_A}, {MB_C}, {MB_C}, 0, 0, 0, "descriptor 0, instruction 3"},
    {"a fence does not help within a descriptor",
     1,
     {MB_C},
     {MB_B},
     {MB_C},
     0,
     0,
     1,
     "instruction 3"},
    {"C's rows after A's last", 1, {MB_C}, {MB_B}, {MB_C + 64}, 0, 0, 0, NULL},
    {"C's first row on A's last", 1, {MB_C}, {MB_B}, {MB_C + 48}, 0, 0, 0, "0x10030"},
    {"C's last row on A's first", 1, {MB_C + 48}, {MB_B}, {MB_C}, 0, 0, 0, "0x10030"},
    {"C's last row before A's first", 1, {MB_C + 64}, {MB_B}, {MB_C}, 0, 0, 0, NULL},
    {"rows interleave, bytes do not", 1, {MB_C + 8}, {MB_B}, {MB_C}, 0, 0, 0, NULL},
    {"strides interleave", 1, {MB_C}, {MB_B}, {MB_C + 8}, 24, 24, 0, NULL},
    {"strides cross", 1, {MB_C}, {MB_B}, {MB_C + 8}, 24, 8, 0, "0x10018"},
    {"C over the program", 1, {MB_A}, {MB_B}, {MB_PROG + 16}, 0, 0, 0, "writes C over its program"},
    {"C ends at the program", 1, {MB_A}, {MB_B}, {MB_PROG - 56}, 0, 0, 0, NULL},
    {"C starts behind the program", 1, {MB_A}, {MB_B}, {MB_PROG + 128}, 0, 0, 0, NULL},
    {"C's last row on the program", 1, {MB_A}, {MB_B}, {MB_PROG - 48}, 0, 0, 0, "over its program"},
    {"read after write",
     2,
     {MB_A, MB_C},
     {MB_B, MB_B},
     {MB_C, MB_C + 64},
     0,
     0,
     0,
     "descriptor 1, instruction 0"},
    {"read of B after write",
     2,
     {MB_A, MB_A},
     {MB_B, MB_C},
     {MB_C, MB_C + 64},
     0,
     0,
     0,
     "descriptor 1, instruction 1"},
    {"a fence on the reader", 2, {MB_A, MB_C}, {MB_B, MB_B}, {MB_C, MB_C + 64}, 0, 0, 2, NULL},
    {"a fence on the writer",
     2,
     {MB_A, MB_C},
     {MB_B, MB_B},
     {MB_C, MB_C + 64},
     0,
     0,
     1,
     "descriptor 1"},
    {"a fence between",
     3,
     {MB_A, MB_A, MB_C},
     {MB_B, MB_B, MB_B},
     {MB_C, MB_C + 64, MB_C + 128},
     0,
     0,
     2,
     NULL},
    {"none between",
     3,
     {MB_A, MB_A, MB_C},
     {MB_B, MB_B, MB_B},
     {MB_C, MB_C + 64, MB_C + 128},
     0,
     0,
     0,
     "descriptor 0)"},
    {"written again after the fence",
     3,
     {MB_A, MB_A, MB_C},
     {MB_B, MB_B, MB_B},
     {MB_C, MB_C, MB_C + 128},
     0,
     0,
     2,
     "descriptor 1)"},
    {"the next rows", 2, {MB_A, MB_C + 64}, {MB_B, MB_B}, {MB_C, MB_C + 128}, 0, 0, 0, NULL},
    {"the next block of the same rows",
     2,
     {MB_A, MB_C + 8},
     {MB_B, MB_B},
     {MB_C, MB_C + 128},
     0,
     0,
     0,
     NULL},
    {"write after read",
     2,
     {MB_C, MB_A},
     {MB_B, MB_B},
     {MB_C + 64, MB_C},
     0,
     0,
     0,
     "descriptor 0)"},
    {"write after read of B", 2, {MB_A, MB_A}, {MB_C, MB_B}, {MB_C + 64, MB_C}, 0, 0, 0, "no fence"},
    {"write after read, fenced", 2, {MB_C, MB_A}, {MB_B, MB_B}, {MB_C + 64, MB_C}, 0, 0, 2, NULL},
    {"write after read, a fence on the reader",
     2,
     {MB_C, MB_A},
     {MB_B, MB_B},
     {MB_C + 64, MB_C},
     0,
     0,
     1,
     "descriptor 0)"},
    {"C beside what was read", 2, {MB_C, MB_A}, {MB_B, MB_B}, {MB_C + 64, MB_C + 128}, 0, 0, 0, NULL},
    {"write after write", 2, {MB_A, MB_A}, {MB_B, MB_B}, {MB_C, MB_C}, 0, 0, 0, NULL},
    {"C over an earlier program", 2, {MB_A, MB_A}, {MB_B, MB_B}, {MB_C, MB_PROG}, 0, 0, 0, NULL},
    {"C over a later program",
     2,
     {MB_A, MB_A},
     {MB_B, MB_B},
     {MB_PROG + 0x400, MB_C},
     0,
     0,
     2,
     "over its program before it ran"},
    {"C over a later descriptor",
     2,
     {MB_A, MB_A},
     {MB_B, MB_B},
     {MB_LIST + 64, MB_C},
     0,
     0,
     2,
     "over this descriptor"},
    {"C behind the last descriptor",
     2,
     {MB_A, MB_A},
     {MB_B, MB_B},
     {MB_LIST + 128, MB_C},
     0,
     0,
     0,
     NULL},
    {"C over its own descriptor", 1, {MB_A}, {MB_B}, {MB_LIST}, 0, 0, 0, NULL},
};

Test(model_list, overlaps_are_refused_to_the_byte, .timeout = 10)
{
  size_t refused = 0;

  for (size_t i = 0; i < COUNT(overlaps); i++) {
    const struct overlap *o = &overlaps[i];
    struct model_bench b;
    open_list(&b, o->n);
    for (uint32_t d = 0; d < o->n; d++) {
      b.desc[d].a = o->a[d];
      b.desc[d].b = o->b[d];
      b.desc[d].c = o->c[d];
      b.desc[d].stride_a = o->stride_a;
      b.desc[d].stride_c = o->stride_c;
      b.desc[d].fence = o->fences >> d & 1;
    }
    cr_assert(eq(int, mb_run_list(&b, o->n), o->refused ? KT_EFAULT : KT_OK), "%s", o->what);
    cr_assert(eq(u32, b.r.fault.code, 0), "%s: %s", o->what, mb_fault_text(&b.r.fault).s);
    if (o->refused != NULL)
      cr_assert(ne(ptr, strstr(b.msg.text, o->refused), NULL), "%s: %s", o->what, b.msg.text);
    refused += o->refused != NULL;
    mb_close(&b);
  }
  cr_assert(gt(sz, refused, 10));
}

/* What an earlier start wrote may be read: the host was in between. */
Test(model_list, overlaps_are_forgotten_with_the_next_start, .timeout = 5)
{
  struct model_bench b;

  open_list(&b, 2);
  expect_fault(&b, mb_run_list(&b, 2), none);
  b.desc[0].a = MB_C;
  b.desc[0].c = MB_C + 0x2000;
  expect_fault(&b, mb_run_list(&b, 1), none);
  cr_assert(eq(int, mb_get(&b, MB_C + 0x2000, 1, 1), 75));
  b.desc[0].c = MB_C; /* and refused all the same where it overlaps now */
  cr_assert(eq(int, mb_run_list(&b, 1), KT_EFAULT));
  mb_close(&b);
}

/* A fault before the overlap is a fault; the overlap never happens. */
Test(model_list, only_what_happens_can_overlap, .timeout = 5)
{
  static const struct kt_insn stops[] = {LD(A_VR, 0, 0, 0, 4), {.op = 2}, MVOUT(0, 0, 0, 4)};
  struct model_bench b;

  open_list(&b, 1);
  mb_program(&b, 0, stops, COUNT(stops));
  b.desc[0].a = MB_C;
  expect_fault(&b, mb_run(&b), (struct kr_fault){KT_FAULT_OPCODE, 0, 2, 1, 0});
  mb_close(&b);
}

Test(model_list, wide_words_and_the_int32_form_overlap_in_all_their_bytes, .timeout = 5)
{
  static const struct kt_insn wide[] = {LD(A_VR, 0, 0, 0, 4), LD(B_SPAD, 0, 0, 0, 16),
                                        MM(0, 0, 0, 0, 4), MVOUT(0, 0, 0, 4)};
  static const struct {
    uint32_t a, form;
    bool refused;
  } cases[] = {
      {MB_C + 3 * 64 + 60, 2, true}, /* last four bytes of C's last row */
      {MB_C + 3 * 64 + 64, 2, false},
      {MB_C + 3 * 16 + 8, 0, true},
      {MB_C + 3 * 16 + 16, 0, false},
  };

  for (size_t i = 0; i < COUNT(cases); i++) {
    struct model_bench b;
    mb_open(&b, "int8,T=16,MAXDIM=16");
    b.desc[0].a = cases[i].a & ~7u;
    b.desc[0].form = cases[i].form;
    mb_program(&b, 0, wide, COUNT(wide));
    cr_assert(eq(int, mb_run(&b), cases[i].refused ? KT_EFAULT : KT_OK), "case %zu: %s", i,
              b.msg.text);
    mb_close(&b);
  }
}

/* ---- Use ------------------------------------------------------------------------------------- */

Test(model_list, wrong_use_is_refused, .timeout = 5)
{
  struct model_bench b;
  struct kt_desc_words w = {{0}};
  struct kt_params p;

  mb_open(&b, SMALL);
  cr_assert(eq(int, kr_int8_run(NULL, &b.mem, 0, 0, &w, &b.r, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_int8_run(b.m, NULL, 0, 0, &w, &b.r, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_int8_run(b.m, &b.mem, 0, 0, NULL, &b.r, NULL), KT_EINVAL));
  cr_assert(eq(int, kr_int8_run(b.m, &b.mem, 0, 0, &w, NULL, NULL), KT_EINVAL));
  cr_assert(eq(ptr, (void *)kr_int8_ar(b.m, b.p.nar), NULL));
  cr_assert(eq(ptr, (void *)kr_int8_vr(b.m, b.p.nvr), NULL));
  cr_assert(eq(ptr, (void *)kr_int8_spad(b.m, b.p.spad_rows), NULL));
  p = b.p;
  p.t = 5;
  cr_assert(eq(ptr, kr_int8_new(&p), NULL));
  cr_assert(eq(ptr, kr_int8_new(NULL), NULL));
  kr_int8_free(NULL);
  mb_close(&b);
}
