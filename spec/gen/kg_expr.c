/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles the text forms of the specification: expressions, item counts, conditions. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "spec/gen/kg.h"

enum { MAX_TOKENS = 64, MAX_DEPTH = 16 };

struct parser {
  struct kg *g;
  const char *p;
  struct kt_tok tok[MAX_TOKENS];
  size_t n;
  int depth;
  const char *error;
};

static void sum(struct parser *ps);

static void emit(struct parser *ps, enum kt_tok_kind kind, int64_t value)
{
  if (ps->n == MAX_TOKENS) {
    ps->error = "too long";
    return;
  }
  ps->tok[ps->n++] = (struct kt_tok){kind, value};
}

static bool accept(struct parser *ps, const char *text)
{
  while (*ps->p == ' ') ps->p++;
  if (strncmp(ps->p, text, strlen(text)) != 0) return false;
  ps->p += strlen(text);
  return true;
}

static void expect(struct parser *ps, const char *text)
{
  if (!accept(ps, text) && ps->error == NULL)
    ps->error = kg_text(ps->g, "expected \"%s\" before \"%s\"", text, ps->p);
}

static void call(struct parser *ps, enum kt_tok_kind kind)
{
  expect(ps, "(");
  sum(ps);
  expect(ps, ",");
  sum(ps);
  expect(ps, ")");
  emit(ps, kind, 0);
}

static void name(struct parser *ps)
{
  static const struct {
    const char *name;
    enum kt_tok_kind kind;
  } functions[] = {{"max", KT_TOK_MAX}, {"min", KT_TOK_MIN}, {"ceildiv", KT_TOK_CEILDIV}};
  size_t n = 0;

  while (isalnum((unsigned char)ps->p[n]) || ps->p[n] == '_') n++;
  const char *id = kg_text(ps->g, "%.*s", (int)n, ps->p);
  ps->p += n;
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
    if (strcmp(id, functions[i].name) == 0) {
      call(ps, functions[i].kind);
      return;
    }
  for (size_t i = 0; i < ps->g->isa.n_symbols; i++)
    if (strcmp(id, ps->g->symbol[i]) == 0) {
      emit(ps, KT_TOK_SYMBOL, (int64_t)i);
      return;
    }
  if (ps->error == NULL) ps->error = kg_text(ps->g, "unknown symbol \"%s\"", id);
}

static void primary(struct parser *ps)
{
  if (++ps->depth > MAX_DEPTH) ps->error = "nested too deeply";
  if (ps->error != NULL) return;
  if (accept(ps, "(")) {
    sum(ps);
    expect(ps, ")");
  } else if (isdigit((unsigned char)*ps->p)) {
    char *end;
    long v = strtol(ps->p, &end, 10);
    ps->p = end;
    emit(ps, KT_TOK_NUMBER, v);
  } else if (isalpha((unsigned char)*ps->p)) {
    name(ps);
  } else {
    ps->error = kg_text(ps->g, "a value is missing before \"%s\"", ps->p);
  }
  ps->depth--;
}

static void factor(struct parser *ps)
{
  primary(ps);
  if (accept(ps, "**")) {
    primary(ps);
    emit(ps, KT_TOK_POW, 0);
  }
}

static void product(struct parser *ps)
{
  factor(ps);
  while (ps->error == NULL) {
    enum kt_tok_kind kind;
    if (accept(ps, "*"))
      kind = KT_TOK_MUL;
    else if (accept(ps, "/"))
      kind = KT_TOK_DIV;
    else if (accept(ps, "%"))
      kind = KT_TOK_MOD;
    else
      return;
    while (*ps->p == ' ') ps->p++;
    factor(ps);
    emit(ps, kind, 0);
  }
}

static void sum(struct parser *ps)
{
  while (*ps->p == ' ') ps->p++;
  product(ps);
  while (ps->error == NULL) {
    enum kt_tok_kind kind;
    if (accept(ps, "+"))
      kind = KT_TOK_ADD;
    else if (accept(ps, "-"))
      kind = KT_TOK_SUB;
    else
      return;
    while (*ps->p == ' ') ps->p++;
    product(ps);
    emit(ps, kind, 0);
  }
}

struct kt_expr kg_expr(struct kg *g, const char *where, const char *text)
{
  struct parser ps = {.g = g, .p = text};
  struct kt_expr e = {.text = text};

  sum(&ps);
  if (ps.error == NULL && *ps.p != '\0') ps.error = kg_text(g, "\"%s\" is left over", ps.p);
  if (ps.error != NULL) {
    kg_fail(g, where, "expression \"%s\": %s", text, ps.error);
    return e;
  }
  struct kt_tok *tok = kg_alloc(g, ps.n, sizeof *tok);
  memcpy(tok, ps.tok, ps.n * sizeof *tok);
  e.tok = tok;
  e.n = ps.n;
  return e;
}

/* One summand: "3", "T", "nr", "2 * nr". */
static bool summand(const char **p, struct kt_linear *sum_out)
{
  uint32_t factor_value = 1;
  bool has_number = false;

  *p += strspn(*p, " ");
  if (isdigit((unsigned char)**p)) {
    char *end;
    factor_value = (uint32_t)strtoul(*p, &end, 10);
    has_number = true;
    *p = end + strspn(end, " ");
    if (**p == '*') *p += 1 + strspn(*p + 1, " ");
  }
  if (strncmp(*p, "nr", 2) == 0) {
    sum_out->nr += factor_value;
    *p += 2;
  } else if (**p == 'T') {
    sum_out->t += factor_value;
    *p += 1;
  } else if (has_number) {
    sum_out->fixed += factor_value;
  } else {
    return false;
  }
  *p += strspn(*p, " ");
  return true;
}

struct kt_linear kg_linear(struct kg *g, const char *where, const char *text)
{
  struct kt_linear items = {0, 0, 0};
  const char *p = text;

  for (;;) {
    if (!summand(&p, &items)) break;
    if (*p == '\0') return items;
    if (*p != '+') break;
    p++;
  }
  kg_fail(g, where, "items \"%s\" must be a sum of numbers, T and nr", text);
  return (struct kt_linear){0, 0, 0};
}

struct kt_cond kg_cond(struct kg *g, const char *where, const char *text,
                       const struct kt_opcode *op)
{
  struct kt_cond c = {0, 0, 0, text};
  char field[32];
  int end = 0;

  if (text == NULL) return c;
  if (sscanf(text, "(%31[a-z0-9_] & %u) == %u%n", field, &c.mask, &c.value, &end) != 3 ||
      text[end] != '\0') {
    c.mask = UINT32_MAX;
    if (sscanf(text, "%31[a-z0-9_] == %u%n", field, &c.value, &end) != 2 || text[end] != '\0') {
      kg_fail(g, where,
              "condition \"%s\" must be \"(operand & mask) == value\" or \"operand == value\"",
              text);
      return c;
    }
  }
  int operand = kg_find_operand(op, field);
  if (operand < 0)
    kg_fail(g, where, "condition \"%s\" names no operand of %s", text, op->name);
  else
    c.field = op->operand[operand].field;
  if (c.mask == 0 || (c.value & ~c.mask) != 0)
    kg_fail(g, where, "condition \"%s\" can never hold", text);
  return c;
}
