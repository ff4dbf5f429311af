"""--check mmu: a flush that is missing ends the run, and nothing else does."""

import re

import pytest

CHANGES = {"place": 1, "rights": 2, "gone": 3, "clean": 4}
NONE, ALL, ONE, ANOTHER, FROM_OTHER = range(5)
CHECK = 123


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("flush, stay", [(NONE, 0), (ANOTHER, 0), (FROM_OTHER, 0), (NONE, 1), (ANOTHER, 1)])
def test_missing_flush_ends_the_run(machine, change, flush, stay):
    """Also where the context stays the same, so that the return to user mode alone shows the change."""
    words = ("unflushed", f"change={CHANGES[change]}", f"flush={flush}", f"stay={stay}")
    result = machine(*words, nodes=1, check="mmu").check(CHECK)
    found = re.fullmatch(r"fugu: node 0 has not flushed page 0x20000000 of context 0: its MMU may still have the entry "
                         r"0x(\w{8}), and the tables have 0x(\w{8}), at cycle \d+\n", result.stderr)
    assert found, result.report()
    held, entry = (int(text, 16) for text in found.groups())
    assert held & 3 == 2 and entry & 3 == (0 if change == "gone" else 2)
    # Without the check, nothing shows, as QEMU's TLB is flushed with the context.
    if not stay:
        machine(*words, nodes=1).passed(1)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("flush", [ALL, ONE])
def test_what_is_flushed_goes_on(machine, change, flush):
    machine("unflushed", f"change={CHANGES[change]}", f"flush={flush}", nodes=1, check="mmu").passed(1)


@pytest.mark.parametrize("words, options", [(("contexts",), {"nodes": 1}), (("dma",), {"nodes": 1}),
                                            (("pingpong", 3, "+", "null", 20_000), {"nodes": 2})])
def test_check_changes_no_cycle(machine, words, options):
    usual, checked = (machine(*words, digest=True, **options, **more).check() for more in ({}, {"check": "mmu"}))
    assert (checked.digest, checked.stdout) == (usual.digest, usual.stdout)


def test_several_processes(machine):
    """Whichever process the node is in."""
    result = machine("unflushed", nodes=4, processes=2, check="mmu").check(CHECK)
    assert "has not flushed page 0x20000000 of context 0" in result.stderr
