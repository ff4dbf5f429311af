"""The M-Machine's message interface on the bare machine: times that rows add up to."""

import re
import subprocess

import pytest

M_MACHINE = {"ni": "m-machine"}
# The paper's round trip of 38 cycles is judged with a network of these latencies (docs/machine.md).
FAST = {"quantum": 2, "mesh_base": 2, "mesh_hop": 2, "mesh_word": 1}
SEND, DISPATCH = 1, 3
LOOP = 5                        # cycles of a turn of the main context's loop: ld, cmp, be, nop


def round_trip(hops, base=64, hop=2, word=4):
    """Cycles of a null round trip with main contexts that wait, from the first of SEND to the first of the reply's handler.

    The handler has an instruction, one that takes DestAddr, and the SEND that takes the address to reply to.
    """
    flight = base + hop * hops + 2 * word               # until the second word, the handler's
    dest = max(DISPATCH + 1, word)                      # since then
    reply = max(dest + 1, 2 * word) + SEND
    return SEND + flight + reply + flight + DISPATCH


def hops(nodes):
    """Hops from node 0 to the last node, in the default shape."""
    rows = max(n for n in range(1, nodes + 1) if nodes % n == 0 and n * n <= nodes)
    return rows - 1 + nodes // rows - 1


@pytest.mark.parametrize("nodes", [1, 2, 4, 16])
@pytest.mark.parametrize("network", [{}, FAST, {"mesh_word": 1}, {"mesh_word": 9, "quantum": 7}], ids=str)
def test_null_round_trip_is_the_sum_of_its_rows(machine, nodes, network):
    result = machine("nullmsg", "times=1000", nodes=nodes, **M_MACHINE, **network).passed(1)
    times = {name: (int(least), int(most)) for name, least, most in
             re.findall(r"null round trip, (\w+): (\d+) to (\d+) cycles", result.stdout)}
    latencies = {key.removeprefix("mesh_"): value for key, value in network.items() if key != "quantum"}
    want = round_trip(hops(nodes), **latencies)
    assert times["waiting"] == (want, want)
    # A busy processor finishes its turn of the loop first.
    assert want <= times["busy"][0] <= times["busy"][1] <= want + (LOOP if nodes > 1 else 2 * LOOP)


RUNS = {"nullmsg": ("times=100",), "consumers": (), "replies": ("times=300",), "storm": ("times=200",), "spaces": ()}


@pytest.fixture(scope="module", params=RUNS)
def plain(machine, request):
    """A program's name, and its undisturbed run."""
    return request.param, machine(request.param, *RUNS[request.param], nodes=4, digest=True, **M_MACHINE).check(0)


@pytest.mark.parametrize("way", ["one-insn-per-tb=on", "line-filter=off"])
def test_the_host_s_way_of_running_it_changes_nothing(plain, way):
    command = [word.replace("tcg,thread=single", f"tcg,thread=single,{way}") for word in plain[1].command]
    assert command != plain[1].command
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and f"digest: {plain[1].digest}" in done.stdout


@pytest.mark.parametrize("processes", [2, 4])
def test_several_processes_run_the_same_machine(machine, plain, processes):
    name, alone = plain
    run = machine(name, *RUNS[name], nodes=4, digest=True, processes=processes, **M_MACHINE).check(0)
    assert (run.digest, run.stdout) == (alone.digest, alone.stdout)


def test_saved_and_loaded_at_any_cycle(machine, plain, tmp_path):
    """Also while a slot is in the middle of a message."""
    name, whole = plain
    for cycle in range(1000, 250_000, 35_711):
        image = tmp_path / f"{name}.{cycle}"
        machine(name, *RUNS[name], nodes=4, save=[f"{image}@{cycle}"], **M_MACHINE).check(0)
        assert machine(None, load=image, digest=True).check(0).digest == whole.digest


SLOW = {"mesh_word": 30, "input_queue": 26, "source_space": 60}


def test_saved_and_loaded_while_messages_wait_for_room(machine, tmp_path):
    """Also those that a slot has dropped before their tails have come, and those behind them."""
    whole = machine("storm", "times=40", "only=1", nodes=2, digest=True, **SLOW, **M_MACHINE).check(0)
    for cycle in range(103_000, 119_000, 1_237):
        image = tmp_path / f"{cycle}"
        machine("storm", "times=40", "only=1", nodes=2, save=[f"{image}@{cycle}"], **SLOW, **M_MACHINE).check(0)
        assert machine(None, load=image, digest=True).check(0).digest == whole.digest


