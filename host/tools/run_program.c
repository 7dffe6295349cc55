/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-run program: one program, or a list of them, on matrices of MAXDIM x MAXDIM.
 *
 * --chain LIST.json is an array; each object is one more descriptor after FILE in the same list:
 *   program   path of text or binary, relative to the working directory
 *   a, b      .npy files; FILE's matrices when absent
 *   continue  whether it goes on with what the one before left on chip (true)
 *   fence     whether its reads wait for all earlier writes (false)
 * All descriptors write the same C.
 */
#include "host/tools/run.h"

#include "compiler/bytes/kc_file.h"
#include "spec/generated/kt_tinytpu.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 64 };

struct step {
  struct kc_program program;
  struct kd_array a, b; /* empty: the first step's */
  bool cont, fence;
};

struct list {
  struct kt_params params;
  struct step steps[MOST_STEPS];
  size_t n;
  struct kd_array c0; /* empty: zeros */
};

/* ---- on a device ------------------------------------------------------------------------------- */

struct place {
  uint64_t program, a, b;
};

static enum kt_status put(struct ktpu_device *d, const void *data, size_t bytes, uint64_t *addr)
{
  const enum kt_status st = kd_alloc(d, bytes != 0 ? bytes : 8, addr);
  return st != KT_OK ? st : kd_write(d, *addr, data, bytes);
}

static enum kt_status put_step(struct ktpu_device *d, const struct step *s,
                               const struct place *first, struct place *at)
{
  const size_t bytes = (size_t)d->link.params.maxdim * d->link.params.maxdim;
  *at = *first;
  enum kt_status st = put(d, s->program.words, 8 * s->program.n_words, &at->program);
  if (st == KT_OK && s->a.data != NULL) st = put(d, s->a.data, bytes, &at->a);
  if (st == KT_OK && s->b.data != NULL) st = put(d, s->b.data, bytes, &at->b);
  return st;
}

static struct kt_desc describe(const struct step *s, const struct place *at, uint64_t c,
                               const struct run_form *form)
{
  const uint32_t narrow = form->shift != 0 ? KT_FORM_INT8_SHIFT : KT_FORM_INT8;
  return (struct kt_desc){
      .prog = (uint32_t)at->program,
      .prog_words = (uint32_t)s->program.n_words,
      .a = (uint32_t)at->a,
      .b = (uint32_t)at->b,
      .c = (uint32_t)c,
      .form = form->out == KTPU_INT32 ? KT_FORM_INT32 : narrow,
      .shift = form->shift,
      .cont = s->cont,
      .fence = s->fence,
  };
}

static enum kt_status put_list(struct ktpu_device *d, const struct list *l, uint64_t c,
                               const struct run_form *form, uint64_t *addr)
{
  uint8_t bytes[MOST_STEPS * KT_DESC_BYTES];
  struct place first = {0}, at;
  for (size_t i = 0; i < l->n; i++) {
    uint32_t w[KT_DESC_WORDS];
    const enum kt_status st = put_step(d, &l->steps[i], &first, &at);
    if (st != KT_OK) return st;
    if (i == 0) first = at;
    const struct kt_desc desc = describe(&l->steps[i], &at, c, form);
    kt_desc_pack(&desc, w);
    for (size_t j = 0; j < KT_DESC_BYTES; j++)
      bytes[i * KT_DESC_BYTES + j] = (uint8_t)(w[j / 4] >> (8 * (j % 4)));
  }
  return put(d, bytes, l->n * KT_DESC_BYTES, addr);
}

/* One descriptor runs from the registers, several as a list. */
static enum kt_status start(struct ktpu_device *d, const struct list *l, uint64_t list,
                            struct ktpu_result *result)
{
  uint8_t bytes[KT_DESC_BYTES];
  if (l->n > 1) return kd_run(d, (uint32_t)list, (uint32_t)l->n, result);
  enum kt_status st = kd_read(d, list, bytes, sizeof bytes);
  for (uint32_t i = 0; st == KT_OK && i < KT_DESC_BYTES; i += 4)
    st = kd_reg_write(d, KT_REG_DESC + i,
                      bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 |
                          (uint32_t)bytes[i + 3] << 24);
  return st != KT_OK ? st : kd_run(d, 0, 0, result);
}

