/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/ks_dram.h"

#include <string.h>

enum { OKAY = 0, SLVERR = 2, DECERR = 3, FULL_RATE = 256 };

/* ---- random stalls and bandwidth ------------------------------------------------------------ */

static uint64_t next_random(struct ks_dram *d)
{
  d->rng ^= d->rng << 13;
  d->rng ^= d->rng >> 7;
  d->rng ^= d->rng << 17;
  return d->rng;
}

/* Run lengths differ a seed and a channel: from every other cycle to long pauses. */
static void seed_stalls(struct ks_dram *d)
{
  static const uint32_t go[8] = {0, 1, 3, 3, 7, 15, 31, 63}, stop[8] = {0, 1, 1, 3, 3, 7, 15, 63};
  d->rng = d->config.stall_seed * 0x9e3779b97f4a7c15u + 1;
  if (d->rng == 0) d->rng = 1;
  for (int i = 0; i < 16; i++) (void)next_random(d);
  for (int c = 0; c < KS_CHANNELS; c++) {
    const uint64_t r = next_random(d) >> 20;
    d->stall[c] = (struct ks_stall){
        .left = 1, .on = 0, .go_mask = go[r & 7], .stop_mask = stop[(r >> 3) & 7]};
  }
}

static void step_stalls(struct ks_dram *d)
{
  for (int c = 0; c < KS_CHANNELS; c++) {
    struct ks_stall *s = &d->stall[c];
    if (--s->left != 0) continue;
    s->on = !s->on;
    s->left = 1 + ((uint32_t)(next_random(d) >> 24) & (s->on ? s->stop_mask : s->go_mask));
  }
}

static void step_credit(struct ks_dram *d)
{
  d->r_credit += d->config.bandwidth;
  d->w_credit += d->config.bandwidth;
  if (d->r_credit > FULL_RATE) d->r_credit = FULL_RATE;
  if (d->w_credit > FULL_RATE) d->w_credit = FULL_RATE;
}

/* ---- the image -------------------------------------------------------------------------------- */

static inline void copy_beat(void *to, const void *from, uint32_t bytes)
{
  switch (bytes) {
  case 8: memcpy(to, from, 8); break;
  case 16: memcpy(to, from, 16); break;
  default: memcpy(to, from, 32); break;
  }
}

static uint8_t response_at(const struct ks_dram *d, uint64_t addr, bool write)
{
  if (addr + d->bus_bytes > d->size) return DECERR;
  if (!d->faulty) return OKAY;
  for (int i = 0; i < KS_FAULT_WINDOWS; i++) {
    const struct ks_fault_window *w = &d->config.faults[i];
    if (!(write ? w->writes : w->reads) || addr > w->last || addr + d->bus_bytes <= w->first)
      continue;
    if (w->kind == KS_FAULT_SLVERR) return SLVERR;
    if (w->kind == KS_FAULT_DECERR) return DECERR;
  }
  return OKAY;
}

static bool silent_at(const struct ks_dram *d, uint64_t addr, uint32_t beats, bool write)
{
  if (!d->faulty) return false;
  for (int i = 0; i < KS_FAULT_WINDOWS; i++) {
    const struct ks_fault_window *w = &d->config.faults[i];
    if (w->kind == KS_FAULT_SILENT && (write ? w->writes : w->reads) && addr <= w->last &&
        addr + (uint64_t)beats * d->bus_bytes > w->first)
      return true;
  }
  return false;
}

static void store_beat(const struct ks_dram *d, uint64_t addr, const struct ks_beat *b)
{
  const uint32_t all = (uint32_t)((UINT64_C(1) << d->bus_bytes) - 1);
  uint8_t *to = d->image + addr;
  if (b->strobe == all) {
    copy_beat(to, b->data, d->bus_bytes);
    return;
  }
  for (uint32_t i = 0; i < d->bus_bytes; i++)
    if ((b->strobe >> i) & 1) to[i] = b->data[i];
}

