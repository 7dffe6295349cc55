/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_frame.h"

#include "host/kd_cobs.h"

#include <string.h>
#include <zlib.h>

uint16_t kd_get16(const uint8_t *p)
{
  return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t kd_get32(const uint8_t *p)
{
  return kd_get16(p) | (uint32_t)kd_get16(p + 2) << 16;
}

void kd_put16(uint8_t *p, uint16_t v)
{
  p[0] = (uint8_t)v;
  p[1] = (uint8_t)(v >> 8);
}

void kd_put32(uint8_t *p, uint32_t v)
{
  kd_put16(p, (uint16_t)v);
  kd_put16(p + 2, (uint16_t)(v >> 16));
}

static uint32_t check_sum(const uint8_t *bytes, size_t n)
{
  return (uint32_t)crc32(crc32(0, NULL, 0), bytes, (uInt)n);
}

size_t kd_frame_payload_due(const struct kd_frame *f)
{
  const bool reply = (f->type & KT_LINK_REPLY) != 0;
  const unsigned type = f->type & ~(unsigned)KT_LINK_REPLY;
  const bool writes = type == KT_LINK_TYPE_WRITE || type == KT_LINK_TYPE_BURST_WRITE;
  const bool reads = type == KT_LINK_TYPE_READ || type == KT_LINK_TYPE_BURST_READ ||
                     type == KT_LINK_TYPE_STATUS;
  const bool echo = type == KT_LINK_TYPE_ECHO;
  const bool carries = reply ? (reads || echo) && f->status == KT_LINK_STATUS_OK : writes || echo;
  return carries ? f->length : 0;
}

size_t kd_frame_encode(const struct kd_frame *f, uint8_t wire[KT_LINK_MAX_ENCODED])
{
  uint8_t plain[KT_LINK_MAX_FRAME];
  const size_t body = KT_LINK_HEADER_BYTES + f->payload_bytes;
  plain[KT_LINK_AT_TYPE] = f->type;
  kd_put16(plain + KT_LINK_AT_SESSION, f->session);
  plain[KT_LINK_AT_SEQUENCE] = f->sequence;
  plain[KT_LINK_AT_STATUS] = f->status;
  kd_put32(plain + KT_LINK_AT_ADDRESS, f->address);
  kd_put16(plain + KT_LINK_AT_LENGTH, f->length);
  if (f->payload_bytes != 0) memcpy(plain + KT_LINK_AT_PAYLOAD, f->payload, f->payload_bytes);
  kd_put32(plain + body, check_sum(plain, body));
  const size_t n = kd_cobs_encode(plain, body + KT_LINK_CRC_BYTES, wire);
  wire[n] = 0;
  return n + 1;
}

enum kd_frame_fault kd_frame_decode(uint8_t *wire, size_t n, struct kd_frame *f)
{
  size_t size;
  if (n == 0) return KD_FRAME_EMPTY;
  if (!kd_cobs_decode(wire, n, &size)) return KD_FRAME_SHORT;
  if (size < KT_LINK_HEADER_BYTES + KT_LINK_CRC_BYTES) return KD_FRAME_SHORT;
  if (size > KT_LINK_MAX_FRAME) return KD_FRAME_LONG;
  const size_t body = size - KT_LINK_CRC_BYTES;
  if (check_sum(wire, body) != kd_get32(wire + body)) return KD_FRAME_CRC;
  *f = (struct kd_frame){
      .type = wire[KT_LINK_AT_TYPE],
      .session = kd_get16(wire + KT_LINK_AT_SESSION),
      .sequence = wire[KT_LINK_AT_SEQUENCE],
      .status = wire[KT_LINK_AT_STATUS],
      .address = kd_get32(wire + KT_LINK_AT_ADDRESS),
      .length = kd_get16(wire + KT_LINK_AT_LENGTH),
      .payload = wire + KT_LINK_AT_PAYLOAD,
      .payload_bytes = body - KT_LINK_HEADER_BYTES,
  };
  return f->payload_bytes == kd_frame_payload_due(f) ? KD_FRAME_GOOD : KD_FRAME_CRC;
}

bool kd_receiver_take(struct kd_receiver *r, uint8_t byte, struct kd_frame *f,
                      enum kd_frame_fault *fault)
{
  if (byte != 0) {
    if (r->n == sizeof r->wire)
      r->too_long = true;
    else
      r->wire[r->n++] = byte;
    return false;
  }
  *fault = r->too_long ? KD_FRAME_LONG : kd_frame_decode(r->wire, r->n, f);
  r->n = 0;
  r->too_long = false;
  return true;
}
