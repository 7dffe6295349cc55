/* SPDX-License-Identifier: Apache-2.0
 *
 * libktpu: the driver of a ktpu machine. The same calls work on the reference model, on the
 * Verilated machine and on a board, with the same results and the same errors.
 *
 * Device names:
 *   ref:CONFIG[,NAME=VALUE]...   the reference model of a build, in this process ("ref:int8,T=8")
 *   sim:CONFIG[,NAME=VALUE]...   the Verilated build, in a process that this call starts
 *   sim:@NAME                    a simulator that runs already (ktpu-sim --name NAME)
 *   ftdi:BOARD[,serial=S][,interface=A|B][,build=HEX|any]
 *                                a board behind an FTDI chip; BOARD is one of spec/boards.json,
 *                                virtual-BOARD the same board simulated, nothing the one connected
 * CONFIG is int8, ice40 or ecp5-int8; NAME a parameter (T, MAXDIM, BUS, QD, ...; docs/isa.md).
 *
 * Rules. Every call returns a status; ktpu_message has the last failure of a device in words. The
 * library keeps no global state, never prints, never exits and installs no signal handler. Calls on
 * one device may come from several threads: each call is one atomic step. Addresses are bytes in
 * the device's memory, from 0; sizes are bytes unless said otherwise; matrices are row-major, a
 * shape is M x K x N: A is M x K, B is K x N, C is M x N.
 */
#ifndef KTPU_H
#define KTPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ktpu_status {
  KTPU_OK = 0,
  KTPU_EINVAL,       /* bad argument */
  KTPU_ENOMEM,       /* out of memory, the host's or the device's */
  KTPU_EIO,          /* an access failed, or the machine broke a rule of its bus */
  KTPU_ETIMEDOUT,    /* no answer, or no progress */
  KTPU_EFAULT,       /* the machine faulted; the result names unit, instruction and field */
  KTPU_ERANGE,       /* value out of range */
  KTPU_ELIMIT,       /* a limit of the build is exceeded; the message names it */
  KTPU_EMISMATCH,    /* the machine is another one than was asked for */
  KTPU_EBUSY,        /* already in use */
  KTPU_ENODEV,       /* no such device, or a variant that has not been built */
  KTPU_EPARSE,       /* a name or file cannot be read */
  KTPU_EUNSUPPORTED, /* not on this device or build */
  KTPU_EPEER,        /* the simulator process is gone, the board unplugged, or its link dead */
  KTPU_EACCES,       /* no permission to use the board */
};

/* One line for people. Never NULL. */
const char *ktpu_strerror(enum ktpu_status status);

/* A text, always terminated. */
struct ktpu_message {
  char text[512];
};

struct ktpu_device;

/* ---- opening ---------------------------------------------------------------------------------- */

struct ktpu_options {
  uint64_t memory;      /* bytes of device memory, ref and sim; 0: 64 MiB, or what the build can
                           address if that is less */
  uint32_t latency;     /* sim: first data come latency + 1 cycles after the request's handshake */
  uint32_t bandwidth;   /* sim: beats per channel and 256 cycles; 0: no limit */
  uint64_t stall_seed;  /* sim: random stalls on the memory port; 0: none */
  uint32_t power_seed;  /* sim: registers start at random values drawn from this */
  uint64_t noise_seed;  /* fill device memory and all padding with noise; 0: padding is zero */
  int back_door;        /* sim: copy data into the memory image, not through the host port */
  int no_guards;        /* allocate without guard ranges */
  const char *wave;     /* sim: write a waveform (FST) to this path; needs the build that can */
  const char *sim_dir;  /* sim: where the simulators are; NULL: $KTPU_SIM_DIR, else build/sim, else
                           the installed ones */
};

/* Opens a device. options may be NULL; message may be NULL and gets the reason of a failure, or
 * after KTPU_OK something to tell (a board's core had to be reset), or an empty text. The
 * machine's identity (magic, specification version, hash of its parameters) is compared with what
 * the name asks for: KTPU_EMISMATCH shows both values. A machine reached by sim:@NAME is taken as
 * it is. *device is NULL after a failure and nothing of it stays behind. */
enum ktpu_status ktpu_open(const char *name, const struct ktpu_options *options,
                           struct ktpu_device **device, struct ktpu_message *message);

/* Ends the device and frees everything on it. NULL is allowed. No other call may be in progress. */
void ktpu_close(struct ktpu_device *device);

/* The last failure on this device, in words; empty when there was none. */
void ktpu_message(struct ktpu_device *device, struct ktpu_message *message);

