// SPDX-License-Identifier: Apache-2.0
// Body of the benches of ktpu_link, included in a module that defines SMALL, WINDOW, PAYLOAD, PHY,
// NAME and FILE: plays the vectors of tests/link/vectors.py (its numbers of operations are
// repeated here) against the link. Replies are compared byte by byte.
  `include "link_world.vh"
  localparam integer OP_SEND = 0, OP_REPLY = 1, OP_QUIET = 2, OP_BUSY = 3, OP_MUTE = 4,
    OP_MUTE_LITE = 5, OP_ERRORS = 6, OP_ERROR_LITE = 7, OP_PHY_ERROR = 8, OP_BREAK = 9,
    OP_STALL_TX = 10, OP_STALL_MEMORY = 11, OP_MEMORY = 12, OP_END = 13;

  integer fd, op, got;

  // ---- the steps -------------------------------------------------------------------------------
  task compare_memory;
    begin
      start = {value[0], value[1], value[2], value[3]};
      for (i = 4; i < n; i = i + 1)
        if (u_mem.mem[start + i - 4] !== value[i]) begin
          fail("memory");
          if (errors < 20) $display("  at %h: %h, expected %h", start + i - 4,
                                    u_mem.mem[start + i - 4], value[i]);
        end
    end
  endtask

  task set_stalls;
    begin
      stall_memory = value[0];
      u_mem.stall_ar = stall_memory; u_mem.stall_aw = stall_memory; u_mem.stall_w = stall_memory;
      u_mem.stall_r = stall_memory; u_mem.stall_b = stall_memory;
      u_mem.latency = stall_memory == 0 ? 0 : $unsigned($random(rng)) % 12;
    end
  endtask

  task mute;
    begin
      u_mem.mute = value[0][0];
      // half of the time it does not take requests either
      if (value[0][0] && chance(50)) begin
        u_mem.stall_ar = 100; u_mem.stall_aw = 100; u_mem.stall_w = chance(50) ? 100 : 0;
      end else begin
        u_mem.stall_ar = stall_memory; u_mem.stall_aw = stall_memory; u_mem.stall_w = stall_memory;
      end
    end
  endtask

  task play;
    case (op)
      OP_SEND: send;
      OP_REPLY: reply;
      OP_QUIET: quiet;
      OP_BUSY: busy <= value[0][0];
      OP_MUTE: mute;
      OP_MUTE_LITE: mute_lite = value[0][0];
      OP_ERRORS: begin
        u_mem.err_lo = 32'h7000; u_mem.err_hi = 32'h7fff; u_mem.err_resp = value[0][1:0];
      end
      OP_ERROR_LITE: error_lite = value[0][0];
      OP_PHY_ERROR: pulse_error;
      OP_BREAK: pulse_break;
      OP_STALL_TX: stall_tx = value[0];
      OP_STALL_MEMORY: set_stalls;
      OP_MEMORY: compare_memory;
      OP_END: ;
      default: fail("unknown operation");
    endcase
  endtask

  initial begin
    begin_world;
    op = OP_QUIET;
    fd = $fopen(FILE, "r");
    if (fd == 0) fail("the vectors cannot be opened");
    leave_reset;
    while (errors < 1000 && op != OP_END) begin
      got = $fscanf(fd, "%d %d", op, n);
      if (got != 2) begin
        fail("the vectors end without their last step");
        op = OP_END;
      end else begin
        for (i = 0; i < n; i = i + 1) got = $fscanf(fd, "%h", value[i]);
        steps = steps + 1;
        play;
      end
    end
    quiet;
    if (!m_idle) fail("a memory access is left over");
    if (u_mem.bad != 0) fail("access outside memory");
    if (replies < 500 || bytes < 20000) begin
      errors = errors + 1;
      $display("FAIL too little happened: %0d replies, %0d bytes", replies, bytes);
    end
    if (errors == 0) $display("PASS %0s seed=%0d: %0d replies, %0d cycles", NAME, seed,
                              replies, now);
    else $display("FAIL %0s seed=%0d: %0d errors", NAME, seed, errors);
    $finish;
  end
