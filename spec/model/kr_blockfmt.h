/* SPDX-License-Identifier: Apache-2.0
 *
 * Block formats to compare MXFP7 with: 32 elements along K share a scale. What a format does to a
 * value, in binary64; no machine here computes in them. E8M0 scales are powers of two. The element
 * formats and the rule for their scale, 2^(floor(log2 peak) - emax), are those of the OCP
 * Microscaling Formats specification 1.0; int7 with an E8M0 scale has none there and takes the
 * smallest power of two with 63 * scale >= peak.
 */
#ifndef KR_BLOCKFMT_H
#define KR_BLOCKFMT_H

#include <stddef.h>

unsigned kr_blockfmt_count(void);
const char *kr_blockfmt_name(unsigned format);

/* Bits an element, the scale's share included, as text. */
const char *kr_blockfmt_bits(unsigned format);

/* to[i] = from[i] rounded to the format, lanes x k, blocks along k; finite values. */
void kr_blockfmt_round(unsigned format, size_t lanes, size_t k, const double *from, double *to);

#endif
