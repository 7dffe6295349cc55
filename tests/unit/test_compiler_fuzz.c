/* SPDX-License-Identifier: Apache-2.0
 *
 * The random program generators: legal chains pass checker and model, dense enough to meet every
 * hazard; illegal ones end in the fault that was planted, on checker and model.
 */
#include "compiler/fuzz/kc_fuzz.h"
#include "compiler/fuzz/kc_rng.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/compiler_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const builds[] = {"int8,MAXDIM=16", "int8", "int8,T=8", "int8,T=16,MAXDIM=128",
                                     "int8,T=8,MAXDIM=128"};
enum { BUILDS = sizeof builds / sizeof builds[0], MEM = 1 << 20, LIST = 0, PROG = 0x1000,
       A = 0x10000, B = 0x14000, C = 0x18000 };

static uint64_t seed(void)
{
  const char *text = getenv("SEED");
  uint64_t value = text != NULL ? strtoull(text, NULL, 10) : 1;
  fprintf(stderr, "seed %llu\n", (unsigned long long)value);
  return value;
}

/* Runs the chain as a list on the model, memory filled from the seed. */
static void run_model(const struct kt_params *p, const struct kc_chain *chain, uint64_t data_seed,
                      struct kr_result *r)
{
  struct kr_int8 *model = kr_int8_new(p);
  struct kr_mem mem = {malloc(MEM), MEM};
  struct kc_rng rng = kc_rng_seed(data_seed);
  struct kt_msg msg = {""};

  for (uint32_t i = 0; i < MEM; i++)
    mem.bytes[i] = (uint8_t)kc_rng_next(&rng);
  for (size_t i = 0; i < chain->n; i++) {
    const struct kc_program *program = &chain->program[i];
    uint32_t at = PROG + 0x1000 * (uint32_t)i;
    struct kt_desc_words words;
    struct kt_desc d = {.prog = at, .prog_words = (uint32_t)program->n_words, .a = A, .b = B, .c = C,
                        .form = KT_FORM_INT32, .cont = i > 0};
    kt_desc_pack(&d, words.w);
    for (size_t b = 0; b < 8 * program->n_words; b++)
      mem.bytes[at + b] = (uint8_t)(program->words[b / 8] >> (8 * (b % 8)));
    for (uint32_t b = 0; b < KT_DESC_BYTES; b++)
      mem.bytes[LIST + KT_DESC_BYTES * i + b] = (uint8_t)(words.w[b / 4] >> (8 * (b % 4)));
  }
  enum kt_status st = kr_int8_run(model, &mem, LIST, (uint32_t)chain->n, NULL, r, &msg);
  cr_assert(eq(int, st, KT_OK), "%s", msg.text);
  kr_int8_free(model);
  free(mem.bytes);
}

/* SplitMix64's published first values: a seed means the same chain for ever. */
Test(compiler_fuzz, random_numbers_are_the_published_ones, .timeout = 5)
{
  struct kc_rng rng = kc_rng_seed(0);
  cr_assert(eq(u64, kc_rng_next(&rng), UINT64_C(0xE220A8397B1DCDAF)));
  cr_assert(eq(u64, kc_rng_next(&rng), UINT64_C(0x6E789E6AA1B965F4)));
  cr_assert(eq(u64, kc_rng_next(&rng), UINT64_C(0x06C45D188009454F)));
}

/* ---- Legal chains -------------------------------------------------------------------------------- */

struct tally {
  uint64_t programs, issues, loops, terms, mvouts, ops[64], longest;
};

static void tally_program(struct tally *t, const struct kc_program *program)
{
  struct kc_issue *issues;
  size_t n;
  cr_assert(eq(int, kc_expand(program->words, program->n_words, &issues, &n, NULL), KT_OK));
  for (size_t i = 0; i < n; i++)
    t->ops[issues[i].op]++;
  t->issues += n;
  t->programs++;
  for (size_t i = KT_NHDR; i < program->n_words; i += 2) {
    struct kt_insn insn;
    kt_insn_unpack(program->words + i, &insn);
    t->loops += insn.op == KT_OP_LOOP;
    for (int k = 0; k < 3; k++)
      t->terms += insn.term[k].target != 0;
  }
  if (program->n_words > t->longest) t->longest = program->n_words;
  free(issues);
}

