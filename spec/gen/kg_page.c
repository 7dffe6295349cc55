/* SPDX-License-Identifier: Apache-2.0 */
/* Rewrites docs/isa.md: prose stays, the text between each pair of markers is made anew. */
#include "spec/gen/kg_page.h"

#include <string.h>

static const struct {
  const char *name;
  void (*emit)(struct kg *g, FILE *f);
} blocks[] = {
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

enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

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

static size_t find_block(const char *name, size_t len)
{
  size_t i = 0;

  while (i < BLOCKS && (strlen(blocks[i].name) != len || strncmp(blocks[i].name, name, len) != 0))
    i++;
  return i;
}

/* Copies prose up to the next marker and writes its block; returns what follows the block's end
   marker, NULL at the end of the page or on an error. */
static const char *next_block(struct kg *g, const char *page, FILE *f, bool *seen)
{
  static const char open[] = "<!-- GENERATED:";
  const char *mark = strstr(page, open);

  if (mark == NULL) {
    fputs(page, f);
    return NULL;
  }
  const char *name = mark + strlen(open);
  size_t len = strcspn(name, " \n");
  size_t i = find_block(name, len);
  const char *end_mark = kg_text(g, "<!-- END:%.*s -->", (int)len, name);
  const char *end = strstr(name, end_mark);
  if (i == BLOCKS || end == NULL || seen[i]) {
    kg_fail(g, kg_text(g, "block \"%.*s\"", (int)len, name),
            "is unknown, given twice, or has no end marker");
    return NULL;
  }
  seen[i] = true;
  fwrite(page, 1, (size_t)(mark - page), f);
  fprintf(f, "%s%s -->\n\n", open, blocks[i].name);
  blocks[i].emit(g, f);
  fprintf(f, "\n%s", end_mark);
  return end + strlen(end_mark);
}

void kg_emit_isa_page(struct kg *g, FILE *f)
{
  const char *page = kg_read_file(g, kg_text(g, "%s/docs/isa.md", g->root));
  bool seen[BLOCKS] = {false};

  g->file = "docs/isa.md";
  if (page == NULL) {
    kg_fail(g, "file", "cannot be read");
    return;
  }
  size_t errors = g->n_errors;
  while (page != NULL) page = next_block(g, page, f, seen);
  for (size_t i = 0; i < BLOCKS && g->n_errors == errors; i++)
    if (!seen[i]) kg_fail(g, blocks[i].name, "the page has no block of this name");
  g->file = "spec/tinytpu.json";
}
