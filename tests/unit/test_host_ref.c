/* SPDX-License-Identifier: Apache-2.0
 *
 * libktpu on the reference model: opening, identity, memory with guards, GEMMs of any shape against
 * a plain loop, refusals that name their limit, faults in words, threads.
 */
#include "host/kd_device.h"
#include "host/kd_gemm.h"
#include "host/kd_variant.h"
#include "spec/generated/kt_tinytpu.h"
#include "spec/model/kr_gemm.h"

#include <ktpu.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ktpu_device *must_open(const char *name, const struct ktpu_options *o)
{
  struct ktpu_device *d;
  struct ktpu_message m;
  const enum ktpu_status st = ktpu_open(name, o, &d, &m);
  cr_assert(st == KTPU_OK, "%s: %s", name, m.text);
  return d;
}

static const char *message_of(struct ktpu_device *d)
{
  static struct ktpu_message m;
  ktpu_message(d, &m);
  return m.text;
}

/* ---- opening ---------------------------------------------------------------------------------- */

Test(host_ref, a_name_that_is_no_device_is_refused_with_a_reason, .timeout = 5)
{
  static const struct {
    const char *name;
    enum ktpu_status want;
    const char *says;
  } cases[] = {
      {"int8", KTPU_ENODEV, "ref:CONFIG"},
      {"", KTPU_ENODEV, "ref:CONFIG"},
      {"ref:int9", KTPU_EPARSE, "int9"},
      {"ref:int8,T=5", KTPU_ERANGE, "T"},
      {"ref:int8,MAXDIM=6", KTPU_ELIMIT, "MAXDIM"},
      {"ref:int8,T=4,T=4", KTPU_EPARSE, "T"},
      {"sim:@nobody-is-called-this", KTPU_ENODEV, "nobody-is-called-this"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct ktpu_device *d = (struct ktpu_device *)1;
    struct ktpu_message m;
    const enum ktpu_status st = ktpu_open(cases[i].name, NULL, &d, &m);
    cr_assert(st == cases[i].want, "%s: %s: %s", cases[i].name, ktpu_strerror(st), m.text);
    cr_assert(strstr(m.text, cases[i].says) != NULL, "%s: %s", cases[i].name, m.text);
    cr_assert(d == NULL);
  }
}

Test(host_ref, memory_past_the_address_bits_is_refused, .timeout = 5)
{
  struct ktpu_device *d;
  struct ktpu_message m;
  const struct ktpu_options large = {.memory = 1 << 20}, odd = {.memory = 100000};
  cr_assert(eq(int, (int)ktpu_open("ref:ice40", &large, &d, &m), KTPU_ERANGE));
  cr_assert_not_null(strstr(m.text, "131072"));
  cr_assert(eq(int, (int)ktpu_open("ref:int8", &odd, &d, &m), KTPU_ERANGE));
}

Test(host_ref, a_machine_of_another_build_is_refused_with_both_values, .timeout = 5)
{
  struct ktpu_device *d = must_open("ref:int8", NULL);
  char want[16], got[16];
  pthread_mutex_lock(&d->lock);
  snprintf(got, sizeof got, "%08" PRIx32, kt_params_hash(&d->link.params));
  d->link.params.qd++; /* as if the driver had been asked for another one */
  snprintf(want, sizeof want, "%08" PRIx32, kt_params_hash(&d->link.params));
  cr_assert(eq(int, kd_check_identity(d), KT_EMISMATCH));
  pthread_mutex_unlock(&d->lock);
  cr_assert(strstr(message_of(d), want) != NULL && strstr(message_of(d), got) != NULL, "%s",
            message_of(d));
  ktpu_close(d);
}

Test(host_ref, info_says_what_was_opened, .timeout = 5)
{
  struct ktpu_info i;
  struct ktpu_device *d = must_open("ref:ecp5-int8", NULL);
  cr_assert(eq(int, (int)ktpu_info(d, &i), KTPU_OK));
  cr_assert(all(eq(u32, i.t, 8), eq(u32, i.maxdim, 64), eq(u32, i.qd, 4), eq(u32, i.contracts, 0),
                eq(u32, i.addr_bits, 18), eq(u64, i.memory, 1 << 18)));
  cr_assert(eq(str, i.config, "ecp5-int8"));
  ktpu_close(d);
}

/* ---- memory ----------------------------------------------------------------------------------- */

Test(host_ref, an_overwritten_guard_is_reported_when_the_block_is_freed, .timeout = 5)
{
  struct ktpu_device *d = must_open("ref:int8", NULL);
  const uint8_t byte = 0;
  for (int side = 0; side < 2; side++) {
    uint32_t addr;
    cr_assert(eq(int, (int)ktpu_alloc(d, 100, &addr), KTPU_OK));
    cr_assert(eq(int, (int)ktpu_write(d, side ? addr + 100 : addr - 1, &byte, 1), KTPU_OK));
    cr_assert(eq(int, (int)ktpu_free(d, addr), KTPU_EIO));
    cr_assert(strstr(message_of(d), "guard") != NULL, "%s", message_of(d));
    cr_assert(eq(int, (int)ktpu_free(d, addr), KTPU_EINVAL)); /* it is free now */
  }
  ktpu_close(d);
}

Test(host_ref, accesses_outside_memory_are_refused, .timeout = 5)
{
  struct ktpu_device *d = must_open("ref:ice40", NULL);
  uint8_t bytes[16];
  cr_assert(eq(int, (int)ktpu_read(d, (1 << 17) - 16, bytes, 16), KTPU_OK));
  cr_assert(eq(int, (int)ktpu_read(d, (1 << 17) - 15, bytes, 16), KTPU_ERANGE));
  cr_assert(eq(int, (int)ktpu_write(d, UINT64_MAX, bytes, 16), KTPU_ERANGE));
  cr_assert(eq(int, (int)ktpu_write(d, 0, NULL, 1), KTPU_EINVAL));
  ktpu_close(d);
}

Test(host_ref, programs_are_kept_until_the_cache_is_emptied, .timeout = 10)
{
  struct ktpu_device *d = must_open("ref:int8", NULL);
  struct ktpu_stats s;
  struct ktpu_result r;
  int8_t a[16] = {1}, b[16] = {1}, c[16];
  const struct ktpu_gemm g = {.m = 4, .k = 4, .n = 4, .a = a, .b = b, .c = c};
  for (int i = 0; i < 3; i++) cr_assert(eq(int, (int)ktpu_gemm(d, &g, &r), KTPU_OK));
  cr_assert(eq(int, (int)ktpu_stats(d, &s), KTPU_OK));
  cr_assert(all(eq(u64, s.starts, 3), eq(u64, s.cached_programs, 1), gt(u64, s.allocated, 0)));
  cr_assert(eq(int, (int)ktpu_empty_cache(d), KTPU_OK));
  cr_assert(eq(int, (int)ktpu_stats(d, &s), KTPU_OK));
  cr_assert(all(eq(u64, s.cached_programs, 0), eq(u64, s.allocated, 0), gt(u64, s.peak, 0)));
  ktpu_close(d);
}

/* ---- GEMMs ------------------------------------------------------------------------------------ */

static void fill(int8_t *to, size_t n, unsigned seed)
{
  for (size_t i = 0; i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    to[i] = (int8_t)(seed >> 24);
  }
}

/* Both forms with relu off and on, leading dimensions larger than the shape, against a plain loop. */
static void check_gemm(struct ktpu_device *d, uint32_t m, uint32_t k, uint32_t n)
{
  const size_t lda = k + 3, ldb = n + 1, ldc = n + 2;
  int8_t *a = malloc(m * lda), *b = malloc(k * ldb), *want = malloc((size_t)m * n);
  int32_t *sums = malloc((size_t)m * n * 4), *wide = malloc(m * ldc * 4);
  int8_t *narrow = malloc(m * ldc);
  struct ktpu_result r;
  fill(a, m * lda, m + 1);
  fill(b, k * ldb, n + 2);
  for (int relu = 0; relu < 2; relu++) {
    struct ktpu_gemm g = {.m = m, .k = k, .n = n, .a = a, .b = b, .c = wide, .lda = lda, .ldb = ldb,
                          .ldc = ldc, .form = KTPU_INT32, .relu = relu};
    memset(wide, 0x77, m * ldc * 4);
    memset(narrow, 0x77, m * ldc);
    cr_assert(ktpu_gemm(d, &g, &r) == KTPU_OK, "%ux%ux%u: %s", m, k, n, message_of(d));
    g.form = KTPU_INT8;
    g.c = narrow;
    g.shift = 8;
    cr_assert(ktpu_gemm(d, &g, &r) == KTPU_OK, "%ux%ux%u: %s", m, k, n, message_of(d));
    cr_assert(eq(int, kr_gemm_i8(m, k, n, a, lda, b, ldb, 4, sums, NULL), KT_OK));
    if (relu) kr_relu_i32(sums, (size_t)m * n);
    cr_assert(eq(int, kr_out_i8(m, n, sums, 8, want, n, NULL), KT_OK));
    for (size_t i = 0; i < m; i++) {
      for (size_t j = 0; j < n; j++) {
        cr_assert(wide[i * ldc + j] == sums[i * n + j], "%ux%ux%u [%zu][%zu]", m, k, n, i, j);
        cr_assert(narrow[i * ldc + j] == want[i * n + j], "%ux%ux%u [%zu][%zu]", m, k, n, i, j);
      }
      for (size_t j = n; j < ldc; j++) /* nothing past the caller's N columns */
        cr_assert(wide[i * ldc + j] == 0x77777777 && narrow[i * ldc + j] == 0x77);
    }
  }
  free(a);
  free(b);
  free(want);
  free(sums);
  free(wide);
  free(narrow);
}

Test(host_ref, gemms_of_any_shape_equal_a_plain_loop, .timeout = 120)
{
  static const char *const builds[] = {"ref:int8",  "ref:int8,T=8,BUS=256", "ref:int8,MAXDIM=16,BUS=256",
                                       "ref:ice40", "ref:ecp5-int8",        "ref:int8,T=16,BUS=128"};
  static const uint32_t shapes[][3] = {{1, 1, 1},   {4, 4, 4},    {3, 5, 7},    {64, 64, 64},
                                       {65, 63, 66}, {1, 200, 1}, {130, 1, 129}, {17, 129, 18}};
  const struct ktpu_options noise = {.noise_seed = 3, .memory = 1 << 17};
  for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++) {
    struct ktpu_device *d = must_open(builds[i], &noise);
    for (size_t j = 0; j < sizeof shapes / sizeof shapes[0]; j++)
      check_gemm(d, shapes[j][0], shapes[j][1], shapes[j][2]);
    ktpu_close(d);
  }
}

