/* SPDX-License-Identifier: Apache-2.0
 *
 * Violations of a descriptor.
 */
#include "compiler/fuzz/kc_fuzz.h"

#include "spec/generated/kt_tinytpu.h"

enum how {
  OFF_BY_ONE,   /* word + 1: not aligned to the bus */
  HALF_BEAT,    /* word + half a beat */
  PAST_BUS,     /* an address that has more bits than the bus */
  STRIDE_ODD,   /* a stride that is no multiple of T */
  STRIDE_LARGE, /* a stride past 16 bits */
  STRIDE_THERE, /* a stride where the build has none */
  SET,          /* the word becomes value */
  OR,           /* value is added to the word */
  FIRST         /* continue on the first of a list */
};

struct desc_kind {
  const char *name;
  uint32_t code, word;
  enum how how;
  uint32_t value;
};

#define SHIFT(n) ((uint32_t)(n) << KT_FLAG_SHIFT_LSB)

static const struct desc_kind kinds[] = {
    {"PROG_WORDS 0", KT_FAULT_N_INSTR, KT_DESC_PROG_WORDS, SET, 0},
    {"PROG_WORDS 8", KT_FAULT_N_INSTR, KT_DESC_PROG_WORDS, SET, 8},
    {"PROG_WORDS odd", KT_FAULT_N_INSTR, KT_DESC_PROG_WORDS, SET, 11},
    {"PROG_WORDS huge", KT_FAULT_N_INSTR, KT_DESC_PROG_WORDS, SET, 0x80000000u},
    {"PROG + 1", KT_FAULT_ALIGNMENT, KT_DESC_PROG, OFF_BY_ONE, 0},
    {"PROG half a beat", KT_FAULT_ALIGNMENT, KT_DESC_PROG, HALF_BEAT, 0},
    {"PROG past the bus", KT_FAULT_DESCRIPTOR, KT_DESC_PROG, PAST_BUS, 0},
    {"A + 1", KT_FAULT_ALIGNMENT, KT_DESC_A, OFF_BY_ONE, 0},
    {"A half a beat", KT_FAULT_ALIGNMENT, KT_DESC_A, HALF_BEAT, 0},
    {"A past the bus", KT_FAULT_DESCRIPTOR, KT_DESC_A, PAST_BUS, 0},
    {"B + 1", KT_FAULT_ALIGNMENT, KT_DESC_B, OFF_BY_ONE, 0},
    {"B half a beat", KT_FAULT_ALIGNMENT, KT_DESC_B, HALF_BEAT, 0},
    {"B past the bus", KT_FAULT_DESCRIPTOR, KT_DESC_B, PAST_BUS, 0},
    {"C + 1", KT_FAULT_ALIGNMENT, KT_DESC_C, OFF_BY_ONE, 0},
    {"C half a beat", KT_FAULT_ALIGNMENT, KT_DESC_C, HALF_BEAT, 0},
    {"C past the bus", KT_FAULT_DESCRIPTOR, KT_DESC_C, PAST_BUS, 0},
    {"STRIDE_A not of T", KT_FAULT_ALIGNMENT, KT_DESC_STRIDE_A, STRIDE_ODD, 0},
    {"STRIDE_B not of T", KT_FAULT_ALIGNMENT, KT_DESC_STRIDE_B, STRIDE_ODD, 0},
    {"STRIDE_C not of T", KT_FAULT_ALIGNMENT, KT_DESC_STRIDE_C, STRIDE_ODD, 0},
    {"STRIDE_A past 16 bits", KT_FAULT_DESCRIPTOR, KT_DESC_STRIDE_A, STRIDE_LARGE, 0},
    {"STRIDE_B past 16 bits", KT_FAULT_DESCRIPTOR, KT_DESC_STRIDE_B, STRIDE_LARGE, 0},
    {"STRIDE_C past 16 bits", KT_FAULT_DESCRIPTOR, KT_DESC_STRIDE_C, STRIDE_LARGE, 0},
    {"STRIDE_A without strides", KT_FAULT_DESCRIPTOR, KT_DESC_STRIDE_A, STRIDE_THERE, 0},
    {"STRIDE_B without strides", KT_FAULT_DESCRIPTOR, KT_DESC_STRIDE_B, STRIDE_THERE, 0},
    {"STRIDE_C without strides", KT_FAULT_DESCRIPTOR, KT_DESC_STRIDE_C, STRIDE_THERE, 0},
    {"form 3", KT_FAULT_DESCRIPTOR, KT_DESC_FLAGS, SET, 3},
    {"shift with form int8", KT_FAULT_DESCRIPTOR, KT_DESC_FLAGS, SET, SHIFT(1) | KT_FORM_INT8},
    {"shift with form int32", KT_FAULT_DESCRIPTOR, KT_DESC_FLAGS, SET, SHIFT(31) | KT_FORM_INT32},
    {"flags bit 2", KT_FAULT_DESCRIPTOR, KT_DESC_FLAGS, OR, 1u << 2},
    {"flags bit 7", KT_FAULT_DESCRIPTOR, KT_DESC_FLAGS, OR, 1u << 7},
    {"flags bit 13", KT_FAULT_DESCRIPTOR, KT_DESC_FLAGS, OR, 1u << 13},
    {"flags bit 18", KT_FAULT_DESCRIPTOR, KT_DESC_FLAGS, OR, 1u << 18},
    {"flags bit 31", KT_FAULT_DESCRIPTOR, KT_DESC_FLAGS, OR, 1u << 31},
    {"reserved word 9", KT_FAULT_DESCRIPTOR, KT_DESC_RESERVED, SET, 1},
    {"reserved word 12", KT_FAULT_DESCRIPTOR, 12, SET, 0x80000000u},
    {"reserved word 15", KT_FAULT_DESCRIPTOR, 15, SET, 0xFFFFFFFFu},
    {"continue first in a list", KT_FAULT_CONTINUE, KT_DESC_FLAGS, FIRST, 0},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

size_t kc_fuzz_desc_kinds(void)
{
  return KINDS;
}

const char *kc_fuzz_desc_kind_name(size_t kind)
{
  return kind < KINDS ? kinds[kind].name : NULL;
}

/* The word's illegal value; false where the build has none of this kind. */
static bool spoiled(const struct kt_params *p, const struct desc_kind *k, uint32_t old,
                    uint32_t *value)
{
  switch (k->how) {
  case OFF_BY_ONE: *value = old + 1; return true;
  case HALF_BEAT: *value = old + p->bus_bits / 16; return true;
  case PAST_BUS:
    if (p->addr_bits >= 32) return false;
    *value = old | 1u << p->addr_bits;
    return true;
  case STRIDE_ODD: *value = 8 * p->maxdim + 1; return p->strides != 0;
  case STRIDE_LARGE: *value = 65536; return p->strides != 0;
  case STRIDE_THERE: *value = 8 * p->maxdim; return p->strides == 0;
  case SET: *value = k->value; return true;
  case OR: *value = old | k->value; return true;
  case FIRST: *value = old | 1u << KT_FLAG_CONTINUE_LSB; return true;
  }
  return false;
}

bool kc_fuzz_desc(const struct kt_params *p, size_t kind, struct kt_desc_words *d,
                  struct kc_fault *fault)
{
  uint32_t value;
  if (kind >= KINDS) return false;

  const struct desc_kind *k = &kinds[kind];
  if (!spoiled(p, k, d->w[k->word], &value)) return false;
  d->w[k->word] = value;
  *fault = (struct kc_fault){.code = k->code, .sub = k->word,
                             .arg = p->strides ? value : 1};
  if (k->code == KT_FAULT_N_INSTR) fault->sub = 0;
  if (k->code == KT_FAULT_CONTINUE) {
    fault->sub = 0;
    fault->arg = 0;
  }
  return true;
}
