/* SPDX-License-Identifier: Apache-2.0
 *
 * The timed model: cycle after cycle the sequence takes an instruction, the sweep begins a product, a
 * plain DRAIN reads a word. Reads and writes are not stepped: memory answers in order, a beat a cycle,
 * so the cycle of each beat is known when it is asked for.
 */
#include "compiler/unit/kc_mx_time.h"

#include <stdlib.h>
#include <string.h>

/* Cycles between parts of the machine. */
enum {
  TO_FIRST = 8,      /* from go to the first instruction at the cluster: commands, kick, FIFO */
  TO_READ = 3,       /* from an address to its beat */
  TO_ENTRY = 3,      /* from an MXFP7 entry's last beat to its use */
  TO_QUANTISED = 10, /* the same in binary16 */
  TO_WRITE = 10,     /* from a step to its sub-tile's first beat */
  TO_RESPONSE = 2,   /* from the last beat to its response */
  TO_DONE = 2,       /* from all quiet to done */
  TAKING = 3,        /* an instruction's checks */
  REUSE = 5,         /* from a step of a tile word to its next */
  PLACES = 32,       /* sub-tiles between tile and memory */
  HALF_BEATS = 8,    /* that a binary16 entry takes at the quantiser, those left out too */
  BURST = 16,        /* beats of a burst at most */
  QUEUE = 0,         /* FILLs that wait at the agent */
  ENTRIES = 512, WORDS = 512, SIDES = 2, BANK = 256,
  STUCK = 1 << 22    /* cycles without progress */
};

struct sweep {
  const struct kc_mx_gemm *g; /* NULL: none */
  uint32_t k, row, column;
  uint64_t busy_until; /* slices of the last product */
};

struct armed {
  const struct kc_mx_drain *d;
  uint32_t left;
};

struct machine {
  const struct kt_mx_params *p;
  const struct kc_mx_stream *s;
  uint32_t latency;
  uint64_t now, moved;
  size_t next;     /* instruction at the head */
  uint64_t head_at; /* when it was there and checked */

  uint32_t walked;                   /* entries of the FILL at the head */
  bool sent;                         /* the agent has it */
  uint64_t ready[SIDES][ENTRIES];    /* when an entry can be read */
  uint64_t ask, bursts;              /* when the last address left; how many */
  uint64_t in_flight[128];           /* when a burst's last beat has come, by number */
  uint64_t read_free;                /* the read channel */
  uint64_t issued[QUEUE + 1];        /* when the last FILLs' addresses were out */
  size_t fills;

  struct sweep sweep;
  uint64_t word_free[WORDS];

  struct armed armed[2];
  uint32_t n_armed;
  uint64_t drained[2]; /* when the DRAINs that have all sub-tiles are complete */
  uint32_t n_drained;
  uint64_t write_free, last_write;
  uint64_t place[PLACES]; /* when it is free again */
  size_t places;
  struct kc_mx_time *out;
};

