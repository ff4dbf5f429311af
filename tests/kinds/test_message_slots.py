"""Messages of the M-Machine under Glaze, --ni m-machine: docs/m-machine.md.

slots.c says what it checks.
"""

from __future__ import annotations

import re
import subprocess

import pytest
from guest_programs import built
from run_sh import run_sh
from served import check_served

from fugu.abi import PROCESS
from fugu.errors import UsageError
from fugu.paths import ROOT

SLOTS, REFUSED, MESSAGELESS = built("kinds/slots"), built("kinds/slots_refused"), built("kinds/messageless")
HANDLER = ", in a message's handler"
VIOLATION = "protection-violation: "


@pytest.fixture
def slots(machine):
    """slots(word..., option=...) -> the result of a run with --ni m-machine."""
    def run(*words, **options):
        return machine(*words, **{"ni": "m-machine", "nodes": 2, "timeout": "400M"} | options)
    return run


def longest(said):
    """The longest time in cycles that a kernel has served neither network nor clock, by the figures of a run."""
    table = re.search(r"^Longest time without network and clock\n.*\n((?: +\d+ +[\d,]+ .*\n)+)", said, re.MULTILINE)[1]
    return max(int(line.split()[1].replace(",", "")) for line in table.splitlines())


def right(result, processes):
    """The result, if each of these processes of slots.c has found all as it should be."""
    lines = re.findall(r"^[1-9]\d* checks, 0 failed$", result.stdout, re.MULTILINE)
    assert len(lines) == processes and "FAIL" not in result.stdout, result.report()
    return result


def joined(jobs):
    """The words of a command line with these jobs."""
    return [word for job in jobs for word in ("+", *job)][1:]


def test_a_program_without_messages_runs(slots):
    result = slots("hello", "some", "words", nodes=3).check(0)
    assert sorted(result.stdout.splitlines()) == [f"hello from node {node} of 3: hello some words" for node in range(3)]
    slots(MESSAGELESS).finished(2)


@pytest.mark.parametrize("nodes", [1, 2, 5])
def test_each_rule_holds(slots, nodes):
    """Ranges and their errors, each handler of the library, and the quota of pages that stay."""
    right(slots(SLOTS, nodes=nodes, ram="2M").check(0), nodes)


def test_the_same_run_however_it_is_carried_out(slots):
    alone = right(slots(SLOTS, nodes=3, ram="2M", digest=True).check(0), 3)
    assert slots(SLOTS, nodes=3, ram="2M", digest=True, processes=2).check(0).digest == alone.digest
    for way in ("one-insn-per-tb=on", "line-filter=off"):
        command = [word.replace("tcg,thread=single", f"tcg,thread=single,{way}") for word in alone.command]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and f"digest: {alone.digest}" in done.stdout


NO_SEGMENT, NO_HANDLER = "SEND to an address in no segment of its own", "SEND of a handler that its program does not have"
REFUSES, NOT_ITS_OWN = "the network interface refuses this", "access to memory that is not its own"
# The node that ends the job, and why. Numbers are addresses; those of handlers, and words of a SEND.
MISTAKES = {
    "to 0x12345678": (0, VIOLATION + NO_SEGMENT, "mm_send0"),
    "to 0x40004000": (0, VIOLATION + NO_SEGMENT, "mm_send0"),
    "to 0x7ffffff8": (0, VIOLATION + NO_SEGMENT, "mm_send0"),
    "handler 63": (0, VIOLATION + NO_HANDLER, "mm_send0"),
    "handler 0xffffffff": (0, VIOLATION + NO_HANDLER, "mm_send0"),
    "text": (0, VIOLATION + NO_HANDLER, "mm_send0"),
    "data": (0, VIOLATION + NO_HANDLER, "mm_send0"),
    **{f"words {words}": (0, VIOLATION + REFUSES, "mistake") for words in range(11, 16)},
    "extent": (0, VIOLATION + REFUSES, "mm_send1"),
    "ended": (0, VIOLATION + NO_SEGMENT, "mm_send0"),
    "register": (0, "store to memory that is not its own, address 0xffffe548", "mistake"),
    "misaligned": (1, f"address not aligned{HANDLER}", "mm_store"),
    "reply 0x12345678": (1, f"{VIOLATION}{NO_SEGMENT}{HANDLER}", "mm_reply"),
    "priority": (1, f"{VIOLATION}{REFUSES}{HANDLER}", "mm_reply"),
    "load 0x3f000000": (1, f"{NOT_ITS_OWN}, address 0x3f000000{HANDLER}", "load_there"),
    "load 0x40000000": (1, f"{NOT_ITS_OWN}, address 0x40000000{HANDLER}", "load_there"),
    "load 0xffffe000": (1, f"{NOT_ITS_OWN}, address 0xffffe000{HANDLER}", "load_there"),
    "load 0xf0002000": (1, f"{NOT_ITS_OWN}, address 0xf0002000{HANDLER}", "load_there"),
    "load 2": (1, f"address not aligned{HANDLER}", "load_there"),
    "nothing": (1, f"store to memory that is not its own, address 0x20000000{HANDLER}", "mm_store"),
}


