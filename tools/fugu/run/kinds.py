"""Which programs run with which kind of network interface."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..abi import REGS
from ..errors import UsageError
from ..image import notes
from ..image.elf import contents
from ..options.table import KINDS

NUMBERS = {REGS[f"NETIF_{kind.upper()}"]: kind for kind in KINDS}


def check(kind: str, programs: Iterable[tuple[str, Path]]) -> None:
    """Checks that built apps, by their names, run on a machine of this kind. Raises UsageError."""
    for name, path in programs:
        needs = notes.needs(path, contents(path))
        for number, library in needs:
            if number not in NUMBERS:
                raise UsageError(f"{name} needs network interface {number}, for {library}, and there are {_known()} only.")
        others = {NUMBERS[number]: [of for one, of in needs if one == number] for number, _ in needs
                  if NUMBERS[number] != kind}
        for other, libraries in others.items():
            raise UsageError(f"{name} needs --ni {other}, as it uses {_listed(libraries)}, but the machine has --ni "
                             f"{kind}.")


def described(path: Path) -> str:
    """The option for the kinds that a built app runs with, and what it uses of them, in words.

    UsageError if the file is no program.
    """
    needs = notes.needs(path, contents(path))
    if not needs:
        return f"--ni {'|'.join(KINDS)}"
    kinds = dict.fromkeys(NUMBERS.get(number, str(number)) for number, _ in needs)
    return f"--ni {' and '.join(kinds)}, as it uses {_listed(list(dict.fromkeys(library for _, library in needs)))}"


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _known() -> str:
    return _listed([f"{kind} ({number})" for number, kind in NUMBERS.items()])
