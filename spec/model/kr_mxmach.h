/* SPDX-License-Identifier: Apache-2.0
 *
 * The MXFP7 machine at the level of its registers: a host stages instructions and commands, writes
 * go, and reads what came of it, as docs/mx-machine.md says. Executes the very words that the
 * hardware executes, bit for bit and fault for fault, with no notion of time: go runs to done before
 * the write returns, CYCLES and SWEEP read 0. Written from that page and the specification, never from
 * the Verilog.
 *
 * Instructions run only when a command has to wait for them (a POLL, a KICK behind a KICK, DONE), one
 * at a time, in order. A DRAIN completes with the sub-tile that it waits for last.
 *
 * A model is a plain value: no global state, two models run in two threads.
 */
#ifndef KR_MXMACH_H
#define KR_MXMACH_H

#include "spec/kt_mx_params.h"
#include "spec/kt_status.h"

#include <stdint.h>

struct kr_mxmach;

/* A machine of the build p (copied), as after reset, without memory. NULL where memory is short. */
struct kr_mxmach *kr_mxmach_new(const struct kt_mx_params *p);
void kr_mxmach_free(struct kr_mxmach *m); /* NULL is allowed */

/* Device memory: byte addresses 0 .. size-1, size a multiple of 32, at most 2^32. The caller owns
 * bytes and keeps them until another call or the end. KT_EINVAL, KT_ENOMEM. */
enum kt_status kr_mxmach_memory(struct kr_mxmach *m, uint8_t *bytes, uint64_t size);

/* As after rst_i: registers at their reset values; the RAMs keep their contents. */
void kr_mxmach_reset(struct kr_mxmach *m);

/* The register at a byte offset; 0 where there is none. No read has a side effect. */
uint32_t kr_mxmach_read(const struct kr_mxmach *m, uint32_t offset);

/* Writes a register; what is no register, or cannot be written, is ignored. Only go can fail:
 * KT_EFAULT  refused, what the hardware does then is not defined (msg says what and where): a FILL
 *            reads words that an uncompleted DRAIN writes, or an access lies past the memory that
 *            exists though MEMORY_BYTES allows it. The machine is left as after a run that has done
 *            what came before. */
enum kt_status kr_mxmach_write(struct kr_mxmach *m, uint32_t offset, uint32_t value,
                               struct kt_msg *msg);

#endif
