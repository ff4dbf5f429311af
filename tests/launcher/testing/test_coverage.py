"""./run.sh test --coverage: what is noted of guests, hw/ and tools, the table and the pages."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys

import elf_maker
import pytest

from fugu.build import copies
from fugu.cover import areas, device, gather, guest, page
from fugu.cover.record import Part, Recorder
from fugu.cover.store import Store
from fugu.host.python_tools import COVERAGE, PythonTools
from fugu.paths import ROOT


@pytest.fixture(autouse=True)
def packages(real_cache):
    tools = PythonTools(real_cache, COVERAGE)
    if not tools:
        pytest.skip("coverage is not there: ./run.sh test --coverage installs it")
    tools.activate()


class Program:
    """A program of two functions, at 0x1000 and 0x1008."""

    def __new__(cls, tmp_path, code):
        made = object.__new__(guest.Program)
        made.segments = [(0x1000, code)]
        made.files = ["guest-os/kernel/a.c", "guest-os/kernel/b.h"]
        made.addresses = [0x1000, 0x1004, 0x1008, 0x100c]
        made.where = [(0, 10), (1, 3), (0, 20), (-1, 0)]
        return made


def record(address, code):
    return struct.pack("=II", address, len(code)) + code


def test_blocks_name_the_lines_of_the_program_that_has_their_code(tmp_path):
    one, other = Program(tmp_path, b"AAAABBBBCCCC"), Program(tmp_path, b"AAAABBBBDDDD")
    other.files = ["apps/x.c", "apps/y.c"]
    blocks = tmp_path / "blocks"
    blocks.write_bytes(record(0x1008, b"DDDD") + record(0x1000, b"AAAABBBB") + record(0x1000, b"ZZZZ")
                       + record(0x1000, b"AAAABBBB")[:-2])      # a run that was killed
    lines = {}
    guest.reached(blocks, [one, other], lines)
    assert lines == {"apps/x.c": {20}, "guest-os/kernel/a.c": {10}, "guest-os/kernel/b.h": {3}}


def test_all_lines_of_a_program(tmp_path):
    lines = {}
    Program(tmp_path, b"AAAABBBBCCCC").all(lines)
    assert lines == {"guest-os/kernel/a.c": {10, 20}, "guest-os/kernel/b.h": {3}}


def test_program_without_line_numbers(tmp_path):
    file = tmp_path / "my.elf"
    file.write_bytes(elf_maker.make([(0, b"code", elf_maker.READ | elf_maker.EXECUTE)]))
    lines = {}
    guest.Program(file, tmp_path, tmp_path / "kept").all(lines)
    assert lines == {}


def test_files_of_a_program_whose_names_are_no_text(tmp_path):
    """They are none of the checkout's, and no notes could be kept of them."""
    (tmp_path / "b.h").write_text("int main(void)\n{\n    return 0;\n}\n")
    source = tmp_path / os.fsdecode(b"a\xff.c")
    source.write_text('#include "b.h"\nint more(void)\n{\n    return 0;\n}\n')
    subprocess.run(["cc", "-g", "-o", tmp_path / "x", source], check=True)
    lines = {}
    guest.Program(tmp_path / "x", tmp_path, tmp_path / "kept").all(lines)
    assert lines.keys() == {"b.h"}


def test_arguments_of_a_run_that_are_no_text(tmp_path):
    """A program of such a name is looked for; here it is not there, and no line is noted."""
    (tmp_path / "guest.7").write_bytes(record(0x1000, b"AAAA"))
    (tmp_path / "guest.7.words").write_bytes(b"-kernel\n/none/\xff.elf\n-append\n\xe9\n")
    part = Part(tmp_path)
    Recorder(tmp_path)._read(part)
    assert part.lines == {}


def test_each_test_of_a_file_keeps_its_lines(tmp_path):
    """Also where one worker of pytest runs several."""
    recorder = Recorder(tmp_path)
    for number in (1, 2, 3):
        recorder._save(f"a/test_a.py::{number}", number, {}, {"x.c": {number, 10}})
    store = Store(tmp_path)
    assert store.take_in(tmp_path / "new") == 3
    assert {test.name: lines for test, lines in store.reach("x.c").items()} == {
        f"a/test_a.py::{number}": {number, 10} for number in (1, 2, 3)}
    assert store.lines() == {"x.c": {1, 2, 3, 10}}


