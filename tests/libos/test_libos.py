"""What the library gives to programs under Glaze: threads, handlers, messages, the C library.

The programs check themselves and print a line for each check. The tests have
the number of lines, so that a check cannot disappear unnoticed.
"""

import re
from pathlib import Path

import pytest
from guest_programs import built

CEILING_INTERRUPT = 87          # cycles of a null message by interrupt; the paper's table 4
CEILING_SOFT = 115
CEILING_BUFFER = 52             # cycles of a null message out of the buffer; table 5
SOFT = {"atomicity": "soft"}


def program(name: str) -> Path:
    return built(f"libos/{name}")


@pytest.mark.parametrize(("name", "nodes", "options"), [
    ("threads", 1, {}),
    ("threads", 2, {}),
    ("messages", 1, {}),
    ("contexts", 2, {}),
    ("contexts", 2, {"atomicity_timeout": 500}),
    ("returns", 1, {}),
    ("returns", 1, {"atomicity_timeout": 100}),
    ("returns", 1, SOFT),
    ("leaves", 1, {}),
    ("leaves", 1, SOFT),
    ("leaves", 1, {"atomicity_timeout": 300}),
    ("stacks", 1, {"ram": "64M"}),
    ("work", 1, {}),
    ("work", 1, {"atomicity_timeout": 300}),
    ("work", 1, SOFT),
    ("threads", 2, SOFT),
    ("messages", 1, SOFT),
    ("contexts", 2, {**SOFT, "atomicity_timeout": 500}),
])
def test_program_passes_all_its_checks(machine, name, nodes, options):
    # The second node of contexts does not check anything.
    machine(program(name), nodes=nodes, timeout="2000M", **options).finished(1 if name == "contexts" else nodes)


def test_c_library_works(machine, tmp_path):
    (tmp_path / "text").write_text("first\nsecond\nlast\n")
    (tmp_path / "empty").write_text("")
    result = machine(program("clib"), "one", "two", "three", nodes=1, timeout="20M",
                     input=[tmp_path / "text", tmp_path / "empty"])

    result.check(0)
    *checks, last = result.stdout.splitlines()
    assert len([line for line in checks if line.startswith("ok ")]) == len(checks) == 42, result.report()
    assert last == "not a lineexit"


@pytest.mark.parametrize("options", [{}, SOFT])
def test_a_file_that_another_job_unlinks(machine, options):
    """A file stays as long as a process has it open, whichever job takes its name; the end of a process closes it."""
    jobs = [program("unlinking"), "keep", "+", program("unlinking"), "remove"]
    machine(*jobs, nodes=2, timeout="200M", output_max=100_000, **options).finished(4)


PAID_AT_ONCE = 4000             # cycles of a file's bytes: then the kernel returns, and the call is made again
CALL = 750, 950                 # cycles that a call takes beside


