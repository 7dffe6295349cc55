// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_mx_flags, included at its end under FORMAL: whichever flag one chooses to
// follow reads as what was written last since clear_i, or as zero, whenever ready_o says that flags
// may be believed; however soon one clear_i comes after the other.
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;
  always @* begin
    if (!fv_started) assume (rst_i);
    assume (!we_i || ready_o);
  end

  (* anyconst *) wire [AW-1:0] fv_at;
  reg             fv_live;                // a clear_i has come: flags mean something
  reg [WIDTH-1:0] fv_value;
  always @(posedge clk_i) begin
    if (we_i && waddr_i == fv_at) fv_value <= wdata_i;
    if (clear_i) begin
      fv_live  <= 1'b1;
      fv_value <= {WIDTH{1'b0}};
    end
    if (rst_i) fv_live <= 1'b0;
  end

  wire [ROW-1:0]   fv_used  = copy_q ? mem1_q[fv_at[AW-1:3]] : mem0_q[fv_at[AW-1:3]];
  wire [ROW-1:0]   fv_other = copy_q ? mem0_q[fv_at[AW-1:3]] : mem1_q[fv_at[AW-1:3]];
  wire [WIDTH-1:0] fv_here  = fv_used[WIDTH * fv_at[2:0] +: WIDTH];
  wire [RW:0]      fv_row   = {1'b0, fv_at[AW-1:3]};

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (!zeroed_q[RW] || zeroed_q[RW-1:0] == {RW{1'b0}});
      assert (zeroed_q <= fv_row || fv_other == {ROW{1'b0}});
      assert (!late_q || !all_zero || swap);
      assert (!fv_live || late_q || fv_here == fv_value);
      assert (!fv_live || !ready_o || raddr_i[AW-1:0] != fv_at || rdata_o[WIDTH-1:0] == fv_value);
      assert (!fv_live || !ready_o || waddr_i != fv_at || here_o == fv_value);
      assert (!late_q || fv_value == {WIDTH{1'b0}});
    end

  // reachable: a clear that has to wait, and a flag set after it and read
  reg [1:0] fv_seen = 2'b00;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (late_q && swap) fv_seen[0] <= 1'b1;
      if (fv_seen[0] && fv_live && ready_o && rdata_o[WIDTH-1:0] != {WIDTH{1'b0}}
          && raddr_i[AW-1:0] == fv_at) fv_seen[1] <= 1'b1;
    end
