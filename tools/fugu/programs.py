"""Guest programs: from the name on the command line to an ELF file."""

from __future__ import annotations

import re
from pathlib import Path

from .errors import UsageError
from .paths import ROOT, build_dir, guest_dirs
from .suggest import nearest_first

# Where the sources of programs are: their names are known before they are built.
SOURCE_DIRS = ("tests/guest", "apps", "guest-os")


def is_path(program: str) -> bool:
    """Whether it names a file rather than one of our programs."""
    return "/" in program or program.endswith(".elf")


def check_file(program: str) -> Path:
    """The ELF file that the user named, for 32-bit SPARC. Raises UsageError."""
    path = Path(program)
    try:
        head = path.open("rb").read(20)
    except FileNotFoundError:
        raise UsageError(f"there is no file {program}.") from None
    except OSError as error:
        raise UsageError(f"{program} cannot be read: {error.strerror}.") from None
    if head[:4] != b"\x7fELF":
        raise UsageError(f"{program} is not an ELF file.")
    # 32 bit, big-endian, EM_SPARC.
    if head[4:6] != b"\x01\x02" or head[18:20] != b"\x00\x02":
        raise UsageError(f"{program} is an ELF file, but not for 32-bit SPARC.\n"
                         "Build it with sparc-elf-gcc.")
    return path


def built(build: Path | None = None) -> dict[str, Path]:
    """The programs that are built, by name; not those for another machine."""
    found: dict[str, Path] = {}
    for folder in guest_dirs(build):
        for path in sorted(folder.rglob("*.elf")):
            if not path.stem.endswith("-leon3"):
                found.setdefault(path.stem, path)
    return found


def expected(program: str, build: Path | None = None) -> Path:
    """The file of a program by name, built or not."""
    first = guest_dirs(build)[0] / f"{program}.elf"
    return first if first.exists() else built(build).get(program, first)


def find(program: str, build: Path | None = None) -> Path:
    """The ELF file of a program by name, once all is built. Raises UsageError."""
    path = expected(program, build)
    if path.exists():
        return path
    raise unknown(program, list(built(build)))


def check_name(program: str) -> None:
    """Refuses a name that no source mentions, before a long set-up starts."""
    if expected(program).exists():
        return
    names: set[str] = set(built())
    text = ""
    for folder in SOURCE_DIRS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".c", ".S"):
                names.add(path.stem)
            elif path.name == "meson.build":
                text += path.read_text(errors="replace")
    if program not in names and not re.search(rf"\b{re.escape(program)}\b", text):
        raise unknown(program, list(built()))


def unknown(program: str, names: list[str]) -> UsageError:
    """The error for a name that does not exist; says which ones do."""
    message = f"there is no guest program {program!r}."
    if names:
        message += "\nThere are, nearest first: " + ", ".join(nearest_first(program, names)) + "."
    elif not (build_dir() / "build.ninja").exists():
        message += "\nNone is built yet: ./run.sh setup builds them."
    return UsageError(message + "\nA file of your own is named by its path: ./my.elf")
