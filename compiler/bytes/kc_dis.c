/* SPDX-License-Identifier: Apache-2.0
 *
 * The disassembler: words to text. An instruction is written by name if assembling that line gives
 * the same two words, else as .insn.
 */
#include "compiler/bytes/kc_asm.h"
#include "compiler/bytes/kc_op.h"

#include "spec/generated/kt_tinytpu.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_ROOM = 512, HANDLES = 64 };

struct printer {
  char *text;
  size_t length, room;
  enum kt_status st;
  uint32_t depth; /* loops that the text has open */
};

__attribute__((format(printf, 2, 3))) static void put(struct printer *out, const char *fmt, ...)
{
  char line[LINE_ROOM];
  va_list ap;

  va_start(ap, fmt);
  int n = vsnprintf(line, sizeof line, fmt, ap);
  va_end(ap);
  if (out->st != KT_OK || n < 0) return;
  size_t needed = out->length + (size_t)n + 1;
  if (needed > out->room) {
    size_t room = 2 * needed + LINE_ROOM;
    char *grown = realloc(out->text, room);
    if (grown == NULL) {
      out->st = KT_ENOMEM;
      return;
    }
    out->text = grown;
    out->room = room;
  }
  memcpy(out->text + out->length, line, (size_t)n + 1);
  out->length += (size_t)n;
}

/* Handles are named by level: i, j, k, l, then l4, l5, ... */
static void handle_name(uint32_t level, char name[8])
{
  if (level < 4) snprintf(name, 8, "%c", "ijkl"[level]);
  else snprintf(name, 8, "l%u", level % HANDLES);
}

/* ---- what a line can say ---- */

/* Fields in the order in which their terms stand in word 1, those without terms where they fit. */
static void field_order(const struct kt_insn *insn, uint32_t order[KT_ISA_FIELDS])
{
  uint32_t rank[KT_ISA_FIELDS];
  bool sorted = true;
  for (uint32_t f = 0; f < KT_ISA_FIELDS; f++) {
    order[f] = f;
    rank[f] = KT_AGU_TERMS;
    for (uint32_t i = KT_AGU_TERMS; i-- > 0;)
      if (insn->term[i].target == f + 1) rank[f] = i;
  }
  for (uint32_t f = 0, last = 0; f < KT_ISA_FIELDS; f++) {
    if (rank[f] == KT_AGU_TERMS) continue;
    if (rank[f] < last) sorted = false;
    last = rank[f];
  }
  for (uint32_t i = 1; i < KT_ISA_FIELDS && !sorted; i++)
    for (uint32_t j = i; j > 0 && rank[order[j]] < rank[order[j - 1]]; j--) {
      uint32_t swap = order[j];
      order[j] = order[j - 1];
      order[j - 1] = swap;
    }
}

static void put_value(struct printer *out, const struct kt_insn *insn, uint32_t field)
{
  char name[8];
  put(out, "%u", insn->f[field]);
  for (uint32_t i = 0; i < KT_AGU_TERMS; i++) {
    if (insn->term[i].target != field + 1) continue;
    handle_name(insn->term[i].level, name);
    put(out, "+%s*%u", name, insn->term[i].stride);
  }
}

static void put_named(struct printer *out, const struct kt_opcode *op, const struct kt_insn *insn)
{
  char name[8];
  uint32_t order[KT_ISA_FIELDS];

  put(out, "%s", op->name);
  if (op->value == KT_OP_LOOP || op->value == KT_OP_ENDLOOP) {
    handle_name(op->value == KT_OP_LOOP ? out->depth : out->depth - 1, name);
    put(out, " %s", name);
  }
  if (op->value == KT_OP_LOOP) put(out, " %u", insn->nr);
  if (op->nr != KT_NR_ROWS) return;
  field_order(insn, order);
  for (uint32_t i = 0; i < KT_ISA_FIELDS; i++) {
    const struct kt_operand *operand = kt_operand(op->value, order[i]);
    if (operand == NULL) continue;
    put(out, " %s=", operand->name);
    put_value(out, insn, order[i]);
  }
  put(out, " nr=%u", insn->nr);
}

