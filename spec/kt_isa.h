/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set as tables. The generator fills them from spec/tinytpu.json; the library
   carries them as constants (kt_isa below), so that both derive facts with the same functions
   (spec/kt_derive.h). */
#ifndef KT_SPEC_KT_ISA_H
#define KT_SPEC_KT_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/kt_expr.h"

enum { KT_ISA_FIELDS = 4, KT_ISA_PORTS = 8, KT_ISA_LEGAL = 8 };

/* Bits [lsb, lsb + bits) of a word; usable values are 0..max. */
struct kt_field {
  const char *name, *role;
  uint32_t lsb, bits, max;
  int target; /* AGU target number, -1 where a field is none */
};

enum kt_port_role { KT_PORT_CONTROL, KT_PORT_MEMORY, KT_PORT_COMPUTE, KT_PORT_STREAM };

struct kt_port {
  const char *name;
  enum kt_port_role role;
  uint32_t copies; /* items a step */
};

struct kt_unit {
  const char *name;
  int fed_by; /* unit that hands it its instructions, -1 for the one that fetches them */
  uint32_t ii;
  bool elastic; /* contention on a port costs a step; otherwise it is illegal */
  struct kt_port port[KT_ISA_PORTS];
  size_t n_ports;
};

enum kt_host_access { KT_HOST_NONE, KT_HOST_WRITES, KT_HOST_READS };

struct kt_memory {
  const char *name, *port; /* port: prefix of the owner's ports, NULL for none */
  int code;                /* number in faults, -1 for none */
  int owner;               /* unit */
  struct kt_expr depth, row_bits, rows;
  enum kt_host_access host;
};

enum kt_operand_kind { KT_OPERAND_SELECT, KT_OPERAND_BELOW, KT_OPERAND_ROW };

struct kt_operand {
  const char *name, *role;
  uint32_t field; /* 0..3 */
  enum kt_operand_kind kind;
  uint32_t legal[KT_ISA_LEGAL]; /* SELECT: ascending */
  size_t n_legal;
  struct kt_expr limit; /* BELOW: value < limit */
  uint32_t fault;       /* SELECT, BELOW: fault code */
};

enum kt_nr_use { KT_NR_NONE, KT_NR_ROWS, KT_NR_TRIP };

struct kt_opcode {
  const char *name, *does;
  uint32_t value;
  enum kt_nr_use nr;
  bool retired;
  struct kt_operand operand[KT_ISA_FIELDS];
  size_t n_operands;
};

enum kt_action_kind {
  KT_ACTION_READ,
  KT_ACTION_WRITE,
  KT_ACTION_COMPUTE,
  KT_ACTION_EMIT,
  KT_ACTION_RECEIVE
};

/* fixed + t * T + nr * rows. */
struct kt_linear {
  uint32_t fixed, t, nr;
};

/* (field & mask) == value; mask 0 holds always. */
struct kt_cond {
  uint32_t field, mask, value;
  const char *text;
};

struct kt_action {
  uint32_t opcode; /* index in opcode[] */
  uint32_t unit, port;
  enum kt_action_kind kind;
  int memory;        /* READ, WRITE: index in memory[]; else -1 */
  const char *state; /* memory or operation, NULL for streams */
  int base;          /* READ, WRITE: index in the opcode's operand[]; else -1 */
  struct kt_linear items;
  struct kt_cond cond;
  const char *purpose;
};

enum kt_slot_kind { KT_SLOT_STATIC, KT_SLOT_STEPS, KT_SLOT_ITEMS, KT_SLOT_SPAN };

struct kt_slot {
  const char *name;
  uint32_t word, lsb, bits;
  enum kt_slot_kind kind;
  int unit, port, memory, consumer; /* -1 where none */
};

struct kt_param_def {
  const char *name, *alias, *role;
  size_t offset; /* in struct kt_params */
  struct kt_expr def;
  int64_t min, max;
  int64_t values[KT_ISA_LEGAL]; /* the only legal values where n_values > 0 */
  size_t n_values;
};

/* A symbol that is an expression over earlier symbols. */
struct kt_symbol {
  const char *name, *role;
  uint32_t index; /* in the environment */
  struct kt_expr value;
};

struct kt_constraint {
  const char *name, *why;
  struct kt_expr left, right;
  enum kt_cmp op;
};

struct kt_limit {
  const char *name, *what;
  struct kt_expr left, right; /* fits when left <= right */
  int alternative_to;         /* limit that it can stand in for, -1 for none */
};

struct kt_gemm_issue {
  uint32_t opcode;
  uint32_t field[KT_ISA_FIELDS];
  struct kt_expr times, nr;
  const char *what;
};

struct kt_ceiling {
  const char *name, *question, *refused_by;
  struct kt_expr left, right;
  int slot; /* header slot that left restates for M = K = N = MAXDIM, -1 for none */
};

struct kt_fault_def {
  const char *name, *found, *sub, *arg;
  uint32_t code;
};

struct kt_isa {
  uint32_t version, spare_bits, n_terms, term_bits, header_words, count_max, field_max, nr_max,
      ar_raw_dist, loop_depth;
  const struct kt_field *word0, *term;
  size_t n_word0, n_term;
  const struct kt_unit *unit;
  size_t n_units;
  const struct kt_memory *memory;
  size_t n_memories;
  const struct kt_opcode *opcode;
  size_t n_opcodes;
  const struct kt_action *action; /* ordered by opcode */
  size_t n_actions;
  const struct kt_slot *slot;
  size_t n_slots;
  const struct kt_param_def *param; /* symbols 0.. */
  size_t n_params;
  size_t n_symbols;                 /* size of an environment */
  const struct kt_symbol *constant; /* fixed facts, then constants derived from parameters */
  size_t n_constants;
  const struct kt_symbol *shape; /* KT, NT: over M, K, N */
  size_t n_shape;
  uint32_t sym_m, sym_k, sym_n, sym_t, sym_maxdim;
  const struct kt_constraint *constraint;
  size_t n_constraints;
  const struct kt_limit *limit;
  size_t n_limits;
  const struct kt_gemm_issue *gemm;
  size_t n_gemm;
  const struct kt_ceiling *ceiling;
  size_t n_ceilings;
  const struct kt_fault_def *fault;
  size_t n_faults;
};

/* The tables of spec/tinytpu.json, compiled in (spec/generated/kt_isa_tables.c). */
extern const struct kt_isa kt_isa;

#endif
