/* SPDX-License-Identifier: Apache-2.0
 *
 * Random legal programs. Blocks (an instruction, or a loop with a body) are drawn at random within
 * the windows and kept if the checker accepts the program with them.
 */
#include "compiler/fuzz/kc_fuzz.h"
#include "compiler/fuzz/kc_rng.h"

#include "compiler/bytes/kc_op.h"
#include "spec/generated/kt_tinytpu.h"

#include <stdlib.h>
#include <string.h>

enum {
  BLOCK_MAX = 16,      /* instructions of one block, loops included */
  PROGRAM_MAX = 512,   /* instructions of a program */
  TRIPS_MAX = 40,      /* iterations of a nest, all levels together */
  STEPS_MAX = 8000,    /* accu steps of a program */
  TRIES_MAX = 4000,    /* blocks drawn for one program */
  RESERVE = 12         /* instructions left free for the mvouts at the end */
};

struct window {
  uint32_t first, rows;
};

struct gen {
  const struct kt_params *p;
  struct kc_rng rng;
  struct kc_fuzz_opts opts;
  int64_t env[KT_PARAMS_ENV_MAX];
  struct window window[3];        /* by KT_MEM_* */
  struct kc_check_ctx *before;    /* what the chain left before this program */
  struct kc_check_ctx *after;     /* and with what is accepted of it */
  struct kc_check_ctx *trial;
  struct kt_insn insn[PROGRAM_MAX];
  size_t n;
  struct kt_insn block[BLOCK_MAX];
  size_t n_block;
  uint32_t trip[KT_LOOP_DEPTH]; /* of the loops open in the block */
  uint32_t depth;
};

void kc_chain_free(struct kc_chain *chain)
{
  for (size_t i = 0; i < chain->n; i++)
    kc_program_free(&chain->program[i]);
  chain->n = 0;
}

static uint32_t min_u32(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* ---- drawing one instruction ---- */

struct weight {
  uint16_t op;
  uint32_t percent;
};

static uint16_t draw_opcode(struct gen *g)
{
  static const struct weight others[] = {
      {KT_OP_DMA_LD, 30}, {KT_OP_MM, 34}, {KT_OP_VADD, 9}, {KT_OP_VADDRELU, 7},
      {KT_OP_VRELU, 8},   {KT_OP_VLD, 9}, {KT_OP_NOP, 3}};
  if (kc_rng_percent(&g->rng, g->opts.mvout)) return KT_OP_MVOUT;
  if (g->opts.move != 0 && kc_rng_percent(&g->rng, g->opts.move))
    return kc_rng_percent(&g->rng, 50) ? KT_OP_VLD : KT_OP_DMA_LD;

  uint32_t draw = kc_rng_range(&g->rng, 0, 99);
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (draw < others[i].percent) return others[i].op;
    draw -= others[i].percent;
  }
  return KT_OP_MM;
}

/* Values that a field may take: low .. high. */
struct span {
  uint32_t low, high;
};

static struct span rows_of(const struct gen *g, const struct kt_action *action, uint32_t nr)
{
  const struct kt_memory *memory = &kt_isa.memory[action->memory];
  uint32_t rows = kc_op_items(action, g->p->t, nr);
  struct window w = {0, g->p->maxdim};
  if (memory->code >= 0) w = g->window[memory->code];
  return (struct span){w.first, w.rows > rows ? w.first + w.rows - rows : w.first};
}

static struct span field_span(const struct gen *g, const struct kt_opcode *op, uint32_t field,
                              const uint32_t f[4], uint32_t nr)
{
  const struct kt_operand *operand = kt_operand(op->value, field);
  int64_t limit = 1;
  if (operand == NULL) return (struct span){0, KT_FIELD_MAX};

  switch (operand->kind) {
  case KT_OPERAND_SELECT: return (struct span){0, operand->legal[operand->n_legal - 1]};
  case KT_OPERAND_BELOW:
    if (!kt_expr_eval(&operand->limit, g->env, &limit)) limit = 1;
    return (struct span){0, (uint32_t)limit - 1};
  case KT_OPERAND_ROW: break;
  }
  const struct kt_action *action = kc_op_access(op, operand, KT_ACTION_READ, f);
  if (action == NULL) action = kc_op_access(op, operand, KT_ACTION_WRITE, f);
  if (action == NULL) return (struct span){0, 0};
  return rows_of(g, action, nr);
}

