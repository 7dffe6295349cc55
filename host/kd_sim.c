/* SPDX-License-Identifier: Apache-2.0
 *
 * The sim: transport: the Verilated machine in another process, reached through shared memory.
 */
#include "host/kd_ops.h"

#include "cosim/ks_client.h"
#include "host/kd_variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef KTPU_SIM_INSTALLED
#define KTPU_SIM_INSTALLED "/usr/local/lib/ktpu/sim"
#endif

struct sim {
  struct ks_client *client;
  bool back_door;
  uint64_t violations; /* reported so far */
};

/* ---- operations ------------------------------------------------------------------------------- */

static enum kt_status reg_read(void *ctx, uint32_t offset, uint32_t *value, struct kt_msg *msg)
{
  struct sim *s = ctx;
  struct ks_slot t = {.op = KS_OP_REG_READ, .addr = offset};
  const enum kt_status st = ks_client_do(s->client, &t, msg);
  *value = t.value;
  return st;
}

static enum kt_status reg_write(void *ctx, uint32_t offset, uint32_t value, struct kt_msg *msg)
{
  struct sim *s = ctx;
  struct ks_slot t = {.op = KS_OP_REG_WRITE, .addr = offset, .value = value};
  return ks_client_do(s->client, &t, msg);
}

static enum kt_status mem_read(void *ctx, uint64_t addr, void *data, size_t bytes,
                               struct kt_msg *msg)
{
  struct sim *s = ctx;
  struct ks_shm *shm = ks_client_shm(s->client);
  enum kt_status st = KT_OK;
  if (s->back_door) {
    memcpy(data, ks_shm_dram(shm) + addr, bytes);
    return KT_OK;
  }
  for (size_t at = 0; st == KT_OK && at < bytes;) {
    const size_t n = bytes - at < KS_BOUNCE ? bytes - at : KS_BOUNCE;
    struct ks_slot t = {.op = KS_OP_MEM_READ, .addr = (uint32_t)(addr + at), .len = n};
    st = ks_client_do(s->client, &t, msg);
    memcpy((uint8_t *)data + at, ks_shm_bounce(shm), n);
    at += n;
  }
  return st;
}

static enum kt_status mem_write(void *ctx, uint64_t addr, const void *data, size_t bytes,
                                struct kt_msg *msg)
{
  struct sim *s = ctx;
  struct ks_shm *shm = ks_client_shm(s->client);
  enum kt_status st = KT_OK;
  if (s->back_door) {
    memcpy(ks_shm_dram(shm) + addr, data, bytes);
    return KT_OK;
  }
  for (size_t at = 0; st == KT_OK && at < bytes;) {
    const size_t n = bytes - at < KS_BOUNCE ? bytes - at : KS_BOUNCE;
    struct ks_slot t = {.op = KS_OP_MEM_WRITE, .addr = (uint32_t)(addr + at), .len = n};
    memcpy(ks_shm_bounce(shm), (const uint8_t *)data + at, n);
    st = ks_client_do(s->client, &t, msg);
    at += n;
  }
  return st;
}

static enum kt_status wait_idle(void *ctx, uint64_t max_cycles, struct kt_msg *msg)
{
  struct sim *s = ctx;
  struct ks_slot t = {.op = KS_OP_WAIT, .len = max_cycles};
  return ks_client_do(s->client, &t, msg);
}

static enum kt_status hard_reset(void *ctx, struct kt_msg *msg)
{
  struct sim *s = ctx;
  struct ks_slot t = {.op = KS_OP_RESET};
  return ks_client_do(s->client, &t, msg);
}

/* The pins must tell the same as the CYCLES register, and every write must have been answered
 * before the machine said that it was done. */
static enum kt_status check_run(void *ctx, uint64_t cycles, struct kt_msg *msg)
{
  struct sim *s = ctx;
  const struct ks_report *r = &ks_client_shm(s->client)->report;
  if (r->violations != s->violations) {
    s->violations = r->violations;
    kt_msg_set(msg, "the machine broke the AXI rules %" PRIu64 " times, first at %s",
               r->violations, r->violation);
    return KT_EIO;
  }
  if (r->pin_cycles == cycles && r->busy_cycles == cycles && r->last_write <= cycles)
    return KT_OK;
  kt_msg_set(msg,
             "the CYCLES register says %" PRIu64 ", at the pins it was %" PRIu64
             " from start to idle, busy for %" PRIu64 ", the last write answered at %" PRIu64,
             cycles, r->pin_cycles, r->busy_cycles, r->last_write);
  return KT_EIO;
}

static uint64_t clock_of(void *ctx)
{
  struct sim *s = ctx;
  return ks_client_shm(s->client)->report.cycles;
}

static void close_sim(void *ctx)
{
  struct sim *s = ctx;
  ks_client_close(s->client);
  free(s);
}

static const struct kd_ops sim_ops = {
    .reg_read = reg_read,
    .reg_write = reg_write,
    .mem_read = mem_read,
    .mem_write = mem_write,
    .wait_idle = wait_idle,
    .hard_reset = hard_reset,
    .check_run = check_run,
    .clock = clock_of,
    .close = close_sim,
};

/* The client behind a sim: transport: for fault injection. */
struct ks_client *kd_sim_client(void *ctx)
{
  return ((struct sim *)ctx)->client;
}

/* ---- opening ---------------------------------------------------------------------------------- */

