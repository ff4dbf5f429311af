"""The scheduler's server, and what the kernel does for it: docs/scheduler.md.

server.c takes the place of the server, and says what it does.
"""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from guest_programs import built, joined

SLOTS, ALONE, HOARD, SERVER = (built(f"glaze/{name}") for name in ("slots/slots", "sched/alone", "sched/hoard",
                                                                   "sched/server"))


@pytest.fixture
def served(machine, tmp_path):
    """served(what, word..., option=...) -> the result of a run with server.c, which does `what`."""
    def run(what, *words, **options):
        (tmp_path / "what").write_text(what)
        return machine(*words, scheduler=SERVER, input=str(tmp_path / "what"), **{"nodes": 2, "timeout": "60M"} | options)
    return run


def times(stdout):
    """{line of a program: the cycle at which it was printed} of a run with --label, without node and job."""
    return {text: int(cycle) for cycle, text in re.findall(r"^\[\d+(?: job \d+)? @(\d+)\] (.*)$", stdout, re.MULTILINE)}


# ---- the server's calls -----------------------------------------------------------

def test_wrong_calls_are_refused(served):
    result = served("errors", "null", 6_000_000, "+", "null", 6_000_000, "+", "hello@123456789", "late").check(0)
    assert Counter(re.findall(r"^(?:server|FAIL).*$", result.stdout, re.MULTILINE)) == {"server: 0 failures": 2}, \
        result.report()
    assert result.stdout.count("hello late") == 2


def test_events_of_processes(served):
    """Job 1 begins, waits, is woken and ends on both nodes; job 2 begins at once and ends alone on its node first."""
    result = served("events", SLOTS, "trips", 50_000, 1, "+", "null", 3_000_000, timeslice=50_000).check(0)
    seen = [(int(job), int(events, 16), run) for job, events, run in
            re.findall(r"^event: job (\d+): 0x(\w+), (\d)$", result.stdout, re.MULTILINE)]
    begun, ended, gone, blocked, woken = 0x01, 0x02, 0x04, 0x40, 0x80
    of = {job: [events for gid, events, _ in seen if gid == job] for job in (1, 2)}
    assert of[1][0] & begun and of[2][0] & begun
    assert any(events & blocked for events in of[1]) and any(events & woken for events in of[1])
    assert not any(events & (blocked | woken) for gid, events, run in seen if gid == 2 and not events & (begun | ended)) \
        or any(events & woken for events in of[2])
    assert sum(bool(events & ended) for events in of[1]) == 1 == sum(bool(events & gone) for events in of[1])
    assert not any(run == "1" for _, events, run in seen if events & ended)


# ---- tables -----------------------------------------------------------------------

def shares(result, jobs=2):
    found = {int(job): int(turns) for job, turns in re.findall(r"^share: job (\d): (\d+)$", result.stdout, re.MULTILINE)}
    assert len(found) == jobs, result.report()
    return found


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize(("what", "low", "high"), [("shares", 0.74, 0.77), ("gang", 0.74, 0.77), ("gaps", 0.74, 0.77)])
def test_table_decides_on_shares(served, what, low, high, atomicity):
    """The time between slots is one turn: job 2 gets the 25,000 cycles after job 1's slot, and job 1 the 50,000 from the
    next period's beginning up to its slot."""
    job = [SLOTS, "share", 12_000_000]
    found = shares(served(what, *job, "+", *job, nodes=1, atomicity=atomicity).check(0))
    assert low < found[1] / (found[1] + found[2]) < high, found


def test_table_may_starve_a_job(served):
    job = [SLOTS, "share", 4_000_000]
    found = shares(served("starve", *job, "+", *job, nodes=1).check(0))
    assert found[2] < found[1] / 10