/* The instruction that the named line stands for: what put_named shows and nothing else. */
static bool shown_insn(const struct printer *out, const struct kt_opcode *op,
                       const struct kt_insn *insn, struct kt_insn *shown)
{
  uint32_t order[KT_ISA_FIELDS];
  uint32_t slot = 0;

  *shown = (struct kt_insn){.op = insn->op};
  if (op->value == KT_OP_LOOP || op->nr == KT_NR_ROWS) shown->nr = insn->nr;
  if (op->value == KT_OP_LOOP) return out->depth < HANDLES;
  if (op->value == KT_OP_ENDLOOP) return out->depth > 0;
  field_order(insn, order);
  for (uint32_t k = 0; k < KT_ISA_FIELDS; k++) {
    if (kt_operand(op->value, order[k]) == NULL) continue;
    shown->f[order[k]] = insn->f[order[k]];
    for (uint32_t i = 0; i < KT_AGU_TERMS; i++) {
      if (insn->term[i].target != order[k] + 1) continue;
      if (insn->term[i].level >= out->depth) return false;
      shown->term[slot++] = insn->term[i];
    }
  }
  return true;
}

static bool can_be_named(const struct printer *out, const struct kt_opcode *op,
                         const struct kt_insn *insn, const uint64_t w[2])
{
  struct kt_insn shown;
  uint64_t back[KT_IWORDS];
  if (op == NULL || !shown_insn(out, op, insn, &shown)) return false;
  kt_insn_pack(&shown, back);
  return back[0] == w[0] && back[1] == w[1];
}

static void put_line(struct printer *out, const uint64_t w[2])
{
  struct kt_insn insn;
  kt_insn_unpack(w, &insn);
  const struct kt_opcode *op = kt_opcode(insn.op);
  bool named = can_be_named(out, op, &insn, w);
  uint32_t indent = 2 * out->depth;

  if (named && op->value == KT_OP_ENDLOOP) indent -= 2;
  put(out, "%*s", (int)indent, "");
  if (!named) {
    put(out, ".insn 0x%" PRIx64 " 0x%" PRIx64 "\n", w[0], w[1]);
    return;
  }
  put_named(out, op, &insn);
  put(out, "\n");
  if (op->value == KT_OP_LOOP) out->depth++;
  if (op->value == KT_OP_ENDLOOP) out->depth--;
}

/* Only what differs from the header that the assembler would build. */
static void put_header(struct printer *out, const struct kt_params *p, const uint64_t *words,
                       size_t n_words)
{
  uint32_t built[KT_HDR_COUNT];
  uint32_t given[KT_HDR_COUNT];
  uint64_t shown[KT_NHDR];

  kc_header_count(p, words, n_words, built, NULL);
  kc_header_unpack(words, given);
  for (size_t i = 0; i < kt_isa.n_slots; i++)
    if (built[i] != given[i]) put(out, ".header %s=%u\n", kt_isa.slot[i].name, given[i]);
  kc_header_pack(given, shown);
  for (uint32_t i = 0; i < KT_NHDR; i++)
    if (shown[i] != words[i]) put(out, ".header_word %u 0x%" PRIx64 "\n", i, words[i]);
}

enum kt_status kc_disassemble(const struct kt_params *p, const uint64_t *words, size_t n_words,
                              char **text, struct kt_msg *msg)
{
  struct printer out = {0};

  *text = NULL;
  if (n_words < KT_NHDR || (n_words - KT_NHDR) % KT_IWORDS != 0) {
    kt_msg_set(msg, "%zu words are no program: it has %d + %d * instructions", n_words, KT_NHDR,
               KT_IWORDS);
    return KT_EINVAL;
  }
  put(&out, "%s", "");
  put_header(&out, p, words, n_words);
  for (size_t i = KT_NHDR; i < n_words; i += KT_IWORDS)
    put_line(&out, words + i);
  if (out.st != KT_OK) {
    free(out.text);
    return out.st;
  }
  *text = out.text;
  return KT_OK;
}
