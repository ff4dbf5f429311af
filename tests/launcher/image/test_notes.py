"""Notes in a program's file say which kinds of network interface it needs; others are refused with a line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from elf_maker import app, note, noted

from fugu.abi import NOTE, REGS
from fugu.errors import UsageError
from fugu.image import notes
from fugu.run import kinds

FUGU, NONE, SHRIMP = (REGS[f"NETIF_{kind}"] for kind in ("FUGU", "NONE", "SHRIMP"))


def needs(data):
    return notes.needs(Path("my.elf"), data)


def refusal(kind, data, tmp_path):
    """The line with which a program is refused; empty if it is not."""
    path = tmp_path / "my.elf"
    path.write_bytes(data)
    try:
        kinds.check(kind, [("my", path)])
    except UsageError as error:
        return str(error)
    return ""


def test_each_library_is_found_once():
    assert needs(noted(note(), note(library="CRL"), note())) == [((FUGU,), "CRL"), ((FUGU,), "UDM")]


def test_a_library_may_do_with_either_of_two_kinds(tmp_path):
    data = noted(note(FUGU + 256 * NONE))
    assert needs(data) == [((FUGU, NONE), "UDM")]
    assert not refusal("none", data, tmp_path) and not refusal("fugu", data, tmp_path)
    assert refusal("shrimp", data, tmp_path) == "my needs --ni fugu or none, as it uses UDM, but the machine has --ni shrimp."


def test_a_library_may_do_with_one_of_three_kinds(tmp_path):
    data = noted(note(FUGU + 256 * NONE + 65536 * SHRIMP))
    assert needs(data) == [((FUGU, NONE, SHRIMP), "UDM")] and not refusal("shrimp", data, tmp_path)
    assert refusal("m-machine", data, tmp_path) == \
        "my needs --ni fugu, none or shrimp, as it uses UDM, but the machine has --ni m-machine."


def test_without_notes_each_kind_will_do(tmp_path):
    assert needs(app()) == needs(noted()) == []
    assert not refusal("none", app(), tmp_path) and not refusal("fugu", app(), tmp_path)


def test_a_program_for_another_kind_is_refused(tmp_path):
    data = noted(note(), note(library="CRL"))
    assert not refusal("fugu", data, tmp_path)
    assert refusal("none", data, tmp_path) == "my needs --ni fugu, as it uses CRL and UDM, but the machine has --ni none."
    assert refusal("fugu", noted(note(NONE)), tmp_path) == "my needs --ni none, as it uses UDM, but the machine has --ni fugu."


def test_an_unknown_kind_is_refused(tmp_path):
    for kind in ("fugu", "none", "shrimp"):
        assert refusal(kind, noted(note(), note(77, "tomorrow")), tmp_path) == \
            "my needs network interface 77, for tomorrow, and there are fugu (1), m-machine (4), none (2) and shrimp (3) only."


DAMAGED = {
    "part of a note": (note()[:-4], r"its notes have \d+ bytes, and each of them \d+"),
    "another owner": (note(owner=b"GNU\0\0"), "something at 0 that is no note"),
    "a shorter owner": (note(owner=b"GNU\0"), "something at 0 that is no note"),
    "another type": (note() + note(of=2), r"something at \d\d that is no note"),
    "no name": (note(library=""), "has a note at 0 that names no library"),
    "a name for a terminal": (note(library="\x1b[31m"), "has a note at 0 that names no library"),
    "another size": (note(size=3), "something at 0 that is no note"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_notes_are_refused(case):
    data, says = DAMAGED[case]
    with pytest.raises(UsageError, match=rf"my\.elf is a damaged or truncated ELF file: .*{says}"):
        needs(noted(data))


def test_a_name_without_an_end_is_as_long_as_its_place():
    name = "x" * NOTE["LIBRARY"]
    assert re.fullmatch("x+", needs(noted(note(library=name)))[0][1])
