"""Which words of `./run.sh cc` have parts in C++, and what such a program is linked with.

A source in C++ says so by its suffix, as for GCC, or by -x c++. An object or an archive is
in C++ if one of its names is mangled: those begin with _Z.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from ..errors import UsageError
from ..paths import ROOT
from ._anl import NOT_LINKED

FOLDER = ROOT / "guest-os" / "cplusplus"
HEADERS = (".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc")
SUFFIXES = (".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii", *HEADERS)
MANGLED = re.compile(rb"\0_Z")
MANGLED_THIN = re.compile(rb"_Z[A-Z0-9]")            # behind the index of an archive that names its members
VALUE_FOLLOWS = {"-o", "-MF", "-MT", "-MQ", "-I", "-isystem", "-include", "-imacros", "-iquote", "-idirafter", "-D", "-U",
                 "-L", "-l", "-T", "-u", "-e", "-x", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-A", "--param"}
LINK = (f"-specs={FOLDER / 'program-cplusplus.specs'}", f"-Wl,-T,{FOLDER / 'program-cplusplus.ld'}")


def meant(words: list[str], anl: bool) -> bool:
    """Whether a compiler with these words needs C++.

    UsageError if they have ANL macros too, or for a source that is not there: it builds nothing.
    """
    words = _expanded(words)
    inputs = list(_inputs(words))
    language = any(word.startswith("-xc++") or (before == "-x" and word.startswith("c++"))
                   for before, word in zip(["", *words], words, strict=False))
    sources = [word for word in inputs if word.endswith(SUFFIXES) and not (anl and word.endswith((".C", ".H")))]
    if anl:
        if sources or language:
            raise UsageError(f"--anl is for programs in C, and {sources[0] if sources else '-x c++'} is in C++")
        return False
    if missing := next((source for source in sources if not Path(source).exists()), None):
        raise UsageError(f"there is no file {missing}.")
    return bool(language or sources or (_links(words) and any(map(_mangled, [*inputs, *_passed_on(words), *_libraries(words)]))))


def completed(words: list[str]) -> list[str]:
    """The words, with what a program in C++ is linked with if they link one."""
    return [*LINK, *words] if _links(_expanded(words)) else words


def _expanded(words: list[str]) -> list[str]:
    """The words, with those of files that @FILE names."""
    found = []
    for word in words:
        try:
            found += shlex.split(Path(word[1:]).read_text()) if word.startswith("@") else [word]
        except (OSError, ValueError):
            found.append(word)      # the compiler says so
    return found


def _links(words: list[str]) -> bool:
    """Whether GCC links: a header alone is precompiled."""
    inputs = list(_inputs(words))
    headers = all(word.endswith(HEADERS) for word in inputs) or any(word.endswith("c++-header") for word in words)
    return not NOT_LINKED.intersection(words) and not (inputs and headers)


def _inputs(words: list[str]) -> Iterator[str]:
    """The words that name files."""
    for before, word in zip(["", *words], words, strict=False):
        if not word.startswith(("-", "@")) and before not in VALUE_FOLLOWS:
            yield word


def _passed_on(words: list[str]) -> Iterator[str]:
    """The words that -Wl and -Xlinker pass on to the linker."""
    for before, word in zip(["", *words], words, strict=False):
        if word.startswith("-Wl,"):
            yield from word.split(",")[1:]
        elif before == "-Xlinker":
            yield word


def _libraries(words: list[str]) -> Iterator[str]:
    """The archives that -l names, in folders that -L names."""
    following = dict(enumerate([*words[1:], ""]))
    folders = [word[2:] or following[at] for at, word in enumerate(words) if word.startswith("-L")]
    for at, word in enumerate(words):
        if word.startswith("-l"):
            name = word[2:] or following[at]
            name = name[1:] if name.startswith(":") else f"lib{name}.a"
            yield from (str(Path(folder, name)) for folder in folders)


def _mangled(file: str) -> bool:
    """Whether an object or an archive has a name of C++."""
    if not file.endswith((".o", ".a", ".obj", ".lo")):
        return False
    try:
        data = Path(file).read_bytes()
    except OSError:
        return False            # the compiler says so
    return bool((MANGLED_THIN if data.startswith(b"!<thin>") else MANGLED).search(data))
