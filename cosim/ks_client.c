/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include "cosim/ks_client.h"

#include "cosim/ks_link.h"
#include "cosim/ks_wait.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILD_FD = 3, END_MS = 20000 };

extern char **environ;

struct ks_client {
  struct ks_shm *shm;
  uint64_t bytes;
  int sock;
  pid_t child; /* 0 when the simulator was not started here */
  uint32_t submitted;
};

/* ---- opening ---------------------------------------------------------------------------------- */

static enum kt_status map_segment(struct ks_client *c, struct kt_msg *msg)
{
  int fd = -1;
  enum kt_status st = ks_link_receive(c->sock, KS_CONNECT_MS, &fd, &c->bytes, msg);
  if (st != KT_OK) return st;
  c->shm = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (c->shm == MAP_FAILED) {
    c->shm = NULL;
    kt_msg_set(msg, "the simulator's memory cannot be mapped: %s", strerror(errno));
    return KT_ENOMEM;
  }
  if (c->shm->magic != KS_MAGIC || c->shm->bytes != c->bytes) {
    kt_msg_set(msg, "the simulator's memory is stale: magic %08x, want %08x", c->shm->magic,
               KS_MAGIC);
    return KT_EMISMATCH;
  }
  return KT_OK;
}

static enum kt_status spawn_on(const struct ks_spawn *s, int sock, pid_t *child,
                               struct kt_msg *msg)
{
  char fd[16], memory[32], seed[16];
  snprintf(fd, sizeof fd, "--fd=%d", CHILD_FD);
  snprintf(memory, sizeof memory, "--memory=%" PRIu64, s->memory);
  snprintf(seed, sizeof seed, "--seed=%" PRIu32, s->seed);
  const char *argv[] = {s->program, fd, memory, seed, s->wave != NULL ? "--wave" : NULL, s->wave,
                        NULL};
  posix_spawn_file_actions_t actions;

  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0 /* O_RDONLY */, 0);
  posix_spawn_file_actions_adddup2(&actions, 2, 1); /* what the machine prints is diagnostics */
  posix_spawn_file_actions_adddup2(&actions, sock, CHILD_FD);
  const int err =
      posix_spawn(child, s->program, &actions, NULL, (char *const *)(uintptr_t)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (err == 0) return KT_OK;
  *child = 0;
  kt_msg_set(msg, "%s does not start: %s", s->program, strerror(err));
  return KT_ENODEV;
}

enum kt_status ks_client_spawn(const struct ks_spawn *s, struct ks_client **client,
                               struct kt_msg *msg)
{
  int pair[2];
  *client = NULL;
  struct ks_client *c = calloc(1, sizeof *c);
  if (c == NULL) return KT_ENOMEM;
  c->sock = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    kt_msg_set(msg, "no socket pair: %s", strerror(errno));
    free(c);
    return KT_EIO;
  }
  c->sock = pair[0];
  enum kt_status st = spawn_on(s, pair[1], &c->child, msg);
  close(pair[1]);
  if (st == KT_OK) st = map_segment(c, msg);
  if (st != KT_OK) {
    ks_client_close(c);
    return st;
  }
  *client = c;
  return KT_OK;
}

enum kt_status ks_client_attach(const char *name, struct ks_client **client, struct kt_msg *msg)
{
  *client = NULL;
  struct ks_client *c = calloc(1, sizeof *c);
  if (c == NULL) return KT_ENOMEM;
  c->sock = -1;
  enum kt_status st = ks_link_connect(name, &c->sock, msg);
  if (st == KT_OK) st = map_segment(c, msg);
  if (st != KT_OK) {
    ks_client_close(c);
    return st;
  }
  *client = c;
  return KT_OK;
}

/* ---- closing ---------------------------------------------------------------------------------- */

static void sleep_ms(long ms)
{
  const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000};
  nanosleep(&t, NULL);
}

