/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine model by hand: registers, commands, credit, the order in which things leave, and every
 * fault of docs/mx-machine.md with code, field, argument, node, instruction and command.
 */
#include "tests/support/mx_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 8192, OUT = 4096 };

struct world {
  struct kt_mx_params p;
  uint8_t *memory;
  struct kr_mxmach *m;
  struct kt_msg msg;
  uint32_t flits, commands;
};

/* Memory: an MXFP7 entry at 0 that has 8.0 as element 0 of every lane and 0 elsewhere; zero entries behind it. */
static struct world new_world(const char *params)
{
  struct world w = {0};
  cr_assert(eq(int, kt_mx_params_parse(&w.p, params, &w.msg), KT_OK), "%s", w.msg.text);
  w.memory = calloc(1, MEMORY);
  for (int l = 0; l < 4; l++) {
    w.memory[32 * l] = 8;          /* q[0] = 8 */
    w.memory[32 * l + 28] = 0xa0;  /* E = 20, M = 0: scale 1 */
  }
  w.m = kr_mxmach_new(&w.p);
  cr_assert(eq(int, kr_mxmach_memory(w.m, w.memory, MEMORY), KT_OK));
  kr_mxmach_write(w.m, KT_MX_REG_MEMORY_BYTES, MEMORY, NULL);
  return w;
}

static void end(struct world *w)
{
  kr_mxmach_free(w->m);
  free(w->memory);
}

static void stage(struct world *w, const struct kc_mx_op *op)
{
  struct kt_mx_flit flit;
  kc_mx_pack(op, &flit);
  if (w->flits == 0) kr_mxmach_write(w->m, KT_MX_REG_STAGE_INDEX, 0, NULL);
  for (int i = 0; i < KT_MX_FLIT_WORDS; i++) kr_mxmach_write(w->m, KT_MX_REG_STAGE_DATA, flit.word[i], NULL);
  w->flits++;
}

static void command(struct world *w, uint32_t op, uint32_t w1, uint32_t w2, uint32_t w3)
{
  const uint32_t words[4] = {op, w1, w2, w3};
  if (w->commands == 0) kr_mxmach_write(w->m, KT_MX_REG_COMMAND_INDEX, 0, NULL);
  for (int i = 0; i < 4; i++) kr_mxmach_write(w->m, KT_MX_REG_COMMAND_DATA, words[i], NULL);
  w->commands++;
}

static void node(struct world *w, uint32_t reg, uint32_t value)
{
  command(w, KT_MX_CMD_WRITE, KT_MX_REG_NODE + reg, value, 0);
}

static void kick(struct world *w, uint32_t base, uint32_t length)
{
  node(w, 0, base);
  node(w, 4, length);
  node(w, 12, 1);
}

static enum kt_status go(struct world *w)
{
  const enum kt_status st = kr_mxmach_write(w->m, KT_MX_REG_CONTROL, 1, &w->msg);
  w->flits = w->commands = 0;
  return st;
}

/* Everything staged as one kick, then DONE. */
static enum kt_status run(struct world *w)
{
  node(w, 8, w->p.ififo);
  kick(w, 0, w->flits);
  command(w, KT_MX_CMD_DONE, 7, 0, 0);
  return go(w);
}

static uint32_t reg(const struct world *w, uint32_t offset)
{
  return kr_mxmach_read(w->m, offset);
}

static void faulted(const struct world *w, uint32_t code, uint32_t field, uint32_t who, uint32_t arg,
                    uint32_t instr, uint32_t at)
{
  cr_assert(eq(u32, reg(w, KT_MX_REG_STATUS), 6));
  cr_assert(eq(u32, reg(w, KT_MX_REG_FAULT), code | field << 8 | who << 16));
  cr_assert(eq(u32, reg(w, KT_MX_REG_FAULT_ARG), arg));
  cr_assert(eq(u32, reg(w, KT_MX_REG_FAULT_INSTR), instr));
  cr_assert(eq(u32, reg(w, KT_MX_REG_FAULT_COMMAND), at));
}

static void fine(const struct world *w)
{
  cr_assert(eq(u32, reg(w, KT_MX_REG_STATUS), 2), "fault 0x%x arg 0x%x", reg(w, KT_MX_REG_FAULT),
            reg(w, KT_MX_REG_FAULT_ARG));
}

/* ---- Instructions in a few words ---------------------------------------------------------------- */