def test_table_holds_from_its_origin_on(served):
    """The second table replaces the first one, which has not come into force."""
    slot = 50_000
    job = [SLOTS, "when", slot, 80]
    result = served("late", *job, "+", *job, timeslice=slot).check(0)
    seen = re.findall(r"^when: job (\d) node \d: ([x-]+)$", result.stdout, re.MULTILINE)
    assert len(seen) == 4
    for job, marks in seen:
        before, after = marks[20:40], marks[41:79]
        assert before == ("x-" if job == "1" else "-x") * 10
        assert after == ("x" if job == "2" else "-") * 38


def test_periods_of_a_table_begin_at_its_origin(served):
    job = [SLOTS, "when", 25_000, 80]
    result = served("phase", *job, "+", *job, timeslice=50_000, nodes=1).check(0)
    seen = dict(re.findall(r"^when: job (\d) node 0: ([x-]+)$", result.stdout, re.MULTILINE))
    assert seen["1"][42:78] == "x---" * 9 and seen["2"][42:78] == "-xxx" * 9


def test_gang_job_runs_in_its_slots_alone(served):
    """While job 2 waits, job 1 gets the time of job 2's slots, unless it is gang-scheduled."""
    job = [SLOTS, "share", 8_000_000, "+", SLOTS, "wait"]
    free, ganged = (shares(served(what, *job, nodes=1, timeout="9M"), 1) for what in ("shares", "gang"))
    assert 0.74 < ganged[1] / free[1] < 0.77


def test_gang_job_that_begins_later_runs_in_its_slots_alone(served, machine):
    """Also if the table came into force before. Job 1 waits, so job 2 would otherwise have the whole node."""
    found = shares(served("early", SLOTS, "wait", "+", f"{SLOTS}@1M", "share", 8_000_000, nodes=1, timeout="9M"), 1)
    whole = shares(machine(SLOTS, "share", 7_000_000, nodes=1), 1)
    assert 0.2 < found[2] / whole[1] < 0.26


@pytest.mark.parametrize("other", [True, False])
def test_job_that_overflows_is_gang_scheduled(machine, tmp_path, other):
    """From its suspension on, if there is another job."""
    disk = tmp_path / "disk.img"
    disk.write_bytes(bytes(4096 * 512))
    result = machine(built("glaze/paging/flood"), 2000, 5, *(["+", "null", 300_000_000] if other else []), nodes=2,
                     ram="1M", disk=[f"1={disk}"], timeslice=50_000, timeout="400M").check(0)
    [sink] = re.findall(r"^sink: .* received=2000 wrong=0 .* suspensions=(\d+) resumptions=(\d+) gang=1 ganged=(\d) ",
                        result.stdout, re.MULTILINE)
    assert int(sink[0]) > 0 and sink[0] == sink[1]
    assert sink[2] == str(int(other))


# ---- servers that are wrong ---------------------------------------------------------

@pytest.mark.parametrize("what", ["spin", "timed"])
def test_server_that_never_waits_costs_a_tenth(served, machine, what):
    """
    Jobs beside it have nine tenths of what they have without a server, whose default slots are the same. So they have
    beside one whose time to wake has come, and that has used up its own.
    """
    jobs, options = joined([[SLOTS, "share", 8_000_000]] * 2), {"nodes": 1, "timeout": "60M"}
    free, spun = (sum(shares(result.check(0)).values()) for result in
                  (machine(*jobs, scheduler="none", **options), served(what, *jobs, **options)))
    assert 0.87 < spun / free < 0.91          # two switches come on top of the tenth


def test_server_that_never_waits_costs_jobs_in_their_slots_a_tenth(served):
    """Between the slots no job may run, and the server has the processor. The slots begin in time all the same."""
    job = [SLOTS, "share", 8_000_000]
    calm, busy = (shares(served(what, *job, "+", *job, nodes=1).check(0)) for what in ("calm", "busy"))
    assert all(0.88 < busy[job] / calm[job] < 1 for job in (1, 2)), (calm, busy)


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_server_that_never_waits_keeps_the_kernel_from_nothing(served, atomicity):
    """A job that needs the GID of another one starts after a flush, in which node 0 asks again at certain times."""
    result = served("poll", "hello", *["+", "null@90G"] * 61, "+", "hello", "last", timeout="10M", label=True,
                    atomicity=atomicity).check(124)
    assert len(re.findall(r"^\[\d job 1 @1?\d{6}\] hello from node \d of 2: hello last$", result.stdout, re.MULTILINE)) == 2, \
        result.report()


