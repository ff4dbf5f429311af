"""Machines of many nodes boot, lose no message, and make the same run each time.

`./run.sh bench scale` measures what they take of the host.
"""

import re

import pytest

NOTHING = ("-d", "nochain", "-D", "/dev/null")

# Ways to cut the guest's code into blocks: options of the accelerator, and more
# arguments of QEMU.
CUTTINGS = {
    "one instruction a block": (",one-insn-per-tb=on", ()),
    "blocks not chained": ("", NOTHING),
}


def number(text, pattern):
    """The number that matches the pattern's group, which may have commas."""
    found = re.search(pattern, text)
    assert found, text
    return int(found[1].replace(",", ""))


@pytest.fixture
def one_run(run, digest_of):
    """one_run(program, ..., cutting=...) -> the output, which must be the same with and without that cutting."""
    def check(*words, cutting, **options):
        accel, more = CUTTINGS[cutting]
        first = run(*words, digest=True, **options)
        assert first.returncode == 0, first.stdout + first.stderr
        other = run(*words, digest=True, accel=accel, more=more, **options)
        assert (other.returncode, digest_of(other.stdout)) == (0, digest_of(first.stdout))
        assert other.stdout == first.stdout
        return first.stdout
    return check


def check_ring(output, nodes, laps, rounds):
    """Checks the hops of the token, the messages of two exchanges, and that all words were right."""
    row = re.search(r"^ +all +([\d,]+)", output, re.MULTILINE)
    assert row, output
    assert int(row[1].replace(",", "")) == 2 * rounds * nodes
    assert f" {laps * nodes:,} hops in {laps} lap" in output
    assert "all of them right\n" in output


def check_alltoall(output, nodes, messages, partners=32):
    assert number(output, r"alltoall: ([\d,]+) messages") == messages * partners * nodes
    assert "1 check, 0 failed\n" in output


@pytest.mark.parametrize("nodes, rounds, cutting", [(64, 32, "one instruction a block"),
                                                    (256, 8, "blocks not chained")])
def test_ring_loses_nothing(one_run, nodes, rounds, cutting):
    output = one_run("ring", "laps=1", f"rounds={rounds}", "rows=1", nodes=nodes, cutting=cutting)
    check_ring(output, nodes, 1, rounds)


@pytest.mark.parametrize("nodes, messages, cutting", [(64, 4, "one instruction a block"),
                                                      (256, 1, "blocks not chained")])
def test_alltoall_loses_nothing(one_run, nodes, messages, cutting):
    output = one_run("alltoall", f"messages={messages}", nodes=nodes, cutting=cutting)
    check_alltoall(output, nodes, messages)


def test_code_in_ram_belongs_to_its_node(one_run):
    """A node that overwrites its code executes the new code, and other nodes keep theirs."""
    output = one_run("ramcode", nodes=32, cutting="blocks not chained")
    assert "1 check, 0 failed\n" in output


def test_a_thousand_nodes_say_hello(run):
    done = run("whoami", nodes=1024)
    assert done.returncode == 0
    assert sorted(done.stdout.splitlines()) == sorted(f"hello from node {node} of 1024" for node in range(1024))


def test_ring_of_a_thousand_loses_nothing(run):
    done = run("ring", "laps=1", "rounds=4", "rows=1", nodes=1024)
    assert done.returncode == 0, done.stderr
    check_ring(done.stdout, 1024, 1, 4)


@pytest.mark.long
@pytest.mark.parametrize("cutting", CUTTINGS)
def test_a_thousand_nodes_make_the_same_run(one_run, cutting):
    check_ring(one_run("ring", "rows=1", nodes=1024, cutting=cutting), 1024, 3, 32)
    check_alltoall(one_run("alltoall", "messages=4", nodes=1024, cutting=cutting), 1024, 4)


@pytest.mark.long
def test_code_in_ram_of_a_thousand_nodes(run):
    done = run("ramcode", nodes=1024)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 check, 0 failed\n" in done.stdout
