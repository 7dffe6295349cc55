/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of spec/link.json and spec/boards.json, and what is made from them. */
#ifndef KT_SPEC_GEN_KG_LINK_H
#define KT_SPEC_GEN_KG_LINK_H

#include "spec/gen/kg.h"

/* A run of bytes in a frame. */
struct kg_piece {
  const char *name, *role;
  uint32_t bytes, at; /* at: the sum of those before */
};

struct kg_frame_type {
  const char *name, *role, *request, *reply, *repeat;
  uint32_t value;
};

struct kg_crc {
  uint32_t polynomial, initial, final_xor, residue;
};

struct kg_board {
  const char *name, *role, *config, *top, *family, *device, *package, *nextpnr, *phy, *chip,
      *product, *interface;
  uint32_t number, clock_hz, baud, vid, pid, pid_other, memory_bytes, window, payload;
  bool is_virtual, is_small;
};

struct kg_link {
  uint32_t version, magic, max_payload, max_window, reply, base;
  struct kg_crc crc;
  struct kg_piece *header, *status_reply;
  struct kg_frame_type *type;
  struct kg_named *status, *phy;
  struct kg_reg *reg;
  struct kg_board *board;
  size_t n_header, n_status_reply, n_types, n_statuses, n_phys, n_regs, n_boards;
};

void kg_load_link(struct kg *g);
void kg_load_boards(struct kg *g);
void kg_check_link(struct kg *g); /* and boards */

uint32_t kg_pieces_size(const struct kg_piece *p, size_t n);
void kg_emit_link_header(struct kg *g, FILE *f);
void kg_emit_link_verilog(struct kg *g, FILE *f);
void kg_emit_boards_header(struct kg *g, FILE *f);
void kg_emit_boards(struct kg *g, FILE *f);
void kg_emit_link_page(struct kg *g, FILE *f); /* tables of docs/link.md */

#endif
