"""What `./run.sh cc --anl` and `./run.sh anl` make of words and files, without a compiler (fugu.commands._anl, anl)."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from fugu.commands import _anl, anl
from fugu.commands._anl import Expansion
from fugu.errors import SetupError, UsageError


@pytest.mark.parametrize("words, kept, foreign", [
    ("-c a.C -o a.o", "-c a.C -o a.o", []), ("-mips2 -O2 -32 a.C -lm", "-O2 a.C -lm", ["-mips2", "-32"]), ("-G 0 a.C", "a.C", ["-G 0"]),
    ("a.C -Olimit 3000 -woff 12 b.C", "a.C b.C", ["-Olimit 3000", "-woff 12"]), ("a.C -G", "a.C", ["-G"]), ("-march=x -lpthread", "", ["-march=x", "-lpthread"]),
    ("-m3 -lmine", "-m3 -lmine", [])])
def test_options_for_other_compilers(words, kept, foreign):
    assert _anl._without_foreign(words.split()) == (kept.split(), foreign)


def test_options_that_were_left_out_are_named_once(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv(_anl.NOTED, raising=False)
    _anl._note(["-32", "-G 0", "-32"])
    assert capsys.readouterr().err == "fugu: left out: -32 -G 0 (for other compilers, machines or libraries)\n"
    _anl._note([])
    monkeypatch.setenv(_anl.NOTED, str(tmp_path / "notes"))
    _anl._note(["-32"])
    _anl._note(["-G 0"])
    assert (tmp_path / "notes").read_text() == "-32\n-G 0\n" and capsys.readouterr().err == ""


@pytest.mark.parametrize("words, output, links", [
    ("a.C", "a.out", True), ("a.C -o b", "b", True), ("a.C -ob", "b", True), ("-o b -o c a.o", "c", True), ("-c a.C -o a.o", "a.o", False),
    ("-E a.C", "a.out", False), ("-v", "a.out", False), ("a.H", "a.out", False), ("x.a", "a.out", True), ("-r a.o", "a.out", False)])
def test_what_a_compiler_makes(words, output, links):
    assert (_anl._output(words.split()), _anl._links(words.split())) == (output, links)


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Sources with macros, and m4 in place of itself: notes what it is called for, and makes what it is asked for."""
    called = []

    def run(line, stdout):
        called.append(line)
        stdout.write(b"made of " + Path(line[-1]).name.encode())
        return 3 if "wrong" in line[-1] else 0
    for name in ("a.C", "in/b.C", "h/c.H", "h/d.H", "in/e.H", "plain.c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_anl, "m4", lambda: "m4")
    monkeypatch.setattr(_anl.children, "run", run)
    return tmp_path, called


def expansion(root, words):
    (root / "made").mkdir(exist_ok=True)
    return Expansion(root / "made", words.split())


def test_sources_and_headers_with_macros(sources):
    root, called = sources
    one = expansion(root, "-c a.C in/b.C plain.c -Ih -I h -o x.o")
    assert one.expand() == 0
    assert [Path(line[-1]).relative_to(root).as_posix() for line in called] == ["a.C", "in/b.C", "in/e.H", "h/c.H", "h/d.H"]
    assert called[1][:5] == ["m4", "-s", "-Ulen", "-Uindex", "-Iin"] and called[1][5] == _anl.MACROS
    place = f"{root}/made{root}"
    assert Path(f"{place}/in/b.c").read_text() == "made of b.C" and Path(f"{place}/h/d.h").read_text() == "made of d.H"
    assert one.words() == ["-iquote", place, "-iquote", ".", "-iquote", f"{place}/in", "-iquote", "in", "-I", f"{place}/h", "-I", "h",
                           "-c", f"{place}/a.c", f"{place}/in/b.c", "plain.c", "-Ih", "-I", "h", "-o", "x.o"]
    assert one.named(f"x.o: {place}/in/b.c {place}/h/c.h plain.c") == "x.o: in/b.C h/c.H plain.c"


def test_words_without_sources(sources):
    root, called = sources
    one = expansion(root, "a.o -Ih -o x")
    assert one.expand() == 0 and called == [] and one.words() == ["a.o", "-Ih", "-o", "x"]


def test_a_source_that_m4_refuses(sources):
    root, called = sources
    (root / "wrong.C").write_text("")
    assert expansion(root, "wrong.C a.C").expand() == 3 and len(called) == 1


@pytest.mark.parametrize("file, text, says", [
    ("a.C", "volatile int x;", True), ("a.C", "involatile x;", False), ("a.C", "x __volatile__ y", True), ("plain.c", "volatile", False),
    ("in/e.H", "volatile", False), ("h/c.H", "volatile", True), ("h/new.h", "volatile", True), ("a.C", '#include "in/e.H"\n', False)])
def test_programs_that_say_volatile(file, text, says, sources):
    """In a source, or a header that it may include."""
    root, _ = sources
    (root / file).write_text(text)
    assert expansion(root, "-c a.C -Ih").says_volatile() is says


def test_volatile_in_a_header_of_a_folder(sources):
    """By a name with a folder, from header to header, and around; and as an option."""
    root, _ = sources
    (root / "a.C").write_text('#include "in/e.H"\n')
    (root / "in" / "e.H").write_text('  # include <../h/d.H>\n#include "in/e.H"\n')
    assert not expansion(root, "a.C").says_volatile()
    (root / "h" / "d.H").write_text("volatile")
    assert expansion(root, "a.C").says_volatile() and expansion(root, "in/b.C -Dx=volatile").says_volatile()


@pytest.mark.parametrize("line, warns", [("a `quoted' word", False), ("a ` alone", True), ("none", False), ("'first ` then", True), ("` ` then '", False)])
def test_quotation_marks_of_m4(line, warns, tmp_path, capsys):
    (tmp_path / "a.C").write_text(f"first\n{line}\n")
    _anl._check_quotes(tmp_path / "a.C")
    assert capsys.readouterr().err == f"fugu: {tmp_path}/a.C:2: m4 takes ` for a quotation mark, and expands no macro up to the '\n" * warns
    _anl._check_quotes(tmp_path / "none.C")


def test_commands_of_a_makefile(tmp_path, monkeypatch, capsys):
    """They are ours, first on the path; one warning names all options that were left out."""
    monkeypatch.setattr(_anl, "m4", lambda: "/usr/bin/m4")
    monkeypatch.setenv("PATH", "/first:/second")
    with _anl.commands(tmp_path) as environment:
        folder = Path(environment["PATH"].partition(":")[0])
        assert environment["PATH"] == f"{folder}:/first:/second" and environment["MACROS"] == str(_anl.MACROS)
        assert sorted(path.name for path in folder.iterdir()) == ["ar", "c++", "cc", "g++", "gcc", "m4", "nm", "ranlib", "size", "strip"]
        assert (folder / "ranlib").readlink() == tmp_path / "bin" / "sparc-elf-ranlib"
        assert (folder / "cc").read_text().endswith('/run.sh" cc --anl "$@"\n') and (folder / "m4").read_text() == '#!/bin/sh\nexec "/usr/bin/m4" -s "$@"\n'
        assert (folder / "cc").stat().st_mode & 0o777 == 0o755
        Path(environment[_anl.NOTED]).write_text("-32\n-32\n")
    assert capsys.readouterr().err.startswith("fugu: left out: -32 (") and not folder.exists()


@pytest.mark.parametrize("words, line, flags", [
    (["make", "-j2"], ["make", "-j2", f"MACROS={_anl.MACROS}"], {"CXXFLAGS": "$(CFLAGS)"}), (["/usr/bin/gmake"], ["/usr/bin/gmake", f"MACROS={_anl.MACROS}"],
                                                                                           {"CXXFLAGS": "$(CFLAGS)"}),
    (["make", "MACROS=mine"], ["make", "MACROS=mine"], {"CXXFLAGS": "$(CFLAGS)"}), (["sh", "build"], ["sh", "build"], {}),
    (["--sproc", "--check-globals", "sh"], ["sh"], {_anl.MODE: "--sproc --check-globals"})])
def test_what_a_command_gets(words, line, flags, monkeypatch):
    ran = []

    @contextlib.contextmanager
    def commands(toolchain):
        assert str(toolchain) == "/tools"
        yield {"PATH": "/ours", "MACROS": "m"}
    monkeypatch.setattr(anl, "up_to_date", lambda parts: {"guest": {"toolchain": "/tools"}})
    monkeypatch.setattr(_anl, "commands", commands)
    monkeypatch.setattr(_anl, "found", lambda name, path: path == "/ours" and name != "none")
    monkeypatch.setattr(anl.children, "run", lambda words, env: ran.append((words, env)) or 7)
    for name in ("CXXFLAGS", _anl.MODE):
        monkeypatch.delenv(name, raising=False)
    assert anl.main(words) == 7
    [(found, env)] = ran
    assert found == line and {name: env.get(name) for name in ("CXXFLAGS", _anl.MODE) if name in env} == flags
    assert (env["PATH"], env["MACROS"]) == ("/ours", "m")
    monkeypatch.setenv("CXXFLAGS", "-O3")
    anl.main(words)
    assert ran[1][1]["CXXFLAGS"] == "-O3"
    with pytest.raises(SetupError, match="^there is no command none on the path.$"):
        anl.main(["--sproc", "none", "make"])
    with pytest.raises(UsageError, match="anl needs a command"):
        anl.main(["--sproc"])
