/* SPDX-License-Identifier: Apache-2.0 */
/* What link and boards must satisfy. */
#include <string.h>

#include "spec/gen/kg_link.h"

uint32_t kg_pieces_size(const struct kg_piece *p, size_t n)
{
  return n == 0 ? 0 : p[n - 1].at + p[n - 1].bytes;
}

static bool power_of_two(uint32_t v)
{
  return v != 0 && (v & (v - 1)) == 0;
}

/* The register before the final xor, after one message and its check sum: the same for any. */
static uint32_t crc_residue(const struct kg_crc *c)
{
  uint32_t crc = c->initial, sum = 0;

  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1) sum = crc ^ c->final_xor;
    for (int bit = 0; bit < 32; bit++) {
      uint32_t in = pass == 0 ? 0 : sum >> bit & 1;
      crc = ((crc ^ in) & 1) != 0 ? crc >> 1 ^ c->polynomial : crc >> 1;
    }
  }
  return crc;
}

static void frame(struct kg *g)
{
  const struct kg_link *l = g->link;
  static const char *const fields[] = {"TYPE",   "SESSION", "SEQUENCE",
                                       "STATUS", "ADDRESS", "LENGTH"};
  size_t n = sizeof fields / sizeof fields[0];

  for (size_t i = 0; i < l->n_header; i++)
    if (i >= n || strcmp(l->header[i].name, fields[i]) != 0)
      kg_fail(g, "header", "field %zu must be %s", i, i < n ? fields[i] : "absent");
  if (l->n_header < n) kg_fail(g, "header", "%s is missing", fields[l->n_header]);
  if (crc_residue(&l->crc) != l->crc.residue)
    kg_fail(g, "crc", "the residue is 0x%08X", crc_residue(&l->crc));
  if (!power_of_two(l->max_window)) kg_fail(g, "max_window", "must be a power of two");
  if (l->reply != 0x80) kg_fail(g, "reply", "must be bit 7: 0x80");
  if (l->base != 0x1000) kg_fail(g, "register_base", "must follow the core's window: 0x1000");
}

static void codes(struct kg *g, const char *where, const struct kg_named *t, size_t n,
                  uint32_t first)
{
  for (size_t i = 0; i < n; i++) {
    if (t[i].value != first + i)
      kg_fail(g, t[i].name, "value must be %zu: %s follow the list", first + i, where);
    for (size_t k = 0; k < i; k++)
      if (strcmp(t[i].name, t[k].name) == 0) kg_fail(g, t[i].name, "is defined twice");
  }
}

static bool one_of(const char *s, const char *a, const char *b)
{
  return strcmp(s, a) == 0 || strcmp(s, b) == 0;
}

static void types(struct kg *g)
{
  const struct kg_link *l = g->link;

  for (size_t i = 0; i < l->n_types; i++) {
    const struct kg_frame_type *t = &l->type[i];
    if (t->value != i + 1) kg_fail(g, t->name, "value must be %zu: types follow the list", i + 1);
    if (!one_of(t->request, "none", "length") || !one_of(t->reply, "none", "length"))
      kg_fail(g, t->name, "a payload is \"none\" or \"length\"");
    if (!one_of(t->repeat, "executed again", "stored status"))
      kg_fail(g, t->name, "a repeat is \"executed again\" or answered with its \"stored status\"");
    for (size_t k = 0; k < i; k++)
      if (strcmp(t->name, l->type[k].name) == 0) kg_fail(g, t->name, "type is defined twice");
  }
}

static bool known_config(const struct kg *g, const char *name)
{
  for (size_t i = 0; i < g->n_configs; i++)
    if (strcmp(g->config[i].name, name) == 0) return true;
  return false;
}

static void board_limits(struct kg *g, const struct kg_board *b)
{
  const struct kg_link *l = g->link;
  size_t phy = 0;

  while (phy < l->n_phys && strcmp(l->phy[phy].name, b->phy) != 0) phy++;
  if (phy == l->n_phys) kg_fail(g, b->name, "unknown PHY \"%s\"", b->phy);
  if ((strcmp(b->phy, "UART") == 0) != (b->baud > 0))
    kg_fail(g, b->name, "a UART, and only a UART, has a baud rate");
  if (b->baud > 0 && b->clock_hz / b->baud < 4) kg_fail(g, b->name, "fewer than 4 clocks a bit");
  if (!power_of_two(b->window) || b->window > l->max_window)
    kg_fail(g, b->name, "window must be a power of two of at most %u", l->max_window);
  if (b->payload == 0 || b->payload > l->max_payload)
    kg_fail(g, b->name, "payload must be 1 to %u", l->max_payload);
  if (!power_of_two(b->memory_bytes)) kg_fail(g, b->name, "memory must be a power of two");
  if (!one_of(b->interface, "A", "B")) kg_fail(g, b->name, "interface must be A or B");
}

static void boards(struct kg *g)
{
  const struct kg_link *l = g->link;

  for (size_t i = 0; i < l->n_boards; i++) {
    const struct kg_board *b = &l->board[i];
    if (b->number != i + 1)
      kg_fail(g, b->name, "number must be %zu: boards follow the list", i + 1);
    if (b->config != NULL && !known_config(g, b->config))
      kg_fail(g, b->name, "unknown config \"%s\"", b->config);
    if (!b->is_virtual && (b->config == NULL || b->nextpnr == NULL))
      kg_fail(g, b->name, "a real board has a config and options for nextpnr");
    for (size_t k = 0; k < i; k++)
      if (strcmp(b->name, l->board[k].name) == 0) kg_fail(g, b->name, "board is defined twice");
    board_limits(g, b);
  }
}

void kg_check_link(struct kg *g)
{
  const struct kg_link *l = g->link;

  g->file = "spec/link.json";
  frame(g);
  types(g);
  codes(g, "statuses", l->status, l->n_statuses, 0);
  codes(g, "phys", l->phy, l->n_phys, 1);
  if (kg_pieces_size(l->status_reply, l->n_status_reply) != 8)
    kg_fail(g, "status_reply", "must have 8 bytes");
  kg_check_registers(g, l->reg, l->n_regs);
  g->file = "spec/boards.json";
  boards(g);
  g->file = "spec/tinytpu.json";
}
