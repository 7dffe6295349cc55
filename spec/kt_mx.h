/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the MXFP7 machine's instructions as the generator writes them from spec/mx.json:
 * checker, packer, disassembler and machine model read them. Places and values have names in
 * spec/generated/kt_mx.h; meanings are in docs/mx-machine.md.
 */
#ifndef KT_SPEC_KT_MX_H
#define KT_SPEC_KT_MX_H

#include "spec/generated/kt_mx.h"

#include <stddef.h>
#include <stdint.h>

/* One instruction: a flit, word 0 lowest. */
struct kt_mx_flit {
  uint32_t word[KT_MX_FLIT_WORDS];
};

/* A field of an instruction. min..max is legal, and multiples of multiple (1: any). */
struct kt_mx_field {
  const char *name, *role;
  uint32_t word, lsb, bits, min, max, multiple;
};

struct kt_mx_insn {
  const char *name, *role;
  uint32_t opcode;
  uint32_t first; /* number of its first field: KT_MX_FIELD_* */
  const struct kt_mx_field *field;
  size_t n_fields;
  uint32_t used[KT_MX_FLIT_WORDS]; /* bits that the opcode or a field owns */
};

/* A build parameter; a list of legal values. */
struct kt_mx_param {
  const char *name, *role;
  uint32_t value; /* default */
  const uint32_t *legal;
  size_t n_legal;
};

struct kt_mx_name {
  const char *name, *role;
  uint32_t value;
};

extern const struct kt_mx_insn kt_mx_insn[];
extern const size_t kt_mx_n_insns;
extern const struct kt_mx_param kt_mx_param[];
extern const size_t kt_mx_n_params;
extern const struct kt_mx_name kt_mx_fault[];
extern const size_t kt_mx_n_faults;
extern const struct kt_mx_name kt_mx_waiting[]; /* value: bit number */
extern const size_t kt_mx_n_waiting;
extern const struct kt_mx_name kt_mx_sweep_state[];
extern const size_t kt_mx_n_sweep_states;

/* One config: parameters that differ from the defaults; ends with name NULL. */
struct kt_mx_setting {
  const char *name;
  uint32_t value;
};
struct kt_mx_config {
  const char *name, *role;
  const struct kt_mx_setting *setting;
};
extern const struct kt_mx_config kt_mx_configs[]; /* ends with name NULL */

/* The instruction of an opcode; NULL: there is none. */
const struct kt_mx_insn *kt_mx_find(uint32_t opcode);

/* Value of field number `field` (KT_MX_FIELD_*) in a flit, and the other way; value must fit. */
uint32_t kt_mx_get(const struct kt_mx_flit *flit, uint32_t field);
void kt_mx_set(struct kt_mx_flit *flit, uint32_t field, uint32_t value);

/* The field of a number, with its instruction (may be NULL); NULL past the last. */
const struct kt_mx_field *kt_mx_field(uint32_t field, const struct kt_mx_insn **insn);

#endif
