/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulator's side of a session: takes transactions from the ring in order, executes them on
 * the machine and answers. Between transactions no time passes. Returns when the client is gone.
 */
#ifndef KS_SERVER_H
#define KS_SERVER_H

#include "cosim/ks_machine.h"
#include "cosim/ks_shm.h"
#include "spec/kt_status.h"

#include <stdint.h>

/* The memory file and its mapping. */
struct ks_segment {
  int fd;
  struct ks_shm *shm;
  uint64_t bytes;
};

enum kt_status ks_segment_create(struct ks_segment *s, uint64_t dram_bytes, const char *params,
                                 struct kt_msg *msg);
void ks_segment_destroy(struct ks_segment *s);

/* Greets the client on `sock` and serves it to its end. KT_OK when the client left. */
enum kt_status ks_serve(struct ks_machine *m, const struct ks_segment *s, int sock);

#endif
