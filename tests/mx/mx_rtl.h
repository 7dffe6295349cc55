/* SPDX-License-Identifier: Apache-2.0
 *
 * The Verilated arithmetic of the MXFP7 engine, a call an operation: inputs go in, the clock runs
 * for the latency, results come out. One model a process.
 */
#ifndef MX_RTL_H
#define MX_RTL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MX_DOTS = 8, MX_HALVES = 3, MX_SCALES = 3, MX_ADDS = 5 };

/* Mantissa widths of the adders, then of the scalers and halves: the last three adders'. */
#define MX_ADD_WIDTHS {3, 4, 10, 14, 18}
#define MX_WIDTHS {10, 14, 18}

void mx_reset(void);

/* One clock with this beat (or without one); what stands at the output after it. */
struct mx_out {
  bool valid, second;
  int8_t q[16];
  uint8_t code;
};
void mx_beat(bool valid, const uint16_t x[16], struct mx_out *out);

/* The sums of a block's products by every slice width and variant. */
void mx_dot(const int16_t *a0, const int16_t *a1, const int16_t *b, int32_t sum0[MX_DOTS],
            int32_t sum1[MX_DOTS]);

void mx_scale(int32_t part, uint8_t code_a, uint8_t code_b, uint32_t v[MX_SCALES]);

struct mx_sum {
  uint32_t word[MX_ADDS];
  bool overflow[MX_ADDS];
};
/* One clock with these operands; the sums of the operands given three clocks before. */
void mx_add(uint32_t x, uint32_t y, struct mx_sum *sum);

struct mx_half {
  uint16_t half[MX_HALVES];
  bool clamped[MX_HALVES], flushed[MX_HALVES];
};
/* One clock with this word; the result of the word given two clocks before. */
void mx_half(uint32_t x, struct mx_half *out);

#ifdef __cplusplus
}
#endif

#endif
