/* SPDX-License-Identifier: Apache-2.0 */
#include "examples/digits/digits_report.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool digits_good(const struct digits_report *r)
{
  return r->ran && r->compared > 0 && r->mismatches == 0 && r->same_events;
}

static const char *verdict(const struct digits_report *r)
{
  if (!r->ran) return "fault";
  return digits_good(r) ? "equal" : "different";
}

/* Multiplications that the two layers need, bias rows included; padding does not count. */
static uint64_t macs(const struct digits_report *r)
{
  return (uint64_t)r->images * (DIGITS_K1 * DIGITS_HIDDEN + DIGITS_K2 * DIGITS_CLASSES);
}

static double peak(const struct digits_report *r)
{
  return (double)r->info.t * r->info.t;
}

static double peak_share(const struct digits_report *r)
{
  const uint64_t cycles = r->run.result.cycles;
  return cycles == 0 ? 0 : (double)macs(r) / ((double)cycles * peak(r));
}

static double percent(uint32_t part, uint32_t whole)
{
  return 100.0 * part / whole;
}

/* ---- for people ---- */

static void print_cycles(const struct digits_report *r, FILE *to)
{
  if (!r->info.has_clock) {
    fprintf(to, "  cycles      none: the model has no clock\n");
    return;
  }
  fprintf(to, "  cycles      %" PRIu64 ", %.1f an image, %.1f %% of the peak of %.0f MAC a cycle\n",
          r->run.result.cycles, (double)r->run.result.cycles / r->images, 100 * peak_share(r),
          peak(r));
}

static void print_comparison(const struct digits_report *r, FILE *to)
{
  fprintf(to, "  compared    %" PRIu64 " logits: ", r->compared);
  if (r->model_ran) fprintf(to, "%" PRIu64 " differ from the reference model's, ", r->wrong_model);
  fprintf(to, "%" PRIu64 " from the plain C reference's%s: %s\n", r->wrong_plain,
          r->same_events ? "" : ", event counts differ from the model's", verdict(r));
}

void digits_print(const struct digits_report *r, FILE *to)
{
  const struct digits_run *run = &r->run;
  fprintf(to, "digits: %" PRIu32 " test images on %s\n", r->images, r->device);
  fprintf(to, "  build       T=%" PRIu32 " MAXDIM=%" PRIu32 ", %" PRIu32 "-bit memory port\n",
          r->info.t, r->info.maxdim, r->info.bus_bits);
  fprintf(to,
          "  list        %" PRIu32 " descriptors (%" PRIu32 " programs), %" PRIu32
          " batches, ",
          run->descriptors, run->programs, run->batches);
  if (run->uploads == 1)
    fprintf(to, "one start\n");
  else
    fprintf(to, "%" PRIu32 " uploads with a start each: memory is %" PRIu64 " KiB\n", run->uploads,
            (uint64_t)r->info.memory / 1024);
  if (!r->ran) {
    fprintf(to, "  fault       %s\n", run->result.fault.text);
    return;
  }
  print_cycles(r, to);
  fprintf(to, "  right       %" PRIu32 " of %" PRIu32 " (%.2f %%) in int8 on the device\n",
          r->right_int8, r->images, percent(r->right_int8, r->images));
  fprintf(to, "              %" PRIu32 " of %" PRIu32 " (%.2f %%) in double precision\n",
          r->right_double, r->images, percent(r->right_double, r->images));
  print_comparison(r, to);
}

/* ---- JSON; the keys that all programs share are those of ktpu-run ---- */

static void add_count(cJSON *to, const char *key, uint64_t value)
{
  cJSON_AddNumberToObject(to, key, (double)value);
}

static void add_parameters(cJSON *to, const struct digits_report *r)
{
  const struct ktpu_info *i = &r->info;
  const struct {
    const char *name;
    uint64_t value;
  } list[] = {
      {"T", i->t},
      {"MAXDIM", i->maxdim},
      {"BUS_BITS", i->bus_bits},
      {"SPAD_ROWS", i->spad_rows},
      {"NVR", i->nvr},
      {"NAR", i->nar},
      {"IMEM_SIZE", i->imem_size},
      {"QD", i->qd},
      {"OUTSTANDING", i->outstanding},
      {"CONTRACTS", i->contracts},
      {"STRIDES", i->strides},
      {"COUNTERS", i->counters},
      {"SERIAL_SHIFT", i->serial_shift},
      {"ADDR_BITS", i->addr_bits},
      {"latency", r->options.latency},
      {"stall_seed", r->options.stall_seed},
      {"memory", i->memory},
  };
  cJSON *p = cJSON_AddObjectToObject(to, "parameters");
  for (size_t n = 0; n < sizeof list / sizeof list[0]; n++)
    add_count(p, list[n].name, list[n].value);
}

