"""Compiling programs with the ANL macros, and the commands that their makefiles call.

The sources are NAME.C and NAME.H; m4 makes NAME.c and NAME.h of them. Here
these go to a folder that is removed after the compiler has run, so nothing is
left beside the sources. m4 -s names each source with its lines, so messages and
reports show the lines of NAME.C.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import SetupError
from ..host import children, scratch
from ..paths import ROOT
from . import _globals, _repair

FOLDER = ROOT / "guest-os" / "anl"
MACROS = FOLDER / "anl.m4"

# Most of these programs are K&R C, and declare the same variable in several files. A function of theirs may have the
# name of a function of libos, all of which is linked: the program's comes first.
DIALECT = ("-std=gnu89", "-fpermissive", "-fcommon", "-w", "-Dunix", "-Wl,--no-fatal-warnings,--allow-multiple-definition",
           "-isystem", str(FOLDER), "-include", str(FOLDER / "anl.h"))

# What each program links besides the libraries of all programs; and shm even if no macro calls it: the first process
# alone runs main().
LIBRARIES = ("-l:anl.a", "-Wl,-u,shm_init")
INPUTS = (".C", ".c", ".i", ".o", ".a", ".s", ".S")
NOT_LINKED = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-r"}

# Options for other compilers, machines and libraries, which makefiles of these programs have.
FOREIGN = {"-32", "-n32", "-o32", "-64", "-m32", "-m64", "-KPIC", "-acpp", "-cckr", "-fast", "-float", "-flto", "-fullwarn",
           "-mt", "-non_shared", "-p", "-pg", "-pthread", "-rdynamic", "-signed", "-sopt", "-traditional",
           "-traditional-cpp", "-xansi", "-Xa", "-Xc", "-Xs", "-Xt", "-Aa", "-Ae",
           "-ldl", "-lfpe", "-lmalloc", "-lmpc", "-lposix4", "-lpthread", "-lrt", "-lsun", "-lthread",
           "-lucb"}
FOREIGN_STARTS = ("-mips", "-march=", "-mtune=", "-mcpu=", "-mcmodel=", "-mfpmath=", "-msse", "-mno-sse", "-xO", "-xarch=",
                  "-xtarget=")
FOREIGN_WITH_VALUE = {"-G", "-Olimit", "-woff"}
SECOND = 10**9
# Reads of shared memory without a lock (docs/shm.md, the order of writes) are declared by this word.
UNORDERED = re.compile(rb"\b(volatile|__volatile|__volatile__)\b")
# Headers by a name with a folder.
ELSEWHERE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^">]*/[^">]*)[">]', re.MULTILINE)
MODES = ("--sproc", "--check-globals")
MODE = "FUGU_ANL_MODE"              # any of them, for compilers under `./run.sh anl`
NOTED = "FUGU_ANL_LEFT_OUT"         # names the file in which compilers note foreign options, under `./run.sh anl`


def m4() -> str:
    """The path of GNU m4. SetupError."""
    from ..host.on_demand import M4, ensure

    return ensure(M4)


def compiled(words: list[str], command: Callable[[list[str]], list[str]], modes: list[str]) -> int:
    """Runs a compiler on sources with the ANL macros, and returns its exit status.

    `command` makes its command line from its words. `modes` are of MODES.
    """
    modes = modes or os.environ.get(MODE, "").split()
    sproc, check = "--sproc" in modes, "--check-globals" in modes
    words, foreign = _without_foreign(words)
    _note(foreign)
    with children.interrupts(), scratch.folder() as folder:
        expansion = Expansion(Path(folder), words)
        if (status := expansion.expand()) != 0:
            return status

        def complete(changed: list[str]) -> list[str]:
            linked = [*LIBRARIES, *_globals.SPROC * sproc] if _links(changed) else []
            return command([*DIALECT, *["-DANL_VOLATILE"] * expansion.says_volatile(), *_globals.CHECK * check, *changed,
                            *linked])

        line = complete(expansion.words())
        begin, rules_file = time.time_ns(), Path(folder, ".rules")
        rules = bool({"-M", "-MM"} & set(words)) and not any(word.startswith(("-o", "-MF")) for word in words)
        try:
            if check and _links(words):
                complete = _globals.with_names(complete, Path(folder))
            if rules:
                with rules_file.open("wb") as out:
                    status = children.run(line, stdout=out)
            else:
                status = _repair.compiled(expansion.words(), complete, Path(folder))
        except OSError as error:
            raise SetupError(f"the compiler does not start: {line[0]}: {error.strerror}.") from None
        if rules:
            sys.stdout.write(expansion.named(rules_file.read_text(errors="surrogateescape")))
        _name_sources(words, expansion, begin)
        if sproc and status == 0 and _links(words):
            _globals.fill(Path(_output(words)))
        return status


def _output(words: list[str]) -> str:
    """The file that a compiler with these words makes."""
    for word, following in zip(reversed(words), ["", *reversed(words)], strict=False):
        if word.startswith("-o"):
            return word[2:] or following
    return "a.out"


def _name_sources(words: list[str], expansion: Expansion, begin: int) -> None:
    """Lets the rules for make that the compiler has just written (-MD, -MMD, -MF) name sources and headers, in place of
    what m4 has made of them."""
    if not any(word.startswith("-M") for word in words):
        return
    after = dict(zip(words, [*words[1:], ""], strict=True))
    places = {os.path.dirname(word) or "." for word in [*words, after.get("-o", "")] if not word.startswith("-")} | {"."}
    found = {Path(file) for file in (after.get("-MF"), *(word[3:] for word in words if word.startswith("-MF"))) if file}
    found |= {file for place in places if os.path.isdir(place) for file in Path(place).glob("*.d")}
    if {"-M", "-MM"} & set(words) and "-o" in after:
        found.add(Path(after["-o"]))
    for file in found:
        if file.is_file() and file.stat().st_mtime_ns >= begin - SECOND:
            text = file.read_text(errors="surrogateescape")
            changed = expansion.named(text)
            if changed != text:
                file.write_text(changed, errors="surrogateescape")


def _links(words: list[str]) -> bool:
    """Whether a compiler with these words links a program."""
    return any(word.endswith(INPUTS) for word in words) and not NOT_LINKED.intersection(words)


def _without_foreign(words: list[str]) -> tuple[list[str], list[str]]:
    """The words without options that are for other compilers, and those options."""
    kept, foreign = [], []
    rest = iter(words)
    for word in rest:
        if word in FOREIGN_WITH_VALUE:
            foreign.append(" ".join([word, *[value for value in [next(rest, "")] if value]]))
        elif word in FOREIGN or word.startswith(FOREIGN_STARTS):
            foreign.append(word)
        else:
            kept.append(word)
    return kept, foreign


def _note(foreign: list[str]) -> None:
    """Warns of options that were left out, or notes them for the one warning at the end of `./run.sh anl`."""
    if foreign and (file := os.environ.get(NOTED)):
        with open(file, "a") as notes:
            notes.writelines(f"{option}\n" for option in foreign)
    elif foreign:
        _warn(foreign)


def _warn(foreign: list[str]) -> None:
    print(f"fugu: left out: {' '.join(dict.fromkeys(foreign))} (for other compilers, machines or libraries)",
          file=sys.stderr)


class Expansion:
    """A compiler's words: which of them are sources with macros, and the folders that can have headers with macros."""

    def __init__(self, folder: Path, words: list[str]) -> None:
        self.folder, self.given = folder, words
        self.origins: dict[str, str] = {}           # files that m4 has made: what of
        self.sources = [word for word in words if word.endswith(".C") and not word.startswith("-")]
        searched = [word[2:] or following for word, following in zip(words, [*words[1:], ""], strict=True)
                    if word.startswith("-I")]
        # The options by which the compiler finds headers, and their folders.
        self.headers = list(dict.fromkeys([*(("-iquote", os.path.dirname(source) or ".") for source in self.sources),
                                           *(("-I", folder) for folder in searched)]))

    def expand(self) -> int:
        """Runs m4 on all sources, and on the headers that it finds. Returns 0, or the status of m4 where it fails."""
        for source in self.sources:
            if status := self._expand(Path(source), self._made(Path(source), ".c")):
                return status
        for folder in dict.fromkeys(folder for _, folder in self.headers) if self.sources else ():
            for header in sorted(Path(folder).glob("*.H")):
                if status := self._expand(header, self._made(header, ".h")):
                    return status
        return 0

    def says_volatile(self) -> bool:
        """Whether a source has the word volatile, or an option, or a header that the source may include: any one of its own
        folder or of -I, and those that any of these include by a name with a folder."""
        sources = [Path(word) for word in self.given if word.endswith((".C", ".c")) and not word.startswith("-")]
        folders = {*(source.parent for source in sources), *(Path(folder) for _, folder in self.headers)}
        headers = [header for folder in folders for header in [*folder.glob("*.h"), *folder.glob("*.H")]]
        files = dict.fromkeys(file for file in [*sources, *headers] if file.is_file())
        texts = [os.fsencode(word) for word in self.given if word not in map(str, sources)]
        for file in (rest := list(files)):
            texts.append(file.read_bytes())
            for name in map(os.fsdecode, ELSEWHERE.findall(texts[-1])):
                found = [path for folder in [file.parent, *folders] if (path := Path(folder, name)).is_file()]
                rest += [path.resolve() for path in found if path.resolve() not in files]
                files.update(dict.fromkeys(path.resolve() for path in found))
        return any(map(UNORDERED.search, texts))

    def words(self) -> list[str]:
        """The compiler's words, which name what m4 has made."""
        if not self.sources:
            return self.given
        made = [str(self._made(Path(word), ".c")) if word in self.sources else word for word in self.given]
        return [*(word for option, folder in self.headers for place in (self._place(folder), folder)
                  for word in (option, str(place))), *made]

    def _made(self, path: Path, suffix: str) -> Path:
        made = self._place(str(path.parent)) / (path.stem + suffix)
        self.origins[str(made)] = str(path)
        return made

    def named(self, text: str) -> str:
        """A text, with the sources and headers in place of what was made of them."""
        for made, origin in self.origins.items():
            for blank in (" ", "\\ "):            # make has a backslash before a blank
                text = text.replace(made.replace(" ", blank), origin.replace(" ", blank))
        return text

    def _place(self, folder: str) -> Path:
        """The folder for what is made of the files in `folder`."""
        return self.folder / os.path.abspath(folder)[1:]

    def _expand(self, source: Path, made: Path) -> int:
        made.parent.mkdir(parents=True, exist_ok=True)
        _check_quotes(source)
        with open(made, "wb") as out:
            return children.run([m4(), "-s", "-Ulen", "-Uindex", f"-I{source.parent}", MACROS,
                                 os.path.abspath(source)], stdout=out)