ENDED = {
    "fault": r"glaze: server \(job 63\) on node 1 is ended: access to memory that is not its own, address 0x00000000; "
             r"pc 0x\w+ in main \(server\.c:\d+\)",
    "exit": None,
}


@pytest.mark.parametrize("what", ENDED)
def test_jobs_go_on_without_server(served, what):
    """The kernels go by their own table, as --scheduler none does. Jobs that wait are given up, with a line."""
    job = [SLOTS, "when", 20_000, 60]
    result = served(what, *job, "+", *job, "+", "hello@2M", timeslice=20_000).check(103)
    complaints = [line for line in result.stdout.splitlines() if line.startswith("glaze:")]
    given_up = "glaze: hello (job 3) is not started: the scheduler's server has ended"
    if ENDED[what]:
        assert re.fullmatch(ENDED[what], complaints[0]), result.report()
    assert complaints[bool(ENDED[what]):] == [given_up]
    for job, marks in re.findall(r"^when: job (\d) node \d: ([x-]+)$", result.stdout, re.MULTILINE):
        assert marks[30:56] == ("x-" if job == "1" else "-x") * 13
    assert "hello from" not in result.stdout


def test_server_that_takes_all_memory_ends(served):
    """The server is spared while it holds little. One that holds more than jobs ends before them."""
    job = [SLOTS, "share", 20_000_000]
    result = served("hoard", *job, "+", *job, ram="512K").check(0)
    [ended] = [line for line in result.stdout.splitlines() if line.startswith("glaze:")]
    assert ended.startswith("glaze: server (job 63) on node 1 is ended: the node has no memory left for it")
    assert len(re.findall(r"^share: ", result.stdout, re.MULTILINE)) == 4, result.report()


# ---- jobs that come and go -----------------------------------------------------------

def test_job_starts_at_its_time(machine):
    """Also after all others have ended. The machine ends with the last job, and has its status."""
    result = machine("hello", "one", "+", "hello@3M", "three", "+", "hello@1M", "two", "+", f"{SLOTS}@5M",
                     nodes=4, timeout="60M", label=True).check(2)
    when = times(result.stdout)
    for node in range(4):
        one, two, three = (when[f"hello from node {node} of 4: hello {word}"] for word in ("one", "two", "three"))
        assert one < 1_000_000 < two < 1_150_000 and 3_000_000 < three < 3_150_000


def test_job_may_be_the_only_one(machine):
    result = machine("hello@2M", nodes=2, timeout="60M", label=True).check(0)
    assert all(2_000_000 < when < 2_150_000 for when in times(result.stdout).values())


def test_all_nodes_have_a_process_before_any_message(machine):
    """The first messages of a job that starts late go to nodes that may not have begun it."""
    result = machine("pingpong@1M", 20, "+", "null", 3_000_000, nodes=6, timeout="100M").check(0)
    assert re.search(r"^interrupt +600 ", result.stdout, re.MULTILINE), result.stdout


