/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the shared constants as a C header and as Verilog localparams, and the pack and unpack
 * functions. */
#include <inttypes.h>

#include "spec/gen/kg.h"

struct c_out {
  FILE *f;
  const char *section; /* named when its first constant comes */
  bool open;           /* an enum is open */
};

/* No enum constant can hold these: they become macros, in a pass of their own. */
static bool is_macro(uint32_t bits, uint64_t value)
{
  return bits == 64 || value > INT32_MAX;
}

static void c_macro(void *ctx, const char *section, const char *name, uint32_t bits, uint64_t value)
{
  struct c_out *out = ctx;

  if (section == NULL && is_macro(bits, value))
    fprintf(out->f, "#define %s UINT%s_C(0x%" PRIX64 ")\n", name, bits == 64 ? "64" : "32", value);
}

static void c_enum(void *ctx, const char *section, const char *name, uint32_t bits, uint64_t value)
{
  struct c_out *out = ctx;

  if (section != NULL) {
    out->section = section;
  } else if (!is_macro(bits, value)) {
    if (out->section != NULL)
      fprintf(out->f, "%s\n/* %s */\nenum {\n", out->open ? "};\n" : "", out->section);
    out->section = NULL;
    out->open = true;
    fprintf(out->f, "  %s = %" PRIu64 ",\n", name, value);
  }
}

void kg_emit_c(struct kg *g, FILE *f, const struct kg_opening *opening, kg_list_fn list)
{
  struct c_out out = {f, NULL, false};

  fprintf(f, "%s#ifndef %s\n#define %s\n\n#include <stdint.h>\n\n", opening->text, opening->guard,
          opening->guard);
  list(g, c_macro, &out);
  list(g, c_enum, &out);
  fputs("};\n\n#endif\n", f);
}

void kg_emit_header(struct kg *g, FILE *f)
{
  static const struct kg_opening opening = {
      "/* Generated from spec/tinytpu.json by kt-gen: do not edit. */\n"
      "/* SPDX-License-Identifier: Apache-2.0 */\n"
      "/* Constants of the int8 core; rtl/generated/ktpu_tinytpu.vh has the same names and "
      "values. */\n",
      "KT_SPEC_GENERATED_KT_TINYTPU_H"};

  kg_emit_c(g, f, &opening, kg_constants);
}

/* A statement for each name, so that one search finds it. */
static void verilog_constant(void *ctx, const char *section, const char *name, uint32_t bits,
                             uint64_t value)
{
  FILE *f = ctx;

  if (section != NULL)
    fprintf(f, "\n// %s\n", section);
  else if (bits == 0)
    fprintf(f, "localparam integer %s = %" PRIu64 ";\n", name, value);
  else if (bits >= 32)
    fprintf(f, "localparam [%u:0] %s = %u'h%0*" PRIX64 ";\n", bits - 1, name, bits, (int)bits / 4,
            value);
  else
    fprintf(f, "localparam [%u:0] %s = %u'd%" PRIu64 ";\n", bits - 1, name, bits, value);
}

void kg_emit_v(struct kg *g, FILE *f, const char *opening, kg_list_fn list)
{
  fputs(opening, f);
  list(g, verilog_constant, f);
}

void kg_emit_verilog(struct kg *g, FILE *f)
{
  kg_emit_v(
      g, f,
      "// Generated from spec/tinytpu.json by kt-gen: do not edit.\n"
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Constants of the int8 core, included inside modules: no include guard on purpose. "
      "spec/generated/kt_tinytpu.h has\n"
      "// the same names and values. A module uses few of them: lint waives unused parameters "
      "of this file alone.\n",
      kg_constants);
}

static uint64_t mask_of(uint32_t bits)
{
  return (UINT64_C(1) << bits) - 1;
}

static const char *c_member(struct kg *g, const struct kt_field *field)
{
  return field->name[0] == 'f' && field->name[2] == '\0' ? kg_text(g, "f[%c]", field->name[1])
                                                         : field->name;
}

