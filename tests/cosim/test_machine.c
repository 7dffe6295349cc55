/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine's edges, on every tested build: descriptors it must refuse, error responses and
 * silence of its memory, watchdog, resets, starts while busy, registers.
 */
#include "compiler/fuzz/kc_fuzz.h"
#include "compiler/unit/kc_gemm.h"
#include "cosim/ks_client.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/cosim_bench.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/parameterized.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static struct criterion_test_params builds_as_params(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  char *params = cr_malloc(n * BENCH_NAME);
  memcpy(params, names, n * BENCH_NAME);
  return cr_make_param_array(char[BENCH_NAME], params, n, NULL);
}

/* A whole product of 4 x 4 x 4 on both devices, and room for what it needs. */
struct scene {
  struct bench_pair pair;
  struct kc_program program;
  int8_t *a, *b;
  uint8_t *got, *want;
  size_t bytes;
};

static void scene_begin(struct scene *x, const char *build, const struct ktpu_options *o)
{
  struct kt_msg msg = {{0}};
  bench_open(&x->pair, build, o);
  const size_t operand = (size_t)x->pair.p.maxdim * x->pair.p.maxdim;
  const struct kc_slab slab = {.m = 4, .k = 4, .n = 4, .first = true, .last = true};
  struct bench_rng rng = {7};
  cr_assert(kc_gemm_slab(&x->pair.p, &slab, &x->program, &msg) == KT_OK, "%s", msg.text);
  x->bytes = bench_c_bytes(&x->pair.p);
  x->a = malloc(operand);
  x->b = malloc(operand);
  x->got = malloc(x->bytes);
  x->want = malloc(x->bytes);
  bench_noise(&rng, x->a, operand);
  bench_noise(&rng, x->b, operand);
  memset(x->got, 0x11, x->bytes);
  memset(x->want, 0x11, x->bytes);
}

static void scene_end(struct scene *x)
{
  kc_program_free(&x->program);
  free(x->a);
  free(x->b);
  free(x->got);
  free(x->want);
  bench_close(&x->pair);
}

static struct bench_step plain_step(const struct scene *x)
{
  return (struct bench_step){.words = x->program.words, .n_words = x->program.n_words};
}

static enum ktpu_status run_on(struct ktpu_device *d, struct scene *x, struct bench_list *l,
                               struct ktpu_result *r)
{
  l->a = x->a;
  l->b = x->b;
  l->c = d == x->pair.sim ? x->got : x->want;
  return bench_run(d, l, r);
}

static void expect_good_run(struct scene *x, const char *build, const char *after)
{
  struct bench_list l = {.step = {plain_step(x)}, .n = 1};
  struct ktpu_result r, want;
  struct ktpu_message m;
  char text[400];
  const enum ktpu_status st = run_on(x->pair.sim, x, &l, &r);
  ktpu_message(x->pair.sim, &m);
  cr_assert(st == KTPU_OK, "%s: after %s: %s: %s", build, after, ktpu_strerror(st), m.text);
  cr_assert(eq(int, (int)run_on(x->pair.ref, x, &l, &want), KTPU_OK));
  bench_difference(&r, &want, text, sizeof text);
  cr_assert(text[0] == '\0', "%s: after %s: %s", build, after, text);
  cr_assert(memcmp(x->got, x->want, x->bytes) == 0, "%s: after %s: C differs", build, after);
}

/* ---- descriptors ------------------------------------------------------------------------------ */

static void one_bad_descriptor(struct scene *x, const char *build, size_t kind, size_t at)
{
  struct bench_list l = {.n = at + 1, .as_list = at != 0}; /* the register descriptor too */
  struct bench_places places;
  struct ktpu_result r, want;
  struct kc_fault fault;
  struct kt_desc_words words;
  char text[400];

  for (size_t i = 0; i <= at; i++) l.step[i] = plain_step(x);
  l.a = x->a;
  l.b = x->b;
  l.c = x->got;
  bench_clear(x->pair.sim); /* the addresses that the list will have */
  cr_assert(eq(int, (int)bench_put(x->pair.sim, &l, &places), KTPU_OK));
  const struct kt_desc good = {.prog = (uint32_t)places.program[at],
                               .prog_words = (uint32_t)x->program.n_words,
                               .a = (uint32_t)places.a,
                               .b = (uint32_t)places.b,
                               .c = (uint32_t)places.c};
  kt_desc_pack(&good, words.w);
  if (!kc_fuzz_desc(&x->pair.p, kind, &words, &fault)) return;
  if (fault.code == KT_FAULT_CONTINUE && at != 0) return; /* there it is legal */
  l.step[at].raw = words.w;
  const enum ktpu_status st = run_on(x->pair.sim, x, &l, &r);
  cr_assert(st == KTPU_EFAULT, "%s: %s: %s", build, kc_fuzz_desc_kind_name(kind),
            ktpu_strerror(st));
  cr_assert(eq(int, (int)run_on(x->pair.ref, x, &l, &want), KTPU_EFAULT));
  bench_difference(&r, &want, text, sizeof text);
  cr_assert(text[0] == '\0', "%s: %s: %s", build, kc_fuzz_desc_kind_name(kind), text);
  cr_assert(r.fault.code == fault.code && r.fault.sub == fault.sub &&
                r.fault.argument == fault.arg && r.fault.descriptor == at,
            "%s: %s: %s", build, kc_fuzz_desc_kind_name(kind), r.fault.text);
  cr_assert(memcmp(x->got, x->want, x->bytes) == 0);
}

