/* SPDX-License-Identifier: Apache-2.0
 *
 * Layer 1: C1 = relu(A1 * W1) of images x 65 x 32, int8 after the rounding shift; A1's last column
 * holds constant1, W1's last row the biases. Layer 2: C2 = A2 * W2 of images x 33 x 10, int32.
 * A2 is C1's buffer: layer 1 writes its columns 0..31, column 32 holds constant2 from the start and
 * no descriptor writes it. The first descriptor of layer 2 is the fence between the two.
 */
#include "examples/digits/digits_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/schedule/kc_gemm_plan.h"
#include "spec/kt_insn.h"
#include "spec/kt_params.h"

/* What all padding holds, so that an answer which depends on it is wrong. */
enum { PADDING = 0x5A };

enum { MATRIX_A1, MATRIX_W1, MATRIX_A2, MATRIX_W2, MATRIX_C2, MATRICES };

/* A matrix on the device. Element (r, c) lies at base + r * stride + c / maxdim * panel +
 * c % maxdim * element. A build with strides has it row-major; one without in panels of MAXDIM
 * columns. */
struct matrix {
  uint32_t base, stride, panel, maxdim, element; /* bytes; maxdim: elements */
  uint32_t bytes;
};

struct layer {
  struct kc_plan plan;
  const struct matrix *a, *b, *c;
  uint32_t form, shift;
  uint32_t *programs; /* device address of each of plan's programs */
};

struct session {
  struct ktpu_device *device;
  struct kt_params params;
  bool strided;
  bool dry; /* memory is only set aside, nothing is written */
  struct matrix matrix[MATRICES];
  struct layer layer[2];
  uint32_t list;
  uint32_t *owned; /* addresses to free */
  size_t n_owned;
  bool failed;
  struct kt_msg *msg;
};

_Static_assert((int)KTPU_EPEER == (int)KT_EPEER, "both status lists are the same");

/* A status of the device as one of ours; msg keeps the first failure. */
static enum kt_status from_device(struct session *s, enum ktpu_status st)
{
  if (st != KTPU_OK && !s->failed) {
    s->failed = true;
    struct ktpu_message text;
    ktpu_message(s->device, &text);
    kt_msg_set(s->msg, "%s: %s", ktpu_strerror(st), text.text);
  }
  return (enum kt_status)st;
}

static uint32_t round_up(uint32_t value, uint32_t unit)
{
  return (value + unit - 1) / unit * unit;
}

static void store_le(uint8_t *to, uint64_t value, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> 8 * i);
}

/* ---- matrices ---- */

static struct matrix layout(const struct session *s, uint32_t rows, uint32_t cols, uint32_t element)
{
  const struct kt_params *p = &s->params;
  struct matrix m = {.maxdim = p->maxdim, .element = element};
  uint32_t bus = p->bus_bits / 8;
  uint32_t unit = p->t * element > bus ? p->t * element : bus; /* both powers of two */

  rows = round_up(rows, p->maxdim); /* a program may read past the last row */
  if (s->strided) {
    m.stride = round_up(cols * element, unit);
    m.panel = p->maxdim * element;
    m.bytes = rows * m.stride;
  } else {
    m.stride = p->maxdim * element;
    m.panel = rows * m.stride;
    m.bytes = round_up(cols, p->maxdim) / p->maxdim * m.panel;
  }
  return m;
}

static uint32_t offset_of(const struct matrix *m, uint32_t row, uint32_t col)
{
  return row * m->stride + col / m->maxdim * m->panel + col % m->maxdim * m->element;
}

static void lay_out(struct session *s, uint32_t images)
{
  uint32_t t = s->params.t;
  s->matrix[MATRIX_A1] = layout(s, images, DIGITS_K1, 1);
  s->matrix[MATRIX_W1] = layout(s, round_up(DIGITS_K1, t), DIGITS_HIDDEN, 1);
  s->matrix[MATRIX_A2] = layout(s, images, DIGITS_K2, 1);
  s->matrix[MATRIX_W2] = layout(s, round_up(DIGITS_K2, t), DIGITS_CLASSES, 1);
  s->matrix[MATRIX_C2] = layout(s, images, DIGITS_CLASSES, 4);
}

