/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-info --list and --link-test.
 */
#include "host/kd_board.h"
#include "host/tools/info.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 65536, CHUNKS_A_MIB = (1 << 20) / CHUNK };

static enum info_exit failed(enum kt_status st, const struct kt_msg *msg)
{
  fprintf(stderr, "ktpu-info: %s\n", msg->text[0] != '\0' ? msg->text : kt_status_text(st));
  return INFO_DEVICE;
}

static void print_json(cJSON *root)
{
  char *text = cJSON_Print(root);
  if (text != NULL) puts(text);
  free(text);
  cJSON_Delete(root);
}

/* ---- The list --------------------------------------------------------------------------------- */

/* Calls `each` for every real board and says whether the chip may be it. */
static void judge(const struct kd_ftdi_device *dev, void *context,
                  void (*each)(void *context, const struct kt_board *b, bool fits, const char *why))
{
  for (size_t k = 0; k < kt_n_boards; k++) {
    const struct kd_ftdi_want want = {.board = &kt_boards[k]};
    char why[160] = "";
    if (want.board->is_virtual) continue;
    const bool fits = kd_ftdi_matches(&want, dev, why, sizeof why);
    each(context, want.board, fits, why);
  }
}

static void print_verdict(void *context, const struct kt_board *b, bool fits, const char *why)
{
  (void)context;
  printf("    %-12s %-3s %s\n", b->name, fits ? "yes" : "no", why);
}

static void add_verdict(void *context, const struct kt_board *b, bool fits, const char *why)
{
  cJSON *one = cJSON_CreateObject();
  cJSON_AddStringToObject(one, "board", b->name);
  cJSON_AddBoolToObject(one, "fits", fits);
  cJSON_AddStringToObject(one, "why", why);
  cJSON_AddItemToArray(context, one);
}

static void print_ports(const struct kd_ftdi_device *dev)
{
  for (size_t k = 0; k < 2; k++)
    if (dev->ports.type[k] != -1)
      printf("%s %c %s", k == 0 ? "    EEPROM: port" : ", port", "AB"[k],
             kd_ftdi_port_name(dev->ports.type[k]));
  if (dev->ports.type[0] != -1) putchar('\n');
}

static void print_chip(const struct kd_ftdi_device *dev)
{
  printf("%04x:%04x at bus %u address %u: %s, product '%s', serial '%s'\n", dev->vid, dev->pid,
         dev->bus, dev->address, kd_ftdi_chip(dev->release), dev->product, dev->serial);
  print_ports(dev);
  judge(dev, NULL, print_verdict);
}

static void add_chip(cJSON *root, const struct kd_ftdi_device *dev)
{
  char id[16];
  cJSON *one = cJSON_CreateObject();
  snprintf(id, sizeof id, "%04x:%04x", dev->vid, dev->pid);
  cJSON_AddStringToObject(one, "id", id);
  cJSON_AddNumberToObject(one, "bus", dev->bus);
  cJSON_AddNumberToObject(one, "address", dev->address);
  cJSON_AddStringToObject(one, "chip", kd_ftdi_chip(dev->release));
  cJSON_AddStringToObject(one, "product", dev->product);
  cJSON_AddStringToObject(one, "serial", dev->serial);
  cJSON *ports = cJSON_AddArrayToObject(one, "ports");
  for (size_t k = 0; k < 2; k++)
    if (dev->ports.type[k] != -1)
      cJSON_AddItemToArray(ports, cJSON_CreateString(kd_ftdi_port_name(dev->ports.type[k])));
  judge(dev, cJSON_AddArrayToObject(one, "boards"), add_verdict);
  cJSON_AddItemToArray(root, one);
}

enum info_exit info_list(bool json)
{
  const struct kd_usb *usb;
  struct kd_ftdi_device *list;
  size_t n;
  struct kt_msg msg = {{0}};
  enum kt_status st = kd_usb_load(NULL, &usb, &msg);
  if (st == KT_OK) st = kd_ftdi_scan(usb, &list, &n, &msg);
  if (st != KT_OK) return failed(st, &msg);
  cJSON *root = json ? cJSON_CreateArray() : NULL;
  for (size_t i = 0; i < n; i++) {
    if (json)
      add_chip(root, &list[i]);
    else
      print_chip(&list[i]);
  }
  free(list);
  if (json)
    print_json(root);
  else if (n == 0)
    printf("no FTDI chip (0403:*) is connected\n");
  return INFO_DONE;
}

/* ---- The link's test -------------------------------------------------------------------------- */

/* What the board counts of frames that it dropped: the counters stay at 255. */
static const struct {
  const char *name;
  uint32_t address;
} board_counts[] = {
    {"crc", KT_LINK_REG_COUNT_CRC},   {"long", KT_LINK_REG_COUNT_LONG},
    {"short", KT_LINK_REG_COUNT_SHORT}, {"framing", KT_LINK_REG_COUNT_FRAMING},
    {"room", KT_LINK_REG_COUNT_ROOM},
};
enum { BOARD_COUNTS = sizeof board_counts / sizeof board_counts[0] };

/* And the host, of replies. */
static const struct {
  const char *name;
  enum kd_frame_fault fault;
} host_counts[] = {
    {"crc", KD_FRAME_CRC}, {"long", KD_FRAME_LONG}, {"short", KD_FRAME_SHORT}};
