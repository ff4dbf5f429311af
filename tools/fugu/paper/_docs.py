"""Our numbers in docs/: tables between markers, and figures that sentences quote.

Their source is tests/paper/*.json, which contains what was measured. `./run.sh
paper --update-docs` measures again and writes both. The tests in tests/paper
compare the pages with the files, and the files with a new measurement.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import SetupError
from ..paths import ROOT
from ._table import Claim, Compared, Number, Result, matrix
from .runs.extent import Extent

FILES = ROOT / "tests" / "paper"
DOCS = ROOT / "docs"
PAPER_FIGURES = ("figure7", "figure8", "figure9", "figure10")
FIGURES = (*PAPER_FIGURES, "schedules")
QUEUES = ("rq-solve", "rq-transpose", "rq-strided")
NAMES = ("table4", "table5", "switch", "table6", "protection", "speedup", "crl", "figures", "quoted", "rq", "mbcf", "shrimp", "mm",
         "policies", "shm", *QUEUES, *FIGURES)

# The rows of the table in soft-kernel.md, and the rows of table 4 that they come from.
FAST_PATH = {"interrupt overhead": "interrupt_overhead", "register save": "register_save", "GID check": "gid_check",
             "timer setup": "timer_setup", "virtual buffering overhead": "virtual_buffering_overhead",
             "dispatch and upcall": "dispatch_upcall", "null handler, with `dispose`": "null_handler_with_dispose",
             "upcall cleanup": "upcall_cleanup", "timer cleanup": "timer_cleanup",
             "register restore": "register_restore", "together": "total"}

# Sentences of docs/. {TABLE GROUP ROW COLUMN} is the number, a fifth word the decimal place to round it to;
# in names, _ also stands for a blank.
QUOTES = {
    "caveats.md": ["takes some {table5 - insert_new_page_cleared cycles -3} cycles ([paper.md]"],
    "glaze.md": ["the kernel saves nothing: {figures - kernel_before_upcall cycles} cycles from the interrupt to the "
                 "upcall, {figures - kernel_after_upcall cycles} for the way back"],
    "mbcf.md": ["To the last one's status, sixteen packets take less time all the same, "
                "{mbcf 16_WRITEs_of_a_word,_each single hard} cycles each and not "
                "{mbcf 16_WRITEs_of_a_word,_each combined hard}:",
                "lists of 16 `UPDATE`s that each go on to four copies {quoted - longest_combined cycles} cycles, `READ` "
                "{quoted - longest_read cycles}, `UPDATE` {quoted - longest_update cycles}, `SIGNAL` "
                "{quoted - longest_signal cycles}, `WRITE` {quoted - longest_write cycles}, `FIFO` {quoted - longest_fifo cycles}."],
    "m-machine.md": [
        "a ping takes {mm ping m-machine:_thread paper's_pace:_latency} cycles, with polling "
        "{mm ping m-machine:_polling,_best paper's_pace:_latency} to {mm ping m-machine:_polling,_worst paper's_pace:_latency}, "
        "with interrupts {mm ping m-machine:_interrupt,_best paper's_pace:_latency}.",
        "All processors together spend {mm ping m-machine:_thread paper's_pace:_occupancy} cycles on it, "
        "{mm ping m-machine:_polling,_best paper's_pace:_occupancy} with polling and "
        "{mm ping m-machine:_interrupt,_best paper's_pace:_occupancy} with interrupts.",
        "the frame of an interrupt, a ping takes {mm apart:_ping m-machine:_register_window,_best paper's_pace:_latency} cycles",
        "the longest of the five interfaces still takes {mm ping memory-buffered:_thread paper's_pace:_latency} cycles with a thread.",
        "takes {mm RPC_of_8_arguments m-machine:_thread paper's_pace:_latency} cycles, as a stream of copies "
        "{mm RPC_of_8_arguments register-streaming:_thread paper's_pace:_latency}, out of a buffer "
        "{mm RPC_of_8_arguments register-buffered:_thread paper's_pace:_latency}.",
        "{mm distribute_to_8_nodes m-machine:_thread paper's_pace:_latency} cycles and not "
        "{mm distribute_to_8_nodes register-streaming:_thread paper's_pace:_latency}.",
        "blockwrite takes {mm blockwrite_of_1,024_words m-machine:_thread paper's_pace:_latency} cycles, and "
        "{mm apart:_blockwrite_of_1,024_words m-machine:_thread,_program_waits paper's_pace:_latency} where no program wants them.",
        "Interrupts that find each next message need {mm blockwrite_of_1,024_words m-machine:_interrupt,_best paper's_pace:_latency}",
        "and {mm blockwrite_of_1,024_words m-machine:_interrupt,_worst paper's_pace:_latency} if each message just misses the look.",
        "a ping takes {mm ping m-machine:_thread default:_latency} cycles in registers and "
        "{mm ping memory-buffered:_thread default:_latency} in memory"],
    "shm.md": ["adds to a counter in some {quoted - shm_counter cycles -2} cycles, {quoted - shm_counter_without_visits cycles -2} "
               "without [visits]",
               "in {quoted - shm_counter_plain cycles -2} where locks carry nothing",
               "on three pages, take {quoted - shm_three_locks cycles -2} a section",
               "A barrier of 64 processes on 64 nodes takes some {quoted - shm_barrier_64_of_64 cycles -2} cycles. One of 63 takes "
               "{quoted - shm_barrier_63_of_64 cycles -2}, and one of 32 takes {quoted - shm_barrier_32_of_64 cycles -2}; one of the "
               "last 32 nodes, which is flat, {quoted - shm_barrier_last_32_of_64 cycles -2}."],
    "shrimp.md": ["`./run.sh --ni shrimp -n 8 barrier` takes {quoted - barrier_by_mapped_memory cycles} cycles a barrier; with FUGU's "
                  "messages it is {quoted - barrier cycles}."],
    "paper.md": ["So the total is {figures - null_message_of_fpu cycles} for a process that uses the FPU",
                 "A switch takes {switch - total hard} cycles with hard atomicity and {switch - total soft} with soft,",
                 "{switch - decision hard} of these cycles are the decision"],
    "machine.md": ["the GID is stamped (table 4: {table4 send total hard} cycles to send, hard or soft)"],
    "soft-kernel.md": ["at the same {table4 polling total hard} cycles for a null message",
                       "are emulated: {figures - soft_beginatom cycles} cycles and "
                       "{figures - soft_endatom cycles}",
                       "A section that a message has met takes {rq atomicity invoked soft} in all,",
                       "and one to close it take {rq atomicity not_invoked soft} cycles,",
                       "a load shows that UAC is 0: {rq atomicity library_not_invoked soft} cycles.",
                       "`ta TRAP_CLOSE`: {rq atomicity library_invoked soft} cycles in all.",
                       "Out of the buffer a message costs {figures - soft_handler_from_buffer_more cycles} "
                       "cycles more"],
    "udm.md": ["| `udm_inject()`, without arguments | {table4 send total hard}, plus",
               "| an argument | {table4 send per_argument hard} |",
               "to the interrupted instruction | {table4 interrupt total hard} |",
               "which has the FPU | {figures - null_message_of_fpu cycles} |",
               "from it to the interrupted one | {figures - library_before_handler cycles} + "
               "{figures - library_after_handler cycles} |",
               "by polling | {table4 polling total hard} |",
               "out of the buffer, one after the other | {table5 - null_handler_from_buffer cycles} |",
               "| reading an argument | {table4 interrupt per_argument hard} |",
               "Interrupting another thread takes {figures - interrupted_thread_more cycles} cycles more",
               "that has ended its atomic section, some {figures - interrupted_handler_more cycles -1} more",
               "half described a message, the interrupt takes some "
               "{figures - interrupted_described_more cycles -1} more"],
}

Measured = Mapping[str, Mapping[str, Any]]      # the contents of the files, by name


def measure(name: str, *extent: Extent) -> Result:
    """Measures one of NAMES: a module of this package, or an experiment of queues, which may be run in part."""
    package, _, experiment = name.partition("-")
    module = f".queues.{experiment}" if experiment else f".{package}"
    found: Result = importlib.import_module(module, __package__).measure(*extent)
    return found


def read() -> dict[str, dict[str, Any]]:
    """The numbers in the files."""
    return {name: json.loads((FILES / f"{name}.json").read_text()) for name in NAMES}


def number(measured: Measured, key: str) -> str:
    """A number as text for a sentence. KeyError if there is no such number."""
    table, group, row, column, *places = key.split()
    for one in measured[table]["rows"]:
        if tuple(name.replace(" ", "_") for name in (one["group"] or "-", one["row"])) == (group, row):
            value: Number = {name.replace(" ", "_"): number for name, number in one["ours"].items()}[column]
            if value is None:
                break
            return f"{round(value, int(places[0])):,}" if places else f"{value:,g}"
    raise KeyError(key)


# ---- tables ------------------------------------------------------------------

def _table(name: str) -> Callable[[Measured], str]:
    def render(measured: Measured) -> str:
        rows = measured[name]["rows"]
        return Result("", list(rows[0]["ours"]), rows).markdown()
    return render


def _compared(name: str, source: str = "paper") -> Callable[[Measured], str]:
    def render(measured: Measured) -> str:
        rows = measured[name]["rows"]
        columns = list(dict.fromkeys(column for row in rows for column in row["ours"]))
        return Compared("", columns, rows, source=source).markdown()
    return render


def _figure(name: str, left_out: str = "charged") -> Callable[[Measured], str]:
    """A figure's lines, without the panels whose names contain left_out."""
    def render(measured: Measured) -> str:
        rows = [row for row in measured[name]["rows"] if left_out not in row["group"]]
        table = Compared("", list(rows[0]["ours"]), rows).markdown().splitlines(keepends=True)
        return table[0].replace("|  |  |", f"|  | {measured[name]['x']} |", 1) + "".join(table[1:])
    return render


