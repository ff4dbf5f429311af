"""--stats and --stats-json: the figures of a run are exact, and taking them changes nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest
from guest_programs import built
from observing import RUNS, STRESS, all_cycles, digest, figures, jobs, observed
from run_sh import COMMAND, run_sh

from fugu.abi import GLAZE, REGS
from fugu.observe import names, stats
from fugu.observe.figures import Figures, Masked
from fugu.observe.programs import Program, Programs
from fugu.paths import build_dir

QUANTUM = 64                # cycles of a round, by default


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS)
def test_figures_change_nothing_and_add_up(words, tmp_path):
    """The digest is that of the plain run. Each cycle of each node is counted once, each message too."""
    found, output = figures(tmp_path, *words)
    assert output == observed("--digest", *words)
    for node in found["nodes"]:
        # A node stops before the end of the last round if its next access to a device has to await its turn.
        assert sum(map(all_cycles, node["jobs"])) == node["cycles"] > found["end"] - found["start"] - QUANTUM
        # The node's meter charges the same cycles, if to other jobs.
        assert sum(job["cycles_charged"] for job in node["jobs"]) == node["cycles"]
    for job in found["jobs"]:
        messages = job["messages"]
        assert messages["sent"] == messages["received"] + messages["dropped"] or not job["name"]
        assert messages["inserted"] == messages["buffered"] or not job["name"]
        assert messages["received"] == messages["fast"] + messages["buffered"] == messages["handled"] + messages["polled"]
        assert job["buffered_mode"]["entered"] == sum(job["buffered_mode"]["causes"].values())
    for total in found["jobs"]:
        parts = [job for job in jobs(found) if job["gid"] == total["gid"]]
        assert total["nodes"] == len(parts)
        assert all_cycles(total) == sum(map(all_cycles, parts))
        assert total["messages"] == dict(sum((Counter(part["messages"]) for part in parts),
                                             Counter(dict.fromkeys(total["messages"], 0)))) | \
            {name: 0 for name, value in total["messages"].items() if not value}


STRESS_LINE = re.compile(r"^node \d+ (\d+): (.*)", re.MULTILINE)


@pytest.mark.parametrize("more", [(), ("--atomicity", "soft")], ids=["hard", "soft"])
def test_causes_of_buffering_are_those_that_the_kernel_counts(more, tmp_path):
    """udmstress prints the kernel's own counters, in the order of their causes."""
    found, output = figures(tmp_path, "-n", 4, "--atomicity-timeout", 500, *more, STRESS, 11, 60)
    printed = {int(node): dict(re.findall(r"([\w-]+)=(\d+)", rest)) for node, rest in STRESS_LINE.findall(output)}
    counted = {node["node"]: next(job for job in node["jobs"] if job["gid"] == 1) for node in found["nodes"]}
    assert printed.keys() == counted.keys() == {0, 1, 2, 3}
    seen = Counter[str]()
    for node, numbers in printed.items():
        job = counted[node]
        assert int(numbers["entries"]) == job["buffered_mode"]["entered"]
        assert int(numbers["inserted"]) == job["messages"]["inserted"] > 0
        for cause in names.causes():
            if f"in-{cause}" in numbers:
                assert int(numbers[f"in-{cause}"]) == job["buffered_mode"]["causes"].get(cause, 0)
                seen[cause] += int(numbers[f"in-{cause}"])
    assert seen["fault"] and seen["timeout"] and len(names.causes()) == GLAZE["IN_CAUSES"]


TRAP = re.compile(r"fugu_node_trap node (\d+): type 0x(\w+), pc 0x\w+ @(\d+)")


