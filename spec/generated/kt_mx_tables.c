/* Generated from spec/mx.json and spec/configs by kt-gen: do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions, parameters, codes and configs of the MXFP7 machine. */
#include "spec/kt_mx.h"

static const struct kt_mx_field fields_1[] = {
  { "SIDE", "0: A, 1: B", 0, 8, 1, 0u, 1u, 1 },
  { "PREQ", "1: memory holds MXFP7 entries, 0: binary16, quantised on the way", 0, 9, 1, 0u, 1u, 1 },
  { "ORDER", "0: groups innermost, 1: blocks innermost", 0, 10, 1, 0u, 1u, 1 },
  { "LAYOUT", "binary16 only. 0: rows of lanes, 1: 4x4 sub-tiles as DRAIN writes them", 0, 11, 1, 0u, 1u, 1 },
  { "BANK", "bank of L1", 0, 12, 1, 0u, 1u, 1 },
  { "OFFSET", "first entry in the bank", 0, 16, 8, 0u, 255u, 1 },
  { "PEERS", "other clusters that read the same entries", 0, 24, 8, 0u, 0u, 1 },
  { "ADDR", "byte address of the first entry", 1, 0, 32, 0u, 4294967295u, 32 },
  { "GROUPS", "groups of 4 lanes", 2, 0, 16, 1u, 256u, 1 },
  { "BLOCKS", "blocks of 32 along K", 2, 16, 16, 1u, 256u, 1 },
  { "GROUP_STRIDE", "bytes from a group to the next", 3, 0, 32, 0u, 4294967295u, 32 },
  { "BLOCK_STRIDE", "bytes from a block to the next", 4, 0, 32, 0u, 4294967295u, 32 },
  { "LANE_STRIDE", "binary16 in rows: bytes from a lane to the next", 5, 0, 32, 0u, 4294967295u, 32 },
  { "REAL_LANES", "binary16: lanes that exist, from the first group's first; the rest is +0 and not read", 6, 0, 16, 1u, 1024u, 1 },
  { "REAL_DEPTH", "binary16: elements along K that exist, from the first block's first; the rest is +0", 6, 16, 16, 1u, 8192u, 1 },
  { "PITCH", "L1 entries from a block to the next; at least GROUPS where there are several blocks", 7, 0, 16, 1u, 256u, 1 },
};
static const struct kt_mx_field fields_2[] = {
  { "ACC", "1: continue the resident tile, 0: begin it", 0, 8, 1, 0u, 1u, 1 },
  { "EMIT", "1: hand out each sub-tile as its last block completes it", 0, 9, 1, 0u, 1u, 1 },
  { "A_BANK", "bank of A", 0, 10, 1, 0u, 1u, 1 },
  { "B_BANK", "bank of B", 0, 11, 1, 0u, 1u, 1 },
  { "A_OFFSET", "first entry of A in its bank", 0, 16, 8, 0u, 255u, 1 },
  { "B_OFFSET", "first entry of B in its bank", 0, 24, 8, 0u, 255u, 1 },
  { "GM", "groups of A", 1, 0, 16, 1u, 256u, 1 },
  { "GN", "groups of B", 1, 16, 16, 1u, 256u, 1 },
  { "NK", "blocks of K", 2, 0, 16, 1u, 256u, 1 },
  { "TILE", "first word of the tile", 2, 16, 16, 0u, 511u, 1 },
  { "A_PITCH", "entries of A from a block to the next", 3, 0, 16, 1u, 256u, 1 },
  { "B_PITCH", "entries of B from a block to the next", 3, 16, 16, 1u, 256u, 1 },
};
static const struct kt_mx_field fields_3[] = {
  { "DTYPE", "0: binary16, 1: binary32", 0, 8, 2, 0u, 1u, 1 },
  { "FUSED", "1: takes the sub-tiles that later GEMMs emit, 0: reads the tile", 0, 10, 1, 0u, 1u, 1 },
  { "NODE", "0: to memory", 0, 16, 8, 0u, 0u, 1 },
  { "ADDR", "byte address of the first sub-tile", 1, 0, 32, 0u, 4294967295u, 32 },
  { "ROWS", "rows of sub-tiles", 2, 0, 16, 1u, 512u, 1 },
  { "COLUMNS", "sub-tiles a row, side by side in memory", 2, 16, 16, 1u, 512u, 1 },
  { "STRIDE", "bytes from a row of sub-tiles to the next", 3, 0, 32, 0u, 4294967295u, 32 },
  { "TILE", "first word of the tile, where not FUSED", 4, 0, 16, 0u, 511u, 1 },
};
static const struct kt_mx_field fields_4[] = {
  { "LAYOUT", "0: rows of lanes, 1: 4x4 sub-tiles as DRAIN writes them", 0, 11, 1, 0u, 1u, 1 },
  { "PITCH", "entries from a group's first to the next group's, where they are written; at least BLOCKS where there are several groups", 0, 16, 16, 1u, 65535u, 1 },
  { "ADDR", "byte address of the first binary16 entry", 1, 0, 32, 0u, 4294967295u, 32 },
  { "GROUPS", "groups of 4 lanes", 2, 0, 16, 1u, 256u, 1 },
  { "BLOCKS", "blocks of 32 along K", 2, 16, 16, 1u, 256u, 1 },
  { "GROUP_STRIDE", "bytes from a group to the next", 3, 0, 32, 0u, 4294967295u, 32 },
  { "BLOCK_STRIDE", "bytes from a block to the next", 4, 0, 32, 0u, 4294967295u, 32 },
  { "LANE_STRIDE", "rows: bytes from a lane to the next", 5, 0, 32, 0u, 4294967295u, 32 },
  { "REAL_LANES", "lanes that exist, from the first group's first; the rest is +0 and not read", 6, 0, 16, 1u, 1024u, 1 },
  { "REAL_DEPTH", "elements along K that exist, from the first block's first; the rest is +0", 6, 16, 16, 1u, 8192u, 1 },
  { "TO", "byte address of the first MXFP7 entry", 7, 0, 32, 0u, 4294967295u, 32 },
};