ParameterizedTestParameters(cosim_machine, a_bad_descriptor_ends_in_the_stated_fault)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_machine,
                  a_bad_descriptor_ends_in_the_stated_fault, .timeout = 120)
{
  struct scene x;
  scene_begin(&x, *build, NULL);
  for (size_t kind = 0; kind < kc_fuzz_desc_kinds(); kind++) {
    for (size_t at = 0; at < 3; at += 2) {
      one_bad_descriptor(&x, *build, kind, at);
      expect_good_run(&x, *build, kc_fuzz_desc_kind_name(kind));
    }
  }
  scene_end(&x);
}

/* ---- memory that fails ------------------------------------------------------------------------ */

static void inject(struct ktpu_device *sim, uint64_t first, uint64_t bytes, enum ks_fault_kind kind,
                   bool reads, bool writes)
{
  struct ks_client *client = kd_sim_client(sim->link.ctx);
  struct ks_shm *shm = ks_client_shm(client);
  struct ks_slot t = {.op = KS_OP_CONFIG};
  struct kt_msg msg = {{0}};
  memset(shm->config.faults, 0, sizeof shm->config.faults);
  shm->config.faults[0] = (struct ks_fault_window){
      .first = first, .last = first + bytes - 1, .kind = kind, .reads = reads, .writes = writes};
  cr_assert(ks_client_do(client, &t, &msg) == KT_OK, "%s", msg.text);
}

/* Starts the scene's program from a list that is in place already. */
static enum ktpu_status start_list(struct ktpu_device *d, const struct bench_places *at,
                                   struct ktpu_result *r)
{
  return ktpu_run(d, (uint32_t)at->list, 1, r);
}

struct broken_place {
  const char *name;
  size_t offset; /* of the address in struct bench_places */
  bool write;
  uint32_t code, argument;
};

static const struct broken_place PLACES[] = {
    {"descriptor", offsetof(struct bench_places, list), false, KT_FAULT_AXI_READ, 0},
    {"program", offsetof(struct bench_places, program), false, KT_FAULT_AXI_READ, 1},
    {"A", offsetof(struct bench_places, a), false, KT_FAULT_AXI_READ, 2},
    {"B", offsetof(struct bench_places, b), false, KT_FAULT_AXI_READ, 2},
    {"C", offsetof(struct bench_places, c), true, KT_FAULT_AXI_WRITE, 0},
};

static uint64_t address_of(const struct bench_places *at, const struct broken_place *p)
{
  uint64_t addr;
  memcpy(&addr, (const char *)at + p->offset, sizeof addr);
  return addr;
}

ParameterizedTestParameters(cosim_machine, an_error_response_faults_and_is_survived)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_machine,
                  an_error_response_faults_and_is_survived, .timeout = 120)
{
  static const struct {
    enum ks_fault_kind kind;
    uint32_t resp;
  } answers[] = {{KS_FAULT_SLVERR, 2}, {KS_FAULT_DECERR, 3}};
  struct scene x;
  scene_begin(&x, *build, NULL);
  for (size_t i = 0; i < 2 * sizeof PLACES / sizeof PLACES[0]; i++) {
    const struct broken_place *p = &PLACES[i / 2];
    struct bench_list l = {.step = {plain_step(&x)}, .n = 1, .a = x.a, .b = x.b, .c = x.got};
    struct bench_places at;
    struct ktpu_result r;
    bench_clear(x.pair.sim);
    cr_assert(eq(int, (int)bench_put(x.pair.sim, &l, &at), KTPU_OK));
    inject(x.pair.sim, address_of(&at, p), 64, answers[i % 2].kind, !p->write, p->write);
    cr_assert(eq(int, (int)start_list(x.pair.sim, &at, &r), KTPU_EFAULT));
    cr_assert(r.fault.code == p->code && r.fault.sub == answers[i % 2].resp &&
                  r.fault.argument == p->argument,
              "%s: %s: %s", *build, p->name, r.fault.text);
    inject(x.pair.sim, 0, 1, KS_FAULT_NONE, false, false);
    expect_good_run(&x, *build, p->name);
  }
  scene_end(&x);
}

