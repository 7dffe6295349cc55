# SPDX-License-Identifier: Apache-2.0
# Arithmetic of the MXFP7 engine.
RTL_MX := \
  rtl/cluster/ktpu_mx_code.v \
  rtl/cluster/ktpu_mx_quotient.v \
  rtl/cluster/ktpu_mx_quant.v \
  rtl/cluster/ktpu_mx_dot.v \
  rtl/cluster/ktpu_fp22_scale.v \
  rtl/cluster/ktpu_fp22_add.v \
  rtl/cluster/ktpu_fp22_half.v
