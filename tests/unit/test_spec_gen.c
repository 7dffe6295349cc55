/* SPDX-License-Identifier: Apache-2.0 */
/* kt-gen on changed copies of the specification: what it must refuse, with which words, and what it
 * calls stale. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char root[64];     /* scratch repository */
static char output[4096]; /* what kt-gen said */

static char *read_all(const char *path)
{
  FILE *f = fopen(path, "rb");
  cr_assert(ne(ptr, f, NULL), "%s", path);
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  rewind(f);
  char *text = calloc(1, (size_t)n + 1);
  cr_assert(eq(sz, fread(text, 1, (size_t)n, f), (size_t)n));
  fclose(f);
  return text;
}

static void write_all(const char *relative, const char *text)
{
  char path[256];

  snprintf(path, sizeof path, "%s/%s", root, relative);
  FILE *f = fopen(path, "wb");
  cr_assert(ne(ptr, f, NULL), "%s", path);
  fputs(text, f);
  fclose(f);
}

static void make_folder(const char *relative)
{
  char path[256];

  snprintf(path, sizeof path, "%s/%s", root, relative);
  cr_assert(eq(int, mkdir(path, 0700), 0));
}

static void copy(const char *relative)
{
  char *text = read_all(relative);

  write_all(relative, text);
  free(text);
}

static void scratch(void)
{
  static const char *const folders[] = {"spec", "spec/configs",  "spec/generated",
                                        "rtl",  "rtl/generated", "docs"};

  snprintf(root, sizeof root, "/tmp/kt-gen-test-XXXXXX");
  cr_assert(ne(ptr, mkdtemp(root), NULL));
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) make_folder(folders[i]);
  copy("spec/tinytpu.json");
  copy("spec/configs/int8.json");
  copy("spec/configs/ice40.json");
  copy("spec/configs/ecp5-int8.json");
  copy("docs/isa.md");
  copy("spec/link.json");
  copy("spec/boards.json");
  copy("docs/link.md");
  copy("spec/mx.json");
  copy("spec/configs/sim1.json");
  copy("docs/mx-isa.md");
}

static void remove_scratch(void)
{
  char command[128];

  snprintf(command, sizeof command, "rm -rf '%s'", root);
  if (strncmp(root, "/tmp/kt-gen-test-", 17) == 0 && system(command) != 0)
    cr_assert(false, "%s stays", root);
}

/* Exit code of kt-gen in the scratch repository; its words go to output. */
static int run(const char *option)
{
  char self[512], command[1200];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

  cr_assert(gt(i64, n, 0));
  self[n] = '\0';
  *strrchr(self, '/') = '\0'; /* build/tests/unit */
  snprintf(command, sizeof command, "'%s/../../bin/kt-gen' %s --root '%s' 2>&1", self, option,
           root);
  FILE *p = popen(command, "r");
  cr_assert(ne(ptr, p, NULL));
  output[fread(output, 1, sizeof output - 1, p)] = '\0';
  int status = pclose(p);
  bool exited = WIFEXITED(status);
  cr_assert(exited);
  return WEXITSTATUS(status);
}

/* The parent of the last part of path ("units/5/elastic"), whose name goes to *key. */
static cJSON *parent_of(cJSON *at, const char *path, const char **key)
{
  for (;;) {
    size_t n = strcspn(path, "/");
    char part[64];
    *key = path;
    if (path[n] == '\0') return at;
    snprintf(part, sizeof part, "%.*s", (int)n, path);
    at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(part))
                           : cJSON_GetObjectItemCaseSensitive(at, part);
    cr_assert(ne(ptr, at, NULL), "%s", part);
    path += n + 1;
  }
}

/* value: JSON text, or NULL to remove the key. */
static void change(const char *file, const char *path, const char *value)
{
  char *text = read_all(file);
  cJSON *json = cJSON_Parse(text), *new_value = value == NULL ? NULL : cJSON_Parse(value);
  const char *key;
  cJSON *parent = parent_of(json, path, &key);

  if (value == NULL)
    cJSON_DeleteItemFromObjectCaseSensitive(parent, key);
  else if (cJSON_IsArray(parent))
    cJSON_ReplaceItemInArray(parent, atoi(key), new_value);
  else if (cJSON_HasObjectItem(parent, key))
    cJSON_ReplaceItemInObjectCaseSensitive(parent, key, new_value);
  else
    cJSON_AddItemToObject(parent, key, new_value);
  char *changed = cJSON_Print(json);
  write_all(file, changed);
  free(changed);
  free(text);
  cJSON_Delete(json);
}

