# SPDX-License-Identifier: Apache-2.0
# The builds that every change is tried on, named as ktpu-info --variant names them: parameters, or a
# config's name.

KT_TESTED ?= T4-MAXDIM16-BUS64 T4-MAXDIM64-BUS64 T4-MAXDIM16-BUS256 T8-MAXDIM64-BUS64 \
  T8-MAXDIM64-BUS256 T16-MAXDIM64-BUS128
KT_CONFIGS := ice40 ecp5-int8

# $(call build_text,T4-MAXDIM64-BUS64) -> int8,T=4,MAXDIM=64,BUS=64 ; a config's name stays as it is
comma := ,
build_text = $(if $(filter T%,$(1)),int8$(comma)$(subst -BUS,$(comma)BUS=,$(subst -MAXDIM,$(comma)MAXDIM=,$(patsubst T%,T=%,$(1)))),$(1))
