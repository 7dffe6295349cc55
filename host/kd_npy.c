/* SPDX-License-Identifier: Apache-2.0 */
#include "host/kd_npy.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_BYTES = 6, V1_START = 10, V2_START = 12, DIMS = 2, ALIGN = 64 };
static const uint8_t MAGIC[MAGIC_BYTES] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

void kd_array_free(struct kd_array *a)
{
  free(a->data);
  *a = (struct kd_array){0};
}

/* ---- the header: a Python dictionary of three known keys --------------------------------------- */

struct header {
  char descr[16];
  bool fortran, has_descr, has_order, has_shape;
  uint64_t shape[DIMS];
  unsigned dims;
};

struct cursor {
  const char *at, *end;
};

static void skip_space(struct cursor *c)
{
  while (c->at < c->end && isspace((unsigned char)*c->at)) c->at++;
}

static bool take(struct cursor *c, char wanted)
{
  skip_space(c);
  if (c->at == c->end || *c->at != wanted) return false;
  c->at++;
  return true;
}

static bool take_word(struct cursor *c, const char *word)
{
  const size_t n = strlen(word);
  skip_space(c);
  if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0) return false;
  c->at += n;
  return true;
}

static bool take_string(struct cursor *c, char *to, size_t n)
{
  size_t used = 0;
  skip_space(c);
  if (c->at == c->end || (*c->at != '\'' && *c->at != '"')) return false;
  const char quote = *c->at++;
  while (c->at < c->end && *c->at != quote) {
    if (used + 1 >= n) return false;
    to[used++] = *c->at++;
  }
  to[used] = '\0';
  return take(c, quote);
}

static bool take_extent(struct cursor *c, uint64_t *value)
{
  skip_space(c);
  if (c->at == c->end || !isdigit((unsigned char)*c->at)) return false;
  *value = 0;
  while (c->at < c->end && isdigit((unsigned char)*c->at)) {
    if (*value > UINT32_MAX) return false;
    *value = *value * 10 + (uint64_t)(*c->at++ - '0');
  }
  return *value <= UINT32_MAX;
}

/* "()", "(3,)" or "(3, 4)"; more dimensions are counted, not kept. */
static bool take_shape(struct cursor *c, struct header *h)
{
  if (!take(c, '(')) return false;
  for (h->dims = 0; !take(c, ')'); h->dims++) {
    uint64_t extent;
    if (!take_extent(c, &extent)) return false;
    if (h->dims < DIMS) h->shape[h->dims] = extent;
    if (take(c, ',')) continue;
    h->dims++;
    return take(c, ')');
  }
  return true;
}

static bool take_item(struct cursor *c, struct header *h)
{
  char key[16];
  if (!take_string(c, key, sizeof key) || !take(c, ':')) return false;
  if (strcmp(key, "descr") == 0) {
    h->has_descr = true;
    return take_string(c, h->descr, sizeof h->descr);
  }
  if (strcmp(key, "fortran_order") == 0) {
    h->has_order = true;
    h->fortran = take_word(c, "True");
    return h->fortran || take_word(c, "False");
  }
  h->has_shape = strcmp(key, "shape") == 0;
  return h->has_shape && take_shape(c, h);
}

static bool parse_header(struct cursor c, struct header *h)
{
  memset(h, 0, sizeof *h);
  if (!take(&c, '{')) return false;
  while (!take(&c, '}')) {
    if (!take_item(&c, h)) return false;
    if (take(&c, ',')) continue;
    if (!take(&c, '}')) return false;
    break;
  }
  skip_space(&c);
  return c.at == c.end && h->has_descr && h->has_order && h->has_shape;
}

/* ---- a file in memory -------------------------------------------------------------------------- */

