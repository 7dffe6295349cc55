/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries as bytes: 32 numbers of 7 bits, lowest first, then the scale code in byte 28.
 */
#include "spec/model/kr_mxentry.h"

#include <string.h>

enum { Q_BITS = 7, CODE_BYTE = 28 };

void kr_mx_beat_pack(const struct kr_mx_block *b, uint8_t beat[KT_MX_BEAT_BYTES])
{
  memset(beat, 0, KT_MX_BEAT_BYTES);
  for (unsigned i = 0; i < KR_MX_BLOCK; i++) {
    const unsigned at = i * Q_BITS;
    const unsigned bits = ((unsigned)b->q[i] & 0x7fu) << (at % 8);
    beat[at / 8] = (uint8_t)(beat[at / 8] | bits);
    if (at % 8 > 1) beat[at / 8 + 1] = (uint8_t)(bits >> 8);
  }
  beat[CODE_BYTE] = b->scale;
}

void kr_mx_beat_unpack(const uint8_t beat[KT_MX_BEAT_BYTES], struct kr_mx_block *b)
{
  for (unsigned i = 0; i < KR_MX_BLOCK; i++) {
    const unsigned at = i * Q_BITS;
    const unsigned two = beat[at / 8] | (unsigned)beat[at / 8 + 1] << 8;
    const int q = (int)(two >> (at % 8) & 0x7f);
    b->q[i] = (int16_t)(q < 64 ? q : q - 128);
  }
  b->scale = beat[CODE_BYTE];
}

void kr_mx_entries(const struct kr_mx_operand *op, uint8_t *bytes)
{
  const struct kr_mx_block none = {.scale = 0};
  const size_t groups = (op->lanes + KT_MX_LANES - 1) / KT_MX_LANES;

  for (size_t g = 0; g < groups; g++) {
    for (size_t k = 0; k < op->blocks; k++) {
      uint8_t *entry = bytes + (g * op->blocks + k) * KT_MX_ENTRY_BYTES;
      for (size_t l = 0; l < KT_MX_LANES; l++) {
        const size_t lane = g * KT_MX_LANES + l;
        kr_mx_beat_pack(lane < op->lanes ? &op->block[lane * op->blocks + k] : &none,
                        entry + l * KT_MX_BEAT_BYTES);
      }
    }
  }
}
