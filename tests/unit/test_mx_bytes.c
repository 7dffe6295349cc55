/* SPDX-License-Identifier: Apache-2.0
 *
 * Flits, commands and rounds of the MXFP7 machine: against words packed by hand from docs/mx-isa.md.
 */
#include "compiler/unit/kc_mx_unit.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static struct kt_mx_params params(const char *text)
{
  struct kt_mx_params p;
  struct kt_msg msg = {{0}};
  cr_assert(eq(int, kt_mx_params_parse(&p, text, &msg), KT_OK), "%s", msg.text);
  return p;
}

/* ---- Instructions ------------------------------------------------------------------------------ */

/* The witness: shifts and masks typed from the page, no table. */
static struct kt_mx_flit fill_by_hand(const struct kc_mx_fill *f)
{
  return (struct kt_mx_flit){{1u | f->side << 8 | f->preq << 9 | f->order << 10 | f->layout << 11 |
                                  f->bank << 12 | f->offset << 16,
                              f->addr, f->groups | f->blocks << 16, f->group_stride,
                              f->block_stride, f->lane_stride, f->real_lanes | f->real_depth << 16,
                              f->pitch}};
}

static struct kt_mx_flit gemm_by_hand(const struct kc_mx_gemm *g)
{
  return (struct kt_mx_flit){{2u | g->acc << 8 | g->emit << 9 | g->a_bank << 10 | g->b_bank << 11 |
                                  g->a_offset << 16 | g->b_offset << 24,
                              g->gm | g->gn << 16, g->nk | g->tile << 16, g->a_pitch | g->b_pitch << 16,
                              0, 0, 0, 0}};
}

static struct kt_mx_flit drain_by_hand(const struct kc_mx_drain *d)
{
  return (struct kt_mx_flit){{3u | d->dtype << 8 | d->fused << 10, d->addr, d->rows | d->columns << 16,
                              d->stride, d->tile, 0, 0, 0}};
}

static void same(const struct kc_mx_op *op, const struct kt_mx_flit *want)
{
  struct kt_mx_flit flit;
  struct kc_mx_op back;
  cr_assert(eq(int, kc_mx_pack(op, &flit), KT_OK));
  for (size_t i = 0; i < KT_MX_FLIT_WORDS; i++)
    cr_assert(eq(u32, flit.word[i], want->word[i]), "opcode %u word %zu", op->opcode, i);
  cr_assert(eq(int, kc_mx_unpack(&flit, &back), KT_OK));
  kc_mx_pack(&back, &flit);
  cr_assert(memcmp(&flit, want, sizeof flit) == 0);
}

Test(mx_bytes, instructions_equal_words_packed_by_hand, .timeout = 5)
{
  const struct kc_mx_op fill = {
      .opcode = KT_MX_OP_FILL,
      .as.fill = {1, 0, 1, 1, 1, 0xa5, 0xdeadbe00, 256, 17, 0x10203040, 0x50607080, 0x90a0b0c0, 1023, 8191, 77}};
  const struct kc_mx_op fill2 = {
      .opcode = KT_MX_OP_FILL, .as.fill = {0, 1, 0, 0, 0, 1, 32, 1, 256, 64, 96, 128, 1, 2, 256}};
  const struct kc_mx_op gemm = {
      .opcode = KT_MX_OP_GEMM, .as.gemm = {1, 0, 1, 0, 0xc3, 0x5a, 16, 32, 7, 511, 19, 38}};
  const struct kc_mx_op gemm2 = {
      .opcode = KT_MX_OP_GEMM, .as.gemm = {0, 1, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8}};
  const struct kc_mx_op drain = {
      .opcode = KT_MX_OP_DRAIN, .as.drain = {1, 0, 0xfffffe0, 3, 512, 0x12340, 300}};
  const struct kc_mx_op drain2 = {.opcode = KT_MX_OP_DRAIN, .as.drain = {0, 1, 64, 512, 1, 32, 0}};
  struct kt_mx_flit w;

  w = fill_by_hand(&fill.as.fill);
  same(&fill, &w);
  w = fill_by_hand(&fill2.as.fill);
  same(&fill2, &w);
  w = gemm_by_hand(&gemm.as.gemm);
  same(&gemm, &w);
  w = gemm_by_hand(&gemm2.as.gemm);
  same(&gemm2, &w);
  w = drain_by_hand(&drain.as.drain);
  same(&drain, &w);
  w = drain_by_hand(&drain2.as.drain);
  same(&drain2, &w);
}

