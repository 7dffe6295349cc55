/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the link's constants for C and Verilog, and the boards as a C table. */
#include <string.h>

#include "spec/gen/kg_link.h"

enum {
  BITS_INT = 0,
  BITS_BYTE = 8,
  BITS_STATUS = 3,
  BITS_LENGTH = 16,
  BITS_PHY = 4,
  BITS_EVENT = 4,
  BITS_ADDR = 13
};

static void put(struct kg *g, kg_const_fn emit, void *ctx, uint32_t bits, uint64_t value,
                const char *group, const char *name, const char *suffix)
{
  emit(ctx, NULL, kg_text(g, "KT_LINK_%s%s%s", group, name, suffix), bits, value);
}

static void identity(struct kg *g, kg_const_fn emit, void *ctx)
{
  const struct kg_link *l = g->link;

  emit(ctx, "identity, check sum", NULL, 0, 0);
  put(g, emit, ctx, 32, l->magic, "", "MAGIC", "");
  put(g, emit, ctx, 32, l->version, "", "VERSION", "");
  put(g, emit, ctx, 32, l->crc.polynomial, "CRC_", "POLYNOMIAL", "");
  put(g, emit, ctx, 32, l->crc.initial, "CRC_", "INITIAL", "");
  put(g, emit, ctx, 32, l->crc.final_xor, "CRC_", "FINAL_XOR", "");
  put(g, emit, ctx, 32, l->crc.residue, "CRC_", "RESIDUE", "");
}

static void frame(struct kg *g, kg_const_fn emit, void *ctx)
{
  const struct kg_link *l = g->link;
  uint32_t header = kg_pieces_size(l->header, l->n_header), most = header + l->max_payload + 4;

  emit(ctx, "frame, decoded: sizes, and where each field begins", NULL, 0, 0);
  put(g, emit, ctx, BITS_INT, header, "HEADER_", "BYTES", "");
  put(g, emit, ctx, BITS_INT, 4, "CRC_", "BYTES", "");
  put(g, emit, ctx, BITS_INT, l->max_payload, "MAX_", "PAYLOAD", "");
  put(g, emit, ctx, BITS_INT, most, "MAX_", "FRAME", "");
  put(g, emit, ctx, BITS_INT, most + (most - 1) / 254 + 2, "MAX_", "ENCODED", "");
  put(g, emit, ctx, BITS_INT, l->max_window, "MAX_", "WINDOW", "");
  for (size_t i = 0; i < l->n_header; i++)
    put(g, emit, ctx, BITS_INT, l->header[i].at, "AT_", l->header[i].name, "");
  put(g, emit, ctx, BITS_INT, header, "AT_", "PAYLOAD", "");
}

static void codes(struct kg *g, kg_const_fn emit, void *ctx)
{
  const struct kg_link *l = g->link;

  emit(ctx, "types; a reply has KT_LINK_REPLY as well", NULL, 0, 0);
  for (size_t i = 0; i < l->n_types; i++)
    put(g, emit, ctx, BITS_BYTE, l->type[i].value, "TYPE_", l->type[i].name, "");
  put(g, emit, ctx, BITS_BYTE, l->reply, "", "REPLY", "");
  emit(ctx, "outcomes", NULL, 0, 0);
  for (size_t i = 0; i < l->n_statuses; i++)
    put(g, emit, ctx, BITS_STATUS, l->status[i].value, "STATUS_", l->status[i].name, "");
  emit(ctx, "payload of the reply to a status request", NULL, 0, 0);
  put(g, emit, ctx, BITS_INT, kg_pieces_size(l->status_reply, l->n_status_reply), "STATE_", "BYTES",
      "");
  for (size_t i = 0; i < l->n_status_reply; i++)
    put(g, emit, ctx, BITS_INT, l->status_reply[i].at, "STATE_AT_", l->status_reply[i].name, "");
  emit(ctx, "kinds of PHY", NULL, 0, 0);
  for (size_t i = 0; i < l->n_phys; i++)
    put(g, emit, ctx, BITS_PHY, l->phy[i].value, "PHY_", l->phy[i].name, "");
}

static void registers(struct kg *g, kg_const_fn emit, void *ctx)
{
  const struct kg_link *l = g->link;

  emit(ctx, "the link's own registers: addresses in read and write frames", NULL, 0, 0);
  put(g, emit, ctx, BITS_ADDR, l->base, "REG_", "BASE", "");
  for (size_t i = 0; i < l->n_regs; i++) {
    const struct kg_reg *r = &l->reg[i];
    put(g, emit, ctx, BITS_ADDR, l->base + r->offset, "REG_", r->name, "");
    if (r->count > 1) put(g, emit, ctx, BITS_INT, r->count, "", r->name, "_COUNT");
    for (size_t k = 0; k < r->n_fields; k++) {
      const char *group = kg_text(g, "%s_", r->name);
      put(g, emit, ctx, BITS_INT, r->field[k].lsb, group, r->field[k].name, "_LSB");
      put(g, emit, ctx, BITS_INT, r->field[k].bits, group, r->field[k].name, "_BITS");
    }
  }
}

