/* SPDX-License-Identifier: Apache-2.0
 *
 * The co-simulation harness without Verilator: the DRAM model's timing and contents, the AXI rules,
 * cycle counting at the pins, the shared ring and its errors. A small machine in C stands in.
 */
#include "cosim/ks_client.h"
#include "cosim/ks_link.h"
#include "cosim/ks_machine.h"
#include "cosim/ks_server.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/fake_machine.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY = 1 << 16 };

/* The DRAM model alone, its pins driven by the test. */
struct bench {
  struct fake_machine fake;
  struct ks_model model;
  struct ks_dram dram;
  struct ks_rules rules;
  uint8_t image[MEMORY];
  uint64_t now;
};

static struct bench *new_bench(uint32_t bus_bytes, const struct ks_config *config)
{
  struct bench *b = calloc(1, sizeof *b);
  fake_machine_init(&b->fake, &b->model, bus_bytes);
  for (size_t i = 0; i < MEMORY; i++) b->image[i] = (uint8_t)(i * 31 + (i >> 8));
  ks_dram_init(&b->dram, &b->model.pins, b->image, MEMORY);
  ks_rules_init(&b->rules, &b->model.pins);
  if (config != NULL) ks_dram_configure(&b->dram, config);
  return b;
}

static void drive(struct bench *b)
{
  ks_dram_drive(&b->dram, b->now);
}

static void sample(struct bench *b)
{
  ks_rules_sample(&b->rules, b->now);
  ks_dram_sample(&b->dram, b->now);
  b->now++;
}

/* ---- DRAM timing ------------------------------------------------------------------------------ */

/* Two bursts asked for in consecutive cycles: the first R comes latency + 1 cycles after the first
 * handshake, then a beat every cycle. */
static void check_read_timing(uint32_t latency)
{
  const struct ks_config c = {.latency = latency};
  struct bench *b = new_bench(8, &c);
  struct fake_port *p = &b->fake.mem;
  uint64_t beats = 0;
  p->rready = 1;
  for (; beats < 7 && b->now < 1000;) {
    p->arvalid = b->now < 2;
    p->araddr = b->now == 0 ? 0x100 : 0x800;
    p->arlen = b->now == 0 ? 3 : 2;
    drive(b);
    cr_assert(eq(u8, p->arready, 1));
    if (p->rvalid) {
      const uint64_t addr = beats < 4 ? 0x100 + 8 * beats : 0x800 + 8 * (beats - 4);
      cr_assert(eq(u64, b->now, latency + 1 + beats));
      cr_assert(eq(int, memcmp(p->rdata, b->image + addr, 8), 0));
      cr_assert(eq(u8, p->rlast, beats == 3 || beats == 6));
      beats++;
    }
    sample(b);
  }
  cr_assert(eq(u64, beats, 7));
  cr_assert(ks_dram_idle(&b->dram));
  cr_assert(eq(u64, b->rules.violations, 0));
  free(b);
}

Test(host_cosim, reads_come_at_the_latency_without_gaps, .timeout = 5)
{
  for (uint32_t latency = 0; latency < 300; latency = 2 * latency + 1) check_read_timing(latency);
}

/* Data may be ahead of its address; B comes latency + 1 cycles after the last of both, and only then
 * do the bytes appear. */
static void check_write_timing(uint32_t latency, uint64_t aw_at)
{
  const struct ks_config c = {.latency = latency};
  struct bench *b = new_bench(16, &c);
  struct fake_port *p = &b->fake.mem;
  const uint64_t last = aw_at > 1 ? aw_at : 1; /* two beats in cycles 0 and 1 */
  uint8_t old[16], fresh[16];
  memcpy(old, b->image + 0x40, 16);
  memset(fresh, 0xee, 16);
  bool answered = false;
  for (; !answered && b->now < 1000;) {
    p->awvalid = b->now == aw_at;
    p->awaddr = 0x40;
    p->awlen = 1;
    p->wvalid = b->now < 2;
    p->wlast = b->now == 1;
    memset(p->wdata, 0xee, 16);
    p->wstrb[0] = p->wstrb[1] = b->now == 0 ? 0xff : 0x0f;
    p->bready = 1;
    cr_assert(eq(int, memcmp(b->image + 0x40, old, 16), 0));
    drive(b);
    answered = p->bvalid;
    cr_assert(eq(int, answered, b->now == last + latency + 1));
    sample(b);
  }
  cr_assert(eq(int, memcmp(b->image + 0x40, fresh, 16), 0));
  cr_assert(eq(int, memcmp(b->image + 0x50, fresh, 4), 0)); /* strobes 0x0f0f */
  cr_assert(ne(int, memcmp(b->image + 0x54, fresh, 4), 0));
  cr_assert(eq(int, memcmp(b->image + 0x58, fresh, 4), 0));
  cr_assert(ne(int, memcmp(b->image + 0x5c, fresh, 4), 0));
  cr_assert(ks_dram_idle(&b->dram));
  cr_assert(eq(u64, b->rules.violations, 0), "%s", b->rules.first);
  free(b);
}