const struct kt_mx_insn kt_mx_insn[] = {
  { "FILL", "fetch entries of an operand into L1", 1, 0, fields_1, 16, { 0xFFFF1FFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu } },
  { "GEMM", "sweep an output tile over blocks of K", 2, 16, fields_2, 12, { 0xFFFF0FFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x00000000u, 0x00000000u, 0x00000000u, 0x00000000u } },
  { "DRAIN", "write results to memory", 3, 28, fields_3, 8, { 0x00FF07FFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0x0000FFFFu, 0x00000000u, 0x00000000u, 0x00000000u } },
  { "QUANTISE", "make MXFP7 entries of a binary16 operand, in memory, once a tensor", 4, 36, fields_4, 11, { 0xFFFF08FFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu, 0xFFFFFFFFu } },
};
const size_t kt_mx_n_insns = 4;

static const uint32_t legal_0[] = { 4, 8, 16, 32 };
static const uint32_t legal_1[] = { 0, 1 };
static const uint32_t legal_2[] = { 10, 11, 12, 13, 14, 15, 16, 17, 18 };
static const uint32_t legal_3[] = { 16, 32, 64, 128, 256, 512 };
static const uint32_t legal_4[] = { 16, 32, 64, 128, 256, 512 };
static const uint32_t legal_5[] = { 8, 16, 32, 64 };
static const uint32_t legal_6[] = { 64, 128, 256, 512, 1024, 2048, 4096 };
static const uint32_t legal_7[] = { 32, 64, 128, 256, 512, 1024 };
static const uint32_t legal_8[] = { 8, 16, 32, 64, 128 };
static const uint32_t legal_9[] = { 18, 20, 22, 24, 26, 28, 30, 32 };

