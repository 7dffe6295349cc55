/* SPDX-License-Identifier: Apache-2.0 */
/* Which limit refuses a GEMM shape as one program, and by how much. */
#include <string.h>

#include "spec/kt_actions.h"

static void add(struct kt_gemm_limits *out, struct kt_gemm_limit l)
{
  l.over = l.value > l.limit ? l.value - l.limit : 0;
  if (out->n < KT_GEMM_LIMITS_MAX) out->limit[out->n++] = l;
}

/* Limits that the specification states over M, K, N and the parameters. */
static bool stated(const int64_t *env, struct kt_gemm_limits *out)
{
  for (size_t i = 0; i < kt_isa.n_limits; i++) {
    const struct kt_limit *l = &kt_isa.limit[i];
    int64_t left, right;
    if (!kt_expr_eval(&l->left, env, &left) || !kt_expr_eval(&l->right, env, &right) || left < 0 ||
        right < 0)
      return false;
    struct kt_gemm_limit g = {
        l->name, l->what, (uint64_t)left, (uint64_t)right, 0, l->alternative_to >= 0, NULL};
    if (g.is_alternative) g.instead_of = kt_isa.limit[l->alternative_to].name;
    add(out, g);
  }
  return true;
}

/* Limits of the header: what its counts can promise of the work that the actions make. */
static bool counted(const int64_t *env, struct kt_gemm_limits *out)
{
  uint64_t slot[KT_HDR_COUNT];

  if (!kt_gemm_counts(&kt_isa, env, slot)) return false;
  for (size_t i = 0; i < kt_isa.n_slots; i++)
    if (kt_isa.slot[i].kind != KT_SLOT_STATIC)
      add(out, (struct kt_gemm_limit){kt_isa.slot[i].name, "header count", slot[i],
                                      kt_isa.count_max, 0, false, NULL});
  return true;
}

static bool relieved(const struct kt_gemm_limits *l, const char *name)
{
  for (size_t i = 0; i < l->n; i++)
    if (l->limit[i].instead_of != NULL && strcmp(l->limit[i].instead_of, name) == 0) return true;
  return false;
}

enum kt_status kt_gemm_limits(const struct kt_params *p, uint32_t m, uint32_t k, uint32_t n,
                              struct kt_gemm_limits *out, struct kt_msg *msg)
{
  int64_t env[KT_PARAMS_ENV_MAX];

  memset(out, 0, sizeof *out);
  if (m == 0 || k == 0 || n == 0 || m > 1u << 20 || k > 1u << 20 || n > 1u << 20) {
    kt_msg_set(msg, "shape %ux%ux%u: sizes must be 1 to %u", m, k, n, 1u << 20);
    return KT_ERANGE;
  }
  if (!kt_params_env(p, env) || !kt_env_shape(&kt_isa, env, m, k, n) || !stated(env, out) ||
      !counted(env, out)) {
    kt_msg_set(msg, "shape %ux%ux%u: too large to count", m, k, n);
    return KT_ERANGE;
  }
  out->fits = out->fits_split = true;
  for (size_t i = 0; i < out->n; i++) {
    if (out->limit[i].over == 0) continue;
    if (!out->limit[i].is_alternative) out->fits = false;
    if (!relieved(out, out->limit[i].name)) out->fits_split = false;
  }
  return KT_OK;
}

const struct kt_gemm_limit *kt_gemm_limit(const struct kt_gemm_limits *l, const char *name)
{
  for (size_t i = 0; i < l->n; i++)
    if (strcmp(l->limit[i].name, name) == 0) return &l->limit[i];
  return NULL;
}
