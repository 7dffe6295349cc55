/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's parser under spoilt bytes, against a parser written here from docs/link.md, over frames
 * that neither side's code made (tests/link); and the host's session with a device that lies: frames
 * with a right check sum and any contents. Sanitizers see what either reaches.
 */
#include "compiler/fuzz/kc_rng.h"
#include "host/kd_link.h"
#include "support/fake_link.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORPUS = 8192, STREAM = 4096, OP_SEND = 0 };

static struct kc_rng rng;

static uint32_t below(uint32_t n)
{
  return kc_rng_range(&rng, 0, n - 1);
}

static void seed(void)
{
  const char *text = getenv("SEED");
  rng = kc_rng_seed(text != NULL ? strtoull(text, NULL, 10) : 1);
  fprintf(stderr, "seed %s\n", text != NULL ? text : "1");
}

static unsigned rounds(unsigned n)
{
  return getenv("KTPU_FULL") != NULL ? 10 * n : n;
}

/* ---- the parser of this file: COBS byte by byte, the check sum bit by bit ---------------------- */

struct plain {
  uint8_t bytes[STREAM];
  size_t n;
  bool cut;
};

static void uncobs(const uint8_t *wire, size_t n, struct plain *p)
{
  unsigned left = 0, code = 0xff;
  p->n = 0;
  for (size_t i = 0; i < n; i++) {
    if (left != 0) {
      p->bytes[p->n++] = wire[i];
      left--;
    } else {
      if (i != 0 && code != 0xff) p->bytes[p->n++] = 0;
      code = wire[i];
      left = code - 1;
    }
  }
  p->cut = left != 0;
}

static bool sum_is_right(const struct plain *p)
{
  uint32_t sum = 0xffffffff;
  for (size_t i = 0; i < p->n; i++) {
    sum ^= p->bytes[i];
    for (unsigned k = 0; k < 8; k++)
      sum = sum >> 1 ^ (0xEDB88320 & -(sum & 1));
  }
  return sum == 0xDEBB20E3;
}

/* Bytes of payload that docs/link.md gives to a frame of this type, status and length. */
static size_t due(const uint8_t *f)
{
  const size_t length = f[9] | (size_t)f[10] << 8;
  switch (f[0]) {
  case 0x02: case 0x04: case 0x06: return length;
  case 0x81: case 0x83: case 0x85: case 0x86: return f[4] == 0 ? length : 0;
  default: return 0;
  }
}

static enum kd_frame_fault judge(const uint8_t *wire, size_t n, struct plain *p)
{
  if (n == 0) return KD_FRAME_EMPTY;
  if (n > KT_LINK_MAX_ENCODED) return KD_FRAME_LONG;
  uncobs(wire, n, p);
  if (p->cut || p->n < 15) return KD_FRAME_SHORT;
  if (p->n > 527) return KD_FRAME_LONG;
  return sum_is_right(p) && p->n == 15 + due(p->bytes) ? KD_FRAME_GOOD : KD_FRAME_CRC;
}

/* ---- the corpus ------------------------------------------------------------------------------- */

struct sample {
  uint8_t *bytes;
  size_t n;
};

static struct sample corpus[CORPUS];
static size_t n_corpus;

/* What the vectors send is on the wire already; what they expect is plain, and encoded here. */
static void add(const uint8_t *bytes, size_t n, bool plain)
{
  uint8_t wire[KT_LINK_MAX_ENCODED];
  struct kd_frame f = {.payload = bytes + 11, .payload_bytes = n - 15};
  if (n_corpus == CORPUS || n == 0 || (plain && n > KT_LINK_MAX_FRAME)) return;
  if (plain) {
    f.type = bytes[0];
    f.session = kd_get16(bytes + 1);
    f.sequence = bytes[3];
    f.status = bytes[4];
    f.address = kd_get32(bytes + 5);
    f.length = kd_get16(bytes + 9);
    n = kd_frame_encode(&f, wire);
    bytes = wire;
  }
  corpus[n_corpus] = (struct sample){malloc(n), n};
  memcpy(corpus[n_corpus++].bytes, bytes, n);
}

static void load(const char *path)
{
  enum { OP_REPLY = 1, MOST = 65536 };
  uint8_t *bytes = malloc(MOST);
  FILE *f = fopen(path, "r");
  unsigned op, n, value;
  cr_assert(f != NULL, "%s", path);
  while (fscanf(f, "%u %u", &op, &n) == 2) {
    for (unsigned i = 0; i < n; i++)
      cr_assert(i < MOST && fscanf(f, "%x", &value) == 1 && (bytes[i] = (uint8_t)value, true));
    if ((op == OP_SEND && n <= STREAM / 2) || op == OP_REPLY) add(bytes, n, op == OP_REPLY);
  }
  fclose(f);
  free(bytes);
}

static void load_all(void)
{
  load("tests/link/vectors_small.txt");
  load("tests/link/vectors_large.txt");
  cr_assert(gt(sz, n_corpus, 3000));
}

