/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/ks_shm.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PAGE 4096u

static uint64_t page_up(uint64_t n)
{
  return (n + PAGE - 1) / PAGE * PAGE;
}

static uint32_t mix(uint32_t h, size_t v)
{
  return (h ^ (uint32_t)v) * 16777619u; /* FNV-1a, a word at a time */
}

uint32_t ks_shm_layout(void)
{
  const size_t facts[] = {
      sizeof(struct ks_shm),           offsetof(struct ks_shm, bounce_offset),
      offsetof(struct ks_shm, config), offsetof(struct ks_shm, report),
      offsetof(struct ks_shm, head),   offsetof(struct ks_shm, done),
      offsetof(struct ks_shm, slots),  sizeof(struct ks_slot),
      sizeof(struct ks_config),        sizeof(struct ks_report),
      offsetof(struct ks_slot, len),   offsetof(struct ks_report, violation),
      KS_SLOTS,                        KS_BOUNCE,
      KS_OP_CONFIG,                    KS_BAD_OP,
  };
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) h = mix(h, facts[i]);
  return h;
}

uint64_t ks_shm_size(uint64_t dram_bytes)
{
  return page_up(sizeof(struct ks_shm)) + KS_BOUNCE + page_up(dram_bytes);
}

void ks_shm_init(struct ks_shm *shm, uint64_t dram_bytes, const char *params)
{
  shm->magic = KS_MAGIC;
  shm->version = KS_VERSION;
  shm->layout = ks_shm_layout();
  shm->pid = (uint32_t)getpid();
  shm->bytes = ks_shm_size(dram_bytes);
  shm->bounce_offset = page_up(sizeof *shm);
  shm->dram_offset = shm->bounce_offset + KS_BOUNCE;
  shm->dram_bytes = dram_bytes;
  snprintf(shm->params, sizeof shm->params, "%s", params);
}
