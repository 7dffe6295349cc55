/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream of bytes to a board and one back. Deadlines are times of the clock that the pipe's opener
 * was given.
 */
#ifndef KD_PIPE_H
#define KD_PIPE_H

#include "spec/kt_status.h"

#include <stddef.h>
#include <stdint.h>

struct kd_pipe_ops {
  /* Takes all bytes, or KT_ETIMEDOUT: then any part of them may be on its way. */
  enum kt_status (*write)(void *ctx, const uint8_t *bytes, size_t n, uint64_t deadline_ns,
                          struct kt_msg *msg);

  /* Returns as soon as there is a byte; KT_ETIMEDOUT with *got = 0 at the deadline. One look is
   * taken at what has come already, even if the deadline has passed. */
  enum kt_status (*read)(void *ctx, uint8_t *bytes, size_t room, size_t *got,
                         uint64_t deadline_ns, struct kt_msg *msg);

  /* Forgets what is on its way in both directions, as far as it can be reached. */
  enum kt_status (*flush)(void *ctx, struct kt_msg *msg);

  /* Holds the line at 0 long enough to put the other side's UART at rest. NULL: no such line. */
  enum kt_status (*send_break)(void *ctx, struct kt_msg *msg);

  void (*close)(void *ctx);
};

struct kd_pipe {
  const struct kd_pipe_ops *ops;
  void *ctx;
};

#endif