enum { HOST_COUNTS = sizeof host_counts / sizeof host_counts[0] };

struct tally {
  uint64_t bytes, damaged, ns;
  uint32_t before[BOARD_COUNTS], after[BOARD_COUNTS]; /* of board_counts */
};

static enum kt_status read_counts(struct kd_board *b, uint32_t *values, struct kt_msg *msg)
{
  uint32_t addresses[BOARD_COUNTS];
  for (size_t i = 0; i < BOARD_COUNTS; i++)
    addresses[i] = board_counts[i].address;
  return kd_link_read_many(&b->link, addresses, values, BOARD_COUNTS, msg);
}

static void fill(uint8_t *data, uint64_t *state)
{
  for (size_t i = 0; i < CHUNK; i++) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    data[i] = (uint8_t)(*state >> 56);
  }
}

static enum kt_status echo(struct kd_board *b, uint32_t mib, struct tally *t, struct kt_msg *msg)
{
  static uint8_t data[CHUNK], back[CHUNK];
  uint64_t state = 1;
  const uint64_t begin = b->clock->now_ns();
  for (uint32_t i = 0; i < mib * CHUNKS_A_MIB; i++) {
    fill(data, &state);
    const enum kt_status st = kd_link_echo(&b->link, data, back, CHUNK, msg);
    if (st != KT_OK) return st;
    for (size_t k = 0; k < CHUNK; k++) t->damaged += data[k] != back[k];
    t->bytes += CHUNK;
  }
  t->ns = b->clock->now_ns() - begin;
  return KT_OK;
}

static double rate_of(const struct tally *t)
{
  return t->ns == 0 ? 0 : (double)t->bytes * 1e9 / (double)t->ns;
}

static void report_json(const struct kd_board *b, const struct tally *t)
{
  const struct kd_link_counts *c = &b->link.counts;
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "board", b->type->name);
  cJSON_AddNumberToObject(root, "bytes", (double)t->bytes);
  cJSON_AddNumberToObject(root, "damaged", (double)t->damaged);
  cJSON_AddNumberToObject(root, "bytes_per_s", rate_of(t));
  cJSON_AddNumberToObject(root, "resent", (double)c->resent);
  cJSON_AddNumberToObject(root, "stale", (double)c->stale);
  cJSON *dropped = cJSON_AddObjectToObject(root, "dropped_by_board");
  for (size_t i = 0; i < BOARD_COUNTS; i++)
    cJSON_AddNumberToObject(dropped, board_counts[i].name, t->after[i] - t->before[i]);
  dropped = cJSON_AddObjectToObject(root, "dropped_by_host");
  for (size_t i = 0; i < HOST_COUNTS; i++)
    cJSON_AddNumberToObject(dropped, host_counts[i].name,
                            (double)c->faults[host_counts[i].fault]);
  print_json(root);
}

static void report(const struct kd_board *b, const struct tally *t)
{
  const struct kd_link_counts *c = &b->link.counts;
  printf("%s: %" PRIu64 " bytes there and back, %" PRIu64 " damaged, %.0f bytes/s each way%s\n",
         b->type->name, t->bytes, t->damaged, rate_of(t), b->simulation != NULL ? " (simulated time)" : "");
  printf("requests     %" PRIu64 " sent, %" PRIu64 " sent again (%" PRIu64 " timeouts, %" PRIu64
         " gaps), %" PRIu64 " stale replies\n",
         c->sent, c->resent, c->timeouts, c->gaps, c->stale);
  printf("dropped      by the board:");
  for (size_t i = 0; i < BOARD_COUNTS; i++)
    printf("%s %s%" PRIu32 " %s", i == 0 ? "" : ",", t->after[i] == 255 ? ">= " : "",
           t->after[i] - t->before[i], board_counts[i].name);
  printf("\n             by the host:");
  for (size_t i = 0; i < HOST_COUNTS; i++)
    printf("%s %" PRIu64 " %s", i == 0 ? "" : ",", c->faults[host_counts[i].fault],
           host_counts[i].name);
  putchar('\n');
}

enum info_exit info_link_test(const char *name, uint32_t mib, bool json)
{
  struct kd_board *board;
  struct kt_msg msg = {{0}};
  struct tally t = {0};
  if (strncmp(name, "ftdi:", 5) != 0) {
    fprintf(stderr, "ktpu-info: --link-test needs a board, ftdi:NAME, not %s\n", name);
    return INFO_USAGE;
  }
  enum kt_status st = kd_board_open(name + 5, &board, &msg);
  if (st != KT_OK) return failed(st, &msg);
  if (msg.text[0] != '\0') fprintf(stderr, "ktpu-info: %s\n", msg.text); /* something to tell */
  st = read_counts(board, t.before, &msg);
  if (st == KT_OK) st = echo(board, mib, &t, &msg);
  if (st == KT_OK) st = read_counts(board, t.after, &msg);
  if (st == KT_OK && json) report_json(board, &t);
  if (st == KT_OK && !json) report(board, &t);
  kd_board_close(board);
  if (st != KT_OK) return failed(st, &msg);
  return t.damaged == 0 ? INFO_DONE : INFO_DAMAGED;
}
