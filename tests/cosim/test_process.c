/* SPDX-License-Identifier: Apache-2.0
 *
 * Two processes that share memory: either may be killed at any time, and then nothing hangs, no
 * process stays behind and nothing is left in /dev/shm. Named simulators; the command-line programs.
 */
#include "compiler/bytes/kc_file.h"
#include "compiler/unit/kc_gemm.h"
#include "cosim/ks_client.h"
#include "host/kd_npy.h"
#include "host/kd_variant.h"
#include "spec/generated/kt_tinytpu.h"
#include "support/cosim_bench.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *first_build(void)
{
  static char names[BENCH_BUILDS][BENCH_NAME];
  cr_assert(gt(sz, bench_builds(names), 0));
  return names[0];
}

static void nap(long ms)
{
  const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  nanosleep(&t, NULL);
}

static unsigned shared_segments(void)
{
  unsigned n = 0;
  DIR *dir = opendir("/dev/shm");
  if (dir == NULL) return 0;
  for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir))
    n += strstr(e->d_name, "ktpu") != NULL;
  closedir(dir);
  return n;
}

/* A process that has ended but that nobody has asked about yet counts as ended. */
static bool alive(pid_t pid)
{
  char path[64], state = 'X';
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *f = fopen(path, "r");
  if (f == NULL) return false;
  if (fscanf(f, "%*d %*s %c", &state) != 1) state = 'X';
  fclose(f);
  return state != 'Z' && state != 'X';
}

static bool ends_within(pid_t pid, int ms)
{
  for (; ms > 0 && alive(pid); ms -= 10) nap(10);
  return !alive(pid);
}

static pid_t simulator_of(struct ktpu_device *d)
{
  return (pid_t)ks_client_shm(kd_sim_client(d->link.ctx))->pid;
}

static struct bench_gemm long_gemm(void)
{
  return (struct bench_gemm){400, 300, 200, KTPU_INT8, 0, false};
}

/* ---- kill -9 ---------------------------------------------------------------------------------- */

/* The simulator dies in the middle of a run, at different times. */
Test(cosim_process, a_killed_simulator_is_reported_and_leaves_nothing, .timeout = 60)
{
  const struct bench_gemm g = long_gemm();
  uint8_t *out = malloc((size_t)g.m * g.n);
  const unsigned before = shared_segments();
  for (int ms = 0; ms < 300; ms += 60) {
    struct ktpu_device *d = bench_open_sim(first_build(), NULL);
    struct ktpu_result r;
    struct ktpu_message m;
    const pid_t sim = simulator_of(d);
    const pid_t killer = fork();
    if (killer == 0) {
      nap(ms);
      kill(sim, SIGKILL);
      _exit(0);
    }
    const enum ktpu_status st = bench_gemm_on(d, &g, BENCH_RANDOM, 1, out, &r);
    ktpu_message(d, &m);
    cr_assert(st == KTPU_EPEER, "%s: %s", ktpu_strerror(st), m.text);
    cr_assert(strstr(m.text, "signal 9") != NULL, "%s", m.text);
    uint32_t v;
    cr_assert(eq(int, (int)ktpu_register_read(d, 0, &v), KTPU_EPEER)); /* and it stays gone */
    ktpu_close(d);
    cr_assert(eq(int, (int)waitpid(killer, NULL, 0), (int)killer));
    cr_assert(not(alive(sim)));
    cr_assert(eq(uint, shared_segments(), before));
  }
  free(out);
}

/* The driver dies: idle, or in the middle of a run. */
static void kill_driver(bool busy, int ms)
{
  int pipe_fd[2];
  pid_t sim = 0;
  const unsigned before = shared_segments();
  cr_assert(eq(int, pipe(pipe_fd), 0));
  const pid_t driver = fork();
  if (driver == 0) {
    const struct bench_gemm g = long_gemm();
    uint8_t *out = malloc((size_t)g.m * g.n);
    struct ktpu_result r;
    struct ktpu_device *d = bench_open_sim(first_build(), NULL);
    const pid_t pid = simulator_of(d);
    if (write(pipe_fd[1], &pid, sizeof pid) != sizeof pid) _exit(1);
    while (busy && bench_gemm_on(d, &g, BENCH_RANDOM, 1, out, &r) == KTPU_OK) {
    }
    nap(60000);
    _exit(1);
  }
  cr_assert(eq(int, (int)read(pipe_fd[0], &sim, sizeof sim), (int)sizeof sim));
  nap(ms);
  kill(driver, SIGKILL);
  cr_assert(eq(int, (int)waitpid(driver, NULL, 0), (int)driver));
  cr_assert(ends_within(sim, 5000), "the simulator outlives its driver (busy %d)", busy);
  cr_assert(eq(uint, shared_segments(), before));
  close(pipe_fd[0]);
  close(pipe_fd[1]);
}

