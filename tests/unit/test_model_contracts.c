/* SPDX-License-Identifier: Apache-2.0
 *
 * The two contracts of a program: write before read, and the accumulator distance, where the build
 * checks them and where it only reports.
 */
#include "support/model_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define CHECKED "int8,T=4,MAXDIM=16"
#define REPORTED "int8,T=4,MAXDIM=16,CONTRACTS=0"
#define COUNT(a) (sizeof(a) / sizeof(a)[0])
enum { CASE_INSNS = 10 };

struct contract_case {
  const char *what;
  size_t n;
  struct kt_insn in[CASE_INSNS];
  struct kr_fault want;
};

/* With checks the fault; without, the same as a report beside a clean end. */
static void expect(const struct contract_case *c)
{
  static const struct kr_fault none = {0};

  for (int checked = 0; checked < 2; checked++) {
    struct model_bench b;
    mb_open(&b, checked ? CHECKED : REPORTED);
    mb_program(&b, 0, c->in, c->n);
    cr_assert(eq(int, mb_run(&b), KT_OK), "%s", c->what);
    cr_assert(eq(str, mb_fault_text(&b.r.fault).s, mb_fault_text(checked ? &c->want : &none).s),
              "%s", c->what);
    cr_assert(eq(str, mb_fault_text(&b.r.violation).s, mb_fault_text(&c->want).s), "%s", c->what);
    mb_close(&b);
  }
}

/* ---- Write before read ----------------------------------------------------------------------- */

#define LOADS LD(A_VR, 0, 0, 0, 8), LD(B_SPAD, 0, 0, 0, 4)
#define READY LOADS, MM(0, 0, 0, 0, 8)

static const struct contract_case unwritten[] = {
    {"mm activations", 2, {LD(B_SPAD, 0, 0, 0, 4), MM(5, 0, 0, 0, 2)}, {15, 1, 5, 1, 0}},
    {"mm activations, last row", 3, {LOADS, MM(5, 0, 0, 0, 4)}, {15, 1, 8, 2, 0}},
    {"mm weights", 2, {LD(A_VR, 0, 0, 0, 8), MM(0, 0, 0, 9, 4)}, {15, 0, 9, 1, 0}},
    {"mm weights, last row", 3, {LOADS, MM(0, 0, 0, 1, 4)}, {15, 0, 4, 2, 0}},
    {"mm accumulator", 3, {LOADS, MM(0, 3, 1, 0, 4)}, {15, 2, 3, 2, 0}},
    {"mm accumulator, second half", 4, {READY, MM(0, 4, 1, 0, 8)}, {15, 2, 8, 3, 0}},
    {"mm overwriting needs none", 3, {READY}, {0}},
    {"mvout", 1, {MVOUT(7, 0, 0, 1)}, {15, 2, 7, 0, 0}},
    {"mvout, last row", 4, {READY, MVOUT(4, 0, 0, 5)}, {15, 2, 8, 3, 0}},
    {"vrelu", 4, {READY, VRELU(20, 6, 3)}, {15, 2, 8, 3, 0}},
    {"vadd, first source", 4, {READY, VADD(20, 5, 0, 4)}, {15, 2, 8, 3, 0}},
    {"vadd, second source", 4, {READY, VADD(20, 0, 5, 4)}, {15, 2, 8, 3, 0}},
    {"vaddrelu, both: the first source", 4, {READY, VADDRELU(20, 40, 30, 4)}, {15, 2, 40, 3, 0}},
    {"a destination is not read", 4, {READY, VADD(20, 0, 4, 4)}, {0}},
    {"rows that dma_ld wrote to the other memory",
     3,
     {LD(A_SPAD, 0, 0, 0, 8), LD(B_SPAD, 0, 0, 8, 4), MM(0, 0, 0, 8, 4)},
     {15, 1, 0, 2, 0}},
    {"vld copies the hole", 4, {LOADS, VLD(0, 2, 4), MM(0, 0, 0, 0, 4)}, {15, 1, 2, 3, 0}},
    {"vld of a hole is no error by itself", 3, {LOADS, VLD(0, 10, 4)}, {0}},
    {"vld hides the hole again", 5, {LOADS, VLD(0, 10, 4), VLD(0, 0, 4), MM(0, 0, 0, 0, 4)}, {0}},
    {"mm: vr, then ar", 2, {LD(B_SPAD, 0, 0, 0, 4), MM(0, 0, 1, 0, 4)}, {15, 1, 0, 1, 0}},
    {"mm: ar, then spad", 2, {LD(A_VR, 0, 0, 0, 8), MM(0, 0, 1, 0, 4)}, {15, 2, 0, 1, 0}},
    {"a row of this vadd wrote it", 4, {READY, VADD(8, 4, 0, 8)}, {0}},
    {"vadd: one row too far ahead", 4, {READY, VADD(9, 4, 0, 8)}, {15, 2, 8, 3, 0}},
    {"a row of this vrelu wrote it", 4, {READY, VRELU(8, 4, 8)}, {0}},
};