Test(host_cosim, writes_appear_with_their_response, .timeout = 5)
{
  for (uint32_t latency = 0; latency < 100; latency = 3 * latency + 1)
    for (uint64_t aw_at = 0; aw_at < 5; aw_at++) check_write_timing(latency, aw_at);
}

/* Cycles for a burst of 256 beats to arrive. */
static uint64_t cycles_of_burst(const struct ks_config *c, uint64_t *stalls)
{
  struct bench *b = new_bench(8, c);
  struct fake_port *p = &b->fake.mem;
  uint64_t beats = 0;
  p->rready = 1;
  p->arlen = 255;
  p->arvalid = 1;
  for (; beats < 256 && b->now < 100000;) {
    drive(b);
    const bool taken = p->arvalid && p->arready;
    beats += p->rvalid;
    sample(b);
    if (taken) p->arvalid = 0;
  }
  cr_assert(eq(u64, b->rules.violations, 0), "%s", b->rules.first);
  if (stalls != NULL) *stalls = b->dram.stall_events[KS_R];
  const uint64_t cycles = b->now;
  free(b);
  return cycles;
}

Test(host_cosim, bandwidth_and_stalls_cost_what_they_say, .timeout = 10)
{
  struct ks_config c = {0};
  uint64_t stalls;
  cr_assert(eq(u64, cycles_of_burst(&c, NULL), 257));
  c.bandwidth = 64; /* a beat in four cycles */
  const uint64_t slow = cycles_of_burst(&c, NULL);
  cr_assert(slow >= 4 * 255 && slow <= 4 * 257 + 4, "%" PRIu64, slow);
  c.bandwidth = 0;
  for (c.stall_seed = 1; c.stall_seed < 20; c.stall_seed++) {
    const uint64_t cycles = cycles_of_burst(&c, &stalls);
    cr_assert(gt(u64, stalls, 0));
    cr_assert(gt(u64, cycles, 257 + stalls / 2));
    cr_assert(eq(u64, cycles_of_burst(&c, NULL), cycles)); /* the seed decides */
  }
}

/* ---- responses -------------------------------------------------------------------------------- */

static uint8_t read_response(const struct ks_config *c, uint32_t addr, bool *answered)
{
  struct bench *b = new_bench(8, c);
  struct fake_port *p = &b->fake.mem;
  p->rready = 1;
  p->araddr = addr;
  p->arvalid = 1;
  *answered = false;
  for (; !*answered && b->now < 200;) {
    drive(b);
    *answered = p->rvalid;
    sample(b);
    p->arvalid = 0;
  }
  const uint8_t resp = p->rresp;
  free(b);
  return resp;
}

Test(host_cosim, memory_answers_errors_where_it_was_told, .timeout = 5)
{
  struct ks_config c = {0};
  bool answered;
  c.faults[0] = (struct ks_fault_window){0x100, 0x107, KS_FAULT_SLVERR, 1, 0, 0};
  c.faults[1] = (struct ks_fault_window){0x200, 0x207, KS_FAULT_DECERR, 0, 1, 0};
  c.faults[2] = (struct ks_fault_window){0x300, 0x307, KS_FAULT_SILENT, 1, 0, 0};
  cr_assert(eq(u8, read_response(&c, 0x100, &answered), 2));
  cr_assert(eq(u8, read_response(&c, 0x108, &answered), 0));
  cr_assert(eq(u8, read_response(&c, 0x0f8, &answered), 0));
  cr_assert(eq(u8, read_response(&c, 0x200, &answered), 0)); /* writes only */
  cr_assert(eq(u8, read_response(&c, MEMORY, &answered), 3));
  cr_assert(eq(u8, read_response(&c, MEMORY - 8, &answered), 0));
  cr_assert(answered);
  read_response(&c, 0x300, &answered);
  cr_assert(not(answered));
}

