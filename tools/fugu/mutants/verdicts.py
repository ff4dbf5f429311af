"""Mistakes that are known to have no effect, each with its reason, which a reviewer reads: tests/mutants.toml.

An entry names its place by text alone: the line, the line before it, and what stands there instead. So it holds when
other lines move, and no longer holds when its own place changes.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from ..errors import UsageError
from .draw import Mutant

FILE = "tests/mutants.toml"
KEYS = {"file", "after", "was", "now", "because"}


def read(root: Path) -> dict[tuple[str, str, str, str], str]:
    """The reason of each mistake, by its identity. UsageError for a file that is not as it should be."""
    file = root / FILE
    try:
        found = tomllib.loads(file.read_text())
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{FILE} is no TOML: {error}.") from None
    reasons = {}
    for number, entry in enumerate(found.get("mutant", []), 1):
        if set(entry) != KEYS or not all(isinstance(value, str) for value in entry.values()):
            raise UsageError(f"{FILE}: entry {number} should have the texts {', '.join(sorted(KEYS))}, and no others.")
        reasons[entry["file"], entry["after"].strip(), entry["was"].strip(), entry["now"].strip()] = entry["because"]
    return reasons


def stale(root: Path, reasons: dict[tuple[str, str, str, str], str]) -> list[str]:
    """A line for each entry whose place is not there any more."""
    lines = []
    for file, after, was, _ in reasons:
        texts = [text.strip() for text in (root / file).read_text().splitlines() if text.strip()] \
            if (root / file).exists() else []
        if not any((before, line) == (after, was) for before, line in zip(["", *texts], texts, strict=False)):
            lines.append(f"{FILE}: {file} has no line \"{was}\" after \"{after}\" any more. Remove the entry.")
    return lines


def entry(mutant: Mutant) -> str:
    """An entry for a mistake, to be completed by its reason."""
    names = ("file", "after", "was", "now")
    return "\n".join(["[[mutant]]", *(f"{name} = {_quoted(text)}" for name, text
                                      in zip(names, mutant.identity, strict=True)), 'because = ""'])


def _quoted(text: str) -> str:
    if "'" not in text and "\n" not in text:
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
