/* Generated from spec/boards.json by kt-gen: do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
/* The boards. */
#include "spec/generated/kt_boards.h"
#include "spec/generated/kt_link.h"

const struct kt_board kt_boards[] = {
  { "icebreaker", "iCEBreaker: iCE40UP5K, UART on channel B",
    "ice40", "ktpu_icebreaker", "ice40", "up5k", "sg48",
    "--up5k --package sg48", "FT2232H", "iCEBreaker",
    1, 24000000, KT_LINK_PHY_UART, 3000000, 131072, 2, 256,
    0x0403, 0x6010, 0x0000, 'B', true, false },
  { "ecp5-evn", "Lattice ECP5 evaluation board: LFE5UM5G-85F, UART on channel B",
    "ecp5-int8", "ktpu_ecp5_evn", "ecp5", "um5g-85k", "CABGA381",
    "--um5g-85k --package CABGA381 --speed 8", "FT2232H", "Lattice ECP5",
    2, 90000000, KT_LINK_PHY_UART, 3000000, 262144, 8, 512,
    0x0403, 0x6010, 0x0000, 'B', false, false },
  { "ecp5-ft245", "the same board with an FT232H or FT2232H module on its header, synchronous FIFO",
    "ecp5-int8", "ktpu_ecp5_ft245", "ecp5", "um5g-85k", "CABGA381",
    "--um5g-85k --package CABGA381 --speed 8", "FT232H", NULL,
    3, 90000000, KT_LINK_PHY_FT245, 0, 262144, 8, 512,
    0x0403, 0x6014, 0x6010, 'A', false, false },
  { "ecpix5", "ECPIX-5: LFE5UM5G-85F, UART; revision R03 has an FT4232H, earlier ones an FT2232H",
    "ecp5-int8", "ktpu_ecpix5", "ecp5", "um5g-85k", "CABGA554",
    "--um5g-85k --package CABGA554 --speed 8", "FT4232H", NULL,
    4, 90000000, KT_LINK_PHY_UART, 3000000, 262144, 8, 512,
    0x0403, 0x6011, 0x6010, 'B', false, false },
  { "link-uart", "the link alone behind a UART, for fault campaigns",
    NULL, "ktpu_board_link_uart", "none", "none", "none",
    NULL, "FT2232H", "ktpu link-uart",
    5, 24000000, KT_LINK_PHY_UART, 3000000, 16384, 2, 256,
    0x0403, 0x6010, 0x0000, 'B', true, true },
  { "link-ft245", "the link alone behind an FT245 FIFO, for fault campaigns",
    NULL, "ktpu_board_link_ft245", "none", "none", "none",
    NULL, "FT232H", "ktpu link-ft245",
    6, 90000000, KT_LINK_PHY_FT245, 0, 16384, 8, 512,
    0x0403, 0x6014, 0x0000, 'A', false, true },
};
const size_t kt_n_boards = 6;
