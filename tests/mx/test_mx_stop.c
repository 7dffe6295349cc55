/* SPDX-License-Identifier: Apache-2.0
 *
 * The control side of the MXFP7 machine: faults of node and memory, watchdog, soft reset, the host
 * while the machine is busy.
 */
#include "tests/mx/mc_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

TestSuite(mx_stop, .init = mc_setup, .timeout = 60);

/* ---- The node's faults ------------------------------------------------------------------------ */

Test(mx_stop, after_a_fault_the_rest_is_skipped)
{
  for (uint32_t i = 0; i < 30; i++)
    mc_stage(i == 11 || i == 12 ? WRONG : i == 20 ? NEVER : SOON, i, (i - 10) | 9 << 8, i);
  mc_set(CREDIT, 5);
  mc_kick(0, 30);
  mc_done(3);
  mc_go();
  mc_expect_fault(1, 9, 0, 11, 11, 4);
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_COMPLETED), 30), eq(u32, mc_rd(KT_MX_REG_INSTRUCTIONS), 30)));
  mc_recovers();
}

Test(mx_stop, instructions_out_of_order_would_show)
{
  mc_stage(SOON, 0, 0, 0);
  mc_stage(SOON, 0, 0, 2);
  mc_set(CREDIT, 5);
  mc_kick(0, 2);
  mc_done(3);
  mc_go();
  mc_expect_fault(0xee, 0, 0, 0, 1, 4);
}

Test(mx_stop, memory_is_read_written_and_waited_for)
{
  struct ks_config config = {.latency = 50};
  ks_dram_configure(&mc_machine.dram, &config);
  mc_fill_and_write(0x2000, 0x3000);
  cr_assert(eq(u32, mc_go(), DONE));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_READ_BEATS), 16), eq(u32, mc_rd(KT_MX_REG_WRITE_BEATS), 1)));
  cr_assert(all(ge(u32, mc_rd(KT_MX_REG_CYCLES_LO), 60), ks_dram_idle(&mc_machine.dram)));
  cr_assert(eq(int, mc_image[0x3000], 0x34));
  mc_fill_and_write(0x2000, 0x3020);
  cr_assert(eq(u32, mc_go(), DONE));
}

Test(mx_stop, accesses_past_the_end_of_memory)
{
  mc_wr(KT_MX_REG_MEMORY_BYTES, 0x8000);
  mc_fill_and_write(0x7f80, 0x3000);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_MEMORY, 0, 0, 0x8000, 1, 4);
  mc_fill_and_write(0x2000, 0x8000);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_MEMORY, 0, 0, 0x8000, 2, 4);
  cr_assert(eq(int, mc_image[0x8000], 0));
  mc_wr(KT_MX_REG_MEMORY_BYTES, 0x8001);
  mc_fill_and_write(0x2000, 0x8000);
  cr_assert(eq(u32, mc_go(), DONE));
  mc_recovers();
}

Test(mx_stop, error_responses)
{
  mc_fill_and_write(0x2000, 0x3000);
  mc_window(0x2000, KS_FAULT_SLVERR);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_AXI_READ, 0, 0, 2, 1, 4);
  mc_window(0x3000, KS_FAULT_DECERR);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_AXI_WRITE, 0, 0, 3, 2, 4);
  mc_recovers();
}

/* ---- Watchdog, undrained ---------------------------------------------------------------------- */

