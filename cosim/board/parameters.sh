#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the include file by which a wrapper gives its board's top the build's parameters.
# usage: parameters.sh KTPU_PARAMS BUILD_ID [CONFIG]
set -e
printf '`define KS_BOARD_PARAMETERS .BUILD_ID(%s)' "$2"
[ -z "$3" ] || "$1" -f verilator "$3" | sed "s/ *-G\([A-Z0-9_]*\)=\([^ ]*\)/, .\1(\2)/g" | tr -d '\n'
echo
