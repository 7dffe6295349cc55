/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults as sentences. Names and meanings come from the specification's tables; only how a fault's
 * numbers are put into words stands here.
 */
#include "host/kd_device.h"

#include "spec/generated/kt_tinytpu.h"
#include "spec/kt_isa.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *memory_name(uint32_t code)
{
  for (size_t i = 0; i < kt_isa.n_memories; i++)
    if (kt_isa.memory[i].code == (int)code) return kt_isa.memory[i].name;
  return "a memory that does not exist";
}

static const char *slot_name(uint32_t slot)
{
  return slot < kt_isa.n_slots ? kt_isa.slot[slot].name : "a bit without a meaning";
}

static const char *descriptor_word(uint32_t word)
{
  static const char *const names[] = {"PROG",     "PROG_WORDS", "A",        "B",    "C",
                                      "STRIDE_A", "STRIDE_B",   "STRIDE_C", "FLAGS"};
  if (word < sizeof names / sizeof names[0]) return names[word];
  return word < KT_DESC_WORDS ? "a reserved word" : "LIST_ADDR";
}

static const char *response_name(uint32_t resp)
{
  static const char *const names[] = {"OKAY", "EXOKAY", "SLVERR", "DECERR"};
  return names[resp & 3];
}

struct text {
  char *at;
  size_t left;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *t, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  const int n = vsnprintf(t->at, t->left, fmt, ap);
  va_end(ap);
  if (n < 0) return;
  const size_t used = (size_t)n < t->left ? (size_t)n : t->left - 1;
  t->at += used;
  t->left -= used;
}

static void add_waiting_units(struct text *t, uint32_t mask)
{
  const char *between = "";
  for (uint32_t u = 0; u < kt_isa.n_units; u++) {
    if (!((mask >> u) & 1)) continue;
    add(t, "%s%s", between, kt_isa.unit[u].name);
    between = ", ";
  }
  if (*between == '\0') add(t, "no unit");
}

static void add_header(struct text *t, const struct ktpu_fault *f)
{
  if (f->sub >= KT_HDR_UNUSED) {
    add(t, "header word %" PRIu32 " has bits set that mean nothing", f->argument);
    return;
  }
  add(t, "the header promises %" PRIu32 " %s, the program delivers %" PRIu32, f->argument >> 16,
      slot_name(f->sub), f->argument & 0xffff);
  if (f->sub < kt_isa.n_slots && kt_isa.slot[f->sub].unit >= 0)
    add(t, " (unit %s)", kt_isa.unit[kt_isa.slot[f->sub].unit].name);
}

static void add_field_fault(struct text *t, const struct ktpu_fault *f)
{
  switch (f->code) {
  case KT_FAULT_FIELD_RANGE:
    add(t, "field f%" PRIu32 " resolves to %" PRIu32 ", past %d", f->sub, f->argument,
        KT_FIELD_MAX);
    break;
  case KT_FAULT_MODE: add(t, "mode %" PRIu32 " is not 0..3", f->argument); break;
  case KT_FAULT_ACC: add(t, "acc %" PRIu32 " is not 0 or 1", f->argument); break;
  case KT_FAULT_COL_BLOCK:
    add(t, "column block %" PRIu32 " is past the row (MAXDIM / T)", f->argument);
    break;
  case KT_FAULT_FIELD_MEMORY:
    add(t, "field f%" PRIu32 " reaches row %" PRIu32 ", past its memory", f->sub, f->argument);
    break;
  case KT_FAULT_UNWRITTEN:
    add(t, "%s row %" PRIu32 " is read but nothing wrote it", memory_name(f->sub), f->argument);
    break;
  default: /* KT_FAULT_AR_DISTANCE */
    add(t, "ar row %" PRIu32 " (field f%" PRIu32 ") is read fewer than %d steps after its write",
        f->argument, f->sub, KT_AR_RAW_DIST);
    break;
  }
}

