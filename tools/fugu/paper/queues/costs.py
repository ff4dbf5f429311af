"""Cycles to send an item of a queue and to receive it, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...errors import SetupError
from .. import figures, table4
from .._table import Compared, Number
from ..steps.interrupts import MORE, WALKED, WARM, own_clock, receive
from ..steps.walk import RECEIVER, SENDER, Code, Walk, cycles, measured, misses
from .paper import CYCLES, PAPER

PROGRAM, BLOCKS = "rq", "blocks"
COLUMNS: dict[str, list[str]] = {"hard": [], "soft": ["--atomicity", "soft"]}
NOP = 1             # cycles of the instruction that the late message interrupts
COUNT = WARM + WALKED + MORE
# The rows of table 4 for a message by interrupt, and those of the paper's table 3.
STEPS = {"interrupt_overhead": "post_interrupt", "register_save": "register_allocation_dispatch",
         "gid_check": "atomicity_check", "timer_setup": "timer_setup", "virtual_buffering_overhead": None,
         "dispatch_upcall": "second_dispatch", "null_handler_with_dispose": "stub", "upcall_cleanup":
         "return_to_supervisor", "timer_cleanup": "restore_timer", "register_restore": "return_from_trap",
         "total": "total"}
# Polls: rows, ways of tests/paper/rq.c, and the paper's numbers.
POLLS = {"general_polling": ("general", "general_polling_receive"), "inlined_polling": ("inlined", None),
         "dequeue_RQ_NI": ("ni", None), "dequeue_that_moves_the_item": ("sorted", None),
         "dequeue_from_memory": ("queued", None), "dequeue_from_a_slot": ("fetched", None)}
SENDS = {"enqueue_RQ_NI_1_word": ("ni", "send_ni"), "enqueue_memory_1_word": ("sorted", "send_queue")}
INTERRUPTS = {"item_into_memory": ("arrival", "send_queue"), "item_of_interrupt_queue": ("interrupt", "send_interrupt")}
TRIPS = {"active_messages": "trip-am", "queues_RQ_BY_NI": "trip-ni", "queues_RQ_BY_MEMORY": "trip-memory",
         "queues_RQ_BY_FETCH": "trip-fetch", "until_committed_RQ_BY_FETCH": "trip-commit"}
STORES = (64, 256, 1024, 4096, 16384, 65536)    # bytes of a block
LONG = 200_000      # an atomicity-timeout of more cycles than the largest block takes
LARGEST = f"{STORES[-1]}_bytes,_each_KiB"
UNTIMED = f"{STORES[-1]}_bytes,_long_timeout"
SOFT_STORE = 5      # percent that the largest block may take more with soft atomicity than with hard
# This project's limits for sections with soft atomicity, in cycles.
SECTIONS = {"not_invoked": 60, "invoked": 150, "library_not_invoked": 15, "library_invoked": 90}
SOFTWARE = ("interrupt", "atomicity")   # groups whose numbers in the paper are those of software atomicity
WHY = {"interrupt": "The cycle timer of this machine is 64 bits wide and also serves the slot: setting it up and cleaning it "
                    "up takes more than Alewife's.",
       "atomicity": "With soft atomicity, a trap to the kernel opens a section, and another one closes it. Alewife's "
                    "sections set a word, as those of our libraries do."}
MORE_THAN_TABLE4 = 10       # cycles by which an interrupt may exceed table 4's

Column = dict[tuple[str, str], Number]


def measure() -> Compared:
    """Measures all rows, with hard and soft atomicity. SetupError."""
    found = {column: _column(options) for column, options in COLUMNS.items()}
    result = Compared("Remote queues: cycles to send and to receive", list(COLUMNS), publication=PAPER["source"],
                      paper=PAPER["name"])
    paper = _paper()
    for group, name in found["hard"]:
        key = group, name
        result.row(group, name, {column: found[column][key] for column in COLUMNS},
                   {_judged(group): paper[key]} if paper.get(key) is not None else {})
    result.notes = [
        "Warm caches; round trips without a cache. The numbers beside ours are Alewife's, with protection. Its interrupts "
        "and atomic sections are protected by software, so the ratio is that of our soft column there.",
        f"Without protection, the paper's message by interrupt takes {CYCLES['interrupt_receive']} cycles.",
        "A poll is counted from its first instruction to its last, with the item there.",
    ]
    _claims(result, found, paper)
    return result


def _judged(group: str) -> str:
    """The column to which the paper's numbers of a group belong."""
    return "soft" if group in SOFTWARE else "hard"


