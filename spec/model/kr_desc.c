/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptor checks, in the order of docs/int8-interface.md.
 */
#include "spec/model/kr_state.h"

#define FIELD_MASK(bits) (((uint32_t)1 << (bits)) - 1u)

/* The bits of FLAGS that mean something. */
static const uint32_t FLAGS_USED = FIELD_MASK(KT_FLAG_FORM_BITS) << KT_FLAG_FORM_LSB |
                                   FIELD_MASK(KT_FLAG_SHIFT_BITS) << KT_FLAG_SHIFT_LSB |
                                   FIELD_MASK(KT_FLAG_CONTINUE_BITS) << KT_FLAG_CONTINUE_LSB |
                                   FIELD_MASK(KT_FLAG_FENCE_BITS) << KT_FLAG_FENCE_LSB;

/* A build without strides does not keep the words that it finds wrong. */
static uint32_t kept(const struct kr_run *run, uint32_t value)
{
  return run->m->p.strides ? value : 1;
}

static bool bad_word(struct kr_run *run, uint32_t code, uint32_t word, uint32_t value)
{
  return kr_fault(run, code, word, kept(run, value), 0);
}

static bool check_aligned(struct kr_run *run, const struct kt_desc_words *w, uint32_t word,
                          uint32_t unit)
{
  if (w->w[word] % unit == 0) return true;
  return bad_word(run, KT_FAULT_ALIGNMENT, word, w->w[word]);
}

static bool check_n_instr(struct kr_run *run)
{
  uint32_t words = run->d.prog_words;

  if (words % KT_IWORDS == 0 && words >= KT_NHDR + KT_IWORDS && words <= run->m->p.imem_size)
    return true;
  return kr_fault(run, KT_FAULT_N_INSTR, 0, kept(run, words), 0);
}

static bool check_bases(struct kr_run *run, const struct kt_desc_words *w)
{
  static const uint8_t words[] = {KT_DESC_PROG, KT_DESC_A, KT_DESC_B, KT_DESC_C};

  for (size_t i = 0; i < sizeof words; i++) {
    if (!check_aligned(run, w, words[i], run->m->p.bus_bits / 8)) return false;
    if ((uint64_t)w->w[words[i]] >> run->m->p.addr_bits != 0)
      return bad_word(run, KT_FAULT_DESCRIPTOR, words[i], w->w[words[i]]);
  }
  return true;
}

static bool check_stride(struct kr_run *run, const struct kt_desc_words *w, uint32_t word,
                         uint32_t unit)
{
  uint32_t value = w->w[word];

  if (value > KT_STRIDE_MAX || (value != 0 && !run->m->p.strides))
    return bad_word(run, KT_FAULT_DESCRIPTOR, word, value);
  return check_aligned(run, w, word, unit);
}

static bool check_strides(struct kr_run *run, const struct kt_desc_words *w)
{
  uint32_t t = run->m->p.t;

  return check_stride(run, w, KT_DESC_STRIDE_A, t) && check_stride(run, w, KT_DESC_STRIDE_B, t) &&
         check_stride(run, w, KT_DESC_STRIDE_C, run->d.form == KT_FORM_INT32 ? 4 * t : t);
}

static bool check_flags(struct kr_run *run, const struct kt_desc_words *w)
{
  const struct kt_desc *d = &run->d;
  uint32_t flags = w->w[KT_DESC_FLAGS];

  if ((flags & ~FLAGS_USED) != 0 || d->form > KT_FORM_INT32 ||
      (d->form != KT_FORM_INT8_SHIFT && d->shift != 0))
    return bad_word(run, KT_FAULT_DESCRIPTOR, KT_DESC_FLAGS, flags);
  for (uint32_t word = KT_DESC_RESERVED; word < KT_DESC_WORDS; word++)
    if (w->w[word] != 0) return bad_word(run, KT_FAULT_DESCRIPTOR, word, w->w[word]);
  return true;
}

/* The descriptor before this one in the list has run to its end, or the list would have stopped. */
static bool check_continue(struct kr_run *run)
{
  if (!run->d.cont || run->desc_index > 0) return true;
  return kr_fault(run, KT_FAULT_CONTINUE, 0, 0, 0);
}

static void resolve_strides(struct kr_run *run)
{
  uint32_t row = run->m->p.maxdim;
  struct kt_desc *d = &run->d;

  if (d->stride_a == 0) d->stride_a = row;
  if (d->stride_b == 0) d->stride_b = row;
  if (d->stride_c == 0) d->stride_c = d->form == KT_FORM_INT32 ? 4 * row : row;
}

bool kr_check_desc(struct kr_run *run, const struct kt_desc_words *w)
{
  kt_desc_unpack(w->w, &run->d);
  if (!(check_n_instr(run) && check_bases(run, w) && check_strides(run, w) && check_flags(run, w) &&
        check_continue(run)))
    return false;
  resolve_strides(run);
  run->n_instr = (run->d.prog_words - KT_NHDR) / KT_IWORDS;
  return true;
}
