/* Generated from spec/configs by kt-gen: do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
/* The built-in configs: what each gives; parameters not named take their defaults. */
#include "spec/kt_config.h"

static const struct kt_setting settings_0[] = {
  { "T", 8 },
  { "MAXDIM", 64 },
  { "QD", 4 },
  { "BUS_BITS", 64 },
  { "CONTRACTS", 0 },
  { "ADDR_BITS", 18 },
  { NULL, 0 },
};

static const struct kt_setting settings_1[] = {
  { "T", 4 },
  { "MAXDIM", 16 },
  { "QD", 2 },
  { "BUS_BITS", 64 },
  { "OUTSTANDING", 8 },
  { "CONTRACTS", 0 },
  { "STRIDES", 0 },
  { "COUNTERS", 0 },
  { "SERIAL_SHIFT", 1 },
  { "ADDR_BITS", 17 },
  { NULL, 0 },
};

static const struct kt_setting settings_2[] = {
  { "T", 4 },
  { "MAXDIM", 64 },
  { "BUS_BITS", 64 },
  { NULL, 0 },
};

const struct kt_config kt_configs[] = {
  { "ecp5-int8", "ECP5-85F: block RAM as memory", settings_0 },
  { "ice40", "iCE40UP5K: on-chip memory, smallest area", settings_1 },
  { "int8", "the int8 core alone, default of co-simulation", settings_2 },
  { NULL, NULL, NULL },
};
