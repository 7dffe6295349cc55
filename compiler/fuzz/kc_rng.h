/* SPDX-License-Identifier: Apache-2.0
 *
 * A seeded generator of random numbers (SplitMix64): the same numbers on every machine.
 */
#ifndef KC_RNG_H
#define KC_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct kc_rng {
  uint64_t state;
};

struct kc_rng kc_rng_seed(uint64_t seed);
uint64_t kc_rng_next(struct kc_rng *rng);

/* low .. high, both included; high >= low. */
uint32_t kc_rng_range(struct kc_rng *rng, uint32_t low, uint32_t high);

bool kc_rng_percent(struct kc_rng *rng, uint32_t percent);

#endif
