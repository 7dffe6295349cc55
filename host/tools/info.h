/* SPDX-License-Identifier: Apache-2.0
 *
 * ktpu-info's parts that reach for boards.
 */
#ifndef INFO_H
#define INFO_H

#include <stdbool.h>
#include <stdint.h>

/* Exit codes of ktpu-info. */
enum info_exit { INFO_DONE = 0, INFO_DAMAGED = 1, INFO_USAGE = 2, INFO_DEVICE = 4 };

/* Every FTDI chip on the USB of this computer, and for each kind of board why it is one or not. */
enum info_exit info_list(bool json);

/* Sends `mib` MiB through the link of `name` ("ftdi:...") and back, compares, prints rate and errors. */
enum info_exit info_link_test(const char *name, uint32_t mib, bool json);

#endif
