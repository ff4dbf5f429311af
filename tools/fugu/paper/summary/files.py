"""The report's files: the page, and its numbers as JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...errors import UsageError
from ...host import storage
from .._table import PAPER
from .collect import Found, Report

PAGE, JSON, CSV = "report.html", "report.json", "report.csv"


def check(folder: Path) -> None:
    """Makes the folder and tries to write there, before anything takes long. UsageError."""
    probe = folder / f".{JSON}.probe"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(f"--output {folder}: {error.strerror}.\nName a folder that can be written.") from None


def numbers(report: Report) -> dict[str, str]:
    """The files without the page, by name."""
    return {JSON: as_json(report), CSV: as_csv(report)}


def write(folder: Path, texts: Mapping[str, str | bytes]) -> list[Path]:
    """Writes files by name, each as a whole, and returns their paths. UsageError."""
    for name, text in texts.items():
        try:
            storage.write_atomically(folder / name, text)
        except OSError as error:
            raise UsageError(f"--output {folder}: {name} cannot be written: {error.strerror}.") from None
    return [folder / name for name in texts]


def as_json(report: Report) -> str:
    """Everything in the report: verdicts, numbers, the host's time."""
    return json.dumps({
        "paper": PAPER["source"],
        "extent": report.extent.title,
        "scores": [asdict(score) for score in report.scores],
        "host": {"seconds": round(report.seconds, 1), "cores": report.cores, "runs": report.runs, "ran": report.ran,
                 "run_seconds": round(report.run_seconds, 1)},
        "parts": [_part(found) for found in report.parts],
    }, indent=1) + "\n"


def _part(found: Found) -> dict[str, Any]:
    data: dict[str, Any] = {"name": found.part.name, "heading": found.part.heading,
                            "run_seconds": round(found.seconds, 1), "judged": found.judged, "hold": found.hold}
    if found.result is None:
        return data | {"error": found.error}
    return data | {"columns": found.result.columns} | found.result.data() | {
        "claims": [asdict(claim) for claim in found.claims]}


def as_csv(report: Report) -> str:
    """All numbers, one a line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    head = None
    for found in report.parts:
        if found.result:
            first, *rows = csv.reader(found.result.csv().splitlines())
            if head is None:
                head = first
                writer.writerow(["part", *head])
            writer.writerows([found.part.name, *row] for row in rows)
    return text.getvalue()
