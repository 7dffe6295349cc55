/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/mx/cl_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_FILLS = 512,
  MAX_BURSTS = 4096,
  LIMIT = 400000,
  START = 70 /* cycles until the scoreboard has been zeroed */
};

struct fill {
  size_t insn;
  uint64_t from; /* no word before this cycle */
};

struct burst {
  unsigned beats;
  uint64_t answer; /* the cycle of its answer */
};

struct cl_bench {
  const struct cl_build *build;
  void *model;
  struct cl_in in;
  struct cl_out out;
  const struct cl_program *p;
  const struct cl_want *want;
  const struct cl_timing *t;
  struct cl_result *r;
  uint64_t now;
  uint32_t random;
  size_t next; /* instruction that stands or comes */
  struct fill fills[MAX_FILLS];
  size_t fill_head, fill_tail;
  uint32_t outer, inner, lane; /* of the fill at the head */
  struct burst bursts[MAX_BURSTS];
  size_t aw, w, b; /* bursts asked for, with all data, answered */
  size_t beat_aw;  /* beats asked for */
  unsigned beat_left;
  size_t drain_next; /* instruction where the search for the next completed DRAIN starts */
  uint64_t stop_from;
};

static void trouble(struct cl_bench *b, const char *what, uint64_t x, uint64_t y)
{
  if (b->r->trouble[0] != '\0') return;
  snprintf(b->r->trouble, sizeof b->r->trouble, "cycle %llu: %s (%llu, %llu)",
           (unsigned long long)b->now, what, (unsigned long long)x, (unsigned long long)y);
}

struct cl_bench *cl_bench_new(const struct cl_build *build)
{
  struct cl_bench *b = calloc(1, sizeof *b);

  if (b == NULL) abort();
  b->build = build;
  b->model = build->make();
  for (int i = 0; i < 4 + START; i++) {
    b->in.rst = i < 4;
    build->look(b->model, &b->in, &b->out);
    build->clock(b->model);
  }
  return b;
}

void cl_bench_free(struct cl_bench *b)
{
  b->build->destroy(b->model);
  free(b);
}

static bool chance(struct cl_bench *b, unsigned of_64)
{
  return of_64 > 0 && cl_hash(b->t->seed, b->random++) % 64 < of_64;
}

/* ---- The agent's reads ------------------------------------------------------------------------ */

static void pack_lane(struct cl_in *in, const struct kr_mx_block *x)
{
  memset(in->l1_q, 0, sizeof in->l1_q);
  for (unsigned i = 0; i < KR_MX_BLOCK; i++) {
    const uint64_t q = (uint64_t)(x->q[i] & 127) << 7 * i % 32;
    in->l1_q[7 * i / 32] |= (uint32_t)q;
    if (7 * i / 32 < 6) in->l1_q[7 * i / 32 + 1] |= (uint32_t)(q >> 32);
  }
  in->l1_code = x->scale;
}

/* Gives the next word, if one is due; the words of the FILL at the head, in its order. */
static void give_word(struct cl_bench *b)
{
  struct kr_mx_block x;

  b->in.l1_valid = false;
  if (b->fill_head == b->fill_tail || b->now < b->fills[b->fill_head].from) return;
  if (chance(b, b->t->word)) return;
  const size_t insn = b->fills[b->fill_head].insn;
  const struct kt_mx_flit *f = &b->p->insn[insn];
  const bool order = kt_mx_get(f, KT_MX_FIELD_FILL_ORDER) != 0;
  const uint32_t groups = kt_mx_get(f, KT_MX_FIELD_FILL_GROUPS);
  const uint32_t blocks = kt_mx_get(f, KT_MX_FIELD_FILL_BLOCKS);
  const uint32_t g = order ? b->outer : b->inner, k = order ? b->inner : b->outer;

  cl_entry(b->p->salt, insn, g, k, b->lane, &x);
  pack_lane(&b->in, &x);
  b->in.l1_valid = true;
  b->in.l1_side = kt_mx_get(f, KT_MX_FIELD_FILL_SIDE);
  b->in.l1_entry = 256 * kt_mx_get(f, KT_MX_FIELD_FILL_BANK) + kt_mx_get(f, KT_MX_FIELD_FILL_OFFSET) +
                   k * kt_mx_get(f, KT_MX_FIELD_FILL_PITCH) + g;
  b->in.l1_lane = b->lane;
  if (b->r->words++ == 0) b->r->first_word = b->now;
  b->r->last_word = b->now;
  b->lane = (b->lane + 1) % 4;
  if (b->lane != 0) return;
  if (++b->inner < (order ? blocks : groups)) return;
  b->inner = 0;
  if (++b->outer < (order ? groups : blocks)) return;
  b->outer = 0;
  b->fill_head++;
}

