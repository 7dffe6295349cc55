/* SPDX-License-Identifier: Apache-2.0
 *
 * A virtual board and the real libftdi above it, for tests: loaded once a process, in the order
 * that makes the stand-in meet libftdi's need of libusb.
 */
#ifndef BOARD_BENCH_H
#define BOARD_BENCH_H

#include "cosim/board/ks_board.h"

#include <libftdi1/ftdi.h>
#include <stdbool.h>
#include <stdint.h>

/* The functions of libftdi and libusb that tests call, by their own names. */
#define BENCH_FTDI(X)                                                                              \
  X(ftdi_new)                                                                                      \
  X(ftdi_free)                                                                                     \
  X(ftdi_set_interface)                                                                            \
  X(ftdi_usb_open)                                                                                 \
  X(ftdi_usb_open_desc)                                                                            \
  X(ftdi_usb_close)                                                                                \
  X(ftdi_set_baudrate)                                                                             \
  X(ftdi_set_line_property2)                                                                       \
  X(ftdi_set_latency_timer)                                                                        \
  X(ftdi_get_latency_timer)                                                                        \
  X(ftdi_set_event_char)                                                                           \
  X(ftdi_set_bitmode)                                                                              \
  X(ftdi_setflowctrl)                                                                              \
  X(ftdi_poll_modem_status)                                                                        \
  X(ftdi_tcioflush)                                                                                \
  X(ftdi_write_data)                                                                               \
  X(ftdi_read_data)                                                                                \
  X(ftdi_read_data_set_chunksize)                                                                  \
  X(ftdi_read_eeprom)                                                                              \
  X(ftdi_eeprom_decode)                                                                            \
  X(ftdi_get_eeprom_value)                                                                         \
  X(ftdi_write_eeprom_location)                                                                    \
  X(ftdi_usb_find_all)                                                                             \
  X(ftdi_list_free)                                                                                \
  X(ftdi_usb_get_strings2)                                                                         \
  X(ftdi_get_error_string)

#define BENCH_MEMBER(name) __typeof__(&name) name;
struct board_bench {
  const struct ks_board_api *api;
  BENCH_FTDI(BENCH_MEMBER)
};
#undef BENCH_MEMBER

/* Loads `board`'s stand-in, and libftdi above it. Fails the test where it cannot. */
void board_bench_load(struct board_bench *bench, const char *board);

/* Opens the chip's channel that leads to the board: reset, 3 Mbaud, event character 0. */
struct ftdi_context *board_bench_open(const struct board_bench *bench, int product,
                                      enum ftdi_interface interface);
void board_bench_close(const struct board_bench *bench, struct ftdi_context *ftdi);

/* Reads until there are that many bytes, or `ms` of simulated time have passed. */
int board_bench_read(const struct board_bench *bench, struct ftdi_context *ftdi, uint8_t *data,
                     int bytes, unsigned ms);

void board_bench_set(const struct board_bench *bench, const char *key, const char *value);
uint64_t board_bench_count(const struct board_bench *bench, const char *key);

#endif
