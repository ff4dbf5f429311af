"""The boot image of a run: kernel, directory, programs, files, symbols.

guest-os/include/image.h describes the image; this module lays it out. Programs
follow the kernel in the order in which the run names them. The cache is
direct-mapped and indexed by physical addresses, so each program is placed so
that its pages have the colours that guest-os/kernel/memory/frames.h gives them:
other programs and the size of the kernel do not move them to other lines.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from ..abi import FRAMES, GLAZE, IMAGE, REGS
from ..errors import UsageError
from .elf import CAN_EXECUTE, CAN_WRITE, Elf, Segment, Symbol
from .line_table import Line

PAGE = GLAZE["PAGE"]
MIB = 1 << 20
END = REGS["PARAM_BASE"]        # the boot image ends there
COLOURS = FRAMES["FRAME_COLOURS"]
PROGRAM, PROGRAM_END = GLAZE["PROGRAM"], GLAZE["PROGRAM_END"]

# The structures of image.h.
DIRECTORY, PROGRAM_ENTRY, FILE = (IMAGE.struct(f"image_{name}") for name in ("directory", "program", "file"))
SEGMENT, HANDLER, FUNCTION, LINE = (IMAGE.struct(f"image_{name}") for name in ("segment", "handler", "function", "line"))

ADVICE = "Link it with Glaze's linker script: apps/README.md says how."


class Handler(NamedTuple):
    """A trusted handler of the M-Machine's messages, which has been certified."""

    entry: int
    extent: int         # bytes from DestAddr on that it may write


@dataclass(frozen=True)
class Program:
    """A program, and the name by which the kernel finds it. Its handlers are in the order of HandlerIP."""

    name: str
    elf: Elf
    lines: list[Line]
    handlers: tuple[Handler, ...] = ()


@dataclass(frozen=True)
class File:
    """An input file, and the name by which programs open it."""

    name: str
    data: bytes


def build(kernel: Elf, programs: list[Program], files: list[File], server: Program | None = None) -> bytes:
    """The boot image's bytes, from physical address 0 on. Raises UsageError.

    `server` is the scheduler's server. It comes after the other programs, which lie where they would without it.
    """
    if server:
        return _build(kernel, [*programs, server], files, True)
    return _build(kernel, programs, files, False)


def _build(kernel: Elf, programs: list[Program], files: list[File], has_server: bool) -> bytes:
    memory = _Memory(_flat(kernel))
    directory = memory.place(bytes(DIRECTORY.size + len(programs) * PROGRAM_ENTRY.size + len(files) * FILE.size))
    _check_directory(kernel, directory)
    segments = [_place_segments(memory, program) for program in programs]
    placed = b"".join(FILE.pack(os.fsencode(file.name), memory.place(file.data), len(file.data)) for file in files)
    secret = _secret(memory, programs, files)
    heads = b"".join(_program(memory, program, *placed) for program, placed in zip(programs, segments, strict=True))
    first = directory + DIRECTORY.size
    jobs = len(programs) - has_server       # programs that the command line can name
    server = first + jobs * PROGRAM_ENTRY.size if has_server else 0
    head = DIRECTORY.pack(IMAGE["MAGIC"], IMAGE["VERSION"], jobs, first, len(files), first + len(heads), server, 0,
                          *secret)
    memory.fill(directory, head + heads + placed)
    _check_size(memory, programs, files)
    return bytes(memory.data)


def _secret(memory: _Memory, programs: list[Program], files: list[File]) -> list[int]:
    """A hash of what runs, in words: the kernel makes keys from it. Symbols, which name files of the host, are no part."""
    found = hashlib.sha256(memory.data)
    for name in [*(program.name for program in programs), *(file.name for file in files)]:
        found.update(os.fsencode(name) + b"\0")
    return [int.from_bytes(found.digest()[at:at + 4], "big") for at in range(0, 16, 4)]


