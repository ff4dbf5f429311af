"""The numbers of C headers, read from the headers: Python has no copies of them.

    from fugu.abi import REGS
    REGS["PARAM_BASE"]              FUGU_PARAM_BASE of hw/fugu-regs.h

A header is read when its first number is asked for, and only once. A number is
a macro or an enumerator; it may be an expression with other numbers.

Every start of the launcher reads some headers. Compiling a regular expression takes longer than reading a header, so
the usual numbers are read without one.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property

from .errors import SetupError
from .paths import ROOT

ENUM = r"\benum\b[^{;]*\{([^}]*)\}"
SUFFIXES = frozenset("uUlL")
SUFFIX = r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b"
FIELD = r"(?:struct\s+)?(\w+)\s+([^;]+);"

# What the headers take from headers that are not ours.
FOREIGN = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "INT64_C": int, "UINT64_C": int}
# Letters of the module struct.
SCALARS = {"uint8_t": "B", "uint16_t": "H", "uint32_t": "I", "uint64_t": "Q", "int64_t": "q"}


class Header:
    """A C header, or source file, and the prefix that its names have in C but not in Python.

    An expression may have names of the headers in `uses`.
    """

    def __init__(self, path: str, prefix: str = "", uses: tuple[Header, ...] = ()) -> None:
        self.path, self.prefix, self.uses = ROOT / path, prefix, uses
        self._numbers: dict[str, int | None] = {}       # those looked up so far

    def __getitem__(self, name: str) -> int:
        """The number of that name. SetupError if the header has none."""
        value = self._number(self.prefix + name)
        if value is None:
            raise self._lacks(f"number {self.prefix + name}")
        return value

    def group(self, prefix: str) -> dict[str, int]:
        """The numbers whose names begin with `prefix`, in the header's order, by the rest of their names."""
        start = self.prefix + prefix
        names = [name for name in [*self._macros, *self._enumerators] if name.startswith(start)]
        numbers = {name.removeprefix(start): self._number(name) for name in names}
        return {name: value for name, value in numbers.items() if value is not None}

    def call(self, name: str, *arguments: int) -> int:
        """The value of a macro with these arguments. SetupError."""
        parameters, text = self._macros.get(self.prefix + name, (None, ""))
        if parameters is None or len(parameters) != len(arguments):
            raise self._lacks(f"macro {self.prefix + name} of {len(arguments)} parameters")
        return int(self._evaluated(text, dict(zip(parameters, arguments, strict=True))))

    def text(self, name: str) -> str:
        """A macro that is one string. SetupError."""
        found = re.fullmatch(r'"([^"\\]*)"', self._macros.get(self.prefix + name, (None, ""))[1])
        if not found:
            raise self._lacks(f"string {self.prefix + name}")
        return found[1]

    def entries(self, name: str) -> list[str]:
        """The entries of a list macro, which are X(...) each: the text between the parentheses. SetupError."""
        parameters, text = self._macros.get(self.prefix + name, (None, ""))
        if parameters is None:
            raise self._lacks(f"list {self.prefix + name}")
        return re.findall(rf"\b{parameters[0]}\(([^)]*)\)", text)

    def struct(self, name: str) -> struct.Struct:
        """The layout of a structure of big-endian numbers; an array of bytes or of structures is one bytes object.

        The fields have to be such that a compiler puts no padding between them. SetupError.
        """
        found = re.search(rf"\bstruct\s+{name}\s*\{{([^}}]*)\}}", self._text)
        if not found:
            raise self._lacks(f"struct {name}")
        return struct.Struct(">" + "".join(self._fields(found[1])))

    def members(self, name: str) -> list[str]:
        """The names of the members of a structure, in order. SetupError."""
        found = re.search(rf"\bstruct\s+{name}\s*\{{([^}}]*)\}}", self._text)
        if not found:
            raise self._lacks(f"struct {name}")
        return [re.match(r"\s*(\w+)", one)[1] for _, text in re.findall(FIELD, found[1])  # type: ignore[index]
                for one in text.split(",")]

    def _fields(self, text: str) -> Iterator[str]:
        for kind, declarators in re.findall(FIELD, text):
            for declarator in declarators.split(","):
                array = re.search(r"\[(.*)\]", declarator)
                count = int(self._evaluated(array[1])) if array else 1
                if kind in SCALARS:
                    yield f"{count}{SCALARS[kind]}"
                else:
                    yield f"{count * (1 if kind == 'char' else self.struct(kind).size)}s"

    # ---- what the header says ----

    @cached_property
    def _text(self) -> str:
        """The header without comments, each macro on one line."""
        try:
            text = self.path.read_text()
        except OSError as error:
            raise SetupError(f"the header {self.path} cannot be read: {error.strerror}.\n"
                             "tools/fugu/abi.py says where the headers are.") from None
        before, *others = text.split("/*")
        return " ".join([before, *(part.partition("*/")[2] for part in others)]).replace("\\\n", " ")

    @cached_property
    def _macros(self) -> dict[str, tuple[list[str] | None, str]]:
        """(parameters, text) of each macro; the first definition counts."""
        found: dict[str, tuple[list[str] | None, str]] = {}
        for line in self._text.splitlines():
            hash_sign, _, rest = line.partition("define")
            if hash_sign.strip() != "#":
                continue
            name, _, text = rest.strip().replace("\t", " ").partition(" ")
            parameters: list[str] | None = None
            if "(" in name:
                name, _, rest = rest.strip().partition("(")
                inside, _, text = rest.partition(")")
                parameters = [word.strip() for word in inside.split(",")]
            found.setdefault(name, (parameters, text.strip()))
        return found

    @cached_property
    def _enumerators(self) -> dict[str, str]:
        """The expression of each enumerator. Enumerations that a macro expands to are left out."""
        found: dict[str, str] = {}
        for body in re.findall(ENUM, self._text):
            if "#" in body:
                continue
            before = "-1"
            for enumerator in filter(None, map(str.strip, body.split(","))):
                name, _, value = map(str.strip, enumerator.partition("="))
                found[name] = value or f"{before} + 1"
                before = name
        return found

    def _number(self, name: str) -> int | None:
        """The value of a macro without parameters or of an enumerator, or None if it is no number."""
        if name not in self._numbers:
            parameters, text = self._macros.get(name) or (None, self._enumerators.get(name, ""))
            value: object = None
            if text and parameters is None:
                with suppress(SyntaxError, NameError, TypeError):
                    value = self._evaluated(text)
            self._numbers[name] = value if isinstance(value, int) else None
        return self._numbers[name]

    def _evaluated(self, text: str, names: dict[str, int] | None = None) -> int:
        """A C expression of whole numbers. Its operators are Python's, except for the division."""
        with suppress(ValueError):
            return int(text.rstrip("uUlL"), 0)
        if not SUFFIXES.isdisjoint(text):
            text = re.sub(SUFFIX, r"\1", text)
        value: int = eval(text.replace("/", "//").strip(), {"__builtins__": {}}, _Names(self, names or {}))
        return value

    def _lacks(self, what: str) -> SetupError:
        return SetupError(f"{self.path} has no {what}.\n"
                          "Python takes it from there (tools/fugu/abi.py says which headers it reads).")


