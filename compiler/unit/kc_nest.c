/* SPDX-License-Identifier: Apache-2.0
 *
 * The loop-nest generator.
 */
#include "compiler/unit/kc_nest.h"

#include "spec/generated/kt_tinytpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEST_ROOM = 8 }; /* loops that a message names; more than the stack holds */

struct open_loop {
  const char *name;
  uint32_t id;
};

struct kc_nest {
  struct kc_program program;
  struct open_loop open[NEST_ROOM];
  uint32_t depth; /* open loops; those past NEST_ROOM are only counted */
  uint32_t next_id;
  enum kt_status st; /* the first mistake ... */
  struct kt_msg msg; /* ... in words */
};

struct kc_ref kc_ref(uint32_t base)
{
  return (struct kc_ref){.base = base};
}

struct kc_ref kc_at(struct kc_ref ref, struct kc_iv iv, uint32_t stride)
{
  if (ref.n_terms < KC_REF_TERMS) {
    ref.term[ref.n_terms].iv = iv;
    ref.term[ref.n_terms].stride = stride;
  }
  ref.n_terms++;
  return ref;
}

struct kc_nest *kc_nest_new(void)
{
  struct kc_nest *nest = calloc(1, sizeof *nest);
  if (nest != NULL) nest->next_id = 1;
  return nest;
}

static bool failed(const struct kc_nest *nest)
{
  return nest == NULL || nest->st != KT_OK;
}

/* Keeps the first mistake only. */
#define REFUSE(nest, ...)                      \
  do {                                         \
    (nest)->st = KT_EINVAL;                    \
    kt_msg_set(&(nest)->msg, __VA_ARGS__);     \
  } while (0)

static void emit(struct kc_nest *nest, const struct kt_insn *insn)
{
  nest->st = kc_program_add(&nest->program, insn);
  if (nest->st != KT_OK) kt_msg_set(&nest->msg, "%s", kt_status_text(nest->st));
}

/* "n > k > m" */
static void nest_names(const struct kc_nest *nest, const char *innermost, char *text, size_t room)
{
  size_t used = 0;
  for (uint32_t i = 0; i < nest->depth && i < NEST_ROOM; i++)
    used += (size_t)snprintf(text + used, used < room ? room - used : 0, "%.32s > ",
                             nest->open[i].name);
  snprintf(text + used, used < room ? room - used : 0, "%.32s", innermost);
}

struct kc_iv kc_nest_loop(struct kc_nest *nest, const char *name, uint32_t trip)
{
  char names[40 * (NEST_ROOM + 1)];
  if (failed(nest)) return (struct kc_iv){0};

  if (trip < KT_LOOP_MIN_TRIP || trip > KT_NR_MAX) {
    REFUSE(nest, "loop %s: trip count %u is outside %d..%d", name, trip, KT_LOOP_MIN_TRIP,
           KT_NR_MAX);
    return (struct kc_iv){0};
  }
  if (nest->depth == KT_LOOP_DEPTH) {
    nest_names(nest, name, names, sizeof names);
    REFUSE(nest, "the nest is %s: %u loops deep (limit %d)", names, nest->depth + 1,
           KT_LOOP_DEPTH);
    return (struct kc_iv){0};
  }
  struct kc_iv iv = {nest->next_id++};
  nest->open[nest->depth].name = name;
  nest->open[nest->depth].id = iv.id;
  nest->depth++;
  emit(nest, &(struct kt_insn){.op = KT_OP_LOOP, .nr = (uint16_t)trip});
  return iv;
}

void kc_nest_end(struct kc_nest *nest, struct kc_iv iv)
{
  if (failed(nest)) return;

  if (nest->depth == 0) {
    REFUSE(nest, "endloop: no loop is open");
  } else if (nest->open[nest->depth - 1].id != iv.id) {
    REFUSE(nest, "endloop: the innermost open loop is %s, not the one named",
           nest->open[nest->depth - 1].name);
  } else {
    nest->depth--;
    emit(nest, &(struct kt_insn){.op = KT_OP_ENDLOOP});
  }
}

static bool find_level(const struct kc_nest *nest, struct kc_iv iv, uint16_t *level)
{
  for (uint32_t i = 0; i < nest->depth; i++) {
    if (nest->open[i].id != iv.id) continue;
    *level = (uint16_t)i;
    return true;
  }
  return false;
}

static void add_term(struct kc_nest *nest, struct kt_insn *insn, uint32_t slot, uint32_t field,
                     struct kc_iv iv, uint32_t stride)
{
  struct kt_term term = {.target = (uint16_t)(field + 1), .stride = (uint16_t)stride};
  if (stride > KT_FIELD_MAX) {
    REFUSE(nest, "f%u: stride %u is past its limit %d", field, stride, KT_FIELD_MAX);
  } else if (!find_level(nest, iv, &term.level)) {
    REFUSE(nest, "f%u: the induction variable is used outside its own loop", field);
  } else {
    insn->term[slot] = term;
  }
}

