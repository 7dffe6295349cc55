/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs on the machine model: legal ones against the oracle, memory and totals; illegal
 * instructions against the fault that follows from how they were broken.
 */
#include "compiler/fuzz/kc_mx_fuzz.h"
#include "tests/support/mx_bench.h"
#include "tests/support/mx_oracle.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 64 * 1024 };

static uint64_t seed(void)
{
  const char *given = getenv("SEED");
  return given != NULL ? strtoull(given, NULL, 0) : 1;
}

static struct kt_mx_params random_params(struct kc_rng *rng)
{
  static const uint32_t sizes[] = {16, 32, 64, 512};
  struct kt_mx_params p;
  char text[96];
  snprintf(text, sizeof text, "sim1,L1_ENTRIES=%u,TILES=%u,ACC_MW=%u,IFIFO=%u", sizes[kc_rng_range(rng, 0, 3)],
           sizes[kc_rng_range(rng, 0, 3)], kc_rng_range(rng, 10, 18), 8u << kc_rng_range(rng, 0, 3));
  cr_assert(eq(int, kt_mx_params_parse(&p, text, NULL), KT_OK), "%s", text);
  return p;
}

/* ---- Legal ------------------------------------------------------------------------------------- */

/* Scale codes that reach both ends, poison now and then; as binary16 it is anything at all. */
static void fill_memory(struct kc_rng *rng, uint8_t *memory)
{
  const uint32_t high = kc_rng_range(rng, 0, 2);
  for (uint32_t i = 0; i < MEMORY; i++) {
    memory[i] = (uint8_t)kc_rng_next(rng);
    if (i % 32 != 28) continue;
    if (high == 0) memory[i] = (uint8_t)(0xe0 | memory[i] >> 4);
    if (high == 1) memory[i] = (uint8_t)(memory[i] >> 1);
    if (memory[i] == 0xff && kc_rng_percent(rng, 90)) memory[i] = 0xf0;
  }
}

struct sums {
  uint32_t steps, fused, plain_behind, spans, waits, overflow, poisoned, clamped, nan;
};

static enum kt_status stage(const struct kt_mx_params *p, const struct kc_mx_fuzz *f,
                            struct kc_mx_program *program, struct kt_msg *msg)
{
  struct kt_mx_flit *flits = malloc(f->stream.n * sizeof *flits);
  for (size_t i = 0; i < f->stream.n; i++) {
    kc_mx_pack(&f->stream.ops[i], &flits[i]);
    cr_assert(eq(u32, kc_mx_check(p, &flits[i]).code, 0));
  }
  const enum kt_status st = kc_mx_round_add(program, p, flits, f->stream.n, f->kick, f->n_kicks, msg);
  free(flits);
  return st;
}

static void compare_totals(const struct kr_mxmach *m, const struct mx_oracle_totals *t, uint64_t n)
{
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_STEPS), t->steps));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_READ_BEATS), t->read_beats));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_WRITE_BEATS), t->write_beats));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_RAW_OVERFLOW), t->overflow));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_RAW_CLAMPED), t->clamped));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_RAW_FLUSHED), t->flushed));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_RAW_NAN), t->nan));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_RAW_POISONED), t->poisoned));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_INSTRUCTIONS), (uint32_t)n));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_COMPLETED), (uint32_t)n));
}

static void add_sums(struct sums *s, const struct kc_mx_fuzz *f, const struct mx_oracle_totals *t)
{
  s->steps += t->steps;
  s->fused += f->fused;
  s->plain_behind += f->plain_behind_fused;
  s->spans += f->spans;
  s->waits += f->waits;
  s->overflow += t->overflow;
  s->poisoned += t->poisoned;
  s->clamped += t->clamped;
  s->nan += t->nan;
}

