/* SPDX-License-Identifier: Apache-2.0
 *
 * kr-bench: speed of the reference model on a 64x64x64 GEMM, one core, contracts checked.
 *
 * usage: kr-bench [--json] [--seconds S]
 * Prints MMAC/s for T = 4, 8 and 16; each first run is compared with the tensor-level reference.
 * Exit code: 0 measured, 1 the model is wrong, 2 wrong use.
 */
#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_insn.h"
#include "spec/kt_params.h"
#include "spec/model/kr_gemm.h"
#include "spec/model/kr_int8.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIM = 64, PROG = 0, A = 4096, B = 8192, C = 12288, MEM = 16384, N_INSTR = 11 };

static const uint32_t widths[] = {4, 8, 16};

struct options {
  bool json;
  double seconds;
};

static struct kt_insn insn(uint16_t op, uint16_t nr, uint16_t f0, uint16_t f1, uint16_t f2,
                           uint16_t f3)
{
  return (struct kt_insn){.op = op, .nr = nr, .f = {f0, f1, f2, f3}};
}

static struct kt_insn with(struct kt_insn in, int i, uint16_t field, uint16_t level,
                           uint16_t stride)
{
  in.term[i] = (struct kt_term){(uint16_t)(field + 1), level, stride};
  return in;
}

/* The looped GEMM: A to vr and B to spad by column blocks; for each column block of C one
 * overwriting mm, then the accumulating ones, then mvout. */
static void write_insns(uint16_t t, struct kt_insn in[N_INSTR])
{
  const uint16_t blocks = (uint16_t)(DIM / t), load_b_spad = 1 << KT_MODE_B_BIT,
                 load_a_vr = 1 << KT_MODE_VR_BIT;
  struct kt_insn load_a = insn(KT_OP_DMA_LD, DIM, load_a_vr, 0, 0, 0);
  struct kt_insn load_b = insn(KT_OP_DMA_LD, DIM, load_b_spad, 0, 0, 0);
  struct kt_insn first = insn(KT_OP_MM, DIM, 0, 0, 0, 0);
  struct kt_insn more = insn(KT_OP_MM, DIM, DIM, 0, 1, t);
  struct kt_insn out = insn(KT_OP_MVOUT, DIM, 0, 0, 0, 0);
  const struct kt_insn loop = insn(KT_OP_LOOP, blocks, 0, 0, 0, 0);
  const struct kt_insn end = insn(KT_OP_ENDLOOP, 0, 0, 0, 0, 0);
  const struct kt_insn all[N_INSTR] = {
      loop,
      with(with(load_a, 0, 2, 0, 1), 1, 3, 0, DIM),
      with(with(load_b, 0, 2, 0, 1), 1, 3, 0, DIM),
      end,
      loop,
      with(first, 0, 3, 0, DIM),
      insn(KT_OP_LOOP, (uint16_t)(blocks - 1), 0, 0, 0, 0),
      with(with(with(more, 0, 0, 1, DIM), 1, 3, 0, DIM), 2, 3, 1, t),
      end,
      with(out, 0, 2, 0, 1),
      end,
  };
  memcpy(in, all, sizeof all);
}

static void write_header(uint64_t t, uint64_t w[KT_NHDR])
{
  uint64_t blocks = DIM / t, mms = blocks * blocks;

  w[0] = N_INSTR;
  w[1] = 2 * blocks * DIM;
  w[2] = blocks * DIM + mms * (t + 1);
  w[3] = blocks * DIM + mms * DIM;
  w[4] = mms | mms * DIM << 16;
  w[5] = mms * DIM + blocks * DIM;
  w[6] = blocks * DIM;
  w[7] = DIM | (uint64_t)DIM << 16;
}

