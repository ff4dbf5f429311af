"""Programs that check themselves: every mechanism of the machine.

Each prints a line for every check and ends with the number of failures. The
numbers here are how many checks there are, so that none is lost unseen.
"""

import re

import pytest

# Program, nodes, arguments, options of the machine, checks of all nodes.
PROGRAMS = [
    ("alltoall", 1, (), {}, 1),
    ("alltoall", 8, (), {}, 1),
    ("alltoall", 9, ("words=16", "messages=40"), {}, 1),
    ("atomicity", 1, (), {}, 54),
    ("backpressure", 4, (), {}, 31),
    ("cache", 1, (), {}, 31),
    ("cache", 1, ("off=1",), {"cache": "off"}, 31),
    ("contexts", 1, (), {}, 19),
    ("crossing", 1, (), {}, 1),
    ("crossing", 7, ("rounds=14",), {}, 7),
    ("disk", 1, (), {}, 5),
    ("divert", 1, (), {}, 19),
    ("dma", 1, (), {}, 71),
    ("ended", 2, (), {}, 2),
    ("gid", 1, (), {}, 36),
    ("idle", 1, (), {}, 29),
    ("order", 1, (), {}, 2),
    ("order", 8, (), {}, 16),
    ("order", 15, ("partners=15", "messages=20"), {}, 30),
    ("pingpong", 1, (), {}, 6),
    ("pingpong", 2, (), {}, 8),
    ("pingpong", 12, (), {}, 8),
    ("pingpong", 8, ("base=100", "hop=7", "word=3"),
     {"mesh_base": 100, "mesh_hop": 7, "mesh_word": 3}, 8),
    ("pingpong", 8, ("width=2",), {"mesh": "2x4"}, 8),
    ("places", 1, (), {}, 7),
    ("protect", 1, (), {}, 25),
    ("ramcode", 1, (), {}, 1),
    ("ramcode", 6, (), {}, 6),
    ("second", 2, (), {}, 20),
    ("slots", 1, (), {}, 13),
    ("timing", 1, (), {}, 63),
    ("traps", 1, (), {}, 45),
    ("window", 1, (), {}, 35),
]


def name(case):
    program, nodes, arguments, options, _ = case
    return "-".join([program, str(nodes), *arguments])


@pytest.mark.parametrize("case", PROGRAMS, ids=name)
def test_program(machine, case):
    program, nodes, arguments, options, checks = case
    result = machine(program, *arguments, nodes=nodes, **options)

    assert "FAIL" not in result.stdout, result.report()
    result.check(0)
    assert len(re.findall(r"^ok ", result.stdout, re.MULTILINE)) == checks, result.report()
