/* SPDX-License-Identifier: Apache-2.0
 *
 * The device allocator, and how matrices are laid out in what it gives.
 */
#include "host/kd_heap.h"
#include "host/kd_layout.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t must(struct kd_heap *h, uint64_t bytes)
{
  uint64_t addr = 0;
  struct kt_msg msg = {{0}};
  cr_assert(kd_heap_alloc(h, bytes, &addr, &msg) == KT_OK, "%s", msg.text);
  return addr;
}

Test(host_heap, blocks_are_aligned_and_apart, .timeout = 5)
{
  struct kd_heap h;
  kd_heap_init(&h, 1 << 16, KD_GUARD);
  uint64_t end = 0;
  for (uint64_t bytes = 1; bytes < 200; bytes += 33) {
    const uint64_t addr = must(&h, bytes);
    cr_assert(eq(u64, addr % KD_ALIGN, 0));
    cr_assert(ge(u64, addr, end + KD_GUARD)); /* room for this guard after the last one's */
    end = addr + bytes;
  }
  kd_heap_clear(&h);
}

Test(host_heap, a_freed_hole_is_used_again_and_only_if_it_fits, .timeout = 5)
{
  struct kd_heap h;
  kd_heap_init(&h, 4096, 0);
  const uint64_t a = must(&h, 256), b = must(&h, 64), c = must(&h, 64);
  kd_heap_free(&h, a);
  cr_assert(eq(u64, must(&h, 192), a));
  cr_assert(eq(u64, must(&h, 128), c + 64)); /* 64 are left in the hole */
  cr_assert(eq(u64, must(&h, 64), a + 192));
  cr_assert(eq(ptr, (void *)(uintptr_t)kd_heap_find(&h, b + 1), NULL));
  kd_heap_clear(&h);
  cr_assert(eq(u64, h.used, 0));
}

Test(host_heap, what_does_not_fit_is_refused_with_the_figures, .timeout = 5)
{
  struct kd_heap h;
  uint64_t addr;
  struct kt_msg msg = {{0}};
  kd_heap_init(&h, 1024, KD_GUARD);
  cr_assert(eq(u64, kd_heap_largest(&h), 1024 - 2 * KD_GUARD));
  cr_assert(eq(int, kd_heap_alloc(&h, 1024, &addr, &msg), KT_ENOMEM));
  cr_assert_not_null(strstr(msg.text, "1024 bytes"));
  cr_assert(eq(int, kd_heap_alloc(&h, UINT64_MAX - 3, &addr, &msg), KT_ENOMEM));
  cr_assert(eq(int, kd_heap_alloc(&h, 0, &addr, &msg), KT_EINVAL));
  must(&h, kd_heap_largest(&h));
  cr_assert(eq(u64, kd_heap_largest(&h), 0));
  kd_heap_clear(&h);
}

/* Random allocations never overlap, and the sums stay right. */
Test(host_heap, random_use_keeps_blocks_disjoint, .timeout = 20)
{
  enum { BLOCKS = 40, BYTES = 1 << 14 };
  static uint8_t owner[BYTES];
  uint64_t addr[BLOCKS] = {0}, size[BLOCKS] = {0};
  struct kd_heap h;
  unsigned x = 1;
  kd_heap_init(&h, BYTES, KD_GUARD);
  for (int step = 0; step < 20000; step++) {
    x = x * 1103515245u + 12345u;
    const unsigned i = (x >> 16) % BLOCKS;
    if (size[i] != 0) {
      for (uint64_t b = 0; b < size[i]; b++) cr_assert(eq(u8, owner[addr[i] + b], (uint8_t)(i + 1)));
      memset(owner + addr[i], 0, size[i]);
      kd_heap_free(&h, addr[i]);
      size[i] = 0;
    } else if (kd_heap_alloc(&h, 1 + (x >> 8) % 900, &addr[i], NULL) == KT_OK) {
      size[i] = 1 + (x >> 8) % 900;
      for (uint64_t b = 0; b < size[i]; b++) cr_assert(eq(u8, owner[addr[i] + b], 0));
      memset(owner + addr[i], (int)(i + 1), size[i]);
    }
  }
  cr_assert(gt(u64, h.peak, BYTES / 2));
  kd_heap_clear(&h);
}

/* ---- layouts ---------------------------------------------------------------------------------- */

static struct kt_params build(const char *text)
{
  struct kt_params p;
  struct kt_msg msg = {{0}};
  cr_assert(kt_params_parse(&p, text, &msg) == KT_OK, "%s", msg.text);
  return p;
}

