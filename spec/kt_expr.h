/* SPDX-License-Identifier: Apache-2.0 */
/* Integer expressions of the specification, compiled by the generator to postfix form and evaluated
 * here. */
#ifndef KT_SPEC_KT_EXPR_H
#define KT_SPEC_KT_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kt_tok_kind {
  KT_TOK_NUMBER, /* pushes value */
  KT_TOK_SYMBOL, /* pushes symbol number value */
  KT_TOK_ADD,
  KT_TOK_SUB,
  KT_TOK_MUL,
  KT_TOK_DIV, /* rounds towards zero */
  KT_TOK_MOD,
  KT_TOK_POW,
  KT_TOK_MAX,
  KT_TOK_MIN,
  KT_TOK_CEILDIV,
  KT_TOK_KINDS
};

enum kt_cmp { KT_CMP_LE, KT_CMP_GE, KT_CMP_EQ };

struct kt_tok {
  enum kt_tok_kind kind;
  int64_t value;
};

struct kt_expr {
  const char *text; /* as written in the specification */
  const struct kt_tok *tok;
  size_t n;
};

enum { KT_EXPR_STACK = 16 };

/* Evaluates e over the symbol values in env. False (and *out = 0) on a division by zero, a result
   that does not fit int64_t, or a malformed program; env must hold every symbol that e names. */
bool kt_expr_eval(const struct kt_expr *e, const int64_t *env, int64_t *out);

/* left op right. */
bool kt_cmp_holds(int64_t left, enum kt_cmp op, int64_t right);
const char *kt_cmp_text(enum kt_cmp op);

#endif
