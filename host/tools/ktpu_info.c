/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-info: what device is this; and names and parameters of simulator variants, for make.
 *
 * Exit codes: 0 printed, 2 wrong use, 4 no such device.
 */
#include "host/kd_variant.h"

#include <ktpu.h>

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>

const char *argp_program_version = "ktpu-info 1";

enum { EXIT_USAGE = 2, EXIT_DEVICE = 4, KEY_VARIANT = 1000, KEY_PARAMS_OF, KEY_CANONICAL };

struct options {
  int key; /* of the form asked for, 0: a device */
  const char *text;
};

static const struct argp_option option_list[] = {
    {"variant", KEY_VARIANT, "CONFIG", 0, "Print the name of a build's simulator variant", 0},
    {"params-of", KEY_PARAMS_OF, "VARIANT", 0, "Print the parameters of a variant", 0},
    {"canonical", KEY_CANONICAL, "CONFIG", 0, "Print a build's canonical parameter string", 0},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  struct options *o = state->input;
  switch (key) {
  case KEY_VARIANT:
  case KEY_PARAMS_OF:
  case KEY_CANONICAL: o->key = key; /* fall through */
  case ARGP_KEY_ARG:
    if (o->text != NULL) argp_error(state, "one thing at a time");
    o->text = arg;
    break;
  case ARGP_KEY_END:
    if (o->text == NULL) argp_error(state, "which device?");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static int print_build(const struct options *o)
{
  struct kt_params p;
  struct kt_msg msg = {{0}};
  char text[KT_PARAMS_CANONICAL_MAX];
  enum kt_status st;
  if (o->key == KEY_PARAMS_OF) {
    st = kd_variant_params(o->text, text, sizeof text, &msg);
  } else {
    st = kt_params_parse(&p, o->text, &msg);
    if (st == KT_OK && o->key == KEY_VARIANT)
      st = kd_variant_name(&p, text, sizeof text, &msg);
    else if (st == KT_OK)
      kt_params_canonical(&p, text, sizeof text);
  }
  if (st == KT_OK) printf("%s\n", text);
  if (st != KT_OK) fprintf(stderr, "ktpu-info: %s\n", msg.text);
  return st == KT_OK ? 0 : EXIT_USAGE;
}

static void print_info(const struct ktpu_info *i)
{
  printf("device        %s\n", i->name);
  printf("specification version %" PRIu32 ", parameters' hash 0x%08" PRIx32 "\n", i->spec_version,
         i->config_hash);
  printf("parameters    %s\n", i->parameters);
  printf("array         %" PRIu32 "x%" PRIu32 " multiply-accumulates, operands up to %" PRIu32
         "x%" PRIu32 " a program\n",
         i->t, i->t, i->maxdim, i->maxdim);
  printf("memory        %" PRIu64 " bytes behind a %" PRIu32 "-bit port\n", i->memory,
         i->bus_bits);
  printf("features     %s%s%s%s\n", i->strides ? " strides" : "", i->contracts ? " contracts" : "",
         i->counters ? " counters" : "", i->has_clock ? " clock" : "");
}

static int print_device(const char *name)
{
  struct ktpu_device *d;
  struct ktpu_message m;
  struct ktpu_info info;
  enum ktpu_status st = ktpu_open(name, NULL, &d, &m);
  if (st != KTPU_OK) {
    fprintf(stderr, "ktpu-info: %s\n", m.text[0] != '\0' ? m.text : ktpu_strerror(st));
    return EXIT_DEVICE;
  }
  st = ktpu_info(d, &info);
  if (st == KTPU_OK) print_info(&info);
  ktpu_close(d);
  return st == KTPU_OK ? 0 : EXIT_DEVICE;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {
      .options = option_list,
      .parser = parse_option,
      .args_doc = "DEVICE",
      .doc = "Says what a device is (ref:CONFIG, sim:CONFIG, sim:@NAME).",
  };
  struct options o = {0};
  argp_err_exit_status = EXIT_USAGE;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  return o.key != 0 ? print_build(&o) : print_device(o.text);
}
