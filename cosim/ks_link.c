/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* SOCK_CLOEXEC, struct ucred */
#include "cosim/ks_link.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The abstract address of a named simulator: per user, so that two users do not meet. */
static enum kt_status address_of(const char *name, struct sockaddr_un *a, socklen_t *len,
                                 struct kt_msg *msg)
{
  memset(a, 0, sizeof *a);
  a->sun_family = AF_UNIX;
  const int n = snprintf(a->sun_path + 1, sizeof a->sun_path - 1, "ktpu-sim-%lu-%s",
                         (unsigned long)getuid(), name);
  if (name[0] == '\0' || n < 0 || (size_t)n >= sizeof a->sun_path - 1) {
    kt_msg_set(msg, "'%s' is no name for a simulator: 1 to 60 characters", name);
    return KT_EINVAL;
  }
  *len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
  return KT_OK;
}

static enum kt_status open_socket(int *fd, struct kt_msg *msg)
{
  *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (*fd >= 0) return KT_OK;
  kt_msg_set(msg, "no socket: %s", strerror(errno));
  return KT_EIO;
}

enum kt_status ks_link_listen(const char *name, int *fd, struct kt_msg *msg)
{
  struct sockaddr_un a;
  socklen_t len;
  enum kt_status st = address_of(name, &a, &len, msg);
  if (st == KT_OK) st = open_socket(fd, msg);
  if (st != KT_OK) return st;
  if (bind(*fd, (struct sockaddr *)&a, len) == 0 && listen(*fd, 1) == 0) return KT_OK;
  st = errno == EADDRINUSE ? KT_EBUSY : KT_EIO;
  kt_msg_set(msg, "a simulator cannot be named '%s': %s", name, strerror(errno));
  close(*fd);
  *fd = -1;
  return st;
}

static bool same_user(int sock)
{
  struct ucred peer;
  socklen_t len = sizeof peer;
  return getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 && peer.uid == getuid();
}

enum kt_status ks_link_connect(const char *name, int *sock, struct kt_msg *msg)
{
  struct sockaddr_un a;
  socklen_t len;
  enum kt_status st = address_of(name, &a, &len, msg);
  if (st == KT_OK) st = open_socket(sock, msg);
  if (st != KT_OK) return st;
  if (connect(*sock, (struct sockaddr *)&a, len) == 0 && same_user(*sock)) return KT_OK;
  kt_msg_set(msg, "no simulator named '%s' is running: start one with `ktpu-sim --name %s`", name,
             name);
  close(*sock);
  *sock = -1;
  return KT_ENODEV;
}

enum kt_status ks_link_accept(int fd, int timeout_ms, int *sock)
{
  struct pollfd p = {.fd = fd, .events = POLLIN};
  if (poll(&p, 1, timeout_ms) <= 0) return KT_ETIMEDOUT;
  *sock = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
  if (*sock < 0) return KT_EIO;
  if (same_user(*sock)) return KT_OK;
  close(*sock);
  *sock = -1;
  return KT_EIO;
}

enum kt_status ks_link_send(int sock, const struct ks_hello *hello, int memfd)
{
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control;
  struct ks_hello copy = *hello;
  struct iovec iov = {.iov_base = &copy, .iov_len = sizeof copy};
  struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};

  memset(&control, 0, sizeof control);
  m.msg_control = control.bytes;
  m.msg_controllen = sizeof control.bytes;
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(c), &memfd, sizeof memfd);
  return sendmsg(sock, &m, MSG_NOSIGNAL) == (ssize_t)sizeof copy ? KT_OK : KT_EIO;
}

static enum kt_status receive_raw(int sock, int timeout_ms, struct ks_hello *hello, int *memfd,
                                  struct kt_msg *msg)
{
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control;
  struct iovec iov = {.iov_base = hello, .iov_len = sizeof *hello};
  struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
  struct pollfd p = {.fd = sock, .events = POLLIN};

  if (poll(&p, 1, timeout_ms) <= 0) {
    kt_msg_set(msg, "the simulator did not answer in %d ms; it may serve another program",
               timeout_ms);
    return KT_ETIMEDOUT;
  }
  m.msg_control = control.bytes;
  m.msg_controllen = sizeof control.bytes;
  const ssize_t n = recvmsg(sock, &m, MSG_CMSG_CLOEXEC);
  if (n != (ssize_t)sizeof *hello) {
    kt_msg_set(msg, "the simulator ended before it answered");
    return KT_EPEER;
  }
  const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  if (c == NULL || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(int))) {
    kt_msg_set(msg, "the simulator sent no memory file");
    return KT_EMISMATCH;
  }
  memcpy(memfd, CMSG_DATA(c), sizeof *memfd);
  return KT_OK;
}

enum kt_status ks_link_receive(int sock, int timeout_ms, int *memfd, uint64_t *bytes,
                               struct kt_msg *msg)
{
  struct ks_hello h = {0};
  const enum kt_status st = receive_raw(sock, timeout_ms, &h, memfd, msg);
  if (st != KT_OK) return st;
  if (h.magic == KS_MAGIC && h.version == KS_VERSION && h.layout == ks_shm_layout() &&
      h.bytes >= ks_shm_size(0)) {
    *bytes = h.bytes;
    return KT_OK;
  }
  kt_msg_set(msg,
             "driver and simulator were built from different sources: magic %08x/%08x, "
             "version %u/%u, layout %08x/%08x (driver/simulator); rebuild the simulator",
             KS_MAGIC, h.magic, KS_VERSION, h.version, ks_shm_layout(), h.layout);
  close(*memfd);
  *memfd = -1;
  return KT_EMISMATCH;
}
