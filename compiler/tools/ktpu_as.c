/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-as: assembles an int8 program.
 */
#include "compiler/bytes/kc_file.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_REFUSED = 1, EXIT_FILE = 2, EXIT_ARGUMENT = 64 };

const char *argp_program_version = "ktpu-as 1";
static const char doc[] =
    "Assembles an int8 program (docs/programs.md). The output is the program as the core reads it: "
    "64-bit little-endian words, the header first. FILE - is standard input.\v"
    "Exit codes: 0 assembled; 1 the text cannot be parsed or the program is refused; "
    "2 a file cannot be read or written, or memory is short; 64 bad arguments.";

static const struct argp_option options[] = {
    {"output", 'o', "OUT", 0, "Write the binary to OUT, - is standard output (default: a.bin)", 0},
    {"params", 'p', "CONFIG", 0,
     "Build parameters, as in int8,T=8,MAXDIM=64 (default: int8)", 0},
    {"after", 'a', "PROGRAM", 0,
     "This program follows PROGRAM (text or binary) in a chain and may use what it leaves; repeat "
     "the option for a longer chain", 0},
    {"no-check", 'n', NULL, 0, "Accept whatever can be encoded", 0},
    {0},
};

enum { AFTER_MAX = 64 };

struct arguments {
  const char *file, *output, *params;
  const char *after[AFTER_MAX];
  unsigned n_after;
  bool no_check;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct arguments *args = state->input;

  switch (key) {
  case 'o': args->output = arg; return 0;
  case 'p': args->params = arg; return 0;
  case 'n': args->no_check = true; return 0;
  case 'a':
    if (args->n_after == AFTER_MAX) argp_error(state, "more than %d --after", AFTER_MAX);
    args->after[args->n_after++] = arg;
    return 0;
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

static int exit_code(enum kt_status st)
{
  if (st == KT_OK) return EXIT_SUCCESS;
  return st == KT_EIO || st == KT_ENOMEM ? EXIT_FILE : EXIT_REFUSED;
}

static enum kt_status check_earlier(const struct arguments *args, const struct kt_params *p,
                                    struct kc_check_ctx *chain, struct kt_msg *msg)
{
  struct kc_asm_opts opts = {.chain = chain};
  for (unsigned i = 0; i < args->n_after; i++) {
    struct kc_program earlier;
    enum kt_status st = kc_program_load(p, args->after[i], &opts, &earlier, msg);
    if (st != KT_OK) return st;
    kc_program_free(&earlier);
  }
  return KT_OK;
}

static enum kt_status assemble(const struct arguments *args, const struct kt_params *p,
                               struct kc_check_ctx *chain, struct kt_msg *msg)
{
  struct kc_asm_opts opts = {.no_check = args->no_check, .chain = chain};
  struct kc_program program;
  uint8_t *bytes = NULL;
  size_t size = 0;

  enum kt_status st = args->no_check ? KT_OK : check_earlier(args, p, chain, msg);
  if (st == KT_OK) st = kc_program_load(p, args->file, &opts, &program, msg);
  if (st != KT_OK) return st;
  st = kc_words_to_bytes(&program, &bytes, &size);
  if (st == KT_OK) st = kc_file_write(args->output, bytes, size, msg);
  free(bytes);
  kc_program_free(&program);
  return st;
}

int main(int argc, char **argv)
{
  const struct argp argp = {options, parse, "FILE", doc, NULL, NULL, NULL};
  struct arguments args = {.output = "a.bin", .params = "int8"};
  struct kt_params p;
  struct kt_msg msg = {""};

  argp_parse(&argp, argc, argv, 0, NULL, &args);
  if (kt_params_parse(&p, args.params, &msg) != KT_OK) {
    fprintf(stderr, "ktpu-as: --params %s: %s\n", args.params, msg.text);
    return EXIT_ARGUMENT;
  }
  struct kc_check_ctx *chain = calloc(1, sizeof *chain);
  enum kt_status st = chain == NULL ? KT_ENOMEM : assemble(&args, &p, chain, &msg);
  if (st != KT_OK) fprintf(stderr, "%s\n", msg.text[0] != '\0' ? msg.text : kt_status_text(st));
  free(chain);
  return exit_code(st);
}
