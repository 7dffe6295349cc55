/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run: what people read, and the JSON object.
 */
#include "host/tools/run.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void run_tell(const struct ktpu_message *m)
{
  if (m->text[0] != '\0') fprintf(stderr, "ktpu-run: %s\n", m->text);
}

static double peak(const struct run_report *r)
{
  return (double)r->info.t * r->info.t;
}

static double share(const struct run_report *r, uint64_t cycles)
{
  return cycles == 0 ? 0 : (double)r->macs / ((double)cycles * peak(r));
}

static const char *form_text(const struct run_form *f, char *text, size_t n)
{
  if (f->out == KTPU_INT32) return "int32";
  if (f->shift == 0) return "int8";
  snprintf(text, n, "int8 >> %" PRIu32, f->shift);
  return text;
}

static void print_cycles(const struct run_report *r)
{
  char text[32];
  for (unsigned i = 0; i < r->n_forms; i++)
    printf("%-11s %12" PRIu64 " cycles  %6.2f %% of peak\n",
           form_text(&r->forms[i], text, sizeof text), r->cycles[i],
           100 * share(r, r->cycles[i]));
}

void run_print(const struct run_options *o, const struct run_report *r)
{
  if (isatty(STDERR_FILENO) && !o->quiet) fprintf(stderr, "\r\033[K");
  if (r->message.text[0] != '\0') fprintf(stderr, "ktpu-run: %s\n", r->message.text);
  if (o->quiet || r->n_forms == 0) return;
  printf("%s on %s (T=%" PRIu32 ", MAXDIM=%" PRIu32 ", %" PRIu32 "-bit bus, latency %" PRIu32
         ", seed %" PRIu64 ")\n",
         r->shape, o->device, r->info.t, r->info.maxdim, r->info.bus_bits, o->link.latency,
         o->seed);
  if (r->info.has_clock) print_cycles(r);
  if (r->compared != 0)
    printf("compared    %12" PRIu64 " elements, %" PRIu64 " differ, %.1f %% did not saturate\n",
           r->compared, r->mismatches, 100.0 * (double)r->unsaturated / (double)r->compared);
  printf("%s (%" PRIu32 " program%s, %" PRIu64 " descriptor%s, %.2f s)\n", r->verdict,
         r->result.programs, r->result.programs == 1 ? "" : "s", r->result.descriptors,
         r->result.descriptors == 1 ? "" : "s", r->wall_s);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static void add_u64(cJSON *to, const char *key, uint64_t v)
{
  cJSON_AddNumberToObject(to, key, (double)v);
}

static void add_parameters(cJSON *root, const struct run_options *o, const struct run_report *r)
{
  cJSON *p = cJSON_AddObjectToObject(root, "parameters");
  add_u64(p, "T", r->info.t);
  add_u64(p, "MAXDIM", r->info.maxdim);
  add_u64(p, "BUS_BITS", r->info.bus_bits);
  add_u64(p, "SPAD_ROWS", r->info.spad_rows);
  add_u64(p, "NVR", r->info.nvr);
  add_u64(p, "NAR", r->info.nar);
  add_u64(p, "IMEM_SIZE", r->info.imem_size);
  add_u64(p, "QD", r->info.qd);
  add_u64(p, "OUTSTANDING", r->info.outstanding);
  add_u64(p, "CONTRACTS", r->info.contracts);
  add_u64(p, "STRIDES", r->info.strides);
  add_u64(p, "COUNTERS", r->info.counters);
  add_u64(p, "SERIAL_SHIFT", r->info.serial_shift);
  add_u64(p, "ADDR_BITS", r->info.addr_bits);
  add_u64(p, "latency", o->link.latency);
  add_u64(p, "bandwidth", o->link.bandwidth);
  add_u64(p, "stall_seed", o->link.stall_seed);
  add_u64(p, "memory", r->info.memory);
  cJSON_AddStringToObject(p, "out", o->out == KTPU_INT32 ? "int32" : "int8");
  add_u64(p, "shift", o->shift);
  cJSON_AddBoolToObject(p, "relu", o->relu);
}

static void add_faults(cJSON *root, const struct run_report *r)
{
  cJSON *list = cJSON_AddArrayToObject(root, "faults");
  if (r->result.fault.code == 0) return;
  cJSON *f = cJSON_CreateObject();
  cJSON_AddStringToObject(f, "node", "int8");
  add_u64(f, "code", r->result.fault.code);
  cJSON_AddStringToObject(f, "text", r->result.fault.text);
  cJSON_AddItemToArray(list, f);
}

static void add_stalls(cJSON *root, const struct run_report *r)
{
  cJSON *units = cJSON_AddObjectToObject(root, "stalls");
  for (unsigned u = 0; u < KTPU_UNITS; u++) {
    cJSON *unit = cJSON_AddObjectToObject(units, ktpu_unit_name(u));
    for (unsigned s = 0; s < KTPU_STATES; s++)
      add_u64(unit, ktpu_state_name(s), r->result.stalls[u][s]);
  }
}

static cJSON *make_json(const struct run_options *o, const struct run_report *r)
{
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "shape", r->shape);
  cJSON_AddStringToObject(root, "engine", "int8"); /* the only one */
  cJSON_AddStringToObject(root, "config", r->info.config);
  cJSON_AddStringToObject(root, "device", o->device);
  add_u64(root, "seed", o->seed);
  add_parameters(root, o, r);
  add_u64(root, "cycles", r->result.cycles);
  add_u64(root, "programs", r->result.programs);
  add_u64(root, "macs", r->macs);
  cJSON_AddNumberToObject(root, "peak_macs_per_cycle", peak(r));
  cJSON_AddNumberToObject(root, "peak_share", share(r, r->result.cycles));
  cJSON_AddNullToObject(root, "modelled_cycles"); /* this engine has no timed model */
  add_u64(root, "compared", r->compared);
  add_u64(root, "mismatches", r->mismatches);
  cJSON_AddStringToObject(root, "verdict", r->verdict);
  add_faults(root, r);
  cJSON *events = cJSON_AddObjectToObject(root, "events");
  add_u64(events, "saturations", r->result.saturations);
  add_u64(events, "wraps", r->result.wraps);
  add_stalls(root, r);
  cJSON_AddNumberToObject(root, "wall_s", r->wall_s);
  add_u64(root, "simulated_cycles", r->simulated_cycles);
  return root;
}

bool run_write_text(const char *path, const char *text)
{
  FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
  bool good = f != NULL && fprintf(f, "%s\n", text) > 0;
  if (f != NULL && f != stdout) good = fclose(f) == 0 && good;
  if (!good) fprintf(stderr, "ktpu-run: %s cannot be written\n", path);
  return good;
}

bool run_write_json(const struct run_options *o, const struct run_report *r)
{
  cJSON *root = make_json(o, r);
  char *text = cJSON_Print(root);
  const bool good = text != NULL && run_write_text(o->json, text);
  free(text);
  cJSON_Delete(root);
  return good;
}
