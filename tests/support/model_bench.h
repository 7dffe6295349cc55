/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of the reference model share: a small machine with its memory, instructions as
 * initialisers, and the header that a program deserves.
 */
#ifndef MODEL_BENCH_H
#define MODEL_BENCH_H

#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_insn.h"
#include "spec/kt_params.h"
#include "spec/model/kr_int8.h"

#include <stdbool.h>

/* Initialisers of struct kt_insn, operands in field order, rows last; more designators may follow,
 * such as TERMS({target, level, stride}, ...). */
#define NOP(...)                                                                                   \
  {                                                                                                \
    .op = KT_OP_NOP, __VA_ARGS__                                                                   \
  }
#define LD(mode, row, col, dst, rows, ...)                                                         \
  {                                                                                                \
    .op = KT_OP_DMA_LD, .nr = rows, .f = {mode, row, col, dst}, __VA_ARGS__                        \
  }
#define VLD(vr, spad, rows, ...)                                                                   \
  {                                                                                                \
    .op = KT_OP_VLD, .nr = rows, .f = {vr, spad}, __VA_ARGS__                                      \
  }
#define MM(vr, ar, acc, w, rows, ...)                                                              \
  {                                                                                                \
    .op = KT_OP_MM, .nr = rows, .f = {vr, ar, acc, w}, __VA_ARGS__                                 \
  }
#define VADD(d, s1, s2, rows, ...)                                                                 \
  {                                                                                                \
    .op = KT_OP_VADD, .nr = rows, .f = {d, s1, s2}, __VA_ARGS__                                    \
  }
#define VADDRELU(d, s1, s2, rows, ...)                                                             \
  {                                                                                                \
    .op = KT_OP_VADDRELU, .nr = rows, .f = {d, s1, s2}, __VA_ARGS__                                \
  }
#define VRELU(d, s, rows, ...)                                                                     \
  {                                                                                                \
    .op = KT_OP_VRELU, .nr = rows, .f = {d, s}, __VA_ARGS__                                        \
  }
#define MVOUT(ar, row, col, rows, ...)                                                             \
  {                                                                                                \
    .op = KT_OP_MVOUT, .nr = rows, .f = {ar, row, col}, __VA_ARGS__                                \
  }
#define LOOP(trip, ...)                                                                            \
  {                                                                                                \
    .op = KT_OP_LOOP, .nr = trip, __VA_ARGS__                                                      \
  }
#define ENDLOOP(...)                                                                               \
  {                                                                                                \
    .op = KT_OP_ENDLOOP, __VA_ARGS__                                                               \
  }
#define TERMS(...) .term = {__VA_ARGS__}

/* Modes of dma_ld. */
enum { A_SPAD = 0, B_SPAD = 1, A_VR = 2, B_VR = 3 };

/* Where things lie unless a test moves them. Programs and matrices of up to MB_SLOTS descriptors.
 */
enum {
  MB_LIST = 0x0,
  MB_PROG = 0x1000,
  MB_A = 0x8000,
  MB_B = 0xC000,
  MB_C = 0x10000,
  MB_MEM = 0x20000,
  MB_SLOTS = 8,
  MB_MAX_INSNS = 64
};

struct model_bench {
  struct kt_params p;
  struct kr_int8 *m;
  struct kr_mem mem;
  struct kt_desc desc[MB_SLOTS]; /* preset: program i at MB_PROG + i KiB, A, B, C shared */
  struct kr_result r;
  struct kt_msg msg;
};

/* Aborts the test if params are not legal. C is filled with 0xC5, the rest with 0. */
void mb_open(struct model_bench *b, const char *params);
void mb_close(struct model_bench *b);

/* Writes n instructions as the program of descriptor slot, with the header they deserve, and sets
 * its prog_words. */
void mb_program(struct model_bench *b, uint32_t slot, const struct kt_insn *in, size_t n);

/* Header word of a program already written: read and overwrite. */
uint64_t mb_word(const struct model_bench *b, uint32_t slot, uint32_t word);
void mb_set_word(struct model_bench *b, uint32_t slot, uint32_t word, uint64_t value);

/* Element (r, c) of a MAXDIM x MAXDIM int8 matrix at base. */
void mb_put(struct model_bench *b, uint32_t base, uint32_t r, uint32_t c, int value);
int mb_get(const struct model_bench *b, uint32_t base, uint32_t r, uint32_t c);
int32_t mb_get_i32(const struct model_bench *b, uint64_t addr);

/* Runs descriptor 0 from the registers, or the first n as a list at MB_LIST. */
enum kt_status mb_run(struct model_bench *b);
enum kt_status mb_run_list(struct model_bench *b, uint32_t n);
/* The words given, as the register descriptor. */
enum kt_status mb_run_words(struct model_bench *b, const struct kt_desc_words *w);

/* "code 10 sub 1 arg 2048 instr 3 desc 0", in a buffer of the caller. */
struct mb_text {
  char s[96];
};
struct mb_text mb_fault_text(const struct kr_fault *f);

/* True if no bit of C's area differs from the fill. */
bool mb_c_untouched(const struct model_bench *b);

#endif
