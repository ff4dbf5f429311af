"""The figures that QEMU writes, the profile made of them, and names of addresses, for files and figures that are known."""

from __future__ import annotations

import struct
from types import SimpleNamespace

import elf_maker
import pytest

from fugu.abi import FRAME, PROCESS, SPARCLE
from fugu.errors import SetupError
from fugu.observe import names, profile, programs
from fugu.observe.figures import Cost, Figures, Frame, Lost, Masked, read
from fugu.observe.programs import SECTION, Mark, Operand, Program, Programs

CODE, DATA = 0x10000000, 0x10010000
RETL, NOP = 0x81C3E008, 0x01000000


def words(*numbers):
    return struct.pack(f">{len(numbers)}I", *numbers)


@pytest.fixture
def program(tmp_path):
    """program(symbols, sections, code) -> a Program of a file with 8 words of code and 8 bytes of data."""
    def make(symbols=(), sections=(), code=words(*[NOP] * 8)):
        path = tmp_path / "my.elf"
        path.write_bytes(elf_maker.make([(CODE, code, elf_maker.READ | elf_maker.EXECUTE), (DATA, bytes(8), elf_maker.READ)],
                                        symbols, named=sections))
        return Program("my", str(path))
    return make


# ---- what QEMU writes ----------------------------------------------------------------

LINES = """\
run 5 900
netif 2
node 4
link 1 2 3 40
name 7 1 4096
frame 4 1 0 0 2 0 11
cost 4 1 2 4096 5 60
block 3 1 8192 100 4100
masked 4 70 80 9
sample 4 4104
sample 4 4108
4 1 launches 0 12
4 1 launches 3 13
4 2 traps 5 1
end
"""


def test_every_line_of_figures(tmp_path):
    (tmp_path / "figures.0").write_text(LINES)
    found = read(tmp_path, [0])
    assert (found.start, found.end, found.netif, found.links) == (5, 900, 2, {(1, 2, 3): 40})
    assert (found.codes, found.process_nodes) == ({0: {7: (1, 4096)}}, {0: [4]})
    assert found.frames == {4: {1: Frame(0, 0, 2, 0, 11)}} and found.costs == [Cost(4, 1, 2, 4096, 5, 60)]
    assert found.blocks == [(1, (8192, 100, 4100))] and found.masked == {4: Masked(70, 80, 9, [4104, 4108])}
    assert found.get(4, 1, "launches") == 12 and found.get(4, 1, "launches", 3) == 13
    assert found.get(4, 1, "launches", 1) == found.get(4, 1, "traps", 5) == found.get(3, 1, "launches") == 0
    assert found.all(4, 1, "launches") == {0: 12, 3: 13} and found.all(4, 1, "traps") == found.all(9, 9, "traps") == {}


def test_figures_of_several_processes(tmp_path):
    """The run ends with the last of them."""
    for process, end in enumerate((500, 900, 700)):
        (tmp_path / f"figures.{process}").write_text(
            f"run 1 {end}\nnode {8 - process}\n{8 - process} {process} traps 0 1\n{8 - process} 5 traps 0 1\nend\n")
    found = read(tmp_path, range(3))
    assert (found.end, found.nodes, found.gids(), found.gids(7), found.gids(3)) == (900, [6, 7, 8], [0, 1, 2, 5], [1, 5], [])
    assert found.process_nodes == {0: [8], 1: [7], 2: [6]} and found.codes == {0: {}, 1: {}, 2: {}}


@pytest.mark.parametrize("text", [None, "", "run 5 900\n", "end of\n"])
def test_figures_that_are_not_complete(text, tmp_path):
    (tmp_path / "figures.0").write_text("end\n")
    if text is not None:
        (tmp_path / "figures.1").write_text(text)
    assert read(tmp_path, [0]).nodes == [] and read(tmp_path, [0]).end == 0
    with pytest.raises(Lost, match="without its figures"):
        read(tmp_path, [0, 1])


# ---- the profile -----------------------------------------------------------------------

def known(jobs=(1,)):
    """Programs whose function at 16 * k is f<k>."""
    def one(name):
        return SimpleNamespace(name=name, function=lambda address: f"f{address // 16}")
    return Programs({0: one("kernel"), 1: one("app"), 2: one("other")}, {gid: "lu" for gid in jobs})


JOB, FUNCTION, TRAP, WAIT = (FRAME[name] for name in ("JOB", "FUNCTION", "TRAP", "WAIT"))
TYPE = SPARCLE["TT_SOFTWARE"]