Test(cosim_process, a_killed_driver_takes_its_simulator_along, .timeout = 60)
{
  kill_driver(false, 10);
  kill_driver(true, 20);
  kill_driver(true, 250);
}

/* ---- named simulators ------------------------------------------------------------------------- */

static pid_t start_named(const char *build, const char *name)
{
  char path[4400];
  snprintf(path, sizeof path, "%s/%s/ktpu-sim", bench_sim_dir(), build);
  const pid_t pid = fork();
  if (pid == 0) {
    if (freopen("/dev/null", "w", stdout) == NULL) _exit(127);
    execl(path, path, "--name", name, "--memory", "1048576", (char *)NULL);
    _exit(127);
  }
  return pid;
}

static enum ktpu_status open_named(const char *name, struct ktpu_device **d,
                                   struct ktpu_message *m)
{
  char device[64];
  enum ktpu_status st = KTPU_ENODEV;
  snprintf(device, sizeof device, "sim:@%s", name);
  for (int i = 0; i < 200 && st == KTPU_ENODEV; i++) { /* it takes a moment to start */
    st = ktpu_open(device, NULL, d, m);
    if (st == KTPU_ENODEV) nap(20);
  }
  return st;
}

Test(cosim_process, a_named_simulator_serves_one_program_after_another, .timeout = 60)
{
  char name[40];
  snprintf(name, sizeof name, "test-%d", (int)getpid());
  const struct bench_gemm g = {9, 10, 11, KTPU_INT8, 0, false};
  const pid_t sim = start_named(first_build(), name);
  uint64_t cycles = 0;
  uint8_t out[99];
  for (int i = 0; i < 3; i++) {
    struct ktpu_device *d;
    struct ktpu_message m;
    struct ktpu_result r;
    const enum ktpu_status st = open_named(name, &d, &m);
    cr_assert(st == KTPU_OK, "%s", m.text);
    cr_assert(eq(int, (int)bench_gemm_on(d, &g, BENCH_RANDOM, 1, out, &r), KTPU_OK));
    cr_assert(cycles == 0 || cycles == r.cycles);
    cycles = r.cycles;
    ktpu_close(d);
    cr_assert(alive(sim));
  }
  kill(sim, SIGKILL);
  waitpid(sim, NULL, 0);
  struct ktpu_device *d;
  struct ktpu_message m;
  char device[64];
  snprintf(device, sizeof device, "sim:@%s", name);
  cr_assert(eq(int, (int)ktpu_open(device, NULL, &d, &m), KTPU_ENODEV)); /* the name is free */
  cr_assert(strstr(m.text, name) != NULL, "%s", m.text);
}

/* ---- errors of opening ------------------------------------------------------------------------ */

Test(cosim_process, an_unbuilt_variant_is_refused_with_the_command_that_builds_it, .timeout = 10)
{
  const struct ktpu_options o = {.sim_dir = bench_sim_dir()};
  struct ktpu_device *d;
  struct ktpu_message m;
  cr_assert(eq(int, (int)ktpu_open("sim:int8,T=4,MAXDIM=20,QD=3", &o, &d, &m), KTPU_ENODEV));
  cr_assert(strstr(m.text, "make sim T=4 MAXDIM=20 BUS=64 PARAMS=QD=3") != NULL, "%s", m.text);
}

/* ---- the programs ----------------------------------------------------------------------------- */

