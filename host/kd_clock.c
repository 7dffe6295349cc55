/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_clock.h"

#include <errno.h>
#include <time.h>

static uint64_t now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * KD_NS_PER_S + (uint64_t)t.tv_nsec;
}

static void sleep_ns(uint64_t ns)
{
  struct timespec left = {.tv_sec = (time_t)(ns / KD_NS_PER_S), .tv_nsec = (long)(ns % KD_NS_PER_S)};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

const struct kd_clock kd_clock_real = {now_ns, sleep_ns};
