"""Maps over the network on --ni shrimp: docs/shrimp.md.

maps.c and mapfaults.c say what they check. A program that misbehaves has messageless.c beside it, which checks its
memory and its answers.
"""

from __future__ import annotations

import random
import re
import subprocess

import pytest
from gdb_session import environment, session
from guest_programs import built, joined
from served import check_served

from fugu.paths import ROOT

__all__ = ["environment", "session"]

MAPS, FAULTS, BYSTANDER, LITMUS, FUZZ, PRAM, STEPS, CALLS, RESULTS = (
    built(f"kinds/{name}") for name in ("maps", "mapfaults", "messageless", "litmus", "mapfuzz", "pram", "mapsteps", "mapcalls",
                                        "mapresults"))
REFUSED = "protection-violation: the network interface refuses this"
STORE = "store to memory that is not its own, address 0x"


@pytest.fixture
def shrimp(machine):
    """shrimp(word..., option=...) -> the result of a run with --ni shrimp."""
    def run(*words, **options):
        return machine(*words, **{"ni": "shrimp", "nodes": 4, "timeout": "400M"} | options)
    return run


@pytest.mark.parametrize("paging", ["pin", "shoot-down"])
@pytest.mark.parametrize("word", [1, 64, 1000])
def test_a_command_goes_on_when_the_other_half_changes(shrimp, word, paging):
    """The other half of the page is mapped, and unmapped, while the engine is at work."""
    shrimp(MAPS, "halves", nodes=3, dma_word=word, shrimp_paging=paging).finished(3)


@pytest.mark.parametrize("case", ["ring", "automatic", "errors", "ends", "pins"])
@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_each_rule_holds(shrimp, case, nodes):
    shrimp(MAPS, case, nodes=nodes).finished(nodes)


@pytest.mark.parametrize("nodes", [2, 5, 16])
def test_a_receiver_exits_first(shrimp, nodes):
    shrimp(MAPS, "exits", nodes=nodes).finished(nodes)


@pytest.mark.parametrize("options", [{}, {"mesh_word": 20}, {"dma_word": 5, "incoming_word": 3}, {"quantum": 7}],
                         ids=lambda options: "-".join(options) or "default")
@pytest.mark.parametrize("mode", ["single", "blocked"])
def test_what_is_seen_in_which_order(shrimp, mode, options):
    """Message passing holds; store buffering is seen, and not with a fence."""
    shrimp(LITMUS, mode, 60, nodes=2, **options).finished(2)


@pytest.mark.parametrize("options", [{}, {"mesh_word": 20}, {"incoming_word": 30}, {"quantum": 7}, {"mesh_base": 200}],
                         ids=lambda options: "-".join(options) or "default")
@pytest.mark.parametrize("mode", ["single", "blocked"])
def test_what_holds_on_shared_pages_and_what_does_not(shrimp, mode, options):
    """At each delay between two nodes: one writer's order holds; store buffering, Dekker's entry and two writers do not."""
    shrimp(PRAM, mode, **{"nodes": 2} | options).finished(2)


def test_the_calls_for_shared_pages(shrimp):
    shrimp(PRAM, "calls", nodes=2).finished(2)


@pytest.mark.parametrize("paging", ["pin", "shoot-down"])
@pytest.mark.parametrize(("case", "options"), [("left", {}), ("inside", {}), ("fence", {"mesh_word": 20})])
def test_calls_that_an_alarm_interrupts(shrimp, case, options, paging):
    """Its handler leaves them by longjmp(), or makes calls itself: each call has its own result."""
    shrimp(CALLS, case, **{"nodes": 2, "shrimp_paging": paging, "timeout": "2G"} | options).finished(2)


@pytest.mark.parametrize("case", ["number", "places", "failed"])
def test_results_that_wait(shrimp, case):
    """An alarm's handler makes calls, or leaves, while the call that it has interrupted is over."""
    shrimp(RESULTS, case, nodes=2, second_base=20_000).finished(2)


def test_no_update_ends_another_wait(shrimp):
    """An alarm has ended the wait for an update, which comes while the process waits for something else, for ever."""
    done = shrimp(RESULTS, "wakes", nodes=2).check(125)
    assert "mapresults (job 1): first thread waits for an alarm or a page in wakes" in done.stderr, done.report()


