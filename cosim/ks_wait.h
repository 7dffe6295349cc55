/* SPDX-License-Identifier: Apache-2.0
 *
 * Waiting for a counter in shared memory to change: spin a bounded while, yield once, then sleep in
 * the kernel, and look at the peer's socket between sleeps. Never a pure spin: two processes on one
 * core would starve each other.
 */
#ifndef KS_WAIT_H
#define KS_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum ks_wait_result { KS_WAIT_CHANGED, KS_WAIT_TIMEOUT, KS_WAIT_PEER_GONE };

/* Returns when *word != old, after timeout_ms (negative: no limit), or when the peer at the other
 * end of `sock` is gone. *sleeps is non-zero while this side may be asleep. */
enum ks_wait_result ks_wait_change(_Atomic uint32_t *word, uint32_t old, _Atomic uint32_t *sleeps,
                                   int sock, int64_t timeout_ms);

/* Stores value and wakes the other side if it sleeps. */
void ks_wake(_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleeps);

/* Whether the other end of the socket is closed. Does not wait. */
bool ks_peer_gone(int sock);

#endif
