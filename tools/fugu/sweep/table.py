"""The table of a sweep: a CSV file whose first line names the columns.

    app,    arguments,  nodes,  atomicity,  trials
    lu,     60 10,      4|8,    hard|soft,  3

`|` separates alternatives: this row is four different runs, of three trials
each. docs/sweeps.md describes the format.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError
from ..options.read import read
from ..options.table import BY_KEY, BY_NAME, OBSERVE, OPTIONS, Option
from ..run import jobs, programs
from ..run.parse import parse
from ..suggest import did_you_mean

TRIAL = "{trial}"           # in a cell: the number of the trial
TRIALS_MAX = 1000
RUNS_MAX = 10_000
OWN = ("app", "arguments", "options", "trials")     # columns that are no options

# Options that no run of a sweep can have, and why.
_SEVERAL = "a sweep starts each run on one host"
_SHARED = "all runs of a sweep would share it"
REFUSED = {
    "hosts": _SEVERAL, "listen": _SEVERAL, "join": _SEVERAL, "process": _SEVERAL, "meet": _SEVERAL,
    "secret-file": _SEVERAL, "disk": "a disk that a run has changed would change the next one", "output": _SHARED,
    "trace-file": _SHARED, "trace": "traces are not kept", "save": _SHARED, "load": "a sweep starts programs",
    "dry-run": "it would start nothing; ./run.sh sweep --dry-run FILE shows all runs",
    "digest": "each run of a sweep prints its digest", "terminals": "a run of a sweep has no terminal",
    **{option.key: "runs of a sweep are not observed" for option in OPTIONS if option.group == OBSERVE},
}


@dataclass(frozen=True)
class Wanted:
    """A run that the table asks for: its line, its values of the table's columns, the trial, the words for run.sh."""

    line: int
    values: tuple[str, ...]
    trial: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """The columns of FILE, without `trials`, and the runs in its order."""

    file: str                   # as the user has named it
    columns: tuple[str, ...]
    runs: tuple[Wanted, ...]


class _Mistake(Exception):
    """A mistake in FILE: its line, number and name of the column if it is in one, and what is wrong."""

    def __init__(self, line: int, text: str, column: tuple[int, str] | None = None) -> None:
        where = f"line {line}" + (f", column {column[0]} ({column[1]})" if column else "")
        super().__init__(f"{where}: {text}")


def load(file: str) -> Table:
    """The table in a file. UsageError, which names line and column."""
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"there is no file {file}.") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not text in UTF-8: byte {error.start} cannot be decoded.") from None
    try:
        return Table(file, *_table(text))
    except _Mistake as error:
        raise UsageError(f"{file}: {error}") from None


