/* SPDX-License-Identifier: Apache-2.0 */
/* Build parameters: defaults, legal values, constraints, configs, identity. Stated from the
 * documentation. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "spec/kt_isa.h"
#include "spec/kt_params.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static char buffer[256];

static struct kt_params parsed(const char *text)
{
  struct kt_params p;
  struct kt_msg m = {""};

  cr_assert(eq(int, kt_params_parse(&p, text, &m), KT_OK), "%s: %s", text, m.text);
  return p;
}

static const char *param_line(const struct kt_param_def *d)
{
  size_t n = (size_t)snprintf(buffer, sizeof buffer, "%s (%s) = %s:", d->name,
                              d->alias == NULL ? "-" : d->alias, d->def.text);

  if (d->n_values == 0)
    snprintf(buffer + n, sizeof buffer - n, " %" PRId64 "..%" PRId64, d->min, d->max);
  for (size_t i = 0; i < d->n_values; i++)
    n += (size_t)snprintf(buffer + n, sizeof buffer - n, " %" PRId64, d->values[i]);
  return buffer;
}

Test(spec_params, parameters_are_the_documented_ones, .timeout = 5)
{
  static const char *const want[] = {
      "T (-) = 4: 4 8 16",
      "MAXDIM (-) = 64: 4..2048",
      "SPAD_ROWS (SPAD) = max(TEST_WINDOW, OPERAND_ROWS): 1..2048",
      "NVR (-) = max(TEST_WINDOW, OPERAND_ROWS): 1..2048",
      "NAR (-) = max(max(128, TEST_WINDOW), 2 * MAXDIM + 8): 1..2048",
      "IMEM_SIZE (IMEM) = NHDR + IWORDS * 48: 8..65528",
      "QD (-) = 8: 2..255",
      "BUS_BITS (BUS) = 64: 64 128 256",
      "OUTSTANDING (-) = 64: 1..255",
      "CONTRACTS (-) = 1: 0..1",
      "STRIDES (-) = 1: 0..1",
      "COUNTERS (-) = 1: 0..1",
      "SERIAL_SHIFT (-) = 0: 0..1",
      "ADDR_BITS (-) = 32: 12..32",
  };

  cr_assert(eq(sz, kt_isa.n_params, COUNT(want)));
  for (size_t i = 0; i < COUNT(want); i++)
    cr_assert(eq(str, (char *)param_line(&kt_isa.param[i]), (char *)want[i]));
  cr_assert(eq(i64, kt_isa.param[0].min, 4));
  cr_assert(eq(i64, kt_isa.param[0].max, 16));
  cr_assert(eq(i64, kt_isa.param[7].min, 64));
  cr_assert(eq(i64, kt_isa.param[7].max, 256));
}

Test(spec_params, constraints_are_the_documented_ones, .timeout = 5)
{
  static const char *const want[] = {
      "T_MIN: T >= 4",
      "MAXDIM_T: MAXDIM % T == 0",
      "OPERAND_ROWS: OPERAND_ROWS <= FIELD_MAX + 1",
      "AR_RAW_DIST: T >= AR_RAW_DIST",
      "IMEM_PREFETCH: IMEM_SIZE % 8 == 0",
      "IMEM_MIN: IMEM_SIZE >= NHDR + IWORDS",
      "SPAD_ADDRESS: SPAD_ROWS <= FIELD_MAX + 1",
      "NVR_ADDRESS: NVR <= FIELD_MAX + 1",
      "NAR_ADDRESS: NAR <= FIELD_MAX + 1",
      "SPAD_LAYOUT: SPAD_ROWS >= OPERAND_ROWS",
      "NVR_LAYOUT: NVR >= OPERAND_ROWS",
      "NAR_LAYOUT: NAR >= 2 * MAXDIM + 2",
  };

  cr_assert(eq(sz, kt_isa.n_constraints, COUNT(want)));
  for (size_t i = 0; i < COUNT(want); i++) {
    const struct kt_constraint *c = &kt_isa.constraint[i];
    snprintf(buffer, sizeof buffer, "%s: %s %s %s", c->name, c->left.text, kt_cmp_text(c->op),
             c->right.text);
    cr_assert(eq(str, buffer, (char *)want[i]));
  }
}

struct constant_case {
  const char *build, *name;
  int64_t want;
};

Test(spec_params, constants_follow_the_parameters, .timeout = 5)
{
  static const struct constant_case cases[] = {
      {"int8", "VW", 32},
      {"int8", "AW", 128},
      {"int8", "WPR", 16},
      {"int8", "OPERAND_ROWS", 1024},
      {"int8", "TEST_WINDOW", 64},
      {"int8", "MAXROWS", 127},
      {"int8", "NHDR", 8},
      {"int8", "IWORDS", 2},
      {"int8", "FIELD_MAX", 2047},
      {"int8", "NR_MAX", 127},
      {"int8", "COUNT_MAX", 32767},
      {"int8", "AR_RAW_DIST", 4},
      {"T=8", "VW", 64},
      {"T=8", "AW", 256},
      {"T=8", "WPR", 8},
      {"T=8", "OPERAND_ROWS", 512},
      {"ice40", "WPR", 4},
      {"ice40", "OPERAND_ROWS", 64},
      {"T=16", "VW", 128},
      {"T=8", "T", 8},
      {"BUS=128", "BUS_BITS", 128},
  };

  for (size_t i = 0; i < COUNT(cases); i++) {
    struct kt_params p = parsed(cases[i].build);
    int64_t v = -1;
    cr_assert(eq(int, kt_params_value(&p, cases[i].name, &v), KT_OK));
    cr_assert(eq(i64, v, cases[i].want), "%s of %s", cases[i].name, cases[i].build);
  }
  struct kt_params p = parsed("int8");
  int64_t v;
  cr_assert(eq(int, kt_params_value(&p, "NOPE", &v), KT_EINVAL));
}

Test(spec_params, defaults_follow_T_and_MAXDIM_unless_given, .timeout = 5)
{
  struct kt_params p = parsed("int8");

  cr_assert(p.t == 4 && p.maxdim == 64 && p.spad_rows == 1024 && p.nvr == 1024 && p.nar == 136);
  cr_assert(p.imem_size == 104 && p.qd == 8 && p.bus_bits == 64 && p.outstanding == 64 &&
            p.addr_bits == 32);
  cr_assert(p.contracts == 1 && p.strides == 1 && p.counters == 1 && p.serial_shift == 0);
  p = parsed("T=8,MAXDIM=128");
  cr_assert(p.spad_rows == 2048 && p.nvr == 2048 && p.nar == 264);
  p = parsed("MAXDIM=16,NVR=100");
  cr_assert(p.spad_rows == 64 && p.nvr == 100 && p.nar == 128);
  p = parsed("int8,SPAD=2000,IMEM=32,BUS=256");
  cr_assert(p.spad_rows == 2000 && p.imem_size == 32 && p.bus_bits == 256);
}

Test(spec_params, the_named_builds_are_the_documented_ones, .timeout = 5)
{
  struct kt_params p = parsed("ice40");

  cr_assert(p.t == 4 && p.maxdim == 16 && p.bus_bits == 64 && p.qd == 2 && p.outstanding == 8 &&
            p.addr_bits == 17);
  cr_assert(p.contracts == 0 && p.strides == 0 && p.counters == 0 && p.serial_shift == 1);
  cr_assert(eq(str, p.config, "ice40"));
  p = parsed("ecp5-int8");
  cr_assert(p.t == 8 && p.maxdim == 64 && p.bus_bits == 64 && p.qd == 4 && p.outstanding == 64 &&
            p.addr_bits == 18);
  cr_assert(p.contracts == 0 && p.strides == 1 && p.counters == 1 && p.serial_shift == 0);
  p = parsed("ice40,MAXDIM=32");
  cr_assert(p.maxdim == 32 && p.qd == 2 && p.nvr == 256);
  cr_assert(eq(str, (char *)kt_params_config_name(0), "ecp5-int8"));
  cr_assert(eq(str, (char *)kt_params_config_name(2), "int8"));
  cr_assert(eq(ptr, (void *)kt_params_config_name(3), NULL));
}

struct refusal {
  const char *text;
  enum kt_status want;
  const char *says; /* the thing, its value and the limit */
};

