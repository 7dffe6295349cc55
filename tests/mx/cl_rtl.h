/* SPDX-License-Identifier: Apache-2.0
 *
 * Verilated clusters, one a build: inputs are set, outputs looked at, then the clock rises.
 */
#ifndef CL_RTL_H
#define CL_RTL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cl_in {
  bool rst, clear, stop, insn_valid, insn_last, fill_ready, l1_valid, aw_ready, w_ready, b_valid;
  uint32_t insn[8];
  unsigned l1_side, l1_entry, l1_lane, l1_code;
  uint32_t l1_q[7];
};

struct cl_out {
  bool insn_ready, accept_done, done_drain, done_drain_last, fault, fill_valid, aw_valid, w_valid,
      w_strobe, idle, progress, step;
  unsigned code, field, fault_instr, fill_instr, aw_instr, aw_beats, undrained, waiting, state;
  unsigned overflow, clamped, flushed, nan;
  uint32_t arg;
  uint64_t aw_addr;
  uint32_t fill_insn[8], w_data[8];
};

struct cl_build {
  const char *name;
  unsigned kslice, packed, acc_mw, l1_entries, tiles;
  void *(*make)(void);
  void (*destroy)(void *model);
  void (*look)(void *model, const struct cl_in *in, struct cl_out *out); /* before the clock rises */
  void (*clock)(void *model);                                            /* it rises */
};

extern const struct cl_build cl_build_0, cl_build_1, cl_build_2, cl_build_3, cl_build_4;

#ifdef __cplusplus
}
#endif

#endif
