/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of the status codes; the message buffer. */
#include "spec/kt_status.h"

#include <stdarg.h>
#include <stdio.h>

const char *kt_status_text(enum kt_status status)
{
#define KT_STATUS_TEXT(code, text) text,
  static const char *const texts[] = {KT_STATUS_LIST(KT_STATUS_TEXT)};
#undef KT_STATUS_TEXT

  if ((unsigned)status >= (unsigned)KT_STATUS_COUNT) return "unknown status";
  return texts[status];
}

void kt_msg_set(struct kt_msg *m, const char *fmt, ...)
{
  va_list ap;

  if (m == NULL) return;
  va_start(ap, fmt);
  if (vsnprintf(m->text, sizeof m->text, fmt, ap) < 0) m->text[0] = '\0';
  va_end(ap);
}