/* ---- rules ------------------------------------------------------------------------------------ */

/* What one cycle of m_axi shows; the next shows `then`. */
static uint64_t breaches(struct fake_port first, struct fake_port then, char *text)
{
  struct bench *b = new_bench(8, NULL);
  struct fake_port *p = &b->fake.mem;
  const struct fake_port shape = *p;
  *p = first;
  p->arsize = p->awsize = shape.arsize;
  p->arburst = p->awburst = 1;
  ks_rules_sample(&b->rules, 1);
  *p = then;
  if (!then.awsize) p->arsize = p->awsize = shape.arsize;
  p->arburst = p->awburst = 1;
  ks_rules_sample(&b->rules, 2);
  const uint64_t n = b->rules.violations;
  strcpy(text, b->rules.first);
  free(b);
  return n;
}

Test(host_cosim, each_breach_of_the_axi_rules_is_named, .timeout = 5)
{
  static const struct {
    struct fake_port first, then;
    const char *says;
  } cases[] = {
      {{.arvalid = 1}, {.arvalid = 0}, "arvalid dropped"},
      {{.arvalid = 1, .araddr = 8}, {.arvalid = 1, .araddr = 16, .arready = 1}, "araddr or arlen"},
      {{.awvalid = 1}, {.awvalid = 0}, "awvalid dropped"},
      {{.awvalid = 1, .awlen = 1}, {.awvalid = 1, .awlen = 2}, "awaddr or awlen"},
      {{.wvalid = 1}, {.wvalid = 0}, "wvalid dropped"},
      {{.wvalid = 1}, {.wvalid = 1, .wdata = {1}}, "wdata, wstrb or wlast"},
      {{.wvalid = 1}, {.wvalid = 1, .wlast = 1}, "wdata, wstrb or wlast"},
      {{.wvalid = 1}, {.wvalid = 1, .wstrb = {1}}, "wdata, wstrb or wlast"},
      {{0}, {.arvalid = 1, .arready = 1, .araddr = 0xff8, .arlen = 1}, "crosses 4 KiB"},
      {{0}, {.awvalid = 1, .awready = 1, .awaddr = 0xf00, .awlen = 32}, "crosses 4 KiB"},
      {{0}, {.arvalid = 1, .arready = 1, .araddr = 4}, "multiple of the bus"},
      {{0}, {.arvalid = 1, .arready = 1, .awsize = 1, .arsize = 2}, "full width"},
      {{.awvalid = 1, .awready = 1, .awlen = 1}, {.wvalid = 1, .wready = 1, .wlast = 1},
       "wlast at beat 1 of a burst of 2"},
  };
  char text[KS_TEXT];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    cr_assert(eq(u64, breaches(cases[i].first, cases[i].then, text), 1));
    cr_assert(strstr(text, cases[i].says) != NULL, "'%s' lacks '%s'", text, cases[i].says);
  }
  const struct fake_port held = {.arvalid = 1, .araddr = 0xff8, .awvalid = 1, .wvalid = 1};
  struct fake_port taken = held;
  taken.arready = taken.awready = taken.wready = 1;
  cr_assert(eq(u64, breaches(held, taken, text), 0), "%s", text);
}

/* ---- the machine ------------------------------------------------------------------------------ */

struct whole {
  struct fake_machine fake;
  struct ks_machine machine;
  uint8_t image[MEMORY];
};

static struct whole *new_whole(uint32_t bus_bytes)
{
  struct whole *w = calloc(1, sizeof *w);
  struct ks_model model;
  fake_machine_init(&w->fake, &model, bus_bytes);
  ks_machine_init(&w->machine, &model, w->image, MEMORY);
  return w;
}

static void write_reg(struct whole *w, uint32_t addr, uint32_t value)
{
  ks_machine_reg_begin(&w->machine, true, addr, value);
  cr_assert(ks_machine_run_ports(&w->machine, 100));
}

