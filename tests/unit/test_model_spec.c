/* SPDX-License-Identifier: Apache-2.0
 *
 * Two independent readings of the instruction set agree: the model's own code, and the facts that
 * spec/kt_actions.h derives from the table of actions.
 */
#include "spec/kt_actions.h"
#include "support/model_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static const uint16_t ops[] = {KT_OP_DMA_LD, KT_OP_VLD,   KT_OP_MM,      KT_OP_VADD,
                               KT_OP_VRELU,  KT_OP_MVOUT, KT_OP_VADDRELU};

/* One instruction under the header that the specification's counts promise. */
static void run_one(struct model_bench *b, const struct kt_insn *in)
{
  const uint32_t f[4] = {in->f[0], in->f[1], in->f[2], in->f[3]};
  struct kt_counts c;
  uint64_t header[KT_NHDR];

  kt_counts_init(&c, b->p.t, 1);
  kt_counts_add(&c, in->op, in->nr, f);
  cr_assert(eq(int, kt_counts_header(&c, header, NULL), KT_OK));
  mb_program(b, 0, in, 1);
  for (uint32_t w = 0; w < KT_NHDR; w++) mb_set_word(b, 0, w, header[w]);
  cr_assert(eq(int, mb_run(b), KT_OK));
}

static void compare_steps(struct model_bench *b, uint16_t op, uint16_t f0, uint16_t f2, uint16_t nr)
{
  const struct kt_insn in = {.op = op, .nr = nr, .f = {f0, 0, f2, 0}};
  const uint32_t f[4] = {f0, 0, f2, 0};

  run_one(b, &in);
  cr_assert(eq(u32, b->r.fault.code, 0), "op %u: %s", op, mb_fault_text(&b->r.fault).s);
  for (uint32_t u = 0; u < KT_UNITS; u++)
    cr_assert(eq(u64, b->r.unit_steps[u], kt_steps(op, u, nr, f, b->p.t)),
              "op %u f0 %u f2 %u nr %u: %s at T=%lu", op, f0, f2, nr, kt_unit_name(u),
              (unsigned long)b->p.t);
}

Test(model_spec, steps_and_headers_are_those_derived_from_the_actions, .timeout = 20)
{
  for (uint32_t t = 4; t <= 16; t *= 2) {
    char text[64];
    struct model_bench b;
    snprintf(text, sizeof text, "int8,T=%lu,MAXDIM=16,CONTRACTS=0", (unsigned long)t);
    mb_open(&b, text);
    for (size_t i = 0; i < COUNT(ops); i++)
      for (uint16_t nr = 1; nr <= 16; nr += 5)
        for (uint16_t variant = 0; variant < 4; variant++)
          compare_steps(&b, ops[i], ops[i] == KT_OP_DMA_LD ? variant : 0,
                        ops[i] == KT_OP_MM ? variant & 1 : 0, nr);
    mb_close(&b);
  }
}

/* First value of the field that the specification refuses. */
static uint32_t first_refused(const struct model_bench *b, const struct kt_insn *in, uint32_t field)
{
  const uint32_t f[4] = {in->f[0], in->f[1], in->f[2], in->f[3]};
  struct kt_bound bound;

  if (kt_operand_bound(&b->p, in->op, field, in->nr, f, &bound))
    return bound.depth - bound.rows + 1;
  return kt_field_limit(&b->p, in->op, field) + 1;
}

Test(model_spec, fields_stop_where_the_specification_says, .timeout = 20)
{
  size_t compared = 0;

  for (size_t i = 0; i < COUNT(ops); i++) {
    for (uint16_t mode = 0; mode < 4; mode++) {
      for (uint32_t field = 0; field < 4; field++) {
        struct kt_insn in = {.op = ops[i], .nr = 3};
        struct model_bench b;
        mb_open(&b, "int8,T=4,MAXDIM=16,SPAD=80,NVR=96,NAR=100,CONTRACTS=0");
        if (ops[i] == KT_OP_DMA_LD) in.f[0] = mode;
        uint32_t limit = first_refused(&b, &in, field);
        in.f[field] = (uint16_t)(limit - 1);
        run_one(&b, &in);
        cr_assert(eq(u32, b.r.fault.code, 0), "op %u f%lu = %lu: %s", ops[i], (unsigned long)field,
                  (unsigned long)limit - 1, mb_fault_text(&b.r.fault).s);
        in.f[field] = (uint16_t)limit;
        mb_program(&b, 0, &in, 1);
        cr_assert(eq(int, mb_run(&b), KT_OK));
        cr_assert(ne(u32, b.r.fault.code, 0), "op %u f%lu = %lu", ops[i], (unsigned long)field,
                  (unsigned long)limit);
        compared++;
        mb_close(&b);
      }
    }
  }
  cr_assert(eq(sz, compared, 7 * 4 * 4));
}

Test(model_spec, opcodes_that_the_specification_retired_or_lacks_fault, .timeout = 10)
{
  for (uint32_t op = 0; op < KR_OPCODES; op++) {
    const struct kt_insn in = {.op = (uint16_t)op, .nr = 1};
    const struct kt_opcode *known = kt_opcode(op);
    struct model_bench b;
    mb_open(&b, "int8,T=4,MAXDIM=16,CONTRACTS=0");
    mb_program(&b, 0, &in, 1);
    cr_assert(eq(int, mb_run(&b), KT_OK));
    cr_assert(eq(int, b.r.fault.code == KT_FAULT_OPCODE, known == NULL || known->retired), "op %lu",
              (unsigned long)op);
    mb_close(&b);
  }
}