def figures(frames):
    return Figures(frames=frames)


def test_names_of_frames():
    assert profile.name(Frame(0, JOB, 0, 1, 0), known()) == "job 1 lu" and profile.name(Frame(0, JOB, 0, 9, 0), known()) == "no job"
    assert profile.name(Frame(0, JOB, 0, 9, 0), known([])) == "GID 9"
    assert profile.name(Frame(0, TRAP, 0, 0xfe, 0), known()) == "[trap 0xfe]"
    assert profile.name(Frame(0, WAIT, 0, 0, 0), known()) == f"({names.waits()[0]})"
    assert profile.name(Frame(0, FUNCTION, 1, 32, 0), known()) == "f2"
    assert profile.name(Frame(0, FUNCTION, 9, 32, 0), known()) == "0x00000020"


def test_owners_of_frames():
    """Waits belong to none, processes and traps to the kernel, functions to their program."""
    assert [profile.owner(Frame(0, kind, 1, 0, 0), known()) for kind in (WAIT, JOB, TRAP, FUNCTION)] == ["", "kernel", "kernel", "app"]
    assert profile.owner(Frame(0, FUNCTION, 9, 0, 0), known()) == "GID 9"


def test_folded_stacks():
    """A line for each chain that has cycles; functions of the same name count together."""
    found = figures({3: {1: Frame(0, JOB, 0, 1, 0), 2: Frame(1, FUNCTION, 1, 16, 5), 3: Frame(2, FUNCTION, 1, 32, 1),
                         4: Frame(2, FUNCTION, 1, 36, 2), 5: Frame(1, FUNCTION, 1, 48, 0)},
                     4: {1: Frame(0, JOB, 0, 1, 9)}})
    assert list(profile.stacks(found, known())) == [
        "node 3;job 1 lu;f1 5", "node 3;job 1 lu;f1;f2 3", "node 4;job 1 lu 9"]


def rows(found):
    """The cells of the table's rows, the title first."""
    title, *lines = profile.table(found, known())
    return title.split(), [(line[:16].strip(), line[16:24].strip(), line[26:36].strip(), line[37:69].strip(), line[69:].split("%")[:-1])
                           for line in lines]


def test_the_table_of_a_profile():
    """The most cycles first, then by name; shares of all nodes, and of each node's own cycles."""
    title, found = rows(figures({0: {1: Frame(0, FUNCTION, 1, 16, 60), 2: Frame(0, FUNCTION, 2, 16, 40)},
                                 7: {1: Frame(0, FUNCTION, 1, 32, 40), 2: Frame(0, FUNCTION, 1, 16, 860), 3: Frame(0, FUNCTION, 1, 48, 0)}}))
    assert title == ["cycles", "share", "program", "function", "node", "0", "node", "7"]
    assert found == [("920", "92.0 %", "app", "f1", ["   60.0 ", "   95.6 "]), ("40", "4.0 %", "app", "f2", ["    0.0 ", "    4.4 "]),
                     ("40", "4.0 %", "other", "f1", ["   40.0 ", "    0.0 "]), ("1,000", "100.0 %", "", "all", ["  100.0 ", "  100.0 "])]


@pytest.mark.parametrize("count", [30, 31, 33])
def test_a_table_has_thirty_functions(count):
    """What the others have together is one row more."""
    frames = {k: Frame(0, FUNCTION, 1, 16 * k, 1000 - k) for k in range(1, count + 1)}
    _, found = rows(figures({0: frames, 1: {1: Frame(0, FUNCTION, 1, 16 * count, 500)}}))
    total = sum(1000 - k for k in range(1, count + 1)) + 500
    assert found[-1][0] == f"{total:,}" and len(found) == min(count, 31) + 1
    # The last function has cycles on node 1 too, so it is the first row.
    assert found[0][:4] == (f"{1500 - count:,}", f"{100 * (1500 - count) / total:.1f} %", "app", f"f{count}")
    if count == 30:
        assert "others" not in found[-2][3]
    else:
        left = range(30, count)
        assert found[-2][0] == f"{sum(1000 - k for k in left):,}" and found[-2][3] == f"{count - 30} others"
        on_0 = total - 500
        assert found[-2][4] == [f" {100 * sum(1000 - k for k in left) / on_0:>6.1f} ", "    0.0 "]
        assert sum(int(row[0].replace(",", "")) for row in found[:-1]) == total


