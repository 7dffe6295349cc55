/* SPDX-License-Identifier: Apache-2.0
 *
 * libktpu's sim: transport against a simulator process whose machine is a few lines of C: identity,
 * and what is refused because the pins tell something else than the registers.
 */
#include "cosim/ks_link.h"
#include "cosim/ks_machine.h"
#include "cosim/ks_server.h"
#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_params.h"
#include "support/fake_machine.h"

#include <ktpu.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY = 1 << 16 };

static struct kt_params params(void)
{
  struct kt_params p;
  cr_assert(eq(int, kt_params_parse(&p, "int8,COUNTERS=0", NULL), KT_OK));
  return p;
}

static void set_identity(struct fake_machine *m, const struct kt_params *p)
{
  m->regs[KT_REG_MAGIC / 4] = KT_MAGIC;
  m->regs[KT_REG_SPEC_VERSION / 4] = KT_SPEC_VERSION;
  m->regs[KT_REG_CONFIG_HASH / 4] = kt_params_hash(p);
  m->regs[KT_REG_STATUS / 4] = 1u << KT_STATUS_DONE_LSB;
}

/* The process behind sim:@NAME; `fake` says how it misbehaves. */
static pid_t fork_simulator(const char *name, struct fake_machine fake, uint32_t hash_error)
{
  const struct kt_params p = params();
  const pid_t pid = fork();
  if (pid != 0) return pid;
  static struct fake_machine m;
  static struct ks_machine machine;
  struct ks_model model;
  struct ks_segment segment;
  char canonical[KT_PARAMS_CANONICAL_MAX];
  int listener, sock;
  kt_params_canonical(&p, canonical, sizeof canonical);
  fake_machine_init(&m, &model, 8);
  m.wrong_count = fake.wrong_count;
  m.unaligned = fake.unaligned;
  set_identity(&m, &p);
  m.regs[KT_REG_CONFIG_HASH / 4] += hash_error;
  if (ks_segment_create(&segment, MEMORY, canonical, NULL) != KT_OK) _exit(1);
  ks_machine_init(&machine, &model, ks_shm_dram(segment.shm), MEMORY);
  if (ks_link_listen(name, &listener, NULL) != KT_OK) _exit(2);
  if (ks_link_accept(listener, 10000, &sock) != KT_OK) _exit(3);
  _exit(ks_serve(&machine, &segment, sock) == KT_OK ? 0 : 4);
}

static enum ktpu_status open_it(const char *name, struct ktpu_device **d, struct ktpu_message *m)
{
  char device[64];
  enum ktpu_status st = KTPU_ENODEV;
  snprintf(device, sizeof device, "sim:@%s", name);
  for (int i = 0; i < 300 && st == KTPU_ENODEV; i++) {
    const struct timespec t = {.tv_nsec = 10000000};
    st = ktpu_open(device, NULL, d, m);
    if (st == KTPU_ENODEV) nanosleep(&t, NULL);
  }
  return st;
}

static const char *new_name(void)
{
  static char name[40];
  snprintf(name, sizeof name, "unit-sim-%d", (int)getpid());
  return name;
}

/* Opens, runs for 100 cycles, and reads a few bytes before it; returns the run's status. */
static enum ktpu_status run_once(struct fake_machine fake, struct ktpu_result *r,
                                 struct ktpu_message *m)
{
  struct ktpu_device *d;
  uint8_t bytes[8];
  const pid_t pid = fork_simulator(new_name(), fake, 0);
  cr_assert(eq(int, (int)open_it(new_name(), &d, m), KTPU_OK), "%s", m->text);
  cr_assert(eq(int, (int)ktpu_read(d, 64, bytes, sizeof bytes), KTPU_OK));
  const enum ktpu_status st = ktpu_run(d, 100 /* how long it is busy */, 1, r);
  ktpu_message(d, m);
  ktpu_close(d);
  waitpid(pid, NULL, 0);
  return st;
}

Test(host_sim, a_run_whose_pins_agree_is_accepted, .timeout = 20)
{
  struct ktpu_result r;
  struct ktpu_message m;
  const struct fake_machine good = {0};
  cr_assert(eq(int, (int)run_once(good, &r, &m), KTPU_OK), "%s", m.text);
  cr_assert(eq(u64, r.cycles, 100));
}

Test(host_sim, cycles_that_the_pins_contradict_are_refused, .timeout = 20)
{
  struct ktpu_result r;
  struct ktpu_message m;
  const struct fake_machine bad = {.wrong_count = true};
  cr_assert(eq(int, (int)run_once(bad, &r, &m), KTPU_EIO));
  cr_assert(strstr(m.text, "says 101") != NULL && strstr(m.text, "100 from start") != NULL, "%s",
            m.text);
}

Test(host_sim, a_breach_of_the_axi_rules_fails_the_run, .timeout = 20)
{
  struct ktpu_result r;
  struct ktpu_message m;
  const struct fake_machine bad = {.unaligned = true};
  cr_assert(eq(int, (int)run_once(bad, &r, &m), KTPU_EIO));
  cr_assert(strstr(m.text, "multiple of the bus width") != NULL, "%s", m.text);
}

Test(host_sim, a_machine_with_another_hash_is_refused_with_both, .timeout = 20)
{
  struct ktpu_device *d;
  struct ktpu_message m;
  const struct fake_machine good = {0};
  const struct kt_params p = params();
  char want[16], got[16];
  snprintf(want, sizeof want, "%08x", kt_params_hash(&p));
  snprintf(got, sizeof got, "%08x", kt_params_hash(&p) + 1);
  const pid_t pid = fork_simulator(new_name(), good, 1);
  cr_assert(eq(int, (int)open_it(new_name(), &d, &m), KTPU_EMISMATCH));
  cr_assert(strstr(m.text, want) != NULL && strstr(m.text, got) != NULL, "%s", m.text);
  cr_assert(d == NULL);
  waitpid(pid, NULL, 0);
}
