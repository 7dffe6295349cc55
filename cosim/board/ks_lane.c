// SPDX-License-Identifier: Apache-2.0
#include "cosim/board/ks_lane.h"

#include <string.h>

/* splitmix64 */
uint64_t ks_random(uint64_t *state)
{
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void ks_lane_seed(struct ks_lane *lane, uint64_t seed)
{
  lane->rng = seed;
}

void ks_lane_init(struct ks_lane *lane, uint64_t seed)
{
  memset(lane, 0, sizeof *lane);
  lane->held.room = KS_RING_MAX;
  lane->delay_ps = 300u * KS_PS_PER_US;
  ks_lane_seed(lane, seed);
}

bool ks_lane_plan(struct ks_lane *lane, const struct ks_fault *fault, uint64_t offset)
{
  if (lane->n_planned == KS_LANE_PLANNED) return false;
  struct ks_fault *f = &lane->planned[lane->n_planned++];
  *f = *fault;
  f->position = lane->position + offset;
  return true;
}

static bool planned(struct ks_lane *lane, struct ks_fault *fault)
{
  for (unsigned i = 0; i < lane->n_planned; i++) {
    if (lane->planned[i].position != lane->position) continue;
    *fault = lane->planned[i];
    lane->planned[i] = lane->planned[--lane->n_planned];
    return true;
  }
  return false;
}

static bool by_chance(struct ks_lane *lane, struct ks_fault *fault)
{
  for (int kind = 0; kind < KS_FAULT_KINDS; kind++) {
    if (lane->ppm[kind] == 0 || ks_random(&lane->rng) % 1000000u >= lane->ppm[kind]) continue;
    fault->kind = (enum ks_fault_kind)kind;
    fault->mask = (uint8_t)(1u << (ks_random(&lane->rng) % 8u));
    fault->delay_ps = lane->delay_ps;
    return true;
  }
  return false;
}

/* What happens to the byte that enters now. */
static bool next_fault(struct ks_lane *lane, struct ks_fault *fault)
{
  bool hit = planned(lane, fault) || by_chance(lane, fault);
  lane->position++;
  if (hit) lane->done[fault->kind]++;
  return hit;
}

bool ks_lane_out(struct ks_lane *lane, struct ks_port *p, uint64_t now, uint8_t *byte,
                 uint64_t *wake)
{
  struct ks_fault fault;
  if (wake != NULL) *wake = now < lane->hold_until ? lane->hold_until : UINT64_MAX;
  if (now < lane->hold_until) return false;
  if (ks_ring_take(&lane->held, byte)) return true;
  while (ks_ring_take(&p->out, byte)) {
    if (!next_fault(lane, &fault)) return true;
    if (fault.kind == KS_FAULT_DROP) continue;
    if (fault.kind == KS_FAULT_FLIP) *byte ^= fault.mask;
    if (fault.kind != KS_FAULT_FLIP) ks_ring_put(&lane->held, *byte);
    if (fault.kind != KS_FAULT_DELAY) return true;
    lane->hold_until = now + fault.delay_ps;
    if (wake != NULL) *wake = lane->hold_until;
    return false;
  }
  return false;
}

bool ks_lane_release(struct ks_lane *lane, struct ks_port *p, uint64_t now)
{
  uint8_t byte;
  if (now < lane->hold_until) return false;
  if (ks_ring_count(&lane->held) == 0) return true;
  while (ks_ring_take(&lane->held, &byte)) ks_port_receive(p, byte, 0);
  ks_port_send_immediate(p);
  return true;
}

void ks_lane_in(struct ks_lane *lane, struct ks_port *p, uint64_t now, uint8_t byte, uint8_t errors)
{
  struct ks_fault fault;
  bool hit = next_fault(lane, &fault);
  if (hit && fault.kind == KS_FAULT_DROP) return;
  if (hit && fault.kind == KS_FAULT_FLIP) byte ^= fault.mask;
  if (hit && fault.kind == KS_FAULT_DELAY) lane->hold_until = now + fault.delay_ps;

  bool through = ks_lane_release(lane, p, now);
  for (int copies = hit && fault.kind == KS_FAULT_DUP ? 2 : 1; copies > 0; copies--) {
    if (through)
      ks_port_receive(p, byte, errors);
    else if (!ks_ring_put(&lane->held, byte))
      p->overruns++;
  }
}
