/* SPDX-License-Identifier: Apache-2.0
 *
 * The model's life and its way through a descriptor list.
 */
#include "spec/model/kr_int8.h"
#include "spec/model/kr_num.h"
#include "spec/model/kr_state.h"

#include <stdlib.h>
#include <string.h>

enum {
  AXI_DECERR = 3,
  AXI_ARG_DESC = 0,
  AXI_ARG_PROG = 1,
  LIST_ADDR_WORD = KT_DESC_WORDS,
  T_MAX = 64
};

/* ---- Life ------------------------------------------------------------------------------------ */

static bool allocate(struct kr_int8 *m)
{
  const struct kt_params *p = &m->p;

  m->spad = calloc(p->spad_rows, p->t);
  m->vr = calloc(p->nvr, p->t);
  m->ar = calloc(p->nar, p->t * sizeof *m->ar);
  m->spad_written = calloc(p->spad_rows, 1);
  m->vr_written = calloc(p->nvr, 1);
  m->ar_step = calloc(p->nar, sizeof *m->ar_step);
  m->imem = calloc(p->imem_size, sizeof *m->imem);
  return m->spad && m->vr && m->ar && m->spad_written && m->vr_written && m->ar_step && m->imem;
}

struct kr_int8 *kr_int8_new(const struct kt_params *p)
{
  struct kr_int8 *m;

  if (p == NULL || kt_params_check(p, NULL) != KT_OK || p->t % 4 != 0 || p->t > T_MAX) return NULL;
  m = calloc(1, sizeof *m);
  if (m == NULL) return NULL;
  m->p = *p;
  m->wpr = p->maxdim / p->t;
  if (!allocate(m)) {
    kr_int8_free(m);
    return NULL;
  }
  return m;
}

void kr_int8_free(struct kr_int8 *m)
{
  if (m == NULL) return;
  kr_shadow_free(&m->shadow);
  free(m->spad);
  free(m->vr);
  free(m->ar);
  free(m->spad_written);
  free(m->vr_written);
  free(m->ar_step);
  free(m->imem);
  free(m);
}