static void unload(void)
{
  for (size_t i = 0; i < n_corpus; i++)
    free(corpus[i].bytes);
  n_corpus = 0;
}

/* ---- parsing ---------------------------------------------------------------------------------- */

static void compare(const struct plain *p, const struct kd_frame *f)
{
  const uint8_t *b = p->bytes;
  cr_assert(eq(int, f->type, b[0]));
  cr_assert(eq(int, f->session, b[1] | b[2] << 8));
  cr_assert(eq(int, f->sequence, b[3]));
  cr_assert(eq(int, f->status, b[4]));
  cr_assert(eq(u32, f->address, b[5] | b[6] << 8 | b[7] << 16 | (uint32_t)b[8] << 24));
  cr_assert(eq(int, f->length, b[9] | b[10] << 8));
  cr_assert(eq(sz, f->payload_bytes, p->n - 15));
  cr_assert(eq(int, memcmp(f->payload, b + 11, f->payload_bytes), 0));
}

struct parsing {
  struct kd_receiver receiver;
  uint8_t since[STREAM]; /* the last delimiter */
  size_t n;
  unsigned ends[KD_FRAME_FAULTS];
};

/* One byte for both parsers; at a frame's end they must say the same. */
static void both(struct parsing *x, uint8_t byte)
{
  struct kd_frame f = {0};
  struct plain p;
  enum kd_frame_fault fault = KD_FRAME_EMPTY;
  const bool ended = kd_receiver_take(&x->receiver, byte, &f, &fault);
  cr_assert(eq(int, ended, byte == 0));
  if (!ended) {
    if (x->n < STREAM) x->since[x->n++] = byte;
    return;
  }
  const enum kd_frame_fault want = judge(x->since, x->n, &p);
  cr_assert(eq(int, fault, want), "a frame of %zu bytes", x->n);
  if (want == KD_FRAME_GOOD) compare(&p, &f);
  x->ends[fault]++;
  x->n = 0;
}

Test(link_fuzz, every_vector_is_read_as_this_file_reads_it, .timeout = 60)
{
  struct parsing x = {.n = 0};
  load_all();
  for (size_t i = 0; i < n_corpus; i++)
    for (size_t k = 0; k < corpus[i].n; k++)
      both(&x, corpus[i].bytes[k]);
  cr_assert(gt(uint, x.ends[KD_FRAME_GOOD], 3000));
  cr_assert(gt(uint, x.ends[KD_FRAME_CRC], 20));
  cr_assert(gt(uint, x.ends[KD_FRAME_SHORT], 20));
  unload();
}

/* Spoils s[0..n) of at most STREAM bytes; returns the new length. */
static size_t spoil(uint8_t *s, size_t n)
{
  const size_t at = below((uint32_t)n);
  switch (below(8)) {
  case 0: s[at] ^= (uint8_t)(1 << below(8)); return n;
  case 1: s[at] = (uint8_t)below(256); return n;
  case 2: s[at] = below(2) ? 0 : 0xff; return n;
  case 3: memmove(s + at, s + at + 1, n - at - 1); return n - 1 != 0 ? n - 1 : 1;
  case 4: return at + 1; /* the end is lost */
  case 5:                /* a byte twice, or a stranger */
    if (n == STREAM) return n;
    memmove(s + at + 1, s + at, n - at);
    if (below(2)) s[at] = (uint8_t)below(256);
    return n + 1;
  case 6: { /* another frame's end */
    const struct sample *o = &corpus[below((uint32_t)n_corpus)];
    const size_t from = below((uint32_t)o->n);
    const size_t room = STREAM - at, m = o->n - from < room ? o->n - from : room;
    memcpy(s + at, o->bytes + from, m);
    return at + m != 0 ? at + m : 1;
  }
  default: { /* a run of one byte */
    const size_t m = below((uint32_t)(STREAM - at)) % 700;
    memset(s + at, (int)(1 + below(255)), m);
    return at + m > n ? at + m : n;
  }
  }
}

Test(link_fuzz, spoilt_frames_are_read_as_this_file_reads_them, .timeout = 280)
{
  static struct parsing x;
  uint8_t s[STREAM];
  seed();
  load_all();
  for (unsigned i = 0; i < rounds(1000000); i++) {
    const struct sample *from = &corpus[below((uint32_t)n_corpus)];
    size_t n = from->n;
    memcpy(s, from->bytes, n);
    for (uint32_t k = below(4); k != 0; k--)
      n = spoil(s, n);
    for (size_t k = 0; k < n; k++)
      both(&x, s[k]);
  }
  for (unsigned k = 0; k < KD_FRAME_FAULTS; k++)
    cr_assert(gt(uint, x.ends[k], rounds(5000)), "outcome %u", k);
  unload();
}

/* ---- a device that lies ----------------------------------------------------------------------- */

/* Answers each request with frames of right check sum: the right reply, or one with some fields
 * changed, now and then after a pause in which the host asks again. */
struct liar {
  struct kd_receiver receiver;
  uint8_t queue[1 << 16];
  size_t head, tail;
  bool honest;
};

