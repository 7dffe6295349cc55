/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs on the whole machine, in the build that this program is linked with: legal ones
 * under random timing against the machine model, memory and totals; illegal ones fault for fault; and
 * after every fault, a stop or a fault of memory a right program in its usual cycles.
 */
#include "compiler/fuzz/kc_mx_fuzz.h"
#include "cosim/ks_shim.h"
#include "tests/mx/mm_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 64 * 1024, FIRST_RUNS = 1000 };

static struct kt_mx_params params;
static uint8_t hardware[MEMORY], model[MEMORY];
static struct kr_mxmach *machine;

static void setup(void)
{
  mm_open(11);
  cr_assert(eq(int, kt_mx_params_parse(&params, ks_shim_params(), NULL), KT_OK));
  machine = kr_mxmach_new(&params);
  cr_assert(machine != NULL);
  kr_mxmach_memory(machine, model, MEMORY);
}

TestSuite(mx_programs, .init = setup, .timeout = 300);

static uint64_t seed(void)
{
  const char *given = getenv("SEED");
  return given != NULL ? strtoull(given, NULL, 0) : 1;
}

static void fill_memory(struct kc_rng *rng)
{
  for (uint32_t i = 0; i < MEMORY; i++) {
    model[i] = (uint8_t)kc_rng_next(rng);
    if (i % 32 == 28 && model[i] == 0xff && kc_rng_percent(rng, 90)) model[i] = 0xf0;
  }
  memcpy(hardware, model, MEMORY);
}

static struct ks_config timing(struct kc_rng *rng)
{
  return (struct ks_config){.latency = kc_rng_range(rng, 0, 40),
                            .stall_seed = kc_rng_percent(rng, 60) ? kc_rng_range(rng, 1, 100000) : 0};
}

/* ---- Legal ------------------------------------------------------------------------------------- */

static void make_program(struct kc_rng *rng, uint32_t length, struct kc_mx_fuzz *f, struct kc_mx_program *program)
{
  struct kt_msg msg = {{0}};
  cr_assert(eq(int, kc_mx_fuzz_legal(&params, rng, length, MEMORY, f), KT_OK));
  struct kt_mx_flit *flits = malloc(f->stream.n * sizeof *flits);
  for (size_t i = 0; i < f->stream.n; i++) kc_mx_pack(&f->stream.ops[i], &flits[i]);
  cr_assert(eq(int, kc_mx_round_add(program, &params, flits, f->stream.n, f->kick, f->n_kicks, &msg), KT_OK), "%s",
            msg.text);
  free(flits);
}

static void same_as_model(uint64_t number)
{
  static const uint32_t totals[] = {KT_MX_REG_COMPLETED, KT_MX_REG_INSTRUCTIONS, KT_MX_REG_STEPS,
                                    KT_MX_REG_READ_BEATS, KT_MX_REG_WRITE_BEATS, KT_MX_REG_RAW_OVERFLOW,
                                    KT_MX_REG_RAW_CLAMPED, KT_MX_REG_RAW_FLUSHED, KT_MX_REG_RAW_NAN,
                                    KT_MX_REG_RAW_POISONED, KT_MX_REG_FAULT};
  for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
    cr_assert(mm_read(totals[i]) == kr_mxmach_read(machine, totals[i]), "seed %llu: register 0x%x is %u, not %u",
              (unsigned long long)number, totals[i], mm_read(totals[i]), kr_mxmach_read(machine, totals[i]));
  for (uint32_t i = 0; i < MEMORY; i++)
    cr_assert(hardware[i] == model[i], "seed %llu: byte 0x%x is 0x%02x, not 0x%02x", (unsigned long long)number, i,
              hardware[i], model[i]);
}

static uint64_t run_legal(uint64_t number)
{
  struct kc_rng rng = kc_rng_seed(number);
  struct kc_mx_program program = {0};
  struct kc_mx_fuzz f;
  struct kt_msg msg = {{0}};
  const struct ks_config config = timing(&rng);
  fill_memory(&rng);
  make_program(&rng, kc_rng_range(&rng, 2, 100), &f, &program);
  cr_assert(eq(int, mx_bench_round(machine, &program.rounds[0], &msg), KT_OK), "%s", msg.text);
  mm_memory(hardware, MEMORY, &config);
  mm_round(&program.rounds[0]);
  same_as_model(number);
  kc_mx_program_free(&program);
  kc_mx_stream_free(&f.stream);
  return mm_read(KT_MX_REG_STEPS);
}

Test(mx_programs, legal_ones_do_what_the_model_does)
{
  uint64_t steps = 0;
  for (uint64_t i = 0; i < 400; i++) steps += run_legal(seed() * FIRST_RUNS + i);
  printf("programs (%s): %llu steps compared\n", ks_shim_params(), (unsigned long long)steps);
  cr_assert(gt(ulong, steps, 10000));
}

/* ---- Faults ------------------------------------------------------------------------------------ */

/* The program after a fault: the same every time, and its cycles too. */
static void recovers(void)
{
  static uint32_t usual;
  const struct ks_config config = {.latency = 3};
  struct kc_rng rng = kc_rng_seed(4711);
  struct kc_mx_program program = {0};
  struct kc_mx_fuzz f;
  struct kt_msg msg;
  fill_memory(&rng);
  make_program(&rng, 30, &f, &program);
  mx_bench_round(machine, &program.rounds[0], &msg);
  mm_memory(hardware, MEMORY, &config);
  mm_round(&program.rounds[0]);
  same_as_model(4711);
  const uint32_t cycles = mm_read(KT_MX_REG_CYCLES_LO);
  if (usual != 0) cr_assert(eq(u32, cycles, usual));
  usual = cycles;
  kc_mx_program_free(&program);
  kc_mx_stream_free(&f.stream);
}

