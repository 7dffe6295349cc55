/* SPDX-License-Identifier: Apache-2.0 */
/* ktpu-digits: classifies the test part of the handwritten digits on a device, in one descriptor
 * list where memory holds all images, compares every logit with the reference model's and with plain
 * C, and prints the accuracy.
 */
#include <argp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "examples/digits/digits_report.h"

enum { EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2 };

struct arguments {
  const char *device, *data, *json;
  uint32_t images; /* 0: the whole test part */
  struct ktpu_options options;
};

typedef int32_t logits_row[DIGITS_CLASSES];

/* ---- arguments ---- */

static uint32_t number(const char *text, struct argp_state *state)
{
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value > UINT32_MAX)
    argp_error(state, "%s: not a number", text);
  return (uint32_t)value;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  switch (key) {
  case 'd':
    a->device = arg;
    return 0;
  case 'D':
    a->data = arg;
    return 0;
  case 'j':
    a->json = arg;
    return 0;
  case 'n':
    a->images = number(arg, state);
    if (a->images == 0) argp_error(state, "--images is at least 1");
    return 0;
  case 'l':
    a->options.latency = number(arg, state);
    return 0;
  case 's':
    a->options.stall_seed = number(arg, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void parse(int argc, char **argv, struct arguments *a)
{
  static const struct argp_option table[] = {
      {"device", 'd', "DEV", 0,
       "ref:CONFIG, sim:CONFIG or ftdi:BOARD, parameters after it (default sim:int8)", 0},
      {"images", 'n', "N", 0, "only the first N images of the test part", 0},
      {"data", 'D', "DIR", 0, "the data files (default examples/digits/data)", 0},
      {"latency", 'l', "N", 0, "sim: cycles of latency of the memory", 0},
      {"stalls", 's', "SEED", 0, "sim: random stalls on the memory port, drawn from SEED", 0},
      {"json", 'j', "FILE", 0, "write the figures as JSON to FILE, - for standard output", 0},
      {NULL, 0, NULL, 0, NULL, 0},
  };
  static const char *doc = "Classifies handwritten digits on a device and checks every logit.\v"
                           "Exit status: 0 all equal, 1 a difference or a fault, 2 it could not be "
                           "tried, 64 wrong usage.";
  const struct argp parser = {table, parse_option, NULL, doc, NULL, NULL, NULL};
  argp_parse(&parser, argc, argv, 0, NULL, a);
}

/* ---- running ---- */

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static enum kt_status open_device(const char *name, const struct ktpu_options *options,
                                  struct ktpu_device **device, struct kt_msg *msg)
{
  struct ktpu_message why = {""};
  enum ktpu_status st = ktpu_open(name, options, device, &why);
  if (st != KTPU_OK) kt_msg_set(msg, "%s: %s: %s", name, ktpu_strerror(st), why.text);
  return (enum kt_status)st;
}

/* On the device that was asked for. A fault is not a failure here: r->ran tells. */
static enum kt_status run_device(const struct digits_data *data, struct digits_report *r,
                                 logits_row *logits, struct kt_msg *msg)
{
  struct ktpu_device *device;
  enum kt_status st = open_device(r->device, &r->options, &device, msg);
  if (st != KT_OK) return st;

  double start = seconds();
  struct ktpu_stats stats = {0};
  ktpu_info(device, &r->info);
  st = digits_run_all(device, data, data->train_images, r->images, logits, &r->run, msg);
  r->ran = st == KT_OK;
  if (st == KT_EFAULT && r->run.result.fault.code != 0) st = KT_OK;
  if (ktpu_stats(device, &stats) == KTPU_OK) r->simulated_cycles = stats.simulated_cycles;
  r->wall_s = seconds() - start;
  ktpu_close(device);
  return st;
}

/* On the reference model of the same build. */
static enum kt_status run_model(const struct digits_data *data, struct digits_report *r,
                                logits_row *logits, struct kt_msg *msg)
{
  char name[sizeof r->info.config + sizeof r->info.parameters + 8];
  const char *list = strchr(r->info.parameters, ':');
  snprintf(name, sizeof name, "ref:%s,%s", r->info.config,
           list == NULL ? r->info.parameters : list + 1);

  struct ktpu_device *model;
  struct digits_run run = {0};
  enum kt_status st = open_device(name, NULL, &model, msg);
  if (st != KT_OK) return st;
  st = digits_run_all(model, data, data->train_images, r->images, logits, &run, msg);
  ktpu_close(model);

  r->model_ran = st == KT_OK;
  r->same_events = run.result.saturations == r->run.result.saturations &&
                   run.result.wraps == r->run.result.wraps &&
                   run.result.descriptors == r->run.result.descriptors;
  return st;
}

/* ---- judging ---- */

static void judge_image(const struct digits_data *data, uint32_t image, const logits_row device,
                        const logits_row model, struct digits_report *r)
{
  int32_t plain[DIGITS_CLASSES];
  double real[DIGITS_CLASSES];
  digits_logits_int8(&data->int8, data->pixels[image], plain);
  digits_logits_double(&data->real, data->pixels[image], real);

  for (int n = 0; n < DIGITS_CLASSES; n++) {
    const bool off_plain = device[n] != plain[n];
    const bool off_model = r->model_ran && device[n] != model[n];
    r->compared++;
    r->wrong_plain += off_plain;
    r->wrong_model += off_model;
    r->mismatches += off_plain || off_model;
  }
  r->right_int8 += digits_class_int8(device) == data->labels[image];
  r->right_double += digits_class_double(real) == data->labels[image];
}

static enum kt_status classify(const struct digits_data *data, struct digits_report *r,
                               struct kt_msg *msg)
{
  logits_row *device = calloc(r->images, sizeof *device);
  logits_row *model = calloc(r->images, sizeof *model);
  enum kt_status st = device != NULL && model != NULL ? KT_OK : KT_ENOMEM;

  if (st == KT_OK) st = run_device(data, r, device, msg);
  r->same_events = true;
  if (st == KT_OK && r->ran && strncmp(r->device, "ref:", 4) != 0)
    st = run_model(data, r, model, msg);
  for (uint32_t i = 0; st == KT_OK && r->ran && i < r->images; i++)
    judge_image(data, data->train_images + i, device[i], model[i], r);

  free(device);
  free(model);
  return st;
}

static int work(const struct arguments *a, struct digits_data *data, struct kt_msg *msg)
{
  if (digits_load(data, a->data, msg) != KT_OK) return EXIT_TROUBLE;
  uint32_t test = DIGITS_IMAGES - data->train_images;
  if (a->images > test) {
    kt_msg_set(msg, "--images %u: the test part has %u", (unsigned)a->images, (unsigned)test);
    return EXIT_TROUBLE;
  }

  struct digits_report report = {.device = a->device, .options = a->options};
  report.images = a->images == 0 ? test : a->images;
  if (classify(data, &report, msg) != KT_OK) return EXIT_TROUBLE;
  const bool json_only = a->json != NULL && strcmp(a->json, "-") == 0;
  digits_print(&report, json_only ? stderr : stdout);
  if (a->json != NULL && digits_write_json(&report, a->json, msg) != KT_OK) return EXIT_TROUBLE;
  return digits_good(&report) ? EXIT_SUCCESS : EXIT_DIFFERENT;
}

int main(int argc, char **argv)
{
  struct arguments a = {.device = "sim:int8", .data = "examples/digits/data"};
  struct kt_msg msg = {"out of memory"};
  parse(argc, argv, &a);

  struct digits_data *data = malloc(sizeof *data);
  int code = data == NULL ? EXIT_TROUBLE : work(&a, data, &msg);
  free(data);
  if (code == EXIT_TROUBLE) fprintf(stderr, "ktpu-digits: %s\n", msg.text);
  return code;
}
