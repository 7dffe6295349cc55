/* SPDX-License-Identifier: Apache-2.0
 *
 * .npy files: what is written can be read, by hand-made headers, and nothing wrong is accepted.
 */
#include "host/kd_npy.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file of one version with the given dictionary and zero data. */
static size_t make(uint8_t *to, int version, const char *dict, size_t data)
{
  static const uint8_t magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  const size_t len = strlen(dict), start = version == 1 ? 10 : 12;
  memset(to, 0, start);
  memcpy(to, magic, sizeof magic);
  to[6] = (uint8_t)version;
  to[8] = (uint8_t)len;
  to[9] = (uint8_t)(len >> 8);
  memcpy(to + start, dict, len);
  for (size_t i = 0; i < data; i++) to[start + len + i] = (uint8_t)(i + 1);
  return start + len + data;
}

static enum kt_status parse(int version, const char *dict, size_t data, struct kd_array *a)
{
  uint8_t file[1024];
  struct kt_msg msg = {{0}};
  const size_t n = make(file, version, dict, data);
  const enum kt_status st = kd_npy_parse(file, n, a, &msg);
  const bool good = st == KT_OK, told = msg.text[0] != '\0', filled = a->data != NULL;
  cr_assert(good != told, "%s", msg.text);
  cr_assert(good == filled);
  return st;
}

Test(host_npy, headers_that_numpy_writes_are_read, .timeout = 5)
{
  struct kd_array a;
  cr_assert(eq(int, parse(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }    \n", 6, &a),
               KT_OK));
  cr_assert(all(eq(u32, a.rows, 2), eq(u32, a.cols, 3), eq(u32, a.element, 1)));
  cr_assert(eq(i8, ((int8_t *)a.data)[5], 6));
  kd_array_free(&a);
  cr_assert(eq(int, parse(2, "{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2)}\n", 8, &a),
               KT_OK));
  cr_assert(eq(i32, ((int32_t *)a.data)[1], 0x08070605));
  kd_array_free(&a);
  cr_assert(eq(int, parse(3, "{\"shape\": (5,), \"fortran_order\": False, \"descr\": \"|i1\"}", 5, &a),
               KT_OK));
  cr_assert(all(eq(u32, a.rows, 1), eq(u32, a.cols, 5)));
  kd_array_free(&a);
}

Test(host_npy, what_is_not_a_matrix_of_integers_is_refused, .timeout = 5)
{
  static const struct {
    const char *dict;
    size_t data;
    enum kt_status want;
  } cases[] = {
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", 48, KT_EUNSUPPORTED},
      {"{'descr': '>i4', 'fortran_order': False, 'shape': (2, 3), }", 24, KT_EUNSUPPORTED},
      {"{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", 6, KT_EUNSUPPORTED},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3, 1), }", 6, KT_EUNSUPPORTED},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (), }", 1, KT_EUNSUPPORTED},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }", 5, KT_EPARSE},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }", 7, KT_EPARSE},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (4294967295, 4294967295), }", 7, KT_EPARSE},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (99999999999, 1), }", 7, KT_EPARSE},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (-2, 3), }", 6, KT_EPARSE},
      {"{'descr': '|i1', 'fortran_order': Maybe, 'shape': (2, 3), }", 6, KT_EPARSE},
      {"{'descr': '|i1', 'fortran_order': False, }", 6, KT_EPARSE},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), 'x': 1, }", 6, KT_EPARSE},
      {"{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), } junk", 6, KT_EPARSE},
      {"{'descr': '|i1234567890123456789', 'fortran_order': False, 'shape': (2, 3)}", 6, KT_EPARSE},
      {"{'descr': '|i1", 0, KT_EPARSE},
      {"", 0, KT_EPARSE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct kd_array a;
    const enum kt_status st = parse(1, cases[i].dict, cases[i].data, &a);
    cr_assert(st == cases[i].want, "case %zu: %s", i, kt_status_text(st));
  }
}

/* Every cut and every changed byte of a good file: refused or read, never out of bounds (run this
 * under the address sanitizer). */
Test(host_npy, damaged_files_are_survived, .timeout = 30)
{
  uint8_t file[256];
  struct kd_array a;
  const size_t n = make(file, 1, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }\n", 24);
  for (size_t cut = 0; cut < n; cut++) {
    uint8_t *exact = malloc(cut + 1);
    memcpy(exact, file, cut);
    cr_assert(ne(int, kd_npy_parse(exact, cut, &a, NULL), KT_OK));
    free(exact);
  }
  for (size_t at = 0; at < n; at++) {
    for (unsigned bit = 0; bit < 8; bit++) {
      file[at] ^= (uint8_t)(1u << bit);
      if (kd_npy_parse(file, n, &a, NULL) == KT_OK)
        cr_assert(eq(u64, (uint64_t)a.rows * a.cols * a.element, 24));
      kd_array_free(&a);
      file[at] ^= (uint8_t)(1u << bit);
    }
  }
}

Test(host_npy, what_is_written_is_read_back, .timeout = 10)
{
  char path[] = "/tmp/ktpu-npy-XXXXXX";
  struct kt_msg msg = {{0}};
  int32_t words[6] = {1, -2, INT32_MAX, INT32_MIN, 0, 77};
  int8_t bytes[6] = {1, -2, 127, -128, 0, 77};
  const struct kd_array wide = {2, 3, 4, false, words}, narrow = {3, 2, 1, false, bytes};
  struct kd_array a;
  close(mkstemp(path));
  cr_assert(kd_npy_write(path, &wide, &msg) == KT_OK, "%s", msg.text);
  cr_assert(kd_npy_read(path, &a, &msg) == KT_OK, "%s", msg.text);
  cr_assert(all(eq(u32, a.rows, 2), eq(u32, a.cols, 3)));
  cr_assert(eq(int, memcmp(a.data, words, sizeof words), 0));
  kd_array_free(&a);
  cr_assert(eq(int, kd_npy_write(path, &narrow, &msg), KT_OK));
  cr_assert(eq(int, kd_npy_read(path, &a, &msg), KT_OK));
  cr_assert(eq(int, memcmp(a.data, bytes, sizeof bytes), 0));
  kd_array_free(&a);
  const float floats[6] = {1, -2, 0.5f, 3e38f, 0, -77};
  const uint16_t halves[6] = {0x3c00, 0xc000, 0x7c00, 0x0001, 0, 0xfbff};
  const struct kd_array single = {3, 2, 4, true, (void *)floats};
  const struct kd_array half = {2, 3, 2, true, (void *)halves};
  cr_assert(eq(int, kd_npy_write(path, &single, &msg), KT_OK));
  cr_assert(eq(int, kd_npy_read(path, &a, &msg), KT_OK));
  cr_assert(all(a.is_float, eq(u32, a.element, 4), eq(u32, a.rows, 3)));
  cr_assert(eq(int, memcmp(a.data, floats, sizeof floats), 0));
  kd_array_free(&a);
  cr_assert(eq(int, kd_npy_write(path, &half, &msg), KT_OK));
  cr_assert(eq(int, kd_npy_read(path, &a, &msg), KT_OK));
  cr_assert(all(a.is_float, eq(u32, a.element, 2), eq(u32, a.cols, 3)));
  cr_assert(eq(int, memcmp(a.data, halves, sizeof halves), 0));
  kd_array_free(&a);
  unlink(path);
  cr_assert(eq(int, kd_npy_read(path, &a, &msg), KT_EIO));
  cr_assert_not_null(strstr(msg.text, path));
  cr_assert(eq(int, kd_npy_write("/nowhere/at/all.npy", &wide, &msg), KT_EIO));
}
