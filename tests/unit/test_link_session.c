/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's side of the link against a board in C over a bad wire: every single fault is repaired,
 * nothing is executed twice, replies of other sessions are never taken, and a wire that stays bad is
 * given up within the bound.
 */
#include "host/kd_link.h"
#include "support/fake_link.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NS_PER_BYTE = 3334 };

struct bench {
  struct fake_link *board;
  struct kd_link link;
  struct kt_msg msg;
};

static void start(struct bench *b, uint32_t window, uint32_t payload)
{
  const char *seed = getenv("SEED");
  b->msg.text[0] = '\0';
  b->board = malloc(sizeof *b->board);
  fake_link_init(b->board, window, payload);
  kd_link_init(&b->link, fake_link_pipe(b->board), &fake_clock, NS_PER_BYTE,
               seed != NULL ? strtoull(seed, NULL, 10) : 1);
}

static void begin(struct bench *b, uint32_t window, uint32_t payload)
{
  start(b, window, payload);
  const enum kt_status st = kd_link_start(&b->link, &b->msg);
  cr_assert(eq(int, st, KT_OK), "%s", b->msg.text);
}

static void end(struct bench *b)
{
  free(b->board);
}

static void fill(uint8_t *bytes, size_t n, uint32_t seed)
{
  for (size_t i = 0; i < n; i++) {
    seed = seed * 1664525 + 1013904223;
    bytes[i] = seed >> 28 == 0 ? 0 : (uint8_t)(seed >> 16);
  }
}

/* ---- a good wire ------------------------------------------------------------------------------ */

Test(link_session, starting_sends_a_break_and_reads_the_limits, .timeout = 5)
{
  struct bench b;
  begin(&b, 2, 256);
  cr_assert(b.board->breaks_seen);
  cr_assert(eq(u64, b.board->resets, 1));
  cr_assert(eq(u32, b.link.window, 2));
  cr_assert(eq(u32, b.link.payload, 256));
  end(&b);
}

Test(link_session, memory_of_every_size_comes_back_and_its_neighbours_stay, .timeout = 30)
{
  static const size_t sizes[] = {1,   62,  63,  64,   65,   255,   256,   257,  510,
                                 511, 512, 513, 4096, 4097, 65535, 65536, 65537};
  static const uint32_t shapes[][2] = {{1, 4}, {2, 256}, {8, 512}, {3, 100}};
  uint8_t *data = malloc(FAKE_MEMORY), *back = malloc(FAKE_MEMORY);
  for (size_t s = 0; s < 4; s++) {
    struct bench b;
    begin(&b, shapes[s][0], shapes[s][1]);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      const uint32_t at = 1000 + 7 * (uint32_t)i;
      fill(data, sizes[i], (uint32_t)i);
      memset(b.board->memory, 0x5a, FAKE_MEMORY);
      cr_assert(eq(int, kd_link_mem_write(&b.link, at, data, sizes[i], &b.msg), KT_OK));
      cr_assert(memcmp(b.board->memory + at, data, sizes[i]) == 0, "size %zu", sizes[i]);
      cr_assert(eq(int, b.board->memory[at - 1], 0x5a));
      cr_assert(eq(int, b.board->memory[at + sizes[i]], 0x5a));
      cr_assert(eq(int, kd_link_mem_read(&b.link, at, back, sizes[i], &b.msg), KT_OK));
      cr_assert(memcmp(back, data, sizes[i]) == 0, "size %zu", sizes[i]);
    }
    cr_assert(le(uint, b.board->most_under_way, shapes[s][0]));
    cr_assert(eq(u64, b.link.counts.resent, 0));
    end(&b);
  }
  free(data);
  free(back);
}

