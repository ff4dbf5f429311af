"""Of several nodes that end the machine in one round, the one with the earliest cycle decides."""

import re

import pytest

QUANTUM = 64


def stops(log):
    """{node: cycle} of each node's first store to CONTROL_STOP, from the traces of all processes."""
    text = "".join(part.read_text() for part in sorted(log.parent.glob(log.name + "*")))
    found = re.findall(r"fugu_control_stop node (\d+) @(\d+): status", text)
    return {int(node): int(cycle) for node, cycle in reversed(found)}


@pytest.mark.parametrize("processes", [1, 2])
def test_earliest_stop_of_a_round_decides(machine, tmp_path, processes):
    """Node 1 runs after node 0, in one process, and its stop comes before node 0's."""
    both = 0
    for at in range(100000, 100000 + QUANTUM, 7):
        log = tmp_path / f"log{at}"
        result = machine("stops", f"at={at}", "gap=20", nodes=2, processes=processes, trace="fugu_control_stop",
                         trace_file=log)
        cycle = stops(log)
        first = min(cycle, key=cycle.get)
        result.check(10 + first)
        both += len(cycle) == 2 and first == 1
    assert both


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("fails, status", [(0, 10), (1, 126)])
def test_stop_in_straight_code_comes_in_its_turn(machine, processes, fails, status):
    """Node 0 comes to its stop in the round of cycle 50,000, at a local time of some 110,000."""
    def end(at):
        result = machine("stops", f"at={at}", "from=50000", f"fails={fails}", nodes=2, processes=processes)
        return result.status, int(re.search(r"at cycle (\d+)", result.stderr)[1])
    code, cycle = end(60000)
    assert code == 11 and cycle < 60000 + 2 * QUANTUM
    code, cycle = end(130000)
    assert code == status and 108500 < cycle < 115000


@pytest.mark.parametrize("processes", [1, 2])
def test_deadlock_of_a_wait_in_straight_code_comes_in_its_turn(machine, processes):
    """Node 0 comes to its wait in the round of cycle 50,000, at a local time of some 110,000."""
    result = machine("deadlock", "from=50000", nodes=2, processes=processes)
    result.check(125)
    assert 108500 < int(re.search(r"at cycle (\d+)", result.stderr)[1]) < 115000
    result = machine("deadlock", "from=50000", nodes=2, processes=processes, timeout=80000)
    result.check(124)
