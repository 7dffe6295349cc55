/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated memory agent: its memory port as the harness's simulated memory wants it, its other
 * side as plain variables. One model a process.
 */
#ifndef MA_RTL_H
#define MA_RTL_H

#include "cosim/ks_pins.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Driven by the test before ma_settle. */
struct ma_in {
  bool rst, clear, stop;
  uint64_t memory_end;
  bool fill_valid;
  uint32_t fill_insn[8];
  uint16_t fill_instr;
  bool aw_valid, w_valid, w_strobe;
  uint64_t aw_addr;
  uint8_t aw_beats;
  uint16_t aw_instr;
  uint32_t w_data[8];
};

/* What the agent says after ma_settle. */
struct ma_out {
  bool fill_ready, aw_ready, w_ready, b_valid;
  bool l1_valid, l1_side;
  uint16_t l1_entry;
  uint8_t l1_lane, l1_code;
  int8_t l1_q[32];
  bool fault;
  uint8_t fault_code;
  uint32_t fault_arg;
  uint16_t fault_instr;
  bool idle, progress, poisoned, waiting_read, waiting_write;
};

/* Fills in the memory port's pins; the model starts in random state, made from the seed. */
void ma_open(struct ks_pins *pins, unsigned seed);
void ma_settle(const struct ma_in *in, struct ma_out *out);
void ma_clock(void);

#ifdef __cplusplus
}
#endif

#endif