static void insn_functions(struct kg *g, FILE *f)
{
  fputs("void kt_insn_pack(const struct kt_insn *in, uint64_t w[KT_IWORDS])\n{\n  w[0] = 0;\n", f);
  for (size_t i = 0; i < g->isa.n_word0; i++)
    fprintf(f, "  w[0] |= ((uint64_t)in->%s & 0x%" PRIX64 "u) << %u;\n",
            c_member(g, &g->isa.word0[i]), mask_of(g->isa.word0[i].bits), g->isa.word0[i].lsb);
  fputs("  w[1] = 0;\n", f);
  for (uint32_t t = 0; t < g->isa.n_terms; t++)
    for (size_t i = 0; i < g->isa.n_term; i++)
      fprintf(f, "  w[1] |= ((uint64_t)in->term[%u].%s & 0x%" PRIX64 "u) << %u;\n", t,
              g->isa.term[i].name, mask_of(g->isa.term[i].bits),
              t * g->isa.term_bits + g->isa.term[i].lsb);
  fputs("}\n\nvoid kt_insn_unpack(const uint64_t w[KT_IWORDS], struct kt_insn *out)\n{\n", f);
  for (size_t i = 0; i < g->isa.n_word0; i++)
    fprintf(f, "  out->%s = (uint16_t)((w[0] >> %u) & 0x%" PRIX64 "u);\n",
            c_member(g, &g->isa.word0[i]), g->isa.word0[i].lsb, mask_of(g->isa.word0[i].bits));
  for (uint32_t t = 0; t < g->isa.n_terms; t++)
    for (size_t i = 0; i < g->isa.n_term; i++)
      fprintf(f, "  out->term[%u].%s = (uint16_t)((w[1] >> %u) & 0x%" PRIX64 "u);\n", t,
              g->isa.term[i].name, t * g->isa.term_bits + g->isa.term[i].lsb,
              mask_of(g->isa.term[i].bits));
  fputs("}\n", f);
}

/* Member names of struct kt_desc: the JSON names in lower case, except the flag that is a C
 * keyword. */
static const char *desc_member(struct kg *g, const char *name)
{
  char *s = kg_strdup(g, name);

  for (char *c = s; *c != '\0'; c++)
    if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
  return s[0] == 'c' && s[1] == 'o' && s[2] == 'n' && s[3] == 't' ? "cont" : s;
}

static void desc_functions(struct kg *g, FILE *f)
{
  size_t flags = g->n_desc_words - 1; /* FLAGS is the last word with a meaning */

  fputs("\nvoid kt_desc_pack(const struct kt_desc *d, uint32_t w[KT_DESC_WORDS])\n{\n"
        "  for (int i = 0; i < KT_DESC_WORDS; i++) w[i] = 0;\n",
        f);
  for (size_t i = 0; i < flags; i++)
    fprintf(f, "  w[%u] = d->%s;\n", g->desc_word[i].value, desc_member(g, g->desc_word[i].name));
  for (size_t i = 0; i < g->n_flags; i++)
    fprintf(f, "  w[%u] |= (d->%s & 0x%" PRIX64 "u) << %u;\n", g->desc_word[flags].value,
            desc_member(g, g->flag[i].name), mask_of(g->flag[i].bits), g->flag[i].lsb);
  fputs("}\n\nvoid kt_desc_unpack(const uint32_t w[KT_DESC_WORDS], struct kt_desc *d)\n{\n", f);
  for (size_t i = 0; i < flags; i++)
    fprintf(f, "  d->%s = w[%u];\n", desc_member(g, g->desc_word[i].name), g->desc_word[i].value);
  for (size_t i = 0; i < g->n_flags; i++)
    fprintf(f, "  d->%s = (w[%u] >> %u) & 0x%" PRIX64 "u;\n", desc_member(g, g->flag[i].name),
            g->desc_word[flags].value, g->flag[i].lsb, mask_of(g->flag[i].bits));
  fputs("}\n", f);
}

void kg_emit_pack(struct kg *g, FILE *f)
{
  fputs("/* Generated from spec/tinytpu.json by kt-gen: do not edit. */\n"
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Packing and unpacking of instruction words and descriptors. */\n#include "
        "\"spec/kt_insn.h\"\n\n",
        f);
  insn_functions(g, f);
  desc_functions(g, f);
}
