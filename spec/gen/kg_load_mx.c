/* SPDX-License-Identifier: Apache-2.0 */
/* Reads spec/mx.json and the configs of its engine into tables. */
#include <string.h>

#include "spec/gen/kg_mx.h"

static void params(struct kg *g, const cJSON *root)
{
  struct kg_mx *m = g->mx;
  const cJSON *list = kg_array(g, root, "top level", "parameters", KG_MAX_PARAMS, &m->n_params);
  const cJSON *item, *v;
  struct kg_mx_param *p = m->param = kg_alloc(g, m->n_params, sizeof *p);

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "parameters", "name default legal role");
    p->name = kg_str(g, item, "parameters", "name");
    p->role = kg_str(g, item, p->name, "role");
    p->value = kg_uint(g, item, p->name, "default", UINT32_MAX);
    const cJSON *legal = kg_array(g, item, p->name, "legal", KG_MX_MAX_LEGAL, &p->n_legal);
    size_t i = 0;
    cJSON_ArrayForEach(v, legal)
    {
      if (!cJSON_IsNumber(v) || v->valuedouble < 0 || v->valuedouble > 65535)
        kg_fail(g, p->name, "\"legal\" must hold whole numbers up to 65535");
      else
        p->legal[i++] = (uint32_t)v->valuedouble;
    }
    p++;
  }
}

static uint32_t or_else(struct kg *g, const cJSON *item, const char *where, const char *key,
                        uint32_t otherwise)
{
  return cJSON_HasObjectItem(item, key) ? kg_uint(g, item, where, key, UINT32_MAX) : otherwise;
}

static void fields(struct kg *g, const cJSON *item, struct kg_mx_insn *in, uint32_t *number)
{
  const cJSON *list = kg_array(g, item, in->name, "fields", 32, &in->n_fields), *entry;
  struct kg_mx_field *f = in->field = kg_alloc(g, in->n_fields, sizeof *f);

  cJSON_ArrayForEach(entry, list)
  {
    kg_keys(g, entry, in->name, "name word lsb bits ?min ?max ?multiple role");
    f->name = kg_str(g, entry, in->name, "name");
    f->role = kg_str(g, entry, f->name, "role");
    f->word = kg_uint(g, entry, f->name, "word", KG_MX_WORDS - 1);
    f->lsb = kg_uint(g, entry, f->name, "lsb", 31);
    f->bits = kg_uint(g, entry, f->name, "bits", 32);
    uint32_t all = f->bits == 32 ? UINT32_MAX : (UINT32_C(1) << f->bits) - 1;
    f->min = or_else(g, entry, f->name, "min", 0);
    f->max = or_else(g, entry, f->name, "max", all);
    f->multiple = or_else(g, entry, f->name, "multiple", 1);
    f->number = (*number)++;
    f++;
  }
}

static void instructions(struct kg *g, const cJSON *root)
{
  struct kg_mx *m = g->mx;
  const cJSON *list = kg_array(g, root, "top level", "instructions", 16, &m->n_insns), *item;
  struct kg_mx_insn *in = m->insn = kg_alloc(g, m->n_insns, sizeof *in);
  uint32_t number = 0;

  cJSON_ArrayForEach(item, list)
  {
    kg_keys(g, item, "instructions", "name opcode role fields");
    in->name = kg_str(g, item, "instructions", "name");
    in->role = kg_str(g, item, in->name, "role");
    in->opcode = kg_uint(g, item, in->name, "opcode", 255);
    fields(g, item, in, &number);
    in++;
  }
}

static struct kg_named *named(struct kg *g, const cJSON *root, const char *key, size_t *n)
{
  const cJSON *list = kg_array(g, root, "top level", key, 32, n);

  return kg_load_named(g, list, key, "value", *n);
}

static void sizes(struct kg *g, const cJSON *root)
{
  struct kg_mx *m = g->mx;

  m->version = kg_uint(g, root, "top level", "version", 65535);
  m->engine = kg_uint(g, root, "top level", "engine", 255);
  m->block = kg_uint(g, root, "top level", "block", 255);
  m->lanes = kg_uint(g, root, "top level", "lanes", 255);
  m->beat_bytes = kg_uint(g, root, "top level", "beat_bytes", 255);
  m->entry_bytes = kg_uint(g, root, "top level", "entry_bytes", 65535);
  m->half_entry_bytes = kg_uint(g, root, "top level", "half_entry_bytes", 65535);
  m->flit_words = kg_uint(g, root, "top level", "flit_words", 255);
  m->command_words = kg_uint(g, root, "top level", "command_words", 255);
  m->write_burst = kg_uint(g, root, "top level", "write_burst", 255);
}

void kg_load_mx(struct kg *g)
{
  cJSON *root = kg_parse(g, "spec/mx.json");
  struct kg_mx *m = g->mx = kg_alloc(g, 1, sizeof *m);

  if (root == NULL) return;
  kg_keys(g, root, "top level",
          "SPDX-License-Identifier name version engine block lanes beat_bytes entry_bytes "
          "half_entry_bytes flit_words command_words write_burst parameters instructions commands "
          "faults waiting registers sweep_states");
  sizes(g, root);
  params(g, root);
  instructions(g, root);
  m->command = named(g, root, "commands", &m->n_commands);
  m->fault = named(g, root, "faults", &m->n_faults);
  m->waiting = named(g, root, "waiting", &m->n_waiting);
  m->state = named(g, root, "sweep_states", &m->n_states);
  m->reg = kg_load_registers(g, root, &m->n_regs);
  cJSON_Delete(root);
}

void kg_load_mx_config(struct kg *g, const cJSON *root, const char *file_name)
{
  struct kg_mx *m = g->mx;
  struct kg_mx_config *c = &m->config[m->n_configs];
  const cJSON *item;

  if (m->n_configs == KG_MAX_CONFIGS) {
    kg_fail(g, "configs", "more than %d", KG_MAX_CONFIGS);
    return;
  }
  m->n_configs++;
  kg_keys(g, root, "config", "SPDX-License-Identifier name engine role parameters");
  c->name = kg_str(g, root, "config", "name");
  c->role = kg_str(g, root, "config", "role");
  if (strlen(c->name) > 31)
    kg_fail(g, "config", "name \"%s\" is longer than 31 characters", c->name);
  if (strcmp(file_name, kg_text(g, "%s.json", c->name)) != 0)
    kg_fail(g, "config", "name \"%s\" differs from the file's", c->name);
  const cJSON *given = kg_obj(g, root, "config", "parameters");
  cJSON_ArrayForEach(item, given)
  {
    size_t i = 0;
    while (i < m->n_params && strcmp(m->param[i].name, item->string) != 0) i++;
    if (i == m->n_params) {
      kg_fail(g, "parameters", "unknown parameter \"%s\"", item->string);
      continue;
    }
    c->given[i] = true;
    c->value[i] = kg_uint(g, given, "parameters", item->string, UINT32_MAX);
  }
}
