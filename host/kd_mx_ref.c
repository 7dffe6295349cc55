/* SPDX-License-Identifier: Apache-2.0
 *
 * The ref: transport of the MXFP7 machine: its model behind the same registers. A go runs to its end
 * at once; there is no clock, so cycles are 0.
 */
#include "host/kd_ops.h"

#include "spec/model/kr_mxmach.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct ref {
  struct kr_mxmach *model;
  uint8_t *bytes;
};

static enum kt_status reg_read(void *ctx, uint32_t offset, uint32_t *value, struct kt_msg *msg)
{
  const struct ref *r = ctx;
  (void)msg;
  *value = kr_mxmach_read(r->model, offset);
  return KT_OK;
}

static enum kt_status reg_write(void *ctx, uint32_t offset, uint32_t value, struct kt_msg *msg)
{
  struct ref *r = ctx;
  const enum kt_status st = kr_mxmach_write(r->model, offset, value, msg);
  return st == KT_EFAULT ? KT_EINVAL : st; /* what hardware would do is not defined */
}

static enum kt_status mem_read(void *ctx, uint64_t addr, void *data, size_t bytes,
                               struct kt_msg *msg)
{
  const struct ref *r = ctx;
  (void)msg;
  memcpy(data, r->bytes + addr, bytes);
  return KT_OK;
}

static enum kt_status mem_write(void *ctx, uint64_t addr, const void *data, size_t bytes,
                                struct kt_msg *msg)
{
  const struct ref *r = ctx;
  (void)msg;
  memcpy(r->bytes + addr, data, bytes);
  return KT_OK;
}

static enum kt_status wait_idle(void *ctx, uint64_t max_cycles, struct kt_msg *msg)
{
  (void)ctx;
  (void)max_cycles;
  (void)msg;
  return KT_OK;
}

static enum kt_status hard_reset(void *ctx, struct kt_msg *msg)
{
  struct ref *r = ctx;
  (void)msg;
  kr_mxmach_reset(r->model);
  return KT_OK;
}

static void close_ref(void *ctx)
{
  struct ref *r = ctx;
  kr_mxmach_free(r->model);
  free(r->bytes);
  free(r);
}

static const struct kd_ops ref_ops = {
    .reg_read = reg_read,
    .reg_write = reg_write,
    .mem_read = mem_read,
    .mem_write = mem_write,
    .wait_idle = wait_idle,
    .hard_reset = hard_reset,
    .close = close_ref,
};

enum kt_status kd_mx_ref_open(const char *spec, const struct ktpu_options *options,
                              struct kd_transport *t, struct kt_msg *msg)
{
  struct kt_mx_params p;
  uint64_t memory = 0;
  enum kt_status st = kt_mx_params_parse(&p, spec, msg);
  if (st == KT_OK) st = kd_memory_size(p.addr_bits, options->memory, &memory, msg);
  if (st != KT_OK) return st;
  struct ref *r = calloc(1, sizeof *r);
  if (r == NULL) return KT_ENOMEM;
  r->model = kr_mxmach_new(&p);
  r->bytes = calloc(1, memory);
  st = r->model == NULL || r->bytes == NULL ? KT_ENOMEM
                                            : kr_mxmach_memory(r->model, r->bytes, memory);
  if (st != KT_OK) {
    close_ref(r);
    kt_msg_set(msg, "no memory for a model with %" PRIu64 " bytes", memory);
    return st;
  }
  *t = (struct kd_transport){.ops = &ref_ops, .ctx = r, .is_mx = true, .mx = p, .memory = memory};
  return KT_OK;
}
