/* SPDX-License-Identifier: Apache-2.0
 *
 * QUANTISE on the Verilog, on the machine model and by the tensor's reference: every byte of memory,
 * under any timing; what it must wait for; what it must refuse.
 */
#include "support/mx_cosim.h"

#include "compiler/unit/kc_mx_unit.h"
#include "spec/model/kr_mxentry.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 18, FROM = 0x1000, TO = 0x20000, A_AT = 0x1000, C_AT = 0x30000 };

static struct criterion_test_params builds_as_params(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = mx_cosim_builds(names);
  char *params = cr_malloc(n * BENCH_NAME);
  memcpy(params, names, n * BENCH_NAME);
  return cr_make_param_array(char[BENCH_NAME], params, n, NULL);
}

static uint8_t memory[BYTES], got[BYTES], want[BYTES];

/* Any binary16, an Inf or NaN now and then; both machines get the same. */
static void fill_memory(struct mx_pair *pair, struct bench_rng *r)
{
  bench_noise(r, memory, sizeof memory);
  for (size_t i = 1; i < sizeof memory; i += 2)
    if ((memory[i] & 0x7c) == 0x7c && bench_next(r) % 64 != 0) memory[i] &= 0xbf;
  cr_assert_eq(ktpu_write(pair->sim, 0, memory, sizeof memory), KTPU_OK);
  cr_assert_eq(ktpu_write(pair->ref, 0, memory, sizeof memory), KTPU_OK);
}

static void same_memory(struct mx_pair *pair, const char *what)
{
  cr_assert_eq(ktpu_read(pair->sim, 0, got, sizeof got), KTPU_OK);
  cr_assert_eq(ktpu_read(pair->ref, 0, want, sizeof want), KTPU_OK);
  for (size_t i = 0; i < sizeof got; i++)
    cr_assert_eq(got[i], want[i], "%s: byte 0x%zx is %02x, the model has %02x", what, i, got[i],
                 want[i]);
}

/* Runs the instructions on both; all of the outcome must agree. */
static struct mx_outcome both(struct mx_pair *pair, const struct kc_mx_op *ops, uint32_t n,
                              const char *what)
{
  struct kt_mx_flit flits[8];
  const struct kc_mx_kick kick = {0, n, false};
  struct kc_mx_program program = {0};
  struct mx_outcome sim, ref;
  struct kt_msg msg = {{0}};
  for (uint32_t i = 0; i < n; i++) cr_assert_eq(kc_mx_pack(&ops[i], &flits[i]), KT_OK);
  cr_assert_eq(kc_mx_round_add(&program, &pair->p, flits, n, &kick, 1, &msg), KT_OK, "%s", msg.text);
  mx_cosim_round(pair->sim, &program.rounds[0], &sim);
  mx_cosim_round(pair->ref, &program.rounds[0], &ref);
  if (sim.fault != 0 && ref.fault != 0) {
    memcpy(sim.raw, ref.raw, sizeof sim.raw);
    sim.completed = ref.completed;
    sim.command = ref.command;
  }
  cr_assert_eq(memcmp(&sim, &ref, sizeof sim), 0, "%s:\n  %s\n  model: %s", what,
               mx_outcome_text(&sim), mx_outcome_text(&ref));
  kc_mx_program_free(&program);
  return sim;
}

static struct kc_mx_op rows(uint32_t groups, uint32_t blocks, uint32_t lanes, uint32_t depth)
{
  return (struct kc_mx_op){.opcode = KT_MX_OP_QUANTISE,
                           .as.quantise = {.pitch = blocks, .addr = FROM, .groups = groups,
                                           .blocks = blocks, .lane_stride = 64 * blocks,
                                           .group_stride = 256 * blocks, .block_stride = 64,
                                           .real_lanes = lanes, .real_depth = depth, .to = TO}};
}

