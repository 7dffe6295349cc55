/* SPDX-License-Identifier: Apache-2.0
 *
 * A device inside the library. The kd_ functions here are called with the device's lock held; the
 * ktpu_ functions of ktpu.h take it.
 */
#ifndef KD_DEVICE_H
#define KD_DEVICE_H

#include "host/kd_heap.h"
#include "host/kd_ops.h"

#include <pthread.h>

/* A program that stays on the device for later calls. */
struct kd_cached {
  uint64_t *words;
  size_t n_words;
  uint64_t addr;
  struct kd_cached *next;
};

struct ktpu_device {
  pthread_mutex_t lock;
  struct kd_transport link;
  struct ktpu_options options;
  char name[384];
  struct kd_heap heap;
  struct kd_cached *cache;
  struct ktpu_stats stats;
  struct kt_msg msg; /* the last failure */
  ktpu_progress progress;
  void *progress_context;

  /* When set, called every sample_period cycles of a run and at its end, lock held. */
  void (*sample)(void *context, struct ktpu_device *d);
  void *sample_context;
  uint64_t sample_period;
};

/* ---- memory ---- */
enum kt_status kd_alloc(struct ktpu_device *d, uint64_t bytes, uint64_t *addr);
enum kt_status kd_free(struct ktpu_device *d, uint64_t addr);
enum kt_status kd_write(struct ktpu_device *d, uint64_t addr, const void *data, size_t bytes);
enum kt_status kd_read(struct ktpu_device *d, uint64_t addr, void *data, size_t bytes);

/* ---- registers ---- */
enum kt_status kd_reg_write(struct ktpu_device *d, uint32_t offset, uint32_t value);
enum kt_status kd_reg_read(struct ktpu_device *d, uint32_t offset, uint32_t *value);

/* ---- running ---- */

/* KT_EUNSUPPORTED, in words, on a machine without an int8 core. */
enum kt_status kd_check_int8(struct ktpu_device *d);

/* As ktpu_run; adds to *result. */
enum kt_status kd_run(struct ktpu_device *d, uint32_t list, uint32_t count,
                      struct ktpu_result *result);

/* Until the machine is idle. KT_EFAULT: it waits for an answer of its memory that never comes. */
enum kt_status kd_wait(struct ktpu_device *d, uint32_t count);

/* Puts a program on the device, or finds it there. */
enum kt_status kd_program(struct ktpu_device *d, const uint64_t *words, size_t n_words,
                          uint64_t *addr);
void kd_empty_cache(struct ktpu_device *d);

/* The fault's sentence, from the tables of the specification. */
void kd_fault_text(struct ktpu_fault *fault);

/* ---- identity ---- */
enum kt_status kd_check_identity(struct ktpu_device *d);

#endif
