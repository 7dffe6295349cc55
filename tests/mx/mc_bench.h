/* SPDX-License-Identifier: Apache-2.0
 *
 * The bench of the machine's control side around a stand-in for the cluster (ktpu_cluster_fake.v says
 * what its instructions do). Small build: STAGING 64, COMMANDS 32, IFIFO 8. The machine is driven
 * through its pins by the harness.
 */
#ifndef MC_BENCH_H
#define MC_BENCH_H

#include "cosim/ks_machine.h"
#include "spec/kt_mx.h"

enum { SIZE = 1 << 16, STAGING = 64, COMMANDS = 32, IFIFO = 8, LONG = 200000 };
enum { BUSY = 1, DONE = 2, FAULT = 4, REFUSED = 8, STUCK = 32 };
enum { SOON = 1, LATER = 2, WRONG = 3, NEVER = 4, ARMED = 5, READ = 6, WRITE = 7 };
enum { BASE = KT_MX_REG_NODE, LENGTH = BASE + 4, CREDIT = BASE + 8, KICK = BASE + 12 };
enum { ENGINE = 255 };

extern struct ks_machine mc_machine;
extern uint8_t mc_image[SIZE];
extern unsigned mc_n_staged, mc_n_commands; /* where the next one goes */

void mc_setup(void);
void mc_reset_machine(void);
uint32_t mc_rd(uint32_t reg);
void mc_wr(uint32_t reg, uint32_t value);

/* An instruction; its number since go is `number`. */
void mc_stage(uint32_t kind, uint32_t delay, uint32_t more, uint32_t number);
void mc_stage_fill(uint32_t addr, uint32_t number);

/* Commands: any; WRITE; BASE, LENGTH and KICK; DONE. */
void mc_command(uint32_t op, uint32_t a, uint32_t b, uint32_t c);
void mc_set(uint32_t reg, uint32_t value);
void mc_kick(uint32_t base, uint32_t length);
void mc_done(uint32_t code);

/* Whole programs: two FILLs and a write; an instruction of 3000 cycles, started. */
void mc_fill_and_write(uint32_t fill, uint32_t write);
void mc_start_long(void);

/* What an access to the beat at `first` gets. */
void mc_window(uint64_t first, uint32_t kind);

/* Runs to the end; returns STATUS. */
uint32_t mc_go(void);
void mc_expect_fault(uint32_t code, uint32_t field, uint32_t node, uint32_t arg, uint32_t instr, uint32_t at);

/* A right program runs after whatever was before, in its usual cycles. */
void mc_recovers(void);

#endif