/* The work is cut over M and N, then over K, as memory gets smaller. */
Test(host_ref, shapes_past_the_memory_are_split, .timeout = 120)
{
  static const uint64_t sizes[] = {256 << 10, 64 << 10, 32 << 10};
  uint32_t programs = 0;
  for (size_t i = 0; i < 3; i++) {
    const struct ktpu_options o = {.memory = sizes[i]};
    struct ktpu_device *d = must_open("ref:int8,MAXDIM=16", &o);
    struct ktpu_stats s;
    check_gemm(d, 90, 1500, 70);
    cr_assert(eq(int, (int)ktpu_stats(d, &s), KTPU_OK));
    cr_assert(gt(u64, s.starts, programs));
    programs = (uint32_t)s.starts;
    ktpu_close(d);
  }
  const struct ktpu_options tiny = {.memory = 8192};
  struct ktpu_device *d = must_open("ref:int8", &tiny);
  int8_t a[1] = {1}, b[1] = {1}, c[1];
  struct ktpu_result r;
  const struct ktpu_gemm g = {.m = 1, .k = 1, .n = 1, .a = a, .b = b, .c = c};
  cr_assert(eq(int, (int)ktpu_gemm(d, &g, &r), KTPU_ENOMEM));
  ktpu_close(d);
}