@pytest.mark.parametrize("more", [(), ("--atomicity", "soft")], ids=["hard", "soft"])
def test_longest_time_without_network_and_clock(more, tmp_path):
    """It begins with a trap of the trace, and the kernel works for that trap."""
    trace, words = tmp_path / "trace", ("-n", 3, *more, "null", 200_000)
    found, _ = figures(tmp_path, "--trace", "fugu_node_trap", "--trace-file", trace, *words)
    traps = {(int(node), int(cycle)): names.trap(int(tt, 16)) for node, tt, cycle in TRAP.findall(trace.read_text())}
    for node in found["nodes"]:
        longest = node["longest_masked"]
        assert longest["works_for"] == traps[node["node"], longest["began"]]
        assert longest["began"] + longest["cycles"] <= node["cycles"]
        assert 0.9 < sum(longest["functions"].values()) < 1.1
    output = observed("--stats", *words).splitlines()
    rows = output[output.index("Longest time without network and clock") + 2:][:3]
    assert [row.split()[:3] for row in rows] == [
        [str(node["node"]), *(f"{node['longest_masked'][what]:,}" for what in ("cycles", "began"))]
        for node in found["nodes"]]


def test_handlers_in_slots_are_no_function_of_the_kernel():
    """They run beside it. On the bare machine, all code is the program's."""
    kernel, longest = Program("kernel", ""), Masked(40, 2000, 0x81)
    kernel.labels = {0x1000: "serve", 0x2000: "last"}
    longest.pcs.extend([0x1004, 0x2004, GLAZE["PROGRAM"], GLAZE["PROGRAM"] + 64])

    def functions(jobs):
        return stats._masked(Figures(masked={0: longest}), Programs({0: kernel}, jobs), 0)["functions"]

    assert functions({1: "mmqueue"}) == {"message slots": 0.5, "last": 0.25, "serve": 0.25}
    assert functions({}) == {"last": 0.75, "serve": 0.25}


LAUNCH = re.compile(r"fugu_ni_launch node (\d+): network (\d), to (\d+), (\d+) words, body (\d+) bytes, header 0x(\w+)")


