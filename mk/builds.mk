# SPDX-License-Identifier: Apache-2.0
# The builds that every change is tried on: t<T>-m<MAXDIM>-b<bus bits>, or a config's name.

KT_TESTED := t4-m16-b64 t4-m64-b64 t4-m16-b256 t8-m64-b64 t8-m64-b256 t16-m64-b128
KT_CONFIGS := ice40 ecp5-int8

# $(call build_text,t4-m64-b64) -> int8,T=4,MAXDIM=64,BUS=64 ; a config's name stays as it is
comma := ,
build_text = $(if $(filter t%,$(1)),int8$(comma)$(subst -b,$(comma)BUS=,$(subst -m,$(comma)MAXDIM=,$(patsubst t%,T=%,$(1)))),$(1))