static struct kc_mx_op fill(uint32_t side, uint32_t addr, uint32_t groups, uint32_t offset)
{
  return (struct kc_mx_op){.opcode = KT_MX_OP_FILL,
                           .as.fill = {.side = side, .preq = 1, .addr = addr, .groups = groups, .blocks = 1,
                                       .offset = offset, .real_lanes = 1, .real_depth = 1, .pitch = 1}};
}

static struct kc_mx_op gemm(uint32_t gm, uint32_t gn, uint32_t tile, bool acc, bool emit)
{
  return (struct kc_mx_op){.opcode = KT_MX_OP_GEMM,
                           .as.gemm = {.gm = gm, .gn = gn, .nk = 1, .tile = tile, .acc = acc, .emit = emit,
                                       .a_pitch = 1, .b_pitch = 1}};
}

static struct kc_mx_op drain(uint32_t addr, uint32_t rows, uint32_t columns, bool fused, uint32_t tile)
{
  return (struct kc_mx_op){.opcode = KT_MX_OP_DRAIN,
                           .as.drain = {.addr = addr, .rows = rows, .columns = columns, .stride = columns * 32,
                                        .fused = fused, .tile = tile}};
}

static void put(struct world *w, struct kc_mx_op op)
{
  stage(w, &op);
}

/* Entry 0 on both sides: their product is 64 everywhere. */
static void operands(struct world *w)
{
  put(w, fill(0, 0, 1, 0));
  put(w, fill(1, 0, 1, 0));
}

enum { SIXTY_FOUR = 0x5400 };

static uint32_t half(const struct world *w, uint32_t addr)
{
  return w->memory[addr] | (uint32_t)w->memory[addr + 1] << 8;
}

/* ---- Registers ---------------------------------------------------------------------------------- */

Test(mx_machine, identity_registers_show_the_build, .timeout = 5)
{
  struct world w = new_world("sim1,KSLICE=8,PACKED=1,ACC_MW=12,L1_ENTRIES=64,TILES=128,IFIFO=16,STAGING=256,"
                             "COMMANDS=64,OUTSTANDING=8,ADDR_BITS=28");
  cr_assert(eq(u32, reg(&w, 0x000), 0x5550544b));
  cr_assert(eq(u32, reg(&w, 0x004), 1));
  cr_assert(eq(u32, reg(&w, 0x008), kt_mx_params_hash(&w.p)));
  cr_assert(eq(u32, reg(&w, 0x00c), 0x80000002));
  cr_assert(eq(u32, reg(&w, 0x010), 0x100c0801));
  cr_assert(eq(u32, reg(&w, 0x014), 0x00800040));
  cr_assert(eq(u32, reg(&w, 0x018), 0x00400100));
  cr_assert(eq(u32, reg(&w, 0x01c), 0x00011c08));
  end(&w);
}

Test(mx_machine, registers_after_reset_and_after_writes, .timeout = 5)
{
  struct world w = new_world("sim1");
  struct kr_mxmach *m = kr_mxmach_new(&w.p);
  cr_assert(eq(u32, kr_mxmach_read(m, 0x030), 65536));
  cr_assert(eq(u32, kr_mxmach_read(m, 0x03c), UINT32_MAX));
  cr_assert(eq(u32, kr_mxmach_read(m, 0x024), 0));
  kr_mxmach_write(m, 0x030, 9, NULL);
  kr_mxmach_write(m, 0x03c, 4096, NULL);
  kr_mxmach_write(m, 0x028, 16, NULL);
  kr_mxmach_write(m, 0x02c, 1, NULL);
  kr_mxmach_write(m, 0x034, 4, NULL);
  kr_mxmach_write(m, 0x038, 1, NULL);
  kr_mxmach_write(m, 0x400, 5, NULL);
  kr_mxmach_write(m, 0x000, 5, NULL);
  cr_assert(eq(u32, kr_mxmach_read(m, 0x030), 9));
  cr_assert(eq(u32, kr_mxmach_read(m, 0x03c), 4096));
  cr_assert(eq(u32, kr_mxmach_read(m, 0x028), 17));
  cr_assert(eq(u32, kr_mxmach_read(m, 0x034), 5));
  cr_assert(eq(u32, kr_mxmach_read(m, 0x400), 5));
  cr_assert(eq(u32, kr_mxmach_read(m, 0x000), 0x5550544b));
  kr_mxmach_write(m, 0x020, 2, NULL); /* soft reset */
  cr_assert(eq(u32, kr_mxmach_read(m, 0x030), 65536));
  cr_assert(eq(u32, kr_mxmach_read(m, 0x400), 0));
  kr_mxmach_free(m);
  end(&w);
}

