"""GDB itself on the machine: sessions of ./run.sh debug."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from gdb_session import words_of
from guest_programs import built


def test_gdb_is_installed():
    """`./run.sh test` installs GDB."""
    assert shutil.which("gdb-multiarch")


def test_breakpoint_by_name(session, run, digest_of):
    """The breakpoint is set on all nodes, registers have names, and the run then ends as usual."""
    done = session(["break token_arrives", "continue", "info registers psr", "backtrace 1",
                    "delete", "continue"], "-n", 4, "--digest", "ring")
    assert done.returncode == 0, done.stdout
    assert "ring on 4 nodes, all attached, stopped before their first instruction" in done.stdout
    assert re.search(r'^Thread 2.1 "node 1" hit Breakpoint 1.*token_arrives \(\)', done.stdout, re.MULTILINE)
    assert re.search(r"^psr +0x[0-9a-f]+ +\[ CWP=\d .*\bS\b.*\]$", done.stdout, re.MULTILINE)
    assert re.search(r"^#0  .*token_arrives \(\) at .*ring.c:", done.stdout, re.MULTILINE)
    assert "The machine has ended with status 0." in done.stdout
    usual = digest_of(run("ring", nodes=4, digest=True).stdout)
    assert f"digest: {usual}" in done.stdout.splitlines()


def test_app_has_symbols(session, machine):
    """GDB knows symbols of the kernel and of the app on each node, and the run ends as usual."""
    done = session(["break ping thread 2.1", "continue", "backtrace 1", "info symbol job_fault", "delete", "continue"],
                   "-n", 2, "--digest", "pingpong", 1, "+", "null", 1000)
    assert done.returncode == 0, done.stdout
    assert "pingpong + null + sched on 2 nodes, all attached, stopped before their first instruction" in done.stdout
    assert re.search(r'^Thread 2.1 "node 1" hit Breakpoint 1.*ping \(\)', done.stdout, re.MULTILINE)
    assert re.search(r"^#0  .*ping \(\) at .*pingpong.c:", done.stdout, re.MULTILINE)
    assert "job_fault in section .text" in done.stdout
    usual = machine("pingpong", 1, "+", "null", 1000, nodes=2, digest=True).check(0).digest
    assert f"digest: {usual}" in done.stdout.splitlines()


def test_snapshot_has_symbols(session, run, digest_of, tmp_path):
    """GDB has the symbols of the program that the snapshot names, and the run ends as usual."""
    saved = tmp_path / "half.snap"
    usual = digest_of(run("ring", nodes=4, digest=True, save=[(str(saved), 20_000)]).stdout)
    done = session(["break token_arrives", "continue", "delete", "continue"], "--digest", "--load", saved)
    assert done.returncode == 0, done.stdout
    assert "ring on 4 nodes, all attached, stopped at cycle 20" in done.stdout
    assert re.search(r'hit Breakpoint 1.*token_arrives \(\)', done.stdout)
    assert f"digest: {usual}" in done.stdout.splitlines()


def test_snapshot_of_a_missing_program_is_refused(session, machine, guest_dir, tmp_path):
    program, saved = tmp_path / "gone.elf", tmp_path / "half.snap"
    program.write_bytes((guest_dir / "whoami.elf").read_bytes())
    machine(program, nodes=2, save=f"{saved}@128").check(0)
    program.unlink()
    done = session(["continue"], "--load", saved)
    assert done.returncode == 2
    assert (f"GDB takes names of functions and places to count at from {program} as it was when the snapshot was "
            "saved, and it is not there any more.\n") in done.stdout


def test_stepping_in_gdb_leaves_no_trace(session, run, digest_of):
    """GDB steps over breakpoints in its own way, with all nodes at the same one at nearly the same time."""
    done = session(["break exchange_arrives", *["continue", "next", "stepi", "finish"] * 8, "delete", "continue"],
                   "-n", 4, "--digest", "ring", "rounds=8")
    assert "internal-error" not in done.stdout and "received signal SIGINT" not in done.stdout
    usual = digest_of(run("ring", "rounds=8", nodes=4, digest=True).stdout)
    assert f"digest: {usual}" in done.stdout.splitlines(), done.stdout


def test_watchpoint_shows_old_and_new_value(session):
    """A watchpoint watches one node's memory, and GDB prints the old value and the new one."""
    done = session(["inferior 3", "watch token_seen", "continue", "continue", "continue"], "-n", 4, "ring")
    hits = re.findall(r'^Thread (\S+) "node (\d)" hit Hardware watchpoint \d.*?\n\nOld value = (\d)\nNew value = (\d)',
                      done.stdout, re.MULTILINE | re.DOTALL)
    assert hits == [("3.1", "2", str(k), str(k + 1)) for k in range(3)], done.stdout


def test_watchpoint_on_memory_of_the_kernel(session):
    """No process's memory is meant, so the machine is told nothing, and GDB has no error to print."""
    done = session(["watch current", "continue", "kill"], "-n", 1, "hello")
    assert "\nOld value = (struct process *) 0x0" in done.stdout and "Exception" not in done.stdout, done.stdout