Test(host_ref, one_program_refuses_what_it_cannot_hold_and_names_the_limit, .timeout = 20)
{
  static const struct {
    uint32_t m, k, n;
    const char *says;
  } cases[] = {{65, 4, 4, "65"}, {4, 65, 4, "65"}, {4, 4, 65, "65"}};
  struct ktpu_device *d = must_open("ref:int8", NULL);
  static int8_t a[65 * 65], b[65 * 65], c[65 * 65];
  struct ktpu_result r;
  struct ktpu_gemm g = {.m = 64, .k = 64, .n = 64, .a = a, .b = b, .c = c, .single_program = 1};
  cr_assert(ktpu_gemm(d, &g, &r) == KTPU_OK, "%s", message_of(d));
  for (size_t i = 0; i < 3; i++) {
    g.m = cases[i].m;
    g.k = cases[i].k;
    g.n = cases[i].n;
    cr_assert(eq(int, (int)ktpu_gemm(d, &g, &r), KTPU_ELIMIT));
    cr_assert(strstr(message_of(d), cases[i].says) != NULL, "%s", message_of(d));
  }
  ktpu_close(d);
}

Test(host_ref, bad_requests_are_refused, .timeout = 5)
{
  struct ktpu_device *d = must_open("ref:int8", NULL);
  int8_t x[16];
  struct ktpu_result r;
  const struct ktpu_gemm good = {.m = 2, .k = 2, .n = 2, .a = x, .b = x, .c = x};
  struct ktpu_gemm bad[] = {good, good, good, good, good, good, good, good};
  bad[0].m = 0;
  bad[1].k = 0;
  bad[2].n = 0;
  bad[3].a = NULL;
  bad[4].lda = 1;
  bad[5].ldc = 1;
  bad[6].shift = 32;
  bad[7].form = (enum ktpu_form)1;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    cr_assert(eq(int, (int)ktpu_gemm(d, &bad[i], &r), KTPU_EINVAL));
  cr_assert(eq(int, (int)ktpu_gemm(NULL, &good, &r), KTPU_EINVAL));
  ktpu_close(d);
}

