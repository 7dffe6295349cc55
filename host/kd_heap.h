/* SPDX-License-Identifier: Apache-2.0
 *
 * Which bytes of a device's memory are in use: first fit over a list of blocks in address order.
 * Addresses only; the memory itself is not touched.
 */
#ifndef KD_HEAP_H
#define KD_HEAP_H

#include "spec/kt_status.h"

#include <stdint.h>

enum { KD_ALIGN = 64, KD_GUARD = 64 };

struct kd_block {
  uint64_t first, bytes; /* with guards, multiples of KD_ALIGN */
  uint64_t user, user_bytes;
  struct kd_block *next;
};

struct kd_heap {
  uint64_t size;
  uint64_t guard; /* KD_GUARD or 0 */
  struct kd_block *blocks;
  uint64_t used, peak, count;
};

void kd_heap_init(struct kd_heap *h, uint64_t size, uint64_t guard);
void kd_heap_clear(struct kd_heap *h);

/* KT_ENOMEM names what was asked for and the largest hole. bytes >= 1. */
enum kt_status kd_heap_alloc(struct kd_heap *h, uint64_t bytes, uint64_t *addr,
                             struct kt_msg *msg);

/* The block that was handed out at addr, NULL if there is none. */
const struct kd_block *kd_heap_find(const struct kd_heap *h, uint64_t addr);
void kd_heap_free(struct kd_heap *h, uint64_t addr);

/* Bytes that one kd_heap_alloc could give now. */
uint64_t kd_heap_largest(const struct kd_heap *h);

/* What an allocation of `bytes` takes from the heap. */
uint64_t kd_heap_cost(const struct kd_heap *h, uint64_t bytes);

#endif
