/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of spec/mx.json and of the configs with its engine, and what is made from them. */
#ifndef KT_SPEC_GEN_KG_MX_H
#define KT_SPEC_GEN_KG_MX_H

#include "spec/gen/kg.h"

enum { KG_MX_WORDS = 8, KG_MX_MAX_LEGAL = 16 };

struct kg_mx_field {
  const char *name, *role;
  uint32_t word, lsb, bits, min, max, multiple, number;
};

struct kg_mx_insn {
  const char *name, *role;
  uint32_t opcode, used[KG_MX_WORDS];
  struct kg_mx_field *field;
  size_t n_fields;
};

struct kg_mx_param {
  const char *name, *role;
  uint32_t value, legal[KG_MX_MAX_LEGAL];
  size_t n_legal;
};

struct kg_mx_config {
  const char *name, *role;
  bool given[KG_MAX_PARAMS];
  uint32_t value[KG_MAX_PARAMS];
};

struct kg_mx {
  uint32_t version, engine, block, lanes, beat_bytes, entry_bytes, half_entry_bytes, flit_words,
      command_words, write_burst;
  struct kg_mx_param *param;
  struct kg_mx_insn *insn;
  struct kg_named *command, *fault, *waiting, *state;
  struct kg_reg *reg;
  struct kg_mx_config config[KG_MAX_CONFIGS];
  size_t n_params, n_insns, n_commands, n_faults, n_waiting, n_states, n_regs, n_configs;
};

void kg_load_mx(struct kg *g);
/* A config file whose engine is this one. */
void kg_load_mx_config(struct kg *g, const cJSON *root, const char *file_name);
void kg_check_mx(struct kg *g);
void kg_emit_mx_header(struct kg *g, FILE *f);
void kg_emit_mx_verilog(struct kg *g, FILE *f);
void kg_emit_mx_tables(struct kg *g, FILE *f);
void kg_emit_mx_checks(struct kg *g, FILE *f); /* Verilog functions */
void kg_emit_mx_page(struct kg *g, FILE *f); /* tables of docs/mx-isa.md */

#endif
