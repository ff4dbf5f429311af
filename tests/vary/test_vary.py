"""`./run.sh vary`: each race is found, and reduced to the options that it needs; programs without one are the same."""

from __future__ import annotations

import re

import pytest
from guest_programs import built
from run_sh import run_sh

RIGHT = r"The plain run ends with status 0 after [\d,]+ cycles.\nAll {runs} timings print the same, and end with the same status.\n"


@pytest.mark.parametrize(("name", "first", "runs"), [("overtaken", 1, 3), ("lost", 1, 16), ("early", 1, 60)])
def test_a_race_is_found(name, first, runs, machine):
    """The command that vary prints shows the difference, and none of its options can be left out."""
    done = run_sh("vary", "--first", first, "--runs", runs, "-n", 4, built(f"vary/{name}"))
    assert done.returncode == 1, done.stdout + done.stderr
    found = re.search(r"^\d+ of \d+ timings differ: (\d+).*\. Timing \1 needs only\n  \./run\.sh (.*)\n((?:    .*\n)+)(?:They differ in numbers alone.*\n)?"
                      r"GDB .*\n"
                      r"  \./run\.sh debug \2\n$", done.stdout, re.MULTILINE)
    assert found, done.stdout
    words, difference = found[2].split(), found[3]
    plain = run_sh("-n", 4, built(f"vary/{name}"))
    shown = run_sh(*words)
    assert sorted(shown.stdout.splitlines()) != sorted(plain.stdout.splitlines())
    assert {line[6:] for line in difference.splitlines() if line.startswith("    + ")} <= set(shown.stdout.splitlines())
    for word in words:
        if re.match("--[a-z-]+=", word) and not word.startswith("--quantum"):
            fewer = run_sh(*(one for one in words if one != word))
            assert sorted(fewer.stdout.splitlines()) == sorted(plain.stdout.splitlines()), word


@pytest.mark.parametrize("words", [("-n", 4, "right"), ("--no-numbers", "-n", 4, "barrier", 20), ("-n", 2, "hello", "+", "hello"),
                                   ("--ni", "shrimp", "-n", 2, "hello"), ("--no-numbers", "-n", 2, "int")],
                         ids=lambda words: " ".join(map(str, words)))
def test_a_program_without_a_race(words):
    done = run_sh("vary", "--runs", 6, *(built("vary/right") if word == "right" else word for word in words))
    assert done.returncode == 0 and re.fullmatch(RIGHT.format(runs=6), done.stdout), done.stdout + done.stderr


def test_a_machine_of_two_processes_has_no_command_for_gdb():
    done = run_sh("vary", "--runs", 1, "--processes", 2, "-n", 4, built("vary/overtaken"))
    assert done.returncode == 1 and "./run.sh debug" not in done.stdout, done.stdout
    assert done.stdout.endswith("GDB shows how it comes to that on a machine of one process: leave --processes out.\n")


def test_one_timing_is_said_to_print_the_same():
    done = run_sh("vary", "--runs", 1, "--first", 7, "-n", 2, "hello")
    assert done.stdout.endswith("\nTiming 7 prints the same, and ends with the same status.\n"), done.stdout


def test_times_are_no_race_that_is_meant():
    done = run_sh("vary", "--runs", 1, "-n", 2, "ring")
    assert done.returncode == 1
    assert "\nThey differ in numbers alone. If these are times, --no-numbers leaves them out.\n" in done.stdout, done.stdout


def test_words_without_a_program_and_odd_ones():
    """The options hold for the usual program too; -- may be an option's value; a user's job that waits gets no second one."""
    done = run_sh("vary", "--runs", 1, "--no-numbers", "--processes=auto", "--nodes=2")
    assert done.returncode == 0, done.stdout + done.stderr
    done = run_sh("vary", "--runs", 1, "--ignore", "--", "--nodes=2", "hello")
    assert done.returncode == 0, done.stdout + done.stderr
    done = run_sh("vary", "--runs", 1, "--first", 3, "-n", 2, built("vary/right"), "+", "null", "while-others")
    assert done.returncode == 0, done.stdout + done.stderr


def test_options_of_the_user_stay(tmp_path):
    """Each run has the user's options, its own copy of a disk, and no other value of what they say."""
    disk = tmp_path / "my disk.img"
    disk.write_bytes(bytes(1 << 20))
    done = run_sh("vary", "--runs", 2, "--mesh-base", 64, "-n2", f"--disk=0={disk}", "--cache=off", built("vary/lost"), 1)
    assert re.fullmatch(RIGHT.format(runs=2), done.stdout), done.stdout + done.stderr
    assert disk.read_bytes() == bytes(1 << 20)


def test_a_program_that_waits_for_ever_is_a_difference(tmp_path):
    """Where an answer is late, it waits for another one."""
    (tmp_path / "waits.c").write_text("""
#include "udm.h"
static volatile unsigned came, asked;
static void comes(void) { udm_dispose(); came++; }
static void asks(void) { udm_dispose(); asked++; udm_inject(0, comes); }
int main(void)
{
    if (udm_node() > 0) { while (asked < 2) { } return 0; }
    udm_inject(1, asks);
    while (came < 1) { }
    udm_inject(1, asks);
    for (volatile unsigned k = 0; k < 120; k++) { }
    if (came < 2) { for (;;) { } }
    return 0;
}
""")
    run_sh("cc", "waits.c", "-o", "waits.elf", cwd=tmp_path).check_returncode()
    done = run_sh("vary", "--runs", 8, "--timeout", "1M", "-n", 2, "waits.elf", cwd=tmp_path)
    assert "needs only\n  ./run.sh --" in done.stdout, done.stdout
    assert "    the status is 124 (timeout), and was 0\n" in done.stdout, done.stdout


@pytest.mark.parametrize(("words", "says"), [
    (["--runs", 0, "hello"], "--runs 0: must be "), (["--ignore", "(", "hello"], "--ignore '(': "),
    (["--save", "x@5", "hello"], "vary and --save contradict each other"), (["helo"], "no app, no guest program"),
    (["--check", "mmu", "hello"], "vary and --check contradict each other"),
    (["--digest", "hello"], "vary and --digest contradict each other"),
    (["--label", "hello"], "vary and --label contradict each other"),
    (["--disk", "0=nothing.img", "hello"], "nothing.img")])
def test_what_makes_no_sense(words, says):
    done = run_sh("vary", *words)
    assert done.returncode in (2, 3) and says in done.stderr and "Traceback" not in done.stderr, done.stderr
