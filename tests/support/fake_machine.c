/* SPDX-License-Identifier: Apache-2.0 */
#include "support/fake_machine.h"

#include "spec/generated/kt_tinytpu.h"

#include <string.h>

static void connect(struct fake_machine *m)
{
  struct fake_port *h = &m->host, *x = &m->mem;
  x->awaddr = h->awaddr;
  x->awlen = h->awlen;
  x->awvalid = h->awvalid;
  memcpy(x->wdata, h->wdata, FAKE_BUS);
  memcpy(x->wstrb, h->wstrb, sizeof x->wstrb);
  x->wlast = h->wlast;
  x->wvalid = h->wvalid;
  x->bready = h->bready;
  x->araddr = h->araddr | (m->unaligned ? 1 : 0);
  x->arlen = h->arlen;
  x->arvalid = h->arvalid;
  x->rready = h->rready;
  h->awready = x->awready;
  h->wready = x->wready;
  h->bvalid = x->bvalid;
  h->bresp = x->bresp;
  h->arready = x->arready;
  memcpy(h->rdata, x->rdata, FAKE_BUS);
  h->rresp = x->rresp;
  h->rlast = x->rlast;
  h->rvalid = x->rvalid;
  m->awready = m->wready = m->awvalid && m->wvalid && !m->bvalid;
  m->arready = !m->rvalid;
  m->busy = m->left != 0;
}

static void write_register(struct fake_machine *m)
{
  if (m->awaddr == KT_REG_CONTROL && (m->wdata & 1) != 0) {
    m->left = m->regs[KT_REG_LIST_ADDR / 4];
    m->regs[KT_REG_CYCLES_LO / 4] = m->left + m->wrong_count;
  } else if (m->awaddr < sizeof m->regs) {
    m->regs[m->awaddr / 4] = m->wdata;
  }
}

static void clock_edge(struct fake_machine *m)
{
  const bool write = m->awready && m->wready, read = m->arvalid && m->arready;
  m->edges++;
  if (m->left != 0) m->left--;
  if (m->bvalid && m->bready) m->bvalid = 0;
  if (m->rvalid && m->rready) m->rvalid = 0;
  if (write) {
    m->bvalid = 1;
    write_register(m);
  }
  if (read) {
    m->rvalid = 1;
    m->rdata = m->araddr < sizeof m->regs ? m->regs[m->araddr / 4] : 0;
  }
  if (m->rst) {
    m->left = 0;
    m->bvalid = m->rvalid = 0;
  }
}

static void eval(void *ctx)
{
  struct fake_machine *m = ctx;
  if (m->clk && !m->was_clk) clock_edge(m);
  m->was_clk = m->clk;
  connect(m);
}

static void bind_axi(struct ks_axi *a, struct fake_port *p)
{
  *a = (struct ks_axi){
      .awaddr = &p->awaddr,   .awlen = &p->awlen,   .awvalid = &p->awvalid, .awready = &p->awready,
      .awsize = &p->awsize,   .awburst = &p->awburst,                       .wdata = p->wdata,
      .wstrb = p->wstrb,      .wlast = &p->wlast,   .wvalid = &p->wvalid,   .wready = &p->wready,
      .bresp = &p->bresp,     .bvalid = &p->bvalid, .bready = &p->bready,   .araddr = &p->araddr,
      .arlen = &p->arlen,     .arvalid = &p->arvalid,                       .arready = &p->arready,
      .arsize = &p->arsize,   .arburst = &p->arburst,                       .rdata = p->rdata,
      .rresp = &p->rresp,     .rlast = &p->rlast,   .rvalid = &p->rvalid,   .rready = &p->rready,
  };
}

void fake_machine_init(struct fake_machine *m, struct ks_model *model, uint32_t bus_bytes)
{
  memset(m, 0, sizeof *m);
  memset(model, 0, sizeof *model);
  bind_axi(&model->pins.host, &m->host);
  bind_axi(&model->pins.mem, &m->mem);
  model->pins.ctl = (struct ks_axil){
      .awaddr = &m->awaddr,   .awvalid = &m->awvalid, .awready = &m->awready, .wdata = &m->wdata,
      .wstrb = &m->wstrb,     .wvalid = &m->wvalid,   .wready = &m->wready,   .bresp = &m->bresp,
      .bvalid = &m->bvalid,   .bready = &m->bready,   .araddr = &m->araddr,   .arvalid = &m->arvalid,
      .arready = &m->arready, .rdata = &m->rdata,     .rresp = &m->rresp,     .rvalid = &m->rvalid,
      .rready = &m->rready,
  };
  model->pins.clk = &m->clk;
  model->pins.rst = &m->rst;
  model->pins.busy = &m->busy;
  model->pins.done = &m->done;
  model->pins.bus_bytes = bus_bytes;
  model->eval = eval;
  model->ctx = m;
  m->mem.arsize = m->mem.awsize = bus_bytes == 8 ? 3 : (bus_bytes == 16 ? 4 : 5);
  m->mem.arburst = m->mem.awburst = 1;
}
