/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_layout.h"

#include <string.h>

enum { LINE = 64, STRIDE_LIMIT = 65536, LEAST_ROWS = 4 };

static uint64_t up(uint64_t n, uint64_t to)
{
  return (n + to - 1) / to * to;
}

void kd_layout_choose(const struct kt_params *p, uint32_t rows, uint32_t cols, uint32_t element,
                      uint32_t block_rows, uint32_t block_cols, struct kd_layout *l)
{
  const uint32_t bus = p->bus_bits / 8, word = p->t * element;
  const uint64_t step = bus > word ? bus : word; /* both are powers of two */
  *l = (struct kd_layout){.rows = rows,
                          .cols = cols,
                          .element = element,
                          .cols_kept = (uint32_t)up(cols, p->t),
                          .block_rows = block_rows,
                          .block_cols = block_cols};
  l->pitch = up((uint64_t)l->cols_kept * element, step);
  l->blocked = !p->strides || l->pitch >= STRIDE_LIMIT ||
               (cols > block_cols && (uint64_t)block_cols * element % bus != 0);
  if (!l->blocked) {
    l->rows_kept = (uint32_t)up(rows, p->t) + LEAST_ROWS;
    l->bytes = up(l->rows_kept * l->pitch, LINE);
    return;
  }
  l->pitch = (uint64_t)p->maxdim * element;
  l->rows_kept = (uint32_t)up(rows, block_rows);
  const uint32_t kept = block_rows > LEAST_ROWS ? block_rows : LEAST_ROWS;
  l->block_bytes = up(kept * l->pitch, LINE);
  l->bytes = l->block_bytes * (l->rows_kept / block_rows) * ((cols + block_cols - 1) / block_cols);
}

uint64_t kd_layout_offset(const struct kd_layout *l, uint32_t row, uint32_t col)
{
  if (!l->blocked) return row * l->pitch + (uint64_t)col * l->element;
  const uint64_t across = (l->cols + l->block_cols - 1) / l->block_cols;
  const uint64_t block = row / l->block_rows * across + col / l->block_cols;
  return block * l->block_bytes + row % l->block_rows * l->pitch +
         (uint64_t)(col % l->block_cols) * l->element;
}

uint32_t kd_layout_stride(const struct kt_params *p, const struct kd_layout *l)
{
  return l->pitch == (uint64_t)p->maxdim * l->element ? 0 : (uint32_t)l->pitch;
}

/* Columns of a row that lie together, from col on. */
static uint32_t run_length(const struct kd_layout *l, uint32_t col, uint32_t end)
{
  const uint32_t left = end - col;
  if (!l->blocked) return left;
  const uint32_t room = l->block_cols - col % l->block_cols;
  return left < room ? left : room;
}

void kd_layout_pack(const struct kd_layout *l, const void *matrix, size_t ld, uint8_t *image)
{
  const uint8_t *from = matrix;
  for (uint32_t r = 0; r < l->rows; r++) {
    for (uint32_t c = 0, n; c < l->cols; c += n) {
      n = run_length(l, c, l->cols);
      memcpy(image + kd_layout_offset(l, r, c), from + (r * ld + c) * l->element,
             (size_t)n * l->element);
    }
  }
}

void kd_layout_unpack(const struct kd_layout *l, const uint8_t *image, void *matrix, size_t ld)
{
  uint8_t *to = matrix;
  for (uint32_t r = 0; r < l->rows; r++) {
    for (uint32_t c = 0, n; c < l->cols; c += n) {
      n = run_length(l, c, l->cols);
      memcpy(to + (r * ld + c) * l->element, image + kd_layout_offset(l, r, c),
             (size_t)n * l->element);
    }
  }
}

void kd_layout_zero_rows(const struct kd_layout *l, uint32_t t, uint8_t *image)
{
  const uint32_t end = (uint32_t)up(l->rows, t);
  for (uint32_t r = l->rows; r < end && r < l->rows_kept; r++) {
    for (uint32_t c = 0, n; c < l->cols_kept; c += n) {
      n = run_length(l, c, l->cols_kept);
      memset(image + kd_layout_offset(l, r, c), 0, (size_t)n * l->element);
    }
  }
}

static uint64_t first_other(const uint8_t *image, uint64_t from, uint64_t to, uint8_t byte)
{
  while (from < to && image[from] == byte) from++;
  return from;
}

/* The machine may write rows x cols_kept; everything between these runs must be as it was. Runs are
 * visited in address order: block after block, row after row. */
uint64_t kd_layout_check(const struct kd_layout *l, const uint8_t *image, uint8_t byte)
{
  const uint32_t block_rows = l->blocked ? l->block_rows : l->rows;
  const uint32_t block_cols = l->blocked ? l->block_cols : l->cols_kept;
  uint64_t at = 0;
  for (uint32_t r0 = 0; r0 < l->rows; r0 += block_rows) {
    for (uint32_t c0 = 0; c0 < l->cols_kept; c0 += block_cols) {
      for (uint32_t r = r0; r < r0 + block_rows && r < l->rows; r++) {
        const uint64_t start = kd_layout_offset(l, r, c0);
        const uint64_t other = first_other(image, at, start, byte);
        if (other != start) return other;
        at = start + (uint64_t)run_length(l, c0, l->cols_kept) * l->element;
      }
    }
  }
  return first_other(image, at, l->bytes, byte);
}
