/* SPDX-License-Identifier: Apache-2.0 */
/* Packing and unpacking of instructions and descriptors: places, inverses, no overlap. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

#include "spec/kt_insn.h"

static uint64_t state;

/* xorshift64*: every bit pattern but zero. */
static uint64_t draw(void)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * UINT64_C(2685821657736338717);
}

static uint64_t seed(void)
{
  const char *s = getenv("SEED");

  state = s == NULL ? 1 : strtoull(s, NULL, 0);
  if (state == 0) state = 1;
  return state;
}

static const uint64_t word_mask[2] = {(UINT64_C(1) << 62) - 1, (UINT64_C(1) << 57) - 1};

Test(spec_insn, fields_sit_where_the_documentation_says, .timeout = 5)
{
  struct kt_insn in = {
      .op = 4, .nr = 127, .f = {1, 2, 3, 4}, .term = {{1, 0, 1}, {2, 3, 2047}, {4, 1, 4}}};
  uint64_t w[2];

  kt_insn_pack(&in, w);
  cr_assert(eq(u64, w[0],
               (UINT64_C(127) << 54) | (UINT64_C(4) << 42) | (UINT64_C(3) << 30) | (2u << 18) |
                   (1u << 6) | 4u));
  cr_assert(eq(u64, w[1] & 0x7FFFF, (1u << 7) | (0u << 4) | 1u));
  cr_assert(eq(u64, w[1] >> 19 & 0x7FFFF, (2047u << 7) | (3u << 4) | 2u));
  cr_assert(eq(u64, w[1] >> 38, (4u << 7) | (1u << 4) | 4u));
}

Test(spec_insn, unpacking_any_word_and_packing_gives_its_meaningful_bits, .timeout = 10)
{
  uint64_t s = seed(), compared = 0;

  for (int i = 0; i < 20000; i++) {
    uint64_t w[2] = {draw(), draw()}, again[2];
    struct kt_insn in;
    if (i == 0) w[0] = w[1] = UINT64_MAX;
    if (i == 1) w[0] = w[1] = 0;
    kt_insn_unpack(w, &in);
    kt_insn_pack(&in, again);
    cr_assert(eq(u64, again[0], w[0] & word_mask[0]), "seed %llu", (unsigned long long)s);
    cr_assert(eq(u64, again[1], w[1] & word_mask[1]), "seed %llu", (unsigned long long)s);
    compared++;
  }
  cr_assert(eq(u64, compared, 20000));
}

/* Each bit of the words belongs to exactly one field: setting it changes one member, and together
 * they cover all. */
Test(spec_insn, no_bit_belongs_to_two_fields, .timeout = 5)
{
  for (int word = 0; word < 2; word++)
    for (int bit = 0; bit < 64; bit++) {
      uint64_t w[2] = {0, 0};
      struct kt_insn in;
      unsigned changed = 0;
      w[word] = UINT64_C(1) << bit;
      kt_insn_unpack(w, &in);
      changed += in.op != 0;
      changed += in.nr != 0;
      for (int f = 0; f < 4; f++) changed += in.f[f] != 0;
      for (int t = 0; t < 3; t++)
        changed += (in.term[t].target != 0) + (in.term[t].level != 0) + (in.term[t].stride != 0);
      cr_assert(eq(u32, changed, word_mask[word] >> bit & 1), "word %d bit %d", word, bit);
    }
}

Test(spec_insn, values_past_a_field_are_cut_and_touch_no_neighbour, .timeout = 5)
{
  struct kt_insn in = {.op = 0xFFFF};
  uint64_t w[2];

  kt_insn_pack(&in, w);
  cr_assert(eq(u64, w[0], 63));
  in = (struct kt_insn){.f = {0, 0xFFFF, 0, 0}};
  kt_insn_pack(&in, w);
  cr_assert(eq(u64, w[0], UINT64_C(0xFFF) << 18));
  in = (struct kt_insn){.term = {{0, 0xFFFF, 0}, {0, 0, 0}, {0, 0, 0}}};
  kt_insn_pack(&in, w);
  cr_assert(eq(u64, w[1], 7u << 4));
}

Test(spec_insn, descriptor_words_follow_the_table, .timeout = 5)
{
  struct kt_desc d = {10, 11, 12,        13,          14,        15,
                      16, 17, .form = 2, .shift = 31, .cont = 1, .fence = 1};
  uint32_t w[KT_DESC_WORDS];

  kt_desc_pack(&d, w);
  for (uint32_t i = 0; i < 8; i++) cr_assert(eq(u32, w[i], 10 + i));
  cr_assert(eq(u32, w[8], 2u | 31u << 8 | 1u << 16 | 1u << 17));
  for (uint32_t i = 9; i < 16; i++) cr_assert(eq(u32, w[i], 0));
}

Test(spec_insn, descriptors_survive_a_round_trip, .timeout = 5)
{
  uint64_t s = seed();

  for (int i = 0; i < 5000; i++) {
    uint32_t w[KT_DESC_WORDS], again[KT_DESC_WORDS];
    struct kt_desc d;
    for (int k = 0; k < KT_DESC_WORDS; k++) w[k] = i == 0 ? UINT32_MAX : (uint32_t)draw();
    kt_desc_unpack(w, &d);
    kt_desc_pack(&d, again);
    for (int k = 0; k < 8; k++)
      cr_assert(eq(u32, again[k], w[k]), "seed %llu", (unsigned long long)s);
    cr_assert(eq(u32, again[8], w[8] & 0x00031F03u), "seed %llu", (unsigned long long)s);
    for (int k = 9; k < 16; k++) cr_assert(eq(u32, again[k], 0));
  }
}
