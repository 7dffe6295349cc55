/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-info: what device is this, which boards are connected, does a link carry bytes undamaged; and
 * names and parameters of simulator variants, for make.
 *
 * Exit codes: 0 printed, 1 the link damaged bytes, 2 wrong use, 4 no such device.
 */
#include "host/kd_variant.h"
#include "host/tools/info.h"

#include <ktpu.h>

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

const char *argp_program_version = "ktpu-info 1";

enum { KEY_VARIANT = 1000, KEY_PARAMS_OF, KEY_CANONICAL, KEY_LIST, KEY_TEST, KEY_JSON };

enum { MOST_MIB = 1024 };

struct options {
  int key; /* of the form asked for, 0: a device */
  const char *text;
  bool list, json;
  uint32_t test_mib;
};

static const struct argp_option option_list[] = {
    {"variant", KEY_VARIANT, "CONFIG", 0, "Print the name of a build's simulator variant", 0},
    {"params-of", KEY_PARAMS_OF, "VARIANT", 0, "Print the parameters of a variant", 0},
    {"canonical", KEY_CANONICAL, "CONFIG", 0, "Print a build's canonical parameter string", 0},
    {"list", KEY_LIST, NULL, 0, "Every FTDI chip, and which board it may be", 1},
    {"device", 'd', "DEVICE", 0, "The same as DEVICE", 1},
    {"link-test", KEY_TEST, "MIB", 0, "Send MIB MiB to a board (ftdi:NAME) and back", 1},
    {"json", KEY_JSON, NULL, 0, "With --list and --link-test: one JSON value", 1},
    {0},
};

static uint32_t parse_mib(struct argp_state *state, const char *arg)
{
  char *end;
  const unsigned long v = strtoul(arg, &end, 10);
  if (end == arg || *end != '\0' || v < 1 || v > MOST_MIB)
    argp_error(state, "--link-test %s: want 1..%d MiB", arg, MOST_MIB);
  return (uint32_t)v;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  struct options *o = state->input;
  switch (key) {
  case KEY_VARIANT:
  case KEY_PARAMS_OF:
  case KEY_CANONICAL: o->key = key; /* fall through */
  case 'd':
  case ARGP_KEY_ARG:
    if (o->text != NULL) argp_error(state, "one thing at a time");
    o->text = arg;
    break;
  case KEY_LIST: o->list = true; break;
  case KEY_TEST: o->test_mib = parse_mib(state, arg); break;
  case KEY_JSON: o->json = true; break;
  case ARGP_KEY_END:
    if (o->text == NULL && !o->list) argp_error(state, "which device?");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static int print_build(const struct options *o)
{
  struct kt_params p;
  struct kt_mx_params mx;
  struct kt_msg msg = {{0}};
  char text[KT_PARAMS_CANONICAL_MAX];
  enum kt_status st;
  if (o->key == KEY_PARAMS_OF) {
    st = kd_variant_params(o->text, text, sizeof text, &msg);
  } else if (kt_mx_params_is(o->text)) {
    st = kt_mx_params_parse(&mx, o->text, &msg);
    if (st == KT_OK && o->key == KEY_VARIANT)
      st = kd_mx_variant_name(&mx, text, sizeof text);
    else if (st == KT_OK)
      kt_mx_params_canonical(&mx, text, sizeof text);
  } else {
    st = kt_params_parse(&p, o->text, &msg);
    if (st == KT_OK && o->key == KEY_VARIANT)
      st = kd_variant_name(&p, text, sizeof text, &msg);
    else if (st == KT_OK)
      kt_params_canonical(&p, text, sizeof text);
  }
  if (st == KT_OK) printf("%s\n", text);
  if (st != KT_OK) fprintf(stderr, "ktpu-info: %s\n", msg.text);
  return st == KT_OK ? 0 : INFO_USAGE;
}

static void print_info(const struct ktpu_info *i)
{
  printf("device        %s\n", i->name);
  printf("specification version %" PRIu32 ", parameters' hash 0x%08" PRIx32 "\n", i->spec_version,
         i->config_hash);
  printf("parameters    %s\n", i->parameters);
  if (i->kslice != 0)
    printf("array         %" PRIu32 " MXFP7 multiply-accumulates a cycle, %" PRIu32
           " operand entries a side, %" PRIu32 " 4x4 sub-tiles\n",
           i->peak, i->l1_entries, i->tiles);
  else
    printf("array         %" PRIu32 "x%" PRIu32 " multiply-accumulates, operands up to %" PRIu32
           "x%" PRIu32 " a program\n",
           i->t, i->t, i->maxdim, i->maxdim);
  printf("memory        %" PRIu64 " bytes behind a %" PRIu32 "-bit port\n", i->memory,
         i->bus_bits);
  if (i->kslice == 0)
    printf("features     %s%s%s%s\n", i->strides ? " strides" : "", i->contracts ? " contracts" : "",
         i->counters ? " counters" : "", i->has_clock ? " clock" : "");
  if (i->board[0] != '\0')
    printf("board         %s, serial %s, bitstream 0x%08" PRIx32 ", %.1f MHz\n", i->board,
           i->serial[0] != '\0' ? i->serial : "none", i->build_id, i->clock_hz / 1e6);
}

static int print_device(const char *name)
{
  struct ktpu_device *d;
  struct ktpu_message m;
  struct ktpu_info info;
  enum ktpu_status st = ktpu_open(name, NULL, &d, &m);
  if (st != KTPU_OK) {
    fprintf(stderr, "ktpu-info: %s\n", m.text[0] != '\0' ? m.text : ktpu_strerror(st));
    return INFO_DEVICE;
  }
  if (m.text[0] != '\0') fprintf(stderr, "ktpu-info: %s\n", m.text); /* something to tell */
  st = ktpu_info(d, &info);
  if (st == KTPU_OK) print_info(&info);
  ktpu_close(d);
  return st == KTPU_OK ? 0 : INFO_DEVICE;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {
      .options = option_list,
      .parser = parse_option,
      .args_doc = "DEVICE",
      .doc = "Says what a device is (ref:CONFIG, sim:CONFIG, sim:@NAME, ftdi:BOARD), and which boards are "
             "connected.",
  };
  struct options o = {0};
  argp_err_exit_status = INFO_USAGE;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  if (o.list) return (int)info_list(o.json);
  if (o.test_mib != 0) return (int)info_link_test(o.text, o.test_mib, o.json);
  return o.key != 0 ? print_build(&o) : print_device(o.text);
}