/* Writes the burst's beats into the image; returns its response. */
static uint8_t commit_burst(struct ks_dram *d, uint32_t addr)
{
  uint8_t resp = OKAY;
  for (bool last = false; !last; d->beats_out++, addr += d->bus_bytes) {
    const struct ks_beat *b = &d->beats[d->beats_out % KS_BEATS];
    const uint8_t r = response_at(d, addr, true);
    last = b->last != 0;
    if (r == OKAY)
      store_beat(d, addr, b);
    else
      resp = r;
  }
  return resp;
}

/* ---- drive ------------------------------------------------------------------------------------ */

static void drive_r(struct ks_dram *d, uint64_t now)
{
  if (d->r_driven || d->reads_in == d->reads_out) return;
  const struct ks_burst *b = &d->reads[d->reads_out % KS_BURSTS];
  if (b->ready > now) return;
  if (d->config.stall_seed != 0 && d->stall[KS_R].on) {
    d->stall_events[KS_R]++;
    return;
  }
  if (d->config.bandwidth != 0) {
    if (d->r_credit < FULL_RATE) return;
    d->r_credit -= FULL_RATE;
  }
  const uint8_t resp = response_at(d, b->addr, false);
  if (resp != DECERR)
    copy_beat(d->pins->rdata, d->image + b->addr, d->bus_bytes);
  else
    memset(d->pins->rdata, 0xa5, d->bus_bytes);
  *d->pins->rresp = resp;
  *d->pins->rlast = b->beats == 1;
  d->r_driven = true;
}

static void drive_b(struct ks_dram *d, uint64_t now)
{
  if (d->b_driven || d->b_out == d->w_burst) return;
  const struct ks_burst *b = &d->writes[d->b_out % KS_BURSTS];
  if (b->ready > now) return;
  if (d->config.stall_seed != 0 && d->stall[KS_B].on) {
    d->stall_events[KS_B]++;
    return;
  }
  *d->pins->bresp = commit_burst(d, b->addr);
  d->b_driven = true;
}

void ks_dram_drive(struct ks_dram *d, uint64_t now)
{
  const struct ks_axi *p = d->pins;
  bool ar = d->reads_in - d->reads_out < KS_BURSTS;
  bool aw = d->aw_in - d->b_out < KS_BURSTS;
  bool w = d->beats_in - d->beats_out < KS_BEATS;

  if (d->config.stall_seed != 0) {
    step_stalls(d);
    ar = ar && !d->stall[KS_AR].on;
    aw = aw && !d->stall[KS_AW].on;
    w = w && !d->stall[KS_W].on;
  }
  if (d->config.bandwidth != 0) {
    step_credit(d);
    w = w && d->w_credit >= FULL_RATE;
  }
  drive_r(d, now);
  drive_b(d, now);
  *p->arready = ar;
  *p->awready = aw;
  *p->wready = w;
  *p->rvalid = d->r_driven;
  *p->bvalid = d->b_driven;
}

/* ---- sample ----------------------------------------------------------------------------------- */

static void accept_ar(struct ks_dram *d, uint64_t now)
{
  struct ks_burst *b = &d->reads[d->reads_in++ % KS_BURSTS];
  b->addr = *d->pins->araddr;
  b->beats = *d->pins->arlen + 1u;
  b->ready = now + d->config.latency + 1;
  if (silent_at(d, b->addr, b->beats, false)) b->ready = UINT64_MAX;
}

static void accept_r(struct ks_dram *d)
{
  struct ks_burst *b = &d->reads[d->reads_out % KS_BURSTS];
  d->r_driven = false;
  d->read_beats++;
  b->addr += d->bus_bytes;
  if (--b->beats == 0) d->reads_out++;
}

static void accept_aw(struct ks_dram *d)
{
  struct ks_burst *b = &d->writes[d->aw_in++ % KS_BURSTS];
  b->addr = *d->pins->awaddr;
  b->beats = *d->pins->awlen + 1u;
  b->ready = silent_at(d, b->addr, b->beats, true) ? UINT64_MAX : 0;
}

