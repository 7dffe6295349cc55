/* SPDX-License-Identifier: Apache-2.0
 *
 * From a device's name to what is meant; and the one board that is connected.
 */
#include "host/kd_board.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char virtual_prefix[] = "virtual-";

static const struct kt_board *board_of(const char *name)
{
  for (size_t i = 0; i < kt_n_boards; i++)
    if (strcmp(kt_boards[i].name, name) == 0) return &kt_boards[i];
  return NULL;
}

static enum kt_status no_such_board(const char *name, struct kt_msg *msg)
{
  char names[300] = "";
  size_t used = 0;
  for (size_t i = 0; i < kt_n_boards && used < sizeof names; i++) {
    const int n = snprintf(names + used, sizeof names - used, "%s%s%s", used == 0 ? "" : ", ",
                           kt_boards[i].is_virtual ? virtual_prefix : "", kt_boards[i].name);
    used += n > 0 ? (size_t)n : 0;
  }
  kt_msg_set(msg, "'%s' is no board: want %s, or %sNAME for a simulated one", name, names,
             virtual_prefix);
  return KT_ENODEV;
}

static enum kt_status parse_board(const char *name, struct kd_board_want *want,
                                  struct kt_msg *msg)
{
  const size_t n = sizeof virtual_prefix - 1;
  want->is_virtual = strncmp(name, virtual_prefix, n) == 0;
  if (name[0] == '\0') return KT_OK;
  want->ftdi.board = board_of(want->is_virtual ? name + n : name);
  if (want->ftdi.board == NULL || (want->ftdi.board->is_virtual && !want->is_virtual))
    return no_such_board(name, msg);
  return KT_OK;
}

static enum kt_status parse_build(const char *value, struct kd_board_want *want)
{
  char *end;
  want->any_build = strcmp(value, "any") == 0;
  if (want->any_build) return KT_OK;
  const unsigned long v = strtoul(value, &end, 16);
  want->has_build = true;
  want->build = (uint32_t)v;
  return *end == '\0' && end != value && v <= UINT32_MAX ? KT_OK : KT_EPARSE;
}

static enum kt_status parse_option(const char *option, struct kd_board_want *want,
                                   struct kt_msg *msg)
{
  const char *value = strchr(option, '=');
  const size_t key = value != NULL ? (size_t)(value - option) : 0;
  enum kt_status st = KT_EPARSE;
  if (value != NULL) value++;
  if (key == 6 && strncmp(option, "serial", key) == 0) {
    const int n = snprintf(want->ftdi.serial, sizeof want->ftdi.serial, "%s", value);
    st = n > 0 && (size_t)n < sizeof want->ftdi.serial ? KT_OK : KT_EPARSE;
  } else if (key == 9 && strncmp(option, "interface", key) == 0) {
    want->ftdi.interface = value[0];
    st = (value[0] == 'A' || value[0] == 'B') && value[1] == '\0' ? KT_OK : KT_EPARSE;
  } else if (key == 5 && strncmp(option, "build", key) == 0) {
    st = parse_build(value, want);
  }
  if (st != KT_OK)
    kt_msg_set(msg, "'%s': want serial=TEXT, interface=A or B, build=HEX or build=any", option);
  return st;
}

enum kt_status kd_board_parse(const char *name, struct kd_board_want *want, struct kt_msg *msg)
{
  char text[384];
  char *rest = text;
  *want = (struct kd_board_want){.is_virtual = false};
  if (strlen(name) >= sizeof text) {
    kt_msg_set(msg, "a board's name of %zu characters is too long", strlen(name));
    return KT_EPARSE;
  }
  memcpy(text, name, strlen(name) + 1);
  char *comma = strchr(rest, ',');
  if (comma != NULL) *comma = '\0';
  enum kt_status st = parse_board(rest, want, msg);
  while (st == KT_OK && comma != NULL) {
    rest = comma + 1;
    comma = strchr(rest, ',');
    if (comma != NULL) *comma = '\0';
    st = parse_option(rest, want, msg);
  }
  return st;
}

/* ---- the one that is connected ---------------------------------------------------------------- */

/* How well a chip may be a board. A port that is a FIFO says more than one that is a UART, which is
 * what every chip is at first. */
enum fit { NO_FIT, UNREAD, WRONG_PORT, FITS, FITS_AS_FIFO };

/* The best that there are. */
struct candidates {
  enum fit fit;
  int code; /* libusb's, of one that could not be read */
  const struct kt_board *board;
  size_t n;
  char text[300];
};

static enum fit fit_of(const struct kd_ftdi_want *want, const struct kd_ftdi_device *dev)
{
  char why[160];
  if (want->board->is_virtual || !kd_ftdi_matches(want, dev, why, sizeof why)) return NO_FIT;
  if (dev->code != 0) return UNREAD;
  if (!kd_ftdi_port_fits(want, dev)) return WRONG_PORT;
  return kd_ftdi_port_needed(want->board) == CHANNEL_IS_FIFO ? FITS_AS_FIFO : FITS;
}

