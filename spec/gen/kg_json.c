/* SPDX-License-Identifier: Apache-2.0 */
/* Strict access to the specification's JSON: unknown and missing keys, wrong types and ranges are
 * errors. */
#include <stdlib.h>
#include <string.h>

#include "spec/gen/kg.h"

/* Whether key is among the names in list, which are parted by blanks and may start with '?'. */
static bool listed(const char *list, const char *key)
{
  size_t len = strlen(key);

  for (const char *p = list; *p != '\0';) {
    p += strspn(p, " ?");
    size_t n = strcspn(p, " ");
    if (n == len && strncmp(p, key, n) == 0) return true;
    p += n;
  }
  return false;
}

static void require(struct kg *g, const cJSON *obj, const char *where, const char *keys)
{
  for (const char *p = keys; *p != '\0';) {
    p += strspn(p, " ");
    size_t n = strcspn(p, " ");
    if (n > 0 && *p != '?') {
      char *key = kg_text(g, "%.*s", (int)n, p);
      if (!cJSON_HasObjectItem(obj, key)) kg_fail(g, where, "key \"%s\" is missing", key);
    }
    p += n;
  }
}

void kg_keys(struct kg *g, const cJSON *obj, const char *where, const char *keys)
{
  const cJSON *item;

  if (!cJSON_IsObject(obj)) {
    kg_fail(g, where, "must be an object");
    return;
  }
  cJSON_ArrayForEach(item, obj)
  {
    if (!listed(keys, item->string)) kg_fail(g, where, "unknown key \"%s\"", item->string);
    for (const cJSON *later = item->next; later != NULL; later = later->next)
      if (strcmp(later->string, item->string) == 0)
        kg_fail(g, where, "key \"%s\" is given twice", item->string);
  }
  require(g, obj, where, keys);
}

static const cJSON *get(const cJSON *obj, const char *key)
{
  return cJSON_GetObjectItemCaseSensitive(obj, key);
}

const char *kg_str_or_null(struct kg *g, const cJSON *obj, const char *where, const char *key)
{
  const cJSON *v = get(obj, key);

  if (v == NULL || cJSON_IsNull(v)) return NULL;
  if (!cJSON_IsString(v) || v->valuestring[0] == '\0' ||
      strpbrk(v->valuestring, "\"\\\n") != NULL) {
    kg_fail(g, where, "\"%s\" must be a string without quotes, backslashes and line ends", key);
    return NULL;
  }
  return kg_strdup(g, v->valuestring);
}

const char *kg_str(struct kg *g, const cJSON *obj, const char *where, const char *key)
{
  const char *s = kg_str_or_null(g, obj, where, key);

  if (s != NULL) return s;
  kg_fail(g, where, "\"%s\" must be a string", key);
  return "";
}

static bool whole(const cJSON *v, uint32_t max, uint32_t *out)
{
  if (!cJSON_IsNumber(v) || v->valuedouble < 0 || v->valuedouble > (double)max) return false;
  *out = (uint32_t)v->valuedouble;
  return (double)*out == v->valuedouble;
}

uint32_t kg_uint(struct kg *g, const cJSON *obj, const char *where, const char *key, uint32_t max)
{
  uint32_t value = 0;

  if (!whole(get(obj, key), max, &value))
    kg_fail(g, where, "\"%s\" must be a whole number of 0 to %u", key, max);
  return value;
}

int kg_uint_or_null(struct kg *g, const cJSON *obj, const char *where, const char *key,
                    uint32_t max)
{
  if (cJSON_IsNull(get(obj, key))) return -1;
  return (int)kg_uint(g, obj, where, key, max);
}

bool kg_bool(struct kg *g, const cJSON *obj, const char *where, const char *key)
{
  const cJSON *v = get(obj, key);

  if (!cJSON_IsBool(v)) kg_fail(g, where, "\"%s\" must be true or false", key);
  return cJSON_IsTrue(v);
}

const cJSON *kg_obj(struct kg *g, const cJSON *obj, const char *where, const char *key)
{
  const cJSON *v = get(obj, key);

  if (!cJSON_IsObject(v)) kg_fail(g, where, "\"%s\" must be an object", key);
  return v;
}

const cJSON *kg_array(struct kg *g, const cJSON *obj, const char *where, const char *key,
                      size_t max, size_t *n)
{
  const cJSON *v = get(obj, key);

  *n = 0;
  if (!cJSON_IsArray(v)) {
    kg_fail(g, where, "\"%s\" must be an array", key);
    return NULL;
  }
  size_t size = (size_t)cJSON_GetArraySize(v);
  if (size > max) {
    kg_fail(g, where, "\"%s\" has %zu entries, at most %zu", key, size, max);
    return NULL;
  }
  *n = size;
  return v;
}

uint32_t kg_hex(struct kg *g, const cJSON *obj, const char *where, const char *key)
{
  const char *s = kg_str(g, obj, where, key);
  char *end = NULL;

  if (strncmp(s, "0x", 2) == 0) {
    unsigned long v = strtoul(s + 2, &end, 16);
    if (*end == '\0' && end != s + 2 && v <= UINT32_MAX) return (uint32_t)v;
  }
  kg_fail(g, where, "\"%s\" must be a string such as \"0x01C\"", key);
  return 0;
}