static inline uint32_t strobe_of(const void *pins, uint32_t bus_bytes)
{
  switch (bus_bytes) {
  case 8: return *(const uint8_t *)pins;
  case 16: return *(const uint16_t *)pins;
  default: return *(const uint32_t *)pins;
  }
}

static void accept_w(struct ks_dram *d)
{
  struct ks_beat *b = &d->beats[d->beats_in++ % KS_BEATS];
  copy_beat(b->data, d->pins->wdata, d->bus_bytes);
  b->strobe = strobe_of(d->pins->wstrb, d->bus_bytes);
  d->write_beats++;
  if (d->config.bandwidth != 0) d->w_credit -= FULL_RATE;
}

/* Data may come before its address: beats are matched to bursts once both are here. */
static void match_writes(struct ks_dram *d, uint64_t now)
{
  while (d->w_burst != d->aw_in && d->beats_taken != d->beats_in) {
    struct ks_burst *b = &d->writes[d->w_burst % KS_BURSTS];
    d->beats[d->beats_taken++ % KS_BEATS].last = b->beats == 1;
    if (--b->beats != 0) continue;
    if (b->ready == 0) b->ready = now + d->config.latency + 1;
    d->w_burst++;
  }
}

static void count_stalls(struct ks_dram *d)
{
  const struct ks_axi *p = d->pins;
  d->stall_events[KS_AR] += *p->arvalid && d->stall[KS_AR].on;
  d->stall_events[KS_AW] += *p->awvalid && d->stall[KS_AW].on;
  d->stall_events[KS_W] += *p->wvalid && d->stall[KS_W].on;
}

void ks_dram_sample(struct ks_dram *d, uint64_t now)
{
  const struct ks_axi *p = d->pins;
  if (*p->arvalid && *p->arready) accept_ar(d, now);
  if (d->r_driven && *p->rready) accept_r(d);

  const bool aw = *p->awvalid && *p->awready, w = *p->wvalid && *p->wready;
  if (aw) accept_aw(d);
  if (w) accept_w(d);
  if (aw || w) match_writes(d, now);
  if (d->b_driven && *p->bready) {
    d->b_driven = false;
    d->b_out++;
    d->last_b = now;
  }
  if (d->config.stall_seed != 0) count_stalls(d);
}

/* ---- life ------------------------------------------------------------------------------------- */

void ks_dram_reset(struct ks_dram *d)
{
  d->reads_in = d->reads_out = 0;
  d->aw_in = d->w_burst = d->b_out = 0;
  d->beats_in = d->beats_taken = d->beats_out = 0;
  d->r_driven = d->b_driven = false;
  d->r_credit = d->w_credit = 0;
  *d->pins->rvalid = *d->pins->bvalid = 0;
  *d->pins->arready = *d->pins->awready = *d->pins->wready = 0;
}

void ks_dram_configure(struct ks_dram *d, const struct ks_config *config)
{
  d->config = *config;
  if (d->config.bandwidth >= FULL_RATE) d->config.bandwidth = 0;
  d->faulty = false;
  for (int i = 0; i < KS_FAULT_WINDOWS; i++)
    d->faulty = d->faulty || config->faults[i].kind != KS_FAULT_NONE;
  seed_stalls(d);
}

void ks_dram_init(struct ks_dram *d, const struct ks_pins *pins, uint8_t *image, uint64_t size)
{
  const struct ks_config plain = {0};
  memset(d, 0, sizeof *d);
  d->pins = &pins->mem;
  d->bus_bytes = pins->bus_bytes;
  d->image = image;
  d->size = size;
  ks_dram_configure(d, &plain);
  ks_dram_reset(d);
}

bool ks_dram_idle(const struct ks_dram *d)
{
  return d->reads_in == d->reads_out && d->aw_in == d->b_out && d->beats_in == d->beats_out;
}
