// SPDX-License-Identifier: Apache-2.0
#include "board/link_campaign.h"

#include "spec/generated/kt_tinytpu.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BURST_MOST = 96, LANE_OUT = 0, LANE_IN = 1, DELAY_MOST_US = 60000 };

static const char *const kind_names[] = {"drop", "dup", "flip", "delay"};
static const char *const type_names[] = {"",       "read", "write",     "burst read", "burst write",
                                         "status", "echo", "reset-link"};

/* A request and what it must give. */
struct attempt {
  uint8_t type;
  struct kd_request request;
  uint8_t data[KT_LINK_MAX_PAYLOAD], reply[KT_LINK_MAX_PAYLOAD], want[KT_LINK_MAX_PAYLOAD];
};

static uint64_t draw(struct campaign *c, uint64_t below)
{
  c->random ^= c->random << 13;
  c->random ^= c->random >> 7;
  c->random ^= c->random << 17;
  return (c->random >> 11) % below;
}

static bool fail(struct campaign *c, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (c->why[0] == '\0') vsnprintf(c->why, sizeof c->why, format, args);
  va_end(args);
  return false;
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static void fill(struct campaign *c, uint8_t *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++) bytes[i] = draw(c, 6) == 0 ? 0 : (uint8_t)draw(c, 256);
}

static void make_register(struct campaign *c, struct attempt *a)
{
  unsigned n = (unsigned)draw(c, 4);
  a->request.address = KT_LINK_REG_SCRATCH + 4 * n;
  a->request.length = 4;
  kd_put32(a->want, c->scratch[n]);
  if (a->type == KT_LINK_TYPE_READ) return;
  if (draw(c, 2) == 0) { /* a start: done twice or never, the count shows it */
    a->request.address = KT_REG_CONTROL;
    kd_put32(a->data, 1u << KT_CONTROL_START_LSB);
    c->starts++;
    return;
  }
  fill(c, a->data, 4);
  c->scratch[n] = kd_get32(a->data);
}

static void make_burst(struct campaign *c, struct attempt *a)
{
  uint32_t most = c->link->payload < BURST_MOST ? c->link->payload : BURST_MOST;
  if (draw(c, 16) == 0) most = c->link->payload; /* long ones are slow to simulate */
  a->request.length = (uint16_t)(1 + draw(c, most));
  a->request.address = (uint32_t)draw(c, c->memory_bytes - a->request.length);
  uint8_t *at = c->image + a->request.address;
  if (a->type == KT_LINK_TYPE_BURST_WRITE) {
    fill(c, a->data, a->request.length);
    memcpy(at, a->data, a->request.length);
  }
  memcpy(a->want, at, a->request.length);
}

static void make(struct campaign *c, struct attempt *a, uint8_t type)
{
  memset(a, 0, sizeof *a);
  a->type = type;
  a->request.type = type;
  a->request.data = a->data;
  a->request.reply = a->reply;
  switch (type) {
  case KT_LINK_TYPE_READ:
  case KT_LINK_TYPE_WRITE:
    make_register(c, a);
    break;
  case KT_LINK_TYPE_BURST_READ:
  case KT_LINK_TYPE_BURST_WRITE:
    make_burst(c, a);
    break;
  case KT_LINK_TYPE_STATUS:
    a->request.length = KT_LINK_STATE_BYTES;
    break;
  case KT_LINK_TYPE_ECHO:
    a->request.length = (uint16_t)(1 + draw(c, c->link->payload < 64 ? c->link->payload : 64));
    fill(c, a->data, a->request.length);
    memcpy(a->want, a->data, a->request.length);
    break;
  default:
    break;
  }
}

static bool reads(uint8_t type)
{
  return type == KT_LINK_TYPE_READ || type == KT_LINK_TYPE_BURST_READ || type == KT_LINK_TYPE_ECHO;
}

/* ---- where the fault goes ----------------------------------------------------------------------
 */

/* Bytes on the wire of the frame that is to be hit, the delimiter before it included where the host
 * sends one. */
static uint32_t wire_bytes(const struct attempt *a, unsigned lane)
{
  struct kd_frame f = {.type = a->type, .length = a->request.length, .payload = a->data};
  if (lane == LANE_IN) f.type |= KT_LINK_REPLY;
  f.payload_bytes = kd_frame_payload_due(&f);
  uint8_t wire[KT_LINK_MAX_ENCODED];
  return (uint32_t)kd_frame_encode(&f, wire) + (lane == LANE_OUT ? 1 : 0);
}

