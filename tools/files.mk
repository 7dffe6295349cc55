# SPDX-License-Identifier: Apache-2.0
KT_PROGRAMS += ktpu-params
ktpu-params_SRCS := tools/ktpu_params.c