/* Every field of the tables except those that this compiler never sets has a member. */
Test(mx_bytes, every_field_of_the_tables_survives_unpack_and_pack, .timeout = 5)
{
  size_t tried = 0;
  for (uint32_t field = 0; kt_mx_field(field, NULL) != NULL; field++) {
    const struct kt_mx_insn *insn;
    const struct kt_mx_field *f = kt_mx_field(field, &insn);
    struct kt_mx_flit flit = {{insn->opcode}}, back;
    struct kc_mx_op op;
    if (f->max == f->min) continue; /* PEERS, NODE: 0 */
    kt_mx_set(&flit, field, f->max);
    cr_assert(eq(int, kc_mx_unpack(&flit, &op), KT_OK));
    cr_assert(eq(int, kc_mx_pack(&op, &back), KT_OK));
    cr_assert(memcmp(&flit, &back, sizeof flit) == 0, "%s of %s is lost", f->name, insn->name);
    tried++;
  }
  cr_assert(gt(sz, tried, 30));
}

Test(mx_bytes, an_unknown_opcode_is_neither_packed_nor_unpacked, .timeout = 5)
{
  const struct kc_mx_op op = {.opcode = 5};
  const struct kc_mx_op quantise = {
      .opcode = KT_MX_OP_QUANTISE,
      .as.quantise = {1, 65535, 0xfffffe0, 3, 256, 64, 96, 128, 1024, 8192, 0x1240}};
  struct kc_mx_op back;
  struct kt_mx_flit flit;
  cr_assert(eq(int, kc_mx_pack(&op, &flit), KT_EINVAL));
  cr_assert(eq(int, kc_mx_unpack(&(struct kt_mx_flit){{0x7f}}, &back), KT_EINVAL));
  cr_assert(eq(int, kc_mx_pack(&quantise, &flit), KT_OK));
  cr_assert(eq(int, kc_mx_unpack(&flit, &back), KT_OK));
  cr_assert(back.opcode == KT_MX_OP_QUANTISE &&
            memcmp(&back.as.quantise, &quantise.as.quantise, sizeof quantise.as.quantise) == 0);
}

/* ---- Text -------------------------------------------------------------------------------------- */

Test(mx_bytes, instructions_and_commands_have_a_text, .timeout = 5)
{
  const struct kt_mx_flit flits[] = {
      {{0x00020201 | 1 << 12, 0x1000, 2 | 3 << 16, 256, 128, 0, 8 | 96 << 16, 2}},
      {{0x00000003, 0x40, 1 | 1 << 16, 32, 5, 0, 0, 0}},
      {{0x00000009, 1, 2, 3, 4, 5, 6, 7}},
      {{0x00000002, 1, 0, 0, 0, 0, 0, 9}},
  };
  const struct kc_mx_command commands[] = {{{1, 0x400, 7, 0}}, {{2, 0x500, 0xffff, 3}}, {{3, 1, 0, 0}}, {{9, 1, 2, 3}}};
  char *text;
  cr_assert(eq(int, kc_mx_dis(flits, 4, &text), KT_OK));
  cr_assert(eq(str, text,
               "FILL SIDE=0 PREQ=1 ORDER=0 LAYOUT=0 BANK=1 OFFSET=2 PEERS=0 ADDR=0x1000 GROUPS=2 BLOCKS=3 "
               "GROUP_STRIDE=0x100 BLOCK_STRIDE=0x80 LANE_STRIDE=0x0 REAL_LANES=8 REAL_DEPTH=96 PITCH=2\n"
               "DRAIN DTYPE=0 FUSED=0 NODE=0 ADDR=0x40 ROWS=1 COLUMNS=1 STRIDE=0x20 TILE=5\n"
               ".flit 0x00000009 0x00000001 0x00000002 0x00000003 0x00000004 0x00000005 0x00000006 0x00000007\n"
               ".flit 0x00000002 0x00000001 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000009\n"));
  free(text);
  cr_assert(eq(int, kc_mx_dis_commands(commands, 4, &text), KT_OK));
  cr_assert(eq(str, text,
               "WRITE 0x400 7\nPOLL 0x500 mask 0xffff want 3\nDONE 1\n"
               ".command 0x00000009 0x00000001 0x00000002 0x00000003\n"));
  free(text);
}

/* ---- Rounds ------------------------------------------------------------------------------------ */

static const struct kc_mx_command *command(const struct kc_mx_round *r, size_t i)
{
  cr_assert(lt(sz, i, r->n_commands));
  return &r->commands[i];
}

static void is(const struct kc_mx_command *c, uint32_t op, uint32_t w1, uint32_t w2, uint32_t w3)
{
  cr_assert(c->word[0] == op && c->word[1] == w1 && c->word[2] == w2 && c->word[3] == w3,
            "%u 0x%x %u %u", c->word[0], c->word[1], c->word[2], c->word[3]);
}

