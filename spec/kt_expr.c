/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluator of the specification's postfix expressions. */
#include "spec/kt_expr.h"

static bool in_range(int64_t v)
{
  return v >= -((int64_t)1 << 40) && v <= ((int64_t)1 << 40);
}

static bool power(int64_t base, int64_t exponent, int64_t *out)
{
  int64_t r = 1;

  if (exponent < 0 || exponent > 8) return false;
  for (int64_t i = 0; i < exponent; i++) {
    r *= base;
    if (!in_range(r)) return false;
  }
  *out = r;
  return true;
}

/* Tested before it is done: the product must stay within 2^40 in size, as every value on the stack
 * does. */
static bool multiply(int64_t a, int64_t b, int64_t *out)
{
  int64_t size = a < 0 ? -a : a, most = size == 0 ? 0 : ((int64_t)1 << 40) / size;

  if (size != 0 && (b > most || b < -most)) return false;
  *out = a * b;
  return true;
}

static bool divide(enum kt_tok_kind kind, int64_t a, int64_t b, int64_t *out)
{
  if (b == 0) return false;
  if (kind == KT_TOK_MOD)
    *out = a % b;
  else if (kind == KT_TOK_DIV)
    *out = a / b;
  else
    *out = (a + b - 1) / b;
  return true;
}

static bool binary(enum kt_tok_kind kind, int64_t a, int64_t b, int64_t *out)
{
  switch (kind) {
  case KT_TOK_ADD:
    *out = a + b;
    return true;
  case KT_TOK_SUB:
    *out = a - b;
    return true;
  case KT_TOK_MUL:
    return multiply(a, b, out);
  case KT_TOK_DIV:
  case KT_TOK_MOD:
  case KT_TOK_CEILDIV:
    return divide(kind, a, b, out);
  case KT_TOK_POW:
    return power(a, b, out);
  case KT_TOK_MAX:
    *out = a > b ? a : b;
    return true;
  case KT_TOK_MIN:
    *out = a < b ? a : b;
    return true;
  case KT_TOK_NUMBER:
  case KT_TOK_SYMBOL:
  case KT_TOK_KINDS:
    break;
  }
  return false;
}

bool kt_expr_eval(const struct kt_expr *e, const int64_t *env, int64_t *out)
{
  int64_t stack[KT_EXPR_STACK];
  size_t sp = 0;

  *out = 0;
  for (size_t i = 0; i < e->n; i++) {
    const struct kt_tok *t = &e->tok[i];
    if (t->kind == KT_TOK_NUMBER || t->kind == KT_TOK_SYMBOL) {
      if (sp == KT_EXPR_STACK) return false;
      stack[sp++] = t->kind == KT_TOK_NUMBER ? t->value : env[t->value];
      continue;
    }
    if (sp < 2 || !binary(t->kind, stack[sp - 2], stack[sp - 1], &stack[sp - 2])) return false;
    sp--;
    if (!in_range(stack[sp - 1])) return false;
  }
  if (sp != 1) return false;
  *out = stack[0];
  return true;
}

bool kt_cmp_holds(int64_t left, enum kt_cmp op, int64_t right)
{
  switch (op) {
  case KT_CMP_LE:
    return left <= right;
  case KT_CMP_GE:
    return left >= right;
  case KT_CMP_EQ:
    return left == right;
  }
  return false;
}

const char *kt_cmp_text(enum kt_cmp op)
{
  switch (op) {
  case KT_CMP_LE:
    return "<=";
  case KT_CMP_GE:
    return ">=";
  case KT_CMP_EQ:
    return "==";
  }
  return "?";
}
