"""Table 6: what the paper's programs take on eight nodes, alone on the machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ._command import run_chosen
from ._table import PAPER, Compared
from .runs.extent import FULL, Extent
from .runs.skewed import STAGGERED
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
    rows = {row["row"]: row for row in result.rows if row["group"] == app}
    for name, share in (("messages", MESSAGES), ("cycles", CYCLES)):
        ratio = rows[name]["ours"]["soft"] / rows[name]["paper"]["soft"]
        result.claim("soft", f"{app}: {name} within {100 * share:.0f} % of the paper's.",
                     f"{ratio:.3f} of them", abs(ratio - 1) <= share, _why(app, rows))


def _why(app: str, rows: dict[str, dict[str, Any]]) -> str:
    """Why a program's numbers are not the paper's."""
    def less(name: str) -> float:
        return rows[name]["paper"]["soft"] - rows[name]["ours"]["soft"]
    if app in COMPARED:
        return f"apps/{app}/README.md compares them in detail."
    if app == STAGGERED:
        return "Alone, all nodes go through the barriers in the same cycle, as only an exact simulator lets them (figure 8)."
    handlers = less("t_hand") * rows["messages"]["ours"]["soft"] / NODES
    return (f"A handler takes {rows['t_hand']['ours']['soft']} cycles here and {rows['t_hand']['paper']['soft']} in the "
            f"paper: {handlers / 1e6:.1f} of the {less('cycles') / 1e6:.1f} million cycles that {app} takes less. The "
            "paper's source is not published.")