Test(link_session, refusals_are_sentences, .timeout = 5)
{
  static const struct {
    uint8_t status;
    enum kt_status want;
    const char *says;
  } cases[] = {
      {KT_LINK_STATUS_BUS_TIMEOUT, KT_ETIMEDOUT, "bus timeout"},
      {KT_LINK_STATUS_BUS_ERROR, KT_EIO, "answered with an error"},
      {99, KT_EIO, "status 99"},
  };
  uint8_t byte = 1;
  struct bench b;
  begin(&b, 2, 256);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    b.board->refuse = cases[i].status;
    cr_assert(eq(int, kd_link_mem_write(&b.link, 0x40, &byte, 1, &b.msg), cases[i].want));
    cr_assert(strstr(b.msg.text, cases[i].says) != NULL, "%s", b.msg.text);
    cr_assert(strstr(b.msg.text, "0x40") != NULL, "%s", b.msg.text);
  }
  b.board->refuse = 0;
  cr_assert(eq(int, kd_link_mem_read(&b.link, FAKE_MEMORY, &byte, 1, &b.msg), KT_ERANGE));
  cr_assert(strstr(b.msg.text, "nothing at this address") != NULL, "%s", b.msg.text);
  cr_assert(eq(int, kd_link_mem_read(&b.link, 0x40, &byte, 1, &b.msg), KT_OK)); /* it lives on */
  end(&b);
}

Test(link_session, busy_memory_is_asked_for_again_after_done, .timeout = 10)
{
  uint8_t data[3000];
  struct bench b;
  fill(data, sizeof data, 3);
  begin(&b, 8, 512);
  b.board->busy_polls = 20;
  const uint64_t from = fake_clock.now_ns();
  cr_assert(eq(int, kd_link_mem_write(&b.link, 5, data, sizeof data, &b.msg), KT_OK));
  cr_assert(memcmp(b.board->memory + 5, data, sizeof data) == 0);
  cr_assert(gt(u64, b.link.counts.busy, 0));
  cr_assert(ge(u64, fake_clock.now_ns() - from, 19 * KD_NS_PER_MS)); /* not polled faster */
  b.board->busy_polls = UINT32_MAX;
  cr_assert(eq(int, kd_link_mem_write(&b.link, 5, data, 1, &b.msg), KT_EBUSY));
  cr_assert(strstr(b.msg.text, "still running") != NULL, "%s", b.msg.text);
  end(&b);
}

/* ---- single faults ---------------------------------------------------------------------------- */

enum { N = 300 };

/* Each type once: what it does, and whether it did that. */
static bool do_read(struct bench *b)
{
  uint32_t v = 0;
  return kd_link_read(&b->link, KT_LINK_REG_LINK_MAGIC, &v, &b->msg) == KT_OK && v == KT_LINK_MAGIC;
}

static bool do_write(struct bench *b)
{
  return kd_link_write(&b->link, 0x20, 1, &b->msg) == KT_OK && b->board->starts == 1;
}

static bool do_burst_read(struct bench *b)
{
  uint8_t back[N], want[N];
  fill(want, N, 77);
  memcpy(b->board->memory + 100, want, N);
  return kd_link_mem_read(&b->link, 100, back, N, &b->msg) == KT_OK && memcmp(back, want, N) == 0;
}

static bool do_burst_write(struct bench *b)
{
  uint8_t want[N];
  const uint64_t before = b->board->writes;
  fill(want, N, 78);
  return kd_link_mem_write(&b->link, 100, want, N, &b->msg) == KT_OK &&
         memcmp(b->board->memory + 100, want, N) == 0 && b->board->writes == before + 2;
}

static bool do_status(struct bench *b)
{
  struct kd_link_state s;
  return kd_link_state(&b->link, &s, &b->msg) == KT_OK && s.flags == 0;
}

static bool do_echo(struct bench *b)
{
  uint8_t back[N], want[N];
  fill(want, N, 79);
  return kd_link_echo(&b->link, want, back, N, &b->msg) == KT_OK && memcmp(back, want, N) == 0;
}

static bool do_start(struct bench *b)
{
  return kd_link_start(&b->link, &b->msg) == KT_OK && b->link.window == b->board->window;
}