/* Up to three terms; each may use what its field's base leaves below `high`. */
static void draw_terms(struct gen *g, struct kt_insn *insn, const struct span span[4])
{
  uint32_t top[4];
  for (uint32_t f = 0; f < 4; f++)
    top[f] = insn->f[f];
  uint32_t n = g->depth == 0 ? 0 : kc_rng_range(&g->rng, 0, KT_AGU_TERMS);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t f = kc_rng_range(&g->rng, 0, 3);
    uint32_t level = kc_rng_range(&g->rng, 0, g->depth - 1);
    uint32_t turns = g->trip[level] - 1;
    uint32_t most = turns == 0 ? KT_FIELD_MAX : (span[f].high - top[f]) / turns;
    uint32_t stride = kc_rng_range(&g->rng, 0, min_u32(most, 6));
    if (kc_rng_percent(&g->rng, 10)) stride = most;
    insn->term[i] = (struct kt_term){(uint16_t)(f + 1), (uint16_t)level, (uint16_t)stride};
    top[f] += stride * turns;
  }
}

static uint32_t draw_rows(struct gen *g)
{
  uint32_t most = g->window[0].rows;
  for (uint32_t i = 1; i < 3; i++)
    most = min_u32(most, g->window[i].rows);
  most = min_u32(most, g->p->maxdim);
  if (kc_rng_percent(&g->rng, 75)) most = min_u32(most, 8);
  return kc_rng_range(&g->rng, 1, most);
}

static struct kt_insn draw_insn(struct gen *g)
{
  struct kt_insn insn = {.op = draw_opcode(g)};
  const struct kt_opcode *op = kt_opcode(insn.op);
  struct span span[4];
  uint32_t f[4] = {0};
  if (op->nr != KT_NR_ROWS) return insn;

  insn.nr = (uint16_t)draw_rows(g);
  for (uint32_t i = 0; i < 4; i++) {
    span[i] = field_span(g, op, i, f, insn.nr);
    uint32_t high = span[i].high;
    if (g->depth > 0 && kc_rng_percent(&g->rng, 60)) high = span[i].low + (high - span[i].low) / 2;
    f[i] = kc_rng_range(&g->rng, span[i].low, high);
    if (kt_operand(op->value, i) == NULL && kc_rng_percent(&g->rng, 80)) f[i] = 0;
    insn.f[i] = (uint16_t)f[i];
  }
  draw_terms(g, &insn, span);
  return insn;
}

/* ---- blocks ---- */

static void put(struct gen *g, struct kt_insn insn)
{
  if (g->n_block < BLOCK_MAX) g->block[g->n_block++] = insn;
}

static uint32_t trips_open(const struct gen *g)
{
  uint32_t trips = 1;
  for (uint32_t i = 0; i < g->depth; i++)
    trips *= g->trip[i];
  return trips;
}

static void draw_block(struct gen *g)
{
  uint32_t loop_percent = g->depth == 0 ? 25 : 35;
  bool room = g->n_block + 2 * g->depth + 4 < BLOCK_MAX;
  uint32_t most = TRIPS_MAX / trips_open(g);

  if (g->depth == KT_LOOP_DEPTH || !room || !kc_rng_percent(&g->rng, loop_percent)) {
    put(g, draw_insn(g));
    return;
  }
  uint32_t trip = kc_rng_range(&g->rng, 1, min_u32(most, 5));
  put(g, (struct kt_insn){.op = KT_OP_LOOP, .nr = (uint16_t)trip});
  g->trip[g->depth++] = trip;
  uint32_t body = kc_rng_range(&g->rng, 1, 3);
  for (uint32_t i = 0; i < body && g->n_block + g->depth + 1 < BLOCK_MAX; i++)
    draw_block(g);
  g->depth--;
  put(g, (struct kt_insn){.op = KT_OP_ENDLOOP});
}

static enum kt_status pack(const struct gen *g, struct kc_program *out)
{
  enum kt_status st = KT_OK;
  *out = (struct kc_program){NULL, 0};
  for (size_t i = 0; i < g->n && st == KT_OK; i++)
    st = kc_program_add(out, &g->insn[i]);
  if (st == KT_OK) st = kc_build_header(g->p, out->words, out->n_words, NULL);
  if (st != KT_OK) kc_program_free(out);
  return st;
}

/* Keeps the block if the program with it is legal, and short enough to run. */
static enum kt_status try_block(struct gen *g, bool *kept)
{
  struct kc_program program;
  size_t old = g->n;

