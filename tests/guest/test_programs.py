"""Programs that check themselves, one for each mechanism of the machine.

Each program prints a line for every check, and its status is the number of
failed checks. The table has the number of checks, so that a check cannot
disappear unnoticed.
"""

import re

import pytest

# Program, nodes, arguments, options of the machine, number of checks on all nodes together.
PROGRAMS = [
    ("ahead", 3, (), {}, 6),
    ("ahead", 3, ("quantum=7",), {"quantum": 7}, 6),
    ("ahead", 2, ("credit=1",), {"input_queue": 16, "source_space": 16}, 1),
    ("alltoall", 1, (), {}, 1),
    ("alltoall", 8, (), {}, 1),
    ("alltoall", 9, ("words=16", "messages=40"), {}, 1),
    ("atomicity", 1, (), {}, 53),
    ("backpressure", 4, (), {}, 31),
    ("cache", 1, (), {}, 41),
    ("cache", 1, ("off=1",), {"cache": "off"}, 41),
    ("contexts", 1, (), {}, 19),
    ("couples", 1, (), {}, 4),
    ("crossing", 1, (), {}, 1),
    ("crossing", 7, ("rounds=14",), {}, 7),
    ("disk", 1, (), {}, 5),
    ("divert", 1, (), {}, 19),
    ("dma", 1, (), {}, 92),
    ("doubles", 1, (), {}, 21),
    ("ended", 2, (), {}, 2),
    ("far", 1, (), {}, 2),
    ("faults", 1, (), {}, 31),
    ("gid", 1, (), {}, 36),
    ("idle", 1, (), {}, 29),
    ("late", 2, ("log=31",), {}, 8),
    ("late", 4, ("log=40",), {}, 16),
    ("late", 4, ("log=56",), {}, 16),
    ("latency", 1, (), {}, 6),
    ("latency", 2, (), {}, 8),
    ("latency", 12, (), {}, 8),
    ("latency", 8, ("base=100", "hop=7", "word=3"),
     {"mesh_base": 100, "mesh_hop": 7, "mesh_word": 3}, 8),
    ("latency", 8, ("width=2",), {"mesh": "2x4"}, 8),
    ("nans", 1, (), {}, 8),
    ("opcodes", 1, (), {}, 9),
    ("none", 1, (), {"ni": "none"}, 29),
    ("none", 3, (), {"ni": "none"}, 3 * 29),
    ("order", 1, (), {}, 2),
    ("order", 8, (), {}, 16),
    ("order", 15, ("partners=15", "messages=20"), {}, 30),
    ("places", 1, (), {}, 7),
    ("probe", 1, (), {}, 11),
    ("protect", 1, (), {}, 25),
    ("ramcode", 1, (), {}, 1),
    ("ramcode", 6, (), {}, 6),
    ("bodies", 2, (), {"ni": "m-machine"}, 2 * 6),
    ("polled", 2, (), {"ni": "m-machine"}, 2 * 6),
    ("polled", 1, ("word=1000",), {"ni": "m-machine", "mesh_word": 1000, "input_queue": 26, "source_space": 26}, 6),
    ("crowded", 1, (), {"ni": "m-machine", "input_queue": 26, "source_space": 60}, 4),
    ("crowded", 1, ("word=1",), {"ni": "m-machine", "input_queue": 26, "source_space": 60, "mesh_word": 1, "mesh_base": 2,
                                 "quantum": 2}, 4),
    ("crowded", 1, ("word=13",), {"ni": "m-machine", "input_queue": 26, "source_space": 60, "mesh_word": 13}, 4),
    ("crowded", 1, ("word=17",), {"ni": "m-machine", "input_queue": 26, "source_space": 60, "mesh_word": 17}, 4),
    ("crowded", 2, ("word=99",), {"ni": "m-machine", "input_queue": 26, "source_space": 60, "mesh_word": 99, "quantum": 10}, 8),
    ("consumers", 1, (), {"ni": "m-machine"}, 12),
    ("metered", 2, (), {"ni": "m-machine"}, 2 * 4),
    ("watched", 2, (), {"ni": "m-machine"}, 2 * 3),
    ("restarted", 1, (), {"ni": "m-machine"}, 6),
    ("spaces", 2, (), {"ni": "m-machine"}, 2 * 14),
    ("storm", 4, (), {"ni": "m-machine", "mesh_word": 9, "quantum": 7, "input_queue": 26, "source_space": 26}, 4 * 2),
    ("storm", 2, (), {"ni": "m-machine", "cache": "off", "mesh_base": 2, "mesh_hop": 2, "mesh_word": 1, "quantum": 2}, 2 * 2),
    ("consumers", 3, (), {"ni": "m-machine", "mesh_word": 1, "quantum": 7}, 3 * 12),
    ("arrivals", 2, ("incoming=100",), {"ni": "shrimp", "incoming_word": 100}, 2 * 2),
    ("automatic", 1, (), {"ni": "shrimp"}, 58),
    ("automatic", 2, (), {"ni": "shrimp"}, 2 * 58),
    ("automatic", 6, (), {"ni": "shrimp"}, 6 * 58),
    ("deliberate", 1, (), {"ni": "shrimp"}, 34),
    ("deliberate", 6, (), {"ni": "shrimp"}, 6 * 34),
    ("full", 1, (), {"ni": "shrimp"}, 19),
    ("full", 2, ("word=400",), {"ni": "shrimp", "mesh_word": 400}, 2 * 18),
    ("snooped", 2, (), {"ni": "shrimp"}, 2 * 56),
    ("snooped", 1, ("slow=9",), {"ni": "shrimp", "write_through": 9}, 56),
    ("snooped", 1, ("slow=1000",), {"ni": "shrimp", "write_through": 1000, "quantum": 7}, 56),
    ("snooped", 1, ("max=8",), {"ni": "shrimp", "packet_max": 8}, 56),
    ("random", 1, (), {}, 3),
    ("relay", 1, (), {"ni": "none"}, 2),
    ("relay", 8, (), {"ni": "none"}, 16),
    ("relay", 8, (), {}, 16),
    ("relay", 8, (), {"ni": "shrimp"}, 16),
    ("relay", 13, ("messages=60", "seed=7"), {"ni": "none"}, 26),
    ("rewrite", 1, (), {}, 9),
    ("rewrite", 3, (), {}, 27),
    ("second", 2, (), {}, 20),
    ("slots", 1, (), {}, 13),
    ("soft", 1, (), {"atomicity": "soft"}, 48),
    ("soft", 3, (), {"atomicity": "soft"}, 3 * 48),
    ("straight", 2, (), {}, 2),
    ("timing", 1, (), {}, 63),
    ("trapbase", 1, (), {}, 2),
    ("traps", 1, (), {}, 45),
    ("underflow", 1, (), {}, 15),
    ("unimplemented", 1, (), {}, 7),
    ("window", 1, (), {}, 35),
]


