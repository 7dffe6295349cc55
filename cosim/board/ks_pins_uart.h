/* SPDX-License-Identifier: Apache-2.0
 *
 * The pins of a board with a UART as its virtual chip sees them: pointers into the Verilated model.
 */
#ifndef KS_PINS_UART_H
#define KS_PINS_UART_H

#include <stdbool.h>
#include <stdint.h>

struct ks_pins_uart {
  uint64_t clock_hz;
  uint8_t *clk;
  uint8_t *rx;       /* into the board */
  const uint8_t *tx; /* out of the board */
  void (*eval)(void *ctx);
  bool (*idle)(void *ctx); /* nothing would change but for rx */
  void *ctx;
};

#ifdef __cplusplus
extern "C" {
#endif

void ks_pins_uart_open(struct ks_pins_uart *pins, uint64_t seed);
void ks_pins_uart_close(struct ks_pins_uart *pins);

#ifdef __cplusplus
}
#endif

#endif
