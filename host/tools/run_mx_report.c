/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run gemm --engine mxfp7: what people read, and the JSON object.
 */
#include "host/tools/run_mx.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static double share(const struct run_mx_report *r, uint64_t cycles)
{
  const double macs = (double)r->m * r->k * r->n;
  return cycles == 0 ? 0 : macs / ((double)cycles * r->info.peak);
}

/* The independent budgets of a run, in cycles: each alone would take so long. One cluster without a
 * mesh has three of the five. */
struct budget {
  const char *name, *key;
  uint64_t cycles;
};

enum { BUDGETS = 3 };

static const struct budget *budgets(const struct run_mx_report *r, unsigned form,
                                    struct budget b[BUDGETS])
{
  const struct ktpu_mx_result *x = &r->result[form];
  const uint64_t steps = (uint64_t)((r->m + 3) / 4) * ((r->n + 3) / 4) * ((r->k + 31) / 32);
  const struct budget *most = &b[0];
  b[0] = (struct budget){"array", "array", steps * 32 / (r->info.kslice ? r->info.kslice : 32)};
  b[1] = (struct budget){"memory read", "memory_read", x->read_beats};
  b[2] = (struct budget){"memory write", "memory_write", x->write_beats};
  for (unsigned i = 1; i < BUDGETS; i++)
    if (b[i].cycles > most->cycles) most = &b[i];
  return most;
}

static void print_form(const struct run_mx_report *r, unsigned i)
{
  const struct ktpu_mx_result *x = &r->result[i];
  struct budget b[BUDGETS];
  const struct budget *most = budgets(r, i, b);
  printf("%-11s %12" PRIu64 " cycles  %6.2f %% of peak   largest budget: %s, %" PRIu64
         " cycles (run: %.3f of it)\n",
         r->forms[i] == KTPU_MX_F32 ? "binary32" : "binary16", x->cycles,
         100 * share(r, x->cycles), most->name, most->cycles,
         most->cycles == 0 ? 0 : (double)x->cycles / (double)most->cycles);
}

/* Where the first form's cycles went. */
static void print_sweep(const struct run_mx_report *r)
{
  const struct ktpu_mx_result *x = &r->result[0];
  printf("array       ");
  for (unsigned s = 0; s < KTPU_MX_SWEEP_STATES; s++)
    if (x->sweep[s] != 0)
      printf(" %s %.2f %%", ktpu_mx_sweep_name(s), 100.0 * (double)x->sweep[s] / (double)x->cycles);
  printf("\n");
}

static void print_events(const struct ktpu_mx_events *e)
{
  if (e->overflow + e->clamped + e->flushed + e->nan + e->poisoned == 0) return;
  printf("events       %" PRIu64 " overflow, %" PRIu64 " clamped, %" PRIu64 " flushed, %" PRIu64
         " NaN, %" PRIu64 " poisoned blocks\n",
         e->overflow, e->clamped, e->flushed, e->nan, e->poisoned);
}

