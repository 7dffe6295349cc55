/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions and commands of the MXFP7 machine as text, by the generated tables.
 */
#include "compiler/bytes/kc_mx_bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static size_t add(char *text, size_t at, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  const int n = vsnprintf(text + at, KC_MX_TEXT_MAX - at, fmt, ap);
  va_end(ap);
  const size_t end = at + (size_t)(n < 0 ? 0 : n);
  return end < KC_MX_TEXT_MAX ? end : KC_MX_TEXT_MAX - 1;
}

/* Its opcode and fields are all that it holds. */
static bool named(const struct kt_mx_insn *in, const struct kt_mx_flit *f)
{
  for (uint32_t i = 0; in != NULL && i < KT_MX_FLIT_WORDS; i++)
    if ((f->word[i] & ~in->used[i]) != 0) return false;
  return in != NULL;
}

static size_t put_value(char *text, size_t at, const struct kt_mx_field *field, uint32_t value)
{
  /* Addresses and strides. */
  const char *form = field->bits == 32 ? " %s=0x%" PRIx32 : " %s=%" PRIu32;
  char one[64];
  snprintf(one, sizeof one, form, field->name, value);
  return add(text, at, "%s", one);
}

void kc_mx_text(const struct kt_mx_flit *flit, char text[KC_MX_TEXT_MAX])
{
  const struct kt_mx_insn *in = kt_mx_find(flit->word[0] & 0xff);
  size_t at = 0;

  if (!named(in, flit)) {
    at = add(text, at, ".flit");
    for (size_t i = 0; i < KT_MX_FLIT_WORDS; i++) at = add(text, at, " 0x%08" PRIx32, flit->word[i]);
    return;
  }
  at = add(text, at, "%s", in->name);
  for (uint32_t i = 0; i < in->n_fields; i++)
    at = put_value(text, at, &in->field[i], kt_mx_get(flit, in->first + i));
}

enum kt_status kc_mx_dis(const struct kt_mx_flit *flits, size_t n, char **text)
{
  char *out = malloc(n * KC_MX_TEXT_MAX + 1);
  size_t at = 0;

  *text = out;
  if (out == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    kc_mx_text(&flits[i], out + at);
    at += strlen(out + at);
    out[at++] = '\n';
  }
  out[at] = 0;
  return KT_OK;
}

static void put_command(const struct kc_mx_command *c, char text[KC_MX_TEXT_MAX])
{
  const uint32_t *w = c->word;
  switch (w[0]) {
  case KT_MX_CMD_WRITE:
    add(text, 0, "WRITE 0x%03" PRIx32 " %" PRIu32, w[1], w[2]);
    break;
  case KT_MX_CMD_POLL:
    add(text, 0, "POLL 0x%03" PRIx32 " mask 0x%" PRIx32 " want %" PRIu32, w[1], w[2], w[3]);
    break;
  case KT_MX_CMD_DONE: add(text, 0, "DONE %" PRIu32, w[1]); break;
  default:
    add(text, 0, ".command 0x%08" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32, w[0], w[1],
        w[2], w[3]);
    break;
  }
}

enum kt_status kc_mx_dis_commands(const struct kc_mx_command *commands, size_t n, char **text)
{
  char *out = malloc(n * KC_MX_TEXT_MAX + 1);
  size_t at = 0;

  *text = out;
  if (out == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    put_command(&commands[i], out + at);
    at += strlen(out + at);
    out[at++] = '\n';
  }
  out[at] = 0;
  return KT_OK;
}
