/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu_mx_gemm on ref:sim1: layouts against the GEMM computed from operands and numerics alone, cuts
 * where memory is short, refusals, and faults in words.
 */
#include "host/kd_mx.h"

#include "spec/model/kr_mxgemm.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint16_t next_half(void)
{
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  const uint32_t v = (uint32_t)(state >> 40);
  return (uint16_t)((v & 0x83ff) | (8 + (v >> 16) % 8) << 10);
}

struct problem {
  struct ktpu_mx_gemm g;
  uint16_t *a, *b;
  uint32_t *tile;
  void *c, *want;
};

static void make(struct problem *p, uint32_t m, uint32_t k, uint32_t n, enum ktpu_mx_out out)
{
  struct kr_mx_operand a, b;
  struct kr_mx_events e = {0};
  state = m * UINT64_C(1000003) + k * UINT64_C(1009) + n;
  *p = (struct problem){.a = malloc((size_t)m * k * 2), .b = malloc((size_t)k * n * 2),
                        .tile = malloc((size_t)m * n * 4), .c = calloc(1, (size_t)m * n * 4),
                        .want = calloc(1, (size_t)m * n * 4)};
  for (size_t i = 0; i < (size_t)m * k; i++) p->a[i] = next_half();
  for (size_t i = 0; i < (size_t)k * n; i++) p->b[i] = next_half();
  cr_assert_eq(kr_mx_pack(m, k, p->a, k, 1, &a, &e), KT_OK);
  cr_assert_eq(kr_mx_pack(n, k, p->b, 1, n, &b, &e), KT_OK);
  cr_assert_eq(kr_mx_tile(&a, &b, 1, 14, 1, p->tile, &e), KT_OK);
  if (out == KTPU_MX_F32)
    kr_mx_out_f32(p->tile, (size_t)m * n, 14, p->want, &e);
  else
    kr_mx_out_f16(p->tile, (size_t)m * n, 14, p->want, &e);
  kr_mx_free(&a);
  kr_mx_free(&b);
  p->g = (struct ktpu_mx_gemm){.m = m, .k = k, .n = n, .a = p->a, .b = p->b, .c = p->c, .out = out};
}

static void unmake(struct problem *p)
{
  free(p->a);
  free(p->b);
  free(p->tile);
  free(p->c);
  free(p->want);
}

static struct ktpu_device *opened(const char *name, const struct ktpu_options *o)
{
  struct ktpu_device *d;
  struct ktpu_message m;
  const enum ktpu_status st = ktpu_open(name, o, &d, &m);
  cr_assert_eq(st, KTPU_OK, "%s", m.text);
  return d;
}

static const char *why(struct ktpu_device *d)
{
  static struct ktpu_message m;
  ktpu_message(d, &m);
  return m.text;
}

static void run_and_compare(struct ktpu_device *d, struct problem *p, uint32_t *programs)
{
  struct ktpu_mx_result r;
  const size_t bytes = (size_t)p->g.m * p->g.n * (p->g.out == KTPU_MX_F32 ? 4 : 2);
  memset(p->c, 0xee, (size_t)p->g.m * p->g.n * 4);
  cr_assert_eq(ktpu_mx_gemm(d, &p->g, &r), KTPU_OK, "%s", why(d));
  cr_assert_eq(memcmp(p->c, p->want, bytes), 0, "%ux%ux%u", p->g.m, p->g.k, p->g.n);
  cr_assert(r.steps > 0 && r.instructions > 0 && r.programs > 0);
  if (programs != NULL) *programs = r.programs;
}

Test(host_mx, shapes_and_forms_equal_the_numerics, .timeout = 60)
{
  static const uint32_t shapes[][3] = {{1, 1, 1},   {4, 32, 4},   {5, 33, 7},  {17, 64, 3},
                                       {3, 100, 29}, {64, 64, 64}, {31, 257, 65}};
  const struct ktpu_options noise = {.noise_seed = 7, .memory = 1 << 20};
  struct ktpu_device *d = opened("ref:sim1", &noise);
  struct problem p;
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    for (int form = 0; form < 4; form++) {
      make(&p, shapes[i][0], shapes[i][1], shapes[i][2], form & 1 ? KTPU_MX_F32 : KTPU_MX_F16);
      p.g.prequantised = form >> 1;
      run_and_compare(d, &p, NULL);
      unmake(&p);
    }
  ktpu_close(d);
}

