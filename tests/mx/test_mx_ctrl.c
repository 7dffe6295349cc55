/* SPDX-License-Identifier: Apache-2.0
 *
 * The control side of the MXFP7 machine: go, commands, kicks and credit, and the engine's faults.
 */
#include "tests/mx/mc_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

TestSuite(mx_ctrl, .init = mc_setup, .timeout = 60);

/* ---- What a run does -------------------------------------------------------------------------- */

Test(mx_ctrl, identity_and_reset_values)
{
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_MAGIC), KT_MX_MAGIC), eq(u32, mc_rd(KT_MX_REG_SPEC_VERSION), KT_MX_VERSION)));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_ENGINE), 0x80000002), eq(u32, mc_rd(KT_MX_REG_CONFIG_HASH), 0x12345678)));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_PARAM0), 1 | 32 << 8 | 14 << 16 | 8 << 24),
                eq(u32, mc_rd(KT_MX_REG_PARAM1), 512 | 512 << 16)));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_PARAM2), 64 | 32 << 16), eq(u32, mc_rd(KT_MX_REG_PARAM3), 8 | 32 << 8)));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_WATCHDOG), 65536), eq(u32, mc_rd(KT_MX_REG_MEMORY_BYTES), 0xffffffff)));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_STATUS), 0), eq(u32, mc_rd(0xffc), 0)));
  mc_wr(KT_MX_REG_WATCHDOG, 99);
  mc_wr(KT_MX_REG_MEMORY_BYTES, 12345);
  mc_wr(BASE, 7);
  mc_wr(LENGTH, 9);
  mc_wr(CREDIT, 5);
  mc_wr(KICK, 1);
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_WATCHDOG), 99), eq(u32, mc_rd(KT_MX_REG_MEMORY_BYTES), 12345)));
  cr_assert(all(eq(u32, mc_rd(BASE), 7), eq(u32, mc_rd(LENGTH), 9)));
  cr_assert(all(eq(u32, mc_rd(CREDIT), 0), eq(u32, mc_rd(KICK), 0)));
}

Test(mx_ctrl, a_run_sends_its_instructions_in_order_and_counts)
{
  for (uint32_t i = 0; i < 20; i++) mc_stage(i % 3 ? SOON : LATER, i % 4, 0, i);
  mc_set(CREDIT, 8);
  mc_kick(0, 12);
  mc_kick(12, 8);
  mc_done(42);
  cr_assert(eq(u32, mc_go(), DONE));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_COMPLETED), 20), eq(u32, mc_rd(KT_MX_REG_NODE_COMPLETED), 20),
                eq(u32, mc_rd(KT_MX_REG_INSTRUCTIONS), 20), eq(u32, mc_rd(KT_MX_REG_DONE_CODE), 42)));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_STEPS), 20), eq(u32, mc_rd(KT_MX_REG_RAW_OVERFLOW), 320),
                eq(u32, mc_rd(KT_MX_REG_RAW_CLAMPED), 60), eq(u32, mc_rd(KT_MX_REG_RAW_FLUSHED), 40),
                eq(u32, mc_rd(KT_MX_REG_RAW_NAN), 20)));
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 8; i++) sum += mc_rd(KT_MX_REG_SWEEP + 4 * i);
  cr_assert(eq(u32, sum, mc_rd(KT_MX_REG_CYCLES_LO)));
  cr_assert(eq(u32, mc_rd(CREDIT), 6)); /* each kick's last returns none */
  mc_recovers();
}

/* Cycles of an empty run, and of one instruction: what the control side costs. */
Test(mx_ctrl, few_cycles_from_go_to_done)
{
  mc_done(1);
  cr_assert(eq(u32, mc_go(), DONE));
  cr_assert(eq(u32, mc_rd(KT_MX_REG_CYCLES_LO), 1));
  mc_n_commands = 0;
  mc_stage(SOON, 0, 0, 0);
  mc_wr(BASE, 0);
  mc_wr(LENGTH, 1);
  mc_set(CREDIT, 1);
  mc_set(KICK, 1);
  mc_done(1);
  cr_assert(eq(u32, mc_go(), DONE));
  printf("ctrl: one instruction in %u cycles\n", mc_rd(KT_MX_REG_CYCLES_LO));
  cr_assert(eq(u32, mc_rd(KT_MX_REG_CYCLES_LO), 5));
}

Test(mx_ctrl, more_instructions_than_credit)
{
  for (uint32_t credit = 1; credit <= IFIFO; credit++) {
    mc_n_staged = mc_n_commands = 0;
    for (uint32_t i = 0; i < 60; i++) mc_stage(i % 5 == 4 ? LATER : SOON, (i * credit) % 7, 0, i);
    mc_set(CREDIT, credit);
    mc_kick(0, 60);
    mc_done(credit);
    cr_assert(eq(u32, mc_go(), DONE));
    cr_assert(all(eq(u32, mc_rd(KT_MX_REG_COMPLETED), 60), eq(u32, mc_rd(CREDIT), credit - 1)));
  }
}

/* Credit written again while instructions are under way: never above IFIFO, nothing lost. */
Test(mx_ctrl, credit_written_while_it_is_used)
{
  for (uint32_t i = 0; i < 40; i++) mc_stage(SOON, i % 6, 0, i);
  for (uint32_t i = 0; i < 4; i++) {
    mc_set(CREDIT, IFIFO);
    mc_kick(10 * i, 10);
  }
  mc_done(0);
  cr_assert(eq(u32, mc_go(), DONE));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_COMPLETED), 40), le(u32, mc_rd(CREDIT), IFIFO)));
}

