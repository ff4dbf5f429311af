"""The status with which the machine ends, and its report on the nodes."""

import re
import subprocess
from pathlib import Path

import pytest
from guest_programs import built

STUCK = (Path(__file__).parent / "stuck.c").read_text().splitlines()


def nodes_report(stderr):
    """{node: its line in the report}"""
    return {int(node): text for node, text in re.findall(r"^  node (\d+): (.*)$", stderr, re.MULTILINE)}


@pytest.fixture(scope="session")
def function_at(cross, guest_dir):
    """function_at(program, address) -> the name of the function at that address."""
    def find(program, address):
        table = subprocess.run([cross("nm"), "-n", guest_dir / f"{program}.elf"], capture_output=True, text=True,
                               check=True).stdout
        symbols = re.findall(r"^([0-9a-f]{8}) [tT] (\w+)$", table, re.MULTILINE)
        return [name for start, name in symbols if int(start, 16) <= address][-1]
    return find


@pytest.mark.parametrize("nodes", [1, 4, 40])
def test_deadlock_names_where_each_node_waits(run, function_at, nodes):
    done = run("deadlock", nodes=nodes)
    report = nodes_report(done.stderr)

    assert done.returncode == 125
    assert re.search(r"fugu: deadlock at cycle \d+: all nodes wait, and nothing is in flight", done.stderr)
    assert list(report) == list(range(nodes))
    for text in report.values():
        found = re.fullmatch(r"waits for an interrupt, pc 0x([0-9a-f]{8}) in am_wait", text)
        assert found, text
        assert function_at("deadlock", int(found[1], 16)).startswith("am_wait")


def line(text):
    """The number of the line of stuck.c with this text."""
    return next(number for number, found in enumerate(STUCK, 1) if text in found)


@pytest.mark.parametrize("processes", [1, 3])
def test_deadlock_names_what_each_thread_waits_for(machine, processes):
    """Of two jobs on three nodes, each thread with function and line in the program, and what it waits for."""
    done = machine(built("ends/stuck"), "threads", "+", "null", 1000, "+", built("ends/stuck"), nodes=3,
                   processes=processes).check(125)
    lines = re.sub(r"pc 0x[0-9a-f]{8}", "pc N", done.stderr).splitlines()[1:]
    threads = [f"first thread waits for the end of a thread in join_deep (stuck.c:{line('udm_thread_join')})",
               f"thread of locks waits for a mutex in locks (stuck.c:{line('udm_mutex_lock(&mutex)')})",
               f"thread of waits waits for a condition in waits (stuck.c:{line('udm_cond_wait')})",
               f"thread of blocks waits for udm_thread_wake() in blocks (stuck.c:{line('udm_thread_block')})"]
    jobs = [f"    stuck (job {job}): {text}" for job in (1, 3) for text in threads]
    for node in range(3):
        assert lines[9 * node] == f"  node {node}: waits for an interrupt, pc N in schedule_resume"
        assert lines[9 * node + 1:9 * node + 9] == jobs
    assert len(lines) == 27


def test_deadlock_names_the_caller_of_a_collective_operation(machine):
    """The line of the program that calls the operation, not the library's line that waits."""
    done = machine(built("ends/stuck"), "collective", nodes=3).check(125)
    first = "    stuck (job 1): first thread waits for"
    assert re.findall(r"^    .*$", done.stderr, re.MULTILINE) == [
        f"{first} udm_thread_wake() in collective (stuck.c:{line('udm_node() == 0') + 1})",
        f"{first} other nodes in udm_reduce_all_double() in collective (stuck.c:{line('2.5')})",
        f"{first} the end of a thread in collective (stuck.c:{line('create(reduces')})",
        f"    stuck (job 1): thread of reduces waits for other nodes in udm_reduce_all_double() in reduces "
        f"(stuck.c:{line('1.5')})"]


@pytest.mark.parametrize("processes", [1, 2])
def test_timeout_names_the_caller_of_a_collective_operation(machine, processes):
    """A node that spins in the library's loop: by the register windows of its processor, and its stack."""
    done = machine(built("ends/stuck"), "spins", nodes=2, timeout="1M", processes=processes).check(124)
    assert re.search(r"^  node 1: runs, pc 0x1000\w{4} in collective_wait \(slot.c:\d+\), for other nodes in "
                     rf"udm_reduce_all_double\(\) in collective \(stuck.c:{line('2.5')}\)$", done.stderr, re.MULTILINE)


