"""Programs: from the name on the command line to an ELF file.

Apps run on the operating system, programs of tests/guest on the bare machine.
The user's own ELF file is one or the other: the address that it is linked at
decides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from ..abi import GLAZE, REGS
from ..errors import SetupError, UnknownProgram, UsageError
from ..image.elf import CAN_WRITE, Segment, contents, entry_of, is_sparc, loaded
from ..options.read import shortened
from ..options.types import show_size
from ..paths import ROOT, apps_dir, build_dir, guest_dir, kernel_file
from ..suggest import nearest_first

APPS = ROOT / "apps"
BARE = ROOT / "tests" / "guest"
DEFAULT_APP, DEFAULT_BARE = "pingpong", "ring"
MIB = 1 << 20
SOURCES = {".c", ".S", ".s", ".cc", ".cpp", ".cxx", ".cp", ".c++"}      # what ./run.sh cc compiles
NAME_MAX = 255          # bytes of a file's name on a host
HEAD = 64               # bytes of an ELF file that runs_on_glaze() reads
NEAREST = 8             # names that are shown for one that does not exist


def default() -> str:
    """The program that runs when the command line names none."""
    return DEFAULT_APP if is_app(DEFAULT_APP) else DEFAULT_BARE


def is_path(program: str) -> bool:
    """Whether the word is the path of a file rather than the name of one of our programs."""
    return "/" in program or program.endswith(".elf")


# ---- apps ------------------------------------------------------------------

def is_app(name: str) -> bool:
    """Whether apps/ has an app of that name: a folder with something to build."""
    folder = APPS / name
    if not name or name.startswith(".") or "/" in name or len(name.encode()) > NAME_MAX or not folder.is_dir():
        return False
    return (folder / "meson.build").exists() or any(path.suffix in (".c", ".C", ".S") for path in folder.iterdir())


def apps() -> list[str]:
    """The names of all apps, built or not."""
    return sorted(path.name for path in APPS.iterdir() if is_app(path.name)) if APPS.is_dir() else []


def runs_on_glaze(program: str) -> bool:
    """Whether this is an app, or a file that is linked as apps are.

    False for a name or a file that does not exist.
    """
    if not is_path(program):
        return is_app(program)
    try:
        with open(program, "rb") as opened:
            entry = entry_of(opened.read(HEAD))
    except OSError:
        return False
    return _is_for_glaze(entry)


def _is_for_glaze(entry: int | None) -> bool:
    """Whether a file with this entry point is linked as apps are."""
    return entry is not None and GLAZE["PROGRAM"] <= entry < GLAZE["PROGRAM_END"]


def app_file(program: str, build: Path | None = None) -> Path:
    """The ELF file of an app or of the user's own program, built or not."""
    return Path(program) if is_path(program) else apps_dir(build) / f"{program}.elf"


def find_app(program: str, build: Path | None = None) -> Path:
    """The same file, after the build. Raises SetupError or UsageError if it is not there."""
    if is_path(program):
        return check_file(program)
    path = app_file(program, build)
    if not path.exists():
        raise SetupError(f"the app {program} was not built: there is no {path}.\n"
                         f"apps/{program} needs a line in apps/meson.build.")
    return path


def find_kernel(build: Path | None = None) -> Path:
    """The kernel that apps run on. Raises SetupError."""
    path = kernel_file(build)
    if not path.exists():
        raise SetupError(f"apps run on the operating system, and it was not built: there is no {path}.")
    return path


def check_server(path: Path) -> None:
    """Checks that the scheduler's server is there. Raises SetupError."""
    if not path.exists():
        raise SetupError(f"several jobs need the scheduler's server, and it was not built: there is no {path}.")


# ---- files of the user's own -----------------------------------------------

def check_blanks(words: Sequence[str]) -> None:
    """Checks that the first words are not a path with blanks that lacks its quotes. Raises UsageError."""
    if len(words) == 1 or is_app(words[0]) or os.path.isfile(words[0]):
        return
    for count in range(2, len(words) + 1):
        path = " ".join(words[:count])
        if is_path(path) and os.path.isfile(path):
            raise UsageError(f"there is no program {words[0]}, but a file with a blank in its path: {path!r}.\n"
                             f"Put the path in quotes: ./run.sh '{path}'")


def check_exists(program: str) -> None:
    """Checks that there is a program of that name or path. Raises UsageError."""
    if is_path(program):
        check_file(program)
    elif not is_app(program):
        check_name(program)


