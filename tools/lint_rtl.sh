#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reads one top module, in one build, with Verilator, Icarus and Yosys. No warning may be left.
#
# usage: tools/lint_rtl.sh TOP BUILD SCRATCH FILE...
#   BUILD    parameters as ktpu-params takes them, "-" for the module's own defaults, or -GNAME=VALUE ...
#   SCRATCH  folder for the tools' output
# KTPU_PARAMS names the ktpu-params program, RTL_INCLUDES holds -I options.
set -uo pipefail

top=$1 build=$2 scratch=$3
shift 3
files=("$@")
read -r -a includes <<<"${RTL_INCLUDES:-}"
mkdir -p "$scratch"
status=0

# judge TOOL EXIT-STATUS: the log must be empty once the waived lines are taken out.
judge() {
  local tool=$1 code=$2 left
  left=$(grep -v -E -f <(grep -v -E '^(#|$)' "lint/waivers-$tool.txt") "$scratch/$tool.log")
  if [ "$code" -ne 0 ] || [ -n "$left" ]; then
    printf 'lint: %s does not accept %s (%s):\n%s\n' "$tool" "$top" "$build" "$left"
    status=1
  fi
}

# The build's parameters: -GT=4 ... for Verilator, -PTOP.T=4 ... for Icarus, pairs for Yosys.
settings=
case $build in
  -) ;;
  -G*) settings=$build ;;
  *) settings=$("$KTPU_PARAMS" -f verilator "$build") || exit 1 ;;
esac
read -r -a verilator_args <<<"$settings"
read -r -a icarus_args <<<"${settings//-G/-P$top.}"
chparam=$(sed -E 's/-G([A-Z_0-9]+)=/-chparam \1 /g' <<<"$settings")

verilator --lint-only -Wall --default-language 1364-2005 "${includes[@]}" "${verilator_args[@]}" \
  --top-module "$top" lint/waivers.vlt "${files[@]}" >"$scratch/verilator.log" 2>&1
judge verilator $?

iverilog -g2005 -Wall "${includes[@]}" "${icarus_args[@]}" -s "$top" -o /dev/null \
  "${files[@]}" >"$scratch/icarus.log" 2>&1
judge icarus $?

# The index of a loop that is guarded becomes a latch that nothing reads: opt_clean takes it out, and
# what is a latch after that is one in hardware.
yosys -q -p "
  read_verilog ${includes[*]} ${files[*]}
  hierarchy -check -top $top $chparam
  proc
  check -assert
  opt_clean
  select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr
" >"$scratch/yosys.log" 2>&1
judge yosys $?

exit $status
