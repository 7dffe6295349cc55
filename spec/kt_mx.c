/* SPDX-License-Identifier: Apache-2.0 */
/* Access to the fields of the MXFP7 machine's instructions, by the generated tables. */
#include "spec/kt_mx.h"

const struct kt_mx_insn *kt_mx_find(uint32_t opcode)
{
  for (size_t i = 0; i < kt_mx_n_insns; i++)
    if (kt_mx_insn[i].opcode == opcode) return &kt_mx_insn[i];
  return NULL;
}

const struct kt_mx_field *kt_mx_field(uint32_t field, const struct kt_mx_insn **insn)
{
  for (size_t i = 0; i < kt_mx_n_insns; i++) {
    const struct kt_mx_insn *in = &kt_mx_insn[i];
    if (field - in->first < in->n_fields) {
      if (insn != NULL) *insn = in;
      return &in->field[field - in->first];
    }
  }
  return NULL;
}

static uint32_t mask(const struct kt_mx_field *f)
{
  return f->bits == 32 ? UINT32_MAX : (UINT32_C(1) << f->bits) - 1;
}

uint32_t kt_mx_get(const struct kt_mx_flit *flit, uint32_t field)
{
  const struct kt_mx_field *f = kt_mx_field(field, NULL);

  return f == NULL ? 0 : flit->word[f->word] >> f->lsb & mask(f);
}

void kt_mx_set(struct kt_mx_flit *flit, uint32_t field, uint32_t value)
{
  const struct kt_mx_field *f = kt_mx_field(field, NULL);

  if (f == NULL) return;
  flit->word[f->word] &= ~(mask(f) << f->lsb);
  flit->word[f->word] |= (value & mask(f)) << f->lsb;
}