Test(mx_machine, memory_of_an_odd_size_is_refused, .timeout = 5)
{
  struct world w = new_world("sim1");
  cr_assert(eq(int, kr_mxmach_memory(w.m, w.memory, 33), KT_EINVAL));
  cr_assert(eq(int, kr_mxmach_memory(w.m, NULL, 64), KT_EINVAL));
  end(&w);
}

/* ---- Runs by hand ------------------------------------------------------------------------------- */

Test(mx_machine, one_product_by_hand, .timeout = 5)
{
  struct world w = new_world("sim1");
  operands(&w);
  put(&w, drain(OUT, 1, 1, true, 0));
  put(&w, gemm(1, 1, 0, false, true));
  put(&w, gemm(1, 1, 0, true, false));
  put(&w, drain(OUT + 32, 1, 1, false, 0));
  cr_assert(eq(int, run(&w), KT_OK));
  fine(&w);
  for (uint32_t i = 0; i < 16; i++) {
    cr_assert(eq(u32, half(&w, OUT + 2 * i), SIXTY_FOUR));
    cr_assert(eq(u32, half(&w, OUT + 32 + 2 * i), 0x5800)); /* 128 */
  }
  cr_assert(eq(u32, reg(&w, KT_MX_REG_STEPS), 2));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_READ_BEATS), 8));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_WRITE_BEATS), 2));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_INSTRUCTIONS), 6));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_COMPLETED), 6));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_NODE_COMPLETED), 6));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_DONE_CODE), 7));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_CYCLES_LO), 0));
  end(&w);
}

/* A binary32 sub-tile is two beats; STRIDE need not be a multiple of 64. */
Test(mx_machine, a_wide_drain_with_an_odd_stride_is_legal, .timeout = 5)
{
  struct world w = new_world("sim1");
  operands(&w);
  put(&w, gemm(1, 1, 0, false, false));
  put(&w, gemm(1, 1, 1, false, false));
  struct kc_mx_op d = drain(OUT, 2, 1, false, 0);
  d.as.drain.dtype = 1;
  d.as.drain.stride = 96;
  put(&w, d);
  cr_assert(eq(int, run(&w), KT_OK));
  fine(&w);
  for (uint32_t i = 0; i < 16; i++) {
    cr_assert(eq(u32, half(&w, OUT + 4 * i + 2), 0x4280)); /* 64 in binary32 */
    cr_assert(eq(u32, half(&w, OUT + 96 + 4 * i + 2), 0x4280));
  }
  cr_assert(eq(u32, reg(&w, KT_MX_REG_WRITE_BEATS), 4));
  end(&w);
}

/* A plain DRAIN behind a fused one leaves after it, with the words as they were. */
Test(mx_machine, drains_leave_in_program_order, .timeout = 5)
{
  struct world w = new_world("sim1");
  operands(&w);
  put(&w, gemm(1, 1, 0, false, false));
  put(&w, drain(OUT, 1, 2, true, 0));
  put(&w, drain(OUT, 1, 1, false, 0)); /* the same place: it must win */
  put(&w, gemm(1, 2, 4, false, false));
  put(&w, gemm(1, 1, 8, false, true));
  put(&w, gemm(1, 1, 8, true, false));
  put(&w, gemm(1, 1, 8, true, true));
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_L1_EMPTY, KT_MX_FIELD_GEMM_B_OFFSET, 0, 1, 5, 4);
  operands(&w);
  put(&w, gemm(1, 1, 0, false, false));
  put(&w, drain(OUT, 1, 2, true, 0));
  put(&w, drain(OUT, 1, 1, false, 0));
  put(&w, gemm(1, 1, 8, false, true));
  put(&w, gemm(1, 1, 8, true, false));
  put(&w, gemm(1, 1, 8, true, true));
  cr_assert(eq(int, run(&w), KT_OK));
  fine(&w);
  cr_assert(eq(u32, half(&w, OUT), SIXTY_FOUR));
  cr_assert(eq(u32, half(&w, OUT + 32), 0x5a00)); /* 192 */
  end(&w);
}

/* What is on chip does not survive go. */
Test(mx_machine, a_run_begins_with_nothing_on_chip, .timeout = 5)
{
  struct world w = new_world("sim1");
  operands(&w);
  put(&w, gemm(1, 1, 0, false, false));
  cr_assert(eq(int, run(&w), KT_OK));
  fine(&w);
  put(&w, gemm(1, 1, 0, false, false));
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_L1_EMPTY, KT_MX_FIELD_GEMM_A_OFFSET, 0, 0, 0, 4);
  operands(&w);
  put(&w, gemm(1, 1, 0, true, false));
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_TILE_EMPTY, KT_MX_FIELD_GEMM_TILE, 0, 0, 2, 4);
  end(&w);
}