def test_mistakes_end_their_jobs_alone():
    """Each job does something wrong, and is told what, with its place. Beside them, one sends and waits, loses no
    message, and no entry into the kernel takes long."""
    words = joined([*([SLOTS, *mistake.split()] for mistake in MISTAKES), [SLOTS, "waits"]])
    said = run_sh("--ni", "m-machine", "-n", 2, "--timeslice", 20_000, "--timeout", "400M", "--stats", *words).stdout
    for number, (mistake, (node, why, place)) in enumerate(MISTAKES.items(), 1):
        line = re.search(rf"^glaze: slots \(job {number}\) on node (\d) is ended: (.*); pc 0x\w+ in (\w+) \(", said, re.MULTILINE)
        assert line and (mistake, int(line[1]), line[2], line[3]) == (mistake, node, why, place), said
    assert len(re.findall(r"^[1-9]\d* checks, 0 failed$", said, re.MULTILINE)) == 2 and "FAIL" not in said, said
    assert longest(said) < 20_000, said


@pytest.mark.parametrize("node", [0, 1])
def test_what_is_shared_stays(slots, disk, node):
    """The receiver's other pages go out and come."""
    right(slots(SLOTS, "pinned", ram="640K", disk=[f"{node}={disk(4096)}"]).check(0), 2)


def test_no_message_waits_for_a_page_that_is_out(slots, disk):
    """A receiver has not shared its memory. Its job ends, and messages of the other one go on."""
    disks = [f"{node}={disk(4096)}" for node in range(2)]
    result = slots(SLOTS, "out", "+", f"{SLOTS}@28000000", "trips", 3_000_000, ram="640K", disk=disks, timeslice=100_000).check(101)
    assert re.search(rf"^glaze: slots \(job 1\) on node 1 is ended: its page is not in memory: use mm_share\(\), address 0x\w+{HANDLER}"
                     r"; pc 0x\w+ in mm_store ", result.stdout, re.MULTILINE), result.report()
    assert re.search(r"is ended(.*\n)*.*\d+ replies, \d+ late$", right(result, 2).stdout, re.MULTILINE), result.report()


def test_handlers_fill_some_pages_that_nothing_has_touched(slots):
    """As many as may be in a row. The next one ends the job."""
    result = slots(SLOTS, "fresh").check(101)
    assert "64 pages are filled\n" in result.stdout and "FAIL" not in result.stdout, result.report()
    assert re.search(rf"^glaze: slots \(job 1\) on node 1 is ended: its page is not in memory: use mm_share\(\), address 0x20040000{HANDLER}"
                     r"; pc 0x\w+ in mm_store ", result.stdout, re.MULTILINE), result.report()


def test_a_job_whose_messages_need_many_pages(slots, disk):
    """Some of these pages are out. The messages of the other one wait for their own slots alone."""
    disks = [f"{node}={disk(4096)}" for node in range(2)]
    result = slots(built("kinds/holds"), "trips", 5_000_000, "+", built("kinds/holds"), "pages", ram="640K", disk=disks,
                   timeout="400M").check(101)
    assert re.search(rf"^glaze: holds \(job 2\) on node 1 is ended: its page is not in memory: "
                     rf"use mm_share\(\), address 0x\w+{HANDLER}; pc 0x\w+ in load_pages ", result.stdout, re.MULTILINE), result.report()
    [longest] = re.findall(r"^\d+ trips, the longest one (\d+) cycles$", result.stdout, re.MULTILINE)
    assert int(longest) < 600_000, result.report()


def test_a_handler_that_takes_too_long(slots):
    """A certified one that loads from 140 pages, with slow memory. Messages of the other job go on."""
    result = slots(built("kinds/holds"), "trips", 4_000_000, "+", built("kinds/holds"), "pages", ram="2M", cache_miss=300).check(101)
    assert re.search(rf"^glaze: holds \(job 2\) on node 1 is ended: its handler takes more than 32,768 cycles{HANDLER}"
                     r"; pc 0x\w+ in load_pages ", result.stdout, re.MULTILINE), result.report()
    assert int(re.search(r"^(\d+) trips, ", result.stdout, re.MULTILINE)[1]) > 50, result.report()