Test(host_mx, leading_dimensions_are_kept, .timeout = 20)
{
  struct ktpu_device *d = opened("ref:sim1", NULL);
  struct problem p, q;
  struct ktpu_mx_result r;
  make(&p, 10, 40, 9, KTPU_MX_F16);
  make(&q, 10, 40, 9, KTPU_MX_F16);
  uint16_t a[10 * 43], b[40 * 12], c[10 * 11];
  memset(c, 0x11, sizeof c);
  for (unsigned i = 0; i < 10; i++) memcpy(a + i * 43, p.a + i * 40, 80);
  for (unsigned i = 0; i < 40; i++) memcpy(b + i * 12, p.b + i * 9, 18);
  q.g.a = a, q.g.lda = 43, q.g.b = b, q.g.ldb = 12, q.g.c = c, q.g.ldc = 11;
  cr_assert_eq(ktpu_mx_gemm(d, &q.g, &r), KTPU_OK, "%s", why(d));
  for (unsigned i = 0; i < 10; i++) {
    cr_assert_eq(memcmp(c + i * 11, (uint16_t *)p.want + i * 9, 18), 0, "row %u", i);
    cr_assert_eq(c[i * 11 + 10], 0x1111);
  }
  unmake(&p);
  unmake(&q);
  ktpu_close(d);
}

Test(host_mx, what_memory_cannot_hold_is_cut, .timeout = 20)
{
  const struct ktpu_options small = {.memory = 16384};
  struct ktpu_device *d = opened("ref:sim1", &small);
  struct problem p;
  uint32_t programs;
  make(&p, 50, 70, 90, KTPU_MX_F32);
  run_and_compare(d, &p, &programs);
  cr_assert_gt(programs, 2);
  unmake(&p);
  make(&p, 3, 2500, 3, KTPU_MX_F16);
  struct ktpu_mx_result r;
  cr_assert_eq(ktpu_mx_gemm(d, &p.g, &r), KTPU_ELIMIT);
  cr_assert_not_null(strstr(why(d), "K = 2500"), "%s", why(d));
  unmake(&p);
  ktpu_close(d);
}

Test(host_mx, small_machines_take_several_rounds, .timeout = 20)
{
  struct ktpu_device *d = opened("ref:sim1,STAGING=64,COMMANDS=32,L1_ENTRIES=16,TILES=16", NULL);
  struct problem p;
  uint32_t programs;
  make(&p, 40, 300, 40, KTPU_MX_F16);
  run_and_compare(d, &p, &programs);
  cr_assert_gt(programs, 1);
  unmake(&p);
  ktpu_close(d);
}

Test(host_mx, what_is_wrong_is_refused_in_words, .timeout = 20)
{
  struct ktpu_device *d = opened("ref:sim1", NULL), *int8 = opened("ref:int8", NULL);
  struct problem p;
  struct ktpu_mx_result r;
  struct ktpu_result r8;
  const int8_t byte = 1;
  int8_t out;
  const struct ktpu_gemm g8 = {.m = 1, .k = 1, .n = 1, .a = &byte, .b = &byte, .c = &out};
  make(&p, 4, 4, 4, KTPU_MX_F16);
  cr_assert_eq(ktpu_mx_gemm(int8, &p.g, &r), KTPU_EUNSUPPORTED);
  cr_assert_not_null(strstr(why(int8), "no MXFP7 cluster"), "%s", why(int8));
  cr_assert_eq(ktpu_gemm(d, &g8, &r8), KTPU_EUNSUPPORTED);
  cr_assert_not_null(strstr(why(d), "no int8 core"), "%s", why(d));
  cr_assert_eq(ktpu_run(d, 0, 0, &r8), KTPU_EUNSUPPORTED);
  p.g.k = 0;
  cr_assert_eq(ktpu_mx_gemm(d, &p.g, &r), KTPU_EINVAL);
  cr_assert_not_null(strstr(why(d), "4x0x4"), "%s", why(d));
  p.g.k = 4, p.g.sk = 2;
  cr_assert_eq(ktpu_mx_gemm(d, &p.g, &r), KTPU_EUNSUPPORTED, "%s", why(d));
  p.g.sk = 1, p.g.lda = 3;
  cr_assert_eq(ktpu_mx_gemm(d, &p.g, &r), KTPU_EINVAL);
  unmake(&p);
  ktpu_close(d);
  ktpu_close(int8);
}

Test(host_mx, a_fault_is_a_sentence, .timeout = 5)
{
  struct ktpu_mx_fault f = {.code = KT_MX_FAULT_FIELD, .field = KT_MX_FIELD_GEMM_GM, .argument = 300,
                            .instruction = 7};
  kd_mx_fault_text(&f);
  cr_assert_not_null(strstr(f.text, "instruction 7"), "%s", f.text);
  cr_assert_not_null(strstr(f.text, "GEMM GM, legal: 1 to 256"), "%s", f.text);
  cr_assert_not_null(strstr(f.text, "argument 300"), "%s", f.text);
  f = (struct ktpu_mx_fault){.code = KT_MX_FAULT_NO_PROGRESS, .node = 255, .argument = 9,
                             .command = 3};
  kd_mx_fault_text(&f);
  cr_assert_not_null(strstr(f.text, "command 3"), "%s", f.text);
  cr_assert_not_null(strstr(f.text, "a sweep waits for operands"), "%s", f.text);
}