/* Runs build/bin/PROGRAM ARGUMENTS; output to `log`; returns the exit code. */
static int run(const char *arguments, const char *log)
{
  char command[6000];
  snprintf(command, sizeof command, "KTPU_SIM_DIR=%s %s/../bin/%s > %s 2>&1", bench_sim_dir(),
           bench_sim_dir(), arguments, log);
  const int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static cJSON *read_json(const char *path)
{
  uint8_t *bytes;
  size_t n;
  struct kt_msg msg = {{0}};
  cr_assert(kd_file_read(path, &bytes, &n, &msg) == KT_OK, "%s", msg.text);
  cJSON *root = cJSON_ParseWithLength((const char *)bytes, n);
  free(bytes);
  cr_assert_not_null(root);
  return root;
}

static void device_option(char *text, size_t n)
{
  char params[KD_VARIANT_MAX];
  struct kt_msg msg;
  cr_assert(eq(int, kd_variant_params(first_build(), params, sizeof params, &msg), KT_OK));
  snprintf(text, n, "--device sim:%s", params);
}

Test(cosim_process, ktpu_run_writes_every_key_of_the_table, .timeout = 60)
{
  static const char *const keys[] = {
      "shape", "engine", "config", "device", "seed", "parameters", "cycles", "programs", "macs",
      "peak_macs_per_cycle", "peak_share", "modelled_cycles", "compared", "mismatches", "verdict",
      "faults", "events", "stalls", "wall_s", "simulated_cycles"};
  char dir[] = "/tmp/ktpu-test-XXXXXX", args[1200], json[64], log[64], trace[64], dev[300];
  cr_assert_not_null(mkdtemp(dir));
  snprintf(json, sizeof json, "%s/run.json", dir);
  snprintf(log, sizeof log, "%s/log", dir);
  snprintf(trace, sizeof trace, "%s/trace.json", dir);
  device_option(dev, sizeof dev);
  snprintf(args, sizeof args,
           "ktpu-run gemm --shape 19x23x29 %s --compare --json %s --trace %s --seed 4", dev, json,
           trace);
  cr_assert(eq(int, run(args, log), 0));
  cJSON *root = read_json(json);
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    cr_assert(cJSON_HasObjectItem(root, keys[i]), "no key %s", keys[i]);
  cr_assert(eq(int, cJSON_GetArraySize(root), (int)(sizeof keys / sizeof keys[0])));
  cr_assert(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(root, "shape")), "19x23x29"));
  cr_assert(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(root, "verdict")), "equal"));
  cr_assert(eq(int, (int)cJSON_GetNumberValue(cJSON_GetObjectItem(root, "compared")), 3 * 19 * 29));
  cJSON_Delete(root);
  root = read_json(trace);
  cr_assert(gt(int, cJSON_GetArraySize(cJSON_GetObjectItem(root, "traceEvents")), 7));
  cJSON_Delete(root);
  snprintf(args, sizeof args, "rm -r %s", dir);
  cr_assert(eq(int, system(args), 0));
}

Test(cosim_process, ktpu_run_runs_a_program_and_reports_a_fault, .timeout = 60)
{
  char dir[] = "/tmp/ktpu-test-XXXXXX", args[1200], file[64], log[64], dev[300];
  cr_assert_not_null(mkdtemp(dir));
  snprintf(file, sizeof file, "%s/bad.bin", dir);
  snprintf(log, sizeof log, "%s/log", dir);
  const uint64_t words[10] = {1, 0, 0, 0, 0, 0, 0, 0, 63 /* no such opcode */, 0};
  FILE *f = fopen(file, "wb");
  cr_assert(eq(sz, fwrite(words, sizeof words, 1, f), 1));
  fclose(f);
  device_option(dev, sizeof dev);
  snprintf(args, sizeof args, "ktpu-run program %s %s", file, dev);
  cr_assert(eq(int, run(args, log), 2)); /* the checker refuses it */
  snprintf(args, sizeof args, "ktpu-run program %s %s --unchecked --compare", file, dev);
  cr_assert(eq(int, run(args, log), 3)); /* the machine faults, as the model says */
  uint8_t *bytes;
  size_t n;
  cr_assert(eq(int, kd_file_read(log, &bytes, &n, NULL), KT_OK));
  char *text = calloc(1, n + 1);
  memcpy(text, bytes, n);
  cr_assert(strstr(text, "opcode 63") != NULL, "%s", text);
  free(text);
  free(bytes);
  snprintf(args, sizeof args, "rm -r %s", dir);
  cr_assert(eq(int, system(args), 0));
}

static double simulated(const char *args, const char *json)
{
  cr_assert(eq(int, run(args, "/dev/null"), 0));
  cJSON *root = read_json(json);
  const double n = cJSON_GetNumberValue(cJSON_GetObjectItem(root, "simulated_cycles"));
  cJSON_Delete(root);
  return n;
}

/* Every cycle, also those of uploads, polls and reads, whatever the host does meanwhile. */
Test(cosim_process, a_run_is_reproducible_to_the_cycle, .timeout = 120)
{
  char json[] = "/tmp/ktpu-json-XXXXXX", args[800], dev[300];
  close(mkstemp(json));
  device_option(dev, sizeof dev);
  snprintf(args, sizeof args, "ktpu-run gemm --shape 150x130x140 %s --stall-seed 3 --json %s", dev,
           json);
  const double first = simulated(args, json);
  cr_assert(gt(dbl, first, 150 * 130 * 140 / 256.0));
  for (int i = 0; i < 4; i++) cr_assert(eq(dbl, simulated(args, json), first));
  unlink(json);
}

