/* SPDX-License-Identifier: Apache-2.0
 *
 * Time and sleeping, for whatever waits on a board: the computer's clock, or the simulated time of a
 * virtual board.
 */
#ifndef KD_CLOCK_H
#define KD_CLOCK_H

#include <stdint.h>

#define KD_NS_PER_US UINT64_C(1000)
#define KD_NS_PER_MS UINT64_C(1000000)
#define KD_NS_PER_S UINT64_C(1000000000)

struct kd_clock {
  uint64_t (*now_ns)(void); /* never goes back */
  void (*sleep_ns)(uint64_t ns);
};

extern const struct kd_clock kd_clock_real;

#endif
