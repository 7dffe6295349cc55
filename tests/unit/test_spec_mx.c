/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and parameters of the MXFP7 machine: fields do not lie over each other, packing and
 * reading are inverse, parameters are parsed or refused with the thing, the value and the limit. */
#include <criterion/criterion.h>
#include <string.h>

#include "spec/kt_mx.h"
#include "spec/kt_mx_params.h"

Test(spec_mx, each_field_comes_back_and_touches_its_own_bits_alone)
{
  size_t seen = 0;

  for (size_t i = 0; i < kt_mx_n_insns; i++) {
    const struct kt_mx_insn *in = &kt_mx_insn[i];
    cr_assert_eq(kt_mx_find(in->opcode), in);
    for (uint32_t n = in->first; n < in->first + in->n_fields; n++, seen++) {
      struct kt_mx_flit zero = {{0}}, ones;
      memset(&ones, 0xff, sizeof ones);
      uint32_t all = in->field[n - in->first].bits == 32
                         ? UINT32_MAX
                         : (UINT32_C(1) << in->field[n - in->first].bits) - 1;
      kt_mx_set(&zero, n, all);
      kt_mx_set(&ones, n, 0);
      cr_assert_eq(kt_mx_get(&zero, n), all);
      cr_assert_eq(kt_mx_get(&ones, n), 0);
      for (uint32_t w = 0; w < KT_MX_FLIT_WORDS; w++) {
        cr_assert_eq(zero.word[w], ~ones.word[w]);
        cr_assert_eq(zero.word[w] & ~in->used[w], 0);
      }
    }
  }
  cr_assert_eq(seen, (size_t)KT_MX_FIELD_QUANTISE_TO + 1);
  cr_assert_null(kt_mx_find(0));
  cr_assert_null(kt_mx_field(KT_MX_FIELD_QUANTISE_TO + 1, NULL));
}

Test(spec_mx, constants_and_tables_tell_the_same_places)
{
  const struct kt_mx_insn *in = NULL;
  const struct kt_mx_field *f = kt_mx_field(KT_MX_FIELD_GEMM_TILE, &in);

  cr_assert_eq(in->opcode, KT_MX_OP_GEMM);
  cr_assert_str_eq(f->name, "TILE");
  cr_assert_eq(f->word, KT_MX_GEMM_TILE_WORD);
  cr_assert_eq(f->lsb, KT_MX_GEMM_TILE_LSB);
  cr_assert_eq(f->bits, KT_MX_GEMM_TILE_BITS);
  cr_assert_eq(32 * f->word + f->lsb, KT_MX_GEMM_TILE_AT);
}

Test(spec_mx, a_config_and_settings)
{
  struct kt_mx_params p, q;
  struct kt_msg m;
  char text[KT_MX_CANONICAL_MAX];

  cr_assert_eq(kt_mx_params_parse(&p, "sim1", &m), KT_OK, "%s", m.text);
  cr_assert_eq(p.kslice, 32);
  cr_assert_eq(p.l1_entries, 512);
  cr_assert_eq(kt_mx_params_parse(&q, "sim1,KSLICE=8,STAGING=64", &m), KT_OK, "%s", m.text);
  cr_assert_eq(q.kslice, 8);
  cr_assert_eq(q.staging, 64);
  cr_assert_neq(kt_mx_params_hash(&p), kt_mx_params_hash(&q));
  kt_mx_params_canonical(&q, text, sizeof text);
  cr_assert_not_null(strstr(text, "KSLICE=8,"));
  cr_assert(kt_mx_params_is("sim1,KSLICE=8"));
  cr_assert_not(kt_mx_params_is("int8,T=4"));
}

static void refused(const char *text, enum kt_status st, const char *part)
{
  struct kt_mx_params p;
  struct kt_msg m;

  cr_assert_eq(kt_mx_params_parse(&p, text, &m), st, "%s", text);
  cr_assert_not_null(strstr(m.text, part), "%s: %s", text, m.text);
}

Test(spec_mx, bad_settings_are_named)
{
  refused("sim9", KT_EPARSE, "sim9");
  refused("sim1,KSLICE=5", KT_ERANGE, "KSLICE = 5 is not one of 4, 8, 16, 32");
  refused("sim1,KSLICE", KT_EPARSE, "KSLICE needs a whole number");
  refused("sim1,KSLICE=", KT_EPARSE, "KSLICE needs a whole number");
  refused("sim1,KSLICE=8x", KT_EPARSE, "KSLICE needs a whole number");
  refused("sim1,KSLICE=42949672968", KT_EPARSE, "KSLICE needs a whole number");
  refused("sim1,KSLICE=8,KSLICE=8", KT_EPARSE, "KSLICE is given twice");
  refused("sim1,KSLICES=8", KT_EPARSE, "KSLICES");
  refused("sim1,", KT_EPARSE, "there is no parameter");
}
