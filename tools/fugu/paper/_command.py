"""The command line that all tables and figures share, and what they print or write."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..errors import UsageError
from ..run import writable
from ._table import Result
from .runs.extent import FULL, Extent
from .runs.workloads import chosen


def run(name: str, measure: Callable[[], Result], words: list[str]) -> int:
    """Measures a table, and shows it as the words of its command line say."""
    given = parsed(parser(name), words)
    show(measure(), given)
    return 0


def run_programs(name: str, measure: Callable[[Extent], Result], words: list[str]) -> int:
    """The same for a table or figure that takes runs of programs, which the cache keeps."""
    reader = parser(name)
    fresh(reader)
    given = parsed(reader, words)
    show(measure(FULL.again(given.fresh)), given)
    return 0


def run_chosen(name: str, measure: Callable[[Sequence[str], Extent], Result], apps: Sequence[str],
               words: list[str]) -> int:
    """The same, of the programs that the command line names, or of all. UsageError for an unknown one."""
    reader = parser(name)
    fresh(reader)
    reader.add_argument("apps", nargs="*", metavar="APP", help=f"of {', '.join(apps)} (default: all)")
    given = parsed(reader, words)
    show(measure(list(chosen(given.apps, apps)), FULL.again(given.fresh)), given)
    return 0


def parser(name: str) -> argparse.ArgumentParser:
    """The parser of the options that all tables have."""
    made = argparse.ArgumentParser(prog=f"./run.sh paper {name}")
    made.add_argument("--json", metavar="FILE", help="the numbers as JSON; - for standard output, without the table")
    made.add_argument("--csv", metavar="FILE", help="the same as CSV, one number a line")
    made.add_argument("--markdown", action="store_true", help="the table as docs/paper.md has it")
    return made


def parsed(reader: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """The options of a command line. Whether its files can be written is known before anything takes long. UsageError,
    CannotWrite."""
    given = reader.parse_args(words)
    writable.check([(option, file) for option, file in (("--json", given.json), ("--csv", given.csv))
                    if file and file != "-"])
    return given


def fresh(reader: argparse.ArgumentParser) -> None:
    """Adds the option --fresh."""
    reader.add_argument("--fresh", action="store_true", help="run what has been run before, too")


def show(result: Result, given: argparse.Namespace) -> None:
    """Prints or writes the table, as the options of parser() say. UsageError if a file cannot be written."""
    files = {"--json": (given.json, result.json), "--csv": (given.csv, result.csv)}
    if given.markdown:
        sys.stdout.write(result.markdown())
    elif "-" not in (given.json, given.csv):
        result.table().show()
    for option, (file, text) in files.items():
        if file == "-":
            sys.stdout.write(text())
        elif file:
            _write(option, file, text())


def _write(option: str, file: str, text: str) -> None:
    try:
        Path(file).write_text(text)
    except OSError as error:
        raise UsageError(f"{option} {file}: {error.strerror}.") from None
