/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run --trace: while the machine runs, its counters are read every so many cycles (reading
 * them does not disturb it); the result is a Chrome trace in which a microsecond is a cycle. Times
 * of descriptors are exact to one period.
 */
#include "host/tools/run.h"

#include "spec/generated/kt_tinytpu.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PERIOD = 256, MOST_SAMPLES = 1 << 16 };

struct sample {
  uint64_t cycles;
  uint32_t done;
  uint32_t counts[KT_UNITS][KT_STATES];
};

struct run_trace {
  struct sample *samples;
  size_t n, room;
  bool failed;
};

static bool read_sample(struct ktpu_device *d, struct sample *s)
{
  uint32_t lo = 0, hi = 0;
  bool good = kd_reg_read(d, KT_REG_CYCLES_HI, &hi) == KT_OK &&
              kd_reg_read(d, KT_REG_CYCLES_LO, &lo) == KT_OK &&
              kd_reg_read(d, KT_REG_DESC_DONE, &s->done) == KT_OK;
  s->cycles = (uint64_t)hi << 32 | lo;
  for (uint32_t u = 0; u < KT_UNITS; u++)
    for (uint32_t c = 0; c < KT_STATES; c++)
      good = good && kd_reg_read(d, KT_REG_COUNT + KT_COUNT_UNIT_STRIDE * u + 4 * c,
                                 &s->counts[u][c]) == KT_OK;
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
  t->failed = !read_sample(d, &t->samples[t->n]);
  t->n += !t->failed;
}

struct run_trace *run_trace_new(struct ktpu_device *d)
{
  struct run_trace *t = calloc(1, sizeof *t);
  if (t == NULL) return NULL;
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
static void add_units(cJSON *list, const struct sample *before, const struct sample *s,
                      uint64_t base)
{
  for (unsigned u = 0; u < KTPU_UNITS; u++) {
    cJSON *args =
        cJSON_AddObjectToObject(event(list, "C", ktpu_unit_name(u), base + before->cycles), "args");
    for (unsigned c = 0; c < KTPU_STATES; c++)
      cJSON_AddNumberToObject(args, ktpu_state_name(c),
                              (double)(s->counts[u][c] - before->counts[u][c]));
  }
}

static void add_descriptors(cJSON *list, const struct sample *before, const struct sample *s,
                            uint64_t base, uint64_t *since)
{
  char name[48];
  if (s->done == before->done) return;
  if (s->done == before->done + 1)
    snprintf(name, sizeof name, "descriptor %" PRIu32, before->done);
  else
    snprintf(name, sizeof name, "descriptors %" PRIu32 "..%" PRIu32, before->done, s->done - 1);
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
    add_units(list, before, s, base);
    add_descriptors(list, before, s, base, &since);
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