/* splitmix64 */
static uint64_t noise(uint64_t *state)
{
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

void kr_int8_scramble(struct kr_int8 *m, uint64_t seed)
{
  size_t t = m->p.t;

  for (size_t i = 0; i < m->p.spad_rows * t; i++)
    m->spad[i] = (int8_t)((int)(noise(&seed) >> 56) - 128);
  for (size_t i = 0; i < m->p.nvr * t; i++) m->vr[i] = (int8_t)((int)(noise(&seed) >> 56) - 128);
  for (size_t i = 0; i < m->p.nar * t; i++) m->ar[i] = kr_i32((uint32_t)(noise(&seed) >> 32));
}

void kr_int8_set_trace(struct kr_int8 *m, kr_trace_fn *fn, void *ctx)
{
  m->trace = fn;
  m->trace_ctx = ctx;
}

void kr_int8_set_issue_limit(struct kr_int8 *m, uint64_t limit)
{
  m->issue_limit = limit;
}

const int8_t *kr_int8_spad(const struct kr_int8 *m, uint32_t row)
{
  return row < m->p.spad_rows ? m->spad + (size_t)row * m->p.t : NULL;
}

const int8_t *kr_int8_vr(const struct kr_int8 *m, uint32_t row)
{
  return row < m->p.nvr ? m->vr + (size_t)row * m->p.t : NULL;
}

const int32_t *kr_int8_ar(const struct kr_int8 *m, uint32_t row)
{
  return row < m->p.nar ? m->ar + (size_t)row * m->p.t : NULL;
}

/* ---- Stopping -------------------------------------------------------------------------------- */

bool kr_fault(struct kr_run *run, uint32_t code, uint32_t sub, uint32_t arg, uint32_t instr)
{
  run->r->fault = (struct kr_fault){code, sub, arg, instr, run->desc_index};
  return false;
}

bool kr_refuse(struct kr_run *run, const char *what, uint64_t addr, uint32_t other_desc)
{
  run->status = KT_EFAULT;
  kt_msg_set(run->msg, "descriptor %lu, instruction %lu: %s (address 0x%llx, descriptor %lu)",
             (unsigned long)run->desc_index, (unsigned long)run->pc, what, (unsigned long long)addr,
             (unsigned long)other_desc);
  return false;
}

/* ---- A descriptor ---------------------------------------------------------------------------- */

/* Reads n little-endian values of size bytes from addr; false as kr_fault says. */
static bool fetch(struct kr_run *run, uint64_t addr, uint64_t bytes, uint32_t axi_arg)
{
  uint32_t other = 0;

  if (!kr_in_memory(run, addr, bytes))
    return kr_fault(run, KT_FAULT_AXI_READ, AXI_DECERR, axi_arg, 0);
  if (kr_shadow_fetch(&run->m->shadow, addr, bytes, &other) == KR_CLASH_NONE) return true;
  return kr_refuse(run,
                   axi_arg == AXI_ARG_DESC ? "C was written over this descriptor"
                                           : "C was written over its program before it ran",
                   addr, other);
}

static uint64_t little_endian(const uint8_t *bytes, unsigned n)
{
  uint64_t x = 0;

  for (unsigned i = 0; i < n; i++) x |= (uint64_t)bytes[i] << (8 * i);
  return x;
}

static bool fetch_program(struct kr_run *run)
{
  if (!fetch(run, run->d.prog, 8 * (uint64_t)run->d.prog_words, AXI_ARG_PROG)) return false;
  for (uint32_t i = 0; i < run->d.prog_words; i++)
    run->m->imem[i] = little_endian(run->mem->bytes + run->d.prog + 8 * (size_t)i, 8);
  return true;
}

/* Every row unwritten, no distance pending. */
static void begin_chain(struct kr_int8 *m)
{
  memset(m->spad_written, 0, m->p.spad_rows);
  memset(m->vr_written, 0, m->p.nvr);
  memset(m->ar_step, 0, m->p.nar * sizeof *m->ar_step);
  m->accu_step = 0;
}

static bool issue(struct kr_run *run)
{
  const uint64_t *words = run->m->imem + KT_NHDR + (size_t)run->pc * KT_IWORDS;

  if (run->m->issue_limit != 0 && run->r->issues >= run->m->issue_limit) {
    run->status = KT_ELIMIT;
    kt_msg_set(run->msg, "descriptor %lu: gave up after %llu issues",
               (unsigned long)run->desc_index, (unsigned long long)run->r->issues);
    return false;
  }
  run->w1 = words[1];
  kt_insn_unpack(words, &run->in);
  if (!kr_check_insn(run) || !kr_check_contracts(run)) return false;
  kr_count_issue(run);
  return kr_execute(run);
}

static bool run_descriptor(struct kr_run *run, const struct kt_desc_words *words)
{
  if (!kr_check_desc(run, words)) return false;
  if (run->d.fence) kr_shadow_fence(&run->m->shadow);
  if (!run->d.cont) begin_chain(run->m);
  if (!fetch_program(run)) return false;
  run->counts = (struct kr_counts){0};
  run->desc_issues = 0;
  run->pc = 0;
  run->depth = 0;
  while (run->pc < run->n_instr)
    if (!issue(run)) return false;
  if (!kr_check_end(run)) return false;
  run->r->desc_done++;
  return true;
}

/* ---- A list ---------------------------------------------------------------------------------- */

static bool fetch_descriptor(struct kr_run *run, uint64_t addr, struct kt_desc_words *words)
{
  if (!fetch(run, addr, KT_DESC_BYTES, AXI_ARG_DESC)) return false;
  for (uint32_t i = 0; i < KT_DESC_WORDS; i++)
    words->w[i] = (uint32_t)little_endian(run->mem->bytes + addr + 4 * (size_t)i, 4);
  return true;
}

static void begin_desc(struct kr_run *run, uint32_t index)
{
  run->desc_index = index;
  run->pc = 0;
  kr_shadow_begin_desc(&run->m->shadow, index);
}

static void run_list(struct kr_run *run, uint32_t list_addr, uint32_t count)
{
  struct kt_desc_words words;

  begin_desc(run, 0);
  if (list_addr % (run->m->p.bus_bits / 8) != 0) {
    kr_fault(run, KT_FAULT_ALIGNMENT, LIST_ADDR_WORD, list_addr, 0);
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    begin_desc(run, i);
    if (!fetch_descriptor(run, list_addr + (uint64_t)i * KT_DESC_BYTES, &words)) return;
    if (!run_descriptor(run, &words)) return;
  }
}

enum kt_status kr_int8_run(struct kr_int8 *m, struct kr_mem *mem, uint32_t list_addr,
                           uint32_t count, const struct kt_desc_words *reg, struct kr_result *r,
                           struct kt_msg *msg)
{
  struct kr_run run = {.m = m, .mem = mem, .r = r, .msg = msg, .status = KT_OK};

  if (m == NULL || mem == NULL || (mem->bytes == NULL && mem->size != 0) || r == NULL ||
      (count == 0 && reg == NULL))
    return KT_EINVAL;
  *r = (struct kr_result){0};
  if (kr_shadow_begin_list(&m->shadow, mem->size, count) != KT_OK) return KT_ENOMEM;
  if (count > 0) {
    run_list(&run, list_addr, count);
  } else {
    begin_desc(&run, 0);
    run_descriptor(&run, reg);
  }
  return run.status;
}