def test_a_handler_that_waits_takes_no_cycles(slots, machine):
    """For words that come late, and for space, beside contexts that wait as well: the watchdog stops neither."""
    result = slots("mmping", 3, mesh_word=40_000, timeout="100M").check(0)
    assert re.match(r"null round trip: \d+ cycles in \d+ of 3,", result.stdout), result.report()
    machine("stuck", "watchdog=1000", ni="m-machine", nodes=1).check(125)


def test_a_node_that_waits_beside_its_slots_serves_what_comes(tmp_path):
    """The main context waits for an interrupt while handlers run one after the other: none is masked meanwhile."""
    check_served(tmp_path, "--ni", "m-machine", "-n", 2, "--ram", "2M", built("kinds/holds"), "asleep")


def test_handlers_run_while_their_job_does_not(slots):
    """Two jobs with skew: the other node runs the other job at one end of each slot, and answers all the same. Late are
    replies over the end of a slot, and the first one."""
    cycles, slot = 1_000_000, 50_000
    job = [SLOTS, "trips", cycles]
    result = slots(*job, "+", *job, timeslice=slot, skew=40).check(0)
    found = re.findall(r"^(\d+) replies, (\d+) late$", result.stdout, re.MULTILINE)
    assert len(found) == 2
    assert all(int(late) <= cycles // (2 * slot) + 4 and int(replies) > 1800 for replies, late in found), result.report()


def test_no_store_is_lost_by_who_waits_for_it(slots):
    """It comes at each moment of a wait: while the program looks, in the kernel, and when it sleeps. Another job, whose
    process is woken all the time, changes nothing of that."""
    right(slots(SLOTS, "waits").check(0), 2)
    right(slots(SLOTS, "waits", "+", SLOTS, "wakes", 1_000_000, timeslice=20_000).check(0), 4)


def test_all_that_wait_for_ever_are_reported(slots):
    result = slots(SLOTS, "sleeper", nodes=1).check(125)
    assert re.search(r"deadlock(.*\n)*    slots \(job 1\): first thread waits for a store to 0x\w+ \(memory\) in sleeper ",
                     result.stderr), result.report()


def test_a_store_wakes_its_own_process_alone(slots):
    right(slots(SLOTS, "wakes", 1_500_000, "+", SLOTS, "sleeper", timeslice=50_000).check(0), 4)


@pytest.mark.parametrize(("case", "most"), [(["sleeper"], 1.15), (["wakes", 3_000_000], 2.2), (["late", 3_000_000], 1.5)])
def test_a_job_costs_another_one_what_its_slots_do(slots, case, most):
    """The other job has the node alone while the first one sleeps, and its half if that is woken again and again. A node
    that the first job has left may spend a tenth of its time on messages for it, until the job is suspended."""
    def cycles(*words):
        return int(re.search(r"^(\d+) cycles$", slots(*words, timeslice=100_000).check(0).stdout, re.MULTILINE)[1])

    computes = [SLOTS, "computes", 100_000]
    assert cycles(SLOTS, *case, "+", *computes) < most * cycles(*computes)


@pytest.mark.parametrize(("case", "status", "processes"), [("flood", 0, 8), ("crash", 101, 4)])
@pytest.mark.parametrize("skew", [0, 40])
def test_a_job_that_sends_all_the_time_harms_no_one(slots, case, status, processes, skew):
    """It exits, or is ended, with messages on their way at both priorities; the other job loses none of its own."""
    result = slots(SLOTS, case, 300_000, "+", SLOTS, nodes=4, ram="2M", timeslice=20_000, skew=skew).check(status)
    right(result, processes)


def test_a_run_goes_on_from_any_cycle(slots, machine, tmp_path):
    words = [SLOTS, "flood", 100_000, "+", SLOTS]
    options = {"nodes": 3, "ram": "2M", "timeslice": 20_000, "digest": True}
    alone = right(slots(*words, **options).check(0), 6)
    assert slots(*words, **options, processes=2).check(0).digest == alone.digest
    for cycle in (70_001, 150_000, 222_222):
        image = tmp_path / f"slots.{cycle}"
        slots(*words, **options, save=[f"{image}@{cycle}"]).check(0)
        assert machine(None, load=image, digest=True).check(0).digest == alone.digest


def test_messages_for_a_process_that_has_ended_are_dropped(slots):
    """Each of them is counted, once. All is over within the first slot, before the process's memory is given back."""
    right(slots(SLOTS, "exits", "+", SLOTS, "dropped").check(0), 3)


@pytest.mark.parametrize("nodes", [1, 2, 16])
def test_a_null_round_trip_takes_as_long_as_on_the_bare_machine(slots, nodes):
    """The kernel has no part in it."""
    bare = re.search(r"busy: (\d+) to (\d+) cycles", slots("nullmsg", "times=20", nodes=nodes).check(0).stdout)
    least, often = re.match(r"null round trip: (\d+) cycles in (\d+) of 1000, at most \d+, [\d.]+ on average\n",
                            slots("mmping", nodes=nodes).check(0).stdout).groups()
    assert bare[1] == bare[2] == least and int(often) > 500


def section():
    """Of docs/m-machine.md, "Under Glaze"."""
    return (ROOT / "docs" / "m-machine.md").read_text().partition("\n## Under Glaze\n")[2].partition("\n## ")[0]


def examples():
    """The indented blocks of that section."""
    return [re.sub("^    ", "", block, flags=re.MULTILINE) for block in re.findall(r"\n\n((?:    .*\n|\n(?=    ))+)", section())]


def compiled(tmp_path, **sources):
    """The program of these files, by their names before the last underscore and the letter behind it."""
    for name, text in sources.items():
        (tmp_path / name.replace("_", ".")).write_text(text)
    done = run_sh("cc", *(tmp_path / name.replace("_", ".") for name in sources), "-o", tmp_path / "example.elf")
    assert done.returncode == 0, done.stdout
    return tmp_path / "example.elf"


def test_the_page_has_all_calls_and_handlers():
    header = (ROOT / "guest-os" / "include" / "lib" / "mm.h").read_text()
    calls = set(re.findall(r"\b(mm_[a-z]+(?:0|10)?)\(", header)) | set(re.findall(r"#define (MM_\w+)\(?", header)) - {"MM_H"}
    handlers = set(re.findall(r"MM_HANDLER (\w+),", (ROOT / "guest-os" / "lib" / "mm" / "handlers.S").read_text()))
    assert len(calls) >= 8 and len(handlers) == 5
    assert not {name for name in calls | handlers if not re.search(rf"^\| .*`{name}\b", section(), re.MULTILINE)}


def test_the_larger_example_of_the_page(slots, tmp_path):
    _, handler, program, session = examples()
    found = re.fullmatch(r"\$ ./run.sh cc tickets.c largest.S -o tickets.elf\n"
                         r"\$ ./run.sh --ni m-machine -n 5 ./tickets.elf\n(.*\n)\n*", session)[1]
    assert slots(compiled(tmp_path, tickets_c=program, largest_S=handler), nodes=5).check(0).stdout == found


def test_the_example_of_the_page(slots, tmp_path):
    result = slots(compiled(tmp_path, example_c=examples()[0]), nodes=3).check(0)
    assert sorted(result.stdout.splitlines()) == [f"node {node} has got {100 + (node + 2) % 3}" for node in range(3)]


def test_no_entry_into_the_kernel_takes_long(slots):
    """To let the pages of the largest range go takes several calls (docs/glaze.md, "What a job can cost another")."""
    said = run_sh("--ni", "m-machine", "-n", 1, "--ram", "16M", "--stats", SLOTS, "large").stdout
    assert re.search(r"^[1-9]\d* checks, 0 failed$", said, re.MULTILINE), said
    assert longest(said) < 20_000, said


def test_a_program_for_another_kind_is_refused(slots, machine):
    with pytest.raises(UsageError, match=r"^pingpong needs --ni fugu, as it uses UDM, but the machine has --ni m-machine\.$"):
        slots("pingpong")
    with pytest.raises(UsageError, match=r"^\S*slots\S* needs --ni m-machine, as it uses M-Machine, but the machine has --ni fugu\.$"):
        machine(SLOTS, nodes=1)


def test_a_handler_that_is_not_certified_is_refused(slots):
    with pytest.raises(UsageError, match=r"slots_refused\.elf: handler beyond, 0x\w+ st %g7, \[%l0 \+ 4\]: stores: it writes "
                                         r"DestAddr \+ 4 to 7, and its extent is 4 bytes\.\ndocs/m-machine\.md says"):
        slots(REFUSED, nodes=1)


def test_more_jobs_than_gids(slots):
    """Each has messages of both priorities on their way, to all nodes, when it exits."""
    jobs = 200
    right(slots(*joined([[SLOTS, "brief", 3000]] * jobs), timeslice=20_000, mesh_base=5000, skew=40).check(0), 2 * jobs)


@pytest.mark.parametrize("case", ["stray", "replies"])
def test_no_message_reaches_the_next_job_of_its_gid(slots, case):
    """Of priority 0, and of 1. Jobs use one GID in turn, and send at their ends. The network takes a million cycles for a
    message, and the next job looks as long. All other GIDs are in use, by jobs that wait for ever."""
    jobs = 3
    result = slots(*joined([[SLOTS, "asleep"]] * (PROCESS["JOBS_MAX"] - 1) + [[SLOTS, case, 1_200_000]] * jobs),
                   mesh_base=1_000_000).check(125)
    right(result, 2 * jobs)