/* BASE moves, LENGTH stays and is not written again, KICK always is, CREDIT once. */
Test(mx_bytes, a_round_seeds_credit_once_and_skips_what_a_register_holds, .timeout = 5)
{
  const struct kt_mx_params p = params("sim1");
  const struct kt_mx_flit flits[6] = {{{1}}};
  const struct kc_mx_kick kicks[] = {{0, 2, true}, {2, 2, false}, {4, 2, true}};
  struct kc_mx_program program = {0};
  cr_assert(eq(int, kc_mx_round_add(&program, &p, flits, 6, kicks, 3, NULL), KT_OK));
  const struct kc_mx_round *r = &program.rounds[0];
  cr_assert(eq(sz, r->n_commands, 10));
  is(command(r, 0), 1, 0x408, 32, 0);
  is(command(r, 1), 1, 0x400, 0, 0);
  is(command(r, 2), 1, 0x404, 2, 0);
  is(command(r, 3), 1, 0x40c, 1, 0);
  is(command(r, 4), 1, 0x400, 2, 0);
  is(command(r, 5), 1, 0x40c, 1, 0);
  is(command(r, 6), 2, 0x500, UINT32_MAX, 4);
  is(command(r, 7), 1, 0x400, 4, 0);
  is(command(r, 8), 1, 0x40c, 1, 0);
  is(command(r, 9), 3, 0, 0, 0);
  kc_mx_program_free(&program);
}

static enum kt_status round_of(const struct kt_mx_params *p, size_t n_flits, size_t n_kicks,
                               struct kt_msg *msg)
{
  struct kt_mx_flit *flits = calloc(n_flits, sizeof *flits);
  struct kc_mx_kick *kicks = calloc(n_kicks, sizeof *kicks);
  struct kc_mx_program program = {0};
  for (size_t i = 0; i < n_kicks; i++) kicks[i] = (struct kc_mx_kick){(uint32_t)i, 1, false};
  const enum kt_status st = kc_mx_round_add(&program, p, flits, n_flits, kicks, n_kicks, msg);
  kc_mx_program_free(&program);
  free(flits);
  free(kicks);
  return st;
}

/* limit, limit + 1: 64 instructions, 32 commands (3 + 2 a kick), 7 kicks on 8 credits. */
Test(mx_bytes, a_round_ends_where_staging_commands_or_credit_end, .timeout = 5)
{
  struct kt_mx_params p = params("sim1,STAGING=64,COMMANDS=32,IFIFO=64");
  struct kt_msg msg = {{0}};
  cr_assert(eq(int, round_of(&p, 64, 1, &msg), KT_OK));
  cr_assert(eq(int, round_of(&p, 65, 1, &msg), KT_ELIMIT));
  cr_assert(strstr(msg.text, "staging") != NULL, "%s", msg.text);
  cr_assert(eq(int, round_of(&p, 64, 14, &msg), KT_OK));
  cr_assert(eq(int, round_of(&p, 64, 15, &msg), KT_ELIMIT));
  cr_assert(strstr(msg.text, "command RAM") != NULL, "%s", msg.text);
  p = params("sim1,STAGING=64,COMMANDS=64,IFIFO=8");
  cr_assert(eq(int, round_of(&p, 64, 7, &msg), KT_OK));
  cr_assert(eq(int, round_of(&p, 64, 8, &msg), KT_ELIMIT));
  cr_assert(strstr(msg.text, "credits") != NULL, "%s", msg.text);
  cr_assert(eq(u32, kc_mx_round_room(&p), 64));
}

Test(mx_bytes, a_kick_of_nothing_or_outside_is_refused, .timeout = 5)
{
  const struct kt_mx_params p = params("sim1");
  const struct kt_mx_flit flits[4] = {{{1}}};
  struct kc_mx_program program = {0};
  cr_assert(eq(int, kc_mx_round_add(&program, &p, flits, 4, &(struct kc_mx_kick){0, 0, false}, 1, NULL), KT_EINVAL));
  cr_assert(eq(int, kc_mx_round_add(&program, &p, flits, 4, &(struct kc_mx_kick){1, 4, false}, 1, NULL), KT_EINVAL));
  cr_assert(eq(int, kc_mx_round_add(&program, &p, flits, 4, &(struct kc_mx_kick){UINT32_MAX, 2, false}, 1, NULL),
               KT_EINVAL));
  cr_assert(eq(sz, program.n_rounds, 0));
}

Test(mx_bytes, a_stream_with_an_illegal_instruction_becomes_no_round, .timeout = 5)
{
  const struct kt_mx_params p = params("sim1");
  struct kc_mx_stream s = {0};
  struct kc_mx_program program = {0};
  struct kt_msg msg = {{0}};
  const struct kc_mx_op drain = {.opcode = KT_MX_OP_DRAIN, .as.drain = {0, 0, 0, 2, 256, 0, 1}};
  cr_assert(eq(int, kc_mx_put(&s, &drain), KT_OK));
  cr_assert(eq(int, kc_mx_stream_round(&s, &p, &program, &msg), KT_ERANGE));
  cr_assert(strstr(msg.text, "TILE") != NULL, "%s", msg.text);
  kc_mx_stream_free(&s);
}