def _verdicts(name: str) -> Callable[[Measured], str]:
    """What is claimed of a table or figure, whether it holds, and why not."""
    def render(measured: Measured) -> str:
        found = matrix([Claim(**claim) for claim in measured[name]["claims"]])
        head = ["claim, or aim of this project", *(where or "here" for where in found.wheres), "why not"]
        lines = [head, ["---"] * len(head), *found.cells()]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    return render


def _fast_path(measured: Measured) -> str:
    rows = {row["row"]: row for row in measured["table4"]["rows"] if row["group"] == "interrupt"}
    lines = ["| | here, soft | paper, soft | here, hard | paper, hard |", "| --- | --: | --: | --: | --: |"]
    for title, row in FAST_PATH.items():
        cells = [title, *(str(rows[row][whose][column]) for column in ("soft", "hard") for whose in ("ours", "paper"))]
        bold = "**" if title == "together" else ""
        lines.append("| " + " | ".join(f"{bold}{cell}{bold}" for cell in cells) + " |")
    return "\n".join(lines) + "\n"


# Page, marker, and the function that makes the table after the marker.
TABLES: list[tuple[str, str, Callable[[Measured], str]]] = [
    ("paper.md", "table4", _table("table4")), ("paper.md", "table5", _table("table5")),
    ("paper.md", "switch", _compared("switch")),
    ("paper.md", "table6", _compared("table6")), ("paper.md", "speedup", _compared("speedup")),
    ("paper.md", "protection", _compared("protection")), ("mbcf.md", "mbcf", _compared("mbcf", "MBCF paper")),
    *(("paper.md", name, _figure(name)) for name in PAPER_FIGURES), ("shrimp.md", "schedules", _figure("schedules")),
    ("shrimp.md", "verdicts of schedules", _verdicts("schedules")),
    ("shrimp.md", "policies", _compared("policies")), ("shrimp.md", "verdicts of policies", _verdicts("policies")),
    *(("paper.md", f"verdicts of {name}", _verdicts(name))
      for name in ("table4", "table5", "table6", "protection", *PAPER_FIGURES)),
    ("mbcf.md", "verdicts of mbcf", _verdicts("mbcf")),
    ("paper.md", "shrimp", _compared("shrimp", "SHRIMP paper")), ("paper.md", "verdicts of shrimp", _verdicts("shrimp")),
    ("m-machine.md", "mm", _compared("mm", "M-Machine paper")), ("m-machine.md", "verdicts of mm", _verdicts("mm")),
    *(("remote-queues.md", name, _compared(name)) for name in QUEUES),
    *(("remote-queues.md", f"verdicts of {name}", _verdicts(name)) for name in QUEUES),
    ("remote-queues.md", "verdicts of rq", _verdicts("rq")),
    ("shm.md", "verdicts of shm", _verdicts("shm")), ("crl.md", "verdicts of crl", _verdicts("crl")),
    ("crl.md", "crl", _compared("crl", "published")), ("soft-kernel.md", "fast path", _fast_path),
    ("remote-queues.md", "rq", _compared("rq")), ("shm.md", "shm", _compared("shm", "aim")),
]


