/* SPDX-License-Identifier: Apache-2.0
 *
 * A board on the link: opened by name, its identity checked, a stopped core assured.
 *
 *   NAME[,serial=S][,interface=A|B][,build=HEX|any]     NAME of spec/boards.json, or virtual-NAME;
 *   an empty NAME is the one board that is connected.
 */
#ifndef KD_BOARD_H
#define KD_BOARD_H

#include "host/kd_ftdi.h"
#include "host/kd_link.h"
#include "host/kd_ops.h"

/* What a name asks for. */
struct kd_board_want {
  struct kd_ftdi_want ftdi; /* board NULL: the one that is connected */
  bool is_virtual;
  bool any_build, has_build;
  uint32_t build;
};

/* What the board says that it is. */
struct kd_board_identity {
  uint32_t version, config_hash, build_id, part, phy, memory_bytes, clock_hz;
};

struct kd_board {
  const struct kt_board *type;
  const struct ks_board_api *simulation; /* NULL: real */
  const struct kd_clock *clock;
  struct kd_pipe pipe;
  struct kd_link link;
  struct kd_board_identity identity;
  char serial[64];
  uint64_t last_poll_ns;
};

enum kt_status kd_board_parse(const char *name, struct kd_board_want *want, struct kt_msg *msg);

/* The one board that is connected, where want names none. */
enum kt_status kd_board_find(const struct kd_usb *usb, struct kd_board_want *want,
                             struct kt_msg *msg);

/* Opens and checks. KT_OK with a text in msg: something to tell, such as a core that had to be
 * stopped. kd_board_close ends it. */
enum kt_status kd_board_open(const char *name, struct kd_board **board, struct kt_msg *msg);

/* The same on a USB library of the caller's. */
enum kt_status kd_board_open_on(const struct kd_usb *usb, const struct kd_board_want *want,
                                struct kd_board **board, struct kt_msg *msg);

/* The same on an open pipe, which the board closes, even if this fails. */
enum kt_status kd_board_attach(const struct kd_board_want *want, struct kd_pipe pipe,
                               const struct kd_clock *clock, uint64_t seed,
                               struct kd_board **board, struct kt_msg *msg);
void kd_board_close(struct kd_board *board);

/* The bitstream that `make fpga` has built last for a board: false when there is none. */
bool kd_board_built(const struct kt_board *board, uint32_t *build_id);

/* A transport for the driver: its ctx is a struct kd_board. */
extern const struct kd_ops kd_board_ops;

#endif