TESTS = '''
import os, pathlib, pytest

def run(line):
    """What a command of a test would leave."""
    folder = pathlib.Path(os.environ["COVER_TEST"])
    import coverage
    data = coverage.CoverageData(str(folder / f"tools.{line}"))
    data.add_lines({os.environ["FUGU_ROOT"] + "/tools/fugu/x.py": [line]})
    data.close()

@pytest.fixture(scope="session")
def inner():
    run(1)

@pytest.fixture(scope="module", params=["a", "b"])
def outer(inner, request):
    run({"a": 2, "b": 3}[request.param])

def test_one(outer):
    run(4)

def test_two(outer):
    pass

def test_three(inner):
    pass

def test_none():
    run(5)
'''


def noted(tests, tmp_path, real_cache, more=""):
    """The notes of a file of tests, all of which pass. `more` is what conftest.py has beside the recorder."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "conftest.py").write_text(f'pytest_plugins = ["covered"]\n{more}')
    (tmp_path / "tests" / "test_a.py").write_text(tests)
    notes = tmp_path / "cover"
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull,
                           f"--rootdir={tmp_path / 'tests'}", "-o", f"pythonpath={ROOT}/tests/support {ROOT}/tools", "tests"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=120,
                          env=env | {"FUGU_COVER": str(notes), "FUGU_ROOT": str(ROOT),
                                 "FUGU_CACHE": str(real_cache)})
    assert done.returncode == 0, done.stdout + done.stderr
    store = Store(notes)
    store.take_in(notes / "new")
    return store


def test_a_shared_fixture_counts_for_each_of_its_tests(tmp_path, real_cache):
    """With the lines of what it was last set up for, and of the fixtures that it needs."""
    store = noted(TESTS, tmp_path, real_cache)
    reach = {test.name.rpartition("::")[2]: (lines, dict(test.shared)) for test, lines in store.reach("tools/fugu/x.py").items()}
    assert {name: lines for name, (lines, _) in reach.items()} == {
        "test_one[a]": {1, 2, 4}, "test_two[a]": {1, 2}, "test_one[b]": {1, 3, 4}, "test_two[b]": {1, 3},
        "test_three": {1}, "test_none": {5}}
    assert reach["test_two[b]"][1].keys() == {"test_a.py::inner", "test_a.py::outer"} and reach["test_none"][1] == {}


PROGRAMS = '''
import pytest

class Program(pytest.Item):
    def runtest(self):
        pass

class Folder(pytest.File):
    def collect(self):
        yield Program.from_parent(self, name="qtest")

def pytest_collect_file(file_path, parent):
    return Folder.from_parent(parent, path=file_path) if file_path.name == "test_a.py" else None
'''


def test_a_test_that_is_a_program_is_noted(tmp_path, real_cache):
    """It uses no fixtures, as pytest knows them of Python's functions alone."""
    store = noted("def test_function(): pass\n", tmp_path, real_cache, PROGRAMS)
    assert {test.name for test in store.all_tests()} == {"test_a.py::qtest", "test_a.py::test_function"}


TIMES = '''
import subprocess, sys, time, pytest

BURN = [sys.executable, "-S", "-c", "import time\\nwhile time.process_time() < 0.5: pass"]

@pytest.fixture(scope="module")
def works():
    subprocess.run(BURN)

@pytest.fixture(scope="module")
def waits():
    time.sleep(0.6)

def test_works(waits):
    subprocess.run(BURN)

def test_waits(works):
    time.sleep(0.6)
'''


def test_seconds_are_processor_time(tmp_path, real_cache):
    """With that of the programs that a test or a fixture has started. Waiting takes none, on a busy host either."""
    took = {test.name.rpartition("::")[2]: (test.seconds, dict(test.shared)) for test in noted(TIMES, tmp_path, real_cache).all_tests()}
    (works, waited_for), (waits, worked_for) = took["test_works"], took["test_waits"]
    assert works > 0.45 and worked_for["test_a.py::works"] > 0.45
    assert waits < 0.45 and waited_for["test_a.py::waits"] < 0.45


