"""Each call that makes no sense, and each place that is not reached, has its line."""

from __future__ import annotations

import re
import shutil

import pytest
from guest_programs import built

from fugu.api import Ended, FuguError, Machine, NotReached, NotThere, UsageError, compile_program, run


@pytest.mark.parametrize(("words", "options", "says"), [
    (["hello"], {"node": 2}, "there is no option node. Did you mean nodes?"),
    (["hello"], {"nodes": 0}, "--nodes 0: must be a whole number of nodes from 1 to 1024."),
    (["helo"], {}, "there is no app, no guest program and no command 'helo'."),
    ([None], {}, "a machine needs a program, or load=FILE."),
    (["hello"], {"processes": 2}, "a machine that a script stops has one process: leave processes, hosts and join out."),
    (["hello"], {"history": "much"}, "history='much': must be "),
    (["hello"], {"history": "0"}, "history='0': must be "),
    (["hello"], {"history": None}, "history=None: must be "),
    (["hello"], {"patience": 0}, "patience=0: must be a number of seconds above 0, such as 60, or float("),
    (["hello"], {"patience": float("nan")}, "patience=nan: must be a number of seconds above 0, "),
    (["hello"], {"patience": None}, "patience=None: must be a number of seconds above 0, "),
    (["hello"], {"stdin": None}, "stdin=None: must be the input itself, as str or bytes."),
    (["hello", "a\0b"], {}, "'a\\x00b': no word of a command has a zero byte."),
    (["hello"], {"stats_json": "x"}, "a machine that a script stops has no stats_json: leave it out.\n"),
    (["hello"], {"dry_run": True}, "a machine that a script stops has no dry_run: leave it out.\n"),
    ([None], {"load": "nothing.snap"}, "--load nothing.snap: "),
])
def test_a_machine_that_cannot_be(words, options, says):
    with pytest.raises(FuguError, match="^" + re.escape(says)):
        Machine(*words, **options)


@pytest.mark.parametrize(("call", "says"), [
    (lambda machine: machine.to_symbol("man"), "primes has no function or variable man. Did you mean main?"),
    (lambda machine: machine.value("height", program="prime"), "there is no program prime in this run, but primes, kernel."),
    (lambda machine: machine.to_cycle(1, node=2), "there is no node 2; the nodes are 0 to 1."),
    (lambda machine: machine.back(-1), "there is no node -1; the nodes are 0 to 1."),
    (lambda machine: machine.to_cycle(-1), "there is no cycle -1; they are 0 to "),
    (lambda machine: machine.to_cycle(1 << 63), "there is no cycle 9223372036854775808; they are 0 to "),
    (lambda machine: machine.to_cycle("5"), "there is no cycle '5'; they are 0 to "),
    (lambda machine: machine.registers("0"), "there is no node '0'; the nodes are 0 to 1."),
    (lambda machine: machine.to_symbol(None), "None is neither a name nor an address."),
    (lambda machine: machine.to_symbol(0x10000002), "there is no instruction at 0x10000002: their addresses are "),
    (lambda machine: machine.to_symbol(0x10000000, program="prime"), "there is no program prime in this run, but primes, "),
    (lambda machine: machine.to_store(-4), "there are no 4 bytes at -0x4: an address has 32 bits."),
    (lambda machine: machine.read(0xfffffffc, size=8), "there are no 8 bytes at 0xfffffffc: "),
    (lambda machine: machine.read("height", size=None), "size=None: there is no such number of bytes."),
    (lambda machine: machine.to_output(b"x"), "to_output(b'x', every=10000): it needs a text, "),
    (lambda machine: machine.to_output("", every=1), "to_output('', every=1): it needs a text, and at least one cycle"),
    (lambda machine: machine.to_output("x", every=0), "to_output('x', every=0): it needs a text, "),
    (lambda machine: machine.read("height", size=-1), "size=-1: there is no such number of bytes."),
])
def test_a_call_that_makes_no_sense(call, says):
    with Machine(built("debug/primes"), nodes=2) as machine, pytest.raises(UsageError, match="^" + re.escape(says)):
        call(machine)


def test_memory_that_is_not_there():
    with Machine(built("debug/primes"), nodes=2) as machine:
        with pytest.raises(NotThere, match="^primes has no process on this node now"):
            machine.value("height")
        machine.to_symbol("main", node=0)
        with pytest.raises(NotThere, match="^0x20000000 is not in the memory of node 0 now"):
            machine.value(0x20000000)


