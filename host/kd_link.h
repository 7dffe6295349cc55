/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of the link (docs/link.md): sessions, and requests in a window, each executed at
 * most once whatever the wire does. A damaged wire is repaired by sending again; when KD_LINK_TRIES
 * times in a row nothing came back, the link is dead, after at most kd_link_bound_ns.
 */
#ifndef KD_LINK_H
#define KD_LINK_H

#include "host/kd_clock.h"
#include "host/kd_frame.h"
#include "host/kd_pipe.h"
#include "spec/kt_status.h"

enum { KD_LINK_TRIES = 10 };

struct kd_link_counts {
  uint64_t sent, resent, answered;  /* requests */
  uint64_t timeouts, gaps;          /* why requests were sent again */
  uint64_t busy;                    /* answers */
  uint64_t stale;                   /* replies of this session that nothing waits for */
  uint64_t foreign;                 /* replies of other sessions */
  uint64_t faults[KD_FRAME_FAULTS]; /* frames that were dropped, by reason */
};

struct kd_link {
  struct kd_pipe pipe;
  const struct kd_clock *clock;
  uint64_t ns_per_byte; /* on the wire */
  uint64_t random;
  uint16_t session; /* 0: none */
  uint8_t sequence; /* of the next new request */
  uint32_t window, payload;
  struct kd_receiver receiver;
  struct kd_link_counts counts;
};

/* One request. A read's reply goes to `reply` (length bytes), a write's data come from `data`. */
struct kd_request {
  uint8_t type, status; /* status: out, KT_LINK_STATUS_* */
  uint16_t length;
  uint32_t address;
  const uint8_t *data;
  uint8_t *reply;
  bool answered; /* inside */
};

/* The pipe stays the caller's. seed decides the sessions' numbers. */
void kd_link_init(struct kd_link *l, struct kd_pipe pipe, const struct kd_clock *clock,
                  uint64_t ns_per_byte, uint64_t seed);

/* Begins a session, whatever state the other side is in, and reads the build's limits. KT_EPEER:
 * nothing answers. */
enum kt_status kd_link_start(struct kd_link *l, struct kt_msg *msg);

/* Has n requests executed in order, all of them reads (READ, BURST_READ, STATUS, ECHO) or all
 * writes. KT_OK: each has its status. KT_EPEER: the link is dead, and so is the session;
 * writes without an answer may have been executed or not. */
enum kt_status kd_link_run(struct kd_link *l, struct kd_request *requests, size_t n,
                           struct kt_msg *msg);

/* How long nothing may come back before the link is given up. */
uint64_t kd_link_bound_ns(const struct kd_link *l);

/* ---- single accesses, failures as sentences ---------------------------------------------------- */

enum kt_status kd_link_read(struct kd_link *l, uint32_t address, uint32_t *value,
                            struct kt_msg *msg);
enum kt_status kd_link_write(struct kd_link *l, uint32_t address, uint32_t value,
                             struct kt_msg *msg);

/* Several registers in one window. */
enum kt_status kd_link_read_many(struct kd_link *l, const uint32_t *addresses, uint32_t *values,
                                 size_t n, struct kt_msg *msg);

/* What a status request answers. */
struct kd_link_state {
  uint8_t flags, expected;
  uint32_t event; /* the core's STATUS register */
};
enum kt_status kd_link_state(struct kd_link *l, struct kd_link_state *s, struct kt_msg *msg);

/* Memory, cut into bursts. Answers "busy" are asked again once the core has stopped; KT_EBUSY when it
 * has not within KD_LINK_BUSY_NS. */
#define KD_LINK_BUSY_NS (10 * KD_NS_PER_S)
enum kt_status kd_link_mem_read(struct kd_link *l, uint32_t address, void *data, size_t bytes,
                                struct kt_msg *msg);
enum kt_status kd_link_mem_write(struct kd_link *l, uint32_t address, const void *data,
                                 size_t bytes, struct kt_msg *msg);

/* Sends `bytes` there and back. */
enum kt_status kd_link_echo(struct kd_link *l, const uint8_t *data, uint8_t *back, size_t bytes,
                            struct kt_msg *msg);

/* What a status other than OK means, for this request. */
enum kt_status kd_link_judge(const struct kd_request *r, struct kt_msg *msg);

#endif
