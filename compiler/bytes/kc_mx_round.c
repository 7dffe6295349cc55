/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounds: flits and the commands that run them.
 *
 * Each kick keeps a credit for good, because its last completion returns none, so a round of P kicks
 * from one seeding of C credits needs C > P; C is the node's instruction FIFO at most. CREDIT is
 * written once a round: writing it again would let more instructions fly than the FIFO holds.
 */
#include "compiler/bytes/kc_mx_bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 0, LENGTH = 4, CREDIT = 8, KICK = 12 /* registers of the node */ };

/* Commands on their way: words NULL only counts them. What a register that the hardware does not
 * change holds is remembered, so that it is not written again. */
struct builder {
  struct kc_mx_command *commands;
  size_t n;
  bool known[2]; /* BASE, LENGTH */
  uint32_t value[2];
};

static void put(struct builder *b, uint32_t op, uint32_t w1, uint32_t w2, uint32_t w3)
{
  if (b->commands != NULL) b->commands[b->n] = (struct kc_mx_command){{op, w1, w2, w3}};
  b->n++;
}

static void write_node(struct builder *b, uint32_t reg, uint32_t value)
{
  if (reg < CREDIT) {
    const size_t i = reg / 4;
    if (b->known[i] && b->value[i] == value) return;
    b->known[i] = true;
    b->value[i] = value;
  }
  put(b, KT_MX_CMD_WRITE, KT_MX_REG_NODE + reg, value, 0);
}

static void build(struct builder *b, uint32_t credit, const struct kc_mx_kick *kicks, size_t n_kicks)
{
  uint32_t sent = 0;

  write_node(b, CREDIT, credit);
  for (size_t i = 0; i < n_kicks; i++) {
    if (kicks[i].wait && sent > 0)
      put(b, KT_MX_CMD_POLL, KT_MX_REG_NODE_COMPLETED, UINT32_MAX, sent);
    write_node(b, BASE, kicks[i].first);
    write_node(b, LENGTH, kicks[i].count);
    write_node(b, KICK, 1);
    sent += kicks[i].count;
  }
  put(b, KT_MX_CMD_DONE, 0, 0, 0);
}

static size_t commands_of(const struct kc_mx_kick *kicks, size_t n_kicks)
{
  struct builder b = {.commands = NULL};
  build(&b, 0, kicks, n_kicks);
  return b.n;
}

uint32_t kc_mx_round_room(const struct kt_mx_params *p)
{
  const struct kc_mx_kick one = {.first = 0, .count = p->staging, .wait = false};
  return commands_of(&one, 1) <= p->commands && p->ififo > 1 ? p->staging : 0;
}

static enum kt_status check(const struct kt_mx_params *p, size_t n_flits,
                            const struct kc_mx_kick *kicks, size_t n_kicks, struct kt_msg *msg)
{
  const size_t commands = commands_of(kicks, n_kicks);

  for (size_t i = 0; i < n_kicks; i++) {
    if (kicks[i].count > 0 && (uint64_t)kicks[i].first + kicks[i].count <= n_flits) continue;
    kt_msg_set(msg, "kick %zu sends instructions %" PRIu32 " to %" PRIu32 " + %" PRIu32 " of %zu", i,
               kicks[i].first, kicks[i].first, kicks[i].count, n_flits);
    return KT_EINVAL;
  }
  if (n_flits > p->staging)
    kt_msg_set(msg, "%zu instructions; the staging RAM holds %" PRIu32, n_flits, p->staging);
  else if (commands > p->commands)
    kt_msg_set(msg, "%zu commands; the command RAM holds %" PRIu32, commands, p->commands);
  else if (n_kicks >= p->ififo)
    kt_msg_set(msg, "%zu kicks keep as many credits; there are %" PRIu32, n_kicks, p->ififo);
  else
    return KT_OK;
  return KT_ELIMIT;
}

static enum kt_status fill_round(struct kc_mx_round *r, uint32_t credit,
                                 const struct kt_mx_flit *flits, const struct kc_mx_kick *kicks,
                                 size_t n_kicks)
{
  r->n_commands = commands_of(kicks, n_kicks);
  r->flits = malloc((r->n_flits + 1) * sizeof *r->flits);
  r->commands = malloc(r->n_commands * sizeof *r->commands);
  if (r->flits == NULL || r->commands == NULL) return KT_ENOMEM;
  if (r->n_flits > 0) memcpy(r->flits, flits, r->n_flits * sizeof *flits);
  struct builder b = {.commands = r->commands};
  build(&b, credit, kicks, n_kicks);
  return KT_OK;
}

enum kt_status kc_mx_round_add(struct kc_mx_program *program, const struct kt_mx_params *p,
                               const struct kt_mx_flit *flits, size_t n_flits,
                               const struct kc_mx_kick *kicks, size_t n_kicks, struct kt_msg *msg)
{
  struct kc_mx_round round = {.n_flits = n_flits};
  enum kt_status st = check(p, n_flits, kicks, n_kicks, msg);
  if (st != KT_OK) return st;

  struct kc_mx_round *more = realloc(program->rounds, (program->n_rounds + 1) * sizeof *more);
  if (more != NULL) program->rounds = more;
  st = more == NULL ? KT_ENOMEM : fill_round(&round, p->ififo, flits, kicks, n_kicks);
  if (st != KT_OK) {
    free(round.flits);
    free(round.commands);
    kt_msg_set(msg, "no memory for a round");
    return st;
  }
  program->rounds[program->n_rounds++] = round;
  return KT_OK;
}

void kc_mx_program_free(struct kc_mx_program *program)
{
  for (size_t i = 0; i < program->n_rounds; i++) {
    free(program->rounds[i].flits);
    free(program->rounds[i].commands);
  }
  free(program->rounds);
  *program = (struct kc_mx_program){0};
}