ParameterizedTestParameters(cosim_mx_quantise, rows_become_the_entries_of_the_reference)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx_quantise,
                  rows_become_the_entries_of_the_reference, .timeout = 300)
{
  static const uint32_t shapes[][2] = {{1, 1}, {4, 32}, {5, 33}, {64, 64}, {7, 300}, {33, 257}};
  static const struct ktpu_options timings[] = {
      {.latency = 0}, {.latency = 50}, {.latency = 3, .stall_seed = 6, .power_seed = 3}};
  for (size_t t = 0; t < 3; t++) {
    struct mx_pair pair;
    struct bench_rng r = {bench_seed() + t};
    mx_cosim_open(&pair, *build, &timings[t]);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
      const uint32_t lanes = shapes[i][0], k = shapes[i][1];
      const uint32_t groups = (lanes + 3) / 4, blocks = (k + 31) / 32;
      const struct kc_mx_op op = rows(groups, blocks, lanes, k);
      uint8_t *image = calloc(1, (size_t)groups * blocks * KT_MX_ENTRY_BYTES);
      char what[48];
      snprintf(what, sizeof what, "%" PRIu32 " lanes of %" PRIu32, lanes, k);
      fill_memory(&pair, &r);
      cr_assert_eq(both(&pair, &op, 1, what).fault, 0, "%s", what);
      same_memory(&pair, what);
      uint16_t *x = malloc((size_t)lanes * blocks * 64);
      for (uint32_t l = 0; l < lanes; l++)
        for (uint32_t e = 0; e < blocks * 32; e++) {
          const uint8_t *at = memory + FROM + (size_t)l * 64 * blocks + 2 * (size_t)e;
          x[l * blocks * 32 + e] = (uint16_t)(at[0] | at[1] << 8);
        }
      struct kr_mx_operand op_want;
      cr_assert_eq(kr_mx_pack(lanes, k, x, blocks * 32, 1, &op_want, NULL), KT_OK);
      kr_mx_entries(&op_want, image);
      kr_mx_free(&op_want);
      cr_assert_eq(memcmp(got + TO, image, (size_t)groups * blocks * KT_MX_ENTRY_BYTES), 0, "%s",
                   what);
      free(image);
      free(x);
    }
    mx_cosim_close(&pair);
  }
}

ParameterizedTestParameters(cosim_mx_quantise, any_fields_do_what_the_model_does)
{
  return builds_as_params();
}

/* Random layouts, strides, pitches and places; nothing outside the entries changes. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx_quantise, any_fields_do_what_the_model_does,
                  .timeout = 300)
{
  const struct ktpu_options stalls = {.latency = 11, .stall_seed = 4};
  struct mx_pair pair;
  struct bench_rng r = {bench_seed() + 77};
  mx_cosim_open(&pair, *build, &stalls);
  for (unsigned i = 0; i < 40; i++) {
    const uint32_t groups = 1 + (uint32_t)(bench_next(&r) % 6), blocks = 1 + (uint32_t)(bench_next(&r) % 6);
    struct kc_mx_op op = rows(groups, blocks, 1 + (uint32_t)(bench_next(&r) % (4 * groups + 2)),
                              1 + (uint32_t)(bench_next(&r) % (32 * blocks + 9)));
    op.as.quantise.layout = (uint32_t)(bench_next(&r) % 2);
    op.as.quantise.pitch = blocks + (uint32_t)(bench_next(&r) % 3);
    op.as.quantise.lane_stride = 32 * (uint32_t)(bench_next(&r) % 40);
    op.as.quantise.group_stride = 32 * (uint32_t)(bench_next(&r) % 60);
    op.as.quantise.block_stride = bench_next(&r) % 3 == 0 ? 256 : 32 * (uint32_t)(bench_next(&r) % 30);
    op.as.quantise.to = TO + 32 * (uint32_t)(bench_next(&r) % 500);
    fill_memory(&pair, &r);
    cr_assert_eq(both(&pair, &op, 1, "random fields").fault, 0);
    same_memory(&pair, "random fields");
  }
  mx_cosim_close(&pair);
}

ParameterizedTestParameters(cosim_mx_quantise, it_waits_and_is_waited_for)
{
  return builds_as_params();
}

/* A result is drained, quantised where it lies, filled from there and drained again: in one kick and
 * without a POLL. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx_quantise, it_waits_and_is_waited_for,
                  .timeout = 300)
{
  static const struct ktpu_options timings[] = {{.latency = 0}, {.latency = 60},
                                                {.latency = 5, .stall_seed = 9}};
  const struct kc_mx_fill fill = {.side = 0, .addr = A_AT, .groups = 2, .blocks = 1,
                                  .group_stride = 256, .block_stride = 64, .lane_stride = 64,
                                  .real_lanes = 8, .real_depth = 32, .pitch = 2};
  struct kc_mx_fill other = fill, again = fill;
  other.side = 1, other.addr = A_AT + 512, other.groups = 8, other.pitch = 8, other.real_lanes = 32;
  again.preq = 1, again.addr = TO, again.group_stride = 128, again.block_stride = 128;
  const struct kc_mx_op ops[] = {
      {.opcode = KT_MX_OP_FILL, .as.fill = fill},
      {.opcode = KT_MX_OP_FILL, .as.fill = other},
      {.opcode = KT_MX_OP_DRAIN,
       .as.drain = {.fused = 1, .addr = C_AT, .rows = 2, .columns = 8, .stride = 256}},
      {.opcode = KT_MX_OP_GEMM,
       .as.gemm = {.emit = 1, .gm = 2, .gn = 8, .nk = 1, .a_pitch = 2, .b_pitch = 8}},
      {.opcode = KT_MX_OP_QUANTISE, /* 8 lanes of 32: two groups, C's rows, as sub-tiles */
       .as.quantise = {.layout = 1, .pitch = 1, .addr = C_AT, .groups = 2, .blocks = 1,
                       .group_stride = 256, .block_stride = 256, .real_lanes = 8, .real_depth = 32,
                       .to = TO}},
      {.opcode = KT_MX_OP_FILL, .as.fill = again},
      {.opcode = KT_MX_OP_GEMM,
       .as.gemm = {.gm = 2, .gn = 8, .nk = 1, .a_pitch = 2, .b_pitch = 8}},
      {.opcode = KT_MX_OP_DRAIN,
       .as.drain = {.dtype = 1, .addr = C_AT + 0x1000, .rows = 2, .columns = 8, .stride = 512}},
  };
  for (size_t t = 0; t < 3; t++) {
    struct mx_pair pair;
    struct bench_rng r = {bench_seed() + 5};
    mx_cosim_open(&pair, *build, &timings[t]);
    fill_memory(&pair, &r);
    cr_assert_eq(both(&pair, ops, 8, "a chain").fault, 0);
    same_memory(&pair, "a chain");
    cr_assert_neq(memcmp(got + C_AT + 0x1000, memory + C_AT + 0x1000, 1024), 0);
    mx_cosim_close(&pair);
  }
}