@pytest.mark.parametrize("seed", range(8))
def test_report_of_a_broken_program(machine, seed):
    """Words of the library that mean nothing cost lines of the report, and no more."""
    done = machine(built("ends/stuck"), "broken", seed, nodes=2, host_timeout=30).check(125)
    for node in range(2):
        assert re.search(rf"^  node {node}: waits for an interrupt, pc 0x[0-9a-f]{{8}} in schedule_resume$",
                         done.stderr, re.MULTILINE)


@pytest.mark.parametrize("processes", [1, 2])
def test_timeout_names_functions(machine, processes):
    """In the kernel, in a program, and on a bare machine."""
    place = r"main \(loops.c:\d+\)"
    done = machine(built("debug/loops"), nodes=2, timeout="1M", processes=processes).check(124)
    assert len(re.findall(rf"node \d: runs, pc 0x1000\w{{4}} in {place}$", done.stderr, re.MULTILINE)) == 2
    for program, name in ((built("debug/loops"), r"[a-z.]\w+"), ("spin", r"\w+")):
        done = machine(program, nodes=2, timeout=5000, processes=processes).check(124)
        assert len(re.findall(rf"node \d: runs, pc 0x000\w{{5}} in {name}$", done.stderr, re.MULTILINE)) == 2


@pytest.mark.parametrize("command", ["/bin/false", "/does/not/exist", "'", "sh -c 'head -c 99999 /dev/zero >&0'",
                                     "sh -c 'head -c 99999 /dev/zero | tr \\\\0 \\\\377 >&0'"])
@pytest.mark.parametrize("processes", [1, 2])
def test_reporter_that_fails(machine, command, processes):
    """The report has the machine's own lines."""
    done = machine("deadlock", nodes=2, processes=processes, qemu_arg=["-machine", f"reporter={command}"],
                   host_timeout=60)
    assert done.check(125).stderr.count("waits for an interrupt, pc 0x") == 2
    assert " in am_wait" not in done.stderr


@pytest.mark.parametrize("timeout", [1, 64, 99_999, 100_000])
def test_timeout_ends_with_the_round(run, timeout):
    """The run ends with the round in which the limit lies."""
    done = run("spin", nodes=3, timeout=timeout)
    found = re.search(r"fugu: timeout at cycle (\d+)$", done.stderr, re.MULTILINE)

    assert done.returncode == 124
    assert found and int(found[1]) == -(-timeout // 64) * 64
    assert [text.partition(",")[0] for text in nodes_report(done.stderr).values()] == ["runs"] * 3


def test_timeout_of_an_idle_machine(run):
    """The machine skips idle time, but not beyond the limit."""
    done = run("idle", nodes=1, timeout=1_000)
    assert done.returncode == 124
    assert "fugu: timeout at cycle 1024\n" in done.stderr


@pytest.mark.parametrize("node", [0, 2])
def test_error_mode_names_trap_and_place(run, function_at, node):
    done = run("errormode", f"node={node}", nodes=3)
    report = nodes_report(done.stderr)
    found = re.fullmatch(r"error mode, trap 0x02 with traps disabled, pc 0x([0-9a-f]{8}), npc 0x([0-9a-f]{8}) in main",
                         report[node])

    assert done.returncode == 126
    assert list(report) == [0, 1, 2]
    assert found, report[node]
    pc, npc = (int(text, 16) for text in found.groups())
    assert npc == pc + 4
    assert function_at("errormode", pc) == "main"


@pytest.mark.parametrize("status, ends", [(1, 1), (2, 2), (119, 119), (120, 119), (124, 119), (125, 119), (256, 119)])
def test_status_of_a_node_is_at_most_119(run, status, ends):
    done = run("exitstatus", f"status={status}", "node=1", nodes=3)
    assert done.returncode == ends
    assert re.search(rf"fugu: node 1 ended with status {ends} at cycle \d+$", done.stderr, re.MULTILINE)


def test_no_report_when_all_nodes_end_with_0(run):
    done = run("whoami", nodes=3)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.splitlines()) == [f"hello from node {node} of 3" for node in range(3)]


@pytest.mark.parametrize("status", [0, 5])
def test_one_node_can_stop_all(run, status):
    """A node that stops the machine sets its status, while the others still run."""
    assert run("exitstatus", f"stop={status}", nodes=3).returncode == status