/* After a fault everything is counted and skipped, and the next run is whole. */
Test(mx_machine, a_run_after_a_fault_is_whole, .timeout = 5)
{
  struct world w = new_world("sim1");
  for (int i = 0; i < 2; i++) {
    operands(&w);
    struct kc_mx_op bad = gemm(1, 1, 0, false, false);
    bad.as.gemm.nk = 0;
    put(&w, bad);
    put(&w, drain(OUT, 1, 1, false, 0));
    cr_assert(eq(int, run(&w), KT_OK));
    faulted(&w, KT_MX_FAULT_FIELD, KT_MX_FIELD_GEMM_NK, 0, 0, 2, 4);
    cr_assert(eq(u32, reg(&w, KT_MX_REG_COMPLETED), 4));
    cr_assert(eq(u32, half(&w, OUT), 0));
    operands(&w);
    put(&w, gemm(1, 1, 0, false, false));
    put(&w, drain(OUT, 1, 1, false, 0));
    cr_assert(eq(int, run(&w), KT_OK));
    fine(&w);
    cr_assert(eq(u32, half(&w, OUT), SIXTY_FOUR));
    memset(w.memory + OUT, 0, 32);
  }
  end(&w);
}

/* ---- What a GEMM and a DRAIN must find ------------------------------------------------------------ */

/* The first missing thing in the order of the sweep; entries count with their bank. */
Test(mx_machine, a_missing_entry_is_named_with_its_bank, .timeout = 5)
{
  struct world w = new_world("sim1");
  put(&w, fill(0, 0, 3, 0));
  struct kc_mx_op f = fill(1, 0, 2, 5);
  f.as.fill.bank = 1;
  put(&w, f);
  struct kc_mx_op g = gemm(3, 2, 0, false, false);
  g.as.gemm.b_bank = 1;
  g.as.gemm.b_offset = 6;
  put(&w, g);
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_L1_EMPTY, KT_MX_FIELD_GEMM_B_OFFSET, 0, 256 + 7, 2, 4);
  put(&w, fill(0, 0, 3, 0));
  put(&w, f);
  g.as.gemm.b_offset = 5;
  g.as.gemm.gm = 5;
  put(&w, g);
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_L1_EMPTY, KT_MX_FIELD_GEMM_A_OFFSET, 0, 3, 2, 4);
  end(&w);
}

Test(mx_machine, a_plain_drain_of_an_unwritten_word_faults_with_the_word, .timeout = 5)
{
  struct world w = new_world("sim1");
  operands(&w);
  put(&w, gemm(1, 1, 3, false, false));
  put(&w, drain(OUT, 2, 1, false, 3));
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_TILE_EMPTY, KT_MX_FIELD_DRAIN_TILE, 0, 4, 3, 4);
  cr_assert(eq(u32, half(&w, OUT), 0));
  end(&w);
}

Test(mx_machine, emitting_more_than_drains_wait_for_faults_before_the_first_product, .timeout = 5)
{
  struct world w = new_world("sim1");
  put(&w, fill(0, 0, 3, 0));
  put(&w, fill(1, 0, 1, 0));
  put(&w, drain(OUT, 1, 1, true, 0));
  put(&w, drain(OUT + 32, 1, 1, true, 0));
  put(&w, gemm(3, 1, 0, false, true));
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_NOT_ARMED, 0, 0, 0, 4, 4);
  cr_assert(eq(u32, reg(&w, KT_MX_REG_STEPS), 0));
  put(&w, fill(0, 0, 3, 0));
  put(&w, fill(1, 0, 1, 0));
  put(&w, drain(OUT, 1, 1, true, 0));
  put(&w, drain(OUT + 32, 1, 1, true, 0));
  put(&w, gemm(2, 1, 0, false, true));
  cr_assert(eq(int, run(&w), KT_OK));
  fine(&w);
  end(&w);
}

/* ---- Memory ------------------------------------------------------------------------------------ */

