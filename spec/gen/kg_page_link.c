/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of docs/link.md. */
#include "spec/gen/kg_link.h"
#include "spec/gen/kg_page.h"

static void piece_rows(struct kg *g, FILE *f, const struct kg_piece *p, size_t n)
{
  fputs("| byte | bytes | name | role |\n|---|---|---|---|\n", f);
  for (size_t i = 0; i < n; i++)
    fprintf(f, "| %u | %u | %s | %s |\n", p[i].at, p[i].bytes, p[i].name, kg_cell(g, p[i].role));
}

static void header(struct kg *g, FILE *f)
{
  uint32_t size = kg_pieces_size(g->link->header, g->link->n_header);

  piece_rows(g, f, g->link->header, g->link->n_header);
  fprintf(f, "| %u | 0 to %u | PAYLOAD | LENGTH bytes where the type and the outcome have them |\n",
          size, g->link->max_payload);
  fputs("| end | 4 | CRC | CRC-32 of everything before it |\n", f);
}

static void types(struct kg *g, FILE *f)
{
  fputs("| type | value | reply | payload of the request | payload of the reply | a duplicate is | "
        "role |\n|---|---|---|---|---|---|---|\n",
        f);
  for (size_t i = 0; i < g->link->n_types; i++) {
    const struct kg_frame_type *t = &g->link->type[i];
    fprintf(f, "| %s | 0x%02X | 0x%02X | %s | %s | %s | %s |\n", t->name, t->value,
            t->value | g->link->reply, t->request, t->reply, t->repeat, kg_cell(g, t->role));
  }
}

static void statuses(struct kg *g, FILE *f)
{
  fputs("| status | value | role |\n|---|---|---|\n", f);
  for (size_t i = 0; i < g->link->n_statuses; i++)
    fprintf(f, "| %s | %u | %s |\n", g->link->status[i].name, g->link->status[i].value,
            kg_cell(g, g->link->status[i].role));
}

static void state(struct kg *g, FILE *f)
{
  piece_rows(g, f, g->link->status_reply, g->link->n_status_reply);
}

static void registers(struct kg *g, FILE *f)
{
  kg_page_register_rows(g, f, g->link->reg, g->link->n_regs, g->link->base);
}

static void limits(struct kg *g, FILE *f)
{
  const struct kg_link *l = g->link;

  fputs("| board | PART | PHY | window | payload | memory, bytes | clock, MHz |\n"
        "|---|---|---|---|---|---|---|\n",
        f);
  for (size_t i = 0; i < l->n_boards; i++) {
    const struct kg_board *b = &l->board[i];
    fprintf(f, "| %s | %u | %s | %u | %u | %u | %u |\n", b->name, b->number, b->phy, b->window,
            b->payload, b->memory_bytes, b->clock_hz / 1000000);
  }
}

void kg_emit_link_page(struct kg *g, FILE *f)
{
  static const struct kg_block blocks[] = {
      {"frame", header}, {"types", types},         {"statuses", statuses},
      {"state", state},  {"registers", registers}, {"limits", limits},
  };

  kg_emit_page(g, f, "docs/link.md", blocks, sizeof blocks / sizeof blocks[0]);
}
