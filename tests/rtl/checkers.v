// SPDX-License-Identifier: Apache-2.0
// Brings the passive protocol checkers into every bench: they are no part of the design's file
// list.
`default_nettype none
`include "ktpu_stream_chk.v"
`include "ktpu_axi_chk.v"
`default_nettype wire