static void fill(uint32_t t, uint8_t *mem)
{
  struct kt_insn in[N_INSTR];
  uint64_t words[KT_NHDR + KT_IWORDS * N_INSTR];
  uint32_t noise = 1;

  for (size_t i = A; i < MEM; i++)
    mem[i] = (uint8_t)((noise = noise * 1664525u + 1013904223u) >> 24);
  write_header(t, words);
  write_insns((uint16_t)t, in);
  for (size_t i = 0; i < N_INSTR; i++) kt_insn_pack(&in[i], words + KT_NHDR + KT_IWORDS * i);
  for (size_t i = 0; i < sizeof words; i++) mem[PROG + i] = (uint8_t)(words[i / 8] >> (i % 8 * 8));
}

static bool right(uint32_t t, const uint8_t *mem)
{
  int8_t a[DIM * DIM], b[DIM * DIM], c[DIM * DIM];
  int32_t acc[DIM * DIM];

  memcpy(a, mem + A, sizeof a);
  memcpy(b, mem + B, sizeof b);
  return kr_gemm_i8(DIM, DIM, DIM, a, DIM, b, DIM, t, acc, NULL) == KT_OK &&
         kr_out_i8(DIM, DIM, acc, 0, c, DIM, NULL) == KT_OK && memcmp(c, mem + C, sizeof c) == 0;
}

static double now(void)
{
  struct timespec ts;

  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static bool run_once(struct kr_int8 *m, struct kr_mem *mem, struct kr_result *r)
{
  const struct kt_desc desc = {
      .prog = PROG, .prog_words = KT_NHDR + KT_IWORDS * N_INSTR, .a = A, .b = B, .c = C};
  struct kt_desc_words words;

  kt_desc_pack(&desc, words.w);
  return kr_int8_run(m, mem, 0, 0, &words, r, NULL) == KT_OK && r->fault.code == 0;
}

/* MMAC/s of the build with arrays of T x T; negative if the model fails or is wrong. */
static double measure(uint32_t t, double seconds)
{
  static uint8_t bytes[MEM];
  struct kr_mem mem = {bytes, sizeof bytes};
  struct kr_result r;
  struct kt_params p;
  struct kr_int8 *m = NULL;
  double start, end, macs = 0, rate = -1;
  char text[64];

  snprintf(text, sizeof text, "int8,T=%lu,MAXDIM=%d,BUS=128", (unsigned long)t, DIM);
  if (kt_params_parse(&p, text, NULL) != KT_OK || (m = kr_int8_new(&p)) == NULL) goto out;
  fill(t, bytes);
  if (!run_once(m, &mem, &r) || !right(t, bytes)) goto out;
  start = end = now();
  while (end - start < seconds) {
    if (!run_once(m, &mem, &r)) goto out;
    macs += (double)r.macs;
    end = now();
  }
  rate = macs / (end - start) / 1e6;
out:
  kr_int8_free(m);
  return rate;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  struct options *o = state->input;

  switch (key) {
  case 'j':
    o->json = true;
    return 0;
  case 's':
    o->seconds = strtod(arg, NULL);
    if (!(o->seconds > 0)) argp_error(state, "--seconds wants a number above 0, not '%s'", arg);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv)
{
  static const struct argp_option known[] = {
      {"json", 'j', 0, 0, "print one JSON object", 0},
      {"seconds", 's', "S", 0, "measure this long a build", 0},
      {0}};
  static const struct argp argp = {
      known, parse_option, NULL, "Speed of the int8 core's reference model.", NULL, NULL, NULL};
  struct options o = {false, 0.5};
  size_t n = sizeof widths / sizeof widths[0];

  argp_err_exit_status = 2;
  if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0) return 2;
  if (o.json) printf("{\"shape\": \"64x64x64\", \"mmac_per_s\": {");
  for (size_t i = 0; i < n; i++) {
    double rate = measure(widths[i], o.seconds);
    if (rate < 0) {
      fprintf(stderr, "kr-bench: T=%lu: the model failed or disagrees\n", (unsigned long)widths[i]);
      return 1;
    }
    printf(o.json ? "%s\"T%lu\": %.1f" : "%sT=%-2lu 64x64x64 %8.1f MMAC/s\n",
           o.json && i > 0 ? ", " : "", (unsigned long)widths[i], rate);
  }
  if (o.json) printf("}}\n");
  return 0;
}
