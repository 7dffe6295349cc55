/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_variant.h"

#include "spec/kt_isa.h"
#include "spec/kt_mx.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint32_t param_value(const struct kt_params *p, size_t i)
{
  uint32_t v;
  memcpy(&v, (const char *)p + kt_isa.param[i].offset, sizeof v);
  return v;
}

/* The three that every name states. */
static bool is_stated(size_t i)
{
  const size_t at = kt_isa.param[i].offset;
  return at == offsetof(struct kt_params, t) || at == offsetof(struct kt_params, maxdim) ||
         at == offsetof(struct kt_params, bus_bits);
}

static enum kt_status defaults_of(const struct kt_params *p, struct kt_params *base,
                                  struct kt_msg *msg)
{
  char text[96];
  snprintf(text, sizeof text, "int8,T=%" PRIu32 ",MAXDIM=%" PRIu32 ",BUS=%" PRIu32, p->t,
           p->maxdim, p->bus_bits);
  return kt_params_parse(base, text, msg);
}

/* Parts before, between name and value, and between parts, for what differs from the defaults. */
static void list_changes(const struct kt_params *p, const struct kt_params *base, const char *sep,
                         const char *eq, char *text, size_t n)
{
  size_t used = strlen(text);
  const char *before = used == 0 ? "" : sep;
  for (size_t i = 0; i < kt_isa.n_params && used < n; i++) {
    if (is_stated(i) || param_value(p, i) == param_value(base, i)) continue;
    const int w = snprintf(text + used, n - used, "%s%s%s%" PRIu32, before, kt_isa.param[i].name,
                           eq, param_value(p, i));
    used += w > 0 ? (size_t)w : 0;
    before = sep;
  }
}

enum kt_status kd_variant_name(const struct kt_params *p, char *name, size_t n,
                               struct kt_msg *msg)
{
  struct kt_params base;
  const enum kt_status st = defaults_of(p, &base, msg);
  if (st != KT_OK) return st;
  snprintf(name, n, "T%" PRIu32 "-MAXDIM%" PRIu32 "-BUS%" PRIu32, p->t, p->maxdim, p->bus_bits);
  list_changes(p, &base, "-", "", name, n);
  return KT_OK;
}

static bool add_part(const char *part, size_t len, char *text, size_t n)
{
  const size_t used = strlen(text);
  size_t letters = len; /* a name may hold digits: the value is the last run of them */
  while (letters > 0 && isdigit((unsigned char)part[letters - 1])) letters--;
  if (letters == 0 || letters == len) return false;
  const int w = snprintf(text + used, n - used, "%s%.*s=%.*s", used == 0 ? "" : ",", (int)letters,
                         part, (int)(len - letters), part + letters);
  return w > 0 && used + (size_t)w < n;
}

/* The name of a config of the MXFP7 machine at the start of a variant's name; 0: there is none. */
static size_t config_length(const char *name)
{
  char config[32];
  const size_t len = strcspn(name, "-");
  if (len >= sizeof config) return 0;
  snprintf(config, sizeof config, "%.*s", (int)len, name);
  return kt_mx_params_is(config) ? len : 0;
}

enum kt_status kd_variant_params(const char *name, char *text, size_t n, struct kt_msg *msg)
{
  const size_t config = config_length(name);
  snprintf(text, n, "%.*s", (int)config, name);
  for (const char *at = name + config + (name[config] == '-' && config > 0); *at != '\0';) {
    const size_t len = strcspn(at, "-");
    const bool last = at[len] == '\0';
    if (!(last && strcmp(at, "FST") == 0) && !add_part(at, len, text, n)) {
      kt_msg_set(msg, "'%s' is no variant of the simulator, such as T4-MAXDIM64-BUS64", name);
      return KT_EPARSE;
    }
    at += len + !last;
  }
  return KT_OK;
}

void kd_variant_command(const struct kt_params *p, int wave, char *text, size_t n)
{
  struct kt_params base;
  char others[KD_VARIANT_MAX] = "";
  if (defaults_of(p, &base, NULL) == KT_OK)
    list_changes(p, &base, ",", "=", others, sizeof others);
  snprintf(text, n, "make sim T=%" PRIu32 " MAXDIM=%" PRIu32 " BUS=%" PRIu32 "%s%s%s", p->t,
           p->maxdim, p->bus_bits, others[0] != '\0' ? " PARAMS=" : "", others,
           wave ? " WAVE=1" : "");
}

static void list_mx_changes(const struct kt_mx_params *p, const char *sep, const char *eq,
                            char *text, size_t n)
{
  struct kt_mx_params base;
  size_t used = strlen(text);
  if (kt_mx_params_parse(&base, p->config, NULL) != KT_OK) return;
  for (size_t i = 0; i < kt_mx_n_params && used < n; i++) {
    if (kt_mx_params_get(p, i) == kt_mx_params_get(&base, i)) continue;
    const int w = snprintf(text + used, n - used, "%s%s%s%" PRIu32, sep, kt_mx_param[i].name, eq,
                           kt_mx_params_get(p, i));
    used += w > 0 ? (size_t)w : 0;
  }
}

enum kt_status kd_mx_variant_name(const struct kt_mx_params *p, char *name, size_t n)
{
  snprintf(name, n, "%s", p->config);
  list_mx_changes(p, "-", "", name, n);
  return KT_OK;
}

void kd_mx_variant_command(const struct kt_mx_params *p, int wave, char *text, size_t n)
{
  char others[KD_VARIANT_MAX] = "";
  list_mx_changes(p, ",", "=", others, sizeof others);
  snprintf(text, n, "make sim CONFIG=%s%s%s%s", p->config, others[0] != '\0' ? " PARAMS=" : "",
           others[0] != '\0' ? others + 1 : "", wave ? " WAVE=1" : "");
}