/* Where the header lies and where the data begin. */
static bool find_header(const uint8_t *bytes, size_t n, struct cursor *c, size_t *data)
{
  if (n < V2_START || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0) return false;
  const uint8_t major = bytes[MAGIC_BYTES];
  if (major < 1 || major > 3) return false;
  const size_t start = major == 1 ? V1_START : V2_START;
  uint64_t len = bytes[8] | (uint64_t)bytes[9] << 8;
  if (major != 1) len |= (uint64_t)bytes[10] << 16 | (uint64_t)bytes[11] << 24;
  if (len > n - start) return false;
  *c = (struct cursor){(const char *)bytes + start, (const char *)bytes + start + len};
  *data = start + (size_t)len;
  return true;
}

/* NumPy's names of the element types; the first of each is the one that is written. */
static const struct {
  const char *descr;
  uint32_t element;
  bool is_float;
} types[] = {
    {"|i1", 1, false}, {"<i1", 1, false}, {"<i4", 4, false}, {"<f2", 2, true}, {"<f4", 4, true},
};

enum { TYPES = sizeof types / sizeof types[0] };

static enum kt_status element_of(const struct header *h, struct kd_array *a, struct kt_msg *msg)
{
  size_t i = 0;
  while (i < TYPES && strcmp(h->descr, types[i].descr) != 0) i++;
  a->element = i < TYPES ? types[i].element : 0;
  a->is_float = i < TYPES && types[i].is_float;
  if (i == TYPES)
    kt_msg_set(msg,
               "dtype '%s': want int8 ('|i1'), or little-endian int32 ('<i4'), float16 ('<f2') or "
               "float32 ('<f4')",
               h->descr);
  else if (h->fortran)
    kt_msg_set(msg, "the array is in Fortran order: save numpy.ascontiguousarray(x)");
  else if (h->dims < 1 || h->dims > DIMS)
    kt_msg_set(msg, "%u dimensions: want a matrix", h->dims);
  else
    return KT_OK;
  return KT_EUNSUPPORTED;
}

/* Elements are little-endian in the file; the host may differ. */
static void copy_elements(void *to, const uint8_t *from, uint64_t count, uint32_t element)
{
  uint16_t *halves = to;
  uint32_t *words = to;
  if (element == 1) memcpy(to, from, (size_t)count);
  if (element == 2)
    for (uint64_t i = 0; i < count; i++)
      halves[i] = (uint16_t)(from[2 * i] | from[2 * i + 1] << 8);
  if (element != 4) return;
  for (uint64_t i = 0; i < count; i++)
    words[i] = from[4 * i] | (uint32_t)from[4 * i + 1] << 8 | (uint32_t)from[4 * i + 2] << 16 |
               (uint32_t)from[4 * i + 3] << 24;
}

enum kt_status kd_npy_parse(const uint8_t *bytes, size_t n, struct kd_array *a,
                            struct kt_msg *msg)
{
  struct cursor c;
  struct header h;
  size_t data;

  *a = (struct kd_array){0};
  if (!find_header(bytes, n, &c, &data) || !parse_header(c, &h)) {
    kt_msg_set(msg, "not a .npy file of version 1 to 3");
    return KT_EPARSE;
  }
  struct kd_array got = {0};
  const enum kt_status st = element_of(&h, &got, msg);
  if (st != KT_OK) return st;
  const uint32_t element = got.element;
  const uint64_t rows = h.dims == 2 ? h.shape[0] : 1;
  const uint64_t cols = h.shape[h.dims - 1];
  const uint64_t count = rows * cols; /* both are below 2^32 */
  if (count > UINT64_MAX / 4 || count * element != n - data) {
    kt_msg_set(msg, "the shape says %llu elements of %u bytes, the file has %zu bytes of data",
               (unsigned long long)count, element, n - data);
    return KT_EPARSE;
  }
  void *copy = malloc(count != 0 ? (size_t)(count * element) : 1);
  if (copy == NULL) return KT_ENOMEM;
  copy_elements(copy, bytes + data, count, element);
  got.rows = (uint32_t)rows;
  got.cols = (uint32_t)cols;
  got.data = copy;
  *a = got;
  return KT_OK;
}

