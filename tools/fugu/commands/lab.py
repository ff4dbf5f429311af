"""`./run.sh lab`: the labs of the course, what one begins with, and the checks."""

from __future__ import annotations

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
    if words[0] == CHECK and len(words) > 1:
        raise UsageError(f"the lab's number comes first: {course.command(course.lab(words[1]), CHECK, *words[2:])}")
    lab, rest = course.lab(words[0]), words[1:]
    if not rest:
        return _begin(lab, Path(f"lab-{lab.number}"))
    if rest[0] == CHECK:
        if len(rest) > 2:
            raise UsageError(f"check takes one folder: {course.command(lab, CHECK)} FOLDER")
        return _check(lab, Path(rest[1] if rest[1:] else f"lab-{lab.number}"))
    name, given, folder = rest[0].partition("=")
    if name == TO:
        named = [folder, *rest[1:]] if given else rest[1:]
        if len(named) != 1 or not named[0]:
            raise UsageError(f"--to needs a folder: {course.command(lab, TO)} FOLDER")
        return _begin(lab, Path(named[0]))
    raise UsageError(f"lab {lab.number} takes --to FOLDER or check, not {rest[0]}.{did_you_mean(rest[0], WORDS)}")


def _list() -> None:
    print("\n".join(f"{lab.number}  {lab.title}" for lab in labs()))
    print(f"Begin with {course.launcher()} lab N. {course.shown(COURSE / 'README.md')} describes the course.")


def _begin(lab: Lab, folder: Path) -> int:
    files = ", ".join(course.copy(lab, folder))
    print(f"lab {lab.number}, {lab.title}: {folder} now has {files}.\n"
          f"Read {course.shown(lab.page)}, change what is in {folder},\n"
          f"and see how far you are: {course.command(lab, CHECK, *course.where(lab, folder))}")
    return 0


def _check(lab: Lab, folder: Path) -> int:
    course.check_folder(lab, folder)
    from ..lab.checks import check

    status = check(lab, folder)
    if status == 0:
        after = next((each for each in labs() if each.number > lab.number), None)
        print(f"lab {lab.number} is done; " + (f"next: {course.command(after)}" if after else "it is the last one"))
    return status
