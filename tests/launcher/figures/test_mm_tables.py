"""The table of the M-Machine's design space marks numbers whose best and worst are equal, tested on invented designs."""

from __future__ import annotations

import pytest

from fugu.errors import SetupError
from fugu.paper import mm
from fugu.paper._table import Compared
from fugu.paper.mm import glaze
from fugu.paper.mm.claims import Measured
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
    measured = Measured({}, {machine: dict.fromkeys(mm.INTERFACES, DESIGN) for machine in mm.MACHINES}, {},
                        {machine: {BLOCKWRITE: (210, 230)} for machine in mm.MACHINES})
    mm._rows(table, "", benchmark, mm.WAYS, measured)
    expected = [[f"{interface}: {way}", latency, *middle, occupancy, latency, *middle, occupancy]
                for interface in mm.INTERFACES for way, (latency, occupancy) in zip(mm.WAYS, cells, strict=True)
                for middle in [["210 [210–230]" if (benchmark, interface, way) == (BLOCKWRITE, "m-machine", "thread") else ""]]]
    assert [row[1:] for row in table.cells()] == expected


def test_what_the_apps_print_is_read():
    line = "{}: 130 cycles in 2 of 10, at most 134, 132.0 on average\n"
    texts = {app: "".join(line.format(what) for _, what in glaze.LINES.values()) for app in glaze.APPS}
    assert glaze.parse(texts) == dict.fromkeys(glaze.LINES, (130, 134))
    with pytest.raises(SetupError, match=r"^mmrpc has not printed what it measures:\nnothing$"):
        glaze.parse(texts | {"mmrpc": "nothing"})
