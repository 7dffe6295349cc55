/* SPDX-License-Identifier: Apache-2.0
 *
 * GEMMs on the reference model.
 */
#include "support/compiler_bench.h"

#include "compiler/fuzz/kc_rng.h"
#include "spec/generated/kt_tinytpu.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, PATTERN = 0xC5, SLACK_ROWS = 3 };

struct kt_params cb_build(const char *text)
{
  struct kt_params p;
  struct kt_msg msg = {""};
  cr_assert(eq(int, kt_params_parse(&p, text, &msg), KT_OK), "%s: %s", text, msg.text);
  return p;
}

/* ---- Layout ---------------------------------------------------------------------------------- */

static uint32_t round_up(uint32_t x, uint32_t to)
{
  return (x + to - 1) / to * to;
}

/* A matrix of rows x cols elements: offset of (r, c) in bytes. br, bc: rows and columns of a block. */
struct layout {
  bool blocked;
  uint32_t stride, cols, br, bc, bytes;
};

static uint32_t offset(const struct gemm_bench *gb, const struct layout *l, uint32_t r, uint32_t c)
{
  if (!l->blocked) return (r * l->stride + c) * l->bytes;
  uint32_t across = (l->cols + l->bc - 1) / l->bc;
  uint32_t block = round_up((l->br + SLACK_ROWS) * gb->p.maxdim * l->bytes, ALIGN);
  return (r / l->br * across + c / l->bc) * block +
         (r % l->br * gb->p.maxdim + c % l->bc) * l->bytes;
}

static struct layout layout_of(const struct gemm_bench *gb, uint32_t cols, uint32_t br, uint32_t bc,
                               uint32_t bytes)
{
  uint32_t stride = round_up(cols, gb->p.maxdim);
  return (struct layout){gb->blocked, stride, cols, br, bc, bytes};
}

static struct layout layout_a(const struct gemm_bench *gb)
{
  uint32_t tile = kc_slab_rows(&gb->p);
  return layout_of(gb, gb->g.k, tile, tile, 1);
}

static struct layout layout_b(const struct gemm_bench *gb)
{
  return layout_of(gb, gb->g.n, kc_slab_rows(&gb->p), gb->p.maxdim, 1);
}

static struct layout layout_c(const struct gemm_bench *gb)
{
  return layout_of(gb, gb->g.n, kc_slab_rows(&gb->p), gb->p.maxdim, gb->c_bytes);
}

/* Bytes that rows x cols take, the last block whole. */
static uint32_t extent(const struct gemm_bench *gb, const struct layout *l, uint32_t rows)
{
  if (!l->blocked) return rows * l->stride * l->bytes;
  uint32_t across = (l->cols + l->bc - 1) / l->bc;
  uint32_t down = (rows + l->br - 1) / l->br;
  return down * across * round_up((l->br + SLACK_ROWS) * gb->p.maxdim * l->bytes, ALIGN);
}

int cb_a(const struct gemm_bench *gb, uint32_t r, uint32_t c)
{
  struct layout l = layout_a(gb);
  return (int8_t)gb->mem.bytes[gb->a + offset(gb, &l, r, c)];
}

int cb_b(const struct gemm_bench *gb, uint32_t r, uint32_t c)
{
  struct layout l = layout_b(gb);
  return (int8_t)gb->mem.bytes[gb->b + offset(gb, &l, r, c)];
}

