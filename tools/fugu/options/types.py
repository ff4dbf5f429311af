"""Parsers for the values of options: from text to a value, or ValueError.

The text of the ValueError says what is expected, and continues "OPTION VALUE: ".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..abi import MACHINE, REGS

_SUFFIXES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
DIGITS = 40         # of a number that can be an option's value, with its `_`
_DECIMAL = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


def integer(low: int, high: int, unit: str = "") -> Callable[[str], int]:
    """A whole number within [low, high]; `1_000` is allowed."""
    what = f"a whole number{' of ' + unit if unit else ''} from {low} to {high}"

    def parse(text: str) -> int:
        value = _number(text) if re.fullmatch(r"\d+(_\d+)*", text) else -1
        if not low <= value <= high:
            raise ValueError(f"must be {what}")
        return value
    return parse


def _number(digits: str) -> int:
    """The number that these digits are. One of more digits than any option takes is larger than all of them."""
    return int(digits) if len(digits) <= DIGITS else 10 ** DIGITS


def _decimal(text: str) -> int:
    """A number with or without K, M or G, powers of ten; -1 if it is none."""
    found = re.fullmatch(r"(\d+(?:_\d+)*)([KMG]?)", text, re.IGNORECASE)
    return _number(found[1]) * _DECIMAL[found[2].upper()] if found else -1


def cycles(text: str) -> int:
    """A count of cycles, 1 or more: 500, 1_000_000, 10M, 2G (powers of ten)."""
    value = _decimal(text)
    if not 1 <= value <= MACHINE["TIME_MAX"]:
        raise ValueError("must be a number of cycles such as 500000, 1_000_000, 10M or 2G")
    return value


def cycles_within(low: int, high: int) -> Callable[[str], int]:
    """A count of cycles within [low, high]: 500, 1_000_000, 20K, 2G (powers of ten)."""
    def parse(text: str) -> int:
        value = _decimal(text)
        if not low <= value <= high:
            raise ValueError(f"must be a whole number of cycles from {low} to {high}; K, M and G are powers of ten")
        return value
    return parse


def size(low: int, high: int, step: int = 1, power: bool = False) -> Callable[[str], int]:
    """Bytes within [low, high]. K, M and G are powers of two.

    With `power` the number must be a power of two, otherwise a multiple of `step`.
    """
    rule = "a power of two" if power else f"a multiple of {show_size(step)}" if step > 1 else "a size"
    what = f"must be {rule} from {show_size(low)} to {show_size(high)}, such as {show_size(low)}"

    def parse(text: str) -> int:
        found = re.fullmatch(r"(\d+)([KMG]?)i?B?", text, re.IGNORECASE)
        if not found:
            raise ValueError(what)
        value = _number(found[1]) * _SUFFIXES[found[2].upper()]
        if not low <= value <= high or value % step or (power and value & (value - 1)):
            raise ValueError(what)
        return value
    return parse


def show_size(value: int) -> str:
    """Bytes as the command line takes them: 65536 is 64K."""
    for suffix in "GMK":
        if value and value % _SUFFIXES[suffix] == 0:
            return f"{value // _SUFFIXES[suffix]}{suffix}"
    return str(value)


def on_off(text: str) -> bool:
    """`on` or `off`."""
    if text not in ("on", "off"):
        raise ValueError("must be on or off")
    return text == "on"


def mesh(text: str) -> tuple[int, int]:
    """Width and height: 4x2."""
    found = re.fullmatch(r"(\d+)[xX](\d+)", text)
    width, height = (_number(found[1]), _number(found[2])) if found else (0, 0)
    if not width or not height:
        raise ValueError("must be WIDTHxHEIGHT, such as 4x2")
    return width, height


def disk(text: str) -> tuple[int, str]:
    """NODE=FILE."""
    found = re.fullmatch(r"(\d+)=(.+)", text, re.DOTALL)
    if not found:
        raise ValueError("must be NODE=FILE, such as 0=disk.img")
    return _number(found[1]), found[2]


def named_file(text: str) -> tuple[str, str]:
    """FILE, or NAME=FILE. Without NAME, the file's own name counts."""
    name, given, file = text.partition("=")
    if not given:
        name, file = text.rpartition("/")[2], text
    name = in_directory(name)
    if not name or not file or name == ".":
        raise ValueError("must be FILE or NAME=FILE, such as board.txt or board=my/board-7.txt")
    return name, file


def in_directory(name: str) -> str:
    """The name under which programs find a file: /tmp/NAME, /NAME and ./NAME are NAME (guest-os/libos/newlib/file.c)."""
    name = name.removeprefix("/tmp/")
    while name.startswith(("/", "./")):
        name = name[1:]
    return name


