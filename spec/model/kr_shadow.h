/* SPDX-License-Identifier: Apache-2.0
 *
 * Who touched which byte of device memory last, within one start: the exact test behind the
 * model's refusal of overlaps. Precise to 4 bytes, the finest access of the core (T >= 4, bases
 * and strides multiples of 4). Marks carry serial numbers, so a new start clears nothing.
 */
#ifndef KR_SHADOW_H
#define KR_SHADOW_H

#include "spec/kt_status.h"

#include <stdint.h>

struct kr_shadow_page;

struct kr_shadow {
  struct kr_shadow_page **pages; /* NULL where nothing was touched */
  uint64_t n_pages;
  uint32_t serial; /* of the descriptor that is running; grows over the model's life */
  uint32_t first;  /* serial of the list's descriptor 0 */
  uint32_t fence;  /* serial of the last descriptor with a fence; 0 = none */
};

enum kr_clash {
  KR_CLASH_NONE,
  KR_CLASH_OVERLAP, /* a read of what this descriptor wrote, or an earlier one with no fence since;
                       a write of what they read, likewise; a fetch of anything written */
  KR_CLASH_NOMEM
};

void kr_shadow_free(struct kr_shadow *s);

/* A start of count descriptors over mem_size bytes. KT_OK or KT_ENOMEM. */
enum kt_status kr_shadow_begin_list(struct kr_shadow *s, uint64_t mem_size, uint32_t count);
void kr_shadow_begin_desc(struct kr_shadow *s, uint32_t index);
void kr_shadow_fence(struct kr_shadow *s);

/* Accesses of the running descriptor, inside mem_size. *other: index of the descriptor that wrote,
 * or read it, set on OVERLAP. A read of A or B; a write of C; a fetch of a program or descriptor,
 * which no fence covers. */
enum kr_clash kr_shadow_read(struct kr_shadow *s, uint64_t addr, uint64_t bytes, uint32_t *other);
enum kr_clash kr_shadow_write(struct kr_shadow *s, uint64_t addr, uint64_t bytes, uint32_t *other);
enum kr_clash kr_shadow_fetch(struct kr_shadow *s, uint64_t addr, uint64_t bytes, uint32_t *other);

#endif