def test_lines_of_gcov(tmp_path, monkeypatch):
    """Those of hw/ count, wherever QEMU's tree is."""
    report = {"files": [{"file": "/x/over/hw/fugu/ni/fugu/op.c", "lines": [{"line_number": 3, "count": 2},
                                                                      {"line_number": 4, "count": 0}]},
                        {"file": "/usr/include/glib.h", "lines": [{"line_number": 1, "count": 1}]}]}
    monkeypatch.setattr(device.execute, "output", lambda words: json.dumps(report) + "\n")
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "op.gcda").touch()
    lines, known = {}, {}
    device.reached(tmp_path / "left", tmp_path / "objects", lines)
    device.with_code(tmp_path / "objects", known)
    assert lines == {"hw/ni/fugu/op.c": {3}} and known == {"hw/ni/fugu/op.c": {3, 4}}
    assert (tmp_path / "left" / "op.gcno").is_symlink()


def test_gcov_reads_each_counter_beside_its_notes(tmp_path, monkeypatch):
    """The notes are those of the objects, unless a folder has its own. Without counters, gcov does not run."""
    asked = []

    def output(words):
        asked.append(words)
    monkeypatch.setattr(device.execute, "output", output)
    left, objects, lines = tmp_path / "left", tmp_path / "objects", {}
    for folder in (left / "sub", objects):
        folder.mkdir(parents=True)
    device.reached(left, objects, lines)
    assert asked == []
    (objects / "b.gcno").write_text("of b")
    (left / "a.gcno").write_text("its own")
    for counter in ("a.gcda", "sub/b.gcda"):
        (left / counter).touch()
    for _ in range(2):                  # the links are there the second time
        device.reached(left, objects, lines)
    assert (left / "a.gcno").read_text() == "its own" and not (left / "a.gcno").is_symlink()
    assert (left / "sub" / "b.gcno").read_text() == "of b"
    device.with_code(objects, lines)
    usual = ["gcov", "--json-format", "--stdout"]
    assert asked == [[*usual, left / "a.gcda", left / "sub" / "b.gcda"]] * 2 + [[*usual, objects / "b.gcno"]]
    assert lines == {}


@pytest.mark.parametrize("file, area", [
    ("hw/ni/fugu/op.c", "hw"), ("guest-os/kernel/entry/main.c", "kernel"), ("guest-os/lib/crl/map.c", "libraries"),
    ("guest-os/libos/work.c", "libraries"), ("tools/gdb/fugu.py", "tools"), ("apps/lu/lu.c", None), ("hwx/a.c", None)])
def test_areas(file, area):
    assert areas.area_of(file) == area


def test_table():
    known = {"hw/a.c": {1, 2, 3, 4}, "guest-os/kernel/b.c": {1}, "tools/fugu/c.py": {1, 2}}
    lines = page.table({"hw/a.c": {1, 2, 3, 99}, "tools/fugu/c.py": set()}, known, 7)
    assert [line.split() for line in lines] == [
        ["area", "lines", "reached", "share", "by", "7", "tests"], ["hw", "4", "3", "75.0", "%"],
        ["kernel", "1", "0", "0.0", "%"], ["libraries", "0", "0", "-"], ["tools", "2", "0", "0.0", "%"]]


def test_pages_show_lines_that_no_test_reaches(tmp_path):
    tree = copies.Copy("covered").tree
    (tree / "hw").mkdir(parents=True)
    (tree / "hw" / "a.c").write_text("int a;\nreached();\nmissed();\n")
    notes = gather.folder()
    notes.mkdir(parents=True)
    (notes / "known.json").write_text(json.dumps({"hw/a.c": [2, 3]}))
    index = page.write(Store(notes), {"hw/a.c": {2}}, gather.known_lines(notes), tmp_path / "pages")
    assert re.sub(r"<[^>]*>|&\w+;|&#\w+;|\u200b|[ \n]", "", index.read_text()).count("hw/a.c21050%")
    [text] = [file.read_text() for file in index.parent.glob("*a_c.html")]
    lines = {number: kind for number in (1, 2, 3) for kind in ("run", "mis", "pln")
             if f'<p class="{kind}' in text.partition(f'id="t{number}"')[0].rpartition("\n")[2]
             or f'class="{kind}' in text.partition(f'id="t{number}"')[0][-40:]}
    assert lines == {1: "pln", 2: "run", 3: "mis"}