Test(mx_ctrl, registers_of_the_node_keep_their_values_and_credit_does_not)
{
  mc_stage(SOON, 0, 0, 0);
  mc_stage(SOON, 0, 0, 1);
  mc_set(CREDIT, 4);
  mc_kick(0, 2);
  mc_done(0);
  cr_assert(eq(u32, mc_go(), DONE));
  cr_assert(all(eq(u32, mc_rd(BASE), 0), eq(u32, mc_rd(LENGTH), 2), eq(u32, mc_rd(CREDIT), 3)));
  mc_n_commands = 0;
  mc_set(CREDIT, 2);
  mc_set(KICK, 9);
  mc_done(0);
  cr_assert(eq(u32, mc_go(), DONE));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_COMPLETED), 2), eq(u32, mc_rd(CREDIT), 1)));
}

Test(mx_ctrl, a_poll_waits_for_its_count)
{
  for (uint32_t i = 0; i < 6; i++) mc_stage(SOON, 40, 0, i);
  mc_set(CREDIT, 8);
  mc_kick(0, 6);
  mc_command(KT_MX_CMD_POLL, KT_MX_REG_NODE_COMPLETED, 0xff, 3);
  mc_command(KT_MX_CMD_POLL, KT_MX_REG_STATUS, BUSY | DONE | FAULT, BUSY);
  mc_command(KT_MX_CMD_POLL, KT_MX_REG_COMPLETED, 4, 4);
  mc_command(KT_MX_CMD_WRITE, BASE, 5, 0); /* cannot be seen before the polls are satisfied */
  mc_done(0);
  mc_wr(KT_MX_REG_CONTROL, 1);
  ks_machine_run_idle(&mc_machine, 100);
  cr_assert(all(eq(u32, mc_rd(BASE), 0), eq(u32, mc_rd(KT_MX_REG_STATUS), BUSY)));
  ks_machine_run_idle(&mc_machine, 90);
  cr_assert(all(eq(u32, mc_rd(BASE), 5), eq(u32, mc_rd(KT_MX_REG_STATUS), BUSY)));
  cr_assert(ks_machine_run_busy(&mc_machine, LONG));
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS), DONE));
}

/* ---- The engine's faults ---------------------------------------------------------------------- */

Test(mx_ctrl, commands_that_are_none)
{
  mc_set(LENGTH, 1);
  mc_command(4, 0, 0, 0);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_COMMAND, 0, ENGINE, 4, 0, 1);
  mc_n_commands = 0;
  mc_command(0x101, 0, 0, 0);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_COMMAND, 0, ENGINE, 0x101, 0, 0);
  mc_n_commands = 0;
  for (unsigned i = 0; i < COMMANDS; i++) mc_set(BASE, i);
  mc_wr(KT_MX_REG_COMMAND_INDEX, COMMANDS * 4); /* past the RAM: nothing is written */
  mc_wr(KT_MX_REG_COMMAND_DATA, 4);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_COMMAND, 0, ENGINE, 0, 0, COMMANDS);
  cr_assert(eq(u32, mc_rd(BASE), COMMANDS - 1));
  mc_recovers();
}

Test(mx_ctrl, registers_that_a_command_cannot_name)
{
  static const uint32_t writes[] = {0, KT_MX_REG_CONTROL, KT_MX_REG_WATCHDOG, KICK + 4, KT_MX_REG_NODE_COMPLETED,
                                    BASE + 1, 0x10400};
  static const uint32_t polls[] = {0, BASE, CREDIT, KT_MX_REG_CYCLES_LO, KT_MX_REG_COMPLETED + 1, 0x80000024};
  for (unsigned i = 0; i < 7; i++) {
    mc_n_commands = 0;
    mc_command(KT_MX_CMD_WRITE, writes[i], 0, 0);
    mc_go();
    mc_expect_fault(KT_MX_FAULT_REGISTER, 0, ENGINE, writes[i], 0, 0);
  }
  for (unsigned i = 0; i < 6; i++) {
    mc_n_commands = 0;
    mc_command(KT_MX_CMD_POLL, polls[i], 0, 0);
    mc_go();
    mc_expect_fault(KT_MX_FAULT_REGISTER, 0, ENGINE, polls[i], 0, 0);
  }
  mc_recovers();
}

static void kick_faults(uint32_t base, uint32_t length)
{
  mc_n_commands = 0;
  mc_set(CREDIT, 8);
  mc_kick(base, length);
  mc_done(0);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_STAGED, 0, ENGINE, base + length, 0, 3);
}

Test(mx_ctrl, kicks_must_lie_in_the_staging_ram)
{
  kick_faults(0, 0);
  kick_faults(STAGING, 1);
  kick_faults(STAGING - 1, 2);
  kick_faults(1, 0xffffffff);
  kick_faults(0x80000000, 0x80000001);
  mc_n_staged = mc_n_commands = 0;
  mc_stage(SOON, 0, 0, 1);
  mc_n_staged = STAGING - 1;
  mc_stage(SOON, 0, 0, 0);
  mc_wr(KT_MX_REG_STAGE_INDEX, STAGING * 8); /* past the RAM: nothing is written */
  for (int i = 0; i < 8; i++) mc_wr(KT_MX_REG_STAGE_DATA, NEVER);
  mc_set(CREDIT, 3);
  mc_kick(STAGING - 1, 1);
  mc_kick(0, 1); /* not overwritten */
  mc_done(0);
  cr_assert(eq(u32, mc_go(), DONE));
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STAGE_INDEX), STAGING * 8 + 8));
}

Test(mx_ctrl, credit_above_the_fifo)
{
  for (uint32_t credit = IFIFO + 1; credit < 20; credit += 7) {
    mc_n_commands = 0;
    mc_set(CREDIT, credit);
    mc_done(0);
    mc_go();
    mc_expect_fault(KT_MX_FAULT_CREDIT, 0, ENGINE, credit, 0, 0);
  }
  mc_recovers();
}
