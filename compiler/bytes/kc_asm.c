/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler: text to words. One pass over the lines, then the header, then the checker, whose
 * refusals are told at the place of the instruction or operand that it names.
 */
#include "compiler/bytes/kc_asm.h"
#include "compiler/bytes/kc_lex.h"
#include "compiler/bytes/kc_op.h"

#include "spec/generated/kt_tinytpu.h"

#include <stdlib.h>
#include <string.h>

enum { HANDLES = 64 }; /* loops that a text may nest, legal or not */

struct handle {
  const char *name;
  size_t length;
  struct kc_place place;
};

/* Where an instruction and its operands stand. */
struct origin {
  struct kc_place place;
  struct kc_place field[KT_ISA_FIELDS];
};

struct assembler {
  struct kc_lex lex;
  struct kc_tok tok; /* the token under consideration */
  const struct kt_params *p;
  bool no_check;
  struct kc_program program;
  struct origin *origins;
  size_t n_origins, room;
  struct handle open[HANDLES];
  uint32_t depth;
  uint32_t slot[KT_HDR_COUNT];
  bool slot_given[KT_HDR_COUNT];
  uint64_t word[KT_NHDR];
  bool word_given[KT_NHDR];
  struct kc_place header; /* the last header directive */
  uint32_t terms;         /* address terms of the current instruction */
};

static void advance(struct assembler *as)
{
  as->tok = kc_lex_next(&as->lex);
}

#define ERROR_AT(as, where, ...) kc_lex_error(&(as)->lex, (where), __VA_ARGS__)

static enum kt_status unexpected(struct assembler *as, const char *wanted)
{
  if (as->tok.kind == KC_TOK_BAD)
    return ERROR_AT(as, &as->tok.place, "%s", as->lex.why);
  return ERROR_AT(as, &as->tok.place, "expected %s", wanted);
}

static enum kt_status take_mark(struct assembler *as, char mark)
{
  char wanted[] = {'\'', mark, '\'', '\0'};
  if (as->tok.kind != KC_TOK_MARK || *as->tok.start != mark) return unexpected(as, wanted);
  advance(as);
  return KT_OK;
}

/* A number of at most `bits` bits, for `what`. */
static enum kt_status take_number(struct assembler *as, const char *what, uint32_t bits,
                                  uint64_t *value)
{
  if (as->tok.kind != KC_TOK_NUMBER) return unexpected(as, what);
  if (bits < 64 && as->tok.value >> bits != 0)
    return ERROR_AT(as, &as->tok.place, "%s %.*s does not fit %u bits", what,
                    (int)as->tok.length, as->tok.start, bits);
  *value = as->tok.value;
  advance(as);
  return KT_OK;
}

static uint32_t field_bits(const struct kt_field *fields, size_t n, const char *name)
{
  for (size_t i = 0; i < n; i++)
    if (strcmp(fields[i].name, name) == 0) return fields[i].bits;
  return 0;
}

/* ---- operands ---- */

static bool find_handle(const struct assembler *as, uint16_t *level)
{
  for (uint32_t i = as->depth; i-- > 0;) {
    if (as->open[i].length != as->tok.length) continue;
    if (memcmp(as->open[i].name, as->tok.start, as->tok.length) != 0) continue;
    *level = (uint16_t)i;
    return true;
  }
  return false;
}

static enum kt_status parse_term(struct assembler *as, struct kt_insn *insn, uint32_t field)
{
  struct kt_term term = {.target = (uint16_t)(field + 1)};
  uint64_t stride = 0;
  struct kc_place place = as->tok.place;

  if (as->tok.kind != KC_TOK_NAME) return unexpected(as, "a loop's name");
  if (!find_handle(as, &term.level))
    return ERROR_AT(as, &place, "no open loop is called %.*s", (int)as->tok.length, as->tok.start);
  if (term.level > (1u << KT_TERM_LEVEL_BITS) - 1)
    return ERROR_AT(as, &place, "loop level %u does not fit an address term", term.level);
  if (as->terms == KT_AGU_TERMS)
    return ERROR_AT(as, &place, "too many address terms: an instruction carries %d", KT_AGU_TERMS);
  advance(as);
  enum kt_status st = take_mark(as, '*');
  if (st == KT_OK) st = take_number(as, "stride", KT_TERM_STRIDE_BITS, &stride);
  term.stride = (uint16_t)stride;
  insn->term[as->terms++] = term;
  return st;
}

