/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of QUANTISE on the machine model: any operand, cut into instructions and rounds, against
 * the packed operand of the reference; refusals.
 */
#include "compiler/schedule/kc_mx_quantise.h"
#include "spec/model/kr_mxentry.h"
#include "tests/support/mx_bench.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void convert(const char *machine, uint32_t lanes, uint32_t k, size_t rounds_at_least)
{
  struct kt_mx_params p;
  struct kt_msg msg = {{0}};
  struct kc_mx_program program;
  struct kr_mx_operand op;
  struct kc_mx_conversion c = {.lanes = lanes, .k = k, .from = {KC_MX_ROWS, 64, 0},
                               .to = {KC_MX_ENTRIES, 0, 0}};
  const uint64_t raw = kc_mx_operand_bytes(KC_MX_ROWS, lanes, k, &c.from.stride);
  const uint64_t packed = kc_mx_operand_bytes(KC_MX_ENTRIES, lanes, k, &c.to.stride);
  c.to.addr = (uint32_t)(64 + (raw + 31) / 32 * 32);
  const uint64_t size = (c.to.addr + packed + 63) / 32 * 32;
  uint8_t *memory = calloc(1, size), *want = calloc(1, packed);
  uint16_t *x = malloc((size_t)lanes * k * 2);

  cr_assert_eq(kt_mx_params_parse(&p, machine, NULL), KT_OK);
  for (size_t i = 0; i < (size_t)lanes * k; i++) x[i] = (uint16_t)(i * 40503u & 0xbbff);
  for (uint32_t l = 0; l < lanes; l++)
    for (uint32_t i = 0; i < k; i++) {
      memory[64 + (size_t)l * c.from.stride + 2 * i] = (uint8_t)x[(size_t)l * k + i];
      memory[65 + (size_t)l * c.from.stride + 2 * i] = (uint8_t)(x[(size_t)l * k + i] >> 8);
    }
  cr_assert_eq(kr_mx_pack(lanes, k, x, k, 1, &op, NULL), KT_OK);
  kr_mx_entries(&op, want);
  cr_assert_eq(kc_mx_quantise_emit(&p, &c, &program, &msg), KT_OK, "%s", msg.text);
  cr_assert_geq(program.n_rounds, rounds_at_least);
  struct kr_mxmach *m = kr_mxmach_new(&p);
  kr_mxmach_memory(m, memory, size);
  for (size_t i = 0; i < program.n_rounds; i++) {
    cr_assert_eq(mx_bench_round(m, &program.rounds[i], &msg), KT_OK, "%s", msg.text);
    cr_assert_eq(kr_mxmach_read(m, KT_MX_REG_STATUS), 2);
  }
  cr_assert_eq(memcmp(memory + c.to.addr, want, packed), 0, "%u x %u", lanes, k);
  kr_mxmach_free(m);
  kr_mx_free(&op);
  kc_mx_program_free(&program);
  free(memory);
  free(want);
  free(x);
}

Test(mx_quantise, any_operand_becomes_its_entries, .timeout = 60)
{
  convert("sim1", 1, 1, 1);
  convert("sim1", 4, 32, 1);
  convert("sim1", 5, 31, 1);
  convert("sim1", 7, 8200, 1);  /* more blocks than one instruction takes */
  convert("sim1", 1030, 33, 1); /* more groups */
  convert("sim1,STAGING=64,COMMANDS=32,IFIFO=8", 1, 560000, 2); /* more instructions than a round */
}

Test(mx_quantise, what_cannot_be_is_refused, .timeout = 5)
{
  struct kt_mx_params p;
  struct kc_mx_program program;
  struct kt_msg msg;
  const struct kc_mx_conversion good = {.lanes = 4, .k = 64, .from = {KC_MX_ROWS, 0, 128},
                                        .to = {KC_MX_ENTRIES, 4096, 256}};
  struct kc_mx_conversion c[6] = {good, good, good, good, good, good};
  cr_assert_eq(kt_mx_params_parse(&p, "sim1", NULL), KT_OK);
  c[0].lanes = 0, c[1].k = 0, c[2].from.stride = 96, c[3].to.stride = 128, c[4].to.addr = 16;
  c[5].from.form = KC_MX_SUBTILES;
  for (size_t i = 0; i < 6; i++) {
    cr_assert_eq(kc_mx_quantise_emit(&p, &c[i], &program, &msg), KT_EINVAL, "case %zu", i);
    cr_assert_eq(program.n_rounds, 0);
  }
}
