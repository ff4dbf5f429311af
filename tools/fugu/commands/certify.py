"""`./run.sh certify`: what a program's trusted handlers may do, or why they are refused."""

from __future__ import annotations

from pathlib import Path

from ..errors import UsageError
from ..image.elf import contents
from ..image.handlers.certify import ADVICE, Certified, certify
from ..run import programs

TITLES = ("HandlerIP", "handler", "extent", "longest path", "words", "branches backward", "also writes")


def main(words: list[str]) -> int:
    """Certifies the handlers of each program, and lists them. UsageError if one is refused."""
    if not words or any(word.startswith("-") for word in words):
        raise UsageError("certify needs programs: ./run.sh certify my.elf")
    refused: list[str] = []
    for word, found in [(word, _certified(word)) for word in words]:
        trusted = [(number, one) for number, one in enumerate(found) if isinstance(one, Certified)]
        print("\n".join([f"{word}: {_number(len(trusted), len(found) - len(trusted))}", *_table(trusted)]))
        refused += [one for one in found if isinstance(one, str)]
    if refused:
        raise UsageError("\n".join([*refused, ADVICE]))
    return 0


def _certified(word: str) -> list[Certified | str]:
    path = _file(word)
    return certify(path, contents(path))


def _file(word: str) -> Path | str:
    if programs.is_path(word):
        return word
    if programs.is_app(word):
        return programs.find_app(word)
    programs.check_name(word)
    return programs.find(word)


def _number(trusted: int, refused: int) -> str:
    head = {0: "no trusted handlers", 1: "one trusted handler"}.get(trusted, f"{trusted} trusted handlers")
    return f"{head}, {refused} refused" if refused else head


def _table(handlers: list[tuple[int, Certified]]) -> list[str]:
    rows = [_row(number, one) for number, one in handlers]
    shown = [TITLES, *rows] if rows else []
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return ["  " + "  ".join(map(str.ljust, row, widths)).rstrip() for row in shown]


def _row(number: int, handler: Certified) -> tuple[str, ...]:
    found = handler.found
    least, most = found.words
    loops = [f"0x{address:x}: {times}" for address, times in sorted(found.loops.items())]
    listed = [f"0x{start:x} to 0x{end - 1:x}" for start, end in handler.code.listed]
    return (str(number), handler.name, f"{handler.code.extent} bytes", f"{found.path} instructions",
            str(most) if least == most else f"{least} to {most}", ", ".join(loops) or "-", ", ".join(listed) or "-")
