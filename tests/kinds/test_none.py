"""A machine without messages for users, --ni none: what runs there is what runs with FUGU's interface.

messageless.c says what it checks.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from gdb_session import environment, session
from guest_programs import built, joined
from run_sh import run_sh

from fugu.abi import PROCESS
from fugu.commands import apps
from fugu.errors import UsageError
from fugu.image import notes
from fugu.image.elf import contents
from fugu.paths import ROOT
from fugu.run import programs

__all__ = ["environment", "session"]

PROGRAM, TURNS = built("kinds/messageless"), built("kinds/turns")
SOURCE = ROOT / "tests" / "kinds" / "messageless.c"
GIDS = PROCESS["JOBS_MAX"]


@pytest.fixture
def none(machine):
    """none(word..., option=...) -> the result of a run with --ni none."""
    def run(*words, **options):
        return machine(*words, **{"ni": "none", "nodes": 2, "timeout": "400M"} | options)
    return run


# ---- the kernel -------------------------------------------------------------------

def test_the_smallest_program(none):
    result = none("hello", "some", "words", nodes=3).check(0)
    assert sorted(result.stdout.splitlines()) == [f"hello from node {node} of 3: hello some words" for node in range(3)]


def test_each_rule_holds(none):
    none(PROGRAM).finished(2)


def test_ping_is_no_call_even_if_it_is_allowed(none):
    """Without the kernel's parameter glaze.ping it is none on any machine."""
    command = list(none(PROGRAM, digest=True).finished(2).command)
    line = command.index("-append") + 1
    command[line] = f"glaze.ping=1 {command[line]}"
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and len(re.findall(r"^\d+ checks, 0 failed", done.stdout, re.MULTILINE)) == 2, done.stdout


@pytest.mark.parametrize("disks", [(0,), (1,)])
def test_threads_whose_pages_come_and_go(none, disk, disks):
    """A disk of either node serves both: pages travel by the second network."""
    result = none(PROGRAM, ram="640K", disk=[f"{node}={disk(4096)}" for node in disks], check="mmu").finished(2)
    assert result.stdout