/* A legal program with an instruction that is none at some place: what is before it runs, the rest is
 * skipped. */
static void run_illegal(uint64_t number, uint32_t seen[KT_MX_FAULT_NO_PROGRESS + 1])
{
  struct kc_rng rng = kc_rng_seed(number);
  const struct ks_config config = timing(&rng);
  const struct kc_mx_op fill = {.opcode = KT_MX_OP_FILL,
                                .as.fill = {.groups = 1, .blocks = 1, .real_lanes = 1, .real_depth = 1, .pitch = 1}};
  struct kt_mx_flit flits[6];
  struct kc_mx_finding want;
  struct kc_mx_program program = {0};
  const uint32_t at = kc_rng_range(&rng, 0, 5);
  const struct kc_mx_kick kick = {0, 6, false};

  for (int i = 0; i < 6; i++) kc_mx_pack(&fill, &flits[i]);
  kc_mx_fuzz_illegal(&params, &rng, &flits[at], &want);
  cr_assert(eq(int, kc_mx_round_add(&program, &params, flits, 6, &kick, 1, NULL), KT_OK));
  mm_memory(hardware, MEMORY, &config);
  cr_assert(eq(u32, mm_round(&program.rounds[0]), 6), "seed %llu", (unsigned long long)number);
  cr_assert(eq(u32, mm_read(KT_MX_REG_FAULT), want.code | want.field << 8), "seed %llu", (unsigned long long)number);
  cr_assert(all(eq(u32, mm_read(KT_MX_REG_FAULT_ARG), want.arg), eq(u32, mm_read(KT_MX_REG_FAULT_INSTR), at),
                eq(u32, mm_read(KT_MX_REG_COMPLETED), 6)));
  seen[want.code]++;
  kc_mx_program_free(&program);
  if (number % 50 == 0) recovers();
}

Test(mx_programs, illegal_instructions_fault_with_code_field_and_argument)
{
  uint32_t seen[KT_MX_FAULT_NO_PROGRESS + 1] = {0};
  for (uint64_t i = 0; i < 1500; i++) run_illegal(seed() * 10000 + i, seen);
  for (uint32_t code = KT_MX_FAULT_OPCODE; code <= KT_MX_FAULT_TILE_SPAN; code++)
    cr_assert(gt(u32, seen[code], 10), "fault %u", code);
}

/* A legal program while memory ends too early or answers with an error somewhere, or is reset: it ends,
 * quiet, and the next one is right. */
static void run_disturbed(uint64_t number, uint32_t seen[KT_MX_FAULT_NO_PROGRESS + 1])
{
  struct kc_rng rng = kc_rng_seed(number);
  struct kc_mx_program program = {0};
  struct kc_mx_fuzz f;
  struct ks_config config = timing(&rng);
  const uint32_t kind = kc_rng_range(&rng, 0, 2), place = kc_rng_range(&rng, 0, MEMORY / 32 - 1) * 32;
  fill_memory(&rng);
  make_program(&rng, kc_rng_range(&rng, 10, 60), &f, &program);
  if (kind == 0)
    config.faults[0] = (struct ks_fault_window){
        .first = place, .last = place + 2048, .kind = KS_FAULT_SLVERR, .reads = 1, .writes = 1};
  mm_memory(hardware, MEMORY, &config);
  if (kind == 1) mm_write(KT_MX_REG_MEMORY_BYTES, place);
  mm_stage(&program.rounds[0]);
  mm_write(KT_MX_REG_CONTROL, 1);
  if (kind == 2) {
    ks_machine_run_idle(&mm_machine, kc_rng_range(&rng, 1, 3000));
    mm_write(KT_MX_REG_CONTROL, 2);
  }
  const uint32_t status = mm_wait();
  const uint32_t code = mm_read(KT_MX_REG_FAULT) & 255;
  cr_assert(status == (code == 0 ? 2u : 6u), "seed %llu: status %u", (unsigned long long)number, status);
  cr_assert(code == 0 || (kind == 0 && (code == KT_MX_FAULT_AXI_READ || code == KT_MX_FAULT_AXI_WRITE)) ||
                (kind == 1 && code == KT_MX_FAULT_MEMORY),
            "seed %llu: fault %u", (unsigned long long)number, code);
  cr_assert(ks_dram_idle(&mm_machine.dram));
  seen[code]++;
  kc_mx_program_free(&program);
  kc_mx_stream_free(&f.stream);
  recovers();
}

Test(mx_programs, a_disturbed_run_ends_and_the_next_is_right)
{
  uint32_t seen[KT_MX_FAULT_NO_PROGRESS + 1] = {0};
  for (uint64_t i = 0; i < 150; i++) run_disturbed(seed() * 20000 + i, seen);
  printf("programs: %u undisturbed or reset, %u past the end, %u read and %u write errors\n", seen[0],
         seen[KT_MX_FAULT_MEMORY], seen[KT_MX_FAULT_AXI_READ], seen[KT_MX_FAULT_AXI_WRITE]);
  cr_assert(all(gt(u32, seen[KT_MX_FAULT_MEMORY], 10), gt(u32, seen[KT_MX_FAULT_AXI_READ], 5),
                gt(u32, seen[KT_MX_FAULT_AXI_WRITE], 3)));
}