/* One row of int8 values into the host's copy of a matrix. */
static void put_row(const struct matrix *m, uint8_t *copy, uint32_t row, const void *values,
                    uint32_t cols)
{
  for (uint32_t c = 0; c < cols; c++) copy[offset_of(m, row, c)] = ((const uint8_t *)values)[c];
}

static void put_inputs(const struct session *s, uint8_t *copy[MATRICES],
                       const struct digits_data *data, uint32_t first, uint32_t images)
{
  const struct matrix *a1 = &s->matrix[MATRIX_A1], *a2 = &s->matrix[MATRIX_A2];
  for (uint32_t r = 0; r < images; r++) {
    put_row(a1, copy[MATRIX_A1], r, data->pixels[first + r], DIGITS_PIXELS);
    copy[MATRIX_A1][offset_of(a1, r, DIGITS_PIXELS)] = (uint8_t)data->int8.constant1;
    copy[MATRIX_A2][offset_of(a2, r, DIGITS_HIDDEN)] = (uint8_t)data->int8.constant2;
  }
}

/* Weights; the rows that fill K up to a multiple of T must be zero. */
static void put_weights(const struct session *s, uint8_t *copy[MATRICES],
                        const struct digits_int8 *net)
{
  static const int8_t zero[DIGITS_HIDDEN];
  const struct matrix *w1 = &s->matrix[MATRIX_W1], *w2 = &s->matrix[MATRIX_W2];
  uint32_t t = s->params.t;

  for (uint32_t k = 0; k < round_up(DIGITS_K1, t); k++)
    put_row(w1, copy[MATRIX_W1], k, k < DIGITS_K1 ? net->w1[k] : zero, DIGITS_HIDDEN);
  for (uint32_t k = 0; k < round_up(DIGITS_K2, t); k++)
    put_row(w2, copy[MATRIX_W2], k, k < DIGITS_K2 ? net->w2[k] : zero, DIGITS_CLASSES);
}

static enum kt_status upload(struct session *s, const void *bytes, size_t size, uint32_t *address)
{
  uint32_t *grown = realloc(s->owned, (s->n_owned + 1) * sizeof *grown);
  if (grown == NULL) return KT_ENOMEM;
  s->owned = grown;

  enum ktpu_status st = ktpu_alloc(s->device, size, address);
  if (st != KTPU_OK) return from_device(s, st);
  s->owned[s->n_owned++] = *address;
  if (s->dry) return KT_OK;
  return from_device(s, ktpu_write(s->device, *address, bytes, size));
}

static enum kt_status upload_matrices(struct session *s, const struct digits_data *data,
                                      uint32_t first, uint32_t images)
{
  uint8_t *copy[MATRICES] = {NULL};
  enum kt_status st = KT_OK;

  for (int i = 0; i < MATRICES && st == KT_OK; i++) {
    copy[i] = malloc(s->matrix[i].bytes);
    if (copy[i] == NULL)
      st = KT_ENOMEM;
    else
      memset(copy[i], PADDING, s->matrix[i].bytes);
  }
  if (st == KT_OK) {
    put_inputs(s, copy, data, first, images);
    put_weights(s, copy, &data->int8);
  }
  for (int i = 0; i < MATRICES && st == KT_OK; i++)
    st = upload(s, copy[i], s->matrix[i].bytes, &s->matrix[i].base);

  for (int i = 0; i < MATRICES; i++) free(copy[i]);
  return st;
}

/* ---- programs and descriptors ---- */

static enum kt_status upload_program(struct session *s, const struct kc_program *program,
                                     uint32_t *address)
{
  uint8_t *bytes = malloc(8 * program->n_words);
  if (bytes == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < program->n_words; i++) store_le(bytes + 8 * i, program->words[i], 8);
  enum kt_status st = upload(s, bytes, 8 * program->n_words, address);
  free(bytes);
  return st;
}

static enum kt_status plan_layer(struct session *s, struct layer *l, uint32_t m, uint32_t k,
                                 uint32_t n, bool relu)
{
  enum kt_status st = kc_gemm_plan(&s->params, m, k, n, l->form, l->shift, relu, &l->plan, s->msg);
  if (st != KT_OK) return st;
  l->programs = calloc(l->plan.n_programs, sizeof *l->programs);
  if (l->programs == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < l->plan.n_programs && st == KT_OK; i++)
    st = upload_program(s, &l->plan.programs[i], &l->programs[i]);
  return st;
}