SMALL = {"input_queue": 26, "source_space": 26}         # room for one message of each priority


@pytest.mark.parametrize("nodes, room", [(1, SMALL), (4, {}), (9, SMALL)], ids=str)
def test_requests_are_answered_by_the_other_priority(machine, nodes, room):
    """Each node is full of requests, and sends more. Replies get through."""
    machine("replies", "times=1000", nodes=nodes, **M_MACHINE, **room).passed(3 * nodes)


def test_replies_at_the_priority_of_requests_are_a_deadlock(machine):
    """What the rule about priorities is for. The report says what the nodes wait for."""
    done = machine("replies", "times=1000", "rules=0", nodes=4, **M_MACHINE, **SMALL).check(125)
    assert "fugu: deadlock at cycle" in done.stderr
    assert len(re.findall(r"^  node \d: waits for space in the network, pc 0x\w+ in send_ten$", done.stderr, re.MULTILINE)) == 4


def test_a_deadlock_is_reported_with_what_the_main_context_waits_for(machine):
    """A slot has waited last, for something else."""
    done = machine("stuck", nodes=1, **M_MACHINE).check(125)
    assert re.search(r"^  node 0: waits for an interrupt, pc 0x\w+ in main$", done.stderr, re.MULTILINE), done.stderr


@pytest.mark.long
def test_a_million_requests_are_answered(machine):
    machine("replies", "times=62500", nodes=16, **M_MACHINE, **SMALL).passed(3 * 16)


def test_forged_sends_trap_at_their_sender(machine):
    """10,000 on each node: windows, handlers, lengths and ends of segments. No message comes anywhere."""
    machine("mmforged", nodes=2, **M_MACHINE).passed(2 * 7)


COPIES = [{"streams": streams, "memory": memory} for streams in (0, 1) for memory in (0, 1)]
CHECKS = {0: 3 * 13, 1: 25 + 38 + 25}          # by streams: of all nodes; by loads and stores, each has one more


@pytest.mark.parametrize("way", COPIES, ids=str)
@pytest.mark.parametrize("options", [{}, {"pin_cycles": 9}, {**FAST, "input_queue": 26, "source_space": 64}], ids=str)
def test_words_are_copied_to_and_from_the_interface(machine, way, options):
    words = [f"{name}={value}" for name, value in way.items()] + [f"pins={options.get('pin_cycles', 0)}"]
    machine("copies", *words, nodes=3, **M_MACHINE, **options).passed(CHECKS[way["streams"]] + 3 * way["memory"])


@pytest.mark.parametrize("way", COPIES, ids=str)
def test_copies_are_the_same_in_several_processes_and_from_snapshots(machine, way, tmp_path):
    words = [f"{name}={value}" for name, value in way.items()]
    alone = machine("copies", *words, nodes=3, digest=True, **M_MACHINE).check(0)
    for processes in (2, 3):
        run = machine("copies", *words, nodes=3, digest=True, processes=processes, **M_MACHINE).check(0)
        assert (run.digest, run.stdout) == (alone.digest, alone.stdout)
    for cycle in (31_000, 35_000, 40_001, 60_333, 64_444, 80_555):      # the first ones: while a stream is open
        image = tmp_path / f"copies.{cycle}"
        machine("copies", *words, nodes=3, save=[f"{image}@{cycle}"], **M_MACHINE).check(0)
        assert machine(None, load=image, digest=True).check(0).digest == alone.digest


def test_the_design_space_is_measured_alike_by_each_host(machine):
    """One of the programs of ./run.sh paper mm, with few phases, on one process and on three."""
    alone = machine("designs-memory-streaming", "phases=2", nodes=9, digest=True, **M_MACHINE, **FAST).passed(72)
    assert alone.stdout.count("latency") == 6 * (4 + 8) + (3 + 8) + 1
    run = machine("designs-memory-streaming", "phases=2", nodes=9, digest=True, processes=3, **M_MACHINE, **FAST).check(0)
    assert run.digest == alone.digest
