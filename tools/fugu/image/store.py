"""Boot images in the build directory: made once for the same contents.

    KEY.elf     the image; KEY is a hash of everything that it is made of
    KEY.json    the paths of kernel and programs, for a debugger's symbols

Several runs may work here at the same time. Each file is there whole or not at
all, and images used in the last minutes are not removed: a run may be about to
load them.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterable
from pathlib import Path

from .. import abi
from ..errors import SetupError, UsageError, owner
from ..host.storage import write_atomically
from . import boot_image, elf, line_table

KEEP = 20               # images, and those of the last minutes
RECENT = 600.0          # seconds
# The files that decide how an image is laid out.
SOURCES = (*(Path(module.__file__ or "") for module in (abi, elf, boot_image, line_table)),
           *(header.path for header in (abi.GLAZE, abi.IMAGE, abi.REGS)))

MADE_OF = "boot image made of"      # marks a KEY.json as ours

Named = tuple[str, Path]


def make(kernel: Path, programs: Iterable[Named], files: Iterable[Named], objdump: Path, folder: Path,
         server: Named | None = None) -> Path:
    """The path of the boot image of a kernel, programs and input files, which is made if it is not there.

    `server` is the scheduler's server. Raises UsageError if no image can be made of them, SetupError if it cannot be written.
    """
    kernel_data = elf.contents(kernel)
    program_data = [(name, path, elf.contents(path)) for name, path in programs]
    server_data = [(name, path, elf.contents(path)) for name, path in ([server] if server else [])]
    file_data = [(name, _read(path)) for name, path in files]
    key = _key([("", kernel_data)], [(name, data) for name, _, data in program_data],
               [(name, data) for name, _, data in server_data], file_data)
    target = folder / f"{key}.elf"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _note(target, kernel, [path for _, path, _ in program_data + server_data])
        if _use(target):
            return target
        content = boot_image.build(elf.read(kernel, kernel_data),
                              [_program(name, path, data, objdump) for name, path, data in program_data],
                              [boot_image.File(name, data) for name, data in file_data],
                              *(_program(name, path, data, objdump) for name, path, data in server_data))
        write_atomically(target, elf.image(content))
        _prune(folder)
    except OSError as error:
        raise SetupError(f"the boot image {target} cannot be made: {error.strerror}{owner(folder)}.\n"
                         "Name another build directory, on a disk with room: FUGU_BUILD=/some/directory") from None
    return target


def _program(name: str, path: Path, data: bytes, objdump: Path) -> boot_image.Program:
    read = elf.read(path, data)
    return boot_image.Program(name, read, line_table.table(path, read.segments, objdump))


def _read(path: Path) -> bytes:
    """An input file, as far as a boot image has room for it."""
    try:
        with path.open("rb") as opened:
            return opened.read(boot_image.END + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None


def _key(*groups: list[tuple[str, bytes]]) -> str:
    """A hash of contents, their names and order, and of the launcher's code: whole, as a program may be made for it."""
    found = hashlib.sha256()
    for group in ([("", source.read_bytes()) for source in SOURCES], *groups):
        found.update(f"{len(group)} ".encode())
        for name, data in group:
            found.update(os.fsencode(f"{len(os.fsencode(name))} {len(data)} {name}"))
            found.update(data)
    return found.hexdigest()


def _use(target: Path) -> bool:
    """Whether the file is there. A file that is there counts as used now."""
    try:
        os.utime(target)
    except FileNotFoundError:
        return False
    return True


# ---- what an image was made of ---------------------------------------------

def _note(target: Path, kernel: Path, programs: list[Path]) -> None:
    record = json.dumps({MADE_OF: [str(path.absolute()) for path in (kernel, *programs)]}).encode()
    file = target.with_suffix(".json")
    if _use(file) and file.read_bytes() == record:
        return
    write_atomically(file, record)


def sources(boot: str) -> list[str]:
    """The files with the symbols of the booted file: kernel and programs, or the booted program itself."""
    try:
        found = json.loads(Path(boot).with_suffix(".json").read_bytes())
        return [str(path) for path in found[MADE_OF]]
    except (OSError, ValueError, TypeError, KeyError):
        return [boot]           # not a boot image


# ---- old images ----------------------------------------------------------------

def _prune(folder: Path) -> None:
    """Removes images that were not used for a long time, and files that interrupted runs left."""
    def used(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except FileNotFoundError:
            return 0.0          # another run has removed it
    before = time.time() - RECENT
    files = sorted(folder.iterdir(), key=used, reverse=True)
    kept = {path.stem for path in [path for path in files if _is_image(path)][:KEEP]}
    for path in files:
        if path.stem not in kept and used(path) < before:
            path.unlink(missing_ok=True)


def _is_image(path: Path) -> bool:
    return path.suffix == ".elf" and not path.name.startswith(".")
