/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs on the Verilated machine against the model: legal chains must leave the same C
 * and events; illegal ones, past the checker, must end in the stated fault, leave what earlier
 * instructions retired, and not disturb the next GEMM by a cycle.
 */
#include "compiler/bytes/kc_asm.h"
#include "compiler/fuzz/kc_fuzz.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/cosim_bench.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEGAL = 200, LEGAL_FULL = 2000, ILLEGAL_SEEDS = 2, ILLEGAL_SEEDS_FULL = 20 };

/* One build at one kind of memory: a test each, so that they run side by side. */
struct setting {
  char build[BENCH_NAME];
  uint32_t latency;
  bool stalls;
};

static struct criterion_test_params settings(void)
{
  static const struct {
    uint32_t latency;
    bool stalls;
  } memory[] = {{0, false}, {7, false}, {200, false}, {2, true}};
  enum { KINDS = sizeof memory / sizeof memory[0] };
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  struct setting *s = cr_malloc(n * KINDS * sizeof *s);
  for (size_t i = 0; i < n * KINDS; i++) {
    memcpy(s[i].build, names[i / KINDS], BENCH_NAME);
    s[i].latency = memory[i % KINDS].latency;
    s[i].stalls = memory[i % KINDS].stalls;
  }
  return cr_make_param_array(struct setting, s, n * KINDS, NULL);
}

/* What a run needs besides its programs. */
struct scene {
  struct bench_pair pair;
  struct bench_rng rng;
  int8_t *a, *b;
  uint8_t *got, *want;
  size_t bytes; /* of got and want */
};

static void scene_begin(struct scene *x, const struct setting *s, uint64_t seed)
{
  const struct ktpu_options o = {.latency = s->latency,
                                 .stall_seed = s->stalls ? seed * 7 + 1 : 0,
                                 .power_seed = (uint32_t)seed,
                                 .back_door = 1}; /* the host port has its own tests */
  bench_open(&x->pair, s->build, &o);
  const size_t operand = (size_t)x->pair.p.maxdim * x->pair.p.maxdim;
  x->rng = (struct bench_rng){seed};
  x->bytes = bench_c_bytes(&x->pair.p);
  x->a = malloc(operand);
  x->b = malloc(operand);
  x->got = malloc(x->bytes);
  x->want = malloc(x->bytes);
  cr_assert(x->a != NULL && x->b != NULL && x->got != NULL && x->want != NULL);
}

static void scene_end(struct scene *x)
{
  free(x->a);
  free(x->b);
  free(x->got);
  free(x->want);
  bench_close(&x->pair);
}

static void new_operands(struct scene *x)
{
  const size_t operand = (size_t)x->pair.p.maxdim * x->pair.p.maxdim;
  bench_noise(&x->rng, x->a, operand);
  bench_noise(&x->rng, x->b, operand);
  bench_noise(&x->rng, x->want, x->bytes); /* what C holds before */
  memcpy(x->got, x->want, x->bytes);
}

static void add_chain(struct bench_list *l, const struct kc_chain *chain, uint64_t dice)
{
  for (size_t i = 0; i < chain->n; i++) {
    struct bench_step *s = &l->step[l->n++];
    *s = (struct bench_step){.words = chain->program[i].words,
                             .n_words = chain->program[i].n_words,
                             .cont = i != 0,
                             .fence = dice >> 8 & 1,
                             .form = (uint32_t)(dice % 3)};
    if (s->form == KT_FORM_INT8_SHIFT) s->shift = (uint32_t)(dice >> 16 & 31);
    dice = dice >> 3 | dice << 61;
  }
}

/* Runs the list on both and says what differs. */
static void run_both(struct scene *x, struct bench_list *l, struct ktpu_result *r, char *text,
                     size_t n)
{
  struct ktpu_result want;
  l->a = x->a;
  l->b = x->b;
  l->c = x->got;
  const enum ktpu_status s1 = bench_run(x->pair.sim, l, r);
  l->c = x->want;
  const enum ktpu_status s2 = bench_run(x->pair.ref, l, &want);
  text[0] = '\0';
  if ((s1 != KTPU_OK && s1 != KTPU_EFAULT) || (s2 != KTPU_OK && s2 != KTPU_EFAULT)) {
    struct ktpu_message m;
    const bool sim = s1 != KTPU_OK && s1 != KTPU_EFAULT;
    ktpu_message(sim ? x->pair.sim : x->pair.ref, &m);
    snprintf(text, n, "%s: %s", sim ? "sim" : "ref", m.text);
    return;
  }
  bench_difference(r, &want, text, n);
  if (text[0] != '\0') return;
  for (size_t i = 0; i < x->bytes; i++) {
    if (x->got[i] == x->want[i]) continue;
    snprintf(text, n, "byte %zu of C is %u, want %u", i, x->got[i], x->want[i]);
    return;
  }
}

