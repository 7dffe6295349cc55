/* SPDX-License-Identifier: Apache-2.0 */
#include "support/world.h"

#include "compiler/fuzz/kc_fuzz.h"
#include "compiler/unit/kc_gemm.h"
#include "spec/generated/kt_tinytpu.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t world_draw(struct world *w, uint32_t below)
{
  return (uint32_t)((bench_next(&w->rng) >> 32) % below);
}

void world_open(struct world *w, const char *build, uint32_t latency, bool stalls, uint64_t seed)
{
  const struct ktpu_options o = {.latency = latency,
                                 .stall_seed = stalls ? seed * 3 + 1 : 0,
                                 .power_seed = (uint32_t)seed,
                                 .back_door = 1,
                                 .no_guards = 1,
                                 .memory = WORLD_BYTES};
  *w = (struct world){.rng = {seed}, .free = WORLD_PROGRAMS};
  bench_open(&w->pair, build, &o);
  w->image = malloc(WORLD_BYTES);
  w->got = malloc(WORLD_BYTES);
  w->want = malloc(WORLD_BYTES);
  cr_assert(w->image != NULL && w->got != NULL && w->want != NULL);
  bench_noise(&w->rng, w->image, WORLD_BYTES);
}

void world_close(struct world *w)
{
  free(w->image);
  free(w->got);
  free(w->want);
  bench_close(&w->pair);
}

/* ---- programs --------------------------------------------------------------------------------- */

static void store(uint8_t *to, uint64_t value, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> (8 * i));
}

void world_add_chain(struct world *w, const struct kc_program *program, size_t n)
{
  struct world_chain *c = &w->pool[w->n_pool];
  uint32_t bytes = 0;
  for (size_t i = 0; i < n; i++) bytes += (uint32_t)(8 * program[i].n_words + 31) & ~31u;
  if (w->n_pool == WORLD_POOL || w->free + bytes > WORLD_OPERANDS) return; /* enough */
  c->n = n;
  for (size_t i = 0; i < n; i++) {
    c->at[i] = w->free;
    c->words[i] = (uint32_t)program[i].n_words;
    for (size_t j = 0; j < program[i].n_words; j++)
      store(w->image + w->free + 8 * j, program[i].words[j], 8);
    w->free += (uint32_t)(8 * program[i].n_words + 31) & ~31u;
  }
  w->n_pool++;
}

static void add_instruction(struct world *w, struct kt_insn insn)
{
  struct kc_program p = {NULL, 0};
  struct kt_msg msg = {{0}};
  cr_assert(kc_program_add(&p, &insn) == KT_OK);
  cr_assert(kc_build_header(&w->pair.p, p.words, p.n_words, &msg) == KT_OK, "%s", msg.text);
  world_add_chain(w, &p, 1);
  kc_program_free(&p);
}

/* nops up to what the instruction memory holds. */
static void pad(struct world *w, struct kc_program *p)
{
  const struct kt_insn nop = {.op = KT_OP_NOP};
  struct kt_msg msg = {{0}};
  while (p->n_words < w->pair.p.imem_size) cr_assert(kc_program_add(p, &nop) == KT_OK);
  cr_assert(kc_build_header(&w->pair.p, p->words, p->n_words, &msg) == KT_OK, "%s", msg.text);
}

void world_add_product(struct world *w, uint32_t m, uint32_t k, uint32_t n, bool relu)
{
  const struct kc_slab slab = {
      .m = m, .k = k, .n = n, .first = true, .last = true, .relu = relu};
  struct kc_program p;
  struct kt_msg msg = {{0}};
  cr_assert(kc_gemm_slab(&w->pair.p, &slab, &p, &msg) == KT_OK, "%s", msg.text);
  world_add_chain(w, &p, 1);
  kc_program_free(&p);
}

void world_fill_pool(struct world *w)
{
  const uint32_t most = w->pair.p.maxdim < 24 ? w->pair.p.maxdim : 24;
  add_instruction(w, (struct kt_insn){.op = KT_OP_NOP});
  add_instruction(w, (struct kt_insn){.op = KT_OP_DMA_LD, .nr = 1});
  add_instruction(w, (struct kt_insn){.op = KT_OP_DMA_LD, .nr = 4, .f = {3, 1, 0, 2}});
  add_instruction(w, (struct kt_insn){.op = KT_OP_VLD, .nr = 3});
  for (size_t i = 0; i < 6; i++)
    world_add_product(w, 1 + world_draw(w, most), 1 + world_draw(w, most), 1 + world_draw(w, most),
                      i % 2 != 0);
  for (size_t i = 0; i < WORLD_POOL; i++) {
    const struct kc_fuzz_opts o = {.instructions = 1 + world_draw(w, i % 2 != 0 ? 8 : 40)};
    struct kc_chain chain;
    struct kt_msg msg = {{0}};
    cr_assert(kc_fuzz_legal(&w->pair.p, bench_next(&w->rng), &o, &chain, &msg) == KT_OK, "%s",
              msg.text);
    if (i % 6 == 0) pad(w, &chain.program[0]);
    world_add_chain(w, chain.program, chain.n);
    kc_chain_free(&chain);
  }
}

/* ---- descriptors ------------------------------------------------------------------------------ */

static uint32_t draw_stride(struct world *w, uint32_t unit, uint32_t row_bytes, uint32_t room)
{
  const uint32_t most = (room - row_bytes) / (w->pair.p.maxdim - 1) / unit;
  if (w->pair.p.strides == 0 || world_draw(w, 4) == 0) return 0;
  return unit * (1 + world_draw(w, world_draw(w, 2) == 0 ? 2 * row_bytes / unit : most));
}