int32_t cb_c(const struct gemm_bench *gb, uint32_t r, uint32_t c)
{
  struct layout l = layout_c(gb);
  const uint8_t *at = gb->mem.bytes + gb->c + offset(gb, &l, r, c);
  if (gb->c_bytes == 1) return (int8_t)at[0];
  return (int32_t)((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                   (uint32_t)at[3] << 24);
}

/* ---- Machine and memory ---------------------------------------------------------------------- */

void cb_open(struct gemm_bench *gb, const struct kt_params *p, const struct gemm_case *g,
             uint64_t seed)
{
  struct kc_rng rng = kc_rng_seed(seed);
  uint32_t align = p->bus_bits / 8;

  *gb = (struct gemm_bench){.p = *p, .g = *g, .c_bytes = g->form == KT_FORM_INT32 ? 4 : 1};
  gb->p.addr_bits = 32; /* products are asked for here, in a memory larger than a small board's */
  gb->blocked = p->maxdim % align != 0 || p->strides == 0;
  gb->list = 0;
  gb->prog = 1u << 20;
  struct layout a = layout_a(gb), b = layout_b(gb), c = layout_c(gb);
  gb->a = gb->prog + (1u << 16);
  gb->b = round_up(gb->a + extent(gb, &a, g->m + SLACK_ROWS), ALIGN);
  gb->c = round_up(gb->b + extent(gb, &b, g->k + p->t), ALIGN) + ALIGN;
  gb->end = round_up(gb->c + extent(gb, &c, g->m), ALIGN) + ALIGN;
  gb->mem.size = gb->end;
  gb->mem.bytes = malloc(gb->end);
  gb->model = kr_int8_new(&gb->p);
  cr_assert(gb->mem.bytes != NULL && gb->model != NULL);
  kr_int8_scramble(gb->model, seed);

  for (uint32_t i = 0; i < gb->end; i++)
    gb->mem.bytes[i] = (uint8_t)kc_rng_next(&rng);
  for (uint32_t r = g->k; r < round_up(g->k, p->t); r++)
    for (uint32_t col = 0; col < g->n; col++)
      gb->mem.bytes[gb->b + offset(gb, &b, r, col)] = 0;
  memset(gb->mem.bytes + gb->c - ALIGN, PATTERN, gb->end - gb->c + ALIGN);
}

void cb_close(struct gemm_bench *gb)
{
  kr_int8_free(gb->model);
  free(gb->mem.bytes);
}

static void put_words(struct gemm_bench *gb, uint32_t at, const struct kc_program *program)
{
  for (size_t i = 0; i < program->n_words; i++)
    for (uint32_t byte = 0; byte < 8; byte++)
      gb->mem.bytes[at + 8 * i + byte] = (uint8_t)(program->words[i] >> (8 * byte));
}

static void describe(const struct gemm_bench *gb, const struct kc_step *s, uint32_t prog,
                     const struct kc_program *program, struct kt_desc_words *words)
{
  struct layout a = layout_a(gb), b = layout_b(gb), c = layout_c(gb);
  uint32_t t = gb->p.t;
  struct kt_desc d = {
      .prog = prog, .prog_words = (uint32_t)program->n_words,
      .a = gb->a + offset(gb, &a, s->m0, s->k0) - t * s->cb_a,
      .b = gb->b + offset(gb, &b, s->k0, s->n0) - t * s->cb_b,
      .c = gb->c + offset(gb, &c, s->m0, s->n0) - t * s->cb_c * gb->c_bytes,
      .form = gb->g.form, .shift = gb->g.shift, .cont = !s->first};
  if (!gb->blocked) {
    d.stride_a = a.stride;
    d.stride_b = b.stride;
    d.stride_c = c.stride * gb->c_bytes;
  }
  kt_desc_pack(&d, words->w);
}

/* ---- Comparison ------------------------------------------------------------------------------ */

static int32_t shifted(int32_t x, uint32_t shift)
{
  if (shift == 0) return x;
  int64_t half = (int64_t)1 << (shift - 1);
  int64_t floor = ((int64_t)x + half) >> shift;
  bool tie = (((int64_t)x + half) & ((half << 1) - 1)) == 0;
  return (int32_t)(tie && (floor & 1) ? floor - 1 : floor);
}

static int32_t expected(const struct gemm_bench *gb, uint32_t r, uint32_t col, bool *in_range)
{
  uint32_t sum = 0;
  for (uint32_t k = 0; k < gb->g.k; k++)
    sum += (uint32_t)(cb_a(gb, r, k) * cb_b(gb, k, col));
  int32_t x = (int32_t)sum;
  if (gb->g.relu && x < 0) x = 0;
  if (gb->g.form == KT_FORM_INT8_SHIFT) x = shifted(x, gb->g.shift);
  *in_range = x >= -128 && x <= 127;
  if (gb->c_bytes == 4) return x;
  return x < -128 ? -128 : x > 127 ? 127 : x;
}

/* Bytes of C that no element with c < ceil(n / T) * T owns must be as they were. */
static void check_surroundings(const struct gemm_bench *gb)
{
  struct layout l = layout_c(gb);
  uint8_t *owned = calloc(1, gb->end);
  for (uint32_t r = 0; r < gb->g.m; r++)
    for (uint32_t c = 0; c < round_up(gb->g.n, gb->p.t); c++)
      memset(owned + gb->c + offset(gb, &l, r, c), 1, gb->c_bytes);
  for (uint32_t i = gb->c - ALIGN; i < gb->end; i++)
    if (!owned[i]) cr_assert(eq(u8, gb->mem.bytes[i], PATTERN), "byte %u past C was written", i);
  free(owned);
}

static void compare(struct gemm_bench *gb, const char *what)
{
  const struct gemm_case *g = &gb->g;
  for (uint32_t r = 0; r < g->m; r++)
    for (uint32_t c = 0; c < g->n; c++) {
      bool in_range;
      int32_t want = expected(gb, r, c, &in_range);
      cr_assert(eq(i32, cb_c(gb, r, c), want), "%s, %ux%ux%u form %u relu %d: C[%u][%u]", what, g->m,
                g->k, g->n, g->form, g->relu, r, c);
      gb->compared++;
      gb->unsaturated += in_range || gb->c_bytes == 4;
    }
  check_surroundings(gb);
}

static void check_result(const struct kr_result *r, uint32_t count, const struct kt_msg *msg,
                         enum kt_status st)
{
  cr_assert(eq(int, st, KT_OK), "%s", msg->text);
  cr_assert(eq(u32, r->fault.code, 0), "fault %u sub %u arg %u instr %u desc %u", r->fault.code,
            r->fault.sub, r->fault.arg, r->fault.instr, r->fault.desc);
  cr_assert(eq(u32, r->violation.code, 0));
  cr_assert(eq(u32, r->desc_done, count));
}

static void check_steps(struct gemm_bench *gb, const struct kc_plan *plan)
{
  struct kc_check_ctx *chain = calloc(1, sizeof *chain);
  struct kt_msg msg = {""};
  for (size_t i = 0; i < plan->n_steps; i++) {
    const struct kc_program *program = &plan->programs[plan->steps[i].program];
    if (plan->steps[i].first) kc_check_begin(chain);
    cr_assert(eq(int, kc_check_program(&gb->p, program->words, program->n_words, chain, &msg), KT_OK),
              "step %zu: %s", i, msg.text);
  }
  free(chain);
}

void cb_run_plan(struct gemm_bench *gb, const struct kc_plan *plan)
{
  uint32_t *at = calloc(plan->n_programs, sizeof *at);
  uint32_t next = gb->prog;
  struct kr_result r;
  struct kt_msg msg = {""};

  check_steps(gb, plan);
  for (size_t i = 0; i < plan->n_programs; i++) {
    at[i] = next;
    put_words(gb, next, &plan->programs[i]);
    next = round_up(next + (uint32_t)plan->programs[i].n_words * 8, ALIGN);
    cr_assert(le(u32, next, gb->a));
  }
  cr_assert(le(sz, plan->n_steps * KT_DESC_BYTES, gb->prog));
  for (size_t i = 0; i < plan->n_steps; i++) {
    const struct kc_step *s = &plan->steps[i];
    struct kt_desc_words words;
    describe(gb, s, at[s->program], &plan->programs[s->program], &words);
    for (uint32_t b = 0; b < KT_DESC_BYTES; b++)
      gb->mem.bytes[gb->list + KT_DESC_BYTES * i + b] = (uint8_t)(words.w[b / 4] >> (8 * (b % 4)));
  }
  enum kt_status st = kr_int8_run(gb->model, &gb->mem, gb->list, (uint32_t)plan->n_steps, NULL, &r,
                                  &msg);
  check_result(&r, (uint32_t)plan->n_steps, &msg, st);
  compare(gb, "plan");
  free(at);
}

void cb_run_program(struct gemm_bench *gb, const struct kc_program *program)
{
  struct kc_step whole = {.first = true, .last = true};
  struct kt_desc_words words;
  struct kr_result r;
  struct kt_msg msg = {""};

  put_words(gb, gb->prog, program);
  describe(gb, &whole, gb->prog, program, &words);
  enum kt_status st = kr_int8_run(gb->model, &gb->mem, 0, 0, &words, &r, &msg);
  check_result(&r, 1, &msg, st);
  compare(gb, "program");
}
