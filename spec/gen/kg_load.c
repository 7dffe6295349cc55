/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the specification into tables: top level, look-ups by name, configs. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "spec/gen/kg_link.h"
#include "spec/gen/kg_mx.h"

int kg_find_unit(const struct kg *g, const char *name)
{
  for (size_t i = 0; i < g->isa.n_units; i++)
    if (strcmp(g->isa.unit[i].name, name) == 0) return (int)i;
  return -1;
}

int kg_find_port(const struct kt_unit *u, const char *name)
{
  for (size_t i = 0; i < u->n_ports; i++)
    if (strcmp(u->port[i].name, name) == 0) return (int)i;
  return -1;
}

int kg_find_memory(const struct kg *g, const char *name)
{
  for (size_t i = 0; i < g->isa.n_memories; i++)
    if (strcmp(g->isa.memory[i].name, name) == 0) return (int)i;
  return -1;
}

int kg_find_opcode(const struct kg *g, const char *name)
{
  for (size_t i = 0; i < g->isa.n_opcodes; i++)
    if (strcmp(g->isa.opcode[i].name, name) == 0) return (int)i;
  return -1;
}

int kg_find_fault(const struct kg *g, const char *name)
{
  for (size_t i = 0; i < g->isa.n_faults; i++)
    if (strcmp(g->isa.fault[i].name, name) == 0) return (int)i;
  return -1;
}

int kg_find_operand(const struct kt_opcode *op, const char *name)
{
  for (size_t i = 0; i < op->n_operands; i++)
    if (strcmp(op->operand[i].name, name) == 0) return (int)i;
  return -1;
}

int kg_find_desc_word(const struct kg *g, const char *name)
{
  for (size_t i = 0; i < g->n_desc_words; i++)
    if (strcmp(g->desc_word[i].name, name) == 0) return (int)g->desc_word[i].value;
  return -1;
}

cJSON *kg_parse(struct kg *g, const char *relative)
{
  char *text = kg_read_file(g, kg_text(g, "%s/%s", g->root, relative));
  const char *end = NULL;

  g->file = kg_strdup(g, relative);
  if (text == NULL) {
    kg_fail(g, "file", "cannot be read");
    return NULL;
  }
  cJSON *json = cJSON_ParseWithOpts(text, &end, 1);
  if (json == NULL) {
    size_t line = 1;
    for (const char *p = text; p < end; p++) line += *p == '\n';
    kg_fail(g, kg_text(g, "line %zu", line), "is not JSON");
  }
  return json;
}

static void top_level(struct kg *g, const cJSON *root)
{
  kg_keys(g, root, "top level",
          "SPDX-License-Identifier name version magic encoding loop units memories opcodes header "
          "contracts parameters "
          "constants constraints gemm ceilings numerics registers counter_states "
          "counter_unit_stride descriptor faults "
          "check_order");
  g->name = kg_str(g, root, "top level", "name");
  g->isa.version = kg_uint(g, root, "top level", "version", 65535);
  g->magic = kg_hex(g, root, "top level", "magic");
}

static void load_config(struct kg *g, const cJSON *root, const char *file_name)
{
  struct kg_config *c = &g->config[g->n_configs++];
  const cJSON *item;

  kg_keys(g, root, "config", "SPDX-License-Identifier name engine role parameters");
  c->name = kg_str(g, root, "config", "name");
  c->role = kg_str(g, root, "config", "role");
  if (strlen(c->name) > 31)
    kg_fail(g, "config", "name \"%s\" is longer than 31 characters", c->name);
  if (strncmp(file_name, c->name, strlen(c->name)) != 0 ||
      strcmp(file_name + strlen(c->name), ".json") != 0)
    kg_fail(g, "config", "name \"%s\" differs from the file's", c->name);
  const cJSON *params = kg_obj(g, root, "config", "parameters");
  cJSON_ArrayForEach(item, params)
  {
    size_t i = 0;
    while (i < g->isa.n_params && strcmp(g->isa.param[i].name, item->string) != 0) i++;
    if (i == g->isa.n_params) {
      kg_fail(g, "parameters", "unknown parameter \"%s\"", item->string);
      continue;
    }
    if (c->given[i]) kg_fail(g, "parameters", "\"%s\" is given twice", item->string);
    c->given[i] = true;
    c->value[i] = kg_uint(g, params, "parameters", item->string, INT32_MAX);
  }
}

static int is_json(const struct dirent *d)
{
  const char *dot = strrchr(d->d_name, '.');

  return dot != NULL && strcmp(dot, ".json") == 0;
}

/* Configs of all engines share the folder. */
void kg_load_configs(struct kg *g)
{
  struct dirent **entry = NULL;
  int n = scandir(kg_text(g, "%s/spec/configs", g->root), &entry, is_json, alphasort);

  for (int i = 0; i < n; i++) {
    cJSON *json = kg_parse(g, kg_text(g, "spec/configs/%s", entry[i]->d_name));
    const char *engine = json == NULL ? "" : kg_str(g, json, "config", "engine");
    if (strcmp(engine, "mxfp7") == 0) {
      kg_load_mx_config(g, json, entry[i]->d_name);
    } else if (strcmp(engine, "int8") == 0) {
      if (g->n_configs == KG_MAX_CONFIGS)
        kg_fail(g, "configs", "more than %d", KG_MAX_CONFIGS);
      else
        load_config(g, json, entry[i]->d_name);
    }
    cJSON_Delete(json);
    free(entry[i]);
  }
  free(entry);
  if (n <= 0) kg_fail(g, "spec/configs", "holds no config");
}

bool kg_load(struct kg *g)
{
  cJSON *root = kg_parse(g, "spec/tinytpu.json");

  if (root != NULL) {
    top_level(g, root);
    if (g->n_errors == 0) kg_load_isa(g, root);
    if (g->n_errors == 0) kg_load_params(g, root);
    if (g->n_errors == 0) kg_load_regs(g, root);
    if (g->n_errors == 0) kg_load_opcodes(g, root);
  }
  cJSON_Delete(root);
  if (g->n_errors == 0) kg_load_mx(g);
  if (g->n_errors == 0) kg_load_configs(g);
  if (g->n_errors == 0) kg_load_link(g);
  if (g->n_errors == 0) kg_load_boards(g);
  g->file = "spec/tinytpu.json";
  return g->n_errors == 0;
}
