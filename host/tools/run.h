/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run's parts: what was asked for, what came out, and who does what.
 */
#ifndef RUN_H
#define RUN_H

#include "host/kd_gemm.h"
#include "host/kd_npy.h"

#include <ktpu.h>

#include <stdbool.h>
#include <stdint.h>

/* Exit codes of ktpu-run. */
enum run_exit {
  RUN_EQUAL = 0,     /* ran; equal where it was compared */
  RUN_DIFFERENT = 1, /* differs from the reference model, or too little was compared */
  RUN_USAGE = 2,     /* wrong options, unreadable or unsuitable files */
  RUN_FAULT = 3,     /* the machine faulted */
  RUN_DEVICE = 4,    /* no such device, device lost, or it broke the rules of its bus */
  RUN_LIMIT = 5,     /* refused: a limit of the build or of its memory; the message names it */
  RUN_NO_BOARD = 6,  /* called without arguments, and no board is connected */
};

enum run_mode { RUN_GEMM, RUN_PROGRAM };

struct run_options {
  enum run_mode mode;
  const char *files[2]; /* gemm: A and B; program: FILE */
  unsigned n_files;
  const char *a, *b, *c, *output, *device, *engine, *json, *trace, *chain, *emit;
  bool has_shape;
  uint32_t m, k, n;
  uint64_t seed;
  enum ktpu_form out;
  enum ktpu_mx_out out_mx;
  const char *out_text; /* --out as given, NULL: not given */
  uint32_t shift;
  bool is_mx, relu, prequantised, compare, unchecked, single_program, quiet;
  struct ktpu_options link; /* latency, stalls, wave, ... */
};

/* One output form that is run and compared. */
struct run_form {
  enum ktpu_form out;
  uint32_t shift;
};

enum { RUN_FORMS = 3 };

struct run_report {
  char shape[48];
  uint64_t macs;
  struct ktpu_info info;
  struct ktpu_result result;  /* of the form asked for */
  uint64_t cycles[RUN_FORMS]; /* by form run */
  struct run_form forms[RUN_FORMS];
  unsigned n_forms;
  uint64_t compared, mismatches; /* elements, all forms */
  uint64_t unsaturated;          /* of the compared */
  uint64_t wide, wide_unsaturated; /* the same, int32 and shifted forms */
  bool events_differ, fault_differs;
  const char *verdict;
  double wall_s;
  uint64_t simulated_cycles;
  struct kt_msg message; /* why it failed, or the first difference */
};

/* A job on a device: a GEMM, or programs. `c` receives rows x cols elements of the form. */
struct run_job {
  const struct run_options *options;
  uint32_t rows, cols; /* of C */
  uint64_t macs;
  void *context;
  enum ktpu_status (*run)(const struct run_job *job, struct ktpu_device *d,
                          const struct run_form *form, void *c, struct ktpu_result *result);
  /* Says which instruction wrote an element; may be NULL. */
  void (*explain)(const struct run_job *job, struct ktpu_device *ref,
                  const struct run_form *form, uint32_t row, uint32_t col, char *text, size_t n);
};

enum run_exit run_gemm(const struct run_options *o);
enum run_exit run_program(const struct run_options *o);

/* Without arguments: a self-check on the one board that is connected. */
enum run_exit run_first(void);

/* Opens the device, runs the forms, compares, reports, writes C to options->output. */
enum run_exit run_job(const struct run_job *job, const char *shape);

/* The exit code for a status other than KTPU_OK. */
enum run_exit run_exit_of(enum ktpu_status st);

/* Operands from a file, or random from the seed where path is NULL. rows or cols 0: any. The
 * message is printed. */
bool run_operand(const struct run_options *o, const char *path, const char *name, uint32_t rows,
                 uint32_t cols, uint64_t stream, struct kd_array *to);

/* What opening a device had to tell, if anything: a board's core was reset. */
void run_tell(const struct ktpu_message *m);

/* Seconds of a clock that only goes forward. */
double run_seconds(void);

/* Writes a text to path, - is standard output; says so where it cannot. */
bool run_write_text(const char *path, const char *text);

/* What people read, and the JSON object of --json. */
void run_print(const struct run_options *o, const struct run_report *r);
bool run_write_json(const struct run_options *o, const struct run_report *r);

/* --trace: samples the counters while the machine runs. */
struct run_trace;
struct run_trace *run_trace_new(struct ktpu_device *d);
bool run_trace_end(struct run_trace *t, struct ktpu_device *d, const char *path);

#endif
