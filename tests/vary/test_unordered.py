"""`--check races` names both lines of each race of races.c, and finds none in ordered.c; the run stays the same."""

from __future__ import annotations

import re
import subprocess

import pytest
from fugu.observe.races.order import joined
from fugu.paths import ROOT
from guest_programs import built
from run_sh import COMMAND, run_sh

SOURCE = ROOT / "tests" / "vary" / "races.c"
RACES = ("update", "reset", "half", "search", "store", "send", "credit", "beside", "twice", "after", "asks")
NONE = ("section", "turns", "barrier", "wake", "poll", "bytes", "post", "reply", "each", "wide", "function", "kept")
STATUS = 123
FOUND = re.compile(r"^fugu: \w+: (.*) \((?:once|\d+ times)\)\n"
                   r"fugu:   handler: (\S+) in \w+\nfugu:   thread:  (\S+) in \w+\nfugu:   (.*)$", re.MULTILINE)


def checked(*words, nodes=3):
    """The result of a run with the check, whose output and digest are those without it; (what, handler, thread, words) found."""
    plain = run_sh("--digest", "-n", nodes, *words)
    done = run_sh("--check", "races", "--digest", "-n", nodes, *words)
    assert done.stdout == plain.stdout and "digest" in plain.stdout
    assert done.returncode in (plain.returncode, STATUS), done.stderr
    found = FOUND.findall(done.stderr)
    assert (done.returncode == STATUS) == bool(found) != ("fugu: --check races: none found\n" in done.stderr), done.stderr
    return found


def marked(case, who, source=SOURCE):
    """FILE:LINE of a marked line."""
    lines = [number for number, line in enumerate(source.read_text().splitlines(), 1) if f"/* {case}: {who} */" in line]
    assert len(lines) == 1
    return f"{source.name}:{lines[0]}"


@pytest.mark.parametrize("case", RACES)
def test_a_race_has_both_lines(case, machine):
    found = checked(built("vary/races"), case)
    assert {(handler, thread) for _, handler, thread, _ in found} == {(marked(case, "handler"), marked(case, "thread"))}


@pytest.mark.parametrize("case", NONE)
def test_what_is_ordered_is_no_race(case, machine):
    assert checked(built("vary/ordered"), case) == []


@pytest.mark.parametrize(("name", "variable"), [("overtaken", "buffer"), ("lost", "sum"), ("early", "answer")])
def test_races_of_other_programs(name, variable, machine):
    """Nothing orders the next step of a neighbour that overtakes a double buffer."""
    found = checked(built(f"vary/{name}"), nodes=4)
    assert found and all(re.search(rf"node \d: {variable}\b", listed) for _, _, _, listed in found)


def test_the_example_of_the_documentation(machine):
    text = (ROOT / "docs" / "races.md").read_text()
    words = ["--check", "races", "-n", "4", "build/tests/vary/early.elf"]
    example = text.partition(f"    $ ./run.sh {' '.join(words)}\n")[2].partition("\n\n")[0]
    done = run_sh(*words[:-1], built("vary/early"))
    assert [line[4:] for line in example.splitlines()] == (done.stdout + done.stderr).splitlines()


def test_a_section_makes_it_right(machine):
    assert checked(built("vary/right"), nodes=4) == []


@pytest.mark.parametrize("words", [("pingpong", 2), ("synth", "--messages", 200), ("barrier", 20), ("rpc", 5), ("signals",), ("workqueue",)],
                         ids=lambda words: words[0])
def test_apps_have_none(words, machine):
    assert checked(*words, nodes=4) == []


@pytest.mark.parametrize("words", [("--buffer-latency", 500), ("--mesh-base", 900), ("--atomicity-timeout", 300)], ids=lambda words: words[0])
def test_messages_in_buffers_keep_their_order(words, machine):
    """Messages that come by the buffer order what those of the network do."""
    for case in ("turns", "barrier", "reply"):
        assert checked(*words, built("vary/ordered"), case) == []
    assert checked(*words, built("vary/lost"), nodes=4)


SLOTS = (15_000, 20_000, 25_000, 30_000, 50_000, 100_000)       # cycles
BESIDE = [built("vary/lost"), "+", built("vary/right"), "+", built("vary/ordered"), "turns"]


def test_two_jobs_are_told_apart(machine):
    """Messages come in the slots of other jobs, too, and each job finds its own races."""
    found = [race for timeslice in SLOTS for race in checked("--timeslice", timeslice, *BESIDE)]
    assert found and {handler.partition(":")[0] for _, handler, _, _ in found} == {"lost.c"}
    assert all(listed == "node 0: sum" for _, _, _, listed in found)