def _check_quotes(source: Path) -> None:
    """Warns of a backquote without an apostrophe on its line: up to the next apostrophe m4 expands nothing."""
    try:
        lines = source.read_text(errors="replace").splitlines()
    except OSError:
        return                                      # m4 says what is wrong with the file
    for number, line in enumerate(lines, 1):
        _, quote, after = line.rpartition("`")
        if quote and "'" not in after:
            print(f"fugu: {source}:{number}: m4 takes ` for a quotation mark, and expands no macro up to the '",
                  file=sys.stderr)


COMPILERS = ("cc", "gcc", "c++", "g++")              # make compiles NAME.C by g++ where a makefile has no rule
TOOLS = ("ar", "ranlib", "nm", "strip", "size")         # of binutils


@contextmanager
def commands(toolchain: Path) -> Iterator[dict[str, str]]:
    """The environment in which cc, gcc, m4 and the commands of binutils are ours. At its end, warns once."""
    with children.interrupts(), scratch.folder() as folder:
        bin_folder, notes = Path(folder) / "bin", Path(folder) / "left-out"
        bin_folder.mkdir()
        notes.touch()
        for name in COMPILERS:
            _script(bin_folder / name, f'exec "{ROOT / "run.sh"}" cc --anl "$@"')
        _script(bin_folder / "m4", f'exec "{m4()}" -s "$@"')
        for name in TOOLS:
            (bin_folder / name).symlink_to(toolchain / "bin" / f"sparc-elf-{name}")
        yield {"PATH": f"{bin_folder}:{os.environ.get('PATH', os.defpath)}", "MACROS": str(MACROS), NOTED: str(notes)}
        if left_out := notes.read_text().splitlines():
            _warn(left_out)


def _script(file: Path, line: str) -> None:
    file.write_text(f"#!/bin/sh\n{line}\n")
    file.chmod(0o755)


def found(name: str, path: str) -> bool:
    """Whether a command can be found on a search path."""
    return shutil.which(name, path=path) is not None