def test_places_that_are_not_reached():
    with Machine(built("debug/primes"), nodes=2) as machine:
        with pytest.raises(NotReached, match="^there is no main, before this place: the machine stands where its history"):
            machine.back_to_symbol("main")
        with pytest.raises(NotReached, match="^there is no instruction of node 0 before this one: the machine stands "):
            machine.back(0)
        machine.to_symbol("main", node=0)
        machine.back_to_store("height")             # the kernel has cleared the page
        assert machine.function(0) == "memset"
        with pytest.raises(NotThere, match="^height is not in the memory of node 0 now"):
            machine.back_to_store("height")
    with Machine("ring", nodes=2) as machine, pytest.raises(NotReached, match="^there is no store to 0x40000000 before this "):
        machine.back_to_store(0x40000000)
        machine.to_symbol("printf", node=0)
        with pytest.raises(Ended, match=r"^the run has ended before the output 'nothing': it is at its end, cycle \d+\.\n39 "):
            machine.to_output("nothing")
        machine.to_end()
        with pytest.raises(Ended, match="^the run has ended before main: "):
            machine.to_symbol("main")
        assert machine.finish().output == "39 primes below 1000\n"
        with pytest.raises(UsageError, match="^this machine is closed: "):
            machine.step()


def test_an_endless_program_costs_no_more_than_patience(tmp_path):
    """The machine stops where it is, and goes on and back from there."""
    program = tmp_path / "endless.elf"
    (tmp_path / "endless.c").write_text("int main(void)\n{\n    for (;;) {\n    }\n}\n")
    compile_program(tmp_path / "endless.c", "-o", program)
    with Machine(program, nodes=2, patience=0.5) as machine:
        with pytest.raises(NotReached, match="^the machine has run for 0.5 seconds of host time, and has not reached its end: it is"):
            machine.to_end()
        place = machine.place
        assert machine.to_cycle(place.cycle + 1_000).cycle >= place.cycle + 1_000
        assert machine.to_cycle(1_000).cycle < 2_000
        assert machine.to_symbol("main", node=1).node == 1
    with pytest.raises(FuguError, match="^the run has taken more than 0.5 seconds of host time, and was ended.\n"):
        run(program, nodes=2, patience=0.5)


def test_a_machine_whose_qemu_goes():
    with Machine("hello", nodes=2) as machine:
        machine._qemu.kill()
        with pytest.raises(FuguError, match="^QEMU has ended: "):
            machine.to_end()


def test_what_the_compiler_says(tmp_path):
    (tmp_path / "my.c").write_text("int main(void) { return nothing; }\n")
    with pytest.raises(FuguError, match="(?s)^the compiler has ended with status 1.*nothing"):
        compile_program(tmp_path / "my.c", "-o", tmp_path / "my.elf")


@pytest.mark.parametrize(("options", "says"), [
    ({"patience": "long"}, "patience='long': must be a number of seconds above 0, "),
    ({"stdin": 3}, "stdin=3: must be the input itself, as str or bytes."),
    ({"statistics": True, "stats_json": "x"}, "statistics=True and stats_json=... contradict each other"),
])
def test_a_run_that_cannot_be(options, says):
    with pytest.raises(UsageError, match="^" + re.escape(says)):
        run("hello", nodes=1, **options)


def test_a_snapshot_of_a_program_that_has_changed(tmp_path):
    """Its names would be those of another program."""
    program = tmp_path / "my.elf"
    shutil.copy(built("guest/ring"), program)
    run(program, nodes=2, save=[f"{tmp_path}/my.snap@50K"])
    shutil.copy(built("guest/traps"), program)
    with pytest.raises(UsageError, match="(?s)^--load .*a script takes names of functions .* as it was when "):
        Machine(None, load=tmp_path / "my.snap")


def test_names_that_several_have(tmp_path):
    """A global function goes before a static one of the same name; among static ones, the script chooses."""
    static = "static __attribute__((noipa)) int {}(int x)\n{{\n    asm volatile(\"\");\n    return x + {};\n}}\n"
    (tmp_path / "one.c").write_text(static.format("first", 1) + static.format("second", 2)
                                    + "int one(int x)\n{\n    return first(x) + second(x);\n}\n")
    (tmp_path / "two.c").write_text(static.format("first", 3) + static.format("second", 4).replace("static ", "")
                                    + "int one(int);\nint main(void)\n{\n    return first(0) + one(0) + second(0);\n}\n")
    compile_program(tmp_path / "one.c", tmp_path / "two.c", "-o", tmp_path / "my.elf")
    with Machine(tmp_path / "my.elf", nodes=1) as machine:
        assert machine.function() != "two.c" and "." not in machine.function()
        with pytest.raises(UsageError, match="^my has 2 static functions or variables first: give an address, 0x1"):
            machine.to_symbol("first")
        machine.to_symbol("second")
        with pytest.raises(Ended):
            machine.to_symbol("second")
