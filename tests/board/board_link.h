/* SPDX-License-Identifier: Apache-2.0
 *
 * A virtual board opened by libktpu, for tests: link, simulated time, options and counters.
 */
#ifndef BOARD_LINK_H
#define BOARD_LINK_H

#include "host/kd_board.h"

/* Opens, and fails the test where that fails. */
struct kd_board *board_link_open(const char *name);

/* Expects that opening fails with this status, and with these words in the message. */
void board_link_refused(const char *name, enum kt_status want, const char *words);

/* The stand-in's interface, before a board is open too. */
const struct ks_board_api *board_link_api(const char *board);

void board_link_set(const struct ks_board_api *api, const char *key, const char *value);
uint64_t board_link_count(const struct ks_board_api *api, const char *key);

/* Bytes that look random, with many zeros; another row of them for every seed. */
void board_link_fill(uint8_t *data, size_t bytes, uint32_t seed);

/* Checks that n bytes go to the device's memory and come back. */
void board_link_around(struct kd_board *b, uint32_t address, size_t bytes);

#endif
