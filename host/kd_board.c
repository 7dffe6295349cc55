/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_board.h"

#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_params.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
  FIFO_NS_PER_BYTE = 30,
  BITS_PER_BYTE = 10, /* start, eight, stop */
  BUSY = 1 << KT_STATUS_BUSY_LSB,
  RESETTING = 1 << KT_STATUS_RESETTING_LSB,
  STUCK = 1 << KT_STATUS_STUCK_LSB,
};

static const uint64_t poll_ns = KD_NS_PER_MS;
static const uint64_t left_busy_ns = KD_NS_PER_S / 2;  /* what an earlier host may have left running */
static const uint64_t reset_ns = 5 * KD_NS_PER_S;

/* ---- operations ------------------------------------------------------------------------------- */

static enum kt_status reg_read(void *ctx, uint32_t offset, uint32_t *value, struct kt_msg *msg)
{
  return kd_link_read(&((struct kd_board *)ctx)->link, offset, value, msg);
}

static enum kt_status reg_write(void *ctx, uint32_t offset, uint32_t value, struct kt_msg *msg)
{
  return kd_link_write(&((struct kd_board *)ctx)->link, offset, value, msg);
}

static enum kt_status mem_read(void *ctx, uint64_t addr, void *data, size_t bytes,
                               struct kt_msg *msg)
{
  return kd_link_mem_read(&((struct kd_board *)ctx)->link, (uint32_t)addr, data, bytes, msg);
}

static enum kt_status mem_write(void *ctx, uint64_t addr, const void *data, size_t bytes,
                                struct kt_msg *msg)
{
  return kd_link_mem_write(&((struct kd_board *)ctx)->link, (uint32_t)addr, data, bytes, msg);
}

/* The core's STATUS, not more often than once a millisecond. */
static enum kt_status poll(struct kd_board *b, uint32_t *status, struct kt_msg *msg)
{
  struct kd_link_state s = {0};
  const uint64_t since = b->clock->now_ns() - b->last_poll_ns;
  if (since < poll_ns) b->clock->sleep_ns(poll_ns - since);
  b->last_poll_ns = b->clock->now_ns();
  const enum kt_status st = kd_link_state(&b->link, &s, msg);
  *status = s.event;
  return st;
}

/* Until none of `mask` is set; KT_ETIMEDOUT at the deadline. */
static enum kt_status poll_until_clear(struct kd_board *b, uint32_t mask, uint64_t deadline,
                                       uint32_t *status, struct kt_msg *msg)
{
  for (;;) {
    const enum kt_status st = poll(b, status, msg);
    if (st != KT_OK || !(*status & mask)) return st;
    if (b->clock->now_ns() >= deadline) return KT_ETIMEDOUT;
  }
}

static enum kt_status wait_idle(void *ctx, uint64_t max_cycles, struct kt_msg *msg)
{
  struct kd_board *b = ctx;
  uint32_t status;
  const double ns = (double)max_cycles * (double)KD_NS_PER_S / b->identity.clock_hz;
  const uint64_t deadline = b->clock->now_ns() + (uint64_t)ns;
  return poll_until_clear(b, BUSY, deadline, &status, msg);
}

static uint64_t cycles(void *ctx)
{
  const struct kd_board *b = ctx;
  return b->simulation != NULL ? b->simulation->cycles() : 0;
}

static void close_ops(void *ctx)
{
  kd_board_close(ctx);
}

const struct kd_ops kd_board_ops = {
    .reg_read = reg_read,
    .reg_write = reg_write,
    .mem_read = mem_read,
    .mem_write = mem_write,
    .wait_idle = wait_idle,
    .clock = cycles,
    .close = close_ops,
};

/* ---- identity --------------------------------------------------------------------------------- */