# ---- pages -------------------------------------------------------------------

def pages(measured: Measured, texts: Mapping[str, str]) -> dict[str, str]:
    """The pages with these numbers. SetupError if a page lacks a marker or a sentence."""
    found = dict(texts)
    for page, marker, render in TABLES:
        found[page] = _fill(page, found[page], marker, render(measured))
    for page, sentences in QUOTES.items():
        for sentence in sentences:
            found[page] = _quote(page, found[page], sentence, measured)
    return found


def _fill(page: str, text: str, marker: str, table: str) -> str:
    begin, end = f"<!-- {marker}: ./run.sh paper --update-docs -->\n", f"<!-- end of {marker} -->\n"
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise SetupError(f"docs/{page} needs once each, one after the other:\n{begin}{end}")
    return text[:text.index(begin)] + begin + "\n" + table + "\n" + text[text.index(end):]


def _quote(page: str, text: str, sentence: str, measured: Measured) -> str:
    """The page's text with the numbers of a sentence replaced. Line breaks and the old numbers do not matter."""
    parts = re.split(r"\{(.*?)\}", sentence)
    pattern = "".join(r"([\d,.]*\d)" if k % 2 else r"\s+".join(map(re.escape, re.split(r"\s+", part)))
                      for k, part in enumerate(parts))
    found = list(re.finditer(pattern, text))
    if len(found) != 1:
        raise SetupError(f"docs/{page} has {len(found)} times, and should have once: {sentence}\n"
                         "tools/fugu/paper/_docs.py lists the sentences that quote a measured number.")
    for group, key in reversed(list(enumerate(parts[1::2], start=1))):
        text = text[:found[0].start(group)] + number(measured, key) + text[found[0].end(group):]
    return text


def texts() -> dict[str, str]:
    """The present text of the pages with our numbers."""
    return {page: (DOCS / page).read_text() for page in sorted({*QUOTES, *(page for page, *_ in TABLES)})}


def update(results: Mapping[str, Result]) -> Iterator[str]:
    """Writes files and pages. Yields the paths of those that change."""
    for name, result in results.items():
        yield from _write(FILES / f"{name}.json", result.json())
    for page, text in pages(read(), texts()).items():
        yield from _write(DOCS / page, text)


def _write(path: Path, text: str) -> Iterator[str]:
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
        yield str(path.relative_to(ROOT))
