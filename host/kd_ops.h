/* SPDX-License-Identifier: Apache-2.0
 *
 * How the driver reaches a machine: one table of operations, one implementation a transport. The
 * rest of the library sees no difference. Calls are serialised by the device's lock.
 */
#ifndef KD_OPS_H
#define KD_OPS_H

#include "spec/kt_mx_params.h"
#include "spec/kt_params.h"
#include "spec/kt_status.h"

#include <ktpu.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kd_board;

struct kd_ops {
  enum kt_status (*reg_read)(void *ctx, uint32_t offset, uint32_t *value, struct kt_msg *msg);
  enum kt_status (*reg_write)(void *ctx, uint32_t offset, uint32_t value, struct kt_msg *msg);
  enum kt_status (*mem_read)(void *ctx, uint64_t addr, void *data, size_t bytes,
                             struct kt_msg *msg);
  enum kt_status (*mem_write)(void *ctx, uint64_t addr, const void *data, size_t bytes,
                              struct kt_msg *msg);

  /* Lets the machine run until it is idle, at most max_cycles; KT_ETIMEDOUT when it is not. */
  enum kt_status (*wait_idle)(void *ctx, uint64_t max_cycles, struct kt_msg *msg);

  /* rst_i. NULL where the host cannot pull it. */
  enum kt_status (*hard_reset)(void *ctx, struct kt_msg *msg);

  /* After a run: whether what was seen from outside agrees with the CYCLES register. NULL: nothing
   * is seen. */
  enum kt_status (*check_run)(void *ctx, uint64_t cycles, struct kt_msg *msg);

  /* Clock cycles simulated so far. NULL: no clock. */
  uint64_t (*clock)(void *ctx);

  void (*close)(void *ctx);
};

/* What a transport's open gives. */
struct kd_transport {
  const struct kd_ops *ops;
  void *ctx;
  bool is_mx;              /* a machine of MXFP7 clusters: mx says which; else an int8 core */
  struct kt_params params; /* what the machine must be */
  struct kt_mx_params mx;
  uint64_t memory;         /* bytes */
  const struct kd_board *board; /* NULL: no board; the ctx's own */
};

/* `spec` is the device name after "ref:", "sim:" or "ftdi:". On failure nothing stays behind. */
enum kt_status kd_ref_open(const char *spec, const struct ktpu_options *options,
                           struct kd_transport *t, struct kt_msg *msg);
enum kt_status kd_sim_open(const char *spec, const struct ktpu_options *options,
                           struct kd_transport *t, struct kt_msg *msg);

/* The same for ref: and a config of the MXFP7 machine. */
enum kt_status kd_mx_ref_open(const char *spec, const struct ktpu_options *options,
                              struct kd_transport *t, struct kt_msg *msg);

/* KT_OK with a text in msg: something to tell. */
enum kt_status kd_ftdi_transport_open(const char *spec, struct kd_transport *t,
                                      struct kt_msg *msg);

/* The model behind a ref: transport, to set a trace on. */
struct kr_int8;
struct kr_int8 *kd_ref_model(void *ctx);

/* The session behind a sim: transport, to inject memory faults. */
struct ks_client;
struct ks_client *kd_sim_client(void *ctx);

/* Device memory of a build where options->memory leaves it open; KT_ERANGE past its addresses. */
enum kt_status kd_memory_size(uint32_t addr_bits, uint64_t asked, uint64_t *bytes,
                              struct kt_msg *msg);

#endif