/* Every element has its own place, inside the buffer, a block's rows MAXDIM elements apart. */
static void check_layout(const char *text, uint32_t rows, uint32_t cols, uint32_t element)
{
  const struct kt_params p = build(text);
  struct kd_layout l;
  kd_layout_choose(&p, rows, cols, element, p.maxdim, p.maxdim, &l);
  const size_t count = (size_t)rows * cols * element;
  uint8_t *matrix = malloc(count), *back = calloc(1, count), *image = calloc(1, l.bytes);
  for (size_t i = 0; i < count; i++) matrix[i] = (uint8_t)(i * 7 + 1);
  kd_layout_pack(&l, matrix, cols, image);
  kd_layout_unpack(&l, image, back, cols);
  cr_assert(memcmp(matrix, back, count) == 0, "%s %ux%u", text, rows, cols);
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t c = 0; c < l.cols_kept; c += p.t)
      cr_assert(le(u64, kd_layout_offset(&l, r, c) + p.t * element, l.bytes));
  if (!l.blocked) cr_assert(eq(u64, l.pitch % (p.bus_bits / 8), 0));
  if (l.blocked) cr_assert(eq(u64, l.block_bytes % (p.bus_bits / 8), 0));
  free(matrix);
  free(back);
  free(image);
}

Test(host_layout, pack_and_unpack_are_inverse_in_every_layout, .timeout = 20)
{
  static const char *const builds[] = {"int8", "int8,MAXDIM=16,BUS=256", "ice40", "int8,T=16,BUS=128"};
  for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++) {
    check_layout(builds[i], 1, 1, 1);
    check_layout(builds[i], 5, 7, 4);
    check_layout(builds[i], 16, 16, 1);
    check_layout(builds[i], 65, 130, 1);
    check_layout(builds[i], 33, 129, 4);
  }
}

Test(host_layout, strides_are_used_only_where_they_are_legal, .timeout = 5)
{
  struct kd_layout l;
  struct kt_params p = build("int8");
  kd_layout_choose(&p, 10, 1000, 1, 64, 64, &l);
  cr_assert(not(l.blocked));
  cr_assert(eq(u32, kd_layout_stride(&p, &l), 1000));
  kd_layout_choose(&p, 10, 70000, 1, 64, 64, &l); /* a stride is below 65536 */
  cr_assert(l.blocked);
  cr_assert(eq(u32, kd_layout_stride(&p, &l), 0));
  p = build("int8,MAXDIM=16,BUS=256"); /* a block of 16 bytes is half a beat */
  kd_layout_choose(&p, 10, 100, 1, 16, 16, &l);
  cr_assert(l.blocked);
  p = build("ice40"); /* no strides at all */
  kd_layout_choose(&p, 10, 100, 1, 16, 16, &l);
  cr_assert(l.blocked);
}

Test(host_layout, canaries_see_every_byte_outside_the_result, .timeout = 20)
{
  static const char *const builds[] = {"int8", "ice40"};
  for (size_t i = 0; i < 2; i++) {
    const struct kt_params p = build(builds[i]);
    struct kd_layout l;
    kd_layout_choose(&p, 19, 21, 4, p.maxdim, p.maxdim, &l);
    uint8_t *image = malloc(l.bytes), *mine = calloc(1, l.bytes);
    for (uint32_t r = 0; r < l.rows; r++)
      for (uint32_t c = 0; c < l.cols_kept; c++) memset(mine + kd_layout_offset(&l, r, c), 1, 4);
    memset(image, 0x5a, l.bytes);
    cr_assert(eq(u64, kd_layout_check(&l, image, 0x5a), l.bytes));
    for (uint64_t at = 0; at < l.bytes; at++) {
      image[at] ^= 1;
      const uint64_t want = mine[at] ? l.bytes : at;
      cr_assert(kd_layout_check(&l, image, 0x5a) == want, "%s offset %" PRIu64, builds[i], at);
      image[at] ^= 1;
    }
    free(image);
    free(mine);
  }
}

Test(host_layout, rows_of_padding_up_to_a_tile_are_zeroed, .timeout = 5)
{
  const struct kt_params p = build("int8");
  struct kd_layout l;
  kd_layout_choose(&p, 5, 9, 1, 64, 64, &l);
  uint8_t *image = malloc(l.bytes);
  memset(image, 0xff, l.bytes);
  kd_layout_zero_rows(&l, p.t, image);
  for (uint32_t r = 0; r < 8; r++)
    for (uint32_t c = 0; c < 12; c++)
      cr_assert(eq(u8, image[kd_layout_offset(&l, r, c)], r < 5 ? 0xff : 0));
  free(image);
}