Test(model_contracts, rows_are_written_before_they_are_read, .timeout = 10)
{
  for (size_t i = 0; i < COUNT(unwritten); i++) expect(&unwritten[i]);
}

/* ---- Distance -------------------------------------------------------------------------------- */

/* A pair: the writer's first row is row 10, read by the reader's given field. Between them a
 * filler of mm rows on other rows sets the distance. */
enum reader { R_MM, R_MVOUT, R_VRELU, R_VADD_S1, R_VADD_S2, R_VADDRELU_S1, R_VADDRELU_S2, READERS };
enum writer { W_MM, W_MM_ACC, W_VRELU, W_VADD, W_VADDRELU, WRITERS };

static struct kt_insn reader_of(enum reader r, uint16_t row)
{
  const struct kt_insn all[READERS] = {
      MM(0, row, 1, 0, 1),  MVOUT(row, 0, 0, 1),      VRELU(20, row, 1),       VADD(20, row, 40, 1),
      VADD(20, 40, row, 1), VADDRELU(20, row, 40, 1), VADDRELU(20, 40, row, 1)};
  return all[r];
}

static struct kt_insn writer_of(enum writer w, uint16_t row)
{
  const struct kt_insn all[WRITERS] = {MM(0, row, 0, 0, 1), MM(0, row, 1, 0, 1), VRELU(row, 40, 1),
                                       VADD(row, 40, 40, 1), VADDRELU(row, 40, 40, 1)};
  return all[w];
}

/* Field that the fault names, and how many steps after its start the reader reads. */
static const uint32_t reader_field[READERS] = {0, 0, 1, 1, 2, 1, 2};
static const uint16_t reader_step[READERS] = {0, 0, 0, 0, 1, 0, 1};

/* The single row's write is the writer's last step; the reader's first step is one later. */
static void run_pair(enum writer w, enum reader r, uint16_t distance)
{
  uint16_t filler = (uint16_t)(distance - 1 - reader_step[r]);
  struct kt_insn in[8] = {LD(A_VR, 0, 0, 0, 16), LD(B_SPAD, 0, 0, 0, 4), MM(0, 40, 0, 0, 8),
                          MM(0, 10, 0, 0, 1), MM(0, 60, 0, 0, 8)};
  struct contract_case c = {"pair", 6, {{0}}, {0}};

  in[5] = writer_of(w, 10);
  if (filler > 0) in[c.n++] = (struct kt_insn)MM(0, 60, 0, 0, filler);
  in[c.n++] = reader_of(r, 10);
  for (size_t i = 0; i < c.n; i++) c.in[i] = in[i];
  if (distance < 4)
    c.want = (struct kr_fault){KT_FAULT_AR_DISTANCE, reader_field[r], 10, (uint32_t)c.n - 1, 0};
  expect(&c);
}

Test(model_contracts, a_read_waits_four_steps_after_the_write_for_every_pair, .timeout = 30)
{
  size_t refused = 0, passed = 0;

  for (int w = 0; w < WRITERS; w++) {
    for (int r = 0; r < READERS; r++) {
      for (uint16_t distance = (uint16_t)(1 + reader_step[r]); distance <= 5; distance++) {
        run_pair((enum writer)w, (enum reader)r, distance);
        *(distance < 4 ? &refused : &passed) += 1;
      }
    }
  }
  cr_assert(all(eq(sz, refused, 5 * (5 * 3 + 2 * 2)), eq(sz, passed, 5 * 7 * 2)));
}

