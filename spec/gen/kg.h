/* SPDX-License-Identifier: Apache-2.0 */
/* kt-gen: reads spec/tinytpu.json and spec/configs, checks them, writes every generated file.
 * Internal interface; what belongs to link and boards is in kg_link.h. */
#ifndef KT_SPEC_GEN_KG_H
#define KT_SPEC_GEN_KG_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "spec/kt_isa.h"

enum { KG_MAX_SYMBOLS = 48, KG_MAX_ERRORS = 32, KG_MAX_CONFIGS = 16, KG_MAX_PARAMS = 24 };

struct kg_bits {
  const char *name, *role;
  uint32_t lsb, bits;
};

struct kg_reg {
  const char *name, *access, *role;
  uint32_t offset, count, reset;
  bool has_reset;
  struct kg_bits *field;
  size_t n_fields;
};

struct kg_named {
  const char *name, *role;
  uint32_t value;
};

/* One descriptor check: a fault about a word (word = -1 where it is about none). */
struct kg_desc_check {
  int fault, word;
};

struct kg_config {
  const char *name, *role;
  bool given[KG_MAX_PARAMS];
  int64_t value[KG_MAX_PARAMS];
};

struct kg_numerics {
  uint32_t operand_bits, acc_bits, product_bits, shift_max;
  bool operand_signed, acc_signed, relu_exact;
  const char *accumulate_overflow, *accumulate_order, *output_overflow, *output_rounding,
      *shift_rounding, *vadd_overflow;
};

/* Everything read, plus the arena that owns it. */
struct kg {
  const char *root; /* repository */
  const char *file; /* file being read, for messages */
  char *error[KG_MAX_ERRORS];
  size_t n_errors;
  void **block;
  size_t n_blocks, cap_blocks;

  struct kt_isa isa;
  const char *symbol[KG_MAX_SYMBOLS];
  const char *name;
  uint32_t magic, iwords, word_bits, min_trip;
  struct kg_reg *reg;
  size_t n_regs;
  const char **state;
  size_t n_states;
  uint32_t counter_stride;
  uint32_t desc_bytes, stride_max;
  struct kg_named *desc_word;
  size_t n_desc_words;
  struct kg_bits *flag;
  size_t n_flags;
  struct kg_named *form;
  size_t n_forms;
  int *instr_order;
  size_t n_instr_order;
  int *end_order;
  size_t n_end_order;
  struct kg_desc_check *desc_order;
  size_t n_desc_order;
  int *copies; /* opcodes that copy without reading for use */
  size_t n_copies;
  struct kg_numerics num;
  struct kg_config config[KG_MAX_CONFIGS];
  size_t n_configs;
  struct kg_link *link; /* kg_link.h */
  struct kg_mx *mx;     /* kg_mx.h */
};

