/* SPDX-License-Identifier: Apache-2.0
 *
 * L1 of the int8 core: programs from loop nests. A loop's handle is the only way to name its level,
 * a kc_ref is a base plus ordered (handle, stride) terms, and the generator derives every level,
 * address term and loop end. It chooses nothing: tiling, order and layout are the caller's.
 *
 * The first mistake sticks; kc_nest_finish reports it:
 *   a nest deeper than the loop stack, naming its loops ("the nest is n > k > m > j > i"),
 *   a handle used outside its loop, or closed out of order, a loop never closed,
 *   more address terms than an instruction carries,
 *   a trip count, row count, base or stride outside what the instruction word admits.
 */
#ifndef KC_NEST_H
#define KC_NEST_H

#include "compiler/bytes/kc_program.h"

struct kc_nest;

/* A loop's induction variable: 0, 1, .. trip - 1. Only kc_nest_loop makes a usable one. */
struct kc_iv {
  uint32_t id;
};

enum { KC_REF_TERMS = 8 };

/* base + sum of iv * stride; the order of the terms is the order in the instruction word. */
struct kc_ref {
  uint32_t base;
  uint32_t n_terms; /* may exceed KC_REF_TERMS: such a reference is refused where it is used */
  struct {
    struct kc_iv iv;
    uint32_t stride;
  } term[KC_REF_TERMS];
};

struct kc_ref kc_ref(uint32_t base);
struct kc_ref kc_at(struct kc_ref ref, struct kc_iv iv, uint32_t stride);

struct kc_nest *kc_nest_new(void); /* NULL: out of memory. kc_nest_finish frees it. */

/* name is for messages only and must live as long as the nest. */
struct kc_iv kc_nest_loop(struct kc_nest *nest, const char *name, uint32_t trip);
void kc_nest_end(struct kc_nest *nest, struct kc_iv iv);

/* One instruction each; operands as in docs/isa.md, nr in rows. */
enum kc_source { KC_A = 0, KC_B = 1 };
void kc_load_spad(struct kc_nest *nest, enum kc_source from, struct kc_ref dram_row0,
                  struct kc_ref col_block, struct kc_ref spad0, uint32_t nr);
void kc_load_vr(struct kc_nest *nest, enum kc_source from, struct kc_ref dram_row0,
                struct kc_ref col_block, struct kc_ref vr0, uint32_t nr);
void kc_vld(struct kc_nest *nest, struct kc_ref vr0, struct kc_ref spad0, uint32_t nr);
void kc_mm(struct kc_nest *nest, struct kc_ref vr_a, struct kc_ref ar0, bool acc,
           struct kc_ref spad_w, uint32_t nr);
void kc_vadd(struct kc_nest *nest, struct kc_ref ar_d, struct kc_ref ar_s1, struct kc_ref ar_s2,
             uint32_t nr);
void kc_vaddrelu(struct kc_nest *nest, struct kc_ref ar_d, struct kc_ref ar_s1,
                 struct kc_ref ar_s2, uint32_t nr);
void kc_vrelu(struct kc_nest *nest, struct kc_ref ar_d, struct kc_ref ar_s, uint32_t nr);
void kc_mvout(struct kc_nest *nest, struct kc_ref ar0, struct kc_ref dram_row0,
              struct kc_ref col_block, uint32_t nr);

/* Builds the header, runs nothing, frees the nest. KT_EINVAL with the first mistake, KT_ENOMEM,
 * KT_ELIMIT where a header count does not fit. *out is empty on failure. */
enum kt_status kc_nest_finish(struct kc_nest *nest, const struct kt_params *p,
                              struct kc_program *out, struct kt_msg *msg);

#endif
