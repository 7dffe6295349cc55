/* SPDX-License-Identifier: Apache-2.0
 *
 * Frames of the link: COBS, check sum, and what the parser does with rubbish. Hand-worked bytes come
 * first; the rest is random.
 */
#include "host/kd_cobs.h"
#include "host/kd_frame.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static uint64_t state;

static uint32_t next(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16);
}

static void seed(void)
{
  const char *text = getenv("SEED");
  state = (text != NULL ? strtoull(text, NULL, 10) : 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
  fprintf(stderr, "seed %s\n", text != NULL ? text : "1");
}

static unsigned rounds(unsigned n)
{
  return getenv("KTPU_FULL") != NULL ? 20 * n : n;
}

/* ---- COBS ------------------------------------------------------------------------------------- */

Test(link_cobs, encodes_the_worked_examples, .timeout = 5)
{
  static const struct {
    uint8_t plain[5];
    size_t n;
    uint8_t coded[6];
    size_t m;
  } cases[] = {
      {{0}, 0, {1}, 1},
      {{0}, 1, {1, 1}, 2},
      {{0, 0}, 2, {1, 1, 1}, 3},
      {{0x11, 0x22, 0, 0x33}, 4, {3, 0x11, 0x22, 2, 0x33}, 5},
      {{0x11, 0, 0, 0}, 4, {2, 0x11, 1, 1, 1}, 5},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t got[KD_COBS_ROOM(5)];
    const size_t n = kd_cobs_encode(cases[i].plain, cases[i].n, got);
    cr_assert(eq(sz, n, cases[i].m), "case %zu", i);
    cr_assert(memcmp(got, cases[i].coded, n) == 0, "case %zu", i);
  }
}

Test(link_cobs, pieces_of_254_bytes_end_without_a_zero, .timeout = 5)
{
  uint8_t plain[600], coded[KD_COBS_ROOM(600)];
  for (size_t i = 0; i < sizeof plain; i++)
    plain[i] = (uint8_t)(i % 255 + 1);
  cr_assert(eq(sz, kd_cobs_encode(plain, 254, coded), 255));
  cr_assert(eq(int, coded[0], 0xff));
  cr_assert(eq(sz, kd_cobs_encode(plain, 255, coded), 257));
  cr_assert(eq(int, coded[255], 2));
  uint8_t closed[256]; /* the other spelling of the same frame: an empty last piece */
  size_t n;
  kd_cobs_encode(plain, 254, closed);
  closed[255] = 1;
  cr_assert(kd_cobs_decode(closed, 256, &n));
  cr_assert(eq(sz, n, 254));
}

Test(link_cobs, every_length_comes_back, .timeout = 20)
{
  seed();
  for (size_t n = 0; n <= 600; n++) {
    for (unsigned zeros = 0; zeros < 4; zeros++) { /* none, few, half, all */
      uint8_t plain[600], coded[KD_COBS_ROOM(600)];
      size_t back;
      for (size_t i = 0; i < n; i++) {
        const uint32_t r = next();
        const bool zero = zeros == 3 || (zeros == 2 && r % 2 == 0) || (zeros == 1 && r % 97 == 0);
        plain[i] = zero ? 0 : (uint8_t)(r >> 8 | 1);
      }
      const size_t m = kd_cobs_encode(plain, n, coded);
      cr_assert(m <= KD_COBS_ROOM(n) && memchr(coded, 0, m) == NULL, "n %zu", n);
      cr_assert(kd_cobs_decode(coded, m, &back), "n %zu", n);
      cr_assert(eq(sz, back, n));
      cr_assert(memcmp(coded, plain, n) == 0, "n %zu", n);
    }
  }
}

Test(link_cobs, a_piece_that_is_cut_is_refused, .timeout = 5)
{
  uint8_t cut[] = {5, 1, 2, 3}, zero[] = {3, 1, 0};
  size_t n;
  cr_assert(not(kd_cobs_decode(cut, sizeof cut, &n)));
  cr_assert(not(kd_cobs_decode(zero, sizeof zero, &n)));
}

/* ---- frames ----------------------------------------------------------------------------------- */

/* A read of register 0x1010 in session 0x1234, number 5, by hand from docs/link.md. */
Test(link_frame, a_read_is_these_bytes, .timeout = 5)
{
  const uint8_t plain[] = {1, 0x34, 0x12, 5, 0, 0x10, 0x10, 0, 0, 4, 0};
  uint8_t wire[KT_LINK_MAX_ENCODED], back[KT_LINK_MAX_ENCODED];
  const struct kd_frame f = {.type = KT_LINK_TYPE_READ, .session = 0x1234, .sequence = 5,
                             .address = 0x1010, .length = 4};
  const size_t n = kd_frame_encode(&f, wire);
  size_t m;
  cr_assert(eq(sz, n, 11 + 4 + 1 + 1));
  cr_assert(eq(int, wire[n - 1], 0));
  memcpy(back, wire, n);
  cr_assert(kd_cobs_decode(back, n - 1, &m));
  cr_assert(eq(sz, m, 15));
  cr_assert(memcmp(back, plain, sizeof plain) == 0);
  cr_assert(eq(u32, kd_get32(back + 11), (uint32_t)crc32(0, plain, sizeof plain)));
}

Test(link_frame, the_check_sum_is_the_published_one, .timeout = 5)
{
  cr_assert(eq(u32, (uint32_t)crc32(0, (const uint8_t *)"123456789", 9), 0xCBF43926u));
}

static struct kd_frame random_frame(uint8_t payload[KT_LINK_MAX_PAYLOAD])
{
  struct kd_frame f = {.type = (uint8_t)(1 + next() % 7), .session = (uint16_t)next(),
                       .sequence = (uint8_t)next(), .address = next(),
                       .length = (uint16_t)(next() % (KT_LINK_MAX_PAYLOAD + 1)),
                       .payload = payload};
  if (next() % 2 == 0) f.type |= KT_LINK_REPLY;
  if ((f.type & KT_LINK_REPLY) && next() % 4 == 0) f.status = (uint8_t)(1 + next() % 6);
  f.payload_bytes = kd_frame_payload_due(&f);
  for (size_t i = 0; i < f.payload_bytes; i++)
    payload[i] = next() % 3 == 0 ? 0 : (uint8_t)next();
  return f;
}

static bool same(const struct kd_frame *a, const struct kd_frame *b)
{
  return a->type == b->type && a->session == b->session && a->sequence == b->sequence &&
         a->status == b->status && a->address == b->address && a->length == b->length &&
         a->payload_bytes == b->payload_bytes &&
         memcmp(a->payload, b->payload, a->payload_bytes) == 0;
}

Test(link_frame, frames_survive_the_wire_behind_any_rubbish, .timeout = 30)
{
  seed();
  struct kd_receiver r = {0};
  struct kd_frame got = {0};
  enum kd_frame_fault fault = KD_FRAME_EMPTY;
  for (unsigned i = 0; i < rounds(3000); i++) {
    uint8_t payload[KT_LINK_MAX_PAYLOAD], wire[KT_LINK_MAX_ENCODED];
    const struct kd_frame f = random_frame(payload);
    for (unsigned n = next() % 700; n != 0; n--)
      kd_receiver_take(&r, (uint8_t)next(), &got, &fault);
    kd_receiver_take(&r, 0, &got, &fault);
    const size_t n = kd_frame_encode(&f, wire);
    for (size_t k = 0; k + 1 < n; k++)
      cr_assert(not(kd_receiver_take(&r, wire[k], &got, &fault)));
    cr_assert(kd_receiver_take(&r, wire[n - 1], &got, &fault));
    cr_assert(eq(int, fault, KD_FRAME_GOOD), "round %u type %u length %u", i, f.type, f.length);
    cr_assert(same(&f, &got), "round %u", i);
  }
}

Test(link_frame, a_changed_byte_is_never_accepted, .timeout = 30)
{
  seed();
  unsigned reasons[KD_FRAME_FAULTS] = {0};
  for (unsigned i = 0; i < rounds(20000); i++) {
    uint8_t payload[KT_LINK_MAX_PAYLOAD], wire[KT_LINK_MAX_ENCODED];
    struct kd_frame got;
    const struct kd_frame f = random_frame(payload);
    const size_t n = kd_frame_encode(&f, wire) - 1, at = next() % n;
    const uint8_t was = wire[at];
    wire[at] ^= (uint8_t)(1 << next() % 8);
    const enum kd_frame_fault fault = kd_frame_decode(wire, n, &got);
    cr_assert(fault != KD_FRAME_GOOD, "byte %zu of %zu: %02x", at, n, was);
    reasons[fault]++;
  }
  cr_assert(gt(uint, reasons[KD_FRAME_CRC], 0));
  cr_assert(gt(uint, reasons[KD_FRAME_SHORT], 0));
}

/* A good check sum does not excuse a size that type and length do not have. */
Test(link_frame, a_payload_of_another_size_than_due_is_refused, .timeout = 5)
{
  const uint8_t payload[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint8_t wire[KT_LINK_MAX_ENCODED];
  struct kd_frame got;
  const struct kd_frame frames[] = {
      {.type = KT_LINK_TYPE_WRITE, .length = 4, .payload = payload, .payload_bytes = 8},
      {.type = KT_LINK_TYPE_READ, .length = 4, .payload = payload, .payload_bytes = 4},
      {.type = KT_LINK_TYPE_READ | KT_LINK_REPLY, .length = 4, .payload = payload},
      {.type = KT_LINK_TYPE_BURST_READ | KT_LINK_REPLY, .status = KT_LINK_STATUS_BUSY, .length = 8,
       .payload = payload, .payload_bytes = 8},
  };
  for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
    const size_t n = kd_frame_encode(&frames[i], wire) - 1;
    cr_assert(eq(int, kd_frame_decode(wire, n, &got), KD_FRAME_CRC), "frame %zu", i);
  }
}

/* Sanitizers see what this reaches. */
Test(link_frame, the_parser_survives_random_bytes, .timeout = 60)
{
  seed();
  struct kd_receiver r = {0};
  unsigned ends[KD_FRAME_FAULTS] = {0};
  for (unsigned i = 0; i < rounds(300000); i++) {
    struct kd_frame f;
    enum kd_frame_fault fault;
    const uint32_t v = next();
    const uint8_t byte = v % 64 == 0 ? 0 : (uint8_t)(v % 3 == 0 ? 1 + (v >> 8) % 4 : v >> 8);
    if (!kd_receiver_take(&r, byte, &f, &fault)) continue;
    ends[fault]++;
    cr_assert(fault != KD_FRAME_GOOD || f.payload_bytes <= KT_LINK_MAX_PAYLOAD);
  }
  const unsigned long_before = ends[KD_FRAME_LONG];
  for (unsigned n = 0; n < 2000; n++) { /* one that is far too long, and what follows it */
    struct kd_frame f;
    enum kd_frame_fault fault;
    if (kd_receiver_take(&r, n == 1999 ? 0 : 7, &f, &fault)) ends[fault]++;
  }
  cr_assert(gt(uint, ends[KD_FRAME_SHORT], 0));
  cr_assert(gt(uint, ends[KD_FRAME_CRC], 0));
  cr_assert(gt(uint, ends[KD_FRAME_EMPTY], 0));
  cr_assert(eq(uint, ends[KD_FRAME_LONG], long_before + 1));
}