struct refusal {
  const char *path, *value, *says;
};

#define SPEC "spec/tinytpu.json: "

static const struct refusal refusals[] = {
    {"extra", "1", SPEC "top level: unknown key \"extra\""},
    {"loop/depth", NULL, SPEC "loop: key \"depth\" is missing"},
    {"loop/depth", "\"4\"", SPEC "loop: \"depth\" must be a whole number of 0 to 8"},
    {"loop/depth", "3", SPEC "level: max must be the loop depth less 1"},
    {"loop/depth", "3.5", SPEC "loop: \"depth\" must be a whole number"},
    {"loop/min_trip", "0", SPEC "loop: a do-while loop runs at least once"},
    {"version", "-1", SPEC "top level: \"version\" must be a whole number of 0 to 65535"},
    {"magic", "\"5550544B\"", SPEC "top level: \"magic\" must be a string such as"},
    {"encoding/word0/1/lsb", "5", SPEC "encoding.word0: f0 overlaps op"},
    {"encoding/word0/5/lsb", "57",
     SPEC "encoding.word0: nr: bits 57 to 64 do not fit a word of 64"},
    {"encoding/word0/2/bits", "11", SPEC "f1: operand fields must be of one width"},
    {"encoding/word0/3/target", "1", SPEC "f2: target must be 3"},
    {"encoding/word0/3/name", "\"f1\"", SPEC "encoding.word0: must hold exactly the fields"},
    {"encoding/term/0/bits", "3", SPEC "target: max 4 needs more than 3 bits"},
    {"encoding/term/1/lsb", "3", SPEC "encoding.term: level overlaps target"},
    {"encoding/term/2/spare", "false", SPEC "stride: \"spare\" is false"},
    {"encoding/terms", "4", SPEC "encoding: 4 terms of 19 bits do not fit a word of 64"},
    {"encoding/term_bits", "20", SPEC "encoding: a term has 20 bits, its fields 19"},
    {"encoding/spare_bits", "0", SPEC "encoding: every field keeps one spare bit"},
    {"units/5/elastic", "false",
     SPEC "actions: vadd: accu is inelastic and port ar.read is asked for 2 items a row"},
    {"units/0/ports/1/copies", "4",
     SPEC "units: the sequencer feeds 5 units but its dispatch port serves 4"},
    {"units/4/fed_by", "\"sequencer\"",
     SPEC "array: a unit with an instructions port is fed by a neighbour"},
    {"units/2/ports/4/name", "\"wrow\"", SPEC "mm: unit spm has no port \"wcol\""},
    {"units/3/name", "\"spm\"", SPEC "vr: unknown owner \"vru\""},
    {"memories/2/owner", "\"vru\"",
     SPEC "accu: port ar.read and the memories of the unit do not agree"},
    {"memories/1/code", "0", SPEC "vr: code 0 is taken"},
    {"memories/4/host", "\"reads\"", SPEC "A: what the host reads, programs only write"},
    {"opcodes/5/value", "4", SPEC "vadd: value 4 is mm's"},
    {"opcodes/5/value", "32", SPEC "vadd: value 32 is above 31"},
    {"opcodes/5/name", "\"mm\"", SPEC "mm: opcode is defined twice"},
    {"opcodes/4/operands/2/legal", "[0, 2]", SPEC "acc: legal values must ascend by 1"},
    {"opcodes/4/operands/2/legal", "[0, 1, 2]",
     SPEC "mm: operand acc: legal values and conditions do not agree"},
    {"opcodes/4/operands/2/fault", "\"MODE\"", SPEC "acc: its fault must be ACC"},
    {"opcodes/4/operands/1/field", "0", SPEC "mm: operand ar0 must sit in field 1"},
    {"opcodes/4/operands/0/kind", "\"column\"", SPEC "vr_a: unknown kind \"column\""},
    {"opcodes/4/actions/3/port", "\"orders\"", SPEC "mm: unit array has no port \"orders\""},
    {"opcodes/4/actions/0/unit", "\"gpu\"", SPEC "mm: unknown unit \"gpu\""},
    {"opcodes/4/actions/0/state", "\"vr\"",
     SPEC "actions: mm: vr is not reached by port spad.read of spm"},
    {"opcodes/4/actions/1/items", "\"T\"", SPEC "actions: mm: stream wcol of spm has no other end"},
    {"opcodes/4/actions/1/items", "\"T * T\"",
     SPEC "mm: items \"T * T\" must be a sum of numbers, T and nr"},
    {"opcodes/4/actions/10/if", "\"acc == 7\"", SPEC "mm: condition \"acc == 7\" never changes"},
    {"opcodes/4/actions/10/if", "\"mode == 1\"",
     SPEC "mm: condition \"mode == 1\" names no operand of mm"},
    {"opcodes/4/actions/10/if", "\"acc\"", SPEC "mm: condition \"acc\" must be"},
    {"opcodes/4/actions/10/base", "\"acc\"", SPEC "mm: operand acc: row operands, and only they"},
    {"opcodes/8/nr", "\"rows\"", SPEC "loop: nr counts rows exactly where actions move rows"},
    {"header/slots/6/lsb", "50", SPEC "header: accu_iterations: bits 50 to 65 do not fit"},
    {"header/slots/5/lsb", "8", SPEC "header: mm_rows overlaps mm_count"},
    {"header/slots/2/unit", "\"vru\"",
     SPEC "spm_rows: steps are promised to the dispatched unit that spends them"},
    {"header/slots/9/state", "\"C\"", SPEC "b_span: spans are promised of what the host writes"},
    {"header/words", "7", SPEC "a_span: word 7 is outside a header of 7"},
    {"contracts/copies/0", "\"mm\"", SPEC "contracts.copies: mm is no pure copy"},
    {"parameters/0/default", "\"5\"", SPEC "defaults: T = 5 is not legal"},
    {"parameters/1/default", "\"66\"", SPEC "defaults: constraint MAXDIM_T is broken"},
    {"parameters/4/default", "\"3 * FOO\"",
     SPEC "NAR: expression \"3 * FOO\": unknown symbol \"FOO\""},
    {"parameters/4/default", "\"(3\"", SPEC "NAR: expression \"(3\": expected \")\""},
    {"parameters/4/default", "\"3 4\"", SPEC "NAR: expression \"3 4\": \"4\" is left over"},
    {"parameters/2/alias", "\"NVR\"", SPEC "SPAD_ROWS: alias NVR is taken"},
    {"parameters/6/max", "1000", SPEC "PARAM3: parameter QD does not fit 8 bits"},
    {"constraints/0/op", "\"!=\"", SPEC "T_MIN: unknown comparison \"!=\""},
    {"ceilings/1/left", "\"MAXDIM ** 3 / T ** 2\"", SPEC "cubic_header: says 4 at T=4 MAXDIM=4"},
    {"gemm/issues/4/op", "\"store\"", SPEC "gemm.issues: unknown opcode \"store\""},
    {"gemm/limits/4/alternative_to", "\"x\"",
     SPEC "split_operand_load: alternative to unknown limit \"x\""},
    {"numerics/product_bits", "15", SPEC "numerics: an exact product has twice the operand's bits"},
    {"numerics/output/overflow", "\"trap\"", SPEC "numerics: overflow must be"},
    {"registers/3/offset", "\"0x00E\"", SPEC "FEATURES: offset 0x00E is not a multiple of 4"},
    {"registers/4/offset", "\"0x00C\"",
     SPEC "PARAM0: offset 0x00C lies inside an earlier register"},
    {"registers/3/fields/1/lsb", "0", SPEC "FEATURES: CONTRACTS overlaps STRIDES"},
    {"registers/3/access", "\"RX\"", SPEC "FEATURES: access must be R, W or RW"},
    {"registers/23/count", "64", SPEC "COUNT: must hold 7 units of 32 bytes"},
    {"descriptor/words/3/word", "2", SPEC "B: word must be 3"},
    {"descriptor/flags/1/lsb", "1", SPEC "descriptor.flags: SHIFT overlaps FORM"},
    {"descriptor/flags/1/bits", "4", SPEC "SHIFT: numerics allow shifts to 31, the flag holds 15"},
    {"descriptor/forms/2/value", "3", SPEC "INT32: value must be 2"},
    {"descriptor/bytes", "128", SPEC "DESC: must hold a descriptor of 128 bytes"},
    {"faults/3/code", "9", SPEC "TERM_FORBIDDEN: code must be 4"},
    {"faults/22/name", "\"AXI_READ\"", SPEC "AXI_READ: fault is defined twice"},
    {"faults/3/found", "\"sometime\"",
     SPEC "TERM_FORBIDDEN: \"sometime\" is no place to be found at"},
    {"check_order/end", "[\"HEADER\"]",
     SPEC "LOOP_OPEN: check order of the end does not hold it once"},
    {"check_order/instruction/0", "\"NR\"",
     SPEC "OPCODE: check order of instructions does not hold it once"},
};

