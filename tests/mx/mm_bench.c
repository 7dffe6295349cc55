/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/mx/mm_bench.h"

#include "cosim/ks_shim.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LIMIT = 100000000 };

struct ks_machine mm_machine;

void mm_open(uint32_t seed)
{
  static uint8_t none[32];
  struct ks_model model;
  cr_assert(eq(int, ks_shim_open(&model, seed, getenv("WAVE")), 0));
  ks_machine_init(&mm_machine, &model, none, sizeof none);
}

void mm_memory(uint8_t *image, uint64_t bytes, const struct ks_config *config)
{
  ks_dram_init(&mm_machine.dram, &mm_machine.model.pins, image, bytes);
  ks_dram_configure(&mm_machine.dram, config);
  mm_write(KT_MX_REG_MEMORY_BYTES, (uint32_t)bytes);
}

uint32_t mm_read(uint32_t reg)
{
  ks_machine_reg_begin(&mm_machine, false, reg, 0);
  cr_assert(ks_machine_run_ports(&mm_machine, 100));
  return mm_machine.reg.data;
}

void mm_write(uint32_t reg, uint32_t value)
{
  ks_machine_reg_begin(&mm_machine, true, reg, value);
  cr_assert(ks_machine_run_ports(&mm_machine, 100));
}

void mm_stage(const struct kc_mx_round *r)
{
  mm_write(KT_MX_REG_STAGE_INDEX, 0);
  for (size_t i = 0; i < r->n_flits; i++)
    for (size_t w = 0; w < KT_MX_FLIT_WORDS; w++) mm_write(KT_MX_REG_STAGE_DATA, r->flits[i].word[w]);
  mm_write(KT_MX_REG_COMMAND_INDEX, 0);
  for (size_t i = 0; i < r->n_commands; i++)
    for (size_t w = 0; w < KT_MX_COMMAND_WORDS; w++) mm_write(KT_MX_REG_COMMAND_DATA, r->commands[i].word[w]);
}

uint32_t mm_wait(void)
{
  cr_assert(ks_machine_run_busy(&mm_machine, LIMIT), "the run does not end");
  ks_machine_run_idle(&mm_machine, 2);
  cr_assert(eq(ulong, mm_machine.rules.violations, 0), "%s", mm_machine.rules.first);
  return mm_read(KT_MX_REG_STATUS);
}

uint32_t mm_round(const struct kc_mx_round *r)
{
  mm_stage(r);
  mm_write(KT_MX_REG_CONTROL, 1);
  return mm_wait();
}

/* ---- A GEMM ------------------------------------------------------------------------------------ */

static void same_total(const struct kr_mxmach *m, uint32_t reg, const char *name)
{
  cr_assert(mm_read(reg) == kr_mxmach_read(m, reg), "%s: hardware %u, model %u", name, mm_read(reg),
            kr_mxmach_read(m, reg));
}

/* Of the last round: the model has run it last too. */
static void same_totals(const struct kr_mxmach *m)
{
  same_total(m, KT_MX_REG_COMPLETED, "COMPLETED");
  same_total(m, KT_MX_REG_INSTRUCTIONS, "INSTRUCTIONS");
  same_total(m, KT_MX_REG_DONE_CODE, "DONE_CODE");
  same_total(m, KT_MX_REG_STEPS, "STEPS");
  same_total(m, KT_MX_REG_READ_BEATS, "READ_BEATS");
  same_total(m, KT_MX_REG_WRITE_BEATS, "WRITE_BEATS");
  same_total(m, KT_MX_REG_RAW_OVERFLOW, "RAW_OVERFLOW");
  same_total(m, KT_MX_REG_RAW_CLAMPED, "RAW_CLAMPED");
  same_total(m, KT_MX_REG_RAW_FLUSHED, "RAW_FLUSHED");
  same_total(m, KT_MX_REG_RAW_NAN, "RAW_NAN");
  same_total(m, KT_MX_REG_RAW_POISONED, "RAW_POISONED");
}

static void one_round(const struct mx_bench *b, size_t i, struct mm_run *run)
{
  const clock_t before = clock();
  const uint32_t status = mm_round(&b->program.rounds[i]);
  run->seconds += (double)(clock() - before) / CLOCKS_PER_SEC;
  cr_assert(status == 2, "%s %ux%ux%u round %zu: status %u fault 0x%x arg 0x%x instruction %u", b->c.params, b->c.m,
            b->c.k, b->c.n, i, status, mm_read(KT_MX_REG_FAULT), mm_read(KT_MX_REG_FAULT_ARG),
            mm_read(KT_MX_REG_FAULT_INSTR));
  run->cycles += mm_read(KT_MX_REG_CYCLES_LO);
  run->steps += mm_read(KT_MX_REG_STEPS);
  run->read_beats += mm_read(KT_MX_REG_READ_BEATS);
  run->write_beats += mm_read(KT_MX_REG_WRITE_BEATS);
  for (uint32_t s = 0; s < 8; s++) run->sweep[s] += mm_read(KT_MX_REG_SWEEP + 4 * s);
}

struct mm_run mm_gemm(const struct mx_case *c, uint64_t seed, const struct ks_config *config)
{
  struct mx_bench b = mx_bench_new(c, seed);
  struct mm_run run = {.cycles = 0};
  uint8_t *image = malloc(b.memory_bytes);
  cr_assert(image != NULL);
  memcpy(image, b.memory, b.memory_bytes);
  mx_bench_run(&b);
  mm_memory(image, b.memory_bytes, config);
  for (size_t i = 0; i < b.program.n_rounds; i++) one_round(&b, i, &run);
  for (uint64_t i = 0; i < b.memory_bytes; i++)
    cr_assert(image[i] == b.memory[i], "%s %ux%ux%u: byte 0x%llx (C at 0x%x) is 0x%02x, not 0x%02x", c->params, c->m,
              c->k, c->n, (unsigned long long)i, b.task.c_addr, image[i], b.memory[i]);
  same_totals(b.machine);
  mx_bench_free(&b);
  free(image);
  return run;
}