static void run_legal(uint64_t number, struct sums *sums)
{
  struct kc_rng rng = kc_rng_seed(number);
  const struct kt_mx_params p = random_params(&rng);
  struct kc_mx_program program = {0};
  struct kc_mx_fuzz f;
  struct kt_msg msg = {{0}};
  uint8_t *memory = malloc(MEMORY), *want = malloc(MEMORY);

  cr_assert(memory != NULL && want != NULL);
  fill_memory(&rng, memory);
  memcpy(want, memory, MEMORY);
  cr_assert(eq(int, kc_mx_fuzz_legal(&p, &rng, kc_rng_range(&rng, 2, 120), MEMORY, &f), KT_OK));
  cr_assert(eq(int, stage(&p, &f, &program, &msg), KT_OK), "seed %llu: %s", (unsigned long long)number, msg.text);
  const struct mx_oracle_totals t = mx_oracle(&p, &f.stream, want);
  struct kr_mxmach *m = kr_mxmach_new(&p);
  kr_mxmach_memory(m, memory, MEMORY);
  cr_assert(eq(int, mx_bench_round(m, &program.rounds[0], &msg), KT_OK), "seed %llu: %s",
            (unsigned long long)number, msg.text);
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_STATUS), 2), "seed %llu: fault 0x%x arg %u instr %u",
            (unsigned long long)number, kr_mxmach_read(m, KT_MX_REG_FAULT), kr_mxmach_read(m, KT_MX_REG_FAULT_ARG),
            kr_mxmach_read(m, KT_MX_REG_FAULT_INSTR));
  cr_assert(memcmp(memory, want, MEMORY) == 0, "seed %llu: memory differs", (unsigned long long)number);
  compare_totals(m, &t, f.stream.n);
  add_sums(sums, &f, &t);
  kr_mxmach_free(m);
  kc_mx_program_free(&program);
  kc_mx_stream_free(&f.stream);
  free(memory);
  free(want);
}

Test(mx_random, legal_programs_do_what_the_oracle_does, .timeout = 120)
{
  const uint64_t first = seed();
  struct sums s = {0};
  for (uint64_t i = 0; i < 400; i++) run_legal(first * 1000 + i, &s);
  cr_assert(gt(u32, s.steps, 10000));
  cr_assert(gt(u32, s.fused, 100));
  cr_assert(gt(u32, s.plain_behind, 10));
  cr_assert(gt(u32, s.spans, 100));
  cr_assert(gt(u32, s.waits, 100));
  cr_assert(gt(u32, s.poisoned, 0));
  cr_assert(gt(u32, s.clamped, 0));
  cr_assert(gt(u32, s.nan, 0));
}

/* ---- Illegal ----------------------------------------------------------------------------------- */

static void run_illegal(uint64_t number, uint32_t seen[KT_MX_FAULT_NO_PROGRESS + 1])
{
  struct kc_rng rng = kc_rng_seed(number);
  const struct kt_mx_params p = random_params(&rng);
  const struct kc_mx_kick kick = {0, 2, false};
  struct kc_mx_program program = {0};
  struct kt_mx_flit flits[2];
  struct kc_mx_finding want;
  uint8_t *memory = calloc(1, MEMORY);
  const struct kc_mx_op fill = {.opcode = KT_MX_OP_FILL,
                                .as.fill = {.groups = 1, .blocks = 1, .real_lanes = 1, .real_depth = 1, .pitch = 1}};

  kc_mx_pack(&fill, &flits[0]);
  kc_mx_fuzz_illegal(&p, &rng, &flits[1], &want);
  const struct kc_mx_finding found = kc_mx_check(&p, &flits[1]);
  cr_assert(found.code == want.code && found.field == want.field && found.arg == want.arg,
            "seed %llu: checker says %u %u %u, should %u %u %u", (unsigned long long)number, found.code,
            found.field, found.arg, want.code, want.field, want.arg);
  cr_assert(eq(int, kc_mx_round_add(&program, &p, flits, 2, &kick, 1, NULL), KT_OK));
  struct kr_mxmach *m = kr_mxmach_new(&p);
  kr_mxmach_memory(m, memory, MEMORY);
  cr_assert(eq(int, mx_bench_round(m, &program.rounds[0], NULL), KT_OK));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_STATUS), 6));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_FAULT), want.code | want.field << 8), "seed %llu",
            (unsigned long long)number);
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_FAULT_ARG), want.arg));
  cr_assert(eq(u32, kr_mxmach_read(m, KT_MX_REG_FAULT_INSTR), 1));
  seen[want.code]++;
  kr_mxmach_free(m);
  kc_mx_program_free(&program);
  free(memory);
}

Test(mx_random, illegal_instructions_fault_with_code_field_and_argument, .timeout = 60)
{
  uint32_t seen[KT_MX_FAULT_NO_PROGRESS + 1] = {0};
  for (uint64_t i = 0; i < 3000; i++) run_illegal(seed() * 10000 + i, seen);
  for (uint32_t code = KT_MX_FAULT_OPCODE; code <= KT_MX_FAULT_TILE_SPAN; code++)
    cr_assert(gt(u32, seen[code], 20), "fault %u", code);
}
