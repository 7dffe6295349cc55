/* SPDX-License-Identifier: Apache-2.0
 *
 * Random legal programs of a cluster: every GEMM's entries have been named, continued words begun,
 * emitted sub-tiles have a DRAIN that is armed when the GEMM is reached, and nothing waits for
 * itself.
 */
#ifndef CL_GEN_H
#define CL_GEN_H

#include "tests/mx/cl_ref.h"

enum { CL_MAX_QUEUE = 2 };

/* A DRAIN that waits for sub-tiles. */
struct cl_armed {
  bool fused;
  uint32_t left, from, to; /* words, where not fused */
};

struct cl_gen {
  struct cl_program *p;
  unsigned bank, tiles; /* entries in a bank, words in the tile */
  uint32_t random;
  bool filled[2][512], written[512];
  struct cl_armed armed[CL_MAX_QUEUE];
  unsigned n_armed;
  uint32_t addr; /* where the next DRAIN writes */
};

void cl_gen_begin(struct cl_gen *g, struct cl_program *p, unsigned l1_entries, unsigned tiles,
                  uint32_t seed);
uint32_t cl_gen_random(struct cl_gen *g, uint32_t below);

/* Appends an instruction; fields are set by kt_mx_set. */
struct kt_mx_flit *cl_gen_append(struct cl_gen *g, uint32_t opcode);

/* A FILL of side's entries with these places; a DRAIN to rows of its own. */
void cl_gen_fill(struct cl_gen *g, unsigned side, unsigned bank, unsigned offset, unsigned groups,
                 unsigned blocks, unsigned pitch);
void cl_gen_drain(struct cl_gen *g, bool fused, unsigned rows, unsigned columns, unsigned tile);

/* A random GEMM of at most `steps` products with what it needs in front of it. */
void cl_gen_gemm(struct cl_gen *g, unsigned steps, bool must_emit);

/* About n instructions, nothing left armed. */
void cl_gen_program(struct cl_gen *g, size_t n, unsigned steps);

#endif
