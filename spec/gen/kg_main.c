/* SPDX-License-Identifier: Apache-2.0 */
/* kt-gen: writes or checks everything that spec/tinytpu.json, spec/configs,
 * spec/link.json, spec/boards.json and spec/mx.json determine. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "spec/gen/kg_link.h"
#include "spec/gen/kg_mx.h"

enum mode { MODE_NONE, MODE_WRITE, MODE_CHECK };

struct options {
  const char *root;
  enum mode mode;
};

typedef void (*emit_fn)(struct kg *g, FILE *f);

static const struct {
  const char *path;
  emit_fn emit;
} outputs[] = {
    {"spec/generated/kt_tinytpu.h", kg_emit_header},
    {"spec/generated/kt_insn_pack.c", kg_emit_pack},
    {"spec/generated/kt_isa_tables.c", kg_emit_tables},
    {"spec/generated/kt_configs.c", kg_emit_configs},
    {"spec/generated/kt_interface.c", kg_emit_interface},
    {"docs/isa.md", kg_emit_isa_page},
    {"rtl/generated/ktpu_tinytpu.vh", kg_emit_verilog},
    {"spec/generated/kt_link.h", kg_emit_link_header},
    {"rtl/generated/ktpu_link.vh", kg_emit_link_verilog},
    {"spec/generated/kt_boards.h", kg_emit_boards_header},
    {"spec/generated/kt_boards.c", kg_emit_boards},
    {"docs/link.md", kg_emit_link_page},
    {"spec/generated/kt_mx.h", kg_emit_mx_header},
    {"spec/generated/kt_mx_tables.c", kg_emit_mx_tables},
    {"rtl/generated/ktpu_mx.vh", kg_emit_mx_verilog},
    {"rtl/generated/ktpu_mx_checks.vh", kg_emit_mx_checks},
    {"docs/mx-isa.md", kg_emit_mx_page},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  struct options *o = state->input;

  switch (key) {
  case 'r':
    o->root = arg;
    return 0;
  case 'w':
    o->mode = MODE_WRITE;
    return 0;
  case 'c':
    o->mode = MODE_CHECK;
    return 0;
  case ARGP_KEY_END:
    if (o->mode == MODE_NONE) argp_usage(state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static bool write_file(const char *path, const char *data, size_t size)
{
  FILE *f = fopen(path, "wb");

  if (f == NULL) return false;
  bool ok = fwrite(data, 1, size, f) == size;
  return fclose(f) == 0 && ok;
}

/* Compares, or writes where the text differs. False on a stale or unwritable file, named on stderr.
 */
static bool deliver(struct kg *g, enum mode mode, const char *relative, const char *data,
                    size_t size)
{
  const char *path = kg_text(g, "%s/%s", g->root, relative);
  const char *old = kg_read_file(g, path);

  if (old != NULL && strlen(old) == size && memcmp(old, data, size) == 0) return true;
  if (mode == MODE_CHECK) {
    fprintf(stderr, "kt-gen: %s is stale: run `make gen`\n", relative);
    return false;
  }
  if (write_file(path, data, size)) return true;
  fprintf(stderr, "kt-gen: %s cannot be written\n", relative);
  return false;
}

static bool produce(struct kg *g, enum mode mode)
{
  bool ok = true;

  for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
    char *data = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&data, &size);
    if (f == NULL) return false;
    size_t errors = g->n_errors;
    outputs[i].emit(g, f);
    if (fclose(f) != 0 || g->n_errors > errors)
      ok = false;
    else if (!deliver(g, mode, outputs[i].path, data, size))
      ok = false;
    free(data);
  }
  return ok;
}

int main(int argc, char **argv)
{
  static const struct argp_option table[] = {
      {"root", 'r', "DIR", 0, "repository (default: the current directory)", 0},
      {"write", 'w', NULL, 0, "check the specification, write what is stale", 0},
      {"check", 'c', NULL, 0, "check the specification, fail naming each stale file", 0},
      {NULL, 0, NULL, 0, NULL, 0},
  };
  static const struct argp parser = {table, parse_option, NULL, "Generates from spec/.",
                                     NULL,  NULL,         NULL};
  struct options o = {".", MODE_NONE};
  struct kg *g = calloc(1, sizeof *g);
  bool ok = false;

  if (g == NULL) return 2;
  argp_parse(&parser, argc, argv, 0, NULL, &o);
  g->root = o.root;
  if (kg_load(g)) {
    kg_check(g);
    kg_check_link(g);
    kg_check_mx(g);
  }
  if (g->n_errors == 0) ok = produce(g, o.mode);
  for (size_t i = 0; i < g->n_errors; i++) fprintf(stderr, "kt-gen: %s\n", g->error[i]);
  kg_free(g);
  free(g);
  return ok ? 0 : 1;
}
