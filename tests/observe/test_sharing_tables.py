"""Names and tables of what shared memory has cost (fugu.observe.sharing), for costs whose sums are known."""

from __future__ import annotations

import pytest

from fugu.abi import GLAZE, SEEN
from fugu.image.elf import Symbol
from fugu.image.line_table import Line
from fugu.observe import sharing
from fugu.observe.figures import Cost, Figures
from fugu.observe.programs import Program, Programs
from fugu.observe.sharing import Block, Names, tables

PAGE = GLAZE["PAGE"]
BLOCKS = [Block(0x1000, 0x100, 0x44), Block(0x2000, 0, 0x48), Block(0x5010, PAGE, 0x4c)]


@pytest.fixture
def names():
    """Three blocks and two variables. The second block is empty, and nothing of the program has a line from 0x50 on."""
    found = Names("program", BLOCKS)
    found._symbols = [Symbol("first", 0x800, 8, False, True), Symbol("last", 0x810, 4, False, True)]
    found._lines = [Line(0x40, "a.c", 1), Line(0x44, "a.c", 2), Line(0x48, "b.c", 3), Line(0x50, None, 0)]
    return found


@pytest.mark.parametrize("pc, place", [
    (0x40, "0x00000040"), (0x41, "a.c:1"), (0x44, "a.c:1"), (0x45, "a.c:2"), (0x48, "a.c:2"), (0x50, "b.c:3"), (0x51, "0x00000051")])
def test_a_call_has_the_line_before_it_returns(pc, place, names):
    assert names.place(pc) == place


@pytest.mark.parametrize("address, name", [
    (0x7ff, ""), (0x800, "first"), (0x807, "first"), (0x808, ""), (0x80f, ""), (0x810, "last"), (0x813, "last"), (0x814, "")])
def test_a_variable_has_its_bytes(address, name, names):
    assert names.variable(address) == name


@pytest.mark.parametrize("address, block", [
    (0xfff, None), (0x1000, 0), (0x10ff, 0), (0x1100, None), (0x2000, 1), (0x2001, None), (0x500f, None), (0x5010, 2),
    (0x500f + PAGE, 2), (0x5010 + PAGE, None)])
def test_a_block_has_its_bytes_and_one_at_least(address, block, names):
    assert names.block(address) == (None if block is None else BLOCKS[block])


@pytest.mark.parametrize("address, whole_page, name", [
    (0x1000, False, "a.c:1"), (0x800, False, "first"), (0x900, False, "0x00000900"),
    (0x5000, False, "0x00005000"), (0x5000, True, "b.c:3"),      # the block begins later on this page
    (0x4000, True, "0x00004000"),                              # it does not begin on this one
    (0x5010 - PAGE, True, "0x00004010"), (0x5011 - PAGE, True, "b.c:3"),       # its last byte is the block's first
    (0x800, True, "a.c:1")])                                    # a block goes before a variable
def test_a_page_has_the_name_of_the_block_on_it(address, whole_page, name, names):
    assert names.of(address, whole_page) == name


@pytest.mark.parametrize("content", [None, b"no program"])
def test_a_program_that_cannot_be_read_names_nothing(content, tmp_path, monkeypatch):
    monkeypatch.setattr(sharing, "up_to_date", lambda parts: {"guest": {"toolchain": str(tmp_path)}})
    file = tmp_path / "program"
    if content:
        file.write_bytes(content)
    found = Names(str(file), BLOCKS)
    assert found.of(0x1000, False) == "0x00000044" and found.of(0x800, False) == "0x00000800"


def cost(kind, address, node, times, cycles, gid=1):
    return Cost(gid=gid, kind=SEEN[f"MARK_SHM_{kind}"], address=address, node=node, times=times, cycles=cycles)


def test_costs_of_a_job_are_summed(monkeypatch, names):
    """By node, cost and name. Those of another job are not in it, nor are its blocks."""
    given = []
    monkeypatch.setattr(sharing, "Names", lambda path, blocks: given.append((path, blocks)) or names)
    figures = Figures()
    figures.costs = [cost("LOCK", 0x800, 1, 2, 30), cost("LOCK", 0x804, 1, 5, 70), cost("LOCK", 0x800, 0, 1, 9),
                     cost("VISIT", 0x800, 1, 3, 11), cost("LOCK", 0x800, 1, 100, 1000, gid=2)]
    figures.blocks = [(1, (0x1000, 0x100, 0x44)), (2, (0x2000, 0, 0x48))]
    found = sharing.of(figures, Programs({1: Program("job", "its path")}, {}), 1)
    assert found == [{"name": "first", "node": 0, "cost": "lock", "times": 1, "cycles": 9},
                     {"name": "first", "node": 1, "cost": "lock", "times": 7, "cycles": 100},
                     {"name": "", "node": 1, "cost": "visit", "times": 3, "cycles": 11}]
    assert given == [("its path", BLOCKS[:1])]
    assert sharing.of(figures, Programs({}, {}), 3) == []
    sharing.of(figures, Programs({}, {}), 2)
    assert given[1] == ("", BLOCKS[1:2])


def one(name, node, kind, times, cycles):
    return {"name": name, "node": node, "cost": kind, "times": times, "cycles": cycles}


def test_tables():
    """Twins and differences are part of other costs: they are no part of all cycles."""
    by_node, by_name = tables([one("x", 0, "lock", 2, 1000), one("y", 0, "lock", 1, 500), one("y", 2, "write_fault", 3, 4000),
                               one("y", 2, "twin", 3, 900), one("", 2, "visit", 7, 60)])
    heads = ("all cycles", "write faults", "locks", "visits", "twins")
    assert by_node == ("by node", [("node", *heads), ("0", "1,500", "", "1,500 (3)", "", ""),
                                   ("2", "4,060", "4,000 (3)", "", "60 (7)", "900 (3)")])
    assert by_name == ("by name", [("name", *heads), ("y", "4,500", "4,000 (3)", "500 (1)", "", "900 (3)"),
                                   ("x", "1,000", "", "1,000 (2)", "", ""), ("(visits)", "60", "", "", "60 (7)", "")])


@pytest.mark.parametrize("more", [0, 1, 3])
def test_tables_end_with_what_has_no_line_of_its_own(more):
    """The names with the fewest cycles. Of equal ones, the last by the alphabet."""
    found = [one(f"n{number:02}", number, "lock", 1, 10) for number in range(32 + more)]
    by_node, by_name = (rows for _, rows in tables(found))
    assert [row[0] for row in by_node[1:33]] == [str(number) for number in range(32)]
    assert by_node[33:] == ([(f"{more} more", str(10 * more), "")] if more else [])
    assert [row[0] for row in by_name[1:21]] == [f"n{number:02}" for number in range(20)]
    assert by_name[21:] == [(f"{12 + more} more", str(10 * (12 + more)), "")]
