/* SPDX-License-Identifier: Apache-2.0 */
/* Rewrites a page of docs, here docs/isa.md: prose stays, the text between each pair of markers is
 * made anew. */
#include "spec/gen/kg_page.h"

#include <string.h>

static const struct kg_block blocks[] = {
    {"word0", kg_page_word0},
    {"term", kg_page_term},
    {"opcodes", kg_page_opcodes},
    {"actions", kg_page_actions},
    {"units", kg_page_units},
    {"costs", kg_page_costs},
    {"rewrites", kg_page_rewrites},
    {"header", kg_page_header},
    {"memories", kg_page_memories},
    {"contracts", kg_page_contracts},
    {"parameters", kg_page_parameters},
    {"constants", kg_page_constants},
    {"constraints", kg_page_constraints},
    {"configs", kg_page_configs},
    {"limits", kg_page_limits},
    {"ceilings", kg_page_ceilings},
    {"numerics", kg_page_numerics},
    {"registers", kg_page_registers},
    {"descriptor", kg_page_descriptor},
    {"faults", kg_page_faults},
    {"order", kg_page_order},
};

const char *kg_cell(struct kg *g, const char *s)
{
  if (s == NULL) return "–";
  char *out = kg_alloc(g, 2 * strlen(s) + 1, 1), *p = out;
  for (; *s != '\0'; s++) {
    if (*s == '|') *p++ = '\\';
    *p++ = *s;
  }
  return out;
}

static const char *plus(struct kg *g, const char *sum, uint32_t factor, const char *of)
{
  if (factor == 0) return sum;
  const char *part = of == NULL    ? kg_text(g, "%u", factor)
                     : factor == 1 ? of
                                   : kg_text(g, "%u * %s", factor, of);
  return sum[0] == '\0' ? part : kg_text(g, "%s + %s", sum, part);
}

const char *kg_linear_text(struct kg *g, const struct kt_linear *l)
{
  const char *s = plus(g, plus(g, plus(g, "", l->t, "T"), l->fixed, NULL), l->nr, "nr");

  return s[0] == '\0' ? "0" : s;
}

const char *kg_unit_names(struct kg *g, uint32_t units)
{
  const char *s = "";

  for (size_t u = 0; u < g->isa.n_units; u++)
    if ((units >> u & 1) != 0)
      s = s[0] == '\0' ? g->isa.unit[u].name : kg_text(g, "%s, %s", s, g->isa.unit[u].name);
  return s[0] == '\0' ? "–" : s;
}

/* A page that is being rewritten. */
struct page {
  const struct kg_block *block;
  size_t n;
  bool seen[KG_MAX_BLOCKS];
};

static size_t find_block(const struct page *p, const char *name, size_t len)
{
  size_t i = 0;

  while (i < p->n && (strlen(p->block[i].name) != len || strncmp(p->block[i].name, name, len) != 0))
    i++;
  return i;
}

/* Copies prose up to the next marker and writes its block; returns what follows the block's end
   marker, NULL at the end of the page or on an error. */
static const char *next_block(struct kg *g, const char *text, FILE *f, struct page *p)
{
  static const char open[] = "<!-- GENERATED:";
  const char *mark = strstr(text, open);

  if (mark == NULL) {
    fputs(text, f);
    return NULL;
  }
  const char *name = mark + strlen(open);
  size_t len = strcspn(name, " \n");
  size_t i = find_block(p, name, len);
  const char *end_mark = kg_text(g, "<!-- END:%.*s -->", (int)len, name);
  const char *end = strstr(name, end_mark);
  if (i == p->n || end == NULL || p->seen[i]) {
    kg_fail(g, kg_text(g, "block \"%.*s\"", (int)len, name),
            "is unknown, given twice, or has no end marker");
    return NULL;
  }
  p->seen[i] = true;
  fwrite(text, 1, (size_t)(mark - text), f);
  fprintf(f, "%s%s -->\n\n", open, p->block[i].name);
  p->block[i].emit(g, f);
  fprintf(f, "\n%s", end_mark);
  return end + strlen(end_mark);
}

void kg_emit_page(struct kg *g, FILE *f, const char *relative, const struct kg_block *block,
                  size_t n)
{
  const char *text = kg_read_file(g, kg_text(g, "%s/%s", g->root, relative));
  struct page p = {block, n, {false}};

  g->file = relative;
  if (text == NULL) {
    kg_fail(g, "file", "cannot be read");
    return;
  }
  size_t errors = g->n_errors;
  while (text != NULL) text = next_block(g, text, f, &p);
  for (size_t i = 0; i < n && g->n_errors == errors; i++)
    if (!p.seen[i]) kg_fail(g, block[i].name, "the page has no block of this name");
  g->file = "spec/tinytpu.json";
}

void kg_emit_isa_page(struct kg *g, FILE *f)
{
  kg_emit_page(g, f, "docs/isa.md", blocks, sizeof blocks / sizeof blocks[0]);
}
