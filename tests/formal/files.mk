# SPDX-License-Identifier: Apache-2.0
# Proofs by yosys alone (sat -tempinduct: no other solver). Each proof is run twice: all assertions hold
# from reset and by induction; and what the property file calls reachable (wire fv_all) is reached within
# <name>_DEPTH cycles under the same assumptions, so the proof is not empty.
#
# One proof is a name in FORMAL_PROOFS with <name>_TOP, <name>_SRCS and <name>_PARAMS (NAME value pairs). With
# <name>_BOUND it is no induction: all assertions hold in every run of so many cycles from reset. <name>_PLAIN: sources
# that are read without their own assertions, which have a proof of their own.

FORMAL_PROOFS := fifo2 fifo3 fifo4 fifo7 arb ctrl ctrl_small write4_64 write4_256 write8_64 \
  async async_margin link_judge link_axi link_axi_small link_axil link_axil_small \
  skid queue2 queue4 mx_flags mx_armed mx_out

FIFO_DEPTHS := 2 3 4 6 7
define fifo_proof
fifo$(1)_TOP := ktpu_fifo
fifo$(1)_SRCS := rtl/common/ktpu_fifo.v
fifo$(1)_PARAMS := WIDTH 5 DEPTH $(1)
fifo$(1)_DEPTH := 24
endef
$(foreach d,$(FIFO_DEPTHS),$(eval $(call fifo_proof,$(d))))

skid_TOP := ktpu_skid
skid_SRCS := rtl/common/ktpu_skid.v
skid_PARAMS := WIDTH 5
skid_DEPTH := 12

define queue_proof
queue$(1)_TOP := ktpu_queue
queue$(1)_SRCS := rtl/common/ktpu_queue.v
queue$(1)_PARAMS := WIDTH 4 DEPTH $(1)
queue$(1)_DEPTH := 16
endef
$(foreach d,2 4,$(eval $(call queue_proof,$(d))))

arb_TOP := ktpu_axi_arb
arb_SRCS := rtl/top/ktpu_axi_arb.v
arb_PARAMS := ADDR_BITS 12 BUS_BITS 16
arb_DEPTH := 24

ctrl_TOP := fv_ktpu_int8_ctrl
ctrl_SRCS := tests/formal/fv_ktpu_int8_ctrl.v rtl/int8/ktpu_int8_ctrl.v \
  rtl/int8/ktpu_int8_axil_write.v rtl/common/ktpu_ram_sdp.v
ctrl_PARAMS := STRIDES 1 ADDR_BITS 32
ctrl_DEPTH := 16

ctrl_small_TOP := fv_ktpu_int8_ctrl
ctrl_small_SRCS := $(ctrl_SRCS)
ctrl_small_PARAMS := STRIDES 0 ADDR_BITS 17
ctrl_small_DEPTH := 16

define write_proof
write$(1)_$(2)_TOP := ktpu_int8_write
write$(1)_$(2)_SRCS := rtl/int8/ktpu_int8_write.v
write$(1)_$(2)_PARAMS := T $(1) BUS_BITS $(2) ADDR_BITS 17
write$(1)_$(2)_DEPTH := 16
endef
$(eval $(call write_proof,4,64))
$(eval $(call write_proof,4,256))
$(eval $(call write_proof,8,64))

async_TOP := ktpu_async_fifo
async_SRCS := rtl/link/ktpu_async_fifo.v
async_PARAMS := WIDTH 3 LOG 2
async_DEPTH := 20

async_margin_TOP := ktpu_async_fifo
async_margin_SRCS := $(async_SRCS)
async_margin_PARAMS := WIDTH 3 LOG 3 MARGIN 3
async_margin_DEPTH := 24

link_judge_TOP := ktpu_link_judge
link_judge_SRCS := rtl/link/ktpu_link_judge.v
link_judge_PARAMS := SLOT_BITS 3 LEN_BITS 10 PAYLOAD 512 ADDR_BITS 18 MEMORY_BITS 18
link_judge_DEPTH := 24

link_axi_TOP := ktpu_link_axi
link_axi_SRCS := rtl/link/ktpu_link_axi.v
link_axi_PARAMS := ADDR_BITS 14 BUS_BITS 64 LEN_BITS 10
link_axi_DEPTH := 40

link_axi_small_TOP := ktpu_link_axi_small
link_axi_small_SRCS := rtl/link/ktpu_link_axi_small.v
link_axi_small_PARAMS := ADDR_BITS 14 BUS_BITS 64
link_axi_small_DEPTH := 24

link_axil_TOP := ktpu_link_axil
link_axil_SRCS := rtl/link/ktpu_link_axil.v
link_axil_PARAMS := SMALL 0
link_axil_DEPTH := 24

link_axil_small_TOP := ktpu_link_axil
link_axil_small_SRCS := rtl/link/ktpu_link_axil.v
link_axil_small_PARAMS := SMALL 1
link_axil_small_DEPTH := 24

mx_flags_TOP := ktpu_mx_flags
mx_flags_SRCS := rtl/cluster/ktpu_mx_flags.v
mx_flags_PARAMS := WIDTH 2 DEPTH 16 READS 1
mx_flags_DEPTH := 16

mx_armed_TOP := ktpu_mx_armed
mx_armed_SRCS := rtl/cluster/ktpu_mx_armed.v
mx_armed_PARAMS := TILES 16 PLACES 4 SETTLE 2
mx_armed_DEPTH := 20

