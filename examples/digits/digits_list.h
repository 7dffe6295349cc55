/* SPDX-License-Identifier: Apache-2.0 */
/* The digits network on a device: both layers of as many images as memory holds are one descriptor
 * list and one start. */
#ifndef DIGITS_LIST_H
#define DIGITS_LIST_H

#include <ktpu.h>
#include <stdint.h>

#include "examples/digits/digits_data.h"

struct digits_run {
  uint32_t uploads;          /* times memory was filled: each is one list and one start */
  uint32_t batches;          /* blocks of rows that a layer was cut into, summed over uploads */
  uint32_t descriptors;      /* in the lists */
  uint32_t programs;         /* different programs that they run, most of one upload */
  struct ktpu_result result; /* summed over the starts; the fault is the last one's */
};

/* Classifies images first .. first+count-1 in as many uploads as the device's memory needs. */
enum kt_status digits_run_all(struct ktpu_device *device, const struct digits_data *data,
                              uint32_t first, uint32_t count, int32_t (*logits)[DIGITS_CLASSES],
                              struct digits_run *run, struct kt_msg *msg);

/* One upload: classifies images first .. first+count-1 on the device and writes their logits. count >= 1.
 * Everything allocated on the device is freed before the return. KT_EFAULT: see run->result.fault.
 * KT_ENOMEM: the device's memory does not hold so many images at once. */
enum kt_status digits_run(struct ktpu_device *device, const struct digits_data *data,
                          uint32_t first, uint32_t count, int32_t (*logits)[DIGITS_CLASSES],
                          struct digits_run *run, struct kt_msg *msg);

#endif
