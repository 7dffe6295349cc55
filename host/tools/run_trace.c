/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run --trace: while the machine runs, its counters are read every so many cycles (reading
 * them does not disturb it); the result is a Chrome trace in which a microsecond is a cycle. Times
 * of descriptors are exact to one period.
 */
#include "host/tools/run.h"

#include "spec/generated/kt_mx.h"
#include "spec/generated/kt_tinytpu.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD = 256, MOST_SAMPLES = 1 << 16 };

/* Counters at offset + stride * unit + 4 * state, each unit a track of the trace. */
struct group {
  const char *(*unit)(unsigned);
  const char *(*state)(unsigned);
  uint32_t offset, stride;
  unsigned units, states;
};

static const char *mx_array(unsigned unit)
{
  return unit == 0 ? "array" : NULL;
}

static const char *mx_memory(unsigned unit)
{
  return unit == 0 ? "memory" : NULL;
}

static const char *mx_beats(unsigned state)
{
  return state == 0 ? "read beats" : "write beats";
}

enum { MOST_GROUPS = 2, MOST_COUNTS = KT_UNITS * KT_STATES };

/* What is sampled on a machine. */
struct plan {
  const char *one, *many; /* what `done` counts */
  uint32_t done;
  struct group group[MOST_GROUPS];
  unsigned n_groups;
};

static const struct plan int8_plan = {
    "descriptor", "descriptors", KT_REG_DESC_DONE,
    {{ktpu_unit_name, ktpu_state_name, KT_REG_COUNT, KT_COUNT_UNIT_STRIDE, KT_UNITS, KT_STATES}}, 1};
static const struct plan mx_plan = {
    "instruction", "instructions", KT_MX_REG_COMPLETED,
    {{mx_array, ktpu_mx_sweep_name, KT_MX_REG_SWEEP, 0, 1, KTPU_MX_SWEEP_STATES},
     {mx_memory, mx_beats, KT_MX_REG_READ_BEATS, 0, 1, 2}}, 2};

struct sample {
  uint64_t cycles;
  uint32_t done;
  uint32_t counts[MOST_COUNTS]; /* group by group, unit by unit */
};

struct run_trace {
  const struct plan *plan;
  struct sample *samples;
  size_t n, room;
  bool failed;
};

/* CYCLES lies at the same place on both machines. */
static bool read_sample(struct ktpu_device *d, const struct plan *plan, struct sample *s)
{
  uint32_t lo = 0, hi = 0, *to = s->counts;
  bool good = kd_reg_read(d, KT_REG_CYCLES_HI, &hi) == KT_OK &&
              kd_reg_read(d, KT_REG_CYCLES_LO, &lo) == KT_OK &&
              kd_reg_read(d, plan->done, &s->done) == KT_OK;
  s->cycles = (uint64_t)hi << 32 | lo;
  for (const struct group *g = plan->group; g < plan->group + plan->n_groups; g++)
    for (uint32_t u = 0; u < g->units; u++)
      for (uint32_t c = 0; c < g->states; c++)
        good = good && kd_reg_read(d, g->offset + g->stride * u + 4 * c, to++) == KT_OK;
  return good;
}

/* Called with the device's lock held. */
static void take_sample(void *context, struct ktpu_device *d)
{
  struct run_trace *t = context;
  if (t->failed || t->n == MOST_SAMPLES) return;
  if (t->n == t->room) {
    const size_t room = t->room == 0 ? 256 : 2 * t->room;
    struct sample *larger = realloc(t->samples, room * sizeof *larger);
    t->failed = larger == NULL;
    if (t->failed) return;
    t->samples = larger;
    t->room = room;
  }
  t->failed = !read_sample(d, t->plan, &t->samples[t->n]);
  t->n += !t->failed;
}

struct run_trace *run_trace_new(struct ktpu_device *d)
{
  struct run_trace *t = calloc(1, sizeof *t);
  if (t == NULL) return NULL;
  t->plan = d->link.is_mx ? &mx_plan : &int8_plan;
  d->sample = take_sample;
  d->sample_context = t;
  d->sample_period = PERIOD;
  return t;
}

static cJSON *event(cJSON *list, const char *phase, const char *name, uint64_t ts)
{
  cJSON *e = cJSON_CreateObject();
  cJSON_AddStringToObject(e, "name", name);
  cJSON_AddStringToObject(e, "ph", phase);
  cJSON_AddNumberToObject(e, "ts", (double)ts);
  cJSON_AddNumberToObject(e, "pid", 1);
  cJSON_AddNumberToObject(e, "tid", 1);
  cJSON_AddItemToArray(list, e);
  return e;
}

/* Cycles that a unit spent in each state since the sample before. */
static void add_units(const struct plan *plan, cJSON *list, const struct sample *before,
                      const struct sample *s, uint64_t base)
{
  size_t at = 0;
  for (const struct group *g = plan->group; g < plan->group + plan->n_groups; g++)
    for (unsigned u = 0; u < g->units; u++) {
      cJSON *args =
          cJSON_AddObjectToObject(event(list, "C", g->unit(u), base + before->cycles), "args");
      for (unsigned c = 0; c < g->states; c++, at++)
        cJSON_AddNumberToObject(args, g->state(c), (double)(s->counts[at] - before->counts[at]));
    }
}

static void add_done(const struct plan *plan, cJSON *list, const struct sample *before,
                     const struct sample *s, uint64_t base, uint64_t *since)
{
  char name[48];
  if (s->done == before->done) return;
  if (s->done == before->done + 1)
    snprintf(name, sizeof name, "%s %" PRIu32, plan->one, before->done);
  else
    snprintf(name, sizeof name, "%s %" PRIu32 "..%" PRIu32, plan->many, before->done, s->done - 1);
  cJSON *e = event(list, "X", name, base + *since);
  cJSON_AddNumberToObject(e, "dur", (double)(s->cycles - *since));
  *since = s->cycles;
}

static cJSON *make_json(const struct run_trace *t)
{
  static const struct sample zero;
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "displayTimeUnit", "ns");
  cJSON *list = cJSON_AddArrayToObject(root, "traceEvents");
  const struct sample *before = &zero;
  uint64_t base = 0, since = 0;
  for (size_t i = 0; i < t->n; i++) {
    const struct sample *s = &t->samples[i];
    if (s->cycles < before->cycles) { /* another start */
      base += before->cycles;
      since = 0;
      before = &zero;
    }
    add_units(t->plan, list, before, s, base);
    add_done(t->plan, list, before, s, base, &since);
    before = s;
  }
  return root;
}

bool run_trace_end(struct run_trace *t, struct ktpu_device *d, const char *path)
{
  d->sample = NULL;
  cJSON *root = make_json(t);
  char *text = t->failed ? NULL : cJSON_PrintUnformatted(root);
  FILE *f = text != NULL ? fopen(path, "w") : NULL;
  bool good = f != NULL && fprintf(f, "%s\n", text) > 0;
  if (f != NULL) good = fclose(f) == 0 && good;
  if (!good) fprintf(stderr, "ktpu-run: the trace %s cannot be written\n", path);
  if (t->n == MOST_SAMPLES) fprintf(stderr, "ktpu-run: the trace ends after %zu samples\n", t->n);
  free(text);
  cJSON_Delete(root);
  free(t->samples);
  free(t);
  return good;
}