static enum kt_status read_identity(struct kd_board *b, struct kt_msg *msg)
{
  static const uint32_t addresses[] = {
      KT_LINK_REG_LINK_MAGIC, KT_LINK_REG_LINK_VERSION, KT_LINK_REG_CONFIG_HASH,
      KT_LINK_REG_BUILD_ID,   KT_LINK_REG_PART,         KT_LINK_REG_LIMITS,
      KT_LINK_REG_MEMORY_BYTES, KT_LINK_REG_CLOCK_HZ};
  uint32_t v[sizeof addresses / sizeof addresses[0]];
  const enum kt_status st =
      kd_link_read_many(&b->link, addresses, v, sizeof v / sizeof v[0], msg);
  if (st != KT_OK) return st;
  if (v[0] != KT_LINK_MAGIC || v[1] != KT_LINK_VERSION) {
    kt_msg_set(msg, "wrong bitstream: the link says magic 0x%08" PRIx32 " version %" PRIu32
               ", want 0x%08x version %d", v[0], v[1], KT_LINK_MAGIC, KT_LINK_VERSION);
    return KT_EMISMATCH;
  }
  b->identity = (struct kd_board_identity){.version = v[1],
                                           .config_hash = v[2],
                                           .build_id = v[3],
                                           .part = v[4],
                                           .phy = v[5] >> KT_LINK_LIMITS_PHY_LSB & 0xf,
                                           .memory_bytes = v[6],
                                           .clock_hz = v[7]};
  return KT_OK;
}

static const char *part_name(uint32_t part)
{
  for (size_t i = 0; i < kt_n_boards; i++)
    if (kt_boards[i].part == part) return kt_boards[i].name;
  return "no board that is known";
}

static enum kt_status check_part(const struct kd_board *b, struct kt_msg *msg)
{
  const struct kd_board_identity *id = &b->identity;
  if (id->part != b->type->part) {
    kt_msg_set(msg,
               "wrong part: the bitstream is for part %" PRIu32 " (%s), the name asks for part %"
               PRIu32 " (%s)", id->part, part_name(id->part), b->type->part, b->type->name);
    return KT_EMISMATCH;
  }
  if (id->clock_hz != 0 && id->memory_bytes != 0) return KT_OK;
  kt_msg_set(msg, "wrong bitstream: it says a clock of %" PRIu32 " Hz and %" PRIu32
             " bytes of memory", id->clock_hz, id->memory_bytes);
  return KT_EMISMATCH;
}

static enum kt_status check_config(const struct kd_board *b, struct kt_msg *msg)
{
  struct kt_params p;
  if (b->type->config == NULL) return KT_OK;
  const enum kt_status st = kt_params_parse(&p, b->type->config, msg);
  if (st != KT_OK || kt_params_hash(&p) == b->identity.config_hash) return st;
  kt_msg_set(msg,
             "wrong bitstream: its core has the parameters' hash 0x%08" PRIx32
             ", %s (config %s) has 0x%08" PRIx32 "; build and load it again: make fpga-load BOARD=%s",
             b->identity.config_hash, b->type->name, b->type->config, kt_params_hash(&p),
             b->type->name);
  return KT_EMISMATCH;
}

/* A virtual board's build is the one that runs; a real one may be older than what was built last. */
static enum kt_status check_build(const struct kd_board *b, const struct kd_board_want *want,
                                  struct kt_msg *msg)
{
  uint32_t id = want->build;
  if (want->any_build || (!want->has_build && want->is_virtual)) return KT_OK;
  if (!want->has_build && !kd_board_built(b->type, &id)) return KT_OK;
  if (id == b->identity.build_id) return KT_OK;
  kt_msg_set(msg,
             "wrong bitstream: the board has build %08" PRIx32 ", %s %08" PRIx32
             "; load it with make fpga-load BOARD=%s, or take what is there with build=any",
             b->identity.build_id, want->has_build ? "the name asks for" : "the last one built is",
             id, b->type->name);
  return KT_EMISMATCH;
}

/* ---- a core that an earlier host left running ------------------------------------------------- */

static enum kt_status stop_core(struct kd_board *b, struct kt_msg *msg)
{
  uint32_t status = 0;
  enum kt_status st =
      kd_link_write(&b->link, KT_REG_CONTROL, 1 << KT_CONTROL_RESET_LSB, msg);
  if (st == KT_OK)
    st = poll_until_clear(b, BUSY | RESETTING, b->clock->now_ns() + reset_ns, &status, msg);
  if (st == KT_OK && !(status & STUCK)) {
    kt_msg_set(msg, "the core was still busy with an earlier program's work after %" PRIu64
               " ms: it was reset", left_busy_ns / KD_NS_PER_MS);
    return KT_OK;
  }
  if (st == KT_OK || st == KT_ETIMEDOUT) {
    kt_msg_set(msg, "the core is busy with an earlier program's work and a reset does not stop it "
               "(status 0x%" PRIx32 "): load the bitstream again", status);
    st = KT_EBUSY;
  }
  return st;
}

