/* SPDX-License-Identifier: Apache-2.0
 *
 * The pins of a board with a 245 FIFO chip as that chip sees them: pointers into the Verilated
 * model. The data bus is split: what the chip drives, and what is on the bus.
 */
#ifndef KS_PINS_FT245_H
#define KS_PINS_FT245_H

#include <stdbool.h>
#include <stdint.h>

struct ks_pins_ft245 {
  uint64_t clock_hz; /* the board's own clock */
  uint8_t *clk, *clkout;
  uint8_t *rxf_n, *txe_n, *chip_data, *chip_drives;
  const uint8_t *rd_n, *wr_n, *oe_n, *siwu_n, *board_data, *board_drives;
  void (*eval)(void *ctx);
  bool (*idle)(void *ctx); /* nothing would change but for the pins to the chip */
  void *ctx;
};

#ifdef __cplusplus
extern "C" {
#endif

void ks_pins_ft245_open(struct ks_pins_ft245 *pins, uint64_t seed);
void ks_pins_ft245_close(struct ks_pins_ft245 *pins);

#ifdef __cplusplus
}
#endif

#endif
