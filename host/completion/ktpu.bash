# SPDX-License-Identifier: Apache-2.0
# Completion for bash: options come from the programs' own --help and boards from ktpu-info --list, so
# no list is kept here.
_ktpu_devices()
{
  printf '%s\n' ref:int8 sim:int8 ftdi:
  ktpu-info --list 2>/dev/null | awk '$2 == "yes" {print "ftdi:" $1}' | sort -u
}

_ktpu()
{
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} program=${COMP_WORDS[0]}
  # of bash-completion: a colon or an equals sign is part of the word
  if declare -F _get_comp_words_by_ref >/dev/null; then _get_comp_words_by_ref -n := cur prev; fi
  COMPREPLY=()
  if [[ $prev == -d || $prev == --device || ($program == *ktpu-info && $cur != -*) ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_ktpu_devices)" -- "$cur")
    if declare -F __ltrim_colon_completions >/dev/null; then __ltrim_colon_completions "$cur"; fi
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null | grep -oE -e '--[a-z][a-z-]*')" -- "$cur")
  elif [[ $program == *ktpu-run && $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "gemm program" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -o filenames -F _ktpu ktpu-run ktpu-info ktpu-sim ktpu-as ktpu-dis