struct ktpu_info {
  char name[384];      /* as opened */
  char config[32];
  char engine[8];       /* "int8" or "mxfp7" */
  char parameters[320]; /* canonical: "tinytpu-1:T=4,MAXDIM=64,...", "mx-1:KSLICE=32,..." */
  uint32_t peak;        /* multiply-accumulates a cycle */
  uint32_t spec_version, config_hash;
  uint32_t t, maxdim, bus_bits;
  uint32_t spad_rows, nvr, nar, imem_size, qd, outstanding, addr_bits;
  uint32_t contracts, strides, counters, serial_shift; /* 0 or 1 */
  uint32_t kslice, packed, acc_mw, l1_entries, tiles;   /* mxfp7; 0 on int8, whose t .. nar, */
  uint32_t ififo, staging, commands;                    /* contracts .. are 0 on mxfp7 */
  uint64_t memory;     /* bytes */
  int has_clock;       /* whether cycles mean anything: not on ref */
  char board[64];      /* ftdi: which board, as in its name; else empty, and what follows 0 */
  char serial[64];     /* of its USB chip */
  uint32_t part, build_id, clock_hz; /* board type; bitstream; cycles a second */
};
enum ktpu_status ktpu_info(struct ktpu_device *device, struct ktpu_info *info);

/* ---- memory and registers --------------------------------------------------------------------- */

/* Memory for `bytes`, aligned to 64. With guards, 64 bytes of a pattern lie on both sides. */
enum ktpu_status ktpu_alloc(struct ktpu_device *device, uint64_t bytes, uint32_t *address);

/* KTPU_EINVAL when nothing was allocated there, KTPU_EIO when a guard was overwritten (the memory
 * is free all the same). */
enum ktpu_status ktpu_free(struct ktpu_device *device, uint32_t address);

enum ktpu_status ktpu_write(struct ktpu_device *device, uint64_t address, const void *data,
                            size_t bytes);
enum ktpu_status ktpu_read(struct ktpu_device *device, uint64_t address, void *data, size_t bytes);

/* Control registers by byte offset (docs/int8-interface.md). */
enum ktpu_status ktpu_register_write(struct ktpu_device *device, uint32_t offset, uint32_t value);
enum ktpu_status ktpu_register_read(struct ktpu_device *device, uint32_t offset, uint32_t *value);

/* ---- control ---------------------------------------------------------------------------------- */

enum ktpu_reset { KTPU_RESET_SOFT, KTPU_RESET_HARD };

/* SOFT: the register's soft reset, finished when this returns; KTPU_ETIMEDOUT when memory never
 * answers, which only HARD (rst_i; a simulator's, not a board's) ends. Memory keeps its contents. */
enum ktpu_status ktpu_reset(struct ktpu_device *device, enum ktpu_reset kind);

/* Waits until the machine is idle. */
enum ktpu_status ktpu_sync(struct ktpu_device *device);

/* Frees the programs that the library keeps on the device for later calls. */
enum ktpu_status ktpu_empty_cache(struct ktpu_device *device);

struct ktpu_stats {
  uint64_t memory, allocated, peak, allocations; /* bytes of memory, in use, most so far; number */
  uint64_t cached_programs, cached_bytes;
  uint64_t starts, faults;
  uint64_t bytes_written, bytes_read;            /* by the host */
  uint64_t cycles;                               /* sum over all runs */
  uint64_t simulated_cycles;                     /* clock cycles simulated, all in all */
};
enum ktpu_status ktpu_stats(struct ktpu_device *device, struct ktpu_stats *stats);

/* ---- running ---------------------------------------------------------------------------------- */

enum { KTPU_UNITS = 7, KTPU_STATES = 6 };

/* Names by index: units "sequencer".."dma_st", states "busy".."memory". NULL past the end. */
const char *ktpu_unit_name(unsigned unit);
const char *ktpu_state_name(unsigned state);

struct ktpu_fault {
  uint32_t code, sub, argument, instruction, descriptor; /* code 0: none */
  char text[256];                                        /* a sentence */
};

struct ktpu_result {
  uint64_t cycles;       /* start to done, the hardware's counter, summed over programs; 0 on ref */
  uint32_t programs;     /* starts that the call took */
  uint64_t descriptors;  /* completed */
  uint64_t saturations, wraps;              /* lanes, as the hardware counts them */
  uint64_t stalls[KTPU_UNITS][KTPU_STATES]; /* cycles a unit spent in a state */
  struct ktpu_fault fault;
};