Test(mx_machine, the_last_word_of_memory_can_be_read_and_the_next_faults, .timeout = 5)
{
  struct world w = new_world("sim1");
  put(&w, fill(0, MEMORY - 128, 1, 0));
  cr_assert(eq(int, run(&w), KT_OK));
  fine(&w);
  put(&w, fill(0, MEMORY - 96, 1, 0));
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_MEMORY, 0, 0, MEMORY, 0, 4);
  /* Rows: the lane that lies past the end; lanes that do not exist are not read. */
  struct kc_mx_op f = fill(0, MEMORY - 64, 1, 0);
  f.as.fill.preq = 0;
  f.as.fill.lane_stride = 64;
  f.as.fill.real_depth = 32;
  put(&w, f);
  cr_assert(eq(int, run(&w), KT_OK));
  fine(&w);
  f.as.fill.real_lanes = 2;
  put(&w, f);
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_MEMORY, 0, 0, MEMORY, 0, 4);
  end(&w);
}

/* 0xffffffe0 + 0xffffffe0 is past memory, not near its beginning. */
Test(mx_machine, addresses_do_not_wrap, .timeout = 5)
{
  struct world w = new_world("sim1");
  struct kc_mx_op f = fill(0, 64, 2, 0);
  f.as.fill.group_stride = 0xffffffc0;
  put(&w, f);
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_MEMORY, 0, 0, 0, 0, 4);
  end(&w);
}

Test(mx_machine, a_drain_past_the_end_names_the_beat_and_itself, .timeout = 5)
{
  struct world w = new_world("sim1");
  operands(&w);
  put(&w, gemm(1, 1, 0, false, false));
  struct kc_mx_op d = drain(MEMORY - 32, 1, 1, false, 0);
  d.as.drain.dtype = 1;
  put(&w, d);
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, KT_MX_FAULT_MEMORY, 0, 0, MEMORY, 3, 4);
  end(&w);
}

Test(mx_machine, past_the_memory_that_exists_is_refused_where_the_register_allows_it, .timeout = 5)
{
  struct world w = new_world("sim1");
  kr_mxmach_write(w.m, KT_MX_REG_MEMORY_BYTES, 2 * MEMORY, NULL);
  put(&w, fill(0, MEMORY, 1, 0));
  cr_assert(eq(int, run(&w), KT_EFAULT));
  cr_assert(strstr(w.msg.text, "MEMORY_BYTES") != NULL, "%s", w.msg.text);
  end(&w);
}

/* ---- Memory order -------------------------------------------------------------------------------- */

static void write_then(struct world *w)
{
  operands(w);
  put(w, gemm(1, 1, 0, false, false));
  put(w, drain(OUT, 1, 1, false, 0));
}

Test(mx_machine, reading_what_a_drain_writes_needs_a_poll_between, .timeout = 5)
{
  struct world w = new_world("sim1");
  struct kc_mx_op f = fill(0, OUT - 96, 1, 1);
  write_then(&w);
  put(&w, f);
  cr_assert(eq(int, run(&w), KT_EFAULT));
  cr_assert(strstr(w.msg.text, "0x1000") != NULL, "%s", w.msg.text);
  /* its neighbour may be read */
  write_then(&w);
  put(&w, fill(0, OUT - 128, 1, 1));
  cr_assert(eq(int, run(&w), KT_OK));
  fine(&w);
  end(&w);
}

static enum kt_status polled(struct world *w, uint32_t mask, uint32_t want)
{
  write_then(w);
  put(w, fill(0, OUT, 1, 1));
  node(w, 8, 8);
  kick(w, 0, 4);
  command(w, KT_MX_CMD_POLL, KT_MX_REG_NODE_COMPLETED, mask, want);
  kick(w, 4, 1);
  command(w, KT_MX_CMD_DONE, 0, 0, 0);
  return go(w);
}

/* Only a POLL that proves that the DRAIN has completed: not one that an earlier count satisfies too. */
Test(mx_machine, a_poll_that_proves_nothing_does_not_help, .timeout = 5)
{
  struct world w = new_world("sim1");
  cr_assert(eq(int, polled(&w, UINT32_MAX, 4), KT_OK), "%s", w.msg.text);
  fine(&w);
  cr_assert(eq(int, polled(&w, 7, 4), KT_OK));
  cr_assert(eq(int, polled(&w, 3, 0), KT_EFAULT));
  cr_assert(eq(int, polled(&w, UINT32_MAX, 3), KT_EFAULT));
  end(&w);
}

/* ---- Commands ------------------------------------------------------------------------------------ */

