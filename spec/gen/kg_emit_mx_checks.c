/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what is wrong with an instruction's bits alone, as two Verilog functions. */
#include "spec/gen/kg_mx.h"

static void refuse(FILE *f, const struct kg_mx_field *e, unsigned bits, const char *relation,
                   uint32_t limit, const char **joint)
{
  const unsigned at = 32 * e->word + e->lsb;

  fprintf(f, "        %sif (f[%u:%u] %s %u'd%u) kt_mx_field_wrong = {1'b1, 8'd%u, ", *joint,
          at + bits - 1, at, relation, bits, limit, e->number);
  if (e->bits < 32) fprintf(f, "%u'd0, ", 32 - e->bits);
  fprintf(f, "f[%u:%u]};\n", at + e->bits - 1, at);
  *joint = "else ";
}

static unsigned log2_of(uint32_t power)
{
  unsigned n = 0;

  while (power >> n > 1) n++;
  return n;
}

static void ranges(FILE *f, const struct kg_mx *m)
{
  fputs("// The first field, in the order of the table, below its least value, above its largest or "
        "no multiple: {found, number, value}.\n"
        "function [40:0] kt_mx_field_wrong(input [255:0] f);\n"
        "  begin\n    kt_mx_field_wrong = 41'd0;\n    case (f[7:0])\n",
        f);
  for (size_t i = 0; i < m->n_insns; i++) {
    const char *joint = "";
    fprintf(f, "      8'd%u: begin // %s\n", m->insn[i].opcode, m->insn[i].name);
    for (size_t k = 0; k < m->insn[i].n_fields; k++) {
      const struct kg_mx_field *e = &m->insn[i].field[k];
      if (e->min > 0) refuse(f, e, e->bits, "<", e->min, &joint);
      if (e->max < UINT32_MAX >> (32 - e->bits)) refuse(f, e, e->bits, ">", e->max, &joint);
      if (e->multiple > 1) refuse(f, e, log2_of(e->multiple), "!=", 0, &joint);
    }
    fputs("      end\n", f);
  }
  fputs("      default: kt_mx_field_wrong = 41'd0;\n    endcase\n  end\nendfunction\n\n", f);
}

static void reserved(FILE *f, const struct kg_mx *m)
{
  fputs("// The first word with a bit that belongs to no field: {found, word}.\n"
        "function [3:0] kt_mx_reserved_wrong(input [255:0] f);\n"
        "  begin\n    kt_mx_reserved_wrong = 4'd0;\n    case (f[7:0])\n",
        f);
  for (size_t i = 0; i < m->n_insns; i++) {
    const char *joint = "";
    fprintf(f, "      8'd%u: begin // %s\n", m->insn[i].opcode, m->insn[i].name);
    for (size_t w = 0; w < KG_MX_WORDS; w++) {
      const uint32_t mask = ~m->insn[i].used[w];
      if (mask == 0) continue;
      fprintf(f, "        %sif ((f[%zu:%zu] & 32'h%08X) != 32'd0) kt_mx_reserved_wrong = {1'b1, "
                 "3'd%zu};\n",
              joint, 32 * w + 31, 32 * w, mask, w);
      joint = "else ";
    }
    fputs("      end\n", f);
  }
  fputs("      default: kt_mx_reserved_wrong = 4'd0;\n    endcase\n  end\nendfunction\n", f);
}

void kg_emit_mx_checks(struct kg *g, FILE *f)
{
  fputs("// Generated from spec/mx.json by kt-gen: do not edit.\n"
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// What is wrong with an MXFP7 instruction's bits alone; included inside the module that "
        "checks it.\n\n",
        f);
  ranges(f, g->mx);
  reserved(f, g->mx);
}