static void write_program(const char *dir, const char *name, const struct kt_params *p, bool first)
{
  char path[96];
  struct kc_program program;
  struct kt_msg msg = {{0}};
  uint8_t *bytes;
  size_t size;
  const struct kc_slab slab = {.m = 6, .k = p->t, .n = p->t, .first = first, .last = !first};
  snprintf(path, sizeof path, "%s/%s", dir, name);
  cr_assert(kc_gemm_slab(p, &slab, &program, &msg) == KT_OK, "%s", msg.text);
  cr_assert(eq(int, kc_words_to_bytes(&program, &bytes, &size), KT_OK));
  cr_assert(eq(int, kc_file_write(path, bytes, size, &msg), KT_OK));
  free(bytes);
  kc_program_free(&program);
}

static void write_operand(const char *dir, const char *name, uint32_t n, int8_t *to, uint64_t seed)
{
  char path[96];
  struct bench_rng rng = {seed};
  const struct kd_array a = {n, n, 1, false, to};
  snprintf(path, sizeof path, "%s/%s", dir, name);
  bench_noise(&rng, to, (size_t)n * n);
  cr_assert(eq(int, kd_npy_write(path, &a, NULL), KT_OK));
}

/* C of 6 x T = A * B + A2 * B, the second program going on with what the first left in ar. */
Test(cosim_process, ktpu_run_runs_a_chain_of_programs, .timeout = 60)
{
  char dir[] = "/tmp/ktpu-test-XXXXXX", args[1500], dev[300], path[96], params[KD_VARIANT_MAX];
  struct kt_params p;
  struct kd_array c;
  cr_assert_not_null(mkdtemp(dir));
  device_option(dev, sizeof dev);
  cr_assert(eq(int, kd_variant_params(first_build(), params, sizeof params, NULL), KT_OK));
  cr_assert(eq(int, kt_params_parse(&p, params, NULL), KT_OK));
  const uint32_t n = p.maxdim;
  int8_t *a = malloc((size_t)n * n), *a2 = malloc((size_t)n * n), *b = malloc((size_t)n * n);
  write_program(dir, "first.bin", &p, true);
  write_program(dir, "second.bin", &p, false);
  write_operand(dir, "a.npy", n, a, 1);
  write_operand(dir, "a2.npy", n, a2, 2);
  write_operand(dir, "b.npy", n, b, 3);
  snprintf(path, sizeof path, "%s/list.json", dir);
  FILE *f = fopen(path, "w");
  fprintf(f, "[{\"program\": \"%s/second.bin\", \"a\": \"%s/a2.npy\"}]", dir, dir);
  fclose(f);
  snprintf(args, sizeof args,
           "ktpu-run program %s/first.bin %s --chain %s --a %s/a.npy --b %s/b.npy --out int32 "
           "-o %s/c.npy --compare", dir, dev, path, dir, dir, dir);
  snprintf(path, sizeof path, "%s/log", dir);
  cr_assert(eq(int, run(args, path), 0));
  snprintf(path, sizeof path, "%s/c.npy", dir);
  cr_assert(eq(int, kd_npy_read(path, &c, NULL), KT_OK));
  cr_assert(all(eq(u32, c.rows, n), eq(u32, c.cols, n), eq(u32, c.element, 4)));
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t j = 0; j < n; j++) {
      int32_t want = 0;
      for (uint32_t k = 0; i < 6 && j < p.t && k < p.t; k++)
        want += (a[i * n + k] + a2[i * n + k]) * b[k * n + j];
      cr_assert(eq(i32, ((int32_t *)c.data)[i * n + j], want));
    }
  }
  kd_array_free(&c);
  free(a);
  free(a2);
  free(b);
  snprintf(args, sizeof args, "rm -r %s", dir);
  cr_assert(eq(int, system(args), 0));
}

Test(cosim_process, ktpu_run_tells_its_failures_apart, .timeout = 60)
{
  char args[600], dev[300];
  const char *log = "/dev/null";
  device_option(dev, sizeof dev);
  snprintf(args, sizeof args, "ktpu-run gemm --shape 0x1x1 %s", dev);
  cr_assert(eq(int, run(args, log), 2));
  snprintf(args, sizeof args, "ktpu-run gemm --shape 4x4x4 --engine tpu %s", dev);
  cr_assert(eq(int, run(args, log), 2));
  snprintf(args, sizeof args, "ktpu-run gemm --shape 4x4x4 --engine mxfp7 %s", dev);
  cr_assert(eq(int, run(args, log), 4));
  cr_assert(eq(int, run("ktpu-run gemm --shape 4x4x4 --device sim:@nobody-here", log), 4));
  snprintf(args, sizeof args, "ktpu-run gemm --shape 4x2000x4 --single-program %s", dev);
  cr_assert(eq(int, run(args, log), 5));
  cr_assert(eq(int, run("ktpu-info ref:int8", log), 0));
  cr_assert(eq(int, run("ktpu-info nothing:int8", log), 4));
}