static void add_instruction_fault(struct text *t, const struct ktpu_fault *f)
{
  switch (f->code) {
  case KT_FAULT_OPCODE: add(t, "opcode %" PRIu32 " does not exist", f->argument); break;
  case KT_FAULT_NR: add(t, "nr %" PRIu32 " is not 1..%d", f->argument, KT_NR_MAX); break;
  case KT_FAULT_TRIP: add(t, "a loop with trip count 0"); break;
  case KT_FAULT_TERM_FORBIDDEN:
    add(t, "term %" PRIu32 " (0x%05" PRIx32 ") on an instruction that takes none", f->sub,
        f->argument);
    break;
  case KT_FAULT_TERM_TARGET:
    add(t, "term %" PRIu32 " names target %" PRIu32 ", past %d", f->sub, f->argument,
        KT_TARGET_MAX);
    break;
  case KT_FAULT_TERM_LEVEL:
    add(t, "term %" PRIu32 " names loop level %" PRIu32 ", which is not open", f->sub,
        f->argument);
    break;
  case KT_FAULT_LOOP_OVERFLOW:
    add(t, "a loop inside %" PRIu32 " open ones", f->argument);
    break;
  case KT_FAULT_LOOP_UNDERFLOW: add(t, "an endloop with no loop open"); break;
  default: add_field_fault(t, f); break;
  }
}

static void add_descriptor_fault(struct text *t, const struct ktpu_fault *f)
{
  switch (f->code) {
  case KT_FAULT_N_INSTR:
    add(t, "PROG_WORDS %" PRIu32 " is not 8 + 2 * instructions within the program memory",
        f->argument);
    break;
  case KT_FAULT_DESCRIPTOR:
    add(t, "word %" PRIu32 " (%s) holds 0x%" PRIx32 ", which this build does not admit", f->sub,
        descriptor_word(f->sub), f->argument);
    break;
  case KT_FAULT_ALIGNMENT:
    add(t, "%s 0x%" PRIx32 " is not aligned", descriptor_word(f->sub), f->argument);
    break;
  default: add(t, "continue, but nothing ran before it"); break; /* KT_FAULT_CONTINUE */
  }
}

static void add_end_fault(struct text *t, const struct ktpu_fault *f)
{
  static const char *const what[] = {"a descriptor", "a program", "A or B"};
  switch (f->code) {
  case KT_FAULT_LOOP_OPEN:
    add(t, "%" PRIu32 " loops are open at the end", f->argument);
    break;
  case KT_FAULT_HEADER: add_header(t, f); break;
  case KT_FAULT_AXI_READ:
    add(t, "memory answered %s to a read of %s", response_name(f->sub),
        f->argument < 3 ? what[f->argument] : "memory");
    break;
  case KT_FAULT_AXI_WRITE:
    add(t, "memory answered %s to a write of C", response_name(f->sub));
    break;
  case KT_FAULT_NO_PROGRESS:
    add(t, "no unit advanced in %" PRIu32 " cycles; waiting: ", f->argument);
    add_waiting_units(t, f->sub);
    break;
  default: add(t, "sub %" PRIu32 ", argument 0x%" PRIx32, f->sub, f->argument); break;
  }
}

static const char *fault_name(uint32_t code)
{
  for (size_t i = 0; i < kt_isa.n_faults; i++)
    if (kt_isa.fault[i].code == code) return kt_isa.fault[i].name;
  return "unknown fault";
}

void kd_fault_text(struct ktpu_fault *f)
{
  struct text t = {f->text, sizeof f->text};
  f->text[0] = '\0';
  if (f->code == 0) return;
  if (f->code >= KT_FAULT_OPCODE && f->code <= KT_FAULT_AR_DISTANCE &&
      f->code != KT_FAULT_LOOP_OPEN) {
    add(&t, "sequencer: descriptor %" PRIu32 ", instruction %" PRIu32 ": ", f->descriptor,
        f->instruction);
    add_instruction_fault(&t, f);
  } else if (f->code >= KT_FAULT_N_INSTR && f->code <= KT_FAULT_CONTINUE &&
             f->code != KT_FAULT_HEADER) {
    add(&t, "sequencer: descriptor %" PRIu32 ": ", f->descriptor);
    add_descriptor_fault(&t, f);
  } else {
    add(&t, "%s: descriptor %" PRIu32 ": ", f->code == KT_FAULT_AXI_WRITE ? "dma_st" : "core",
        f->descriptor);
    add_end_fault(&t, f);
  }
  add(&t, " (%s)", fault_name(f->code));
}