def test_code_that_does_not_run_has_no_race(machine, tmp_path):
    """If all messages come before the job's first slot, the thread's loop has no round, and its lines have no race. At
    which timeslices that is so, the cycles of the kernel decide."""
    ran = {}
    for timeslice in SLOTS:
        words = ["-n", 4, "--timeslice", timeslice, *BESIDE]
        run_sh("profile", "--stacks", tmp_path / "stacks", *words)
        ran[timeslice] = bool(re.search(r" lost;.*;main;moved", (tmp_path / "stacks").read_text()))
        assert ("fugu: --check races: none found\n" in run_sh("--check", "races", *words).stderr) != ran[timeslice], timeslice
    assert set(ran.values()) == {False, True}, ran


def compiled(folder, name, *words):
    """early.c, copied into a folder and compiled there."""
    folder.mkdir()
    source = folder / "early.c"
    source.write_bytes((ROOT / "tests" / "vary" / "early.c").read_bytes())
    done = run_sh("cc", *words, source, "-o", folder / name)
    assert done.returncode == 0, done.stderr
    return folder / name


def test_a_folder_with_the_name_of_the_libraries(machine, tmp_path):
    """Only the libraries of this system are libraries; and a program's name may begin with a dash."""
    program = compiled(tmp_path / "guest-os", "-early.elf", "-g")
    done = run_sh("--check", "races", "-n", 4, "./-early.elf", cwd=program.parent)
    assert done.returncode == STATUS, done.stderr
    assert [(handler, words) for _, handler, _, words in re.findall(FOUND.pattern.replace(r"\w+:", ".*?:", 1), done.stderr, re.M)] \
        == [("early.c:24", "node 0: answer")]


def test_a_program_without_debugging_information(machine, tmp_path):
    """That nothing is found would say nothing."""
    done = run_sh("--check", "races", "-n", 4, compiled(tmp_path / "bare", "bare.elf", "-g0"))
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("fugu: --check races finds no lines of bare: it has no debugging information.\n"), done.stderr


def test_a_log_that_cannot_be_written(machine):
    """The run ends with the status of files, and says nothing of races."""
    done = subprocess.run(["bash", "-c", 'ulimit -f 1000; exec "$@"', "bash", COMMAND, "--check", "races", "-n", "8",
                           str(built("vary/overtaken")), "400"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 121
    assert re.fullmatch(r"fugu: the log of accesses cannot be written any more, at cycle \d+: is the disk full\?\n", done.stderr), done.stderr


def test_clocks_share_what_they_know():
    """A copy for each message of each of 64 nodes would take gigabytes."""
    old, new, other = {1: 5, 2: 6}, {1: 7, 2: 6, 3: 1}, {1: 4, 2: 9}
    assert joined(old, dict(old)) is old and joined(old, new) is new and joined(new, old) is new
    assert joined(old, other) == {1: 5, 2: 9} and old == {1: 5, 2: 6} and other == {1: 4, 2: 9}


@pytest.mark.parametrize("words", [("debug", "--check", "races"), ("debug", "--check", "order"), ("profile", "--check", "order")], ids=" ".join)
def test_only_a_run_by_itself_is_checked(words):
    done = run_sh(*words, "hello")
    assert done.returncode == 2 and f"{words[1]} {words[2]} is for a run by itself: ./run.sh {words[1]} {words[2]} " in done.stderr


@pytest.mark.parametrize(("words", "says"), [
    (["--dry-run", "hello"], "--check races and --dry-run contradict each other"),
    (["--processes", 2, "hello"], "--check races and --processes contradict each other"),
    (["--ni", "shrimp", "hello"], "--check races knows what orders the messages of --ni fugu, and not those of --ni shrimp"),
    (["--atomicity", "soft", "hello"], "--check races sees atomic sections in the network interface"),
    (["-n", 65, "hello"], "--check races is for 64 nodes at most"),
    ([*["null", "+"] * 62, "null"], "--check races is for 62 jobs at most"),
    (["storm"], "this program runs on the bare machine")], ids=lambda value: str(value[0]) if isinstance(value, list) else "")
def test_what_cannot_be_checked(words, says):
    done = run_sh("--check", "races", *words)
    assert done.returncode == 2 and says in done.stderr and "Traceback" not in done.stderr, done.stderr