MISTAKES = {
    "launch": "unknown network operation",
    "dispose": "unknown network operation",
    "store": "protection-violation: the network interface refuses this",
    "storeback": "protection-violation: the network interface refuses this",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_ends_the_job(none, mistake):
    result = none(PROGRAM, mistake).check(101)
    assert re.search(rf"^glaze: messageless \(job 1\) on node \d is ended: {MISTAKES[mistake]}; pc 0x\w+ in main "
                     r"\(messageless\.c:\d+\)$", result.stdout, re.MULTILINE), result.report()


@pytest.mark.parametrize("words", [["system"], ["numbers"], ["formats", 1, 100]])
def test_the_c_library_works(none, words):
    program, *words = words
    found = [none(built(f"clib/{program}"), *words, nodes=1, ni=kind).check(0).stdout for kind in ("none", "fugu")]
    assert found[0] == found[1]


def test_system_calls_with_bad_arguments_are_refused(none):
    result = none(built("hostile/calls")).check(0)
    assert [line for line in sorted(result.stdout.splitlines()) if line.startswith(("FAIL", "calls:"))] == [
        f"calls: node {node}: 0 failed" for node in range(2)]


@pytest.mark.parametrize("seed", range(3))
def test_random_calls_harm_no_one(none, seed):
    """Neither kernel nor a bystander, which checks its memory and its answers."""
    result = none(built("hostile/calls"), seed, 2000, "+", PROGRAM, timeslice=20_000).check(0)
    assert len(re.findall(r"^\d+ checks, 0 failed", result.stdout, re.MULTILINE)) == 2 and "FAIL" not in result.stdout


# ---- several jobs -----------------------------------------------------------------

def lines(result):
    """The lines of a run with --label, by job: (node, cycle, text)."""
    found = re.findall(r"^\[(\d+) job (\d+) @(\d+)\] (.*)$", result.stdout, re.MULTILINE)
    return {job: [(int(node), int(cycle), text) for node, of, cycle, text in found if int(of) == job]
            for job in sorted({int(of) for _, of, _, _ in found})}


def test_jobs_take_turns(none):
    """Each has its slots on all nodes, and a third one that comes later, as with messages (test_sched.py)."""
    slot = 50_000
    job = [TURNS, "when", slot]
    result = none(*job, 120, "+", *job, 120, "+", f"{TURNS}@2M", *job[1:], 100, nodes=4, timeslice=slot, skew=20).check(0)
    seen = re.findall(r"^when: job (\d) node \d: ([x-]+)$", result.stdout, re.MULTILINE)
    assert len(seen) == 12
    for number, marks in seen:
        def of(begin, end, marks=marks):
            return {k for k in range(begin, end) if marks[k] == "x"}
        if number != "3":
            assert of(10, 38) == {k for k in range(10, 38) if k % 2 == int(number) - 1}
        assert of(46, 98) == {k for k in range(46, 98) if k % 3 == int(number) - 1}


def test_a_job_starts_at_its_time(none):
    """Also after all others have ended, and without a server where none is needed."""
    result = none("hello", "one", "+", "hello@3M", "late", nodes=3, label=True).check(0)
    found = lines(result)
    assert {node for node, _, _ in found[1]} == {node for node, _, _ in found[2]} == {0, 1, 2}
    assert all(3_000_000 < cycle < 3_150_000 for _, cycle, _ in found[2])
    none("hello", "+", "null", 500_000, scheduler="none").check(0)


@pytest.mark.parametrize(("what", "marks"), [("gang", "-xxx"), ("shares", "xxxx")])
def test_a_gang_scheduled_job_runs_in_its_slots_alone(none, tmp_path, what, marks):
    """server.c gives job 1 three quarters of each 100,000 cycles. Job 2 waits, and leaves its quarter to job 1 or to no
    one."""
    (tmp_path / "what").write_text(what)
    result = none(TURNS, "when", 25_000, 100, "+", TURNS, "wait", scheduler=built("glaze/sched/server"),
                  input=str(tmp_path / "what")).check(125)
    seen = re.findall(r"^when: job 1 node \d: ([x-]+)$", result.stdout, re.MULTILINE)
    assert [line[40:96] for line in seen] == [marks * 14] * 2, result.report()


def test_jobs_use_gids_again(none):
    """No message can be left in the network, so no flush comes before."""
    jobs = 2 * GIDS + 3
    result = none(*joined(["hello", number] for number in range(jobs)), timeout="2G").check(0)
    assert Counter(result.stdout.splitlines()) == Counter(
        f"hello from node {node} of 2: hello {number}" for node in range(2) for number in range(jobs))


def test_jobs_whose_pages_come_and_go(none, disk):
    """Two of them, one of which begins later: each computes what it computes alone."""
    none(PROGRAM, "+", f"{PROGRAM}@2M", ram="1M", disk=[f"0={disk(8192)}"], timeslice=100_000, timeout="4G").finished(4)


# ---- the same run, however it is carried out ----------------------------------------

# Jobs that use threads, pages, slots and a job that comes later.
JOBS = joined([[PROGRAM], ["null", 1_500_000], ["hello@1M", "late"]])
BUSY = {"nodes": 4, "timeslice": 50_000, "skew": 20, "digest": True}


@pytest.fixture(scope="module")
def whole(machine):
    """The undisturbed run of JOBS."""
    return machine(*JOBS, ni="none", timeout="400M", **BUSY).check(0)


def test_the_network_that_is_used_bounds_the_quantum(none):
    """The second network's base of 256 cycles, and not the first one's of 64; several processes have the same rounds."""
    found = {none(*JOBS, **BUSY, quantum=256, processes=processes).check(0).digest for processes in (1, 2)}
    assert len(found) == 1


@pytest.mark.parametrize("processes", [2, 4])
def test_several_processes_make_the_same_run(none, whole, processes):
    assert none(*JOBS, **BUSY, processes=processes).check(0).digest == whole.digest


@pytest.mark.parametrize("transport", ["unix", "tcp"])
def test_sockets_carry_the_same_run(none, whole, transport):
    assert none(*JOBS, **BUSY, processes=2, transport=transport).check(0).digest == whole.digest


@pytest.mark.parametrize("way", ["one-insn-per-tb=on", "line-filter=off"])
def test_the_host_s_way_of_running_it_changes_nothing(whole, way):
    plain = "tcg,thread=single"
    assert plain in whole.command
    done = subprocess.run([word.replace(plain, f"{plain},{way}") for word in whole.command], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and f"digest: {whole.digest}" in done.stdout


@pytest.mark.parametrize("cycles", [8, pytest.param(100, marks=pytest.mark.long)])
def test_snapshots_change_nothing(none, machine, whole, tmp_path, cycles):
    """Saved at random cycles of the run, and gone on from each."""
    rng = random.Random(36)
    files = {tmp_path / f"{cycle}.snap": cycle for cycle in sorted(rng.sample(range(1, 2_000_000), cycles))}
    saved = none(*JOBS, **BUSY, save=[f"{file}@{cycle}" for file, cycle in files.items()]).check(0)
    assert saved.digest == whole.digest
    for file in files:
        loaded = machine(None, load=file, digest=True, timeout="400M").check(0)
        assert loaded.digest == whole.digest and loaded.stdout.endswith(whole.stdout.splitlines()[-1] + "\n")


# ---- what people see ----------------------------------------------------------------

def test_a_deadlock_says_where_each_node_waits(none):
    result = none(TURNS, "wait", "+", TURNS, "wait").check(125)
    for node in range(2):
        [report] = re.findall(rf"^  node {node}: .*\n((?:    .*\n)+)", result.stderr, re.MULTILINE)
        for job in (1, 2):
            assert f"    turns (job {job}): first thread waits for an alarm or a page in stuck" in report, result.report()


def test_a_report_tells_of_a_section_and_no_mode(none):
    result = none(TURNS, "section", timeout="500K").check(124)
    found = re.findall(r"^    turns \(job 1\): is in an atomic section(.*)$", result.stderr, re.MULTILINE)
    assert len(found) == 2 and all(re.fullmatch(r" since cycle \d+", rest) for rest in found), result.report()


def test_the_debugger_shows_processes_and_interface(session):
    ended = session(["break work thread 1.1", "continue", "fugu ni", "fugu processes", "fugu threads", "fugu flight",
                     "backtrace 1"], "--ni", "none", "-n", 2, PROGRAM)
    said = "\n".join(line for line in ended.stdout.splitlines() if not line.startswith("ok "))
    interface = said.partition("Network interface of node 0")[2].partition("Processes of node 0")[0].splitlines()[1:]
    assert [re.split(r"[ :]", line.strip())[0] for line in interface] == ["GID", "UAC", "interrupts", "atomicity-timeout",
                                                                         "second"], said
    assert re.search(r"^  \*   1 messageless runnable messageless +0 ", said, re.MULTILINE), said
    assert re.search(r"^  \* 0x\w+ normal +runs +0x\w+ work at messageless\.c:\d+$", said, re.MULTILINE), said
    assert re.search(r"^0 messages on the way", said, re.MULTILINE), said


def test_the_debugger_goes_back(session):
    """To the store that gave a variable its value, and by single steps; forward again it finds the same places."""
    line = next(number for number, text in enumerate(SOURCE.read_text().splitlines(), 1) if "have done their rounds" in text)
    ended = session([f"break messageless.c:{line} thread 1.1", "continue", "fugu who-wrote rounds", "fugu when",
                     "reverse-stepi", "fugu when", "stepi", "fugu when", "continue", "fugu when"],
                    "--ni", "none", "-n", 2, PROGRAM)
    places = [tuple(map(int, found)) for found in
              re.findall(r"is at cycle (\d+) of node (\d+),", ended.stdout)]
    assert "Node 0 is about to store to rounds: 23 before, 24 after." in ended.stdout, ended.stdout
    assert len(places) == 4 and {node for _, node in places} == {0}, ended.stdout
    there, back, again, on = (cycle for cycle, _ in places)
    assert back < there == again < on


# ---- programs for another kind ----------------------------------------------------

def test_a_program_with_messages_is_refused(none):
    for words, needs in ((["pingpong"], "pingpong needs --ni fugu, as it uses UDM,"),
                         (["lu"], "lu needs --ni fugu, as it uses CRL,"),
                         (["fifos"], "fifos needs --ni fugu, as it uses MBCF,"),
                         (["hello", "+", "solve"],
                          "solve needs --ni fugu, as it uses MBCF, Remote Queues and UDM,")):
        with pytest.raises(UsageError, match=rf"^{needs} but the machine has --ni none\.$"):
            none(*words)


@pytest.mark.parametrize("program", ["ring", "alltoall", "atomicity"])
def test_a_program_for_the_bare_machine_with_messages_is_refused(none, program):
    with pytest.raises(UsageError, match=rf"^{program} needs --ni fugu, as it uses messages, but the machine has --ni none"):
        none(program)


def test_programs_of_the_bare_machine_by_path_are_refused(none):
    """By ./run.sh itself, which starts such a file without a boot image; and what --dry-run would start."""
    for words in ([], ["--dry-run"]):
        done = run_sh("--ni", "none", *words, "-n", 1, "--timeout", "1M",
                      Path(os.environ["FUGU_BUILD"], "tests", "guest", "latency.elf"))
        assert done.returncode == 2, done.stdout + done.stderr
        assert "latency needs --ni fugu, as it uses messages, but the machine has --ni none." in done.stderr


def test_a_server_with_messages_is_refused(none):
    """A scheduler's server is a program like others; no run begins that it could not serve."""
    with pytest.raises(UsageError, match=r"^bystander needs --ni fugu, as it uses UDM, but the machine has --ni none\.$"):
        none("null", "+", "null", scheduler=built("hostile/bystander"))


def test_apps_without_messages_say_so():
    """Each app that needs no messages shows on its page how to run it with --ni none, and no other app does."""
    files = {app: programs.find_app(app) for app in programs.apps()}
    without = {app for app, file in files.items() if not notes.needs(file, contents(file))}
    shown = {app for app in files if any("--ni none" in line for line in
             apps.describe(app, programs.APPS / app / "README.md")[1])}
    assert without == shown == {"hello", "null"}
