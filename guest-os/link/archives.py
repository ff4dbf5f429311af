"""Copies archives so that names of theirs do not meet those of a program (README.md).

    archives.py AR NM OBJCOPY NAMES LIBC FOLDER ARCHIVE...

FOLDER gets a copy of each archive and of LIBC, and names.ld. NAMES is the file with
names that programs may call.
"""

import re
import subprocess
import sys
from pathlib import Path

PREFIX = "__lib_"
# `extern int errno`, without <errno.h>: the first word of newlib's state. newlib has another variable of this name,
# in which its own functions pass an error on.
ERRNO = "errno"
STATE = "_impure_data"
# Names that C reserves, and those by which the libraries' headers call them.
OURS = re.compile(r"_|(udm|glaze|shm|crl|rgn|rid|rq|mbcf|mm|shrimp|nx|pram)_")


def defined(nm: str, archives: list[str]) -> set[str]:
    """The names that archives define for others."""
    lines = subprocess.run([nm, "--defined-only", "--extern-only", "--format=posix", *archives], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    # Of the lines that name a member, "ARCHIVE[MEMBER]:", a path with a blank would make a name.
    return {words[0] for words in map(str.split, lines) if len(words) > 1 and not words[-1].endswith("]:")}


def whole(ar: str, archive: str, to: Path) -> Path:
    """A copy of an archive that holds its members. One of meson's holds their paths only."""
    members = subprocess.run([ar, "t", archive], check=True, capture_output=True, text=True).stdout.splitlines()
    copy = to / Path(archive).name
    copy.unlink(missing_ok=True)
    subprocess.run([ar, "cr", copy, *members], check=True)
    return copy


def main(ar: str, nm: str, objcopy: str, names: str, libc: str, folder: str, *archives: str) -> None:
    called = Path(names).read_text().split()
    theirs = sorted(name for name in defined(nm, list(archives)) if not OURS.match(name))
    if missing := sorted(set(called) - set(theirs)):
        sys.exit(f"{names}: no archive defines {' '.join(missing)}")
    to = Path(folder)
    new_names = to / "new-names"
    new_names.write_text("".join(f"{name} {PREFIX}{name}\n" for name in [*theirs, ERRNO]))
    rename = [objcopy, f"--redefine-syms={new_names}"]
    for archive in archives:
        subprocess.run([*rename, whole(ar, archive, to)], check=True)
    subprocess.run([*rename, libc, to / "libc.a"], check=True)
    meant = {name: PREFIX + name for name in called} | {ERRNO: STATE}
    (to / "names.ld").write_text("".join(f"PROVIDE({name} = {place});\n" for name, place in meant.items()))


main(*sys.argv[1:])