/* The element's last writer, from the model's trace. */
Test(host_ref, an_element_of_c_is_traced_to_its_instruction, .timeout = 20)
{
  struct ktpu_device *d = must_open("ref:int8", NULL);
  static int8_t a[70 * 70], b[70 * 70], c[70 * 70];
  const struct ktpu_gemm g = {.m = 70, .k = 70, .n = 70, .a = a, .b = b, .c = c};
  struct kd_origin o = {.row = 66, .col = 69};
  cr_assert(eq(int, (int)kd_gemm_locate(d, &g, &o), KTPU_OK));
  cr_assert(o.found);
  cr_assert(all(eq(u32, o.tile_m, 64), eq(u32, o.tile_rows, 6)));
  cr_assert(o.tile_n <= 69 && o.tile_n + o.tile_cols > 69);
  ktpu_close(d);
}

/* ---- faults ----------------------------------------------------------------------------------- */

Test(host_ref, every_fault_has_a_sentence_with_its_numbers, .timeout = 5)
{
  static const struct {
    struct ktpu_fault fault;
    const char *says[3];
  } cases[] = {
      {{.code = KT_FAULT_OPCODE, .argument = 41, .instruction = 7, .descriptor = 3},
       {"instruction 7", "descriptor 3", "opcode 41"}},
      {{.code = KT_FAULT_NR, .argument = 200}, {"nr 200", "127", "sequencer"}},
      {{.code = KT_FAULT_TERM_LEVEL, .sub = 2, .argument = 3}, {"term 2", "level 3", "not open"}},
      {{.code = KT_FAULT_FIELD_RANGE, .sub = 1, .argument = 2048}, {"f1", "2048", "2047"}},
      {{.code = KT_FAULT_UNWRITTEN, .sub = KT_MEM_VR, .argument = 9}, {"vr row 9", "", ""}},
      {{.code = KT_FAULT_HEADER, .sub = KT_HDR_SPM_ROWS, .argument = 100 << 16 | 99},
       {"promises 100", "delivers 99", "spm"}},
      {{.code = KT_FAULT_N_INSTR, .argument = 8}, {"PROG_WORDS 8", "descriptor 0", ""}},
      {{.code = KT_FAULT_ALIGNMENT, .sub = KT_DESC_C, .argument = 0x13}, {"C 0x13", "", ""}},
      {{.code = KT_FAULT_ALIGNMENT, .sub = 16, .argument = 0x13}, {"LIST_ADDR 0x13", "", ""}},
      {{.code = KT_FAULT_AXI_READ, .sub = 3, .argument = 2}, {"DECERR", "A or B", ""}},
      {{.code = KT_FAULT_AXI_WRITE, .sub = 2}, {"SLVERR", "dma_st", ""}},
      {{.code = KT_FAULT_NO_PROGRESS, .sub = 0x42, .argument = 500},
       {"500 cycles", "dma_ld", "dma_st"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct ktpu_fault f = cases[i].fault;
    kd_fault_text(&f);
    for (size_t j = 0; j < 3; j++)
      cr_assert(strstr(f.text, cases[i].says[j]) != NULL, "'%s' lacks '%s'", f.text,
                cases[i].says[j]);
  }
  for (uint32_t code = 1; code <= KT_FAULT_NO_PROGRESS; code++) {
    struct ktpu_fault f = {.code = code};
    kd_fault_text(&f);
    cr_assert(f.text[0] != '\0' && strstr(f.text, "unknown") == NULL, "code %" PRIu32 ": %s", code,
              f.text);
  }
}

/* ---- threads ---------------------------------------------------------------------------------- */

static void *run_gemms(void *device)
{
  for (uint32_t i = 1; i < 12; i++) {
    int8_t a[144], b[144];
    int32_t c[144], want[144];
    struct ktpu_result r;
    fill(a, sizeof a, i);
    fill(b, sizeof b, i + 9);
    const struct ktpu_gemm g = {.m = i, .k = 12, .n = i, .a = a, .b = b, .c = c, .form = KTPU_INT32};
    if (ktpu_gemm(device, &g, &r) != KTPU_OK) return device;
    (void)kr_gemm_i8(i, 12, i, a, 12, b, i, 4, want, NULL);
    if (memcmp(c, want, sizeof *c * i * i) != 0) return device;
  }
  return NULL;
}

Test(host_ref, one_device_serves_several_threads, .timeout = 30)
{
  struct ktpu_device *d = must_open("ref:int8", NULL);
  pthread_t t[4];
  for (int i = 0; i < 4; i++) cr_assert(eq(int, pthread_create(&t[i], NULL, run_gemms, d), 0));
  for (int i = 0; i < 4; i++) {
    void *bad;
    pthread_join(t[i], &bad);
    cr_assert(bad == NULL);
  }
  ktpu_close(d);
}

/* ---- variants --------------------------------------------------------------------------------- */

Test(host_ref, a_variant_is_named_after_its_parameters_and_back, .timeout = 5)
{
  static const char *const builds[][2] = {
      {"int8", "T4-MAXDIM64-BUS64"},
      {"int8,T=8,BUS=256", "T8-MAXDIM64-BUS256"},
      {"ice40", "T4-MAXDIM16-BUS64-QD2-OUTSTANDING8-CONTRACTS0-STRIDES0-COUNTERS0-SERIAL_SHIFT1-"
                "ADDR_BITS17"},
      {"int8,IMEM=200", "T4-MAXDIM64-BUS64-IMEM_SIZE200"},
  };
  for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++) {
    struct kt_params p, again;
    char name[KD_VARIANT_MAX], text[KD_VARIANT_MAX], wave[KD_VARIANT_MAX + 8];
    struct kt_msg msg = {{0}};
    cr_assert(kt_params_parse(&p, builds[i][0], &msg) == KT_OK, "%s", msg.text);
    cr_assert(eq(int, kd_variant_name(&p, name, sizeof name, &msg), KT_OK));
    cr_assert(eq(str, name, (char *)builds[i][1]));
    snprintf(wave, sizeof wave, "%s-FST", name);
    cr_assert(kd_variant_params(wave, text, sizeof text, &msg) == KT_OK, "%s", msg.text);
    cr_assert(kt_params_parse(&again, text, &msg) == KT_OK, "%s: %s", text, msg.text);
    cr_assert(eq(u32, kt_params_hash(&again), kt_params_hash(&p)));
  }
  char text[KD_VARIANT_MAX];
  cr_assert(eq(int, kd_variant_params("T4-FST-BUS64", text, sizeof text, NULL), KT_EPARSE));
  cr_assert(eq(int, kd_variant_params("T4-64", text, sizeof text, NULL), KT_EPARSE));
}
