// SPDX-License-Identifier: Apache-2.0
// The Verilated arithmetic behind the C functions of mx_rtl.h.
#include "tests/mx/mx_rtl.h"

#include "Vktpu_mx_bench.h"

static Vktpu_mx_bench *model()
{
  static Vktpu_mx_bench *m = new Vktpu_mx_bench;
  return m;
}

static void tick()
{
  Vktpu_mx_bench *m = model();
  m->clk_i = 0;
  m->eval();
  m->clk_i = 1;
  m->eval();
}

/* Bits lsb .. lsb + n - 1 of a wide port, n <= 32. */
static uint32_t get_bits(const uint32_t *w, unsigned lsb, unsigned n)
{
  uint64_t two = w[lsb / 32];
  if (lsb % 32 + n > 32) two |= (uint64_t)w[lsb / 32 + 1] << 32;
  return (uint32_t)(two >> lsb % 32) & (uint32_t)((UINT64_C(1) << n) - 1);
}

static void set_bits(uint32_t *w, unsigned lsb, unsigned n, uint32_t value)
{
  for (unsigned i = 0; i < n; i++) {
    const uint32_t bit = UINT32_C(1) << (lsb + i) % 32;
    uint32_t *word = &w[(lsb + i) / 32];
    *word = (value >> i & 1) != 0 ? *word | bit : *word & ~bit;
  }
}

static int32_t sign_extend(uint32_t value, unsigned bits)
{
  return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

extern "C" void mx_reset(void)
{
  Vktpu_mx_bench *m = model();
  m->rst_i = 1;
  m->beat_valid_i = 0;
  m->slice_en_i = 0;
  for (int i = 0; i < 12; i++) tick();
  m->rst_i = 0;
}

extern "C" void mx_beat(bool valid, const uint16_t x[16], struct mx_out *out)
{
  Vktpu_mx_bench *m = model();
  m->beat_valid_i = valid;
  for (unsigned i = 0; i < 8; i++) m->beat_i[i] = x[2 * i] | (uint32_t)x[2 * i + 1] << 16;
  tick();
  out->valid = m->q_valid_o != 0;
  out->second = m->q_second_o != 0;
  out->code = (uint8_t)m->code_o;
  for (unsigned i = 0; i < 16; i++) out->q[i] = (int8_t)sign_extend(get_bits(m->q_o, 7 * i, 7), 7);
}

/* The slice of the block that a dot product of `slice` elements a cycle takes in cycle `at`: every
 * width reads the low bits of the ports, so each is fed in a pass of its own. */
static void dot_pass(unsigned slice, unsigned width, const int16_t *a0, const int16_t *a1,
                     const int16_t *b)
{
  Vktpu_mx_bench *m = model();
  for (unsigned at = 0; at < 32; at += slice) {
    for (unsigned i = 0; i < slice; i++) {
      set_bits(m->a0_i, 7 * i, 7, (uint32_t)a0[at + i]);
      set_bits(m->a1_i, 7 * i, 7, (uint32_t)a1[at + i]);
      set_bits(m->b_i, 7 * i, 7, (uint32_t)b[at + i]);
    }
    m->slice_first_i = at == 0 ? 1u << width : 0;
    m->slice_en_i = 1;
    tick();
  }
  m->slice_en_i = 0;
  tick();
}

extern "C" void mx_dot(const int16_t *a0, const int16_t *a1, const int16_t *b,
                       int32_t sum0[MX_DOTS], int32_t sum1[MX_DOTS])
{
  Vktpu_mx_bench *m = model();
  for (unsigned width = 0; width < 4; width++) {
    dot_pass(32u >> width, width, a0, a1, b);
    for (unsigned i = width; i < MX_DOTS; i += 4) {
      sum0[i] = sign_extend(get_bits(m->sum0_o, 19 * i, 19), 19);
      sum1[i] = sign_extend(get_bits(m->sum1_o, 19 * i, 19), 19);
    }
  }
}

extern "C" void mx_scale(int32_t part, uint8_t code_a, uint8_t code_b, uint32_t v[MX_SCALES])
{
  Vktpu_mx_bench *m = model();
  m->part_i = (uint32_t)part & 0x7ffff;
  m->code_a_i = code_a;
  m->code_b_i = code_b;
  for (int i = 0; i < 3; i++) tick();
  v[0] = m->v10_o;
  v[1] = m->v14_o;
  v[2] = m->v18_o;
}

extern "C" void mx_add(uint32_t x, uint32_t y, struct mx_sum *sum)
{
  Vktpu_mx_bench *m = model();
  m->x_i = x;
  m->y_i = y;
  tick();
  const uint32_t word[MX_ADDS] = {m->s3_o, m->s4_o, m->s10_o, m->s14_o, m->s18_o};
  for (unsigned i = 0; i < MX_ADDS; i++) {
    sum->word[i] = word[i];
    sum->overflow[i] = (m->overflow_o >> i & 1) != 0;
  }
}

extern "C" void mx_half(uint32_t x, struct mx_half *out)
{
  Vktpu_mx_bench *m = model();
  m->x_i = x;
  tick();
  const uint16_t half[MX_HALVES] = {(uint16_t)m->h10_o, (uint16_t)m->h14_o, (uint16_t)m->h18_o};
  for (unsigned i = 0; i < MX_HALVES; i++) {
    out->half[i] = half[i];
    out->clamped[i] = (m->clamped_o >> i & 1) != 0;
    out->flushed[i] = (m->flushed_o >> i & 1) != 0;
  }
}
