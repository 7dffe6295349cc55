/* SPDX-License-Identifier: Apache-2.0
 *
 * SplitMix64.
 */
#include "compiler/fuzz/kc_rng.h"

struct kc_rng kc_rng_seed(uint64_t seed)
{
  return (struct kc_rng){seed};
}

uint64_t kc_rng_next(struct kc_rng *rng)
{
  rng->state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = rng->state;
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

uint32_t kc_rng_range(struct kc_rng *rng, uint32_t low, uint32_t high)
{
  uint64_t span = (uint64_t)high - low + 1;
  return low + (uint32_t)(kc_rng_next(rng) % span);
}

bool kc_rng_percent(struct kc_rng *rng, uint32_t percent)
{
  return kc_rng_range(rng, 0, 99) < percent;
}
