/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and writing program files.
 */
#include "compiler/bytes/kc_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 8 };

static enum kt_status io_error(const char *path, struct kt_msg *msg)
{
  kt_msg_set(msg, "%s: %s", path, errno != 0 ? strerror(errno) : "input or output failed");
  return KT_EIO;
}

static enum kt_status read_all(FILE *file, const char *path, uint8_t **bytes, size_t *size,
                               struct kt_msg *msg)
{
  size_t room = 4096;
  uint8_t *buffer = malloc(room);
  size_t n = 0;

  while (buffer != NULL) {
    n += fread(buffer + n, 1, room - n - 1, file);
    if (n < room - 1) break;
    room *= 2;
    uint8_t *grown = realloc(buffer, room);
    if (grown == NULL) free(buffer);
    buffer = grown;
    if (room > KC_FILE_MAX && buffer != NULL) {
      free(buffer);
      kt_msg_set(msg, "%s: longer than %d bytes", path, KC_FILE_MAX);
      return KT_ELIMIT;
    }
  }
  if (buffer == NULL) return KT_ENOMEM;
  if (ferror(file)) {
    free(buffer);
    return io_error(path, msg);
  }
  buffer[n] = 0;
  *bytes = buffer;
  *size = n;
  return KT_OK;
}

enum kt_status kc_file_read(const char *path, uint8_t **bytes, size_t *size, struct kt_msg *msg)
{
  errno = 0;
  if (strcmp(path, "-") == 0) return read_all(stdin, "standard input", bytes, size, msg);

  FILE *file = fopen(path, "rb");
  if (file == NULL) return io_error(path, msg);
  enum kt_status st = read_all(file, path, bytes, size, msg);
  fclose(file);
  return st;
}

enum kt_status kc_file_write(const char *path, const uint8_t *bytes, size_t size,
                             struct kt_msg *msg)
{
  bool is_stdout = strcmp(path, "-") == 0;
  errno = 0;
  FILE *file = is_stdout ? stdout : fopen(path, "wb");
  if (file == NULL) return io_error(path, msg);

  bool ok = fwrite(bytes, 1, size, file) == size;
  if (is_stdout) ok = fflush(file) == 0 && ok;
  else ok = fclose(file) == 0 && ok;
  return ok ? KT_OK : io_error(path, msg);
}

enum kt_status kc_words_from_bytes(const uint8_t *bytes, size_t size, struct kc_program *out,
                                   struct kt_msg *msg)
{
  *out = (struct kc_program){NULL, 0};
  if (size == 0 || size % WORD_BYTES != 0) {
    kt_msg_set(msg, "%zu bytes are no program: it is a whole number of 64-bit words", size);
    return KT_EINVAL;
  }
  uint64_t *words = calloc(size / WORD_BYTES, sizeof *words);
  if (words == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < size; i++)
    words[i / WORD_BYTES] |= (uint64_t)bytes[i] << (8 * (i % WORD_BYTES));
  *out = (struct kc_program){words, size / WORD_BYTES};
  return KT_OK;
}

enum kt_status kc_words_to_bytes(const struct kc_program *program, uint8_t **bytes, size_t *size)
{
  size_t n = program->n_words * WORD_BYTES;
  uint8_t *out = malloc(n > 0 ? n : 1);
  if (out == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < n; i++)
    out[i] = (uint8_t)(program->words[i / WORD_BYTES] >> (8 * (i % WORD_BYTES)));
  *bytes = out;
  *size = n;
  return KT_OK;
}

static enum kt_status load_binary(const struct kt_params *p, const uint8_t *bytes, size_t size,
                                  const struct kc_asm_opts *opts, struct kc_program *out,
                                  struct kt_msg *msg)
{
  enum kt_status st = kc_words_from_bytes(bytes, size, out, msg);
  if (st != KT_OK || (opts != NULL && opts->no_check)) return st;
  st = kc_check_program(p, out->words, out->n_words, opts != NULL ? opts->chain : NULL, msg);
  if (st != KT_OK) kc_program_free(out);
  return st;
}

enum kt_status kc_program_load(const struct kt_params *p, const char *path,
                               const struct kc_asm_opts *opts, struct kc_program *out,
                               struct kt_msg *msg)
{
  uint8_t *bytes = NULL;
  size_t size = 0;

  *out = (struct kc_program){NULL, 0};
  enum kt_status st = kc_file_read(path, &bytes, &size, msg);
  if (st != KT_OK) return st;
  if (memchr(bytes, 0, size) == NULL) {
    st = kc_assemble(p, path, (const char *)bytes, opts, out, msg);
  } else {
    st = load_binary(p, bytes, size, opts, out, msg);
  }
  free(bytes);
  return st;
}