def test_new_job_gets_slots_on_all_nodes(machine):
    slot = 20_000
    result = machine(SLOTS, "when", slot, 120, "+", SLOTS, "when", slot, 120, "+", f"{SLOTS}@1M", "when", slot, 100,
                     nodes=4, timeslice=slot, timeout="20M").check(0)
    seen = re.findall(r"^when: job (\d) node \d: ([x-]+)$", result.stdout, re.MULTILINE)
    assert len(seen) == 12
    for job, marks in seen:
        def of(begin, end, marks=marks):
            return {k for k in range(begin, end) if marks[k] == "x"}
        if job != "3":
            assert of(20, 48) == {k for k in range(20, 48) if k % 2 == int(job) - 1}
        assert of(64, 98) == {k for k in range(64, 98) if k % 3 == int(job) - 1}


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
def test_job_that_is_alone_is_not_interrupted(machine, atomicity):
    """Once the other job has ended, nothing interrupts, as if there had never been another job or a server."""
    job = [ALONE, 3_000_000, 8_000_000]
    after = machine(*job, "+", "null", 100_000, nodes=2, timeout="60M", atomicity=atomicity).check(0)
    alone = machine(*job, nodes=2, timeout="60M", atomicity=atomicity).check(0)
    before = machine(*job, "+", "null@9M", 100_000, nodes=2, timeout="60M", atomicity=atomicity).check(0)

    def found(result):
        return sorted(re.findall(r"^alone: .*$", result.stdout, re.MULTILINE))
    assert found(after) == found(alone) == found(before)
    assert len(found(alone)) == 2 and all(int(line.split()[-1]) < 100 for line in found(alone))


@pytest.mark.parametrize("words", [[SLOTS, "wait", "+", SLOTS, "wait"], [SLOTS, "wait", "+", f"{SLOTS}@1M", "wait"]])
def test_server_hides_no_deadlock(machine, words):
    result = machine(*words, nodes=2, timeout="100M").check(125)
    assert "sched (job 63)" not in result.stderr and "slots (job 2)" in result.stderr


def test_job_that_finds_no_memory_gets_a_share(machine):
    """One node has too few frames for a job that begins later. There the job that holds nearly all of them ends."""
    result = machine(HOARD, 1, 0, 8_000_000, "+", "hello@5M", "early", "+", "hello@12M", "late", nodes=3, ram="1M",
                     timeout="100M").check(102)
    [ended] = re.findall(r"^glaze: .*$", result.stdout, re.MULTILINE)
    assert ended.startswith("glaze: hoard (job 1) on node 1 is ended: the node has no memory left for it, and there is no")
    assert sorted(result.stdout.splitlines()) == sorted([
        ended, *["hoard: begin"] * 3,
        *[f"hello from node {node} of 3: hello {when}" for node in range(3) for when in ("early", "late")]])


def test_snapshot_and_processes_change_nothing(machine, tmp_path):
    """Saved before a job starts, and split."""
    snap = tmp_path / "later.snap"
    words = ["pingpong", 5, "+", "hello@1M", "+", "null@2M", 300_000]
    whole = machine(*words, nodes=4, timeslice=50_000, skew=20, timeout="100M", digest=True, save=[f"{snap}@900K"]).check(0)
    split = machine(*words, nodes=4, timeslice=50_000, skew=20, timeout="100M", digest=True, processes=2).check(0)
    loaded = machine(None, load=snap, timeout="100M", digest=True).check(0)
    assert whole.digest == split.digest == loaded.digest and whole.digest


# ---- everything at once ----------------------------------------------------------------

@pytest.mark.parametrize("seed", range(6))
def test_random_jobs_come_and_go(machine, seed):
    """Programs that check themselves start at random times, some of them after others have ended."""
    rng = random.Random(seed)
    kinds = {"pingpong": [3], "hello": [], "null": [200_000], "rpc": [], "stencil": []}
    words, names = [], []
    for number in range(rng.randrange(4, 12)):
        name = rng.choice(list(kinds))
        time = f"@{rng.randrange(1, 4_000_000)}" if rng.random() < 0.7 else ""
        words += ["+"] * bool(number) + [name + time, *kinds[name]]
        names.append(name)
    result = machine(*words, nodes=rng.choice([2, 4, 8]), timeslice=rng.choice([5_000, 50_000, 500_000]),
                     skew=rng.choice([0, 0, 20, 100]), seed=seed, atomicity=rng.choice(["hard", "soft"]),
                     timeout="2G").check(0)
    assert "glaze:" not in result.stdout
    assert result.stdout.count("hello from node 0") == names.count("hello")
