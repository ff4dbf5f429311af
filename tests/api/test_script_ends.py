"""A machine leaves nothing behind, and a script goes on after an exception."""

from __future__ import annotations

import gc
import os
import signal
import time
from contextlib import contextmanager

import pytest

from fugu.api import Machine, NotReached, compile_program


@pytest.fixture(scope="module")
def endless(tmp_path_factory):
    """A program that never ends."""
    folder = tmp_path_factory.mktemp("endless")
    (folder / "endless.c").write_text("volatile int never;\nint main(void)\n{\n    for (;;) {\n    }\n}\n")
    compile_program(folder / "endless.c", "-o", folder / "endless.elf")
    return folder / "endless.elf"


class Alarm(Exception):
    """Comes from a signal's handler, as KeyboardInterrupt does."""


@contextmanager
def alarm(seconds):
    """Raises Alarm after so many seconds, wherever the script is then."""
    def ring(*_):
        raise Alarm
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("call", [
    lambda machine: machine.to_end(),
    lambda machine: machine.to_symbol("panic"),
    lambda machine: machine.to_output("nothing", every=100),
], ids=["to_end", "to_symbol", "to_output"])
def test_an_exception_stops_the_machine(endless, call):
    """Whatever the machine was asked, the next answer is that of the next question."""
    with Machine(endless, nodes=2) as machine:
        for number in range(8):
            with alarm(0.02 + 0.0017 * number), pytest.raises(Alarm):
                call(machine)
            place = machine.place
            assert (machine.nodes, machine.ended, machine.place) == (2, False, place)
            assert machine.to_cycle(place.cycle + 1_000).cycle >= place.cycle + 1_000


@pytest.mark.parametrize("call", [
    lambda machine: machine.to_output("nothing"),
], ids=["to_output"])
def test_looks_cost_no_more_than_patience_together(endless, call):
    with Machine(endless, nodes=1, patience=0.3) as machine:
        begun = time.monotonic()
        with pytest.raises(NotReached, match="^the machine has run for 0.3 seconds of host time, and has not reached "):
            while True:
                call(machine)
        assert time.monotonic() - begun < 30


def test_nobody_has_the_machine_any_more():
    machine = Machine("hello", nodes=2)
    qemu, folder = machine._qemu, machine._out.parent
    del machine
    gc.collect()
    assert qemu.poll() is not None and not folder.exists()


def test_a_fork_ends_before_the_script():
    """What the fork releases is its own: the machine is that of the process that has made it."""
    with Machine("hello", nodes=2) as machine:
        child = os.fork()
        if not child:
            try:
                machine.close()
            finally:
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        assert machine._out.exists() and machine.finish().status == 0


def test_a_closed_machine_is_known():
    with Machine("hello", nodes=2) as machine:
        machine.to_cycle(20_000)
        place = machine.place
    machine.close()
    assert machine.summary() == ("$ ./run.sh --nodes=2 --digest -- hello\n"
                                 f"it was closed: it is at cycle {place.cycle} of node {place.node}\n")