Test(host_cosim, cycles_are_counted_at_the_pins, .timeout = 10)
{
  struct whole *w = new_whole(8);
  for (uint32_t cycles = 1; cycles < 3000; cycles = 3 * cycles + 1) {
    write_reg(w, KT_REG_LIST_ADDR, cycles);
    write_reg(w, KT_REG_CONTROL, 1);
    cr_assert(ks_machine_run_busy(&w->machine, 100000));
    cr_assert(eq(u64, w->machine.pin_cycles, cycles));
    cr_assert(eq(u64, w->machine.busy_cycles, cycles));
  }
  const uint64_t before = w->machine.cycle;
  cr_assert(ks_machine_run_busy(&w->machine, 100000)); /* idle: no time passes */
  cr_assert(eq(u64, w->machine.cycle, before));
  free(w);
}

/* Any address and length, across beats, bursts and 4 KiB boundaries, nothing beside it touched. */
Test(host_cosim, the_host_port_moves_exactly_what_it_was_given, .timeout = 30)
{
  static uint8_t data[9000], back[9000], want[MEMORY];
  const struct ks_config rough = {.latency = 3, .stall_seed = 9};
  unsigned x = 7;
  for (uint32_t bus = 8; bus <= 32; bus *= 2) {
    struct whole *w = new_whole(bus);
    ks_dram_configure(&w->machine.dram, &rough);
    memset(want, 0, sizeof want);
    for (int i = 0; i < 60; i++) {
      x = x * 1103515245u + 12345u;
      const uint32_t len = 1 + (x >> 8) % (i % 3 ? 70 : 9000), addr = (x >> 4) % (MEMORY - 9000);
      for (uint32_t j = 0; j < len; j++) data[j] = (uint8_t)(x >> 16 ^ j * 13);
      ks_machine_host_begin(&w->machine, true, addr, data, len);
      cr_assert(ks_machine_run_ports(&w->machine, 1000000));
      memcpy(want + addr, data, len);
      ks_machine_host_begin(&w->machine, false, addr, back, len);
      cr_assert(ks_machine_run_ports(&w->machine, 1000000));
      cr_assert(eq(int, memcmp(back, data, len), 0));
      cr_assert(eq(int, memcmp(w->image, want, MEMORY), 0));
    }
    cr_assert(eq(u64, w->machine.rules.violations, 0), "%s", w->machine.rules.first);
    free(w);
  }
}

/* ---- the ring --------------------------------------------------------------------------------- */

/* A simulator process with the machine in C; returns its pid. It listens on `name`. */
static pid_t fork_server(const char *name, bool stale)
{
  const pid_t pid = fork();
  if (pid != 0) return pid;
  static struct fake_machine fake;
  static struct ks_machine machine;
  struct ks_model model;
  struct ks_segment segment;
  int listener, sock;
  fake_machine_init(&fake, &model, 8);
  if (ks_segment_create(&segment, MEMORY, "fake:T=4", NULL) != KT_OK) _exit(1);
  if (stale) segment.shm->layout++;
  ks_machine_init(&machine, &model, ks_shm_dram(segment.shm), MEMORY);
  if (ks_link_listen(name, &listener, NULL) != KT_OK) _exit(2);
  if (ks_link_accept(listener, 10000, &sock) != KT_OK) _exit(3);
  _exit(ks_serve(&machine, &segment, sock) == KT_OK ? 0 : 4);
}

static struct ks_client *attach(const char *name, enum kt_status want)
{
  struct ks_client *c = NULL;
  struct kt_msg msg = {{0}};
  enum kt_status st = KT_ENODEV;
  for (int i = 0; i < 300 && st == KT_ENODEV; i++) {
    const struct timespec t = {.tv_nsec = 10000000};
    st = ks_client_attach(name, &c, &msg);
    if (st == KT_ENODEV) nanosleep(&t, NULL);
  }
  cr_assert(st == want, "%s: %s", kt_status_text(st), msg.text);
  if (st == KT_EMISMATCH) cr_assert_not_null(strstr(msg.text, "layout"));
  return c;
}

static const char *new_name(void)
{
  static char name[40];
  snprintf(name, sizeof name, "unit-%d", (int)getpid());
  return name;
}

