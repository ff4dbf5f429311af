"""`./run.sh completion bash`: a script by which bash completes the words of run.sh.

The script is made of the tables of options and commands, and of the names of
programs, benchmarks and events as they are now.
"""

from __future__ import annotations

from .. import bench, paper
from ..commands._measurements import Measurements
from ..commands.apps import bare_names
from ..errors import UsageError
from ..lab.course import labs
from ..options.table import OPTIONS
from ..reference import lookup
from ..run import programs, trace
from .command_table import COMMANDS
from .help import options_of

SHELLS = ("bash",)
FILES, FOLDERS = "FILE", "DIR"          # kinds of words that bash itself completes


def main(words: list[str]) -> int:
    """Prints the script for a shell."""
    if len(words) != 1 or words[0] not in SHELLS:
        raise UsageError(f"completion needs the name of a shell: ./run.sh completion {SHELLS[0]}")
    print(script(), end="")
    return 0


def script() -> str:
    """The script for bash."""
    options = [*(name for option in OPTIONS for name in option.names), "--help", "--version"]
    values = {name: _kind(option.metavar) for option in OPTIONS if option.parse for name in option.names}
    values["--trace"] = " ".join(event.name for event in trace.events())
    of = {command: [name for name, _ in options_of(command)] + ["--help"] for command in COMMANDS}
    for command in COMMANDS:
        values |= {name: _kind(metavar) for name, metavar in options_of(command) if metavar}
    of["debug"] = [*options, *of["debug"]]
    return SCRIPT.format(options=" ".join(options), commands=" ".join(COMMANDS),
                         apps=" ".join(programs.apps()), bare=" ".join(sorted(bare_names())),
                         values=_array(values), of=_array({name: " ".join(words) for name, words in of.items()}),
                         arguments=_array(_arguments()))


def _arguments() -> dict[str, str]:
    """What the words after a command are: names, or a kind."""
    return {"apps": " ".join(programs.apps()), "anl": "make", "cc": FILES, "certify": FILES, "test": FILES, "sweep": FILES,
            "reference": " ".join(lookup.names()),
            "lab": " ".join([*(str(lab.number) for lab in labs()), "check"]),
            "completion": " ".join(SHELLS),
            "bench": " ".join(Measurements(bench, "").names()), "paper": " ".join(Measurements(paper, "").names()),
            "trace": " ".join(event.name for event in trace.events()), "help": " ".join(COMMANDS)}


def _kind(metavar: str) -> str:
    """What a value is: the words to choose from, a kind, or nothing."""
    if "|" in metavar:
        return " ".join(word for word in metavar.split("|") if not word.isupper())
    if metavar in (FOLDERS, "PREFIX"):
        return FOLDERS
    return FILES if FILES in metavar else ""


def _array(entries: dict[str, str]) -> str:
    return "\n".join(f"    [{name}]='{text}'" for name, text in entries.items())


SCRIPT = """\
# How bash completes the words of run.sh. Made by: ./run.sh completion bash

_fugu_options='{options}'
_fugu_commands='{commands}'
_fugu_apps='{apps}'
_fugu_bare='{bare}'
# What the value of an option is: a file, a folder, one of these words, or text.
declare -gA _fugu_values=(
{values}
)
declare -gA _fugu_of=(
{of}
)
declare -gA _fugu_arguments=(
{arguments}
)

_fugu_complete() {{     # KIND WORD: the completions of a word
    case $1 in
    FILE) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    DIR) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2") ;;
    esac
}}

_fugu() {{
    local word i option= program= command= after= options=$_fugu_options
    local -a words=()
    # bash splits words at "=".
    for ((i = 1; i <= COMP_CWORD; i++)); do
        if ((i > 1)) && [[ ${{COMP_WORDS[i]}} == = || ${{COMP_WORDS[i - 1]}} == = ]]; then
            words[-1]+=${{COMP_WORDS[i]}}
        else
            words+=("${{COMP_WORDS[i]}}")
        fi
    done
    for ((i = 0; i < ${{#words[@]}} - 1; i++)); do
        word=${{words[i]}}
        if [[ $option ]]; then
            option=
        elif [[ $program ]]; then
            if [[ $word == + ]]; then program= after=+; fi
        elif [[ $word == -* ]]; then
            if [[ ${{_fugu_values[$word]+known}} ]]; then option=$word; fi
        elif ((i == 0)) && [[ " $_fugu_commands help " == *" $word "* ]]; then
            command=$word options=${{_fugu_of[$word]}}
        else
            program=$word
        fi
    done
    word=${{words[-1]}}
    COMPREPLY=()
    if [[ ! $program$option && $word == -*=* ]]; then
        option=${{word%%=*}}
    fi
    if [[ $option ]]; then
        word=${{word##*=}}
        if [[ ${{_fugu_values[$option]-}} ]]; then _fugu_complete "${{_fugu_values[$option]}}" "$word"; fi
    elif [[ $word == -* && ! $program$after ]]; then
        _fugu_complete "$options" "$word"
    elif [[ $command && $command != debug ]]; then
        if [[ ${{_fugu_arguments[$command]-}} ]]; then _fugu_complete "${{_fugu_arguments[$command]}}" "$word"; fi
    elif [[ $program ]]; then
        _fugu_complete FILE "$word"
    elif [[ $word == */* ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -X '!*.elf' -- "$word"; compgen -d -- "$word")
    else
        local names=$_fugu_apps
        if [[ ! $after ]]; then names+=" $_fugu_bare"; fi
        if ((${{#words[@]}} == 1)); then names+=" $_fugu_commands help"; fi
        mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word"; compgen -f -X '!*.elf' -- "$word")
    fi
}}

complete -F _fugu run.sh
"""