def test_shared_pages_beside_another_job(shrimp):
    right = shrimp(PRAM, "calls", "+", PRAM, "calls", nodes=2, timeslice=20_000, skew=40).check(0)
    assert re.findall(r"^\d+ checks, (\d+) failed", right.stdout, re.MULTILINE) == ["0"] * 4, right.report()


def test_a_target_s_places_are_bounded(shrimp):
    shrimp(MAPS, "grants", nodes=4).finished(4)


@pytest.mark.parametrize(("nodes", "slot"), [(1, 20_000), (2, 20_000), (5, 20_000), (5, 20_644)])
def test_jobs_map_to_each_other(shrimp, nodes, slot):
    """By the job's number, and by a key. With the last slot a mapping ends before its update has interrupted."""
    result = shrimp(MAPS, "lets", "+", MAPS, "uses", nodes=nodes, timeslice=slot).check(0)
    assert re.findall(r"^\d+ checks, (\d+) failed", result.stdout, re.MULTILINE) == ["0"] * (2 * nodes), result.report()


def test_the_kernel_does_not_wait_for_room(shrimp, tmp_path):
    """All nodes send to one, which takes 1,000 cycles a word."""
    (tmp_path / "copies").write_bytes(bytes(i * 7 % 256 for i in range(256)))
    check_served(tmp_path, "-n", 8, "--ni", "shrimp", "--incoming-word", 1000, "--input", tmp_path / "copies",
                 "--timeout", "400M", MAPS, "copies")


@pytest.mark.parametrize("end", ["unmap", "unexport", "exit"])
def test_many_pages_hold_up_no_one(tmp_path, end):
    """The work on as many pages as a call allows is done in parts."""
    check_served(tmp_path, "-n", 2, "--ni", "shrimp", "--timeout", "100M", STEPS, "pages", end)
    check_served(tmp_path, "-n", 3, "--ni", "shrimp", "--ram", "16M", "--scheduler", "none", "--timeslice", 20_000,
                 "--timeout", "400M", *joined([[STEPS, "pages", end]] * 3))


@pytest.mark.parametrize("pause", [3000, 6000, 20_000])
def test_an_end_is_not_lost_while_an_answer_waits_for_space(shrimp, pause):
    """Node 0's answers wait for space in the second network. Node 1's news of an end comes meanwhile: without it, the
    export would not end until node 1 asks for something else."""
    result = shrimp(STEPS, "fill", pause, "+", STEPS, "ends", 60, nodes=8, second_base=20_000, scheduler="none",
                    timeslice=5000).check(0)
    assert "1 check, 0 failed" in result.stdout, result.report()


def test_a_deadlock_names_the_export(shrimp):
    done = shrimp(STEPS, "missing", nodes=2).check(125)
    waits = re.findall(r"^ +mapsteps \(job 1\): (.*) \(mapsteps.c:\d+\)$", done.stderr, re.MULTILINE)
    assert waits == [f"first thread waits for export 7 of node {node} in main" for node in (1, 0)], done.report()


def test_on_another_kind_the_call_is_none_and_the_program_is_refused(machine):
    from fugu.errors import UsageError
    with pytest.raises(UsageError, match=r"needs --ni shrimp, as it uses SHRIMP, but the machine has --ni fugu\.$"):
        machine(MAPS, "ring")


CASES = {
    "no-words": REFUSED, "too-many-words": REFUSED, "past-the-part": REFUSED, "not-this-part": REFUSED,
    "no-command": REFUSED, "one-byte": REFUSED, "two-words": REFUSED, "not-mapped-in": REFUSED,
    "not-mapped": STORE, "not-exported": STORE, "physical": STORE, "stack-there": "",
}


@pytest.mark.parametrize("case", CASES)
def test_what_the_hardware_refuses_ends_the_job_alone(shrimp, case):
    result = shrimp(FAULTS, case, "+", BYSTANDER, nodes=2, timeslice=20_000)
    assert re.findall(r"^\d+ checks, (\d+) failed", result.stdout, re.MULTILINE) == ["0", "0"], result.report()
    [said] = re.findall(r"^glaze: (.*)$", result.stdout, re.MULTILINE)
    assert said.startswith("mapfaults (job 1) on node 1 is ended: ") and CASES[case] in said, result.report()