mx_out_TOP := ktpu_mx_out
mx_out_SRCS := rtl/cluster/ktpu_mx_out.v tests/formal/fv_ktpu_fp22_half.v tests/formal/fv_ktpu_fifo.v
mx_out_PARAMS := ACC_MW 10 DEPTH 3
mx_out_DEPTH := 20

FORMAL_PROOFS += fifo6 mx_dispatch mx_ask mx_write
# A short page of memory (ADDR_BITS 14) keeps the addresses short; the top bit of 33 is still there.
mx_dispatch_TOP := ktpu_mx_dispatch
mx_dispatch_SRCS := rtl/ctrl/ktpu_mx_dispatch.v rtl/common/ktpu_ram_sdp.v
mx_dispatch_PARAMS := STAGING 4 IFIFO 4
mx_dispatch_DEPTH := 20

mx_ask_TOP := ktpu_mem_agent_ask
mx_ask_SRCS := rtl/mem/ktpu_mem_agent_ask.v
mx_ask_PARAMS := ADDR_BITS 14 OUTSTANDING 2 BURST 16
mx_ask_DEPTH := 16

mx_write_TOP := ktpu_mem_agent_write
mx_write_SRCS := rtl/mem/ktpu_mem_agent_write.v
mx_write_PLAIN := rtl/common/ktpu_fifo.v
mx_write_PARAMS := ADDR_BITS 14 BURSTS 3
mx_write_DEPTH := 14
mx_write_BOUND := 10

FORMAL_PROOFS += mx_credit mx_score mx_sweep mx_fill mx_burst mx_turn mx_take
mx_credit_TOP := ktpu_endpoint
mx_credit_SRCS := rtl/ctrl/ktpu_endpoint.v tests/formal/fv_ktpu_fifo.v
mx_credit_PARAMS := IFIFO 3
mx_credit_DEPTH := 16

mx_score_TOP := ktpu_mx_score
mx_score_SRCS := rtl/cluster/ktpu_mx_score.v tests/formal/fv_ktpu_mx_flags.v
mx_score_PARAMS := ENTRIES 16
mx_score_DEPTH := 12

mx_fill_TOP := ktpu_mx_fill
mx_fill_SRCS := rtl/cluster/ktpu_mx_fill.v
mx_fill_PARAMS := L1_ENTRIES 32
mx_fill_DEPTH := 16

mx_sweep_TOP := ktpu_mx_sweep
mx_sweep_SRCS := rtl/cluster/ktpu_mx_sweep.v
mx_sweep_PARAMS := KSLICE 16 L1_ENTRIES 64 TILES 16
mx_sweep_DEPTH := 24

mx_burst_TOP := ktpu_mx_burst
mx_burst_SRCS := rtl/cluster/ktpu_mx_burst.v tests/formal/fv_ktpu_fifo.v
mx_burst_DEPTH := 24

mx_turn_TOP := fv_ktpu_mem_agent_turn
mx_turn_SRCS := tests/formal/fv_ktpu_mem_agent_turn.v rtl/mem/ktpu_mem_agent_turn.v
mx_turn_DEPTH := 32

mx_take_TOP := ktpu_mem_agent_take
mx_take_SRCS := rtl/mem/ktpu_mem_agent_take.v tests/formal/fv_ktpu_fifo.v tests/formal/fv_ktpu_mx_quant.v
mx_take_PLAIN := rtl/mem/ktpu_mem_agent_turn.v
mx_take_DEPTH := 24

FORMAL_HEADERS := $(wildcard tests/formal/*.vh rtl/common/*.vh rtl/generated/*.vh)

.PHONY: formal
formal: $(FORMAL_PROOFS:%=$(BUILD)/formal/%.ok) ## proofs of the shared blocks by induction
	@printf 'formal: %d proofs hold, none of them empty\n' $(words $^)

# chparam takes one -set for every pair
formal_sets = $(if $(1),-set $(word 1,$(1)) $(word 2,$(1)) $(call formal_sets,$(wordlist 3,99,$(1))))

define formal_rule
$(BUILD)/formal/$(1).ok: $$($(1)_SRCS) $$($(1)_PLAIN) $$(FORMAL_HEADERS) tests/formal/files.mk | setup-synth
	@mkdir -p $$(@D)
	@yosys -q -p 'tee -q -o $$(@:.ok=.log) read_verilog -formal $(RTL_INCLUDES) -Itests/formal $$($(1)_SRCS); \
	  $$(if $$($(1)_PLAIN),read_verilog $(RTL_INCLUDES) $$($(1)_PLAIN);) \
	  chparam $$(strip $$(call formal_sets,$$($(1)_PARAMS))) $$($(1)_TOP); \
	  prep -flatten -nordff -top $$($(1)_TOP); select -assert-min 5 t:$$$$assert; memory_map; \
	  opt -full; async2sync; dffunmap; \
	  tee -q -a $$(@:.ok=.log) sat $$(if $$($(1)_BOUND),-tempinduct-baseonly,-tempinduct) -prove-asserts -set-assumes \
	    -maxsteps $$(or $$($(1)_BOUND),8) -timeout 300 \
	    -verify $$($(1)_TOP); \
	  tee -q -a $$(@:.ok=.log) sat -tempinduct-baseonly -set-assumes -maxsteps $$($(1)_DEPTH) -timeout 300 \
	    -prove fv_all 0 -falsify $$($(1)_TOP)' || { tail -60 $$(@:.ok=.log); exit 1; }
	@touch $$@
endef
$(foreach p,$(FORMAL_PROOFS),$(eval $(call formal_rule,$(p))))
