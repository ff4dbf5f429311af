"""./run.sh certify lists what handlers do, or says why they are refused."""

from __future__ import annotations

import re

from refusals import source
from run_sh import run_sh

from fugu.abi import HANDLERS
from fugu.paths import ROOT

PAGE = ROOT / "docs" / "m-machine.md"


def test_handlers_are_listed(stock):
    done = run_sh("certify", stock)
    assert (done.returncode, done.stderr) == (0, "")
    head, titles, *rows = done.stdout.splitlines()
    assert head == f"{stock}: 15 trusted handlers"
    assert re.split(r"  +", titles.strip()) == \
        ["HandlerIP", "handler", "extent", "longest path", "words", "branches backward", "also writes"]
    cells = {row[1]: row for row in (re.split(r"  +", line.strip()) for line in rows)}
    assert cells["looped"][2:5] == ["40 bytes", "44 instructions", "11"] and cells["looped"][5].endswith(": 9")
    assert cells["counted"][4] == "2 to 11"
    assert re.fullmatch(r"0x\w+ to 0x\w+", cells["own_queue"][6])


def test_a_refused_handler_beside_others(stock, assembled):
    wrong = assembled(source(["spin", "behind"]))
    done = run_sh("certify", wrong, stock)
    assert done.returncode == 2
    assert f"{wrong}: 2 trusted handlers, 2 refused\n" in done.stdout and "\n  1          another  8 bytes" not in done.stdout
    assert re.search(r"^  1 +another ", done.stdout, re.MULTILINE) and "spin" not in done.stdout
    lines = done.stderr.splitlines()
    assert [line.partition(", ")[0] for line in lines[:2]] == \
        [f"fugu: {wrong}: handler spin", f"  {wrong}: handler behind"]
    assert lines[2:] == ["  docs/m-machine.md says what a trusted handler may do.", "Try ./run.sh --help"]


def test_a_file_that_cannot_be_read_beside_a_refused_handler(assembled):
    """No list of the other file comes without the lines that refuse its handlers."""
    wrong = assembled(source(["spin"]))
    done = run_sh("certify", wrong, "nothing.elf")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fugu: there is no file nothing.elf")


def test_programs_by_name():
    done = run_sh("certify", "hello", "nullmsg")
    assert (done.returncode, done.stdout) == (0, "hello: no trusted handlers\nnullmsg: no trusted handlers\n")
    done = run_sh("certify", "helo")
    assert done.returncode == 2 and "no app, no guest program and no command 'helo'" in done.stderr


def test_the_longest_name(tmp_path):
    def compiled(name):
        (tmp_path / "my.S").write_text(f'#include "mm-handler.h"\nMM_HANDLER {name}, 0\nMM_NEXT\nMM_HANDLER_END {name}\n'
                                       ".text\n.global main\nmain: retl\nnop\n")
        return run_sh("cc", "my.S", "-o", "my.elf", cwd=tmp_path)
    name = "x" * (HANDLERS["NAME"] - 1)
    done = compiled(name)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"  0          {name}  0 bytes" in run_sh("certify", "my.elf", cwd=tmp_path).stdout
    done = compiled(name + "x")
    assert done.returncode and f"Error: a handler's name has 51 characters at most: {name}x\n" in done.stderr


def test_the_example_of_the_page(tmp_path):
    """docs/m-machine.md: a source, and a session with it."""
    sections = re.search(r"^## Certification.*?(?=^## )", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert sections
    blocks = re.findall(r"(?:^    .*\n|^\n)+", sections[0], re.MULTILINE)
    texts = ["\n".join(line[4:] for line in block.strip("\n").splitlines()) + "\n" for block in blocks if block.strip()]
    sources = [text for text in texts if "#include" in text]
    sessions = [text for text in texts if text.startswith("$ ")]
    assert len(sources) == len(sessions) == 1
    (tmp_path / "tally.S").write_text(sources[0])
    said = ""
    for line in sessions[0].splitlines():
        if line.startswith("$ ./run.sh "):
            done = run_sh(*line.split()[2:], cwd=tmp_path)
            said += f"{line}\n{done.stdout}{done.stderr}"
    # Where code lies depends on the libraries.
    assert re.sub(r"0x1000\w{4}", "0x10000368", said) == sessions[0]