class _Memory:
    """Physical memory, which is filled from address 0 on."""

    def __init__(self, data: bytes) -> None:
        self.data = bytearray(data)

    def place(self, data: bytes, colour: int | None = None) -> int:
        """Puts the data at the next page, or at the next one of a colour. Returns the address."""
        address = _up(len(self.data))
        if colour is not None:
            address += (colour - address // PAGE) % COLOURS * PAGE
        self.data += bytes(address - len(self.data)) + data
        return address

    def fill(self, address: int, data: bytes) -> None:
        """Writes data into room that place() has reserved."""
        self.data[address:address + len(data)] = data


def _up(address: int) -> int:
    return -(-address // PAGE) * PAGE


# ---- the kernel ------------------------------------------------------------

def _flat(kernel: Elf) -> bytes:
    """The kernel's bytes in the image, from address 0 on."""
    loaded = sorted((segment.physical, segment.data) for segment in kernel.segments if segment.data)
    data = bytearray()
    for address, content in loaded:
        if address < len(data) or address + len(content) > END:
            raise UsageError(f"{kernel.path}: what is loaded at 0x{address:x} overlaps something, or is not in the "
                             f"boot image.\nIts linker script gives load addresses from 0 to 0x{END - 1:x}.")
        data += bytes(address - len(data)) + content
    if not loaded or loaded[0][0] != 0:
        raise UsageError(f"{kernel.path}: there is nothing at address 0, where a node starts.")
    return bytes(data)


def _check_directory(kernel: Elf, directory: int) -> None:
    """Checks that the directory is where the kernel's linker script puts the symbol image_directory."""
    said = kernel.symbol("image_directory")
    if said is None:
        raise UsageError(f"{kernel.path} has no symbol image_directory, so it cannot be a kernel for apps.")
    if said != directory:
        raise UsageError(f"{kernel.path}: image_directory is 0x{said:x}, but the kernel's last byte makes it "
                         f"0x{directory:x}.\nIn its linker script, align the end of everything that is loaded to "
                         f"0x{PAGE:x}.")


# ---- programs --------------------------------------------------------------

def _place_segments(memory: _Memory, program: Program) -> tuple[int, bytes]:
    """Places a program's segments. Returns their number, and the structures that describe them."""
    segments = sorted(program.elf.segments, key=lambda segment: segment.address)
    _check_segments(program, segments)
    placed = []
    for segment in segments:
        before = segment.address % PAGE         # zeros from the page's start to the segment
        flags = (IMAGE["WRITE"] if segment.flags & CAN_WRITE else 0) \
            | (IMAGE["EXECUTE"] if segment.flags & CAN_EXECUTE else 0)
        first = segment.address - before
        colour = first // PAGE + FRAMES["FRAME_COLOUR_PROGRAM"]
        placed.append(SEGMENT.pack(first, memory.place(bytes(before) + segment.data, colour),
                                   before + len(segment.data), before + segment.memory, flags))
    return len(placed), b"".join(placed)


def _check_segments(program: Program, segments: list[Segment]) -> None:
    path, entry = program.elf.path, program.elf.entry
    for segment in segments:
        if not PROGRAM <= segment.address <= segment.end <= PROGRAM_END:
            raise UsageError(f"{path}: 0x{segment.address:x} to 0x{segment.end:x} is not where programs are, "
                             f"0x{PROGRAM:x} to 0x{PROGRAM_END:x}.\n{ADVICE}")
    for before, after in pairwise(segments):
        if _up(before.end) > after.address:
            raise UsageError(f"{path}: its segments at 0x{before.address:x} and 0x{after.address:x} share the page "
                             f"0x{after.address & -PAGE:x}, and each needs its own rights.\n{ADVICE}")
    if not any(segment.address <= entry < segment.end and segment.flags & CAN_EXECUTE for segment in segments):
        raise UsageError(f"{path}: its entry point 0x{entry:x} is not in its code.\n{ADVICE}")
    if len(segments) > IMAGE["SEGMENTS"]:
        raise UsageError(f"{path} has {len(segments)} segments; at most {IMAGE['SEGMENTS']} are possible.\n{ADVICE}")


def _program(memory: _Memory, program: Program, count: int, segments: bytes) -> bytes:
    """Places a program's handlers and symbols. Returns the program's structure."""
    handlers = b"".join(HANDLER.pack(*handler) for handler in program.handlers)
    handler = memory.place(handlers) if handlers else 0
    strings = _Strings()
    functions = [FUNCTION.pack(address, size, strings.offset(name))
                 for address, size, name in function_table(program.elf)]
    lines = [LINE.pack(line.address, IMAGE["UNKNOWN"] if line.file is None else strings.offset(line.file), line.line)
             for line in program.lines]
    address = memory.place(b"".join([*functions, *lines, strings.data]))
    sizes = [FUNCTION.size * len(functions), LINE.size * len(lines)]
    function, line, string = accumulate(sizes, initial=address)
    return PROGRAM_ENTRY.pack(os.fsencode(program.name), program.elf.entry, count, segments,
                              len(program.handlers), handler, len(functions), function, len(lines), line, string)


def function_table(elf: Elf) -> list[tuple[int, int, str]]:
    """(address, size, name) of the functions, by rising address, one for each address.

    A function without a size, as in assembly, reaches up to the next one. Those of libgcc, such as .umul, do not say
    that they are functions.
    """
    code = [segment for segment in elf.segments if segment.flags & CAN_EXECUTE]
    best: dict[int, Symbol] = {}
    ends: dict[int, int] = {}
    for symbol in sorted(elf.symbols, key=lambda one: (one.is_global, one.size, one.name)):
        end = next((segment.end for segment in code if segment.address <= symbol.address < segment.end), None)
        if (symbol.is_function or symbol.is_global and symbol.name.startswith(".")) and end is not None:
            best[symbol.address], ends[symbol.address] = symbol, end
    order = sorted(best)
    table = []
    for address, following in zip(order, [*order[1:], PROGRAM_END], strict=False):
        symbol = best[address]
        table.append((address, symbol.size or min(following, ends[address]) - address, symbol.name))
    return table


class _Strings:
    """Zero-terminated strings, each once."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.known: dict[str, int] = {}

    def offset(self, text: str) -> int:
        """The offset of a string, which is added if it is new."""
        if text not in self.known:
            self.known[text] = len(self.data)
            self.data += os.fsencode(text) + b"\0"
        return self.known[text]


# ---- the end of the room ---------------------------------------------------

def _check_size(memory: _Memory, programs: list[Program], files: list[File]) -> None:
    if len(memory.data) <= END:
        return
    parts = [(sum(len(segment.data) for segment in program.elf.segments), program.name) for program in programs]
    parts += [(len(file.data), file.name) for file in files]
    size, name = max(parts, default=(0, "the kernel"))
    # A program that makes its data when it starts has them in a node's memory alone.
    ram = -(-(len(memory.data) + MIB) // MIB)
    raise UsageError(f"kernel, programs and input files are {len(memory.data)} bytes together; the boot image has "
                     f"room for {END}.\nThe largest part is {name}, {size} bytes. Data without initial values take no "
                     f"room there:\nlet the program fill them, and give the nodes the memory for it: --ram {ram}M")
