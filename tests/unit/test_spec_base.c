/* SPDX-License-Identifier: Apache-2.0 */
/* Status texts, the message buffer, and the evaluator of expressions. */
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "spec/kt_expr.h"
#include "spec/kt_status.h"

Test(spec_status, every_code_has_a_text_of_its_own, .timeout = 5)
{
  for (int i = 0; i < KT_STATUS_COUNT; i++)
    for (int k = 0; k < i; k++)
      cr_assert(ne(str, (char *)kt_status_text((enum kt_status)i),
                   (char *)kt_status_text((enum kt_status)k)));
  cr_assert(eq(str, (char *)kt_status_text(KT_OK), "ok"));
  cr_assert(eq(str, (char *)kt_status_text(KT_EPEER), "the other side is gone"));
  cr_assert(eq(str, (char *)kt_status_text(KT_STATUS_COUNT), "unknown status"));
  cr_assert(eq(str, (char *)kt_status_text((enum kt_status) - 1), "unknown status"));
}

Test(spec_status, a_message_is_cut_to_its_buffer_and_may_go_nowhere, .timeout = 5)
{
  struct kt_msg m;
  char longer[1024];

  kt_msg_set(&m, "%s = %d", "T", 5);
  cr_assert(eq(str, m.text, "T = 5"));
  memset(longer, 'x', sizeof longer - 1);
  longer[sizeof longer - 1] = '\0';
  kt_msg_set(&m, "%s", longer);
  cr_assert(eq(sz, strlen(m.text), sizeof m.text - 1));
  kt_msg_set(NULL, "%s", longer);
}

#define N(v)                                                                                       \
  {                                                                                                \
    KT_TOK_NUMBER, (v)                                                                             \
  }
#define OP(k)                                                                                      \
  {                                                                                                \
    KT_TOK_##k, 0                                                                                  \
  }

static bool eval(const struct kt_tok *tok, size_t n, int64_t *out)
{
  int64_t env[2] = {7, -3};
  struct kt_expr e = {"", tok, n};

  return kt_expr_eval(&e, env, out);
}

struct expr_case {
  struct kt_tok tok[3];
  size_t n;
  bool ok;
  int64_t want;
};

Test(spec_expr, operators_give_the_arithmetic_result_or_refuse, .timeout = 5)
{
  static const struct expr_case cases[] = {
      {{N(6), N(4), OP(ADD)}, 3, true, 10},
      {{N(6), N(9), OP(SUB)}, 3, true, -3},
      {{N(6), N(7), OP(MUL)}, 3, true, 42},
      {{N(17), N(5), OP(DIV)}, 3, true, 3},
      {{N(17), N(5), OP(MOD)}, 3, true, 2},
      {{N(17), N(5), OP(CEILDIV)}, 3, true, 4},
      {{N(15), N(5), OP(CEILDIV)}, 3, true, 3},
      {{N(3), N(4), OP(POW)}, 3, true, 81},
      {{N(3), N(0), OP(POW)}, 3, true, 1},
      {{N(3), N(4), OP(MAX)}, 3, true, 4},
      {{N(3), N(4), OP(MIN)}, 3, true, 3},
      {{{KT_TOK_SYMBOL, 0}, {KT_TOK_SYMBOL, 1}, OP(MUL)}, 3, true, -21},
      {{N(1), N(0), OP(DIV)}, 3, false, 0},
      {{N(1), N(0), OP(MOD)}, 3, false, 0},
      {{N(1), N(0), OP(CEILDIV)}, 3, false, 0},
      {{N(3), N(-1), OP(POW)}, 3, false, 0},
      {{N(3), N(9), OP(POW)}, 3, false, 0},
      {{N(INT64_C(1) << 40), N(1), OP(ADD)}, 3, false, 0},
      {{N(INT64_C(1) << 30), N(INT64_C(1) << 11), OP(MUL)}, 3, false, 0},
      {{N(INT64_C(1) << 30), N(INT64_C(1) << 10), OP(MUL)}, 3, true, INT64_C(1) << 40},
      {{N(1), N(2)}, 2, false, 0},
      {{N(1), OP(ADD)}, 2, false, 0},
      {{N(5)}, 1, true, 5},
      {{N(5)}, 0, false, 0},
      {{N(5), N(5), OP(KINDS)}, 3, false, 0},
  };

  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int64_t out = 99;
    cr_assert(eq(int, eval(cases[i].tok, cases[i].n, &out), cases[i].ok), "case %zu", i);
    if (cases[i].ok) cr_assert(eq(i64, out, cases[i].want), "case %zu", i);
  }
}

Test(spec_expr, a_stack_too_deep_is_refused, .timeout = 5)
{
  struct kt_tok tok[KT_EXPR_STACK + 1];
  int64_t out;

  for (size_t i = 0; i < KT_EXPR_STACK + 1; i++) tok[i] = (struct kt_tok)N(1);
  cr_assert(not(eval(tok, KT_EXPR_STACK + 1, &out)));
}

Test(spec_expr, comparisons_hold_on_their_side_of_the_edge, .timeout = 5)
{
  cr_assert(kt_cmp_holds(3, KT_CMP_LE, 3) && !kt_cmp_holds(4, KT_CMP_LE, 3));
  cr_assert(kt_cmp_holds(3, KT_CMP_GE, 3) && !kt_cmp_holds(2, KT_CMP_GE, 3));
  cr_assert(kt_cmp_holds(3, KT_CMP_EQ, 3) && !kt_cmp_holds(2, KT_CMP_EQ, 3));
  cr_assert(eq(str, (char *)kt_cmp_text(KT_CMP_GE), ">="));
}