Test(spec_gen, every_refusal_says_where_and_why, .timeout = 120)
{
  scratch();
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    const struct refusal *r = &refusals[i];
    change("spec/tinytpu.json", r->path, r->value);
    cr_expect(eq(int, run("--check"), 1), "%s = %s", r->path, r->value);
    cr_expect(ne(ptr, strstr(output, r->says), NULL), "%s = %s: %s", r->path, r->value, output);
  }
  remove_scratch();
}

Test(spec_gen, a_key_given_twice_and_text_that_is_not_json_are_refused, .timeout = 20)
{
  scratch();
  char *text = read_all("spec/tinytpu.json");
  char *twice = malloc(strlen(text) + 32);
  sprintf(twice, "{\"name\": \"tinytpu\",%s", strchr(text, '{') + 1);
  write_all("spec/tinytpu.json", twice);
  cr_assert(eq(int, run("--check"), 1));
  cr_assert(ne(ptr, strstr(output, "key \"name\" is given twice"), NULL), "%s", output);
  write_all("spec/tinytpu.json", "{\n\n\"name\": }");
  cr_assert(eq(int, run("--check"), 1));
  cr_assert(ne(ptr, strstr(output, "spec/tinytpu.json: line 3: is not JSON"), NULL), "%s", output);
  free(twice);
  free(text);
  remove_scratch();
}