static void add_operands(struct kc_nest *nest, struct kt_insn *insn, const struct kc_ref ref[4])
{
  uint32_t terms = 0;
  for (uint32_t f = 0; f < 4; f++)
    terms += ref[f].n_terms;
  if (terms > KT_AGU_TERMS) {
    REFUSE(nest, "%u address terms, an instruction carries %d", terms, KT_AGU_TERMS);
    return;
  }
  uint32_t slot = 0;
  for (uint32_t f = 0; f < 4 && !failed(nest); f++) {
    if (ref[f].base > KT_FIELD_MAX)
      REFUSE(nest, "f%u: base %u is past its limit %d", f, ref[f].base, KT_FIELD_MAX);
    insn->f[f] = (uint16_t)ref[f].base;
    for (uint32_t i = 0; i < ref[f].n_terms && !failed(nest); i++)
      add_term(nest, insn, slot++, f, ref[f].term[i].iv, ref[f].term[i].stride);
  }
}

static void data_op(struct kc_nest *nest, uint16_t op, uint32_t nr, struct kc_ref f0,
                    struct kc_ref f1, struct kc_ref f2, struct kc_ref f3)
{
  struct kt_insn insn = {.op = op, .nr = (uint16_t)nr};
  const struct kc_ref ref[4] = {f0, f1, f2, f3};
  if (failed(nest)) return;

  if (nr < 1 || nr > KT_NR_MAX) {
    REFUSE(nest, "nr = %u is outside 1..%d", nr, KT_NR_MAX);
    return;
  }
  add_operands(nest, &insn, ref);
  if (!failed(nest)) emit(nest, &insn);
}

void kc_load_spad(struct kc_nest *nest, enum kc_source from, struct kc_ref dram_row0,
                  struct kc_ref col_block, struct kc_ref spad0, uint32_t nr)
{
  uint32_t mode = from == KC_B ? 1u << KT_MODE_B_BIT : 0;
  data_op(nest, KT_OP_DMA_LD, nr, kc_ref(mode), dram_row0, col_block, spad0);
}

void kc_load_vr(struct kc_nest *nest, enum kc_source from, struct kc_ref dram_row0,
                struct kc_ref col_block, struct kc_ref vr0, uint32_t nr)
{
  uint32_t mode = from == KC_B ? 1u << KT_MODE_B_BIT : 0;
  mode |= 1u << KT_MODE_VR_BIT;
  data_op(nest, KT_OP_DMA_LD, nr, kc_ref(mode), dram_row0, col_block, vr0);
}

void kc_vld(struct kc_nest *nest, struct kc_ref vr0, struct kc_ref spad0, uint32_t nr)
{
  data_op(nest, KT_OP_VLD, nr, vr0, spad0, kc_ref(0), kc_ref(0));
}

void kc_mm(struct kc_nest *nest, struct kc_ref vr_a, struct kc_ref ar0, bool acc,
           struct kc_ref spad_w, uint32_t nr)
{
  data_op(nest, KT_OP_MM, nr, vr_a, ar0, kc_ref(acc ? 1 : 0), spad_w);
}

void kc_vadd(struct kc_nest *nest, struct kc_ref ar_d, struct kc_ref ar_s1, struct kc_ref ar_s2,
             uint32_t nr)
{
  data_op(nest, KT_OP_VADD, nr, ar_d, ar_s1, ar_s2, kc_ref(0));
}

void kc_vaddrelu(struct kc_nest *nest, struct kc_ref ar_d, struct kc_ref ar_s1,
                 struct kc_ref ar_s2, uint32_t nr)
{
  data_op(nest, KT_OP_VADDRELU, nr, ar_d, ar_s1, ar_s2, kc_ref(0));
}

void kc_vrelu(struct kc_nest *nest, struct kc_ref ar_d, struct kc_ref ar_s, uint32_t nr)
{
  data_op(nest, KT_OP_VRELU, nr, ar_d, ar_s, kc_ref(0), kc_ref(0));
}

void kc_mvout(struct kc_nest *nest, struct kc_ref ar0, struct kc_ref dram_row0,
              struct kc_ref col_block, uint32_t nr)
{
  data_op(nest, KT_OP_MVOUT, nr, ar0, dram_row0, col_block, kc_ref(0));
}

enum kt_status kc_nest_finish(struct kc_nest *nest, const struct kt_params *p,
                              struct kc_program *out, struct kt_msg *msg)
{
  *out = (struct kc_program){NULL, 0};
  if (nest == NULL) return KT_ENOMEM;

  if (!failed(nest) && nest->depth > 0)
    REFUSE(nest, "loop %s is never closed", nest->open[nest->depth - 1].name);
  if (!failed(nest) && nest->program.n_words == 0) REFUSE(nest, "a program of no instructions");
  enum kt_status st = nest->st;
  if (st != KT_OK) {
    kt_msg_set(msg, "%s", nest->msg.text);
  } else {
    st = kc_build_header(p, nest->program.words, nest->program.n_words, msg);
  }
  if (st == KT_OK) *out = nest->program;
  else kc_program_free(&nest->program);
  free(nest);
  return st;
}
