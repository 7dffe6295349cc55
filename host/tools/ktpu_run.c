/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run: runs a GEMM or a program on a device and compares with the reference model.
 */
#include "host/tools/run_mx.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_version = "ktpu-run 1";

static const char doc[] =
    "Runs a GEMM, C = A * B, on the int8 core or an MXFP7 machine, or an int8 program.\n"
    "A is M x K, B is K x N, C is M x N, row-major .npy files; without files the operands are "
    "random from the seed.\v"
    "Exit codes: 0 ran, and equal where compared; 1 differs from the reference model; "
    "2 wrong options or files; 3 the machine faulted; 4 no device, or it was lost or broke the "
    "rules of its bus; 5 refused by a limit of the build, which is named; 6 called without arguments "
    "and no board is connected.\n"
    "Without arguments: a GEMM on the one board that is connected, compared with the reference model.";

enum {
  KEY_SHAPE = 1000, KEY_SEED, KEY_ENGINE, KEY_OUT, KEY_SHIFT, KEY_RELU, KEY_COMPARE, KEY_JSON,
  KEY_TRACE, KEY_WAVE, KEY_LATENCY, KEY_BANDWIDTH, KEY_STALLS, KEY_POWER, KEY_NOISE, KEY_MEMORY,
  KEY_PREQ, KEY_EMIT, KEY_BACKDOOR, KEY_SINGLE, KEY_A, KEY_B, KEY_C, KEY_CHAIN, KEY_UNCHECKED, KEY_SIM_DIR,
};

static const struct argp_option option_list[] = {
    {"device", 'd', "DEV", 0, "ref:CONFIG, sim:CONFIG, sim:@NAME or ftdi:BOARD (sim:int8; mxfp7: sim:sim1)", 1},
    {"output", 'o', "C.npy", 0, "Write C", 1},
    {"seed", KEY_SEED, "N", 0, "Of random operands (1)", 1},
    {"out", KEY_OUT, "FORM", 0, "int8 (saturated) or int32; mxfp7: f16 or f32", 1},
    {"shift", KEY_SHIFT, "S", 0, "int8: divide by 2^S first, round half to even", 1},
    {"compare", KEY_COMPARE, NULL, 0, "Compare with the reference model, in every output form", 1},
    {"json", KEY_JSON, "FILE", 0, "Write the run's figures; - is standard output", 1},
    {"trace", KEY_TRACE, "FILE", 0, "Write descriptors and unit states over time (Chrome trace)",
     1},
    {"quiet", 'q', NULL, 0, "Print nothing but failures", 1},
    {NULL, 0, NULL, 0, "gemm [A.npy B.npy]:", 2},
    {"shape", KEY_SHAPE, "MxKxN", 0, "Random operands of this shape", 2},
    {"engine", KEY_ENGINE, "ENGINE", 0, "int8 or mxfp7 (int8)", 2},
    {"prequantised", KEY_PREQ, NULL, 0, "mxfp7: quantise the operands before the run", 2},
    {"emit", KEY_EMIT, "FILE", 0, "mxfp7: write the program as text; - is standard output", 2},
    {"relu", KEY_RELU, NULL, 0, "max(0, x) on the sums", 2},
    {"single-program", KEY_SINGLE, NULL, 0, "Refuse what one program cannot hold", 2},
    {NULL, 0, NULL, 0, "program FILE:", 3},
    {"a", KEY_A, "A.npy", 0, "MAXDIM x MAXDIM, int8", 3},
    {"b", KEY_B, "B.npy", 0, "MAXDIM x MAXDIM, int8", 3},
    {"c", KEY_C, "C0.npy", 0, "What C holds before the run (zeros)", 3},
    {"chain", KEY_CHAIN, "LIST.json", 0, "Further descriptors of the list", 3},
    {"unchecked", KEY_UNCHECKED, NULL, 0, "Skip the program checker: meet the hardware's faults",
     3},
    {NULL, 0, NULL, 0, "Simulated devices:", 4},
    {"latency", KEY_LATENCY, "L", 0, "Memory answers L + 1 cycles after the request (0)", 4},
    {"bandwidth", KEY_BANDWIDTH, "N", 0, "Beats a channel in 256 cycles (256)", 4},
    {"stall-seed", KEY_STALLS, "N", 0, "Random stalls on the memory port; 0 is none", 4},
    {"power-seed", KEY_POWER, "N", 0, "Registers' values at power-up (1)", 4},
    {"noise-seed", KEY_NOISE, "N", 0, "Fill memory and padding with noise; 0 is zeros", 4},
    {"memory", KEY_MEMORY, "BYTES", 0, "Size of the device's memory", 4},
    {"back-door", KEY_BACKDOOR, NULL, 0, "Copy data into the memory image, not through the port",
     4},
    {"wave", KEY_WAVE, "FILE", 0, "Write a waveform (FST)", 4},
    {"sim-dir", KEY_SIM_DIR, "DIR", 0, "Where the simulators are ($KTPU_SIM_DIR, build/sim)", 4},
    {0},
};