void run_mx_print(const struct run_options *o, const struct run_mx_report *r)
{
  if (r->message.text[0] != '\0') fprintf(stderr, "ktpu-run: %s\n", r->message.text);
  if (o->quiet || r->n_forms == 0) return;
  printf("%s on %s (MXFP7, %s, %" PRIu32 " MAC/cycle, latency %" PRIu32 ", SK 1, seed %" PRIu64
         ")\n",
         r->shape, o->device, o->prequantised ? "pre-quantised" : "binary16 quantised on the way",
         r->info.peak, o->link.latency, o->seed);
  if (r->info.has_clock) {
    for (unsigned i = 0; i < r->n_forms; i++)
      if (r->result[i].cycles != 0) print_form(r, i);
    if (r->result[0].cycles != 0) print_sweep(r);
    if (r->modelled != 0) printf("modelled    %12" PRIu64 " cycles\n", r->modelled);
  }
  if (r->info.has_clock && r->result[0].quantise_cycles != 0)
    printf("quantised   %12" PRIu64 " cycles before it, A and B once\n",
           r->result[0].quantise_cycles);
  if (r->compared != 0)
    printf("compared    %12" PRIu64 " elements: %" PRIu64 " differ from the numerics, %" PRIu64
           " from the machine model\n",
           r->compared, r->mismatches, r->machine_mismatches);
  print_events(&r->events);
  printf("%s (%" PRIu32 " program%s, %" PRIu64 " instructions, %.2f s)\n", r->verdict,
         r->result[0].programs, r->result[0].programs == 1 ? "" : "s", r->result[0].instructions,
         r->wall_s);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static void add_u64(cJSON *to, const char *key, uint64_t v)
{
  cJSON_AddNumberToObject(to, key, (double)v);
}

static void add_parameters(cJSON *root, const struct run_options *o, const struct run_mx_report *r)
{
  cJSON *p = cJSON_AddObjectToObject(root, "parameters");
  add_u64(p, "KSLICE", r->info.kslice);
  add_u64(p, "PACKED", r->info.packed);
  add_u64(p, "ACC_MW", r->info.acc_mw);
  add_u64(p, "L1_ENTRIES", r->info.l1_entries);
  add_u64(p, "TILES", r->info.tiles);
  add_u64(p, "IFIFO", r->info.ififo);
  add_u64(p, "STAGING", r->info.staging);
  add_u64(p, "COMMANDS", r->info.commands);
  add_u64(p, "OUTSTANDING", r->info.outstanding);
  add_u64(p, "BUS_BITS", r->info.bus_bits);
  add_u64(p, "ADDR_BITS", r->info.addr_bits);
  add_u64(p, "latency", o->link.latency);
  add_u64(p, "bandwidth", o->link.bandwidth);
  add_u64(p, "stall_seed", o->link.stall_seed);
  add_u64(p, "memory", r->info.memory);
  cJSON_AddStringToObject(p, "out", o->out_mx == KTPU_MX_F32 ? "f32" : "f16");
  cJSON_AddBoolToObject(p, "prequantised", o->prequantised);
  add_u64(p, "sk", 1);
}

static void add_faults(cJSON *root, const struct ktpu_mx_fault *fault)
{
  cJSON *list = cJSON_AddArrayToObject(root, "faults");
  if (fault->code == 0) return;
  cJSON *f = cJSON_CreateObject();
  add_u64(f, "node", fault->node);
  add_u64(f, "code", fault->code);
  cJSON_AddStringToObject(f, "text", fault->text);
  cJSON_AddItemToArray(list, f);
}

static void add_events(cJSON *root, const char *key, const struct ktpu_mx_events *e)
{
  cJSON *events = cJSON_AddObjectToObject(root, key);
  add_u64(events, "overflow", e->overflow);
  add_u64(events, "clamped", e->clamped);
  add_u64(events, "flushed", e->flushed);
  add_u64(events, "nan", e->nan);
  add_u64(events, "poisoned", e->poisoned);
}

static void add_time(cJSON *root, const struct run_mx_report *r)
{
  const struct ktpu_mx_result *x = &r->result[0];
  struct budget b[BUDGETS];
  (void)budgets(r, 0, b);
  cJSON *stalls = cJSON_AddObjectToObject(root, "stalls");
  cJSON *sweep = cJSON_AddObjectToObject(stalls, "array");
  for (unsigned s = 0; s < KTPU_MX_SWEEP_STATES; s++)
    add_u64(sweep, ktpu_mx_sweep_name(s), x->sweep[s]);
  cJSON *all = cJSON_AddObjectToObject(root, "budgets");
  for (unsigned i = 0; i < BUDGETS; i++) add_u64(all, b[i].key, b[i].cycles);
  cJSON_AddNullToObject(all, "mesh_in"); /* one cluster, no mesh */
  cJSON_AddNullToObject(all, "mesh_out");
}

static cJSON *make_json(const struct run_options *o, const struct run_mx_report *r)
{
  const struct ktpu_mx_result *x = &r->result[0];
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "shape", r->shape);
  cJSON_AddStringToObject(root, "engine", "mxfp7");
  cJSON_AddStringToObject(root, "config", r->info.config);
  cJSON_AddStringToObject(root, "device", o->device);
  add_u64(root, "seed", o->seed);
  add_parameters(root, o, r);
  add_u64(root, "cycles", x->cycles);
  add_u64(root, "quantise_cycles", x->quantise_cycles);
  add_u64(root, "programs", x->programs);
  add_u64(root, "macs", (uint64_t)r->m * r->k * r->n);
  add_u64(root, "peak_macs_per_cycle", r->info.peak);
  cJSON_AddNumberToObject(root, "peak_share", share(r, x->cycles));
  if (r->modelled != 0)
    add_u64(root, "modelled_cycles", r->modelled);
  else
    cJSON_AddNullToObject(root, "modelled_cycles");
  add_u64(root, "compared", r->compared);
  add_u64(root, "mismatches", r->mismatches + r->machine_mismatches);
  cJSON_AddStringToObject(root, "verdict", r->verdict);
  add_faults(root, &x->fault);
  add_events(root, "events", &r->events);
  add_events(root, "raw", &x->raw);
  add_time(root, r);
  cJSON_AddNumberToObject(root, "wall_s", r->wall_s);
  add_u64(root, "simulated_cycles", r->simulated_cycles);
  return root;
}

bool run_mx_write_json(const struct run_options *o, const struct run_mx_report *r)
{
  cJSON *root = make_json(o, r);
  char *text = cJSON_Print(root);
  const bool good = text != NULL && run_write_text(o->json, text);
  free(text);
  cJSON_Delete(root);
  return good;
}