static bool (*const actions[])(struct bench *) = {do_read,   do_write, do_burst_read, do_burst_write,
                                                  do_status, do_echo,  do_start};
enum { ACTIONS = sizeof actions / sizeof actions[0], KINDS = 3 };

static struct fake_lane *lane_of(struct bench *b, unsigned direction)
{
  return direction == 0 ? &b->board->to_device : &b->board->to_host;
}

static void one_fault(unsigned action, unsigned direction, uint64_t at, enum fake_fault kind,
                      uint8_t mask, unsigned *resent)
{
  struct bench b;
  begin(&b, 2, 256);
  struct fake_lane *lane = lane_of(&b, direction);
  lane->at = lane->position + at;
  lane->kind = kind;
  lane->mask = mask;
  cr_assert(actions[action](&b), "action %u direction %u byte %llu kind %d mask %02x: %s", action,
            direction, (unsigned long long)at, (int)kind, mask, b.msg.text);
  cr_assert(eq(u64, lane->done, 1));
  *resent += b.link.counts.resent != 0 || b.board->resets > 2;
  cr_assert(do_read(&b)); /* and the link is in step */
  end(&b);
}

Test(link_session, every_single_fault_at_every_byte_is_repaired, .timeout = 120)
{
  static const uint8_t masks[] = {0x01, 0x80, 0xff};
  unsigned resent[2][KINDS] = {{0}};
  for (unsigned action = 0; action < ACTIONS; action++) {
    for (unsigned direction = 0; direction < 2; direction++) {
      struct bench b;
      begin(&b, 2, 256);
      const uint64_t from = lane_of(&b, direction)->position;
      cr_assert(actions[action](&b));
      const uint64_t bytes = lane_of(&b, direction)->position - from;
      end(&b);
      for (uint64_t at = 0; at < bytes; at++) {
        one_fault(action, direction, at, FAKE_DROP, 0, &resent[direction][FAKE_DROP]);
        one_fault(action, direction, at, FAKE_DOUBLE, 0, &resent[direction][FAKE_DOUBLE]);
        for (size_t m = 0; m < sizeof masks; m++)
          one_fault(action, direction, at, FAKE_FLIP, masks[m], &resent[direction][FAKE_FLIP]);
      }
    }
  }
  for (unsigned d = 0; d < 2; d++)
    for (unsigned k = 0; k < KINDS; k++)
      cr_assert(gt(uint, resent[d][k], 0), "direction %u kind %u had no effect", d, k);
}

Test(link_session, a_wire_with_many_faults_loses_nothing, .timeout = 60)
{
  static const uint32_t shapes[][2] = {{2, 256}, {8, 512}};
  uint8_t *data = malloc(65536), *back = malloc(65536);
  for (size_t s = 0; s < 2; s++) {
    struct bench b;
    begin(&b, shapes[s][0], shapes[s][1]);
    b.board->to_device.ppm = b.board->to_host.ppm = 200;
    for (unsigned i = 0; i < 20; i++) {
      fill(data, 65536, i);
      cr_assert(eq(int, kd_link_mem_write(&b.link, i, data, 65536, &b.msg), KT_OK));
      cr_assert(memcmp(b.board->memory + i, data, 65536) == 0);
      cr_assert(eq(int, kd_link_write(&b.link, 0x20, 1, &b.msg), KT_OK));
      cr_assert(eq(int, kd_link_mem_read(&b.link, i, back, 65536, &b.msg), KT_OK));
      cr_assert(memcmp(back, data, 65536) == 0);
    }
    cr_assert(eq(u64, b.board->starts, 20));
    cr_assert(gt(u64, b.board->to_host.done, 20));
    cr_assert(gt(u64, b.link.counts.timeouts, 0));
    cr_assert(gt(u64, b.link.counts.gaps, 0));
    end(&b);
  }
  free(data);
  free(back);
}