static uint64_t number(struct argp_state *state, const char *text, uint64_t most)
{
  char *end;
  errno = 0;
  const unsigned long long v = strtoull(text, &end, 0);
  if (errno != 0 || *end != '\0' || end == text || text[0] == '-' || v > most)
    argp_error(state, "'%s' is not a number of 0..%llu", text, (unsigned long long)most);
  return v;
}

static void parse_shape(struct argp_state *state, const char *text, struct run_options *o)
{
  char x1, x2, rest;
  uint64_t m, k, n;
  const int got = sscanf(text, "%" SCNu64 "%c%" SCNu64 "%c%" SCNu64 "%c", &m, &x1, &k, &x2, &n,
                         &rest);
  if (got != 5 || x1 != 'x' || x2 != 'x' || text[0] == '-' || m == 0 || k == 0 || n == 0 ||
      m > INT32_MAX || k > INT32_MAX || n > INT32_MAX)
    argp_error(state, "'%s' is no shape: want MxKxN, each at least 1", text);
  o->has_shape = true;
  o->m = (uint32_t)m;
  o->k = (uint32_t)k;
  o->n = (uint32_t)n;
}

static void parse_out(struct argp_state *state, struct run_options *o)
{
  const char *text = o->out_text == NULL ? "" : o->out_text;
  if (o->is_mx && strcmp(text, "f32") == 0)
    o->out_mx = KTPU_MX_F32;
  else if (!o->is_mx && strcmp(text, "int32") == 0)
    o->out = KTPU_INT32;
  else if (text[0] != '\0' && strcmp(text, o->is_mx ? "f16" : "int8") != 0)
    argp_error(state, "--out %s: want %s", text, o->is_mx ? "f16 or f32" : "int8 or int32");
}

static void check_engine(struct argp_state *state, struct run_options *o)
{
  o->is_mx = strcmp(o->engine, "mxfp7") == 0;
  if (!o->is_mx && strcmp(o->engine, "int8") != 0)
    argp_error(state, "--engine %s: want int8 or mxfp7", o->engine);
  if (o->device == NULL) o->device = o->is_mx ? "sim:sim1" : "sim:int8";
  if (o->is_mx && (o->mode == RUN_PROGRAM || o->relu || o->shift != 0 || o->single_program))
    argp_error(state, "program, --relu, --shift and --single-program belong to int8");
  if (!o->is_mx && (o->prequantised || o->emit != NULL))
    argp_error(state, "--prequantised and --emit belong to mxfp7");
  parse_out(state, o);
}

static void parse_argument(struct argp_state *state, char *arg, struct run_options *o)
{
  if (state->arg_num == 0) {
    if (strcmp(arg, "gemm") != 0 && strcmp(arg, "program") != 0)
      argp_error(state, "'%s': want gemm or program", arg);
    o->mode = arg[0] == 'g' ? RUN_GEMM : RUN_PROGRAM;
    return;
  }
  if (o->n_files == (o->mode == RUN_GEMM ? 2 : 1)) argp_error(state, "one file too many: %s", arg);
  o->files[o->n_files++] = arg;
}