/* Header, check sum and delimiters, the payload's first 8 and last 8 bytes, and any. */
static uint32_t place(struct campaign *c, uint32_t bytes)
{
  const uint32_t head = 1 + 1 + KT_LINK_HEADER_BYTES, tail = KT_LINK_CRC_BYTES + 1;
  if (bytes <= head + tail) return (uint32_t)draw(c, bytes);
  const uint32_t payload = bytes - head - tail;
  const uint32_t edge = payload < 8 ? payload : 8;
  switch (draw(c, 5)) {
  case 0:
    return (uint32_t)draw(c, head);
  case 1:
    return bytes - 1 - (uint32_t)draw(c, tail);
  case 2:
    return head + (uint32_t)draw(c, edge);
  case 3:
    return head + payload - 1 - (uint32_t)draw(c, edge);
  default:
    return head + (uint32_t)draw(c, payload);
  }
}

static uint32_t arm(struct campaign *c, const struct attempt *a, unsigned lane,
                    enum campaign_kind kind)
{
  char fault[64];
  uint32_t at = place(c, wire_bytes(a, lane));
  int n = snprintf(fault, sizeof fault, "%s:%s@%" PRIu32, lane == LANE_OUT ? "out" : "in",
                   kind_names[kind], at);
  if (kind == CAMPAIGN_FLIP)
    snprintf(fault + n, sizeof fault - (size_t)n, "/%x", 1 + (unsigned)draw(c, 255));
  if (kind == CAMPAIGN_DELAY)
    snprintf(fault + n, sizeof fault - (size_t)n, "/%u", 1 + (unsigned)draw(c, DELAY_MOST_US));
  if (c->board->set_option("fault", fault) != 0) fail(c, "the board takes no fault %s", fault);
  return at;
}

/* ---- one fault ---------------------------------------------------------------------------------
 */

/* Everything that a repair moves. */
static uint64_t repairs(const struct kd_link *l)
{
  uint64_t n = l->counts.resent + l->counts.timeouts + l->counts.stale + l->counts.foreign;
  for (int f = KD_FRAME_LONG; f < KD_FRAME_FAULTS; f++) n += l->counts.faults[f];
  return n;
}

static enum kt_status execute(struct campaign *c, struct attempt *a, struct kt_msg *msg)
{
  if (a->type == KT_LINK_TYPE_RESET_LINK) return kd_link_start(c->link, msg);
  return kd_link_run(c->link, &a->request, 1, msg);
}

static uint64_t count(const struct campaign *c, const char *key)
{
  uint64_t value = 0;
  c->board->counter(key, &value);
  return value;
}

static bool judge(struct campaign *c, const struct attempt *a, enum kt_status st, const char *what,
                  const struct kt_msg *msg)
{
  if (st != KT_OK) return fail(c, "%s: %s", what, msg->text);
  if (a->type == KT_LINK_TYPE_RESET_LINK) return true;
  if (a->request.status != KT_LINK_STATUS_OK)
    return fail(c, "%s: status %u", what, a->request.status);
  if (reads(a->type) && memcmp(a->reply, a->want, a->request.length) != 0)
    return fail(c, "%s: wrong data at address 0x%" PRIx32, what, a->request.address);
  return true;
}

bool campaign_fault(struct campaign *c, uint64_t number)
{
  struct attempt a;
  struct kt_msg msg = {{0}};
  char what[128];
  const uint8_t type = (uint8_t)(1 + number % 7);
  const unsigned lane = (unsigned)(number / 7 % CAMPAIGN_LANES);
  const enum campaign_kind kind = (enum campaign_kind)(number / 14 % CAMPAIGN_KINDS);

  make(c, &a, type);
  const uint32_t at = arm(c, &a, lane, kind);
  const uint64_t repaired = repairs(c->link), begin = c->board->now_ns();
  const enum kt_status st = execute(c, &a, &msg);
  const uint64_t ns = c->board->now_ns() - begin;
  snprintf(what, sizeof what, "fault %" PRIu64 ", %s of byte %" PRIu32 " %s the board, %s", number,
           kind_names[kind], at, lane == LANE_OUT ? "to" : "from", type_names[type]);
  if (!judge(c, &a, st, what, &msg)) return false;
  if (count(c, "planned") != 0) { /* the frame was shorter: the next ones are hit */
    c->missed++;
    return true;
  }
  if (ns > c->worst_ns) c->worst_ns = ns;
  c->applied[kind]++;
  c->of_type[type][lane]++;
  if (repairs(c->link) != repaired) c->effective[kind]++;
  return true;
}

