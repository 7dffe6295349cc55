/* SPDX-License-Identifier: Apache-2.0
 *
 * COBS: bytes without a zero, for any bytes (docs/link.md).
 */
#ifndef KD_COBS_H
#define KD_COBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room that n bytes need when encoded, without a delimiter. */
#define KD_COBS_ROOM(n) ((n) + (n) / 254 + 1)

/* Returns the encoded length; `to` has KD_COBS_ROOM(n) bytes. */
size_t kd_cobs_encode(const uint8_t *from, size_t n, uint8_t *to);

/* In place. False when a zero occurs or the last piece is cut. */
bool kd_cobs_decode(uint8_t *bytes, size_t n, size_t *decoded);

#endif
