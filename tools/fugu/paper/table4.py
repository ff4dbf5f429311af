"""Table 4: cycles to send and to receive a null message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..errors import SetupError
from ._command import run
from ._table import Number, Result, paper_rows
from .steps.interrupts import WARM, receive
from .steps.walk import RECEIVER, SENDER, Code, Walk, cycles, measured, misses

HANDLER = "null_handler_with_dispose"
MOST = 14               # arguments of the longest message
PROTECTION = 10         # percent: how far "about 60 % more" goes
TOTALS = {"send": "Sending a null message", "interrupt": "Receiving it by interrupt",
          "polling": "Receiving it by polling"}
SUBTOTAL = ("interrupt_overhead", "register_save", "gid_check", "timer_setup", "virtual_buffering_overhead",
            "dispatch_upcall")
BEHIND = ("upcall_cleanup", "timer_cleanup", "register_restore")

# Columns, and the machine's options for them. None: cannot be measured yet.
COLUMNS: dict[str, list[str] | None] = {"kernel": [], "hard": [], "soft": ["--atomicity", "soft"]}

Groups = dict[str, dict[str, Number]]


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run("table4", measure, words)


def measure() -> Result:
    """Measures all columns."""
    result = Result("Table 4: cycles to send and receive a null message", list(COLUMNS))
    notes: list[str] = []
    found: dict[str, Groups] = {}
    for column, settings in COLUMNS.items():
        if settings is not None:
            found[column] = kernel(notes) if column == "kernel" else user(column, settings, notes)
    for group, name, paper in paper_rows("table4"):
        result.row(group, name, {column: groups.get(group, {}).get(name) for column, groups in found.items()}, paper)
    result.notes = notes
    _claims(result)
    return result


def _claims(result: Result) -> None:
    totals = {row["group"]: row for row in result.rows if row["row"] == "total"}
    for group, what in TOTALS.items():
        for column, paper in totals[group]["paper"].items():
            ours = totals[group]["ours"].get(column)
            if ours is not None and paper is not None:
                result.aim(column, f"{what}: no more cycles than in the paper.", f"{ours}, paper {paper}",
                           ours <= paper)
    ours, paper = (totals["interrupt"][whose] for whose in ("ours", "paper"))
    more, papers = (100 * (numbers["hard"] / numbers["kernel"] - 1) for numbers in (ours, paper))
    result.claim("hard", "A protected message by interrupt takes about 60 % more cycles than one of the kernel's "
                 f"(within {PROTECTION} points of the paper's {papers:.0f} %).",
                 f"{more:.0f} % more: {ours['hard']} and {ours['kernel']}, paper {paper['hard']} and {paper['kernel']}",
                 abs(more - papers) <= PROTECTION,
                 "Both take fewer cycles than in the paper, and the kernel's own saves most: its handler saves only "
                 "the registers that it uses.")


# ---- columns -----------------------------------------------------------------

def user(column: str, settings: Sequence[str], notes: list[str]) -> Groups:
    """A column: messages from user to user, on a machine with these options."""
    null = receive("direct", ["upcall", "0"], "send_0", "MESSAGE", options=settings)
    long = receive("direct", ["upcall", str(MOST)], f"send_{MOST}", "MESSAGE", options=settings)
    groups = {"send": send(null.code, null.sent), "interrupt": interrupt(null.code, null.walk)}
    groups["send"]["per_argument"] = per_argument(cycles(long.sent) - cycles(null.sent))
    groups["interrupt"]["per_argument"] = per_argument(cycles(long.walk) - cycles(null.walk))
    _note(notes, column, null.gaps, null.walk)
    if column == "hard":
        groups["polling"] = polling(settings, notes)
    return groups


def kernel(notes: list[str]) -> Groups:
    """The column of messages from kernel to kernel."""
    null = receive("direct", ["kernel", "0"], "message_launch", "MISMATCH", parameters=["glaze.ping=1"])
    _note(notes, "kernel", null.gaps, null.walk)
    return {"send": send(null.code, null.sent), "interrupt": interrupt(null.code, null.walk),
            "polling": kernel_polling(notes)}


def kernel_polling(notes: list[str]) -> dict[str, Number]:
    """The polling loop in kernel mode. Our kernel never polls, so it is measured on the bare machine."""
    with measured("latency", bare=True) as machine:
        code = machine.code
        machine.run_to(SENDER, "receive_null", 2)       # the first call brings the code into the cache
        walk = machine.walk(SENDER, code.address("receive_done"))
    turn = last_turn(walk, code.address("receive_poll"))
    notes.append("kernel, polling: on the bare machine (tests/guest/bench/latency.c), as this kernel never polls; "
                 f"{misses(turn)} cache misses.")
    return {**by_row(code, turn), "total": cycles(turn)}


def polling(settings: Sequence[str], notes: list[str]) -> dict[str, Number]:
    """The rows for polling: the last turn, which finds the message, of a loop that polls for one type of message."""
    count = WARM + 5
    with measured("direct", "poll", "0", str(count), options=settings) as machine:
        code = machine.code
        machine.run_to(RECEIVER, "poll_null", WARM + 1)
        walk = machine.walk(RECEIVER, code.address("poll_done"))
        machine.run_to(RECEIVER, "exit")
        own = machine.words(RECEIVER, "gaps", count)
    turn = last_turn(walk, code.address("poll_loop"))
    rows = by_row(code, turn)
    _check("polling", rows, own[WARM])
    _note(notes, "polling", own, turn)
    return {**rows, "total": own[WARM]}


def last_turn(walk: Walk, loop: int) -> Walk:
    """The last turn of a loop that begins at this address."""
    return walk[max(k for k, step in enumerate(walk) if step.pc == loop):]


# ---- rows ----------------------------------------------------------------------

def send(code: Code, walk: Walk) -> dict[str, Number]:
    """The rows for sending: description and launch."""
    launch = cycles([step for step in walk if code.is_operation(step.pc, "LAUNCH")])
    return {"descriptor": cycles(walk) - launch, "launch": launch, "total": cycles(walk)}


def interrupt(code: Code, walk: Walk) -> dict[str, Number]:
    """The rows for receiving by interrupt: everything between two instructions of the interrupted code."""
    rows: Counter[str] = Counter(dict.fromkeys((*SUBTOTAL, HANDLER, *BEHIND), 0))
    rows["interrupt_overhead"] = walk[0].cycles
    rows.update(by_row(code, walk[1:]))
    _check("receiving", rows, cycles(walk))
    return {**rows, "subtotal": sum(rows[row] for row in SUBTOTAL), "total": cycles(walk)}


def by_row(code: Code, walk: Walk) -> dict[str, int]:
    """Cycles by the row that the code names. The program's null handlers have their own row."""
    rows: Counter[str] = Counter()
    for step in walk:
        is_handler = code.function(step.pc).startswith("null_")
        rows[HANDLER if is_handler else code.row(step.pc)] += step.cycles
    return rows


def per_argument(more: int) -> Number:
    """Cycles for each argument; `more` is the difference between the longest message and the null message."""
    return more // MOST if more % MOST == 0 else more / MOST


def _check(what: str, rows: dict[str, int], total: int) -> None:
    if sum(rows.values()) != total:
        raise SetupError(f"{what}: the rows are {sum(rows.values())} cycles together, and the whole is {total}.")


def _note(notes: list[str], column: str, gaps: list[int], walk: Walk) -> None:
    """Adds a note that says whether all messages after WARM took the same time."""
    steady = len(set(gaps[WARM:])) == 1
    same = f"all {len(gaps) - WARM}" if steady else f"NOT all {len(gaps) - WARM}"
    notes.append(f"{column}: after {WARM} messages, {same} took {gaps[WARM]} cycles by the program's own clock too; "
                 f"{misses(walk)} cache misses in each.")
