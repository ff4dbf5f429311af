"""Which programs run with which kind of network interface."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..abi import REGS
from ..errors import UsageError
from ..image import notes
from ..image.elf import contents
from ..options.table import KINDS

NUMBERS = {REGS[f"NETIF_{kind.upper().replace('-', '_')}"]: kind for kind in KINDS}


def check(kind: str, programs: Iterable[tuple[str, Path]]) -> None:
    """Checks that built apps, by their names, run on a machine of this kind. Raises UsageError."""
    for name, path in programs:
        needs = notes.needs(path, contents(path))
        for need in needs:
            if unknown := set(need.kinds) - set(NUMBERS):
                raise UsageError(f"{name} needs network interface {min(unknown)}, for {need.library}, and there are "
                                 f"{_known()} only.")
        others: dict[str, list[str]] = {}
        for need in needs:
            if kind not in (kinds := [NUMBERS[number] for number in need.kinds]):
                others.setdefault(_listed(kinds, "or"), []).append(need.library)
        for other, libraries in others.items():
            raise UsageError(f"{name} needs --ni {other}, as it uses {_listed(libraries)}, but the machine has --ni "
                             f"{kind}.")


def described(path: Path) -> str:
    """The option for the kinds that a built app runs with, and what it uses of them, in words.

    UsageError if the file is no program.
    """
    needs = notes.needs(path, contents(path))
    fit = [number for number in NUMBERS if all(number in need.kinds for need in needs)]
    kinds = "|".join(NUMBERS[number] for number in fit)
    if not needs:
        return f"--ni {'|'.join(KINDS)}"
    if not kinds:
        kinds = " and ".join(dict.fromkeys(NUMBERS.get(number, str(number)) for need in needs for number in need.kinds))
    return f"--ni {kinds}, as it uses {_listed(list(dict.fromkeys(need.library for need in needs)))}"


def _listed(names: list[str], last: str = "and") -> str:
    return f" {last} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _known() -> str:
    return _listed([f"{kind} ({number})" for number, kind in NUMBERS.items()])
