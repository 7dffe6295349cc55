/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-sim: the Verilated machine as a server. libktpu starts it with one end of a socket pair;
 * a person starts it with a name, to which any number of programs attach, one after the other.
 *
 * Exit codes: 0 the client left (or --info was printed), 2 wrong use, 4 no memory, or the name is
 * taken. A check inside the Verilog that fails aborts the process after a line that says which.
 */
#include "cosim/ks_link.h"
#include "cosim/ks_machine.h"
#include "cosim/ks_server.h"
#include "cosim/ks_shim.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_DEVICE = 4 };

struct options {
  const char *name, *wave;
  int fd;
  uint32_t seed;
  uint64_t memory;
  bool info;
};

enum { KEY_FD = 1000, KEY_INFO };

static const struct argp_option option_list[] = {
    {"name", 'n', "NAME", 0, "Wait for programs that open sim:@NAME", 0},
    {"seed", 's', "N", 0, "Draw the registers' values at power-up from N (1)", 0},
    {"memory", 'm', "BYTES", 0, "Size of the simulated DRAM (67108864)", 0},
    {"wave", 'w', "FILE", 0, "Write a waveform (FST); needs the .fst build", 0},
    {"info", KEY_INFO, NULL, 0, "Print the build's parameters and end", 0},
    {"fd", KEY_FD, "N", OPTION_HIDDEN, "The socket of the program that started this one", 0},
    {0},
};

static bool number(const char *text, uint64_t *value)
{
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 0);
  return errno == 0 && *end == '\0' && end != text && text[0] != '-';
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  struct options *o = state->input;
  uint64_t v = 0;
  if ((key == 's' || key == 'm' || key == KEY_FD) && !number(arg, &v))
    argp_error(state, "'%s' is no number", arg);
  switch (key) {
  case 'n': o->name = arg; break;
  case 'w': o->wave = arg; break;
  case 's': o->seed = (uint32_t)v; break;
  case 'm': o->memory = v; break;
  case KEY_FD: o->fd = (int)v; break;
  case KEY_INFO: o->info = true; break;
  case ARGP_KEY_ARG: argp_error(state, "no argument is expected: '%s'", arg); break;
  case ARGP_KEY_END:
    if (!o->info && (o->name == NULL) == (o->fd < 0)) argp_error(state, "give a --name");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* Serves clients on the name, one after the other, for ever. */
static enum kt_status serve_name(struct ks_machine *m, const struct ks_segment *s,
                                 const char *name, struct kt_msg *msg)
{
  int listener = -1, sock = -1;
  enum kt_status st = ks_link_listen(name, &listener, msg);
  if (st != KT_OK) return st;
  printf("ktpu-sim: %s: waiting for sim:@%s\n", ks_shim_params(), name);
  fflush(stdout);
  for (;;) {
    if (ks_link_accept(listener, -1, &sock) != KT_OK) continue;
    (void)ks_serve(m, s, sock);
    close(sock);
  }
}

static int run(const struct options *o)
{
  struct kt_msg msg = {{0}};
  struct ks_segment segment;
  struct ks_model model;
  static struct ks_machine machine;

  if (ks_shim_open(&model, o->seed, o->wave) != 0) {
    fprintf(stderr, "ktpu-sim: this build writes no waveform; use the one with .fst\n");
    return EXIT_USAGE;
  }
  enum kt_status st = ks_segment_create(&segment, o->memory, ks_shim_params(), &msg);
  if (st == KT_OK) {
    ks_machine_init(&machine, &model, ks_shm_dram(segment.shm), o->memory);
    st = o->name != NULL ? serve_name(&machine, &segment, o->name, &msg)
                         : ks_serve(&machine, &segment, o->fd);
  }
  ks_segment_destroy(&segment);
  ks_shim_close(&model);
  if (st == KT_OK) return 0;
  if (msg.text[0] != '\0') fprintf(stderr, "ktpu-sim: %s\n", msg.text);
  return EXIT_DEVICE;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {
      .options = option_list,
      .parser = parse_option,
      .doc = "The Verilated machine as a server for libktpu.",
  };
  struct options o = {.fd = -1, .seed = 1, .memory = UINT64_C(64) << 20};

  argp_err_exit_status = EXIT_USAGE;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  if (o.info) {
    printf("%s\n", ks_shim_params());
    return 0;
  }
  return run(&o);
}
