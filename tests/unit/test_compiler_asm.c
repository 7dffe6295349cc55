/* SPDX-License-Identifier: Apache-2.0
 *
 * Assembler, disassembler and program files: golden files in tests/golden, errors with their caret,
 * exact round trips. Run from the repository's root.
 *
 * tests/golden/X.tasm assembles to X.bin, which disassembles to X.dis; tests/golden/errors/X.tasm
 * is refused with the text in X.err.
 */
#include "compiler/bytes/kc_file.h"
#include "compiler/fuzz/kc_rng.h"
#include "spec/generated/kt_tinytpu.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char GOLDEN[] = "tests/golden";

static struct kt_params build(const char *text)
{
  struct kt_params p;
  cr_assert(eq(int, kt_params_parse(&p, text, NULL), KT_OK));
  return p;
}

static uint64_t seed(void)
{
  const char *text = getenv("SEED");
  uint64_t value = text != NULL ? strtoull(text, NULL, 10) : 1;
  fprintf(stderr, "seed %llu\n", (unsigned long long)value);
  return value;
}

/* The caller frees the result. */
static uint8_t *slurp(const char *dir, const char *name, const char *ext, size_t *size)
{
  char path[300];
  uint8_t *bytes = NULL;
  struct kt_msg msg = {""};
  snprintf(path, sizeof path, "%s/%s%s", dir, name, ext);
  cr_assert(eq(int, kc_file_read(path, &bytes, size, &msg), KT_OK), "%s", msg.text);
  return bytes;
}

typedef void each_fn(const char *dir, const char *name);

/* Calls fn for every NAME.tasm; returns how many. */
static int for_each_text(const char *dir, each_fn *fn)
{
  DIR *d = opendir(dir);
  int n = 0;
  cr_assert(d != NULL, "%s cannot be opened (run from the repository's root)", dir);
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    char name[256];
    char *dot;
    snprintf(name, sizeof name, "%s", e->d_name);
    dot = strrchr(name, '.');
    if (dot == NULL || strcmp(dot, ".tasm") != 0) continue;
    *dot = '\0';
    fn(dir, name);
    n++;
  }
  closedir(d);
  return n;
}

/* ---- Golden files ---------------------------------------------------------------------------- */

static void golden(const char *dir, const char *name)
{
  struct kt_params p = build("int8");
  struct kc_asm_opts opts = {.no_check = strcmp(name, "illegal") == 0};
  size_t text_size, bin_size, dis_size, got_size;
  uint8_t *text = slurp(dir, name, ".tasm", &text_size);
  uint8_t *bin = slurp(dir, name, ".bin", &bin_size);
  uint8_t *dis = slurp(dir, name, ".dis", &dis_size);
  struct kc_program program, again;
  struct kt_msg msg = {""};
  uint8_t *got;
  char *shown;

  cr_assert(eq(int, kc_assemble(&p, name, (char *)text, &opts, &program, &msg), KT_OK), "%s",
            msg.text);
  cr_assert(eq(int, kc_words_to_bytes(&program, &got, &got_size), KT_OK));
  cr_expect(eq(sz, got_size, bin_size), "%s", name);
  cr_expect(eq(int, memcmp(got, bin, bin_size), 0), "%s.bin differs", name);
  cr_assert(eq(int, kc_disassemble(&p, program.words, program.n_words, &shown, &msg), KT_OK));
  cr_expect(eq(str, shown, (char *)dis), "%s", name);
  cr_assert(eq(int, kc_assemble(&p, name, shown, &opts, &again, &msg), KT_OK), "%s", msg.text);
  cr_expect(eq(sz, again.n_words, program.n_words));
  cr_expect(eq(int, memcmp(again.words, program.words, bin_size), 0), "%s.dis differs", name);
  kc_program_free(&program);
  kc_program_free(&again);
  free(text);
  free(bin);
  free(dis);
  free(got);
  free(shown);
}

Test(compiler_asm, golden_programs_both_ways, .timeout = 10)
{
  cr_assert(ge(int, for_each_text(GOLDEN, golden), 3));
}

