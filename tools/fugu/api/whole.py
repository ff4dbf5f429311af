"""A whole run, as ./run.sh does it, and programs to run."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from ..errors import FuguError, UsageError
from ..host import children, scratch
from ..options import keywords
from ..paths import ROOT
from ..run import parse

RUN_SH = ROOT / "run.sh"
PATIENCE = 600.0        # seconds of host time that a run may take
PATIENCE_MAX = 1e6      # "inf" is as much: Python's waits take no more
DIGEST = re.compile(r"^digest: ([0-9a-f]{16})\n?\Z", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """How a run has ended.

    Two runs of one program with the same options, input and disks have the same digest: it covers every message,
    interrupt and store to a device, with its cycle.
    """

    status: int             # the program's own, 0 to 119, or one of the machine's (docs/setup.md)
    output: str             # what the programs have printed
    errors: str             # what the machine has said: its report, notes
    digest: str             # 16 hexadecimal digits; empty if the run was ended from outside
    statistics: dict[str, Any] = field(default_factory=dict)       # as --stats-json writes them, if they were asked for

    def check(self, status: int = 0) -> Result:
        """Returns itself. FuguError, with all output, unless the run has ended with this status."""
        if self.status != status:
            raise FuguError(f"the run has ended with status {self.status}, not {status}.\n{self.output}{self.errors}")
        return self


class TooLong(FuguError):
    """A run or a compiler has taken more host time than it may."""


def run(program: str | PathLike[str] | None, *args: object, statistics: bool = False, stdin: str | bytes = b"",
        patience: float = PATIENCE, **options: Any) -> Result:
    """Runs a program to its end.

    `program` is a name or a path, as for ./run.sh, or None with load=FILE; more jobs follow after a word "+". `options`
    are those of ./run.sh, with underscores: nodes=4, cache=False, timeout="10M", processes=2. TooLong if the run takes
    more than `patience` seconds of host time; it is ended then.
    """
    patience = seconds(patience)
    words = command(program, args, options)
    if statistics and "stats_json" in options:
        raise UsageError("statistics=True and stats_json=... contradict each other: leave one of them out.")
    with scratch.folder() as folder:
        file = Path(folder, "statistics")
        more = ["--stats-json", str(file)] if statistics else []
        data = Path(folder, "stdin")
        data.write_bytes(content(stdin))
        with data.open("rb") as given:
            status, output, errors = _execute([*more, *words], patience, given)
        found = json.loads(file.read_text()) if file.exists() else {}
    return result(status, output, errors, found)


def result(status: int, output: str, errors: str, statistics: dict[str, Any] | None = None) -> Result:
    """The result of a run that has printed its digest last."""
    digest = DIGEST.search(output)
    return Result(status, output[:digest.start()] if digest else output, errors, digest[1] if digest else "", statistics or {})


def seconds(patience: float) -> float:
    """The seconds of host time that a script gives. UsageError."""
    if isinstance(patience, bool) or not isinstance(patience, (int, float)) or not patience > 0:
        raise UsageError(f"patience={patience!r}: must be a number of seconds above 0, such as 60, or float(\"inf\").")
    return min(float(patience), PATIENCE_MAX)


def content(stdin: str | bytes) -> bytes:
    """The bytes of a standard input that a script gives. UsageError."""
    if isinstance(stdin, str):
        return stdin.encode(errors="surrogateescape")
    if not isinstance(stdin, (bytes, bytearray, memoryview)):
        raise UsageError(f"stdin={stdin!r}: must be the input itself, as str or bytes.")
    return bytes(stdin)


def _check_words(words: list[str]) -> None:
    """UsageError if the host cannot pass them to a program."""
    for word in words:
        if "\0" in word:
            raise UsageError(f"{word!r}: no word of a command has a zero byte.")


def command(program: str | PathLike[str] | None, args: tuple[object, ...], options: dict[str, Any]) -> list[str]:
    """The words after ./run.sh. UsageError if they make no sense."""
    named = [] if program is None else ["--", str(program), *map(str, args)]
    words = [*keywords.words({**options, "digest": True}), *named]
    if program is None and "load" not in options:
        raise UsageError("a machine needs a program, or load=FILE.")
    _check_words(words)
    parse.parse(words)
    return words


def compile_program(*words: str | PathLike[str], patience: float = PATIENCE) -> None:
    """Compiles as `./run.sh cc` does: compile_program("my.c", "-o", "my.elf"). FuguError has the compiler's messages.

    TooLong if it takes more than `patience` seconds of host time; it is ended then.
    """
    given = [str(word) for word in words]
    _check_words(given)
    status, output, errors = _execute(["cc", *given], seconds(patience), subprocess.DEVNULL)
    if status:
        raise FuguError(f"the compiler has ended with status {status}.\n{output}{errors}")


def _execute(words: list[str], patience: float, stdin: Any) -> tuple[int, str, str]:
    """Runs ./run.sh: status, output, errors. FuguError."""
    try:
        done = children.run_group([RUN_SH, *words], patience, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except subprocess.TimeoutExpired as late:
        said = (late.stdout or b"").decode(errors="replace")
        raise TooLong(f"the run has taken more than {patience:g} seconds of host time, and was ended.\n"
                      f"Give it more, patience=..., or bound its cycles: timeout=\"100M\".\n{said}") from None
    return (children.as_status(done.returncode), done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
