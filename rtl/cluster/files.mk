# SPDX-License-Identifier: Apache-2.0
# The MXFP7 engine's arithmetic, and the cluster round it.
RTL_MX := \
  rtl/cluster/ktpu_mx_code.v \
  rtl/cluster/ktpu_mx_quotient.v \
  rtl/cluster/ktpu_mx_quant.v \
  rtl/cluster/ktpu_mx_dot.v \
  rtl/cluster/ktpu_fp22_scale.v \
  rtl/cluster/ktpu_fp22_add.v \
  rtl/cluster/ktpu_fp22_half.v
RTL_CLUSTER := \
  rtl/cluster/ktpu_mx_flags.v \
  rtl/cluster/ktpu_mx_score.v \
  rtl/cluster/ktpu_mx_l1.v \
  rtl/cluster/ktpu_mx_operands.v \
  rtl/cluster/ktpu_mx_decode.v \
  rtl/cluster/ktpu_mx_fill.v \
  rtl/cluster/ktpu_mx_sweep.v \
  rtl/cluster/ktpu_mx_array.v \
  rtl/cluster/ktpu_mx_tile.v \
  rtl/cluster/ktpu_mx_armed.v \
  rtl/cluster/ktpu_mx_burst.v \
  rtl/cluster/ktpu_mx_out.v \
  rtl/cluster/ktpu_mx_drain.v \
  rtl/cluster/ktpu_cluster.v
