"""A machine goes where a script says, on and back, and gives what is there."""

from __future__ import annotations

import pytest
from guest_programs import built

from fugu.api import Ended, Machine, compile_program, run


@pytest.fixture(scope="module")
def ring():
    """The run of ring that no script stops."""
    return run("ring", nodes=4).check()


def test_stops_change_nothing(ring):
    """Stops, steps back and reads leave a run as it is: output and digest are those of the run that is not stopped."""
    with Machine("ring", nodes=4) as machine:
        for _ in range(3):
            machine.to_symbol("token_arrives")
        machine.back_to_symbol("main", node=2)
        machine.to_cycle(70_000, 1)
        machine.step(3)
        for node in range(4):
            assert machine.registers(node)["pc"] and machine.counters(node) and machine.read(0x40000000, node, 64)
        assert machine.finish() == ring


def test_the_same_place_is_found_again():
    """A place that has been left, by a cycle or by an instruction, is the same when the machine comes back."""
    with Machine("ring", nodes=4) as machine:
        places = [machine.to_symbol("token_arrives") for _ in range(4)]
        assert [place.node for place in places] == [1, 2, 3, 0]
        assert machine.back_to_symbol("token_arrives") == places[2]
        state = machine.registers(3), machine.messages()
        machine.step(3)
        assert machine.registers(3)["pc"] == state[0]["npc"]
        assert machine.back(3) == places[2] and (machine.registers(3), machine.messages()) == state
        machine.to_cycle(places[0].cycle - 1_000)
        assert [machine.to_symbol("token_arrives") for _ in range(3)] == places[:3]


def test_a_message_is_seen_on_its_way():
    with Machine("ring", nodes=4) as machine:
        place = machine.to_symbol("token_arrives", node=2)
        [message] = [one for one in machine.messages() if one.receiver == 2]
        assert (message.sender, message.where, message.words[1]) == (1, "queue", machine.address("token_arrives"))
        assert message.launched < message.arrives <= place.cycle
        machine.to_cycle(message.launched + 10, node=2)
        [before] = [one for one in machine.messages() if one.receiver == 2]
        assert before.words == message.words and before.where in ("mesh", "sent")


def test_output_is_found_line_by_line(ring):
    lines = [line for line in ring.output.splitlines() if line]
    with Machine("ring", nodes=4) as machine:
        assert machine.to_output("token", every=100) == lines[1]
        first = machine.place
        assert machine.output.splitlines()[-1] == lines[1]
        assert machine.to_output("exchange") == lines[2]
    with Machine("ring", nodes=4) as again:
        again.to_output("token", every=100)
        assert again.place == first


def test_an_end_can_be_left():
    with Machine("ring", nodes=2) as machine:
        machine.to_end()
        end = machine.place
        assert machine.ended and machine.summary().splitlines()[1] == f"it is at its end, cycle {end.cycle}"
        machine.to_cycle(end.cycle // 2)
        assert not machine.ended
        machine.to_end()
        assert machine.place == end and machine.finish().status == 0


def test_processes_have_memory_and_names_of_their_own():
    """Two programs at the same addresses: breakpoints, stores and values are those of the program that is named."""
    with Machine("hello", "+", built("debug/primes"), nodes=2, timeslice=20_000) as machine:
        machine.to_symbol("main", node=0, program="primes")
        assert machine.function(0) == "main" and machine.symbols.running(machine._physical(0)) == "primes"
        place = machine.to_store("height", node=0, program="primes")
        assert machine.function(place.node) in ("candidate_arrives", "take_one")
        height = machine.value("height", program="primes")
        assert height == machine.value("height")
        machine.back_to_store("height", program="primes")
        assert abs(machine.value("height") - height) == 1


def test_the_kernel_is_a_program_too():
    with Machine("hello", nodes=2) as machine:
        machine.to_symbol("main", node=1)
        assert machine.registers(1)["pc"] == machine.address("main") >= 0x10000000
        address = machine.address("panic", program="kernel")
        assert address < 0x10000000 and machine.value(address, program="kernel") == machine.value("panic", size=4)
        with pytest.raises(Ended):
            machine.to_symbol("panic")
        machine.back_to_symbol("frame_free", program="kernel")
        assert machine.function(machine.place.node) == "frame_free"


def test_counters_grow():
    """A program is job 1, and each of its nodes sends one message for a barrier."""
    with Machine("barrier", 5, nodes=2) as machine:
        machine.to_symbol("main", node=0)
        before = machine.counters(0)[1]
        machine.to_end()
        after = machine.counters(0)[1]
        assert (before["sent"], before["received"]) == (0, 0)
        assert after["sent"] >= 5 and after["cycles"] > before["cycles"] and after["handled"] == after["received"] >= 5


def test_a_snapshot_continues(tmp_path):
    whole = run("ring", nodes=2, save=[f"{tmp_path}/ring.snap@60K"]).check()
    with Machine(None, load=tmp_path / "ring.snap") as machine:
        assert machine.place.cycle >= 60_000
        machine.to_symbol("token_arrives")
        assert machine.finish().output.splitlines()[-1] == whole.output.splitlines()[-1]


def test_the_last_output_is_found(tmp_path):
    """Also if the run ends before the next look, and if it looks like the machine's own last line."""
    (tmp_path / "my.c").write_text("#include <stdio.h>\nvolatile int k;\nint main(void)\n{\n"
                                   "    printf(\"digest: 0123456789abcdef\\n\");\n    for (k = 0; k < 5000; k++) {\n    }\n"
                                   "    printf(\"end\\n\");\n    return 0;\n}\n")
    compile_program(tmp_path / "my.c", "-o", tmp_path / "my.elf")
    with Machine(tmp_path / "my.elf", nodes=1) as machine:
        assert machine.to_output("digest: 0123456789abcdef", every=1_000) == machine.output.strip()
        assert not machine.ended and machine.to_output("end", every=10_000_000) == "end"
        assert machine.ended and machine.output == "digest: 0123456789abcdef\nend\n" == machine.finish().output