static uint64_t later(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* ---- FILL -------------------------------------------------------------------------------------- */

static uint32_t entry_of(const struct kc_mx_fill *f, uint32_t i)
{
  const uint32_t inner = f->order ? f->blocks : f->groups;
  const uint32_t in = i % inner, out = i / inner;
  const uint32_t g = f->order ? out : in, k = f->order ? in : out;
  return f->bank * BANK + f->offset + k * f->pitch + g;
}

static uint32_t part(uint32_t all, uint32_t first, uint32_t most)
{
  return first >= all ? 0 : least(all - first, most);
}

/* Bursts of an entry, and beats of each: runs that follow each other in memory are one burst. */
struct bursts {
  uint32_t n, beats;
};

static struct bursts bursts_of(const struct kc_mx_fill *f, uint32_t i)
{
  const uint32_t inner = f->order ? f->blocks : f->groups;
  const uint32_t g = f->order ? i / inner : i % inner, k = f->order ? i % inner : i / inner;
  const uint32_t lanes = part(f->real_lanes, g * 4, 4), depth = part(f->real_depth, k * 32, 32);
  if (f->preq) return (struct bursts){1, 4};
  if (f->layout) return (struct bursts){lanes > 0, lanes > 0 ? (depth + 3) / 4 : 0};
  return (struct bursts){lanes, (depth + 15) / 16};
}

/* MXFP7 entries side by side in the order of the FILL. */
static bool follows(const struct kc_mx_fill *f, uint32_t i)
{
  const uint32_t inner = f->order ? f->blocks : f->groups;
  const uint32_t stride = f->order ? f->block_stride : f->group_stride;
  return f->preq && stride == KT_MX_ENTRY_BYTES && i % inner % (BURST / 4) != 0;
}

/* A burst's address leaves when one may be in flight; its beats come in order. */
static void burst(struct machine *m, uint32_t beats, bool follow)
{
  uint64_t *done = &m->in_flight[m->bursts % m->p->outstanding];

  if (!follow) {
    m->ask = later(m->ask + 1, *done);
    m->bursts++;
  } else {
    done = &m->in_flight[(m->bursts - 1) % m->p->outstanding];
  }
  m->read_free = later(m->read_free, m->ask + m->latency + TO_READ) + beats;
  *done = m->read_free;
  m->out->read_beats += beats;
}

/* Hands the FILL to the agent: all its beats get their cycles. */
static void fetch(struct machine *m, const struct kc_mx_fill *f)
{
  const uint32_t n = f->groups * f->blocks;

  m->ask = later(m->ask, m->now);
  for (uint32_t i = 0; i < n; i++) {
    const struct bursts b = bursts_of(f, i);
    const uint64_t from = later(m->read_free, m->now + TO_READ);
    for (uint32_t j = 0; j < b.n; j++) burst(m, b.beats, follows(f, i));
    if (!f->preq) m->read_free = later(m->read_free, from + HALF_BEATS);
    m->ready[f->side][entry_of(f, i)] = m->read_free + (f->preq ? TO_ENTRY : TO_QUANTISED);
  }
  m->issued[m->fills++ % (QUEUE + 1)] = m->ask + 1;
}

static bool agent_ready(const struct machine *m)
{
  return m->fills <= QUEUE || m->issued[m->fills % (QUEUE + 1)] <= m->now;
}

/* The running sweep has yet to read the entry. */
static bool needed(const struct machine *m, uint32_t side, uint32_t entry)
{
  const struct kc_mx_gemm *g = m->sweep.g;
  if (g == NULL) return false;
  const uint32_t first = side ? g->b_bank * BANK + g->b_offset : g->a_bank * BANK + g->a_offset;
  const uint32_t pitch = side ? g->b_pitch : g->a_pitch, groups = side ? g->gn : g->gm;
  const uint32_t from = first + m->sweep.k * pitch + (side ? 0 : m->sweep.row);
  return entry >= from && entry < first + (g->nk - 1) * pitch + groups;
}

static bool quiet(const struct machine *m)
{
  return m->sweep.g == NULL && m->read_free + TO_QUANTISED <= m->now;
}

/* An entry a cycle; then the agent. True: the FILL is done with. */
static bool walk(struct machine *m, const struct kc_mx_fill *f)
{
  const uint32_t n = f->groups * f->blocks;

  if (m->walked < n) {
    const uint32_t entry = entry_of(f, m->walked);
    if (needed(m, f->side, entry) || (!m->sent && m->ready[f->side][entry] > m->now)) return false;
    if (m->walked == 0 && !m->sent && quiet(m) && agent_ready(m)) {
      fetch(m, f);
      m->sent = true;
    }
    m->walked++;
    m->moved = m->now;
  }
  if (m->walked < n || (!m->sent && !agent_ready(m))) return false;
  if (!m->sent) fetch(m, f);
  m->walked = 0;
  m->sent = false;
  return true;
}

/* ---- Sub-tiles --------------------------------------------------------------------------------- */

static bool place_free(const struct machine *m)
{
  return m->place[m->places % PLACES] <= m->now;
}

/* A sub-tile leaves for the DRAIN in front. */
static void leave(struct machine *m)
{
  struct armed *a = &m->armed[0];
  const uint32_t beats = a->d->dtype ? 2 : 1;

  m->write_free = later(m->write_free, m->now + TO_WRITE) + beats;
  m->place[m->places++ % PLACES] = m->write_free;
  m->out->write_beats += beats;
  if (--a->left > 0) return;
  m->drained[m->n_drained++] = m->write_free + m->latency + TO_RESPONSE;
  m->last_write = m->drained[m->n_drained - 1];
  m->armed[0] = m->armed[1];
  m->n_armed--;
}

static void forget_drained(struct machine *m)
{
  while (m->n_drained > 0 && m->drained[0] <= m->now) {
    m->drained[0] = m->drained[1];
    m->n_drained--;
    m->moved = m->now;
  }
}

static bool arm(struct machine *m, const struct kc_mx_drain *d)
{
  if (m->n_armed + m->n_drained >= 2) return false;
  m->armed[m->n_armed++] = (struct armed){d, d->rows * d->columns};
  return true;
}

/* A plain DRAIN in front reads a word while no sweep runs. */
static void serve_plain(struct machine *m)
{
  if (m->n_armed == 0 || m->armed[0].d->fused || m->sweep.g != NULL || !place_free(m)) return;
  leave(m);
  m->moved = m->now;
}

/* ---- GEMM -------------------------------------------------------------------------------------- */

/* What the sweep does in this cycle. */
static uint32_t sweep_state(const struct machine *m)
{
  const struct sweep *s = &m->sweep;
  const struct kc_mx_gemm *g = s->g;

  if (s->busy_until > m->now) return KT_MX_SWEEP_SLICE;
  if (g == NULL) return KT_MX_SWEEP_IDLE;
  const uint32_t a = g->a_bank * BANK + g->a_offset + s->k * g->a_pitch + s->row;
  const uint32_t b = g->b_bank * BANK + g->b_offset + s->k * g->b_pitch + s->column;
  if (m->ready[0][a] > m->now) return KT_MX_SWEEP_OPERAND_A;
  if (m->ready[1][b] > m->now) return KT_MX_SWEEP_OPERAND_B;
  if (m->word_free[g->tile + s->row * g->gn + s->column] > m->now) return KT_MX_SWEEP_REUSE;
  if (g->emit && s->k + 1 == g->nk && (m->n_armed == 0 || !m->armed[0].d->fused || !place_free(m)))
    return KT_MX_SWEEP_OUTPUT;
  return KT_MX_SWEEP_STEP;
}

static void step(struct machine *m)
{
  struct sweep *s = &m->sweep;
  const struct kc_mx_gemm *g = s->g;
  const uint32_t slices = KT_MX_BLOCK / m->p->kslice;

  m->word_free[g->tile + s->row * g->gn + s->column] = m->now + REUSE - 1 + slices;
  s->busy_until = m->now + slices;
  if (g->emit && s->k + 1 == g->nk) leave(m);
  m->out->steps++;
  m->moved = m->now;
  if (++s->column < g->gn) return;
  s->column = 0;
  if (++s->row < g->gm) return;
  s->row = 0;
  if (++s->k == g->nk) s->g = NULL;
}

/* ---- The sequence ------------------------------------------------------------------------------ */

/* The instruction at the head; one a cycle. */
static void take(struct machine *m)
{
  if (m->next == m->s->n || m->now < m->head_at) return;
  const struct kc_mx_op *op = &m->s->ops[m->next];
  bool taken;

  if (op->opcode == KT_MX_OP_FILL) {
    taken = walk(m, &op->as.fill);
  } else if (op->opcode == KT_MX_OP_DRAIN) {
    taken = arm(m, &op->as.drain);
  } else {
    taken = m->sweep.g == NULL;
    if (taken) m->sweep = (struct sweep){.g = &op->as.gemm, .busy_until = m->sweep.busy_until};
  }
  if (!taken) return;
  m->next++;
  m->head_at = m->now + TAKING;
  m->moved = m->now;
}

static bool finished(const struct machine *m)
{
  return m->next == m->s->n && m->sweep.g == NULL && m->n_armed == 0 &&
         m->read_free + TO_QUANTISED <= m->now && m->last_write <= m->now;
}

static enum kt_status run(struct machine *m)
{
  while (!finished(m)) {
    const uint32_t state = sweep_state(m);
    m->out->sweep[state]++;
    if (state == KT_MX_SWEEP_STEP) step(m);
    forget_drained(m);
    serve_plain(m);
    take(m);
    m->now++;
    if (m->now - m->moved > STUCK) return KT_EINVAL;
  }
  m->out->cycles = m->now + TO_DONE;
  m->out->sweep[KT_MX_SWEEP_IDLE] += TO_DONE;
  return KT_OK;
}

enum kt_status kc_mx_time(const struct kt_mx_params *p, const struct kc_mx_stream *s,
                          uint32_t latency, struct kc_mx_time *out)
{
  struct machine *m = calloc(1, sizeof *m);

  *out = (struct kc_mx_time){0};
  if (m == NULL) return KT_ENOMEM;
  for (size_t i = 0; i < s->n; i++)
    if (s->ops[i].opcode == KT_MX_OP_QUANTISE) {
      free(m);
      return KT_EUNSUPPORTED;
    }
  m->p = p;
  m->s = s;
  m->latency = latency;
  m->head_at = TO_FIRST;
  m->out = out;
  const enum kt_status st = run(m);
  free(m);
  return st;
}