static const struct contract_case distances[] = {
    {"mm of three rows, then mvout",
     4,
     {LOADS, MM(0, 0, 0, 0, 3), MVOUT(0, 0, 0, 3)},
     {16, 0, 0, 3, 0}},
    {"mm of four rows, then mvout", 4, {LOADS, MM(0, 0, 0, 0, 4), MVOUT(0, 0, 0, 4)}, {0}},
    {"mm rows in order, only the last too near",
     4,
     {LOADS, MM(0, 0, 0, 0, 8), MVOUT(2, 0, 0, 6)},
     {0}},
    {"last three of eight read at once: row 5 is three steps away",
     4,
     {LOADS, MM(0, 0, 0, 0, 8), MVOUT(5, 0, 0, 3)},
     {16, 0, 5, 3, 0}},
    {"second row read is the first too near",
     4,
     {LOADS, MM(0, 0, 0, 0, 8), VADD(20, 3, 0, 3)}, /* s1 rows 3 4 5 at steps 9 11 13 */
     {0}},
    {"s2 reads a step later", 4, {LOADS, MM(0, 0, 0, 0, 8), VADD(20, 0, 6, 1)}, {16, 2, 6, 3, 0}},
    {"s2 of the row before", 4, {LOADS, MM(0, 0, 0, 0, 8), VADD(20, 0, 5, 1)}, {0}},
    {"s1, then s2", 4, {LOADS, MM(0, 0, 0, 0, 8), VADD(20, 6, 7, 1)}, {16, 1, 6, 3, 0}},
    {"unwritten s1 before near s2",
     4,
     {LOADS, MM(0, 0, 0, 0, 8), VADD(20, 30, 7, 1)},
     {15, 2, 30, 3, 0}},
    {"near s1 before unwritten s2",
     4,
     {LOADS, MM(0, 0, 0, 0, 8), VADD(20, 7, 30, 1)},
     {16, 1, 7, 3, 0}},
    {"unwritten later row before near first row",
     4,
     {LOADS, MM(0, 0, 0, 0, 8), VRELU(20, 7, 2)},
     {15, 2, 8, 3, 0}},
    {"mm: near ar before unwritten weights",
     5,
     {LOADS, MM(0, 0, 0, 0, 8), MM(0, 6, 1, 1, 1), NOP()},
     {16, 0, 6, 3, 0}},
    {"mm: unwritten vr before near ar",
     4,
     {LOADS, MM(0, 0, 0, 0, 8), MM(8, 6, 1, 0, 1)},
     {15, 1, 8, 3, 0}},
    {"vrelu right after, four rows ahead of itself", 4, {READY, VRELU(4, 0, 12)}, {0}},
    {"vrelu reading what it wrote three rows ago",
     5,
     {READY, VADD(30, 0, 0, 2), VRELU(3, 0, 8)},
     {16, 1, 3, 4, 0}},
    {"vrelu reading what it wrote four rows ago",
     5,
     {READY, VADD(30, 0, 0, 2), VRELU(4, 0, 8)},
     {0}},
    {"vadd s1 of two rows ago before unwritten s2",
     5,
     {READY, VADD(30, 0, 0, 2), VADD(2, 0, 20, 4)},
     {16, 1, 2, 4, 0}},
    {"vadd s1 of two rows ago", 5, {READY, VADD(30, 0, 0, 2), VADD(2, 0, 30, 2)}, {0}},
    {"vadd s1 of two rows ago, third row",
     6,
     {READY, VADD(30, 0, 0, 8), NOP(), VADD(2, 0, 30, 3)},
     {16, 1, 2, 5, 0}},
    {"vadd s1 of three rows ago", 6, {READY, VADD(30, 0, 0, 8), NOP(), VADD(3, 0, 30, 4)}, {0}},
    {"vadd s2 of one row ago",
     6,
     {READY, VADD(30, 0, 0, 8), NOP(), VADD(1, 30, 0, 2)},
     {16, 2, 1, 5, 0}},
    {"vadd s2 of two rows ago", 6, {READY, VADD(30, 0, 0, 8), NOP(), VADD(2, 30, 0, 3)}, {0}},
    {"in place: each row is read before it is written",
     5,
     {READY, VADD(0, 0, 0, 8), VADD(0, 0, 0, 8)},
     {0}},
    {"in place, one row", 5, {READY, VADD(0, 0, 0, 1), VADD(0, 0, 0, 1)}, {16, 1, 0, 4, 0}},
    {"steps of mvout and of nothing else pass time",
     8,
     {READY, VADD(40, 0, 0, 1), LD(A_VR, 0, 0, 0, 8), VLD(20, 0, 4), NOP(), VRELU(41, 40, 1)},
     {16, 1, 40, 7, 0}},
    {"three rows of mvout pass three steps",
     6,
     {READY, VADD(40, 0, 0, 1), MVOUT(0, 0, 0, 3), VRELU(41, 40, 1)},
     {0}},
    {"two rows of mvout pass two",
     6,
     {READY, VADD(40, 0, 0, 1), MVOUT(0, 0, 0, 2), VRELU(41, 40, 1)},
     {16, 1, 40, 5, 0}},
};