def _table(text: str) -> tuple[tuple[str, ...], tuple[Wanted, ...]]:
    """The columns and the runs. _Mistake."""
    rows = _rows(text)
    line, names = next(rows, (0, []))
    if not names:
        raise _Mistake(1, "the file is empty. Its first line names the columns, such as: app,arguments,nodes,trials")
    _check_columns(line, names)
    runs: list[Wanted] = []
    for line, cells in rows:
        if len(cells) != len(names):
            raise _Mistake(line, f"there are {len(cells)} cells, and {len(names)} columns: {', '.join(names)}.\n"
                                 "A cell with a comma stands in quotes; an empty cell leaves an option out.")
        runs += _Row(line, names, cells).runs(RUNS_MAX - len(runs))
    if not runs:
        raise _Mistake(line, "there is no run: rows with cells follow the names of the columns.")
    return tuple(name for name in names if name != "trials"), tuple(runs)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The first line and the cells of each row. Empty lines and lines that begin with # are left out.

    A quoted cell may have several lines; there, # is a letter as any other.
    """
    begins = True               # whether the next line is the first one of a row

    def lines() -> Iterator[str]:
        nonlocal begins
        for line in io.StringIO(text, newline=""):
            comment, begins = begins and line.lstrip().startswith("#"), False
            yield "\n" if comment else line
    reader = csv.reader(lines(), skipinitialspace=True, strict=True)
    while True:
        line, begins = reader.line_num + 1, True
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise _Mistake(line, f"this is no row of CSV: {error}.") from None
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield line, [cell.strip() for cell in cells]


def _check_columns(line: int, names: Sequence[str]) -> None:
    known = [*OWN, *(key for key in BY_KEY if key not in REFUSED)]
    for number, name in enumerate(names, 1):
        place = (number, name)
        if name in REFUSED:
            raise _Mistake(line, f"a sweep cannot have --{name}: {REFUSED[name]}.", place)
        if name not in known:
            raise _Mistake(line, f"there is no such column.{did_you_mean(name, known)}\nA column is app, arguments, "
                                 "options, trials, or the name of an option of run.sh without its dashes.", place)
        if name in names[:number - 1]:
            raise _Mistake(line, "two columns have this name.", place)
    if "app" not in names:
        raise _Mistake(line, f"no column is called app. The columns are: {', '.join(names)}.")


@dataclass(frozen=True)
class _Row:
    line: int
    names: Sequence[str]
    cells: Sequence[str]

    def runs(self, most: int) -> Iterator[Wanted]:
        """The runs of a row: every combination of alternatives, the leftmost column varying slowest.

        It is a mistake if there are more than `most`.
        """
        trials, choices = 1, []
        for place, cell in zip(enumerate(self.names, 1), self.cells, strict=True):
            if place[1] == "trials":
                trials = self._trials(place, cell)
            else:
                choices.append([(place, choice) for choice in self._alternatives(place, cell)])
        if trials * math.prod(map(len, choices)) > most:
            raise _Mistake(self.line, f"with this row, there are more than {RUNS_MAX} runs. Divide the table into several.")
        for combination in itertools.product(*choices):
            for trial in range(1, trials + 1):
                yield self._run([(place, text.replace(TRIAL, str(trial))) for place, text in combination], trial)

    def _trials(self, place: tuple[int, str], cell: str) -> int:
        if not cell:
            return 1
        if not cell.isascii() or not cell.isdigit() or len(cell) > len(str(TRIALS_MAX)) or not 1 <= int(cell) <= TRIALS_MAX:
            raise _Mistake(self.line, f"{cell}: must be a number of trials from 1 to {TRIALS_MAX}.", place)
        return int(cell)

    def _alternatives(self, place: tuple[int, str], cell: str) -> list[str]:
        """The parts of a cell between `|`. As in a shell, one in quotes or behind a backslash belongs to its word."""
        parts, quote, escaped = [""], "", False
        for letter in cell:
            if letter == "|" and not quote and not escaped:
                parts.append("")
                continue
            if escaped or (letter == "\\" and quote != "'"):
                escaped = not escaped
            elif letter == quote:
                quote = ""
            elif letter in "'\"" and not quote:
                quote = letter
            parts[-1] += letter
        if quote:
            raise _Mistake(self.line, f"{cell}: a quote {quote} is not closed.", place)
        found = [part.strip() for part in parts]
        for part in found:
            if found.count(part) > 1:
                raise _Mistake(self.line, f"{cell}: the alternative {part or 'of no text'} is given twice.", place)
        return found

    def _run(self, combination: list[tuple[tuple[int, str], str]], trial: int) -> Wanted:
        options, app, arguments = [], [], []
        for place, text in combination:
            name = place[1]
            if name == "app":
                app = self._app(place, text)
            elif name == "arguments":
                arguments = self._words(place, text)
            elif name == "options":
                options += self._options(place, text)
            elif text:
                options += self._option(place, BY_KEY[name], text)
        words = (*options, "--", *app, *arguments)
        try:
            parse(words)
        except UsageError as error:
            raise _Mistake(self.line, str(error)) from None
        return Wanted(self.line, tuple(text for _, text in combination), trial, words)

    def _words(self, place: tuple[int, str], text: str) -> list[str]:
        try:
            return shlex.split(text)
        except ValueError as error:
            raise _Mistake(self.line, f"{text}: these are no words for a shell: {error}.", place) from None

    def _app(self, place: tuple[int, str], text: str) -> list[str]:
        if not text:
            raise _Mistake(self.line, "there is no app: give its name, or the path of your own program.", place)
        try:
            programs.check_exists(jobs.split_time(text)[0])
        except UsageError as error:
            raise _Mistake(self.line, str(error), place) from None
        return [text]

    def _options(self, place: tuple[int, str], text: str) -> list[str]:
        words = self._words(place, text)
        try:
            options, rest = read(words, BY_NAME)
        except UsageError as error:
            raise _Mistake(self.line, str(error), place) from None
        if rest:
            raise _Mistake(self.line, f"{rest[0]} is no option. The app's own words are in the column arguments.", place)
        for key in options:
            if key in REFUSED:
                raise _Mistake(self.line, f"a sweep cannot have --{key}: {REFUSED[key]}.", place)
        return words

    def _option(self, place: tuple[int, str], option: Option, text: str) -> list[str]:
        if option.parse is None:
            if text not in ("on", "off"):
                raise _Mistake(self.line, f"{text}: must be on or off.", place)
            return [f"--{option.key}"] if text == "on" else []
        try:
            option.parse(text)
        except ValueError as error:
            raise _Mistake(self.line, f"{text}: {error}.", place) from None
        return [f"--{option.key}={text}"]
