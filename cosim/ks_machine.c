/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/ks_machine.h"

#include "spec/generated/kt_tinytpu.h"

#include <string.h>

/* ---- the control port ------------------------------------------------------------------------- */

static void reg_drive(struct ks_machine *m)
{
  const struct ks_axil *p = &m->model.pins.ctl;
  const struct ks_reg_port *r = &m->reg;
  if (r->write) {
    *p->awaddr = r->addr;
    *p->wdata = r->data;
    *p->wstrb = 15;
    *p->awvalid = !r->addr_done;
    *p->wvalid = !r->data_done;
    *p->bready = 1;
  } else {
    *p->araddr = r->addr;
    *p->arvalid = !r->addr_done;
    *p->rready = 1;
  }
}

static void reg_end(struct ks_machine *m, uint8_t resp)
{
  m->reg.active = false;
  m->reg.resp = resp;
}

static void note_start(struct ks_machine *m)
{
  if (m->reg.addr != KT_REG_CONTROL || (m->reg.data & 1) == 0 || m->started) return;
  m->started = true;
  m->start_cycle = m->cycle;
  m->busy_cycles = 0;
}

static void reg_sample_write(struct ks_machine *m)
{
  const struct ks_axil *p = &m->model.pins.ctl;
  struct ks_reg_port *r = &m->reg;
  const bool both = r->addr_done && r->data_done;
  if (*p->awvalid && *p->awready) r->addr_done = true;
  if (*p->wvalid && *p->wready) r->data_done = true;
  if (!both && r->addr_done && r->data_done) note_start(m);
  if (r->addr_done && r->data_done && *p->bvalid) reg_end(m, *p->bresp);
}

static void reg_sample_read(struct ks_machine *m)
{
  const struct ks_axil *p = &m->model.pins.ctl;
  struct ks_reg_port *r = &m->reg;
  if (*p->arvalid && *p->arready) r->addr_done = true;
  if (!r->addr_done || !*p->rvalid) return;
  r->data = *p->rdata;
  reg_end(m, *p->rresp);
}

/* After the edge: a finished access, or an accepted half of one, asks for nothing more. */
static void reg_settle(struct ks_machine *m)
{
  const struct ks_axil *p = &m->model.pins.ctl;
  if (m->reg.active) return;
  *p->awvalid = *p->wvalid = *p->arvalid = 0;
  *p->bready = *p->rready = 0;
}

void ks_machine_reg_begin(struct ks_machine *m, bool write, uint32_t addr, uint32_t data)
{
  m->reg = (struct ks_reg_port){
      .active = true, .write = write, .addr = (uint16_t)(addr & 0xfff), .data = data};
}

/* ---- the host's memory port ------------------------------------------------------------------- */

static void host_next_burst(struct ks_machine *m)
{
  struct ks_host_port *h = &m->host;
  const uint32_t bus = m->model.pins.bus_bytes;
  h->burst_addr = h->addr - h->addr % bus;
  uint64_t bytes = 4096 - h->burst_addr % 4096;
  if (bytes > UINT64_C(256) * bus) bytes = UINT64_C(256) * bus;
  const uint64_t wanted = h->addr - h->burst_addr + h->left;
  if (bytes > wanted) bytes = wanted;
  h->beats = (uint32_t)((bytes + bus - 1) / bus);
  h->beat = 0;
  h->addr_done = h->data_done = false;
}

/* The part of the current beat that belongs to the transfer: [*from, *from + return). */
static uint32_t host_span(const struct ks_machine *m, uint32_t *from)
{
  const struct ks_host_port *h = &m->host;
  const uint32_t bus = m->model.pins.bus_bytes;
  *from = (uint32_t)(h->addr % bus);
  const uint32_t room = bus - *from;
  return h->left < room ? (uint32_t)h->left : room;
}

static void host_drive_data(struct ks_machine *m)
{
  const struct ks_axi *p = &m->model.pins.host;
  const struct ks_host_port *h = &m->host;
  uint32_t from;
  const uint32_t n = host_span(m, &from);
  const uint32_t strobe = (uint32_t)(((UINT64_C(1) << n) - 1) << from);
  memcpy((uint8_t *)p->wdata + from, h->data, n);
  memcpy(p->wstrb, &strobe, m->model.pins.bus_bytes / 8);
  *p->wlast = h->beat + 1 == h->beats;
}

static void host_drive(struct ks_machine *m)
{
  const struct ks_axi *p = &m->model.pins.host;
  const struct ks_host_port *h = &m->host;
  if (!h->write) {
    *p->araddr = (uint32_t)h->burst_addr;
    *p->arlen = (uint8_t)(h->beats - 1);
    *p->arvalid = !h->addr_done;
    *p->rready = 1;
    return;
  }
  *p->awaddr = (uint32_t)h->burst_addr;
  *p->awlen = (uint8_t)(h->beats - 1);
  *p->awvalid = !h->addr_done;
  *p->wvalid = !h->data_done;
  *p->bready = h->addr_done && h->data_done;
  if (!h->data_done) host_drive_data(m);
}

static void host_advance(struct ks_host_port *h, uint32_t n)
{
  h->data += n;
  h->addr += n;
  h->left -= n;
  h->beat++;
}

static void host_end_burst(struct ks_machine *m)
{
  struct ks_host_port *h = &m->host;
  if (h->left != 0 && h->resp == 0)
    host_next_burst(m);
  else
    h->active = false;
}