static void legal_chain(const struct kt_params *p, uint64_t s, struct tally *t)
{
  struct kc_chain chain;
  struct kr_result r;
  struct kt_msg msg = {""};
  struct kc_check_ctx *ctx = calloc(1, sizeof *ctx);

  cr_assert(eq(int, kc_fuzz_legal(p, s, NULL, &chain, &msg), KT_OK), "seed %llu: %s",
            (unsigned long long)s, msg.text);
  for (size_t i = 0; i < chain.n; i++) {
    const struct kc_program *program = &chain.program[i];
    cr_assert(eq(int, kc_check_program(p, program->words, program->n_words, ctx, &msg), KT_OK),
              "seed %llu: %s", (unsigned long long)s, msg.text);
    tally_program(t, program);
  }
  run_model(p, &chain, s, &r);
  cr_assert(all(eq(u32, r.fault.code, 0), eq(u32, r.violation.code, 0),
                eq(u32, r.desc_done, (uint32_t)chain.n)), "seed %llu fault %u", (unsigned long long)s,
            r.fault.code);
  cr_assert(gt(u64, r.row_writes, 0), "seed %llu retires nothing", (unsigned long long)s);
  kc_chain_free(&chain);
  free(ctx);
}

Test(compiler_fuzz, legal_chains_are_legal_and_varied, .timeout = 240)
{
  static const uint16_t all_ops[] = {KT_OP_NOP, KT_OP_DMA_LD, KT_OP_VLD, KT_OP_MM, KT_OP_VADD,
                                     KT_OP_VRELU, KT_OP_MVOUT, KT_OP_VADDRELU};
  uint64_t first = seed() * 1000;
  for (size_t b = 0; b < BUILDS; b++) {
    struct kt_params p = cb_build(builds[b]);
    struct tally t = {0};
    for (uint64_t s = 0; s < 40; s++)
      legal_chain(&p, first + s, &t);
    for (size_t i = 0; i < sizeof all_ops / sizeof all_ops[0]; i++)
      cr_expect(gt(u64, t.ops[all_ops[i]], 0), "%s: opcode %u never drawn", builds[b], all_ops[i]);
    cr_expect(gt(u64, t.loops, 40), "%s: %llu loops", builds[b], (unsigned long long)t.loops);
    cr_expect(gt(u64, t.terms, 40), "%s: %llu terms", builds[b], (unsigned long long)t.terms);
    cr_expect(gt(u64, 6 * t.ops[KT_OP_MVOUT], t.issues), "%s: few mvouts", builds[b]);
    cr_expect(gt(u64, t.longest, p.imem_size / 2), "%s: longest is %llu words", builds[b],
              (unsigned long long)t.longest);
  }
}

Test(compiler_fuzz, the_same_seed_gives_the_same_chain, .timeout = 20)
{
  struct kt_params p = cb_build("int8");
  for (uint64_t s = 0; s < 5; s++) {
    struct kc_chain a, b;
    cr_assert(eq(int, kc_fuzz_legal(&p, s, NULL, &a, NULL), KT_OK));
    cr_assert(eq(int, kc_fuzz_legal(&p, s, NULL, &b, NULL), KT_OK));
    cr_assert(eq(sz, a.n, b.n));
    for (size_t i = 0; i < a.n; i++) {
      cr_assert(eq(sz, a.program[i].n_words, b.program[i].n_words));
      cr_assert(eq(int, memcmp(a.program[i].words, b.program[i].words, 8 * a.program[i].n_words), 0));
    }
    kc_chain_free(&a);
    kc_chain_free(&b);
  }
}

