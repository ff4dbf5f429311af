"""The exit status and the report with which the machine ends."""

import pytest


def test_all_nodes_run_to_their_end(machine):
    result = machine("whoami", nodes=3).check(0)
    assert sorted(result.stdout.splitlines()) == [f"hello from node {node} of 3" for node in range(3)]


@pytest.mark.parametrize("node", [0, 2])
def test_a_status_that_is_not_zero_is_the_machines(machine, node):
    machine("exitstatus", "status=9", f"node={node}", nodes=3).check(9)


def test_statuses_beyond_119_count_as_119(machine):
    machine("exitstatus", "status=124", nodes=1).check(119)


@pytest.mark.parametrize("status", [0, 5])
def test_one_node_stops_all(machine, status):
    machine("exitstatus", f"stop={status}", nodes=3).check(status)


def test_deadlock_ends_with_125(machine):
    result = machine("deadlock", nodes=4).check(125)
    assert "deadlock" in result.stderr
    for node in range(4):
        assert f"node {node}: waits" in result.stderr


def test_error_mode_ends_with_126(machine):
    result = machine("errormode", "node=1", nodes=3).check(126)
    assert "error mode" in result.stderr
    assert "node 1: error mode, trap 0x02" in result.stderr


def test_time_limit_ends_with_124(machine):
    result = machine("spin", nodes=2, timeout="100000").check(124)
    assert "timeout" in result.stderr
    assert "node 0: runs" in result.stderr


def test_spin_ends_after_its_turns(machine):
    result = machine("spin", "turns=1000", nodes=1).check(0)
    assert result.stdout == "spin: 1,000 turns, 10,000 instructions\n"
