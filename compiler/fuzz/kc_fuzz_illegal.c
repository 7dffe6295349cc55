/* SPDX-License-Identifier: Apache-2.0
 *
 * Random illegal programs: a legal chain with one violation planted in it, and the fault that
 * follows from what was planted (not from what the checker says).
 */
#include "compiler/fuzz/kc_plant.h"

#include "spec/generated/kt_tinytpu.h"

#include <stdlib.h>
#include <string.h>

static const struct kc_kind *const tables[] = {kc_kinds_control, kc_kinds_fields,
                                               kc_kinds_contents, kc_kinds_program};
enum { TABLES = sizeof tables / sizeof tables[0] };

static const struct kc_kind *find_kind(size_t kind)
{
  for (size_t t = 0; t < TABLES; t++)
    for (const struct kc_kind *k = tables[t]; k->name != NULL; k++)
      if (kind-- == 0) return k;
  return NULL;
}

size_t kc_fuzz_kinds(void)
{
  size_t n = 0;
  while (find_kind(n) != NULL)
    n++;
  return n;
}

const char *kc_fuzz_kind_name(size_t kind)
{
  const struct kc_kind *k = find_kind(kind);
  return k != NULL ? k->name : NULL;
}

/* ---- blocks ---- */

void kc_plant_add(struct kc_plant *pl, struct kt_insn insn)
{
  if (pl->n == KC_PLANT_MAX) {
    pl->impossible = true;
    return;
  }
  pl->offender = pl->n;
  pl->insn[pl->n++] = insn;
}

void kc_plant_loop(struct kc_plant *pl, uint32_t trip)
{
  kc_plant_add(pl, (struct kt_insn){.op = KT_OP_LOOP, .nr = (uint16_t)trip});
}

void kc_plant_endloop(struct kc_plant *pl)
{
  kc_plant_add(pl, (struct kt_insn){.op = KT_OP_ENDLOOP});
}

void kc_plant_fault(struct kc_plant *pl, uint32_t code, uint32_t sub, uint32_t arg)
{
  pl->fault = (struct kc_fault){.code = code, .sub = sub, .arg = arg};
}

struct kt_insn kc_plant_plain(uint32_t op, uint32_t nr)
{
  return (struct kt_insn){.op = (uint16_t)op, .nr = (uint16_t)nr};
}

uint32_t kc_plant_depth(const struct kt_params *p, uint32_t memory)
{
  if (memory == KT_MEM_SPAD) return p->spad_rows;
  return memory == KT_MEM_VR ? p->nvr : p->nar;
}

uint32_t kc_plant_fresh(struct kc_plant *pl, uint32_t memory, uint32_t n)
{
  const bool *written = pl->before->ar;
  uint32_t run = 0;
  if (memory == KT_MEM_SPAD) written = pl->before->spad;
  if (memory == KT_MEM_VR) written = pl->before->vr;

  /* rows below 16 are what the blocks themselves use */
  for (uint32_t row = 16; row < kc_plant_depth(pl->p, memory); row++) {
    run = written[row] ? 0 : run + 1;
    if (run == n) return row + 1 - n;
  }
  pl->impossible = true;
  return 0;
}

/* ---- where a block goes ---- */

/* Static indices 0 .. n at which no loop is open. The caller frees *at. */
static enum kt_status free_places(const struct kc_program *program, size_t **at, size_t *n)
{
  size_t instructions = kc_program_instructions(program->n_words);
  size_t depth = 0;
  size_t *places = malloc((instructions + 1) * sizeof *places);
  if (places == NULL) return KT_ENOMEM;

  *n = 0;
  for (size_t i = 0; i <= instructions; i++) {
    struct kt_insn insn;
    if (depth == 0) places[(*n)++] = i;
    if (i == instructions) break;
    kt_insn_unpack(program->words + KT_NHDR + KT_IWORDS * i, &insn);
    if (insn.op == KT_OP_LOOP) depth++;
    if (insn.op == KT_OP_ENDLOOP) depth--;
  }
  *at = places;
  return KT_OK;
}

/* What the chain has written before instruction `place` of program `at`. */
static enum kt_status state_before(const struct kt_params *p, const struct kc_chain *chain,
                                   size_t at, size_t place, struct kc_check_ctx *state)
{
  for (size_t i = 0; i < at; i++) {
    const struct kc_program *program = &chain->program[i];
    enum kt_status st = kc_check_program(p, program->words, program->n_words, state, NULL);
    if (st != KT_OK) return st;
  }
  if (place == 0) return KT_OK;

  size_t n = KT_NHDR + KT_IWORDS * place;
  uint64_t *prefix = malloc(n * sizeof *prefix);
  if (prefix == NULL) return KT_ENOMEM;
  memcpy(prefix, chain->program[at].words, n * sizeof *prefix);
  enum kt_status st = kc_build_header(p, prefix, n, NULL);
  if (st == KT_OK) st = kc_check_program(p, prefix, n, state, NULL);
  free(prefix);
  return st;
}