static enum kt_status plan_layers(struct session *s, uint32_t images, unsigned shift)
{
  struct matrix *m = s->matrix;
  s->layer[0] = (struct layer){.a = &m[MATRIX_A1],
                               .b = &m[MATRIX_W1],
                               .c = &m[MATRIX_A2],
                               .form = KT_FORM_INT8_SHIFT,
                               .shift = shift};
  s->layer[1] = (struct layer){
      .a = &m[MATRIX_A2], .b = &m[MATRIX_W2], .c = &m[MATRIX_C2], .form = KT_FORM_INT32};

  enum kt_status st = plan_layer(s, &s->layer[0], images, DIGITS_K1, DIGITS_HIDDEN, true);
  if (st == KT_OK) st = plan_layer(s, &s->layer[1], images, DIGITS_K2, DIGITS_CLASSES, false);
  return st;
}

static struct kt_desc describe(const struct session *s, const struct layer *l,
                               const struct kc_step *step)
{
  uint32_t t = s->params.t;
  return (struct kt_desc){
      .prog = l->programs[step->program],
      .prog_words = (uint32_t)l->plan.programs[step->program].n_words,
      .a = l->a->base + offset_of(l->a, step->m0, step->k0 - t * step->cb_a),
      .b = l->b->base + offset_of(l->b, step->k0, step->n0 - t * step->cb_b),
      .c = l->c->base + offset_of(l->c, step->m0, step->n0 - t * step->cb_c),
      .stride_a = s->strided ? l->a->stride : 0,
      .stride_b = s->strided ? l->b->stride : 0,
      .stride_c = s->strided ? l->c->stride : 0,
      .form = l->form,
      .shift = l->shift,
      .cont = !step->first,
  };
}

static enum kt_status upload_list(struct session *s, uint32_t *count)
{
  size_t n1 = s->layer[0].plan.n_steps;
  size_t n = n1 + s->layer[1].plan.n_steps;
  uint8_t *bytes = malloc(n * KT_DESC_BYTES);
  if (bytes == NULL) return KT_ENOMEM;

  for (size_t i = 0; i < n; i++) {
    const struct layer *l = &s->layer[i < n1 ? 0 : 1];
    struct kt_desc desc = describe(s, l, &l->plan.steps[i < n1 ? i : i - n1]);
    desc.fence = i == n1;

    uint32_t words[KT_DESC_WORDS];
    kt_desc_pack(&desc, words);
    for (size_t w = 0; w < KT_DESC_WORDS; w++)
      store_le(bytes + i * KT_DESC_BYTES + 4 * w, words[w], 4);
  }
  *count = (uint32_t)n;
  enum kt_status st = upload(s, bytes, n * KT_DESC_BYTES, &s->list);
  free(bytes);
  return st;
}

/* ---- one run ---- */

static enum kt_status download(struct session *s, uint32_t images,
                               int32_t (*logits)[DIGITS_CLASSES])
{
  const struct matrix *c = &s->matrix[MATRIX_C2];
  uint8_t *bytes = malloc(c->bytes);
  if (bytes == NULL) return KT_ENOMEM;

  enum kt_status st = from_device(s, ktpu_read(s->device, c->base, bytes, c->bytes));
  for (uint32_t r = 0; r < images && st == KT_OK; r++)
    for (uint32_t n = 0; n < DIGITS_CLASSES; n++) {
      const uint8_t *at = bytes + offset_of(c, r, n);
      uint32_t value = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
      logits[r][n] = (int32_t)value;
    }
  free(bytes);
  return st;
}

static enum kt_status read_params(struct session *s)
{
  struct ktpu_info info;
  enum kt_status st = from_device(s, ktpu_info(s->device, &info));
  if (st != KT_OK) return st;

  const char *list = strchr(info.parameters, ':');
  st = kt_params_parse(&s->params, list == NULL ? info.parameters : list + 1, s->msg);
  s->strided = s->params.strides && s->params.maxdim % (s->params.bus_bits / 8) == 0;
  return st;
}

