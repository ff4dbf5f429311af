"""./run.sh completion bash: bash itself sources the script and completes words."""

from __future__ import annotations

import subprocess

import pytest
from run_sh import run_sh

from fugu.cli.command_table import COMMANDS
from fugu.options.table import BY_NAME
from fugu.run import programs

DRIVER = """
source "$1"; shift
complete -p run.sh >&2 || exit 9
COMP_WORDS=(./run.sh "$@") COMP_CWORD=$#
_fugu
printf '%s\\n' "${COMPREPLY[@]}"
"""

# Words, the last of which is to be completed, and what bash offers.
CASES = {
    "command": (["deb"], {"debug"}),
    "commands and names": (["pa"], {"paper"}),
    "an app": (["pingp"], {"pingpong"}),
    "a program for the bare machine": (["whoa"], {"whoami"}),
    "no command after options": (["-n", "4", "deb"], set()),
    "name after options": (["-n", "4", "--digest", "pingp"], {"pingpong"}),
    "name after an option with =": (["--nodes", "=", "4", "pingp"], {"pingpong"}),
    "option": (["--trace-"], {"--trace-file"}),
    "options": (["--cache"], {"--cache", "--cache-size", "--cache-miss"}),
    "one of some words": (["--transport", "s"], {"shm"}),
    "one of all words": (["--atomicity", ""], {"hard", "soft"}),
    "one of some words after =": (["--transport", "=", "s"], {"shm"}),
    "nothing is known after =": (["--transport", "="], {"shm", "unix", "tcp"}),
    "event": (["--trace", "fugu_rounds_e"], {"fugu_rounds_end"}),
    "number": (["-n", ""], set()),
    "file of an option": (["--load", "sa"], {"saved.snap"}),
    "file after a node": (["--disk", "0", "=", "sa"], {"saved.snap"}),
    "ELF file": (["my"], {"my.elf"}),
    "ELF file in a folder": (["sub/"], {"sub/other.elf", "sub/deep"}),
    "argument": (["pingpong", "no"], {"notes.txt"}),
    "no option after the program": (["pingpong", "--tr"], set()),
    "app after a +": (["pingpong", "3", "+", "nul"], {"null"}),
    "no command after a +": (["pingpong", "+", "set"], set()),
    "command's option": (["setup", "--to"], {"--toolchain"}),
    "command's folder": (["setup", "--toolchain", "s"], {"sub"}),
    "command's file": (["cc", "no"], {"notes.txt"}),
    "command's name": (["bench", "roun"], {"rounds"}),
    "app of a command": (["apps", "pingp"], {"pingpong"}),
    "command's command": (["help", "cle"], {"clean"}),
    "debug's option": (["debug", "--at"], {"--atomicity", "--atomicity-timeout", "--attach"}),
    "debug's app": (["debug", "-n", "2", "pingp"], {"pingpong"}),
    "name of the reference": (["reference", "udm_injectc_b"], {"udm_injectc_body", "udm_injectc_body2"}),
    "shell": (["completion", ""], {"bash"}),
}


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    """The script, in a file."""
    path = tmp_path_factory.mktemp("completion") / "fugu"
    path.write_text(run_sh("completion", "bash", check=True).stdout)
    return path


@pytest.fixture
def complete(script, tmp_path):
    """complete(*words) -> what bash offers for the last one, in a folder with some files."""
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    for name in ("my.elf", "notes.txt", "saved.snap", "sub/other.elf", "sub/other.c"):
        (tmp_path / name).touch()

    def run(*words):
        done = subprocess.run(["bash", "--norc", "-c", DRIVER, "bash", script, *words], cwd=tmp_path,
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return set(filter(None, done.stdout.splitlines()))
    return run


@pytest.mark.parametrize("case", CASES)
def test_words_are_completed(case, complete):
    words, offered = CASES[case]
    assert complete(*words) == offered


def test_everything_is_offered(complete):
    """Each option, command and app of the tables."""
    assert complete("-") == {*BY_NAME, "--help", "--version"}
    assert complete("") >= {*COMMANDS, *programs.apps(), "help"}
    assert complete("setup", "-") == {"--qemu-source", "--toolchain", "--forget", "--key", "--help"}