Test(spec_gen, configs_are_held_to_the_parameters, .timeout = 20)
{
  static const struct refusal cases[] = {
      {"parameters/FOO", "1", "spec/configs/int8.json: parameters: unknown parameter \"FOO\""},
      {"parameters/T", "5", "spec/configs/int8.json: parameters: T = 5 is not legal"},
      {"parameters/MAXDIM", "66",
       "spec/configs/int8.json: parameters: constraint MAXDIM_T is broken: 2 == 0"},
      {"name", "\"other\"",
       "spec/configs/int8.json: config: name \"other\" differs from the file's"},
      {"extra", "1", "spec/configs/int8.json: config: unknown key \"extra\""},
  };

  scratch();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    change("spec/configs/int8.json", cases[i].path, cases[i].value);
    cr_expect(eq(int, run("--check"), 1), "%s", cases[i].path);
    cr_expect(ne(ptr, strstr(output, cases[i].says), NULL), "%s: %s", cases[i].path, output);
  }
  remove_scratch();
}

Test(spec_gen, link_and_boards_are_held_to_their_rules, .timeout = 60)
{
#define LINK "spec/link.json: "
#define BOARDS "spec/boards.json: "
  static const struct refusal link[] = {
      {"extra", "1", LINK "top level: unknown key \"extra\""},
      {"header/0/name", "\"KIND\"", LINK "header: field 0 must be TYPE"},
      {"crc/polynomial", "\"0x04C11DB7\"", LINK "crc: the residue is 0x"},
      {"max_window", "6", LINK "max_window: must be a power of two"},
      {"types/2/value", "9", LINK "BURST_READ: value must be 3"},
      {"types/1/repeat", "\"never\"", LINK "WRITE: a repeat is"},
      {"types/1/request_payload", "\"some\"", LINK "WRITE: a payload is"},
      {"statuses/1/value", "2", LINK "BUSY: value must be 1"},
      {"status_reply/0/bytes", "2", LINK "status_reply: must have 8 bytes"},
      {"registers/1/offset", "\"0x000\"", LINK "LINK_VERSION: offset 0x000 lies inside"},
      {"register_base", "\"0x2000\"", LINK "register_base: must follow"},
  };
  static const struct refusal boards[] = {
      {"boards/0/number", "2", BOARDS "icebreaker: number must be 1"},
      {"boards/0/config", "\"none\"", BOARDS "icebreaker: unknown config \"none\""},
      {"boards/0/config", "null", BOARDS "icebreaker: a real board has a config"},
      {"boards/0/phy", "\"SPI\"", BOARDS "icebreaker: unknown PHY \"SPI\""},
      {"boards/0/baud", "0", BOARDS "icebreaker: a UART, and only a UART"},
      {"boards/0/baud", "12000000", BOARDS "icebreaker: fewer than 4 clocks a bit"},
      {"boards/0/window", "3", BOARDS "icebreaker: window must be a power of two"},
      {"boards/0/payload", "513", BOARDS "icebreaker: payload must be 1 to 512"},
      {"boards/0/interface", "\"C\"", BOARDS "icebreaker: interface must be A or B"},
      {"boards/1/name", "\"icebreaker\"", BOARDS "icebreaker: board is defined twice"},
      {"boards/1/pid", "6010", BOARDS "ecp5-evn: \"pid\" must be a string"},
  };
#undef LINK
#undef BOARDS

  scratch();
  for (size_t i = 0; i < sizeof link / sizeof link[0]; i++) {
    change("spec/link.json", link[i].path, link[i].value);
    cr_expect(eq(int, run("--check"), 1), "%s", link[i].path);
    cr_expect(ne(ptr, strstr(output, link[i].says), NULL), "%s: %s", link[i].path, output);
  }
  copy("spec/link.json");
  for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++) {
    change("spec/boards.json", boards[i].path, boards[i].value);
    cr_expect(eq(int, run("--check"), 1), "%s", boards[i].path);
    cr_expect(ne(ptr, strstr(output, boards[i].says), NULL), "%s: %s", boards[i].path, output);
  }
  remove_scratch();
}

