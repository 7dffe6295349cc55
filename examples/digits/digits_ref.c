/* SPDX-License-Identifier: Apache-2.0 */
#include "examples/digits/digits_ref.h"

int8_t digits_round_shift(int32_t acc, unsigned shift)
{
  int64_t unit = (int64_t)1 << shift;
  int64_t below = acc / unit;
  int64_t rest = acc % unit;
  if (rest < 0) { /* C rounds towards zero; below is to be the floor */
    rest += unit;
    below--;
  }
  if (2 * rest > unit || (2 * rest == unit && below % 2 != 0)) below++;

  if (below > INT8_MAX) return INT8_MAX;
  if (below < INT8_MIN) return INT8_MIN;
  return (int8_t)below;
}

/* No sum leaves int32: 65 * 127 * 128 < 2^21. */
void digits_hidden_int8(const struct digits_int8 *net, const uint8_t *pixels,
                        int8_t hidden[DIGITS_HIDDEN])
{
  for (int n = 0; n < DIGITS_HIDDEN; n++) {
    int32_t acc = 0;
    for (int k = 0; k < DIGITS_PIXELS; k++) acc += (int32_t)pixels[k] * net->w1[k][n];
    acc += (int32_t)net->constant1 * net->w1[DIGITS_PIXELS][n];
    hidden[n] = digits_round_shift(acc > 0 ? acc : 0, net->shift);
  }
}

void digits_logits_int8(const struct digits_int8 *net, const uint8_t *pixels,
                        int32_t logits[DIGITS_CLASSES])
{
  int8_t hidden[DIGITS_HIDDEN];
  digits_hidden_int8(net, pixels, hidden);

  for (int n = 0; n < DIGITS_CLASSES; n++) {
    logits[n] = 0;
    for (int k = 0; k < DIGITS_HIDDEN; k++) logits[n] += (int32_t)hidden[k] * net->w2[k][n];
    logits[n] += (int32_t)net->constant2 * net->w2[DIGITS_HIDDEN][n];
  }
}

void digits_logits_double(const struct digits_double *net, const uint8_t *pixels,
                          double logits[DIGITS_CLASSES])
{
  double hidden[DIGITS_HIDDEN];
  for (int n = 0; n < DIGITS_HIDDEN; n++) {
    double sum = net->w1[DIGITS_PIXELS][n];
    for (int k = 0; k < DIGITS_PIXELS; k++) sum += pixels[k] * net->w1[k][n];
    hidden[n] = sum > 0 ? sum : 0;
  }

  for (int n = 0; n < DIGITS_CLASSES; n++) {
    logits[n] = net->w2[DIGITS_HIDDEN][n];
    for (int k = 0; k < DIGITS_HIDDEN; k++) logits[n] += hidden[k] * net->w2[k][n];
  }
}

unsigned digits_class_int8(const int32_t logits[DIGITS_CLASSES])
{
  unsigned best = 0;
  for (unsigned n = 1; n < DIGITS_CLASSES; n++)
    if (logits[n] > logits[best]) best = n;
  return best;
}

unsigned digits_class_double(const double logits[DIGITS_CLASSES])
{
  unsigned best = 0;
  for (unsigned n = 1; n < DIGITS_CLASSES; n++)
    if (logits[n] > logits[best]) best = n;
  return best;
}