def name(case):
    program, nodes, arguments, options, _ = case
    return "-".join([program, str(nodes), *arguments, *(options[key] for key in ("ni",) if key in options)])


# Programs that print the same, and have the same digest, with hard and with soft atomicity.
UNTOUCHED = {"alltoall", "cache", "contexts", "crossing", "order", "latency", "places", "protect", "ramcode",
             "rewrite", "straight", "window"}


@pytest.mark.parametrize("case", PROGRAMS, ids=name)
def test_program_passes_all_its_checks(machine, case):
    program, nodes, arguments, options, checks = case
    machine(program, *arguments, nodes=nodes, **options).passed(checks)


def test_soft_fails_with_hard_atomicity(machine):
    """Each part of the program for soft atomicity has a check that fails on a machine with hard atomicity."""
    result = machine("soft", nodes=1).check(27)
    failed = re.findall(r"^FAIL (.*?): got", result.stdout, re.MULTILINE)

    assert "48 checks, 27 failed" in result.stdout
    for part in ("the boot parameters say so", "cp_disabled: beginatom, user", "cp_disabled: endatom, kernel",
                 "so does endatom", "timeout and timer read 0, whatever is written",
                 "no atomicity timer ends the user's code", "another's is hidden, and message-available all the same",
                 "no interrupt-disable hides it from the kernel", "one below it comes, for each message",
                 "divert-mode hides a head, and raises no mismatch-available",
                 "an emulated section keeps a message out", "the cycle timer bounds it"):
        assert part in failed


def test_none_fails_with_a_message_part(machine):
    """Each part of the program about what is missing has a check that fails on a machine with FUGU's message part."""
    result = machine("none", nodes=1)
    failed = re.findall(r"^FAIL (.*?): got", result.stdout, re.MULTILINE)
    for part in ("the kernel learns the kind", "user page, user stores", "user page, kernel stores",
                 "kernel page, kernel stores", "launch is undefined", "launch of a body is undefined",
                 "dispose is undefined"):
        assert part in failed, result.report()


def test_kernels_exchange_the_same_messages_whatever_the_kind(machine):
    """The second network is every kind's: same output, same cycles."""
    fugu, none = (machine("relay", nodes=8, digest=True, ni=kind).check(0) for kind in ("fugu", "none"))
    assert none.digest and (none.stdout, none.digest) == (fugu.stdout, fugu.digest)


@pytest.mark.parametrize("case", [case for case in PROGRAMS if case[0] in UNTOUCHED], ids=name)
def test_soft_atomicity_changes_nothing(machine, case):
    program, nodes, arguments, options, _ = case
    hard, soft = (machine(program, *arguments, nodes=nodes, digest=True, **options, **more)
                  for more in ({}, {"atomicity": "soft"}))
    assert hard.digest
    assert (soft.stdout, soft.digest) == (hard.stdout, hard.digest), soft.report()