ParameterizedTestParameters(cosim_machine, an_address_past_memory_faults)
{
  return builds_as_params();
}

/* A list past the end of memory gets DECERR from the memory itself. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_machine, an_address_past_memory_faults,
                  .timeout = 20)
{
  const struct ktpu_options half = {.memory = 1 << 16}; /* of what the fewest address bits reach */
  struct ktpu_result r;
  struct ktpu_device *d = bench_open_sim(*build, &half);
  cr_assert(eq(int, (int)ktpu_run(d, 1 << 16, 1, &r), KTPU_EFAULT));
  cr_assert(all(eq(u32, r.fault.code, KT_FAULT_AXI_READ), eq(u32, r.fault.sub, 3)));
  ktpu_close(d);
}

ParameterizedTestParameters(cosim_machine, silent_memory_is_noticed_and_a_hard_reset_recovers)
{
  return builds_as_params();
}

/* No answer: the watchdog's fault; the soft reset says that it cannot; rst_i recovers, memory keeps
 * what it held. */
ParameterizedTest(char (*build)[BENCH_NAME], cosim_machine,
                  silent_memory_is_noticed_and_a_hard_reset_recovers, .timeout = 120)
{
  struct scene x;
  scene_begin(&x, *build, NULL);
  for (size_t i = 0; i < sizeof PLACES / sizeof PLACES[0]; i++) {
    const struct broken_place *p = &PLACES[i];
    struct bench_list l = {.step = {plain_step(&x)}, .n = 1, .a = x.a, .b = x.b, .c = x.got};
    struct bench_places at;
    struct ktpu_result r;
    bench_clear(x.pair.sim);
    cr_assert(eq(int, (int)bench_put(x.pair.sim, &l, &at), KTPU_OK));
    cr_assert(eq(int, (int)ktpu_register_write(x.pair.sim, KT_REG_WATCHDOG, 500), KTPU_OK));
    inject(x.pair.sim, address_of(&at, p), 64, KS_FAULT_SILENT, !p->write, p->write);
    cr_assert(eq(int, (int)start_list(x.pair.sim, &at, &r), KTPU_EFAULT));
    cr_assert(r.fault.code == KT_FAULT_NO_PROGRESS && r.fault.argument == 500, "%s: %s: %s",
              *build, p->name, r.fault.text);
    cr_assert(eq(int, (int)ktpu_reset(x.pair.sim, KTPU_RESET_SOFT), KTPU_ETIMEDOUT));
    inject(x.pair.sim, 0, 1, KS_FAULT_NONE, false, false);
    cr_assert(eq(int, (int)ktpu_reset(x.pair.sim, KTPU_RESET_HARD), KTPU_OK));
    cr_assert(eq(int, (int)start_list(x.pair.sim, &at, &r), KTPU_OK)); /* still in memory */
    expect_good_run(&x, *build, p->name);
  }
  scene_end(&x);
}

/* ---- control ---------------------------------------------------------------------------------- */

static void submit(struct ks_client *c, uint32_t op, uint32_t addr, uint32_t value,
                   uint32_t *ticket)
{
  const struct ks_slot t = {.op = op, .addr = addr, .value = value};
  struct kt_msg msg = {{0}};
  cr_assert(ks_client_submit(c, &t, ticket, &msg) == KT_OK, "%s", msg.text);
}