/* ---- files ------------------------------------------------------------------------------------- */

static enum kt_status failed(const char *path, struct kt_msg *msg)
{
  kt_msg_set(msg, "%s: %s", path, strerror(errno));
  return KT_EIO;
}

static enum kt_status read_all(FILE *f, uint8_t **bytes, size_t *n)
{
  size_t room = 1 << 16, used = 0;
  uint8_t *buffer = malloc(room);
  while (buffer != NULL) {
    used += fread(buffer + used, 1, room - used, f);
    if (used < room) break;
    uint8_t *larger = realloc(buffer, room *= 2);
    if (larger == NULL) free(buffer);
    buffer = larger;
  }
  *bytes = buffer;
  *n = used;
  return buffer != NULL ? KT_OK : KT_ENOMEM;
}

enum kt_status kd_file_read(const char *path, uint8_t **bytes, size_t *n, struct kt_msg *msg)
{
  FILE *f = fopen(path, "rb");
  *bytes = NULL;
  if (f == NULL) return failed(path, msg);
  enum kt_status st = read_all(f, bytes, n);
  if (st == KT_OK && ferror(f)) {
    st = failed(path, msg);
    free(*bytes);
    *bytes = NULL;
  }
  fclose(f);
  return st;
}

enum kt_status kd_npy_read(const char *path, struct kd_array *a, struct kt_msg *msg)
{
  uint8_t *bytes;
  size_t n;
  struct kt_msg why = {{0}};
  *a = (struct kd_array){0};
  enum kt_status st = kd_file_read(path, &bytes, &n, msg);
  if (st != KT_OK) return st;
  st = kd_npy_parse(bytes, n, a, &why);
  if (st != KT_OK) kt_msg_set(msg, "%s: %.400s", path, why.text);
  free(bytes);
  return st;
}

static bool write_data(FILE *f, const struct kd_array *a)
{
  const size_t count = (size_t)a->rows * a->cols;
  if (a->element == 1) return fwrite(a->data, 1, count, f) == count;
  for (size_t i = 0; i < count; i++) {
    const uint32_t w = a->element == 2 ? ((const uint16_t *)a->data)[i]
                                       : ((const uint32_t *)a->data)[i];
    const uint8_t b[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24)};
    if (fwrite(b, 1, a->element, f) != a->element) return false;
  }
  return true;
}

static const char *descr_of(const struct kd_array *a)
{
  size_t i = 0;
  while (i + 1 < TYPES && (types[i].element != a->element || types[i].is_float != a->is_float)) i++;
  return types[i].descr;
}

static bool write_header(FILE *f, const struct kd_array *a)
{
  char text[2 * ALIGN - V1_START + 1];
  const int n = snprintf(text, sizeof text,
                         "{'descr': '%s', 'fortran_order': False, 'shape': (%lu, %lu), }",
                         descr_of(a), (unsigned long)a->rows, (unsigned long)a->cols);
  const size_t len = sizeof text - 1;
  memset(text + n, ' ', len - (size_t)n); /* so that the data begin at a multiple of 64 */
  text[len - 1] = '\n';
  const uint8_t start[] = {1, 0, (uint8_t)len, (uint8_t)(len >> 8)};
  return fwrite(MAGIC, 1, sizeof MAGIC, f) == sizeof MAGIC &&
         fwrite(start, 1, sizeof start, f) == sizeof start && fwrite(text, 1, len, f) == len;
}

enum kt_status kd_npy_write(const char *path, const struct kd_array *a, struct kt_msg *msg)
{
  FILE *f = fopen(path, "wb");
  if (f == NULL) return failed(path, msg);
  const bool good = write_header(f, a) && write_data(f, a);
  const int saved = errno;
  if (fclose(f) == 0 && good) return KT_OK;
  errno = good ? errno : saved;
  return failed(path, msg);
}
