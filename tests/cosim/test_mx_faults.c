/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong ends in the same fault on the Verilog and on the machine model: code, field,
 * argument, instruction; after each a correct GEMM is bit-exact in its normal cycles.
 */
#include "support/mx_cosim.h"

#include "compiler/unit/kc_mx_unit.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { A_AT = 0x1000, B_AT = 0x9000, C_AT = 0x12000 };

static struct criterion_test_params builds_as_params(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = mx_cosim_builds(names);
  char *params = cr_malloc(n * BENCH_NAME);
  memcpy(params, names, n * BENCH_NAME);
  return cr_make_param_array(char[BENCH_NAME], params, n, NULL);
}

/* A small correct program: two groups by two blocks each, one fused DRAIN, one GEMM. */
static const struct kc_mx_op good[] = {
    {.opcode = KT_MX_OP_FILL,
     .as.fill = {.side = 0, .preq = 1, .addr = A_AT, .groups = 2, .blocks = 2, .group_stride = 256,
                 .block_stride = 128, .real_lanes = 8, .real_depth = 64, .pitch = 2}},
    {.opcode = KT_MX_OP_FILL,
     .as.fill = {.side = 1, .preq = 0, .addr = B_AT, .groups = 2, .blocks = 2, .group_stride = 512,
                 .block_stride = 64, .lane_stride = 128, .real_lanes = 8, .real_depth = 64,
                 .pitch = 2}},
    {.opcode = KT_MX_OP_DRAIN,
     .as.drain = {.fused = 1, .addr = C_AT, .rows = 2, .columns = 2, .stride = 64}},
    {.opcode = KT_MX_OP_GEMM,
     .as.gemm = {.emit = 1, .gm = 2, .gn = 2, .nk = 2, .a_pitch = 2, .b_pitch = 2}},
};
enum { GOOD = sizeof good / sizeof good[0] };

static void fill_memory(struct mx_pair *pair)
{
  struct bench_rng r = {5};
  uint8_t bytes[1 << 17];
  bench_noise(&r, bytes, sizeof bytes);
  for (size_t i = 1; i < sizeof bytes; i += 2) bytes[i] &= 0xbf; /* neither Inf nor NaN */
  cr_assert_eq(ktpu_write(pair->sim, 0, bytes, sizeof bytes), KTPU_OK);
  cr_assert_eq(ktpu_write(pair->ref, 0, bytes, sizeof bytes), KTPU_OK);
}

static void same_memory(struct mx_pair *pair, const char *what)
{
  static uint8_t sim[1 << 17], ref[1 << 17];
  cr_assert_eq(ktpu_read(pair->sim, 0, sim, sizeof sim), KTPU_OK);
  cr_assert_eq(ktpu_read(pair->ref, 0, ref, sizeof ref), KTPU_OK);
  for (size_t i = 0; i < sizeof sim; i++)
    cr_assert_eq(sim[i], ref[i], "%s: byte 0x%zx is %02x, the model has %02x", what, i, sim[i],
                 ref[i]);
}

/* Runs on both; the outcomes must agree, except the raw totals of a run that was cut off. */
static struct mx_outcome both(struct mx_pair *pair, const struct kc_mx_round *round,
                              const char *what)
{
  struct mx_outcome sim, ref;
  mx_cosim_round(pair->sim, round, &sim);
  mx_cosim_round(pair->ref, round, &ref);
  if (sim.fault != 0 && ref.fault != 0) {
    memcpy(sim.raw, ref.raw, sizeof sim.raw);
    sim.completed = ref.completed;
    sim.command = ref.command;
  }
  cr_assert_eq(memcmp(&sim, &ref, sizeof sim), 0, "%s:\n  %s\n  model: %s", what,
               mx_outcome_text(&sim), mx_outcome_text(&ref));
  return sim;
}

static void program_of(const struct kc_mx_op *ops, size_t n, struct kt_mx_flit *flits)
{
  for (size_t i = 0; i < n; i++) cr_assert_eq(kc_mx_pack(&ops[i], &flits[i]), KT_OK);
}

static void as_round(const struct mx_pair *pair, const struct kt_mx_flit *flits, uint32_t n,
                     struct kc_mx_program *program)
{
  const struct kc_mx_kick kick = {0, n, false};
  struct kt_msg msg = {{0}};
  *program = (struct kc_mx_program){0};
  cr_assert_eq(kc_mx_round_add(program, &pair->p, flits, n, &kick, 1, &msg), KT_OK, "%s", msg.text);
}

