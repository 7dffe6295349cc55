/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run: one job on a device and, with --compare, on the reference model, in several output
 * forms. int8 results of random operands saturate almost everywhere and hide wrong low bits, so a
 * comparison covers int32 and a shifted int8 as well.
 */
#include "host/tools/run.h"

#include "spec/generated/kt_tinytpu.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LEAST_PERCENT = 25 };

struct comparison {
  const struct run_job *job;
  struct ktpu_device *dev, *ref;
  struct run_trace *trace;
  void *c, *want; /* room for int32 */
  struct run_report *r;
};

double run_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- operands ---------------------------------------------------------------------------------- */

static void random_bytes(uint8_t *to, size_t n, uint64_t seed, uint64_t stream)
{
  uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + stream * UINT64_C(0xbf58476d1ce4e5b9) + 1;
  for (size_t i = 0; i < n; i++) { /* splitmix64 */
    uint64_t z = (x += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    to[i] = (uint8_t)(z >> 56);
  }
}

static bool wrong_shape(const char *name, const struct kd_array *a, uint32_t rows, uint32_t cols)
{
  const bool bad = a->element != 1 || a->rows == 0 || a->cols == 0 ||
                   (rows != 0 && a->rows != rows) || (cols != 0 && a->cols != cols);
  if (bad)
    fprintf(stderr,
            "ktpu-run: %s is %" PRIu32 "x%" PRIu32 " %s, want %" PRIu32 "x%" PRIu32
            " int8 (0: any)\n",
            name, a->rows, a->cols, a->element == 1 ? "int8" : "int32", rows, cols);
  return bad;
}

bool run_operand(const struct run_options *o, const char *path, const char *name, uint32_t rows,
                 uint32_t cols, uint64_t stream, struct kd_array *to)
{
  struct kt_msg msg = {{0}};
  if (path != NULL) {
    if (kd_npy_read(path, to, &msg) == KT_OK) return !wrong_shape(path, to, rows, cols);
    fprintf(stderr, "ktpu-run: %s\n", msg.text);
    return false;
  }
  *to = (struct kd_array){.rows = rows, .cols = cols, .element = 1};
  to->data = malloc((size_t)rows * cols);
  if (to->data == NULL) {
    fprintf(stderr, "ktpu-run: no memory for %s\n", name);
    return false;
  }
  random_bytes(to->data, (size_t)rows * cols, o->seed, stream);
  return true;
}

/* ---- comparing --------------------------------------------------------------------------------- */

static int32_t element(const void *c, size_t at, enum ktpu_form form)
{
  return form == KTPU_INT32 ? ((const int32_t *)c)[at] : ((const int8_t *)c)[at];
}

static void tell_first(struct comparison *x, const struct run_form *form, size_t at)
{
  char origin[300] = "";
  const uint32_t row = (uint32_t)(at / x->job->cols), col = (uint32_t)(at % x->job->cols);
  const int32_t got = element(x->c, at, form->out), want = element(x->want, at, form->out);
  if (x->job->explain != NULL)
    x->job->explain(x->job, x->ref, form, row, col, origin, sizeof origin);
  kt_msg_set(&x->r->message,
             "first difference, %s: C[%" PRIu32 "][%" PRIu32 "] is %" PRId32 ", the model has %"
             PRId32 "; %s",
             form->out == KTPU_INT32 ? "int32" : "int8", row, col, got, want, origin);
}

static void compare(struct comparison *x, const struct run_form *form)
{
  struct run_report *r = x->r;
  const size_t count = (size_t)x->job->rows * x->job->cols;
  const bool wide = form->out == KTPU_INT32 || form->shift != 0;
  uint64_t unsaturated = 0, mismatches = 0;
  size_t first = 0;
  for (size_t i = 0; i < count; i++) {
    const int32_t want = element(x->want, i, form->out);
    unsaturated += form->out == KTPU_INT32 || (want != INT8_MAX && want != INT8_MIN);
    if (element(x->c, i, form->out) == want) continue;
    if (mismatches++ == 0) first = i;
  }
  if (mismatches != 0 && r->mismatches == 0) tell_first(x, form, first);
  r->compared += count;
  r->mismatches += mismatches;
  r->unsaturated += unsaturated;
  if (!wide) return;
  r->wide += count;
  r->wide_unsaturated += unsaturated;
}

static bool same_fault(const struct ktpu_fault *a, const struct ktpu_fault *b)
{
  return a->code == b->code && a->sub == b->sub && a->argument == b->argument &&
         a->instruction == b->instruction && a->descriptor == b->descriptor;
}

/* After an instruction's fault C holds what earlier instructions retired; other faults cut the
 * work off at some point in time. */
static bool comparable(const struct ktpu_fault *f)
{
  return f->code < KT_FAULT_AXI_READ;
}

/* The machine's events and fault against the model's. */
static void compare_outcome(struct run_report *r, const struct ktpu_result *got,
                            const struct ktpu_result *want)
{
  if (!same_fault(&got->fault, &want->fault)) {
    r->fault_differs = true;
    kt_msg_set(&r->message, "the machine: %s; the model: %s",
               got->fault.code ? got->fault.text : "no fault",
               want->fault.code ? want->fault.text : "no fault");
  } else if (got->fault.code == 0 &&
             (got->saturations != want->saturations || got->wraps != want->wraps)) {
    r->events_differ = true;
    kt_msg_set(&r->message,
               "%" PRIu64 " saturations and %" PRIu64 " wraps, the model has %" PRIu64
               " and %" PRIu64,
               got->saturations, got->wraps, want->saturations, want->wraps);
  }
}

/* ---- running ----------------------------------------------------------------------------------- */

static enum ktpu_status failed(struct comparison *x, struct ktpu_device *d, enum ktpu_status st)
{
  struct ktpu_message m;
  ktpu_message(d, &m);
  kt_msg_set(&x->r->message, "%s", m.text[0] != '\0' ? m.text : ktpu_strerror(st));
  return st;
}

static enum ktpu_status run_form(struct comparison *x, unsigned i)
{
  struct run_report *r = x->r;
  struct ktpu_result got, want;
  enum ktpu_status st = x->job->run(x->job, x->dev, &r->forms[i], x->c, &got);
  if (st != KTPU_OK && st != KTPU_EFAULT) return failed(x, x->dev, st);
  r->cycles[i] = got.cycles;
  if (i == 0) r->result = got;
  if (st == KTPU_EFAULT) kt_msg_set(&r->message, "%s", got.fault.text);
  if (x->ref == NULL) return st;
  const enum ktpu_status ref = x->job->run(x->job, x->ref, &r->forms[i], x->want, &want);
  if (ref != KTPU_OK && ref != KTPU_EFAULT) return failed(x, x->ref, ref);
  compare_outcome(r, &got, &want);
  if (st == ref && comparable(&got.fault)) compare(x, &r->forms[i]);
  return st;
}

/* A shift with which most sums of random operands fit int8. */
static uint32_t fitting_shift(const struct run_job *job)
{
  const double depth = (double)job->macs / ((double)job->rows * job->cols);
  const double spread = 74.0 * 74.0 * sqrt(depth < 1 ? 1 : depth);
  const double shift = ceil(log2(spread * 2 / 127));
  return shift < 1 ? 1 : (shift > 31 ? 31 : (uint32_t)shift);
}

static void choose_forms(const struct run_job *job, struct run_report *r)
{
  const struct run_options *o = job->options;
  r->forms[r->n_forms++] = (struct run_form){o->out, o->shift};
  if (!o->compare) return;
  if (o->out != KTPU_INT32) r->forms[r->n_forms++] = (struct run_form){KTPU_INT32, 0};
  if (o->out == KTPU_INT32) r->forms[r->n_forms++] = (struct run_form){KTPU_INT8, 0};
  if (o->shift == 0)
    r->forms[r->n_forms++] = (struct run_form){KTPU_INT8, fitting_shift(job)};
}

static int show_progress(void *context, uint64_t done, uint64_t of, uint64_t cycles)
{
  (void)context;
  fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " descriptors, %" PRIu64 " Mcycles", done, of,
          cycles / 1000000);
  fflush(stderr);
  return 0;
}

