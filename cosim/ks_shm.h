/* SPDX-License-Identifier: Apache-2.0
 *
 * What a driver and a simulator process share: one anonymous memory file that holds this header, a
 * ring of transactions, a bounce buffer and the image of the simulated DRAM.
 *
 * The file is created by the simulator (memfd, so that no name exists anywhere) and handed over a
 * Unix socket, which stays open for as long as the session lasts: its end tells either side that
 * the other is gone. Killing both leaves nothing behind.
 *
 * Ring: the client fills slot [head % KS_SLOTS] and advances head; the simulator executes slots in
 * order, writes the result into the slot and advances done. At most KS_SLOTS are in flight, so a
 * slot may be read back until KS_SLOTS later ones have been submitted.
 */
#ifndef KS_SHM_H
#define KS_SHM_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define KS_MAGIC 0x4b545355u /* "USTK" */
#define KS_VERSION 1u

enum {
  KS_SLOTS = 256,          /* a power of two */
  KS_BOUNCE = 1 << 20,     /* bytes of data that transactions in flight may use */
  KS_TEXT = 240,           /* bytes of a text, with its end */
  KS_PARAMS_TEXT = 320,    /* the same for a parameter string */
  KS_FAULT_WINDOWS = 4,    /* injected memory faults at a time */
  KS_CHANNELS = 5,         /* AR, R, AW, W, B */
};

enum ks_op {
  KS_OP_RESET = 1, /* rst_i for `len` cycles (0: the default) */
  KS_OP_REG_WRITE, /* addr, value: one AXI4-Lite write */
  KS_OP_REG_READ,  /* addr -> value: one AXI4-Lite read */
  KS_OP_MEM_WRITE, /* addr, len bytes at bounce offset arg, through the host's AXI4 port */
  KS_OP_MEM_READ,  /* the same, the other way */
  KS_OP_WAIT,      /* until busy_o is low, at most `len` cycles -> result: cycles seen at the pins */
  KS_OP_IDLE,      /* let `len` cycles pass */
  KS_OP_CONFIG,    /* take over struct ks_config */
};

enum ks_status {
  KS_DONE = 0,
  KS_AXI_ERROR, /* a response other than OKAY; value holds it */
  KS_TIMEOUT,   /* the port did not answer, or WAIT reached its limit */
  KS_BAD_OP,    /* unknown op, or data outside the bounce buffer */
};

struct ks_slot {
  uint32_t op;    /* enum ks_op */
  uint32_t addr;
  uint32_t value; /* data of a register access; response of a failed one */
  uint32_t status;
  uint64_t len;
  uint64_t arg;
  uint64_t result;
  uint64_t spare[3];
};

enum ks_fault_kind { KS_FAULT_NONE = 0, KS_FAULT_SLVERR, KS_FAULT_DECERR, KS_FAULT_SILENT };

/* Accesses that touch [first, last] get `kind`; SILENT never answers, nor anything behind it. */
struct ks_fault_window {
  uint64_t first, last;
  uint32_t kind; /* enum ks_fault_kind */
  uint32_t reads, writes;
  uint32_t spare;
};

/* How the simulated memory behaves; the client fills it and submits KS_OP_CONFIG. */
struct ks_config {
  uint32_t latency;        /* first R and B come latency + 1 cycles after the handshake */
  uint32_t bandwidth;      /* beats a channel per 256 cycles; 0 or 256: no limit */
  uint64_t stall_seed;     /* 0: no random stalls on m_axi */
  struct ks_fault_window faults[KS_FAULT_WINDOWS];
};

/* What the harness saw; written by the simulator only, valid after a transaction's end. */
struct ks_report {
  uint64_t cycles;        /* clock cycles simulated since the process started */
  uint64_t busy_cycles;   /* cycles with busy_o high since the last start */
  uint64_t pin_cycles;    /* from the accepted start write to busy_o low */
  uint64_t last_write;    /* cycles from the accepted start write to the last accepted B */
  uint64_t read_beats, write_beats; /* on m_axi since the process started */
  uint64_t violations;    /* breaches of the AXI rules by the machine */
  uint64_t stall_events[KS_CHANNELS]; /* handshakes delayed by a random stall: AR, R, AW, W, B */
  char violation[KS_TEXT]; /* the first breach */
};

struct ks_shm {
  uint32_t magic, version, layout; /* layout: ks_shm_layout() */
  uint32_t pid;                    /* of the simulator */
  uint64_t bytes;                  /* of the whole file */
  uint64_t bounce_offset, dram_offset, dram_bytes;
  char params[KS_PARAMS_TEXT];     /* canonical parameter string of the build */
  struct ks_config config;
  struct ks_report report;

  _Alignas(64) _Atomic uint32_t head; /* transactions submitted */
  _Atomic uint32_t server_sleeps;
  _Alignas(64) _Atomic uint32_t done; /* transactions executed */
  _Atomic uint32_t client_sleeps;
  _Alignas(64) struct ks_slot slots[KS_SLOTS];
};

/* A number that changes with the size or place of anything above. */
uint32_t ks_shm_layout(void);

/* Bytes of the file for a DRAM of dram_bytes; fills *offsets when shm is not NULL. */
uint64_t ks_shm_size(uint64_t dram_bytes);
void ks_shm_init(struct ks_shm *shm, uint64_t dram_bytes, const char *params);

static inline uint8_t *ks_shm_bounce(struct ks_shm *shm)
{
  return (uint8_t *)shm + shm->bounce_offset;
}

static inline uint8_t *ks_shm_dram(struct ks_shm *shm)
{
  return (uint8_t *)shm + shm->dram_offset;
}

#endif