static void error_text(const char *dir, const char *name)
{
  struct kt_params p = build("int8");
  size_t text_size, err_size;
  uint8_t *text = slurp(dir, name, ".tasm", &text_size);
  uint8_t *err = slurp(dir, name, ".err", &err_size);
  char source[300], want[600];
  struct kc_program program;
  struct kt_msg msg = {""};

  snprintf(source, sizeof source, "%s.tasm", name);
  cr_expect(eq(int, kc_assemble(&p, source, (char *)text, NULL, &program, &msg), KT_EPARSE), "%s",
            name);
  snprintf(want, sizeof want, "%s\n", msg.text);
  cr_expect(eq(str, want, (char *)err), "%s", name);
  cr_expect(all(eq(ptr, program.words, NULL), eq(sz, program.n_words, 0)), "%s", name);
  free(text);
  free(err);
}

Test(compiler_asm, errors_name_file_line_column_and_point, .timeout = 10)
{
  cr_assert(ge(int, for_each_text("tests/golden/errors", error_text), 30));
}

/* ---- Messages at their limits ---------------------------------------------------------------- */

Test(compiler_asm, a_caret_past_a_long_line_is_left_out, .timeout = 5)
{
  struct kt_params p = build("int8");
  char text[1000];
  struct kc_program program;
  struct kt_msg msg = {""};

  memset(text, ' ', sizeof text);
  memcpy(text + 900, "bogus", 6);
  cr_assert(eq(int, kc_assemble(&p, "long", text, NULL, &program, &msg), KT_EPARSE));
  cr_assert(strstr(msg.text, "long:1:901: error: bogus is no instruction\n") == msg.text, "%s",
            msg.text);
  cr_assert(eq(ptr, strchr(msg.text, '^'), NULL));
}

Test(compiler_asm, no_check_still_needs_what_can_be_encoded, .timeout = 5)
{
  static const char *const texts[] = {"mm vr_a=4096 ar0=0 acc=0 spad_w=0 nr=1", "bogus",
                                      "endloop n", "loop n 256", "mm nr=1", "nop 1"};
  struct kt_params p = build("int8");
  struct kc_asm_opts opts = {.no_check = true};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    struct kc_program program;
    cr_expect(eq(int, kc_assemble(&p, "t", texts[i], &opts, &program, NULL), KT_EPARSE), "%s",
              texts[i]);
  }
}

/* A chain given to the assembler is what the checker goes on from. */
Test(compiler_asm, a_chain_is_carried_on, .timeout = 5)
{
  struct kt_params p = build("int8");
  struct kc_check_ctx *chain = calloc(1, sizeof *chain);
  struct kc_asm_opts opts = {.chain = chain};
  static const char first[] = "dma_ld mode=1 dram_row0=0 col_block=0 dst_row0=0 nr=4\n"
                              "dma_ld mode=2 dram_row0=0 col_block=0 dst_row0=0 nr=4\n";
  static const char second[] = "mm vr_a=0 ar0=0 acc=0 spad_w=0 nr=4\n";
  struct kc_program program;

  cr_assert(eq(int, kc_assemble(&p, "b", second, &opts, &program, NULL), KT_EPARSE));
  kc_check_begin(chain);
  cr_assert(eq(int, kc_assemble(&p, "a", first, &opts, &program, NULL), KT_OK));
  kc_program_free(&program);
  cr_assert(eq(int, kc_assemble(&p, "b", second, &opts, &program, NULL), KT_OK));
  kc_program_free(&program);
  free(chain);
}

/* ---- Round trips ----------------------------------------------------------------------------- */