static void say(struct liar *l, struct kd_frame r)
{
  uint8_t wire[KT_LINK_MAX_ENCODED], payload[KT_LINK_MAX_PAYLOAD];
  for (uint32_t k = l->honest ? 0 : below(3); k != 0; k--) {
    switch (below(6)) {
    case 0: r.type = (uint8_t)(below(8) | (below(4) ? KT_LINK_REPLY : 0)); break;
    case 1: r.session = (uint16_t)below(65536); break;
    case 2: r.sequence = (uint8_t)(r.sequence + below(20) - 10); break;
    case 3: r.status = (uint8_t)(below(3) ? below(8) : below(256)); break;
    case 4: r.address = (uint32_t)kc_rng_next(&rng); break;
    default: r.length = (uint16_t)below(KT_LINK_MAX_PAYLOAD + 1); break;
    }
  }
  r.payload = payload;
  r.payload_bytes = kd_frame_payload_due(&r);
  memset(payload, 0xa5, sizeof payload);
  if (r.address == KT_LINK_REG_LIMITS) kd_put32(payload, 8 | 512 << KT_LINK_LIMITS_PAYLOAD_LSB);
  const size_t n = kd_frame_encode(&r, wire);
  for (size_t i = 0; i < n && l->tail - l->head < sizeof l->queue; i++)
    l->queue[l->tail++ % sizeof l->queue] = wire[i];
}

static enum kt_status liar_write(void *ctx, const uint8_t *bytes, size_t n, uint64_t deadline_ns,
                                 struct kt_msg *m)
{
  struct liar *l = ctx;
  (void)deadline_ns;
  (void)m;
  for (size_t i = 0; i < n; i++) {
    struct kd_frame q;
    enum kd_frame_fault fault;
    if (!kd_receiver_take(&l->receiver, bytes[i], &q, &fault) || fault != KD_FRAME_GOOD) continue;
    q.type |= KT_LINK_REPLY;
    q.status = 0;
    for (uint32_t k = l->honest ? 1 : below(4); k != 0; k--)
      say(l, q);
  }
  return KT_OK;
}

static enum kt_status liar_read(void *ctx, uint8_t *bytes, size_t room, size_t *got,
                                uint64_t deadline_ns, struct kt_msg *m)
{
  struct liar *l = ctx;
  (void)m;
  for (*got = 0; *got < room && l->head != l->tail; (*got)++)
    bytes[*got] = l->queue[l->head++ % sizeof l->queue];
  fake_clock.sleep_ns(10 * KD_NS_PER_US);
  if (*got != 0) return KT_OK;
  const uint64_t now = fake_clock.now_ns();
  if (now < deadline_ns) fake_clock.sleep_ns(deadline_ns - now);
  return KT_ETIMEDOUT;
}

static enum kt_status liar_flush(void *ctx, struct kt_msg *m)
{
  (void)m;
  ((struct liar *)ctx)->head = ((struct liar *)ctx)->tail;
  return KT_OK;
}

static const struct kd_pipe_ops liar_ops = {.write = liar_write, .read = liar_read,
                                            .flush = liar_flush};

/* What is accepted was asked for; no byte outside the caller's buffer is touched; the end comes. */
Test(link_fuzz, a_device_that_lies_does_no_harm, .timeout = 280)
{
  static struct liar liar;
  uint8_t room[2000 + 2 * 64];
  struct kt_msg m;
  unsigned good = 0, dead = 0, other = 0;
  seed();
  for (unsigned i = 0; i < rounds(20000); i++) {
    struct kd_link l;
    const size_t n = 1 + below(2000);
    liar.honest = true;
    liar.head = liar.tail;
    kd_link_init(&l, (struct kd_pipe){&liar_ops, &liar}, &fake_clock, 30, i);
    cr_assert(eq(int, kd_link_start(&l, &m), KT_OK), "%s", m.text);
    liar.honest = false;
    memset(room, 0x3c, sizeof room);
    const uint64_t from = fake_clock.now_ns();
    const enum kt_status st = kd_link_mem_read(&l, below(1000), room + 64, n, &m);
    /* each request may be retried to the bound, and be "busy" until the core's bound */
    const uint64_t most = (n / 512 + 2) * kd_link_bound_ns(&l) + 2 * KD_LINK_BUSY_NS;
    cr_assert(le(u64, fake_clock.now_ns() - from, most));
    for (size_t k = 0; k < 64; k++)
      cr_assert(room[k] == 0x3c && room[64 + n + k] == 0x3c, "outside the buffer");
    for (size_t k = 0; st == KT_OK && k < n; k++)
      cr_assert(eq(int, room[64 + k], 0xa5), "%zu of %zu", k, n);
    good += st == KT_OK;
    dead += st == KT_EPEER;
    other += st != KT_OK && st != KT_EPEER;
  }
  cr_assert(gt(uint, good, 100));
  cr_assert(gt(uint, other, 100));
  fprintf(stderr, "%u done, %u given up, %u refused\n", good, dead, other);
}
