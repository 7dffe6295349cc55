# SPDX-License-Identifier: Apache-2.0
# Builds of the hardware, named by their parameters (as ktpu-info --variant names them) or by a config.

# The builds that every change is tried on, with all tests.
KT_TESTED ?= T4-MAXDIM16-BUS64 T4-MAXDIM64-BUS64 T4-MAXDIM16-BUS256 T8-MAXDIM64-BUS64 \
  T8-MAXDIM64-BUS256 T16-MAXDIM64-BUS128
# The builds whose hazards are counted while random programs run: a C large enough that little of
# what they retire is overwritten later.
KT_MONITORED := T4-MAXDIM64-BUS64 T8-MAXDIM64-BUS64 \
  T4-MAXDIM16-BUS64-QD2-CONTRACTS0-STRIDES0-SERIAL_SHIFT1
# Builds of the MXFP7 machine that every change is tried on: full slices; narrow ones with two products
# a multiplier; small capacities, which force rounds and meet every limit.
KT_MX_TESTED ?= sim1 sim1-KSLICE8-PACKED1 sim1-L1_ENTRIES16-TILES16-IFIFO8-STAGING64-COMMANDS32-OUTSTANDING8
# Configs for an FPGA: linted and tried with a few GEMMs on every change.
KT_CONFIGS := ice40 ecp5-int8
# Parts of the Verilog that none of these has: the serial shifter, address unit and stores of halves with
# the common core's hazards, and the smallest core with counters.
KT_FORMS := T4-MAXDIM16-BUS64-SERIAL_SHIFT1 \
  T4-MAXDIM16-BUS64-QD2-OUTSTANDING8-CONTRACTS0-STRIDES0-SERIAL_SHIFT1-ADDR_BITS20
# Other legal builds: linted and tried by `make test-full`.
KT_OTHER := T4-MAXDIM4-BUS64 T4-MAXDIM32-BUS128 T4-MAXDIM64-BUS256 T4-MAXDIM88-BUS64 \
  T8-MAXDIM16-BUS64 T8-MAXDIM64-BUS128 T8-MAXDIM128-BUS64 T16-MAXDIM16-BUS64 T16-MAXDIM64-BUS256 \
  T16-MAXDIM176-BUS128 T8-MAXDIM16-BUS64-STRIDES0
