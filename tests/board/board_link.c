// SPDX-License-Identifier: Apache-2.0
#include "board/board_link.h"

#include "host/kd_usb.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct kd_board *board_link_open(const char *name)
{
  struct kd_board *b = NULL;
  struct kt_msg msg = {{0}};
  enum kt_status st = kd_board_open(name, &b, &msg);
  cr_assert(st == KT_OK, "%s: %s", name, msg.text);
  return b;
}

void board_link_refused(const char *name, enum kt_status want, const char *words)
{
  struct kd_board *b = NULL;
  struct kt_msg msg = {{0}};
  enum kt_status st = kd_board_open(name, &b, &msg);
  cr_expect(st == want, "%s: %s, not %s: %s", name, kt_status_text(st), kt_status_text(want),
            msg.text);
  cr_expect(strstr(msg.text, words) != NULL, "%s: \"%s\" does not say \"%s\"", name, msg.text,
            words);
  if (st == KT_OK) kd_board_close(b);
}

const struct ks_board_api *board_link_api(const char *board)
{
  const struct kd_usb *usb = NULL;
  struct kt_msg msg = {{0}};
  cr_assert(kd_usb_load(board, &usb, &msg) == KT_OK, "%s", msg.text);
  return usb->board;
}

void board_link_set(const struct ks_board_api *api, const char *key, const char *value)
{
  cr_assert(api->set_option(key, value) == 0, "option %s=%s", key, value);
}

uint64_t board_link_count(const struct ks_board_api *api, const char *key)
{
  uint64_t value = 0;
  cr_assert(api->counter(key, &value) == 0, "counter %s", key);
  return value;
}

void board_link_fill(uint8_t *data, size_t bytes, uint32_t seed)
{
  for (size_t i = 0; i < bytes; i++) {
    seed = seed * 1664525u + 1013904223u;
    data[i] = seed >> 29 == 0 ? 0 : (uint8_t)(seed >> 16);
  }
}

void board_link_around(struct kd_board *b, uint32_t address, size_t bytes)
{
  struct kt_msg msg = {{0}};
  uint8_t *sent = malloc(bytes), *back = calloc(1, bytes);
  board_link_fill(sent, bytes, (uint32_t)bytes + address);
  cr_assert(kd_link_mem_write(&b->link, address, sent, bytes, &msg) == KT_OK, "%s", msg.text);
  cr_assert(kd_link_mem_read(&b->link, address, back, bytes, &msg) == KT_OK, "%s", msg.text);
  cr_expect(memcmp(sent, back, bytes) == 0, "%zu bytes", bytes);
  free(sent);
  free(back);
}