/* A base in [first, first + room) that leaves room for MAXDIM rows; often just below 4 KiB. */
static uint32_t draw_base(struct world *w, uint32_t first, uint32_t room, uint32_t stride,
                          uint32_t row_bytes)
{
  const uint32_t bus = w->pair.p.bus_bits / 8;
  const uint32_t extent = (w->pair.p.maxdim - 1) * (stride != 0 ? stride : row_bytes) + row_bytes;
  const uint32_t most = (room - extent) / bus;
  uint32_t base = first + bus * world_draw(w, most + 1);
  if (world_draw(w, 3) == 0) base = (base | 0xfff) + 1 - bus * (1 + world_draw(w, 8));
  if (base < first || base > first + room - extent) base = first;
  return base;
}

static uint32_t draw_operand(struct world *w, uint32_t *stride, bool *results)
{
  const uint32_t row = w->pair.p.maxdim;
  *results = world_draw(w, w->turned ? 2 : 10) == 0 || (w->layers && w->n != 0);
  if (*results && w->turned) { /* what has just been written, if it has been yet */
    *stride = w->last_stride;
    return w->last_c;
  }
  *stride = draw_stride(w, w->pair.p.t, row, WORLD_HALF);
  const uint32_t first = *results ? WORLD_RESULTS + (1 - w->half) * WORLD_HALF : WORLD_OPERANDS;
  return draw_base(w, first, WORLD_HALF, *stride, row);
}

void world_add_descriptor(struct world *w, const struct kt_desc *d)
{
  uint32_t words[KT_DESC_WORDS];
  kt_desc_pack(d, words);
  for (size_t j = 0; j < KT_DESC_WORDS; j++)
    store(w->image + WORLD_LIST + KT_DESC_BYTES * w->n + 4 * j, words[j], 4);
  w->n++;
}

void world_append(struct world *w, const struct world_chain *chain)
{
  for (size_t i = 0; i < chain->n && w->n < WORLD_DESCRIPTORS; i++) {
    struct kt_desc d = {.prog = chain->at[i], .prog_words = chain->words[i], .cont = i != 0};
    bool a_results, b_results;
    w->turned = w->n != 0 && (w->layers || world_draw(w, 3) == 0);
    if (w->turned) w->half = 1 - w->half;
    d.a = draw_operand(w, &d.stride_a, &a_results);
    d.b = draw_operand(w, &d.stride_b, &b_results);
    d.form = world_draw(w, 3);
    if (d.form == KT_FORM_INT8_SHIFT) d.shift = world_draw(w, 32);
    const uint32_t size = d.form == KT_FORM_INT32 ? 4 : 1;
    d.stride_c = draw_stride(w, size * w->pair.p.t, size * w->pair.p.maxdim, WORLD_HALF);
    d.c = draw_base(w, WORLD_RESULTS + w->half * WORLD_HALF, WORLD_HALF, d.stride_c,
                    size * w->pair.p.maxdim);
    d.fence = a_results || b_results || w->reads[w->half] || world_draw(w, 8) == 0;
    if (d.fence) w->reads[0] = w->reads[1] = false;
    if (a_results || b_results) w->reads[1 - w->half] = true;
    w->last_c = d.c;
    w->last_stride = d.stride_c;
    world_add_descriptor(w, &d);
  }
}

void world_new_list(struct world *w, size_t n)
{
  w->n = 0;
  w->reads[0] = w->reads[1] = false;
  while (w->n < n) world_append(w, &w->pool[world_draw(w, (uint32_t)w->n_pool)]);
}

/* ---- running ---------------------------------------------------------------------------------- */

void world_put(struct world *w, struct ktpu_device *d)
{
  cr_assert(ktpu_write(d, 0, w->image, WORLD_BYTES) == KTPU_OK);
}

void world_get(struct world *w, struct ktpu_device *d, uint8_t *to)
{
  (void)w;
  cr_assert(ktpu_read(d, 0, to, WORLD_BYTES) == KTPU_OK);
}

static bool run_on(struct world *w, struct ktpu_device *d, struct ktpu_result *r, uint8_t *after,
                   char *text, size_t bytes)
{
  struct ktpu_message m;
  memset(r, 0, sizeof *r);
  world_put(w, d);
  const enum ktpu_status st = ktpu_run(d, WORLD_LIST, (uint32_t)w->n, r);
  world_get(w, d, after);
  if (st == KTPU_OK || (st == KTPU_EFAULT && r->fault.code != 0)) return true;
  ktpu_message(d, &m);
  snprintf(text, bytes, "%s: %s: %s", d->name, ktpu_strerror(st), m.text);
  return false;
}

void world_run(struct world *w, struct ktpu_result *r, char *text, size_t bytes)
{
  struct ktpu_result want;
  text[0] = '\0';
  if (!run_on(w, w->pair.ref, &want, w->want, text, bytes)) return;
  if (!run_on(w, w->pair.sim, r, w->got, text, bytes)) return;
  bench_difference(r, &want, text, bytes);
  if (text[0] != '\0') return;
  for (size_t i = 0; i < WORLD_BYTES; i++) {
    if (w->got[i] == w->want[i]) continue;
    snprintf(text, bytes, "byte 0x%zx is 0x%02x, want 0x%02x, before 0x%02x", i, w->got[i],
             w->want[i], w->image[i]);
    return;
  }
}
