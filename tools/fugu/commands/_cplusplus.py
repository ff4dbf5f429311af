"""Which words of `./run.sh cc` have parts in C++, and what such a program is linked with.

A source in C++ says so by its suffix, as for GCC, or by -x c++. An object or an archive is
in C++ if one of its names is mangled: those begin with _Z.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import UsageError
from ..paths import ROOT
from ._anl import NOT_LINKED

FOLDER = ROOT / "guest-os" / "cplusplus"
SUFFIXES = (".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".ii",
            ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc")
MANGLED = b"\0_Z"
VALUE_FOLLOWS = {"-o", "-MF", "-MT", "-MQ", "-I", "-isystem", "-include", "-imacros", "-iquote", "-idirafter", "-D", "-U",
                 "-L", "-T", "-u", "-e", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-A", "--param"}
LINK = (f"-specs={FOLDER / 'program-cplusplus.specs'}", f"-Wl,-T,{FOLDER / 'program-cplusplus.ld'}")


def meant(words: list[str], anl: bool) -> bool:
    """Whether a compiler with these words needs C++.

    UsageError if they have ANL macros too, or for a source that is not there: it builds nothing.
    """
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
    return bool(language or sources or (_links(words) and any(map(_mangled, [*inputs, *_libraries(words)]))))


def completed(words: list[str]) -> list[str]:
    """The words, with what a program in C++ is linked with if they link one."""
    return [*LINK, *words] if _links(words) else words


def _links(words: list[str]) -> bool:
    return not NOT_LINKED.intersection(words)


def _inputs(words: list[str]) -> Iterator[str]:
    """The words that name files."""
    for before, word in zip(["", *words], words, strict=False):
        if not word.startswith("-") and before not in VALUE_FOLLOWS:
            yield word


def _libraries(words: list[str]) -> Iterator[str]:
    """The archives that -l names, in folders that -L names."""
    following = dict(enumerate([*words[1:], ""]))
    folders = [word[2:] or following[at] for at, word in enumerate(words) if word.startswith("-L")]
    for word in words:
        if word.startswith("-l"):
            name = word[3:] if word.startswith("-l:") else f"lib{word[2:]}.a"
            yield from (str(Path(folder, name)) for folder in folders)


def _mangled(file: str) -> bool:
    """Whether an object or an archive has a name of C++."""
    if not file.endswith((".o", ".a", ".obj", ".lo")):
        return False
    try:
        return MANGLED in Path(file).read_bytes()
    except OSError:
        return False            # the compiler says so