static enum kt_status prepare(struct session *s, const struct digits_data *data, uint32_t first,
                              uint32_t images, struct digits_run *run)
{
  enum kt_status st = read_params(s);
  if (st != KT_OK) return st;
  lay_out(s, images);
  st = upload_matrices(s, data, first, images);
  if (st == KT_OK) st = plan_layers(s, images, data->int8.shift);
  if (st == KT_OK) st = upload_list(s, &run->descriptors);
  if (st != KT_OK) return st;

  const struct kc_plan *plan = &s->layer[0].plan;
  run->batches = (images + plan->block_m - 1) / plan->block_m;
  run->programs = (uint32_t)(plan->n_programs + s->layer[1].plan.n_programs);
  return KT_OK;
}

/* Frees everything; a guard that was overwritten shows here (KT_EIO). */
static enum kt_status release(struct session *s)
{
  enum kt_status st = KT_OK;
  for (size_t i = 0; i < s->n_owned; i++) {
    enum kt_status freed = from_device(s, ktpu_free(s->device, s->owned[i]));
    if (st == KT_OK) st = freed;
  }
  free(s->owned);
  for (int i = 0; i < 2; i++) {
    kc_plan_free(&s->layer[i].plan);
    free(s->layer[i].programs);
  }
  return st;
}

enum kt_status digits_run(struct ktpu_device *device, const struct digits_data *data,
                          uint32_t first, uint32_t count, int32_t (*logits)[DIGITS_CLASSES],
                          struct digits_run *run, struct kt_msg *msg)
{
  if (count == 0 || first >= DIGITS_IMAGES || count > DIGITS_IMAGES - first) {
    kt_msg_set(msg, "images %u..+%u are not within 0..%d", first, count, DIGITS_IMAGES - 1);
    return KT_EINVAL;
  }
  struct session s = {.device = device, .msg = msg};
  *run = (struct digits_run){.uploads = 1};

  enum kt_status st = prepare(&s, data, first, count, run);
  if (st == KT_OK) st = from_device(&s, ktpu_run(device, s.list, run->descriptors, &run->result));
  if (st == KT_OK) st = download(&s, count, logits);
  enum kt_status released = release(&s);
  return st == KT_OK ? released : st;
}

/* ---- several uploads ---- */

/* The most of `count` images whose buffers memory holds at once; 0: not one. */
static uint32_t fitting(struct ktpu_device *device, const struct digits_data *data, uint32_t first,
                        uint32_t count)
{
  while (count > 0) {
    struct kt_msg msg = {""};
    struct digits_run run;
    struct session s = {.device = device, .dry = true, .msg = &msg};
    enum kt_status st = prepare(&s, data, first, count, &run);
    uint32_t unit = s.params.maxdim;
    enum kt_status released = release(&s);
    if (st != KT_ENOMEM || released != KT_OK) break; /* a real failure shows in the run itself */
    count = (count - 1) / unit * unit;
  }
  return count;
}

static void add_result(struct ktpu_result *sum, const struct ktpu_result *r)
{
  sum->cycles += r->cycles;
  sum->programs += r->programs;
  sum->descriptors += r->descriptors;
  sum->saturations += r->saturations;
  sum->wraps += r->wraps;
  for (unsigned u = 0; u < KTPU_UNITS; u++)
    for (unsigned i = 0; i < KTPU_STATES; i++) sum->stalls[u][i] += r->stalls[u][i];
  sum->fault = r->fault;
}

enum kt_status digits_run_all(struct ktpu_device *device, const struct digits_data *data,
                              uint32_t first, uint32_t count, int32_t (*logits)[DIGITS_CLASSES],
                              struct digits_run *run, struct kt_msg *msg)
{
  const uint32_t most = fitting(device, data, first, count);
  enum kt_status st = KT_OK;
  *run = (struct digits_run){0};

  for (uint32_t done = 0; done < count && st == KT_OK;) {
    struct digits_run one;
    const uint32_t left = count - done, n = most > 0 && most < left ? most : left;
    st = digits_run(device, data, first + done, n, logits + done, &one, msg);
    run->uploads++;
    run->batches += one.batches;
    run->descriptors += one.descriptors;
    if (one.programs > run->programs) run->programs = one.programs;
    add_result(&run->result, &one.result);
    done += n;
  }
  return st;
}
