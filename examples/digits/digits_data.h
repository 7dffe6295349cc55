/* SPDX-License-Identifier: Apache-2.0 */
/* The committed images, labels and weights of the digits example (data/README.md). */
#ifndef DIGITS_DATA_H
#define DIGITS_DATA_H

#include <stdint.h>

#include "examples/digits/digits_ref.h"
#include "spec/kt_status.h"

enum { DIGITS_IMAGES = 1797 };

struct digits_data {
  uint8_t pixels[DIGITS_IMAGES][DIGITS_PIXELS]; /* 0..16 */
  uint8_t labels[DIGITS_IMAGES];                /* 0..9 */
  uint32_t train_images;                        /* the first so many; the rest is the test part */
  struct digits_int8 int8;
  struct digits_double real;
};

/* Reads all files of dir into *data, which is large: allocate it (free() releases everything).
 * KT_EIO: a file is missing. KT_EPARSE, KT_EUNSUPPORTED: a file's form, shape or values are not as
 * data/README.md states. */
enum kt_status digits_load(struct digits_data *data, const char *dir, struct kt_msg *msg);

#endif