/* Everything that was allocated here goes back; what was there before stays. */
static void release_since(struct ktpu_device *d, const struct kd_heap *before)
{
  for (const struct kd_block *b = d->heap.blocks; b != NULL;) {
    const uint64_t user = b->user;
    b = b->next;
    if (kd_heap_find(before, user) == NULL) kd_heap_free(&d->heap, user);
  }
}

static enum kt_status run_locked(const struct run_job *job, struct ktpu_device *d,
                                 const struct run_form *form, void *c, struct ktpu_result *result)
{
  const struct list *l = job->context;
  const size_t element = form->out == KTPU_INT32 ? 4 : 1;
  const size_t bytes = element * job->rows * job->cols;
  const struct kd_heap none = {0}; /* this program allocates nothing else */
  uint64_t c_addr, list_addr;

  memset(c, 0, bytes);
  if (l->c0.data != NULL && l->c0.element == element) memcpy(c, l->c0.data, bytes);
  enum kt_status st = put(d, c, bytes, &c_addr);
  if (st == KT_OK) st = put_list(d, l, c_addr, form, &list_addr);
  if (st == KT_OK) st = start(d, l, list_addr, result);
  if (st == KT_OK || st == KT_EFAULT) {
    const enum kt_status got = kd_read(d, c_addr, c, bytes);
    if (got != KT_OK) st = got;
  }
  release_since(d, &none);
  return st;
}

static enum ktpu_status run(const struct run_job *job, struct ktpu_device *d,
                            const struct run_form *form, void *c, struct ktpu_result *result)
{
  pthread_mutex_lock(&d->lock);
  memset(result, 0, sizeof *result);
  const enum kt_status st = run_locked(job, d, form, c, result);
  pthread_mutex_unlock(&d->lock);
  return (enum ktpu_status)st;
}

/* ---- reading what was asked for ---------------------------------------------------------------- */

static bool load(const struct run_options *o, struct list *l, const char *path,
                 struct kc_check_ctx *chain, struct step *s)
{
  struct kt_msg msg = {{0}};
  const struct kc_asm_opts opts = {.no_check = o->unchecked, .chain = chain};
  if (!s->cont) kc_check_begin(chain);
  if (kc_program_load(&l->params, path, &opts, &s->program, &msg) == KT_OK) return true;
  fprintf(stderr, "ktpu-run: %s\n", msg.text);
  return false;
}

static bool text_item(const cJSON *o, const char *key, const char **to)
{
  const cJSON *i = cJSON_GetObjectItemCaseSensitive(o, key);
  *to = i != NULL ? cJSON_GetStringValue(i) : NULL;
  return i == NULL || *to != NULL;
}

static bool bool_item(const cJSON *o, const char *key, bool *to)
{
  const cJSON *i = cJSON_GetObjectItemCaseSensitive(o, key);
  if (i != NULL) *to = cJSON_IsTrue(i);
  return i == NULL || cJSON_IsBool(i);
}

static bool load_step(const struct run_options *o, struct list *l, const cJSON *item,
                      struct kc_check_ctx *chain)
{
  const char *program, *a, *b;
  const uint32_t n = l->params.maxdim;
  if (l->n == MOST_STEPS) {
    fprintf(stderr, "ktpu-run: %s: more than %d descriptors\n", o->chain, MOST_STEPS);
    return false;
  }
  struct step *s = &l->steps[l->n++];
  s->cont = true;
  if (!cJSON_IsObject(item) || !text_item(item, "program", &program) || program == NULL ||
      !text_item(item, "a", &a) || !text_item(item, "b", &b) ||
      !bool_item(item, "continue", &s->cont) || !bool_item(item, "fence", &s->fence)) {
    fprintf(stderr, "ktpu-run: %s: entry %zu: want {\"program\": FILE, \"a\": FILE, \"b\": FILE, "
            "\"continue\": true, \"fence\": false}\n", o->chain, l->n - 2);
    return false;
  }
  return load(o, l, program, chain, s) && (a == NULL || run_operand(o, a, "a", n, n, 0, &s->a)) &&
         (b == NULL || run_operand(o, b, "b", n, n, 0, &s->b));
}