def _paper() -> Column:
    receipt = CYCLES["receive_null_user_message_soft_protection"]
    return {**{("send", row): value for row, value in CYCLES["send"].items()},
            **{("interrupt", row): receipt[name] for row, name in STEPS.items() if name},
            **{("poll", row): CYCLES[name] for row, (_, name) in POLLS.items() if name},
            ("poll", "hand_coded_polling"): CYCLES["hand_coded_polling_receive"],
            ("atomicity", "not_invoked"): CYCLES["atomicity_uninvoked"],
            ("atomicity", "invoked"): CYCLES["atomicity_invoked"],
            ("system", "handler_entry_while_polling"): CYCLES["system_handler_entry"]}


def _claims(result: Compared, found: dict[str, Column], paper: Column) -> None:
    for (group, row), ceiling in paper.items():
        if group in ("send", "interrupt") and row != "total":
            continue
        what = f"{group}, {row.replace('_', ' ')}" if row != "total" else group
        number = found[_judged(group)][group, row]
        result.aim(_judged(group), f"{what[0].upper()}{what[1:]}: no more cycles than the paper's {ceiling}.", f"{number}",
                   number is not None and ceiling is not None and number <= ceiling, WHY.get(group, ""))
    for row, most in SECTIONS.items():
        number = found["soft"]["atomicity", row]
        result.aim("soft", f"Atomicity, {row.replace('_', ' ')}: at most {most} cycles.", f"{number}",
                   number is not None and number <= most,
                   "The two traps, their vectors, and the ways back with UAC take 40 cycles of the section.")
    ours = found["hard"]
    limit = cycles(receive("direct", ["upcall", "0"], "send_0", "MESSAGE").walk) + MORE_THAN_TABLE4
    total = ours["interrupt", "total"] or 0
    polled = ours["poll", "general_polling"] or 0
    result.aim("hard", f"An active message by interrupt takes at most {MORE_THAN_TABLE4} cycles more than table 4's.",
               f"{total}, limit {limit}", total <= limit)
    result.claim("hard", "A general poll takes fewer cycles than an interrupt (Alewife: 45 and 55).",
                 f"{polled} and {total}", polled < total)
    _largest_block(result, found)


def _largest_block(result: Compared, found: dict[str, Column]) -> None:
    """Judges what soft atomicity costs a block that takes longer than the atomicity-timeout."""
    hard, soft, untimed = (found[column]["rq_store", row] or 0
                           for column, row in (("hard", LARGEST), ("soft", LARGEST), ("soft", UNTIMED)))
    result.aim("soft", f"A block of {STORES[-1]:,} bytes: at most {SOFT_STORE} % more cycles than with hard atomicity.",
               f"{soft:,} a KiB, hard {hard:,}", 100 * soft <= (100 + SOFT_STORE) * hard,
               f"The receiver polls in one section for the whole block, {hard * STORES[-1] // 1024:,} cycles. With soft "
               "atomicity, dispose does not preset the timer: if a body waits when it runs out, the program goes into "
               "buffered mode, and the kernel takes longer for a body out of the buffer than the network takes to bring the "
               f"next one. With an atomicity-timeout of {LONG:,} cycles it is {untimed:,} a KiB.")


# ---- a column ------------------------------------------------------------------

def _column(options: Sequence[str]) -> Column:
    by_message = receive(PROGRAM, ["am", "0"], "send_am", "MESSAGE", options=options)
    interrupt = table4.interrupt(by_message.code, by_message.walk)
    found: Column = {("send", row): value for row, value in table4.send(by_message.code, by_message.sent).items()}
    for row, (way, function) in SENDS.items():
        found["send", row] = _send(way, function, options)
    hard = not options
    found["poll", "hand_coded_polling"] = table4.polling(options, [])["total"] if hard else None
    for row, (way, _) in POLLS.items():
        found["poll", row] = cycles(_between(way, options))
    found |= {("interrupt", row): interrupt.get(row) for row in STEPS}
    for row, (way, function) in INTERRUPTS.items():
        found["interrupt", row] = cycles(receive(PROGRAM, [way, "0"], function, "MESSAGE", options=options).walk)
    found |= _atomicity(options, cycles(by_message.walk))
    found["system", "handler_entry_while_polling"] = _system() if hard else None
    for row, way in TRIPS.items():
        found["round_trip", row] = _trip(way, options)
    for size in STORES:
        found["rq_store", f"{size}_bytes,_each_KiB"] = _store(size, options)
    found["rq_store", UNTIMED] = _store(STORES[-1], [*options, "--atomicity-timeout", str(LONG)])
    return found


