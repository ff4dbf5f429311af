"""The table of the M-Machine's design space marks numbers whose best and worst are equal, tested on invented designs."""

from __future__ import annotations

import pytest

from fugu.paper import mm
from fugu.paper._table import Compared
from fugu.paper.mm.designs import BLOCKWRITE, PING, Seen


def seen(latency, occupancy):
    return Seen(latency, occupancy, (0, 0), 0)


DESIGN = {
    ("thread", PING): seen((20, 29), (7, 7)),
    ("poll-hit", PING): seen((30, 90), (8, 8)),
    ("interrupt-hit", PING): seen((40, 50), (9, 9)), ("interrupt-miss", PING): seen((40, 50), (9, 9)),
    ("thread", BLOCKWRITE): seen((200, 200), (70, 75)),
    ("poll-hit", BLOCKWRITE): seen((300, 600), (80, 80)), ("poll-miss", BLOCKWRITE): seen((500, 900), (80, 85)),
    ("interrupt-hit", BLOCKWRITE): seen((400, 700), (90, 95)), ("interrupt-miss", BLOCKWRITE): seen((300, 400), (90, 99)),
}


@pytest.mark.parametrize("benchmark, cells", [
    (PING, [("20 [20–29]", "7 ="), ("30", "8 ="), ("90", "8 ="), ("40", "9 ="), ("50", "9 =")]),
    (BLOCKWRITE, [("200 =", "70 [70–75]"), ("300", "80"), ("900", "85"), ("400 =", "90"), ("400 =", "99")]),
])
def test_equal_best_and_worst_are_marked(benchmark, cells):
    table = Compared("", mm.COLUMNS)
    mm._rows(table, "", benchmark, mm.WAYS, {machine: dict.fromkeys(mm.INTERFACES, DESIGN) for machine in mm.MACHINES})
    expected = [[f"{interface}: {way}", *pair, *pair]
                for interface in mm.INTERFACES for way, pair in zip(mm.WAYS, cells, strict=True)]
    assert [row[1:] for row in table.cells()] == expected
