"""Control-C at the terminal of ./run.sh debug."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
import time

import pytest
from guest_programs import built
from run_sh import COMMAND

PROMPT = b"(gdb) "
BOUND = 60.0            # seconds of host time until GDB prompts


class Terminal:
    """A session of ./run.sh debug at a terminal."""

    def __init__(self, words, environment):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            try:
                os.execve(COMMAND, [COMMAND, "debug", *map(str, words)], environment)
            finally:
                sys.exit(127)

    def prompt(self):
        """What GDB says until it prompts."""
        said, end = b"", time.monotonic() + BOUND
        while not said.endswith(PROMPT):
            ready, _, _ = select.select([self.file], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"GDB does not prompt:\n{said.decode()}"
            said += os.read(self.file, 4096)
        return said.decode()

    def send(self, text):
        os.write(self.file, text)

    def command(self, text):
        self.send(text.encode() + b"\n")
        return self.prompt()

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        os.waitpid(self.pid, 0)
        os.close(self.file)


@pytest.fixture
def terminal(environment):
    """terminal(words...) -> a Terminal whose first prompt has come."""
    opened = []

    def start(*words):
        try:
            opened.append(Terminal(words, environment | {"TERM": "dumb"}))
        except OSError as error:
            pytest.skip(f"this host has no terminals: {error}")
        opened[0].prompt()
        return opened[0]
    yield start
    for one in opened:
        one.close()


@pytest.mark.parametrize("nodes", [1, 3])
def test_interrupt_ends_next_on_a_line_that_loops(terminal, nodes):
    """GDB steps over the line some thousand times a second, and Control-C stops it whenever it comes."""
    session = terminal("-n", nodes, built("debug/loops"))
    session.command("tbreak loops.c:12")
    assert "loops.c:12" in session.command("continue")
    for k in range(5):
        session.send(b"next\n")
        time.sleep(0.5 + 0.07 * k)
        session.send(b"\x03")
        said = session.prompt()
        assert "received signal SIGINT" in said and "while (!flag)" in said, said
        assert "= 42" in session.command("print 6 * 7")
    assert "has ended with status 0" in session.command("thread apply all set var flag = 1") + \
        session.command("continue")


def test_stepi_at_the_terminal(terminal):
    """At a terminal GDB runs the hook after a command while the machine still runs. Steps forward and back say nothing
    of that, and end where they began."""
    session = terminal("-n", 2, built("debug/primes"))
    session.command("tbreak is_prime thread 1")
    session.command("continue")
    before = session.command("fugu when").partition("Its history")[0]
    said = "".join(session.command(command) for command in ("stepi", "stepi 99", "reverse-stepi 98", "reverse-stepi",
                                                            "reverse-stepi"))
    assert "rror" not in said and "Traceback" not in said, said
    assert session.command("fugu when").partition("Its history")[0] == before, said
    assert " primes below 1000" in session.command("continue")


def test_next_through_a_fault_at_the_terminal(terminal):
    """As in a script: the step goes on where the fault has interrupted it."""
    session = terminal("-n", 3, built("debug/sharing"))
    session.command("break doubled thread 2.1")
    session.command("break read_fault thread 1.1")
    session.command("continue")
    said = "".join(session.command("next") for _ in range(3))
    assert "[The step was interrupted: <rights upcall: shm_fault_stub>. It goes on.]" in said, said
    assert "return value;" in said.splitlines()[-2], said
