/* SPDX-License-Identifier: Apache-2.0
 *
 * Build parameters of a machine of MXFP7 clusters: parsing, defaults, checks, identity. Meanings
 * and legal values: docs/mx-isa.md.
 */
#ifndef KT_SPEC_KT_MX_PARAMS_H
#define KT_SPEC_KT_MX_PARAMS_H

#include "spec/kt_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of spec/mx.json's parameters. */
struct kt_mx_params {
  uint32_t kslice, packed, acc_mw, l1_entries, tiles, ififo, staging, commands, outstanding,
      addr_bits;
  char config[32]; /* name of the config that it started from; not part of the identity */
};

enum { KT_MX_CANONICAL_MAX = 256 };

/* Reads "CONFIG[,NAME=VALUE]...", e.g. "sim1,KSLICE=8". An unknown config or parameter, one given
 * twice or a bad number is KT_EPARSE, a value that is not legal KT_ERANGE; m (may be NULL) names the
 * thing, the value and the limit. On failure *p is unspecified. */
enum kt_status kt_mx_params_parse(struct kt_mx_params *p, const char *text, struct kt_msg *m);

/* Reads "NAME=VALUE,...", what the canonical string holds, from the first config on. */
enum kt_status kt_mx_params_parse_list(struct kt_mx_params *p, const char *text, struct kt_msg *m);

/* Whether text begins with the name of a config of this machine. */
bool kt_mx_params_is(const char *text);

/* "mx-1:KSLICE=32,...": every parameter in the specification's order. */
void kt_mx_params_canonical(const struct kt_mx_params *p, char *buf, size_t n);

/* CRC-32 of the canonical string: register CONFIG_HASH. */
uint32_t kt_mx_params_hash(const struct kt_mx_params *p);

/* Parameter number i of the specification's list. */
uint32_t kt_mx_params_get(const struct kt_mx_params *p, size_t i);

#endif