/* base { + handle * stride } */
static enum kt_status parse_value(struct assembler *as, struct kt_insn *insn, uint32_t field)
{
  static const char *const names[KT_ISA_FIELDS] = {"f0", "f1", "f2", "f3"};
  uint64_t base = 0;

  enum kt_status st = take_number(as, "value", field_bits(kt_isa.word0, kt_isa.n_word0,
                                                          names[field]), &base);
  insn->f[field] = (uint16_t)base;
  while (st == KT_OK && as->tok.kind == KC_TOK_MARK && *as->tok.start == '+') {
    advance(as);
    st = parse_term(as, insn, field);
  }
  return st;
}

static enum kt_status parse_nr(struct assembler *as, struct kt_insn *insn, const char *what)
{
  uint64_t nr = 0;
  enum kt_status st = take_number(as, what, KT_W0_NR_BITS, &nr);
  insn->nr = (uint16_t)nr;
  return st;
}

static const struct kt_operand *operand_named(const struct kt_opcode *op, const struct kc_tok *tok)
{
  for (size_t i = 0; i < op->n_operands; i++)
    if (kc_tok_is(tok, op->operand[i].name)) return &op->operand[i];
  return NULL;
}

static enum kt_status parse_operand(struct assembler *as, const struct kt_opcode *op,
                                    struct kt_insn *insn, struct origin *origin, uint32_t *seen)
{
  struct kc_tok name = as->tok;
  if (name.kind != KC_TOK_NAME) return unexpected(as, "an operand, name=value");
  const struct kt_operand *operand = operand_named(op, &name);
  bool is_nr = kc_tok_is(&name, "nr");
  if (operand == NULL && !is_nr)
    return ERROR_AT(as, &name.place, "%s has no operand %.*s", op->name, (int)name.length,
                    name.start);
  uint32_t bit = is_nr ? 1u << KT_ISA_FIELDS : 1u << operand->field;
  if (*seen & bit)
    return ERROR_AT(as, &name.place, "operand %.*s is given twice", (int)name.length, name.start);
  *seen |= bit;
  advance(as);
  enum kt_status st = take_mark(as, '=');
  if (st != KT_OK) return st;
  if (is_nr) return parse_nr(as, insn, "row count");
  origin->field[operand->field] = name.place;
  return parse_value(as, insn, operand->field);
}

static enum kt_status check_all_given(struct assembler *as, const struct kt_opcode *op,
                                      const struct kc_place *place, uint32_t seen)
{
  for (size_t i = 0; i < op->n_operands; i++)
    if (!(seen & 1u << op->operand[i].field))
      return ERROR_AT(as, place, "%s lacks operand %s", op->name, op->operand[i].name);
  if (!(seen & 1u << KT_ISA_FIELDS)) return ERROR_AT(as, place, "%s lacks nr", op->name);
  return KT_OK;
}

static bool at_line_end(const struct assembler *as)
{
  return as->tok.kind == KC_TOK_NEWLINE || as->tok.kind == KC_TOK_END;
}

static enum kt_status parse_data_op(struct assembler *as, const struct kt_opcode *op,
                                    struct kt_insn *insn, struct origin *origin)
{
  uint32_t seen = 0;
  enum kt_status st = KT_OK;
  while (st == KT_OK && !at_line_end(as))
    st = parse_operand(as, op, insn, origin, &seen);
  if (st == KT_OK) st = check_all_given(as, op, &origin->place, seen);
  return st;
}

/* ---- loops ---- */

static enum kt_status parse_loop(struct assembler *as, struct kt_insn *insn)
{
  uint16_t level;
  if (as->tok.kind != KC_TOK_NAME) return unexpected(as, "the loop's name");
  if (find_handle(as, &level))
    return ERROR_AT(as, &as->tok.place, "loop %.*s is open already", (int)as->tok.length,
                    as->tok.start);
  if (as->depth == HANDLES)
    return ERROR_AT(as, &as->tok.place, "more than %d loops are open", HANDLES);
  as->open[as->depth++] = (struct handle){as->tok.start, as->tok.length, as->tok.place};
  advance(as);
  return parse_nr(as, insn, "trip count");
}

