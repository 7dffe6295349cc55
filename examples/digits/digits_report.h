/* SPDX-License-Identifier: Apache-2.0 */
/* What ktpu-digits found, for people and as JSON. */
#ifndef DIGITS_REPORT_H
#define DIGITS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "examples/digits/digits_list.h"

struct digits_report {
  const char *device; /* as asked for */
  struct ktpu_info info;
  struct ktpu_options options;
  struct digits_run run;
  uint64_t simulated_cycles; /* clock cycles, all in all; 0 on the model */
  double wall_s;             /* host seconds of the run */

  uint32_t images;       /* of the test part, from its beginning */
  uint32_t right_int8;   /* on the device */
  uint32_t right_double; /* the same network in double precision */

  bool ran;             /* false: the machine faulted, nothing below means anything */
  bool model_ran;       /* the reference model ran too (not where it is the device) */
  uint64_t compared;    /* logits, each with the model's and with the plain C reference's */
  uint64_t mismatches;  /* logits that differ from one of the two */
  uint64_t wrong_model; /* from the model's */
  uint64_t wrong_plain; /* from the plain C reference's */
  bool same_events;     /* saturations, wraps and descriptors done as the model has them */
};

/* Everything ran and agrees. */
bool digits_good(const struct digits_report *r);

void digits_print(const struct digits_report *r, FILE *to);

/* KT_EIO: the file cannot be written. KT_ENOMEM. */
enum kt_status digits_write_json(const struct digits_report *r, const char *path,
                                 struct kt_msg *msg);

#endif
