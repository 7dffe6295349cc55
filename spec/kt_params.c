/* SPDX-License-Identifier: Apache-2.0 */
/* Build parameters: parsing, defaults, checks and identity, all from the generated tables. */
#include "spec/kt_params.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "spec/kt_config.h"
#include "spec/kt_derive.h"
#include "spec/kt_isa.h"

enum { MAX_PARAMS = 32 };

/* Parameters while they are read: which ones the text or the config gave. */
struct reading {
  struct kt_params *p;
  bool named[MAX_PARAMS]; /* by the text */
  bool given[MAX_PARAMS]; /* by the text or the config */
};

static uint32_t get(const struct kt_params *p, size_t i)
{
  uint32_t v;

  memcpy(&v, (const char *)p + kt_isa.param[i].offset, sizeof v);
  return v;
}

static void set(struct kt_params *p, size_t i, uint32_t v)
{
  memcpy((char *)p + kt_isa.param[i].offset, &v, sizeof v);
}

static size_t find_param(const char *name, size_t len)
{
  for (size_t i = 0; i < kt_isa.n_params; i++) {
    const struct kt_param_def *d = &kt_isa.param[i];
    if (strlen(d->name) == len && strncmp(d->name, name, len) == 0) return i;
    if (d->alias != NULL && strlen(d->alias) == len && strncmp(d->alias, name, len) == 0) return i;
  }
  return kt_isa.n_params;
}

_Bool kt_params_env(const struct kt_params *p, int64_t env[KT_PARAMS_ENV_MAX])
{
  memset(env, 0, KT_PARAMS_ENV_MAX * sizeof env[0]);
  if (kt_isa.n_symbols > KT_PARAMS_ENV_MAX) return false;
  for (size_t i = 0; i < kt_isa.n_params; i++) env[i] = get(p, i);
  return kt_env_constants(&kt_isa, env);
}

enum kt_status kt_params_value(const struct kt_params *p, const char *name, int64_t *value)
{
  int64_t env[KT_PARAMS_ENV_MAX];
  size_t i = find_param(name, strlen(name));

  if (i < kt_isa.n_params) {
    *value = get(p, i);
    return KT_OK;
  }
  if (!kt_params_env(p, env)) return KT_EINVAL;
  for (size_t c = 0; c < kt_isa.n_constants; c++)
    if (strcmp(kt_isa.constant[c].name, name) == 0) {
      *value = env[kt_isa.constant[c].index];
      return KT_OK;
    }
  return KT_EINVAL;
}

static bool is_legal(const struct kt_param_def *d, int64_t v)
{
  if (v < d->min || v > d->max) return false;
  for (size_t i = 0; i < d->n_values; i++)
    if (d->values[i] == v) return true;
  return d->n_values == 0;
}

static enum kt_status refuse_value(const struct kt_param_def *d, int64_t v, struct kt_msg *m)
{
  char list[96] = "";
  size_t n = 0;

  for (size_t i = 0; i < d->n_values && n < sizeof list; i++)
    n += (size_t)snprintf(list + n, sizeof list - n, "%s%" PRId64, i > 0 ? ", " : "", d->values[i]);
  if (d->n_values > 0)
    kt_msg_set(m, "%s = %" PRId64 " is not one of %s", d->name, v, list);
  else
    kt_msg_set(m, "%s = %" PRId64 " is outside %" PRId64 "..%" PRId64, d->name, v, d->min, d->max);
  return KT_ERANGE;
}

static enum kt_status refuse_constraint(const struct kt_constraint *c, int64_t left, int64_t right,
                                        struct kt_msg *m)
{
  bool plain = c->right.n == 1 && c->right.tok[0].kind == KT_TOK_NUMBER;

  kt_msg_set(m, "constraint %s: %s = %" PRId64 " must be %s %" PRId64 "%s%s%s: %s", c->name,
             c->left.text, left, kt_cmp_text(c->op), right, plain ? "" : " (",
             plain ? "" : c->right.text, plain ? "" : ")", c->why);
  return KT_ELIMIT;
}

/* Ranges of the parameters whose default follows others (follows), or of the rest. */
static enum kt_status check_ranges(const struct kt_params *p, bool follows, struct kt_msg *m)
{
  for (size_t i = 0; i < kt_isa.n_params; i++) {
    const struct kt_param_def *d = &kt_isa.param[i];
    if ((d->def.n > 1) == follows && !is_legal(d, get(p, i))) return refuse_value(d, get(p, i), m);
  }
  return KT_OK;
}

static enum kt_status check_constraints(const struct kt_params *p, struct kt_msg *m)
{
  int64_t env[KT_PARAMS_ENV_MAX], left, right;

  if (!kt_params_env(p, env)) return KT_ERANGE;
  for (size_t i = 0; i < kt_isa.n_constraints; i++) {
    const struct kt_constraint *c = &kt_isa.constraint[i];
    if (!kt_expr_eval(&c->left, env, &left) || !kt_expr_eval(&c->right, env, &right))
      return KT_ERANGE;
    if (!kt_cmp_holds(left, c->op, right)) return refuse_constraint(c, left, right, m);
  }
  return KT_OK;
}

/* A constraint says why a memory cannot be as deep as a layout needs, a range only that it cannot:
   so the depths, whose defaults follow the layout, are held to their ranges last. */