Test(mx_stop, the_watchdog_says_who_waits)
{
  mc_wr(KT_MX_REG_WATCHDOG, 200);
  mc_command(KT_MX_CMD_POLL, KT_MX_REG_COMPLETED, 1, 1);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_NO_PROGRESS, 0, ENGINE, 1 << KT_MX_WAIT_COMMANDS, 0, 0);
  cr_assert(all(ge(u32, mc_rd(KT_MX_REG_CYCLES_LO), 200), le(u32, mc_rd(KT_MX_REG_CYCLES_LO), 206)));
  mc_n_commands = 0; /* no credit */
  mc_stage(SOON, 0, 0, 0);
  mc_kick(0, 1);
  mc_done(0);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_NO_PROGRESS, 0, ENGINE, 1 << KT_MX_WAIT_COMMANDS | 1 << KT_MX_WAIT_DISPATCH, 0, 3);
  mc_n_commands = 0; /* credit that a DRAIN holds for ever */
  mc_stage(ARMED, 3, 0, 0);
  mc_stage(SOON, 0, 0, 1);
  mc_set(CREDIT, 1);
  mc_kick(1, 2);
  mc_done(0);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_NO_PROGRESS, 0, ENGINE,
               1 << KT_MX_WAIT_COMMANDS | 1 << KT_MX_WAIT_DISPATCH | 1 << KT_MX_WAIT_DRAIN, 0, 4);
  cr_assert(eq(u32, mc_rd(KT_MX_REG_COMPLETED), 2)); /* the credit came back when the DRAIN was given up */
  mc_n_commands = mc_n_staged = 0;
  mc_stage(NEVER, 0, 0, 0);
  mc_set(CREDIT, 1);
  mc_kick(0, 1);
  mc_done(0);
  uint32_t cycles[2];
  for (uint32_t limit = 0; limit < 2; limit++) { /* 0 counts as 1 */
    mc_wr(KT_MX_REG_WATCHDOG, limit);
    mc_go();
    cr_assert(eq(u32, mc_rd(KT_MX_REG_FAULT) & 255, KT_MX_FAULT_NO_PROGRESS));
    cycles[limit] = mc_rd(KT_MX_REG_CYCLES_LO);
  }
  cr_assert(eq(u32, cycles[0], cycles[1]));
  mc_wr(KT_MX_REG_WATCHDOG, 65536);
  mc_recovers();
}

/* DONE_CODE is that of this run: 0 until its DONE is met. */
Test(mx_stop, a_run_that_meets_no_done_has_no_code)
{
  mc_recovers();
  mc_n_commands = 0;
  mc_command(KT_MX_CMD_POLL + 77, 0, 0, 0);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_COMMAND, 0, ENGINE, KT_MX_CMD_POLL + 77, 0, 0);
  cr_assert(eq(u32, mc_rd(KT_MX_REG_DONE_CODE), 0));
}

/* 100 cycles for each instruction, a limit of 110: progress counts. */
Test(mx_stop, slow_is_not_stuck)
{
  mc_wr(KT_MX_REG_WATCHDOG, 110);
  for (uint32_t i = 0; i < 20; i++) mc_stage(i % 2 ? SOON : LATER, 100, 0, i);
  mc_set(CREDIT, 8);
  mc_kick(0, 20);
  mc_done(0);
  cr_assert(eq(u32, mc_go(), DONE));
}

Test(mx_stop, an_armed_drain_at_the_end_is_undrained)
{
  mc_stage(SOON, 0, 0, 0);
  mc_stage(ARMED, 513, 0, 1);
  mc_set(CREDIT, 8);
  mc_kick(0, 2);
  mc_done(6);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_UNDRAINED, 0, ENGINE, 513, 0, 4);
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_DONE_CODE), 6), lt(u32, mc_rd(KT_MX_REG_CYCLES_LO), 60)));
  mc_wr(KT_MX_REG_WATCHDOG, 8);
  mc_go();
  mc_expect_fault(KT_MX_FAULT_UNDRAINED, 0, ENGINE, 513, 0, 4);
  mc_wr(KT_MX_REG_WATCHDOG, 65536);
  mc_recovers();
}

/* ---- Host while busy, soft reset, stuck ------------------------------------------------------- */

Test(mx_stop, busy_refuses_go_and_ignores_writes)
{
  mc_start_long();
  mc_wr(KT_MX_REG_WATCHDOG, 1);
  mc_wr(KT_MX_REG_STAGE_INDEX, 3);
  mc_wr(KT_MX_REG_COMMAND_DATA, 3);
  mc_wr(BASE, 3);
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS), BUSY));
  mc_wr(KT_MX_REG_CONTROL, 1);
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS), BUSY | REFUSED));
  cr_assert(ks_machine_run_busy(&mc_machine, LONG));
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS), DONE | REFUSED));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_WATCHDOG), 65536), eq(u32, mc_rd(KT_MX_REG_STAGE_INDEX), 8),
                eq(u32, mc_rd(KT_MX_REG_COMMAND_INDEX), 20), eq(u32, mc_rd(BASE), 0)));
  mc_recovers();
}

