/* Generated from spec/tinytpu.json by kt-gen: do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, orders of checks and numerics as tables. */
#include "spec/kt_interface.h"

const struct kt_reg_def kt_registers[] = {
  { "MAGIC", "R", "identity", 0x000, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "SPEC_VERSION", "R", "version of this specification", 0x004, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "CONFIG_HASH", "R", "CRC-32 of the build's canonical parameter string", 0x008, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "FEATURES", "R", "what the build has", 0x00C, 1, 0u, {
    { "STRIDES", 0, 1 },
    { "CONTRACTS", 1, 1 },
    { "COUNTERS", 2, 1 },
    { "SERIAL_SHIFT", 3, 1 },
  }, 4 },
  { "PARAM0", "R", "parameters", 0x010, 1, 0u, {
    { "T", 0, 8 },
    { "MAXDIM", 8, 12 },
    { "BUS_BYTES", 20, 12 },
  }, 3 },
  { "PARAM1", "R", "parameters", 0x014, 1, 0u, {
    { "SPAD_ROWS", 0, 16 },
    { "NVR", 16, 16 },
  }, 2 },
  { "PARAM2", "R", "parameters", 0x018, 1, 0u, {
    { "NAR", 0, 16 },
    { "IMEM_SIZE", 16, 16 },
  }, 2 },
  { "PARAM3", "R", "parameters", 0x01C, 1, 0u, {
    { "QD", 0, 8 },
    { "OUTSTANDING", 8, 8 },
    { "ADDR_BITS", 16, 8 },
  }, 3 },
  { "CONTROL", "W", "commands; reads as 0", 0x020, 1, 0u, {
    { "START", 0, 1 },
    { "RESET", 1, 1 },
  }, 2 },
  { "STATUS", "R", "state of the core", 0x024, 1, 0u, {
    { "BUSY", 0, 1 },
    { "DONE", 1, 1 },
    { "FAULT", 2, 1 },
    { "REFUSED", 3, 1 },
    { "RESETTING", 4, 1 },
    { "STUCK", 5, 1 },
  }, 6 },
  { "LIST_ADDR", "RW", "byte address of the descriptor list", 0x028, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "LIST_COUNT", "RW", "descriptors in the list; 0 runs the register descriptor", 0x02C, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "WATCHDOG", "RW", "cycles without progress before NO_PROGRESS; 0 counts as 1", 0x030, 1, 65536u, {
    { NULL, 0, 0 },
  }, 0 },
  { "DESC", "RW", "the register descriptor", 0x040, 16, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "FAULT", "R", "fault code and sub-code, 0 = none", 0x080, 1, 0u, {
    { "CODE", 0, 8 },
    { "SUB", 8, 8 },
  }, 2 },
  { "FAULT_ARG", "R", "the fault's argument", 0x084, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "FAULT_INSTR", "R", "static index of the faulting instruction", 0x088, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "FAULT_DESC", "R", "index of its descriptor", 0x08C, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "CYCLES_LO", "R", "cycles from the accepted start to done, low half", 0x090, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "CYCLES_HI", "R", "the same, high half", 0x094, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "DESC_DONE", "R", "descriptors completed", 0x098, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "EVENT_SAT", "R", "lanes saturated by mvout", 0x09C, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "EVENT_WRAP", "R", "lanes that wrapped in ar", 0x0A0, 1, 0u, {
    { NULL, 0, 0 },
  }, 0 },
  { "COUNT", "R", "cycles of a unit in a state: 32 * unit + 4 * state", 0x100, 56, 0u, {
    { NULL, 0, 0 },
  }, 0 },
};
const size_t kt_n_registers = 24;

const struct kt_desc_check kt_desc_checks[] = {
  { 17, 1 },
  { 20, 0 },
  { 19, 0 },
  { 20, 2 },
  { 19, 2 },
  { 20, 3 },
  { 19, 3 },
  { 20, 4 },
  { 19, 4 },
  { 19, 5 },
  { 20, 5 },
  { 19, 6 },
  { 20, 6 },
  { 19, 7 },
  { 20, 7 },
  { 19, 8 },
  { 21, -1 },
};
const size_t kt_n_desc_checks = 17;

const uint32_t kt_instr_checks[] = { 1, 3, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, };
const size_t kt_n_instr_checks = 15;

const uint32_t kt_end_checks[] = { 9, 18, };
const size_t kt_n_end_checks = 2;

const uint32_t kt_copying_opcodes[] = { 3, };
const size_t kt_n_copying_opcodes = 1;

const struct kt_numerics kt_numerics = {
  8, 32, 16, 31, "wrap",
  "ascending contraction index, then the accumulate term",
  "wrap", "saturate", "none", "nearest even", true,
};