Test(compiler_fuzz, options_hold, .timeout = 60)
{
  struct kt_params p = cb_build("int8");
  struct kc_fuzz_opts opts = {.chain_max = 1, .window_min = 8, .window_max = 10, .instructions = 12};
  for (uint64_t s = 0; s < 30; s++) {
    struct kc_chain chain;
    uint32_t low = UINT32_MAX, high = 0;
    cr_assert(eq(int, kc_fuzz_legal(&p, s, &opts, &chain, NULL), KT_OK));
    cr_assert(eq(sz, chain.n, 1));
    cr_assert(le(sz, kc_program_instructions(chain.program[0].n_words), 12 + 12));
    struct kc_issue *issues;
    size_t n;
    cr_assert(eq(int, kc_expand(chain.program[0].words, chain.program[0].n_words, &issues, &n, NULL),
                 KT_OK));
    for (size_t i = 0; i < n; i++) {
      if (issues[i].op != KT_OP_MVOUT) continue;
      if (issues[i].f[0] < low) low = issues[i].f[0];
      if (issues[i].f[0] + issues[i].nr > high) high = issues[i].f[0] + issues[i].nr;
    }
    cr_assert(le(u32, high - low, 10));
    free(issues);
    kc_chain_free(&chain);
  }
  struct kt_params tiny = cb_build("int8,MAXDIM=4");
  opts.window_min = opts.window_max = 100;
  struct kc_chain chain;
  struct kt_msg msg = {""};
  cr_assert(eq(int, kc_fuzz_legal(&tiny, 1, &opts, &chain, &msg), KT_ELIMIT));
  cr_assert(strstr(msg.text, "a window of 100 rows") != NULL);
}

/* Pairs of accesses to one row close enough in program order to be in flight together. */
Test(compiler_fuzz, rows_are_reused_at_once, .timeout = 60)
{
  struct kt_params p = cb_build("int8");
  uint64_t raw = 0, total = 0;
  for (uint64_t s = 0; s < 40; s++) {
    struct kc_chain chain;
    struct kc_issue *issues;
    size_t n;
    cr_assert(eq(int, kc_fuzz_legal(&p, s, NULL, &chain, NULL), KT_OK));
    cr_assert(eq(int, kc_expand(chain.program[0].words, chain.program[0].n_words, &issues, &n, NULL),
                 KT_OK));
    for (size_t i = 1; i < n; i++) {
      const struct kc_issue *w = &issues[i - 1], *r = &issues[i];
      if (w->op != KT_OP_MM || r->op != KT_OP_MVOUT) continue;
      total++;
      raw += r->f[0] < w->f[1] + w->nr && w->f[1] < r->f[0] + r->nr;
    }
    free(issues);
    kc_chain_free(&chain);
  }
  cr_assert(gt(u64, total, 20));
  cr_assert(gt(u64, 4 * raw, total), "%llu of %llu", (unsigned long long)raw,
            (unsigned long long)total);
}

/* ---- Illegal chains ------------------------------------------------------------------------------ */

static void check_case(const struct kt_params *p, const struct kc_fuzz_case *c, uint64_t s)
{
  struct kc_check_ctx *ctx = calloc(1, sizeof *ctx);
  struct kc_fault f = {0};
  struct kr_result r;
  struct kt_msg msg = {""};

  for (size_t i = 0; i <= c->at; i++) {
    const struct kc_program *program = &c->chain.program[i];
    enum kt_status st = kc_check_fault(p, program->words, program->n_words, ctx, &f, &msg);
    cr_assert(eq(int, st, i == c->at ? KT_EFAULT : KT_OK), "%s, seed %llu: %s", c->rule,
              (unsigned long long)s, msg.text);
  }
  cr_assert(all(eq(u32, f.code, c->fault.code), eq(u32, f.sub, c->fault.sub),
                eq(u32, f.arg, c->fault.arg), eq(u32, f.instr, c->fault.instr)),
            "%s, seed %llu: checker says %u %u %u %u, planted %u %u %u %u", c->rule,
            (unsigned long long)s, f.code, f.sub, f.arg, f.instr, c->fault.code, c->fault.sub,
            c->fault.arg, c->fault.instr);
  run_model(p, &c->chain, s, &r);
  cr_assert(all(eq(u32, r.fault.code, f.code), eq(u32, r.fault.sub, f.sub),
                eq(u32, r.fault.arg, f.arg), eq(u32, r.fault.instr, f.instr),
                eq(u32, r.fault.desc, (uint32_t)c->at)),
            "%s, seed %llu: model says %u %u %u %u in descriptor %u", c->rule, (unsigned long long)s,
            r.fault.code, r.fault.sub, r.fault.arg, r.fault.instr, r.fault.desc);
  free(ctx);
}