Test(mx_machine, commands_that_do_not_exist_fault, .timeout = 5)
{
  struct world w = new_world("sim1,COMMANDS=32");
  command(&w, 4, 1, 2, 3);
  go(&w);
  faulted(&w, KT_MX_FAULT_COMMAND, 0, 255, 4, 0, 0);
  for (int i = 0; i < 32; i++) node(&w, 0, 0);
  go(&w);
  faulted(&w, KT_MX_FAULT_COMMAND, 0, 255, 0, 0, 32);
  node(&w, 0, 0);
  command(&w, KT_MX_CMD_WRITE, KT_MX_REG_WATCHDOG, 1, 0);
  go(&w);
  faulted(&w, KT_MX_FAULT_REGISTER, 0, 255, KT_MX_REG_WATCHDOG, 0, 1);
  node(&w, 16, 0);
  go(&w);
  faulted(&w, KT_MX_FAULT_REGISTER, 0, 255, 0x410, 0, 0);
  command(&w, KT_MX_CMD_POLL, KT_MX_REG_FAULT, 1, 1);
  go(&w);
  faulted(&w, KT_MX_FAULT_REGISTER, 0, 255, KT_MX_REG_FAULT, 0, 0);
  command(&w, KT_MX_CMD_POLL, KT_MX_REG_STATUS, 1, 1);
  command(&w, KT_MX_CMD_DONE, 255, 0, 0);
  go(&w);
  fine(&w);
  cr_assert(eq(u32, reg(&w, KT_MX_REG_DONE_CODE), 255));
  end(&w);
}

Test(mx_machine, kicks_outside_the_staging_ram_fault, .timeout = 5)
{
  struct world w = new_world("sim1,STAGING=64");
  kick(&w, 3, 0);
  go(&w);
  faulted(&w, KT_MX_FAULT_STAGED, 0, 255, 3, 0, 2);
  kick(&w, 1, 64);
  go(&w);
  faulted(&w, KT_MX_FAULT_STAGED, 0, 255, 65, 0, 2);
  node(&w, 8, 33);
  go(&w);
  faulted(&w, KT_MX_FAULT_CREDIT, 0, 255, 33, 0, 0);
  node(&w, 8, 32);
  kick(&w, 0, 64);
  command(&w, KT_MX_CMD_DONE, 0, 0, 0);
  for (int i = 0; i < 64; i++) put(&w, fill(0, 0, 1, 0));
  go(&w);
  fine(&w);
  cr_assert(eq(u32, reg(&w, KT_MX_REG_COMPLETED), 64));
  end(&w);
}

/* ---- Credit, and standing still ------------------------------------------------------------------ */

/* The last completion of a kick returns no credit: P kicks need C > P, or as many and no more. */
Test(mx_machine, a_kick_keeps_one_credit, .timeout = 5)
{
  struct world w = new_world("sim1,IFIFO=8");
  for (uint32_t credit = 1; credit < 4; credit++) {
    for (int i = 0; i < 3; i++) put(&w, fill(0, 0, 1, 0));
    node(&w, 8, credit);
    kick(&w, 0, 3);
    kick(&w, 0, 3);
    kick(&w, 0, 3);
    command(&w, KT_MX_CMD_DONE, 0, 0, 0);
    go(&w);
    if (credit == 3) fine(&w);
    else faulted(&w, KT_MX_FAULT_NO_PROGRESS, 0, 255, 3, 0, credit == 1 ? 9 : 10);
    cr_assert(eq(u32, reg(&w, KT_MX_REG_COMPLETED), 3 * credit));
  }
  end(&w);
}

/* CREDIT written while a kick waits lets it go on; registers keep their values across runs, CREDIT does not. */
Test(mx_machine, credit_written_later_lets_a_kick_go_on, .timeout = 5)
{
  struct world w = new_world("sim1");
  for (int i = 0; i < 3; i++) put(&w, fill(0, 0, 1, 0));
  kick(&w, 0, 3);
  node(&w, 8, 1);
  command(&w, KT_MX_CMD_DONE, 0, 0, 0);
  go(&w);
  fine(&w);
  cr_assert(eq(u32, reg(&w, KT_MX_REG_COMPLETED), 3));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_NODE + 4), 3));
  node(&w, 12, 1);
  command(&w, KT_MX_CMD_DONE, 0, 0, 0);
  go(&w);
  faulted(&w, KT_MX_FAULT_NO_PROGRESS, 0, 255, 3, 0, 1);
  end(&w);
}

