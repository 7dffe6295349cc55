/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes and the caller-owned message buffer that every library function reports through. */
#ifndef KT_SPEC_KT_STATUS_H
#define KT_SPEC_KT_STATUS_H

#define KT_STATUS_LIST(X)                                                                          \
  X(KT_OK, "ok")                                                                                   \
  X(KT_EINVAL, "bad argument")                                                                     \
  X(KT_ENOMEM, "out of memory")                                                                    \
  X(KT_EIO, "input or output failed")                                                              \
  X(KT_ETIMEDOUT, "timed out")                                                                     \
  X(KT_EFAULT, "the machine faulted")                                                              \
  X(KT_ERANGE, "value out of range")                                                               \
  X(KT_ELIMIT, "a limit of the machine is exceeded")                                               \
  X(KT_EMISMATCH, "does not match")                                                                \
  X(KT_EBUSY, "busy")                                                                              \
  X(KT_ENODEV, "no such device")                                                                   \
  X(KT_EPARSE, "cannot be parsed")                                                                 \
  X(KT_EUNSUPPORTED, "not supported by this build")                                                \
  X(KT_EPEER, "the other side is gone")                                                             \
  X(KT_EACCES, "no permission")

#define KT_STATUS_ENUM(code, text) code,
enum kt_status { KT_STATUS_LIST(KT_STATUS_ENUM) KT_STATUS_COUNT };
#undef KT_STATUS_ENUM

/* One line for people; "unknown status" for a value outside the enum. */
const char *kt_status_text(enum kt_status status);

/* Text of the last error, owned by the caller; always terminated. */
struct kt_msg {
  char text[512];
};

/* Formats into m, cutting what does not fit. m may be NULL: nothing is done. */
__attribute__((format(printf, 2, 3))) void kt_msg_set(struct kt_msg *m, const char *fmt, ...);

#endif
