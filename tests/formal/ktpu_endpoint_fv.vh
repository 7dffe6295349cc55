// SPDX-License-Identifier: Apache-2.0
// Properties of ktpu_endpoint, included at its end under FORMAL. The sender (ktpu_mx_dispatch,
// with a proof of its own) sends only what it has a credit for, and gets its first credits, at most
// IFIFO, while nothing is here. Then the FIFO has room for whatever is sent and never overflows; of
// the credits none is made and none is lost but the one of a kick's last instruction; and every
// instruction that was sent waits, runs or has been counted as completed, once. Assumed besides: a
// unit completes later only what it has taken and not completed. Words are any (fv_ktpu_fifo.v).
  reg fv_started = 1'b0;
  always @(posedge clk_i) fv_started <= 1'b1;

  localparam [7:0] MOST = IFIFO;
  (* anyseq *) wire       fv_give;        // the sender's credit is written now
  (* anyseq *) wire [7:0] fv_gift;
  wire        fv_send   = in_valid_i && in_ready_o;
  wire        fv_accept = insn_valid_o && insn_ready_i;
  wire [7:0]  fv_level  = {{(8-LB){1'b0}}, level};
  reg  [7:0]  fv_credit;                  // the sender's
  reg  [7:0]  fv_running;                 // taken, to be completed later
  reg  [7:0]  fv_lost;                    // completed last ones: their credit is gone
  reg  [7:0]  fv_given;
  reg  [31:0] fv_sent;
  wire [7:0]  fv_there = fv_level + fv_running;
  wire        fv_quiet = fv_there == 8'd0 && credits_o == 2'd0;
  always @(posedge clk_i) begin
    fv_credit  <= fv_credit + {6'd0, credits_o} - {7'd0, fv_send};
    fv_running <= fv_running + {7'd0, fv_accept && !accept_done_i} - {7'd0, done_i};
    fv_lost    <= fv_lost + {7'd0, at_once && insn_last_o} + {7'd0, done_i && done_last_i};
    fv_sent    <= fv_sent + {31'd0, fv_send};
    if (fv_give) begin
      fv_credit <= fv_gift;
      fv_given  <= fv_gift;
      fv_lost   <= 8'd0;
    end
    if (clear_i || rst_i) begin
      fv_credit <= 8'd0;
      fv_given  <= 8'd0;
      fv_lost   <= 8'd0;
      fv_sent   <= 32'd0;
    end
    if (rst_i) fv_running <= 8'd0;
  end

  always @* begin
    if (!fv_started) assume (rst_i);
    assume (!in_valid_i || (fv_credit != 8'd0 && !fv_give && !clear_i));
    assume (!fv_give || (fv_quiet && fv_gift <= MOST));
    assume (!clear_i || fv_quiet);
    assume (!done_i || fv_running != 8'd0);
  end

  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      assert (!in_valid_i || in_ready_o);             // room for whatever has a credit
      assert (fv_level <= MOST && fv_credit <= MOST);
      assert (empty_o == (fv_level == 8'd0));
      // what was given is: with the sender, on its way back, at the node, or gone with a last one
      assert (fv_credit + {6'd0, credits_o} + fv_there + fv_lost == fv_given);
      assert (fv_given <= MOST && fv_lost <= MOST && fv_running <= MOST);
      assert (fv_sent == completed_o + {24'd0, fv_there});
    end

  // reachable, all in one run: a full FIFO; two completions in a cycle; a last one's credit gone
  reg [2:0] fv_seen = 3'd0;
  (* keep *) wire fv_all = &fv_seen;
  always @(posedge clk_i)
    if (fv_started && !rst_i) begin
      if (fv_level == MOST) fv_seen[0] <= 1'b1;
      if (at_once && done_i) fv_seen[1] <= 1'b1;
      if (fv_lost != 8'd0 && fv_level != 8'd0) fv_seen[2] <= 1'b1;
    end
