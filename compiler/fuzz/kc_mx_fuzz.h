/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs of the MXFP7 machine: legal ones of FILL, GEMM and DRAIN in any order that cannot
 * stand still, and illegal instructions together with the fault that the page asks for. For model
 * against oracle and Verilog against model.
 *
 * Memory of a program, all of it within memory_bytes:
 *   0 .. inputs-1            what FILLs read; the caller fills it with anything
 *   inputs .. middle-1       DRAINs before the wait write it; FILLs after it may read it
 *   middle .. memory_bytes-1 DRAINs after the wait write it
 */
#ifndef KC_MX_FUZZ_H
#define KC_MX_FUZZ_H

#include "compiler/fuzz/kc_rng.h"
#include "compiler/unit/kc_mx_unit.h"

struct kc_mx_fuzz {
  struct kc_mx_stream stream;
  struct kc_mx_kick kick[6];
  size_t n_kicks;
  uint32_t inputs, middle, memory_bytes;
  /* what happened, so that a test can ask for it */
  uint32_t fills, gemms, drains, fused, plain_behind_fused, spans, waits;
};

/* About `length` instructions; memory_bytes at least 16 KiB, a multiple of 32. Caller frees the stream. KT_ENOMEM. */
enum kt_status kc_mx_fuzz_legal(const struct kt_mx_params *p, struct kc_rng *rng, uint32_t length,
                                uint32_t memory_bytes, struct kc_mx_fuzz *out);

/* A flit that is legal but for one thing, and the finding that it must give. */
void kc_mx_fuzz_illegal(const struct kt_mx_params *p, struct kc_rng *rng, struct kt_mx_flit *flit,
                        struct kc_mx_finding *want);

#endif
