/* Generated from spec/tinytpu.json by kt-gen: do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
/* Packing and unpacking of instruction words and descriptors. */
#include "spec/kt_insn.h"

void kt_insn_pack(const struct kt_insn *in, uint64_t w[KT_IWORDS])
{
  w[0] = 0;
  w[0] |= ((uint64_t)in->op & 0x3Fu) << 0;
  w[0] |= ((uint64_t)in->f[0] & 0xFFFu) << 6;
  w[0] |= ((uint64_t)in->f[1] & 0xFFFu) << 18;
  w[0] |= ((uint64_t)in->f[2] & 0xFFFu) << 30;
  w[0] |= ((uint64_t)in->f[3] & 0xFFFu) << 42;
  w[0] |= ((uint64_t)in->nr & 0xFFu) << 54;
  w[1] = 0;
  w[1] |= ((uint64_t)in->term[0].target & 0xFu) << 0;
  w[1] |= ((uint64_t)in->term[0].level & 0x7u) << 4;
  w[1] |= ((uint64_t)in->term[0].stride & 0xFFFu) << 7;
  w[1] |= ((uint64_t)in->term[1].target & 0xFu) << 19;
  w[1] |= ((uint64_t)in->term[1].level & 0x7u) << 23;
  w[1] |= ((uint64_t)in->term[1].stride & 0xFFFu) << 26;
  w[1] |= ((uint64_t)in->term[2].target & 0xFu) << 38;
  w[1] |= ((uint64_t)in->term[2].level & 0x7u) << 42;
  w[1] |= ((uint64_t)in->term[2].stride & 0xFFFu) << 45;
}

void kt_insn_unpack(const uint64_t w[KT_IWORDS], struct kt_insn *out)
{
  out->op = (uint16_t)((w[0] >> 0) & 0x3Fu);
  out->f[0] = (uint16_t)((w[0] >> 6) & 0xFFFu);
  out->f[1] = (uint16_t)((w[0] >> 18) & 0xFFFu);
  out->f[2] = (uint16_t)((w[0] >> 30) & 0xFFFu);
  out->f[3] = (uint16_t)((w[0] >> 42) & 0xFFFu);
  out->nr = (uint16_t)((w[0] >> 54) & 0xFFu);
  out->term[0].target = (uint16_t)((w[1] >> 0) & 0xFu);
  out->term[0].level = (uint16_t)((w[1] >> 4) & 0x7u);
  out->term[0].stride = (uint16_t)((w[1] >> 7) & 0xFFFu);
  out->term[1].target = (uint16_t)((w[1] >> 19) & 0xFu);
  out->term[1].level = (uint16_t)((w[1] >> 23) & 0x7u);
  out->term[1].stride = (uint16_t)((w[1] >> 26) & 0xFFFu);
  out->term[2].target = (uint16_t)((w[1] >> 38) & 0xFu);
  out->term[2].level = (uint16_t)((w[1] >> 42) & 0x7u);
  out->term[2].stride = (uint16_t)((w[1] >> 45) & 0xFFFu);
}

void kt_desc_pack(const struct kt_desc *d, uint32_t w[KT_DESC_WORDS])
{
  for (int i = 0; i < KT_DESC_WORDS; i++) w[i] = 0;
  w[0] = d->prog;
  w[1] = d->prog_words;
  w[2] = d->a;
  w[3] = d->b;
  w[4] = d->c;
  w[5] = d->stride_a;
  w[6] = d->stride_b;
  w[7] = d->stride_c;
  w[8] |= (d->form & 0x3u) << 0;
  w[8] |= (d->shift & 0x1Fu) << 8;
  w[8] |= (d->cont & 0x1u) << 16;
  w[8] |= (d->fence & 0x1u) << 17;
}

void kt_desc_unpack(const uint32_t w[KT_DESC_WORDS], struct kt_desc *d)
{
  d->prog = w[0];
  d->prog_words = w[1];
  d->a = w[2];
  d->b = w[3];
  d->c = w[4];
  d->stride_a = w[5];
  d->stride_b = w[6];
  d->stride_c = w[7];
  d->form = (w[8] >> 0) & 0x3u;
  d->shift = (w[8] >> 8) & 0x1Fu;
  d->cont = (w[8] >> 16) & 0x1u;
  d->fence = (w[8] >> 17) & 0x1u;
}
