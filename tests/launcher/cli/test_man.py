"""./run.sh man: a manual page that man and groff format without a warning."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from fugu.cli import man
from fugu.cli.command_table import COMMANDS
from fugu.options.table import OPTIONS

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", '"EXAMPLES"', '"EXIT STATUS"', "SEE ALSO"]


def test_structure():
    lines = man.page().splitlines()
    assert lines[0].startswith('.TH FUGU 1 "')
    assert [line.removeprefix(".SH ") for line in lines if line.startswith(".SH")] == SECTIONS
    assert [line for line in lines if line.startswith(".") and line.split()[0] not in
            (".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi")] == []
    assert lines.count(".nf") == lines.count(".fi")
    for name in COMMANDS:
        assert f".SS {name}" in lines
    assert lines.count(".TP") == len(OPTIONS)


def test_every_option_is_explained():
    text = man.page().replace("\\-", "-")
    for option in OPTIONS:
        for name in option.names:
            assert f"\\fB{name}\\fR" in text
        assert option.help.replace("'", "\\(aq") in text


def test_text_is_no_request():
    assert man._escaped(".TH x") == "\\&.TH x"
    assert man._escaped("'a\\b-c'") == "\\(aqa\\eb\\-c\\(aq"


def test_run_sh_prints_it(launcher):
    done = launcher("man")
    assert (done.returncode, done.stdout, done.stderr) == (0, man.page(), "")


@pytest.mark.parametrize("command", [["groff", "-man", "-Tutf8", "-ww", "-z"], ["man", "--warnings", "-l", "-"]],
                         ids=["groff", "man"])
def test_formatters_have_no_warning(command):
    if not shutil.which(command[0]):
        pytest.skip(f"there is no {command[0]} on this host")
    done = subprocess.run(command, input=man.page(), capture_output=True, text=True, timeout=60,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
    assert (done.returncode, done.stderr) == (0, "")
