/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create */
#include "cosim/ks_server.h"

#include "cosim/ks_link.h"
#include "cosim/ks_wait.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Cycles between two looks at the client's socket. */
enum { WAIT_CHUNK = 1 << 18 };

enum kt_status ks_segment_create(struct ks_segment *s, uint64_t dram_bytes, const char *params,
                                 struct kt_msg *msg)
{
  *s = (struct ks_segment){.fd = -1, .bytes = ks_shm_size(dram_bytes)};
  s->fd = memfd_create("ktpu-sim", MFD_CLOEXEC);
  if (s->fd < 0 || ftruncate(s->fd, (off_t)s->bytes) != 0) goto fail;
  s->shm = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
  if (s->shm == MAP_FAILED) goto fail;
  ks_shm_init(s->shm, dram_bytes, params);
  return KT_OK;

fail:
  kt_msg_set(msg, "no shared memory of %llu bytes: %s", (unsigned long long)s->bytes,
             strerror(errno));
  if (s->fd >= 0) close(s->fd);
  s->fd = -1;
  s->shm = NULL;
  return KT_ENOMEM;
}

void ks_segment_destroy(struct ks_segment *s)
{
  if (s->shm != NULL) munmap(s->shm, s->bytes);
  if (s->fd >= 0) close(s->fd);
  *s = (struct ks_segment){.fd = -1};
}

/* ---- transactions ----------------------------------------------------------------------------- */

static void do_reg(struct ks_machine *m, struct ks_slot *t)
{
  ks_machine_reg_begin(m, t->op == KS_OP_REG_WRITE, t->addr, t->value);
  if (!ks_machine_run_ports(m, KS_PORT_LIMIT)) {
    t->status = KS_TIMEOUT;
    return;
  }
  t->status = m->reg.resp == 0 ? KS_DONE : KS_AXI_ERROR;
  t->value = m->reg.resp == 0 ? m->reg.data : m->reg.resp;
}

static void do_mem(struct ks_machine *m, struct ks_shm *shm, struct ks_slot *t)
{
  if (t->arg > KS_BOUNCE || t->len > KS_BOUNCE - t->arg) {
    t->status = KS_BAD_OP;
    return;
  }
  ks_machine_host_begin(m, t->op == KS_OP_MEM_WRITE, t->addr, ks_shm_bounce(shm) + t->arg, t->len);
  if (!ks_machine_run_ports(m, KS_PORT_LIMIT + 64 * t->len)) {
    t->status = KS_TIMEOUT;
    return;
  }
  t->status = m->host.resp == 0 ? KS_DONE : KS_AXI_ERROR;
  t->value = m->host.resp;
}

static bool do_wait(struct ks_machine *m, struct ks_slot *t, int sock)
{
  uint64_t left = t->len;
  bool idle = !ks_machine_busy(m);
  while (!idle && left != 0) {
    const uint64_t chunk = left < WAIT_CHUNK ? left : WAIT_CHUNK;
    idle = ks_machine_run_busy(m, chunk);
    left -= chunk;
    if (!idle && ks_peer_gone(sock)) return false;
  }
  t->status = idle ? KS_DONE : KS_TIMEOUT;
  t->result = m->pin_cycles;
  return true;
}

/* False when the client went away meanwhile. */
static bool execute(struct ks_machine *m, struct ks_shm *shm, struct ks_slot *t, int sock)
{
  t->status = KS_DONE;
  switch (t->op) {
  case KS_OP_RESET: ks_machine_reset(m, t->len); break;
  case KS_OP_REG_WRITE:
  case KS_OP_REG_READ: do_reg(m, t); break;
  case KS_OP_MEM_WRITE:
  case KS_OP_MEM_READ: do_mem(m, shm, t); break;
  case KS_OP_WAIT: return do_wait(m, t, sock);
  case KS_OP_IDLE: ks_machine_run_idle(m, t->len); break;
  case KS_OP_CONFIG: ks_dram_configure(&m->dram, &shm->config); break;
  default: t->status = KS_BAD_OP; break;
  }
  return true;
}

static void report(const struct ks_machine *m, struct ks_report *r)
{
  r->cycles = m->cycle;
  r->busy_cycles = m->busy_cycles;
  r->pin_cycles = m->pin_cycles;
  r->last_write = m->last_write;
  r->read_beats = m->dram.read_beats;
  r->write_beats = m->dram.write_beats;
  memcpy(r->stall_events, m->dram.stall_events, sizeof r->stall_events);
  if (m->rules.violations != r->violations) {
    r->violations = m->rules.violations;
    memcpy(r->violation, m->rules.first, sizeof r->violation);
  }
}

/* Waits for work; false when the client is gone. No simulated time passes meanwhile, so that a run
 * does not depend on the driver's speed: libktpu keeps a KS_OP_WAIT in the ring while it is busy. */
static bool next_transaction(struct ks_shm *shm, uint32_t done, int sock)
{
  return ks_wait_change(&shm->head, done, &shm->server_sleeps, sock, -1) == KS_WAIT_CHANGED;
}

static void new_session(struct ks_machine *m, struct ks_shm *shm)
{
  static const struct ks_config plain = {0};
  atomic_store(&shm->head, 0);
  atomic_store(&shm->done, 0);
  atomic_store(&shm->client_sleeps, 0);
  shm->config = plain;
  memset(&shm->report, 0, sizeof shm->report);
  m->rules.violations = 0;
  ks_dram_configure(&m->dram, &plain);
  ks_machine_reset(m, 0);
}

enum kt_status ks_serve(struct ks_machine *m, const struct ks_segment *s, int sock)
{
  struct ks_shm *shm = s->shm;
  const struct ks_hello hello = {.magic = shm->magic,
                                 .version = shm->version,
                                 .layout = shm->layout,
                                 .bytes = shm->bytes};
  uint32_t done = 0;

  new_session(m, shm);
  const enum kt_status st = ks_link_send(sock, &hello, s->fd);
  if (st != KT_OK) return st;
  while (next_transaction(shm, done, sock)) {
    if (!execute(m, shm, &shm->slots[done % KS_SLOTS], sock)) break;
    report(m, &shm->report);
    done++;
    ks_wake(&shm->done, done, &shm->client_sleeps);
  }
  return KT_OK;
}
