"""Protection: the share of the programs' run time that it costs, from tables 4 and 6 as in the paper's conclusion.

A message by interrupt costs more than one from kernel to kernel, which is not
protected. Each node receives a message every T_betw cycles. So the share of the
run time is the difference of the two costs by T_betw.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import table4, table6
from ._command import run_programs
from ._table import PAPER, Compared
from .runs.extent import FULL, Extent
from .runs.sweep import Job

COLUMN = "kernel"               # of table 4: the machine without protection
REAL = ("barnes", "water", "lu", "enum")        # the paper's "real applications" of table 6
MOST = 4.0                      # percent: the paper says "an estimated difference in runtime of 1-4 %"
PERCENT = "percent_of_run_time"


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run_programs("protection", measure, words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs: those of table 6."""
    return table6.jobs(extent)


def measure(extent: Extent = FULL) -> Compared:
    """Measures all rows. SetupError."""
    (costs,) = [row for row in table4.measure().rows if (row["group"], row["row"]) == ("interrupt", "total")]
    found = table6.measure(extent=extent.again(False))
    result = Compared("Protection: what it adds to a message, and to the run time of programs", list(extent.atomicity))
    more = {kind: costs["ours"][kind] - costs["ours"][COLUMN] for kind in extent.atomicity}
    result.row("a message by interrupt", "cycles more than the kernel's", more,
               {"hard": _papers()} if "hard" in more else {})
    for row in found.rows:
        if row["row"] != "t_betw":
            continue
        app, paper = row["group"], PAPER["table6"][row["group"]]["t_betw"]
        result.row(app, PERCENT, {kind: round(100 * more[kind] / between, 2) for kind, between in row["ours"].items()},
                   {"hard": round(100 * _papers() / paper, 2)} if "hard" in more else {})
    if "hard" in more:
        _claim(result, found)
    result.notes = [f"Cycles of a message by interrupt (table 4) less those of one of the kernel's, by T_betw (table 6). The "
                    f"paper's column is the same sum of its numbers: {_papers()} cycles by its T_betw, which it measured "
                    "with soft atomicity."]
    return result


def _papers() -> int:
    """The cycles by which the paper's protected message exceeds its kernel's."""
    kernel, hard, _ = PAPER["table4"]["interrupt"]["total"]
    return int(hard - kernel)


def _claim(result: Compared, found: Compared) -> None:
    shares = {row["group"]: row["ours"]["hard"] for row in result.rows if row["group"] in REAL}
    most = max(shares, key=lambda app: shares[app])
    (between,) = [row["ours"]["hard"] for row in found.rows if (row["group"], row["row"]) == (most, "t_betw")]
    result.claim("hard", f"Protection costs real applications 1 to 4 % of their run time (at most {MOST:g}).",
                 ", ".join(f"{app} {share:.2f} %" for app, share in shares.items()), shares[most] <= MOST,
                 f"A message costs as much more as in the paper, but {most} has one every {between:,} cycles here, and every "
                 f"{PAPER['table6'][most]['t_betw']:,} there.")