@pytest.mark.parametrize("nodes, columns", [(8, 8), (9, 8)])
def test_a_table_has_columns_for_eight_nodes(nodes, columns):
    title, found = rows(figures({node: {1: Frame(0, FUNCTION, 1, 16, 1)} for node in range(nodes)}))
    assert title.count("node") == columns and [len(row[4]) for row in found] == [columns, columns]
    assert [row[0] for row in found] == [str(nodes)] * 2


def test_a_table_without_cycles():
    assert rows(figures({0: {1: Frame(0, FUNCTION, 1, 16, 0)}}))[1] == [("0", "0.0 %", "", "all", [])]


def test_long_names_keep_the_columns():
    found = profile._row(1, 1, "p" * 11, "f" * 33, [])
    assert found == f"{1:>16} 100.0 %  {'p' * 10} {'f' * 32}"


# ---- names of addresses -------------------------------------------------------------------

def test_functions_of_a_program(program):
    """Functions and global labels in code; a function's name comes before a label's."""
    found = program([("label", CODE, 0, elf_maker.LABEL), ("main", CODE, 8, elf_maker.FUNCTION), ("local", CODE + 8, 0, 0),
                     ("small", CODE + 12, 4, elf_maker.LOCAL_FUNCTION), ("far", CODE + 32, 4, elf_maker.FUNCTION),
                     ("data", DATA, 4, elf_maker.FUNCTION)])
    assert list(found.labels.values()) == ["main", "small"]
    assert [found.function(CODE + at) for at in (-4, 0, 8, 12, 100)] == [f"0x{CODE - 4:08x}", "main", "main", "small", "small"]
    assert [found.has_code(CODE + at) for at in (-1, 0, 31, 32)] == [False, True, True, False] and not found.has_code(DATA)


def test_variables_of_a_program(program):
    found = program([("main", CODE, 8, elf_maker.FUNCTION), ("pair", DATA, 8, elf_maker.OBJECT), ("none", DATA + 8, 0, elf_maker.OBJECT)])
    assert [found.variable(DATA + at) for at in (-1, 0, 1, 7, 8)] == [
        f"0x{DATA - 1:08x}", "pair", "pair+0x1", "pair+0x7", f"0x{DATA + 8:08x}"]
    assert found.variable(CODE) == f"0x{CODE:08x}"


def test_a_program_that_is_not_there():
    found = Program("my", "no such file")
    assert (found.function(16), found.variable(32), found.has_code(0), list(found.marks())) == ("0x00000010", "0x00000020", False, [])


def test_names_of_a_timelines_events(program):
    found = program([("main", CODE, 8, elf_maker.FUNCTION), ("pair", DATA, 8, elf_maker.OBJECT)])
    run = Programs({0: found, 1: found}, {1: "my"})
    assert (run.event(1, CODE), run.event(1, DATA + 4), run.event(2, CODE)) == ("main", "waits for pair+0x4", f"0x{CODE:08x}")
    alone = Programs({0: found}, {})
    assert (alone.event(5, CODE), alone.function(5, CODE), alone.job(5)) == ("main", "main", "GID 5")


@pytest.mark.parametrize("name, waits", [("shrimp_wait", True), ("shrimp_wait_change", True), ("nx_wait", True), ("updates_await", True),
                                         ("shrimp_map", False)])
def test_marks_where_functions_wait(name, waits, program):
    """At the begin, and at each return: from the first instruction to the last, and not beyond."""
    code = [RETL, NOP, RETL, 0x81C7E008, 0x81C3E000, RETL, RETL, NOP]
    found = program([(name, CODE + 8, 16, elf_maker.FUNCTION)], code=words(*code))
    marks = [Mark(CODE + 8, "update_wait", (Operand(8),)), Mark(CODE + 8, "update_seen", ()), Mark(CODE + 12, "update_seen", ()),
             Mark(CODE + 20, "update_seen", ())]
    assert list(found.marks()) == marks * waits
    assert list(program([(name, CODE + 8, 16, elf_maker.OBJECT)], code=words(*code)).marks()) == []


def test_a_function_that_ends_behind_its_segment(program):
    found = program([("nx_wait", CODE + 24, 4000, elf_maker.FUNCTION)], code=words(*[RETL] * 8))
    assert [mark.address for mark in found.marks()] == [CODE + 24, CODE + 24, CODE + 28]


def marked(*marks):
    """The section with marks: address, text."""
    data = b""
    for address, text in marks:
        data += words(address) + text.encode() + b"\0"
        data += bytes(-len(data) % 4)
    return [(SECTION, data)]