/* What the device counts: a number for each counter, its register's place from the first one on. */
static void events(struct kg *g, kg_const_fn emit, void *ctx)
{
  const struct kg_link *l = g->link;
  uint32_t first = 0;

  emit(ctx, "events that the registers from COUNT_CRC on count", NULL, 0, 0);
  for (size_t i = 0; i < l->n_regs; i++) {
    const char *name = l->reg[i].name;
    bool count = strncmp(name, "COUNT_", 6) == 0;
    if (count && first == 0) first = l->reg[i].offset;
    if (first > 0)
      put(g, emit, ctx, BITS_EVENT, (l->reg[i].offset - first) / 4, "EVENT_",
          count ? name + 6 : name, "");
  }
}

static void constants(struct kg *g, kg_const_fn emit, void *ctx)
{
  identity(g, emit, ctx);
  frame(g, emit, ctx);
  codes(g, emit, ctx);
  registers(g, emit, ctx);
  events(g, emit, ctx);
}

void kg_emit_link_header(struct kg *g, FILE *f)
{
  static const struct kg_opening opening = {
      "/* Generated from spec/link.json by kt-gen: do not edit. */\n"
      "/* SPDX-License-Identifier: Apache-2.0 */\n"
      "/* Constants of the link (docs/link.md); rtl/generated/ktpu_link.vh has the same names and "
      "values. */\n",
      "KT_SPEC_GENERATED_KT_LINK_H"};

  kg_emit_c(g, f, &opening, constants);
}

void kg_emit_link_verilog(struct kg *g, FILE *f)
{
  kg_emit_v(g, f,
            "// Generated from spec/link.json by kt-gen: do not edit.\n"
            "// SPDX-License-Identifier: Apache-2.0\n"
            "// Constants of the link, included inside modules: no include guard on purpose. "
            "spec/generated/kt_link.h has the\n"
            "// same names and values. A module uses few of them: lint waives unused parameters of "
            "this file alone.\n",
            constants);
}

static void part_numbers(struct kg *g, FILE *f)
{
  const struct kg_link *l = g->link;

  for (size_t i = 0; i < l->n_boards; i++) {
    char *name = kg_upper(g, l->board[i].name);
    for (char *c = name; *c != '\0'; c++)
      if (*c == '-') *c = '_';
    fprintf(f, "  KT_PART_%s = %u,\n", name, l->board[i].number);
  }
}

void kg_emit_boards_header(struct kg *g, FILE *f)
{
  fputs("/* Generated from spec/boards.json by kt-gen: do not edit. */\n"
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* The boards that the host can open. */\n"
        "#ifndef KT_SPEC_GENERATED_KT_BOARDS_H\n#define KT_SPEC_GENERATED_KT_BOARDS_H\n\n"
        "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
        "/* What PART says. */\nenum kt_part {\n",
        f);
  part_numbers(g, f);
  fputs("};\n\nstruct kt_board {\n"
        "  const char *name, *role;\n"
        "  const char *config;  /* NULL: there is no core behind the link */\n"
        "  const char *top, *family, *device, *package;\n"
        "  const char *nextpnr; /* options for place and route; NULL: only simulated */\n"
        "  const char *chip;    /* the USB chip */\n"
        "  const char *product; /* how its product string begins; NULL: any */\n"
        "  uint32_t part;       /* enum kt_part */\n"
        "  uint32_t clock_hz;   /* of core and link */\n"
        "  uint32_t phy;        /* KT_LINK_PHY_* */\n"
        "  uint32_t baud;       /* 0: no UART */\n"
        "  uint32_t memory_bytes, window, payload;\n"
        "  uint16_t vid, pid;\n"
        "  uint16_t pid_other;  /* of other revisions; 0: none */\n"
        "  char interface;      /* 'A' or 'B' */\n"
        "  bool is_small;       /* the small build of the link */\n"
        "  bool is_virtual;     /* exists in simulation only */\n"
        "};\n\n"
        "extern const struct kt_board kt_boards[];\nextern const size_t kt_n_boards;\n\n#endif\n",
        f);
}

static const char *quoted(struct kg *g, const char *s)
{
  return s == NULL ? "NULL" : kg_text(g, "\"%s\"", s);
}

void kg_emit_boards(struct kg *g, FILE *f)
{
  const struct kg_link *l = g->link;

  fputs("/* Generated from spec/boards.json by kt-gen: do not edit. */\n"
        "/* SPDX-License-Identifier: Apache-2.0 */\n/* The boards. */\n"
        "#include \"spec/generated/kt_boards.h\"\n#include \"spec/generated/kt_link.h\"\n\n"
        "const struct kt_board kt_boards[] = {\n",
        f);
  for (size_t i = 0; i < l->n_boards; i++) {
    const struct kg_board *b = &l->board[i];
    fprintf(f,
            "  { \"%s\", \"%s\",\n    %s, \"%s\", \"%s\", \"%s\", \"%s\",\n    %s, \"%s\", %s,\n",
            b->name, b->role, quoted(g, b->config), b->top, b->family, b->device, b->package,
            quoted(g, b->nextpnr), b->chip, quoted(g, b->product));
    fprintf(f, "    %u, %u, KT_LINK_PHY_%s, %u, %u, %u, %u,\n", b->number, b->clock_hz, b->phy,
            b->baud, b->memory_bytes, b->window, b->payload);
    fprintf(f, "    0x%04X, 0x%04X, 0x%04X, '%c', %s, %s },\n", b->vid, b->pid, b->pid_other,
            b->interface[0], b->is_small ? "true" : "false", b->is_virtual ? "true" : "false");
  }
  fprintf(f, "};\nconst size_t kt_n_boards = %zu;\n", l->n_boards);
}