static void add_candidates(struct candidates *c, const struct candidates *more)
{
  if (more->fit < c->fit || more->n == 0) return;
  if (more->fit > c->fit) *c = (struct candidates){.fit = more->fit, .code = more->code};
  const size_t used = strlen(c->text);
  snprintf(c->text + used, sizeof c->text - used, "%s%s", used == 0 ? "" : ", ", more->text);
  c->board = more->board;
  c->n += more->n;
}

/* The boards that a chip may be. */
static struct candidates boards_of(const struct kd_ftdi_want *want, const struct kd_ftdi_device *dev)
{
  struct candidates c = {.fit = NO_FIT};
  for (size_t k = 0; k < kt_n_boards; k++) {
    struct kd_ftdi_want w = *want;
    w.board = &kt_boards[k];
    struct candidates one = {
        .fit = fit_of(&w, dev), .code = dev->code, .board = w.board, .n = 1};
    if (one.fit == NO_FIT) continue;
    snprintf(one.text, sizeof one.text, "ftdi:%s%s%s", w.board->name,
             dev->serial[0] != '\0' ? ",serial=" : "", dev->serial);
    add_candidates(&c, &one);
  }
  if (c.fit == FITS_AS_FIFO) c.fit = FITS; /* beside other chips it is a board like any */
  return c;
}

/* What was looked for, after what was there. */
static enum kt_status no_board(const struct kd_ftdi_device *list, size_t n, struct kt_msg *msg)
{
  char looked[300] = "", seen[160] = "no FTDI chip";
  for (size_t i = 0; i < kt_n_boards; i++) {
    const size_t used = strlen(looked);
    const struct kt_board *b = &kt_boards[i];
    if (b->is_virtual) continue;
    snprintf(looked + used, sizeof looked - used, "%s%s (%04x:%04x%s%s)", used == 0 ? "" : ", ",
             b->name, b->vid, b->pid, b->product != NULL ? " " : "",
             b->product != NULL ? b->product : "");
  }
  for (size_t i = 0; i < n; i++) {
    const size_t used = i == 0 ? 0 : strlen(seen);
    snprintf(seen + used, sizeof seen - used, "%s%04x:%04x %s", used == 0 ? "" : ", ", list[i].vid,
             list[i].pid, list[i].product);
  }
  kt_msg_set(msg, "no board is connected: looked for %s; USB has %s", looked, seen);
  return KT_ENODEV;
}

enum kt_status kd_board_find(const struct kd_usb *usb, struct kd_board_want *want,
                             struct kt_msg *msg)
{
  struct candidates c = {.fit = NO_FIT};
  struct kd_ftdi_device *list;
  size_t n;
  enum kt_status st = kd_ftdi_scan(usb, &list, &n, msg);
  if (st != KT_OK) return st;
  for (size_t i = 0; i < n; i++) {
    const struct candidates more = boards_of(&want->ftdi, &list[i]);
    add_candidates(&c, &more);
  }
  if (c.n == 0) st = no_board(list, n, msg);
  free(list);
  if (c.fit == UNREAD) return kd_ftdi_lost(c.code, "reading its strings", msg);
  if (c.n == 1) want->ftdi.board = c.board;
  if (c.n < 2) return st;
  kt_msg_set(msg, "more than one board may be meant, name it: %s", c.text);
  return KT_EINVAL;
}

/* ---- what was built --------------------------------------------------------------------------- */

static char *read_text(const char *path)
{
  enum { MOST = 1 << 20 };
  FILE *f = fopen(path, "r");
  char *text = f != NULL ? calloc(1, MOST) : NULL;
  if (text != NULL && fread(text, 1, MOST - 1, f) == 0) text[0] = '\0';
  if (f != NULL) fclose(f);
  return text;
}

/* A number, or a text in hexadecimal. */
static bool build_id_of(const cJSON *root, uint32_t *id)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, "build_id");
  char *end;
  if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= UINT32_MAX) {
    *id = (uint32_t)item->valuedouble;
    return true;
  }
  if (!cJSON_IsString(item)) return false;
  const unsigned long v = strtoul(item->valuestring, &end, 16);
  *id = (uint32_t)v;
  return end != item->valuestring && *end == '\0' && v <= UINT32_MAX;
}

bool kd_board_built(const struct kt_board *board, uint32_t *build_id)
{
  const char *dir = getenv("KTPU_FPGA_DIR");
  char path[4096];
  const int n = snprintf(path, sizeof path, "%s/%s/report.json", dir != NULL ? dir : "build/fpga",
                         board->name);
  char *text = n > 0 && (size_t)n < sizeof path ? read_text(path) : NULL;
  cJSON *root = text != NULL ? cJSON_Parse(text) : NULL;
  const bool known = root != NULL && build_id_of(root, build_id);
  cJSON_Delete(root);
  free(text);
  return known;
}
