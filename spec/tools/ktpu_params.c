/* SPDX-License-Identifier: Apache-2.0 */
/* ktpu-params: prints a build's parameters, for people, for Verilator (-G...) or as Verilog text.
 */
#include <argp.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "spec/kt_isa.h"
#include "spec/kt_mx.h"
#include "spec/kt_mx_params.h"
#include "spec/kt_params.h"

struct options {
  const char *params, *format;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  struct options *o = state->input;

  switch (key) {
  case 'f':
    o->format = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (state->arg_num > 0) argp_usage(state);
    o->params = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Either machine's parameters. */
struct build {
  bool is_mx;
  struct kt_params p;
  struct kt_mx_params mx;
};

static void each_mx(const struct kt_mx_params *p, const char *before, const char *between,
                    const char *after)
{
  for (size_t i = 0; i < kt_mx_n_params; i++)
    printf("%s%s%s%" PRIu32 "%s", before, kt_mx_param[i].name, between, kt_mx_params_get(p, i),
           after);
}

static void each(const struct build *b, const char *before, const char *between,
                 const char *after)
{
  const struct kt_params *p = &b->p;
  if (b->is_mx) {
    each_mx(&b->mx, before, between, after);
    return;
  }
  for (size_t i = 0; i < kt_isa.n_params; i++) {
    int64_t v = 0;
    kt_params_value(p, kt_isa.param[i].name, &v);
    printf("%s%s%s%" PRId64 "%s", before, kt_isa.param[i].name, between, v, after);
  }
}

static void print_text(const struct build *b, uint32_t hash)
{
  char canonical[KT_PARAMS_CANONICAL_MAX];

  if (b->is_mx)
    kt_mx_params_canonical(&b->mx, canonical, sizeof canonical);
  else
    kt_params_canonical(&b->p, canonical, sizeof canonical);
  printf("%s\nconfig %s, hash 0x%08" PRIX32 "\n", canonical,
         b->is_mx ? b->mx.config : b->p.config, hash);
}

static int print(const struct build *b, const char *format)
{
  uint32_t hash = b->is_mx ? kt_mx_params_hash(&b->mx) : kt_params_hash(&b->p);

  if (strcmp(format, "text") == 0) {
    print_text(b, hash);
  } else if (strcmp(format, "verilator") == 0) {
    each(b, "-G", "=", " ");
    printf("-GCONFIG_HASH=32'h%08" PRIX32 "\n", hash);
  } else if (strcmp(format, "ports") == 0) {
    each(b, "  .", "(", "),\n");
    printf("  .CONFIG_HASH(32'h%08" PRIX32 ")\n", hash);
  } else if (strcmp(format, "hash") == 0) {
    printf("0x%08" PRIX32 "\n", hash);
  } else {
    fprintf(stderr, "ktpu-params: format must be text, verilator, ports or hash\n");
    return 2;
  }
  return 0;
}

int main(int argc, char **argv)
{
  static const struct argp_option table[] = {
      {"format", 'f', "NAME", 0, "text (default), verilator, ports, hash", 0},
      {NULL, 0, NULL, 0, NULL, 0},
  };
  static const struct argp parser = {
      table, parse_option, "[CONFIG[,NAME=VALUE]...]", "Prints a build's parameters.", NULL,
      NULL,  NULL};
  struct options o = {"int8", "text"};
  struct build b = {0};
  struct kt_msg m = {""};

  argp_parse(&parser, argc, argv, 0, NULL, &o);
  b.is_mx = kt_mx_params_is(o.params);
  if ((b.is_mx ? kt_mx_params_parse(&b.mx, o.params, &m)
               : kt_params_parse(&b.p, o.params, &m)) != KT_OK) {
    fprintf(stderr, "ktpu-params: %s\n", m.text);
    return 1;
  }
  return print(&b, o.format);
}
