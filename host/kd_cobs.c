/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_cobs.h"

#include <string.h>

enum { LONGEST = 254 }; /* bytes of a piece; 0xFF in front of it means no zero after it */

size_t kd_cobs_encode(const uint8_t *from, size_t n, uint8_t *to)
{
  size_t mark = 0, used = 1; /* where the open piece's length goes; bytes written */
  for (size_t i = 0; i < n; i++) {
    if (from[i] != 0) {
      to[used++] = from[i];
      if (used - mark <= LONGEST || i + 1 == n) continue;
    }
    to[mark] = (uint8_t)(used - mark);
    mark = used++;
  }
  to[mark] = (uint8_t)(used - mark);
  return used;
}

bool kd_cobs_decode(uint8_t *bytes, size_t n, size_t *decoded)
{
  size_t at = 0, used = 0;
  while (at < n) {
    const uint8_t code = bytes[at++];
    if (code == 0 || n - at < (size_t)code - 1) return false;
    if (memchr(bytes + at, 0, (size_t)code - 1) != NULL) return false;
    memmove(bytes + used, bytes + at, (size_t)code - 1);
    at += (size_t)code - 1;
    used += (size_t)code - 1;
    if (code <= LONGEST && at < n) bytes[used++] = 0;
  }
  *decoded = used;
  return true;
}