static enum kt_status parse_endloop(struct assembler *as)
{
  if (as->tok.kind != KC_TOK_NAME) return unexpected(as, "the loop's name");
  if (as->depth == 0) return ERROR_AT(as, &as->tok.place, "no loop is open");
  const struct handle *top = &as->open[as->depth - 1];
  if (top->length != as->tok.length || memcmp(top->name, as->tok.start, top->length) != 0)
    return ERROR_AT(as, &as->tok.place, "the innermost open loop is %.*s", (int)top->length,
                    top->name);
  as->depth--;
  advance(as);
  return KT_OK;
}

/* ---- statements ---- */

static enum kt_status keep_origin(struct assembler *as, const struct origin *origin)
{
  if (as->n_origins == as->room) {
    size_t room = as->room == 0 ? 32 : 2 * as->room;
    struct origin *grown = realloc(as->origins, room * sizeof *grown);
    if (grown == NULL) return KT_ENOMEM;
    as->origins = grown;
    as->room = room;
  }
  as->origins[as->n_origins++] = *origin;
  return KT_OK;
}

static enum kt_status parse_instruction(struct assembler *as)
{
  struct origin origin = {.place = as->tok.place};
  const struct kt_opcode *op = kc_op_named(as->tok.start, as->tok.length);
  struct kt_insn insn = {0};
  enum kt_status st = KT_OK;

  if (op == NULL)
    return ERROR_AT(as, &origin.place, "%.*s is no instruction", (int)as->tok.length,
                    as->tok.start);
  if (op->retired && !as->no_check)
    return ERROR_AT(as, &origin.place, "%s: %s", op->name, op->does);
  advance(as);
  insn.op = (uint16_t)op->value;
  as->terms = 0;
  if (op->value == KT_OP_LOOP) st = parse_loop(as, &insn);
  if (op->value == KT_OP_ENDLOOP) st = parse_endloop(as);
  if (op->nr == KT_NR_ROWS) st = parse_data_op(as, op, &insn, &origin);
  if (st == KT_OK) st = keep_origin(as, &origin);
  if (st == KT_OK) st = kc_program_add(&as->program, &insn);
  return st;
}

/* .insn WORD0 WORD1 */
static enum kt_status parse_raw(struct assembler *as)
{
  struct origin origin = {.place = as->tok.place};
  uint64_t w0 = 0;
  uint64_t w1 = 0;

  advance(as);
  enum kt_status st = take_number(as, "word 0", 64, &w0);
  if (st == KT_OK) st = take_number(as, "word 1", 64, &w1);
  if (st == KT_OK) st = keep_origin(as, &origin);
  if (st == KT_OK) st = kc_program_add(&as->program, &(struct kt_insn){0});
  if (st != KT_OK) return st;
  as->program.words[as->program.n_words - 2] = w0;
  as->program.words[as->program.n_words - 1] = w1;
  return KT_OK;
}

/* .header NAME=VALUE */
static enum kt_status parse_header(struct assembler *as)
{
  uint64_t value = 0;
  size_t i = 0;

  advance(as);
  if (as->tok.kind != KC_TOK_NAME) return unexpected(as, "the name of a header count");
  while (i < kt_isa.n_slots && !kc_tok_is(&as->tok, kt_isa.slot[i].name))
    i++;
  if (i == kt_isa.n_slots)
    return ERROR_AT(as, &as->tok.place, "the header has no count %.*s", (int)as->tok.length,
                    as->tok.start);
  as->header = as->tok.place;
  advance(as);
  enum kt_status st = take_mark(as, '=');
  if (st == KT_OK) st = take_number(as, "count", kt_isa.slot[i].bits, &value);
  as->slot[i] = (uint32_t)value;
  as->slot_given[i] = true;
  return st;
}

/* .header_word INDEX WORD */
static enum kt_status parse_header_word(struct assembler *as)
{
  uint64_t index = 0;
  uint64_t value = 0;

  advance(as);
  as->header = as->tok.place;
  enum kt_status st = take_number(as, "header word", 64, &index);
  if (st == KT_OK && index >= KT_NHDR)
    return ERROR_AT(as, &as->header, "the header has %d words", KT_NHDR);
  if (st == KT_OK) st = take_number(as, "word", 64, &value);
  if (st != KT_OK) return st;
  as->word[index] = value;
  as->word_given[index] = true;
  return KT_OK;
}

static enum kt_status parse_line(struct assembler *as)
{
  enum kt_status st;