def check_file(program: str, ram: int | None = None) -> Path:
    """Checks that the user's file is an executable for 32-bit SPARC that can be loaded. Returns its path. Raises
    UsageError.

    `ram` is the size of a node's memory, which a program for the bare machine has to fit in.
    Programs for Glaze have to meet more conditions, which boot_image.build() checks.
    """
    path = Path(program)
    data = contents(program)
    if data[:4] != b"\x7fELF":
        raise UsageError(f"{program} is not an ELF file.{_compiled(path)}")
    if not is_sparc(data):
        raise UsageError(f"{program} is an ELF file, but not for 32-bit SPARC.\n"
                         "Build it with sparc-elf-gcc.")
    segments = loaded(path, data)
    if not _is_for_glaze(entry_of(data)):
        _check_bare(path, segments)
        if ram is not None:
            _check_ram(path, segments, ram)
    return path


def _compiled(source: Path) -> str:
    """How to make a program of a source file; empty for another file."""
    command = "cc" if source.suffix in SOURCES else "cc --anl" if source.suffix == ".C" else ""
    return f"\nIf it is a source, compile it: ./run.sh {command} {quote(str(source))} -o {quote(source.stem)}.elf" \
        if command else ""


def _check_ram(path: Path, segments: list[Segment], ram: int) -> None:
    """Checks that a node's memory has room for the segments in it. Raises UsageError."""
    first = REGS["RAM_BASE"]
    need = max((segment.end - first for segment in segments if segment.address >= first), default=0)
    if need > ram:
        raise UsageError(f"{path}: its data are {need} bytes, from the memory's start on, and a node has "
                         f"{show_size(ram)} of memory.\nGive the nodes more: --ram {whole_mib(need)}")


def whole_mib(size: int) -> str:
    """The size, rounded up, as --ram takes it."""
    return f"{-(-size // MIB)}M"


def _check_bare(path: Path, segments: list[Segment]) -> None:
    """Checks for what QEMU would refuse, and for what no node could start with. Raises UsageError."""
    known_to, end_of_image = 0, REGS["PARAM_BASE"]
    for segment in sorted(segments, key=lambda segment: segment.physical):
        first, end = segment.physical, segment.physical + segment.memory
        if end > end_of_image:
            raise UsageError(f"{path}: what is loaded at 0x{first:x} to 0x{end - 1:x} is not in the boot image, 0x0 to "
                             f"0x{end_of_image - 1:x}.\n"
                             "For the bare machine, link data so that it is loaded after the text; for Glaze, put the "
                             "entry point where programs are.")
        if first < known_to:
            raise UsageError(f"{path}: two of its segments are loaded at 0x{first:x}. Build it again.")
        known_to = end
    if not any(segment.physical == 0 and segment.data for segment in segments):
        raise UsageError(f"{path}: there is nothing at address 0, where a node starts.")


def data_of(path: Path) -> int:
    """Bytes of memory that the data of an app's file take, if the app uses all of it. Raises UsageError."""
    segments = loaded(path, contents(path))
    return sum(segment.memory for segment in segments if segment.flags & CAN_WRITE)


# ---- programs for the bare machine -----------------------------------------

def built(build: Path | None = None) -> dict[str, Path]:
    """The built programs by name, without those for another machine."""
    return {path.stem: path for path in sorted(guest_dir(build).glob("*.elf")) if not path.stem.endswith("-leon3")}


def expected(program: str, build: Path | None = None) -> Path:
    """The file of a program by its name, built or not."""
    return guest_dir(build) / f"{program}.elf"


def find(program: str, build: Path | None = None) -> Path:
    """The ELF file of a program by its name, after the build. Raises UsageError."""
    path = expected(program, build)
    if path.exists():
        return path
    raise unknown(program)


def check_name(program: str) -> None:
    """Raises UsageError for a name that no source mentions, before a long set-up starts."""
    if len(program.encode()) > NAME_MAX - len(".elf"):
        raise unknown(program)
    if expected(program).exists():
        return
    names, text = set(), ""
    for path in BARE.rglob("*"):
        if path.suffix in (".c", ".S"):
            names.add(path.stem)
        elif path.name == "meson.build":
            text += path.read_text(errors="replace")
    if program not in names and not re.search(rf"\b{re.escape(program)}\b", text):
        raise unknown(program)


def unknown(program: str) -> UsageError:
    """The error for a name that does not exist. It lists the nearest of those that do."""
    message = f"there is no app, no guest program and no command {shortened(program)!r}."
    if names := nearest_first(program, dict.fromkeys([*apps(), *built()])):
        more = f", and {len(names) - NEAREST} more: ./run.sh apps" if len(names) > NEAREST + 1 else "."
        shown = names[:NEAREST] if more != "." else names
        message += "\nThere are, nearest first: " + ", ".join(shown) + more
    elif not (build_dir() / "build.ninja").exists():
        message += "\nNone is built yet: ./run.sh setup builds them."
    return UnknownProgram(program, message + "\nTo run your own file, give its path: ./my.elf")