Test(mx_machine, what_can_never_move_is_no_progress_with_who_waits, .timeout = 5)
{
  struct world w = new_world("sim1");
  command(&w, KT_MX_CMD_POLL, KT_MX_REG_COMPLETED, UINT32_MAX, 1);
  go(&w);
  faulted(&w, KT_MX_FAULT_NO_PROGRESS, 0, 255, 1, 0, 0);
  for (int i = 0; i < 3; i++) put(&w, drain(OUT, 1, 1, true, 0)); /* the third has no room */
  run(&w);
  faulted(&w, KT_MX_FAULT_NO_PROGRESS, 0, 255, 1 | 1 << 4, 0, 4);
  /* The GEMM writes what the plain DRAIN reads, which waits for the fused one, which waits for the GEMM. */
  operands(&w);
  put(&w, gemm(1, 1, 0, false, false));
  put(&w, drain(OUT, 1, 1, true, 0));
  put(&w, drain(OUT + 32, 1, 1, false, 0));
  put(&w, gemm(1, 1, 0, false, true));
  run(&w);
  faulted(&w, KT_MX_FAULT_NO_PROGRESS, 0, 255, 1 | 1 << 3 | 1 << 4, 0, 4);
  end(&w);
}

Test(mx_machine, a_run_that_ends_with_a_waiting_drain_is_undrained, .timeout = 5)
{
  struct world w = new_world("sim1");
  operands(&w);
  put(&w, drain(OUT, 2, 3, true, 0));
  put(&w, drain(OUT + 512, 1, 2, true, 0));
  put(&w, gemm(1, 1, 0, false, true));
  run(&w);
  faulted(&w, KT_MX_FAULT_UNDRAINED, 0, 255, 7, 0, 4);
  end(&w);
}

/* ---- Totals -------------------------------------------------------------------------------------- */

/* Poison once an arrival, NaN once a drained element, a clamp and a flush in binary16 alone. */
Test(mx_machine, totals_count_everything_that_happened, .timeout = 5)
{
  struct world w = new_world("sim1");
  memcpy(w.memory + 128, w.memory, 128);
  w.memory[128 + 28] = 0xff;           /* entry 1: lane 0 poisoned */
  memcpy(w.memory + 256, w.memory, 128);
  for (int l = 0; l < 4; l++) w.memory[256 + 32 * l + 28] = 0xf0; /* entry 2: 64 * 2^10 */
  memcpy(w.memory + 384, w.memory, 128);
  for (int l = 0; l < 4; l++) w.memory[384 + 32 * l + 28] = 0x00; /* entry 3: 64 * 2^-23 */
  struct kc_mx_op a = fill(0, 0, 4, 0), b = fill(1, 0, 1, 0);
  a.as.fill.group_stride = 128;
  put(&w, a);
  put(&w, a);
  put(&w, b);
  b.as.fill.addr = 384;
  b.as.fill.offset = 1;
  put(&w, b);
  put(&w, gemm(4, 2, 0, false, false));
  put(&w, drain(OUT, 1, 8, false, 0));
  struct kc_mx_op d = drain(OUT + 1024, 1, 8, false, 0);
  d.as.drain.dtype = 1;
  put(&w, d);
  run(&w);
  fine(&w);
  cr_assert(eq(u32, reg(&w, KT_MX_REG_RAW_POISONED), 2));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_RAW_NAN), 2 * 8));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_RAW_CLAMPED), 16));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_RAW_FLUSHED), 16));
  cr_assert(eq(u32, reg(&w, KT_MX_REG_RAW_OVERFLOW), 0));
  cr_assert(eq(u32, half(&w, OUT), SIXTY_FOUR));
  end(&w);
}

/* ---- Which check comes first --------------------------------------------------------------------- */

/* Runs a flit alone; checker and machine must both find this. */
static void finds(const struct kt_mx_flit *flit, uint32_t code, uint32_t field, uint32_t arg)
{
  struct world w = new_world("sim1");
  const struct kc_mx_finding found = kc_mx_check(&w.p, flit);
  cr_assert(eq(u32, found.code, code));
  cr_assert(eq(u32, found.field, field));
  cr_assert(eq(u32, found.arg, arg));
  kr_mxmach_write(w.m, KT_MX_REG_STAGE_INDEX, 0, NULL);
  for (int i = 0; i < KT_MX_FLIT_WORDS; i++) kr_mxmach_write(w.m, KT_MX_REG_STAGE_DATA, flit->word[i], NULL);
  w.flits = 1;
  cr_assert(eq(int, run(&w), KT_OK));
  faulted(&w, code, field, 0, arg, 0, 4);
  end(&w);
}