  if (as->tok.kind == KC_TOK_NEWLINE) {
    advance(as);
    return KT_OK;
  }
  if (as->tok.kind != KC_TOK_NAME) return unexpected(as, "an instruction");
  if (kc_tok_is(&as->tok, ".insn")) {
    st = parse_raw(as);
  } else if (kc_tok_is(&as->tok, ".header")) {
    st = parse_header(as);
  } else if (kc_tok_is(&as->tok, ".header_word")) {
    st = parse_header_word(as);
  } else {
    st = parse_instruction(as);
  }
  if (st == KT_OK && !at_line_end(as)) return unexpected(as, "the end of the line");
  return st;
}

static enum kt_status parse_text(struct assembler *as)
{
  enum kt_status st = KT_OK;

  advance(as);
  while (st == KT_OK && as->tok.kind != KC_TOK_END)
    st = parse_line(as);
  if (st != KT_OK || as->no_check || as->depth == 0) return st;
  const struct handle *top = &as->open[as->depth - 1];
  return ERROR_AT(as, &top->place, "loop %.*s is never closed", (int)top->length, top->name);
}

/* ---- header and checks ---- */

static enum kt_status make_header(struct assembler *as)
{
  uint32_t slots[KT_HDR_COUNT];
  uint64_t *words = as->program.words;

  enum kt_status st = kc_header_count(as->p, words, as->program.n_words, slots, NULL);
  if (st == KT_ENOMEM) return st;
  for (size_t i = 0; i < kt_isa.n_slots; i++)
    if (as->slot_given[i]) slots[i] = as->slot[i];
  kc_header_pack(slots, words);
  for (size_t i = 0; i < KT_NHDR; i++)
    if (as->word_given[i]) words[i] = as->word[i];
  return KT_OK;
}

static const struct kc_place *place_of(const struct assembler *as, const struct kc_fault *fault)
{
  static const struct kc_place none = {NULL, 0, 0};
  if (fault->code == 0 || fault->code == KT_FAULT_N_INSTR) return &none;
  if (fault->instr >= as->n_origins) return &as->header;

  const struct origin *origin = &as->origins[fault->instr];
  bool field = fault->code == KT_FAULT_FIELD_RANGE || fault->code == KT_FAULT_MODE ||
               fault->code == KT_FAULT_ACC || fault->code == KT_FAULT_COL_BLOCK ||
               fault->code == KT_FAULT_FIELD_MEMORY;
  if (field && fault->sub < KT_ISA_FIELDS && origin->field[fault->sub].line != NULL)
    return &origin->field[fault->sub];
  return &origin->place;
}

static enum kt_status check(struct assembler *as, struct kc_check_ctx *chain)
{
  struct kc_fault fault = {0};
  struct kt_msg text = {""};

  enum kt_status st = kc_check_fault(as->p, as->program.words, as->program.n_words, chain, &fault,
                                     &text);
  if (st == KT_OK || st == KT_ENOMEM) return st;
  return ERROR_AT(as, place_of(as, &fault), "%s", text.text);
}

static enum kt_status assemble(struct assembler *as, struct kc_check_ctx *chain)
{
  enum kt_status st = parse_text(as);
  if (st != KT_OK) return st;

  if (as->program.n_words == 0) {
    as->program.words = calloc(KT_NHDR, sizeof *as->program.words);
    if (as->program.words == NULL) return KT_ENOMEM;
    as->program.n_words = KT_NHDR;
  }
  st = make_header(as);
  if (st == KT_OK && !as->no_check) st = check(as, chain);
  return st;
}

enum kt_status kc_assemble(const struct kt_params *p, const char *name, const char *text,
                           const struct kc_asm_opts *opts, struct kc_program *out,
                           struct kt_msg *msg)
{
  struct assembler *as = calloc(1, sizeof *as);
  *out = (struct kc_program){NULL, 0};
  if (as == NULL) return KT_ENOMEM;

  as->p = p;
  as->no_check = opts != NULL && opts->no_check;
  kc_lex_start(&as->lex, name, text, msg);
  enum kt_status st = assemble(as, opts != NULL ? opts->chain : NULL);
  if (st == KT_OK) *out = as->program;
  else kc_program_free(&as->program);
  if (st == KT_ENOMEM) kt_msg_set(msg, "%s", kt_status_text(st));
  free(as->origins);
  free(as);
  return st;
}
