// SPDX-License-Identifier: Apache-2.0
// The stand-in's own interface.
#include "cosim/board/ks_board.h"
#include "cosim/board/ks_options.h"
#include "cosim/board/ks_usb.h"

static uint64_t now_ns(void)
{
  ks_enter();
  uint64_t now = ks_world.now / KS_PS_PER_NS;
  ks_leave();
  return now;
}

static void sleep_ns(uint64_t ns)
{
  ks_enter();
  ks_world_run(ks_world.now + ns * KS_PS_PER_NS);
  ks_leave();
}

static uint64_t cycles(void)
{
  ks_enter();
  uint64_t n = ks_world.wire->cycles;
  ks_leave();
  return n;
}

static int set_option(const char *key, const char *value)
{
  ks_enter();
  int result = ks_option_set(key, value);
  ks_leave();
  return result;
}

static int counter(const char *key, uint64_t *value)
{
  ks_enter();
  int result = ks_counter_get(key, value);
  ks_leave();
  return result;
}

const struct ks_board_api *ks_board_api(void)
{
  static const struct ks_board_api api = {KS_BOARD_API_VERSION, KS_BOARD, now_ns, sleep_ns, cycles,
                                          set_option,           counter};
  return &api;
}
