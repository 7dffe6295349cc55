/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-params: prints one build's parameters for the tool that needs them, so that no script
 * repeats the defaults.
 *
 * usage: ktpu-params FORM BUILD
 *   BUILD  a config and changes to it, such as "int8,T=8,MAXDIM=64"
 *   FORM   verilator   -GT=4           one line, for a shell to split
 *          icarus:TOP  -PTOP.T=4       one line, for a shell to split
 *          yosys       -chparam T 4    one line (options of hierarchy)
 *          json        {"T": 4, ...}
 * Exit code: 0 printed, 1 the build is not legal, 2 wrong use.
 */
#include "spec/kt_params.h"
#include "spec/kt_status.h"

#include <stdio.h>
#include <string.h>

struct named_value {
  const char *name; /* as the Verilog parameter is spelled */
  uint32_t value;
};

enum { VALUES = 15 };

static void list_values(const struct kt_params *p, struct named_value v[VALUES])
{
  const struct named_value all[VALUES] = {
      {"T", p->t},
      {"MAXDIM", p->maxdim},
      {"SPAD_ROWS", p->spad_rows},
      {"NVR", p->nvr},
      {"NAR", p->nar},
      {"IMEM_SIZE", p->imem_size},
      {"QD", p->qd},
      {"BUS_BITS", p->bus_bits},
      {"OUTSTANDING", p->outstanding},
      {"CONTRACTS", p->contracts},
      {"STRIDES", p->strides},
      {"COUNTERS", p->counters},
      {"SERIAL_SHIFT", p->serial_shift},
      {"ADDR_BITS", p->addr_bits},
      {"CONFIG_HASH", kt_params_hash(p)},
  };
  memcpy(v, all, sizeof all);
}

/* The hash is spelled as 32'h.. because it may not fit a signed integer. */
static void print_values(const struct named_value *v, const char *before, const char *between)
{
  for (size_t i = 0; i < VALUES; i++) {
    const char *gap = i == 0 ? "" : " ";
    if (strcmp(v[i].name, "CONFIG_HASH") == 0)
      printf("%s%s%s%s32'h%08lx", gap, before, v[i].name, between, (unsigned long)v[i].value);
    else
      printf("%s%s%s%s%lu", gap, before, v[i].name, between, (unsigned long)v[i].value);
  }
  printf("\n");
}

static void print_icarus(const struct named_value *v, const char *top)
{
  char before[128];

  snprintf(before, sizeof before, "-P%s.", top);
  print_values(v, before, "=");
}

static void print_json(const struct named_value *v)
{
  for (size_t i = 0; i < VALUES; i++)
    printf("%s\"%s\": %lu", i == 0 ? "{" : ", ", v[i].name, (unsigned long)v[i].value);
  printf("}\n");
}

static int print_form(const char *form, const struct kt_params *p)
{
  struct named_value v[VALUES];

  list_values(p, v);
  if (strcmp(form, "verilator") == 0) {
    print_values(v, "-G", "=");
  } else if (strcmp(form, "yosys") == 0) {
    print_values(v, "-chparam ", " ");
  } else if (strcmp(form, "json") == 0) {
    print_json(v);
  } else if (strncmp(form, "icarus:", 7) == 0) {
    print_icarus(v, form + 7);
  } else {
    return 2;
  }
  return 0;
}

int main(int argc, char **argv)
{
  struct kt_params p;
  struct kt_msg msg = {{0}};

  if (argc != 3) {
    fprintf(stderr, "usage: ktpu-params verilator|icarus:TOP|yosys|json BUILD\n");
    return 2;
  }
  if (kt_params_parse(&p, argv[2], &msg) != KT_OK || kt_params_check(&p, &msg) != KT_OK) {
    fprintf(stderr, "ktpu-params: %s\n", msg.text);
    return 1;
  }
  if (print_form(argv[1], &p) != 0) {
    fprintf(stderr, "ktpu-params: no form '%s'\n", argv[1]);
    return 2;
  }
  return 0;
}