/* Words of which most are near something legal, some are noise. */
static uint64_t draw_word(struct kc_rng *rng, size_t i)
{
  uint64_t word = kc_rng_next(rng);
  if (i < KT_NHDR) return kc_rng_percent(rng, 50) ? word : word & 0xFFFF;
  if (kc_rng_percent(rng, 20)) return word;
  struct kt_insn insn = {.op = (uint16_t)kc_rng_range(rng, 0, 11), .nr = (uint16_t)(word & 127)};
  for (int f = 0; f < 4; f++)
    if (kc_rng_percent(rng, 60)) insn.f[f] = (uint16_t)kc_rng_range(rng, 0, 4095);
  for (int t = 0; t < 3; t++)
    if (kc_rng_percent(rng, 60))
      insn.term[t] = (struct kt_term){(uint16_t)kc_rng_range(rng, 0, 5),
                                      (uint16_t)kc_rng_range(rng, 0, 4),
                                      (uint16_t)kc_rng_range(rng, 0, 4095)};
  uint64_t w[2];
  kt_insn_pack(&insn, w);
  return w[i % 2];
}

static void round_trip(const struct kt_params *p, const uint64_t *words, size_t n)
{
  struct kc_asm_opts opts = {.no_check = true};
  struct kc_program back;
  struct kt_msg msg = {""};
  char *text, *again;

  cr_assert(eq(int, kc_disassemble(p, words, n, &text, &msg), KT_OK));
  cr_assert(eq(int, kc_assemble(p, "trip", text, &opts, &back, &msg), KT_OK), "%s\n%s", text,
            msg.text);
  cr_assert(eq(sz, back.n_words, n), "%s", text);
  for (size_t i = 0; i < n; i++)
    cr_assert(eq(u64, back.words[i], words[i]), "word %zu of\n%s", i, text);
  cr_assert(eq(int, kc_disassemble(p, back.words, n, &again, &msg), KT_OK));
  cr_assert(eq(str, again, text));
  kc_program_free(&back);
  free(text);
  free(again);
}

Test(compiler_asm, random_words_come_back_bit_for_bit, .timeout = 60)
{
  struct kt_params p = build("int8");
  struct kc_rng rng = kc_rng_seed(seed());
  for (int run = 0; run < 400; run++) {
    uint64_t words[128];
    size_t n = KT_NHDR + 2 * kc_rng_range(&rng, 0, 48);
    for (size_t i = 0; i < n; i += 2) {
      words[i] = draw_word(&rng, i);
      words[i + 1] = draw_word(&rng, i + 1);
    }
    round_trip(&p, words, n);
  }
}

Test(compiler_asm, named_forms_are_used_where_they_can_be, .timeout = 5)
{
  static const char text[] = "loop i 2\n"
                             "  loop j 3\n"
                             "    vld vr0=1+i*2+j*3 spad0=4+j*5 nr=6\n"
                             "    mm spad_w=0+j*4 ar0=0+i*4 vr_a=0 acc=0 nr=4\n"
                             "  endloop j\n"
                             "endloop i\n"
                             "nop\n";
  struct kt_params p = build("int8");
  struct kc_asm_opts opts = {.no_check = true};
  struct kc_program program;
  char *shown;

  cr_assert(eq(int, kc_assemble(&p, "t", text, &opts, &program, NULL), KT_OK));
  cr_assert(eq(int, kc_disassemble(&p, program.words, program.n_words, &shown, NULL), KT_OK));
  cr_assert(eq(str, shown, (char *)text));
  kc_program_free(&program);
  free(shown);
}

Test(compiler_asm, half_programs_are_not_disassembled, .timeout = 5)
{
  struct kt_params p = build("int8");
  uint64_t words[12] = {0};
  char *text;
  for (size_t n = 0; n < 12; n++) {
    enum kt_status want = n >= 8 && n % 2 == 0 ? KT_OK : KT_EINVAL;
    cr_expect(eq(int, kc_disassemble(&p, words, n, &text, NULL), want), "%zu words", n);
    free(text);
  }
}

/* ---- Files ----------------------------------------------------------------------------------- */

