/* SPDX-License-Identifier: Apache-2.0
 *
 * How a driver and a simulator find each other: a Unix socket over which the simulator sends one
 * greeting with the memory file's descriptor. A simulator that the driver starts gets one end of a
 * socket pair; one that was started with a name listens on an abstract address, which vanishes with
 * the process, so that there is never a stale file.
 */
#ifndef KS_LINK_H
#define KS_LINK_H

#include "cosim/ks_shm.h"
#include "spec/kt_status.h"

#include <stddef.h>
#include <stdint.h>

enum { KS_CONNECT_MS = 10000 };

struct ks_hello {
  uint32_t magic, version, layout, spare;
  uint64_t bytes; /* of the memory file */
};

/* All descriptors returned are close-on-exec. */
enum kt_status ks_link_listen(const char *name, int *fd, struct kt_msg *msg);
enum kt_status ks_link_connect(const char *name, int *sock, struct kt_msg *msg);

/* Waits for a client; timeout_ms < 0 waits for ever. KT_ETIMEDOUT when none came. */
enum kt_status ks_link_accept(int fd, int timeout_ms, int *sock);

enum kt_status ks_link_send(int sock, const struct ks_hello *hello, int memfd);

/* Receives the greeting and checks magic, version and layout; a mismatch names both values. */
enum kt_status ks_link_receive(int sock, int timeout_ms, int *memfd, uint64_t *bytes,
                               struct kt_msg *msg);

#endif
