/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs in files: assembly text, or the words as the core reads them, 64 bits little-endian, the
 * header first.
 */
#ifndef KC_FILE_H
#define KC_FILE_H

#include "compiler/bytes/kc_asm.h"

enum { KC_FILE_MAX = 1 << 26 }; /* bytes that kc_file_read accepts */

/* The whole file plus a zero byte that *size does not count; path "-" is standard input. The caller
 * frees *bytes. KT_EIO, KT_ELIMIT past KC_FILE_MAX, KT_ENOMEM. */
enum kt_status kc_file_read(const char *path, uint8_t **bytes, size_t *size, struct kt_msg *msg);

/* path "-" is standard output. KT_EIO. */
enum kt_status kc_file_write(const char *path, const uint8_t *bytes, size_t size,
                             struct kt_msg *msg);

/* size must be a multiple of 8 (KT_EINVAL). The caller frees the result. */
enum kt_status kc_words_from_bytes(const uint8_t *bytes, size_t size, struct kc_program *out,
                                   struct kt_msg *msg);
enum kt_status kc_words_to_bytes(const struct kc_program *program, uint8_t **bytes, size_t *size);

/* Either form: a file without zero bytes is assembly text (a binary's header always has some).
 * A binary is checked like assembled text unless opts say otherwise. */
enum kt_status kc_program_load(const struct kt_params *p, const char *path,
                               const struct kc_asm_opts *opts, struct kc_program *out,
                               struct kt_msg *msg);

#endif
