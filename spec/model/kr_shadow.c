/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/model/kr_shadow.h"

#include <stdlib.h>

enum { PAGE_SHIFT = 16, GRAIN_SHIFT = 2, GRAINS = 1 << (PAGE_SHIFT - GRAIN_SHIFT) };

struct kr_shadow_page {
  uint32_t wrote[GRAINS]; /* serial of the last descriptor that wrote C here; 0 = none */
  uint32_t read[GRAINS];  /* serial of the last that read A or B here */
};

void kr_shadow_free(struct kr_shadow *s)
{
  for (uint64_t i = 0; i < s->n_pages; i++) free(s->pages[i]);
  free(s->pages);
  *s = (struct kr_shadow){0};
}

static enum kt_status grow(struct kr_shadow *s, uint64_t n_pages)
{
  struct kr_shadow_page **grown;

  if (n_pages <= s->n_pages) return KT_OK;
  grown = calloc((size_t)n_pages, sizeof *grown);
  if (grown == NULL) return KT_ENOMEM;
  for (uint64_t i = 0; i < s->n_pages; i++) grown[i] = s->pages[i];
  free(s->pages);
  s->pages = grown;
  s->n_pages = n_pages;
  return KT_OK;
}

enum kt_status kr_shadow_begin_list(struct kr_shadow *s, uint64_t mem_size, uint32_t count)
{
  uint32_t starts = count == 0 ? 1 : count;

  if (s->serial >= UINT32_MAX - starts) kr_shadow_free(s); /* serials would repeat */
  s->first = s->serial + 1;
  s->fence = 0;
  return grow(s, (mem_size >> PAGE_SHIFT) + 1);
}

void kr_shadow_begin_desc(struct kr_shadow *s, uint32_t index)
{
  s->serial = s->first + index;
}

void kr_shadow_fence(struct kr_shadow *s)
{
  s->fence = s->serial;
}

static struct kr_shadow_page *page_of(struct kr_shadow *s, uint64_t grain)
{
  uint64_t n = grain >> (PAGE_SHIFT - GRAIN_SHIFT);

  if (s->pages[n] == NULL) s->pages[n] = calloc(1, sizeof *s->pages[n]);
  return s->pages[n];
}

enum kr_clash kr_shadow_read(struct kr_shadow *s, uint64_t addr, uint64_t bytes, uint32_t *other)
{
  for (uint64_t g = addr >> GRAIN_SHIFT; g <= (addr + bytes - 1) >> GRAIN_SHIFT; g++) {
    struct kr_shadow_page *page = page_of(s, g);
    uint32_t wrote;
    if (page == NULL) return KR_CLASH_NOMEM;
    wrote = page->wrote[g % GRAINS];
    if (wrote >= s->first && wrote >= s->fence) {
      *other = wrote - s->first;
      return KR_CLASH_OVERLAP;
    }
    page->read[g % GRAINS] = s->serial;
  }
  return KR_CLASH_NONE;
}

enum kr_clash kr_shadow_write(struct kr_shadow *s, uint64_t addr, uint64_t bytes, uint32_t *other)
{
  for (uint64_t g = addr >> GRAIN_SHIFT; g <= (addr + bytes - 1) >> GRAIN_SHIFT; g++) {
    struct kr_shadow_page *page = page_of(s, g);
    if (page == NULL) return KR_CLASH_NOMEM;
    if (page->read[g % GRAINS] >= s->first && page->read[g % GRAINS] >= s->fence) {
      *other = page->read[g % GRAINS] - s->first;
      return KR_CLASH_OVERLAP;
    }
    page->wrote[g % GRAINS] = s->serial;
  }
  return KR_CLASH_NONE;
}

enum kr_clash kr_shadow_fetch(struct kr_shadow *s, uint64_t addr, uint64_t bytes, uint32_t *other)
{
  for (uint64_t g = addr >> GRAIN_SHIFT; g <= (addr + bytes - 1) >> GRAIN_SHIFT; g++) {
    struct kr_shadow_page *page = s->pages[g >> (PAGE_SHIFT - GRAIN_SHIFT)];
    uint32_t wrote = page == NULL ? 0 : page->wrote[g % GRAINS];
    if (wrote >= s->first) {
      *other = wrote - s->first;
      return KR_CLASH_OVERLAP;
    }
  }
  return KR_CLASH_NONE;
}
