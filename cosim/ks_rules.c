/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/ks_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void __attribute__((format(printf, 3, 4)))
breach(struct ks_rules *r, uint64_t now, const char *fmt, ...)
{
  if (r->violations++ != 0) return;
  const int n = snprintf(r->first, sizeof r->first, "cycle %llu: ", (unsigned long long)now);
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(r->first + n, sizeof r->first - (size_t)n, fmt, ap);
  va_end(ap);
}

static void check_burst(struct ks_rules *r, uint64_t now, const char *name, uint32_t addr,
                        uint32_t len)
{
  const uint32_t bytes = (len + 1) * r->bus_bytes;
  if (addr % r->bus_bytes != 0)
    breach(r, now, "%saddr 0x%x is not a multiple of the bus width", name, addr);
  if (addr % 4096u + bytes > 4096u)
    breach(r, now, "%saddr 0x%x with %u beats crosses 4 KiB", name, addr, len + 1);
}

static void check_shape(struct ks_rules *r, uint64_t now, const char *name, const uint8_t *size,
                        const uint8_t *burst)
{
  if (size == NULL || burst == NULL) return;
  if (1u << *size != r->bus_bytes || *burst != 1)
    breach(r, now, "%ssize %u, %sburst %u: want full width and INCR", name, *size, name, *burst);
}

static void sample_addr(struct ks_rules *r, uint64_t now, const char *name,
                        struct ks_held_addr *h, bool valid, bool ready, uint32_t addr, uint8_t len)
{
  if (h->held) {
    if (!valid)
      breach(r, now, "%svalid dropped before it was accepted", name);
    else if (h->addr != addr || h->len != len)
      breach(r, now, "%saddr or %slen changed before it was accepted (0x%x to 0x%x)", name, name,
             h->addr, addr);
  }
  h->held = valid && !ready;
  h->addr = addr;
  h->len = len;
  if (valid && ready) check_burst(r, now, name, addr, len);
}

static void hold_w(struct ks_rules *r, uint64_t now)
{
  const struct ks_axi *p = r->pins;
  if (r->w_held) {
    if (!*p->wvalid)
      breach(r, now, "wvalid dropped before it was accepted");
    else if (r->w_last != *p->wlast || memcmp(r->w_data, p->wdata, r->bus_bytes) != 0 ||
             memcmp(r->w_strobe, p->wstrb, r->bus_bytes / 8) != 0)
      breach(r, now, "wdata, wstrb or wlast changed before it was accepted");
  }
  r->w_held = *p->wvalid && !*p->wready;
  if (!r->w_held) return;
  r->w_last = *p->wlast;
  memcpy(r->w_data, p->wdata, r->bus_bytes);
  memcpy(r->w_strobe, p->wstrb, r->bus_bytes / 8);
}

/* Data may come before its address, so lengths are compared once both are known. */
static void match_lengths(struct ks_rules *r, uint64_t now)
{
  while (r->aw_out != r->aw_in && r->aw_out != r->last_in) {
    const uint32_t want = r->lens[r->aw_out % KS_RULE_BURSTS] + 1u;
    const uint32_t got = r->beats[r->aw_out % KS_RULE_BURSTS];
    if (want != got) breach(r, now, "wlast at beat %u of a burst of %u", got, want);
    r->aw_out++;
  }
}

static void accept_w(struct ks_rules *r, uint64_t now)
{
  r->beat++;
  if (r->beat > 256) breach(r, now, "256 W beats without wlast");
  if (*r->pins->wlast == 0) return;
  r->beats[r->last_in++ % KS_RULE_BURSTS] = r->beat;
  r->beat = 0;
  match_lengths(r, now);
}

void ks_rules_sample(struct ks_rules *r, uint64_t now)
{
  const struct ks_axi *p = r->pins;
  if (*p->arvalid || r->ar.held) {
    sample_addr(r, now, "ar", &r->ar, *p->arvalid, *p->arready, *p->araddr, *p->arlen);
    check_shape(r, now, "ar", p->arsize, p->arburst);
  }
  if (*p->awvalid || r->aw.held) {
    sample_addr(r, now, "aw", &r->aw, *p->awvalid, *p->awready, *p->awaddr, *p->awlen);
    check_shape(r, now, "aw", p->awsize, p->awburst);
    if (*p->awvalid && *p->awready) {
      r->lens[r->aw_in++ % KS_RULE_BURSTS] = *p->awlen;
      match_lengths(r, now);
    }
  }
  if (*p->wvalid || r->w_held) {
    hold_w(r, now);
    if (*p->wvalid && *p->wready) accept_w(r, now);
  }
}

void ks_rules_idle(struct ks_rules *r, uint64_t now)
{
  if (r->aw_in != r->last_in || r->beat != 0)
    breach(r, now, "idle after %u write addresses, %u complete bursts of data and %u more beats",
           r->aw_in, r->last_in, r->beat);
}

void ks_rules_reset(struct ks_rules *r)
{
  r->ar.held = r->aw.held = r->w_held = false;
  r->aw_in = r->aw_out = r->last_in = r->beat = 0;
}

void ks_rules_init(struct ks_rules *r, const struct ks_pins *pins)
{
  memset(r, 0, sizeof *r);
  r->pins = &pins->mem;
  r->bus_bytes = pins->bus_bytes;
}
