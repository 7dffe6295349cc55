/* SPDX-License-Identifier: Apache-2.0
 *
 * Tokens of the assembly text, and errors that point into it.
 */
#ifndef KC_LEX_H
#define KC_LEX_H

#include "spec/kt_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kc_tok_kind {
  KC_TOK_END,     /* of the text */
  KC_TOK_NEWLINE, /* end of a line, its comment skipped */
  KC_TOK_NAME,    /* [A-Za-z_.][A-Za-z0-9_.]* */
  KC_TOK_NUMBER,  /* decimal or 0x.., at most 64 bits */
  KC_TOK_MARK,    /* one of = + * */
  KC_TOK_BAD      /* anything else; lexer->why says what */
};

struct kc_place {
  const char *line; /* start of its line; NULL: no place */
  uint32_t row, col; /* from 1 */
};

struct kc_tok {
  enum kc_tok_kind kind;
  const char *start;
  size_t length;
  uint64_t value; /* NUMBER */
  struct kc_place place;
};

struct kc_lex {
  const char *name; /* of the source, for messages */
  const char *at;
  const char *line;
  uint32_t row;
  const char *why;
  struct kt_msg *msg;
};

void kc_lex_start(struct kc_lex *lex, const char *name, const char *text, struct kt_msg *msg);
struct kc_tok kc_lex_next(struct kc_lex *lex);
bool kc_tok_is(const struct kc_tok *tok, const char *text);

/* Writes "name:row:col: error: text", the line and a caret; always KT_EPARSE. */
__attribute__((format(printf, 3, 4))) enum kt_status
kc_lex_error(const struct kc_lex *lex, const struct kc_place *place, const char *fmt, ...);

#endif
