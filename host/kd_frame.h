/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames of the link (docs/link.md): from fields to bytes on the wire and back.
 */
#ifndef KD_FRAME_H
#define KD_FRAME_H

#include "spec/generated/kt_link.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kd_frame {
  uint8_t type, sequence, status;
  uint16_t session, length;
  uint32_t address;
  const uint8_t *payload; /* NULL or payload_bytes bytes, the caller's or the receiver's */
  size_t payload_bytes;
};

/* Encodes, delimiter included, and returns the length. payload_bytes <= KT_LINK_MAX_PAYLOAD. */
size_t kd_frame_encode(const struct kd_frame *f, uint8_t wire[KT_LINK_MAX_ENCODED]);

/* What a frame of this type, status and length carries. */
size_t kd_frame_payload_due(const struct kd_frame *f);

enum kd_frame_fault {
  KD_FRAME_GOOD,
  KD_FRAME_EMPTY, /* two delimiters in a row */
  KD_FRAME_LONG,
  KD_FRAME_SHORT, /* or cut inside a COBS piece */
  KD_FRAME_CRC,   /* or of another size than type, status and length say */
  KD_FRAME_FAULTS
};

/* Decodes what stood before a delimiter, in place: payload points into `wire`. */
enum kd_frame_fault kd_frame_decode(uint8_t *wire, size_t n, struct kd_frame *f);

/* Collects bytes up to a delimiter. All zero at first. */
struct kd_receiver {
  uint8_t wire[KT_LINK_MAX_ENCODED];
  size_t n;
  bool too_long;
};

/* Takes one byte; true: a frame has ended, *fault says how, and where good *f is it, until the next
 * call. */
bool kd_receiver_take(struct kd_receiver *r, uint8_t byte, struct kd_frame *f,
                      enum kd_frame_fault *fault);

/* Little-endian numbers. */
uint16_t kd_get16(const uint8_t *p);
uint32_t kd_get32(const uint8_t *p);
void kd_put16(uint8_t *p, uint16_t v);
void kd_put32(uint8_t *p, uint32_t v);

#endif