static enum ktpu_status open_devices(struct comparison *x)
{
  const struct run_options *o = x->job->options;
  struct ktpu_message m;
  char name[384];
  enum ktpu_status st = ktpu_open(o->device, &o->link, &x->dev, &m);
  if (st == KTPU_OK) {
    run_tell(&m);
    st = ktpu_info(x->dev, &x->r->info);
  }
  if (st == KTPU_OK && o->compare) {
    struct ktpu_options same = o->link; /* the same memory, so the same addresses */
    same.memory = x->r->info.memory;
    const char *list = strchr(x->r->info.parameters, ':');
    snprintf(name, sizeof name, "ref:%s", list != NULL ? list + 1 : "");
    st = ktpu_open(name, &same, &x->ref, &m);
  }
  if (st != KTPU_OK) kt_msg_set(&x->r->message, "%s", m.text);
  if (st == KTPU_OK && isatty(STDERR_FILENO) && !o->quiet)
    st = ktpu_set_progress(x->dev, show_progress, NULL);
  if (st == KTPU_OK && o->trace != NULL) x->trace = run_trace_new(x->dev);
  return st;
}

static enum ktpu_status run_forms(struct comparison *x)
{
  const size_t room = (size_t)x->job->rows * x->job->cols * sizeof(int32_t);
  void *first = NULL;
  enum ktpu_status st = KTPU_OK;
  x->c = calloc(1, room);
  x->want = calloc(1, room);
  if (x->c == NULL || x->want == NULL) return KTPU_ENOMEM;
  choose_forms(x->job, x->r);
  for (unsigned i = 0; st == KTPU_OK && i < x->r->n_forms; i++) {
    st = run_form(x, i);
    if (i == 0 && x->r->n_forms > 1) { /* the form asked for is the one that is written */
      first = x->c;
      x->c = calloc(1, room);
      if (x->c == NULL) st = KTPU_ENOMEM;
    }
  }
  if (first != NULL) {
    free(x->c);
    x->c = first;
  }
  return st;
}

