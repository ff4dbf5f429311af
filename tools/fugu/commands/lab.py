"""`./run.sh lab`: the labs of the course, what one begins with, and the checks."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import UsageError
from ..lab import course
from ..lab.course import COURSE, Lab, labs
from ..suggest import did_you_mean

TO, CHECK = "--to", "check"
WORDS = (TO, CHECK)


def main(words: list[str]) -> int:
    """Lists the labs, copies a lab's beginning, or checks a folder: then 1 if a check fails. UsageError."""
    if not words:
        _list()
        return 0
    lab, rest = course.lab(words[0]), words[1:]
    if not rest:
        return _begin(lab, Path(f"lab-{lab.number}"))
    if rest[0] == CHECK:
        if len(rest) > 2:
            raise UsageError(f"check takes one folder: ./run.sh lab {lab.number} check FOLDER")
        return _check(lab, Path(rest[1] if rest[1:] else f"lab-{lab.number}"))
    name, given, folder = rest[0].partition("=")
    if name == TO:
        named = [folder, *rest[1:]] if given else rest[1:]
        if len(named) != 1 or not named[0]:
            raise UsageError(f"--to needs a folder: ./run.sh lab {lab.number} --to FOLDER")
        return _begin(lab, Path(named[0]))
    raise UsageError(f"lab {lab.number} takes --to FOLDER or check, not {rest[0]}.{did_you_mean(rest[0], WORDS)}")


def _list() -> None:
    print("\n".join(f"{lab.number}  {lab.title}" for lab in labs()))
    print(f"Begin with ./run.sh lab N. {_shown(COURSE / 'README.md')} describes the course.")


def _begin(lab: Lab, folder: Path) -> int:
    course.copy(lab, folder)
    files = ", ".join(path.name for path in lab.start())
    where = "" if folder == Path(f"lab-{lab.number}") else f" {folder}"
    print(f"lab {lab.number}, {lab.title}: {folder} has {files}.\n"
          f"Read {_shown(lab.page)}, change what is in {folder},\n"
          f"and see how far you are: ./run.sh lab {lab.number} check{where}")
    return 0


def _check(lab: Lab, folder: Path) -> int:
    course.check_folder(lab, folder)
    from ..lab.checks import check

    return check(lab, folder)


def _shown(page: Path) -> str:
    """The path of a page as seen from this folder, if that is shorter."""
    return min(str(page), os.path.relpath(page), key=len)
