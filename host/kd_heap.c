/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_heap.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

static uint64_t align_up(uint64_t n)
{
  return (n + KD_ALIGN - 1) / KD_ALIGN * KD_ALIGN;
}

uint64_t kd_heap_cost(const struct kd_heap *h, uint64_t bytes)
{
  return align_up(bytes) + 2 * h->guard;
}

void kd_heap_init(struct kd_heap *h, uint64_t size, uint64_t guard)
{
  *h = (struct kd_heap){.size = size / KD_ALIGN * KD_ALIGN, .guard = guard};
}

void kd_heap_clear(struct kd_heap *h)
{
  while (h->blocks != NULL) {
    struct kd_block *next = h->blocks->next;
    free(h->blocks);
    h->blocks = next;
  }
  h->used = h->count = 0;
}

/* The hole after `b` (NULL: before the first block). */
static uint64_t hole_after(const struct kd_heap *h, const struct kd_block *b, uint64_t *first)
{
  const struct kd_block *next = b == NULL ? h->blocks : b->next;
  *first = b == NULL ? 0 : b->first + b->bytes;
  return (next == NULL ? h->size : next->first) - *first;
}

uint64_t kd_heap_largest(const struct kd_heap *h)
{
  uint64_t first, best = hole_after(h, NULL, &first);
  for (const struct kd_block *b = h->blocks; b != NULL; b = b->next) {
    const uint64_t hole = hole_after(h, b, &first);
    if (hole > best) best = hole;
  }
  return best > 2 * h->guard ? best - 2 * h->guard : 0;
}

static enum kt_status insert_after(struct kd_heap *h, struct kd_block *prev, uint64_t first,
                                   uint64_t cost, uint64_t bytes, uint64_t *addr)
{
  struct kd_block *b = malloc(sizeof *b);
  if (b == NULL) return KT_ENOMEM;
  struct kd_block **link = prev == NULL ? &h->blocks : &prev->next;
  *b = (struct kd_block){.first = first,
                         .bytes = cost,
                         .user = first + h->guard,
                         .user_bytes = bytes,
                         .next = *link};
  *link = b;
  h->used += cost;
  h->count++;
  if (h->used > h->peak) h->peak = h->used;
  *addr = b->user;
  return KT_OK;
}

enum kt_status kd_heap_alloc(struct kd_heap *h, uint64_t bytes, uint64_t *addr,
                             struct kt_msg *msg)
{
  if (bytes == 0) {
    kt_msg_set(msg, "an allocation of 0 bytes");
    return KT_EINVAL;
  }
  if (bytes <= h->size) {
    const uint64_t cost = kd_heap_cost(h, bytes);
    uint64_t first;
    if (hole_after(h, NULL, &first) >= cost) return insert_after(h, NULL, first, cost, bytes, addr);
    for (struct kd_block *b = h->blocks; b != NULL; b = b->next)
      if (hole_after(h, b, &first) >= cost) return insert_after(h, b, first, cost, bytes, addr);
  }
  kt_msg_set(msg,
             "device memory is short: %" PRIu64 " bytes asked for, %" PRIu64
             " of %" PRIu64 " in use, the largest hole has %" PRIu64,
             bytes, h->used, h->size, kd_heap_largest(h));
  return KT_ENOMEM;
}

const struct kd_block *kd_heap_find(const struct kd_heap *h, uint64_t addr)
{
  const struct kd_block *b = h->blocks;
  while (b != NULL && b->user != addr) b = b->next;
  return b;
}

void kd_heap_free(struct kd_heap *h, uint64_t addr)
{
  struct kd_block **link = &h->blocks;
  while (*link != NULL && (*link)->user != addr) link = &(*link)->next;
  if (*link == NULL) return;
  struct kd_block *b = *link;
  *link = b->next;
  h->used -= b->bytes;
  h->count--;
  free(b);
}
