/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/mx/mc_bench.h"

#include "cosim/ks_shim.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

struct ks_machine mc_machine;
uint8_t mc_image[SIZE];
unsigned mc_n_staged, mc_n_commands;

uint32_t mc_rd(uint32_t reg)
{
  ks_machine_reg_begin(&mc_machine, false, reg, 0);
  cr_assert(ks_machine_run_ports(&mc_machine, 100));
  return mc_machine.reg.data;
}

void mc_wr(uint32_t reg, uint32_t value)
{
  ks_machine_reg_begin(&mc_machine, true, reg, value);
  cr_assert(ks_machine_run_ports(&mc_machine, 100));
}

void mc_reset_machine(void)
{
  ks_machine_reset(&mc_machine, 0);
  mc_n_staged = mc_n_commands = 0;
}

void mc_setup(void)
{
  struct ks_model model;
  cr_assert(eq(int, ks_shim_open(&model, (uint32_t)mc_n_staged + 5, NULL), 0));
  for (unsigned i = 0; i < SIZE; i++) mc_image[i] = (uint8_t)(i * 7);
  ks_machine_init(&mc_machine, &model, mc_image, SIZE);
  mc_n_staged = mc_n_commands = 0;
}

/* ---- Programs --------------------------------------------------------------------------------- */

void mc_stage(uint32_t kind, uint32_t delay, uint32_t more, uint32_t number)
{
  const uint32_t word[8] = {kind, delay, more, 0, 0, 0, 0, number};
  mc_wr(KT_MX_REG_STAGE_INDEX, mc_n_staged++ * 8);
  for (int i = 0; i < 8; i++) mc_wr(KT_MX_REG_STAGE_DATA, word[i]);
}

void mc_command(uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
  const uint32_t word[4] = {op, a, b, c};
  mc_wr(KT_MX_REG_COMMAND_INDEX, mc_n_commands++ * 4);
  for (int i = 0; i < 4; i++) mc_wr(KT_MX_REG_COMMAND_DATA, word[i]);
}

void mc_set(uint32_t reg, uint32_t value)
{
  mc_command(KT_MX_CMD_WRITE, reg, value, 0);
}

void mc_kick(uint32_t base, uint32_t length)
{
  mc_set(BASE, base);
  mc_set(LENGTH, length);
  mc_set(KICK, 1);
}

void mc_done(uint32_t code)
{
  mc_command(KT_MX_CMD_DONE, code, 0, 0);
}

uint32_t mc_go(void)
{
  mc_wr(KT_MX_REG_CONTROL, 1);
  cr_assert(ks_machine_run_busy(&mc_machine, LONG), "the run does not end");
  ks_machine_run_idle(&mc_machine, 3);
  cr_assert(eq(ulong, mc_machine.rules.violations, 0), "%s", mc_machine.rules.first);
  const uint64_t cycles = mc_rd(KT_MX_REG_CYCLES_LO) | (uint64_t)mc_rd(KT_MX_REG_CYCLES_HI) << 32;
  cr_assert(eq(ulong, cycles, mc_machine.pin_cycles));
  return mc_rd(KT_MX_REG_STATUS);
}

void mc_expect_fault(uint32_t code, uint32_t field, uint32_t node, uint32_t arg, uint32_t instr,
                         uint32_t at)
{
  const uint32_t fault = mc_rd(KT_MX_REG_FAULT);
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS) & 63, (DONE | FAULT)));
  cr_assert(eq(u32, fault, code | field << 8 | node << 16), "0x%x: arg 0x%x", fault, mc_rd(KT_MX_REG_FAULT_ARG));
  cr_assert(eq(u32, mc_rd(KT_MX_REG_FAULT_ARG), arg));
  cr_assert(eq(u32, mc_rd(KT_MX_REG_FAULT_INSTR), instr));
  cr_assert(eq(u32, mc_rd(KT_MX_REG_FAULT_COMMAND), at));
}

void mc_recovers(void)
{
  static uint32_t usual;
  mc_n_staged = mc_n_commands = 0;
  for (uint32_t i = 0; i < 5; i++) mc_stage(i % 2 ? SOON : LATER, i, 0, i);
  mc_set(CREDIT, 3);
  mc_kick(0, 5);
  mc_done(77);
  cr_assert(eq(u32, mc_go(), DONE));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_COMPLETED), 5), eq(u32, mc_rd(KT_MX_REG_DONE_CODE), 77)));
  const uint32_t cycles = mc_rd(KT_MX_REG_CYCLES_LO);
  if (usual != 0) cr_assert(eq(u32, cycles, usual));
  usual = cycles;
}

void mc_stage_fill(uint32_t addr, uint32_t number)
{
  struct kt_mx_flit f = {.word = {READ}};
  kt_mx_set(&f, KT_MX_FIELD_FILL_PREQ, 1);
  kt_mx_set(&f, KT_MX_FIELD_FILL_ADDR, addr);
  kt_mx_set(&f, KT_MX_FIELD_FILL_GROUPS, 2);
  kt_mx_set(&f, KT_MX_FIELD_FILL_BLOCKS, 1);
  kt_mx_set(&f, KT_MX_FIELD_FILL_GROUP_STRIDE, 128);
  mc_wr(KT_MX_REG_STAGE_INDEX, mc_n_staged++ * 8);
  for (int i = 0; i < 7; i++) mc_wr(KT_MX_REG_STAGE_DATA, f.word[i]);
  mc_wr(KT_MX_REG_STAGE_DATA, number);
}

void mc_fill_and_write(uint32_t fill, uint32_t write)
{
  mc_n_staged = mc_n_commands = 0;
  mc_stage_fill(0x1000, 0);
  mc_stage_fill(fill, 1);
  mc_stage(WRITE, write, 0xabcd1234, 2);
  mc_set(CREDIT, 5);
  mc_kick(0, 3);
  mc_done(0);
}

void mc_window(uint64_t first, uint32_t kind)
{
  struct ks_config config = {.latency = 3};
  config.faults[0] = (struct ks_fault_window){.first = first, .last = first, .kind = kind, .reads = 1, .writes = 1};
  ks_dram_configure(&mc_machine.dram, &config);
}

void mc_start_long(void)
{
  mc_stage(SOON, 3000, 0, 0);
  mc_set(CREDIT, 1);
  mc_kick(0, 1);
  mc_done(5);
  mc_wr(KT_MX_REG_CONTROL, 1);
}