Test(spec_params, every_refusal_names_the_thing_the_value_and_the_limit, .timeout = 5)
{
  static const struct refusal cases[] = {
      {"T=3", KT_ERANGE, "T = 3 is not one of 4, 8, 16"},
      {"T=12", KT_ERANGE, "T = 12 is not one of 4, 8, 16"},
      {"T=0", KT_ERANGE, "T = 0 is not one of"},
      {"MAXDIM=0", KT_ERANGE, "MAXDIM = 0 is outside 4..2048"},
      {"MAXDIM=2052", KT_ERANGE, "MAXDIM = 2052 is outside 4..2048"},
      {"BUS=32", KT_ERANGE, "BUS_BITS = 32 is not one of 64, 128, 256"},
      {"BUS=512", KT_ERANGE, "BUS_BITS = 512"},
      {"QD=1", KT_ERANGE, "QD = 1 is outside 2..255"},
      {"QD=256", KT_ERANGE, "QD = 256 is outside 2..255"},
      {"OUTSTANDING=0", KT_ERANGE, "OUTSTANDING = 0 is outside 1..255"},
      {"OUTSTANDING=256", KT_ERANGE, "OUTSTANDING = 256"},
      {"CONTRACTS=2", KT_ERANGE, "CONTRACTS = 2 is outside 0..1"},
      {"STRIDES=2", KT_ERANGE, "STRIDES = 2 is outside 0..1"},
      {"COUNTERS=2", KT_ERANGE, "COUNTERS = 2 is outside 0..1"},
      {"SERIAL_SHIFT=2", KT_ERANGE, "SERIAL_SHIFT = 2 is outside 0..1"},
      {"ADDR_BITS=11", KT_ERANGE, "ADDR_BITS = 11 is outside 12..32"},
      {"ADDR_BITS=33", KT_ERANGE, "ADDR_BITS = 33 is outside 12..32"},
      {"IMEM=65536", KT_ERANGE, "IMEM_SIZE = 65536 is outside 8..65528"},
      {"T=8,MAXDIM=20", KT_ELIMIT, "constraint MAXDIM_T: MAXDIM % T = 4 must be == 0"},
      {"MAXDIM=92", KT_ELIMIT, "constraint OPERAND_ROWS: OPERAND_ROWS = 2116 must be <= 2048"},
      {"T=8,MAXDIM=136", KT_ELIMIT, "constraint OPERAND_ROWS: OPERAND_ROWS = 2312 must be <= 2048"},
      {"IMEM=12", KT_ELIMIT, "constraint IMEM_PREFETCH: IMEM_SIZE % 8 = 4 must be == 0"},
      {"IMEM=8", KT_ELIMIT, "constraint IMEM_MIN: IMEM_SIZE = 8 must be >= 10"},
      {"IMEM=0", KT_ELIMIT, "constraint IMEM_MIN: IMEM_SIZE = 0 must be >= 10"},
      {"SPAD=2049", KT_ELIMIT, "constraint SPAD_ADDRESS: SPAD_ROWS = 2049 must be <= 2048"},
      {"NVR=2049", KT_ELIMIT, "constraint NVR_ADDRESS: NVR = 2049 must be <= 2048"},
      {"NAR=2049", KT_ELIMIT, "constraint NAR_ADDRESS: NAR = 2049 must be <= 2048"},
      {"SPAD=1023", KT_ELIMIT, "constraint SPAD_LAYOUT: SPAD_ROWS = 1023 must be >= 1024"},
      {"NVR=1023", KT_ELIMIT, "constraint NVR_LAYOUT: NVR = 1023 must be >= 1024"},
      {"NAR=129", KT_ELIMIT, "constraint NAR_LAYOUT: NAR = 129 must be >= 130"},
      {"nope", KT_EPARSE, "there is no config \"nope\""},
      {"int8,FOO=1", KT_EPARSE, "there is no parameter \"FOO\""},
      {"T", KT_EPARSE, "there is no config \"T\""},
      {"int8,T", KT_EPARSE, "T needs a whole number"},
      {"T=", KT_EPARSE, "T needs a whole number"},
      {"T=4x", KT_EPARSE, "T needs a whole number"},
      {"T=-4", KT_EPARSE, "T needs a whole number"},
      {"T=4294967300", KT_EPARSE, "T needs a whole number"}, /* 4 + 2^32 */
      {"T=99999999999", KT_EPARSE, "T needs a whole number"},
      {"T=4,T=4", KT_EPARSE, "T is given twice"},
      {"BUS=64,BUS_BITS=64", KT_EPARSE, "BUS_BITS is given twice"},
      {"T=4,", KT_EPARSE, "there is no parameter \"\""},
      {"T=4,,QD=8", KT_EPARSE, "there is no parameter \"\""},
  };

  for (size_t i = 0; i < COUNT(cases); i++) {
    struct kt_params p;
    struct kt_msg m = {""};
    cr_assert(eq(int, kt_params_parse(&p, cases[i].text, &m), cases[i].want), "%s: %s",
              cases[i].text, m.text);
    cr_assert(ne(ptr, strstr(m.text, cases[i].says), NULL), "%s: %s", cases[i].text, m.text);
  }
}