  *kept = false;
  if (g->n + g->n_block > PROGRAM_MAX) return KT_OK;
  memcpy(&g->insn[g->n], g->block, g->n_block * sizeof g->block[0]);
  g->n += g->n_block;
  enum kt_status st = pack(g, &program);
  if (st == KT_OK) {
    *g->trial = *g->before;
    st = kc_check_program(g->p, program.words, program.n_words, g->trial, NULL);
    *kept = st == KT_OK && g->trial->step - g->before->step <= STEPS_MAX;
    kc_program_free(&program);
  }
  if (*kept) *g->after = *g->trial;
  else g->n = old;
  return st == KT_ENOMEM ? KT_ENOMEM : KT_OK;
}

static enum kt_status try_one(struct gen *g, struct kt_insn insn, bool *kept)
{
  g->block[0] = insn;
  g->n_block = 1;
  return try_block(g, kept);
}

/* ---- a program: fill, body, retire ---- */

static struct kt_insn load(struct gen *g, uint32_t memory)
{
  const struct window *w = &g->window[memory];
  uint32_t rows = min_u32(w->rows, g->p->maxdim);
  uint32_t mode = kc_rng_range(&g->rng, 0, 1) << KT_MODE_B_BIT;
  if (memory == KT_MEM_VR) mode |= 1u << KT_MODE_VR_BIT;
  return (struct kt_insn){
      .op = KT_OP_DMA_LD, .nr = (uint16_t)rows,
      .f = {(uint16_t)mode, (uint16_t)kc_rng_range(&g->rng, 0, g->p->maxdim - rows),
            (uint16_t)kc_rng_range(&g->rng, 0, g->p->maxdim / g->p->t - 1), (uint16_t)w->first}};
}

static enum kt_status fill(struct gen *g)
{
  const struct window *ar = &g->window[KT_MEM_AR];
  bool kept;
  enum kt_status st = KT_OK;

  if (kc_rng_percent(&g->rng, 90)) st = try_one(g, load(g, KT_MEM_SPAD), &kept);
  if (st == KT_OK && kc_rng_percent(&g->rng, 90)) st = try_one(g, load(g, KT_MEM_VR), &kept);
  uint32_t rows = min_u32(min_u32(ar->rows, g->window[KT_MEM_VR].rows), g->p->maxdim);
  for (uint32_t row = 0; row < ar->rows && st == KT_OK; row += rows) {
    uint32_t nr = min_u32(rows, ar->rows - row);
    struct kt_insn mm = {.op = KT_OP_MM, .nr = (uint16_t)nr,
                         .f = {(uint16_t)g->window[KT_MEM_VR].first, (uint16_t)(ar->first + row), 0,
                               (uint16_t)g->window[KT_MEM_SPAD].first}};
    st = try_one(g, mm, &kept);
  }
  return st;
}

static enum kt_status body(struct gen *g)
{
  enum kt_status st = KT_OK;
  for (uint32_t tries = 0; tries < TRIES_MAX && g->n < g->opts.instructions; tries++) {
    bool kept;
    g->n_block = 0;
    draw_block(g);
    if (g->n + g->n_block > g->opts.instructions + RESERVE / 2) continue;
    st = try_block(g, &kept);
    if (st != KT_OK) break;
  }
  return st;
}

/* mvouts of every written row of the window; twice, because the first ones bring the others past
 * the accumulator distance. */
static enum kt_status retire(struct gen *g)
{
  const struct window *ar = &g->window[KT_MEM_AR];
  bool gone[KC_MEMORY_ROWS] = {false};
  size_t room = (g->p->imem_size - KT_NHDR) / KT_IWORDS;
  enum kt_status st = KT_OK;

  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t row = ar->first; row < ar->first + ar->rows && g->n < room;) {
      uint32_t nr = 0;
      while (row + nr < ar->first + ar->rows && nr < g->p->maxdim && g->after->ar[row + nr] &&
             !gone[row + nr] && nr < 7)
        nr++;
      bool kept = false;
      struct kt_insn mvout = {
          .op = KT_OP_MVOUT, .nr = (uint16_t)nr,
          .f = {(uint16_t)row, (uint16_t)kc_rng_range(&g->rng, 0, g->p->maxdim - nr),
                (uint16_t)kc_rng_range(&g->rng, 0, g->p->maxdim / g->p->t - 1), 0}};
      if (nr > 0) st = try_one(g, mvout, &kept);
      if (st != KT_OK) return st;
      for (uint32_t i = 0; i < nr && kept; i++)
        gone[row + i] = true;
      row += nr > 0 ? nr : 1;
    }
  }
  return st;
}

