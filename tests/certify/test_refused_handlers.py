"""Each rule for trusted handlers: one that breaks it, and only it, is refused with the line that says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from refusals import CASES, source

from fugu.abi import REGS
from fugu.errors import UsageError
from fugu.image.elf import contents
from fugu.image.elf import read as read_elf
from fugu.image.handlers.certify import certify, trusted

AT_ONCE = REGS["MM_HANDLERS"] - 2


@pytest.fixture(scope="module")
def verdicts(assembled):
    """What becomes of each case, and the line that it should have."""
    found = {}
    for first in range(0, len(CASES), AT_ONCE):
        names = list(CASES)[first:first + AT_ONCE]
        path = assembled(source(names))
        one, another, *others = certify(Path("my.elf"), contents(path))
        assert (one.name, another.name) == ("one", "another")
        elf = read_elf(path, contents(path))
        for name, verdict in zip(names, others, strict=True):
            found[name] = verdict, expected(name, elf)
    return found


def expected(name, elf):
    _, at, text, why = CASES[name]
    entry = elf.symbol(name)
    places = {"MAIN": "main", "INSIDE": "inside_of_another", "RING": "ring"}
    line = f"my.elf: handler {name}, 0x@{at} {text}: {why}."
    for word, symbol in places.items():
        line = re.sub(rf"\b0x{word}([+-]\d+)?", lambda found, at=elf.symbol(symbol): hex(at + int(found[1] or 0)), line)
    return re.sub(r"0x@(-?\d+)", lambda found: hex(entry + int(found[1])), line)


@pytest.mark.parametrize("name", CASES)
def test_a_handler_that_breaks_one_rule(name, verdicts):
    verdict, line = verdicts[name]
    assert verdict == line


def test_the_program_of_a_refused_handler_is_refused(assembled):
    path = assembled(source(["spin"]))
    with pytest.raises(UsageError, match=r"^.*/my\.elf: handler spin, .*loops: .*\ndocs/m-machine\.md says"):
        trusted(path, contents(path))