static uint64_t run_good(struct mx_pair *pair, const char *after)
{
  struct kt_mx_flit flits[GOOD];
  struct kc_mx_program program;
  uint32_t cycles;
  program_of(good, GOOD, flits);
  as_round(pair, flits, GOOD, &program);
  const struct mx_outcome o = both(pair, &program.rounds[0], after);
  cr_assert_eq(o.fault, 0, "a correct program after %s: %s", after, mx_outcome_text(&o));
  cr_assert_eq(ktpu_register_read(pair->sim, KT_MX_REG_CYCLES_LO, &cycles), KTPU_OK);
  same_memory(pair, after);
  kc_mx_program_free(&program);
  return cycles;
}

ParameterizedTestParameters(cosim_mx_faults, every_field_beyond_its_range_is_named)
{
  return builds_as_params();
}

/* Each field of each instruction at min - 1, max + 1 and off its multiple, and bits of no field. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx_faults,
                  every_field_beyond_its_range_is_named, .timeout = 600)
{
  static const uint32_t places[] = {0, 2, 3};
  struct mx_pair pair;
  unsigned faults = 0;
  mx_cosim_open(&pair, *build, NULL);
  fill_memory(&pair);
  const uint64_t cycles = run_good(&pair, "nothing");
  for (size_t i = 0; i < 3; i++) {
    const uint32_t at = places[i];
    const struct kt_mx_insn *in = kt_mx_find(good[at].opcode);
    for (uint32_t f = in->first; f < in->first + in->n_fields; f++) {
      const struct kt_mx_field *field = kt_mx_field(f, NULL);
      const uint32_t all = field->bits == 32 ? UINT32_MAX : (UINT32_C(1) << field->bits) - 1;
      const uint32_t values[] = {field->min - 1, field->max + 1, field->multiple / 2};
      for (size_t v = 0; v < 3; v++) {
        struct kt_mx_flit flits[GOOD];
        struct kc_mx_program program;
        char what[96];
        if (values[v] > all || (values[v] >= field->min && values[v] <= field->max &&
                                values[v] % field->multiple == 0))
          continue;
        program_of(good, GOOD, flits);
        kt_mx_set(&flits[at], f, values[v]);
        snprintf(what, sizeof what, "%s %s = %" PRIu32, in->name, field->name, values[v]);
        as_round(&pair, flits, GOOD, &program);
        const struct mx_outcome o = both(&pair, &program.rounds[0], what);
        cr_assert_eq(o.fault & 0xffff, KT_MX_FAULT_FIELD | f << 8, "%s: %s", what,
                     mx_outcome_text(&o));
        cr_assert(o.arg == values[v] && o.instr == at, "%s: %s", what, mx_outcome_text(&o));
        kc_mx_program_free(&program);
        cr_assert_eq(run_good(&pair, what), cycles, "cycles after %s", what);
        faults++;
      }
    }
  }
  cr_assert_gt(faults, 20);
  mx_cosim_close(&pair);
}

struct bad {
  const char *what;
  uint32_t at, field, value; /* of good[at] */
  uint32_t field2, value2;   /* NONE: one change only */
  uint32_t code;
};
enum { NONE = 255 };