def _store(size: int, options: Sequence[str]) -> int:
    """The cycles of a block for each KiB."""
    return round(_trip(str(size), options, BLOCKS) * 1024 / size)


def _between(way: str, options: Sequence[str]) -> Walk:
    """The steps of a poll. SetupError if polls take different ones."""
    with measured(PROGRAM, way, "0", str(COUNT), options=options) as machine:
        machine.run_to(RECEIVER, f"{way}_begin", WARM)
        walks = []
        for _ in range(WALKED):
            machine.run_to(RECEIVER, f"{way}_begin")
            walks.append(machine.walk(RECEIVER, machine.code.address(f"{way}_end")))
    return _steady(way, walks)


def _send(way: str, function: str, options: Sequence[str]) -> int:
    """The cycles of a function that sends, with its return."""
    with measured(PROGRAM, way, "0", str(COUNT), options=options) as machine:
        machine.run_to(SENDER, function, WARM)
        walks = []
        for _ in range(WALKED):
            machine.run_to(SENDER, function)
            walks.append(machine.walk_until(SENDER, lambda pc: machine.code.function(pc) != function, "its caller"))
    return cycles(_steady(function, walks))


def _steady(what: str, walks: Sequence[Walk]) -> Walk:
    """The walk that takes as long as most of them. SetupError if there is none.

    Where an item's line of the cache is also one of the code's, one walk has a miss more than the others.
    """
    took = [cycles(walk) for walk in walks]
    usual, count = Counter(took).most_common(1)[0]
    if 2 * count <= len(took):
        raise SetupError(f"{what}, after {WARM} others, does not take a constant time: {took} cycles.")
    return walks[took.index(usual)]


def _atomicity(options: Sequence[str], interrupt: int) -> Column:
    """Cycles of an atomic section, and of one in which a message has arrived: without those of the message."""
    found: Column = {}
    for way, prefix in (("section", ""), ("library", "library_")):
        if prefix and not options:      # with hard atomicity, libraries use the same sections
            found |= {("atomicity", f"{prefix}{row}"): None for row in ("not_invoked", "invoked")}
            continue
        opened, closed = figures.section(options, way)
        message = "invoked" if way == "section" else way
        met = _met(message) if options else 0
        late = cycles(_between(message, options)) - NOP - interrupt
        found |= {("atomicity", f"{prefix}not_invoked"): opened + closed,
                  ("atomicity", f"{prefix}invoked"): opened + met + late}
    return found


def _met(way: str) -> int:
    """The cycles of the message's interrupt in a section: with hard atomicity there is none."""
    with measured(PROGRAM, way, "0", str(COUNT), options=COLUMNS["soft"]) as machine:
        machine.run_to(RECEIVER, "message_awaited", WARM)
        walks = []
        for _ in range(WALKED):
            machine.run_to(RECEIVER, "message_awaited")
            walks.append(machine.walk_interrupt("MESSAGE"))
    return cycles(_steady("a message in a section", walks))


def _system() -> int:
    """The cycles from the interrupt of a kernel's message to its handler, while the program polls."""
    found = receive(PROGRAM, ["system", "0"], "message_launch", "MISMATCH", parameters=["glaze.ping=1"])
    return cycles(_before(found.code, found.walk))


def _before(code: Code, walk: Walk) -> Walk:
    """The steps before the null handler."""
    for number, step in enumerate(walk[1:], 1):
        if code.row(step.pc) == table4.HANDLER:
            return walk[:number]
    raise SetupError("no step belongs to the handler of the kernel's message.")


def _trip(way: str, options: Sequence[str], program: str = PROGRAM) -> int:
    """The least cycles of a round trip by the sender's own clock, less those of reading it."""
    with measured(program, way, "0", str(COUNT), options=[*options, "--cache", "off"]) as machine:
        machine.run_to(SENDER, "exit")
        return min(machine.words(SENDER, "gaps", COUNT)[WARM:])
