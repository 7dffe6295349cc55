/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-dis: the text of a binary int8 program.
 */
#include "compiler/bytes/kc_file.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_REFUSED = 1, EXIT_FILE = 2, EXIT_ARGUMENT = 64 };

const char *argp_program_version = "ktpu-dis 1";
static const char doc[] =
    "Prints an int8 program as text that ktpu-as turns back into exactly the same words "
    "(with --no-check if the program is not legal). FILE - is standard input.\v"
    "Exit codes: 0 printed; 1 FILE is no program; 2 a file cannot be read or written, or memory is "
    "short; 64 bad arguments.";

static const struct argp_option options[] = {
    {"output", 'o', "OUT", 0, "Write the text to OUT (default: standard output)", 0},
    {"params", 'p', "CONFIG", 0,
     "Build parameters, as in int8,T=8,MAXDIM=64 (default: int8)", 0},
    {0},
};

struct arguments {
  const char *file, *output, *params;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct arguments *args = state->input;

  switch (key) {
  case 'o': args->output = arg; return 0;
  case 'p': args->params = arg; return 0;
  case ARGP_KEY_ARG:
    if (args->file != NULL) argp_error(state, "more than one FILE");
    args->file = arg;
    return 0;
  case ARGP_KEY_END:
    if (args->file == NULL) argp_error(state, "no FILE");
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static enum kt_status disassemble(const struct arguments *args, const struct kt_params *p,
                                  struct kt_msg *msg)
{
  struct kc_program program = {NULL, 0};
  uint8_t *bytes = NULL;
  size_t size = 0;
  char *text = NULL;

  enum kt_status st = kc_file_read(args->file, &bytes, &size, msg);
  if (st != KT_OK) return st;
  st = kc_words_from_bytes(bytes, size, &program, msg);
  if (st == KT_OK) st = kc_disassemble(p, program.words, program.n_words, &text, msg);
  if (st == KT_OK)
    st = kc_file_write(args->output, (const uint8_t *)text, strlen(text), msg);
  free(text);
  free(bytes);
  kc_program_free(&program);
  return st;
}

int main(int argc, char **argv)
{
  const struct argp argp = {options, parse, "FILE", doc, NULL, NULL, NULL};
  struct arguments args = {.output = "-", .params = "int8"};
  struct kt_params p;
  struct kt_msg msg = {""};

  argp_parse(&argp, argc, argv, 0, NULL, &args);
  if (kt_params_parse(&p, args.params, &msg) != KT_OK) {
    fprintf(stderr, "ktpu-dis: --params %s: %s\n", args.params, msg.text);
    return EXIT_ARGUMENT;
  }
  enum kt_status st = disassemble(&args, &p, &msg);
  if (st == KT_OK) return EXIT_SUCCESS;
  fprintf(stderr, "%s\n", msg.text[0] != '\0' ? msg.text : kt_status_text(st));
  return st == KT_EIO || st == KT_ENOMEM ? EXIT_FILE : EXIT_REFUSED;
}
