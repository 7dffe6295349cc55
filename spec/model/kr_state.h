/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside of the reference model: what its files share. Not for users of the model.
 */
#ifndef KR_STATE_H
#define KR_STATE_H

#include "spec/generated/kt_tinytpu.h"
#include "spec/model/kr_int8.h"
#include "spec/model/kr_shadow.h"

#include <stdbool.h>

/* What one program's issues add up to: compared with its header at the end. */
struct kr_counts {
  uint64_t steps[KT_UNITS]; /* by KT_UNIT_* */
  uint64_t mm_count;        /* items on the array's instructions port */
  uint64_t mm_rows;         /* items on the array's mac port */
  uint32_t a_span, b_span;  /* max of dram_row0 + nr over the dma_ld of A, of B */
};

struct kr_int8 {
  struct kt_params p;
  uint32_t wpr; /* packed words a row: MAXDIM / T */

  int8_t *spad, *vr; /* rows of T lanes */
  int32_t *ar;

  /* Contracts, of the chain that is running. Steps count from 1, so that 0 means unwritten. */
  uint8_t *spad_written, *vr_written;
  uint64_t *ar_step;  /* accu step of the row's last write */
  uint64_t accu_step; /* accu steps issued so far */

  uint64_t *imem; /* program being run, header first */
  struct kr_shadow shadow;

  kr_trace_fn *trace;
  void *trace_ctx;
  uint64_t issue_limit;
};

struct kr_loop {
  uint32_t body; /* static index of the first instruction inside */
  uint32_t iv, trip;
};

/* One start, on its way through the list. */
struct kr_run {
  struct kr_int8 *m;
  struct kr_mem *mem;
  struct kr_result *r;
  struct kt_msg *msg;
  enum kt_status status; /* other than KT_OK: refused or given up */

  /* The descriptor being run. */
  struct kt_desc d; /* strides resolved: never 0 */
  uint32_t desc_index, n_instr;
  uint64_t desc_issues;
  struct kr_counts counts;

  /* Sequencer. */
  uint32_t pc; /* static index */
  uint32_t depth;
  struct kr_loop loops[KT_LOOP_DEPTH];

  /* The instruction being issued. */
  uint64_t w1;       /* its second word */
  struct kt_insn in; /* fields as encoded */
  uint32_t f[4];     /* fields resolved */
};

/* All of these return true to go on; false stops the run, with r->fault or status set. */

bool kr_fault(struct kr_run *run, uint32_t code, uint32_t sub, uint32_t arg, uint32_t instr);
bool kr_refuse(struct kr_run *run, const char *what, uint64_t addr, uint32_t other_desc);

/* Descriptor checks, in the page's order. w: the raw words. */
bool kr_check_desc(struct kr_run *run, const struct kt_desc_words *w);

/* Instruction checks 1 to 5 of run->in; resolves the fields into run->f. */
bool kr_check_insn(struct kr_run *run);

/* Instruction check 6: reads of unwritten rows and accumulator distance. */
bool kr_check_contracts(struct kr_run *run);

/* Adds the issue's work to run->counts and to the result's statistics. */
void kr_count_issue(struct kr_run *run);

/* Executes the issue; moves pc. */
bool kr_execute(struct kr_run *run);

/* mm's arithmetic: rows nr from vr_a, weights from spad_w, into ar0; returns the lanes wrapped. */
uint64_t kr_mm(struct kr_int8 *m, uint32_t nr, uint32_t vr_a, uint32_t ar0, bool acc,
               uint32_t spad_w);

/* End of program: LOOP_OPEN, then the header slots. */
bool kr_check_end(struct kr_run *run);

/* Steps that one row of the opcode takes in accu; 0 where it has no work there. */
uint32_t kr_accu_steps_per_row(uint32_t op);

static inline bool kr_in_memory(const struct kr_run *run, uint64_t addr, uint64_t bytes)
{
  return addr <= run->mem->size && bytes <= run->mem->size - addr;
}

#endif