ParameterizedTestParameters(cosim_machine, a_start_while_busy_is_refused_and_changes_nothing)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_machine,
                  a_start_while_busy_is_refused_and_changes_nothing, .timeout = 60)
{
  const uint32_t start = 1 << KT_CONTROL_START_LSB;
  const struct ktpu_options slow = {.latency = 2000}; /* so that it is busy for long enough */
  struct scene x;
  uint32_t ticket, status;
  scene_begin(&x, *build, &slow);
  struct bench_list l = {.step = {plain_step(&x)}, .n = 1, .a = x.a, .b = x.b, .c = x.got};
  struct bench_places at;
  struct ktpu_result r;
  cr_assert(eq(int, (int)bench_put(x.pair.sim, &l, &at), KTPU_OK));
  struct ks_client *c = kd_sim_client(x.pair.sim->link.ctx);
  submit(c, KS_OP_REG_WRITE, KT_REG_LIST_ADDR, (uint32_t)at.list, &ticket);
  submit(c, KS_OP_REG_WRITE, KT_REG_LIST_COUNT, 1, &ticket);
  submit(c, KS_OP_REG_WRITE, KT_REG_CONTROL, start, &ticket);
  submit(c, KS_OP_REG_WRITE, KT_REG_CONTROL, start, &ticket);
  submit(c, KS_OP_REG_WRITE, KT_REG_LIST_COUNT, 7, &ticket); /* ignored while busy */
  cr_assert(eq(int, (int)ktpu_register_read(x.pair.sim, KT_REG_STATUS, &status), KTPU_OK));
  cr_assert(status == (1u << KT_STATUS_BUSY_LSB | 1u << KT_STATUS_REFUSED_LSB), "status 0x%x",
            status);
  cr_assert(eq(int, (int)ktpu_sync(x.pair.sim), KTPU_OK));
  cr_assert(eq(int, (int)ktpu_register_read(x.pair.sim, KT_REG_STATUS, &status), KTPU_OK));
  cr_assert(status == (1u << KT_STATUS_DONE_LSB | 1u << KT_STATUS_REFUSED_LSB), "status 0x%x",
            status);
  cr_assert(eq(int, (int)ktpu_register_read(x.pair.sim, KT_REG_LIST_COUNT, &status), KTPU_OK));
  cr_assert(eq(u32, status, 1));
  cr_assert(eq(int, (int)start_list(x.pair.sim, &at, &r), KTPU_OK)); /* clears the refusal */
  expect_good_run(&x, *build, "a refused start");
  scene_end(&x);
}

ParameterizedTestParameters(cosim_machine, a_reset_at_any_time_leaves_a_working_machine)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_machine,
                  a_reset_at_any_time_leaves_a_working_machine, .timeout = 120)
{
  const struct ktpu_options slow = {.latency = 9};
  const uint32_t start = 1 << KT_CONTROL_START_LSB;
  struct scene x;
  scene_begin(&x, *build, &slow);
  struct bench_list l = {.step = {plain_step(&x)}, .n = 1, .a = x.a, .b = x.b, .c = x.got};
  for (uint32_t wait = 0; wait < 120; wait += 3) {
    struct bench_places at;
    uint32_t ticket;
    bench_clear(x.pair.sim);
    cr_assert(eq(int, (int)bench_put(x.pair.sim, &l, &at), KTPU_OK));
    struct ks_client *c = kd_sim_client(x.pair.sim->link.ctx);
    submit(c, KS_OP_REG_WRITE, KT_REG_LIST_ADDR, (uint32_t)at.list, &ticket);
    submit(c, KS_OP_REG_WRITE, KT_REG_LIST_COUNT, 1, &ticket);
    submit(c, KS_OP_REG_WRITE, KT_REG_CONTROL, start, &ticket);
    const struct ks_slot idle = {.op = KS_OP_IDLE, .len = wait};
    struct kt_msg msg = {{0}};
    cr_assert(eq(int, (int)ks_client_submit(c, &idle, &ticket, &msg), KT_OK));
    cr_assert(eq(int, (int)ktpu_reset(x.pair.sim, wait % 2 ? KTPU_RESET_SOFT : KTPU_RESET_HARD),
                 KTPU_OK));
    expect_good_run(&x, *build, "a reset");
  }
  scene_end(&x);
}

ParameterizedTestParameters(cosim_machine, counters_of_every_unit_add_up_to_cycles)
{
  return builds_as_params();
}