Test(spec_gen, the_mxfp7_machine_is_held_to_its_rules, .timeout = 60)
{
#define MX "spec/mx.json: "
  static const struct refusal cases[] = {
      {"extra", "1", MX "top level: unknown key \"extra\""},
      {"flit_words", "4", MX "flit_words: an instruction is a beat of 8 words"},
      {"entry_bytes", "96", MX "entry_bytes: an entry is a beat a lane: 128"},
      {"half_entry_bytes", "128", MX "half_entry_bytes: must be 256"},
      {"block", "36", MX "block: 36 elements and a scale code do not fit a beat"},
      {"parameters/0/default", "5", MX "KSLICE: the default 5 is not legal"},
      {"parameters/1/name", "\"KSLICE\"", MX "KSLICE: is defined twice"},
      {"instructions/0/fields/1/lsb", "8", MX "FILL: PREQ lies over another field"},
      {"instructions/0/fields/0/lsb", "7", MX "FILL: SIDE lies over another field"},
      {"instructions/1/fields/5/bits", "9", MX "B_OFFSET: bits 24 to 32 do not fit a word"},
      {"instructions/1/fields/6/max", "70000", MX "GM: 1..70000 is no range of 16 bits"},
      {"instructions/2/fields/3/multiple", "24", MX "ADDR: multiple 24 is no power of two"},
      {"instructions/2/opcode", "1", MX "DRAIN: has the opcode of FILL"},
      {"faults/1/value", "1", MX "faults: OPCODE and FIELD are the same"},
      {"sweep_states/1/value", "8", MX "sweep_states: SLICE: 8 is above 7"},
      {"registers/1/offset", "\"0x000\"", MX "SPEC_VERSION: offset 0x000 lies inside"},
  };
#undef MX

  scratch();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    change("spec/mx.json", cases[i].path, cases[i].value);
    cr_expect(eq(int, run("--check"), 1), "%s", cases[i].path);
    cr_expect(ne(ptr, strstr(output, cases[i].says), NULL), "%s: %s", cases[i].path, output);
  }
  copy("spec/mx.json");
  change("spec/configs/sim1.json", "parameters/KSLICE", "5");
  cr_expect(eq(int, run("--check"), 1));
  cr_expect(ne(ptr, strstr(output, "spec/mx.json: sim1: KSLICE = 5 is not legal"), NULL), "%s",
            output);
  remove_scratch();
}