/* The test above must be able to fail. */
Test(link_session, a_board_that_executes_duplicates_is_noticed, .timeout = 60)
{
  uint64_t starts = 0, wanted = 0;
  for (uint64_t at = 0; at < 22; at++) {
    struct bench b;
    begin(&b, 2, 256);
    b.board->ignores_duplicates = true;
    b.board->to_host.at = b.board->to_host.position + at;
    b.board->to_host.kind = FAKE_DROP;
    cr_assert(eq(int, kd_link_write(&b.link, 0x20, 1, &b.msg), KT_OK));
    starts += b.board->starts;
    wanted++;
    end(&b);
  }
  cr_assert(gt(u64, starts, wanted));
}

/* ---- sessions and stale replies --------------------------------------------------------------- */

static size_t encode_reply(const struct bench *b, uint16_t session, uint8_t sequence, uint32_t value,
                           uint8_t *wire)
{
  uint8_t payload[4];
  const struct kd_frame f = {.type = KT_LINK_TYPE_READ | KT_LINK_REPLY,
                             .session = session,
                             .sequence = sequence,
                             .address = KT_LINK_REG_LINK_MAGIC,
                             .length = 4,
                             .payload = payload,
                             .payload_bytes = 4};
  (void)b;
  kd_put32(payload, value);
  return kd_frame_encode(&f, wire);
}

Test(link_session, replies_of_other_sessions_and_numbers_are_counted_not_taken, .timeout = 5)
{
  uint8_t wire[KT_LINK_MAX_ENCODED];
  uint32_t v = 0;
  struct bench b;
  begin(&b, 2, 256);
  size_t n = encode_reply(&b, (uint16_t)(b.link.session + 1), b.link.sequence, 0xbad, wire);
  fake_link_inject(b.board, wire, n);
  n = encode_reply(&b, b.link.session, (uint8_t)(b.link.sequence + 1), 0xbad, wire);
  fake_link_inject(b.board, wire, n);
  n = encode_reply(&b, b.link.session, (uint8_t)(b.link.sequence - 1), 0xbad, wire);
  fake_link_inject(b.board, wire, n);
  cr_assert(eq(int, kd_link_read(&b.link, KT_LINK_REG_LINK_MAGIC, &v, &b.msg), KT_OK));
  cr_assert(eq(u32, v, KT_LINK_MAGIC));
  cr_assert(eq(u64, b.link.counts.foreign, 1));
  cr_assert(eq(u64, b.link.counts.stale, 2));
  end(&b);
}

/* The right session and number, but of another request. */
Test(link_session, a_reply_must_have_the_requests_type_address_and_length, .timeout = 5)
{
  uint8_t wire[KT_LINK_MAX_ENCODED];
  uint32_t v = 0;
  struct bench b;
  begin(&b, 2, 256);
  const size_t n = encode_reply(&b, b.link.session, b.link.sequence, 0xbad, wire);
  fake_link_inject(b.board, wire, n);
  cr_assert(eq(int, kd_link_read(&b.link, KT_LINK_REG_LINK_VERSION, &v, &b.msg), KT_OK));
  cr_assert(eq(u32, v, KT_LINK_VERSION));
  cr_assert(eq(u64, b.link.counts.stale, 1));
  end(&b);
}

