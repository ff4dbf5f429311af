"""Table 5: cycles to put messages into the software buffer, and to take them out."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import SetupError
from ._command import run
from ._table import PAPER, Number, Result
from .steps.interrupts import WARM, own_clock, receive
from .steps.walk import RECEIVER, Walk, cycles, measured, misses

MESSAGES = 120          # three pages of the buffer
WALKED = 3              # handlers that are executed step by step
MORE = 5                # handlers after these, which must take as long
SMALL = "1M"            # RAM so small that all frames are soon used
FEW, MANY = 2, 14       # arguments; the difference is three whole cache lines

COLUMN = "cycles"


def main(words: list[str]) -> int:
    """Measures and shows the table."""
    return run("table5", measure, words)


def measure() -> Result:
    """Measures all rows."""
    result = Result("Table 5: cycles to put a null message into the software buffer and to take it out", [COLUMN])
    insertion = receive("buffered", ["0"], "send_0", "MISMATCH", count=MESSAGES)
    handler, few, many = handle(0), handle(FEW), handle(MANY)
    first, *later = insertion.gaps
    least, usual = min(later), cycles(insertion.walk)
    pages = new_pages(insertion.gaps)
    cleared = own_clock("buffered", ["0", str(MESSAGES), "used"], MESSAGES, ["--ram", SMALL])
    for name, value in (("insert_minimum", least), ("insert_new_page", max(pages)),
                        ("insert_new_page_cleared", max(new_pages(cleared))),
                        ("insert_maximum", max(insertion.gaps)),
                        ("null_handler_from_buffer", cycles(handler)),
                        ("per_argument_extracted", per_argument(few, many)),
                        ("minimum_together", least + cycles(handler))):
        result.row("", name, {COLUMN: value}, {COLUMN: PAPER["table5"].get(name)})
    result.notes = [
        f"insert: of {len(later)} messages behind the first, {later.count(usual)} took {usual} cycles, "
        f"{misses(insertion.walk)} cache miss among them; the first one, which begins the buffer with a cold cache, "
        f"took {first}; those behind {WARM} with a new page took {_list(pages)}.",
        f"With no clean page frame left, a new page is cleared first: {_list(new_pages(cleared))} cycles, "
        f"the very first one {cleared[0]}.",
        f"handler: {WALKED + MORE} messages behind {WARM}, record to record, took the same, {misses(handler)} cache "
        "miss among them.",
        f"argument: what {MANY} take more than {FEW}, three lines of the cache.",
    ]
    for row in result.rows:
        ours, paper = row["ours"][COLUMN], row["paper"][COLUMN]
        if paper is not None:
            result.aim("", f"{row['row'].replace('_', ' ').capitalize()}: no more cycles than the paper's {paper:,}.",
                       f"{ours:,}", ours <= paper)
    return result


def new_pages(gaps: list[int]) -> list[int]:
    """The insertions into a warm buffer that needed a new page: those that took more than twice the usual."""
    usual = max(set(gaps), key=gaps.count)
    return [gap for gap in gaps[WARM:] if gap > 2 * usual]


def _list(numbers: list[int]) -> str:
    return " and ".join(map(str, numbers))


def handle(arguments: int, settings: Sequence[str] = ()) -> Walk:
    """The walk from the start of a null handler to that of the next one, with both messages in the buffer.

    SetupError if handlers take different times.
    """
    name = f"null_{arguments}"
    with measured("buffered", str(arguments), str(MESSAGES), options=settings) as machine:
        machine.run_to(RECEIVER, name, WARM + 1)
        walks = [machine.walk(RECEIVER, machine.code.address(name)) for _ in range(WALKED)]
        times = [machine.time(RECEIVER)]
        for _ in range(MORE):
            machine.run_to(RECEIVER, name)
            times.append(machine.time(RECEIVER))
    took = [cycles(walk) for walk in walks] + [after - before for before, after in zip(times, times[1:], strict=False)]
    if any(walk != walks[0] for walk in walks) or set(took) != {took[0]}:
        raise SetupError(f"{name} from the buffer, after {WARM} others, does not take a constant time: {took} cycles.")
    return walks[0]


def per_argument(few: Walk, many: Walk) -> Number:
    """Cycles for each argument, including its share of cache misses."""
    return (cycles(many) - cycles(few)) / (MANY - FEW)