Test(spec_gen, check_names_each_stale_file_and_write_makes_them_fresh, .timeout = 20)
{
  static const char *const files[] = {
      "spec/generated/kt_tinytpu.h",    "spec/generated/kt_insn_pack.c",
      "spec/generated/kt_isa_tables.c", "spec/generated/kt_configs.c",
      "spec/generated/kt_interface.c",  "rtl/generated/ktpu_tinytpu.vh",
      "spec/generated/kt_link.h",       "spec/generated/kt_boards.h",
      "spec/generated/kt_boards.c",     "rtl/generated/ktpu_link.vh",
      "spec/generated/kt_mx.h",         "spec/generated/kt_mx_tables.c",
      "rtl/generated/ktpu_mx.vh",       "rtl/generated/ktpu_mx_checks.vh"};

  scratch();
  cr_assert(eq(int, run("--check"), 1));
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    cr_assert(ne(ptr, strstr(output, files[i]), NULL), "%s is missing, yet not stale: %s", files[i],
              output);
  cr_assert(eq(int, run("--write"), 0), "%s", output);
  cr_assert(eq(int, run("--check"), 0), "%s", output);
  cr_assert(eq(str, output, ""));
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    write_all(files[i], "old\n");
    cr_assert(eq(int, run("--check"), 1));
    cr_assert(ne(ptr, strstr(output, files[i]), NULL), "%s", output);
    cr_assert(eq(int, run("--write"), 0), "%s", output);
  }
  remove_scratch();
}

/* Replaces the first occurrence of old in the page. */
static void edit_page(const char *old, const char *new_text)
{
  char *page = read_all("docs/isa.md"), *at = strstr(page, old);
  char *edited = malloc(strlen(page) + strlen(new_text) + 1);

  cr_assert(ne(ptr, at, NULL));
  sprintf(edited, "%.*s%s%s", (int)(at - page), page, new_text, at + strlen(old));
  write_all("docs/isa.md", edited);
  free(edited);
  free(page);
}

Test(spec_gen, the_page_keeps_its_prose_and_loses_stale_tables, .timeout = 20)
{
  char path[128];

  scratch();
  cr_assert(eq(int, run("--write"), 0), "%s", output);
  edit_page("| 4 | mm |", "| 5 | mm |");
  cr_assert(eq(int, run("--check"), 1));
  cr_assert(eq(str, output, "kt-gen: docs/isa.md is stale: run `make gen`\n"));
  edit_page("## Opcodes\n", "## Opcodes\n\nMore prose.\n");
  cr_assert(eq(int, run("--check"), 0), "%s", output);
  edit_page("<!-- GENERATED:faults -->", "<!-- GENERATED:errors -->");
  cr_assert(eq(int, run("--check"), 1));
  cr_assert(ne(ptr, strstr(output, "docs/isa.md: block \"errors\": is unknown"), NULL), "%s",
            output);
  edit_page("<!-- GENERATED:faults -->", "");
  cr_assert(eq(int, run("--check"), 1));
  cr_assert(
      ne(ptr, strstr(output, "docs/isa.md: faults: the page has no block of this name"), NULL),
      "%s", output);
  snprintf(path, sizeof path, "%s/docs/isa.md", root);
  cr_assert(eq(int, unlink(path), 0));
  cr_assert(eq(int, run("--write"), 1));
  cr_assert(ne(ptr, strstr(output, "docs/isa.md: file: cannot be read"), NULL), "%s", output);
  remove_scratch();
}