static void take_fill(struct cl_bench *b)
{
  if (!b->out.fill_valid || !b->in.fill_ready) return;
  if (memcmp(b->out.fill_insn, b->p->insn[b->out.fill_instr].word, sizeof b->out.fill_insn) != 0)
    trouble(b, "a FILL is not the instruction of its number", b->out.fill_instr, 0);
  if (b->fill_tail == MAX_FILLS) abort();
  b->fills[b->fill_tail++] = (struct fill){b->out.fill_instr, b->now + 2 + b->t->latency};
  b->r->early += !b->out.insn_ready;
}

/* ---- The agent's writes ----------------------------------------------------------------------- */

static void take_address(struct cl_bench *b)
{
  if (!b->out.aw_valid || !b->in.aw_ready) return;
  if (b->out.aw_beats < 1 || b->out.aw_beats > 8) trouble(b, "beats of a burst", b->out.aw_beats, 0);
  for (unsigned i = 0; i < b->out.aw_beats; i++, b->beat_aw++) {
    if (b->beat_aw >= b->want->n) {
      trouble(b, "a burst that nobody wants", b->beat_aw, b->want->n);
      return;
    }
    /* 33 bits: past 2^32 is past 2^32 */
    const uint64_t want = b->want->beat[b->beat_aw].addr, got = b->out.aw_addr + 32 * i;
    if ((uint32_t)want != (uint32_t)got || (want >> 32 != 0) != (got >> 32 != 0))
      trouble(b, "address of a beat", got, want);
  }
  if (b->aw == MAX_BURSTS) abort();
  b->bursts[b->aw++] = (struct burst){b->out.aw_beats, 0};
}

static void take_beat(struct cl_bench *b)
{
  if (!b->out.w_valid || !b->in.w_ready) return;
  if (b->w == b->aw) {
    trouble(b, "data without an address", b->r->beats, 0);
    return;
  }
  const struct cl_beat *want = &b->want->beat[b->r->beats];
  if (!b->out.w_strobe) trouble(b, "strobe", b->r->beats, 0);
  for (unsigned i = 0; i < 8; i++)
    if (b->out.w_data[i] != want->word[i])
      trouble(b, "data of a beat", b->r->beats, (uint64_t)b->out.w_data[i] << 32 | want->word[i]);
  if (b->r->beats++ == 0) b->r->first_beat = b->now;
  b->r->last_beat = b->now;
  if (b->beat_left == 0) b->beat_left = b->bursts[b->w].beats;
  if (--b->beat_left == 0) b->bursts[b->w++].answer = b->now + 1 + b->t->latency;
}

/* ---- A cycle ---------------------------------------------------------------------------------- */

static void set_inputs(struct cl_bench *b)
{
  struct cl_in *in = &b->in;

  if (!in->insn_valid && b->next < b->p->n && !chance(b, b->t->insn)) {
    in->insn_valid = true;
    in->insn_last = b->p->last[b->next];
    memcpy(in->insn, b->p->insn[b->next].word, sizeof in->insn);
  }
  in->fill_ready = !in->stop && !chance(b, b->t->fill);
  in->aw_ready = !chance(b, b->t->aw);
  in->w_ready = !chance(b, b->t->w);
  in->b_valid = b->b < b->w && b->bursts[b->b].answer <= b->now;
  in->stop = b->stop_from != 0 && b->now >= b->stop_from;
  give_word(b);
}

