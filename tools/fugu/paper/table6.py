"""Table 6: what the paper's programs take on eight nodes, alone on the machine."""

from __future__ import annotations

from collections.abc import Sequence

from ._table import PAPER, Compared, parser, show
from .runs.sweep import Job
from .runs.workloads import NODES, WORKLOADS, chosen, job, numbers

# Columns, and the machine's options for them. The paper's numbers are those of the first one.
COLUMNS = {"soft": ("--atomicity", "soft"), "hard": ()}
ROWS = ("cycles", "messages", "t_betw", "t_hand")


def main(words: list[str]) -> int:
    """Measures and shows the table, or the rows of the named programs."""
    reader = parser("table6")
    reader.add_argument("apps", nargs="*", metavar="APP", help=f"of {', '.join(WORKLOADS)} (default: all)")
    reader.add_argument("--fresh", action="store_true", help="run what has been run before, too")
    given = reader.parse_args(words)
    show(measure(list(chosen(given.apps, list(WORKLOADS))), fresh=given.fresh), given)
    return 0


def measure(apps: Sequence[str] = tuple(WORKLOADS), *, small: bool = False, fresh: bool = False) -> Compared:
    """Measures these programs, with the paper's data sets or with small ones."""
    jobs: dict[tuple[str, str], Job] = {(app, column): job(app, NODES, options, small)
                                        for app in apps for column, options in COLUMNS.items()}
    measured = numbers(list(jobs.values()), fresh)
    result = Compared(f"Table 6: programs on {NODES} nodes, alone", list(COLUMNS))
    for app in apps:
        found = {column: measured[jobs[app, column]] for column in COLUMNS}
        for row in ROWS:
            ours = {column: None if (number := one[row]) is None else round(number) for column, one in found.items()}
            result.row(app, row, ours, {} if small else {"soft": PAPER["table6"][app][row]})
    result.notes = ["ratio: soft atomicity, which the paper's section 5 has too, to the paper.",
                    "t_betw: nodes x cycles / messages. t_hand: cycles from interrupt to resumption, a message."]
    return result
