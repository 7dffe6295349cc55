/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* syscall() */
#include "cosim/ks_wait.h"

#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPINS = 100, SLEEP_MS = 50 };

static void futex_sleep(_Atomic uint32_t *word, uint32_t old, int64_t ms)
{
  const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000};
  (void)syscall(SYS_futex, word, FUTEX_WAIT, old, &t, NULL, 0);
}

static void cpu_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

bool ks_peer_gone(int sock)
{
  struct pollfd p = {.fd = sock, .events = POLLIN};
  return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL | POLLIN)) != 0;
}

static bool spin_until_changed(_Atomic uint32_t *word, uint32_t old)
{
  for (int i = 0; i < SPINS; i++) {
    if (atomic_load_explicit(word, memory_order_acquire) != old) return true;
    cpu_pause();
  }
  sched_yield();
  return atomic_load_explicit(word, memory_order_acquire) != old;
}

enum ks_wait_result ks_wait_change(_Atomic uint32_t *word, uint32_t old, _Atomic uint32_t *sleeps,
                                   int sock, int64_t timeout_ms)
{
  if (spin_until_changed(word, old)) return KS_WAIT_CHANGED;

  enum ks_wait_result result = KS_WAIT_CHANGED;
  atomic_store(sleeps, 1);
  while (atomic_load(word) == old) {
    if (ks_peer_gone(sock)) {
      result = atomic_load(word) == old ? KS_WAIT_PEER_GONE : KS_WAIT_CHANGED;
      break;
    }
    if (timeout_ms == 0) {
      result = KS_WAIT_TIMEOUT;
      break;
    }
    const int64_t ms = timeout_ms < 0 || timeout_ms > SLEEP_MS ? SLEEP_MS : timeout_ms;
    futex_sleep(word, old, ms);
    if (timeout_ms > 0) timeout_ms -= ms;
  }
  atomic_store(sleeps, 0);
  return result;
}

void ks_wake(_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleeps)
{
  atomic_store(word, value);
  if (atomic_load(sleeps) != 0) (void)syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
