"""Variables of programs with ANL macros: shared by all processes, or watched.

--sproc: processes share their variables, as after IRIX's sproc(). guest-os/anl/sproc.ld places the variables at the
beginning of shared memory, in a segment of their own, and room for their initial values in the program's read-only
part. The linker cannot fill that with the contents of another section, so fill() does.

--check-globals: at its end, a run names the variables that processes should share (guest-os/anl/watch.c). The program
gets a list of its variables, for which it is linked twice.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..errors import SetupError
from ..host import children
from ..image import elf
from ..paths import ROOT

FOLDER = ROOT / "guest-os" / "anl"
SPROC = (f"-T{FOLDER / 'sproc.ld'}", "-Tprogram.ld")
UNUSED = bytes(4)               # PT_NULL
CHECK = ("-fsanitize=thread", "-DANL_WATCH")

Command = Callable[[list[str]], list[str]]


def fill(program: Path) -> None:
    """Copies the initial values of the shared variables to where the library finds them. SetupError.

    No loader is to load the segment of the variables.
    """
    data = bytearray(program.read_bytes())
    fields = elf.HEADER.unpack_from(data)
    places = [fields[5] + k * fields[9] for k in range(fields[10])]
    headers = [elf.PROGRAM_HEADER.unpack_from(data, at) for at in places]
    symbols = elf.read(program, bytes(data))
    image, start = symbols.symbol("sproc_image"), symbols.symbol("sproc_start")
    shared = next((header for header in headers if header[2] == start), None)
    text = next((header for header in headers if header[0] == elf.LOAD and image is not None
                 and header[2] <= image < header[2] + header[4]), None)
    if image is None or not shared or not text:
        raise SetupError(f"{program} has no place for shared variables, though it was linked with sproc.ld.")
    _, offset, _, _, size, *_ = shared
    place = text[1] + image - text[2]
    data[place:place + size] = data[offset:offset + size]
    at = places[headers.index(shared)]
    data[at:at + len(UNUSED)] = UNUSED
    program.write_bytes(data)


def with_names(command: Command, folder: Path) -> Command:
    """A command that links a program with the list of its variables. OSError."""
    def complete(words: list[str]) -> list[str]:
        first = folder / ".first.elf"
        empty = _listed(folder / ".none.c", [])
        if children.run(command([*_without_output(words), str(empty), "-o", str(first)])) != 0:
            return command([*words, str(empty)])        # the compiler says it again
        read = elf.read(first, first.read_bytes())
        base = "sproc_start" if read.symbol("sproc_start") is not None else "program_copy_start"
        start, end = read.symbol(base) or 0, read.symbol(base.replace("start", "end")) or 0
        names = {symbol.address - start: (symbol.size, symbol.name.partition(".")[0]) for symbol in read.symbols
                 if symbol.size and not symbol.is_function and start <= symbol.address < end}
        return command([*words, str(_listed(folder / ".names.c", sorted(names.items()), base))])
    return complete


def _listed(file: Path, names: list[tuple[int, tuple[int, str]]], base: str = "program_copy_start") -> Path:
    """A source with the program's variables, by their places behind a symbol: its read-only part does not move those."""
    rows = [f'    {{ (unsigned long){base} + {at}, {size}, "{name}" }},\n' for at, (size, name) in names]
    file.write_text("".join([f'#include "{FOLDER / "watch.h"}"\n', f"extern char {base}[];\n",
                             "const struct anl_variable anl_variables[] = {\n", *rows, "    { 0, 0, 0 }\n};\n"]))
    return file


def _without_output(words: list[str]) -> list[str]:
    kept, rest = [], iter(words)
    for word in rest:
        if word == "-o":
            next(rest, "")
        elif not word.startswith("-o"):
            kept.append(word)
    return kept