static void check_all(struct argp_state *state, struct run_options *o)
{
  if (state->arg_num == 0) argp_error(state, "want gemm or program");
  check_engine(state, o);
  if (o->out == KTPU_INT32 && o->shift != 0) argp_error(state, "--shift needs --out int8");
  if (o->mode == RUN_GEMM && (o->n_files == 2) == o->has_shape)
    argp_error(state, "gemm: give A.npy and B.npy, or --shape");
  if (o->mode == RUN_GEMM && (o->a || o->b || o->c || o->chain || o->unchecked))
    argp_error(state, "--a, --b, --c, --chain and --unchecked belong to program");
  if (o->mode == RUN_PROGRAM && o->n_files != 1) argp_error(state, "program: give one FILE");
  if (o->mode == RUN_PROGRAM && (o->has_shape || o->relu || o->single_program))
    argp_error(state, "--shape, --relu and --single-program belong to gemm");
}

static error_t parse_link(int key, char *arg, struct argp_state *state, struct ktpu_options *l)
{
  switch (key) {
  case KEY_LATENCY: l->latency = (uint32_t)number(state, arg, 1000000); break;
  case KEY_BANDWIDTH: l->bandwidth = (uint32_t)number(state, arg, 256); break;
  case KEY_STALLS: l->stall_seed = number(state, arg, UINT64_MAX); break;
  case KEY_POWER: l->power_seed = (uint32_t)number(state, arg, UINT32_MAX); break;
  case KEY_NOISE: l->noise_seed = number(state, arg, UINT64_MAX); break;
  case KEY_MEMORY: l->memory = number(state, arg, UINT64_C(1) << 32); break;
  case KEY_BACKDOOR: l->back_door = 1; break;
  case KEY_WAVE: l->wave = arg; break;
  case KEY_SIM_DIR: l->sim_dir = arg; break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  struct run_options *o = state->input;
  switch (key) {
  case 'd': o->device = arg; break;
  case 'o': o->output = arg; break;
  case 'q': o->quiet = true; break;
  case KEY_SEED: o->seed = number(state, arg, UINT64_MAX); break;
  case KEY_OUT: o->out_text = arg; break;
  case KEY_SHIFT: o->shift = (uint32_t)number(state, arg, 31); break;
  case KEY_COMPARE: o->compare = true; break;
  case KEY_JSON: o->json = arg; break;
  case KEY_TRACE: o->trace = arg; break;
  case KEY_SHAPE: parse_shape(state, arg, o); break;
  case KEY_ENGINE: o->engine = arg; break;
  case KEY_RELU: o->relu = true; break;
  case KEY_PREQ: o->prequantised = true; break;
  case KEY_EMIT: o->emit = arg; break;
  case KEY_SINGLE: o->single_program = true; break;
  case KEY_A: o->a = arg; break;
  case KEY_B: o->b = arg; break;
  case KEY_C: o->c = arg; break;
  case KEY_CHAIN: o->chain = arg; break;
  case KEY_UNCHECKED: o->unchecked = true; break;
  case ARGP_KEY_ARG: parse_argument(state, arg, o); break;
  case ARGP_KEY_END: check_all(state, o); break;
  default: return parse_link(key, arg, state, &o->link);
  }
  return 0;
}

int main(int argc, char **argv)
{
  static const struct argp argp = {
      .options = option_list,
      .parser = parse_option,
      .args_doc = "gemm [A.npy B.npy]\nprogram FILE",
      .doc = doc,
  };
  struct run_options o = {.engine = "int8", .seed = 1};

  if (argc == 1) return (int)run_first();
  argp_err_exit_status = RUN_USAGE;
  argp_parse(&argp, argc, argv, 0, NULL, &o);
  if (o.is_mx) return (int)run_mx_gemm(&o);
  return (int)(o.mode == RUN_GEMM ? run_gemm(&o) : run_program(&o));
}
