/* SPDX-License-Identifier: Apache-2.0
 *
 * The assembler's lexer. Characters are classed by hand: <ctype.h> follows the locale.
 */
#include "compiler/bytes/kc_lex.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_COLUMNS = 150 }; /* of a source line in a message */

void kc_lex_start(struct kc_lex *lex, const char *name, const char *text, struct kt_msg *msg)
{
  *lex = (struct kc_lex){.name = name, .at = text, .line = text, .row = 1, .msg = msg};
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || is_digit(c);
}

static int digit_of(char c, int base)
{
  int value = 99;
  if (is_digit(c)) value = c - '0';
  if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
  return value < base ? value : -1;
}

static void skip_blanks(struct kc_lex *lex)
{
  while (*lex->at == ' ' || *lex->at == '\t' || *lex->at == '\r')
    lex->at++;
  if (*lex->at != '#' && *lex->at != ';') return;
  while (*lex->at != '\0' && *lex->at != '\n')
    lex->at++;
}

/* Letters and digits up to the next separator are one number or an error. */
static void lex_number(struct kc_lex *lex, struct kc_tok *tok)
{
  const char *s = tok->start;
  int base = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10;
  size_t i = base == 16 ? 2 : 0;

  tok->kind = KC_TOK_NUMBER;
  if (i == tok->length) tok->kind = KC_TOK_BAD;
  for (; i < tok->length; i++) {
    int digit = digit_of(s[i], base);
    if (digit < 0) tok->kind = KC_TOK_BAD;
    if (digit < 0 || tok->kind == KC_TOK_BAD) break;
    if (tok->value > (UINT64_MAX - (unsigned)digit) / (unsigned)base) {
      tok->kind = KC_TOK_BAD;
      lex->why = "the number does not fit 64 bits";
      return;
    }
    tok->value = tok->value * (unsigned)base + (unsigned)digit;
  }
  if (tok->kind == KC_TOK_BAD) lex->why = "this is no number";
}

static void lex_word(struct kc_lex *lex, struct kc_tok *tok)
{
  while (is_name(tok->start[tok->length]))
    tok->length++;
  if (is_digit(*tok->start)) {
    lex_number(lex, tok);
  } else {
    tok->kind = KC_TOK_NAME;
  }
}

static void end_line(struct kc_lex *lex)
{
  lex->at++;
  lex->line = lex->at;
  lex->row++;
}

struct kc_tok kc_lex_next(struct kc_lex *lex)
{
  skip_blanks(lex);
  struct kc_tok tok = {.start = lex->at,
                       .place = {lex->line, lex->row, (uint32_t)(lex->at - lex->line) + 1}};
  if (*lex->at == '\0') {
    tok.kind = KC_TOK_END;
  } else if (*lex->at == '\n') {
    tok.kind = KC_TOK_NEWLINE;
    end_line(lex);
  } else if (is_name(*lex->at)) {
    lex_word(lex, &tok);
    lex->at += tok.length;
  } else {
    bool mark = strchr("=+*", *lex->at) != NULL;
    tok.kind = mark ? KC_TOK_MARK : KC_TOK_BAD;
    tok.length = 1;
    lex->at++;
    if (!mark) lex->why = "this character means nothing here";
  }
  return tok;
}

bool kc_tok_is(const struct kc_tok *tok, const char *text)
{
  return strlen(text) == tok->length && memcmp(tok->start, text, tok->length) == 0;
}

/* The source line, tabs as they are, and a caret below column col. */
static void show_line(const struct kc_place *place, char *out, size_t room)
{
  size_t length = strcspn(place->line, "\r\n");
  size_t shown = length < SHOWN_COLUMNS ? length : SHOWN_COLUMNS;
  size_t n = 0;

  out[n++] = '\n';
  for (size_t i = 0; i < shown; i++)
    out[n++] = place->line[i];
  if (place->col > SHOWN_COLUMNS) {
    out[n] = '\0';
    return;
  }
  out[n++] = '\n';
  for (size_t i = 0; i + 1 < place->col && n + 2 < room; i++)
    out[n++] = i < length && place->line[i] == '\t' ? '\t' : ' ';
  out[n++] = '^';
  out[n] = '\0';
}

enum kt_status kc_lex_error(const struct kc_lex *lex, const struct kc_place *place,
                            const char *fmt, ...)
{
  char text[200];
  char line[2 * SHOWN_COLUMNS + 8] = "";
  va_list ap;

  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (place->line == NULL) {
    kt_msg_set(lex->msg, "%.60s: error: %s", lex->name, text);
    return KT_EPARSE;
  }
  show_line(place, line, sizeof line);
  kt_msg_set(lex->msg, "%.60s:%u:%u: error: %s%s", lex->name, place->row, place->col, text, line);
  return KT_EPARSE;
}
