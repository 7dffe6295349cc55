/* SPDX-License-Identifier: Apache-2.0
 *
 * A byte queue of fixed room. Positions count bytes since power-up, so that a place in the stream
 * stays known after it has left the queue.
 */
#ifndef KS_RING_H
#define KS_RING_H

#include <stdbool.h>
#include <stdint.h>

#define KS_RING_MAX 4096u

struct ks_ring {
  uint8_t data[KS_RING_MAX];
  uint32_t room;       /* capacity, at most KS_RING_MAX */
  uint64_t head, tail; /* next to take, next to fill */
};

static inline uint32_t ks_ring_count(const struct ks_ring *r)
{
  return (uint32_t)(r->tail - r->head);
}

static inline uint32_t ks_ring_free(const struct ks_ring *r)
{
  return r->room - ks_ring_count(r);
}

static inline bool ks_ring_put(struct ks_ring *r, uint8_t byte)
{
  if (ks_ring_free(r) == 0) return false;
  r->data[r->tail++ % KS_RING_MAX] = byte;
  return true;
}

static inline bool ks_ring_take(struct ks_ring *r, uint8_t *byte)
{
  if (ks_ring_count(r) == 0) return false;
  *byte = r->data[r->head++ % KS_RING_MAX];
  return true;
}

static inline void ks_ring_clear(struct ks_ring *r)
{
  r->head = r->tail;
}

#endif