def save(text: str) -> tuple[str, int]:
    """FILE@CYCLE."""
    file, _, when = text.rpartition("@")
    if file and re.fullmatch(r"[0_]+[KMG]?", when, re.IGNORECASE):
        raise ValueError("at cycle 0 nothing has run yet, so there is nothing to save; the first cycle is 1")
    try:
        if file:
            return file, cycles(when)
    except ValueError:
        pass
    raise ValueError("must be FILE@CYCLE, such as my.snap@500K")


def cycles_range(text: str) -> tuple[int, int]:
    """FIRST-LAST: two counts of cycles; the first one may be 0."""
    first, dash, last = text.partition("-")
    try:
        if dash:
            found = (0 if first == "0" else cycles(first)), cycles(last)
            if found[0] <= found[1]:
                return found
    except ValueError:
        pass
    raise ValueError("must be FIRST-LAST, such as 0-500K or 10M-12M")


def words(text: str) -> list[str]:
    """Words with commas between them."""
    found = text.split(",")
    if not all(found):
        raise ValueError("must be words with commas between them")
    return found


def nodes(text: str) -> list[int]:
    """Numbers of nodes and ranges of them: 0,5,60-63. Returned sorted, each once."""
    found: set[int] = set()
    for part in text.split(","):
        ends = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        first, last = (_number(ends[1]), _number(ends[2] or ends[1])) if ends else (1, 0)
        if first > last or last > REGS["HDR_NODE_MASK"]:
            raise ValueError("must be numbers of nodes such as 0,5,60-63")
        found.update(range(first, last + 1))
    return sorted(found)


def word(text: str) -> str:
    """Any text that is not empty."""
    if not text:
        raise ValueError("must not be empty")
    return text


def one_of(*names: str) -> Callable[[str], str]:
    """One of these words."""
    def parse(text: str) -> str:
        if text not in names:
            raise ValueError(f"must be {', '.join(names[:-1])} or {names[-1]}")
        return text
    return parse


def ordinal(*names: str, first: int) -> Callable[[str], int]:
    """One of these words: its place among them, counted from `first`."""
    word = one_of(*names)

    def parse(text: str) -> int:
        return first + names.index(word(text))
    return parse


def or_word(word: str, parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """This word, which stays as it is, or what `parse` takes."""
    def either(text: str) -> Any:
        if text == word:
            return text
        try:
            return parse(text)
        except ValueError as error:
            raise ValueError(f"{error}, or {word}") from None
    return either


def seconds(low: float, high: float) -> Callable[[str], float]:
    """Seconds within [low, high], possibly with a fraction: 0.5."""
    def parse(text: str) -> float:
        value = float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else -1.0      # infinite if there are too many digits
        if not low <= value <= high:
            raise ValueError(f"must be a number of seconds from {low:g} to {high:g}")
        return value
    return parse


# A name, an IPv4 address, or an IPv6 address in brackets. Characters that have
# a meaning in QEMU's options (commas, blanks) are not allowed.
_HOST = r"\[[0-9A-Fa-f:.]+(?:%[\w.-]+)?\]|[A-Za-z0-9](?:[\w.-]*\w)?"


def _port(text: str | None, low: int) -> int | None:
    if text is None:
        return None
    if not low <= int(text) <= 65535:
        raise ValueError(f"the port must be {low} to 65535")
    return int(text)


def listen(text: str) -> tuple[str, int | None]:
    """HOST or HOST:PORT. The port is None if it is not given; 0 means any free port."""
    found = re.fullmatch(rf"({_HOST})(?::(\d{{1,9}}))?", text)
    if not found:
        raise ValueError("must be HOST or HOST:PORT, an IPv6 address in brackets, such as 0.0.0.0:3848 or [::]")
    return found[1], _port(found[2], 0)


def address(text: str) -> tuple[str, int]:
    """HOST:PORT."""
    found = re.fullmatch(rf"({_HOST}):(\d{{1,9}})", text)
    port = _port(found[2], 1) if found else None
    if not found or port is None:
        raise ValueError("must be HOST:PORT, an IPv6 address in brackets, such as node1:3848 or [::1]:3848")
    return found[1], port


def hosts(text: str) -> list[tuple[str, int]] | str:
    """NAME[:COUNT],...: hosts, and the number of processes on each. `slurm` and `mpi` stay as they are."""
    if text in ("slurm", "mpi"):
        return text
    found = [re.fullmatch(rf"({_HOST})(?::(\d{{1,9}}))?", part) for part in text.split(",")]
    entries = [(one[1], int(one[2] or 1)) for one in found if one]
    if len(entries) < len(found) or not all(count for _, count in entries):
        raise ValueError("must be NAME[:PROCESSES],NAME[:PROCESSES],... with one process or more each, "
                         "such as here:2,there:2; or slurm or mpi")
    return entries


def processes(text: str) -> tuple[int, int]:
    """I or I-J: the first and the last process."""
    found = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
    if last < first:
        raise ValueError("must be a process or several, such as 1 or 2-3")
    return first, last
