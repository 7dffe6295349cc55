/* SPDX-License-Identifier: Apache-2.0 */
/* Facts that follow from the tables of struct kt_isa. Nothing here is typed in the specification.
   The generator uses these on what it has read, the library on kt_isa; spec/kt_actions.h is the
   library's side. Opcodes, units, memories and slots are table indices here. */
#ifndef KT_SPEC_KT_DERIVE_H
#define KT_SPEC_KT_DERIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/kt_isa.h"
#include "spec/kt_status.h"

/* Steps of one unit for one issue: fixed + per_row * nr. Both 0: the unit takes no part. */
struct kt_cost {
  uint32_t fixed, per_row;
};

/* Whether an action takes part in an issue with these fields (f0..f3, resolved). */
bool kt_cond_holds(const struct kt_cond *c, const uint32_t field[KT_ISA_FIELDS]);

/* Items at one port for one issue, before its copies share them: fixed + per_row * nr. */
struct kt_cost kt_port_items(const struct kt_isa *isa, uint32_t opcode, uint32_t unit,
                             uint32_t port, const uint32_t field[KT_ISA_FIELDS], uint32_t t);

/* The counting rule: the items that do not depend on nr first, then those of the rows, ports side
 * by side in each part. */
struct kt_cost kt_unit_cost(const struct kt_isa *isa, uint32_t opcode, uint32_t unit,
                            const uint32_t field[KT_ISA_FIELDS], uint32_t t);

/* Units that an opcode reaches under some fields: bit u for unit u. */
uint32_t kt_opcode_units(const struct kt_isa *isa, uint32_t opcode);

/* Whether the sequencer itself hands the unit its instructions. */
bool kt_unit_dispatched(const struct kt_isa *isa, uint32_t unit);

/* Whether the sequencer must rewrite nr for the unit, and to what: when a dispatched unit's steps
 * are not nr. */
bool kt_rewrite(const struct kt_isa *isa, uint32_t opcode, uint32_t unit, uint32_t t,
                struct kt_cost *to);

/* Memory that the row operand at op.operand[operand] addresses under these fields, and how many
   rows from it (of nr). False where the operand addresses none. */
bool kt_operand_span(const struct kt_isa *isa, uint32_t opcode, uint32_t operand,
                     const uint32_t field[KT_ISA_FIELDS], uint32_t t, uint32_t nr, uint32_t *memory,
                     uint32_t *rows);

/* Adds one issue to slot[isa->n_slots]: steps and items add up, spans keep the maximum, static
 * counts stay. */
void kt_slots_add(const struct kt_isa *isa, uint64_t *slot, uint32_t opcode, uint32_t nr,
                  const uint32_t field[KT_ISA_FIELDS], uint32_t t, uint64_t times);

/* Fills the constants of an environment from its parameters. False if one cannot be computed. */
bool kt_env_constants(const struct kt_isa *isa, int64_t *env);
/* Fills M, K, N and what follows from them. */
bool kt_env_shape(const struct kt_isa *isa, int64_t *env, uint32_t m, uint32_t k, uint32_t n);

/* Largest multiple of t that the ceiling allows for MAXDIM; 0 if not even t fits. */
uint32_t kt_ceiling_maxdim(const struct kt_isa *isa, uint32_t ceiling, uint32_t t);

/* Header counts of the plain GEMM in the environment (parameters and shape filled). False if an
 * expression fails. */
bool kt_gemm_counts(const struct kt_isa *isa, const int64_t *env, uint64_t *slot);

/* Whether an opcode's actions can run on its units: ports exist and suit the action, streams have
   two ends that agree, no port of an inelastic unit is asked for more than it gives. KT_EINVAL with
   the reason in m. */
enum kt_status kt_opcode_legal(const struct kt_isa *isa, uint32_t opcode, struct kt_msg *m);

#endif
