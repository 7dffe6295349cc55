/* SPDX-License-Identifier: Apache-2.0 */
/* Build parameters of a machine of MXFP7 clusters, from the generated tables. */
#include "spec/kt_mx_params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "spec/kt_mx.h"

enum { MAX_PARAMS = 32 };

_Static_assert(offsetof(struct kt_mx_params, config) == KT_MX_N_PARAMS * sizeof(uint32_t),
               "struct kt_mx_params lists the parameters of spec/mx.json");

uint32_t kt_mx_params_get(const struct kt_mx_params *p, size_t i)
{
  uint32_t v;

  memcpy(&v, (const char *)p + i * sizeof v, sizeof v);
  return v;
}

static void set(struct kt_mx_params *p, size_t i, uint32_t v)
{
  memcpy((char *)p + i * sizeof v, &v, sizeof v);
}

static bool is_word(const char *name, const char *text, size_t len)
{
  return strlen(name) == len && strncmp(name, text, len) == 0;
}

static size_t find(const char *text, size_t len)
{
  size_t i = 0;

  while (i < kt_mx_n_params && !is_word(kt_mx_param[i].name, text, len)) i++;
  return i;
}

static const struct kt_mx_config *find_config(const char *text, size_t len)
{
  for (const struct kt_mx_config *c = kt_mx_configs; c->name != NULL; c++)
    if (is_word(c->name, text, len)) return c;
  return NULL;
}

bool kt_mx_params_is(const char *text)
{
  return find_config(text, strcspn(text, ",")) != NULL;
}

static enum kt_status refuse(const struct kt_mx_param *d, uint32_t v, struct kt_msg *m)
{
  char list[128] = "";
  size_t n = 0;

  for (size_t i = 0; i < d->n_legal && n < sizeof list; i++)
    n += (size_t)snprintf(list + n, sizeof list - n, "%s%u", i > 0 ? ", " : "", d->legal[i]);
  kt_msg_set(m, "%s = %u is not one of %s", d->name, v, list);
  return KT_ERANGE;
}

static enum kt_status check(const struct kt_mx_params *p, struct kt_msg *m)
{
  for (size_t i = 0; i < kt_mx_n_params; i++) {
    const struct kt_mx_param *d = &kt_mx_param[i];
    size_t k = 0;
    while (k < d->n_legal && d->legal[k] != kt_mx_params_get(p, i)) k++;
    if (k == d->n_legal) return refuse(d, kt_mx_params_get(p, i), m);
  }
  return KT_OK;
}

static enum kt_status take(struct kt_mx_params *p, bool *named, const char *text, size_t len,
                           struct kt_msg *m)
{
  const char *eq = memchr(text, '=', len);
  size_t i = find(text, eq == NULL ? len : (size_t)(eq - text));
  char number[12] = "", *end = number;

  if (i == kt_mx_n_params) {
    kt_msg_set(m, "there is no parameter \"%.*s\"", (int)(eq == NULL ? len : (size_t)(eq - text)),
               text);
    return KT_EPARSE;
  }
  if (eq != NULL) snprintf(number, sizeof number, "%.*s", (int)(len - (size_t)(eq + 1 - text)), eq + 1);
  unsigned long v = number[0] >= '0' && number[0] <= '9' ? strtoul(number, &end, 10) : 0;
  if (end == number || *end != '\0' || v > UINT32_MAX || strlen(number) > 10) {
    kt_msg_set(m, "\"%.*s\": %s needs a whole number", (int)len, text, kt_mx_param[i].name);
    return KT_EPARSE;
  }
  if (named[i]) {
    kt_msg_set(m, "%s is given twice", kt_mx_param[i].name);
    return KT_EPARSE;
  }
  named[i] = true;
  set(p, i, (uint32_t)v);
  return KT_OK;
}

static void start_from(struct kt_mx_params *p, const struct kt_mx_config *c)
{
  memset(p, 0, sizeof *p);
  for (size_t i = 0; i < kt_mx_n_params; i++) set(p, i, kt_mx_param[i].value);
  for (const struct kt_mx_setting *s = c->setting; s->name != NULL; s++)
    set(p, find(s->name, strlen(s->name)), s->value);
  snprintf(p->config, sizeof p->config, "%s", c->name);
}

enum kt_status kt_mx_params_parse_list(struct kt_mx_params *p, const char *text, struct kt_msg *m)
{
  bool named[MAX_PARAMS] = {false};
  enum kt_status st = KT_OK;

  start_from(p, &kt_mx_configs[0]);
  for (const char *s = text; st == KT_OK;) {
    size_t len = strcspn(s, ",");
    st = take(p, named, s, len, m);
    s += len;
    if (*s++ != ',') break;
  }
  return st == KT_OK ? check(p, m) : st;
}

enum kt_status kt_mx_params_parse(struct kt_mx_params *p, const char *text, struct kt_msg *m)
{
  bool named[MAX_PARAMS] = {false};
  size_t first = strcspn(text, ",");
  const struct kt_mx_config *c = find_config(text, first);
  enum kt_status st = KT_OK;

  if (c == NULL) {
    kt_msg_set(m, "there is no config \"%.*s\"", (int)first, text);
    return KT_EPARSE;
  }
  start_from(p, c);
  for (const char *s = text + first; st == KT_OK && *s == ',';) {
    size_t len = strcspn(s + 1, ",");
    st = take(p, named, s + 1, len, m);
    s += 1 + len;
  }
  return st == KT_OK ? check(p, m) : st;
}

void kt_mx_params_canonical(const struct kt_mx_params *p, char *buf, size_t n)
{
  size_t used = 0;

  if (n == 0) return;
  used = (size_t)snprintf(buf, n, "mx-%u:", KT_MX_VERSION);
  for (size_t i = 0; i < kt_mx_n_params && used < n; i++)
    used += (size_t)snprintf(buf + used, n - used, "%s%s=%u", i > 0 ? "," : "",
                             kt_mx_param[i].name, kt_mx_params_get(p, i));
}

uint32_t kt_mx_params_hash(const struct kt_mx_params *p)
{
  char text[KT_MX_CANONICAL_MAX];

  kt_mx_params_canonical(p, text, sizeof text);
  return (uint32_t)crc32(0, (const unsigned char *)text, (unsigned)strlen(text));
}
