// SPDX-License-Identifier: Apache-2.0
// Body of the fuzz benches of ktpu_link, included in a module that defines SMALL, WINDOW, PAYLOAD,
// PHY, NAME and ROUNDS: rubbish of many kinds at the device's receiver. A receiver of the bench's
// own says of every frame what it is. What is bad must have no effect on registers, memory and
// wire and must be counted under its reason; the next good frame must be answered in time.
  `include "link_world.vh"
  `include "ktpu_link.vh"
  localparam integer BODY = KT_LINK_HEADER_BYTES, LEAST = KT_LINK_HEADER_BYTES + KT_LINK_CRC_BYTES,
    MOST = LEAST + PAYLOAD, KINDS = 11, BATCHES = 40, CANARY = 16'h4000;

  reg [7:0]  plain [0:8191];              // a frame before its encoding
  integer    plain_n, sequence_no, round, batch, kind, k, m, split;
  reg [15:0] session;
  reg [31:0] sum;
  integer    seen [0:KINDS-1];

  function integer random(input integer most);   // 0 to most - 1
    random = $unsigned($random(rng)) % most;
  endfunction

  function [31:0] crc_byte(input [31:0] was, input [7:0] data);
    integer bit_no;
    begin
      crc_byte = was ^ {24'd0, data};
      for (bit_no = 0; bit_no < 8; bit_no = bit_no + 1)
        crc_byte = crc_byte[0] ? {1'b0, crc_byte[31:1]} ^ 32'hEDB88320 : {1'b0, crc_byte[31:1]};
    end
  endfunction

  // ---- frames ----------------------------------------------------------------------------------
  task make(input [7:0] what, input [7:0] number, input [7:0] status, input [31:0] address,
            input integer length, input integer payload);
    begin
      {plain[0], plain[1], plain[2], plain[3], plain[4]} =
        {what, session[7:0], session[15:8], number, status};
      {plain[8], plain[7], plain[6], plain[5]} = address;
      {plain[10], plain[9]} = length[15:0];
      for (k = BODY; k < BODY + payload; k = k + 1)
        plain[k] = chance(30) ? 8'd0 : $random(rng);
      plain_n = BODY + payload;
      seal;
    end
  endtask

  task seal;                              // puts the check sum behind what is there
    begin
      sum = 32'hFFFFFFFF;
      for (k = 0; k < plain_n; k = k + 1) sum = crc_byte(sum, plain[k]);
      {plain[plain_n+3], plain[plain_n+2], plain[plain_n+1], plain[plain_n]} = ~sum;
      plain_n = plain_n + 4;
    end
  endtask

  task encode;                            // plain to value, with its delimiter
    begin
      m = 0; n = 1;
      for (k = 0; k < plain_n; k = k + 1) begin
        if (plain[k] != 8'd0) begin
          value[n] = plain[k]; n = n + 1;
        end
        if (plain[k] == 8'd0 || (n - m == 255 && k + 1 < plain_n)) begin
          value[m] = n - m;
          m = n; n = n + 1;
        end
      end
      value[m] = n - m;
      value[n] = 8'd0;
      n = n + 1;
    end
  endtask

  // ---- the bench's own receiver ----------------------------------------------------------------
  reg [7:0] got [0:1023];
  integer   r_left, r_code, r_size, good, counted [0:3];  // CRC, LONG, SHORT, FRAMING
  integer   total [0:3];                  // over the rounds
  integer   r_since, close;               // bytes since the last bad frame; bad ones near it
  reg       r_open, r_error;

  task r_clear;
    begin r_left = 0; r_code = 255; r_size = 0; r_open = 1'b0; r_error = 1'b0; end
  endtask

  task r_push(input [7:0] data);
    begin
      if (r_size < MOST) got[r_size] = data;
      r_size = r_size + 1;
    end
  endtask

  task r_end;
    begin
      sum = 32'hFFFFFFFF;
      for (k = 0; k < r_size && k < MOST; k = k + 1) sum = crc_byte(sum, got[k]);
      m = 0;
      if (got[0] == KT_LINK_TYPE_WRITE || got[0] == KT_LINK_TYPE_BURST_WRITE
          || got[0] == KT_LINK_TYPE_ECHO) m = {got[10], got[9]};
      if (r_error) counted[3] = counted[3] + 1;
      else if (!r_open) ;
      else if (r_size > MOST) counted[1] = counted[1] + 1;
      else if (r_left != 0 || r_size < LEAST) counted[2] = counted[2] + 1;
      else if (sum != KT_LINK_CRC_RESIDUE) counted[0] = counted[0] + 1;
      else if (got[0] != 8'd0 && got[0] <= KT_LINK_TYPE_RESET_LINK && r_size != LEAST + m)
        counted[0] = counted[0] + 1;
      else good = good + 1;
      if (r_open || r_error) begin
        if (r_since < 4) close = close + 1;
        r_since = 0;
      end
      r_clear;
    end
  endtask

  task r_byte(input [7:0] data);
    begin
      r_since = r_since + 1;
      if (data == 8'd0) r_end;
      else if (r_left != 0) begin
        r_push(data);
        r_left = r_left - 1;
      end else begin
        if (r_open && r_code != 255) r_push(8'd0);
        r_open = 1'b1; r_code = data; r_left = data - 1;
      end
    end
  endtask

  task feed(input integer from, input integer to);   // these bytes of value, to both receivers
    begin
      for (i = from; i < to; i = i + 1) r_byte(value[i]);
      m = n;
      for (i = from; i < to; i = i + 1) value[i-from] = value[i];
      n = to - from;
      send;
      n = m;
    end
  endtask

  // ---- rubbish ---------------------------------------------------------------------------------
  // A write that the device would execute: its session, the next number, memory that is watched.
  task target;
    begin
      m = 1 + random(chance(20) ? PAYLOAD : 24);
      make(KT_LINK_TYPE_BURST_WRITE, sequence_no, 8'd0, CANARY, m, m);
    end
  endtask

  task spoil_plain;                       // well encoded, but not what was sealed
    begin
      target;
      m = random(plain_n);
      plain[m] = plain[m] ^ (8'd1 << random(8));
      encode;
    end
  endtask

  task spoil_wire;
    begin
      target;
      encode;
      for (k = 1 + random(3); k > 0; k = k - 1) begin
        m = random(n - 1);
        value[m] = value[m] ^ (8'd1 << random(8));
      end
    end
  endtask

  task lose_byte;
    begin
      target;
      encode;
      n = n - 1;
      for (k = random(n - 1); k < n; k = k + 1) value[k] = value[k+1];
    end
  endtask

  task double_byte;
    begin
      target;
      encode;
      m = random(n - 1);
      for (k = n; k > m; k = k - 1) value[k] = value[k-1];
      n = n + 1;
    end
  endtask

  task cut;
    begin
      target;
      encode;
      n = 1 + random(n - 1);
      value[n-1] = 8'd0;
    end
  endtask

  task noise;
    begin
      n = 1 + random(100);
      for (k = 0; k < n; k = k + 1)
        value[k] = chance(3) ? 8'd0 : chance(40) ? 1 + random(9) : $random(rng);
      value[n] = 8'd0;
      n = n + 1;
    end
  endtask

  task too_long;                          // the check sum is right, in most of them
    begin
      make(KT_LINK_TYPE_BURST_WRITE, sequence_no, 8'd0, CANARY, PAYLOAD, PAYLOAD);
      plain_n = plain_n - 4;
      for (k = 1 + random(chance(20) ? 1500 : 5); k > 0; k = k - 1) begin
        plain[plain_n] = $random(rng);
        plain_n = plain_n + 1;
      end
      seal;
      encode;
      if (chance(20)) for (k = 0; k + 1 < n; k = k + 1) value[k] = 8'd255;
    end
  endtask

  task wrong_size;                        // the check sum is right
    begin
      m = 1 + random(24);
      make(KT_LINK_TYPE_BURST_WRITE, sequence_no, 8'd0, CANARY,
           chance(50) ? m + 1 : (m + 256 * (1 + random(255))), m);
      encode;
    end
  endtask

  task several;                           // empty frames, tiny ones, zeros in a row
    begin
      n = 2 + random(30);
      for (k = 0; k < n; k = k + 1) value[k] = chance(50) ? 8'd0 : 1 + random(4);
      value[n-1] = 8'd0;
    end
  endtask

  // A good frame whose PHY saw an error, or a BREAK, between two of its bytes.
  task interrupted(input with_break);
    begin
      target;
      encode;
      split = 1 + random(n - 2);
      for (k = 0; k < n; k = k + 1) plain[k] = value[k];
      feed(0, split);
      if (with_break) pulse_break; else pulse_error;
      if (with_break) r_clear; else r_error = 1'b1;
      if (SMALL != 0) repeat (11) @(posedge clk);
      for (k = split; k < n; k = k + 1) value[k-split] = plain[k];
      n = n - split;
    end
  endtask

  task rubbish;
    begin
      kind = random(KINDS);
      seen[kind] = seen[kind] + 1;
      case (kind)
        0: spoil_plain;
        1: spoil_wire;
        2: lose_byte;
        3: double_byte;
        4: cut;
        5: noise;
        6: too_long;
        7: wrong_size;
        8: several;
        9: interrupted(1'b0);
        default: interrupted(1'b1);
      endcase
      feed(0, n);
    end
  endtask

  // ---- what must hold --------------------------------------------------------------------------
  integer touched;                        // requests on either bus

  always @(posedge clk)
    if (!rst) touched = touched + (m_awvalid && m_awready) + (m_arvalid && m_arready)
                      + (l_awvalid && l_awready) + (l_arvalid && l_arready);

  task ask(input [7:0] what, input [31:0] address, input integer length, input integer payload,
           input integer answer);         // a good request; the reply's payload is the same bytes
    begin
      make(what, sequence_no, 8'd0, address, length, payload);
      encode;
      for (k = n; k > 0; k = k - 1) value[k] = value[k-1];
      value[0] = 8'd0;
      n = n + 1;
      r_clear;
      feed(0, n);
      good = good - 1;
      plain[0] = what | KT_LINK_REPLY;
      plain_n = BODY + answer;
    end
  endtask

  task answered;                          // plain, sealed, is the reply
    begin
      seal;
      for (k = 0; k < plain_n; k = k + 1) value[k] = plain[k];
      n = plain_n;
      reply;
      sequence_no = (sequence_no + 1) % 256;
    end
  endtask

  task begin_session;
    begin
      session = $random(rng);
      sequence_no = 0;
      ask(KT_LINK_TYPE_RESET_LINK, 32'd0, 0, 0, 0);
      answered;
      sequence_no = 0;
      for (k = 0; k < PAYLOAD; k = k + 1) u_mem.mem[CANARY+k] = 8'hC5;
    end
  endtask

  task unharmed;
    begin
      quiet;
      if (touched != 0) fail("a bad frame was executed");
      for (k = 0; k < PAYLOAD; k = k + 1)
        if (u_mem.mem[CANARY+k] !== 8'hC5) fail("memory was written");
    end
  endtask

  task usable;                            // the next good frame is answered
    begin
      m = random(21);
      ask(KT_LINK_TYPE_ECHO, $random(rng), m, m, m);
      answered;
    end
  endtask

  // Of bad frames that end within four clocks of each other one may be counted.
  task check_count(input [31:0] address, input integer number);
    begin
      ask(KT_LINK_TYPE_READ, address, 4, 0, 4);
      repeat (2000) @(posedge clk);
      split = ring[(ring_out + BODY) % RING];
      m = counted[number] > 255 ? 255 : counted[number];
      total[number] = total[number] + m;
      if (split > m || split + close < m) begin
        fail("a counter");
        $display("  counter %0d: %0d, expected %0d (%0d close)", number, split, m, close);
      end
      {plain[BODY+3], plain[BODY+2], plain[BODY+1], plain[BODY]} = split;
      answered;
    end
  endtask

  // A spoilt frame that happens to be good again (a bit flipped twice) was executed, or not if cut
  // off by the next session; it says nothing more.
  task run_batch;
    begin
      good = 0; touched = 0;
      for (split = 0; split == 0 || chance(60); split = 1) rubbish;
      value[0] = 8'd0; n = 1;
      feed(0, 1);
      if (good == 0) begin
        unharmed;
        usable;
      end else begin
        repeat (4000) @(posedge clk);
        ring_out = ring_in; frames_out = frames_in;
        begin_session;
      end
      steps = steps + 1;
    end
  endtask

  initial begin
    begin_world;
    touched = 0; good = 0;
    for (k = 0; k < KINDS; k = k + 1) seen[k] = 0;
    for (k = 0; k < 4; k = k + 1) total[k] = 0;
    for (round = 0; round < ROUNDS && errors < 1000; round = round + 1) begin
      leave_reset;
      stall_tx = random(60);
      r_clear;
      r_since = 100; close = 0;
      for (k = 0; k < 4; k = k + 1) counted[k] = 0;
      begin_session;
      for (batch = 0; batch < BATCHES && errors < 1000; batch = batch + 1) run_batch;
      check_count(KT_LINK_REG_COUNT_CRC, 0);
      check_count(KT_LINK_REG_COUNT_LONG, 1);
      check_count(KT_LINK_REG_COUNT_SHORT, 2);
      check_count(KT_LINK_REG_COUNT_FRAMING, 3);
    end
    for (k = 0; k < KINDS; k = k + 1) if (seen[k] < 3) fail("too little rubbish of a kind");
    for (k = 0; k < 4; k = k + 1) if (total[k] < 3) fail("too few bad frames of a reason");
    if (errors == 0) $display("PASS %0s seed=%0d: %0d batches, %0d cycles", NAME, seed, steps, now);
    else $display("FAIL %0s seed=%0d: %0d errors", NAME, seed, errors);
    $finish;
  end