static bool load_chain(const struct run_options *o, struct list *l, struct kc_check_ctx *chain)
{
  uint8_t *bytes;
  size_t size;
  struct kt_msg msg = {{0}};
  if (kc_file_read(o->chain, &bytes, &size, &msg) != KT_OK) {
    fprintf(stderr, "ktpu-run: %s\n", msg.text);
    return false;
  }
  cJSON *root = cJSON_ParseWithLength((const char *)bytes, size);
  bool good = cJSON_IsArray(root);
  if (!good) fprintf(stderr, "ktpu-run: %s is no JSON array\n", o->chain);
  const cJSON *item;
  cJSON_ArrayForEach(item, root) good = good && load_step(o, l, item, chain);
  cJSON_Delete(root);
  free(bytes);
  return good;
}

static bool load_c0(const struct run_options *o, struct list *l)
{
  struct kt_msg msg = {{0}};
  const uint32_t n = l->params.maxdim, element = o->out == KTPU_INT32 ? 4 : 1;
  if (o->c == NULL) return true;
  if (kd_npy_read(o->c, &l->c0, &msg) != KT_OK) {
    fprintf(stderr, "ktpu-run: %s\n", msg.text);
    return false;
  }
  if (l->c0.rows == n && l->c0.cols == n && l->c0.element == element) return true;
  fprintf(stderr, "ktpu-run: %s: want %" PRIu32 "x%" PRIu32 " %s\n", o->c, n, n,
          element == 4 ? "int32" : "int8");
  return false;
}

static bool load_list(const struct run_options *o, struct list *l)
{
  struct kc_check_ctx *chain = malloc(sizeof *chain);
  const uint32_t n = l->params.maxdim;
  struct step *s = &l->steps[l->n++];
  if (chain == NULL) return false;
  const bool good = load(o, l, o->files[0], chain, s) &&
                    run_operand(o, o->a, "A", n, n, 1, &s->a) &&
                    run_operand(o, o->b, "B", n, n, 2, &s->b) && load_c0(o, l) &&
                    (o->chain == NULL || load_chain(o, l, chain));
  free(chain);
  return good;
}

/* The build decides how large the matrices are, and what the checker allows. */
static bool find_params(const struct run_options *o, struct kt_params *p, enum run_exit *code)
{
  struct ktpu_device *d;
  struct ktpu_message m;
  struct ktpu_options plain = o->link;
  plain.wave = NULL;
  plain.noise_seed = 0;
  struct kt_msg msg = {{0}};
  const char *build = strncmp(o->device, "sim:@", 5) == 0 ? NULL : strchr(o->device, ':');
  if (build != NULL && kt_params_parse(p, build + 1, &msg) == KT_OK) return true;
  const enum ktpu_status st = ktpu_open(o->device, &plain, &d, &m);
  if (st == KTPU_OK) {
    run_tell(&m);
    *p = d->link.params;
    ktpu_close(d);
    return true;
  }
  fprintf(stderr, "ktpu-run: %s\n", m.text);
  *code = run_exit_of(st);
  return false;
}

static uint64_t count_macs(const struct list *l)
{
  uint64_t rows = 0;
  for (size_t i = 0; i < l->n; i++)
    if (l->steps[i].program.n_words > KT_HDR_MM_ROWS_WORD)
      rows += l->steps[i].program.words[KT_HDR_MM_ROWS_WORD] >> KT_HDR_MM_ROWS_LSB & 0xffff;
  return rows * l->params.t * l->params.t;
}

enum run_exit run_program(const struct run_options *o)
{
  static struct list l;
  enum run_exit code = RUN_USAGE;
  char shape[48];

  if (find_params(o, &l.params, &code) && load_list(o, &l)) {
    const uint32_t n = l.params.maxdim;
    snprintf(shape, sizeof shape, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, n, n, n);
    const struct run_job job = {.options = o,
                                .rows = n,
                                .cols = n,
                                .macs = count_macs(&l),
                                .context = &l,
                                .run = run};
    code = run_job(&job, shape);
  }
  for (size_t i = 0; i < l.n; i++) {
    kc_program_free(&l.steps[i].program);
    kd_array_free(&l.steps[i].a);
    kd_array_free(&l.steps[i].b);
  }
  kd_array_free(&l.c0);
  return code;
}