static bool try_program(const char *dir, const char *variant, bool wave, char *path, size_t n)
{
  const int w = snprintf(path, n, "%s/%s%s/ktpu-sim", dir, variant, wave ? "-FST" : "");
  return w > 0 && (size_t)w < n && access(path, X_OK) == 0;
}

static enum kt_status find_program(const struct kd_transport *t, const struct ktpu_options *o,
                                   char *path, size_t n, struct kt_msg *msg)
{
  char variant[KD_VARIANT_MAX], command[2 * KD_VARIANT_MAX];
  const char *env = getenv("KTPU_SIM_DIR");
  const char *dirs[] = {o->sim_dir, env, "build/sim", KTPU_SIM_INSTALLED};
  const enum kt_status st = t->is_mx ? kd_mx_variant_name(&t->mx, variant, sizeof variant)
                                     : kd_variant_name(&t->params, variant, sizeof variant, msg);
  if (st != KT_OK) return st;
  for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
    if (dirs[i] == NULL) continue;
    if (try_program(dirs[i], variant, o->wave != NULL, path, n)) return KT_OK;
    if (i < 2) break; /* a directory that was named is the only one */
  }
  if (t->is_mx)
    kd_mx_variant_command(&t->mx, o->wave != NULL, command, sizeof command);
  else
    kd_variant_command(&t->params, o->wave != NULL, command, sizeof command);
  kt_msg_set(msg, "the simulator %s%s has not been built: %s", variant,
             o->wave != NULL ? " with waveforms" : "", command);
  return KT_ENODEV;
}

/* Parameters of either machine, by the config's name. */
static enum kt_status parse_params(struct kd_transport *t, const char *spec, struct kt_msg *msg)
{
  t->is_mx = kt_mx_params_is(spec);
  return t->is_mx ? kt_mx_params_parse(&t->mx, spec, msg) : kt_params_parse(&t->params, spec, msg);
}

static uint32_t addr_bits(const struct kd_transport *t)
{
  return t->is_mx ? t->mx.addr_bits : t->params.addr_bits;
}

static enum kt_status start(const char *spec, const struct ktpu_options *o,
                            struct kd_transport *t, struct ks_client **client, struct kt_msg *msg)
{
  char path[4096];
  enum kt_status st = parse_params(t, spec, msg);
  if (st == KT_OK) st = kd_memory_size(addr_bits(t), o->memory, &t->memory, msg);
  if (st == KT_OK) st = find_program(t, o, path, sizeof path, msg);
  if (st != KT_OK) return st;
  const struct ks_spawn spawn = {.program = path,
                                 .wave = o->wave,
                                 .memory = t->memory,
                                 .seed = o->power_seed != 0 ? o->power_seed : 1};
  return ks_client_spawn(&spawn, client, msg);
}

/* What the running simulator says that it is. */
static enum kt_status attach(const char *name, struct kd_transport *t, struct ks_client **client,
                             struct kt_msg *msg)
{
  enum kt_status st = ks_client_attach(name, client, msg);
  if (st != KT_OK) return st;
  const struct ks_shm *shm = ks_client_shm(*client);
  const char *list = strchr(shm->params, ':'); /* "tinytpu-1:T=4,...", "mx-1:KSLICE=32,..." */
  t->memory = shm->dram_bytes;
  t->is_mx = strncmp(shm->params, "mx-", 3) == 0;
  list = list != NULL ? list + 1 : shm->params;
  return t->is_mx ? kt_mx_params_parse_list(&t->mx, list, msg)
                  : kt_params_parse(&t->params, list, msg);
}

static enum kt_status configure(struct ks_client *client, const struct ktpu_options *o,
                                struct kt_msg *msg)
{
  struct ks_shm *shm = ks_client_shm(client);
  struct ks_slot t = {.op = KS_OP_CONFIG};
  shm->config.latency = o->latency;
  shm->config.bandwidth = o->bandwidth;
  shm->config.stall_seed = o->stall_seed;
  return ks_client_do(client, &t, msg);
}

static enum kt_status same_build(struct ks_client *client, const struct kd_transport *t,
                                 struct kt_msg *msg)
{
  char want[KT_PARAMS_CANONICAL_MAX];
  const struct ks_shm *shm = ks_client_shm(client);
  if (t->is_mx)
    kt_mx_params_canonical(&t->mx, want, sizeof want);
  else
    kt_params_canonical(&t->params, want, sizeof want);
  if (strcmp(want, shm->params) == 0) return KT_OK;
  kt_msg_set(msg, "the simulator was built as %s, the driver wants %s", shm->params, want);
  return KT_EMISMATCH;
}

enum kt_status kd_sim_open(const char *spec, const struct ktpu_options *options,
                           struct kd_transport *t, struct kt_msg *msg)
{
  struct ks_client *client = NULL;
  enum kt_status st = spec[0] == '@' ? attach(spec + 1, t, &client, msg)
                                     : start(spec, options, t, &client, msg);
  struct sim *s = calloc(1, sizeof *s);
  if (st == KT_OK && s == NULL) st = KT_ENOMEM;
  if (st == KT_OK) st = same_build(client, t, msg);
  if (st == KT_OK) st = configure(client, options, msg);
  if (st != KT_OK) {
    ks_client_close(client);
    free(s);
    return st;
  }
  *s = (struct sim){.client = client, .back_door = options->back_door != 0};
  t->ops = &sim_ops;
  t->ctx = s;
  return KT_OK;
}
