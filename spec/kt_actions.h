/* SPDX-License-Identifier: Apache-2.0 */
/* Derived facts of the int8 core's instruction set, computed from the actions of spec/tinytpu.json.
   Opcodes are their encoded values (KT_OP_...), units KT_UNIT_..., memories their names. */
#ifndef KT_SPEC_KT_ACTIONS_H
#define KT_SPEC_KT_ACTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_derive.h"
#include "spec/kt_isa.h"
#include "spec/kt_params.h"
#include "spec/kt_status.h"

/* The opcode's entry, NULL for a value that is none (a retired one has an entry). */
const struct kt_opcode *kt_opcode(uint32_t op);
const struct kt_opcode *kt_opcode_by_name(const char *name);
/* The operand that field f0..f3 holds, NULL for none. */
const struct kt_operand *kt_operand(uint32_t op, uint32_t field);
const struct kt_fault_def *kt_fault(uint32_t code); /* NULL for a code that is none */
const char *kt_fault_name(uint32_t code);           /* "?" for one that is none */
const char *kt_unit_name(uint32_t unit);            /* "?" likewise */

/* Steps that unit spends on one issue with resolved fields f0..f3 and nr rows; 0 where it takes no
 * part. */
uint32_t kt_steps(uint32_t op, uint32_t unit, uint32_t nr, const uint32_t field[4], uint32_t t);

/* Work counts of a program's issues. slot[]: KT_HDR_... numbers, the count that each promises. */
struct kt_counts {
  uint32_t t;
  uint64_t slot[KT_HDR_COUNT];
};

void kt_counts_init(struct kt_counts *c, uint32_t t, uint32_t n_instr);
/* One dynamic issue, fields resolved. loop, endloop and nop change nothing. */
void kt_counts_add(struct kt_counts *c, uint32_t op, uint32_t nr, const uint32_t field[4]);
/* The header that promises c. KT_ELIMIT naming the first slot that passes KT_COUNT_MAX. */
enum kt_status kt_counts_header(const struct kt_counts *c, uint64_t header[KT_NHDR],
                                struct kt_msg *m);

/* Rows that the row operand in field touches, and the depth of what it addresses ("spad", "vr",
   "ar", "A", "B", "C"). False where the opcode's field holds no row. */
struct kt_bound {
  const char *memory;
  int code; /* KT_MEM_..., -1 outside the core */
  uint32_t rows, depth;
};
bool kt_operand_bound(const struct kt_params *p, uint32_t op, uint32_t field, uint32_t nr,
                      const uint32_t f[4], struct kt_bound *out);

/* Largest value that a field may hold once resolved: listed values, col_block's limit, else
 * KT_FIELD_MAX. */
uint32_t kt_field_limit(const struct kt_params *p, uint32_t op, uint32_t field);

/* Trips for which base + iv * stride stays within the field's legal values: 0 if base is illegal,
   UINT32_MAX if it never leaves them (stride 0). */
uint32_t kt_agu_legal_trip(const struct kt_params *p, uint32_t op, uint32_t field, uint32_t base,
                           uint32_t stride);

/* Address terms that an instruction spends (target not 0), of KT_AGU_TERMS. */
uint32_t kt_terms_used(const uint64_t w[KT_IWORDS]);

/* Largest legal MAXDIM at t by the ceiling "addressing" or "cubic_header"; 0 for an unknown name.
 */
uint32_t kt_maxdim_ceiling(const char *name, uint32_t t);

/* One limit on the plain GEMM as a single program. It fits when value <= limit; over = value -
 * limit where it does not. */
struct kt_gemm_limit {
  const char *name, *what;
  uint64_t value, limit, over;
  bool is_alternative;    /* stands in for another, which it relieves when B's load is split */
  const char *instead_of; /* that limit's name, or NULL */
};

enum { KT_GEMM_LIMITS_MAX = 24 };

struct kt_gemm_limits {
  struct kt_gemm_limit limit[KT_GEMM_LIMITS_MAX];
  size_t n;
  bool fits;       /* every limit but the alternatives */
  bool fits_split; /* with the alternatives in place of what they stand in for */
};

/* Which limits a GEMM of M x K x N meets on p (its T and MAXDIM need not be a legal build).
 * KT_ERANGE for a zero size. */
enum kt_status kt_gemm_limits(const struct kt_params *p, uint32_t m, uint32_t k, uint32_t n,
                              struct kt_gemm_limits *out, struct kt_msg *msg);
/* The limit named, NULL for none. */
const struct kt_gemm_limit *kt_gemm_limit(const struct kt_gemm_limits *l, const char *name);

/* Opcodes that read or write a memory, in table order. */
struct kt_access {
  uint32_t op;
  const char *condition; /* NULL: always */
  const char *purpose;   /* NULL for writers */
};
size_t kt_memory_access(const char *memory, bool writes, struct kt_access *out, size_t max);

#endif