Test(model_contracts, distance_is_counted_in_accu_steps, .timeout = 10)
{
  for (size_t i = 0; i < COUNT(distances); i++) expect(&distances[i]);
}

/* ---- Reports and chains ---------------------------------------------------------------------- */

Test(model_contracts, only_the_first_violation_is_reported, .timeout = 5)
{
  static const struct kt_insn in[] = {MVOUT(3, 0, 0, 1), MM(0, 0, 1, 0, 1), VRELU(0, 90, 1)};
  static const struct kr_fault want = {KT_FAULT_UNWRITTEN, KT_MEM_AR, 3, 0, 0};
  struct model_bench b;

  mb_open(&b, REPORTED);
  mb_program(&b, 0, in, COUNT(in));
  cr_assert(eq(int, mb_run(&b), KT_OK));
  cr_assert(eq(u32, b.r.fault.code, 0));
  cr_assert(eq(str, mb_fault_text(&b.r.violation).s, mb_fault_text(&want).s));
  cr_assert(eq(u64, b.r.issues, 3));
  mb_close(&b);
}

struct chain_case {
  const char *what;
  bool cont;
  struct kt_insn first[4], second[3];
  size_t n_first, n_second;
  struct kr_fault want;
};

static const struct chain_case chains[] = {
    {"rows live on in a chain", true, {READY}, {MVOUT(0, 0, 0, 5)}, 3, 1, {0}},
    {"rows do not without continue", false, {READY}, {MVOUT(0, 0, 0, 5)}, 3, 1, {15, 2, 0, 0, 1}},
    {"weights live on", true, {READY}, {MM(0, 20, 0, 0, 4), MM(0, 0, 1, 0, 8)}, 3, 2, {0}},
    {"vr does not without continue",
     false,
     {READY},
     {LD(B_SPAD, 0, 0, 0, 4), MM(0, 0, 0, 0, 4)},
     3,
     2,
     {15, 1, 0, 1, 1}},
    {"spad does not without continue",
     false,
     {READY},
     {LD(A_VR, 0, 0, 0, 8), MM(0, 0, 0, 0, 4)},
     3,
     2,
     {15, 0, 0, 1, 1}},
    {"distance crosses the border", true, {READY}, {MVOUT(7, 0, 0, 1)}, 3, 1, {16, 0, 7, 0, 1}},
    {"distance across, kept", true, {READY}, {MVOUT(0, 0, 0, 8)}, 3, 1, {0}},
    {"accumulating across", true, {READY}, {MM(0, 5, 1, 0, 1)}, 3, 1, {16, 0, 5, 0, 1}},
};

Test(model_contracts, a_chain_counts_as_one_program, .timeout = 10)
{
  for (size_t i = 0; i < COUNT(chains); i++) {
    const struct chain_case *c = &chains[i];
    struct model_bench b;
    mb_open(&b, CHECKED);
    mb_program(&b, 0, c->first, c->n_first);
    mb_program(&b, 1, c->second, c->n_second);
    b.desc[1].cont = c->cont;
    cr_assert(eq(int, mb_run_list(&b, 2), KT_OK), "%s", c->what);
    cr_assert(eq(str, mb_fault_text(&b.r.fault).s, mb_fault_text(&c->want).s), "%s", c->what);
    cr_assert(eq(u32, b.r.desc_done, c->want.code == 0 ? 2 : 1), "%s", c->what);
    mb_close(&b);
  }
}

/* Contents survive a start, what was written does not. */
Test(model_contracts, a_new_start_begins_with_nothing_written, .timeout = 5)
{
  static const struct kt_insn first[] = {READY}, second[] = {MVOUT(0, 0, 0, 1)};
  static const struct kr_fault want = {KT_FAULT_UNWRITTEN, KT_MEM_AR, 0, 0, 0};
  struct model_bench b;

  mb_open(&b, CHECKED);
  mb_program(&b, 0, first, COUNT(first));
  cr_assert(eq(int, mb_run(&b), KT_OK));
  cr_assert(eq(u32, b.r.fault.code, 0));
  mb_program(&b, 0, second, COUNT(second));
  cr_assert(eq(int, mb_run(&b), KT_OK));
  cr_assert(eq(str, mb_fault_text(&b.r.fault).s, mb_fault_text(&want).s));
  mb_close(&b);
}