/* ---- legal ------------------------------------------------------------------------------------ */

static void one_legal_list(struct scene *x, const struct setting *s, uint64_t seed)
{
  struct kc_chain chain[3] = {{{{0}}, 0}};
  struct bench_list l = {.as_list = (seed & 1) != 0};
  struct ktpu_result r;
  struct kt_msg msg = {{0}};
  char text[600];

  new_operands(x);
  const size_t chains = 1 + bench_next(&x->rng) % 3; /* the chains share C: none reads it */
  for (size_t i = 0; i < chains; i++) {
    cr_assert(kc_fuzz_legal(&x->pair.p, seed * 3 + i, NULL, &chain[i], &msg) == KT_OK, "%s",
              msg.text);
    add_chain(&l, &chain[i], bench_next(&x->rng));
  }
  run_both(x, &l, &r, text, sizeof text);
  cr_assert(text[0] == '\0', "%s latency %" PRIu32 " stalls %d seed %" PRIu64 ": %s", s->build,
            s->latency, s->stalls, seed, text);
  for (size_t i = 0; i < chains; i++) kc_chain_free(&chain[i]);
}

ParameterizedTestParameters(cosim_programs, legal_lists_equal_the_model)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_programs, legal_lists_equal_the_model, .timeout = 900)
{
  struct scene x;
  const uint64_t seed = bench_seed() * 1000003 + s->latency * 17 + s->stalls;
  const unsigned lists = (bench_full() ? LEGAL_FULL : LEGAL) / 4;
  scene_begin(&x, s, seed);
  for (unsigned i = 0; i < lists; i++) one_legal_list(&x, s, seed + i);
  scene_end(&x);
}

/* ---- illegal ---------------------------------------------------------------------------------- */

static uint64_t good_gemm(struct scene *x, const struct setting *s, const char *after)
{
  const struct bench_gemm g = {9, 10, 11, KTPU_INT32, 0, false};
  char text[600];
  const uint64_t cycles =
      bench_gemm_equal(&x->pair, &g, BENCH_RANDOM, 1, text, sizeof text);
  bench_clear(x->pair.sim);
  bench_clear(x->pair.ref);
  cr_assert(text[0] == '\0', "%s: a GEMM after %s: %s", s->build, after, text);
  return cycles;
}

static bool stated(const struct ktpu_fault *f, const struct kc_fault *want, size_t at)
{
  return f->code == want->code && f->sub == want->sub && f->argument == want->arg &&
         f->instruction == want->instr && f->descriptor == at;
}

/* Whether the build has such a violation to try. */
static bool one_illegal_list(struct scene *x, const struct setting *s, size_t kind, uint64_t seed)
{
  struct kc_fuzz_case c;
  struct bench_list l = {.as_list = (seed & 1) != 0};
  struct ktpu_result r;
  struct kt_msg msg = {{0}};
  char text[600];

  const enum kt_status st = kc_fuzz_illegal(&x->pair.p, seed, kind, &c, &msg);
  if (st == KT_EUNSUPPORTED) return false; /* no field of this build can be that wrong */
  cr_assert(st == KT_OK, "%s: %s", kc_fuzz_kind_name(kind), msg.text);
  if (x->pair.p.contracts == 0 &&
      (c.fault.code == KT_FAULT_UNWRITTEN || c.fault.code == KT_FAULT_AR_DISTANCE)) {
    kc_chain_free(&c.chain); /* such a build does not find it, and what it computes is unspecified */
    return false;
  }
  new_operands(x);
  add_chain(&l, &c.chain, bench_next(&x->rng));
  run_both(x, &l, &r, text, sizeof text);
  cr_assert(text[0] == '\0', "%s: %s seed %" PRIu64 ": %s", s->build, c.rule, seed, text);
  cr_assert(stated(&r.fault, &c.fault, c.at),
            "%s: %s seed %" PRIu64 ": fault %" PRIu32 "/%" PRIu32 "/%" PRIu32
            " in instruction %" PRIu32 " of descriptor %" PRIu32 ", want %" PRIu32 "/%" PRIu32
            "/%" PRIu32 " in %" PRIu32 " of %zu",
            s->build, c.rule, seed, r.fault.code, r.fault.sub, r.fault.argument,
            r.fault.instruction, r.fault.descriptor, c.fault.code, c.fault.sub, c.fault.arg,
            c.fault.instr, c.at);
  kc_chain_free(&c.chain);
  return true;
}

