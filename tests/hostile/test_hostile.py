"""Programs that misbehave on Glaze end alone, with a line that gives the reason.

A bystander runs beside each of them on the same nodes. The bystander's last lines must be those that it prints beside a
program that does nothing: right results, and no lost page frame. The program `bad` runs one CASE, by name; in its
sources a comment "ends: NAME" marks the line at which the case must end.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from guest_programs import built, joined, settled

HERE = Path(__file__).parent
OPTIONS: dict[str, Any] = {"nodes": 2, "timeslice": 20000, "timeout": "60M"}

VIOLATION = "protection-violation: the network interface refuses this"
NOT_OWN = "access to memory that is not its own, address "
STORE = "store to memory that is not its own, address "
NOT_TEXT = "execution of what is not its program's text, address "
STACK = "stack overflow, or bad stack pointer, address "
OVERFLOW = "stack overflow: " + STORE
ODD_STACK = "stack pointer not a multiple of 8, address "
NO_MESSAGE = "bad-dispose: there is no message"
NO_BACKING = "and there is no backing store (give a node a disk: --disk NODE=FILE)"
FAILURE = "dispose-failure: interrupts enabled by a handler that has extracted no message"
FAILURE_AT_END = "dispose-failure: a handler has ended without extracting a message"
MORE = r" \(--ram gives each node more memory\)"
# There is none if the program has set dispose-pending itself.
MESSAGE = r"(; the message: handler 0x1000[0-9a-f]{4} in \w+, from node \d,( no words| words( 0x\w{8})+))?"


# ---- runs ---------------------------------------------------------------------

def run(machine: Any, *words: str, **options: Any) -> Any:
    """Runs jobs, given as words: programs of tests/hostile by name, joined by "+"."""
    ours = {"bad", "bystander", "calls", "victim"}
    first, *rest = [built(f"hostile/{word}") if word in ours else word for word in words]
    return machine(first, *rest, **OPTIONS | options)


def bystanders(result: Any) -> list[str]:
    return sorted(line for line in result.stdout.splitlines() if line.startswith("bystander:"))


def complaints(result: Any) -> list[str]:
    return [line for line in result.stdout.splitlines() if line.startswith("glaze:")]


@pytest.fixture(scope="module")
def peace(machine: Any) -> list[str]:
    """What the bystander prints beside a program that does nothing."""
    result = run(machine, "bad", "nothing", "+", "bystander").check(0)
    lines = bystanders(result)
    assert len(lines) == 2 and all(", 0 wrong, " in line for line in lines), result.report()
    return lines


def place(mark: str) -> str:
    """FILE:LINE of the comment "ends: MARK" in the sources."""
    for path in sorted([*HERE.rglob("*.c"), *HERE.rglob("*.S")]):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.search(rf"ends: {re.escape(mark)}( \*/)?$", line):
                return f"{path.name}:{number}"
    raise AssertionError(f"no source has a comment 'ends: {mark}'")


def check_alone(machine: Any, peace: list[str], case: str, end: str, status: int = 101, **options: Any) -> Any:
    """Checks that `bad CASE` ends with one line that matches `end`, and that the bystander is not affected."""
    result = run(machine, "bad", *case.split(), "+", "bystander", *settled(peace), **options).check(status)
    said = complaints(result)
    assert len(said) == 1, result.report()
    assert re.fullmatch(rf"glaze: bad \(job 1\) on node 1 is ended: {end}", said[0]), f"{said[0]}\n{end}"
    assert bystanders(result) == peace, result.report()
    return result


def at(cause: str, mark: str, function: str) -> str:
    """A pattern for the reason of an end: cause, pc, function, and the line with the mark."""
    return rf"{re.escape(cause)}; pc 0x1000[0-9a-f]{{4}} in {function} \({re.escape(place(mark))}\){message(cause)}"


def at_header(cause: str, function: str) -> str:
    """The same pattern, for a line of udm.h."""
    return rf"{re.escape(cause)}; pc 0x1000[0-9a-f]{{4}} in {function} \(udm\.h:\d+\){message(cause)}"


def message(cause: str) -> str:
    """A pattern for the message that a dispose-failure names."""
    return MESSAGE if cause.startswith("dispose-failure") else ""


# ---- memory -------------------------------------------------------------------

KERNEL = ["0x00000000", "0x00fff000", "0x40000000", "0x407ffff8", "0xd0000000", "0xf0002000", "0xffffa000",
          "0xffffc000", "0xffffe048"]
NOWHERE = ["0x01000000", "0x20000000", "0x3ff00000", "0x80000000", "0xa0000000", "0xc0000000", "0xf0003000"]
REFUSED = ["0xfffff060", "0xfffff0e8", "0xfffffff8"]


@pytest.mark.parametrize("address", KERNEL + NOWHERE)
def test_load_from_memory_of_others(machine, peace, address):
    check_alone(machine, peace, f"load {address}", at(NOT_OWN + address, "load", "load"))


@pytest.mark.parametrize("address", REFUSED)
def test_load_from_network_interface(machine, peace, address):
    check_alone(machine, peace, f"load {address}", at(VIOLATION, "load", "load"))


@pytest.mark.parametrize("address", [*KERNEL, *NOWHERE, "0x10000000", "0xf0000000"])
def test_store_to_memory_of_others(machine, peace, address):
    check_alone(machine, peace, f"store {address}", at(STORE + address, "store", "store"))


@pytest.mark.parametrize("address", ["0xfffff04c", "0xfffff080", "0xfffff100"])
def test_store_to_network_interface(machine, peace, address):
    check_alone(machine, peace, f"store {address}", at(VIOLATION, "store", "store"))


WAYS = {"load-byte": NOT_OWN, "load-double": NOT_OWN, "load-float": NOT_OWN, "swap": NOT_OWN,
        "store-byte": STORE, "store-double": STORE, "store-float": STORE}


@pytest.mark.parametrize("way", WAYS)
def test_other_instructions_to_kernel_memory(machine, peace, way):
    check_alone(machine, peace, f"{way} 0x40000000", at(WAYS[way] + "0x40000000", way, way.replace("-", "_")))


@pytest.mark.parametrize("way", ["store-byte", "store-double", "store-float", "swap"])
def test_other_stores_to_its_text(machine, peace, way):
    check_alone(machine, peace, f"{way} 0x10000000", at(STORE + "0x10000000", way, way.replace("-", "_")))


def test_store_to_input_file(machine, peace, tmp_path):
    file = tmp_path / "words"
    file.write_text("data")
    result = run(machine, "bad", "store", "0x90000000", "+", "bystander", input=[f"words={file}"]).check(101)
    assert re.fullmatch(r"glaze: bad \(job 1\) on node 1 is ended: " + at(STORE + "0x90000000", "store", "store"),
                        complaints(result)[0])


@pytest.mark.parametrize("way", ["load", "store"])
def test_address_not_aligned(machine, peace, way):
    check_alone(machine, peace, f"{way} 0x10000002", at("address not aligned", way, way))


def test_page_that_was_given_back(machine, peace):
    check_alone(machine, peace, "unmapped", at(NOT_OWN + "0x20000000", "unmapped", "unmapped"))


def test_store_to_message_in_buffer(machine, peace):
    check_alone(machine, peace, "store-record", at(STORE + "0xc0000000", "store-record", "with_record"))


@pytest.mark.parametrize("address", ["0x00000000", "0x40000000", "0xf0000000", "0xf0001000", "0xf0002000",
                                     "0xfffff000", "0xffffe000", "0xc0000000", "0x20000000", "0xfffffffc"])
def test_jump_out_of_the_text(machine, peace, address):
    check_alone(machine, peace, f"jump {address}", NOT_TEXT + f"{address}; pc {address}")


def test_jump_to_odd_address(machine, peace):
    check_alone(machine, peace, "jump 0x10000001", at("address not aligned", "jump", "jump"))


@pytest.mark.parametrize("case", ["run-data", "run-stack"])
def test_execution_of_data(machine, peace, case):
    check_alone(machine, peace, case, NOT_TEXT + r"0x([0-9a-f]{8}); pc 0x\1")


@pytest.mark.parametrize("address", ["0x00000000", "0x40000000", "0xf0002000", "0x20000000", "0xffffe000"])
def test_body_of_what_is_not_its_own(machine, peace, address):
    check_alone(machine, peace, f"send-body {address}", at(NOT_OWN + address, "send-body", "send_body"))


@pytest.mark.parametrize("address", ["0x00000000", "0x40000000", "0x10000000", "0xf0000000", "0xf0002000",
                                     "0xffffe000"])
@pytest.mark.parametrize("way", ["network", "buffer"])
def test_storeback_to_what_is_not_its_own(machine, peace, address, way):
    cause = STORE if way == "network" else "storeback to memory that cannot be written, address "
    check_alone(machine, peace, f"store-back {address} {way == 'buffer':d}",
                at_header(cause + address, "storing_handler"))


@pytest.mark.parametrize("part", ["0 12", "8 4", "12 0", "4 8", "0xfffffff8 8", "0xfffffff8 16", "4 0xfffffffc",
                                  "0 4096", "2 4", "0 6", "0 0xffffffff", "0x40000000 4"])
def test_storeback_of_another_messages_body(machine, peace, part):
    """Bodies lie side by side in the buffer: a storeback reaches those of other messages by no offset and length."""
    cause = "protection-violation: storeback of what is not there"
    check_alone(machine, peace, f"forge-length {part}", at_header(cause, "forge_length"))


# ---- messages -----------------------------------------------------------------

LAUNCHES = {"kernel-message": "kernel_message", "no-such-node": "no_such_node", "too-long": "too_long",
            "no-words": "of_no_words", "odd-body": "odd_body", "long-body": "long_body"}


@pytest.mark.parametrize("case", LAUNCHES)
def test_launch_that_is_refused(machine, peace, case):
    check_alone(machine, peace, case, at(VIOLATION, case, LAUNCHES[case]))


def test_forged_header_is_stamped(machine, peace):
    result = run(machine, "bad", "forged", "+", "bystander").check(0)
    assert "bad: header 0x30010001\n" in result.stdout          # GID 1, of node 1; the type is the user's
    assert bystanders(result) == peace


def test_dispose_without_message(machine, peace):
    check_alone(machine, peace, "dispose-nothing", at_header(NO_MESSAGE, "dispose_nothing"))


def test_dispose_without_message_in_buffer(machine, peace):
    check_alone(machine, peace, "dispose-nothing-buffered", at_header(NO_MESSAGE, "dispose_nothing_buffered"))


@pytest.mark.parametrize("way", ["network", "buffer"])
@pytest.mark.parametrize("case", ["never", "enables", "twice", "faults", "overflows"])
def test_handler_that_misbehaves(machine, peace, case, way):
    end = {
        "never": re.escape(FAILURE_AT_END) + r"; pc 0x1000[0-9a-f]{4}( in \w+ \(upcall\.S:\d+\))?" + MESSAGE,
        "enables": at_header(FAILURE, "enables_first"),
        "twice": at_header(NO_MESSAGE, "extracts_twice"),
        "faults": at(STORE + "0x00000000", "handler-faults", "faults"),
        "overflows": at(OVERFLOW + "0xADDRESS", "recursion", r"recurse[\w.]*").replace("ADDRESS", "80000[0-9a-f]{3}"),
    }[case]
    check_alone(machine, peace, f"handler-{case} {way == 'buffer':d}", end)


def test_stack_overflow_in_main(machine, peace):
    check_alone(machine, peace, "main-overflows",
                at(OVERFLOW + "0xADDRESS", "recursion", r"recurse[\w.]*").replace("ADDRESS", "3ff00[0-9a-f]{3}"))


@pytest.mark.parametrize("case", ["loop", "deaf", "deaf-caller", "handler-loops 0", "handler-loops 1", "map-all"])
def test_endless_program_does_not_hold_up_the_bystander(machine, case):
    """The bystander ends on both nodes, and the other program runs until the time limit."""
    result = run(machine, "bad", *case.split(), "+", "bystander", "1", timeout="10M").check(124)
    assert not complaints(result)
    lines = bystanders(result)
    assert len(lines) == 2 and all(", 0 wrong, " in line for line in lines), result.report()


@pytest.mark.parametrize("case", ["word-stays", "word-at-will"])
def test_word_of_its_sections_does_not_hold_up_the_bystander(machine, case):
    """With soft atomicity, a program that says at will that it is in a section is bounded by atomicity-timeout."""
    result = run(machine, "bad", case, "+", "bystander", "1", timeout="10M", atomicity="soft").check(124)
    assert not complaints(result)
    lines = bystanders(result)
    assert len(lines) == 2 and all(", 0 wrong, " in line for line in lines), result.report()


@pytest.mark.parametrize("case", ["half-described", "send-to-ended", "end-with-messages"])
def test_messages_left_behind_harm_no_one(machine, peace, case):
    result = run(machine, "bad", case, "+", "bystander").check(0)
    assert bystanders(result) == peace
    assert not complaints(result)


def test_process_that_waits_for_ever_is_a_deadlock(machine):
    result = run(machine, "bad", "wait-for-nobody", "+", "bystander", "1").check(125)
    assert len(bystanders(result)) == 2


# ---- memory that is not enough --------------------------------------------------

@pytest.mark.parametrize("case", ["flood", "flood-bodies"])
def test_flooder_of_memory_ends(machine, peace, case):
    check_alone(machine, peace, case, rf"the node has no memory left for it, {re.escape(NO_BACKING)}: "
                r"2\d{3} pages, (2\d{3}|19\d\d) of them for \d+ messages in its buffer" + MORE, status=102,
                timeslice=50_000)   # with 20,000 its process may free pages as fast as messages come for them


@pytest.mark.parametrize("case, messages", [("flood", 65_536 * 51), ("flood-bodies", 65_535)])
def test_flooder_with_memory_ends_when_its_buffer_is_full(machine, peace, case, messages):
    """The buffer fills all its addresses, and the next message overwrites none of them.

    The first page may begin with messages that the program has taken before.
    """
    done = check_alone(machine, peace, case, r"its message buffer is full: 6\d{4} pages, 6\d{4} of them for \d+ "
                       r"messages in its buffer", status=102, ram="700M", timeout="5G")
    found = int(re.search(r"for (\d+) messages", complaints(done)[0])[1])
    assert messages - 51 < found <= messages


@pytest.mark.parametrize("case", ["touch-all", "stacks"])
def test_user_of_all_memory_ends(machine, peace, case):
    check_alone(machine, peace, case, rf"the node has no memory left for it, {re.escape(NO_BACKING)}: "
                r"\d+ pages, 0 of them for 0 messages in its buffer" + MORE, status=102)


@pytest.mark.parametrize("first", ["bad", "bystander"])
def test_hoarder_ends_when_another_needs_a_page(machine, peace, first):
    jobs = [["bad", "hoard"], ["bystander", "0", "hungry"]]
    one, two = jobs if first == "bad" else jobs[::-1]
    result = run(machine, *one, "+", *two, timeout="200M").check(102)     # its frames come back in parts
    said = complaints(result)
    assert 1 <= len(said) <= 2 and all("glaze: bad " in line and "no memory left" in line for line in said)
    lines = bystanders(result)
    assert [line.split(",")[:3] for line in lines] == [line.split(",")[:3] for line in peace]


# ---- windows --------------------------------------------------------------------

BAD_STACKS = ["0x00000000", "0x40000000", "0x407fff00", "0xf0002000", "0xfffff000", "0xffffe000", "0xc0000000",
              "0x20000000", "0x80000fc0", "0x8000fff8", "0xfffffff8", "0x3ff00fe0"]
READ_ONLY = ["0x10000000", "0xf0000000"]        # windows can be loaded from there, but not stored
ODD_STACKS = ["0x00000003", "0x10000001", "0x3ffffffc", "0xffffffff"]
SOME_STACKS = ["0x00000000", "0x40000000", "0xf0002000", "0xfffff000", "0x8000fff8", "0x10000000", "0x3ffffffc"]


def stack_cause(address: str) -> str:
    return (ODD_STACK if address in ODD_STACKS else STACK) + address


@pytest.mark.parametrize("case, address", [
    *[("spill", address) for address in BAD_STACKS + READ_ONLY + ODD_STACKS],
    *[("flush", address) for address in SOME_STACKS]])
def test_window_to_bad_stack(machine, peace, case, address):
    check_alone(machine, peace, f"{case} {address}", at(stack_cause(address), case, f"{case}_at"))


@pytest.mark.parametrize("case, address", [
    *[("refill", address) for address in BAD_STACKS + ODD_STACKS],
    *[("return", address) for address in SOME_STACKS if address not in READ_ONLY]])
def test_window_from_bad_stack(machine, peace, case, address):
    name = case if case == "refill" else "refill-for-return"
    check_alone(machine, peace, f"{name} {address}", at(stack_cause(address), case, f"{case}_at"))


@pytest.mark.parametrize("address", SOME_STACKS)
@pytest.mark.parametrize("way", ["network", "buffer"])
def test_upcall_without_window(machine, peace, address, way):
    check_alone(machine, peace, f"spill-for-upcall {address} 6 {way == 'buffer':d}",
                at(stack_cause(address), "wait", "window_spin"))


@pytest.mark.parametrize("psr", ["0", "0xffffffff", "0xe0", "0xa0", "0x1000", "0x7f", "0xf00000e0"])
def test_return_gives_no_rights(machine, peace, psr):
    check_alone(machine, peace, f"return-psr {psr}", at("privileged instruction", "landing", "landing"))


@pytest.mark.parametrize("pc", ["0x00000000", "0x40000000", "0xfffff000", "0xfffffffc"])
def test_return_to_no_text(machine, peace, pc):
    check_alone(machine, peace, f"return-pc {int(pc, 16) | 3:#x} {pc}", NOT_TEXT + f"{pc}; pc {pc}")


@pytest.mark.parametrize("saves", [1, 5, 6, 7])
def test_return_with_dispose_pending(machine, peace, saves):
    check_alone(machine, peace, f"return-pending {saves}", at(FAILURE_AT_END, "return-deep", "return_deep"))


@pytest.mark.parametrize("saves", [1, 5, 6, 7])
def test_return_with_atomicity_extend(machine, peace, saves):
    check_alone(machine, peace, f"return-extended {saves}", at("privileged instruction", "landing", "landing"))


def test_next_without_a_message(machine, peace):
    check_alone(machine, peace, "next-end", at_header(FAILURE, "next_and_end"))


# ---- upcalls, traps and instructions ---------------------------------------------

@pytest.mark.parametrize("entry", ["0x00000000", "0x40000000", "0xf0002000", "0xfffff000", "0x20000000"])
@pytest.mark.parametrize("way", ["network", "buffer"])
def test_upcall_to_no_text(machine, peace, entry, way):
    check_alone(machine, peace, f"upcall {entry} 0 {way == 'buffer':d}", NOT_TEXT + f"{entry}; pc {entry}")


@pytest.mark.parametrize("way", ["network", "buffer"])
def test_upcall_to_odd_entry_is_one_to_the_instruction(machine, peace, way):
    check_alone(machine, peace, f"upcall 0x10000001 0 {way == 'buffer':d}", "handled", status=3)


@pytest.mark.parametrize("address", SOME_STACKS[1:])
def test_upcall_on_bad_stack(machine, peace, address):
    cause = stack_cause(address)
    check_alone(machine, peace, f"upcall 0x10000001 {address} 0",
                rf"{cause}; pc 0x1000[0-9a-f]{{4}} in deep \(trap\.c:\d+\)")


@pytest.mark.parametrize("address", SOME_STACKS)
def test_system_call_without_stack(machine, peace, address):
    check_alone(machine, peace, f"no-stack {address}", at("breakpoint", "no-stack", "no_stack"))


def test_upcall_without_an_entry(machine, peace):
    check_alone(machine, peace, "upcalls-zero", NOT_TEXT + "0x00000000; pc 0x00000000")


TRAPS = {1: "breakpoint", 2: "division by zero", 26: "no atomic section to resume behind a page fault"}
HARMLESS = {0, 3, 24, 27, 127}


@pytest.mark.parametrize("first", range(0, 128, 13))
def test_software_traps_end_their_jobs(machine, first):
    """Thirteen software traps at a time, with harmful words in all windows in case the trap uses them."""
    numbers = [number for number in range(first, min(first + 13, 128)) if number not in HARMLESS]
    jobs = [("bad", "prepared", str(number)) for number in numbers]
    result = run(machine, *joined([*jobs, ["bystander"]])).check(101)
    causes = {int(job): cause for job, cause in
              re.findall(r"^glaze: bad \(job (\d+)\) on node 1 is ended: (.+); pc .* in prepared_trap ", result.stdout,
                         re.MULTILINE)}
    for job, number in enumerate(numbers, 1):
        assert causes[job] == TRAPS.get(number, causes[job]), number
        assert number in TRAPS or "trap" in causes[job], (number, causes[job])
    assert len(causes) == len(numbers)
    assert all(", 0 wrong, " in line for line in bystanders(result)) and len(bystanders(result)) == 2


def instructions() -> list[tuple[int, str, str]]:
    """(number, name, section) of each case in trap_code.S."""
    found, section = [], ""
    for line in (HERE / "bad" / "trap_code.S").read_text().splitlines():
        if label := re.match(r"(\w+):$", line):
            section = label[1]
        if case := re.match(r"\s+CASE\s+([\w-]+),", line):
            found.append((len(found), case[1], section))
    return found


INSTRUCTIONS = {name: (number, section) for number, name, section in instructions()}
CAUSES = {"privileged": "privileged instruction", "illegal": "illegal instruction",
          "operations": "unknown network operation", "beyond": "illegal instruction"}
OTHER_CAUSES = {"tagged": "tag overflow", "faddq": "floating-point exception", "stdfq": "privileged instruction",
                "flush": "breakpoint"}          # FLUSH does nothing on this machine, so the next instruction ends it


@pytest.mark.parametrize("name", INSTRUCTIONS)
def test_forbidden_instruction_ends_the_job(machine, peace, name):
    number, section = INSTRUCTIONS[name]
    cause = OTHER_CAUSES.get(name, CAUSES[section])
    place = "" if section == "beyond" else f" in {section} .*"
    check_alone(machine, peace, f"instruction {number}", rf"{cause}; pc 0x1000[0-9a-f]{{4}}{place}")


def test_floating_point_exception(machine, peace):
    check_alone(machine, peace, "float-divide", at("floating-point exception", "float-divide", "float_divide"))


@pytest.mark.parametrize("area", ["0", "1", "0x40000000", "0xf0002000", "0xffffe000", "0xf0001000", "0x3ffffffd"])
def test_bad_area_for_floats_is_ignored(machine, peace, area):
    check_alone(machine, peace, f"float-area {area}", "survived", status=3)


@pytest.mark.parametrize("seed", range(4))
def test_random_code_harms_no_one(machine, seed):
    """Twelve jobs execute random words, beside the bystander."""
    jobs = [("bad", "random-code", str(85 * job + 21 * seed)) for job in range(12)]
    result = run(machine, *joined([*jobs, ("bystander", "14")]), timeout="10M")
    assert result.status in (1, 101, 124), result.report()
    lines = bystanders(result)
    assert len(lines) == 2 and all(", 0 wrong, " in line for line in lines), result.report()


# ---- secrets, and system calls ------------------------------------------------------

@pytest.mark.parametrize("turns", [1000, 3000, 10000])
def test_spy_sees_nothing_of_the_victim(machine, turns):
    result = run(machine, "victim", str(turns), "+", "bad", "spy", "1").check(0)
    assert sorted(result.stdout.splitlines()) == [
        f"spy: node {node}: windows 0, floats 0, saved floats 0, network 0, memory 0, stacks 0" for node in range(2)]


def test_calls_with_bad_arguments_are_refused(machine, peace):
    result = run(machine, "calls", "+", "bystander").check(0)
    assert [line for line in sorted(result.stdout.splitlines()) if line.startswith(("FAIL", "calls:"))] == [
        f"calls: node {node}: 0 failed" for node in range(2)]
    assert len(bystanders(result)) == 2


@pytest.mark.parametrize("seed", range(1, 5))
def test_random_calls_harm_no_one(machine, peace, seed):
    result = run(machine, "calls", str(seed), "2000", "+", "bystander").check(0)
    assert not complaints(result)
    assert [line.split(", ")[:3] for line in bystanders(result)] == [line.split(", ")[:3] for line in peace]


# ---- other machines -------------------------------------------------------------------

SOFT = {"load 0x40000000": 101, "run-data": 101, "spill 0x40000000": 101, "refill 0x40000000": 101,
        "return-pending 6": 101, "return-extended 6": 101, "return-psr 0xffffffff": 101, "prepared 20": 101,
        "kernel-message": 101, "float-divide": 101, "handler-overflows 0": 101, "flood": 102, "end-with-messages": 0,
        "deaf": 124, "deaf-caller": 124, "handler-loops 0": 124}


@pytest.mark.parametrize("case", SOFT)
def test_bystander_is_right_with_soft_atomicity(machine, case):
    others = ["1"] if SOFT[case] == 124 else []
    result = run(machine, "bad", *case.split(), "+", "bystander", *others, atomicity="soft", timeout="120M")
    result.check(SOFT[case])
    lines = bystanders(result)
    assert len(lines) == 2 and all(", 0 wrong, " in line for line in lines), result.report()


@pytest.mark.parametrize("case", ["flood", "stacks"])
def test_bystander_is_right_with_little_memory(machine, case):
    result = run(machine, "bad", case, "+", "bystander", "1", ram="640K").check(102)
    assert len(complaints(result)) == 1, result.report()
    lines = bystanders(result)
    assert len(lines) == 2 and all(", 0 wrong, " in line for line in lines), result.report()