Test(spec_params, values_at_the_limits_are_accepted, .timeout = 5)
{
  static const char *const cases[] = {
      "MAXDIM=4",     "MAXDIM=88", "T=8,MAXDIM=128", "T=16,MAXDIM=176",
      "QD=2",         "QD=255",    "OUTSTANDING=1",  "OUTSTANDING=255",
      "ADDR_BITS=12", "IMEM=16",   "IMEM=65528",     "SPAD=2048",
      "NVR=2048",     "NAR=2048",  "NAR=130",        "SPAD=1024",
      "BUS=128",      "T=16",
  };

  for (size_t i = 0; i < COUNT(cases); i++) parsed(cases[i]);
}

Test(spec_params, a_check_without_a_message_buffer_refuses_too, .timeout = 5)
{
  struct kt_params p = parsed("int8");

  p.qd = 1;
  cr_assert(eq(int, kt_params_check(&p, NULL), KT_ERANGE));
  p.qd = 8;
  p.t = 0; /* MAXDIM / T has no value */
  cr_assert(eq(int, kt_params_check(&p, NULL), KT_ERANGE));
}

Test(spec_params, identity_is_stable_and_depends_on_every_parameter, .timeout = 5)
{
  static const char text[] =
      "tinytpu-1:T=4,MAXDIM=64,SPAD_ROWS=1024,NVR=1024,NAR=136,IMEM_SIZE=104,QD=8,BUS_BITS=64,"
      "OUTSTANDING=64,CONTRACTS=1,STRIDES=1,COUNTERS=1,SERIAL_SHIFT=0,ADDR_BITS=32";
  static const char *const others[] = {"T=8,SPAD=1024,NVR=1024",
                                       "MAXDIM=60,SPAD=1024,NVR=1024,NAR=136",
                                       "SPAD=1025",
                                       "NVR=1025",
                                       "NAR=137",
                                       "IMEM=112",
                                       "QD=9",
                                       "BUS=128",
                                       "OUTSTANDING=63",
                                       "CONTRACTS=0",
                                       "STRIDES=0",
                                       "COUNTERS=0",
                                       "SERIAL_SHIFT=1",
                                       "ADDR_BITS=31"};
  struct kt_params p = parsed("int8");
  uint32_t hash = kt_params_hash(&p);

  kt_params_canonical(&p, buffer, sizeof buffer);
  cr_assert(eq(str, buffer, (char *)text));
  cr_assert(
      eq(u32, hash,
         0xB3BB07CEu)); /* python3 -c 'import zlib; print(hex(zlib.crc32(b"tinytpu-1:...")))' */
  for (size_t i = 0; i < COUNT(others); i++) {
    p = parsed(others[i]);
    cr_assert(ne(u32, kt_params_hash(&p), hash), "%s", others[i]);
  }
  p = parsed("T=4");
  strcpy(p.config, "other");
  cr_assert(eq(u32, kt_params_hash(&p), hash), "the name is no part of the identity");
}

Test(spec_params, a_short_buffer_cuts_the_canonical_text, .timeout = 5)
{
  struct kt_params p = parsed("int8");
  char small[12];

  memset(small, 'x', sizeof small);
  kt_params_canonical(&p, small, 10);
  cr_assert(eq(str, small, "tinytpu-1"));
  cr_assert(eq(chr, small[10], 'x'));
}

Test(spec_params, the_longest_canonical_text_fits, .timeout = 5)
{
  struct kt_params p = parsed("int8");
  char text[KT_PARAMS_CANONICAL_MAX + 256];

  p.t = p.maxdim = p.spad_rows = p.nvr = p.nar = p.imem_size = p.qd = p.bus_bits = p.outstanding =
      UINT32_MAX;
  p.contracts = p.strides = p.counters = p.serial_shift = p.addr_bits = UINT32_MAX;
  kt_params_canonical(&p, text, sizeof text);
  cr_assert(lt(sz, strlen(text), (size_t)KT_PARAMS_CANONICAL_MAX));
}
