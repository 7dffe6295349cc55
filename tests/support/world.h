/* SPDX-License-Identifier: Apache-2.0
 *
 * Random descriptor lists over one memory image: every address, stride, form, shift and flag drawn,
 * programs of one instruction up to what the instruction memory holds, operands that earlier
 * descriptors wrote. The same image lies in the machine's memory and in the model's, and all of it
 * is compared, so whatever is written astray shows.
 */
#ifndef WORLD_H
#define WORLD_H

#include "tests/support/cosim_bench.h"

enum {
  WORLD_LIST = 0,               /* the list: up to 1024 descriptors */
  WORLD_PROGRAMS = 0x10000,
  WORLD_OPERANDS = 0x30000,     /* A and B */
  WORLD_RESULTS = 0x50000,      /* C: two halves; a descriptor reads one at most, and writes the other */
  WORLD_HALF = 0x20000,
  WORLD_BYTES = 0x90000,
  WORLD_DESCRIPTORS = 1024,
  WORLD_POOL = 48               /* chains of programs to draw from */
};

struct world_chain {
  uint32_t at[3], words[3]; /* programs: address, length */
  size_t n;
};

struct world {
  struct bench_pair pair;
  struct bench_rng rng;
  uint8_t *image, *got, *want; /* WORLD_BYTES each: before the run, after it on either device */
  uint32_t free;               /* where the next program goes */
  struct world_chain pool[WORLD_POOL];
  size_t n_pool;
  uint32_t half;       /* that C lies in */
  uint32_t last_c, last_stride; /* of the last descriptor */
  bool turned;         /* whose C lies in the other half */
  bool layers;         /* every descriptor reads what the one before wrote */
  bool reads[2];       /* read since the last fence: what writes there needs one */
  size_t n;            /* descriptors of the list */
};

/* The same build as machine and model, memory full of noise, no programs. */
void world_open(struct world *w, const char *build, uint32_t latency, bool stalls, uint64_t seed);
void world_close(struct world *w);

/* 0 .. below - 1 */
uint32_t world_draw(struct world *w, uint32_t below);

/* Puts programs into the image and the pool. */
void world_add_chain(struct world *w, const struct kc_program *program, size_t n);
void world_add_product(struct world *w, uint32_t m, uint32_t k, uint32_t n, bool relu);

/* A pool of programs of one instruction, random chains, chains padded to the instruction memory's
 * size, and whole products. */
void world_fill_pool(struct world *w);

/* Appends this one. */
void world_add_descriptor(struct world *w, const struct kt_desc *d);

/* Appends descriptors of one chain, everything about them drawn, to the list in the image. */
void world_append(struct world *w, const struct world_chain *chain);

/* A new list of at least n descriptors from the pool. */
void world_new_list(struct world *w, size_t n);

/* Runs the list on both and says what differs. */
void world_run(struct world *w, struct ktpu_result *r, char *text, size_t bytes);

/* Puts the image into the machine's memory, or reads that back. */
void world_put(struct world *w, struct ktpu_device *d);
void world_get(struct world *w, struct ktpu_device *d, uint8_t *to);

#endif