/* Called now and then during long work: descriptors done of `of`, cycles so far. Non-zero stops
 * waiting (KTPU_ETIMEDOUT). It must not call the library. */
typedef int (*ktpu_progress)(void *context, uint64_t done, uint64_t of, uint64_t cycles);
enum ktpu_status ktpu_set_progress(struct ktpu_device *device, ktpu_progress call, void *context);

/* Starts the list of `count` 64-byte descriptors at `list` and waits for its end; count 0 runs the
 * register descriptor as it is set. KTPU_EFAULT: see result->fault. */
enum ktpu_status ktpu_run(struct ktpu_device *device, uint32_t list, uint32_t count,
                          struct ktpu_result *result);

enum ktpu_form { KTPU_INT8 = 0, KTPU_INT32 = 2 };

struct ktpu_gemm {
  uint32_t m, k, n;        /* >= 1 */
  const int8_t *a, *b;     /* row-major */
  size_t lda, ldb;         /* elements from row to row; 0: k and n */
  void *c;                 /* int8_t or int32_t, as `form` says */
  size_t ldc;              /* elements; 0: n */
  enum ktpu_form form;
  uint32_t shift;          /* INT8: saturate(round-half-even(sum / 2^shift)), 0..31 */
  int relu;                /* max(0, x) on the sums, before anything else */
  int single_program;      /* refuse (KTPU_ELIMIT, naming the limit) what one program cannot hold */
};

/* C = A * B. Shapes past one program become chains of programs in one descriptor list; shapes past
 * the device's memory become several lists (result->programs). After a failure C is unspecified. */
enum ktpu_status ktpu_gemm(struct ktpu_device *device, const struct ktpu_gemm *gemm,
                           struct ktpu_result *result);

/* ---- the MXFP7 machine ------------------------------------------------------------------------ */

enum { KTPU_MX_SWEEP_STATES = 8 };

/* Name by index, "STEP", "IDLE", ...: docs/mx-isa.md. NULL past the end. */
const char *ktpu_mx_sweep_name(unsigned state);

enum ktpu_mx_out { KTPU_MX_F16 = 0, KTPU_MX_F32 = 1 };

struct ktpu_mx_fault {
  uint32_t code, field, node, argument, instruction, command; /* code 0: none */
  char text[480];                                             /* a sentence */
};

/* Numeric events. */
struct ktpu_mx_events {
  uint64_t overflow; /* sums past the accumulator's largest number */
  uint64_t clamped;  /* past 65504 on the way to binary16 */
  uint64_t flushed;  /* nonzero values that became 0 in binary16 */
  uint64_t nan;      /* NaN handed out */
  uint64_t poisoned; /* operand blocks that hold an Inf or a NaN */
};

struct ktpu_mx_result {
  uint64_t cycles;     /* go to done, the hardware's counter, summed over programs; 0 on ref */
  uint64_t quantise_cycles; /* prequantised: the conversion of A and B before the run, in none of the
                               other figures */
  uint32_t programs;   /* goes that the call took */
  uint64_t instructions, steps; /* sent; products of two entries, 4 x 4 x 32 each */
  uint64_t read_beats, write_beats; /* of 32 bytes, on the memory channel; 0 on ref */
  uint64_t sweep[KTPU_MX_SWEEP_STATES]; /* cycles by what the array did */
  struct ktpu_mx_events raw; /* as the hardware counts them: re-reads and padding included */
  struct ktpu_mx_fault fault;
};

struct ktpu_mx_gemm {
  uint32_t m, k, n;      /* >= 1 */
  const uint16_t *a, *b; /* binary16, row-major */
  size_t lda, ldb;       /* elements from row to row; 0: k and n */
  void *c;               /* uint16_t (binary16) or uint32_t (binary32), as `out` says */
  size_t ldc;            /* elements; 0: n */
  enum ktpu_mx_out out;
  int prequantised;      /* the machine quantises both before the run; else on the way, each time */
  uint32_t sk;           /* parts of K that are summed apart: 1 (0 means 1); more is
                            KTPU_EUNSUPPORTED on a machine of one cluster */
};

/* C = A * B in MXFP7 with FP22 sums (docs/number-formats.md). Shapes past what one go can hold
 * become several; shapes past the device's memory are cut along M and N. KTPU_EUNSUPPORTED on an
 * int8 machine. After a failure C is unspecified. */
enum ktpu_status ktpu_mx_gemm(struct ktpu_device *device, const struct ktpu_mx_gemm *gemm,
                              struct ktpu_mx_result *result);

#ifdef __cplusplus
}
#endif
#endif