Test(compiler_asm, files_of_either_form_load_the_same, .timeout = 10)
{
  struct kt_params p = build("int8");
  struct kc_program text, binary;
  struct kt_msg msg = {""};

  cr_assert(eq(int, kc_program_load(&p, "tests/golden/gemm16.tasm", NULL, &text, &msg), KT_OK));
  cr_assert(eq(int, kc_program_load(&p, "tests/golden/gemm16.bin", NULL, &binary, &msg), KT_OK));
  cr_assert(eq(sz, text.n_words, binary.n_words));
  cr_assert(eq(int, memcmp(text.words, binary.words, 8 * text.n_words), 0));
  kc_program_free(&text);
  kc_program_free(&binary);

  cr_assert(eq(int, kc_program_load(&p, "tests/golden/illegal.bin", NULL, &binary, &msg), KT_EFAULT));
  cr_assert(eq(ptr, binary.words, NULL));
  struct kc_asm_opts opts = {.no_check = true};
  cr_assert(eq(int, kc_program_load(&p, "tests/golden/illegal.bin", &opts, &binary, &msg), KT_OK));
  kc_program_free(&binary);
}

Test(compiler_asm, files_that_are_not_there_or_cut_short, .timeout = 10)
{
  struct kt_params p = build("int8");
  struct kc_program program;
  struct kt_msg msg = {""};
  static const uint8_t seven[7] = {0};

  cr_assert(eq(int, kc_program_load(&p, "tests/golden/absent", NULL, &program, &msg), KT_EIO));
  cr_assert(strstr(msg.text, "tests/golden/absent: ") == msg.text, "%s", msg.text);
  cr_assert(eq(int, kc_words_from_bytes(seven, 7, &program, &msg), KT_EINVAL));
  cr_assert(eq(int, kc_words_from_bytes(seven, 0, &program, &msg), KT_EINVAL));
  cr_assert(eq(int, kc_file_write("/dev/full", seven, 7, &msg), KT_EIO));
}

/* The worked example is what a reader tries first. */
Test(compiler_asm, the_example_of_the_docs_assembles, .timeout = 5)
{
  struct kt_params p = build("int8");
  size_t size;
  char *page = (char *)slurp("docs", "programs", ".md", &size);
  struct kc_program program;
  struct kt_msg msg = {""};
  char *begin = strstr(page, "```\n");

  cr_assert(begin != NULL);
  begin += 4;
  *strstr(begin, "```") = '\0';
  cr_assert(eq(int, kc_assemble(&p, "docs", begin, NULL, &program, &msg), KT_OK), "%s", msg.text);
  cr_assert(eq(sz, kc_program_instructions(program.n_words), 8));
  kc_program_free(&program);
  free(page);
}

/* ---- Random text: refused or assembled, never worse ------------------------------------------- */

Test(compiler_asm, mangled_text_is_refused_or_assembled, .timeout = 60)
{
  static const char sample[] = "loop n 2\n dma_ld mode=1 dram_row0=0 col_block=0+n*1 dst_row0=0 nr=4\n"
                               "endloop n\n.header spm_rows=8 ; c\n.insn 0x3 0\nnop # x\n";
  struct kt_params p = build("int8");
  struct kc_rng rng = kc_rng_seed(seed());
  struct kc_asm_opts opts = {.no_check = true};
  int refused = 0, assembled = 0;
  for (int run = 0; run < 3000; run++) {
    char text[sizeof sample];
    struct kc_program program;
    struct kt_msg msg = {""};
    memcpy(text, sample, sizeof text);
    for (uint32_t i = kc_rng_range(&rng, 1, 2); i > 0; i--)
      text[kc_rng_range(&rng, 0, sizeof text - 2)] = (char)kc_rng_range(&rng, 1, 255);
    enum kt_status st = kc_assemble(&p, "m", text, &opts, &program, &msg);
    cr_assert(st == KT_OK || st == KT_EPARSE);
    if (st == KT_OK) assembled++;
    else refused++;
    if (st == KT_EPARSE) cr_assert(strstr(msg.text, "error: ") != NULL);
    kc_program_free(&program);
  }
  cr_assert(all(gt(int, refused, 100), gt(int, assembled, 20)));
}