/* Waits for the child to complete its waveform; one that does not end is killed. */
static void reap(pid_t child)
{
  int status;
  for (int waited = 0; waited < END_MS; waited += 2) {
    const pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) return;
    sleep_ms(2);
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

void ks_client_close(struct ks_client *c)
{
  if (c == NULL) return;
  if (c->sock >= 0) {
    shutdown(c->sock, SHUT_RDWR);
    close(c->sock);
  }
  if (c->shm != NULL) {
    atomic_store(&c->shm->server_sleeps, 1); /* wake it in any case */
    ks_wake(&c->shm->head, c->submitted, &c->shm->server_sleeps);
  }
  if (c->child > 0) reap(c->child);
  if (c->shm != NULL) munmap(c->shm, c->bytes);
  free(c);
}

/* ---- transactions ----------------------------------------------------------------------------- */

static enum kt_status peer_gone(struct ks_client *c, struct kt_msg *msg)
{
  int status = 0;
  pid_t got = 0;
  for (int i = 0; i < 100 && got == 0 && c->child > 0; i++) { /* its socket closes before it ends */
    got = waitpid(c->child, &status, WNOHANG);
    if (got == 0) sleep_ms(1);
  }
  if (got > 0 && WIFSIGNALED(status))
    kt_msg_set(msg, "the simulator process %d was ended by signal %d", (int)c->child,
               WTERMSIG(status));
  else if (got > 0)
    kt_msg_set(msg, "the simulator process %d ended with exit code %d", (int)c->child,
               WEXITSTATUS(status));
  else
    kt_msg_set(msg, "the simulator process %u is gone", c->shm->pid);
  if (got > 0) c->child = 0;
  return KT_EPEER;
}

/* Waits until at least `count` transactions are done. */
static enum kt_status wait_count(struct ks_client *c, uint32_t count, struct kt_msg *msg)
{
  for (;;) {
    const uint32_t done = atomic_load_explicit(&c->shm->done, memory_order_acquire);
    if ((int32_t)(done - count) >= 0) return KT_OK;
    const enum ks_wait_result r =
        ks_wait_change(&c->shm->done, done, &c->shm->client_sleeps, c->sock, -1);
    if (r == KS_WAIT_PEER_GONE) return peer_gone(c, msg);
  }
}

enum kt_status ks_client_submit(struct ks_client *c, const struct ks_slot *t, uint32_t *ticket,
                                struct kt_msg *msg)
{
  const enum kt_status st = wait_count(c, c->submitted + 1 - KS_SLOTS, msg);
  if (st != KT_OK) return st;
  *ticket = c->submitted;
  c->shm->slots[c->submitted % KS_SLOTS] = *t;
  c->submitted++;
  ks_wake(&c->shm->head, c->submitted, &c->shm->server_sleeps);
  return KT_OK;
}

static enum kt_status outcome(const struct ks_slot *t, struct kt_msg *msg)
{
  switch ((enum ks_status)t->status) {
  case KS_DONE: return KT_OK;
  case KS_AXI_ERROR:
    kt_msg_set(msg, "the machine answered an access to 0x%" PRIx32 " with AXI response %" PRIu32,
               t->addr, t->value);
    return KT_EIO;
  case KS_TIMEOUT:
    kt_msg_set(msg, "no answer from the machine (transaction %" PRIu32 ", address 0x%" PRIx32 ")",
               t->op, t->addr);
    return KT_ETIMEDOUT;
  case KS_BAD_OP: break;
  }
  kt_msg_set(msg, "the simulator refused transaction %" PRIu32, t->op);
  return KT_EINVAL;
}

enum kt_status ks_client_wait(struct ks_client *c, uint32_t ticket, struct ks_slot *t,
                              struct kt_msg *msg)
{
  const enum kt_status st = wait_count(c, ticket + 1, msg);
  if (st != KT_OK) return st;
  *t = c->shm->slots[ticket % KS_SLOTS];
  return outcome(t, msg);
}

enum kt_status ks_client_do(struct ks_client *c, struct ks_slot *t, struct kt_msg *msg)
{
  uint32_t ticket;
  const enum kt_status st = ks_client_submit(c, t, &ticket, msg);
  return st != KT_OK ? st : ks_client_wait(c, ticket, t, msg);
}

struct ks_shm *ks_client_shm(struct ks_client *c)
{
  return c->shm;
}