/* More transactions than the ring has slots, none waited for until the end. */
Test(host_cosim, the_ring_keeps_order_when_it_is_full, .timeout = 20)
{
  const pid_t server = fork_server(new_name(), false);
  struct ks_client *c = attach(new_name(), KT_OK);
  struct kt_msg msg = {{0}};
  uint32_t ticket = 0;
  for (uint32_t i = 0; i < 5 * KS_SLOTS; i++) {
    const struct ks_slot t = {.op = KS_OP_REG_WRITE, .addr = KT_REG_LIST_COUNT, .value = i};
    cr_assert(eq(int, ks_client_submit(c, &t, &ticket, &msg), KT_OK));
  }
  struct ks_slot t = {.op = KS_OP_REG_READ, .addr = KT_REG_LIST_COUNT};
  cr_assert(eq(int, ks_client_do(c, &t, &msg), KT_OK));
  cr_assert(eq(u32, t.value, 5 * KS_SLOTS - 1));
  ks_client_close(c);
  int status;
  cr_assert(eq(int, (int)waitpid(server, &status, 0), (int)server));
  cr_assert(eq(int, status, 0));
}

Test(host_cosim, errors_of_a_transaction_are_told_apart, .timeout = 20)
{
  const pid_t server = fork_server(new_name(), false);
  struct ks_client *c = attach(new_name(), KT_OK);
  struct kt_msg msg = {{0}};
  struct ks_slot t = {.op = KS_OP_MEM_READ, .addr = MEMORY - 4, .len = 8};
  cr_assert(eq(int, ks_client_do(c, &t, &msg), KT_EIO)); /* DECERR past the end */
  t = (struct ks_slot){.op = KS_OP_MEM_READ, .len = KS_BOUNCE, .arg = 1};
  cr_assert(eq(int, ks_client_do(c, &t, &msg), KT_EINVAL)); /* past the bounce buffer */
  t = (struct ks_slot){.op = 77};
  cr_assert(eq(int, ks_client_do(c, &t, &msg), KT_EINVAL));
  t = (struct ks_slot){.op = KS_OP_REG_WRITE, .addr = KT_REG_LIST_ADDR, .value = 1000000};
  cr_assert(eq(int, ks_client_do(c, &t, &msg), KT_OK));
  t = (struct ks_slot){.op = KS_OP_REG_WRITE, .addr = KT_REG_CONTROL, .value = 1};
  cr_assert(eq(int, ks_client_do(c, &t, &msg), KT_OK));
  t = (struct ks_slot){.op = KS_OP_WAIT, .len = 10};
  cr_assert(eq(int, ks_client_do(c, &t, &msg), KT_ETIMEDOUT));
  t = (struct ks_slot){.op = KS_OP_WAIT, .len = UINT64_MAX};
  cr_assert(eq(int, ks_client_do(c, &t, &msg), KT_OK));
  cr_assert(eq(u64, t.result, 1000000));
  ks_client_close(c);
  waitpid(server, NULL, 0);
}

Test(host_cosim, a_dead_simulator_is_noticed, .timeout = 20)
{
  const pid_t server = fork_server(new_name(), false);
  struct ks_client *c = attach(new_name(), KT_OK);
  struct kt_msg msg = {{0}};
  kill(server, SIGKILL);
  struct ks_slot t = {.op = KS_OP_REG_READ};
  cr_assert(eq(int, ks_client_do(c, &t, &msg), KT_EPEER));
  cr_assert_not_null(strstr(msg.text, "gone"));
  ks_client_close(c);
  waitpid(server, NULL, 0);
}

Test(host_cosim, a_simulator_of_another_layout_is_refused, .timeout = 20)
{
  const pid_t server = fork_server(new_name(), true);
  cr_assert(attach(new_name(), KT_EMISMATCH) == NULL);
  waitpid(server, NULL, 0);
}

Test(host_cosim, a_name_belongs_to_one_simulator, .timeout = 5)
{
  int first, second;
  struct kt_msg msg = {{0}};
  char longer[200];
  cr_assert(eq(int, ks_link_listen(new_name(), &first, &msg), KT_OK));
  cr_assert(eq(int, ks_link_listen(new_name(), &second, &msg), KT_EBUSY));
  close(first);
  cr_assert(eq(int, ks_link_listen(new_name(), &second, &msg), KT_OK)); /* nothing stays behind */
  close(second);
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  cr_assert(eq(int, ks_link_listen(longer, &first, &msg), KT_EINVAL));
  cr_assert(eq(int, ks_link_listen("", &first, &msg), KT_EINVAL));
}
