/* SPDX-License-Identifier: Apache-2.0 */
/* Reads spec/link.json and spec/boards.json into tables. */
#include "spec/gen/kg_link.h"

static struct kg_piece *pieces(struct kg *g, const cJSON *root, const char *key, size_t *n)
{
  const cJSON *list = kg_array(g, root, "top level", key, 16, n), *item;
  struct kg_piece *piece = kg_alloc(g, *n, sizeof *piece), *p = piece;
  uint32_t at = 0;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, key, "name bytes role");
    p->name = kg_str(g, item, key, "name");
    p->bytes = kg_uint(g, item, p->name, "bytes", 4);
    p->role = kg_str(g, item, p->name, "role");
    p->at = at;
    at += p->bytes;
    p++;
  }
  return piece;
}

static void types(struct kg *g, const cJSON *root)
{
  struct kg_link *l = g->link;
  const cJSON *list = kg_array(g, root, "top level", "types", 16, &l->n_types), *item;
  struct kg_frame_type *t = l->type = kg_alloc(g, l->n_types, sizeof *t);

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "types", "name value request_payload reply_payload repeat role");
    t->name = kg_str(g, item, "types", "name");
    t->value = kg_uint(g, item, t->name, "value", 127);
    t->request = kg_str(g, item, t->name, "request_payload");
    t->reply = kg_str(g, item, t->name, "reply_payload");
    t->repeat = kg_str(g, item, t->name, "repeat");
    t->role = kg_str(g, item, t->name, "role");
    t++;
  }
}

static void crc(struct kg *g, const cJSON *root)
{
  const cJSON *obj = kg_obj(g, root, "top level", "crc");

  kg_keys(g, obj, "crc", "polynomial initial final_xor residue");
  g->link->crc.polynomial = kg_hex(g, obj, "crc", "polynomial");
  g->link->crc.initial = kg_hex(g, obj, "crc", "initial");
  g->link->crc.final_xor = kg_hex(g, obj, "crc", "final_xor");
  g->link->crc.residue = kg_hex(g, obj, "crc", "residue");
}

static struct kg_named *named(struct kg *g, const cJSON *root, const char *key, size_t *n)
{
  const cJSON *list = kg_array(g, root, "top level", key, 16, n);

  return kg_load_named(g, list, key, "value", *n);
}

void kg_load_link(struct kg *g)
{
  cJSON *root = kg_parse(g, "spec/link.json");
  struct kg_link *l = g->link = kg_alloc(g, 1, sizeof *l);

  if (root == NULL) return;
  kg_keys(g, root, "top level",
          "SPDX-License-Identifier name version magic max_payload max_window crc header reply "
          "types statuses status_reply phys register_base registers");
  l->version = kg_uint(g, root, "top level", "version", 65535);
  l->magic = kg_hex(g, root, "top level", "magic");
  l->max_payload = kg_uint(g, root, "top level", "max_payload", 65535);
  l->max_window = kg_uint(g, root, "top level", "max_window", 128);
  l->reply = kg_hex(g, root, "top level", "reply");
  l->base = kg_hex(g, root, "top level", "register_base");
  crc(g, root);
  l->header = pieces(g, root, "header", &l->n_header);
  l->status_reply = pieces(g, root, "status_reply", &l->n_status_reply);
  types(g, root);
  l->status = named(g, root, "statuses", &l->n_statuses);
  l->phy = named(g, root, "phys", &l->n_phys);
  l->reg = kg_load_registers(g, root, &l->n_regs);
  cJSON_Delete(root);
}

static void board_names(struct kg *g, const cJSON *item, struct kg_board *b)
{
  b->name = kg_str(g, item, "boards", "name");
  b->role = kg_str(g, item, b->name, "role");
  b->config = kg_str_or_null(g, item, b->name, "config");
  b->top = kg_str(g, item, b->name, "top");
  b->family = kg_str(g, item, b->name, "family");
  b->device = kg_str(g, item, b->name, "device");
  b->package = kg_str(g, item, b->name, "package");
  b->nextpnr = kg_str_or_null(g, item, b->name, "nextpnr");
  b->phy = kg_str(g, item, b->name, "phy");
  b->chip = kg_str(g, item, b->name, "chip");
  b->product = kg_str_or_null(g, item, b->name, "product");
  b->interface = kg_str(g, item, b->name, "interface");
}

static void board_numbers(struct kg *g, const cJSON *item, struct kg_board *b)
{
  b->number = kg_uint(g, item, b->name, "number", 65535);
  b->is_virtual = kg_bool(g, item, b->name, "virtual");
  b->is_small = kg_bool(g, item, b->name, "small");
  b->clock_hz = kg_uint(g, item, b->name, "clock_hz", INT32_MAX);
  b->baud = kg_uint(g, item, b->name, "baud", INT32_MAX);
  b->vid = kg_hex(g, item, b->name, "vid");
  b->pid = kg_hex(g, item, b->name, "pid");
  if (kg_str_or_null(g, item, b->name, "pid_other") != NULL)
    b->pid_other = kg_hex(g, item, b->name, "pid_other");
  b->memory_bytes = kg_uint(g, item, b->name, "memory_bytes", INT32_MAX);
  b->window = kg_uint(g, item, b->name, "window", 128);
  b->payload = kg_uint(g, item, b->name, "payload", 65535);
}

void kg_load_boards(struct kg *g)
{
  cJSON *root = kg_parse(g, "spec/boards.json");
  const cJSON *item;
  struct kg_link *l = g->link;

  if (root == NULL) return;
  kg_keys(g, root, "top level", "SPDX-License-Identifier name boards");
  const cJSON *list = kg_array(g, root, "top level", "boards", 64, &l->n_boards);
  struct kg_board *b = l->board = kg_alloc(g, l->n_boards, sizeof *b);
  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "boards",
            "name number role virtual config top family device package nextpnr clock_hz phy baud "
            "chip vid pid pid_other product interface memory_bytes window payload small");
    board_names(g, item, b);
    board_numbers(g, item, b);
    b++;
  }
  cJSON_Delete(root);
}
