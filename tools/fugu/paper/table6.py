"""Table 6: what the paper's programs take on eight nodes, alone on the machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ._command import run_chosen
from ._table import PAPER, Compared
from .runs.extent import FULL, Extent
from .runs.sweep import Job
from .runs.workloads import NODES, WORKLOADS, job, numbers

ROWS = ("cycles", "messages", "t_betw", "t_hand")
MESSAGES = 0.03         # the share by which messages may differ from the paper's
COMPARED = ("barnes", "water", "lu")     # whose pages compare the program with the paper's
CYCLES = 0.2            # the same for cycles: footnote 3 of the paper says so of its own simulator


def main(words: list[str]) -> int:
    """Measures and shows the table, or the rows of the named programs."""
    return run_chosen("table6", measure, list(WORKLOADS), words)


def jobs(extent: Extent) -> Iterable[Job]:
    """All runs that the table needs."""
    return _jobs(tuple(WORKLOADS), extent).values()


def measure(apps: Sequence[str] = tuple(WORKLOADS), extent: Extent = FULL) -> Compared:
    """Runs the programs that have not been run before. The paper's numbers are those of soft atomicity."""
    jobs = _jobs(apps, extent)
    measured = numbers(list(jobs.values()), extent.fresh)
    result = Compared(f"Table 6: programs on {NODES} nodes, alone", list(extent.atomicity))
    for app in apps:
        found = {kind: measured[jobs[app, kind]] for kind in extent.atomicity}
        for row in ROWS:
            ours = {kind: None if (number := one[row]) is None else round(number) for kind, one in found.items()}
            result.row(app, row, ours, {} if extent.small else {"soft": PAPER["table6"][app][row]})
        if not extent.small:
            _claims(result, app)
    result.notes = ["ratio: soft atomicity, which the paper's section 5 has too, to the paper.",
                    "t_betw: nodes x cycles / messages. t_hand: cycles from interrupt to resumption, a message."]
    return result


def _jobs(apps: Sequence[str], extent: Extent) -> dict[tuple[str, str], Job]:
    return {(app, kind): job(app, NODES, ("--atomicity", kind), extent.small)
            for app in apps for kind in extent.atomicity}


def _claims(result: Compared, app: str) -> None:
    for name, share in (("messages", MESSAGES), ("cycles", CYCLES)):
        row = next(row for row in result.rows if (row["group"], row["row"]) == (app, name))
        ratio = row["ours"]["soft"] / row["paper"]["soft"]
        result.claim("soft", f"{app}: {name} within {100 * share:.0f} % of the paper's.",
                     f"{ratio:.3f} of them", abs(ratio - 1) <= share,
                     f"apps/{app}/README.md compares them in detail." if app in COMPARED else "")