/* kg_util.c: memory from the arena (zeroed; the program stops if there is none), files, errors. */
void *kg_alloc(struct kg *g, size_t count, size_t size);
char *kg_strdup(struct kg *g, const char *s);
__attribute__((format(printf, 2, 3))) char *kg_text(struct kg *g, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void kg_fail(struct kg *g, const char *where, const char *fmt,
                                                   ...);
char *kg_read_file(struct kg *g, const char *path); /* NULL if it cannot be read */
void kg_free(struct kg *g);
char *kg_upper(struct kg *g, const char *s); /* "dma_ld" -> "DMA_LD" */

/* kg_json.c: strict reading. Each records an error and returns a harmless value on a wrong type or
   range. keys: names parted by blanks; a leading '?' marks a key that may be missing. */
void kg_keys(struct kg *g, const cJSON *obj, const char *where, const char *keys);
const char *kg_str(struct kg *g, const cJSON *obj, const char *where, const char *key);
const char *kg_str_or_null(struct kg *g, const cJSON *obj, const char *where, const char *key);
uint32_t kg_uint(struct kg *g, const cJSON *obj, const char *where, const char *key, uint32_t max);
int kg_uint_or_null(struct kg *g, const cJSON *obj, const char *where, const char *key,
                    uint32_t max); /* null: -1 */
bool kg_bool(struct kg *g, const cJSON *obj, const char *where, const char *key);
const cJSON *kg_obj(struct kg *g, const cJSON *obj, const char *where, const char *key);
const cJSON *kg_array(struct kg *g, const cJSON *obj, const char *where, const char *key,
                      size_t max, size_t *n);
uint32_t kg_hex(struct kg *g, const cJSON *obj, const char *where,
                const char *key); /* "0x..." in a string */

/* kg_expr.c: text forms to tables. */
struct kt_expr kg_expr(struct kg *g, const char *where, const char *text);
struct kt_linear kg_linear(struct kg *g, const char *where, const char *text);
struct kt_cond kg_cond(struct kg *g, const char *where, const char *text,
                       const struct kt_opcode *op);

/* kg_load*.c: JSON to tables. */
bool kg_load(struct kg *g);
void kg_load_isa(struct kg *g, const cJSON *root); /* encoding, units, memories, opcodes, header */
void kg_load_params(struct kg *g,
                    const cJSON *root); /* parameters, constants, constraints, GEMM, ceilings */
void kg_load_regs(struct kg *g,
                  const cJSON *root); /* registers, descriptor, faults, check order, numerics */
void kg_load_opcodes(struct kg *g, const cJSON *root);
cJSON *kg_parse(struct kg *g, const char *relative); /* NULL after an error; sets g->file */
struct kg_reg *kg_load_registers(struct kg *g, const cJSON *root, size_t *n);
struct kg_named *kg_load_named(struct kg *g, const cJSON *list, const char *where,
                               const char *value_key, size_t n);
void kg_load_configs(struct kg *g);
int kg_find_unit(const struct kg *g, const char *name); /* -1 if there is none; likewise below */
int kg_find_port(const struct kt_unit *u, const char *name);
int kg_find_memory(const struct kg *g, const char *name);
int kg_find_opcode(const struct kg *g, const char *name);
int kg_find_fault(const struct kg *g, const char *name);
int kg_find_operand(const struct kt_opcode *op, const char *name);
int kg_find_desc_word(const struct kg *g, const char *name);

/* kg_check*.c: what the tables must satisfy. */
void kg_check(struct kg *g);
void kg_check_isa(struct kg *g);     /* units, memories, header, faults */
void kg_check_opcodes(struct kg *g); /* operands and actions */
void kg_check_params(struct kg *g); /* parameters, constraints, configs, GEMM, ceilings, numerics */
void kg_check_regs(struct kg *g);   /* registers, descriptor */
void kg_check_registers(struct kg *g, const struct kg_reg *reg, size_t n);
/* Bit ranges of one word: each inside it, none over another. n at most 32. */
void kg_check_bits(struct kg *g, const char *where, const struct kg_bits *b, size_t n,
                   uint32_t word_bits);
/* Environment with the parameters' defaults, except those that config gives (NULL: none). */
bool kg_env(struct kg *g, const struct kg_config *config, int64_t env[KG_MAX_SYMBOLS]);

/* kg_emit_*.c: file contents. */
void kg_emit_header(struct kg *g, FILE *f);
void kg_emit_verilog(struct kg *g, FILE *f);
void kg_emit_tables(struct kg *g, FILE *f);
void kg_emit_pack(struct kg *g, FILE *f);
void kg_emit_configs(struct kg *g, FILE *f);
void kg_emit_interface(struct kg *g, FILE *f);
/* The tables between the markers of docs/isa.md: "<!-- GENERATED:name -->" to "<!-- END:name -->".
 */
void kg_emit_isa_page(struct kg *g, FILE *f);
/* The text in front of a generated file of constants, and the guard of the C header. */
struct kg_opening {
  const char *text, *guard;
};

/* One constant, for the C enum and the Verilog localparam alike. bits 0: a plain integer. */
typedef void (*kg_const_fn)(void *ctx, const char *section, const char *name, uint32_t bits,
                            uint64_t value);
typedef void (*kg_list_fn)(struct kg *g, kg_const_fn emit, void *ctx);
void kg_constants(struct kg *g, kg_const_fn emit, void *ctx);
void kg_emit_c(struct kg *g, FILE *f, const struct kg_opening *opening, kg_list_fn list);
void kg_emit_v(struct kg *g, FILE *f, const char *opening, kg_list_fn list);

#endif
