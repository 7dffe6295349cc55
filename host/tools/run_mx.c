/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run gemm --engine mxfp7: operands, the runs, the three-sided comparison.
 */
#include "host/tools/run_mx.h"

#include "compiler/schedule/kc_mx_plan.h"
#include "host/kd_mx.h"
#include "spec/model/kr_mxgemm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
  const struct run_options *o;
  struct run_mx_report *r;
  struct kd_array a, b;
  struct run_trace *trace;
  struct ktpu_device *dev, *model; /* model: the machine model, NULL unless compared */
  uint32_t *tile;                  /* the tensor-level result, FP22 */
  void *c, *want;                  /* a form's elements, 4 bytes of room each */
  void *output;                    /* the first form's result */
};

/* ---- operands ---------------------------------------------------------------------------------- */

static uint64_t splitmix(uint64_t *x)
{
  uint64_t z = (*x += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Both signs, any mantissa, magnitudes of 2^-9 to 2: blocks whose elements differ in scale. */
static uint16_t random_half(uint64_t *x)
{
  const uint64_t v = splitmix(x);
  const unsigned exponent = 6 + (unsigned)(v >> 16) % 10;
  return (uint16_t)((v & 0x83ff) | exponent << 10);
}

static bool random_operand(struct kd_array *to, uint32_t rows, uint32_t cols, uint64_t seed)
{
  uint16_t *x = malloc((size_t)rows * cols * sizeof *x);
  *to = (struct kd_array){.rows = rows, .cols = cols, .element = 2, .is_float = true, .data = x};
  if (x == NULL) return false;
  for (size_t i = 0; i < (size_t)rows * cols; i++) x[i] = random_half(&seed);
  return true;
}

/* binary32 becomes binary16; what does not fit is an error that names the element. */
static bool narrow(const char *path, struct kd_array *a)
{
  const uint32_t *from = a->data;
  uint16_t *to = malloc((size_t)a->rows * a->cols * sizeof *to + 1);
  for (size_t i = 0; to != NULL && i < (size_t)a->rows * a->cols; i++) {
    struct kr_rounded why = {0};
    to[i] = kr_f16_from_f32(from[i], &why);
    if (!why.overflow) continue;
    fprintf(stderr, "ktpu-run: %s: element [%zu][%zu] is past binary16's largest number, 65504\n",
            path, i / a->cols, i % a->cols);
    free(to);
    return false;
  }
  free(a->data);
  a->data = to;
  a->element = 2;
  return to != NULL;
}

static bool read_operand(const char *path, const char *name, uint32_t rows, struct kd_array *to)
{
  struct kt_msg msg = {{0}};
  if (kd_npy_read(path, to, &msg) != KT_OK) {
    fprintf(stderr, "ktpu-run: %s\n", msg.text);
    return false;
  }
  if (!to->is_float || to->rows == 0 || to->cols == 0 || (rows != 0 && to->rows != rows)) {
    fprintf(stderr,
            "ktpu-run: %s (%s) is %" PRIu32 "x%" PRIu32 " of %s, want %" PRIu32
            " rows (0: any) of float16 or float32\n",
            name, path, to->rows, to->cols, to->is_float ? "float" : "int", rows);
    return false;
  }
  return to->element == 2 || narrow(path, to);
}

static bool operands(struct run *x)
{
  const struct run_options *o = x->o;
  if (o->n_files == 2)
    return read_operand(o->files[0], "A", 0, &x->a) &&
           read_operand(o->files[1], "B", x->a.cols, &x->b);
  if (random_operand(&x->a, o->m, o->k, 2 * o->seed) &&
      random_operand(&x->b, o->k, o->n, 2 * o->seed + 1))
    return true;
  fprintf(stderr, "ktpu-run: no memory for the operands\n");
  return false;
}

/* ---- the tensor-level reference ---------------------------------------------------------------- */

static enum kt_status reference(struct run *x)
{
  const struct run_mx_report *r = x->r;
  const double begin = run_seconds();
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  struct kr_mx_operand a = {0}, b = {0};
  struct kr_mx_events e = {0};
  x->tile = malloc((size_t)r->m * r->n * sizeof *x->tile);
  enum kt_status st = x->tile == NULL ? KT_ENOMEM : KT_OK;
  if (st == KT_OK) st = kr_mx_pack(r->m, r->k, x->a.data, r->k, 1, &a, &e);
  if (st == KT_OK) st = kr_mx_pack(r->n, r->k, x->b.data, 1, r->n, &b, &e);
  if (st == KT_OK)
    st = kr_mx_tile(&a, &b, 1, r->info.acc_mw, cores > 0 ? (unsigned)cores : 1, x->tile, &e);
  kr_mx_free(&a);
  kr_mx_free(&b);
  x->r->events.poisoned = e.poisoned;
  x->r->events.overflow = e.overflow;
  x->r->events.nan = e.nan;
  x->r->reference_s = run_seconds() - begin;
  return st;
}

static void reference_form(struct run *x, enum ktpu_mx_out out)
{
  const size_t count = (size_t)x->r->m * x->r->n;
  struct kr_mx_events e = {0};
  if (out == KTPU_MX_F32) {
    kr_mx_out_f32(x->tile, count, x->r->info.acc_mw, x->want, &e);
    return;
  }
  kr_mx_out_f16(x->tile, count, x->r->info.acc_mw, x->want, &e);
  x->r->events.clamped = e.clamped;
  x->r->events.flushed = e.flushed;
}

/* ---- comparing --------------------------------------------------------------------------------- */

static uint32_t element(const void *c, size_t at, enum ktpu_mx_out out)
{
  return out == KTPU_MX_F32 ? ((const uint32_t *)c)[at] : ((const uint16_t *)c)[at];
}

static uint64_t differences(struct run *x, const void *got, const void *want,
                            enum ktpu_mx_out out, const char *who)
{
  uint64_t n = 0;
  for (size_t i = 0; i < (size_t)x->r->m * x->r->n; i++) {
    const uint32_t g = element(got, i, out), w = element(want, i, out);
    if (g == w) continue;
    const uint32_t row = (uint32_t)(i / x->r->n), col = (uint32_t)(i % x->r->n);
    if (n++ == 0 && x->r->message.text[0] == '\0')
      kt_msg_set(&x->r->message,
                 "first difference, %s: C[%" PRIu32 "][%" PRIu32 "] is 0x%" PRIx32 ", %s 0x%" PRIx32
                 "; sub-tile (%" PRIu32 ", %" PRIu32 ")",
                 out == KTPU_MX_F32 ? "binary32" : "binary16", row, col, g, who, w, row / 4,
                 col / 4);
  }
  return n;
}

static bool same_raw(const struct ktpu_mx_result *a, const struct ktpu_mx_result *b)
{
  return memcmp(&a->raw, &b->raw, sizeof a->raw) == 0 && a->steps == b->steps &&
         a->instructions == b->instructions;
}

/* ---- running ----------------------------------------------------------------------------------- */

static enum ktpu_status failed(struct run *x, struct ktpu_device *d, enum ktpu_status st)
{
  struct ktpu_message m;
  ktpu_message(d, &m);
  kt_msg_set(&x->r->message, "%s", m.text[0] != '\0' ? m.text : ktpu_strerror(st));
  return st;
}

static enum ktpu_status gemm(struct run *x, struct ktpu_device *d, enum ktpu_mx_out out, void *c,
                             struct ktpu_mx_result *result)
{
  const struct ktpu_mx_gemm g = {.m = x->r->m,
                                 .k = x->r->k,
                                 .n = x->r->n,
                                 .a = x->a.data,
                                 .b = x->b.data,
                                 .c = c,
                                 .out = out,
                                 .prequantised = x->o->prequantised};
  const enum ktpu_status st = ktpu_mx_gemm(d, &g, result);
  return st == KTPU_OK ? st : failed(x, d, st);
}

static enum ktpu_status run_form(struct run *x, unsigned i)
{
  struct run_mx_report *r = x->r;
  const enum ktpu_mx_out out = r->forms[i];
  struct ktpu_mx_result want;
  const enum ktpu_status st = gemm(x, x->dev, out, x->c, &r->result[i]);
  if (i == 0 && st == KTPU_OK)
    memcpy(x->output, x->c, (size_t)r->m * r->n * (out == KTPU_MX_F32 ? 4 : 2));
  if (st != KTPU_OK || x->model == NULL) return st;
  reference_form(x, out);
  r->compared += (uint64_t)r->m * r->n;
  r->mismatches += differences(x, x->c, x->want, out, "numerics alone give");
  const enum ktpu_status st_model = gemm(x, x->model, out, x->want, &want);
  if (st_model != KTPU_OK) return st_model;
  r->machine_mismatches += differences(x, x->c, x->want, out, "the machine model has");
  if (!same_raw(&r->result[i], &want)) {
    r->raw_differ = true;
    kt_msg_set(&r->message, "the hardware's totals differ from the machine model's: steps %" PRIu64
               " and %" PRIu64 ", instructions %" PRIu64 " and %" PRIu64,
               r->result[i].steps, want.steps, r->result[i].instructions, want.instructions);
  }
  return KTPU_OK;
}

static enum ktpu_status open_devices(struct run *x)
{
  const struct run_options *o = x->o;
  struct ktpu_message m;
  char name[384];
  enum ktpu_status st = ktpu_open(o->device, &o->link, &x->dev, &m);
  if (st == KTPU_OK) st = ktpu_info(x->dev, &x->r->info);
  if (st == KTPU_OK && strcmp(x->r->info.engine, "mxfp7") != 0) {
    kt_msg_set(&x->r->message, "%s has no MXFP7 cluster: want ref:sim1 or sim:sim1", o->device);
    return KTPU_EUNSUPPORTED;
  }
  if (st == KTPU_OK && o->compare) {
    struct ktpu_options same = o->link; /* the same memory, so the same addresses */
    same.memory = x->r->info.memory;
    const char *list = strchr(x->r->info.parameters, ':');
    snprintf(name, sizeof name, "ref:%s,%s", x->r->info.config, list != NULL ? list + 1 : "");
    st = ktpu_open(name, &same, &x->model, &m);
  }
  if (st != KTPU_OK) kt_msg_set(&x->r->message, "%s", m.text);
  if (st == KTPU_OK && o->trace != NULL) x->trace = run_trace_new(x->dev);
  return st;
}

/* The whole shape as one task, A, B and C one behind the other in memory; false where they do not fit
 * an address. */
static bool whole_task(const struct run *x, struct kt_mx_params *p, struct kc_mx_task *t)
{
  const struct run_mx_report *r = x->r;
  const enum kc_mx_form form = x->o->prequantised ? KC_MX_ENTRIES : KC_MX_ROWS;
  const char *list = strchr(r->info.parameters, ':');
  *t = (struct kc_mx_task){.m = r->m, .k = r->k, .n = r->n, .sk = 1,
                           .c_f32 = r->forms[0] == KTPU_MX_F32};
  t->a.form = t->b.form = form;
  uint64_t at = kc_mx_operand_bytes(form, r->m, r->k, &t->a.stride);
  t->b.addr = (uint32_t)((at + 31) / 32 * 32);
  at = (at + 31) / 32 * 32 + kc_mx_operand_bytes(form, r->n, r->k, &t->b.stride);
  t->c_addr = (uint32_t)((at + 31) / 32 * 32);
  at += 32 + kc_mx_c_bytes(r->m, r->n, t->c_f32, &t->c_stride);
  return at <= UINT32_MAX && list != NULL && kt_mx_params_parse_list(p, list + 1, NULL) == KT_OK;
}

/* What the timed model says of the whole shape in one plan; 0 where there is no plan. */
static uint64_t modelled(const struct run *x)
{
  struct kc_mx_plan plan = {0};
  struct kc_mx_time time = {0};
  struct kt_mx_params p;
  struct kc_mx_task t;
  if (whole_task(x, &p, &t) && kc_mx_plan(&p, &t, &plan, NULL) == KT_OK &&
      kc_mx_plan_time(&p, &plan, x->o->link.latency, &time) != KT_OK)
    time.cycles = 0;
  kc_mx_plan_free(&plan);
  return time.cycles;
}

static void write_round(FILE *f, size_t number, const struct kc_mx_round *round)
{
  char *flits = NULL, *commands = NULL;
  if (kc_mx_dis(round->flits, round->n_flits, &flits) == KT_OK &&
      kc_mx_dis_commands(round->commands, round->n_commands, &commands) == KT_OK)
    fprintf(f, "# round %zu: instructions\n%s# commands\n%s", number, flits, commands);
  free(flits);
  free(commands);
}

/* --emit: the program of the whole shape as text. */
static bool emit(const struct run *x)
{
  struct kc_mx_program program = {0};
  struct kt_mx_params p;
  struct kc_mx_task t;
  FILE *f = strcmp(x->o->emit, "-") == 0 ? stdout : fopen(x->o->emit, "w");
  bool good = f != NULL && whole_task(x, &p, &t) && kc_mx_emit(&p, &t, &program, NULL) == KT_OK;
  for (size_t i = 0; good && i < program.n_rounds; i++) write_round(f, i, &program.rounds[i]);
  kc_mx_program_free(&program);
  if (f != NULL && f != stdout) good = fclose(f) == 0 && good;
  if (!good) fprintf(stderr, "ktpu-run: the program cannot be written to %s\n", x->o->emit);
  return good;
}

static enum ktpu_status run_forms(struct run *x)
{
  struct run_mx_report *r = x->r;
  const size_t room = (size_t)r->m * r->n * 4;
  x->c = calloc(1, room);
  x->want = calloc(1, room);
  x->output = calloc(1, room);
  if (x->c == NULL || x->want == NULL || x->output == NULL) return KTPU_ENOMEM;
  r->forms[r->n_forms++] = x->o->out_mx;
  if (x->o->compare)
    r->forms[r->n_forms++] = x->o->out_mx == KTPU_MX_F32 ? KTPU_MX_F16 : KTPU_MX_F32;
  enum ktpu_status st = x->model != NULL ? (enum ktpu_status)reference(x) : KTPU_OK;
  for (unsigned i = 0; st == KTPU_OK && i < r->n_forms; i++) st = run_form(x, i);
  if (st == KTPU_OK) r->modelled = modelled(x);
  return st;
}

static enum run_exit judge(const struct run *x, enum ktpu_status st)
{
  struct run_mx_report *r = x->r;
  r->verdict = st == KTPU_EFAULT ? "fault" : "not compared";
  if (r->mismatches != 0 || r->machine_mismatches != 0 || r->raw_differ) {
    r->verdict = "different";
    return RUN_DIFFERENT;
  }
  if (st != KTPU_OK) return run_exit_of(st);
  if (r->compared != 0) r->verdict = "equal";
  return RUN_EQUAL;
}

static bool write_c(const struct run *x)
{
  struct kt_msg msg = {{0}};
  const struct kd_array c = {.rows = x->r->m,
                             .cols = x->r->n,
                             .element = x->o->out_mx == KTPU_MX_F32 ? 4 : 2,
                             .is_float = true,
                             .data = x->output};
  if (x->o->output == NULL || kd_npy_write(x->o->output, &c, &msg) == KT_OK) return true;
  fprintf(stderr, "ktpu-run: %s\n", msg.text);
  return false;
}

static enum run_exit run(struct run *x)
{
  struct run_mx_report *r = x->r;
  struct ktpu_stats stats = {0};
  const double begin = run_seconds();
  enum ktpu_status st = open_devices(x);
  if (st == KTPU_OK) st = run_forms(x);
  if (x->dev != NULL && ktpu_stats(x->dev, &stats) == KTPU_OK)
    r->simulated_cycles = stats.simulated_cycles;
  enum run_exit code = judge(x, st);
  if (st == KTPU_OK && x->o->emit != NULL && !emit(x)) code = RUN_USAGE;
  if (x->trace != NULL && !run_trace_end(x->trace, x->dev, x->o->trace)) code = RUN_USAGE;
  if (st == KTPU_OK && !write_c(x)) code = RUN_USAGE;
  r->wall_s = run_seconds() - begin;
  if (st != KTPU_OK && r->message.text[0] == '\0')
    kt_msg_set(&r->message, "%s", ktpu_strerror(st));
  run_mx_print(x->o, r);
  if (x->o->json != NULL && !run_mx_write_json(x->o, r)) code = RUN_USAGE;
  return code;
}

enum run_exit run_mx_gemm(const struct run_options *o)
{
  static struct run_mx_report report;
  struct run x = {.o = o, .r = &report};
  enum run_exit code = RUN_USAGE;
  if (operands(&x)) {
    report.m = x.a.rows;
    report.k = x.a.cols;
    report.n = x.b.cols;
    snprintf(report.shape, sizeof report.shape, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, report.m,
             report.k, report.n);
    code = run(&x);
  }
  ktpu_close(x.dev);
  ktpu_close(x.model);
  kd_array_free(&x.a);
  kd_array_free(&x.b);
  free(x.tile);
  free(x.c);
  free(x.want);
  free(x.output);
  return code;
}
