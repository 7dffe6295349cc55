/* SPDX-License-Identifier: Apache-2.0
 *
 * What a cluster's program does, one instruction after the other, from docs/mx-machine.md: the beats
 * that its DRAINs write, in order, and the totals of its events. Programs are legal.
 */
#ifndef CL_REF_H
#define CL_REF_H

#include "spec/kt_mx.h"
#include "spec/model/kr_mxfp7.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CL_MAX_INSNS = 400, CL_MAX_BEATS = 1 << 16 };

struct cl_program {
  struct kt_mx_flit insn[CL_MAX_INSNS];
  bool last[CL_MAX_INSNS]; /* of its kick */
  size_t n;
  uint32_t salt; /* makes the contents of its entries */
};

struct cl_beat {
  uint64_t addr;
  uint32_t word[8];
};

struct cl_want {
  struct cl_beat *beat; /* CL_MAX_BEATS */
  size_t n;
  uint64_t steps, overflow, clamped, flushed, nan;
};

/* Lane `lane` of entry (g, k) that instruction number `insn` fills. */
void cl_entry(uint32_t salt, size_t insn, unsigned g, unsigned k, unsigned lane,
              struct kr_mx_block *b);

void cl_reference(const struct cl_program *p, unsigned mw, struct cl_want *want);

uint32_t cl_hash(uint32_t a, uint32_t b);

#endif