ParameterizedTest(char (*build)[BENCH_NAME], cosim_machine,
                  counters_of_every_unit_add_up_to_cycles, .timeout = 60)
{
  const struct ktpu_options slow = {.latency = 5, .stall_seed = 11};
  const struct bench_gemm g = {21, 70, 19, KTPU_INT8, 0, false};
  struct bench_pair pair;
  struct ktpu_result r;
  uint8_t *out = malloc((size_t)g.m * g.n);
  bench_open(&pair, *build, &slow);
  cr_assert(eq(int, (int)bench_gemm_on(pair.sim, &g, BENCH_RANDOM, 1, out, &r), KTPU_OK));
  const bool counts = pair.p.counters != 0;
  for (unsigned u = 0; u < KTPU_UNITS; u++) {
    uint64_t sum = 0;
    for (unsigned s = 0; s < KTPU_STATES; s++) sum += r.stalls[u][s];
    cr_assert(counts || sum == 0, "%s: a build without counters counts", *build);
    if (!counts) continue;
    cr_assert(sum == r.cycles, "%s: %s: %" PRIu64 " of %" PRIu64 " cycles", *build,
              ktpu_unit_name(u), sum, r.cycles);
    cr_assert(r.stalls[u][KT_STATE_BUSY] > 0, "%s: %s was never busy", *build, ktpu_unit_name(u));
  }
  free(out);
  bench_close(&pair);
}

/* What a register keeps of a value: builds without strides have narrow ones, that address the whole
 * memory and count every descriptor that fits it, and saturate. */
static uint32_t kept(const struct kt_params *p, uint32_t offset, uint32_t value)
{
  const uint32_t count_bits = p->addr_bits - 4, top = 1u << (count_bits - 1);
  if (offset == KT_REG_LIST_ADDR) return value & (uint32_t)((UINT64_C(1) << p->addr_bits) - 1);
  if (p->strides != 0) return offset == KT_REG_WATCHDOG && value == 0 ? 1 : value;
  if (offset == KT_REG_LIST_COUNT) return (value & (top - 1)) | (value >= top ? top : 0);
  if (offset != KT_REG_WATCHDOG) return value;
  return value > 0xfffff ? 0xfffff : value == 0 ? 1 : value;
}

/* Identity, reset values, what can be written and what cannot. */
static void check_registers(struct ktpu_device *d, struct ktpu_device *ref, const char *build)
{
  static const uint32_t writable[] = {KT_REG_LIST_ADDR, KT_REG_LIST_COUNT, KT_REG_WATCHDOG,
                                      KT_REG_DESC, KT_REG_DESC + KT_DESC_BYTES - 4};
  static const uint32_t values[] = {0x12345678, 0xedcba987, 0x5a5, 0x80000, 0, 0xffffffff};
  uint32_t got, want;
  for (uint32_t offset = 0; offset < KT_REG_LIST_ADDR; offset += 4) {
    cr_assert(eq(int, (int)ktpu_register_write(d, offset, offset == KT_REG_CONTROL ? 0 : ~0u),
                 KTPU_OK)); /* ignored */
    cr_assert(eq(int, (int)ktpu_register_read(d, offset, &got), KTPU_OK));
    cr_assert(eq(int, (int)ktpu_register_read(ref, offset, &want), KTPU_OK));
    cr_assert(got == want, "%s: register 0x%03x is 0x%08x, want 0x%08x", build, offset, got, want);
  }
  cr_assert(eq(int, (int)ktpu_register_read(d, KT_REG_WATCHDOG, &got), KTPU_OK));
  cr_assert(eq(u32, got, KT_REG_WATCHDOG_RESET));
  for (size_t i = 0; i < COUNT(writable) * COUNT(values); i++) {
    const uint32_t offset = writable[i % COUNT(writable)], value = values[i / COUNT(writable)];
    cr_assert(eq(int, (int)ktpu_register_write(d, offset, value), KTPU_OK));
    cr_assert(eq(int, (int)ktpu_register_read(d, offset, &got), KTPU_OK));
    want = kept(&d->link.params, offset, value);
    cr_assert(got == want, "%s: register 0x%03x is 0x%08x, want 0x%08x", build, offset, got, want);
  }
  for (uint32_t i = 0; d->link.params.counters == 0 && i < KTPU_UNITS * KTPU_STATES; i++) {
    cr_assert(eq(int, (int)ktpu_register_read(d, KT_REG_COUNT + 4 * i, &got), KTPU_OK));
    cr_assert(got == 0, "%s: counter %u of a build without counters is %u", build, i, got);
  }
  cr_assert(eq(int, (int)ktpu_register_read(d, 0x0fc, &got), KTPU_OK)); /* absent */
  cr_assert(eq(u32, got, 0));
}

Test(cosim_machine, registers_read_as_documented, .timeout = 20)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  const size_t n = bench_builds(names);
  for (size_t i = 0; i < n; i++) {
    struct bench_pair pair;
    bench_open(&pair, names[i], NULL);
    check_registers(pair.sim, pair.ref, names[i]);
    bench_close(&pair);
  }
}
