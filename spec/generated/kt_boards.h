/* Generated from spec/boards.json by kt-gen: do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
/* The boards that the host can open. */
#ifndef KT_SPEC_GENERATED_KT_BOARDS_H
#define KT_SPEC_GENERATED_KT_BOARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What PART says. */
enum kt_part {
  KT_PART_ICEBREAKER = 1,
  KT_PART_ECP5_EVN = 2,
  KT_PART_ECP5_FT245 = 3,
  KT_PART_ECPIX5 = 4,
  KT_PART_LINK_UART = 5,
  KT_PART_LINK_FT245 = 6,
};

struct kt_board {
  const char *name, *role;
  const char *config;  /* NULL: there is no core behind the link */
  const char *top, *family, *device, *package;
  const char *nextpnr; /* options for place and route; NULL: only simulated */
  const char *chip;    /* the USB chip */
  const char *product; /* how its product string begins; NULL: any */
  uint32_t part;       /* enum kt_part */
  uint32_t clock_hz;   /* of core and link */
  uint32_t phy;        /* KT_LINK_PHY_* */
  uint32_t baud;       /* 0: no UART */
  uint32_t memory_bytes, window, payload;
  uint16_t vid, pid;
  uint16_t pid_other;  /* of other revisions; 0: none */
  char interface;      /* 'A' or 'B' */
  bool is_small;       /* the small build of the link */
  bool is_virtual;     /* exists in simulation only */
};

extern const struct kt_board kt_boards[];
extern const size_t kt_n_boards;

#endif
