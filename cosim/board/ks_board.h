/* SPDX-License-Identifier: Apache-2.0
 *
 * What a virtual board's stand-in libusb-1.0 exports besides the libusb functions: simulated time,
 * options that choose what goes wrong, and counters of what did. docs/virtual-board.md lists the
 * keys.
 *
 * Simulated time advances only inside sleep_ns and inside the libusb functions that wait; now_ns
 * costs nothing. The simulation runs in the thread that waits, so that the same calls and the same
 * seed give the same bytes and cycles however busy the computer is.
 */
#ifndef KS_BOARD_H
#define KS_BOARD_H

#include <stdint.h>

#define KS_BOARD_API_VERSION 1u

/* Name of the one function to look up with dlsym. */
#define KS_BOARD_API_SYMBOL "ks_board_api"

struct ks_board_api {
  uint32_t version;  /* KS_BOARD_API_VERSION */
  const char *board; /* "icebreaker", "ecp5-ft245", "link-uart", "link-ft245", "loop" */

  uint64_t (*now_ns)(void);      /* since the board got power */
  void (*sleep_ns)(uint64_t ns); /* lets the board run that long */
  uint64_t (*cycles)(void);      /* clock edges of the core that were simulated, skipped ones not */

  /* 0, or -1: no such key, or not a value of it (nothing changed). Takes effect at once. The same
   * pairs are read from the environment, KS_BOARD_OPTIONS=key=value[,key=value].., at first use. */
  int (*set_option)(const char *key, const char *value);

  /* 0, or -1: no such key. */
  int (*counter)(const char *key, uint64_t *value);
};

typedef const struct ks_board_api *ks_board_api_fn(void);

ks_board_api_fn ks_board_api;

#endif