static uint32_t cycles_of(struct mx_pair *pair, const struct kc_mx_op *ops, uint32_t n)
{
  uint32_t cycles;
  cr_assert_eq(both(pair, ops, n, "timed").fault, 0);
  cr_assert_eq(ktpu_register_read(pair->sim, KT_MX_REG_CYCLES_LO, &cycles), KTPU_OK);
  return cycles;
}

/* A FILL behind it asks for its first beat after the answer to the last write, not before: it costs
 * the whole latency on top. */
Test(cosim_mx_quantise, nothing_starts_before_its_last_answer, .timeout = 60)
{
  enum { LATENCY = 200 };
  const struct ktpu_options slow = {.latency = LATENCY};
  const struct kc_mx_op ops[] = {
      rows(2, 2, 8, 64),
      {.opcode = KT_MX_OP_FILL,
       .as.fill = {.preq = 1, .addr = TO, .groups = 1, .blocks = 1, .real_lanes = 4,
                   .real_depth = 32, .pitch = 1}}};
  char names[BENCH_BUILDS][BENCH_NAME];
  struct mx_pair pair;
  struct bench_rng r = {bench_seed()};
  cr_assert_gt(mx_cosim_builds(names), 0);
  mx_cosim_open(&pair, names[0], &slow);
  fill_memory(&pair, &r);
  const uint32_t alone = cycles_of(&pair, ops, 1), with_fill = cycles_of(&pair, ops, 2);
  cr_assert_geq(alone, 2 * LATENCY);
  cr_assert_geq(with_fill, alone + LATENCY, "%" PRIu32 " and %" PRIu32 " cycles", alone, with_fill);
  mx_cosim_close(&pair);
}

ParameterizedTestParameters(cosim_mx_quantise, faults_are_told_apart)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx_quantise, faults_are_told_apart,
                  .timeout = 300)
{
  struct mx_pair pair;
  struct bench_rng r = {bench_seed()};
  const struct kc_mx_op good = rows(2, 2, 8, 64);
  const struct kc_mx_op armed = {.opcode = KT_MX_OP_DRAIN,
                                 .as.drain = {.fused = 1, .addr = C_AT, .rows = 3, .columns = 2}};
  mx_cosim_open(&pair, *build, NULL);
  fill_memory(&pair, &r);

  struct kc_mx_op bad = good;
  bad.as.quantise.pitch = 1;
  cr_assert_eq(both(&pair, &bad, 1, "a short pitch").fault & 0xff, KT_MX_FAULT_PITCH);
  bad = good;
  bad.as.quantise.addr = 4u << 20;
  cr_assert_eq(both(&pair, &bad, 1, "read past memory").fault & 0xff, KT_MX_FAULT_MEMORY);
  bad = good;
  bad.as.quantise.to = (4u << 20) - 96;
  struct mx_outcome o = both(&pair, &bad, 1, "written past memory");
  cr_assert_eq(o.fault & 0xff, KT_MX_FAULT_MEMORY);
  cr_assert_eq(o.arg, 4u << 20);
  bad.as.quantise.to = 0xffffffe0u;
  cr_assert_eq(both(&pair, &bad, 1, "written past 4 GiB").fault & 0xff, KT_MX_FAULT_MEMORY);
  const struct kc_mx_op behind[] = {armed, good};
  o = both(&pair, behind, 2, "behind a DRAIN that waits");
  cr_assert_eq(o.fault & 0xff, KT_MX_FAULT_UNDRAINED);
  cr_assert_eq(o.arg, 6);
  cr_assert_eq(both(&pair, &good, 1, "a correct one afterwards").fault, 0);
  same_memory(&pair, "a correct one afterwards");
  mx_cosim_close(&pair);
}
