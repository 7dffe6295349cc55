# SPDX-License-Identifier: Apache-2.0
# Completion for bash: options come from the programs' own --help, so no list is kept here.
_ktpu()
{
  local cur=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]}
  COMPREPLY=()
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null | grep -oE -e '--[a-z][a-z-]*')" -- "$cur")
  elif [[ $program == *ktpu-run && $COMP_CWORD -eq 1 ]]; then
    mapfile -t COMPREPLY < <(compgen -W "gemm program" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -o filenames -F _ktpu ktpu-run ktpu-info ktpu-sim ktpu-as ktpu-dis
