"""The labs that there are, and copies of what one begins with.

The folder docs/course/labN has README.md, the text; start/, the files that a student changes; given/, if there is one,
those that they use as they are; and check.py.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError
from ..paths import ROOT
from ..suggest import did_you_mean

COURSE = ROOT / "docs" / "course"
GIVEN = "given"
MARK = "# Lab "             # how the text's first line begins: "# Lab 1: a first message"


@dataclass(frozen=True)
class Lab:
    """One lab of the course."""

    number: int
    folder: Path

    @property
    def page(self) -> Path:
        """The lab's text."""
        return self.folder / "README.md"

    @property
    def checks(self) -> Path:
        """The checks, for pytest."""
        return self.folder / "check.py"

    @property
    def title(self) -> str:
        """The title of the text."""
        first = self.page.read_text().partition("\n")[0]
        return first.removeprefix(f"{MARK}{self.number}: ")

    @property
    def given(self) -> Path:
        """The folder of files that a student uses and need not change. Not each lab has one."""
        return self.folder / GIVEN

    def changed(self) -> list[Path]:
        """The files that a student changes, as they are at first, by name."""
        return sorted(path for path in (self.folder / "start").iterdir() if path.is_file())

    def start(self) -> list[Path]:
        """The files that a student begins with, by name."""
        given = self.given.iterdir() if self.given.is_dir() else ()
        return sorted([*self.changed(), *(path for path in given if path.is_file())], key=lambda path: path.name)


def labs() -> list[Lab]:
    """All labs, by number."""
    found = [(int(name[1]), folder) for folder in COURSE.iterdir()
             if (name := re.fullmatch(r"lab([1-9]\d*)", folder.name))]
    return [Lab(number, folder) for number, folder in sorted(found)]


def lab(word: str) -> Lab:
    """The lab with this number. UsageError."""
    known = {str(each.number): each for each in labs()}
    if word not in known:
        near = did_you_mean(word.removeprefix("lab"), known)
        raise UsageError(f"there is no lab {word}: the labs are {', '.join(known)}.{near}")
    return known[word]


def copy(one: Lab, folder: Path) -> list[str]:
    """Copies what the student begins with into a folder, which is made if missing. Returns the names of the files.

    A file that is there stays as it is, and the others are copied. UsageError if all are there.
    """
    missing = [source for source in one.start() if not os.path.lexists(folder / source.name)]
    if not missing:
        raise UsageError(f"{folder / one.changed()[0].name} is there already, so nothing was copied.\n"
                         f"Name another folder: {command(one)} --to FOLDER")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for source in missing:
            with (folder / source.name).open("xb") as copied:
                copied.write(source.read_bytes())
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}.") from None
    return [source.name for source in missing]


def where(one: Lab, folder: Path, *before: str) -> list[str]:
    """The words that name a folder, unless it is the one that is meant without them."""
    return [] if folder == Path(f"lab-{one.number}") else [*before, str(folder)]


def command(one: Lab, *words: object) -> str:
    """The command line of a lab, as one types it in the current folder."""
    return f"{launcher()} {shlex.join(['lab', str(one.number), *map(str, words)])}"


def launcher() -> str:
    """What one types in the current folder for run.sh."""
    here = Path("run.sh").resolve() == ROOT / "run.sh"
    return "./run.sh" if here else shlex.quote(shown(ROOT / "run.sh"))


def shown(page: Path) -> str:
    """The path of a page as seen from this folder, if that is shorter."""
    return min(str(page), os.path.relpath(page), key=len)


def check_folder(one: Lab, folder: Path) -> None:
    """UsageError unless a folder has all files that a student of the lab changes: the checks have the others."""
    if not os.path.isdir(folder):
        raise UsageError(f"there is no folder {folder}. Begin with {command(one)}, "
                         f"or name yours: {command(one, 'check')} FOLDER")
    for source in one.changed():
        if not os.path.isfile(folder / source.name):
            raise UsageError(f"{folder} has no {source.name}, which the checks of lab {one.number} need.\n"
                             f"{command(one, *where(one, folder, '--to'))} copies it.")
