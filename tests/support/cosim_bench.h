/* SPDX-License-Identifier: Apache-2.0
 *
 * What the co-simulation tests share: the builds that they run on, a simulated machine with the
 * reference model beside it, descriptor lists on both, and how two outcomes are compared.
 */
#ifndef COSIM_BENCH_H
#define COSIM_BENCH_H

#include "compiler/bytes/kc_program.h"
#include "host/kd_device.h"
#include "spec/kt_insn.h"

#include <ktpu.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_BUILDS = 32, BENCH_NAME = 128 };

/* Simulator variants to test: $KTPU_TEST_SIM (names, separated by blanks), else the list that make
 * wrote beside the simulators. Returns how many; each name is shorter than BENCH_NAME. */
size_t bench_builds(char names[BENCH_BUILDS][BENCH_NAME]);

/* The same from another variable and another file of that directory. */
size_t bench_list(char names[BENCH_BUILDS][BENCH_NAME], const char *variable, const char *file);

/* $SEED, 1 without it. */
uint64_t bench_seed(void);

/* Whether the long campaigns were asked for ($KTPU_FULL). */
bool bench_full(void);

/* Deterministic noise. */
struct bench_rng {
  uint64_t x;
};
uint64_t bench_next(struct bench_rng *r);
void bench_noise(struct bench_rng *r, void *to, size_t bytes);

/* Where the simulators of this build tree are. */
const char *bench_sim_dir(void);

/* A machine and its model with the same memory. */
struct bench_pair {
  struct ktpu_device *sim, *ref;
  struct kt_params p;
};

/* options may be NULL. Fails the test when a device does not open. */
void bench_open(struct bench_pair *pair, const char *build, const struct ktpu_options *options);
struct ktpu_device *bench_open_sim(const char *build, const struct ktpu_options *options);
void bench_close(struct bench_pair *pair);

/* ---- lists of programs ------------------------------------------------------------------------ */

enum { BENCH_STEPS = 16 };

struct bench_step {
  const uint64_t *words;
  size_t n_words;
  size_t prog_words; /* what the descriptor says; 0: n_words */
  bool cont, fence;
  uint32_t form, shift;
  const uint32_t *raw; /* NULL, or the descriptor's words as they are */
};

/* A, B: MAXDIM x MAXDIM; c: MAXDIM x MAXDIM of the widest form, before the run and after it. */
struct bench_list {
  struct bench_step step[BENCH_STEPS];
  size_t n;
  const int8_t *a, *b;
  uint8_t *c;
  bool as_list; /* also a single descriptor goes through a list in memory */
};

size_t bench_c_bytes(const struct kt_params *p); /* of c, for all forms */

/* Addresses of a list that was put on a device. */
struct bench_places {
  uint64_t a, b, c, list, program[BENCH_STEPS];
};

/* Lays the list out on an empty device: equal addresses on every device. */
enum ktpu_status bench_put(struct ktpu_device *d, const struct bench_list *l,
                           struct bench_places *at);

/* bench_put, start, read c back, free everything. */
enum ktpu_status bench_run(struct ktpu_device *d, const struct bench_list *l,
                           struct ktpu_result *result);

/* Frees all that is allocated on the device. */
void bench_clear(struct ktpu_device *d);

/* ---- GEMMs ------------------------------------------------------------------------------------ */

struct bench_gemm {
  uint32_t m, k, n;
  enum ktpu_form form;
  uint32_t shift;
  bool relu;
};

enum bench_fill { BENCH_RANDOM, BENCH_MAX, BENCH_MIN, BENCH_ALTERNATING };

/* Runs it on both with the same operands and compares every element, events and descriptors. The
 * text says what differs; empty when nothing does. Returns the machine's cycles. */
uint64_t bench_gemm_equal(struct bench_pair *pair, const struct bench_gemm *g,
                          enum bench_fill fill, uint64_t seed, char *text, size_t n);

/* Runs it on one device; out receives m x n elements of 1 or 4 bytes. */
enum ktpu_status bench_gemm_on(struct ktpu_device *d, const struct bench_gemm *g,
                               enum bench_fill fill, uint64_t seed, void *out,
                               struct ktpu_result *result);

/* "" or what differs between two outcomes of the same list. */
void bench_difference(const struct ktpu_result *got, const struct ktpu_result *want, char *text,
                      size_t n);

#endif
