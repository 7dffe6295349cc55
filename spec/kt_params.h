/* SPDX-License-Identifier: Apache-2.0 */
/* Build parameters of the int8 core: parsing, defaults, checks, identity. */
#ifndef KT_SPEC_KT_PARAMS_H
#define KT_SPEC_KT_PARAMS_H

#include <stddef.h>
#include <stdint.h>

#include "spec/kt_status.h"

/* One build. Ranges and meanings: docs/isa.md, Parameters. */
struct kt_params {
  char config[32]; /* name of the config that it started from; not part of the identity */
  uint32_t t, maxdim, spad_rows, nvr, nar, imem_size, qd, bus_bits, outstanding;
  uint32_t contracts, strides, counters, serial_shift, addr_bits;
};

/* Space that kt_params_canonical never exceeds, terminator included. */
enum { KT_PARAMS_CANONICAL_MAX = 320 };

/* Reads "CONFIG[,NAME=VALUE]..." or "NAME=VALUE,...", e.g. "int8,T=8,BUS=64" (without a name:
   config int8). NAME is a parameter of docs/isa.md or its alias (BUS, SPAD, IMEM); a name given
   twice, an unknown one or a bad number is KT_EPARSE. Parameters that neither the text nor the
   config gives take their defaults, which follow T and MAXDIM. The result has passed
   kt_params_check. On failure *p is unspecified and m names the thing, the value and the limit. */
enum kt_status kt_params_parse(struct kt_params *p, const char *text, struct kt_msg *m);

/* KT_ERANGE if a parameter is outside its legal values, KT_ELIMIT if a constraint between
 * parameters is broken. */
enum kt_status kt_params_check(const struct kt_params *p, struct kt_msg *m);

/* CRC-32 of the canonical string: register CONFIG_HASH. Independent of p->config. */
uint32_t kt_params_hash(const struct kt_params *p);

/* "tinytpu-1:T=4,MAXDIM=64,...": every parameter in the specification's order. */
void kt_params_canonical(const struct kt_params *p, char *buf, size_t n);

/* Value of the parameter or derived constant named name ("WPR", "OPERAND_ROWS", "T"). KT_EINVAL if
 * there is none. */
enum kt_status kt_params_value(const struct kt_params *p, const char *name, int64_t *value);

/* Environment for expressions over p: kt_isa.n_symbols values (KT_PARAMS_ENV_MAX at most), shape
   symbols 0. False if a derived constant cannot be computed (T = 0). */
enum { KT_PARAMS_ENV_MAX = 48 };
_Bool kt_params_env(const struct kt_params *p, int64_t env[KT_PARAMS_ENV_MAX]);

/* Names of the built-in configs (spec/configs), in a fixed order; NULL past the end. */
const char *kt_params_config_name(size_t index);

#endif
