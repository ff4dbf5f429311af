"""Which words of ./run.sh cc have parts in C++, and what is linked with those."""

from __future__ import annotations

import pytest

from fugu.commands import _cplusplus, cc
from fugu.errors import UsageError


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()
    for name in ("x.cc", "x.cpp", "x.cxx", "x.c++", "x.C", "y.cc", "x.hpp"):
        (tmp_path / name).touch()
    for name, text in {"c.o": "\0main\0", "plus.o": "\0_Z1fv\0main\0", "libc1.a": "\0f\0", "lib/libplus.a": "\0_ZN1A1fEv\0"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "libthin.a").write_text("!<thin>\n/  6  `\n\1\1\1\1_Z1fv\0/1  `\nf.o/")
    (tmp_path / "words").write_text('-c\n"x.cc"  -o x.o\n')
    (tmp_path / "odd").write_text('x.cc "')


@pytest.mark.parametrize("words", [
    "x.cc", "x.cpp", "x.cxx", "x.c++", "x.C", "x.c y.cc", "-c x.cc", "-E x.cc", "-x c++ x.c", "-xc++ -", "-fsyntax-only x.hpp",
    "plus.o", "c.o plus.o -o x.elf", "c.o -Llib -lplus", "c.o -L lib -lplus", "c.o -L lib -l:libplus.a", "x.c lib/libplus.a", "c.o -L lib -l plus",
    "c.o -Wl,lib/libplus.a", "c.o -Xlinker lib/libplus.a", "c.o libthin.a", "@words", "-x c++-header x.h"])
def test_words_with_cplusplus(words):
    assert _cplusplus.meant(words.split(), anl=False)


@pytest.mark.parametrize("words", [
    "x.c", "c.o", "x.c -o x.cc", "-include x.hpp x.c", "-MF x.cc x.c", "--version", "-c plus.o", "x.c -Llib -lc1", "x.c -lplus",
    "x.S y.s", "none.o", "-r plus.o", "x.c -DX=y.cc", "x.c -D x.cc", "x.c -std=c11", "x.c @none", "x.c @odd", "x.c -L lib -l c1"])
def test_words_without(words):
    assert not _cplusplus.meant(words.split(), anl=False)


@pytest.mark.parametrize("words, what", [("x.C y.cc", "y.cc is in C++"), ("-x c++ x.C", "-x c++ is in C++")])
def test_macros_are_for_c(words, what):
    with pytest.raises(UsageError, match=f"--anl is for programs in C, and {what}".replace("+", r"\+")):
        _cplusplus.meant(words.split(), anl=True)
    assert not _cplusplus.meant(["x.C", "x.H", "y.c", "plus.o"], anl=True)


def test_missing_source_builds_nothing():
    with pytest.raises(UsageError, match=r"there is no file none\.cc\."):
        _cplusplus.meant(["-c", "x.cc", "none.cc"], anl=False)


def test_only_a_link_gets_the_library():
    for word in ("-c", "-S", "-E", "-r"):
        assert _cplusplus.completed([word, "x.cc"]) == [word, "x.cc"]
    for words in (["x.hpp"], ["-x", "c++-header", "x.h", "-o", "x.h.gch"], ["@words"]):
        assert _cplusplus.completed(words) == words
    assert _cplusplus.completed(["x.cc", "x.hpp"])[0] == _cplusplus.LINK[0]
    assert _cplusplus.completed(["x.cc"]) == [*_cplusplus.LINK, "x.cc"]
    for word in _cplusplus.LINK:
        assert (_cplusplus.FOLDER / word.rpartition("/")[2].rpartition(",")[2]).exists()


@pytest.mark.parametrize("words, parts", [("x.c", ["guest"]), ("x.cc", ["guest", "cplusplus"])])
def test_first_source_in_cplusplus_asks_for_it(words, parts, monkeypatch):
    asked = []

    def up_to_date(wanted):
        asked.append(wanted)
        return {"guest": {"toolchain": "/chain"}, "cplusplus": {"cplusplus": "/plus"}}

    def become(program, line):
        raise SystemExit(program)
    monkeypatch.setattr(cc, "up_to_date", up_to_date)
    monkeypatch.setattr(cc.os, "execv", become)
    with pytest.raises(SystemExit) as ended:
        cc.main([words])
    assert asked == [parts] and ended.value.code == f"/{'plus' if len(parts) > 1 else 'chain'}/bin/sparc-elf-gcc"
