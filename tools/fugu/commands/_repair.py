"""What compilers of the time took, and GCC refuses: repaired in a copy of the source, after the preprocessor.

    static void f() after void f()          the second declaration loses its `static`
    int f(short n); int f(n) short n; {}    the prototype loses its parameters: int f();

GCC's own messages say where. Their errors cannot be switched off, and an option that made all of a source's
functions global, or all of its prototypes void, would change other code. Each repair is a line at the end.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..host import children

ROUNDS = 12             # compilations of one source: GCC does not find all mistakes at once
SOURCES = (".c", ".C")
NO_CODE = {"-E", "-M", "-MM"}
DEPENDENCIES = ("-MD", "-MMD", "-MP", "-MG")
DEPENDENCIES_WITH_VALUE = ("-MF", "-MT", "-MQ")

PLACE = r"(?P<file>[^:\n]+):(?P<line>\d+):\d+: "
QUOTED = r"['‘](?P<name>\w+)['’]"
COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
STATIC = re.compile(rf"{PLACE}error: static declaration of {QUOTED} follows non-static declaration")
FUNCTION = re.compile(rf"[^:\n]+: In function {QUOTED}:")
ARGUMENT = re.compile(r".*error: (argument .* doesn['’]t match prototype|number of arguments doesn['’]t match prototype"
                      r"|promoted argument .* doesn['’]t match prototype)")
PROTOTYPE = re.compile(rf"{PLACE}(error|note): prototype declaration")
CONFLICT = re.compile(rf".*error: conflicting types for {QUOTED}")
PREVIOUS = re.compile(rf"{PLACE}note: previous declaration of {QUOTED}")
MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"((?: \d)*)')


@dataclass(frozen=True)
class Repair:
    """What is to change in the declaration of a function at a line."""

    file: str
    line: int
    name: str
    is_static: bool

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: " + (
            f"{self.name}() is not static here: it has been declared without that before" if self.is_static else
            f"{self.name}() is taken as declared without parameters: its definition has others")


def repairs(messages: str) -> list[Repair]:
    """What GCC's messages ask for."""
    found, function, mismatch = [], "", ""
    for line in COLOUR.sub("", messages).splitlines():
        if match := FUNCTION.match(line):
            function = match["name"]
        elif match := STATIC.match(line):
            found.append(Repair(match["file"], int(match["line"]), match["name"], True))
        elif ARGUMENT.match(line):
            mismatch = function
        elif match := CONFLICT.match(line):
            mismatch = match["name"]
        elif mismatch and ((match := PROTOTYPE.match(line)) or
                           ((match := PREVIOUS.match(line)) and match["name"] == mismatch)):
            found.append(Repair(match["file"], int(match["line"]), mismatch, False))
            mismatch = ""
    return list(dict.fromkeys(found))


def repaired(text: str, repair: Repair) -> str:
    """A preprocessed source with a repair; the same text if its place is not found."""
    for start, end in _lines(text, repair.file, repair.line):
        found = re.compile(rf"\b{repair.name}\b\s*\(").search(text, start, end)
        if found and repair.is_static:
            static = list(re.finditer(r"\bstatic\b", text[max(0, start - 400):found.start()]))
            if static:
                at = max(0, start - 400) + static[-1].start()
                return f"{text[:at]}      {text[at + 6:]}"
        elif found and (close := _closing(text, found.end())) is not None:
            inside = text[found.end():close]
            return text[:found.end()] + re.sub(r"[^\n]", " ", inside) + text[close:]
    return text


def _lines(text: str, file: str, line: int) -> list[tuple[int, int]]:
    """Begin and end of each piece of a preprocessed source that is from a line of a file."""
    found, at, now, number, hidden = [], 0, "", 0, False
    for piece in text.splitlines(keepends=True):
        if match := MARKER.match(piece):
            now, number, hidden = match[2].replace("\\\\", "\\"), int(match[1]), "3" in match[3].split()
        else:
            if number == line and now == file and not hidden:       # no line of a header of the system's
                found.append((at, at + len(piece)))
            number += 1
        at += len(piece)
    return found


def _closing(text: str, at: int) -> int | None:
    """Where the parenthesis closes that has been opened before `at`."""
    depth = 1
    for k in range(at, len(text)):
        depth += (text[k] == "(") - (text[k] == ")")
        if depth == 0:
            return k
    return None


def compiled(words: Sequence[str], command: Callable[[list[str]], list[str]], folder: Path) -> int:
    """Runs the compiler on these words, and once more on repaired sources where its messages ask for that.

    Returns its status. Copies go to `folder`.
    """
    status, messages = _run(command(list(words)))
    if status == 0 or NO_CODE.intersection(words) or not repairs(messages):
        sys.stderr.write(messages)
        return status
    done: list[Repair] = []
    used = list(words)
    for number, word in enumerate(words):
        if word.endswith(SOURCES) and not word.startswith("-"):
            copies = folder / f".repaired-{number}"         # sources in several folders may have one name
            copies.mkdir()
            used[number] = _source(word, words, command, copies, done)
    status, messages = _run(command(_without_dependencies(used) if used != list(words) else used))
    for repair in done:
        print(f"fugu: {repair}", file=sys.stderr)
    sys.stderr.write(messages)
    return status


def _source(source: str, words: Sequence[str], command: Callable[[list[str]], list[str]], folder: Path,
            done: list[Repair]) -> str:
    """The file that takes a source's place: a repaired copy, or the source itself if it needs none."""
    copy = folder / f"{Path(source).stem}.i"
    others = _without_output([word for word in words if not (word.endswith((*SOURCES, ".o", ".a")) and word[0] != "-")])
    if _run(command([*others, "-E", source, "-o", str(copy)]))[0]:
        return source
    text = copy.read_text(errors="surrogateescape")
    needed = False
    for _ in range(ROUNDS):
        status, messages = _run(command([*_without_dependencies(others), "-fsyntax-only", str(copy)]))
        wanted = [repair for repair in repairs(messages) if repair not in done]
        if status == 0 or not wanted:
            break
        for repair in wanted:
            changed = repaired(text, repair)
            if changed != text:
                done.append(repair)
                needed, text = True, changed
        copy.write_text(text, errors="surrogateescape")
    return str(copy) if needed else source


def _without_output(words: Sequence[str]) -> list[str]:
    kept, rest = [], iter(words)
    for word in rest:
        if word == "-o":
            next(rest, "")
        elif not word.startswith("-o") and word not in ("-c", "-S"):
            kept.append(word)
    return kept


def _without_dependencies(words: Sequence[str]) -> list[str]:
    """The words without the rules for make, which the first run of the compiler or of the preprocessor has written."""
    kept, rest = [], iter(words)
    for word in rest:
        if word in DEPENDENCIES_WITH_VALUE:
            next(rest, "")
        elif word not in DEPENDENCIES and not word.startswith(DEPENDENCIES_WITH_VALUE):
            kept.append(word)
    return kept


def _run(line: Sequence[str]) -> tuple[int, str]:
    """The compiler's status, and what it has said."""
    line = [line[0], f"-fdiagnostics-color={'always' if sys.stderr.isatty() else 'never'}", *line[1:]]
    with tempfile.TemporaryFile() as said:
        status = children.run(line, stderr=said)
        said.seek(0)
        return status, said.read().decode(errors="replace")