Test(mx_stop, soft_reset_ends_a_run)
{
  mc_start_long();
  ks_machine_run_idle(&mc_machine, 20);
  mc_wr(KT_MX_REG_CONTROL, 2);
  cr_assert(ks_machine_run_busy(&mc_machine, 100));
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS), DONE));
  mc_wr(KT_MX_REG_CONTROL, 3); /* go together with a reset is refused; a reset of an idle machine does nothing */
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS), DONE | REFUSED));
  mc_recovers();
}

/* A soft reset while a kick waits without credit, and one at any cycle of a busy run. */
Test(mx_stop, soft_reset_at_any_cycle)
{
  struct ks_config config = {.latency = 20};
  ks_dram_configure(&mc_machine.dram, &config);
  for (unsigned at = 0; at < 60; at++) {
    mc_fill_and_write(0x2000, 0x3000);
    mc_wr(KT_MX_REG_CONTROL, 1);
    ks_machine_run_idle(&mc_machine, at);
    mc_wr(KT_MX_REG_CONTROL, 2);
    cr_assert(ks_machine_run_busy(&mc_machine, 200), "at %u", at);
    cr_assert(all(eq(u32, mc_rd(KT_MX_REG_STATUS), DONE), ks_dram_idle(&mc_machine.dram)));
  }
  mc_n_commands = mc_n_staged = 0;
  mc_stage(SOON, 0, 0, 0);
  mc_kick(0, 1);
  mc_done(0);
  mc_wr(KT_MX_REG_CONTROL, 1);
  ks_machine_run_idle(&mc_machine, 50);
  mc_wr(KT_MX_REG_CONTROL, 2);
  cr_assert(ks_machine_run_busy(&mc_machine, 20));
  mc_recovers();
}

/* What a kick has not sent by then is not sent. */
Test(mx_stop, soft_reset_ends_the_kick)
{
  for (uint32_t i = 0; i < 60; i++) mc_stage(i == 0 ? NEVER : SOON, 0, 0, i);
  mc_set(CREDIT, 8);
  mc_kick(0, 60);
  mc_done(0);
  mc_wr(KT_MX_REG_CONTROL, 1);
  ks_machine_run_idle(&mc_machine, 50);
  mc_wr(KT_MX_REG_CONTROL, 2);
  cr_assert(ks_machine_run_busy(&mc_machine, 25));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_STATUS), DONE), lt(u32, mc_rd(KT_MX_REG_INSTRUCTIONS), 12)));
  mc_recovers();
}

Test(mx_stop, silent_memory_sticks_until_reset)
{
  mc_wr(KT_MX_REG_WATCHDOG, 300);
  mc_fill_and_write(0x2000, 0x3000);
  mc_window(0x2000, KS_FAULT_SILENT);
  mc_wr(KT_MX_REG_CONTROL, 1);
  ks_machine_run_idle(&mc_machine, 2000);
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS), BUSY | FAULT | STUCK));
  cr_assert(all(eq(u32, mc_rd(KT_MX_REG_FAULT), KT_MX_FAULT_NO_PROGRESS | ENGINE << 16),
                eq(u32, mc_rd(KT_MX_REG_FAULT_ARG) >> KT_MX_WAIT_READ & 1, 1)));
  mc_wr(KT_MX_REG_CONTROL, 1);
  mc_wr(KT_MX_REG_CONTROL, 2);
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS), BUSY | FAULT | STUCK | REFUSED));
  struct ks_config config = {.latency = 3};
  ks_dram_configure(&mc_machine.dram, &config);
  mc_reset_machine();
  cr_assert(eq(u32, mc_rd(KT_MX_REG_STATUS), 0));
  mc_recovers();
}

Test(mx_stop, the_host_reaches_memory_and_waits_while_busy)
{
  uint8_t data[100];
  for (unsigned i = 0; i < sizeof data; i++) data[i] = (uint8_t)(200 - i);
  ks_machine_host_begin(&mc_machine, true, 0x4003, data, sizeof data);
  cr_assert(ks_machine_run_ports(&mc_machine, 1000));
  cr_assert(eq(int, memcmp(mc_image + 0x4003, data, sizeof data), 0));
  mc_start_long();
  memset(data, 0, sizeof data);
  ks_machine_host_begin(&mc_machine, false, 0x4003, data, sizeof data);
  cr_assert(not(ks_machine_run_ports(&mc_machine, 1000)));
  cr_assert(ks_machine_run_ports(&mc_machine, 5000));
  cr_assert(eq(int, memcmp(mc_image + 0x4003, data, sizeof data), 0));
}
