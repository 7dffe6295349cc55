/* SPDX-License-Identifier: Apache-2.0
 *
 * Options and counters by name.
 */
#ifndef KS_OPTIONS_H
#define KS_OPTIONS_H

#include <stdint.h>

/* 0, or -1: no such key, or not a value of it. */
int ks_option_set(const char *key, const char *value);
int ks_counter_get(const char *key, uint64_t *value);

/* key=value[,key=value]..; a mistake ends the process with a sentence. The first sets what a board
 * must know when it gets power, the second the rest. NULL: nothing. */
void ks_options_before_power(const char *list);
void ks_options_after_power(const char *list);

#endif