static bool too_saturated(const struct run_report *r)
{
  return r->wide_unsaturated * 100 < r->wide * LEAST_PERCENT;
}

static enum run_exit judge(const struct run_options *o, struct run_report *r, enum ktpu_status st)
{
  if (r->mismatches != 0 || r->events_differ || r->fault_differs) {
    r->verdict = "different";
    return RUN_DIFFERENT;
  }
  r->verdict = st == KTPU_EFAULT ? "fault" : "not compared";
  if (st == KTPU_OK && o->compare) {
    r->verdict = "equal";
    if (r->compared != 0 && !too_saturated(r)) return RUN_EQUAL;
    kt_msg_set(&r->message, "too little was compared: under %d %% of the int32 and shifted "
               "elements did not saturate", LEAST_PERCENT);
    r->verdict = "different";
    return RUN_DIFFERENT;
  }
  return st == KTPU_OK ? RUN_EQUAL : run_exit_of(st);
}

enum run_exit run_exit_of(enum ktpu_status st)
{
  switch (st) {
  case KTPU_EFAULT: return RUN_FAULT;
  case KTPU_EINVAL:
  case KTPU_EPARSE: return RUN_USAGE;
  case KTPU_ELIMIT:
  case KTPU_ERANGE:
  case KTPU_ENOMEM: return RUN_LIMIT;
  case KTPU_OK: return RUN_EQUAL;
  case KTPU_EIO:
  case KTPU_ETIMEDOUT:
  case KTPU_EMISMATCH:
  case KTPU_EBUSY:
  case KTPU_ENODEV:
  case KTPU_EUNSUPPORTED:
  case KTPU_EPEER:
  case KTPU_EACCES: break;
  }
  return RUN_DEVICE;
}

static bool write_c(const struct comparison *x)
{
  const struct run_options *o = x->job->options;
  struct kt_msg msg = {{0}};
  const struct kd_array c = {x->job->rows, x->job->cols, o->out == KTPU_INT32 ? 4 : 1,
                              false, x->c};
  if (o->output == NULL || kd_npy_write(o->output, &c, &msg) == KT_OK) return true;
  fprintf(stderr, "ktpu-run: %s\n", msg.text);
  return false;
}

enum run_exit run_job(const struct run_job *job, const char *shape)
{
  static struct run_report report;
  struct comparison x = {.job = job, .r = &report};
  struct ktpu_stats stats = {0};
  const double begin = run_seconds();

  snprintf(report.shape, sizeof report.shape, "%s", shape);
  report.macs = job->macs;
  enum ktpu_status st = open_devices(&x);
  if (st == KTPU_OK) st = run_forms(&x);
  if (x.dev != NULL && ktpu_stats(x.dev, &stats) == KTPU_OK)
    report.simulated_cycles = stats.simulated_cycles;
  enum run_exit code = judge(job->options, &report, st);
  if (x.trace != NULL && !run_trace_end(x.trace, x.dev, job->options->trace)) code = RUN_USAGE;
  if (st == KTPU_OK && !write_c(&x)) code = RUN_USAGE;
  ktpu_close(x.dev);
  ktpu_close(x.ref);
  free(x.c);
  free(x.want);
  report.wall_s = run_seconds() - begin;
  if (st != KTPU_OK && report.message.text[0] == '\0')
    kt_msg_set(&report.message, "%s", ktpu_strerror(st));
  run_print(job->options, &report);
  if (job->options->json != NULL && !run_write_json(job->options, &report)) code = RUN_USAGE;
  return code;
}
