/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of the page tables. */
#ifndef KT_SPEC_GEN_KG_PAGE_H
#define KT_SPEC_GEN_KG_PAGE_H

#include "spec/gen/kg.h"

/* s with '|' escaped for a table cell; "–" for NULL. */
const char *kg_cell(struct kg *g, const char *s);
/* "nr", "T + 1", "2 * nr", "5"; "0" for nothing. */
const char *kg_linear_text(struct kg *g, const struct kt_linear *l);
/* Names of the units in a mask, parted by ", "; "–" for none. */
const char *kg_unit_names(struct kg *g, uint32_t units);
/* Steps of a unit for an opcode as text in nr and T, "" where it takes no part. */
const char *kg_cost_text(struct kg *g, uint32_t opcode, uint32_t unit);

/* One generated block of a page, and the page itself rewritten. */
enum { KG_MAX_BLOCKS = 32 };
struct kg_block {
  const char *name;
  void (*emit)(struct kg *g, FILE *f);
};
void kg_emit_page(struct kg *g, FILE *f, const char *relative, const struct kg_block *block,
                  size_t n);
/* One table row a register; base is added to the offsets. */
void kg_page_register_rows(struct kg *g, FILE *f, const struct kg_reg *reg, size_t n,
                           uint32_t base);

/* Blocks of docs/isa.md, in the files kg_page_*.c. */
void kg_page_word0(struct kg *g, FILE *f);
void kg_page_term(struct kg *g, FILE *f);
void kg_page_opcodes(struct kg *g, FILE *f);
void kg_page_actions(struct kg *g, FILE *f);
void kg_page_units(struct kg *g, FILE *f);
void kg_page_costs(struct kg *g, FILE *f);
void kg_page_rewrites(struct kg *g, FILE *f);
void kg_page_header(struct kg *g, FILE *f);
void kg_page_memories(struct kg *g, FILE *f);
void kg_page_contracts(struct kg *g, FILE *f);
void kg_page_parameters(struct kg *g, FILE *f);
void kg_page_constants(struct kg *g, FILE *f);
void kg_page_constraints(struct kg *g, FILE *f);
void kg_page_configs(struct kg *g, FILE *f);
void kg_page_limits(struct kg *g, FILE *f);
void kg_page_ceilings(struct kg *g, FILE *f);
void kg_page_numerics(struct kg *g, FILE *f);
void kg_page_registers(struct kg *g, FILE *f);
void kg_page_descriptor(struct kg *g, FILE *f);
void kg_page_faults(struct kg *g, FILE *f);
void kg_page_order(struct kg *g, FILE *f);

#endif