Test(compiler_fuzz, every_violation_ends_in_its_fault, .timeout = 240)
{
  uint64_t first = seed() * 100000;
  bool seen[KT_FAULT_HEADER + 1] = {false};
  size_t kinds = kc_fuzz_kinds();
  cr_assert(ge(sz, kinds, 60));
  for (size_t b = 0; b < BUILDS; b++) {
    struct kt_params p = cb_build(builds[b]);
    size_t ran = 0;
    for (size_t kind = 0; kind < kinds; kind++)
      for (uint64_t s = first + 10 * kind; s < first + 10 * kind + 2; s++) {
        struct kc_fuzz_case c;
        struct kt_msg msg = {""};
        enum kt_status st = kc_fuzz_illegal(&p, s, kind, &c, &msg);
        if (st == KT_EUNSUPPORTED) continue;
        cr_assert(eq(int, st, KT_OK), "%s: %s", kc_fuzz_kind_name(kind), msg.text);
        check_case(&p, &c, s);
        seen[c.fault.code] = true;
        ran++;
        kc_chain_free(&c.chain);
      }
    cr_expect(gt(sz, ran, 2 * kinds - 10), "%s", builds[b]);
  }
  for (uint32_t code = KT_FAULT_OPCODE; code <= KT_FAULT_HEADER; code++)
    cr_expect(seen[code], "fault %u is never planted", code);
}

Test(compiler_fuzz, violations_have_distinct_names, .timeout = 10)
{
  size_t n = kc_fuzz_kinds();
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      cr_expect(ne(str, (char *)kc_fuzz_kind_name(i), (char *)kc_fuzz_kind_name(j)));
  struct kt_params p = cb_build("int8");
  struct kc_fuzz_case c;
  cr_assert(eq(ptr, (void *)kc_fuzz_kind_name(n), NULL));
  cr_assert(eq(int, kc_fuzz_illegal(&p, 1, n, &c, NULL), KT_EINVAL));
}

/* ---- Descriptors --------------------------------------------------------------------------------- */

Test(compiler_fuzz, broken_descriptors_end_in_their_fault, .timeout = 30)
{
  static const char *const desc_builds[] = {"int8,MAXDIM=16", "int8,BUS=256", "ice40"};
  bool ran[64] = {false};
  for (size_t b = 0; b < 3; b++) {
    struct kt_params p = cb_build(desc_builds[b]);
    struct kr_int8 *model = kr_int8_new(&p);
    struct kr_mem mem = {calloc(1, MEM), MEM};
    mem.bytes[PROG] = 1; /* a nop */
    for (size_t kind = 0; kind < kc_fuzz_desc_kinds(); kind++) {
      struct kt_desc_words words;
      struct kt_desc d = {.prog = PROG, .prog_words = 10, .a = A, .b = B, .c = C};
      struct kc_fault f;
      struct kr_result r;
      struct kt_msg msg = {""};
      kt_desc_pack(&d, words.w);
      if (!kc_fuzz_desc(&p, kind, &words, &f)) continue;
      ran[kind] = true;
      cr_assert(eq(int, kr_int8_run(model, &mem, 0, 0, &words, &r, &msg), KT_OK), "%s: %s",
                kc_fuzz_desc_kind_name(kind), msg.text);
      cr_expect(all(eq(u32, r.fault.code, f.code), eq(u32, r.fault.sub, f.sub),
                    eq(u32, r.fault.arg, f.arg)),
                "%s on %s: model says %u %u 0x%x, planted %u %u 0x%x", kc_fuzz_desc_kind_name(kind),
                desc_builds[b], r.fault.code, r.fault.sub, r.fault.arg, f.code, f.sub, f.arg);
    }
    kr_int8_free(model);
    free(mem.bytes);
  }
  for (size_t kind = 0; kind < kc_fuzz_desc_kinds(); kind++)
    cr_expect(ran[kind], "%s never ran", kc_fuzz_desc_kind_name(kind));
}
