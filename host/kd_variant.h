/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of simulator variants: one directory a build, named after T, MAXDIM, bus width and whatever
 * else differs from the defaults that follow from these, such as T8-MAXDIM64-BUS64-QD4.
 */
#ifndef KD_VARIANT_H
#define KD_VARIANT_H

#include "spec/kt_mx_params.h"
#include "spec/kt_params.h"
#include "spec/kt_status.h"

#include <stddef.h>

enum { KD_VARIANT_MAX = 256 };

enum kt_status kd_variant_name(const struct kt_params *p, char *name, size_t n,
                               struct kt_msg *msg);

/* The other way: a text that kt_params_parse reads ("T=8,MAXDIM=64,BUS=64,QD=4"). A last part FST,
 * which marks a build with waveforms, is left out. KT_EPARSE for anything else. */
enum kt_status kd_variant_params(const char *name, char *text, size_t n, struct kt_msg *msg);

/* The make command that builds the variant, for messages. */
void kd_variant_command(const struct kt_params *p, int wave, char *text, size_t n);

/* The same for the MXFP7 machine: the config's name and what differs from it, such as
 * sim1-KSLICE8. kd_variant_params reads these names too. */
enum kt_status kd_mx_variant_name(const struct kt_mx_params *p, char *name, size_t n);
void kd_mx_variant_command(const struct kt_mx_params *p, int wave, char *text, size_t n);

#endif
