/* SPDX-License-Identifier: Apache-2.0 */
/* The digits network in plain C loops: what the core must compute, and the same in double
 * precision. Nothing of ktpu is used here, so that agreement with the core means something. */
#ifndef DIGITS_REF_H
#define DIGITS_REF_H

#include <stdint.h>

enum {
  DIGITS_PIXELS = 64,
  DIGITS_HIDDEN = 32,
  DIGITS_CLASSES = 10,
  DIGITS_K1 = DIGITS_PIXELS + 1, /* the last row of K is the bias */
  DIGITS_K2 = DIGITS_HIDDEN + 1,
};

/* constant1, constant2: the value of each layer's input column that meets the bias row, 1..127.
 * shift: right shift between the layers, 0..31. */
struct digits_int8 {
  int8_t w1[DIGITS_K1][DIGITS_HIDDEN];
  int8_t w2[DIGITS_K2][DIGITS_CLASSES];
  int8_t constant1, constant2;
  unsigned shift;
};

struct digits_double {
  double w1[DIGITS_K1][DIGITS_HIDDEN];
  double w2[DIGITS_K2][DIGITS_CLASSES];
};

/* acc / 2^shift rounded to nearest, ties to even, saturated to -128..127. shift: 0..31. */
int8_t digits_round_shift(int32_t acc, unsigned shift);

/* pixels: 64 values 0..16. */
void digits_hidden_int8(const struct digits_int8 *net, const uint8_t *pixels,
                        int8_t hidden[DIGITS_HIDDEN]);
void digits_logits_int8(const struct digits_int8 *net, const uint8_t *pixels,
                        int32_t logits[DIGITS_CLASSES]);
void digits_logits_double(const struct digits_double *net, const uint8_t *pixels,
                          double logits[DIGITS_CLASSES]);

/* Index of the largest logit, the lowest of equals. */
unsigned digits_class_int8(const int32_t logits[DIGITS_CLASSES]);
unsigned digits_class_double(const double logits[DIGITS_CLASSES]);

#endif
