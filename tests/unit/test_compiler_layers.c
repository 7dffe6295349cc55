/* SPDX-License-Identifier: Apache-2.0
 *
 * What a level of the compiler must not know is what it may not include: a level includes itself and
 * the one below, never one above, the host or the model. Run from the repository's root.
 */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct level {
  const char *folder;
  const char *may[4]; /* prefixes of what it includes besides itself and the specification */
};

static const struct level levels[] = {
    {"bytes", {NULL}},
    {"unit", {"compiler/bytes/", NULL}},
    {"schedule", {"compiler/unit/", NULL}},
    {"fuzz", {"compiler/bytes/", "compiler/unit/", NULL}},
};

static bool starts(const char *text, const char *prefix)
{
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool allowed(const struct level *l, const char *path)
{
  char own[64];
  snprintf(own, sizeof own, "compiler/%s/", l->folder);
  if (starts(path, own)) return true;
  if (starts(path, "spec/") && !starts(path, "spec/model/")) return true;
  for (size_t i = 0; l->may[i] != NULL; i++)
    if (starts(path, l->may[i])) return true;
  return false;
}

static int check_file(const struct level *l, const char *path)
{
  char line[512], name[256];
  int seen = 0;
  FILE *f = fopen(path, "r");
  cr_assert(f != NULL, "%s", path);
  while (fgets(line, sizeof line, f) != NULL) {
    if (sscanf(line, "#include \"%255[^\"]\"", name) != 1) continue;
    cr_expect(allowed(l, name), "%s includes %s", path, name);
    seen++;
  }
  fclose(f);
  return seen;
}

Test(compiler_layers, a_level_knows_itself_and_the_one_below, .timeout = 10)
{
  for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
    char dir[64];
    int seen = 0;
    snprintf(dir, sizeof dir, "compiler/%s", levels[i].folder);
    DIR *d = opendir(dir);
    cr_assert(d != NULL, "%s cannot be opened (run from the repository's root)", dir);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
      char path[400];
      size_t n = strlen(e->d_name);
      if (n < 3 || (strcmp(e->d_name + n - 2, ".h") != 0 && strcmp(e->d_name + n - 2, ".c") != 0))
        continue;
      snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
      seen += check_file(&levels[i], path);
    }
    closedir(d);
    cr_assert(gt(int, seen, 0), "%s has no sources", dir);
  }
}

/* The rule itself: what it must let through and what not. */
Test(compiler_layers, the_rule_tells_up_from_down, .timeout = 5)
{
  cr_assert(allowed(&levels[1], "compiler/bytes/kc_program.h"));
  cr_assert(allowed(&levels[2], "compiler/unit/kc_gemm.h"));
  cr_assert(allowed(&levels[0], "spec/kt_insn.h"));
  cr_assert(not(allowed(&levels[0], "compiler/unit/kc_gemm.h")));
  cr_assert(not(allowed(&levels[1], "compiler/schedule/kc_gemm_plan.h")));
  cr_assert(not(allowed(&levels[2], "compiler/bytes/kc_program.h")));
  cr_assert(not(allowed(&levels[3], "spec/model/kr_int8.h")));
  cr_assert(not(allowed(&levels[1], "host/kd_device.h")));
}