static void host_sample_write(struct ks_machine *m)
{
  const struct ks_axi *p = &m->model.pins.host;
  struct ks_host_port *h = &m->host;
  uint32_t from;
  if (*p->awvalid && *p->awready) h->addr_done = true;
  if (*p->wvalid && *p->wready) {
    host_advance(h, host_span(m, &from));
    h->data_done = h->beat == h->beats;
  }
  if (!*p->bready || !*p->bvalid) return;
  if (*p->bresp > h->resp) h->resp = *p->bresp;
  host_end_burst(m);
}

static void host_sample_read(struct ks_machine *m)
{
  const struct ks_axi *p = &m->model.pins.host;
  struct ks_host_port *h = &m->host;
  uint32_t from;
  if (*p->arvalid && *p->arready) h->addr_done = true;
  if (!h->addr_done || !*p->rvalid) return;
  const uint32_t n = host_span(m, &from);
  memcpy(h->data, (const uint8_t *)p->rdata + from, n);
  if (*p->rresp > h->resp) h->resp = *p->rresp;
  host_advance(h, n);
  if (h->beat == h->beats) host_end_burst(m);
}

static void host_settle(struct ks_machine *m)
{
  const struct ks_axi *p = &m->model.pins.host;
  if (m->host.active) return;
  *p->awvalid = *p->wvalid = *p->arvalid = 0;
  *p->bready = *p->rready = 0;
}

void ks_machine_host_begin(struct ks_machine *m, bool write, uint64_t addr, uint8_t *data,
                           uint64_t len)
{
  m->host = (struct ks_host_port){
      .active = len != 0, .write = write, .addr = addr, .left = len, .data = data};
  if (len != 0) host_next_burst(m);
}

/* ---- a cycle ---------------------------------------------------------------------------------- */

static void ports_drive(struct ks_machine *m)
{
  if (m->reg.active) reg_drive(m);
  if (m->host.active) host_drive(m);
}

static void ports_sample(struct ks_machine *m)
{
  if (m->reg.active) {
    if (m->reg.write)
      reg_sample_write(m);
    else
      reg_sample_read(m);
  }
  if (m->host.active) {
    if (m->host.write)
      host_sample_write(m);
    else
      host_sample_read(m);
  }
}

static void sample_busy(struct ks_machine *m)
{
  if (!m->started || m->cycle == m->start_cycle) return;
  if (*m->model.pins.busy) {
    m->busy_cycles++;
    return;
  }
  m->started = false;
  m->pin_cycles = m->cycle - m->start_cycle - 1;
  m->last_write = m->dram.last_b > m->start_cycle ? m->dram.last_b - m->start_cycle : 0;
  ks_rules_idle(&m->rules, m->cycle);
}

static void cycle(struct ks_machine *m)
{
  const struct ks_model *model = &m->model;
  const bool ports = m->reg.active || m->host.active;

  *model->pins.clk = 0;
  ks_dram_drive(&m->dram, m->cycle);
  if (ports) ports_drive(m);
  model->eval(model->ctx);
  if (model->dump != NULL) model->dump(model->ctx, 2 * m->cycle);

  ks_rules_sample(&m->rules, m->cycle);
  ks_dram_sample(&m->dram, m->cycle);
  if (ports) ports_sample(m);
  sample_busy(m);

  *model->pins.clk = 1;
  model->eval(model->ctx);
  if (model->dump != NULL) model->dump(model->ctx, 2 * m->cycle + 1);
  if (ports) {
    reg_settle(m);
    host_settle(m);
  }
  m->cycle++;
}

bool ks_machine_busy(const struct ks_machine *m)
{
  return m->started;
}

bool ks_machine_run_ports(struct ks_machine *m, uint64_t max)
{
  for (; max != 0 && (m->reg.active || m->host.active); max--) cycle(m);
  return !m->reg.active && !m->host.active;
}

bool ks_machine_run_busy(struct ks_machine *m, uint64_t max)
{
  for (; max != 0 && m->started; max--) cycle(m);
  return !m->started;
}

void ks_machine_run_idle(struct ks_machine *m, uint64_t cycles)
{
  for (; cycles != 0; cycles--) cycle(m);
}

static void reset_cycle(struct ks_machine *m)
{
  const struct ks_model *model = &m->model;
  for (uint8_t clk = 0; clk < 2; clk++) {
    *model->pins.clk = clk;
    model->eval(model->ctx);
    if (model->dump != NULL) model->dump(model->ctx, 2 * m->cycle + clk);
  }
  m->cycle++;
}

void ks_machine_reset(struct ks_machine *m, uint64_t cycles)
{
  m->reg.active = m->host.active = false;
  m->started = false;
  reg_settle(m);
  host_settle(m);
  ks_dram_reset(&m->dram);
  ks_rules_reset(&m->rules);
  *m->model.pins.rst = 1;
  for (cycles = cycles != 0 ? cycles : KS_RESET_CYCLES; cycles != 0; cycles--) reset_cycle(m);
  *m->model.pins.rst = 0;
}

void ks_machine_init(struct ks_machine *m, const struct ks_model *model, uint8_t *image,
                     uint64_t size)
{
  memset(m, 0, sizeof *m);
  m->model = *model;
  ks_dram_init(&m->dram, &m->model.pins, image, size);
  ks_rules_init(&m->rules, &m->model.pins);
  ks_machine_reset(m, 0);
}
