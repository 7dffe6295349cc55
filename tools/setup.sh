#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes sure that the packages a target needs are there.
#
# usage: tools/setup.sh [c] [test] [rtl] [synth] [ecp5] [plot] [load] [dev] | all
#
# A need is tested by what it gives (a command, a header), so an installation from source counts.
# Missing packages are installed where that is allowed (root, or sudo without a password);
# otherwise the exact command is printed and the script fails.
set -euo pipefail

missing=()

need_command() { # command package
  command -v "$1" >/dev/null 2>&1 || missing+=("$2")
}

need_header() { # header package [option for the compiler]
  printf '#include <%s>\n' "$1" | gcc ${3:+"$3"} -E -x c - >/dev/null 2>&1 || missing+=("$2")
}

need_module() { # Python modules, package
  python3 -c "import $1" >/dev/null 2>&1 || missing+=("$2")
}

need_group() {
  case "$1" in
    c)
      need_command gcc gcc
      need_command python3 python3
      need_header stdio.h libc6-dev
      need_header cjson/cJSON.h libcjson-dev
      need_header zlib.h zlib1g-dev
      need_header ftdi.h libftdi1-dev -I/usr/include/libftdi1
      need_header libusb.h libusb-1.0-0-dev -I/usr/include/libusb-1.0
      ;;
    test)
      need_header criterion/criterion.h libcriterion-dev
      need_header mpfr.h libmpfr-dev
      ;;
    rtl)
      need_command verilator verilator
      need_command iverilog iverilog
      need_command g++ g++
      need_command perl perl
      ;;
    synth)
      need_command yosys yosys
      need_command nextpnr-ice40 nextpnr-ice40
      need_command icepack fpga-icestorm
      ;;
    ecp5) need_module venv,ensurepip python3-venv ;;
    plot) need_command gnuplot gnuplot-nox ;;
    load) need_command openFPGALoader openfpgaloader ;;
    dev) need_command clang-format clang-format ;;
    all) for g in c test rtl synth ecp5 plot load dev; do need_group "$g"; done ;;
    *)
      printf 'setup: unknown group "%s" (c, test, rtl, synth, ecp5, plot, load, dev, all)\n' "$1" >&2
      exit 2
      ;;
  esac
}

find_missing() { # groups
  missing=()
  for g in "$@"; do need_group "$g"; done
}

install_missing() {
  local run=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
      run=(sudo -n)
    else
      return 1
    fi
  fi
  command -v apt-get >/dev/null 2>&1 || return 1
  printf 'setup: installing %s\n' "${missing[*]}" >&2
  "${run[@]}" apt-get update -qq >&2 || return 1
  "${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 \
    --no-install-recommends "${missing[@]}" >/dev/null
}

[ $# -gt 0 ] || set -- all
find_missing "$@"
[ ${#missing[@]} -eq 0 ] && exit 0

# Two make jobs may want packages at once: one installs, the other then finds them there.
exec 9>"${TMPDIR:-/tmp}/ktpu-setup.$(id -u).lock"
flock 9
find_missing "$@"
[ ${#missing[@]} -eq 0 ] && exit 0
install_missing || true
wanted="${missing[*]}"
find_missing "$@"
if [ ${#missing[@]} -ne 0 ]; then
  printf 'setup: these packages are needed: %s\n' "$wanted" >&2
  printf 'setup: install them with:\n  sudo apt-get update && sudo apt-get install -y %s\n' \
    "$wanted" >&2
  exit 1
fi
