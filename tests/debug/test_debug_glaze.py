"""Debugging programs under Glaze: tables and backtraces."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from guest_programs import built

from fugu.paths import ROOT

DOCUMENT = ROOT / "docs" / "debugging.md"
HERE = Path(__file__).resolve().parent


def program(name):
    """The path of a program of tests/debug."""
    return built(f"debug/{name}")


def line(text):
    """The number of the first line of waiting.c that begins with `text`, after blanks."""
    lines = (HERE / "waiting.c").read_text().splitlines()
    return next(number for number, found in enumerate(lines, 1) if found.lstrip().startswith(text))


def table(output, title):
    """(rows, rest): the table after the first line that matches `title`, as lists of words, and the output after it."""
    lines = output.splitlines()
    start = next(k for k, line in enumerate(lines) if re.fullmatch(title, line))
    rows = []
    for line in lines[start + 1:]:
        if not line.startswith("  ") or line.startswith("  node "):
            break
        rows.append(line.split())
    return rows, "\n".join(lines[start + 1:])


def digest(output):
    """The digest that a run printed."""
    return re.search(r"^digest: (\w+)$", output, re.MULTILINE)[1]


# ---- the documentation -------------------------------------------------------------

def test_documented_bug_exists(machine):
    """The documented program is wrong with two nodes, and right with five."""
    assert "There are 168 below 1000" in DOCUMENT.read_text()
    assert machine(program("primes"), nodes=5).check(0).stdout == "168 primes below 1000\n"
    found = machine(program("primes"), nodes=2).check(0).stdout
    assert int(re.fullmatch(r"(\d+) primes below 1000\n", found)[1]) < 168


# ---- tables --------------------------------------------------------------------------

def test_tables_show_processes_messages_and_threads(session, machine):
    """The tables show a process with six messages and four threads. Printing them changes nothing in the run."""
    done = session(["break look thread 1.1", "continue", "fugu processes", "fugu processes 1", "fugu buffer",
                    "fugu threads", "fugu nodes", "fugu flight", "fugu ni 1", "break with_body", "continue",
                    "fugu buffer 0 1", "delete", "continue"], "-n", 3, "--digest", program("waiting"))
    assert done.returncode == 0, done.stdout
    rows, rest = table(done.stdout, r"Processes of node 0, at cycle \d+")
    assert rows[1][:6] == ["*", "1", "waiting", "runnable", "buffered", "6"], rows
    assert rows[1][-2:] == ["request", "1"] and "interrupt-disable," in rows[1]
    rows, rest = table(rest, r"Processes of node 1, at cycle \d+")
    assert rows[1][:5] == ["1", "waiting", "ended", "fast", "0"], rows
    rows, rest = table(rest, r"waiting \(job 1\) on node 0, buffered mode, at cycle \d+: 6 messages in its buffer")
    first = 0xC0000000
    assert rows[1:] == [[str(k), sender, *words, f"0x{first + 0x50 * k:08x}"] for k, (sender, *words) in enumerate([
        ("1", "plain", "0x11", "0x22"), ("2", "plain", "0x11", "0x22"), ("1", "with_body", "0x33", "64"),
        ("1", "plain"), ("2", "with_body", "0x33", "64"), ("2", "plain")])]
    rows, rest = table(rest, r"Threads of waiting \(job 1\) on node 0, at cycle \d+")
    assert [" ".join(row) for row in rows[1:]] == [
        f"* first normal runs 0x3ff00000 look at waiting.c:{line('asm volatile') + 1}",
        f"0x8002ffc0 high waits for udm_thread_wake() 0x80020000 block at waiting.c:{line('udm_thread_block();')}",
        "0x8003ffc0 normal has ended 0x80030000",
        "0x8004ffc0 normal ready 0x80040000 has not begun: nothing"]
    assert "0 messages on the way" in rest
    rows, rest = table(rest, r"waiting \(job 1\) on node 0, buffered mode, at cycle \d+: 4 messages in its buffer")
    assert [row[2] for row in rows[1:]] == ["with_body", "plain", "with_body", "plain"]
    assert digest(done.stdout) == machine(program("waiting"), nodes=3, digest=True).check(0).digest


def test_message_in_flight_is_shown(session):
    """The commands show a message when it is launched, when the mesh routes it, and when it is in the input queue."""
    done = session(["break look thread 2.1", "continue", "fugu flight", "delete", "fugu flight 2",
                    *["stepi"] * 40, "fugu flight 0"], "-n", 2, program("waiting"))
    rows, rest = table(done.stdout, r"1 message on the way, at cycle \d+ of node 1")
    assert rows[0] == ["from", "to", "GID", "handler", "arguments", "body", "launched", "arrives", "where"]
    assert rows[1][:6] == ["1", "0", "1", "plain", "0x11", "0x22"]
    launched, arrives, where = int(rows[1][6]), rows[1][7], " ".join(rows[1][8:])
    assert where == ("sent in this round" if arrives == "?" else "in the mesh")
    assert "0 messages on the way to node 2" in rest
    rows, rest = table(rest, r"\d messages? on the way to node 0, at cycle \d+ of node 1")
    first = next(row for row in rows[1:] if row[4:6] == ["0x11", "0x22"])
    assert int(first[6]) == launched and launched + 64 <= int(first[7]) < launched + 128
    assert " ".join(first[8:]) in ("in the mesh", "in the input queue")


@pytest.mark.parametrize(("command", "said"), [
    ("fugu buffer x", "Usage: fugu buffer [NODE [JOB]]"),
    ("fugu buffer 0 7", "Node 0 has no process of a job 7: see fugu processes."),
    ("fugu buffer 1", "No process is current on node 1: name a job, fugu buffer 1 JOB."),
    ("fugu threads 9", "GDB is not attached to node 9."),
    ("fugu flight 1 2", "Usage: fugu flight [NODE]"),
    ("fugu program", "The run has no more than one program."),
])
def test_commands_say_what_they_cannot_show(session, command, said):
    done = session(["break look thread 1.1", "continue", command], "-n", 2, program("waiting"))
    assert said in done.stdout.splitlines(), done.stdout


def test_commands_before_there_are_processes(session):
    """At reset and on the bare machine, the commands say that there is nothing to show."""
    done = session(["fugu processes", "fugu threads", "fugu flight", "print $_job()"], "-n", 2, program("waiting"))
    assert "  none yet: the kernel has not made them" in done.stdout
    assert "No process is current on node 0: see fugu processes." in done.stdout
    assert "0 messages on the way, at cycle 0 of node 0" in done.stdout and "$1 = 0" in done.stdout
    done = session(["fugu processes", "fugu flight"], "-n", 2, "ring")
    assert "This is for machines that run Glaze." in done.stdout
    assert "0 messages on the way, at cycle 0 of node 0" in done.stdout


# ---- several programs ------------------------------------------------------------------

JOBS = ("pingpong", 1, "+", "waiting", "+", "pingpong", 1)


def jobs():
    return [program("waiting") if word == "waiting" else word for word in JOBS]


def test_breakpoints_belong_to_the_chosen_program(session, machine):
    """A breakpoint stops only in its program, and only in the job that its condition names."""
    done = session(["fugu program", "break ping if $_job() == 3", "fugu program waiting", "info breakpoints",
                    "break look thread 1.1", "continue", "backtrace 1", "fugu threads", "print $_job()",
                    "fugu program pingpong", "info breakpoints", "continue", "print $_job()", "backtrace 1",
                    "fugu program none", "delete", "continue"], "-n", 3, "--digest", *jobs())
    said = done.stdout
    assert "* pingpong\n  sched\n  waiting\n" in said
    assert 'stop only if $_in_program("pingpong") && ($_job() == 3)' in said
    assert re.search(r"^1\.1 +y +<PENDING> +ping inf 1$", said, re.MULTILINE)
    assert re.search(r'"node 0" hit Breakpoint 2(\.\d)?, look \(\) at .*waiting.c', said) and "$1 = 2\n" in said
    assert "Threads of waiting (job 2) on node 0" in said
    # The function may begin with a line that is inline from udm.h.
    assert re.search(r"^1\.1 +y +0x\w+ in ping at .*(pingpong\.c|udm\.h)", said, re.MULTILINE)
    assert re.search(r"hit Breakpoint 1\.\d, .*ping \(.*\) at .*(pingpong\.c|udm\.h)", said) and "$2 = 3\n" in said
    assert "There is no program none, but: pingpong, sched, waiting." in said
    assert digest(said) == machine(*jobs(), nodes=3, digest=True).check(0).digest


def test_stop_in_another_program_is_said(session):
    done = session(["break call if $_job() == 2", "continue", "backtrace"], "-n", 2, *jobs())
    assert "Node 0 runs waiting (job 2), and GDB has the symbols of pingpong: fugu program waiting" in done.stdout \
        or "Node 1 runs waiting (job 2), and GDB has the symbols of pingpong: fugu program waiting" in done.stdout
    assert re.search(r"^#\d+ +.*<trap: trap_slow>", done.stdout, re.MULTILINE)


# ---- backtraces ----------------------------------------------------------------------------

@pytest.mark.parametrize(("places", "stops", "least", "words"), [
    ("program", 600, 36, ()),
    ("program", 600, 36, ("divert",)),
    ("kernel", 300, 60, ()),
    ("kernel", 300, 60, ("divert",)),
    ("c", 600, 60, ("divert",)),
])
def test_backtraces_are_right_everywhere(session, machine, places, stops, least, words):
    """Backtraces are right in the program, in the kernel's assembly and in its C code, in all windows and depths."""
    script = HERE / "gdb_backtraces.py"
    done = session([f"source {script}"], "-n", 3, "--digest", program("depths"), 200, *words, PLACES=places,
                   STOPS=str(stops))
    found = json.loads(re.search(r'^\{"stops".*$', done.stdout, re.MULTILINE)[0])
    assert found["wrong"] == [] and found["places"] >= least, found
    # The program ends early if it reaches none of the chosen places any more.
    assert found["stops"] > 100
    # C begins below the program's windows, which it has saved.
    assert found["windows"] >= (5 if places == "c" else 7) and found["deepest"] >= 10
    assert digest(done.stdout) == machine(program("depths"), 200, *words, nodes=3, digest=True).check(0).digest


