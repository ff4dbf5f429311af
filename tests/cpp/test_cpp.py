"""Programs in C++ under Glaze: docs/cpp.md."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from run_sh import run_sh

from fugu.image import elf
from fugu.paths import ROOT
from fugu.reference.headers import HEADERS

HERE = Path(__file__).parent

LANGUAGE = """\
+first +second +last 
2word
0 bottom
1 bottom
7 bottom
8 bottom
60 bottom
3.5
+member -member 5
inner of 1 x
again
St12out_of_range
32
42 10 N12_GLOBAL__N_17DerivedE std::bad_cast
7 blocks, std::bad_alloc
1
dog1 end1 fox1 lazy1 quick1 the3 91 7 2
0.1 ff 1e+301 2.5 1099511627776
+local 7
atexit -local -last -second -first """            # noqa: W291: blanks at ends of lines


@pytest.fixture(scope="module", autouse=True)
def _compiler():
    if reason := os.environ.get("FUGU_NO_CPLUSPLUS"):
        pytest.skip(reason)


def compiled(*words, cwd=HERE):
    """Runs ./run.sh cc, which must have nothing to say."""
    done = run_sh("cc", *words, cwd=cwd)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture(scope="module")
def language(tmp_path_factory):
    """A program of objects, an archive and a source: language.cc and part.c."""
    folder = tmp_path_factory.mktemp("language")
    compiled("-Wall", "-Wextra", "-std=c++17", "-c", "language.cc", "-o", folder / "language.o")
    compiled("-c", "part.c", "-o", folder / "part.o")
    compiled("language.o", "part.o", "-o", "language.elf", cwd=folder)
    return folder / "language.elf"


@pytest.mark.parametrize("ni", ["fugu", "shrimp", "m-machine"])
def test_the_language(language, ni, machine):
    """All is printed that the standard promises, with each kind of network interface."""
    assert machine(language, "word", nodes=1, ni=ni).check(3).stdout == LANGUAGE


def test_names_are_those_of_the_source(language):
    names = {symbol.name for symbol in elf.read(language, language.read_bytes()).symbols}
    assert {"(anonymous namespace)::deep", "(anonymous namespace)::Told::~Told", "part_twice", "main"} <= names
    assert not any(name.startswith("_Z") for name in names)


def test_threads_and_handlers_have_exceptions_of_their_own(machine, tmp_path):
    compiled("-Wall", "-Wextra", "-std=c++20", "threads.cc", "-o", tmp_path / "threads.elf")
    result = machine(tmp_path / "threads.elf", nodes=2, timeout="500M").check(0)
    assert sorted(result.stdout.splitlines()) == [f"node {node}: 503 right, 200 handled, sum 22300" for node in (0, 1)]


@pytest.fixture(scope="module")
def ends(tmp_path_factory):
    program = tmp_path_factory.mktemp("ends") / "ends.elf"
    compiled("-Wall", "-Wextra", "ends.cc", "-o", program)
    return program


@pytest.mark.parametrize("word, what", [("main", "main"), ("handler", "a handler"), ("thread", "a thread"),
                                        ("noexcept", "noexcept"), ("C", "through C"), ("rethrow", None)])
def test_exception_that_nothing_catches(word, what, ends, machine):
    """It ends the job with a line that names it, and never reaches main()'s catch."""
    result = machine(ends, word, nodes=1, timeout="100M").check(118)
    said = "terminate called without an active exception\n" if what is None else \
        f"terminate called after throwing an instance of 'std::logic_error'\n  what():  left {what}\n"
    assert said in result.stderr
    assert result.stdout == "glaze: ends (job 1) on node 0 is ended: abort() was called\n"


def test_headers_are_for_cplusplus_too(tmp_path):
    """Each public header compiles by itself, and all its macros as they are called in calls.cc."""
    for number, header in enumerate(HEADERS):
        name = header.removeprefix("lib/")
        (tmp_path / f"{number}.cc").write_text(f"#include <{name}>\n#include <{name}>\nint only{number};\n")
    for standard in ("c++11", "c++20"):
        compiled("-Wall", "-Wextra", f"-std={standard}", "-fsyntax-only", *(f"{number}.cc" for number in range(len(HEADERS))), cwd=tmp_path)
    compiled("-Wall", "-Wextra", "calls.cc", "-o", tmp_path / "calls.elf")


@pytest.mark.parametrize("text, said", [
    ("thread_local int x = 1; int main() { return x++; }", "no variable is a thread's own: leave out thread_local or __thread"),
    ("#include <thread>\nint main() { std::thread x([] {}); }", "no matching function for call to 'std::thread::thread("),
    ("#include <mutex>\nstd::mutex x; int main() {}", "'mutex' in namespace 'std' does not name a type")])
def test_what_there_is_not(text, said, tmp_path):
    (tmp_path / "x.cc").write_text(text)
    done = run_sh("cc", "x.cc", "-o", "x.elf", cwd=tmp_path)
    assert done.returncode == 1 and said in done.stderr


def test_the_examples_of_the_page(machine, tmp_path):
    page = (ROOT / "docs" / "cpp.md").read_text()
    (text,), (output,) = re.findall(r"```c\+\+\n(.*?)```", page, re.DOTALL), re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    (tmp_path / "words.cc").write_text(text)
    compiled("-Wall", "-Wextra", "words.cc", "-o", "words.elf", cwd=tmp_path)
    assert machine(tmp_path / "words.elf", nodes=4).check(0).stdout == output