static void add_work(cJSON *to, const struct digits_report *r)
{
  add_count(to, "cycles", r->run.result.cycles);
  add_count(to, "programs", r->run.result.programs);
  add_count(to, "macs", macs(r));
  cJSON_AddNumberToObject(to, "peak_macs_per_cycle", peak(r));
  if (r->run.result.cycles > 0)
    cJSON_AddNumberToObject(to, "peak_share", peak_share(r));
  else
    cJSON_AddNullToObject(to, "peak_share");
  cJSON_AddNullToObject(to, "modelled_cycles");
}

static void add_comparison(cJSON *to, const struct digits_report *r)
{
  add_count(to, "compared", r->compared);
  add_count(to, "mismatches", r->mismatches);
  cJSON_AddStringToObject(to, "verdict", verdict(r));

  cJSON *faults = cJSON_AddArrayToObject(to, "faults");
  if (r->run.result.fault.code == 0) return;
  cJSON *fault = cJSON_CreateObject();
  cJSON_AddStringToObject(fault, "node", "int8");
  add_count(fault, "code", r->run.result.fault.code);
  cJSON_AddStringToObject(fault, "text", r->run.result.fault.text);
  cJSON_AddItemToArray(faults, fault);
}

static void add_counters(cJSON *to, const struct digits_report *r)
{
  cJSON *events = cJSON_AddObjectToObject(to, "events");
  add_count(events, "saturations", r->run.result.saturations);
  add_count(events, "wraps", r->run.result.wraps);

  cJSON *stalls = cJSON_AddObjectToObject(to, "stalls");
  for (unsigned u = 0; u < KTPU_UNITS; u++) {
    cJSON *unit = cJSON_AddObjectToObject(stalls, ktpu_unit_name(u));
    for (unsigned s = 0; s < KTPU_STATES; s++)
      add_count(unit, ktpu_state_name(s), r->run.result.stalls[u][s]);
  }
}

static void add_digits(cJSON *to, const struct digits_report *r)
{
  add_count(to, "images", r->images);
  add_count(to, "uploads", r->run.uploads);
  add_count(to, "batches", r->run.batches);
  add_count(to, "descriptors", r->run.descriptors);
  add_count(to, "distinct_programs", r->run.programs);
  add_count(to, "mismatches_model", r->wrong_model);
  add_count(to, "mismatches_plain", r->wrong_plain);
  add_count(to, "right_int8", r->right_int8);
  add_count(to, "right_double", r->right_double);
  cJSON_AddNumberToObject(to, "accuracy_int8", percent(r->right_int8, r->images) / 100);
  cJSON_AddNumberToObject(to, "accuracy_double", percent(r->right_double, r->images) / 100);
}

static cJSON *to_json(const struct digits_report *r)
{
  char shape[80];
  snprintf(shape, sizeof shape, "%" PRIu32 "x%dx%d,%" PRIu32 "x%dx%d", r->images, DIGITS_K1,
           DIGITS_HIDDEN, r->images, DIGITS_K2, DIGITS_CLASSES);

  cJSON *top = cJSON_CreateObject();
  cJSON_AddStringToObject(top, "shape", shape);
  cJSON_AddStringToObject(top, "engine", "int8");
  cJSON_AddStringToObject(top, "config", r->info.config);
  cJSON_AddStringToObject(top, "device", r->device);
  cJSON_AddNullToObject(top, "seed");
  add_parameters(top, r);
  add_work(top, r);
  add_comparison(top, r);
  add_counters(top, r);
  cJSON_AddNumberToObject(top, "wall_s", r->wall_s);
  add_count(top, "simulated_cycles", r->simulated_cycles);
  add_digits(top, r);
  return top;
}

enum kt_status digits_write_json(const struct digits_report *r, const char *path,
                                 struct kt_msg *msg)
{
  cJSON *json = to_json(r);
  char *text = cJSON_Print(json);
  cJSON_Delete(json);
  if (text == NULL) return KT_ENOMEM;

  FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  bool good = f != NULL && fprintf(f, "%s\n", text) > 0;
  if (f != NULL && f != stdout && fclose(f) != 0) good = false;
  free(text);
  if (!good) kt_msg_set(msg, "%s: cannot be written", path);
  return good ? KT_OK : KT_EIO;
}