const struct kt_mx_param kt_mx_param[] = {
  { "KSLICE", "products of a block that an output multiplies a cycle", 32, legal_0, 4 },
  { "PACKED", "1: two products in one wide multiplier", 0, legal_1, 2 },
  { "ACC_MW", "mantissa bits of the accumulator", 14, legal_2, 9 },
  { "L1_ENTRIES", "operand entries a side, in two banks", 512, legal_3, 6 },
  { "TILES", "4x4 sub-tiles of the resident output tile", 512, legal_4, 6 },
  { "IFIFO", "instructions that wait at a node: the most credit", 32, legal_5, 4 },
  { "STAGING", "instructions in the staging RAM", 2048, legal_6, 7 },
  { "COMMANDS", "commands in the command RAM", 1024, legal_7, 6 },
  { "OUTSTANDING", "read bursts in flight", 64, legal_8, 5 },
  { "ADDR_BITS", "bits of a byte address", 32, legal_9, 8 },
};
const size_t kt_mx_n_params = 10;

const struct kt_mx_name kt_mx_fault[] = {
  { "OPCODE", "no such instruction; argument: the opcode", 1 },
  { "FIELD", "a field outside its range or no multiple of what it must be; argument: its value", 2 },
  { "RESERVED", "a bit that belongs to no field is not 0; argument: the word's number", 3 },
  { "L1_SPAN", "the last entry lies past its bank; field: OFFSET, A_OFFSET or B_OFFSET; argument: that entry", 4 },
  { "PITCH", "a pitch below the number of groups with several blocks, or QUANTISE's below the number of blocks with several groups; argument: the pitch", 5 },
  { "TILE_SPAN", "the last word lies past the tile; argument: that word", 6 },
  { "L1_EMPTY", "an entry that no FILL of this run names is read; field: A_OFFSET or B_OFFSET; argument: bank * 256 + entry", 7 },
  { "TILE_EMPTY", "a tile word that no GEMM of this run wrote is read; field: TILE; argument: the word", 8 },
  { "NOT_ARMED", "a sub-tile is emitted and no fused DRAIN waits for it; argument: 0", 9 },
  { "MEMORY", "an access past the end of memory; argument: the byte address", 10 },
  { "AXI_READ", "memory answered a read with an error; argument: resp", 11 },
  { "AXI_WRITE", "memory answered a write with an error; argument: resp", 12 },
  { "COMMAND", "no such command, or none left; argument: word 0", 13 },
  { "REGISTER", "a command names no register, or one that it cannot write; argument: the address", 14 },
  { "STAGED", "a kick with no instruction or past the staging RAM; argument: base + length", 15 },
  { "CREDIT", "more credit than the node's instruction FIFO is deep; argument: the credit", 16 },
  { "UNDRAINED", "a fused DRAIN still waits for sub-tiles where the run ends or a QUANTISE stands; argument: how many", 17 },
  { "NO_PROGRESS", "nothing moved for WATCHDOG cycles; argument: bit mask of who waits", 18 },
};
const size_t kt_mx_n_faults = 18;

const struct kt_mx_name kt_mx_waiting[] = {
  { "COMMANDS", "the command engine polls or waits", 0 },
  { "DISPATCH", "a kick waits for credit", 1 },
  { "FILL", "a FILL waits for entries that are still read or still outstanding", 2 },
  { "GEMM", "a sweep waits for operands", 3 },
  { "DRAIN", "a DRAIN waits for sub-tiles or for memory", 4 },
  { "READ", "reads are outstanding", 5 },
  { "WRITE", "writes are outstanding", 6 },
};
const size_t kt_mx_n_waiting = 7;

const struct kt_mx_name kt_mx_sweep_state[] = {
  { "STEP", "a product of two entries begins", 0 },
  { "SLICE", "a product goes on (KSLICE below 32)", 1 },
  { "IDLE", "no GEMM", 2 },
  { "OPERAND_A", "waits for an entry of A", 3 },
  { "OPERAND_B", "waits for an entry of B", 4 },
  { "REUSE", "waits for the accumulator", 5 },
  { "OUTPUT", "waits for room in the output path", 6 },
  { "START", "waits for a DRAIN that still reads the tile, or for the sweep before", 7 },
};
const size_t kt_mx_n_sweep_states = 8;

static const struct kt_mx_setting settings_0[] = {
  { "KSLICE", 32 },
  { NULL, 0 },
};

const struct kt_mx_config kt_mx_configs[] = {
  { "sim1", "one matmul cluster, one memory agent, dispatch, no mesh", settings_0 },
  { NULL, NULL, NULL },
};