static enum kt_status await_core(struct kd_board *b, struct kt_msg *msg)
{
  uint32_t status;
  if (b->type->config == NULL) return KT_OK;
  const uint64_t deadline = b->clock->now_ns() + left_busy_ns;
  const enum kt_status st = poll_until_clear(b, BUSY | RESETTING, deadline, &status, msg);
  return st == KT_ETIMEDOUT ? stop_core(b, msg) : st;
}

/* ---- opening ---------------------------------------------------------------------------------- */

static uint64_t ns_per_byte(const struct kt_board *b)
{
  return b->baud != 0 ? BITS_PER_BYTE * KD_NS_PER_S / b->baud + 1 : FIFO_NS_PER_BYTE;
}

static enum kt_status start(struct kd_board *b, const struct kd_board_want *want,
                            struct kt_msg *msg)
{
  enum kt_status st = kd_link_start(&b->link, msg);
  if (st == KT_OK) st = read_identity(b, msg);
  if (st == KT_OK) st = check_part(b, msg);
  if (st == KT_OK) st = check_config(b, msg);
  if (st == KT_OK) st = check_build(b, want, msg);
  return st == KT_OK ? await_core(b, msg) : st;
}

enum kt_status kd_board_attach(const struct kd_board_want *want, struct kd_pipe pipe,
                               const struct kd_clock *clock, uint64_t seed,
                               struct kd_board **board, struct kt_msg *msg)
{
  struct kd_board *b = calloc(1, sizeof *b);
  *board = NULL;
  if (b == NULL) {
    pipe.ops->close(pipe.ctx);
    return KT_ENOMEM;
  }
  *b = (struct kd_board){.type = want->ftdi.board, .clock = clock, .pipe = pipe};
  kd_link_init(&b->link, pipe, clock, ns_per_byte(b->type), seed);
  if (msg != NULL) msg->text[0] = '\0';
  const enum kt_status st = start(b, want, msg);
  if (st == KT_OK)
    *board = b;
  else
    kd_board_close(b);
  return st;
}

/* A simulated session is drawn from simulated time, so that a run can be repeated to the byte. */
static uint64_t session_seed(const struct kd_usb *usb)
{
  uint64_t seed = usb->clock->now_ns();
  if (usb->board != NULL) return seed;
  if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed) seed = usb->clock->now_ns();
  return seed;
}

enum kt_status kd_board_open_on(const struct kd_usb *usb, const struct kd_board_want *want,
                                struct kd_board **board, struct kt_msg *msg)
{
  struct kd_board_want w = *want;
  struct kd_pipe pipe;
  char serial[64] = "";
  enum kt_status st = KT_OK;
  *board = NULL;
  if (w.ftdi.board == NULL) st = kd_board_find(usb, &w, msg);
  if (st == KT_OK) st = kd_ftdi_open(usb, &w.ftdi, &pipe, serial, msg);
  if (st == KT_OK) st = kd_board_attach(&w, pipe, usb->clock, session_seed(usb), board, msg);
  if (st != KT_OK) return st;
  (*board)->simulation = usb->board;
  snprintf((*board)->serial, sizeof serial, "%s", serial);
  return KT_OK;
}

enum kt_status kd_board_open(const char *name, struct kd_board **board, struct kt_msg *msg)
{
  struct kd_board_want want;
  const struct kd_usb *usb;
  *board = NULL;
  enum kt_status st = kd_board_parse(name, &want, msg);
  if (st == KT_OK) st = kd_usb_load(want.is_virtual ? want.ftdi.board->name : NULL, &usb, msg);
  return st == KT_OK ? kd_board_open_on(usb, &want, board, msg) : st;
}

void kd_board_close(struct kd_board *board)
{
  if (board == NULL) return;
  board->pipe.ops->close(board->pipe.ctx);
  free(board);
}

enum kt_status kd_ftdi_transport_open(const char *spec, struct kd_transport *t,
                                      struct kt_msg *msg)
{
  struct kd_board *b;
  enum kt_status st = kd_board_open(spec, &b, msg);
  if (st != KT_OK) return st;
  if (b->type->config == NULL) {
    kt_msg_set(msg, "%s is a link without a core: it is for ktpu-info --link-test", b->type->name);
    st = KT_EUNSUPPORTED;
  } else {
    st = kt_params_parse(&t->params, b->type->config, msg);
  }
  if (st != KT_OK) {
    kd_board_close(b);
    return st;
  }
  t->ops = &kd_board_ops;
  t->ctx = b;
  t->board = b;
  t->memory = b->identity.memory_bytes;
  return KT_OK;
}
