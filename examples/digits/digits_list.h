/* SPDX-License-Identifier: Apache-2.0 */
/* The digits network on a device: both layers, all batches, one descriptor list, one start. */
#ifndef DIGITS_LIST_H
#define DIGITS_LIST_H

#include <ktpu.h>
#include <stdint.h>

#include "examples/digits/digits_data.h"

struct digits_run {
  uint32_t batches;          /* blocks of rows that a layer was cut into */
  uint32_t descriptors;      /* in the list */
  uint32_t programs;         /* different programs that they run */
  struct ktpu_result result; /* of the one start */
};

/* Classifies images first .. first+count-1 on the device and writes their logits. count >= 1.
 * Everything allocated on the device is freed before the return. KT_EFAULT: see run->result.fault.
 * KT_ENOMEM: the device's memory does not hold so many images at once. */
enum kt_status digits_run(struct ktpu_device *device, const struct digits_data *data,
                          uint32_t first, uint32_t count, int32_t (*logits)[DIGITS_CLASSES],
                          struct digits_run *run, struct kt_msg *msg);

#endif