/* The instruction whose DRAIN completes must be the next one in the program. */
static void complete_drain(struct cl_bench *b)
{
  while (b->drain_next < b->p->n &&
         (b->p->insn[b->drain_next].word[0] & 255) != KT_MX_OP_DRAIN)
    b->drain_next++;
  if (b->drain_next >= b->next) trouble(b, "a DRAIN completes that was not taken", b->drain_next, 0);
  else if (b->out.done_drain_last != b->p->last[b->drain_next])
    trouble(b, "last of a completed DRAIN", b->drain_next, 0);
  b->drain_next++;
  b->r->drains++;
  b->r->completed++;
}

static void take_instruction(struct cl_bench *b)
{
  if (!b->in.insn_valid || !b->out.insn_ready) {
    if (b->out.accept_done) trouble(b, "completion without an instruction", b->next, 0);
    return;
  }
  b->r->completed += b->out.accept_done;
  b->in.insn_valid = false;
  b->next++;
}

static void watch(struct cl_bench *b)
{
  struct cl_result *r = b->r;

  r->fill_waits += b->out.waiting & 1;
  if (b->out.step) {
    if (r->steps++ == 0) {
      r->first_step = b->now;
      memcpy(r->before, r->state, sizeof r->before);
    }
    r->last_step = b->now;
    for (unsigned i = 0; i < 8; i++) r->within[i] = r->state[i] - r->before[i];
  }
  r->state[b->out.state]++;
  r->overflow += b->out.overflow;
  r->clamped += b->out.clamped;
  r->flushed += b->out.flushed;
  r->nan += b->out.nan;
  if (b->out.fault) {
    if (r->faulted) trouble(b, "a second fault", b->out.code, b->out.arg);
    r->faulted = true;
    r->fault = (struct cl_fault){b->out.code, b->out.field, b->out.fault_instr, b->out.arg};
    if (b->stop_from == 0) b->stop_from = b->now + 1 + cl_hash(b->t->seed, 1) % 3;
  }
}

static void cycle(struct cl_bench *b)
{
  set_inputs(b);
  b->build->look(b->model, &b->in, &b->out);
  take_fill(b);
  take_address(b);
  take_beat(b);
  b->b += b->in.b_valid;
  if (b->out.done_drain) complete_drain(b);
  take_instruction(b);
  watch(b);
  b->build->clock(b->model);
  b->now++;
}

static void clear(struct cl_bench *b)
{
  b->in = (struct cl_in){.clear = true};
  b->build->look(b->model, &b->in, &b->out);
  b->build->clock(b->model);
  b->in.clear = false;
}

void cl_bench_run(struct cl_bench *b, const struct cl_program *p, const struct cl_want *want,
                  const struct cl_timing *t, uint64_t stop_at, struct cl_result *r)
{
  const struct cl_build *build = b->build;
  void *model = b->model;

  memset(r, 0, sizeof *r);
  memset(b, 0, sizeof *b);
  b->build = build;
  b->model = model;
  b->p = p;
  b->want = want;
  b->t = t;
  b->r = r;
  b->stop_from = stop_at;
  clear(b);
  bool over = false; /* idle_o of the cycle that completes the last instruction says nothing yet */
  while (b->now < LIMIT && r->trouble[0] == '\0' && !over) {
    const bool completed = r->completed >= p->n;
    cycle(b);
    over = completed && b->out.idle && b->b == b->aw;
  }
  r->cycles = b->now;
  if (b->now == LIMIT) trouble(b, "no end", b->next, r->completed);
  if (b->fill_head != b->fill_tail && b->stop_from == 0) {
    /* words that no GEMM waited for */
    while (b->fill_head != b->fill_tail && b->now < LIMIT) cycle(b);
  }
  for (unsigned i = 0; i < t->quiet; i++) cycle(b);
  if (r->completed != p->n) trouble(b, "completions", r->completed, p->n);
  if (!r->faulted && stop_at == 0 && r->beats != want->n) trouble(b, "beats", r->beats, want->n);
  if (r->beats != b->beat_aw) trouble(b, "beats that were asked for", r->beats, b->beat_aw);
  if (!b->out.idle) trouble(b, "not idle", 0, 0);
}