static enum kt_status insert(struct kc_program *program, size_t place, const struct kc_plant *pl)
{
  size_t added = (size_t)KT_IWORDS * pl->n;
  size_t at = KT_NHDR + KT_IWORDS * place;
  uint64_t *words = realloc(program->words, (program->n_words + added) * sizeof *words);
  if (words == NULL) return KT_ENOMEM;

  memmove(words + at + added, words + at, (program->n_words - at) * sizeof *words);
  for (uint32_t i = 0; i < pl->n; i++)
    kt_insn_pack(&pl->insn[i], words + at + KT_IWORDS * i);
  program->words = words;
  program->n_words += added;
  return KT_OK;
}

/* The header that the program would have without its fault, as far as it can be counted. */
static void set_header(const struct kt_params *p, struct kc_program *program)
{
  uint32_t slots[KT_HDR_COUNT];
  kc_header_count(p, program->words, program->n_words, slots, NULL);
  kc_header_pack(slots, program->words);
}

static enum kt_status impossible(const struct kc_kind *kind, struct kt_msg *msg)
{
  kt_msg_set(msg, "this build cannot hold \"%s\"", kind->name);
  return KT_EUNSUPPORTED;
}

static enum kt_status plant_at(const struct kt_params *p, struct kc_plant *pl,
                               const struct kc_kind *kind, size_t place, struct kc_fuzz_case *out,
                               struct kt_msg *msg)
{
  struct kc_program *program = &out->chain.program[out->at];
  kind->plant(pl, kind->a, kind->b);
  if (pl->impossible) return impossible(kind, msg);

  size_t last = kc_program_instructions(program->n_words);
  if (pl->at_end) place = last;
  if (program->n_words + (size_t)KT_IWORDS * pl->n > p->imem_size) return impossible(kind, msg);
  enum kt_status st = insert(program, place, pl);
  if (st != KT_OK) return st;
  set_header(p, program);
  out->fault = pl->fault;
  out->fault.instr = (uint32_t)(pl->end_fault ? last + pl->n : place + pl->offender);
  return KT_OK;
}

static enum kt_status plant(const struct kt_params *p, struct kc_rng *rng,
                            const struct kc_kind *kind, struct kc_fuzz_case *out,
                            struct kt_msg *msg)
{
  size_t *places = NULL;
  size_t n = 0;
  struct kc_check_ctx *before = calloc(1, sizeof *before);
  if (before == NULL) return KT_ENOMEM;

  enum kt_status st = free_places(&out->chain.program[out->at], &places, &n);
  if (st == KT_OK) {
    size_t place = places[kc_rng_range(rng, 0, (uint32_t)n - 1)];
    struct kc_plant pl = {.p = p, .rng = rng, .before = before};
    st = state_before(p, &out->chain, out->at, place, before);
    if (st == KT_OK) st = plant_at(p, &pl, kind, place, out, msg);
  }
  free(places);
  free(before);
  return st;
}

enum kt_status kc_fuzz_illegal(const struct kt_params *p, uint64_t seed, size_t kind,
                               struct kc_fuzz_case *out, struct kt_msg *msg)
{
  const struct kc_kind *k = find_kind(kind);
  struct kc_rng rng = kc_rng_seed(seed ^ UINT64_C(0x1E6A1));
  struct kc_fuzz_opts opts = {.instructions = 20};

  memset(out, 0, sizeof *out);
  if (k == NULL) {
    kt_msg_set(msg, "violation %zu does not exist (limit %zu)", kind, kc_fuzz_kinds() - 1);
    return KT_EINVAL;
  }
  enum kt_status st = kc_fuzz_legal(p, kc_rng_next(&rng), &opts, &out->chain, msg);
  if (st != KT_OK) return st;
  out->rule = k->name;
  out->at = kc_rng_range(&rng, 0, (uint32_t)out->chain.n - 1);
  if (k->plant != NULL) {
    st = plant(p, &rng, k, out, msg);
  } else {
    st = k->spoil(p, &rng, &out->chain.program[out->at], &out->fault, k->a, k->b);
  }
  if (st != KT_OK) kc_chain_free(&out->chain);
  return st;
}