ParameterizedTestParameters(cosim_mx_faults, spans_and_contents_are_checked)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx_faults, spans_and_contents_are_checked,
                  .timeout = 600)
{
  struct mx_pair pair;
  mx_cosim_open(&pair, *build, NULL);
  fill_memory(&pair);
  const uint64_t cycles = run_good(&pair, "nothing");
  const uint32_t bank = pair.p.l1_entries / 2;
  const struct bad list[] = {
      {"an unknown opcode", 0, NONE, 9, NONE, 0, KT_MX_FAULT_OPCODE},
      {"opcode 0", 3, NONE, 0, NONE, 0, KT_MX_FAULT_OPCODE},
      {"FILL past its bank", 0, KT_MX_FIELD_FILL_OFFSET, bank - 3, NONE, 0, KT_MX_FAULT_L1_SPAN},
      {"FILL with a short pitch", 1, KT_MX_FIELD_FILL_PITCH, 1, NONE, 0, KT_MX_FAULT_PITCH},
      {"GEMM past A's bank", 3, KT_MX_FIELD_GEMM_A_OFFSET, bank - 3, NONE, 0, KT_MX_FAULT_L1_SPAN},
      {"GEMM past B's bank", 3, KT_MX_FIELD_GEMM_B_OFFSET, bank - 2, NONE, 0, KT_MX_FAULT_L1_SPAN},
      {"GEMM with a short pitch of A", 3, KT_MX_FIELD_GEMM_A_PITCH, 1, NONE, 0, KT_MX_FAULT_PITCH},
      {"GEMM past the tile", 3, KT_MX_FIELD_GEMM_TILE, pair.p.tiles - 3, NONE, 0,
       KT_MX_FAULT_TILE_SPAN},
      {"an entry that nothing filled", 3, KT_MX_FIELD_GEMM_A_OFFSET, 1, NONE, 0,
       KT_MX_FAULT_L1_EMPTY},
      {"the other bank", 3, KT_MX_FIELD_GEMM_B_BANK, 1, NONE, 0, KT_MX_FAULT_L1_EMPTY},
      {"a tile word that nothing wrote", 3, KT_MX_FIELD_GEMM_ACC, 1, NONE, 0,
       KT_MX_FAULT_TILE_EMPTY},
      {"a plain DRAIN of nothing", 2, KT_MX_FIELD_DRAIN_FUSED, 0, NONE, 0, KT_MX_FAULT_TILE_EMPTY},
      {"more emitted than armed", 2, KT_MX_FIELD_DRAIN_ROWS, 1, NONE, 0, KT_MX_FAULT_NOT_ARMED},
      {"less emitted than armed", 2, KT_MX_FIELD_DRAIN_ROWS, 3, NONE, 0, KT_MX_FAULT_UNDRAINED},
      {"a FILL past memory", 0, KT_MX_FIELD_FILL_ADDR, (4u << 20) - 128, NONE, 0,
       KT_MX_FAULT_MEMORY},
      {"a FILL at the top of addresses", 1, KT_MX_FIELD_FILL_ADDR, 0xffffffe0u, NONE, 0,
       KT_MX_FAULT_MEMORY},
      {"a DRAIN past memory", 2, KT_MX_FIELD_DRAIN_ADDR, 4u << 20, NONE, 0, KT_MX_FAULT_MEMORY},
  };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    const struct bad *b = &list[i];
    struct kt_mx_flit flits[GOOD];
    struct kc_mx_program program;
    program_of(good, GOOD, flits);
    if (b->field == NONE)
      flits[b->at].word[0] = (flits[b->at].word[0] & ~UINT32_C(0xff)) | b->value;
    else
      kt_mx_set(&flits[b->at], b->field, b->value);
    as_round(&pair, flits, GOOD, &program);
    const struct mx_outcome o = both(&pair, &program.rounds[0], b->what);
    cr_assert_eq(o.fault & 0xff, b->code, "%s: %s", b->what, mx_outcome_text(&o));
    kc_mx_program_free(&program);
    cr_assert_eq(run_good(&pair, b->what), cycles, "cycles after %s", b->what);
  }
  mx_cosim_close(&pair);
}

ParameterizedTestParameters(cosim_mx_faults, commands_are_checked)
{
  return builds_as_params();
}

struct script {
  const char *what;
  uint32_t words[6][4];
  uint32_t n, code;
};

ParameterizedTest(char (*build)[BENCH_NAME], cosim_mx_faults, commands_are_checked, .timeout = 300)
{
  struct mx_pair pair;
  mx_cosim_open(&pair, *build, NULL);
  fill_memory(&pair);
  const uint64_t cycles = run_good(&pair, "nothing");
  enum { BASE = KT_MX_REG_NODE, LENGTH = BASE + 4, CREDIT = BASE + 8, KICK = BASE + 12 };
  const struct script list[] = {
      {"no such command", {{9, 0, 0, 0}}, 1, KT_MX_FAULT_COMMAND},
      {"a register that no command writes", {{KT_MX_CMD_WRITE, KT_MX_REG_WATCHDOG, 1, 0}}, 1,
       KT_MX_FAULT_REGISTER},
      {"no register", {{KT_MX_CMD_POLL, 0x7fc, 1, 1}}, 1, KT_MX_FAULT_REGISTER},
      {"a kick of nothing", {{KT_MX_CMD_WRITE, LENGTH, 0, 0}, {KT_MX_CMD_WRITE, KICK, 1, 0}}, 2,
       KT_MX_FAULT_STAGED},
      {"a kick past the staging RAM",
       {{KT_MX_CMD_WRITE, BASE, pair.p.staging - 1, 0}, {KT_MX_CMD_WRITE, LENGTH, 2, 0},
        {KT_MX_CMD_WRITE, KICK, 1, 0}}, 3, KT_MX_FAULT_STAGED},
      {"more credit than the FIFO holds", {{KT_MX_CMD_WRITE, CREDIT, pair.p.ififo + 1, 0}}, 1,
       KT_MX_FAULT_CREDIT},
  };
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
    struct kc_mx_command commands[7] = {0};
    const struct kc_mx_round round = {NULL, 0, commands, list[i].n + 1};
    for (uint32_t k = 0; k < list[i].n; k++)
      memcpy(commands[k].word, list[i].words[k], sizeof commands[k].word);
    commands[list[i].n].word[0] = KT_MX_CMD_DONE;
    const struct mx_outcome o = both(&pair, &round, list[i].what);
    cr_assert_eq(o.fault & 0xff, list[i].code, "%s: %s", list[i].what, mx_outcome_text(&o));
    cr_assert_eq(run_good(&pair, list[i].what), cycles, "cycles after %s", list[i].what);
  }
  mx_cosim_close(&pair);
}
