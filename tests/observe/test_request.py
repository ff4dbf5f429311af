"""What a run is asked to observe, and what is refused, without a run (fugu.observe.request, fugu.observe.symbols)."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from fugu.abi import GLAZE, MACHINE, PROCESS, SEEN
from fugu.errors import UsageError
from fugu.observe import plan, request, symbols
from fugu.observe.programs import Mark, Operand
from fugu.observe.request import Request
from fugu.run.parse import parse

LAST = PROCESS["JOBS_MAX"]


def asked(*words):
    return request.of(parse([*map(str, words)]))


def test_a_run_that_is_not_observed():
    assert not asked("hello") and not Request()
    for name, value in (("stats", True), ("json", "x"), ("timeline", "x"), ("profile", True), ("races", True)):
        assert Request(**{name: value})


@pytest.mark.parametrize("words, fields", [
    (["--stats"], {"stats": True}), (["--stats-json", "f"], {"json": "f"}), (["--timeline", "t"], {"timeline": "t"}),
    (["--timeline", "t", "--timeline-nodes", "0-2,7"], {"timeline": "t", "nodes": [0, 1, 2, 7]}),
    (["--timeline", "t", "--timeline-cycles", "5-70"], {"timeline": "t", "range": (5, 70)}), (["--check", "races"], {"races": True})])
def test_what_is_asked_for(words, fields):
    found = asked(*words, "hello")
    whole = {"kinds": sum(request.kinds().values()), "range": (0, MACHINE["TIME_MAX"])}
    assert found == Request(**(whole | fields))


def test_kinds_of_events():
    assert request.kinds() == {name.lower(): bit for name, bit in SEEN.group("KIND_").items()}
    first, second, *_ = request.kinds()
    assert asked("--timeline", "t", "--timeline-kinds", f"{first},{second},{first}", "hello").kinds == \
        request.kinds()[first] + request.kinds()[second]
    with pytest.raises(UsageError, match="there is no kind nothing. There are: "):
        asked("--timeline", "t", "--timeline-kinds", f"{first},nothing", "hello")


@pytest.mark.parametrize("words, said", [
    (["--timeline-nodes", "0"], "--timeline-nodes says what a timeline has"), (["--timeline-kinds", "x"], "--timeline-kinds says what"),
    (["--timeline-cycles", "0-5"], "--timeline-cycles says what"), (["--dry-run", "--stats"], "--dry-run and --stats contradict"),
    (["--dry-run", "--timeline", "t"], "--dry-run and --timeline contradict"),
    (["-n", "8", "--timeline", "t", "--timeline-nodes", "8"], "there is no node 8; the nodes are 0 to 7."),
    (["--check", "races", "--processes", "2"], "--check races and --processes contradict"),
    (["--check", "races", "--ni", "none"], "--ni fugu, and not those of --ni none"),
    (["--check", "races", "-n", "65"], "is for 64 nodes at most")])
def test_what_is_refused(words, said):
    with pytest.raises(UsageError) as error:
        asked(*words, "hello")
    assert said in str(error.value)


@pytest.mark.parametrize("key", ["hosts", "join"])
def test_a_machine_on_several_hosts(key):
    for words in (["--stats"], ["--stats-json", "f"], ["--timeline", "t"]):
        run = parse([*words, "hello"])
        run.options[key] = "a,b"
        with pytest.raises(UsageError, match=f"^{words[0]} is for a machine on one host, and --{key} splits"):
            request.of(run)


def test_the_last_values():
    assert asked("-n", 8, "--timeline", "t", "--timeline-nodes", "7", "hello").nodes == [7]
    assert asked("-n", 64, "--check", "races", "hello").races
    jobs = [word for _ in range(LAST) for word in ("hello", "+")][:-1]
    assert asked("--check", "races", *jobs).races
    with pytest.raises(UsageError, match=f"is for {LAST} jobs at most"):
        asked("--check", "races", *jobs, "+", "hello")


def test_the_plan_that_qemu_gets(tmp_path, monkeypatch):
    monkeypatch.setattr(plan.names, "marks", lambda: {"here": 5})
    program = SimpleNamespace(marks=lambda: [Mark(64, "here", (Operand(9), Operand(30, -8), Operand(14, 0))), Mark(68, "here", ())], labels={16: "f", 32: "g"}, modes=lambda: [4096, 64, 8, 12, 1])
    programs = SimpleNamespace(by_gid={0: program}, jobs={1: "lu"})

    def lines(**fields):
        plan.write(tmp_path / "plan", Request(**fields), programs)
        return (tmp_path / "plan").read_text().splitlines()
    rest = SEEN["MARK_OPERANDS"]
    marks = ["mark 0 64 5 3 0 9 0 1 30 -8 1 14 0" + " 0 0 0" * (rest - 3), "mark 0 68 5 0" + " 0 0 0" * rest]
    assert lines(stats=True) == [*marks, "modes 4096 64 8 12 1"]
    program.modes = list            # the bare machine has no kernel
    assert lines(stats=True) == marks
    assert lines(timeline="t", kinds=6, nodes=[0, 3], range=(5, 9)) == [*marks, "timeline 6 5 9", "node 0", "node 3"]
    stacks = f"stacks {GLAZE['STACKS']} {GLAZE['STACKS_END']} {GLAZE['STACK_SIZE']}"
    assert lines(profile=True) == [*marks, "profile", stacks, "function 0 16", "function 0 32"]
    programs.jobs = {}
    assert lines(profile=True) == [*marks, "profile", "alone", stacks, "function 0 16", "function 0 32"]


# ---- symbols of a snapshot -------------------------------------------------------------

@pytest.fixture
def snapshot(tmp_path, monkeypatch):
    """snapshot(parts that are there, hash of the image now, whether its name is one of ours) -> what is found."""
    boot = tmp_path / "image"

    def find(there, now="good", named=False, file=boot, files=("kernel.elf", "lu.elf")):
        paths = [tmp_path / name for name in files] if files else [boot]
        for path in paths:
            path.unlink(missing_ok=True)
            if path.name in there:
                path.write_text("x")
        monkeypatch.setattr(symbols.snapshot, "read_head", lambda file: SimpleNamespace(program={"file": str(boot), "sha256": "good"} if boot else {}))
        monkeypatch.setattr(symbols.store, "sources", lambda image: [str(path) for path in paths])
        monkeypatch.setattr(symbols.store, "is_named", lambda image: named)
        monkeypatch.setattr(symbols.store, "sha256", lambda image: now)
        return [path.rpartition("/")[2] for path in symbols.of_snapshot("s", "GDB")]
    return find


def test_symbols_of_a_snapshot(snapshot):
    assert snapshot(["kernel.elf", "lu.elf"]) == ["kernel.elf", "lu.elf"]
    assert snapshot(["image"], files=()) == ["image"]


@pytest.mark.parametrize("there, options, lost", [
    (["kernel.elf"], {}, "lu.elf"), ([], {}, "kernel.elf"), (["kernel.elf", "lu.elf"], {"now": "other"}, "image"),
    (["image"], {"files": (), "named": True}, "image"), ([], {"files": ()}, "image")])
def test_symbols_that_are_lost(there, options, lost, snapshot):
    """A part that is not there, an image that has changed, one whose record has gone."""
    with pytest.raises(UsageError) as error:
        snapshot(there, **options)
    said = str(error.value)
    assert said.startswith("--load s: GDB takes names of functions and places to count at from ") and f"{lost} as it was" in said


def test_a_snapshot_without_a_program(monkeypatch):
    monkeypatch.setattr(symbols.snapshot, "read_head", lambda file: SimpleNamespace(program={}))
    assert symbols.of_snapshot("s", "GDB") == [""]


@pytest.mark.parametrize("path, name", [("/cache/kept/lu.elf", "/cache/kept/lu.elf"), ("/build/PARTS/0123/lu.elf", "lu.elf")])
def test_copies_of_a_program_have_its_name(path, name):
    assert symbols._first_name(path.replace("PARTS", symbols.store.PARTS)) == name