def test_size_of_a_file_is_paid_for(machine):
    """A cycle for 16 bytes that a call adds or takes away, if these are more than 64 KiB."""
    result = machine(program("resized"), nodes=1, cache=False, timeout="20M").check(0)
    found = [(int(size), int(cycles)) for size, cycles in
             re.findall(r"^(\d+) bytes: (\d+) cycles$", result.stdout, re.MULTILINE)]
    assert len(found) == 10, result.report()
    before, free, by_change = 0, [], {}
    for size, cycles in found:
        change, before = abs(size - before), size
        if change <= 0x10000:
            free.append(cycles)
            continue
        calls = -(-change // 16 // PAID_AT_ONCE)
        assert CALL[0] <= (cycles - change // 16) / calls <= CALL[1], (change, cycles)
        by_change.setdefault(change, set()).add(cycles)
    assert len(free) == 4 and max(free) <= CALL[1] and max(free) - min(free) <= 1, "more bytes take no longer"
    assert max(by_change) == 15 << 20 and all(max(one) - min(one) <= 1 for one in by_change.values())


def test_bytes_up_to_where_others_are_put_are_paid_for(machine):
    """As by a call that changes the size."""
    result = machine(program("resized"), nodes=1, cache=False, timeout="20M").check(0)
    found = [tuple(map(int, line)) for line in
             re.findall(r"^put (\d+) bytes at (\d+): (\d+) cycles, then (\d+) bytes$", result.stdout, re.MULTILINE)]
    free = found[0][2]
    before = 0
    for put, place, cycles, size in found:
        assert put == 100 and size == max(before, place + put), result.report()
        paid = (size - before) // 16 if size - before > 0x10000 else 0
        assert paid <= cycles - free + 1 <= paid + -(-paid // PAID_AT_ONCE) * CALL[1] + 2, result.report()
        before = size
    assert len(found) == 5


def test_costs_are_below_the_papers(machine):
    cost = costs(machine)
    assert int(cost["by interrupt"]) <= CEILING_INTERRUPT
    assert float(cost["out of the buffer"]) <= CEILING_BUFFER


def test_small_bodies_need_no_c(machine):
    """The kernel's C code would take more than a thousand cycles for each message."""
    cost = costs(machine)
    assert int(cost["body of 4 bytes into the buffer"]) <= 130
    assert float(cost["body of 4 bytes out of the buffer"]) <= 60
    assert int(cost["storeback of a page from the buffer"]) <= 14_000


def test_soft_atomicity_costs_more(machine):
    assert CEILING_INTERRUPT < int(costs(machine, **SOFT)["by interrupt"]) <= CEILING_SOFT


def costs(machine, **options):
    """The cycles of a null message, by the way it comes.

    Without a cache: whether lines of kernel and program share a place in the cache depends on their sizes.
    """
    result = machine(program("costs"), nodes=1, cache=False, timeout="10M", **options)

    result.check(0)
    return dict(re.findall(r"^(?:null message )?(.*): ([\d.]+) cycles$", result.stdout, re.MULTILINE))


@pytest.mark.parametrize("options", [{}, {"atomicity_timeout": 300}, {"atomicity": "soft"}])
@pytest.mark.parametrize("server", [0, 1])
def test_others_run_while_a_page_comes(machine, disk, server, options):
    """Threads, handlers and sections run on while a page comes back. First more than half of the program's pages go out,
    though it yields in a loop, and so is the one that runs: it has more than its share. Otherwise none would go with the
    store on node 1."""
    machine(program("faults"), "+", program("faults"), "hog", 220, nodes=2, ram="1M",
            disk=[f"{server}={disk(4096)}"], timeout="400M", **options).finished(1)


@pytest.mark.parametrize(("seed", "nodes", "options"), [
    (1, 2, {}), (2, 3, {}), (3, 3, {}), (5, 2, {"timeslice": 50_000, "atomicity_timeout": 300}),
    (6, 2, {"atomicity": "soft"}),
])
def test_random_faults_lose_no_message(machine, disk, seed, nodes, options):
    """Page faults in threads, sections and handlers: each message is handled once, in order, outside sections."""
    result = machine(program("faultstress"), seed, 20, "+", program("faultstress"), "hog", 180, nodes=nodes, ram="608K",
                     disk=[f"1={disk(4096)}"], timeout="1000M", **({"timeslice": 100_000} | options)).check(0)
    lines = [{name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", line)}
             for line in result.stdout.splitlines()]

    assert len(lines) == nodes
    assert sum(line["sent"] for line in lines) == sum(line["handled"] for line in lines)
    for line in lines:
        assert line["became"] > 0 and line["arrivals"] > 0 and line["outs"] > 0
        assert line["sections"] == line["hold"] == 0


def test_deferred_work_costs_less_than_a_switch_in_the_kernel(machine):
    """The switches stay in the kernel's assembly: its C code would need more than a thousand cycles for each."""
    result = machine(program("work"), nodes=1, cache="off", timeout="10M")

    result.check(0)
    costs = dict(re.findall(r"^(.*): (\d+) cycles$", result.stdout, re.MULTILINE))
    assert int(costs["from the handler to the thread"]) <= 1100
    assert int(costs["the interrupted thread waits"]) <= 1800


def test_deferred_work_must_not_return_in_an_atomic_section(machine):
    result = machine(program("work"), "section", nodes=1, timeout="10M")

    result.check(118)
    assert result.stdout.strip() == "glaze: work (job 1) on node 0 is ended: " \
                                    "deferred work returns in an atomic section"


@pytest.mark.parametrize("options", [{}, {"atomicity_timeout": 500}, SOFT])
@pytest.mark.parametrize("nodes", [1, 3])
def test_transfers_of_all_lengths_and_alignments(machine, nodes, options):
    machine(program("transfer"), nodes=nodes, timeout="2000M", **options).finished(nodes)


def test_a_transfer_in_a_handler_ends_the_job(machine):
    result = machine(program("transfer"), "handler", nodes=1, timeout="10M")

    result.check(118)
    assert "is ended: udm_transfer() is called in a handler, where udm_transfer_later() has to be" in result.stdout


def test_the_report_knows_the_thread_of_deferred_work(machine):
    result = machine(program("work"), "idle", nodes=1, timeout="10M")

    result.check(125)
    assert "work (job 1): thread of udm_work_thread waits for deferred work in udm_work_thread" in result.stderr


# A mistake of a program, and a pattern of the line that ends its job.
MISUSES = {
    "no-dispose": r"dispose-failure: a handler has ended .*; pc 0x1\w+ in (message_stub|stub_look) .*; the message: handler 0x1000.... in no_dispose, "
                  r"from node 0, no words\n",
    "no-dispose-endatom": r"dispose-failure: interrupts enabled .* no_dispose_endatom \(udm.h:\d+\); the message: "
                          r"handler 0x1000.... in no_dispose_endatom, from node 0, "
                          r"words 0x00000007 0xfffffffe\n",
    "no-dispose-wait": "a handler waits and has not disposed of its message",
    "dispose-twice": r"bad-dispose: .* dispose_twice \(udm.h:",
    "handler-blocks": "a handler waits to be woken, and no thread knows it",
    "handler-asserts": r"tests/libos/misuse.c:\d+: handler_asserts\(\): "
                       r"assertion failed: udm_arg\(0\) == 1",
    "no-node": "protection-violation",
    "too-many-words": r"protection-violation: .* in main \(misuse.c:",
    "negative-words": r"protection-violation: .* in main \(misuse.c:",
    "deadlock": "all threads wait, one of them in an atomic section",
    "unlock": "a mutex is unlocked that is not locked",
    "ends-atomic": "a thread ends in an atomic section",
    "joins-itself": "a thread joins itself",
    "overflow": r"address 0x800.0...; .* overflow \(misuse.c:",
    "overflow-main": r"address 0x3ff00...; .* overflow \(misuse.c:",
    "divide": r"division by zero; pc 0x100..... in \.u?div\n",
    "raise": "signal 8 was raised",
    "abort": r"abort\(\) was called",
}


@pytest.mark.parametrize("atomicity", ["hard", "soft"])
@pytest.mark.parametrize("what", MISUSES)
def test_misuse_ends_the_job(machine, what, atomicity):
    result = machine(program("misuse"), what, nodes=1, timeout="10M", atomicity=atomicity)

    assert result.status not in (0, 124, 125, 126), result.report()
    assert re.search(rf"misuse \(job 1\) on node 0 is ended: .*{MISUSES[what]}",
                     result.stdout), result.report()


def test_the_report_knows_an_open_section(machine):
    """A program that spins in an atomic section: since when, in which mode, and how many messages wait."""
    def section(timeout):
        result = machine(program("misuse"), "spins-in-section", nodes=3, timeout=timeout)
        result.check(124)
        found = re.search(r"misuse \(job 1\): is in an atomic section since cycle (\d+), in (\w+) mode: "
                          r"(\w+) messages? waits?\n", result.stderr)
        assert found, result.stderr
        return found.groups()
    since, *late = section("2M")
    assert late == ["buffered", "6"] and int(since) < 80_000
    # The end of the round in which it opens: a fault of its own makes the mode buffered later.
    assert section(int(since) + 1)[:2] == (since, "fast")
    assert section("1M")[:2] == (since, "buffered")


def test_right_use_ends_well(machine):
    result = machine(program("misuse"), "none", nodes=1, timeout="10M")

    result.check(0)
    assert result.stdout == "nothing has happened\n"
