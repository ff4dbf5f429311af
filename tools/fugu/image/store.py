"""Boot images in the build directory: made once for the same contents.

    KEY.elf     the image; KEY is a hash of everything that it is made of
    KEY.json    the paths of kernel and programs with hashes of their contents,
                for the symbols of a debugger, a profile and reports
    parts/      copies of kernel and programs by these hashes: their symbols
                stay those of the image when the files are built again
    lock        held while files are written, taken into use or removed

Several runs may work here at the same time. Each file is there whole or not at
all, and images used in the last minutes are not removed: a run may be about to
load them.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .. import abi
from ..errors import SetupError, UsageError, owner
from ..host.storage import write_atomically
from . import boot_image, elf, handlers, line_table
from .handlers import certify

KEEP = 20               # images, and those of the last minutes
RECENT = 600.0          # seconds
# The files that decide how an image is laid out.
SOURCES = (*(Path(module.__file__ or "") for module in (abi, elf, boot_image, line_table)),
           *sorted(Path(handlers.__file__ or "").parent.glob("*.py")),
           *(header.path for header in (abi.GLAZE, abi.HANDLERS, abi.IMAGE, abi.REGS)))

MADE_OF = "boot image made of"      # marks a KEY.json as ours
PARTS = "parts"
LOCK = "lock"

Named = tuple[str, Path]


def make(kernel: Path, programs: Iterable[Named], files: Iterable[Named], objdump: Path, folder: Path,
         server: Named | None = None) -> Path:
    """The path of the boot image of a kernel, programs and input files, which is made if it is not there.

    `server` is the scheduler's server. Raises UsageError if no image can be made of them, for example since a trusted handler
    is refused, SetupError if it cannot be written.
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
        with _locked(folder):
            _note(target, [(kernel, kernel_data), *((path, data) for _, path, data in program_data + server_data)])
            if _use(target):
                return target
        content = boot_image.build(elf.read(kernel, kernel_data),
                              [_program(name, path, data, objdump) for name, path, data in program_data],
                              [boot_image.File(name, data) for name, data in file_data],
                              *(_program(name, path, data, objdump) for name, path, data in server_data))
        with _locked(folder):
            write_atomically(target, elf.image(content))
            _prune(folder)
    except OSError as error:
        raise SetupError(f"the boot image {target} cannot be made: {error.strerror}{owner(folder)}.\n"
                         "Name another build directory, on a disk with room: FUGU_BUILD=/some/directory") from None
    return target


def _program(name: str, path: Path, data: bytes, objdump: Path) -> boot_image.Program:
    read = elf.read(path, data)
    trusted = tuple(boot_image.Handler(one.code.entry, one.code.extent) for one in certify.trusted(path, data))
    return boot_image.Program(name, read, line_table.table(path, read.segments, objdump), trusted)


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


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Meanwhile, no other run writes, takes into use or removes anything in the folder. OSError."""
    with (folder / LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _use(target: Path) -> bool:
    """Whether the file is there. A file that is there counts as used now."""
    try:
        os.utime(target)
    except FileNotFoundError:
        return False
    return True


# ---- what an image was made of ---------------------------------------------

def _note(target: Path, parts: list[tuple[Path, bytes]]) -> None:
    """Writes down what an image is made of, and keeps copies of it."""
    hashes = [hashlib.sha256(data).hexdigest() for _, data in parts]
    for (path, data), digest in zip(parts, hashes, strict=True):
        kept = _kept(target.parent, path, digest)
        if not _use(kept):
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(kept, data)
    record = json.dumps({MADE_OF: [[str(path.absolute()), digest] for (path, _), digest
                                   in zip(parts, hashes, strict=True)]}).encode()
    file = target.with_suffix(".json")
    if _use(file) and file.read_bytes() == record:
        return
    write_atomically(file, record)


def _kept(folder: Path, path: Path, digest: str) -> Path:
    """The copy of a file with that hash. It has the file's name, by which programs are known."""
    return folder / PARTS / digest[:32] / path.name


def sources(boot: str) -> list[str]:
    """The files with the symbols of the booted file: kernel and programs, or the booted program itself.

    In place of a file that has changed since, there is the copy, which may have gone with an old image.
    """
    record = _record(boot)
    if record is None:
        return [boot]           # not a boot image
    return [path if sha256(path) == digest else str(_kept(Path(boot).parent, Path(path), digest))
            for path, digest in record]


def is_named(boot: str) -> bool:
    """Whether a file has the name of a boot image."""
    return re.fullmatch(r"[0-9a-f]{64}\.elf", Path(boot).name) is not None


def _record(boot: str) -> list[tuple[str, str]] | None:
    try:
        found = json.loads(Path(boot).with_suffix(".json").read_bytes())
        return [(str(path), str(digest)) for path, digest in found[MADE_OF]]
    except (OSError, ValueError, TypeError, KeyError):
        return None


def sha256(path: str) -> str:
    """The hash of a file's contents; empty if it cannot be read."""
    try:
        with open(path, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""


# ---- old images ----------------------------------------------------------------

def _prune(folder: Path) -> None:
    """Removes images that were not used for a long time, and files that interrupted runs left. The folder is locked."""
    def used(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except FileNotFoundError:
            return 0.0          # a user has removed it
    before = time.time() - RECENT
    files = sorted((path for path in folder.iterdir() if path.name not in (PARTS, LOCK)), key=used, reverse=True)
    kept = {path.stem for path in [path for path in files if _is_image(path)][:KEEP]}
    for path in files:
        if path.stem not in kept and used(path) < before:
            path.unlink(missing_ok=True)
    needed = {digest[:32] for path in folder.glob("*.json") for _, digest in _record(str(path)) or ()}
    for part in (folder / PARTS).glob("*/*"):
        if part.parent.name not in needed and used(part) < before:
            part.unlink(missing_ok=True)
            with suppress(OSError):             # files of the same contents with other names are there
                part.parent.rmdir()


def _is_image(path: Path) -> bool:
    return path.suffix == ".elf" and not path.name.startswith(".")