def test_stop_before_a_job_is_ended(session, machine):
    """A mistake stops GDB while the process is still there. The run then ends as usual."""
    words = (built("libos/misuse"), "divide")
    done = session(["continue", "backtrace", "fugu processes", "continue"], "-n", 1, "--digest", *words)
    said, end = done.stdout.split("Processes of node 0")
    assert "misuse (job 1) on node 0 is about to be ended: division by zero." in said
    assert "glaze: misuse" not in said and "glaze: misuse (job 1) on node 0 is ended: division by zero" in end
    assert re.search(r"<trap: trap_slow>.*\n(#.*\n)*#\d+ .* main \(", said)
    assert re.search(r"^  \* +1 misuse +runnable", end, re.MULTILINE)
    assert digest(done.stdout) == machine(*words, nodes=1, digest=True).check(101).digest


def test_main_is_the_programs(session):
    """`break main` stops in the program alone: the kernel has no function of that name."""
    done = session(["break main", "continue", "backtrace"], "-n", 2, program("waiting"))
    assert re.search(r"^Breakpoint 1 at 0x1\w{7}: main\. \(2 locations\)$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"hit Breakpoint 1\.\d, main \(\) at .*waiting.c", done.stdout), done.stdout


def test_backtrace_through_the_kernel(session):
    """A backtrace leads from the kernel's C code through the trap into a handler, and on to the code it interrupted."""
    done = session(["break message thread 1.1", "continue", "delete",
                    "break delivery_dispose if $_any_caller_is(\"message\", 9)", "continue", "backtrace"],
                   "-n", 2, program("depths"), 60, "divert")
    names = re.findall(r"^#\d+ +(?:0x\w+ in )?(<.*?>|\w+) \(", done.stdout, re.MULTILINE)
    start = names.index("delivery_dispose")
    assert [name for name in names[start:] if name not in ("main_down", "udm_dispose", "work")][:8] == [
        "delivery_dispose", "dispatch", "kernel_trap", "<trap: trap_slow>", "message",
        "<message upcall: buffered_begin>",
        "main", "program_start"], names


# ---- looking ---------------------------------------------------------------------------------

def test_reading_leaves_the_page_tables_alone(session):
    """Reading memory marks no page as referenced, and pages of the kernel can be read."""
    script = ("import gdb; from fugu_debug import glaze; p = glaze.Kernel().current; "
              "tables = lambda: glaze.physical(int(p.value['tables']), 4096); before = tables(); "
              "read = [at for at in range(0x10000000, 0x10010000, 4096) if p.translate(at)]; "
              "[gdb.selected_inferior().read_memory(at, 64) for at in read]; "
              "print(len(read), 'pages,', tables() == before)")
    done = session(["break look thread 1.1", "continue", f"python {script}", "print current->gid",
                    "x/i kernel_trap"], "-n", 2, program("waiting"))
    assert int(re.search(r"^(\d+) pages, True$", done.stdout, re.MULTILINE)[1]) > 5, done.stdout
    assert "$1 = 1\n" in done.stdout and re.search(r"<kernel_trap>:\s+save", done.stdout)