static enum kt_status draw_program(struct gen *g, bool first, bool last, struct kc_program *out)
{
  enum kt_status st = KT_OK;

  g->n = 0;
  *g->after = *g->before;
  if (first || kc_rng_percent(&g->rng, 30)) st = fill(g);
  if (st == KT_OK) st = body(g);
  if (st == KT_OK && last) st = retire(g);
  if (st == KT_OK && g->n == 0) st = try_one(g, (struct kt_insn){.op = KT_OP_NOP}, &(bool){false});
  if (st == KT_OK) st = pack(g, out);
  *g->before = *g->after;
  return st;
}

/* ---- a chain ---- */

static void set_defaults(struct gen *g, const struct kc_fuzz_opts *opts)
{
  uint32_t room = (g->p->imem_size - KT_NHDR) / KT_IWORDS;

  if (opts != NULL) g->opts = *opts;
  if (g->opts.chain_max == 0 || g->opts.chain_max > KC_FUZZ_CHAIN) g->opts.chain_max = KC_FUZZ_CHAIN;
  if (g->opts.window_min == 0) g->opts.window_min = 8;
  if (g->opts.window_max < g->opts.window_min) g->opts.window_max = 28;
  if (g->opts.window_max < g->opts.window_min) g->opts.window_max = g->opts.window_min;
  if (g->opts.mvout == 0) g->opts.mvout = 25;
  uint32_t most = room > RESERVE ? room - RESERVE : 1;
  if (g->opts.instructions == 0 || g->opts.instructions > most) g->opts.instructions = most;
  g->opts.instructions = min_u32(g->opts.instructions, PROGRAM_MAX - RESERVE);
}

static enum kt_status draw_windows(struct gen *g, struct kt_msg *msg)
{
  const uint32_t depth[3] = {g->p->spad_rows, g->p->nvr, g->p->nar};
  for (uint32_t i = 0; i < 3; i++) {
    struct window *w = &g->window[i];
    w->rows = kc_rng_range(&g->rng, g->opts.window_min, g->opts.window_max);
    if (w->rows < g->p->t + 2) w->rows = g->p->t + 2;
    if (w->rows > depth[i]) {
      kt_msg_set(msg, "a window of %u rows does not fit a memory of %u", w->rows, depth[i]);
      return KT_ELIMIT;
    }
    w->first = kc_rng_range(&g->rng, 0, depth[i] - w->rows);
    if (kc_rng_percent(&g->rng, 25)) w->first = 0;
    if (kc_rng_percent(&g->rng, 25)) w->first = depth[i] - w->rows;
  }
  return KT_OK;
}

static enum kt_status draw_chain(struct gen *g, struct kc_chain *out, struct kt_msg *msg)
{
  enum kt_status st = draw_windows(g, msg);
  size_t n = kc_rng_range(&g->rng, 1, g->opts.chain_max);

  for (size_t i = 0; i < n && st == KT_OK; i++) {
    st = draw_program(g, i == 0, i + 1 == n, &out->program[i]);
    if (st == KT_OK) out->n++;
  }
  return st;
}

enum kt_status kc_fuzz_legal(const struct kt_params *p, uint64_t seed,
                             const struct kc_fuzz_opts *opts, struct kc_chain *out,
                             struct kt_msg *msg)
{
  struct gen *g = calloc(1, sizeof *g);
  struct kc_check_ctx *contexts = calloc(3, sizeof *contexts);
  enum kt_status st = g == NULL || contexts == NULL ? KT_ENOMEM : kt_params_check(p, msg);

  *out = (struct kc_chain){.n = 0};
  if (st == KT_OK) {
    g->p = p;
    g->rng = kc_rng_seed(seed);
    g->before = &contexts[0];
    g->after = &contexts[1];
    g->trial = &contexts[2];
    set_defaults(g, opts);
    if (!kt_params_env(p, g->env)) st = KT_EINVAL;
  }
  if (st == KT_OK) st = draw_chain(g, out, msg);
  if (st != KT_OK) kc_chain_free(out);
  free(contexts);
  free(g);
  return st;
}
