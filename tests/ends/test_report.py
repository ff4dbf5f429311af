"""What the machine says when it ends, and with which status."""

import re
import subprocess

import pytest


def nodes_report(stderr):
    """The report's lines, by node."""
    return {int(node): text for node, text in re.findall(r"^  node (\d+): (.*)$", stderr, re.MULTILINE)}


@pytest.fixture(scope="session")
def function_at(cross, guest_dir):
    """function_at(program, address): the function that is there."""
    def find(program, address):
        table = subprocess.run([cross("nm"), "-n", guest_dir / f"{program}.elf"], capture_output=True, text=True,
                               check=True).stdout
        symbols = re.findall(r"^([0-9a-f]{8}) [tT] (\w+)$", table, re.MULTILINE)
        return [name for start, name in symbols if int(start, 16) <= address][-1]
    return find


@pytest.mark.parametrize("nodes", [1, 4, 40])
def test_deadlock(run, function_at, nodes):
    done = run("deadlock", nodes=nodes)
    report = nodes_report(done.stderr)

    assert done.returncode == 125
    assert re.search(r"fugu: deadlock at cycle \d+: all nodes wait, and nothing is in flight", done.stderr)
    assert list(report) == list(range(nodes))
    for text in report.values():
        found = re.fullmatch(r"waits for an interrupt, pc 0x([0-9a-f]{8})", text)
        assert found, text
        assert function_at("deadlock", int(found[1], 16)).startswith("am_wait")


@pytest.mark.parametrize("timeout", [1, 64, 99_999, 100_000])
def test_timeout(run, timeout):
    """At the end of the round that the limit lies in."""
    done = run("spin", nodes=3, timeout=timeout)
    found = re.search(r"fugu: timeout at cycle (\d+)$", done.stderr, re.MULTILINE)

    assert done.returncode == 124
    assert found and int(found[1]) == -(-timeout // 64) * 64
    assert [text.partition(",")[0] for text in nodes_report(done.stderr).values()] == ["runs"] * 3


def test_timeout_of_a_machine_that_waits(run):
    """Time that is skipped is not skipped beyond the limit."""
    done = run("idle", nodes=1, timeout=1_000)
    assert done.returncode == 124
    assert "fugu: timeout at cycle 1024\n" in done.stderr


@pytest.mark.parametrize("node", [0, 2])
def test_error_mode(run, function_at, node):
    done = run("errormode", f"node={node}", nodes=3)
    report = nodes_report(done.stderr)
    found = re.fullmatch(r"error mode, trap 0x02 with traps disabled, pc 0x([0-9a-f]{8}), npc 0x([0-9a-f]{8})",
                         report[node])

    assert done.returncode == 126
    assert list(report) == [0, 1, 2]
    assert found, report[node]
    pc, npc = (int(text, 16) for text in found.groups())
    assert npc == pc + 4
    assert function_at("errormode", pc) == "main"


@pytest.mark.parametrize("status, ends", [(1, 1), (2, 2), (119, 119), (120, 119), (124, 119), (125, 119), (256, 119)])
def test_status_of_a_node(run, status, ends):
    done = run("exitstatus", f"status={status}", "node=1", nodes=3)
    assert done.returncode == ends
    assert re.search(rf"fugu: node 1 ended with status {ends} at cycle \d+$", done.stderr, re.MULTILINE)


def test_no_report_when_all_is_well(run):
    done = run("whoami", nodes=2)
    assert (done.returncode, done.stderr) == (0, "")