def test_inferiors_are_nodes(session):
    done = session(["info inferiors", "break exchange_arrives", "continue", "fugu nodes", "fugu ni", "fugu ni 0"],
                   "-n", 3, "ring")
    assert re.findall(r"^[* ] \d +process (\d)", done.stdout, re.MULTILINE) == ["1", "2", "3"]
    rows = re.findall(r"^([* ]) +(\d) (\d\.1) +runs +(0x[0-9a-f]{8}) (\S+) +(\d+)$", done.stdout, re.MULTILINE)
    assert [row[1:3] for row in rows] == [("0", "1.1"), ("1", "2.1"), ("2", "3.1")]
    assert [row[4] for row in rows if row[0] == "*"] == ["exchange_arrives"]
    times = [int(row[5]) for row in rows]
    assert min(times) > 0 and max(times) - min(times) < 200
    stopped = next(row[1] for row in rows if row[0] == "*")
    assert re.search(rf"^Network interface of node {stopped}, at cycle \d+$", done.stdout, re.MULTILINE)
    assert re.search(r"^  head of the input queue: message from node \d, GID 0, handler 0x[0-9a-f]{8} "
                     r"<exchange_arrives>, arguments 0x", done.stdout, re.MULTILINE)
    assert "Network interface of node 0, at cycle" in done.stdout


def test_soft_atomicity_is_shown(session):
    hard, soft = (session(["fugu ni"], "-n", 1, *more, "whoami").stdout for more in ((), ("--atomicity", "soft")))
    assert "  UAC: none\n" in hard and "  atomicity-timeout 0, timer 0\n" in hard
    assert "  UAC: none, of no effect: atomicity is left to software\n" in soft
    assert "atomicity-timeout" not in soft


def test_status_is_the_machines(session):
    done = session(["continue"], "-n", 2, "exitstatus", "status=7")
    assert "The machine has ended with status 7." in done.stdout and done.returncode == 7
    assert session(["continue"], "-n", 2, "deadlock").returncode == 125


def test_leaving_early_is_no_failure(session):
    """When GDB ends before the program, QEMU ends too, and the program does not run on."""
    done = session(["break main", "continue"], "-n", 2, "ring")
    assert done.returncode == 0
    assert "hit Breakpoint 1" in done.stdout and "verified" not in done.stdout and "terminating" not in done.stdout


def test_lines_of_gdb_and_machine_are_in_order(session):
    """Lines of GDB and of the machine come whole and in order, also into a pipe."""
    def say(what):
        return f"print('\\n'.join('{what} %03d ' % k + 60 * '.' for k in range(100)))"
    script = f"python {say('before')}; gdb.execute('continue', to_string=True); {say('after')}"
    lines = session([script], "-n", 2, "whoami").stdout.splitlines()
    before, after = ([f"{what} {k:03} " + 60 * "." for k in range(100)] for what in ("before", "after"))
    start = lines.index(before[0])
    assert lines[start:start + 100] == before
    said = lines[start + 100:lines.index(after[0])]
    assert said[:2] == ["hello from node 0 of 2", "hello from node 1 of 2"]
    assert lines[-100:] == after


def test_program_by_its_path(session, guest_dir, tmp_path):
    """The path of a program may have blanks."""
    folder = tmp_path / "my own programs"
    folder.mkdir()
    shutil.copy(guest_dir / "whoami.elf", folder)
    done = session(["break main", "continue", "info inferiors"], "-n", 2, folder / "whoami.elf")
    assert done.returncode == 0, done.stdout
    assert "whoami on 2 nodes, all attached" in done.stdout
    assert re.search(r"hit Breakpoint 1.*main \(\) at .*whoami.c", done.stdout)


def test_continue_after_the_end_returns(session):
    done = session(["continue", "continue", "fugu nodes"], "-n", 2, "whoami")
    assert done.returncode == 0
    assert done.stdout.count("The machine has ended with status 0.") == 2
    assert done.stdout.count("ended with status 0 ") == 2


def test_input_from_a_file(session, machine, tmp_path):
    """--stdin gives the program what `< FILE` gives it, also when the machine goes back in between."""
    given = tmp_path / "given.txt"
    given.write_text("first\nsecond\n")
    words = (built("libos/streams"), "lines")
    done = session(["break fgets thread 1.1", "continue", "continue", "reverse-continue", "delete", "continue"],
                   "-n", 1, "--digest", "--stdin", given, *words)
    usual = machine(*words, nodes=1, digest=True, stdin=given.read_text()).check(0)
    assert "2 second" in usual.stdout
    lines = usual.stdout.splitlines()
    assert [line for line in done.stdout.splitlines() if line in lines] == lines, done.stdout
    assert f"digest: {usual.digest}" in done.stdout.splitlines()


def test_attached_to_some_of_many_nodes(session):
    """Nodes to which GDB is not attached run too, and their console lines are printed."""
    done = session(["info inferiors", "break token_arrives", "continue", "delete", "continue"],
                   "-n", 40, "--attach", "5,38-39", "ring", "rows=0", "rounds=4")
    assert done.returncode == 0, done.stdout
    assert "ring on 40 nodes, 3 of them attached" in done.stdout
    assert re.findall(r"^[* ] \d +process (\d+)", done.stdout, re.MULTILINE) == ["6", "39", "40"]
    assert re.search(r'"node 5" hit Breakpoint', done.stdout)
    assert "The machine has ended with status 0." in done.stdout


def pids(text):
    """The pids of processes whose command line has this text."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and text in (folder / "cmdline").read_bytes().decode(errors="replace"):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_qemu_ends_with_a_killed_launcher(environment, number):
    """No QEMU is left running."""
    mark = f"mark-{os.getpid()}-{number}"
    words = words_of(["shell echo ready", "shell sleep 60"], "--qemu-arg=-name", f"--qemu-arg={mark}", "ring")
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, env=environment, start_new_session=True) as process:
        while process.stdout.readline().strip() != "ready":
            assert process.poll() is None
        text = f"\0-name\0{mark}\0"
        assert len(pids(text)) == 1
        process.send_signal(number)
        process.wait(30)
        deadline = time.monotonic() + 30
        while pids(text):
            assert time.monotonic() < deadline, "QEMU is still there"
            time.sleep(0.05)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # GDB, and what it runs
