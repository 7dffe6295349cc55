/* SPDX-License-Identifier: Apache-2.0
 *
 * The bench around the memory agent: the harness's simulated memory on one side, FILLs and write
 * bursts on the other. Words that reach L1 are compared as they come.
 */
#ifndef MA_BENCH_H
#define MA_BENCH_H

#include "cosim/ks_dram.h"
#include "cosim/ks_rules.h"
#include "spec/kt_mx.h"
#include "tests/mx/ma_rtl.h"

enum { SIZE = 1 << 20, BEAT = 32, WORDS = 1 << 16, FILLS = 64, LIMIT = 200000 };

struct word {
  bool side;
  uint16_t entry;
  uint8_t lane, code;
  int8_t q[32];
};

struct queue {
  struct word word[WORDS];
  unsigned head, tail;
};

struct burst {
  uint64_t addr;
  unsigned beats;
};

extern struct ma_bench {
  struct ks_pins pins;
  struct ks_dram dram;
  struct ks_rules rules;
  struct ma_in in;
  struct ma_out out;
  uint64_t cycle, last_word;
  uint8_t image[SIZE], shadow[SIZE];
  struct queue quantised, direct; /* words still to come; the second kind may pass the first */
  unsigned long compared, beats, poisoned, want_poisoned, answers, faults;
  struct kt_mx_flit fill[FILLS];
  unsigned n_fills, next_fill, gap;
  struct burst write[FILLS];
  unsigned n_writes, next_aw, next_w, w_beat;
  bool preq_bank;
  uint8_t fault_code;
  uint32_t fault_arg;
  uint16_t fault_instr;
} ma;

void ma_start(unsigned seed, uint32_t latency, uint64_t stalls);
void ma_tick(void);
uint32_t ma_below(uint32_t n);

/* Queues a FILL and what it brings. */
void ma_add_fill(const struct kt_mx_flit *f);

/* Entries of at most `most`; strides and addresses keep all of it inside the memory. */
void ma_random_fill(struct kt_mx_flit *f, unsigned most);
void ma_drive_fill(void);

/* Until all FILLs are taken and the agent is idle, and `spare` cycles more. */
void ma_finish(unsigned spare);
void ma_check_fills(void);

void ma_add_write(uint64_t addr, unsigned beats);
void ma_drive_write(unsigned gap);

/* Until all writes and FILLs are through. */
void ma_finish_writes(unsigned gap);

#endif
