// Generated from spec/mx.json by kt-gen: do not edit.
// SPDX-License-Identifier: Apache-2.0
// What is wrong with an MXFP7 instruction's bits alone; included inside the module that checks it.

// The first field, in the order of the table, below its least value, above its largest or no multiple: {found, number, value}.
function [40:0] kt_mx_field_wrong(input [255:0] f);
  begin
    kt_mx_field_wrong = 41'd0;
    case (f[7:0])
      8'd1: begin // FILL
        if (f[31:24] > 8'd0) kt_mx_field_wrong = {1'b1, 8'd6, 24'd0, f[31:24]};
        else if (f[36:32] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd7, f[63:32]};
        else if (f[79:64] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd8, 16'd0, f[79:64]};
        else if (f[79:64] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd8, 16'd0, f[79:64]};
        else if (f[95:80] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd9, 16'd0, f[95:80]};
        else if (f[95:80] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd9, 16'd0, f[95:80]};
        else if (f[100:96] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd10, f[127:96]};
        else if (f[132:128] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd11, f[159:128]};
        else if (f[164:160] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd12, f[191:160]};
        else if (f[207:192] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd13, 16'd0, f[207:192]};
        else if (f[207:192] > 16'd1024) kt_mx_field_wrong = {1'b1, 8'd13, 16'd0, f[207:192]};
        else if (f[223:208] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd14, 16'd0, f[223:208]};
        else if (f[223:208] > 16'd8192) kt_mx_field_wrong = {1'b1, 8'd14, 16'd0, f[223:208]};
        else if (f[239:224] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd15, 16'd0, f[239:224]};
        else if (f[239:224] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd15, 16'd0, f[239:224]};
      end
      8'd2: begin // GEMM
        if (f[47:32] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd22, 16'd0, f[47:32]};
        else if (f[47:32] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd22, 16'd0, f[47:32]};
        else if (f[63:48] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd23, 16'd0, f[63:48]};
        else if (f[63:48] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd23, 16'd0, f[63:48]};
        else if (f[79:64] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd24, 16'd0, f[79:64]};
        else if (f[79:64] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd24, 16'd0, f[79:64]};
        else if (f[95:80] > 16'd511) kt_mx_field_wrong = {1'b1, 8'd25, 16'd0, f[95:80]};
        else if (f[111:96] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd26, 16'd0, f[111:96]};
        else if (f[111:96] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd26, 16'd0, f[111:96]};
        else if (f[127:112] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd27, 16'd0, f[127:112]};
        else if (f[127:112] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd27, 16'd0, f[127:112]};
      end
      8'd3: begin // DRAIN
        if (f[9:8] > 2'd1) kt_mx_field_wrong = {1'b1, 8'd28, 30'd0, f[9:8]};
        else if (f[23:16] > 8'd0) kt_mx_field_wrong = {1'b1, 8'd30, 24'd0, f[23:16]};
        else if (f[36:32] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd31, f[63:32]};
        else if (f[79:64] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd32, 16'd0, f[79:64]};
        else if (f[79:64] > 16'd512) kt_mx_field_wrong = {1'b1, 8'd32, 16'd0, f[79:64]};
        else if (f[95:80] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd33, 16'd0, f[95:80]};
        else if (f[95:80] > 16'd512) kt_mx_field_wrong = {1'b1, 8'd33, 16'd0, f[95:80]};
        else if (f[100:96] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd34, f[127:96]};
        else if (f[143:128] > 16'd511) kt_mx_field_wrong = {1'b1, 8'd35, 16'd0, f[143:128]};
      end
      8'd4: begin // QUANTISE
        if (f[31:16] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd37, 16'd0, f[31:16]};
        else if (f[36:32] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd38, f[63:32]};
        else if (f[79:64] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd39, 16'd0, f[79:64]};
        else if (f[79:64] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd39, 16'd0, f[79:64]};
        else if (f[95:80] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd40, 16'd0, f[95:80]};
        else if (f[95:80] > 16'd256) kt_mx_field_wrong = {1'b1, 8'd40, 16'd0, f[95:80]};
        else if (f[100:96] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd41, f[127:96]};
        else if (f[132:128] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd42, f[159:128]};
        else if (f[164:160] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd43, f[191:160]};
        else if (f[207:192] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd44, 16'd0, f[207:192]};
        else if (f[207:192] > 16'd1024) kt_mx_field_wrong = {1'b1, 8'd44, 16'd0, f[207:192]};
        else if (f[223:208] < 16'd1) kt_mx_field_wrong = {1'b1, 8'd45, 16'd0, f[223:208]};
        else if (f[223:208] > 16'd8192) kt_mx_field_wrong = {1'b1, 8'd45, 16'd0, f[223:208]};
        else if (f[228:224] != 5'd0) kt_mx_field_wrong = {1'b1, 8'd46, f[255:224]};
      end
      default: kt_mx_field_wrong = 41'd0;
    endcase
  end
endfunction

// The first word with a bit that belongs to no field: {found, word}.
function [3:0] kt_mx_reserved_wrong(input [255:0] f);
  begin
    kt_mx_reserved_wrong = 4'd0;
    case (f[7:0])
      8'd1: begin // FILL
        if ((f[31:0] & 32'h0000E000) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd0};
        else if ((f[255:224] & 32'hFFFF0000) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd7};
      end
      8'd2: begin // GEMM
        if ((f[31:0] & 32'h0000F000) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd0};
        else if ((f[159:128] & 32'hFFFFFFFF) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd4};
        else if ((f[191:160] & 32'hFFFFFFFF) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd5};
        else if ((f[223:192] & 32'hFFFFFFFF) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd6};
        else if ((f[255:224] & 32'hFFFFFFFF) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd7};
      end
      8'd3: begin // DRAIN
        if ((f[31:0] & 32'hFF00F800) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd0};
        else if ((f[159:128] & 32'hFFFF0000) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd4};
        else if ((f[191:160] & 32'hFFFFFFFF) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd5};
        else if ((f[223:192] & 32'hFFFFFFFF) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd6};
        else if ((f[255:224] & 32'hFFFFFFFF) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd7};
      end
      8'd4: begin // QUANTISE
        if ((f[31:0] & 32'h0000F700) != 32'd0) kt_mx_reserved_wrong = {1'b1, 3'd0};
      end
      default: kt_mx_reserved_wrong = 4'd0;
    endcase
  end
endfunction
