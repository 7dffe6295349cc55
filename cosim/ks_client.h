/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's side of a session with a simulator: start or find one, submit transactions, wait for
 * them. Not thread-safe: libktpu holds one lock a device.
 */
#ifndef KS_CLIENT_H
#define KS_CLIENT_H

#include "cosim/ks_shm.h"
#include "spec/kt_status.h"

#include <stdint.h>

struct ks_client;

struct ks_spawn {
  const char *program; /* path of ktpu-sim */
  const char *wave;    /* path of a waveform to write, or NULL */
  uint64_t memory;     /* bytes of DRAM */
  uint32_t seed;       /* of the registers at power-up */
};

/* Starts a simulator that ends with this client, whatever ends it. */
enum kt_status ks_client_spawn(const struct ks_spawn *s, struct ks_client **client,
                               struct kt_msg *msg);

/* Attaches to `ktpu-sim --name NAME`. */
enum kt_status ks_client_attach(const char *name, struct ks_client **client, struct kt_msg *msg);

/* Ends the session; a simulator that was started here has ended when this returns. NULL is fine. */
void ks_client_close(struct ks_client *client);

/* Puts a transaction into the ring, waiting for a free slot; *ticket names it. */
enum kt_status ks_client_submit(struct ks_client *client, const struct ks_slot *t,
                                uint32_t *ticket, struct kt_msg *msg);

/* Waits for it and copies the executed slot to *t. KT_EPEER when the simulator ended; an error of
 * the transaction itself becomes KT_EIO, KT_ETIMEDOUT or KT_EINVAL. */
enum kt_status ks_client_wait(struct ks_client *client, uint32_t ticket, struct ks_slot *t,
                              struct kt_msg *msg);

/* Submit, then wait; *t is both request and answer. */
enum kt_status ks_client_do(struct ks_client *client, struct ks_slot *t, struct kt_msg *msg);

/* The shared memory: config to fill, report to read, bounce buffer, DRAM image. */
struct ks_shm *ks_client_shm(struct ks_client *client);

#endif
