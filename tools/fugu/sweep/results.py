"""The results of a sweep: a row for each run and measured section, in the order of the sweep's table."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..abi import STATUS
from ..measured import sections
from .carry_out import LIMIT, OUTPUT_MAX, SPACE, is_final
from .plan import MIB, Plan

# Columns beside those of the sweep's table.
BEFORE = ("line",)
AFTER = ("trial", "section", "occurrence", "status", "reason", "run", "last_line", "digest", "host_seconds")
LINE_MAX = 200              # letters of a last line

DIGEST = re.compile(r"^digest: ([0-9a-f]{16})$", re.MULTILINE)
FROM_KERNEL = re.compile(r"^glaze: (.* is ended: .*|.* the kernel is wrong: .*)$", re.MULTILINE)
STOPPED = "the program stopped the machine"
MEASURED = re.compile(r"measured [^\s:]+: \w+ \S+$")

Cells = dict[str, str | int | float | None]


@dataclass
class Ended:
    """A run as it has ended: status, why if it failed, and what it has measured."""

    status: int | None = None
    reason: str = "it left no result; snakemake.log says more"
    last_line: str = ""
    digest: str = ""
    seconds: float | None = None
    sections: list[tuple[str, int, dict[str, int | float | None]]] = field(default_factory=list)


def read(plan: Plan, key: str) -> dict[str, Any] | None:
    """The record of a run; None if it has not been carried out, or if the record is damaged."""
    try:
        record: dict[str, Any] = json.loads(plan.result(key).read_text())
        record["status"] + record["seconds"], record["ended"]
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return record


def missing(plan: Plan, fresh: bool) -> list[str]:
    """The keys of the runs to carry out: those without a result, and those that failed because of the host.

    `fresh` means all. Their records are removed.
    """
    found = [key for key in dict.fromkeys(plan.keys)
             if fresh or (record := read(plan, key)) is None or not is_final(record)]
    for key in found:
        plan.result(key).unlink(missing_ok=True)
    return found


def write(plan: Plan, file: Path) -> list[str]:
    """Writes the table of results. Returns a line for each run that failed."""
    from ..host.storage import write_atomically

    ended = {key: _ended(plan, key) for key in dict.fromkeys(plan.keys)}
    known = [*BEFORE, *plan.table.columns, *AFTER]
    measured = {name: _renamed(name, known) for one in ended.values() for _, _, numbers in one.sections for name in numbers}
    text = io.StringIO()
    writer = csv.DictWriter(text, [*known, *measured.values()], lineterminator="\n")
    writer.writeheader()
    failed = []
    for wanted, key in zip(plan.table.runs, plan.keys, strict=True):
        run = ended[key]
        common: Cells = {"line": wanted.line, **dict(zip(plan.table.columns, wanted.values, strict=True)),
                         "trial": wanted.trial, "status": run.status, "reason": run.reason, "run": key,
                         "last_line": run.last_line, "digest": run.digest,
                         "host_seconds": run.seconds}
        writer.writerows(_rows(common, run, measured))
        if run.reason:
            failed.append(f"line {wanted.line}, trial {wanted.trial}: {' '.join(wanted.words)}: {run.reason}")
    write_atomically(file, text.getvalue())
    return failed


def _renamed(name: str, known: Sequence[str]) -> str:
    """The column for a measured number: its name, or one that is not taken yet."""
    return f"measured_{name}" if name in known else name


def _rows(common: Cells, run: Ended, columns: Mapping[str, str]) -> Iterator[Cells]:
    for name, occurrence, numbers in run.sections:
        yield common | {"section": name, "occurrence": occurrence} | {columns[key]: one for key, one in numbers.items()}
    if not run.sections:
        yield common


def _ended(plan: Plan, key: str) -> Ended:
    record = read(plan, key)
    if record is None:
        return Ended()
    out, err = (_text(plan.result(key).with_suffix(suffix)) for suffix in (".out", ".err"))
    digests = DIGEST.findall(out)
    numbered = [(name, number, numbers) for name, runs in sections(out).items() for number, numbers in enumerate(runs, 1)]
    return Ended(record["status"], _reason(record, out, err, plan.limit), _last_line(out), digests[-1] if digests else "",
                 record["seconds"], numbered)


def _last_line(out: str) -> str:
    """The last line that the program has printed, without those that are columns: measured numbers and the digest."""
    lines = (line.strip() for line in reversed(out.splitlines()))
    return next((line[:LINE_MAX] for line in lines if line and not MEASURED.match(line) and not DIGEST.match(line)), "")


def _text(file: Path) -> str:
    try:
        return file.read_text(errors="replace")
    except OSError:
        return ""


def _reason(record: dict[str, Any], out: str, err: str, limit: float) -> str:
    """Why a run failed, in one line; empty if it did not."""
    if record["ended"] == LIMIT:
        return f"ended after {limit:g} s of host time (--limit)"
    if record["ended"] == SPACE:
        return f"ended after {OUTPUT_MAX // MIB} MiB of output"
    if record["status"] == 0:
        return ""
    if record["status"] < 0:
        return f"killed by signal {-record['status']}"
    lines = err.strip().splitlines()
    said = [line.removeprefix("fugu: ") for line in lines if line.startswith("fugu: ")]
    if not said:
        at = f"status {record['status']}"
        return f"{at}: {lines[-1]}" if lines else at
    if said[0].startswith(STOPPED) and (why := _last_words(out, lines)):
        return f"{said[0]}: {why}"
    return said[0]


def _last_words(out: str, err: list[str]) -> str:
    """Why a program has ended: by the kernel, or else by the last line that it has printed as an error. It may be empty."""
    if found := FROM_KERNEL.search(out):
        return found[1][:LINE_MAX]
    return next((line.strip()[:LINE_MAX] for line in reversed(err) if line.strip() and not line.startswith("fugu: ")), "")
