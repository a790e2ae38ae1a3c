# SPDX-License-Identifier: BSL-1.0
# Completes the options, the commands and the benchmarks of Sonde's programs, which they print themselves.
# shellcheck shell=bash

_sonde() {
    local program=$1 word=${COMP_WORDS[COMP_CWORD]} help=--help words= text
    [[ ${program##*/} == IMB-* ]] && help=-help
    case ${program##*/} in
    sonde-*)
        text=$("$program" --help 2>/dev/null)
        if [[ ${text%%$'\n'*} != *' COMMAND ...' ]]; then
            words=
        elif ((COMP_CWORD == 1)); then
            words="$(sed -nE 's/^  ([a-z]+)  .*/\1/p' <<<"$text") --help --version"
        else
            words=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null | _sonde_options)
        fi
        ;;
    IMB-*) [[ $word == -* ]] || words=$("$program" -list 2>/dev/null | sed -n 's/^    //p') ;;
    esac
    [[ -z $words && $word == -* ]] && words=$("$program" "$help" 2>/dev/null | _sonde_options)
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

# The longest name of each option in a help text.
_sonde_options() {
    sed -nE 's/^ +(-[[:alnum:]], )?(--?[[:alnum:]][[:alnum:]_-]*).*/\2/p'
}

# This file has a link for each program, which bash-completion reads when the program is typed. Read by hand, it
# completes all that are on the path. The tools and the suites have a copy each.
_sonde_names=${BASH_SOURCE[0]##*/}
[[ $_sonde_names == sonde || $_sonde_names == osu-imb ]] && _sonde_names=$(compgen -c | grep -E '^(sonde-|osu_|IMB-)')
# shellcheck disable=SC2086 # several names
[[ -z $_sonde_names ]] || complete -o default -F _sonde $_sonde_names
unset _sonde_names
