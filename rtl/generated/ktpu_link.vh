// Generated from spec/link.json by kt-gen: do not edit.
// SPDX-License-Identifier: Apache-2.0
// Constants of the link, included inside modules: no include guard on purpose. spec/generated/kt_link.h has the
// same names and values. A module uses few of them: lint waives unused parameters of this file alone.

// identity, check sum
localparam [31:0] KT_LINK_MAGIC = 32'h4B4C544B;
localparam [31:0] KT_LINK_VERSION = 32'h00000001;
localparam [31:0] KT_LINK_CRC_POLYNOMIAL = 32'hEDB88320;
localparam [31:0] KT_LINK_CRC_INITIAL = 32'hFFFFFFFF;
localparam [31:0] KT_LINK_CRC_FINAL_XOR = 32'hFFFFFFFF;
localparam [31:0] KT_LINK_CRC_RESIDUE = 32'hDEBB20E3;

// frame, decoded: sizes, and where each field begins
localparam integer KT_LINK_HEADER_BYTES = 11;
localparam integer KT_LINK_CRC_BYTES = 4;
localparam integer KT_LINK_MAX_PAYLOAD = 512;
localparam integer KT_LINK_MAX_FRAME = 527;
localparam integer KT_LINK_MAX_ENCODED = 531;
localparam integer KT_LINK_MAX_WINDOW = 8;
localparam integer KT_LINK_AT_TYPE = 0;
localparam integer KT_LINK_AT_SESSION = 1;
localparam integer KT_LINK_AT_SEQUENCE = 3;
localparam integer KT_LINK_AT_STATUS = 4;
localparam integer KT_LINK_AT_ADDRESS = 5;
localparam integer KT_LINK_AT_LENGTH = 9;
localparam integer KT_LINK_AT_PAYLOAD = 11;

// types; a reply has KT_LINK_REPLY as well
localparam [7:0] KT_LINK_TYPE_READ = 8'd1;
localparam [7:0] KT_LINK_TYPE_WRITE = 8'd2;
localparam [7:0] KT_LINK_TYPE_BURST_READ = 8'd3;
localparam [7:0] KT_LINK_TYPE_BURST_WRITE = 8'd4;
localparam [7:0] KT_LINK_TYPE_STATUS = 8'd5;
localparam [7:0] KT_LINK_TYPE_ECHO = 8'd6;
localparam [7:0] KT_LINK_TYPE_RESET_LINK = 8'd7;
localparam [7:0] KT_LINK_REPLY = 8'd128;

// outcomes
localparam [2:0] KT_LINK_STATUS_OK = 3'd0;
localparam [2:0] KT_LINK_STATUS_BUSY = 3'd1;
localparam [2:0] KT_LINK_STATUS_BUS_TIMEOUT = 3'd2;
localparam [2:0] KT_LINK_STATUS_BUS_ERROR = 3'd3;
localparam [2:0] KT_LINK_STATUS_BAD_TYPE = 3'd4;
localparam [2:0] KT_LINK_STATUS_BAD_LENGTH = 3'd5;
localparam [2:0] KT_LINK_STATUS_BAD_ADDRESS = 3'd6;

// payload of the reply to a status request
localparam integer KT_LINK_STATE_BYTES = 8;
localparam integer KT_LINK_STATE_AT_FLAGS = 0;
localparam integer KT_LINK_STATE_AT_EXPECTED = 1;
localparam integer KT_LINK_STATE_AT_WINDOW = 2;
localparam integer KT_LINK_STATE_AT_RESERVED = 3;
localparam integer KT_LINK_STATE_AT_EVENT = 4;

// kinds of PHY
localparam [3:0] KT_LINK_PHY_UART = 4'd1;
localparam [3:0] KT_LINK_PHY_FT245 = 4'd2;

// the link's own registers: addresses in read and write frames
localparam [12:0] KT_LINK_REG_BASE = 13'd4096;
localparam [12:0] KT_LINK_REG_LINK_MAGIC = 13'd4096;
localparam [12:0] KT_LINK_REG_LINK_VERSION = 13'd4100;
localparam [12:0] KT_LINK_REG_CONFIG_HASH = 13'd4104;
localparam [12:0] KT_LINK_REG_BUILD_ID = 13'd4108;
localparam [12:0] KT_LINK_REG_PART = 13'd4112;
localparam [12:0] KT_LINK_REG_LIMITS = 13'd4116;
localparam integer KT_LINK_LIMITS_WINDOW_LSB = 0;
localparam integer KT_LINK_LIMITS_WINDOW_BITS = 8;
localparam integer KT_LINK_LIMITS_PAYLOAD_LSB = 8;
localparam integer KT_LINK_LIMITS_PAYLOAD_BITS = 16;
localparam integer KT_LINK_LIMITS_PHY_LSB = 24;
localparam integer KT_LINK_LIMITS_PHY_BITS = 4;
localparam [12:0] KT_LINK_REG_MEMORY_BYTES = 13'd4120;
localparam [12:0] KT_LINK_REG_CLOCK_HZ = 13'd4124;
localparam [12:0] KT_LINK_REG_SCRATCH = 13'd4128;
localparam integer KT_LINK_SCRATCH_COUNT = 4;
localparam [12:0] KT_LINK_REG_COUNT_CRC = 13'd4160;
localparam [12:0] KT_LINK_REG_COUNT_LONG = 13'd4164;
localparam [12:0] KT_LINK_REG_COUNT_SHORT = 13'd4168;
localparam [12:0] KT_LINK_REG_COUNT_FRAMING = 13'd4172;
localparam [12:0] KT_LINK_REG_COUNT_SESSION = 13'd4176;
localparam [12:0] KT_LINK_REG_COUNT_SEQUENCE = 13'd4180;
localparam [12:0] KT_LINK_REG_COUNT_DUPLICATE = 13'd4184;
localparam [12:0] KT_LINK_REG_COUNT_ROOM = 13'd4188;
localparam [12:0] KT_LINK_REG_STARTS = 13'd4192;

// events that the registers from COUNT_CRC on count
localparam [3:0] KT_LINK_EVENT_CRC = 4'd0;
localparam [3:0] KT_LINK_EVENT_LONG = 4'd1;
localparam [3:0] KT_LINK_EVENT_SHORT = 4'd2;
localparam [3:0] KT_LINK_EVENT_FRAMING = 4'd3;
localparam [3:0] KT_LINK_EVENT_SESSION = 4'd4;
localparam [3:0] KT_LINK_EVENT_SEQUENCE = 4'd5;
localparam [3:0] KT_LINK_EVENT_DUPLICATE = 4'd6;
localparam [3:0] KT_LINK_EVENT_ROOM = 4'd7;
localparam [3:0] KT_LINK_EVENT_STARTS = 4'd8;