ParameterizedTestParameters(cosim_programs, illegal_programs_end_in_the_stated_fault)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_programs, illegal_programs_end_in_the_stated_fault,
                  .timeout = 900)
{
  struct scene x;
  const uint64_t seed = bench_seed() * 1000003 + s->latency;
  const unsigned seeds = bench_full() ? ILLEGAL_SEEDS_FULL : ILLEGAL_SEEDS;
  scene_begin(&x, s, seed);
  const uint64_t cycles = good_gemm(&x, s, "power-up");
  unsigned tried = 0;
  for (size_t kind = 0; kind < kc_fuzz_kinds(); kind++) {
    for (unsigned i = 0; i < seeds; i++) {
      if (!one_illegal_list(&x, s, kind, seed + i)) continue;
      tried++;
      const uint64_t after = good_gemm(&x, s, kc_fuzz_kind_name(kind));
      cr_assert(s->stalls || after == cycles, "%s: %s: %" PRIu64 " cycles after it, %" PRIu64
                " before", s->build, kc_fuzz_kind_name(kind), after, cycles);
    }
  }
  cr_assert(tried >= 60, "%s: only %u illegal programs were tried", s->build, tried);
  scene_end(&x);
}

/* ---- two instructions, the second of which is broken ------------------------------------------- */

/* More than the queue of mvouts holds, so that the last one waits. */
#define MVOUT  "mvout ar0=0 dram_row0=0 col_block=0 nr=4\n"
#define MVOUTS MVOUT MVOUT MVOUT MVOUT

/* The last instruction's row count is made 0 after assembly, which is found before any address is
 * resolved: earlier than what the instruction before it still has to do. */
static const struct {
  const char *what, *text;
  uint32_t code, instr;
} BROKEN_PAIRS[] = {
    {"rows leave although the next instruction is broken",
     "dma_ld mode=2 dram_row0=0 col_block=0 dst_row0=0 nr=4\n"
     "dma_ld mode=1 dram_row0=0 col_block=0 dst_row0=0 nr=16\n"
     "mm vr_a=0 ar0=0 acc=0 spad_w=0 nr=4\nmm vr_a=0 ar0=8 acc=0 spad_w=0 nr=4\n"
     MVOUTS MVOUTS MVOUTS "mvout ar0=0 dram_row0=4 col_block=0 nr=4\n"
     "mm vr_a=0 ar0=0 acc=0 spad_w=0 nr=1\n",
     KT_FAULT_NR, 17},
    {"of two broken instructions the first is named",
     "dma_ld mode=2 dram_row0=0 col_block=0 dst_row0=0 nr=4\n"
     "dma_ld mode=2 dram_row0=0 col_block=2000 dst_row0=0 nr=4\n"
     "mm vr_a=0 ar0=0 acc=0 spad_w=0 nr=1\n",
     KT_FAULT_COL_BLOCK, 1},
};

static void one_broken_pair(struct scene *x, const struct setting *s, size_t i)
{
  struct kc_program prog;
  struct kt_msg msg = {{0}};
  struct ktpu_result r;
  char text[600];
  const struct kc_asm_opts unchecked = {.no_check = true};
  cr_assert(kc_assemble(&x->pair.p, BROKEN_PAIRS[i].what, BROKEN_PAIRS[i].text, &unchecked, &prog,
                        &msg) == KT_OK, "%s", msg.text);
  prog.words[prog.n_words - 2] &= ~(((UINT64_C(1) << KT_W0_NR_BITS) - 1) << KT_W0_NR_LSB);
  struct bench_list l = {.step = {{.words = prog.words, .n_words = prog.n_words,
                                   .form = KT_FORM_INT32}}, .n = 1};
  new_operands(x);
  run_both(x, &l, &r, text, sizeof text);
  cr_assert(text[0] == '\0' && r.fault.code == BROKEN_PAIRS[i].code &&
            r.fault.instruction == BROKEN_PAIRS[i].instr,
            "%s latency %" PRIu32 " stalls %d: %s: fault %" PRIu32 " in instruction %" PRIu32 " %s",
            s->build, s->latency, s->stalls, BROKEN_PAIRS[i].what, r.fault.code, r.fault.instruction,
            text);
  good_gemm(x, s, BROKEN_PAIRS[i].what);
  kc_program_free(&prog);
}

ParameterizedTestParameters(cosim_programs, a_fault_waits_for_the_instruction_before_it)
{
  return settings();
}

ParameterizedTest(struct setting *s, cosim_programs, a_fault_waits_for_the_instruction_before_it,
                  .timeout = 60)
{
  struct scene x;
  scene_begin(&x, s, bench_seed());
  const size_t pairs = sizeof BROKEN_PAIRS / sizeof BROKEN_PAIRS[0];
  for (size_t i = 0; i < pairs && x.pair.p.maxdim >= 16; i++) one_broken_pair(&x, s, i);
  scene_end(&x);
}