def route(width: int, source: int, dest: int):
    """The links on the way from a node to another one: along the row first, then along the column."""
    yield source, "inject"
    at = source
    for step, forward, back, ahead in ((1, "east", "west", dest % width - source % width),
                                       (width, "south", "north", dest // width - source // width)):
        for _ in range(abs(ahead)):
            yield at, forward if ahead > 0 else back
            at += step if ahead > 0 else -step
    yield dest, "eject"


def test_words_on_links_are_those_of_the_messages(tmp_path):
    """Each message's words, body included, on each link of its way."""
    trace = tmp_path / "trace"
    found, _ = figures(tmp_path, "-n", 6, "--mesh", "3x2", "--trace", "fugu_ni_launch", "--trace-file", trace, STRESS, 7, 40)
    expected, sent = Counter[tuple[str, int, str]](), 0
    for launch in LAUNCH.finditer(trace.read_text()):
        source, network, dest, words, body = map(int, launch.groups()[:5])
        sent += network == 0 and not int(launch[6], 16) & REGS["HDR_KERNEL"]
        for node, link in route(3, source, dest):
            expected[names.networks()[network], node, link] += words + body // 4
    assert {(link["network"], link["node"], link["link"]): link["words"] for link in found["links"]} == expected
    assert sum(job["messages"]["sent"] for job in found["jobs"]) == sent > 0


@pytest.mark.parametrize("processes", [2, 3])
def test_several_processes_have_the_same_figures(processes, tmp_path):
    words = ("-n", 5, STRESS, 3, 30)
    alone, output = figures(tmp_path, *words)
    split, again = figures(tmp_path, "--processes", processes, *words)
    assert (split, again) == (alone, output)


def test_stalls_are_counted(tmp_path):
    """A program sends more than the network has room for. The trace has each wait."""
    trace = tmp_path / "trace"
    found, _ = figures(tmp_path, "-n", 4, "--trace", "fugu_node_wait", "--trace-file", trace, "backpressure")
    waits = Counter(re.findall(r"why (\d+)", trace.read_text()))
    counted = Counter[str]()
    for job in found["jobs"]:
        counted += Counter(job["waits"])
    assert counted == {names.waits()[int(why)]: count for why, count in waits.items()}
    assert counted["waits for space"] > 0


def test_a_wait_that_is_over_at_once(tmp_path):
    """It begins with the instruction that waits, not behind it: no count of cycles goes below 0."""
    done = run_sh("cc", Path(__file__).with_name("bodies.c"), "-o", tmp_path / "bodies.elf")
    assert done.returncode == 0, done.stderr

    def first(cycles):
        found, _ = figures(tmp_path, "-n", 2, "--cache", "off", tmp_path / "bodies.elf", cycles)
        assert all(value < 1 << 63 for job in jobs(found) for value in job["cycles"]["waits"].values()), cycles
        return next(job for job in jobs(found) if job["gid"] == 1)["waits"].get("waits for body", 0)
    shorter, longer = 0, 1000           # cycles between two launches: the second one waits; it need not
    while longer - shorter > 1:
        middle = (shorter + longer) // 2
        shorter, longer = (middle, longer) if first(middle) else (shorter, middle)
    assert first(0) == 1 and 0 < shorter < 900


def test_figures_from_a_snapshot_on(tmp_path):
    """A run that was loaded counts from that cycle on: both parts together are the whole run."""
    snapshot = tmp_path / "half.snap"
    whole, output = figures(tmp_path, "-n", 3, STRESS, 9, 30)
    half = (whole["end"] // 2) // 64 * 64
    observed("--save", f"{snapshot}@{half}", "--timeout", half + 64, "-n", 3, STRESS, 9, 30, status=124)
    rest, again = figures(tmp_path, "--load", snapshot)
    assert digest(again) == digest(output)
    assert (rest["start"], rest["end"]) == (half, whole["end"])
    assert [job["name"] for job in rest["jobs"]] == [job["name"] for job in whole["jobs"]]
    for node in rest["nodes"]:
        assert sum(map(all_cycles, node["jobs"])) == node["cycles"]
    first = json.loads(_until(tmp_path, half))
    for kind in ("sent", "received", "inserted"):
        assert sum(job["messages"][kind] for found in (first, rest) for job in found["jobs"]) == \
            sum(job["messages"][kind] for job in whole["jobs"]) > 0


def test_a_program_that_was_built_again_since_the_snapshot(tmp_path):
    """Figures and profile are those of the program in the snapshot, by its own marks and names; without them, refused."""
    program, snapshot = tmp_path / "my.elf", tmp_path / "half.snap"
    shutil.copy(STRESS, program)
    words = ("-n", 3, program, 9, 30)
    observed("--save", f"{snapshot}@400K", *words)
    whole = observed("profile", "--stats", "--load", snapshot)
    shutil.copy(built("debug/primes"), program)
    assert observed("profile", "--stats", "--load", snapshot) == whole
    for copy in (build_dir() / "images" / "parts").glob("*/my.elf"):
        copy.unlink()
    for command in (("profile",), ("--stats",), ("debug",)):
        done = run_sh(*command, "--load", snapshot)
        assert done.returncode == 2 and "my.elf as it was when the snapshot was saved, and it is not there any more" in \
            done.stderr, done.stderr


def _until(folder, cycle):
    observed("--stats-json", folder / "first.json", "--timeout", cycle, "-n", 3, STRESS, 9, 30, status=124)
    return (folder / "first.json").read_text()


def test_text_says_what_the_file_says(tmp_path):
    """--stats prints the totals, with names of jobs and links, after the program's own output."""
    words = ("-n", 4, "--stats", "--stats-json", tmp_path / "f", "pingpong", 20)
    output = observed("--digest", *words)
    plain = observed("--digest", *words[:2], *words[5:])
    assert output.startswith(plain)
    found, lines = json.loads((tmp_path / "f").read_text()), output.removeprefix(plain).splitlines()
    job = next(job for job in found["jobs"] if job["gid"] == 1)
    assert lines[0] == f"Figures of cycles 0 to {found['end']:,}, 4 nodes"
    assert "job 1, pingpong, on 4 nodes" in lines
    messages = job["messages"]
    assert (f"  messages received  {messages['received']:,}: {messages['fast']:,} fast, {messages['buffered']:,} buffered; "
            f"{messages['handled']:,} by handlers, {messages['polled']:,} polled") in lines
    busiest = max((link for link in found["links"] if link["network"] == "main"), key=lambda link: link["words"])
    assert any(line.split()[:3] == [str(busiest["node"]), busiest["link"], f"{busiest['words']:,}"] for line in lines)


def test_interrupted_run_has_its_figures(tmp_path):
    """Control-C ends the run with status 130; what was counted until then is written."""
    file = tmp_path / "figures"
    process = subprocess.Popen([COMMAND, "-n", "2", "--stats-json", file, "alltoall", "messages=100000000"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True)
    folders = list(tmp_path.glob("*"))
    for _ in range(600):
        if process.poll() is not None or _runs(process.pid):
            break
        time.sleep(0.1)
    assert not folders
    process.send_signal(signal.SIGTERM)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 130, output
    found = json.loads(file.read_text())
    for node in found["nodes"]:
        assert sum(map(all_cycles, node["jobs"])) == node["cycles"]


def _runs(pid: int) -> bool:
    """Whether a child of this process has computed for a second."""
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()        # from the state, the third field, on
        except OSError:
            continue                    # the process has ended meanwhile
        parent, user, system = int(fields[1]), int(fields[11]), int(fields[12])
        if parent == pid and user + system >= os.sysconf("SC_CLK_TCK"):
            return True
    return False


# ---- what is refused ---------------------------------------------------------------

@pytest.mark.parametrize("words, status, said", [
    (("--stats-json", "nosuch/file", "null"), 121, "--stats-json nosuch/file: there is no directory nosuch"),
    (("--stats-json", "/", "null"), 121, "this is a directory"),
    (("--timeline", "nosuch/file", "null"), 121, "--timeline nosuch/file: there is no directory nosuch"),
    (("--timeline-nodes", "0", "null"), 2, "no timeline is asked for: --timeline FILE"),
    (("-n", "2", "--timeline", "t", "--timeline-nodes", "0,2", "null"), 2, "there is no node 2; the nodes are 0 to 1"),
    (("--timeline", "t", "--timeline-kinds", "runs,nosuch", "null"), 2, "there is no kind nosuch. There are: runs"),
    (("--timeline", "t", "--timeline-cycles", "5-4", "null"), 2, "must be FIRST-LAST, such as 0-500K"),
    (("--stats", "--dry-run", "null"), 2, "--dry-run and --stats contradict each other"),
    (("--stats", "--hosts", "a:1,b:1", "--secret-file", "s", "-n", "2", "null"), 2, "--stats is for a machine on one host"),
    (("debug", "--stats", "null"), 2, "debug and --stats contradict each other"),
])
def test_refused(words, status, said, tmp_path):
    (tmp_path / "s").write_text("0123456789abcdef0123456789abcdef")
    (tmp_path / "s").chmod(0o600)
    done = run_sh(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (status, "")
    assert said in done.stderr


@pytest.mark.parametrize("line", ["nosuch", "mark 0 4 99 0 0 0 0 0 0 0", "mark 0 4 0 1 0 40 0 0 0 0", "function 70 0",
                                  "stacks 0 0 0", "modes 0 66 0 0 0", "modes 0 1 0 0"])
def test_damaged_plan(line, tmp_path, machine):
    """QEMU does not start with a plan that it cannot read, and says why."""
    (tmp_path / "plan").write_text(f"\n{line}\n")
    done = machine("ring", nodes=2, qemu_arg=["-machine", f"observe={tmp_path}"]).check(122)
    assert f"{tmp_path}/plan: line 2 is no item of a plan: {line}" in done.stderr
    done = machine("ring", nodes=2, qemu_arg=["-machine", f"observe={tmp_path}/nosuch"]).check(122)
    assert "No such file or directory" in done.stderr