/* One GEMM with everything wrong, repaired one thing after the other in the page's order. */
Test(mx_machine, a_gemm_with_everything_wrong_faults_in_the_order_of_the_page, .timeout = 10)
{
  const struct kc_mx_op op = {.opcode = KT_MX_OP_GEMM,
                              .as.gemm = {.gm = 20, .gn = 30, .nk = 20, .tile = 511, .a_pitch = 19, .b_pitch = 29}};
  struct kt_mx_flit f;
  kc_mx_pack(&op, &f);
  kt_mx_set(&f, KT_MX_FIELD_GEMM_NK, 257);
  kt_mx_set(&f, KT_MX_FIELD_GEMM_A_PITCH, 0);
  f.word[7] = f.word[4] = 1;
  f.word[0] = (f.word[0] & ~UINT32_C(0xff)) | 0x82;
  finds(&f, KT_MX_FAULT_OPCODE, 0, 0x82);
  f.word[0] = (f.word[0] & ~UINT32_C(0xff)) | KT_MX_OP_GEMM;
  finds(&f, KT_MX_FAULT_FIELD, KT_MX_FIELD_GEMM_NK, 257);
  kt_mx_set(&f, KT_MX_FIELD_GEMM_NK, 20);
  finds(&f, KT_MX_FAULT_FIELD, KT_MX_FIELD_GEMM_A_PITCH, 0);
  kt_mx_set(&f, KT_MX_FIELD_GEMM_A_PITCH, 19);
  finds(&f, KT_MX_FAULT_RESERVED, 0, 4);
  f.word[4] = 0;
  finds(&f, KT_MX_FAULT_RESERVED, 0, 7);
  f.word[7] = 0;
  finds(&f, KT_MX_FAULT_PITCH, KT_MX_FIELD_GEMM_A_PITCH, 19);
  kt_mx_set(&f, KT_MX_FIELD_GEMM_A_PITCH, 20);
  finds(&f, KT_MX_FAULT_PITCH, KT_MX_FIELD_GEMM_B_PITCH, 29);
  kt_mx_set(&f, KT_MX_FIELD_GEMM_B_PITCH, 30);
  finds(&f, KT_MX_FAULT_L1_SPAN, KT_MX_FIELD_GEMM_A_OFFSET, 19 * 20 + 19);
  kt_mx_set(&f, KT_MX_FIELD_GEMM_NK, 9);
  finds(&f, KT_MX_FAULT_L1_SPAN, KT_MX_FIELD_GEMM_B_OFFSET, 8 * 30 + 29);
  kt_mx_set(&f, KT_MX_FIELD_GEMM_NK, 8);
  finds(&f, KT_MX_FAULT_TILE_SPAN, KT_MX_FIELD_GEMM_TILE, 511 + 599);
}

/* A FILL and a DRAIN likewise. */
Test(mx_machine, a_fill_and_a_drain_with_everything_wrong_fault_in_order, .timeout = 10)
{
  struct kc_mx_op op = fill(0, 0, 200, 57);
  struct kt_mx_flit f;
  op.as.fill.blocks = 2;
  kc_mx_pack(&op, &f);
  f.word[1] = 16;
  f.word[7] |= 1u << 31;
  kt_mx_set(&f, KT_MX_FIELD_FILL_PEERS, 3);
  finds(&f, KT_MX_FAULT_FIELD, KT_MX_FIELD_FILL_PEERS, 3);
  kt_mx_set(&f, KT_MX_FIELD_FILL_PEERS, 0);
  finds(&f, KT_MX_FAULT_FIELD, KT_MX_FIELD_FILL_ADDR, 16);
  f.word[1] = 32;
  finds(&f, KT_MX_FAULT_RESERVED, 0, 7);
  f.word[7] &= 0xffff;
  finds(&f, KT_MX_FAULT_PITCH, KT_MX_FIELD_FILL_PITCH, 1);
  kt_mx_set(&f, KT_MX_FIELD_FILL_PITCH, 200);
  finds(&f, KT_MX_FAULT_L1_SPAN, KT_MX_FIELD_FILL_OFFSET, 57 + 200 + 199);
  kt_mx_set(&f, KT_MX_FIELD_FILL_BLOCKS, 1);
  finds(&f, KT_MX_FAULT_L1_SPAN, KT_MX_FIELD_FILL_OFFSET, 256);
  op = drain(16, 16, 32, false, 1);
  kc_mx_pack(&op, &f);
  f.word[6] = 1;
  finds(&f, KT_MX_FAULT_FIELD, KT_MX_FIELD_DRAIN_ADDR, 16);
  f.word[1] = 0;
  finds(&f, KT_MX_FAULT_RESERVED, 0, 6);
  f.word[6] = 0;
  finds(&f, KT_MX_FAULT_TILE_SPAN, KT_MX_FIELD_DRAIN_TILE, 512);
}
