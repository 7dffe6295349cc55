/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run gemm: operands, the job, and which instruction wrote an element.
 */
#include "host/tools/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct gemm {
  struct kd_array a, b;
};

static struct ktpu_gemm request(const struct run_job *job, const struct run_form *form, void *c)
{
  const struct gemm *g = job->context;
  return (struct ktpu_gemm){
      .m = g->a.rows,
      .k = g->a.cols,
      .n = g->b.cols,
      .a = g->a.data,
      .b = g->b.data,
      .c = c,
      .form = form->out,
      .shift = form->shift,
      .relu = job->options->relu,
      .single_program = job->options->single_program,
  };
}

static enum ktpu_status run(const struct run_job *job, struct ktpu_device *d,
                            const struct run_form *form, void *c, struct ktpu_result *result)
{
  const struct ktpu_gemm g = request(job, form, c);
  return ktpu_gemm(d, &g, result);
}

static void explain(const struct run_job *job, struct ktpu_device *ref,
                    const struct run_form *form, uint32_t row, uint32_t col, char *text, size_t n)
{
  void *c = malloc((size_t)job->rows * job->cols * 4);
  struct kd_origin o = {.row = row, .col = col};
  text[0] = '\0';
  if (c == NULL) return;
  const struct ktpu_gemm g = request(job, form, c);
  if (kd_gemm_locate(ref, &g, &o) == KTPU_OK && o.found)
    snprintf(text, n,
             "tile of rows %" PRIu32 "..%" PRIu32 ", columns %" PRIu32 "..%" PRIu32
             "; program %" PRIu32 ", descriptor %" PRIu32 ", instruction %" PRIu32
             " (issue %" PRIu64 ")",
             o.tile_m, o.tile_m + o.tile_rows - 1, o.tile_n, o.tile_n + o.tile_cols - 1, o.program,
             o.descriptor, o.instruction, o.issue);
  free(c);
}

enum run_exit run_gemm(const struct run_options *o)
{
  struct gemm g = {{0}, {0}};
  const char *a = o->n_files == 2 ? o->files[0] : NULL, *b = a != NULL ? o->files[1] : NULL;
  enum run_exit code = RUN_USAGE;
  char shape[48];

  if (!run_operand(o, a, "A", o->m, o->k, 1, &g.a)) goto out;
  if (!run_operand(o, b, "B", g.a.cols, o->n, 2, &g.b)) goto out;
  snprintf(shape, sizeof shape, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, g.a.rows, g.a.cols, g.b.cols);
  const struct run_job job = {
      .options = o,
      .rows = g.a.rows,
      .cols = g.b.cols,
      .macs = (uint64_t)g.a.rows * g.a.cols * g.b.cols,
      .context = &g,
      .run = run,
      .explain = explain,
  };
  code = run_job(&job, shape);

out:
  kd_array_free(&g.a);
  kd_array_free(&g.b);
  return code;
}