enum kt_status kt_params_check(const struct kt_params *p, struct kt_msg *m)
{
  enum kt_status st = check_ranges(p, false, m);

  if (st == KT_OK) st = check_constraints(p, m);
  if (st == KT_OK) st = check_ranges(p, true, m);
  return st;
}

static enum kt_status take_config(struct reading *rd, const char *name, size_t len,
                                  struct kt_msg *m)
{
  const struct kt_config *c = kt_configs;

  while (c->name != NULL && (strlen(c->name) != len || strncmp(c->name, name, len) != 0)) c++;
  if (c->name == NULL) {
    kt_msg_set(m, "there is no config \"%.*s\"", (int)len, name);
    return KT_EPARSE;
  }
  snprintf(rd->p->config, sizeof rd->p->config, "%s", c->name);
  for (const struct kt_setting *s = c->setting; s->name != NULL; s++) {
    size_t i = find_param(s->name, strlen(s->name));
    rd->given[i] = true;
    set(rd->p, i, (uint32_t)s->value);
  }
  return KT_OK;
}

static bool number(const char *text, size_t len, uint32_t *out)
{
  uint64_t v = 0;

  if (len == 0 || len > 10) return false;
  for (size_t i = 0; i < len; i++) {
    if (text[i] < '0' || text[i] > '9') return false;
    v = 10 * v + (uint64_t)(text[i] - '0');
  }
  *out = (uint32_t)v;
  return v <= UINT32_MAX;
}

static enum kt_status take_setting(struct reading *rd, const char *text, size_t len,
                                   struct kt_msg *m)
{
  const char *eq = memchr(text, '=', len);
  size_t name_len = eq == NULL ? len : (size_t)(eq - text);
  size_t i = find_param(text, name_len);
  uint32_t v;

  if (i == kt_isa.n_params) {
    kt_msg_set(m, "there is no parameter \"%.*s\"", (int)name_len, text);
    return KT_EPARSE;
  }
  if (eq == NULL || !number(eq + 1, len - name_len - 1, &v)) {
    kt_msg_set(m, "\"%.*s\": %s needs a whole number", (int)len, text, kt_isa.param[i].name);
    return KT_EPARSE;
  }
  if (rd->named[i]) {
    kt_msg_set(m, "%s is given twice", kt_isa.param[i].name);
    return KT_EPARSE;
  }
  rd->named[i] = rd->given[i] = true;
  set(rd->p, i, v);
  return KT_OK;
}

static enum kt_status read_text(struct reading *rd, const char *text, struct kt_msg *m)
{
  size_t first = strcspn(text, ",");
  bool has_config = first > 0 && memchr(text, '=', first) == NULL;
  enum kt_status st = take_config(rd, has_config ? text : "int8", has_config ? first : 4, m);
  const char *p = has_config ? text + first : text;

  if (*p == ',') p++;
  while (st == KT_OK && (*p != '\0' || (p > text && p[-1] == ','))) {
    size_t len = strcspn(p, ",");
    st = take_setting(rd, p, len, m);
    p += len;
    if (*p == ',') p++;
  }
  return st;
}

/* Defaults may follow parameters that are read or defaulted before them, and constants of those. */
static enum kt_status fill_defaults(struct reading *rd, struct kt_msg *m)
{
  int64_t env[KT_PARAMS_ENV_MAX], v;

  for (size_t i = 0; i < kt_isa.n_params; i++) {
    const struct kt_param_def *d = &kt_isa.param[i];
    if (rd->given[i]) {
      if (d->def.n == 1 && !is_legal(d, get(rd->p, i))) return refuse_value(d, get(rd->p, i), m);
      continue;
    }
    kt_params_env(rd->p, env);
    if (!kt_expr_eval(&d->def, env, &v)) return KT_ERANGE;
    if (v < 0 || v > UINT32_MAX) return refuse_value(d, v, m);
    set(rd->p, i, (uint32_t)v);
  }
  return KT_OK;
}

enum kt_status kt_params_parse(struct kt_params *p, const char *text, struct kt_msg *m)
{
  struct reading rd = {.p = p};

  if (p == NULL || text == NULL) return KT_EINVAL;
  memset(p, 0, sizeof *p);
  enum kt_status st = read_text(&rd, text, m);
  if (st == KT_OK) st = fill_defaults(&rd, m);
  if (st == KT_OK) st = kt_params_check(p, m);
  return st;
}

void kt_params_canonical(const struct kt_params *p, char *buf, size_t n)
{
  size_t used = 0;

  if (n == 0) return;
  used = (size_t)snprintf(buf, n, "tinytpu-%u:", kt_isa.version);
  for (size_t i = 0; i < kt_isa.n_params && used < n; i++)
    used += (size_t)snprintf(buf + used, n - used, "%s%s=%u", i > 0 ? "," : "",
                             kt_isa.param[i].name, get(p, i));
}

uint32_t kt_params_hash(const struct kt_params *p)
{
  char text[KT_PARAMS_CANONICAL_MAX];

  kt_params_canonical(p, text, sizeof text);
  return (uint32_t)crc32(0, (const unsigned char *)text, (unsigned)strlen(text));
}

const char *kt_params_config_name(size_t index)
{
  for (size_t i = 0; i <= index; i++)
    if (kt_configs[i].name == NULL) return NULL;
  return kt_configs[index].name;
}
