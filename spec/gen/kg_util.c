/* SPDX-License-Identifier: Apache-2.0 */
/* Arena, error list and file reading of the generator. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "spec/gen/kg.h"

static void out_of_memory(void)
{
  fputs("kt-gen: out of memory\n", stderr);
  exit(2);
}

void *kg_alloc(struct kg *g, size_t count, size_t size)
{
  void *p = calloc(count > 0 ? count : 1, size);

  if (p == NULL) out_of_memory();
  if (g->n_blocks == g->cap_blocks) {
    size_t cap = g->cap_blocks > 0 ? 2 * g->cap_blocks : 64;
    void **grown = realloc(g->block, cap * sizeof *grown);
    if (grown == NULL) out_of_memory();
    g->block = grown;
    g->cap_blocks = cap;
  }
  g->block[g->n_blocks++] = p;
  return p;
}

char *kg_strdup(struct kg *g, const char *s)
{
  size_t n = strlen(s) + 1;
  char *p = kg_alloc(g, n, 1);

  memcpy(p, s, n);
  return p;
}

static char *text_va(struct kg *g, const char *fmt, va_list ap)
{
  va_list again;
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, again);
  va_end(again);
  if (n < 0) n = 0;
  char *p = kg_alloc(g, (size_t)n + 1, 1);
  vsnprintf(p, (size_t)n + 1, fmt, ap);
  return p;
}

char *kg_text(struct kg *g, const char *fmt, ...)
{
  va_list ap;

  va_start(ap, fmt);
  char *p = text_va(g, fmt, ap);
  va_end(ap);
  return p;
}

void kg_fail(struct kg *g, const char *where, const char *fmt, ...)
{
  va_list ap;

  if (g->n_errors == KG_MAX_ERRORS) return;
  va_start(ap, fmt);
  char *what = text_va(g, fmt, ap);
  va_end(ap);
  g->error[g->n_errors++] = kg_text(g, "%s: %s: %s", g->file, where, what);
}

char *kg_read_file(struct kg *g, const char *path)
{
  FILE *f = fopen(path, "rb");
  char *buf = NULL;

  if (f == NULL) return NULL;
  if (fseek(f, 0, SEEK_END) == 0) {
    long size = ftell(f);
    if (size >= 0 && fseek(f, 0, SEEK_SET) == 0) {
      buf = kg_alloc(g, (size_t)size + 1, 1);
      if (fread(buf, 1, (size_t)size, f) != (size_t)size) buf = NULL;
    }
  }
  fclose(f);
  return buf;
}

char *kg_upper(struct kg *g, const char *s)
{
  char *p = kg_strdup(g, s);

  for (char *c = p; *c != '\0'; c++) *c = (char)toupper((unsigned char)*c);
  return p;
}

void kg_free(struct kg *g)
{
  for (size_t i = 0; i < g->n_blocks; i++) free(g->block[i]);
  free(g->block);
}