def test_marks_of_a_program(program):
    first, second = list(names.marks())[:2]
    found = program(sections=marked((CODE, f"{first} %o1 [%fp+-8]"), (CODE + 4, second), (CODE + 8, f"{first} [%sp+0x44] [%g7]")))
    assert list(found.marks()) == [Mark(CODE, first, (Operand(9), Operand(30, -8))), Mark(CODE + 4, second, ()),
                                   Mark(CODE + 8, first, (Operand(14, 0x44), Operand(7, 0)))]


@pytest.mark.parametrize("text, said", [("nothing", "has a mark nothing"), ("OPERANDS", "has a mark OPERANDS"),
                                        ("FIRST %x1", "the operand %x1, which"), ("FIRST %g8", "the operand %g8, which"),
                                        ("FIRST [%o1", "the operand"), ("FIRST 5", "the operand 5")])
def test_marks_that_nobody_has_made(text, said, program):
    text = text.replace("FIRST", next(iter(names.marks())))
    with pytest.raises(SetupError) as error:
        list(program(sections=marked((CODE, text))).marks())
    assert said in str(error.value)


# ---- programs of a run ---------------------------------------------------------------------

def run(*jobs, load=None):
    return SimpleNamespace(jobs=[SimpleNamespace(name=name) for name in jobs], options={"load": load} if load else {})


LAST = PROCESS["JOBS_MAX"]


@pytest.mark.parametrize("jobs, files, by_gid, named", [
    ([], ["spin.elf"], {0: "program"}, {}),
    (["lu"], ["kernel", "lu.elf"], {0: "kernel", 1: "lu"}, {1: "lu"}),
    (["lu", "fft", "lu"], ["kernel", "lu.elf", "fft.elf", "sched.elf"], {0: "kernel", 1: "lu", 2: "fft", 3: "lu", PROCESS["GID_SERVER"]: "sched"},
     {1: "lu", 2: "fft", 3: "lu", PROCESS["GID_SERVER"]: "sched"}),
    (["lu"] * LAST, ["kernel", "lu.elf"], {0: "kernel"} | dict.fromkeys(range(1, LAST + 1), "lu"), dict.fromkeys(range(1, LAST + 1), "lu")),
    (["lu"] * (LAST + 1), ["kernel", "lu.elf"], {0: "kernel"} | dict.fromkeys(range(1, LAST + 1), "jobs of lu"),
     dict.fromkeys(range(1, LAST + 1), "jobs of lu")),
    (["lu"] * LAST + ["fft"], ["kernel", "lu.elf", "fft.elf"], {0: "kernel"} | dict.fromkeys(range(1, LAST + 1), "several jobs"),
     dict.fromkeys(range(1, LAST + 1), "several jobs"))], ids=["bare", "one", "server", "all", "more", "different"])
def test_programs_by_gid(jobs, files, by_gid, named, monkeypatch):
    monkeypatch.setattr(programs.store, "sources", lambda boot: files)
    found = programs.of(run(*jobs), "image")
    assert {gid: one.name for gid, one in found.by_gid.items()} == by_gid and found.jobs == named
    for one in found.by_gid.values():
        wanted = {"kernel": "kernel", "program": "spin.elf", "jobs of lu": "lu.elf", "several jobs": ""}
        assert one.path == wanted.get(one.name, f"{one.name}.elf")


@pytest.mark.parametrize("args, jobs", [
    ("lu 4 + fft", {1: "lu", 2: "fft"}), ("glaze.x=1 glaze.y=2 lu@5000 4 + fft", {1: "lu", 2: "fft"}), ("a@b@7", {1: "a@b"}),
    ("glaze.x=1", {}), ("", {}), ("lu glaze.x=1", {1: "lu"})])
def test_jobs_of_a_snapshot(args, jobs, monkeypatch):
    monkeypatch.setattr(programs.symbols, "of_snapshot", lambda file, what: ["kernel", "lu.elf", "fft.elf"][:1 + max(1, len(jobs))])
    monkeypatch.setattr(programs.snapshot, "read_head", lambda file: SimpleNamespace(program={"args": args}))
    found = programs.of(run("ignored", load="s"), "")
    assert {gid: name for gid, name in found.jobs.items() if gid != PROCESS["GID_SERVER"]} == jobs


def test_a_snapshot_of_a_bare_machine(monkeypatch):
    monkeypatch.setattr(programs.symbols, "of_snapshot", lambda file, what: ["spin.elf"])
    found = programs.of(run(load="s"), "")
    assert found.jobs == {} and found.by_gid[0].name == "program"
