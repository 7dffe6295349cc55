#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The campaign of wire faults must fail on a link without its check sum, without its duplicate check,
# and without its answers to what is sent again: each is taken out of a copy of the Verilog.
# usage: link_mutants.sh BUILD LINK_FAULTS [N]
set -e
build=$1 faults=$2 n=${3:-2000}

# name | file | what is replaced | by what
mutants='no-check-sum|ktpu_link_rx.v| && sum == KT_LINK_CRC_RESIDUE|
no-duplicate-check|ktpu_link_judge.v|wire stored = open_q && again_q && (is_write .. is_bwrite)|wire stored = 1'"'"'b0
no-answer-to-retry|ktpu_link_judge.v|(next_q .. again_q)|next_q'

try() {
  name=$1 file=$2 from=$3 to=$4
  dir=$build/link-mutants/$name
  mkdir -p "$dir/rtl"
  cp rtl/link/*.v "$dir/rtl/"
  sed "s/$from/$to/" "rtl/link/$file" > "$dir/rtl/$file"
  if cmp -s "rtl/link/$file" "$dir/rtl/$file"; then
    echo "$name: $file has nothing to take out" >&2
    exit 1
  fi
  make --no-print-directory LINK_RTL="$dir/rtl" BOARD_DIR="$dir" "$dir/link-uart/libusb-1.0.so.0" > "$dir/log" 2>&1 ||
    { cat "$dir/log" >&2; exit 1; }
  status=0
  KTPU_BOARD_DIR=$dir "$faults" virtual-link-uart "$n" > "$dir/out" 2>&1 || status=$?
  if [ "$status" != 1 ]; then
    echo "$name: not caught (exit code $status)" >&2
    cat "$dir/out" >&2
    exit 1
  fi
  printf '%-20s caught: %s\n' "$name" "$(sed -n 's/.*FAILED[^:]*: //p' "$dir/out")"
}

echo "$mutants" | while IFS='|' read -r name file from to; do try "$name" "$file" "$from" "$to"; done