@pytest.mark.parametrize(("case", "scheduler"), [("leave", "gang"), ("crash", "gang"), ("leave", "none")])
def test_jobs_that_come_and_go_leave_nothing(shrimp, case, scheduler):
    """Many jobs, more than there are GIDs: each maps to itself on all nodes, sends, and leaves in the middle of that.
    A page that an update reached late would be another job's; the bystanders look at theirs."""
    jobs = 80 if scheduler == "gang" else 40
    words = [word for _ in range(jobs) for word in (FAULTS, case, "+")]
    options = {} if scheduler == "gang" else {"scheduler": "none"}
    result = shrimp(*words, MAPS, "ring", "20", nodes=4, timeslice=20_000, timeout="2000M", **options)
    assert re.findall(r"^\d+ checks, (\d+) failed", result.stdout, re.MULTILINE) == ["0"] * 4, result.report()


ODD = [{"nodes": 1}, {"nodes": 3, "ram": "2M"}, {"nodes": 4, "scheduler": "none"}, {"nodes": 5, "skew": 40},
       {"nodes": 2, "processes": 2}]


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(5, 200))])
def test_random_calls_harm_no_one(shrimp, seed):
    """Three jobs make random calls, most of them wrong, until each is ended in the middle of that."""
    fuzz = [word for k, calls in enumerate((300, 500, 100)) for word in (FUZZ, 3 * seed + k + 1, calls, "+")]
    result = shrimp(*fuzz, BYSTANDER, "+", MAPS, "ring", "20", timeslice=20_000, **ODD[seed % 5]).check(101)
    nodes = ODD[seed % 5]["nodes"]
    assert re.findall(r"^\d+ checks, (\d+) failed", result.stdout, re.MULTILINE) == ["0"] * (2 * nodes), result.report()
    ended = re.findall(r"^glaze: (\w+) \(job \d\) on node 0 is ended: store to memory", result.stdout, re.MULTILINE)
    assert ended == ["mapfuzz"] * 3, result.report()


# ---- the same run, however it is carried out ------------------------------------------

JOBS = [MAPS, "ring", "12", "+", FAULTS, "leave", "+", MAPS, "automatic"]
BUSY = {"ni": "shrimp", "nodes": 4, "digest": True, "timeout": "400M", "timeslice": 20_000}


@pytest.fixture(scope="module")
def whole(machine):
    return machine(*JOBS, **BUSY).check(0)


@pytest.mark.parametrize("processes", [2, 4])
def test_several_processes_change_nothing(machine, whole, processes):
    assert machine(*JOBS, **BUSY, processes=processes).check(0).digest == whole.digest


@pytest.mark.parametrize("way", ["one-insn-per-tb=on", "line-filter=off"])
def test_the_host_s_way_of_running_it_changes_nothing(whole, way):
    plain = "tcg,thread=single"
    assert plain in whole.command
    done = subprocess.run([word.replace(plain, f"{plain},{way}") for word in whole.command], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and f"digest: {whole.digest}" in done.stdout


@pytest.mark.parametrize("cycles", [8, pytest.param(100, marks=pytest.mark.long)])
def test_snapshots_change_nothing(machine, whole, tmp_path, cycles):
    """Saved at random cycles of the run, and gone on from each."""
    rng = random.Random(37)
    files = {tmp_path / f"{cycle}.snap": cycle for cycle in sorted(rng.sample(range(1, 1_500_000), cycles))}
    saved = machine(*JOBS, **BUSY, save=[f"{file}@{cycle}" for file, cycle in files.items()]).check(0)
    assert saved.digest == whole.digest
    for file in files:
        assert machine(None, load=file, digest=True, timeout="400M").check(0).digest == whole.digest


def test_the_debugger_goes_back(session):
    """By single steps over the store that is sent; forward again it finds the same places."""
    source = ROOT / "tests" / "kinds" / "mapends.c"
    line = next(number for number, text in enumerate(source.read_text().splitlines(), 1) if "out[5] = value" in text)
    ended = session([f"break mapends.c:{line} thread 1.1", "continue", "fugu when", *["stepi"] * 40, "fugu when",
                     *["reverse-stepi"] * 40, "fugu when", *["stepi"] * 40, "fugu when", "delete", "continue"],
                    "--ni", "shrimp", "-n", 2, MAPS, "lets", "+", MAPS, "uses")
    places = re.findall(r"is at cycle (\d+) of node (\d+),", ended.stdout)
    assert len(places) == 4 and places[0] == places[2] != places[1] == places[3], ended.stdout