/* The first host dies after any byte of a write; what it left on the wire means nothing to the next. */
Test(link_session, a_host_that_dies_at_any_byte_leaves_a_usable_board, .timeout = 30)
{
  uint8_t data[N], back[N];
  fill(data, N, 9);
  for (uint64_t cut = 0; cut < 330; cut++) {
    struct bench b;
    struct kd_link second;
    begin(&b, 2, 256);
    b.board->to_device.cut_after = b.board->to_device.position + cut;
    cr_assert(eq(int, kd_link_mem_write(&b.link, 0, data, N, &b.msg), KT_EPEER), "cut %d",
              (int)cut);
    b.board->to_device.cut_after = UINT64_MAX;
    kd_link_init(&second, fake_link_pipe(b.board), &fake_clock, NS_PER_BYTE, 1000 + cut);
    cr_assert(eq(int, kd_link_start(&second, &b.msg), KT_OK), "cut %d: %s", (int)cut, b.msg.text);
    cr_assert(eq(int, kd_link_mem_write(&second, 50, data, N, &b.msg), KT_OK));
    cr_assert(eq(int, kd_link_mem_read(&second, 50, back, N, &b.msg), KT_OK));
    cr_assert(memcmp(back, data, N) == 0);
    cr_assert(eq(u64, second.counts.stale, 0));
    end(&b);
  }
}

Test(link_session, sessions_differ_from_attempt_to_attempt, .timeout = 5)
{
  struct bench b;
  begin(&b, 2, 256);
  for (unsigned i = 0; i < 500; i++) {
    const uint16_t before = b.link.session;
    cr_assert(eq(int, kd_link_start(&b.link, &b.msg), KT_OK));
    cr_assert(ne(int, b.link.session, before));
    cr_assert(ne(int, b.link.session, 0));
  }
  end(&b);
}

/* ---- a dead wire ------------------------------------------------------------------------------ */

Test(link_session, a_dead_wire_is_given_up_within_the_bound, .timeout = 10)
{
  for (unsigned direction = 0; direction < 2; direction++) {
    uint32_t v;
    struct bench b;
    begin(&b, 8, 512);
    cr_assert(le(u64, kd_link_bound_ns(&b.link), KD_NS_PER_S));
    lane_of(&b, direction)->cut_after = 0;
    const uint64_t from = fake_clock.now_ns();
    cr_assert(eq(int, kd_link_read(&b.link, 0, &v, &b.msg), KT_EPEER));
    cr_assert(le(u64, fake_clock.now_ns() - from, kd_link_bound_ns(&b.link)));
    cr_assert(strstr(b.msg.text, "link is dead") != NULL, "%s", b.msg.text);
    cr_assert(eq(int, kd_link_read(&b.link, 0, &v, &b.msg), KT_EPEER)); /* it stays so */
    end(&b);
  }
}

Test(link_session, nobody_there_is_found_within_the_bound, .timeout = 10)
{
  struct bench b;
  start(&b, 2, 256);
  b.board->to_host.cut_after = 0;
  const uint64_t from = fake_clock.now_ns();
  cr_assert(eq(int, kd_link_start(&b.link, &b.msg), KT_EPEER));
  cr_assert(le(u64, fake_clock.now_ns() - from, kd_link_bound_ns(&b.link)));
  cr_assert(strstr(b.msg.text, "bitstream") != NULL, "%s", b.msg.text);
  end(&b);
}

/* A line that never stops talking is no answer either. */
Test(link_session, a_babbling_wire_is_given_up_too, .timeout = 20)
{
  struct bench b;
  uint32_t v;
  begin(&b, 2, 256);
  b.board->to_device.cut_after = 0;
  uint8_t rubbish[4096];
  fill(rubbish, sizeof rubbish, 5);
  for (unsigned i = 0; i < 15; i++)
    fake_link_inject(b.board, rubbish, sizeof rubbish);
  cr_assert(eq(int, kd_link_read(&b.link, 0, &v, &b.msg), KT_EPEER));
  end(&b);
}

Test(link_session, a_build_with_impossible_limits_is_refused, .timeout = 5)
{
  struct bench b;
  start(&b, 2, 256);
  b.board->regs[KT_LINK_REG_LIMITS / 4] = 9 | 256 << KT_LINK_LIMITS_PAYLOAD_LSB;
  cr_assert(eq(int, kd_link_start(&b.link, &b.msg), KT_EMISMATCH));
  cr_assert(strstr(b.msg.text, "window 9") != NULL, "%s", b.msg.text);
  end(&b);
}