class _Names(dict[str, object]):
    """The names in an expression: parameters, or numbers of this header and of the headers that it uses."""

    def __init__(self, header: Header, parameters: dict[str, int]) -> None:
        super().__init__(FOREIGN | parameters)
        self.header = header

    def __missing__(self, name: str) -> int:
        for header in (self.header, *self.header.uses):
            value = header._number(name)
            if value is not None:
                return value
        raise KeyError(name)            # eval turns this into a NameError


# ---- the headers that Python reads -------------------------------------------

REGS = Header("hw/fugu-regs.h", "FUGU_")

# Headers of the devices and the machine.
MESH = Header("hw/machine/mesh.h", "MESH_")
MACHINE = Header("hw/machine/machine.h", "FUGU_")
STATUS = Header("hw/machine/machine.h", "FUGU_STATUS_")         # exit statuses
LINK = Header("hw/link/link.h", "FUGU_")
LINK_HUB = Header("hw/link/hub-side.c")
LINK_PROTO = Header("hw/wire/protocol.h", "FUGU_")         # the protocol between processes
LINK_RING = Header("hw/wire/ring.h", "LINK_")
REPORTER = Header("hw/report/reporter.c")       # what QEMU and the report's program say to each other
OPTIONS = Header("hw/board/options.c", "", (REGS, MESH))      # ranges of the machine's options
SEEN = Header("hw/observe/names.h", "FUGU_")            # what QEMU observes of a run
PERFETTO = Header("hw/observe/perfetto.h", "PERFETTO_")
ROUNDS = Header("hw/rounds/rounds.c")
FRAME = Header("hw/observe/profile.h", "FUGU_FRAME_")
WAITS = Header("hw/machine/node-status.h", "FUGU_")
TALLY = Header("hw/observe/tally.h", "FUGU_TALLY_")
SNAPSHOT = Header("hw/snapshot/file.h", "FUGU_SNAPSHOT_")
SNAPSHOT_FILE = Header("hw/snapshot/file.c")

# Headers of the operating system.
GLAZE = Header("guest-os/include/glaze.h", "GLAZE_", (REGS,))
IMAGE = Header("guest-os/include/image.h", "IMAGE_")    # boot images
NOTE = Header("guest-os/include/note.h", "NOTE_")
HANDLERS = Header("guest-os/include/mm-handler.h", "MM_HANDLER_")      # trusted handlers of a program
PROCESS = Header("guest-os/kernel/machine/process.h", "", (GLAZE, REGS))
PSR = Header("guest-os/kernel/machine/psr.h")
VIEW = Header("guest-os/include/view.h")             # for the report of the end
LATENCY = Header("guest-os/kernel/machine/latency.h")
FRAMES = Header("guest-os/kernel/memory/frames.h")
SPARCLE = Header("guest-os/include/sparcle.h")
SPACE = Header("guest-os/kernel/memory/space.h")
SKEW = Header("guest-os/kernel/policy/skew.h")
LIBRARY = Header("guest-os/libos/library.h", "", (GLAZE,))

# Headers of programs that are measured.
LEON3 = Header("tests/guest/bench/leon3/start.S")
PAPER = Header("tests/paper/variants.h")
ALTERED = Header("tests/guest/m-machine/altered.h", "ALTERED_")
