/* SPDX-License-Identifier: Apache-2.0 */
#include "support/model_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { C_FILL = 0xC5 };

void mb_open(struct model_bench *b, const char *params)
{
  memset(b, 0, sizeof *b);
  if (kt_params_parse(&b->p, params, &b->msg) != KT_OK || (b->m = kr_int8_new(&b->p)) == NULL) {
    fprintf(stderr, "no model of %s: %s\n", params, b->msg.text);
    abort();
  }
  b->mem.size = MB_MEM;
  b->mem.bytes = calloc(1, MB_MEM);
  if (b->mem.bytes == NULL) abort();
  memset(b->mem.bytes + MB_C, C_FILL, MB_MEM - MB_C);
  for (uint32_t i = 0; i < MB_SLOTS; i++)
    b->desc[i] = (struct kt_desc){.prog = MB_PROG + 0x400 * i, .a = MB_A, .b = MB_B, .c = MB_C};
}

void mb_close(struct model_bench *b)
{
  kr_int8_free(b->m);
  free(b->mem.bytes);
}

/* Totals of a program's issues. */
struct totals {
  uint64_t ld, spm, vru, mms, mm_rows, accu, st, span[2];
};

static void count(struct totals *t, const struct kt_insn *in, const uint32_t iv[4], uint32_t width)
{
  uint64_t nr = in->nr, row = in->f[1];

  for (int i = 0; i < 3; i++)
    if (in->term[i].target == 2) row += (uint64_t)iv[in->term[i].level] * in->term[i].stride;
  if (in->op == KT_OP_DMA_LD) {
    t->ld += nr;
    *(in->f[0] & 2 ? &t->vru : &t->spm) += nr;
    if (row + nr > t->span[in->f[0] & 1]) t->span[in->f[0] & 1] = row + nr;
  } else if (in->op == KT_OP_VLD) {
    t->spm += nr;
    t->vru += nr;
  } else if (in->op == KT_OP_MM) {
    t->spm += width + 1;
    t->vru += nr;
    t->mms++;
    t->mm_rows += nr;
    t->accu += nr;
  } else if (in->op == KT_OP_VADD || in->op == KT_OP_VADDRELU) {
    t->accu += 2 * nr;
  } else if (in->op == KT_OP_VRELU) {
    t->accu += nr;
  } else if (in->op == KT_OP_MVOUT) {
    t->accu += nr;
    t->st += nr;
  }
}

/* Runs the loop structure only; stops where it is broken. */
static void walk(struct totals *t, const struct kt_insn *in, size_t n, uint32_t width)
{
  uint32_t iv[4] = {0}, trip[4], depth = 0;
  size_t body[4];

  for (size_t pc = 0; pc < n;) {
    if (in[pc].op == KT_OP_LOOP) {
      if (depth == 4 || in[pc].nr == 0) return;
      body[depth] = pc + 1;
      trip[depth] = in[pc].nr;
      iv[depth++] = 0;
    } else if (in[pc].op == KT_OP_ENDLOOP) {
      if (depth == 0) return;
      if (++iv[depth - 1] < trip[depth - 1]) {
        pc = body[depth - 1];
        continue;
      }
      depth--;
    } else {
      count(t, &in[pc], iv, width);
    }
    pc++;
  }
}

void mb_set_word(struct model_bench *b, uint32_t slot, uint32_t word, uint64_t value)
{
  for (unsigned i = 0; i < 8; i++)
    b->mem.bytes[b->desc[slot].prog + 8 * word + i] = (uint8_t)(value >> (8 * i));
}

uint64_t mb_word(const struct model_bench *b, uint32_t slot, uint32_t word)
{
  uint64_t x = 0;

  for (unsigned i = 0; i < 8; i++)
    x |= (uint64_t)b->mem.bytes[b->desc[slot].prog + 8 * word + i] << (8 * i);
  return x;
}

void mb_program(struct model_bench *b, uint32_t slot, const struct kt_insn *in, size_t n)
{
  struct totals t = {0};
  uint64_t w[2];

  if (n > MB_MAX_INSNS) abort();
  walk(&t, in, n, b->p.t);
  b->desc[slot].prog_words = (uint32_t)(8 + 2 * n);
  const uint64_t header[8] = {
      n, t.ld, t.spm, t.vru, t.mms | t.mm_rows << 16, t.accu, t.st, t.span[0] | t.span[1] << 16};
  for (uint32_t i = 0; i < 8; i++) mb_set_word(b, slot, i, header[i]);
  for (uint32_t i = 0; i < n; i++) {
    kt_insn_pack(&in[i], w);
    mb_set_word(b, slot, 8 + 2 * i, w[0]);
    mb_set_word(b, slot, 9 + 2 * i, w[1]);
  }
}

void mb_put(struct model_bench *b, uint32_t base, uint32_t r, uint32_t c, int value)
{
  b->mem.bytes[base + r * b->p.maxdim + c] = (uint8_t)value;
}

int mb_get(const struct model_bench *b, uint32_t base, uint32_t r, uint32_t c)
{
  uint8_t byte = b->mem.bytes[base + r * b->p.maxdim + c];
  return byte < 128 ? byte : byte - 256;
}

int32_t mb_get_i32(const struct model_bench *b, uint64_t addr)
{
  int64_t x = 0;

  for (unsigned i = 0; i < 4; i++) x |= (int64_t)b->mem.bytes[addr + i] << (8 * i);
  return (int32_t)(x > INT32_MAX ? x - ((int64_t)1 << 32) : x);
}

enum kt_status mb_run_words(struct model_bench *b, const struct kt_desc_words *w)
{
  return kr_int8_run(b->m, &b->mem, 0, 0, w, &b->r, &b->msg);
}

enum kt_status mb_run(struct model_bench *b)
{
  struct kt_desc_words w;

  kt_desc_pack(&b->desc[0], w.w);
  return mb_run_words(b, &w);
}

enum kt_status mb_run_list(struct model_bench *b, uint32_t n)
{
  uint32_t w[16];

  for (uint32_t d = 0; d < n; d++) {
    kt_desc_pack(&b->desc[d], w);
    for (uint32_t i = 0; i < 64; i++)
      b->mem.bytes[MB_LIST + 64 * d + i] = (uint8_t)(w[i / 4] >> (8 * (i % 4)));
  }
  return kr_int8_run(b->m, &b->mem, MB_LIST, n, NULL, &b->r, &b->msg);
}

struct mb_text mb_fault_text(const struct kr_fault *f)
{
  struct mb_text t;

  snprintf(t.s, sizeof t.s, "code %lu sub %lu arg %lu instr %lu desc %lu", (unsigned long)f->code,
           (unsigned long)f->sub, (unsigned long)f->arg, (unsigned long)f->instr,
           (unsigned long)f->desc);
  return t;
}

bool mb_c_untouched(const struct model_bench *b)
{
  for (uint64_t i = MB_C; i < MB_MEM; i++)
    if (b->mem.bytes[i] != C_FILL) return false;
  return true;
}
