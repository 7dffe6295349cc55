// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_int8_write, included at its end under FORMAL, for every row address that C's
// alignment allows: the port keeps to AXI4 (valid holds, aligned, no burst across 4 KiB, wlast on
// the last beat), beat k of a row goes to the row's address plus k beats with the row's bytes and
// strobes, each beat once, and a row is taken when all of it has gone.
  localparam integer NALIGN = T > BB ? BB : T;
  localparam integer WALIGN = 4 * T > BB ? BB : 4 * T;

  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;

  // ---- assumed: rows are aligned as C is, and hold until taken
  reg                  fv_waits;
  reg [ADDR_BITS-1:0]  fv_addr;
  reg                  fv_wide;
  reg [T*32-1:0]       fv_row;
  always @(posedge clk_i) begin
    fv_waits <= row_valid_i && !row_ready_o && !rst_i;
    fv_addr <= row_addr_i;
    fv_wide <= row_wide_i;
    fv_row  <= row_i;
  end
  always @* begin
    if (!fv_started) assume (rst_i);
    assume (!fv_waits || (row_valid_i && row_addr_i == fv_addr && row_wide_i == fv_wide
                       && row_i == fv_row));
    assume (row_addr_i % (row_wide_i ? WALIGN : NALIGN) == 0);
    assume (row_wide_i || row_i == {4{row_i[T*8-1:0]}});   // a narrow row comes four times over
  end

  // ---- what has gone of the current row, in beats
  reg [7:0] fv_aw, fv_w;
  reg       fv_begun;                     // something of the row has been offered
  wire [7:0] fv_beats = row_wide_i ? WIDE : NARROW;
  wire [7:0] fv_aw_to = aw_valid_o ? fv_aw + aw_len_o + 8'd1 : fv_aw;  // covered by addresses
  always @(posedge clk_i) begin
    if (aw_hs) fv_aw <= fv_aw + aw_len_o + 8'd1;
    if (w_hs)  fv_w  <= fv_w + 8'd1;
    fv_begun <= (aw_valid_o || w_valid_o || fv_begun) && !row_ready_o;
    if (row_ready_o || rst_i) begin
      fv_aw <= 8'd0;
      fv_w  <= 8'd0;
    end
    if (rst_i) fv_begun <= 1'b0;
  end

  reg                   fv_aw_waits, fv_w_waits;
  reg [ADDR_BITS+7:0]   fv_aw_last;
  reg [BUS_BITS+BB:0]   fv_w_last;
  always @(posedge clk_i) begin
    fv_aw_waits <= aw_valid_o && !aw_ready_i && !rst_i;
    fv_w_waits <= w_valid_o && !w_ready_i && !rst_i;
    fv_aw_last <= {aw_addr_o, aw_len_o};
    fv_w_last  <= {w_data_o, w_strb_o, w_last_o};
  end

  // beat fv_w of the row, worked out byte by byte; bytes without a strobe are free
  wire [31:0] fv_bytes  = row_wide_i ? 4 * T : T;
  wire [31:0] fv_offset = row_addr_i % BB;   // where a row shorter than a beat begins
  reg         fv_data_ok;
  reg [31:0]  fv_from;
  integer     fv_i;
  always @* begin
    fv_data_ok = 1'b1;
    fv_from    = 32'd0;
    for (fv_i = 0; fv_i < BB; fv_i = fv_i + 1) begin
      fv_from = fv_i - fv_offset + fv_w * BB;              // byte fv_i is this byte of the row
      if (w_strb_o[fv_i] != (fv_i >= fv_offset && fv_from < fv_bytes)) fv_data_ok = 1'b0;
      if (w_strb_o[fv_i] && w_data_o[8*fv_i +: 8] != ((row_i >> (8 * fv_from)) & 8'hff))
        fv_data_ok = 1'b0;
    end
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (!fv_aw_waits || (aw_valid_o && fv_aw_last == {aw_addr_o, aw_len_o}));
      assert (!fv_w_waits || (w_valid_o && fv_w_last == {w_data_o, w_strb_o, w_last_o}));
      assert (!aw_valid_o || aw_addr_o % BB == 0);
      assert (!aw_valid_o || {1'b0, aw_addr_o[11:0]} + (aw_len_o + 13'd1) * BB <= 13'd4096);
      assert (!aw_valid_o || aw_addr_o == ((row_addr_i - fv_offset + fv_aw * BB)
                                       & {ADDR_BITS{1'b1}}));
      assert (!w_valid_o || fv_data_ok);
      assert (!w_valid_o || fv_w < fv_aw_to);
      assert (!w_valid_o || w_last_o == (fv_w + 8'd1 == fv_aw_to));
      assert (fv_aw_to <= fv_beats && fv_w <= fv_beats);
      assert (!row_ready_o || (fv_aw_to == fv_beats && fv_w + w_hs == fv_beats));
      assert (!stop_i || fv_begun || (!aw_valid_o && !w_valid_o));
      assert (!(aw_valid_o || w_valid_o) || row_valid_i);
      // the module's registers against the counts, for the induction
      assert (begun_q == fv_begun);
      assert (crosses || (beat_q == fv_w && aw_done_q == (fv_aw == fv_beats)
                          && w_done_q == (fv_w == fv_beats) && (fv_aw == 8'd0 || aw_done_q)));
      assert (!crosses || (beat_q < fv_beats && fv_aw == beat_q + aw_done_q
                           && fv_w == beat_q + w_done_q));
      assert (!(aw_done_q && w_done_q));
      assert (row_valid_i || !begun_q);
      assert (fv_begun || (fv_aw == 8'd0 && fv_w == 8'd0));
      assert (!fv_begun || fv_waits);
      assert (!fv_aw_waits || (fv_begun && !aw_done_q));
      assert (!fv_w_waits || (fv_begun && !w_done_q));
    end

  // reachable, all in one run: a wide row in one burst and one that crosses 4 KiB (where rows can)
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (row_ready_o && row_wide_i) fv_seen[0] <= 1'b1;
      if (row_ready_o && (WIDE == 1 || fv_aw != 8'd0 && aw_valid_o)) fv_seen[1] <= 1'b1;
    end
