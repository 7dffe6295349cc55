/* SPDX-License-Identifier: Apache-2.0
 *
 * What each instruction does, one function an opcode. All checks have passed: fields lie inside
 * their memories.
 */
#include "spec/model/kr_num.h"
#include "spec/model/kr_state.h"

#include <string.h>

enum { AXI_DECERR = 3, AXI_ARG_DATA = 2 };

static bool clash(struct kr_run *run, enum kr_clash c, const char *what, uint64_t addr,
                  uint32_t other)
{
  if (c != KR_CLASH_NOMEM) return kr_refuse(run, what, addr, other);
  run->status = KT_ENOMEM;
  return false;
}

/* One packed word of A or B to dst. */
static bool load_row(struct kr_run *run, uint64_t addr, int8_t *dst)
{
  uint32_t t = run->m->p.t, other = 0;
  enum kr_clash c;

  if (!kr_in_memory(run, addr, t))
    return kr_fault(run, KT_FAULT_AXI_READ, AXI_DECERR, AXI_ARG_DATA, 0);
  c = kr_shadow_read(&run->m->shadow, addr, t, &other);
  if (c != KR_CLASH_NONE)
    return clash(run, c, "reads A or B where C was written, no fence since", addr, other);
  memcpy(dst, run->mem->bytes + addr, t);
  return true;
}

static bool do_dma_ld(struct kr_run *run)
{
  struct kr_int8 *m = run->m;
  uint32_t mode = run->f[KT_F_DMA_LD_MODE], dst0 = run->f[KT_F_DMA_LD_DST_ROW0];
  bool b = mode >> KT_MODE_B_BIT & 1, to_vr = mode >> KT_MODE_VR_BIT & 1;
  uint64_t base = b ? run->d.b : run->d.a, stride = b ? run->d.stride_b : run->d.stride_a;
  uint64_t addr = base + run->f[KT_F_DMA_LD_DRAM_ROW0] * stride +
                  (uint64_t)run->f[KT_F_DMA_LD_COL_BLOCK] * m->p.t;
  int8_t *dst = (to_vr ? m->vr : m->spad) + (size_t)dst0 * m->p.t;

  for (uint32_t i = 0; i < run->in.nr; i++)
    if (!load_row(run, addr + i * stride, dst + (size_t)i * m->p.t)) return false;
  memset((to_vr ? m->vr_written : m->spad_written) + dst0, 1, run->in.nr);
  return true;
}

/* A pure copy: an unwritten row stays unwritten. */
static bool do_vld(struct kr_run *run)
{
  struct kr_int8 *m = run->m;
  size_t t = m->p.t, to = run->f[KT_F_VLD_VR0], from = run->f[KT_F_VLD_SPAD0];

  memcpy(m->vr + to * t, m->spad + from * t, run->in.nr * t);
  memcpy(m->vr_written + to, m->spad_written + from, run->in.nr);
  return true;
}

/* Rows row0 .. row0+nr-1 of ar were written, each at the last accu step of its row. */
static void mark_ar(struct kr_run *run, uint32_t row0)
{
  uint32_t per_row = kr_accu_steps_per_row(run->in.op);

  for (uint32_t i = 0; i < run->in.nr; i++)
    run->m->ar_step[row0 + i] = run->m->accu_step + (uint64_t)(i + 1) * per_row;
}

static bool do_mm(struct kr_run *run)
{
  run->r->event_wrap += kr_mm(run->m, run->in.nr, run->f[KT_F_MM_VR_A], run->f[KT_F_MM_AR0],
                              run->f[KT_F_MM_ACC] == 1, run->f[KT_F_MM_SPAD_W]);
  run->r->macs += (uint64_t)run->in.nr * run->m->p.t * run->m->p.t;
  mark_ar(run, run->f[KT_F_MM_AR0]);
  return true;
}

static int32_t relu(int32_t x)
{
  return x > 0 ? x : 0;
}

/* vadd and vaddrelu (same fields). Row by row: a row may read what an earlier one wrote. */
static void add_rows(struct kr_run *run, bool then_relu)
{
  size_t t = run->m->p.t;
  int32_t *ar = run->m->ar;

  for (uint32_t i = 0; i < run->in.nr; i++) {
    int32_t *d = ar + (run->f[KT_F_VADD_AR_D] + i) * t;
    const int32_t *s1 = ar + (run->f[KT_F_VADD_AR_S1] + i) * t,
                  *s2 = ar + (run->f[KT_F_VADD_AR_S2] + i) * t;
    for (size_t j = 0; j < t; j++) {
      int32_t sum = kr_add_wrap(s1[j], s2[j]);
      run->r->event_wrap += kr_add_wraps(s1[j], s2[j]);
      d[j] = then_relu ? relu(sum) : sum;
    }
  }
  mark_ar(run, run->f[KT_F_VADD_AR_D]);
}

static bool do_vadd(struct kr_run *run)
{
  add_rows(run, false);
  return true;
}

static bool do_vaddrelu(struct kr_run *run)
{
  add_rows(run, true);
  return true;
}

