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

static enum info_exit failed(const struct kt_msg *msg)
{
  fprintf(stderr, "ktpu-info: %s\n", msg->text);
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
    if (dev->port[k] != -1)
      printf("%s %c %s", k == 0 ? "    EEPROM: port" : ", port", "AB"[k],
             kd_ftdi_port_name(dev->port[k]));
  if (dev->port[0] != -1) putchar('\n');
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
    if (dev->port[k] != -1)
      cJSON_AddItemToArray(ports, cJSON_CreateString(kd_ftdi_port_name(dev->port[k])));
  judge(dev, cJSON_AddArrayToObject(one, "boards"), add_verdict);
  cJSON_AddItemToArray(root, one);
}

enum info_exit info_list(bool json)
{
  const struct kd_usb *usb;
  struct kd_ftdi_device *list;
  size_t n;
  struct kt_msg msg = {{0}};
  if (kd_usb_load(NULL, &usb, &msg) != KT_OK || kd_ftdi_scan(usb, &list, &n, &msg) != KT_OK)
    return failed(&msg);
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

struct tally {
  uint64_t bytes, damaged, ns;
};

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

static void report(const struct kd_board *b, const struct tally *t, bool json)
{
  const struct kd_link_counts *c = &b->link.counts;
  const double rate = t->ns == 0 ? 0 : (double)t->bytes * 1e9 / (double)t->ns;
  if (json) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "board", b->type->name);
    cJSON_AddNumberToObject(root, "bytes", (double)t->bytes);
    cJSON_AddNumberToObject(root, "damaged", (double)t->damaged);
    cJSON_AddNumberToObject(root, "bytes_per_s", rate);
    cJSON_AddNumberToObject(root, "resent", (double)c->resent);
    cJSON_AddNumberToObject(root, "stale", (double)c->stale);
    print_json(root);
    return;
  }
  printf("%s: %" PRIu64 " bytes there and back, %" PRIu64 " damaged, %.0f bytes/s each way%s\n",
         b->type->name, t->bytes, t->damaged, rate, b->simulation != NULL ? " (simulated time)" : "");
  printf("requests     %" PRIu64 " sent, %" PRIu64 " sent again (%" PRIu64 " timeouts, %" PRIu64
         " gaps), %" PRIu64 " stale replies\n",
         c->sent, c->resent, c->timeouts, c->gaps, c->stale);
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
  if (kd_board_open(name + 5, &board, &msg) != KT_OK) return failed(&msg);
  if (msg.text[0] != '\0') fprintf(stderr, "ktpu-info: %s\n", msg.text); /* something to tell */
  const enum kt_status st = echo(board, mib, &t, &msg);
  if (st == KT_OK) report(board, &t, json);
  kd_board_close(board);
  if (st != KT_OK) return failed(&msg);
  return t.damaged == 0 ? INFO_DONE : INFO_DAMAGED;
}