/* ---- before and after --------------------------------------------------------------------------
 */

static bool same_memory(struct campaign *c, struct kt_msg *msg)
{
  uint8_t *back = malloc(c->memory_bytes);
  bool same = back != NULL && kd_link_mem_read(c->link, 0, back, c->memory_bytes, msg) == KT_OK;
  if (!same) fail(c, "memory cannot be read: %s", msg->text);
  for (uint32_t i = 0; same && i < c->memory_bytes; i++)
    if (back[i] != c->image[i])
      same = fail(c, "memory at 0x%" PRIx32 " holds %02x, not %02x", i, back[i], c->image[i]);
  free(back);
  return same;
}

bool campaign_check(struct campaign *c)
{
  struct kt_msg msg = {{0}};
  uint32_t value = 0;
  if (!same_memory(c, &msg)) return false;
  for (unsigned n = 0; n < 4; n++) {
    if (kd_link_read(c->link, KT_LINK_REG_SCRATCH + 4 * n, &value, &msg) != KT_OK)
      return fail(c, "scratch: %s", msg.text);
    if (value != c->scratch[n])
      return fail(c, "scratch %u holds %08" PRIx32 ", not %08" PRIx32, n, value, c->scratch[n]);
  }
  if (kd_link_read(c->link, KT_LINK_REG_STARTS, &value, &msg) != KT_OK)
    return fail(c, "starts: %s", msg.text);
  const uint32_t seen = (value - c->base) & 0xffff, asked = (uint32_t)(c->starts & 0xffff);
  if (seen != asked)
    return fail(c, "the device counts %" PRIu32 " starts of %" PRIu32 " asked for", seen, asked);
  return true;
}

enum kt_status campaign_begin(struct campaign *c, struct kd_link *link,
                              const struct ks_board_api *board, uint64_t seed)
{
  struct kt_msg msg = {{0}};
  *c = (struct campaign){.link = link, .board = board};
  c->random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
  enum kt_status st = kd_link_read(link, KT_LINK_REG_MEMORY_BYTES, &c->memory_bytes, &msg);
  if (st == KT_OK) st = kd_link_read(link, KT_LINK_REG_STARTS, &c->base, &msg);
  c->image = malloc(c->memory_bytes);
  if (c->image == NULL) return KT_ENOMEM;
  fill(c, c->image, c->memory_bytes);
  if (st == KT_OK) st = kd_link_mem_write(link, 0, c->image, c->memory_bytes, &msg);
  for (unsigned n = 0; st == KT_OK && n < 4; n++) {
    c->scratch[n] = (uint32_t)draw(c, UINT32_MAX);
    st = kd_link_write(link, KT_LINK_REG_SCRATCH + 4 * n, c->scratch[n], &msg);
  }
  if (st != KT_OK) fail(c, "%s", msg.text);
  return st;
}

bool campaign_covered(struct campaign *c)
{
  for (int k = 0; k < CAMPAIGN_KINDS; k++)
    if (c->effective[k] == 0) return fail(c, "no %s had an effect", kind_names[k]);
  for (int t = 1; t < CAMPAIGN_TYPES; t++)
    for (int lane = 0; lane < CAMPAIGN_LANES; lane++)
      if (c->of_type[t][lane] == 0)
        return fail(c, "no %s was hit %s the board", type_names[t], lane == 0 ? "to" : "from");
  return true;
}

void campaign_print(const struct campaign *c, FILE *to)
{
  for (int k = 0; k < CAMPAIGN_KINDS; k++)
    fprintf(to, "  %-6s %6" PRIu64 " faults, %6" PRIu64 " repaired\n", kind_names[k], c->applied[k],
            c->effective[k]);
  fprintf(to, "  %" PRIu64 " past the end of a frame; worst request %.1f ms of board time\n",
          c->missed, (double)c->worst_ns / 1e6);
}

void campaign_end(struct campaign *c)
{
  free(c->image);
  c->image = NULL;
}