static bool do_vrelu(struct kr_run *run)
{
  size_t t = run->m->p.t, d = run->f[KT_F_VRELU_AR_D], s = run->f[KT_F_VRELU_AR_S];

  for (uint32_t i = 0; i < run->in.nr; i++)
    for (size_t j = 0; j < t; j++) run->m->ar[(d + i) * t + j] = relu(run->m->ar[(s + i) * t + j]);
  mark_ar(run, run->f[KT_F_VRELU_AR_D]);
  return true;
}

static void put_i32(uint8_t *out, int32_t x)
{
  uint32_t u = (uint32_t)x;

  for (unsigned i = 0; i < 4; i++) out[i] = (uint8_t)(u >> (8 * i));
}

/* The bytes of one row as they leave, lane 0 lowest; *sat counts the lanes saturated. */
static void form_row(const struct kr_run *run, const int32_t *row, uint8_t *out, uint64_t *sat)
{
  for (uint32_t j = 0; j < run->m->p.t; j++) {
    if (run->d.form == KT_FORM_INT32) {
      put_i32(out + 4 * (size_t)j, row[j]);
    } else {
      int32_t x = kr_rne_shift(row[j], run->d.shift); /* shift 0 in the plain form */
      out[j] = (uint8_t)kr_sat_i8(x);
      *sat += kr_sat_i8_changes(x) ? 1 : 0;
    }
  }
}

static bool store_row(struct kr_run *run, uint64_t addr, uint32_t bytes, const int32_t *row)
{
  uint64_t prog_end = run->d.prog + 8 * (uint64_t)run->d.prog_words, sat = 0;
  uint32_t other = run->desc_index;
  enum kr_clash c;

  if (!kr_in_memory(run, addr, bytes)) return kr_fault(run, KT_FAULT_AXI_WRITE, AXI_DECERR, 0, 0);
  if (addr < prog_end && addr + bytes > run->d.prog)
    return kr_refuse(run, "writes C over its program", addr, other);
  c = kr_shadow_write(&run->m->shadow, addr, bytes, &other);
  if (c != KR_CLASH_NONE) return clash(run, c, "writes C where A or B was read, no fence since", addr, other);
  form_row(run, row, run->mem->bytes + addr, &sat);
  run->r->event_sat += sat;
  run->r->row_writes++;
  return true;
}

static void trace_row(const struct kr_run *run, uint32_t i, uint64_t addr, uint32_t bytes)
{
  const struct kr_trace_row row = {
      .desc = run->desc_index,
      .instr = run->pc,
      .issue = run->desc_issues - 1, /* this one is counted already */
      .ar_row = run->f[KT_F_MVOUT_AR0] + i,
      .c_row = run->f[KT_F_MVOUT_DRAM_ROW0] + i,
      .c_block = run->f[KT_F_MVOUT_COL_BLOCK],
      .form = run->d.form,
      .shift = run->d.shift,
      .c_addr = addr,
      .c_bytes = bytes,
  };
  run->m->trace(run->m->trace_ctx, &row);
}

static bool do_mvout(struct kr_run *run)
{
  struct kr_int8 *m = run->m;
  uint32_t bytes = run->d.form == KT_FORM_INT32 ? 4 * m->p.t : m->p.t;
  uint64_t stride = run->d.stride_c;
  uint64_t addr = run->d.c + run->f[KT_F_MVOUT_DRAM_ROW0] * stride +
                  (uint64_t)run->f[KT_F_MVOUT_COL_BLOCK] * bytes;

  for (uint32_t i = 0; i < run->in.nr; i++, addr += stride) {
    if (!store_row(run, addr, bytes, m->ar + (size_t)(run->f[KT_F_MVOUT_AR0] + i) * m->p.t))
      return false;
    if (m->trace != NULL) trace_row(run, i, addr, bytes);
  }
  return true;
}

/* pc still names the loop itself. */
static void do_loop(struct kr_run *run)
{
  run->loops[run->depth++] = (struct kr_loop){run->pc + 1, 0, run->in.nr};
  run->pc++;
}

static void do_endloop(struct kr_run *run)
{
  struct kr_loop *top = &run->loops[run->depth - 1];

  if (++top->iv < top->trip) {
    run->pc = top->body;
  } else {
    run->depth--;
    run->pc++;
  }
}

static bool execute_data(struct kr_run *run)
{
  switch (run->in.op) {
  case KT_OP_DMA_LD:
    return do_dma_ld(run);
  case KT_OP_VLD:
    return do_vld(run);
  case KT_OP_MM:
    return do_mm(run);
  case KT_OP_VADD:
    return do_vadd(run);
  case KT_OP_VRELU:
    return do_vrelu(run);
  case KT_OP_MVOUT:
    return do_mvout(run);
  case KT_OP_VADDRELU:
    return do_vaddrelu(run);
  default:
    return true; /* nop */
  }
}

bool kr_execute(struct kr_run *run)
{
  if (run->in.op == KT_OP_LOOP) {
    do_loop(run);
    return true;
  }
  if (run->in.op == KT_OP_ENDLOOP) {
    do_endloop(run);
    return true;
  }
  if (!execute_data(run)) return false;
  run->m->accu_step += (uint64_t)run->in.nr * kr_accu_steps_per_row(run->in.op);
  run->pc++;
  return true;
}
